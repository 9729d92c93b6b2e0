/* Building endgame tables in a folder, slice by slice from the smallest material up, and checking those that
 * are there.
 *
 * A slice is solved, every value of it checked against its successors, packed, written under a temporary
 * name, renamed, and read back. So a file that has its name is whole, and a build that was killed goes on
 * with the first slice that is missing. */
#ifndef KNACK_GAMES_CHECKERS_ENDGAME_BUILD_H
#define KNACK_GAMES_CHECKERS_ENDGAME_BUILD_H

#include "base/context.h"
#include "games/checkers/endgame.h"

typedef struct KnEndgamePlan {
    const char *folder; /* made if it is not there */
    int pieces;         /* build tables with up to this many pieces */
    KnEndgameKind kind;
    int jobs;             /* threads; 0: as many as there are cores. The files do not depend on it */
    size_t cache;         /* bytes of smaller tables kept unpacked, by thread; 0: 128 MiB */
    KnProgress *progress; /* its total is set, and where it begins */
    const atomic_bool *cancel;
    const KnContext *context; /* its workers take part; NULL: none. Workers write slices into the folder
                                 themselves: all must see it */
} KnEndgamePlan;

typedef struct KnEndgameBuilt {
    int made, found; /* slices: built now, and there before */
} KnEndgameBuilt;

/* Refuses to go on over a file that is damaged. Fails if another build is at work in the folder. */
KnStatus kn_endgame_build(const KnEndgamePlan *plan, KnEndgameBuilt *built, KnError *error);

/* What the progress of kn_endgame_build counts to. */
uint64_t kn_endgame_work(int pieces);

/* Unpacks every block, and asks for every position and its successors again: KN_NO with the first that is
 * wrong, KN_INPUT with a file that is damaged. `asked` gets the number of questions (may be NULL). plan->kind
 * is not looked at; plan->progress ticks once for each number of a slice. */
KnStatus kn_endgame_check(const KnEndgame *tables, const KnEndgamePlan *plan, uint64_t *asked,
                          KnError *error);
uint64_t kn_endgame_check_work(const KnEndgame *tables);

#endif
