#include "lab/units.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/sealed.h"

enum { MOST_BYTES = 1 << 30 };

struct KnUnits {
    char *path;
    char *identity;
    json_t *kept; /* key: value */
    int file;     /* -1 until there is one */
};

/* ---- reading what an earlier run left ---- */

static bool header_fits(const json_t *line, const char *identity)
{
    const char *found = json_string_value(json_object_get(line, "identity"));
    return found && strcmp(found, identity) == 0;
}

/* Takes over the complete lines of a run of this identity; returns how many bytes they fill. */
static size_t take_lines(KnUnits *units, const char *text)
{
    size_t good = 0;
    for (const char *at = text, *end; (end = strchr(at, '\n')); at = end + 1) {
        json_t *line = json_loadb(at, (size_t)(end - at), JSON_REJECT_DUPLICATES, NULL);
        bool whole = kn_sealed_take(line) == KN_SEAL_WHOLE; /* else it is measured again */
        const char *key = json_string_value(json_object_get(line, "key"));
        json_t *value = json_object_get(line, "value");
        bool fits = whole && (at == text ? header_fits(line, units->identity) : key && value);
        if (fits && at != text) fits = json_object_set(units->kept, key, value) == 0;
        json_decref(line);
        if (!fits) break;
        good = (size_t)(end + 1 - text);
    }
    return good;
}

/* Opens and locks an existing file, and cuts off what does not belong to this run. */
static KnStatus open_old(KnUnits *units, bool fresh, KnError *error)
{
    units->file = open(units->path, O_RDWR | O_CLOEXEC);
    if (units->file < 0)
        return errno == ENOENT ? KN_OK : kn_fail_errno(error, "%s: cannot open", units->path);
    if (kn_file_lock(units->file) == KN_LOCK_BUSY)
        return kn_fail(error, KN_SYSTEM,
                       "%s: another process is measuring this; wait for it, or use another --seed",
                       units->path);
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = fresh ? KN_OK : kn_file_read(units->path, &text, MOST_BYTES, error);
    size_t good = status == KN_OK ? take_lines(units, text.data) : 0;
    kn_text_free(&text);
    if (status != KN_OK) return status;
    if (ftruncate(units->file, (off_t)good) != 0 || lseek(units->file, 0, SEEK_END) < 0)
        return kn_fail_errno(error, "%s: cannot cut off an unfinished line", units->path);
    return KN_OK;
}

KnStatus kn_units_open(const char *path, const char *identity, bool fresh, KnUnits **out, KnError *error)
{
    *out = NULL;
    KnUnits *units = calloc(1, sizeof *units);
    if (!units) return kn_fail_memory(error, "opening the units of a run");
    units->file = -1;
    units->path = strdup(path);
    units->identity = strdup(identity);
    units->kept = json_object();
    KnStatus status = units->path && units->identity && units->kept
                          ? open_old(units, fresh, error)
                          : kn_fail_memory(error, "opening the units of a run");
    if (status == KN_OK)
        *out = units;
    else
        kn_units_close(units);
    return status;
}

void kn_units_close(KnUnits *units)
{
    if (!units) return;
    if (units->file >= 0) close(units->file);
    json_decref(units->kept);
    free(units->identity);
    free(units->path);
    free(units);
}

/* ---- keeping ---- */

const json_t *kn_units_get(const KnUnits *units, const char *key)
{
    return json_object_get(units->kept, key);
}

static KnStatus append(KnUnits *units, json_t *line, KnError *error)
{
    if (!kn_sealed_add(line)) return kn_fail_memory(error, "keeping a unit");
    KnText text = KN_TEXT_EMPTY;
    kn_json_canonical(line, &text);
    kn_text_add_char(&text, '\n');
    KnStatus status = kn_text_ok(&text) ? KN_OK : kn_fail_memory(error, "keeping a unit");
    off_t before = lseek(units->file, 0, SEEK_END);
    for (size_t done = 0; status == KN_OK && done < text.length;) {
        ssize_t put = write(units->file, text.data + done, text.length - done);
        if (put >= 0)
            done += (size_t)put;
        else if (errno != EINTR)
            status = kn_fail_errno(error, "%s: cannot write; make room and run the same command again",
                                   units->path);
    }
    if (status == KN_OK && fdatasync(units->file) != 0)
        status = kn_fail_errno(error, "%s: cannot sync", units->path);
    if (status != KN_OK && before >= 0 &&
        ftruncate(units->file, before) != 0) { /* the reader drops the torn line */
    }
    kn_text_free(&text);
    return status;
}

/* Makes the file, if need be, with its header. */
static KnStatus start_file(KnUnits *units, KnError *error)
{
    if (units->file < 0) {
        units->file = open(units->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (units->file < 0) return kn_fail_errno(error, "%s: cannot make", units->path);
        if (kn_file_lock(units->file) == KN_LOCK_BUSY)
            return kn_fail(error, KN_SYSTEM,
                           "%s: another process is measuring this; wait for it, or use another --seed",
                           units->path);
        if (lseek(units->file, 0, SEEK_END) >
            0) /* there was none when this run began, so what it holds was not taken over */
            return kn_fail(error, KN_SYSTEM,
                           "%s: another process has begun to measure this; give the same command again to go "
                           "on from there",
                           units->path);
    }
    if (lseek(units->file, 0, SEEK_END) > 0) return KN_OK;
    json_t *header = json_pack("{si ss}", "format", 1, "identity", units->identity);
    KnStatus status = header ? append(units, header, error) : kn_fail_memory(error, "keeping a unit");
    json_decref(header);
    return status;
}

KnStatus kn_units_keep(KnUnits *units, const char *key, json_t *value, KnError *error)
{
    KnStatus status = start_file(units, error);
    json_t *line = status == KN_OK ? json_pack("{ss sO}", "key", key, "value", value) : NULL;
    if (status == KN_OK) status = line ? append(units, line, error) : kn_fail_memory(error, "keeping a unit");
    if (status == KN_OK && json_object_set(units->kept, key, value) != 0)
        status = kn_fail_memory(error, "keeping a unit");
    json_decref(line);
    json_decref(value);
    return status;
}
