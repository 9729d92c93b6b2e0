/* A growing string. <knack/base.h> has the functions that append.
 *
 * Start from KN_TEXT_EMPTY; release with kn_text_free. Running out of memory is remembered (`failed`); check
 * once at the end with kn_text_ok. `data` is always a terminated string. */
#ifndef KNACK_BASE_TEXT_H
#define KNACK_BASE_TEXT_H

#include <string.h>

#include <knack/base.h>

struct KnText {
    char *data;
    size_t length;
    size_t capacity;
    bool failed;
};

#define KN_TEXT_EMPTY ((KnText){(char *)"", 0, 0, false})

void kn_text_free(KnText *text);
void kn_text_clear(KnText *text); /* keeps the memory */
static inline bool kn_text_ok(const KnText *text) { return !text->failed; }

/* The bytes of the character of UTF-8 at c, 0 if there is none. */
size_t kn_utf8_length(const char *c);

/* Whether a text is UTF-8 throughout. */
bool kn_utf8_valid(const char *text);

/* The bytes of the byte-order mark that some editors put before a text: 3 or 0. */
static inline size_t kn_utf8_mark(const char *text) { return strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; }

/* Adds bytes that others wrote as UTF-8: what is none is taken for Latin-1, which old files use. Zeros become
 * blanks. */
void kn_text_add_utf8(KnText *text, const char *bytes, size_t length);

/* Ends the text: its content as a string of its own, for kn_free; NULL if memory ran out. */
char *kn_text_take(KnText *text);

/* The ending of a noun after a count: "1 game", "2 games". */
static inline const char *kn_s(uint64_t count) { return count == 1 ? "" : "s"; }

#endif
