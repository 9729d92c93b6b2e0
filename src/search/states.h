/* All states of a game that can be reached from a start, up to symmetry: what retrograde analysis works on.
 *
 * A state is known by its code (the game's `pack`), and its class under symmetry by the least code in it.
 * Symmetries are used only as far as they leave the start in place: then the classes together hold exactly
 * the states that can be reached, and the sizes of the classes add up to their number.
 *
 * Ownership: filled by kn_states_enumerate or kn_states_adopt, emptied by kn_states_free; the game must
 * outlive it. Read-only in between, and may be shared by threads. */
#ifndef KNACK_SEARCH_STATES_H
#define KNACK_SEARCH_STATES_H

#include <stdatomic.h>

#include "base/progress.h"
#include "games/game.h"

/* How to solve. All zero is a good beginning. */
typedef struct KnSolveOptions {
    int jobs;                  /* threads; 0: as many as there are cores. The outcome does not depend on it */
    size_t memory;             /* most bytes at any time; 0: 2 GiB */
    const void *start;         /* the position to start from; NULL: the game's */
    KnProgress *progress;      /* ticks once for each state in each of three passes; may be NULL */
    const atomic_bool *cancel; /* may be NULL */
} KnSolveOptions;

enum { KN_STATES_SYMMETRIES = 64 };

/* Codes of classes. */
typedef struct KnCoder {
    int count; /* symmetries used, the identity first */
    uint8_t symmetry[KN_STATES_SYMMETRIES];
} KnCoder;

typedef struct KnStates {
    KnCoder coder;
    uint64_t *codes; /* of classes, ascending */
    size_t count;
    uint32_t *slots; /* a hash index: place in `codes` plus one, 0 for none */
    size_t mask;
} KnStates;

/* Fails if the game has no exact codes, or is of a kind that states alone do not tell the value of. */
KnStatus kn_states_solvable(const KnGame *game, KnError *error);

KnCoder kn_coder(const KnGame *game, const void *start);

/* The least code of the class of a position, and (if asked) how many states the class has. */
uint64_t kn_coder_code(const KnCoder *coder, const KnGame *game, const void *position, int *size);

KnStatus kn_states_enumerate(const KnGame *game, const KnSolveOptions *options, KnStates *states,
                             KnError *error);

/* Takes over an array of ascending codes that malloc gave (freed in any case). */
KnStatus kn_states_adopt(KnCoder coder, uint64_t *codes, size_t count, KnStates *states, KnError *error);

void kn_states_free(KnStates *states);

/* The place of a class's code; SIZE_MAX if it is none of these. */
size_t kn_states_find(const KnStates *states, uint64_t code);

/* Many at once, several times as fast: memory is asked for ahead. */
void kn_states_find_all(const KnStates *states, const uint64_t *codes, int count, size_t *places);

size_t kn_solve_memory(const KnSolveOptions *options); /* with the default filled in */

/* KN_SYSTEM: more memory than allowed would be needed. */
KnStatus kn_solve_too_large(const KnGame *game, const KnSolveOptions *options, size_t states, KnError *error);

#endif
