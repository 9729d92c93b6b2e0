/* Lock 2003, 1.4: "Hoyle learned the same pattern-based concepts on every run of the game". How far the
 * concepts of two runs overlap, by games watched, and what patterns do to Hoyle's play. */
#include <stdio.h>
#include <string.h>

#include "methods/hoyle/environment.h"
#include "lab/registry.h"

typedef struct Board {
    const char *name, *spec;
    size_t ply_limit;
} Board;

static const Board boards[] = {{"Tic-tac-toe", "tictactoe", 0},
                               {"Lose tic-tac-toe", "tictactoe(lose)", 0},
                               {"Five men's morris", "morris(men=5)", 100}};

enum { BOARDS = 3, AGENTS = 4, LENGTHS = 3, USUAL = 1 };

static const KnParameter parameters[] = {
    {"runs", 4, 20, "Runs of training; every pair of them is compared. The thesis does not give the number."},
    {"many", 60, 120, "Games with each agent where more are watched than in the thesis."},
    {"test", 10, 50, "Games in testing against each of four agents."},
    {0}};

static const KnTolerance tolerances[] = {
    {"*", 5, 0, "Five points: \"the same\" may leave out a concept that is rarely seen."}, {0}};

static const KnInterpretation interpretations[] = {
    {"What is a concept, and when is it learned?",
     "As docs/hoyle.md says; those that the last sweep forms. Two are the same if pattern (up to symmetry), "
     "outcome and stage are.",
     "Only those that PWL retains when training ends: columns of their own."},
    {"How is sameness measured?",
     "Concepts that two runs share, in percent of those that either has, over all pairs of runs; intervals "
     "by the jackknife over runs.",
     "The share of a run's concepts that every run has: a column of its own."},
    {"Does Hoyle play or watch?", "It watches 4 x 30 games, as in the thesis's chapter 2.",
     "It plays as many itself: rows of their own, and a figure by games watched."},
    {0}};

/* ---- Training ---- */

/* Games with each of the four agents: ten, 30 as in the thesis's chapter 2, and many. */
static uint64_t watched(const KnLabRun *run, int length)
{
    return length == 0 ? 10 : length == USUAL ? 30 : (uint64_t)kn_lab_parameter(run, "many");
}

/* {"concepts formed": [[...] a run], "concepts retained": ..., "cache": ..., "agent 0": [reliability a run],
 * ...} */
static json_t *to_json(const KnEnvironmentResult *t)
{
    static const char *const lists[] = {"concepts formed", "concepts retained", "cache"};
    json_t *root = json_object();
    for (int l = 0; l < 3; l++) {
        json_t *all = json_array();
        for (uint64_t r = 0; r < t->count; r++) {
            json_t *of = json_object_get(t->runs[r].figures, lists[l]);
            json_array_append_new(all, of ? json_incref(of) : json_array());
        }
        json_object_set_new(root, lists[l], all);
    }
    for (int a = 0; a < t->agents; a++) {
        char name[20];
        json_t *list = json_array();
        for (uint64_t r = 0; r < t->count; r++)
            json_array_append_new(list, json_real(kn_environment_value(t, KN_RELIABILITY, a, r)));
        snprintf(name, sizeof name, "agent %d", a);
        json_object_set_new(root, name, list);
    }
    return root;
}

static KnStatus trained(KnLabRun *run, const Board *board, const char *learner, KnEnvironmentKind environment,
                        uint64_t watch, bool tested, const json_t **unit, KnError *error)
{
    char key[200];
    snprintf(key, sizeof key, "%s learns %s, %s %d", learner, board->spec,
             environment == KN_TRAIN_PLAYING ? "playing" : "watching", (int)watch);
    uint64_t tests = tested ? (uint64_t)kn_lab_parameter(run, "test") : 0,
             runs = (uint64_t)kn_lab_parameter(run, "runs");
    if ((*unit = kn_lab_done_work(run, key, runs * AGENTS * (watch + tests)))) return KN_OK;
    KnEnvironmentPlan plan = {.game = board->spec,
                              .learner = learner,
                              .environment = environment,
                              .watch = watch,
                              .test = tests,
                              .runs = runs,
                              .seed = kn_lab_seed(run, board->spec),
                              .ply_limit = board->ply_limit,
                              .jobs = kn_lab_jobs(run),
                              .cancel = kn_lab_cancel(run),
                              .progress = kn_lab_progress(run)};
    KnEnvironmentResult *training;
    KnStatus status = kn_environment_run(kn_lab_context(run), &plan, &training, error);
    if (status != KN_OK) return status;
    json_t *made = to_json(training);
    kn_environment_free(training);
    status = made ? kn_lab_keep(run, key, made, error) : kn_fail_memory(error, "keeping a training");
    *unit = kn_lab_done(run, key);
    return status;
}

