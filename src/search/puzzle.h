/* Puzzles: an exact solver for games of one role, by breadth-first graph search.
 *
 * The solver visits every reachable position once. It stops at an end with the highest payoff that the rules
 * can give (by a shortest solution), or when no position is left, which proves that the best end found is
 * optimal. For games in GDL a first pass identifies positions that differ only in step counters (facts that
 * depend on the number of moves alone). That pass has far fewer positions, and a solution with the highest
 * payoff is correct however it was found; the second, exact pass runs only if the first finds none.
 *
 * All memory is allocated at the beginning. When it or the budget is used up, the result is the best solution
 * so far, unproven.
 *
 * Ownership: kn_puzzle_new / kn_puzzle_free; the game must outlive it. Results stay valid until the next run.
 * One thread at a time. */
#ifndef KNACK_SEARCH_PUZZLE_H
#define KNACK_SEARCH_PUZZLE_H

#include "search/search.h"

typedef struct KnPuzzle KnPuzzle;

typedef struct KnPuzzleResult {
    bool found;  /* some end was reached */
    bool proved; /* no solution has a higher payoff */
    double payoff;
    const KnMove *moves; /* the solution */
    int length;
    uint64_t nodes;  /* positions played */
    uint64_t stored; /* distinct positions */
    int depth;       /* up to which the last pass visited all positions */
    KnStop stop;
    double seconds;
} KnPuzzleResult;

/* KN_OK if the solver can handle the game: one role, no chance, no rules that look back. */
KnStatus kn_puzzle_suits(const KnGame *game, KnError *error);

KnPuzzle *kn_puzzle_new(const KnGame *game, size_t bytes, KnError *error);
void kn_puzzle_free(KnPuzzle *puzzle);

KnStatus kn_puzzle_solve(KnPuzzle *puzzle, const void *position, const KnBudget *budget,
                         const atomic_bool *cancel, KnPuzzleResult *result, KnError *error);

#endif
