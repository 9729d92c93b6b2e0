#include "arena/openings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play.h"
#include "base/embedded.h"
#include "base/file.h"
#include <knack/base.h>
#include "formats/parser.h"
#include "games/trouble.h"
#include "games/replay.h"

enum { OPENINGS_FILE_MAX = 64 << 20, RANDOM_TRIES = 1000, RECORD_PLIES = 8 };

/* One opening: a line of a list, or the beginning of a game record. */
typedef struct Opening {
    const char *line;  /* of a list; of a record its moves */
    const char *start; /* of a record: the position they begin at, "" for the game's start; NULL: a line */
} Opening;

struct KnOpenings {
    const KnGame *game;
    KnArena *arena; /* holds the texts */
    Opening *list;
    size_t count, room;
    int random_plies, plies;
    uint64_t seed;
};

static KnStatus add_opening(KnOpenings *openings, const char *line, const char *start, KnError *error)
{
    if (openings->count == openings->room) {
        size_t room = openings->room ? 2 * openings->room : 64;
        Opening *list = realloc(openings->list, room * sizeof *list);
        if (!list) return kn_fail_memory(error, "reading openings");
        openings->list = list;
        openings->room = room;
    }
    Opening added = {kn_arena_string(openings->arena, line),
                     start ? kn_arena_string(openings->arena, start) : NULL};
    if (!added.line || (start && !added.start)) return kn_fail_memory(error, "reading openings");
    openings->list[openings->count++] = added;
    return KN_OK;
}

/* ---- One opening ---- */

/* Takes moves back until `plies` are left; 0: all of them stay. */
static void cut(KnState *state, int plies)
{
    while (plies && kn_state_plies(state) > (size_t)plies) kn_state_undo(state);
}

/* A position, or moves from the start. */
static KnStatus play_text(const KnGame *game, const char *line, KnState *state, KnError *error)
{
    void *position = aligned_alloc(16, (game->position_size + 15) & ~(size_t)15);
    if (!position) return kn_fail_memory(error, "playing an opening");
    KnError as_position, as_moves;
    KnStatus status = game->type->parse_position(game, line, position, &as_position);
    if (status == KN_OK) {
        kn_state_reset(state, position);
    } else {
        kn_state_reset(state, NULL);
        status = kn_replay(state, line, &as_moves);
        if (status != KN_OK)
            kn_fail(error, KN_INPUT, "neither moves (%.300s) nor a position (%.300s)", as_moves.text,
                    as_position.text);
    }
    free(position);
    return status;
}

/* A line of a list: what follows a semicolon are EPD's operations, unless the game itself uses one. */
static KnStatus play_line(const KnGame *game, const char *line, KnState *state, KnError *error)
{
    KnStatus status = play_text(game, line, state, error);
    const char *operations = strchr(line, ';');
    if (status != KN_INPUT || !operations) return status;
    char *position = strndup(line, (size_t)(operations - line));
    if (!position) return kn_fail_memory(error, "playing an opening");
    status = play_text(game, position, state, error);
    free(position);
    return status;
}

static KnStatus play_opening(const KnOpenings *openings, const Opening *opening, KnState *state,
                             KnError *error)
{
    const KnGame *game = openings->game;
    KnStatus status = KN_OK;
    if (!opening->start)
        status = play_line(game, opening->line, state, error);
    else {
        if (*opening->start)
            status = play_text(game, opening->start, state, error);
        else
            kn_state_reset(state, NULL);
        if (status == KN_OK) status = kn_replay(state, opening->line, error);
    }
    if (status == KN_OK && !opening->start) cut(state, openings->plies);
    return status;
}

/* ---- Lists ---- */

static KnStatus read_line(KnOpenings *openings, const char *line, KnState *state, KnError *error)
{
    KnStatus status = add_opening(openings, line, NULL, error);
    if (status == KN_OK) status = play_opening(openings, &openings->list[openings->count - 1], state, error);
    if (status == KN_OK && kn_state_over(state, NULL))
        status = kn_fail(error, KN_INPUT, "the game is over after this opening");
    return status;
}

static KnStatus read_list(KnOpenings *openings, char *text, const char *path, KnState *state, KnError *error)
{
    char *next = text;
    for (size_t number = 1; *next; number++) { /* lines end with \n, \r\n or, in old files, \r */
        char *line = next + strspn(next, " \t"), *end = line + strcspn(line, "\r\n");
        next = end + (*end != '\0') + (end[0] == '\r' && end[1] == '\n');
        while (end > line && strchr(" \t", end[-1])) end--;
        *end = '\0';
        if (!*line || *line == '#') continue;
        if (read_line(openings, line, state, error) != KN_OK)
            return kn_fail_within(error, "%s, line %zu", path, number);
    }
    return KN_OK;
}

