#include "games/gdl/bitparallel.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/gdl/bitparallel_program.h"

/* ---- Order ---- */

/* Sort key of a component or block. */
typedef struct Place {
    uint32_t node; /* first node of a block */
    uint32_t level;
    bool moved; /* depends on moves */
    bool block;
    uint32_t plain, inverted;
} Place;

typedef struct Layout {
    const KnPropnet *net;
    uint32_t *levels;
    bool *moved;
    Place *places;
    uint32_t count;
} Layout;

static void look_at_gate(Layout *l, uint32_t n)
{
    const KnPropnet *net = l->net;
    Place place = {.node = n};
    for (uint32_t i = 0; i < net->nodes[n].count; i++) {
        KnPropnetWire wire = net->wires[net->nodes[n].first + i];
        if (l->levels[wire / 2] >= place.level) place.level = l->levels[wire / 2] + 1;
        place.moved |= l->moved[wire / 2];
        if (wire & 1)
            place.inverted++;
        else
            place.plain++;
    }
    l->levels[n] = place.level;
    l->moved[n] = place.moved;
    l->places[l->count++] = place;
}

static void look_at_block(Layout *l, const KnPropnetBlock *block)
{
    const KnPropnet *net = l->net;
    Place place = {.node = block->first_node, .block = true, .level = 1};
    for (uint32_t w = block->first_way; w < block->first_way + block->way_count; w++) {
        uint32_t outside = net->ways[w].outside / 2;
        if (l->levels[outside] >= place.level) place.level = l->levels[outside] + 1;
        place.moved |= l->moved[outside];
    }
    for (uint32_t n = 0; n < block->node_count; n++) {
        l->levels[block->first_node + n] = place.level;
        l->moved[block->first_node + n] = place.moved;
    }
    l->places[l->count++] = place;
}

static int by_place(const void *x, const void *y)
{
    const Place *a = x, *b = y;
    if (a->moved != b->moved) return a->moved - b->moved;
    if (a->level != b->level) return a->level < b->level ? -1 : 1;
    if (a->block != b->block) return a->block - b->block;
    if (a->plain != b->plain) return a->plain < b->plain ? -1 : 1;
    if (a->inverted != b->inverted) return a->inverted < b->inverted ? -1 : 1;
    return a->node < b->node ? -1 : 1;
}

static bool find_places(Layout *l)
{
    const KnPropnet *net = l->net;
    l->levels = calloc(net->count, sizeof *l->levels);
    l->moved = calloc(net->count, sizeof *l->moved);
    l->places = malloc((net->count + 1) * sizeof *l->places);
    if (!l->levels || !l->moved || !l->places) return false;
    for (uint32_t n = 1; n < net->count; n++) {
        const KnPropnetNode *node = &net->nodes[n];
        if (node->kind == KN_NODE_MOVE)
            l->moved[n] = true;
        else if (node->kind == KN_NODE_AND)
            look_at_gate(l, n);
        else if (node->kind == KN_NODE_LOOP && net->blocks[node->first].first_node == n)
            look_at_block(l, &net->blocks[node->first]);
    }
    qsort(l->places, l->count, sizeof *l->places, by_place);
    return true;
}

/* ---- Slots and groups ---- */

static void give_slots(KnGdlBatch *batch, const Layout *l)
{
    const KnPropnet *net = batch->net;
    uint32_t slot = 1 + net->fact_count + net->action_count;
    for (uint32_t n = 0; n < slot; n++) batch->slot_of[n] = n; /* facts and moves keep their numbers */
    for (uint32_t p = 0; p < l->count; p++) {
        uint32_t nodes = l->places[p].block ? net->blocks[net->nodes[l->places[p].node].first].node_count : 1;
        for (uint32_t n = 0; n < nodes; n++) batch->slot_of[l->places[p].node + n] = slot++;
    }
    batch->slots = slot;
}

static bool same_group(const Place *a, const Place *b)
{
    return !a->block && !b->block && a->moved == b->moved && a->level == b->level && a->plain == b->plain &&
           a->inverted == b->inverted;
}

