/* Ecology and Moran processes against closed forms, and graphs from files. */
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "arena/evolution.h"
#include "base/text.h"

static void test_ecology_by_hand(void **state)
{
    (void)state;
    const double dilemma[4] = {3, 0, 5, 1}; /* Cooperator, Defector */
    double shares[2 * 401];
    kn_ecology(2, dilemma, NULL, 400, shares);
    assert_true(shares[0] == 0.5 && shares[1] == 0.5);
    assert_true(fabs(shares[2] - 1.0 / 3) < 1e-15 &&
                fabs(shares[3] - 2.0 / 3) < 1e-15); /* fitness 1.5 and 3 */
    assert_true(fabs(shares[4] - 1.0 / 3 / (1.0 / 3 + 2.0 / 3 * (5.0 / 3 + 2.0 / 3))) <
                1e-15); /* 1 and 7/3 */
    assert_true(shares[800] < 1e-12);
    /* Where payoffs are negative they are counted from the least. */
    const double shifted[4] = {-2, -5, 0, -4};
    double again[2 * 401];
    kn_ecology(2, shifted, NULL, 400, again);
    for (int i = 0; i < 802; i++) assert_true(fabs(again[i] - shares[i]) < 1e-12);
    /* TitForTat of 200 turns against Defector: from few enough, the nicer one takes over. */
    const double start[2] = {0.05, 0.95}, nice[4] = {3, 199 / 200.0, 204 / 200.0, 1};
    kn_ecology(2, nice, start, 400, shares);
    assert_true(shares[800] > 0.999);
}

/* A mutant of constant fitness r, i of n: it takes over with (1 - r^-i) / (1 - r^-n), on the complete graph,
 * and on the cycle as well (Lieberman, Hauert and Nowak's isothermal theorem). */
static void check_fixation(const char *name, double r, size_t n)
{
    const double payoffs[4] = {r, r, 1, 1};
    KnError error;
    KnGraph *graph;
    KnMoran result;
    check_ok(error, kn_graph_open(name, n, &graph, &error));
    uint64_t runs = (uint64_t)check_scaled(8000);
    KnMoranPlan plan = {.kinds = 2, .payoffs = payoffs, .graph = graph, .runs = runs, .seed = 4, .jobs = 1};
    check_ok(error, kn_moran(&plan, &result, &error));
    double half = (double)(n - n / 2),
           expected = r == 1 ? half / (double)n : (1 - pow(r, -half)) / (1 - pow(r, -(double)n));
    double share = (double)result.fixed[0] / (double)runs,
           spread = sqrt(expected * (1 - expected) / (double)runs);
    if (!(fabs(share - expected) < 4 * spread)) fail_msg("%s, r = %g: %g, not %g", name, r, share, expected);
    assert_int_equal(result.fixed[0] + result.fixed[1], runs);
    assert_int_equal(result.unsettled, 0);
    KnMoran threads;
    plan.jobs = 3;
    check_ok(error, kn_moran(&plan, &threads, &error));
    assert_int_equal(result.fixed[0], threads.fixed[0]);
    assert_true(result.steps.mean == threads.steps.mean);
    kn_moran_free(&result);
    kn_moran_free(&threads);
    kn_graph_free(graph);
}

static void test_fixation(void **state)
{
    (void)state;
    check_fixation("complete", 1, 9);
    check_fixation("complete", 1.2, 10);
    check_fixation("complete", 0.8, 6);
    check_fixation("cycle", 1.2, 10);
    check_fixation("cycle", 1, 7);
    check_fixation("grid", 1.2, 12);
}

/* On a star a member in the middle is replaced most of the time: selection is stronger there than the
 * isothermal theorem allows. */