/* ---- Overlap ---- */

static bool holds(const json_t *list, const char *text)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_array_get(list, i)), text) == 0) return true;
    return false;
}

/* What two lists share, in percent of all that is in either. Two empty ones are the same. */
static double overlap(const json_t *a, const json_t *b)
{
    size_t x = json_array_size(a), y = json_array_size(b), both = 0;
    for (size_t i = 0; i < x; i++) both += holds(b, json_string_value(json_array_get(a, i)));
    return x + y ? 100.0 * (double)both / (double)(x + y - both) : 100;
}

/* The mean over all pairs of runs; pairs are not independent, runs are: pseudo-values of the jackknife, one a
 * run, give the interval. */
static KnMeasure mean_overlap(const json_t *lists)
{
    size_t runs = json_array_size(lists);
    double sums[runs + 1], total = 0;
    memset(sums, 0, sizeof sums);
    for (size_t i = 0; i < runs; i++)
        for (size_t k = 0; k < i; k++) {
            double shared = overlap(json_array_get(lists, i), json_array_get(lists, k));
            sums[i] += shared;
            sums[k] += shared;
            total += shared;
        }
    double n = (double)runs, all = total / (n * (n - 1) / 2);
    KnMoments pseudo = {0};
    for (size_t i = 0; i < runs; i++)
        kn_moments_add(&pseudo, n * all - (n - 1) * (total - sums[i]) / ((n - 1) * (n - 2) / 2));
    return kn_measure_mean(&pseudo);
}

/* The share of a run's concepts that all runs have. */
static KnMeasure on_every_run(const json_t *lists)
{
    KnMoments moments = {0};
    for (size_t i = 0; i < json_array_size(lists); i++) {
        const json_t *own = json_array_get(lists, i);
        size_t everywhere = 0, count = json_array_size(own);
        for (size_t c = 0; c < count; c++) {
            bool all = true;
            for (size_t k = 0; k < json_array_size(lists) && all; k++)
                all = holds(json_array_get(lists, k), json_string_value(json_array_get(own, c)));
            everywhere += all;
        }
        if (count) kn_moments_add(&moments, 100.0 * (double)everywhere / (double)count);
    }
    return kn_measure_mean(&moments);
}

static KnMeasure mean_size(const json_t *lists)
{
    KnMoments moments = {0};
    for (size_t i = 0; i < json_array_size(lists); i++)
        kn_moments_add(&moments, (double)json_array_size(json_array_get(lists, i)));
    return kn_measure_mean(&moments);
}

/* ---- Results ---- */

static KnStatus give_row(KnLabRun *run, const char *row, const json_t *unit, KnError *error)
{
    const json_t *formed = json_object_get(unit, "concepts formed"),
                 *retained = json_object_get(unit, "concepts retained"),
                 *cache = json_object_get(unit, "cache");
    KnStatus status = kn_lab_measured(run, row, "concepts a run", mean_size(formed), NULL, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, row, "shared by two runs, %", mean_overlap(formed), NULL, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, row, "found on every run, %", on_every_run(formed), NULL, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, row, "retained by PWL", mean_size(retained), NULL, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, row, "retained, shared, %", mean_overlap(retained), NULL, error);
    if (status == KN_OK) status = kn_lab_measured(run, row, "cached patterns", mean_size(cache), NULL, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, row, "cached, shared, %", mean_overlap(cache), NULL, error);
    return status;
}

static KnStatus give_claims(KnLabRun *run, const json_t *const units[BOARDS][LENGTHS], KnError *error)
{
    KnStatus status = kn_lab_table(run, "concepts", error);
    for (int b = 0; b < BOARDS && status == KN_OK; b++)
        status = kn_lab_cell(run, boards[b].name, "shared by two runs",
                             mean_overlap(json_object_get(units[b][USUAL], "concepts formed")), NULL, error);
    return status;
}

