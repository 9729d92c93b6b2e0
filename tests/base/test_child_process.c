/* Programs beside ours: lines there and back, and every way in which they can fail, none of which takes
 * longer than allowed. */
#include "support/check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/child_process.h"

static KnChild *start(const char *command)
{
    KnError error;
    KnChild *child;
    check_ok(error, kn_child_start(command, &child, &error));
    return child;
}

static void test_lines_there_and_back(void **state)
{
    (void)state;
    KnError error;
    KnText line = KN_TEXT_EMPTY;
    KnChild *child = start("cat");
    for (int i = 0; i < 200; i++) {
        char text[64];
        snprintf(text, sizeof text, "line %d%s", i, i % 3 ? "" : "\r");
        check_ok(error, kn_child_write(child, text, 5, &error));
        check_ok(error, kn_child_read(child, 5, NULL, &line, &error));
        text[strcspn(text, "\r")] = '\0';
        assert_string_equal(line.data, text);
    }
    kn_child_end(child);
    child = start("printf 'one\\ntwo\\nrest'");
    check_ok(error, kn_child_read(child, 5, NULL, &line, &error));
    check_ok(error, kn_child_read(child, 5, NULL, &line, &error));
    assert_string_equal(line.data, "two");
    check_fails(error, KN_FORFEIT, "has exited (status 0)", kn_child_read(child, 5, NULL, &line, &error));
    kn_child_end(child);
    kn_child_end(NULL);
    kn_text_free(&line);
}

static void test_how_they_end(void **state)
{
    (void)state;
    static const struct {
        const char *command, *complaint;
    } cases[] = {
        {"exit 3", "has exited (status 3)"},
        {"no-such-program-anywhere", "no command that can be found"},
        {"echo out of sorts >&2; exit 1", "(status 1); it said: out of sorts"},
        {"kill -9 $$", "was ended by signal 9"},
        {"exec >&-; sleep 1000", "has closed its output, but runs on"},
        {"sleep 1000", "has not answered for 0.3 s"},
        {"head -c 100000 /dev/zero | tr '\\0' a; sleep 1000", "a line of more than 65536 bytes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnError error;
        KnText line = KN_TEXT_EMPTY;
        double started = kn_clock_now();
        KnChild *child = start(cases[i].command);
        check_fails(error, KN_FORFEIT, cases[i].complaint,
                    kn_child_read(child, i == 5 ? 0.3 : 10, NULL, &line, &error));
        kn_child_end(child);
        kn_text_free(&line);
        if (kn_clock_now() - started > 8)
            fail_msg("%s took %.1f s", cases[i].command, kn_clock_now() - started);
    }
}

/* Telling something to who is gone must not end us by a signal; telling somebody deaf ends at the deadline.
 */
static void test_telling(void **state)
{
    (void)state;
    KnError error;
    KnChild *child = start("exec <&-; exit 0");
    KnStatus status = KN_OK;
    for (int i = 0; i < 100 && status == KN_OK; i++) {
        status = kn_child_write(child, "hello", 1, &error);
        usleep(10000);
    }
    check_fails(error, KN_FORFEIT, "has exited", status);
    kn_child_end(child);
    child = start("sleep 1000");
    char *much = malloc(300001);
    memset(much, 'x', 300000);
    much[300000] = '\0';
    check_fails(error, KN_FORFEIT, "has not read", kn_child_write(child, much, 0.2, &error));
    kn_child_end(child);
    free(much);
}

static void test_cancel(void **state)
{
    (void)state;
    KnError error;
    KnText line = KN_TEXT_EMPTY;
    atomic_bool cancel = true;
    KnChild *child = start("sleep 1000");
    double started = kn_clock_now();
    assert_int_equal(kn_child_read(child, 100, &cancel, &line, &error), KN_STOPPED);
    kn_child_end(child);
    assert_true(kn_clock_now() - started < 8);
    kn_text_free(&line);
}

/* Whether a process still does something; those that nobody waited for do not count. */
static bool runs(long pid)
{
    char path[64], text[256] = "", state = 'X';
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file) return false;
    if (fgets(text, sizeof text, file) && strrchr(text, ')')) state = strrchr(text, ')')[2];
    fclose(file);
    return state != 'Z' && state != 'X';
}

static void test_nothing_is_left_behind(void **state)
{
    (void)state;
    KnError error;
    KnText line = KN_TEXT_EMPTY;
    KnChild *child = start("trap '' TERM HUP; (trap '' TERM HUP; sleep 1000) & echo $!; wait");
    check_ok(error, kn_child_read(child, 5, NULL, &line, &error));
    long pid = atol(line.data);
    assert_true(pid > 1 && runs(pid));
    kn_child_end(child);
    for (int i = 0; i < 200 && runs(pid); i++) usleep(10000);
    assert_false(runs(pid));
    kn_text_free(&line);
}

