/* Jobs that are disturbed on purpose: commands of knack that save as they go, and go on when the same command
 * is given again. What disturbs them is in tests/crash; here is what a job is, how it is started, and what
 * can be said of the folder that it leaves.
 *
 * The folder is described as lines of text, sorted as the files are:
 *   saved   what the job has committed and may never take back: a stored game, a point of a curve, a finished
 * table, a game in a base whole   everything that must be the same in the end, file by file, however often
 * the job was disturbed Whatever breaks a promise fails the test. */
#ifndef KNACK_TESTS_TORMENT_H
#define KNACK_TESTS_TORMENT_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/text.h"

enum { TORMENT_WORDS = 24 };

typedef struct FaultJob {
    const char *name;
    const char *what; /* for the table in the manual */
    const char
        *words[TORMENT_WORDS]; /* a word that begins with @ is a place in the folder that the job works in */
    int kills;                 /* of `make crash-tests` */
    const char *first[TORMENT_WORDS]; /* if there is any: run once, in the folder "before" (@), to make what
                                         the job reads */
} FaultJob;

extern const FaultJob fault_jobs[];
extern const int fault_job_count;

/* What a process is up against. */
typedef struct FaultHarm {
    const char *library; /* to be preloaded; NULL: none */
    long nth;            /* which call of it fails */
    int code;            /* with which errno */
    bool lasting;        /* and all that follow */
    int network;         /* the file system is one over a network (failing.c) */
    long most_bytes;     /* no file may grow beyond; 0: no limit */
} FaultHarm;

/* A number that is meant for `make crash-tests` (which sets KNACK_CRASH_TESTS), or a hundredth of
 * it, but at least one, in the tests. */
long fault_count(long full);

/* The program under test: $KNACK_UNDER_TEST, or the one that was built with the tests. */
const char *fault_binary(void);

/* Before the first job: what this process starts cannot outlive it. */
void fault_begin(void);

/* Makes what a job reads, runs it undisturbed in the folder `whole`, and describes that. Returns the seconds
 * it took. */
double fault_undisturbed(const FaultJob *job, const char *folder, KnText *whole);

/* Starts a job, with what it says in FOLDER.out and FOLDER.err. `harm` may be NULL. */
pid_t fault_start(const FaultJob *job, const char *folder, const FaultHarm *harm);

/* The wait status; fails if there is none within a minute. */
int fault_wait(const FaultJob *job, pid_t pid);

/* Runs a job to its end, which must be good. */
void fault_finish(const FaultJob *job, const char *folder);

/* What it said on stderr. */
void fault_said(const char *folder, KnText *text);

/* Describes a folder; either text may be NULL. */
void fault_describe(const char *folder, KnText *saved, KnText *whole);

/* Every line of `before` must be in `after`, in the same order. */
void fault_check_kept(const char *job, const KnText *before, const KnText *after);
void fault_check_same(const char *job, const KnText *wanted, const KnText *got);

void fault_remove(const char *folder);

/* A row of the table in docs/reliability.md: printed, and added to the file $KNACK_CRASH_TABLE if that is
 * set. */
void fault_row(const char *fault, const char *how, const char *count, const char *lost);

#endif
