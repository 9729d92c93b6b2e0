#include "methods/widening/capture_solver.h"

#include "base/assert.h"
#include "base/clock.h"
#include "games/go/capture.h"

enum {
    CHECK_NODES = 1000000, /* for checking a move that the problem does not list */
    AGAIN_LEAST = 20000,   /* the second search gets this and AGAIN_TIMES the nodes of the first */
    AGAIN_TIMES = 10,
    LINE_NODES = 20000, /* for each move of the line that the tables do not hold */
    KO_COUNTED = 3      /* ko threats that are tried one by one */
};

static int answer_of(const KnCaptureProblem *problem, KnProofVerdict verdict)
{
    return problem->attack ? verdict : -verdict;
}

/* ---- One budget for all searches of a problem ---- */

typedef struct Work {
    KnProofSearch *search;
    KnCapture *capture;
    KnProofOptions all; /* the bounds of the problem */
    uint64_t nodes;
    double started;
} Work;

/* What is left of the budget; false: nothing. */
static bool left_of(const Work *w, KnProofOptions *left)
{
    *left = w->all;
    if (w->all.nodes) {
        if (w->nodes >= w->all.nodes) return false;
        left->nodes = w->all.nodes - w->nodes;
    }
    if (w->all.seconds > 0) {
        left->seconds = w->all.seconds - (kn_clock_now() - w->started);
        if (left->seconds <= 0) return false;
    }
    return true;
}

typedef void Run(KnProofSearch *search, KnGoal *goal, KnProofAnswer *answer);

/* A search within what is left, and within `most` nodes unless 0. */
static KnProofVerdict run_by(Run *search, Work *w, uint64_t most, KnProofAnswer *proof)
{
    KnProofOptions left;
    *proof = (KnProofAnswer){0};
    if (!left_of(w, &left)) return KN_UNPROVED;
    if (most && (!left.nodes || most < left.nodes)) left.nodes = most;
    kn_proof_allow(w->search, &left);
    search(w->search, &w->capture->goal, proof);
    kn_proof_allow(w->search, &w->all);
    w->nodes += proof->nodes;
    return proof->verdict;
}

static KnProofVerdict run(Work *w, uint64_t most, KnProofAnswer *proof)
{
    return run_by(kn_proof_run, w, most, proof);
}

/* A string counts as saved when it has more liberties than a limit. The first search uses a limit one lower
 * than usual, which is much faster. A capture that it proves is certain. If it finds an escape, a second,
 * bounded search with the usual limit looks for a capture, and its verdict counts. If that search proves
 * nothing, the answer is the first one, with its limit. */
static void prove(Work *w, KnCaptureSolution *captured)
{
    KnProofAnswer *proof = &captured->proof, again;
    KnCapture *capture = w->capture;
    captured->limit = capture->limit;
    if (kn_proof_strategy(w->search) != KN_PROOF_BOTH_SIDES ||
        capture->goal.type->needs(&capture->goal) >= capture->limit) {
        run(w, 0, proof);
        return;
    }
    capture->limit--;
    run(w, 0, proof);
    capture->limit++;
    if (proof->verdict != KN_DISPROVED) return;
    uint64_t most = AGAIN_LEAST + AGAIN_TIMES * proof->nodes;
    if (run_by(kn_proof_run_loosened, w, most, &again) == KN_UNPROVED)
        captured->limit--;
    else
        again.ko |= proof->ko, *proof = again;
}

/* ---- Ko ---- */

/* The number of ko threats that the loser needs to change the answer: proved to be enough, and one fewer
 * proved not to be. 0: not known. */
static int threats_needed(Work *w, KnProofVerdict verdict, int loser)
{
    KnProofAnswer other;
    for (int threats = 1; threats <= KO_COUNTED; threats++) {
        w->capture->threats[loser] = threats, w->capture->lone_ko = false;
        KnProofVerdict now = run(w, 0, &other);
        if (now == KN_UNPROVED || w->capture->lone_ko) return 0;
        if (now != verdict) return threats;
    }
    return 0;
}

