/* Where searches end, and that the numbers in their explanations are those of the search. */
#include "support/check.h"
#include "support/told.h"
#include "support/workbench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/explanation.h"
#include "games/replay.h"
#include "eval/ntuple.h"
#include "players/search_explanation.h"
#include "players/search_words.h"

static void test_budgets_replace_defaults(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        KnBudget budget;
        int least, most; /* depth reached */
        const char *limits;
    } cases[] = {
        {"alphabeta", {0}, 4, 4, "depth 4 (the default)"},
        {"alphabeta(nodes=30000)", {0}, 6, 60, "30000 positions"},
        {"alphabeta(nodes=30000, depth=3)", {0}, 3, 3, "depth 3, 30000 positions"},
        {"alphabeta", {.nodes = 30000}, 6, 60, "30000 positions"},
        {"alphabeta", {.nodes = 30000, .depth = 5}, 5, 5, "depth 5, 30000 positions"},
        {"alphabeta", {.seconds = 30, .cap = true}, 4, 4, "depth 4 (the default), 30 s"},
        {"alphabeta(deepening=no, nodes=30000)", {0}, 4, 4, "depth 4, 30000 positions"},
        {"minimax", {0}, 2, 2, "depth 2 (the default)"},
        {"minimax(nodes=20000)", {0}, 3, 60, "20000 positions"},
        {"minimax(nodes=20000, deepening=no)", {0}, 2, 2, "depth 2, 20000 positions"},
        {"breadth(nodes=500, memory=1)", {0}, 1, 60, "500 positions"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Told told = told_ask("checkers", 3, cases[i].spec, cases[i].budget);
        const json_t *document = told.document;
        if (told.answer.depth < cases[i].least || told.answer.depth > cases[i].most)
            fail_msg("%s: depth %d", cases[i].spec, told.answer.depth);
        assert_string_equal(told_text(document, "limits"), cases[i].limits);
        told_free(&told);
    }
    /* A game that is searched to its end in time, on any machine. */
    Told whole = told_ask("tictactoe", 3, "alphabeta(time=600)", (KnBudget){0});
    const json_t *document = whole.document;
    assert_true(whole.answer.depth > 4);
    assert_string_equal(told_text(document, "limits"), "600 s");
    told_free(&whole);
    Told many = told_ask("tictactoe", 0, "uct(nodes=60000, solve=no)", (KnBudget){0}),
         few = told_ask("tictactoe", 0, "uct(solve=no)", (KnBudget){0});
    document = many.document;
    assert_true(told_number(document, "random games") > 2000);
    document = few.document;
    assert_string_equal(told_text(document, "limits"), "1000 random games (the default)");
    told_free(&many);
    told_free(&few);
    /* The general player asks for any number of playouts, which is no limit. */
    Told general = told_ask("checkers", 3, "general(nodes=500)", (KnBudget){0});
    document = general.document;
    assert_string_equal(told_text(document, "limits"), "500 positions");
    told_free(&general);
}

/* What the sentence and the row say that the move is worth is the answer's score. */
static void check_worth(const Told *told, const json_t *document, const char *head, bool network)
{
    KnScore score = told->answer.score;
    json_t *row = told_child(document, "worth");
    if (!row) {
        assert_true(abs(score) >= KN_SCORE_PROVEN);
        assert_non_null(strstr(head, score > 0 ? " wins " : " loses "));
        return;
    }
    const char *unit = json_string_value(json_object_get(row, "unit"));
    bool men = unit[0] != '%';
    double worth = json_number_value(json_object_get(row, "number")),
           expected = men ? score / 100.0 : 50 + 50.0 * score / KN_SCORE_PAYOFF;
    if (network && abs(score) < KN_SCORE_HEURISTIC)
        expected = 50 + 50 * tanh(score / (double)KN_NETWORK_SCORE);
    if (fabs(worth - expected) > 0.0051) fail_msg("%s: worth %g, the answer has %g", head, worth, expected);
    KnText said = KN_TEXT_EMPTY;
    kn_text_printf(&said, men ? "(%+.2f %s)" : "%.0f %s", expected, unit);
    if (!strstr(head, said.data) && !strstr(head, "holds the draw") && !strstr(head, "end of the game"))
        fail_msg("\"%s\" does not say %s", head, said.data);
    kn_text_free(&said);
}

/* The first sentence and the rows say what the answer says. */
static void test_numbers_of_searches(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "alphabeta(depth=3)", "alphabeta(nodes=3000)",     "minimax(depth=2)",   "breadth(nodes=400)",
        "uct(playouts=300)",  "uct(nodes=5000, solve=no)", "general(nodes=2000)"};
    static const char *const games[] = {"tictactoe", "checkers", "othello(6)", "morris(6)", "go(5)"};
    static const bool networks[] = {false, true, true, false, false}; /* evaluate for alphabeta */
    for (size_t g = 0; g < sizeof games / sizeof *games; g++)
        for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
            Told told = told_ask(games[g], 3, specs[i], (KnBudget){0});
            json_t *document = told.document, *row;
            const char *head = told_head(&told);
            if (strncmp(head, "a man on ", 9) == 0) head += 9; /* a move that is only a number */
            if (strncmp(head, told.move.data, told.move.length) != 0 || head[told.move.length] != ' ')
                fail_msg("%s, %s: \"%s\" is not about %s", games[g], specs[i], head, told.move.data);
            check_worth(&told, document, head, networks[g] && strncmp(specs[i], "alphabeta", 9) == 0);
            double searched = json_number_value(json_object_get(told_child(document, "searched"), "number"));
            if (searched != (double)told.answer.cost.nodes)
                fail_msg("%s, %s: searched %g of %llu", games[g], specs[i], searched,
                         (unsigned long long)told.answer.cost.nodes);
            double visits = 0, playouts = json_number_value(
                                   json_object_get(told_child(document, "random games"), "number"));
            size_t at;
            json_array_foreach(json_object_get(told_child(document, "moves"), "children"), at, row)
            {
                const char *text = json_string_value(json_object_get(row, "text")),
                           *comma = strrchr(text, ',');
                if (comma && strstr(comma, " visit")) visits += strtod(comma + 1, NULL);
            }
            if (playouts > 0 && visits > 0 && fabs(playouts - visits) > 1)
                fail_msg("%s, %s: %g random games, %g visits", games[g], specs[i], playouts, visits);
            told_free(&told);
        }
}

