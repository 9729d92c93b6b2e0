/* The techniques of selective searches that decide or change a node before its moves are searched. Their
 * margins are multiples of the spread of scores (KnSpread), so that they fit any evaluation of any game. */
#include <math.h>
#include <stdlib.h>

#include "base/math.h"
#include "search/alphabeta_core.h"

enum {
    SAMPLES = 6,        /* before the spread counts as known */
    FUTILITY_DEPTH = 3, /* the deepest node with futility cut-offs */
    ETC_DEPTH = 3,      /* the shallowest nodes with these */
    PROBCUT_DEPTH = 4
};

/* Margins as multiples of the spread. */
static const double FUTILITY = 1.0, PROBCUT = 1.3, SINGULAR = 0.6;

KnScore kn_spread_margin(const KnSpread *spread, double times)
{
    if (spread->count < SAMPLES) return 0;
    double margin = times * sqrt(spread->squares / spread->count);
    return margin < 1 ? 1 : margin > KN_SCORE_HEURISTIC / 4 ? KN_SCORE_HEURISTIC / 4 : (KnScore)margin;
}

static bool is_heuristic(KnScore score) { return abs(score) < KN_SCORE_HEURISTIC; }

void kn_spread_learn(KnSpread *spread, KnScore before, KnScore after)
{
    if (!is_heuristic(before) || !is_heuristic(after)) return;
    double change = (double)after - before;
    spread->squares += change * change;
    spread->count++;
}

/* Enhanced transposition cut-off: the table refutes one of the moves. */
static bool known_cut(KnSearch *s, int ply, int depth, KnScore beta, size_t free, int count, KnScore *score)
{
    KnMove *moves = s->moves + free;
    for (int i = 0; i < count; i++) {
        KnTableEntry entry;
        if (!kn_meter_count(&s->meter)) return false;
        kn_line_copy(&s->line, ply, KN_SEARCH_PLIES + 2);
        void *child = kn_line_at(&s->line, KN_SEARCH_PLIES + 2);
        s->rules->play(s->game, child, moves[i]);
        if (s->rules->mover(s->game, child) == s->movers[ply]) continue;
        uint64_t key = (s->rules->hash(s->game, child) ^ s->salt) * 0x9e3779b97f4a7c15u;
        if (!kn_tt_probe(s->table, key, ply + 1, &entry) || !(entry.bound & KN_BOUND_UPPER)) continue;
        if (-entry.score < beta || (entry.depth < depth - 1 && !entry.complete)) continue;
        if (!entry.complete) s->met |= KN_MET_HORIZON;
        *score = -entry.score;
        return true;
    }
    return false;
}

/* ProbCut: if a search four plies shallower lies outside the window by a margin, a deep one would most likely
 * lie outside too. */
static bool probable_cut(KnSearch *s, int ply, int depth, KnScore alpha, KnScore beta, size_t free,
                         KnScore here, KnScore *score)
{
    KnScore margin = kn_spread_margin(&s->spread, PROBCUT);
    int shallow = depth - (depth > 5 ? 4 : 2);
    bool high = here >= beta;
    if (!margin || (!high && here > alpha)) return false;
    KnScore bound = high ? beta + margin : alpha - margin;
    s->probing = true;
    KnScore found = high ? kn_core_node(s, ply, shallow, bound - 1, bound, free)
                         : kn_core_node(s, ply, shallow, bound, bound + 1, free);
    s->probing = false;
    if (s->meter.stopped || (high ? found < bound : found > bound)) return false;
    *score = high ? beta : alpha;
    return true;
}

bool kn_core_cuts(KnSearch *s, int ply, int depth, KnScore alpha, KnScore beta, size_t free, int count,
                  KnScore *score)
{
    const KnTechniques *use = &s->use;
    if (alpha + 1 != beta || !is_heuristic(beta) || s->barred_ply == ply || s->chains) return false;
    if (use->etc && depth >= ETC_DEPTH && !s->looks_back &&
        known_cut(s, ply, depth, beta, free, count, score))
        return true;
    if (s->meter.stopped || s->probing || count == 1) return false;
    bool futility = use->futility && depth <= FUTILITY_DEPTH,
         probcut = use->probcut && depth >= PROBCUT_DEPTH;
    if (!futility && !probcut) return false;
    bool may_stand;
    if (s->rules->tactical &&
        s->rules->tactical(s->game, kn_line_at(&s->line, ply), s->moves + free + count, &may_stand))
        return false;
    KnScore margin = kn_spread_margin(&s->spread, FUTILITY * depth);
    if (!margin) return false;
    unsigned met = s->met;
    KnScore here = kn_core_evaluate(s, ply);
    if (futility) {
        /* Reverse futility pruning: so far above beta, the other side will not catch up before the horizon.
         */
        *score = here - margin;
        if (*score >= beta) return true;
        s->met = met;
        return false;
    }
    return probable_cut(s, ply, depth, alpha, beta, free, here, score);
}

/* The others are searched to half of the depth, against a bound below the score of the table's move. */
bool kn_core_is_singular(KnSearch *s, int ply, int depth, const KnTableEntry *entry, size_t free, int count)
{
    if (s->probing || s->barred_ply >= 0 || !(entry->bound & KN_BOUND_LOWER) || entry->depth < depth - 3 ||
        !is_heuristic(entry->score) || ply >= KN_SEARCH_FORCED)
        return false;
    KnScore margin = kn_spread_margin(&s->spread, SINGULAR);
    if (!margin) return false;
    KnScore bound = entry->score - margin;
    s->barred_ply = ply;
    s->barred_index = entry->move;
    KnScore found = kn_core_try(s, ply, depth / 2, bound - 1, bound, free, count);
    s->barred_ply = -1;
    return !s->meter.stopped && found < bound;
}

static double log_of(const KnSearch *s, int number)
{
    return number < KN_SEARCH_LOGS ? s->logs[number] : kn_math_log(number);
}

/* Later, deeper and worse by history: more. An even number, because evaluations differ by whose move it is at
 * the horizon: a search shallower by an odd number would fail high too often. */
int kn_core_reduction(KnSearch *s, int ply, int depth, int place, KnMove move, bool open)
{
    double plies = 0.3 + log_of(s, depth) * log_of(s, place + 1) / 2.2;
    if (s->use.continuation)
        plies -= (double)kn_order_worth(&s->order, kn_core_side(s, ply), ply ? s->made[ply - 1] : 0, move) /
                 KN_ORDER_MOST;
    if (open) plies -= 1;
    int less = plies < 1 ? 0 : plies < 3 ? 2 : 4;
    return less < depth ? less : 0;
}
