/* A disk that is full, and writes that fail: the command says so and ends with 4, what it had saved stays,
 * and once the cause is gone the same command ends as if nothing had happened. No signal, no silence, no
 * wrong answer.
 *
 *   - failing writes: a preloaded library (failing.c) lets the nth call that changes the disk fail, once or
 * from then on, with ENOSPC or EIO;
 *   - a file system over a network, simulated by the same library: it has no nameless files and no locks on
 * folders, or none at all, and its writes fail late, with ESTALE or EDQUOT;
 *   - full disk: a small tmpfs where this process may mount one, and everywhere a limit on the size of files.
 */
#include "support/check.h"
#include "support/fault_injection.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/file.h"
#include <knack/base.h>

enum {
    TRIALS = 24,
    ROOM = 64 << 20,
    LEAST = 600 /* bytes: a message must fit, since it goes to a file too */
};

typedef struct Count {
    long trials, told, unharmed;
} Count;

/* A disturbed run has ended: either it did all it should, or it says why not. */
static void judge(const FaultJob *job, const char *folder, int status, const KnText *before, Count *count)
{
    KnText said = KN_TEXT_EMPTY, now = KN_TEXT_EMPTY;
    fault_said(folder, &said);
    count->trials++;
    if (!WIFEXITED(status)) fail_msg("%s: it died of signal %d: %s", job->name, WTERMSIG(status), said.data);
    if (WEXITSTATUS(status) == 0) {
        count->unharmed++;
    } else {
        count->told++;
        if (WEXITSTATUS(status) != 4)
            fail_msg("%s: exit code %d, wanted 4: %s", job->name, WEXITSTATUS(status), said.data);
        if (said.length < 20 || !strstr(said.data, "knack"))
            fail_msg("%s: it says no more than \"%s\"", job->name, said.data);
    }
    fault_describe(folder, &now, NULL);
    fault_check_kept(job->name, before, &now);
    kn_text_free(&said);
    kn_text_free(&now);
}

static void compare(const FaultJob *job, const char *folder, const KnText *wanted)
{
    KnText got = KN_TEXT_EMPTY;
    fault_describe(folder, NULL, &got);
    fault_check_same(job->name, wanted, &got);
    kn_text_free(&got);
}

static void row(const FaultJob *job, const char *fault, const Count *count)
{
    char text[120];
    snprintf(text, sizeof text, "%ld: %ld told, %ld unharmed", count->trials, count->told, count->unharmed);
    fault_row(fault, job->what, text, "nothing");
}

/* What is there before the harm: nothing, or what a run that was killed has left. */
static void maybe_begin(const FaultJob *job, const char *folder, KnRng *rng, double took, KnText *before)
{
    kn_text_clear(before);
    kn_text_add(before, "");
    if (kn_rng_below(rng, 3) == 0) {
        pid_t child = fault_start(job, folder, NULL);
        usleep((useconds_t)(kn_rng_real(rng) * took * 1e6));
        kill(child, SIGKILL);
        fault_wait(job, child);
        fault_describe(folder, before, NULL);
    }
}

/* ---- failing writes ---- */

