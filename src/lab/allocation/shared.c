#include "lab/allocation/shared.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/file.h"
#include "base/hash.h"

/* No table: results must not flow from a deep search into the shallow ones after it. No deepening and no null
 * windows: they cost more than they gain at these depths, and no value depends on them. */
const KnAllocationField kn_allocation_checkers = {
    .name = "checkers",
    .game = "checkers(draw=0, repetition=0)",
    .inner = "alphabeta(eval=trade, -quiescence, table=off, -deepening, -pvs",
    .eval = "trade",
    .k = 4,
    .n = 2,
    .deep = 8,
    .moves = 40,
    .ply_limit = 80,
    .judge = 4,
};

/* ---- matches ---- */

KnStatus kn_allocation_match(KnLabRun *run, const KnAllocationField *field, const char *key,
                             const char *policy, uint64_t games, KnMatchResult *result, KnError *error)
{
    KN_ASSERT(field->deep <= field->moves);
    KnText strategy = KN_TEXT_EMPTY, fixed = KN_TEXT_EMPTY;
    kn_text_printf(&strategy, "allocate(%s), k=%d, n=%d, deep=%d, moves=%d, policy=%s)", field->inner,
                   field->k, field->n, field->deep, field->moves, policy);
    kn_text_printf(&fixed, "%s, depth=%d)", field->inner, field->k);
    KnMatchPlan plan = {.game = field->game,
                        .players = {strategy.data, fixed.data},
                        .games = games,
                        .random_plies = field->random_plies,
                        .rules = {.ply_limit = field->ply_limit, .judge = field->judge}};
    KnStatus status = kn_text_ok(&strategy) && kn_text_ok(&fixed)
                          ? kn_lab_match(run, key, plan, result, error)
                          : kn_fail_memory(error, "preparing a match");
    kn_text_free(&strategy);
    kn_text_free(&fixed);
    return status;
}

KnStatus kn_allocation_measure(KnLabRun *run, KnAllocationMaterial *material, const KnAllocationRow *row,
                               uint64_t games, KnMatchResult *result, KnError *error)
{
    KnText path = KN_TEXT_EMPTY, policy = KN_TEXT_EMPTY, key = KN_TEXT_EMPTY;
    KnStatus status = row->policy ? KN_OK : kn_allocation_learned(run, material, row->learner, &path, error);
    if (status == KN_OK) {
        kn_text_add(&policy, row->policy ? row->policy : "learned(");
        if (!row->policy) {
            kn_text_add_quoted(&policy, path.data);
            kn_text_add_char(&policy, ')');
        }
        kn_text_printf(&key, "%s%s%s",
                       material->field == &kn_allocation_checkers ? "" : material->field->name,
                       material->field == &kn_allocation_checkers ? "" : ": ", row->name);
        status = kn_text_ok(&policy) && kn_text_ok(&key)
                     ? kn_allocation_match(run, material->field, key.data, policy.data, games, result, error)
                     : kn_fail_memory(error, "preparing a match");
    }
    kn_text_free(&path);
    kn_text_free(&policy);
    kn_text_free(&key);
    return status;
}

KnMeasure kn_allocation_points(const KnStanding *s)
{
    return kn_measure_share((double)s->wins + (double)s->draws / 2, s->games, 1);
}

/* Variance of the mean score of a match. */
static double variance_of(const KnStanding *s)
{
    if (!s->games) return 0;
    double games = (double)s->games, mean = kn_standing_score(s);
    return (((double)s->wins + (double)s->draws / 4) / games - mean * mean) / games;
}

KnMeasure kn_allocation_share(const KnStanding *q, const KnStanding *from, const KnStanding *to)
{
    double range = kn_standing_score(to) - kn_standing_score(from),
           share = (kn_standing_score(q) - kn_standing_score(from)) / range;
    /* Each standing counts once, so that a bound's own share is exact. */
    double of_q = q == from || q == to ? 0 : variance_of(q), of_from = variance_of(from),
           of_to = variance_of(to);
    if (q == from || q == to) of_from = of_to = 0;
    double reach = KN_Z95 * sqrt(of_q + (1 - share) * (1 - share) * of_from + share * share * of_to) /
                   fabs(range);
    return kn_measure_estimate(share, share - reach, share + reach, q->games);
}
