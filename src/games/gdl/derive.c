/* Semi-naive evaluation (Bancilhon 1986): a round considers only bodies in which at least one literal matches
 * a sentence of the previous round, so each instance is found exactly once. Fixed relations come first,
 * stratum by stratum, each complete before a `not` asks about it; all others follow together. */
#include "games/gdl/derive.h"

#include <stdlib.h>
#include <string.h>

#include "games/gdl/bindings.h"
#include "games/gdl/join.h"

/* The stratum of a relation; relations that may change form the last one. */
enum { MOST_LAYERS = 1 << 16 };

/* A try stops after TRY_STEPS steps or the words below. A rule that took a twentieth of the steps is costly
 * and is split for the next try; so is a rule of a successful try that gave too many words, unless it asks
 * about moves (instances that differ only in a move are merged later, propnet_build.c). If that is not
 * enough, the following tries have LARGER times the steps and words, up to the full limits. */
#define TRY_STEPS UINT64_C(1000000)
enum {
    TRY_WORDS = 4 << 20,
    MOST_TRIES = 6,
    LARGER = 4,
    MOST_LARGE_TRIES = 3,
    COSTLY = 20,
    MANY_WORDS = 200000
};

/* Nobody plays a game with more, and the rules would only fill the memory. */
enum { MOST_MOVES = 500000 };

/* Costs of a try, by rule, for the next one. */
typedef struct Costs {
    uint64_t *steps;
    bool *split, *moved; /* asks about moves */
    int rules;
} Costs;

typedef struct Derivation {
    const KnGdlDescription *description;
    const KnGdlDeriveLimits *limits;
    KnGdlDerived *out;
    KnArena *arena;
    KnGdlClause *clauses;
    KnGdlJoins *joins;
    int *layers; /* by relation */
    uint32_t relations;
    int last_layer;
    Costs *costs;
    KnGdlPlace at;  /* the current rule */
    bool exhausted; /* a limit was reached */
    KnError *error;
} Derivation;

static KnStatus no_memory(Derivation *d) { return kn_fail_memory(d->error, "grounding a game description"); }

static KnSymbol relation_of(const Derivation *d, KnTerm sentence)
{
    return kn_term(&d->out->terms, sentence)->symbol;
}

/* ---- Clauses and their layers ---- */

/* Whether a literal is a sentence, not a comparison. */
static bool asks(const KnGdlLiteral *literal)
{
    return literal->kind == KN_GDL_HOLDS || literal->kind == KN_GDL_FAILS;
}

static void need(bool *needed, KnSymbol *queue, uint32_t *count, KnSymbol relation)
{
    if (!needed[relation]) queue[(*count)++] = relation;
    needed[relation] = true;
}

/* Collects the rules of relations that an answer can depend on. `base` and the like are often large and
 * unused. */
static KnStatus collect_clauses(Derivation *d)
{
    static const KnSymbol roots[] = {KN_GDL_ROLE, KN_GDL_INIT,     KN_GDL_LEGAL,
                                     KN_GDL_NEXT, KN_GDL_TERMINAL, KN_GDL_GOAL};
    uint32_t symbols = d->description->symbols.count, count = 0;
    bool *needed = KN_ARENA_NEW(d->arena, bool, symbols);
    KnSymbol *queue = KN_ARENA_NEW(d->arena, KnSymbol, symbols);
    if (!needed || !queue) return no_memory(d);
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) need(needed, queue, &count, roots[i]);
    if (d->limits->declared) {
        need(needed, queue, &count, KN_GDL_BASE);
        need(needed, queue, &count, KN_GDL_INPUT);
    }
    d->relations = symbols;
    int number = 0;
    for (uint32_t i = 0; i < count; i++)
        for (const KnGdlRule *rule = d->description->relations[queue[i]].rules; rule; rule = rule->next) {
            for (int k = 0; k < rule->count; k++) {
                if (!asks(&rule->body[k])) continue;
                KnSymbol used = kn_term(&d->description->terms, rule->body[k].term)->symbol;
                need(needed, queue, &count, used);
                d->costs->moved[number] |= d->description->relations[used].level == KN_GDL_MOVES;
            }
            d->clauses = kn_gdl_condense(&d->out->terms, rule, number, d->costs->split[number], &d->relations,
                                         d->arena, d->clauses);
            if (!d->clauses) return no_memory(d);
            number++;
        }
    return KN_OK;
}

