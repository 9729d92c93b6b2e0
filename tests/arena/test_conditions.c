/* The conditions of a match: clocks, adjudication by scores, books, Swiss pairings, superiority. */
#include "support/check.h"
#include "support/workbench.h"

#include <math.h>
#include <string.h>

#include "arena/adjudication.h"
#include "arena/match.h"
#include "arena/openings.h"
#include "arena/swiss.h"
#include "arena/time_control.h"
#include "base/file.h"

static void test_time_controls(void **state)
{
    (void)state;
    static const char *const good[] = {"60+0.6", "40/60", "40/90+1", "0+1", "0.5"};
    KnTimeControl control = {0};
    KnError error;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        KnText text = KN_TEXT_EMPTY;
        check_ok(error, kn_time_control_parse(good[i], &control, &error));
        kn_time_control_text(&control, &text);
        assert_string_equal(text.data, good[i]);
        kn_text_free(&text);
    }
    check_ok(error, kn_time_control_parse("40/1:30+1", &control, &error));
    assert_true(control.moves == 40 && control.seconds == 90 && control.increment == 1);
    static const char *const bad[] = {"",    "0",    "0+0", "-1",  "1+",   "1+-1", "1.5/60", "0/60",
                                      "60/", "1:60", "nan", "inf", "1e99", " 60",  "60 ",    "60+0.6x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(kn_time_control_parse(bad[i], &control, &error), KN_USAGE);
}

static void test_clocks(void **state)
{
    (void)state;
    KnTimeControl control = {.moves = 2, .seconds = 10, .increment = 1, .margin = 0.5};
    KnClocks clocks;
    kn_clocks_start(&control, 2, &clocks);
    assert_true(kn_clocks_share(&clocks, 0) > 0 && kn_clocks_share(&clocks, 0) < 10);
    assert_true(kn_clocks_spend(&control, &clocks, 0, 4));
    assert_true(clocks.remaining[0] == 7 && clocks.moves_to_go[0] == 1 && clocks.remaining[1] == 10);
    assert_true(kn_clocks_spend(&control, &clocks, 0, 7.4)); /* within the margin; then ten more seconds */
    assert_true(clocks.remaining[0] == 11 && clocks.moves_to_go[0] == 2);
    assert_false(kn_clocks_spend(&control, &clocks, 0, 12));
    /* Spending every share, nobody runs out. */
    control = (KnTimeControl){.seconds = 1, .increment = 0.01};
    kn_clocks_start(&control, 1, &clocks);
    for (int i = 0; i < 500; i++)
        assert_true(kn_clocks_spend(&control, &clocks, 0, kn_clocks_share(&clocks, 0)));
}

static KnAdjudged say(const KnAdjudication *rules, KnVerdicts *verdicts, size_t ply, KnScore score)
{
    KnAnswer answer = {.has_score = true, .score = score};
    return kn_adjudicate_answer(rules, verdicts, ply, (int)(ply % 2), &answer);
}

static void test_adjudication(void **state)
{
    (void)state;
    KnAdjudication rules = {.resign_moves = 2, .resign_below = 25}; /* three men behind */
    KnVerdicts v = {0};
    assert_int_equal(say(&rules, &v, 0, -400), KN_GOES_ON);
    assert_int_equal(say(&rules, &v, 1, 400), KN_GOES_ON);
    assert_int_equal(say(&rules, &v, 2, -200), KN_GOES_ON); /* it takes hope again */
    assert_int_equal(say(&rules, &v, 4, -300), KN_GOES_ON);
    assert_int_equal(say(&rules, &v, 6, -300), KN_FIRST_LOSES);
    rules.resign_agreed = true;
    v = (KnVerdicts){0};
    for (size_t ply = 0; ply < 8; ply += 2)
        assert_int_equal(say(&rules, &v, ply, -KN_SCORE_PROVEN), KN_GOES_ON);
    assert_int_equal(say(&rules, &v, 9, 400), KN_GOES_ON);
    assert_int_equal(say(&rules, &v, 11, 400), KN_FIRST_LOSES);
    rules = (KnAdjudication){.draw_from = 4, .draw_moves = 2, .draw_within = 5};
    v = (KnVerdicts){0};
    for (size_t ply = 0; ply < 7; ply++) assert_int_equal(say(&rules, &v, ply, 0), KN_GOES_ON);
    assert_int_equal(say(&rules, &v, 7, 10), KN_DRAWN);
    /* Without scores nothing is decided. */
    KnAnswer silent = {0};
    v = (KnVerdicts){0};
    for (size_t ply = 0; ply < 20; ply++)
        assert_int_equal(kn_adjudicate_answer(&rules, &v, ply, (int)(ply % 2), &silent), KN_GOES_ON);
}

