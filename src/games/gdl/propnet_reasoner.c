#include "games/gdl/propnet_reasoner.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include <knack/base.h>
#include "games/gdl/bindings.h"

enum {
    MANY_MOVES = 1 << 16,
    RUNS = 64,
    MOST_SENTENCES = 4 << 20,
    MOST_WORDS = 24 << 20,
    MOST_GATES = 6 << 20
};
#define MOST_STEPS UINT64_C(30000000) /* a second or two */

struct KnPropnetReasoner {
    const KnGdlDescription *description;
    KnGdlDerived derived; /* provides the terms until they are numbered */
    KnPropnet net;
    KnPropnetDifferential *differential;
    KnPropnetReasonerInfo info;
    const KnGdlAnswers *answers;
    uint32_t most_moves;
    uint32_t *actions[KN_GDL_ROLES]; /* by number of the move */
    _Atomic(KnGdlRun *) runs[RUNS];  /* pool of idle evaluations */
    _Atomic(KnGdlBatch *) batch;     /* made on first use */
};

/* ---- Pool of evaluations ---- */

/* The slot that a thread tries first: it probably finds its own last evaluation there. */
static unsigned home_slot(void) { return (unsigned)(kn_mix64((uint64_t)pthread_self()) % RUNS); }

KnStatus kn_propnet_reasoner_take(KnPropnetReasoner *reasoner, KnGdlRun **out, KnError *error)
{
    unsigned home = home_slot();
    for (unsigned i = 0; i < RUNS; i++) {
        _Atomic(KnGdlRun *) *slot = &reasoner->runs[(home + i) % RUNS];
        if (!atomic_load_explicit(slot, memory_order_relaxed)) continue;
        KnGdlRun *run = atomic_exchange_explicit(slot, NULL, memory_order_acquire);
        if (!run) continue;
        *out = run;
        return KN_OK;
    }
    *out = kn_gdl_run_new(reasoner->differential);
    return *out ? KN_OK : kn_fail_memory(error, "evaluating a state");
}

void kn_propnet_reasoner_give_back(KnPropnetReasoner *reasoner, KnGdlRun *run)
{
    unsigned home = home_slot();
    for (unsigned i = 0; i < RUNS; i++) {
        KnGdlRun *expected = NULL;
        if (atomic_compare_exchange_strong_explicit(&reasoner->runs[(home + i) % RUNS], &expected, run,
                                                    memory_order_release, memory_order_relaxed))
            return;
    }
    kn_gdl_run_free(run);
}

static KnStatus run_for(KnPropnetReasoner *reasoner, const uint64_t *state, KnGdlRun **run, KnError *error)
{
    KnStatus status = kn_propnet_reasoner_take(reasoner, run, error);
    if (status == KN_OK) kn_gdl_run_state(*run, state);
    return status;
}

/* ---- Answers ---- */

void kn_propnet_reasoner_start(const KnPropnetReasoner *reasoner, uint64_t *state)
{
    memset(state, 0, reasoner->answers->next_words * sizeof *state);
    for (uint32_t f = 0; f < reasoner->net.fact_count; f++)
        state[f / 64] |= (uint64_t)reasoner->net.start[f] << f % 64;
}

KnStatus kn_propnet_reasoner_terminal(KnPropnetReasoner *reasoner, const uint64_t *state, bool *terminal,
                                      KnError *error)
{
    KnGdlRun *run;
    KnStatus status = run_for(reasoner, state, &run, error);
    if (status != KN_OK) return status;
    *terminal = run->answers[reasoner->answers->terminal] & 1;
    kn_propnet_reasoner_give_back(reasoner, run);
    return KN_OK;
}

/* Fails if a role has more legal moves than the limit. */
static KnStatus check_count(const KnPropnetReasoner *reasoner, const KnGdlRun *run, int role, KnError *error)
{
    const uint64_t *legal = run->answers + reasoner->answers->legal[role];
    uint32_t words = reasoner->answers->legal_words[role], count = 0;
    if (words * 64 <= reasoner->most_moves) return KN_OK;
    for (uint32_t w = 0; w < words; w++) count += (uint32_t)__builtin_popcountll(legal[w]);
    if (count <= reasoner->most_moves) return KN_OK;
    return kn_fail(error, KN_INPUT, "%s: %u legal moves in one state; raise the limit with moves=N",
                   reasoner->description->name, count);
}

