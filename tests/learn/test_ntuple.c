/* n-tuple networks: sums against an independent count, both code paths, learning, files. */
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/ntuple.h"

enum { CELLS = 9, SYMBOLS = 3, PHASES = 2 };

/* Three tuples on a board of nine cells: a single cell in four corners, a row in three, a bent one. */
static KnNtuple *make(bool exchange)
{
    KnError error;
    KnNtuple *net = kn_ntuple_new(CELLS, SYMBOLS, PHASES);
    static const uint16_t corners[] = {0, 2, 6, 8}, rows[] = {0, 1, 2, 3, 4, 5, 6, 7, 8},
                          bent[] = {0, 1, 4, 7};
    static const uint16_t mirror[] = {8, 7, 6, 5, 4, 3, 2, 1, 0};
    static const uint8_t swapped[] = {0, 2, 1};
    assert_non_null(net);
    if (exchange) check_ok(error, kn_ntuple_exchange(net, mirror, swapped, &error));
    check_ok(error, kn_ntuple_add(net, 1, 4, corners, &error));
    check_ok(error, kn_ntuple_add(net, 3, 3, rows, &error));
    check_ok(error, kn_ntuple_add(net, 4, 1, bent, &error));
    check_ok(error, kn_ntuple_finish(net, &error));
    return net;
}

static void fill(KnNtuple *net, KnRng *rng)
{
    for (size_t i = 0; i < kn_ntuple_size(net); i++)
        if (kn_ntuple_used(net, i)) kn_ntuple_weights(net)[i] = (int16_t)kn_rng_below(rng, 65535);
}

static void draw_board(KnRng *rng, uint8_t *board)
{
    for (int c = 0; c < CELLS; c++) board[c] = (uint8_t)kn_rng_below(rng, SYMBOLS);
}

/* Indices are sums of symbol times a power of the number of symbols, the first cell lowest. */
static void test_sums(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(1);
    KnNtuple *net = make(false);
    fill(net, &rng);
    for (long i = 0; i < check_scaled(1000); i++) {
        uint8_t board[CELLS];
        uint32_t indices[KN_NTUPLE_PLACEMENTS];
        int side = (int)kn_rng_below(&rng, 2), phase = (int)kn_rng_below(&rng, PHASES);
        draw_board(&rng, board);
        kn_ntuple_indices(net, board, side, phase, indices);
        int32_t sum = 0;
        uint32_t offset[3] = {0, 3, 3 + 27};
        for (int p = 0; p < kn_ntuple_placements(net); p++) {
            int length, tuple;
            const uint16_t *cells = kn_ntuple_placement(net, p, &length, &tuple);
            uint32_t index = 0, power = 1;
            for (int k = 0; k < length; k++, power *= SYMBOLS) index += power * board[cells[k]];
            size_t stride = kn_ntuple_size(net) / (2 * PHASES);
            assert_int_equal(indices[p], (size_t)(side * PHASES + phase) * stride + offset[tuple] + index);
            sum += kn_ntuple_weights(net)[indices[p]];
        }
        assert_int_equal(kn_ntuple_sum(net, board, side, phase), sum);
        assert_int_equal(kn_ntuple_sum_plain(net, board, side, phase), sum);
    }
    kn_ntuple_free(net);
}

/* The second side sees the exchanged board as the first side sees it. */
static void test_exchange(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(2);
    KnNtuple *net = make(true);
    fill(net, &rng);
    assert_true(kn_ntuple_exchanges(net));
    for (long i = 0; i < check_scaled(1000); i++) {
        static const uint8_t swapped[] = {0, 2, 1};
        uint8_t board[CELLS], seen[CELLS];
        draw_board(&rng, board);
        for (int c = 0; c < CELLS; c++) seen[8 - c] = swapped[board[c]];
        assert_int_equal(kn_ntuple_sum(net, board, 1, 1), kn_ntuple_sum(net, seen, 0, 1));
        assert_int_equal(kn_ntuple_sum_plain(net, board, 1, 1), kn_ntuple_sum(net, board, 1, 1));
    }
    kn_ntuple_free(net);
}

