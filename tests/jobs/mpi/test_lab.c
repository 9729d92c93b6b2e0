/* Experiments that share their own loops out give the same results on ranks as without: one of each kind, all
 * in one command, since starting ranks takes longer than most of them. */
#include "support/check.h"
#include "support/ranks.h"

#include <string.h>

#include "base/json.h"

static const char *const experiments[] = {"gina.shaky",     "ggp.search-claims", "widening.table6",
                                          "widening.fives", "tdleaf.endings",    "satisficing.extensions"};
enum { EXPERIMENTS = sizeof experiments / sizeof *experiments };

static void run_all(int ranks, const char *data)
{
    KnText words = KN_TEXT_EMPTY, why = KN_TEXT_EMPTY;
    kn_text_add(&words, "lab run");
    for (int i = 0; i < EXPERIMENTS; i++) kn_text_printf(&words, " %s", experiments[i]);
    kn_text_printf(&words, " --scale quick --seed 3 --jobs 1 --quiet --data %s", data);
    int code = ranks_run(ranks, words.data, NULL, &why);
    if (code) fail_msg("%s on %d ranks ended with %d: %s", words.data, ranks, code, why.data);
    kn_text_free(&words);
    kn_text_free(&why);
}

/* What was measured, without what clocks tell. */
static json_t *result_of(const char *data, const char *experiment)
{
    KnText path = KN_TEXT_EMPTY;
    KnError error;
    json_t *result = NULL, *table;
    kn_text_printf(&path, "%s/lab/%s.quick.3.json", data, experiment);
    check_ok(error, kn_json_load_file(path.data, &result, &error));
    assert_int_equal(json_object_del(result, "record"), 0);
    assert_int_equal(json_object_del(result, "checksum"), 0); /* it covers the record */
    size_t t, cells = 0;
    json_array_foreach(json_object_get(result, "tables"), t, table)
    {
        json_t *list = json_object_get(table, "cells");
        for (size_t i = json_array_size(list); i-- > 0;) {
            const char *column = json_string_value(json_object_get(json_array_get(list, i), "column"));
            if (strstr(column, "time") || strstr(column, "speed"))
                json_array_remove(list, i);
            else
                cells++;
        }
    }
    assert_true(cells > 1);
    kn_text_free(&path);
    return result;
}

static void experiments_are_the_same(void **state)
{
    (void)state;
    ranks_needed();
    run_all(0, "alone");
    run_all(3, "ranks");
    for (int i = 0; i < EXPERIMENTS; i++) {
        json_t *alone = result_of("alone", experiments[i]), *ranks = result_of("ranks", experiments[i]);
        if (!json_equal(alone, ranks)) fail_msg("%s differs on ranks", experiments[i]);
        json_decref(alone);
        json_decref(ranks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(experiments_are_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
