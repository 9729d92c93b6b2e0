#include "eval/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/embedded.h"
#include "base/file.h"
#include "base/json.h"
#include "base/sealed.h"
#include "base/spec.h"
#include "eval/same_rules.h"

static const char format_name[] = "knack weights 1";
enum { FILE_MAX = 64 << 20 };

static KnStatus add_set(KnWeights *weights, const char *name, KnError *error)
{
    if (weights->count == KN_WEIGHT_SETS_MAX || strlen(name) >= KN_WEIGHT_NAME || !*name)
        return kn_fail(error, KN_INPUT, "weights come in up to %d sets with names of 1 to %d letters",
                       KN_WEIGHT_SETS_MAX, KN_WEIGHT_NAME - 1);
    KN_ASSERT(weights->count < KN_WEIGHT_SETS_MAX && weights->features->fixed <= weights->features->count);
    KnWeightSet *set = &weights->sets[weights->count];
    size_t size = kn_weights_size(weights->features);
    memcpy(set->name, name, strlen(name) + 1);
    set->weights = calloc(size, sizeof *set->weights);
    set->updates = calloc(size, sizeof *set->updates);
    weights->count++;
    if (!set->weights || !set->updates) return kn_fail_memory(error, "making weights");
    for (int phase = 0; phase < weights->features->phases; phase++)
        for (int i = 0; i < weights->features->fixed; i++)
            set->weights[phase * weights->features->count + i] = weights->features->fixed_weights[i];
    return KN_OK;
}

KnStatus kn_weights_new(const KnGame *game, const char *features, const char *const *names, int count,
                        KnWeights **out, KnError *error)
{
    *out = NULL;
    KnWeights *weights = calloc(1, sizeof *weights);
    if (!weights) return kn_fail_memory(error, "making weights");
    KnStatus status = kn_feature_set_open(game, features, &weights->features, error);
    for (int i = 0; i < count && status == KN_OK; i++) status = add_set(weights, names[i], error);
    if (status == KN_OK)
        *out = weights;
    else
        kn_weights_free(weights);
    return status;
}

void kn_weights_free(KnWeights *weights)
{
    if (!weights) return;
    for (int i = 0; i < weights->count; i++) {
        free(weights->sets[i].weights);
        free(weights->sets[i].updates);
    }
    kn_feature_set_close(weights->features);
    json_decref(weights->made);
    json_decref(weights->state);
    free(weights);
}

int kn_weights_find(const KnWeights *weights, const char *set)
{
    for (int i = 0; i < weights->count; i++)
        if (strcmp(weights->sets[i].name, set) == 0) return i;
    return -1;
}

/* ---- writing ---- */

static void write_row(const KnFeatureSet *features, int feature, const double *weights,
                      const uint64_t *updates, KnText *out)
{
    KN_ASSERT(feature >= 0 && feature < features->count);
    kn_text_add(out, "[");
    for (int phase = 0; phase < features->phases; phase++) {
        size_t at = (size_t)(phase * features->count + feature);
        if (phase) kn_text_add(out, ", ");
        if (weights)
            kn_text_add_real(out, weights[at]);
        else
            kn_text_printf(out, "%llu", (unsigned long long)updates[at]);
    }
    kn_text_add(out, "]");
}

static void write_rows(const KnFeatureSet *features, const double *weights, const uint64_t *updates,
                       KnText *out)
{
    kn_text_add(out, "{");
    for (int i = 0; i < features->count; i++) {
        kn_text_add(out, i ? ",\n    " : "\n    ");
        kn_text_add_quoted(out, features->features[i].name);
        kn_text_add(out, ": ");
        write_row(features, i, weights, updates, out);
    }
    kn_text_add(out, "\n   }");
}

static bool was_updated(const KnWeights *weights)
{
    for (int s = 0; s < weights->count; s++)
        for (size_t i = 0; i < kn_weights_size(weights->features); i++)
            if (weights->sets[s].updates[i]) return true;
    return false;
}

static void write_part(const char *key, const json_t *value, KnText *out)
{
    if (!value) return;
    kn_text_printf(out, ",\n \"%s\": ", key);
    kn_json_canonical(value, out);
}

