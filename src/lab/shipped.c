#include "lab/shipped.h"

#include <string.h>

#include "base/embedded.h"
#include "base/json.h"

static const char folder[] = "results/", origin[] = "origin";

static const char *experiment_of(const json_t *result)
{
    return json_string_value(json_object_get(result, "experiment"));
}

/* The checksum of a file in the program itself is not computed again here: that would take most of the time
 * of a request for the journal. A test compares all of them. */
static KnStatus load(const KnEmbeddedRow *row, json_t **result, KnError *error)
{
    KnStatus status = kn_json_load_bytes(row->bytes, *row->size, row->name, result, error);
    if (status == KN_OK) status = kn_lab_check_result(*result, row->name, error);
    if (status == KN_OK) json_object_del(*result, "checksum");
    return status;
}

KnStatus kn_lab_shipped(json_t **results, KnError *error)
{
    KnStatus status = KN_OK;
    *results = json_array();
    for (const KnEmbeddedRow *row = kn_embedded_rows; row->name && status == KN_OK; row++) {
        if (strncmp(row->name, folder, sizeof folder - 1) != 0) continue;
        json_t *result = NULL;
        status = load(row, &result, error);
        if (status == KN_OK) status = kn_lab_add_result(*results, result, error);
        json_decref(result);
    }
    if (status == KN_OK) return KN_OK;
    json_decref(*results);
    *results = NULL;
    return status;
}

static void mark(json_t *results, const char *name)
{
    size_t i;
    json_t *result;
    json_array_foreach(results, i, result) json_object_set_new(result, origin, json_string(name));
}

/* Puts a result measured here among the shipped ones. */
static KnStatus join(json_t *shown, json_t *own, KnError *error)
{
    size_t i;
    json_t *shipped;
    json_array_foreach(shown, i, shipped)
    {
        if (strcmp(experiment_of(shipped), experiment_of(own)) != 0) continue;
        bool smaller = kn_lab_scale_of(own) < kn_lab_scale_of(shipped);
        json_t *first = json_incref(smaller ? shipped : own), *second = smaller ? own : shipped;
        int failed = json_object_set(first, "beside", second) | json_array_set_new(shown, i, first);
        return failed ? kn_fail_memory(error, "reading results") : KN_OK;
    }
    return kn_lab_add_result(shown, own, error);
}

KnStatus kn_lab_shown(const KnContext *context, const KnScale *scale, const uint64_t *seed, json_t **results,
                      KnError *error)
{
    json_t *own = NULL, *shown = NULL, *result;
    KnStatus status = kn_lab_shipped(&shown, error);
    if (status == KN_OK) status = kn_lab_results(context, scale, seed, &own, error);
    for (size_t i = json_array_size(shown); i-- > 0;)
        if (!kn_lab_wanted(json_array_get(shown, i), scale, seed)) json_array_remove(shown, i);
    mark(shown, "shipped");
    mark(own, "here");
    size_t i;
    json_array_foreach(own, i, result) if (status == KN_OK) status = join(shown, result, error);
    json_decref(own);
    *results = status == KN_OK ? shown : NULL;
    if (status != KN_OK) json_decref(shown);
    return status;
}
