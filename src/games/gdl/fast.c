#include "games/gdl/fast.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "games/gdl/bindings.h"

enum { RUNS = 64, MOST_SENTENCES = 4 << 20, MOST_WORDS = 24 << 20, MOST_GATES = 6 << 20 };
#define MOST_STEPS UINT64_C(30000000) /* a second or two */

struct KnGdlFast {
    const KnGdlSheet *sheet;
    KnGdlDerived derived; /* its terms until they are numbered */
    KnGdlNet net;
    KnGdlFlow *flow;
    KnGdlFastInfo info;
    const KnGdlAnswers *answers;
    uint32_t most_moves;
    uint32_t *actions[KN_GDL_ROLES]; /* by number of move */
    _Atomic(KnGdlRun *) runs[RUNS];  /* not in use */
    _Atomic(KnGdlLanes *) lanes;     /* made when first wanted */
};

/* ---- Values at hand ---- */

/* Where a thread looks first: most likely it finds there what it left. */
static unsigned home_slot(void) { return (unsigned)(kn_mix64((uint64_t)pthread_self()) % RUNS); }

static KnStatus run_take(KnGdlFast *fast, KnGdlRun **out, KnError *error)
{
    unsigned home = home_slot();
    for (unsigned i = 0; i < RUNS; i++) {
        _Atomic(KnGdlRun *) *slot = &fast->runs[(home + i) % RUNS];
        if (!atomic_load_explicit(slot, memory_order_relaxed)) continue;
        KnGdlRun *run = atomic_exchange_explicit(slot, NULL, memory_order_acquire);
        if (!run) continue;
        *out = run;
        return KN_OK;
    }
    *out = kn_gdl_run_new(fast->flow);
    return *out ? KN_OK : kn_fail_memory(error, "evaluating a state");
}

static void run_give_back(KnGdlFast *fast, KnGdlRun *run)
{
    unsigned home = home_slot();
    for (unsigned i = 0; i < RUNS; i++) {
        KnGdlRun *expected = NULL;
        if (atomic_compare_exchange_strong_explicit(&fast->runs[(home + i) % RUNS], &expected, run,
                                                    memory_order_release, memory_order_relaxed))
            return;
    }
    kn_gdl_run_free(run);
}

static KnStatus run_for(KnGdlFast *fast, const uint64_t *state, KnGdlRun **run, KnError *error)
{
    KnStatus status = run_take(fast, run, error);
    if (status == KN_OK) kn_gdl_run_state(*run, state);
    return status;
}

/* ---- Answers ---- */

void kn_gdl_fast_start(const KnGdlFast *fast, uint64_t *state)
{
    memset(state, 0, fast->answers->next_words * sizeof *state);
    for (uint32_t f = 0; f < fast->net.fact_count; f++)
        state[f / 64] |= (uint64_t)fast->net.start[f] << f % 64;
}

KnStatus kn_gdl_fast_terminal(KnGdlFast *fast, const uint64_t *state, bool *terminal, KnError *error)
{
    KnGdlRun *run;
    KnStatus status = run_for(fast, state, &run, error);
    if (status != KN_OK) return status;
    *terminal = run->answers[fast->answers->terminal] & 1;
    run_give_back(fast, run);
    return KN_OK;
}

/* Fails if a role has more legal moves than there is room for. */
static KnStatus check_count(const KnGdlFast *fast, const KnGdlRun *run, int role, KnError *error)
{
    const uint64_t *legal = run->answers + fast->answers->legal[role];
    uint32_t words = fast->answers->legal_words[role], count = 0;
    if (words * 64 <= fast->most_moves) return KN_OK;
    for (uint32_t w = 0; w < words; w++) count += (uint32_t)__builtin_popcountll(legal[w]);
    if (count <= fast->most_moves) return KN_OK;
    return kn_fail(error, KN_INPUT, "%s: %u legal moves at once; give more room with moves=N",
                   fast->sheet->name, count);
}

KnStatus kn_gdl_fast_open(KnGdlFast *fast, const uint64_t *state, bool *open, KnError *error)
{
    KnGdlRun *run;
    KnStatus status = run_for(fast, state, &run, error);
    if (status != KN_OK) return status;
    const KnGdlAnswers *answers = fast->answers;
    *open = !(run->answers[answers->terminal] & 1);
    for (int r = 0; r < fast->net.roles && *open; r++) {
        uint64_t any = 0;
        for (uint32_t w = 0; w < answers->legal_words[r] && !any; w++)
            any = run->answers[answers->legal[r] + w];
        *open = any;
        if (status == KN_OK) status = check_count(fast, run, r, error);
    }
    run_give_back(fast, run);
    return status;
}

KnStatus kn_gdl_fast_legal(KnGdlFast *fast, const uint64_t *state, int role, uint64_t *moves, int *count,
                           KnError *error)
{
    KnGdlRun *run;
    *count = 0;
    KnStatus status = run_for(fast, state, &run, error);
    if (status != KN_OK) return status;
    const KnNetAction *actions = fast->net.actions + fast->net.first_action[role];
    const uint64_t *legal = run->answers + fast->answers->legal[role];
    int listed = 0;
    status = check_count(fast, run, role, error);
    for (uint32_t w = 0; w < fast->answers->legal_words[role] && status == KN_OK; w++)
        for (uint64_t bits = legal[w]; bits; bits &= bits - 1)
            moves[listed++] = actions[w * 64 + (uint32_t)__builtin_ctzll(bits)].number;
    *count = listed;
    run_give_back(fast, run);
    return status;
}

