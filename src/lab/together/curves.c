/* Strength against search cost, and against training games. */
#include "lab/together/shared.h"

#include <stdio.h>
#include <string.h>

#include "lab/registry.h"

enum { ROWS = 3, POINTS = 5 };

static const struct {
    const char *name;
    unsigned parts;
} costs[ROWS] = {{"base", 0}, {"td", KN_WITH_TD}, {"td + proof", KN_WITH_TD | KN_WITH_PROOF}},
  trainings[2] = {{"td", KN_WITH_TD}, {"experience", KN_WITH_EXPERIENCE}};

static KnStatus point_of(KnLabRun *run, const KnTogetherMatch *match, const char *what, double x,
                         KnPoint *point, KnTogetherScore *score, KnError *error)
{
    int seeds = (int)kn_lab_parameter(run, "seeds");
    KnStanding by_seed[KN_TOGETHER_SEEDS];
    for (int i = 0; i < seeds; i++) {
        char key[200];
        KnTogetherMatch one = *match;
        one.seed = match->seed + (uint64_t)i;
        snprintf(key, sizeof key, "%s, %s at %g, %llu", match->game->spec, what, x,
                 (unsigned long long)one.seed);
        KnStatus status = kn_together_match(run, key, &one, &by_seed[i], error);
        if (status != KN_OK) return status;
    }
    *score = kn_together_score(by_seed, seeds);
    *point = (KnPoint){x, score->measure.value, score->measure.low, score->measure.high};
    return KN_OK;
}

/* One game's curves, as rows of a table and a figure. */
typedef struct Curves {
    const KnTogetherGame *game;
    const char *id, *title, *x_label;
    int rows, points;
    const char *names[ROWS];
    KnPoint at[ROWS][POINTS];
    KnTogetherScore scores[ROWS][POINTS];
} Curves;

static KnStatus give(KnLabRun *run, const Curves *c, KnError *error)
{
    KnStatus status = kn_lab_own_table(run, c->id, c->title, "", 3, error);
    KnSeries series[ROWS];
    for (int r = 0; r < c->rows && status == KN_OK; r++) {
        series[r] = (KnSeries){c->names[r], c->at[r], (size_t)c->points};
        for (int p = 0; p < c->points && status == KN_OK; p++) {
            char column[40];
            snprintf(column, sizeof column, "%g", c->at[r][p].x);
            status = kn_lab_measured(run, c->names[r], column, c->scores[r][p].measure, NULL, error);
        }
    }
    if (status != KN_OK) return status;
    KnFigure figure = {.id = c->id,
                       .title = c->title,
                       .x_label = c->x_label,
                       .y_label = "share of points",
                       .steps = true,
                       .series = series,
                       .series_count = (size_t)c->rows};
    return kn_lab_figure(run, &figure, error);
}

static KnStatus run_cost(KnLabRun *run, KnError *error)
{
    static const double factors[POINTS] = {0.25, 0.5, 1, 2, 4};
    KnTogetherTraining training = {.games = (uint64_t)kn_lab_parameter(run, "training games"),
                                   .examples = 20};
    double positions = kn_lab_parameter(run, "positions");
    kn_lab_expect(run, (uint64_t)(KN_TOGETHER_GAMES * ROWS * POINTS * kn_lab_parameter(run, "seeds") *
                                  kn_lab_parameter(run, "games")));
    KnStatus status = KN_OK;
    for (int g = 0; g < KN_TOGETHER_GAMES && status == KN_OK; g++) {
        char id[40], title[160];
        const KnTogetherGame *game = &kn_together_games[g];
        snprintf(id, sizeof id, "cost%d", g + 1);
        snprintf(title, sizeof title, "%s: against the base at %.0f positions a move", game->name, positions);
        Curves c = {.game = game,
                    .id = id,
                    .title = title,
                    .x_label = "positions a move",
                    .rows = ROWS,
                    .points = POINTS};
        for (int r = 0; r < ROWS; r++)
            for (int p = 0; p < POINTS && status == KN_OK; p++) {
                KnTogetherMatch match = {.game = game,
                                         .parts = costs[r].parts,
                                         .seed = 1,
                                         .games = (uint64_t)kn_lab_parameter(run, "games"),
                                         .positions = positions * factors[p],
                                         .other_positions = positions,
                                         .training = &training};
                c.names[r] = costs[r].name;
                status = point_of(run, &match, costs[r].name, positions * factors[p], &c.at[r][p],
                                  &c.scores[r][p], error);
            }
        if (status == KN_OK) status = give(run, &c, error);
    }
    return status;
}

