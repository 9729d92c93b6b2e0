/* Thinking time: signals of a search, the model that is learned from recorded searches, and its file. */
#include "support/check.h"
#include "support/workbench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "methods/thinking/model.h"

static KnGame *checkers;

/* ---- signals ---- */

static void test_signals(void **state)
{
    (void)state;
    KnThinkingTrack track;
    double s[KN_THINKING_SIGNALS];
    KnScore before = 50;
    kn_thinking_start(&track, &before);
    KnDeepening found = {.depth = 1,
                         .moves = 7,
                         .move = 11,
                         .score = 20,
                         .nodes = 100,
                         .depth_nodes = 100,
                         .move_nodes = 80,
                         .rivals = 2,
                         .beyond = 3};
    kn_thinking_see(&track, &found, 0.5, s);
    const double first[] = {-1, 1, 7, 0, 0, 0, 0, 30, 20, 0.8, 2, 3, 0};
    for (int i = 0; i < KN_THINKING_SIGNALS; i++) assert_true(fabs(s[i] - first[i]) < 1e-12);
    found = (KnDeepening){.depth = 2,
                          .moves = 7,
                          .move = 12,
                          .score = -10,
                          .nodes = 500,
                          .depth_nodes = 400,
                          .move_nodes = 100};
    kn_thinking_see(&track, &found, 2, s);
    const double second[] = {1, 2, 7, 0, 1, -30, 0, 60, -10, 0.25, 0, 0, 2};
    for (int i = 0; i < KN_THINKING_SIGNALS; i++) assert_true(fabs(s[i] - second[i]) < 1e-12);
    double unsettled = kn_thinking_rule(s);
    found.depth = 3;
    found.score = 0;
    found.move_nodes = found.depth_nodes;
    kn_thinking_see(&track, &found, 2, s);
    assert_true(s[3] == 1 && s[4] == 0.5 && s[5] == 10 && s[6] == -20);
    for (int depth = 4; depth < 9; depth++) kn_thinking_see(&track, &found, 2, s);
    assert_true(kn_thinking_rule(s) < 1 && unsettled > 1.5 && unsettled <= 4);
    kn_thinking_start(&track, NULL);
    kn_thinking_see(&track, &found, 1, s);
    assert_true(s[7] == 0); /* nothing to drop from */
}

/* ---- learning ---- */

/* What a made-up search says of whether it has found the right move. */
typedef enum Telling { TELLS, TELLS_INVERTED, TELLS_NOTHING } Telling;

/* Made-up searches of two kinds: in some the first depth has the right move; in the others any depth may find
 * it. A signal may betray them. */
static void make_up(KnSearchRecords *records, size_t count, uint64_t seed, Telling telling)
{
    enum { DEPTHS = 8 };
    KnRng rng = kn_rng_seeded(seed);
    *records = (KnSearchRecords){.count = count, .searches = calloc(count, sizeof *records->searches)};
    for (size_t i = 0; i < count; i++) {
        KnSearchRecord *search = &records->searches[i];
        bool unsettled = kn_rng_below(&rng, 2);
        int finds = unsettled ? 1 + (int)kn_rng_below(&rng, 7) : 0;
        *search = (KnSearchRecord){.game = i, .nodes = 8000, .value = 100, .outcome = i % 3 ? 1 : 0};
        search->count = DEPTHS;
        search->depths = calloc(DEPTHS, sizeof *search->depths);
        for (int d = 0; d < DEPTHS; d++) {
            KnDepthRecord *depth = &search->depths[d];
            depth->nodes = 60 << d; /* 60, 120, ..., 960, 1920 */
            depth->value = d < finds ? -300 : 100;
            for (int k = 0; k < KN_THINKING_SIGNALS; k++) depth->signals[k] = kn_rng_real(&rng);
            depth->signals[KN_SIGNAL_EFFORT] = d - 4;
            bool unrest = telling == TELLS_NOTHING ? kn_rng_below(&rng, 2)
                                                   : (d < finds) == (telling == TELLS);
            depth->signals[KN_SIGNAL_UNREST] = unrest ? 2 : 0;
        }
    }
}

/* The loss on searches that nobody learned from, as a part of what equal shares lose there; the weight of the
 * telling signal. */
static double learned_loss(Telling telling, double *weight)
{
    KnSearchRecords records, fresh;
    KnThinking *model;
    KnThinkingTest test;
    KnError error;
    make_up(&records, 400, 5, telling);
    make_up(&fresh, 400, 6, telling);
    check_ok(error, kn_thinking_learn(&records, 1000, 4, &model, &error));
    kn_thinking_test(model, &fresh, &test);
    assert_true(test.used > 0.8 && test.used < 1.2);
    *weight = model->weights[1];
    kn_thinking_free(model);
    kn_records_free(&records);
    kn_records_free(&fresh);
    return test.loss / test.even_loss;
}

/* Learning gains on fresh searches, whichever way round a signal tells, and finds nothing where there is
 * nothing: what learns nothing, or knows the answer before, fails. */
