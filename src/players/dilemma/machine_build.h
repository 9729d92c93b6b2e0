/* Builds machines state by state. Private to machine*.c. */
#ifndef KNACK_PLAYERS_DILEMMA_MACHINE_BUILD_H
#define KNACK_PLAYERS_DILEMMA_MACHINE_BUILD_H

#include "players/dilemma/machine.h"

/* A machine with empty states; NULL and an error if memory runs out. */
KnMachine *kn_machine_new(int count, KnError *error);

/* Call it when all states are filled in. */
void kn_machine_finish(KnMachine *machine);

#endif
