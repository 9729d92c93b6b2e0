#include "eval/blend.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "learn/least_squares.h"
#include <knack/base.h>
#include "eval/heuristics.h"
#include "learn/td.h"
#include "eval/sampler.h"

enum { SAMPLES = 8 }; /* of one game, because positions of one game are much alike */

/* Relative to the variance of each part: enough to make equal parts share their weight (ridge regression). */
static const double RIDGE = 0.01;

/* The first step size of temporal differences. */
static const double STEP = 0.02;

typedef struct Blend {
    KnEvaluation *parts[KN_BLEND_PARTS];
    int count;
    double weights[KN_ROLES_MAX]
                  [KN_BLEND_PARTS + 2]; /* of the parts, then the bias and the weight of a choice */
    double explained[KN_ROLES_MAX];
    uint64_t samples; /* of the fit; 0: the weights are given */
    bool differences; /* learn by temporal differences, not by least squares */
    double lambda;
    int games;
    uint64_t nodes, seed;
} Blend;

static double value_of_part(const KnEvaluation *part, const void *position, int role, uint64_t *plays)
{
    return kn_percent_of_score(part, kn_evaluate_counted(part, position, role, plays));
}

/* Whether a role has a choice. A role that waits has hardly any actions. Without this column that fact alone
 * would determine the weight of mobility and hide its effect in positions where the role is to move. */
static double has_choice(const KnGame *game, const void *position, int role)
{
    KnMove moves[game->max_moves];
    return kn_game_moves_of(game, position, role, moves) > 1;
}

static double weigh(const KnEvaluation *self, const void *position, int role, const double *values)
{
    const Blend *b = self->data;
    KN_ASSERT(role >= 0 && role < KN_ROLES_MAX && b->count <= KN_BLEND_PARTS);
    double turn = b->weights[role][b->count + 1], sum = b->weights[role][b->count];
    if (turn != 0) sum += turn * has_choice(self->game, position, role);
    for (int i = 0; i < b->count; i++) sum += b->weights[role][i] * values[i];
    return sum;
}

static KnScore score_counted(const KnEvaluation *self, const void *position, int role, uint64_t *plays)
{
    double values[KN_BLEND_PARTS];
    kn_blend_values(self, position, role, values, plays);
    return kn_score_of_percent(weigh(self, position, role, values));
}

static KnScore score_for(const KnEvaluation *self, const void *position, int role)
{
    uint64_t plays = 0;
    return score_counted(self, position, role, &plays);
}

static KnScore score(const KnEvaluation *self, const void *position)
{
    const KnGame *game = self->game;
    return score_for(self, position, game->type->mover ? game->type->mover(game, position) : 0);
}

static void explain(const KnEvaluation *self, const void *position, int role, KnArena *arena,
                    KnExplanation *parent)
{
    const Blend *b = self->data;
    double values[KN_BLEND_PARTS];
    uint64_t plays = 0;
    kn_blend_values(self, position, role, values, &plays);
    for (int i = 0; i < b->count; i++)
        kn_explanation_text(arena, parent, b->parts[i]->spec,
                            kn_arena_printf(arena, "%.1f x %+.3f = %+.1f", values[i], b->weights[role][i],
                                            values[i] * b->weights[role][i]));
    kn_explanation_text(arena, parent, "always", kn_arena_printf(arena, "%+.1f", b->weights[role][b->count]));
    if (b->weights[role][b->count + 1] != 0)
        kn_explanation_text(arena, parent, "with a choice",
                            kn_arena_printf(arena, "%+.1f x %g", b->weights[role][b->count + 1],
                                            has_choice(self->game, position, role)));
    kn_explanation_bar(arena, parent, "together", weigh(self, position, role, values), 0, 100, "");
    if (b->samples)
        kn_explanation_text(
            arena, parent, "weights",
            b->differences
                ? kn_arena_printf(arena,
                                  "learned by temporal differences from %llu positions of random games",
                                  (unsigned long long)b->samples)
                : kn_arena_printf(
                      arena, "fitted to %llu positions of random games, whose outcome they explain to %.0f%%",
                      (unsigned long long)b->samples, 100 * b->explained[role]));
}

/* ---- Fitting ---- */

typedef struct Sample {
    double values[KN_ROLES_MAX][KN_BLEND_PARTS + 1]; /* the last column: whether the role has a choice */
} Sample;

/* Plays one game and keeps the parts at up to SAMPLES of its positions, by reservoir sampling. Returns their
 * number. */