static KnStatus run_training(KnLabRun *run, KnError *error)
{
    static const double shares[POINTS] = {0.01, 0.03, 0.1, 0.3, 1};
    double most = kn_lab_parameter(run, "training games"), positions = kn_lab_parameter(run, "positions");
    kn_lab_expect(run, (uint64_t)(KN_TOGETHER_GAMES * 2 * POINTS * kn_lab_parameter(run, "seeds") *
                                  kn_lab_parameter(run, "games")));
    KnStatus status = KN_OK;
    for (int g = 0; g < KN_TOGETHER_GAMES && status == KN_OK; g++) {
        char id[40], title[160];
        const KnTogetherGame *game = &kn_together_games[g];
        snprintf(id, sizeof id, "training%d", g + 1);
        snprintf(title, sizeof title, "%s: against the base, by games learned from", game->name);
        Curves c = {.game = game, .id = id, .title = title, .x_label = "games", .rows = 2, .points = POINTS};
        for (int r = 0; r < 2; r++)
            for (int p = 0; p < POINTS && status == KN_OK; p++) {
                /* Experience learns from half of the training games: it gets twice as many here, so that the
                 * axis is right. */
                KnTogetherTraining training = {.games = (uint64_t)(most * shares[p] * (r ? 2 : 1)),
                                               .examples = 20};
                KnTogetherMatch match = {.game = game,
                                         .parts = trainings[r].parts,
                                         .seed = 1,
                                         .games = (uint64_t)kn_lab_parameter(run, "games"),
                                         .positions = positions,
                                         .other_positions = positions,
                                         .training = &training};
                c.names[r] = trainings[r].name;
                status = point_of(run, &match, trainings[r].name, most * shares[p], &c.at[r][p],
                                  &c.scores[r][p], error);
            }
        if (status == KN_OK) status = give(run, &c, error);
    }
    return status;
}

static const KnParameter cost_parameters[] = {{"positions", 240, 400, "A move of the base."},
                                              {"seeds", 2, 6, "Trainings; the error is over them."},
                                              {"games", 2, 8, "Of a match, with each training."},
                                              {"training games", 8, 1000, "Of td."},
                                              {0}};

static const KnParameter training_parameters[] = {
    {"positions", 100, 400, "A move."},
    {"seeds", 2, 6, "Trainings; the error is over them."},
    {"games", 2, 8, "Of a match, with each training."},
    {"training games", 100, 1000, "At the end of the axis, which begins with a hundredth of it."},
    {0}};

static const KnTolerance tolerances[] = {{"*", 0.02, 0, "Nothing was published: these are our own."}, {0}};

const KnExperiment kn_together_cost_curve = {
    .head = {"together.cost", "strength against search cost, of the search alone and with methods on top",
             NULL},
    .paper = "together",
    .parameters = cost_parameters,
    .interpretations = kn_together_interpretations,
    .tolerances = tolerances,
    .run = run_cost,
};

const KnExperiment kn_together_training_curve = {
    .head = {"together.training", "strength against the games that were learned from", NULL},
    .paper = "together",
    .parameters = training_parameters,
    .interpretations = kn_together_interpretations,
    .tolerances = tolerances,
    .run = run_training,
};
