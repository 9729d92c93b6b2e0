/* From ground rules to components. Tarjan's algorithm (with an explicit stack) visits sentences from the
 * answers down, so it finds strongly connected sentences together, after everything they use from outside. */
#include <stdlib.h>
#include <string.h>

#include "games/gdl/bindings.h"
#include "games/gdl/propnet.h"

typedef struct Builder {
    const KnGdlDescription *description;
    const KnGdlDerived *derived;
    KnPropnet *net;
    uint32_t *literals;   /* a copy of the derived instances, for simplification; a head of 0: never holds */
    uint32_t *first;      /* by sentence: its first instance (offset + 1) */
    uint32_t *following;  /* by offset of an instance: the next one with the same head (offset + 1) */
    KnPropnetWire *wires; /* by sentence */
    bool *settled;
    uint32_t *index, *low; /* Tarjan's, by sentence; 0: not visited */
    uint32_t met;
    uint32_t *path; /* Tarjan's stack */
    uint32_t on_path;
    bool one_move;   /* every role makes exactly one move */
    uint32_t *marks; /* id of the pass that marked it */
    uint32_t mark;
    KnPropnetWire *scratch;
    uint32_t scratch_capacity;
    KnError *error;
} Builder;

static KnStatus no_memory(Builder *b)
{
    return kn_fail_memory(b->error, "building the network of a game description");
}

static KnSymbol relation_of(const Builder *b, KnTerm sentence)
{
    return kn_term(&b->derived->terms, sentence)->symbol;
}

/* An instance: head, count, literals. */
static uint32_t *instance_at(const Builder *b, uint32_t link) { return b->literals + (link - 1); }

/* ---- Facts, moves, goals ---- */

/* The sentences of a relation, sorted. */
static KnTerm *sorted_sentences(const Builder *b, KnSymbol relation, uint32_t *count)
{
    const KnGdlRelationStore *stored = &b->derived->store.relations[relation];
    KnTerm *list = malloc((stored->count + 1) * sizeof *list);
    *count = list ? stored->count : 0;
    if (!list) return NULL;
    if (*count) memcpy(list, stored->sentences, *count * sizeof *list);
    kn_terms_sort(&b->description->symbols, &b->derived->terms, list, *count);
    return list;
}

static bool stored(const Builder *b, KnTerm sentence)
{
    return sentence && kn_gdl_store_number(&b->derived->store, sentence);
}

/* A sentence that derivation has made as a term; 0 if there is none. */
static KnTerm sentence_about(const Builder *b, KnSymbol relation, const KnTerm *args, int arity)
{
    const KnGdlRelationStore *stored = &b->derived->store.relations[relation];
    return stored->count ? kn_term_find(&b->derived->terms, relation, args, arity) : 0;
}

static KnStatus make_facts(Builder *b)
{
    KnPropnet *net = b->net;
    KnTerm *list = sorted_sentences(b, KN_GDL_TRUE, &net->fact_count);
    if (!list) return no_memory(b);
    uint32_t count = net->fact_count;
    net->facts = list;
    net->start = calloc(count + 1, sizeof *net->start);
    net->next = calloc(count + 1, sizeof *net->next);
    if (!net->start || !net->next) return no_memory(b);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = kn_propnet_node(net, KN_NODE_FACT, i, 0);
        b->wires[list[i]] = node * 2;
        b->settled[list[i]] = true;
        KnTerm fact = kn_term_args(&b->derived->terms, list[i])[0];
        list[i] = fact;
        net->start[i] = stored(b, sentence_about(b, KN_GDL_INIT, &fact, 1));
    }
    return net->failed ? KN_NO : KN_OK;
}

static int role_of(const Builder *b, KnTerm term)
{
    for (int r = 0; r < b->description->role_count; r++)
        if (b->description->roles[r] == term) return r;
    return -1;
}

static KnStatus make_moves(Builder *b)
{
    KnPropnet *net = b->net;
    uint32_t count;
    KnTerm *list = sorted_sentences(b, KN_GDL_DOES, &count);
    net->actions = calloc(count + 1, sizeof *net->actions);
    if (!list || !net->actions) {
        free(list);
        return no_memory(b);
    }
    for (int role = 0; role < net->roles; role++) {
        net->first_action[role] = net->action_count;
        for (uint32_t i = 0; i < count; i++) {
            const KnTerm *args = kn_term_args(&b->derived->terms, list[i]);
            if (role_of(b, args[0]) != role) continue;
            b->wires[list[i]] = kn_propnet_node(net, KN_NODE_MOVE, net->action_count, 0) * 2;
            b->settled[list[i]] = true;
            net->actions[net->action_count++] = (KnPropnetAction){.move = args[1]};
        }
    }
    net->first_action[net->roles] = net->action_count;
    free(list);
    return net->failed ? KN_NO : KN_OK;
}