static int sample_game(const KnEvaluation *self, KnSampler *sampler, KnRng *rng, Sample *samples)
{
    const Blend *b = self->data;
    uint32_t met = 0;
    uint64_t plays = 0;
    while (kn_sampler_step(sampler)) {
        uint32_t place = met < SAMPLES ? met : kn_rng_below(rng, met + 1);
        met++;
        if (place >= SAMPLES || kn_game_over(self->game, kn_sampler_position(sampler))) continue;
        for (int role = 0; role < self->game->roles; role++) {
            if (role == self->game->nature) continue;
            kn_blend_values(self, kn_sampler_position(sampler), role, samples[place].values[role], &plays);
            samples[place].values[role][b->count] = has_choice(self->game, kn_sampler_position(sampler),
                                                               role);
        }
    }
    kn_sampler_charge(sampler, plays);
    if (met > 0) met--; /* the last position is the end of the game */
    return (int)(met < SAMPLES ? met : SAMPLES);
}

static void fit(KnEvaluation *self, KnSampler *sampler, bool clocked)
{
    Blend *b = self->data;
    const KnGame *game = self->game;
    bool pooled = game->traits & KN_GAME_ZERO_SUM;
    KnSquares squares[KN_ROLES_MAX];
    for (int role = 0; role < game->roles; role++) squares[role] = (KnSquares){.columns = b->count + 1};
    KnRng rng = kn_rng_seeded(b->seed ^ UINT64_C(0xb1e4d));
    double payoffs[KN_ROLES_MAX], range = game->payoff_high - game->payoff_low;
    Sample samples[SAMPLES];
    for (int i = 0; (clocked || i < b->games) && !kn_sampler_spent(sampler); i++) {
        int count = sample_game(self, sampler, &rng, samples);
        bool over = kn_sampler_over(sampler, payoffs);
        for (int role = 0; role < game->roles && over && range > 0; role++) {
            if (role == game->nature) continue;
            double got = 100 * (payoffs[role] - game->payoff_low) / range;
            for (int k = 0; k < count; k++)
                kn_squares_add(&squares[pooled ? 0 : role], samples[k].values[role], got);
        }
        kn_sampler_again(sampler);
    }
    for (int role = 0; role < game->roles; role++) {
        const KnSquares *own = &squares[pooled ? 0 : role];
        if (own->count < 4 * (uint64_t)b->count) continue; /* too few samples */
        double found[KN_BLEND_PARTS + 1];
        b->explained[role] = kn_squares_solve(own, RIDGE, found, &b->weights[role][b->count]);
        memcpy(b->weights[role], found, (size_t)b->count * sizeof *found);
        b->weights[role][b->count + 1] = found[b->count];
        b->samples = own->count;
    }
}

/* ---- Temporal differences ---- */

/* Adds a position to the episodes: the parts scaled to -1 to 1, a constant, and whether there is a choice. */
static void add_position(const KnEvaluation *self, KnSampler *sampler, KnTdLearner *learners)
{
    const Blend *b = self->data;
    const void *position = kn_sampler_position(sampler);
    uint64_t plays = 0;
    for (int role = 0; role < self->game->roles; role++) {
        double row[KN_BLEND_PARTS + 2];
        if (role == self->game->nature || kn_td_steps(learners[role].episode) == learners[role].capacity)
            continue;
        kn_blend_values(self, position, role, row, &plays);
        for (int i = 0; i < b->count; i++) row[i] = row[i] / 50 - 1;
        row[b->count] = 1;
        row[b->count + 1] = has_choice(self->game, position, role);
        kn_td_learner_add(&learners[role], 0, row);
    }
    kn_sampler_charge(sampler, plays);
}

/* Converts the learned weights to percent. */
static void take_weights(Blend *b, const KnTdLearner *learner, double *weights)
{
    weights[b->count] = 50 + 50 * learner->weights[b->count];
    weights[b->count + 1] = 50 * learner->weights[b->count + 1];
    for (int i = 0; i < b->count; i++) {
        weights[i] = learner->weights[i];
        weights[b->count] -= 50 * learner->weights[i];
    }
}

/* Learning starts from the present weights, uniform or given: a weight that no game changes stays as it is.
 */
static void begin_weights(const Blend *b, const double *weights, KnTdLearner *learner)
{
    double bias = weights[b->count] / 50 - 1;
    for (int i = 0; i < b->count; i++) {
        learner->weights[i] = weights[i];
        bias += weights[i];
    }
    learner->weights[b->count] = bias;
    learner->weights[b->count + 1] = weights[b->count + 1] / 50;
}

