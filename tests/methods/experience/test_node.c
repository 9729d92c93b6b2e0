/* The parts of a position in the base: parents, ways and endings are found and dropped by what they are, not
 * by where they stand. */
#include "support/check.h"

#include "methods/experience/node.h"

static void test_parents(void **state)
{
    (void)state;
    for (uint32_t dropped = 1; dropped <= 3; dropped++) {
        KnNode node = {.id = 9};
        for (uint32_t parent = 1; parent <= 3; parent++) assert_true(kn_node_add_parent(&node, parent));
        kn_node_drop_parent(&node, dropped);
        kn_node_drop_parent(&node, 7); /* is none */
        assert_int_equal(node.parent_count, 2);
        assert_int_equal(node.parents[0] + node.parents[1], 6 - dropped);
        assert_true(node.parents[0] != dropped && node.parents[1] != dropped);
        kn_node_clear(&node);
    }
}

static void test_edges(void **state)
{
    (void)state;
    KnNode node = {.id = 9};
    for (uint32_t child = 11; child <= 14; child++) assert_true(kn_node_add_edge(&node, child, child * 10));
    for (uint32_t child = 11; child <= 14; child++) {
        const KnNodeEdge *edge = kn_node_edge(&node, child);
        assert_non_null(edge);
        assert_int_equal(edge->games, child * 10);
    }
    assert_null(kn_node_edge(&node, 15));
    kn_node_clear(&node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parents), cmocka_unit_test(test_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
