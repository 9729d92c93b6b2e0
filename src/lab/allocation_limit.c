/* How far could any policy get that sees only what a decision before the search may see? Policies are not played here but judged by the
 * deep searches that they would buy in games they have not learned from: with ever richer features and ever larger models, what they
 * capture levels off. Perfect foresight buys by the true worth, the oracle by the class. */
#include "lab/allocation.h"
#include "lab/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "players/allocation/worth.h"

typedef struct Limit {
    KnLabRun *run;
    const KnAllocationField *field;
    const KnExamples *train, *test;
    double *train_worth, *test_worth; /* what a deep search is worth in each example, by worth.h */
    double *train_told, *test_told;   /* what a predictor says of it */
    uint16_t *step;
} Limit;

static KnStatus set_up(Limit *l, const KnWorth *worth, KnError *error)
{
    size_t n = l->train->count + 1, m = l->test->count + 1;
    l->train_worth = malloc(n * sizeof(double));
    l->train_told = malloc(n * sizeof(double));
    l->test_worth = malloc(m * sizeof(double));
    l->test_told = malloc(m * sizeof(double));
    l->step = malloc(n * sizeof *l->step);
    if (!l->train_worth || !l->train_told || !l->test_worth || !l->test_told || !l->step) return kn_fail_memory(error, "preparing an experiment");
    for (size_t i = 0; i < l->train->count; i++) {
        l->train_worth[i] = kn_worth_of(worth, l->train, i);
        l->step[i] = l->train->tags[i].index;
    }
    for (size_t i = 0; i < l->test->count; i++) l->test_worth[i] = kn_worth_of(worth, l->test, i);
    return KN_OK;
}

static void tear_down(Limit *l)
{
    free(l->train_worth);
    free(l->train_told);
    free(l->test_worth);
    free(l->test_told);
    free(l->step);
}

/* What a sequence of decisions of one side in one game buys, and what there was. */
static void buy(const Limit *l, const KnStopping *plan, size_t first, size_t last, int role, double *bought, double *all)
{
    const KnGame *game = l->test->game;
    int left = l->field->deep;
    for (size_t i = first; i < last; i++) {
        if (game->type->mover(game, kn_example_position(l->test, i)) != role) continue;
        *all += l->test_worth[i];
        if (!left || l->test->tags[i].index >= plan->steps) continue;
        if (l->test_told[i] < kn_stopping_threshold(plan, left, l->test->tags[i].index)) continue;
        left--;
        *bought += l->test_worth[i];
    }
}

/* Spends by a plan made of what the predictor says of the training games; the share of all worth in the test games, with an interval over
 * games. */
static KnStatus judge(Limit *l, const char *row, const char *note, KnError *error)
{
    KnStopping *plan = kn_stopping_new(l->field->moves, error);
    if (!plan) return KN_SYSTEM;
    KnStatus status = kn_stopping_plan(plan, l->train_told, l->step, l->train->count, 2 * l->train->games, error);
    double sum_bought = 0, sum_all = 0, bb = 0, aa = 0, ab = 0, n = 0;
    const KnExampleTag *tags = l->test->tags;
    for (size_t i = 0, next; i < l->test->count && status == KN_OK; i = next) {
        for (next = i; next < l->test->count && tags[next].game == tags[i].game;) next++;
        double bought = 0, all = 0;
        for (int role = 0; role < 2; role++) buy(l, plan, i, next, role, &bought, &all);
        sum_bought += bought;
        sum_all += all;
        bb += bought * bought;
        aa += all * all;
        ab += bought * all;
        n++;
    }
    kn_stopping_free(plan);
    if (status != KN_OK) return status;
    double share = sum_all > 0 ? sum_bought / sum_all : 0, variance = bb - 2 * share * ab + share * share * aa; /* of a ratio of sums */
    double reach = sum_all > 0 ? KN_Z95 * sqrt(variance > 0 ? variance : 0) / sum_all : 0;
    return kn_lab_measured(l->run, row, "share of all worth", (KnMeasure){share, share - reach, share + reach, (uint64_t)n}, note, error);
}

/* ---- predictors ---- */

typedef struct Predictor {
    const char *name;
    bool general, budget, cells;
    int rounds, depth;
} Predictor;

static const Predictor predictors[] = {
    {"the game's 23 features, 20 trees", false, false, false, 20, 4},
    {"the game's 23 features, 80 trees", false, false, false, 80, 5},
    {"... and moves made", false, true, false, 80, 5},
    {"... and general features, one ply ahead", true, true, false, 80, 5},
    {"... and all cells", true, true, true, 80, 6},
    {"... and three times as many trees", true, true, true, 240, 6},
};
enum { PREDICTORS = sizeof predictors / sizeof *predictors };

static void tell_all(const KnView *view, const KnBoost *boost, const KnExamples *set, double *told)
{
    double values[view->count];
    for (size_t i = 0; i < set->count; i++) {
        kn_training_values(view, set, i, values);
        told[i] = kn_boost_tell(boost, values);
    }
}