/* Nobody meets twice, nobody has two byes, for as many rounds as are promised. */
static void test_swiss_pairs(void **state)
{
    (void)state;
    enum { MOST = 24 };
    for (size_t n = 2; n <= MOST; n++) {
        bool met[MOST * MOST] = {0}, had_bye[MOST] = {0};
        double scores[MOST] = {0};
        size_t partner[MOST];
        for (size_t round = 0; round < kn_swiss_rounds_most(n); round++) {
            assert_true(kn_swiss_pair(n, scores, met, had_bye, partner));
            size_t byes = 0;
            for (size_t i = 0; i < n; i++) {
                size_t j = partner[i];
                assert_int_equal(partner[j], i);
                if (i == j) {
                    assert_false(had_bye[i]);
                    had_bye[i] = true;
                    byes++;
                } else if (i < j) {
                    assert_false(met[i * n + j]);
                    met[i * n + j] = met[j * n + i] = true;
                    scores[i] += 1;
                }
            }
            assert_int_equal(byes, n % 2);
        }
    }
}

static void check_book(const KnContext *context, const char *text, size_t count, const char *fails)
{
    KnError error;
    KnGame *game;
    KnOpenings *openings;
    check_ok(error, kn_file_write_atomic("book", text, strlen(text), &error));
    check_ok(error, kn_game_open(context, "othello", &game, &error));
    KnOpeningsPlan plan = {.path = "book", .plies = 3, .seed = 1};
    if (fails)
        check_fails(error, KN_INPUT, fails, kn_openings_new(game, &plan, &openings, &error));
    else {
        check_ok(error, kn_openings_new(game, &plan, &openings, &error));
        assert_int_equal(kn_openings_count(openings), count);
        KnState *played = kn_state_new(game);
        for (size_t i = 0; i < count; i++) {
            check_ok(error, kn_openings_play(openings, i, played, &error));
            assert_true(kn_state_plies(played) <= 3);
        }
        kn_state_free(played);
        kn_openings_free(openings);
    }
    kn_game_close(game);
}

#define GGF(moves)                                                                                           \
    "(;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]" moves ";)"  \
    "\n"

static void test_books(void **state)
{
    (void)state;
    KnContext *context = test_workbench("books");
    check_book(context, "# a list\nf5 d6 c3 d3 c4\n\nf5 f6\n", 2, NULL);
    check_book(context, "f5 d6; id \"one\"; c0 \"x\"\n", 1, NULL);
    check_book(context, "f5 d6\nf5 a1\n", 0, "book, line 2");
    check_book(context, "# nothing\n", 0, "holds no openings");
    check_book(context, GGF("B[f5]W[d6]B[c3]W[d3]") GGF("B[f5]W[d6]B[c3]W[g5]") GGF("B[f5]W[f6]B[e6]"), 2,
               NULL);
    check_book(context, GGF("B[f5]W[d6]B[c3]") GGF("B[f5]W[a1]B[c3]"), 0, "book, game 2: move 2: \"a1\"");
    check_book(context, "(;GM[1]SZ[9];B[aa])", 0, "book, game 1: this is a game of go");
    kn_close(context);
}

static void test_superiority(void **state)
{
    (void)state;
    assert_true(fabs(kn_los_wdl(0, 0, 0) - 0.5) < 1e-12 && fabs(kn_los_wdl(7, 3, 7) - 0.5) < 1e-12);
    assert_true(kn_los_wdl(1, 0, 0) < 0.9 && kn_los_wdl(20, 0, 0) > 0.999 && kn_los_wdl(0, 0, 20) < 0.001);
    double a = kn_los_pairs((const uint64_t[5]){3, 10, 50, 20, 4});
    assert_true(a > 0.9 && a < 1 &&
                fabs(a + kn_los_pairs((const uint64_t[5]){4, 20, 50, 10, 3}) - 1) < 1e-12);
}

/* A player that thinks longer than its clock loses; two that keep to it finish, and the record says how. */
static void test_match_with_clocks(void **state)
{
    (void)state;
    KnContext *context = test_workbench("clocks");
    KnError error;
    KnMatchResult result;
    KnMatchPlan plan = {
        .game = "othello", .players = {"alphabeta(depth=30)", "random"}, .games = 2, .seed = 1};
    plan.jobs = 1;
    plan.rules.clock = (KnTimeControl){.seconds = 2000, .increment = 0.001};
    plan.rules.budget.nodes = 50;
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
    assert_true(result.nondeterministic && !result.standing.forfeits[0] && !result.standing.forfeits[1]);
    plan.rules.clock = (KnTimeControl){.seconds = 1e-7};
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
    assert_int_equal(result.standing.forfeits[0] + result.standing.forfeits[1], 2);
    assert_non_null(strstr(result.first_fault, "ran out of time"));
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_controls),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_adjudication),
        cmocka_unit_test(test_swiss_pairs),
        cmocka_unit_test(test_books),
        cmocka_unit_test(test_superiority),
        cmocka_unit_test(test_match_with_clocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
