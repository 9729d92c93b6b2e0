#include "search/alphabeta_core.h"

#include <math.h>

#include "base/assert.h"

/* Late move reductions begin at this move, with at least this depth to go; internal iterative deepening and
 * singular extensions with at least these. */
enum { LATE_MOVE = 2, LATE_DEPTH = 3, IID_DEPTH = 4, SINGULAR_DEPTH = 5, ADVISED_DEPTH = 5 };

/* Fail-soft alpha-beta in negamax form (Knuth and Moore 1975), as principal variation search (Marsland 1983).
 * The sign changes only when the side does: the viewpoint's role is one side, all others are the other.
 *
 * A node with an open window may lie on the principal variation. There a table hit is used only if it lies
 * outside the window, so that it cannot become part of that line. So the principal variation always reaches a
 * leaf, and the leaf's value is the score. */

KnScore kn_core_evaluate(KnSearch *s, int ply)
{
    const void *position = kn_line_at(&s->line, ply);
    s->met |= KN_MET_HORIZON;
    if (s->scores.slots)
        return kn_score_cache_ask(&s->scores, s->evaluation, position,
                                  s->line.hashes[s->line.past + (size_t)ply]);
    if (s->zero_sum) return kn_evaluate(s->evaluation, position);
    uint64_t plays = 0;
    KnScore score = kn_evaluate_counted(s->evaluation, position, s->viewpoint, &plays);
    kn_meter_charge(&s->meter, plays);
    return kn_core_side(s, ply) ? -score : score;
}

static KnScore score_payoffs(KnSearch *s, int ply, const double *payoffs)
{
    if (!s->zero_sum && !kn_results_opposed(s->game, payoffs, s->game->payoff_low + s->game->payoff_high))
        s->unopposed = true;
    KnScore score = kn_score_of_payoff(s->game, payoffs[s->viewpoint], ply);
    return kn_core_side(s, ply) ? -score : score;
}

static KnScore score_end(KnSearch *s, int ply)
{
    double payoffs[KN_ROLES_MAX];
    s->rules->payoffs(s->game, kn_line_at(&s->line, ply), payoffs);
    return score_payoffs(s, ply, payoffs);
}

/* Whether the history ends the game here. An end by the position alone comes first, as in a game. */
static bool ended(KnSearch *s, int ply, KnMove *moves, KnScore *score)
{
    if (!s->rules->ended) return false;
    KnHistory history = kn_line_history(&s->line, ply);
    double payoffs[KN_ROLES_MAX];
    const void *position = kn_line_at(&s->line, ply);
    if (!s->rules->ended(s->game, position, &history, payoffs)) return false;
    if (s->rules->moves(s->game, position, moves) == 0) {
        *score = score_end(s, ply);
    } else {
        s->met |= KN_MET_PAST;
        *score = score_payoffs(s, ply, payoffs);
    }
    return true;
}

static bool barred(KnSearch *s, int ply, KnMove move)
{
    if (!s->rules->barred) return false;
    KnHistory history = kn_line_history(&s->line, ply);
    if (!s->rules->barred(s->game, kn_line_at(&s->line, ply), &history, move)) return false;
    s->met |= KN_MET_PAST;
    return true;
}

/* The key in the transposition table: the Zobrist hash of the position, with all else that the value depends
 * on. */
static uint64_t table_key(const KnSearch *s, int ply)
{
    uint64_t key = (s->line.hashes[s->line.past + (size_t)ply] ^ s->salt) * 0x9e3779b97f4a7c15u;
    if (s->chains)
        key += (uint64_t)s->steps[ply] * 0xd6e8feb86659fd93u; /* how far the horizon is depends on them */
    return s->pasts ? key ^ s->pasts[ply] : key;
}

/* Puts the position after a move at the next ply. */
static inline void make(KnSearch *s, int ply, KnMove move)
{
    KN_ASSERT(ply >= 0 && ply <= KN_SEARCH_PLIES);
    kn_line_copy(&s->line, ply, ply + 1);
    void *child = kn_line_at(&s->line, ply + 1);
    s->made[ply] = move;
    s->rules->play(s->game, child, move);
    s->movers[ply + 1] = (int8_t)s->rules->mover(s->game, child);
    if (!s->expansion) return;
    s->beyond[ply + 1] = s->beyond[ply];
    s->unstable[ply + 1] = NAN;
}

