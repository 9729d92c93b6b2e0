/* The transposition table: what goes in comes out, what is cleared is gone, and threads never read what
 * nobody wrote. */
#include "support/check.h"

#include <pthread.h>
#include <stdlib.h>

#include <knack/base.h>
#include "search/transposition_table.h"

static KnTranspositionTable *made(size_t bytes)
{
    KnError error;
    KnTranspositionTable *table = kn_tt_new(bytes, &error);
    assert_non_null(table);
    return table;
}

static void entries_come_back_whole(void **state)
{
    (void)state;
    KnTranspositionTable *table = made(1 << 20);
    KnRng rng = kn_rng_seeded(1);
    for (int i = 0; i < 3000; i++) {
        uint64_t key = kn_rng_next(&rng);
        KnTableEntry in = {(KnScore)kn_rng_below(&rng, 2000000) - 1000000, (int)kn_rng_below(&rng, 4095) - 1,
                           (int)kn_rng_below(&rng, 251), (KnBound)(1 + kn_rng_below(&rng, 3)),
                           kn_rng_below(&rng, 2)};
        KnTableEntry out = {0};
        assert_false(kn_tt_probe(table, key, 0, &out));
        kn_tt_store(table, key, 3, &in);
        assert_true(kn_tt_probe(table, key, 9, &out));
        assert_int_equal(in.score, out.score);
        assert_int_equal(in.move, out.move);
        assert_int_equal(in.depth, out.depth);
        assert_int_equal(in.bound, out.bound);
        assert_int_equal(in.complete, out.complete);
    }
    kn_tt_free(table);
}

/* A win 5 plies below a node that stood at ply 3 is, where the node stands at ply 10, a win at ply 15. */
static void wins_count_from_the_node(void **state)
{
    (void)state;
    KnTranspositionTable *table = made(1 << 16);
    KnTableEntry in = {KN_SCORE_WIN - 8, -1, 4, KN_BOUND_EXACT, false}, out;
    kn_tt_store(table, 5, 3, &in);
    assert_true(kn_tt_probe(table, 5, 10, &out));
    assert_int_equal(out.score, KN_SCORE_WIN - 15);
    in.score = -KN_SCORE_WIN + 8;
    kn_tt_store(table, 6, 3, &in);
    assert_true(kn_tt_probe(table, 6, 0, &out));
    assert_int_equal(out.score, -KN_SCORE_WIN + 5);
    kn_tt_free(table);
}

static void a_known_move_outlives_a_result_without_one(void **state)
{
    (void)state;
    KnTranspositionTable *table = made(1 << 16);
    KnTableEntry in = {1, 17, 4, KN_BOUND_LOWER, false}, out;
    kn_tt_store(table, 5, 0, &in);
    in = (KnTableEntry){-1, -1, 6, KN_BOUND_UPPER, false};
    kn_tt_store(table, 5, 0, &in);
    assert_true(kn_tt_probe(table, 5, 0, &out));
    assert_int_equal(out.move, 17);
    assert_int_equal(out.depth, 6);
    kn_tt_free(table);
}

/* Clearing leaves nothing that probing or replacing could notice, also after it has come around. */
static void a_cleared_table_is_as_new(void **state)
{
    (void)state;
    KnTranspositionTable *used = made(4096), *fresh = made(4096);
    KnRng noise = kn_rng_seeded(2);
    for (int round = 0; round < 200; round++) {
        kn_tt_clear(used);
        kn_tt_clear(fresh);
        for (int i = 0; i < 500; i++) {
            KnTableEntry in = {i, i, (int)kn_rng_below(&noise, 100), KN_BOUND_EXACT, false};
            if (i % 100 == 0) kn_tt_age(used);
            kn_tt_store(used, kn_rng_next(&noise), 0, &in);
        }
        kn_tt_clear(used);
        KnRng rng = kn_rng_seeded((uint64_t)round);
        for (int i = 0; i < 300; i++) {
            uint64_t key = kn_rng_next(&rng);
            KnTableEntry in = {i, i, (int)kn_rng_below(&rng, 100), KN_BOUND_EXACT, false};
            if (i == 150) kn_tt_age(used), kn_tt_age(fresh);
            kn_tt_store(used, key, 0, &in);
            kn_tt_store(fresh, key, 0, &in);
        }
        rng = kn_rng_seeded((uint64_t)round);
        int kept = 0;
        for (int i = 0; i < 300; i++, kn_rng_below(&rng, 100)) {
            uint64_t key = kn_rng_next(&rng);
            KnTableEntry a, b;
            bool there = kn_tt_probe(used, key, 0, &a);
            assert_int_equal(there, kn_tt_probe(fresh, key, 0, &b));
            kept += there;
        }
        assert_true(kept > 100 && kept < 300); /* 256 places for 300 entries */
    }
    kn_tt_free(used);
    kn_tt_free(fresh);
}

