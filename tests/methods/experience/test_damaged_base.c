/* Damage to an experience base: bytes changed anywhere, keys, plays and names with a flipped bit. It is told,
 * by whoever meets it and by the check. */
#include "support/check.h"
#include "support/experience.h"
#include "support/workbench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include <lmdb.h>

/* Bytes changed anywhere: the base opens and checks, or says that it is damaged; it never takes the program
 * down. */
static void test_damage(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("othello(size=6)");
    KnBase *base = test_open_base(game, "whole.mdb", KN_BASE_MAKE, NULL);
    test_fill_base(base, game, 1, 40, 100);
    kn_base_close(base);
    KnText content = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("whole.mdb", &content, 1 << 26, &error));
    KnRng rng = kn_rng_seeded(6);
    long noticed = 0,
         tries = check_scaled(60) < 30 ? 30 : check_scaled(60); /* of a few all may be harmless */
    for (long i = 0; i < tries; i++) {
        char *bytes = malloc(content.length);
        memcpy(bytes, content.data, content.length);
        uint32_t at = kn_rng_below(&rng, (uint32_t)content.length), run = 1 + kn_rng_below(&rng, 3000);
        for (uint32_t k = at; k < at + run && k < content.length; k++) bytes[k] = (char)kn_rng_next(&rng);
        unlink("hurt.mdb");
        check_ok(error, kn_file_write_atomic("hurt.mdb", bytes, i % 10 == 9 ? at : content.length, &error));
        free(bytes);
        KnStatus status = kn_base_check(workbench, game, "hurt.mdb", &error);
        if (status == KN_OK) continue;
        noticed++;
        if (status != KN_INPUT || !error.text[0]) fail_msg("status %d: %s", status, error.text);
    }
    assert_true(noticed * 3 > tries); /* what lies in pages that are free hurts nobody */
    check_ok(error, kn_file_write_atomic("hurt.mdb", content.data, content.length / 2 / 4096 * 4096, &error));
    check_fails(error, KN_INPUT, "damaged",
                kn_base_open(workbench, game, "hurt.mdb", 0, NULL, &base, &error));
    kn_text_free(&content);
    kn_game_close(game);
}

/* Opens a copy of a base by LMDB itself, for an edit that the base does not know of. */
static MDB_txn *edit(const char *from, const char *table, MDB_env **env, MDB_dbi *dbi)
{
    KnError error;
    MDB_txn *txn;
    KnText content = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read(from, &content, 1 << 26, &error));
    check_ok(error, kn_file_write_atomic("wrong.mdb", content.data, content.length, &error));
    kn_text_free(&content);
    assert_int_equal(mdb_env_create(env), 0);
    mdb_env_set_maxdbs(*env, 8);
    assert_int_equal(mdb_env_open(*env, "wrong.mdb", MDB_NOSUBDIR, 0600), 0);
    assert_int_equal(mdb_txn_begin(*env, NULL, 0, &txn), 0);
    assert_int_equal(mdb_dbi_open(txn, table, 0, dbi), 0);
    return txn;
}

static void edited(MDB_env *env, MDB_txn *txn)
{
    assert_int_equal(mdb_txn_commit(txn), 0);
    mdb_env_close(env);
}

static KnStatus count_games(void *user, const char *name, uint64_t games, KnError *error)
{
    (void)error;
    (void)name;
    *(uint64_t *)user += games;
    return KN_OK;
}