/* ---- What legality implies ---- */

static void imply(Builder *b, uint32_t literal, int depth);

/* Marks what a sentence implies: if it has a single instance, its whole body. */
static void imply_body(Builder *b, KnTerm sentence, int depth)
{
    uint32_t link = b->first[sentence];
    if (!link || b->following[link - 1]) return;
    const uint32_t *instance = instance_at(b, link);
    for (uint32_t i = 0; i < instance[1]; i++) imply(b, instance[2 + i], depth);
}

static void imply(Builder *b, uint32_t literal, int depth)
{
    if (b->marks[literal] == b->mark) return;
    b->marks[literal] = b->mark;
    if (depth == 0) return;
    if (!(literal & 1)) {
        imply_body(b, literal / 2, depth - 1);
        return;
    }
    for (uint32_t link = b->first[literal / 2]; link; link = b->following[link - 1]) {
        const uint32_t *instance = instance_at(b, link);
        if (instance[0] && instance[1] == 1)
            imply(b, instance[2] ^ 1, depth - 1); /* its only condition fails */
    }
}

/* Removes from an instance what the marked literals imply. */
static void strike(Builder *b, uint32_t *instance, uint32_t does)
{
    uint32_t kept = 0;
    const KnTerms *terms = &b->derived->terms;
    KnTerm role = kn_term_args(terms, does / 2)[0];
    for (uint32_t i = 0; i < instance[1]; i++) {
        uint32_t literal = instance[2 + i];
        bool other = literal != does && relation_of(b, literal / 2) == KN_GDL_DOES &&
                     kn_term_args(terms, literal / 2)[0] == role;
        bool implied = literal != does && (b->marks[literal] == b->mark || (other && literal & 1));
        bool denied = literal == (does ^ 1) || b->marks[literal ^ 1] == b->mark || (other && !(literal & 1));
        if (denied && literal != does) instance[0] = 0;
        if (!implied) instance[2 + kept++] = literal;
    }
    for (uint32_t i = kept; i < instance[1]; i++) instance[2 + i] = UINT32_MAX;
    instance[1] = kept;
}

/* The instances that mention each move, grouped by move. */
static KnStatus list_uses(Builder *b, uint32_t **begin, uint32_t **uses)
{
    uint32_t actions = b->net->action_count, first = b->net->fact_count + 1;
    uint32_t *ends = calloc(actions + 2, sizeof *ends), *list = NULL;
    for (int pass = 0; ends && pass < 2; pass++) {
        for (size_t at = 0; at < b->derived->length; at += 2 + b->derived->instances[at + 1])
            for (uint32_t i = 0; i < b->derived->instances[at + 1]; i++) {
                uint32_t literal = b->derived->instances[at + 2 + i];
                if (literal & 1 || relation_of(b, literal / 2) != KN_GDL_DOES) continue;
                uint32_t action = b->wires[literal / 2] / 2 - first;
                if (pass)
                    list[ends[action]++] = (uint32_t)at + 1;
                else
                    ends[action + 2]++;
            }
        if (pass) break;
        for (uint32_t a = 0; a < actions; a++) ends[a + 2] += ends[a + 1];
        list = malloc((ends[actions + 1] + 1) * sizeof *list);
        if (!list) break;
        memmove(ends, ends + 1, (actions + 1) * sizeof *ends);
    }
    *begin = ends;
    *uses = list;
    return ends && list ? KN_OK : no_memory(b);
}

