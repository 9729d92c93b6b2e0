/* A rule sheet: the rules of a game in the game description language (GDL-I), read, checked and made ready to
 * prove from.
 *
 * What the reader does to the rules: keywords lose their case; `(p)` and `p` stay two sentences (the symbol
 * of the first is written with its parentheses), which earns a warning where both occur; `or` is multiplied
 * out into several rules, `not` is pushed inwards; `not` and `distinct` are moved behind the first positive
 * literals that bind their variables. One that nothing binds says nothing (the rule is unsafe) and is left
 * out with a warning: so does the reasoner in widest use, and sheets are played as it plays them. The order
 * of positive literals is kept.
 *
 * Problems carry their line and column. Errors (a sheet that has no meaning) refuse the sheet; warnings do
 * not.
 *
 * Ownership: kn_gdl_read allocates a sheet that kn_gdl_free frees; it never changes in between and may be
 * shared. */
#ifndef KNACK_GAMES_GDL_SHEET_H
#define KNACK_GAMES_GDL_SHEET_H

#include "base/error.h"
#include "games/gdl/terms.h"

typedef enum KnGdlKind { KN_GDL_HOLDS, KN_GDL_FAILS, KN_GDL_DIFFERS, KN_GDL_EQUALS } KnGdlKind;

typedef struct KnGdlPlace {
    int line, column;
} KnGdlPlace;

/* A literal: a sentence that must hold or must not, or two terms that must differ or not. */
typedef struct KnGdlLiteral {
    KnGdlKind kind;
    KnTerm term, other;
    KnGdlPlace place;
} KnGdlLiteral;

typedef struct KnGdlRule {
    KnTerm head;
    KnGdlLiteral *body;
    int count;     /* literals; 0 and a ground head: a fact */
    int variables; /* numbered 0.. */
    KnGdlPlace place;
    struct KnGdlRule *next; /* with the same relation, in the order of the sheet */
} KnGdlRule;

/* On what the truth of a relation may depend: nothing, the state, or also the moves. */
typedef enum KnGdlLevel { KN_GDL_FIXED, KN_GDL_STATE, KN_GDL_MOVES } KnGdlLevel;

/* What is known of a symbol as the name of a relation. */
typedef struct KnGdlRelation {
    KnGdlRule *rules; /* facts among them */
    KnGdlRule *last;
    int arity; /* -1: no relation */
    bool only_facts;
    KnGdlLevel level;
    KnGdlPlace place; /* where it was first met */
} KnGdlRelation;

typedef struct KnGdlProblem {
    bool error;
    KnGdlPlace place;
    const char *text;
} KnGdlProblem;

enum { KN_GDL_ROLES = 16, KN_GDL_PROBLEMS = 50 };

typedef struct KnGdlSheet {
    KnArena *arena;
    const char *name; /* of the file, for messages */
    KnSymbols symbols;
    KnTerms terms;            /* of all rules */
    KnGdlRelation *relations; /* by symbol */
    int rule_count;
    KnTerm roles[KN_GDL_ROLES];
    int role_count;
    struct { /* what is asked of the prover */
        KnTerm init, next, terminal, base;
        KnTerm legal[KN_GDL_ROLES], goal[KN_GDL_ROLES], input[KN_GDL_ROLES];
    } queries;
    KnGdlProblem problems[KN_GDL_PROBLEMS]; /* the first ones */
    int problem_count, error_count;
} KnGdlSheet;

/* Reads a sheet. If it cannot be used the status is KN_INPUT and the error holds the first problem; with
 * `keep_bad` a sheet with errors of meaning (not of form) is still returned, for its list of problems, and
 * the status is KN_NO. */
KnStatus kn_gdl_read(const char *name, const char *text, size_t length, bool keep_bad, KnGdlSheet **sheet,
                     KnError *error);
/* The text of a file, as kn_gdl_read_file finds it. */
KnStatus kn_gdl_load(const char *path, KnText *text, KnError *error);
/* From a file; a name without a point or slash, where no such file is, stands for one of the sheets of
 * data/gdl. */
KnStatus kn_gdl_read_file(const char *path, bool keep_bad, KnGdlSheet **sheet, KnError *error);
void kn_gdl_free(KnGdlSheet *sheet);

/* Reads one ground term made of the sheet's symbols into a store; advances *text behind it. */
KnStatus kn_gdl_read_term(const KnSymbols *symbols, KnTerms *terms, const char **text, KnTerm *term,
                          KnError *error);

#endif
