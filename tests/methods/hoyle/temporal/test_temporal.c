/* TP-Context and TP-Sitact: contexts, Advisors and their index, abstracted moves as in the thesis's worked
 * cases, and plans. Locations are numbered as in the thesis, from 1. */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "methods/hoyle/temporal/planner.h"
#include "methods/hoyle/temporal/tp_sitact.h"
#include "methods/hoyle/temporal/tp_context.h"
#include "methods/hoyle/temporal/context_pair_table.h"
#include "methods/hoyle/temporal/pwl.h"

enum { ANY = KN_DONT_CARE };

typedef struct Table {
    KnGame *game;
    KnBoardView *view;
    KnTemporalBoard *board;
} Table;

static KnContext *context;
static Table lose, morris;

static void open_table(Table *t, const char *spec)
{
    KnError error;
    check_ok(error, kn_game_open(context, spec, &t->game, &error));
    check_ok(error, kn_board_view_open(t->game, &t->view, &error));
    check_ok(error, kn_temporal_board_open(t->view, &t->board, &error));
}

static void close_table(Table *t)
{
    kn_temporal_board_close(t->board);
    kn_board_view_close(t->view);
    kn_game_close(t->game);
}

/* "x.#" and so on, by location; X and W are the first player's, O and B the second's. */
static void pattern_from(const Table *t, const char *letters, uint8_t *cells)
{
    assert_int_equal(strlen(letters), t->board->cells);
    for (int c = 0; c < t->board->cells; c++)
        cells[c] = letters[c] == '#'          ? ANY
                   : letters[c] == '.'        ? 0
                   : strchr("XW", letters[c]) ? t->board->men[0]
                                              : t->board->men[1];
}

static KnAction to(int location) { return (KnAction){KN_NO_CELL, (int16_t)(location - 1), KN_NO_CELL}; }
static KnAction slide(int a, int b) { return (KnAction){(int16_t)(a - 1), (int16_t)(b - 1), KN_NO_CELL}; }

static KnSequence three(int player, KnAction a, KnAction b, KnAction c)
{
    KnSequence s;
    memset(&s, 0, sizeof s);
    s.player = (uint8_t)player;
    s.length = 3;
    s.actions[0] = a, s.actions[1] = b, s.actions[2] = c;
    return s;
}

static bool has(const Table *t, const KnSitacts *sitacts, const char *letters, KnAction action)
{
    uint8_t cells[KN_TEMPORAL_CELLS];
    pattern_from(t, letters, cells);
    for (size_t i = 0; i < sitacts->count; i++)
        if (kn_action_equal(sitacts->list[i].action, action) &&
            memcmp(sitacts->list[i].context, cells, (size_t)t->board->cells) == 0)
            return true;
    return false;
}

/* Figures 11 to 13: X to 1, O to 3, X to 7 began at several states; what they share is 1, 3, 7 empty, 5 X, 9
 * O. */
static void test_common_pattern(void **state)
{
    (void)state;
    KnError error;
    static const char *const states[] = {"....X...O", ".X..XO..O", "...OX..XO"};
    KnContextTable *contexts = kn_context_table_new(lose.board);
    KnSequence s = three(0, to(1), to(3), to(7));
    uint8_t cells[KN_TEMPORAL_CELLS], turned[KN_TEMPORAL_CELLS], expected[KN_TEMPORAL_CELLS];
    for (int i = 0; i < 3; i++) {
        pattern_from(&lose, states[i], cells);
        int symmetry = i % lose.board->symmetries; /* seen in any orientation */
        KnSequence image = kn_sequence_image(lose.board, symmetry, &s);
        kn_board_view_transform_cells(lose.view, symmetry, cells, turned);
        check_ok(error, kn_context_table_add(contexts, &image, turned, &error));
    }
    assert_int_equal(kn_context_table_count(contexts), 1);
    const KnContextEntry *entry = kn_context_table_entry(contexts, 0);
    assert_int_equal(entry->seen, 3);
    pattern_from(&lose, ".#.#X#.#O", cells);
    bool same = false;
    for (int symmetry = 0; symmetry < lose.board->symmetries; symmetry++) {
        kn_board_view_transform_cells(lose.view, symmetry, cells, expected);
        KnSequence image = kn_sequence_image(lose.board, symmetry, &s);
        same |= memcmp(expected, entry->pattern, 9) == 0 &&
                memcmp(&image, &entry->sequence, sizeof image) == 0;
    }
    assert_true(same);
    kn_context_table_free(contexts);
}

