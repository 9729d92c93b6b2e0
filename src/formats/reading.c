#include "formats/reading.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

void kn_sheet_text_free(KnSheetText *sheet)
{
    kn_text_free(&sheet->game);
    kn_text_free(&sheet->start);
    kn_text_free(&sheet->moves);
    for (int i = 0; i < 2; i++) kn_text_free(&sheet->players[i]);
    *sheet = KN_SHEET_TEXT;
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

static void add_move(KnSheetText *sheet, const char *move, size_t length)
{
    if (sheet->moves.length) kn_text_add_char(&sheet->moves, ' ');
    kn_text_add_bytes(&sheet->moves, move, length);
}

/* ---- plain lines ---- */

KnStatus kn_lines_read(const char *text, KnSheetText *sheet, KnError *error)
{
    sheet->format = "lines";
    int line = 0;
    for (const char *c = text; *c;) {
        size_t length = strcspn(c, "\r\n");
        line++;
        KnText *to = NULL;
        size_t skip = 0;
        if (length >= 5 && strncasecmp(c, "game:", 5) == 0) to = &sheet->game, skip = 5;
        else if (length >= 9 && strncasecmp(c, "position:", 9) == 0) to = &sheet->start, skip = 9;
        else if (length >= 6 && strncasecmp(c, "moves:", 6) == 0) to = &sheet->moves, skip = 6;
        else if (length && *c != '#' && strspn(c, " \t") < length)
            return kn_fail(error, KN_INPUT, "line %d: expected \"game:\", \"position:\" or \"moves:\", not \"%.*s\"", line, length > 40 ? 40 : (int)length, c);
        if (to) {
            const char *value = c + skip;
            while (value < c + length && (*value == ' ' || *value == '\t')) value++;
            const char *end = c + length;
            while (end > value && isspace((unsigned char)end[-1])) end--;
            if (to == &sheet->moves && to->length) kn_text_add_char(to, ' ');
            else kn_text_clear(to);
            kn_text_add_bytes(to, value, (size_t)(end - value));
        }
        c += length;
        if (c[0] == '\r' && c[1] == '\n') c++;
        if (*c) c++;
    }
    if (!sheet->game.length) return kn_fail(error, KN_INPUT, "no line says which game it is: \"game: SPEC\" is wanted");
    return KN_OK;
}

/* ---- PDN ---- */

/* [Name "value"] at *at; moves past it. */
static KnStatus read_tag(const char *text, const char **at, char *name, size_t size, KnText *value, KnError *error)
{
    const char *c = *at + 1;
    size_t length = 0;
    while (isspace((unsigned char)*c)) c++;
    while (isalnum((unsigned char)*c) || *c == '_') {
        if (length + 1 < size) name[length++] = *c;
        c++;
    }
    name[length] = '\0';
    while (isspace((unsigned char)*c)) c++;
    kn_text_clear(value);
    if (*c != '"') return kn_fail(error, KN_INPUT, "line %d: a tag looks like [Name \"value\"]", line_of(text, *at));
    for (c++; *c && *c != '"'; c++) {
        if (*c == '\\' && (c[1] == '"' || c[1] == '\\')) c++;
        kn_text_add_char(value, *c);
    }
    if (*c) c++;
    while (isspace((unsigned char)*c)) c++;
    if (*c != ']') return kn_fail(error, KN_INPUT, "line %d: the tag %s is not closed by ]", line_of(text, *at), name);
    *at = c + 1;
    return KN_OK;
}

static KnStatus note_tag(const char *name, const KnText *value, KnSheetText *sheet, KnError *error)
{
    if (strcasecmp(name, "GameType") == 0 && strncmp(value->data, "21", 2) != 0)
        return kn_fail(error, KN_INPUT, "GameType %.20s is another kind of draughts; English draughts is 21", value->data);
    KnText *to = strcasecmp(name, "FEN") == 0     ? &sheet->start
                 : strcasecmp(name, "Black") == 0 ? &sheet->players[0]
                 : strcasecmp(name, "White") == 0 ? &sheet->players[1]
                                                  : NULL;
    if (to) {
        kn_text_clear(to);
        kn_text_add(to, value->data);
    }
    return KN_OK;
}

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
        } else if (*c == '(') depth++;
        else if (*c == ')' && --depth == 0) return c + 1;
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

