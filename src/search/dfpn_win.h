/* Can the side to move win by force? Depth-first proof-number search (search/dfpn.h) over the rules of any
 * zero-sum game of two players with alternating moves. Use it for games that name no goals of their own
 * (games/goals.h).
 *
 * A yes is always right: the strategy found wins by the rules against every reply, and repeats no position of
 * the history or of its own line. A no means "no win found within the budget": a repeated position counts as
 * no win, and so does a line longer than KN_DFPN_WIN_PLIES.
 *
 * Ownership: kn_dfpn_win_new / kn_dfpn_win_free; the game must outlive it. One thread at a time. */
#ifndef KNACK_SEARCH_DFPN_WIN_H
#define KNACK_SEARCH_DFPN_WIN_H

#include "games/game.h"

enum { KN_DFPN_WIN_PLIES = 120 };

typedef struct KnDfpnWin KnDfpnWin;

/* KN_OK if a game can be searched; KN_INPUT with what is missing. */
KnStatus kn_dfpn_win_suits(const KnGame *game, KnError *error);

/* The transposition table holds 2^bits positions of one run. */
KnStatus kn_dfpn_win_new(const KnGame *game, unsigned bits, KnDfpnWin **win, KnError *error);
void kn_dfpn_win_free(KnDfpnWin *win);

/* Whether the side to move wins, and by which move. `limit` bounds the positions played; *nodes gets their
 * number. `history` may be NULL. */
bool kn_dfpn_win_run(KnDfpnWin *win, const void *position, const KnHistory *history, uint64_t limit,
                     KnMove *move, uint64_t *nodes);

#endif