/* A move made is legal: removes conditions that legality implies. */
static KnStatus use_legality(Builder *b)
{
    if (!b->one_move) return KN_OK;
    uint32_t *begin, *uses;
    KnStatus status = list_uses(b, &begin, &uses);
    const KnPropnet *net = b->net;
    for (int role = 0; status == KN_OK && role < net->roles; role++)
        for (uint32_t a = net->first_action[role]; a < net->first_action[role + 1]; a++) {
            KnTerm pair[2] = {b->description->roles[role], net->actions[a].move};
            KnTerm legal = sentence_about(b, KN_GDL_LEGAL, pair, 2);
            KnTerm does = sentence_about(b, KN_GDL_DOES, pair, 2);
            b->mark++;
            imply(b, legal * 2, 4);
            uint32_t from = a ? begin[a - 1] : 0; /* `begin` points to the ends now */
            for (uint32_t i = from; i < begin[a]; i++)
                if (b->literals[uses[i] - 1]) strike(b, b->literals + (uses[i] - 1), does * 2);
        }
    free(begin);
    free(uses);
    return status;
}

/* ---- Gates ---- */

static bool reserve(Builder *b, uint32_t count)
{
    return kn_gdl_grow((void **)&b->scratch, &b->scratch_capacity, count + 1, sizeof *b->scratch);
}

/* Whether a sentence is defined by rules and may change. */
static bool is_inner(const Builder *b, KnTerm sentence)
{
    KnSymbol relation = relation_of(b, sentence);
    return !b->derived->fixed[relation] && relation != KN_GDL_TRUE && relation != KN_GDL_DOES;
}

static KnPropnetWire wire_of(const Builder *b, KnTerm sentence)
{
    if (b->settled[sentence]) return b->wires[sentence];
    return b->derived->fixed[relation_of(b, sentence)] && stored(b, sentence) ? KN_WIRE_TRUE : KN_WIRE_FALSE;
}

static KnPropnetWire literal_wire(const Builder *b, uint32_t literal)
{
    return wire_of(b, literal / 2) ^ (literal & 1);
}

/* The AND of the literals of an instance that have wires. */
static KnStatus body_wire(Builder *b, const uint32_t *instance, KnPropnetWire *wire)
{
    uint32_t count = 0;
    if (!reserve(b, instance[1])) return no_memory(b);
    for (uint32_t i = 0; i < instance[1]; i++) {
        bool inside = is_inner(b, instance[2 + i] / 2) && !b->settled[instance[2 + i] / 2] &&
                      b->index[instance[2 + i] / 2];
        if (!inside) b->scratch[count++] = literal_wire(b, instance[2 + i]);
    }
    *wire = kn_propnet_and(b->net, b->scratch, count);
    return b->net->failed ? KN_NO : KN_OK;
}

static bool mentions(const uint32_t *instance, KnTerm sentence)
{
    for (uint32_t i = 0; i < instance[1]; i++)
        if (instance[2 + i] == sentence * 2) return true;
    return false;
}

/* ---- Merging ways that differ only in a move ----
 *
 * Rules say "any move but these" by naming every other move: thousands of ways with the same conditions but
 * for the move. They become one way: the conditions, and any of these moves. Since every role makes exactly
 * one move, "any of many" becomes "none of the others" where that is shorter. */

typedef struct Way {
    KnPropnetWire rest;             /* the conditions without moves */
    uint32_t actions[KN_GDL_ROLES]; /* UINT32_MAX: any */
} Way;

typedef struct Ways {
    Way *list;
    uint32_t count, capacity;
    int role; /* current role */
    int roles;
} Ways;

static KnStatus add_way(Builder *b, Ways *ways, const uint32_t *instance)
{
    uint32_t count = 0;
    if (!reserve(b, instance[1]) ||
        !kn_gdl_grow((void **)&ways->list, &ways->capacity, ways->count + 1, sizeof *ways->list))
        return no_memory(b);
    Way *way = &ways->list[ways->count++];
    for (int r = 0; r < b->net->roles; r++) way->actions[r] = UINT32_MAX;
    for (uint32_t i = 0; i < instance[1]; i++) {
        KnPropnetWire wire = literal_wire(b, instance[2 + i]);
        if (b->one_move && !(wire & 1) && b->net->nodes[wire / 2].kind == KN_NODE_MOVE) {
            uint32_t action = b->net->nodes[wire / 2].first;
            int role = 0;
            while (action >= b->net->first_action[role + 1]) role++;
            if (way->actions[role] == UINT32_MAX) {
                way->actions[role] = action;
                continue;
            }
        }
        b->scratch[count++] = wire;
    }
    way->rest = kn_propnet_and(b->net, b->scratch, count);
    if (way->rest == KN_WIRE_FALSE) ways->count--;
    return b->net->failed ? KN_NO : KN_OK;
}

