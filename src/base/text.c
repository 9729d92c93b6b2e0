#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

void kn_text_free(KnText *text)
{
    if (text->capacity) free(text->data);
    *text = KN_TEXT_EMPTY;
}

char *kn_text_take(KnText *text)
{
    char *taken = NULL;
    if (text->failed)
        kn_text_free(text);
    else if (text->capacity)
        taken = text->data;
    else
        taken = strdup("");
    *text = KN_TEXT_EMPTY;
    return taken;
}

void kn_free(char *text) { free(text); }

void kn_text_clear(KnText *text)
{
    if (text->capacity) text->data[0] = '\0';
    text->length = 0;
    text->failed = false;
}

static bool text_reserve(KnText *text, size_t more)
{
    if (text->failed) return false;
    if (more > SIZE_MAX / 4 ||
        text->length > SIZE_MAX / 4) { /* so that neither the sum nor the doubling wraps */
        text->failed = true;
        return false;
    }
    KN_ASSERT(text->capacity ? text->length < text->capacity : text->length == 0);
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity) return true;
    size_t capacity = text->capacity ? text->capacity : 64;
    while (capacity < needed) capacity *= 2;
    char *data = realloc(text->capacity ? text->data : NULL, capacity);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    text->data[text->length] = '\0';
    return true;
}

void kn_text_add_bytes(KnText *text, const void *bytes, size_t length)
{
    if (!text_reserve(text, length)) return;
    if (length) memcpy(text->data + text->length, bytes, length); /* nothing may come from nowhere */
    text->length += length;
    text->data[text->length] = '\0';
}

void kn_text_add(KnText *text, const char *string) { kn_text_add_bytes(text, string, strlen(string)); }

void kn_text_add_char(KnText *text, char c) { kn_text_add_bytes(text, &c, 1); }

void kn_text_printf(KnText *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length >= 0 && text_reserve(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

size_t kn_utf8_length(const char *c)
{
    unsigned char first = (unsigned char)*c, second = (unsigned char)(first < 0xC2 ? 0 : c[1]);
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0;
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F))
        return 0; /* too long; surrogates */
    if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0; /* beyond Unicode */
    size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    for (size_t i = 1; i < length; i++)
        if (((unsigned char)c[i] & 0xC0) != 0x80) return 0;
    return length;
}

bool kn_utf8_valid(const char *text)
{
    for (size_t length; *text; text += length)
        if (!(length = kn_utf8_length(text))) return false;
    return true;
}

void kn_text_add_utf8(KnText *text, const char *bytes, size_t length)
{
    size_t begin = text->length;
    kn_text_add_bytes(text, bytes, length);
    if (text->failed) return;
    size_t valid = begin;
    for (size_t more; valid < text->length && (more = kn_utf8_length(text->data + valid)); valid += more)
        if (!text->data[valid]) text->data[valid] = ' ';
    if (valid >= text->length) return;
    text->length = begin;
    for (size_t i = 0; i < length; i++) {
        unsigned char letter = (unsigned char)bytes[i];
        if (letter >= 0x80) kn_text_add_char(text, (char)(0xC0 | letter >> 6));
        kn_text_add_char(text, (char)(!letter ? ' ' : letter < 0x80 ? letter : 0x80 | (letter & 0x3F)));
    }
}

void kn_text_add_quoted(KnText *text, const char *string)
{
    kn_text_add_char(text, '"');
    for (const unsigned char *c = (const unsigned char *)string; *c; c++) {
        if (*c == '"' || *c == '\\')
            kn_text_printf(text, "\\%c", *c);
        else if (*c == '\n')
            kn_text_add(text, "\\n");
        else if (*c == '\t')
            kn_text_add(text, "\\t");
        else if (*c < 0x20)
            kn_text_printf(text, "\\u%04x", *c);
        else
            kn_text_add_char(text, (char)*c);
    }
    kn_text_add_char(text, '"');
}

void kn_text_add_real(KnText *text, double value)
{
    char digits[40];
    if (fabs(value) < 1e15 && value == trunc(value)) { /* %g would make 40 into 4e+01 */
        kn_text_printf(text, "%.0f", value);
        return;
    }
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    kn_text_add(text, digits);
}
