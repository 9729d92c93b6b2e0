/* What the lesson says of its searches, measured: shortest wins, the constant factor of iterative deepening,
 * limits set too deep, the memory of breadth-first search, and the horizon problem with fixed and with
 * variable depth. */
#include "lab/general/shared.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "games/sequential.h"
#include "search/alphabeta.h"
#include "search/breadth.h"
#include "search/minimax.h"

enum { LEVELS = 4, DEEPER = 4, TOO_DEEP = 3 };

/* How far the value of a move must fall behind the best's, in points of 100, to be a miss; and how much must
 * change to be restless. */
static const double MISS = 10, CHANGE = 5;

typedef enum Way { FIXED, DEEPER_BY_ONE, BY_MOBILITY, BY_FOCUS, BY_PROXIMITY, BY_EVALUATION, WAYS } Way;

static const struct {
    const char *name, *expand;
} ways[WAYS] = {
    {"fixed depth", NULL},
    {"fixed depth, one more", NULL},
    {"variable depth by mobility", "mobility"},
    {"variable depth by focus", "focus(who=others, steps=1)"},
    {"variable depth by proximity", "proximity(who=both)"},
    {"variable depth by the evaluation", "blend(" KN_GGP_PARTS ", fit=100, nodes=20000)"},
};

typedef struct Findings {
    uint64_t wins, breadth_shortest,
        deepening_shortest; /* positions with a forced win near by, and who found how near it is */
    KnMoments factor;       /* of iterative deepening */
    KnMoments too_deep;     /* logarithm of the deep limit's positions over the right one's */
    uint64_t too_deep_tried, too_deep_found; /* wins with the deep limit and the budget of the right one */
    KnMoments stored[LEVELS];                /* by breadth-first search, by level */
    KnMoments growth;
    size_t bytes;    /* of a position in breadth-first search */
    uint64_t judged; /* positions with a reference */
    uint64_t misses[WAYS];
    KnMoments nodes[WAYS];
    /* Misses of fixed less those of variable depth by the evaluation, position by position. */
    KnMoments difference;
} Findings;

typedef struct Task {
    KnLabRun *run;
    Findings *findings; /* of each game */
} Task;

/* A game's tools. */
typedef struct Bench {
    KnGame *game, *views[2];
    KnState *state;
    KnEvaluation *lowest, *fitted, *expansions[WAYS];
    unsigned char *entered;
    Findings *f;
    int depth; /* of the horizon's searches */
    int levels;
    uint64_t tree, reference; /* most positions of a tree, and of a deeper search */
} Bench;

static KnStatus open_evaluation(Bench *b, const char *spec, KnEvaluation **out, KnError *error)
{
    KnStatus status = kn_evaluation_open_text(b->game->context, b->game, spec, out, error);
    return status == KN_OK ? kn_evaluation_prepare(*out, 0, error) : status;
}

static KnStatus bench_open(const KnContext *context, const char *spec, Bench *b, KnError *error)
{
    KnStatus status = kn_game_open(context, spec, &b->game, error);
    for (int role = 0; role < 2 && status == KN_OK; role++)
        status = kn_game_sequential(b->game, role, &b->views[role], error);
    if (status != KN_OK) return status;
    b->state = kn_state_new(b->game);
    b->entered = aligned_alloc(16, (b->views[0]->position_size + 15) & ~(size_t)15);
    if (!b->state || !b->entered) return kn_fail_memory(error, "measuring searches");
    status = open_evaluation(b, "lowest", &b->lowest, error);
    if (status == KN_OK) status = open_evaluation(b, ways[BY_EVALUATION].expand, &b->fitted, error);
    for (int w = 0; w < WAYS && status == KN_OK; w++)
        if (ways[w].expand) status = open_evaluation(b, ways[w].expand, &b->expansions[w], error);
    return status;
}

static void bench_close(Bench *b)
{
    kn_evaluation_close(b->lowest);
    kn_evaluation_close(b->fitted);
    for (int w = 0; w < WAYS; w++) kn_evaluation_close(b->expansions[w]);
    free(b->entered);
    kn_state_free(b->state);
    for (int role = 0; role < 2; role++) kn_game_close(b->views[role]);
    kn_game_close(b->game);
}

static const void *enter(Bench *b, int role)
{
    kn_sequential_enter(b->views[role], kn_state_position(b->state), b->entered);
    return b->entered;
}

