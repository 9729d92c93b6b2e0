/* What a batch of games changes: the TD(lambda) update of every game, added up, and the learning curve. */
#include "methods/tdleaf/trainer.h"

#include <string.h>

#include "base/assert.h"

enum { BLOCK = 50 /* games for a point of the curve */ };

static void count_result(KnTrainer *t, const KnTdGame *game, double surprise)
{
    int role = game->learns[0] ? 0 : 1;
    int result = game->payoff[role] > 0 ? 0 : game->payoff[role] < 0 ? 2 : 1;
    t->results[result]++;
    t->block[result]++;
    t->block[3] += surprise;
    t->done++;
    if (t->done % BLOCK) return;
    double games = t->block[0] + t->block[1] + t->block[2];
    json_array_append_new(t->curve, json_pack("[I,f,f]", (json_int_t)t->done,
                                              (t->block[0] + t->block[1] / 2) / games, t->block[3] / games));
    memset(t->block, 0, sizeof t->block);
    if (t->plan->block) t->plan->block(t->plan->user, t->curve);
}

/* Adds one game's update to the batch's. */
static KnStatus learn_game(KnTrainer *t, const KnTdGame *game, KnError *error)
{
    size_t size = kn_weights_size(t->features);
    double surprise = 0, learners = 0;
    for (int role = 0; role < 2; role++) {
        if (!game->learns[role]) continue;
        KN_ASSERT(game->set[role] >= 0 && game->set[role] < t->weights->count);
        double one;
        KnStatus status = t->plan->sample ? t->plan->sample(t->plan->sample_user, game->td[role],
                                                            game->payoff[role], error)
                                          : KN_OK;
        if (status != KN_OK) return status;
        kn_td_learn(game->td[role], &t->plan->rule, game->payoff[role], t->features->fixed,
                    t->change + size * (size_t)game->set[role], t->weights->sets[game->set[role]].updates,
                    &one);
        t->updates += kn_td_steps(game->td[role]);
        surprise += one;
        learners++;
    }
    count_result(t, game, learners > 0 ? surprise / learners : 0);
    return KN_OK;
}

KnStatus kn_trainer_learn(KnTrainer *t, uint64_t count, KnError *error)
{
    size_t size = kn_weights_size(t->features);
    KN_ASSERT(count <= (uint64_t)t->plan->batch);
    memset(t->change, 0, size * (size_t)t->weights->count * sizeof *t->change);
    for (uint64_t place = 0; place < count; place++) {
        KnStatus status = learn_game(t, &t->batch[place], error);
        if (status != KN_OK) return status;
    }
    for (int s = 0; s < t->weights->count; s++)
        for (size_t i = 0; i < size; i++) t->weights->sets[s].weights[i] += t->change[size * (size_t)s + i];
    return KN_OK;
}
