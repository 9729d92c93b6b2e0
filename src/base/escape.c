#include "base/escape.h"

void kn_text_escape(KnText *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) switch (text[i]) {
        case '<':
            kn_text_add(out, "&lt;");
            break;
        case '>':
            kn_text_add(out, "&gt;");
            break;
        case '&':
            kn_text_add(out, "&amp;");
            break;
        case '"':
            kn_text_add(out, "&quot;");
            break;
        case '\'':
            kn_text_add(out, "&#39;");
            break;
        default:
            kn_text_add_char(out, (unsigned char)text[i] < ' ' && text[i] != '\n' ? ' ' : text[i]);
        }
}
