#include "methods/general/trial.h"

#include <stdlib.h>

#include "base/assert.h"
#include "base/clock.h"

enum { OPENING_PLIES = 2, MOST_PLIES = 300, FEWEST = 6 }; /* FEWEST: games that decide, if time ends */

typedef struct Contest {
    const KnGame *game;
    KnMctsSimultaneous *search;
    const KnEvaluation *evaluation;
    const KnTrialPlan *plan;
    double deadline; /* 0: none */
    KnRng rng;
    void *position;
    KnMove *moves;
} Contest;

KnTrialPlan kn_trial_plan(void) { return (KnTrialPlan){.games = 12, .nodes = 2000, .share = 0.7, .seed = 1}; }

/* Playouts run bit-parallel in a real game, for about half of the cost of a position that this counts. */
static uint64_t positions(const Contest *c, bool evaluates)
{
    return evaluates ? c->plan->nodes / 2 : c->plan->nodes;
}

static KnStatus choose(Contest *c, int role, int count, bool evaluates, KnMove *move, KnError *error)
{
    KnSearchResult found;
    kn_mcts_simultaneous_judge(c->search, evaluates ? c->evaluation : NULL);
    KnSearchRequest ask = {
        .allowed = c->moves, .allowed_count = count, .budget.nodes = positions(c, evaluates), .rng = &c->rng};
    KnStatus status = kn_mcts_simultaneous_run(c->search, c->position, role, &ask, &found, error);
    *move = found.move;
    return status;
}

/* One game, in which `side` has the evaluation. *points stays negative if the time ends before the game. */
static KnStatus play(Contest *c, int side, double *points, KnError *error)
{
    const KnGame *game = c->game;
    game->type->start(game, c->position);
    *points = -1;
    for (int ply = 0; kn_game_movers(game, c->position) && ply < MOST_PLIES; ply++) {
        KnMove joint[KN_ROLES_MAX];
        uint32_t movers = kn_game_movers(game, c->position);
        for (int role = 0; role < game->roles; role++) {
            joint[role] = KN_MOVE_NONE;
            if (!(movers >> role & 1)) continue;
            int count = kn_game_moves_of(game, c->position, role, c->moves);
            joint[role] = c->moves[kn_rng_below(&c->rng, (uint32_t)count)];
            if (count < 2 || ply < OPENING_PLIES) continue;
            KnStatus status = choose(c, role, count, role == side, &joint[role], error);
            if (status != KN_OK) return status;
        }
        if (c->deadline > 0 && kn_clock_now() >= c->deadline) return KN_OK;
        kn_game_play_joint(game, c->position, joint);
    }
    double payoffs[KN_ROLES_MAX], range = game->payoff_high - game->payoff_low;
    bool over = !kn_game_movers(game, c->position);
    if (over) game->type->payoffs(game, c->position, payoffs);
    *points = over && range > 0 ? (payoffs[side] - game->payoff_low) / range : 0.5;
    return KN_OK;
}

static KnStatus play_all(Contest *c, KnTrial *trial, KnError *error)
{
    const KnTrialPlan *plan = c->plan;
    double wanted = plan->share * plan->games;
    /* No game is played once the evaluation can no longer win, or no longer fail. */
    while (trial->games < plan->games && trial->points < wanted &&
           trial->points + plan->games - trial->games >= wanted) {
        double points;
        c->rng = kn_rng_stream(plan->seed, (uint64_t)trial->games / 2);
        KnStatus status = play(c, trial->games % 2, &points, error);
        if (status != KN_OK) return status;
        if (points < 0) break;
        trial->points += points;
        trial->games++;
    }
    trial->evaluates = trial->games >= FEWEST && trial->points >= plan->share * trial->games;
    return KN_OK;
}

KnStatus kn_trial_run(const KnGame *game, KnMctsSimultaneous *search, const KnEvaluation *evaluation,
                      const KnTrialPlan *plan, KnTrial *trial, KnError *error)
{
    KN_ASSERT(game->roles == 2 && evaluation && plan->games > 0);
    *trial = (KnTrial){0};
    Contest c = {.game = game, .search = search, .evaluation = evaluation, .plan = plan};
    if (plan->seconds > 0) c.deadline = kn_clock_now() + plan->seconds;
    c.position = aligned_alloc(16, (game->position_size + 15) & ~(size_t)15);
    c.moves = malloc((size_t)game->max_moves * sizeof *c.moves);
    KnStatus status = c.position && c.moves ? KN_OK : kn_fail_memory(error, "trying an evaluation");
    kn_mcts_simultaneous_limit(search, 0);
    if (status == KN_OK) status = play_all(&c, trial, error);
    kn_mcts_simultaneous_judge(search, status == KN_OK && trial->evaluates ? evaluation : NULL);
    free(c.position);
    free(c.moves);
    return status;
}
