/* Parses the table of a matrix game from its options. Private to games/matrix*.c. */
#ifndef KNACK_GAMES_MATRIX_TABLE_H
#define KNACK_GAMES_MATRIX_TABLE_H

#include "games/matrix/matrix.h"

/* Fills players, actions, names, cells, table, scale, least, most and symmetric. Without `actions` (NULL),
 * they are counted from the rows and named 1, 2, ... The matrix owns the table, also after a failure. */
KnStatus kn_matrix_read(const char *payoffs, const char *actions, KnMatrix *matrix, KnError *error);

/* Adds the payoffs after `change` rounds, for the same players and actions. */
KnStatus kn_matrix_read_later(const char *payoffs, const char *actions, long change, KnMatrix *matrix,
                              KnError *error);

/* The public goods game: every player has `endowment` and contributes one of `levels` equal steps of it, from
 * all (the first action) to nothing; contributions are multiplied by `factor` and shared equally. Refused
 * unless it is a dilemma: contributing must cost the player and benefit the group. */
KnStatus kn_matrix_public_goods(int players, int levels, double factor, double endowment, KnMatrix *matrix,
                                KnError *error);

/* The two-player table of a prisoner's dilemma, actions C and D. */
KnStatus kn_matrix_dilemma(double temptation, double reward, double punishment, double sucker, bool strict,
                           KnMatrix *matrix, KnError *error);

#endif
