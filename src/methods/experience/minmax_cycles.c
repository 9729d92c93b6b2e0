/* Values where positions repeat.
 *
 * Positions that reach each other form a component; components are settled children first (Tarjan's order).
 * Inside one, the maximising player takes outcomes above a draw, the best first: a position where he moves is
 * settled by its first settled child, one where the opponent moves by its last. That gives everything that
 * the first player can force above a draw, and by the mirrored pass what the second can force below it.
 * Between what is left both can go round forever, and neither has a way out that he would prefer to a draw:
 * these are draws by the known graph, whatever outcome was seen there. Plain iteration will not do: values on
 * a cycle could support each other after their outcome was long surpassed.
 */
#include "methods/experience/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Event {
    double gain; /* for the hero of the pass */
    KnNode *node;
} Event;

typedef struct Heap {
    Event *events;
    size_t count, room;
} Heap;

/* Larger gains first; ties by number, so that equal bases are equal bytes. */
static bool before(const Event *a, const Event *b)
{
    return a->gain != b->gain ? a->gain > b->gain : a->node->id < b->node->id;
}

static bool heap_push(Heap *heap, double gain, KnNode *node)
{
    if (heap->count == heap->room) {
        size_t room = heap->room ? heap->room * 2 : 64;
        Event *larger = realloc(heap->events, room * sizeof *larger);
        if (!larger) return false;
        heap->events = larger;
        heap->room = room;
    }
    size_t at = heap->count++;
    heap->events[at] = (Event){gain, node};
    for (size_t up; at && before(&heap->events[at], &heap->events[up = (at - 1) / 2]); at = up) {
        Event swap = heap->events[at];
        heap->events[at] = heap->events[up];
        heap->events[up] = swap;
    }
    return true;
}

static Event heap_pop(Heap *heap)
{
    Event top = heap->events[0];
    heap->events[0] = heap->events[--heap->count];
    for (size_t at = 0;;) {
        size_t best = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2; child++)
            if (child < heap->count && before(&heap->events[child], &heap->events[best])) best = child;
        if (best == at) return top;
        Event swap = heap->events[at];
        heap->events[at] = heap->events[best];
        heap->events[best] = swap;
        at = best;
    }
}

/* One component under work. While it lasts, `order` says which component a node belongs to, `low` is 1 once
 * it is settled. */
typedef struct Component {
    KnBase *base;
    KnNode **nodes;
    size_t count;
    Heap heap;
} Component;

static bool inside(const Component *c, const KnNode *node)
{
    return node->mark == c->base->mark && node->order == c->nodes[0]->order;
}

/* Best (for the hero) of the ways out of a node, how many of its alternatives the pass must still wait for.
 */
static KnStatus ways_out(const Component *c, const KnNode *node, double sign, double *best, double *worst,
                         uint32_t *waiting, KnError *error)
{
    *best = -INFINITY;
    *worst = INFINITY;
    *waiting = 0;
    for (uint32_t i = 0; i < node->end_count; i++) {
        double gain = sign * node->ends[i].outcome;
        *best = fmax(*best, gain);
        *worst = fmin(*worst, gain);
        *waiting += gain <= 0;
    }
    for (uint32_t i = 0; i < node->edge_count; i++) {
        KnNode *child;
        KnStatus status = kn_cache_get(c->base, node->edges[i].child, &child, error);
        if (status != KN_OK) return status;
        bool known = (!inside(c, child) || child->low) && child->valued;
        double gain = known ? sign * child->value : 0;
        *waiting += gain <= 0;
        if (!known) continue;
        *best = fmax(*best, gain);
        *worst = fmin(*worst, gain);
    }
    return KN_OK;
}

static void settle(KnNode *node, double value)
{
    if (!node->valued || node->value != value) node->dirty = true;
    node->valued = true;
    node->value = value;
    node->low = 1;
}

/* What the hero can force above a draw. `pending` counts what a node of the other waits for. */
static KnStatus force(Component *c, int hero, double sign, KnError *error)
{
    double best, worst;
    for (size_t i = 0; i < c->count; i++) {
        KnNode *node = c->nodes[i];
        if (node->low) continue;
        KnStatus status = ways_out(c, node, sign, &best, &worst, &node->pending, error);
        if (status != KN_OK) return status;
        bool now = node->mover == hero ? best > 0 : node->pending == 0;
        if (now && !heap_push(&c->heap, node->mover == hero ? best : worst, node))
            return kn_fail_memory(error, "backing up values");
    }
    while (c->heap.count) {
        Event event = heap_pop(&c->heap);
        KnNode *node = event.node;
        if (node->low) continue;
        settle(node, sign * event.gain);
        for (uint32_t p = 0; p < node->parent_count; p++) {
            KnNode *parent = kn_cache_have(c->base, node->parents[p]);
            if (!parent || !inside(c, parent) || parent->low) continue;
            if (parent->mover != hero && --parent->pending) continue;
            uint32_t waiting;
            KnStatus status = ways_out(c, parent, sign, &best, &worst, &waiting, error);
            if (status != KN_OK) return status;
            if (!heap_push(&c->heap, parent->mover == hero ? event.gain : worst, parent))
                return kn_fail_memory(error, "backing up values");
        }
    }
    return KN_OK;
}

