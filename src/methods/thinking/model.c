#include "methods/thinking/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"
#include "base/sealed.h"
#include "eval/same_rules.h"

static const char FORMAT[] = "knack thinking 1";
static const double LN_2 = 0.69314718055994530942;

void kn_thinking_free(KnThinking *model)
{
    if (!model) return;
    free(model->game);
    free(model->inner);
    free(model);
}

const char *const kn_thinking_terms[KN_THINKING_TERMS] = {
    "depths with this move, of 6",       "changes of the move, of 2",
    "positions after this move, of 1",   "drop of the score, of its scale",
    "moves not shown to be worse, of 4", "captures beyond the depth, of 4"};

/* All from 0 to 1, so that weights compare. */
static void fill_terms(const double *signals, double scale, double *terms)
{
    double drop = fmax(signals[KN_SIGNAL_DROP], -signals[KN_SIGNAL_TWO_PLIES]);
    terms[0] = fmin(signals[KN_SIGNAL_STABLE], 6) / 6;
    terms[1] = fmin(signals[KN_SIGNAL_UNREST], 2) / 2;
    terms[2] = signals[KN_SIGNAL_FOCUS];
    terms[3] = fmin(fmax(drop / scale, 0), 1);
    terms[4] = fmin(signals[KN_SIGNAL_RIVALS], 4) / 4;
    terms[5] = fmin(signals[KN_SIGNAL_BEYOND], 4) / 4;
}

double kn_thinking_shares(const KnThinking *model, const double *signals)
{
    double terms[KN_THINKING_TERMS], sum = 0;
    fill_terms(signals, model->scale, terms);
    for (int i = 0; i < KN_THINKING_TERMS; i++) sum += model->weights[i] * terms[i];
    double shares = model->base * kn_math_exp(sum * LN_2);
    return shares < KN_THINKING_LEAST ? KN_THINKING_LEAST : shares < model->most ? shares : model->most;
}

/* ---- points of a score ---- */

static double points_of(double scale, KnScore score)
{
    if (abs(score) >= KN_SCORE_HEURISTIC) return score > 0 ? 1 : 0;
    return 1 / (1 + kn_math_exp(-score / scale));
}

static double surprise(const KnSearchRecords *records, double scale)
{
    double sum = 0;
    for (size_t i = 0; i < records->count; i++) {
        double p = fmin(fmax(points_of(scale, records->searches[i].value), 0.001), 0.999),
               y = records->searches[i].outcome;
        sum -= y * kn_math_log(p) + (1 - y) * kn_math_log(1 - p);
    }
    return sum;
}

/* The scale at which scores predict the outcomes of their games best (logistic regression). */
static double fit_scale(const KnSearchRecords *records)
{
    double best = 100, least = INFINITY;
    for (double scale = 10; scale < 100000; scale *= 1.1) {
        double now = surprise(records, scale);
        if (now >= least) continue;
        least = now;
        best = scale;
    }
    return best;
}

/* ---- learning ---- */

/* The last depth that was finished within this many positions. */
static int depth_within(const KnSearchRecord *search, double nodes)
{
    int at = 0;
    while (at + 1 < search->count && search->depths[at + 1].nodes <= nodes) at++;
    return at;
}

static double loss_at(const KnSearchRecord *search, double scale, int depth)
{
    return fmax(0, points_of(scale, search->value) - points_of(scale, search->depths[depth].value));
}

/* One search by the model: the positions that it uses, and the points that it loses. */
static double run_search(const KnThinking *model, const KnSearchRecord *search, double *loss)
{
    double used = 0;
    int d = 0;
    for (;; d++) {
        double most = fmin(model->units * kn_thinking_shares(model, search->depths[d].signals),
                           search->nodes);
        bool last = d + 1 == search->count;
        used = fmax(search->depths[d].nodes, most);
        if (last || most < search->depths[d + 1].nodes) break;
    }
    *loss = loss_at(search, model->scale, d);
    return used;
}

void kn_thinking_test(const KnThinking *model, const KnSearchRecords *records, KnThinkingTest *test)
{
    double squares = 0, n = (double)records->count, gain = 0;
    *test = (KnThinkingTest){.searches = n};
    for (size_t i = 0; i < records->count; i++) {
        const KnSearchRecord *search = &records->searches[i];
        double loss, even = loss_at(search, model->scale, depth_within(search, model->units));
        test->used += run_search(model, search, &loss) / model->units / n;
        test->even_loss += even / n;
        test->loss += loss / n;
        gain += (even - loss) / n;
        squares += (even - loss) * (even - loss) / n;
    }
    test->variance = fmax(0, squares - gain * gain);
}

/* Sets the base at which the searches use a share each, on average; returns what they lose. */
static double find_base(KnThinking *model, const KnSearchRecords *records, int halvings)
{
    double low = 1.0 / 16, high = 16;
    KnThinkingTest test = {0};
    for (int i = 0; i < halvings; i++) {
        model->base = sqrt(low * high);
        kn_thinking_test(model, records, &test);
        if (test.used > 1)
            high = model->base;
        else
            low = model->base;
    }
    return test.loss;
}

/* Coordinate descent, each weight in turn, first in steps of 1, then of 1/2. A weight moves only for a gain
 * that is worth something, so that those which do not matter stay 0. */
