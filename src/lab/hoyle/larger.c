/* TP-Context and TP-Sitact on a larger game than the thesis had: Othello on 6x6, 36 cells, where men change
 * sides and the expert to be watched is a search. How reliability grows with the games watched. */
#include <stdio.h>

#include "lab/registry.h"
#include "lab/hoyle/trained.h"

static const KnParameter parameters[] = {
    {"runs", 2, 10, "Runs of each point; each is tested in 50 games against each of four agents."},
    {"depth", 3, 6,
     "Of the search that is the expert. Deeper ones win more, but the games of ten runs would take "
     "hours."},
    {0}};

static const KnSize middle[] = {{"depth", 4}, {0}};

static const KnTolerance tolerances[] = {{"*", 5, 0, "Nothing is published to compare with."}, {0}};

static const KnInterpretation interpretations[] = {
    {"Who is watched where a game is not solved?",
     "alphabeta at the depth above, and agents that play a tenth or seven tenths of their moves merely "
     "reasonably; 8 tournaments as in the thesis.",
     "Another depth makes another expert; with depth 3 both methods went on learning longer."},
    {"Which part of a move is its action?",
     "The cell where a man is placed; men that are turned over follow from the rules.", ""},
    {0}};

enum { POINTS = 4 };
static const uint64_t watched[POINTS] = {0, 5, 20,
                                         40}; /* games a tournament; 0: nobody is watched, moves are random */

static KnTrainedGame board(uint64_t watch, char name[60])
{
    snprintf(name, 60, "Othello 6x6, %d", (int)(8 * watch));
    return (KnTrainedGame){name, "othello(size=6)", watch, 0, "runs", false};
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    char expert[KN_TRAINED_AGENTS - 1][60];
    const char *const agents[KN_TRAINED_AGENTS] = {expert[0], expert[1], expert[2], "random"};
    int depth = (int)kn_lab_parameter(run, "depth");
    snprintf(expert[0], sizeof expert[0], "alphabeta(depth=%d, eval=hand)", depth);
    snprintf(expert[1], sizeof expert[1], "reasonable(0.1, rest=alphabeta(depth=%d, eval=hand))", depth);
    snprintf(expert[2], sizeof expert[2], "reasonable(0.7, rest=alphabeta(depth=%d, eval=hand))", depth);
    static const char *const learners[2] = {"seqlearner(version=2, weights=walk)",
                                            "seqlearner(sitact, weights=walk)"},
                             *const names[2] = {"TP-Context", "TP-Sitact"};
    KnPoint points[4][POINTS];
    KnMoments advisors[POINTS][2];
    KnStatus status = kn_lab_own_table(run, "curve", "Othello 6x6: reliability by games watched", "%", 1,
                                       error);
    for (int p = 0; p < POINTS; p++) {
        char name[60];
        KnTrainedGame game = board(watched[p], name);
        kn_lab_expect_trained(run, &game, watched[p] ? 2 : 1); /* who watches nobody is one for both */
    }
    for (int p = 0; p < POINTS; p++)
        for (int l = 0; l < 2 && status == KN_OK; l++) {
            char name[60], row[80];
            KnTrainedGame game = board(watched[p], name);
            const json_t *trained;
            status = kn_lab_trained(run, &game, watched[p] ? learners[l] : "idle", agents, &trained, error);
            if (status != KN_OK) return status;
            snprintf(row, sizeof row, "%s: %d games", names[l], (int)(8 * watched[p]));
            for (int a = 0; a < 2 && status == KN_OK;
                 a++) { /* against the expert's novice and the random player */
                static const char *const numbers[2] = {"Novice reliability", "Random reliability"};
                KnMoments moments = kn_trained_moments(trained, numbers[a]);
                KnMeasure m = kn_measure_mean(&moments);
                points[2 * l + a][p] = (KnPoint){(double)(8 * watched[p]), m.value, m.low, m.high};
                status = kn_lab_measured(run, row, numbers[a], m, NULL, error);
            }
            advisors[p][l] = kn_trained_moments(trained, "advisors");
        }
    if (status == KN_OK)
        status = kn_lab_own_table(run, "advisors", "Othello 6x6: Advisors by games watched", "Advisors", 1,
                                  error);
    for (int p = 0; p < POINTS; p++)
        for (int l = 0; l < 2 && status == KN_OK; l++) {
            char column[40];
            snprintf(column, sizeof column, "%d games", (int)(8 * watched[p]));
            status = kn_lab_measured(run, names[l], column, kn_measure_mean(&advisors[p][l]), NULL, error);
        }
    if (status != KN_OK) return status;
    KnSeries series[4] = {{"TP-Context, random", points[1], POINTS},
                          {"TP-Sitact, random", points[3], POINTS},
                          {"TP-Context, novice", points[0], POINTS},
                          {"TP-Sitact, novice", points[2], POINTS}};
    KnFigure figure = {.id = "curve",
                       .title = "Othello 6x6, against a random player and the expert's novice",
                       .x_label = "games watched",
                       .y_label = "reliability (%)",
                       .kind = KN_FIGURE_LINES,
                       .series = series,
                       .series_count = 4};
    return kn_lab_figure(run, &figure, error);
}

const KnExperiment kn_temporal_larger = {
    .head = {"temporal.larger", "TP-Context and TP-Sitact on Othello 6x6, by games watched", NULL},
    .paper = "lock-2003",
    .parameters = parameters,
    .middle = middle,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = measure,
};
