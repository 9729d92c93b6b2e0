/* What learners, experiments and endgame tables leave behind is the same on any number of ranks: what is
 * printed, and the files. */
#include "support/check.h"
#include "support/ranks.h"

static void tables_are_the_same(void **state)
{
    (void)state;
    ranks_needed();
    ranks_compare("tables build checkers --pieces 3 --quiet --folder @", "");
}

static void batches_are_the_same(void **state)
{
    (void)state;
    ranks_needed();
    ranks_compare("train td 'othello(size=6)' --depth 1 --games 20 --batch 8 --quiet --out @/weights.json",
                  "");
}

/* Seeds of a learner: whole training runs, each by one rank. */
static void training_runs_are_the_same(void **state)
{
    (void)state;
    ranks_needed();
    ranks_compare(
        "train td 'othello(size=4)' --depth 1 --games 6 --seeds 3 --against-games 4 --quiet --into @", "");
}

/* Of a sweep ranks take seeds of one setting after the other, and no rank does another setting's work. */
static void sweeps_are_the_same(void **state)
{
    (void)state;
    ranks_needed();
    ranks_compare("train td 'othello(size=4)' --depth 1 --games 6 --seeds 3 --against-games 4 --quiet "
                  "--sweep alpha=.01,.2 --sweep lambda=.5,.9 --into @",
                  "");
    ranks_compare("train td tictactoe --depth {d} --games 4 --against-games 4 --quiet --sweep d=1,2 --into @",
                  "");
    ranks_compare("match tictactoe alphabeta random --sweep depth=1,2 -n 20 --name grid --quiet --data @",
                  "results.db*");
}

static void examples_are_the_same(void **state)
{
    (void)state;
    ranks_needed();
    ranks_compare("train allocation 'othello(size=6)' -k 1 -n 1 --examples 200 --relief 50 --enrich 100 "
                  "--moves 8 --quiet --out @/policy.json",
                  "");
}

static void watchers_are_the_same(void **state)
{
    (void)state;
    ranks_needed();
    ranks_compare("train hoyle tictactoe --runs 3 --watch 3 --test 4 --quiet --out @/hoyle.json", "");
}

static void experiments_are_the_same(void **state)
{
    (void)state;
    ranks_needed();
    ranks_compare("lab run satisficing.fig5 --scale quick --seed 3 --quiet --data @", "*.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_the_same),        cmocka_unit_test(batches_are_the_same),
        cmocka_unit_test(training_runs_are_the_same), cmocka_unit_test(sweeps_are_the_same),
        cmocka_unit_test(examples_are_the_same),      cmocka_unit_test(watchers_are_the_same),
        cmocka_unit_test(experiments_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
