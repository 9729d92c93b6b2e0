/* Every learner, through every caller: the library call, the command line, the C API and Python train with
 * the same options and write the same bytes; with and without a curve; in one go and resumed. And every row
 * has what its users need: texts, a player that opens, an explanation that prints. */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <knack/capi.h>

#include "arena/learner.h"
#include "base/file.h"
#include "methods/registry.h"
#include "support/workbench.h"

static const char GAME[] = "tictactoe";
#define PYTHON                                                                                               \
    "PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='" KNACK_SOURCE_DIR "/python' KNACK_LIBRARY='" KNACK_BUILD_DIR     \
    "/libknack.so' python3"
enum { SEED = 11 };

static void train(const KnContext *context, const char *learner, const char *out, int points)
{
    KnError error;
    KnTrainResult result;
    KnTrainPlan plan = {
        .learner = learner, .game = GAME, .seed = SEED, .jobs = 1, .points = points, .out = out};
    plan.progress = kn_progress_new(NULL, learner, 0);
    check_ok(error, kn_train(context, &plan, &result, &error));
    KnProgressState end = kn_progress_state(plan.progress); /* it ends where it said that it would */
    if (end.done != end.total || !end.total)
        fail_msg("%s, %d points: progress ends at %llu of %llu", learner, points,
                 (unsigned long long)end.done, (unsigned long long)end.total);
    kn_progress_free(plan.progress);
    assert_string_equal(result.file, out);
    kn_train_result_free(&result);
}

static void run(const char *command)
{
    if (system(command) != 0) fail_msg("%s", command);
}

static void check_same(const char *learner, const char *how, const char *one, const char *two)
{
    KnError error;
    KnText first = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read(one, &first, 1 << 26, &error));
    check_ok(error, kn_file_read(two, &second, 1 << 26, &error));
    if (first.length != second.length || memcmp(first.data, second.data, first.length) != 0)
        fail_msg("%s: %s gives other bytes", learner, how);
    kn_text_free(&first);
    kn_text_free(&second);
}

static void test_callers(void **state)
{
    (void)state;
    KnContext *context = test_workbench("callers");
    bool python = system(PYTHON " -c 'import knack' >/dev/null 2>&1") == 0;
    char message[512];
    for (const KnLearnerType *const *row = kn_learners; *row; row++) {
        KnText learner = KN_TEXT_EMPTY, text = KN_TEXT_EMPTY, plan = KN_TEXT_EMPTY;
        const char *name = (*row)->head.name;
        kn_text_printf(&learner, "%s(%s)", name, (*row)->trial);
        train(context, learner.data, "library.out", 0);
        train(context, learner.data, "curve.out", 2);
        check_same(name, "a learning curve", "library.out", "curve.out");

        kn_text_printf(&text,
                       "'%s' train '%s' %s --seed %d --jobs 2 --quiet --data cli --out command.out >said",
                       KNACK_BINARY, learner.data, GAME, SEED);
        run(text.data);
        check_same(name, "the command line", "library.out", "command.out");

        kn_text_printf(&plan, "{\"game\": \"%s\", \"seed\": %d, \"out\": \"capi.out\", \"learner\": ", GAME,
                       SEED);
        kn_text_add_quoted(&plan, learner.data);
        kn_text_add(&plan, "}");
        KnCapi *capi = kn_capi_open("capi", message, sizeof message);
        assert_non_null(capi);
        char *answer = kn_capi_train(capi, plan.data);
        if (!answer) fail_msg("%s: %s", name, kn_capi_error(capi));
        kn_capi_free(answer);
        kn_capi_close(capi);
        check_same(name, "the C API", "library.out", "capi.out");

        if (python) {
            kn_text_clear(&text);
            kn_text_add(&text, "import knack\n");
            kn_text_printf(
                &text, "with knack.open(data='py') as k:\n  k.train('%s', '%s', out='python.out', seed=%d)\n",
                GAME, learner.data, SEED);
            KnError error;
            check_ok(error, kn_file_write_atomic("train.py", text.data, text.length, &error));
            run(PYTHON " train.py");
            check_same(name, "Python", "library.out", "python.out");
        }
        kn_text_free(&learner);
        kn_text_free(&text);
        kn_text_free(&plan);
    }
    kn_close(context);
}

