/* A solved game: a table with the exact value of every reachable position, which can be probed, saved and
 * loaded.
 *
 *     KnSolved *solved;
 *     kn_solved_open(game, NULL, &solved, &error)
 *     kn_solved_probe(solved, game, position, &value, &plies)
 *     kn_solved_probe_move(solved, game, position, move, &value, &plies)
 *     kn_solved_free(solved)
 *
 * Values are +1 (won), 0 (drawn) or -1 (lost) for the role to move. Plies count to the end under best play,
 * where the winner takes the shortest way and the loser the longest; they are 0 for draws. Counters that the
 * game's codes omit (see KnGameType.pack) and histories are ignored. A probe takes well under a microsecond.
 *
 * Ownership: kn_solve, kn_solved_open and kn_solved_load allocate it, kn_solved_free frees it. It is
 * read-only, threads may share it, and it serves every instance of the same rules: the game that it was made
 * with may be closed, its context may not. */
#ifndef KNACK_SEARCH_SOLVED_H
#define KNACK_SEARCH_SOLVED_H

#include "search/retrograde.h"

typedef struct KnSolved KnSolved;

typedef struct KnSolvedFacts {
    int value, plies; /* of the start position, for its role to move */
    KnStateCounts total;
    KnStateCounts phase[KN_TALLY_PHASES];
    int phases;
    uint64_t moves;   /* of all classes of states */
    bool from_cache;  /* kn_solved_open loaded it and did not compute it */
    const char *note; /* why kn_solved_open could not save it; "" if it could */
} KnSolvedFacts;

/* Solves and checks; options may be NULL. */
KnStatus kn_solve(const KnGame *game, const KnSolveOptions *options, KnSolved **solved, KnError *error);
void kn_solved_free(KnSolved *solved);

/* As kn_solve, but loads the table from the data folder of the game's context if it is there, and saves a
 * computed table there. Waits while another process solves for the same folder. A damaged file is an error
 * and is not replaced. With options->start, or without a data folder, this is kn_solve. */
KnStatus kn_solved_open(const KnGame *game, const KnSolveOptions *options, KnSolved **solved, KnError *error);

/* The file of kn_solved_open: solved/NAME-IDENTITY.kns in the data folder; "" if there is no data folder. The
 * identity is a digest of the options and of sample games: the spelling of the spec does not change it, but a
 * change of the rules does. */
KnStatus kn_solved_path(const KnGame *game, KnText *path, KnError *error);

KnStatus kn_solved_save(const KnSolved *solved, const char *path, KnError *error);

/* KN_INPUT with the reason if the file is damaged, truncated, of another format, or for another game. */
KnStatus kn_solved_load(const KnGame *game, const char *path, KnSolved **solved, KnError *error);

const KnSolvedFacts *kn_solved_facts(const KnSolved *solved);

/* False if the position is not reachable from the solved start position. */
bool kn_solved_probe(const KnSolved *solved, const KnGame *game, const void *position, int *value,
                     int *plies);

/* The same after a move: the value is for the role that moves, and the move counts in the plies. */
bool kn_solved_probe_move(const KnSolved *solved, const KnGame *game, const void *position, KnMove move,
                          int *value, int *plies);

#endif
