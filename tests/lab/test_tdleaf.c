/* The TDLeaf experiments at quick scale: training is the same for any number of threads and found again, rare
 * features are rare. */
#include "support/check.h"
#include "support/laboratory.h"

#include <stdlib.h>

static void test_weights_and_updates(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *one = test_lab_run("tdleaf.table1", 7, 1, true),
           *two = test_lab_run("tdleaf.table1", 7, 2, false);
    assert_true(json_equal(json_object_get(one, "tables"), json_object_get(two, "tables")));
    double move = test_lab_measured(one, "updates", "value of move", "updates 1");
    assert_true(move > 50);
    assert_true(test_lab_measured(one, "updates", "king center", "updates 1") < move / 20);
    assert_true(test_lab_measured(one, "updates", "king center", "original 1") == 3);
    assert_true(test_lab_measured(one, "updates", "king center", "updates 4") >
                test_lab_measured(one, "updates", "king center", "updates 1"));
    json_decref(one);
    json_decref(two);
}

/* Three pieces, looked at deeper, are played better; and the number of threads does not matter. */
static void test_endings(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *one = test_lab_run("tdleaf.endings", 7, 1, true),
           *two = test_lab_run("tdleaf.endings", 7, 2, true);
    assert_true(json_equal(json_object_get(one, "tables"), json_object_get(two, "tables")));
    double shallow = test_lab_measured(one, "endings", "3 pieces", "5 plies"),
           deep = test_lab_measured(one, "endings", "3 pieces", "9 plies");
    assert_true(shallow > 50 && deep >= shallow);
    json_decref(one);
    json_decref(two);
}

static void test_hard_positions(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *result = test_lab_run("tdleaf.testset", 7, 2, true);
    assert_true(test_lab_measured(result, "solved", "original", "5 plies") ==
                0); /* that is how they were chosen */
    assert_true(test_lab_measured(result, "solved", "original", "7 plies") == 0);
    json_decref(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_weights_and_updates),
                                       cmocka_unit_test(test_hard_positions), cmocka_unit_test(test_endings)};
    return cmocka_run_group_tests(tests, test_lab_open, test_lab_close);
}
