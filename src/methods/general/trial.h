/* A trial before the game: does a learned evaluation of leaves play better than random playouts?
 *
 * On some games a linear evaluation of facts is worth far more than playouts (draughts, Breakthrough:
 * playouts are long and aimless), on others far less (Hex, lines of four: single facts say little). No
 * property of the rules was found that tells, so both play a few games against each other from random
 * openings, at equal cost counted in positions.
 *
 * Ownership: everything is borrowed. The tree of the search is cleared. */
#ifndef KNACK_METHODS_GENERAL_TRIAL_H
#define KNACK_METHODS_GENERAL_TRIAL_H

#include "search/mcts_simultaneous.h"

typedef struct KnTrialPlan {
    int games;      /* at most; pairs of two from the same opening */
    uint64_t nodes; /* positions a move of the playouts; the evaluation gets half of that */
    double share;   /* of the points that the evaluation must win */
    double seconds; /* at most; 0: no limit, and the trial is deterministic */
    uint64_t seed;
} KnTrialPlan;

KnTrialPlan kn_trial_plan(void); /* 12 games, 2000 positions, 70 % */

typedef struct KnTrial {
    int games;      /* played to the end */
    double points;  /* of the evaluation, 1 for a win */
    bool evaluates; /* whether the evaluation is the better */
} KnTrial;

/* For a game of two opposed roles that take turns, and an evaluation that is prepared. Leaves the search with
 * what is better. */
KnStatus kn_trial_run(const KnGame *game, KnMctsSimultaneous *search, const KnEvaluation *evaluation,
                      const KnTrialPlan *plan, KnTrial *trial, KnError *error);

#endif
