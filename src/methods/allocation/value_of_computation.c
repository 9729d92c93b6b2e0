#include "methods/allocation/value_of_computation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum { LIMIT = 10000, FACTORS = KN_VALUE_STAGES * KN_VALUE_LEVELS };

static const char *const names[] = {"value", "moves made", "material", "value times material"};
enum { COLUMNS = sizeof names / sizeof *names };

static double material_of(const KnExamples *set, size_t i)
{
    const KnGame *game = set->game;
    const void *position = kn_example_position(set, i);
    return game->type->material
               ? game->type->material(game, position, 0) + game->type->material(game, position, 1)
               : 0;
}

/* False where the value is a found win or loss, which needs no model. */
static bool columns_of(double value, int made, double material, double out[COLUMNS])
{
    out[0] = value;
    out[1] = made;
    out[2] = material;
    out[3] = value * material;
    return fabs(value) < LIMIT;
}

static double points_of(const KnComputationValue *model, double value, int made, double material)
{
    double columns[COLUMNS];
    if (!columns_of(value, made, material, columns)) return value > 0;
    double points = kn_boost_predict(model->outcome, columns);
    return points < 0 ? 0 : points > 1 ? 1 : points;
}

/* ---- 1. outcome ---- */

/* Each example counts for both sides, so that an even position has the value one half. */
static KnStatus learn_outcome(KnComputationValue *model, const KnExamples *set, uint64_t seed, KnError *error)
{
    KnDataset *data = kn_dataset_new(COLUMNS, names, 2 * set->count, error);
    if (!data) return KN_SYSTEM;
    for (size_t i = 0; i < set->count; i++) {
        const KnExampleTag *tag = &set->tags[i];
        double columns[COLUMNS], material = material_of(set, i), points = (double)tag->points;
        if (!columns_of(tag->deep, tag->index, material, columns)) continue;
        kn_dataset_add(data, columns, false, points);
        columns_of(-(double)tag->deep, tag->index, material, columns);
        kn_dataset_add(data, columns, false, 1 - points);
    }
    KnRng rng = kn_rng_seeded(seed);
    size_t least = data->rows / 500 < 20 ? 20 : data->rows / 500 > 200 ? 200 : data->rows / 500;
    KnBoostPlan plan = {.rounds = 60, .depth = 4, .rate = 0.15, .least = least, .share = 0.5};
    KnStatus status = kn_dataset_code(data, error);
    if (status == KN_OK) status = kn_boost_learn(data, &plan, &rng, &model->outcome, error);
    kn_dataset_free(data);
    return status;
}

/* ---- 2. how much becomes real ---- */

static int factor_of(const KnComputationValue *model, const KnExampleTag *tag, double points)
{
    KN_ASSERT(tag->index >= 0);
    int stage = tag->index * KN_VALUE_STAGES / model->moves;
    KN_ASSERT(model->moves > 0 && points >= 0 && points <= 1);
    double off = fabs(points - 0.5);
    if (stage >= KN_VALUE_STAGES) stage = KN_VALUE_STAGES - 1;
    return stage * KN_VALUE_LEVELS + (off < 0.1 ? 0 : off < 0.25 ? 1 : 2);
}

/* The player draws among the moves that its shallow search holds equal, and where it explores it sometimes
 * plays the deep search's move instead. Whether it was lucky, by the deep search's values, is pure chance.
 * The effect of luck on the outcome therefore measures the value of such a difference. */
typedef struct Experiment {
    double squares, products; /* of luck, and with what the outcome was beyond expectation */
} Experiment;

static void add_example(const KnComputationValue *model, const KnExamples *set, size_t i, Experiment *all)
{
    const KnExampleTag *tag = &set->tags[i];
    if (!tag->choice_count || tag->choice_count == KN_EXAMPLE_CHOICES) return;
    double material = material_of(set, i), best = points_of(model, tag->deep, tag->index, material), mean = 0;
    for (int c = 0; c < tag->choice_count; c++)
        mean += points_of(model, tag->choices[c], tag->index, material) / tag->choice_count;
    double expected = set->explore * best + (1 - set->explore) * mean;
    double luck = points_of(model, tag->deep - tag->value.single_utility, tag->index, material) - expected;
    Experiment *one = &all[factor_of(model, tag, best)];
    one->squares += luck * luck;
    one->products += luck * ((double)tag->points - best);
}

static double factor_by(Experiment one, double expected)
{
    static const double ridge = 40; /* in units of squares: about what makes a factor known to a twentieth */
    double factor = (one.products + ridge * expected) / (one.squares + ridge);
    return factor < 0 ? 0 : factor > 1 ? 1 : factor;
}

/* Each factor is drawn towards that of its stage, and that towards the common one: few games say little about
 * 24 numbers. */
static KnStatus learn_factors(KnComputationValue *model, const KnExamples *set, KnError *error)
{
    Experiment *all = calloc(FACTORS, sizeof *all), common = {0};
    if (!all) return kn_fail_memory(error, "learning the value of computation");
    for (size_t i = 0; i < set->count; i++) add_example(model, set, i, all);
    for (int f = 0; f < FACTORS; f++) {
        common.squares += all[f].squares;
        common.products += all[f].products;
    }
    double overall = factor_by(common, 0.5);
    for (int s = 0; s < KN_VALUE_STAGES; s++) {
        Experiment stage = {0};
        for (int v = 0; v < KN_VALUE_LEVELS; v++) {
            stage.squares += all[s * KN_VALUE_LEVELS + v].squares;
            stage.products += all[s * KN_VALUE_LEVELS + v].products;
        }
        for (int v = 0; v < KN_VALUE_LEVELS; v++)
            model->factor[s][v] = factor_by(all[s * KN_VALUE_LEVELS + v], factor_by(stage, overall));
    }
    free(all);
    return KN_OK;
}

/* ---- */

KnStatus kn_computation_value_learn(const KnExamples *set, int moves, uint64_t seed, KnComputationValue **out,
                                    KnError *error)
{
    *out = NULL;
    KnComputationValue *model = calloc(1, sizeof *model);
    if (!model) return kn_fail_memory(error, "learning the value of computation");
    model->moves = moves;
    KnStatus status = learn_outcome(model, set, seed, error);
    if (status == KN_OK) status = learn_factors(model, set, error);
    if (status == KN_OK)
        *out = model;
    else
        kn_computation_value_free(model);
    return status;
}

void kn_computation_value_free(KnComputationValue *model)
{
    if (!model) return;
    kn_boost_free(model->outcome);
    free(model);
}

double kn_computation_value_of(const KnComputationValue *model, const KnExamples *set, size_t i)
{
    const KnExampleTag *tag = &set->tags[i];
    double material = material_of(set, i), best = points_of(model, tag->deep, tag->index, material), mean = 0;
    for (int c = 0; c < tag->choice_count; c++)
        mean += points_of(model, tag->choices[c], tag->index, material);
    if (!tag->choice_count) return 0;
    int factor = factor_of(model, tag, best);
    return (best - mean / tag->choice_count) *
           model->factor[factor / KN_VALUE_LEVELS][factor % KN_VALUE_LEVELS];
}
