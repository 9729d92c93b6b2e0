/* Every player on every game it suits: legal moves, the same twice, reasons; and the particular promises of
 * some. */
#include "support/check.h"
#include "support/instances.h"
#include "support/workbench.h"

#include <stdlib.h>
#include <string.h>

/* Cheap specs of each player, so that a move takes milliseconds on any game. */
static const char *const specs[] = {
    "legal",
    "random",
    "minimax(depth=2, deepening, nodes=100, eval=lowest)",
    "alphabeta(depth=1, eval=blend(fit=4, nodes=200), expand=mobility, change=5, extra=1, memory=1)",
    "breadth(memory=1, nodes=100, eval=mobility(steps=1, plays=20), sufficient=60)",
    "minimax(depth=1)",
    "alphabeta(depth=2, memory=1)",
    "breadth(memory=1, nodes=300)",
    "uct(playouts=20, plies=30, memory=1)",
    "uct(playouts=20, plies=1, prior=1, memory=1)",
    "reasonable",
    "puzzle(memory=1, nodes=3000)",
    "general(nodes=300, memory=1)",
    "satisfice(tremble=0.3, search=random)",
    "gradual",
    "memory1(.9, .1, .5, .2, first=.5)",
    "qlearning",
    "allocate(alphabeta(memory=1), k=1, n=1, deep=2, moves=4)"};

static KnMove ask(KnPlayer *player, const KnState *game_state, int role, uint64_t seed, unsigned wants,
                  KnArena *arena, KnAnswer *answer)
{
    const KnGame *game = kn_state_game(game_state);
    KnMove moves[game->max_moves];
    KnScore values[game->max_moves];
    KnRng rng = kn_rng_seeded(seed);
    KnRequest request = {.game = game,
                         .position = kn_state_position(game_state),
                         .history = kn_state_history(game_state),
                         .role = role,
                         .allowed = moves,
                         .allowed_count = kn_state_moves(game_state, role, moves),
                         .rng = &rng,
                         .wants = wants,
                         .arena = arena};
    *answer = (KnAnswer){.values = values};
    KnError error;
    check_ok(error,
             kn_player_choose(player, &request, answer, &error)); /* fails unless the move is allowed */
    answer->values = NULL;
    return answer->move;
}

/* A short game of a player against itself; each decision is asked twice, with and without reasons. */
static void play_itself(KnPlayer *player)
{
    const KnGame *game = player->game;
    KnState *game_state = kn_state_new(game);
    KnArena *arena = kn_arena_new();
    KnError error;
    for (long ply = 0, plies = check_scaled(5); ply < plies && !kn_state_over(game_state, NULL); ply++) {
        KnMove joint[KN_ROLES_MAX], moves[game->max_moves];
        for (int role = 0; role < game->roles; role++) {
            joint[role] = KN_MOVE_NONE;
            if (!kn_state_moves(game_state, role, moves)) continue;
            KnAnswer first, again;
            check_ok(error, kn_player_begin(player, role, kn_state_position(game_state), &error));
            joint[role] = ask(player, game_state, role, (uint64_t)ply, 0, NULL, &first);
            check_ok(error, kn_player_begin(player, role, kn_state_position(game_state), &error));
            ask(player, game_state, role, (uint64_t)ply, KN_WANT_EXPLANATION | KN_WANT_VALUES, arena, &again);
            if (again.move != joint[role])
                fail_msg("%s on %s: asking why changes the move", player->spec, game->spec);
            bool forced = kn_state_moves(game_state, role, moves) == 1;
            if (!again.explanation && !forced) fail_msg("%s on %s gives no reason", player->spec, game->spec);
        }
        check_ok(error, kn_state_play_joint(game_state, joint, &error));
    }
    kn_arena_free(arena);
    kn_state_free(game_state);
}

static void players_on_instance(const KnGame *game)
{
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        KnError error;
        KnPlayer *player;
        KnStatus status = kn_player_open(workbench, game, specs[i], &player, &error);
        if (status != KN_OK) { /* only for a stated reason */
            if (!strstr(error.text, "cannot play"))
                fail_msg("%s on %s: %s", specs[i], game->spec, error.text);
            continue;
        }
        play_itself(player);
        kn_player_close(player);
    }
}

static void test_every_player_on_every_game(void **state)
{
    (void)state;
    workbench = test_workbench("data");
    test_each_instance(workbench, players_on_instance);
    kn_close(workbench);
}

