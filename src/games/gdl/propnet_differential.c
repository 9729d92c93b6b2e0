#include "games/gdl/propnet_differential.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "base/assert.h"
#include "games/gdl/bindings.h"
#include "games/gdl/propnet_code.h"

#define WAY (1u << 31) /* flag of a sink: a way of a block, else a bit of the answers */

/* The fan-out of a node: components that use it plain, inverted, then sinks. */
typedef struct Fan {
    uint32_t plain, inverted, sinks, end; /* where each list begins */
} Fan;

struct KnPropnetDifferential {
    const KnPropnet *net;
    KnGdlAnswers answers;
    Fan *fans; /* by node */
    uint32_t *targets;
    bool pure; /* answers about the state do not depend on moves */
    uint32_t first_loop, loop_count;
    uint32_t *uses_begin, *uses; /* by LOOP node: ways of its block that need it */
    uint32_t most_nodes;         /* of a block */
    KnGdlRun *blank;             /* values of the empty state */
    KnPropnetCode *code;         /* NULL: differential propagation */
};

uint32_t kn_gdl_state_words(const KnPropnet *net)
{
    return net->fact_count ? (net->fact_count + 63) / 64 : 1;
}
const KnGdlAnswers *kn_propnet_differential_answers(const KnPropnetDifferential *differential)
{
    return &differential->answers;
}

/* ---- Layout ---- */

static uint32_t place(uint32_t *at, uint32_t bits)
{
    uint32_t first = *at;
    *at += (bits + 63) / 64;
    return first;
}

static void lay_out_answers(KnPropnetDifferential *differential)
{
    const KnPropnet *net = differential->net;
    KnGdlAnswers *answers = &differential->answers;
    uint32_t at = 0;
    answers->terminal = place(&at, 1);
    for (int r = 0; r < net->roles; r++) {
        uint32_t actions = net->first_action[r + 1] - net->first_action[r];
        answers->goals[r] = place(&at, net->first_goal[r + 1] - net->first_goal[r]);
        answers->legal[r] = place(&at, actions);
        answers->legal_words[r] = (actions + 63) / 64;
    }
    answers->next = at;
    answers->next_words = kn_gdl_state_words(net);
    answers->words = at + answers->next_words;
}

/* Calls `visit` for each wire that is an answer. */
static void each_answer(const KnPropnetDifferential *differential,
                        void (*visit)(void *user, KnPropnetWire wire, uint32_t bit), void *user)
{
    const KnPropnet *net = differential->net;
    const KnGdlAnswers *answers = &differential->answers;
    visit(user, net->terminal, answers->terminal * 64);
    for (int r = 0; r < net->roles; r++) {
        for (uint32_t g = net->first_goal[r]; g < net->first_goal[r + 1]; g++)
            visit(user, net->goals[g].wire, answers->goals[r] * 64 + g - net->first_goal[r]);
        for (uint32_t a = net->first_action[r]; a < net->first_action[r + 1]; a++)
            visit(user, net->actions[a].legal, answers->legal[r] * 64 + a - net->first_action[r]);
    }
    for (uint32_t f = 0; f < net->fact_count; f++) visit(user, net->next[f], answers->next * 64 + f);
}

static void count_sink(void *user, KnPropnetWire wire, uint32_t bit)
{
    (void)bit;
    ((Fan *)user)[wire / 2].end++;
}

typedef struct Filling {
    Fan *fans;
    uint32_t *targets;
    uint32_t *sinks; /* by node: next free place */
} Filling;

static void put_sink(void *user, KnPropnetWire wire, uint32_t bit)
{
    Filling *filling = user;
    filling->targets[filling->sinks[wire / 2]++] = bit;
}

