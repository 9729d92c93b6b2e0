#include "eval/evaluation.h"

#include "base/assert.h"
#include "base/math.h"
#include "eval/blend.h"
#include "eval/heuristics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/sequential.h"
#include "eval/fact_features.h"
#include "eval/linear.h"
#include "eval/neural.h"
#include "eval/ntuple.h"

static KnScore score_zero(const KnEvaluation *self, const void *position)
{
    (void)self, (void)position;
    return 0;
}

static KnScore score_zero_for(const KnEvaluation *self, const void *position, int role)
{
    (void)self, (void)position, (void)role;
    return 0;
}

static KnStatus open_zero(KnEvaluation *evaluation, const KnOptions *options, KnError *error)
{
    (void)options, (void)error;
    evaluation->score = score_zero;
    evaluation->score_for = score_zero_for;
    return KN_OK;
}

const KnEvaluationType kn_evaluation_zero = {
    {"zero", "no knowledge before the end: 0 for every position", NULL}, open_zero};

/* Genesereth and Thielscher (2014) give nonterminal states the value 0, like the worst end. Here it ranks
 * just above a proven loss. */
static KnScore score_lowest(const KnEvaluation *self, const void *position)
{
    (void)self, (void)position;
    return -KN_SCORE_PAYOFF;
}

static KnScore score_lowest_for(const KnEvaluation *self, const void *position, int role)
{
    (void)role;
    return score_lowest(self, position);
}

static KnStatus open_lowest(KnEvaluation *evaluation, const KnOptions *options, KnError *error)
{
    (void)options, (void)error;
    evaluation->score = score_lowest;
    evaluation->score_for = score_lowest_for;
    evaluation->one_sided = evaluation->payoffs = true;
    return KN_OK;
}

const KnEvaluationType kn_evaluation_lowest = {
    {"lowest", "no knowledge before the end: the lowest payoff for every position", NULL}, open_lowest};

static KnScore score_direct(const KnEvaluation *self, const void *position)
{
    return self->direct(self->game, position);
}

static void use_row(KnEvaluation *evaluation, const KnGameEvaluation *row)
{
    evaluation->direct = row->score;
    evaluation->score = score_direct;
}

/* The game's own default; the evaluation gets its name. */
static KnStatus open_default(KnEvaluation *evaluation, KnError *error)
{
    const KnGameEvaluation *row = kn_game_evaluation(evaluation->game, NULL);
    free(evaluation->spec);
    evaluation->spec = strdup(row ? row->name : "zero");
    if (!evaluation->spec) return kn_fail_memory(error, "opening an evaluation");
    if (!row) return open_zero(evaluation, NULL, error);
    use_row(evaluation, row);
    return KN_OK;
}

static KnStatus open_hand(KnEvaluation *evaluation, const KnOptions *options, KnError *error)
{
    (void)options;
    return open_default(evaluation, error);
}

const KnEvaluationType kn_evaluation_hand = {
    {"hand", "the game's own evaluation, made by hand; zero if it has none", NULL}, open_hand};

KnStatus kn_evaluations_register(KnContext *context, KnError *error)
{
    static const KnEvaluationType *const built_in[] = {
        &kn_evaluation_zero,  &kn_evaluation_lowest,    &kn_evaluation_mobility, &kn_evaluation_focus,
        &kn_evaluation_goal,  &kn_evaluation_proximity, &kn_evaluation_blend,    &kn_evaluation_features,
        &kn_evaluation_facts, &kn_evaluation_ntuple,    &kn_evaluation_neural,   &kn_evaluation_hand};
    KnStatus status = KN_OK;
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in && status == KN_OK; i++)
        status = kn_register(context, KN_KIND_EVALUATION, &built_in[i]->head, error);
    return status;
}

/* The error that lists what is known: the game's own evaluations, then the general ones. */
static KnStatus unknown(const KnContext *context, const KnGame *game, const KnSpec *spec, KnError *error)
{
    KnText known = KN_TEXT_EMPTY;
    for (const KnGameEvaluation *row = game->evaluations; row && row->name; row++)
        kn_text_printf(&known, "%s%s", known.length ? ", " : "", row->name);
    bool zero = kn_find(context, KN_KIND_EVALUATION, "zero") != NULL;
    if (!zero) kn_text_printf(&known, "%szero", known.length ? ", " : "");
    for (size_t i = 0; i < kn_registered(context, KN_KIND_EVALUATION); i++)
        kn_text_printf(&known, "%s%s", known.length ? ", " : "",
                       kn_registered_at(context, KN_KIND_EVALUATION, i)->name);
    kn_fail(error, KN_INPUT, "column %d: %s has no evaluation \"%.60s\"; known: %s", spec->column,
            game->type->head.name, spec->text, known.data);
    kn_text_free(&known);
    return KN_INPUT;
}

static KnStatus open_registered(const KnContext *context, const KnSpec *spec, KnEvaluation *evaluation,
                                KnError *error)
{
    const KnThing *thing = kn_find(context, KN_KIND_EVALUATION, spec->text);
    if (!thing && strcasecmp(spec->text, "zero") == 0) thing = &kn_evaluation_zero.head;
    if (!thing) return unknown(context, evaluation->game, spec, error);
    KnArena *arena = kn_arena_new();
    if (!arena) return kn_fail_memory(error, "opening an evaluation");
    KnOptions options;
    KnStatus status = kn_options_bind(thing->options, spec, arena, &options, error);
    if (status == KN_OK)
        status = ((const KnEvaluationType *)(const void *)thing)->open(evaluation, &options, error);
    if (status == KN_OK && evaluation->game->traits & KN_GAME_SIMULTANEOUS && !evaluation->score_for)
        status = kn_fail(error, KN_INPUT,
                         "column %d: the evaluation %s needs one role to move, and %s has simultaneous moves",
                         spec->column, spec->text, evaluation->game->spec);
    kn_arena_free(arena);
    return status;
}

