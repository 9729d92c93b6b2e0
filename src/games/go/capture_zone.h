/* The locality of captures: which points can matter. Only for files of this folder. */
#ifndef KNACK_GAMES_GO_CAPTURE_ZONE_H
#define KNACK_GAMES_GO_CAPTURE_ZONE_H

#include <knack/base.h>
#include "games/go/capture.h"

/* Points where the defender may prevent a capture within k moves of the attacker (not all are legal). Tests
 * verify completeness up to k = 3. */
void kn_capture_defences(const KnCapture *capture, int k, KnPointSet *points);

/* Dependencies of a proof: games/goals.h. */
void kn_capture_depends_end(const KnGoal *goal, KnZone *zone);
void kn_capture_depends_move(KnGoal *goal, int move, KnZone *zone);
void kn_capture_depends_reply(KnGoal *goal, int move, KnZone *zone);
void kn_capture_depends_elsewhere(KnGoal *goal, KnZone *zone);

/* Escapes in one move: games/goals.h. */
int kn_capture_escape(KnGoal *goal, KnZone *zone);
int kn_capture_parries(KnGoal *goal, int *moves, KnZone *zone);

/* Attacker to move: for each move, the maximum number of liberties of the target after the defender's reply.
 */
void kn_capture_reach(const KnCapture *capture, const int *moves, int count, int *reach);

#endif
