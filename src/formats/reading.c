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
    kn_text_free(&sheet->result);
    *sheet = KN_SHEET_TEXT;
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
        if (length >= 5 && strncasecmp(c, "game:", 5) == 0)
            to = &sheet->game, skip = 5;
        else if (length >= 9 && strncasecmp(c, "position:", 9) == 0)
            to = &sheet->start, skip = 9;
        else if (length >= 6 && strncasecmp(c, "moves:", 6) == 0)
            to = &sheet->moves, skip = 6;
        else if (length && *c != '#' && strspn(c, " \t") < length)
            return kn_fail(error, KN_INPUT,
                           "line %d: expected \"game:\", \"position:\" or \"moves:\", not \"%.*s\"", line,
                           length > 40 ? 40 : (int)length, c);
        if (to) {
            const char *value = c + skip;
            while (value < c + length && (*value == ' ' || *value == '\t')) value++;
            const char *end = c + length;
            while (end > value && isspace((unsigned char)end[-1])) end--;
            if (to == &sheet->moves && to->length)
                kn_text_add_char(to, ' ');
            else
                kn_text_clear(to);
            kn_text_add_bytes(to, value, (size_t)(end - value));
        }
        c += length;
        if (c[0] == '\r' && c[1] == '\n') c++;
        if (*c) c++;
    }
    if (!sheet->game.length)
        return kn_fail(error, KN_INPUT, "no line says which game it is: \"game: SPEC\" is wanted");
    return KN_OK;
}

/* ---- which format ---- */

KnStatus kn_sheet_read(const char *text, KnSheetText *sheet, KnError *error)
{
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
    const char *c = text + strspn(text, " \t\r\n");
    KnStatus status;
    if (*c == '(')
        status = kn_sgf_read(text, sheet, error);
    else if (*c == '[' || isdigit((unsigned char)*c))
        status = kn_pdn_read(text, sheet, error);
    else if (*c == '#' || strncasecmp(c, "game:", 5) == 0)
        status = kn_lines_read(text, sheet, error);
    else if (!*c)
        status = kn_fail(error, KN_INPUT, "the file is empty");
    else
        status = kn_fail(error, KN_INPUT,
                         "this is neither PDN (begins with [), nor SGF or GGF (begin with (;), nor lines "
                         "that begin with \"game:\"");
    if (status == KN_OK &&
        !(kn_text_ok(&sheet->game) && kn_text_ok(&sheet->start) && kn_text_ok(&sheet->moves)))
        status = kn_fail_memory(error, "reading a game");
    return status;
}
