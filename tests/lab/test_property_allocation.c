/* The experiments on resource allocation, at quick scale: what must come out whatever the seed. */
#include "support/check.h"
#include "support/laboratory.h"
#include "lab/allocation/shared.h"

#include <math.h>
#include <stdlib.h>

/* The share and its interval, by hand. */
static void test_share(void **state)
{
    (void)state;
    KnStanding never = {.games = 1000, .wins = 200, .draws = 600, .losses = 200},
               always = {.games = 1000, .wins = 450, .draws = 500, .losses = 50};
    KnStanding half = {.games = 1000, .wins = 325, .draws = 550, .losses = 125};
    KnMeasure share = kn_allocation_share(&half, &never, &always);
    assert_true(fabs(share.value - 0.5) < 1e-12);
    double var_half = ((325 + 550 / 4.0) / 1000 - 0.6 * 0.6) / 1000,
           var_never = ((200 + 600 / 4.0) / 1000 - 0.25) / 1000;
    double var_always = ((450 + 500 / 4.0) / 1000 - 0.49) / 1000;
    double reach = 1.959964 * sqrt(var_half + var_never / 4 + var_always / 4) / 0.2;
    assert_true(fabs(share.high - share.value - reach) < 1e-5);
    assert_true(kn_allocation_share(&always, &never, &always).value == 1);
    assert_true(kn_allocation_share(&never, &never, &always).high == 0);
}

static void test_table2(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *result = test_lab_run("allocation.table2", 7, 2, true);
    static const char *const rows[] = {"never",
                                       "random",
                                       "Basic ID3",
                                       "ID3+RELIEF",
                                       "Context-sensitive classifier",
                                       "DC + self-generated features",
                                       "oracle",
                                       "always"};
    for (size_t i = 0; i < 8; i++) {
        double sum = test_lab_measured(result, "table2", rows[i], "wins") +
                     test_lab_measured(result, "table2", rows[i], "losses") +
                     test_lab_measured(result, "table2", rows[i], "ties");
        assert_true(fabs(sum - 1) < 1e-9);
    }
    assert_true(fabs(test_lab_measured(result, "table2", "never", "probability") - 0.5) < 0.12);
    assert_true(test_lab_measured(result, "table2", "always", "probability") >
                test_lab_measured(result, "table2", "never", "probability") + 0.05);
    json_decref(result);
    /* What the same run has learned serves the next experiment: no example is made again, and the features
     * are Table 1's. */
    result = test_lab_run("allocation.table1", 7, 1, true);
    double kept = 0;
    size_t c;
    json_t *cell;
    json_array_foreach(json_object_get(json_array_get(json_object_get(result, "tables"), 0), "cells"), c,
                       cell) kept += json_number_value(json_object_get(cell, "measured"));
    assert_true(kept >= 5 && kept <= 23);
    assert_int_equal(
        json_array_size(json_object_get(json_array_get(json_object_get(result, "tables"), 0), "cells")), 23);
    json_decref(result);
}

static void test_clock(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *result = test_lab_run("allocation.clock", 7, 2, true);
    static const char *const rows[] = {"even", "random", "learned", "dynamic"};
    for (size_t i = 0; i < 4; i++) { /* nobody spends more than there is */
        double spent = test_lab_measured(result, "clock", rows[i], "positions a move / even share");
        assert_true(spent > 0.2 && spent <= 1.01);
    }
    json_decref(result);
}

/* Perfect foresight buys most, and a large model knows its own games better than others. */
static void test_limit(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    static const char column[] = "share of all value", own[] = "on the games it learned from";
    json_t *result = test_lab_run("allocation.limit", 7, 2, true);
    double best = test_lab_measured(result, "limit", "the value known in advance, spent by a plan", column);
    assert_true(best > test_lab_measured(result, "limit", "the class known in advance, as it comes (oracle)",
                                         column));
    /* Deep searches run out: not even who knows all values can buy all of them, and chance buys a fifth. */
    double chance = test_lab_measured(result, "limit", "by chance (random)", column);
    assert_true(best < 0.99 && chance > 0.1 && chance < 0.35);
    assert_true(best > test_lab_measured(result, "limit", "... from all", column));
    assert_true(test_lab_measured(result, "limit", "... from all", own) >
                test_lab_measured(result, "limit", "... from all", column));
    assert_true(isfinite(test_lab_measured(result, "limit", "... if it falls only as 1/cbrt(n)", column)));
    json_decref(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_share), cmocka_unit_test(test_table2),
                                       cmocka_unit_test(test_clock), cmocka_unit_test(test_limit)};
    return cmocka_run_group_tests(tests, test_lab_open, test_lab_close);
}
