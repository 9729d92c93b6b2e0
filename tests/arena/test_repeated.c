/* Tournaments of repeated games: known matches, the same for any number of threads, what theory says about
 * zero-determinant strategies and lengths; and what is refused. */
#include "support/check.h"
#include "support/workbench.h"

#include <math.h>
#include <string.h>

#include "arena/repeated.h"

static KnContext *context;

static int open_context(void **state)
{
    (void)state;
    context = test_workbench("data");
    return 0;
}

static int close_context(void **state)
{
    (void)state;
    kn_close(context);
    return 0;
}

static KnRepeated run(KnRepeatedPlan plan, const char *const *players, size_t count)
{
    KnError error;
    KnRepeated result;
    plan.game = plan.game ? plan.game : "dilemma";
    plan.players = players;
    plan.player_count = count;
    check_ok(error, kn_repeated_run(context, &plan, NULL, NULL, &result, &error));
    return result;
}

static void check_pairing(const KnRepeated *r, size_t row, size_t column, int64_t score, int64_t other,
                          uint64_t cooperations, uint64_t other_cooperations)
{
    const KnPairing *pairing = &r->pairings[row * r->count + column];
    assert_int_equal(pairing->turns, 200 * r->repetitions);
    assert_int_equal(pairing->scores[0], score);
    assert_int_equal(pairing->scores[1], other);
    assert_int_equal(pairing->cooperations[0], cooperations);
    assert_int_equal(pairing->cooperations[1], other_cooperations);
}

/* By hand: each of these pairs falls into a short cycle. */
static void test_known_matches(void **state)
{
    (void)state;
    static const char *const players[] = {"titfortat", "defector", "alternator", "cyclerCCD",
                                          "prober",    "grudger",  "random"};
    KnRepeated r = run((KnRepeatedPlan){.seed = 1}, players, 6);
    assert_false(r.chance);
    assert_int_equal(r.repetitions, 1);
    check_pairing(&r, 0, 0, 600, 600, 200, 200);
    check_pairing(&r, 0, 1, 199, 204, 1, 0); /* suckered once */
    check_pairing(&r, 1, 0, 204, 199, 0, 1);
    check_pairing(&r, 0, 2, 3 + 0 + 99 * 5, 3 + 5 + 99 * 5, 101,
                  100); /* CC, then C against D and D against C in turn */
    check_pairing(&r, 1, 2, 100 * 5 + 100, 100, 0, 100);
    check_pairing(&r, 4, 1, 2 * 0 + 198 * 1, 2 * 5 + 198 * 1, 2, 0); /* D C C, then copies D */
    check_pairing(&r, 5, 3, 6 + 0 + 132 * 5 + 65, 6 + 5 + 65, 3,
                  134); /* D from turn 4 on: against 132 C and 65 D */
    assert_string_equal(r.names[3], "CyclerCCD");
    double against = 0; /* a twin weighs as much as any other opponent */
    for (size_t j = 0; j < 6; j++) against += kn_repeated_payoff(&r, 0, j) / 6;
    assert_true(fabs(r.ranked[0].score - against) < 1e-12);
    assert_true(r.ranked[0].interval.low == r.ranked[0].score &&
                r.ranked[0].interval.high == r.ranked[0].score);
    for (size_t place = 1; place < r.count; place++)
        assert_true(r.ranked[r.order[place - 1]].score >= r.ranked[r.order[place]].score);
    KnText csv = KN_TEXT_EMPTY;
    kn_repeated_csv(&r, &csv);
    assert_non_null(strstr(
        csv.data, "strategy,opponent,turns,score,opponent_score,cooperations,opponent_cooperations\n"));
    assert_non_null(strstr(csv.data, "\nTitForTat,Defector,200,199,204,1,0\n"));
    assert_non_null(strstr(csv.data, "\nDefector,TitForTat,200,204,199,0,1\n"));
    kn_text_free(&csv);
    kn_repeated_free(&r);
}

/* Chance of every kind, learners and a player of the ordinary interface among them. */
static void test_threads(void **state)
{
    (void)state;
    static const char *const players[] = {
        "titfortat", "random", "gtft", "qlearning", "satisfice(lambda=0.9, aspiration=2)", "gradual"};
    KnRepeatedPlan plan = {
        .seed = 7, .repetitions = 300, .noise = 0.02, .turns = 30, .go_on = 0.97, .jobs = 1};
    KnRepeated one = run(plan, players, 6);
    plan.jobs = 3;
    KnRepeated three = run(plan, players, 6);
    assert_string_equal(one.digest, three.digest);
    for (size_t i = 0; i < 6; i++) {
        assert_true(one.ranked[i].score == three.ranked[i].score);
        assert_true(one.ranked[i].interval.low < one.ranked[i].score &&
                    one.ranked[i].score < one.ranked[i].interval.high);
        assert_true(one.ranked[i].interval.low == three.ranked[i].interval.low);
    }
    plan.seed = 8;
    KnRepeated other = run(plan, players, 6);
    assert_string_not_equal(one.digest, other.digest);
    /* A pairing does not depend on who else takes part. */
    plan.seed = 7;
    KnRepeated fewer = run(plan, players, 2);
    assert_memory_equal(&fewer.pairings[1], &one.pairings[1], sizeof(KnPairing));
    kn_repeated_free(&one);
    kn_repeated_free(&three);
    kn_repeated_free(&other);
    kn_repeated_free(&fewer);
}

