#include "search/blend.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/least_squares.h"
#include "base/rng.h"
#include "search/heuristics.h"
#include "search/lambda.h"
#include "search/stroll.h"

enum { SAMPLES = 8 }; /* of one game: positions of one game tell much the same */

/* Relative to each part's variance: enough that parts which say the same share their weight. */
static const double RIDGE = 0.01;

/* How far temporal differences move a weight at first. */
static const double STEP = 0.02;

typedef struct Blend {
    KnEvaluation *parts[KN_BLEND_PARTS];
    int count;
    double weights[KN_ROLES_MAX]
                  [KN_BLEND_PARTS + 2]; /* the bias behind the last, then what having a choice adds */
    double explained[KN_ROLES_MAX];
    uint64_t samples; /* that they were fitted to; 0: they were given */
    bool differences; /* by temporal differences, not by least squares */
    double lambda;
    int games;
    uint64_t nodes, seed;
} Blend;

static double value_of_part(const KnEvaluation *part, const void *position, int role, uint64_t *plays)
{
    return kn_percent_of_score(part, kn_evaluate_counted(part, position, role, plays));
}

/* Whether a role has a choice here. Who waits has hardly any actions: without this column that alone would
 * decide what weight mobility gets, and drown what it tells among positions where one is to move. */
static double has_choice(const KnGame *game, const void *position, int role)
{
    KnMove moves[game->max_moves];
    return kn_game_moves_of(game, position, role, moves) > 1;
}

