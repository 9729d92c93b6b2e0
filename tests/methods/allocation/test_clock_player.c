/* The realistic model: a budget of positions for a number of moves, classes of budgets, pacings; and plans
 * for deep searches. */
#include "support/check.h"
#include "support/workbench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <knack/learn.h>

#include "base/clock.h"
#include "methods/allocation/train.h"
#include "methods/allocation/value_of_computation.h"
#include "methods/thinking/model.h"

static KnGame *checkers;

#define INNER  "alphabeta(eval=trade, -quiescence, table=off, memory=1)"
#define SINGLE "alphabeta(eval=trade, -quiescence, -deepening, memory=1)"

typedef struct Played {
    int moves;
    double spent, largest, least; /* positions in all, and for one move with a choice */
    char last[2000];              /* explanation */
} Played;

/* Plays seat 0 against chance; asks twice, since a hint must cost nothing. */
static Played play(const char *spec, uint64_t seed, int most)
{
    KnError error;
    KnPlayer *player;
    check_ok(error, kn_player_open(workbench, checkers, spec, &player, &error));
    KnState *game_state = kn_state_new(checkers);
    KnArena *arena = kn_arena_new();
    KnRng rng = kn_rng_seeded(seed);
    Played played = {.least = 1e9};
    check_ok(error, kn_player_begin(player, 0, kn_state_position(game_state), &error));
    while (!kn_state_over(game_state, NULL) && played.moves < most) {
        KnMove moves[64], joint[2] = {KN_MOVE_NONE, KN_MOVE_NONE};
        int role = checkers->type->mover(checkers, kn_state_position(game_state));
        KnRequest request = {.game = checkers,
                             .position = kn_state_position(game_state),
                             .history = kn_state_history(game_state),
                             .role = role,
                             .allowed = moves,
                             .allowed_count = kn_state_moves(game_state, role, moves),
                             .rng = &rng,
                             .wants = KN_WANT_EXPLANATION,
                             .arena = arena};
        joint[role] = moves[kn_rng_below(&rng, (uint32_t)request.allowed_count)];
        if (role == 0) {
            KnAnswer hint = {0}, answer = {0};
            check_ok(error, kn_player_choose(player, &request, &hint, &error));
            check_ok(error, kn_player_choose(player, &request, &answer, &error));
            double nodes = (double)answer.cost.nodes;
            KnText text = KN_TEXT_EMPTY;
            kn_explanation_print(answer.explanation, &text);
            snprintf(played.last, sizeof played.last, "%s", text.data);
            kn_text_free(&text);
            played.moves++;
            played.spent += nodes;
            if (request.allowed_count > 1)
                played.largest = fmax(played.largest, nodes), played.least = fmin(played.least, nodes);
            joint[0] = answer.move;
        }
        check_ok(error, kn_state_play_joint(game_state, joint, &error));
        check_ok(error, kn_player_observe(player, game_state, joint, &error));
    }
    kn_arena_free(arena);
    kn_state_free(game_state);
    kn_player_close(player);
    return played;
}

static void test_even_and_dynamic(void **state)
{
    (void)state;
    Played even = play("clock(" INNER ", units=6000, moves=10)", 3, 10);
    assert_int_equal(even.moves, 10);
    assert_true(even.spent <= 6000 && even.spent > 3000);
    assert_non_null(strstr(even.last, "for 1 of 10 moves"));
    assert_non_null(strstr(even.last, "positions: "));
    Played dynamic = play("clock(" SINGLE ", units=6000, moves=10, pace=dynamic)", 3, 10);
    assert_true(dynamic.spent <= 6000 + 10);
    assert_true(dynamic.largest > dynamic.least); /* it stops here and goes on there */
    assert_true(dynamic.largest <= 3 * 6000);     /* never more than there is */
    assert_non_null(strstr(dynamic.last, "deepening: from depth 1 to "));
    Played random = play("clock(" INNER ", units=6000, moves=10, pace=random)", 3, 10);
    assert_true(random.spent <= 6000);
    Played again = play("clock(" INNER ", units=400, moves=2)", 3, 6); /* a new budget after each two moves */
    assert_true(again.spent <= 3 * 400 && again.spent > 400);
}