/* Counting sort: count, prefix sums, fill. */
static bool lay_out_fans(KnPropnetDifferential *differential)
{
    const KnPropnet *net = differential->net;
    Fan *fans = differential->fans;
    for (uint32_t n = 0; n < net->count; n++)
        for (uint32_t i = 0; net->nodes[n].kind == KN_NODE_AND && i < net->nodes[n].count; i++) {
            KnPropnetWire wire = net->wires[net->nodes[n].first + i];
            if (wire & 1)
                fans[wire / 2].sinks++;
            else
                fans[wire / 2].inverted++;
        }
    for (uint32_t w = 0; w < net->way_count; w++) fans[net->ways[w].outside / 2].end++;
    each_answer(differential, count_sink, fans);
    uint32_t at = 0, *next[3] = {0};
    for (uint32_t n = 0; n < net->count; n++) {
        Fan counts = fans[n];
        fans[n].plain = at;
        fans[n].inverted = at += counts.inverted;
        fans[n].sinks = at += counts.sinks;
        fans[n].end = at += counts.end;
    }
    differential->targets = malloc(((size_t)at + 1) * sizeof *differential->targets);
    for (int k = 0; k < 3; k++) next[k] = malloc(net->count * sizeof *next[k]);
    bool ok = differential->targets && next[0] && next[1] && next[2];
    for (uint32_t n = 0; ok && n < net->count; n++) {
        next[0][n] = fans[n].plain;
        next[1][n] = fans[n].inverted;
        next[2][n] = fans[n].sinks;
    }
    for (uint32_t n = 0; ok && n < net->count; n++)
        for (uint32_t i = 0; net->nodes[n].kind == KN_NODE_AND && i < net->nodes[n].count; i++) {
            KnPropnetWire wire = net->wires[net->nodes[n].first + i];
            differential->targets[next[wire & 1][wire / 2]++] = n;
        }
    for (uint32_t w = 0; ok && w < net->way_count; w++)
        differential->targets[next[2][net->ways[w].outside / 2]++] = WAY | w;
    if (ok) each_answer(differential, put_sink, &(Filling){fans, differential->targets, next[2]});
    for (int k = 0; k < 3; k++) free(next[k]);
    return ok;
}

/* For each node of a block, the ways that need it. */
static bool lay_out_uses(KnPropnetDifferential *differential)
{
    const KnPropnet *net = differential->net;
    for (uint32_t n = 0; n < net->count; n++) {
        if (net->nodes[n].kind != KN_NODE_LOOP) continue;
        if (!differential->loop_count) differential->first_loop = n;
        differential->loop_count = n + 1 - differential->first_loop;
    }
    uint32_t total = 0, loops = differential->loop_count;
    for (uint32_t w = 0; w < net->way_count; w++) total += net->ways[w].count;
    uint32_t *begin = differential->uses_begin = calloc(loops + 2, sizeof *begin);
    differential->uses = malloc((total + 1) * sizeof *differential->uses);
    if (!begin || !differential->uses) return false;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t w = 0; w < net->way_count; w++)
            for (uint32_t i = 0; i < net->ways[w].count; i++) {
                uint32_t n = net->wires[net->ways[w].first + i] - differential->first_loop;
                if (pass)
                    differential->uses[begin[n + 1]++] = w;
                else
                    begin[n + 2]++;
            }
        for (uint32_t n = 0; n < loops && !pass; n++) begin[n + 2] += begin[n + 1];
    }
    for (uint32_t b = 0; b < net->block_count; b++)
        if (net->blocks[b].node_count > differential->most_nodes)
            differential->most_nodes = net->blocks[b].node_count;
    return true;
}

/* ---- Propagation ---- */

static inline void toggle(KnGdlRun *run, uint32_t node)
{
    run->dirty[node / 64] ^= UINT64_C(1) << node % 64;
    run->dirty_words[node / 4096] |= UINT64_C(1) << node / 64 % 64;
}

