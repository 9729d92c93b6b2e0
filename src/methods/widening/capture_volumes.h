/* A set of capture problems in the making: volumes of a third each, filled game by game. */
#ifndef KNACK_METHODS_WIDENING_CAPTURE_VOLUMES_H
#define KNACK_METHODS_WIDENING_CAPTURE_VOLUMES_H

#include "methods/widening/capture_making.h"

typedef struct KnCaptureVolumes {
    KnText lines[KN_CAPTURE_VOLUMES];
    int quota[KN_CAPTURE_VOLUMES], made;
} KnCaptureVolumes;

/* Looks for problems in game number `game`, and adds what it finds to the volumes of `set`. */
typedef KnStatus KnCaptureFinder(void *set, uint64_t game, KnError *error);

KnCaptureVolumes kn_capture_volumes(const KnCaptureMaking *making);

/* Asks for games until all problems are made, and appends their lines to `out`. KN_NO if `games_most` games
 * were not enough, KN_STOPPED if cancelled. Releases the lines in any case. */
KnStatus kn_capture_fill(const KnCaptureMaking *making, KnCaptureVolumes *volumes, uint64_t games_most,
                         KnCaptureFinder *find, void *set, KnText *out, KnError *error);

#endif
