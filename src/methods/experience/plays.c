/* The times that games were played, and against whom.
 *
 * A row of `plays` has the game's id and the play's as its key, and the opponent's number as its value, with
 * a check sum of both (rows that were written before there was one have only the number). Plays of which
 * nothing is known are numbered from 0 within their game, so that a copy of a base, or its export, adds
 * nothing to it. Names stand in `about`, each with a zero byte behind it, and beside them their check sum;
 * the first has number 1. */
#include "methods/experience/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = sizeof(KnHash128) + sizeof(uint64_t), ROW_SIZE = 3, NAME_MAX = KN_BASE_SPEC_MAX };

static const char NAMES[] = "opponents", SUM[] = "opponents' check sum";

static void write_key(const KnHash128 *game, uint64_t id, unsigned char key[KEY_SIZE])
{
    memcpy(key, game, sizeof *game);
    for (int i = 0; i < 8; i++) key[sizeof *game + (size_t)i] = (unsigned char)(id >> (56 - 8 * i));
}

static uint64_t read_id(const unsigned char *key)
{
    uint64_t id = 0;
    for (int i = 0; i < 8; i++) id = id << 8 | key[sizeof(KnHash128) + (size_t)i];
    return id;
}

static void write_row(const unsigned char key[KEY_SIZE], uint32_t opponent, unsigned char row[ROW_SIZE])
{
    unsigned char whole[KEY_SIZE + 1];
    memcpy(whole, key, KEY_SIZE);
    row[0] = whole[KEY_SIZE] = (unsigned char)opponent;
    uint64_t check = kn_hash64(whole, sizeof whole, 0x706C6179);
    row[1] = (unsigned char)check;
    row[2] = (unsigned char)(check >> 8);
}

static bool read_row(const MDB_val *key, const MDB_val *value, uint32_t *opponent)
{
    if (key->mv_size != KEY_SIZE || (value->mv_size != 1 && value->mv_size != ROW_SIZE)) return false;
    unsigned char row[ROW_SIZE];
    *opponent = *(const unsigned char *)value->mv_data;
    write_row(key->mv_data, *opponent, row);
    return memcmp(row, value->mv_data, value->mv_size) == 0;
}

uint64_t kn_base_play_id(const char *text, uint64_t number)
{
    KnDigest digest;
    kn_digest_start(&digest);
    kn_digest_string(&digest, text);
    kn_digest_u64(&digest, number);
    uint64_t id = kn_digest_end(&digest).high;
    return id ? id : 1; /* 0 means that there is none */
}

/* ---- names ---- */

static KnStatus read_names(KnBase *base, MDB_txn *txn, MDB_val *names, KnError *error)
{
    MDB_val key = {sizeof NAMES - 1, (void *)(uintptr_t)NAMES};
    int code = mdb_get(txn, base->tables[KN_TABLE_ABOUT], &key, names);
    if (code == MDB_NOTFOUND) *names = (MDB_val){0, (void *)(uintptr_t) ""};
    bool sound = code == MDB_NOTFOUND ||
                 (!code && (!names->mv_size || !((const char *)names->mv_data)[names->mv_size - 1]));
    MDB_val sum_key = {sizeof SUM - 1, (void *)(uintptr_t)SUM}, sum;
    int summed = mdb_get(txn, base->tables[KN_TABLE_ABOUT], &sum_key, &sum);
    if (summed != MDB_NOTFOUND) {
        uint64_t wanted = kn_hash64(names->mv_data, names->mv_size, 0);
        sound &= !summed && sum.mv_size == sizeof wanted && memcmp(sum.mv_data, &wanted, sizeof wanted) == 0;
    }
    return sound ? KN_OK
                 : kn_base_fail(base->path, code ? code : MDB_CORRUPTED, "reading names of opponents", error);
}

/* A name as it is kept: one that is too long ends in a digest of the whole. */
static void cut_name(const char *name, char kept[NAME_MAX])
{
    if (strlen(name) < NAME_MAX) {
        strcpy(kept, name);
        return;
    }
    char hex[KN_HEX128];
    kn_hash128_hex(kn_hash128(name, strlen(name)), hex);
    snprintf(kept, NAME_MAX, "%.*s #%s", NAME_MAX - 2 - (int)sizeof hex, name, hex);
}

