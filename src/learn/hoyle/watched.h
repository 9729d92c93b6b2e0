/* A contest that was watched or played: the states it went through, the moves, and how it ended. What
 * learners learn from.
 *
 * Ownership: kn_watched_from makes one out of a finished contest, kn_watched_free frees it; the game must
 * outlive it. */
#ifndef KNACK_LEARN_HOYLE_WATCHED_H
#define KNACK_LEARN_HOYLE_WATCHED_H

#include <stdbool.h>

#include "games/contest.h"

typedef struct KnWatched {
    const KnGame *game;
    size_t plies;
    KnMove *moves;            /* `plies` of them */
    unsigned char *positions; /* plies + 1, the last being the end; `stride` bytes apart, aligned to 16 */
    size_t stride;
    double payoffs[2];
    unsigned experts; /* a bit for each role that somebody played whose moves are to be believed */
    unsigned own;     /* a bit for the role that the learner itself played; 0 if it only watched */
} KnWatched;

static inline const void *kn_watched_position(const KnWatched *watched, size_t ply)
{
    return watched->positions + ply * watched->stride;
}
static inline int kn_watched_mover(const KnWatched *watched, size_t ply)
{
    return watched->game->type->mover(watched->game, kn_watched_position(watched, ply));
}

/* 1 won, 0 drawn, -1 lost, for a role. */
int kn_watched_outcome(const KnWatched *watched, int role);

/* From a contest of two who take turns; `payoffs` as the arena counts them (a contest may have been cut off).
 */
KnStatus kn_watched_from(const KnContest *contest, const double *payoffs, unsigned experts, unsigned own,
                         KnWatched *watched, KnError *error);
void kn_watched_free(KnWatched *watched);

#endif
