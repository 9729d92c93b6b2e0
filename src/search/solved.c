#include "search/solved.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/file.h"
#include "base/hash.h"
#include <knack/base.h>

struct KnSolved {
    KnRetrograde retrograde;
    KnSolvedFacts facts;
    KnHash128 identity;
    uint64_t start;           /* its code */
    char *spec;               /* with all options, for readers of the file */
    KnError unsaved;          /* why saving failed */
    const KnContext *sharing; /* whose users share it; NULL: it has one owner */
};

/* ---- Identity ---- */

/* The spec with every option written out, so that morris, morris(5) and morris(men=5) are the same. */
static KnStatus full_spec(const KnGame *game, KnText *out, KnError *error)
{
    KnArena *arena = kn_arena_new();
    const KnSpec *spec;
    KnOptions options;
    KnStatus status = arena ? kn_spec_parse(game->spec, arena, &spec, error)
                            : kn_fail_memory(error, "naming a game");
    const KnOption *table = game->type->head.options;
    if (status == KN_OK) status = kn_options_bind(table, spec, arena, &options, error);
    if (status == KN_OK) {
        kn_text_clear(out);
        kn_text_add(out, game->type->head.name);
        for (int i = 0; table && table[i].name; i++) {
            kn_text_printf(out, "%s%s=", i ? ", " : "(", table[i].name);
            if (!options.values[i]) continue;
            KnSpec value = *options.values[i];
            value.key = NULL;
            value.next = NULL;
            kn_spec_print(&value, out);
        }
        if (table && table[0].name) kn_text_add_char(out, ')');
        if (!kn_text_ok(out)) status = kn_fail_memory(error, "naming a game");
    }
    kn_arena_free(arena);
    return status;
}

enum { FORMAT = 1, SAMPLE_GAMES = 64, SAMPLE_PLIES = 96 };

/* Adds every position of some random games to the digest, with its moves, mover and payoffs. */
static void digest_play(const KnGame *game, KnDigest *digest)
{
    for (uint64_t i = 0; i < SAMPLE_GAMES; i++) {
        KnRng rng = kn_rng_stream(1, i);
        _Alignas(16) unsigned char position[game->position_size];
        KnMove moves[game->max_moves];
        game->type->start(game, position);
        for (int ply = 0; ply < SAMPLE_PLIES; ply++) {
            int count = game->type->moves(game, position, moves);
            KN_ASSERT(count >= 0 && count <= game->max_moves);
            kn_digest_u64(digest, game->type->pack(game, position));
            kn_digest_u64(digest, (uint64_t)count << 1 | (uint64_t)game->type->mover(game, position));
            if (!count) {
                double payoffs[KN_ROLES_MAX] = {0};
                game->type->payoffs(game, position, payoffs);
                kn_digest_add(digest, payoffs, 2 * sizeof *payoffs);
                break;
            }
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
        }
    }
}

static KnStatus identity_of(const KnGame *game, KnText *spec, KnHash128 *identity, KnError *error)
{
    KnStatus status = kn_statespace_solvable(game, error);
    if (status != KN_OK) return kn_fail_within(error, "%s cannot be solved backwards", game->spec);
    status = full_spec(game, spec, error);
    if (status != KN_OK) return status;
    KnDigest digest;
    kn_digest_start(&digest);
    kn_digest_u64(&digest, FORMAT);
    kn_digest_string(&digest, spec->data);
    digest_play(game, &digest);
    *identity = kn_digest_end(&digest);
    return KN_OK;
}

/* ---- Life ---- */

static KnStatus new_solved(const KnGame *game, KnSolved **out, KnError *error)
{
    KnSolved *solved = calloc(1, sizeof *solved);
    KnText spec = KN_TEXT_EMPTY;
    KnStatus status = solved ? identity_of(game, &spec, &solved->identity, error)
                             : kn_fail_memory(error, "solving");
    if (status == KN_OK && !(solved->spec = strdup(spec.data))) status = kn_fail_memory(error, "solving");
    kn_text_free(&spec);
    if (status != KN_OK) {
        free(solved);
        return status;
    }
    solved->facts.note = "";
    *out = solved;
    return KN_OK;
}

