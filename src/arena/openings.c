#include "arena/openings.h"

#include <stdlib.h>
#include <string.h>

#include "arena/play.h"
#include "base/embedded.h"
#include "base/file.h"
#include <knack/base.h>
#include "games/gdl/gdl.h"

enum { OPENINGS_FILE_MAX = 64 << 20, RANDOM_TRIES = 1000 };

struct KnOpenings {
    const KnGame *game;
    char *bytes;  /* the file, cut into lines */
    char **lines; /* those that are openings */
    size_t count;
    int random_plies;
    uint64_t seed;
};

/* Sets up the state by one line: a position, or moves from the start. */
static KnStatus play_line(const KnGame *game, const char *line, KnState *state, KnError *error)
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

static KnStatus check_lines(KnOpenings *openings, const char *path, const size_t *numbers, KnError *error)
{
    KnState *state = kn_state_new(openings->game);
    if (!state) return kn_fail_memory(error, "reading openings");
    KnStatus status = KN_OK;
    for (size_t i = 0; i < openings->count && status == KN_OK; i++) {
        status = play_line(openings->game, openings->lines[i], state, error);
        if (status == KN_OK && kn_state_over(state, NULL))
            status = kn_fail(error, KN_INPUT, "the game is over after this opening");
        if (status != KN_OK) kn_fail_within(error, "%s, line %zu", path, numbers[i]);
    }
    kn_state_free(state);
    if (status == KN_OK && !openings->count) status = kn_fail(error, KN_INPUT, "%s holds no openings", path);
    return status;
}

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

static KnStatus read_lines(KnOpenings *openings, const char *path, KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = read_bytes(path, &text, error);
    if (status != KN_OK) return status;
    size_t lines = 1;
    for (const char *c = text.data; *c; c++) lines += *c == '\n';
    openings->bytes = strdup(text.data);
    openings->lines = calloc(lines, sizeof *openings->lines);
    size_t *numbers = calloc(lines, sizeof *numbers);
    kn_text_free(&text);
    if (!openings->bytes || !openings->lines || !numbers) {
        free(numbers);
        return kn_fail_memory(error, "reading openings");
    }
    char *rest = openings->bytes, *line;
    for (size_t number = 1; (line = strsep(&rest, "\n")); number++) {
        line += strspn(line, " \t");
        size_t length = strlen(line);
        while (length && strchr(" \t\r", line[length - 1])) line[--length] = '\0';
        if (!*line || *line == '#') continue;
        numbers[openings->count] = number;
        openings->lines[openings->count++] = line;
    }
    status = check_lines(openings, path, numbers, error);
    free(numbers);
    return status;
}

KnStatus kn_openings_new(const KnGame *game, const char *path, int random_plies, uint64_t seed,
                         KnOpenings **out, KnError *error)
{
    *out = NULL;
    KnOpenings *openings = calloc(1, sizeof *openings);
    if (!openings) return kn_fail_memory(error, "reading openings");
    openings->game = game;
    openings->random_plies = random_plies;
    openings->seed = seed;
    KnStatus status = path ? read_lines(openings, path, error) : KN_OK;
    if (status == KN_OK)
        *out = openings;
    else
        kn_openings_free(openings);
    return status;
}

void kn_openings_free(KnOpenings *openings)
{
    if (!openings) return;
    free(openings->bytes);
    free(openings->lines);
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
            status = play_line(openings->game, openings->lines[index % openings->count], state, error);
        else
            kn_state_reset(state, NULL);
        if (status != KN_OK) return status;
        if (play_random(state, openings->random_plies, &rng, &status, error) || status != KN_OK)
            return status;
    }
    status = kn_gdl_trouble_at(openings->game, kn_state_position(state), error);
    if (status != KN_OK) return status;
    return kn_fail(error, KN_INPUT, "%d random plies end %s in each of %d tries; ask for fewer",
                   openings->random_plies, openings->game->spec, RANDOM_TRIES);
}

void kn_openings_fingerprint(const KnOpenings *openings, KnDigest *digest)
{
    kn_digest_u64(digest, openings->count);
    for (size_t i = 0; i < openings->count; i++) kn_digest_string(digest, openings->lines[i]);
    kn_digest_u64(digest, (uint64_t)openings->random_plies);
}
