/* Capturing a Go string as a goal (games/goals.h): the attacker wants to capture the target, the defender to
 * save it. A target with more liberties than the limit counts as saved (the evaluation of Cazenave 2001).
 * Moves are points of games/go/strings.h. Simple ko: the side to move may not retake immediately; `favour`
 * lets one colour do so, which tells whether an answer depends on a ko. */
#ifndef KNACK_GAMES_GO_CAPTURE_H
#define KNACK_GAMES_GO_CAPTURE_H

#include "games/goals.h"
#include "games/go/strings.h"

enum { KN_CAPTURE_LIMIT = 5 };

typedef struct KnCapture {
    KnGoal goal; /* first member: a KnGoal * may be cast to a KnCapture * */
    KnStrings *strings;
    int target;   /* a point of the string */
    int defender; /* its colour */
    int limit;    /* of liberties; more: saved */
    int favour;   /* the colour that may always retake kos, or KN_STONE_NONE */
} KnCapture;

/* Opens the question whether the string at `target`, a cell of the game's board, can be captured, with the
 * position's side to move. Fails if there is no stone. Free it with kn_capture_free. */
KnStatus kn_capture_open(const KnGame *game, const void *position, int cell, KnCapture **capture,
                         KnError *error);
void kn_capture_free(KnCapture *capture);

/* Changes the side to move: search for the attacker, then for the defender. */
void kn_capture_turn(KnCapture *capture, bool attacking);

#endif