static KnStatus run_minimax(const Bench *b, const KnGame *view, const void *at, bool deepening,
                            KnBudget budget, KnSearchResult *result, KnError *error)
{
    KnMinimax *minimax = kn_minimax_new(view, b->lowest, false, error);
    if (!minimax) return KN_SYSTEM;
    kn_minimax_deepen(minimax, deepening);
    KnStatus status = kn_minimax_run(minimax, at, NULL, &(KnSearchRequest){.budget = budget}, result, error);
    kn_minimax_free(minimax);
    return status;
}

static KnStatus run_breadth(const Bench *b, const KnGame *view, const void *at, int depth,
                            KnSearchResult *result, KnError *error)
{
    KnBreadthOptions options = kn_breadth_options(view);
    options.bytes = (size_t)48 << 20;
    KnBreadth *breadth = kn_breadth_new(view, b->lowest, &options, error);
    if (!breadth) return KN_SYSTEM;
    KnStatus status = kn_breadth_run(breadth, at, NULL, &(KnSearchRequest){.budget = {.depth = depth}},
                                     result, error);
    kn_breadth_free(breadth);
    return status;
}

/* A search by alpha-beta; `move` restricts it to one root move. */
static KnStatus run_alphabeta(const KnGame *view, const KnEvaluation *evaluation,
                              const KnEvaluation *expansion, const void *at, KnBudget budget, KnMove move,
                              KnSearchResult *result, KnError *error)
{
    KnSearchOptions options = kn_search_options();
    options.table_bytes = 1 << 20;
    options.expansion = expansion;
    options.change = CHANGE;
    options.extra = DEEPER;
    KnSearch *search = kn_search_new(view, evaluation, &options, error);
    if (!search) return KN_SYSTEM;
    KnSearchRequest request = {.budget = budget};
    if (move != KN_MOVE_NONE) request.allowed = &move, request.allowed_count = 1;
    KnStatus status = kn_search_run(search, at, NULL, &request, result, error);
    kn_search_free(search);
    return status;
}

/* ---- Wins near by ---- */

/* Of positions with a forced win in at most three moves, as alpha-beta sees it. */
static KnStatus measure_wins(Bench *b, int role, KnError *error)
{
    const KnGame *view = b->views[role];
    const void *at = enter(b, role);
    Findings *f = b->f;
    KnSearchResult truth, found;
    KnStatus status = run_alphabeta(view, b->lowest, NULL, at, (KnBudget){.depth = 3}, KN_MOVE_NONE, &truth,
                                    error);
    if (status != KN_OK || truth.score <= KN_SCORE_PROVEN) return status;
    int distance = KN_SCORE_WIN - truth.score;
    f->wins++;
    status = run_breadth(b, view, at, 0, &found, error);
    if (status == KN_OK) {
        f->breadth_shortest += found.score == truth.score;
        status = run_minimax(b, view, at, true, (KnBudget){0}, &found, error);
    }
    if (status == KN_OK) {
        f->deepening_shortest += found.score == truth.score;
        status = run_minimax(b, view, at, false, (KnBudget){.depth = distance}, &found, error);
    }
    if (status != KN_OK) return status;
    uint64_t right = found.nodes;
    status = run_minimax(b, view, at, false, (KnBudget){.depth = distance + TOO_DEEP, .nodes = b->tree},
                         &found, error);
    if (status != KN_OK) return status;
    kn_moments_add(&f->too_deep, kn_math_log((double)found.nodes / (double)right));
    status = run_minimax(b, view, at, false, (KnBudget){.depth = distance + TOO_DEEP, .nodes = right}, &found,
                         error);
    f->too_deep_tried++;
    f->too_deep_found += status == KN_OK && found.score > KN_SCORE_PROVEN;
    return status;
}

/* ---- Trees without a win near by ---- */

static KnStatus measure_tree(Bench *b, int role, KnError *error)
{
    const KnGame *view = b->views[role];
    const void *at = enter(b, role);
    Findings *f = b->f;
    KnSearchResult once, deepening;
    KnStatus status = KN_OK;
    double before = 0;
    for (int level = 1; level <= b->levels && status == KN_OK; level++) {
        status = run_breadth(b, view, at, level, &once, error);
        if (status != KN_OK || once.stop == KN_STOP_MEMORY || once.depth < level) break;
        kn_moments_add(&f->stored[level - 1], (double)once.stored);
        if (before > 0) kn_moments_add(&f->growth, (double)once.stored / before);
        before = (double)once.stored;
    }
    for (int depth = b->levels; depth > 1 && status == KN_OK; depth--) {
        status = run_minimax(b, view, at, false, (KnBudget){.depth = depth, .nodes = b->tree}, &once, error);
        if (status != KN_OK || !once.completed) continue;
        status = run_minimax(b, view, at, true, (KnBudget){.depth = depth}, &deepening, error);
        if (status == KN_OK && deepening.depth == depth)
            kn_moments_add(&f->factor, (double)deepening.nodes / (double)once.nodes);
        break;
    }
    return status;
}