/* Computes its hash, where the table or the rules need it. */
static inline void make_hash(KnSearch *s, int ply)
{
    s->line.hashes[s->line.past + (size_t)ply] = s->rules->hash(s->game, kn_line_at(&s->line, ply));
    if (s->pasts)
        s->pasts[ply] = kn_mix64(s->pasts[ply - 1] ^ s->line.hashes[s->line.past + (size_t)ply - 1]);
}

/* ---- Endgame tables ---- */

static bool is_exact(KnEndgameAnswer answer) { return answer.value == 0 || answer.plies >= 0; }

static KnScore exact_score(KnEndgameAnswer answer, int ply)
{
    if (!answer.value) return 0;
    return answer.value > 0 ? KN_SCORE_WIN - ply - answer.plies : ply + answer.plies - KN_SCORE_WIN;
}

/* A win or loss of unknown distance: the evaluation shows how to make progress. */
static KnScore known_score(KnSearch *s, KnEndgameAnswer answer, int ply)
{
    KnScore score = kn_core_evaluate(s, ply), most = KN_SCORE_HEURISTIC / 2;
    score = score > most ? most : score < -most ? -most : score;
    return answer.value * KN_SCORE_KNOWN + score;
}

static bool is_quiet(KnSearch *s, int ply, size_t free)
{
    bool may_stand;
    return !s->rules->tactical ||
           !s->rules->tactical(s->game, kn_line_at(&s->line, ply), s->moves + free, &may_stand);
}

/* Above the horizon: whether the endgame tables end the line here. */
static bool known_ends(KnSearch *s, int ply, size_t free, KnScore *score)
{
    KnEndgameAnswer answer;
    const void *position = kn_line_at(&s->line, ply);
    if (!kn_endgame_ask(s->prober, position, &answer)) return false;
    if (is_exact(answer))
        *score = exact_score(answer, ply);
    else if (kn_endgame_stage(position) != s->root_stage && is_quiet(s, ply, free))
        *score = known_score(s, answer, ply);
    else
        return false;
    s->known++;
    return true;
}

static KnScore leaf(KnSearch *s, int ply, KnScore alpha, KnScore beta, size_t free);

/* Quiescence search: only tactical moves, with a stand-pat score where the side may decline them. */
static KnScore quiesce(KnSearch *s, int ply, KnScore alpha, KnScore beta, size_t free, int count,
                       bool may_stand)
{
    if (ply >= KN_SEARCH_PLIES) return kn_core_evaluate(s, ply);
    const KnMove *moves = s->moves + free;
    KnScore best = -KN_SCORE_INFINITE;
    if (may_stand) {
        best = kn_core_evaluate(s, ply);
        if (best >= beta) return best;
        if (best > alpha) alpha = best;
    }
    if (s->looks_back) make_hash(s, ply); /* leaves that are quiet need none */
    int tried = 0;
    for (int i = 0; i < count; i++) {
        if (s->looks_back && barred(s, ply, moves[i])) continue;
        if (!kn_meter_count(&s->meter)) return 0;
        make(s, ply, moves[i]);
        KnScore score = kn_core_side(s, ply) == kn_core_side(s, ply + 1)
                            ? leaf(s, ply + 1, alpha, beta, free + (size_t)count)
                            : -leaf(s, ply + 1, -beta, -alpha, free + (size_t)count);
        if (s->meter.stopped) return 0;
        tried++;
        if (score <= best) continue;
        best = score;
        if (score <= alpha) continue;
        kn_line_pv_set(&s->line, ply, moves[i]);
        if (score >= beta) break;
        alpha = score;
    }
    return tried || may_stand ? best : kn_core_evaluate(s, ply);
}

/* ---- Variable depth: search extensions at unstable leaves ---- */

static double instability(KnSearch *s, int ply)
{
    uint64_t plays = 0;
    if (isnan(s->unstable[ply])) {
        KnScore score = kn_evaluate_counted(s->expansion, kn_line_at(&s->line, ply), s->movers[ply], &plays);
        s->unstable[ply] = kn_percent_of_score(s->expansion, score);
        kn_meter_charge(&s->meter, plays);
    }
    return s->unstable[ply];
}

