/* Zero-sum matrix games: both choose at once, one the row and the other the column, and the entry is what the
 * first one gets. The value is what each can be sure of in the mean by mixed strategies (von Neumann 1928).
 */
#ifndef KNACK_SEARCH_MATRIX_GAME_H
#define KNACK_SEARCH_MATRIX_GAME_H

#include <stdbool.h>

enum { KN_MATRIX_GAME_MOST = 1024 }; /* entries */

typedef struct KnMatrixGame {
    int rows, columns;
    const double *entries; /* row after row */
} KnMatrixGame;

/* Fills the value and, where they are given, the chances of the rows and columns. Where pure strategies
 * suffice, the value is one of the entries, to the bit. False: the numbers are too uneven for doubles. */
bool kn_matrix_game_solve(const KnMatrixGame *game, double *value, double *row_chances,
                          double *column_chances);

#endif