/* The class is the least budget from which on all larger ones agree with the largest. */
/* Paced by the signals of the search: never more than what is left, and not the same for every move. */
static void test_signal_paces(void **state)
{
    (void)state;
    Played engine = play("clock(" INNER ", units=6000, moves=10, pace=engine)", 3, 10);
    assert_true(engine.spent <= 6000 && engine.spent > 3000 && engine.largest > 1.2 * engine.least);
    KnError error;
    KnTrainResult result;
    KnTrainPlan plan = {.learner = "thinking(inner=" INNER ", units=300, games=8, every=2, plies=60)",
                        .game = "checkers",
                        .seed = 1,
                        .jobs = 1,
                        .out = "thinking.json"};
    check_ok(error, kn_train(workbench, &plan, &result, &error));
    kn_train_result_free(&result);
    Played learned = play("clock(" INNER ", units=6000, moves=10, pace=thinking, file=thinking.json)", 3, 10);
    assert_true(learned.spent <= 6000 && learned.largest > 1.2 * learned.least);
    KnPlayer *player;
    check_fails(error, KN_INPUT, "knack train thinking",
                kn_player_open(workbench, checkers, "clock(" INNER ", pace=thinking)", &player, &error));
    check_fails(error, KN_INPUT, "format",
                kn_player_open(workbench, checkers, "clock(" INNER ", pace=learned, file=thinking.json)",
                               &player, &error));
}

/* Writes a policy that asks for the same share after every depth, whatever the signals say. */
static void write_flat_policy(const char *path, double shares)
{
    KnError error;
    KnThinking model = {.game = "checkers",
                        .inner = INNER,
                        .units = 1000,
                        .scale = 100,
                        .base = shares,
                        .most = 4,
                        .searches = 1};
    check_ok(error, kn_thinking_save(&model, path, &error));
}

/* A policy that finds the searches more settled than those it was learned from asks for too little: the
 * clock scales its shares, so that no part of the game's time stays unused. */
static void test_scales_shares(void **state)
{
    (void)state;
    write_flat_policy("half.json", 0.5);
    write_flat_policy("double.json", 2);
    Played even = play("clock(" INNER ", units=80000, moves=80)", 3, 24),
           half = play("clock(" INNER ", units=80000, moves=80, pace=thinking, file=half.json)", 3, 24),
           twice = play("clock(" INNER ", units=80000, moves=80, pace=thinking, file=double.json)", 3, 24);
    assert_true(half.least < 600 && half.largest > 850); /* it begins with half a share */
    assert_true(half.spent > 0.6 * even.spent && half.spent < even.spent);
    assert_true(twice.largest > 1900 && twice.least < 1300 && twice.spent < 1.6 * even.spent);
}

/* The clock of the processor: a share of its milliseconds, whatever else the machine does meanwhile. */
static void test_processor_time(void **state)
{
    (void)state;
    double began = kn_clock_cpu();
    Played played = play("clock(" INNER ", units=100, moves=5, in=cpu)", 3, 2);
    double used = kn_clock_cpu() - began; /* each move is asked for twice: four shares of 20 ms */
    assert_int_equal(played.moves, 2);
    assert_true(used > 0.06 && used < 0.4);
    assert_non_null(strstr(played.last, "20 ms: as much as any move"));
    KnError error;
    KnPlayer *player;
    check_ok(error, kn_player_open(workbench, checkers, "clock(" INNER ", in=cpu)", &player, &error));
    assert_false(player->traits & KN_PLAYER_REPEATABLE);
    kn_player_close(player);
}

/* With increments a move may use its own, and what the ones before left. */
static void test_increment(void **state)
{
    (void)state;
    Played all = play("clock(" INNER ", units=1000, moves=10, increment=500)", 3, 10);
    assert_true(all.spent <= 1000 + 10 * 500 && all.spent > 3000);
    Played without = play("clock(" INNER ", units=1000, moves=10)", 3, 10);
    assert_true(without.spent <= 1000);
}