KnStatus kn_propnet_reasoner_open(KnPropnetReasoner *reasoner, const uint64_t *state, bool *open,
                                  KnError *error)
{
    KnGdlRun *run;
    KnStatus status = run_for(reasoner, state, &run, error);
    if (status != KN_OK) return status;
    const KnGdlAnswers *answers = reasoner->answers;
    *open = !(run->answers[answers->terminal] & 1);
    for (int r = 0; r < reasoner->net.roles && *open; r++) {
        uint64_t any = 0;
        for (uint32_t w = 0; w < answers->legal_words[r] && !any; w++)
            any = run->answers[answers->legal[r] + w];
        *open = any;
        if (status == KN_OK) status = check_count(reasoner, run, r, error);
    }
    kn_propnet_reasoner_give_back(reasoner, run);
    return status;
}

KnStatus kn_propnet_reasoner_legal(KnPropnetReasoner *reasoner, const uint64_t *state, int role,
                                   uint64_t *moves, int *count, KnError *error)
{
    KN_ASSERT(role >= 0 && role < reasoner->net.roles);
    KnGdlRun *run;
    *count = 0;
    KnStatus status = run_for(reasoner, state, &run, error);
    if (status != KN_OK) return status;
    const KnPropnetAction *actions = reasoner->net.actions + reasoner->net.first_action[role];
    const uint64_t *legal = run->answers + reasoner->answers->legal[role];
    int listed = 0;
    status = check_count(reasoner, run, role, error);
    for (uint32_t w = 0; w < reasoner->answers->legal_words[role] && status == KN_OK; w++)
        for (uint64_t bits = legal[w]; bits; bits &= bits - 1)
            moves[listed++] = actions[w * 64 + (uint32_t)__builtin_ctzll(bits)].number;
    *count = listed;
    kn_propnet_reasoner_give_back(reasoner, run);
    return status;
}

KnStatus kn_propnet_reasoner_next(KnPropnetReasoner *reasoner, const uint64_t *state, const uint64_t *joint,
                                  uint64_t *after, KnError *error)
{
    KnGdlRun *run;
    uint32_t actions[KN_GDL_ROLES];
    for (int r = 0; r < reasoner->net.roles; r++) {
        actions[r] = reasoner->actions[r][joint[r]];
        if (actions[r] == UINT32_MAX)
            return kn_fail(error, KN_INPUT, "%s: a move that the role never has",
                           reasoner->description->name);
    }
    KnStatus status = run_for(reasoner, state, &run, error);
    if (status != KN_OK) return status;
    kn_gdl_run_moves(run, actions);
    memcpy(after, run->answers + reasoner->answers->next, reasoner->answers->next_words * sizeof *after);
    kn_propnet_reasoner_give_back(reasoner, run);
    return KN_OK;
}

KnStatus kn_propnet_reasoner_goal(KnPropnetReasoner *reasoner, const uint64_t *state, int role, int *value,
                                  KnError *error)
{
    KnGdlRun *run;
    *value = -1;
    KnStatus status = run_for(reasoner, state, &run, error);
    if (status != KN_OK) return status;
    *value = kn_gdl_run_goal(&reasoner->net, reasoner->answers, run, role);
    kn_propnet_reasoner_give_back(reasoner, run);
    return KN_OK;
}

/* ---- Life ---- */

static KnStatus ground(KnPropnetReasoner *reasoner, const KnPropnetReasonerLimits *limits, KnError *error)
{
    const KnGdlDescription *description = reasoner->description;
    bool declared = description->relations[KN_GDL_BASE].rules && description->relations[KN_GDL_INPUT].rules &&
                    !description->percepts; /* which `base` does not list */
    KnGdlDeriveLimits bounds = {
        .split = limits->split,
        .demand = limits->demand,
        .steps = limits->steps && limits->steps < MOST_STEPS ? limits->steps : MOST_STEPS,
        .sentences = MOST_SENTENCES > description->terms.count * 2 ? MOST_SENTENCES
                                                                   : description->terms.count * 2,
        .words = MOST_WORDS,
        .cancel = limits->cancel};
    KnStatus status = kn_gdl_derive(description, &bounds, &reasoner->derived, error);
    if (status == KN_NO && declared) {
        kn_gdl_derived_free(&reasoner->derived);
        bounds.declared = reasoner->info.declared = true;
        status = kn_gdl_derive(description, &bounds, &reasoner->derived, error);
    }
    return status;
}

