/* What `knack tables` and `knack solve` share. */
#ifndef KNACK_CLI_TABLES_H
#define KNACK_CLI_TABLES_H

#include "games/game.h"
#include "games/checkers/endgame.h"

/* Prints what tables say of a position and its moves. Returns the exit code. */
int cli_probe_tables(const KnState *state, const KnEndgame *tables, bool json);

#endif
