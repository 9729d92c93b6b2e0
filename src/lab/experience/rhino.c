/* Against somebody else's engine: does the point difference rise over 500 games against gtp-rhino (Debian's
 * grhino)?
 *
 * The engine is another program: what it does cannot be repeated from a seed, so the result is stamped as
 * clocked. Its book varies its openings a little. */
#include <math.h>

#include "base/file.h"
#include "lab/experience/shared.h"
#include "lab/registry.h"

static const char program[] = "/usr/games/gtp-rhino";

static const KnParameter parameters[] = {{"games", 10, 500, "Games of a training run."},
                                         {"repetitions", 1, 2, "Training runs, each with a fresh base."},
                                         {0}};

static const KnInterpretation interpretations[] = {
    {"what a moderate level is", "level 2 of 5: a 2-ply search scores about one point in eight",
     "level 1 is its equal"},
    {0}};

/* The mean of the last fifth less that of the first, games as units. */
static KnMeasure rise(const KnGinaResult *r, KnGinaQuantity quantity)
{
    KnMoments early = {0}, late = {0};
    uint64_t fifth = r->games / 5;
    for (uint64_t training = 0; training < r->repetitions; training++)
        for (uint64_t i = 0; i < fifth; i++) {
            kn_moments_add(&early, quantity(&r->all[training * r->games + i]));
            kn_moments_add(&late, quantity(&r->all[training * r->games + r->games - 1 - i]));
        }
    double value = kn_moments_mean(&late) - kn_moments_mean(&early);
    double reach = 1.96 * sqrt(kn_moments_stderr(&early) * kn_moments_stderr(&early) +
                               kn_moments_stderr(&late) * kn_moments_stderr(&late));
    return kn_measure_estimate(value, value - reach, value + reach, 2 * fifth * r->repetitions);
}

static KnStatus give(KnLabRun *run, const KnGinaResult *r, KnError *error)
{
    static const char row[] = "gtp-rhino, level 2";
    uint64_t fifth = r->games / 5, late = r->games - fifth;
    const struct {
        const char *column;
        KnMeasure measure;
    } cells[] = {{"points ahead, last fifth less first", rise(r, kn_gina_margin)},
                 {"points won, last fifth less first", rise(r, kn_gina_points)},
                 {"points ahead, first fifth", kn_gina_mean(r, kn_gina_margin, 0, fifth, -1)},
                 {"points ahead, last fifth", kn_gina_mean(r, kn_gina_margin, late, r->games, -1)},
                 {"games won, last fifth", kn_gina_mean(r, kn_gina_points, late, r->games, -1)},
                 {"without search, last fifth", kn_gina_without_search(r, late, r->games)},
                 {"positions", kn_gina_mean(r, kn_gina_positions, r->games - 1, r->games, -1)}};
    KnStatus status = KN_OK;
    for (size_t i = 0; i < sizeof cells / sizeof *cells && status == KN_OK; i++)
        status = kn_lab_measured(run, row, cells[i].column, cells[i].measure,
                                 i < 2 ? "Games are the units of this interval." : NULL, error);
    KnPoint points[KN_GINA_CURVE];
    KnSeries series = kn_gina_curve(r, "points ahead", kn_gina_margin, -1, points);
    KnFigure figure = {.id = "rhino",
                       .title = "Points ahead of gtp-rhino",
                       .x_label = "games",
                       .y_label = "points",
                       .series = &series,
                       .series_count = 1};
    return status == KN_OK ? kn_lab_figure(run, &figure, error) : status;
}

static KnStatus rhino(KnLabRun *run, KnError *error)
{
    uint64_t games = (uint64_t)kn_lab_parameter(run, "games"),
             repetitions = (uint64_t)kn_lab_parameter(run, "repetitions");
    KnStatus status = kn_lab_own_table(run, "rhino", "A 2-ply learner against somebody else's engine", "", 2,
                                       error);
    if (status != KN_OK) return status;
    if (!kn_file_exists(program))
        return kn_lab_measured(run, "gtp-rhino, level 2", "games played", kn_measure_single(NAN),
                               "Skipped: /usr/games/gtp-rhino is not installed (Debian's package grhino).",
                               error);
    kn_lab_clocked(run);
    kn_lab_expect(run, games * repetitions);
    KnGinaTraining training = {.key = "rhino",
                               .inner = KN_GINA_INNER,
                               .how = "rule=gina, recall",
                               .opponents = {"gtp(\"/usr/games/gtp-rhino -l 2\")"},
                               .games = games};
    KnGinaResult r;
    status = kn_gina_run(run, &training, repetitions, &r, error);
    if (status == KN_OK) status = give(run, &r, error);
    kn_gina_free(&r);
    return status;
}

const KnExperiment kn_gina_rhino = {
    .head = {"gina.rhino", "the learner against gtp-rhino, an engine of somebody else's", NULL},
    .paper = "dejong-schultz-1988",
    .parameters = parameters,
    .interpretations = interpretations,
    .run = rhino,
};
