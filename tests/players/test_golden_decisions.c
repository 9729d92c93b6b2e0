/* What players decide and say in the same positions as when they were last looked at
 * (support/golden_lines.h): moves, scores, values, positions counted, and the whole explanation. */
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "base/explanation.h"
#include "support/golden_lines.h"
#include "support/workbench.h"

static const char *const cases[][2] = {
    {"tictactoe", "legal"},
    {"tictactoe", "random"},
    {"tictactoe", "minimax(depth=4)"},
    {"tictactoe", "alphabeta(depth=3)"},
    {"tictactoe", "alphabeta(depth=2, eval=mobility)"},
    {"tictactoe", "alphabeta(depth=2, eval=focus)"},
    {"gdl:connectfour", "alphabeta(depth=1, eval=goal)"},
    {"tictactoe", "alphabeta(depth=1, eval=proximity(games=20, nodes=2000))"},
    {"tictactoe", "alphabeta(depth=1, eval=blend(fit=20, nodes=2000))"},
    {"tictactoe", "uct(playouts=80)"},
    {"tictactoe", "perfect"},
    {"tictactoe", "reasonable(0.5)"},
    {"tictactoe", "reasonable(0.8, rest=alphabeta(depth=2))"},
    {"tictactoe", "noisy(alphabeta(depth=2), 0.4)"},
    {"tictactoe", "mixed(random, alphabeta(depth=2))"},
    {"tictactoe", "general(playouts=60)"},
    {"tictactoe", "prove(random, nodes=300)"},
    {"tictactoe", "prove(random, nodes=300, guard)"},
    {"tictactoe", "breadth(nodes=300)"},
    {"tictactoe", "hoyle"},
    {"tictactoe", "clock(alphabeta, units=400, moves=5, pace=even)"},
    {"tictactoe", "clock(alphabeta, units=400, moves=5, pace=random)"},
    {"tictactoe", "clock(alphabeta, units=400, moves=5, pace=dynamic)"},
    {"tictactoe", "allocate(alphabeta, k=1, n=1, deep=2, moves=5, policy=random)"},
    {"tictactoe", "allocate(alphabeta, k=1, n=1, deep=2, moves=5, policy=oracle)"},
    {"tictactoe", "allocate(alphabeta, k=1, n=1, deep=2, moves=5, policy=dynamic)"},
    {"tictactoe(lose)", "alphabeta(depth=2)"},
    {"tictactoe(lose)", "hoyle"},
    {"checkers", "alphabeta(depth=3)"},
    {"checkers", "alphabeta(depth=2, eval=trade)"},
    {"checkers", "uct(playouts=30)"},
    {"othello", "alphabeta(depth=2)"},
    {"othello", "alphabeta(depth=1, eval=positional)"},
    {"othello", "alphabeta(depth=1, eval=stability)"},
    {"othello(size=4)", "endgame(alphabeta(depth=1))"},
    {"othello(size=6)", "alphabeta(depth=2, eval=discs)"},
    {"morris(men=5)", "alphabeta(depth=2)"},
    {"morris(men=5)", "hoyle"},
    {"fives", "alphabeta(depth=1)"},
    {"phutball", "alphabeta(depth=1)"},
    {"go(5)", "uct(playouts=30)"},
    {"go(5)", "tactical(playouts=30)"},
    {"go(5)", "tactical(playouts=30, playout=mogo, rave=0)"},
    {"gdl:connectfour", "alphabeta(depth=2)"},
    {"gdl:connectfour", "general(playouts=40)"},
    {"gdl:breakthrough", "alphabeta(depth=1)"},
    {"dilemma(turns=6)", "satisfice"},
    {"dilemma(turns=6)", "TitForTat"},
    {"dilemma(turns=6)", "uct(playouts=40)"},
    {"matrix(\"3,3 0,5; 5,0 1,1\", turns=5)", "general(playouts=40)"},
};

enum { QUESTIONS = 4 };

/* Two random moves, a question, two more, ...: every role that has the move is asked. */
static void ask(const KnContext *context, const char *game_spec, const char *spec, KnText *said)
{
    KnError error;
    KnGame *game;
    KnPlayer *player;
    KnRng rng = kn_rng_seeded(3);
    check_ok(error, kn_game_open(context, game_spec, &game, &error));
    if (kn_player_open(context, game, spec, &player, &error) != KN_OK) fail_msg("%s: %s", spec, error.text);
    KnState *state = kn_state_new(game);
    for (int question = 0; question < QUESTIONS && kn_state_movers(state); question++) {
        KnArena *arena = kn_arena_new();
        for (int role = 0; role < game->roles; role++) {
            if (!(kn_state_movers(state) >> role & 1)) continue;
            KnAnswer answer;
            KnAsk how = {.seed = 7 + (uint64_t)question,
                         .wants = KN_WANT_EXPLANATION | KN_WANT_VALUES,
                         .arena = arena};
            check_ok(error, kn_player_ask(player, state, role, &how, &answer, &error));
            char *position = kn_state_text(state),
                 *move = kn_game_move_text(game, kn_state_position(state), answer.move);
            kn_text_printf(said, "%s: %s, %d deep, %llu positions", position, move, answer.depth,
                           (unsigned long long)answer.cost.nodes);
            if (answer.has_score) kn_text_printf(said, ", %d", (int)answer.score);
            KnMove moves[game->max_moves];
            int count = kn_state_moves(state, role, moves);
            for (int i = 0; answer.has_values && i < count; i++)
                kn_text_printf(said, " %d", (int)answer.values[i]);
            char *why = answer.explanation ? kn_explanation_json_string(answer.explanation) : NULL;
            kn_text_printf(said, "\n%s\n", why ? why : "no reason");
            kn_free(why);
            kn_free(move);
            kn_free(position);
        }
        kn_arena_free(arena);
        for (int step = 0; step < 2 && kn_state_movers(state); step++) {
            KnMove joint[KN_ROLES_MAX] = {0};
            for (int role = 0; role < game->roles; role++) {
                KnMove moves[game->max_moves];
                int count = kn_state_movers(state) >> role & 1 ? kn_state_moves(state, role, moves) : 0;
                joint[role] = count ? moves[kn_rng_below(&rng, (uint32_t)count)] : KN_MOVE_NONE;
            }
            check_ok(error, kn_state_play_joint(state, joint, &error));
        }
    }
    kn_state_free(state);
    kn_player_close(player);
    kn_game_close(game);
}

static void test_decisions(void **state)
{
    (void)state;
    KnContext *context = test_workbench("golden");
    GoldenLines golden = golden_open("players/golden.txt");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnText said = KN_TEXT_EMPTY, name = KN_TEXT_EMPTY;
        kn_text_printf(&name, "%s %s", cases[i][0], cases[i][1]);
        ask(context, cases[i][0], cases[i][1], &said);
        golden_check(&golden, name.data, said.data);
        kn_text_free(&said);
        kn_text_free(&name);
    }
    golden_close(&golden);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_decisions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
