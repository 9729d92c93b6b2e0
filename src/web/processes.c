#include "web/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { NICE = 10, INTERRUPTED = 130 };

static KnStatus program_path(const char *program, char *path, size_t size, KnError *error)
{
    if (program) {
        snprintf(path, size, "%s", program);
        return KN_OK;
    }
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length < 0) return kn_fail_errno(error, "cannot find this program's own file");
    path[length] = '\0';
    return KN_OK;
}

static void choose_files(posix_spawn_file_actions_t *files, const char *out, const char *log)
{
    posix_spawn_file_actions_init(files);
    posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(files, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(files, 2, log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
}

static void choose_manner(posix_spawnattr_t *how)
{
    sigset_t defaults, none;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGINT);
    posix_spawnattr_init(how);
    posix_spawnattr_setsigdefault(how, &defaults);
    posix_spawnattr_setsigmask(how, &none);
    posix_spawnattr_setpgroup(how, 0);
    posix_spawnattr_setflags(how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

KnStatus kn_process_start(const char *program, char **argv, const char *out, const char *log, pid_t *pid,
                          KnError *error)
{
    char path[4096];
    KnStatus status = program_path(program, path, sizeof path, error);
    if (status != KN_OK) return status;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    choose_files(&files, out, log);
    choose_manner(&how);
    int code = posix_spawn(pid, path, &files, &how, argv, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    if (code != 0) {
        errno = code;
        return kn_fail_errno(error, "cannot start %s", path);
    }
    setpriority(PRIO_PROCESS, (id_t)*pid, NICE); /* interactive play has priority */
    return KN_OK;
}

KnProcessState kn_process_look(pid_t pid, char *why, size_t size)
{
    int status = 0;
    pid_t got = waitpid(pid, &status, WNOHANG);
    *why = '\0';
    if (got == 0) return KN_PROCESS_RUNS;
    if (got != pid) return KN_PROCESS_FAILED;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return KN_PROCESS_DONE;
    if ((WIFEXITED(status) && WEXITSTATUS(status) == INTERRUPTED) ||
        (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT))
        return KN_PROCESS_INTERRUPTED;
    if (WIFSIGNALED(status)) snprintf(why, size, "a signal ended it (%s)", strsignal(WTERMSIG(status)));
    return KN_PROCESS_FAILED;
}

void kn_process_interrupt(pid_t pid) { kill(pid, SIGINT); }

bool kn_process_writes(pid_t pid, const char *log)
{
    char link[64], target[4096], real[4096];
    snprintf(link, sizeof link, "/proc/%d/fd/2", (int)pid);
    ssize_t length = pid > 0 ? readlink(link, target, sizeof target - 1) : -1;
    if (length < 0 || !realpath(log, real)) return false;
    target[length] = '\0';
    return strcmp(target, real) == 0;
}