static void failing_writes(void **state)
{
#ifndef KNACK_FAILING
    (void)state;
    print_message("skipped: a sanitizer wants to be loaded first\n");
    skip();
#else
    const FaultJob *job = *state;
    KnText wanted = KN_TEXT_EMPTY, before = KN_TEXT_EMPTY, text = KN_TEXT_EMPTY;
    KnError error;
    KnRng rng = kn_rng_seeded(21);
    Count count = {0};
    double took = fault_undisturbed(job, "whole", &wanted);
    setenv("KNACK_FAIL_COUNT", "calls", 1);
    fault_remove("faults");
    int status = fault_wait(job, fault_start(job, "faults", &(FaultHarm){.library = KNACK_FAILING}));
    unsetenv("KNACK_FAIL_COUNT");
    judge(job, "faults", status, &before, &count);
    compare(job, "faults", &wanted);
    check_ok(error, kn_file_read("calls", &text, 100, &error));
    long calls = strtol(text.data, NULL, 10);
    assert_true(calls > 3);
    count = (Count){0};
    for (long most = fault_count(TRIALS), i = 0; i < most; i++) {
        fault_remove("faults");
        maybe_begin(job, "faults", &rng, took, &before);
        /* every call of short jobs, and of long ones at random */
        FaultHarm harm = {.library = KNACK_FAILING,
                          .nth = 1 + (calls <= most ? i % calls : (long)kn_rng_below(&rng, (uint32_t)calls)),
                          .code = kn_rng_below(&rng, 2) ? ENOSPC : EIO,
                          .lasting = kn_rng_below(&rng, 2)};
        status = fault_wait(job, fault_start(job, "faults", &harm));
        judge(job, "faults", status, &before, &count);
        if (WEXITSTATUS(status) != 0) fault_finish(job, "faults");
        compare(job, "faults", &wanted);
    }
    row(job, "a write that fails (ENOSPC, EIO; once, or from then on)", &count);
    kn_text_free(&wanted);
    kn_text_free(&before);
    kn_text_free(&text);
#endif
}

/* ---- a file system over a network ---- */

/* First without a failure, with and without locks: the job comes to its end, with the same files. Then with
 * one: told or unharmed, as on a local disk. */
static void network(void **state)
{
#ifndef KNACK_FAILING
    (void)state;
    skip();
#else
    const FaultJob *job = *state;
    KnText wanted = KN_TEXT_EMPTY, before = KN_TEXT_EMPTY, text = KN_TEXT_EMPTY;
    KnError error;
    KnRng rng = kn_rng_seeded(24);
    Count count = {0};
    long calls = 0;
    double took = fault_undisturbed(job, "whole", &wanted);
    setenv("KNACK_FAIL_COUNT", "calls", 1);
    for (int kind = 1; kind <= 2; kind++) {
        fault_remove("faults");
        int status = fault_wait(
            job, fault_start(job, "faults", &(FaultHarm){.library = KNACK_FAILING, .network = kind}));
        judge(job, "faults", status, &before, &count);
        compare(job, "faults", &wanted);
    }
    unsetenv("KNACK_FAIL_COUNT");
    assert_int_equal(count.told, 0);
    check_ok(error, kn_file_read("calls", &text, 100, &error));
    calls = strtol(text.data, NULL, 10);
    assert_true(calls > 3);
    for (long i = fault_count(TRIALS); i > 0; i--) {
        fault_remove("faults");
        maybe_begin(job, "faults", &rng, took, &before);
        FaultHarm harm = {.library = KNACK_FAILING,
                          .network = 1 + (int)kn_rng_below(&rng, 2),
                          .nth = 1 + (long)kn_rng_below(&rng, (uint32_t)calls),
                          .code = kn_rng_below(&rng, 2) ? ESTALE : EDQUOT,
                          .lasting = kn_rng_below(&rng, 2)};
        int status = fault_wait(job, fault_start(job, "faults", &harm));
        judge(job, "faults", status, &before, &count);
        if (WEXITSTATUS(status) != 0) fault_finish(job, "faults");
        compare(job, "faults", &wanted);
    }
    row(job, "a file system over a network, simulated (no locks on folders; ESTALE, EDQUOT)", &count);
    kn_text_free(&wanted);
    kn_text_free(&before);
    kn_text_free(&text);
#endif
}

/* ---- a player that cannot store what it learns ---- */

#ifdef KNACK_FAILING
static long forfeits_in(const char *path)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *count = NULL;
    long forfeits = 0;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, "SELECT count(*) FROM games WHERE ending = 'forfeit'", -1, &count, NULL) ==
            SQLITE_OK &&
        sqlite3_step(count) == SQLITE_ROW)
        forfeits = sqlite3_column_int64(count, 0);
    sqlite3_finalize(count);
    sqlite3_close(db);
    return forfeits;
}
#endif

