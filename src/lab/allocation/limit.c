/* How far could any policy get that sees only what a decision before the search may see? Policies are not
 * played here but judged by the deep searches that they would buy in games they have not learned from: with
 * ever richer features and ever larger models, what they capture levels off. Perfect foresight buys by the
 * true value, the oracle by the class. */
#include "lab/allocation/shared.h"
#include "base/assert.h"
#include "base/math.h"
#include "lab/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/allocation/value_of_computation.h"

typedef struct Limit {
    KnLabRun *run;
    const KnAllocationField *field;
    const KnExamples *train, *test;
    double *train_value,
        *test_value; /* the value of a deep search in each example (value_of_computation.h) */
    double *train_predicted, *test_predicted; /* what a predictor says of it */
    uint16_t *step;
} Limit;

/* What is bought in each game of a set, by both sides together, and what there was. */
typedef struct Trade {
    double bought, all;
} Trade;

typedef struct Trades {
    size_t count;
    Trade *games;
} Trades;

static KnStatus set_up(Limit *l, const KnComputationValue *value, KnError *error)
{
    size_t n = l->train->count + 1, m = l->test->count + 1;
    l->train_value = malloc(n * sizeof(double));
    l->train_predicted = malloc(n * sizeof(double));
    l->test_value = malloc(m * sizeof(double));
    l->test_predicted = malloc(m * sizeof(double));
    l->step = malloc(n * sizeof *l->step);
    if (!l->train_value || !l->train_predicted || !l->test_value || !l->test_predicted || !l->step)
        return kn_fail_memory(error, "preparing an experiment");
    for (size_t i = 0; i < l->train->count; i++) {
        l->train_value[i] = kn_computation_value_of(value, l->train, i);
        l->step[i] = l->train->tags[i].index;
    }
    for (size_t i = 0; i < l->test->count; i++) l->test_value[i] = kn_computation_value_of(value, l->test, i);
    return KN_OK;
}

static void tear_down(Limit *l)
{
    free(l->train_value);
    free(l->train_predicted);
    free(l->test_value);
    free(l->test_predicted);
    free(l->step);
}

/* ---- buying ---- */

/* How deep searches are spent: by a plan, or, where there is none, as they come: on every move that is
 * predicted to be above zero, or at random. */
typedef struct Spending {
    const KnStopping *plan;
    KnRng *chance;
} Spending;

static bool buys(const Limit *l, const Spending *how, double predicted, int left, int index)
{
    KN_ASSERT(left > 0 && index >= 0 && index < l->field->moves);
    if (how->chance) return (int)kn_rng_below(how->chance, (uint32_t)(l->field->moves - index)) < left;
    return how->plan ? predicted >= kn_stopping_threshold(how->plan, left, index) : predicted > 0;
}

/* Game by game, each side separately. */
static KnStatus trade(const Limit *l, const KnExamples *set, const double *value, const double *predicted,
                      const Spending *how, Trades *out, KnError *error)
{
    out->count = 0;
    out->games = calloc(set->games + 1, sizeof *out->games);
    if (!out->games) return kn_fail_memory(error, "judging a predictor");
    for (size_t i = 0, next; i < set->count && out->count < set->games; i = next) {
        for (next = i; next < set->count && set->tags[next].game == set->tags[i].game;) next++;
        Trade *game = &out->games[out->count++];
        int left[2] = {l->field->deep, l->field->deep};
        for (size_t k = i; k < next; k++) {
            int role = set->game->type->mover(set->game, kn_example_position(set, k)),
                index = set->tags[k].index;
            game->all += value[k];
            if (!left[role] || index >= l->field->moves || !buys(l, how, predicted[k], left[role], index))
                continue;
            left[role]--;
            game->bought += value[k];
        }
    }
    return KN_OK;
}

