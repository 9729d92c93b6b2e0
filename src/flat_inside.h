/* What the files of the flat interface share. */
#ifndef KNACK_FLAT_INSIDE_H
#define KNACK_FLAT_INSIDE_H

#include <stdatomic.h>

#include "base/context.h"
#include "base/json.h"
#include "flat.h"

struct KnFlat {
    KnContext *context;
    KnError error;
    atomic_bool cancel;
};

/* What a call ends with: a document as text (its reference is taken), or NULL with the error kept. */
char *kn_flat_answer(KnFlat *flat, KnStatus status, json_t *document);

/* A plan, checked for members that nobody knows; `name` stands in messages. The caller releases it. */
KnStatus kn_flat_plan(KnFlat *flat, const char *text, const char *name, const char *const *known,
                      json_t **plan);

/* Members that may be absent; they leave the value alone then. */
KnStatus kn_flat_string(const KnJson *at, const char *key, const char **value, KnError *error);
KnStatus kn_flat_integer(const KnJson *at, const char *key, int64_t low, int64_t high, int64_t *value,
                         KnError *error);
KnStatus kn_flat_seed(const KnJson *at, const char *key, uint64_t *value, KnError *error);

#endif
