/* The command line as a function, for knack and knack-mpi. */
#ifndef KNACK_CLI_RUN_H
#define KNACK_CLI_RUN_H

#include "jobs/workers.h"

/* Runs the command line; returns the exit code. */
int cli_run(int argc, char **argv);

/* Sets the workers for the subcommand; call it first. */
void cli_set_workers(KnWorkers *workers);

#endif
