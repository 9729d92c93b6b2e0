#include "jobs/pack.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/assert.h"

static void pack_json(KnText *out, const json_t *value)
{
    char *text = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    kn_pack_string(out, text);
    free(text);
}

static json_t *unpack_json(KnUnpack *in)
{
    const char *text = kn_unpack_string(in);
    json_t *value = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    if (text && !value) in->truncated = true;
    return value;
}

static void pack_text(KnText *out, const KnText *text)
{
    kn_pack_u64(out, text->length);
    kn_pack_bytes(out, text->data, text->length);
}

static void unpack_text(KnUnpack *in, KnText *text)
{
    size_t length = kn_unpack_u64(in);
    const char *bytes = kn_unpack_bytes(in, length);
    if (text->data)
        kn_text_clear(text);
    else
        *text = KN_TEXT_EMPTY;
    if (bytes) kn_text_add_bytes(text, bytes, length);
    if (!kn_text_ok(text)) in->truncated = true;
}

static void pack_field(KnText *out, const KnStructField *field, const char *at)
{
    switch (field->kind) {
    case KN_FIELD_PLAIN:
        kn_pack_bytes(out, at, field->size);
        break;
    case KN_FIELD_STRINGS:
        KN_ASSERT(field->size % sizeof(char *) == 0);
        for (size_t i = 0; i < field->size / sizeof(char *); i++)
            kn_pack_string(out, ((const char *const *)(const void *)at)[i]);
        break;
    case KN_FIELD_TEXT:
        KN_ASSERT(field->size == sizeof(KnText));
        pack_text(out, (const KnText *)(const void *)at);
        break;
    case KN_FIELD_JSON:
        KN_ASSERT(field->size == sizeof(json_t *));
        pack_json(out, *(json_t *const *)(const void *)at);
        break;
    case KN_FIELD_END:
        break;
    }
}

static void unpack_field(KnUnpack *in, const KnStructField *field, char *at)
{
    switch (field->kind) {
    case KN_FIELD_PLAIN:
        kn_unpack_into(in, at, field->size);
        break;
    case KN_FIELD_STRINGS:
        for (size_t i = 0; i < field->size / sizeof(char *); i++)
            ((const char **)(void *)at)[i] = kn_unpack_string(in);
        break;
    case KN_FIELD_TEXT:
        unpack_text(in, (KnText *)(void *)at);
        break;
    case KN_FIELD_JSON:
        *(json_t **)(void *)at = unpack_json(in);
        break;
    case KN_FIELD_END:
        break;
    }
}

void kn_pack_struct(KnText *out, const KnLayout *layout, const void *object)
{
    for (const KnStructField *field = layout->fields; field->kind != KN_FIELD_END; field++) {
        KN_ASSERT(field->offset + field->size <= layout->size);
        pack_field(out, field, (const char *)object + field->offset);
    }
}

void kn_unpack_struct(KnUnpack *in, const KnLayout *layout, void *object)
{
    for (const KnStructField *field = layout->fields; field->kind != KN_FIELD_END; field++)
        unpack_field(in, field, (char *)object + field->offset);
}
