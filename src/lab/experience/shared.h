/* What the experiments on experience bases (De Jong and Schultz 1988) share: a training run in which a
 * learner meets opponents, and what is read off it.
 *
 * A training run is played several times, each time with a fresh base and chance of its own; a repetition is
 * one unit of work. Games alternate who begins; with several opponents, each is met for two games in turn. */
#ifndef KNACK_LAB_EXPERIENCE_SHARED_H
#define KNACK_LAB_EXPERIENCE_SHARED_H

#include "lab/experiment.h"

typedef struct KnGinaGame {
    double margin; /* the learner's, in points */
    int opponent;
    int from_base, ignored, searched, forced; /* its decisions */
    double positions;                         /* in the base afterwards */
    double seconds;                           /* of processor time that its decisions took */
} KnGinaGame;

enum { KN_GINA_OPPONENTS = 3 };

typedef struct KnGinaTraining {
    const char *key;                          /* names it in the run */
    const char *game;                         /* NULL: othello */
    const char *inner;                        /* the learner's player */
    const char *how;                          /* its further options: "rule=explore" */
    const char *opponents[KN_GINA_OPPONENTS]; /* specs; {frozen} stands for the base of `before`, {other} for
                                                 a base of the opponent's own */
    uint64_t games;
    size_t ply_limit;
    double judge;
    const struct KnGinaTraining *before; /* played first, to make a base that stays as it is; may be NULL */
} KnGinaTraining;

/* The paper's learner and opponent as read here: the same evaluation, 2 plies against 5. */
#define KN_GINA_INNER    "alphabeta(depth=2, eval=hand)"
#define KN_GINA_OPPONENT "alphabeta(depth=5, eval=hand)"

typedef struct KnGinaResult {
    uint64_t games, repetitions;
    KnGinaGame *all; /* repetition after repetition */
} KnGinaResult;

/* Plays what is not yet kept. The caller frees with kn_gina_free. */
KnStatus kn_gina_run(KnLabRun *run, const KnGinaTraining *training, uint64_t repetitions,
                     KnGinaResult *result, KnError *error);
void kn_gina_free(KnGinaResult *result);

/* Something of a game: its margin, 1 for a win, ... */
typedef double (*KnGinaQuantity)(const KnGinaGame *game);
double kn_gina_margin(const KnGinaGame *game);
double kn_gina_points(const KnGinaGame *game); /* 100 won, 50 drawn, 0 lost */
double kn_gina_positions(const KnGinaGame *game);

/* The mean over games from..to-1 (against one opponent, or all: -1), averaged over repetitions, with its
 * interval over them. */
KnMeasure kn_gina_mean(const KnGinaResult *result, KnGinaQuantity quantity, uint64_t from, uint64_t to,
                       int opponent);

/* Percentages of decisions over games from..to-1: without any search, and with one that was ignored. */
KnMeasure kn_gina_without_search(const KnGinaResult *result, uint64_t from, uint64_t to);
KnMeasure kn_gina_ignored(const KnGinaResult *result, uint64_t from, uint64_t to);

/* The exponent b in positions ~ games^b between the middle and the end: below 1 the base grows more slowly
 * than the games do. */
KnMeasure kn_gina_growth(const KnGinaResult *result);

/* A curve of 20 points over the games, as a series; `points` has room for them. */
enum { KN_GINA_CURVE = 20 };
KnSeries kn_gina_curve(const KnGinaResult *result, const char *name, KnGinaQuantity quantity, int opponent,
                       KnPoint *points);
KnSeries kn_gina_search_curve(const KnGinaResult *result, const char *name, KnPoint *points);

#endif
