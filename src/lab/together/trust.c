/* When can experience be trusted without a search? What a learned policy saves, at which strength, and what
 * the saved positions gain elsewhere. */
#include "lab/together/shared.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "lab/registry.h"

enum { GAMES = 3, THRESHOLDS = 3 };

static const int games[GAMES] = {1, 2, 0}; /* on Fives a base of this size knows next to nothing, and on game
                                              descriptions it takes long to make */
static const double thresholds[THRESHOLDS] = {0.001, 0.05, 1};
static const char *const names[THRESHOLDS] = {"doubt .001", "doubt .05", "always trusted"};

/* A match a training: points, and the share of the base's positions that were not played. */
typedef struct Side {
    KnTogetherScore score;
    KnMeasure saved;
} Side;

static double share_saved(const KnStanding *s)
{
    double own = (double)s->cost[0].nodes / fmax(1, (double)s->decisions[0]),
           base = (double)s->cost[1].nodes / fmax(1, (double)s->decisions[1]);
    return base > 0 ? 1 - own / base : 0;
}

static KnStatus measure(KnLabRun *run, const KnTogetherGame *game, unsigned parts, int threshold,
                        const KnTogetherTraining *training, Side *side, KnError *error)
{
    KN_ASSERT(threshold >= 0 && threshold < THRESHOLDS);
    int seeds = (int)kn_lab_parameter(run, "seeds");
    KnStanding by_seed[KN_TOGETHER_SEEDS];
    KnMoments moments = {0};
    double positions = kn_lab_parameter(run, "positions");
    for (int i = 0; i < seeds; i++) {
        char key[200];
        snprintf(key, sizeof key, "%s, %s, %s, %d", game->spec, names[threshold],
                 parts & KN_WITH_SAVING ? "saving" : "spending", i + 1);
        KnTogetherMatch match = {.game = game,
                                 .parts = parts,
                                 .seed = (uint64_t)i + 1,
                                 .games = (uint64_t)kn_lab_parameter(run, "games"),
                                 .positions = positions,
                                 .other_positions = positions,
                                 .threshold = thresholds[threshold],
                                 .training = training};
        KnStatus status = kn_together_match(run, key, &match, &by_seed[i], error);
        if (status != KN_OK) return status;
        kn_moments_add(&moments, share_saved(&by_seed[i]));
    }
    side->score = kn_together_score(by_seed, seeds);
    double reach = kn_student_t_quantile(0.975, seeds > 1 ? seeds - 1 : 1) * kn_moments_stderr(&moments),
           mean = kn_moments_mean(&moments);
    side->saved = kn_measure_estimate(mean, mean - reach, mean + reach, (uint64_t)seeds);
    return KN_OK;
}

static KnStatus give(KnLabRun *run, const KnTogetherGame *game, int number, const Side sides[THRESHOLDS][2],
                     KnError *error)
{
    char id[40], title[200];
    KnPoint points[2][THRESHOLDS];
    snprintf(id, sizeof id, "trust%d", number + 1);
    snprintf(title, sizeof title, "%s: experience trusted without a search", game->name);
    KnStatus status = kn_lab_own_table(run, id, title, "", 3, error);
    for (int d = 0; d < THRESHOLDS && status == KN_OK; d++) {
        const Side *saving = &sides[d][0], *spending = &sides[d][1];
        status = kn_lab_measured(run, names[d], "positions saved", saving->saved, NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, names[d], "points, saving", saving->score.measure, NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, names[d], "points, spending", spending->score.measure, NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, names[d], "then saved", spending->saved, NULL, error);
        for (int s = 0; s < 2; s++) {
            KnMeasure m = sides[d][s].score.measure;
            points[s][d] = (KnPoint){saving->saved.value, m.value, m.low, m.high};
        }
    }
    KnSeries series[2] = {{"saving", points[0], THRESHOLDS}, {"spending elsewhere", points[1], THRESHOLDS}};
    KnFigure figure = {.id = id,
                       .title = title,
                       .x_label = "share of positions saved",
                       .y_label = "share of points",
                       .series = series,
                       .series_count = 2};
    return status == KN_OK ? kn_lab_figure(run, &figure, error) : status;
}

static KnStatus run_trust(KnLabRun *run, KnError *error)
{
    static const unsigned parts[2] = {KN_WITH_EXPERIENCE | KN_WITH_TRUST | KN_WITH_SAVING,
                                      KN_WITH_EXPERIENCE | KN_WITH_TRUST};
    KnTogetherTraining training = {.games = (uint64_t)(2 * kn_lab_parameter(run, "base games")),
                                   .examples = (uint64_t)kn_lab_parameter(run, "examples")};
    kn_lab_expect(run, (uint64_t)(GAMES * THRESHOLDS * 2 * kn_lab_parameter(run, "seeds") *
                                  kn_lab_parameter(run, "games")));
    KnStatus status = KN_OK;
    for (int g = 0; g < GAMES && status == KN_OK; g++) {
        const KnTogetherGame *game = &kn_together_games[games[g]];
        Side sides[THRESHOLDS][2];
        for (int d = 0; d < THRESHOLDS * 2 && status == KN_OK; d++)
            status = measure(run, game, parts[d % 2], d / 2, &training, &sides[d / 2][d % 2], error);
        if (status == KN_OK) status = give(run, game, g, sides, error);
    }
    return status;
}

static const KnParameter parameters[] = {{"positions", 240, 400, "A move."},
                                         {"seeds", 2, 6, "Trainings; the errors are over them."},
                                         {"games", 2, 16, "Of a match, with each training."},
                                         {"base games", 20, 1000, "That a base is made of."},
                                         {"examples", 40, 3000, "That its policy is learned from."},
                                         {0}};

static const KnTolerance tolerances[] = {{"*", 0.02, 0, "Nothing was published: these are our own."}, {0}};

const KnExperiment kn_together_trust = {
    .head = {"together.trust", "what a learned trust in experience saves, and what that gains elsewhere",
             NULL},
    .paper = "together",
    .parameters = parameters,
    .interpretations = kn_together_interpretations,
    .tolerances = tolerances,
    .run = run_trust,
};
