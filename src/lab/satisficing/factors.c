/* Stimpson, Goodrich and Walters 2001: what leads to cooperation: initial actions (table 2), initial
 * aspirations (figure 6), payoffs (figure 7) and learning rate (figure 8). */
#include "lab/satisficing/shared.h"

#include <stdio.h>
#include <stdlib.h>

static const KnInterpretation drawn[] = {
    {"How are the parameters of Table 1 drawn?",
     "Each uniformly from its range; delta from 0.1 to the sigma drawn before; lambda the same for "
     "both agents.",
     ""},
    {"Of what are the percentages?", "Of all trials, those that end in mutual cooperation forever.", ""},
    KN_SATISFICING_TIES,
    {0}};

/* ---- table 2 ---- */

static const char *const starts[][2] = {
    {"Random", "start=random"}, {"CC", "start=CC"}, {"DD", "start=DD"}, {"DC or CD", "start=mixed"}};
enum { STARTS = sizeof starts / sizeof *starts };

/* Other ways to draw delta, which bring the table out. */
static const char *const variants[][2] = {
    {"delta from -0.1", "delta=-.1..sigma"},
    {"delta up to sigma - 0.1", "delta=.1..sigma-.1"},
    {"delta from 0", "delta=0..sigma"},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const KnParameter table2_parameters[] = {
    {"trials", 1000, 1000, "As many as the paper ran for each row."},
    {"many", 250000, 250000, "A row; a million in all."},
    {0}};

static const KnInterpretation table2_interpretations[] = {
    {"How is delta drawn?",
     "From 0.1 to the sigma drawn before, as Table 1 prints. None of the four numbers comes out: all are "
     "some 8 points "
     "lower than printed, many standard errors.",
     "From -0.1 to sigma, or from 0.1 to sigma - 0.1: either brings all four numbers out within the paper's "
     "sampling error. With the first, "
     "one trial in eight is no prisoner's dilemma; the second keeps the payoffs apart, as the constraint "
     "delta < sigma asks. Which was run, if "
     "either, is not in the paper. From 0: not enough."},
    {"Of what are the percentages?", "Of all trials, those that end in mutual cooperation forever.", ""},
    KN_SATISFICING_TIES,
    {0}};

static const KnTolerance table2_tolerances[] = {
    {"*", 1, 0, "One point: less than the paper's own sampling error of 1.2 to 1.5."}, {0}};

static KnStatus measure_start(KnLabRun *run, const char *label, int start, const char *column,
                              const char *words, double trials, KnError *error)
{
    char key[120], all[120];
    snprintf(key, sizeof key, "%s %s %s", starts[start][0], column, label ? label : "");
    snprintf(all, sizeof all, "%s %s", starts[start][1], words);
    KnOutcomeCounts tally;
    KnStatus status = kn_satisficing_trials(run, key, all, trials, 0, &tally, error);
    if (status != KN_OK) return status;
    KnMeasure share = kn_satisficing_cooperation(&tally);
    kn_tally_free(&tally);
    if (!label) return kn_lab_cell(run, starts[start][0], column, share, NULL, error);
    char name[120];
    snprintf(name, sizeof name, "%s, %s", starts[start][0], label);
    return kn_lab_variant(run, name, starts[start][0], column, share, error);
}

static KnStatus measure_table2(KnLabRun *run, KnError *error)
{
    double trials = kn_lab_parameter(run, "trials"), many = kn_lab_parameter(run, "many");
    kn_lab_expect(run, (uint64_t)(STARTS * (trials + many * (1 + VARIANTS))));
    KnStatus status = KN_OK;
    for (int s = 0; s < STARTS && status == KN_OK; s++) {
        status = measure_start(run, NULL, s, "as published", "", trials, error);
        if (status == KN_OK) status = measure_start(run, NULL, s, "many trials", "", many, error);
    }
    for (int v = 0; v < VARIANTS; v++)
        for (int s = 0; s < STARTS && status == KN_OK; s++)
            status = measure_start(run, variants[v][0], s, "many trials", variants[v][1], many, error);
    return status;
}

const KnExperiment kn_satisficing_table2 = {
    .head = {"satisficing.table2", "cooperation by initial actions", NULL},
    .paper = "stimpson-2001",
    .source = "table2",
    .parameters = table2_parameters,
    .interpretations = table2_interpretations,
    .tolerances = table2_tolerances,
    .run = measure_table2,
};

/* ---- figures 6 and 7 ---- */

static const KnParameter map_parameters[] = {
    {"points", 16, 32, "Points each way. The paper does not say how fine its contours are."},
    {"trials", 1000, 1000, "A point, as the paper; about a million in all at the paper's scale."},
    {0}};

/* Sums trials and cooperation over the points of a map that a test picks. */
typedef struct Sum {
    double cooperation, trials;
} Sum;

static void add_point(Sum *sum, const KnOutcomeMapPoint *p)
{
    sum->cooperation += p->cooperation;
    sum->trials += p->cooperation + p->defection + p->unequal + p->cycles + p->unsettled;
}

static KnMeasure difference(const Sum *a, const Sum *b)
{
    return kn_satisficing_difference(a->cooperation, a->trials, b->cooperation, b->trials);
}

static KnStatus measure_fig6(KnLabRun *run, KnError *error)
{
    int points = (int)kn_lab_parameter(run, "points");
    double trials = kn_lab_parameter(run, "trials");
    KnOutcomeMapAxis x = {KN_TRIAL_ALPHA, .5, 2, points}, y = {KN_TRIAL_BETA, .5, 2, points};
    KnOutcomeMapPoint *map = NULL;
    kn_lab_expect(run, (uint64_t)(trials * points * points));
    KnStatus status = kn_satisficing_map(run, "map", "", trials, &x, &y, &map, error);
    Sum high = {0, 0}, low = {0, 0}, lowest = {0, 0};
    for (int i = 0; i < points * points && status == KN_OK; i++) {
        double a = kn_outcome_map_place(&x, i % points), b = kn_outcome_map_place(&y, i / points);
        if (a > 1.5 && b > 1.5) add_point(&high, &map[i]);
        if (a < 1 && b < 1) add_point(&low, &map[i]);
        if (a < .75 && b < .75) add_point(&lowest, &map[i]);
    }
    if (status == KN_OK)
        status = kn_lab_cell(run, "both aspirations above 1.5 less both below 1", "cooperation",
                             difference(&high, &low), NULL, error);
    if (status == KN_OK) status = kn_lab_own_table(run, "low", "Low aspirations", "%", 1, error);
    if (status == KN_OK)
        status = kn_lab_measured(
            run, "both aspirations below 0.75", "cooperation",
            kn_measure_share(lowest.cooperation, (uint64_t)lowest.trials, 100),
            "the text: they \"tend to remain satisfied with mutual defection or settle into cycles\"", error);
    if (status == KN_OK)
        status = kn_satisficing_picture(run, "fig6",
                                        "Cooperation over initial aspirations, % of the trials at each point",
                                        &x, &y, map, error);
    free(map);
    return status;
}

const KnExperiment kn_satisficing_fig6 = {
    .head = {"satisficing.fig6", "cooperation over both initial aspirations", NULL},
    .paper = "stimpson-2001",
    .source = "fig6",
    .parameters = map_parameters,
    .interpretations = drawn,
    .run = measure_fig6,
};

static KnStatus measure_fig7(KnLabRun *run, KnError *error)
{
    int points = (int)kn_lab_parameter(run, "points");
    double trials = kn_lab_parameter(run, "trials");
    KnOutcomeMapAxis x = {KN_TRIAL_DELTA, .1, 1, points}, y = {KN_TRIAL_SIGMA, .51, 1, points};
    KnOutcomeMapPoint *map = NULL;
    kn_lab_expect(run, (uint64_t)(trials * points * points));
    KnStatus status = kn_satisficing_map(run, "map", "delta<sigma", trials, &x, &y, &map, error);
    Sum corner = {0, 0}, rest = {0, 0}, apart = {0, 0}, close = {0, 0};
    for (int i = 0; i < points * points && status == KN_OK; i++) {
        double delta = kn_outcome_map_place(&x, i % points), sigma = kn_outcome_map_place(&y, i / points);
        add_point(delta < .25 && sigma > .85 ? &corner : &rest, &map[i]);
        if (sigma - delta > .4) add_point(&apart, &map[i]);
        if (sigma - delta < .1) add_point(&close, &map[i]);
    }
    if (status == KN_OK)
        status = kn_lab_cell(run, "delta below 0.25 and sigma above 0.85, less the rest", "cooperation",
                             difference(&corner, &rest), NULL, error);
    if (status == KN_OK)
        status = kn_lab_cell(run, "sigma - delta above 0.4 less below 0.1", "cooperation",
                             difference(&apart, &close), NULL, error);
    if (status == KN_OK)
        status = kn_satisficing_picture(
            run, "fig7", "Cooperation over the payoffs, % of the trials at each point", &x, &y, map, error);
    free(map);
    return status;
}

const KnExperiment kn_satisficing_fig7 = {
    .head = {"satisficing.fig7", "cooperation over the payoffs of mutual defection and cooperation", NULL},
    .paper = "stimpson-2001",
    .source = "fig7",
    .parameters = map_parameters,
    .interpretations = drawn,
    .run = measure_fig7,
};

/* ---- figure 8 ---- */

static const double lambdas[] = {.1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .99, 1};
enum { LAMBDAS = sizeof lambdas / sizeof *lambdas };

static const KnParameter fig8_parameters[] = {
    {"trials", 1000, 1000, "A point, as the paper."},
    {"many", 20000, 85000, "A point; a million in all at the paper's scale."},
    {0}};

static const KnInterpretation fig8_interpretations[] = {
    {"At which lambdas was the curve measured?", "0.1 to 0.9 in tenths, 0.95, 0.99 and 1.",
     "Without anything between 0.9 and 1 the curve only rises, as the text says; it has its peak near 0.95."},
    {"How are the other parameters drawn?", "By Table 1, as for figure 5.", ""},
    KN_SATISFICING_TIES,
    {0}};

static KnStatus draw_fig8(KnLabRun *run, const KnMeasure shares[2][LAMBDAS], KnError *error)
{
    KnPoint points[2][LAMBDAS];
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < LAMBDAS; i++)
            points[s][i] = (KnPoint){lambdas[i], shares[s][i].value, shares[s][i].low, shares[s][i].high};
    KnSeries series[] = {{"1,000 trials a point", points[0], LAMBDAS},
                         {"many trials a point", points[1], LAMBDAS}};
    KnFigure figure = {.id = "fig8",
                       .title = "Cooperation by lambda",
                       .x_label = "lambda",
                       .y_label = "%",
                       .kind = KN_FIGURE_LINES,
                       .series = series,
                       .series_count = 2};
    return kn_lab_figure(run, &figure, error);
}