static void find_weights(KnThinking *model, const KnSearchRecords *records)
{
    enum { ROUGHLY = 8, FINELY = 24 };
    static const double worth = 0.995; /* of the loss before */
    double least = find_base(model, records, ROUGHLY);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < KN_THINKING_TERMS; i++) {
            double best = model->weights[i], middle = best, step = pass ? 0.5 : 1;
            for (int k = pass ? -1 : -2; k <= (pass ? 1 : 2); k++) {
                if (!k) continue;
                model->weights[i] = middle + k * step;
                double loss = find_base(model, records, ROUGHLY);
                if (loss >= worth * least) continue;
                least = loss;
                best = model->weights[i];
            }
            model->weights[i] = best;
        }
    find_base(model, records, FINELY);
}

KnStatus kn_thinking_learn(const KnSearchRecords *records, double units, double most, KnThinking **out,
                           KnError *error)
{
    KN_ASSERT(most <= KN_THINKING_ROOM);
    *out = NULL;
    if (!records->count)
        return kn_fail(error, KN_INPUT,
                       "no search of the games was long enough to learn from; play more "
                       "games, or give searches more positions (units)");
    KnThinking *model = *out = calloc(1, sizeof *model);
    if (!model) return kn_fail_memory(error, "learning to allot thinking time");
    *model = (KnThinking){.units = units, .most = most, .scale = fit_scale(records)};
    model->searches = records->count;
    find_weights(model, records);
    return KN_OK;
}

/* ---- files ---- */

KnStatus kn_thinking_save(const KnThinking *model, const char *path, KnError *error)
{
    json_t *weights = json_object();
    for (int i = 0; i < KN_THINKING_TERMS; i++)
        json_object_set_new(weights, kn_thinking_terms[i], json_real(model->weights[i]));
    json_t *root = json_pack(
        "{ss ss ss sf sf sf sf so so so}", "format", FORMAT, "game", model->game, "inner", model->inner,
        "units", model->units, "scale", model->scale, "base", model->base, "most", model->most, "searches",
        kn_json_from_uint64(model->searches), "seed", kn_json_from_uint64(model->seed), "weights", weights);
    if (root && model->edited) kn_sealed_stamp(root, KN_SEAL_EDITED);
    char *text = root ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    KnStatus status = text ? kn_sealed_write(path, text, error)
                           : kn_fail_memory(error, "saving thinking time");
    free(text);
    json_decref(root);
    return status;
}

static KnStatus positive_real(const KnJson *at, const char *key, double *out, KnError *error)
{
    KnStatus status = kn_json_real(at, key, out, error);
    return status == KN_OK && !(*out > 0 && *out < 1e15)
               ? kn_json_fail(at, key, error, "expected a number above 0")
               : status;
}

static KnStatus parse_model(const KnJson *at, const KnGame *game, KnThinking *model, KnError *error)
{
    static const char *const known[] = {"format", "game",     "inner", "units",   "scale",  "base",
                                        "most",   "searches", "seed",  "weights", "edited", NULL};
    const char *format, *of, *inner;
    KnStatus status = kn_json_string(at, "format", &format, error);
    if (status == KN_OK && strcmp(format, FORMAT) != 0)
        return kn_json_fail(at, "format", error, "\"%s\" is not \"%s\"", format, FORMAT);
    if (status == KN_OK) status = kn_json_only(at, known, error);
    if (status == KN_OK) status = kn_json_string(at, "game", &of, error);
    if (status == KN_OK && !kn_same_game(game, of))
        return kn_json_fail(at, "game", error, "it was learned for %s, and this is %s", of, game->spec);
    if (status == KN_OK) status = kn_json_string(at, "inner", &inner, error);
    if (status == KN_OK) status = positive_real(at, "units", &model->units, error);
    if (status == KN_OK) status = positive_real(at, "scale", &model->scale, error);
    if (status == KN_OK) status = positive_real(at, "base", &model->base, error);
    if (status == KN_OK) status = positive_real(at, "most", &model->most, error);
    if (status == KN_OK) status = kn_json_uint64(at, "searches", &model->searches, error);
    if (status == KN_OK) status = kn_json_uint64(at, "seed", &model->seed, error);
    KnJson weights;
    if (status == KN_OK) status = kn_json_object(at, "weights", &weights, error);
    for (int i = 0; i < KN_THINKING_TERMS && status == KN_OK; i++) {
        status = kn_json_real(&weights, kn_thinking_terms[i], &model->weights[i], error);
        if (status == KN_OK && fabs(model->weights[i]) > 100)
            status = kn_json_fail(&weights, kn_thinking_terms[i], error, "expected -100 to 100");
    }
    if (status != KN_OK) return status;
    model->game = strdup(of);
    model->inner = strdup(inner);
    return model->game && model->inner ? KN_OK : kn_fail_memory(error, "reading thinking time");
}

KnStatus kn_thinking_load(const KnGame *game, const char *path, KnThinking **out, KnError *error)
{
    json_t *root = NULL;
    KnSeal seal;
    *out = NULL;
    KnStatus status = kn_sealed_load(path, &root, &seal, error);
    if (status != KN_OK) return status;
    KnJson at = kn_json_root(root, path);
    KnThinking *model = calloc(1, sizeof *model);
    status = model ? parse_model(&at, game, model, error) : kn_fail_memory(error, "reading thinking time");
    if (status == KN_OK) model->edited = seal == KN_SEAL_EDITED || kn_sealed_stamped(root);
    json_decref(root);
    if (status == KN_OK)
        *out = model;
    else
        kn_thinking_free(model);
    return status;
}
