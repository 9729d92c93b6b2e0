/* Serialisation of values for another process of the same build (jobs/job.h): numbers keep their memory
 * layout, strings carry their length.
 *
 *     kn_pack_u64(&text, 7);  kn_pack_string(&text, name);
 *     KnUnpack in = kn_unpack(text.data, text.length);
 *     uint64_t n = kn_unpack_u64(&in);  const char *name = kn_unpack_string(&in);
 *     if (!kn_unpack_ok(&in)) ...
 *
 * A struct is described once, by a layout, and packed and unpacked by it. Members that the layout does not
 * name are not sent:
 *
 *     static const KnLayout plan_layout = KN_LAYOUT(Plan, KN_STRINGS(Plan, game), KN_PLAIN(Plan, seed));
 *     kn_pack_struct(&text, &plan_layout, &plan);
 *     kn_unpack_struct(&in, &plan_layout, &copy);
 *
 * Reading beyond the end yields zeroes and sets `truncated`: check once at the end with kn_unpack_ok.
 * Ownership: strings and bytes that were read point into the buffer given to kn_unpack. */
#ifndef KNACK_JOBS_PACK_H
#define KNACK_JOBS_PACK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"

static inline void kn_pack_bytes(KnText *out, const void *bytes, size_t size)
{
    kn_text_add_bytes(out, bytes, size);
}
static inline void kn_pack_u64(KnText *out, uint64_t value) { kn_text_add_bytes(out, &value, sizeof value); }
static inline void kn_pack_int(KnText *out, int value) { kn_text_add_bytes(out, &value, sizeof value); }
static inline void kn_pack_real(KnText *out, double value) { kn_text_add_bytes(out, &value, sizeof value); }

/* NULL stays NULL. */
static inline void kn_pack_string(KnText *out, const char *string)
{
    kn_pack_u64(out, string ? strlen(string) + 1 : 0);
    if (string) kn_text_add_bytes(out, string, strlen(string) + 1);
}

typedef struct KnUnpack {
    const char *at;
    size_t left;
    bool truncated; /* something was read that is not there */
} KnUnpack;

static inline KnUnpack kn_unpack(const void *bytes, size_t size) { return (KnUnpack){bytes, size, false}; }

/* The next `size` bytes, or NULL where fewer are left. */
static inline const void *kn_unpack_bytes(KnUnpack *in, size_t size)
{
    if (size > in->left) {
        in->truncated = true;
        in->left = 0;
        return NULL;
    }
    const char *at = in->at;
    in->at += size;
    in->left -= size;
    return at;
}

static inline void kn_unpack_into(KnUnpack *in, void *value, size_t size)
{
    const void *bytes = kn_unpack_bytes(in, size);
    if (bytes)
        memcpy(value, bytes, size);
    else
        memset(value, 0, size);
}

static inline uint64_t kn_unpack_u64(KnUnpack *in)
{
    uint64_t value;
    kn_unpack_into(in, &value, sizeof value);
    return value;
}

static inline int kn_unpack_int(KnUnpack *in)
{
    int value;
    kn_unpack_into(in, &value, sizeof value);
    return value;
}

static inline double kn_unpack_real(KnUnpack *in)
{
    double value;
    kn_unpack_into(in, &value, sizeof value);
    return value;
}

static inline const char *kn_unpack_string(KnUnpack *in)
{
    size_t size = kn_unpack_u64(in);
    const char *string = size ? kn_unpack_bytes(in, size) : NULL;
    if (string && string[size - 1] == '\0') return string;
    if (size) in->truncated = true;
    return NULL;
}

/* Everything was there, and nothing is left. */
static inline bool kn_unpack_ok(const KnUnpack *in) { return !in->truncated && !in->left; }

/* ---- structs ---- */

typedef enum KnFieldKind {
    KN_FIELD_END,
    KN_FIELD_PLAIN,   /* a value without pointers, or an array of them */
    KN_FIELD_STRINGS, /* a const char *, or an array of them; unpacked, they point into the buffer */
    KN_FIELD_TEXT,    /* a KnText, any bytes; unpacking replaces its content */
    KN_FIELD_JSON     /* a json_t *; unpacking makes a new reference, or NULL */
} KnFieldKind;

typedef struct KnStructField {
    KnFieldKind kind;
    size_t offset, size;
} KnStructField;

typedef struct KnLayout {
    size_t size; /* of the struct; 0: there is none */
    const KnStructField *fields;
} KnLayout;

#define KN_FIELD(kind, type, member)                                                                         \
    {                                                                                                        \
        kind, offsetof(type, member), sizeof(((type *)0)->member)                                            \
    }
#define KN_PLAIN(type, member)   KN_FIELD(KN_FIELD_PLAIN, type, member)
#define KN_STRINGS(type, member) KN_FIELD(KN_FIELD_STRINGS, type, member)
#define KN_TEXT(type, member)    KN_FIELD(KN_FIELD_TEXT, type, member)
#define KN_JSON(type, member)    KN_FIELD(KN_FIELD_JSON, type, member)

/* The layout of a struct with these fields; of one that is plain as a whole. */
#define KN_LAYOUT(type, ...)                                                                                 \
    {                                                                                                        \
        sizeof(type), (const KnStructField[])                                                                \
        {                                                                                                    \
            __VA_ARGS__, { KN_FIELD_END, 0, 0 }                                                              \
        }                                                                                                    \
    }
#define KN_LAYOUT_PLAIN(type) KN_LAYOUT(type, {KN_FIELD_PLAIN, 0, sizeof(type)})

void kn_pack_struct(KnText *out, const KnLayout *layout, const void *object);
void kn_unpack_struct(KnUnpack *in, const KnLayout *layout, void *object);

#endif
