/* Stimpson, Goodrich and Walters 2001: the worked example (figure 2), outcomes over initial aspirations
 * (figure 4) and how often each comes up (figure 5). */
#include "lab/satisficing/shared.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- figure 2 ---- */

static KnStatus measure_fig2(KnLabRun *run, KnError *error)
{
    static const double pay[2][2] = {{3, 1}, {4, 2}};
    KnSatisficer agent = kn_satisficer(.5, 4, 0, 2);
    KnStatus status = KN_OK;
    for (int t = 0, opponent = 0; t < 4 && status == KN_OK; t++) {
        char row[16];
        snprintf(row, sizeof row, "t = %d", t);
        double aspiration = agent.aspiration;
        int action = kn_satisficer_choose(&agent, NULL);
        double payoff = pay[action][opponent];
        status = kn_lab_cell(run, row, "tit-for-tat cooperates", kn_measure_exact(!opponent), NULL, error);
        if (status == KN_OK)
            status = kn_lab_cell(run, row, "agent cooperates", kn_measure_exact(!action), NULL, error);
        if (status == KN_OK) status = kn_lab_cell(run, row, "payoff", kn_measure_exact(payoff), NULL, error);
        if (status == KN_OK)
            status = kn_lab_cell(run, row, "aspiration", kn_measure_exact(aspiration),
                                 t == 3 ? "2.875 exactly: printed cut off, not rounded" : NULL, error);
        kn_satisficer_earn(&agent, action, payoff);
        opponent = action;
    }
    return status;
}

static const KnTolerance fig2_tolerances[] = {
    {"aspiration", .01, 0, "Two digits are printed, and the last one is cut off rather than rounded."},
    {"*", 0, 0, "Exact."},
    {0}};

const KnExperiment kn_satisficing_fig2 = {
    .head = {"satisficing.fig2", "the worked example against tit for tat", NULL},
    .paper = "stimpson-2001",
    .source = "fig2",
    .tolerances = fig2_tolerances,
    .run = measure_fig2,
};

/* ---- figure 4 ---- */

static const KnParameter fig4_parameters[] = {{"points", 61, 81,
                                               "Points each way. The paper's pictures have no grid that "
                                               "could be counted; `knack satisfice map` draws finer ones."},
                                              {0}};

static const KnInterpretation fig4_interpretations[] = {
    {"Over which aspirations are the pictures drawn?", "From 0 to 2 each.",
     "From 0.5 to 2, as Table 1 draws them: a part of this."},
    {"Is there a number to compare?",
     "None: the figure is three pictures. The shares measured are for later comparison.", ""},
    KN_SATISFICING_TIES,
    {0}};

static KnStatus measure_fig4(KnLabRun *run, const char *id, const char *words, const char *title,
                             KnError *error)
{
    int points = (int)kn_lab_parameter(run, "points");
    KnOutcomeMapAxis x = {KN_TRIAL_ALPHA, 0, 2, points}, y = {KN_TRIAL_BETA, 0, 2, points};
    KnOutcomeMapPoint *map = NULL;
    kn_lab_expect(run, (uint64_t)points * (uint64_t)points);
    KnStatus status = kn_satisficing_map(run, "map", words, 1, &x, &y, &map, error);
    if (status == KN_OK) status = kn_lab_own_table(run, id, title, "%", 2, error);
    uint64_t counts[5] = {0}, all = (uint64_t)points * (uint64_t)points;
    for (uint64_t i = 0; i < all && status == KN_OK; i++) {
        counts[0] += map[i].cooperation;
        counts[1] += map[i].defection;
        counts[2] += map[i].cycles;
        counts[3] += map[i].unequal;
        counts[4] += map[i].unsettled;
    }
    static const char *const rows[] = {"mutual cooperation (white)", "mutual defection (black)",
                                       "a cycle (grey)", "one cooperates forever", "unsettled"};
    for (int i = 0; i < 5 && status == KN_OK; i++) {
        KnMeasure share =
            kn_measure_exact(100 * (double)counts[i] / (double)all); /* of a grid: no chance is in it */
        if (counts[i] || i < 3)
            status = kn_lab_measured(run, rows[i], "share of the points", share, NULL, error);
    }
    char legend[160];
    snprintf(legend, sizeof legend, "%s (100: cooperation, 50: cycle, 0: defection)", title);
    if (status == KN_OK) status = kn_satisficing_picture(run, id, legend, &x, &y, map, error);
    free(map);
    return status;
}

static KnStatus measure_fig4a(KnLabRun *run, KnError *error)
{
    return measure_fig4(run, "fig4a", "start=DD sigma=.8 delta=.7 lambda=.9",
                        "Figure 4a: start DD, sigma 0.8, delta 0.7, lambda 0.9", error);
}

static KnStatus measure_fig4b(KnLabRun *run, KnError *error)
{
    return measure_fig4(run, "fig4b", "start=CC sigma=.8 delta=.5 lambda=.5",
                        "Figure 4b: start CC, sigma 0.8, delta 0.5, lambda 0.5", error);
}

static KnStatus measure_fig4c(KnLabRun *run, KnError *error)
{
    return measure_fig4(run, "fig4c", "start=DC sigma=.6 delta=.5 lambda=.8",
                        "Figure 4c: start DC, sigma 0.6, delta 0.5, lambda 0.8", error);
}

