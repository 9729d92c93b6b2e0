/* From the tree to rules: heads and literals become terms, `or` is distributed, `not` pushed inwards, arities
 * are checked. */
#include <stdio.h>
#include <string.h>

#include "games/gdl/build.h"

enum { MOST_RULES = 100000, MOST_LITERALS = 1000, MOST_ALL_LITERALS = 500000, MULTIPLIED = 64 };

static const char too_many_literals[] = "more than 1000 literals in a rule";

/* A set of a rule's variables. */
typedef struct Variables {
    uint64_t words[(KN_GDL_VARIABLES + 63) / 64];
} Variables;

/* The rule under construction. */
typedef struct RuleBuilder {
    KnGdlBuild *build;
    KnSymbol names[KN_GDL_VARIABLES]; /* names of its variables */
    int variables;
    KnTerm head;
    KnGdlPlace place;
    KnGdlLiteral body[MOST_LITERALS];
    Variables used[MOST_LITERALS]; /* by each literal */
    int count;
    int *all_literals; /* of the description */
} RuleBuilder;

/* Body items still to process, as a linked list on the stack. */
typedef struct Todo {
    const KnGdlNode *node;
    bool negated;
    const struct Todo *rest;
    KnTerm auxiliary; /* replaces the node */
} Todo;

static KnStatus fail_at(const KnGdlBuild *build, KnGdlPlace place, const char *what)
{
    return kn_fail(build->error, KN_INPUT, "%s:%d:%d: %s", build->description->name, place.line, place.column,
                   what);
}

static KnStatus no_memory(const KnGdlBuild *build)
{
    return kn_fail_memory(build->error, "reading a game description");
}

static int variable_number(RuleBuilder *builder, KnSymbol symbol)
{
    for (int i = 0; i < builder->variables; i++)
        if (builder->names[i] == symbol) return i;
    if (builder->variables == KN_GDL_VARIABLES) return -1;
    builder->names[builder->variables] = symbol;
    return builder->variables++;
}

/* Checks that a function has the same arity everywhere; a constant may share its name. */
static void note_function(KnGdlBuild *build, const KnGdlNode *node, int arity)
{
    int *known = &build->function_arity[node->symbol];
    KnGdlPlace *place = &build->function_place[node->symbol];
    if (*known < 0) {
        *known = arity;
        *place = node->place;
    } else if (*known != arity)
        kn_gdl_problem(
            build->description, true, node->place, "function %s has %d arguments here, but %d at %d:%d",
            build->description->symbols.names[node->symbol], arity, *known, place->line, place->column);
}

static void note_relation(KnGdlBuild *build, const KnGdlNode *node, int arity)
{
    KnGdlRelation *relation = &build->description->relations[node->symbol];
    if (relation->arity < 0) {
        relation->arity = arity;
        relation->place = node->place;
    } else if (relation->arity != arity)
        kn_gdl_problem(build->description, true, node->place, "%s has %d arguments here, but %d at %d:%d",
                       build->description->symbols.names[node->symbol], arity, relation->arity,
                       relation->place.line, relation->place.column);
}

static KnStatus check_list(const KnGdlBuild *build, const KnGdlNode *node)
{
    if (node->items == 0) return fail_at(build, node->place, "empty parentheses");
    if (node->items > 0 && (node->first->items >= 0 || node->first->variable))
        return fail_at(build, node->first->place, "expected a name after the parenthesis");
    if (node->items - 1 > KN_GDL_ARITY && node->symbol != KN_GDL_OR)
        return fail_at(build, node->place, "more than 250 arguments");
    return KN_OK;
}