/* A ko forbade something during the search. Asks again with the losing side free to retake always: if the
 * answer stays, no ko changes it, and the move of that proof succeeds whatever is retaken. If it changes, the
 * answer depends on the ko. */
static void ask_ko(Work *w, KnCaptureSolution *captured)
{
    KnProofAnswer *proof = &captured->proof, firm;
    KnCapture *capture = w->capture;
    int loser = proof->verdict == KN_PROVED ? capture->defender : KN_STONE_OTHER(capture->defender);
    capture->threats[loser] = KN_CAPTURE_ALWAYS;
    KnProofVerdict verdict = run(w, 0, &firm);
    if (verdict == proof->verdict) {
        *proof = firm;
    } else if (verdict == KN_UNPROVED) {
        captured->ko = KN_KO_UNKNOWN;
    } else {
        captured->ko = KN_KO_DEPENDS;
        captured->ko_role = loser - 1;
        captured->ko_threats = threats_needed(w, proof->verdict, loser);
    }
    capture->threats[loser] = 0;
}

void kn_capture_ko_text(const KnCaptureSolution *captured, KnText *out)
{
    if (captured->ko == KN_KO_UNKNOWN) kn_text_add(out, "whether ko threats change it is not known");
    if (captured->ko != KN_KO_DEPENDS) return;
    kn_text_printf(out, "proved to depend on a ko: %s changes it with ",
                   captured->ko_role ? "White" : "Black");
    if (captured->ko_threats)
        kn_text_printf(out, "%d ko threat%s", captured->ko_threats, captured->ko_threats == 1 ? "" : "s");
    else
        kn_text_add(out, "enough ko threats");
}

/* ---- The line ---- */

/* The reply of the losing side where no table holds one. */
static int any_reply(KnGoal *goal)
{
    int moves[KN_GOAL_MOVES_MAX];
    int count = goal->attacking ? goal->type->widen(goal, KN_WIDTH_NARROW, moves)
                                : goal->type->likely(goal, 0, moves);
    return count ? moves[0] : KN_GOAL_PASS;
}

/* Plays the moves of the line that are known; returns how many. It ends where a proof that lets the loser
 * retake at once does so. */
static int play_line(KnGoal *goal, KnProofAnswer *proof)
{
    int played = 0;
    while (played < proof->length) {
        int move = proof->line[played];
        if (move != KN_GOAL_PASS && goal->type->place(goal, move) != KN_PLACE_LEGAL)
            proof->length = played;
        else if (!goal->type->play(goal, move))
            break;
        else
            played++;
    }
    return played;
}

/* The tables forget parts of a proof. Goes on until the target is captured, with a small search for each move
 * of the attacker that is missing. */
static void complete_line(Work *w, KnProofAnswer *proof)
{
    KnGoal *goal = &w->capture->goal;
    int played = play_line(goal, proof);
    bool captures = proof->verdict == KN_PROVED;
    while (captures && played == proof->length && played < KN_PROOF_LINE &&
           goal->type->standing(goal) == KN_GOAL_OPEN) {
        KnProofAnswer more = {0};
        if (goal->attacking) {
            if (run(w, LINE_NODES, &more) != KN_PROVED || !more.length) break;
        } else {
            more.line[0] = any_reply(goal), more.length = 1;
        }
        for (int i = 0; i < more.length && proof->length < KN_PROOF_LINE; i++) {
            if (!goal->type->play(goal, more.line[i])) break;
            proof->line[proof->length++] = more.line[i], played++;
        }
    }
    while (played-- > 0) goal->type->undo(goal);
}