/* A wide network, with more vectors than registers and a last one that is not full. */
static void test_wide(void **state)
{
    (void)state;
    enum { WIDE = 64 };
    KnError error;
    KnRng rng = kn_rng_seeded(3);
    for (int tuples = 1; tuples < 200; tuples += 37) {
        KnNtuple *net = kn_ntuple_new(WIDE, 5, 1);
        for (int t = 0; t < tuples; t++) {
            uint16_t cells[4] = {(uint16_t)(t % WIDE), (uint16_t)((t + 5) % WIDE),
                                 (uint16_t)((t + 11) % WIDE), (uint16_t)((t + 30) % WIDE)};
            check_ok(error, kn_ntuple_add(net, 4, 1, cells, &error));
        }
        check_ok(error, kn_ntuple_finish(net, &error));
        fill(net, &rng);
        for (int i = 0; i < 50; i++) {
            uint8_t board[WIDE];
            for (int c = 0; c < WIDE; c++) board[c] = (uint8_t)kn_rng_below(&rng, 5);
            assert_int_equal(kn_ntuple_sum(net, board, i & 1, 0), kn_ntuple_sum_plain(net, board, i & 1, 0));
        }
        kn_ntuple_free(net);
    }
}

/* It learns an exclusive or of two cells, which no sum over single cells can tell. */
static void test_learns(void **state)
{
    (void)state;
    KnError error;
    KnRng rng = kn_rng_seeded(4);
    KnNtuple *net = kn_ntuple_new(4, 2, 1);
    check_ok(error, kn_ntuple_add(net, 2, 1, (const uint16_t[]){0, 1}, &error));
    check_ok(error, kn_ntuple_add(net, 2, 1, (const uint16_t[]){2, 3}, &error));
    check_ok(error, kn_ntuple_finish(net, &error));
    KnNtupleLearner *learner = kn_ntuple_learner_new(net, false);
    double early = 0, late = 0;
    for (int i = 0; i < 2000; i++) {
        uint8_t board[4];
        for (int c = 0; c < 4; c++) board[c] = (uint8_t)kn_rng_below(&rng, 2);
        double wanted = board[0] != board[1] ? 0.8 : -0.8,
               off = fabs(kn_ntuple_learn(learner, board, 0, 0, wanted, 0.5));
        *(i < 200 ? &early : &late) += off / (i < 200 ? 200 : 1800);
    }
    if (!(late < 0.02 && early > 2 * late)) fail_msg("errors %.4f, then %.4f", early, late);
    kn_ntuple_learner_free(learner);
    kn_ntuple_free(net);
}

/* One step by hand: error 1, rate 1/2, two placements; the second step has the coherent step size 1 too. The
 * third has an error of the other sign, and the step size |1 + e| / (1 + |e|) of before. */
static void test_step_sizes(void **state)
{
    (void)state;
    KnError error;
    KnNtuple *net = kn_ntuple_new(2, 2, 1);
    check_ok(error, kn_ntuple_add(net, 1, 2, (const uint16_t[]){0, 1}, &error));
    check_ok(error, kn_ntuple_finish(net, &error));
    KnNtupleLearner *learner = kn_ntuple_learner_new(net, false);
    const uint8_t board[2] = {1, 0};
    double first = kn_ntuple_learn(learner, board, 0, 0, 1, 0.5);
    assert_true(fabs(first - 1) < 1e-12);
    assert_int_equal(kn_ntuple_sum(net, board, 0, 0), KN_NTUPLE_ONE / 2);
    double second = kn_ntuple_learn(learner, board, 0, 0, -1, 0.5); /* all agreed so far: step size 1 */
    double sum = 0.5 + 0.5 * second;
    assert_true(fabs(kn_ntuple_sum(net, board, 0, 0) - KN_NTUPLE_ONE * sum) <= 1);
    double third = kn_ntuple_learn(learner, board, 0, 0, 1, 0.5);
    sum += 0.5 * third * fabs(1 + second) / (1 + fabs(second));
    if (fabs(kn_ntuple_sum(net, board, 0, 0) - KN_NTUPLE_ONE * sum) > 2)
        fail_msg("%d is not %.3f", kn_ntuple_sum(net, board, 0, 0), KN_NTUPLE_ONE * sum);
    kn_ntuple_learner_free(learner);
    kn_ntuple_free(net);
}

/* Two placements that read the same weight count twice, and a step still takes its share of the error. */
static void test_shared_step(void **state)
{
    (void)state;
    KnError error;
    KnNtuple *net = kn_ntuple_new(3, 2, 1);
    check_ok(error, kn_ntuple_add(net, 1, 3, (const uint16_t[]){0, 1, 2}, &error));
    check_ok(error, kn_ntuple_finish(net, &error));
    KnNtupleLearner *learner = kn_ntuple_learner_new(net, true);
    const uint8_t board[3] = {1, 0, 1};
    kn_ntuple_learn(learner, board, 0, 0, 1, 0.5);
    assert_true(abs(kn_ntuple_sum(net, board, 0, 0) - KN_NTUPLE_ONE / 2) <= 2);
    assert_true(abs(kn_ntuple_weights(net)[1] - 2 * kn_ntuple_weights(net)[0]) <= 1);
    kn_ntuple_learner_free(learner);
    kn_ntuple_free(net);
}

