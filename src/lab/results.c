/* What has been measured so far: the files of DATA/lab. They may have been edited, cut short or made by a
 * newer program, so that everything a reader relies on is checked here, once. */
#include "lab/lab.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/sealed.h"

/* ---- choosing experiments ---- */

/* All names together no longer fit in a message: "allocation.*" stands for a paper's, told with the first of
 * them. */
static void add_family(const KnContext *context, size_t index, KnText *out)
{
    const char *name = kn_registered_at(context, KN_KIND_EXPERIMENT, index)->name;
    int length = (int)strcspn(name, ".");
    for (size_t i = 0; i < index; i++) {
        const char *other = kn_registered_at(context, KN_KIND_EXPERIMENT, i)->name;
        if ((int)strcspn(other, ".") == length && strncmp(name, other, (size_t)length) == 0) return;
    }
    kn_text_printf(out, "%s%.*s%s", out->length ? ", " : "", length, name, name[length] ? ".*" : "");
}

KnStatus kn_lab_select(const KnContext *context, const char *word, KnVisitExperiment visit, void *user,
                       KnError *error)
{
    const KnThing *exact = kn_find(context, KN_KIND_EXPERIMENT, word);
    if (exact) return visit(user, (const KnExperiment *)exact, error);
    size_t length = strlen(word), seen = 0, count = kn_registered(context, KN_KIND_EXPERIMENT);
    for (size_t i = 0; i < count; i++) {
        const KnThing *thing = kn_registered_at(context, KN_KIND_EXPERIMENT, i);
        bool begins = length && strncasecmp(thing->name, word, length) == 0;
        if (!begins && fnmatch(word, thing->name, FNM_CASEFOLD) != 0) continue;
        KnStatus status = visit(user, (const KnExperiment *)thing, error);
        if (status != KN_OK) return status;
        seen++;
    }
    if (seen) return KN_OK;
    KnText known = KN_TEXT_EMPTY;
    for (size_t i = 0; i < count; i++) add_family(context, i, &known);
    kn_fail(error, KN_INPUT,
            "no experiment is named \"%s\" or begins so; known: %s (`knack lab list` tells them all)", word,
            known.length ? known.data : "none");
    kn_text_free(&known);
    return KN_INPUT;
}

/* ---- checking a result ---- */

static KnStatus check_strings(const KnJson *at, const char *const *keys, KnError *error)
{
    const char *text;
    KnStatus status = KN_OK;
    for (; *keys && status == KN_OK; keys++) status = kn_json_string(at, *keys, &text, error);
    return status;
}

/* A number, or null for none. */
static KnStatus check_number(const KnJson *at, const char *key, KnError *error)
{
    double value;
    return kn_json_has(at, key) ? kn_json_real(at, key, &value, error) : KN_OK;
}

static KnStatus check_cell(const KnJson *cell, KnError *error)
{
    static const char *const strings[] = {"row",  "column", "relation", "verdict", "why",
                                          "note", "claim",  "page",     "kind",    NULL};
    static const char *const numbers[] = {
        "published", "published_error", "tolerance", "margin", "measured", "low", "high", NULL};
    KnStatus status = check_strings(cell, strings, error);
    for (const char *const *key = numbers; *key && status == KN_OK; key++)
        status = check_number(cell, *key, error);
    int64_t n;
    bool timed;
    if (status == KN_OK && kn_json_has(cell, "timed")) status = kn_json_bool(cell, "timed", &timed, error);
    if (status == KN_OK) status = kn_json_integer(cell, "n", 0, INT64_MAX, &n, error);
    const char *verdict;
    KnVerdict parsed;
    if (status == KN_OK) status = kn_json_string(cell, "verdict", &verdict, error);
    if (status == KN_OK && kn_verdict_parse(verdict, &parsed, NULL) != KN_OK)
        return kn_json_fail(cell, "verdict", error, "is \"%s\"; known: differs, not comparable, agrees",
                            verdict);
    return status;
}

typedef KnStatus (*Check)(const KnJson *item, KnError *error);

static KnStatus check_each(const KnJson *at, const char *key, Check check, KnError *error)
{
    KnJson array;
    KnStatus status = kn_json_array(at, key, &array, error);
    for (size_t i = 0; status == KN_OK && i < kn_json_size(&array); i++) {
        KnJson item = kn_json_item(&array, i);
        status = check(&item, error);
    }
    return status;
}

