/* Temporal differences: an update worked out by hand, gradients against differences, what fixed and known
 * mean. */
#include "support/check.h"

#include <math.h>
#include <string.h>

#include <knack/base.h>

#include "learn/td.h"

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) < 1e-9)) fail_msg("%.12g is not %.12g", a, b);
}

/* With scale 10 and alpha .1 the step is the difference itself. Predictions 0 and 1/2, then a win.
 *   t=0: gradient (1, 0); trace (1, 0);    difference 1/2: (1/2, 0)
 *   t=1: gradient (0, 2 * 3/4); trace (1/2, 3/2); difference 1/2: (1/4, 3/4) */
static void test_update_by_hand(void **state)
{
    (void)state;
    KnTd *td = kn_td_open(2, 1);
    KnTdRule rule = {.alpha = 0.1, .lambda = 0.5, .scale = 10};
    double change[2] = {0}, surprise;
    uint64_t updates[2] = {0};
    assert_true(kn_td_add(td, 0, 0, (double[]){1, 0}));
    assert_true(kn_td_add(td, 10 * atanh(0.5), 0, (double[]){0, 2}));
    kn_td_learn(td, &rule, 1, 0, change, updates, &surprise);
    assert_near(change[0], 0.75);
    assert_near(change[1], 0.75);
    assert_near(surprise, 0.5);
    assert_true(updates[0] == 1 && updates[1] == 1);
    kn_td_close(td);
}

/* The same two predictions in different phases change rows of their own; a known third takes the trace on. */
static void test_phases_fixed_and_known(void **state)
{
    (void)state;
    KnTd *td = kn_td_open(2, 2);
    KnTdRule rule = {.alpha = 0.1, .lambda = 0.5, .scale = 10};
    double change[4] = {0};
    assert_true(kn_td_add(td, 0, 0, (double[]){1, 1}));
    assert_true(kn_td_add(td, 10 * atanh(0.5), 1, (double[]){1, 2}));
    assert_true(kn_td_add_known(td, 1));
    assert_int_equal(kn_td_steps(td), 3);
    kn_td_learn(td, &rule, 1, 1, change, NULL, NULL);
    assert_near(change[0], 0); /* fixed */
    assert_near(change[2], 0);
    assert_near(change[1], 0.5 + 0.25);
    assert_near(change[3], 0.75);
    /* The next game begins with nothing. */
    kn_td_clear(td);
    memset(change, 0, sizeof change);
    kn_td_learn(td, &rule, 1, 0, change, NULL, NULL);
    for (int i = 0; i < 4; i++) assert_near(change[i], 0);
    kn_td_close(td);
}

/* One prediction: the change is alpha * (outcome - P) * gradient, the gradient as a quotient of small
 * differences. */
static void test_gradient_against_differences(void **state)
{
    (void)state;
    const double weights[3] = {12, -7.5, 3}, values[3] = {2, 1, -4}, h = 1e-4;
    KnTdRule rule = {.alpha = 0.01, .lambda = 0.95, .scale = 80};
    double sum = 0, change[3] = {0};
    for (int i = 0; i < 3; i++) sum += weights[i] * values[i];
    KnTd *td = kn_td_open(3, 1);
    assert_true(kn_td_add(td, sum, 0, values));
    kn_td_learn(td, &rule, -1, 0, change, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        double slope = (kn_td_squash(&rule, sum + h * values[i]) - kn_td_squash(&rule, sum - h * values[i])) /
                       (2 * h);
        double expected = KN_TD_UNIT * KN_TD_UNIT * rule.alpha * (-1 - kn_td_squash(&rule, sum)) * slope;
        if (fabs(change[i] - expected) > 1e-7 * fabs(expected)) fail_msg("%g is not %g", change[i], expected);
    }
    kn_td_close(td);
}

/* With lambda 1 differences telescope: every prediction's gradient is moved by (outcome - P) from its own
 * time on. */
static void test_lambda_one_telescopes(void **state)
{
    (void)state;
    enum { STEPS = 300 };
    KnTd *td = kn_td_open(1, 1);
    KnTdRule rule = {.alpha = 0.2, .lambda = 1, .scale = 50};
    double change = 0, expected = 0;
    for (int t = 0; t < STEPS; t++) {
        double sum = 40 * sin(t), p = tanh(sum / 50);
        assert_true(kn_td_add(td, sum, 0, (double[]){1}));
        expected += KN_TD_UNIT * KN_TD_UNIT * 0.2 * (1 - p * p) / 50 * (-1 - p);
    }
    kn_td_learn(td, &rule, -1, 0, &change, NULL, NULL);
    assert_near(change, expected);
    kn_td_close(td);
}

/* An episode of two positions with a feature each. */
static void play(KnTdLearner *l, double outcome)
{
    assert_true(kn_td_learner_add(l, 0, (double[]){1, 0}));
    assert_true(kn_td_learner_add(l, 0, (double[]){0, 2}));
    kn_td_learner_end(l, outcome);
    assert_int_equal(kn_td_steps(l->episode), 0);
}