/* ---- The horizon ---- */

static KnStatus measure_horizon(Bench *b, int role, KnError *error)
{
    const KnGame *view = b->views[role];
    const void *at = enter(b, role);
    Findings *f = b->f;
    KnSearchResult reference, found, judged;
    KnBudget deep = {.depth = b->depth + DEEPER, .nodes = b->reference};
    KnStatus status = run_alphabeta(view, b->fitted, NULL, at, deep, KN_MOVE_NONE, &reference, error);
    if (status != KN_OK || !reference.completed) return status;
    double best = kn_percent_of_score(b->fitted, reference.score);
    bool missed[WAYS];
    double nodes[WAYS];
    for (int w = 0; w < WAYS; w++) {
        KnBudget budget = {.depth = b->depth + (w == DEEPER_BY_ONE), .nodes = b->reference};
        status = run_alphabeta(view, b->fitted, b->expansions[w], at, budget, KN_MOVE_NONE, &found, error);
        if (status != KN_OK) return status;
        nodes[w] = (double)found.nodes;
        deep.nodes = 4 * b->reference;
        status = run_alphabeta(view, b->fitted, NULL, at, deep, found.move, &judged, error);
        if (status != KN_OK || !judged.completed) return status;
        missed[w] = best - kn_percent_of_score(b->fitted, judged.score) >= MISS;
    }
    f->judged++;
    for (int w = 0; w < WAYS; w++) {
        f->misses[w] += missed[w];
        kn_moments_add(&f->nodes[w], nodes[w]);
    }
    kn_moments_add(&f->difference, 100.0 * (missed[FIXED] - missed[BY_EVALUATION]));
    return KN_OK;
}

static KnStatus measure_game(void *user, int worker, uint64_t index, KnError *error)
{
    (void)worker;
    Task *t = user;
    Bench b = {.f = &t->findings[index],
               .depth = 2,
               .levels = (int)kn_lab_parameter(t->run, "levels"),
               .tree = (uint64_t)kn_lab_parameter(t->run, "tree"),
               .reference = (uint64_t)kn_lab_parameter(t->run, "reference")};
    KnStatus status = bench_open(kn_lab_context(t->run), kn_ggp_games[index], &b, error);
    if (status == KN_OK) b.f->bytes = kn_breadth_bytes(b.views[0]);
    KnRng rng = kn_rng_seeded(kn_lab_seed(t->run, kn_ggp_games[index]));
    uint64_t positions = (uint64_t)kn_lab_parameter(t->run, "positions"),
             tries = (uint64_t)kn_lab_parameter(t->run, "tries");
    static const int longest[KN_GGP_GAMES] = {5, 6, 20, 30, 12, 20, 10, 3};
    for (uint64_t i = 0; i < tries && status == KN_OK; i++) { /* wins are rarer than positions */
        int plies = 1 + (int)kn_rng_below(&rng, (uint32_t)longest[index]);
        int role = kn_ggp_position(b.state, &rng, plies);
        if (kn_lab_cancel(t->run) && atomic_load(kn_lab_cancel(t->run)))
            status = kn_fail(error, KN_STOPPED, "stopped");
        if (status == KN_OK && b.f->wins < positions) status = measure_wins(&b, role, error);
        if (status == KN_OK && i < positions / 2) status = measure_tree(&b, role, error);
        if (status == KN_OK && i < positions) status = measure_horizon(&b, role, error);
        kn_progress_tick(kn_lab_progress(t->run), 1);
    }
    bench_close(&b);
    return status;
}

/* ---- The job ---- */

typedef struct Payload {
    KnLabOrigin origin;
} Payload;

typedef struct WorkerTask {
    Task task;
    Findings games[KN_GGP_GAMES];
} WorkerTask;
_Static_assert(offsetof(WorkerTask, task) == 0, "measure_game takes a WorkerTask for its Task");

static KnStatus open_job(const KnWorkerSite *site, void *payload, void **user, KnError *error)
{
    WorkerTask *here = *user = calloc(1, sizeof *here);
    if (!here) return kn_fail_memory(error, "measuring searches");
    here->task.findings = here->games;
    return kn_lab_visit(site, &((Payload *)payload)->origin, &here->task.run, error);
}

