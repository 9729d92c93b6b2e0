/* Semantic checks: arities of the keywords, roles. Also computes what each relation depends on, so that the
 * prover knows which answers it may keep, and marks relations that recurse through `not`. These may still be
 * stratified on ground atoms, as (goal x 100) if not (goal x 0): propnet_build.c decides once they are known,
 * and the prover when a negated question meets itself. */
#include <stdlib.h>
#include <string.h>

#include "games/gdl/build.h"

static const struct {
    KnSymbol symbol;
    int arity;
} keyword_arities[] = {{KN_GDL_ROLE, 1},  {KN_GDL_INIT, 1}, {KN_GDL_TRUE, 1}, {KN_GDL_NEXT, 1},
                       {KN_GDL_LEGAL, 2}, {KN_GDL_DOES, 2}, {KN_GDL_GOAL, 2}, {KN_GDL_TERMINAL, 0},
                       {KN_GDL_BASE, 1},  {KN_GDL_INPUT, 2}};

static const char *name_of(const KnGdlDescription *description, KnSymbol symbol)
{
    return description->symbols.names[symbol];
}

static KnSymbol relation_of(const KnGdlDescription *description, KnTerm term)
{
    return kn_term(&description->terms, term)->symbol;
}

static void check_keywords(KnGdlDescription *description)
{
    for (size_t i = 0; i < sizeof keyword_arities / sizeof *keyword_arities; i++) {
        const KnGdlRelation *relation = &description->relations[keyword_arities[i].symbol];
        if (relation->arity >= 0 && relation->arity != keyword_arities[i].arity)
            kn_gdl_problem(description, true, relation->place, "%s takes %d argument%s, not %d",
                           name_of(description, keyword_arities[i].symbol), keyword_arities[i].arity,
                           keyword_arities[i].arity == 1 ? "" : "s", relation->arity);
    }
    static const KnSymbol given[] = {KN_GDL_TRUE, KN_GDL_DOES};
    for (int i = 0; i < 2; i++)
        for (const KnGdlRule *rule = description->relations[given[i]].rules; rule; rule = rule->next)
            kn_gdl_problem(description, true, rule->place,
                           "%s is given by the state and the moves; rules cannot define it (use %s)",
                           name_of(description, given[i]), i ? "legal" : "next or init");
}

/* Roles are the ground role facts, in order. If there are none, rules may derive them (reader.c asks the
 * prover). */
static void collect_roles(KnGdlDescription *description)
{
    const KnGdlRule *ruled = NULL;
    for (const KnGdlRule *rule = description->relations[KN_GDL_ROLE].rules; rule; rule = rule->next) {
        if (kn_term(&description->terms, rule->head)->arity != 1)
            return; /* already reported as a wrong arity */
        KnTerm role = kn_term_args(&description->terms, rule->head)[0];
        if (rule->count || !kn_term_ground(&description->terms, role)) {
            if (!ruled) ruled = rule;
            continue;
        }
        bool known = false;
        for (int i = 0; i < description->role_count; i++) known |= description->roles[i] == role;
        if (known)
            kn_gdl_problem(description, false, rule->place, "this role is named twice");
        else if (description->role_count == KN_GDL_ROLES) {
            kn_gdl_problem(description, true, rule->place, "more than %d roles", KN_GDL_ROLES);
            return;
        } else
            description->roles[description->role_count++] = role;
    }
    if (ruled && description->role_count)
        kn_gdl_problem(description, false, ruled->place,
                       "roles are plain facts, as in (role white); this rule adds none");
    if (!description->role_count && !description->error_count && !ruled)
        kn_gdl_problem(description, true, (KnGdlPlace){1, 1},
                       "no role: a description names its players, as in (role white)");
}

/* ---- Strongly connected components of relations: Tarjan's algorithm with an explicit stack ---- */

typedef struct Components {
    KnGdlDescription *description;
    uint32_t *index, *low; /* 0: not visited */
    uint32_t *component;   /* number of the component, 0: unknown; a component depends only on smaller ones */
    KnSymbol *path;        /* Tarjan's stack */
    uint32_t met, on_path, components;
} Components;

typedef struct Visit {
    KnSymbol symbol;
    const KnGdlRule *rule;
    int literal;
} Visit;

