/* Capture problems: generated ones are proven and distinct, the claims of the embedded set are true, and
 * proofs can be shown. */
#include "support/check.h"
#include "support/instances.h"

#include <string.h>

#include "methods/widening/capture_making.h"
#include "methods/widening/capture_tree.h"

enum { VERIFY_NODES = 100000, PROOF_NODES = 12000, TABLE_BITS = 12 };

/* Whether the search proves that a first move succeeds. */
static bool succeeds(KnProofSearch *search, KnCapture *c, int point)
{
    KnProofAnswer answer = {0};
    KnProofVerdict aim = c->goal.attacking ? KN_PROVED : KN_DISPROVED;
    if (!c->goal.type->play(&c->goal, point)) return false;
    kn_proof_run(search, &c->goal, &answer);
    c->goal.type->undo(&c->goal);
    return answer.verdict == aim && !answer.ko;
}

static KnStatus verify_moves(KnProofSearch *thorough, KnProofSearch *quick, KnCapture *c,
                             const KnCaptureProblem *problem, KnError *error)
{
    bool listed[KN_GOAL_MOVES_MAX] = {false};
    for (int i = 0; i < problem->count; i++) {
        int point = kn_strings_from_move(c->strings, problem->game, problem->moves[i]);
        assert_in_range(point, 0, KN_GOAL_MOVES_MAX - 1);
        listed[point] = true;
        if (!succeeds(thorough, c, point))
            return kn_fail(error, KN_NO, "%s: its move %d is not proved to succeed", problem->id, i + 1);
    }
    int all[KN_GOAL_MOVES_MAX], count = problem->complete ? c->goal.type->legal(&c->goal, all) : 0;
    for (int i = 0; i < count; i++)
        if (!listed[all[i]] && succeeds(quick, c, all[i]))
            return kn_fail(error, KN_NO, "%s: a move succeeds that is not listed", problem->id);
    return KN_OK;
}

/* Checks the claims of a problem by search: its answer, its moves, and, if it is complete, that no other move
 * is found to succeed. KN_NO, with the reason in the error, if a claim is wrong, or if the answer or a move
 * cannot be proved within `nodes` positions a search. */
static KnStatus verify(const KnCaptureProblem *problem, uint64_t nodes, KnError *error)
{
    KnProofOptions thorough = {.nodes = nodes, .table_bits = TABLE_BITS},
                   quick = {.nodes = nodes < PROOF_NODES ? nodes : PROOF_NODES, .table_bits = TABLE_BITS};
    KnProofSearch *searches[2] = {NULL, NULL};
    KnCapture *c = NULL;
    KnStatus status = kn_proof_new(&thorough, &searches[0], error);
    if (status == KN_OK) status = kn_proof_new(&quick, &searches[1], error);
    if (status == KN_OK) status = kn_capture_open_problem(problem, &c, error);
    if (status == KN_OK) {
        KnProofAnswer answer;
        kn_proof_run(searches[0], &c->goal, &answer);
        KnProofVerdict claimed = (problem->attack ? problem->answer : -problem->answer) > 0 ? KN_PROVED
                                                                                            : KN_DISPROVED;
        if (answer.verdict != claimed || answer.ko)
            status = kn_fail(error, KN_NO, "%s: the answer is not confirmed", problem->id);
        else if (problem->answer > 0)
            status = verify_moves(searches[0], searches[1], c, problem, error);
    }
    kn_capture_free(c);
    for (int i = 0; i < 2; i++) kn_proof_free(searches[i]);
    return status;
}

static KnCaptureProblems *made(const KnContext *context, int problems, uint64_t seed, KnText *text)
{
    KnCaptureMaking making = {.problems = problems, .seed = seed};
    KnCaptureProblems *read;
    KnError error;
    check_ok(error, kn_capture_make(context, &making, text, &error));
    check_ok(error, kn_problems_read(context, text->data, "made", &read, &error));
    return read;
}

