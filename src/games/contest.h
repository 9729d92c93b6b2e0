/* A contest: a position with how it came about. Knows legality and the end in full, history included, and can
 * take back.
 *
 * Ownership: kn_contest_new / kn_contest_free; the game must outlive it. Pointers into it hold until the next
 * play or undo. */
#ifndef KNACK_GAMES_CONTEST_H
#define KNACK_GAMES_CONTEST_H

#include "games/game.h"

typedef struct KnContest KnContest;

/* From the game's start. NULL if memory runs out. */
KnContest *kn_contest_new(const KnGame *game);
void kn_contest_free(KnContest *contest);

/* Forgets everything and begins anew, from `position` (NULL: the game's start). */
void kn_contest_reset(KnContest *contest, const void *position);

const KnGame *kn_contest_game(const KnContest *contest);
const void *kn_contest_position(const KnContest *contest);
KnHistory kn_contest_history(const KnContest *contest);
size_t kn_contest_plies(const KnContest *contest); /* joint moves played */

/* Legal moves of one role, history respected; none for those who do not have the move, or when it is over. */
int kn_contest_moves(const KnContest *contest, int role, KnMove *moves);
uint32_t kn_contest_movers(const KnContest *contest); /* 0 when over */

/* Over, by the rules or by the history; fills payoffs (a role each) if so and they are wanted. */
bool kn_contest_over(const KnContest *contest, double *payoffs);

/* Plays a joint move (a move for each role, KN_MOVE_NONE where it has none); the moves must be legal. Fails
 * only for want of memory. */
KnStatus kn_contest_play_joint(KnContest *contest, const KnMove *joint, KnError *error);
KnStatus kn_contest_play(KnContest *contest, KnMove move, KnError *error); /* alternating games */

bool kn_contest_undo(KnContest *contest); /* false at the beginning */

/* The position before ply i, and the joint move played there. */
const void *kn_contest_position_at(const KnContest *contest, size_t ply);
const KnMove *kn_contest_joint_at(const KnContest *contest, size_t ply);

#endif