static void enter(Components *c, Visit *visit, KnSymbol symbol)
{
    c->index[symbol] = c->low[symbol] = ++c->met;
    c->path[c->on_path++] = symbol;
    *visit = (Visit){symbol, c->description->relations[symbol].rules, 0};
}

/* The next relation that the visited one uses; false at the end. */
static bool next_used(const Components *c, Visit *visit, KnSymbol *used)
{
    for (; visit->rule; visit->rule = visit->rule->next, visit->literal = 0)
        while (visit->literal < visit->rule->count) {
            const KnGdlLiteral *literal = &visit->rule->body[visit->literal++];
            if (literal->kind > KN_GDL_FAILS) continue;
            *used = relation_of(c->description, literal->term);
            return true;
        }
    return false;
}

static void lower(uint32_t *low, uint32_t value)
{
    if (value < *low) *low = value;
}

static void find_circles_from(Components *c, KnSymbol root, Visit *visits)
{
    size_t depth = 0;
    enter(c, &visits[depth++], root);
    while (depth) {
        Visit *visit = &visits[depth - 1];
        KnSymbol used;
        if (next_used(c, visit, &used)) {
            if (!c->index[used])
                enter(c, &visits[depth++], used);
            else if (!c->component[used])
                lower(&c->low[visit->symbol], c->index[used]);
            continue;
        }
        KnSymbol done = visit->symbol;
        if (c->low[done] == c->index[done]) {
            KnSymbol member;
            c->components++;
            do c->component[member = c->path[--c->on_path]] = c->components;
            while (member != done);
        }
        if (--depth) lower(&c->low[visits[depth - 1].symbol], c->low[done]);
    }
}

static void mark_negation(const Components *c, KnSymbol symbol)
{
    KnGdlDescription *description = c->description;
    for (const KnGdlRule *rule = description->relations[symbol].rules; rule; rule = rule->next)
        for (int i = 0; i < rule->count; i++) {
            if (rule->body[i].kind != KN_GDL_FAILS) continue;
            KnSymbol used = relation_of(description, rule->body[i].term);
            if (c->component[used] == c->component[symbol])
                description->relations[symbol].negates_itself = true;
        }
}

/* Processes components in order: everything a component uses is known by then. */
static void find_level(const Components *c, const KnSymbol *members, size_t count)
{
    KnGdlDescription *description = c->description;
    KnGdlLevel level = KN_GDL_FIXED;
    for (size_t m = 0; m < count; m++) {
        if (members[m] == KN_GDL_TRUE) level = level > KN_GDL_STATE ? level : KN_GDL_STATE;
        if (members[m] == KN_GDL_DOES) level = KN_GDL_MOVES;
        for (const KnGdlRule *rule = description->relations[members[m]].rules; rule; rule = rule->next)
            for (int i = 0; i < rule->count; i++) {
                if (rule->body[i].kind > KN_GDL_FAILS) continue;
                KnGdlLevel used = description->relations[relation_of(description, rule->body[i].term)].level;
                if (used > level) level = used;
            }
    }
    for (size_t m = 0; m < count; m++) description->relations[members[m]].level = level;
}

static int by_circle(const void *a, const void *b, void *user)
{
    const uint32_t *component = user;
    uint32_t x = component[*(const KnSymbol *)a], y = component[*(const KnSymbol *)b];
    return (x > y) - (x < y);
}

static void settle_circles(Components *c, KnSymbol *order, size_t count)
{
    for (size_t i = 0; i < count; i++) order[i] = (KnSymbol)i;
    qsort_r(order, count, sizeof *order, by_circle, c->component);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && c->component[order[end]] == c->component[order[begin]];) end++;
        find_level(c, order + begin, end - begin);
    }
    for (KnSymbol s = 0; s < count; s++) mark_negation(c, s);
}