/* Case 1: no abstraction, two Sitact Advisors. */
static void test_case1(void **state)
{
    (void)state;
    KnError error;
    KnSitacts sitacts = {0};
    uint8_t cells[KN_TEMPORAL_CELLS];
    KnSequence s = three(0, to(1), to(3), to(7));
    pattern_from(&lose, ".#.#X#.#O", cells);
    check_ok(error, kn_sitacts_create(lose.board, cells, &s, &sitacts, &error));
    assert_int_equal(sitacts.count, 2);
    assert_true(has(&lose, &sitacts, ".#.#X#.#O", to(1)));
    assert_true(has(&lose, &sitacts, "X#O#X#.#O", to(7)));
    kn_sitacts_free(&sitacts);
}

/* Case 2: X to 6, anything, X to 3; 3, 7, 9 empty and 1, 2, 8 #. O to 3 is ruled out, O to a # leaves the
 * context alone. */
static void test_case2(void **state)
{
    (void)state;
    KnError error;
    KnSitacts sitacts = {0};
    uint8_t cells[KN_TEMPORAL_CELLS];
    KnSequence s = three(0, to(6), kn_abstract_action(), to(3));
    pattern_from(&lose, "##.XO..#.", cells);
    check_ok(error, kn_sitacts_create(lose.board, cells, &s, &sitacts, &error));
    assert_int_equal(sitacts.count, 4);
    assert_true(has(&lose, &sitacts, "##.XO..#.", to(6)));
    assert_true(has(&lose, &sitacts, "##.XOXO#.", to(3)));
    assert_true(has(&lose, &sitacts, "##.XOX.#O", to(3)));
    assert_true(has(&lose, &sitacts, "##.XOX.#.", to(3)));
    kn_sitacts_free(&sitacts);
}

/* Case 4: White slides 4 to 8 and later 6 to 9; Black's slides between are of all four types, ten Advisors in
 * all. What the text leaves open (1, 11 and 13) does not change the number. */
static void test_case4(void **state)
{
    (void)state;
    KnError error;
    static const char *const boards[] = {"##.WBW#..##W#.B.", "##.WBW#..#BBB.B.", "W#.WBW#..##B#.B."};
    KnSequence s = three(0, slide(4, 8), kn_abstract_action(), slide(6, 9));
    for (int i = 0; i < 3; i++) {
        KnSitacts sitacts = {0};
        uint8_t cells[KN_TEMPORAL_CELLS];
        pattern_from(&morris, boards[i], cells);
        check_ok(error, kn_sitacts_create(morris.board, cells, &s, &sitacts, &error));
        if (i == 0) {
            assert_int_equal(sitacts.count, 10);
            assert_true(has(&morris, &sitacts, "##..BW#W.##W#.B.", slide(6, 9))); /* type 1 */
            assert_true(has(&morris, &sitacts, "##.B.W#W.##W#.B.", slide(6, 9))); /* type 2: 5 to 4 */
            assert_true(has(&morris, &sitacts, "##..BW#W.##W#B..", slide(6, 9))); /* 15 to 14 */
            assert_true(has(&morris, &sitacts, "##..BW#W.##W#..B", slide(6, 9))); /* 15 to 16 */
            assert_true(has(&morris, &sitacts, "#.B.BW#W.##W#.B.", slide(6, 9))); /* type 3: 2 to 3 */
            assert_true(has(&morris, &sitacts, "##..BW.W.##W#BB.", slide(6, 9))); /* 7 to 14 */
            assert_true(has(&morris, &sitacts, "##B.BW#W..#W#.B.", slide(6, 9))); /* 10 to 3 */
            assert_true(has(&morris, &sitacts, "##..BW#W..#W#.BB", slide(6, 9))); /* 10 to 16 */
            assert_true(has(&morris, &sitacts, "#B...W#W.##W#.B.", slide(6, 9))); /* type 4: 5 to 2 */
        }
        kn_sitacts_free(&sitacts);
    }
}

