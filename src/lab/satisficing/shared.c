#include "lab/satisficing/shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"

KnStatus kn_satisficing_deal(const char *words, KnTrialDistribution *trial, KnError *error)
{
    char copy[300], *rest = copy, *word;
    *trial = kn_trial_distribution_paper();
    if (strlen(words) >= sizeof copy)
        return kn_fail(error, KN_INPUT, "a description of trials with too many words: %s", words);
    strcpy(copy, words);
    KnStatus status = KN_OK;
    while (status == KN_OK && (word = strsep(&rest, " ")))
        if (*word) status = kn_trial_distribution_word(trial, word, error);
    return status;
}

KnStatus kn_satisficing_trials(KnLabRun *run, const char *key, const char *words, double trials,
                               uint32_t rounds, KnOutcomeCounts *tally, KnError *error)
{
    KnTrialPlan plan = {.trials = (uint64_t)trials,
                        .seed = kn_lab_seed(run, key),
                        .rounds = rounds,
                        .jobs = kn_lab_jobs(run),
                        .cancel = kn_lab_cancel(run),
                        .progress = kn_lab_progress(run),
                        .context = kn_lab_context(run)};
    *tally = (KnOutcomeCounts){0};
    KnStatus status = kn_satisficing_deal(words, &plan.trial, error);
    return status == KN_OK ? kn_trials_run(&plan, tally, error) : status;
}

KnMeasure kn_satisficing_cooperation(const KnOutcomeCounts *tally)
{
    return kn_measure_share((double)tally->fixed[KN_CC], tally->trials, 100);
}

KnMeasure kn_satisficing_difference(double first, double n_first, double second, double n_second)
{
    KnInterval a = kn_wilson(first, n_first, KN_Z95), b = kn_wilson(second, n_second, KN_Z95);
    double p = first / n_first, q = second / n_second;
    return kn_measure_estimate(100 * (p - q), 100 * (p - q - kn_math_hypot(p - a.low, b.high - q)),
                               100 * (p - q + kn_math_hypot(a.high - p, q - b.low)),
                               (uint64_t)(n_first + n_second));
}

KnStatus kn_satisficing_map(KnLabRun *run, const char *key, const char *words, double trials,
                            const KnOutcomeMapAxis *x, const KnOutcomeMapAxis *y, KnOutcomeMapPoint **points,
                            KnError *error)
{
    KnTrialPlan plan = {.trials = (uint64_t)trials,
                        .seed = kn_lab_seed(run, key),
                        .jobs = kn_lab_jobs(run),
                        .cancel = kn_lab_cancel(run),
                        .progress = kn_lab_progress(run),
                        .context = kn_lab_context(run)};
    *points = calloc((size_t)x->points * (size_t)y->points, sizeof **points);
    if (!*points) return kn_fail_memory(error, "drawing a map");
    KnStatus status = kn_satisficing_deal(words, &plan.trial, error);
    return status == KN_OK ? kn_trials_map(&plan, x, y, *points, error) : status;
}

KnStatus kn_satisficing_picture(KnLabRun *run, const char *id, const char *title, const KnOutcomeMapAxis *x,
                                const KnOutcomeMapAxis *y, const KnOutcomeMapPoint *points, KnError *error)
{
    size_t count = (size_t)x->points * (size_t)y->points;
    KnPoint *places = calloc(count, sizeof *places);
    if (!places) return kn_fail_memory(error, "drawing a map");
    for (size_t i = 0; i < count; i++) {
        const KnOutcomeMapPoint *p = &points[i];
        uint32_t trials = p->cooperation + p->defection + p->unequal + p->cycles + p->unsettled;
        double value = trials ? 100.0 * p->cooperation / trials : NAN;
        if (trials == 1 && p->cycles) value = 50;
        places[i] = (KnPoint){kn_outcome_map_place(x, (int)(i % (size_t)x->points)),
                              kn_outcome_map_place(y, (int)(i / (size_t)x->points)), value, value};
    }
    KnSeries series = {"cooperation, %", places, count};
    KnFigure figure = {.id = id,
                       .title = title,
                       .x_label = kn_trial_names[x->number],
                       .y_label = kn_trial_names[y->number],
                       .kind = KN_FIGURE_MAP,
                       .series = &series,
                       .series_count = 1};
    KnStatus status = kn_lab_figure(run, &figure, error);
    free(places);
    return status;
}