static KnStatus learn(KnEvaluation *self, KnSampler *sampler, bool clocked, KnError *error)
{
    Blend *b = self->data;
    const KnGame *game = self->game;
    KnTdLearner learners[KN_ROLES_MAX] = {{0}};
    double payoffs[KN_ROLES_MAX], range = game->payoff_high - game->payoff_low;
    bool room = true;
    for (int role = 0; role < game->roles && room; role++) {
        room = kn_td_learner_init(&learners[role], b->count + 2, 1, KN_SAMPLER_PLIES);
        learners[role].lambda = b->lambda;
        learners[role].step = STEP;
        if (room) begin_weights(b, b->weights[role], &learners[role]);
    }
    for (int i = 0; room && range > 0 && (clocked || i < b->games) && !kn_sampler_spent(sampler); i++) {
        for (int role = 0; role < game->roles; role++) kn_td_clear(learners[role].episode);
        do
            if (!kn_game_over(game, kn_sampler_position(sampler))) add_position(self, sampler, learners);
        while (kn_sampler_step(sampler));
        bool over = kn_sampler_over(sampler, payoffs);
        for (int role = 0; role < game->roles && over; role++) {
            if (role == game->nature) continue;
            b->samples += kn_td_steps(learners[role].episode);
            kn_td_learner_end(&learners[role], 2 * (payoffs[role] - game->payoff_low) / range - 1);
            take_weights(b, &learners[role], b->weights[role]);
        }
        kn_sampler_again(sampler);
    }
    for (int role = 0; role < game->roles; role++) kn_td_learner_free(&learners[role]);
    return room ? KN_OK : kn_fail_memory(error, "learning weights");
}

/* The parts get a third of the time, the weights the rest. */
static KnStatus prepare(KnEvaluation *self, double seconds, KnError *error)
{
    Blend *b = self->data;
    KnStatus status = KN_OK;
    int learning = 0;
    for (int i = 0; i < b->count; i++) learning += b->parts[i]->prepare != NULL;
    double left = seconds;
    for (int i = 0; i < b->count && status == KN_OK; i++)
        if (b->parts[i]->prepare) {
            double share = b->games ? seconds / 3 / learning : seconds / learning;
            status = kn_evaluation_prepare(b->parts[i], share, error);
            left -= share;
        }
    if (status != KN_OK || !b->games) return status;
    KnSampler *sampler = kn_sampler_new(self->game, b->seed, b->nodes, seconds > 0 ? left : 0, error);
    if (!sampler) return KN_SYSTEM;
    if (b->differences)
        status = learn(self, sampler, seconds > 0, error);
    else
        fit(self, sampler, seconds > 0);
    kn_sampler_free(sampler);
    return status;
}

/* ---- Life ---- */

static void close(KnEvaluation *self)
{
    Blend *b = self->data;
    for (int i = 0; b && i < b->count; i++) kn_evaluation_close(b->parts[i]);
    free(b);
}

static const char *const names[KN_BLEND_PARTS] = {"a", "b", "c", "d", "e", "f"};

static KnStatus add_part(KnEvaluation *self, const KnSpec *spec, const char *text, KnError *error)
{
    Blend *b = self->data;
    KN_ASSERT(b->count < KN_BLEND_PARTS);
    KnStatus status =
        spec ? kn_evaluation_open(self->game->context, self->game, spec, &b->parts[b->count], error)
             : kn_evaluation_open_text(self->game->context, self->game, text, &b->parts[b->count], error);
    if (status == KN_OK) b->count++;
    return status;
}

/* Mobility and focus, which every game has, and the further parts that this game supports. */
static KnStatus add_usual_parts(KnEvaluation *self, KnError *error)
{
    KnStatus status = add_part(self, NULL, "mobility", error);
    if (status == KN_OK && self->game->roles > 1) status = add_part(self, NULL, "focus(who=others)", error);
    if (status == KN_OK && kn_game_has_goals(self->game))
        status = add_part(self, NULL, "goal(who=both)", error);
    if (status == KN_OK && kn_game_has_facts(self->game))
        status = add_part(self, NULL, "proximity(who=both)", error);
    if (status == KN_OK && kn_game_evaluation(self->game, NULL)) status = add_part(self, NULL, NULL, error);
    return status;
}

static KnStatus read_weights(Blend *b, const char *text, KnError *error)
{
    double read[KN_BLEND_PARTS + 2] = {0};
    int count = 0;
    char *end = (char *)(uintptr_t)text;
    for (const char *at = text; at && count <= b->count; at = *end == ',' ? end + 1 : NULL) {
        read[count] = strtod(at, &end);
        if (end == at) break;
        count++;
    }
    if (*end || count < b->count)
        return kn_fail(error, KN_INPUT,
                       "weights=\"%.60s\": %d numbers with commas between them are wanted, and one more for "
                       "what is always added",
                       text, b->count);
    for (int role = 0; role < KN_ROLES_MAX; role++) memcpy(b->weights[role], read, sizeof read);
    return KN_OK;
}