static void test_making(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnText first = KN_TEXT_EMPTY, again = KN_TEXT_EMPTY;
    KnCaptureProblems *problems = made(context, 2, 11, &first);
    kn_problems_free(made(context, 2, 11, &again));
    assert_string_equal(first.data, again.data);
    assert_int_equal(problems->count, 2);
    for (size_t i = 0; i < problems->count; i++) {
        const KnCaptureProblem *p = &problems->list[i];
        KnError error;
        assert_true(p->answer && p->volume >= 1 && p->volume <= KN_CAPTURE_VOLUMES && p->nodes > 0);
        if (p->answer > 0) assert_true(p->count > 0 && (p->plies == 0 || p->plies == 3 || p->plies == 5));
        check_ok(error, verify(p, VERIFY_NODES, &error));
    }
    kn_problems_free(problems);
    kn_text_free(&first);
    kn_text_free(&again);
    kn_close(context);
}

/* On every size of board all four questions come up. */
static void test_questions(void **state)
{
    (void)state;
    int seen[KN_GO_SIZE_MAX + 1][2][2] = {{{0}}};
    for (uint64_t index = 0; index < 200; index++) {
        KnCaptureQuestion question = kn_capture_question(index);
        assert_in_range(question.size, 9, KN_GO_SIZE_MAX);
        seen[question.size][question.loss][question.defend]++;
    }
    static const int sizes[] = {9, 13, 19};
    for (int i = 0; i < 3; i++)
        for (int kind = 0; kind < 4; kind++) assert_true(seen[sizes[i]][kind / 2][kind % 2] > 0);
}

/* The embedded set comes from the same games: a problem that its seed makes today and that is in the set has
 * the same board, question and answer. */
static void test_set_is_made_so(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnText text = KN_TEXT_EMPTY;
    KnCaptureProblems *problems = made(context, KN_CAPTURE_VOLUMES, 2001, &text), *set;
    KnError error;
    int same = 0;
    check_ok(error, kn_problems_load(context, "captures", NULL, &set, &error));
    for (size_t i = 0; i < problems->count; i++)
        for (size_t j = 0; j < set->count; j++) {
            const KnCaptureProblem *p = &problems->list[i], *q = &set->list[j];
            if (strcmp(p->id, q->id)) continue;
            assert_memory_equal(p->position, q->position, p->game->position_size);
            assert_true(p->target == q->target && p->attack == q->attack && p->answer == q->answer);
            same++;
        }
    assert_true(same > 0);
    kn_problems_free(problems);
    kn_problems_free(set);
    kn_text_free(&text);
    kn_close(context);
}

static void test_cancelled(void **state)
{
    (void)state;
    KnContext *context = test_context();
    atomic_bool cancel = true;
    KnCaptureMaking making = {.problems = 10, .seed = 1, .cancel = &cancel};
    KnText text = KN_TEXT_EMPTY;
    KnError error;
    check_fails(error, KN_STOPPED, "stopped", kn_capture_make(context, &making, &text, &error));
    assert_int_equal(text.length, 0);
    kn_close(context);
}

/* ---- the set ---- */

static void test_set(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnCaptureProblems *set;
    KnError error;
    check_ok(error, kn_problems_load(context, "captures", NULL, &set, &error));
    assert_true(set->count >= 300);
    int volumes[KN_CAPTURE_VOLUMES + 1] = {0};
    for (size_t i = 0; i < set->count; i++) {
        assert_in_range(set->list[i].volume, 1, KN_CAPTURE_VOLUMES);
        volumes[set->list[i].volume]++;
        for (size_t j = 0; j < i; j++) assert_string_not_equal(set->list[i].id, set->list[j].id);
    }
    for (int v = 1; v <= KN_CAPTURE_VOLUMES; v++) assert_true(volumes[v] >= 100);
    for (size_t i = 5; i < set->count;
         i += set->count / (size_t)check_scaled(3)) /* a sample of all volumes */
        check_ok(error, verify(&set->list[i], VERIFY_NODES, &error));
    kn_problems_free(set);
    check_fails(error, KN_USAGE, "names its targets itself",
                kn_problems_load(context, "captures", "D4", &set, &error));
    kn_close(context);
}

