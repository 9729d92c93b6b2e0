/* The header of a base, in JSON so that any LMDB tool shows it, and its counters. */
#include "methods/experience/internal.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/json.h"

static const char *const key_names[KN_BASE_KEYS] = {"exact", "board", "features"};

const char *kn_base_key_name(KnBaseKey key) { return key_names[key]; }

static MDB_val word(const char *text) { return (MDB_val){strlen(text), (void *)(uintptr_t)text}; }

KnStatus kn_base_write_header(MDB_txn *txn, MDB_dbi about, const char *path, const char *game,
                              const KnBaseKind *kind, KnError *error)
{
    if (strlen(game) >= KN_BASE_SPEC_MAX)
        return kn_fail(error, KN_INPUT, "the game's spec is too long for a base: %.80s...", game);
    json_t *header = json_pack("{ss si ss sb ss so ss ss}", "what", "knack experience base", "format",
                               KN_BASE_FORMAT, "game", game, "symmetry", kind->symmetry, "key",
                               key_names[kind->key], "limit", kn_json_from_uint64(kind->limit), "version",
                               KNACK_VERSION, "pdn", "black first");
    KnText text = KN_TEXT_EMPTY;
    kn_json_canonical(header, &text);
    json_decref(header);
    MDB_val key = word("header"), value = word(text.data);
    int code = kn_text_ok(&text) ? mdb_put(txn, about, &key, &value, 0) : ENOMEM;
    kn_text_free(&text);
    return code ? kn_base_fail(path, code, "writing its header", error) : KN_OK;
}

static KnStatus read_fields(const KnJson *root, const char *path, KnBaseHeader *header, KnError *error)
{
    const char *game, *key;
    int64_t format;
    KnStatus status = kn_json_integer(root, "format", 0, INT32_MAX, &format, error);
    if (status != KN_OK) return status;
    if (format > KN_BASE_FORMAT)
        return kn_fail(error, KN_INPUT,
                       "%s is an experience base of format %d, written by a newer version; this one reads up "
                       "to format %d",
                       path, (int)format, KN_BASE_FORMAT);
    status = kn_json_string(root, "game", &game, error);
    if (status == KN_OK) status = kn_json_bool(root, "symmetry", &header->kind.symmetry, error);
    if (status == KN_OK) status = kn_json_string(root, "key", &key, error);
    if (status == KN_OK) status = kn_json_uint64(root, "limit", &header->kind.limit, error);
    if (status != KN_OK) return status;
    int found = 0;
    while (found < KN_BASE_KEYS && strcmp(key_names[found], key) != 0) found++;
    if (found == KN_BASE_KEYS) return kn_json_fail(root, "key", error, "no such kind of key: %.40s", key);
    header->kind.key = (KnBaseKey)found;
    header->format = (int)format;
    header->pdn_marked = kn_json_has(root, "pdn");
    if (strlen(game) >= sizeof header->game) return kn_json_fail(root, "game", error, "too long");
    strcpy(header->game, game);
    return KN_OK;
}

KnStatus kn_base_read_header(MDB_txn *txn, MDB_dbi about, const char *path, KnBaseHeader *header,
                             KnError *error)
{
    MDB_val key = word("header"), value;
    int code = mdb_get(txn, about, &key, &value);
    if (code == MDB_NOTFOUND)
        return kn_fail(error, KN_INPUT, "%s is an LMDB file, but no experience base (it has no header)",
                       path);
    if (code) return kn_base_fail(path, code, "reading its header", error);
    json_t *document;
    KnText name = KN_TEXT_EMPTY;
    kn_text_printf(&name, "%s: header", path);
    KnStatus status = kn_json_load_bytes(value.mv_data, value.mv_size, name.data, &document, error);
    if (status == KN_OK) {
        KnJson root = kn_json_root(document, name.data);
        status = read_fields(&root, path, header, error);
        json_decref(document);
    }
    kn_text_free(&name);
    return status;
}

KnStatus kn_base_read_counters(MDB_txn *txn, MDB_dbi about, const char *path, KnBaseCounters *counters,
                               KnError *error)
{
    MDB_val key = word("counters"), value;
    int code = mdb_get(txn, about, &key, &value);
    if (code && code != MDB_NOTFOUND) return kn_base_fail(path, code, "reading its counters", error);
    size_t before = offsetof(KnBaseCounters, plays); /* in format 1, where a game counted once */
    if (code == MDB_NOTFOUND || (value.mv_size != sizeof *counters && value.mv_size != before))
        return kn_fail(error, KN_INPUT, "%s is damaged: its counters are gone", path);
    memcpy(counters, value.mv_data, value.mv_size);
    if (value.mv_size == before) counters->plays = counters->games;
    return KN_OK;
}

KnStatus kn_base_write_counters(MDB_txn *txn, MDB_dbi about, const char *path, const KnBaseCounters *counters,
                                KnError *error)
{
    MDB_val key = word("counters"), value = {sizeof *counters, (void *)(uintptr_t)counters};
    int code = mdb_put(txn, about, &key, &value, 0);
    return code ? kn_base_fail(path, code, "writing its counters", error) : KN_OK;
}
