#include "games/gdl/patterns.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/gdl/bindings.h"
#include "games/gdl/logic.h"
#include "games/gdl/propnet_reasoner.h"

enum {
    MOST_VARIABLES = 6, /* of a pattern */
    LARGEST = 1 << 16,  /* states of a pattern */
    MOST_PATTERNS = 40,
    MOST_SUMS = 128,
    WIDEST = 256,        /* facts of a variable */
    MOST_BRANCHES = 2048 /* successors of a state by one move */
};

/* One of its facts is true, or none. */
typedef struct Variable {
    uint32_t first, count; /* of the facts */
    bool exact;            /* never none */
} Variable;

typedef struct Pattern {
    int variables[MOST_VARIABLES], count;
    uint32_t size;
    uint16_t *steps;   /* by number of the state; NULL: not built */
    uint64_t *changes; /* bits of the moves that may change it */
    uint16_t *samples; /* steps from each sample */
    double mean;       /* of them */
} Pattern;

struct KnGdlPatterns {
    const KnPropnet *net;
    const KnGdlAnalysis *analysis;
    KnGdlLogic *logic;
    size_t words, move_words;
    Variable *variables;
    uint32_t *facts;
    int variable_count;
    Pattern patterns[MOST_PATTERNS];
    int count;
    uint64_t sums[MOST_SUMS]; /* bits of patterns that are additive, as many as can be */
    int sum_count;
    const KnGdlPatternPlan *plan; /* while building */
    uint64_t most_work;
};

/* ---- Life ---- */

static void free_pattern(Pattern *p)
{
    free(p->steps);
    free(p->changes);
    free(p->samples);
    *p = (Pattern){0};
}

static void forget(KnGdlPatterns *g)
{
    for (int i = 0; i < g->count; i++) free_pattern(&g->patterns[i]);
    g->count = g->sum_count = g->variable_count = 0;
}

KnGdlPatterns *kn_gdl_patterns_new(KnGdlMachine *machine, const KnGdlAnalysis *analysis, KnError *error)
{
    KnPropnetReasoner *reasoner = kn_gdl_machine_propnet(machine);
    if (!reasoner || !analysis || kn_propnet_reasoner_net(reasoner)->roles != 1) {
        kn_fail(error, KN_INPUT, "pattern databases need a propnet and a game of one role");
        return NULL;
    }
    KnGdlPatterns *g = calloc(1, sizeof *g);
    if (g) {
        g->net = kn_propnet_reasoner_net(reasoner);
        g->analysis = analysis;
        g->words = kn_gdl_state_words(g->net);
        g->move_words = g->net->action_count / 64 + 1;
        g->logic = kn_gdl_logic_new(g->net);
        uint32_t room = g->net->fact_count + 1;
        for (uint32_t i = 0; i < analysis->group_count; i++) room += analysis->groups[i].count;
        g->facts = malloc(room * sizeof *g->facts);
        g->variables = malloc((g->net->fact_count + analysis->group_count + 1) * sizeof *g->variables);
        bool ok = g->logic && g->facts && g->variables;
        for (uint32_t i = 0; ok && i < analysis->group_count; i++) {
            const KnGdlGroup *group = &analysis->groups[i];
            uint32_t nodes[group->count];
            for (uint32_t k = 0; k < group->count; k++) nodes[k] = kn_propnet_fact(group->facts[k]) / 2;
            ok = kn_gdl_logic_group(g->logic, nodes, group->count, group->exact) >= 0;
        }
        if (ok) return g;
    }
    kn_gdl_patterns_free(g);
    kn_fail_memory(error, "building pattern databases");
    return NULL;
}

void kn_gdl_patterns_free(KnGdlPatterns *g)
{
    if (!g) return;
    forget(g);
    kn_gdl_logic_free(g->logic);
    free(g->variables);
    free(g->facts);
    free(g);
}

/* ---- Variables ---- */

static bool holds(const uint64_t *state, uint32_t fact) { return state[fact / 64] >> fact % 64 & 1; }

static void add_variable(KnGdlPatterns *g, const uint32_t *facts, uint32_t count, bool exact)
{
    const uint64_t *without = g->plan->without;
    for (uint32_t i = 0; i < count && without; i++)
        if (holds(without, facts[i])) return;
    uint32_t first = g->variable_count ? g->variables[g->variable_count - 1].first +
                                             g->variables[g->variable_count - 1].count
                                       : 0;
    g->variables[g->variable_count++] = (Variable){first, count, exact};
    memcpy(g->facts + first, facts, count * sizeof *facts);
}

