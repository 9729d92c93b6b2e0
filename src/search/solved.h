/* A solved game: the exact value of every position that can come up, to be asked for, kept and loaded.
 *
 *     KnSolved *solved;
 *     kn_solved_open(game, NULL, &solved, &error)          from the data folder if it is there, else solved
 * and stored kn_solved_probe(solved, game, position, &value, &plies) kn_solved_probe_move(solved, game,
 * position, move, &value, &plies) kn_solved_free(solved)
 *
 * Values are +1 (won), 0 (drawn) or -1 (lost) for the role that has the move; plies count to the end under
 * best play, where the winner hurries and the loser holds out, and are 0 for draws. Counters that a game's
 * codes leave out (see KnGameType.pack) and histories are ignored. A probe takes well under a microsecond.
 *
 * Ownership: kn_solve, kn_solved_open and kn_solved_load make one, kn_solved_free frees it. It is read-only,
 * may be shared by threads, and serves every instance of the same rules: the game it was made with may be
 * closed. */
#ifndef KNACK_SEARCH_SOLVED_H
#define KNACK_SEARCH_SOLVED_H

#include "search/retrograde.h"

typedef struct KnSolved KnSolved;

typedef struct KnSolvedFacts {
    int value, plies; /* of the start, for the role to move there */
    KnTally total;
    KnTally phase[KN_TALLY_PHASES];
    int phases;
    uint64_t moves;   /* in all classes of states together */
    bool from_cache;  /* loaded by kn_solved_open, not computed */
    const char *note; /* why kn_solved_open could not store it; "" if it could */
} KnSolvedFacts;

/* Solves and checks; options may be NULL. */
KnStatus kn_solve(const KnGame *game, const KnSolveOptions *options, KnSolved **solved, KnError *error);
void kn_solved_free(KnSolved *solved);

/* As kn_solve, but looks first in the data folder of the game's context, and stores there what it had to
 * compute. Waits while somebody else is solving for the same folder. A damaged file is refused, not replaced.
 * With a start of one's own, or without a data folder, this is kn_solve. */
KnStatus kn_solved_open(const KnGame *game, const KnSolveOptions *options, KnSolved **solved, KnError *error);

/* Where kn_solved_open keeps it: solved/NAME-IDENTITY.kns in the data folder; "" if there is none. The
 * identity tells rules apart by their options and by how sample games go, so that spelling does not matter
 * and changed rules do. */
KnStatus kn_solved_path(const KnGame *game, KnText *path, KnError *error);

KnStatus kn_solved_save(const KnSolved *solved, const char *path, KnError *error);

/* KN_INPUT with the reason if the file is damaged, truncated, something else, or for another game. */
KnStatus kn_solved_load(const KnGame *game, const char *path, KnSolved **solved, KnError *error);

const KnSolvedFacts *kn_solved_facts(const KnSolved *solved);

/* False if the position cannot come up from the start that was solved. */
bool kn_solved_probe(const KnSolved *solved, const KnGame *game, const void *position, int *value,
                     int *plies);

/* The same after a move, but seen by the role that makes it, and with the move counted in the plies. */
bool kn_solved_probe_move(const KnSolved *solved, const KnGame *game, const void *position, KnMove move,
                          int *value, int *plies);

#endif
