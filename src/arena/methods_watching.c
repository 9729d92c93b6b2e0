/* Training of the rows that learn by watching: Hoyle and sequences (Lock 2003). Where a game is not solved,
 * the expert is a search. */
#include "arena/methods.h"
#include "arena/training.h"
#include "games/turns.h"

static KnStatus watch(const KnMethodTask *task, const char *learner, const char *file, KnMethodCost *cost,
                      KnError *error)
{
    KnGame *game = NULL;
    KnWatcher *watcher = NULL;
    KnText expert = KN_TEXT_EMPTY, weaker = KN_TEXT_EMPTY;
    kn_text_printf(&expert, "alphabeta(depth=%d, memory=1", task->depth + 1);
    if (task->eval) kn_text_printf(&expert, ", eval=%s", task->eval);
    kn_text_add(&expert, ")");
    kn_text_printf(&weaker, "reasonable(0.5, rest=%s)", expert.data);
    KnStatus status = kn_game_open_turns(task->context, task->game, &game, error);
    if (status == KN_OK) {
        KnTrainingPlan plan = {.game = task->game,
                               .learner = learner,
                               .environment = KN_TRAIN_INCREASING,
                               .watch = task->games / 2 ? task->games / 2 : 1,
                               .runs = 1,
                               .seed = task->seed,
                               .ply_limit = task->ply_limit ? task->ply_limit : kn_training_limit(game),
                               .jobs = 1,
                               .agents = {expert.data, weaker.data},
                               .cancel = task->cancel};
        cost->games = 2 * plan.watch;
        status = kn_training_teach(task->context, &plan, game, &watcher, error);
    }
    if (status == KN_OK) status = kn_watcher_save(watcher, file, error);
    kn_watcher_close(watcher);
    kn_game_close(game);
    kn_text_free(&expert);
    kn_text_free(&weaker);
    return status;
}

KnStatus kn_method_train_hoyle(const KnMethodTask *task, const char *file, KnMethodCost *cost, KnError *error)
{
    return watch(task, "hoyle", file, cost, error);
}

KnStatus kn_method_train_sequences(const KnMethodTask *task, const char *file, KnMethodCost *cost,
                                   KnError *error)
{
    return watch(task, "seqlearner(sitact)", file, cost, error);
}
