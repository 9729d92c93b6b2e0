/* Retrograde analysis (Ströhlein 1970, Thompson 1986): the exact value of every reachable state of a game,
 * with its distance to the end in plies under best play (the winner takes the shortest way, the loser the
 * longest).
 *
 * It works on every two-player zero-sum game whose positions have exact codes, also where a player moves
 * several times in a row. A state from which neither player can force an end is a draw, like a draw by the
 * rules. States are classes under symmetry (search/statespace.h). */
#ifndef KNACK_SEARCH_RETROGRADE_H
#define KNACK_SEARCH_RETROGRADE_H

#include "search/statespace.h"

/* A result in 16 bits: the value for the mover in the two low bits (0 draw, 1 win, 2 loss), the plies above.
 */
typedef uint16_t KnResult;
enum { KN_RESULT_DRAW = 0, KN_RESULT_WIN = 1, KN_RESULT_LOSS = 2, KN_RESULT_PLIES_MAX = (1 << 14) - 1 };

static inline int kn_result_value(KnResult result)
{
    return (result & 3) == KN_RESULT_WIN ? 1 : (result & 3) == KN_RESULT_LOSS ? -1 : 0;
}
static inline int kn_result_plies(KnResult result) { return result >> 2; } /* 0 for draws */

/* Counts of states by their value for the mover. `classes` counts states up to symmetry. */
typedef struct KnStateCounts {
    uint64_t states, classes;
    uint64_t wins, draws, losses; /* numbers of states */
    uint32_t longest;             /* plies of the longest win or loss */
    uint32_t unused;
} KnStateCounts;

enum { KN_TALLY_PHASES = 8 };

typedef struct KnRetrograde {
    KnStateSpace states;
    KnResult *results; /* by index in states.codes */
    KnStateCounts total;
    KnStateCounts phase[KN_TALLY_PHASES]; /* the same by the game's phases; later phases count in the last */
    uint64_t moves;                       /* of all classes: the edges of the graph */
} KnRetrograde;

/* Enumerates and solves the states. Then it checks every value and distance against the successors that the
 * rules give. The caller frees with kn_retrograde_free. */
KnStatus kn_retrograde(const KnGame *game, const KnSolveOptions *options, KnRetrograde *out, KnError *error);
void kn_retrograde_free(KnRetrograde *retrograde);

/* Only the check, which also fills the counts. KN_NO, naming the state, if a value is wrong. */
KnStatus kn_retrograde_verify(const KnGame *game, const KnSolveOptions *options, KnRetrograde *retrograde,
                              KnError *error);

#endif