void kn_weights_text(const KnWeights *weights, KnText *out)
{
    const KnFeatureSet *features = weights->features;
    kn_text_printf(out, "{\"format\": \"%s\",\n \"game\": ", format_name);
    kn_text_add_quoted(out, features->game->spec);
    kn_text_add(out, ",\n \"terms\": ");
    kn_text_add_quoted(out, features->name);
    write_part("made", weights->made, out);
    for (int part = 0; part < 1 + was_updated(weights); part++) {
        kn_text_add(out, part ? ",\n \"updates\": {" : ",\n \"weights\": {");
        for (int s = 0; s < weights->count; s++) {
            kn_text_add(out, s ? ",\n  " : "\n  ");
            kn_text_add_quoted(out, weights->sets[s].name);
            kn_text_add(out, ": ");
            write_rows(features, part ? NULL : weights->sets[s].weights, weights->sets[s].updates, out);
        }
        kn_text_add(out, "\n }");
    }
    write_part("state", weights->state, out);
    kn_text_add(out, "}\n");
}

KnStatus kn_weights_save(const KnWeights *weights, const char *path, KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    kn_weights_text(weights, &text);
    KnStatus status = kn_text_ok(&text) ? kn_sealed_write(path, text.data, error)
                                        : kn_fail_memory(error, "saving weights");
    kn_text_free(&text);
    return status;
}

/* ---- reading ---- */

/* Refuses weights of another game, or of other rules of this one. */
static KnStatus check_game(const KnJson *root, const KnGame *game, const char *made_for, KnError *error)
{
    if (kn_same_rules(game, made_for)) return KN_OK;
    return kn_json_fail(root, "game", error, "these weights were made for %.80s, and this is %.80s", made_for,
                        game->spec);
}

/* Reads a row for each feature; a missing or unknown row is an error. */
static KnStatus read_rows(const KnFeatureSet *features, const KnJson *at, double *weights, uint64_t *updates,
                          KnError *error)
{
    const char *known[KN_FEATURES_MAX + 1];
    KN_ASSERT(features->count <= KN_FEATURES_MAX && !weights != !updates);
    for (int i = 0; i < features->count; i++) known[i] = features->features[i].name;
    known[features->count] = NULL;
    KnStatus status = kn_json_only(at, known, error);
    for (int i = 0; i < features->count && status == KN_OK; i++) {
        KnJson row;
        status = kn_json_array(at, known[i], &row, error);
        if (status == KN_OK && kn_json_size(&row) != (size_t)features->phases)
            status = kn_json_fail(&row, NULL, error, "%d numbers are wanted, one a phase, and here are %zu",
                                  features->phases, kn_json_size(&row));
        for (int phase = 0; phase < features->phases && status == KN_OK; phase++) {
            size_t place = (size_t)(phase * features->count + i);
            KnJson item = kn_json_item(&row, (size_t)phase);
            status = weights ? kn_json_real(&item, NULL, &weights[place], error)
                             : kn_json_uint64(&item, NULL, &updates[place], error);
            if (status == KN_OK && weights && !(fabs(weights[place]) <= 1e7))
                status = kn_json_fail(&item, NULL, error, "a weight lies between -1e7 and 1e7");
        }
    }
    return status;
}

static KnStatus read_sets(const KnJson *root, KnWeights *weights, KnError *error)
{
    KnJson sets, updates, rows;
    KnStatus status = kn_json_object(root, "weights", &sets, error);
    if (status != KN_OK) return status;
    bool counted = kn_json_has(root, "updates");
    if (counted) status = kn_json_object(root, "updates", &updates, error);
    const char *key;
    json_t *value;
    json_object_foreach(sets.value, key, value)
    {
        if (status == KN_OK) status = add_set(weights, key, error);
        KnWeightSet *set = &weights->sets[weights->count ? weights->count - 1 : 0];
        if (status == KN_OK) status = kn_json_object(&sets, key, &rows, error);
        if (status == KN_OK) status = read_rows(weights->features, &rows, set->weights, NULL, error);
        if (status == KN_OK && counted) status = kn_json_object(&updates, key, &rows, error);
        if (status == KN_OK && counted)
            status = read_rows(weights->features, &rows, NULL, set->updates, error);
        if (status != KN_OK) return status;
    }
    return weights->count ? status : kn_json_fail(root, "weights", error, "at least one set is wanted");
}

