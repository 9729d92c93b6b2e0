/* Whether rules mean something: arities of the keywords, roles, and negation that does not run in circles;
 * and what each relation depends on, which the prover uses to know what it may remember. */
#include <stdlib.h>
#include <string.h>

#include "games/gdl/build.h"

static const struct {
    KnSymbol symbol;
    int arity;
} keyword_arities[] = {{KN_GDL_ROLE, 1},  {KN_GDL_INIT, 1}, {KN_GDL_TRUE, 1}, {KN_GDL_NEXT, 1},
                       {KN_GDL_LEGAL, 2}, {KN_GDL_DOES, 2}, {KN_GDL_GOAL, 2}, {KN_GDL_TERMINAL, 0},
                       {KN_GDL_BASE, 1},  {KN_GDL_INPUT, 2}};

static const char *name_of(const KnGdlSheet *sheet, KnSymbol symbol) { return sheet->symbols.names[symbol]; }

static KnSymbol relation_of(const KnGdlSheet *sheet, KnTerm term)
{
    return kn_term(&sheet->terms, term)->symbol;
}

static void check_keywords(KnGdlSheet *sheet)
{
    for (size_t i = 0; i < sizeof keyword_arities / sizeof *keyword_arities; i++) {
        const KnGdlRelation *relation = &sheet->relations[keyword_arities[i].symbol];
        if (relation->arity >= 0 && relation->arity != keyword_arities[i].arity)
            kn_gdl_problem(sheet, true, relation->place, "%s takes %d argument%s, not %d",
                           name_of(sheet, keyword_arities[i].symbol), keyword_arities[i].arity,
                           keyword_arities[i].arity == 1 ? "" : "s", relation->arity);
    }
    static const KnSymbol given[] = {KN_GDL_TRUE, KN_GDL_DOES};
    for (int i = 0; i < 2; i++)
        for (const KnGdlRule *rule = sheet->relations[given[i]].rules; rule; rule = rule->next)
            kn_gdl_problem(sheet, true, rule->place,
                           "%s is given by the state and the moves; rules cannot define it (use %s)",
                           name_of(sheet, given[i]), i ? "legal" : "next or init");
}

/* Roles are the ground facts, in the order of the sheet. Where there are none, rules may say them (reader.c
 * asks the prover). */
static void collect_roles(KnGdlSheet *sheet)
{
    const KnGdlRule *ruled = NULL;
    for (const KnGdlRule *rule = sheet->relations[KN_GDL_ROLE].rules; rule; rule = rule->next) {
        if (kn_term(&sheet->terms, rule->head)->arity != 1) return; /* reported as an arity */
        KnTerm role = kn_term_args(&sheet->terms, rule->head)[0];
        if (rule->count || !kn_term_ground(&sheet->terms, role)) {
            if (!ruled) ruled = rule;
            continue;
        }
        bool known = false;
        for (int i = 0; i < sheet->role_count; i++) known |= sheet->roles[i] == role;
        if (known)
            kn_gdl_problem(sheet, false, rule->place, "this role is named twice");
        else if (sheet->role_count == KN_GDL_ROLES) {
            kn_gdl_problem(sheet, true, rule->place, "more than %d roles", KN_GDL_ROLES);
            return;
        } else
            sheet->roles[sheet->role_count++] = role;
    }
    if (ruled && sheet->role_count)
        kn_gdl_problem(sheet, false, ruled->place,
                       "roles are plain facts, as in (role white); this rule adds none");
    if (!sheet->role_count && !sheet->error_count && !ruled)
        kn_gdl_problem(sheet, true, (KnGdlPlace){1, 1},
                       "no role: a sheet names its players, as in (role white)");
}

/* ---- Circles among relations, by Tarjan's algorithm with a stack of its own ---- */

typedef struct Circles {
    KnGdlSheet *sheet;
    uint32_t *index, *low; /* 0: not met */
    uint32_t *circle; /* number of the circle, 0: not settled; smaller ones never depend on larger ones */
    KnSymbol *path;   /* Tarjan's stack */
    uint32_t met, on_path, circles;
} Circles;

typedef struct Visit {
    KnSymbol symbol;
    const KnGdlRule *rule;
    int literal;
} Visit;

static void enter(Circles *c, Visit *visit, KnSymbol symbol)
{
    c->index[symbol] = c->low[symbol] = ++c->met;
    c->path[c->on_path++] = symbol;
    *visit = (Visit){symbol, c->sheet->relations[symbol].rules, 0};
}