/* Groups, and facts that are in none. */
static KnStatus list_variables(KnGdlPatterns *g, KnError *error)
{
    bool *grouped = calloc(g->net->fact_count + 1, sizeof *grouped);
    if (!grouped) return kn_fail_memory(error, "building pattern databases");
    for (uint32_t i = 0; i < g->analysis->group_count; i++) {
        const KnGdlGroup *group = &g->analysis->groups[i];
        for (uint32_t k = 0; k < group->count; k++) grouped[group->facts[k]] = true;
        if (!group->clock && group->count < WIDEST) add_variable(g, group->facts, group->count, group->exact);
    }
    for (uint32_t f = 0; f < g->net->fact_count; f++)
        if (!grouped[f]) add_variable(g, &f, 1, false);
    free(grouped);
    return KN_OK;
}

static uint32_t values_of(const Variable *v) { return v->count + !v->exact; }

/* The value of a variable in a state: the number of the fact that is true; their count: none. */
static uint32_t value_in(const KnGdlPatterns *g, const Variable *v, const uint64_t *state)
{
    uint32_t i = 0;
    while (i < v->count && !holds(state, g->facts[v->first + i])) i++;
    KN_ASSERT(i < v->count || !v->exact);
    return i;
}

static uint32_t number_of(const KnGdlPatterns *g, const Pattern *p, const uint64_t *state)
{
    uint32_t number = 0;
    for (int i = p->count; i-- > 0;) {
        const Variable *v = &g->variables[p->variables[i]];
        number = number * values_of(v) + value_in(g, v, state);
    }
    return number;
}

/* ---- The abstract game of a pattern ---- */

typedef struct Edge {
    uint32_t from, to;
} Edge;

typedef struct Abstract {
    KnGdlPatterns *g;
    Pattern *p;
    uint32_t *queue, queued;
    Edge *edges;
    uint32_t edge_count, edge_capacity;
    uint32_t from, action, branches;
    bool failed; /* too large, or the work is used up */
} Abstract;

enum { SEEN = UINT16_MAX, UNSEEN = UINT16_MAX - 2 }; /* while a pattern is explored */

/* Assumes the values of a state's variables; false: there is no such state. */
static bool assume_state(const KnGdlPatterns *g, const Pattern *p, uint32_t number)
{
    for (int i = 0; i < p->count; i++) {
        const Variable *v = &g->variables[p->variables[i]];
        uint32_t value = number % values_of(v);
        number /= values_of(v);
        for (uint32_t k = 0; k < v->count; k++) {
            KnPropnetWire wire = kn_propnet_fact(g->facts[v->first + k]);
            if (!kn_gdl_logic_assume(g->logic, k == value ? wire : wire ^ 1)) return false;
        }
    }
    return true;
}

static void add_edge(Abstract *a, uint32_t to)
{
    if (!kn_gdl_grow((void **)&a->edges, &a->edge_capacity, a->edge_count + 1, sizeof *a->edges)) {
        a->failed = true;
        return;
    }
    a->p->changes[a->action / 64] |= UINT64_C(1) << a->action % 64;
    a->edges[a->edge_count++] = (Edge){a->from, to};
    if (a->p->steps[to] != UNSEEN) return;
    a->p->steps[to] = SEEN;
    a->queue[a->queued++] = to;
}

/* Tries the values that a variable may have after the step, given those of the variables before it. */
static void branch(Abstract *a, int index, uint32_t weight, uint32_t so_far)
{
    const KnGdlPatterns *g = a->g;
    KnGdlLogic *logic = g->logic;
    if (a->failed) return;
    if (index == a->p->count) {
        if (++a->branches > MOST_BRANCHES)
            a->failed = true;
        else if (so_far != a->from)
            add_edge(a, so_far);
        return;
    }
    const Variable *v = &g->variables[a->p->variables[index]];
    int8_t known[WIDEST];
    uint32_t sure = v->count, open = 0, next_weight = weight * values_of(v);
    for (uint32_t k = 0; k < v->count; k++) {
        known[k] = (int8_t)kn_gdl_logic_value(logic, g->net->next[g->facts[v->first + k]]);
        if (known[k] > 0) sure = k;
        open += known[k] == 0;
    }
    if (sure < v->count || !open) {
        if (sure < v->count || !v->exact) branch(a, index + 1, next_weight, so_far + sure * weight);
        return;
    }
    uint32_t mark = kn_gdl_logic_mark(logic);
    for (uint32_t k = 0; k < v->count; k++) {
        if (known[k] < 0) continue;
        if (kn_gdl_logic_assume(logic, g->net->next[g->facts[v->first + k]]))
            branch(a, index + 1, next_weight, so_far + k * weight);
        kn_gdl_logic_back(logic, mark);
    }
    bool none = !v->exact;
    for (uint32_t k = 0; k < v->count && none; k++)
        none = kn_gdl_logic_assume(logic, g->net->next[g->facts[v->first + k]] ^ 1);
    if (none) branch(a, index + 1, next_weight, so_far + v->count * weight);
    kn_gdl_logic_back(logic, mark);
}