static KnStatus read_document(const KnJson *root, const KnGame *game, KnWeights *weights, KnError *error)
{
    static const char *const known[] = {"format",  "game",    "terms", "made",
                                        "weights", "updates", "state", NULL};
    const char *format, *made_for, *features;
    KnStatus status = kn_json_string(root, "format", &format, error);
    if (status != KN_OK) return status;
    if (strcmp(format, format_name) != 0)
        return kn_json_fail(root, "format", error, "\"%.60s\" is not \"%s\": these are no weights", format,
                            format_name);
    status = kn_json_only(root, known, error);
    if (status == KN_OK) status = kn_json_string(root, "game", &made_for, error);
    if (status == KN_OK) status = check_game(root, game, made_for, error);
    if (status == KN_OK) status = kn_json_string(root, "terms", &features, error);
    if (status == KN_OK) status = kn_feature_set_open(game, features, &weights->features, error);
    if (status == KN_OK) status = read_sets(root, weights, error);
    if (status == KN_OK && kn_json_has(root, "made"))
        weights->made = json_incref(json_object_get(root->value, "made"));
    if (status == KN_OK && kn_json_has(root, "state"))
        weights->state = json_incref(json_object_get(root->value, "state"));
    return status;
}

KnStatus kn_weights_parse(const KnGame *game, const void *bytes, size_t size, const char *name,
                          KnWeights **out, KnError *error)
{
    *out = NULL;
    json_t *document;
    KnStatus status = kn_json_load_bytes(bytes, size, name, &document, error);
    if (status != KN_OK) return status;
    KnSeal seal = kn_sealed_take(document);
    if (seal == KN_SEAL_EDITED) { /* what is trained from here on keeps the stamp */
        if (!json_is_object(json_object_get(document, "made")))
            json_object_set_new(document, "made", json_object());
        kn_sealed_stamp(json_object_get(document, "made"), seal);
    }
    KnJson root = kn_json_root(document, name);
    KnWeights *weights = calloc(1, sizeof *weights);
    status = weights ? read_document(&root, game, weights, error) : kn_fail_memory(error, "reading weights");
    json_decref(document);
    if (status == KN_OK)
        *out = weights;
    else
        kn_weights_free(weights);
    return status;
}

static KnStatus open_uniform(const KnGame *game, double value, KnWeights **out, KnError *error)
{
    static const char *const names[] = {"shared"};
    KnStatus status = kn_weights_new(game, NULL, names, 1, out, error);
    if (status != KN_OK) return status;
    const KnFeatureSet *features = (*out)->features;
    for (int phase = 0; phase < features->phases; phase++)
        for (int i = features->fixed; i < features->count; i++)
            (*out)->sets[0].weights[phase * features->count + i] = value;
    return KN_OK;
}

static KnStatus no_such(const char *name, KnError *error)
{
    static const char folder[] = "weights/";
    KnText known = KN_TEXT_EMPTY;
    for (const KnEmbeddedRow *row = kn_embedded_rows; row->name; row++)
        if (strncmp(row->name, folder, sizeof folder - 1) == 0)
            kn_text_printf(&known, ", %.*s", (int)(strlen(row->name) - sizeof folder + 1 - strlen(".json")),
                           row->name + sizeof folder - 1);
    kn_fail(error, KN_INPUT, "there are no weights \"%.80s\": neither a file nor one of zero, one%s", name,
            known.data);
    kn_text_free(&known);
    return KN_INPUT;
}

bool kn_weights_named(const char *name)
{
    KnText path = KN_TEXT_EMPTY;
    kn_text_printf(&path, "weights/%s.json", name);
    bool found = strcmp(name, "zero") == 0 || strcmp(name, "one") == 0 ||
                 (kn_text_ok(&path) && kn_embedded_find(path.data));
    kn_text_free(&path);
    return found;
}

KnStatus kn_weights_open(const KnGame *game, const char *name, KnWeights **out, KnError *error)
{
    *out = NULL;
    if (strcmp(name, "zero") == 0) return open_uniform(game, 0, out, error);
    if (strcmp(name, "one") == 0) return open_uniform(game, 1, out, error);
    KnText path = KN_TEXT_EMPTY;
    kn_text_printf(&path, "weights/%s.json", name);
    const KnEmbeddedRow *row = kn_text_ok(&path) ? kn_embedded_find(path.data) : NULL;
    kn_text_free(&path);
    if (row) return kn_weights_parse(game, row->bytes, *row->size, name, out, error);
    KnText file = KN_TEXT_EMPTY, text = KN_TEXT_EMPTY;
    kn_context_file(game->context, name, &file);
    KnStatus status = kn_file_exists(file.data) ? kn_file_read(file.data, &text, FILE_MAX, error)
                                                : no_such(name, error);
    kn_text_free(&file);
    if (status == KN_OK) status = kn_weights_parse(game, text.data, text.length, name, out, error);
    kn_text_free(&text);
    return status;
}
