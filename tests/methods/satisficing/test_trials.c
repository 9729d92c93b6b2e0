/* Deals, outcomes by hand, and tallies: the numbers that a million trials gave before, and the same for any
 * number of threads. */
#include "support/check.h"
#include "methods/satisficing/trials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static KnTrialDistribution deal_of(const char *words)
{
    KnTrialDistribution distribution = kn_trial_distribution_paper();
    KnError error;
    char copy[300];
    strcpy(copy, words);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        check_ok(error, kn_trial_distribution_word(&distribution, word, &error));
    check_ok(error, kn_trial_distribution_check(&distribution, &error));
    return distribution;
}

static KnOutcomeCounts tally_of(const char *words, uint64_t trials, int jobs)
{
    KnTrialPlan plan = {.trial = deal_of(words), .trials = trials, .seed = 7, .jobs = jobs};
    KnOutcomeCounts tally;
    KnError error;
    check_ok(error, kn_trials_run(&plan, &tally, &error));
    return tally;
}

/* The outcome of a fixed trial as "start period word". */
static void ends(const char *words, const char *wanted)
{
    KnTrialDistribution distribution = deal_of(words);
    KnTrial trial;
    assert_true(kn_trial_draw(&distribution, 1, 0, &trial));
    KnSettler *settler = kn_settler_new(1000);
    KnTrialOutcome payload = kn_trial_settle(settler, &trial);
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text, "%u %u ", payload.start, payload.period);
    if (payload.code) kn_cycle_code_text(kn_cycle_code_normalise(payload.code), &text);
    assert_string_equal(text.data, wanted);
    kn_text_free(&text);
    kn_settler_free(settler);
}

static void test_outcomes_by_hand(void **state)
{
    (void)state;
    /* Both satisfied at once; and exactly, since a payoff that equals the aspiration satisfies. */
    ends("sigma=.8 delta=.5 lambda=.5 alpha=.8 beta=.8 start=CC", "0 1 CC");
    ends("sigma=.8 delta=.5 lambda=.5 alpha=.5 beta=.5 start=DD", "0 1 DD");
    /* .9 is more than CC pays: both to DD with aspirations .85, both back, .675 and satisfied. */
    ends("sigma=.8 delta=.5 lambda=.5 alpha=.9 beta=.9 start=CC", "2 1 CC");
    /* The paper's claim fails here: high aspirations, slow learning, sigma - delta > .4, the same start. */
    ends("sigma=.561 delta=.154 lambda=.952 alpha=1.403 beta=1.945 start=CC", "33 3 DD-CC-DC");
    /* lambda = 1: aspirations stand still. Above everything, both change forever; with one content, it
     * stays. */
    ends("sigma=.8 delta=.5 lambda=1 alpha=2 beta=2 start=CC", "0 2 DD-CC");
    ends("sigma=.8 delta=.5 lambda=1 alpha=2 beta=0 start=CC", "0 2 DC-CC");
    ends("sigma=.8 delta=.5 lambda=1 alpha=.9 beta=0 start=CC", "1 1 DC");
    /* lambda = 0: the aspiration is the last payoff. */
    ends("sigma=.8 delta=.5 lambda=0 alpha=2 beta=2 start=CC", "2 1 CC");
}

/* The counterexample's cycle exists exactly when lambda (1 - sigma) > sigma - delta, which 2 sigma >= 1 +
 * delta forbids. */