/* The share of all value, with an interval over games: that of a ratio of sums. */
static KnMeasure share_of(const Trades *t)
{
    double bought = 0, all = 0, bb = 0, aa = 0, ab = 0;
    for (size_t i = 0; i < t->count; i++) {
        const Trade *g = &t->games[i];
        bought += g->bought;
        all += g->all;
        bb += g->bought * g->bought;
        aa += g->all * g->all;
        ab += g->bought * g->all;
    }
    double share = all > 0 ? bought / all : 0, variance = bb - 2 * share * ab + share * share * aa;
    double reach = all > 0 ? KN_Z95 * sqrt(variance > 0 ? variance : 0) / all : 0;
    return kn_measure_estimate(share, share - reach, share + reach, t->count);
}

static KnStatus give(const Limit *l, const char *row, const char *column, const KnExamples *set,
                     const double *value, const double *predicted, const Spending *how, const char *note,
                     Trades *keep, KnError *error)
{
    Trades trades = {0};
    KnStatus status = trade(l, set, value, predicted, how, &trades, error);
    if (status == KN_OK) status = kn_lab_measured(l->run, row, column, share_of(&trades), note, error);
    if (keep && status == KN_OK)
        *keep = trades;
    else
        free(trades.games);
    return status;
}

static const char other_games[] = "share of all value", own_games[] = "on the games it learned from",
                  explained[] = "variance explained";

/* By a plan that is made of what the predictor says of the training games. */
static KnStatus judge(Limit *l, const char *row, const char *note, bool learned, Trades *keep, KnError *error)
{
    KnStopping *plan = kn_stopping_new(l->field->moves, error);
    if (!plan) return KN_SYSTEM;
    Spending how = {.plan = plan};
    KnStatus status = kn_stopping_plan(plan, l->train_predicted, l->step, l->train->count,
                                       2 * l->train->games, error);
    if (status == KN_OK)
        status = give(l, row, other_games, l->test, l->test_value, l->test_predicted, &how, note, keep,
                      error);
    if (status == KN_OK && learned)
        status = give(l, row, own_games, l->train, l->train_value, l->train_predicted, &how, NULL, NULL,
                      error);
    kn_stopping_free(plan);
    return status;
}

static double explained_share(const Limit *l)
{
    double mean = 0, total = 0, rest = 0;
    for (size_t i = 0; i < l->test->count; i++) mean += l->test_value[i] / (double)l->test->count;
    for (size_t i = 0; i < l->test->count; i++) {
        total += (l->test_value[i] - mean) * (l->test_value[i] - mean);
        rest += (l->test_value[i] - l->test_predicted[i]) * (l->test_value[i] - l->test_predicted[i]);
    }
    return total > 0 ? 1 - rest / total : 0;
}

/* ---- predictors ---- */

typedef struct Predictor {
    const char *name;
    bool general, budget, cells;
    const char *terms;
    int rounds, depth;
    int part; /* learns from one game in this many */
} Predictor;

static const Predictor predictors[] = {
    {"the game's 23 features, 20 trees", false, false, false, NULL, 20, 4, 1},
    {"the game's 23 features, 80 trees", false, false, false, NULL, 80, 5, 1},
    {"... and moves made", false, true, false, NULL, 80, 5, 1},
    {"... and what is about to be taken", false, true, false, "threats", 80, 5, 1},
    {"... and general features, one ply ahead", true, true, false, "threats", 80, 5, 1},
    {"... and all cells", true, true, true, "threats", 80, 6, 1},
    {"all of this, 120 trees, from an eighth of the games", true, true, true, "threats", 120, 7, 8},
    {"... from a quarter", true, true, true, "threats", 120, 7, 4},
    {"... from half", true, true, true, "threats", 120, 7, 2},
    {"... from all", true, true, true, "threats", 120, 7, 1},
};
enum {
    PREDICTORS = sizeof predictors / sizeof *predictors,
    CURVE = 4
}; /* the last of them are a learning curve */

static void predict_all(const KnFeatureView *view, const KnBoost *boost, const KnExamples *set,
                        double *predicted)
{
    double values[view->count];
    for (size_t i = 0; i < set->count; i++) {
        kn_policy_training_values(view, set, i, values);
        predicted[i] = kn_boost_predict(boost, values);
    }
}

