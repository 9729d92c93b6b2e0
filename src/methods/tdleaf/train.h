/* Training an evaluation's weights by temporal differences: games of a fixed-depth search against itself or
 * against a teacher, and after each (or each batch) the weights move (learn/td.h).
 *
 * A prediction is the squashed score of the learner's own search; the gradient is taken at the leaf of its
 * principal variation (TDLeaf), or, as plain TD(lambda), both at the position itself. Where only one move is
 * legal nothing is searched and nothing learned; where the leaf's evaluation is not the score (the line ended
 * by repetition, or was lost), likewise. Pairs are successive predictions of the same side.
 *
 * Game i draws its chance from (seed, i) and starts from opening i / 2; the learner changes sides from game
 * to game. Games of a batch are played with the same weights, by several threads, and learned from in order:
 * the same seed gives the same bytes for any number of them. The file is written after every batch, whole,
 * with all that is needed to go on: the same command goes on after kill -9.
 *
 * Weights may be kept apart by the learner's side, by the search depth, or by the opening's first move; a set
 * is then named "black 5 9-14". */
#ifndef KNACK_METHODS_TDLEAF_TRAIN_H
#define KNACK_METHODS_TDLEAF_TRAIN_H

#include <stdatomic.h>

#include "base/explanation.h"
#include "base/progress.h"
#include "learn/td.h"
#include "eval/weights.h"

enum { KN_TD_DEPTHS = 8 };

typedef struct KnTdPlan {
    const char *teacher;  /* a player's spec; NULL: self-play */
    const char *start;    /* weights to start from, a name or file with a set for each wanted or one for all;
                             NULL: zero */
    const char *terms;    /* NULL: the game's default */
    const char *openings; /* file; NULL: the game's start */
    int random_plies;
    const char *tables; /* endgame tables: searches ask them, and a position that they know ends the game;
                           NULL: none */
    int depths[KN_TD_DEPTHS], depth_count; /* game i is searched to depths[i % count] */
    KnTdRule rule;
    bool root; /* TD(lambda) at the position itself, not at the leaf */
    bool by_side, by_depth, by_opening;
    int learner_role; /* the learner's side in every game; -1: in turn. In self-play the side that learns; -1:
                         both */
    uint64_t games;
    uint64_t counted; /* games of the file that it goes on from which its progress has counted elsewhere */
    int batch;        /* games between two changes of the weights */
    size_t ply_limit; /* a draw then */
    double table_mib;
    uint64_t seed;
    int jobs;
    const atomic_bool *cancel;
    /* Called after every block of games with the curve so far. May be NULL. */
    void (*block)(void *user, const json_t *curve);
    void *user;
    /* Gets every side's predictions of every game with its outcome, in order: for other uses of the same
     * games (kn_td_regress). May be NULL. */
    KnStatus (*sample)(void *user, const KnTd *td, double outcome, KnError *error);
    void *sample_user;
} KnTdPlan;

KnTdPlan kn_td_plan(void); /* the paper's numbers at depth 5, 4,000 games of self-play */

/* Trains until plan->games games have been learned from, going on from `file` if it is there (NULL: nothing
 * is kept). A file of another plan is refused. The weights are the caller's (kn_weights_free). On KN_STOPPED
 * (cancelled) they are what was reached. */
KnStatus kn_td_train(const KnContext *context, const KnGame *game, const KnTdPlan *plan, const char *file,
                     KnProgress *progress, KnWeights **weights, KnError *error);

/* Regression on the same games: they are played with the weights to start from, which do not move, and the
 * sets of one for all (no `by_...`) is fitted to their outcomes at the end (learn/fit.h). `loss` gets the
 * mean square error before and after. */
KnStatus kn_td_regress(const KnContext *context, const KnGame *game, const KnTdPlan *plan, double ridge,
                       KnProgress *progress, KnWeights **weights, double loss[2], KnError *error);

/* The weights by feature and phase, and how often each was updated; NULL if memory runs out. */
KnExplanation *kn_weights_explain(const KnWeights *weights, KnArena *arena);

#endif
