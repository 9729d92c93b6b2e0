/* Specs: the text form of everything that has a name and options.
 *
 *     alphabeta(depth=6, eval=td(weights=chk.json))     a name, options by key, a spec as a value
 *     reasonable(0.7)   tictactoe(lose)                 options by place, flags by name
 *     hoyle(+rote, -patsy)                              flags switched on and off
 *     gtp("gnugo --mode gtp")   gdl:games/ttt.kif       text; NAME:PATH is short for NAME("PATH")
 *
 * A spec is parsed into a tree of plain nodes in the caller's arena and prints back as parsed, white space
 * aside: that is its canonical form, part of a run's identity. What names and options mean is decided where
 * the tree is bound to an option table (kn_options_bind); every complaint names the column. */
#ifndef KNACK_BASE_SPEC_H
#define KNACK_BASE_SPEC_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

typedef enum KnSpecKind { KN_SPEC_NAME, KN_SPEC_NUMBER, KN_SPEC_STRING } KnSpecKind;

typedef struct KnSpec {
    KnSpecKind kind;
    const char *text;          /* the name, the number as written, or the string's content */
    const char *key;           /* "depth" in depth=6; NULL for a value by place */
    double number;             /* of KN_SPEC_NUMBER */
    int column;                /* where it stands, from 1 */
    char sign;                 /* '+' or '-' before a flag, else 0 */
    bool path;                 /* written NAME:PATH */
    const struct KnSpec *args; /* first argument, NULL if none */
    const struct KnSpec *next; /* next argument of the same parent */
} KnSpec;

KnStatus kn_spec_parse(const char *text, KnArena *arena, const KnSpec **spec, KnError *error);

/* Adds the canonical form. */
void kn_spec_print(const KnSpec *spec, KnText *out);

typedef enum KnOptionType {
    KN_OPTION_INTEGER, /* low..high */
    KN_OPTION_REAL,    /* low..high */
    KN_OPTION_FLAG,    /* off unless named; +name, -name, name, name=yes|no */
    KN_OPTION_CHOICE,  /* one of the words in `choices`, separated by | */
    KN_OPTION_STRING,  /* a word or a quoted string: commands, texts; a file's name if `choices` is
                          KN_OPTION_FILE */
    KN_OPTION_SPEC     /* a nested spec; `choices` says of what kind, for the help */
} KnOptionType;

#define KN_OPTION_FILE "file" /* the name of a file that players read (kn_context_file) */

/* One row of an option table; a table ends with a row without a name. Values by place fill the rows in order,
 * flags excepted. */
typedef struct KnOption {
    const char *name;
    KnOptionType type;
    const char
        *fallback; /* as it would be written; NULL: must be given; "" for STRING and SPEC: may be absent */
    double low, high;
    const char *choices;
    const char *help;
} KnOption;

/* The arguments of one spec, checked against its table. Lives as long as the arena it was bound in. */
typedef struct KnOptions {
    const KnOption *table;
    const KnSpec **values; /* a row each; NULL where absent */
} KnOptions;

KnStatus kn_options_bind(const KnOption *table, const KnSpec *spec, KnArena *arena, KnOptions *options,
                         KnError *error);

/* Reading a bound option. Asking for a name or type that the table lacks is a mistake of ours and asserts. */
long kn_option_integer(const KnOptions *options, const char *name);
double kn_option_real(const KnOptions *options, const char *name);
bool kn_option_flag(const KnOptions *options, const char *name);
int kn_option_choice(const KnOptions *options, const char *name);         /* index into choices */
const char *kn_option_string(const KnOptions *options, const char *name); /* NULL if absent */
const KnSpec *kn_option_spec(const KnOptions *options, const char *name); /* NULL if absent */

#endif
