/* Counting the tree of a game: the test of a move generator, and its speed.
 *
 * kn_perft counts the sequences of exactly `depth` moves that begin at a position; a joint move of a
 * simultaneous game is one move, and so is a pass. Contests that end sooner are not counted, unless
 * KN_PERFT_LEAVES asks for the leaves of the tree cut off at that depth, as the published numbers for Othello
 * have it. kn_perft_games counts the different courses of a contest that end within `depth` moves.
 *
 * By default the rules of the position alone decide. KN_PERFT_HISTORY also obeys those that look back
 * (superko, repetition), with the counted part as all of the history. KN_PERFT_PATHS counts a move as often
 * as it can be carried out on the board (a king's capture in draughts that can be jumped in two ways counts
 * twice), where a game knows of such.
 *
 * The work is split among `jobs` threads (<= 0: all cores); the count does not depend on it. `cancel` may be
 * NULL. */
#ifndef KNACK_GAMES_PERFT_H
#define KNACK_GAMES_PERFT_H

#include <stdatomic.h>

#include "games/game.h"

enum { KN_PERFT_PATHS = 1, KN_PERFT_HISTORY = 2, KN_PERFT_LEAVES = 4, KN_PERFT_DEPTH_MAX = 1000 };

typedef struct KnPerft {
    unsigned flags;
    int jobs;
    const atomic_bool *cancel;
} KnPerft;

/* `how` may be NULL: no flags, one thread. */
KnStatus kn_perft(const KnGame *game, const void *position, int depth, const KnPerft *how, uint64_t *count,
                  KnError *error);

typedef struct KnPerftGames {
    uint64_t complete;   /* contests that ended */
    uint64_t unfinished; /* those still under way after `depth` moves */
    int longest;         /* moves of the longest that ended */
} KnPerftGames;

KnStatus kn_perft_games(const KnGame *game, const void *position, int depth, const KnPerft *how,
                        KnPerftGames *count, KnError *error);

#endif