/* With a chance p to go on, lengths are geometric: 1/(1-p) turns on average, cut off at the most. */
static void test_lengths(void **state)
{
    (void)state;
    static const char *const players[] = {"cooperator", "defector"};
    uint64_t matches = (uint64_t)check_scaled(20000);
    KnRepeated r = run((KnRepeatedPlan){.seed = 3, .repetitions = matches, .turns = 1000, .go_on = 0.9},
                       players, 2);
    double mean = (double)r.pairings[1].turns / (double)matches, error = sqrt(90.0 / (double)matches);
    assert_true(fabs(mean - 10) < 4 * error);
    assert_true(r.pairings[1].scores[1] == 5 * (int64_t)r.pairings[1].turns);
    kn_repeated_free(&r);
    r = run((KnRepeatedPlan){.seed = 3, .repetitions = matches, .turns = 2, .go_on = 0.5}, players, 2);
    mean = (double)r.pairings[1].turns / (double)matches;
    assert_true(fabs(mean - 1.5) < 4 * sqrt(0.25 / (double)matches));
    kn_repeated_free(&r);
    static const char *const stabbers[] = {"backstabber", "cooperator"};
    r = run((KnRepeatedPlan){.known = true}, stabbers, 2);
    assert_int_equal(r.pairings[1].cooperations[0], 198);
    kn_repeated_free(&r);
}

/* Where chance decides how long a match is, a player's score is the mean of its row: however long the matches
 * against one opponent were, it weighs as much as any other. The interval holds what a hundred times as many
 * repetitions say. */
static void test_lengths_of_chance(void **state)
{
    (void)state;
    static const char *const players[] = {"titfortat", "bully", "winstayloseshift", "random"};
    enum { PLAYERS = 4, SEEDS = 40 };
    KnRepeated truth = run((KnRepeatedPlan){.turns = 60, .go_on = .9, .repetitions = 20000, .seed = 99},
                           players, PLAYERS);
    int held = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        KnRepeated r = run((KnRepeatedPlan){.turns = 60, .go_on = .9, .repetitions = 40, .seed = seed},
                           players, PLAYERS);
        for (size_t i = 0; i < PLAYERS; i++) {
            double score = 0, rate = 0;
            for (size_t j = 0; j < PLAYERS; j++) {
                score += kn_repeated_payoff(&r, i, j) / PLAYERS;
                rate += kn_repeated_cooperation(&r, i, j) / PLAYERS;
            }
            const KnRanked *ranked = &r.ranked[i];
            assert_true(fabs(ranked->score - score) < 1e-12);
            assert_true(fabs(ranked->cooperation - rate) < 1e-12);
            held += ranked->interval.low <= truth.ranked[i].score &&
                    truth.ranked[i].score <= ranked->interval.high;
        }
        kn_repeated_free(&r);
    }
    assert_in_range(held, 142, 160); /* 95% of 160 are 152 */
    kn_repeated_free(&truth);
}

/* Noise p flips a share p of the moves. */
static void test_noise(void **state)
{
    (void)state;
    static const char *const players[] = {"cooperator", "defector", "random"};
    KnRepeated r = run((KnRepeatedPlan){.seed = 5, .turns = 10000, .repetitions = 2, .noise = 0.1}, players,
                       3);
    double error = 4 * sqrt(0.09 / 20000);
    assert_true(fabs(kn_repeated_cooperation(&r, 0, 1) - 0.9) < error);
    assert_true(fabs(kn_repeated_cooperation(&r, 1, 0) - 0.1) < error);
    assert_true(fabs(kn_repeated_cooperation(&r, 0, 2) - 0.9) < error); /* through the ordinary interface */
    kn_repeated_free(&r);
}

