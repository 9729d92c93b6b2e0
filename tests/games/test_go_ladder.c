/* Ladders: what a quick look calls caught is caught; and what the fast reader makes of them. */
#include "support/check.h"

#include "games/go/capture_zone.h"
#include "support/boards.h"

/* Opens the question about a string of a 9x9 board, by column and row from the top left. */
static KnCapture *open(KnGame **game, const char *text, int x, int y)
{
    KnCapture *capture;
    KnError error;
    *game = test_game("go(9, superko=none)");
    _Alignas(16) unsigned char position[(*game)->position_size];
    test_position(*game, text, position);
    check_ok(error, kn_capture_open(*game, position, y * 9 + x, &capture, &error));
    return capture;
}

static void done(KnCapture *capture, KnGame *game)
{
    kn_capture_free(capture);
    test_game_close(game);
}

static const char free_way[] = "........./.xx....../xo......./........./........./........./........./"
                               "........./......... b";
static const char broken[] = "........./.xx....../xo......./........./........./........./......o../"
                             "........./......... b";
/* The ladder begins at the edge. */
static const char atari[] = "........./.xx....../ox......./xo......./........./........./........./"
                            "........./......... b";

static void test_ways(void **state)
{
    (void)state;
    KnGame *game;
    KnGoalCount played = {0, 0};
    KnCapture *c = open(&game, free_way, 1, 2);
    assert_true(kn_capture_ladder(&c->goal, &played));
    assert_true(played.nodes < 60); /* few more than its moves */
    assert_int_equal(c->strings->plies, 0);
    KnGoalCount few = {0, 10};
    assert_false(kn_capture_ladder(&c->goal, &few)); /* the bound says no */
    assert_true(few.nodes <= 10);
    done(c, game);
    c = open(&game, broken, 1, 2);
    assert_false(kn_capture_ladder(&c->goal, &played));
    done(c, game);
    c = open(&game, atari, 0, 2);
    assert_true(kn_capture_ladder(&c->goal, &played));
    done(c, game);
}

/* A quick look leaves out sides that are hopeless at sight, and finds nothing that the full one does not. */
static void test_sound(void **state)
{
    (void)state;
    KnGame *game = test_game("go(7, superko=none)");
    int caught = 0, missed = 0, most = (int)check_scaled(1500);
    for (int n = 0; n < most; n++) {
        KnRng rng = kn_rng_stream(2407, (uint64_t)n);
        _Alignas(16) unsigned char position[game->position_size];
        KnMove moves[game->max_moves];
        game->type->start(game, position);
        for (uint32_t ply = 10 + kn_rng_below(&rng, 25); ply > 0; ply--) {
            int count = game->type->moves(game, position, moves);
            if (count > 1) game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count - 1)]);
        }
        for (int cell = 0; cell < game->cells; cell++) {
            KnCapture *c;
            KnError error;
            if (game->type->cell(game, position, cell) == KN_STONE_NONE) continue;
            check_ok(error, kn_capture_open(game, position, cell, &c, &error));
            KnGoalCount quick = {0, 0}, full = {0, 0};
            bool sees = kn_capture_ladder(&c->goal, &quick), knows = c->goal.type->forced(&c->goal, &full);
            if (sees && !knows) fail_msg("game %d: caught at %d?", n, cell);
            caught += knows, missed += knows && !sees;
            kn_capture_free(c);
        }
    }
    assert_true(caught > most && 50 * missed <= caught);
    test_game_close(game);
}

static bool lists(KnCapture *c, bool sharp, int x, int y)
{
    int moves[KN_GOAL_MOVES_MAX], wanted = kn_strings_point(c->strings, x, y);
    KnGoalCount played = {0, 0};
    int count = sharp ? c->goal.type->sharp(&c->goal, &played, moves)
                      : c->goal.type->likely(&c->goal, 0, moves);
    for (int i = 0; i < count; i++)
        if (moves[i] == wanted) return true;
    return false;
}

/* The defender looks at an attack on a surrounding string only where it is caught: White's stone at A7 asks
 * about Black's at B7, which the ladder takes unless the other stone breaks it. */
static void test_lemma(void **state)
{
    (void)state;
    KnGame *game;
    KnCapture *c = open(&game,
                        "........./.oo....../ox......./........./........./........./........./"
                        "........./......... w",
                        0, 2);
    assert_true(lists(c, false, 2, 2) && lists(c, true, 2, 2));
    assert_false(c->goal.attacking);
    done(c, game);
    c = open(&game,
             "........./.oo....../ox......./........./........./........./......x../"
             "........./......... w",
             0, 2);
    assert_true(lists(c, false, 2, 2));
    assert_false(lists(c, true, 2, 2));
    done(c, game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ways), cmocka_unit_test(test_sound),
                                       cmocka_unit_test(test_lemma)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
