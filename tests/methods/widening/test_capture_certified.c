/* Problems certified by exhaustive search, and strings taken from games. */
#include "support/check.h"
#include "support/instances.h"

#include <string.h>

#include "games/go/capture.h"
#include "methods/widening/capture_certified.h"
#include "methods/widening/capture_solver.h"
#include "methods/widening/capture_strings.h"

static KnCaptureProblems *certified(const KnContext *context)
{
    KnCaptureProblems *set;
    KnError error;
    check_ok(error, kn_problems_load(context, "certified", NULL, &set, &error));
    return set;
}

/* The claims of the embedded set, by the same search: captured within the moves that it says, not sooner, and
 * by the first moves that it lists. */
static void test_claims(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnCaptureProblems *set = certified(context);
    int volumes[KN_CAPTURE_VOLUMES + 1] = {0}, checked = 0;
    for (size_t i = 0; i < set->count; i++) {
        const KnCaptureProblem *p = &set->list[i];
        KnCapture *c;
        KnError error;
        assert_in_range(p->volume, 1, KN_CAPTURE_VOLUMES);
        assert_true(p->first && p->attack && p->answer == 1 && p->count > 0 && p->plies == 2 * p->volume + 1);
        volumes[p->volume]++;
        if (p->nodes > 2000) continue; /* the quick ones */
        check_ok(error, kn_capture_open_problem(p, &c, &error));
        int k = p->volume + 1;
        KnGoalCount played = {0, 0};
        assert_false(kn_capture_exhaustively(&c->goal, k - 1, &played));
        assert_true(kn_capture_exhaustively(&c->goal, k, &played));
        assert_true(c->goal.type->play(&c->goal, kn_strings_from_move(c->strings, p->game, p->moves[0])));
        assert_true(c->goal.type->play(&c->goal, KN_GOAL_PASS));
        assert_true(kn_capture_exhaustively(&c->goal, k - 1, &played));
        kn_capture_free(c);
        checked++;
    }
    for (int v = 1; v <= KN_CAPTURE_VOLUMES; v++) assert_true(volumes[v] >= 50);
    assert_true(checked >= 5);
    kn_problems_free(set);
    kn_close(context);
}

/* No answer of the solver contradicts the exhaustive search. */
static void test_solved(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnCaptureProblems *set = certified(context);
    KnProofSearch *search;
    KnError error;
    size_t right = 0, asked = 0;
    check_ok(error, kn_proof_new(&(KnProofOptions){.nodes = 5000, .table_bits = 12}, &search, &error));
    for (size_t i = 0; i < set->count; i += 4, asked++) {
        KnCaptureSolution captured;
        check_ok(error, kn_capture_solve(search, &set->list[i], &captured, &error));
        assert_true(captured.answer >= 0);
        right += captured.answer > 0;
    }
    assert_true(100 * right >= 90 * asked);
    kn_proof_free(search);
    kn_problems_free(set);
    kn_close(context);
}

/* The set is made so: its first problem comes from its seed. */
static void test_making(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnCaptureProblems *set = certified(context);
    KnText text = KN_TEXT_EMPTY, first = KN_TEXT_EMPTY;
    KnCaptureMaking making = {.problems = 1, .seed = 5};
    KnError error;
    check_ok(error, kn_capture_certify(context, &making, &text, &error));
    kn_problem_write(&set->list[0], &first);
    kn_text_add_char(&first, '\n');
    assert_string_equal(text.data, first.data);
    atomic_bool cancel = true;
    making.cancel = &cancel;
    check_fails(error, KN_STOPPED, "stopped", kn_capture_certify(context, &making, &text, &error));
    kn_text_free(&text);
    kn_text_free(&first);
    kn_problems_free(set);
    kn_close(context);
}

/* ---- strings of games ---- */

static const char games[] =
    "(;GM[1]FF[4]SZ[5];B[cc];W[bc];B[cb];W[cd];B[db];W[bb];B[dd];W[ba];B[dc];W[ce];B[de])"
    "(;GM[1]FF[4]SZ[5];B[cc];W[bc])";

static KnStatus sample(const KnContext *context, const char *text, int wanted, uint64_t seed, KnText *out,
                       KnError *error)
{
    KnCaptureStrings *strings = kn_capture_strings_new(context, wanted, seed);
    KnStatus status = kn_capture_strings_see(strings, text, "games.sgf", error);
    kn_text_clear(out);
    if (status == KN_OK) status = kn_capture_strings_write(strings, out, error);
    kn_capture_strings_free(strings);
    return status;
}

static void test_strings(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnText text = KN_TEXT_EMPTY, again = KN_TEXT_EMPTY;
    KnCaptureProblems *problems;
    KnError error;
    check_ok(error, sample(context, games, 2, 7, &text, &error));
    check_ok(error, sample(context, games, 2, 7, &again, &error));
    assert_string_equal(text.data, again.data);
    check_ok(error, kn_problems_read(context, text.data, "strings", &problems, &error));
    assert_int_equal(problems->count, 2);
    for (size_t i = 0; i < problems->count; i++) {
        KnCapture *c;
        check_ok(error, kn_capture_open_problem(&problems->list[i], &c, &error));
        assert_in_range(c->goal.type->needs(&c->goal), 2, 4);
        kn_capture_free(c);
    }
    kn_problems_free(problems);
    check_fails(error, KN_INPUT, "only", sample(context, games, 1000, 7, &text, &error));
    check_fails(error, KN_INPUT, "games.sgf, game 1",
                sample(context, "(;GM[1]SZ[5];B[zz])", 1, 7, &text, &error));
    check_fails(error, KN_INPUT, "empty board",
                sample(context, "(;GM[1]SZ[5]AB[aa];W[bb])", 1, 7, &text, &error));
    kn_text_free(&text);
    kn_text_free(&again);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_claims), cmocka_unit_test(test_solved),
                                       cmocka_unit_test(test_making), cmocka_unit_test(test_strings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
