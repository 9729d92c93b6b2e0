/* A finished game, as learners see it: the states, the moves, the outcome, and whose moves were an
 * expert's.
 *
 * Ownership: kn_played_game_from copies a finished game state, kn_played_game_free frees it; the game must
 * outlive it. */
#ifndef KNACK_METHODS_HOYLE_PLAYED_GAME_H
#define KNACK_METHODS_HOYLE_PLAYED_GAME_H

#include <stdbool.h>

#include "games/game.h"

typedef struct KnPlayedGame {
    const KnGame *game;
    size_t plies;
    KnMove *moves;            /* `plies` of them */
    unsigned char *positions; /* plies + 1, the last being the end; `stride` bytes apart, aligned to 16 */
    size_t stride;
    double payoffs[2];
    unsigned experts; /* a bit for each role that an expert played */
    unsigned own;     /* a bit for the role that the learner played; 0: it only watched */
} KnPlayedGame;

static inline const void *kn_played_game_position(const KnPlayedGame *played, size_t ply)
{
    return played->positions + ply * played->stride;
}
static inline int kn_played_game_mover(const KnPlayedGame *played, size_t ply)
{
    return played->game->type->mover(played->game, kn_played_game_position(played, ply));
}

/* 1 won, 0 drawn, -1 lost, for a role. */
int kn_played_game_outcome(const KnPlayedGame *played, int role);

/* From a game of two players in turn; `payoffs` as the arena counts them (a game may have been cut off).
 */
KnStatus kn_played_game_from(const KnState *state, const double *payoffs, unsigned experts, unsigned own,
                             KnPlayedGame *played, KnError *error);
void kn_played_game_free(KnPlayedGame *played);

#endif
