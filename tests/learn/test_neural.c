/* Neural networks: values against an independent count, both code paths, learning, files. */
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/neural_inside.h"

enum { CELLS = 37, SYMBOLS = 3, PHASES = 2, UNITS = 80 };

/* A board of 37 cells: chunks of four by vectors, and a rest. The exchange turns it round. */
static KnNeural *make(bool exchange)
{
    KnError error;
    KnNeural *net;
    uint16_t cells[CELLS];
    static const uint8_t swapped[SYMBOLS] = {0, 2, 1};
    for (int c = 0; c < CELLS; c++) cells[c] = (uint16_t)(CELLS - 1 - c);
    check_ok(error, kn_neural_new((KnNeuralSize){CELLS, SYMBOLS, PHASES, UNITS}, exchange ? cells : NULL,
                                  exchange ? swapped : NULL, &net, &error));
    return net;
}

static void fill(KnNeural *net, KnRng *rng)
{
    KnError error;
    for (size_t i = 0; i < net->at.count; i++) {
        int reach = i < net->at.output ? 60 : i < net->at.last ? KN_NEURAL_MOST : 4000;
        net->weights[i] = (int16_t)((int)kn_rng_below(rng, (uint32_t)(2 * reach + 1)) - reach);
    }
    check_ok(error, kn_neural_renew(net, &error));
}

static void draw_board(KnRng *rng, uint8_t *board)
{
    for (int c = 0; c < CELLS; c++) board[c] = (uint8_t)kn_rng_below(rng, SYMBOLS);
}

/* The value by its definition. */
static int32_t count_value(const KnNeural *net, const uint8_t *board, int side, int phase)
{
    int64_t sum = 0;
    int set = net->sets == 2 ? side : 0, output = set * PHASES + phase;
    for (int u = 0; u < UNITS; u++) {
        int unit = net->weights[net->at.bias + (size_t)(set * UNITS + u)];
        for (int c = 0; c < CELLS; c++) {
            int cell = side ? net->seen[c] : c, symbol = side ? net->symbol[board[c]] : board[c];
            unit += net->weights[(size_t)((cell * SYMBOLS + symbol) * UNITS + u)];
        }
        unit = unit < 0 ? 0 : unit > 255 ? 255 : unit;
        sum += (int64_t)unit * unit * net->weights[net->at.output + (size_t)(output * UNITS + u)];
    }
    return (int32_t)(sum * 4096 / (255 * 255 * 64)) + net->weights[net->at.last + (size_t)output];
}

/* What the units add comes to the value, with one number for the phase; a weight is what the definition has.
 */
static void check_contributions(const KnNeural *net, const uint8_t *board, int side, int phase, int32_t value)
{
    double added[UNITS], sum = 0;
    int output = (net->sets == 2 ? side : 0) * PHASES + phase;
    kn_neural_contributions(net, board, side, phase, added);
    for (int u = 0; u < UNITS; u++) sum += added[u];
    assert_true(fabs(sum + net->weights[net->at.last + (size_t)output] - value) < 1.01);
    assert_true(kn_neural_weight(net, 1, 2, 3) == net->weights[(1 * SYMBOLS + 2) * UNITS + 3] / 255.0);
}

static void test_values(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(1);
    for (int exchange = 0; exchange < 2; exchange++) {
        KnNeural *net = make(exchange);
        fill(net, &rng);
        int different = 0;
        for (long i = 0; i < check_scaled(500); i++) {
            uint8_t board[CELLS];
            int side = (int)kn_rng_below(&rng, 2), phase = (int)kn_rng_below(&rng, PHASES);
            draw_board(&rng, board);
            int32_t value = count_value(net, board, side, phase);
            assert_int_equal(kn_neural_value_plain(net, board, side, phase), value);
            assert_int_equal(kn_neural_value(net, board, side, phase), value);
            different += value != count_value(net, board, 1 - side, phase);
            check_contributions(net, board, side, phase, value);
        }
        assert_true(different > 10);
        kn_neural_free(net);
    }
}

/* The extremes do not overflow: all units full, all weights at their bound. */
static void test_extremes(void **state)
{
    (void)state;
    KnError error;
    KnNeural *net;
    check_ok(error, kn_neural_new((KnNeuralSize){4, 2, 1, KN_NEURAL_UNITS}, NULL, NULL, &net, &error));
    for (int sign = -1; sign <= 1; sign += 2) {
        for (size_t i = 0; i < net->at.count; i++)
            net->weights[i] = (int16_t)(i < net->at.output ? 255 : sign * KN_NEURAL_MOST);
        check_ok(error, kn_neural_renew(net, &error));
        const uint8_t board[32] = {1, 1, 1, 1};
        int32_t value = (int32_t)((int64_t)sign * KN_NEURAL_UNITS * 127 * 4096 / 64) + sign * 127;
        assert_int_equal(kn_neural_value(net, board, 0, 0), value);
        assert_int_equal(kn_neural_value_plain(net, board, 0, 0), value);
    }
    kn_neural_free(net);
}

/* Something that no sum over single cells can tell: whether the first two cells are alike. The target is for
 * side 0; the rest of the board is noise. */
static double target_of(const uint8_t *board) { return (board[0] == 1) == (board[1] == 1) ? 0.8 : -0.8; }

static double mean_error(const KnNeural *net, KnRng *rng)
{
    double sum = 0;
    for (int i = 0; i < 100; i++) {
        uint8_t board[CELLS];
        draw_board(rng, board);
        sum += fabs(target_of(board) - tanh(kn_neural_value(net, board, 0, 1) / 4096.0));
    }
    return sum / 100;
}

