/* What the learners came to when they were last looked at: a line for each training in
 * tests/methods/golden.txt, with the last point of its curve and a digest of what it explains that it has
 * learned. The same seed gives the same bytes everywhere, so that a line changes only when learning,
 * searching or playing changes. A change that is meant to change them renews the file:
 *
 *     KNACK_GOLDEN=write build/tests/methods_test_golden_learners
 *
 * What was learned stays beside it, in golden-N.txt of the test's folder, for a look at the difference. */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/learner.h"
#include "base/explanation.h"
#include "base/file.h"
#include "base/hash.h"
#include "support/workbench.h"

#define GOLDEN KNACK_SOURCE_DIR "/tests/methods/golden.txt"

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

static void learn(const KnContext *context, int number, KnText *line)
{
    KnError error;
    KnTrainResult result = {0};
    char out[40], name[40], hex[KN_HEX128];
    KnArena *arena = kn_arena_new();
    snprintf(out, sizeof out, "learned-%d", number);
    snprintf(name, sizeof name, "golden-%d.txt", number);
    KnTrainPlan plan = {.game = trainings[number][0],
                        .learner = trainings[number][1],
                        .seed = 5,
                        .jobs = 1,
                        .points = 2,
                        .out = out,
                        .explain = arena};
    check_ok(error, kn_train(context, &plan, &result, &error));
    assert_non_null(result.learned);
    char *learned = kn_explanation_json_string(result.learned), *text = kn_explanation_string(result.learned);
    assert_true(learned && text);
    check_ok(error, kn_file_write_atomic(name, text, strlen(text), &error));
    kn_hash128_hex(kn_hash128(learned, strlen(learned)), hex);
    kn_text_printf(line, "%s %s: ", plan.game, plan.learner);
    if (result.has_point)
        kn_text_printf(line, "%.6g %.6g [%.6g, %.6g], ", result.x, result.y, result.low, result.high);
    kn_text_printf(line, "%s\n", hex);
    kn_free(learned);
    kn_free(text);
    kn_train_result_free(&result);
    kn_arena_free(arena);
}

static void test_learners(void **state)
{
    (void)state;
    KnError error;
    KnText golden = KN_TEXT_EMPTY, all = KN_TEXT_EMPTY;
    KnContext *context = test_workbench("golden");
    bool renews = getenv("KNACK_GOLDEN") && strcmp(getenv("KNACK_GOLDEN"), "write") == 0;
    if (!renews) check_ok(error, kn_file_read(GOLDEN, &golden, 1 << 20, &error));
    for (int i = 0; i < TRAININGS; i++) {
        KnText line = KN_TEXT_EMPTY;
        learn(context, i, &line);
        if (!renews && !strstr(golden.data, line.data))
            fail_msg("another result than in tests/methods/golden.txt: %s", line.data);
        kn_text_add(&all, line.data);
        kn_text_free(&line);
    }
    if (renews)
        check_ok(error, kn_file_write_atomic(GOLDEN, all.data, all.length, &error));
    else
        assert_int_equal(all.length, golden.length); /* no line too many */
    kn_text_free(&golden);
    kn_text_free(&all);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_learners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