/* Finds fixed relations: the description knows its own; an auxiliary one is fixed if everything it uses is. A
 * relation that recurses through `not` has no layer of its own, so the propnet computes it, though it may
 * never change. */
static KnStatus find_fixed(Derivation *d)
{
    bool *fixed = d->out->fixed = malloc(d->relations * sizeof *fixed);
    if (!fixed) return no_memory(d);
    for (uint32_t r = 0; r < d->relations; r++)
        fixed[r] = r >= d->description->symbols.count ||
                   (d->description->relations[r].level == KN_GDL_FIXED &&
                    !d->description->relations[r].negates_itself);
    fixed[KN_GDL_TRUE] = fixed[KN_GDL_DOES] = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (const KnGdlClause *clause = d->clauses; clause; clause = clause->next) {
            KnSymbol head = relation_of(d, clause->head);
            for (int k = 0; k < clause->count && fixed[head]; k++)
                if (asks(&clause->body[k]) && !fixed[relation_of(d, clause->body[k].term)]) {
                    fixed[head] = false;
                    changed = true;
                }
        }
    }
    static const KnSymbol exact[] = {KN_GDL_ROLE, KN_GDL_INIT, KN_GDL_BASE, KN_GDL_INPUT};
    for (size_t i = 0; i < (d->limits->declared ? 4 : 2); i++)
        if (!fixed[exact[i]] && d->description->relations[exact[i]].level == KN_GDL_FIXED)
            return kn_fail(d->error, KN_NO, "%s depends on relations that recurse through not",
                           d->description->symbols.names[exact[i]]);
    return KN_OK;
}

/* Demands count as fixed, so that they are no part of ground rules. */
static KnStatus add_demands(Derivation *d)
{
    uint32_t before = d->relations;
    d->clauses = kn_gdl_demand(&d->out->terms, d->clauses, d->out->fixed, &d->relations, d->arena);
    bool *fixed = d->clauses ? realloc(d->out->fixed, d->relations * sizeof *fixed) : NULL;
    if (!fixed) return no_memory(d);
    memset(fixed + before, true, (d->relations - before) * sizeof *fixed);
    d->out->fixed = fixed;
    return KN_OK;
}

/* Stratification: a fixed relation comes no earlier than what it uses, and later than what it negates.
 * Relations for which this is impossible are not fixed. Demands, numbered from `demands` on, grow with what
 * may change. */
static KnStatus find_layers(Derivation *d, uint32_t demands)
{
    const bool *fixed = d->out->fixed;
    d->layers = KN_ARENA_NEW(d->arena, int, d->relations);
    if (!d->layers) return no_memory(d);
    for (bool changed = true; changed;) {
        changed = false;
        for (const KnGdlClause *clause = d->clauses; clause; clause = clause->next) {
            KnSymbol head = relation_of(d, clause->head);
            for (int k = 0; k < clause->count && fixed[head] && head < demands; k++) {
                if (!asks(&clause->body[k])) continue;
                int least = d->layers[relation_of(d, clause->body[k].term)] +
                            (clause->body[k].kind == KN_GDL_FAILS);
                if (least <= d->layers[head]) continue;
                if (least >= MOST_LAYERS) return kn_fail(d->error, KN_NO, "negation is not stratified");
                d->layers[head] = least;
                changed = true;
            }
        }
    }
    for (uint32_t r = 0; r < d->relations; r++)
        if (fixed[r] && d->layers[r] >= d->last_layer) d->last_layer = d->layers[r] + 1;
    for (uint32_t r = 0; r < d->relations; r++)
        if (!fixed[r] || r >= demands) d->layers[r] = d->last_layer;
    return KN_OK;
}

/* ---- Matches ---- */

