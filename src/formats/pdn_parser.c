#include "formats/pdn_parser.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void kn_pdn_game_free(KnPdnGame *game)
{
    kn_game_record_text_free(&game->record);
    free(game->lines);
    *game = KN_PDN_GAME;
}

KnPdnReader kn_pdn_reader(const char *text)
{
    text += kn_utf8_mark(text);
    return (KnPdnReader){text, text, text, 1};
}

/* The line of a place. Places are asked for mostly in order, so that each is counted from the one before. */
static int line_at(KnPdnReader *reader, const char *place)
{
    if (place < reader->counted) {
        reader->counted = reader->text;
        reader->line = 1;
    }
    for (; reader->counted < place; reader->counted++) reader->line += *reader->counted == '\n';
    return reader->line;
}

/* ---- Tags ---- */

/* [Name "value"] at *at; moves past it. */
static KnStatus read_tag(KnPdnReader *reader, char *name, size_t size, KnText *value, KnError *error)
{
    const char *c = reader->at + 1;
    size_t length = 0;
    while (isspace((unsigned char)*c)) c++;
    while (isalnum((unsigned char)*c) || *c == '_') {
        if (length + 1 < size) name[length++] = *c;
        c++;
    }
    name[length] = '\0';
    while (isspace((unsigned char)*c)) c++;
    kn_text_clear(value);
    if (*c != '"' || !length)
        return kn_fail(error, KN_INPUT, "line %d: a tag looks like [Name \"value\"]",
                       line_at(reader, reader->at));
    for (c++; *c && *c != '"'; c++) {
        if (*c == '\\' && (c[1] == '"' || c[1] == '\\')) c++;
        kn_text_add_char(value, *c);
    }
    if (*c) c++;
    while (isspace((unsigned char)*c)) c++;
    if (*c != ']')
        return kn_fail(error, KN_INPUT, "line %d: the tag %s is not closed by ]", line_at(reader, reader->at),
                       name);
    reader->at = c + 1;
    return KN_OK;
}

/* GameType: NUMBER[,START COLOUR[,...]] */
static KnStatus read_game_type(KnPdnReader *reader, const char *value, KnPdnGame *game, KnError *error)
{
    if (strncmp(value, "21", 2) != 0 || isdigit((unsigned char)value[2]))
        return kn_fail(error, KN_INPUT,
                       "line %d: GameType %.20s is another kind of draughts; English draughts is 21",
                       line_at(reader, reader->at), value);
    const char *colour = value + 2 + strspn(value + 2, ", ");
    game->record.white_first = *colour == 'W' || *colour == 'w';
    return KN_OK;
}

static KnStatus take_tag(KnPdnReader *reader, const char *name, const KnText *value, KnPdnGame *game,
                         KnError *error)
{
    KnRecordText *record = &game->record;
    if (strcasecmp(name, "GameType") == 0) return read_game_type(reader, value->data, game, error);
    KnText *to = strcasecmp(name, "FEN") == 0      ? &record->start
                 : strcasecmp(name, "Black") == 0  ? &record->players[0]
                 : strcasecmp(name, "White") == 0  ? &record->players[1]
                 : strcasecmp(name, "Result") == 0 ? &record->result
                 : strcasecmp(name, "Event") == 0  ? &record->event
                 : strcasecmp(name, "Round") == 0  ? &record->round
                 : strcasecmp(name, "Date") == 0   ? &record->date
                                                   : NULL;
    if (to) {
        kn_text_clear(to);
        kn_text_add_utf8(to, value->data, value->length);
    }
    return KN_OK;
}

/* ---- Moves ---- */

/* Past a comment or variation that begins at c; NULL if it has no end. */
static const char *skip_aside(const char *c)
{
    if (*c == '{') {
        c = strchr(c, '}');
        return c ? c + 1 : NULL;
    }
    int depth = 0;
    for (; *c; c++) {
        if (*c == '{') {
            if (!(c = strchr(c, '}'))) return NULL;
        } else if (*c == '(')
            depth++;
        else if (*c == ')' && --depth == 0)
            return c + 1;
    }
    return NULL;
}

