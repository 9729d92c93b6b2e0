/* The games of a batch: both sides are the same player. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play.h"
#include "base/assert.h"
#include "base/math.h"
#include "methods/selfplay/inside.h"

/* ---- recording ---- */

static bool make_room(KnSelfGame *game, size_t cells)
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

/* What the pupil sees of a position, with the cells stored at `cells`. */
static KnSeen look_at(const KnLook *look, const void *position, uint8_t *cells)
{
    uint8_t board[KN_LOOK_CELLS];
    int side, phase;
    kn_look_at(look, position, board, &side, &phase);
    memcpy(cells, board, (size_t)look->board->cells);
    return (KnSeen){true, (int8_t)side, (uint8_t)phase};
}

/* Whether the leaf's evaluation is the search's score. It is not where the line ends by a rule. */
static bool leaf_is_evaluated(const KnSelfWorker *worker, const KnSearchResult *found, int role)
{
    if (!found->leaf || labs(found->score) >= KN_SCORE_HEURISTIC) return false;
    if (kn_evaluate_for(worker->evaluation, found->leaf, role) != found->score) return false;
    return found->score != 0 || !kn_game_over(worker->trainer->pupil->look->board, found->leaf);
}

static double value_of(KnScore score, double log_odds)
{
    if (labs(score) < KN_SCORE_HEURISTIC) return kn_math_tanh((double)score / log_odds);
    double payoff = (double)score / KN_SCORE_PAYOFF;
    return payoff > 1 ? 1 : payoff < -1 ? -1 : payoff;
}

static bool record(KnSelfWorker *worker, const KnRequest *request, const KnSearchResult *found, bool random)
{
    const KnLook *look = worker->trainer->pupil->look;
    size_t cells = (size_t)look->board->cells;
    KnSelfGame *game = worker->game;
    if (!make_room(game, cells)) return false;
    uint8_t *board = game->cells + 2 * game->count * cells;
    KnDecision *decision = &game->decisions[game->count++];
    double value = value_of(found->score, worker->evaluation->log_odds);
    *decision = (KnDecision){.root = look_at(look, request->position, board),
                             .random = random,
                             .value = request->role == 0 ? value : -value};
    if (!random && leaf_is_evaluated(worker, found, request->role))
        decision->leaf = look_at(look, found->leaf, board + cells);
    return true;
}

/* ---- the player ---- */

/* A single move is played without a search, and nothing is learned from it. */
static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    KnSelfWorker *worker = player->data;
    const KnSelfPlayPlan *plan = &worker->trainer->plan;
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

static const KnPlayerType learner_type = {.head = {"learner", "what plays, while it learns", NULL},
                                          .choose = choose};

KnStatus kn_self_worker_open(KnSelfTrainer *t, KnSelfWorker *worker, KnError *error)
{
    const KnGame *game = t->pupil->look->board;
    KnSearchOptions how = kn_search_options();
    how.table = KN_TABLE_OFF; /* searches this shallow do not pay for one */
    how.table_bytes = 0;
    worker->trainer = t;
    worker->state = kn_state_new(game);
    worker->moves = malloc((size_t)game->max_moves * sizeof *worker->moves);
    worker->player = (KnPlayer){
        .type = &learner_type, .context = game->context, .game = game, .spec = "the learner", .data = worker};
    if (!worker->state || !worker->moves) return kn_fail_memory(error, "preparing to train");
    KnStatus status = t->pupil->open_evaluation(t->pupil, &worker->evaluation, error);
    if (status == KN_OK && !(worker->search = kn_search_new(game, worker->evaluation, &how, error)))
        status = error->status;
    return status;
}

void kn_self_worker_close(KnSelfWorker *worker)
{
    kn_search_free(worker->search);
    kn_evaluation_close(worker->evaluation);
    kn_state_free(worker->state);
    free(worker->moves);
}

/* ---- a game ---- */

/* Between no and `most` random moves; a game that ends by them has one move fewer. */
static KnStatus play_opening(KnSelfWorker *worker, int most, KnRng *rng, KnError *error)
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

KnStatus kn_self_play_game(void *user, int thread, uint64_t place, KnError *error)
{
    KnSelfTrainer *t = user;
    KnSelfWorker *worker = &t->workers[thread];
    const KnGame *game = t->pupil->look->board;
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
