#include "arena/held_out.h"

#include <knack/stats.h>

enum { RANDOM_PLIES = 2 };

typedef struct Share {
    double points;
    KnInterval interval;
} Share;

/* Of the first player. */
static KnStatus share_of(const KnContext *context, const KnMatchPlan *plan, Share *share, KnError *error)
{
    KnMatchResult result;
    KnStatus status = kn_match_run(context, plan, NULL, NULL, &result, error);
    if (status != KN_OK) return status;
    const KnStanding *standing = &result.standing;
    double points = (double)standing->wins + (double)standing->draws / 2, games = (double)standing->games;
    *share = (Share){points / games, kn_wilson(points, games, KN_Z95)};
    return KN_OK;
}

KnStatus kn_match_measure(const KnContext *context, const KnMatchPlan *plan, double x, KnTrainingRun *run,
                          KnError *error)
{
    Share share;
    KnStatus status = share_of(context, plan, &share, error);
    return status == KN_OK
               ? kn_training_run_add(run, x, share.points, share.interval.low, share.interval.high, error)
               : status;
}

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
    Share share;
    if (share_of(task->context, &plan, &share, error) != KN_OK)
        return kn_fail_within(error, "games against the held-out opponent");
    return kn_training_run_also(run, KN_HELD_OUT,
                                json_pack("{sf sf sf sf}", "x", x, "score", share.points, "low",
                                          share.interval.low, "high", share.interval.high),
                                error);
}
