/* Two processes on one store, one base, one training run: both end as if alone, or one is told that another
 * is at work; what is there in the end is what one process would have made. And the same when one of them is
 * killed. */
#include "support/check.h"
#include "support/fault_injection.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <knack/base.h>

enum { TRIALS = 16 };

/* True if the process did its work, false if it was told to wait; all else fails. */
static bool did(const FaultJob *job, int status, const char *said)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 4 || !strstr(said, "another "))
        fail_msg("%s: wait status %#x: %s", job->name, (unsigned)status, said);
    return false;
}

static void two_at_once(void **state)
{
    const FaultJob *job = *state;
    KnText wanted = KN_TEXT_EMPTY, got = KN_TEXT_EMPTY, said = KN_TEXT_EMPTY;
    KnRng rng = kn_rng_seeded(24);
    double took = fault_undisturbed(job, "whole", &wanted);
    long both = 0, refused = 0, killed = 0;
    for (long i = fault_count(TRIALS); i > 0; i--) {
        bool cruel = kn_rng_below(&rng, 2);
        fault_remove("shared");
        pid_t one = fault_start(job, "shared", NULL);
        usleep((useconds_t)(kn_rng_real(&rng) * took * 1e6 / 2));
        pid_t other = fault_start(job, "shared", NULL);
        if (cruel) {
            usleep((useconds_t)(kn_rng_real(&rng) * took * 1e6));
            kill(one, SIGKILL);
        }
        int first = fault_wait(job, one), second = fault_wait(job, other);
        fault_said("shared", &said); /* of both */
        cruel = WIFSIGNALED(first) && WTERMSIG(first) == SIGKILL;
        int done = (!cruel && did(job, first, said.data)) + did(job, second, said.data);
        killed += cruel;
        both += done == 2;
        refused += !cruel && done == 1;
        if (!cruel && !done) fail_msg("%s: neither did it: %s", job->name, said.data);
        if (!done) fault_finish(job, "shared");
        kn_text_clear(&got);
        fault_describe("shared", NULL, &got);
        fault_check_same(job->name, &wanted, &got);
    }
    char text[120];
    snprintf(text, sizeof text, "%ld: %ld side by side, %ld refused, %ld killed", both + refused + killed,
             both, refused, killed);
    fault_row("two processes at once, one of them killed now and then", job->what, text, "nothing");
    kn_text_free(&wanted);
    kn_text_free(&got);
    kn_text_free(&said);
}

int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]); /* as '*import' */
    static struct CMUnitTest tests[40];
    fault_begin();
    size_t count = 0;
    for (int i = 0; i < fault_job_count; i++) {
        if (!getenv("KNACK_CRASH_TESTS") && i % 3 != 1)
            continue; /* in the tests a third of them: a store, a folder of examples, a base */
        tests[count++] = (struct CMUnitTest){fault_jobs[i].name, two_at_once, NULL, NULL,
                                             (void *)(uintptr_t)&fault_jobs[i]};
    }
    return _cmocka_run_group_tests("together", tests, count, NULL, NULL);
}
