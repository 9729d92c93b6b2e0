#include "search/minimax.h"

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"
#include "search/line.h"

/* All values are for the role to move at the root: that role maximises, all others minimise. The other
 * searches use negamax, so the tests compare two independent formulations. */
struct KnMinimax {
    const KnGame *game;
    const KnEvaluation *evaluation;
    bool quiescence, deepening;
    KnLine line;
    KnMeter meter;
    int viewpoint;
    int steps[KN_SEARCH_PLIES + 1]; /* steps of the current turn, in games whose turns are chains */
    bool horizon;                   /* some line ended at the horizon */
    KnMove *moves;                  /* max_moves for each ply */
    KnMove *root_moves;
    KnRootMove *root, *kept; /* of this iteration, and of the last completed one */
    KnMove *kept_line;
    double *chances;
};

KnMinimax *kn_minimax_new(const KnGame *game, const KnEvaluation *evaluation, bool quiescence, KnError *error)
{
    if (kn_search_check_game(game, error) != KN_OK) return NULL;
    KnMinimax *m = calloc(1, sizeof *m);
    if (!m) {
        kn_fail_memory(error, "opening a search");
        return NULL;
    }
    m->game = game;
    m->evaluation = evaluation;
    m->quiescence = quiescence && game->type->tactical;
    m->moves = malloc((size_t)(KN_SEARCH_PLIES + 1) * (size_t)game->max_moves * sizeof(KnMove));
    m->chances = malloc((size_t)game->max_moves * sizeof(double));
    m->root_moves = malloc((size_t)game->max_moves * sizeof *m->root_moves);
    m->root = malloc((size_t)game->max_moves * sizeof *m->root);
    m->kept = malloc((size_t)game->max_moves * sizeof *m->kept);
    m->kept_line = malloc((KN_SEARCH_PLIES + 1) * sizeof *m->kept_line);
    bool room = m->moves && m->chances && m->root_moves && m->root && m->kept && m->kept_line;
    KnStatus status = room ? KN_OK : kn_fail_memory(error, "opening a search");
    if (status == KN_OK) status = kn_line_open(&m->line, game, error);
    if (status == KN_OK) return m;
    kn_minimax_free(m);
    return NULL;
}

void kn_minimax_free(KnMinimax *m)
{
    if (!m) return;
    kn_line_close(&m->line);
    free(m->moves);
    free(m->root_moves);
    free(m->root);
    free(m->kept);
    free(m->kept_line);
    free(m->chances);
    free(m);
}

void kn_minimax_deepen(KnMinimax *m, bool deepening) { m->deepening = deepening; }

static KnScore evaluate(KnMinimax *m, int ply)
{
    const void *position = kn_line_at(&m->line, ply);
    m->horizon = true;
    if (!kn_evaluation_turns(m->evaluation)) {
        uint64_t plays = 0;
        KnScore score = kn_evaluate_counted(m->evaluation, position, m->viewpoint, &plays);
        kn_meter_charge(&m->meter, plays);
        return score;
    }
    KnScore score = kn_evaluate(m->evaluation, position);
    return m->game->type->mover(m->game, position) == m->viewpoint ? score : -score;
}

static bool ended_by_history(const KnMinimax *m, int ply, double *payoffs)
{
    if (!m->game->type->ended) return false;
    KnHistory history = kn_line_history(&m->line, ply);
    return m->game->type->ended(m->game, kn_line_at(&m->line, ply), &history, payoffs);
}

/* Drops the moves that the history bars. */
static int unbarred(const KnMinimax *m, int ply, KnMove *moves, int count)
{
    if (!m->game->type->barred) return count;
    KnHistory history = kn_line_history(&m->line, ply);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!m->game->type->barred(m->game, kn_line_at(&m->line, ply), &history, moves[i]))
            moves[kept++] = moves[i];
    return kept;
}

/* The probability of nature's move `index` among `count`. */
static double chance(const KnMinimax *m, int ply, const KnMove *moves, int count, int index)
{
    if (!m->game->type->chances) return 1.0 / count;
    KN_ASSERT(index >= 0 && index < count && count <= m->game->max_moves);
    m->game->type->chances(m->game, kn_line_at(&m->line, ply), moves, count, m->chances);
    return m->chances[index];
}

static KnScore value(KnMinimax *m, int ply, int depth);

/* Plays a move at `ply` and returns its value. */
static KnScore value_of_move(KnMinimax *m, int ply, int depth, KnMove move)
{
    if (!kn_meter_count(&m->meter)) return 0;
    const KnGame *game = m->game;
    KN_ASSERT(ply < KN_SEARCH_PLIES);
    kn_line_copy(&m->line, ply, ply + 1);
    void *child = kn_line_at(&m->line, ply + 1);
    game->type->play(game, child, move);
    m->line.hashes[m->line.past + (size_t)ply + 1] = game->type->hash(game, child);
    bool same_turn = game->traits & KN_GAME_CHAINS &&
                     game->type->mover(game, child) == game->type->mover(game, kn_line_at(&m->line, ply));
    m->steps[ply + 1] = same_turn ? m->steps[ply] + 1 : 0;
    bool costs = !same_turn || m->steps[ply + 1] > KN_SEARCH_CHAIN;
    return value(m, ply + 1, depth > 0 && costs ? depth - 1 : depth);
}

