/* Self-play sampler: games played a step at a time, which evaluations learn from before a game. Every role
 * moves at random (nature by its chances), or epsilon-greedily by an evaluation. A game of more than
 * KN_SAMPLER_PLIES steps counts as endless.
 *
 * Ownership: kn_sampler_new / kn_sampler_free; the game must outlive it. One thread at a time. */
#ifndef KNACK_EVAL_SAMPLER_H
#define KNACK_EVAL_SAMPLER_H

#include "eval/evaluation.h"

enum { KN_SAMPLER_PLIES = 1000 };

typedef struct KnSampler KnSampler;

/* Starts a game. The budget is `nodes` positions, or `seconds` where they are given. NULL: no memory. */
KnSampler *kn_sampler_new(const KnGame *game, uint64_t seed, uint64_t nodes, double seconds, KnError *error);
void kn_sampler_free(KnSampler *sampler);

/* Plays a step. False: the game is over or endless, or the budget is spent. */
bool kn_sampler_step(KnSampler *sampler);

/* From now on each role takes the move that `judge` rates best after one step, except with probability
 * `explore`, when it moves at random. NULL: always at random. The positions tried count. */
void kn_sampler_prefer(KnSampler *sampler, const KnEvaluation *judge, double explore);

bool kn_sampler_spent(const KnSampler *sampler);
void kn_sampler_charge(KnSampler *sampler, uint64_t nodes); /* counts positions that the caller played */
void kn_sampler_again(KnSampler *sampler);                  /* starts the next game */

const void *kn_sampler_position(const KnSampler *sampler);
bool kn_sampler_over(const KnSampler *sampler, double *payoffs); /* by the rules */

#endif