static void close_job(void *user)
{
    kn_lab_leave(((WorkerTask *)user)->task.run);
    free(user);
}

static void *result_slot(void *user, uint64_t index, uint64_t *count)
{
    (void)count;
    return &((Task *)user)->findings[index];
}

static KnStatus received_game(void *user, uint64_t index, KnError *error)
{
    (void)index, (void)error;
    const Task *task = user;
    kn_progress_tick(kn_lab_progress(task->run), (uint64_t)kn_lab_parameter(task->run, "tries"));
    return KN_OK;
}

const KnJobType kn_ggp_claims_job_type = {.name = "ggp-claims",
                                          .summary = "games that the lesson's claims are measured in",
                                          .payload = KN_LAYOUT(Payload, KN_LAB_ORIGIN(Payload)),
                                          .open = open_job,
                                          .close = close_job,
                                          .run = measure_game,
                                          .result = KN_LAYOUT_PLAIN(Findings),
                                          .slot = result_slot,
                                          .received = received_game};

/* ---- Results ---- */

static const char *game_name(int g) { return kn_ggp_games[g] + strlen("gdl:"); }

static Findings add_up(const Findings *games)
{
    Findings all = {0};
    for (int g = 0; g < KN_GGP_GAMES; g++) {
        const Findings *f = &games[g];
        all.wins += f->wins;
        all.breadth_shortest += f->breadth_shortest;
        all.deepening_shortest += f->deepening_shortest;
        all.too_deep_tried += f->too_deep_tried;
        all.too_deep_found += f->too_deep_found;
        all.judged += f->judged;
        kn_moments_merge(&all.factor, &f->factor);
        kn_moments_merge(&all.too_deep, &f->too_deep);
        kn_moments_merge(&all.growth, &f->growth);
        kn_moments_merge(&all.difference, &f->difference);
        for (int k = 0; k < LEVELS; k++) kn_moments_merge(&all.stored[k], &f->stored[k]);
        for (int w = 0; w < WAYS; w++) {
            all.misses[w] += f->misses[w];
            kn_moments_merge(&all.nodes[w], &f->nodes[w]);
        }
    }
    return all;
}

static KnMeasure geometric_mean(const KnMoments *logarithms)
{
    KnMeasure m = kn_measure_mean(logarithms);
    return kn_measure_estimate(kn_math_exp(m.value), kn_math_exp(m.low), kn_math_exp(m.high), m.n);
}

static KnStatus give_claims(KnLabRun *run, const Findings *all, KnError *error)
{
    const struct {
        const char *row, *column;
        KnMeasure measure;
    } rows[] = {
        {"shortest wins found by breadth-first search, %", "share",
         kn_measure_share((double)all->breadth_shortest, all->wins, 100)},
        {"shortest wins found by iterative deepening, %", "share",
         kn_measure_share((double)all->deepening_shortest, all->wins, 100)},
        {"positions of iterative deepening over those of one search", "all games",
         kn_measure_mean(&all->factor)},
        {"positions that a limit set 3 too deep costs, over the right limit", "all games",
         geometric_mean(&all->too_deep)},
        {"memory of breadth-first search, each level over the one before", "all games",
         kn_measure_mean(&all->growth)},
        {"horizon misses of fixed depth less those of variable depth, %", "all games",
         kn_measure_mean(&all->difference)},
    };
    KnStatus status = KN_OK;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status == KN_OK; i++)
        status = kn_lab_cell(run, rows[i].row, rows[i].column, rows[i].measure, NULL, error);
    return status;
}

static KnStatus give_games(KnLabRun *run, const Findings *games, KnError *error)
{
    KnStatus status = kn_lab_own_table(run, "depth", "Limits, deepening and memory, by game", "", 2, error);
    for (int g = 0; g < KN_GGP_GAMES && status == KN_OK; g++) {
        const Findings *f = &games[g];
        const char *name = game_name(g);
        status = kn_lab_measured(run, name, "factor of iterative deepening", kn_measure_mean(&f->factor),
                                 NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, name, "cost of a limit 3 too deep", geometric_mean(&f->too_deep),
                                     NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, name, "wins found too deep, within the right limit's positions, %",
                                     kn_measure_share((double)f->too_deep_found, f->too_deep_tried, 100),
                                     NULL, error);
        for (int k = 0; k < LEVELS && status == KN_OK; k++) {
            char column[64];
            snprintf(column, sizeof column, "KiB of breadth-first search, level %d", k + 1);
            KnMoments kib = f->stored[k];
            kib.mean *= (double)f->bytes / 1024;
            kib.m2 *= (double)f->bytes / 1024 * (double)f->bytes / 1024;
            if (kib.count) status = kn_lab_measured(run, name, column, kn_measure_mean(&kib), NULL, error);
        }
    }
    return status;
}

