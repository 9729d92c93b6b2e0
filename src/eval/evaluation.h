/* The evaluation interface is public: <knack/evaluation.h>. This header adds what only the searches need.
 *
 * An evaluation of a simultaneous game gets positions of that game, even where a search works on its
 * sequential view (a position of the view begins with one of the game: games/sequential.h). */
#ifndef KNACK_EVAL_EVALUATION_H
#define KNACK_EVAL_EVALUATION_H

#include <knack/evaluation.h>

#include "base/explanation.h"
#include "games/game.h"

extern const KnEvaluationType kn_evaluation_zero;   /* 0 for every position */
extern const KnEvaluationType kn_evaluation_lowest; /* the lowest payoff for every role */
extern const KnEvaluationType kn_evaluation_hand;   /* the game's own default, made by hand; else zero */

/* Registers the built-in evaluations. */
KnStatus kn_evaluations_register(KnContext *context, KnError *error);

/* The strongest that the program has for a game: the network that comes with it, if it leads
 * (kn_network_leads), else the game's own default, which `hand` names. */
KnStatus kn_evaluation_open_strongest(const KnContext *context, const KnGame *game, KnEvaluation **out,
                                      KnError *error);

/* An evaluation that is made without a spec, with nothing but its name; NULL without memory. */
KnEvaluation *kn_evaluation_new(const KnGame *game, const char *name);

/* A score as a winning chance in percent: half of the way from even to won at three men. `payoffs`: the score
 * is an estimate of the payoff, not of men. log_odds != 0: a network's score (KnEvaluation). */
double kn_chance_of_score(KnScore score, bool payoffs, double log_odds);

/* kn_evaluate_for; adds the positions that the evaluation played to *plays. */
static inline KnScore kn_evaluate_counted(const KnEvaluation *evaluation, const void *position, int role,
                                          uint64_t *plays)
{
    return evaluation->score_counted ? evaluation->score_counted(evaluation, position, role, plays)
                                     : kn_evaluate_for(evaluation, position, role);
}

/* Whether negamax may negate the mover's score: the game is zero-sum and alternating, the evaluation is
 * antisymmetric and plays no positions. */
static inline bool kn_evaluation_turns(const KnEvaluation *evaluation)
{
    unsigned traits = evaluation->game->traits;
    return traits & KN_GAME_ZERO_SUM && !(traits & KN_GAME_SIMULTANEOUS) && !evaluation->one_sided &&
           !evaluation->score_counted;
}

#endif
