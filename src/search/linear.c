#include "search/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Linear {
    const KnTermSet *terms;
    const double *weights;
    KnWeights *own; /* NULL where all is borrowed */
    int set;        /* asked for by name, or -1 */
} Linear;

/* Four sums that do not wait for each other. */
static inline double product(const double *a, const double *b, int count)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < count; i++) s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

double kn_linear_sum(const KnTermSet *terms, const double *weights, const void *position)
{
    if (terms->own && terms->own->sum) return terms->own->sum(terms->game, position, weights);
    double values[terms->count];
    int phase = terms->values(terms, position, values);
    return product(values, weights + (size_t)phase * (size_t)terms->count, terms->count);
}

static KnScore round_sum(double sum)
{
    const double bound = KN_SCORE_GUESS - 1;
    if (!(sum < bound)) return (KnScore)bound;
    if (!(sum > -bound)) return (KnScore)-bound;
    return (KnScore)(sum < 0 ? sum - 0.5 : sum + 0.5);
}

static KnScore score(const KnEvaluation *self, const void *position)
{
    const Linear *linear = self->data;
    return round_sum(kn_linear_sum(linear->terms, linear->weights, position));
}

/* Of rule sheets, where nobody is the mover. */
static KnScore score_for(const KnEvaluation *self, const void *position, int role)
{
    const Linear *linear = self->data;
    const KnTermSet *terms = linear->terms;
    double values[terms->count];
    int phase = terms->values_for(terms, position, role, values);
    return round_sum(product(values, linear->weights + (size_t)phase * (size_t)terms->count, terms->count));
}

static void close(KnEvaluation *self)
{
    Linear *linear = self->data;
    if (linear) kn_weights_free(linear->own);
    free(linear);
}

/* The set of the role that searches, unless one was asked for. */
static void take_seat(KnEvaluation *self, int role)
{
    Linear *linear = self->data;
    if (linear->set >= 0) return;
    int set = kn_weights_find(linear->own, self->game->role_names[role]);
    linear->weights = linear->own->sets[set < 0 ? 0 : set].weights;
}

static KnStatus choose_set(Linear *linear, const char *name, const char *set, KnError *error)
{
    linear->set = set ? kn_weights_find(linear->own, set) : -1;
    if (!set || linear->set >= 0) {
        linear->weights = linear->own->sets[set ? linear->set : 0].weights;
        return KN_OK;
    }
    KnText known = KN_TEXT_EMPTY;
    for (int i = 0; i < linear->own->count; i++)
        kn_text_printf(&known, "%s%s", i ? ", " : "", linear->own->sets[i].name);
    kn_fail(error, KN_INPUT, "the weights %s have no set \"%.60s\"; known: %s", name, set, known.data);
    kn_text_free(&known);
    return KN_INPUT;
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

/* Every term that adds something, the weightiest first; seen by `role`. */
static void tell(const KnEvaluation *self, const void *position, int role, KnArena *arena, KnReason *parent)
{
    const Linear *linear = self->data;
    const KnTermSet *terms = linear->terms;
    double values[terms->count], total = 0;
    Part parts[terms->count];
    int phase = terms->values_for ? terms->values_for(terms, position, role, values)
                                  : terms->values(terms, position, values);
    double sign = terms->values_for || self->game->type->mover(self->game, position) == role ? 1 : -1;
    const double *weights = linear->weights + (size_t)phase * (size_t)terms->count;
    for (int i = 0; i < terms->count; i++) {
        parts[i] = (Part){i, sign * values[i] * weights[i]};
        total += parts[i].points;
    }
    qsort(parts, (size_t)terms->count, sizeof *parts, larger_first);
    double reach = fmax(fabs(parts[0].points), 1);
    kn_reason_text(
        arena, parent, "sum",
        kn_arena_printf(arena, "%+.2f hundredths of a man, phase %d of %d", total, phase + 1, terms->phases));
    for (int k = 0; k < terms->count && parts[k].points != 0; k++) {
        int i = parts[k].term;
        const char *label = kn_arena_printf(arena, "%s: %g x %.4g", terms->features[i].name, sign * values[i],
                                            weights[i]);
        kn_reason_bar(arena, parent, label, parts[k].points, -reach, reach, "");
    }
}

static KnStatus open(KnEvaluation *evaluation, const KnOptions *options, KnError *error)
{
    Linear *linear = evaluation->data = calloc(1, sizeof *linear);
    evaluation->close = close;
    evaluation->score = score;
    evaluation->tell = tell;
    if (!linear) return kn_fail_memory(error, "opening an evaluation");
    const char *name = kn_option_string(options, "weights");
    KnText path = KN_TEXT_EMPTY;
    kn_context_file(evaluation->game->context, name, &path);
    KnStatus status = kn_weights_open(evaluation->game, path.data, &linear->own, error);
    kn_text_free(&path);
    if (status != KN_OK) return status;
    linear->terms = linear->own->terms;
    if (linear->terms->values_for) evaluation->score_for = score_for;
    evaluation->seat = take_seat;
    return choose_set(linear, name, kn_option_string(options, "set"), error);
}

static const KnOption options_table[] = {
    {"weights", KN_OPTION_STRING, NULL, 0, 0, KN_OPTION_FILE,
     "a name (zero, one, chinook-original, ...) or a file of weights"},
    {"set", KN_OPTION_STRING, "", 0, 0, NULL,
     "which set of the file; else that of the role that searches, or the first"},
    {0}};

const KnEvaluationType kn_evaluation_features = {
    {"features", "the game's terms or features, weighted by phase and added up", options_table}, open};

KnStatus kn_linear_open(const KnTermSet *terms, const double *weights, KnEvaluation **out, KnError *error)
{
    *out = NULL;
    KnEvaluation *evaluation = calloc(1, sizeof *evaluation);
    Linear *linear = calloc(1, sizeof *linear);
    char *spec = strdup("features");
    if (!evaluation || !linear || !spec) {
        free(evaluation);
        free(linear);
        free(spec);
        return kn_fail_memory(error, "opening an evaluation");
    }
    *linear = (Linear){.terms = terms, .weights = weights};
    *evaluation = (KnEvaluation){.game = terms->game,
                                 .spec = spec,
                                 .score = score,
                                 .score_for = terms->values_for ? score_for : NULL,
                                 .tell = tell,
                                 .close = close,
                                 .data = linear};
    *out = evaluation;
    return KN_OK;
}

void kn_linear_point(KnEvaluation *evaluation, const double *weights)
{
    ((Linear *)evaluation->data)->weights = weights;
}