static uint32_t network_depth(const KnPropnet *net)
{
    uint32_t *levels = calloc(net->count, sizeof *levels), deepest = 0;
    for (uint32_t n = 1; levels && n < net->count; n++) {
        const KnPropnetNode *node = &net->nodes[n];
        for (uint32_t i = 0; node->kind == KN_NODE_AND && i < node->count; i++) {
            uint32_t below = levels[net->wires[node->first + i] / 2];
            if (below >= levels[n]) levels[n] = below + 1;
        }
        if (levels[n] > deepest) deepest = levels[n];
    }
    free(levels);
    return deepest;
}

static void take_stock(KnPropnetReasoner *reasoner)
{
    KnPropnetReasonerInfo *info = &reasoner->info;
    const KnPropnet *net = &reasoner->net;
    info->facts = net->fact_count;
    info->actions = net->action_count;
    info->instances = reasoner->derived.instance_count;
    info->steps = reasoner->derived.steps;
    for (uint32_t r = 0; r < reasoner->derived.store.relation_count; r++)
        info->sentences += reasoner->derived.store.relations[r].count;
    for (uint32_t n = 0; n < net->count; n++) {
        info->gates += net->nodes[n].kind == KN_NODE_AND;
        info->loops += net->nodes[n].kind == KN_NODE_LOOP;
        if (net->nodes[n].kind == KN_NODE_AND) info->wires += net->nodes[n].count;
    }
    info->depth = network_depth(net);
}

static KnStatus set_up(KnPropnetReasoner *reasoner, const KnPropnetReasonerLimits *limits, KnError *error)
{
    double started = kn_clock_now();
    KnStatus status = ground(reasoner, limits, error);
    if (status == KN_OK)
        status = kn_propnet_build(reasoner->description, &reasoner->derived, MOST_GATES, &reasoner->net,
                                  error);
    if (status == KN_OK) status = kn_propnet_trim(&reasoner->net, error);
    if (status != KN_OK) return status;
    take_stock(reasoner);
    kn_gdl_store_free(&reasoner->derived.store);
    reasoner->differential = kn_propnet_differential_new(&reasoner->net, !limits->plain);
    if (!reasoner->differential) return kn_fail_memory(error, "laying out the network of a game description");
    reasoner->answers = kn_propnet_differential_answers(reasoner->differential);
    reasoner->info.seconds = kn_clock_now() - started;
    return KN_OK;
}

KnStatus kn_propnet_reasoner_new(const KnGdlDescription *description, const KnPropnetReasonerLimits *limits,
                                 KnPropnetReasoner **out, KnError *error)
{
    *out = NULL;
    KnPropnetReasoner *reasoner = calloc(1, sizeof *reasoner);
    if (!reasoner) return kn_fail_memory(error, "grounding a game description");
    reasoner->description = description;
    KnStatus status = set_up(reasoner, limits, error);
    if (status == KN_OK)
        *out = reasoner;
    else
        kn_propnet_reasoner_free(reasoner);
    return status;
}

void kn_propnet_reasoner_free(KnPropnetReasoner *reasoner)
{
    if (!reasoner) return;
    for (int i = 0; i < RUNS; i++) kn_gdl_run_free(atomic_load(&reasoner->runs[i]));
    for (int r = 0; r < KN_GDL_ROLES; r++) free(reasoner->actions[r]);
    kn_gdl_batch_free(atomic_load(&reasoner->batch));
    kn_propnet_differential_free(reasoner->differential);
    kn_propnet_free(&reasoner->net);
    kn_gdl_derived_free(&reasoner->derived);
    free(reasoner);
}

/* All moves of all roles, sorted, each once. */
static KnStatus number_moves(KnPropnetReasoner *reasoner, KnGdlNumbers *numbers, KnError *error)
{
    KnPropnet *net = &reasoner->net;
    KnTerm *moves = malloc((net->action_count + 1) * sizeof *moves);
    if (!moves || !kn_gdl_numbers_room(numbers, KN_GDL_MOVE_NUMBERS, net->action_count + 1)) {
        free(moves);
        return kn_fail_memory(error, "numbering moves");
    }
    for (uint32_t a = 0; a < net->action_count; a++) moves[a] = net->actions[a].move;
    kn_terms_sort(&reasoner->description->symbols, &reasoner->derived.terms, moves, net->action_count);
    KnStatus status = KN_OK;
    uint32_t number = 0;
    for (uint32_t a = 0; a < net->action_count && status == KN_OK; a++)
        status = kn_gdl_number(numbers, KN_GDL_MOVE_NUMBERS, &reasoner->derived.terms, moves[a], &number,
                               error);
    free(moves);
    return status;
}

