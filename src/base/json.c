#include "base/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

/* Larger documents than this are a mistake: bulk data has formats of its own. */
static const size_t LARGEST = (size_t)1 << 28;

/* ---- Loading ---- */

KnStatus kn_json_load_line(const void *bytes, size_t size, const char *name, size_t line, json_t **out,
                           KnError *error)
{
    json_error_t where;
    *out = json_loadb(bytes, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &where);
    if (*out) return KN_OK;
    if (json_error_code(&where) == json_error_out_of_memory) return kn_fail_memory(error, "reading JSON");
    return kn_fail(error, KN_INPUT, "%s:%zu:%d: %s", name, line + (size_t)where.line - 1, where.column,
                   where.text);
}

KnStatus kn_json_load_bytes(const void *bytes, size_t size, const char *name, json_t **out, KnError *error)
{
    return kn_json_load_line(bytes, size, name, 1, out, error);
}

KnStatus kn_json_load_file(const char *path, json_t **out, KnError *error)
{
    *out = NULL;
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = kn_file_read(path, &text, LARGEST, error);
    if (status == KN_OK) status = kn_json_load_bytes(text.data, text.length, path, out, error);
    kn_text_free(&text);
    return status;
}

/* ---- Messages ---- */

KnJson kn_json_root(json_t *value, const char *name) { return (KnJson){value, NULL, name, 0}; }

/* The way down to a cursor: "runs[3].seed", without the document's name. */
static void add_way(KnText *text, const KnJson *at)
{
    if (!at->parent) return;
    add_way(text, at->parent);
    if (!at->key)
        kn_text_printf(text, "[%zu]", at->index);
    else
        kn_text_printf(text, "%s%s", at->parent->parent ? "." : "", at->key);
}

KnStatus kn_json_fail(const KnJson *at, const char *key, KnError *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    kn_fail_args(error, KN_INPUT, format, args);
    va_end(args);
    if (!error) return KN_INPUT;
    const KnJson *root = at;
    while (root->parent) root = root->parent;
    KnText way = KN_TEXT_EMPTY;
    add_way(&way, at);
    if (key) kn_text_printf(&way, "%s%s", at->parent ? "." : "", key);
    if (way.length) kn_fail_within(error, "%s", way.data);
    if (root->key) kn_fail_within(error, "%s", root->key);
    kn_text_free(&way);
    return KN_INPUT;
}

static const char *type_name(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return "an integer";
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    case JSON_NULL:
        return "null";
    }
    return "something else";
}

/* ---- Getters ---- */

/* The value of a field, or of the cursor itself; NULL (and the error filled) if there is none. */
static json_t *field(const KnJson *at, const char *key, const char *wanted, KnError *error)
{
    if (!key) return at->value;
    if (!json_is_object(at->value)) {
        kn_json_fail(at, NULL, error, "expected an object, found %s", type_name(at->value));
        return NULL;
    }
    json_t *value = json_object_get(at->value, key);
    if (!value) kn_json_fail(at, key, error, "missing; expected %s", wanted);
    return value;
}

static KnStatus mismatch(const KnJson *at, const char *key, const char *wanted, const json_t *found,
                         KnError *error)
{
    return kn_json_fail(at, key, error, "expected %s, found %s", wanted, type_name(found));
}

static KnStatus container(const KnJson *at, const char *key, json_type type, const char *wanted, KnJson *out,
                          KnError *error)
{
    json_t *value = field(at, key, wanted, error);
    if (!value) return KN_INPUT;
    if (json_typeof(value) != type) return mismatch(at, key, wanted, value, error);
    *out = key ? (KnJson){value, at, key, 0} : *at;
    return KN_OK;
}

KnStatus kn_json_object(const KnJson *at, const char *key, KnJson *out, KnError *error)
{
    return container(at, key, JSON_OBJECT, "an object", out, error);
}

KnStatus kn_json_array(const KnJson *at, const char *key, KnJson *out, KnError *error)
{
    return container(at, key, JSON_ARRAY, "an array", out, error);
}

KnStatus kn_json_string(const KnJson *at, const char *key, const char **out, KnError *error)
{
    json_t *value = field(at, key, "a string", error);
    if (!value) return KN_INPUT;
    if (!json_is_string(value)) return mismatch(at, key, "a string", value, error);
    *out = json_string_value(value);
    return KN_OK;
}

KnStatus kn_json_integer(const KnJson *at, const char *key, int64_t low, int64_t high, int64_t *out,
                         KnError *error)
{
    json_t *value = field(at, key, "an integer", error);
    if (!value) return KN_INPUT;
    if (!json_is_integer(value)) return mismatch(at, key, "an integer", value, error);
    int64_t number = json_integer_value(value);
    if (number < low || number > high)
        return kn_json_fail(at, key, error, "%lld is not between %lld and %lld", (long long)number,
                            (long long)low, (long long)high);
    *out = number;
    return KN_OK;
}

