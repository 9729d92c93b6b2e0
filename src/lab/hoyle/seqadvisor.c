/* Lock 2003, 5.2: Hoyle with what TP-Sitact learned as one Advisor more. Tables 16 and 17, where Seq-Advisor
 * should stand, how much it weighs among the fourteen; and whether the time that TP-Rote spends on learning
 * is repaid (2.5). */
#include <stdio.h>
#include <string.h>

#include "lab/registry.h"
#include "lab/hoyle/trained.h"

enum { PLAIN, SECOND, MIDDLE, FIRST, KINDS };

static const char *const learners[KINDS] = {"hoyle(weights=walk)", "hoyle(seq-advisor=second, weights=walk)",
                                            "hoyle(seq-advisor=middle, weights=walk)",
                                            "hoyle(seq-advisor=first, weights=walk)"};

static const KnParameter parameters[] = {{"lose runs", 2, 10,
                                          "Runs on lose tic-tac-toe, of 8 x 20 games watched and 4 x 50 "
                                          "games of testing; the thesis had ten."},
                                         {"morris runs", 2, 10,
                                          "Runs on five men's morris, of 8 x 40 games watched and 4 x 50 "
                                          "games of testing; the thesis had ten."},
                                         {0}};

static const KnTolerance play_tolerances[] = {
    {"*", 5, 0, "Five percentage points: the thesis's own deviations over runs are 1 to 7."}, {0}};
static const KnTolerance time_tolerances[] = {
    {"*", 0, 0.25, "A quarter: other machine, other language, other index."}, {0}};
static const KnTolerance rank_tolerances[] = {
    {"* rank", 1, 0, "One place."}, {"*", 5, 0, "Five percentage points."}, {0}};

static const KnInterpretation interpretations[] = {
    {"Games, agents, TP-Sitact and Hoyle.",
     "As temporal.table6, temporal.table11 and temporal.rote read them.", ""},
    {"Sitact Advisors vote \"to choose one move to suggest\" (p. 110): how strongly, and among equals?",
     "Heavy support (10) for every move that has the most of their weights behind it; nothing about the "
     "others.",
     "One of the equals, drawn by lot (not measured)."},
    {"Where in the first tier (p. 111)?", "Behind Victory, where TP-Rote's Advisors stand; it decides.", ""},
    {0}};

static KnStatus give(KnLabRun *run, const KnTrainedGame *game, const char *learner, const json_t **trained,
                     KnError *error)
{
    return kn_lab_trained(run, game, learner, NULL, trained, error);
}

/* ---- Tables 16 and 17 ---- */

/* Hoyle without and with it, on both games. */
static void expect_both(KnLabRun *run)
{
    for (int g = 0; g < KN_TRAINED_GAMES; g++) kn_lab_expect_trained(run, &kn_trained_games[g], 2);
}

static KnStatus measure16(KnLabRun *run, KnError *error)
{
    static const char *const names[] = {"standard Hoyle", "Hoyle + Seq-Advisor"};
    KnStatus status = KN_OK;
    expect_both(run);
    for (int g = 0; g < KN_TRAINED_GAMES; g++)
        for (int k = PLAIN; k <= SECOND; k++) {
            const json_t *trained;
            status = give(run, &kn_trained_games[g], learners[k], &trained, error);
            for (int c = 0; c < 2 * KN_TRAINED_AGENTS && status == KN_OK; c++) {
                char row[80], column[40];
                if (c == 1) continue; /* who is perfect cannot be beaten */
                snprintf(row, sizeof row, "%s: %s", kn_trained_games[g].name, names[k]);
                snprintf(column, sizeof column, "%s %s", kn_trained_agents[c / 2],
                         c % 2 ? "power" : "reliability");
                KnMoments moments = kn_trained_moments(trained, column);
                status = kn_lab_cell(run, row, column, kn_measure_mean(&moments), NULL, error);
            }
            if (status != KN_OK) return status;
        }
    return status;
}

static KnStatus measure17(KnLabRun *run, KnError *error)
{
    KnStatus status = KN_OK;
    kn_lab_clocked(run);
    expect_both(run);
    for (int g = 0; g < KN_TRAINED_GAMES && status == KN_OK; g++) {
        const json_t *plain, *with;
        status = give(run, &kn_trained_games[g], learners[PLAIN], &plain, error);
        if (status == KN_OK) status = give(run, &kn_trained_games[g], learners[SECOND], &with, error);
        if (status != KN_OK) return status;
        KnMoments ratio = kn_trained_ratio(with, plain, "time");
        status = kn_lab_cell(run, kn_trained_games[g].name, "Time ratio", kn_measure_mean(&ratio),
                             "Processor time a game, with over without, run by run.", error);
    }
    return status;
}

/* ---- Its place and its weight ---- */

