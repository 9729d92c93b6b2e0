/* Capture problems certified by exhaustive search: all legal moves of both sides, passes of the defender
 * included, up to a number of moves. Nothing that the solvers under test use takes part: no sets of moves, no
 * zones, no definitions, no table. So a set made this way does not only hold what they can prove.
 *
 * Positions come from the self-play of capture_making.h. A problem is a string that the attacker, to move,
 * captures within 2, 3 or 4 moves of his own and not within fewer; that decides its volume. Its `nodes` are
 * the positions that the exhaustive search played, its moves all those that capture as quickly. The first
 * capture counts, whatever comes after it. */
#ifndef KNACK_METHODS_WIDENING_CAPTURE_CERTIFIED_H
#define KNACK_METHODS_WIDENING_CAPTURE_CERTIFIED_H

#include "games/goals.h"
#include "methods/widening/capture_making.h"

/* Whether the attacker, to move, captures within k moves of his own. Counts the positions played; at the
 * bound the answer is no. */
bool kn_capture_exhaustively(KnGoal *goal, int k, KnGoalCount *played);

/* Appends a line for each problem to `out`, volume by volume. KN_STOPPED if cancelled. */
KnStatus kn_capture_certify(const KnContext *context, const KnCaptureMaking *making, KnText *out,
                            KnError *error);

#endif
