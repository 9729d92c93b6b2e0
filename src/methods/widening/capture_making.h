/* Generates capture problems of Go, each with a proven answer.
 *
 * Positions come from fast self-play that prefers moves around strings in atari; each game gives at most one
 * problem, for variety. A position becomes a problem if the search proves, without a ko, that the string is
 * captured if the attacker moves first and saved if the defender moves first. Some problems have the answer
 * no: a string that is safe although the attacker moves first, or lost although the defender does. Then the
 * search tries all first moves and lists those that succeed; `complete` means that each of the others is
 * proven to fail.
 *
 * Difficulty: plies of the capture where they are 3 or 5, nodes of the paper's search without widening
 * (strategy 1), and a volume from 1 to 3 that depends on the nodes. No two problems are equal up to symmetry
 * and colours. The same seed and number give the same problems. */
#ifndef KNACK_METHODS_WIDENING_CAPTURE_MAKING_H
#define KNACK_METHODS_WIDENING_CAPTURE_MAKING_H

#include <stdatomic.h>

#include "base/progress.h"
#include "formats/problems.h"

enum { KN_CAPTURE_VOLUMES = 3 };

typedef struct KnCaptureMaking {
    int problems; /* in total; each volume gets a third */
    uint64_t seed;
    const atomic_bool *cancel; /* may be NULL */
    KnProgress *progress;      /* may be NULL; ticks with each problem */
} KnCaptureMaking;

/* What is asked of the strings of a game, by the number of the game: the size of the board, whether the
 * answer is to be no, and whether the owner of the string moves first. */
typedef struct KnCaptureQuestion {
    int size;
    bool loss, defend;
} KnCaptureQuestion;

KnCaptureQuestion kn_capture_question(uint64_t index);

/* Appends a line for each problem to `out`, volume by volume. KN_STOPPED if cancelled. */
KnStatus kn_capture_make(const KnContext *context, const KnCaptureMaking *making, KnText *out,
                         KnError *error);

#endif
