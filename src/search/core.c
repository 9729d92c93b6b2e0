#include "search/core.h"

#include <math.h>

enum { LATE = 3, LATE_DEPTH = 3 }; /* from which move on, and with how much depth to go, reductions begin */

/* Fail-soft negamax. The sign turns only when the side does: the viewpoint's role is one side, all others the
 * other, which for two roles is the ordinary game.
 *
 * A node whose window is wider than one point may lie on the principal variation. There a table hit is used
 * only if it lies outside the window, where it cannot become part of that line: so the line always reaches a
 * leaf, and its leaf's value is the score. */

static KnScore evaluate(KnSearch *s, int ply)
{
    const void *position = kn_line_at(&s->line, ply);
    s->met |= KN_MET_HORIZON;
    if (s->zero_sum) return kn_evaluate(s->evaluation, position);
    uint64_t plays = 0;
    KnScore score = kn_evaluate_counted(s->evaluation, position, s->viewpoint, &plays);
    kn_meter_charge(&s->meter, plays);
    return kn_core_side(s, ply) ? -score : score;
}

static KnScore score_payoffs(const KnSearch *s, int ply, const double *payoffs)
{
    KnScore score = kn_score_of_payoff(s->game, payoffs[s->viewpoint], ply);
    return kn_core_side(s, ply) ? -score : score;
}

static KnScore score_end(const KnSearch *s, int ply)
{
    double payoffs[KN_ROLES_MAX];
    s->rules->payoffs(s->game, kn_line_at(&s->line, ply), payoffs);
    return score_payoffs(s, ply, payoffs);
}

/* Over because of what was before? An end by the position itself comes first, as in a contest. */
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
    kn_line_copy(&s->line, ply, ply + 1);
    void *child = kn_line_at(&s->line, ply + 1);
    s->rules->play(s->game, child, move);
    s->movers[ply + 1] = (int8_t)s->rules->mover(s->game, child);
    if (!s->expansion) return;
    s->beyond[ply + 1] = s->beyond[ply];
    s->restless[ply + 1] = NAN;
}

/* Its hash, where the table or the rules will ask for it. */
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

/* Won or lost, nobody knows how soon: the evaluation shows the way. */
static KnScore known_score(KnSearch *s, KnEndgameAnswer answer, int ply)
{
    KnScore score = evaluate(s, ply), most = KN_SCORE_GUESS / 2;
    score = score > most ? most : score < -most ? -most : score;
    return answer.value * KN_SCORE_KNOWN + score;
}

static bool is_quiet(KnSearch *s, int ply, size_t free)
{
    bool may_stand;
    return !s->rules->tactical ||
           !s->rules->tactical(s->game, kn_line_at(&s->line, ply), s->moves + free, &may_stand);
}

/* Above the horizon: whether what the tables say ends the line here. */
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

/* The tactical moves of a position that is not quiet. */
static KnScore quiesce(KnSearch *s, int ply, KnScore alpha, KnScore beta, size_t free, int count,
                       bool may_stand)
{
    if (ply >= KN_SEARCH_PLIES) return evaluate(s, ply);
    const KnMove *moves = s->moves + free;
    KnScore best = -KN_SCORE_INFINITE;
    if (may_stand) {
        best = evaluate(s, ply);
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
    return tried || may_stand ? best : evaluate(s, ply);
}

/* ---- Variable depth ---- */

static double restless_value(KnSearch *s, int ply)
{
    uint64_t plays = 0;
    if (isnan(s->restless[ply])) {
        KnScore score = kn_evaluate_counted(s->expansion, kn_line_at(&s->line, ply), s->movers[ply], &plays);
        s->restless[ply] = kn_percent_of_score(s->expansion, score);
        kn_meter_charge(&s->meter, plays);
    }
    return s->restless[ply];
}

/* Whether much has changed since the mover's last turn. Turns of others are no measure: who waits has no
 * choices at all. */
static bool is_restless(KnSearch *s, int ply)
{
    int before = ply - 1;
    while (before >= 0 && s->movers[before] != s->movers[ply]) before--;
    return before >= 0 && fabs(restless_value(s, ply) - restless_value(s, before)) >= s->options.change;
}

static KnScore search_on(KnSearch *s, int ply, KnScore alpha, KnScore beta, size_t free)
{
    int count = s->rules->moves(s->game, kn_line_at(&s->line, ply), s->moves + free);
    s->beyond[ply]++;
    s->extended++;
    if (ply + 1 > s->deepest) s->deepest = ply + 1;
    return quiesce(s, ply, alpha, beta, free, count, false);
}

/* At the horizon. */
static KnScore leaf(KnSearch *s, int ply, KnScore alpha, KnScore beta, size_t free)
{
    const void *position = kn_line_at(&s->line, ply);
    KnScore score;
    kn_line_pv_clear(&s->line, ply);
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
        is_restless(s, ply))
        return search_on(s, ply, alpha, beta, free);
    return evaluate(s, ply);
}

/* Nature's move: the mean over all of its moves, each of which must be known exactly. */
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

