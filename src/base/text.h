/* A growing string, for everything that is printed piece by piece.
 *
 * Start from KN_TEXT_EMPTY; free with kn_text_free. Running out of memory is remembered (`failed`) rather
 * than checked at every call: ask once at the end with kn_text_ok. `data` is always a terminated string. */
#ifndef KNACK_BASE_TEXT_H
#define KNACK_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct KnText {
    char *data;
    size_t length;
    size_t capacity;
    bool failed;
} KnText;

#define KN_TEXT_EMPTY ((KnText){(char *)"", 0, 0, false})

void kn_text_free(KnText *text);
void kn_text_clear(KnText *text); /* keeps the memory */
void kn_text_add(KnText *text, const char *string);
void kn_text_add_bytes(KnText *text, const void *bytes, size_t length);
void kn_text_add_char(KnText *text, char c);
void kn_text_printf(KnText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline bool kn_text_ok(const KnText *text) { return !text->failed; }

/* A string as it stands inside double quotes: " and \ and control characters escaped. */
void kn_text_add_quoted(KnText *text, const char *string);

/* The shortest decimal form that reads back as the same double. */
void kn_text_add_real(KnText *text, double value);

#endif