static KnStatus predict(Limit *l, const Predictor *p, KnError *error)
{
    KnViewPlan plan = {.from = {[KN_FROM_GAME] = true, [KN_FROM_GENERAL] = p->general, [KN_FROM_BUDGET] = p->budget, [KN_FROM_CELLS] = p->cells},
                       .eval = l->field->eval};
    KnView *view = NULL;
    KnDataset *data = NULL;
    KnBoost *boost = NULL;
    KnStatus status = kn_view_open(l->train->game, &plan, &view, error);
    if (status == KN_OK) {
        data = kn_dataset_new(view->count, (const char *const *)view->names, l->train->count, error);
        if (!data) status = KN_SYSTEM;
    }
    if (status == KN_OK) {
        double values[view->count];
        for (size_t i = 0; i < l->train->count; i++) {
            kn_training_values(view, l->train, i, values);
            kn_dataset_add(data, values, l->train->tags[i].worth.positive, l->train_worth[i]);
        }
        status = kn_dataset_code(data, error);
    }
    KnRng rng = kn_rng_seeded(kn_lab_seed(l->run, p->name));
    size_t least = l->train->count / 2000;
    KnBoostPlan how = {.rounds = p->rounds, .depth = p->depth, .rate = 0.1, .least = least > 20 ? least : 20, .share = 0.5};
    if (status == KN_OK) status = kn_boost_learn(data, &how, &rng, &boost, error);
    kn_dataset_free(data);
    if (status == KN_OK) {
        tell_all(view, boost, l->train, l->train_told);
        tell_all(view, boost, l->test, l->test_told);
        status = judge(l, p->name, NULL, error);
    }
    kn_boost_free(boost);
    kn_view_close(view);
    return status;
}

static KnStatus measure_rows(Limit *l, KnError *error)
{
    KnStatus status = kn_lab_own_table(l->run, "limit", "What the deep searches that a predictor buys are worth, of all that there is to gain", "share", 3, error);
    for (size_t i = 0; i < l->train->count; i++) l->train_told[i] = 1;
    for (size_t i = 0; i < l->test->count; i++) l->test_told[i] = 1;
    if (status == KN_OK) status = judge(l, "the first that come", NULL, error);
    for (size_t p = 0; p < PREDICTORS && status == KN_OK; p++) status = predict(l, &predictors[p], error);
    for (size_t i = 0; i < l->train->count; i++) l->train_told[i] = l->train->tags[i].worth.positive;
    for (size_t i = 0; i < l->test->count; i++) l->test_told[i] = l->test->tags[i].worth.positive ? 1 : -1;
    if (status == KN_OK) status = judge(l, "the class, foreseen", "what the oracle knows, spent by a plan", error);
    memcpy(l->train_told, l->train_worth, l->train->count * sizeof(double));
    memcpy(l->test_told, l->test_worth, l->test->count * sizeof(double));
    if (status == KN_OK) status = judge(l, "the worth, foreseen", "the most that any predictor could buy", error);
    return status;
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    KnAllocationLessons lessons = {.field = &kn_allocation_checkers};
    KnWorth *worth = NULL;
    KnStatus status = kn_allocation_sets(run, &lessons, 0.2, error);
    Limit l = {.run = run, .field = lessons.field, .train = &lessons.sets.enrich, .test = &lessons.sets.tree};
    if (status == KN_OK) status = kn_worth_learn(l.train, l.field->moves, kn_lab_seed(run, "worth"), &worth, error);
    if (status == KN_OK) status = set_up(&l, worth, error);
    if (status == KN_OK) status = measure_rows(&l, error);
    tear_down(&l);
    kn_worth_free(worth);
    kn_allocation_lessons_free(&lessons);
    return status;
}

static const KnParameter parameters[] = {
    {"examples", 800, 100000, "Positions of games to judge by."},
    {"relief", 0, 0, "RELIEF is not used."},
    {"enrich", 1500, 500000, "Positions of other games to learn from."},
    {"expansions", 0, 0, "No patterns."},
    {0}};

static const KnReading readings[] = {
    {"What is the best that features of the position can tell?",
     "Boosted trees with ever more features and trees, learned from 500,000 positions and judged on other games by what their deep searches are "
     "worth in points (players/allocation/worth.h). Where more of both adds nothing, the rest is not to be seen one ply ahead.",
     ""},
    {"Is what is captured here the share of allocation.improvement?",
     "No: gains do not add up over a game, since one that is won needs no more. Rows are to be compared with each other, and with the class foreseen, "
     "which the oracle of Table 2 is near to.",
     ""},
    {0}};

static const KnTolerance tolerances[] = {{"*", 0, 0, "Nothing is published."}, {0}};

const KnExperiment kn_allocation_limit = {
    .head = {"allocation.limit", "what the best predictor from features of a position could gain", NULL},
    .paper = "markovitch-sella-1996",
    .parameters = parameters,
    .readings = readings,
    .tolerances = tolerances,
    .run = measure,
};
