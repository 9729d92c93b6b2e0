#include "learn/hoyle/watched.h"

#include <stdlib.h>
#include <string.h>

int kn_watched_outcome(const KnWatched *watched, int role)
{
    double middle = (watched->game->payoff_low + watched->game->payoff_high) / 2,
           got = watched->payoffs[role];
    return got > middle ? 1 : got < middle ? -1 : 0;
}

KnStatus kn_watched_from(const KnContest *contest, const double *payoffs, unsigned experts, unsigned own,
                         KnWatched *watched, KnError *error)
{
    const KnGame *game = kn_contest_game(contest);
    size_t plies = kn_contest_plies(contest), stride = (game->position_size + 15) & ~(size_t)15;
    *watched = (KnWatched){.game = game,
                           .plies = plies,
                           .moves = malloc((plies + 1) * sizeof(KnMove)),
                           .positions = aligned_alloc(16, (plies + 1) * stride),
                           .stride = stride,
                           .payoffs = {payoffs[0], payoffs[1]},
                           .experts = experts,
                           .own = own};
    if (!watched->moves || !watched->positions) {
        kn_watched_free(watched);
        return kn_fail_memory(error, "keeping a contest");
    }
    memset(watched->positions, 0, (plies + 1) * stride);
    for (size_t i = 0; i <= plies; i++) {
        const void *position = i < plies ? kn_contest_position_at(contest, i) : kn_contest_position(contest);
        memcpy(watched->positions + i * stride, position, game->position_size);
        if (i < plies) watched->moves[i] = kn_contest_joint_at(contest, i)[game->type->mover(game, position)];
    }
    return KN_OK;
}

void kn_watched_free(KnWatched *watched)
{
    free(watched->moves);
    free(watched->positions);
    watched->moves = NULL;
    watched->positions = NULL;
}
