#include "search/alphabeta.h"

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/math.h"
#include "search/alphabeta_core.h"

KnSearchOptions kn_search_options(void)
{
    return (KnSearchOptions){.null_windows = true,
                             .deepening = true,
                             .ordering = true,
                             .quiescence = true,
                             .width = KN_SEARCH_FULL,
                             .table = KN_TABLE_ON,
                             .techniques = {.aspiration = true,
                                            .reduce = true,
                                            .probcut = true,
                                            .futility = true,
                                            .continuation = true},
                             .table_bytes = (size_t)16 << 20};
}

/* Room for the moves of every ply of the longest line; the system provides pages only as they are touched. */
static KnStatus take_memory(KnSearch *s, KnError *error)
{
    size_t width = (size_t)s->game->max_moves, room = (KN_SEARCH_PLIES + 2) * width;
    bool chance = s->game->nature >= 0;
    s->moves = malloc(room * sizeof *s->moves);
    s->keys = malloc(room * sizeof *s->keys);
    if (chance) s->chances = malloc(room * sizeof *s->chances);
    s->root_moves = malloc(width * sizeof *s->root_moves);
    s->ranks = malloc(width * sizeof *s->ranks);
    s->sequence = malloc(width * sizeof *s->sequence);
    bool found = true;
    for (int i = 0; i < 2; i++) {
        s->found[i].rows = malloc(width * sizeof(KnRootMove));
        s->found[i].line = malloc((KN_SEARCH_PLIES + 2) * sizeof(KnMove));
        found = found && s->found[i].rows && s->found[i].line;
    }
    if (s->exact && s->looks_back) s->pasts = malloc((KN_SEARCH_PLIES + 2) * sizeof *s->pasts);
    if (!s->moves || !s->keys || !s->root_moves || !s->ranks || !s->sequence || !found ||
        (chance && !s->chances) || (s->exact && s->looks_back && !s->pasts))
        return kn_fail_memory(error, "opening a search");
    return kn_line_open(&s->line, s->game, error);
}

KnSearch *kn_search_new(const KnGame *game, const KnEvaluation *evaluation, const KnSearchOptions *options,
                        KnError *error)
{
    if (kn_search_check_game(game, error) != KN_OK) return NULL;
    if (options->expansion && options->table == KN_TABLE_EXACT) {
        kn_fail(error, KN_USAGE,
                "with variable depth a value depends on the path to a position: use table=on or table=off");
        return NULL;
    }
    KnSearch *s = NULL;
    if (posix_memalign((void **)&s, 64, sizeof *s) != 0) {
        kn_fail_memory(error, "opening a search");
        return NULL;
    }
    *s = (KnSearch){.game = game,
                    .rules = game->type,
                    .evaluation = evaluation,
                    .options = *options,
                    .looks_back = game->traits & KN_GAME_LOOKS_BACK,
                    .chains = game->traits & KN_GAME_CHAINS,
                    .zero_sum = kn_evaluation_turns(evaluation),
                    .quiet = options->quiescence && game->type->tactical,
                    .ordering = options->ordering,
                    .null_windows = options->null_windows,
                    .expansion = options->expansion};
    /* No table with chance nodes: their means mix distances to several ends, which cannot be corrected for
     * the ply. */
    bool tabled = options->table != KN_TABLE_OFF && game->nature < 0;
    s->exact = tabled && options->table == KN_TABLE_EXACT;
    KnStatus status = take_memory(s, error);
    if (status == KN_OK && options->endgame) {
        s->own_prober = s->prober = kn_endgame_prober(
            options->endgame, options->endgame_bytes ? options->endgame_bytes : (size_t)64 << 20);
        if (!s->own_prober) status = kn_fail_memory(error, "opening a search");
    }
    if (status == KN_OK && options->solve && kn_othello_is(game)) {
        s->margins = malloc((size_t)game->max_moves * sizeof *s->margins);
        s->solver = kn_othello_solver_new(game, options->table_bytes, error);
        if (!s->margins) kn_fail_memory(error, "opening a search");
        if (!s->margins || !s->solver) status = KN_SYSTEM;
    }
    if (status == KN_OK && tabled && !options->shared) {
        s->own_table = kn_tt_new(options->table_bytes, error);
        if (!s->own_table) status = KN_SYSTEM;
    }
    s->table = tabled ? options->shared ? options->shared : s->own_table : NULL;
    /* One move before the horizon a table probe costs more than the few evaluations that it may save, unless
     * those are slow, or the move is a whole chain. */
    s->table_floor = !tabled ? KN_SEARCH_DEPTH_MAX + 1 : s->chains || !evaluation->direct ? 1 : 2;
    s->first_depth = 1;
    /* Hashes are made at every ply where the table has entries of all depths. */
    if (status == KN_OK && s->table_floor == 1 && s->zero_sum && evaluation->cached && !evaluation->direct &&
        !kn_score_cache_open(&s->scores))
        status = kn_fail_memory(error, "opening a search");
    for (int i = 1; i < KN_SEARCH_LOGS; i++) s->logs[i] = kn_math_log(i);
    if (status == KN_OK && options->threads > 1) status = kn_search_threads_open(s, error);
    if (status == KN_OK) return s;
    kn_search_free(s);
    return NULL;
}