/* Whether the value changed much since the mover's last turn. Positions where others move do not compare: a
 * waiting role has no moves. */
static bool is_unstable(KnSearch *s, int ply)
{
    int before = ply - 1;
    while (before >= 0 && s->movers[before] != s->movers[ply]) before--;
    return before >= 0 && fabs(instability(s, ply) - instability(s, before)) >= s->options.change;
}

static KnScore extend_leaf(KnSearch *s, int ply, KnScore alpha, KnScore beta, size_t free)
{
    int count = s->rules->moves(s->game, kn_line_at(&s->line, ply), s->moves + free);
    s->beyond[ply]++;
    s->extended++;
    if (ply + 1 > s->deepest) s->deepest = ply + 1;
    return quiesce(s, ply, alpha, beta, free, count, false);
}

/* The horizon: quiescence search, endgame tables, extension, or evaluation. */
static KnScore leaf(KnSearch *s, int ply, KnScore alpha, KnScore beta, size_t free)
{
    const void *position = kn_line_at(&s->line, ply);
    KnScore score;
    kn_line_pv_clear(&s->line, ply);
    if (s->scores.slots) {
        make_hash(s, ply);
        kn_score_cache_prefetch(&s->scores, s->line.hashes[s->line.past + (size_t)ply]);
    }
    if (s->looks_back && ended(s, ply, s->moves + free, &score)) return score;
    KnEndgameAnswer answer;
    bool known = s->prober && kn_endgame_ask(s->prober, position, &answer);
    s->known += known;
    if (known && is_exact(answer)) return exact_score(answer, ply);
    if (s->quiet) {
        bool may_stand = true;
        int count = s->rules->tactical(s->game, position, s->moves + free, &may_stand);
        if (count) return quiesce(s, ply, alpha, beta, free, count, may_stand);
    }
    int count = s->rules->count ? s->rules->count(s->game, position, false)
                                : s->rules->moves(s->game, position, s->moves + free);
    if (!count) return score_end(s, ply);
    if (known) return known_score(s, answer, ply);
    if (s->expansion && s->beyond[ply] < s->options.extra && s->movers[ply] != s->game->nature &&
        is_unstable(s, ply))
        return extend_leaf(s, ply, alpha, beta, free);
    return kn_core_evaluate(s, ply);
}

/* Chance node (expectimax): the mean over all moves of nature, each searched with an open window. */
static KnScore chance_node(KnSearch *s, int ply, int depth, size_t free, int count)
{
    KnMove *moves = s->moves + free;
    if (s->looks_back) {
        int kept = 0;
        for (int i = 0; i < count; i++)
            if (!barred(s, ply, moves[i])) moves[kept++] = moves[i];
        count = kept;
    }
    double *chances = s->chances + free, mean = 0;
    if (s->rules->chances)
        s->rules->chances(s->game, kn_line_at(&s->line, ply), moves, count, chances);
    else
        for (int i = 0; i < count; i++) chances[i] = 1.0 / count;
    for (int i = 0; i < count; i++) {
        mean += chances[i] * kn_core_move(s, ply, depth, -KN_SCORE_INFINITE, KN_SCORE_INFINITE, moves[i],
                                          free + (size_t)count);
        if (s->meter.stopped) return 0;
    }
    kn_line_pv_clear(&s->line, ply);
    return (KnScore)lround(mean);
}

/* Whether a table entry is as good as a search of this depth. */
static bool deep_enough(const KnSearch *s, const KnTableEntry *entry, int depth)
{
    if (s->exact) return entry->depth == depth || (entry->complete && entry->depth <= depth);
    return entry->depth >= depth || entry->complete;
}

/* Transposition cut-off: the bound lies outside the window. */
static bool cuts(const KnTableEntry *entry, KnScore alpha, KnScore beta)
{
    return entry->score >= beta ? entry->bound & KN_BOUND_LOWER
                                : entry->score <= alpha && entry->bound & KN_BOUND_UPPER;
}

/* Fetches the entry of the child that comes after the one about to be searched: memory is slower than a small
 * subtree, and playing a move twice is cheaper than waiting for it. */
