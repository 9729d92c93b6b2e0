/* The play loop is public: <knack/match.h>. Matches, training, the lab and the terminal all play through it.
 */
#ifndef KNACK_ARENA_PLAY_H
#define KNACK_ARENA_PLAY_H

#include <knack/match.h>

#include "games/checkers/endgame.h"
#include "games/replay.h"
#include "players/player.h"

/* A move for the nature role, drawn by its chances. Nature must have a move. */
KnMove kn_nature_move(const KnState *state, KnRng *rng);

/* The payoffs by role of a game that is broken off here; the ending is KN_ENDED_AT_LIMIT or
 * KN_ENDED_BY_JUDGE. */
void kn_adjudicate(const KnState *state, double judge, KnEnding *ending, double *payoffs);

#endif
