/* Proved outcomes against slow simulations that cannot be wrong: in exact arithmetic, where everything is a
 * fraction over a power of sixteen, and in long doubles, where it is not. */
#include "support/check.h"
#include "methods/satisficing/trials.h"

#include <stdlib.h>
#include <string.h>

/* ---- exact: aspirations are n / 16^(t+1) in round t, payoffs P / 16, lambda k / 16 ---- */

enum { LIMBS = 56, ROUNDS = 400 }; /* 4 bits a round, and some for the first numbers */

typedef struct Big {
    uint32_t limbs[LIMBS];
} Big;

/* big * factor */
static void multiply(Big *big, uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)big->limbs[i] * factor;
        big->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    assert_int_equal(carry, 0);
}

/* big + value * 16^power */
static void add(Big *big, uint32_t value, uint32_t power)
{
    uint64_t carry = (uint64_t)value << power % 8 * 4;
    for (uint32_t i = power / 8; carry && i < LIMBS; i++) {
        carry += big->limbs[i];
        big->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    assert_int_equal(carry, 0);
}

/* value * 16^power >= big */
static bool reaches(uint32_t value, uint32_t power, const Big *big)
{
    Big other = {{0}};
    add(&other, value, power);
    for (int i = LIMBS - 1; i >= 0; i--)
        if (other.limbs[i] != big->limbs[i]) return other.limbs[i] > big->limbs[i];
    return true;
}

typedef struct Exact {
    int agents, actions[3];
    uint32_t payoffs[27 * 3], lambdas[3], aspirations[3]; /* sixteenths */
    int begin[3];
} Exact;

static void play_exact(const Exact *exact, uint16_t *cells)
{
    Big big[3] = {{{0}}};
    int actions[3];
    memcpy(actions, exact->begin, sizeof actions);
    for (int i = 0; i < exact->agents; i++) add(&big[i], exact->aspirations[i], 0);
    for (uint32_t t = 0; t < ROUNDS; t++) {
        int cell = 0;
        for (int i = 0; i < exact->agents; i++) cell = cell * exact->actions[i] + actions[i];
        cells[t] = (uint16_t)cell;
        for (int i = 0; i < exact->agents; i++) {
            uint32_t payoff = exact->payoffs[cell * exact->agents + i];
            if (!reaches(payoff, t, &big[i])) actions[i] = (actions[i] + 1) % exact->actions[i];
            multiply(&big[i], exact->lambdas[i]);
            add(&big[i], (16 - exact->lambdas[i]) * payoff, t);
        }
    }
}

static Exact draw_exact(KnRng *rng)
{
    Exact exact = {.agents = 1 + (int)kn_rng_below(rng, 3)};
    int cells = 1;
    for (int i = 0; i < exact.agents; i++) {
        exact.actions[i] = 1 + (int)kn_rng_below(rng, 3);
        if (kn_rng_below(rng, 2)) exact.actions[i] = 2;
        exact.begin[i] = (int)kn_rng_below(rng, (uint32_t)exact.actions[i]);
        exact.lambdas[i] = kn_rng_below(rng, 17);
        exact.aspirations[i] = kn_rng_below(rng, 33);
        cells *= exact.actions[i];
    }
    uint32_t grain = 1u << kn_rng_below(rng, 5); /* coarse payoffs make ties */
    for (int i = 0; i < cells * exact.agents; i++)
        exact.payoffs[i] = kn_rng_below(rng, 16 / grain + 1) * grain;
    return exact;
}

static void check_exact(KnSettler *settler, const Exact *exact, long counts[3])
{
    double payoffs[27 * 3];
    KnAspirationAgent agents[3];
    KnStageGame stage = {.agents = exact->agents, .payoffs = payoffs};
    memcpy(stage.actions, exact->actions, sizeof exact->actions);
    for (int i = 0; i < 27 * 3; i++) payoffs[i] = exact->payoffs[i] / 16.0;
    for (int i = 0; i < exact->agents; i++)
        agents[i] = (KnAspirationAgent){exact->lambdas[i] / 16.0, exact->aspirations[i] / 16.0,
                                        exact->begin[i]};
    KnOutcome outcome = kn_settle(settler, &stage, agents);
    uint16_t cells[ROUNDS];
    play_exact(exact, cells);
    counts[outcome.kind]++;
    if (outcome.kind == KN_UNSETTLED) return;
    uint32_t n = outcome.period;
    assert_int_equal(n == 1, outcome.kind == KN_SETTLED_FIXED);
    for (uint32_t t = outcome.start; t < ROUNDS; t++)
        assert_int_equal(cells[t], outcome.word[(t - outcome.start) % n]);
    if (outcome.start + 2 * n > ROUNDS) return;
    if (outcome.start)
        assert_int_not_equal(cells[outcome.start - 1],
                             cells[outcome.start - 1 + n]); /* not a round earlier */
    for (uint32_t d = 1; d < n; d++) {                      /* the least period */
        bool repeats = true;
        for (uint32_t t = 0; t < n && repeats; t++) repeats = outcome.word[t] == outcome.word[(t + d) % n];
        assert_false(repeats);
    }
}

static void test_exact_arithmetic(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(11);
    KnSettler *settler = kn_settler_new(20000);
    long counts[3] = {0}, trials = check_scaled(6000);
    for (long i = 0; i < trials; i++) {
        Exact exact = draw_exact(&rng);
        check_exact(settler, &exact, counts);
    }
    assert_true(counts[KN_SETTLED_FIXED] > trials / 4 && counts[KN_SETTLED_CYCLE] > trials / 20);
    assert_true(counts[KN_UNSETTLED] * 100 <= trials);
    kn_settler_free(settler);
}

/* ---- long doubles ---- */

static void play_long(const KnTrial *trial, uint16_t *cells, uint32_t rounds)
{
    double table[8];
    KnAspirationAgent agents[2];
    kn_trial_stage(trial, table, agents);
    long double a[2] = {agents[0].aspiration, agents[1].aspiration};
    int cell = trial->start;
    for (uint32_t t = 0; t < rounds; t++) {
        cells[t] = (uint16_t)cell;
        int now = cell;
        for (int i = 0; i < 2; i++) {
            long double pay = table[2 * now + i];
            if (pay < a[i]) cell ^= i ? 1 : 2;
            a[i] += (1 - (long double)agents[i].lambda) * (pay - a[i]);
        }
    }
}

/* The quick way, the settler and the slow simulation say the same, over the paper's range and beyond. */
static void check_deal(const char *words, long trials, uint32_t rounds)
{
    KnTrialDistribution distribution = kn_trial_distribution_paper();
    KnError error;
    char copy[200];
    strcpy(copy, words);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        check_ok(error, kn_trial_distribution_word(&distribution, word, &error));
    check_ok(error, kn_trial_distribution_check(&distribution, &error));
    KnSettler *settler = kn_settler_new(50000);
    uint16_t *cells = malloc(rounds * sizeof *cells);
    for (long i = 0; i < trials; i++) {
        KnTrial trial;
        assert_true(kn_trial_draw(&distribution, 5, (uint64_t)i, &trial));
        KnTrialOutcome payload = kn_trial_settle(settler, &trial);
        double table[8];
        KnAspirationAgent agents[2];
        KnStageGame stage = kn_trial_stage(&trial, table, agents);
        KnOutcome outcome = kn_settle(settler, &stage, agents);
        assert_int_not_equal(outcome.kind, KN_UNSETTLED);
        assert_int_equal(payload.period, outcome.period);
        assert_int_equal(payload.start, outcome.start);
        uint64_t code = 1;
        for (uint32_t k = 0; k < outcome.period; k++) code = code << 2 | outcome.word[k];
        if (outcome.period <= KN_CYCLE_CODE_PERIOD) assert_true(payload.code == code);
        play_long(&trial, cells, rounds);
        for (uint32_t t = outcome.start; t < rounds; t++)
            assert_int_equal(cells[t], outcome.word[(t - outcome.start) % outcome.period]);
    }
    free(cells);
    kn_settler_free(settler);
}

static void test_long_doubles(void **state)
{
    (void)state;
    check_deal("lambda=.1..0.9", check_scaled(20000), 500);
    check_deal("lambda=0..0.99", check_scaled(2000), 1000);
    check_deal("lambda=.9..0.98 delta=-.1..sigma", check_scaled(2000), 3000);
    check_deal("lambda=.2..0.9 lambda2=.2..0.9", check_scaled(5000), 500);
    check_deal("lambda=1", check_scaled(2000), 50);
    check_deal("lambda=0", check_scaled(2000), 50);
    check_deal("lambda=1 lambda2=.5", check_scaled(2000), 200);
    check_deal("lambda=.5 sigma=.75 delta=.25 alpha=.5..1.5 beta=.75", check_scaled(2000), 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact_arithmetic),
                                       cmocka_unit_test(test_long_doubles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
