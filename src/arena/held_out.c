#include "arena/held_out.h"

#include <knack/stats.h>

#include "arena/match.h"

enum { RANDOM_PLIES = 2 };

KnStatus kn_held_out_measure(const KnLearnerTask *task, const char *player, double x, KnTrainingRun *run,
                             KnError *error)
{
    uint64_t games = (uint64_t)kn_option_integer(task->options, "test");
    const char *opponent = kn_learner_text(task, "held-out");
    const json_t *last = kn_training_run_last(run, KN_HELD_OUT);
    if (!task->points || !games || !opponent) return KN_OK;
    if (last && json_number_value(json_object_get(last, "x")) >= x) return KN_OK; /* before an interruption */
    KnMatchPlan plan = {
        .game = task->game->spec,
        .players = {player, opponent},
        .games = games,
        .seed = kn_mix64(task->seed ^ 0x4e1d0u),
        .jobs = task->jobs,
        .random_plies = RANDOM_PLIES,
        .rules = {.ply_limit = (size_t)kn_option_integer(task->options, "plies"), .cancel = task->cancel}};
    KnMatchResult *result = kn_arena_alloc(task->arena, sizeof *result);
    if (!result) return kn_fail_memory(error, "measuring a learner");
    KnStatus status = kn_match_run(task->context, &plan, NULL, NULL, result, error);
    if (status != KN_OK) return kn_fail_within(error, "games against the held-out opponent");
    const KnStanding *standing = &result->standing;
    double points = (double)standing->wins + 0.5 * (double)standing->draws, count = (double)standing->games;
    KnInterval interval = kn_wilson(points, count, KN_Z95);
    return kn_training_run_also(run, KN_HELD_OUT,
                                json_pack("{sf sf sf sf}", "x", x, "score", points / count, "low",
                                          interval.low, "high", interval.high),
                                error);
}
