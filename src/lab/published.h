/* Published values: what a paper prints, in a data file that travels inside the library
 * (data/embed/published/PAPER.json).
 *
 *     {"paper": "lock-2003", "cite": "Lock 2003", "title": ..., "author": ..., "year": 2003, "where": ...,
 *      "tables": [{"id": "table6", "label": "Table 6", "page": "72", "title": ..., "unit": "%", "decimals":
 * 2, "note": ..., "values": [{"row": ..., "column": ..., "value": 20.5, "deviation": 4.14, "runs": 20, "n":
 * 1000}, ...]}]}
 *
 * A table may also stand for a figure, or for a section of text whose claims carry no number: then a value
 * has a "relation" (">" or "<"), `value` is the boundary (0 for a difference, 1 for a ratio), and "text"
 * gives the claim. `deviation` is the printed standard deviation over `runs`, `n` the number of trials behind
 * a share; all three are optional. A page on a value overrides its table's. "timed" names the columns of a
 * table (separated by |, or "*") whose values come from the clock of a machine: they get no verdict.
 *
 * Ownership: everything lives in the caller's arena and is read-only. */
#ifndef KNACK_LAB_PUBLISHED_H
#define KNACK_LAB_PUBLISHED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

typedef struct KnPublishedValue {
    const char *row, *column;
    const char *page;
    const char *text; /* of a claim; "" otherwise */
    char relation;    /* '=', '>' or '<' */
    double value;
    double deviation; /* negative where none is printed */
    double runs, n;   /* 0 where unknown */
} KnPublishedValue;

typedef struct KnPublishedTable {
    const char *id, *label, *page, *title, *unit, *note; /* unit and note may be "" */
    int decimals;                                        /* printed behind the point */
    const char *timed; /* columns that clocks decide, separated by |, or "*" for all; "" if none */
    const KnPublishedValue *values;
    size_t count;
} KnPublishedTable;

typedef struct KnPaper {
    const char *id, *cite, *title, *author, *where;
    int year;
    const KnPublishedTable *tables;
    size_t count;
} KnPaper;

KnStatus kn_published_load(const char *paper, KnArena *arena, const KnPaper **out, KnError *error);

/* The same from bytes; `name` stands in the messages. */
KnStatus kn_published_parse(const void *bytes, size_t size, const char *name, KnArena *arena,
                            const KnPaper **out, KnError *error);

/* NULL if there is none. */
const KnPublishedTable *kn_published_table(const KnPaper *paper, const char *id);
const KnPublishedValue *kn_published_value(const KnPublishedTable *table, const char *row,
                                           const char *column);

/* The standard error that the printed value itself carries: deviation over the root of the runs, where
 * printed; that of a share of n trials, where the unit is "%" (of 100) or "share" (of 1); else 0. */
double kn_published_error(const KnPublishedTable *table, const KnPublishedValue *value);

/* Whether clocks decide the values of a column. */
bool kn_published_timed(const KnPublishedTable *table, const char *column);

#endif