static double weigh(const KnEvaluation *self, const void *position, int role, const double *values)
{
    const Blend *b = self->data;
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

static void tell(const KnEvaluation *self, const void *position, int role, KnArena *arena, KnReason *parent)
{
    const Blend *b = self->data;
    double values[KN_BLEND_PARTS];
    uint64_t plays = 0;
    kn_blend_values(self, position, role, values, &plays);
    for (int i = 0; i < b->count; i++)
        kn_reason_text(arena, parent, b->parts[i]->spec,
                       kn_arena_printf(arena, "%.1f x %+.3f = %+.1f", values[i], b->weights[role][i],
                                       values[i] * b->weights[role][i]));
    kn_reason_text(arena, parent, "always", kn_arena_printf(arena, "%+.1f", b->weights[role][b->count]));
    if (b->weights[role][b->count + 1] != 0)
        kn_reason_text(arena, parent, "with a choice",
                       kn_arena_printf(arena, "%+.1f x %g", b->weights[role][b->count + 1],
                                       has_choice(self->game, position, role)));
    kn_reason_bar(arena, parent, "together", weigh(self, position, role, values), 0, 100, "");
    if (b->samples)
        kn_reason_text(
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
    double values[KN_ROLES_MAX][KN_BLEND_PARTS + 1]; /* whether there is a choice last */
} Sample;

/* Plays one game and keeps the parts at up to SAMPLES of its positions, each as likely. Returns how many. */
static int sample_game(const KnEvaluation *self, KnStroll *stroll, KnRng *rng, Sample *samples)
{
    const Blend *b = self->data;
    uint32_t met = 0;
    uint64_t plays = 0;
    while (kn_stroll_step(stroll)) {
        uint32_t place = met < SAMPLES ? met : kn_rng_below(rng, met + 1);
        met++;
        if (place >= SAMPLES || kn_game_over(self->game, kn_stroll_position(stroll))) continue;
        for (int role = 0; role < self->game->roles; role++) {
            if (role == self->game->nature) continue;
            kn_blend_values(self, kn_stroll_position(stroll), role, samples[place].values[role], &plays);
            samples[place].values[role][b->count] = has_choice(self->game, kn_stroll_position(stroll), role);
        }
    }
    kn_stroll_charge(stroll, plays);
    if (met > 0) met--; /* the last position was the end */
    return (int)(met < SAMPLES ? met : SAMPLES);
}

static void fit(KnEvaluation *self, KnStroll *stroll, bool clocked)
{
    Blend *b = self->data;
    const KnGame *game = self->game;
    bool pooled = game->traits & KN_GAME_ZERO_SUM;
    KnSquares squares[KN_ROLES_MAX];
    for (int role = 0; role < game->roles; role++) squares[role] = (KnSquares){.columns = b->count + 1};
    KnRng rng = kn_rng_seeded(b->seed ^ UINT64_C(0xb1e4d));
    double payoffs[KN_ROLES_MAX], range = game->payoff_high - game->payoff_low;
    Sample samples[SAMPLES];
    for (int i = 0; (clocked || i < b->games) && !kn_stroll_spent(stroll); i++) {
        int count = sample_game(self, stroll, &rng, samples);
        bool over = kn_stroll_over(stroll, payoffs);
        for (int role = 0; role < game->roles && over && range > 0; role++) {
            if (role == game->nature) continue;
            double got = 100 * (payoffs[role] - game->payoff_low) / range;
            for (int k = 0; k < count; k++)
                kn_squares_add(&squares[pooled ? 0 : role], samples[k].values[role], got);
        }
        kn_stroll_again(stroll);
    }
    for (int role = 0; role < game->roles; role++) {
        const KnSquares *own = &squares[pooled ? 0 : role];
        if (own->count < 4 * (uint64_t)b->count) continue; /* too few to say anything */
        double found[KN_BLEND_PARTS + 1];
        b->explained[role] = kn_squares_solve(own, RIDGE, found, &b->weights[role][b->count]);
        memcpy(b->weights[role], found, (size_t)b->count * sizeof *found);
        b->weights[role][b->count + 1] = found[b->count];
        b->samples = own->count;
    }
}

/* ---- Temporal differences ---- */

/* Parts as -1 to 1, a constant, and whether there is a choice. */
static void note_position(const KnEvaluation *self, KnStroll *stroll, KnLambda *learners)
{
    const Blend *b = self->data;
    const void *position = kn_stroll_position(stroll);
    uint64_t plays = 0;
    for (int role = 0; role < self->game->roles; role++) {
        double *row = role == self->game->nature ? NULL : kn_lambda_row(&learners[role]);
        if (!row) continue;
        kn_blend_values(self, position, role, row, &plays);
        for (int i = 0; i < b->count; i++) row[i] = row[i] / 50 - 1;
        row[b->count] = 1;
        row[b->count + 1] = has_choice(self->game, position, role);
    }
    kn_stroll_charge(stroll, plays);
}

/* What was learned, in percent. */
static void take_weights(Blend *b, const KnLambda *learner, double *weights)
{
    weights[b->count] = 50 + 50 * learner->weights[b->count];
    weights[b->count + 1] = 50 * learner->weights[b->count + 1];
    for (int i = 0; i < b->count; i++) {
        weights[i] = learner->weights[i];
        weights[b->count] -= 50 * learner->weights[i];
    }
}

/* Begins with the weights that there are, which are even or given: what games do not tell stays as it was. */
static void begin_weights(const Blend *b, const double *weights, KnLambda *learner)
{
    double bias = weights[b->count] / 50 - 1;
    for (int i = 0; i < b->count; i++) {
        learner->weights[i] = weights[i];
        bias += weights[i];
    }
    learner->weights[b->count] = bias;
    learner->weights[b->count + 1] = weights[b->count + 1] / 50;
}

static KnStatus learn(KnEvaluation *self, KnStroll *stroll, bool clocked, KnError *error)
{
    Blend *b = self->data;
    const KnGame *game = self->game;
    KnLambda learners[KN_ROLES_MAX] = {{0}};
    double payoffs[KN_ROLES_MAX], range = game->payoff_high - game->payoff_low;
    bool room = true;
    for (int role = 0; role < game->roles && room; role++) {
        room = kn_lambda_init(&learners[role], b->count + 2, KN_STROLL_PLIES, b->lambda, STEP, false);
        if (room) begin_weights(b, b->weights[role], &learners[role]);
    }
    for (int i = 0; room && range > 0 && (clocked || i < b->games) && !kn_stroll_spent(stroll); i++) {
        for (int role = 0; role < game->roles; role++) kn_lambda_drop(&learners[role]);
        do
            if (!kn_game_over(game, kn_stroll_position(stroll))) note_position(self, stroll, learners);
        while (kn_stroll_step(stroll));
        bool over = kn_stroll_over(stroll, payoffs);
        for (int role = 0; role < game->roles && over; role++) {
            if (role == game->nature) continue;
            b->samples += learners[role].steps;
            kn_lambda_learn(&learners[role], 2 * (payoffs[role] - game->payoff_low) / range - 1);
            take_weights(b, &learners[role], b->weights[role]);
        }
        kn_stroll_again(stroll);
    }
    for (int role = 0; role < game->roles; role++) kn_lambda_free(&learners[role]);
    return room ? KN_OK : kn_fail_memory(error, "learning weights");
}

/* A third of a clock goes to the parts, the rest to the weights. */
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
    KnStroll *stroll = kn_stroll_new(self->game, b->seed, b->nodes, seconds > 0 ? left : 0, error);
    if (!stroll) return KN_SYSTEM;
    if (b->differences)
        status = learn(self, stroll, seconds > 0, error);
    else
        fit(self, stroll, seconds > 0);
    kn_stroll_free(stroll);
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
    KnStatus status =
        spec ? kn_evaluation_open(self->game->context, self->game, spec, &b->parts[b->count], error)
             : kn_evaluation_open_text(self->game->context, self->game, text, &b->parts[b->count], error);
    if (status == KN_OK) b->count++;
    return status;
}

/* What any game has: choices of both sides; and what this one has besides. */
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
    self->tell = tell;
    self->payoffs = true;
    for (int i = 0; i < b->count; i++) {
        self->one_sided = self->one_sided || b->parts[i]->one_sided;
        if (b->parts[i]->prepare) self->prepare = prepare;
    }
    if (b->games) self->prepare = prepare;
    return status;
}

