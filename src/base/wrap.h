/* Lines for a terminal. */
#ifndef KNACK_BASE_WRAP_H
#define KNACK_BASE_WRAP_H

#include "base/text.h"

/* Adds text whose lines break at blanks before they are longer than `width` characters (of UTF-8); the rest
 * of a line goes on below its beginning: below its second column where two blanks or more separate two, as in
 * a list, else two blanks in if it was indented. A word that is too long stays whole. Width 0: nothing
 * breaks. */
void kn_wrap(const char *text, size_t width, KnText *out);

#endif
