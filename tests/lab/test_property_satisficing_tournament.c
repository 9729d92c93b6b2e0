/* Satisficing agents among the zoo, at quick scale: what must come out whatever the seed. */
#include "support/check.h"
#include "support/laboratory.h"

#include <stdlib.h>

static void test_tournament(void **state)
{
    (void)state;
    if (getenv("KNACK_TEST_SCALE")) skip();
    json_t *result = test_lab_run("satisficing.tournament", 77, 2, true);
    /* Content with mutual cooperation from the start, it keeps it with whoever does; wanting more, it spoils
     * it. */
    static const char content[] = "satisfice(lambda=0.9, aspiration=3)",
                      greedy[] = "satisfice(lambda=0.9, aspiration=5)";
    assert_true(test_lab_measured(result, "ranking", content, "against its twin") == 3);
    assert_true(test_lab_measured(result, "ranking", content, "against TitForTat") == 3);
    assert_true(test_lab_measured(result, "ranking", greedy, "against TitForTat") < 2.5);
    assert_true(test_lab_measured(result, "ranking", content, "place") <
                test_lab_measured(result, "ranking", greedy, "place"));
    /* Beginning content with R, its aspiration falls by a tenth of the way to 1 and 0 in turn, until D is
     * enough. */
    assert_true(test_lab_measured(result, "ranking", content, "against Defector") < 1 &&
                test_lab_measured(result, "ranking", content, "against Defector") > 0.9);
    assert_true(test_lab_measured(result, "ranking", "Defector", "against its twin") == 1);
    /* Noise costs everybody whose cooperation hangs on one move. */
    assert_true(test_lab_measured(result, "noise", "TitForTat", "against its twin") < 2.8);
    assert_true(test_lab_measured(result, "ecology", "all satisficing agents", "after 1000 generations") > 0);
    /* What an agent wants at first decides more than how fast it learns. */
    assert_true(test_lab_measured(result, "map", "lambda 0.5", "aspiration 3") >
                test_lab_measured(result, "map", "lambda 0.5", "aspiration 4") + 0.3);
    json_decref(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tournament)};
    return cmocka_run_group_tests(tests, test_lab_open, test_lab_close);
}