static void test_learns_what_signals_tell(void **state)
{
    (void)state;
    double tells, inverted, nothing, loss = learned_loss(TELLS, &tells),
                                     loss_inverted = learned_loss(TELLS_INVERTED, &inverted),
                                     loss_nothing = learned_loss(TELLS_NOTHING, &nothing);
    assert_true(tells > 0 && inverted < 0);
    assert_true(loss < 0.75 * loss_nothing && loss_inverted < 0.75 * loss_nothing);
    assert_true(fabs(nothing) < 0.5 * fmin(tells, -inverted));
}

static void test_learning(void **state)
{
    (void)state;
    KnSearchRecords records;
    KnThinking *model;
    KnError error;
    make_up(&records, 800, 5, TELLS);
    check_ok(error, kn_thinking_learn(&records, 1000, 4, &model, &error));
    KnThinkingTest test;
    kn_thinking_test(model, &records, &test);
    assert_true(test.used > 0.3 && test.used < 1.3); /* depths double, so that shares are met roughly */
    assert_true(test.even_loss > 0.05 && test.loss < 0.95 * test.even_loss);
    assert_true(model->weights[1] > 0);
    double calm[KN_THINKING_SIGNALS] = {0}, wild[KN_THINKING_SIGNALS] = {0};
    wild[KN_SIGNAL_UNREST] = 2;
    assert_true(kn_thinking_shares(model, wild) > kn_thinking_shares(model, calm));
    assert_true(kn_thinking_shares(model, wild) <= 4);

    model->game = strdup(checkers->spec);
    model->inner = strdup("alphabeta");
    model->seed = UINT64_MAX;
    KnThinking *again;
    check_ok(error, kn_thinking_save(model, "model.json", &error));
    check_ok(error, kn_thinking_load(checkers, "model.json", &again, &error));
    assert_true(again->seed == UINT64_MAX && again->base == model->base && !again->edited);
    for (size_t i = 0; i < records.count; i++)
        assert_true(kn_thinking_shares(model, records.searches[i].depths[4].signals) ==
                    kn_thinking_shares(again, records.searches[i].depths[4].signals));
    KnGame *other;
    check_ok(error, kn_game_open(workbench, "othello", &other, &error));
    check_fails(error, KN_INPUT, "learned for checkers",
                kn_thinking_load(other, "model.json", &(KnThinking *){NULL}, &error));
    kn_game_close(other);
    kn_thinking_free(model);
    kn_thinking_free(again);
    kn_records_free(&records);
}

/* ---- recording ---- */

static void test_recording(void **state)
{
    (void)state;
    KnRecordPlan plan = {.inner = "alphabeta(memory=1, eval=trade)",
                         .units = 200,
                         .seed = 3,
                         .every = 3,
                         .random_plies = 4,
                         .plies = 40,
                         .judge = 1,
                         .jobs = 1};
    KnSearchRecords one = {0}, two = {0}, three = {0};
    KnError error;
    check_ok(error, kn_records_make(workbench, checkers, &plan, 0, 6, NULL, &one, &error));
    assert_true(one.count > 20);
    for (size_t i = 0; i < one.count; i++) {
        const KnSearchRecord *search = &one.searches[i];
        assert_true(search->count >= 2 && search->nodes <= 200 * KN_THINKING_ROOM);
        assert_true(search->outcome == 0 || search->outcome == 0.5 || search->outcome == 1);
        for (int d = 1; d < search->count; d++)
            assert_true(search->depths[d].nodes >= search->depths[d - 1].nodes &&
                        search->depths[d].nodes <= search->nodes);
    }
    /* The same in two parts, on two threads, and from a file. */
    plan.jobs = 2;
    check_ok(error, kn_records_make(workbench, checkers, &plan, 0, 2, NULL, &two, &error));
    size_t first = two.count;
    check_ok(error, kn_records_make(workbench, checkers, &plan, 2, 6, NULL, &two, &error));
    check_ok(error, kn_records_save(&two, 0, "all.json", &error));
    check_ok(error, kn_records_load("all.json", &three, &error));
    assert_true(one.count == two.count && one.count == three.count && first < one.count);
    for (size_t i = 0; i < one.count; i++) {
        const KnSearchRecord *a = &one.searches[i], *b = &two.searches[i], *c = &three.searches[i];
        assert_true(a->count == b->count && a->count == c->count && a->outcome == c->outcome);
        size_t size = (size_t)a->count * sizeof *a->depths;
        assert_memory_equal(a->depths, b->depths, size);
        assert_memory_equal(a->depths, c->depths, size);
    }
    KnSearchRecords tests, lessons;
    check_ok(error, kn_records_part(&one, true, &tests, &error));
    check_ok(error, kn_records_part(&one, false, &lessons, &error));
    assert_true(tests.count > 0 && tests.count + lessons.count == one.count);
    free(tests.searches);
    free(lessons.searches);
    kn_records_free(&one);
    kn_records_free(&two);
    kn_records_free(&three);
}

static int set_up(void **state)
{
    (void)state;
    KnError error;
    workbench = test_workbench("thinking");
    check_ok(error, kn_game_open(workbench, "checkers", &checkers, &error));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    kn_game_close(checkers);
    kn_close(workbench);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_signals), cmocka_unit_test(test_learning),
                                       cmocka_unit_test(test_learns_what_signals_tell),
                                       cmocka_unit_test(test_recording)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