/* Length five without abstraction: three Advisors, the ceiling of half the length. */
static void test_length_five(void **state)
{
    (void)state;
    KnError error;
    KnSitacts sitacts = {0};
    uint8_t cells[KN_TEMPORAL_CELLS];
    KnSequence s = {.player = 1, .length = 5, .actions = {to(1), to(2), to(3), to(4), to(5)}};
    pattern_from(&morris, ".....###########", cells);
    check_ok(error, kn_sitacts_create(morris.board, cells, &s, &sitacts, &error));
    assert_int_equal(sitacts.count, 3);
    assert_true(has(&morris, &sitacts, "BWBW.###########", to(5)));
    kn_sitacts_free(&sitacts);
}

static bool matches(const uint8_t *pattern, const uint8_t *cells, int count)
{
    for (int c = 0; c < count; c++)
        if (pattern[c] != cells[c] && pattern[c] != KN_DONT_CARE) return false;
    return true;
}

/* The index, the thesis's index and looking at every pattern agree. */
static void test_matchers(void **state)
{
    (void)state;
    KnError error;
    enum { PATTERNS = 700, CELLS = 16 };
    static uint8_t patterns[PATTERNS][CELLS];
    static uint32_t found[PATTERNS], other[PATTERNS];
    KnRng rng = kn_rng_seeded(17);
    KnMatcher *matcher = kn_matcher_new(CELLS, 3);
    KnContextPairTable *index = kn_context_pair_table_new(CELLS, ".WB");
    for (uint32_t i = 0; i < PATTERNS; i++) {
        for (int c = 0; c < CELLS; c++)
            patterns[i][c] = (uint8_t)(kn_rng_below(&rng, 4) ? ANY : kn_rng_below(&rng, 3));
        if (i % 8 == 7) /* another orientation on the same locations */
            for (int c = 0; c < CELLS; c++)
                patterns[i][c] = patterns[i - 1][c] == ANY ? ANY : (uint8_t)kn_rng_below(&rng, 3);
        check_ok(error, kn_matcher_add(matcher, patterns[i], &error));
        check_ok(error, kn_context_pair_table_add(index, i / 8, patterns[i], &error));
    }
    size_t total = 0;
    for (int n = 0; n < 200; n++) {
        uint8_t cells[CELLS];
        for (int c = 0; c < CELLS; c++) cells[c] = (uint8_t)kn_rng_below(&rng, 3);
        size_t count = kn_matcher_match(matcher, cells, found), expected = 0;
        for (uint32_t i = 0; i < PATTERNS; i++)
            if (matches(patterns[i], cells, CELLS)) {
                assert_true(expected < count);
                assert_int_equal(found[expected++], i);
            }
        assert_int_equal(count, expected);
        assert_int_equal(kn_context_pair_table_match(index, cells, other), count);
        assert_memory_equal(found, other, count * sizeof *found);
        total += count;
    }
    assert_true(total > 1000);
    kn_matcher_free(matcher);
    kn_context_pair_table_free(index);
}

static void test_advisors(void **state)
{
    (void)state;
    KnError error;
    KnAdvisors *advisors = kn_advisors_new(lose.board);
    uint8_t cells[KN_TEMPORAL_CELLS], turned[KN_TEMPORAL_CELLS];
    pattern_from(&lose, "X#.######", cells);
    KnSequence first = three(0, to(3), to(2), to(9)), second = three(0, to(3), to(6), to(9));
    KnAdvisor *advisor;
    check_ok(error, kn_advisors_add(advisors, cells, &first, true, 0.5, &advisor, &error));
    for (int symmetry = 0; symmetry < lose.board->symmetries;
         symmetry++) { /* the same pair in all orientations, then another sequence */
        KnSequence image = kn_sequence_image(lose.board, symmetry, symmetry ? &first : &second);
        kn_board_view_transform_cells(lose.view, symmetry, cells, turned);
        check_ok(error, kn_advisors_add(advisors, turned, &image, true, 0.9, &advisor, &error));
    }
    assert_int_equal(kn_advisors_count(advisors), 1);
    assert_int_equal(advisor->sequence_count, 2);
    assert_true(advisor->weight == 0.5);
    check_ok(error,
             kn_advisors_add(advisors, cells, &(KnSequence){.player = 0, .length = 1, .actions = {to(5)}},
                             false, 0.5, NULL, &error));
    assert_int_equal(kn_advisors_count(advisors), 2);
    assert_non_null(kn_advisors_find(advisors, 0, cells, &second));
    assert_null(kn_advisors_find(advisors, 1, cells, NULL));

    /* A corner and an edge cell apart from it: eight orientations; nothing of another player's matches. */
    check_ok(error, kn_advisors_ready(advisors, 0, &error));
    const KnInstance *instances;
    assert_int_equal(kn_advisors_instances(advisors, 0, &instances), 16);
    assert_int_equal(kn_advisors_instances(advisors, 1, &instances), 0);
    KnInstance found[16];
    pattern_from(&lose, ".O......X", cells);
    assert_int_equal(kn_advisors_match(advisors, 0, cells, found),
                     4); /* both Advisors, along both edges of the corner */
    check_ok(error, kn_advisors_ready(advisors, 0.6, &error));
    assert_int_equal(kn_advisors_match(advisors, 0, cells, found), 0);
    kn_advisors_free(advisors);
}

