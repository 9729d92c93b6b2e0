/* knack-mpi: the command line with workers (docs/many-machines.md). Rank 0 is the coordinator and runs the
 * command like `knack`; the other ranks are workers. This file is the transport of their messages over Open
 * MPI. It polls, since Open MPI's blocking calls keep a core busy while they wait. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs/workers.h"
#include "cli/cli.h"
#include "cli/run.h"
#include "job_types.h"

/* A message being sent; its bytes must stay until MPI has sent them. */
typedef struct Sending {
    MPI_Request request;
    char *bytes;
    struct Sending *next;
} Sending;

typedef struct Ranks {
    KnWorkers workers; /* first, so that one is the other */
    int rank;
    Sending *sending;
    bool asked_for_help; /* --help and its like */
} Ranks;

static const char *const parallel_commands[] = {"match", "tournament", "train", "lab", "tables", NULL};

/* ---- messages ---- */

static void reap(Ranks *ranks)
{
    for (Sending **at = &ranks->sending; *at;) {
        Sending *one = *at;
        int gone;
        MPI_Test(&one->request, &gone, MPI_STATUS_IGNORE);
        if (!gone) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        free(one->bytes);
        free(one);
    }
}

static void send_bytes(KnWorkers *workers, int to, const void *bytes, size_t size)
{
    Ranks *ranks = (Ranks *)workers;
    Sending *one = malloc(sizeof *one);
    char *copy = malloc(size);
    if (!one || !copy || size > INT32_MAX) {
        fprintf(stderr, "knack-mpi: rank %d cannot send %zu bytes: %s\n", ranks->rank, size,
                size > INT32_MAX ? "too many" : "out of memory");
        MPI_Abort(MPI_COMM_WORLD, KN_SYSTEM);
        exit(KN_SYSTEM); /* not reached */
    }
    memcpy(copy, bytes, size);
    *one = (Sending){.bytes = copy, .next = ranks->sending};
    ranks->sending = one;
    MPI_Isend(copy, (int)size, MPI_BYTE, to, 0, MPI_COMM_WORLD, &one->request);
    reap(ranks);
}

static bool receive_bytes(KnWorkers *workers, int *from, KnText *message)
{
    MPI_Status status;
    int any, size;
    if (((Ranks *)workers)->sending) reap((Ranks *)workers);
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &any, &status);
    if (!any) return false;
    MPI_Get_count(&status, MPI_BYTE, &size);
    char *bytes = malloc((size_t)size + 1);
    if (bytes) MPI_Recv(bytes, size, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (bytes) kn_text_add_bytes(message, bytes, (size_t)size);
    free(bytes);
    if (!bytes || !kn_text_ok(message)) {
        fprintf(stderr, "knack-mpi: rank %d: out of memory for a message\n", ((Ranks *)workers)->rank);
        MPI_Abort(MPI_COMM_WORLD, KN_SYSTEM);
    }
    *from = status.MPI_SOURCE;
    return true;
}

/* ---- threads of each rank ---- */

/* Ranks that may run on the same cores divide them evenly. Ranks that the launcher has bound to cores use
 * those. */
static int own_cores(void)
{
    MPI_Comm here;
    int ranks, same = 0;
    cpu_set_t mine;
    CPU_ZERO(&mine);
    sched_getaffinity(0, sizeof mine, &mine);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &ranks);
    cpu_set_t *all = calloc((size_t)ranks, sizeof *all);
    if (!all) return 1;
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, here);
    for (int i = 0; i < ranks; i++) same += CPU_EQUAL(&mine, &all[i]) != 0;
    free(all);
    MPI_Comm_free(&here);
    int cores = kn_cores() / (same ? same : 1);
    return cores ? cores : 1;
}

/* ---- start and end ---- */

