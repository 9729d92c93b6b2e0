/* What a capture is: first or lasting captures, kos, one budget for all searches of a problem, and lines that
 * end with the capture. */
#include "support/check.h"

#include <string.h>

#include "base/clock.h"
#include "methods/widening/capture_solver.h"
#include "support/boards.h"

static KnCaptureSolution solve(const char *spec, const char *text, const char *target, bool first,
                               KnProofOptions options)
{
    KnGame *game = test_game(spec);
    _Alignas(16) unsigned char position[game->position_size];
    test_position(game, text, position);
    int size = kn_go_size(game), cell = (size - (target[1] - '0')) * size + target[0] - 'A';
    bool own = game->type->cell(game, position, cell) == game->type->mover(game, position) + 1;
    KnCaptureProblem problem = {
        .id = "goal", .game = game, .position = position, .attack = !own, .target = cell, .first = first};
    KnCaptureSolution captured;
    KnProofSearch *search;
    KnError error;
    check_ok(error, kn_proof_new(&options, &search, &error));
    check_ok(error, kn_capture_solve(search, &problem, &captured, &error));
    kn_proof_free(search);
    test_game_close(game);
    return captured;
}

/* White takes D1 by E1 with three stones that have one liberty left, and loses them at once. */
static const char snapback[] = "...../...../..xxx/xxxoo/x.ox. w";

static void test_snapback(void **state)
{
    (void)state;
    KnProofOptions options = {.nodes = 20000};
    KnCaptureSolution first = solve("go(5, superko=none)", snapback, "D1", true, options),
                      lasting = solve("go(5, superko=none)", snapback, "D1", false, options);
    assert_int_equal(first.answer, 1);
    assert_int_equal(first.length, 1);
    assert_int_equal(lasting.answer, -1);
    /* two stones that one stone takes back are lost all the same */
    KnCaptureSolution two = solve("go(5, superko=none)", "...../...../...../..oox/.oxx. w", "C1", false,
                                  options);
    assert_int_equal(two.answer, 1);
}

/* ---- Ko ---- */

/* Black takes the stone at B2 in a ko; White, who connects if he may retake, has six liberties then. */
static const char ko[] = "......./......./......./..o..../.xoo.../xo.oo../.xoo... b";
/* White is in atari at D1, and saves himself only by retaking the ko at B2. */
static const char barred[] = "......./..o..../..o..../..o..../.xox.../x.xox../.xo.x.. w B2";

static void test_ko(void **state)
{
    (void)state;
    KnProofOptions options = {.nodes = 100000};
    KnCaptureSolution taken = solve("go(7, superko=none)", ko, "B2", false, options);
    assert_int_equal(taken.answer, 1);
    assert_int_equal(taken.ko, KN_KO_DEPENDS);
    assert_int_equal(taken.ko_role, 1);
    KnText text = KN_TEXT_EMPTY;
    kn_capture_ko_text(&taken, &text);
    assert_non_null(strstr(text.data, "White changes it with"));
    kn_text_free(&text);
    KnCaptureSolution lost = solve("go(7, superko=none)", barred, "D2", false, options);
    assert_int_equal(lost.answer, -1);
    assert_int_equal(lost.ko, KN_KO_DEPENDS);
    assert_int_equal(lost.ko_role, 1);
    assert_int_equal(lost.ko_threats, 1);
    /* far from any ko nothing depends on one */
    KnCaptureSolution net = solve("go(7, superko=none)",
                                  "......./..x..../..ox.../..x..../......./......./....... b", "C5", false,
                                  options);
    assert_int_equal(net.answer, 1);
    assert_int_equal(net.ko, KN_KO_NONE);
    /* with almost no nodes left nothing is claimed about the ko */
    KnCaptureSolution hasty = solve("go(7, superko=none)", ko, "B2", false, (KnProofOptions){.nodes = 1});
    assert_true(hasty.answer == 0 || hasty.ko != KN_KO_DEPENDS);
}

/* ---- Bounds ---- */

static void test_one_budget(void **state)
{
    (void)state;
    static const uint64_t bounds[] = {200, 1000, 5000};
    for (size_t i = 0; i < 3; i++) {
        KnCaptureSolution captured = solve("go(7, superko=none)", ko, "B2", false,
                                           (KnProofOptions){.nodes = bounds[i], .strict = true});
        assert_true(captured.proof.nodes <= bounds[i]);
    }
    double started = kn_clock_now();
    KnCaptureSolution captured =
        solve("go(9, superko=none)",
              "x..oo..../x.xoox.../xxoxxx.../ooox...../........./........./........./........./......... b",
              "A8", false, (KnProofOptions){.seconds = 0.05});
    double took = kn_clock_now() - started;
    assert_true(captured.proof.seconds <= took);
    assert_true(captured.proof.seconds < 30);
}