static void test_classes(void **state)
{
    (void)state;
    KnError error;
    KnBudgetClasses classes = {.units = 100, .step = 25, .below = 3, .above = 4};
    assert_int_equal(kn_budget_classes_count(&classes), 8);
    assert_int_equal(kn_budget_class_units(&classes, 0), 25);
    assert_int_equal(kn_budget_class_units(&classes, 3), 100);
    assert_int_equal(kn_budget_class_units(&classes, 7), 200);
    check_ok(error, kn_budget_classes_check(&classes, &error));
    check_fails(error, KN_INPUT, "must be at least 1",
                kn_budget_classes_check(&(KnBudgetClasses){.units = 100, .step = 50, .below = 2, .above = 1},
                                        &error));
    check_fails(
        error, KN_INPUT, "there must be from 2 to 16",
        kn_budget_classes_check(&(KnBudgetClasses){.units = 100, .step = 1, .below = 9, .above = 9}, &error));
    KnExamplesPlan plan = {.inner = INNER,
                           .k = 1,
                           .n = 1,
                           .moves = 20,
                           .judge = 4,
                           .count = 120,
                           .seed = 2,
                           .jobs = 2,
                           .classes = classes};
    KnExamples set;
    check_ok(error, kn_examples_make(workbench, checkers, &plan, NULL, &set, &error));
    int low = 0, high = 0;
    for (size_t i = 0; i < set.count; i++) {
        double units = set.tags[i].value.utility;
        assert_true(units >= 25 && units <= 200 && fmod(units, 25) == 0);
        assert_int_equal(set.tags[i].value.positive, units > 100);
        low += units < 100;
        high += units > 100;
    }
    assert_true(low > 5 && high > 5);
    /* To a file and back; not for other classes. */
    KnExamples again;
    check_ok(error, kn_examples_save(&set, &plan, "classes.tsv", &error));
    check_ok(error, kn_examples_load(checkers, &plan, "classes.tsv", &again, &error));
    assert_int_equal(again.count, set.count);
    for (size_t i = 0; i < set.count; i++)
        assert_true(again.tags[i].value.utility == set.tags[i].value.utility);
    kn_examples_free(&again);
    plan.classes.step = 20;
    check_fails(error, KN_INPUT, "classes.tsv",
                kn_examples_load(checkers, &plan, "classes.tsv", &again, &error));
    kn_examples_free(&set);
}

static void save_policy(const char *path, KnPolicyTraining t)
{
    KnError error;
    KnPolicyTrainingSets sets;
    KnLearnedPolicy *learned;
    check_ok(error, kn_policy_training_sets_make(workbench, checkers, &t, NULL, NULL, &sets, &error));
    check_ok(error, kn_policy_training_learn(checkers, &t, &sets, &learned, NULL, &error));
    check_ok(error, kn_learned_policy_save(learned, path, &error));
    kn_learned_policy_free(learned);
    kn_policy_training_sets_free(&sets);
}

static KnPolicyTraining small(void)
{
    KnPolicyTraining t = kn_policy_training_defaults();
    t.play = (KnExamplesPlan){.inner = INNER, .k = 1, .n = 2, .moves = 40, .judge = 4, .seed = 5, .jobs = 2};
    t.tree = 600;
    t.relief = 0;
    t.enrich = 900;
    t.plan = (KnTreePlan){.measure = KN_TREE_VARIANCE, .cuts = true, .least = 40};
    t.by_value = true;
    return t;
}

static void refused(const char *spec, const char *part)
{
    KnError error;
    KnPlayer *player;
    check_fails(error, KN_INPUT, part, kn_player_open(workbench, checkers, spec, &player, &error));
    assert_null(player);
}

static void test_learned_pace_and_first_depth(void **state)
{
    (void)state;
    KnPolicyTraining t = small();
    t.play.classes = (KnBudgetClasses){.units = 100, .step = 25, .below = 3, .above = 4};
    save_policy("classes.json", t);
    Played played = play("clock(" INNER ", units=4000, moves=20, pace=learned, file=\"classes.json\")", 4,
                         20);
    assert_true(played.spent <= 4000);
    assert_true(played.largest > 1.1 * played.least);
    assert_non_null(strstr(played.last, "left before this move"));
    KnPolicyTraining depths = small();
    save_policy("depths.json", depths);
    played = play("clock(" SINGLE ", units=4000, moves=20, pace=dynamic, first=\"depths.json\")", 4, 3);
    assert_true(strstr(played.last, "from depth 1 to ") || strstr(played.last, "from depth 3 to ") ||
                strstr(played.last, "only one move"));
    /* A share that cannot pay for the policy's depth does not begin there: a first search that is cut off
     * would be all there is. */
    static const char *const begin[] = {"first=\"depths.json\"", "from=9"};
    for (int i = 0; i < 2; i++)
        for (int moves = 2; moves < 12; moves++) {
            char spec[160];
            int first = 0, last = 0;
            snprintf(spec, sizeof spec, "clock(" SINGLE ", units=800, moves=20, pace=dynamic, %s)", begin[i]);
            played = play(spec, 4, moves);
            const char *told = strstr(played.last, "from depth ");
            if (told) assert_int_equal(sscanf(told, "from depth %d to %d", &first, &last), 2);
            assert_true(last >= first);
        }
    refused("clock(" INNER ", from=3)", "from=3 goes with pace=dynamic");
    refused("clock(" INNER ", pace=learned)", "pace=learned goes with file=");
    refused("clock(" INNER ", file=\"classes.json\")", "pace=learned goes with file=");
    refused("clock(" INNER ", first=\"depths.json\")", "goes with pace=dynamic");
    refused("clock(" INNER ", pace=learned, file=\"depths.json\")", "was learned for depths");
    refused("clock(" SINGLE ", pace=dynamic, first=\"classes.json\")", "was learned for a clock");
    refused("clock(" INNER ", moves=0)", "moves must lie between 1");
    refused("clock(random)", "does not look ahead by depth");
}

