#ifndef KNACK_BASE_ESCAPE_H
#define KNACK_BASE_ESCAPE_H

#include "base/text.h"

/* Adds `length` bytes of a text to HTML or SVG, between tags or in quotes: what would end either is written
 * as an entity, and control characters but ends of lines, which boards consist of, as
 * blanks. */
void kn_text_escape(KnText *out, const char *text, size_t length);

#endif
