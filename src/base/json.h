/* JSON on top of jansson: loading with positions in messages, getters that name the field, and a canonical
 * form.
 *
 * Reading goes through cursors: a KnJson is a value on the reader's stack that knows its parent, so that a
 * message can name the whole way to a field ("games.json: runs[3].seed: expected an integer") without any
 * cost until it is needed. A cursor points at its parent and borrows the document: keep both alive while it
 * is used. With key NULL a getter looks at the cursor's own value (an item of an array).
 *
 * Ownership: a loaded document is the caller's (json_decref). Strings and values from getters are borrowed.
 */
#ifndef KNACK_BASE_JSON_H
#define KNACK_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <jansson.h>

#include "base/error.h"
#include "base/text.h"

/* Malformed input is KN_INPUT, "NAME:line:column: what". A key that occurs twice in one object is malformed.
 */
KnStatus kn_json_load_file(const char *path, json_t **out, KnError *error);
KnStatus kn_json_load_bytes(const void *bytes, size_t size, const char *name, json_t **out, KnError *error);
/* The same for a document that begins at this line (from 1) of a file with one a line. */
KnStatus kn_json_load_line(const void *bytes, size_t size, const char *name, size_t line, json_t **out,
                           KnError *error);

typedef struct KnJson {
    json_t *value;
    const struct KnJson *parent; /* NULL at the root */
    const char *key;             /* in an object; at the root the document's name, or NULL */
    size_t index;                /* in an array, where key is NULL */
} KnJson;

KnJson kn_json_root(json_t *value, const char *name);

/* Each fails with KN_INPUT if the field is missing, of another type, or out of range. */
KnStatus kn_json_object(const KnJson *at, const char *key, KnJson *out, KnError *error);
KnStatus kn_json_array(const KnJson *at, const char *key, KnJson *out, KnError *error);
KnStatus kn_json_string(const KnJson *at, const char *key, const char **out, KnError *error);
KnStatus kn_json_integer(const KnJson *at, const char *key, int64_t low, int64_t high, int64_t *out,
                         KnError *error);
KnStatus kn_json_real(const KnJson *at, const char *key, double *out,
                      KnError *error); /* integers are reals too */
KnStatus kn_json_bool(const KnJson *at, const char *key, bool *out, KnError *error);

/* A seed or count of 64 bits: an integer, or, since JSON's integers end at 2^63, a string of decimal digits.
 */
KnStatus kn_json_uint64(const KnJson *at, const char *key, uint64_t *out, KnError *error);

/* The form that kn_json_uint64 reads; a new reference, or NULL. */
json_t *kn_json_from_uint64(uint64_t value);

/* Fields that may be absent: ask first. An explicit null counts as absent. */
bool kn_json_has(const KnJson *at, const char *key);

/* Items of an array cursor. kn_json_item is for index < kn_json_size(array). */
size_t kn_json_size(const KnJson *array);
KnJson kn_json_item(const KnJson *array, size_t index);

/* Fails if an object has a key that is not in `known` (ended by NULL), and lists those that are. */
KnStatus kn_json_only(const KnJson *object, const char *const *known, KnError *error);

/* A message of one's own about a field: "games.json: runs[3].seed: " and the text. KN_INPUT. */
KnStatus kn_json_fail(const KnJson *at, const char *key, KnError *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Equal documents give equal bytes: keys sorted, no blanks, reals in their shortest exact form (always with a
 * point or exponent, so that reading back gives a real again). For digests and for files that are compared.
 */
void kn_json_canonical(const json_t *value, KnText *text);

#endif