/* One word of the moves: a number, a move or a result, which ends the game. */
static KnStatus read_word(const char *text, const char *c, size_t length, KnSheetText *sheet, bool *ended, KnError *error)
{
    *ended = is_result(c, length);
    if (*ended || *c == '$') return KN_OK;
    size_t digits = strspn(c, "0123456789");
    if (digits && digits < length && c[digits] == '.') { /* 12. or 12... perhaps with the move behind it */
        size_t dots = digits + strspn(c + digits, ".");
        if (dots >= length) return KN_OK;
        c += dots;
        length -= dots;
        digits = strspn(c, "0123456789");
    }
    while (length && strchr("!?*", c[length - 1])) length--;
    if (!digits || digits >= length || !strchr("-x:", c[digits]))
        return kn_fail(error, KN_INPUT, "line %d: \"%.*s\" is no move; expected one such as 11-15 or 15x22", line_of(text, c),
                       length > 40 ? 40 : (int)length, c);
    size_t before = sheet->moves.length;
    add_move(sheet, c, length);
    for (size_t i = before; i < sheet->moves.length; i++)
        if (sheet->moves.data[i] == ':') sheet->moves.data[i] = 'x';
    return KN_OK;
}

KnStatus kn_pdn_read(const char *text, KnSheetText *sheet, KnError *error)
{
    sheet->format = "pdn";
    kn_text_add(&sheet->game, "checkers");
    KnText value = KN_TEXT_EMPTY;
    KnStatus status = KN_OK;
    bool ended = false;
    for (const char *c = text; status == KN_OK && !ended && *c;) {
        if (isspace((unsigned char)*c)) c++;
        else if (*c == '[') {
            char name[32];
            if (sheet->moves.length) break; /* the next game */
            status = read_tag(text, &c, name, sizeof name, &value, error);
            if (status == KN_OK) status = note_tag(name, &value, sheet, error);
        } else if (*c == '{' || *c == '(') {
            const char *end = skip_aside(c);
            if (!end) status = kn_fail(error, KN_INPUT, "line %d: the %s that begins here has no end", line_of(text, c), *c == '{' ? "comment" : "variation");
            c = end;
        } else if (*c == ';' || *c == '%') c += strcspn(c, "\n");
        else {
            size_t length = strcspn(c, " \t\r\n{}();[");
            if (!length) status = kn_fail(error, KN_INPUT, "line %d: \"%c\" does not belong here", line_of(text, c), *c);
            else status = read_word(text, c, length, sheet, &ended, error);
            c += length;
        }
    }
    kn_text_free(&value);
    return status;
}

/* ---- which format ---- */

KnStatus kn_sheet_read(const char *text, KnSheetText *sheet, KnError *error)
{
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
    const char *c = text + strspn(text, " \t\r\n");
    KnStatus status;
    if (*c == '(') status = kn_sgf_read(text, sheet, error);
    else if (*c == '[' || isdigit((unsigned char)*c)) status = kn_pdn_read(text, sheet, error);
    else if (*c == '#' || strncasecmp(c, "game:", 5) == 0) status = kn_lines_read(text, sheet, error);
    else if (!*c) status = kn_fail(error, KN_INPUT, "the file is empty");
    else status = kn_fail(error, KN_INPUT, "this is neither PDN (begins with [), nor SGF or GGF (begin with (;), nor lines that begin with \"game:\"");
    if (status == KN_OK && !(kn_text_ok(&sheet->game) && kn_text_ok(&sheet->start) && kn_text_ok(&sheet->moves))) status = kn_fail_memory(error, "reading a game");
    return status;
}
