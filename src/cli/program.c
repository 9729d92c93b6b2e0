/* The program `knack`. With Open MPI there is a second one (src/jobs/mpi/main.c), which is the same with
 * helpers. */
#include "cli/run.h"

int main(int argc, char **argv) { return cli_run(argc, argv); }
