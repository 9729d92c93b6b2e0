#include "base/context.h"

#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/assert.h"
#include "base/file.h"

typedef struct Row {
    const KnThing *thing;
    char *origin; /* NULL where built in */
} Row;

/* The registered rows of one kind, in the order of registration. Rows never move, and `count` grows when a
 * row is complete: a thread may register a player while others look for one. Block b has FIRST_BLOCK << b
 * rows. */
enum { FIRST_BLOCK = 16, BLOCKS = 24 };
typedef struct Registry {
    Row *blocks[BLOCKS];
    atomic_size_t count;
} Registry;

static size_t count_of(const Registry *registry)
{
    return atomic_load_explicit(&registry->count, memory_order_acquire);
}

static Row *row_at(const Registry *registry, size_t index)
{
    int block = 0;
    for (; index >= (size_t)FIRST_BLOCK << block; block++) index -= (size_t)FIRST_BLOCK << block;
    return &registry->blocks[block][index];
}

typedef struct Shared {
    char *name;
    void *thing;
    void (*unmake)(void *thing);
    size_t holders;
    bool kept; /* the context is a holder too */
    struct Shared *next;
} Shared;

/* The part that changes while a context is in use; separate, so that the rest stays const. */
typedef struct Shares {
    pthread_mutex_t lock;
    Shared *first;
} Shares;

struct KnContext {
    Registry registries[KN_KINDS];
    bool sealed;
    char *data;
    KnWorkers *workers;
    Shares *shares;
};

static const char *const kind_names[KN_KINDS] = {"game",    "player",     "evaluation", "policy",
                                                 "advisor", "experiment", "learner"};

const char *kn_kind_name(KnKind kind)
{
    KN_ASSERT((unsigned)kind < KN_KINDS);
    return kind_names[kind];
}

KnContext *kn_context_new(void)
{
    KnContext *context = calloc(1, sizeof *context);
    if (!context) return NULL;
    context->shares = calloc(1, sizeof *context->shares);
    if (!context->shares || pthread_mutex_init(&context->shares->lock, NULL) != 0) {
        free(context->shares);
        free(context);
        return NULL;
    }
    return context;
}

static void unmake_shared(Shared *shared)
{
    shared->unmake(shared->thing);
    free(shared->name);
    free(shared);
}

void kn_close(KnContext *context)
{
    if (!context) return;
    for (int kind = 0; kind < KN_KINDS; kind++) {
        Registry *registry = &context->registries[kind];
        for (size_t i = 0; i < count_of(registry); i++) free(row_at(registry, i)->origin);
        for (int block = 0; block < BLOCKS; block++) free(registry->blocks[block]);
    }
    free(context->data);
    for (Shared *next; (next = context->shares->first);) {
        KN_ASSERT(next->kept && next->holders == 1);
        context->shares->first = next->next;
        unmake_shared(next);
    }
    pthread_mutex_destroy(&context->shares->lock);
    free(context->shares);
    free(context);
}

static KnStatus make_shared(Shares *shares, const char *name, KnMakeShared make, void (*unmake)(void *thing),
                            void *user, Shared **out, KnError *error)
{
    Shared *shared = calloc(1, sizeof *shared);
    if (shared) shared->name = strdup(name);
    if (!shared || !shared->name) {
        free(shared);
        return kn_fail_memory(error, "sharing a file");
    }
    shared->unmake = unmake;
    KnStatus status = make(user, &shared->thing, error);
    if (status != KN_OK) {
        free(shared->name);
        free(shared);
        return status;
    }
    shared->next = shares->first;
    *out = shares->first = shared;
    return KN_OK;
}

static KnStatus share(const KnContext *context, const char *name, bool keep, KnMakeShared make,
                      void (*unmake)(void *thing), void *user, void **thing, KnError *error)
{
    Shares *shares = context->shares;
    KnStatus status = KN_OK;
    pthread_mutex_lock(&shares->lock);
    Shared *shared = shares->first;
    while (shared && strcmp(shared->name, name) != 0) shared = shared->next;
    if (!shared) status = make_shared(shares, name, make, unmake, user, &shared, error);
    if (status == KN_OK) {
        shared->holders += keep && !shared->kept ? 2 : 1;
        shared->kept = shared->kept || keep;
        *thing = shared->thing;
    }
    pthread_mutex_unlock(&shares->lock);
    return status;
}

KnStatus kn_share(const KnContext *context, const char *name, KnMakeShared make, void (*unmake)(void *thing),
                  void *user, void **thing, KnError *error)
{
    return share(context, name, false, make, unmake, user, thing, error);
}

KnStatus kn_share_kept(const KnContext *context, const char *name, KnMakeShared make,
                       void (*unmake)(void *thing), void *user, void **thing, KnError *error)
{
    return share(context, name, true, make, unmake, user, thing, error);
}

void kn_unshare(const KnContext *context, void *thing)
{
    Shares *shares = context->shares;
    pthread_mutex_lock(&shares->lock);
    Shared **at = &shares->first;
    while (*at && (*at)->thing != thing) at = &(*at)->next;
    Shared *shared = *at;
    KN_ASSERT(shared && shared->holders);
    if (shared && --shared->holders == 0) {
        *at = shared->next;
        unmake_shared(shared);
    }
    pthread_mutex_unlock(&shares->lock);
}

