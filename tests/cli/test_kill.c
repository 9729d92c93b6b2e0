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

enum { WORDS = 20 };
static const char folder_word[] = "@"; /* stands for the folder that a job works in */

/* Something that goes on where it was killed. */
typedef struct Job {
    const char *name;
    const char *words[WORDS];
    int kills, most_ms; /* how often, and how long it runs at most before each */
    bool digest;        /* its answer is the digest that it prints; else the files of its folder */
} Job;

static const Job jobs[] = {
    {"match",
     {"match", "checkers", "alphabeta(depth=2)", "random", "-n", "400", "--plies", "100", "--random-plies", "2", "--quiet", "--data", folder_word},
     12, 250, true},
    {"tables", {"tables", "build", "checkers", "--pieces", "3", "--quiet", "--folder", folder_word}, 15, 80, false},
    {"weights", {"train", "td", "checkers", "--depth", "2", "--games", "60", "--random-plies", "3", "--plies", "80", "--quiet", "--out", folder_word}, 15, 100, false},
};

/* Starts a job in a folder, with its output in a file beside it. */
static pid_t start(const Job *job, const char *folder)
{
    char output[100];
    const char *words[WORDS + 2] = {KNACK_BINARY};
    snprintf(output, sizeof output, "%s.txt", folder);
    for (int i = 0; i < WORDS && job->words[i]; i++) words[i + 1] = strcmp(job->words[i], folder_word) == 0 ? folder : job->words[i];
    pid_t child = fork();
    if (child == 0) {
        int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        dup2(file, STDOUT_FILENO);
        execv(words[0], (char **)(uintptr_t)words);
        _exit(127);
    }
    assert_true(child > 0);
    return child;
}

static void finish(const Job *job, const char *folder)
{
    int status;
    waitpid(start(job, folder), &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* The digest that a finished job has printed. */
static void digest_of(const char *folder, char digest[64])
{
    KnError error;
    KnText text = KN_TEXT_EMPTY;
    char output[100];
    snprintf(output, sizeof output, "%s.txt", folder);
    check_ok(error, kn_file_read(output, &text, 1 << 16, &error));
    const char *line = strstr(text.data, "digest ");
    if (!line) fail_msg("no digest in:\n%s", text.data);
    assert_int_equal(sscanf(line, "digest %63s", digest), 1);
    kn_text_free(&text);
}

static void compare(const Job *job, const char *whole, const char *killed)
{
    char one[64], other[64], command[200];
    if (job->digest) {
        digest_of(whole, one);
        digest_of(killed, other);
        assert_string_equal(one, other);
    } else {
        snprintf(command, sizeof command, "diff -r %s %s", whole, killed);
        assert_int_equal(system(command), 0);
    }
}

static void killed_resumes(void **state)
{
    const Job *job = *state;
    char whole[64], killed[64];
    snprintf(whole, sizeof whole, "%s-whole", job->name);
    snprintf(killed, sizeof killed, "%s-killed", job->name);
    finish(job, whole);
    KnRng rng = kn_rng_seeded(20);
    for (long i = check_scaled(job->kills); i > 0; i--) {
        pid_t child = start(job, killed);
        nanosleep(&(struct timespec){.tv_nsec = (long)kn_rng_below(&rng, (uint32_t)job->most_ms) * 1000000}, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    finish(job, killed);
    compare(job, whole, killed);
}

int main(void)
{
    enum { JOBS = sizeof jobs / sizeof *jobs };
    struct CMUnitTest tests[JOBS];
    for (int i = 0; i < JOBS; i++) tests[i] = (struct CMUnitTest){jobs[i].name, killed_resumes, NULL, NULL, (void *)(uintptr_t)&jobs[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
