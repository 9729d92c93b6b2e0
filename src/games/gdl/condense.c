/* Splits costly rules by auxiliary relations (bucket elimination of variables; Dechter 1999).
 *
 * A body whose variables hardly interact has as many instances as the product of their domains. To avoid
 * that, a variable that the head does not show is projected out: an auxiliary clause takes all literals that
 * mention it and keeps the other variables found there; in the rule, the auxiliary head replaces these
 * literals. The variable whose literals mention the fewest others goes first, as long as the clause is
 * smaller than the rule. If a `not` or comparison in such a clause needs a variable that only outside
 * literals bind, one of these literals is used in both places. */
#include <string.h>

#include "games/gdl/derive.h"

enum { WORDS = (KN_GDL_VARIABLES + 63) / 64 };

typedef struct Set {
    uint64_t words[WORDS];
} Set;

/* The rule being split. */
typedef struct Splitting {
    KnTerms *terms;
    KnArena *arena;
    uint32_t *relations;
    KnGdlClause *clauses; /* result so far */
    int rule;
    KnGdlPlace place;
    int variables;
    Set head;
    KnGdlLiteral *body;
    Set *sets; /* variables of each literal */
    int count;
    bool *chosen; /* for the auxiliary clause */
    bool failed;
} Splitting;

static bool has(const Set *set, int v) { return set->words[v / 64] >> v % 64 & 1; }
static void put(Set *set, int v) { set->words[v / 64] |= UINT64_C(1) << v % 64; }

static void join(Set *set, const Set *other)
{
    for (int i = 0; i < WORDS; i++) set->words[i] |= other->words[i];
}

static int size_of(const Set *set)
{
    int count = 0;
    for (int i = 0; i < WORDS; i++) count += __builtin_popcountll(set->words[i]);
    return count;
}

static Set without(const Set *set, const Set *other)
{
    Set rest;
    for (int i = 0; i < WORDS; i++) rest.words[i] = set->words[i] & ~other->words[i];
    return rest;
}

static void collect(const KnTerms *terms, KnTerm term, Set *set)
{
    const KnTermNode *node = kn_term(terms, term);
    if (!node->variables) return;
    if (node->symbol & KN_TERM_VARIABLE) put(set, (int)(node->symbol & ~KN_TERM_VARIABLE));
    for (int i = 0; i < node->arity; i++) collect(terms, kn_term_args(terms, term)[i], set);
}

static Set variables_of(const KnTerms *terms, const KnGdlLiteral *literal)
{
    Set set = {{0}};
    collect(terms, literal->term, &set);
    if (literal->other) collect(terms, literal->other, &set);
    return set;
}

/* ---- Choice ---- */

/* Variables of the chosen literals, and those that a positive one of them binds. */
static void survey(const Splitting *c, Set *all, Set *bound)
{
    *all = *bound = (Set){{0}};
    for (int k = 0; k < c->count; k++) {
        if (!c->chosen[k]) continue;
        join(all, &c->sets[k]);
        if (c->body[k].kind == KN_GDL_HOLDS) join(bound, &c->sets[k]);
    }
}

/* Adds the literal that binds a missing variable and brings the fewest new ones; false if there is none. */
static bool add_binder(Splitting *c, const Set *all, const Set *missing)
{
    int best = -1, least = 0;
    for (int k = 0; k < c->count; k++) {
        Set fresh = without(&c->sets[k], all), helps = without(missing, &c->sets[k]);
        if (c->chosen[k] || c->body[k].kind != KN_GDL_HOLDS || size_of(&helps) == size_of(missing)) continue;
        if (best >= 0 && size_of(&fresh) >= least) continue;
        best = k;
        least = size_of(&fresh);
    }
    if (best >= 0) c->chosen[best] = true;
    return best >= 0;
}

/* Chooses the literals of an auxiliary clause for this variable; `inner` are variables that only these
 * mention. False if they cannot form a clause. */
static bool choose(Splitting *c, int variable, Set *all, Set *inner)
{
    Set bound, missing, elsewhere = c->head;
    for (int k = 0; k < c->count; k++) c->chosen[k] = has(&c->sets[k], variable);
    for (;;) {
        survey(c, all, &bound);
        missing = without(all, &bound);
        if (!size_of(&missing)) break;
        if (!add_binder(c, all, &missing)) return false;
    }
    for (int k = 0; k < c->count; k++)
        if (!has(&c->sets[k], variable))
            join(&elsewhere, &c->sets[k]); /* a literal used only for binding stays in the rule, too */
    *inner = without(all, &elsewhere);
    return true;
}

static Set all_variables(const Splitting *c)
{
    Set all = c->head;
    for (int k = 0; k < c->count; k++) join(&all, &c->sets[k]);
    return all;
}

