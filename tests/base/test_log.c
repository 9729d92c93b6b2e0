#include "support/check.h"
#include "base/clock.h"
#include "base/log.h"
#include "jobs/parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void test_levels(void **state)
{
    (void)state;
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);
    KnLog log = {out, KN_LOG_INFO, "knack"};
    kn_log(&log, KN_LOG_ERROR, "bad %d", 1);
    kn_log(&log, KN_LOG_WARNING, "careful");
    kn_log(&log, KN_LOG_INFO, "by the way");
    kn_log(&log, KN_LOG_DEBUG, "not shown");
    log.name = NULL;
    log.level = KN_LOG_DEBUG;
    kn_log(&log, KN_LOG_DEBUG, "shown");
    fclose(out);
    assert_string_equal(buffer,
                        "knack: error: bad 1\nknack: warning: careful\nknack: by the way\ndebug: shown\n");
    free(buffer);
}

static void test_silent_logs(void **state)
{
    (void)state;
    KnLog none = {NULL, KN_LOG_DEBUG, NULL};
    assert_false(kn_log_wants(NULL, KN_LOG_ERROR));
    assert_false(kn_log_wants(&none, KN_LOG_ERROR));
    kn_log(NULL, KN_LOG_ERROR, "nothing");
    kn_log(&none, KN_LOG_ERROR, "nothing");
}

static KnStatus log_one(void *user, int worker, uint64_t index, KnError *error)
{
    (void)error, (void)index;
    kn_log(user, KN_LOG_WARNING, "worker %d says something that is long enough", worker);
    return KN_OK;
}

/* Lines of several threads do not run into each other. */
static void test_lines_stay_whole(void **state)
{
    (void)state;
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);
    KnLog log = {out, KN_LOG_INFO, "t"};
    int wanted = (int)check_scaled(20000);
    kn_parallel(4, (uint64_t)wanted, log_one, &log, NULL, NULL);
    fclose(out);
    int lines = 0;
    for (char *line = strtok(buffer, "\n"); line; line = strtok(NULL, "\n")) {
        int worker = -1, end = 0;
        sscanf(line, "t: warning: worker %d says something that is long enough%n", &worker, &end);
        assert_in_range(worker, 0, 3);
        assert_int_equal(end, strlen(line));
        lines++;
    }
    assert_int_equal(lines, wanted);
    free(buffer);
}

/* The clocks run at the speed of the world, of the thread, and of the process. */
static void test_clocks(void **state)
{
    (void)state;
    double now = kn_clock_now(), cpu = kn_clock_cpu(), process = kn_clock_process_cpu();
    usleep(30000);
    assert_true(kn_clock_now() - now >= 0.03);
    assert_true(kn_clock_cpu() - cpu < 0.02); /* asleep */
    volatile double x = 0;
    while (kn_clock_cpu() - cpu < 0.02) x = x + 1;
    assert_true(kn_clock_process_cpu() - process >= 0.019);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_silent_logs),
        cmocka_unit_test(test_lines_stay_whole),
        cmocka_unit_test(test_clocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
