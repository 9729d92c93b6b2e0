/* Values as bytes and back, for what one process tells another of the same build (base/team.h): numbers as
 * they lie in memory, strings with their length.
 *
 *     kn_pack_u64(&text, 7);  kn_pack_string(&text, name);
 *     KnUnpack in = kn_unpack(text.data, text.length);
 *     uint64_t n = kn_unpack_u64(&in);  const char *name = kn_unpack_string(&in);
 *     if (!kn_unpack_ok(&in)) ...
 *
 * Reading beyond the end gives zeroes and is remembered: ask once at the end, as with KnText.
 * Ownership: what is read points into the bytes given. */
#ifndef KNACK_BASE_PACK_H
#define KNACK_BASE_PACK_H

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
    bool short_of; /* something was read that is not there */
} KnUnpack;

static inline KnUnpack kn_unpack(const void *bytes, size_t size) { return (KnUnpack){bytes, size, false}; }

/* The next bytes, or NULL if there are not so many. */
static inline const void *kn_unpack_bytes(KnUnpack *in, size_t size)
{
    if (size > in->left) {
        in->short_of = true;
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
    if (size) in->short_of = true;
    return NULL;
}

/* All was there, and nothing is left. */
static inline bool kn_unpack_ok(const KnUnpack *in) { return !in->short_of && !in->left; }

#endif
