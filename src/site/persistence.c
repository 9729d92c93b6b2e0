/* web/persistence.h for the site: a file for each document, DATA/kept/KIND.ID.json. The worker keeps that
 * folder in the browser (worker.js), so that games are there after the page was closed. */
#include "web/persistence.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"

enum { MOST_BYTES = 1 << 22 };

struct KnPersistence {
    const KnLog *log;
    char *folder;
    json_int_t stamp; /* of the latest document */
};

static void path_of(const KnPersistence *persistence, const char *kind, const char *id, KnText *path)
{
    KnText name = KN_TEXT_EMPTY;
    kn_text_printf(&name, "%s.%s.json", kind, id);
    kn_path_join(path, persistence->folder, name.data);
    kn_text_free(&name);
}

static KnStatus load(const char *path, json_t **document, KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = kn_file_read(path, &text, MOST_BYTES, error);
    if (status == KN_OK) status = kn_json_load_bytes(text.data, text.length, path, document, error);
    kn_text_free(&text);
    return status;
}

typedef struct Row {
    json_int_t stamp;
    json_t *row; /* {"id", "saved"} */
} Row;

static int by_stamp(const void *a, const void *b)
{
    json_int_t x = ((const Row *)a)->stamp, y = ((const Row *)b)->stamp;
    return (x < y) - (x > y);
}

/* The documents whose names begin with `prefix`, the most recent first. */
static size_t read_rows(KnPersistence *persistence, const char *prefix, Row **rows)
{
    DIR *folder = opendir(persistence->folder);
    size_t count = 0, room = 0, skip = strlen(prefix);
    *rows = NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (length < skip + 5 || strncmp(entry->d_name, prefix, skip) != 0) continue;
        KnText path = KN_TEXT_EMPTY;
        KnError error;
        json_t *document = NULL;
        kn_path_join(&path, persistence->folder, entry->d_name);
        KnStatus status = load(path.data, &document, &error);
        kn_text_free(&path);
        if (status != KN_OK) continue;
        if (count == room) {
            Row *more = realloc(*rows, (room = 2 * room + 16) * sizeof *more);
            if (!more) abort();
            *rows = more;
        }
        (*rows)[count++] = (Row){json_integer_value(json_object_get(document, "stamp")),
                                 json_pack("{ss% sO}", "id", entry->d_name + skip, length - skip - 5, "saved",
                                           json_object_get(document, "saved"))};
        json_decref(document);
    }
    if (folder) closedir(folder);
    if (count) qsort(*rows, count, sizeof **rows, by_stamp);
    return count;
}

static void free_rows(Row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) json_decref(rows[i].row);
    free(rows);
}

KnStatus kn_persistence_open(const KnContext *context, const KnLog *log, KnPersistence **out, KnError *error)
{
    KnText folder = KN_TEXT_EMPTY;
    KnPersistence *persistence = *out = calloc(1, sizeof *persistence);
    kn_path_join(&folder, kn_context_data(context), "kept");
    if (persistence) persistence->folder = strdup(folder.data);
    kn_text_free(&folder);
    if (!persistence || !persistence->folder) return kn_fail_memory(error, "opening the games");
    persistence->log = log;
    KnStatus status = kn_mkdirs(persistence->folder, error);
    Row *rows;
    size_t count = read_rows(persistence, "", &rows);
    if (count) persistence->stamp = rows[0].stamp;
    free_rows(rows, count);
    return status;
}

void kn_persistence_close(KnPersistence *persistence)
{
    if (!persistence) return;
    free(persistence->folder);
    free(persistence);
}

KnStatus kn_persistence_put(KnPersistence *persistence, const char *kind, const char *id, const json_t *saved,
                            KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    json_t *document = json_pack("{sI sO}", "stamp", ++persistence->stamp, "saved", saved);
    char *text = document ? json_dumps(document, JSON_COMPACT) : NULL;
    path_of(persistence, kind, id, &path);
    KnStatus status = text ? kn_file_write_atomic(path.data, text, strlen(text), error)
                           : kn_fail_memory(error, "saving a game");
    free(text);
    json_decref(document);
    kn_text_free(&path);
    return status;
}

KnStatus kn_persistence_get(KnPersistence *persistence, const char *kind, const char *id, json_t **saved,
                            KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    json_t *document = NULL;
    KnStatus status = KN_OK;
    *saved = NULL;
    path_of(persistence, kind, id, &path);
    if (!strchr(id, '/') && kn_file_exists(path.data)) status = load(path.data, &document, error);
    if (document) *saved = json_incref(json_object_get(document, "saved"));
    json_decref(document);
    kn_text_free(&path);
    return status;
}

KnStatus kn_persistence_delete(KnPersistence *persistence, const char *kind, const char *id, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    path_of(persistence, kind, id, &path);
    bool gone = unlink(path.data) == 0 || errno == ENOENT;
    KnStatus status = gone ? KN_OK : kn_fail_errno(error, "deleting %s", path.data);
    kn_text_free(&path);
    return status;
}

KnStatus kn_persistence_list(KnPersistence *persistence, const char *kind, int most, json_t **out,
                             KnError *error)
{
    KnText prefix = KN_TEXT_EMPTY;
    Row *rows;
    kn_text_printf(&prefix, "%s.", kind);
    size_t count = read_rows(persistence, prefix.data, &rows);
    kn_text_free(&prefix);
    *out = json_array();
    for (size_t i = 0; i < count && i < (size_t)most; i++) json_array_append(*out, rows[i].row);
    free_rows(rows, count);
    return *out ? KN_OK : kn_fail_memory(error, "listing games");
}
