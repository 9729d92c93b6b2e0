#include "eval/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include <knack/base.h>
#include "games/playout.h"
#include "games/game.h"

struct KnSampler {
    const KnGame *game;
    KnState *state;
    KnRng rng;
    KnMove *moves;
    double *chances;
    const KnEvaluation *judge; /* NULL: all moves are random */
    double explore;
    unsigned char *tried; /* scratch position */
    uint64_t nodes, limit;
    double deadline;
};

KnSampler *kn_sampler_new(const KnGame *game, uint64_t seed, uint64_t nodes, double seconds, KnError *error)
{
    KnSampler *sampler = calloc(1, sizeof *sampler);
    if (sampler) {
        sampler->game = game;
        sampler->limit = seconds > 0 ? UINT64_MAX : nodes;
        sampler->deadline = seconds > 0 ? kn_clock_now() + seconds : INFINITY;
        sampler->rng = kn_rng_seeded(seed);
        sampler->state = kn_state_new(game);
        sampler->moves = malloc((size_t)game->max_moves * sizeof *sampler->moves);
        sampler->chances = malloc((size_t)game->max_moves * sizeof *sampler->chances);
        sampler->tried = aligned_alloc(16, (game->position_size + 15) & ~(size_t)15);
        if (sampler->state && sampler->moves && sampler->chances && sampler->tried) return sampler;
    }
    kn_sampler_free(sampler);
    kn_fail_memory(error, "playing random games");
    return NULL;
}

void kn_sampler_free(KnSampler *sampler)
{
    if (!sampler) return;
    kn_state_free(sampler->state);
    free(sampler->moves);
    free(sampler->chances);
    free(sampler->tried);
    free(sampler);
}

static KnMove draw(KnSampler *sampler, int role)
{
    int count = kn_state_moves(sampler->state, role, sampler->moves);
    if (!count) return KN_MOVE_NONE;
    return sampler->moves[kn_playout_draw(sampler->game, kn_state_position(sampler->state), role,
                                          sampler->moves, count, sampler->chances, &sampler->rng)];
}

/* A role's score for a joint move: the payoff, or the judge's evaluation. */
static KnScore score_joint(KnSampler *sampler, int role, const KnMove *joint)
{
    const KnGame *game = sampler->game;
    double payoffs[KN_ROLES_MAX];
    memcpy(sampler->tried, kn_state_position(sampler->state), game->position_size);
    kn_game_play_joint(game, sampler->tried, joint);
    sampler->nodes++;
    if (!kn_game_over(game, sampler->tried)) return kn_evaluate_for(sampler->judge, sampler->tried, role);
    game->type->payoffs(game, sampler->tried, payoffs);
    return kn_score_of_payoff(game, payoffs[role], 0);
}

/* Replaces a role's move by its best reply to the others' moves; the first of equals. */
static void improve(KnSampler *sampler, int role, KnMove *joint)
{
    int count = kn_state_moves(sampler->state, role, sampler->moves), best = -1;
    KnScore most = 0;
    for (int i = 0; i < count; i++) {
        joint[role] = sampler->moves[i];
        KnScore score = score_joint(sampler, role, joint);
        if (best >= 0 && score <= most) continue;
        best = i;
        most = score;
    }
    KN_ASSERT(best >= 0);
    joint[role] = sampler->moves[best];
}

void kn_sampler_charge(KnSampler *sampler, uint64_t nodes) { sampler->nodes += nodes; }

void kn_sampler_prefer(KnSampler *sampler, const KnEvaluation *judge, double explore)
{
    sampler->judge = judge;
    sampler->explore = explore;
}

bool kn_sampler_step(KnSampler *sampler)
{
    if (kn_sampler_spent(sampler) || kn_state_plies(sampler->state) >= KN_SAMPLER_PLIES ||
        kn_state_over(sampler->state, NULL))
        return false;
    KnMove joint[KN_ROLES_MAX];
    KnError error;
    for (int role = 0; role < sampler->game->roles; role++) joint[role] = draw(sampler, role);
    for (int role = 0; sampler->judge && role < sampler->game->roles; role++)
        if (role != sampler->game->nature && joint[role] != KN_MOVE_NONE &&
            kn_rng_real(&sampler->rng) >= sampler->explore)
            improve(sampler, role, joint);
    sampler->nodes++;
    return kn_state_play_joint(sampler->state, joint, &error) == KN_OK;
}

void kn_sampler_again(KnSampler *sampler) { kn_state_reset(sampler->state, NULL); }

const void *kn_sampler_position(const KnSampler *sampler) { return kn_state_position(sampler->state); }

bool kn_sampler_over(const KnSampler *sampler, double *payoffs)
{
    return kn_state_over(sampler->state, payoffs);
}

bool kn_sampler_spent(const KnSampler *sampler)
{
    return sampler->nodes >= sampler->limit ||
           (isfinite(sampler->deadline) && kn_clock_now() >= sampler->deadline);
}