static void reach_sinks(KnGdlRun *run, const Fan *fan)
{
    const KnPropnetDifferential *differential = run->differential;
    for (uint32_t i = fan->sinks; i < fan->end; i++) {
        uint32_t sink = differential->targets[i];
        if (!(sink & WAY)) {
            run->answers[sink / 64] ^= UINT64_C(1) << sink % 64;
            continue;
        }
        const KnPropnetWay *way = &differential->net->ways[sink & ~WAY];
        uint32_t first = differential->net->blocks[differential->net->nodes[way->node].first].first_node;
        run->ways[sink & ~WAY] ^= true;
        run->dirty[first / 64] |= UINT64_C(1) << first % 64;
        run->dirty_words[first / 4096] |= UINT64_C(1) << first / 64 % 64;
    }
}

/* A node has changed: updates its users. */
static void flip(KnGdlRun *run, uint32_t node, bool value)
{
    const Fan *fan = &run->differential->fans[node];
    const uint32_t *targets = run->differential->targets;
    uint32_t *counters = run->counters;
    uint32_t lighter = value ? fan->plain : fan->inverted, lighter_end = value ? fan->inverted : fan->sinks;
    uint32_t heavier = value ? fan->inverted : fan->plain, heavier_end = value ? fan->sinks : fan->inverted;
    for (uint32_t i = lighter; i < lighter_end; i++)
        if (--counters[targets[i]] == 0) toggle(run, targets[i]);
    for (uint32_t i = heavier; i < heavier_end; i++)
        if (counters[targets[i]]++ == 0) toggle(run, targets[i]);
    if (fan->sinks < fan->end) reach_sinks(run, fan);
    run->flipped++;
    run->touched += fan->end - fan->plain;
}

static void make_true(KnGdlRun *run, bool *now, uint32_t first, uint32_t node, uint32_t *queued)
{
    KN_ASSERT(node >= first && node - first < run->differential->most_nodes);
    if (now[node - first]) return;
    now[node - first] = true;
    run->queue[(*queued)++] = node;
}

/* The least fixed point of a block, from nothing; nodes that differ from before change. */
static void evaluate_block(KnGdlRun *run, const KnPropnetBlock *block)
{
    KN_ASSERT(block->node_count <= run->differential->most_nodes);
    const KnPropnetDifferential *differential = run->differential;
    const KnPropnet *net = differential->net;
    uint32_t first = block->first_node, queued = 0;
    bool *now = (bool *)(run->queue + differential->most_nodes);
    memset(now, 0, block->node_count * sizeof *now);
    for (uint32_t w = block->first_way; w < block->first_way + block->way_count; w++) {
        run->missing[w] = net->ways[w].count + !run->ways[w];
        if (!run->missing[w]) make_true(run, now, first, net->ways[w].node, &queued);
    }
    for (uint32_t q = 0; q < queued; q++) {
        uint32_t n = run->queue[q] - differential->first_loop;
        for (uint32_t i = differential->uses_begin[n]; i < differential->uses_begin[n + 1]; i++)
            if (--run->missing[differential->uses[i]] == 0)
                make_true(run, now, first, net->ways[differential->uses[i]].node, &queued);
    }
    bool *before = run->loops + (first - differential->first_loop);
    for (uint32_t n = 0; n < block->node_count; n++) {
        if (now[n] == before[n]) continue;
        before[n] = now[n];
        flip(run, first + n, now[n]);
    }
}

/* Processes dirty nodes in topological order; changes mark only later nodes. */
static void settle(KnGdlRun *run)
{
    const KnPropnet *net = run->differential->net;
    uint32_t groups = net->count / 4096 + 1;
    for (uint32_t g = 0; g < groups; g++)
        while (run->dirty_words[g]) {
            uint32_t w = g * 64 + (uint32_t)__builtin_ctzll(run->dirty_words[g]);
            while (run->dirty[w]) {
                uint32_t node = w * 64 + (uint32_t)__builtin_ctzll(run->dirty[w]);
                run->dirty[w] &= run->dirty[w] - 1;
                if (net->nodes[node].kind == KN_NODE_LOOP)
                    evaluate_block(run, &net->blocks[net->nodes[node].first]);
                else
                    flip(run, node, run->counters[node] == 0);
            }
            run->dirty_words[g] &= ~(UINT64_C(1) << w % 64);
        }
}