/* The best variable to eliminate; -1 if none pays. */
static int find_variable(Splitting *c)
{
    Set whole = all_variables(c), all, inner;
    int best = -1, least = size_of(&whole);
    for (int v = 0; v < c->variables; v++) {
        if (!has(&whole, v) || has(&c->head, v) || !choose(c, v, &all, &inner)) continue;
        int outer = size_of(&all) - size_of(&inner);
        if (size_of(&all) >= least || outer > KN_GDL_ARITY) continue;
        best = v;
        least = size_of(&all);
        if (least <= 2) break; /* good enough */
    }
    return best;
}

/* ---- Splitting ---- */

static void add_clause(Splitting *c, KnTerm head, const KnGdlLiteral *body, int count)
{
    KnGdlClause *clause = KN_ARENA_NEW(c->arena, KnGdlClause, 1);
    KnGdlLiteral *copy = KN_ARENA_NEW(c->arena, KnGdlLiteral, count + 1);
    struct KnGdlPlan **plans = KN_ARENA_NEW(c->arena, struct KnGdlPlan *, count + 2);
    c->failed |= !clause || !copy || !plans;
    if (c->failed) return;
    if (count) memcpy(copy, body, (size_t)count * sizeof *copy);
    *clause = (KnGdlClause){.head = head,
                            .body = copy,
                            .count = count,
                            .variables = c->variables,
                            .rule = c->rule,
                            .place = c->place,
                            .next = c->clauses,
                            .plans = plans};
    c->clauses = clause;
}

/* The head of an auxiliary relation over the variables used outside. */
static KnTerm make_head(Splitting *c, const Set *all, const Set *inner)
{
    KnTerm args[KN_GDL_ARITY];
    int arity = 0;
    for (int v = 0; v < c->variables; v++)
        if (has(all, v) && !has(inner, v)) args[arity++] = kn_term_variable(c->terms, (unsigned)v);
    KnTerm head = kn_term_make(c->terms, (*c->relations)++, args, arity);
    c->failed |= !head;
    return head;
}

static void cut_out(Splitting *c, int variable)
{
    Set all, inner;
    choose(c, variable, &all, &inner);
    KnTerm head = make_head(c, &all, &inner);
    KnGdlLiteral *body = KN_ARENA_NEW(c->arena, KnGdlLiteral, c->count + 1);
    c->failed |= !body;
    if (c->failed) return;
    int taken = 0, kept = 0;
    for (int k = 0; k < c->count; k++) {
        if (c->chosen[k]) body[taken++] = c->body[k];
        if (c->chosen[k] && has(&c->sets[k], variable)) continue;
        c->body[kept] = c->body[k];
        c->sets[kept++] = c->sets[k];
    }
    add_clause(c, head, body, taken);
    c->body[kept] = (KnGdlLiteral){.kind = KN_GDL_HOLDS, .term = head, .place = c->place};
    c->sets[kept] = without(&all, &inner);
    c->count = kept + 1;
}

/* Whether the head of legal or goal lacks a role condition, which is then added. */
static bool wants_role(const KnTerms *terms, const KnGdlRule *rule)
{
    const KnTermNode *head = kn_term(terms, rule->head);
    return (head->symbol == KN_GDL_LEGAL || head->symbol == KN_GDL_GOAL) &&
           kn_term_is_variable(terms, kn_term_args(terms, rule->head)[0]);
}

KnGdlClause *kn_gdl_condense(KnTerms *terms, const KnGdlRule *rule, int number, bool split,
                             uint32_t *relations, KnArena *arena, KnGdlClause *rest)
{
    Splitting c = {.terms = terms,
                   .arena = arena,
                   .relations = relations,
                   .clauses = rest,
                   .rule = number,
                   .place = rule->place,
                   .variables = rule->variables,
                   .count = rule->count};
    c.body = KN_ARENA_NEW(arena, KnGdlLiteral, rule->count + 2);
    c.sets = KN_ARENA_NEW(arena, Set, split ? rule->count + 2 : 1);
    c.chosen = KN_ARENA_NEW(arena, bool, rule->count + 2);
    if (!c.body || !c.sets || !c.chosen) return NULL;
    memcpy(c.body, rule->body, (size_t)rule->count * sizeof *c.body);
    if (wants_role(terms, rule)) {
        KnTerm role = kn_term_make(terms, KN_GDL_ROLE, kn_term_args(terms, rule->head), 1);
        if (!role) return NULL;
        c.body[c.count++] = (KnGdlLiteral){.kind = KN_GDL_HOLDS, .term = role, .place = rule->place};
    }
    if (split) {
        collect(terms, rule->head, &c.head);
        for (int k = 0; k < c.count; k++) c.sets[k] = variables_of(terms, &c.body[k]);
        for (int v; !c.failed && (v = find_variable(&c)) >= 0;) cut_out(&c, v);
    }
    if (!c.failed) add_clause(&c, rule->head, c.body, c.count);
    return c.failed ? NULL : c.clauses;
}