static void expand(Abstract *a)
{
    const KnPropnet *net = a->g->net;
    KnGdlLogic *logic = a->g->logic;
    if (assume_state(a->g, a->p, a->from) && kn_gdl_logic_assume(logic, net->terminal ^ 1)) {
        uint32_t mark = kn_gdl_logic_mark(logic);
        for (a->action = 0; a->action < net->action_count && !a->failed; a->action++) {
            a->branches = 0;
            if (kn_gdl_logic_value(logic, net->actions[a->action].legal) >= 0 &&
                kn_gdl_logic_assume(logic, kn_propnet_move(net, a->action)))
                branch(a, 0, 1, 0);
            kn_gdl_logic_back(logic, mark);
        }
    }
    kn_gdl_logic_clear(logic);
    const KnGdlPatternPlan *plan = a->g->plan;
    a->failed |= kn_gdl_logic_work(logic) > a->g->most_work || (plan->go_on && !plan->go_on(plan->user));
}

/* Whether the game may be over in a state with the goal value. */
static bool may_be_goal(const KnGdlPatterns *g, const Pattern *p, uint32_t state)
{
    const KnPropnet *net = g->net;
    bool may = false;
    for (uint32_t i = net->first_goal[0]; i < net->first_goal[1] && !may; i++) {
        if (net->goals[i].value != g->plan->value) continue;
        if (assume_state(g, p, state) && kn_gdl_logic_assume(g->logic, net->goals[i].wire)) {
            uint32_t mark = kn_gdl_logic_mark(g->logic);
            may = kn_gdl_logic_assume(g->logic, net->terminal);
            kn_gdl_logic_back(g->logic, mark);
            bool stuck = !may; /* without a move the game is over, too */
            for (uint32_t m = 0; m < net->action_count && stuck; m++)
                stuck = kn_gdl_logic_assume(g->logic, net->actions[m].legal ^ 1);
            may |= stuck;
        }
        kn_gdl_logic_clear(g->logic);
    }
    return may;
}

/* The steps from each state to the nearest that may be a goal, backwards along the edges. */
static bool measure(Abstract *a)
{
    Pattern *p = a->p;
    uint32_t *begin = calloc(p->size + 2, sizeof *begin), *from = malloc((a->edge_count + 1) * sizeof *from),
             *goals = malloc((a->queued + 1) * sizeof *goals), next = 0, count = 0;
    bool ok = begin && from && goals;
    for (uint32_t i = 0; ok && i < a->edge_count; i++) begin[a->edges[i].to + 2]++;
    for (uint32_t s = 0; ok && s < p->size; s++) begin[s + 2] += begin[s + 1];
    for (uint32_t i = 0; ok && i < a->edge_count; i++) from[begin[a->edges[i].to + 1]++] = a->edges[i].from;
    for (uint32_t i = 0; ok && i < a->queued; i++) {
        uint32_t state = a->queue[i];
        bool goal = may_be_goal(a->g, p, state);
        p->steps[state] = goal ? 0 : KN_GDL_NEVER;
        if (goal) goals[count++] = state;
    }
    while (ok && next < count) {
        uint32_t to = goals[next++];
        for (uint32_t i = begin[to]; i < begin[to + 1]; i++) {
            if (p->steps[from[i]] != KN_GDL_NEVER) continue;
            p->steps[from[i]] = (uint16_t)(p->steps[to] + (p->steps[to] < UNSEEN - 1));
            goals[count++] = from[i];
        }
    }
    for (uint32_t s = 0; ok && s < p->size; s++) /* what does not come of the start is never asked for */
        if (p->steps[s] == UNSEEN) p->steps[s] = KN_GDL_NEVER;
    free(begin);
    free(from);
    free(goals);
    return ok;
}