void kn_search_free(KnSearch *s)
{
    if (!s) return;
    kn_search_threads_free(s->threads);
    kn_score_cache_close(&s->scores);
    kn_tt_free(s->own_table);
    kn_endgame_prober_free(s->own_prober);
    kn_othello_solver_free(s->solver);
    free(s->margins);
    kn_line_close(&s->line);
    free(s->pasts);
    free(s->moves);
    free(s->keys);
    free(s->chances);
    free(s->root_moves);
    free(s->ranks);
    free(s->sequence);
    for (int i = 0; i < 2; i++) {
        free(s->found[i].rows);
        free(s->found[i].line);
    }
    free(s);
}

void kn_search_clear(KnSearch *s)
{
    s->spread = (KnSpread){0};
    if (s->threads) kn_search_threads_clear(s->threads);
    if (s->own_table) kn_tt_clear(s->own_table);
}

KnEndgameProber *kn_search_prober(KnSearch *s) { return s->prober; }

/* Gives every root move a rank, in random order if there is a generator: ties go to the lowest rank. */
static void draw_ranks(KnSearch *s, int count, KnRng *rng)
{
    for (int i = 0; i < count; i++) s->ranks[i] = (uint32_t)i;
    for (int i = count - 1; rng && i > 0; i--) {
        uint32_t j = kn_rng_below(rng, (uint32_t)i + 1), rank = s->ranks[i];
        s->ranks[i] = s->ranks[j];
        s->ranks[j] = rank;
    }
}

static int lowest_rank(const KnSearch *s, int count)
{
    int lowest = 0;
    for (int i = 1; i < count; i++)
        if (s->ranks[i] < s->ranks[lowest]) lowest = i;
    return lowest;
}

/* Aspiration windows (Slate and Atkin 1977): the first move is searched with a narrow window around the score
 * of the depth before, then with wider ones where that fails. */
static KnScore search_around(KnSearch *s, int depth, KnScore expected, KnMove move)
{
    KnScore low = -KN_SCORE_INFINITE, high = KN_SCORE_INFINITE, score;
    for (double width = 1; width <= 16; width *= 4) {
        KnScore margin = kn_spread_margin(&s->spread, width);
        if (!margin) break;
        if (width == 1 || low != -KN_SCORE_INFINITE) low = expected - margin;
        if (width == 1 || high != KN_SCORE_INFINITE) high = expected + margin;
        score = kn_core_move(s, 0, depth, low, high, move, 0);
        if (s->meter.stopped || (score > low && score < high)) return score;
        if (score <= -KN_SCORE_HEURISTIC) low = -KN_SCORE_INFINITE;
        if (score >= KN_SCORE_HEURISTIC) high = KN_SCORE_INFINITE;
    }
    return kn_core_move(s, 0, depth, -KN_SCORE_INFINITE, KN_SCORE_INFINITE, move, 0);
}

/* Principal variation search at the root: a null window first. */
static KnScore search_above(KnSearch *s, int depth, KnScore floor, KnMove move)
{
    if (s->null_windows && floor > -KN_SCORE_INFINITE) {
        KnScore score = kn_core_move(s, 0, depth, floor, floor + 1, move, 0);
        if (score <= floor || s->meter.stopped) return score;
    }
    return kn_core_move(s, 0, depth, floor, KN_SCORE_INFINITE, move, 0);
}

/* One iteration. A move must beat the best so far, or equal it at a lower rank. The window says which, so the
 * result does not depend on the order in which moves are searched. */
