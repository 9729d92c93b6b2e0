/* The allocation row's training: a file of its own, since two rooms call something a training. */
#include <string.h>

#include "arena/methods.h"
#include "games/turns.h"
#include "players/allocation/train.h"

enum { EXAMPLES = 10 /* a game, about */ };

KnStatus kn_method_train_allocation(const KnMethodTask *task, const char *file, KnMethodCost *cost, KnError *error)
{
    KnGame *game = NULL;
    KnStatus status = kn_game_open_turns(task->context, task->game, &game, error);
    if (status != KN_OK) return status;
    KnText inner = KN_TEXT_EMPTY;
    kn_text_add(&inner, "alphabeta(memory=1");
    if (task->eval) kn_text_printf(&inner, ", eval=%s", task->eval);
    kn_text_add(&inner, ")");
    KnTraining t = kn_training();
    t.play.inner = inner.data;
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
    KnTrainingSets sets;
    KnLearned *learned = NULL;
    status = kn_training_sets_make(task->context, game, &t, NULL, NULL, &sets, error);
    if (status == KN_OK) {
        cost->games = sets.tree.games;
        status = kn_training_learn(game, &t, &sets, &learned, NULL, error);
        kn_training_sets_free(&sets);
    }
    if (status == KN_OK) status = kn_learned_save(learned, file, error);
    kn_learned_free(learned);
    kn_text_free(&inner);
    kn_game_close(game);
    return status;
}