static void test_star(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    for (int leaf = 1; leaf < 12; leaf++) kn_text_printf(&text, "0 %d\n", leaf);
    const double payoffs[4] = {1.5, 1.5, 1, 1};
    KnError error;
    KnGraph *graph;
    KnMoran result;
    check_ok(error, kn_graph_read("star", text.data, &graph, &error));
    assert_int_equal(graph->vertices, 12);
    assert_int_equal(graph->first[1] - graph->first[0], 11);
    KnMoranPlan plan = {.kinds = 2, .payoffs = payoffs, .graph = graph, .runs = 4000, .seed = 4, .jobs = 2};
    check_ok(error, kn_moran(&plan, &result, &error));
    double isothermal = (1 - pow(1.5, -6)) / (1 - pow(1.5, -12));
    assert_true((double)result.fixed[0] / 4000 > isothermal + 0.02);
    kn_moran_free(&result);
    plan.steps = 3;
    check_ok(error, kn_moran(&plan, &result, &error));
    assert_true(result.unsettled > 3900);
    kn_moran_free(&result);
    kn_graph_free(graph);
    kn_text_free(&text);
}

static void test_graphs(void **state)
{
    (void)state;
    KnError error;
    KnGraph *graph;
    check_ok(error, kn_graph_open("grid", 12, &graph, &error));
    for (size_t v = 0; v < 12; v++)
        assert_int_equal(graph->first[v + 1] - graph->first[v], 4); /* 3 x 4, on a torus */
    kn_graph_free(graph);
    check_ok(error, kn_graph_read("g", "# a path\n0 1\n 2,1  # back\r\n1 0\n", &graph, &error));
    assert_int_equal(graph->vertices, 3);
    assert_int_equal(graph->first[3], 4); /* the edge that stands twice counts once */
    kn_graph_free(graph);
    check_ok(error, kn_graph_read("g", "0 1# an edge\n", &graph, &error));
    kn_graph_free(graph);
    check_fails(error, KN_INPUT, "g:2: field 2", kn_graph_read("g", "0 1\n1 x\n", &graph, &error));
    check_fails(error, KN_INPUT, "g:2: field 2", kn_graph_read("g", "0 1\n1 2x\n", &graph, &error));
    check_fails(error, KN_INPUT, "g:1: field 3: an edge has two ends",
                kn_graph_read("g", "0 1 2\n", &graph, &error));
    check_fails(error, KN_INPUT, "beside itself", kn_graph_read("g", "0 1\n1 1\n", &graph, &error));
    check_fails(error, KN_INPUT, "from vertex 0 to vertex 2",
                kn_graph_read("g", "0 1\n2 3\n", &graph, &error));
    check_fails(error, KN_INPUT, "from vertex 0 to vertex 1", kn_graph_read("g", "0 2\n", &graph, &error));
    check_fails(error, KN_INPUT, "no edges", kn_graph_read("g", "\n# nothing\n", &graph, &error));
    check_fails(error, KN_INPUT, "field 1", kn_graph_read("g", "99999999999999999999 1\n", &graph, &error));
    check_fails(error, KN_INPUT, "no product", kn_graph_open("grid", 7, &graph, &error));
    check_fails(error, KN_USAGE, "from 2 to", kn_graph_open("cycle", 1, &graph, &error));
    check_fails(error, KN_SYSTEM, "graphs are complete, cycle, grid, or a file",
                kn_graph_open("tree", 9, &graph, &error));
    check_ok(error, kn_graph_open("complete", 3, &graph, &error));
    const double payoffs[16] = {0};
    KnMoran result;
    KnMoranPlan plan = {.kinds = 4, .payoffs = payoffs, .graph = graph, .runs = 1};
    check_fails(error, KN_USAGE, "no room for 4 kinds", kn_moran(&plan, &result, &error));
    /* Fitness is the payoff above the lowest: that must not be too large, whatever the payoffs are. */
    const double wide[4] = {3e11, -3e11, -3e11, 3e11}, high[4] = {3e11 + 1, 3e11, 3e11, 3e11 + 1};
    plan = (KnMoranPlan){.kinds = 2, .payoffs = wide, .graph = graph, .runs = 1};
    check_fails(error, KN_INPUT, "cannot be added up exactly", kn_moran(&plan, &result, &error));
    plan.payoffs = high;
    check_ok(error, kn_moran(&plan, &result, &error));
    kn_moran_free(&result);
    kn_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ecology_by_hand),
        cmocka_unit_test(test_fixation),
        cmocka_unit_test(test_star),
        cmocka_unit_test(test_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
