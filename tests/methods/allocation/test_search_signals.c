/* Signals of a shallow search: they are what its values say, do not depend on threads or generators, and a
 * policy learned from them plays within its budget and is refused where there is no shallow search. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdlib.h>
#include <string.h>

#include "arena/match.h"
#include "base/file.h"
#include "methods/allocation/policy.h"
#include "methods/allocation/search_signals.h"
#include "methods/allocation/train.h"

#define INNER "alphabeta(eval=trade, -quiescence, table=off, -deepening, memory=1)"

static KnGame *checkers;

static void signals_of(KnPlayer *inner, const char *text, int k, double *signals)
{
    KnError error;
    unsigned char position[64] __attribute__((aligned(16)));
    KnMove moves[64];
    uint64_t nodes;
    check_ok(error, kn_game_parse_position(checkers, text, position, &error));
    KnRequest request = {.game = checkers,
                         .position = position,
                         .role = checkers->type->mover(checkers, position),
                         .allowed = moves,
                         .allowed_count = checkers->type->moves(checkers, position, moves)};
    check_ok(error, kn_search_signals(inner, &request, k, signals, &nodes, &error));
    assert_true(nodes > 0);
}

static void test_positions(void **state)
{
    (void)state;
    KnError error;
    KnPlayer *inner;
    double s[KN_SEARCH_SIGNALS];
    check_ok(error, kn_allocation_open_inner(workbench, checkers, INNER, 4, &inner, &error));
    /* A king among nothing but far kings: all moves tie, nothing changes, no captures are near. */
    signals_of(inner, "W:WK32:BK1", 2, s);
    assert_true(s[KN_SEARCHED_SCORE] == 0 && s[KN_SEARCHED_CHANGE] == 0 && s[KN_SEARCHED_LEAD] == 0);
    assert_true(s[KN_SEARCHED_KEPT] == 1 && s[KN_SEARCHED_STEADY] == 2);
    assert_true(s[KN_SEARCHED_TIES] == s[KN_SEARCHED_NEAR] && s[KN_SEARCHED_CAPTURES] == 0);
    /* 15-18 offers a man that 22x15 takes: one ply deep the line ends before that. */
    signals_of(inner, "B:W22,21:B15,1", 1, s);
    assert_true(s[KN_SEARCHED_LEAST] < 0 && s[KN_SEARCHED_CAPTURES] > 0 && s[KN_SEARCHED_MOST] == 0);
    signals_of(inner, "B:W22,21:B15,1", 2, s);
    assert_true(s[KN_SEARCHED_LEAD] > 0 && s[KN_SEARCHED_EFFORT] > 0 && s[KN_SEARCHED_EFFORT] <= 1);
    kn_player_close(inner);
}

static KnPolicyTraining training_by_signals(int jobs)
{
    KnPolicyTraining t = kn_policy_training_defaults();
    t.play =
        (KnExamplesPlan){.inner = INNER, .k = 2, .n = 2, .moves = 40, .judge = 4, .seed = 8, .jobs = jobs};
    t.tree = 300;
    t.relief = 0;
    t.enrich = 0;
    t.game_features = false;
    t.search_features = true;
    t.plan = (KnTreePlan){.measure = KN_TREE_VARIANCE, .cuts = true, .least = 30};
    t.by_value = true;
    return t;
}

/* The same file from one thread and from three, and a policy that keeps its budget. */
static void test_policy(void **state)
{
    (void)state;
    KnError error;
    KnText files[2] = {KN_TEXT_EMPTY, KN_TEXT_EMPTY};
    for (int i = 0; i < 2; i++) {
        KnPolicyTraining t = training_by_signals(i ? 3 : 1);
        KnPolicyTrainingSets sets;
        KnLearnedPolicy *learned;
        check_ok(error, kn_policy_training_sets_make(workbench, checkers, &t, NULL, NULL, &sets, &error));
        assert_int_equal(sets.tree.signalled, 300);
        check_ok(error, kn_policy_training_learn(checkers, &t, &sets, &learned, NULL, &error));
        assert_int_equal(learned->view->count, KN_SEARCH_SIGNALS);
        assert_true(learned->tree->leaf_count > 1);
        check_ok(error, kn_learned_policy_save(learned, "signals.json", &error));
        check_ok(error, kn_file_read("signals.json", &files[i], 1 << 20, &error));
        kn_learned_policy_free(learned);
        kn_policy_training_sets_free(&sets);
    }
    assert_string_equal(files[0].data, files[1].data);
    static const char allocate[] = "allocate(" INNER ", k=2, n=2, deep=5, moves=20, policy=signals.json)";
    KnMatchPlan plan = {.game = checkers->spec,
                        .players = {allocate, "random"},
                        .games = 2,
                        .seed = 4,
                        .jobs = 1,
                        .rules = {.ply_limit = 40}};
    KnMatchResult result;
    check_ok(error, kn_match_run(workbench, &plan, NULL, NULL, &result, &error));
    assert_int_equal(result.standing.games, 2);
    kn_text_free(&files[0]);
    kn_text_free(&files[1]);
}

static void test_refusals(void **state)
{
    (void)state;
    KnError error;
    KnPolicyTraining t = training_by_signals(1);
    t.play.classes.units = 100;
    check_fails(error, KN_INPUT, "needs a shallow search", kn_policy_training_check(checkers, &t, &error));
    KnText text = KN_TEXT_EMPTY;
    KnLearnedPolicy *learned = NULL;
    check_ok(error, kn_file_read("signals.json", &text, 1 << 20, &error));
    char *made = strstr(text.data, "\"boosted\":");
    assert_non_null(made);
    KnText changed = KN_TEXT_EMPTY;
    kn_text_add_bytes(&changed, text.data, (size_t)(made - text.data));
    kn_text_add(&changed, "\"classes\": {\"units\": 5}, ");
    kn_text_add(&changed, made);
    check_fails(error, KN_INPUT, "only a policy for depths",
                kn_learned_policy_parse(changed.data, changed.length, "changed", checkers, &learned, &error));
    kn_text_free(&text);
    kn_text_free(&changed);
}

static int open_games(void **state)
{
    KnError error;
    return test_workbench_open(state) || kn_game_open(workbench, "checkers", &checkers, &error) != KN_OK;
}

static int close_games(void **state)
{
    kn_game_close(checkers);
    return test_workbench_close(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_positions), cmocka_unit_test(test_policy),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, open_games, close_games);
}