/* Sorts ways that differ only in this role's move next to each other. */
static int by_rest(const void *x, const void *y, void *user)
{
    const Way *a = x, *b = y;
    const Ways *ways = user;
    if (a->rest != b->rest) return a->rest < b->rest ? -1 : 1;
    bool any_a = a->actions[ways->role] == UINT32_MAX, any_b = b->actions[ways->role] == UINT32_MAX;
    if (any_a != any_b) return any_a ? -1 : 1;
    for (int r = 0; r < ways->roles; r++)
        if (r != ways->role && a->actions[r] != b->actions[r]) return a->actions[r] < b->actions[r] ? -1 : 1;
    uint32_t m = a->actions[ways->role], n = b->actions[ways->role];
    return (m > n) - (m < n);
}

static bool together(const Ways *ways, const Way *a, const Way *b)
{
    if (a->rest != b->rest || a->actions[ways->role] == UINT32_MAX || b->actions[ways->role] == UINT32_MAX)
        return false;
    for (int r = 0; r < ways->roles; r++)
        if (r != ways->role && a->actions[r] != b->actions[r]) return false;
    return true;
}

/* Any of the moves of these ways. */
static KnStatus any_move(Builder *b, const Way *ways, uint32_t count, int role, KnPropnetWire *wire)
{
    const KnPropnet *net = b->net;
    uint32_t first = net->first_action[role], all = net->first_action[role + 1] - first, made = 0, w = 0;
    if (!reserve(b, all)) return no_memory(b);
    bool others = count > all / 2;
    for (uint32_t a = first; a < first + all; a++) {
        while (w < count && ways[w].actions[role] < a) w++;
        bool named = w < count && ways[w].actions[role] == a;
        if (named != others) b->scratch[made++] = kn_propnet_move(net, a);
    }
    *wire = kn_propnet_or(b->net, b->scratch, made) ^ others;
    return b->net->failed ? KN_NO : KN_OK;
}

/* Merges ways that differ only in the move of a role; its moves become part of the conditions. */
static KnStatus merge_moves(Builder *b, Ways *ways, int role)
{
    ways->role = role;
    if (ways->count > 1) qsort_r(ways->list, ways->count, sizeof *ways->list, by_rest, ways);
    uint32_t kept = 0;
    KnStatus status = KN_OK;
    for (uint32_t begin = 0, end; begin < ways->count && status == KN_OK; begin = end) {
        for (end = begin + 1; end < ways->count && together(ways, &ways->list[begin], &ways->list[end]);)
            end++;
        Way way = ways->list[begin];
        if (way.actions[role] != UINT32_MAX) {
            KnPropnetWire both[2] = {way.rest, 0};
            status = any_move(b, &ways->list[begin], end - begin, role, &both[1]);
            way.rest = kn_propnet_and(b->net, both, 2);
            way.actions[role] = UINT32_MAX;
            if (b->net->failed) status = KN_NO;
        }
        ways->list[kept++] = way;
    }
    ways->count = kept;
    return status;
}

static KnStatus settle_single(Builder *b, KnTerm sentence)
{
    Ways ways = {.roles = b->net->roles};
    KnStatus status = KN_OK;
    for (uint32_t link = b->first[sentence]; link && status == KN_OK; link = b->following[link - 1]) {
        const uint32_t *instance = instance_at(b, link);
        if (instance[0] && !mentions(instance, sentence)) status = add_way(b, &ways, instance);
    }
    for (int role = 0; role < b->net->roles && status == KN_OK && b->one_move; role++)
        status = merge_moves(b, &ways, role);
    if (status == KN_OK && !reserve(b, ways.count)) status = no_memory(b);
    if (status == KN_OK) {
        for (uint32_t w = 0; w < ways.count; w++) b->scratch[w] = ways.list[w].rest;
        b->wires[sentence] = kn_propnet_or(b->net, b->scratch, ways.count);
        b->settled[sentence] = true;
        if (b->net->failed) status = KN_NO;
    }
    free(ways.list);
    return status;
}

/* Adds the ways of a sentence of the block. A member of the block stands in them by its number, since it has
 * no wire yet. */
