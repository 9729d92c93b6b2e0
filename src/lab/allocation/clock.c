/* Markovitch and Sella 1996, beyond the simple model: Fives (section 6), strategies that look at the search
 * itself (2.2), and the realistic model and the combination that section 7 proposes. */
#include "lab/allocation/shared.h"
#include "lab/registry.h"

#include <stdio.h>

/* ---- Fives ---- */

const KnAllocationField kn_allocation_fives = {
    .name = "fives",
    .game = "fives",
    .inner = "alphabeta(eval=threats, -quiescence, table=off, -deepening, -pvs",
    .k = 2,
    .n = 1,
    .deep = 10,
    .moves = 50,
};

static const KnParameter fives_parameters[] = {
    {"games", 24, 4000, "Games a row, of which the strategy begins half: those count."}, {0}};

static const KnTolerance tolerances[] = {
    {"probability", 0.04, 0,
     "The evaluation is not printed, and moves these numbers more than sampling does."},
    {0}};

static const KnInterpretation fives_interpretations[] = {
    {"Who begins? A player that never searches deep is its opponent's twin, so that .57 cannot come out "
     "where colours alternate.",
     "The strategy, in every game that counts.", "Alternating, never is one half by symmetry."},
    {"Which k, n, d and m, and which judge?",
     "k=2, n=1, d=10, m=50: a game has at most 50 moves of each side on 100 cells. No judge: a full board is "
     "a tie.",
     ""},
    {"Which evaluation?",
     "Rows that lack one or two men (`eval=threats`): with it the player who begins scores somewhat more "
     "than half.",
     "By all open rows (`lines`) the player who begins wins every game at k=1, and none at k=2."},
    {0}};

/* Points of the games in which the strategy began. */
static KnMeasure first_points(const KnStanding *s)
{
    const uint64_t *seat = s->by_seat[0];
    return kn_measure_share((double)seat[0] + (double)seat[1] / 2, seat[0] + seat[1] + seat[2], 1);
}

static KnStatus measure_fives(KnLabRun *run, KnError *error)
{
    static const char *const rows[] = {"never", "always"};
    uint64_t games = (uint64_t)kn_lab_parameter(run, "games");
    kn_lab_expect(run, 2 * games);
    KnStatus status = KN_OK;
    for (size_t i = 0; i < 2 && status == KN_OK; i++) {
        KnMatchResult result;
        status = kn_allocation_match(run, &kn_allocation_fives, rows[i], rows[i], games, &result, error);
        if (status == KN_OK)
            status = kn_lab_cell(run, rows[i], "probability", first_points(&result.standing), NULL, error);
    }
    return status;
}

const KnExperiment kn_allocation_fives_range = {
    .head = {"allocation.fives", "the range that is left to allocation in Fives", NULL},
    .paper = "markovitch-sella-1996",
    .source = "fives",
    .parameters = fives_parameters,
    .interpretations = fives_interpretations,
    .tolerances = tolerances,
    .run = measure_fives,
};

/* ---- under a clock ---- */

enum { UNITS = 300, STEP = 75, BELOW = 3, ABOVE = 4, MOVES = 40 };

#define DEEPENING "alphabeta(eval=trade, -quiescence, memory=1)"
#define SINGLE    "alphabeta(eval=trade, -quiescence, -deepening, memory=1)"

static const KnAllocationField timed = {
    .name = "clock",
    .game = "checkers(draw=0, repetition=0)",
    .inner = "alphabeta(eval=trade, -quiescence, memory=1",
    .eval = "trade",
    .moves = MOVES,
    .ply_limit = 2 * MOVES,
    .judge = 4,
    .classes = {UNITS, STEP, BELOW, ABOVE},
};

static const KnAllocationLearner classes = {.file = "classes",
                                            .enrich = true,
                                            .general = true,
                                            .budget = true,
                                            .regression = true,
                                            .least = 100,
                                            .boost = 60,
                                            .decide = KN_BY_THRESHOLD};

