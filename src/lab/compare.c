#include "lab/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/sealed.h"
#include "lab/shipped.h"

static const double LEVEL = 0.05;

static const char *string_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* ---- naming results ---- */

static KnStatus load_file(const char *path, json_t **results, KnError *error)
{
    json_t *result = NULL;
    KnSeal seal;
    *results = json_array();
    KnStatus status = kn_sealed_load(path, &result, &seal, error);
    if (status == KN_OK) status = kn_lab_check_result(result, path, error);
    if (status == KN_OK) status = kn_lab_add_result(*results, result, error);
    json_decref(result);
    return status;
}

KnStatus kn_lab_named_results(const KnContext *context, const char *word, const KnScale *scale,
                              json_t **results, KnError *error)
{
    struct stat about;
    KnStatus status;
    char *end;
    *results = NULL;
    uint64_t seed = strtoull(word, &end, 10);
    if (strcmp(word, "shipped") == 0)
        status = kn_lab_shipped(results, error);
    else if (*word >= '0' && *word <= '9' && !*end)
        status = kn_lab_results(context, scale, &seed, results, error);
    else if (stat(word, &about) != 0)
        status = kn_fail(
            error, KN_INPUT,
            "%s: no such file or folder; give a data folder, a result's file, a seed, or \"shipped\"", word);
    else if (S_ISDIR(about.st_mode)) {
        KnText below = KN_TEXT_EMPTY;
        kn_path_join(&below, word, "lab");
        bool data = kn_file_exists(below.data);
        kn_text_free(&below);
        status = kn_lab_folder_results(word, data, scale, results, error);
    } else
        status = load_file(word, results, error);
    for (size_t i = json_array_size(*results); status == KN_OK && i-- > 0;)
        if (!kn_lab_wanted(json_array_get(*results, i), scale, NULL)) json_array_remove(*results, i);
    if (status == KN_OK && !json_array_size(*results))
        status = kn_fail(error, KN_NO, "%s: there is no result%s", word, scale ? " at this scale" : "");
    if (status == KN_OK) return KN_OK;
    json_decref(*results);
    *results = NULL;
    return status;
}

/* ---- comparing two cells ---- */

typedef enum Way { LEFT_OUT, EXACT, TESTED } Way;

/* The standard error that a cell's interval of 95 % stands for, and its degrees of freedom. */
static double error_of(const json_t *cell, double *degrees)
{
    double n = number_of(cell, "n"), reach = (number_of(cell, "high") - number_of(cell, "low")) / 2;
    *degrees = fmax(n - 1, 1);
    return reach / kn_student_t_quantile(0.975, *degrees);
}

static double welch(const json_t *a, const json_t *b)
{
    double degrees_a, degrees_b, error_a = error_of(a, &degrees_a), error_b = error_of(b, &degrees_b);
    double va = error_a * error_a, vb = error_b * error_b,
           difference = fabs(number_of(a, "measured") - number_of(b, "measured"));
    if (!(va + vb > 0)) return difference > 0 ? 0 : 1;
    double degrees = (va + vb) * (va + vb) / (va * va / degrees_a + vb * vb / degrees_b);
    return 2 * (1 - kn_student_t_cdf(difference / sqrt(va + vb), degrees));
}

static Way judge(const json_t *a, const json_t *b, const char *unit, double *p)
{
    const char *kind = string_of(a, "kind");
    double x = number_of(a, "measured"), y = number_of(b, "measured");
    *p = NAN;
    if (strcmp(kind, string_of(b, "kind")) != 0 || !isfinite(x) || !isfinite(y) ||
        json_is_true(json_object_get(a, "timed")))
        return LEFT_OUT;
    if (strcmp(kind, "exact") == 0) return EXACT;
    if (!isfinite(number_of(a, "low")) || !isfinite(number_of(b, "low"))) return LEFT_OUT;
    double whole = strcmp(unit, "%") == 0 ? 100 : 1, n = number_of(a, "n"), m = number_of(b, "n");
    if (strcmp(kind, "share") == 0 && fmax(x, y) <= whole)
        *p = kn_two_proportions(x / whole * n, n, y / whole * m, m);
    else
        *p = welch(a, b);
    if (!isfinite(*p)) return LEFT_OUT;
    *p = fmin(fmax(*p, 0), 1);
    return TESTED;
}

/* ---- all of them ---- */

static const json_t *find_result(const json_t *results, const char *experiment)
{
    size_t i;
    json_t *result;
    json_array_foreach(results, i, result)
    {
        if (strcmp(string_of(result, "experiment"), experiment) == 0) return result;
    }
    return NULL;
}