static KnStatus check_circles(KnGdlBuild *build)
{
    KnGdlDescription *description = build->description;
    size_t count = description->symbols.count;
    Components c = {description,
                    KN_ARENA_NEW(build->scratch, uint32_t, count),
                    KN_ARENA_NEW(build->scratch, uint32_t, count),
                    KN_ARENA_NEW(build->scratch, uint32_t, count),
                    KN_ARENA_NEW(build->scratch, KnSymbol, count),
                    0,
                    0,
                    0};
    Visit *visits = KN_ARENA_NEW(build->scratch, Visit, count);
    KnSymbol *order = KN_ARENA_NEW(build->scratch, KnSymbol, count);
    if (!c.index || !c.low || !c.component || !c.path || !visits || !order)
        return kn_fail_memory(build->error, "checking a game description");
    for (KnSymbol s = 0; s < count; s++)
        if (!c.index[s]) find_circles_from(&c, s, visits);
    settle_circles(&c, order, count);
    return KN_OK;
}

/* ---- Warnings ---- */

/* (p) where p was probably meant. */
static void warn_bare_lists(KnGdlDescription *description)
{
    for (KnSymbol s = KN_GDL_KEYWORDS; s < description->symbols.count; s++) {
        const char *name = name_of(description, s);
        KnSymbol plain;
        size_t length = strlen(name);
        if (*name != '(' || description->relations[s].arity < 0 ||
            !kn_symbol_find(&description->symbols, name + 1, length - 2, &plain))
            continue;
        if (plain < KN_GDL_KEYWORDS || description->relations[plain].arity >= 0)
            kn_gdl_problem(description, false, description->relations[s].place,
                           "%s is not the same sentence as %s; leave the parentheses out", name,
                           name_of(description, plain));
    }
}

static void warn_undefined(KnGdlDescription *description)
{
    for (KnSymbol s = 0; s < description->symbols.count; s++) {
        KnGdlRelation *relation = &description->relations[s];
        relation->only_facts = true;
        for (const KnGdlRule *rule = relation->rules; rule; rule = rule->next)
            relation->only_facts &= rule->count == 0 && kn_term_ground(&description->terms, rule->head);
        if (relation->arity >= 0 && !relation->rules && s != KN_GDL_TRUE && s != KN_GDL_DOES)
            kn_gdl_problem(description, false, relation->place,
                           "%s is used but never defined, hence never true", name_of(description, s));
    }
    static const KnSymbol needed[] = {KN_GDL_LEGAL, KN_GDL_GOAL, KN_GDL_TERMINAL};
    for (int i = 0; i < 3; i++) {
        const KnGdlRelation *relation = &description->relations[needed[i]];
        if (!relation->rules)
            kn_gdl_problem(description, false, (KnGdlPlace){1, 1}, "the description has no rule for %s",
                           name_of(description, needed[i]));
        if (relation->level == KN_GDL_MOVES)
            kn_gdl_problem(description, false, relation->place,
                           "%s depends on does, which is not known when it is asked for",
                           name_of(description, needed[i]));
    }
}

static KnTerm query(KnGdlDescription *description, KnSymbol relation, KnTerm role, bool open)
{
    KnTerm args[2];
    int arity = 0;
    if (role) args[arity++] = role;
    if (open) args[arity++] = kn_term_variable(&description->terms, 0);
    return description->terms.failed ? 0 : kn_term_make(&description->terms, relation, args, arity);
}

KnStatus kn_gdl_make_queries(KnGdlDescription *description, KnError *error)
{
    description->queries.init = query(description, KN_GDL_INIT, 0, true);
    description->queries.next = query(description, KN_GDL_NEXT, 0, true);
    description->queries.base = query(description, KN_GDL_BASE, 0, true);
    description->queries.terminal = query(description, KN_GDL_TERMINAL, 0, false);
    for (int r = 0; r < description->role_count; r++) {
        description->queries.legal[r] = query(description, KN_GDL_LEGAL, description->roles[r], true);
        description->queries.goal[r] = query(description, KN_GDL_GOAL, description->roles[r], true);
        description->queries.input[r] = query(description, KN_GDL_INPUT, description->roles[r], true);
    }
    return description->terms.failed ? kn_fail_memory(error, "reading a game description") : KN_OK;
}

KnStatus kn_gdl_check(KnGdlBuild *build)
{
    check_keywords(build->description);
    collect_roles(build->description);
    KnStatus status = check_circles(build);
    if (status == KN_OK) warn_undefined(build->description);
    if (status == KN_OK) warn_bare_lists(build->description);
    return status == KN_OK ? kn_gdl_make_queries(build->description, build->error) : status;
}