static bool is_result(const char *word, size_t length)
{
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (strlen(results[i]) == length && strncmp(word, results[i], length) == 0) return true;
    return false;
}

static KnStatus add_move(KnPdnReader *reader, KnPdnGame *game, const char *move, size_t length,
                         KnError *error)
{
    if (game->moves == game->room) {
        size_t room = game->room ? 2 * game->room : 128;
        int *lines = realloc(game->lines, room * sizeof *lines);
        if (!lines) return kn_fail_memory(error, "reading a game");
        game->lines = lines;
        game->room = room;
    }
    game->lines[game->moves++] = line_at(reader, move);
    KnText *moves = &game->record.moves;
    if (moves->length) kn_text_add_char(moves, ' ');
    for (size_t i = 0; i < length; i++)
        kn_text_add_char(moves, move[i] == ':' || move[i] == 'X' ? 'x' : move[i]);
    return KN_OK;
}

/* The result behind the moves. It may say what the tag leaves open, and leave open what the tag says; where
 * both say something, it must be the same. */
static KnStatus take_result(KnPdnReader *reader, const char *word, size_t length, KnPdnGame *game,
                            KnError *error)
{
    KnText *result = &game->record.result, ends = KN_TEXT_EMPTY;
    double tag, end;
    kn_text_add_bytes(&ends, word, length);
    bool tagged = kn_pdn_score(result->data, &tag), ended = kn_pdn_score(ends.data, &end);
    KnStatus status = KN_OK;
    if (tagged && ended && tag != end)
        status = kn_fail(error, KN_INPUT, "line %d: the moves end with %s, but the tag Result says %s",
                         line_at(reader, word), ends.data, result->data);
    else if (!tagged || ended) {
        kn_text_clear(result);
        kn_text_add(result, ends.data);
    }
    kn_text_free(&ends);
    return status;
}

/* One word of the moves: a number, a move or a result, which ends the game. */
static KnStatus read_word(KnPdnReader *reader, size_t length, KnPdnGame *game, bool *ended, KnError *error)
{
    const char *c = reader->at;
    *ended = is_result(c, length);
    if (*ended) return take_result(reader, c, length, game, error);
    if (*c == '$' || strspn(c, "!?.") >= length) return KN_OK;
    size_t digits = strspn(c, "0123456789");
    if (digits && digits < length && c[digits] == '.') { /* 12. or 12... perhaps with the move behind it */
        size_t dots = digits + strspn(c + digits, ".");
        if (dots >= length) return KN_OK;
        c += dots;
        length -= dots;
        digits = strspn(c, "0123456789");
    }
    size_t whole = length;
    while (length && strchr("!?*", c[length - 1])) length--;
    if (!digits || digits >= length || !strchr("-xX:", c[digits]) || strspn(c, "0123456789-xX:") < length)
        return kn_fail(error, KN_INPUT, "line %d: \"%.*s\" is no move; expected one such as 11-15 or 15x22",
                       line_at(reader, c), whole > 40 ? 40 : (int)whole, c);
    return add_move(reader, game, c, length, error);
}

/* What stands between the moves: comments, variations, words. */
static KnStatus read_movetext(KnPdnReader *reader, KnPdnGame *game, bool *ended, KnError *error)
{
    const char *c = reader->at;
    if (*c == ';' || *c == '%') {
        reader->at += strcspn(c, "\r\n");
        return KN_OK;
    }
    if (*c == '{' || *c == '(') {
        const char *end = skip_aside(c);
        if (!end)
            return kn_fail(error, KN_INPUT, "line %d: the %s that begins here has no end", line_at(reader, c),
                           *c == '{' ? "comment" : "variation");
        reader->at = end;
        return KN_OK;
    }
    if (*c == '/')
        return kn_fail(
            error, KN_INPUT,
            "line %d: a position set up among the moves is not understood; give it as a FEN tag before them",
            line_at(reader, c));
    size_t length = strcspn(c, " \t\r\n\f\v{}();[");
    if (!length)
        return kn_fail(error, KN_INPUT, "line %d: \"%c\" does not belong here", line_at(reader, c), *c);
    KnStatus status = read_word(reader, length, game, ended, error);
    reader->at += length;
    return status;
}

