/* Mutually exclusive facts. Candidates come from the form of facts and the initial state. They are proved
 * together by induction: if all groups hold in a state, all hold in the next. Groups that fail are dropped
 * until the rest is inductive. */
#include <stdlib.h>
#include <string.h>

#include "games/gdl/bindings.h"
#include "games/gdl/analysis_parts.h"

enum { MOST_ARGUMENTS = 8, LARGEST = 150, MOST_CANDIDATES = 5000, DEEPEST = 100 };
#define MOST_WORK UINT64_C(40000000) /* some tenths of a second */

static KnStatus no_memory(KnGdlStudy *s) { return kn_fail_memory(s->error, "analysing a game description"); }

void kn_gdl_study_moves(KnGdlStudy *s, bool made)
{
    for (int r = 0; r < s->net->roles; r++)
        kn_gdl_logic_set_group(s->logic, r, true, made); /* the moves' groups come first */
}

/* ---- Candidates ---- */

typedef struct Order {
    const KnGdlStudy *study;
    int argument; /* -1: only the relation matters */
} Order;

/* Compares facts without the argument. */
static int by_rest(const Order *order, uint32_t a, uint32_t b)
{
    const KnTerms *terms = &order->study->terms;
    KnTerm x = order->study->facts[a], y = order->study->facts[b];
    const KnTermNode *m = kn_term(terms, x), *n = kn_term(terms, y);
    if (m->symbol != n->symbol) return m->symbol < n->symbol ? -1 : 1;
    if (m->arity != n->arity) return m->arity - n->arity;
    for (int i = 0; i < m->arity && order->argument >= 0; i++) {
        KnTerm p = kn_term_args(terms, x)[i], q = kn_term_args(terms, y)[i];
        if (i != order->argument && p != q) return p < q ? -1 : 1;
    }
    return 0;
}

static int compare(const void *a, const void *b, void *user)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = by_rest(user, x, y);
    return order ? order : x < y ? -1 : x > y;
}

static KnStatus add_candidate(KnGdlStudy *s, const uint32_t *facts, uint32_t count, int argument)
{
    uint32_t holding = 0;
    if (count == 1 && argument >= 0) s->single[facts[0]] |= UINT64_C(1) << argument;
    for (uint32_t i = 0; i < count; i++) holding += s->net->start[facts[i]];
    if (count < 2 || count > LARGEST || holding > 1 || s->candidate_count == MOST_CANDIDATES) return KN_OK;
    if (!kn_gdl_grow((void **)&s->candidates, &s->candidate_capacity, s->candidate_count + 1,
                     sizeof *s->candidates) ||
        !kn_gdl_grow((void **)&s->members, &s->member_capacity, s->member_count + count, sizeof *s->members))
        return no_memory(s);
    s->candidates[s->candidate_count++] = (KnGdlCandidate){s->member_count, count, argument, -1, true,
                                                           holding == 1,    true};
    for (uint32_t i = 0; i < count; i++) s->members[s->member_count++] = kn_propnet_fact(facts[i]) / 2;
    return KN_OK;
}

/* Collects candidates by one argument, or by all others. */
static KnStatus collect_candidates(KnGdlStudy *s, bool short_ones)
{
    uint32_t count = s->net->fact_count, *order = malloc((count + 1) * sizeof *order);
    KnStatus status = order ? KN_OK : no_memory(s);
    for (int argument = -1; argument < MOST_ARGUMENTS && status == KN_OK; argument++) {
        uint32_t listed = 0;
        for (uint32_t f = 0; f < count; f++) {
            int arity = kn_term(&s->terms, s->facts[f])->arity;
            if ((arity == 1) == short_ones && (argument < 0 ? arity > 1 : arity > argument))
                order[listed++] = f;
        }
        Order by = {s, argument};
        if (listed > 1) qsort_r(order, listed, sizeof *order, compare, &by);
        for (uint32_t begin = 0, end; begin < listed && status == KN_OK; begin = end) {
            for (end = begin + 1; end < listed && by_rest(&by, order[begin], order[end]) == 0;) end++;
            status = add_candidate(s, order + begin, end - begin, argument);
        }
    }
    free(order);
    return status;
}

/* ---- Induction ---- */

static uint32_t fact_of(uint32_t node) { return node - 1; }

static bool one_at_most(KnGdlStudy *s, const KnGdlCandidate *c, uint64_t most_work)
{
    const KnPropnet *net = s->net;
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t k = i + 1; k < c->count; k++) {
            KnPropnetWire wires[3] = {net->next[fact_of(s->members[c->first + i])],
                                      net->next[fact_of(s->members[c->first + k])], net->terminal ^ 1};
            if (wires[0] == KN_WIRE_FALSE || wires[1] == KN_WIRE_FALSE) continue;
            if (kn_gdl_logic_work(s->logic) > most_work || !kn_gdl_logic_refute(s->logic, wires, 3))
                return false;
        }
    return true;
}