static void test_the_exploiters_cycle(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(3);
    static const uint16_t word[] = {KN_DD, KN_CC, KN_DC};
    for (int i = 0; i < 20000; i++) {
        KnTrial trial = {.start = KN_DD};
        double sigma = .5 + .5 * kn_rng_real(&rng), delta = sigma * kn_rng_real(&rng),
               lambda = .05 + .9 * kn_rng_real(&rng);
        memcpy(trial.numbers, (double[]){sigma, 1, 0, delta, lambda, lambda, 1, 1}, sizeof trial.numbers);
        double payoffs[8];
        KnAspirationAgent agents[2];
        KnStageGame stage = kn_trial_stage(&trial, payoffs, agents);
        bool lasts = kn_cycle_is_stable(&stage, agents, word, 3);
        /* B must be content with CC and with nothing else: its limit before CC lies below sigma, before DD
         * above delta */
        bool first = lambda * (1 - sigma) > sigma - delta;
        double before_dd = (lambda * sigma + lambda * lambda * delta) / (1 + lambda + lambda * lambda);
        assert_int_equal(lasts, first && before_dd > delta);
        if (2 * sigma >= 1 + delta) assert_false(lasts);
    }
}

static void normal_form(const char *text, const char *wanted)
{
    uint64_t code = 1;
    for (const char *t = text; *t; t += t[2] ? 3 : 2)
        code = code << 2 | (uint64_t)(t[0] == 'D') << 1 | (t[1] == 'D');
    KnText out = KN_TEXT_EMPTY;
    kn_cycle_code_text(kn_cycle_code_normalise(code), &out);
    assert_string_equal(out.data, wanted);
    assert_int_equal(kn_cycle_code_period(code), (strlen(text) + 1) / 3);
    kn_text_free(&out);
}

static void test_words_have_one_form(void **state)
{
    (void)state;
    normal_form("CC", "CC");
    normal_form("CD", "DC"); /* one of two agents: which of them does not matter */
    normal_form("CD-DD-DC-DD", "DD-DC-DD-CD");
    normal_form("DC-DD-CD-DD", "DD-DC-DD-CD");
    normal_form("CC-CD-DD", "DD-CC-DC");
    normal_form("CC-DC-DD", "DD-CC-DC");
    normal_form("CC-DC-CC-CD-DD", "DD-CC-DC-CC-CD");
}

static void test_draws_keep_to_their_deal(void **state)
{
    (void)state;
    KnTrialDistribution distribution =
        deal_of("start=same sigma-delta>0.4 lambda=.8..1 alpha>sigma beta>sigma 2*sigma>=1+delta");
    int starts[4] = {0};
    for (uint64_t i = 0; i < 5000; i++) {
        KnTrial trial;
        assert_true(kn_trial_draw(&distribution, 3, i, &trial));
        const double *n = trial.numbers;
        double sigma = n[KN_TRIAL_SIGMA], delta = n[KN_TRIAL_DELTA];
        assert_true(sigma >= .51 && sigma <= 1 && delta >= .1 && sigma - delta > .4 &&
                    2 * sigma >= 1 + delta);
        assert_true(n[KN_TRIAL_ALPHA] > sigma && n[KN_TRIAL_BETA] > sigma && n[KN_TRIAL_BETA] <= 2);
        assert_true(n[KN_TRIAL_LAMBDA] >= .8 && n[KN_TRIAL_LAMBDA] < 1 &&
                    n[KN_TRIAL_LAMBDA2] == n[KN_TRIAL_LAMBDA]);
        assert_true(kn_trial_is_dilemma(&trial));
        starts[trial.start]++;
    }
    assert_true(starts[KN_CD] + starts[KN_DC] == 0 && abs(starts[KN_CC] - starts[KN_DD]) < 300);
    KnText text = KN_TEXT_EMPTY;
    kn_trial_distribution_text(&distribution, &text);
    assert_string_equal(text.data, "sigma=0.51..1 temptation=1 sucker=0 delta=0.1..sigma lambda=0.8..1 "
                                   "alpha=0.5..2 beta=0.5..2 start=same "
                                   "sigma-delta>0.4 -sigma+alpha>0 -sigma+beta>0 2*sigma-delta>=1");
    kn_text_free(&text);
}

