#include "games/gdl/propnet.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "base/assert.h"
#include "games/gdl/bindings.h"

/* ---- Nodes ---- */

static uint32_t gate_hash(const KnPropnetWire *wires, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) hash = kn_mix64(hash ^ wires[i]);
    return (uint32_t)(hash >> 20);
}

static void put_in_bucket(KnPropnet *net, uint32_t node)
{
    uint32_t *bucket =
        &net->buckets[gate_hash(net->wires + net->nodes[node].first, net->nodes[node].count) & net->mask];
    net->nodes[node].next = *bucket;
    *bucket = node;
}

static bool grow_buckets(KnPropnet *net)
{
    uint32_t size = net->buckets ? (net->mask + 1) * 2 : 1024;
    uint32_t *larger = calloc(size, sizeof *larger);
    if (!larger) return false;
    free(net->buckets);
    net->buckets = larger;
    net->mask = size - 1;
    for (uint32_t n = 1; n < net->count; n++)
        if (net->nodes[n].kind == KN_NODE_AND) put_in_bucket(net, n);
    return true;
}

uint32_t kn_propnet_node(KnPropnet *net, KnGdlNodeKind kind, uint32_t first, uint32_t count)
{
    net->full |= net->count >= net->limit;
    bool ok = !net->full &&
              kn_gdl_grow((void **)&net->nodes, &net->capacity, net->count + 1, sizeof *net->nodes) &&
              (net->count <= net->mask || grow_buckets(net));
    if (!ok) {
        net->failed = true;
        return 0;
    }
    net->nodes[net->count] = (KnPropnetNode){kind, first, count, 0};
    return net->count++;
}

bool kn_propnet_add_wires(KnPropnet *net, const KnPropnetWire *wires, uint32_t count, uint32_t *first)
{
    KN_ASSERT(count > 0 && wires);
    *first = net->wire_count;
    net->full |= net->wire_count + count > net->limit * 4;
    if (net->full || !kn_gdl_grow((void **)&net->wires, &net->wire_capacity, net->wire_count + count,
                                  sizeof *net->wires)) {
        net->failed = true;
        return false;
    }
    if (count) memcpy(net->wires + net->wire_count, wires, count * sizeof *wires);
    net->wire_count += count;
    return true;
}

/* ---- Gates ---- */

static int by_number(const void *a, const void *b)
{
    KnPropnetWire x = *(const KnPropnetWire *)a, y = *(const KnPropnetWire *)b;
    return (x > y) - (x < y);
}

/* Sorts the wires, removes constants and duplicates; false if the component can never be true. */
static bool tidy(KnPropnetWire *wires, uint32_t *count)
{
    uint32_t kept = 0;
    if (*count > 1) qsort(wires, *count, sizeof *wires, by_number);
    for (uint32_t i = 0; i < *count; i++) {
        if (wires[i] == KN_WIRE_FALSE) return false;
        if (wires[i] == KN_WIRE_TRUE || (kept && wires[kept - 1] == wires[i])) continue;
        if (kept && wires[kept - 1] == (wires[i] ^ 1)) return false;
        wires[kept++] = wires[i];
    }
    *count = kept;
    return true;
}

static bool has(const KnPropnetWire *wires, uint32_t count, KnPropnetWire wire)
{
    return count && bsearch(&wire, wires, count, sizeof wire, by_number);
}

typedef enum Verdict { KEEP, ALWAYS, NEVER } Verdict;

/* Simplifies a wire of an AND by the others, looking one level into it. If all but one of the wires of an
 * inverted component are known to be true, the remaining one, inverted, replaces it. */
static Verdict look_inside(const KnPropnet *net, const KnPropnetWire *wires, uint32_t count,
                           KnPropnetWire *wire)
{
    const KnPropnetNode *node = &net->nodes[*wire / 2];
    if (node->kind != KN_NODE_AND || node->count > 16) return KEEP;
    const KnPropnetWire *inner = net->wires + node->first;
    uint32_t unknown = 0;
    KnPropnetWire last = 0;
    for (uint32_t i = 0; i < node->count; i++) {
        if (has(wires, count, inner[i] ^ 1)) return *wire & 1 ? ALWAYS : NEVER;
        if (has(wires, count, inner[i])) continue;
        unknown++;
        last = inner[i];
    }
    if (!unknown) return *wire & 1 ? NEVER : ALWAYS;
    if (unknown == 1) *wire = *wire & 1 ? last ^ 1 : last;
    return KEEP;
}

static KnPropnetWire find_or_make(KnPropnet *net, const KnPropnetWire *wires, uint32_t count)
{
    KN_ASSERT(count >= 2);
    uint32_t hash = gate_hash(wires, count);
    for (uint32_t n = net->buckets[hash & net->mask]; n; n = net->nodes[n].next)
        if (net->nodes[n].count == count &&
            memcmp(net->wires + net->nodes[n].first, wires, count * sizeof *wires) == 0)
            return n * 2;
    uint32_t first, node;
    if (!kn_propnet_add_wires(net, wires, count, &first)) return 0;
    node = kn_propnet_node(net, KN_NODE_AND, first, count);
    KN_ASSERT(!node || wires[count - 1] / 2 < node); /* topological order */
    if (node) put_in_bucket(net, node);
    return node * 2;
}

KnPropnetWire kn_propnet_and(KnPropnet *net, KnPropnetWire *wires, uint32_t count)
{
    enum { LARGE = 64 }; /* larger components are not examined */
    for (bool changed = true; changed;) {
        changed = false;
        if (!tidy(wires, &count)) return KN_WIRE_FALSE;
        for (uint32_t i = 0; i < count && count <= LARGE && !changed; i++) {
            KnPropnetWire wire = wires[i];
            Verdict verdict = look_inside(net, wires, count, &wire);
            if (verdict == NEVER) return KN_WIRE_FALSE;
            if (verdict == ALWAYS) wire = KN_WIRE_TRUE;
            changed = wire != wires[i];
            wires[i] = wire;
        }
    }
    if (!count) return KN_WIRE_TRUE;
    return count == 1 ? wires[0] : find_or_make(net, wires, count);
}

KnPropnetWire kn_propnet_or(KnPropnet *net, KnPropnetWire *wires, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) wires[i] ^= 1;
    KnPropnetWire wire = kn_propnet_and(net, wires, count);
    return net->failed ? 0 : wire ^ 1;
}

/* ---- Life ---- */

bool kn_propnet_init(KnPropnet *net, uint32_t limit)
{
    *net = (KnPropnet){.limit = limit};
    if (!grow_buckets(net)) return false;
    kn_propnet_node(net, KN_NODE_FALSE, 0, 0);
    return !net->failed;
}

void kn_propnet_free(KnPropnet *net)
{
    free(net->nodes);
    free(net->wires);
    free(net->buckets);
    free(net->blocks);
    free(net->ways);
    free(net->facts);
    free(net->start);
    free(net->next);
    free(net->actions);
    free(net->goals);
    *net = (KnPropnet){0};
}