/* A line that is read in both directions folds into one that is read once. */
static void test_fold_orders(void **state)
{
    (void)state;
    KnError error;
    KnRng rng = kn_rng_seeded(8);
    KnNtuple *net = kn_ntuple_new(9, 3, 1), *folded;
    const uint16_t rows[] = {0, 1, 2, 2, 1, 0, 3, 4, 5, 5, 4, 3}, mixed[] = {6, 7, 8, 8, 7, 6, 6, 8, 7};
    check_ok(error, kn_ntuple_add(net, 3, 4, rows, &error));
    check_ok(error, kn_ntuple_add(net, 3, 3, mixed, &error));
    check_ok(error, kn_ntuple_finish(net, &error));
    fill(net, &rng);
    for (size_t i = 0; i < kn_ntuple_size(net); i++) kn_ntuple_weights(net)[i] /= 4; /* sums still fit */
    check_ok(error, kn_ntuple_fold(net, &folded, &error));
    assert_int_equal(kn_ntuple_placements(folded), 3); /* two rows, and one set of cells in three orders */
    for (int i = 0; i < 200; i++) {
        uint8_t board[9];
        for (int c = 0; c < 9; c++) board[c] = (uint8_t)kn_rng_below(&rng, 3);
        assert_int_equal(kn_ntuple_sum(folded, board, 0, 0), kn_ntuple_sum(net, board, 0, 0));
    }
    kn_ntuple_free(folded);
    kn_ntuple_free(net);
}

/* A folded network of two tuples that pair, with weights below `most`: the number of its tuples. Sums stay
 * the same. */
static int paired(int most, const uint16_t *other)
{
    static const uint16_t one[] = {0, 1, 8, 7};
    KnError error;
    KnRng rng = kn_rng_seeded(3);
    KnNtuple *net = kn_ntuple_new(CELLS, SYMBOLS, PHASES), *folded;
    check_ok(error, kn_ntuple_add(net, 2, 2, one, &error));
    check_ok(error, kn_ntuple_add(net, 2, 2, other, &error));
    check_ok(error, kn_ntuple_finish(net, &error));
    for (size_t i = 0; i < kn_ntuple_size(net); i++)
        if (kn_ntuple_used(net, i))
            kn_ntuple_weights(net)[i] = (int16_t)(most - (int)kn_rng_below(&rng, 100));
    check_ok(error, kn_ntuple_fold(net, &folded, &error));
    for (long i = 0; i < check_scaled(200); i++) {
        uint8_t board[CELLS];
        int side = (int)kn_rng_below(&rng, 2), phase = (int)kn_rng_below(&rng, PHASES);
        draw_board(&rng, board);
        assert_int_equal(kn_ntuple_sum(folded, board, side, phase), kn_ntuple_sum(net, board, side, phase));
        assert_int_equal(kn_ntuple_sum_plain(folded, board, side, phase),
                         kn_ntuple_sum(net, board, side, phase));
    }
    int tuples = kn_ntuple_tuples(folded);
    kn_ntuple_free(folded);
    kn_ntuple_free(net);
    return tuples;
}

/* Tuples pair if their placements do, in any order, unless a sum of weights is too large. */
static void test_pairs(void **state)
{
    (void)state;
    static const uint16_t along[] = {7, 6, 1, 2}, across[] = {7, 6, 3, 8}, apart[] = {4, 5, 3, 2};
    assert_int_equal(paired(1000, along), 1);
    assert_int_equal(paired(1000, apart), 1);
    assert_int_equal(paired(1000, across), 2);
    assert_int_equal(paired(30000, along), 2);
}

static void test_file(void **state)
{
    (void)state;
    KnError error;
    KnRng rng = kn_rng_seeded(5);
    for (int exchange = 0; exchange < 2; exchange++) {
        KnNtuple *net = make(exchange), *again;
        KnText one = KN_TEXT_EMPTY, two = KN_TEXT_EMPTY;
        char *header;
        fill(net, &rng);
        check_ok(error, kn_ntuple_pack(net, "{\"a\":1}", &one, &error));
        check_ok(error, kn_ntuple_unpack(one.data, one.length, "file", &again, &header, &error));
        assert_string_equal(header, "{\"a\":1}");
        assert_memory_equal(kn_ntuple_weights(net), kn_ntuple_weights(again), 2 * kn_ntuple_size(net));
        check_ok(error, kn_ntuple_pack(again, header, &two, &error));
        assert_int_equal(one.length, two.length);
        assert_memory_equal(one.data, two.data, one.length);
        free(header);
        kn_ntuple_free(again);
        for (size_t i = 0; i < one.length; i++) { /* one wrong byte anywhere */
            one.data[i] ^= 0x10;
            assert_int_equal(kn_ntuple_unpack(one.data, one.length, "file", &again, &header, &error),
                             KN_INPUT);
            one.data[i] ^= 0x10;
        }
        for (size_t size = 0; size < one.length; size += 7) /* cut short */
            assert_int_equal(kn_ntuple_unpack(one.data, size, "file", &again, &header, &error), KN_INPUT);
        kn_text_free(&one);
        kn_text_free(&two);
        kn_ntuple_free(net);
    }
}

