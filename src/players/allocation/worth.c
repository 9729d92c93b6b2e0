#include "players/allocation/worth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 10000, FACTORS = KN_WORTH_STAGES * KN_WORTH_LEVELS };

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

static double points_of(const KnWorth *worth, double value, int made, double material)
{
    double columns[COLUMNS];
    if (!columns_of(value, made, material, columns)) return value > 0;
    double points = kn_boost_tell(worth->outcome, columns);
    return points < 0 ? 0 : points > 1 ? 1 : points;
}

/* ---- 1. outcome ---- */

/* Each example counts for both sides, so that an even position is worth half. */
static KnStatus learn_outcome(KnWorth *worth, const KnExamples *set, uint64_t seed, KnError *error)
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
    if (status == KN_OK) status = kn_boost_learn(data, &plan, &rng, &worth->outcome, error);
    kn_dataset_free(data);
    return status;
}

/* ---- 2. how much becomes real ---- */

static int factor_of(const KnWorth *worth, const KnExampleTag *tag, double points)
{
    int stage = tag->index * KN_WORTH_STAGES / worth->moves;
    double off = fabs(points - 0.5);
    if (stage >= KN_WORTH_STAGES) stage = KN_WORTH_STAGES - 1;
    return stage * KN_WORTH_LEVELS + (off < 0.1 ? 0 : off < 0.25 ? 1 : 2);
}

/* The player draws among the moves that its shallow search holds equal, and where it explores it sometimes
 * plays the deep search's move instead. Whether it was lucky, by the deep search's values, is pure chance, so
 * that what luck changes of the outcome is what such a difference is worth. */
typedef struct Experiment {
    double squares, products; /* of luck, and with what the outcome was beyond expectation */
} Experiment;

static void add_example(const KnWorth *worth, const KnExamples *set, size_t i, Experiment *all)
{
    const KnExampleTag *tag = &set->tags[i];
    if (!tag->choice_count || tag->choice_count == KN_EXAMPLE_CHOICES) return;
    double material = material_of(set, i), best = points_of(worth, tag->deep, tag->index, material), mean = 0;
    for (int c = 0; c < tag->choice_count; c++)
        mean += points_of(worth, tag->choices[c], tag->index, material) / tag->choice_count;
    double expected = set->explore * best + (1 - set->explore) * mean;
    double luck = points_of(worth, tag->deep - tag->worth.single_utility, tag->index, material) - expected;
    Experiment *one = &all[factor_of(worth, tag, best)];
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
static KnStatus learn_factors(KnWorth *worth, const KnExamples *set, KnError *error)
{
    Experiment *all = calloc(FACTORS, sizeof *all), common = {0};
    if (!all) return kn_fail_memory(error, "learning what searches are worth");
    for (size_t i = 0; i < set->count; i++) add_example(worth, set, i, all);
    for (int f = 0; f < FACTORS; f++) {
        common.squares += all[f].squares;
        common.products += all[f].products;
    }
    double overall = factor_by(common, 0.5);
    for (int s = 0; s < KN_WORTH_STAGES; s++) {
        Experiment stage = {0};
        for (int v = 0; v < KN_WORTH_LEVELS; v++) {
            stage.squares += all[s * KN_WORTH_LEVELS + v].squares;
            stage.products += all[s * KN_WORTH_LEVELS + v].products;
        }
        for (int v = 0; v < KN_WORTH_LEVELS; v++)
            worth->factor[s][v] = factor_by(all[s * KN_WORTH_LEVELS + v], factor_by(stage, overall));
    }
    free(all);
    return KN_OK;
}

/* ---- */

KnStatus kn_worth_learn(const KnExamples *set, int moves, uint64_t seed, KnWorth **out, KnError *error)
{
    *out = NULL;
    KnWorth *worth = calloc(1, sizeof *worth);
    if (!worth) return kn_fail_memory(error, "learning what searches are worth");
    worth->moves = moves;
    KnStatus status = learn_outcome(worth, set, seed, error);
    if (status == KN_OK) status = learn_factors(worth, set, error);
    if (status == KN_OK)
        *out = worth;
    else
        kn_worth_free(worth);
    return status;
}

void kn_worth_free(KnWorth *worth)
{
    if (!worth) return;
    kn_boost_free(worth->outcome);
    free(worth);
}

double kn_worth_of(const KnWorth *worth, const KnExamples *set, size_t i)
{
    const KnExampleTag *tag = &set->tags[i];
    double material = material_of(set, i), best = points_of(worth, tag->deep, tag->index, material), mean = 0;
    for (int c = 0; c < tag->choice_count; c++)
        mean += points_of(worth, tag->choices[c], tag->index, material);
    if (!tag->choice_count) return 0;
    int factor = factor_of(worth, tag, best);
    return (best - mean / tag->choice_count) *
           worth->factor[factor / KN_WORTH_LEVELS][factor % KN_WORTH_LEVELS];
}
