/* The tree of a sheet into rules: heads and literals as terms, `or` multiplied out, `not` pushed inwards,
 * arities noted. */
#include <stdio.h>
#include <string.h>

#include "games/gdl/build.h"

enum { MOST_RULES = 100000, MOST_LITERALS = 1000, MOST_ALL_LITERALS = 500000, MULTIPLIED = 64 };

static const char too_many_literals[] = "more than 1000 literals in a rule";

/* A set of a rule's variables. */
typedef struct Variables {
    uint64_t words[(KN_GDL_VARIABLES + 63) / 64];
} Variables;

/* The rule being made. */
typedef struct Making {
    KnGdlBuild *build;
    KnSymbol names[KN_GDL_VARIABLES]; /* of its variables, by number */
    int variables;
    KnTerm head;
    KnGdlPlace place;
    KnGdlLiteral body[MOST_LITERALS];
    Variables used[MOST_LITERALS]; /* by each literal */
    int count;
    int *all_literals; /* of the sheet so far */
} Making;

/* Body items still to be dealt with, as a list on the stack. */
typedef struct Todo {
    const KnGdlNode *node;
    bool negated;
    const struct Todo *rest;
    KnTerm helper; /* stands for the node */
} Todo;

static KnStatus fail_at(const KnGdlBuild *build, KnGdlPlace place, const char *what)
{
    return kn_fail(build->error, KN_INPUT, "%s:%d:%d: %s", build->sheet->name, place.line, place.column,
                   what);
}

static KnStatus no_memory(const KnGdlBuild *build)
{
    return kn_fail_memory(build->error, "reading a rule sheet");
}

static int variable_number(Making *making, KnSymbol symbol)
{
    for (int i = 0; i < making->variables; i++)
        if (making->names[i] == symbol) return i;
    if (making->variables == KN_GDL_VARIABLES) return -1;
    making->names[making->variables] = symbol;
    return making->variables++;
}

/* A function must have as many arguments everywhere; a plain constant may share its name. */
static void note_function(KnGdlBuild *build, const KnGdlNode *node, int arity)
{
    int *known = &build->function_arity[node->symbol];
    KnGdlPlace *place = &build->function_place[node->symbol];
    if (*known < 0) {
        *known = arity;
        *place = node->place;
    } else if (*known != arity)
        kn_gdl_problem(build->sheet, true, node->place, "function %s has %d arguments here, but %d at %d:%d",
                       build->sheet->symbols.names[node->symbol], arity, *known, place->line, place->column);
}

static void note_relation(KnGdlBuild *build, const KnGdlNode *node, int arity)
{
    KnGdlRelation *relation = &build->sheet->relations[node->symbol];
    if (relation->arity < 0) {
        relation->arity = arity;
        relation->place = node->place;
    } else if (relation->arity != arity)
        kn_gdl_problem(build->sheet, true, node->place, "%s has %d arguments here, but %d at %d:%d",
                       build->sheet->symbols.names[node->symbol], arity, relation->arity,
                       relation->place.line, relation->place.column);
}

static KnStatus check_list(const KnGdlBuild *build, const KnGdlNode *node)
{
    if (node->items == 0) return fail_at(build, node->place, "empty parentheses");
    if (node->items > 0 && (node->first->items >= 0 || node->first->variable))
        return fail_at(build, node->first->place, "a name is wanted behind the parenthesis");
    if (node->items - 1 > KN_GDL_ARITY && node->symbol != KN_GDL_OR)
        return fail_at(build, node->place, "more than 250 arguments");
    return KN_OK;
}

static KnStatus make_term(Making *making, const KnGdlNode *node, bool relation, KnTerm *term)
{
    KnGdlBuild *build = making->build;
    KnTerms *terms = &build->sheet->terms;
    if (node->items < 0 && node->variable) {
        if (relation) return fail_at(build, node->place, "a variable cannot stand for a sentence");
        int number = variable_number(making, node->symbol);
        if (number < 0) return fail_at(build, node->place, "more than 250 variables in a rule");
        *term = kn_term_variable(terms, (unsigned)number);
        return *term ? KN_OK : no_memory(build);
    }
    KnStatus status = check_list(build, node);
    if (status != KN_OK) return status;
    int arity = node->items < 0 ? 0 : node->items - 1;
    if (relation)
        note_relation(build, node, arity);
    else if (arity)
        note_function(build, node, arity);
    KnTerm args[KN_GDL_ARITY];
    int i = 0;
    for (const KnGdlNode *arg = arity ? node->first->next : NULL; arg; arg = arg->next) {
        status = make_term(making, arg, false, &args[i++]);
        if (status != KN_OK) return status;
    }
    *term = kn_term_make(terms, node->symbol, args, arity);
    return *term ? KN_OK : no_memory(build);
}