static void take_moves_back(KnGdlRun *run)
{
    for (int r = 0; r < run->differential->net->roles; r++)
        flip(run, kn_propnet_move(run->differential->net, run->joint[r]) / 2, false);
    run->moved = false;
}

/* With machine code: takes back the bytes of the moves. Those with code of their own have none. */
static void code_take_moves_back(KnGdlRun *run)
{
    const KnPropnet *net = run->differential->net;
    for (int r = 0; r < net->roles && run->moved && !run->joint_code; r++)
        run->bytes[kn_propnet_move(net, run->joint[r]) / 2] = 0;
    run->moved = false;
    run->joint_code = NULL;
}

/* The same with machine code: sets the bytes of facts that differ, then computes everything or, after moves
 * that have code of their own (`joint`), what they may have changed. */
static void code_state(KnGdlRun *run, const uint64_t *state, const KnPropnetJoint *joint)
{
    const KnPropnetDifferential *differential = run->differential;
    bool changed = false;
    for (uint32_t w = 0; w < differential->answers.next_words; w++) {
        for (uint64_t bits = run->state[w] ^ state[w]; bits; bits &= bits - 1)
            run->bytes[1 + w * 64 + (uint32_t)__builtin_ctzll(bits)] ^= 1;
        changed |= run->state[w] != state[w];
        run->state[w] = state[w];
    }
    if (!changed) return;
    run->flipped += differential->net->count;
    if (joint)
        kn_propnet_code_arrive(differential->code, joint, run->bytes, run->answers);
    else
        kn_propnet_code_state(differential->code, run->bytes, run->answers);
    code_take_moves_back(run);
}

static void code_moves(KnGdlRun *run, const uint32_t *actions)
{
    const KnPropnet *net = run->differential->net;
    code_take_moves_back(run);
    run->joint_code = kn_propnet_code_step(run->differential->code, actions, run->bytes, run->state,
                                           run->answers);
    run->moved = true;
    for (int r = 0; r < net->roles; r++) run->joint[r] = actions[r];
    if (run->joint_code) return;
    for (int r = 0; r < net->roles; r++) run->bytes[kn_propnet_move(net, actions[r]) / 2] = 1;
    kn_propnet_code_moves(run->differential->code, run->bytes, run->answers);
}

void kn_gdl_run_state(KnGdlRun *run, const uint64_t *state)
{
    const KnPropnetDifferential *differential = run->differential;
    if (run->bytes) {
        code_state(run, state, NULL);
        return;
    }
    bool changed = run->moved && !differential->pure;
    if (changed) take_moves_back(run);
    for (uint32_t w = 0; w < differential->answers.next_words; w++) {
        uint64_t difference = run->state[w] ^ state[w];
        if (!difference) continue;
        if (run->moved) take_moves_back(run);
        for (uint64_t bits = difference; bits; bits &= bits - 1) {
            uint32_t bit = (uint32_t)__builtin_ctzll(bits);
            flip(run, kn_propnet_fact(w * 64 + bit) / 2, state[w] >> bit & 1);
        }
        run->state[w] = state[w];
        changed = true;
    }
    if (changed) settle(run);
}

void kn_gdl_run_moves(KnGdlRun *run, const uint32_t *actions)
{
    const KnPropnet *net = run->differential->net;
    bool same = run->moved && memcmp(run->joint, actions, (size_t)net->roles * sizeof *actions) == 0;
    if (same) return;
    if (run->bytes) {
        code_moves(run, actions);
        return;
    }
    if (run->moved) take_moves_back(run);
    for (int r = 0; r < net->roles; r++)
        flip(run, kn_propnet_move(net, run->joint[r] = actions[r]) / 2, true);
    run->moved = true;
    settle(run);
}

