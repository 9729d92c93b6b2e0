/* Weights and the linear evaluation: sums by hand, files that round-trip, and files that are errors. */
#include "support/boards.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "eval/linear.h"

typedef unsigned char Room[64] __attribute__((aligned(16)));

static KnGame *open_checkers(void)
{
    KnError error;
    KnGame *game = test_game("checkers");
    check_ok(error, kn_evaluations_register((KnContext *)(uintptr_t)game->context, &error));
    return game;
}

static KnScore score_of(const KnGame *game, const char *spec, const char *position)
{
    Room room;
    KnError error;
    KnEvaluation *evaluation;
    test_position(game, position, room);
    check_ok(error, kn_evaluation_open_text(game->context, game, spec, &evaluation, &error));
    KnScore score = kn_evaluate(evaluation, room);
    kn_evaluation_close(evaluation);
    return score;
}

/* 14 and 10 against 22, phase 4, as in the tests of the features: a man, free mobility 1, double-cap 1, some
 * -1, angle 1, shadow 1, advancement 3, centrality 2, balance -2; 10 and 14 lie on the left half, as does 22:
 * -2 against -1. */
static void test_sum_by_hand(void **state)
{
    (void)state;
    KnGame *game = open_checkers();
    assert_int_equal(score_of(game, "features(weights=zero)", "B:W22:B10,14"), 100);
    assert_int_equal(score_of(game, "features(weights=zero)", "W:W22:BK10,14"), -130);
    /* 1 for each but man and king: move 1, free 1, double-cap 1, some -1, balance -1, advancement 3,
     * centrality 2, angle 1, shadow 1. */
    assert_int_equal(score_of(game, "features(weights=one)", "B:W22:B10,14"), 108);
    /* By Table 1, phase 4: 2 + 4 - 6 + 10 - 2 + 0 + 0 + 0 + 0. */
    assert_int_equal(score_of(game, "features(weights=chinook-original)", "B:W22:B10,14"), 108);
    /* .46 + 6.47 - 1.08 + 6.08 + .86 - 3 * .68 - 2 * 1.86 + 3.23 - .19 = 10.07 */
    assert_int_equal(score_of(game, "features(weights=chinook-learned)", "B:W22:B10,14"), 110);
    test_game_close(game);
}

static void test_any_game_with_features(void **state)
{
    (void)state;
    static const char *const specs[] = {"othello", "morris", "fives", "go(size=5)"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        KnGame *game = test_game(specs[i]);
        KnError error;
        KnWeights *weights;
        check_ok(error, kn_weights_open(game, "one", &weights, &error));
        assert_string_equal(weights->features->name, "features");
        assert_int_equal(weights->features->count, game->feature_count + 1);
        void *position = aligned_alloc(16, (game->position_size + 15) & ~(size_t)15);
        double values[KN_FEATURES_MAX], sum = 0;
        game->type->start(game, position);
        int phase = weights->features->values(weights->features, position, values);
        assert_in_range(phase, 0, weights->features->phases - 1);
        assert_true(values[0] == 1);
        for (int t = 0; t < weights->features->count; t++) {
            assert_true(values[t] >= -1 && values[t] <= 1);
            sum += values[t];
        }
        double found = kn_linear_sum(weights->features, weights->sets[0].weights, position);
        assert_true(found > sum - 1e-9 && found < sum + 1e-9);
        free(position);
        kn_weights_free(weights);
        test_game_close(game);
    }
    KnGame *game = test_game("dilemma");
    KnError error;
    KnWeights *weights;
    check_fails(error, KN_INPUT, "simultaneous", kn_weights_open(game, "zero", &weights, &error));
    test_game_close(game);
}

static void test_files_come_back(void **state)
{
    (void)state;
    static const char *const names[] = {"black", "white"};
    KnGame *game = open_checkers();
    KnError error;
    KnWeights *weights, *read;
    check_ok(error, kn_weights_new(game, NULL, names, 2, &weights, &error));
    for (size_t i = 0; i < kn_weights_size(weights->features); i++) {
        weights->sets[1].weights[i] = 1.0 / (3.0 + (double)i);
        weights->sets[1].updates[i] = i * 1000003;
    }
    weights->made = json_pack("{ss}", "by", "a test");
    KnText text = KN_TEXT_EMPTY, again = KN_TEXT_EMPTY;
    kn_weights_text(weights, &text);
    check_ok(error, kn_weights_parse(game, text.data, text.length, "memory", &read, &error));
    for (size_t i = 0; i < kn_weights_size(weights->features); i++)
        assert_true(read->sets[1].weights[i] == weights->sets[1].weights[i]);
    kn_weights_text(read, &again);
    assert_string_equal(text.data, again.data);
    check_ok(error, kn_weights_save(read, "weights.json", &error));
    /* A set by its name, or by the role. */
    KnEvaluation *evaluation;
    Room room;
    test_position(game, "B:W22:B10,14", room);
    check_ok(error, kn_evaluation_open_text(game->context, game, "features(weights=weights.json)",
                                            &evaluation, &error));
    KnScore black = kn_evaluate(evaluation, room);
    evaluation->set_role(evaluation, 1);
    KnScore white = kn_evaluate(evaluation, room);
    evaluation->set_role(evaluation, 0);
    assert_int_equal(kn_evaluate(evaluation, room), black);
    assert_int_not_equal(black, white);
    kn_evaluation_close(evaluation);
    assert_int_equal(score_of(game, "features(weights=weights.json, set=white)", "B:W22:B10,14"), white);
    check_fails(error, KN_INPUT, "no set \"grey\"; known: black, white",
                kn_evaluation_open_text(game->context, game, "features(weights=weights.json, set=grey)",
                                        &evaluation, &error));
    kn_text_free(&text);
    kn_text_free(&again);
    kn_weights_free(weights);
    kn_weights_free(read);
    test_game_close(game);
}