KnStatus kn_propnet_reasoner_number(KnPropnetReasoner *reasoner, KnGdlNumbers *numbers, KnError *error)
{
    KnPropnet *net = &reasoner->net;
    uint32_t number;
    if (!kn_gdl_numbers_room(numbers, KN_GDL_FACT_NUMBERS, reasoner->answers->next_words * 64))
        return kn_fail_memory(error, "numbering facts");
    KnStatus status = number_moves(reasoner, numbers, error);
    for (uint32_t f = 0; f < net->fact_count && status == KN_OK; f++)
        status = kn_gdl_number(numbers, KN_GDL_FACT_NUMBERS, &reasoner->derived.terms, net->facts[f], &number,
                               error);
    for (int r = 0; r < net->roles && status == KN_OK; r++) {
        uint32_t count = numbers->tables[KN_GDL_MOVE_NUMBERS].count;
        reasoner->actions[r] = malloc((count + 1) * sizeof *reasoner->actions[r]);
        if (!reasoner->actions[r]) return kn_fail_memory(error, "numbering moves");
        for (uint32_t n = 0; n <= count; n++) reasoner->actions[r][n] = UINT32_MAX;
        for (uint32_t a = net->first_action[r]; a < net->first_action[r + 1] && status == KN_OK; a++) {
            status = kn_gdl_number(numbers, KN_GDL_MOVE_NUMBERS, &reasoner->derived.terms,
                                   net->actions[a].move, &net->actions[a].number, error);
            reasoner->actions[r][net->actions[a].number] = a;
        }
    }
    kn_gdl_derived_free(&reasoner->derived); /* the numbers own its terms now */
    return status;
}

const KnPropnetReasonerInfo *kn_propnet_reasoner_info(const KnPropnetReasoner *reasoner)
{
    return &reasoner->info;
}
const KnPropnet *kn_propnet_reasoner_net(const KnPropnetReasoner *reasoner) { return &reasoner->net; }
const KnPropnetDifferential *kn_propnet_reasoner_flow(const KnPropnetReasoner *reasoner)
{
    return reasoner->differential;
}

const KnGdlBatch *kn_propnet_reasoner_batch(KnPropnetReasoner *reasoner)
{
    KnGdlBatch *batch = atomic_load(&reasoner->batch);
    if (batch) return batch;
    KnGdlBatch *made = kn_gdl_batch_new(&reasoner->net);
    if (atomic_compare_exchange_strong(&reasoner->batch, &batch, made)) return made;
    kn_gdl_batch_free(made); /* another thread was first */
    return batch;
}

/* The largest number of legal moves of a role at the start. */
static uint32_t count_start_moves(KnPropnetReasoner *reasoner)
{
    KnGdlRun *run;
    KnError error;
    uint32_t most = 0, words = reasoner->answers->next_words;
    uint64_t *start = malloc((words + 1) * sizeof *start);
    if (start) kn_propnet_reasoner_start(reasoner, start);
    if (start && run_for(reasoner, start, &run, &error) == KN_OK) {
        for (int r = 0; r < reasoner->net.roles; r++) {
            uint32_t count = 0;
            for (uint32_t w = 0; w < reasoner->answers->legal_words[r]; w++)
                count += (uint32_t)__builtin_popcountll(run->answers[reasoner->answers->legal[r] + w]);
            if (count > most) most = count;
        }
        kn_propnet_reasoner_give_back(reasoner, run);
    }
    free(start);
    return most;
}

uint32_t kn_propnet_reasoner_most_moves(KnPropnetReasoner *reasoner, uint32_t limit, bool holds)
{
    KN_ASSERT(limit > 0);
    uint32_t most = 1;
    for (int r = 0; r < reasoner->net.roles; r++) {
        uint32_t actions = reasoner->net.first_action[r + 1] - reasoner->net.first_action[r];
        if (actions > most) most = actions;
    }
    if (!holds && most > limit && limit < MANY_MOVES && count_start_moves(reasoner) > limit)
        limit = MANY_MOVES;
    reasoner->most_moves = most < limit ? most : limit;
    return reasoner->most_moves;
}