/* A learner that was saved and read goes on as if nothing had happened. */
static void test_learner_file(void **state)
{
    (void)state;
    KnError error;
    KnNtuple *nets[2] = {make(true), make(true)};
    KnNtupleLearner *learners[2] = {kn_ntuple_learner_new(nets[0], false),
                                    kn_ntuple_learner_new(nets[1], false)};
    KnText bytes = KN_TEXT_EMPTY;
    KnRng rng = kn_rng_seeded(6);
    for (int i = 0; i < 400; i++) {
        uint8_t board[CELLS];
        double target = kn_rng_real(&rng) * 2 - 1;
        draw_board(&rng, board);
        if (i == 200) {
            char *header;
            check_ok(error, kn_ntuple_learner_pack(learners[0], "half", &bytes, &error));
            check_ok(error, kn_ntuple_learner_unpack(learners[1], bytes.data, bytes.length, "file", &header,
                                                     &error));
            assert_string_equal(header, "half");
            free(header);
            check_fails(
                error, KN_INPUT, "damaged",
                kn_ntuple_learner_unpack(learners[1], bytes.data, bytes.length - 1, "file", &header, &error));
        }
        kn_ntuple_learn(learners[0], board, i & 1, 0, target, 0.5);
        if (i >= 200) kn_ntuple_learn(learners[1], board, i & 1, 0, target, 0.5);
    }
    assert_memory_equal(kn_ntuple_weights(nets[0]), kn_ntuple_weights(nets[1]), 2 * kn_ntuple_size(nets[0]));
    kn_text_free(&bytes);
    for (int i = 0; i < 2; i++) {
        kn_ntuple_learner_free(learners[i]);
        kn_ntuple_free(nets[i]);
    }
}

static void test_trim(void **state)
{
    (void)state;
    KnError error;
    KnNtuple *net = kn_ntuple_new(1, 3, 1);
    check_ok(error, kn_ntuple_add(net, 1, 1, (const uint16_t[]){0}, &error));
    check_ok(error, kn_ntuple_finish(net, &error));
    KnNtupleLearner *learner = kn_ntuple_learner_new(net, false);
    int16_t weights[64];
    assert_true(kn_ntuple_size(net) <= 64);
    kn_ntuple_learn(learner, (const uint8_t[]){1}, 0, 0, 0.1, 1);
    kn_ntuple_learn(learner, (const uint8_t[]){2}, 0, 0, -0.9, 1);
    kn_ntuple_learner_trim(learner, 0.5, 100, weights);
    assert_int_equal(weights[1], 0);
    assert_int_equal(weights[2], -3700); /* -0.9 * 4096 is -3686 */
    assert_int_not_equal(kn_ntuple_weights(net)[1], 0);
    kn_ntuple_learner_free(learner);
    kn_ntuple_free(net);
}

static void test_refused(void **state)
{
    (void)state;
    KnError error;
    KnNtuple *net = kn_ntuple_new(4, 3, 1);
    check_fails(error, KN_INPUT, "twice", kn_ntuple_add(net, 2, 1, (const uint16_t[]){1, 1}, &error));
    check_fails(error, KN_INPUT, "beyond", kn_ntuple_add(net, 1, 1, (const uint16_t[]){4}, &error));
    check_fails(error, KN_INPUT, "placements", kn_ntuple_add(net, 1, 5000, (const uint16_t[]){0}, &error));
    check_fails(error, KN_INPUT, "permutation",
                kn_ntuple_exchange(net, (const uint16_t[]){0, 1, 2, 2}, (const uint8_t[]){0, 1, 2}, &error));
    check_fails(error, KN_INPUT, "permutation",
                kn_ntuple_exchange(net, (const uint16_t[]){0, 1, 2, 3}, (const uint8_t[]){1, 0, 2}, &error));
    check_fails(error, KN_INPUT, "without tuples", kn_ntuple_finish(net, &error));
    kn_ntuple_free(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),        cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_wide),        cmocka_unit_test(test_learns),
        cmocka_unit_test(test_step_sizes),  cmocka_unit_test(test_shared_step),
        cmocka_unit_test(test_fold_orders), cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_file),        cmocka_unit_test(test_learner_file),
        cmocka_unit_test(test_trim),        cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