/* A failing disk says nothing about a player: the match ends with 4, and no game is stored as forfeited. */
static void no_forfeit_by_disk(void **state)
{
#ifndef KNACK_FAILING
    (void)state;
    skip();
#else
    (void)state;
    static const FaultJob job = {.name = "learning match",
                                 .words = {"match", "othello(size=4)",
                                           "experience(alphabeta(depth=1), base=\"learning.mdb\", learn)",
                                           "random", "-n", "12", "--jobs", "1", "--quiet", "--data", "@"}};
    KnError error;
    KnText text = KN_TEXT_EMPTY;
    long failed = 0;
    fault_remove("faults");
    fault_remove("learning.mdb");
    setenv("KNACK_FAIL_COUNT", "calls", 1);
    int status = fault_wait(&job, fault_start(&job, "faults", &(FaultHarm){.library = KNACK_FAILING}));
    unsetenv("KNACK_FAIL_COUNT");
    assert_int_equal(WEXITSTATUS(status), 0);
    check_ok(error, kn_file_read("calls", &text, 100, &error));
    long calls = strtol(text.data, NULL, 10), step = 1 + calls / 24;
    for (long nth = 1; nth <= calls; nth += step) {
        fault_remove("faults");
        fault_remove("learning.mdb");
        FaultHarm harm = {.library = KNACK_FAILING, .nth = nth, .code = ENOSPC};
        status = fault_wait(&job, fault_start(&job, "faults", &harm));
        fault_said("faults", &text);
        if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 4))
            fail_msg("call %ld: status %d: %s", nth, status, text.data);
        failed += WEXITSTATUS(status) == 4;
        assert_int_equal(forfeits_in("faults/results.db"), 0);
    }
    assert_true(failed > 0);
    kn_text_free(&text);
#endif
}

/* A solution that could not be stored: every call that changes the disk fails once, and none of the answers
 * is exit code 0 without a file. */
static void no_silent_solution(void **state)
{
#ifndef KNACK_FAILING
    (void)state;
    skip();
#else
    (void)state;
    static const FaultJob job = {.name = "solve",
                                 .words = {"solve", "tictactoe", "--jobs", "1", "--quiet", "--data", "@"}};
    KnText text = KN_TEXT_EMPTY;
    long told = 0;
    for (long nth = 1; nth <= 12; nth++) {
        fault_remove("faults");
        FaultHarm harm = {.library = KNACK_FAILING, .nth = nth, .code = ENOSPC};
        int status = fault_wait(&job, fault_start(&job, "faults", &harm));
        fault_said("faults", &text);
        assert_true(WIFEXITED(status));
        bool stored = system("ls faults/solved/*.kns >/dev/null 2>&1") == 0;
        if (stored ? WEXITSTATUS(status) != 0 : WEXITSTATUS(status) != 4)
            fail_msg("call %ld: exit code %d, and the solution %s stored: %s", nth, WEXITSTATUS(status),
                     stored ? "is" : "is not", text.data);
        told += WEXITSTATUS(status) == 4;
    }
    assert_true(told > 0);
    kn_text_free(&text);
#endif
}

/* ---- a full disk ---- */

/* Bytes in the largest file of a folder, or in all of them. */
static long bytes_in(const char *folder, bool all)
{
    char command[300];
    long bytes = 0;
    snprintf(
        command, sizeof command,
        "find '%s' -type f -printf '%%s\\n' | awk '{all += $1; if ($1 > most) most = $1} END {print %s + 0}'",
        folder, all ? "all" : "most");
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%ld", &bytes), 1);
    pclose(pipe);
    return bytes;
}

static bool mounted(const char *folder, long bytes, bool again)
{
    char size[40];
    snprintf(size, sizeof size, "size=%ld", bytes);
    mkdir(folder, 0777);
    return mount("tmpfs", folder, "tmpfs", again ? MS_REMOUNT : 0, size) == 0;
}

