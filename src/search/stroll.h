/* Random games, a step at a time: what an evaluation learns from before a contest. Every role, nature by its
 * chances, moves at random, or now and then at random and else as an evaluation likes it; a contest of more
 * than KN_STROLL_PLIES steps counts as never ending.
 *
 * Ownership: kn_stroll_new / kn_stroll_free; the game must outlive it. One thread at a time. */
#ifndef KNACK_SEARCH_STROLL_H
#define KNACK_SEARCH_STROLL_H

#include "search/evaluate.h"

enum { KN_STROLL_PLIES = 1000 };

typedef struct KnStroll KnStroll;

/* At the start of a game; NULL: no memory. It is spent after so many positions, or, if `seconds` are given,
 * when they are over. */
KnStroll *kn_stroll_new(const KnGame *game, uint64_t seed, uint64_t nodes, double seconds, KnError *error);
void kn_stroll_free(KnStroll *stroll);

bool kn_stroll_step(KnStroll *stroll); /* false: over, gone on for too long, or spent */
/* From now on a role takes the move that looks best to `judge` one step on, but for this share of random
 * ones; NULL: random. What it tries counts as positions. */
void kn_stroll_prefer(KnStroll *stroll, const KnEvaluation *judge, double explore);
bool kn_stroll_spent(const KnStroll *stroll);
void kn_stroll_charge(KnStroll *stroll,
                      uint64_t nodes);  /* positions that were played beside it, to look at one of its own */
void kn_stroll_again(KnStroll *stroll); /* the next game */

const void *kn_stroll_position(const KnStroll *stroll);
bool kn_stroll_over(const KnStroll *stroll, double *payoffs); /* by the rules */

#endif
