/* Perft: counts the leaves of a game tree, to test a move generator and measure its speed.
 *
 * kn_perft counts the sequences of exactly `depth` moves from a position; a joint move of a simultaneous game
 * is one move, and so is a pass. Games that end before are not counted, unless KN_PERFT_LEAVES asks for all
 * leaves of the truncated tree, as published counts of Othello do. kn_perft_games counts the distinct
 * complete games of at most `depth` moves.
 *
 * By default only the rules of the position apply. KN_PERFT_HISTORY also applies rules about earlier
 * positions (superko, repetition), with the counted moves as the whole history. KN_PERFT_PATHS counts a move
 * once for each way to carry it out on the board (a king's capture in draughts with two routes counts twice),
 * if the game can tell.
 *
 * `jobs` threads share the work (<= 0: all cores); the count does not depend on their number. `cancel` may be
 * NULL. */
#ifndef KNACK_GAMES_PERFT_H
#define KNACK_GAMES_PERFT_H

#include "games/game.h"

typedef struct KnPerftGames {
    uint64_t complete;   /* completed games */
    uint64_t unfinished; /* games not over after `depth` moves */
    int longest;         /* length of the longest completed game */
} KnPerftGames;

KnStatus kn_perft_games(const KnGame *game, const void *position, int depth, const KnPerft *how,
                        KnPerftGames *count, KnError *error);

#endif