static bool is_role(const Derivation *d, KnTerm term)
{
    for (int r = 0; r < d->description->role_count; r++)
        if (d->description->roles[r] == term) return true;
    return false;
}

/* Adds (true x) for (next x) and (init x), and (does r m) for (legal r m), unless the declarations exclude
 * it. */
static bool add_mirrored(Derivation *d, KnTerm sentence)
{
    KnTerms *terms = &d->out->terms;
    KnSymbol relation = relation_of(d, sentence);
    int arity = kn_term(terms, sentence)->arity;
    KnTerm args[2] = {kn_term_args(terms, sentence)[0], arity > 1 ? kn_term_args(terms, sentence)[1] : 0};
    bool move = relation == KN_GDL_LEGAL;
    if (move && !is_role(d, args[0])) return true;
    if (d->limits->declared && relation != KN_GDL_INIT) {
        KnTerm declared = kn_term_make(terms, move ? KN_GDL_INPUT : KN_GDL_BASE, args, arity);
        if (!declared) return false;
        if (!kn_gdl_store_number(&d->out->store, declared)) return true;
    }
    KnTerm mirrored = kn_term_make(terms, move ? KN_GDL_DOES : KN_GDL_TRUE, args, arity);
    return mirrored && kn_gdl_store_add(&d->out->store, mirrored);
}

static bool add_sentence(Derivation *d, KnTerm sentence)
{
    if (kn_gdl_store_number(&d->out->store, sentence)) return true;
    if (!kn_gdl_store_add(&d->out->store, sentence)) return false;
    KnSymbol relation = relation_of(d, sentence);
    bool later = d->out->fixed[relation] || (relation != KN_GDL_NEXT && relation != KN_GDL_LEGAL);
    return later || add_mirrored(d, sentence);
}

/* Applies the fixed relations, among them the declarations, to `true` and `does`. */
static KnStatus mirror_fixed(Derivation *d)
{
    static const KnSymbol mirrored[] = {KN_GDL_INIT, KN_GDL_NEXT, KN_GDL_LEGAL};
    for (int i = 0; i < 3; i++) {
        const KnGdlRelationStore *stored = &d->out->store.relations[mirrored[i]];
        for (uint32_t n = 0; n < stored->count; n++)
            if (!add_mirrored(d, stored->sentences[n])) return no_memory(d);
    }
    return KN_OK;
}

static bool grow_instances(KnGdlDerived *out, size_t wanted)
{
    if (wanted <= out->capacity) return true;
    size_t larger = out->capacity ? out->capacity * 2 : 4096;
    while (larger < wanted) larger *= 2;
    uint32_t *grown = realloc(out->instances, larger * sizeof *grown);
    if (!grown) return false;
    out->instances = grown;
    out->capacity = larger;
    return true;
}

/* Called for each match: `sentences` has one for each literal that may change. */
static KnStatus found(void *user, const KnGdlClause *clause, KnTerm head, const KnTerm *sentences)
{
    Derivation *d = user;
    KnGdlDerived *out = d->out;
    if (!add_sentence(d, head))
        return out->terms.failed ? kn_fail(d->error, KN_NO, "more terms than the bound allows")
                                 : no_memory(d);
    KnSymbol relation = relation_of(d, head);
    if (relation == KN_GDL_LEGAL && out->store.relations[relation].count > MOST_MOVES)
        return kn_fail(d->error, KN_NO, "more than %d possible moves", MOST_MOVES);
    if (out->fixed[relation]) return KN_OK;
    if (out->length + (size_t)clause->count + 2 > d->limits->words) {
        d->exhausted = true;
        return kn_fail(d->error, KN_NO, "more ground rules than the bound allows (%u so far)",
                       out->instance_count);
    }
    if (!grow_instances(out, out->length + (size_t)clause->count + 2)) return no_memory(d);
    uint32_t *instance = out->instances + out->length;
    uint32_t count = 0;
    for (int k = 0; k < clause->count; k++)
        if (sentences[k]) instance[2 + count++] = sentences[k] * 2 + (clause->body[k].kind == KN_GDL_FAILS);
    instance[0] = head;
    instance[1] = count;
    out->length += 2 + count;
    out->instance_count++;
    return KN_OK;
}

