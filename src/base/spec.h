/* Specs as trees: the parser, the printer, and binding to an option table. <knack/base.h> describes the text
 * form and reads bound options.
 *
 * A spec is parsed into plain nodes in the caller's arena. It prints back as parsed, white space aside: that
 * is its canonical form, part of a run's identity. Names and options get their meaning when the tree is bound
 * to an option table (kn_options_bind). Every error names the column. */
#ifndef KNACK_BASE_SPEC_H
#define KNACK_BASE_SPEC_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

typedef enum KnSpecKind { KN_SPEC_NAME, KN_SPEC_NUMBER, KN_SPEC_STRING } KnSpecKind;

struct KnSpec {
    KnSpecKind kind;
    const char *text;          /* the name, the number as written, or the string's content */
    const char *key;           /* "depth" in depth=6; NULL for a value by position */
    double number;             /* of KN_SPEC_NUMBER */
    int column;                /* in the text, from 1 */
    int key_column;            /* of the key; without one, `column` */
    char sign;                 /* '+' or '-' before a flag, else 0 */
    bool path;                 /* written NAME:PATH */
    const struct KnSpec *args; /* first argument, NULL if none */
    const struct KnSpec *next; /* next argument of the same parent */
};

KnStatus kn_spec_parse(const char *text, KnArena *arena, const KnSpec **spec, KnError *error);

/* Appends the canonical form. */
void kn_spec_print(const KnSpec *spec, KnText *out);

/* The arguments of one spec, checked against its table. Lives as long as the arena it was bound in. Reading
 * an option that the table lacks is a defect of the caller and asserts. */
struct KnOptions {
    const KnOption *table;
    const KnSpec **values; /* a row each; NULL where absent */
    bool *given;           /* a row each: the value is the spec's, not the default */
};

/* Whether the spec gives an option, so that its value is not the default. */
bool kn_option_given(const KnOptions *options, const char *name);

KnStatus kn_options_bind(const KnOption *table, const KnSpec *spec, KnArena *arena, KnOptions *options,
                         KnError *error);

#endif
