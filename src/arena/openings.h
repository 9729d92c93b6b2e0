/* Where games begin: at the start position, from a file of openings, or after some random moves.
 *
 * A list has an opening a line: moves from the start in the game's notation, or a position as the game writes
 * it, perhaps with operations after a semicolon as in EPD; empty lines and lines that begin with # are
 * skipped. A file of game records (PDN, SGF, GGF) gives the first plies of each game, each opening once. Sets
 * of our own travel with the library and go by name: checkers-three-ply, checkers-held-out. Opening j serves
 * the games 2j and 2j+1 of a match, once from each side; a file is gone through in order, again and again.
 * Random openings are drawn from (seed, j), so that they too are the same for both sides.
 *
 * Ownership: kn_openings_new / kn_openings_free; read-only in between. */
#ifndef KNACK_ARENA_OPENINGS_H
#define KNACK_ARENA_OPENINGS_H

#include "base/hash.h"
#include "games/game.h"

typedef struct KnOpenings KnOpenings;

typedef struct KnOpeningsPlan {
    const char *path; /* NULL: no file */
    int random_plies; /* they follow the file's opening if both are given */
    int plies;        /* openings are cut to this many; 0: 8 of a game record, all of a line */
    bool shuffle;     /* in an order drawn from the seed */
    uint64_t seed;
} KnOpeningsPlan;

/* An opening with an illegal move is an error that names its place in the file. */
KnStatus kn_openings_new(const KnGame *game, const KnOpeningsPlan *plan, KnOpenings **openings,
                         KnError *error);
void kn_openings_free(KnOpenings *openings);

size_t kn_openings_count(const KnOpenings *openings); /* of the file; 0 without one */

/* Resets the state and plays opening `index`. */
KnStatus kn_openings_play(const KnOpenings *openings, uint64_t index, KnState *state, KnError *error);

/* Everything that decides which openings are played, for a run's identity. */
void kn_openings_fingerprint(const KnOpenings *openings, KnDigest *digest);

#endif
