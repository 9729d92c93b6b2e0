/* A fast reader: believes rather than proves.
 *
 * It looks at the few moves that a player would look at (`sharp` and `likely` in games/goals.h), reads
 * ladders to their end in one step, looks farther near the question than deep in a line, and has a small
 * bound of positions. Depth-first proof-number search over these moves decides most questions; where it does
 * not, the side that lacks less work is believed to succeed. The answer may be wrong: moves that it does not
 * look at may save or capture. What it found guides the proof (methods/widening/proof.h), which is certain.
 *
 * Ownership: kn_reader_new / kn_reader_free. One thread at a time. The same question gives the same answer.
 */
#ifndef KNACK_METHODS_WIDENING_READER_H
#define KNACK_METHODS_WIDENING_READER_H

#include "games/goals.h"
#include "methods/widening/outlooks.h"

enum { KN_READER_NODES = 3000, KN_READER_LINE = 32 };

typedef struct KnReading {
    bool reached; /* the attacker is believed to reach the goal */
    bool settled; /* all moves that it looks at were read to the end */
    bool ko;      /* a ko barred a move */
    int move;     /* of the side to move, if it is believed to succeed; KN_GOAL_PASS: none is needed */
    int line[KN_READER_LINE], length;
    uint64_t nodes;
} KnReading;

typedef struct KnReader KnReader;

/* NULL if memory runs out. */
KnReader *kn_reader_new(void);
void kn_reader_free(KnReader *reader);

/* Reads a goal with outlooks (games/goals.h) with at most `nodes` positions; 0: KN_READER_NODES. */
void kn_reader_run(KnReader *reader, KnGoal *goal, uint64_t nodes, KnReading *reading);

/* What the last reading makes of a position, by its hash: numbers to begin a search with. False: nothing. */
bool kn_reader_expects(const KnReader *reader, uint64_t key, KnExpected *expected);

#endif
