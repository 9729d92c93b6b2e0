/* Where games begin: at the start position, from a file of openings, or after some random moves.
 *
 * A file has an opening a line: moves from the start in the game's notation, or a position as the game writes
 * it; empty lines and lines that begin with # are skipped. Sets of our own travel with the library and go by
 * name: checkers-three-ply, checkers-held-out. Opening j serves the games 2j and 2j+1 of a match, once from
 * each side; a file is gone through in order, again and again. Random openings are drawn from (seed, j), so
 * that they too are the same for both sides.
 *
 * Ownership: kn_openings_new / kn_openings_free; read-only in between. */
#ifndef KNACK_ARENA_OPENINGS_H
#define KNACK_ARENA_OPENINGS_H

#include "base/hash.h"
#include "games/game.h"

typedef struct KnOpenings KnOpenings;

/* `path` NULL: no file. `random_plies` 0: no random moves (they follow the file's opening if both are given).
 */
KnStatus kn_openings_new(const KnGame *game, const char *path, int random_plies, uint64_t seed,
                         KnOpenings **openings, KnError *error);
void kn_openings_free(KnOpenings *openings);

size_t kn_openings_count(const KnOpenings *openings); /* lines of the file; 0 without one */

/* Resets the state and plays opening `index`. */
KnStatus kn_openings_play(const KnOpenings *openings, uint64_t index, KnState *state, KnError *error);

/* Everything that decides which openings are played, for a run's identity. */
void kn_openings_fingerprint(const KnOpenings *openings, KnDigest *digest);

#endif