static KnStatus measure_fig8(KnLabRun *run, KnError *error)
{
    double sizes[] = {kn_lab_parameter(run, "trials"), kn_lab_parameter(run, "many")};
    KnMeasure shares[2][LAMBDAS];
    kn_lab_expect(run, (uint64_t)(LAMBDAS * (sizes[0] + sizes[1])));
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < LAMBDAS; i++) {
            char key[60], words[40];
            snprintf(key, sizeof key, "%d lambda %g", s, lambdas[i]);
            snprintf(words, sizeof words, "lambda=%g", lambdas[i]);
            KnOutcomeCounts tally;
            KnStatus status = kn_satisficing_trials(run, key, words, sizes[s], 0, &tally, error);
            if (status != KN_OK) return status;
            shares[s][i] = kn_satisficing_cooperation(&tally);
            kn_tally_free(&tally);
        }
    KnStatus status = KN_OK;
    for (int i = 0; i + 2 < LAMBDAS && status == KN_OK; i++) {
        char row[40];
        snprintf(row, sizeof row, "%g to %g", lambdas[i], lambdas[i + 1]);
        double n = sizes[1];
        KnMeasure rise = kn_satisficing_difference(shares[1][i + 1].value * n / 100, n,
                                                   shares[1][i].value * n / 100, n);
        status = kn_lab_cell(run, row, "change of cooperation", rise, NULL, error);
    }
    if (status == KN_OK)
        status = kn_lab_cell(run, "lambda = 1", "cooperation", shares[1][LAMBDAS - 1], NULL, error);
    if (status == KN_OK) status = kn_lab_own_table(run, "curve", "Cooperation by lambda", "%", 2, error);
    for (int i = 0; i < LAMBDAS && status == KN_OK; i++) {
        char row[40];
        snprintf(row, sizeof row, "lambda %g", lambdas[i]);
        status = kn_lab_measured(run, row, "1,000 trials", shares[0][i], NULL, error);
        if (status == KN_OK) status = kn_lab_measured(run, row, "many trials", shares[1][i], NULL, error);
    }
    return status == KN_OK ? draw_fig8(run, (const KnMeasure(*)[LAMBDAS])shares, error) : status;
}

const KnExperiment kn_satisficing_fig8 = {
    .head = {"satisficing.fig8", "cooperation by the learning rate lambda", NULL},
    .paper = "stimpson-2001",
    .source = "fig8",
    .parameters = fig8_parameters,
    .interpretations = fig8_interpretations,
    .run = measure_fig8,
};