static KnStatus open(KnEvaluation *self, const KnOptions *options, KnError *error)
{
    Blend *b = self->data = calloc(1, sizeof *b);
    self->close = close;
    if (!b) return kn_fail_memory(error, "opening an evaluation");
    KnStatus status = KN_OK;
    for (int i = 0; i < KN_BLEND_PARTS && status == KN_OK; i++) {
        const KnSpec *spec = kn_option_spec(options, names[i]);
        if (spec) status = add_part(self, spec, NULL, error);
    }
    if (status == KN_OK && !b->count) status = add_usual_parts(self, error);
    if (status != KN_OK) return status;
    b->games = (int)kn_option_integer(options, "fit");
    b->differences = kn_option_choice(options, "by") == 1;
    b->lambda = kn_option_real(options, "lambda");
    b->nodes = (uint64_t)kn_option_integer(options, "nodes");
    b->seed = (uint64_t)kn_option_integer(options, "seed");
    long start = kn_option_integer(options, "start");
    if (start && b->games)
        return kn_fail(error, KN_INPUT,
                       "start=%ld and fit=%d: the games are as many as a start clock has room for, or as "
                       "many as are given",
                       start, b->games);
    if (start) b->games = INT_MAX, b->nodes = (uint64_t)start;
    for (int role = 0; role < KN_ROLES_MAX; role++)
        for (int i = 0; i < b->count; i++) b->weights[role][i] = 1.0 / b->count;
    const char *given = kn_option_string(options, "weights");
    if (given && *given) status = read_weights(b, given, error);
    self->score = score;
    self->score_for = score_for;
    self->score_counted = score_counted;
    self->explain = explain;
    self->payoffs = true;
    for (int i = 0; i < b->count; i++) {
        self->one_sided = self->one_sided || b->parts[i]->one_sided;
        if (b->parts[i]->prepare) self->prepare = prepare;
    }
    if (b->games) self->prepare = prepare;
    return status;
}

static const KnOption blend_options[] = {
    {"a", KN_OPTION_SPEC, "", 0, 0, "evaluation",
     "the first part (default: all parts that the game supports)"},
    {"b", KN_OPTION_SPEC, "", 0, 0, "evaluation", "a part"},
    {"c", KN_OPTION_SPEC, "", 0, 0, "evaluation", "a part"},
    {"d", KN_OPTION_SPEC, "", 0, 0, "evaluation", "a part"},
    {"e", KN_OPTION_SPEC, "", 0, 0, "evaluation", "a part"},
    {"f", KN_OPTION_SPEC, "", 0, 0, "evaluation", "a part"},
    {"weights", KN_OPTION_STRING, "", 0, 0, NULL,
     "weights of the parts, and the bias: \"0.5,0.5,10\" (default: all equal)"},
    {"fit", KN_OPTION_INTEGER, "0", 0, 1e6, NULL,
     "random games to fit the weights to, unless there is a start clock; 0: keep the weights"},
    {"by", KN_OPTION_CHOICE, "regression", 0, 0, "regression|td",
     "how to fit: least squares of outcomes, or temporal differences, which start from the given weights"},
    {"lambda", KN_OPTION_REAL, "0.9", 0, 1, NULL, "of temporal differences; 1 uses only outcomes"},
    {"nodes", KN_OPTION_INTEGER, "50000", 1, 1e12, NULL,
     "the largest number of positions in all these games"},
    {"seed", KN_OPTION_INTEGER, "1", 0, 1e15, NULL, "seed of these games"},
    {"start", KN_OPTION_INTEGER, "0", 0, 1e12, NULL,
     "instead of fit and nodes: a start clock in positions, for as many random games as fit; repeatable, "
     "unlike seconds"},
    {0}};

const KnEvaluationType kn_evaluation_blend = {
    {"blend", "a weighted sum of evaluations, with given weights or weights fitted by playing",
     blend_options},
    open};

/* ---- what it consists of ---- */

void kn_blend_values(const KnEvaluation *evaluation, const void *position, int role, double *values,
                     uint64_t *plays)
{
    const Blend *b = evaluation->data;
    for (int i = 0; i < b->count; i++) values[i] = value_of_part(b->parts[i], position, role, plays);
}

const double *kn_blend_weights(const KnEvaluation *evaluation, int role)
{
    KN_ASSERT(evaluation->score == score && role >= 0 && role < KN_ROLES_MAX);
    return ((const Blend *)evaluation->data)->weights[role];
}
