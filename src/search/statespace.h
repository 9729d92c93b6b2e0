/* All states of a game that are reachable from a start position, up to symmetry: the input of retrograde
 * analysis.
 *
 * A state is identified by its code (the game's `pack`), its symmetry class by the least code in the class.
 * Only symmetries that map the start position to itself are used: then the classes together hold exactly the
 * reachable states, and their sizes add up to the number of these.
 *
 * Ownership: kn_statespace_enumerate or kn_statespace_adopt fills it, kn_statespace_free empties it; the game
 * must outlive it. It is read-only in between, and threads may share it. */
#ifndef KNACK_SEARCH_STATESPACE_H
#define KNACK_SEARCH_STATESPACE_H

#include <stdatomic.h>

#include "base/progress.h"
#include "games/game.h"

/* How to solve. All zero is a good default. */
typedef struct KnSolveOptions {
    int jobs;                  /* threads; 0: one for each core. The result does not depend on it */
    size_t memory;             /* the largest number of bytes in use; 0: 2 GiB */
    const void *start;         /* the start position; NULL: that of the game */
    KnProgress *progress;      /* ticks once for each state in each of three passes; may be NULL */
    const atomic_bool *cancel; /* may be NULL */
} KnSolveOptions;

enum { KN_STATES_SYMMETRIES = 64 };

/* Computes the codes of symmetry classes. */
typedef struct KnCoder {
    int count; /* symmetries in use, the identity first */
    uint8_t symmetry[KN_STATES_SYMMETRIES];
} KnCoder;

typedef struct KnStateSpace {
    KnCoder coder;
    uint64_t *codes; /* of classes, ascending */
    size_t count;
    uint32_t *slots; /* a hash index: the index in `codes` plus one, 0 for none */
    size_t mask;
} KnStateSpace;

/* Fails if the game has no exact codes, or if its states alone do not determine their values. */
KnStatus kn_statespace_solvable(const KnGame *game, KnError *error);

KnCoder kn_coder(const KnGame *game, const void *start);

/* The least code of the class of a position. Stores the number of states in the class in *size unless NULL.
 */
uint64_t kn_coder_code(const KnCoder *coder, const KnGame *game, const void *position, int *size);

KnStatus kn_statespace_enumerate(const KnGame *game, const KnSolveOptions *options, KnStateSpace *states,
                                 KnError *error);

/* Takes ownership of an allocated array of ascending codes (and frees it on failure). */
KnStatus kn_statespace_adopt(KnCoder coder, uint64_t *codes, size_t count, KnStateSpace *states,
                             KnError *error);

void kn_statespace_free(KnStateSpace *states);

/* The index of a class by its code; SIZE_MAX if there is none. */
size_t kn_statespace_find(const KnStateSpace *states, uint64_t code);

/* Finds many codes, several times faster than one by one, because it prefetches memory. */
void kn_statespace_find_all(const KnStateSpace *states, const uint64_t *codes, int count, size_t *indices);

size_t kn_solve_memory(const KnSolveOptions *options); /* with the default filled in */

/* The error for a game that needs more memory than allowed. */
KnStatus kn_solve_too_large(const KnGame *game, const KnSolveOptions *options, size_t states, KnError *error);

#endif