/* Who played, and when: a flipped bit in the id of a play, in the number of an opponent or in a name. */
static void test_wrong_plays(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("tictactoe");
    KnBase *base = test_open_base(game, "plays.mdb", KN_BASE_MAKE, NULL);
    KnState *line = kn_state_new(game);
    KnRng rng = kn_rng_seeded(4);
    for (uint64_t i = 1; i <= 12; i++) {
        double outcome = test_play_random(line, &rng, 100);
        KnBasePlay play = {i, i % 2 ? "anna" : "bert"};
        check_ok(error, kn_base_add(base, line, outcome, &play, NULL, &error));
    }
    kn_state_free(line);
    kn_base_close(base);
    check_ok(error, kn_base_check(workbench, game, "plays.mdb", &error));
    for (int way = 0; way < 3; way++) {
        MDB_env *env;
        MDB_dbi table;
        MDB_cursor *cursor;
        MDB_val key = {9, "opponents"}, value;
        MDB_txn *txn = edit("plays.mdb", way == 2 ? "about" : "plays", &env, &table);
        assert_int_equal(mdb_cursor_open(txn, table, &cursor), 0);
        assert_int_equal(mdb_cursor_get(cursor, &key, &value, way == 2 ? MDB_SET_KEY : MDB_FIRST), 0);
        unsigned char name[64], row[64];
        assert_true(key.mv_size <= sizeof name && value.mv_size <= sizeof row);
        memcpy(name, key.mv_data, key.mv_size);
        memcpy(row, value.mv_data, value.mv_size);
        MDB_val new_key = {key.mv_size, name}, new_value = {value.mv_size, row};
        if (way == 0) assert_int_equal(mdb_cursor_del(cursor, 0), 0);
        mdb_cursor_close(cursor);
        if (way == 0) name[key.mv_size - 1] ^= 1;
        if (way == 1) row[0] ^= 3; /* anna and bert trade places */
        if (way == 2) row[2] ^= 1;
        assert_int_equal(mdb_put(txn, table, &new_key, &new_value, 0), 0);
        edited(env, txn);
        uint64_t games = 0;
        KnStatus status = kn_base_open(workbench, game, "wrong.mdb", 0, NULL, &base, &error);
        if (status == KN_OK) status = kn_base_opponents(base, count_games, &games, &error);
        check_fails(error, KN_INPUT, "damaged", status);
        kn_base_close(base);
        if (way < 2)
            check_fails(error, KN_INPUT, "damaged", kn_base_check(workbench, game, "wrong.mdb", &error));
    }
    kn_game_close(game);
}

/* A flipped bit in the key of a position makes it another or an unknown one: whoever asks for it or for its
 * parent hears of the damage, and so does the check. */
static void test_wrong_keys(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("tictactoe");
    KnBase *base = test_open_base(game, "keys.mdb", KN_BASE_MAKE, NULL);
    test_fill_base(base, game, 8, 200, 100);
    kn_base_close(base);
    unsigned char start[game->position_size] __attribute__((aligned(16)));
    KnMove moves[game->max_moves];
    KnBaseMove rows[game->max_moves];
    KnBaseView view;
    game->type->start(game, start);
    int count = game->type->moves(game, start, moves);
    for (int way = 0; way < 6; way++) {
        /* Every position gets the number of the next one (0), or one bit of its key flips (others). */
        MDB_env *env;
        MDB_dbi keys;
        MDB_cursor *cursor;
        MDB_val key, value;
        MDB_txn *txn = edit("keys.mdb", "keys", &env, &keys);
        assert_int_equal(mdb_cursor_open(txn, keys, &cursor), 0);
        unsigned char names[2000][16];
        uint32_t numbers[2000], found = 0;
        while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 && found < 2000) {
            assert_int_equal(key.mv_size, 16);
            memcpy(names[found], key.mv_data, 16);
            memcpy(&numbers[found++], value.mv_data, 4);
        }
        mdb_cursor_close(cursor);
        assert_true(found > 100);
        for (uint32_t i = 0; i < found; i++) {
            uint32_t number = numbers[way ? i : (i + 1) % found];
            bool flips = way && i % 6 == (uint32_t)way;
            key = (MDB_val){16, names[i]};
            if (flips) assert_int_equal(mdb_del(txn, keys, &key, NULL), 0);
            if (flips) names[i][way] ^= 1;
            value = (MDB_val){4, &number};
            assert_int_equal(mdb_put(txn, keys, &key, &value, 0), 0);
        }
        edited(env, txn);
        check_fails(error, KN_INPUT, "damaged", kn_base_check(workbench, game, "wrong.mdb", &error));
        KnStatus status = kn_base_open(workbench, game, "wrong.mdb", 0, NULL, &base, &error);
        if (status == KN_OK) status = kn_base_look(base, start, moves, count, rows, &view, &error);
        bool told = status != KN_OK;
        for (int i = 0; i < count && status == KN_OK; i++) {
            unsigned char next[game->position_size] __attribute__((aligned(16)));
            KnMove replies[game->max_moves];
            KnBaseMove known[game->max_moves];
            memcpy(next, start, game->position_size);
            game->type->play(game, next, moves[i]);
            int number = game->type->moves(game, next, replies);
            status = kn_base_look(base, next, replies, number, known, &view, &error);
            told |= status != KN_OK;
        }
        if (!told) fail_msg("way %d: nobody said a word", way);
        assert_non_null(strstr(error.text, "damaged"));
        kn_base_close(base);
    }
    kn_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_damage), cmocka_unit_test(test_wrong_keys),
                                       cmocka_unit_test(test_wrong_plays)};
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
