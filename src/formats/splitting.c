/* Files that hold many games, cut where one ends and the next begins. Whatever is wrong inside a game is the
 * reader's to say. */
#include "formats/reading.h"

#include <ctype.h>
#include <string.h>

const char *kn_sheet_first(const char *text)
{
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
    return text + strspn(text, " \t\r\n");
}

/* Behind the parenthesis that closes the one at c; values in brackets may hold any. The end of the text if
 * none does. */
static const char *behind_tree(const char *c)
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
static const char *behind_moves(const char *c)
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

void kn_sheet_next(const char *game, const char **next)
{
    const char *end = *game == '('                                    ? behind_tree(game)
                      : *game == '[' || isdigit((unsigned char)*game) ? behind_moves(game)
                                                                      : game + strlen(game);
    end += strspn(end, " \t\r\n");
    *next = *end ? end : NULL;
}
