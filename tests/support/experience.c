#include "support/experience.h"
#include "support/check.h"
#include "support/workbench.h"

KnBase *test_open_base(const KnGame *game, const char *path, unsigned mode, const KnBaseKind *kind)
{
    KnError error;
    KnBase *base;
    check_ok(error, kn_base_open(workbench, game, path, mode, kind, &base, &error));
    return base;
}

double test_play_random(KnState *game_state, KnRng *rng, size_t limit)
{
    const KnGame *game = kn_state_game(game_state);
    KnMove moves[game->max_moves];
    double payoffs[KN_ROLES_MAX];
    kn_state_reset(game_state, NULL);
    while (!kn_state_over(game_state, payoffs) && kn_state_plies(game_state) < limit) {
        int count = kn_state_moves(game_state, game->type->mover(game, kn_state_position(game_state)), moves);
        KnError error;
        check_ok(error, kn_state_play(game_state, moves[kn_rng_below(rng, (uint32_t)count)], &error));
    }
    if (!kn_state_over(game_state, payoffs)) payoffs[0] = (game->payoff_low + game->payoff_high) / 2;
    return kn_base_outcome(game_state, payoffs);
}

void test_fill_base(KnBase *base, const KnGame *game, uint64_t seed, int games, size_t limit)
{
    KnError error;
    KnState *game_state = kn_state_new(game);
    for (int i = 0; i < games; i++) {
        KnRng rng = kn_rng_stream(seed, (uint64_t)i);
        double outcome = test_play_random(game_state, &rng, limit);
        check_ok(error, kn_base_add(base, game_state, outcome, NULL, NULL, &error));
    }
    kn_state_free(game_state);
}
