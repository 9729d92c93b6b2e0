#include "search/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "search/lambda.h"
#include "search/stroll.h"
#include "search/termset.h"

enum { POSITIONS = 400 }; /* of one game: longer ones say nothing that is worth the memory */

typedef struct Facts {
    KnTermSet *terms;
    KnLambda learned;
    uint64_t seed, nodes, played;
    int games;
    double explore,
        alone; /* alone: the share of games, or of the clock, that is random from beginning to end */
} Facts;

/* The terms as a role sees them, in the place of their phase; those of other phases are 0. */
static void look(const KnEvaluation *self, const void *position, int role, double *values)
{
    const Facts *f = self->data;
    const KnTermSet *terms = f->terms;
    double here[terms->count];
    int phase = terms->values_for ? terms->values_for(terms, position, role, here)
                                  : terms->values(terms, position, here);
    double sign = terms->values_for || self->game->type->mover(self->game, position) == role ? 1 : -1;
    memset(values, 0, (size_t)f->learned.count * sizeof *values);
    for (int i = 0; i < terms->count; i++) values[phase * terms->count + i] = sign * here[i];
}

static double predict(const KnEvaluation *self, const void *position, int role)
{
    const Facts *f = self->data;
    double values[f->learned.count];
    look(self, position, role, values);
    return kn_lambda_predict(&f->learned, values);
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

typedef struct Part {
    int term;
    double points;
} Part;

static int larger_first(const void *a, const void *b)
{
    const Part *x = a, *y = b;
    double difference = fabs(y->points) - fabs(x->points);
    return difference > 0 ? 1 : difference < 0 ? -1 : x->term - y->term;
}

static void tell(const KnEvaluation *self, const void *position, int role, KnArena *arena, KnReason *parent)
{
    enum { SHOWN = 8 };
    const Facts *f = self->data;
    int count = f->learned.count;
    double values[count];
    Part parts[count];
    look(self, position, role, values);
    for (int i = 0; i < count; i++) parts[i] = (Part){i, values[i] * f->learned.weights[i]};
    qsort(parts, (size_t)count, sizeof *parts, larger_first);
    for (int k = 0; k < count && k < SHOWN && parts[k].points != 0; k++) {
        int i = parts[k].term;
        kn_reason_text(
            arena, parent, f->terms->features[i % f->terms->count].name,
            kn_arena_printf(arena, "%g x %.3f = %+.3f", values[i], f->learned.weights[i], parts[k].points));
    }
    kn_reason_bar(arena, parent, "together", 50 + 50 * predict(self, position, role), 0, 100, "");
    kn_reason_text(arena, parent, "weights",
                   kn_arena_printf(arena, "learned in %llu games", (unsigned long long)f->played));
}

/* ---- Learning ---- */

/* Everything is learned as the first role sees it. */
static void note_position(const KnEvaluation *self, const void *position)
{
    Facts *f = self->data;
    double *row = kn_lambda_row(&f->learned);
    if (row) look(self, position, 0, row);
}

static KnStatus prepare(KnEvaluation *self, double seconds, KnError *error)
{
    Facts *f = self->data;
    const KnGame *game = self->game;
    KnStroll *stroll = kn_stroll_new(game, f->seed + f->played, f->nodes, seconds, error);
    if (!stroll) return KN_SYSTEM;
    double payoffs[KN_ROLES_MAX], begun = kn_clock_now(), middle = (game->payoff_low + game->payoff_high) / 2;
    double half = (game->payoff_high - game->payoff_low) / 2;
    for (int i = 0; (seconds > 0 || i < f->games) && !kn_stroll_spent(stroll); i++) {
        bool alone = seconds > 0 ? kn_clock_now() - begun < f->alone * seconds : i < f->alone * f->games;
        kn_stroll_prefer(stroll, alone ? NULL : self, f->explore);
        kn_lambda_drop(&f->learned);
        do
            if (!kn_stroll_over(stroll, NULL)) note_position(self, kn_stroll_position(stroll));
        while (kn_stroll_step(stroll));
        if (kn_stroll_over(stroll, payoffs)) {
            kn_lambda_learn(&f->learned, (payoffs[0] - middle) / half);
            f->played++;
        }
        kn_stroll_again(stroll);
    }
    kn_stroll_free(stroll);
    return KN_OK;
}

/* ---- Life ---- */

static void close(KnEvaluation *self)
{
    Facts *f = self->data;
    if (!f) return;
    kn_lambda_free(&f->learned);
    kn_termset_close(f->terms);
    free(f);
}

static KnStatus open(KnEvaluation *self, const KnOptions *options, KnError *error)
{
    const KnGame *game = self->game;
    Facts *f = self->data = calloc(1, sizeof *f);
    self->close = close;
    if (!f) return kn_fail_memory(error, "opening an evaluation");
    if (!(game->traits & (KN_GAME_SIMULTANEOUS | KN_GAME_ZERO_SUM)))
        return kn_fail(error, KN_INPUT,
                       "%s is not played for the same points: facts are weighed for two opponents",
                       game->spec);
    KnStatus status = kn_termset_open(game, NULL, &f->terms, error);
    if (status != KN_OK) return status;
    f->games = (int)kn_option_integer(options, "games");
    f->nodes = (uint64_t)kn_option_integer(options, "nodes");
    f->seed = (uint64_t)kn_option_integer(options, "seed");
    f->explore = kn_option_real(options, "explore");
    f->alone = f->explore < 1 ? kn_option_real(options, "alone") : 1;
    if (!kn_lambda_init(&f->learned, f->terms->count * f->terms->phases, POSITIONS,
                        kn_option_real(options, "lambda"), kn_option_real(options, "step"), true))
        return kn_fail_memory(error, "opening an evaluation");
    self->score = score;
    self->score_for = score_for;
    self->tell = tell;
    self->prepare = prepare;
    self->payoffs = true;
    return KN_OK;
}

static const KnOption options_table[] = {
    {"games", KN_OPTION_INTEGER, "1000", 0, 1e7, NULL, "games to learn from, unless a clock is given"},
    {"lambda", KN_OPTION_REAL, "1", 0, 1, NULL,
     "1: from outcomes alone; less: from the predictions that follow, too"},
    {"step", KN_OPTION_REAL, "0.05", 1e-6, 10, NULL, "how far a weight moves at first"},
    {"explore", KN_OPTION_REAL, "0.5", 0, 1, NULL, "the share of random moves; 1: random games"},
    {"alone", KN_OPTION_REAL, "0.3", 0, 1, NULL,
     "the share of games that are random all the same, at the beginning"},
    {"nodes", KN_OPTION_INTEGER, "1000000", 1, 1e12, NULL, "positions of those games together, at most"},
    {"seed", KN_OPTION_INTEGER, "1", 0, 1e15, NULL, "of those games"},
    {0}};

const KnEvaluationType kn_evaluation_facts = {
    {"facts", "the facts of a position (or its features), with weights learned by playing before the contest",
     options_table},
    open};