static KnStatus add_ways(Builder *b, KnTerm sentence, const uint32_t *number_of)
{
    KnPropnet *net = b->net;
    for (uint32_t link = b->first[sentence]; link; link = b->following[link - 1]) {
        const uint32_t *instance = instance_at(b, link);
        KnPropnetWire outside = KN_WIRE_FALSE;
        if (!instance[0] || mentions(instance, sentence)) continue;
        KnStatus status = body_wire(b, instance, &outside);
        if (status != KN_OK) return status;
        if (outside == KN_WIRE_FALSE) continue;
        KnPropnetWay way = {.node = number_of[sentence], .outside = outside, .first = net->wire_count};
        for (uint32_t i = 0; i < instance[1]; i++) {
            KnTerm used = instance[2 + i] / 2;
            uint32_t first;
            if (!is_inner(b, used) || b->settled[used] || !b->index[used]) continue;
            if (!kn_propnet_add_wires(net, &number_of[used], 1, &first)) return KN_NO;
            way.count++;
        }
        if (!kn_gdl_grow((void **)&net->ways, &net->way_capacity, net->way_count + 1, sizeof *net->ways))
            return no_memory(b);
        net->ways[net->way_count++] = way;
    }
    return KN_OK;
}

/* A strongly connected component becomes a block: wires from outside first, then its nodes, which keeps
 * topological order. `low` numbers the members. */
static KnStatus settle_component(Builder *b, const KnTerm *members, uint32_t count)
{
    KnPropnet *net = b->net;
    if (!kn_gdl_grow((void **)&net->blocks, &net->block_capacity, net->block_count + 1, sizeof *net->blocks))
        return no_memory(b);
    KnPropnetBlock *block = &net->blocks[net->block_count];
    *block = (KnPropnetBlock){.first_way = net->way_count, .node_count = count};
    for (uint32_t m = 0; m < count; m++) b->low[members[m]] = m;
    for (uint32_t m = 0; m < count; m++) {
        KnStatus status = add_ways(b, members[m], b->low);
        if (status != KN_OK) return status;
    }
    block->way_count = net->way_count - block->first_way;
    block->first_node = net->count;
    for (uint32_t m = 0; m < count; m++) {
        uint32_t node = kn_propnet_node(net, KN_NODE_LOOP, net->block_count, 0);
        if (!node) return KN_NO;
        b->wires[members[m]] = node * 2;
        b->settled[members[m]] = true;
    }
    for (uint32_t w = 0; w < block->way_count; w++) {
        KnPropnetWay *way = &net->ways[block->first_way + w];
        way->node += block->first_node;
        for (uint32_t i = 0; i < way->count; i++) net->wires[way->first + i] += block->first_node;
    }
    net->block_count++;
    return KN_OK;
}

/* ---- Stratification ---- */

/* Whether a sentence may be an instance of a rule's term, argument by argument. */
static bool could_be(const Builder *b, KnTerm pattern, KnTerm sentence)
{
    const KnTerms *terms = &b->derived->terms; /* which begin with the description's */
    if (kn_term(terms, pattern)->symbol != kn_term(terms, sentence)->symbol) return false;
    for (int i = 0; i < kn_term(terms, pattern)->arity; i++) {
        KnTerm part = kn_term_args(terms, pattern)[i];
        if (kn_term_ground(terms, part) && part != kn_term_args(terms, sentence)[i]) return false;
    }
    return true;
}

/* The `not` that makes a sentence depend on the negation of another, for the message. */
static KnGdlPlace place_of_negation(const Builder *b, KnTerm head, KnTerm negated)
{
    const KnGdlDescription *description = b->description;
    KnSymbol relation = relation_of(b, head);
    if (relation >= description->symbols.count) return (KnGdlPlace){1, 1}; /* auxiliary */
    for (const KnGdlRule *rule = description->relations[relation].rules; rule; rule = rule->next)
        for (int i = 0; i < rule->count; i++)
            if (rule->body[i].kind == KN_GDL_FAILS && could_be(b, rule->head, head) &&
                could_be(b, rule->body[i].term, negated))
                return rule->body[i].place;
    return description->relations[relation].place;
}