void kn_gdl_run_advance(KnGdlRun *run)
{
    KN_ASSERT(run->moved);
    memcpy(run->ahead, run->answers + run->differential->answers.next,
           run->differential->answers.next_words * sizeof *run->ahead);
    if (run->bytes)
        code_state(run, run->ahead, run->joint_code);
    else
        kn_gdl_run_state(run, run->ahead);
}

int kn_gdl_run_goal(const KnPropnet *net, const KnGdlAnswers *answers, const KnGdlRun *run, int role)
{
    KN_ASSERT(role >= 0 && role < net->roles);
    int holding = 0, value = -1;
    uint32_t first = net->first_goal[role];
    for (uint32_t g = first; g < net->first_goal[role + 1]; g++) {
        uint32_t bit = answers->goals[role] * 64 + g - first;
        if (run->answers[bit / 64] >> bit % 64 & 1) value = holding++ ? -1 : net->goals[g].value;
    }
    return value;
}

/* ---- Life ---- */

typedef struct Sizes {
    size_t answers, state, counters, dirty, dirty_words, loops, ways, queue, missing;
} Sizes;

static Sizes sizes_of(const KnPropnetDifferential *differential)
{
    const KnPropnet *net = differential->net;
    return (Sizes){differential->answers.words * sizeof(uint64_t),
                   differential->answers.next_words * sizeof(uint64_t),
                   net->count * sizeof(uint32_t),
                   (net->count / 64 + 64) * sizeof(uint64_t),
                   (net->count / 4096 + 1) * sizeof(uint64_t),
                   differential->loop_count + 1,
                   net->way_count + 1,
                   differential->most_nodes * (sizeof(uint32_t) + sizeof(bool)) + 1,
                   (net->way_count + 1) * sizeof(uint32_t)};
}

KnGdlRun *kn_gdl_run_new(const KnPropnetDifferential *differential)
{
    Sizes sizes = sizes_of(differential);
    KnGdlRun *run = calloc(1, sizeof *run);
    if (!run) return NULL;
    run->differential = differential;
    run->answers = calloc(1, sizes.answers);
    run->state = calloc(1, sizes.state);
    run->ahead = calloc(1, sizes.state);
    run->counters = calloc(1, sizes.counters);
    run->dirty = calloc(1, sizes.dirty);
    run->dirty_words = calloc(1, sizes.dirty_words);
    run->loops = calloc(1, sizes.loops);
    run->ways = calloc(1, sizes.ways);
    run->queue = calloc(1, sizes.queue);
    run->missing = calloc(1, sizes.missing);
    if (!run->answers || !run->state || !run->ahead || !run->counters || !run->dirty || !run->dirty_words ||
        !run->loops || !run->ways || !run->queue || !run->missing) {
        kn_gdl_run_free(run);
        return NULL;
    }
    if (differential->code) {
        run->bytes = calloc(1, kn_propnet_code_size(differential->code));
        if (!run->bytes) {
            kn_gdl_run_free(run);
            return NULL;
        }
        kn_propnet_code_state(differential->code, run->bytes, run->answers);
        return run;
    }
    if (differential->blank) {
        memcpy(run->answers, differential->blank->answers, sizes.answers);
        memcpy(run->counters, differential->blank->counters, sizes.counters);
        memcpy(run->loops, differential->blank->loops, sizes.loops);
        memcpy(run->ways, differential->blank->ways, sizes.ways);
    }
    return run;
}

void kn_gdl_run_free(KnGdlRun *run)
{
    if (!run) return;
    free(run->answers);
    free(run->state);
    free(run->ahead);
    free(run->counters);
    free(run->dirty);
    free(run->dirty_words);
    free(run->loops);
    free(run->ways);
    free(run->queue);
    free(run->missing);
    free(run->bytes);
    free(run);
}

static void set_answer(void *user, KnPropnetWire wire, uint32_t bit)
{
    KnGdlRun *run = user;
    if (wire & 1) run->answers[bit / 64] |= UINT64_C(1) << bit % 64;
}