KnStatus kn_context_set_data(KnContext *context, const char *folder, KnError *error)
{
    char *copy = strdup(folder);
    if (!copy) return kn_fail_memory(error, "naming the data folder");
    free(context->data);
    context->data = copy;
    return KN_OK;
}

const char *kn_context_data(const KnContext *context) { return context->data ? context->data : ""; }

void kn_context_set_workers(KnContext *context, KnWorkers *workers) { context->workers = workers; }

KnWorkers *kn_context_workers(const KnContext *context) { return context->workers; }

void kn_context_file(const KnContext *context, const char *name, KnText *path)
{
    bool ours = strncmp(name, KN_DATA_FILE, strlen(KN_DATA_FILE)) == 0;
    kn_path_join(path, ours ? kn_context_data(context) : "", ours ? name + strlen(KN_DATA_FILE) : name);
}

/* Room for one more row. */
static bool grow(Registry *registry)
{
    size_t room = 0;
    for (int block = 0; block < BLOCKS; block++) {
        size_t rows = (size_t)FIRST_BLOCK << block;
        room += rows;
        if (registry->count >= room) continue;
        if (!registry->blocks[block]) registry->blocks[block] = calloc(rows, sizeof(Row));
        return registry->blocks[block];
    }
    return false;
}

KnStatus kn_register_from(KnContext *context, KnKind kind, const KnThing *thing, const char *origin,
                          KnError *error)
{
    if (kn_find(context, kind, thing->name))
        return kn_fail(error, KN_INPUT, "the %s \"%s\" is registered already", kind_names[kind], thing->name);
    Registry *registry = &context->registries[kind];
    char *kept = origin ? strdup(origin) : NULL;
    if ((origin && !kept) || !grow(registry)) {
        free(kept);
        return kn_fail_memory(error, "registering");
    }
    *row_at(registry, registry->count) = (Row){thing, kept};
    atomic_fetch_add_explicit(&registry->count, 1, memory_order_release);
    return KN_OK;
}

KnStatus kn_register(KnContext *context, KnKind kind, const KnThing *thing, KnError *error)
{
    return kn_register_from(context, kind, thing, context->sealed ? KN_ORIGIN_PROGRAM : NULL, error);
}

void kn_context_seal(KnContext *context) { context->sealed = true; }

const char *kn_origin(const KnContext *context, KnKind kind, const char *name)
{
    const Registry *registry = &context->registries[kind];
    for (size_t i = 0; i < count_of(registry); i++) {
        const Row *row = row_at(registry, i);
        if (row->origin && strcasecmp(row->thing->name, name) == 0) return row->origin;
    }
    return NULL;
}

size_t kn_registered(const KnContext *context, KnKind kind) { return count_of(&context->registries[kind]); }

const KnThing *kn_registered_at(const KnContext *context, KnKind kind, size_t index)
{
    KN_ASSERT((unsigned)kind < KN_KINDS && index < kn_registered(context, kind));
    return row_at(&context->registries[kind], index)->thing;
}

const KnThing *kn_find(const KnContext *context, KnKind kind, const char *name)
{
    const Registry *registry = &context->registries[kind];
    for (size_t i = 0; i < count_of(registry); i++) {
        const KnThing *thing = row_at(registry, i)->thing;
        if (strcasecmp(thing->name, name) == 0) return thing;
    }
    return NULL;
}

/* Levenshtein distance without regard to case, of the first 31 letters: enough to suggest a name. */
static int name_distance(const char *a, const char *b)
{
    int row[33];
    int na = (int)strnlen(a, 31), nb = (int)strnlen(b, 31);
    for (int j = 0; j <= nb; j++) row[j] = j;
    for (int i = 1; i <= na; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            int change = diagonal + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            diagonal = row[j];
            int edit = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            row[j] = change < edit ? change : edit;
        }
    }
    return row[nb];
}

/* Lists the names, nearest to `text` first, as far as a message has room. Returns the distance of the first.
 */
static int list_nearest(const Registry *registry, const char *text, const char **nearest, KnText *known)
{
    enum { ROOM = 240, FAR = 64 };
    size_t listed = 0, count = count_of(registry);
    int least = FAR;
    for (int distance = 0; distance < FAR && known->length < ROOM; distance++)
        for (size_t i = 0; i < count && known->length < ROOM; i++) {
            const char *name = row_at(registry, i)->thing->name;
            if (name_distance(text, name) != distance) continue;
            if (!listed) *nearest = name, least = distance;
            kn_text_printf(known, "%s%s", listed++ ? ", " : "", name);
        }
    if (listed < count) kn_text_printf(known, " and %zu more", count - listed);
    return least;
}

KnStatus kn_lookup(const KnContext *context, KnKind kind, const KnSpec *spec, const KnThing **thing,
                   KnError *error)
{
    *thing = kn_find(context, kind, spec->text);
    if (*thing) return KN_OK;
    KnText known = KN_TEXT_EMPTY;
    const char *nearest = NULL;
    bool guess = list_nearest(&context->registries[kind], spec->text, &nearest, &known) < 3;
    kn_fail(error, KN_INPUT, "column %d: unknown %s \"%.100s\"%s%s%s; known: %s", spec->column,
            kind_names[kind], spec->text, guess ? " (did you mean " : "", guess ? nearest : "",
            guess ? "?)" : "", known.data);
    kn_text_free(&known);
    return KN_INPUT;
}