KnStatus kn_opponent_number(KnBase *base, MDB_txn *txn, const char *name, bool make, uint32_t *number,
                            KnError *error)
{
    char wanted[NAME_MAX];
    MDB_val names;
    *number = 0;
    if (!name || !*name) return KN_OK;
    cut_name(name, wanted);
    KnStatus status = read_names(base, txn, &names, error);
    if (status != KN_OK) return status;
    uint32_t count = 0;
    const char *at = names.mv_data, *end = at + names.mv_size;
    for (; at < end; at += strlen(at) + 1) {
        count++;
        if (strcmp(at, wanted) == 0) *number = count;
    }
    if (*number || !make || count == KN_BASE_OPPONENTS) return KN_OK;
    KnText longer = KN_TEXT_EMPTY;
    kn_text_add_bytes(&longer, names.mv_data, names.mv_size);
    kn_text_add_bytes(&longer, wanted, strlen(wanted) + 1);
    MDB_val key = {sizeof NAMES - 1, (void *)(uintptr_t)NAMES}, value = {longer.length, longer.data};
    int code = kn_text_ok(&longer) ? mdb_put(txn, base->tables[KN_TABLE_ABOUT], &key, &value, 0) : 0;
    if (kn_text_ok(&longer) && !code) {
        uint64_t check = kn_hash64(longer.data, longer.length, 0);
        key = (MDB_val){sizeof SUM - 1, (void *)(uintptr_t)SUM};
        value = (MDB_val){sizeof check, &check};
        code = mdb_put(txn, base->tables[KN_TABLE_ABOUT], &key, &value, 0);
    }
    status = !kn_text_ok(&longer) ? kn_fail_memory(error, "adding a game")
             : code               ? kn_base_fail(base->path, code, "naming an opponent", error)
                                  : KN_OK;
    kn_text_free(&longer);
    if (status == KN_OK) *number = count + 1;
    return status;
}

KnStatus kn_opponent_name(KnBase *base, MDB_txn *txn, uint32_t number, const char **name, KnError *error)
{
    MDB_val names;
    *name = "";
    if (!number) return KN_OK;
    KnStatus status = read_names(base, txn, &names, error);
    if (status != KN_OK) return status;
    const char *at = names.mv_data, *end = at + names.mv_size;
    for (uint32_t i = 1; at < end && i < number; i++) at += strlen(at) + 1;
    if (at >= end) return kn_base_fail(base->path, MDB_CORRUPTED, "looking for an opponent's name", error);
    *name = at;
    return KN_OK;
}

KnStatus kn_base_against(KnBase *base, const char *opponent, KnError *error)
{
    MDB_txn *txn;
    base->against = 0;
    if (!opponent || base->format < 2) return KN_OK;
    KnStatus status = kn_base_reading(base, &txn, error);
    if (status == KN_OK) status = kn_opponent_number(base, txn, opponent, false, &base->against, error);
    kn_base_read_done(base);
    return status;
}

/* ---- rows ---- */

KnStatus kn_plays_each(KnBase *base, MDB_txn *txn, const KnHash128 *game, KnVisitPlayRow visit, void *user,
                       KnError *error)
{
    if (base->format < 2) return visit(user, kn_base_play_id("", 0), 0, error); /* each counted once there */
    MDB_cursor *cursor;
    unsigned char first[KEY_SIZE];
    write_key(game, 0, first);
    MDB_val key = {sizeof first, first}, value;
    int code = mdb_cursor_open(txn, base->tables[KN_TABLE_PLAYS], &cursor);
    if (code) return kn_base_fail(base->path, code, "reading who played a game", error);
    KnStatus status = KN_OK;
    for (code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE); !code && status == KN_OK;
         code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
        uint32_t opponent;
        if (!read_row(&key, &value, &opponent)) {
            code = MDB_CORRUPTED;
            break;
        }
        if (memcmp(key.mv_data, game, sizeof *game) != 0) break;
        status = visit(user, read_id(key.mv_data), opponent, error);
    }
    mdb_cursor_close(cursor);
    if (status == KN_OK && code && code != MDB_NOTFOUND)
        status = kn_base_fail(base->path, code, "reading who played a game", error);
    return status;
}

static KnStatus is_kept(const KnBase *base, const KnHash128 *game, uint64_t id, bool *kept, KnError *error)
{
    unsigned char bytes[KEY_SIZE];
    write_key(game, id, bytes);
    MDB_val key = {sizeof bytes, bytes}, value;
    int code = mdb_get(base->writer, base->tables[KN_TABLE_PLAYS], &key, &value);
    *kept = !code;
    return code && code != MDB_NOTFOUND ? kn_base_fail(base->path, code, "looking for a game", error) : KN_OK;
}