/* ---- Rounds ---- */

/* Whether the relation of a literal still grows in this stratum. */
static bool moves(const Derivation *d, const KnGdlLiteral *literal, int layer)
{
    return literal->kind == KN_GDL_HOLDS && d->layers[relation_of(d, literal->term)] == layer;
}

static KnStatus run_clause(Derivation *d, const KnGdlClause *clause, int layer, bool first)
{
    KnStatus status = KN_OK;
    bool any = false;
    uint64_t before = kn_gdl_joins_steps(d->joins);
    d->at = clause->place;
    for (int k = 0; k < clause->count && status == KN_OK; k++) {
        if (!moves(d, &clause->body[k], layer)) continue;
        any = true;
        const KnGdlRelationStore *stored = &d->out->store.relations[relation_of(d, clause->body[k].term)];
        if (stored->old < stored->now) status = kn_gdl_join(d->joins, clause, k);
    }
    if (!any && first) status = kn_gdl_join(d->joins, clause, -1);
    d->costs->steps[clause->rule] += kn_gdl_joins_steps(d->joins) - before;
    return status;
}

static KnStatus run_layer(Derivation *d, int layer)
{
    KnGdlStore *store = &d->out->store;
    kn_gdl_joins_layer(d->joins, layer);
    bool first = true, more = true;
    for (; more; first = false) {
        more = false;
        for (uint32_t r = 0; r < d->relations; r++) {
            if (d->layers[r] != layer) continue;
            store->relations[r].old = store->relations[r].now;
            store->relations[r].now = store->relations[r].count;
            more |= store->relations[r].old < store->relations[r].now;
        }
        if (!first && !more) break;
        more = true;
        for (const KnGdlClause *clause = d->clauses; clause; clause = clause->next) {
            if (d->layers[relation_of(d, clause->head)] != layer) continue;
            KnStatus status = run_clause(d, clause, layer, first);
            if (status != KN_OK) return status;
        }
    }
    return KN_OK;
}

static KnStatus derive(Derivation *d)
{
    KnGdlDerived *out = d->out;
    if (!(d->arena = kn_arena_new()) ||
        !kn_terms_copy(&out->terms, &d->description->terms, d->limits->sentences))
        return no_memory(d);
    KnStatus status = collect_clauses(d);
    if (status == KN_OK) status = find_fixed(d);
    uint32_t demands = d->relations;
    if (status == KN_OK && d->limits->demand) status = add_demands(d);
    if (status == KN_OK) status = find_layers(d, demands);
    if (status != KN_OK) return status;
    if (!kn_gdl_store_init(&out->store, &out->terms, d->relations)) return no_memory(d);
    KnGdlJoining how = {.terms = &out->terms,
                        .store = &out->store,
                        .fixed = out->fixed,
                        .layers = d->layers,
                        .steps = d->limits->steps,
                        .cancel = d->limits->cancel,
                        .found = found,
                        .user = d};
    if (!(d->joins = kn_gdl_joins_new(&how, d->arena, d->error))) return no_memory(d);
    for (int layer = 0; layer < d->last_layer && status == KN_OK; layer++) status = run_layer(d, layer);
    if (status == KN_OK) status = mirror_fixed(d);
    if (status == KN_OK) status = run_layer(d, d->last_layer);
    out->steps = kn_gdl_joins_steps(d->joins);
    return status;
}

/* One try. If steps or words run out, the message names the costliest rule, else the current one. */
static KnStatus try_deriving(const KnGdlDescription *description, const KnGdlDeriveLimits *limits,
                             Costs *costs, bool *exhausted, KnGdlDerived *out, KnError *error)
{
    *out = (KnGdlDerived){0};
    Derivation d = {.description = description, .limits = limits, .out = out, .costs = costs, .error = error};
    memset(costs->steps, 0, (size_t)costs->rules * sizeof *costs->steps);
    KnStatus status = derive(&d);
    *exhausted = status == KN_NO && (d.exhausted || out->terms.failed || out->steps >= limits->steps);
    uint64_t most = 0;
    for (const KnGdlClause *clause = d.clauses; clause && *exhausted && !out->terms.failed;
         clause = clause->next) {
        if (costs->steps[clause->rule] <= most) continue;
        most = costs->steps[clause->rule];
        d.at = clause->place;
    }
    if (status == KN_NO && d.at.line)
        kn_fail_within(error, "%s:%d:%d", description->name, d.at.line, d.at.column);
    kn_gdl_joins_free(d.joins);
    kn_arena_free(d.arena);
    return status;
}