KnStatus kn_gdl_fast_next(KnGdlFast *fast, const uint64_t *state, const uint64_t *joint, uint64_t *after,
                          KnError *error)
{
    KnGdlRun *run;
    uint32_t actions[KN_GDL_ROLES];
    for (int r = 0; r < fast->net.roles; r++) {
        actions[r] = fast->actions[r][joint[r]];
        if (actions[r] == UINT32_MAX)
            return kn_fail(error, KN_INPUT, "%s: a move that the role never has", fast->sheet->name);
    }
    KnStatus status = run_for(fast, state, &run, error);
    if (status != KN_OK) return status;
    kn_gdl_run_moves(run, actions);
    memcpy(after, run->answers + fast->answers->next, fast->answers->next_words * sizeof *after);
    run_give_back(fast, run);
    return KN_OK;
}

KnStatus kn_gdl_fast_goal(KnGdlFast *fast, const uint64_t *state, int role, int *value, KnError *error)
{
    KnGdlRun *run;
    *value = -1;
    KnStatus status = run_for(fast, state, &run, error);
    if (status != KN_OK) return status;
    *value = kn_gdl_run_goal(&fast->net, fast->answers, run, role);
    run_give_back(fast, run);
    return KN_OK;
}

/* ---- Life ---- */

static KnStatus ground(KnGdlFast *fast, const KnGdlFastLimits *limits, KnError *error)
{
    const KnGdlSheet *sheet = fast->sheet;
    bool declared = sheet->relations[KN_GDL_BASE].rules && sheet->relations[KN_GDL_INPUT].rules;
    KnGdlDeriveLimits bounds = {
        .cut = limits->cut,
        .steps = limits->steps && limits->steps < MOST_STEPS ? limits->steps : MOST_STEPS,
        .sentences = MOST_SENTENCES > sheet->terms.count * 2 ? MOST_SENTENCES : sheet->terms.count * 2,
        .words = MOST_WORDS,
        .cancel = limits->cancel};
    KnStatus status = kn_gdl_derive(sheet, &bounds, &fast->derived, error);
    if (status == KN_NO && declared) {
        kn_gdl_derived_free(&fast->derived);
        bounds.declared = fast->info.declared = true;
        status = kn_gdl_derive(sheet, &bounds, &fast->derived, error);
    }
    return status;
}

static uint32_t network_depth(const KnGdlNet *net)
{
    uint32_t *levels = calloc(net->count, sizeof *levels), deepest = 0;
    for (uint32_t n = 1; levels && n < net->count; n++) {
        const KnNetNode *node = &net->nodes[n];
        for (uint32_t i = 0; node->kind == KN_NODE_AND && i < node->count; i++) {
            uint32_t below = levels[net->wires[node->first + i] / 2];
            if (below >= levels[n]) levels[n] = below + 1;
        }
        if (levels[n] > deepest) deepest = levels[n];
    }
    free(levels);
    return deepest;
}

static void take_stock(KnGdlFast *fast)
{
    KnGdlFastInfo *info = &fast->info;
    const KnGdlNet *net = &fast->net;
    info->facts = net->fact_count;
    info->actions = net->action_count;
    info->instances = fast->derived.instance_count;
    info->steps = fast->derived.steps;
    for (uint32_t r = 0; r < fast->derived.store.shelf_count; r++)
        info->sentences += fast->derived.store.shelves[r].count;
    for (uint32_t n = 0; n < net->count; n++) {
        info->gates += net->nodes[n].kind == KN_NODE_AND;
        info->loops += net->nodes[n].kind == KN_NODE_LOOP;
        if (net->nodes[n].kind == KN_NODE_AND) info->wires += net->nodes[n].count;
    }
    info->depth = network_depth(net);
}

static KnStatus set_up(KnGdlFast *fast, const KnGdlFastLimits *limits, KnError *error)
{
    double started = kn_clock_now();
    KnStatus status = ground(fast, limits, error);
    if (status == KN_OK)
        status = kn_gdl_net_build(fast->sheet, &fast->derived, MOST_GATES, &fast->net, error);
    if (status == KN_OK) status = kn_gdl_net_trim(&fast->net, error);
    if (status != KN_OK) return status;
    take_stock(fast);
    kn_gdl_store_free(&fast->derived.store);
    fast->flow = kn_gdl_flow_new(&fast->net, !limits->plain);
    if (!fast->flow) return kn_fail_memory(error, "laying out the network of a rule sheet");
    fast->answers = kn_gdl_flow_answers(fast->flow);
    fast->info.seconds = kn_clock_now() - started;
    return KN_OK;
}

