#include "games/gdl/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "games/gdl/lanes_program.h"

/* ---- Order ---- */

/* What decides where a gate or block stands. */
typedef struct Place {
    uint32_t node; /* of a block, its first */
    uint32_t level;
    bool moved; /* depends on moves */
    bool block;
    uint32_t plain, inverted;
} Place;

typedef struct Layout {
    const KnGdlNet *net;
    uint32_t *levels;
    bool *moved;
    Place *places;
    uint32_t count;
} Layout;

static void look_at_gate(Layout *l, uint32_t n)
{
    const KnGdlNet *net = l->net;
    Place place = {.node = n};
    for (uint32_t i = 0; i < net->nodes[n].count; i++) {
        KnWire wire = net->wires[net->nodes[n].first + i];
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

static void look_at_block(Layout *l, const KnNetBlock *block)
{
    const KnGdlNet *net = l->net;
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
    const KnGdlNet *net = l->net;
    l->levels = calloc(net->count, sizeof *l->levels);
    l->moved = calloc(net->count, sizeof *l->moved);
    l->places = malloc((net->count + 1) * sizeof *l->places);
    if (!l->levels || !l->moved || !l->places) return false;
    for (uint32_t n = 1; n < net->count; n++) {
        const KnNetNode *node = &net->nodes[n];
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

static void give_slots(KnGdlLanes *lanes, const Layout *l)
{
    const KnGdlNet *net = lanes->net;
    uint32_t slot = 1 + net->fact_count + net->action_count;
    for (uint32_t n = 0; n < slot; n++) lanes->slot_of[n] = n; /* nodes begin with the same */
    for (uint32_t p = 0; p < l->count; p++) {
        uint32_t nodes = l->places[p].block ? net->blocks[net->nodes[l->places[p].node].first].node_count : 1;
        for (uint32_t n = 0; n < nodes; n++) lanes->slot_of[l->places[p].node + n] = slot++;
    }
    lanes->slots = slot;
}

static bool same_group(const Place *a, const Place *b)
{
    return !a->block && !b->block && a->moved == b->moved && a->level == b->level && a->plain == b->plain &&
           a->inverted == b->inverted;
}

static void make_groups(KnGdlLanes *lanes, const Layout *l)
{
    const KnGdlNet *net = lanes->net;
    uint32_t input = 0;
    for (uint32_t p = 0; p < l->count; p++) {
        const Place *place = &l->places[p];
        const KnNetNode *node = &net->nodes[place->node];
        if (!p || !same_group(place, place - 1)) {
            lanes->groups[lanes->group_count++] = (KnLanesGroup){.block = place->block,
                                                                 .plain = place->plain,
                                                                 .inverted = place->inverted,
                                                                 .slot = lanes->slot_of[place->node],
                                                                 .input = place->block ? node->first : input};
            if (!place->moved) lanes->state_groups = lanes->group_count;
        }
        lanes->groups[lanes->group_count - 1].count++;
        for (int inverted = 0; inverted < 2 && !place->block; inverted++)
            for (uint32_t i = 0; i < node->count; i++) {
                KnWire wire = net->wires[node->first + i];
                if ((int)(wire & 1) == inverted) lanes->inputs[input++] = lanes->slot_of[wire / 2];
            }
    }
}

KnGdlLanes *kn_gdl_lanes_new(const KnGdlNet *net)
{
    enum { MOST_ACTIONS = 1 << 19 }; /* what the kernel can count */
    for (int r = 0; r < net->roles; r++)
        if (net->first_action[r + 1] - net->first_action[r] > MOST_ACTIONS) return NULL;
    KnGdlLanes *lanes = calloc(1, sizeof *lanes);
    if (!lanes) return NULL;
    Layout layout = {.net = net};
    lanes->net = net;
    bool ok = find_places(&layout);
    lanes->slot_of = calloc(net->count, sizeof *lanes->slot_of);
    lanes->inputs = malloc((net->wire_count + 1) * sizeof *lanes->inputs);
    lanes->groups = malloc((layout.count + 1) * sizeof *lanes->groups);
    ok = ok && lanes->slot_of && lanes->inputs && lanes->groups;
    if (ok) {
        give_slots(lanes, &layout);
        make_groups(lanes, &layout);
    }
    free(layout.levels);
    free(layout.moved);
    free(layout.places);
    if (ok) return lanes;
    kn_gdl_lanes_free(lanes);
    return NULL;
}

void kn_gdl_lanes_free(KnGdlLanes *lanes)
{
    if (!lanes) return;
    free(lanes->slot_of);
    free(lanes->inputs);
    free(lanes->groups);
    free(lanes);
}

/* ---- Playing ---- */

size_t kn_lanes_scratch(const KnGdlLanes *lanes)
{
    size_t words = ((size_t)lanes->slots + lanes->net->fact_count) * KN_LANE_WORDS * sizeof(uint64_t);
    return (words + 63) & ~(size_t)63;
}

KnStatus kn_gdl_lanes_play(const KnGdlLanes *lanes, const uint64_t *state, uint64_t games, uint32_t plies,
                           KnRng *rng, KnGdlPlayouts *out, KnError *error)
{
    KnLanesJob job = {.lanes = lanes, .state = state, .games = games, .plies = plies, .out = out};
    *out = (KnGdlPlayouts){0};
    job.scratch = aligned_alloc(64, kn_lanes_scratch(lanes));
    if (!job.scratch) return kn_fail_memory(error, "playing random games");
    for (int i = 0; i < 4; i++)
        for (int w = 0; w < KN_LANE_WORDS; w++) job.seeds[i][w] = kn_rng_next(rng);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
        kn_lanes_play_avx2(&job);
    else
        kn_lanes_play_plain(&job);
#else
    kn_lanes_play_plain(&job);
#endif
    free(job.scratch);
    return KN_OK;
}
