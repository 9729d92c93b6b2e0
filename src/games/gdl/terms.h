/* Symbols and terms of the game description language (GDL).
 *
 * Terms are hash-consed: equal terms have the same number, so comparing them is one instruction and a set of
 * terms is a set of integers. Variables are terms too, numbered within their rule; a term knows whether it is
 * ground. A sentence (a relation with its arguments) is also a term.
 *
 * Ownership: a store owns its terms and frees all of them together; symbols live with their table. A call
 * that makes a term returns 0 if memory or the store's limit runs out or the term is too large or nested too
 * deeply, and sets `failed` in the store. */
#ifndef KNACK_GAMES_GDL_TERMS_H
#define KNACK_GAMES_GDL_TERMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

typedef uint32_t KnSymbol;
typedef uint32_t KnTerm; /* 0: none */

/* Limits: arguments of a term, variables of a rule, nesting of the input, nesting of terms, and symbols of a
 * term as it is written: terms are shared in memory, so that one of depth n could have 2^n of them. */
enum {
    KN_GDL_ARITY = 250,
    KN_GDL_VARIABLES = 250,
    KN_GDL_DEPTH = 100,
    KN_TERM_DEPTH = 200,
    KN_TERM_SIZE = 10000
};

/* The keywords of the language. They have these numbers in every table; case does not matter. */
enum {
    KN_GDL_ROLE,
    KN_GDL_INIT,
    KN_GDL_TRUE,
    KN_GDL_NEXT,
    KN_GDL_LEGAL,
    KN_GDL_DOES,
    KN_GDL_GOAL,
    KN_GDL_TERMINAL,
    KN_GDL_BASE,
    KN_GDL_INPUT,
    KN_GDL_DISTINCT,
    KN_GDL_NOT,
    KN_GDL_OR,
    KN_GDL_RULE,
    KN_GDL_KEYWORDS
};

typedef struct KnSymbols {
    KnArena *arena;
    const char **names;
    uint32_t count, capacity;
    uint32_t *buckets; /* number + 1; open addressing */
    uint32_t mask;
} KnSymbols;

bool kn_symbols_init(KnSymbols *symbols); /* with the keywords; false if memory runs out */
void kn_symbols_free(KnSymbols *symbols);
bool kn_symbol_add(KnSymbols *symbols, const char *name, size_t length, KnSymbol *symbol);
bool kn_symbol_find(const KnSymbols *symbols, const char *name, size_t length, KnSymbol *symbol);

#define KN_TERM_VARIABLE 0x80000000u /* the symbol of variable n is this | n */

typedef struct KnTermNode {
    uint32_t symbol;
    uint32_t args; /* index of the first one in the store's args */
    uint32_t next; /* in the same bucket */
    uint8_t arity;
    uint8_t depth;      /* of nesting; a constant has 0 */
    uint16_t size;      /* symbols as written */
    uint16_t variables; /* highest variable in it plus one; 0: ground */
} KnTermNode;

typedef struct KnTerms {
    KnTermNode *nodes; /* number 0 is unused */
    KnTerm *args;
    uint32_t *buckets;
    uint32_t count, capacity;
    uint32_t args_count, args_capacity;
    uint32_t mask;
    uint32_t limit; /* of count; four times as many arguments */
    bool failed;
} KnTerms;

bool kn_terms_init(KnTerms *terms, uint32_t limit);
void kn_terms_free(KnTerms *terms);
bool kn_terms_copy(KnTerms *terms, const KnTerms *from,
                   uint32_t limit); /* a new store with the same numbers */
void kn_terms_truncate(KnTerms *terms, uint32_t count, uint32_t args_count); /* removes later terms */

KnTerm kn_term_make(KnTerms *terms, KnSymbol symbol, const KnTerm *args, int arity);
KnTerm kn_term_find(const KnTerms *terms, KnSymbol symbol, const KnTerm *args,
                    int arity); /* 0 if it does not exist */
KnTerm kn_term_variable(KnTerms *terms, unsigned number);
KnTerm kn_term_import(KnTerms *terms, const KnTerms *from, KnTerm term); /* the same term in another store */

static inline const KnTermNode *kn_term(const KnTerms *terms, KnTerm term) { return &terms->nodes[term]; }
static inline const KnTerm *kn_term_args(const KnTerms *terms, KnTerm term)
{
    return terms->args + terms->nodes[term].args;
}
static inline bool kn_term_ground(const KnTerms *terms, KnTerm term)
{
    return terms->nodes[term].variables == 0;
}
static inline bool kn_term_is_variable(const KnTerms *terms, KnTerm term)
{
    return terms->nodes[term].symbol & KN_TERM_VARIABLE;
}

/* Orders terms by name, then arity, then arguments. The order does not depend on their numbers. */
int kn_term_compare(const KnSymbols *symbols, const KnTerms *terms, KnTerm a, KnTerm b);

/* Sorts a list of terms into that order. */
void kn_terms_sort(const KnSymbols *symbols, const KnTerms *terms, KnTerm *list, size_t count);

/* Writes a term in GDL syntax, "(cell 1 1 b)"; variables as ?0, ?1. */
void kn_term_text(const KnSymbols *symbols, const KnTerms *terms, KnTerm term, KnText *out);

/* Hash of the written form: the same in every store and run. */
uint64_t kn_term_hash(const KnSymbols *symbols, const KnTerms *terms, KnTerm term);

/* The value of a goal: a number from 0 to 100; -1: the term is something else. */
int kn_term_goal(const KnSymbols *symbols, const KnTerms *terms, KnTerm term);

#endif
