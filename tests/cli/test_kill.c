/* kill -9 at any instant loses nothing that was committed: the same command resumes and ends with the undisturbed digest. */
#include "support/check.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/rng.h"

static const char *const command[] = {KNACK_BINARY, "match", "checkers", "alphabeta(depth=2)", "random", "-n", "400", "--plies",
                                      "100", "--random-plies", "2", "--quiet", "--data", NULL, NULL};

/* Starts the match with its data in a folder, its output in a file. */
static pid_t start(const char *folder, const char *output)
{
    const char *arguments[sizeof command / sizeof *command];
    memcpy(arguments, command, sizeof command);
    arguments[sizeof command / sizeof *command - 2] = folder;
    pid_t child = fork();
    if (child == 0) {
        int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        dup2(file, STDOUT_FILENO);
        execv(command[0], (char **)(uintptr_t)arguments);
        _exit(127);
    }
    return child;
}

/* The digest line of a finished match. */
static void digest_in(const char *output, char digest[64])
{
    KnError error;
    KnText text = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read(output, &text, 1 << 16, &error));
    const char *line = strstr(text.data, "digest ");
    if (!line) fail_msg("no digest in:\n%s", text.data);
    assert_int_equal(sscanf(line, "digest %63s", digest), 1);
    kn_text_free(&text);
}

static void finish(const char *folder, const char *output, char digest[64])
{
    int status;
    waitpid(start(folder, output), &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    digest_in(output, digest);
}

static void test_killed_match_resumes(void **state)
{
    (void)state;
    char undisturbed[64], resumed[64];
    finish("whole", "whole.txt", undisturbed);
    KnRng rng = kn_rng_seeded(20);
    long kills = check_scaled(12);
    for (long i = 0; i < kills; i++) {
        pid_t child = start("killed", "killed.txt");
        nanosleep(&(struct timespec){.tv_nsec = (long)kn_rng_below(&rng, 250) * 1000000}, NULL);
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
    }
    finish("killed", "killed.txt", resumed);
    assert_string_equal(undisturbed, resumed);
}

/* Endgame tables: the same files as undisturbed, and nothing beside them. */
static pid_t start_tables(const char *folder)
{
    pid_t child = fork();
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        execl(KNACK_BINARY, KNACK_BINARY, "tables", "build", "checkers", "--pieces", "3", "--quiet", "--folder", folder, (char *)NULL);
        _exit(127);
    }
    return child;
}

static void finish_tables(const char *folder)
{
    int status;
    waitpid(start_tables(folder), &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void test_killed_tables_resume(void **state)
{
    (void)state;
    finish_tables("tables-whole");
    KnRng rng = kn_rng_seeded(21);
    long kills = check_scaled(15);
    for (long i = 0; i < kills; i++) {
        pid_t child = start_tables("tables-killed");
        nanosleep(&(struct timespec){.tv_nsec = (long)kn_rng_below(&rng, 80) * 1000000}, NULL);
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
    }
    finish_tables("tables-killed");
    assert_int_equal(system("diff -r tables-whole tables-killed"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_killed_match_resumes), cmocka_unit_test(test_killed_tables_resume)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
