/* Matches: same seed same bytes, resuming, openings from both sides, forfeits, the sequential test. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/match.h"
#include "base/file.h"

static KnMatchPlan plan_of(const char *game, const char *a, const char *b, uint64_t games)
{
    return (KnMatchPlan){.game = game, .players = {a, b}, .games = games, .seed = 7, .jobs = 1};
}

static void digest_of(const KnContext *context, const KnMatchPlan *plan, KnStore *store, char hex[KN_HEX128],
                      uint64_t *resumed)
{
    KnError error;
    KnMatchResult result;
    check_ok(error, kn_match_run(context, plan, store, NULL, &result, &error));
    assert_int_equal(result.standing.games, plan->games);
    kn_digest_hex(&result.standing.digest, hex);
    if (resumed) *resumed = result.resumed;
}

static void test_jobs_do_not_matter(void **state)
{
    (void)state;
    KnContext *context = test_workbench("jobs");
    KnMatchPlan plan = plan_of("checkers", "alphabeta(depth=2)", "random", (uint64_t)check_scaled(60));
    plan.random_plies = 4;
    plan.rules.ply_limit = 120;
    char one[KN_HEX128], four[KN_HEX128], other[KN_HEX128];
    digest_of(context, &plan, NULL, one, NULL);
    plan.jobs = 4;
    digest_of(context, &plan, NULL, four, NULL);
    assert_string_equal(one, four);
    plan.seed = 8;
    digest_of(context, &plan, NULL, other, NULL);
    assert_string_not_equal(one, other);
    kn_close(context);
}

/* A run that was stopped half way, by the store holding only its first games, ends as the undisturbed one. */
static void test_resuming(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("resume");
    KnMatchPlan plan = plan_of("othello(size=6)", "alphabeta(depth=1)", "random", 30);
    char whole[KN_HEX128], resumed[KN_HEX128];
    digest_of(context, &plan, NULL, whole, NULL);
    KnStore *store;
    check_ok(error, kn_store_open(context, &store, &error));
    uint64_t before;
    plan.games = 13;
    digest_of(context, &plan, store, resumed, &before);
    assert_int_equal(before, 0);
    plan.games = 30;
    plan.jobs = 2;
    digest_of(context, &plan, store, resumed, &before);
    assert_int_equal(before, 13);
    assert_string_equal(whole, resumed);
    digest_of(context, &plan, store, resumed, &before);
    assert_int_equal(before, 30);
    assert_string_equal(whole, resumed);
    kn_store_close(store);
    kn_close(context);
}

static KnStatus compare_pair(void *user, const KnStandingRecord *record, KnError *error)
{
    (void)error;
    char *opening = user;
    char begins[64];
    snprintf(begins, sizeof begins, "%.14s", record->moves);
    assert_int_equal(record->first, record->index % 2);
    if (record->index % 2 == 0)
        strcpy(opening, begins);
    else
        assert_string_equal(opening, begins);
    return KN_OK;
}

/* Each opening is played from both sides. */
static void test_openings_come_in_pairs(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("pairs");
    KnMatchPlan plan = plan_of("checkers", "random", "random", 40);
    plan.random_plies = 3; /* at least 3 x 4 letters and two blanks */
    plan.rules.ply_limit = 40;
    plan.name = "pairs";
    KnStore *store;
    check_ok(error, kn_store_open(context, &store, &error));
    char hex[KN_HEX128], opening[64];
    digest_of(context, &plan, store, hex, NULL);
    check_ok(error, kn_store_games(store, 1, compare_pair, opening, &error));
    kn_store_close(store);
    kn_close(context);
}

static void test_openings_file(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("openings");
    static const char text[] = "# two ways\n\n 9-14 22-18 \nB:W31:B1\n";
    check_ok(error, kn_file_write_atomic("openings.txt", text, sizeof text - 1, &error));
    KnMatchPlan plan = plan_of("checkers", "random", "random", 4);
    plan.openings = "openings.txt";
    plan.rules.ply_limit = 60;
    char hex[KN_HEX128];
    digest_of(context, &plan, NULL, hex, NULL);
    static const char wrong[] = "9-14 22-18\n9-14 9-14\n";
    check_ok(error, kn_file_write_atomic("openings.txt", wrong, sizeof wrong - 1, &error));
    KnMatchResult result;
    check_fails(error, KN_INPUT, "openings.txt, line 2",
                kn_match_run(context, &plan, NULL, NULL, &result, &error));
    plan.openings = "nowhere.txt";
    check_fails(error, KN_SYSTEM, "nowhere.txt", kn_match_run(context, &plan, NULL, NULL, &result, &error));
    kn_close(context);
}

/* A player that cheats, fails or is too slow loses that game, is named, and plays the next. */
static void test_forfeits(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("forfeits");
    const char *const bad[] = {"cheat", "crash"};
    const char *const said[] = {"not allowed", "went away"};
    for (int i = 0; i < 2; i++) {
        KnMatchPlan plan = plan_of("othello", "random", bad[i], 6);
        KnMatchResult result;
        check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
        assert_int_equal(result.standing.wins, 6);
        assert_int_equal(result.standing.forfeits[1], 6);
        assert_int_equal(result.standing.forfeits[0], 0);
        assert_non_null(strstr(result.first_fault, said[i]));
    }
    KnMatchPlan plan = plan_of("tictactoe", "slow", "random", 2);
    plan.rules.move_limit = 0.02;
    KnMatchResult result;
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
    assert_int_equal(result.standing.forfeits[0], 2);
    kn_close(context);
}