/* All problems are solved correctly, also strings that reach five liberties but are captured later. */
static void test_set_is_solved(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnCaptureProblems *set;
    KnProofSearch *search;
    KnError error;
    check_ok(error, kn_problems_load(context, "captures", NULL, &set, &error));
    check_ok(error, kn_proof_new(&(KnProofOptions){.nodes = 30000}, &search, &error));
    for (size_t i = 0; i < set->count; i++) {
        KnCaptureSolution captured;
        check_ok(error, kn_capture_solve(search, &set->list[i], &captured, &error));
        if (!captured.right)
            fail_msg("%s: answered %d after %llu positions", set->list[i].id, captured.answer,
                     (unsigned long long)captured.proof.nodes);
    }
    kn_proof_free(search);
    kn_problems_free(set);
    kn_close(context);
}

/* It does not give up early: an answer stays unknown only when the bound is used up, and no more than the
 * bound is used. */
static void test_bound_is_used_up(void **state)
{
    (void)state;
    enum { BOUND = 250 };
    KnContext *context = test_context();
    KnCaptureProblems *set;
    KnProofSearch *search;
    KnError error;
    int unknown = 0;
    check_ok(error, kn_problems_load(context, "captures", NULL, &set, &error));
    check_ok(error, kn_proof_new(&(KnProofOptions){.nodes = BOUND, .strict = true}, &search, &error));
    for (size_t i = 0; i < set->count; i++) {
        KnCaptureSolution captured;
        if (set->list[i].volume < KN_CAPTURE_VOLUMES) continue;
        check_ok(error, kn_capture_solve(search, &set->list[i], &captured, &error));
        assert_true(captured.proof.nodes <= BOUND);
        if (captured.answer) continue;
        unknown++;
        assert_true(captured.proof.nodes >= BOUND);
    }
    assert_true(unknown >= 10);
    kn_proof_free(search);
    kn_problems_free(set);
    kn_close(context);
}

/* The paper's gain, in the attacker's searches: at equal bounds OR2-2AND1-2 plays fewer positions than the
 * search without widening, and solves no fewer. */
static void test_widening_gains(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnCaptureProblems *set;
    KnError error;
    uint64_t played[2] = {0};
    int solved[2] = {0};
    check_ok(error, kn_problems_load(context, "captures", NULL, &set, &error));
    for (int i = 0; i < 2; i++) {
        KnProofSearch *search;
        check_ok(error,
                 kn_proof_new(&(KnProofOptions){.strategy = i ? 3 : 1, .nodes = 5000, .table_bits = 14},
                              &search, &error));
        for (size_t p = 0; p < set->count; p++) {
            KnProofAnswer answers[2];
            bool won;
            if (set->list[p].answer < 0) continue;
            check_ok(error, kn_capture_solve_both(search, &set->list[p], answers, &won, &error));
            if (!won) assert_int_equal(answers[1].nodes, 0);
            played[i] += answers[0].nodes, solved[i] += won;
        }
        kn_proof_free(search);
    }
    assert_true(played[1] < played[0] / 10 * 9 && solved[1] >= solved[0]);
    kn_problems_free(set);
    kn_close(context);
}

