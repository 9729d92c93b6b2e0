/* Puzzles: exact solvers for games of one role.
 *
 * Breadth-first search visits every reachable position once. It stops at an end with the highest payoff that
 * the rules can give (by a shortest solution), or when no position is left, which proves that the best end
 * found is optimal. For games in GDL a first pass identifies positions that differ only in step counters
 * (facts that depend on the number of moves alone). That pass has far fewer positions, and a solution with
 * the highest payoff is correct however it was found; the second, exact pass runs only if the first finds
 * none.
 *
 * On game descriptions with a propnet, heuristics from the delete relaxation (games/gdl/relaxed.h) lead A*
 * and greedy best-first search. A* has an admissible one, so its solutions are shortest too, as with pattern
 * databases (games/gdl/patterns.h), which are slow to build and quick to ask. The greedy one
 * is a guess: it finds solutions in puzzles that are too large for the others, and shows the highest payoff,
 * not the shortest way. What the relaxation cannot reach is out of reach, which lowers the highest payoff.
 *
 * All memory is allocated at the beginning, but for that of best-first search. When it or the budget is used
 * up, the result is the best solution so far, unproven.
 *
 * Ownership: kn_puzzle_new / kn_puzzle_free; the game must outlive it. Results stay valid until the next run.
 * One thread at a time. */
#ifndef KNACK_SEARCH_PUZZLE_H
#define KNACK_SEARCH_PUZZLE_H

#include "search/search.h"

typedef struct KnPuzzle KnPuzzle;

/* AUTO: breadth first with a part of memory and time, then greedy, then breadth first again. */
typedef enum KnPuzzleSearch {
    KN_PUZZLE_AUTO,
    KN_PUZZLE_BREADTH,
    KN_PUZZLE_A_STAR,
    KN_PUZZLE_GREEDY,
    KN_PUZZLE_PATTERNS /* A* with pattern databases */
} KnPuzzleSearch;

typedef struct KnPuzzleResult {
    bool found;            /* some end was reached */
    bool proved;           /* no solution has a higher payoff */
    bool shortest;         /* no solution with this payoff is shorter */
    KnPuzzleSearch search; /* that found it */
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

/* AUTO at first. KN_INPUT: it needs a propnet. */
KnStatus kn_puzzle_use(KnPuzzle *puzzle, KnPuzzleSearch search, KnError *error);

/* The highest payoff that the rules can give from a position, as far as is known without a search. */
double kn_puzzle_highest(KnPuzzle *puzzle, const void *position);

KnStatus kn_puzzle_solve(KnPuzzle *puzzle, const void *position, const KnBudget *budget,
                         const atomic_bool *cancel, KnPuzzleResult *result, KnError *error);

#endif
