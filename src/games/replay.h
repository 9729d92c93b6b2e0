/* Moves of a game as one line of text, and back: in the game's notation, separated by blanks; a joint move as
 * a|b, with - for a role that does not move. */
#ifndef KNACK_GAMES_REPLAY_H
#define KNACK_GAMES_REPLAY_H

#include "games/game.h"

/* Appends one joint move, after a blank if needed. */
void kn_joint_text(const KnGame *game, const void *position, const KnMove *joint, KnText *out);

/* All moves of a game. */
void kn_moves_text(const KnState *state, KnText *out);

/* Replays moves, with white space between (or written together, where the game has KN_GAME_TOGETHER), from
 * the current state; the error names the move that does not fit. The second form stops at a state of `most`
 * plies and does not look at what follows. */
KnStatus kn_replay(KnState *state, const char *moves, KnError *error);
KnStatus kn_replay_plies(KnState *state, const char *moves, size_t most, KnError *error);

#endif