static KnStatus match(KnLabRun *run, const char *key, const char *strategy, uint64_t games,
                      KnMatchResult *result, KnError *error)
{
    char fixed[160];
    snprintf(fixed, sizeof fixed, "clock(" DEEPENING ", units=%d, moves=%d)", UNITS * MOVES, MOVES);
    KnMatchPlan plan = {.game = timed.game,
                        .players = {strategy, fixed},
                        .games = games,
                        .rules = {.ply_limit = timed.ply_limit, .judge = timed.judge}};
    return kn_lab_match(run, key, plan, result, error);
}

/* One row: points, and what was spent of what there was. */
static KnStatus measure_pace(KnLabRun *run, const char *row, const char *inner, const char *how,
                             const char *file, KnError *error)
{
    KnText strategy = KN_TEXT_EMPTY;
    kn_text_printf(&strategy, "clock(%s, units=%d, moves=%d, %s", inner, UNITS * MOVES, MOVES, how);
    if (file) kn_text_add_quoted(&strategy, file);
    kn_text_add_char(&strategy, ')');
    KnMatchResult result;
    KnStatus status = kn_text_ok(&strategy) ? match(run, row, strategy.data,
                                                    (uint64_t)kn_lab_parameter(run, "games"), &result, error)
                                            : kn_fail_memory(error, "preparing a match");
    kn_text_free(&strategy);
    if (status != KN_OK) return status;
    const KnStanding *s = &result.standing;
    double decisions = (double)(s->decisions[0] ? s->decisions[0] : 1);
    status = kn_lab_measured(run, row, "points", kn_allocation_points(s), NULL, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, row, "positions a move / even share",
                                 kn_measure_single((double)s->cost[0].nodes / decisions / UNITS), NULL,
                                 error);
    return status;
}

static KnStatus learn(KnLabRun *run, const KnAllocationField *field, const KnAllocationLearner *learner,
                      KnText *path, KnError *error)
{
    KnAllocationMaterial material = {.field = field};
    KnStatus status = kn_allocation_learned(run, &material, learner, path, error);
    kn_allocation_material_free(&material);
    return status;
}

static KnStatus measure_clock(KnLabRun *run, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    kn_lab_expect(run, 4 * (uint64_t)kn_lab_parameter(run, "games"));
    KnStatus status = learn(run, &timed, &classes, &path, error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "clock",
                                  "Pacing 12,000 positions over 40 moves of draughts, against the same "
                                  "player that gives every move as much",
                                  "parts of all points, and of the even share", 3, error);
    if (status == KN_OK) status = measure_pace(run, "even", DEEPENING, "pace=even", NULL, error);
    if (status == KN_OK) status = measure_pace(run, "random", DEEPENING, "pace=random", NULL, error);
    if (status == KN_OK)
        status = measure_pace(run, "learned", DEEPENING, "pace=learned, file=", path.data, error);
    if (status == KN_OK) status = measure_pace(run, "dynamic", SINGLE, "pace=dynamic", NULL, error);
    kn_text_free(&path);
    return status;
}

static const KnInterpretation clock_interpretations[] = {
    {"What is the unit?",
     "Positions played, so that runs are exact: t = 12,000 for m = 40 moves. `clock(in=milliseconds)` counts "
     "time instead.",
     ""},
    {"Which classes?",
     "t/m + i * eps for i from -3 to 4, eps = t/m / 4: budgets of 75 to 600 positions. An example takes l + "
     "q + 1 = 8 searches.",
     ""},
    {"How are examples tagged? \"Using the same method as before\".",
     "By the least budget from which on every larger one chooses a move that the largest one's search holds "
     "to be best.",
     ""},
    {"How does a class become a budget?",
     "The leaf's mean class over that of all positions, times what is left for each move that is left: any "
     "part of what remains may be spent.",
     "Taking the class's own budget leaves the sum to chance."},
    {"What does a dynamic strategy do (2.2)?",
     "It deepens depth by depth: at most .6 of the even share once two depths have changed nothing, and up "
     "to 3 shares while the last depth still changes the move.",
     ""},
    {0}};

