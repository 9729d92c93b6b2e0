#include "search/stroll.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/rng.h"
#include "games/contest.h"

struct KnStroll {
    const KnGame *game;
    KnContest *contest;
    KnRng rng;
    KnMove *moves;
    double *chances;
    uint64_t nodes, limit;
    double deadline;
};

KnStroll *kn_stroll_new(const KnGame *game, uint64_t seed, uint64_t nodes, double seconds, KnError *error)
{
    KnStroll *stroll = calloc(1, sizeof *stroll);
    if (stroll) {
        stroll->game = game;
        stroll->limit = seconds > 0 ? UINT64_MAX : nodes;
        stroll->deadline = seconds > 0 ? kn_clock_now() + seconds : INFINITY;
        stroll->rng = kn_rng_seeded(seed);
        stroll->contest = kn_contest_new(game);
        stroll->moves = malloc((size_t)game->max_moves * sizeof *stroll->moves);
        stroll->chances = malloc((size_t)game->max_moves * sizeof *stroll->chances);
        if (stroll->contest && stroll->moves && stroll->chances) return stroll;
    }
    kn_stroll_free(stroll);
    kn_fail_memory(error, "playing random games");
    return NULL;
}

void kn_stroll_free(KnStroll *stroll)
{
    if (!stroll) return;
    kn_contest_free(stroll->contest);
    free(stroll->moves);
    free(stroll->chances);
    free(stroll);
}

static KnMove draw(KnStroll *stroll, int role)
{
    const KnGame *game = stroll->game;
    int count = kn_contest_moves(stroll->contest, role, stroll->moves);
    if (!count) return KN_MOVE_NONE;
    if (role != game->nature || !game->type->chances) return stroll->moves[kn_rng_below(&stroll->rng, (uint32_t)count)];
    game->type->chances(game, kn_contest_position(stroll->contest), stroll->moves, count, stroll->chances);
    double at = kn_rng_real(&stroll->rng);
    int i = 0;
    while (i < count - 1 && (at -= stroll->chances[i]) >= 0) i++;
    return stroll->moves[i];
}

bool kn_stroll_step(KnStroll *stroll)
{
    if (kn_stroll_spent(stroll) || kn_contest_plies(stroll->contest) >= KN_STROLL_PLIES || kn_contest_over(stroll->contest, NULL)) return false;
    KnMove joint[KN_ROLES_MAX];
    KnError error;
    for (int role = 0; role < stroll->game->roles; role++) joint[role] = draw(stroll, role);
    stroll->nodes++;
    return kn_contest_play_joint(stroll->contest, joint, &error) == KN_OK;
}

void kn_stroll_again(KnStroll *stroll) { kn_contest_reset(stroll->contest, NULL); }

const void *kn_stroll_position(const KnStroll *stroll) { return kn_contest_position(stroll->contest); }

bool kn_stroll_over(const KnStroll *stroll, double *payoffs) { return kn_contest_over(stroll->contest, payoffs); }

bool kn_stroll_spent(const KnStroll *stroll)
{
    return stroll->nodes >= stroll->limit || (isfinite(stroll->deadline) && kn_clock_now() >= stroll->deadline);
}
