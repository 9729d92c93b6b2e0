/* The games of a batch: the learner against itself or a teacher, and the predictions of its searches.
 *
 * The learner is a player like any other, so that kn_play plays the game: a teacher
 * observes all that it would observe in a match. */
#include "methods/tdleaf/trainer.h"

#include <math.h>
#include <stdlib.h>

#include "arena/play.h"
#include "base/assert.h"
#include "eval/linear.h"

/* ---- predictions ---- */

/* Evaluates a position for the role that has the move: its features, their phase and their weighted sum. */
static double weigh(const KnTdPlayer *l, const void *position, double *values, int *phase)
{
    const KnFeatureSet *features = l->trainer->features;
    double sum = 0;
    *phase = features->values(features, position, values);
    KN_ASSERT(*phase >= 0 && *phase < features->phases);
    const double *weights = l->weights + (size_t)*phase * (size_t)features->count;
    for (int i = 0; i < features->count; i++) sum += values[i] * weights[i];
    return sum;
}

/* TD(lambda): predicts from the position itself. */
static bool predict_root(KnTdPlayer *l, const void *position)
{
    double values[l->trainer->features->count];
    int phase;
    double sum = weigh(l, position, values, &phase);
    return kn_td_add(l->td, sum, phase, values);
}

/* TDLeaf: predicts from the leaf of the principal variation. A proven score is the outcome itself. A leaf
 * whose evaluation is not the score (the line was not recovered whole) gives no prediction. */
static bool predict_leaf(KnTdPlayer *l, const KnSearchResult *found)
{
    const KnGame *game = l->trainer->game;
    if (labs(found->score) >= KN_SCORE_HEURISTIC) {
        double payoff = (double)found->score / KN_SCORE_PAYOFF;
        return kn_td_add_known(l->td, payoff > 1 ? 1 : payoff < -1 ? -1 : payoff);
    }
    if (!found->leaf) return true;
    int count = l->trainer->features->count, phase;
    double values[count], sum = weigh(l, found->leaf, values, &phase);
    if (game->type->mover(game, found->leaf) != l->role) {
        sum = -sum;
        for (int i = 0; i < count; i++) values[i] = -values[i];
    }
    if (fabs(sum - found->score) > 0.501) return true;
    return kn_td_add(l->td, sum, phase, values);
}

/* ---- the learner as a player ---- */

/* A single move is played without a search, and nothing is learned from it. */
static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    KnTdPlayer *l = player->data;
    KN_ASSERT(request->role == l->role);
    answer->move = request->allowed[0];
    if (request->allowed_count == 1) return KN_OK;
    KnSearchRequest ask = {.allowed = request->allowed,
                           .allowed_count = request->allowed_count,
                           .budget.depth = l->depth,
                           .rng = request->rng,
                           .cancel = request->cancel};
    KnSearchResult found;
    KnStatus status = kn_search_run(l->search, request->position, &request->history, &ask, &found, error);
    if (status != KN_OK) return status;
    if (found.stop == KN_STOP_CANCEL) return kn_fail(error, KN_STOPPED, "stopped");
    answer->move = found.move;
    answer->cost.nodes = found.nodes;
    if (!l->td) return KN_OK;
    bool kept = l->trainer->plan->root ? predict_root(l, request->position) : predict_leaf(l, &found);
    return kept ? KN_OK : kn_fail_memory(error, "learning from a game");
}

static const KnPlayerType learner_type = {.head = {"learner", "the weights in training", NULL},
                                          .choose = choose};

static KnStatus open_learner(KnTrainer *t, int role, KnTdPlayer *l, KnError *error)
{
    KnSearchOptions how = kn_search_options();
    how.table_bytes = (size_t)(t->plan->table_mib * (1 << 20));
    how.endgame = t->tables;
    l->trainer = t;
    l->role = role;
    l->player = (KnPlayer){
        .type = &learner_type, .context = t->context, .game = t->game, .spec = "the learner", .data = l};
    KnStatus status = kn_linear_open(t->features, t->weights->sets[0].weights, &l->evaluation, error);
    if (status == KN_OK && !(l->own = kn_search_new(t->game, l->evaluation, &how, error)))
        status = error->status;
    return status;
}

KnStatus kn_trainer_open_worker(KnTrainer *t, KnTdWorker *worker, KnError *error)
{
    worker->state = kn_state_new(t->game);
    KnStatus status = worker->state ? KN_OK : kn_fail_memory(error, "preparing to train");
    if (status == KN_OK && t->plan->teacher)
        status = kn_player_open(t->context, t->game, t->plan->teacher, &worker->teacher, error);
    for (int role = 0; role < 2 && status == KN_OK; role++)
        status = open_learner(t, role, &worker->learners[role], error);
    return status;
}

void kn_trainer_close_worker(KnTdWorker *worker)
{
    for (int role = 0; role < 2; role++) {
        kn_search_free(worker->learners[role].own);
        kn_evaluation_close(worker->learners[role].evaluation);
    }
    kn_player_close(worker->teacher);
    kn_state_free(worker->state);
}

/* ---- a game ---- */

/* Gives both learners their weights and depth for a game from the worker's position. */
static void set_up_learners(const KnTrainer *t, KnTdWorker *worker, KnTdGame *game, int learner, int depth)
{
    const KnTdPlan *plan = t->plan;
    for (int role = 0; role < 2; role++) {
        KnTdPlayer *l = &worker->learners[role];
        game->set[role] = kn_trainer_find_set(t, worker->state, role, depth);
        game->learns[role] = role == learner || (!plan->teacher && plan->learner_role < 0);
        kn_td_clear(game->td[role]);
        l->weights = t->weights->sets[game->set[role]].weights;
        l->td = game->learns[role] ? game->td[role] : NULL;
        l->depth = depth;
        kn_linear_point(l->evaluation, l->weights);
        kn_search_clear(l->own);
        l->search = game->set[role] == game->set[0] ? worker->learners[0].own : l->own;
    }
}

KnStatus kn_trainer_play(void *user, int worker_index, uint64_t place, KnError *error)
{
    KnTrainer *t = user;
    const KnTdPlan *plan = t->plan;
    uint64_t index = t->done + place;
    KnTdWorker *worker = &t->workers[worker_index];
    KnTdGame *game = &t->batch[place];
    KN_ASSERT(worker_index < t->jobs && place < (uint64_t)plan->batch);
    KnRng rng = kn_rng_stream(plan->seed, index);
    int learner = plan->learner_role >= 0 ? plan->learner_role : (int)(index & 1);
    KnPlayPlan play = {.state = worker->state,
                       .players = {&worker->learners[0].player, &worker->learners[1].player},
                       .rngs = {&rng, &rng},
                       .rules = {.ply_limit = plan->ply_limit, .tables = t->tables, .cancel = plan->cancel},
                       .strict = true,
                       .untimed = true};
    if (plan->teacher) play.players[1 - learner] = worker->teacher;
    KnPlayed played;
    KnStatus status = kn_openings_play(t->openings, index / 2, worker->state, error);
    if (status != KN_OK) return status;
    set_up_learners(t, worker, game, learner, plan->depths[index % (uint64_t)plan->depth_count]);
    status = kn_play(&play, &played, error);
    double middle = (t->game->payoff_low + t->game->payoff_high) / 2,
           half = (t->game->payoff_high - t->game->payoff_low) / 2;
    for (int role = 0; role < 2 && status == KN_OK; role++)
        game->payoff[role] = played.ending == KN_ENDED_AT_LIMIT ? 0 : (played.payoffs[role] - middle) / half;
    return status;
}