static KnStatus fail_unstratified(const Builder *b, KnTerm head, KnTerm negated)
{
    KnGdlPlace place = place_of_negation(b, head, negated);
    KnText first = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
    bool named = relation_of(b, head) < b->description->symbols.count &&
                 relation_of(b, negated) < b->description->symbols.count;
    if (named) kn_term_text(&b->description->symbols, &b->derived->terms, head, &first);
    if (named) kn_term_text(&b->description->symbols, &b->derived->terms, negated, &second);
    kn_fail(b->error, KN_INPUT, "%s:%d:%d: unstratified negation: %s depends on itself through this not %s",
            b->description->name, place.line, place.column, named && first.data ? first.data : "a sentence",
            named && second.data ? second.data : "sentence");
    kn_text_free(&first);
    kn_text_free(&second);
    return KN_INPUT;
}

/* No sentence of a strongly connected component may depend on the negation of another, or of itself. */
static KnStatus check_negation(const Builder *b, const KnTerm *members, uint32_t count)
{
    for (uint32_t m = 0; m < count; m++)
        for (uint32_t link = b->first[members[m]]; link; link = b->following[link - 1]) {
            const uint32_t *instance = instance_at(b, link);
            for (uint32_t i = 0; instance[0] && i < instance[1]; i++) {
                KnTerm used = instance[2 + i] / 2;
                bool inside = used == members[m] ||
                              (is_inner(b, used) && !b->settled[used] && b->index[used] && count > 1);
                if (instance[2 + i] & 1 && inside) return fail_unstratified(b, members[m], used);
            }
        }
    return KN_OK;
}

/* ---- The visit ---- */

typedef struct Visit {
    KnTerm sentence;
    uint32_t link, literal;
} Visit;

static void enter(Builder *b, Visit *visit, KnTerm sentence)
{
    b->index[sentence] = b->low[sentence] = ++b->met;
    b->path[b->on_path++] = sentence;
    *visit = (Visit){sentence, b->first[sentence], 0};
}

static bool next_used(const Builder *b, Visit *visit, KnTerm *used)
{
    for (; visit->link; visit->link = b->following[visit->link - 1], visit->literal = 0) {
        const uint32_t *instance = instance_at(b, visit->link);
        if (!instance[0]) continue;
        while (visit->literal < instance[1]) {
            *used = instance[2 + visit->literal++] / 2;
            if (is_inner(b, *used) && !b->settled[*used]) return true;
        }
    }
    return false;
}

static KnStatus leave(Builder *b, KnTerm done)
{
    if (b->low[done] != b->index[done]) return KN_OK;
    uint32_t begin = b->on_path;
    do begin--;
    while (b->path[begin] != done);
    uint32_t count = b->on_path - begin;
    KnStatus status = check_negation(b, b->path + begin, count);
    if (status == KN_OK)
        status = count == 1 ? settle_single(b, done) : settle_component(b, b->path + begin, count);
    b->on_path = begin;
    return status;
}

static KnStatus visit_from(Builder *b, KnTerm root, Visit *visits)
{
    uint32_t depth = 0;
    KnStatus status = KN_OK;
    if (!is_inner(b, root) || b->settled[root]) return KN_OK;
    enter(b, &visits[depth++], root);
    while (depth && status == KN_OK) {
        Visit *visit = &visits[depth - 1];
        KnTerm used;
        if (next_used(b, visit, &used)) {
            if (!b->index[used])
                enter(b, &visits[depth++], used);
            else if (b->index[used] < b->low[visit->sentence])
                b->low[visit->sentence] = b->index[used];
            continue;
        }
        KnTerm done = visit->sentence;
        uint32_t low = b->low[done];
        status = leave(b, done);
        if (--depth && low < b->low[visits[depth - 1].sentence]) b->low[visits[depth - 1].sentence] = low;
    }
    return status;
}

/* The wire of an answer, built if needed; false if there is no such sentence. */
static KnStatus answer(Builder *b, Visit *visits, KnTerm sentence, KnPropnetWire *wire)
{
    *wire = KN_WIRE_FALSE;
    if (!stored(b, sentence)) return KN_OK;
    KnStatus status = visit_from(b, sentence, visits);
    *wire = wire_of(b, sentence);
    return status;
}

