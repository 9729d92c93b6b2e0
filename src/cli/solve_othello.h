/* knack solve for endgames of Othello. */
#ifndef KNACK_CLI_SOLVE_OTHELLO_H
#define KNACK_CLI_SOLVE_OTHELLO_H

#include "games/game.h"

/* Prints the margin with best play, with `all` also that of every move. `memory` is of the solver's table; 0:
 * its default. Returns the exit code. */
int cli_solve_othello(const KnState *state, size_t memory, bool all, bool json);

#endif
