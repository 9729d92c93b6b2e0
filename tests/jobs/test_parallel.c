#include "support/check.h"
#include "jobs/parallel.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 500, WINDOW = 7, WORKERS = 4 };

typedef struct Work {
    atomic_int ran[COUNT];
    uint64_t slot[WINDOW];
    uint64_t committed; /* touched by commits only */
    pthread_t caller;
    uint64_t fail_at[2];   /* tasks that fail; COUNT: none */
    uint64_t commit_fails; /* the commit that fails */
    uint64_t commit_stops; /* the commit that says enough */
    uint64_t cancel_at;    /* the task that raises the flag */
    atomic_bool cancel;
} Work;

static Work *new_work(void)
{
    Work *work = calloc(1, sizeof *work);
    assert_non_null(work);
    work->caller = pthread_self();
    work->fail_at[0] = work->fail_at[1] = work->commit_fails = work->commit_stops = work->cancel_at = COUNT;
    return work;
}

static void dawdle(uint64_t index)
{
    volatile unsigned x = 1;
    for (unsigned i = 0; i < (unsigned)(index * 2654435761u >> 7 & 0xfff); i++) x = x * 3;
}

static KnStatus task(void *user, int worker, uint64_t index, KnError *error)
{
    Work *work = user;
    if (worker < 0 || worker >= WORKERS) return kn_fail(error, KN_USAGE, "worker %d", worker);
    atomic_fetch_add(&work->ran[index], 1);
    dawdle(index);
    work->slot[index % WINDOW] =
        index; /* a race here, if the window were not kept, for the sanitizer to see */
    if (index == work->cancel_at) atomic_store(&work->cancel, true);
    for (int i = 0; i < 2; i++)
        if (index == work->fail_at[i]) return kn_fail(error, KN_INPUT, "index %d failed", (int)index);
    return KN_OK;
}

static KnStatus free_task(void *user, int worker, uint64_t index, KnError *error)
{
    Work *work = user;
    (void)worker;
    atomic_fetch_add(&work->ran[index], 1);
    dawdle(index);
    if (index == work->cancel_at) atomic_store(&work->cancel, true);
    if (index == work->fail_at[0]) usleep(5000);
    if (index == work->fail_at[1]) usleep(30000);
    /* so that the end is not reached meanwhile */
    if ((work->fail_at[0] < COUNT && index > 58) || index > work->cancel_at) usleep(1000);
    for (int i = 0; i < 2; i++)
        if (index == work->fail_at[i]) return kn_fail(error, KN_INPUT, "index %d failed", (int)index);
    return KN_OK;
}

static KnStatus commit(void *user, uint64_t index, KnError *error)
{
    Work *work = user;
    assert_true(pthread_equal(work->caller, pthread_self()));
    assert_int_equal(index, work->committed);
    assert_int_equal(work->slot[index % WINDOW], index);
    if (index == work->commit_fails) return kn_fail(error, KN_SYSTEM, "disk full at %d", (int)index);
    if (index == work->commit_stops) return KN_STOPPED;
    work->committed++;
    return KN_OK;
}

static const int job_counts[] = {1, 2, WORKERS};

static void test_every_index_once(void **state)
{
    (void)state;
    for (int j = 0; j < 3; j++) {
        Work *work = new_work();
        KnError error;
        check_ok(error, kn_parallel(job_counts[j], COUNT, free_task, work, NULL, &error));
        for (int i = 0; i < COUNT; i++) assert_int_equal(work->ran[i], 1);
        free(work);
    }
    assert_int_equal(kn_parallel(2, 0, task, NULL, NULL, NULL), KN_OK);
    assert_true(kn_cores() >= 1);
    assert_int_equal(kn_jobs(0), kn_cores());
    assert_int_equal(kn_jobs(3), 3);
}

