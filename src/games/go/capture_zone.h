/* The locality of captures: which points can matter. Only for files of this folder. */
#ifndef KNACK_GAMES_GO_CAPTURE_ZONE_H
#define KNACK_GAMES_GO_CAPTURE_ZONE_H

#include <knack/base.h>
#include "games/go/capture.h"

/* How the attacker's move at the last liberty of the target ends (capture_rules.c). By ko: one stone takes
 * one, and only the ko rule forbids to retake. Taken back: the capturing string has one liberty left and at
 * least as many stones as it takes. */
bool kn_capture_by_ko(const KnCapture *capture, int point);
bool kn_capture_taken_back(const KnCapture *capture, int point);

/* Adds the points where the defender, to move, may turn the capture at the target's last liberty into one
 * that is taken back at once. */
void kn_capture_trap_points(const KnCapture *capture, KnPointSet *points);

/* Points where the defender may prevent a capture within k moves of the attacker (not all are legal). Tests
 * verify completeness up to k = 3. */
void kn_capture_defences(const KnCapture *capture, int k, KnPointSet *points);

/* The same for first captures: where moves of either side are likely to matter. */
void kn_capture_near(const KnCapture *capture, int k, KnPointSet *points);

/* Dependencies of a proof: games/goals.h. */
void kn_capture_depends_end(const KnGoal *goal, KnZone *zone);
void kn_capture_depends_move(KnGoal *goal, int move, KnZone *zone);
void kn_capture_depends_reply(KnGoal *goal, int move, KnZone *zone);
void kn_capture_depends_elsewhere(KnGoal *goal, KnZone *zone);

/* Escapes in one move: games/goals.h. */
int kn_capture_escape(KnGoal *goal, KnZone *zone);
int kn_capture_parries(KnGoal *goal, int *moves, KnZone *zone);

/* Unconditional life of the target (capture_life.c). Alive: adds what that depends on. Eye: the target has a
 * small region of its own. */
typedef enum KnCaptureLife { KN_CAPTURE_OPEN, KN_CAPTURE_EYE, KN_CAPTURE_ALIVE } KnCaptureLife;
KnCaptureLife kn_capture_life(const KnCapture *capture, KnZone *zone);

/* Whether the target is alive after a move of the defender at one of its liberties which joins it to another
 * string and takes nothing. Adds what that depends on, the move's point too. */
bool kn_capture_life_joined(KnCapture *capture, int move, KnZone *zone);

/* Ladders: `ladder` of games/goals.h; and whether the defender, to move, catches a string of the attacker in
 * one. */
bool kn_capture_ladder(KnGoal *goal, KnGoalCount *played);
bool kn_capture_catches(KnCapture *capture, int foe, KnGoalCount *played);

/* Attacker to move: for each move, the maximum number of liberties of the target after the defender's reply.
 */
void kn_capture_reach(const KnCapture *capture, const int *moves, int count, int *reach);

#endif