/* The planner of the heavy ones decides before the light ones; Enforcer continues as long as the opponent
 * follows; a pseudoplanner's plans are not kept. */
static void test_planner(void **state)
{
    (void)state;
    KnError error;
    KnAdvisors *advisors = kn_advisors_new(lose.board);
    uint8_t cells[KN_TEMPORAL_CELLS], empty[KN_TEMPORAL_CELLS] = {0};
    KnAction legal[9];
    for (int i = 0; i < 9; i++) legal[i] = to(i + 1);
    KnSequence heavy = three(0, to(5), to(1), to(9)), light = three(0, to(1), to(5), to(2)),
               solo = three(0, to(5), kn_abstract_action(), to(4));
    memset(cells, ANY, sizeof cells);
    cells[4] = 0;
    check_ok(error, kn_advisors_add(advisors, cells, &heavy, true, 0.95, NULL, &error));
    check_ok(error, kn_advisors_add(advisors, cells, &solo, true, 0.95, NULL, &error));
    memset(cells, ANY, sizeof cells);
    cells[0] = 0;
    check_ok(error, kn_advisors_add(advisors, cells, &light, true, 0.6, NULL, &error));
    check_ok(error, kn_advisors_ready(advisors, 0.55, &error));
    KnPlanner *planner = kn_planner_new(advisors, &kn_plan_version2);
    KnRng rng = kn_rng_seeded(4);
    KnPlan plan = {0};
    kn_planner_begin(planner);
    check_ok(error, kn_planner_choose(planner, 0, empty, legal, 9, &rng, &plan, &error));
    assert_int_equal(plan.choice, 4);
    assert_int_equal(plan.level, 0);
    kn_planner_observe(planner, 0, to(5));
    kn_planner_observe(planner, 1,
                       to(3)); /* follows the plan, in another orientation: answered in the opposite corner */
    empty[4] = 1, empty[2] = 2;
    check_ok(error, kn_planner_choose(planner, 0, empty, legal, 9, &rng, &plan, &error));
    assert_int_equal(plan.level, KN_PLANNER_ENFORCER);
    assert_int_equal(plan.choice, 6);

    /* Only the pseudoplanner has advice where the centre is taken. */
    kn_planner_begin(planner);
    empty[2] = 0;
    KnAction corner[] = {to(1), to(2)};
    check_ok(error, kn_planner_choose(planner, 0, empty, corner, 2, &rng, &plan, &error));
    assert_int_equal(plan.choice, 0);
    assert_int_equal(plan.level, 3);
    kn_planner_observe(planner, 0, to(1));
    kn_planner_observe(planner, 1, to(5));
    check_ok(error, kn_planner_choose(planner, 0, empty, corner + 1, 1, &rng, &plan, &error));
    assert_int_equal(plan.choice, -1);
    check_ok(error, kn_planner_choose(planner, 1, empty, legal, 9, &rng, &plan,
                                      &error)); /* the other player has no Advisors */
    assert_int_equal(plan.choice, -1);
    kn_planner_free(planner);
    kn_advisors_free(advisors);
}

/* A weight rises where the expert does what an Advisor says, at the first action and at a later one of a
 * running sequence, and falls else. */
