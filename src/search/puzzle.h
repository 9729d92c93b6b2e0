/* Puzzles: an exact solver for games of one role.
 *
 * All positions that can be reached are visited breadth first, each once, until an end with the highest
 * payoff that the rules can give is found (by the shortest way), or nothing is left, which proves the best
 * end that was met to be the best there is. On rule sheets a first pass takes positions for one that differ
 * only in what the number of moves decides (step counters): far fewer, and a way to the highest payoff is
 * good however it was found; only what it does not find needs the second, exact pass.
 *
 * Memory is bounded and taken at the beginning; past it, or past the budget, the best way found so far is
 * given, unproved.
 *
 * Ownership: kn_puzzle_new / kn_puzzle_free; the game must outlive it. Results hold until the next run. One
 * thread at a time. */
#ifndef KNACK_SEARCH_PUZZLE_H
#define KNACK_SEARCH_PUZZLE_H

#include "search/search.h"

typedef struct KnPuzzle KnPuzzle;

typedef struct KnPuzzleResult {
    bool found;  /* a way to some end */
    bool proved; /* no way leads to a higher payoff */
    double payoff;
    const KnMove *moves; /* to that end */
    int length;
    uint64_t nodes;  /* positions played */
    uint64_t stored; /* different ones */
    int depth;       /* up to which all of them were visited in the last pass */
    KnStop stop;
    double seconds;
} KnPuzzleResult;

/* KN_OK if a game is one that this solver can look at: one role, no chance, no rules that look back. */
KnStatus kn_puzzle_suits(const KnGame *game, KnError *error);

KnPuzzle *kn_puzzle_new(const KnGame *game, size_t bytes, KnError *error);
void kn_puzzle_free(KnPuzzle *puzzle);

KnStatus kn_puzzle_solve(KnPuzzle *puzzle, const void *position, const KnBudget *budget,
                         const atomic_bool *cancel, KnPuzzleResult *result, KnError *error);

#endif
