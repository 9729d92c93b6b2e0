/* What the whole interface stands on: errors, contexts, options, memory, text, random numbers, hashing,
 * budgets.
 *
 *     KnError error;
 *     KnContext *context;
 *     if (kn_open(NULL, &context, &error) != KN_OK) fprintf(stderr, "%s\n", error.text);
 *     ...
 *     kn_close(context);
 *
 * Errors are values. A function that can fail returns a KnStatus. If the status is not KN_OK, the function
 * fills a KnError with a message for a person: what is wrong, where, and what to do about it. The library
 * never prints and never exits. It has no global state.
 *
 * Ownership, for all headers of this interface:
 * - What a function named open or new returns, you end with the matching close or free.
 * - A returned `char *` belongs to you; release it with kn_free. A returned `const char *` belongs to the
 *   object that it came from.
 * - Structs that you pass in (plans, requests, tables of functions) are read, not kept, unless the function
 *   says otherwise. Registered types are kept and must outlive the context.
 * - A context, a game and an evaluation may be shared by threads. Everything else serves one thread at a
 *   time. */
#ifndef KNACK_PUBLIC_BASE_H
#define KNACK_PUBLIC_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#include <atomic>
#define KN_BEGIN extern "C" {
#define KN_END   }
/* A flag that stops long work. Set it from any thread, or from a signal handler. */
typedef std::atomic<bool> KnCancel;
#else
#include <stdatomic.h>
#define KN_BEGIN
#define KN_END
typedef atomic_bool KnCancel;
#endif

/* Marks what the shared library and the command export. Everything else is hidden. */
#define KN_API __attribute__((visibility("default")))

#define KN_PRINTF(text, first) __attribute__((format(printf, text, first)))

KN_BEGIN

/* ---- Errors ---- */

/* The numbers up to 4 are the exit codes of the command `knack`. */
typedef enum KnStatus {
    KN_OK = 0,      /* done */
    KN_NO = 1,      /* done, and the answer is no: nothing found, a difference, a failed check */
    KN_USAGE = 2,   /* the call makes no sense */
    KN_INPUT = 3,   /* a file, position, move or spec is malformed or does not fit */
    KN_SYSTEM = 4,  /* memory, disk, network or another process failed */
    KN_STOPPED = 5, /* cancelled on request; what was done so far stands */
    KN_FORFEIT = 6, /* a player or another program broke the rules (illegal move, too slow, gone): it loses
                       its game and the run goes on; exit code 4 where there is no game to lose */
    KN_RESIGNS = 7  /* a player gives up instead of moving: it loses its game, as the rules allow */
} KnStatus;

enum { KN_ERROR_TEXT = 1024 };

/* A plain value of the caller. Functions accept NULL in its place and then drop the message. */
typedef struct KnError {
    KnStatus status;
    char text[KN_ERROR_TEXT];
} KnError;

/* Fills the error and returns the status, so that a failing function ends in `return kn_fail(...)`. */
KN_API KnStatus kn_fail(KnError *error, KnStatus status, const char *format, ...) KN_PRINTF(3, 4);

/* Puts "prefix: " before the message of an error on its way up, and returns its status. */
KN_API KnStatus kn_fail_within(KnError *error, const char *format, ...) KN_PRINTF(2, 3);

/* KN_SYSTEM with the text of errno after the message. */
KN_API KnStatus kn_fail_errno(KnError *error, const char *format, ...) KN_PRINTF(2, 3);

/* KN_SYSTEM, "out of memory while <doing>". */
KN_API KnStatus kn_fail_memory(KnError *error, const char *doing);

/* ---- Context and registry ---- */

/* What the library knows and where its data lives: games, players, evaluations, learners and the data folder.
 * A context is filled first and read-only afterwards. */
typedef struct KnContext KnContext;

/* Makes a context with everything that is built in. `data` is the folder for results, solved tables and
 * learned files. NULL stands for $KNACK_DATA, else $XDG_DATA_HOME/knack, else ~/.local/share/knack. */
KN_API KnStatus kn_open(const char *data, KnContext **context, KnError *error);
KN_API void kn_close(KnContext *context);

KN_API const char *kn_version(void);                          /* "0.1.0" */
KN_API const char *kn_context_data(const KnContext *context); /* the data folder */

typedef enum KnKind {
    KN_KIND_GAME,       /* KnGameType */
    KN_KIND_PLAYER,     /* KnPlayerType */
    KN_KIND_EVALUATION, /* KnEvaluationType */
    KN_KIND_POLICY,
    KN_KIND_ADVISOR, /* what leads a search */
    KN_KIND_EXPERIMENT,
    KN_KIND_LEARNER, /* KnLearnerType */
    KN_KINDS
} KnKind;

