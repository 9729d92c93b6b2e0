/* Derives only what is asked for (magic sets: Bancilhon, Maier, Sagiv and Ullman 1986; Beeri and
 * Ramakrishnan 1991).
 *
 * Bottom-up derivation finds every instance of a relation, also those that no rule ever asks about: whether a
 * king on any square is threatened by any piece while any other square is ignored. So each relation r that
 * may change gets a relation of demands: the arguments with which it is asked. Every clause of r asks for its
 * demand first; and each place where r is asked gives a clause for demands, whose body is what must hold
 * before.
 *
 * "Before" is an order of the body (a sideways information passing strategy): from what the clause itself is
 * asked for, each literal whose variables are best known comes next; negated ones come last. A demand never
 * rests on a literal that comes later, so all that could be derived in answer to a question is still derived.
 * Only arguments that are bound in all places where r is asked are part of the demand; without any there is
 * none.
 *
 * Demands may exceed what is needed, never fall short. They are no part of ground rules: derivation treats
 * them as fixed relations, though they grow with the others. */
#include <string.h>

#include "games/gdl/derive.h"

enum { WORDS = (KN_GDL_VARIABLES + 63) / 64, ARGUMENT_WORDS = (KN_GDL_ARITY + 63) / 64 };

typedef struct Set {
    uint64_t words[WORDS];
} Set;

/* Arguments of a relation. */
typedef struct Arguments {
    uint64_t words[ARGUMENT_WORDS];
} Arguments;

typedef struct Demand {
    KnTerms *terms;
    KnArena *arena;
    const bool *fixed;
    uint32_t relations; /* before demands */
    bool *target;       /* by relation: has clauses, may change, and is no answer itself */
    bool *moved;        /* by relation: rests on moves, of which there is one a role */
    Arguments *bound;   /* by relation: the arguments of its demands */
    uint32_t *symbols;  /* by relation: of its demands; 0: none */
    int *ranks;         /* by literal of the present clause: its place in the order; -1: negated, or a test */
    bool failed;
} Demand;

static void add_all(Set *set, const Set *other)
{
    for (int i = 0; i < WORDS; i++) set->words[i] |= other->words[i];
}

static bool is_subset(const Set *part, const Set *whole)
{
    for (int i = 0; i < WORDS; i++)
        if (part->words[i] & ~whole->words[i]) return false;
    return true;
}

static int common(const Set *a, const Set *b)
{
    int count = 0;
    for (int i = 0; i < WORDS; i++) count += __builtin_popcountll(a->words[i] & b->words[i]);
    return count;
}

static bool meets(const Set *a, const Set *b)
{
    for (int i = 0; i < WORDS; i++)
        if (a->words[i] & b->words[i]) return true;
    return false;
}

static bool is_argument(const Arguments *set, int i) { return set->words[i / 64] >> i % 64 & 1; }

static void collect(const KnTerms *terms, KnTerm term, Set *set)
{
    const KnTermNode *node = kn_term(terms, term);
    if (!node->variables) return;
    if (node->symbol & KN_TERM_VARIABLE) {
        unsigned v = node->symbol & ~KN_TERM_VARIABLE;
        set->words[v / 64] |= UINT64_C(1) << v % 64;
    }
    for (int i = 0; i < node->arity; i++) collect(terms, kn_term_args(terms, term)[i], set);
}

static Set variables_of(const Demand *d, const KnGdlLiteral *literal)
{
    Set set = {{0}};
    collect(d->terms, literal->term, &set);
    if (literal->other) collect(d->terms, literal->other, &set);
    return set;
}

static bool asks(const KnGdlLiteral *literal)
{
    return literal->kind == KN_GDL_HOLDS || literal->kind == KN_GDL_FAILS;
}

static KnSymbol relation_of(const Demand *d, KnTerm sentence) { return kn_term(d->terms, sentence)->symbol; }

/* Whether a literal asks for a relation with demands. */
static bool is_target(const Demand *d, const KnGdlLiteral *literal)
{
    return asks(literal) && d->target[relation_of(d, literal->term)];
}

/* Whether positive literal `k` comes before target `at` in the order of the body. */
static bool is_before(const Demand *d, const KnGdlClause *clause, int k, int at)
{
    if (clause->body[k].kind != KN_GDL_HOLDS) return false;
    return clause->body[at].kind == KN_GDL_FAILS || d->ranks[k] < d->ranks[at];
}

/* The variables of the head's arguments that are part of its demand. */
static Set demanded_variables(const Demand *d, const KnGdlClause *clause)
{
    Set set = {{0}};
    KnSymbol head = relation_of(d, clause->head);
    if (!d->target[head]) return set;
    for (int i = 0; i < kn_term(d->terms, clause->head)->arity; i++)
        if (is_argument(&d->bound[head], i)) collect(d->terms, kn_term_args(d->terms, clause->head)[i], &set);
    return set;
}

/* Ranks the positive literals of a clause: those about moves first, then the best known, and among equals
 * those without demands. */