static KnStatus give_horizon(KnLabRun *run, const Findings *games, const Findings *all, KnError *error)
{
    KnStatus status = kn_lab_own_table(run, "horizon", "Moves that a search four plies deeper refutes", "%",
                                       1, error);
    for (int w = 0; w < WAYS && status == KN_OK; w++) {
        for (int g = 0; g < KN_GGP_GAMES && status == KN_OK; g++)
            status = kn_lab_measured(run, ways[w].name, game_name(g),
                                     kn_measure_share((double)games[g].misses[w], games[g].judged, 100), NULL,
                                     error);
        if (status == KN_OK)
            status = kn_lab_measured(run, ways[w].name, "all games",
                                     kn_measure_share((double)all->misses[w], all->judged, 100), NULL, error);
    }
    if (status == KN_OK)
        status = kn_lab_own_table(run, "horizon-cost", "Positions searched for them", "positions", 0, error);
    for (int w = 0; w < WAYS && status == KN_OK; w++)
        status = kn_lab_measured(run, ways[w].name, "all games", kn_measure_mean(&all->nodes[w]), NULL,
                                 error);
    return status;
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    Findings games[KN_GGP_GAMES] = {0};
    Task task = {run, games};
    kn_lab_expect(run, KN_GGP_GAMES * (uint64_t)kn_lab_parameter(run, "tries"));
    Payload payload;
    KnStatus status = kn_lab_share(run, &kn_ggp_claims_job_type, KN_GGP_GAMES, 0, &payload.origin, NULL,
                                   &task, error);
    if (status != KN_OK) return status;
    Findings all = add_up(games);
    status = give_claims(run, &all, error);
    if (status == KN_OK) status = give_games(run, games, error);
    return status == KN_OK ? give_horizon(run, games, &all, error) : status;
}

static const KnParameter parameters[] = {
    {"positions", 6, 100, "Of each game: with a win near by, and for the horizon; half as many for trees."},
    {"tries", 40, 1000, "Random positions of each game that are looked at for them."},
    {"levels", 3, 4, "Of the trees that iterative deepening and breadth-first search are measured on."},
    {"tree", 10000, 400000, "Positions, at most, of a tree by minimax."},
    {"reference", 3000, 60000,
     "Positions, at most, of the deeper search that judges a move; where it takes more the position is left "
     "out."},
    {0}};

static const KnSize middle[] = {{"positions", 100}, {"tries", 800},      {"levels", 3},
                                {"tree", 20000},    {"reference", 6000}, {0}};

static const KnInterpretation interpretations[] = {
    {"What is a horizon miss?",
     "A move by a search of 2 plies whose value by one four plies deeper, with the same evaluation, is at "
     "least 10 points of 100 less than the "
     "best's. Where the deeper search takes too long, the position is left out.",
     "Ends that the deeper search reaches count as what they are, so that in small games the judge is "
     "exact."},
    {"Which evaluation?", "The blend of all heuristics, fitted to 100 random games.", ""},
    {"When does variable depth expand a position?",
     "When the heuristic named has changed by 5 points of 100 since the same role's last turn, up to 4 moves "
     "beyond the depth. The claim is "
     "compared for change of the evaluation itself, the lesson's quiescence.",
     "By mobility, focus or proximity: see the table."},
    {"What is the constant factor?",
     "All positions of minimax at depth 1 to d together over those of depth d alone, d as deep as can be "
     "afforded.",
     "With alpha-beta, a table and the best move first, deepening costs less than nothing: it finds better "
     "orders."},
    {"What is a limit set too deep?",
     "Three plies beyond a forced win in at most three; minimax, whose positions are counted up to a limit. "
     "Means are geometric.",
     ""},
    {0}};

static const KnTolerance tolerances[] = {
    {"share", 1, 0, "One point in a hundred: what a sample of a few hundred wins can tell."},
    {"*", 0, 0, "Claims are compared as they are."},
    {0}};

const KnExperiment kn_ggp_search_claims = {
    .head = {"ggp.search-claims",
             "what the lesson says of its searches: shortest wins, deepening, limits, memory, the horizon",
             NULL},
    .paper = "genesereth-search",
    .source = "claims",
    .parameters = parameters,
    .middle = middle,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = measure,
};
