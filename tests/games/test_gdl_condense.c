/* Splitting of rules: the clauses derive what the rule did, by enumeration over a small domain, and fewer
 * variables meet in each of them. */
#include "support/check.h"

#include <string.h>

#include <knack/base.h>
#include "games/gdl/derive.h"

enum { VARIABLES = 5, DOMAIN = 3, LITERALS = 6, RELATION = 100, HEAD = 200, AUXILIARY = 300, MOST = 64 };

/* The sentences of a relation of up to five arguments, by their arguments to base DOMAIN. */
typedef struct Table {
    bool holds[243];
} Table;

typedef struct World {
    KnTerms terms;
    Table plain[LITERALS]; /* of the relations RELATION + i */
    Table made[MOST];      /* of the auxiliary relations */
} World;

static int place_of(const KnTerms *terms, KnTerm sentence, const int *values)
{
    int place = 0;
    for (int i = 0; i < kn_term(terms, sentence)->arity; i++)
        place = place * DOMAIN +
                values[kn_term(terms, kn_term_args(terms, sentence)[i])->symbol & ~KN_TERM_VARIABLE];
    return place;
}

static bool fulfilled(World *w, const KnGdlLiteral *literal, const int *values)
{
    if (literal->kind == KN_GDL_DIFFERS || literal->kind == KN_GDL_EQUALS) {
        int a = values[kn_term(&w->terms, literal->term)->symbol & ~KN_TERM_VARIABLE],
            b = values[kn_term(&w->terms, literal->other)->symbol & ~KN_TERM_VARIABLE];
        return (a == b) == (literal->kind == KN_GDL_EQUALS);
    }
    KnSymbol symbol = kn_term(&w->terms, literal->term)->symbol;
    const Table *table = symbol >= AUXILIARY ? &w->made[symbol - AUXILIARY] : &w->plain[symbol - RELATION];
    return table->holds[place_of(&w->terms, literal->term, values)] == (literal->kind == KN_GDL_HOLDS);
}

/* What a clause derives, trying all values of all variables. */
static Table derive(World *w, KnTerm head, const KnGdlLiteral *body, int count)
{
    Table found = {{false}};
    for (int code = 0; code < 243; code++) {
        int values[VARIABLES];
        for (int v = 0, rest = code; v < VARIABLES; v++, rest /= DOMAIN) values[v] = rest % DOMAIN;
        bool good = true;
        for (int i = 0; i < count && good; i++) good = fulfilled(w, &body[i], values);
        if (good) found.holds[place_of(&w->terms, head, values)] = true;
    }
    return found;
}

/* Clauses are made in the order in which they use each other, and put in front: the last is the first. */
static void derive_clauses(World *w, const KnGdlClause *clause, Table *rule)
{
    if (clause->next) derive_clauses(w, clause->next, rule);
    Table found = derive(w, clause->head, clause->body, clause->count);
    KnSymbol symbol = kn_term(&w->terms, clause->head)->symbol;
    if (symbol >= AUXILIARY)
        w->made[symbol - AUXILIARY] = found;
    else
        *rule = found;
}

static uint32_t variables_of(const KnTerms *terms, KnTerm term)
{
    uint32_t set = 0;
    if (!term) return 0;
    if (kn_term_is_variable(terms, term)) return 1u << (kn_term(terms, term)->symbol & ~KN_TERM_VARIABLE);
    for (int i = 0; i < kn_term(terms, term)->arity; i++)
        set |= variables_of(terms, kn_term_args(terms, term)[i]);
    return set;
}

/* A rule whose `not` and `distinct` use variables that positive literals bind, as the parser leaves them. */
static KnGdlRule draw_rule(KnRng *rng, World *w, KnGdlLiteral *body)
{
    KnTerm variables[VARIABLES];
    for (unsigned v = 0; v < VARIABLES; v++) variables[v] = kn_term_variable(&w->terms, v);
    int positive = 2 + (int)kn_rng_below(rng, 3), count = positive + (int)kn_rng_below(rng, 2);
    KnTerm bound[32];
    uint32_t bounds = 0;
    for (int i = 0; i < count; i++) {
        bool holds = i < positive;
        KnTerm args[3];
        int arity = 1 + (int)kn_rng_below(rng, 3);
        for (int k = 0; k < arity; k++) {
            args[k] = holds ? variables[kn_rng_below(rng, VARIABLES)] : bound[kn_rng_below(rng, bounds)];
            if (holds) bound[bounds++] = args[k];
        }
        body[i] = (KnGdlLiteral){.kind = holds ? KN_GDL_HOLDS : KN_GDL_FAILS,
                                 .term = kn_term_make(&w->terms, RELATION + (KnSymbol)i, args, arity)};
        for (int n = 0; n < 243; n++) w->plain[i].holds[n] = kn_rng_below(rng, 100) < 45;
    }
    body[count++] = (KnGdlLiteral){.kind = kn_rng_below(rng, 3) ? KN_GDL_DIFFERS : KN_GDL_EQUALS,
                                   .term = bound[kn_rng_below(rng, bounds)],
                                   .other = bound[kn_rng_below(rng, bounds)]};
    KnTerm shown[2] = {bound[kn_rng_below(rng, bounds)], bound[kn_rng_below(rng, bounds)]};
    return (KnGdlRule){.head = kn_term_make(&w->terms, HEAD, shown, (int)kn_rng_below(rng, 3)),
                       .body = body,
                       .count = count,
                       .variables = VARIABLES};
}

