/* The allocation row's training: a file of its own, since two rooms call something a training. */
#include <string.h>
#include <unistd.h>

#include "arena/methods.h"
#include "base/clock.h"
#include "games/turns.h"
#include "players/allocation/train.h"

enum { EXAMPLES = 10 /* a game, about */ };

/* What all ways of allocating learn alike: positions of games of a search with itself. */
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

static KnStatus learn(const KnMethodTask *task, const KnGame *game, const KnTraining *t, const char *file,
                      KnMethodCost *cost, KnError *error)
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

/* What is learned: for depths, or with `units` for a clock, or with a base for trust in it. */
typedef struct Aim {
    uint64_t examples, units;
    const char *base;
} Aim;

static void aim_at(KnTraining *t, const Aim *aim)
{
    if (!aim->units) return;
    t->tree = aim->examples;
    t->plan.least = 20;
    t->general_features = true;
    if (aim->base) {
        t->play.trust =
            (KnTrust){.base = aim->base, .nodes = aim->units, .judging = aim->units / 4 ? aim->units / 4 : 1};
        t->play.explore = 0.5;
        t->decide = KN_BY_MAJORITY;
        t->plan.least = aim->examples > 1000 ? 100 : aim->examples / 10 + 1;
        t->plan.measure = KN_TREE_VARIANCE;
        t->by_worth = true;
        return;
    }
    t->play.classes = (KnClasses){
        .units = aim->units,
        .step = aim->units / 4 ? aim->units / 4 : 1,
        .below = 2,
        .above = 4}; /* half of it is enough to have looked at every move once, where boards are small */
    t->plan.measure = KN_TREE_VARIANCE;
    t->by_worth = true;
}

static KnStatus train(const KnMethodTask *task, Aim aim, const char *file, KnMethodCost *cost, KnError *error)
{
    KnGame *game = NULL;
    KnStatus status = kn_game_open_turns(task->context, task->game, &game, error);
    if (status != KN_OK) return status;
    KnText inner = KN_TEXT_EMPTY;
    kn_text_add(&inner, "alphabeta(memory=1");
    if (task->eval) kn_text_printf(&inner, ", eval=%s", task->eval);
    kn_text_add(&inner, ")");
    KnTraining t = training_of(task, game, inner.data);
    aim_at(&t, &aim);
    status = learn(task, game, &t, file, cost, error);
    kn_text_free(&inner);
    kn_game_close(game);
    return status;
}

KnStatus kn_method_train_allocation(const KnMethodTask *task, const char *file, KnMethodCost *cost,
                                    KnError *error)
{
    return train(task, (Aim){0}, file, cost, error);
}

static KnStatus train_timed(const KnMethodTask *task, Aim aim, const char *file, KnMethodCost *cost,
                            KnError *error)
{
    double started = kn_clock_cpu();
    KnStatus status = train(task, aim, file, cost, error);
    cost->seconds = kn_clock_cpu() - started;
    return status;
}

KnStatus kn_method_train_pace(const KnMethodTask *task, uint64_t examples, uint64_t units, const char *file,
                              KnMethodCost *cost, KnError *error)
{
    return train_timed(task, (Aim){examples, units, NULL}, file, cost, error);
}

KnStatus kn_method_train_trust(const KnMethodTask *task, uint64_t examples, uint64_t units, const char *base,
                               const char *file, KnMethodCost *cost, KnError *error)
{
    return train_timed(task, (Aim){examples, units, base}, file, cost, error);
}

void kn_method_base_beside(const char *file, KnText *path) { kn_text_printf(path, "%s.mdb", file); }

KnStatus kn_method_train_trusting(const KnMethodTask *task, const char *file, KnMethodCost *cost,
                                  KnError *error)
{
    enum { UNITS = 50 /* a search of so many positions a ply is saved, about */ };
    KnText base = KN_TEXT_EMPTY;
    KnMethodCost first = {0};
    kn_method_base_beside(file, &base);
    unlink(base.data);
    KnStatus status = kn_method_train_experience(task, base.data, &first, error);
    if (status == KN_OK)
        status = train(task, (Aim){task->games * EXAMPLES, (uint64_t)(UNITS * task->depth), base.data}, file,
                       cost, error);
    cost->games += first.games;
    kn_text_free(&base);
    return status;
}
