/* Every experiment, made small, ends its progress at the total that it announced: no more, no less. What
 * other tests of the lab run is checked there (support/laboratory.c); those on five men's morris and the
 * stacks take minutes, and run with KNACK_TEST_SCALE=1. */
#include "support/check.h"
#include "support/golden_cells.h"
#include "support/laboratory.h"
#include "base/progress.h"
#include "lab/lab.h"

#include <stdlib.h>
#include <string.h>

/* The least size with which an experiment still makes sense. */
static const KnParameter least[] = {{.name = "games", .quick = 2},
                                    {.name = "runs", .quick = 2},
                                    {.name = "lose runs", .quick = 2},
                                    {.name = "morris runs", .quick = 2},
                                    {.name = "index runs", .quick = 1},
                                    {.name = "many", .quick = 20},
                                    {.name = "test", .quick = 4},
                                    {.name = "watch", .quick = 4},
                                    {.name = "before", .quick = 2},
                                    {.name = "repetitions", .quick = 2},
                                    {.name = "plain games", .quick = 2},
                                    {.name = "goal games", .quick = 2},
                                    {.name = "lose watch", .quick = 2},
                                    {.name = "morris watch", .quick = 2},
                                    {.name = "examples", .quick = 40},
                                    {.name = "relief", .quick = 10},
                                    {.name = "enrich", .quick = 40},
                                    {.name = "expansions", .quick = 2},
                                    {.name = "fit", .quick = 5},
                                    {.name = "nodes", .quick = 30},
                                    {.name = "rounds", .quick = 1},
                                    {.name = "tries", .quick = 4},
                                    {.name = "tree", .quick = 500},
                                    {.name = "reference", .quick = 200},
                                    {.name = "problems", .quick = 2},
                                    {.name = "training", .quick = 8},
                                    {.name = "training games", .quick = 4},
                                    {.name = "base games", .quick = 6},
                                    {.name = "seeds", .quick = 2},
                                    {.name = "pieces", .quick = 2},
                                    {.name = "deepest", .quick = 5},
                                    {.name = "trials", .quick = 1000},
                                    {0}};

static void check_progress(const KnExperiment *experiment)
{
    KnError error;
    KnParameter parameters[16] = {{0}};
    for (int i = 0; experiment->parameters && experiment->parameters[i].name; i++) {
        parameters[i] = experiment->parameters[i];
        for (const KnParameter *p = least; p->name; p++)
            if (strcmp(p->name, parameters[i].name) == 0 && p->quick < parameters[i].quick)
                parameters[i].quick = p->quick;
    }
    KnExperiment small = *experiment;
    small.parameters = parameters;
    KnLabPlan plan = {.scale = KN_SCALE_QUICK, .seed = 5, .jobs = 1, .fresh = true};
    json_t *result = NULL;
    KnProgress *progress = kn_progress_new(NULL, experiment->head.name, 0);
    check_ok(error, kn_lab_run(test_lab_context(), &small, &plan, progress, &result, &error));
    KnProgressState end = kn_progress_state(progress);
    if (end.done != end.total)
        fail_msg("%s: progress ends at %llu of %llu (0: it went beyond)", experiment->head.name,
                 (unsigned long long)end.done, (unsigned long long)end.total);
    kn_progress_free(progress);
    check_golden_cells(result, experiment->head.name, plan.seed, parameters);
    json_decref(result);
}

/* Checked by a test of their own, or too slow for every day. */
static const char *const elsewhere[] = {"together.",
                                        "temporal.",
                                        "allocation.clock",
                                        "allocation.limit",
                                        "allocation.table1",
                                        "allocation.table2",
                                        "ggp.",
                                        "satisficing.extensions",
                                        "widening.",
                                        "tdleaf.endings",
                                        "satisficing.tournament"};

static bool is_elsewhere(const char *name)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (strncmp(name, elsewhere[i], strlen(elsewhere[i])) == 0) return true;
    return false;
}

static void test_totals(void **state)
{
    (void)state;
    const KnContext *context = test_lab_context();
    bool all = getenv("KNACK_TEST_SCALE") && strcmp(getenv("KNACK_TEST_SCALE"), "1") == 0;
    for (size_t i = 0; i < kn_registered(context, KN_KIND_EXPERIMENT); i++) {
        const KnExperiment *e = (const KnExperiment *)kn_registered_at(context, KN_KIND_EXPERIMENT, i);
        if (strcmp(e->head.name, "gina.rhino") == 0) continue; /* needs another program */
        if (all || !is_elsewhere(e->head.name)) check_progress(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_totals)};
    return cmocka_run_group_tests(tests, test_lab_open, test_lab_close);
}
