/* Questions from games that were played: strings of two to four liberties, as capture problems without an
 * answer. They tell how a solver fares on what occurs, not on what was made to be a problem. */
#ifndef KNACK_METHODS_WIDENING_CAPTURE_STRINGS_H
#define KNACK_METHODS_WIDENING_CAPTURE_STRINGS_H

#include "games/game.h"

typedef struct KnCaptureStrings KnCaptureStrings;

/* A sample of `wanted` strings, each of those seen with the same probability. NULL if memory runs out; free
 * it with kn_capture_strings_free. */
KnCaptureStrings *kn_capture_strings_new(const KnContext *context, int wanted, uint64_t seed);
void kn_capture_strings_free(KnCaptureStrings *strings);

/* Sees all games of Go in a text of SGF; `name` stands in messages. */
KnStatus kn_capture_strings_see(KnCaptureStrings *strings, const char *text, const char *name,
                                KnError *error);

/* A line for each string of the sample; KN_INPUT if there were fewer than wanted. */
KnStatus kn_capture_strings_write(const KnCaptureStrings *strings, KnText *out, KnError *error);

#endif
