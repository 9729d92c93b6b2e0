/* Clocks of a search: the one on the wall, and the processor's. */
#include <unistd.h>

#include "search/meter.h"
#include "support/check.h"

/* What a thread sleeps through counts on the wall only. */
static void test_processor_time(void **state)
{
    (void)state;
    KnMeter wall, processor;
    KnBudget budget = {.seconds = 0.01};
    kn_meter_start(&wall, &budget, NULL);
    budget.processor = true;
    kn_meter_start(&processor, &budget, NULL);
    usleep(20000);
    assert_true(kn_meter_look(&processor));
    assert_false(kn_meter_look(&wall));
    assert_true(wall.why == KN_STOP_TIME);
    while (kn_meter_count(&processor)) continue;
    assert_true(processor.why == KN_STOP_TIME && kn_meter_seconds(&processor) >= 0.01);
}

/* A part of the budget that is used up already: of the time, of the nodes, of neither. */
static void test_narrow(void **state)
{
    (void)state;
    KnMeter meter;
    kn_meter_start(&meter, &(KnBudget){.seconds = 0.02}, NULL);
    usleep(12000);
    assert_false(kn_meter_narrow(&meter, 0.5));
    assert_true(meter.why == KN_STOP_TIME);
    kn_meter_start(&meter, &(KnBudget){.nodes = 10}, NULL);
    for (int i = 0; i < 5; i++) assert_true(kn_meter_count(&meter));
    assert_true(kn_meter_narrow(&meter, 0.6));
    assert_true(kn_meter_count(&meter));
    assert_false(kn_meter_count(&meter));
    kn_meter_start(&meter, &(KnBudget){.nodes = 10, .seconds = 1000}, NULL);
    for (int i = 0; i < 5; i++) assert_true(kn_meter_count(&meter));
    assert_false(kn_meter_narrow(&meter, 0.5));
    assert_true(meter.why == KN_STOP_NODES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_processor_time), cmocka_unit_test(test_narrow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
