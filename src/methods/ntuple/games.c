/* The games of a batch: both sides are the network in training. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play.h"
#include "base/assert.h"
#include "base/math.h"
#include "methods/ntuple/trainer.h"

/* ---- recording ---- */

static bool make_room(KnNtupleGame *game, size_t cells)
{
    if (game->count < game->capacity) return true;
    size_t capacity = game->capacity ? 2 * game->capacity : 128;
    KnDecision *decisions = realloc(game->decisions, capacity * sizeof *decisions);
    if (decisions) game->decisions = decisions;
    uint8_t *boards = realloc(game->cells, capacity * 2 * cells);
    if (boards) game->cells = boards;
    if (!decisions || !boards) return false;
    game->capacity = capacity;
    return true;
}

/* What the network sees of a position, with the cells stored at `cells`. */
static KnSeen look(const KnNetwork *network, const void *position, uint8_t *cells)
{
    uint8_t board[KN_NTUPLE_CELLS];
    int side, phase;
    kn_network_look(network, position, board, &side, &phase);
    memcpy(cells, board, (size_t)network->board->cells);
    return (KnSeen){true, (int8_t)side, (uint8_t)phase};
}

/* Whether the leaf's evaluation is the search's score. It is not where the line ends by a rule. */
static bool leaf_is_evaluated(const KnNtupleWorker *worker, const KnSearchResult *found, int role)
{
    if (!found->leaf || labs(found->score) >= KN_SCORE_HEURISTIC) return false;
    if (kn_evaluate_for(worker->evaluation, found->leaf, role) != found->score) return false;
    return found->score != 0 || !kn_game_over(worker->trainer->network->board, found->leaf);
}

static double value_of(KnScore score)
{
    if (labs(score) < KN_SCORE_HEURISTIC) return kn_math_tanh((double)score / KN_NETWORK_SCORE);
    double payoff = (double)score / KN_SCORE_PAYOFF;
    return payoff > 1 ? 1 : payoff < -1 ? -1 : payoff;
}

static bool record(KnNtupleWorker *worker, const KnRequest *request, const KnSearchResult *found, bool random)
{
    const KnNetwork *network = worker->trainer->network;
    size_t cells = (size_t)network->board->cells;
    KnNtupleGame *game = worker->game;
    if (!make_room(game, cells)) return false;
    uint8_t *board = game->cells + 2 * game->count * cells;
    KnDecision *decision = &game->decisions[game->count++];
    double value = value_of(found->score);
    *decision = (KnDecision){.root = look(network, request->position, board),
                             .random = random,
                             .value = request->role == 0 ? value : -value};
    if (!random && leaf_is_evaluated(worker, found, request->role))
        decision->leaf = look(network, found->leaf, board + cells);
    return true;
}

/* ---- the player ---- */

/* A single move is played without a search, and nothing is learned from it. */
static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    KnNtupleWorker *worker = player->data;
    const KnNtuplePlan *plan = &worker->trainer->plan;
    answer->move = request->allowed[0];
    if (request->allowed_count == 1) return KN_OK;
    KnSearchRequest ask = {.allowed = request->allowed,
                           .allowed_count = request->allowed_count,
                           .budget.depth = plan->depth,
                           .rng = request->rng,
                           .cancel = request->cancel};
    KnSearchResult found;
    KnStatus status = kn_search_run(worker->search, request->position, &request->history, &ask, &found,
                                    error);
    if (status != KN_OK) return status;
    if (found.stop == KN_STOP_CANCEL) return kn_fail(error, KN_STOPPED, "stopped");
    answer->move = found.move;
    if (kn_rng_real(request->rng) < plan->epsilon)
        answer->move = request->allowed[kn_rng_below(request->rng, (uint32_t)request->allowed_count)];
    return record(worker, request, &found, answer->move != found.move)
               ? KN_OK
               : kn_fail_memory(error, "learning from a game");
}

static const KnPlayerType learner_type = {.head = {"learner", "the network in training", NULL},
                                          .choose = choose};

KnStatus kn_ntuple_worker_open(KnNtupleTrainer *t, KnNtupleWorker *worker, KnError *error)
{
    const KnGame *game = t->network->board;
    KnSearchOptions how = kn_search_options();
    how.table = KN_TABLE_OFF; /* searches this shallow do not pay for one */
    how.table_bytes = 0;
    worker->trainer = t;
    worker->state = kn_state_new(game);
    worker->moves = malloc((size_t)game->max_moves * sizeof *worker->moves);
    worker->player = (KnPlayer){
        .type = &learner_type, .context = game->context, .game = game, .spec = "the learner", .data = worker};
    if (!worker->state || !worker->moves) return kn_fail_memory(error, "preparing to train");
    KnStatus status = kn_network_evaluation(t->network, &worker->evaluation, error);
    if (status == KN_OK && !(worker->search = kn_search_new(game, worker->evaluation, &how, error)))
        status = error->status;
    return status;
}

void kn_ntuple_worker_close(KnNtupleWorker *worker)
{
    kn_search_free(worker->search);
    kn_evaluation_close(worker->evaluation);
    kn_state_free(worker->state);
    free(worker->moves);
}

/* ---- a game ---- */

/* Between no and `most` random moves; a game that ends by them has one move fewer. */
static KnStatus play_opening(KnNtupleWorker *worker, int most, KnRng *rng, KnError *error)
{
    KnState *state = worker->state;
    int plies = (int)kn_rng_below(rng, (uint32_t)most + 1);
    kn_state_reset(state, NULL);
    for (int i = 0; i < plies; i++) {
        int count = kn_state_moves(state, kn_state_mover(state), worker->moves);
        KN_ASSERT(count > 0);
        KnStatus status = kn_state_play(state, worker->moves[kn_rng_below(rng, (uint32_t)count)], error);
        if (status != KN_OK) return status;
        if (!kn_state_over(state, NULL)) continue;
        kn_state_undo(state);
        break;
    }
    return KN_OK;
}

KnStatus kn_ntuple_play_game(void *user, int thread, uint64_t place, KnError *error)
{
    KnNtupleTrainer *t = user;
    KnNtupleWorker *worker = &t->workers[thread];
    const KnGame *game = t->network->board;
    KnRng rng = kn_rng_stream(t->plan.seed, t->done + place);
    KnPlayed played;
    worker->game = &t->batch[place];
    worker->game->count = 0;
    KnStatus status = play_opening(worker, t->plan.random_plies, &rng, error);
    if (status != KN_OK) return status;
    KnPlayPlan play = {.state = worker->state,
                       .players = {&worker->player, &worker->player},
                       .rngs = {&rng, &rng},
                       .rules = {.ply_limit = t->plan.ply_limit, .cancel = t->plan.cancel},
                       .strict = true,
                       .untimed = true};
    kn_search_clear(worker->search);
    status = kn_play(&play, &played, error);
    double middle = (game->payoff_low + game->payoff_high) / 2,
           half = (game->payoff_high - game->payoff_low) / 2;
    if (status == KN_OK)
        worker->game->outcome = played.ending == KN_ENDED_AT_LIMIT
                                    ? 0
                                    : fmax(-1, fmin(1, (played.payoffs[0] - middle) / half));
    return status;
}