static void prefetch_next(KnSearch *s, int ply, const KnMove *moves, int i, int count, size_t free)
{
    int place = s->ordering ? kn_order_pick(s->keys + free, i, count) : i;
    kn_line_copy(&s->line, ply, KN_SEARCH_PLIES + 2);
    void *child = kn_line_at(&s->line, KN_SEARCH_PLIES + 2);
    s->rules->play(s->game, child, moves[place]);
    uint64_t hash = s->rules->hash(s->game, child);
    kn_tt_prefetch(s->table, (hash ^ s->salt) * 0x9e3779b97f4a7c15u);
}

/* Whether no move here is tactical. Asked at most once for each node. */
static bool all_quiet(const KnSearch *s, int ply, size_t free, int *quiet)
{
    bool may_stand;
    if (*quiet < 0)
        *quiet = !s->rules->tactical ||
                 s->rules->tactical(s->game, kn_line_at(&s->line, ply), s->moves + free, &may_stand) == 0;
    return *quiet;
}

/* Principal variation search: moves after the first are tested with a null window, and searched again where
 * they are better than expected. */
static KnScore search_move(KnSearch *s, int ply, int depth, KnScore floor, KnScore beta, bool test,
                           KnMove move, size_t free)
{
    if (test && s->null_windows && floor + 1 < beta) {
        KnScore score = kn_core_move(s, ply, depth, floor, floor + 1, move, free);
        if (score <= floor || score >= beta || s->meter.stopped) return score;
    }
    return kn_core_move(s, ply, depth, floor, beta, move, free);
}

/* The best move of a node so far. */
typedef struct Best {
    KnScore score;
    int index; /* -1: none raised alpha */
} Best;

/* By an advisor, behind the killers. Near the horizon it costs more than it saves. */
static void rate_by_advisor(KnSearch *s, int ply, const KnMove *moves, uint64_t *keys, int count)
{
    const KnMoveAdvisor *advisor = s->options.advisor;
    double chances[count];
    kn_meter_charge(&s->meter, advisor->chances(advisor, kn_line_at(&s->line, ply), moves, count, chances));
    for (int i = 0; i < count; i++)
        if (keys[i] >> 32 < KN_ORDER_KILLER)
            keys[i] = (uint64_t)(chances[i] * (KN_ORDER_KILLER - 1)) << 32 | (keys[i] & UINT32_MAX);
}

/* Rates the moves of a node. Tactical moves come before quiet ones, where that is wanted. */
static void rate_moves(KnSearch *s, int ply, int depth, const KnMove *moves, uint64_t *keys, int count,
                       size_t below)
{
    kn_order_rate(&s->order, ply, kn_core_side(s, ply), s->use.continuation && ply ? s->made[ply - 1] : 0,
                  s->use.continuation, moves, keys, count);
    if (s->options.advisor && depth >= ADVISED_DEPTH) rate_by_advisor(s, ply, moves, keys, count);
    if (!s->use.captures || !s->rules->tactical) return;
    bool may_stand;
    int tactical = s->rules->tactical(s->game, kn_line_at(&s->line, ply), s->moves + below, &may_stand);
    for (int k = 0; k < tactical && tactical < count; k++)
        for (int i = 0; i < count; i++)
            if (moves[i] == s->moves[below + (size_t)k]) keys[i] |= (uint64_t)1 << 63;
}

/* A node whose moves are searched. */
typedef struct Node {
    int ply, depth;
    KnScore alpha, beta;
    size_t free; /* its moves lie here */
    int count;
    int first;     /* the table's move; -1: none */
    int extension; /* of the table's move */
} Node;

/* Rewards the move that cut off, and those before it the other way round. */
static void learn_order(KnSearch *s, const Node *n, KnMove move, int tried, int first)
{
    int side = kn_core_side(s, n->ply);
    kn_order_reward(&s->order, n->ply, side, move, n->depth);
    if (!s->use.continuation) return;
    KnMove before = n->ply ? s->made[n->ply - 1] : 0;
    const uint64_t *keys = s->keys + n->free;
    const KnMove *moves = s->moves + n->free;
    kn_order_adjust(&s->order, side, before, move, n->depth * n->depth);
    for (int i = 0; i < tried; i++) {
        int index = kn_order_index(keys[i]);
        if (moves[index] != move && index != first)
            kn_order_adjust(&s->order, side, before, moves[index], -n->depth * n->depth);
    }
    if (first >= 0 && moves[first] != move)
        kn_order_adjust(&s->order, side, before, moves[first], -n->depth * n->depth);
}

