/* Positions for capture problems: fast self-play that prefers moves around strings in atari. */
#ifndef KNACK_METHODS_WIDENING_CAPTURE_SELF_PLAY_H
#define KNACK_METHODS_WIDENING_CAPTURE_SELF_PLAY_H

#include <knack/base.h>
#include "games/go/strings.h"

/* Plays a game from the empty board up to a random ply. The caller frees it; NULL if memory runs out. */
KnStrings *kn_capture_self_play(int size, KnRng *rng);

/* The stones as a position with `mover` to move. */
KnStatus kn_capture_position(const KnStrings *strings, const KnGame *game, int mover, void *position,
                             KnError *error);

#endif