/* ---- Order of literals ---- */

static void mark_variables(const KnTerms *terms, KnTerm term, Variables *marks)
{
    const KnTermNode *node = kn_term(terms, term);
    if (!node->variables) return;
    unsigned number = node->symbol & ~KN_TERM_VARIABLE;
    if (node->symbol & KN_TERM_VARIABLE) marks->words[number / 64] |= UINT64_C(1) << number % 64;
    for (int i = 0; i < node->arity; i++) mark_variables(terms, kn_term_args(terms, term)[i], marks);
}

static bool is_subset(const Variables *part, const Variables *whole)
{
    for (size_t i = 0; i < sizeof part->words / sizeof *part->words; i++)
        if (part->words[i] & ~whole->words[i]) return false;
    return true;
}

static void add_variables(Variables *whole, const Variables *part)
{
    for (size_t i = 0; i < sizeof part->words / sizeof *part->words; i++) whole->words[i] |= part->words[i];
}

/* Puts tests behind the literals that bind their variables: where they stand if those come before, else right
 * behind the last of them. What is never bound is left out. */
static void order_body(const Making *making, KnGdlRule *rule)
{
    KnGdlSheet *sheet = making->build->sheet;
    Variables bound = {{0}}, needed = {{0}};
    bool placed[MOST_LITERALS] = {false};
    rule->count = 0;
    for (int i = 0; i < making->count; i++) {
        const KnGdlLiteral *literal = &making->body[i];
        placed[i] = literal->kind == KN_GDL_HOLDS || is_subset(&making->used[i], &bound);
        if (placed[i]) rule->body[rule->count++] = *literal;
        if (literal->kind != KN_GDL_HOLDS) continue;
        add_variables(&bound, &making->used[i]);
        for (int k = 0; k < i; k++) /* tests that waited for this one */
            if (!placed[k] && (placed[k] = is_subset(&making->used[k], &bound)))
                rule->body[rule->count++] = making->body[k];
    }
    for (int i = 0; i < making->count; i++)
        if (!placed[i])
            kn_gdl_problem(sheet, false, making->body[i].place,
                           "unsafe: no positive literal binds a variable of this %s, which is left out",
                           making->body[i].kind == KN_GDL_FAILS ? "not" : "distinct");
    mark_variables(&sheet->terms, rule->head, &needed);
    if (!is_subset(&needed, &bound))
        kn_gdl_problem(sheet, false, rule->place, "unsafe: no positive literal binds a variable of the head");
}

static KnStatus add_rule(Making *making)
{
    KnGdlBuild *build = making->build;
    KnGdlSheet *sheet = build->sheet;
    *making->all_literals += making->count;
    if (++sheet->rule_count > MOST_RULES || *making->all_literals > MOST_ALL_LITERALS)
        return fail_at(build, making->place, "the sheet has too many rules once `or` is multiplied out");
    KnGdlRule *rule = KN_ARENA_NEW(sheet->arena, KnGdlRule, 1);
    if (!rule) return no_memory(build);
    *rule = (KnGdlRule){.head = making->head, .variables = making->variables, .place = making->place};
    rule->body = KN_ARENA_NEW(sheet->arena, KnGdlLiteral, making->count + 1);
    if (!rule->body) return no_memory(build);
    order_body(making, rule);
    KnGdlRelation *relation = &sheet->relations[kn_term(&sheet->terms, rule->head)->symbol];
    if (relation->last)
        relation->last->next = rule;
    else
        relation->rules = rule;
    relation->last = rule;
    return KN_OK;
}

/* ---- Bodies ---- */

static KnStatus expand(Making *making, const Todo *todo);

static KnStatus add_literal(Making *making, KnGdlLiteral literal, const Todo *rest)
{
    if (making->count == MOST_LITERALS) return fail_at(making->build, literal.place, too_many_literals);
    Variables used = {{0}};
    mark_variables(&making->build->sheet->terms, literal.term, &used);
    if (literal.other) mark_variables(&making->build->sheet->terms, literal.other, &used);
    making->used[making->count] = used;
    making->body[making->count++] = literal;
    KnStatus status = expand(making, rest);
    making->count--;
    return status;
}