static const KnParameter clock_parameters[] = {
    {"games", 40, 10000, "Games a row."},
    {"examples", 600, 100000, "Classified positions: eight searches each."},
    {"relief", 0, 0, "RELIEF is not used."},
    {"enrich", 600, 100000, "Further positions for the tree's leaves and the boosted trees."},
    {"expansions", 0, 0, "No patterns."},
    {0}};

const KnExperiment kn_allocation_clock = {
    .head = {"allocation.clock",
             "a budget of positions for forty moves, of which any part may be spent on one", NULL},
    .paper = "markovitch-sella-1996",
    .parameters = clock_parameters,
    .interpretations = clock_interpretations,
    .tolerances = tolerances,
    .run = measure_clock,
};

/* ---- the combination ---- */

static KnStatus measure_allocating(KnLabRun *run, const char *row, const char *policy, KnError *error)
{
    KnMatchResult result;
    KnStatus status = kn_allocation_match(run, &kn_allocation_checkers, row, policy,
                                          (uint64_t)kn_lab_parameter(run, "games"), &result, error);
    const KnStanding *s = &result.standing;
    if (status == KN_OK) status = kn_lab_measured(run, row, "points", kn_allocation_points(s), NULL, error);
    if (status == KN_OK)
        status = kn_lab_measured(
            run, row, "positions a game",
            kn_measure_single((double)s->cost[0].nodes / (double)(s->games ? s->games : 1)), NULL, error);
    return status;
}

static KnStatus measure_combined(KnLabRun *run, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    kn_lab_expect(run, 6 * (uint64_t)kn_lab_parameter(run, "games"));
    KnStatus status = learn(run, &kn_allocation_checkers, &kn_allocation_paper[KN_LEARN_CONTEXT], &path,
                            error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "combined",
                                  "Iterative deepening that stops or goes on by its own signals, from a "
                                  "depth of its own and from where the learned policy says",
                                  "parts of all points, and of the even share", 3, error);
    if (status == KN_OK) status = measure_pace(run, "from depth 1", SINGLE, "pace=dynamic", NULL, error);
    if (status == KN_OK)
        status = measure_pace(run, "from depth 4", SINGLE, "pace=dynamic, from=4", NULL, error);
    if (status == KN_OK)
        status = measure_pace(run, "from depth 6", SINGLE, "pace=dynamic, from=6", NULL, error);
    if (status == KN_OK)
        status = measure_pace(run, "from the learned depth", SINGLE, "pace=dynamic, first=", path.data,
                              error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "dynamic",
                                  "In the simple model: deep where the last ply of the shallow search "
                                  "changed the move or the score",
                                  "parts of all points, and of the even share", 3, error);
    if (status == KN_OK) status = measure_allocating(run, "dynamic", "dynamic", error);
    if (status == KN_OK) status = measure_allocating(run, "random", "random", error);
    kn_text_free(&path);
    return status;
}

static const KnInterpretation combined_interpretations[] = {
    {"\"A common dynamic method that is based on iterative deepening ... can call the semi-dynamic strategy "
     "to decide the initial search depth\" (7).",
     "Deepening begins at k + n = 6 where the leaf of the context-sensitive classifier is positive by "
     "majority, at k = 4 elsewhere, but never deeper "
     "than what an even share has been seen to pay for in this game; the budget is that of allocation.clock.",
     "Begun at 4 and 6 whatever it costs, the first search is often cut off with nothing to fall back on: "
     ".303 [.294, .312] of the points, 10,000 games."},
    {"What does the dynamic policy of the simple model cost?",
     "It decides after the shallow search, so that its cost is more than the others'; positions a game tell "
     "how much.",
     ""},
    {0}};

static const KnParameter combined_parameters[] = {
    {"games", 40, 10000, "Games a row."}, KN_ALLOCATION_SETS(2000, 400, 2000), {0}};

const KnExperiment kn_allocation_combined = {
    .head = {"allocation.combined", "iterative deepening whose first depth comes from the learned policy",
             NULL},
    .paper = "markovitch-sella-1996",
    .parameters = combined_parameters,
    .interpretations = combined_interpretations,
    .tolerances = tolerances,
    .run = measure_combined,
};
