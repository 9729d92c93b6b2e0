/* The stages of reading a sheet, private to games/gdl: text into a tree (reader.c), the tree into rules
 * (rules.c), the rules checked (check.c). */
#ifndef KNACK_GAMES_GDL_BUILD_H
#define KNACK_GAMES_GDL_BUILD_H

#include "games/gdl/sheet.h"

/* An atom or a list, as written. */
typedef struct KnGdlNode {
    struct KnGdlNode *first, *next; /* items of a list; the next item of the same list */
    int items;                      /* -1: an atom */
    KnSymbol symbol;                /* of an atom; of a list that begins with an atom, that atom's */
    bool variable;                  /* an atom that begins with ? */
    KnSymbol helper;                /* of an `or` that gets a relation of its own; 0: none */
    KnGdlPlace place;
} KnGdlNode;

typedef struct KnGdlBuild {
    KnGdlSheet *sheet;
    KnArena *scratch;
    int *function_arity; /* by symbol, -1: not met */
    KnGdlPlace *function_place;
    KnError *error;
} KnGdlBuild;

KnStatus kn_gdl_parse(KnGdlSheet *sheet, KnArena *scratch, const char *text, size_t length, KnGdlNode **first,
                      KnError *error);
KnStatus kn_gdl_make_rules(KnGdlBuild *build, const KnGdlNode *first);
KnStatus kn_gdl_check(KnGdlBuild *build);
KnStatus kn_gdl_make_queries(KnGdlSheet *sheet, KnError *error); /* once the roles are known */

/* Notes a problem, up to a number of them. */
void kn_gdl_problem(KnGdlSheet *sheet, bool error, KnGdlPlace place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