static void make_groups(KnGdlBatch *batch, const Layout *l)
{
    const KnPropnet *net = batch->net;
    uint32_t input = 0;
    for (uint32_t p = 0; p < l->count; p++) {
        const Place *place = &l->places[p];
        const KnPropnetNode *node = &net->nodes[place->node];
        if (!p || !same_group(place, place - 1)) {
            batch->groups[batch->group_count++] = (KnBatchGroup){.block = place->block,
                                                                 .plain = place->plain,
                                                                 .inverted = place->inverted,
                                                                 .slot = batch->slot_of[place->node],
                                                                 .input = place->block ? node->first : input};
            if (!place->moved) batch->state_groups = batch->group_count;
        }
        batch->groups[batch->group_count - 1].count++;
        for (int inverted = 0; inverted < 2 && !place->block; inverted++)
            for (uint32_t i = 0; i < node->count; i++) {
                KnPropnetWire wire = net->wires[node->first + i];
                if ((int)(wire & 1) == inverted) batch->inputs[input++] = batch->slot_of[wire / 2];
            }
    }
}

KnGdlBatch *kn_gdl_batch_new(const KnPropnet *net)
{
    enum { MOST_ACTIONS = 1 << 19 }; /* limit of the kernel's counters */
    for (int r = 0; r < net->roles; r++)
        if (net->first_action[r + 1] - net->first_action[r] > MOST_ACTIONS) return NULL;
    KnGdlBatch *batch = calloc(1, sizeof *batch);
    if (!batch) return NULL;
    Layout layout = {.net = net};
    batch->net = net;
    bool ok = find_places(&layout);
    batch->slot_of = calloc(net->count, sizeof *batch->slot_of);
    batch->inputs = malloc((net->wire_count + 1) * sizeof *batch->inputs);
    batch->groups = malloc((layout.count + 1) * sizeof *batch->groups);
    ok = ok && batch->slot_of && batch->inputs && batch->groups;
    if (ok) {
        give_slots(batch, &layout);
        make_groups(batch, &layout);
    }
    free(layout.levels);
    free(layout.moved);
    free(layout.places);
    if (ok) return batch;
    kn_gdl_batch_free(batch);
    return NULL;
}

void kn_gdl_batch_free(KnGdlBatch *batch)
{
    if (!batch) return;
    free(batch->slot_of);
    free(batch->inputs);
    free(batch->groups);
    free(batch);
}

/* ---- Playing ---- */

size_t kn_batch_scratch(const KnGdlBatch *batch, bool record)
{
    size_t values = (size_t)batch->slots + batch->net->fact_count + (record ? batch->net->action_count : 0),
           words = values * KN_BATCH_WORDS * sizeof(uint64_t);
    return (words + 63) & ~(size_t)63;
}

static KnStatus run_job(KnBatchJob *job, KnRng *rng, KnError *error)
{
    job->scratch = aligned_alloc(64, kn_batch_scratch(job->batch, job->lanes && job->lanes->made));
    if (!job->scratch) return kn_fail_memory(error, "playing random games");
    for (int i = 0; i < 4; i++)
        for (int w = 0; w < KN_BATCH_WORDS; w++) job->seeds[i][w] = kn_rng_next(rng);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
        kn_batch_play_avx2(job);
    else
        kn_batch_play_plain(job);
#else
    kn_batch_play_plain(job);
#endif
    free(job->scratch);
    return KN_OK;
}

KnStatus kn_gdl_batch_play(const KnGdlBatch *batch, const uint64_t *state, uint64_t games, uint32_t plies,
                           KnRng *rng, KnGdlPlayouts *out, KnError *error)
{
    *out = (KnGdlPlayouts){0};
    KnBatchJob job = {.batch = batch, .state = state, .games = games, .plies = plies, .out = out};
    return run_job(&job, rng, error);
}

KnStatus kn_gdl_batch_lanes(const KnGdlBatch *batch, const KnGdlLanes *lanes, uint32_t plies, KnRng *rng,
                            KnError *error)
{
    KnGdlPlayouts out = {0};
    KN_ASSERT(lanes->count > 0 && lanes->count <= KN_BATCH_GAMES);
    KnBatchJob job = {.batch = batch, .lanes = lanes, .plies = plies, .out = &out};
    return run_job(&job, rng, error);
}