/* Of 57 and 58 both fail, in either order of time: 57 is reported, as by one thread. */
static void test_lowest_failure_wins(void **state)
{
    (void)state;
    for (int j = 0; j < 3; j++)
        for (uint64_t first = 57; first <= 58; first++) {
            Work *work = new_work();
            work->fail_at[0] = first;
            work->fail_at[1] = 57 + 58 - first;
            KnError error;
            check_fails(error, KN_INPUT, "index 57 failed",
                        kn_parallel(job_counts[j], COUNT, free_task, work, NULL, &error));
            assert_int_equal(error.status, KN_INPUT);
            for (int i = 0; i < 57; i++) assert_int_equal(work->ran[i], 1);
            assert_int_equal(work->ran[COUNT - 1], 0);
            free(work);
        }
}

static void test_commits_in_order(void **state)
{
    (void)state;
    for (int j = 0; j < 3; j++) {
        Work *work = new_work();
        KnError error;
        check_ok(error, kn_parallel_ordered(job_counts[j], COUNT, WINDOW, task, commit, work, NULL, &error));
        assert_int_equal(work->committed, COUNT);
        for (int i = 0; i < COUNT; i++) assert_int_equal(work->ran[i], 1);
        free(work);
    }
}

static void test_failure_after_lower_commits(void **state)
{
    (void)state;
    for (int j = 0; j < 3; j++) {
        Work *work = new_work();
        work->fail_at[0] = 100;
        work->fail_at[1] = 102;
        KnError error;
        check_fails(error, KN_INPUT, "index 100 failed",
                    kn_parallel_ordered(job_counts[j], COUNT, WINDOW, task, commit, work, NULL, &error));
        assert_int_equal(work->committed, 100);
        free(work);
    }
}

static void test_commit_ends_the_run(void **state)
{
    (void)state;
    for (int j = 0; j < 3; j++) {
        Work *work = new_work();
        work->commit_stops = 50;
        work->fail_at[0] = 51; /* under way perhaps, but beyond the end */
        KnError error;
        check_ok(error, kn_parallel_ordered(job_counts[j], COUNT, WINDOW, task, commit, work, NULL, &error));
        assert_int_equal(work->committed, 50);
        for (int i = 50 + WINDOW; i < COUNT; i++) assert_int_equal(work->ran[i], 0); /* the window held */
        free(work);

        work = new_work();
        work->commit_fails = 50;
        check_fails(error, KN_SYSTEM, "disk full at 50",
                    kn_parallel_ordered(job_counts[j], COUNT, WINDOW, task, commit, work, NULL, &error));
        assert_int_equal(work->committed, 50);
        free(work);
    }
}

/* After a cancel, whatever had started is finished and committed, nothing else is started. */
static void test_cancel(void **state)
{
    (void)state;
    for (int j = 0; j < 3; j++) {
        Work *work = new_work();
        work->cancel_at = 40;
        KnError error;
        check_fails(
            error, KN_STOPPED, "stopped",
            kn_parallel_ordered(job_counts[j], COUNT, WINDOW, task, commit, work, &work->cancel, &error));
        assert_true(work->committed >= 41 && work->committed < 41 + WINDOW);
        for (int i = 0; i < COUNT; i++) assert_int_equal(work->ran[i], i < (int)work->committed);
        free(work);

        work = new_work();
        work->cancel_at = 40;
        check_fails(error, KN_STOPPED, "stopped",
                    kn_parallel(job_counts[j], COUNT, free_task, work, &work->cancel, &error));
        assert_int_equal(work->ran[COUNT - 1], 0);
        free(work);
    }
}

/* A cancel that comes with the last index has stopped nothing. */
static void test_cancel_too_late(void **state)
{
    (void)state;
    for (int j = 0; j < 3; j++) {
        Work *work = new_work();
        work->cancel_at = COUNT - 1;
        KnError error;
        check_ok(error, kn_parallel_ordered(job_counts[j], COUNT, WINDOW, task, commit, work, &work->cancel,
                                            &error));
        assert_int_equal(work->committed, COUNT);
        free(work);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_index_once),    cmocka_unit_test(test_lowest_failure_wins),
        cmocka_unit_test(test_commits_in_order),    cmocka_unit_test(test_failure_after_lower_commits),
        cmocka_unit_test(test_commit_ends_the_run), cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_cancel_too_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
