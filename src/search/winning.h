/* Can the side to move win by force? Proof-number search, depth first (df-pn), over the rules of any game of
 * two who take turns and play for the same points: for games that tell no goals of their own (games/goals.h).
 *
 * A yes is never wrong: it is a strategy that ends in wins by the rules whatever the other does, and that
 * comes to no position of the history or of its own line again. A no is not told apart from "not found within
 * the budget": a position that comes again counts as no win, and so does what lies deeper than
 * KN_WINNING_PLIES.
 *
 * Ownership: kn_winning_new / kn_winning_free; the game must outlive it. For one thread at a time. */
#ifndef KNACK_SEARCH_WINNING_H
#define KNACK_SEARCH_WINNING_H

#include "games/game.h"

enum { KN_WINNING_PLIES = 120 };

typedef struct KnWinning KnWinning;

/* KN_OK if a game can be searched so; KN_INPUT with what is missing. */
KnStatus kn_winning_suits(const KnGame *game, KnError *error);

/* 2^bits positions are remembered, within one run. */
KnStatus kn_winning_new(const KnGame *game, unsigned bits, KnWinning **winning, KnError *error);
void kn_winning_free(KnWinning *winning);

/* Whether the side to move wins, and by which move; `most`: positions played, *nodes gets how many were. */
bool kn_winning_run(KnWinning *winning, const void *position, const KnHistory *history, uint64_t most,
                    KnMove *move, uint64_t *nodes);

#endif