static KnStatus make_goals(Builder *b, Visit *visits)
{
    KnPropnet *net = b->net;
    uint32_t count, made = 0;
    KnTerm *list = sorted_sentences(b, KN_GDL_GOAL, &count);
    net->goals = calloc(count + 1, sizeof *net->goals);
    KnStatus status = list && net->goals ? KN_OK : no_memory(b);
    for (int role = 0; role < net->roles && status == KN_OK; role++) {
        net->first_goal[role] = made;
        for (uint32_t i = 0; i < count && status == KN_OK; i++) {
            const KnTerm *args = kn_term_args(&b->derived->terms, list[i]);
            if (args[0] != b->description->roles[role]) continue;
            net->goals[made].value = kn_term_goal(&b->description->symbols, &b->derived->terms, args[1]);
            status = answer(b, visits, list[i], &net->goals[made++].wire);
        }
    }
    net->first_goal[net->roles] = made;
    free(list);
    return status;
}

static KnStatus make_answers(Builder *b, Visit *visits)
{
    KnPropnet *net = b->net;
    KnStatus status = answer(b, visits, kn_term_find(&b->derived->terms, KN_GDL_TERMINAL, NULL, 0),
                             &net->terminal);
    for (int role = 0; role < net->roles; role++)
        for (uint32_t a = net->first_action[role]; a < net->first_action[role + 1] && status == KN_OK; a++) {
            KnTerm pair[2] = {b->description->roles[role], net->actions[a].move};
            status = answer(b, visits, sentence_about(b, KN_GDL_LEGAL, pair, 2), &net->actions[a].legal);
        }
    for (uint32_t f = 0; f < net->fact_count && status == KN_OK; f++)
        status = answer(b, visits, sentence_about(b, KN_GDL_NEXT, &net->facts[f], 1), &net->next[f]);
    return status == KN_OK ? make_goals(b, visits) : status;
}

/* ---- The whole ---- */

static bool prepare(Builder *b)
{
    size_t sentences = b->derived->terms.count, length = b->derived->length + 1;
    b->literals = malloc(length * sizeof *b->literals);
    b->following = calloc(length, sizeof *b->following);
    b->first = calloc(sentences, sizeof *b->first);
    b->wires = calloc(sentences, sizeof *b->wires);
    b->settled = calloc(sentences, sizeof *b->settled);
    b->index = calloc(sentences, sizeof *b->index);
    b->low = calloc(sentences, sizeof *b->low);
    b->path = calloc(sentences, sizeof *b->path);
    b->marks = calloc(sentences * 2, sizeof *b->marks);
    if (!b->literals || !b->following || !b->first || !b->wires || !b->settled || !b->index || !b->low ||
        !b->path || !b->marks)
        return false;
    if (b->derived->length)
        memcpy(b->literals, b->derived->instances, b->derived->length * sizeof *b->literals);
    for (size_t at = 0; at < b->derived->length; at += 2 + b->derived->instances[at + 1]) {
        b->following[at] = b->first[b->literals[at]];
        b->first[b->literals[at]] = (uint32_t)at + 1;
    }
    return true;
}

static KnStatus build(Builder *b)
{
    if (!kn_propnet_init(b->net, b->net->limit) || !prepare(b)) return no_memory(b);
    const KnGdlRelation *relations = b->description->relations;
    b->one_move = relations[KN_GDL_LEGAL].level != KN_GDL_MOVES &&
                  relations[KN_GDL_GOAL].level != KN_GDL_MOVES &&
                  relations[KN_GDL_TERMINAL].level != KN_GDL_MOVES;
    b->net->roles = b->description->role_count;
    KnStatus status = make_facts(b);
    if (status == KN_OK) status = make_moves(b);
    if (status == KN_OK) status = use_legality(b);
    if (status != KN_OK) return status;
    Visit *visits = malloc(b->derived->terms.count * sizeof *visits);
    status = visits ? make_answers(b, visits) : no_memory(b);
    free(visits);
    return status;
}

KnStatus kn_propnet_build(const KnGdlDescription *description, const KnGdlDerived *derived, uint32_t limit,
                          KnPropnet *net, KnError *error)
{
    *net = (KnPropnet){.limit = limit};
    Builder b = {.description = description, .derived = derived, .net = net, .error = error};
    KnStatus status = build(&b);
    if (status == KN_NO && !net->full)
        status = no_memory(&b);
    else if (status == KN_NO)
        kn_fail(error, KN_NO, "the network would have more than %u gates", limit);
    free(b.literals);
    free(b.following);
    free(b.first);
    free(b.wires);
    free(b.settled);
    free(b.index);
    free(b.low);
    free(b.path);
    free(b.marks);
    free(b.scratch);
    return status;
}