/* What neither can force: either may go round for ever, or leave for a draw. Where nothing behind the
 * component has a value (no game that went this way is over) there is none here either. */
static KnStatus level_out(Component *c, KnError *error)
{
    bool seen = false;
    double best, worst;
    uint32_t waiting;
    for (size_t i = 0; i < c->count && !seen; i++) {
        KnStatus status = ways_out(c, c->nodes[i], 1, &best, &worst, &waiting, error);
        if (status != KN_OK) return status;
        seen = best >= worst;
    }
    for (size_t i = 0; i < c->count; i++) {
        KnNode *node = c->nodes[i];
        if (node->low) continue;
        if (seen)
            settle(node, 0);
        else if (node->valued)
            node->valued = false, node->value = 0, node->dirty = true;
    }
    return KN_OK;
}

/* Every way out counts once for all positions of the component: going round adds no path. */
static KnStatus count_paths(Component *c, KnError *error)
{
    uint64_t paths = 0;
    for (size_t i = 0; i < c->count; i++) {
        const KnNode *node = c->nodes[i];
        paths = kn_values_add(paths, node->end_count);
        for (uint32_t e = 0; e < node->edge_count; e++) {
            KnNode *child;
            KnStatus status = kn_cache_get(c->base, node->edges[e].child, &child, error);
            if (status != KN_OK) return status;
            if (!inside(c, child)) paths = kn_values_add(paths, child->paths);
        }
    }
    for (size_t i = 0; i < c->count; i++) {
        if (c->nodes[i]->paths != paths) c->nodes[i]->dirty = true;
        c->nodes[i]->paths = paths;
    }
    return KN_OK;
}

static KnStatus solve(KnBase *base, KnNode **nodes, size_t count, KnError *error)
{
    Component c = {.base = base, .nodes = nodes, .count = count};
    for (size_t i = 0; i < count; i++) nodes[i]->low = 0;
    KnStatus status = count_paths(&c, error);
    if (status == KN_OK) status = force(&c, 0, 1, error);
    if (status == KN_OK) status = force(&c, 1, -1, error);
    if (status == KN_OK) status = level_out(&c, error);
    free(c.heap.events);
    return status;
}

/* ---- Tarjan's components, without recursion ---- */

typedef struct Frame {
    KnNode *node;
    uint32_t edge;
} Frame;

typedef struct Walk {
    KnBase *base;
    Frame *frames;
    KnNode **stack;
    size_t depth, height;
    uint32_t clock, component;
} Walk;

/* While walking: pending = 1 on the stack, 2 settled, 0 not met; order = when it was met. */
static void enter(Walk *w, KnNode *node)
{
    node->order = node->low = ++w->clock;
    node->pending = 1;
    w->stack[w->height++] = node;
    w->frames[w->depth++] = (Frame){node, 0};
}

static KnStatus leave(Walk *w, KnNode *node, KnError *error)
{
    size_t from = w->height;
    while (w->stack[--from] != node) {
    }
    KnNode **nodes = w->stack + from;
    size_t count = w->height - from;
    w->height = from;
    w->component--;
    for (size_t i = 0; i < count; i++)
        nodes[i]->order = w->component; /* above every clock: no mistake between the two */
    KnStatus status = count == 1 && !kn_node_edge(node, node->id) ? kn_values_one(w->base, node, error)
                                                                  : solve(w->base, nodes, count, error);
    for (size_t i = 0; i < count; i++) nodes[i]->pending = 2;
    return status;
}

static KnStatus walk_from(Walk *w, KnNode *root, KnError *error)
{
    enter(w, root);
    while (w->depth) {
        Frame *frame = &w->frames[w->depth - 1];
        KnNode *node = frame->node;
        if (frame->edge < node->edge_count) {
            KnNode *child = kn_cache_have(w->base, node->edges[frame->edge++].child);
            if (!child || child->mark != w->base->mark) continue;
            if (child->pending == 0)
                enter(w, child);
            else if (child->pending == 1 && child->order < node->low)
                node->low = child->order;
            continue;
        }
        w->depth--;
        uint32_t low = node->low;
        if (low == node->order) {
            KnStatus status = leave(w, node, error);
            if (status != KN_OK) return status;
        }
        if (w->depth && low < w->frames[w->depth - 1].node->low) w->frames[w->depth - 1].node->low = low;
    }
    return KN_OK;
}

KnStatus kn_values_cycles(KnBase *base, KnNode **nodes, size_t count, KnError *error)
{
    Walk w = {.base = base,
              .frames = malloc(count * sizeof(Frame)),
              .stack = malloc(count * sizeof(KnNode *)),
              .component = UINT32_MAX};
    KnStatus status = w.frames && w.stack ? KN_OK : kn_fail_memory(error, "backing up values");
    for (size_t i = 0; i < count; i++) nodes[i]->pending = nodes[i]->order = 0;
    for (size_t i = 0; i < count && status == KN_OK; i++)
        if (nodes[i]->pending == 0) status = walk_from(&w, nodes[i], error);
    free(w.frames);
    free(w.stack);
    return status;
}