static KnStatus learn(const Limit *l, const Predictor *p, const KnFeatureView *view, KnBoost **boost,
                      KnError *error)
{
    size_t rows = l->train->count / (size_t)p->part;
    KnDataset *data = kn_dataset_new(view->count, (const char *const *)view->names, rows, error);
    if (!data) return KN_SYSTEM;
    double values[view->count];
    for (size_t i = 0; i < rows; i++) {
        kn_policy_training_values(view, l->train, i, values);
        kn_dataset_add(data, values, l->train->tags[i].value.positive, l->train_value[i]);
    }
    KnStatus status = kn_dataset_code(data, error);
    KnRng rng = kn_rng_seeded(kn_lab_seed(l->run, p->name));
    size_t least = rows / 2000;
    KnBoostPlan how = {
        .rounds = p->rounds, .depth = p->depth, .rate = 0.1, .least = least > 20 ? least : 20, .share = 0.5};
    if (status == KN_OK) status = kn_boost_learn(data, &how, &rng, boost, error);
    kn_dataset_free(data);
    return status;
}

static KnStatus predict(Limit *l, const Predictor *p, Trades *keep, KnError *error)
{
    KnFeaturePlan plan = {.from = {[KN_FROM_GAME] = true,
                                   [KN_FROM_GENERAL] = p->general,
                                   [KN_FROM_BUDGET] = p->budget,
                                   [KN_FROM_CELLS] = p->cells},
                          .eval = l->field->eval,
                          .terms = p->terms};
    KnFeatureView *view = NULL;
    KnBoost *boost = NULL;
    KnStatus status = kn_feature_view_open(l->train->game, &plan, &view, error);
    if (status == KN_OK) status = learn(l, p, view, &boost, error);
    if (status == KN_OK) {
        predict_all(view, boost, l->train, l->train_predicted);
        predict_all(view, boost, l->test, l->test_predicted);
        status = judge(l, p->name, NULL, p->part == 1, keep, error);
    }
    if (status == KN_OK)
        status = kn_lab_measured(l->run, p->name, explained, kn_measure_single(explained_share(l)), NULL,
                                 error);
    kn_boost_free(boost);
    kn_feature_view_close(view);
    return status;
}

/* ---- without end ---- */

/* Where a line through the curve meets no gap at all, if the gap falls with the number of games to some
 * power: a linear fit. `of` says which games count, and may count one several times. */
