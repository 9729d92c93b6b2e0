/* The command line as a call, for the programs that are made of it. */
#ifndef KNACK_CLI_RUN_H
#define KNACK_CLI_RUN_H

#include "base/team.h"

/* The whole command: the exit code. */
int cli_run(int argc, char **argv);

/* Whoever is to help with what the subcommand does, to be said before that. */
void cli_set_team(KnTeam *team);

#endif
