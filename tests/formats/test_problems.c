/* Capture problems in lines of JSON: what every field means, and what is wrong with a line, by its place. */
#include "support/check.h"
#include "support/instances.h"

#include <stdio.h>
#include <string.h>

#include "formats/problems.h"
#include "formats/problems_parser.h"

#define POINTS                                                                                               \
    "\"id\":\"p\",\"size\":5,\"black\":[\"C3\",\"C2\"],\"white\":[\"B3\"],\"to_move\":\"W\",\"target\":"     \
    "\"C3\""

static void test_fields(void **state)
{
    (void)state;
    static const struct {
        const char *more;
        int answer, plies, volume, count;
        bool ko, first, complete;
    } cases[] = {
        {"", 0, 0, 0, 0, false, false, false},
        {",\"answer\":\"win\",\"plies\":3,\"volume\":2", 1, 3, 2, 0, false, false, false},
        {",\"answer\":\"loss\",\"goal\":\"first\"", -1, 0, 0, 0, false, true, false},
        {",\"goal\":\"lasting\",\"complete\":true", 0, 0, 0, 0, false, false, true},
        {",\"codes\":[0,1]", 0, 0, 0, 0, false, false, false},
        {",\"codes\":[2]", 0, 0, 0, 0, true, false, false},
        {",\"codes\":[0,1,3]", 0, 0, 0, 0, true, false, false},
        {",\"moves\":[\"C4\",\"pass\",\"D3\"]", 0, 0, 0, 3, false, false, false},
    };
    KnContext *context = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnError error;
        KnCaptureProblems *read;
        char line[400];
        snprintf(line, sizeof line, "{" POINTS ",\"kind\":\"attack\"%s}\n\n", cases[i].more);
        check_ok(error, kn_problems_read(context, line, "lines", &read, &error));
        assert_int_equal(read->count, 1);
        const KnCaptureProblem *p = read->list;
        assert_true(p->attack && p->answer == cases[i].answer && p->plies == cases[i].plies);
        assert_true(p->volume == cases[i].volume && p->count == cases[i].count && p->ko == cases[i].ko);
        assert_true(p->first == cases[i].first && p->complete == cases[i].complete);
        assert_int_equal(p->target, kn_problems_cell("C3", 5));
        kn_problems_free(read);
    }
    kn_close(context);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line, *complaint;
    } cases[] = {
        {"{" POINTS ",\"kind\":\"attack\",\"codes\":[0,4]}", "codes[1]"},
        {"{" POINTS ",\"kind\":\"attack\",\"answer\":\"maybe\"}", "\"win\" or \"loss\", not \"maybe\""},
        {"{" POINTS ",\"kind\":\"attack\",\"goal\":\"last\"}", "\"first\" or \"lasting\", not \"last\""},
        {"{" POINTS ",\"kind\":\"attack\",\"moves\":[\"C4\",\"Z9\"]}", "Z9"},
        {"{" POINTS ",\"kind\":\"win\"}", "kind"},
        {"{\"id\":\"p\"}", "size"},
    };
    KnContext *context = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnError error;
        KnCaptureProblems *read;
        check_fails(error, KN_INPUT, cases[i].complaint,
                    kn_problems_read(context, cases[i].line, "lines", &read, &error));
        if (!strstr(error.text, "lines:1")) fail_msg("no place: %s", error.text);
    }
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fields), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