/* ---- Game records ---- */

/* The first plies of a record, as an opening. Moves after them need not be legal: nobody plays them. */
static KnStatus cut_record(KnOpenings *openings, const KnRecordText *record, KnState *state, KnError *error)
{
    const KnGame *game = openings->game;
    KnGame *other;
    KnStatus status = kn_game_open(game->context, record->game.data, &other, error);
    if (status != KN_OK) return status;
    if (other->type != game->type)
        status = kn_fail(error, KN_INPUT, "this is a game of %s, and the match is of %s", other->spec,
                         game->spec);
    kn_game_close(other);
    if (status != KN_OK) return status;
    if (record->start.length)
        status = play_text(game, record->start.data, state, error);
    else
        kn_state_reset(state, NULL);
    KnText played = KN_TEXT_EMPTY;
    if (status == KN_OK) status = kn_replay_plies(state, record->moves.data, (size_t)openings->plies, error);
    if (status == KN_OK && kn_state_over(state, NULL))
        status = kn_fail(error, KN_INPUT, "the game is over after %zu plies; cut openings earlier",
                         kn_state_plies(state));
    if (status == KN_OK) kn_moves_text(state, &played);
    if (status == KN_OK) status = add_opening(openings, played.data, record->start.data, error);
    kn_text_free(&played);
    return status;
}

static KnStatus read_records(KnOpenings *openings, const char *text, const char *path, KnState *state,
                             KnError *error)
{
    if (!openings->plies) openings->plies = RECORD_PLIES;
    size_t number = 1;
    KnStatus status = KN_OK;
    for (const char *at = text, *next; at && status == KN_OK; at = next, number++) {
        KnRecordText record = KN_RECORD_TEXT;
        kn_game_record_next(at, &next);
        char *one = next ? strndup(at, (size_t)(next - at)) : strdup(at);
        status = one ? kn_game_record_read(one, &record, error) : kn_fail_memory(error, "reading openings");
        free(one);
        if (status == KN_OK) status = cut_record(openings, &record, state, error);
        kn_game_record_text_free(&record);
    }
    return status == KN_OK ? KN_OK : kn_fail_within(error, "%s, game %zu", path, number - 1);
}

static int compare(const void *a, const void *b)
{
    const Opening *x = *(const Opening *const *)a, *y = *(const Opening *const *)b;
    int starts = strcmp(x->start, y->start);
    if (starts) return starts;
    int moves = strcmp(x->line, y->line);
    return moves ? moves : (x > y) - (x < y);
}

/* Many games begin alike: each opening stays once, where it came first. */
static KnStatus drop_doubles(KnOpenings *openings, KnError *error)
{
    size_t count = openings->count, kept = 0;
    const Opening **sorted = malloc((count + 1) * sizeof *sorted);
    bool *doubles = calloc(count + 1, sizeof *doubles);
    if (sorted && doubles) {
        for (size_t i = 0; i < count; i++) sorted[i] = &openings->list[i];
        qsort(sorted, count, sizeof *sorted, compare);
        for (size_t i = 1; i < count; i++)
            doubles[sorted[i] - openings->list] = strcmp(sorted[i]->start, sorted[i - 1]->start) == 0 &&
                                                  strcmp(sorted[i]->line, sorted[i - 1]->line) == 0;
        for (size_t i = 0; i < count; i++)
            if (!doubles[i]) openings->list[kept++] = openings->list[i];
        openings->count = kept;
    }
    bool ok = sorted && doubles;
    free(sorted);
    free(doubles);
    return ok ? KN_OK : kn_fail_memory(error, "reading openings");
}

/* ---- The file ---- */

/* A file, or a set that travels with the library (data/embed/openings). */
static KnStatus read_bytes(const char *path, KnText *text, KnError *error)
{
    KnText name = KN_TEXT_EMPTY;
    kn_text_printf(&name, "openings/%s.txt", path);
    const KnEmbeddedRow *row = kn_text_ok(&name) ? kn_embedded_find(name.data) : NULL;
    kn_text_free(&name);
    if (!row) return kn_file_read(path, text, OPENINGS_FILE_MAX, error);
    kn_text_clear(text);
    kn_text_add_bytes(text, row->bytes, *row->size);
    return kn_text_ok(text) ? KN_OK : kn_fail_memory(error, "reading openings");
}