static void start_game(KnPdnGame *game)
{
    KnRecordText *record = &game->record;
    KnText *texts[] = {&record->game,       &record->start,      &record->moves,
                       &record->players[0], &record->players[1], &record->result};
    record->white_first = false;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) kn_text_clear(texts[i]);
    record->format = "pdn";
    kn_text_add(&record->game, "checkers");
    game->moves = 0;
}

/* After a game that cannot be read: to the tags of the next, which begin with an Event or after an empty
 * line. */
static void skip_game(KnPdnReader *reader)
{
    const char *c = reader->at;
    for (bool empty = false; (c = strchr(c, '\n'));) {
        c++;
        size_t blanks = strspn(c, " \t\r");
        if (c[blanks] == '\n')
            empty = true;
        else if (*c == '[' && (empty || strncasecmp(c, "[Event", 6) == 0))
            break;
        else
            empty = false;
    }
    reader->at = c ? c : reader->at + strlen(reader->at);
}

KnStatus kn_pdn_next(KnPdnReader *reader, KnPdnGame *game, KnError *error)
{
    KnText value = KN_TEXT_EMPTY;
    KnStatus status = KN_OK;
    bool ended = false, begun = false;
    start_game(game);
    while (status == KN_OK && !ended) {
        while (isspace((unsigned char)*reader->at)) reader->at++;
        if (!*reader->at) break;
        const char *place = reader->at;
        bool aside = strchr(";%{", *place);
        if (*place == '[') {
            char name[32];
            if (game->moves) break; /* the next game */
            status = read_tag(reader, name, sizeof name, &value, error);
            if (status == KN_OK && begun && strcasecmp(name, "Event") == 0) { /* this one had tags only */
                reader->at = place;
                break;
            }
            if (!begun) game->line = line_at(reader, place);
            if (status == KN_OK) status = take_tag(reader, name, &value, game, error);
        } else {
            if (!begun) game->line = line_at(reader, place);
            status = read_movetext(reader, game, &ended, error);
        }
        begun = begun || !aside;
    }
    kn_text_free(&value);
    if (status != KN_OK) {
        skip_game(reader);
        return status;
    }
    const KnRecordText *record = &game->record;
    if (!kn_text_ok(&record->moves) || !kn_text_ok(&record->start) || !kn_text_ok(&record->game))
        return kn_fail_memory(error, "reading a game");
    return begun ? KN_OK : KN_NO;
}

const char *kn_pdn_after(const char *game)
{
    KnPdnReader reader = kn_pdn_reader(game);
    KnPdnGame parsed = KN_PDN_GAME;
    KnError ignored; /* whoever reads this game meets it again */
    kn_pdn_next(&reader, &parsed, &ignored);
    kn_pdn_game_free(&parsed);
    for (const char *c = reader.at;;) {
        c += strspn(c, " \t\r\n\f\v");
        if (*c == ';' || *c == '%')
            c += strcspn(c, "\r\n");
        else if (*c != '{' || !(reader.at = skip_aside(c)))
            return c;
        else
            c = reader.at;
    }
}

KnStatus kn_pdn_read(const char *text, KnRecordText *record, KnError *error)
{
    KnPdnReader reader = kn_pdn_reader(text);
    KnPdnGame game = KN_PDN_GAME;
    KnStatus status = kn_pdn_next(&reader, &game, error);
    kn_game_record_text_free(record);
    *record = game.record;
    game.record = KN_RECORD_TEXT;
    kn_pdn_game_free(&game);
    return status == KN_NO ? kn_fail(error, KN_INPUT, "there is no game in this text, only remarks") : status;
}