static void iterate(KnSearch *s, KnFindings *found, int depth, int count, bool all_values,
                    const KnScore *expected)
{
    KnRootMove *rows = found->rows;
    int best = -1;
    for (int i = 0; i < count; i++) rows[i] = (KnRootMove){s->root_moves[i], 0, KN_BOUND_NONE, 0};
    found->best = -1;
    uint64_t began = s->meter.nodes;
    for (int k = 0; k < count; k++) {
        int i = s->sequence[k];
        uint64_t before = s->meter.nodes;
        KnScore floor = best < 0 ? -KN_SCORE_INFINITE : rows[best].score - (s->ranks[i] < s->ranks[best]);
        KnScore score = best < 0 && expected && !all_values
                            ? search_around(s, depth, *expected, s->root_moves[i])
                            : search_above(s, depth, all_values ? -KN_SCORE_INFINITE : floor,
                                           s->root_moves[i]);
        if (s->meter.stopped) break;
        rows[i].score = score;
        rows[i].bound = all_values || score > floor ? KN_BOUND_EXACT : KN_BOUND_UPPER;
        if (score <= floor) continue;
        found->best = best = i;
        found->best_nodes = s->meter.nodes - before;
        kn_line_pv_set(&s->line, 0, s->root_moves[i]);
        found->length = s->line.pv_length[0];
        memcpy(found->line, kn_line_pv(&s->line, 0), (size_t)found->length * sizeof(KnMove));
    }
    found->nodes = s->meter.nodes - began;
}

/* Moves the best move to the front for the next iteration. */
static void bring_forward(KnSearch *s, int best)
{
    KN_ASSERT(best >= 0);
    int k = 0;
    while (s->sequence[k] != best) k++;
    memmove(s->sequence + 1, s->sequence, (size_t)k * sizeof *s->sequence);
    s->sequence[0] = best;
}

/* Whether no deeper search can change a value: no line met the horizon, or a win or loss lies within this
 * depth. (Turns and moves differ where turns are chains, and means at chance nodes are no wins.) */
static bool is_final(const KnSearch *s, const KnFindings *found, int depth, int count, bool all_values)
{
    if (!(s->met & KN_MET_HORIZON)) return true;
    if (s->chains || s->game->nature >= 0) return false;
    for (int i = 0; i < count; i++) {
        KnScore score = found->rows[i].score, size = score < 0 ? -score : score;
        if ((all_values || i == found->best) && KN_SCORE_WIN - size > depth) return false;
    }
    return true;
}

static void report(KnSearch *s, const KnFindings *found, int count, KnSearchResult *result)
{
    KN_ASSERT(found->best >= 0 && found->best < count);
    result->root = found->rows;
    result->root_count = count;
    result->move = s->root_moves[found->best];
    result->score = found->rows[found->best].score;
    result->pv = found->line;
    result->pv_length = found->length;
    result->leaf = kn_line_leaf(&s->line, found->line, found->length);
    result->nodes = s->meter.nodes;
    result->known = s->known;
    result->seconds = kn_meter_seconds(&s->meter);
    result->assumes = s->unopposed ? KN_ASSUMES_AGAINST : KN_ASSUMES_NOTHING;
}

/* Asks how much of the budget the search may use, now that a depth is finished. False if that is used up. */
static bool ask_pace(KnSearch *s, const KnSearchRequest *request, const KnFindings *found, int count,
                     const KnSearchResult *result)
{
    KnDeepening so_far = {.depth = result->depth,
                          .moves = count,
                          .move = result->move,
                          .score = result->score,
                          .nodes = result->nodes,
                          .seconds = result->seconds,
                          .depth_nodes = found->nodes,
                          .move_nodes = found->best_nodes,
                          .beyond = result->pv_length > result->depth ? result->pv_length - result->depth
                                                                      : 0};
    for (int i = 0; i < count; i++)
        so_far.rivals += i != found->best && found->rows[i].score >= result->score;
    return kn_meter_narrow(&s->meter, request->pace(request->pace_user, &so_far));
}

