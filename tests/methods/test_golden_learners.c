/* What the learners learn from small trainings is what they learned when that was last looked at
 * (support/golden_lines.h): the last point of the curve, and what is explained of it. */
#include "support/check.h"

#include <stdio.h>

#include "arena/learner.h"
#include "base/explanation.h"
#include "support/golden_lines.h"
#include "support/workbench.h"

#define SEARCH "inner=alphabeta(memory=1)"
#define AGENTS "test=2, agents=\"alphabeta(depth=2, memory=1); random\", panel=random"

/* Small trainings, so that every option that decides what is learned is used by one of them. */
static const char *const trainings[][2] = {
    {"tictactoe",
     "allocation(" SEARCH ", shallow=1, extra=1, examples=200, relief=80, enrich=60, moves=9, least=3)"},
    {"tictactoe",
     "allocation(" SEARCH ", shallow=1, extra=2, examples=300, relief=0, enrich=0, moves=9, least=4, "
     "learner=regression, worth=points, explore=0.3, features=\"general,search\")"},
    {"morris(men=5)",
     "allocation(" SEARCH ", shallow=1, extra=1, examples=150, relief=80, enrich=50, moves=20, least=5, "
     "learner=id3, confidence=0.9, random-plies=2)"},
    {"checkers", "allocation(" SEARCH ", shallow=1, extra=2, examples=150, relief=60, enrich=40, moves=30, "
                 "judge=2, least=5, patterns=2, expansions=20, decide=plan, depth=4)"},
    {"othello(size=4)", "pace(" SEARCH ", units=60, step=20, below=2, above=1, examples=80, relief=0, "
                        "enrich=30, moves=9, random-plies=1, explore=0.5, boost=2, least=4)"},
    {"othello(size=4)",
     "thinking(" SEARCH ", units=60, games=16, every=2, random-plies=1, plies=60, most=2)"},
    {"tictactoe", "td(depth=2, games=30, random-plies=1, against-games=4, memory=1, by=side, alpha=0.05)"},
    {"morris(men=5)", "td(depth=1, games=20, plies=40, against-games=4, memory=1, at=root, lambda=0.7, "
                      "scale=50, depths=\"1,2\", side=black, batch=4)"},
    {"checkers", "td(depth=1, games=6, plies=60, against-games=2, memory=1, teacher=random, random-plies=4)"},
    {"othello(size=4)", "regress(depth=1, games=20, against-games=4)"},
    {"tictactoe", "experience(games=20, inner=alphabeta(depth=1, memory=1), against=alphabeta(depth=1, "
                  "memory=1), epsilon=0.2, rule=gina, test=4, held-out=random)"},
    {"tictactoe", "experience(games=20, depth=1, opponent=1, epsilon=0.2, rule=explore, random-plies=1, "
                  "test=4, held-out=random)"},
    {"tictactoe",
     "experience(games=20, depth=1, opponent=1, epsilon=0.1, rule=curious, test=4, held-out=random)"},
    {"tictactoe", "experience(games=20, depth=1, opponent=1, epsilon=0.3, rule=expect, value=network, "
                  "test=4, held-out=random)"},
    {"morris(men=5)",
     "experience(games=10, depth=1, opponent=1, rule=deviate, plies=40, test=2, held-out=random)"},
    {"tictactoe",
     "trust(" SEARCH ", units=50, examples=120, games=10, player=alphabeta(depth=1, memory=1), moves=9, "
     "random-plies=1, least=5, explore=0.4, features=\"game,general\")"},
    {"othello(size=4)",
     "trust(" SEARCH ", units=50, examples=80, games=10, player=alphabeta(depth=1, memory=1), moves=9, "
     "random-plies=1, least=5, learner=cuts, judging=20, relief=30)"},
    {"tictactoe(lose)", "hoyle(watch=4, " AGENTS ", sequences=imitate)"},
    {"tictactoe", "hoyle(watch=3, " AGENTS ", in=double, learner=hoyle(+patterns))"},
    {"morris(men=5)", "hoyle(watch=2, " AGENTS ", in=playing, plies=60)"},
    {"tictactoe(lose)", "sequences(watch=6, " AGENTS ")"},
    {"tictactoe", "sequences(watch=4, " AGENTS ", method=nearest)"},
    {"tictactoe", "sequences(watch=4, " AGENTS ", method=sitact)"},
    {"tictactoe", "sequences(watch=4, " AGENTS ", method=habits)"},
    {"tictactoe", "sequences(watch=4, " AGENTS ", learner=seqlearner(version=1))"},
    {"tictactoe", "openings(player=alphabeta(depth=1, memory=1), games=40, test=4, held-out=random, moves=2, "
                  "exploration=0.7)"},
    {"tictactoe",
     "ntuple(games=40, batch=8, nodes=20, against-games=4, epsilon=0.2, lambda=0.5, length=4, least=0.1)"},
    {"othello(size=4)",
     "ntuple(games=24, batch=8, nodes=20, against-games=4, walks=3, phases=2, round=4, random-plies=3)"},
    {"checkers", "ntuple(games=4, batch=2, nodes=20, against-games=2, plies=60, memory=16)"},
    {"tictactoe",
     "neural(games=24, batch=8, nodes=20, against-games=4, units=16, passes=3, minibatch=16, phases=2)"},
    {"othello(size=4)", "neural(games=16, batch=8, nodes=20, against-games=4, units=32, rate=0.01)"},
};

enum { TRAININGS = sizeof trainings / sizeof *trainings };

static void learn(const KnContext *context, int number, GoldenLines *golden)
{
    KnError error;
    KnTrainResult result = {0};
    KnText name = KN_TEXT_EMPTY, said = KN_TEXT_EMPTY;
    char out[40];
    KnArena *arena = kn_arena_new();
    snprintf(out, sizeof out, "learned-%d", number);
    KnTrainPlan plan = {.game = trainings[number][0],
                        .learner = trainings[number][1],
                        .seed = 5,
                        .jobs = 1,
                        .points = 2,
                        .out = out,
                        .explain = arena};
    check_ok(error, kn_train(context, &plan, &result, &error));
    assert_non_null(result.learned);
    if (result.has_point)
        kn_text_printf(&said, "%.17g %.17g [%.17g, %.17g]\n", result.x, result.y, result.low, result.high);
    char *learned = kn_explanation_json_string(result.learned);
    assert_non_null(learned);
    kn_text_add(&said, learned);
    kn_text_printf(&name, "%s %s", plan.game, plan.learner);
    golden_check(golden, name.data, said.data);
    kn_free(learned);
    kn_text_free(&name);
    kn_text_free(&said);
    kn_train_result_free(&result);
    kn_arena_free(arena);
}

static void test_learners(void **state)
{
    (void)state;
    KnContext *context = test_workbench("golden");
    GoldenLines golden = golden_open("methods/golden.txt");
    for (int i = 0; i < TRAININGS; i++) learn(context, i, &golden);
    golden_close(&golden);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_learners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
