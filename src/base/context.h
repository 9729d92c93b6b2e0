/* The context: what a use of the library knows, held in one place instead of in globals.
 *
 * It holds the registry of named things by kind (games, players, evaluations, ...), to which plug-ins may
 * add, and where data lives. It is filled once (kn_open, knack.h) and read-only afterwards, so that threads
 * may share it.
 *
 * Ownership: registered rows are const and owned by whoever registers them; they must outlive the context. */
#ifndef KNACK_BASE_CONTEXT_H
#define KNACK_BASE_CONTEXT_H

#include "base/error.h"
#include "base/spec.h"

typedef struct KnContext KnContext;

typedef enum KnKind {
    KN_KIND_GAME,
    KN_KIND_PLAYER,
    KN_KIND_EVALUATION,
    KN_KIND_POLICY,
    KN_KIND_ADVISOR,
    KN_KIND_EXPERIMENT,
    KN_KIND_LEARNER,
    KN_KINDS
} KnKind;

/* The head of every registered type: KnGameType, KnPlayerType and the rest begin with it. */
typedef struct KnThing {
    const char *name;
    const char *summary;     /* one line, for the listings */
    const KnOption *options; /* NULL if it takes none */
} KnThing;

KnContext *kn_context_new(void); /* empty; NULL if memory runs out */
void kn_context_free(KnContext *context);

/* The folder for results, solved tables and learned files. */
KnStatus kn_context_set_data(KnContext *context, const char *folder, KnError *error);
const char *kn_context_data(const KnContext *context); /* "" until set */

/* Where a file that a spec names lies: data:NAME is NAME below the data folder, everything else is itself.
 * Who may not name files (a stranger, over HTTP) may still name what was learned here. */
#define KN_DATA_FILE "data:"
void kn_context_file(const KnContext *context, const char *name, KnText *path);

/* Fails if the name is taken. */
KnStatus kn_register(KnContext *context, KnKind kind, const KnThing *thing, KnError *error);

/* The same for what comes from a file and not from this library: `origin` stands for the file's content (a
 * digest) in the identity of runs that use it. kn_origin is NULL for what is built in or unknown. */
KnStatus kn_register_from(KnContext *context, KnKind kind, const KnThing *thing, const char *origin,
                          KnError *error);
const char *kn_origin(const KnContext *context, KnKind kind, const char *name);

size_t kn_registered(const KnContext *context, KnKind kind);
const KnThing *kn_registered_at(const KnContext *context, KnKind kind, size_t index);

/* The row of a name, without regard to case; the error lists what is known, the nearest first. */
KnStatus kn_lookup(const KnContext *context, KnKind kind, const KnSpec *spec, const KnThing **thing,
                   KnError *error);
const KnThing *kn_find(const KnContext *context, KnKind kind, const char *name); /* NULL if unknown */

const char *kn_kind_name(KnKind kind); /* "game", "player", ... */

/* Things that all who use a context share while any of them holds one, by name: a file that a process may
 * open once only. The first to ask has it made, the last to let go has it unmade; both happen under a lock,
 * from any thread. `user` goes to `make`. */
typedef KnStatus (*KnMakeShared)(void *user, void **thing, KnError *error);
KnStatus kn_share(const KnContext *context, const char *name, KnMakeShared make, void (*unmake)(void *thing),
                  void *user, void **thing, KnError *error);
void kn_unshare(const KnContext *context, void *thing);

#endif
