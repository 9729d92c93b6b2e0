/* Reading the table of a matrix game from its options. Private to games/matrix*.c. */
#ifndef KNACK_GAMES_MATRIX_TABLE_H
#define KNACK_GAMES_MATRIX_TABLE_H

#include "games/matrix.h"

/* Fills players, actions, names, cells, table, scale, least, most and symmetric. `actions` may be NULL: they
 * are then counted from the rows and called 1, 2, ... The table is allocated and belongs to the matrix, also
 * after a failure. */
KnStatus kn_matrix_read(const char *payoffs, const char *actions, KnMatrix *matrix, KnError *error);

/* Adds the payoffs that hold once `change` rounds are played, for the same players and actions. */
KnStatus kn_matrix_read_later(const char *payoffs, const char *actions, long change, KnMatrix *matrix,
                              KnError *error);

/* Everybody has `endowment` and gives any of `levels` equal steps of it, from all (the first action) to
 * nothing; what is given is multiplied by `factor` and shared among all. A dilemma, or refused: giving must
 * cost the giver and pay the group. */
KnStatus kn_matrix_public_goods(int players, int levels, double factor, double endowment, KnMatrix *matrix,
                                KnError *error);

/* The two-player table of a prisoner's dilemma, actions C and D. */
KnStatus kn_matrix_dilemma(double temptation, double reward, double punishment, double sucker, bool strict,
                           KnMatrix *matrix, KnError *error);

#endif