/* Deep entries stay, shallow ones go, and those of earlier searches go sooner. */
static void replacement_keeps_what_cost_most(void **state)
{
    (void)state;
    KnTranspositionTable *table = made(64); /* one cluster: four entries */
    KnTableEntry in = {0, -1, 10, KN_BOUND_EXACT, false}, out;
    for (uint64_t key = 1; key <= 4; key++) kn_tt_store(table, key, 0, &in);
    in.depth = 3;
    kn_tt_store(table, 5, 0, &in);
    in.depth = 4;
    kn_tt_store(table, 6, 0, &in); /* in the place of 5 */
    int deep = 0;
    for (uint64_t key = 1; key <= 4; key++) deep += kn_tt_probe(table, key, 0, &out);
    assert_int_equal(deep, 3);
    assert_false(kn_tt_probe(table, 5, 0, &out));
    assert_true(kn_tt_probe(table, 6, 0, &out));
    kn_tt_age(table);
    for (uint64_t key = 11; key <= 14; key++) kn_tt_store(table, key, 0, &in);
    for (uint64_t key = 1; key <= 6; key++) assert_false(kn_tt_probe(table, key, 0, &out));
    for (uint64_t key = 11; key <= 14; key++) assert_true(kn_tt_probe(table, key, 0, &out));
    kn_tt_free(table);
}

/* What a thread stores under a key follows from the key; so whatever is read must, too. */
typedef struct Worker {
    KnTranspositionTable *table;
    uint64_t seed;
    long hits, wrong;
} Worker;

static KnTableEntry entry_of(uint64_t key)
{
    uint64_t bits = kn_mix64(key);
    return (KnTableEntry){(KnScore)(bits % 100000), (int)(bits >> 32 & 0x3ff), (int)(bits >> 42 & 0x7f),
                          (KnBound)(1 + (bits >> 50) % 3), bits >> 60 & 1};
}

static void *hammer(void *argument)
{
    Worker *worker = argument;
    KnRng rng = kn_rng_seeded(worker->seed);
    for (long i = check_scaled(300000); i > 0; i--) {
        uint64_t key = kn_mix64(kn_rng_below(&rng, 2000));
        KnTableEntry entry = entry_of(key), found;
        if (kn_rng_below(&rng, 2)) {
            kn_tt_store(worker->table, key, 0, &entry);
        } else if (kn_tt_probe(worker->table, key, 0, &found)) {
            worker->hits++;
            worker->wrong += found.score != entry.score || found.move != entry.move ||
                             found.depth != entry.depth || found.bound != entry.bound ||
                             found.complete != entry.complete;
        }
    }
    return NULL;
}

static void threads_read_only_what_was_written(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    KnTranspositionTable *table = made(64 * 64); /* 256 entries for 2000 keys: much is overwritten */
    pthread_t threads[THREADS];
    Worker workers[THREADS] = {{0}};
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (Worker){.table = table, .seed = (uint64_t)i};
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, &workers[i]), 0);
    }
    long hits = 0, wrong = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        hits += workers[i].hits;
        wrong += workers[i].wrong;
    }
    assert_true(hits > 1000);
    assert_int_equal(wrong, 0);
    kn_tt_free(table);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    KnError error;
    assert_null(kn_tt_new(SIZE_MAX / 2, &error));
    assert_int_equal(error.status, KN_SYSTEM);
    KnTranspositionTable *least = made(0);
    assert_int_equal(least->count, 1);
    kn_tt_free(least);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_come_back_whole),
        cmocka_unit_test(wins_count_from_the_node),
        cmocka_unit_test(a_known_move_outlives_a_result_without_one),
        cmocka_unit_test(a_cleared_table_is_as_new),
        cmocka_unit_test(replacement_keeps_what_cost_most),
        cmocka_unit_test(threads_read_only_what_was_written),
        cmocka_unit_test(impossible_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