static KnScore value(KnMinimax *m, int ply, int depth)
{
    const KnGame *game = m->game;
    const void *position = kn_line_at(&m->line, ply);
    KnMove *moves = m->moves + (size_t)ply * (size_t)game->max_moves;
    double payoffs[KN_ROLES_MAX];
    kn_line_pv_clear(&m->line, ply);

    int count = game->type->moves(game, position, moves);
    KN_ASSERT(count >= 0 && count <= game->max_moves);
    if (count == 0) {
        game->type->payoffs(game, position, payoffs);
        return kn_score_of_payoff(game, payoffs[m->viewpoint], ply);
    }
    if (ended_by_history(m, ply, payoffs)) return kn_score_of_payoff(game, payoffs[m->viewpoint], ply);
    if (ply == KN_SEARCH_PLIES) return evaluate(m, ply);
    bool may_stand = false;
    if (depth == 0) {
        count = m->quiescence ? game->type->tactical(game, position, moves, &may_stand) : 0;
        if (count == 0) return evaluate(m, ply);
    }
    count = unbarred(m, ply, moves, count);
    if (count == 0) return evaluate(m, ply);

    int mover = game->type->mover(game, position);
    double mean = 0;
    KnScore best = may_stand               ? evaluate(m, ply)
                   : mover == m->viewpoint ? -KN_SCORE_INFINITE
                                           : KN_SCORE_INFINITE;
    for (int i = 0; i < count; i++) {
        KnScore score = value_of_move(m, ply, depth, moves[i]);
        if (m->meter.stopped) return 0;
        if (mover == game->nature) {
            mean += chance(m, ply, moves, count, i) * score;
        } else if (mover == m->viewpoint ? score > best : score < best) {
            best = score;
            kn_line_pv_set(&m->line, ply, moves[i]);
        }
    }
    return mover == game->nature ? (KnScore)lround(mean) : best;
}

/* Searches all root moves. Returns the index of the best, or -1 if none was finished. Ties are broken evenly
 * by reservoir sampling. */
static int search_root(KnMinimax *m, const KnSearchRequest *request, int depth, int count,
                       KnSearchResult *result)
{
    int best = -1, equals = 0;
    for (int i = 0; i < count; i++) m->root[i] = (KnRootMove){m->root_moves[i], 0, KN_BOUND_NONE, 0};
    for (int i = 0; i < count; i++) {
        KnScore score = value_of_move(m, 0, depth, m->root_moves[i]);
        if (m->meter.stopped) break;
        m->root[i].score = score;
        m->root[i].bound = KN_BOUND_EXACT;
        if (best >= 0 && score < m->root[best].score) continue;
        equals = best >= 0 && score == m->root[best].score ? equals + 1 : 1;
        if (equals > 1 && !(request->rng && kn_rng_below(request->rng, (uint32_t)equals) == 0)) continue;
        best = i;
        kn_line_pv_set(&m->line, 0, m->root_moves[i]);
    }
    if (best >= 0) {
        result->pv = kn_line_pv(&m->line, 0);
        result->pv_length = m->line.pv_length[0];
        result->score = m->root[best].score;
    }
    return best;
}

/* Saves the result of a completed iteration from being overwritten by the next one. */
static void keep(KnMinimax *m, int count, KnSearchResult *result)
{
    KN_ASSERT(count <= m->game->max_moves && result->pv_length <= KN_SEARCH_PLIES + 1);
    memcpy(m->kept, m->root, (size_t)count * sizeof *m->kept);
    memcpy(m->kept_line, result->pv, (size_t)result->pv_length * sizeof *m->kept_line);
    result->root = m->kept;
    result->pv = m->kept_line;
}

/* Searches depth by depth, or directly to the last depth. */
static void search(KnMinimax *m, const KnSearchRequest *request, int last, int count, KnSearchResult *result)
{
    result->move = m->root_moves[0];
    result->root = m->root;
    for (int depth = m->deepening || request->open_ended ? 1 : last; depth <= last && !m->meter.stopped;
         depth++) {
        KnSearchResult found = *result;
        m->horizon = false;
        int best = search_root(m, request, depth, count, &found);
        if (m->meter.stopped && (best < 0 || result->depth))
            break; /* nothing is known yet, or the completed iteration is better */
        if (best >= 0) found.move = m->root_moves[best];
        *result = found;
        if (m->meter.stopped) break;
        keep(m, count, result);
        result->depth = depth;
        result->completed = depth == last || !m->horizon ||
                            (m->game->nature < 0 && KN_SCORE_WIN - result->score <= depth);
        if (result->completed) break;
    }
    if (result->pv_length) result->leaf = kn_line_leaf(&m->line, result->pv, result->pv_length);
}

KnStatus kn_minimax_run(KnMinimax *m, const void *position, const KnHistory *history,
                        const KnSearchRequest *request, KnSearchResult *result, KnError *error)
{
    *result = (KnSearchResult){.move = KN_MOVE_NONE};
    kn_meter_start(&m->meter, &request->budget, request->cancel);
    int count;
    KnStatus status = kn_line_start(&m->line, position, history, error);
    if (status == KN_OK) status = kn_line_root_moves(&m->line, request, m->root_moves, &count, error);
    if (status != KN_OK) return status;
    m->viewpoint = m->game->type->mover(m->game, position);
    m->steps[0] = 0;

    int depth = request->budget.depth;
    if (depth <= 0 || depth > KN_SEARCH_DEPTH_MAX) depth = KN_SEARCH_DEPTH_MAX;
    search(m, request, depth, count, result);
    if (request->budget.depth <= 0 && !m->deepening && !request->open_ended && result->completed &&
        !m->horizon)
        result->depth = result->pv_length;
    result->root_count = count;
    result->stop = m->meter.stopped ? m->meter.why : KN_STOP_DONE;
    result->nodes = m->meter.nodes;
    result->seconds = kn_meter_seconds(&m->meter);
    return KN_OK;
}
