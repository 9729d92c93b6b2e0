#include "methods/widening/capture_strings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "base/assert.h"
#include "formats/parser.h"
#include "formats/problems.h"
#include "games/go/strings.h"
#include "games/replay.h"

enum { LIBERTIES_LEAST = 2, LIBERTIES_MOST = 4, FIRST_PLY = 10 }; /* before it there is little to capture */

struct KnCaptureStrings {
    const KnContext *context;
    KnRng rng;
    int wanted;
    uint64_t seen, games;
    KnText *lines; /* the sample */
};

KnCaptureStrings *kn_capture_strings_new(const KnContext *context, int wanted, uint64_t seed)
{
    KN_ASSERT(wanted > 0);
    KnCaptureStrings *strings = calloc(1, sizeof *strings);
    if (!strings) return NULL;
    strings->context = context, strings->wanted = wanted, strings->rng = kn_rng_stream(seed, 0);
    strings->lines = calloc((size_t)wanted, sizeof *strings->lines);
    for (int i = 0; strings->lines && i < wanted; i++) strings->lines[i] = KN_TEXT_EMPTY;
    if (strings->lines) return strings;
    free(strings);
    return NULL;
}

void kn_capture_strings_free(KnCaptureStrings *strings)
{
    if (!strings) return;
    for (int i = 0; i < strings->wanted; i++) kn_text_free(&strings->lines[i]);
    free(strings->lines);
    free(strings);
}

/* Reservoir sampling (Vitter 1985, algorithm R): a later string replaces one of the sample. */
static KnText *place_for(KnCaptureStrings *a)
{
    uint64_t at = a->seen++;
    if (at >= (uint64_t)a->wanted) at = kn_rng_below(&a->rng, (uint32_t)(at + 1));
    return at < (uint64_t)a->wanted ? &a->lines[at] : NULL;
}

static void write_string(const KnCaptureStrings *a, const KnState *state, int cell, KnText *line)
{
    char id[64];
    const KnGame *game = kn_state_game(state);
    void *position = (void *)(uintptr_t)kn_state_position(state);
    KnText vertex = KN_TEXT_EMPTY;
    game->type->cell_name(game, cell, &vertex);
    snprintf(id, sizeof id, "g%llu-%zu-%.4s", (unsigned long long)a->games, kn_state_plies(state),
             vertex.data);
    bool own = game->type->cell(game, position, cell) == game->type->mover(game, position) + 1;
    KnCaptureProblem problem = {.id = id, .game = game, .position = position, .target = cell, .attack = !own};
    kn_text_clear(line);
    kn_problem_write(&problem, line);
    kn_text_free(&vertex);
}

static void see_position(KnCaptureStrings *a, KnStrings *s, const KnState *state)
{
    kn_strings_set(s, kn_state_game(state), kn_state_position(state));
    for (int cell = 0; cell < s->size * s->size; cell++) {
        int point = kn_strings_point(s, cell % s->size, cell / s->size);
        if (s->colour[point] == KN_STONE_NONE || s->head[point] != point) continue;
        int liberties = s->string[point].liberties;
        if (liberties < LIBERTIES_LEAST || liberties > LIBERTIES_MOST) continue;
        KnText *line = place_for(a);
        if (line) write_string(a, state, cell, line);
    }
}

static KnStatus see_game(KnCaptureStrings *a, const KnRecordText *record, KnError *error)
{
    KnGame *game;
    KnStatus status = kn_game_open(a->context, record->game.data, &game, error);
    if (status != KN_OK) return status;
    KnState *state = kn_state_new(game);
    KnStrings *s = kn_go_is(game) ? kn_strings_new(kn_go_size(game)) : NULL;
    if (!kn_go_is(game))
        status = kn_fail(error, KN_INPUT, "this is a game of %s, and captures are of Go", game->spec);
    else if (record->start.length)
        status = kn_fail(error, KN_INPUT, "the game begins with stones; give games from the empty board");
    else if (!state || !s)
        status = kn_fail_memory(error, "reading games");
    char *rest = record->moves.data, *move;
    while (status == KN_OK && (move = strsep(&rest, " "))) {
        if (!*move) continue;
        status = kn_replay(state, move, error);
        if (status == KN_OK && kn_state_plies(state) >= FIRST_PLY && !kn_state_over(state, NULL))
            see_position(a, s, state);
    }
    kn_strings_free(s);
    kn_state_free(state);
    kn_game_close(game);
    return status;
}

KnStatus kn_capture_strings_see(KnCaptureStrings *a, const char *text, const char *name, KnError *error)
{
    KnStatus status = KN_OK;
    size_t number = 0;
    for (const char *at = kn_game_record_first(text), *next; at && status == KN_OK; at = next) {
        KnRecordText record = KN_RECORD_TEXT;
        kn_game_record_next(at, &next);
        char *one = next ? strndup(at, (size_t)(next - at)) : strdup(at);
        status = one ? kn_sgf_read(one, &record, error) : kn_fail_memory(error, "reading games");
        free(one);
        number++, a->games++;
        if (status == KN_OK) status = see_game(a, &record, error);
        kn_game_record_text_free(&record);
    }
    return status == KN_OK ? KN_OK : kn_fail_within(error, "%s, game %zu", name, number);
}

KnStatus kn_capture_strings_write(const KnCaptureStrings *a, KnText *out, KnError *error)
{
    if (a->seen < (uint64_t)a->wanted)
        return kn_fail(error, KN_INPUT, "the games have only %llu strings of %d to %d liberties, not %d",
                       (unsigned long long)a->seen, LIBERTIES_LEAST, LIBERTIES_MOST, a->wanted);
    for (int i = 0; i < a->wanted; i++) {
        if (!kn_text_ok(&a->lines[i])) return kn_fail_memory(error, "writing strings");
        kn_text_add_bytes(out, a->lines[i].data, a->lines[i].length);
        kn_text_add_char(out, '\n');
    }
    return KN_OK;
}