#define FIGURE_4(letter, what)                                                                               \
    const KnExperiment kn_satisficing_fig4##letter = {                                                       \
        .head = {"satisficing.fig4" #letter, "the outcome over both initial aspirations: " what, NULL},      \
        .paper = "stimpson-2001",                                                                            \
        .parameters = fig4_parameters,                                                                       \
        .interpretations = fig4_interpretations,                                                             \
        .run = measure_fig4##letter,                                                                         \
    }
FIGURE_4(a, "both begin with D, slow learning");
FIGURE_4(b, "both begin with C, fast learning");
FIGURE_4(c, "one of each");

/* ---- figure 5 ---- */

enum { CODE_CC = 4 | KN_CC, CODE_DD = 4 | KN_DD };
static const uint64_t TURNS = 1 << 8 | KN_DD << 6 | KN_DC << 4 | KN_DD << 2 | KN_CD,
                      EXPLOIT = 1 << 6 | KN_DD << 4 | KN_CC << 2 | KN_DC;

static const KnParameter fig5_parameters[] = {
    {"trials", 5000, 5000, "As many as the paper ran."},
    {"many", 1000000, 1000000, "Two hundred times as many: our own error is then below a tenth of a point."},
    {0}};

static const KnInterpretation fig5_interpretations[] = {
    {"How are the parameters of Table 1 drawn?",
     "Each uniformly from its range; delta from 0.1 to the sigma drawn before; lambda the same for "
     "both agents; each first action by a fair coin.",
     "See satisficing.table2 for interpretations that give other shares."},
    {"What is \"some variation on\" a cycle?",
     "The same cycle begun elsewhere, or with the agents exchanged.", ""},
    KN_SATISFICING_TIES,
    {0}};

static const KnTolerance fig5_tolerances[] = {{"*", .1, 0, "A tenth of a point."}, {0}};

static KnStatus compare_fig5(KnLabRun *run, const char *column, const KnOutcomeCounts *tally, KnError *error)
{
    uint64_t turns = kn_tally_count(tally, TURNS),
             four = tally->fixed[KN_CC] + tally->fixed[KN_DD] + turns + kn_tally_count(tally, EXPLOIT);
    KnMeasure others = kn_measure_share((double)(tally->trials - four), tally->trials, 100);
    KnStatus status = kn_lab_cell(run, "other than the four outcomes", column, others, NULL, error);
    double n = (double)tally->trials;
    KnMeasure lead = kn_satisficing_difference((double)tally->fixed[KN_CC], n, (double)turns, n);
    if (status == KN_OK)
        status = kn_lab_cell(run, "CC less the next most frequent outcome", column, lead, NULL, error);
    return status;
}

static KnStatus tell_fig5(KnLabRun *run, const char *column, const KnOutcomeCounts *tally, KnError *error)
{
    static const struct {
        const char *name;
        uint64_t code;
    } rows[] = {{"CC", CODE_CC}, {"DD", CODE_DD}, {"DD-DC-DD-CD", TURNS}, {"DD-CC-DC", EXPLOIT}};
    KnStatus status = KN_OK;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status == KN_OK; i++) {
        KnMeasure share = kn_measure_share((double)kn_tally_count(tally, rows[i].code), tally->trials, 100);
        status = kn_lab_measured(run, rows[i].name, column, share, NULL, error);
    }
    return status;
}

static KnStatus measure_fig5(KnLabRun *run, KnError *error)
{
    double sizes[] = {kn_lab_parameter(run, "trials"), kn_lab_parameter(run, "many")};
    static const char *const columns[] = {"as published", "many trials"};
    KnOutcomeCounts tallies[2] = {{0}, {0}};
    kn_lab_expect(run, (uint64_t)(sizes[0] + sizes[1]));
    KnStatus status = KN_OK;
    for (int i = 0; i < 2 && status == KN_OK; i++) {
        status = kn_satisficing_trials(run, columns[i], "", sizes[i], 0, &tallies[i], error);
        if (status == KN_OK) status = compare_fig5(run, columns[i], &tallies[i], error);
    }
    if (status == KN_OK)
        status = kn_lab_own_table(run, "outcomes", "How often each outcome comes up", "%", 3, error);
    for (int i = 0; i < 2 && status == KN_OK; i++) status = tell_fig5(run, columns[i], &tallies[i], error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "rounds", "Rounds before the outcome begins", "rounds", 2, error);
    if (status == KN_OK) {
        KnMeasure mean = kn_measure_single((double)tallies[1].rounds / (double)tallies[1].trials);
        status = kn_lab_measured(run, "in the mean", "many trials", mean, NULL, error);
    }
    if (status == KN_OK)
        status = kn_lab_measured(run, "at most", "many trials", kn_measure_single(tallies[1].slowest.rounds),
                                 NULL, error);
    kn_tally_free(&tallies[0]);
    kn_tally_free(&tallies[1]);
    return status;
}

const KnExperiment kn_satisficing_fig5 = {
    .head = {"satisficing.fig5", "how often two satisficing agents end in each outcome", NULL},
    .paper = "stimpson-2001",
    .source = "fig5",
    .parameters = fig5_parameters,
    .interpretations = fig5_interpretations,
    .tolerances = fig5_tolerances,
    .run = measure_fig5,
};
