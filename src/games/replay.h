/* The moves of a contest as one line of text, and back: in the game's notation, separated by spaces; joint
 * moves as a|b with - for who does not move. */
#ifndef KNACK_GAMES_REPLAY_H
#define KNACK_GAMES_REPLAY_H

#include "games/contest.h"

/* Adds one joint move, after a space if there is something before it. */
void kn_joint_text(const KnGame *game, const void *position, const KnMove *joint, KnText *out);

/* All moves of a contest. */
void kn_moves_text(const KnContest *contest, KnText *out);

/* Replays such moves from the contest's position on; the error names the move that does not fit. */
KnStatus kn_replay(KnContest *contest, const char *moves, KnError *error);

#endif