static const KnOption blend_options[] = {
    {"a", KN_OPTION_SPEC, "", 0, 0, "evaluation", "the parts, by place; none: all that the game has"},
    {"b", KN_OPTION_SPEC, "", 0, 0, "evaluation", "a part"},
    {"c", KN_OPTION_SPEC, "", 0, 0, "evaluation", "a part"},
    {"d", KN_OPTION_SPEC, "", 0, 0, "evaluation", "a part"},
    {"e", KN_OPTION_SPEC, "", 0, 0, "evaluation", "a part"},
    {"f", KN_OPTION_SPEC, "", 0, 0, "evaluation", "a part"},
    {"weights", KN_OPTION_STRING, "", 0, 0, NULL,
     "of the parts, and what is always added: \"0.5,0.5,10\"; else all alike"},
    {"fit", KN_OPTION_INTEGER, "0", 0, 1e6, NULL,
     "random games to fit the weights to, unless a clock is given; 0: they stay"},
    {"by", KN_OPTION_CHOICE, "regression", 0, 0, "regression|td",
     "how: least squares of outcomes, or temporal differences, which begin at the weights that there are"},
    {"lambda", KN_OPTION_REAL, "0.9", 0, 1, NULL, "of temporal differences: 1 looks at outcomes alone"},
    {"nodes", KN_OPTION_INTEGER, "50000", 1, 1e12, NULL, "positions of those games together, at most"},
    {"seed", KN_OPTION_INTEGER, "1", 0, 1e15, NULL, "of those games"},
    {"start", KN_OPTION_INTEGER, "0", 0, 1e12, NULL,
     "in place of fit and nodes: a start clock in positions, for as many random games as it has room for; "
     "repeatable, as seconds are not"},
    {0}};

const KnEvaluationType kn_evaluation_blend = {
    {"blend", "a weighted sum of evaluations, with weights given or fitted by playing", blend_options}, open};

/* ---- For learners ---- */

int kn_blend_parts(const KnEvaluation *evaluation)
{
    return evaluation->score == score ? ((const Blend *)evaluation->data)->count : 0;
}

void kn_blend_values(const KnEvaluation *evaluation, const void *position, int role, double *values,
                     uint64_t *plays)
{
    const Blend *b = evaluation->data;
    for (int i = 0; i < b->count; i++) values[i] = value_of_part(b->parts[i], position, role, plays);
}

const double *kn_blend_weights(const KnEvaluation *evaluation, int role)
{
    return ((const Blend *)evaluation->data)->weights[role];
}

void kn_blend_set_weights(KnEvaluation *evaluation, int role, const double *weights)
{
    Blend *b = evaluation->data;
    memcpy(b->weights[role], weights, ((size_t)b->count + 2) * sizeof *weights);
}