static KnStatus check_table(const KnJson *table, KnError *error)
{
    static const char *const strings[] = {"id", "label", "page", "title", "unit", "note", NULL};
    int64_t decimals;
    KnStatus status = check_strings(table, strings, error);
    if (status == KN_OK) status = kn_json_integer(table, "decimals", 0, 9, &decimals, error);
    return status == KN_OK ? check_each(table, "cells", check_cell, error) : status;
}

static KnStatus check_point(const KnJson *point, KnError *error)
{
    if (!json_is_array(point->value) || json_array_size(point->value) != 4)
        return kn_json_fail(point, NULL, error, "expected four numbers: x, y, low, high");
    for (size_t i = 0; i < 4; i++) {
        KnJson number = kn_json_item(point, i);
        double value;
        if (json_is_null(number.value)) continue;
        KnStatus status = kn_json_real(&number, NULL, &value, error);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}

static KnStatus check_series(const KnJson *series, KnError *error)
{
    static const char *const strings[] = {"name", NULL};
    KnStatus status = check_strings(series, strings, error);
    return status == KN_OK ? check_each(series, "points", check_point, error) : status;
}

static KnStatus check_name(const KnJson *name, KnError *error)
{
    const char *text;
    return kn_json_string(name, NULL, &text, error);
}

static KnStatus check_figure(const KnJson *figure, KnError *error)
{
    static const char *const strings[] = {"id", "title", "kind", "x", "y", NULL};
    KnStatus status = check_strings(figure, strings, error);
    if (status == KN_OK) status = check_each(figure, "categories", check_name, error);
    return status == KN_OK ? check_each(figure, "series", check_series, error) : status;
}

static KnStatus check_parameter(const KnJson *parameter, KnError *error)
{
    static const char *const strings[] = {"name", "why", NULL};
    double value;
    KnStatus status = check_strings(parameter, strings, error);
    return status == KN_OK ? kn_json_real(parameter, "value", &value, error) : status;
}

static KnStatus check_interpretation(const KnJson *reading, KnError *error)
{
    static const char *const strings[] = {"open", "chosen", "others", NULL};
    return check_strings(reading, strings, error);
}

static KnStatus check_tolerance(const KnJson *tolerance, KnError *error)
{
    static const char *const strings[] = {"column", "why", NULL};
    double value;
    KnStatus status = check_strings(tolerance, strings, error);
    if (status == KN_OK) status = kn_json_real(tolerance, "absolute", &value, error);
    return status == KN_OK ? kn_json_real(tolerance, "relative", &value, error) : status;
}

static KnStatus check_record(const KnJson *root, KnError *error)
{
    static const char *const strings[] = {"version", "compiler", "system", "processor", "started", NULL};
    KnJson record;
    double seconds;
    int64_t count;
    KnStatus status = kn_json_object(root, "record", &record, error);
    if (status == KN_OK) status = check_strings(&record, strings, error);
    if (status == KN_OK) status = kn_json_integer(&record, "cores", 1, 1 << 20, &count, error);
    if (status == KN_OK) status = kn_json_integer(&record, "jobs", 1, 1 << 20, &count, error);
    if (status == KN_OK) status = kn_json_real(&record, "seconds", &seconds, error);
    return status == KN_OK ? kn_json_real(&record, "cpu_seconds", &seconds, error) : status;
}

/* Samples that are all equal tell nothing about their error: such a cell has no interval. Older results and
 * edited ones may have one of no width. */
static void drop_empty_intervals(json_t *result)
{
    size_t i, k;
    json_t *table, *cell;
    json_array_foreach(json_object_get(result, "tables"), i, table)
    {
        json_array_foreach(json_object_get(table, "cells"), k, cell)
        {
            const char *kind = json_string_value(json_object_get(cell, "kind"));
            const json_t *low = json_object_get(cell, "low"), *high = json_object_get(cell, "high");
            bool sampled = strcmp(kind, "mean") == 0 || strcmp(kind, "estimate") == 0;
            if (!sampled || !json_is_number(low) || json_number_value(low) < json_number_value(high))
                continue;
            json_object_set_new(cell, "low", json_null());
            json_object_set_new(cell, "high", json_null());
        }
    }
}

KnStatus kn_lab_check_result(json_t *result, const char *name, KnError *error)
{
    static const char *const strings[] = {"experiment", "summary", "scale", NULL};
    static const char *const of_paper[] = {"cite", "title", "author", "where", NULL};
    KnJson root = kn_json_root(result, name), paper;
    int64_t number;
    uint64_t seed;
    bool flag;
    if (!json_is_object(result)) return kn_json_fail(&root, NULL, error, "expected an object");
    KnStatus status = kn_json_integer(&root, "format", 1, INT64_MAX, &number, error);
    if (status == KN_OK && number != KN_LAB_FORMAT)
        return kn_fail(error, KN_INPUT, "%s: its format is %lld, this program knows %d; measure again", name,
                       (long long)number, KN_LAB_FORMAT);
    if (status == KN_OK) status = check_strings(&root, strings, error);
    if (status == KN_OK) status = kn_json_uint64(&root, "seed", &seed, error);
    if (status == KN_OK) status = kn_json_bool(&root, "nondeterministic", &flag, error);
    if (status == KN_OK) status = kn_json_object(&root, "paper", &paper, error);
    if (status == KN_OK) status = check_strings(&paper, of_paper, error);
    if (status == KN_OK) status = kn_json_integer(&paper, "year", 0, 9999, &number, error);
    if (status == KN_OK) status = check_each(&root, "parameters", check_parameter, error);
    if (status == KN_OK) status = check_each(&root, "readings", check_interpretation, error);
    if (status == KN_OK) status = check_each(&root, "tolerances", check_tolerance, error);
    if (status == KN_OK) status = check_each(&root, "tables", check_table, error);
    if (status == KN_OK) status = check_each(&root, "figures", check_figure, error);
    if (status == KN_OK) status = check_record(&root, error);
    if (status == KN_OK) drop_empty_intervals(result);
    return status;
}

void kn_lab_count(const json_t *result, size_t counts[KN_VERDICTS])
{
    memset(counts, 0, KN_VERDICTS * sizeof *counts);
    size_t i, k;
    json_t *table, *cell;
    json_array_foreach(json_object_get(result, "tables"), i, table)
    {
        json_array_foreach(json_object_get(table, "cells"), k, cell)
        {
            KnVerdict verdict;
            if (kn_verdict_parse(json_string_value(json_object_get(cell, "verdict")), &verdict, NULL) ==
                KN_OK)
                counts[verdict]++;
        }
    }
}

/* ---- choosing among results ---- */

static const char *string_of(const json_t *result, const char *key)
{
    return json_string_value(json_object_get(result, key));
}

bool kn_lab_wanted(const json_t *result, const KnScale *scale, const uint64_t *seed)
{
    if (scale && strcmp(string_of(result, "scale"), kn_scale_name(*scale)) != 0) return false;
    if (!seed) return true;
    KnJson root = kn_json_root((json_t *)result, NULL);
    uint64_t found = 0;
    return kn_json_uint64(&root, "seed", &found, NULL) == KN_OK && found == *seed;
}

KnScale kn_lab_scale_of(const json_t *result)
{
    KnScale scale = KN_SCALE_QUICK;
    kn_scale_parse(string_of(result, "scale"), &scale, NULL);
    return scale;
}

/* Whether a says more than b: the larger scale, then the later start. */
static bool better(const json_t *a, const json_t *b)
{
    if (kn_lab_scale_of(a) != kn_lab_scale_of(b)) return kn_lab_scale_of(a) > kn_lab_scale_of(b);
    return strcmp(string_of(json_object_get(a, "record"), "started"),
                  string_of(json_object_get(b, "record"), "started")) > 0;
}

KnStatus kn_lab_add_result(json_t *results, json_t *result, KnError *error)
{
    size_t at = 0;
    int order = 1;
    for (; at < json_array_size(results); at++) {
        order = strcmp(string_of(json_array_get(results, at), "experiment"), string_of(result, "experiment"));
        if (order >= 0) break;
    }
    int failed = 0;
    if (at == json_array_size(results) || order > 0)
        failed = json_array_insert(results, at, result);
    else if (better(result, json_array_get(results, at)))
        failed = json_array_set(results, at, result);
    return failed ? kn_fail_memory(error, "reading results") : KN_OK;
}

/* Whether a result was judged by the rule of an older version: it counts as not measured. */
static bool outdated(const json_t *result)
{
    json_int_t format = json_integer_value(json_object_get(result, "format"));
    return format > 0 && format < KN_LAB_FORMAT;
}

/* A result that does not fit its checksum at least fits its name: else it would stand for another experiment,
 * or go missing. */
static KnStatus check_file_name(const json_t *result, const char *name, const char *path, KnError *error)
{
    KnText wanted = KN_TEXT_EMPTY;
    KnJson root = kn_json_root((json_t *)result, path);
    uint64_t seed = 0;
    KnStatus status = kn_json_uint64(&root, "seed", &seed, error);
    kn_text_printf(&wanted, "%s.%s.%llu.json", string_of(result, "experiment"), string_of(result, "scale"),
                   (unsigned long long)seed);
    if (status == KN_OK && (!kn_text_ok(&wanted) || strcmp(wanted.data, name) != 0))
        status = kn_fail(error, KN_INPUT, "%s: by its contents its name is %s", path, wanted.data);
    kn_text_free(&wanted);
    return status;
}

static KnStatus read_result(const char *folder, const char *name, const KnScale *scale, const uint64_t *seed,
                            json_t *results, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    kn_path_join(&path, folder, name);
    json_t *result = NULL;
    KnSeal seal;
    KnStatus status = kn_sealed_load(path.data, &result, &seal, error);
    if (status == KN_OK) kn_sealed_stamp(result, seal);
    bool old = status == KN_OK && outdated(result);
    if (status == KN_OK && !old) status = kn_lab_check_result(result, path.data, error);
    if (status == KN_OK && !old && seal == KN_SEAL_EDITED)
        status = check_file_name(result, name, path.data, error);
    if (status == KN_INPUT) kn_fail_within(error, "a damaged result; delete it and measure again");
    if (status == KN_OK && !old && kn_lab_wanted(result, scale, seed))
        status = kn_lab_add_result(results, result, error);
    json_decref(result);
    kn_text_free(&path);
    return status;
}

static int is_result(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

/* The results among the files of a folder; one that does not exist has none. */
static KnStatus list_folder(const char *folder, const KnScale *scale, const uint64_t *seed, json_t **out,
                            KnError *error)
{
    *out = NULL;
    json_t *results = json_array();
    if (!results) return kn_fail_memory(error, "reading results");
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_result, alphasort);
    KnStatus status = count >= 0 || errno == ENOENT ? KN_OK : kn_fail_errno(error, "%s: cannot list", folder);
    for (int i = 0; i < count; i++) {
        if (status == KN_OK) status = read_result(folder, entries[i]->d_name, scale, seed, results, error);
        free(entries[i]);
    }
    free(entries);
    if (status == KN_OK)
        *out = results;
    else
        json_decref(results);
    return status;
}

KnStatus kn_lab_folder_results(const char *folder, bool data, const KnScale *scale, json_t **out,
                               KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    kn_path_join(&path, folder, data ? "lab" : ".");
    KnStatus status = list_folder(path.data, scale, NULL, out, error);
    kn_text_free(&path);
    return status;
}

KnStatus kn_lab_results(const KnContext *context, const KnScale *scale, const uint64_t *seed, json_t **out,
                        KnError *error)
{
    KnText folder = KN_TEXT_EMPTY;
    kn_path_join(&folder, kn_context_data(context), "lab");
    KnStatus status = list_folder(folder.data, scale, seed, out, error);
    kn_text_free(&folder);
    return status;
}

const json_t *kn_lab_same_cell(const json_t *result, const json_t *table, const json_t *cell)
{
    size_t t, c;
    json_t *other, *found;
    json_array_foreach(json_object_get(result, "tables"), t, other)
    {
        if (strcmp(string_of(other, "id"), string_of(table, "id")) != 0) continue;
        json_array_foreach(json_object_get(other, "cells"), c, found)
        {
            if (strcmp(string_of(found, "row"), string_of(cell, "row")) == 0 &&
                strcmp(string_of(found, "column"), string_of(cell, "column")) == 0)
                return found;
        }
    }
    return NULL;
}