/* ---- Judging ---- */

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
    if (problem->ko && captured->ko == KN_KO_DEPENDS) { /* the correct answer is that the ko decides */
        captured->right = true;
        return KN_OK;
    }
    bool same = captured->answer == problem->answer;
    captured->wrong = !same && !(problem->ko && captured->ko == KN_KO_UNKNOWN);
    captured->right = same;
    if (!same || captured->answer < 0 || !problem->count) return KN_OK;
    for (int i = 0; i < problem->count; i++)
        if (problem->moves[i] == captured->move) return KN_OK;
    return proved_otherwise(problem, capture, captured->proof.move, strategy, &captured->right, error);
}

static void believe(const KnCaptureProblem *problem, const KnCapture *capture, const KnReading *reading,
                    KnCaptureBelief *belief)
{
    *belief = (KnCaptureBelief){.answer = reading->reached == problem->attack ? 1 : -1,
                                .settled = reading->settled,
                                .length = reading->length,
                                .nodes = reading->nodes};
    belief->move = kn_strings_move(capture->strings, problem->game, reading->move);
    for (int i = 0; i < reading->length; i++)
        belief->line[i] = kn_strings_move(capture->strings, problem->game, reading->line[i]);
}

KnStatus kn_capture_believe(KnReader *reader, const KnCaptureProblem *problem, uint64_t nodes,
                            KnCaptureBelief *belief, KnError *error)
{
    KnCapture *capture;
    KnReading reading;
    KnStatus status = kn_capture_open_problem(problem, &capture, error);
    if (status != KN_OK) return status;
    double started = kn_clock_now();
    capture->limit = KN_CAPTURE_LIMIT - 1;
    kn_reader_run(reader, &capture->goal, nodes, &reading);
    believe(problem, capture, &reading, belief);
    belief->seconds = kn_clock_now() - started;
    capture->limit = KN_CAPTURE_LIMIT;
    KnCaptureSolution judged = {.answer = belief->answer, .move = belief->move, .proof.move = reading.move};
    status = judge(problem, capture, 0, &judged, error);
    belief->right = judged.right, belief->wrong = problem->answer && !judged.right;
    kn_capture_free(capture);
    return status;
}

KnStatus kn_capture_solve(KnProofSearch *search, const KnCaptureProblem *problem, KnCaptureSolution *captured,
                          KnError *error)
{
    Work w = {.search = search, .all = kn_proof_allow(search, NULL), .started = kn_clock_now()};
    *captured = (KnCaptureSolution){0};
    KnStatus status = kn_capture_open_problem(problem, &w.capture, error);
    if (status != KN_OK) return status;
    KnProofAnswer *proof = &captured->proof;
    prove(&w, captured);
    w.capture->limit = captured->limit;
    uint64_t least = proof->least;
    if (proof->verdict && proof->ko) ask_ko(&w, captured);
    if (proof->verdict) complete_line(&w, proof);
    proof->nodes = w.nodes, proof->least = least, proof->seconds = kn_clock_now() - w.started;
    captured->answer = answer_of(problem, proof->verdict);
    if (!captured->answer && proof->read) believe(problem, w.capture, &proof->reading, &captured->belief);
    captured->move = kn_strings_move(w.capture->strings, problem->game, proof->move);
    KN_ASSERT(proof->length >= 0 && proof->length <= KN_PROOF_LINE);
    captured->length = proof->length;
    for (int i = 0; i < proof->length; i++)
        captured->line[i] = kn_strings_move(w.capture->strings, problem->game, proof->line[i]);
    status = judge(problem, w.capture, kn_proof_strategy(search), captured, error);
    kn_capture_free(w.capture);
    return status;
}

KnStatus kn_capture_open_problem(const KnCaptureProblem *problem, KnCapture **capture, KnError *error)
{
    KnStatus status = kn_capture_open(problem->game, problem->position, problem->target, capture, error);
    if (status == KN_OK && problem->first) (*capture)->kind = KN_CAPTURE_FIRST;
    return status;
}

KnStatus kn_capture_solve_both(KnProofSearch *search, const KnCaptureProblem *problem,
                               KnProofAnswer answers[2], bool *solved, KnError *error)
{
    KnCapture *capture;
    KnStatus status = kn_capture_open_problem(problem, &capture, error);
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