static void order_body(Demand *d, const KnGdlClause *clause)
{
    Set bound = demanded_variables(d, clause);
    for (int k = 0; k < clause->count; k++) d->ranks[k] = -1;
    for (int rank = 0;; rank++) {
        int best = -1;
        double most = -1;
        for (int k = 0; k < clause->count; k++) {
            if (clause->body[k].kind != KN_GDL_HOLDS || d->ranks[k] >= 0) continue;
            Set mine = variables_of(d, &clause->body[k]);
            int known = common(&mine, &bound), all = common(&mine, &mine);
            double share = all ? (double)known / all : 1;
            if (!is_target(d, &clause->body[k])) share += 1e-6;
            if (d->moved[relation_of(d, clause->body[k].term)]) share += 1;
            if (share > most) most = share, best = k;
        }
        if (best < 0) return;
        Set mine = variables_of(d, &clause->body[best]);
        add_all(&bound, &mine);
        d->ranks[best] = rank;
    }
}

/* ---- Which arguments are bound ---- */

/* Takes away the arguments that are not bound where this literal asks; true if there are any. */
static bool restrict_arguments(Demand *d, const KnGdlClause *clause, int at)
{
    Set bound = demanded_variables(d, clause);
    for (int k = 0; k < clause->count; k++) {
        if (!is_before(d, clause, k, at)) continue;
        Set more = variables_of(d, &clause->body[k]);
        add_all(&bound, &more);
    }
    KnTerm term = clause->body[at].term;
    Arguments *arguments = &d->bound[relation_of(d, term)];
    bool changed = false;
    for (int i = 0; i < kn_term(d->terms, term)->arity; i++) {
        Set mine = {{0}};
        collect(d->terms, kn_term_args(d->terms, term)[i], &mine);
        if (!is_argument(arguments, i) || is_subset(&mine, &bound)) continue;
        arguments->words[i / 64] &= ~(UINT64_C(1) << i % 64);
        changed = true;
    }
    return changed;
}

static void find_arguments(Demand *d, const KnGdlClause *clauses)
{
    for (uint32_t r = 0; r < d->relations; r++) memset(&d->bound[r], 0xff, sizeof d->bound[r]);
    for (bool changed = true; changed;) {
        changed = false;
        for (const KnGdlClause *clause = clauses; clause; clause = clause->next) {
            order_body(d, clause);
            for (int k = 0; k < clause->count; k++)
                if (is_target(d, &clause->body[k])) changed |= restrict_arguments(d, clause, k);
        }
    }
}

/* ---- Clauses ---- */

/* The demand for a sentence; 0 if its relation has none. */
static KnTerm demand_for(Demand *d, KnTerm sentence)
{
    KnSymbol relation = relation_of(d, sentence);
    if (!d->symbols[relation]) return 0;
    KnTerm args[KN_GDL_ARITY];
    int arity = 0;
    for (int i = 0; i < kn_term(d->terms, sentence)->arity; i++)
        if (is_argument(&d->bound[relation], i)) args[arity++] = kn_term_args(d->terms, sentence)[i];
    KnTerm term = kn_term_make(d->terms, d->symbols[relation], args, arity);
    d->failed |= !term;
    return term;
}

static KnGdlClause *make_clause(Demand *d, const KnGdlClause *from, KnTerm head, const KnGdlLiteral *body,
                                int count)
{
    KnGdlClause *clause = KN_ARENA_NEW(d->arena, KnGdlClause, 1);
    KnGdlLiteral *copy = KN_ARENA_NEW(d->arena, KnGdlLiteral, count + 1);
    struct KnGdlPlan **plans = KN_ARENA_NEW(d->arena, struct KnGdlPlan *, count + 2);
    d->failed |= !clause || !copy || !plans;
    if (d->failed) return NULL;
    if (count) memcpy(copy, body, (size_t)count * sizeof *copy);
    *clause = (KnGdlClause){.head = head,
                            .body = copy,
                            .count = count,
                            .variables = from->variables,
                            .rule = from->rule,
                            .place = from->place,
                            .plans = plans};
    return clause;
}

/* The clause for the demands of a literal. Of what comes before it, literals stay that share variables with
 * the demand, by way of others too; the rest would only say whether anything is asked at all. */
