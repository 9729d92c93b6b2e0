#include "cli/record_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "games/replay.h"

enum { FILE_MOST = 64 << 20 };

static KnStatus set_up(const KnContext *context, const char *spec, const char *start, const char *moves,
                       CliRecord *record, KnError *error)
{
    KnStatus status = kn_game_open(context, spec, &record->game, error);
    if (status == KN_OK && !(record->state = kn_state_new(record->game)))
        status = kn_fail_memory(error, "reading a game");
    if (status == KN_OK && *start) {
        _Alignas(16) unsigned char position[record->game->position_size];
        status = kn_game_parse_position(record->game, start, position, error);
        if (status == KN_OK) kn_state_reset(record->state, position);
    }
    return status == KN_OK ? kn_replay(record->state, moves, error) : status;
}

/* Moves alone, on one line or several. */
static KnStatus read_moves(const KnContext *context, const char *text, const char *spec, CliRecord *record,
                           KnError *error)
{
    if (!spec)
        return kn_fail(error, KN_USAGE, "this is no game record; give the game if it is a list of moves");
    return set_up(context, spec, "", text, record, error);
}

/* A game that the caller names may differ in what is not on the board, such as the komi. */
static KnStatus check_game(const KnContext *context, const char *spec, const char *recorded, KnError *error)
{
    KnGame *wanted = NULL, *written = NULL;
    KnStatus status = kn_game_open(context, spec, &wanted, error);
    if (status == KN_OK) status = kn_game_open(context, recorded, &written, error);
    if (status == KN_OK && (wanted->type != written->type || wanted->cells != written->cells))
        status = kn_fail(error, KN_INPUT, "a game of %s, where %s is wanted", written->spec, wanted->spec);
    kn_game_close(wanted);
    kn_game_close(written);
    return status;
}

static KnStatus read_record(const KnContext *context, const char *text, size_t number, const char *spec,
                            CliRecord *record, KnError *error)
{
    const char *at = text, *next = NULL;
    size_t games = 1;
    for (;; at = next, games++) {
        kn_game_record_next(at, &next);
        if (games == number || !next) break;
    }
    if (games < number)
        return kn_fail(error, KN_INPUT, "the file has %zu game%s, and not %zu", games, kn_s(games), number);
    KnRecordText *parsed = &record->text;
    char *one = next ? strndup(at, (size_t)(next - at)) : strdup(at);
    KnStatus status = one ? kn_game_record_read(one, parsed, error) : kn_fail_memory(error, "reading a game");
    free(one);
    if (status == KN_OK && spec) status = check_game(context, spec, parsed->game.data, error);
    if (status == KN_OK)
        status = set_up(context, spec ? spec : parsed->game.data, parsed->start.data, parsed->moves.data,
                        record, error);
    return status;
}

KnStatus cli_record_read(const KnContext *context, const char *path, size_t number, const char *spec,
                         CliRecord *record, KnError *error)
{
    *record = (CliRecord){.text = KN_RECORD_TEXT};
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = kn_file_read_text(path, &text, FILE_MOST, error);
    if (status != KN_OK) {
        kn_text_free(&text);
        return status;
    }
    const char *first = kn_game_record_first(text.data);
    status = kn_game_record_begins(first)
                 ? read_record(context, first, number, spec, record, error)
                 : read_moves(context, text.data + kn_utf8_mark(text.data), spec, record, error);
    kn_text_free(&text);
    if (status == KN_OK) return KN_OK;
    cli_record_free(record);
    return kn_fail_within(error, "%s", path);
}

void cli_record_free(CliRecord *record)
{
    kn_state_free(record->state);
    kn_game_close(record->game);
    kn_game_record_text_free(&record->text);
    *record = (CliRecord){.text = KN_RECORD_TEXT};
}