/* The values of the empty state: start with every node false, then propagate the components that are true. */
static bool make_blank(KnPropnetDifferential *differential)
{
    const KnPropnet *net = differential->net;
    KnGdlRun *run = kn_gdl_run_new(differential);
    if (!run) return false;
    for (uint32_t n = 0; n < net->count; n++) {
        if (net->nodes[n].kind != KN_NODE_AND) continue;
        for (uint32_t i = 0; i < net->nodes[n].count; i++)
            run->counters[n] += !(net->wires[net->nodes[n].first + i] & 1);
        if (!run->counters[n]) toggle(run, n);
    }
    for (uint32_t w = 0; w < net->way_count; w++) run->ways[w] = net->ways[w].outside & 1;
    for (uint32_t b = 0; b < net->block_count; b++) toggle(run, net->blocks[b].first_node);
    each_answer(differential, set_answer, run);
    settle(run);
    run->flipped = 0;
    differential->blank = run;
    return true;
}

/* Whether no answer about the state depends on a move. */
static bool is_pure(const KnPropnet *net)
{
    bool *moved = calloc(net->count, sizeof *moved), pure = moved;
    for (uint32_t n = 1; pure && n < net->count; n++) {
        const KnPropnetNode *node = &net->nodes[n];
        moved[n] = node->kind == KN_NODE_MOVE;
        for (uint32_t i = 0; node->kind == KN_NODE_AND && i < node->count; i++)
            moved[n] |= moved[net->wires[node->first + i] / 2];
        if (node->kind == KN_NODE_LOOP) {
            const KnPropnetBlock *block = &net->blocks[node->first];
            for (uint32_t w = 0; w < block->way_count; w++)
                moved[n] |= moved[net->ways[block->first_way + w].outside / 2];
        }
    }
    if (pure) pure = !moved[net->terminal / 2];
    for (uint32_t a = 0; pure && a < net->action_count; a++) pure = !moved[net->actions[a].legal / 2];
    for (uint32_t g = 0; pure && g < net->first_goal[net->roles]; g++) pure = !moved[net->goals[g].wire / 2];
    free(moved);
    return pure;
}

/* ---- Choice between propagation and code ---- */

/* Draws a legal move for each role; false if the game is over. */
static bool draw_moves(const KnPropnetDifferential *differential, const KnGdlRun *run, KnRng *rng,
                       uint32_t *actions)
{
    const KnGdlAnswers *answers = &differential->answers;
    if (run->answers[answers->terminal] & 1) return false;
    for (int r = 0; r < differential->net->roles; r++) {
        uint32_t count = 0, nth;
        const uint64_t *legal = run->answers + answers->legal[r];
        for (uint32_t w = 0; w < answers->legal_words[r]; w++)
            count += (uint32_t)__builtin_popcountll(legal[w]);
        if (!count) return false;
        nth = kn_rng_below(rng, count);
        for (uint32_t w = 0; w < answers->legal_words[r]; w++)
            for (uint64_t bits = legal[w]; bits; bits &= bits - 1)
                if (nth-- == 0)
                    actions[r] = differential->net->first_action[r] + w * 64 +
                                 (uint32_t)__builtin_ctzll(bits);
    }
    return true;
}

/* The average cost of differential propagation in a step of random games: changed nodes count four times,
 * visits once. */
