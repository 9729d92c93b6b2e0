/* Splits files of several games where one ends and the next begins. Errors inside a game are left to the
 * parser.
 */
#include "formats/parser.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "formats/pdn_parser.h"

#define BLANKS " \t\r\n"

const char *kn_game_record_first(const char *text)
{
    text += kn_utf8_mark(text);
    text += strspn(text, BLANKS);
    size_t count = strspn(text, "0123456789"), blanks = strspn(text + count, BLANKS);
    return count && blanks && text[count + blanks] == '(' ? text + count + blanks : text;
}

bool kn_game_record_pdn(const char *first)
{
    return *first == '[' || *first == '%' || isdigit((unsigned char)*first);
}

bool kn_game_record_begins(const char *first)
{
    if (*first == '(') return first[1 + strspn(first + 1, BLANKS)] == ';';
    return *first == '[' ? isalpha((unsigned char)first[1])
                         : *first == '%' || strncasecmp(first, "game:", 5) == 0;
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
    const char *end = *game == '('               ? after_tree(game)
                      : kn_game_record_pdn(game) ? kn_pdn_after(game)
                                                 : after_lines(game);
    end = kn_game_record_first(end);
    *next = *end ? end : NULL;
}
