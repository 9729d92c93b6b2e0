#include "eval/fact_features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/math.h"
#include "learn/td.h"
#include "eval/sampler.h"
#include "eval/feature_set.h"

enum { POSITIONS = 400 }; /* of one game; later positions are ignored */

typedef struct Facts {
    KnFeatureSet *set;
    KnTdLearner learner;
    uint64_t seed, nodes, played;
    int games;
    double explore, alone; /* alone: the share of games, or of the clock, with random moves only */
} Facts;

static double predict(const KnEvaluation *self, const void *position, int role)
{
    const Facts *f = self->data;
    if (f->set->sum) {
        double sum = kn_math_tanh(f->set->sum(f->set, position, f->learner.weights));
        return role ? -sum : sum;
    }
    double values[f->set->count];
    int phase = kn_feature_set_values(f->set, position, role, values);
    return kn_td_learner_predict(&f->learner, phase, values);
}

static KnScore score_for(const KnEvaluation *self, const void *position, int role)
{
    return kn_score_of_percent(50 + 50 * predict(self, position, role));
}

static KnScore score(const KnEvaluation *self, const void *position)
{
    const KnGame *game = self->game;
    return score_for(self, position, game->type->mover ? game->type->mover(game, position) : 0);
}

static void explain(const KnEvaluation *self, const void *position, int role, KnArena *arena,
                    KnExplanation *parent)
{
    enum { SHOWN = 8 };
    const Facts *f = self->data;
    int count = f->set->count;
    double values[count];
    KnContribution parts[count];
    int phase = kn_feature_set_values(f->set, position, role, values);
    const double *weights = f->learner.weights + (size_t)phase * (size_t)count;
    kn_feature_set_contributions(values, weights, count, parts);
    for (int k = 0; k < count && k < SHOWN && parts[k].points != 0; k++) {
        int i = parts[k].feature;
        kn_explanation_text(
            arena, parent, f->set->features[i].name,
            kn_arena_printf(arena, "%g x %.3f = %+.3f", values[i], weights[i], parts[k].points));
    }
    kn_explanation_bar(arena, parent, "together", 50 + 50 * predict(self, position, role), 0, 100, "");
    kn_explanation_text(
        arena, parent, "weights",
        kn_arena_printf(arena, "learned in %llu game%s", (unsigned long long)f->played, kn_s(f->played)));
}

/* ---- Learning ---- */

/* Adds a position to the episode, with values for the first role. Positions beyond the learner's capacity are
 * ignored. */
static void add_position(const KnEvaluation *self, const void *position)
{
    Facts *f = self->data;
    double values[f->set->count];
    int phase = kn_feature_set_values(f->set, position, 0, values);
    kn_td_learner_add(&f->learner, phase, values);
}

static KnStatus prepare(KnEvaluation *self, double seconds, KnError *error)
{
    Facts *f = self->data;
    const KnGame *game = self->game;
    KnSampler *sampler = kn_sampler_new(game, f->seed + f->played, f->nodes, seconds, error);
    if (!sampler) return KN_SYSTEM;
    double payoffs[KN_ROLES_MAX], begun = kn_clock_now(), middle = (game->payoff_low + game->payoff_high) / 2;
    double half = (game->payoff_high - game->payoff_low) / 2, alone_share = f->played ? 0 : f->alone;
    for (int i = 0; (seconds > 0 || i < f->games) && !kn_sampler_spent(sampler); i++) {
        bool alone = seconds > 0 ? kn_clock_now() - begun < alone_share * seconds
                                 : i < alone_share * f->games;
        kn_sampler_prefer(sampler, alone ? NULL : self, f->explore);
        kn_td_clear(f->learner.episode);
        do
            if (!kn_sampler_over(sampler, NULL)) add_position(self, kn_sampler_position(sampler));
        while (kn_sampler_step(sampler));
        if (kn_sampler_over(sampler, payoffs)) {
            kn_td_learner_end(&f->learner, (payoffs[0] - middle) / half);
            f->played++;
        }
        kn_sampler_again(sampler);
    }
    kn_sampler_free(sampler);
    return KN_OK;
}

KnFactsLearned kn_facts_learned(KnEvaluation *evaluation)
{
    KN_ASSERT(evaluation->score_for == score_for);
    Facts *f = evaluation->data;
    return (KnFactsLearned){.features = f->set->features,
                            .count = f->set->count,
                            .phases = f->set->phases,
                            .weights = f->learner.weights,
                            .squares = f->learner.squares,
                            .games = &f->played};
}

/* ---- Life ---- */

static void close(KnEvaluation *self)
{
    Facts *f = self->data;
    if (!f) return;
    kn_td_learner_free(&f->learner);
    kn_feature_set_close(f->set);
    free(f);
}

static KnStatus open(KnEvaluation *self, const KnOptions *options, KnError *error)
{
    const KnGame *game = self->game;
    Facts *f = self->data = calloc(1, sizeof *f);
    self->close = close;
    if (!f) return kn_fail_memory(error, "opening an evaluation");
    if (!(game->traits & (KN_GAME_SIMULTANEOUS | KN_GAME_ZERO_SUM)))
        return kn_fail(error, KN_INPUT, "%s is not a zero-sum game: facts needs two opponents", game->spec);
    KnStatus status = kn_feature_set_open(game, kn_option_flag(options, "state") ? "state" : NULL, &f->set,
                                          error);
    if (status != KN_OK) return status;
    f->games = (int)kn_option_integer(options, "games");
    f->nodes = (uint64_t)kn_option_integer(options, "nodes");
    f->seed = (uint64_t)kn_option_integer(options, "seed");
    f->explore = kn_option_real(options, "explore");
    f->alone = f->explore < 1 ? kn_option_real(options, "alone") : 1;
    if (!kn_td_learner_init(&f->learner, f->set->count, f->set->phases, POSITIONS))
        return kn_fail_memory(error, "opening an evaluation");
    f->learner.lambda = kn_option_real(options, "lambda");
    f->learner.step = kn_option_real(options, "step");
    f->learner.squash = true;
    self->score = score;
    self->score_for = score_for;
    self->explain = explain;
    self->prepare = prepare;
    self->payoffs = true;
    return KN_OK;
}

static const KnOption options_table[] = {
    {"games", KN_OPTION_INTEGER, "1000", 0, 1e7, NULL, "games to learn from, unless there is a start clock"},
    {"lambda", KN_OPTION_REAL, "1", 0, 1, NULL,
     "1: learn from outcomes only; less: also from later predictions"},
    {"step", KN_OPTION_REAL, "0.05", 1e-6, 10, NULL, "the first step size"},
    {"explore", KN_OPTION_REAL, "0.5", 0, 1, NULL, "the share of random moves; 1: random games"},
    {"alone", KN_OPTION_REAL, "0.3", 0, 1, NULL,
     "the share of games at the beginning with random moves only"},
    {"state", KN_OPTION_FLAG, "no", 0, 0, NULL,
     "game descriptions: only what the state tells without asking the rules, not moves and goal"},
    {"nodes", KN_OPTION_INTEGER, "1000000", 1, 1e12, NULL,
     "the largest number of positions in all these games"},
    {"seed", KN_OPTION_INTEGER, "1", 0, 1e15, NULL, "seed of these games"},
    {0}};

const KnEvaluationType kn_evaluation_facts = {
    {"facts", "the facts of a position (or its features), with weights learned by playing before the game",
     options_table},
    open};
