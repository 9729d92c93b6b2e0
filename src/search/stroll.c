#include "search/stroll.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "games/contest.h"

struct KnStroll {
    const KnGame *game;
    KnContest *contest;
    KnRng rng;
    KnMove *moves;
    double *chances;
    const KnEvaluation *judge; /* NULL: random moves */
    double explore;
    unsigned char *tried; /* a position */
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
        stroll->tried = aligned_alloc(16, (game->position_size + 15) & ~(size_t)15);
        if (stroll->contest && stroll->moves && stroll->chances && stroll->tried) return stroll;
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
    free(stroll->tried);
    free(stroll);
}

static KnMove draw(KnStroll *stroll, int role)
{
    const KnGame *game = stroll->game;
    int count = kn_contest_moves(stroll->contest, role, stroll->moves);
    if (!count) return KN_MOVE_NONE;
    if (role != game->nature || !game->type->chances)
        return stroll->moves[kn_rng_below(&stroll->rng, (uint32_t)count)];
    game->type->chances(game, kn_contest_position(stroll->contest), stroll->moves, count, stroll->chances);
    double at = kn_rng_real(&stroll->rng);
    int i = 0;
    while (i < count - 1 && (at -= stroll->chances[i]) >= 0) i++;
    return stroll->moves[i];
}

/* What a role gets by its move beside the others', as far as can be seen. */
static KnScore look(KnStroll *stroll, int role, const KnMove *joint)
{
    const KnGame *game = stroll->game;
    double payoffs[KN_ROLES_MAX];
    memcpy(stroll->tried, kn_contest_position(stroll->contest), game->position_size);
    kn_game_play_joint(game, stroll->tried, joint);
    stroll->nodes++;
    if (!kn_game_over(game, stroll->tried)) return kn_evaluate_for(stroll->judge, stroll->tried, role);
    game->type->payoffs(game, stroll->tried, payoffs);
    return kn_score_of_payoff(game, payoffs[role], 0);
}

/* Replaces a role's move by the one that looks best beside the others' moves; the first of equals. */
static void improve(KnStroll *stroll, int role, KnMove *joint)
{
    int count = kn_contest_moves(stroll->contest, role, stroll->moves), best = -1;
    KnScore most = 0;
    for (int i = 0; i < count; i++) {
        joint[role] = stroll->moves[i];
        KnScore score = look(stroll, role, joint);
        if (best >= 0 && score <= most) continue;
        best = i;
        most = score;
    }
    joint[role] = stroll->moves[best];
}

void kn_stroll_charge(KnStroll *stroll, uint64_t nodes) { stroll->nodes += nodes; }

void kn_stroll_prefer(KnStroll *stroll, const KnEvaluation *judge, double explore)
{
    stroll->judge = judge;
    stroll->explore = explore;
}

bool kn_stroll_step(KnStroll *stroll)
{
    if (kn_stroll_spent(stroll) || kn_contest_plies(stroll->contest) >= KN_STROLL_PLIES ||
        kn_contest_over(stroll->contest, NULL))
        return false;
    KnMove joint[KN_ROLES_MAX];
    KnError error;
    for (int role = 0; role < stroll->game->roles; role++) joint[role] = draw(stroll, role);
    for (int role = 0; stroll->judge && role < stroll->game->roles; role++)
        if (role != stroll->game->nature && joint[role] != KN_MOVE_NONE &&
            kn_rng_real(&stroll->rng) >= stroll->explore)
            improve(stroll, role, joint);
    stroll->nodes++;
    return kn_contest_play_joint(stroll->contest, joint, &error) == KN_OK;
}

void kn_stroll_again(KnStroll *stroll) { kn_contest_reset(stroll->contest, NULL); }

const void *kn_stroll_position(const KnStroll *stroll) { return kn_contest_position(stroll->contest); }

bool kn_stroll_over(const KnStroll *stroll, double *payoffs)
{
    return kn_contest_over(stroll->contest, payoffs);
}

bool kn_stroll_spent(const KnStroll *stroll)
{
    return stroll->nodes >= stroll->limit ||
           (isfinite(stroll->deadline) && kn_clock_now() >= stroll->deadline);
}
