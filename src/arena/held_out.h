/* A learner measured against an opponent that it does not learn from, between the games that it learns from:
 * a score in training games says how well it does there, and may rise because the opponent is predictable.
 *
 * The learner's row has the options of KN_HELD_OUT_OPTIONS. The games are the same at every point (openings
 * and chances), so that a curve shows the learner's changes, and they teach nothing: what is learned is the
 * same without them. */
#ifndef KNACK_ARENA_HELD_OUT_H
#define KNACK_ARENA_HELD_OUT_H

#include "arena/learner.h"
#include "arena/match.h"

#define KN_HELD_OUT "held-out" /* the list of further measurements: {"x", "score", "low", "high"} */

#define KN_HELD_OUT_OPTIONS                                                                                  \
    {"test",                                                                                                 \
     KN_OPTION_INTEGER,                                                                                      \
     "20",                                                                                                   \
     0,                                                                                                      \
     100000,                                                                                                 \
     NULL,                                                                                                   \
     "where a curve is measured: games at each point against an opponent that it does not learn from"},      \
    {                                                                                                        \
        "held-out", KN_OPTION_SPEC, "uct(playouts=100)", 0, 0, "player", "that opponent"                     \
    }

/* Measures a player that uses what is learned after x units, if the task wants a curve, and adds the row to
 * the run. Call it before kn_training_run_add of the same x. */
KnStatus kn_held_out_measure(const KnLearnerTask *task, const char *player, double x, KnTrainingRun *run,
                             KnError *error);

/* Plays a match and adds the first player's share of the points, with its interval, as the run's point at x.
 */
KnStatus kn_match_measure(const KnContext *context, const KnMatchPlan *plan, double x, KnTrainingRun *run,
                          KnError *error);

#endif
