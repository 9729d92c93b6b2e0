/* The methods of `knack train`: a row each in cmd_train.c, a file each beside it. */
#ifndef KNACK_CLI_TRAIN_H
#define KNACK_CLI_TRAIN_H

int train_allocation(int argc, char **argv); /* argv[0] is "knack train allocation" */

#endif