static double activity(const KnPropnetDifferential *differential)
{
    enum { STEPS = 200 };
    const KnPropnet *net = differential->net;
    KnGdlRun *run = kn_gdl_run_new(differential);
    uint64_t *start = calloc(differential->answers.next_words, sizeof *start), work = 0;
    uint32_t actions[KN_GDL_ROLES];
    KnRng rng = kn_rng_seeded(7);
    int steps = 0;
    for (uint32_t f = 0; start && f < net->fact_count; f++)
        start[f / 64] |= (uint64_t)net->start[f] << f % 64;
    if (run && start) kn_gdl_run_state(run, start);
    for (int tries = 0; run && start && tries < STEPS; tries++) {
        uint64_t before = run->touched + 4 * run->flipped;
        if (draw_moves(differential, run, &rng, actions)) {
            kn_gdl_run_moves(run, actions);
            kn_gdl_run_advance(run);
            work += run->touched + 4 * run->flipped - before;
            steps++;
        } else
            kn_gdl_run_state(run, start);
    }
    kn_gdl_run_free(run);
    free(start);
    return steps ? (double)work / steps : 0;
}

/* Measured on the built-in descriptions: a unit of that cost equals ten wires of straight-line code. */
static bool code_pays(const KnPropnetDifferential *differential)
{
    enum { WIRES_A_UNIT = 10 };
    const KnPropnet *net = differential->net;
    uint64_t wires = differential->answers.words * 8;
    if (!differential->pure || net->block_count) return false;
    for (uint32_t n = 0; n < net->count; n++)
        if (net->nodes[n].kind == KN_NODE_AND) wires += net->nodes[n].count + 1;
    return (double)wires < activity(differential) * WIRES_A_UNIT;
}

/* The joint moves that random games meet, the most of `room` of them, an action of each role. Returns how
 * many there are, some of them more than once. */
static uint32_t meet_joints(const KnPropnetDifferential *differential, uint32_t *joints, uint32_t room)
{
    const KnPropnet *net = differential->net;
    KnGdlRun *run = kn_gdl_run_new(differential);
    uint64_t *start = calloc(differential->answers.next_words, sizeof *start);
    uint32_t count = 0, idle = 0;
    KnRng rng = kn_rng_seeded(8);
    for (uint32_t f = 0; start && f < net->fact_count; f++)
        start[f / 64] |= (uint64_t)net->start[f] << f % 64;
    if (run && start) kn_gdl_run_state(run, start);
    while (run && start && count < room && idle < 2) { /* idle: the game is over at the start */
        uint32_t *actions = joints + (size_t)count * (size_t)net->roles;
        if (draw_moves(differential, run, &rng, actions)) {
            kn_gdl_run_moves(run, actions);
            kn_gdl_run_advance(run);
            count++;
            idle = 0;
        } else {
            kn_gdl_run_state(run, start);
            idle++;
        }
    }
    kn_gdl_run_free(run);
    free(start);
    return count;
}

/* Code for the joint moves that are met most. */
static void add_joints(KnPropnetDifferential *differential)
{
    enum { STEPS = 4000 };
    uint32_t *joints = malloc((size_t)STEPS * (size_t)differential->net->roles * sizeof *joints);
    if (joints) kn_propnet_code_join(differential->code, joints, meet_joints(differential, joints, STEPS));
    free(joints);
}

bool kn_propnet_differential_coded(const KnPropnetDifferential *differential) { return differential->code; }

KnPropnetDifferential *kn_propnet_differential_new(const KnPropnet *net, bool code)
{
    KnPropnetDifferential *differential = calloc(1, sizeof *differential);
    if (!differential) return NULL;
    differential->net = net;
    differential->pure = is_pure(net);
    differential->fans = calloc(net->count + 1, sizeof *differential->fans);
    lay_out_answers(differential);
    if (differential->fans && lay_out_fans(differential) && lay_out_uses(differential) &&
        make_blank(differential)) {
        if (code && code_pays(differential))
            differential->code = kn_propnet_code_new(net, &differential->answers);
        if (differential->code) add_joints(differential);
        return differential;
    }
    kn_propnet_differential_free(differential);
    return NULL;
}

void kn_propnet_differential_free(KnPropnetDifferential *differential)
{
    if (!differential) return;
    kn_gdl_run_free(differential->blank);
    kn_propnet_code_free(differential->code);
    free(differential->fans);
    free(differential->targets);
    free(differential->uses_begin);
    free(differential->uses);
    free(differential);
}
