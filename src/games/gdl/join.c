#include "games/gdl/join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"

typedef enum What {
    FIND,   /* look up sentences and bind variables */
    CHECK,  /* test a positive literal whose variables are bound */
    ABSENT, /* test `not` of a fixed relation */
    NOTE,   /* `not` of what may change: passes, but is recorded */
    COMPARE
} What;

typedef enum Range { ALL, OLD, NEW, EITHER } Range;

/* The source of one value of an index key. */
typedef struct Key {
    KnTerm term; /* ground or a variable; 0: a name */
    uint64_t value;
} Key;

typedef struct Step {
    What what;
    Range range;
    int literal;
    int index; /* -1: scan the relation */
    Key keys[KN_GDL_PATHS];
    KnGdlPath paths[KN_GDL_PATHS];
    int key_count;
    uint8_t *binds; /* variables */
    int bind_count;
} Step;

typedef struct KnGdlPlan {
    Step *steps;
    int count;
    uint64_t size; /* number of candidate sentences when the plan was made */
    int layer;
} Plan;

struct KnGdlJoins {
    KnGdlJoining how;
    KnArena *arena;
    KnError *error;
    int layer;
    uint64_t steps;
    const KnGdlClause *clause;
    const Plan *plan;
    KnTerm values[KN_GDL_VARIABLES]; /* 0: unbound */
    KnTerm *sentences;               /* by literal */
    int sentence_capacity;
    bool bound[KN_GDL_VARIABLES]; /* while planning */
};

static KnStatus no_memory(KnGdlJoins *j) { return kn_fail_memory(j->error, "grounding a game description"); }

static KnStatus too_much(KnGdlJoins *j)
{
    return kn_fail(j->error, KN_NO, "the rules need more than %llu steps to ground, most of them here",
                   (unsigned long long)j->how.steps);
}

static KnStatus count_step(KnGdlJoins *j)
{
    if (++j->steps > j->how.steps) return too_much(j);
    bool look = j->how.cancel && j->steps % 4096 == 0;
    return look && atomic_load_explicit(j->how.cancel, memory_order_relaxed)
               ? kn_fail(j->error, KN_STOPPED, "grounding was stopped")
               : KN_OK;
}

static unsigned variable_of(const KnTerms *terms, KnTerm term)
{
    return kn_term(terms, term)->symbol & ~KN_TERM_VARIABLE;
}

/* ---- Plans ---- */

/* Counts the known parts of a term and its unbound variables. */
static void survey(const KnGdlJoins *j, KnTerm term, int *known, int *unknown)
{
    const KnTerms *terms = j->how.terms;
    if (kn_term_ground(terms, term))
        ++*known;
    else if (kn_term_is_variable(terms, term))
        ++*(j->bound[variable_of(terms, term)] ? known : unknown);
    else
        for (int i = 0; i < kn_term(terms, term)->arity; i++)
            survey(j, kn_term_args(terms, term)[i], known, unknown);
}

static bool is_bound(const KnGdlJoins *j, const KnGdlLiteral *literal)
{
    int known = 0, unknown = 0;
    survey(j, literal->term, &known, &unknown);
    if (literal->other) survey(j, literal->other, &known, &unknown);
    return !unknown;
}

/* Estimates the number of matching sentences. */
static double guess_fits(const KnGdlJoins *j, const KnGdlLiteral *literal)
{
    int known = 0, unknown = 0;
    const KnTermNode *node = kn_term(j->how.terms, literal->term);
    for (int i = 0; i < node->arity; i++)
        survey(j, kn_term_args(j->how.terms, literal->term)[i], &known, &unknown);
    if (!unknown) return 0;
    return kn_math_pow(j->how.store->relations[node->symbol].count + 1, (double)unknown / (unknown + known));
}

/* Collects the paths of a literal with known values, and the sources of these values. */
static void find_paths(const KnGdlJoins *j, Step *step, KnTerm term, KnGdlPath at)
{
    const KnTerms *terms = j->how.terms;
    if (step->key_count == KN_GDL_PATHS) return;
    bool leaf = kn_term_ground(terms, term) || kn_term_is_variable(terms, term);
    if (kn_term_is_variable(terms, term) && !j->bound[variable_of(terms, term)]) return;
    if (at.length) {
        const KnTermNode *node = kn_term(terms, term);
        at.name = !leaf;
        step->paths[step->key_count] = at;
        step->keys[step->key_count++] = leaf ? (Key){term, 0}
                                             : (Key){0, kn_gdl_name_value(node->symbol, node->arity)};
    }
    if (leaf || at.length == KN_GDL_STEPS) return;
    at.name = false;
    at.length++;
    for (int i = 0; i < kn_term(terms, term)->arity; i++) {
        at.steps[at.length - 1] = (uint8_t)i;
        find_paths(j, step, kn_term_args(terms, term)[i], at);
    }
}