/* Whether what the table holds is as good as a search of this depth. */
static bool deep_enough(const KnSearch *s, const KnTableEntry *entry, int depth)
{
    if (s->exact) return entry->depth == depth || (entry->complete && entry->depth <= depth);
    return entry->depth >= depth || entry->complete;
}

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
    kn_table_prefetch(s->table, (hash ^ s->salt) * 0x9e3779b97f4a7c15u);
}

/* Whether no move here is tactical; asked once a node, and only by reductions. */
static bool all_quiet(const KnSearch *s, int ply, size_t free, int *quiet)
{
    bool may_stand;
    if (*quiet < 0)
        *quiet = !s->rules->tactical ||
                 s->rules->tactical(s->game, kn_line_at(&s->line, ply), s->moves + free, &may_stand) == 0;
    return *quiet;
}

static KnScore node(KnSearch *s, int ply, int depth, KnScore alpha, KnScore beta, size_t free)
{
    KnMove *moves = s->moves + free;
    KnScore score;
    kn_line_pv_clear(&s->line, ply);
    if (s->looks_back && ended(s, ply, moves, &score)) return score;
    if (ply >= KN_SEARCH_PLIES) return leaf(s, ply, alpha, beta, free);
    if (s->prober && known_ends(s, ply, free, &score)) return score;

    /* Moves are listed before the table is asked, while the entry is on its way from memory. */
    int count = s->rules->moves(s->game, kn_line_at(&s->line, ply), moves);
    if (count == 0) return score_end(s, ply);
    /* No win comes sooner than by the next move: where a nearer one is known, there is nothing to look for.
     * Where a move is a turn, deepening sees to that. */
    if (s->chains && alpha >= KN_SCORE_WIN - ply - 1) return KN_SCORE_WIN - ply - 1;
    if (s->movers[ply] == s->game->nature) return chance_node(s, ply, depth, free, count);

    if (count == 1 && s->options.extend && ply < KN_SEARCH_FORCED) depth++;
    int first = -1;
    uint64_t key = 0;
    bool tabled = depth >= s->table_floor;
    if (tabled) {
        KnTableEntry entry;
        key = table_key(s, ply);
        if (kn_table_probe(s->table, key, ply, &entry)) {
            if (deep_enough(s, &entry, depth) && cuts(&entry, alpha, beta)) {
                if (!entry.complete) s->met |= KN_MET_HORIZON;
                return entry.score;
            }
            first = entry.move;
        }
    }
    unsigned met = s->met;
    s->met = 0;
    KnScore best = -KN_SCORE_INFINITE, floor = alpha;
    int best_place = -1, side = kn_core_side(s, ply);
    bool tested = false;
    int quiet = -1; /* not known yet */
    if (first >= count) first = -1;
    /* The table's move goes first; the others are put in order only if it does not cut off. */
    uint64_t *keys = s->keys + free;
    for (int i = first >= 0 ? -1 : 0; i < count; i++) {
        int place = i;
        if (i < 0)
            place = first;
        else if (s->ordering) {
            if (i == 0) kn_order_rate(&s->order, ply, side, moves, keys, count);
            place = kn_order_pick(keys, i, count);
        }
        if (i >= 0 && place == first) continue;
        KnMove move = moves[place];
        if (s->looks_back && barred(s, ply, move)) continue;
        if (tested && depth > s->table_floor && depth < s->table_floor + 3 && i + 1 < count)
            prefetch_next(s, ply, moves, i + 1, count, free);
        if (s->options.reduce && i >= LATE && depth >= LATE_DEPTH &&
            all_quiet(s, ply, free + (size_t)count, &quiet)) {
            score = kn_core_move(s, ply, depth - 1, floor, floor + 1, move, free + (size_t)count);
            if (s->meter.stopped) return 0;
            if (score <= floor) {
                if (score > best) best = score;
                continue;
            }
        }
        if (s->null_windows && tested && floor + 1 < beta) {
            score = kn_core_move(s, ply, depth, floor, floor + 1, move, free + (size_t)count);
            if (score > floor && score < beta && !s->meter.stopped)
                score = kn_core_move(s, ply, depth, floor, beta, move, free + (size_t)count);
        } else {
            score = kn_core_move(s, ply, depth, floor, beta, move, free + (size_t)count);
        }
        if (s->meter.stopped) return 0;
        tested = true;
        if (score <= best) continue;
        best = score;
        if (score <= floor) continue;
        best_place = place;
        kn_line_pv_set(&s->line, ply, move);
        if (score >= beta) {
            if (s->ordering) kn_order_reward(&s->order, ply, side, move, depth);
            break;
        }
        floor = score;
    }
    if (tabled && !(s->met & KN_MET_PAST && !s->pasts)) {
        KnTableEntry entry = {best, best_place, depth,
                              best >= beta    ? KN_BOUND_LOWER
                              : best <= alpha ? KN_BOUND_UPPER
                                              : KN_BOUND_EXACT,
                              !(s->met & KN_MET_HORIZON)};
        kn_table_store(s->table, key, ply, &entry);
    }
    s->met |= met;
    return best;
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
        if (tabled) kn_table_prefetch(s->table, table_key(s, ply + 1));
    }
    return turn ? -node(s, ply + 1, depth, -beta, -alpha, free) : node(s, ply + 1, depth, alpha, beta, free);
}