/* Ends that hang on other numbers. */
static void test_ends_by_name(void **state)
{
    (void)state;
    KnTrialDistribution distribution = deal_of("delta=.1..sigma-.4 alpha=sigma+.1..2 beta=sigma");
    double least = 2;
    for (uint64_t i = 0; i < 2000; i++) {
        KnTrial trial;
        assert_true(kn_trial_draw(&distribution, 3, i, &trial));
        const double *n = trial.numbers;
        assert_true(n[KN_TRIAL_DELTA] >= .1 && n[KN_TRIAL_DELTA] <= n[KN_TRIAL_SIGMA] - .4 + 1e-12);
        assert_true(n[KN_TRIAL_ALPHA] >= n[KN_TRIAL_SIGMA] + .1 && n[KN_TRIAL_ALPHA] <= 2 &&
                    n[KN_TRIAL_BETA] == n[KN_TRIAL_SIGMA]);
        least = fmin(least, n[KN_TRIAL_SIGMA]);
    }
    assert_true(least < .52); /* nothing was refused on the way */
    KnText text = KN_TEXT_EMPTY;
    kn_trial_distribution_text(&distribution, &text);
    assert_non_null(strstr(text.data, "delta=0.1..sigma-0.4 lambda=0.1..0.9 alpha=sigma+0.1..2 beta=sigma "));
    kn_text_free(&text);
}

/* A trial's text deals it again. */
static void test_trials_can_be_dealt_again(void **state)
{
    (void)state;
    KnTrialDistribution distribution = deal_of("lambda2=.2..0.7");
    KnTrial trial, again;
    assert_true(kn_trial_draw(&distribution, 3, 17, &trial));
    KnText text = KN_TEXT_EMPTY;
    kn_trial_text(&trial, &text);
    KnTrialDistribution fixed = deal_of(text.data);
    assert_true(kn_trial_draw(&fixed, 99, 0, &again));
    assert_memory_equal(trial.numbers, again.numbers, sizeof trial.numbers);
    assert_int_equal(trial.start, again.start);
    kn_text_free(&text);
}

static void refused(const char *word, const char *part)
{
    KnTrialDistribution distribution = kn_trial_distribution_paper();
    KnError error;
    KnStatus status = kn_trial_distribution_word(&distribution, word, &error);
    if (status == KN_OK) status = kn_trial_distribution_check(&distribution, &error);
    check_fails(error, KN_INPUT, part, status);
}

static void test_bad_words(void **state)
{
    (void)state;
    refused("lambda=1.5", "lambda lies within 0 and 1");
    refused("lambda=-.1..0.5", "lambda lies within 0 and 1");
    refused("lambda=.1..sigma", "lambda lies within");
    refused("gamma=1", "there is no \"gamma\"; known: sigma");
    refused("alpha", "expected NAME=VALUE");
    refused("alpha=", "expected a number");
    refused("alpha=x", "there is no \"x\"");
    refused("alpha=nan", "there is no \"nan\"");
    refused("alpha=1e99", "expected a number");
    refused("alpha=2..1", "ends before it begins");
    refused("alpha=1..y", "there is no \"y\"");
    refused("sigma=.1..delta", "is drawn after");
    refused("delta=.8..sigma", "begin as high as 0.8 and end as low as 0.51");
    refused("delta=.1..sigma-.5", "begin as high as 0.1 and end as low as 0.01");
    refused("delta=.1..sigma-x", "expected an end such as sigma-.4");
    refused("delta=.1..sigma*2", "there is no \"sigma*2\"");
    refused("alpha=sigma..0.9", "begin as high as 1 and end as low as 0.9");
    refused("start=XX", "a start is CC");
    refused("sigma>", "a side of the condition is missing");
    refused(">sigma", "a side");
    refused("sigma*delta>1", "expected + or -");
    refused("sigma>3*gamma", "there is no \"gamma\"");
    refused("2sigma>1", "expected + or -");
    refused("1.2.3>sigma", "is no number");
    KnTrialPlan plan = {.trial = deal_of("sigma>2"), .trials = 1};
    KnOutcomeCounts tally;
    KnError error;
    check_fails(error, KN_INPUT, "can they hold at all", kn_trials_run(&plan, &tally, &error));
}