KnStatus kn_gdl_fast_new(const KnGdlSheet *sheet, const KnGdlFastLimits *limits, KnGdlFast **out,
                         KnError *error)
{
    *out = NULL;
    KnGdlFast *fast = calloc(1, sizeof *fast);
    if (!fast) return kn_fail_memory(error, "grounding a rule sheet");
    fast->sheet = sheet;
    KnStatus status = set_up(fast, limits, error);
    if (status == KN_OK)
        *out = fast;
    else
        kn_gdl_fast_free(fast);
    return status;
}

void kn_gdl_fast_free(KnGdlFast *fast)
{
    if (!fast) return;
    for (int i = 0; i < RUNS; i++) kn_gdl_run_free(atomic_load(&fast->runs[i]));
    for (int r = 0; r < KN_GDL_ROLES; r++) free(fast->actions[r]);
    kn_gdl_lanes_free(atomic_load(&fast->lanes));
    kn_gdl_flow_free(fast->flow);
    kn_gdl_net_free(&fast->net);
    kn_gdl_derived_free(&fast->derived);
    free(fast);
}

/* All moves of all roles, sorted, each once. */
typedef struct Order {
    const KnSymbols *symbols;
    const KnTerms *terms;
} Order;

static int by_term(const void *a, const void *b, void *user)
{
    const Order *order = user;
    return kn_term_compare(order->symbols, order->terms, *(const KnTerm *)a, *(const KnTerm *)b);
}

static KnStatus number_moves(KnGdlFast *fast, KnGdlNumbers *numbers, KnError *error)
{
    KnGdlNet *net = &fast->net;
    KnTerm *moves = malloc((net->action_count + 1) * sizeof *moves);
    if (!moves || !kn_gdl_numbers_room(numbers, KN_GDL_MOVED, net->action_count + 1)) {
        free(moves);
        return kn_fail_memory(error, "numbering moves");
    }
    for (uint32_t a = 0; a < net->action_count; a++) moves[a] = net->actions[a].move;
    Order order = {&fast->sheet->symbols, &fast->derived.terms};
    if (net->action_count) qsort_r(moves, net->action_count, sizeof *moves, by_term, &order);
    KnStatus status = KN_OK;
    uint32_t number = 0;
    for (uint32_t a = 0; a < net->action_count && status == KN_OK; a++)
        status = kn_gdl_number(numbers, KN_GDL_MOVED, &fast->derived.terms, moves[a], &number, error);
    free(moves);
    return status;
}

KnStatus kn_gdl_fast_number(KnGdlFast *fast, KnGdlNumbers *numbers, KnError *error)
{
    KnGdlNet *net = &fast->net;
    uint32_t number;
    if (!kn_gdl_numbers_room(numbers, KN_GDL_FACTS, fast->answers->next_words * 64))
        return kn_fail_memory(error, "numbering facts");
    KnStatus status = number_moves(fast, numbers, error);
    for (uint32_t f = 0; f < net->fact_count && status == KN_OK; f++)
        status = kn_gdl_number(numbers, KN_GDL_FACTS, &fast->derived.terms, net->facts[f], &number, error);
    for (int r = 0; r < net->roles && status == KN_OK; r++) {
        uint32_t count = numbers->tables[KN_GDL_MOVED].count;
        fast->actions[r] = malloc((count + 1) * sizeof *fast->actions[r]);
        if (!fast->actions[r]) return kn_fail_memory(error, "numbering moves");
        for (uint32_t n = 0; n <= count; n++) fast->actions[r][n] = UINT32_MAX;
        for (uint32_t a = net->first_action[r]; a < net->first_action[r + 1] && status == KN_OK; a++) {
            status = kn_gdl_number(numbers, KN_GDL_MOVED, &fast->derived.terms, net->actions[a].move,
                                   &net->actions[a].number, error);
            fast->actions[r][net->actions[a].number] = a;
        }
    }
    kn_gdl_derived_free(&fast->derived); /* its terms are the numbers' now */
    return status;
}

const KnGdlFastInfo *kn_gdl_fast_info(const KnGdlFast *fast) { return &fast->info; }
const KnGdlNet *kn_gdl_fast_net(const KnGdlFast *fast) { return &fast->net; }
const KnGdlFlow *kn_gdl_fast_flow(const KnGdlFast *fast) { return fast->flow; }

const KnGdlLanes *kn_gdl_fast_lanes(KnGdlFast *fast)
{
    KnGdlLanes *lanes = atomic_load(&fast->lanes);
    if (lanes) return lanes;
    KnGdlLanes *made = kn_gdl_lanes_new(&fast->net);
    if (atomic_compare_exchange_strong(&fast->lanes, &lanes, made)) return made;
    kn_gdl_lanes_free(made); /* another thread was first */
    return lanes;
}

uint32_t kn_gdl_fast_most_moves(KnGdlFast *fast, uint32_t limit)
{
    uint32_t most = 1;
    for (int r = 0; r < fast->net.roles; r++) {
        uint32_t actions = fast->net.first_action[r + 1] - fast->net.first_action[r];
        if (actions > most) most = actions;
    }
    fast->most_moves = most < limit ? most : limit;
    return fast->most_moves;
}