static void fill_facts(KnSolved *solved, const KnGame *game)
{
    const KnRetrograde *retrograde = &solved->retrograde;
    KnSolvedFacts *facts = &solved->facts;
    _Alignas(16) unsigned char start[game->position_size];
    game->type->unpack(game, solved->start, start);
    kn_solved_probe(solved, game, start, &facts->value, &facts->plies);
    facts->total = retrograde->total;
    memcpy(facts->phase, retrograde->phase, sizeof facts->phase);
    facts->phases = game->phases < KN_TALLY_PHASES ? game->phases : KN_TALLY_PHASES;
    facts->moves = retrograde->moves;
}

KnStatus kn_solve(const KnGame *game, const KnSolveOptions *options, KnSolved **out, KnError *error)
{
    KnSolved *solved = NULL;
    *out = NULL;
    KnStatus status = new_solved(game, &solved, error);
    if (status == KN_OK) status = kn_retrograde(game, options, &solved->retrograde, error);
    if (status != KN_OK) {
        kn_solved_free(solved);
        return status;
    }
    _Alignas(16) unsigned char start[game->position_size];
    game->type->start(game, start);
    solved->start = game->type->pack(game, options && options->start ? options->start : start);
    fill_facts(solved, game);
    *out = solved;
    return KN_OK;
}

static void free_solved(void *thing)
{
    KnSolved *solved = thing;
    kn_retrograde_free(&solved->retrograde);
    free(solved->spec);
    free(solved);
}

void kn_solved_free(KnSolved *solved)
{
    if (!solved) return;
    if (solved->sharing)
        kn_unshare(solved->sharing, solved);
    else
        free_solved(solved);
}

const KnSolvedFacts *kn_solved_facts(const KnSolved *solved) { return &solved->facts; }

bool kn_solved_probe(const KnSolved *solved, const KnGame *game, const void *position, int *value, int *plies)
{
    const KnStateSpace *states = &solved->retrograde.states;
    size_t at = kn_statespace_find(states, kn_coder_code(&states->coder, game, position, NULL));
    if (at == SIZE_MAX) return false;
    KN_ASSERT(at < states->count);
    *value = kn_result_value(solved->retrograde.results[at]);
    *plies = kn_result_plies(solved->retrograde.results[at]);
    return true;
}

bool kn_solved_probe_move(const KnSolved *solved, const KnGame *game, const void *position, KnMove move,
                          int *value, int *plies)
{
    _Alignas(16) unsigned char next[game->position_size];
    memcpy(next, position, game->position_size);
    game->type->play(game, next, move);
    if (!kn_solved_probe(solved, game, next, value, plies)) return false;
    if (game->type->mover(game, next) != game->type->mover(game, position)) *value = -*value;
    if (*value) ++*plies;
    return true;
}

/* ---- Files: this head, the spec, codes (8 bytes each), results (2 bytes each) ---- */

typedef struct Head {
    char magic[8];
    uint32_t format, order; /* `order` shows the byte order of the machine */
    KnHash128 sum;          /* of the whole file with this field zero */
    KnHash128 identity;
    uint64_t spec_length, count, start, moves;
    KnStateCounts total;
    KnStateCounts phase[KN_TALLY_PHASES];
} Head;

static const char magic[8] = {'K', 'N', 'S', 'O', 'L', 'V', 'E', 'D'};
enum { ORDER = 0x01020304, SPEC_MAX = 4096 };

KnStatus kn_solved_save(const KnSolved *solved, const char *path, KnError *error)
{
    const KnRetrograde *retrograde = &solved->retrograde;
    size_t count = retrograde->states.count, spec = strlen(solved->spec);
    size_t size = sizeof(Head) + spec + count * (sizeof(uint64_t) + sizeof(KnResult));
    if (spec > SPEC_MAX)
        return kn_fail(error, KN_USAGE, "%s: the name of the game is too long to be stored", path);
    char *bytes = malloc(size), *at = bytes;
    if (!bytes) return kn_fail_memory(error, "storing a solved game");
    Head head = {.format = FORMAT,
                 .order = ORDER,
                 .identity = solved->identity,
                 .spec_length = spec,
                 .count = count,
                 .start = solved->start,
                 .moves = retrograde->moves,
                 .total = retrograde->total};
    memcpy(head.magic, magic, sizeof magic);
    memcpy(head.phase, retrograde->phase, sizeof head.phase);
    at = mempcpy(at, &head, sizeof head);
    at = mempcpy(at, solved->spec, spec);
    at = mempcpy(at, retrograde->states.codes, count * sizeof(uint64_t));
    KN_ASSERT(at + count * sizeof(KnResult) == bytes + size);
    memcpy(at, retrograde->results, count * sizeof(KnResult));
    head.sum = kn_hash128(bytes, size);
    memcpy(bytes, &head, sizeof head);
    KnStatus status = kn_file_write_atomic(path, bytes, size, error);
    free(bytes);
    return status;
}