/* Iterative deepening. */
static void deepen(KnSearch *s, const KnSearchRequest *request, int count, KnSearchResult *result)
{
    int last = request->budget.depth;
    if (last <= 0 || last > KN_SEARCH_DEPTH_MAX) last = KN_SEARCH_DEPTH_MAX;
    KnScore scores[2] = {0, 0}; /* of the last even and odd depth */
    for (int depth = s->options.deepening ? (s->first_depth < last ? s->first_depth : last) : last;
         depth <= last; depth++) {
        KnFindings *found = &s->found[depth & 1];
        s->met = 0;
        s->extended = 0;
        s->deepest = 0;
        bool around = s->use.aspiration && depth > 3 && abs(result->score) < KN_SCORE_HEURISTIC;
        iterate(s, found, depth, count, request->all_values, around ? &result->score : NULL);
        /* An unfinished iteration searched the best move of the one before first, so its best is as good or
         * better. But the values of all moves compare only at one depth. */
        if (s->meter.stopped && (found->best < 0 || (request->all_values && result->depth))) break;
        report(s, found, count, result);
        if (s->meter.stopped) break;
        result->depth = depth;
        if (depth > 2) kn_spread_learn(&s->spread, scores[depth & 1], result->score);
        scores[depth & 1] = result->score;
        result->completed = depth == last || is_final(s, found, depth, count, request->all_values);
        if (result->completed) break;
        if (request->after_depth && !request->after_depth(request->user, result)) {
            result->stop = KN_STOP_CANCEL;
            break;
        }
        if (request->pace && !ask_pace(s, request, found, count, result)) break;
        bring_forward(s, found->best);
    }
    if (request->budget.depth <= 0 && !s->options.deepening && result->completed &&
        !(s->met & KN_MET_HORIZON))
        result->depth = result->pv_length; /* the whole tree */
    if (s->meter.stopped) result->stop = s->meter.why;
    result->nodes = s->meter.nodes;
    result->known = s->known;
    result->seconds = kn_meter_seconds(&s->meter);
    result->extended = s->extended;
    result->deepest = s->deepest;
}

static void start_run(KnSearch *s, int count, const KnSearchRequest *request)
{
    s->viewpoint = s->rules->mover(s->game, kn_line_at(&s->line, 0));
    s->movers[0] = (int8_t)s->viewpoint;
    s->barred_ply = -1;
    s->probing = false;
    s->steps[0] = 0;
    s->salt = s->zero_sum ? 0 : kn_mix64((uint64_t)s->viewpoint);
    if (s->pasts) {
        s->pasts[0] = 0;
        for (size_t i = 0; i < s->line.past; i++) s->pasts[0] = kn_mix64(s->pasts[0] ^ s->line.hashes[i]);
    }
    s->beyond[0] = 0;
    s->unstable[0] = NAN;
    s->known = 0;
    kn_order_clear(&s->order);
    const KnBudget *budget = &request->budget;
    bool bounded = budget->depth <= 0 && (budget->nodes || budget->seconds > 0);
    s->selective = s->options.width == KN_SEARCH_SELECTIVE || (s->options.width == KN_SEARCH_AUTO && bounded);
    s->prober = s->selective || !s->options.endgame_selective ? s->own_prober : NULL;
    s->root_stage = s->prober ? kn_endgame_stage(kn_line_at(&s->line, 0)) : -1;
    s->use = s->selective && s->game->nature < 0 ? s->options.techniques : (KnTechniques){0};
    if (s->use.continuation) kn_order_clear_pairs(&s->order);
    if (s->own_table) kn_tt_age(s->own_table);
    draw_ranks(s, count, request->rng);
    for (int i = 0; i < count; i++) s->sequence[i] = i;
}

KnStatus kn_search_run(KnSearch *s, const void *position, const KnHistory *history,
                       const KnSearchRequest *request, KnSearchResult *result, KnError *error)
{
    *result = (KnSearchResult){.move = KN_MOVE_NONE, .stop = KN_STOP_DONE};
    KnBudget budget = s->threads ? kn_search_threads_share(s, request->budget) : request->budget;
    kn_meter_start(&s->meter, &budget, request->cancel);
    KnRng rng = request->rng ? *request->rng : (KnRng){0};
    int count;
    KnStatus status = kn_line_start(&s->line, position, history, error);
    if (status == KN_OK) status = kn_line_root_moves(&s->line, request, s->root_moves, &count, error);
    if (status != KN_OK) return status;
    start_run(s, count, request);
    if (s->solver && s->selective && kn_search_solve_root(s, request, count, result)) return KN_OK;
    if (s->threads) kn_search_threads_start(s, position, history, request, &rng);
    deepen(s, request, count, result);
    if (s->threads) kn_search_threads_finish(s, result);
    if (result->move == KN_MOVE_NONE) { /* the budget ended before any move was searched */
        result->move = s->root_moves[lowest_rank(s, count)];
        result->root = s->found[0].rows;
        result->root_count = count;
        for (int i = 0; i < count; i++)
            s->found[0].rows[i] = (KnRootMove){s->root_moves[i], 0, KN_BOUND_NONE, 0};
    }
    return s->prober ? kn_endgame_prober_status(s->prober, error) : KN_OK;
}
