/* Adjudication by the players' scores: a table of cases, each the chances that both sides state in turn. */
#include "support/check.h"
#include "support/instances.h"

#include <string.h>

#include "arena/adjudication.h"
#include "arena/play.h"

enum { SILENT = -1, PLIES = 12 };

/* A score that stands for a chance in percent, as a payoff. */
static KnAnswer says(int chance)
{
    return (KnAnswer){
        .has_score = chance != SILENT, .payoffs = true, .score = (chance - 50) * (KN_SCORE_PAYOFF / 50)};
}

/* The first role states the first, third, ... of the chances. `after` is the number of answers after which
 * the verdict falls; 0: never. */
static const struct {
    const char *what;
    KnAdjudication rules;
    int chances[PLIES];
    int after;
    KnAdjudged verdict;
} cases[] = {
    {"no rules", {0}, {1, 99, 1, 99, 1, 99, 50, 50}, 0, KN_GOES_ON},
    {"the first resigns", {.resign_moves = 2, .resign_below = 5}, {5, 60, 4, 60}, 3, KN_FIRST_LOSES},
    {"the second resigns", {.resign_moves = 2, .resign_below = 5}, {60, 1, 60, 5}, 4, KN_SECOND_LOSES},
    {"not below", {.resign_moves = 1, .resign_below = 5}, {6, 6, 6, 6}, 0, KN_GOES_ON},
    {"not in a row", {.resign_moves = 2, .resign_below = 5}, {1, 50, 50, 50, 1, 50}, 0, KN_GOES_ON},
    {"silence breaks the row",
     {.resign_moves = 2, .resign_below = 5},
     {1, 50, SILENT, 50, 1, 50},
     0,
     KN_GOES_ON},
    {"a win alone ends nothing", {.resign_moves = 1, .resign_below = 5}, {99, 60, 99, 60}, 0, KN_GOES_ON},
    {"agreed, the loser speaks last",
     {.resign_moves = 2, .resign_below = 5, .resign_agreed = true},
     {95, 5, 96, 4},
     4,
     KN_SECOND_LOSES},
    {"agreed, the winner speaks last",
     {.resign_moves = 2, .resign_below = 5, .resign_agreed = true},
     {4, 50, 3, 95, 2, 96},
     6,
     KN_FIRST_LOSES},
    {"agreed, the first wins and speaks last",
     {.resign_moves = 2, .resign_below = 5, .resign_agreed = true},
     {50, 4, 95, 3, 96},
     5,
     KN_SECOND_LOSES},
    {"not agreed",
     {.resign_moves = 1, .resign_below = 5, .resign_agreed = true},
     {1, 94, 1, 94},
     0,
     KN_GOES_ON},
    {"agreed too briefly",
     {.resign_moves = 2, .resign_below = 5, .resign_agreed = true},
     {50, 1, 99, 1, 50, 1, 99, 50},
     0,
     KN_GOES_ON},
    {"a draw", {.draw_moves = 2, .draw_within = 3}, {47, 53, 50, 50}, 4, KN_DRAWN},
    {"a draw needs both", {.draw_moves = 2, .draw_within = 3}, {50, 54, 50, 54, 50, 46}, 0, KN_GOES_ON},
    {"outside", {.draw_moves = 1, .draw_within = 3}, {54, 50, 46, 50}, 0, KN_GOES_ON},
    {"draws from a ply on",
     {.draw_moves = 1, .draw_within = 3, .draw_from = 2},
     {50, 50, 50, 50},
     4,
     KN_DRAWN},
    {"silence is no draw", {.draw_moves = 1, .draw_within = 3}, {SILENT, SILENT, 50, SILENT}, 0, KN_GOES_ON},
    {"draws without resigning",
     {.draw_moves = 1, .draw_within = 3, .resign_below = 5},
     {1, 99, 50, 50},
     4,
     KN_DRAWN},
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnVerdicts verdicts = {.hopeless = {0}};
        int after = 0;
        KnAdjudged found = KN_GOES_ON;
        for (int ply = 0; ply < PLIES && cases[i].chances[ply] && !found; ply++) {
            KnAnswer answer = says(cases[i].chances[ply]);
            found = kn_adjudicate_answer(&cases[i].rules, &verdicts, (size_t)ply, ply % 2, &answer);
            if (found) after = ply + 1;
        }
        if (found != cases[i].verdict || after != cases[i].after)
            fail_msg("%s: verdict %d after %d answers", cases[i].what, (int)found, after);
    }
}