/* Checks that the bytes are a complete, undamaged file; fills the head. */
static KnStatus check_file(const char *path, KnText *file, Head *head, KnError *error)
{
    if (file->length < sizeof *head || memcmp(file->data, magic, sizeof magic) != 0)
        return kn_fail(error, KN_INPUT, "%s: is no solved game, or only the beginning of one", path);
    memcpy(head, file->data, sizeof *head);
    if (head->order != ORDER || head->format != FORMAT)
        return kn_fail(error, KN_INPUT, "%s: was written by another version or machine; solve the game again",
                       path);
    uint64_t each = sizeof(uint64_t) + sizeof(KnResult), rest = file->length - sizeof *head;
    if (head->spec_length > SPEC_MAX || head->spec_length > rest || head->count > INT32_MAX || !head->count ||
        (rest - head->spec_length) / each != head->count || (rest - head->spec_length) % each != 0)
        return kn_fail(
            error, KN_INPUT,
            "%s: is truncated or damaged (%zu bytes do not fit its head); delete it and solve again", path,
            file->length);
    KnHash128 sum = head->sum;
    memset(file->data + offsetof(Head, sum), 0, sizeof sum);
    KnHash128 found = kn_hash128(file->data, file->length);
    if (found.high != sum.high || found.low != sum.low)
        return kn_fail(error, KN_INPUT,
                       "%s: is damaged (its check sum does not fit); delete it and solve again", path);
    return KN_OK;
}

/* Copies a checked file into a new object. */
static KnStatus adopt_file(const KnGame *game, const KnText *file, const Head *head, KnSolved *solved,
                           KnError *error)
{
    size_t count = (size_t)head->count;
    _Alignas(16) unsigned char start[game->position_size];
    game->type->unpack(game, head->start, start);
    if (game->type->check) {
        KnStatus status = game->type->check(game, start, error);
        if (status != KN_OK) return status;
    }
    const char *codes_at = file->data + sizeof *head + head->spec_length;
    uint64_t *codes = malloc(count * sizeof *codes);
    KnRetrograde *retrograde = &solved->retrograde;
    retrograde->results = malloc(count * sizeof *retrograde->results);
    if (!codes || !retrograde->results) {
        free(codes);
        return kn_fail_memory(error, "loading a solved game");
    }
    memcpy(codes, codes_at, count * sizeof *codes);
    memcpy(retrograde->results, codes_at + count * sizeof *codes, count * sizeof *retrograde->results);
    retrograde->total = head->total;
    memcpy(retrograde->phase, head->phase, sizeof head->phase);
    retrograde->moves = head->moves;
    solved->start = head->start;
    KnStatus status = kn_statespace_adopt(kn_coder(game, start), codes, count, &retrograde->states, error);
    if (status == KN_OK) fill_facts(solved, game);
    return status;
}

KnStatus kn_solved_load(const KnGame *game, const char *path, KnSolved **out, KnError *error)
{
    KnSolved *solved = NULL;
    KnText file = KN_TEXT_EMPTY;
    Head head;
    *out = NULL;
    KnStatus status = new_solved(game, &solved, error);
    if (status == KN_OK)
        status = kn_file_read(path, &file, (size_t)1 << (sizeof(size_t) > 4 ? 36 : 30), error);
    if (status == KN_OK) status = check_file(path, &file, &head, error);
    if (status == KN_OK && memcmp(&head.identity, &solved->identity, sizeof head.identity) != 0)
        status = kn_fail(error, KN_INPUT, "%s: holds %.*s%s, not %s", path, (int)head.spec_length,
                         file.data + sizeof head,
                         head.spec_length == strlen(solved->spec) ? " by other rules" : "", solved->spec);
    if (status == KN_OK) status = adopt_file(game, &file, &head, solved, error);
    kn_text_free(&file);
    if (status == KN_OK)
        *out = solved;
    else
        kn_solved_free(solved);
    return status;
}

