#include "formats/parser.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void kn_game_record_text_free(KnRecordText *record)
{
    kn_text_free(&record->game);
    kn_text_free(&record->start);
    kn_text_free(&record->moves);
    for (int i = 0; i < 2; i++) kn_text_free(&record->players[i]);
    kn_text_free(&record->result);
    kn_text_free(&record->event);
    kn_text_free(&record->round);
    kn_text_free(&record->date);
    *record = KN_RECORD_TEXT;
}

/* ---- plain lines ---- */

KnStatus kn_lines_read(const char *text, KnRecordText *record, KnError *error)
{
    record->format = "lines";
    int line = 0;
    for (const char *c = text; *c;) {
        size_t length = strcspn(c, "\r\n");
        line++;
        KnText *to = NULL;
        size_t skip = 0;
        if (length >= 5 && strncasecmp(c, "game:", 5) == 0) {
            if (record->game.length) break; /* the next game */
            to = &record->game, skip = 5;
        } else if (length >= 9 && strncasecmp(c, "position:", 9) == 0)
            to = &record->start, skip = 9;
        else if (length >= 6 && strncasecmp(c, "moves:", 6) == 0)
            to = &record->moves, skip = 6;
        else if (length && *c != '#' && strspn(c, " \t") < length)
            return kn_fail(error, KN_INPUT,
                           "line %d: expected \"game:\", \"position:\" or \"moves:\", not \"%.*s\"", line,
                           length > 40 ? 40 : (int)length, c);
        if (to) {
            const char *value = c + skip;
            while (value < c + length && (*value == ' ' || *value == '\t')) value++;
            const char *end = c + length;
            while (end > value && isspace((unsigned char)end[-1])) end--;
            if (to == &record->moves && to->length)
                kn_text_add_char(to, ' ');
            else
                kn_text_clear(to);
            kn_text_add_bytes(to, value, (size_t)(end - value));
        }
        c += length;
        if (c[0] == '\r' && c[1] == '\n') c++;
        if (*c) c++;
    }
    if (!record->game.length)
        return kn_fail(error, KN_INPUT, "no line says which game it is: \"game: SPEC\" is wanted");
    return KN_OK;
}

/* ---- results ---- */

bool kn_pdn_score(const char *text, double *first)
{
    static const struct {
        const char *text;
        double first; /* the side whose score comes first */
    } results[] = {{"1-0", 1}, {"2-0", 1}, {"0-1", -1}, {"0-2", -1}, {"1/2-1/2", 0}, {"1-1", 0}};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (strcmp(text, results[i].text) == 0) {
            *first = results[i].first;
            return true;
        }
    return false;
}

static bool pdn_outcome(const KnRecordText *record, double *outcome)
{
    double first;
    if (!kn_pdn_score(record->result.data, &first)) return false;
    *outcome = record->white_first ? 0 - first : first;
    return true;
}

bool kn_game_record_number(const char *text, double *number)
{
    char digits[24];
    text += strspn(text, " ");
    size_t length = strspn(text, "+-.,0123456789");
    if (!length || length >= sizeof digits || (text[length] && !strchr(" :", text[length]))) return false;
    for (size_t i = 0; i < length; i++) digits[i] = text[i] == ',' ? '.' : text[i];
    digits[length] = '\0';
    char *end;
    *number = strtod(digits, &end);
    return end == digits + length;
}

/* A number of points, at most those of the largest board. */
static bool read_margin(const char *text, double *margin)
{
    return kn_game_record_number(text, margin) && *margin >= -361 && *margin <= 361;
}

bool kn_game_record_outcome(const KnRecordText *record, double *outcome)
{
    const char *result = record->result.data;
    if (!record->format || !*result) return false;
    if (strcmp(record->format, "pdn") == 0) return pdn_outcome(record, outcome);
    if (strcmp(record->format, "ggf") == 0) return read_margin(result, outcome);
    if (strcmp(record->format, "sgf") != 0) return false;
    if (strcmp(result, "0") == 0 || strcasecmp(result, "Draw") == 0 || strcasecmp(result, "Jigo") == 0) {
        *outcome = 0;
        return true;
    }
    bool black = strncasecmp(result, "B+", 2) == 0, white = strncasecmp(result, "W+", 2) == 0;
    if ((!black && !white) || !isdigit((unsigned char)result[2]) || !read_margin(result + 2, outcome))
        return false;
    if (white) *outcome = -*outcome;
    return true;
}

/* ---- which format ---- */

KnStatus kn_game_record_read(const char *text, KnRecordText *record, KnError *error)
{
    text += kn_utf8_mark(text);
    const char *c = kn_game_record_first(text);
    KnStatus status;
    if (*c == '(')
        status = kn_sgf_read(text[strspn(text, " \t\r\n")] == '(' ? text : c, record, error);
    else if (kn_game_record_pdn(c))
        status = kn_pdn_read(text, record, error);
    else if (*c == '#' || strncasecmp(c, "game:", 5) == 0)
        status = kn_lines_read(text, record, error);
    else if (!*c)
        status = kn_fail(error, KN_INPUT, "the file is empty");
    else
        status = kn_fail(error, KN_INPUT,
                         "this is neither PDN (begins with [), nor SGF or GGF (begin with (;), nor lines "
                         "that begin with \"game:\"");
    if (status == KN_OK &&
        !(kn_text_ok(&record->game) && kn_text_ok(&record->start) && kn_text_ok(&record->moves)))
        status = kn_fail_memory(error, "reading a game");
    return status;
}
