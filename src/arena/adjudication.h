/* Ends games by the scores that the players themselves give, so that decided games cost no more time. A
 * player that gives no scores neither resigns nor agrees to a draw. */
#ifndef KNACK_ARENA_ADJUDICATION_H
#define KNACK_ARENA_ADJUDICATION_H

#include <knack/match.h>

/* How long each side's scores have said the same. Start from {0}. */
typedef struct KnVerdicts {
    int hopeless[2], winning[2], even[2]; /* moves in a row, by role */
} KnVerdicts;

/* The verdict after a move: none, a role that loses, or a draw. */
typedef enum KnAdjudged { KN_GOES_ON, KN_FIRST_LOSES, KN_SECOND_LOSES, KN_DRAWN } KnAdjudged;

/* Takes an answer into account; `ply` is the number of plies before it. */
KnAdjudged kn_adjudicate_answer(const KnAdjudication *rules, KnVerdicts *verdicts, size_t ply, int role,
                                const KnAnswer *answer);

/* Checks the numbers; KN_USAGE with a message if they make no sense. */
KnStatus kn_adjudication_check(const KnAdjudication *rules, const KnGame *game, KnError *error);

#endif
