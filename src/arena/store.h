/* The results store: runs and their games in one SQLite file, DATA/results.db.
 *
 * A run is known by its identity, a hash of everything that decides its games (canonical specs, seed,
 * contents of files, version); different things are never mixed in one run. A game is keyed by (run, index),
 * so that adding it twice changes nothing, and counts once its transaction is committed: after kill -9 the
 * same command finds what was committed and goes on.
 *
 * Write-ahead log, synchronous=NORMAL: a crash of the program loses nothing committed; a power failure may
 * lose the last commits, never the file's integrity. Two processes may use one store; writers wait for each
 * other.
 *
 * What is read is what was written: every game, every run and the list of runs has a checksum
 * (store_internal.h says how), and a reader gets KN_INPUT with run, game and remedy where one does not fit.
 * Games that a version without checksums wrote are stamped when the file is brought up to date; they count as
 * `unchecked`.
 *
 * Ownership: kn_store_open / kn_store_close. One thread at a time. Rows handed to callbacks hold until they
 * return. */
#ifndef KNACK_ARENA_STORE_H
#define KNACK_ARENA_STORE_H

#include "arena/standing.h"
#include "base/text.h"

/* A run as it is listed. */
typedef struct KnRun {
    int64_t id;
    const char *name;
    const char *kind;     /* "match", "tournament", "lab", ... */
    const char *identity; /* 32 hex digits */
    const char *settings; /* JSON: what was asked for */
    const char *summary;  /* JSON: what came out; "" while unfinished */
    const char *created;  /* UTC, 2026-01-31T12:00:00Z */
    uint64_t games;       /* stored */
    uint64_t unchecked;   /* of them: written by a version that had no checksums */
    const char *damage;   /* "", or why the row cannot be believed; then no other field can */
} KnRun;

/* For readers: changes nothing where that can be avoided, and works on a read-only folder. A
 * folder without a store has no runs. */
KnStatus kn_store_open_reading(const KnContext *context, KnStore **store, KnError *error);

/* The run with this identity, made if it is new. `name` NULL takes kind-identity's first 8 digits. A name
 * that another identity holds is refused. */
KnStatus kn_store_run(KnStore *store, const char *kind, const char *name, const char *identity,
                      const char *settings, int64_t *run, KnError *error);

/* Whether there is a run with this identity. */
KnStatus kn_store_holds(KnStore *store, const char *identity, bool *holds, KnError *error);

/* Between begin and commit games are added; an error rolls back to the last commit. */
KnStatus kn_store_begin(KnStore *store, KnError *error);
KnStatus kn_store_add(KnStore *store, int64_t run, const KnStandingRecord *record, KnError *error);
KnStatus kn_store_commit(KnStore *store, KnError *error);

KnStatus kn_store_finish(KnStore *store, int64_t run, const char *summary, KnError *error);

/* Games of a run in index order; a visit that returns other than KN_OK ends it (KN_STOPPED cleanly). */
typedef KnStatus (*KnVisitRecord)(void *user, const KnStandingRecord *record, KnError *error);
KnStatus kn_store_games(KnStore *store, int64_t run, KnVisitRecord visit, void *user, KnError *error);

/* The same from index `from` on, `count` at most. */
KnStatus kn_store_games_from(KnStore *store, int64_t run, uint64_t from, uint64_t count, KnVisitRecord visit,
                             void *user, KnError *error);

typedef KnStatus (*KnVisitRun)(void *user, const KnRun *run, KnError *error);

/* Newest first. Damaged ones are visited too: look at `damage`. */
KnStatus kn_store_runs(KnStore *store, KnVisitRun visit, void *user, KnError *error);

/* By name or by number; the error says how to list them. A damaged run is an error. */
KnStatus kn_store_find(KnStore *store, const char *name, KnVisitRun visit, void *user, KnError *error);

/* The same, with damaged runs: for deleting and examining. */
KnStatus kn_store_find_damaged(KnStore *store, const char *name, KnVisitRun visit, void *user,
                               KnError *error);

/* "checked", or "not checked: 12 of 20 games were written by an older version". */
void kn_run_integrity(const KnRun *run, KnText *out);

/* Everything of a run but its games; a new reference, NULL if memory runs out. Of a damaged one only the name
 * and what is wrong. */
json_t *kn_run_json(const KnRun *run);

/* Takes the list of runs as it is, after damage has taken some of them. Refused while a run is damaged. */
KnStatus kn_store_accept(KnStore *store, KnError *error);

KnStatus kn_store_delete(KnStore *store, int64_t run, KnError *error);

#endif