/* Workers load the plug-ins of the command line, which is the same on all ranks. */
static void take_plugins(int argc, char **argv)
{
    const char *before = getenv("KNACK_PLUGINS");
    KnText list = KN_TEXT_EMPTY;
    kn_text_add(&list, before ? before : "");
    for (int i = 1; i < argc; i++) {
        const char *path = !strncmp(argv[i], "--plugin=", 9)              ? argv[i] + 9
                           : !strcmp(argv[i], "--plugin") && i + 1 < argc ? argv[i + 1]
                                                                          : NULL;
        if (path) kn_text_printf(&list, "%s%s", list.length ? ":" : "", path);
    }
    if (list.length) setenv("KNACK_PLUGINS", list.data, 1);
    kn_text_free(&list);
}

static KnStatus open_context(const char *data, KnContext **context, KnError *error)
{
    return cli_open(&(CliCommon){.data = data}, context) == 0
               ? KN_OK
               : kn_fail(error, KN_SYSTEM, "cannot open the data folder; see the message above");
}

/* At every end of the command, exit() included: releases the workers. */
static void leave(int code, void *user)
{
    Ranks *ranks = user;
    fflush(stdout);
    if (atomic_load(&ranks->workers.lost)) {
        fputs("knack-mpi: stopped by a signal, or because a rank died (mpirun then names it). What was "
              "stored is "
              "kept: repeat the command to continue.\n",
              stderr);
        MPI_Abort(MPI_COMM_WORLD, code);
        return;
    }
    if (code == 0 && ranks->workers.size > 1 && !ranks->workers.jobs_started && !ranks->asked_for_help)
        fprintf(stderr, "knack-mpi: this command had nothing to share out; %d of %d ranks were idle\n",
                ranks->workers.size - 1, ranks->workers.size);
    kn_workers_dismiss(&ranks->workers);
    while (ranks->sending) reap(ranks);
    MPI_Finalize();
}

static bool wants_help(int argc, char **argv)
{
    bool asked = argc < 2 || strcmp(argv[1], "help") == 0;
    for (int i = 1; i < argc; i++)
        asked |= !strcmp(argv[i], "--help") || !strcmp(argv[i], "-?") || !strcmp(argv[i], "-h") ||
                 !strcmp(argv[i], "--usage") || !strcmp(argv[i], "--version");
    return asked;
}

static int run(Ranks *ranks, int argc, char **argv)
{
    ranks->asked_for_help = wants_help(argc, argv);
    for (const char *const *name = parallel_commands; *name; name++) {
        if (!ranks->asked_for_help && strcmp(*name, argv[1]) != 0) continue;
        cli_set_workers(&ranks->workers);
        return cli_run(argc, argv);
    }
    fprintf(stderr,
            "knack-mpi: `%s` runs in one process: run it with knack. These run on several ranks:", argv[1]);
    for (const char *const *name = parallel_commands; *name; name++) fprintf(stderr, " %s", *name);
    fputs("\n", stderr);
    return KN_USAGE;
}

int main(int argc, char **argv)
{
    int granted, size, cores;
    static Ranks ranks;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &granted);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (granted < MPI_THREAD_SERIALIZED) {
        if (!ranks.rank)
            fputs("knack-mpi: this MPI does not support MPI_THREAD_SERIALIZED, which knack-mpi needs\n",
                  stderr);
        MPI_Finalize();
        return KN_SYSTEM;
    }
    char number[16];
    snprintf(number, sizeof number, "%d", own_cores());
    setenv("KNACK_JOBS", number, 0);
    cores = kn_jobs(0);
    int *all = calloc((size_t)size, sizeof *all);
    if (!all) MPI_Abort(MPI_COMM_WORLD, KN_SYSTEM);
    MPI_Allgather(&cores, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    ranks.workers = (KnWorkers){.size = size, .cores = all, .send = send_bytes, .receive = receive_bytes};
    if (ranks.rank) {
        take_plugins(argc, argv);
        if (!freopen("/dev/null", "w", stdout)) return KN_SYSTEM; /* the coordinator prints */
        kn_workers_serve(&ranks.workers, open_context, kn_find_job_type);
        while (ranks.sending) reap(&ranks);
        MPI_Finalize();
        free(all);
        return 0;
    }
    on_exit(leave, &ranks);
    return run(&ranks, argc, argv);
}
