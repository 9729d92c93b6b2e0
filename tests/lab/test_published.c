/* The data files of published values: what must be in every one of them, and what is refused. */
#include "support/check.h"
#include "base/embedded.h"
#include "lab/published.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void test_every_file_is_whole(void **state)
{
    (void)state;
    int files = 0;
    for (const KnEmbeddedRow *row = kn_embedded_rows; row->name; row++) {
        char id[100];
        if (sscanf(row->name, "published/%99[^.].json", id) != 1) continue;
        KnArena *arena = kn_arena_new();
        KnError error;
        const KnPaper *paper;
        check_ok(error, kn_published_load(id, arena, &paper, &error));
        assert_string_equal(paper->id, id); /* a file is found by the paper's id */
        assert_true(paper->count > 0);
        for (size_t t = 0; t < paper->count; t++) {
            const KnPublishedTable *table = &paper->tables[t];
            assert_true(table->count > 0);
            assert_true(*table->label && *table->title);
            assert_ptr_equal(kn_published_table(paper, table->id), table);
            for (size_t v = 0; v < table->count; v++) {
                const KnPublishedValue *value = &table->values[v];
                assert_true(*value->page && *value->row && *value->column);
                assert_true(isfinite(value->value));
                assert_ptr_equal(kn_published_value(table, value->row, value->column), value);
                if (strcmp(table->unit, "%") == 0) assert_true(value->value >= 0 && value->value <= 100);
            }
        }
        kn_arena_free(arena);
        files++;
    }
    assert_true(files >= 1);
}

/* Table 6 as the thesis prints it; reliability then power, and the deviations below. */
static void test_lock_table6(void **state)
{
    (void)state;
    static const char *const rows[2] = {"Lose tic-tac-toe: Baseline", "Five men's morris: Baseline"};
    static const char *const columns[7] = {"Perfect reliability", "Expert reliability", "Expert power",
                                           "Novice reliability",  "Novice power",       "Random reliability",
                                           "Random power"};
    static const double values[2][7] = {{20.5, 25.8, 9.0, 49.2, 37.7, 58.4, 46.1},
                                        {0.2, 1.6, 1.2, 22.4, 14.2, 54.0, 36.0}};
    static const double deviations[2][7] = {{4.14, 5.33, 4.12, 7.57, 6.67, 7.28, 7.84},
                                            {0.6, 1.2, 0.98, 4.27, 5.9, 7.27, 6.81}};
    KnArena *arena = kn_arena_new();
    KnError error;
    const KnPaper *paper;
    check_ok(error, kn_published_load("lock-2003", arena, &paper, &error));
    const KnPublishedTable *table = kn_published_table(paper, "table6");
    assert_non_null(table);
    assert_string_equal(table->page, "72");
    for (int r = 0; r < 2; r++) {
        for (int c = 0; c < 7; c++) {
            const KnPublishedValue *value = kn_published_value(table, rows[r], columns[c]);
            assert_non_null(value);
            assert_true(value->value == values[r][c]);
            assert_true(value->deviation == deviations[r][c]);
            assert_int_equal((int)value->n, r ? 500 : 1000);
            double wanted = deviations[r][c] / sqrt(r ? 10 : 20);
            assert_true(fabs(kn_published_error(table, value) - wanted) < 1e-12);
        }
    }
    assert_null(kn_published_table(paper, "table99"));
    assert_null(kn_published_value(table, rows[0], "Perfect power"));
    kn_arena_free(arena);
}

static void test_standard_errors(void **state)
{
    (void)state;
    KnPublishedTable percent = {.unit = "%"}, share = {.unit = "share"}, other = {.unit = "s"};
    KnPublishedValue value = {.relation = '=', .value = 20, .deviation = -1, .n = 400};
    assert_true(fabs(kn_published_error(&percent, &value) - 2) < 1e-12);
    assert_true(kn_published_error(&share, &value) == 0); /* 20 is no share */
    assert_true(kn_published_error(&other, &value) == 0);
    value.value = 0.5;
    assert_true(fabs(kn_published_error(&share, &value) - 0.025) < 1e-12);
    value.deviation = 6, value.runs = 9;
    assert_true(kn_published_error(&percent, &value) == 2); /* what is printed goes before what is computed */
    value.deviation = 0;
    assert_true(kn_published_error(&percent, &value) == 0);
}

static void refuse(const char *tables, const char *part)
{
    char text[2000];
    snprintf(text, sizeof text,
             "{\"paper\":\"p\",\"cite\":\"P\",\"title\":\"T\",\"author\":\"A\",\"year\":2001,\"where\":\"W\","
             "\"tables\":%s}",
             tables);
    KnArena *arena = kn_arena_new();
    KnError error;
    const KnPaper *paper;
    if (part)
        check_fails(error, KN_INPUT, part,
                    kn_published_parse(text, strlen(text), "p.json", arena, &paper, &error));
    else
        check_ok(error, kn_published_parse(text, strlen(text), "p.json", arena, &paper, &error));
    kn_arena_free(arena);
}

#define TABLE(values)                                                                                        \
    "[{\"id\":\"t\",\"label\":\"Table 1\",\"page\":\"3\",\"title\":\"T\",\"values\":[" values "]}]"

static void test_bad_files(void **state)
{
    (void)state;
    refuse(TABLE("{\"row\":\"r\",\"column\":\"c\",\"value\":1}"), NULL);
    refuse(TABLE("{\"row\":\"r\",\"column\":\"c\",\"value\":0,\"relation\":\">\",\"text\":\"faster\"}"),
           NULL);
    refuse("[{\"id\":\"t\",\"label\":\"Table 1\",\"title\":\"T\",\"values\":[]}]", "tables[0].page");
    refuse("[{\"id\":\"t\",\"label\":\"Table 1\",\"page\":\"\",\"title\":\"T\",\"values\":[]}]",
           "page: is empty");
    refuse("[{\"id\":\"t\",\"page\":\"1\",\"title\":\"T\",\"values\":[]}]", "tables[0].label");
    refuse(TABLE("{\"row\":\"r\",\"column\":\"c\"}"), "tables[0].values[0].value");
    refuse(TABLE("{\"row\":\"r\",\"column\":\"c\",\"value\":\"1\"}"), "values[0].value");
    refuse(TABLE("{\"row\":\"r\",\"column\":\"c\",\"value\":1},{\"row\":\"r\",\"column\":\"c\",\"value\":2}"),
           "second value");
    refuse(TABLE("{\"row\":\"r\",\"column\":\"c\",\"value\":1,\"relation\":\"~\"}"), "known: = < >");
    refuse(TABLE("{\"row\":\"r\",\"column\":\"c\",\"value\":1,\"relation\":\">\"}"),
           "values[0].text"); /* a claim says what it claims */
    refuse(TABLE("{\"row\":\"r\",\"column\":\"c\",\"value\":1,\"deviation\":-1}"), "deviation");
    refuse(TABLE("{\"row\":\"r\",\"column\":\"c\",\"value\":1,\"sd\":1}"), "sd");
    refuse("{}", "tables");
    KnArena *arena = kn_arena_new();
    KnError error;
    const KnPaper *paper;
    check_fails(error, KN_INPUT, "nobody-1999", kn_published_load("nobody-1999", arena, &paper, &error));
    kn_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_file_is_whole),
        cmocka_unit_test(test_lock_table6),
        cmocka_unit_test(test_standard_errors),
        cmocka_unit_test(test_bad_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