/* A wrong claim is detected. */
static void test_false_claims(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "{\"id\":\"a\",\"size\":9,\"black\":[\"C8\",\"B7\",\"C6\"],\"white\":[\"C7\"],\"to_move\":\"B\","
        "\"target\":\"C7\",\"kind\":\"attack\",\"answer\":\"loss\"}",
        "{\"id\":\"b\",\"size\":9,\"black\":[\"C8\",\"B7\",\"C6\"],\"white\":[\"C7\"],\"to_move\":\"B\","
        "\"target\":\"C7\",\"kind\":\"attack\",\"answer\":\"win\",\"moves\":[\"J1\"]}",
        "{\"id\":\"c\",\"size\":9,\"black\":[\"B2\"],\"white\":[\"A1\"],\"to_move\":\"B\",\"target\":\"A1\","
        "\"kind\":\"attack\",\"answer\":\"win\",\"moves\":[\"A2\"],\"complete\":true}",
    };
    static const char *const explanations[] = {"a: the answer is not confirmed",
                                               "b: its move 1 is not proved",
                                               "c: a move succeeds that is not listed"};
    KnContext *context = test_context();
    for (int i = 0; i < 3; i++) {
        KnCaptureProblems *problems;
        KnError error;
        check_ok(error, kn_problems_read(context, lines[i], "claims", &problems, &error));
        check_fails(error, KN_NO, explanations[i], verify(&problems->list[0], 20000, &error));
        kn_problems_free(problems);
    }
    kn_close(context);
}

/* ---- proof trees ---- */

static int count_nodes(const KnProofNode *node, bool prover)
{
    int count = 0;
    for (const KnProofNode *child = node->first; child; child = child->next) {
        assert_int_equal(child->prover, prover);
        if (prover) assert_null(child->next); /* one answer */
        assert_true(child->first || child->ended || child->open);
        count += 1 + count_nodes(child, !prover);
    }
    return count;
}

static void test_trees(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnArena *arena = kn_arena_new();
    KnProofOptions options = {.nodes = 100000, .table_bits = 12};
    KnProofSearch *search;
    KnCaptureProblems *set, *again;
    KnError error;
    check_ok(error, kn_proof_new(&options, &search, &error));
    check_ok(error, kn_problems_load(context, "captures", NULL, &set, &error));
    for (size_t i = 0; i < set->count / 2; i += 60) {
        const KnCaptureProblem *p = &set->list[i];
        KnProofTree tree;
        check_ok(error, kn_capture_tree(search, p, 15, arena, &tree, &error));
        assert_int_equal(tree.captured.answer, p->answer);
        bool by_mover = p->answer > 0;
        assert_int_equal(count_nodes(&tree.root, by_mover), tree.count);
        assert_true(tree.count > 0);
        if (by_mover) assert_int_equal(tree.root.first->move, tree.captured.move);

        KnText text = KN_TEXT_EMPTY;
        KnExplanation *explanation = kn_capture_explain(p, &tree, arena);
        assert_non_null(explanation);
        kn_explanation_print(explanation, &text);
        assert_non_null(strstr(text.data, "proved with"));
        assert_non_null(strstr(text.data, "proof"));

        kn_text_clear(&text); /* the SGF is the same problem again, its accepted moves among the variations */
        kn_sgf_print(kn_capture_sgf(p, &tree, arena), &text);
        check_ok(error, kn_problems_read(context, text.data, "sgf", &again, &error));
        assert_int_equal(again->count, 1);
        assert_int_equal(again->list[0].target, p->target);
        assert_int_equal(again->list[0].attack, p->attack);
        assert_memory_equal(again->list[0].position, p->position, p->game->position_size);
        if (by_mover) assert_true(again->list[0].count >= p->count);
        kn_text_free(&text);
        kn_problems_free(again);
        kn_arena_reset(arena);
    }
    kn_problems_free(set);
    kn_proof_free(search);
    kn_arena_free(arena);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_making),
                                       cmocka_unit_test(test_questions),
                                       cmocka_unit_test(test_set_is_made_so),
                                       cmocka_unit_test(test_cancelled),
                                       cmocka_unit_test(test_set),
                                       cmocka_unit_test(test_set_is_solved),
                                       cmocka_unit_test(test_bound_is_used_up),
                                       cmocka_unit_test(test_widening_gains),
                                       cmocka_unit_test(test_false_claims),
                                       cmocka_unit_test(test_trees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
