/* A game description: rules in the game description language (GDL-I), parsed, checked and ready for
 * reasoning.
 *
 * The parser normalises rules. Keywords lose their case. `(p)` and `p` stay two sentences (the symbol of the
 * first keeps its parentheses), with a warning where both occur. `or` is distributed over the body, which
 * gives several rules; `not` is pushed inwards. `not` and `distinct` move behind the first positive literals
 * that bind their variables. If nothing binds them, the rule is unsafe: the literal is dropped with a
 * warning, as the most widely used reasoner does. The order of positive literals is kept.
 *
 * In GDL-II, `(sees r p)` tells what a role learns of a step. It becomes a fact of the state after the step:
 * `(<= (sees r p) ...)` is read as `(<= (next (sees r p)) ...)`. So it is only where no rule asks for `sees`,
 * which in GDL-I is a name like others.
 *
 * Problems carry line and column. An error makes a description unusable; a warning does not.
 *
 * Ownership: kn_gdl_read allocates a description that kn_gdl_free frees. It is read-only in between; threads
 * may share it. */
#ifndef KNACK_GAMES_GDL_DESCRIPTION_H
#define KNACK_GAMES_GDL_DESCRIPTION_H

#include "base/error.h"
#include "games/gdl/terms.h"

typedef enum KnGdlKind { KN_GDL_HOLDS, KN_GDL_FAILS, KN_GDL_DIFFERS, KN_GDL_EQUALS } KnGdlKind;

typedef struct KnGdlPlace {
    int line, column;
} KnGdlPlace;

/* A literal: a sentence that must hold or must not, or two terms that must differ or be equal. */
typedef struct KnGdlLiteral {
    KnGdlKind kind;
    KnTerm term, other;
    KnGdlPlace place;
} KnGdlLiteral;

typedef struct KnGdlRule {
    KnTerm head;
    KnGdlLiteral *body;
    int count;     /* number of literals; a rule with 0 literals and a ground head is a fact */
    int variables; /* numbered from 0 */
    KnGdlPlace place;
    struct KnGdlRule *next; /* of the same relation, in the order of the description */
} KnGdlRule;

/* What the truth of a relation depends on: nothing, the state, or the state and the moves. */
typedef enum KnGdlLevel { KN_GDL_FIXED, KN_GDL_STATE, KN_GDL_MOVES } KnGdlLevel;

/* A symbol as the name of a relation. */
typedef struct KnGdlRelation {
    KnGdlRule *rules; /* including facts */
    KnGdlRule *last;
    int arity; /* -1: not a relation */
    bool only_facts;
    bool negates_itself; /* recurses through `not`; whether that is stratified shows on ground atoms */
    KnGdlLevel level;
    KnGdlPlace place; /* its first occurrence */
} KnGdlRelation;

typedef struct KnGdlProblem {
    bool error;
    KnGdlPlace place;
    const char *text;
} KnGdlProblem;

enum { KN_GDL_ROLES = 16, KN_GDL_PROBLEMS = 50 };

typedef struct KnGdlDescription {
    KnArena *arena;
    const char *name; /* of the file, for messages */
    KnSymbols symbols;
    KnTerms terms;            /* of all rules */
    KnGdlRelation *relations; /* by symbol */
    int rule_count;
    KnTerm roles[KN_GDL_ROLES];
    int role_count;
    KnSymbol percepts; /* GDL-II: the function of facts that tell what a role saw; 0: all is seen */
    struct {           /* questions to the prover */
        KnTerm init, next, terminal, base;
        KnTerm legal[KN_GDL_ROLES], goal[KN_GDL_ROLES], input[KN_GDL_ROLES];
    } queries;
    KnGdlProblem problems[KN_GDL_PROBLEMS]; /* the first ones */
    int problem_count, error_count;
} KnGdlDescription;

/* Parses a description. If it is unusable, returns KN_INPUT and the first problem in `error`. With
 * `keep_bad`, a description with semantic (not syntactic) errors is still returned for its list of problems,
 * with status KN_NO. */
KnStatus kn_gdl_read(const char *name, const char *text, size_t length, bool keep_bad,
                     KnGdlDescription **description, KnError *error);
/* Reads the text of a file or a built-in description, as kn_gdl_read_file does. */
KnStatus kn_gdl_load(const char *path, KnText *text, KnError *error);
/* Parses a file. A name without a point or slash that is not a file names a built-in description (data/gdl).
 */
KnStatus kn_gdl_read_file(const char *path, bool keep_bad, KnGdlDescription **description, KnError *error);
void kn_gdl_free(KnGdlDescription *description);

/* Parses one ground term of the description's symbols into a store and advances *text behind it. */
KnStatus kn_gdl_read_term(const KnSymbols *symbols, KnTerms *terms, const char **text, KnTerm *term,
                          KnError *error);

#endif