typedef enum KnOptionType {
    KN_OPTION_INTEGER, /* low..high */
    KN_OPTION_REAL,    /* low..high */
    KN_OPTION_FLAG,    /* off unless named: +name, -name, name, name=yes|no */
    KN_OPTION_CHOICE,  /* one of the words in `choices`, separated by | */
    KN_OPTION_STRING,  /* a word or a quoted string; a file's name if `choices` is KN_OPTION_FILE */
    KN_OPTION_SPEC     /* a nested spec; `choices` names its kind, for the help */
} KnOptionType;

#define KN_OPTION_FILE "file"

/* One row of an option table. A table ends with a row without a name. Values without a key fill the rows in
 * order; flags are left out of that. */
typedef struct KnOption {
    const char *name;
    KnOptionType type;
    /* The default as a user writes it; NULL: required; "" for STRING and SPEC: absent. */
    const char *fallback;
    double low, high;
    const char *choices;
    const char *help;
} KnOption;

/* The head of every registered type: KnGameType, KnPlayerType and KnEvaluationType begin with it. */
typedef struct KnThing {
    const char *name;
    const char *summary;     /* one line, for listings */
    const KnOption *options; /* NULL if it takes none */
} KnThing;

/* Adds a type. Fails if the name is taken. */
KN_API KnStatus kn_register(KnContext *context, KnKind kind, const KnThing *thing, KnError *error);

/* What is registered: the number, one by index, one by name without regard to case (NULL if unknown). */
KN_API size_t kn_registered(const KnContext *context, KnKind kind);
KN_API const KnThing *kn_registered_at(const KnContext *context, KnKind kind, size_t index);
KN_API const KnThing *kn_find(const KnContext *context, KnKind kind, const char *name);
KN_API const char *kn_kind_name(KnKind kind); /* "game", "player", ... */

/* ---- Specs and options ---- */

/* A spec is the text form of everything that has a name and options:
 *
 *     alphabeta(depth=6, eval=td(weights=chk.json))     a name, options by key, a spec as a value
 *     reasonable(0.7)   tictactoe(lose)                 options by position, flags by name
 *     hoyle(+rote, -patsy)                              flags switched on and off
 *     gtp("gnugo --mode gtp")   gdl:games/ttt.kif       text; NAME:PATH is short for NAME("PATH")
 *
 * The `open` function of a type gets the options of its spec, checked against the type's table. */
typedef struct KnSpec KnSpec;
typedef struct KnOptions KnOptions;

/* Read an option by its name in the table. */
KN_API long kn_option_integer(const KnOptions *options, const char *name);
KN_API double kn_option_real(const KnOptions *options, const char *name);
KN_API bool kn_option_flag(const KnOptions *options, const char *name);
KN_API int kn_option_choice(const KnOptions *options, const char *name);         /* index into `choices` */
KN_API const char *kn_option_string(const KnOptions *options, const char *name); /* NULL if absent */
KN_API const KnSpec *kn_option_spec(const KnOptions *options, const char *name); /* NULL if absent */

/* The canonical form of a spec: the text without needless white space. NULL with the error if it is
 * malformed. */
KN_API char *kn_spec_canonical(const char *spec, KnError *error);

/* ---- Text and memory ---- */

/* Releases a `char *` that the library returned. */
KN_API void kn_free(char *text);

/* A growing string. Hooks of games get one to write to. It remembers when memory runs out, so that the writer
 * needs no check. */
typedef struct KnText KnText;
KN_API void kn_text_add(KnText *text, const char *string);
KN_API void kn_text_add_char(KnText *text, char c);
KN_API void kn_text_add_bytes(KnText *text, const void *bytes, size_t length);
KN_API void kn_text_add_quoted(KnText *text,
                               const char *string);       /* as inside double quotes: " and \ escaped */
KN_API void kn_text_add_real(KnText *text, double value); /* the shortest form that reads back equal */
KN_API void kn_text_printf(KnText *text, const char *format, ...) KN_PRINTF(2, 3);

/* Memory that is released as a whole. Pieces are zeroed, aligned to 16 bytes, and live until reset or free.
 * Allocation returns NULL when memory runs out. */
typedef struct KnArena KnArena;
KN_API KnArena *kn_arena_new(void);
KN_API void kn_arena_free(KnArena *arena);
KN_API void kn_arena_reset(KnArena *arena); /* keeps the blocks for the next round */
KN_API void *kn_arena_alloc(KnArena *arena, size_t size);
KN_API void *kn_arena_copy(KnArena *arena, const void *bytes, size_t size);
KN_API char *kn_arena_string(KnArena *arena, const char *string);
KN_API char *kn_arena_printf(KnArena *arena, const char *format, ...) KN_PRINTF(2, 3);

