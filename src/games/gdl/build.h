/* The stages of parsing, private to games/gdl: text to tree (reader.c), tree to rules (rules.c), checks
 * (check.c). */
#ifndef KNACK_GAMES_GDL_BUILD_H
#define KNACK_GAMES_GDL_BUILD_H

#include "games/gdl/description.h"

/* An atom or a list, as written. */
typedef struct KnGdlNode {
    struct KnGdlNode *first, *next; /* first item of a list; next item of the enclosing list */
    int items;                      /* -1: an atom */
    KnSymbol symbol;                /* an atom's; for a list that begins with an atom, that atom's */
    bool variable;                  /* an atom that starts with ? */
    KnSymbol auxiliary;             /* auxiliary relation of an `or`; 0: none */
    KnGdlPlace place;
} KnGdlNode;

typedef struct KnGdlBuild {
    KnGdlDescription *description;
    KnArena *scratch;
    int *function_arity; /* by symbol; -1: not seen yet */
    KnGdlPlace *function_place;
    KnError *error;
} KnGdlBuild;

KnStatus kn_gdl_parse(KnGdlDescription *description, KnArena *scratch, const char *text, size_t length,
                      KnGdlNode **first, KnError *error);
KnStatus kn_gdl_make_rules(KnGdlBuild *build, const KnGdlNode *first);
KnStatus kn_gdl_check(KnGdlBuild *build);
KnStatus kn_gdl_make_queries(KnGdlDescription *description, KnError *error); /* after the roles are known */

/* Records a problem, up to KN_GDL_PROBLEMS of them. */
void kn_gdl_problem(KnGdlDescription *description, bool error, KnGdlPlace place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