static void test_weights(void **state)
{
    (void)state;
    KnError error;
    KnTpOptions readings = kn_tp_options();
    readings.step = 0.1;
    readings.down = 0.5;
    KnAdvisors *advisors = kn_advisors_new(lose.board);
    uint8_t cells[KN_TEMPORAL_CELLS];
    KnSequence right = three(0, to(5), to(1), to(9)), wrong = three(0, to(2), to(1), to(9)),
               theirs = three(1, to(1), to(9), to(2));
    memset(cells, ANY, sizeof cells);
    memset(cells, 0, 5);
    check_ok(error, kn_advisors_add(advisors, cells, &right, false, 0.5, NULL, &error));
    check_ok(error, kn_advisors_add(advisors, cells, &wrong, false, 0.5, NULL, &error));
    check_ok(error, kn_advisors_add(advisors, cells, &theirs, false, 0.5, NULL, &error));
    check_ok(error, kn_advisors_ready(advisors, 0, &error));
    KnState *game_state = kn_state_new(lose.game);
    static const KnMove moves[] = {4, 0, 8};
    for (int i = 0; i < 3; i++) check_ok(error, kn_state_play(game_state, moves[i], &error));
    KnPlayedGame watched;
    KnGameActions record = {0};
    check_ok(error, kn_played_game_from(game_state, (double[]){0, 0}, 1, 0, &watched, &error));
    check_ok(error, kn_game_actions_fill(&record, lose.board, &watched, &error));
    assert_int_equal(record.plies, 3);
    assert_int_equal(record.legal_from[3] - record.legal_from[2], 7);
    KnPwl *weigher = kn_pwl_new(advisors, &readings, NULL);
    check_ok(error, kn_pwl_update(weigher, &record, &error));
    double weights[3];
    for (size_t i = 0; i < 3; i++) weights[i] = kn_advisors_at(advisors, i)->weight;
    assert_float_equal(weights[0], 0.7, 1e-9);
    assert_float_equal(weights[1], 0.45, 1e-9);
    assert_float_equal(weights[2], 0.5, 1e-9); /* its player was no expert */
    kn_pwl_free(weigher);
    KnForesight foresight[3] = {{0, 0}}; /* to judge is not to learn */
    weigher = kn_pwl_new(advisors, &readings, foresight);
    check_ok(error, kn_pwl_update(weigher, &record, &error));
    assert_true(foresight[0].right == 2 && foresight[0].wrong == 0);
    assert_true(foresight[1].right == 0 && foresight[1].wrong == 1);
    assert_true(foresight[2].right + foresight[2].wrong == 0);
    for (size_t i = 0; i < 3; i++) assert_float_equal(kn_advisors_at(advisors, i)->weight, weights[i], 1e-12);
    assert_int_equal(kn_advisors_at(advisors, 0)->right, 2);
    kn_pwl_free(weigher);
    kn_game_actions_free(&record);
    kn_played_game_free(&watched);
    kn_state_free(game_state);
    kn_advisors_free(advisors);
}

static void test_text(void **state)
{
    (void)state;
    KnError error;
    KnSequence s = three(1, slide(10, 16), kn_abstract_action(), slide(16, 10)), back;
    KnText text = KN_TEXT_EMPTY;
    kn_sequence_text(morris.board, &s, &text);
    check_ok(error, kn_sequence_parse(morris.board, 1, text.data, &back, &error));
    assert_memory_equal(&s, &back, sizeof s);
    check_fails(error, KN_INPUT, "abstracted", kn_sequence_parse(morris.board, 1, "*", &back, &error));
    check_fails(error, KN_INPUT, "at least one", kn_sequence_parse(morris.board, 1, "", &back, &error));
    assert_int_not_equal(kn_sequence_parse(morris.board, 1, "nowhere", &back, &error), KN_OK);
    kn_text_free(&text);
}

static int setup(void **state)
{
    (void)state;
    KnError error;
    check_ok(error, kn_open("data", &context, &error));
    open_table(&lose, "tictactoe(lose)");
    open_table(&morris, "morris(men=5)");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    close_table(&lose);
    close_table(&morris);
    kn_close(context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_common_pattern), cmocka_unit_test(test_case1),
        cmocka_unit_test(test_case2),          cmocka_unit_test(test_case4),
        cmocka_unit_test(test_length_five),    cmocka_unit_test(test_matchers),
        cmocka_unit_test(test_advisors),       cmocka_unit_test(test_planner),
        cmocka_unit_test(test_weights),        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