/* ---- Budgets ---- */

/* What a search may spend. Zero means no limit of that kind. Depth and node budgets are exact and
 * reproducible; a time budget is not, and results that depend on one are marked nondeterministic. */
typedef struct KnBudget {
    int depth;      /* turns */
    uint64_t nodes; /* positions played */
    double seconds;
    bool cap; /* of a request: nodes and seconds only guard against too much. Otherwise a player whose spec
                 has no depth (or number of playouts) searches as deep (or plays as many) as they last. */
    bool processor; /* seconds are processor time of the searching thread, so that other work of the machine
                       takes nothing away */
} KnBudget;

/* ---- Progress of long work ---- */

typedef struct KnProgressState {
    const char *label;
    uint64_t done;
    uint64_t total;   /* 0: unknown */
    double elapsed;   /* seconds */
    double rate;      /* done per second, without what was done before the start */
    double remaining; /* seconds, estimated; negative: unknown */
} KnProgressState;

/* Called by a working thread, one call at a time. */
typedef void (*KnProgressReport)(void *user, const KnProgressState *state);

/* Hand the object to a match, a tournament or a training. NULL is allowed there and means silence. */
typedef struct KnProgress KnProgress;
KN_API KnProgress *kn_progress_callback(KnProgressReport report, void *user);
KN_API void kn_progress_free(KnProgress *progress);

/* ---- Random numbers: xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64 ---- */

/* A generator is a value that its owner passes on. Derive streams that must not depend on scheduling: game i
 * of a run draws from kn_rng_stream(seed, i). */
typedef struct KnRng {
    uint64_t s[4];
} KnRng;

/* One step of splitmix64 as a mixing function: equal in, equal out. */
static inline uint64_t kn_mix64(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline KnRng kn_rng_seeded(uint64_t seed)
{
    KnRng rng;
    for (int i = 0; i < 4; i++) rng.s[i] = kn_mix64(seed + (uint64_t)i * 0x9e3779b97f4a7c15u);
    return rng;
}

/* The generator of unit `index` of the run that `seed` stands for. Different indices give independent
 * streams. */
static inline KnRng kn_rng_stream(uint64_t seed, uint64_t index)
{
    return kn_rng_seeded(kn_mix64(seed) ^ kn_mix64(~index));
}

static inline uint64_t kn_rotl64(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static inline uint64_t kn_rng_next(KnRng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = kn_rotl64(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = kn_rotl64(s[3], 45);
    return result;
}

/* Uniform in 0..bound-1, bound > 0, without bias: multiplication with rejection (Lemire 2019). */
static inline uint32_t kn_rng_below(KnRng *rng, uint32_t bound)
{
    uint64_t product = (kn_rng_next(rng) >> 32) * bound;
    uint32_t low = (uint32_t)product;
    if (low < bound) {
        uint32_t threshold = (uint32_t)(-bound) % bound;
        while (low < threshold) {
            product = (kn_rng_next(rng) >> 32) * bound;
            low = (uint32_t)product;
        }
    }
    return (uint32_t)(product >> 32);
}

/* Uniform in [0,1), 53 bits. */
static inline double kn_rng_real(KnRng *rng) { return (double)(kn_rng_next(rng) >> 11) / 9007199254740992.0; }

/* ---- Hashing ---- */

/* XXH3: the same value on every machine, so that it may be stored. Use it to hash positions. */
KN_API uint64_t kn_hash64(const void *bytes, size_t size, uint64_t seed);

enum { KN_HEX128 = 33 }; /* 32 hexadecimal digits and the terminating zero */

/* A 128-bit digest of bytes that come piece by piece; a plain value, nothing to release. Pieces are
 * concatenated; strings and numbers mark their own ends, so that ("ab","c") and ("a","bc") differ. */
typedef struct KnDigest {
    uint64_t state[80];
    uint64_t offset; /* of what is inside, which is aligned more strictly than memory that a caller has */
} KnDigest;

KN_API void kn_digest_start(KnDigest *digest);
KN_API void kn_digest_add(KnDigest *digest, const void *bytes, size_t size);
KN_API void kn_digest_string(KnDigest *digest, const char *string);
KN_API void kn_digest_u64(KnDigest *digest, uint64_t value); /* eight bytes, lowest first, on every machine */
KN_API void kn_digest_hex(const KnDigest *digest, char hex[KN_HEX128]); /* of what was added so far */

KN_END

#endif