/* Seeds in a folder, and the same again from its task file. */
static void test_task_file(void **state)
{
    (void)state;
    KnContext *context = test_workbench("callers");
    train(context, "td(depth=1, games=20, against-games=4)", "one.out", 0);
    run("'" KNACK_BINARY
        "' train td tictactoe --depth 1 --games 20 --against-games 4 --points 3 --seed 11 --seeds 2 "
        "--into runs --quiet --data cli >said");
    check_same("td", "--into", "one.out", "runs/11/weights.json");
    run("rm -r runs/11 && '" KNACK_BINARY "' train --resume runs --quiet --data cli >said");
    check_same("td", "--resume", "one.out", "runs/11/weights.json");
    KnError error;
    KnTrainTask task;
    check_ok(error, kn_train_task_read("runs", &task, &error));
    assert_true(task.seed == 11 && task.seeds == 2 && task.points == 3);
    kn_train_task_free(&task);
    kn_close(context);
}

static void test_rows(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("callers");
    KnGame *game;
    check_ok(error, kn_game_open(context, GAME, &game, &error));
    for (const KnLearnerType *const *at = kn_learners; *at; at++) {
        const KnLearnerType *row = *at;
        KnText learner = KN_TEXT_EMPTY, shown = KN_TEXT_EMPTY;
        KnArena *arena = kn_arena_new();
        assert_true(strlen(row->head.summary) > 20 && strlen(row->measures) > 20 &&
                    strlen(row->examples) > 10);
        assert_true(row->x && row->y && row->low < row->high && row->points > 0);
        for (const KnOption *option = row->head.options; option->name; option++)
            assert_non_null(option->help);
        kn_text_printf(&learner, "%s(%s)", row->head.name, row->trial);
        KnTrainResult result;
        KnTrainPlan plan = {
            .learner = learner.data, .game = GAME, .seed = SEED, .out = "row.out", .explain = arena};
        check_ok(error, kn_train(context, &plan, &result, &error));
        assert_false(kn_file_exists("row.out.training"));
        assert_non_null(result.learned);
        kn_explanation_print(result.learned, &shown);
        assert_true(shown.length > 20);
        KnPlayer *player;
        check_ok(error, kn_player_open(context, game, result.player, &player, &error));
        kn_player_close(player);
        kn_train_result_free(&result);
        unlink("row.out.mdb");
        kn_text_free(&learner);
        kn_text_free(&shown);
        kn_arena_free(arena);
    }
    kn_game_close(game);
    kn_close(context);
}

/* What cannot be learned leaves nothing behind, and says why. */
static void test_refused(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("callers");
    static const struct {
        const char *learner, *game, *part;
    } wrong[] = {{"magic", "tictactoe", "unknown learner \"magic\""},
                 {"td(magic=1)", "tictactoe", "unknown option \"magic\""},
                 {"td", "dilemma", "td cannot learn dilemma"},
                 {"td(start=nowhere.json)", "tictactoe", "nowhere.json"},
                 {"td(by=seat)", "tictactoe", "by "}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        KnTrainResult result;
        KnTrainPlan plan = {.learner = wrong[i].learner, .game = wrong[i].game, .out = "refused.out"};
        assert_int_not_equal(kn_train(context, &plan, &result, &error), KN_OK);
        if (!strstr(error.text, wrong[i].part)) fail_msg("%s: %s", wrong[i].learner, error.text);
        kn_train_result_free(&result);
        assert_false(kn_file_exists("refused.out"));
        if (error.status == KN_INPUT || error.status == KN_USAGE)
            assert_false(kn_file_exists("refused.out.training"));
    }
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_task_file), cmocka_unit_test(test_callers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