/* ---- Lines ---- */

/* A ladder: its line ends with the capture. */
static void test_line_ends(void **state)
{
    (void)state;
    static const char ladder[] =
        "........./..x....../.xo....../..x....../........./........./........./........./......... b";
    KnGame *game = test_game("go(9, superko=none)");
    _Alignas(16) unsigned char position[game->position_size];
    test_position(game, ladder, position);
    KnCaptureSolution captured = solve("go(9, superko=none)", ladder, "C7", false,
                                       (KnProofOptions){.nodes = 50000});
    assert_int_equal(captured.answer, 1);
    assert_true(captured.length % 2 == 1);
    for (int i = 0; i < captured.length; i++) {
        assert_int_equal(game->type->cell(game, position, 2 * 9 + 2), 2);
        assert_true(kn_go_legal(game, position, captured.line[i]));
        game->type->play(game, position, captured.line[i]);
    }
    assert_int_equal(game->type->cell(game, position, 2 * 9 + 2), 0);
    test_game_close(game);
}

/* In random positions, with kos and without: lines can be played by the rules, and end with the capture. The
 * believed line can be played as well, and the bound holds. */
static void check_line(const KnGame *game, const void *from, const KnMove *line, int length)
{
    _Alignas(16) unsigned char position[game->position_size];
    memcpy(position, from, game->position_size);
    for (int i = 0; i < length; i++) {
        assert_true(line[i] == KN_GO_PASS || kn_go_legal(game, position, line[i]));
        game->type->play(game, position, line[i]);
    }
}

static void test_random_lines(void **state)
{
    (void)state;
    KnGame *game = test_game("go(6, superko=none)");
    KnProofSearch *search;
    KnReader *reader = kn_reader_new();
    KnError error;
    int kos = 0, ended = 0;
    check_ok(error, kn_proof_new(&(KnProofOptions){.nodes = 1500, .strict = true, .table_bits = 10}, &search,
                                 &error));
    for (long n = 0; n < check_scaled(60); n++) {
        KnRng rng = kn_rng_stream(91, (uint64_t)n);
        _Alignas(16) unsigned char position[game->position_size], end[game->position_size];
        game->type->start(game, position);
        for (uint32_t ply = 12 + kn_rng_below(&rng, 24); ply > 0; ply--) {
            KnMove moves[game->max_moves];
            int count = game->type->moves(game, position, moves);
            if (count > 1) game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count - 1)]);
        }
        for (int cell = 0; cell < game->cells; cell++) {
            int held = game->type->cell(game, position, cell);
            if (!held) continue;
            KnCaptureProblem problem = {.id = "random",
                                        .game = game,
                                        .position = position,
                                        .target = cell,
                                        .attack = held != game->type->mover(game, position) + 1};
            KnCaptureSolution captured;
            KnCaptureBelief belief;
            check_ok(error, kn_capture_solve(search, &problem, &captured, &error));
            check_ok(error, kn_capture_believe(reader, &problem, 0, &belief, &error));
            if (captured.proof.nodes > 1500)
                fail_msg("%llu nodes in game %ld, cell %d", (unsigned long long)captured.proof.nodes, n,
                         cell);
            assert_true(belief.answer == 1 || belief.answer == -1);
            check_line(game, position, captured.line, captured.length);
            check_line(game, position, belief.line, belief.length);
            kos += captured.ko != KN_KO_NONE;
            if (captured.proof.verdict != KN_PROVED || captured.proof.nodes == 1500) continue;
            memcpy(end, position, game->position_size);
            for (int i = 0; i < captured.length; i++) game->type->play(game, end, captured.line[i]);
            if (captured.length < KN_PROOF_LINE)
                assert_int_equal(game->type->cell(game, end, cell), 0), ended++;
        }
    }
    assert_true(ended >= check_scaled(60)); /* one a position */
    if (check_scaled(60) >= 20) assert_true(kos > 0);
    kn_reader_free(reader);
    kn_proof_free(search);
    test_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_snapback), cmocka_unit_test(test_ko),
                                       cmocka_unit_test(test_one_budget), cmocka_unit_test(test_line_ends),
                                       cmocka_unit_test(test_random_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