/* Late move reduction: a late quiet move is first searched shallower, with a null window. True: it fails low,
 * and *score is its bound. */
static bool fails_reduced(KnSearch *s, const Node *n, int place, KnScore floor, KnMove move, size_t below,
                          int *quiet, KnScore *score)
{
    if (!s->use.reduce || place < LATE_MOVE || n->depth < LATE_DEPTH || !all_quiet(s, n->ply, below, quiet))
        return false;
    int less = kn_core_reduction(s, n->ply, n->depth, place, move, floor + 1 < n->beta);
    if (less < 1) return false;
    *score = kn_core_move(s, n->ply, n->depth - less, floor, floor + 1, move, below);
    return *score <= floor;
}

/* Searches the moves of a node: the table's move first; the others are rated only if it does not cut off. */
static Best search_moves(KnSearch *s, const Node *n)
{
    KnMove *moves = s->moves + n->free;
    uint64_t *keys = s->keys + n->free;
    Best best = {-KN_SCORE_INFINITE, -1};
    KnScore alpha = n->alpha;
    int ply = n->ply, depth = n->depth, count = n->count, quiet = -1; /* unknown */
    bool tested = false, excluding = s->barred_ply == ply;
    size_t below = n->free + (size_t)count;
    for (int i = n->first >= 0 ? -1 : 0; i < count; i++) {
        int index = i < 0 ? n->first : i;
        if (i >= 0 && s->ordering) {
            if (i == 0) rate_moves(s, ply, depth, moves, keys, count, below);
            index = kn_order_pick(keys, i, count);
        }
        KN_ASSERT(index >= 0 && index < count);
        if ((i >= 0 && index == n->first) || (excluding && index == s->barred_index)) continue;
        KnMove move = moves[index];
        KnScore score;
        if (s->looks_back && barred(s, ply, move)) continue;
        if (tested && depth > s->table_floor && depth < s->table_floor + 3 && i + 1 < count)
            prefetch_next(s, ply, moves, i + 1, count, n->free);
        bool fails = fails_reduced(s, n, i, alpha, move, below, &quiet, &score);
        if (s->meter.stopped) return best;
        if (fails) {
            if (score > best.score) best.score = score;
            continue;
        }
        score = search_move(s, ply, depth + (i < 0 ? n->extension : 0), alpha, n->beta, tested, move, below);
        if (s->meter.stopped) return best;
        tested = true;
        if (score <= best.score) continue;
        best.score = score;
        if (score <= alpha) continue;
        best.index = index;
        kn_line_pv_set(&s->line, ply, move);
        if (score >= n->beta) { /* beta cut-off */
            if (s->ordering && !excluding) learn_order(s, n, move, i, n->first);
            break;
        }
        alpha = score;
    }
    return best;
}

KnScore kn_core_try(KnSearch *s, int ply, int depth, KnScore alpha, KnScore beta, size_t free, int count)
{
    Node n = {ply, depth, alpha, beta, free, count, -1, 0};
    return search_moves(s, &n).score;
}

/* Internal iterative deepening: without a move from the table, a shallower search finds one where the window
 * is open; elsewhere the node is searched a ply shallower. */
static int deepen_inside(KnSearch *s, int ply, int *depth, KnScore alpha, KnScore beta, uint64_t key,
                         size_t free)
{
    if (!s->use.iid || *depth < IID_DEPTH || s->probing) return -1;
    if (alpha + 1 == beta) {
        --*depth;
        return -1;
    }
    KnTableEntry entry;
    kn_core_node(s, ply, *depth - 2, alpha, beta, free);
    return !s->meter.stopped && kn_tt_probe(s->table, key, ply, &entry) ? entry.move : -1;
}

