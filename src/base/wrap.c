#include "base/wrap.h"

#include <string.h>

static size_t characters(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++) count += (text[i] & 0xC0) != 0x80;
    return count;
}

/* Where the rest of a line begins: see wrap.h. Never beyond half of the width. */
static size_t hanging_indent(const char *line, size_t length, size_t width)
{
    size_t indent = 0;
    while (indent < length && line[indent] == ' ') indent++;
    size_t column = indent;
    while (column + 1 < length && !(line[column] == ' ' && line[column + 1] == ' ')) column++;
    bool list = column + 1 < length;
    while (list && column < length && line[column] == ' ') column++;
    size_t found = list ? characters(line, column) : indent ? indent + 2 : 0;
    return found > width / 2 ? (indent > width / 2 ? 0 : indent) : found;
}

static void wrap_line(const char *line, size_t length, size_t width, KnText *out)
{
    size_t indent = hanging_indent(line, length, width), used = 0, start = 0;
    while (start < length) {
        size_t word = start;
        while (word < length && line[word] == ' ') word++;
        size_t end = word;
        while (end < length && line[end] != ' ') end++;
        size_t more = characters(line + start, end - start);
        bool begins = characters(line, start) <= indent; /* the first word stays where it is */
        if (used + more > width && !begins && end > word) {
            kn_text_printf(out, "\n%*s", (int)indent, "");
            start = word;
            used = indent;
            more = characters(line + start, end - start);
        }
        kn_text_add_bytes(out, line + start, end - start);
        used += more;
        start = end;
    }
}

void kn_wrap(const char *text, size_t width, KnText *out)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (width && characters(text, length) > width)
            wrap_line(text, length, width, out);
        else
            kn_text_add_bytes(out, text, length);
        text += length;
        if (*text) kn_text_add_char(out, *text++);
    }
}