static bool one_at_least(KnGdlStudy *s, const KnGdlCandidate *c)
{
    KnPropnetWire wires[LARGEST + 1];
    for (uint32_t i = 0; i < c->count; i++) wires[i] = s->net->next[fact_of(s->members[c->first + i])] ^ 1;
    wires[c->count] = s->net->terminal ^ 1;
    return kn_gdl_logic_refute(s->logic, wires, c->count + 1);
}

/* Drops candidates that fail in the next state; true if all from `first` on hold. */
static bool drop_failing(KnGdlStudy *s, uint32_t first, uint64_t most_work)
{
    bool stable = true;
    for (uint32_t i = first; i < s->candidate_count; i++) {
        KnGdlCandidate *c = &s->candidates[i];
        if (!c->active) continue;
        bool active = one_at_most(s, c, most_work), exact = active && c->exact && one_at_least(s, c);
        if (active == c->active && exact == c->exact) continue;
        c->active = active;
        c->exact = exact;
        kn_gdl_logic_set_group(s->logic, c->group, active, exact);
        stable = false;
    }
    return stable;
}

/* Proves the candidates from `first` on, given the earlier ones. If the work limit is reached, none is
 * proved. */
static KnStatus prove_candidates(KnGdlStudy *s, uint32_t first)
{
    uint64_t most_work = kn_gdl_logic_work(s->logic) + MOST_WORK;
    for (uint32_t i = first; i < s->candidate_count; i++) {
        KnGdlCandidate *c = &s->candidates[i];
        c->group = kn_gdl_logic_group(s->logic, s->members + c->first, c->count, c->exact);
        if (c->group < 0) return no_memory(s);
    }
    kn_gdl_study_moves(s, true);
    while (!drop_failing(s, first, most_work)) continue; /* each round drops at least one */
    if (kn_gdl_logic_work(s->logic) > most_work) /* the limit was reached before the last round ended */
        for (uint32_t i = first; i < s->candidate_count; i++) {
            s->candidates[i].active = s->candidates[i].exact = false;
            kn_gdl_logic_set_group(s->logic, s->candidates[i].group, false, false);
        }
    kn_gdl_study_moves(s, false);
    return KN_OK;
}

/* ---- Clocks ---- */

/* Whether everything that a wire depends on is in the group, to a limited depth; marks visited nodes. */
static bool rests_on(const KnPropnet *net, KnPropnetWire wire, const bool *group, uint32_t *marks,
                     uint32_t mark, int depth)
{
    uint32_t n = wire / 2;
    const KnPropnetNode *node = &net->nodes[n];
    if (marks[n] == mark || node->kind == KN_NODE_FALSE) return true;
    marks[n] = mark;
    if (node->kind == KN_NODE_FACT) return group[node->first];
    if (node->kind != KN_NODE_AND || depth == 0) return false;
    for (uint32_t i = 0; i < node->count; i++)
        if (!rests_on(net, net->wires[node->first + i], group, marks, mark, depth - 1)) return false;
    return true;
}

static int by_count(const void *a, const void *b)
{
    const KnGdlGroup *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? -1 : 1;
    return x->facts[0] < y->facts[0] ? -1 : 1;
}

static KnStatus keep_groups(KnGdlStudy *s)
{
    KnGdlAnalysis *a = s->result;
    a->groups = calloc(s->candidate_count + 1, sizeof *a->groups);
    bool *inside = calloc(s->net->fact_count + 1, sizeof *inside);
    uint32_t *marks = calloc(s->net->count, sizeof *marks), mark = 0;
    KnStatus status = a->groups && inside && marks ? KN_OK : no_memory(s);
    for (uint32_t i = 0; i < s->candidate_count && status == KN_OK; i++) {
        const KnGdlCandidate *c = &s->candidates[i];
        if (!c->active) continue;
        KnGdlGroup *group = &a->groups[a->group_count];
        *group = (KnGdlGroup){malloc(c->count * sizeof *group->facts), c->count, c->exact, true};
        if (!group->facts) status = no_memory(s);
        if (status != KN_OK) break;
        a->group_count++;
        for (uint32_t k = 0; k < c->count; k++)
            inside[group->facts[k] = fact_of(s->members[c->first + k])] = true;
        for (uint32_t k = 0; k < c->count && group->clock; k++)
            group->clock = rests_on(s->net, s->net->next[group->facts[k]], inside, marks, ++mark, DEEPEST);
        for (uint32_t k = 0; k < c->count; k++) inside[group->facts[k]] = false;
    }
    free(inside);
    free(marks);
    if (status == KN_OK && a->group_count) qsort(a->groups, a->group_count, sizeof *a->groups, by_count);
    return status;
}

KnStatus kn_gdl_find_groups(KnGdlStudy *s)
{
    s->single = calloc(s->net->fact_count + 1, sizeof *s->single);
    KnStatus status = s->single ? collect_candidates(s, true)
                                : no_memory(s); /* turns and counters, which depend on nothing else */
    if (status == KN_OK) status = prove_candidates(s, 0);
    uint32_t first = s->candidate_count;
    if (status == KN_OK) status = collect_candidates(s, false);
    if (status == KN_OK) status = prove_candidates(s, first);
    return status == KN_OK ? keep_groups(s) : status;
}
