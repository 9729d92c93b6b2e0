/* kill -9 at any instant: what was saved stays saved, no game counts twice, and the same command ends as if
 * nothing had happened.
 *
 * A job is killed at a moment drawn from its whole duration, and started again in what it left, until it
 * comes to its end; then it begins again in an empty folder, so that beginnings and ends are hit as often as
 * the rest. A few kills in the tests; `make crash-tests` draws a thousand. */
#include "support/check.h"
#include "support/fault_injection.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

#include <knack/base.h>

static void pause_for(double seconds)
{
    nanosleep(&(struct timespec){.tv_sec = (time_t)seconds,
                                 .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)},
              NULL);
}

/* True if the job was killed; false if it was faster. */
static bool kill_once(const FaultJob *job, const char *folder, double after)
{
    pid_t child = fault_start(job, folder, NULL);
    pause_for(after);
    kill(child, SIGKILL);
    int status = fault_wait(job, child);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return true;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        KnText said = KN_TEXT_EMPTY;
        fault_said(folder, &said);
        fail_msg("%s: wait status %#x: %s", job->name, (unsigned)status, said.data);
    }
    return false;
}

static void end_round(const FaultJob *job, const char *folder, const KnText *wanted)
{
    KnText got = KN_TEXT_EMPTY;
    fault_describe(folder, NULL, &got);
    fault_check_same(job->name, wanted, &got);
    kn_text_free(&got);
    fault_remove(folder);
}

static void killed_resumes(void **state)
{
    const FaultJob *job = *state;
    char whole[64], killed[64], count[80];
    snprintf(whole, sizeof whole, "%s-whole", job->name);
    snprintf(killed, sizeof killed, "%s-killed", job->name);
    KnText wanted = KN_TEXT_EMPTY, before = KN_TEXT_EMPTY, after = KN_TEXT_EMPTY;
    double took = fault_undisturbed(job, whole, &wanted);
    KnRng rng = kn_rng_seeded(20);
    long kills = 0, most = fault_count(job->kills), rounds = 0;
    while (kills < most) {
        if (kill_once(job, killed, kn_rng_real(&rng) * took)) {
            kills++;
            kn_text_clear(&after);
            fault_describe(killed, &after, NULL);
            fault_check_kept(job->name, &before, &after);
            KnText swap = before;
            before = after;
            after = swap;
        } else {
            end_round(job, killed, &wanted);
            kn_text_clear(&before);
            rounds++;
        }
    }
    fault_finish(job, killed);
    end_round(job, killed, &wanted);
    snprintf(count, sizeof count, "%ld kills in %ld runs", kills, rounds + 1);
    fault_row("kill -9", job->what, count, "nothing");
    kn_text_free(&wanted);
    kn_text_free(&before);
    kn_text_free(&after);
}

int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]); /* as '*import' */
    struct CMUnitTest tests[32];
    fault_begin();
    for (int i = 0; i < fault_job_count; i++)
        tests[i] = (struct CMUnitTest){fault_jobs[i].name, killed_resumes, NULL, NULL,
                                       (void *)(uintptr_t)&fault_jobs[i]};
    return _cmocka_run_group_tests("kill", tests, (size_t)fault_job_count, NULL, NULL);
}