static void test_numbers_are_checked(void **state)
{
    (void)state;
    static const struct {
        KnAdjudication rules;
        bool fine;
    } numbers[] = {
        {{0}, true},
        {{.resign_moves = 3, .resign_below = 49.9}, true},
        {{.resign_moves = 3, .resign_below = 50}, false},
        {{.resign_moves = 3, .resign_below = -1}, false},
        {{.resign_moves = -1, .resign_below = 5}, false},
        {{.draw_moves = 2, .draw_within = 0}, true},
        {{.draw_moves = 2, .draw_within = 50}, false},
        {{.draw_moves = 2, .draw_within = -0.1}, false},
        {{.draw_moves = -2, .draw_within = 2}, false},
        {{.resign_below = 70}, true}, /* asks for nothing */
    };
    KnGame two = {.spec = "two", .roles = 2, .traits = KN_GAME_ZERO_SUM}, at_once = two, three = two,
           shared = two;
    at_once.traits |= KN_GAME_SIMULTANEOUS;
    three.roles = 3;
    shared.traits = 0;
    KnError error;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_int_equal(kn_adjudication_check(&numbers[i].rules, &two, &error),
                         numbers[i].fine ? KN_OK : KN_USAGE);
    const KnGame *others[] = {&at_once, &three, &shared};
    for (int i = 0; i < 3; i++) {
        check_ok(error, kn_adjudication_check(&numbers[0].rules, others[i], &error));
        check_fails(error, KN_USAGE, "two players in turn",
                    kn_adjudication_check(&numbers[1].rules, others[i], &error));
        check_fails(error, KN_USAGE, "two players in turn",
                    kn_adjudication_check(&numbers[5].rules, others[i], &error));
    }
}

/* The same score is a small lead in men and a won game by a network's scale. */
static void test_a_network_means_its_own_chances(void **state)
{
    (void)state;
    const KnAdjudication rules = {.resign_moves = 1, .resign_below = 5};
    const KnAnswer men = {.has_score = true, .score = -512},
                   network = {.has_score = true, .score = -512, .log_odds = 256};
    KnVerdicts verdicts = {0};
    assert_int_equal(kn_adjudicate_answer(&rules, &verdicts, 0, 0, &men), KN_GOES_ON);
    assert_int_equal(kn_adjudicate_answer(&rules, &verdicts, 2, 0, &network), KN_FIRST_LOSES);
}

/* At the limit of plies a lead in men wins if it is as large as the judge asks; the ending says who decided.
 */
static void test_judge_at_the_limit(void **state)
{
    (void)state;
    static const struct {
        const char *position;
        double judge, first;
        KnEnding ending;
    } rows[] = {{"B:W30:B1,2,3", 2, 1, KN_ENDED_BY_JUDGE},    {"B:W30:B1,2,3", 2.5, 0, KN_ENDED_AT_LIMIT},
                {"B:W30,31,32:B1", 2, -1, KN_ENDED_BY_JUDGE}, {"W:W30,31:B1", 1, -1, KN_ENDED_BY_JUDGE},
                {"B:W30:B1", 0.5, 0, KN_ENDED_AT_LIMIT},      {"B:W30:B1,2,3", 0, 0, KN_ENDED_AT_LIMIT}};
    KnContext *context = test_context();
    KnGame *game;
    KnError error;
    check_ok(error, kn_game_open(context, "checkers", &game, &error));
    KnState *board = kn_state_new(game);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnEnding ending = KN_ENDED_BY_RULES;
        double payoffs[2] = {9, 9};
        check_ok(error, kn_state_set(board, rows[i].position, &error));
        kn_adjudicate(board, rows[i].judge, &ending, payoffs);
        assert_int_equal(ending, rows[i].ending);
        assert_true(payoffs[0] == rows[i].first && payoffs[1] == -rows[i].first);
    }
    kn_state_free(board);
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases), cmocka_unit_test(test_a_network_means_its_own_chances),
        cmocka_unit_test(test_numbers_are_checked), cmocka_unit_test(test_judge_at_the_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
