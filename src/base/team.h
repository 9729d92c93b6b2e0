/* A team: processes, perhaps on many machines, that do one command's work together.
 *
 * One of them is at *home* (rank 0): it runs the command as ever, prints, and writes what is kept. The others
 * *help*: they know nothing of the command, and wait for *errands*. An errand is a row of indices that a task
 * works on (base/parallel.h), together with a *brief*, the bytes from which a helper sets up the same task at
 * its place. Indices are handed out to whoever is idle, threads at home and helpers alike; what a task leaves
 * behind for its index travels back as bytes, and home goes on as though one of its own threads had done it.
 * So nobody has to be told apart: results, order and bytes are those of one process.
 *
 * What can be done elsewhere is a KnDuty, with a row in src/duties.c, where helpers find it. At home:
 *
 *     uint64_t window = kn_team_window(team, jobs);               slots for results; team NULL: as for
 * threads alone KnErrand *errand;                                           NULL without a team, or inside
 * another errand: all stays here kn_errand_open(context, &duty, jobs, window, &brief, &errand, &error)
 *     kn_errand_run(errand, &duty, NULL, jobs, count, window, commit, user, cancel, &error)     as
 * kn_parallel_ordered kn_errand_close(errand);
 *
 * How bytes travel is the affair of whoever makes the team (src/mpi). Threads of one process may be one too
 * (tests).
 *
 * A cancelled run gives its helpers up: the team is then `lost`, and the program is expected to end.
 *
 * Ownership: errands belong to the caller; one at a time. The team outlives the contexts that know it. */
#ifndef KNACK_BASE_TEAM_H
#define KNACK_BASE_TEAM_H

#include "base/context.h"
#include "base/pack.h"
#include "base/parallel.h"

typedef struct KnTeam KnTeam;

struct KnTeam {
    int size;         /* members, home included */
    const int *cores; /* by member: threads that it runs where nobody says how many */
    /* To member `to`, in order; takes no notice of whether it is received. Home and helpers each call these
     * from one thread at a time. */
    void (*send)(KnTeam *team, int to, const void *bytes, size_t size);
    /* The next message, if there is one: false if not. Appended to `message`. */
    bool (*receive)(KnTeam *team, int *from, KnText *message);
    atomic_bool busy; /* an errand is under way */
    atomic_bool lost; /* some member is no longer waited for */
    uint64_t errands; /* so far, at home */
    uint64_t far;     /* indices that helpers did */
};

/* Who helps a use of the library; NULL, as it is at first: nobody. Borrowed. */
void kn_context_set_team(KnContext *context, KnTeam *team);
KnTeam *kn_context_team(const KnContext *context);

/* Where a helper stands. */
typedef struct KnPost {
    const KnContext *context; /* without a team: what a task does inside stays where it is */
    int jobs;                 /* threads that will run the task */
    uint64_t window;          /* slots: an index may use slot index % window */
    const atomic_bool *cancel;
    KnUnpack brief;
} KnPost;

typedef struct KnDuty {
    const char *name, *summary;
    /* At a helper: what `task` gets as `user`. `close` takes what `open` made, also when that failed half way
     * (unless it is NULL). */
    KnStatus (*open)(KnPost *post, void **user, KnError *error);
    void (*close)(void *user);
    /* News before a run of several on one errand; NULL: there never are any. */
    KnStatus (*hear)(void *user, KnUnpack *news, KnError *error);
    KnTask task; /* at both */
    /* At a helper, after the task, in its thread: what it left for its index. */
    void (*pack)(void *user, int worker, uint64_t index, KnText *out);
    /* At home: as though the task had run here. `worker` is one beyond the jobs of the run; others run at the
     * same time. */
    KnStatus (*unpack)(void *user, int worker, uint64_t index, KnUnpack *in, KnError *error);
} KnDuty;

typedef struct KnErrand KnErrand;

uint64_t kn_team_window(const KnTeam *team, int jobs);

KnStatus kn_errand_open(const KnContext *context, const KnDuty *duty, int jobs, uint64_t window,
                        const KnText *brief, KnErrand **errand, KnError *error);
void kn_errand_close(KnErrand *errand); /* NULL is fine */

/* As kn_parallel_ordered (commit NULL: as kn_parallel) with the duty's task, here and at the helpers. `news`
 * may be NULL. */
KnStatus kn_errand_run(KnErrand *errand, const KnDuty *duty, const KnText *news, int jobs, uint64_t count,
                       uint64_t window, KnCommit commit, void *user, const atomic_bool *cancel,
                       KnError *error);

/* ---- a helper's life ---- */

/* Makes the context for a data folder; and the duty of a name, NULL if there is none. */
typedef KnStatus (*KnSettleIn)(const char *data, KnContext **context, KnError *error);
typedef const KnDuty *(*KnFindDuty)(const char *name);

/* Does what home asks for, until it says that all is done. */
void kn_team_help(KnTeam *team, KnSettleIn settle, KnFindDuty find);

/* Home: lets the helpers go. */
void kn_team_dismiss(KnTeam *team);

/* ---- what kn_errand_run is made of ---- */

typedef struct KnCarried {
    uint64_t index; /* KN_NO_INDEX: the helper itself failed */
    KnStatus status;
    KnError error;
    KnUnpack bytes; /* until the next is asked for */
} KnCarried;

#define KN_NO_INDEX UINT64_MAX

void kn_errand_tell(KnErrand *errand, const KnText *news);
/* Whether some helper should have one more index, `left` being how many have not been started. */
bool kn_errand_room(KnErrand *errand, uint64_t left);
void kn_errand_give(KnErrand *errand, uint64_t index); /* after kn_errand_room has said yes */
void kn_errand_flush(KnErrand *errand);                /* sends what was given */
bool kn_errand_collect(KnErrand *errand, KnCarried *carried);
uint64_t kn_errand_out(const KnErrand *errand); /* given and not yet collected */
void kn_errand_drop(KnErrand *errand);    /* nobody wants what is out: helpers end it as soon as they can */
void kn_errand_abandon(KnErrand *errand); /* not even their answer */
const KnDuty *kn_errand_duty(const KnErrand *errand);
void kn_errand_rest(KnErrand *errand, bool idle); /* a nap, the longer the less there was to do */

#endif