static void bind_variables(KnGdlJoins *j, Step *step, KnTerm term)
{
    const KnTerms *terms = j->how.terms;
    if (kn_term_ground(terms, term)) return;
    if (kn_term_is_variable(terms, term)) {
        unsigned variable = variable_of(terms, term);
        if (!j->bound[variable]) step->binds[step->bind_count++] = (uint8_t)variable;
        j->bound[variable] = true;
    }
    for (int i = 0; i < kn_term(terms, term)->arity; i++)
        bind_variables(j, step, kn_term_args(terms, term)[i]);
}

static Range range_of(const KnGdlJoins *j, const KnGdlClause *clause, int literal, int fresh)
{
    KnSymbol relation = kn_term(j->how.terms, clause->body[literal].term)->symbol;
    if (j->how.layers[relation] != j->layer) return ALL;
    return literal == fresh ? NEW : literal < fresh ? OLD : EITHER;
}

static KnStatus add_step(KnGdlJoins *j, Plan *plan, const KnGdlClause *clause, int literal, int fresh)
{
    const KnGdlLiteral *l = &clause->body[literal];
    Step *step = &plan->steps[plan->count++];
    *step = (Step){.literal = literal, .index = -1};
    if (l->kind == KN_GDL_DIFFERS || l->kind == KN_GDL_EQUALS) {
        step->what = COMPARE;
        return KN_OK;
    }
    KnSymbol relation = kn_term(j->how.terms, l->term)->symbol;
    if (l->kind == KN_GDL_FAILS) {
        step->what = j->how.fixed[relation] ? ABSENT : NOTE;
        return KN_OK;
    }
    step->range = range_of(j, clause, literal, fresh);
    step->what = is_bound(j, l) ? CHECK : FIND;
    if (step->what == CHECK) return KN_OK;
    if (step->range != NEW)
        find_paths(j, step, l->term, (KnGdlPath){0}); /* there are few new sentences: scan them */
    if (step->key_count) {
        step->index = kn_gdl_store_index(j->how.store, relation, step->paths, step->key_count);
        if (step->index < 0) return no_memory(j);
    }
    step->binds = kn_arena_alloc(j->arena, (size_t)clause->variables + 1);
    if (!step->binds) return no_memory(j);
    bind_variables(j, step, l->term);
    return KN_OK;
}

/* Adds all tests whose variables are bound. */
static KnStatus add_tests(KnGdlJoins *j, Plan *plan, const KnGdlClause *clause, bool *placed)
{
    KnStatus status = KN_OK;
    for (int k = 0; k < clause->count && status == KN_OK; k++) {
        if (placed[k] || clause->body[k].kind == KN_GDL_HOLDS || !is_bound(j, &clause->body[k])) continue;
        placed[k] = true;
        status = add_step(j, plan, clause, k, -1);
    }
    return status;
}

/* The positive literal with the lowest estimate; -1 if all are placed. */
static int choose_literal(const KnGdlJoins *j, const KnGdlClause *clause, const bool *placed)
{
    int best = -1;
    double least = 0;
    for (int k = 0; k < clause->count; k++) {
        if (placed[k] || clause->body[k].kind != KN_GDL_HOLDS) continue;
        double fits = guess_fits(j, &clause->body[k]);
        if (best >= 0 && fits >= least) continue;
        best = k;
        least = fits;
    }
    return best;
}

static KnStatus make_plan(KnGdlJoins *j, const KnGdlClause *clause, int fresh, Plan *plan)
{
    bool placed[clause->count + 1];
    memset(placed, 0, sizeof placed);
    memset(j->bound, 0, sizeof j->bound);
    plan->count = 0;
    plan->layer = j->layer;
    if (!plan->steps) plan->steps = KN_ARENA_NEW(j->arena, Step, clause->count + 1);
    if (!plan->steps) return no_memory(j);
    int next = fresh;
    KnStatus status = add_tests(j, plan, clause, placed);
    while (status == KN_OK) {
        if (next < 0) next = choose_literal(j, clause, placed);
        if (next < 0) break;
        placed[next] = true;
        status = add_step(j, plan, clause, next, fresh);
        next = -1;
        if (status == KN_OK) status = add_tests(j, plan, clause, placed);
    }
    return status;
}

