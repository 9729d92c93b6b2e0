/* Against an opponent that plays every tenth move at random: where the paper's learner ends behind, and what
 * a rule that uses averages reaches. */
#include <stdio.h>

#include "lab/experience/shared.h"
#include "lab/registry.h"

#define SHAKY  "noisy(" KN_GINA_OPPONENT ", epsilon=0.1)"
#define EXPECT "rule=expect, weight=10, ahead=8, curiosity=0.01"

static const struct {
    const char *name, *inner, *how;
} rows[] = {{"2 plies, gina", KN_GINA_INNER, "rule=gina, recall"},
            {"2 plies, expect", KN_GINA_INNER, EXPECT},
            {"2 plies with learned patterns, expect",
             "alphabeta(depth=2, eval=features(weights=othello-patterns))", EXPECT}};
enum { ROWS = sizeof rows / sizeof *rows };

static const KnParameter parameters[] = {
    {"games", 20, 2000, "Games of a training run."},
    {"repetitions", 2, 4, "Training runs, each with a fresh base."},
    {"plain games", 20, 400, "Games of each inner player without experience."},
    {0}};

/* Won over games from..to-1 of all training runs, a draw half; games as units. */
static KnMeasure won(const KnGinaResult *r, uint64_t from, uint64_t to)
{
    double points = 0;
    for (uint64_t training = 0; training < r->repetitions; training++)
        for (uint64_t i = from; i < to; i++) points += kn_gina_points(&r->all[training * r->games + i]) / 100;
    return kn_measure_share(points, (to - from) * r->repetitions, 100);
}

static KnStatus give(KnLabRun *run, const char *row, const KnGinaResult *r, KnError *error)
{
    uint64_t fifth = r->games / 5;
    KnStatus status = kn_lab_measured(run, row, "first fifth", won(r, 0, fifth), NULL, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, row, "last fifth", won(r, r->games - fifth, r->games),
                                 "Games are the units of the intervals.", error);
    return status;
}

static KnStatus shaky(KnLabRun *run, KnError *error)
{
    uint64_t games = (uint64_t)kn_lab_parameter(run, "games"),
             repetitions = (uint64_t)kn_lab_parameter(run, "repetitions"),
             plain = (uint64_t)kn_lab_parameter(run, "plain games");
    kn_lab_expect(run, ROWS * (games * repetitions + plain));
    KnPoint points[ROWS][KN_GINA_CURVE];
    KnSeries series[ROWS];
    KnMeasure positions[ROWS];
    KnStatus status = kn_lab_own_table(
        run, "shaky", "Won against the 10%-random opponent of 5 plies, with and without experience", "%", 1,
        error);
    for (int i = 0; i < ROWS && status == KN_OK; i++) {
        char key[80];
        snprintf(key, sizeof key, "plain, %s", rows[i].name);
        KnMatchPlan plan = {.game = "othello", .players = {rows[i].inner, SHAKY}, .games = plain};
        KnMatchResult match;
        status = kn_lab_match(run, key, plan, &match, error);
        if (status != KN_OK) break;
        const KnStanding *s = &match.standing;
        status = kn_lab_measured(run, rows[i].name, "without experience",
                                 kn_measure_share((double)s->wins + (double)s->draws / 2, s->games, 100),
                                 NULL, error);
        KnGinaTraining training = {.key = rows[i].name,
                                   .inner = rows[i].inner,
                                   .how = rows[i].how,
                                   .opponents = {SHAKY},
                                   .games = games};
        KnGinaResult r;
        if (status == KN_OK) status = kn_gina_run(run, &training, repetitions, &r, error);
        if (status != KN_OK) break;
        status = give(run, rows[i].name, &r, error);
        series[i] = kn_gina_curve(&r, rows[i].name, kn_gina_points, -1, points[i]);
        positions[i] = kn_gina_mean(&r, kn_gina_positions, games - 1, games, -1);
        kn_gina_free(&r);
    }
    if (status == KN_OK)
        status = kn_lab_own_table(run, "positions", "Positions in the base after all games", "positions", 0,
                                  error);
    for (int i = 0; i < ROWS && status == KN_OK; i++)
        status = kn_lab_measured(run, rows[i].name, "positions", positions[i], NULL, error);
    KnFigure figure = {.id = "shaky",
                       .title = "Won against the 10%-random opponent",
                       .x_label = "games",
                       .y_label = "%",
                       .series = series,
                       .series_count = ROWS};
    return status == KN_OK ? kn_lab_figure(run, &figure, error) : status;
}

const KnExperiment kn_gina_shaky = {
    .head = {"gina.shaky", "against an opponent with 10% random moves: by min-max, and by averages", NULL},
    .paper = "dejong-schultz-1988",
    .parameters = parameters,
    .run = shaky,
};