static KnNeuralLearner *train(KnNeural *net, int updates, KnRng *rng, const char *resume)
{
    KnError error;
    KnNeuralPlan plan = {.seed = 4, .passes = 2, .minibatch = 32};
    KnNeuralLearner *learner = kn_neural_learner_new(net, &plan);
    KnText bytes = KN_TEXT_EMPTY;
    char *header;
    assert_non_null(learner);
    for (int i = 0; i < updates; i++) {
        for (int k = 0; k < 400; k++) {
            uint8_t board[CELLS];
            draw_board(rng, board);
            kn_neural_learner_add(learner, board, 0, 1, target_of(board));
        }
        check_ok(error, kn_neural_learner_update(learner, 0.01, &error));
        if (!resume) continue; /* a learner of its own for each update */
        check_ok(error, kn_neural_learner_pack(learner, resume, &bytes, &error));
        kn_neural_learner_free(learner);
        learner = kn_neural_learner_new(net, &plan);
        check_ok(error,
                 kn_neural_learner_unpack(learner, bytes.data, bytes.length, "state", &header, &error));
        assert_string_equal(header, resume);
        free(header);
    }
    kn_text_free(&bytes);
    return learner;
}

static void test_learns(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(3), again = kn_rng_seeded(3);
    KnNeural *net = make(true), *resumed = make(true);
    KnNeuralLearner *learner = train(net, 12, &rng, NULL), *second = train(resumed, 12, &again, "{}");
    double error = mean_error(net, &rng);
    if (error > 0.3) fail_msg("errors of %.3f, where knowing nothing gives .8", error);
    assert_memory_equal(net->weights, resumed->weights, net->at.count * sizeof *net->weights);
    kn_neural_learner_free(learner);
    kn_neural_learner_free(second);
    kn_neural_free(net);
    kn_neural_free(resumed);
}

/* What is learned of a board is learned of its images too. */
static void test_symmetries(void **state)
{
    (void)state;
    KnError error;
    KnRng rng = kn_rng_seeded(8);
    KnNeural *net = make(true);
    KnNeuralLearner *learner = kn_neural_learner_new(net, &(KnNeuralPlan){5, 4, 16});
    uint16_t mirror[CELLS];
    for (int c = 0; c < CELLS; c++) mirror[c] = (uint16_t)(CELLS - 1 - c);
    assert_true(kn_neural_learner_symmetry(learner, mirror));
    for (int i = 0; i < 12; i++) { /* only the first cell counts, and only there was it ever seen */
        for (int k = 0; k < 200; k++) {
            uint8_t board[CELLS] = {0};
            board[0] = (uint8_t)kn_rng_below(&rng, SYMBOLS);
            kn_neural_learner_add(learner, board, 0, 0, board[0] == 1 ? 0.8 : -0.8);
        }
        check_ok(error, kn_neural_learner_update(learner, 0.01, &error));
    }
    uint8_t board[CELLS] = {0};
    board[CELLS - 1] = 1;
    assert_true(kn_neural_value(net, board, 0, 0) > 1000);
    kn_neural_learner_free(learner);
    kn_neural_free(net);
}

static void test_files(void **state)
{
    (void)state;
    KnError error;
    KnRng rng = kn_rng_seeded(6);
    for (int exchange = 0; exchange < 2; exchange++) {
        KnNeural *net = make(exchange), *again;
        KnText one = KN_TEXT_EMPTY, two = KN_TEXT_EMPTY;
        char *header;
        fill(net, &rng);
        check_ok(error, kn_neural_pack(net, "{\"a\":1}", &one, &error));
        check_ok(error, kn_neural_unpack(one.data, one.length, "file", &again, &header, &error));
        assert_string_equal(header, "{\"a\":1}");
        check_ok(error, kn_neural_pack(again, header, &two, &error));
        assert_int_equal(one.length, two.length);
        assert_memory_equal(one.data, two.data, one.length);
        free(header);
        kn_neural_free(again);
        one.data[one.length - 3] ^= 1;
        check_fails(error, KN_INPUT, "check sum",
                    kn_neural_unpack(one.data, one.length, "file", &again, &header, &error));
        check_fails(error, KN_INPUT, "not a file of a neural network",
                    kn_neural_unpack("kntuple1", 8, "file", &again, &header, &error));
        net->weights[net->at.output] = KN_NEURAL_MOST + 1;
        check_ok(error, kn_neural_pack(net, "{}", &one, &error));
        check_fails(error, KN_INPUT, "beyond 127",
                    kn_neural_unpack(one.data, one.length, "file", &again, &header, &error));
        kn_text_free(&one);
        kn_text_free(&two);
        kn_neural_free(net);
    }
}

static void test_refused(void **state)
{
    (void)state;
    KnError error;
    KnNeural *net;
    static const uint16_t twice[] = {1, 1};
    static const uint8_t same[] = {0, 1};
    check_fails(error, KN_INPUT, "multiple of 16",
                kn_neural_new((KnNeuralSize){2, 2, 1, 20}, NULL, NULL, &net, &error));
    check_fails(error, KN_INPUT, "permutation",
                kn_neural_new((KnNeuralSize){2, 2, 1, 16}, twice, same, &net, &error));
    check_fails(error, KN_INPUT, "fewer units",
                kn_neural_new((KnNeuralSize){1024, 64, 1, 256}, NULL, NULL, &net, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_extremes),
                                       cmocka_unit_test(test_learns), cmocka_unit_test(test_symmetries),
                                       cmocka_unit_test(test_files),  cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