/* Number of candidate sentences of a clause. */
static uint64_t size_for(const KnGdlJoins *j, const KnGdlClause *clause)
{
    uint64_t size = 1;
    for (int k = 0; k < clause->count; k++)
        if (clause->body[k].kind == KN_GDL_HOLDS)
            size += j->how.store->relations[kn_term(j->how.terms, clause->body[k].term)->symbol].count;
    return size;
}

/* The plan for a clause and its fresh literal, remade when the relations have grown a lot. */
static KnStatus plan_for(KnGdlJoins *j, const KnGdlClause *clause, int fresh, const Plan **out)
{
    if (!clause->plans[fresh + 1] && !(clause->plans[fresh + 1] = KN_ARENA_NEW(j->arena, Plan, 1)))
        return no_memory(j);
    Plan *plan = clause->plans[fresh + 1];
    *out = plan;
    uint64_t size = size_for(j, clause);
    if (plan->size && plan->layer == j->layer && size < plan->size + plan->size / 2 + 8) return KN_OK;
    plan->size = size;
    return make_plan(j, clause, fresh, plan);
}

/* ---- Execution ---- */

static KnStatus run(KnGdlJoins *j, int number);

/* The instance of a term; 0 if the term store is full or a variable is unbound. */
static KnTerm instance(KnGdlJoins *j, KnTerm term)
{
    KnTerms *terms = j->how.terms;
    if (kn_term_ground(terms, term)) return term;
    if (kn_term_is_variable(terms, term)) return j->values[variable_of(terms, term)];
    KnTerm args[KN_GDL_ARITY];
    int arity = kn_term(terms, term)->arity;
    for (int i = 0; i < arity; i++)
        if (!(args[i] = instance(j, kn_term_args(terms, term)[i]))) return 0;
    return kn_term_make(terms, kn_term(terms, term)->symbol, args, arity);
}

static KnStatus no_instance(KnGdlJoins *j)
{
    if (j->how.terms->failed)
        return kn_fail(j->error, KN_NO, "more terms, or more deeply nested ones, than the bound allows");
    return kn_fail(j->error, KN_NO, "an unsafe rule: nothing binds a variable of it");
}

/* Matches a pattern with a ground term and binds variables. */
static bool match(KnGdlJoins *j, KnTerm pattern, KnTerm ground)
{
    KN_ASSERT(kn_term_ground(j->how.terms, ground));
    const KnTerms *terms = j->how.terms;
    if (kn_term_ground(terms, pattern)) return pattern == ground;
    const KnTermNode *p = kn_term(terms, pattern), *g = kn_term(terms, ground);
    if (p->symbol & KN_TERM_VARIABLE) {
        KnTerm *value = &j->values[p->symbol & ~KN_TERM_VARIABLE];
        if (!*value) *value = ground;
        return *value == ground;
    }
    if (p->symbol != g->symbol || p->arity != g->arity) return false;
    for (int i = 0; i < p->arity; i++)
        if (!match(j, terms->args[p->args + (uint32_t)i], terms->args[g->args + (uint32_t)i])) return false;
    return true;
}

static void unbind(KnGdlJoins *j, const Step *step)
{
    for (int i = 0; i < step->bind_count; i++) j->values[step->binds[i]] = 0;
}

static void limits_of(const KnGdlRelationStore *stored, Range range, uint32_t *begin, uint32_t *end)
{
    *begin = range == NEW ? stored->old : 0;
    *end = range == ALL ? stored->count : range == OLD ? stored->old : stored->now;
}

static KnStatus try_sentence(KnGdlJoins *j, const Step *step, int number, KnTerm sentence, bool fixed)
{
    KnStatus status = count_step(j);
    if (status != KN_OK) return status;
    if (match(j, j->clause->body[step->literal].term, sentence)) {
        j->sentences[step->literal] = fixed ? 0 : sentence;
        status = run(j, number + 1);
    }
    unbind(j, step);
    return status;
}