/* Where chance could have changed the matches, repetitions that came out equal are no certainty. */
static void test_equal_repetitions(void **state)
{
    (void)state;
    static const char *const players[] = {"cooperator", "defector"};
    KnRepeated r = run((KnRepeatedPlan){.seed = 1, .turns = 5, .repetitions = 3, .noise = 1e-9}, players, 2),
               exact = run((KnRepeatedPlan){.seed = 1, .turns = 5, .repetitions = 3}, players, 2);
    for (size_t i = 0; i < 2; i++) {
        const KnRanked *ranked = &r.ranked[i], *known = &exact.ranked[i];
        assert_true(ranked->score == known->score);
        assert_true(known->interval.low == known->score && known->interval.high == known->score);
        assert_true(ranked->interval.low < ranked->score && ranked->interval.high > ranked->score);
        assert_true(ranked->interval.low >= 0 && ranked->interval.high <= 5);
        assert_true(ranked->cooperation_interval.low < ranked->cooperation_interval.high);
        assert_true(ranked->cooperation_interval.low >= 0 && ranked->cooperation_interval.high <= 1);
        assert_true(ranked->place_best == 1 && ranked->place_worst == 2);
    }
    kn_repeated_free(&r);
    kn_repeated_free(&exact);
}

/* Press and Dyson: ZDSet2 gives anybody 2 a turn; ZDExtort2 takes twice the other's gain over 1; ZDGTFT2
 * bears twice its loss. */
static void test_zero_determinant(void **state)
{
    (void)state;
    static const char *const players[] = {
        "ZDSet2", "ZDExtort2", "ZDGTFT2", "cooperator", "memory1(.7, .2, .6, .3)", "qlearning"};
    KnRepeated r = run((KnRepeatedPlan){.seed = 9, .turns = 1000000, .repetitions = 1}, players, 6);
    for (size_t other = 3; other < 6; other++) {
        assert_true(fabs(kn_repeated_payoff(&r, other, 0) - 2) < 0.02);
        assert_true(
            fabs((kn_repeated_payoff(&r, 1, other) - 1) - 2 * (kn_repeated_payoff(&r, other, 1) - 1)) < 0.03);
        assert_true(
            fabs((kn_repeated_payoff(&r, 2, other) - 3) - 2 * (kn_repeated_payoff(&r, other, 2) - 3)) < 0.03);
    }
    kn_repeated_free(&r);
}

/* Games of more actions, and players that know nothing of cooperation. */
static void test_other_games(void **state)
{
    (void)state;
    static const char *const players[] = {"random", "satisfice"};
    KnRepeated r = run(
        (KnRepeatedPlan){
            .seed = 1,
            .game = "matrix(\"2,2 0,0 1,0; 0,0 3,3 0,0; 0,1 0,0 0,0\", actions=\"a,b,c\", turns=50)",
            .noise = 0.1},
        players, 2);
    assert_int_equal(r.repetitions, 10);
    assert_int_equal(r.pairings[1].turns, 500);
    kn_repeated_free(&r);
}

static void check_refused(KnRepeatedPlan plan, KnStatus status, const char *part)
{
    static const char *const usual[] = {"titfortat", "defector"};
    KnError error;
    KnRepeated result;
    plan.game = plan.game ? plan.game : "dilemma";
    if (!plan.players) plan.players = usual, plan.player_count = 2;
    check_fails(error, status, part, kn_repeated_run(context, &plan, NULL, NULL, &result, &error));
}

static void test_refusals(void **state)
{
    (void)state;
    check_refused((KnRepeatedPlan){.noise = 1.5}, KN_USAGE, "between 0 and 1");
    check_refused((KnRepeatedPlan){.players = (const char *const[]){"random"}, .player_count = 1}, KN_USAGE,
                  "at least two");
    check_refused(
        (KnRepeatedPlan){.players = (const char *const[]){"titfortat", "TitForTat"}, .player_count = 2},
        KN_USAGE, "\"TitForTat\" is entered twice");
    check_refused(
        (KnRepeatedPlan){.players = (const char *const[]){"cycler(CCD)", "CyclerCCD"}, .player_count = 2},
        KN_USAGE, "twice");
    check_refused((KnRepeatedPlan){.players = (const char *const[]){"titfortat", "human"}, .player_count = 2},
                  KN_USAGE, "knack play");
    check_refused(
        (KnRepeatedPlan){.players = (const char *const[]){"titfortat", "grugger"}, .player_count = 2},
        KN_INPUT, "did you mean Grudger?");
    check_refused((KnRepeatedPlan){.players = (const char *const[]){"random", "crash"}, .player_count = 2},
                  KN_FORFEIT, "random against crash: crash: the engine went away");
    check_refused((KnRepeatedPlan){.game = "tictactoe"}, KN_INPUT, "no matrix game");
    check_refused((KnRepeatedPlan){.game = "matrix(\"1,-1 -1,1; -1,1 1,-1\")"}, KN_INPUT,
                  "who could change places");
    check_refused((KnRepeatedPlan){.game = "dilemma(T=1)"}, KN_INPUT, "no prisoner's dilemma");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_matches),     cmocka_unit_test(test_threads),
        cmocka_unit_test(test_lengths),           cmocka_unit_test(test_noise),
        cmocka_unit_test(test_zero_determinant),  cmocka_unit_test(test_other_games),
        cmocka_unit_test(test_refusals),          cmocka_unit_test(test_equal_repetitions),
        cmocka_unit_test(test_lengths_of_chance),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
