/* knack lab, run as a person runs it: exit codes and messages. What experiments measure is tested in
 * tests/lab. */
#include "support/check.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Runs `knack lab WORDS`; what it printed is in `out` and `err` afterwards. */
static KnText out, err;

static int lab(const char *words)
{
    char command[600];
    snprintf(command, sizeof command, "'%s' lab %s >out.txt 2>err.txt </dev/null", KNACK_BINARY, words);
    int code = system(command);
    KnError error;
    check_ok(error, kn_file_read("out.txt", &out, 1 << 22, &error));
    check_ok(error, kn_file_read("err.txt", &err, 1 << 22, &error));
    assert_true(WIFEXITED(code));
    return WEXITSTATUS(code);
}

static void check_lab(const char *words, int code, const char *part)
{
    int got = lab(words);
    if (got != code) fail_msg("knack lab %s: exit code %d, wanted %d: %s", words, got, code, err.data);
    const char *where = code ? err.data : out.data;
    if (!strstr(where, part)) fail_msg("knack lab %s: \"%s\" lacks \"%s\"", words, where, part);
}

static void test_list(void **state)
{
    (void)state;
    check_lab("list", 0, "temporal.table6");
    assert_non_null(strstr(out.data, "games: 4000 quick, 40000 paper"));
    check_lab("list --json", 0, "\"name\": \"temporal.table6\"");
    check_lab("--help", 0, "report");
    check_lab("run --help", 0, "--scale");
}

static void test_bad_words(void **state)
{
    (void)state;
    check_lab("", 2, "Usage: knack lab list|run|report|compare|export");
    check_lab("walk", 2, "known: list run report compare export");
    check_lab("run no.such.thing", 3, "known: temporal.*");
    check_lab("run temporal.table6 no.such.thing", 3, "no.such.thing"); /* before anything runs */
    check_lab("run --jobs 0", 2, "--jobs expects a whole number from 1");
    check_lab("run --scale huge", 2, "quick, middle or paper, not \"huge\"");
    check_lab("run --seed -1", 2, "--seed");
    check_lab("run --seed 18446744073709551616", 2, "--seed");
    check_lab("list everything", 2, "Too many arguments");
    check_lab("report --scale", 2, "requires an argument");
}

static void test_nothing_measured(void **state)
{
    (void)state;
    check_lab("report --own --out pages", 1, "`knack lab run` does");
    check_lab("report --seed 12345678", 1, "at this scale and seed");
    assert_false(kn_file_exists("pages"));
}

static void test_places_that_cannot_be_written(void **state)
{
    (void)state;
    KnError error;
    check_ok(error, kn_file_write_atomic("plain", "x", 1, &error));
    assert_int_equal(lab("run --quiet --data plain/below"), 4);
    assert_non_null(strstr(err.data, "plain"));
    check_ok(error, kn_mkdirs("damaged/lab", &error));
    check_ok(error, kn_file_write_atomic("damaged/lab/a.quick.1.json", "{\"format\":", 10, &error));
    check_lab("report --data damaged --out pages", 3, "damaged/lab/a.quick.1.json:1:");
    assert_false(kn_file_exists("pages"));
}

/* Two runs of one seed are the same; another seed has no exact value that differs. */
static void test_compare(void **state)
{
    (void)state;
    check_lab("run satisficing.fig2 --seed 5 --quiet --data one", 0, "satisficing.fig2");
    check_lab("run satisficing.fig2 --seed 5 --quiet --data two", 0, "satisficing.fig2");
    check_lab("compare one two", 0, "0 of ");
    check_lab("compare one/lab/satisficing.fig2.quick.5.json shipped", 0, "0 of ");
    check_lab("compare 5 shipped --data one --json", 0, "\"changed\": 0");
    check_lab("compare one", 2, "two sets");
    check_lab("compare one nowhere", 3, "nowhere: no such file");
    check_lab("compare 6 shipped --data one", 1, "6: there is no result");
    check_lab("compare one two --scale paper", 1, "at this scale");
}

static void test_export(void **state)
{
    (void)state;
    check_lab("export --own --data one --out files", 0, "files: ");
    assert_true(kn_file_exists("files/satisficing.tex"));
    assert_true(kn_file_exists("files/satisficing-fig2-fig2.csv"));
    KnText text = KN_TEXT_EMPTY;
    KnError error;
    check_ok(error, kn_file_read("files/satisficing.tex", &text, 1 << 20, &error));
    assert_non_null(strstr(text.data, "\\begin{tabular}{llrrrrl}"));
    assert_non_null(strstr(text.data, "agrees \\\\"));
    kn_text_free(&text);
    check_lab("export --own --data nothing --out none", 1, "nothing has been measured");
}

int main(void)
{
    out = err = KN_TEXT_EMPTY;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_bad_words),
        cmocka_unit_test(test_nothing_measured),
        cmocka_unit_test(test_places_that_cannot_be_written),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_export),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    kn_text_free(&out);
    kn_text_free(&err);
    return failed;
}
