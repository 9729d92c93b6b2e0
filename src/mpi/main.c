/* knack-mpi: the command with helpers (docs/many-machines.md). Rank 0 is `knack` as ever; the others wait for
 * what it gives away. Here is only how bytes travel: Open MPI's blocking calls turn a processor while they
 * wait, so that nothing here blocks. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/team.h"
#include "cli/cli.h"
#include "cli/run.h"
#include "cli/train.h"
#include "duties.h"

/* What is under way, with the bytes that must stay until it has left. */
typedef struct Sending {
    MPI_Request request;
    char *bytes;
    struct Sending *next;
} Sending;

typedef struct Ranks {
    KnTeam team; /* first, so that one is the other */
    int rank;
    Sending *sending;
    bool asked_for_help; /* --help and its like */
} Ranks;

static const char *const shared_out[] = {"match", "tournament", "train", "lab", "tables", NULL};

/* ---- bytes ---- */

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

static void send_bytes(KnTeam *team, int to, const void *bytes, size_t size)
{
    Ranks *ranks = (Ranks *)team;
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

static bool receive_bytes(KnTeam *team, int *from, KnText *message)
{
    MPI_Status status;
    int any, size;
    if (((Ranks *)team)->sending) reap((Ranks *)team);
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &any, &status);
    if (!any) return false;
    MPI_Get_count(&status, MPI_BYTE, &size);
    char *bytes = malloc((size_t)size + 1);
    if (bytes) MPI_Recv(bytes, size, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (bytes) kn_text_add_bytes(message, bytes, (size_t)size);
    free(bytes);
    if (!bytes || !kn_text_ok(message)) {
        fprintf(stderr, "knack-mpi: rank %d: out of memory for a message\n", ((Ranks *)team)->rank);
        MPI_Abort(MPI_COMM_WORLD, KN_SYSTEM);
    }
    *from = status.MPI_SOURCE;
    return true;
}

/* ---- who runs how many threads ---- */

/* Ranks that may run on the same cores divide them, as far as they go; those that the launcher has bound have
 * their own. */
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

/* ---- coming and going ---- */

/* The same plug-ins as at home: all ranks are started with the same words. */
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

static KnStatus settle(const char *data, KnContext **context, KnError *error)
{
    return cli_open(&(CliCommon){.data = data}, context) == 0
               ? KN_OK
               : kn_fail(error, KN_SYSTEM, "cannot settle in, for the reason told above");
}

static const KnDuty *find_duty(const char *name)
{
    return strcmp(name, train_course_duty.name) == 0 ? &train_course_duty : kn_find_duty(name);
}

/* However the command ends, also by exit() from within: helpers must not wait for ever. */
static void leave(int code, void *user)
{
    Ranks *ranks = user;
    fflush(stdout);
    if (atomic_load(&ranks->team.lost)) {
        fputs("knack-mpi: stopped by a signal, from whoever started this or because a rank died (then mpirun "
              "names it). What was stored "
              "is kept: the same command goes on from there.\n",
              stderr);
        MPI_Abort(MPI_COMM_WORLD, code);
        return;
    }
    if (code == 0 && ranks->team.size > 1 && !ranks->team.errands && !ranks->asked_for_help)
        fprintf(stderr, "knack-mpi: there was nothing to share out in this; %d of %d ranks were idle\n",
                ranks->team.size - 1, ranks->team.size);
    kn_team_dismiss(&ranks->team);
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
    for (const char *const *name = shared_out; *name; name++) {
        if (!ranks->asked_for_help && strcmp(*name, argv[1]) != 0) continue;
        cli_set_team(&ranks->team);
        return cli_run(argc, argv);
    }
    fprintf(stderr, "knack-mpi: `%s` is not shared out over ranks: run it with knack. These are:", argv[1]);
    for (const char *const *name = shared_out; *name; name++) fprintf(stderr, " %s", *name);
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
            fputs("knack-mpi: this MPI cannot be called from several threads, even in turn "
                  "(MPI_THREAD_SERIALIZED)\n",
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
    ranks.team = (KnTeam){.size = size, .cores = all, .send = send_bytes, .receive = receive_bytes};
    if (ranks.rank) {
        take_plugins(argc, argv);
        if (!freopen("/dev/null", "w", stdout)) return KN_SYSTEM; /* home prints */
        kn_team_help(&ranks.team, settle, find_duty);
        while (ranks.sending) reap(&ranks);
        MPI_Finalize();
        free(all);
        return 0;
    }
    on_exit(leave, &ranks);
    return run(&ranks, argc, argv);
}