static KnGdlClause *make_demand(Demand *d, const KnGdlClause *clause, int at, KnTerm own)
{
    KnTerm head = demand_for(d, clause->body[at].term);
    KnGdlLiteral *body = KN_ARENA_NEW(d->arena, KnGdlLiteral, clause->count + 2);
    bool *taken = KN_ARENA_NEW(d->arena, bool, clause->count + 1);
    d->failed |= !body || !taken;
    if (!head || d->failed) return NULL;
    Set connected = {{0}};
    int count = 0;
    collect(d->terms, head, &connected);
    if (own) { /* what this clause itself is asked for */
        body[count] = (KnGdlLiteral){.kind = KN_GDL_HOLDS, .term = own, .place = clause->place};
        Set mine = variables_of(d, &body[count++]);
        add_all(&connected, &mine);
    }
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < clause->count; k++) {
            Set mine = variables_of(d, &clause->body[k]);
            if (taken[k] || !is_before(d, clause, k, at) || !meets(&mine, &connected)) continue;
            body[count++] = clause->body[k];
            add_all(&connected, &mine);
            taken[k] = more = true;
        }
    }
    Set bound = {{0}};
    for (int i = 0; i < count; i++) {
        Set mine = variables_of(d, &body[i]);
        add_all(&bound, &mine);
    }
    for (int k = 0; k < clause->count; k++) { /* tests of what is bound */
        const KnGdlLiteral *literal = &clause->body[k];
        Set mine = variables_of(d, literal);
        if (literal->kind == KN_GDL_HOLDS || !is_subset(&mine, &bound)) continue;
        if (asks(literal) && !d->fixed[relation_of(d, literal->term)]) continue;
        body[count++] = *literal;
    }
    return make_clause(d, clause, head, body, count);
}

/* A clause with its demand in front, and the clauses for the demands of its literals. */
static KnGdlClause *transform(Demand *d, const KnGdlClause *clause, KnGdlClause *rest)
{
    KnGdlLiteral *body = KN_ARENA_NEW(d->arena, KnGdlLiteral, clause->count + 1);
    KnTerm own = demand_for(d, clause->head);
    d->failed |= !body;
    if (d->failed) return NULL;
    int count = 0;
    if (own) body[count++] = (KnGdlLiteral){.kind = KN_GDL_HOLDS, .term = own, .place = clause->place};
    if (clause->count) memcpy(body + count, clause->body, (size_t)clause->count * sizeof *body);
    KnGdlClause *first = make_clause(d, clause, clause->head, body, count + clause->count);
    if (!first) return NULL;
    first->next = rest;
    order_body(d, clause);
    for (int k = 0; k < clause->count; k++) {
        if (!is_target(d, &clause->body[k])) continue;
        KnGdlClause *more = make_demand(d, clause, k, own);
        if (d->failed) return NULL;
        if (!more) continue;
        more->next = first;
        first = more;
    }
    return first;
}

static void find_targets(Demand *d, const KnGdlClause *clauses)
{
    for (const KnGdlClause *clause = clauses; clause; clause = clause->next) {
        KnSymbol head = relation_of(d, clause->head);
        if (!d->fixed[head]) d->target[head] = true;
    }
    static const KnSymbol answers[] = {KN_GDL_ROLE, KN_GDL_INIT,     KN_GDL_TRUE, KN_GDL_DOES, KN_GDL_LEGAL,
                                       KN_GDL_NEXT, KN_GDL_TERMINAL, KN_GDL_GOAL, KN_GDL_BASE, KN_GDL_INPUT};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) d->target[answers[i]] = false;
    d->moved[KN_GDL_DOES] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (const KnGdlClause *clause = clauses; clause; clause = clause->next) {
            bool *head = &d->moved[relation_of(d, clause->head)];
            for (int k = 0; k < clause->count && !*head; k++)
                if (clause->body[k].kind == KN_GDL_HOLDS)
                    changed |= *head = d->moved[relation_of(d, clause->body[k].term)];
        }
    }
}

KnGdlClause *kn_gdl_demand(KnTerms *terms, const KnGdlClause *clauses, const bool *fixed, uint32_t *relations,
                           KnArena *arena)
{
    Demand d = {.terms = terms,
                .arena = arena,
                .fixed = fixed,
                .relations = *relations,
                .target = KN_ARENA_NEW(arena, bool, *relations),
                .moved = KN_ARENA_NEW(arena, bool, *relations),
                .bound = KN_ARENA_NEW(arena, Arguments, *relations),
                .symbols = KN_ARENA_NEW(arena, uint32_t, *relations)};
    int longest = 0;
    for (const KnGdlClause *clause = clauses; clause; clause = clause->next)
        if (clause->count > longest) longest = clause->count;
    d.ranks = KN_ARENA_NEW(arena, int, longest + 1);
    if (!d.target || !d.moved || !d.bound || !d.symbols || !d.ranks) return NULL;
    find_targets(&d, clauses);
    find_arguments(&d, clauses);
    for (const KnGdlClause *clause = clauses; clause; clause = clause->next) {
        KnSymbol head = relation_of(&d, clause->head);
        int arity = kn_term(terms, clause->head)->arity;
        bool any = false;
        for (int i = 0; i < arity; i++) any |= is_argument(&d.bound[head], i);
        if (d.target[head] && any && !d.symbols[head]) d.symbols[head] = (*relations)++;
    }
    KnGdlClause *out = NULL;
    for (const KnGdlClause *clause = clauses; clause && !d.failed; clause = clause->next)
        out = transform(&d, clause, out);
    return d.failed ? NULL : out;
}