static KnStatus expand_or(Making *making, const Todo *todo)
{
    const KnGdlNode *first = todo->node->first->next;
    if (!todo->negated) { /* a rule for each alternative */
        for (const KnGdlNode *item = first; item; item = item->next) {
            KnStatus status = expand(making, &(Todo){item, false, todo->rest, 0});
            if (status != KN_OK) return status;
        }
        return KN_OK;
    }
    /* none of them may hold */
    if (!first) return expand(making, todo->rest);
    int count = todo->node->items - 1, i = 0;
    if (count > MOST_LITERALS) return fail_at(making->build, first->place, too_many_literals);
    Todo *items = KN_ARENA_NEW(making->build->scratch, Todo, count);
    if (!items) return no_memory(making->build);
    for (const KnGdlNode *item = first; item; item = item->next, i++) {
        items[i] = (Todo){item, true, todo->rest, 0};
        if (i) items[i - 1].rest = &items[i];
    }
    return expand(making, items);
}

/* Deals with the first item, then with the rest; at the end there is a rule. Its depth is bounded by the
 * number of literals and the nesting of the sheet. */
static KnStatus expand(Making *making, const Todo *todo)
{
    if (!todo) return add_rule(making);
    KnGdlBuild *build = making->build;
    const KnGdlNode *node = todo->node;
    KnGdlLiteral literal = {.kind = todo->negated ? KN_GDL_FAILS : KN_GDL_HOLDS, .place = node->place};
    if (todo->helper) {
        literal.term = todo->helper;
        return add_literal(making, literal, todo->rest);
    }
    KnStatus status = check_list(build, node);
    if (status != KN_OK) return status;
    if (node->items > 0 && node->symbol == KN_GDL_NOT) {
        if (node->items != 2) return fail_at(build, node->place, "not takes one literal");
        return expand(making, &(Todo){node->first->next, !todo->negated, todo->rest, 0});
    }
    if (node->items > 0 && node->symbol == KN_GDL_OR) return expand_or(making, todo);
    if (node->items > 0 && node->symbol == KN_GDL_DISTINCT) {
        if (node->items != 3) return fail_at(build, node->place, "distinct takes two terms");
        literal.kind = todo->negated ? KN_GDL_EQUALS : KN_GDL_DIFFERS;
        status = make_term(making, node->first->next, false, &literal.term);
        if (status == KN_OK) status = make_term(making, node->first->next->next, false, &literal.other);
    } else
        status = make_term(making, node, true, &literal.term);
    return status == KN_OK ? add_literal(making, literal, todo->rest) : status;
}

/* ---- `or` as a relation of its own ----
 *
 * A rule with many `or`s becomes as many rules as there are ways through all of them. Beyond some, each `or`
 * of it is made a relation between the variables that it shares with the rest of the rule. That can be done
 * where every alternative binds them. */

static bool is_or(const KnGdlNode *node)
{
    return node->items > 1 && node->symbol == KN_GDL_OR && node->first->items < 0;
}

/* The rules that an item is multiplied out into, as far as it matters. */
static int64_t ways_of(const KnGdlNode *node, bool negated)
{
    enum { MANY = 1 << 20 };
    if (node->items == 2 && node->symbol == KN_GDL_NOT) return ways_of(node->first->next, !negated);
    if (!is_or(node)) return 1;
    int64_t ways = negated;
    for (const KnGdlNode *item = node->first->next; item && ways <= MANY; item = item->next)
        ways = negated ? ways * ways_of(item, true) : ways + ways_of(item, false);
    return ways < MANY ? ways : MANY;
}

/* Before rules are made, while symbols can still be added. The names cannot occur in a sheet. */
static KnStatus name_helpers(KnGdlBuild *build, const KnGdlNode *rule)
{
    int64_t ways = 1;
    for (const KnGdlNode *item = rule->first; item && ways <= MULTIPLIED; item = item->next)
        ways *= ways_of(item, false);
    if (rule->symbol != KN_GDL_RULE || ways <= MULTIPLIED) return KN_OK;
    for (KnGdlNode *item = rule->first->next; item; item = item->next) {
        char name[60];
        int length = snprintf(name, sizeof name, "or %d:%d", item->place.line, item->place.column);
        if (is_or(item) && !kn_symbol_add(&build->sheet->symbols, name, (size_t)length, &item->helper))
            return no_memory(build);
    }
    return KN_OK;
}

/* The variables below a node; false if there are too many in the rule. */
static bool collect_variables(Making *making, const KnGdlNode *node, Variables *set)
{
    int number = node->variable ? variable_number(making, node->symbol) : 0;
    if (number < 0) return false;
    if (node->variable) set->words[number / 64] |= UINT64_C(1) << number % 64;
    for (const KnGdlNode *item = node->items > 0 ? node->first : NULL; item; item = item->next)
        if (!collect_variables(making, item, set)) return false;
    return true;
}

