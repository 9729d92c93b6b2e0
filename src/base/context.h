/* The context: the registry of named types, shared files and the data folder, held in one place instead of in
 * globals. <knack/base.h> has what users of the library need; this adds what the rooms need.
 *
 * Ownership: registered types are const and owned by the code that registers them; they must outlive the
 * context. */
#ifndef KNACK_BASE_CONTEXT_H
#define KNACK_BASE_CONTEXT_H

#include "base/error.h"
#include "base/spec.h"

KnContext *kn_context_new(void); /* empty; NULL if memory runs out; kn_close releases it */

KnStatus kn_context_set_data(KnContext *context, const char *folder, KnError *error);

/* The path of a file that a spec names: data:NAME is NAME below the data folder, everything else is itself. A
 * stranger, over HTTP, may name files of the data folder only. */
#define KN_DATA_FILE "data:"
void kn_context_file(const KnContext *context, const char *name, KnText *path);

/* Workers in other processes (jobs/workers.h) that take jobs of this context; NULL at first: none. Borrowed.
 */
typedef struct KnWorkers KnWorkers;
void kn_context_set_workers(KnContext *context, KnWorkers *workers);
KnWorkers *kn_context_workers(const KnContext *context);

/* kn_register for a type that comes from a file: `origin` is a digest of that file, part of the identity of
 * runs that use the type. kn_origin is NULL for what is built in or unknown, and KN_ORIGIN_PROGRAM for what
 * kn_register added after kn_context_seal: the calling program's own code, which nobody can identify. */
#define KN_ORIGIN_PROGRAM "the calling program"
void kn_context_seal(KnContext *context); /* all that is built in is registered */
KnStatus kn_register_from(KnContext *context, KnKind kind, const KnThing *thing, const char *origin,
                          KnError *error);
const char *kn_origin(const KnContext *context, KnKind kind, const char *name);

/* The type that a spec names; the error lists what is known, the nearest name first. */
KnStatus kn_lookup(const KnContext *context, KnKind kind, const KnSpec *spec, const KnThing **thing,
                   KnError *error);

/* Objects that all users of a context share by name, such as a file that a process may open only once. The
 * first user has it made, the last one has it unmade; both happen under a lock, from any thread. `user` goes
 * to `make`. */
typedef KnStatus (*KnMakeShared)(void *user, void **thing, KnError *error);
KnStatus kn_share(const KnContext *context, const char *name, KnMakeShared make, void (*unmake)(void *thing),
                  void *user, void **thing, KnError *error);
/* The same for an object that takes long to make and is often wanted again: it stays until the context is
 * closed. */
KnStatus kn_share_kept(const KnContext *context, const char *name, KnMakeShared make,
                       void (*unmake)(void *thing), void *user, void **thing, KnError *error);
void kn_unshare(const KnContext *context, void *thing);

#endif
