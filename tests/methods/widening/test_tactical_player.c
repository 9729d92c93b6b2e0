/* The tactical player: it plays proven moves and explains them, ends a won game, and beats plain MCTS. */
#include "support/check.h"
#include <knack/base.h>

#include <stdio.h>
#include <string.h>

#include "arena/play.h"
#include "games/go/go.h"
#include "players/player.h"
#include "support/boards.h"

static KnContext *context;

static KnMove ask(const char *spec, const KnGame *game, const char *words, uint64_t seed, KnText *explanation)
{
    KnError error;
    KnPlayer *player;
    KnArena *arena = kn_arena_new();
    _Alignas(16) unsigned char position[game->position_size];
    KnMove moves[game->max_moves];
    KnRng rng = kn_rng_seeded(seed);
    test_position(game, words, position);
    KnRequest request = {.game = game,
                         .position = position,
                         .role = game->type->mover(game, position),
                         .allowed = moves,
                         .allowed_count = game->type->moves(game, position, moves),
                         .rng = &rng,
                         .wants = KN_WANT_EXPLANATION,
                         .arena = arena};
    KnAnswer answer = {0};
    check_ok(error, kn_player_open(context, game, spec, &player, &error));
    check_ok(error, kn_player_choose(player, &request, &answer, &error));
    kn_text_clear(explanation);
    assert_non_null(answer.explanation);
    kn_explanation_print(answer.explanation, explanation);
    kn_player_close(player);
    kn_arena_free(arena);
    return answer.move;
}

/* A string of four stones in a ladder: capturing it is the best move, and so is saving it. */
static void test_proved(void **state)
{
    (void)state;
    KnGame *game = test_game("go(9, superko=none, komi=40.5)"); /* even without those stones */
    KnText explanation = KN_TEXT_EMPTY;
    static const char board[] =
        "........./........./..xxxx.../.xoooo.../..xxxx.../........./........./........./......... ";
    char words[160];
    snprintf(words, sizeof words, "%sb", board);
    KnMove move = ask("tactical(playouts=200)", game, words, 1, &explanation);
    assert_string_equal(test_move_text(game, NULL, move), "G6");
    assert_non_null(strstr(explanation.data, "It is proved that it captures the 4 stones at"));
    assert_true(move == ask("tactical(playouts=200)", game, words, 1, &explanation)); /* the same again */
    test_game_close(game);
    kn_text_free(&explanation);
}

static void test_won_game_ends(void **state)
{
    (void)state;
    KnGame *game = test_game("go(5, superko=none, komi=0.5)");
    KnState *game_state = kn_state_new(game);
    KnError error;
    KnPlayer *player;
    _Alignas(16) unsigned char position[game->position_size];
    test_position(game, ".x.../x.x../.xx../xxx../.x... w", position);
    check_ok(error, kn_player_open(context, game, "tactical(playouts=50)", &player, &error));
    kn_state_reset(game_state, position);
    check_ok(error, kn_state_play(game_state, KN_GO_PASS, &error));
    KnMove moves[game->max_moves];
    KnRng rng = kn_rng_seeded(2);
    KnRequest request = {.game = game,
                         .position = kn_state_position(game_state),
                         .history = kn_state_history(game_state),
                         .role = 0,
                         .allowed = moves,
                         .allowed_count = kn_state_moves(game_state, 0, moves),
                         .rng = &rng};
    KnAnswer answer = {0};
    check_ok(error, kn_player_choose(player, &request, &answer, &error));
    assert_true(answer.move == KN_GO_PASS);
    kn_player_close(player);
    kn_state_free(game_state);
    test_game_close(game);
}

/* With the same number of positions it wins nearly all games against plain MCTS; the seeds make the games the
 * same each time. */
static void test_beats_uct(void **state)
{
    (void)state;
    KnGame *game = test_game("go(7)");
    KnState *game_state = kn_state_new(game);
    KnError error;
    KnPlayer *players[2];
    check_ok(error, kn_player_open(context, game, "tactical(playouts=0, nodes=4000, reading=100)",
                                   &players[0], &error));
    check_ok(error,
             kn_player_open(context, game, "uct(playouts=0, nodes=4000, memory=4)", &players[1], &error));
    int won = 0, games = (int)check_scaled(4);
    for (int i = 0; i < games; i++) {
        KnRng rngs[2] = {kn_rng_stream(4, (uint64_t)(2 * i)), kn_rng_stream(4, (uint64_t)(2 * i + 1))};
        KnPlayPlan plan = {.state = game_state,
                           .players = {players[i % 2], players[1 - i % 2]},
                           .rngs = {&rngs[0], &rngs[1]},
                           .rules.ply_limit = 160,
                           .strict = true};
        KnPlayed played;
        kn_state_reset(game_state, NULL);
        check_ok(error, kn_play(&plan, &played, &error));
        won += played.payoffs[i % 2] > 0;
    }
    assert_true(won * 4 >= games * 3);
    for (int i = 0; i < 2; i++) kn_player_close(players[i]);
    kn_state_free(game_state);
    test_game_close(game);
}

static void test_only_go(void **state)
{
    (void)state;
    KnGame *game = test_game("othello");
    KnPlayer *player;
    KnError error;
    check_fails(error, KN_INPUT, "plays Go only", kn_player_open(context, game, "tactical", &player, &error));
    test_game_close(game);
}

int main(void)
{
    KnError error;
    if (kn_open("data", &context, &error) != KN_OK) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_proved), cmocka_unit_test(test_won_game_ends),
                                       cmocka_unit_test(test_beats_uct), cmocka_unit_test(test_only_go)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    kn_close(context);
    return failed;
}
