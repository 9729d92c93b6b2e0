/* The fast reader: always an answer, within its bound, the same each time, mostly what the proof says; and
 * the two tiers are told apart. */
#include "support/check.h"
#include "support/instances.h"

#include <string.h>

#include "base/arena.h"
#include "methods/widening/capture_tree.h"
#include "support/boards.h"

static KnCaptureProblem problem_of(const KnGame *game, const void *position, int cell)
{
    bool own = game->type->cell(game, position, cell) == game->type->mover(game, position) + 1;
    return (KnCaptureProblem){.id = "reader",
                              .game = game,
                              .position = (void *)(uintptr_t)position,
                              .attack = !own,
                              .target = cell};
}

/* Ladders, nets and snapbacks: 9x9 boards, the target in row and column from the top left. */
static const struct {
    const char *position;
    int x, y, answer;
    const char *move; /* NULL: any */
} scenes[] = {
    {"........./..x....../.xo....../..x....../........./........./........./........./......... b", 2, 2, 1,
     NULL},
    {"........./..xx...../.xo....../..xx...../........./........./........./........./......... b", 2, 2, 1,
     "D7"},
    {"........./........./........./....o..../........./........./........./........./......... b", 4, 3, -1,
     NULL},
    /* H9 and J8 are eyes: after Black's F9 White passes rather than fill one */
    {"....x.o.o/....xxoo./.....xxoo/......xxx/........./........./........./........./......... b", 6, 0, -1,
     NULL},
    /* the stone at D1 is bait */
    {"........./........./........./........./........./........./..xxx..../xxxoox.../x.ox.x... w", 3, 8, -1,
     NULL},
    /* strings from games of our own, with proved answers */
    {".x......x/.oxx...o./o.ox..x.o/o.oxo.oox/.ooxxooxx/..oooxxo./.xxxx.xo./...ox.xo./...ox.x.. b", 4, 3, -1,
     NULL},
    {"..oo..ox./..oxooox./...xooxx./.oxxo..../...xo..../xxxoo..../..xxoo.../.xxoxx.../x.o...... b", 1, 3, -1,
     NULL},
    {"........./......x.x/.....oxox/.o..xxooo/.xx..o.o./.xoo.o.o./.oxx..ooo/o.o.xxo.x/o.ox..xx. w", 2, 6, 1,
     NULL},
};

static void test_scenes(void **state)
{
    (void)state;
    KnGame *game = test_game("go(9, superko=none)");
    KnReader *reader = kn_reader_new();
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        _Alignas(16) unsigned char position[game->position_size];
        KnCaptureBelief belief, again;
        KnError error;
        test_position(game, scenes[i].position, position);
        KnCaptureProblem problem = problem_of(game, position, scenes[i].y * 9 + scenes[i].x);
        check_ok(error, kn_capture_believe(reader, &problem, 0, &belief, &error));
        check_ok(error, kn_capture_believe(reader, &problem, 0, &again, &error));
        if (belief.answer != scenes[i].answer) fail_msg("scene %zu: believed %d", i, belief.answer);
        assert_true(again.answer == belief.answer && again.move == belief.move &&
                    again.nodes == belief.nodes);
        if (scenes[i].move) assert_string_equal(test_move_text(game, position, belief.move), scenes[i].move);
    }
    kn_reader_free(reader);
    test_game_close(game);
}

/* On the embedded problems, whose answers are proved. */
static void test_agreement(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnCaptureProblems *set;
    KnReader *reader = kn_reader_new();
    KnError error;
    int right = 0, asked = 0;
    check_ok(error, kn_problems_load(context, "captures", NULL, &set, &error));
    for (size_t i = 0; i < set->count; i++) {
        KnCaptureBelief belief;
        KnCaptureProblem problem = set->list[i];
        problem.answer = 0; /* compared here, by the answer alone */
        check_ok(error, kn_capture_believe(reader, &problem, 0, &belief, &error));
        assert_true(belief.nodes <= KN_READER_NODES + 200); /* a ladder may be under way */
        asked++, right += belief.answer == set->list[i].answer;
    }
    assert_true(asked >= 300 && 100 * right >= 90 * asked);
    kn_reader_free(reader);
    kn_problems_free(set);
    kn_close(context);
}

/* A bound that is too small for a proof: the answer is unknown, and says what is believed. */
static void test_tiers(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnArena *arena = kn_arena_new();
    KnCaptureProblems *set;
    KnProofSearch *search;
    KnError error;
    int unknown = 0;
    check_ok(error, kn_problems_load(context, "captures", NULL, &set, &error));
    check_ok(error, kn_proof_new(&(KnProofOptions){.nodes = 300, .strict = true}, &search, &error));
    for (size_t i = 0; i < set->count; i += 10) {
        KnProofTree tree;
        KnText text = KN_TEXT_EMPTY;
        check_ok(error, kn_capture_tree(search, &set->list[i], 5, arena, &tree, &error));
        kn_explanation_print(kn_capture_explain(&set->list[i], &tree, arena), &text);
        bool proved = strstr(text.data, "proved with") != NULL;
        assert_int_equal(proved, tree.captured.answer != 0);
        assert_int_equal(strstr(text.data, "It is believed") != NULL, !proved && tree.captured.belief.answer);
        if (proved) assert_int_equal(tree.captured.belief.answer, 0);
        unknown += !proved && tree.captured.belief.answer;
        kn_text_free(&text);
        kn_arena_reset(arena);
    }
    assert_true(unknown > 0);
    kn_proof_free(search);
    kn_problems_free(set);
    kn_arena_free(arena);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scenes), cmocka_unit_test(test_agreement),
                                       cmocka_unit_test(test_tiers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