/* Solves the abstract game of a pattern. False: it is too large, or the work is used up. */
static bool build_pattern(KnGdlPatterns *g, Pattern *p)
{
    uint64_t size = 1;
    for (int i = 0; i < p->count; i++)
        if ((size *= values_of(&g->variables[p->variables[i]])) > LARGEST) return false;
    p->size = (uint32_t)size;
    p->steps = malloc(p->size * sizeof *p->steps);
    p->changes = calloc(g->move_words, sizeof *p->changes);
    p->samples = calloc(g->plan->sample_count + 1, sizeof *p->samples);
    Abstract a = {.g = g, .p = p, .queue = malloc((p->size + 1) * sizeof *a.queue)};
    bool ok = p->steps && p->changes && p->samples && a.queue;
    if (ok) {
        for (uint32_t s = 0; s < p->size; s++) p->steps[s] = UNSEEN;
        a.queue[a.queued++] = number_of(g, p, g->plan->start);
        p->steps[a.queue[0]] = SEEN;
        kn_gdl_logic_set_group(g->logic, 0, true, true); /* a move is made */
        for (uint32_t i = 0; i < a.queued && !a.failed; i++) {
            a.from = a.queue[i];
            expand(&a);
        }
        kn_gdl_logic_set_group(g->logic, 0, true, false);
        ok = !a.failed && measure(&a);
    }
    uint32_t alive = 0;
    for (uint32_t i = 0; ok && i < g->plan->sample_count; i++) {
        unsigned steps = p->steps[number_of(g, p, g->plan->samples + i * g->words)];
        p->samples[i] = (uint16_t)steps;
        if (steps < KN_GDL_NEVER) p->mean += steps, alive++;
    }
    if (alive) p->mean /= alive;
    free(a.queue);
    free(a.edges);
    return ok;
}

/* ---- Sums ---- */

static bool additive(const KnGdlPatterns *g, int a, int b)
{
    for (size_t w = 0; w < g->move_words; w++)
        if (g->patterns[a].changes[w] & g->patterns[b].changes[w]) return false;
    return true;
}

/* The pattern with the most friends among those that may join: each largest set has one of the others. */
static int pivot_of(const uint64_t *friends, uint64_t may, uint64_t done)
{
    int pivot = -1, most = -1;
    for (uint64_t rest = may | done; rest; rest &= rest - 1) {
        int one = __builtin_ctzll(rest), count = __builtin_popcountll(may & friends[one]);
        if (count > most) most = count, pivot = one;
    }
    return pivot;
}

/* Lists sets of additive patterns that no other can join (Bron and Kerbosch 1973, with a pivot). `may`: those
 * that can; `done`: those whose sets are listed already. */
static void list_sums(KnGdlPatterns *g, const uint64_t *friends, uint64_t set, uint64_t may, uint64_t done)
{
    if (!may && !done && g->sum_count < MOST_SUMS) g->sums[g->sum_count++] = set;
    if (!may) return;
    for (uint64_t rest = may & ~friends[pivot_of(friends, may, done)]; rest && g->sum_count < MOST_SUMS;
         rest &= rest - 1) {
        int next = __builtin_ctzll(rest);
        list_sums(g, friends, set | UINT64_C(1) << next, may & friends[next], done & friends[next]);
        may &= ~(UINT64_C(1) << next);
        done |= UINT64_C(1) << next;
    }
}

static void find_sums(KnGdlPatterns *g)
{
    uint64_t friends[MOST_PATTERNS] = {0};
    for (int i = 0; i < g->count; i++)
        for (int k = 0; k < g->count; k++)
            if (i != k && additive(g, i, k)) friends[i] |= UINT64_C(1) << k;
    g->sum_count = 0;
    if (g->count) list_sums(g, friends, 0, (UINT64_C(1) << g->count) - 1, 0);
}

static unsigned highest_sum(const KnGdlPatterns *g, const uint16_t *steps)
{
    unsigned highest = 0;
    for (int s = 0; s < g->sum_count; s++) {
        unsigned sum = 0;
        for (uint64_t set = g->sums[s]; set; set &= set - 1) sum += steps[__builtin_ctzll(set)];
        if (sum > highest) highest = sum;
    }
    return highest < KN_GDL_NEVER ? highest : KN_GDL_NEVER - 1;
}

unsigned kn_gdl_patterns_bound(const KnGdlPatterns *g, const uint64_t *state)
{
    uint16_t steps[MOST_PATTERNS];
    for (int i = 0; i < g->count; i++) {
        steps[i] = g->patterns[i].steps[number_of(g, &g->patterns[i], state)];
        if (steps[i] == KN_GDL_NEVER) return KN_GDL_NEVER;
    }
    return highest_sum(g, steps);
}

