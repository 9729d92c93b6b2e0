/* Retrograde analysis: the exact value of every state of a game that can be reached, with the number of plies
 * to its end under best play: the winner hurries, the loser holds out.
 *
 * Works on any game of two players against each other whose positions have exact codes, also where a player
 * moves several times in a row. States from which neither can force an end are draws, and so are draws by the
 * rules. States are classes under symmetry (search/states.h). */
#ifndef KNACK_SEARCH_RETROGRADE_H
#define KNACK_SEARCH_RETROGRADE_H

#include "search/states.h"

/* A result in 16 bits: the value for the mover in the low two (0 draw, 1 win, 2 loss), plies above. */
typedef uint16_t KnResult;
enum { KN_RESULT_DRAW = 0, KN_RESULT_WIN = 1, KN_RESULT_LOSS = 2, KN_RESULT_PLIES_MAX = (1 << 14) - 1 };

static inline int kn_result_value(KnResult result)
{
    return (result & 3) == KN_RESULT_WIN ? 1 : (result & 3) == KN_RESULT_LOSS ? -1 : 0;
}
static inline int kn_result_plies(KnResult result) { return result >> 2; } /* 0 for draws */

/* Counts of states, for the mover; classes as counted up to symmetry. */
typedef struct KnTally {
    uint64_t states, classes;
    uint64_t wins, draws, losses; /* of states */
    uint32_t longest;             /* plies of the longest win or loss */
    uint32_t unused;
} KnTally;

enum { KN_TALLY_PHASES = 8 };

typedef struct KnRetrograde {
    KnStates states;
    KnResult *results; /* by place in states.codes */
    KnTally total;
    KnTally phase[KN_TALLY_PHASES]; /* the same by the game's phases, as far as they are fewer than this */
    uint64_t moves;                 /* in all classes together: the size of the graph */
} KnRetrograde;

/* Enumerates and solves; then every value and distance is checked against its successors, made anew by the
 * rules. */
KnStatus kn_retrograde(const KnGame *game, const KnSolveOptions *options, KnRetrograde *out, KnError *error);
void kn_retrograde_free(KnRetrograde *retrograde);

/* The check alone, which also fills the tallies. KN_NO with the first state that is wrong. */
KnStatus kn_retrograde_verify(const KnGame *game, const KnSolveOptions *options, KnRetrograde *retrograde,
                              KnError *error);

#endif