static KnStatus give_play(KnLabRun *run, const json_t *const *with, const json_t *const *without,
                          KnError *error)
{
    static const char *const agents[AGENTS] = {"Perfect", "Expert", "Novice", "Random"};
    KnStatus status = kn_lab_own_table(run, "play",
                                       "Reliability with patterns less that without, the same games watched",
                                       "points", 1, error);
    for (int b = 0; b < BOARDS; b++)
        for (int a = 0; a < AGENTS && status == KN_OK; a++) {
            char name[20];
            KnMoments gain = {0};
            snprintf(name, sizeof name, "agent %d", a);
            const json_t *x = json_object_get(with[b], name), *y = json_object_get(without[b], name);
            for (size_t r = 0; r < json_array_size(x); r++)
                kn_moments_add(&gain, json_number_value(json_array_get(x, r)) -
                                          json_number_value(json_array_get(y, r)));
            status = kn_lab_measured(run, boards[b].name, agents[a], kn_measure_mean(&gain), NULL, error);
        }
    return status;
}

static KnStatus draw(KnLabRun *run, const json_t *const units[BOARDS][LENGTHS], KnError *error)
{
    KnPoint points[BOARDS][LENGTHS];
    KnSeries series[BOARDS];
    for (int b = 0; b < BOARDS; b++) {
        for (int l = 0; l < LENGTHS; l++) {
            KnMeasure m = mean_overlap(json_object_get(units[b][l], "concepts formed"));
            points[b][l] = (KnPoint){(double)(AGENTS * watched(run, l)), m.value, m.low, m.high};
        }
        series[b] = (KnSeries){boards[b].name, points[b], LENGTHS};
    }
    KnFigure figure = {.id = "overlap",
                       .title = "Concepts that two runs share",
                       .x_label = "games watched",
                       .y_label = "shared (%)",
                       .kind = KN_FIGURE_LINES,
                       .series = series,
                       .series_count = BOARDS};
    return kn_lab_figure(run, &figure, error);
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    static const char with[] = "hoyle(+patterns, weights=walk)";
    const json_t *units[BOARDS][LENGTHS] = {{NULL}}, *plain[BOARDS] = {NULL}, *played[BOARDS] = {NULL},
                 *usual[BOARDS];
    uint64_t games = 2 * (uint64_t)kn_lab_parameter(run, "test") + 2 * watched(run, USUAL);
    for (int l = 0; l < LENGTHS; l++) games += watched(run, l);
    kn_lab_expect(run, games * AGENTS * BOARDS * (uint64_t)kn_lab_parameter(run, "runs"));
    KnStatus status = KN_OK;
    for (int b = 0; b < BOARDS; b++) {
        for (int l = 0; l < LENGTHS && status == KN_OK; l++)
            status = trained(run, &boards[b], with, KN_TRAIN_INCREASING, watched(run, l), l == USUAL,
                             &units[b][l], error);
        if (status == KN_OK)
            status = trained(run, &boards[b], with, KN_TRAIN_PLAYING, watched(run, USUAL), false, &played[b],
                             error);
        if (status == KN_OK)
            status = trained(run, &boards[b], "hoyle(weights=walk)", KN_TRAIN_INCREASING, watched(run, USUAL),
                             true, &plain[b], error);
        usual[b] = units[b][USUAL];
    }
    if (status == KN_OK) status = give_claims(run, (const json_t *const(*)[LENGTHS])units, error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "overlap", "Concepts and cached patterns, and how far runs share them",
                                  "", 1, error);
    for (int b = 0; b < BOARDS && status == KN_OK; b++) {
        char row[80];
        for (int l = 0; l < LENGTHS && status == KN_OK; l++) {
            snprintf(row, sizeof row, "%s, %d watched", boards[b].name, (int)(AGENTS * watched(run, l)));
            status = give_row(run, row, units[b][l], error);
        }
        snprintf(row, sizeof row, "%s, %d played", boards[b].name, (int)(AGENTS * watched(run, USUAL)));
        if (status == KN_OK) status = give_row(run, row, played[b], error);
    }
    if (status == KN_OK) status = give_play(run, usual, plain, error);
    return status == KN_OK ? draw(run, (const json_t *const(*)[LENGTHS])units, error) : status;
}

const KnExperiment kn_temporal_patterns = {
    .head =
        {"temporal.patterns",
         "Spatial concepts in Hoyle: how far runs learn the same ones, and what they do to its play (1.4)",
         NULL},
    .paper = "lock-2003",
    .source = "concepts",
    .parameters = parameters,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = measure,
};
