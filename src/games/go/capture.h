/* Capturing a Go string as a goal (games/goals.h): the attacker wants to capture the target, the defender to
 * save it. A target with more liberties than the limit counts as saved (the evaluation of Cazenave 2001).
 * Moves are points of games/go/strings.h.
 *
 * Which capture counts is a choice. First capture: the target leaves the board, and the game is over. Lasting
 * capture (the default): a capturing move is not allowed where it is taken back at once, which means that the
 * capturing string is left with one liberty, and has at least as many stones as the move captures. So a
 * snapback saves the target. One stone that takes one stone is a ko instead.
 *
 * Ko: the side to move may not retake at once. A side with ko threats may, once for each threat: the opponent
 * answers the threat, so only the retaking is left of the two moves. That tells what an answer owes to a ko.
 */
#ifndef KNACK_GAMES_GO_CAPTURE_H
#define KNACK_GAMES_GO_CAPTURE_H

#include "games/goals.h"
#include "games/go/strings.h"

enum {
    KN_CAPTURE_LIMIT = 5,
    KN_CAPTURE_THREATS = 8, /* ko threats that are counted */
    KN_CAPTURE_ALWAYS = 99  /* enough for the side to retake always */
};

typedef enum KnCaptureKind { KN_CAPTURE_LASTING, KN_CAPTURE_FIRST } KnCaptureKind;

typedef struct KnCapture {
    KnGoal goal; /* first member: a KnGoal * may be cast to a KnCapture * */
    KnStrings *strings;
    int target;   /* a point of the string */
    int defender; /* its colour */
    int limit;    /* of liberties; more: saved */
    KnCaptureKind kind;
    int threats[3]; /* ko threats left, by colour: up to KN_CAPTURE_THREATS, or KN_CAPTURE_ALWAYS */
    int spent[2 * KN_CAPTURE_THREATS], spents; /* the plies that used one */
    bool lone_ko; /* a lone target could be taken in a ko while the defender has counted threats: the number
                     of threats that he needs is not modelled then */
} KnCapture;

/* Opens the question whether the string at `target`, a cell of the game's board, can be captured, with the
 * position's side to move. Fails if there is no stone. Free it with kn_capture_free. */
KnStatus kn_capture_open(const KnGame *game, const void *position, int cell, KnCapture **capture,
                         KnError *error);
void kn_capture_free(KnCapture *capture);

/* Changes the side to move: search for the attacker, then for the defender. */
void kn_capture_turn(KnCapture *capture, bool attacking);

#endif