KnStatus kn_json_real(const KnJson *at, const char *key, double *out, KnError *error)
{
    json_t *value = field(at, key, "a number", error);
    if (!value) return KN_INPUT;
    if (!json_is_number(value)) return mismatch(at, key, "a number", value, error);
    *out = json_number_value(value);
    return KN_OK;
}

KnStatus kn_json_bool(const KnJson *at, const char *key, bool *out, KnError *error)
{
    json_t *value = field(at, key, "true or false", error);
    if (!value) return KN_INPUT;
    if (!json_is_boolean(value)) return mismatch(at, key, "true or false", value, error);
    *out = json_is_true(value);
    return KN_OK;
}

KnStatus kn_json_uint64(const KnJson *at, const char *key, uint64_t *out, KnError *error)
{
    static const char wanted[] = "a whole number below 2^64";
    json_t *value = field(at, key, wanted, error);
    if (!value) return KN_INPUT;
    if (json_is_integer(value) && json_integer_value(value) >= 0) {
        *out = (uint64_t)json_integer_value(value);
        return KN_OK;
    }
    if (!json_is_string(value)) return mismatch(at, key, wanted, value, error);
    const char *digits = json_string_value(value);
    if (!digits[0] || digits[strspn(digits, "0123456789")])
        return kn_json_fail(at, key, error, "expected %s", wanted);
    errno = 0;
    unsigned long long number = strtoull(digits, NULL, 10);
    if (errno) return kn_json_fail(at, key, error, "expected %s", wanted);
    *out = number;
    return KN_OK;
}

json_t *kn_json_from_uint64(uint64_t value)
{
    if (value <= INT64_MAX) return json_integer((json_int_t)value);
    return json_sprintf("%llu", (unsigned long long)value);
}

bool kn_json_has(const KnJson *at, const char *key)
{
    const json_t *value = json_object_get(at->value, key);
    return value && !json_is_null(value);
}

size_t kn_json_size(const KnJson *array) { return json_array_size(array->value); }

KnJson kn_json_item(const KnJson *array, size_t index)
{
    return (KnJson){json_array_get(array->value, index), array, NULL, index};
}

KnStatus kn_json_only(const KnJson *object, const char *const *known, KnError *error)
{
    const char *key;
    json_t *value;
    json_object_foreach(object->value, key, value)
    {
        const char *const *match = known;
        while (*match && strcmp(*match, key) != 0) match++;
        if (*match) continue;
        KnText list = KN_TEXT_EMPTY;
        for (match = known; *match; match++)
            kn_text_printf(&list, "%s%s", match == known ? "" : ", ", *match);
        kn_json_fail(object, key, error, "unknown field; known: %s", list.data);
        kn_text_free(&list);
        return KN_INPUT;
    }
    return KN_OK;
}

/* ---- Canonical form ---- */

static void add_real(KnText *text, double value)
{
    KnText digits = KN_TEXT_EMPTY;
    kn_text_add_real(&digits, value);
    kn_text_add(text, digits.data);
    if (!strpbrk(digits.data, ".e")) kn_text_add(text, ".0");
    if (!kn_text_ok(&digits)) text->failed = true;
    kn_text_free(&digits);
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_object(KnText *text, const json_t *object)
{
    size_t count = json_object_size(object), i = 0;
    const char **keys = calloc(count + 1, sizeof *keys);
    if (!keys) {
        text->failed = true;
        return;
    }
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) keys[i++] = key;
    qsort(keys, count, sizeof *keys, compare_keys);
    kn_text_add_char(text, '{');
    for (i = 0; i < count; i++) {
        if (i) kn_text_add_char(text, ',');
        kn_text_add_quoted(text, keys[i]);
        kn_text_add_char(text, ':');
        kn_json_canonical(json_object_get(object, keys[i]), text);
    }
    kn_text_add_char(text, '}');
    free(keys);
}

void kn_json_canonical(const json_t *value, KnText *text)
{
    if (!value) { /* what could not be made, for lack of memory or as no UTF-8 */
        kn_text_add(text, "null");
        return;
    }
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        add_object(text, value);
        break;
    case JSON_ARRAY:
        kn_text_add_char(text, '[');
        for (size_t i = 0; i < json_array_size(value); i++) {
            if (i) kn_text_add_char(text, ',');
            kn_json_canonical(json_array_get(value, i), text);
        }
        kn_text_add_char(text, ']');
        break;
    case JSON_STRING:
        kn_text_add_quoted(text, json_string_value(value));
        break;
    case JSON_INTEGER:
        kn_text_printf(text, "%lld", (long long)json_integer_value(value));
        break;
    case JSON_REAL:
        add_real(text, json_real_value(value));
        break;
    case JSON_TRUE:
        kn_text_add(text, "true");
        break;
    case JSON_FALSE:
        kn_text_add(text, "false");
        break;
    case JSON_NULL:
        kn_text_add(text, "null");
        break;
    }
}
