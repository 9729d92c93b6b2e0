#include "methods/hoyle/played_game.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

int kn_played_game_outcome(const KnPlayedGame *played, int role)
{
    double middle = (played->game->payoff_low + played->game->payoff_high) / 2, got = played->payoffs[role];
    return got > middle ? 1 : got < middle ? -1 : 0;
}

KnStatus kn_played_game_from(const KnState *state, const double *payoffs, unsigned experts, unsigned own,
                             KnPlayedGame *played, KnError *error)
{
    const KnGame *game = kn_state_game(state);
    KN_ASSERT(game->roles == 2 && !(game->traits & KN_GAME_SIMULTANEOUS));
    size_t plies = kn_state_plies(state), stride = (game->position_size + 15) & ~(size_t)15;
    *played = (KnPlayedGame){.game = game,
                             .plies = plies,
                             .moves = malloc((plies + 1) * sizeof(KnMove)),
                             .positions = aligned_alloc(16, (plies + 1) * stride),
                             .stride = stride,
                             .payoffs = {payoffs[0], payoffs[1]},
                             .experts = experts,
                             .own = own};
    if (!played->moves || !played->positions) {
        kn_played_game_free(played);
        return kn_fail_memory(error, "keeping a game");
    }
    memset(played->positions, 0, (plies + 1) * stride);
    for (size_t i = 0; i <= plies; i++) {
        const void *position = i < plies ? kn_state_position_at(state, i) : kn_state_position(state);
        memcpy(played->positions + i * stride, position, game->position_size);
        if (i < plies) played->moves[i] = kn_state_joint_at(state, i)[game->type->mover(game, position)];
    }
    return KN_OK;
}

void kn_played_game_free(KnPlayedGame *played)
{
    free(played->moves);
    free(played->positions);
    played->moves = NULL;
    played->positions = NULL;
}
