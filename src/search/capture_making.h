/* New capture problems of Go, each with a proof of its answer.
 *
 * Positions come from games that the program plays against itself, quickly and with an eye for ataris; at
 * most one problem comes from a game, so that they differ. A problem is taken when the search proves, without
 * a ko, both that the string is captured if the attacker moves first and that it is saved if the defender
 * does; some are taken whose answer is no: a string that is safe although the attacker moves first, or lost
 * although the defender does. All first moves are then tried, and those that succeed are listed; `complete`
 * says that each of the others was proved to fail.
 *
 * Grades: plies of the capture, nodes of the paper's search without widening (strategy 1), and from these a
 * volume from 1 to 3. No two problems are the same up to symmetry and colours. The same seed and number give
 * the same problems. */
#ifndef KNACK_SEARCH_CAPTURE_MAKING_H
#define KNACK_SEARCH_CAPTURE_MAKING_H

#include <stdatomic.h>

#include "base/progress.h"
#include "formats/problems.h"

enum { KN_CAPTURE_VOLUMES = 3 };

typedef struct KnCaptureMaking {
    int problems; /* in all; each volume gets a third */
    uint64_t seed;
    const atomic_bool *cancel; /* may be NULL */
    KnProgress *progress;      /* may be NULL: ticks with each problem */
} KnCaptureMaking;

/* Adds a line a problem, by volumes. KN_STOPPED if cancelled. */
KnStatus kn_capture_make(const KnContext *context, const KnCaptureMaking *making, KnText *out,
                         KnError *error);

/* Whether the search confirms what a problem claims: its answer, its moves, and, if it says complete, that it
 * finds no other move. KN_NO, with the reason in the error, if something is otherwise, or answer or moves
 * cannot be proved within `nodes` a search. */
KnStatus kn_capture_verify(const KnProblem *problem, uint64_t nodes, KnError *error);

#endif