/* What throw-away programs gave on a million other trials: CC 65.87, DD 6.23, DD-DC-DD-CD 27.47, DD-CC-DC
 * .43, nothing else. */
static void test_figure_5(void **state)
{
    (void)state;
    KnOutcomeCounts tally = tally_of("", (uint64_t)check_scaled(400000), 2);
    double n = (double)tally.trials, error = 5 * sqrt(.25 / n);
    assert_int_equal(tally.row_count, 4);
    assert_true(fabs((double)tally.fixed[KN_CC] / n - .6587) < error);
    assert_true(fabs((double)tally.fixed[KN_DD] / n - .0623) < error);
    uint64_t turns, exploited = kn_tally_count(&tally, 0x40 | KN_DD << 4 | KN_CC << 2 | KN_DC);
    turns = kn_tally_count(&tally, 0x100 | KN_DD << 6 | KN_DC << 4 | KN_DD << 2 | KN_CD);
    assert_true(fabs((double)turns / n - .2747) < error);
    assert_true(fabs((double)exploited / n - .0043) < error);
    assert_true(tally.fixed[KN_CC] + tally.fixed[KN_DD] + turns + exploited == tally.trials);
    assert_true(tally.cycles == turns + exploited && tally.longest.rounds == 4 && !tally.unsettled &&
                !tally.no_dilemma);
    assert_true(fabs((double)tally.rounds / n - 4.7) < .1);
    kn_tally_free(&tally);
}

static void test_same_for_any_jobs(void **state)
{
    (void)state;
    KnOutcomeCounts one = tally_of("lambda=.9..0.98", 20000, 1),
                    three = tally_of("lambda=.9..0.98", 20000, 3);
    assert_true(one.row_count == three.row_count && one.row_count > 4);
    for (size_t i = 0; i < one.row_count; i++)
        assert_true(one.rows[i].code == three.rows[i].code && one.rows[i].period == three.rows[i].period &&
                    one.rows[i].count == three.rows[i].count);
    assert_true(one.rounds == three.rounds && one.longest.index == three.longest.index &&
                one.slowest.index == three.slowest.index && one.soonest.index == three.soonest.index &&
                one.longest.rounds > 4);
    /* and what is marked is what that trial does */
    KnTrialDistribution distribution = deal_of("lambda=.9..0.98");
    KnSettler *settler = kn_settler_new(KN_SETTLER_ROUNDS);
    KnTrial trial;
    assert_true(kn_trial_draw(&distribution, 7, one.longest.index, &trial));
    assert_int_equal(kn_trial_settle(settler, &trial).period, one.longest.rounds);
    assert_true(kn_trial_draw(&distribution, 7, one.slowest.index, &trial));
    assert_int_equal(kn_trial_settle(settler, &trial).start, one.slowest.rounds);
    kn_settler_free(settler);
    kn_tally_free(&one);
    kn_tally_free(&three);
}

static void test_unsettled_is_an_answer(void **state)
{
    (void)state;
    KnTrialPlan plan = {
        .trial = deal_of("lambda=.999 alpha=1.5 beta=2 start=CC"), .trials = 50, .rounds = 100, .jobs = 1};
    KnOutcomeCounts tally;
    KnError error;
    check_ok(error, kn_trials_run(&plan, &tally, &error));
    assert_int_equal(tally.unsettled, 50);
    assert_int_equal(tally.row_count, 0);
    kn_tally_free(&tally);
}

/* Ties in decimals are decided by what the doubles are; a choice that hangs on the last bit of a long double
 * is not made up. */
