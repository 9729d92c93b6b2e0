#include "methods/widening/capture_solver.h"

#include "base/assert.h"
#include "games/go/capture.h"

enum {
    CHECK_NODES = 1000000, /* for checking a move that the problem does not list */
    AGAIN_LEAST = 20000,   /* the second search gets this and AGAIN_TIMES the nodes of the first */
    AGAIN_TIMES = 10,
    TRUSTED_NODES = 100000 /* an escape that took more nodes is not trusted */
};

static int answer_of(const KnCaptureProblem *problem, KnProofVerdict verdict)
{
    return problem->attack ? verdict : -verdict;
}

/* Whether the answer depends on a ko: searches again with each side in turn free to retake kos. If it does
 * not, the answer gets a move that succeeds even if the other side may retake. */
static bool depends_on_ko(KnProofSearch *search, KnCapture *capture, KnProofAnswer *proof)
{
    bool depends = false;
    int loser = proof->verdict == KN_PROVED ? capture->defender : KN_STONE_OTHER(capture->defender);
    KnProofAnswer other, firm = *proof;
    for (int favoured = KN_STONE_BLACK; favoured <= KN_STONE_WHITE && !depends; favoured++) {
        capture->favour = favoured;
        kn_proof_run(search, &capture->goal, &other);
        depends = other.verdict != proof->verdict;
        if (favoured == loser) firm = other;
    }
    capture->favour = KN_STONE_NONE;
    if (depends) return true;
    firm.nodes = proof->nodes, firm.least = proof->least, firm.seconds = proof->seconds, firm.ko = proof->ko;
    *proof = firm;
    return false;
}

/* A string counts as saved when it has more liberties than a limit. The first search uses a limit one lower
 * than usual, which is much faster. A capture that it proves is certain. If it finds an escape, a second,
 * bounded search with the usual limit looks for a capture, and its verdict counts. If that search proves
 * nothing, the escape counts, unless it was hard to find: a string that barely reaches the lower limit may
 * still be captured. In that case the second search gets the rest of the node budget. */
static void prove(KnProofSearch *search, KnCapture *capture, KnCaptureSolution *captured)
{
    KnProofAnswer *proof = &captured->proof;
    int liberties = capture->goal.type->needs(&capture->goal);
    captured->limit = capture->limit;
    if (kn_proof_strategy(search) != KN_PROOF_BOTH_SIDES || liberties >= capture->limit) {
        kn_proof_run(search, &capture->goal, proof);
        return;
    }
    capture->limit--;
    kn_proof_run(search, &capture->goal, proof);
    capture->limit++;
    if (proof->verdict != KN_DISPROVED) return;
    KnProofOptions all = kn_proof_allow(search, NULL), left = all;
    if (all.nodes)
        left.nodes = all.nodes - proof->nodes; /* df-pn proves escapes and never exceeds the bound */
    if (all.seconds > 0) left.seconds = all.seconds - proof->seconds;
    KN_ASSERT(!all.nodes || proof->nodes <= all.nodes);
    bool over = (all.nodes && !left.nodes) || (all.seconds > 0 && left.seconds <= 0);
    if (proof->nodes > TRUSTED_NODES) {
        proof->verdict = KN_UNPROVED, proof->move = KN_GOAL_PASS, proof->length = 0;
    } else {
        uint64_t longer = AGAIN_LEAST + AGAIN_TIMES * proof->nodes;
        if (!left.nodes || longer < left.nodes) left.nodes = longer;
        captured->limit--;
    }
    if (over) return;
    KnProofAnswer again;
    kn_proof_allow(search, &left);
    kn_proof_run(search, &capture->goal, &again);
    kn_proof_allow(search, &all);
    again.nodes += proof->nodes, again.seconds += proof->seconds, again.ko |= proof->ko;
    if (again.verdict == KN_UNPROVED)
        proof->nodes = again.nodes, proof->seconds = again.seconds;
    else
        *proof = again, captured->limit = capture->limit;
}

/* Whether another strategy than the one that found a move proves that it succeeds. */
static KnStatus proved_otherwise(const KnCaptureProblem *problem, KnCapture *capture, int move, int strategy,
                                 bool *proved, KnError *error)
{
    static const int others[] = {KN_PROOF_BOTH_SIDES, 3, 1, KN_PROOF_BRUTE_FORCE};
    *proved = false;
    for (size_t i = 0; i < sizeof others / sizeof *others && !*proved; i++) {
        if (others[i] == strategy && problem->attack) continue; /* no other strategy proves saving moves */
        KnProofOptions options = {.strategy = others[i], .nodes = CHECK_NODES};
        KnProofSearch *check;
        KnProofAnswer answer = {0};
        KnStatus status = kn_proof_new(&options, &check, error);
        if (status != KN_OK) return status;
        if (capture->goal.type->play(&capture->goal, move)) {
            kn_proof_run(check, &capture->goal, &answer);
            capture->goal.type->undo(&capture->goal);
        }
        *proved = answer_of(problem, answer.verdict) > 0;
        kn_proof_free(check);
    }
    return KN_OK;
}

static KnStatus judge(const KnCaptureProblem *problem, KnCapture *capture, int strategy,
                      KnCaptureSolution *captured, KnError *error)
{
    if (!problem->answer || !captured->answer) return KN_OK;
    if (problem->ko && captured->ko) { /* the correct answer is that the ko decides */
        captured->right = true;
        return KN_OK;
    }
    captured->wrong = captured->answer != problem->answer;
    captured->right = !captured->wrong;
    if (captured->wrong || captured->answer < 0 || !problem->count) return KN_OK;
    for (int i = 0; i < problem->count; i++)
        if (problem->moves[i] == captured->move) return KN_OK;
    return proved_otherwise(problem, capture, captured->proof.move, strategy, &captured->right, error);
}

KnStatus kn_capture_solve(KnProofSearch *search, const KnCaptureProblem *problem, KnCaptureSolution *captured,
                          KnError *error)
{
    KnCapture *capture;
    *captured = (KnCaptureSolution){0};
    KnStatus status = kn_capture_open(problem->game, problem->position, problem->target, &capture, error);
    if (status != KN_OK) return status;
    KnProofAnswer *proof = &captured->proof;
    prove(search, capture, captured);
    capture->limit = captured->limit;
    if (proof->verdict && proof->ko) captured->ko = depends_on_ko(search, capture, proof);
    captured->answer = answer_of(problem, proof->verdict);
    captured->move = kn_strings_move(capture->strings, problem->game, proof->move);
    KN_ASSERT(proof->length >= 0 && proof->length <= KN_PROOF_LINE);
    captured->length = proof->length;
    for (int i = 0; i < proof->length; i++)
        captured->line[i] = kn_strings_move(capture->strings, problem->game, proof->line[i]);
    status = judge(problem, capture, kn_proof_strategy(search), captured, error);
    kn_capture_free(capture);
    return status;
}

KnStatus kn_capture_solve_both(KnProofSearch *search, const KnCaptureProblem *problem,
                               KnProofAnswer answers[2], bool *solved, KnError *error)
{
    KnCapture *capture;
    KnStatus status = kn_capture_open(problem->game, problem->position, problem->target, &capture, error);
    if (status != KN_OK) return status;
    answers[1] = (KnProofAnswer){0};
    kn_capture_turn(capture, true);
    kn_proof_run(search, &capture->goal, &answers[0]);
    *solved = answers[0].verdict == KN_PROVED;
    if (*solved) {
        kn_capture_turn(capture, false);
        kn_proof_run(search, &capture->goal, &answers[1]);
    }
    kn_capture_free(capture);
    return KN_OK;
}