typedef struct Comparing {
    json_t *cells; /* exact ones have an adjusted value of null */
    double *p;
    size_t tested, left_out, room;
} Comparing;

static KnStatus add_pair(Comparing *all, const json_t *results[2], const json_t *table, const json_t *a,
                         const json_t *b, KnError *error)
{
    double p;
    Way way = judge(a, b, string_of(table, "unit"), &p);
    if (way == LEFT_OUT) {
        all->left_out++;
        return KN_OK;
    }
    if (way == TESTED && all->tested == all->room) {
        size_t room = all->room ? 2 * all->room : 256;
        double *grown = realloc(all->p, room * sizeof *grown);
        if (!grown) return kn_fail_memory(error, "comparing results");
        all->p = grown;
        all->room = room;
    }
    if (way == TESTED) all->p[all->tested++] = p;
    json_t *cell = json_pack("{sO sO sO sO sO sO s[OO] sO sO so sn}", "experiment",
                             json_object_get(results[0], "experiment"), "table", json_object_get(table, "id"),
                             "row", json_object_get(a, "row"), "column", json_object_get(a, "column"), "unit",
                             json_object_get(table, "unit"), "decimals", json_object_get(table, "decimals"),
                             "scales", json_object_get(results[0], "scale"),
                             json_object_get(results[1], "scale"), "a", a, "b", b, "p",
                             way == TESTED ? json_real(p) : json_null(), "adjusted");
    return json_array_append_new(all->cells, cell) == 0 ? KN_OK : kn_fail_memory(error, "comparing results");
}

static KnStatus compare_results(Comparing *all, const json_t *results[2], KnError *error)
{
    size_t t, c;
    json_t *table, *cell;
    KnStatus status = KN_OK;
    json_array_foreach(json_object_get(results[0], "tables"), t, table)
    {
        json_array_foreach(json_object_get(table, "cells"), c, cell)
        {
            const json_t *other = kn_lab_same_cell(results[1], table, cell);
            if (other && status == KN_OK) status = add_pair(all, results, table, cell, other, error);
        }
    }
    return status;
}

/* Cells in two heaps, those that changed first, each in the order of the tables. */
static json_t *in_order(const json_t *cells, size_t *changed, size_t *exact)
{
    json_t *ordered = json_array(), *cell;
    for (int wanted = 1; wanted >= 0; wanted--) {
        size_t i;
        json_array_foreach(cells, i, cell)
        {
            bool is = json_is_true(json_object_get(cell, "changed"));
            if (is != (wanted == 1)) continue;
            json_array_append(ordered, cell);
            *changed += is;
            *exact += is && json_is_null(json_object_get(cell, "p"));
        }
    }
    return ordered;
}

KnStatus kn_lab_compare(const json_t *a, const json_t *b, json_t **comparison, KnError *error)
{
    Comparing all = {.cells = json_array()};
    size_t i, tested = 0, changed = 0, exact = 0;
    json_t *result, *cell;
    KnStatus status = KN_OK;
    *comparison = NULL;
    json_array_foreach(a, i, result)
    {
        const json_t *pair[2] = {result, find_result(b, string_of(result, "experiment"))};
        if (pair[1] && status == KN_OK) status = compare_results(&all, pair, error);
    }
    if (status == KN_OK && !json_array_size(all.cells) && !all.left_out)
        status = kn_fail(
            error, KN_INPUT,
            "the two have no cell in common: measure the same experiments on both sides (`knack lab run`)");
    if (status == KN_OK && all.tested) status = kn_holm(all.p, all.tested, error);
    json_array_foreach(all.cells, i, cell)
    {
        bool is = false;
        if (status != KN_OK) break;
        if (json_is_null(json_object_get(cell, "p")))
            is = number_of(json_object_get(cell, "a"), "measured") !=
                 number_of(json_object_get(cell, "b"), "measured");
        else {
            json_object_set_new(cell, "adjusted", json_real(all.p[tested]));
            is = all.p[tested++] < LEVEL;
        }
        json_object_set_new(cell, "changed", json_boolean(is));
    }
    if (status == KN_OK) {
        json_t *ordered = in_order(all.cells, &changed, &exact);
        *comparison = json_pack("{so sI sI sI sI}", "cells", ordered, "changed", (json_int_t)changed, "exact",
                                (json_int_t)exact, "compared", (json_int_t)json_array_size(all.cells),
                                "left_out", (json_int_t)all.left_out);
        if (!*comparison) status = kn_fail_memory(error, "comparing results");
    }
    free(all.p);
    json_decref(all.cells);
    return status;
}