/* Marks further costly rules for splitting; returns their number. */
static uint32_t choose_splits(Costs *costs, uint64_t steps, bool also_moved)
{
    uint32_t count = 0;
    for (int r = 0; r < costs->rules; r++) {
        if (costs->split[r] || costs->steps[r] <= steps / COSTLY || (costs->moved[r] && !also_moved))
            continue;
        costs->split[r] = true;
        count++;
    }
    return count;
}

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Repeats until nothing more can be split; keeps the smallest successful result. */
static KnStatus derive_with_splits(const KnGdlDescription *description, const KnGdlDeriveLimits *limits,
                                   Costs *costs, KnGdlDerived *out, KnError *error)
{
    KnGdlDeriveLimits bounds = *limits;
    if (bounds.steps > TRY_STEPS) bounds.steps = TRY_STEPS;
    if (bounds.words > TRY_WORDS) bounds.words = TRY_WORDS;
    bool done = false, exhausted = true;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        KnGdlDerived now;
        KnStatus status = try_deriving(description, &bounds, costs, &exhausted, &now, error);
        uint32_t split = exhausted || (status == KN_OK && now.length > MANY_WORDS)
                             ? choose_splits(costs, now.steps, exhausted)
                             : 0;
        bool better = status == KN_OK && (!done || now.length < out->length);
        KnGdlDerived worse = better ? *out : now;
        if (better) {
            *out = now;
            out->store.terms = &out->terms;
        }
        kn_gdl_derived_free(&worse);
        done |= better;
        if (!exhausted && status != KN_OK) return done ? KN_OK : status;
        if (!split || (done && !better)) break;
    }
    if (done) return KN_OK;
    KnStatus status = KN_NO;
    bounds.demand = true;
    do { /* what is costly may show only with more steps */
        bounds.steps = smaller(bounds.steps * LARGER, limits->steps);
        bounds.words = (size_t)smaller(bounds.words * LARGER, limits->words);
        int tries = bounds.steps < limits->steps ? MOST_LARGE_TRIES : 1;
        do {
            kn_gdl_derived_free(out);
            status = try_deriving(description, &bounds, costs, &exhausted, out, error);
        } while (exhausted && --tries > 0 && choose_splits(costs, out->steps, true));
    } while (exhausted && !out->terms.failed &&
             (bounds.steps < limits->steps || bounds.words < limits->words));
    return status;
}

KnStatus kn_gdl_derive(const KnGdlDescription *description, const KnGdlDeriveLimits *limits,
                       KnGdlDerived *out, KnError *error)
{
    Costs costs = {.rules = description->rule_count + 1};
    costs.steps = calloc((size_t)costs.rules, sizeof *costs.steps);
    costs.split = calloc((size_t)costs.rules, sizeof *costs.split);
    costs.moved = calloc((size_t)costs.rules, sizeof *costs.moved);
    *out = (KnGdlDerived){0};
    KnStatus status = costs.steps && costs.split && costs.moved
                          ? KN_OK
                          : kn_fail_memory(error, "grounding a game description");
    if (limits->split && costs.split) memset(costs.split, true, (size_t)costs.rules);
    if (status == KN_OK) status = derive_with_splits(description, limits, &costs, out, error);
    free(costs.steps);
    free(costs.split);
    free(costs.moved);
    return status;
}

void kn_gdl_derived_free(KnGdlDerived *derived)
{
    kn_gdl_store_free(&derived->store);
    kn_terms_free(&derived->terms);
    free(derived->fixed);
    free(derived->instances);
    *derived = (KnGdlDerived){0};
}