static KnStatus run_find(KnGdlJoins *j, const Step *step, int number)
{
    KnSymbol relation = kn_term(j->how.terms, j->clause->body[step->literal].term)->symbol;
    const KnGdlRelationStore *stored =
        &j->how.store->relations[relation]; /* the pointer stays valid, its arrays may move */
    bool fixed = j->how.fixed[relation];
    uint32_t begin, end;
    KnStatus status = KN_OK;
    limits_of(stored, step->range, &begin, &end);
    if (step->index < 0) {
        for (uint32_t n = begin; n < end && status == KN_OK; n++)
            status = try_sentence(j, step, number, stored->sentences[n], fixed);
        return status;
    }
    uint64_t hash = 0;
    for (int i = 0; i < step->key_count; i++) {
        KnTerm term = step->keys[i].term;
        uint64_t value = !term                                ? step->keys[i].value
                         : kn_term_ground(j->how.terms, term) ? term
                                                              : j->values[variable_of(j->how.terms, term)];
        hash = kn_gdl_key(hash, value);
    }
    for (uint32_t e = kn_gdl_index_first(&stored->indices[step->index], hash); e && status == KN_OK;) {
        const KnGdlEntry *entry = &stored->indices[step->index].entries[e - 1];
        uint32_t n = entry->number;
        bool fits = entry->hash == hash && n < end;
        e = entry->next;
        if (n < begin) break;
        if (fits) status = try_sentence(j, step, number, stored->sentences[n], fixed);
    }
    return status;
}

static KnStatus run_check(KnGdlJoins *j, const Step *step, int number)
{
    KnTerm sentence = instance(j, j->clause->body[step->literal].term);
    if (!sentence) return no_instance(j);
    uint32_t begin, end, place = kn_gdl_store_number(j->how.store, sentence);
    KnSymbol relation = kn_term(j->how.terms, sentence)->symbol;
    limits_of(&j->how.store->relations[relation], step->range, &begin, &end);
    KnStatus status = count_step(j);
    if (status != KN_OK) return status;
    if (place <= begin || place > end) return KN_OK;
    j->sentences[step->literal] = j->how.fixed[relation] ? 0 : sentence;
    return run(j, number + 1);
}

static KnStatus run(KnGdlJoins *j, int number)
{
    if (number == j->plan->count) {
        KnTerm head = instance(j, j->clause->head);
        return head ? j->how.found(j->how.user, j->clause, head, j->sentences) : no_instance(j);
    }
    const Step *step = &j->plan->steps[number];
    const KnGdlLiteral *literal = &j->clause->body[step->literal];
    if (step->what == FIND) return run_find(j, step, number);
    if (step->what == CHECK) return run_check(j, step, number);
    KnStatus status = count_step(j);
    if (status != KN_OK) return status;
    KnTerm term = instance(j, literal->term), other = literal->other ? instance(j, literal->other) : 0;
    if (!term || (literal->other && !other)) return no_instance(j);
    bool passed = true;
    if (step->what == COMPARE)
        passed = (term == other) == (literal->kind == KN_GDL_EQUALS);
    else if (step->what == ABSENT)
        passed = !kn_gdl_store_number(j->how.store, term);
    j->sentences[step->literal] = step->what == NOTE ? term : 0;
    return passed ? run(j, number + 1) : KN_OK;
}

KnStatus kn_gdl_join(KnGdlJoins *j, const KnGdlClause *clause, int fresh)
{
    KN_ASSERT(fresh >= -1 && fresh < clause->count);
    KnStatus status = plan_for(j, clause, fresh, &j->plan);
    if (status != KN_OK) return status;
    if (clause->count > j->sentence_capacity) {
        KnTerm *grown = realloc(j->sentences, (size_t)clause->count * sizeof *grown);
        if (!grown) return no_memory(j);
        j->sentences = grown;
        j->sentence_capacity = clause->count;
    }
    j->clause = clause;
    return run(j, 0);
}

/* ---- Life ---- */

KnGdlJoins *kn_gdl_joins_new(const KnGdlJoining *how, KnArena *arena, KnError *error)
{
    KnGdlJoins *j = calloc(1, sizeof *j);
    if (!j) return NULL;
    j->how = *how;
    j->arena = arena;
    j->error = error;
    return j;
}

void kn_gdl_joins_free(KnGdlJoins *j)
{
    if (!j) return;
    free(j->sentences);
    free(j);
}

void kn_gdl_joins_layer(KnGdlJoins *j, int layer) { j->layer = layer; }
uint64_t kn_gdl_joins_steps(const KnGdlJoins *j) { return j->steps; }