/* The forward view: the first step of a weight is `step` in the direction of its error. */
static void test_forward_view_by_hand(void **state)
{
    (void)state;
    KnTdLearner l;
    assert_true(kn_td_learner_init(&l, 2, 1, 2));
    l.lambda = 1, l.step = 0.1;
    play(&l, 1); /* both are drawn to 1 */
    assert_near(l.weights[0], 0.1);
    assert_near(l.weights[1], 0.1);
    play(&l, 1); /* errors .9 and .8, slopes .9 and 1.6 after 1 and 2 */
    assert_near(l.weights[0], 0.1 + 0.1 * 0.9 / sqrt(1 + 0.81));
    assert_near(l.weights[1], 0.1 + 0.1 * 1.6 / sqrt(4 + 2.56));
    assert_true(kn_td_learner_add(&l, 0, (double[]){1, 0}));
    assert_true(kn_td_learner_add(&l, 0, (double[]){1, 0}));
    assert_false(kn_td_learner_add(&l, 0, (double[]){1, 0})); /* it has room for two */
    kn_td_learner_free(&l);
    assert_true(kn_td_learner_init(&l, 2, 1, 2));
    l.step = 0.1, l.squash = true;
    play(&l, 1); /* the first is drawn to what the second predicts, which is nothing yet */
    assert_near(l.weights[0], 0);
    assert_near(l.weights[1], 0.1);
    play(&l, 1);
    assert_near(l.weights[0], 0.1);
    kn_td_learner_free(&l);
}

/* A random episode of features, some of them 0, in several phases; some outcomes are known. */
enum { WIDTH = 3, PHASES = 2, LONGEST = 9 };

typedef struct Episode {
    int steps, phase[LONGEST]; /* -1: the outcome is known */
    double values[LONGEST][WIDTH], sum[LONGEST], outcome;
} Episode;

static Episode draw_episode(KnRng *rng, KnTd *td, bool known)
{
    Episode e = {.steps = 1 + (int)kn_rng_below(rng, LONGEST), .outcome = kn_rng_real(rng) * 2 - 1};
    kn_td_clear(td);
    for (int t = 0; t < e.steps; t++) {
        e.phase[t] = known && kn_rng_below(rng, 4) == 0 ? -1 : (int)kn_rng_below(rng, PHASES);
        e.sum[t] = e.phase[t] < 0 ? kn_rng_real(rng) : 40 * kn_rng_real(rng) - 20;
        for (int i = 0; i < WIDTH; i++) e.values[t][i] = (double)kn_rng_below(rng, 4) - 1;
        assert_true(e.phase[t] < 0 ? kn_td_add_known(td, e.sum[t])
                                   : kn_td_add(td, e.sum[t], e.phase[t], e.values[t]));
    }
    return e;
}

/* The backward view against the double sum of the header; also after a way to another process. */
static void test_backward_view_by_definition(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(31);
    KnTd *td = kn_td_open(WIDTH, PHASES), *copy = kn_td_open(WIDTH, PHASES);
    KnTdRule rule = {.alpha = 0.03, .lambda = 0.7, .scale = 15};
    for (int trial = 0; trial < 200; trial++) {
        Episode e = draw_episode(&rng, td, true);
        int fixed = trial % (WIDTH + 1);
        double expected[PHASES][WIDTH] = {{0}}, change[PHASES * WIDTH] = {0}, jumps = 0, surprise,
               p[LONGEST + 1];
        uint64_t present[PHASES][WIDTH] = {{0}}, updates[PHASES * WIDTH] = {0};
        for (int t = 0; t < e.steps; t++) p[t] = e.phase[t] < 0 ? e.sum[t] : tanh(e.sum[t] / 15);
        p[e.steps] = e.outcome;
        for (int t = 0; t < e.steps; t++) {
            jumps += fabs(p[t + 1] - p[t]) / e.steps;
            for (int k = 0; k <= t; k++)
                for (int i = fixed; i < WIDTH && e.phase[k] >= 0; i++)
                    expected[e.phase[k]][i] += 0.03 * (p[t + 1] - p[t]) * pow(0.7, t - k) *
                                               (1 - p[k] * p[k]) * e.values[k][i] / 15 * KN_TD_UNIT *
                                               KN_TD_UNIT;
            for (int i = fixed; i < WIDTH && e.phase[t] >= 0; i++)
                present[e.phase[t]][i] += e.values[t][i] != 0;
        }
        KnText bytes = KN_TEXT_EMPTY;
        kn_td_pack(td, &bytes);
        KnUnpack in = kn_unpack(bytes.data, bytes.length);
        assert_true(kn_td_unpack(copy, &in));
        assert_int_equal(kn_td_steps(copy), e.steps);
        for (int t = 0; t < e.steps; t++) {
            int phase;
            const double *values = kn_td_features(copy, (size_t)t, &phase);
            assert_int_equal(phase, e.phase[t]);
            assert_int_equal(values != NULL, phase >= 0);
            for (int i = 0; values && i < WIDTH; i++) assert_true(values[i] == e.values[t][i]);
        }
        kn_td_learn(trial % 2 ? td : copy, &rule, e.outcome, fixed, change, updates, &surprise);
        for (int i = 0; i < PHASES * WIDTH; i++) {
            assert_near(change[i], expected[i / WIDTH][i % WIDTH]);
            assert_int_equal(updates[i], present[i / WIDTH][i % WIDTH]);
        }
        assert_near(surprise, jumps);
        for (size_t cut = 0; cut < bytes.length; cut++) { /* bytes are missing */
            in = kn_unpack(bytes.data, cut);
            assert_false(kn_td_unpack(copy, &in));
        }
        kn_text_free(&bytes);
    }
    kn_td_clear(td);
    double change[PHASES * WIDTH] = {0}, surprise = 7;
    kn_td_learn(td, &rule, 1, 0, change, NULL, &surprise);
    assert_true(surprise == 0); /* of no prediction */
    kn_td_close(td);
    kn_td_close(copy);
}

