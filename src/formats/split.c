/* Splits files of several games where one ends and the next begins. Errors inside a game are left to the
 * parser.
 */
#include "formats/parser.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

const char *kn_game_record_first(const char *text)
{
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
    return text + strspn(text, " \t\r\n");
}

/* The place after the parenthesis that closes the one at c, or the end of the text. Values in brackets may
 * hold any parentheses. */
static const char *after_tree(const char *c)
{
    int depth = 0;
    for (; *c; c++) {
        if (*c == '[') {
            for (c++; *c && *c != ']'; c++)
                if (*c == '\\' && c[1]) c++;
            if (!*c) return c;
        } else if (*c == '(')
            depth++;
        else if (*c == ')' && --depth <= 0)
            return c + 1;
    }
    return c;
}

/* PDN: a tag at the beginning of a line, after moves, begins the next game. */
static const char *after_moves(const char *c)
{
    bool moves = false, fresh = true;
    for (; *c; c++) {
        if (*c == '{') {
            const char *end = strchr(c, '}');
            if (!end) return c + strlen(c);
            c = end;
        } else if (fresh && *c == '[') {
            if (moves) return c;
            c += strcspn(c, "\n");
            if (!*c) return c;
        } else if (!isspace((unsigned char)*c))
            moves = true;
        fresh = *c == '\n';
    }
    return c;
}

/* Plain lines: the second line "game:" begins the next game. */
static const char *after_lines(const char *c)
{
    for (bool begun = false; *c; c += strcspn(c, "\n"), c += *c == '\n') {
        if (strncasecmp(c, "game:", 5) != 0) continue;
        if (begun) return c;
        begun = true;
    }
    return c;
}

void kn_game_record_next(const char *game, const char **next)
{
    const char *end = *game == '('                                    ? after_tree(game)
                      : *game == '[' || isdigit((unsigned char)*game) ? after_moves(game)
                                                                      : after_lines(game);
    end += strspn(end, " \t\r\n");
    *next = *end ? end : NULL;
}
