#include "lab/allocation.h"

/* No table: results must not flow from a deep search into the shallow ones after it. No deepening and no null windows: they cost
 * more than they gain at these depths, and no value depends on them. */
const KnAllocationField kn_allocation_checkers = {
    .game = "checkers(draw=0, repetition=0)",
    .inner = "alphabeta(eval=trade, -quiescence, table=off, -deepening, -pvs",
    .k = 4,
    .n = 2,
    .deep = 8,
    .moves = 40,
    .ply_limit = 80,
    .judge = 4,
};

KnStatus kn_allocation_match(KnLabRun *run, const KnAllocationField *field, const char *key, const char *policy, uint64_t games,
                             KnMatchResult *result, KnError *error)
{
    KnText strategy = KN_TEXT_EMPTY, fixed = KN_TEXT_EMPTY;
    kn_text_printf(&strategy, "allocate(%s), k=%d, n=%d, deep=%d, moves=%d, policy=%s)", field->inner, field->k, field->n, field->deep,
                   field->moves, policy);
    kn_text_printf(&fixed, "%s, depth=%d)", field->inner, field->k);
    KnMatchPlan plan = {.game = field->game,
                        .players = {strategy.data, fixed.data},
                        .games = games,
                        .rules = {.ply_limit = field->ply_limit, .judge = field->judge}};
    KnStatus status = kn_text_ok(&strategy) && kn_text_ok(&fixed) ? kn_lab_match(run, key, plan, result, error)
                                                                  : kn_fail_memory(error, "preparing a match");
    kn_text_free(&strategy);
    kn_text_free(&fixed);
    return status;
}

KnMeasure kn_allocation_points(const KnStanding *s)
{
    return kn_measure_share((double)s->wins + (double)s->draws / 2, s->games, 1);
}