/* A file with one thing changed. */
static void refuse(const KnGame *game, const char *text, const char *old, const char *new, const char *part)
{
    const char *at = strstr(text, old);
    assert_non_null(at);
    KnText changed = KN_TEXT_EMPTY;
    kn_text_add_bytes(&changed, text, (size_t)(at - text));
    kn_text_add(&changed, new);
    kn_text_add(&changed, at + strlen(old));
    KnError error;
    KnWeights *weights;
    check_fails(error, KN_INPUT, part,
                kn_weights_parse(game, changed.data, changed.length, "chk.json", &weights, &error));
    kn_text_free(&changed);
}

static void test_refusals(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers"), *othello = test_game("othello");
    KnError error;
    KnWeights *weights;
    check_ok(error, kn_weights_open(game, "chinook-original", &weights, &error));
    KnText text = KN_TEXT_EMPTY;
    kn_weights_text(weights, &text);
    kn_weights_free(weights);
    refuse(game, text.data, "weights 1", "weights 9", "these are no weights");
    refuse(game, text.data, "\"chinook\"", "\"samuel\"", "no features \"samuel\"");
    refuse(game, text.data, "\"balance\"", "\"ballast\"", "ballast");
    refuse(game, text.data, "\"balance\": [5", "\"balance\": [5, 5",
           "4 numbers are wanted, one a phase, and here are 5");
    refuse(game, text.data, "\"balance\": [5", "\"balance\": [\"x\"", "balance[0]");
    refuse(game, text.data, "\"balance\": [5", "\"balance\": [1e99", "between -1e7 and 1e7");
    refuse(game, text.data, "\"shared\"", "\"\"", "names of 1 to");
    check_fails(error, KN_INPUT, "made for checkers, and this is othello",
                kn_weights_parse(othello, text.data, text.length, "f", &weights, &error));
    check_fails(error, KN_INPUT,
                "f:", kn_weights_parse(game, text.data, text.length / 2, "f", &weights, &error));
    check_fails(error, KN_INPUT, "zero, one, chinook-learned, chinook-original",
                kn_weights_open(game, "chinook", &weights, &error));
    kn_text_free(&text);
    test_game_close(game);
    test_game_close(othello);
}

/* The whole spec counts: another board or another aim is another game, however the features are called.
 * Defaults may be spelled out, and how a result is counted does not matter. */
static void test_other_rules(void **state)
{
    (void)state;
    static const struct {
        const char *learned, *played;
        bool fits;
    } rows[] = {{"othello", "othello(size=6)", false},
                {"othello(size=6)", "othello", false},
                {"othello", "othello(size=8)", true},
                {"othello(payoff=discs)", "othello", true},
                {"fives", "fives(line=4)", false},
                {"morris", "morris(men=9)", false},
                {"go(size=5)", "go(size=5, komi=0.5)", true},
                {"go(size=5)", "go(size=7)", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const char *const names[] = {"shared"};
        KnGame *learned = test_game(rows[i].learned), *played = test_game(rows[i].played);
        KnError error;
        KnWeights *weights, *read;
        KnText text = KN_TEXT_EMPTY;
        check_ok(error, kn_weights_new(learned, NULL, names, 1, &weights, &error));
        kn_weights_text(weights, &text);
        kn_weights_free(weights);
        if (rows[i].fits) {
            check_ok(error, kn_weights_parse(played, text.data, text.length, "f", &read, &error));
            kn_weights_free(read);
        } else
            check_fails(error, KN_INPUT, "these weights were made for ",
                        kn_weights_parse(played, text.data, text.length, "f", &read, &error));
        kn_text_free(&text);
        test_game_close(learned);
        test_game_close(played);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum_by_hand),     cmocka_unit_test(test_any_game_with_features),
        cmocka_unit_test(test_files_come_back), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_other_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