/* A position's best move by a player, as text. */
static void check_move(const char *game_spec, const char *position, const char *player_spec,
                       const char *expected)
{
    KnContext *context = test_workbench("data");
    KnError error;
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(context, game_spec, &game, &error));
    check_ok(error, kn_player_open(context, game, player_spec, &player, &error));
    KnState *game_state = kn_state_new(game);
    unsigned char bytes[game->position_size] __attribute__((aligned(16)));
    check_ok(error, game->type->parse_position(game, position, bytes, &error));
    kn_state_reset(game_state, bytes);
    KnArena *arena = kn_arena_new();
    KnAnswer answer;
    KnMove move = ask(player, game_state, game->type->mover(game, bytes), 1, 0, NULL, &answer);
    assert_string_equal(kn_game_move_name(game, bytes, move, arena), expected);
    kn_arena_free(arena);
    kn_state_free(game_state);
    kn_player_close(player);
    kn_game_close(game);
    kn_close(context);
}

static void test_known_moves(void **state)
{
    (void)state;
    static const char *const all[] = {
        "minimax(depth=3)", "alphabeta(depth=3)", "breadth", "uct(playouts=2000)", "perfect", "reasonable"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        check_move("tictactoe", "xx./oo./... x", all[i], "c3"); /* wins at once */
        check_move("tictactoe", "x../oo./x.. x", all[i], "c2"); /* or else loses at once */
    }
    /* far fewer playouts than moves: only a prior can lead to the win */
    check_move("tictactoe", "x.o/.../x.o x", "uct(playouts=2, prior=1, -solve)", "a2");
    check_move("tictactoe(lose)", ".../.../... x", "perfect", "b2");
    check_move("tictactoe(lose)", ".../.../... x", "alphabeta(depth=9)", "b2");
}

/* One letter for each of the specs above: whether it plays this game. */
static void test_who_plays_what(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"tictactoe", "xxxxxxxxxxx.x....x"}, /* two players in turn: all but those of other games */
        {"checkers", "xxxxxxxxxxx.x....x"},        {"othello", "xxxxxxxxxxx.x....x"},
        {"morris", "xxxxxxxxxxx.x....x"},          {"go(9)", "xxxxxxxxxxx.x....x"},
        {"fives", "xxxxxxxxxxx.x....x"},           {"phutball", "xxxxxxxxxxx.x....x"},
        {"gdl:connectfour", "xxxxxxxxxxx.x....x"}, {"gdl:bidding", "xxxxxxxxxx..x....."},   /* at once */
        {"gdl:dice", "xxxxxxxxxx..x....."},        {"gdl:lightsout", "xxxxxxxxxx.xx....."}, /* alone */
        {"gdl:roshambo", "xxxxxxxxxx..x....."},    {"matrix", "xxxxxxxxxx..xxxxx."},
        {"dilemma", "xxxxxxxxxx..xxxxx."},         {"publicgoods", "xxxxxxxxxx..xx...."},
    };
    KnContext *context = test_workbench("data");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        char plays[sizeof specs / sizeof *specs + 1] = {0};
        KnError error;
        KnGame *game;
        check_ok(error, kn_game_open(context, rows[r][0], &game, &error));
        for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
            KnPlayer *player = NULL;
            bool opens = kn_player_open(context, game, specs[i], &player, &error) == KN_OK;
            plays[i] = opens ? 'x' : '.';
            if (opens) kn_player_close(player);
        }
        if (strcmp(plays, rows[r][1]) != 0) fail_msg("%s: %s, expected %s", rows[r][0], plays, rows[r][1]);
        kn_game_close(game);
    }
    kn_close(context);
}

static void test_refusals(void **state)
{
    (void)state;
    KnContext *context = test_workbench("data");
    KnError error;
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(context, "dilemma", &game, &error));
    check_fails(error, KN_INPUT, "needs two players who take turns",
                kn_player_open(context, game, "reasonable", &player, &error));
    check_fails(error, KN_INPUT, "cannot play dilemma",
                kn_player_open(context, game, "perfect", &player, &error));
    check_fails(error, KN_INPUT, "has no evaluation \"material\"",
                kn_player_open(context, game, "alphabeta(eval=material)", &player, &error));
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_player_on_every_game),
        cmocka_unit_test(test_known_moves),
        cmocka_unit_test(test_who_plays_what),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
