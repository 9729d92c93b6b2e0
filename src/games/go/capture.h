/* Capturing a string of Go, as a goal (games/goals.h): the attacker wants the target off the board, its owner
 * wants it to stay.
 *
 * A target with more liberties than the limit counts as saved: the evaluation of Cazenave 2001. Moves are
 * points of games/go/strings.h. Simple ko: the side to move may not retake at once; `favour` lets one side
 * retake all the same, which is how one tells whether an answer depends on a ko. */
#ifndef KNACK_GAMES_GO_CAPTURE_H
#define KNACK_GAMES_GO_CAPTURE_H

#include "games/goals.h"
#include "games/go/strings.h"

enum { KN_CAPTURE_LIMIT = 5 };

typedef struct KnCapture {
    KnGoal goal; /* first: a KnGoal * may be taken for a KnCapture * */
    KnStrings *strings;
    int target;   /* a point of the string */
    int defender; /* its colour */
    int limit;    /* of liberties */
    int favour;   /* the colour that may retake kos at once, or KN_STONE_NONE */
} KnCapture;

/* Whether the string at `target` can be captured, with the side to move of the position moving first. The
 * point is a cell of the game's board. Fails where there is no stone. Free with kn_capture_free. */
KnStatus kn_capture_open(const KnGame *game, const void *position, int cell, KnCapture **capture,
                         KnError *error);
void kn_capture_free(KnCapture *capture);

/* The same, with another side to move: a search for the attacker, then one for the defender. */
void kn_capture_turn(KnCapture *capture, bool attacking);

#endif
