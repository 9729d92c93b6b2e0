#include "base/sealed.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"

static const char MEMBER[] = "checksum", STAMP[] = "edited";
enum { DIGITS = 16, LARGEST = 1 << 28 };

/* The checksum of an object without that member. */
static bool sum_of(const json_t *document, char sum[DIGITS + 1])
{
    KnText canonical = KN_TEXT_EMPTY;
    kn_json_canonical(document, &canonical);
    bool ok = kn_text_ok(&canonical);
    KnHash128 hash = ok ? kn_hash128(canonical.data, canonical.length) : (KnHash128){0, 0};
    kn_text_free(&canonical);
    snprintf(sum, DIGITS + 1, "%016llx", (unsigned long long)hash.low);
    return ok;
}

bool kn_sealed_add(json_t *document)
{
    char sum[DIGITS + 1];
    json_object_del(document, MEMBER);
    return sum_of(document, sum) && json_object_set_new(document, MEMBER, json_string(sum)) == 0;
}

KnStatus kn_sealed_text(KnText *text, KnError *error)
{
    json_t *document;
    char sum[DIGITS + 1];
    if (!kn_text_ok(text)) return kn_fail_memory(error, "sealing a document");
    KnStatus status = kn_json_load_bytes(text->data, text->length, "a document of ours", &document, error);
    if (status != KN_OK) return status;
    size_t members = json_object_size(document);
    bool ok = sum_of(document, sum);
    json_decref(document);
    size_t end = text->length;
    while (end && text->data[end - 1] != '}') end--;
    KnText sealed = KN_TEXT_EMPTY;
    kn_text_add_bytes(&sealed, text->data, end ? end - 1 : 0);
    while (sealed.length && strchr(" \n", sealed.data[sealed.length - 1])) sealed.length--;
    kn_text_printf(&sealed, "%s\n \"%s\": \"%s\"}\n", members ? "," : "", MEMBER, sum);
    if (!ok || !end || !kn_text_ok(&sealed)) {
        kn_text_free(&sealed);
        return kn_fail_memory(error, "sealing a document");
    }
    kn_text_free(text);
    *text = sealed;
    return KN_OK;
}

KnStatus kn_sealed_write(const char *path, const char *text, KnError *error)
{
    KnText sealed = KN_TEXT_EMPTY;
    kn_text_add(&sealed, text);
    KnStatus status = kn_sealed_text(&sealed, error);
    if (status == KN_OK) status = kn_file_write_atomic(path, sealed.data, sealed.length, error);
    kn_text_free(&sealed);
    return status;
}

KnSeal kn_sealed_take(json_t *document)
{
    json_t *found = json_object_get(document, MEMBER);
    if (!found) return KN_SEAL_NONE;
    char sum[DIGITS + 1];
    json_incref(found);
    json_object_del(document, MEMBER);
    const char *told = json_string_value(found);
    bool fits = sum_of(document, sum) && told && strcmp(told, sum) == 0;
    json_decref(found);
    return fits ? KN_SEAL_WHOLE : KN_SEAL_EDITED;
}

KnStatus kn_sealed_load(const char *path, json_t **out, KnSeal *seal, KnError *error)
{
    KnStatus status = kn_json_load_file(path, out, error);
    *seal = status == KN_OK ? kn_sealed_take(*out) : KN_SEAL_NONE;
    return status;
}

void kn_sealed_stamp(json_t *object, KnSeal seal)
{
    if (seal == KN_SEAL_EDITED) json_object_set_new(object, STAMP, json_true());
}

bool kn_sealed_stamped(const json_t *object) { return json_is_true(json_object_get(object, STAMP)); }

/* Documents of ours are objects with a format; bulk data begins otherwise and is not read. */
static bool begins_like_one(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > LARGEST) return false;
    FILE *file = fopen(path, "re");
    if (!file) return false;
    int first = fgetc(file);
    fclose(file);
    return first == '{';
}

void kn_sealed_note(const char *path, KnText *note)
{
    json_t *document = NULL;
    KnSeal seal;
    if (!begins_like_one(path) || kn_sealed_load(path, &document, &seal, NULL) != KN_OK) return;
    const char *what = NULL;
    if (!json_object_get(document, "format"))
        what = NULL; /* somebody else's */
    else if (seal == KN_SEAL_EDITED || kn_sealed_stamped(document) ||
             kn_sealed_stamped(json_object_get(document, "made")))
        what = "edited by hand or damaged: it does not fit its checksum";
    else if (seal == KN_SEAL_NONE)
        what = "not checked: it has no checksum (written by hand or by an older version)";
    if (what) kn_text_printf(note, "%s%s is %s", note->length ? "; " : "", path, what);
    json_decref(document);
}