static void test_same_sentences(void **state)
{
    (void)state;
    int split = 0, derived = 0, rules = 400;
    for (int trial = 0; trial < rules; trial++) {
        KnRng rng = kn_rng_stream(5, (uint64_t)trial);
        World w;
        assert_true(kn_terms_init(&w.terms, 100000));
        KnGdlLiteral body[LITERALS];
        KnGdlRule rule = draw_rule(&rng, &w, body);
        KnArena *arena = kn_arena_new();
        uint32_t relations = AUXILIARY;
        KnGdlClause *clauses = kn_gdl_condense(&w.terms, &rule, 7, true, &relations, arena, NULL);
        assert_non_null(clauses);
        Table wanted = derive(&w, rule.head, rule.body, rule.count), found;
        derive_clauses(&w, clauses, &found);
        assert_memory_equal(&found, &wanted, sizeof found);
        uint32_t whole = variables_of(&w.terms, rule.head), count = 0;
        for (int i = 0; i < rule.count; i++)
            whole |= variables_of(&w.terms, body[i].term) | variables_of(&w.terms, body[i].other);
        for (const KnGdlClause *c = clauses; c; c = c->next, count++) {
            uint32_t set = variables_of(&w.terms, c->head);
            assert_int_equal(c->rule, 7);
            for (int i = 0; i < c->count; i++)
                set |= variables_of(&w.terms, c->body[i].term) | variables_of(&w.terms, c->body[i].other);
            if (clauses->next) assert_true(__builtin_popcount(set) < __builtin_popcount(whole));
        }
        assert_int_equal(count, relations - AUXILIARY + 1);
        split += count > 1;
        derived += memchr(wanted.holds, true, sizeof wanted.holds) != NULL;
        kn_arena_free(arena);
        kn_terms_free(&w.terms);
    }
    assert_in_range(split, rules / 4, rules - 1);
    assert_in_range(derived, rules / 4, rules - 1);
}

/* A chain r(v0, v1), r(v1, v2), ... of 130 variables falls into clauses of three variables each, one for
 * every variable that the head does not show. */
static void test_chain(void **state)
{
    (void)state;
    enum { LENGTH = 130 };
    KnTerms terms;
    assert_true(kn_terms_init(&terms, 100000));
    KnGdlLiteral body[LENGTH - 1];
    KnTerm variables[LENGTH];
    for (unsigned v = 0; v < LENGTH; v++) variables[v] = kn_term_variable(&terms, v);
    for (int i = 0; i + 1 < LENGTH; i++)
        body[i] = (KnGdlLiteral){.kind = KN_GDL_HOLDS,
                                 .term = kn_term_make(&terms, RELATION, variables + i, 2)};
    KnGdlRule rule = {.head = kn_term_make(&terms, HEAD, (KnTerm[]){variables[0], variables[LENGTH - 1]}, 2),
                      .body = body,
                      .count = LENGTH - 1,
                      .variables = LENGTH};
    KnArena *arena = kn_arena_new();
    for (int split = 0; split < 2; split++) {
        uint32_t relations = AUXILIARY;
        int count = 0;
        for (KnGdlClause *c = kn_gdl_condense(&terms, &rule, 0, split, &relations, arena, NULL); c;
             c = c->next) {
            assert_int_equal(c->count, split ? 2 : LENGTH - 1);
            count++;
        }
        assert_int_equal(count, split ? LENGTH - 2 : 1);
        assert_int_equal(relations, AUXILIARY + (split ? LENGTH - 3 : 0));
    }
    kn_arena_free(arena);
    kn_terms_free(&terms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_sentences),
        cmocka_unit_test(test_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
