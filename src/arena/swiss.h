/* The pairings of one round of a Swiss tournament. */
#ifndef KNACK_ARENA_SWISS_H
#define KNACK_ARENA_SWISS_H

#include <stdbool.h>
#include <stddef.h>

/* Most rounds in which a pairing without a second meeting is certain to exist (Dirac's condition on those who
 * have not met). */
size_t kn_swiss_rounds_most(size_t players);

/* The usual number: enough to leave one player without a loss, log2 of the players. */
size_t kn_swiss_rounds(size_t players);

/* Pairs players who have not met (met[i * players + j]), neighbours by score first; equal scores go in the
 * order of entry. With an odd number of players one has a bye: the last by score that had none. partner[i] ==
 * i is the bye. False if no pairing was found. */
bool kn_swiss_pair(size_t players, const double *scores, const bool *met, const bool *had_bye,
                   size_t *partner);

#endif