/* The forward view against lambda-returns written out as sums of n-step returns. */
static void test_forward_view_by_definition(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(32);
    for (int squash = 0; squash < 2; squash++) {
        KnTdLearner l;
        KnTd *drawn = kn_td_open(WIDTH, PHASES);
        double weights[PHASES][WIDTH] = {{0}}, squares[PHASES][WIDTH] = {{0}};
        assert_true(kn_td_learner_init(&l, WIDTH, PHASES, LONGEST - 2));
        l.lambda = 0.6, l.step = 0.2, l.squash = squash;
        for (int trial = 0; trial < 60; trial++) {
            Episode e = draw_episode(&rng, drawn, false);
            for (int t = 0; t < e.steps; t++)
                assert_int_equal(kn_td_learner_add(&l, e.phase[t], e.values[t]), t < LONGEST - 2);
            int steps = e.steps < LONGEST - 2 ? e.steps : LONGEST - 2;
            double p[LONGEST];
            for (int t = 0; t < steps; t++) {
                double sum = 0;
                for (int i = 0; i < WIDTH; i++) sum += weights[e.phase[t]][i] * e.values[t][i];
                p[t] = squash ? tanh(sum) : sum;
                assert_near(kn_td_learner_predict(&l, e.phase[t], e.values[t]), p[t]);
            }
            for (int t = steps - 1; t >= 0; t--) {
                double wanted = pow(0.6, steps - 1 - t) * e.outcome;
                for (int n = 1; t + n < steps; n++) wanted += 0.4 * pow(0.6, n - 1) * p[t + n];
                for (int i = 0; i < WIDTH; i++) {
                    double slope = (wanted - p[t]) * e.values[t][i], *square = &squares[e.phase[t]][i];
                    *square += slope * slope;
                    if (slope != 0) weights[e.phase[t]][i] += 0.2 * slope / sqrt(*square);
                }
            }
            kn_td_learner_end(&l, e.outcome);
            for (int i = 0; i < PHASES * WIDTH; i++) assert_near(l.weights[i], weights[i / WIDTH][i % WIDTH]);
        }
        kn_td_learner_free(&l);
        kn_td_close(drawn);
    }
}

/* Bytes of another process that say what cannot be. */
static void test_unpack_refuses(void **state)
{
    (void)state;
    KnTd *td = kn_td_open(1, 2);
    for (int phase = -1; phase < 4; phase++) {
        KnText bytes = KN_TEXT_EMPTY;
        kn_pack_u64(&bytes, 1);
        kn_pack_real(&bytes, 0.5);
        kn_pack_int(&bytes, phase);
        if (phase >= 0) kn_pack_bytes(&bytes, &(double){3}, sizeof(double));
        KnUnpack in = kn_unpack(bytes.data, bytes.length);
        assert_int_equal(kn_td_unpack(td, &in), phase < 2);
        kn_text_free(&bytes);
    }
    kn_td_close(td);
}

/* Each phase has its own weights. */
static void test_forward_view_has_phases(void **state)
{
    (void)state;
    KnTdLearner l;
    assert_true(kn_td_learner_init(&l, 1, 2, 4));
    l.lambda = 0.5, l.step = 0.1;
    assert_true(kn_td_learner_add(&l, 1, (double[]){1}));
    kn_td_learner_end(&l, -1);
    assert_near(l.weights[0], 0);
    assert_near(l.weights[1], -0.1);
    assert_near(kn_td_learner_predict(&l, 1, (double[]){2}), -0.2);
    kn_td_learner_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_update_by_hand),
        cmocka_unit_test(test_phases_fixed_and_known),
        cmocka_unit_test(test_gradient_against_differences),
        cmocka_unit_test(test_lambda_one_telescopes),
        cmocka_unit_test(test_forward_view_by_hand),
        cmocka_unit_test(test_forward_view_has_phases),
        cmocka_unit_test(test_backward_view_by_definition),
        cmocka_unit_test(test_forward_view_by_definition),
        cmocka_unit_test(test_unpack_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