/* The next relation that the visited one uses; false if there is none. */
static bool next_used(const Circles *c, Visit *visit, KnSymbol *used)
{
    for (; visit->rule; visit->rule = visit->rule->next, visit->literal = 0)
        while (visit->literal < visit->rule->count) {
            const KnGdlLiteral *literal = &visit->rule->body[visit->literal++];
            if (literal->kind > KN_GDL_FAILS) continue;
            *used = relation_of(c->sheet, literal->term);
            return true;
        }
    return false;
}

static void lower(uint32_t *low, uint32_t value)
{
    if (value < *low) *low = value;
}

static void find_circles_from(Circles *c, KnSymbol root, Visit *visits)
{
    size_t depth = 0;
    enter(c, &visits[depth++], root);
    while (depth) {
        Visit *visit = &visits[depth - 1];
        KnSymbol used;
        if (next_used(c, visit, &used)) {
            if (!c->index[used])
                enter(c, &visits[depth++], used);
            else if (!c->circle[used])
                lower(&c->low[visit->symbol], c->index[used]);
            continue;
        }
        KnSymbol done = visit->symbol;
        if (c->low[done] == c->index[done]) {
            KnSymbol member;
            c->circles++;
            do c->circle[member = c->path[--c->on_path]] = c->circles;
            while (member != done);
        }
        if (--depth) lower(&c->low[visits[depth - 1].symbol], c->low[done]);
    }
}

static void check_negation(const Circles *c, KnSymbol symbol)
{
    KnGdlSheet *sheet = c->sheet;
    for (const KnGdlRule *rule = sheet->relations[symbol].rules; rule; rule = rule->next)
        for (int i = 0; i < rule->count; i++) {
            if (rule->body[i].kind != KN_GDL_FAILS) continue;
            KnSymbol used = relation_of(sheet, rule->body[i].term);
            if (c->circle[used] == c->circle[symbol])
                kn_gdl_problem(sheet, true, rule->body[i].place,
                               "unstratified negation: %s depends on itself through this not %s",
                               name_of(sheet, symbol), name_of(sheet, used));
        }
}

/* In the order of circles all that a relation uses outside of its own is settled. */
static void find_level(const Circles *c, const KnSymbol *members, size_t count)
{
    KnGdlSheet *sheet = c->sheet;
    KnGdlLevel level = KN_GDL_FIXED;
    for (size_t m = 0; m < count; m++) {
        if (members[m] == KN_GDL_TRUE) level = level > KN_GDL_STATE ? level : KN_GDL_STATE;
        if (members[m] == KN_GDL_DOES) level = KN_GDL_MOVES;
        for (const KnGdlRule *rule = sheet->relations[members[m]].rules; rule; rule = rule->next)
            for (int i = 0; i < rule->count; i++) {
                if (rule->body[i].kind > KN_GDL_FAILS) continue;
                KnGdlLevel used = sheet->relations[relation_of(sheet, rule->body[i].term)].level;
                if (used > level) level = used;
            }
    }
    for (size_t m = 0; m < count; m++) sheet->relations[members[m]].level = level;
}

static int by_circle(const void *a, const void *b, void *user)
{
    const uint32_t *circle = user;
    uint32_t x = circle[*(const KnSymbol *)a], y = circle[*(const KnSymbol *)b];
    return (x > y) - (x < y);
}

static void settle_circles(Circles *c, KnSymbol *order, size_t count)
{
    for (size_t i = 0; i < count; i++) order[i] = (KnSymbol)i;
    qsort_r(order, count, sizeof *order, by_circle, c->circle);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && c->circle[order[end]] == c->circle[order[begin]];) end++;
        find_level(c, order + begin, end - begin);
    }
    for (KnSymbol s = 0; s < count; s++) check_negation(c, s);
}

static KnStatus check_circles(KnGdlBuild *build)
{
    KnGdlSheet *sheet = build->sheet;
    size_t count = sheet->symbols.count;
    Circles c = {sheet,
                 KN_ARENA_NEW(build->scratch, uint32_t, count),
                 KN_ARENA_NEW(build->scratch, uint32_t, count),
                 KN_ARENA_NEW(build->scratch, uint32_t, count),
                 KN_ARENA_NEW(build->scratch, KnSymbol, count),
                 0,
                 0,
                 0};
    Visit *visits = KN_ARENA_NEW(build->scratch, Visit, count);
    KnSymbol *order = KN_ARENA_NEW(build->scratch, KnSymbol, count);
    if (!c.index || !c.low || !c.circle || !c.path || !visits || !order)
        return kn_fail_memory(build->error, "checking a rule sheet");
    for (KnSymbol s = 0; s < count; s++)
        if (!c.index[s]) find_circles_from(&c, s, visits);
    settle_circles(&c, order, count);
    return KN_OK;
}