/* Hints are no playouts: the sentence and the rows count what was played. */
static void test_numbers_of_tactical(void **state)
{
    (void)state;
    for (int plies = 0; plies < 12; plies += 2) {
        Told told = told_ask("go(9)", plies, "tactical(playouts=60)", (KnBudget){0});
        json_t *document = told.document, *row;
        const char *head = told_head(&told), *open = strstr(head, " wins ");
        double won = 0, tried = 0, all = 0, sum = 0, found = 0;
        if (!open || sscanf(open, " wins %lf of the %lf random games from there (%lf in all)", &won, &tried,
                            &all) != 3)
            fail_msg("%s", head);
        assert_true(all > 30 && all <= 60 && won >= 0 && won <= tried && tried <= all);
        size_t at;
        json_array_foreach(json_object_get(told_child(document, "moves by playouts"), "children"), at, row)
        {
            char name[16];
            double visits, share = json_number_value(json_object_get(row, "number"));
            assert_int_equal(sscanf(json_string_value(json_object_get(row, "label")), "%15[^,], %lf playouts",
                                    name, &visits),
                             2);
            sum += visits;
            double wins = visits * share / 100; /* a whole or half number: a game is won, lost or drawn */
            assert_true(fabs(wins * 2 - floor(wins * 2 + 0.5)) < 1e-6);
            if (strcmp(name, told.move.data) != 0) continue;
            found++;
            assert_true(visits == tried);
            assert_true(fabs(wins - won) <= 0.51);
        }
        assert_true(found == 1 && sum <= all);
        told_free(&told);
    }
}

static void test_large_counts_are_whole(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    KnExplanation *root = kn_explanation_new(arena, "counts");
    KnText text = KN_TEXT_EMPTY;
    kn_explanation_number(arena, root, "searched", 1565313, "positions");
    kn_explanation_number(arena, root, "share", 0.123456789, "");
    kn_explanation_print(root, &text);
    assert_non_null(strstr(text.data, "searched: 1565313 positions"));
    assert_non_null(strstr(text.data, "share: 0.123457"));
    kn_text_free(&text);
    kn_arena_free(arena);
}

/* What a score expects: of a network by its curve, of random games in proportion; men and proofs expect none.
 */
static void test_chances(void **state)
{
    (void)state;
    double chance;
    assert_true(kn_score_chance(512, false, KN_NETWORK_SCORE, &chance));
    assert_true(fabs(chance - 0.8808) < 1e-3); /* (1 + tanh 1) / 2 */
    assert_true(kn_score_chance(0, false, KN_NETWORK_SCORE, &chance) && chance == 0.5);
    assert_true(kn_score_chance(KN_SCORE_PAYOFF / 2, true, 0, &chance));
    assert_true(fabs(chance - 0.75) < 1e-9);
    assert_false(kn_score_chance(150, false, 0, &chance));
    assert_false(kn_score_chance(KN_SCORE_WIN - 3, false, KN_NETWORK_SCORE, &chance));
    KnBudget budget = {.nodes = 200};
    Told told = told_ask("othello", 4, "alphabeta(depth=2, eval=ntuple)", budget);
    assert_true(told.answer.log_odds == KN_NETWORK_SCORE);
    told_free(&told);
    told = told_ask("othello", 4, "alphabeta(depth=2, eval=hand)", budget);
    assert_true(told.answer.log_odds == 0 && !told.answer.payoffs);
    told_free(&told);
}

/* A proved win or loss has no number: the sentence says so. */
static void test_proved_outcomes(void **state)
{
    (void)state;
    static const char *const specs[] = {"alphabeta(depth=9)", "uct(playouts=3000)", "breadth(nodes=5000)"};
    static const struct {
        const char *position;
        int sign;
    } rows[] = {{"xx./oo./... x", 1}, {"xx./.o./x.o o", -1}, {"x../.o./..x o", 0}};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            Told told = told_at("tictactoe", rows[r].position, specs[i]);
            KnScore score = told.answer.score;
            assert_int_equal((score > KN_SCORE_PROVEN) - (score < -KN_SCORE_PROVEN), rows[r].sign);
            assert_int_equal(told_child(told.document, "worth") != NULL, rows[r].sign == 0);
            check_worth(&told, told.document, told_head(&told), false);
            told_free(&told);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_budgets_replace_defaults), cmocka_unit_test(test_proved_outcomes),
        cmocka_unit_test(test_numbers_of_searches),      cmocka_unit_test(test_numbers_of_tactical),
        cmocka_unit_test(test_large_counts_are_whole),   cmocka_unit_test(test_chances)};
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
