/* The allocation row's training: a file of its own, since two rooms call something a training. */
#include <string.h>

#include "arena/methods.h"
#include "base/clock.h"
#include "games/turns.h"
#include "players/allocation/train.h"

enum { EXAMPLES = 10 /* a game, about */ };

/* What both ways of allocating learn alike: positions of games of a search with itself. */
static KnTraining training_of(const KnMethodTask *task, const KnGame *game, const char *inner)
{
    KnTraining t = kn_training();
    t.play.inner = inner;
    t.play.k = task->depth;
    t.play.n = kn_method_extra(task);
    t.play.moves = task->ply_limit ? (int)(task->ply_limit / 2) + 1 : 40;
    t.play.random_plies = 2;
    t.play.seed = task->seed;
    t.play.jobs = 1;
    t.play.cancel = task->cancel;
    t.tree = task->games * EXAMPLES;
    t.relief = t.enrich = 0;
    t.game_features = game->feature_count > 0;
    t.general_features = !t.game_features;
    t.plan.cuts = true;
    t.plan.measure = KN_TREE_INFORMATION;
    t.plan.least = 50;
    return t;
}

static KnStatus learn(const KnMethodTask *task, const KnGame *game, const KnTraining *t, const char *file, KnMethodCost *cost, KnError *error)
{
    KnTrainingSets sets;
    KnLearned *learned = NULL;
    KnStatus status = kn_training_sets_make(task->context, game, t, NULL, NULL, &sets, error);
    if (status != KN_OK) return status;
    cost->games = sets.tree.games;
    status = kn_training_learn(game, t, &sets, &learned, NULL, error);
    kn_training_sets_free(&sets);
    if (status == KN_OK) status = kn_learned_save(learned, file, error);
    kn_learned_free(learned);
    return status;
}

static KnStatus train(const KnMethodTask *task, uint64_t examples, uint64_t units, const char *file, KnMethodCost *cost, KnError *error)
{
    KnGame *game = NULL;
    KnStatus status = kn_game_open_turns(task->context, task->game, &game, error);
    if (status != KN_OK) return status;
    KnText inner = KN_TEXT_EMPTY;
    kn_text_add(&inner, "alphabeta(memory=1");
    if (task->eval) kn_text_printf(&inner, ", eval=%s", task->eval);
    kn_text_add(&inner, ")");
    KnTraining t = training_of(task, game, inner.data);
    if (units) {
        t.tree = examples;
        t.play.classes = (KnClasses){.units = units, .step = units / 4 ? units / 4 : 1, .below = 2, .above = 4}; /* half of it is enough to have looked at every move once, where boards are small */
        t.plan.measure = KN_TREE_VARIANCE;
        t.plan.least = 20;
        t.by_worth = true;
        t.general_features = true;
    }
    status = learn(task, game, &t, file, cost, error);
    kn_text_free(&inner);
    kn_game_close(game);
    return status;
}

KnStatus kn_method_train_allocation(const KnMethodTask *task, const char *file, KnMethodCost *cost, KnError *error)
{
    return train(task, 0, 0, file, cost, error);
}

KnStatus kn_method_train_pace(const KnMethodTask *task, uint64_t examples, uint64_t units, const char *file, KnMethodCost *cost, KnError *error)
{
    double started = kn_clock_cpu();
    KnStatus status = train(task, examples, units, file, cost, error);
    cost->seconds = kn_clock_cpu() - started;
    return status;
}