/* How many of the fourteen weigh more, and one; equals share their places. */
static KnMoments rank(const json_t *trained, int stage)
{
    KnMoments moments = {0};
    char own[40], prefix[20];
    snprintf(own, sizeof own, "weight %d Seq-Advisor", stage);
    snprintf(prefix, sizeof prefix, "weight %d ", stage);
    const json_t *list = json_object_get(trained, own), *other;
    for (size_t r = 0; r < json_array_size(list); r++) {
        double weight = json_number_value(json_array_get(list, r)), place = 1;
        const char *name;
        json_object_foreach((json_t *)trained, name, other)
        {
            if (strncmp(name, prefix, strlen(prefix)) != 0 || strcmp(name, own) == 0) continue;
            double theirs = json_number_value(json_array_get(other, r));
            place += theirs > weight ? 1 : theirs < weight ? 0 : 0.5;
        }
        kn_moments_add(&moments, place);
    }
    return moments;
}

static KnStatus measure_place(KnLabRun *run, KnError *error)
{
    static const char *const rows[KINDS] = {NULL, "tier 2 less none", "middle tier less tier 2",
                                            "tier 1 less tier 2"};
    const KnTrainedGame *morris = &kn_trained_games[1];
    const json_t *trained[KINDS];
    KnStatus status = KN_OK;
    kn_lab_expect_trained(run, morris, KINDS);
    for (int k = 0; k < KINDS && status == KN_OK; k++)
        status = give(run, morris, learners[k], &trained[k], error);
    for (int k = SECOND; k < KINDS && status == KN_OK; k++) {
        char row[80];
        snprintf(row, sizeof row, "%s: %s", morris->name, rows[k]);
        KnMoments gain = kn_trained_difference(trained[k], trained[k == SECOND ? PLAIN : SECOND],
                                               "Perfect reliability");
        status = kn_lab_cell(run, row, "Perfect reliability", kn_measure_mean(&gain), NULL, error);
    }
    for (int stage = 0; stage < 2 && status == KN_OK; stage++) {
        KnMoments place = rank(trained[SECOND], stage);
        status = kn_lab_cell(run, morris->name, stage ? "sliding rank" : "placing rank",
                             kn_measure_mean(&place), "Among fourteen; equals share their places.", error);
    }
    return status;
}

/* ---- Is learning repaid? ---- */

enum { CYCLE = 4, TESTS = 50 };

/* Of a run: seconds of learning, and of deciding in the testing games. */
static double whole(const json_t *trained, size_t run)
{
    double learning = json_number_value(json_array_get(json_object_get(trained, "learning"), run));
    return learning +
           json_number_value(json_array_get(json_object_get(trained, "time"), run)) * CYCLE * TESTS / 1000;
}

static KnTrainedGame watched_once(int g)
{
    KnTrainedGame game = kn_trained_games[g];
    game.watch = 30;
    game.once = true;
    return game;
}

static KnStatus measure_cost(KnLabRun *run, KnError *error)
{
    KnStatus status = KN_OK;
    kn_lab_clocked(run);
    for (int g = 0; g < KN_TRAINED_GAMES; g++) {
        KnTrainedGame game = watched_once(g);
        kn_lab_expect_trained(run, &game, 2);
    }
    for (int g = 0; g < KN_TRAINED_GAMES && status == KN_OK; g++) {
        KnTrainedGame game = watched_once(g);
        const json_t *plain, *rote;
        status = give(run, &game, "hoyle(weights=walk)", &plain, error);
        if (status == KN_OK) status = give(run, &game, "hoyle(sequences=rote, weights=walk)", &rote, error);
        if (status != KN_OK) return status;
        KnMoments ratio = {0}, learning = kn_trained_ratio(rote, plain, "learning"),
                  deciding = kn_trained_ratio(rote, plain, "time");
        for (size_t r = 0; r < json_array_size(json_object_get(plain, "time")); r++)
            kn_moments_add(&ratio, whole(rote, r) / whole(plain, r));
        status = kn_lab_cell(run, game.name, "Learning and testing", kn_measure_mean(&ratio),
                             "Processor time of a whole run, with TP-Rote over without.", error);
        if (status == KN_OK)
            status = kn_lab_measured(run, game.name, "Learning alone", kn_measure_mean(&learning), NULL,
                                     error);
        if (status == KN_OK)
            status = kn_lab_measured(run, game.name, "Testing alone", kn_measure_mean(&deciding), NULL,
                                     error);
    }
    return status;
}

#define EXPERIMENT(variable, name, summary, table, tolerance_table, function)                                \
    const KnExperiment variable = {.head = {name, summary, NULL},                                            \
                                   .paper = "lock-2003",                                                     \
                                   .source = table,                                                          \
                                   .parameters = parameters,                                                 \
                                   .interpretations = interpretations,                                       \
                                   .tolerances = tolerance_table,                                            \
                                   .run = function}

EXPERIMENT(kn_temporal_table16, "temporal.table16",
           "Hoyle with and without Seq-Advisor against the four agents", "table16", play_tolerances,
           measure16);
EXPERIMENT(kn_temporal_table17, "temporal.table17", "the time Seq-Advisor takes", "table17", time_tolerances,
           measure17);
EXPERIMENT(kn_temporal_seqadvisor_place, "temporal.seqadvisor-place",
           "Seq-Advisor in tier 1, between the tiers and in tier 2, and its weight's rank among 14",
           "seqadvisor-place", rank_tolerances, measure_place);
EXPERIMENT(kn_temporal_learning_cost, "temporal.learning-cost",
           "whether the time that TP-Rote spends on learning is repaid", "learning-cost", time_tolerances,
           measure_cost);