static void small_files(void **state)
{
    const FaultJob *job = *state;
    KnText wanted = KN_TEXT_EMPTY, before = KN_TEXT_EMPTY;
    KnRng rng = kn_rng_seeded(22);
    Count count = {0};
    double took = fault_undisturbed(job, "whole", &wanted);
    long largest = bytes_in("whole", false);
    for (long i = fault_count(TRIALS / 2); i > 0; i--) {
        fault_remove("faults");
        maybe_begin(job, "faults", &rng, took, &before);
        int status = fault_wait(
            job,
            fault_start(job, "faults",
                        &(FaultHarm){.most_bytes = LEAST + (long)kn_rng_below(&rng, (uint32_t)largest)}));
        judge(job, "faults", status, &before, &count);
        if (WEXITSTATUS(status) != 0) fault_finish(job, "faults");
        compare(job, "faults", &wanted);
    }
    row(job, "no room (a limit on the size of files)", &count);
    kn_text_free(&wanted);
    kn_text_free(&before);
}

static void full_disk(void **state)
{
    const FaultJob *job = *state;
    KnText wanted = KN_TEXT_EMPTY, before = KN_TEXT_EMPTY;
    KnRng rng = kn_rng_seeded(23);
    Count count = {0};
    double took = fault_undisturbed(job, "whole", &wanted);
    long all = bytes_in("whole", true);
    fault_remove("faults");
    for (long i = fault_count(TRIALS / 2); i > 0; i--) {
        if (!mounted("faults", ROOM, false)) {
            print_message("skipped: no file system can be mounted here\n");
            skip();
        }
        maybe_begin(job, "faults", &rng, took, &before);
        long used = bytes_in("faults", true) / 4096 * 4096;
        bool shrunk = mounted("faults",
                              used + 4096 + (long)kn_rng_below(&rng, (uint32_t)(all + all / 2 + 4096)), true);
        int status = shrunk ? fault_wait(job, fault_start(job, "faults", NULL)) : -1;
        bool roomy = mounted("faults", ROOM, true);
        if (shrunk && roomy) {
            judge(job, "faults", status, &before, &count);
            if (WEXITSTATUS(status) != 0) fault_finish(job, "faults");
            compare(job, "faults", &wanted);
        }
        assert_int_equal(umount2("faults", MNT_DETACH), 0);
        fault_remove("faults");
    }
    row(job, "a full disk (a small tmpfs)", &count);
    kn_text_free(&wanted);
    kn_text_free(&before);
}

/* A failed test leaves its file system behind. */
static int tear_down(void **state)
{
    (void)state;
    umount2("faults", MNT_DETACH);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]); /* as '*import' */
    enum { KINDS = 4, MOST = 40 };
    static const CMUnitTestFunction kinds[KINDS] = {failing_writes, small_files, full_disk, network};
    static const char *const names[KINDS] = {"failing writes", "small files", "full disk", "network"};
    static char titles[KINDS * MOST][80];
    static struct CMUnitTest tests[KINDS * MOST + 2];
    int count = 0;
    fault_begin();
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < fault_job_count && i < MOST; i++) {
            bool locks = strcmp(fault_jobs[i].name, "solve") == 0 || strcmp(fault_jobs[i].name, "lab") == 0;
            if (!getenv("KNACK_CRASH_TESTS") && i % KINDS != kind && !(locks && kinds[kind] == network))
                continue; /* in the tests each job meets one fault, and those that wait for locks the network
                           */
            snprintf(titles[count], sizeof titles[count], "%s: %s", names[kind], fault_jobs[i].name);
            tests[count] = (struct CMUnitTest){titles[count], kinds[kind], NULL, tear_down,
                                               (void *)(uintptr_t)&fault_jobs[i]};
            count++;
        }
    tests[count++] = (struct CMUnitTest){"no forfeit by disk", no_forfeit_by_disk, NULL, NULL, NULL};
    tests[count++] = (struct CMUnitTest){"no silent solution", no_silent_solution, NULL, NULL, NULL};
    return _cmocka_run_group_tests("faults", tests, (size_t)count, NULL, NULL);
}