int kn_gdl_patterns_count(const KnGdlPatterns *g) { return g->count; }

/* ---- Hill climbing ---- */

/* The bound on samples, in the mean; samples that cannot reach the goal do not count. */
static double mean_bound(const KnGdlPatterns *g)
{
    double sum = 0;
    for (uint32_t i = 0; i < g->plan->sample_count; i++) {
        uint16_t steps[MOST_PATTERNS];
        bool never = false;
        for (int p = 0; p < g->count; p++) {
            steps[p] = g->patterns[p].samples[i];
            never |= steps[p] == KN_GDL_NEVER;
        }
        if (!never) sum += highest_sum(g, steps);
    }
    return sum;
}

static bool work_left(const KnGdlPatterns *g)
{
    return kn_gdl_logic_work(g->logic) < g->most_work && (!g->plan->go_on || g->plan->go_on(g->plan->user));
}

/* A pattern with one variable more. False: it has it, or cannot have more. */
static bool extended(const Pattern *p, int variable, Pattern *out)
{
    if (p->count == MOST_VARIABLES) return false;
    *out = (Pattern){.count = p->count + 1};
    int at = 0;
    for (int i = 0; i < p->count; i++) {
        if (p->variables[i] == variable) return false;
        if (p->variables[i] < variable) at = i + 1;
        out->variables[i + (p->variables[i] > variable)] = p->variables[i];
    }
    out->variables[at] = variable;
    return true;
}

static bool same_variables(const Pattern *a, const Pattern *b)
{
    return a->count == b->count &&
           memcmp(a->variables, b->variables, (size_t)a->count * sizeof *a->variables) == 0;
}

/* The patterns that were tried, kept so that none is built twice. */
typedef struct Tried {
    Pattern *list;
    uint32_t count, capacity;
} Tried;

static KnStatus try_extensions(KnGdlPatterns *g, Tried *tried, const Pattern *base, KnError *error)
{
    for (int v = 0; v < g->variable_count && work_left(g); v++) {
        Pattern fresh;
        if (!extended(base, v, &fresh)) continue;
        bool known = false;
        for (uint32_t i = 0; i < tried->count && !known; i++) known = same_variables(&tried->list[i], &fresh);
        if (known) continue;
        if (!kn_gdl_grow((void **)&tried->list, &tried->capacity, tried->count + 1, sizeof *tried->list))
            return kn_fail_memory(error, "building pattern databases");
        if (!build_pattern(g, &fresh)) {
            Pattern empty = fresh;
            free_pattern(&empty);
            fresh.steps = fresh.samples = NULL;
            fresh.changes = NULL;
        }
        tried->list[tried->count++] = fresh;
    }
    return KN_OK;
}

/* Adds the pattern that raises the bound most. False: none does. */
static bool add_best(KnGdlPatterns *g, Tried *tried)
{
    double before = mean_bound(g), best_bound = before;
    Pattern *best = NULL;
    if (g->count == MOST_PATTERNS) return false;
    for (uint32_t i = 0; i < tried->count; i++) {
        if (!tried->list[i].steps || tried->list[i].mean <= 0) continue;
        g->patterns[g->count++] = tried->list[i];
        find_sums(g);
        double bound = mean_bound(g);
        g->count--;
        if (bound > best_bound) best_bound = bound, best = &tried->list[i];
    }
    if (best) {
        g->patterns[g->count++] = *best;
        best->steps = best->samples = NULL; /* moved; its variables stay, as tried */
        best->changes = NULL;
    }
    find_sums(g);
    return best != NULL;
}

KnStatus kn_gdl_patterns_build(KnGdlPatterns *g, const KnGdlPatternPlan *plan, KnError *error)
{
    Tried tried = {0};
    KnStatus status;
    forget(g);
    g->plan = plan;
    g->most_work = kn_gdl_logic_work(g->logic) + plan->work;
    status = list_variables(g, error);
    if (status == KN_OK) status = try_extensions(g, &tried, &(Pattern){0}, error);
    int extended_to = 0;
    while (status == KN_OK) {
        if (add_best(g, &tried)) continue;
        if (extended_to == g->count || !work_left(g)) break;
        status = try_extensions(g, &tried, &g->patterns[extended_to++], error);
    }
    for (uint32_t i = 0; i < tried.count; i++) free_pattern(&tried.list[i]);
    free(tried.list);
    g->plan = NULL;
    return status;
}
