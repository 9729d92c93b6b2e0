/* The symmetries of a game as permutations of cells and symbols. */
#ifndef KNACK_EVAL_CELL_SYMMETRY_H
#define KNACK_EVAL_CELL_SYMMETRY_H

#include "eval/look.h"

enum { KN_CELL_SYMMETRIES = 64 };

/* The symmetries of a board as permutations of its cells. */
typedef struct KnCellSymmetries {
    int count; /* those that keep the roles, the identity first */
    uint16_t cells[KN_CELL_SYMMETRIES][KN_LOOK_CELLS];
    bool exchanges;                   /* one that exchanges the roles was found: */
    uint16_t exchange[KN_LOOK_CELLS]; /* its image of each cell */
    uint8_t symbols[KN_LOOK_SYMBOLS]; /* and of each symbol */
} KnCellSymmetries;

/* Finds the permutation behind each symmetry of the game by random positions, and checks it on others. A
 * symmetry that is no permutation of cells is left out. */
KnStatus kn_cell_symmetries(const KnGame *game, KnCellSymmetries *found, KnError *error);

#endif