/* The first number that is free. Numbers have no gaps, so it is looked for by halves. */
static KnStatus find_free(const KnBase *base, const KnHash128 *game, uint64_t *id, KnError *error)
{
    uint64_t low = 0, high = 1; /* what is below `low` is kept */
    bool kept = true;
    KnStatus status = KN_OK;
    for (; status == KN_OK; low = high, high *= 2) {
        status = is_kept(base, game, kn_base_play_id("", high - 1), &kept, error);
        if (!kept) break;
    }
    for (high--; status == KN_OK && low < high;) {
        uint64_t middle = low + (high - low) / 2;
        status = is_kept(base, game, kn_base_play_id("", middle), &kept, error);
        if (kept)
            low = middle + 1;
        else
            high = middle;
    }
    *id = kn_base_play_id("", low);
    return status;
}

KnStatus kn_plays_keep(KnBase *base, const KnHash128 *game, const KnBasePlay *play, uint32_t *opponent,
                       bool *added, KnError *error)
{
    uint64_t id = play ? play->id : 0;
    bool kept = false;
    KnStatus status = id ? is_kept(base, game, id, &kept, error) : find_free(base, game, &id, error);
    *added = status == KN_OK && !kept;
    if (!*added) return status;
    status = kn_opponent_number(base, base->writer, play ? play->opponent : NULL, true, opponent, error);
    if (status != KN_OK) return status;
    unsigned char bytes[KEY_SIZE], row[ROW_SIZE];
    write_key(game, id, bytes);
    write_row(bytes, *opponent, row);
    MDB_val key = {sizeof bytes, bytes}, value = {sizeof row, row};
    int code = mdb_put(base->writer, base->tables[KN_TABLE_PLAYS], &key, &value, 0);
    if (code) return kn_base_fail(base->path, code, "adding a game", error);
    base->counters.plays++;
    return KN_OK;
}

KnStatus kn_plays_forget(KnBase *base, const KnHash128 *game, KnError *error)
{
    MDB_cursor *cursor;
    int code = mdb_cursor_open(base->writer, base->tables[KN_TABLE_PLAYS], &cursor);
    if (code) return kn_base_fail(base->path, code, "forgetting a game", error);
    for (;;) {
        unsigned char first[KEY_SIZE];
        write_key(game, 0, first);
        MDB_val key = {sizeof first, first}, value;
        code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
        if (code || key.mv_size != KEY_SIZE || memcmp(key.mv_data, game, sizeof *game) != 0) break;
        code = mdb_cursor_del(cursor, 0);
        if (code) break;
        base->counters.plays--;
    }
    mdb_cursor_close(cursor);
    return code && code != MDB_NOTFOUND ? kn_base_fail(base->path, code, "forgetting a game", error) : KN_OK;
}

/* ---- who ---- */

KnStatus kn_base_opponents(KnBase *base, KnVisitOpponent visit, void *user, KnError *error)
{
    uint64_t games[KN_BASE_OPPONENTS + 1] = {0};
    MDB_txn *txn;
    MDB_cursor *cursor = NULL;
    MDB_val key, value;
    KnBaseStat size;
    KnStatus status = kn_base_size(base, &size, error);
    if (status == KN_OK && base->format < 2) return size.games ? visit(user, "", size.games, error) : KN_OK;
    if (status == KN_OK) status = kn_base_reading(base, &txn, error);
    if (status != KN_OK) return status;
    int code = mdb_cursor_open(txn, base->tables[KN_TABLE_PLAYS], &cursor);
    while (!code && !(code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT))) {
        uint32_t opponent;
        if (read_row(&key, &value, &opponent))
            games[opponent]++;
        else
            code = MDB_CORRUPTED;
    }
    if (cursor) mdb_cursor_close(cursor);
    if (code != MDB_NOTFOUND) status = kn_base_fail(base->path, code, "reading who played its games", error);
    for (uint32_t i = 0; i <= KN_BASE_OPPONENTS && status == KN_OK; i++) {
        const char *name;
        if (!games[i]) continue;
        status = kn_opponent_name(base, txn, i, &name, error);
        if (status == KN_OK) status = visit(user, name, games[i], error);
    }
    kn_base_read_done(base);
    return status;
}