/* Whether an alternative binds these variables whichever way it holds. */
static bool binds(Making *making, const KnGdlNode *node, const Variables *set)
{
    if (node->items > 0 && (node->symbol == KN_GDL_NOT || node->symbol == KN_GDL_DISTINCT))
        return is_subset(set, &(Variables){{0}});
    Variables mine = {{0}};
    if (!is_or(node)) return collect_variables(making, node, &mine) && is_subset(set, &mine);
    for (const KnGdlNode *item = node->first->next; item; item = item->next)
        if (!binds(making, item, set)) return false;
    return true;
}

/* Makes the rules of an `or`'s relation and the literal that stands for it: *helper, or 0 if it must be
 * multiplied out. */
static KnStatus make_helper(Making *making, const KnGdlNode *rule, const KnGdlNode *node, KnTerm *helper)
{
    KnGdlBuild *build = making->build;
    KnTerms *terms = &build->sheet->terms;
    Variables inside = {{0}}, outside = {{0}};
    bool counted = collect_variables(making, node, &inside);
    for (const KnGdlNode *item = rule->first->next; item; item = item->next)
        if (item != node) counted &= collect_variables(making, item, &outside);
    if (!counted) return fail_at(build, node->place, "more than 250 variables in a rule");
    for (size_t i = 0; i < sizeof inside.words / sizeof *inside.words; i++)
        outside.words[i] &= inside.words[i];
    *helper = 0;
    if (!binds(making, node, &outside)) return KN_OK;
    KnTerm args[KN_GDL_VARIABLES], head = making->head;
    int arity = 0;
    for (int v = 0; v < making->variables; v++)
        if (outside.words[v / 64] >> v % 64 & 1) args[arity++] = kn_term_variable(terms, (unsigned)v);
    making->head = *helper = terms->failed ? 0 : kn_term_make(terms, node->helper, args, arity);
    if (!*helper) return no_memory(build);
    build->sheet->relations[node->helper].arity = arity;
    build->sheet->relations[node->helper].place = node->place;
    KnStatus status = expand(making, &(Todo){node, false, NULL, 0});
    making->head = head;
    return status;
}

static KnStatus make_rule(Making *making, const KnGdlNode *node)
{
    KnGdlBuild *build = making->build;
    making->variables = making->count = 0;
    making->place = node->place;
    bool rule = node->items > 0 && node->symbol == KN_GDL_RULE && node->first->items < 0;
    if (rule && node->items == 1) return fail_at(build, node->place, "<= without a head");
    const KnGdlNode *head = rule ? node->first->next : node;
    bool reserved = head->symbol == KN_GDL_NOT || head->symbol == KN_GDL_OR ||
                    head->symbol == KN_GDL_DISTINCT || head->symbol == KN_GDL_RULE;
    if (reserved && head->items != 0)
        return fail_at(build, head->place, "not, or, distinct and <= cannot be defined");
    KnStatus status = make_term(making, head, true, &making->head);
    if (status != KN_OK || !rule) return status == KN_OK ? expand(making, NULL) : status;
    int count = node->items - 2, i = 0;
    if (count > MOST_LITERALS) return fail_at(build, node->place, too_many_literals);
    Todo *items = KN_ARENA_NEW(build->scratch, Todo, count + 1);
    if (!items) return no_memory(build);
    for (const KnGdlNode *item = head->next; item && status == KN_OK; item = item->next, i++) {
        items[i] = (Todo){item, false, NULL, 0};
        if (i) items[i - 1].rest = &items[i];
        if (item->helper) status = make_helper(making, node, item, &items[i].helper);
    }
    return status == KN_OK ? expand(making, count ? items : NULL) : status;
}

KnStatus kn_gdl_make_rules(KnGdlBuild *build, const KnGdlNode *first)
{
    KnGdlSheet *sheet = build->sheet;
    for (const KnGdlNode *node = first; node; node = node->next) {
        KnStatus status = node->items > 0 ? name_helpers(build, node) : KN_OK;
        if (status != KN_OK) return status;
    }
    size_t symbols = sheet->symbols.count;
    sheet->relations = KN_ARENA_NEW(sheet->arena, KnGdlRelation, symbols);
    build->function_arity = KN_ARENA_NEW(build->scratch, int, symbols);
    build->function_place = KN_ARENA_NEW(build->scratch, KnGdlPlace, symbols);
    Making *making = KN_ARENA_NEW(build->scratch, Making, 1);
    if (!sheet->relations || !build->function_arity || !build->function_place || !making)
        return no_memory(build);
    for (size_t i = 0; i < symbols; i++) {
        sheet->relations[i].arity = -1;
        build->function_arity[i] = -1;
    }
    int all_literals = 0;
    making->build = build;
    making->all_literals = &all_literals;
    for (const KnGdlNode *node = first; node; node = node->next) {
        KnStatus status = make_rule(making, node);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}