KnScore kn_core_node(KnSearch *s, int ply, int depth, KnScore alpha, KnScore beta, size_t free)
{
    KnMove *moves = s->moves + free;
    KnScore score;
    KN_ASSERT(alpha < beta);
    kn_line_pv_clear(&s->line, ply);
    if (s->looks_back && ended(s, ply, moves, &score)) return score;
    if (ply >= KN_SEARCH_PLIES) return leaf(s, ply, alpha, beta, free);
    if (s->prober && known_ends(s, ply, free, &score)) return score;

    /* Moves are listed before the table is probed, while the prefetched entry arrives from memory. */
    int count = s->rules->moves(s->game, kn_line_at(&s->line, ply), moves);
    KN_ASSERT(count <= s->game->max_moves);
    if (count == 0) return score_end(s, ply);
    /* Mate distance pruning: no win comes sooner than by the next move. Where a move is a turn, iterative
     * deepening finds the nearest win first. */
    if (s->chains && alpha >= KN_SCORE_WIN - ply - 1) return KN_SCORE_WIN - ply - 1;
    if (s->movers[ply] == s->game->nature) return chance_node(s, ply, depth, free, count);

    /* Forced-move extension. */
    if (count == 1 && s->options.extend && ply < KN_SEARCH_FORCED) depth++;

    /* Transposition table. */
    int first = -1, extension = 0;
    uint64_t key = 0;
    bool tabled = depth >= s->table_floor;
    unsigned met = s->met;
    if (tabled) {
        KnTableEntry entry;
        key = table_key(s, ply);
        bool hit = kn_tt_probe(s->table, key, ply, &entry);
        if (hit) {
            if (deep_enough(s, &entry, depth) && cuts(&entry, alpha, beta)) {
                if (!entry.complete) s->met |= KN_MET_HORIZON;
                return entry.score;
            }
            first = entry.move < count ? entry.move : -1;
        }
        s->met = 0;
        if (kn_core_cuts(s, ply, depth, alpha, beta, free, count, &score)) {
            s->met |= met;
            return score;
        }
        if (first < 0 && count > 1) {
            first = deepen_inside(s, ply, &depth, alpha, beta, key, free);
            if (first >= count) first = -1;
        } else if (first >= 0 && count > 1 && s->use.singular && depth >= SINGULAR_DEPTH) {
            extension = kn_core_is_singular(s, ply, depth, &entry, free, count);
        }
        if (s->meter.stopped) return 0;
        kn_line_pv_clear(&s->line, ply);
    }
    s->met = 0;
    Node n = {ply, depth, alpha, beta, free, count, first, extension};
    Best best = search_moves(s, &n);
    if (s->meter.stopped) return 0;
    if (tabled && !(s->met & KN_MET_PAST && !s->pasts)) {
        KnTableEntry entry = {best.score, best.index, depth,
                              best.score >= beta    ? KN_BOUND_LOWER
                              : best.score <= alpha ? KN_BOUND_UPPER
                                                    : KN_BOUND_EXACT,
                              !(s->met & KN_MET_HORIZON)};
        kn_tt_store(s->table, key, ply, &entry);
    }
    s->met |= met;
    return best.score;
}

KnScore kn_core_move(KnSearch *s, int ply, int depth, KnScore alpha, KnScore beta, KnMove move, size_t free)
{
    if (!kn_meter_count(&s->meter)) return 0;
    make(s, ply, move);
    if (s->chains)
        s->steps[ply + 1] = (int16_t)(s->movers[ply] == s->movers[ply + 1] ? s->steps[ply] + 1 : 0);
    if (!s->chains || !s->steps[ply + 1] || s->steps[ply + 1] > KN_SEARCH_CHAIN) depth--;
    bool turn = kn_core_side(s, ply) != kn_core_side(s, ply + 1);
    if (depth <= 0)
        return turn ? -leaf(s, ply + 1, -beta, -alpha, free) : leaf(s, ply + 1, alpha, beta, free);
    bool tabled = depth >= s->table_floor;
    if (tabled || s->looks_back) {
        make_hash(s, ply + 1);
        if (tabled) kn_tt_prefetch(s->table, table_key(s, ply + 1));
    }
    return turn ? -kn_core_node(s, ply + 1, depth, -beta, -alpha, free)
                : kn_core_node(s, ply + 1, depth, alpha, beta, free);
}