static void test_doubts_are_told(void **state)
{
    (void)state;
    KnSettler *settler = kn_settler_new(1000);
    double payoffs[] = {.1, 0, .3}; /* of one agent's three actions */
    KnAspirationAgent agent = {.1, 3, 1};
    KnStageGame stage = {.agents = 1, .actions = {3}, .payoffs = payoffs};
    KnOutcome outcome = kn_settle(settler, &stage, &agent); /* three times 0.1 is a bit more than 0.3 */
    assert_true(outcome.kind == KN_SETTLED_FIXED && outcome.start > 1);
    agent.lambda = .125, payoffs[2] = .375; /* exact: 3/8 satisfies 3/8 */
    outcome = kn_settle(settler, &stage, &agent);
    assert_true(outcome.kind == KN_SETTLED_FIXED && outcome.start == 1 && outcome.word[0] == 2);
    KnRng rng = kn_rng_seeded(6);
    int doubts = 0;
    for (int i = 0; i < 20000; i++) {
        agent.lambda = .1 + .8 * kn_rng_real(&rng);
        long double next = agent.lambda * (long double)3;
        next = next +
               (1 - (long double)agent.lambda) * (1 / 3.0L - next); /* about, after payoffs of 0 and 1/3 */
        payoffs[0] = (double)next;
        payoffs[2] = 1 / 3.0;
        outcome = kn_settle(settler, &stage, &agent);
        if (!outcome.doubtful) continue;
        assert_true(outcome.kind == KN_UNSETTLED && outcome.period == 0);
        doubts++;
    }
    assert_in_range(doubts, 1,
                    2000); /* where the double that was chosen lies as near as a long double can tell */
    kn_settler_free(settler);
}

static void test_maps(void **state)
{
    (void)state;
    KnOutcomeMapAxis x = {KN_TRIAL_DELTA, .05, .95, 9},
                     y = {KN_TRIAL_SIGMA, .52, 1.02, 5}; /* .1, .2 ... and .57, .67 ... */
    KnTrialPlan plan = {.trial = deal_of("delta<sigma"), .trials = 200, .seed = 2, .jobs = 2};
    KnOutcomeMapPoint points[45];
    KnError error;
    check_ok(error, kn_trials_map(&plan, &x, &y, points, &error));
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 9; i++) {
            const KnOutcomeMapPoint *p = &points[j * 9 + i];
            uint32_t all = p->cooperation + p->defection + p->unequal + p->cycles + p->unsettled;
            assert_int_equal(all, kn_outcome_map_place(&x, i) < kn_outcome_map_place(&y, j) ? 200 : 0);
        }
    /* "Cooperation is most likely when delta is small and sigma is large." */
    assert_true(points[4 * 9].cooperation > points[4 * 9 + 8].cooperation + 40); /* delta .1 and .9 */
    assert_true(points[4 * 9 + 4].cooperation > points[4].cooperation + 40);     /* sigma .97 and .57 */
    KnOutcomeMapAxis twice = {KN_TRIAL_DELTA, 0, 1, 2};
    check_fails(error, KN_INPUT, "two different", kn_trials_map(&plan, &x, &twice, points, &error));
    KnOutcomeMapAxis wild = {KN_TRIAL_LAMBDA, 0, 1.5, 2};
    check_fails(error, KN_INPUT, "lambda lies within", kn_trials_map(&plan, &x, &wild, points, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outcomes_by_hand),    cmocka_unit_test(test_the_exploiters_cycle),
        cmocka_unit_test(test_words_have_one_form), cmocka_unit_test(test_draws_keep_to_their_deal),
        cmocka_unit_test(test_ends_by_name),        cmocka_unit_test(test_trials_can_be_dealt_again),
        cmocka_unit_test(test_bad_words),           cmocka_unit_test(test_figure_5),
        cmocka_unit_test(test_same_for_any_jobs),   cmocka_unit_test(test_unsettled_is_an_answer),
        cmocka_unit_test(test_doubts_are_told),     cmocka_unit_test(test_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