/* ---- What is probably a slip ---- */

/* (p) where p was meant. */
static void warn_bare_lists(KnGdlSheet *sheet)
{
    for (KnSymbol s = KN_GDL_KEYWORDS; s < sheet->symbols.count; s++) {
        const char *name = name_of(sheet, s);
        KnSymbol plain;
        size_t length = strlen(name);
        if (*name != '(' || sheet->relations[s].arity < 0 ||
            !kn_symbol_find(&sheet->symbols, name + 1, length - 2, &plain))
            continue;
        if (plain < KN_GDL_KEYWORDS || sheet->relations[plain].arity >= 0)
            kn_gdl_problem(sheet, false, sheet->relations[s].place,
                           "%s is not the same sentence as %s; leave the parentheses out", name,
                           name_of(sheet, plain));
    }
}

static void warn_undefined(KnGdlSheet *sheet)
{
    for (KnSymbol s = 0; s < sheet->symbols.count; s++) {
        KnGdlRelation *relation = &sheet->relations[s];
        relation->only_facts = true;
        for (const KnGdlRule *rule = relation->rules; rule; rule = rule->next)
            relation->only_facts &= rule->count == 0 && kn_term_ground(&sheet->terms, rule->head);
        if (relation->arity >= 0 && !relation->rules && s != KN_GDL_TRUE && s != KN_GDL_DOES)
            kn_gdl_problem(sheet, false, relation->place, "%s is used but never defined, hence never true",
                           name_of(sheet, s));
    }
    static const KnSymbol needed[] = {KN_GDL_LEGAL, KN_GDL_GOAL, KN_GDL_TERMINAL};
    for (int i = 0; i < 3; i++) {
        const KnGdlRelation *relation = &sheet->relations[needed[i]];
        if (!relation->rules)
            kn_gdl_problem(sheet, false, (KnGdlPlace){1, 1}, "the sheet has no rule for %s",
                           name_of(sheet, needed[i]));
        if (relation->level == KN_GDL_MOVES)
            kn_gdl_problem(sheet, false, relation->place,
                           "%s depends on does, which is not known when it is asked for",
                           name_of(sheet, needed[i]));
    }
}

static KnTerm query(KnGdlSheet *sheet, KnSymbol relation, KnTerm role, bool open)
{
    KnTerm args[2];
    int arity = 0;
    if (role) args[arity++] = role;
    if (open) args[arity++] = kn_term_variable(&sheet->terms, 0);
    return sheet->terms.failed ? 0 : kn_term_make(&sheet->terms, relation, args, arity);
}

KnStatus kn_gdl_make_queries(KnGdlSheet *sheet, KnError *error)
{
    sheet->queries.init = query(sheet, KN_GDL_INIT, 0, true);
    sheet->queries.next = query(sheet, KN_GDL_NEXT, 0, true);
    sheet->queries.base = query(sheet, KN_GDL_BASE, 0, true);
    sheet->queries.terminal = query(sheet, KN_GDL_TERMINAL, 0, false);
    for (int r = 0; r < sheet->role_count; r++) {
        sheet->queries.legal[r] = query(sheet, KN_GDL_LEGAL, sheet->roles[r], true);
        sheet->queries.goal[r] = query(sheet, KN_GDL_GOAL, sheet->roles[r], true);
        sheet->queries.input[r] = query(sheet, KN_GDL_INPUT, sheet->roles[r], true);
    }
    return sheet->terms.failed ? kn_fail_memory(error, "reading a rule sheet") : KN_OK;
}

KnStatus kn_gdl_check(KnGdlBuild *build)
{
    check_keywords(build->sheet);
    collect_roles(build->sheet);
    KnStatus status = check_circles(build);
    if (status == KN_OK) warn_undefined(build->sheet);
    if (status == KN_OK) warn_bare_lists(build->sheet);
    return status == KN_OK ? kn_gdl_make_queries(build->sheet, build->error) : status;
}
