#include "support/ranks.h"

#include "support/check.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

static const char binary[] = KNACK_BUILD_DIR "/knack", with_ranks[] = KNACK_BUILD_DIR "/knack-mpi";

/* As root in a container, on few cores, without the kernel's help for copying: the least that any machine
 * allows. */
#define MPIRUN                                                                                               \
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader "                     \
    "OMPI_MCA_btl_vader_single_copy_mechanism=none exec "                                                    \
    "mpirun --oversubscribe --bind-to none "

void ranks_needed(void)
{
    const char *missing =
        access(with_ranks, X_OK) != 0
            ? "knack-mpi was not built (libopenmpi-dev is missing, or this is a sanitized build)"
        : system("command -v mpirun >mpirun.path") != 0 ? "mpirun is missing (openmpi-bin)"
        : system(MPIRUN "-n 2 true >mpirun.out 2>&1 </dev/null") != 0
            ? "mpirun cannot start anything here (mpirun.out in the test's folder says why)"
            : NULL;
    if (!missing) return;
    fprintf(stderr, "skipped: %s\n", missing);
    skip();
}

static void command_line(KnText *line, int ranks, const char *words)
{
    if (ranks) kn_text_printf(line, MPIRUN "-n %d ", ranks);
    kn_text_printf(line, "%s %s", ranks ? with_ranks : binary, words);
}

static void read_file(const char *path, KnText *text)
{
    KnError error;
    if (!text) return;
    kn_text_clear(text);
    check_ok(error, kn_file_read(path, text, 16 << 20, &error));
}

pid_t ranks_start(int ranks, const char *words, const char *name)
{
    KnText line = KN_TEXT_EMPTY;
    command_line(&line, ranks, words);
    kn_text_printf(&line, " >%s.out 2>%s.err </dev/null", name, name);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        execl("/bin/sh", "sh", "-c", line.data, NULL);
        _exit(127);
    }
    kn_text_free(&line);
    assert_true(child > 0);
    return child;
}

int ranks_run(int ranks, const char *words, KnText *out, KnText *complaints)
{
    int status;
    pid_t child = ranks_start(ranks, words, "ranks");
    assert_int_equal(waitpid(child, &status, 0), child);
    read_file("ranks.out", out);
    read_file("ranks.err", complaints);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Whether a process is a rank of this mpirun: its child, with the rank in its environment. */
static bool is_rank(const char *process, pid_t mpirun, int rank)
{
    char path[64], wanted[64];
    int parent = 0;
    bool is = false;
    snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    FILE *file = fopen(path, "r");
    if (!file) return false;
    if (fscanf(file, "%*d (%*[^)]) %*c %d", &parent) != 1) parent = 0;
    fclose(file);
    if (parent != mpirun) return false;
    snprintf(path, sizeof path, "/proc/%.20s/environ", process);
    size_t length = (size_t)snprintf(wanted, sizeof wanted, "OMPI_COMM_WORLD_RANK=%d", rank) + 1, size = 0;
    char *line = NULL;
    file = fopen(path, "r");
    while (file && !is && getdelim(&line, &size, '\0', file) > 0) is = strncmp(line, wanted, length) == 0;
    if (file) fclose(file);
    free(line);
    return is;
}

pid_t ranks_find(pid_t mpirun, int rank)
{
    DIR *processes = opendir("/proc");
    pid_t found = 0;
    assert_non_null(processes);
    for (struct dirent *entry; !found && (entry = readdir(processes));)
        if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9' && is_rank(entry->d_name, mpirun, rank))
            found = atoi(entry->d_name);
    closedir(processes);
    return found;
}

void ranks_drop_times(KnText *out)
{
    char *to = out->data;
    for (const char *at = out->data, *end; *at; at = end) {
        end = strchr(at, '\n');
        end = end ? end + 1 : at + strlen(at);
        KnText line = KN_TEXT_EMPTY;
        kn_text_add_bytes(&line, at, (size_t)(end - at));
        bool timed = strstr(line.data, "time") || strstr(line.data, " s of ") ||
                     strstr(line.data, "seconds") || strstr(line.data, " s\n") || strstr(line.data, " s: ");
        if (!timed) memmove(to, at, (size_t)(end - at)), to += end - at;
        kn_text_free(&line);
    }
    if (out->length) *to = '\0';
    out->length = (size_t)(to - out->data);
}

/* The words with the folder's name in place of every "@". */
static void put_folder(const char *words, const char *folder, KnText *out)
{
    kn_text_clear(out);
    for (const char *at = words; *at; at++)
        if (*at == '@')
            kn_text_add(out, folder);
        else
            kn_text_add_char(out, *at);
}

void ranks_compare(const char *words, const char *except)
{
    KnText line = KN_TEXT_EMPTY, expected = KN_TEXT_EMPTY, got = KN_TEXT_EMPTY, why = KN_TEXT_EMPTY;
    bool folders = strchr(words, '@') != NULL;
    assert_int_equal(system("rm -rf ranks-0 ranks-2 ranks-3"), 0);
    for (int ranks = 0; ranks <= 3; ranks += ranks ? 1 : 2) { /* one rank is `knack` with nobody to talk to */
        char folder[24], command[400];
        snprintf(folder, sizeof folder, "ranks-%d", ranks);
        put_folder(words, folder, &line);
        KnError error;
        if (folders) check_ok(error, kn_mkdirs(folder, &error));
        int code = ranks_run(ranks, line.data, ranks ? &got : &expected, &why);
        if (code) fail_msg("%s on %d ranks ended with %d: %s", line.data, ranks, code, why.data);
        if (ranks > 1 && strstr(why.data, "nothing to share out")) fail_msg("%s: %s", line.data, why.data);
        ranks_drop_times(ranks ? &got : &expected);
        if (!ranks) continue;
        /* The folder's own name may be printed. */
        for (char *at = got.data; (at = strstr(at, folder)); at++) memcpy(at, "ranks-0", strlen("ranks-0"));
        assert_string_equal(got.data, expected.data);
        snprintf(command, sizeof command,
                 "cd ranks-0 && find . -type f ! -name '%s' | sort >../names && cd ../%s && find . -type f ! "
                 "-name '%s' | sort | diff ../names - && "
                 "while read -r f; do cmp \"$f\" \"../ranks-0/$f\" || exit 1; done <../names",
                 except, folder, except);
        if (folders && system(command) != 0) fail_msg("%s: files on %d ranks differ", words, ranks);
    }
    kn_text_free(&line);
    kn_text_free(&expected);
    kn_text_free(&got);
    kn_text_free(&why);
}