static double meets(const Trades curve[CURVE], double power, const uint32_t *of)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int c = 0; c < CURVE; c++) {
        double bought = 0, all = 0, x = kn_math_pow((double)(1 << c), -power);
        for (size_t i = 0; i < curve[c].count; i++) {
            const Trade *game = &curve[c].games[of ? of[i] : i];
            bought += game->bought;
            all += game->all;
        }
        double y = all > 0 ? bought / all : 0;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    double slope = (CURVE * sxy - sx * sy) / (CURVE * sxx - sx * sx);
    return (sy - slope * sx) / CURVE;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* With an interval by drawing the games that judge again. */
static KnStatus extrapolate(const Limit *l, const Trades curve[CURVE], const char *row, double power,
                            KnError *error)
{
    enum { DRAWS = 400 };
    double drawn[DRAWS];
    size_t games = curve[0].count;
    uint32_t *of = malloc((games + 1) * sizeof *of);
    if (!of) return kn_fail_memory(error, "extrapolating");
    KnRng rng = kn_rng_seeded(kn_lab_seed(l->run, row));
    for (int d = 0; d < DRAWS; d++) {
        for (size_t i = 0; i < games; i++) of[i] = kn_rng_below(&rng, (uint32_t)games);
        drawn[d] = meets(curve, power, of);
    }
    free(of);
    qsort(drawn, DRAWS, sizeof *drawn, by_size);
    KnMeasure measure = kn_measure_estimate(meets(curve, power, NULL), drawn[DRAWS / 40],
                                            drawn[DRAWS - 1 - DRAWS / 40], games);
    return kn_lab_measured(l->run, row, other_games, measure, "extrapolated", error);
}

/* ---- the table ---- */

static KnStatus measure_bounds(Limit *l, KnError *error)
{
    KnRng rng = kn_rng_seeded(kn_lab_seed(l->run, "chance"));
    Spending chance = {.chance = &rng}, first = {0};
    KnStatus status = give(l, "by chance (random)", other_games, l->test, l->test_value, l->test_predicted,
                           &chance, NULL, NULL, error);
    for (size_t i = 0; i < l->train->count; i++) l->train_predicted[i] = l->train->tags[i].value.positive;
    for (size_t i = 0; i < l->test->count; i++)
        l->test_predicted[i] = l->test->tags[i].value.positive ? 1 : -1;
    if (status == KN_OK)
        status = give(l, "the class known in advance, as it comes (oracle)", other_games, l->test,
                      l->test_value, l->test_predicted, &first, NULL, NULL, error);
    if (status == KN_OK)
        status = judge(l, "the class known in advance, spent by a plan", NULL, false, NULL, error);
    memcpy(l->train_predicted, l->train_value, l->train->count * sizeof(double));
    memcpy(l->test_predicted, l->test_value, l->test->count * sizeof(double));
    if (status == KN_OK)
        status = judge(l, "the value known in advance, spent by a plan",
                       "the most that any predictor could buy", false, NULL, error);
    return status;
}

static KnStatus measure_rows(Limit *l, KnError *error)
{
    Trades curve[CURVE] = {{0}};
    KnStatus status = kn_lab_own_table(
        l->run, "limit",
        "Value of the deep searches that a predictor buys, as a share of all that can be gained",
        "of the gain", 3, error);
    for (size_t p = 0; p < PREDICTORS && status == KN_OK; p++)
        status = predict(l, &predictors[p], p < PREDICTORS - CURVE ? NULL : &curve[p - (PREDICTORS - CURVE)],
                         error);
    if (status == KN_OK)
        status = extrapolate(l, curve, "... from games without end, if the gap falls as 1/sqrt(n)", 1.0 / 2,
                             error);
    if (status == KN_OK) status = extrapolate(l, curve, "... if it falls only as 1/cbrt(n)", 1.0 / 3, error);
    for (int c = 0; c < CURVE; c++) free(curve[c].games);
    if (status == KN_OK) status = measure_bounds(l, error);
    return status;
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    KnAllocationMaterial material = {.field = &kn_allocation_checkers};
    KnComputationValue *value = NULL;
    KnStatus status = kn_allocation_sets(run, &material, 0.2, error);
    Limit l = {
        .run = run, .field = material.field, .train = &material.sets.enrich, .test = &material.sets.tree};
    if (status == KN_OK)
        status = kn_computation_value_learn(l.train, l.field->moves, kn_lab_seed(run, "worth"), &value,
                                            error);
    if (status == KN_OK) status = set_up(&l, value, error);
    if (status == KN_OK) status = measure_rows(&l, error);
    tear_down(&l);
    kn_computation_value_free(value);
    kn_allocation_material_free(&material);
    return status;
}

static const KnParameter parameters[] = {{"examples", 800, 60000, "Positions of games to judge by."},
                                         {"relief", 0, 0, "RELIEF is not used."},
                                         {"enrich", 1500, 240000, "Positions of other games to learn from."},
                                         {"expansions", 0, 0, "No patterns."},
                                         {0}};

static const KnInterpretation interpretations[] = {
    {"What is the best that features of the position can predict?",
     "Boosted trees with ever more features, trees and games, judged on other games by what their deep "
     "searches are worth in points "
     "(methods/allocation/value_of_computation.h), and the learning curve of the largest drawn on to games "
     "without end. What a model buys in the games that it "
     "learned from is more than any model of its kind can buy elsewhere: the two columns close in on what "
     "such a model could do.",
     ""},
    {"Is what is captured here the share of allocation.improvement?",
     "No: gains do not add up over a game, since one that is won needs no more. Rows are to be compared with "
     "each other, and with the class known in advance, "
     "which the oracle of Table 2 is near to.",
     ""},
    {0}};

static const KnTolerance tolerances[] = {{"*", 0, 0, "Nothing is published."}, {0}};

const KnExperiment kn_allocation_limit = {
    .head = {"allocation.limit", "what the best predictor from features of a position could gain", NULL},
    .paper = "markovitch-sella-1996",
    .parameters = parameters,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = measure,
};