/* Our end by kill -9 ends the program and what it has started. */
static void test_killed_parent_leaves_no_orphan(void **state)
{
    (void)state;
    int ends[2];
    char text[64] = "";
    assert_int_equal(pipe(ends), 0);
    pid_t parent = fork();
    if (!parent) {
        KnText line = KN_TEXT_EMPTY;
        KnChild *child;
        bool ok = kn_child_start("trap '' TERM HUP; (trap '' TERM HUP; sleep 1000) & echo $$ $!; wait",
                                 &child, NULL) == KN_OK &&
                  kn_child_read(child, 10, NULL, &line, NULL) == KN_OK;
        if (!ok || write(ends[1], line.data, line.length) < 0) _exit(1);
        for (;;) pause();
    }
    long leader = 0, other = 0;
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    assert_int_equal(sscanf(text, "%ld %ld", &leader, &other), 2);
    assert_true(runs(leader) && runs(other));
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    for (int i = 0; i < 500 && (runs(leader) || runs(other)); i++) usleep(10000);
    assert_false(runs(leader) || runs(other));
    close(ends[0]);
    close(ends[1]);
}

static void test_processor_time(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo done; read x",
        "(i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done); echo done; read x"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        KnError error;
        KnText line = KN_TEXT_EMPTY;
        KnChild *child = start(commands[i]);
        check_ok(error, kn_child_read(child, 60, NULL, &line, &error));
        double used = kn_child_cpu_seconds(child);
        if (used < 0.02 || used > 30) fail_msg("%s: %.3f s", commands[i], used);
        kn_child_end(child);
        kn_text_free(&line);
    }
}

/* All that is said is in the log, in order; a second program adds to it. */
static void test_log(void **state)
{
    (void)state;
    KnError error;
    KnText line = KN_TEXT_EMPTY, log = KN_TEXT_EMPTY;
    unlink("said.log");
    for (int i = 0; i < 2; i++) {
        KnChild *child = start("sed -u s/are/am/");
        check_ok(error, kn_child_log(child, "said.log", &error));
        check_ok(error, kn_child_write(child, "how are you", 5, &error));
        check_ok(error, kn_child_read(child, 20, NULL, &line, &error));
        kn_child_end(child);
    }
    check_ok(error, kn_file_read("said.log", &log, 1 << 16, &error));
    int lines = 0;
    for (const char *c = log.data; *c; c++) lines += *c == '\n';
    assert_int_equal(lines, 8);
    const char *asked = strstr(log.data, "] > how are you\n"),
               *answered = strstr(log.data, "] < how am you\n"), *ended = strstr(log.data, "] * ended\n");
    assert_true(asked && answered && ended && asked < answered && answered < ended);
    assert_non_null(strstr(ended, "] * sed -u s/are/am/\n"));
    KnChild *child = start("cat");
    check_fails(error, KN_SYSTEM, "no/such/folder", kn_child_log(child, "no/such/folder/said.log", &error));
    kn_child_end(child);
    kn_text_free(&line);
    kn_text_free(&log);
}

/* A program that has ended is asked again and again: the answer stays the same, and nobody else is killed for
 * it. In a process group of its own, so that a kill of the group does not end the test program. */
static void test_asked_after_its_end(void **state)
{
    (void)state;
    int status;
    pid_t tester = fork();
    assert_true(tester >= 0);
    if (tester == 0) {
        KnError error = {KN_OK, ""};
        KnText line = KN_TEXT_EMPTY;
        KnChild *child;
        setpgid(0, 0);
        bool same = kn_child_start("exit 7", &child, &error) == KN_OK;
        for (int i = 0; i < 3 && same; i++)
            same = kn_child_read(child, 5, NULL, &line, &error) == KN_FORFEIT &&
                   strstr(error.text, "has exited (status 7)");
        for (int i = 0; i < 2 && same; i++) same = kn_child_write(child, "more", 1, &error) == KN_FORFEIT;
        kn_child_end(child);
        _exit(same ? 0 : 1);
    }
    assert_int_equal(waitpid(tester, &status, 0), tester);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_there_and_back),
        cmocka_unit_test(test_how_they_end),
        cmocka_unit_test(test_telling),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_nothing_is_left_behind),
        cmocka_unit_test(test_killed_parent_leaves_no_orphan),
        cmocka_unit_test(test_processor_time),
        cmocka_unit_test(test_log),
        cmocka_unit_test(test_asked_after_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
