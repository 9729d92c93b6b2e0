#include "support/random_games.h"

#include <stdlib.h>

#include "support/check.h"

enum { PLIES = 160 }; /* of endless games */

void *fixture_room(const KnGame *game) { return aligned_alloc(16, (game->position_size + 15) & ~(size_t)15); }

static Fixture fixture_open(const KnGame *game, uint64_t seed)
{
    return (Fixture){game,
                     kn_state_new(game),
                     kn_rng_seeded(seed),
                     fixture_room(game),
                     fixture_room(game),
                     fixture_room(game),
                     calloc((size_t)game->max_moves, sizeof(KnMove)),
                     calloc((size_t)game->max_moves, sizeof(KnMove))};
}

static void fixture_close(Fixture *fixture)
{
    kn_state_free(fixture->state);
    free(fixture->a);
    free(fixture->b);
    free(fixture->c);
    free(fixture->moves);
    free(fixture->others);
}

void random_joint(Fixture *fixture, KnMove *joint)
{
    for (int role = 0; role < fixture->game->roles; role++) {
        int count = kn_state_moves(fixture->state, role, fixture->moves);
        joint[role] = count ? fixture->moves[kn_rng_below(&fixture->rng, (uint32_t)count)] : KN_MOVE_NONE;
    }
}

void check_random_games(const KnGame *game, int games, void (*check)(Fixture *fixture))
{
    Fixture fixture = fixture_open(game, 1);
    games = (int)check_scaled(games);
    for (int i = 0; i < games; i++) {
        kn_state_reset(fixture.state, NULL);
        for (int ply = 0;; ply++) {
            check(&fixture);
            if (kn_state_over(fixture.state, NULL)) break;
            if (ply == PLIES && game->traits & KN_GAME_ENDLESS) break;
            if (ply == 20000)
                fail_msg("%s: a game went on for %d plies without the ENDLESS trait", game->spec, ply);
            KnMove joint[KN_ROLES_MAX];
            random_joint(&fixture, joint);
            KnError error;
            check_ok(error, kn_state_play_joint(fixture.state, joint, &error));
        }
    }
    fixture_close(&fixture);
}