/* Worth in points, boosting and a plan: the file comes back, decides within its budget, and is refused for
 * another. */
static void test_planned_policy(void **state)
{
    (void)state;
    KnError error;
    KnPolicyTraining t = small();
    t.points = true;
    t.boost = 20;
    t.play.explore = 0.2;
    t.budget_features = true;
    t.decide = KN_BY_PLAN;
    save_policy("planned.json", t);
    KnLearnedPolicy *learned;
    check_ok(error, kn_learned_policy_load("planned.json", checkers, &learned, &error));
    assert_int_equal(learned->plan->steps, 40);
    for (int i = 0; i < 40; i++)
        for (int d = 1; d < 40; d++) /* more left, less selective */
            assert_true(kn_stopping_threshold(learned->plan, d + 1, i) <=
                        kn_stopping_threshold(learned->plan, d, i) + 1e-12);
    assert_true(kn_stopping_threshold(learned->plan, 1, 39) == 0);
    assert_true(kn_stopping_threshold(learned->plan, 1, 0) > 0);
    KnText text = KN_TEXT_EMPTY;
    kn_learned_policy_show(learned, &text);
    assert_non_null(strstr(text.data, "plan (what a deep search would bring later)"));
    kn_text_free(&text);
    kn_learned_policy_free(learned);
    Played played = play("allocate(" INNER ", k=1, n=2, deep=5, moves=40, policy=planned.json)", 8, 40);
    assert_non_null(strstr(played.last, "of 5 deep searches"));
    refused("allocate(" INNER ", k=1, n=2, deep=5, moves=30, policy=planned.json)",
            "was planned for budgets of moves=40, and this one is for moves=30");
    played = play("allocate(" INNER ", k=2, n=2, deep=3, moves=20, policy=dynamic)", 8, 20);
    assert_non_null(strstr(played.last, "for 1 of 20 moves"));
}

/* Points are points: between 0 and 1, and nothing where nothing is lost. */
static void test_worth(void **state)
{
    (void)state;
    KnError error;
    KnExamplesPlan plan = {.inner = INNER,
                           .k = 1,
                           .n = 2,
                           .moves = 40,
                           .judge = 4,
                           .count = 3000,
                           .seed = 12,
                           .jobs = 2,
                           .explore = 0.2};
    KnExamples set;
    KnComputationValue *value;
    check_ok(error, kn_examples_make(workbench, checkers, &plan, NULL, &set, &error));
    check_ok(error, kn_computation_value_learn(&set, 40, 1, &value, &error));
    double sum = 0;
    for (size_t i = 0; i < set.count; i++) {
        double points = kn_computation_value_of(value, &set, i);
        assert_true(points > -0.5 && points < 1);
        if (set.tags[i].value.utility == 0) assert_true(fabs(points) < 1e-9);
        sum += points;
    }
    assert_true(sum > 0);
    for (int s = 0; s < KN_VALUE_STAGES; s++)
        for (int v = 0; v < KN_VALUE_LEVELS; v++)
            assert_true(value->factor[s][v] >= 0 && value->factor[s][v] <= 1);
    kn_computation_value_free(value);
    kn_examples_free(&set);
}

static int set_up(void **state)
{
    (void)state;
    KnError error;
    workbench = test_workbench("clock");
    check_ok(error, kn_game_open(workbench, "checkers", &checkers, &error));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    kn_game_close(checkers);
    kn_close(workbench);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_even_and_dynamic),
        cmocka_unit_test(test_signal_paces),
        cmocka_unit_test(test_scales_shares),
        cmocka_unit_test(test_processor_time),
        cmocka_unit_test(test_increment),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_learned_pace_and_first_depth),
        cmocka_unit_test(test_planned_policy),
        cmocka_unit_test(test_worth),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