static KnStatus make_term(RuleBuilder *builder, const KnGdlNode *node, bool relation, KnTerm *term)
{
    KnGdlBuild *build = builder->build;
    KnTerms *terms = &build->description->terms;
    if (node->items < 0 && node->variable) {
        if (relation) return fail_at(build, node->place, "a variable cannot stand for a sentence");
        int number = variable_number(builder, node->symbol);
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
        status = make_term(builder, arg, false, &args[i++]);
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

/* Moves `not` and `distinct` behind the literals that bind their variables: they keep their place if those
 * come before, else follow the last of them. Drops those that are never bound. */
static void order_body(const RuleBuilder *builder, KnGdlRule *rule)
{
    KnGdlDescription *description = builder->build->description;
    Variables bound = {{0}}, needed = {{0}};
    bool placed[MOST_LITERALS] = {false};
    rule->count = 0;
    for (int i = 0; i < builder->count; i++) {
        const KnGdlLiteral *literal = &builder->body[i];
        placed[i] = literal->kind == KN_GDL_HOLDS || is_subset(&builder->used[i], &bound);
        if (placed[i]) rule->body[rule->count++] = *literal;
        if (literal->kind != KN_GDL_HOLDS) continue;
        add_variables(&bound, &builder->used[i]);
        for (int k = 0; k < i; k++) /* tests that this literal completes */
            if (!placed[k] && (placed[k] = is_subset(&builder->used[k], &bound)))
                rule->body[rule->count++] = builder->body[k];
    }
    for (int i = 0; i < builder->count; i++)
        if (!placed[i])
            kn_gdl_problem(description, false, builder->body[i].place,
                           "unsafe: no positive literal binds a variable of this %s, which is left out",
                           builder->body[i].kind == KN_GDL_FAILS ? "not" : "distinct");
    mark_variables(&description->terms, rule->head, &needed);
    if (!is_subset(&needed, &bound))
        kn_gdl_problem(description, false, rule->place,
                       "unsafe: no positive literal binds a variable of the head");
}

static KnStatus add_rule(RuleBuilder *builder)
{
    KnGdlBuild *build = builder->build;
    KnGdlDescription *description = build->description;
    *builder->all_literals += builder->count;
    if (++description->rule_count > MOST_RULES || *builder->all_literals > MOST_ALL_LITERALS)
        return fail_at(build, builder->place, "the description has too many rules once `or` is expanded");
    KnGdlRule *rule = KN_ARENA_NEW(description->arena, KnGdlRule, 1);
    if (!rule) return no_memory(build);
    *rule = (KnGdlRule){.head = builder->head, .variables = builder->variables, .place = builder->place};
    rule->body = KN_ARENA_NEW(description->arena, KnGdlLiteral, builder->count + 1);
    if (!rule->body) return no_memory(build);
    order_body(builder, rule);
    KnGdlRelation *relation = &description->relations[kn_term(&description->terms, rule->head)->symbol];
    if (relation->last)
        relation->last->next = rule;
    else
        relation->rules = rule;
    relation->last = rule;
    return KN_OK;
}

/* ---- Bodies ---- */

static KnStatus expand(RuleBuilder *builder, const Todo *todo);

static KnStatus add_literal(RuleBuilder *builder, KnGdlLiteral literal, const Todo *rest)
{
    if (builder->count == MOST_LITERALS) return fail_at(builder->build, literal.place, too_many_literals);
    Variables used = {{0}};
    mark_variables(&builder->build->description->terms, literal.term, &used);
    if (literal.other) mark_variables(&builder->build->description->terms, literal.other, &used);
    builder->used[builder->count] = used;
    builder->body[builder->count++] = literal;
    KnStatus status = expand(builder, rest);
    builder->count--;
    return status;
}

static KnStatus expand_or(RuleBuilder *builder, const Todo *todo)
{
    const KnGdlNode *first = todo->node->first->next;
    if (!todo->negated) { /* one rule for each alternative */
        for (const KnGdlNode *item = first; item; item = item->next) {
            KnStatus status = expand(builder, &(Todo){item, false, todo->rest, 0});
            if (status != KN_OK) return status;
        }
        return KN_OK;
    }
    /* all alternatives must fail */
    if (!first) return expand(builder, todo->rest);
    int count = todo->node->items - 1, i = 0;
    if (count > MOST_LITERALS) return fail_at(builder->build, first->place, too_many_literals);
    Todo *items = KN_ARENA_NEW(builder->build->scratch, Todo, count);
    if (!items) return no_memory(builder->build);
    for (const KnGdlNode *item = first; item; item = item->next, i++) {
        items[i] = (Todo){item, true, todo->rest, 0};
        if (i) items[i - 1].rest = &items[i];
    }
    return expand(builder, items);
}

/* Processes the first item, then the rest; the end of the list completes a rule. The number of literals and
 * the nesting of the input bound the recursion. */
static KnStatus expand(RuleBuilder *builder, const Todo *todo)
{
    if (!todo) return add_rule(builder);
    KnGdlBuild *build = builder->build;
    const KnGdlNode *node = todo->node;
    KnGdlLiteral literal = {.kind = todo->negated ? KN_GDL_FAILS : KN_GDL_HOLDS, .place = node->place};
    if (todo->auxiliary) {
        literal.term = todo->auxiliary;
        return add_literal(builder, literal, todo->rest);
    }
    KnStatus status = check_list(build, node);
    if (status != KN_OK) return status;
    if (node->items > 0 && node->symbol == KN_GDL_NOT) {
        if (node->items != 2) return fail_at(build, node->place, "not takes one literal");
        return expand(builder, &(Todo){node->first->next, !todo->negated, todo->rest, 0});
    }
    if (node->items > 0 && node->symbol == KN_GDL_OR) return expand_or(builder, todo);
    if (node->items > 0 && node->symbol == KN_GDL_DISTINCT) {
        if (node->items != 3) return fail_at(build, node->place, "distinct takes two terms");
        literal.kind = todo->negated ? KN_GDL_EQUALS : KN_GDL_DIFFERS;
        status = make_term(builder, node->first->next, false, &literal.term);
        if (status == KN_OK) status = make_term(builder, node->first->next->next, false, &literal.other);
    } else
        status = make_term(builder, node, true, &literal.term);
    return status == KN_OK ? add_literal(builder, literal, todo->rest) : status;
}

/* ---- `or` as an auxiliary relation ----
 *
 * Distributing many `or`s over a body multiplies the number of rules. Beyond a limit, each `or` becomes an
 * auxiliary relation over the variables that it shares with the rest of the rule, if every alternative binds
 * them. */

static bool is_or(const KnGdlNode *node)
{
    return node->items > 1 && node->symbol == KN_GDL_OR && node->first->items < 0;
}

/* The number of rules that an item expands to, up to a cap. */
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

/* Names auxiliary relations before rules are built, while symbols can be added. The names cannot occur in a
 * description. */
static KnStatus name_auxiliaries(KnGdlBuild *build, const KnGdlNode *rule)
{
    int64_t ways = 1;
    for (const KnGdlNode *item = rule->first; item && ways <= MULTIPLIED; item = item->next)
        ways *= ways_of(item, false);
    if (rule->symbol != KN_GDL_RULE || ways <= MULTIPLIED) return KN_OK;
    for (KnGdlNode *item = rule->first->next; item; item = item->next) {
        char name[60];
        int length = snprintf(name, sizeof name, "or %d:%d", item->place.line, item->place.column);
        if (is_or(item) &&
            !kn_symbol_add(&build->description->symbols, name, (size_t)length, &item->auxiliary))
            return no_memory(build);
    }
    return KN_OK;
}

/* Collects the variables below a node; false if the rule has too many. */
static bool collect_variables(RuleBuilder *builder, const KnGdlNode *node, Variables *set)
{
    int number = node->variable ? variable_number(builder, node->symbol) : 0;
    if (number < 0) return false;
    if (node->variable) set->words[number / 64] |= UINT64_C(1) << number % 64;
    for (const KnGdlNode *item = node->items > 0 ? node->first : NULL; item; item = item->next)
        if (!collect_variables(builder, item, set)) return false;
    return true;
}

/* Whether every proof of an alternative binds these variables. */
static bool binds(RuleBuilder *builder, const KnGdlNode *node, const Variables *set)
{
    if (node->items > 0 && (node->symbol == KN_GDL_NOT || node->symbol == KN_GDL_DISTINCT))
        return is_subset(set, &(Variables){{0}});
    Variables mine = {{0}};
    if (!is_or(node)) return collect_variables(builder, node, &mine) && is_subset(set, &mine);
    for (const KnGdlNode *item = node->first->next; item; item = item->next)
        if (!binds(builder, item, set)) return false;
    return true;
}

/* Makes the rules of an auxiliary relation and its literal: *auxiliary, or 0 if the `or` must be distributed.
 */
static KnStatus make_auxiliary(RuleBuilder *builder, const KnGdlNode *rule, const KnGdlNode *node,
                               KnTerm *auxiliary)
{
    KnGdlBuild *build = builder->build;
    KnTerms *terms = &build->description->terms;
    Variables inside = {{0}}, outside = {{0}};
    bool counted = collect_variables(builder, node, &inside);
    for (const KnGdlNode *item = rule->first->next; item; item = item->next)
        if (item != node) counted &= collect_variables(builder, item, &outside);
    if (!counted) return fail_at(build, node->place, "more than 250 variables in a rule");
    for (size_t i = 0; i < sizeof inside.words / sizeof *inside.words; i++)
        outside.words[i] &= inside.words[i];
    *auxiliary = 0;
    if (!binds(builder, node, &outside)) return KN_OK;
    KnTerm args[KN_GDL_VARIABLES], head = builder->head;
    int arity = 0;
    for (int v = 0; v < builder->variables; v++)
        if (outside.words[v / 64] >> v % 64 & 1) args[arity++] = kn_term_variable(terms, (unsigned)v);
    builder->head = *auxiliary = terms->failed ? 0 : kn_term_make(terms, node->auxiliary, args, arity);
    if (!*auxiliary) return no_memory(build);
    build->description->relations[node->auxiliary].arity = arity;
    build->description->relations[node->auxiliary].place = node->place;
    KnStatus status = expand(builder, &(Todo){node, false, NULL, 0});
    builder->head = head;
    return status;
}

/* ---- Percepts (GDL-II) ---- */

/* Whether a relation is asked for below this node. */
static bool is_asked(const KnGdlNode *node, KnSymbol relation)
{
    if (node->symbol == relation && !node->variable) return true;
    bool nested = node->items > 0 && (node->symbol == KN_GDL_NOT || node->symbol == KN_GDL_OR);
    for (const KnGdlNode *item = nested ? node->first->next : NULL; item; item = item->next)
        if (is_asked(item, relation)) return true;
    return false;
}

/* The symbol of `sees` if the description defines it, with two arguments, and no rule asks for it; else 0. */
static KnSymbol find_percepts(const KnGdlBuild *build, const KnGdlNode *first)
{
    KnSymbol sees;
    bool defined = false;
    if (!kn_symbol_find(&build->description->symbols, "sees", 4, &sees)) return 0;
    for (const KnGdlNode *node = first; node; node = node->next) {
        bool rule = node->items > 1 && node->symbol == KN_GDL_RULE;
        const KnGdlNode *head = rule ? node->first->next : node;
        if (head->symbol == sees && head->items != 3) return 0;
        defined |= head->symbol == sees;
        for (const KnGdlNode *item = rule ? head->next : NULL; item; item = item->next)
            if (is_asked(item, sees)) return 0;
    }
    return defined ? sees : 0;
}

/* What a role sees of a step is a fact of the next state. */
static KnStatus make_percept(RuleBuilder *builder, const KnGdlNode *head)
{
    KnTerms *terms = &builder->build->description->terms;
    KnTerm percept = 0;
    KnStatus status = make_term(builder, head, false, &percept);
    if (status != KN_OK) return status;
    builder->build->description->relations[KN_GDL_NEXT].arity = 1;
    builder->head = kn_term_make(terms, KN_GDL_NEXT, &percept, 1);
    return builder->head ? KN_OK : no_memory(builder->build);
}

static KnStatus make_rule(RuleBuilder *builder, const KnGdlNode *node)
{
    KnGdlBuild *build = builder->build;
    builder->variables = builder->count = 0;
    builder->place = node->place;
    bool rule = node->items > 0 && node->symbol == KN_GDL_RULE && node->first->items < 0;
    if (rule && node->items == 1) return fail_at(build, node->place, "<= without a head");
    const KnGdlNode *head = rule ? node->first->next : node;
    bool reserved = head->symbol == KN_GDL_NOT || head->symbol == KN_GDL_OR ||
                    head->symbol == KN_GDL_DISTINCT || head->symbol == KN_GDL_RULE;
    if (reserved && head->items != 0)
        return fail_at(build, head->place, "not, or, distinct and <= cannot be defined");
    KnSymbol percepts = build->description->percepts;
    KnStatus status = percepts && head->symbol == percepts ? make_percept(builder, head)
                                                           : make_term(builder, head, true, &builder->head);
    if (status != KN_OK || !rule) return status == KN_OK ? expand(builder, NULL) : status;
    int count = node->items - 2, i = 0;
    if (count > MOST_LITERALS) return fail_at(build, node->place, too_many_literals);
    Todo *items = KN_ARENA_NEW(build->scratch, Todo, count + 1);
    if (!items) return no_memory(build);
    for (const KnGdlNode *item = head->next; item && status == KN_OK; item = item->next, i++) {
        items[i] = (Todo){item, false, NULL, 0};
        if (i) items[i - 1].rest = &items[i];
        if (item->auxiliary) status = make_auxiliary(builder, node, item, &items[i].auxiliary);
    }
    return status == KN_OK ? expand(builder, count ? items : NULL) : status;
}

KnStatus kn_gdl_make_rules(KnGdlBuild *build, const KnGdlNode *first)
{
    KnGdlDescription *description = build->description;
    for (const KnGdlNode *node = first; node; node = node->next) {
        KnStatus status = node->items > 0 ? name_auxiliaries(build, node) : KN_OK;
        if (status != KN_OK) return status;
    }
    size_t symbols = description->symbols.count;
    description->relations = KN_ARENA_NEW(description->arena, KnGdlRelation, symbols);
    build->function_arity = KN_ARENA_NEW(build->scratch, int, symbols);
    build->function_place = KN_ARENA_NEW(build->scratch, KnGdlPlace, symbols);
    RuleBuilder *builder = KN_ARENA_NEW(build->scratch, RuleBuilder, 1);
    if (!description->relations || !build->function_arity || !build->function_place || !builder)
        return no_memory(build);
    for (size_t i = 0; i < symbols; i++) {
        description->relations[i].arity = -1;
        build->function_arity[i] = -1;
    }
    description->percepts = find_percepts(build, first);
    int all_literals = 0;
    builder->build = build;
    builder->all_literals = &all_literals;
    for (const KnGdlNode *node = first; node; node = node->next) {
        KnStatus status = make_rule(builder, node);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}