/* Fisher and Yates. */
static void shuffle(KnOpenings *openings)
{
    KnRng rng = kn_rng_seeded(openings->seed ^ kn_mix64(0x5AFFu));
    for (size_t i = openings->count; i > 1; i--) {
        size_t j = kn_rng_below(&rng, (uint32_t)i);
        Opening other = openings->list[i - 1];
        openings->list[i - 1] = openings->list[j];
        openings->list[j] = other;
    }
}

static KnStatus read_file(KnOpenings *openings, const char *path, KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    KnState *state = kn_state_new(openings->game);
    KnStatus status = state ? read_bytes(path, &text, error) : kn_fail_memory(error, "reading openings");
    if (status == KN_OK) {
        const char *first = kn_game_record_first(text.data);
        if (kn_game_record_begins(first)) {
            status = read_records(openings, first, path, state, error);
            if (status == KN_OK) status = drop_doubles(openings, error);
        } else
            status = read_list(openings, text.data + kn_utf8_mark(text.data), path, state, error);
    }
    if (status == KN_OK && !openings->count) status = kn_fail(error, KN_INPUT, "%s holds no openings", path);
    kn_state_free(state);
    kn_text_free(&text);
    return status;
}

KnStatus kn_openings_new(const KnGame *game, const KnOpeningsPlan *plan, KnOpenings **out, KnError *error)
{
    *out = NULL;
    KnOpenings *openings = calloc(1, sizeof *openings);
    if (!openings) return kn_fail_memory(error, "reading openings");
    openings->game = game;
    openings->random_plies = plan->random_plies;
    openings->plies = plan->plies;
    openings->seed = plan->seed;
    openings->arena = kn_arena_new();
    KnStatus status = openings->arena ? KN_OK : kn_fail_memory(error, "reading openings");
    if (status == KN_OK && plan->path) status = read_file(openings, plan->path, error);
    if (status == KN_OK && plan->shuffle) shuffle(openings);
    if (status == KN_OK)
        *out = openings;
    else
        kn_openings_free(openings);
    return status;
}

void kn_openings_free(KnOpenings *openings)
{
    if (!openings) return;
    kn_arena_free(openings->arena);
    free(openings->list);
    free(openings);
}

size_t kn_openings_count(const KnOpenings *openings) { return openings->count; }

/* Random moves from here; false if the game ended on the way. */
static bool play_random(KnState *state, int plies, KnRng *rng, KnStatus *status, KnError *error)
{
    const KnGame *game = kn_state_game(state);
    KnMove moves[game->max_moves], joint[KN_ROLES_MAX];
    for (int ply = 0; ply < plies && !kn_state_over(state, NULL); ply++) {
        for (int role = 0; role < game->roles; role++) {
            int count = kn_state_moves(state, role, moves);
            joint[role] = count ? moves[kn_rng_below(rng, (uint32_t)count)] : KN_MOVE_NONE;
        }
        *status = kn_state_play_joint(state, joint, error);
        if (*status != KN_OK) return false;
    }
    return !kn_state_over(state, NULL);
}

KnStatus kn_openings_play(const KnOpenings *openings, uint64_t index, KnState *state, KnError *error)
{
    KnRng rng = kn_rng_stream(openings->seed ^ kn_mix64(0x0BE21196u), index);
    KnStatus status = KN_OK;
    for (int tries = 0; tries < RANDOM_TRIES; tries++) {
        if (openings->count)
            status = play_opening(openings, &openings->list[index % openings->count], state, error);
        else
            kn_state_reset(state, NULL);
        if (status != KN_OK) return status;
        if (play_random(state, openings->random_plies, &rng, &status, error) || status != KN_OK)
            return status;
    }
    status = kn_game_trouble_at(openings->game, kn_state_position(state), error);
    if (status != KN_OK) return status;
    return kn_fail(error, KN_INPUT, "%d random plies end %s in each of %d tries; ask for fewer",
                   openings->random_plies, openings->game->spec, RANDOM_TRIES);
}

void kn_openings_fingerprint(const KnOpenings *openings, KnDigest *digest)
{
    kn_digest_u64(digest, openings->count);
    for (size_t i = 0; i < openings->count; i++) {
        if (openings->list[i].start) kn_digest_string(digest, openings->list[i].start);
        kn_digest_string(digest, openings->list[i].line);
    }
    if (openings->plies) kn_digest_u64(digest, (uint64_t)openings->plies);
    kn_digest_u64(digest, (uint64_t)openings->random_plies);
}
