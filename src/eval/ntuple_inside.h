/* Parts of networks, for eval/ntuple*.c only. */
#ifndef KNACK_EVAL_NTUPLE_INSIDE_H
#define KNACK_EVAL_NTUPLE_INSIDE_H

#include "eval/ntuple.h"

enum { KN_NETWORK_SYMMETRIES = 64 };

/* The symmetries of a board as permutations of its cells. */
typedef struct KnCellSymmetries {
    int count; /* those that keep the roles, the identity first */
    uint16_t cells[KN_NETWORK_SYMMETRIES][KN_NTUPLE_CELLS];
    bool exchanges;                     /* one that exchanges the roles was found: */
    uint16_t exchange[KN_NTUPLE_CELLS]; /* its image of each cell */
    uint8_t symbols[KN_NTUPLE_SYMBOLS]; /* and of each symbol */
} KnCellSymmetries;

/* Finds the permutation behind each symmetry of the game by random positions, and checks it on others. A
 * symmetry that is no permutation of cells is left out. */
KnStatus kn_cell_symmetries(const KnGame *game, KnCellSymmetries *found, KnError *error);

/* Adds the tuples that the plan asks for. *shared: lines share tables. */
KnStatus kn_network_add_tuples(const KnGame *game, const KnNetworkPlan *plan,
                               const KnCellSymmetries *symmetries, KnNtuple *net, bool *shared,
                               KnError *error);

#endif