static void test_sprt_stops(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("sprt");
    KnMatchPlan plan = plan_of("tictactoe", "alphabeta(depth=9)", "random", 10000);
    plan.sprt = true;
    plan.test = (KnSprtPlan){0, 50, 0.05, 0.05, KN_SPRT_LOGISTIC};
    KnMatchResult one, two;
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &one, &error));
    assert_int_equal(one.sprt.state, KN_SPRT_ACCEPT_H1);
    assert_true(one.standing.games < 1000 && one.standing.games % 2 == 0);
    plan.jobs = 3;
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &two, &error));
    assert_int_equal(one.standing.games, two.standing.games);
    assert_memory_equal(one.standing.pairs, two.standing.pairs, sizeof one.standing.pairs);
    kn_close(context);
}

/* Copies of one game are no further evidence, and the result says so; and payoffs keep to their bounds. */
static void test_repeats(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("repeats");
    KnMatchPlan plan = plan_of("othello(size=6)", "legal", "legal", 10);
    KnMatchResult result;
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
    assert_non_null(strstr(result.repeats, "only 2 of the 10 games are different"));
    json_t *document = kn_match_json(&plan, &result);
    assert_string_equal(json_string_value(json_object_get(document, "repeats")), result.repeats);
    json_decref(document);
    plan.games = 2100;
    plan.game = "tictactoe";
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
    assert_non_null(strstr(result.repeats, "only 2 of the first 2000 games"));
    plan.random_plies = 4;
    plan.games = 20;
    plan.game = "othello(size=6)";
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
    assert_string_equal(result.repeats, "");
    plan.players[0] = "alphabeta(depth=3)";
    plan.games = 4;
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
    document = kn_match_json(&plan, &result);
    const json_t *own = json_array_get(json_object_get(json_object_get(document, "result"), "players"), 0),
                 *bounds = json_object_get(own, "payoff_95");
    double mean = json_number_value(json_object_get(own, "payoff_mean")),
           low = json_number_value(json_array_get(bounds, 0)),
           high = json_number_value(json_array_get(bounds, 1));
    assert_true(low < mean && mean <= high && high <= 1 && low < high); /* four wins prove no certain win */
    json_decref(document);
    kn_close(context);
}

static void test_bad_plans(void **state)
{
    (void)state;
    KnError error;
    KnMatchResult result;
    KnContext *context = test_workbench("bad");
    KnMatchPlan plan = plan_of("tictactoe", "random", "human", 2);
    check_fails(error, KN_USAGE, "knack play", kn_match_run(context, &plan, NULL, NULL, &result, &error));
    plan = plan_of("morris", "random", "random", 2);
    check_fails(error, KN_USAGE, "--plies", kn_match_run(context, &plan, NULL, NULL, &result, &error));
    plan = plan_of("tictactoe", "random", "random", 0);
    check_fails(error, KN_USAGE, "at least one game",
                kn_match_run(context, &plan, NULL, NULL, &result, &error));
    plan = plan_of("tictactoe", "random", "alphabeta(dept=3)", 2);
    check_fails(error, KN_INPUT, "its options are depth",
                kn_match_run(context, &plan, NULL, NULL, &result, &error));
    plan = plan_of("tictactoes", "random", "random", 2);
    check_fails(error, KN_INPUT, "did you mean tictactoe?",
                kn_match_run(context, &plan, NULL, NULL, &result, &error));
    kn_close(context);
}

static void test_names_and_foreign_files(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("names");
    KnStore *store;
    check_ok(error, kn_store_open(context, &store, &error));
    KnMatchPlan plan = plan_of("tictactoe", "random", "random", 4);
    plan.name = "mine";
    KnMatchResult result;
    check_ok(error, kn_match_run(context, &plan, store, NULL, &result, &error));
    plan.seed = 99;
    check_fails(error, KN_INPUT, "other settings",
                kn_match_run(context, &plan, store, NULL, &result, &error));
    kn_store_close(store);
    static const char junk[] =
        "this is no database, but it is long enough to be looked at as if it were one ..............";
    check_ok(error, kn_mkdirs("junk", &error));
    check_ok(error, kn_file_write_atomic("junk/results.db", junk, sizeof junk, &error));
    KnContext *other = test_workbench("junk");
    check_fails(error, KN_INPUT, "results.db", kn_store_open(other, &store, &error));
    KnText kept = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("junk/results.db", &kept, 1000, &error));
    assert_memory_equal(kept.data, junk, sizeof junk);
    kn_text_free(&kept);
    kn_close(other);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jobs_do_not_matter),
        cmocka_unit_test(test_resuming),
        cmocka_unit_test(test_openings_come_in_pairs),
        cmocka_unit_test(test_openings_file),
        cmocka_unit_test(test_forfeits),
        cmocka_unit_test(test_sprt_stops),
        cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_bad_plans),
        cmocka_unit_test(test_names_and_foreign_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