/* ---- The cache ---- */

KnStatus kn_solved_path(const KnGame *game, KnText *path, KnError *error)
{
    KnText spec = KN_TEXT_EMPTY;
    KnHash128 identity;
    const char *data = kn_context_data(game->context);
    kn_text_clear(path);
    KnStatus status = identity_of(game, &spec, &identity, error);
    kn_text_free(&spec);
    if (status != KN_OK || !data[0]) return status;
    KnText name = KN_TEXT_EMPTY;
    kn_text_printf(&name, "solved/%s-%016llx.kns", game->type->head.name, (unsigned long long)identity.high);
    kn_path_join(path, data, name.data);
    if (!kn_text_ok(&name) || !kn_text_ok(path)) status = kn_fail_memory(error, "naming a file");
    kn_text_free(&name);
    return status;
}

/* Locks the folder of `path` against other processes that would solve for it. Returns -1 if it cannot be
 * locked; the caller then goes on without a lock. */
static int lock_folder(const char *path, const atomic_bool *cancel)
{
    KnText folder = KN_TEXT_EMPTY;
    KN_ASSERT(strchr(path, '/'));
    kn_text_add_bytes(&folder, path, (size_t)(strrchr(path, '/') - path));
    int lock = kn_mkdirs(folder.data, NULL) == KN_OK ? open(folder.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                                                     : -1;
    kn_text_free(&folder);
    while (lock >= 0 && kn_file_lock(lock) == KN_LOCK_BUSY && !(cancel && atomic_load(cancel))) usleep(20000);
    return lock;
}

static KnStatus load_or_solve(const KnGame *game, const KnSolveOptions *options, const char *path,
                              KnSolved **solved, KnError *error)
{
    if (kn_file_exists(path)) {
        KnStatus status = kn_solved_load(game, path, solved, error);
        if (status == KN_OK) (*solved)->facts.from_cache = true;
        return status;
    }
    KnStatus status = kn_solve(game, options, solved, error);
    if (status == KN_OK && kn_solved_save(*solved, path, &(*solved)->unsaved) != KN_OK)
        (*solved)->facts.note = (*solved)->unsaved.text;
    return status;
}

typedef struct Loading {
    const KnGame *game;
    const char *path;
} Loading;

static KnStatus make_shared(void *user, void **thing, KnError *error)
{
    const Loading *loading = user;
    KnSolved *solved;
    KnStatus status = kn_solved_load(loading->game, loading->path, &solved, error);
    if (status != KN_OK) return status;
    solved->facts.from_cache = true;
    solved->sharing = loading->game->context;
    *thing = solved;
    return KN_OK;
}

/* All players of a context read the same table: one of millions of positions takes long to check and index.
 */
static KnStatus load_shared(const KnGame *game, const char *path, KnSolved **solved, KnError *error)
{
    Loading loading = {game, path};
    void *thing;
    KnStatus status = kn_share(game->context, path, make_shared, free_solved, &loading, &thing, error);
    if (status == KN_OK) *solved = thing;
    return status;
}

KnStatus kn_solved_open(const KnGame *game, const KnSolveOptions *options, KnSolved **solved, KnError *error)
{
    *solved = NULL;
    KnText path = KN_TEXT_EMPTY;
    KnStatus status = kn_solved_path(game, &path, error);
    if (status == KN_OK && (!path.length || (options && options->start)))
        status = kn_solve(game, options, solved, error);
    else if (status == KN_OK && kn_file_exists(path.data))
        status = load_shared(game, path.data, solved, error);
    else if (status == KN_OK) {
        int lock = lock_folder(path.data, options ? options->cancel : NULL);
        status = load_or_solve(game, options, path.data, solved, error);
        if (lock >= 0) close(lock);
    }
    kn_text_free(&path);
    return status;
}
