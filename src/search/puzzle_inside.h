/* The puzzle solver's memory, shared by its passes:
 *
 *   puzzle.c             breadth-first passes, step counters, the plan of passes
 *   puzzle_best_first.c  A* and greedy best-first search with heuristics from the delete relaxation
 *   puzzle_patterns.c    pattern databases for A*
 *
 * Internal to them. */
#ifndef KNACK_SEARCH_PUZZLE_INSIDE_H
#define KNACK_SEARCH_PUZZLE_INSIDE_H

#include "base/assert.h"
#include "games/gdl/patterns.h"
#include "games/gdl/relaxed.h"
#include "search/puzzle.h"

enum { KN_PUZZLE_NO_PARENT = UINT32_MAX };

/* Positions are stored in the order of discovery, which is the queue of a breadth-first pass; a hash table
 * over them holds their indices. Positions are compared by all their bytes, so no proof rests on a hash. */
struct KnPuzzle {
    const KnGame *game;
    size_t stride;
    unsigned char *positions;
    uint32_t *parents;
    KnMove *steps; /* the move from the parent */
    uint32_t capacity, count;
    uint32_t *slots; /* index + 1 of a position whose home is this slot; any other content means free */
    uint32_t *homes; /* the slot of each position */
    uint32_t mask;
    unsigned char *blank; /* mask of the bits that are step counters; all 0 in the exact pass */
    bool blanked;
    KnMove *moves, *line;
    int line_room;
    KnMeter meter;
    KnPuzzleSearch search;
    const struct KnPropnet *net; /* of the rules; NULL: none, and then no heuristics either */
    KnGdlRelaxed *relaxed;       /* aims at the payoff that is wanted */
    KnGdlPatterns *patterns;     /* NULL: none so far */
    struct KnPuzzleRow *rows;    /* of a best-first pass, by position; NULL: none so far */
    uint32_t *heads;             /* its queue: the last position of each priority + 1 */
};

/* What a pass found. */
typedef struct KnPuzzlePass {
    double wanted; /* the highest payoff that may be possible */
    uint32_t best; /* index of the best end; KN_PUZZLE_NO_PARENT: none yet */
    double payoff;
    int depth;         /* breadth-first: up to which all positions were visited */
    uint32_t level;    /* breadth-first: the first position at that depth */
    uint32_t capacity; /* positions that it may store */
    bool doubtful;     /* best-first: a shorter way may have been missed because of the step counters */
    KnStop stop;
} KnPuzzlePass;

static inline unsigned char *kn_puzzle_at(const KnPuzzle *p, uint32_t index)
{
    KN_ASSERT(index < p->capacity);
    return p->positions + index * p->stride;
}

/* Adds the position behind the last one to the list, unless it is there already; returns its index. */
uint32_t kn_puzzle_add(KnPuzzle *p, uint32_t parent, KnMove step);

/* Forgets all positions but this one, the first. */
void kn_puzzle_begin(KnPuzzle *p, const void *position);

/* Keeps the best end. */
void kn_puzzle_end(const KnPuzzle *p, uint32_t index, KnPuzzlePass *pass);

/* Always plays on from the position with the best priority: what it took to get there and the bound of what
 * is left (A*), or the length of a relaxed plan alone (greedy). KN_SYSTEM: out of memory. */
KnStatus kn_puzzle_best_first(KnPuzzle *p, const void *position, KnPuzzleSearch order, KnPuzzlePass *pass,
                              KnError *error);

/* Builds pattern databases for a payoff, with a part of the time. KN_SYSTEM: out of memory. */
KnStatus kn_puzzle_build_patterns(KnPuzzle *p, const void *position, double wanted, KnError *error);
void kn_puzzle_best_first_free(KnPuzzle *p);

#endif