static KnStatus open_spec(const KnContext *context, const KnSpec *spec, KnEvaluation *evaluation,
                          KnError *error)
{
    if (spec->kind != KN_SPEC_NAME)
        return kn_fail(error, KN_INPUT, "column %d: \"%.60s\" is no name of an evaluation", spec->column,
                       spec->text);
    KnText canonical = KN_TEXT_EMPTY;
    KnSpec bare = *spec;
    bare.key = NULL; /* "eval=material" names the evaluation "material" */
    kn_spec_print(&bare, &canonical);
    evaluation->spec = kn_text_ok(&canonical) ? strdup(canonical.data) : NULL;
    kn_text_free(&canonical);
    if (!evaluation->spec) return kn_fail_memory(error, "opening an evaluation");
    const KnGameEvaluation *row = kn_game_evaluation(evaluation->game, spec->text);
    /* The game's own evaluations come first. They take no options, so options select the general one of that
     * name. */
    if (!row || (spec->args && kn_find(context, KN_KIND_EVALUATION, spec->text)))
        return open_registered(context, spec, evaluation, error);
    use_row(evaluation, row);
    if (spec->args)
        return kn_fail(error, KN_INPUT, "column %d: the evaluation %s takes no options", spec->args->column,
                       row->name);
    return KN_OK;
}

KnStatus kn_evaluation_open(const KnContext *context, const KnGame *game, const KnSpec *spec,
                            KnEvaluation **out, KnError *error)
{
    *out = NULL;
    KnEvaluation *evaluation = calloc(1, sizeof *evaluation);
    if (!evaluation) return kn_fail_memory(error, "opening an evaluation");
    evaluation->game =
        kn_sequential_inner(game); /* evaluations know the game itself, not its sequential view */
    KnStatus status = spec ? open_spec(context, spec, evaluation, error) : open_default(evaluation, error);
    if (status == KN_OK)
        *out = evaluation;
    else
        kn_evaluation_close(evaluation);
    return status;
}

KnEvaluation *kn_evaluation_new(const KnGame *game, const char *name)
{
    KnEvaluation *evaluation = calloc(1, sizeof *evaluation);
    if (!evaluation) return NULL;
    *evaluation = (KnEvaluation){.game = game, .spec = strdup(name)};
    if (evaluation->spec) return evaluation;
    free(evaluation);
    return NULL;
}

KnStatus kn_evaluation_open_text(const KnContext *context, const KnGame *game, const char *text,
                                 KnEvaluation **out, KnError *error)
{
    *out = NULL;
    if (!text) return kn_evaluation_open(context, game, NULL, out, error);
    KnArena *arena = kn_arena_new();
    if (!arena) return kn_fail_memory(error, "opening an evaluation");
    const KnSpec *spec;
    KnStatus status = kn_spec_parse(text, arena, &spec, error);
    if (status == KN_OK) status = kn_evaluation_open(context, game, spec, out, error);
    kn_arena_free(arena);
    return status;
}

KnStatus kn_evaluation_open_strongest(const KnContext *context, const KnGame *game, KnEvaluation **out,
                                      KnError *error)
{
    bool network = kn_network_leads(kn_sequential_inner(game));
    return kn_evaluation_open_text(context, game, network ? "ntuple" : NULL, out, error);
}

void kn_evaluation_close(KnEvaluation *evaluation)
{
    if (!evaluation) return;
    if (evaluation->close) evaluation->close(evaluation);
    free(evaluation->spec);
    free(evaluation);
}

KnScore kn_evaluate_for(const KnEvaluation *evaluation, const void *position, int role)
{
    KN_ASSERT(role >= 0 && role < evaluation->game->roles);
    if (evaluation->score_for) return evaluation->score_for(evaluation, position, role);
    KN_ASSERT(evaluation->game->type->mover);
    KnScore score = kn_evaluate(evaluation, position);
    return evaluation->game->type->mover(evaluation->game, position) == role ? score : -score;
}

KnStatus kn_evaluation_prepare(KnEvaluation *evaluation, double seconds, KnError *error)
{
    if (!evaluation->prepare || (evaluation->prepared && seconds <= 0)) return KN_OK;
    KnStatus status = evaluation->prepare(evaluation, seconds, error);
    evaluation->prepared = status == KN_OK;
    return status;
}

enum { STEPS = 400 }; /* steps of the scale on each side of 50 % */

KnScore kn_score_of_percent(double percent)
{
    double clamped = percent > 0 ? fmin(percent, 100) : 0; /* NAN becomes 0 */
    return (KnScore)lround((clamped / 50 - 1) * STEPS) * (KN_SCORE_PAYOFF / STEPS);
}

double kn_percent_of_score(const KnEvaluation *evaluation, KnScore score)
{
    return kn_chance_of_score(score, evaluation->payoffs,
                              0); /* blends and searches take averages of this scale, networks too */
}

double kn_chance_of_score(KnScore score, bool payoffs, double log_odds)
{
    double size = score < 0 ? -(double)score : score, half;
    if (payoffs || size > KN_SCORE_HEURISTIC)
        half = size < KN_SCORE_PAYOFF ? size / KN_SCORE_PAYOFF : 1;
    else if (log_odds != 0)
        half = kn_math_tanh(size / log_odds);
    else
        half = size / (size + 300);
    return 50 + (score < 0 ? -half : half) * 50;
}
