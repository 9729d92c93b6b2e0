/* Symmetric roles: an automorphism of the propnet that exchanges roles.
 *
 * Colour refinement (Weisfeiler & Leman 1968) on two copies of the propnet, one with exchanged roles: nodes
 * start with a colour by kind and by their use in answers, then get new colours from their inputs and users,
 * until no colour class splits. If a class still has several nodes (a board with symmetries), one node of
 * each copy is individualised and refinement goes on, with backtracking. The mapping found is verified wire
 * by wire, so the result is certain. */
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/gdl/analysis_parts.h"

enum {
    MOST_NODES = 30000,
    MOST_PAINTED = 800000,
    MOST_TRIES = 12
}; /* limit on coloured nodes for two roles: under a second */

typedef struct Copy {
    uint64_t *colours, *fresh; /* by node */
    int role_of[KN_GDL_ROLES]; /* name of each role in this copy */
} Copy;

typedef struct Matching {
    const KnPropnet *net;
    uint32_t *users_begin, *users; /* by node: 2 * gate + inverted */
    Copy copies[2];
    uint32_t *orders[2]; /* nodes by colour */
    uint32_t *facts;     /* result: the verified image of each fact */
    int rounds, most_rounds;
} Matching;

/* ---- Colours ---- */

static uint64_t mix(uint64_t a, uint64_t b) { return kn_mix64(a * 0x9E3779B97F4A7C15u + b + 1); }

static void paint_answer(uint64_t *colours, KnPropnetWire wire, uint64_t what)
{
    colours[wire / 2] += mix(what, wire & 1);
}

static int role_of_action(const KnPropnet *net, uint32_t action)
{
    int role = 0;
    while (action >= net->first_action[role + 1]) role++;
    return role;
}

static void paint_first(const Matching *m, Copy *copy)
{
    const KnPropnet *net = m->net;
    for (uint32_t n = 0; n < net->count; n++) {
        const KnPropnetNode *node = &net->nodes[n];
        copy->colours[n] = mix(node->kind, node->kind == KN_NODE_AND ? node->count : 0);
        if (node->kind == KN_NODE_MOVE)
            copy->colours[n] = mix(copy->colours[n],
                                   (uint64_t)copy->role_of[role_of_action(net, node->first)]);
    }
    paint_answer(copy->colours, net->terminal, 11);
    for (int r = 0; r < net->roles; r++)
        for (uint32_t g = net->first_goal[r]; g < net->first_goal[r + 1]; g++)
            paint_answer(copy->colours, net->goals[g].wire,
                         mix(13, mix((uint64_t)(net->goals[g].value + 1), (uint64_t)copy->role_of[r])));
}

/* New colours: a fact from its next wire, a move from its legality, both from their users; a component from
 * inputs and users. */
static void paint_again(const Matching *m, Copy *copy)
{
    const KnPropnet *net = m->net;
    const uint64_t *old = copy->colours;
    uint64_t *fresh = copy->fresh;
    for (uint32_t n = 0; n < net->count; n++) {
        const KnPropnetNode *node = &net->nodes[n];
        uint64_t below = 0, above = 0;
        for (uint32_t i = 0; node->kind == KN_NODE_AND && i < node->count; i++) {
            KnPropnetWire wire = net->wires[node->first + i];
            below += mix(old[wire / 2], wire & 1);
        }
        for (uint32_t i = m->users_begin[n]; i < m->users_begin[n + 1]; i++)
            above += mix(old[m->users[i] / 2], 2 + (m->users[i] & 1));
        fresh[n] = mix(old[n], mix(below, above));
    }
    for (uint32_t f = 0; f < net->fact_count; f++) {
        KnPropnetWire wire = net->next[f];
        uint32_t node = kn_propnet_fact(f) / 2;
        fresh[node] += mix(old[wire / 2], 5 + (wire & 1));
        fresh[wire / 2] += mix(old[node], 7 + (wire & 1));
    }
    for (uint32_t a = 0; a < net->action_count; a++) {
        KnPropnetWire wire = net->actions[a].legal;
        uint32_t node = kn_propnet_move(net, a) / 2;
        fresh[node] += mix(old[wire / 2], 17 + (wire & 1));
        fresh[wire / 2] += mix(old[node], 19 + (wire & 1));
    }
    copy->fresh = copy->colours;
    copy->colours = fresh;
}

static int by_colour(const void *a, const void *b, void *user)
{
    const uint64_t *colours = user;
    uint64_t x = colours[*(const uint32_t *)a], y = colours[*(const uint32_t *)b];
    return x < y ? -1 : x > y;
}

/* Sorts nodes by colour; returns the number of colours. */
static uint32_t sort_nodes(Matching *m, int which)
{
    uint32_t count = m->net->count, *order = m->orders[which], colours = 1;
    const uint64_t *by = m->copies[which].colours;
    for (uint32_t n = 0; n < count; n++) order[n] = n;
    qsort_r(order, count, sizeof *order, by_colour, (void *)by);
    for (uint32_t i = 1; i < count; i++) colours += by[order[i]] != by[order[i - 1]];
    return colours;
}

/* Refines until nothing splits; false if the copies differ. */
static bool refine(Matching *m)
{
    uint32_t before = 0, colours = sort_nodes(m, 0);
    while (colours > before && m->rounds < m->most_rounds) {
        before = colours;
        for (int which = 0; which < 2; which++) paint_again(m, &m->copies[which]);
        m->rounds++;
        colours = sort_nodes(m, 0);
        if (sort_nodes(m, 1) != colours) return false;
        for (uint32_t i = 0; i < m->net->count; i++)
            if (m->copies[0].colours[m->orders[0][i]] != m->copies[1].colours[m->orders[1][i]]) return false;
    }
    return m->rounds < m->most_rounds;
}

/* ---- Choosing and checking ---- */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Whether a mapping of nodes maps the first copy onto the second. */
static bool is_right(const Matching *m, const uint32_t *image, uint32_t *scratch)
{
    const KnPropnet *net = m->net;
#define IMAGE(wire) (image[(wire) / 2] * 2 + ((wire)&1))
    for (uint32_t n = 0; n < net->count; n++) {
        const KnPropnetNode *a = &net->nodes[n], *b = &net->nodes[image[n]];
        if (a->kind != b->kind || a->kind == KN_NODE_LOOP || (a->kind == KN_NODE_AND && a->count != b->count))
            return false;
        for (uint32_t i = 0; a->kind == KN_NODE_AND && i < a->count; i++)
            scratch[i] = IMAGE(net->wires[a->first + i]);
        if (a->kind != KN_NODE_AND) continue;
        qsort(scratch, a->count, sizeof *scratch, by_number);
        if (memcmp(scratch, net->wires + b->first, a->count * sizeof *scratch) != 0)
            return false; /* a gate's wires are sorted */
    }
    for (uint32_t f = 0; f < net->fact_count; f++)
        if (net->next[net->nodes[image[kn_propnet_fact(f) / 2]].first] != IMAGE(net->next[f])) return false;
    for (uint32_t a = 0; a < net->action_count; a++) {
        uint32_t other = net->nodes[image[kn_propnet_move(net, a) / 2]].first;
        if (m->copies[0].role_of[role_of_action(net, a)] != m->copies[1].role_of[role_of_action(net, other)])
            return false;
        if (net->actions[other].legal != IMAGE(net->actions[a].legal)) return false;
    }
    if (IMAGE(net->terminal) != net->terminal) return false;
    for (int r = 0; r < net->roles; r++)
        for (int s = 0; s < net->roles; s++) {
            if (m->copies[0].role_of[r] != m->copies[1].role_of[s]) continue;
            uint32_t count = net->first_goal[r + 1] - net->first_goal[r];
            if (count != net->first_goal[s + 1] - net->first_goal[s]) return false;
            for (uint32_t g = 0; g < count; g++) { /* in the order of their terms, for both copies */
                const KnPropnetGoal *x = &net->goals[net->first_goal[r] + g],
                                    *y = &net->goals[net->first_goal[s] + g];
                if (x->value != y->value || IMAGE(x->wire) != y->wire) return false;
            }
        }
#undef IMAGE
    return true;
}

static bool check(const Matching *m)
{
    uint32_t count = m->net->count, *image = malloc(count * sizeof *image),
             *scratch = malloc((m->net->wire_count + 1) * sizeof *scratch);
    bool right = image && scratch;
    for (uint32_t i = 0; right && i < count; i++) image[m->orders[0][i]] = m->orders[1][i];
    right = right && is_right(m, image, scratch);
    for (uint32_t f = 0; right && f < m->net->fact_count; f++)
        m->facts[f] = m->net->nodes[image[kn_propnet_fact(f) / 2]].first;
    free(image);
    free(scratch);
    return right;
}

/* The first colour class with several nodes; false if there is none. */
static bool find_open(const Matching *m, uint32_t *begin, uint32_t *end)
{
    const uint64_t *colours = m->copies[0].colours;
    const uint32_t *order = m->orders[0];
    for (uint32_t i = 1; i < m->net->count; i++) {
        if (colours[order[i]] != colours[order[i - 1]]) continue;
        *begin = i - 1;
        for (*end = i + 1; *end < m->net->count && colours[order[*end]] == colours[order[i]];) ++*end;
        return true;
    }
    return false;
}

static bool match(Matching *m, int depth)
{
    uint32_t begin, end, count = m->net->count;
    if (!refine(m)) return false;
    if (!find_open(m, &begin, &end)) return check(m);
    if (depth > 20 || m->rounds >= m->most_rounds) return false;
    uint64_t *saved = malloc(2 * (size_t)count * sizeof *saved);
    uint32_t *choices = malloc((end - begin) * sizeof *choices), first = m->orders[0][begin];
    bool found = false;
    for (int which = 0; saved && which < 2; which++)
        memcpy(saved + (size_t)which * count, m->copies[which].colours, count * sizeof *saved);
    if (choices) memcpy(choices, m->orders[1] + begin, (end - begin) * sizeof *choices);
    for (uint32_t i = 0; saved && choices && i < end - begin && i < MOST_TRIES && !found; i++) {
        for (int which = 0; which < 2; which++)
            memcpy(m->copies[which].colours, saved + (size_t)which * count, count * sizeof *saved);
        m->copies[0].colours[first] = mix(m->copies[0].colours[first], 23);
        m->copies[1].colours[choices[i]] = mix(m->copies[1].colours[choices[i]], 23);
        found = match(m, depth + 1);
    }
    free(saved);
    free(choices);
    return found;
}

/* ---- The whole ---- */

static bool prepare(Matching *m)
{
    const KnPropnet *net = m->net;
    uint32_t *begin = m->users_begin = calloc(net->count + 2, sizeof *begin);
    m->users = malloc((net->wire_count + 1) * sizeof *m->users);
    for (int which = 0; which < 2; which++) {
        m->copies[which].colours = calloc(net->count, sizeof(uint64_t));
        m->copies[which].fresh = calloc(net->count, sizeof(uint64_t));
        m->orders[which] = calloc(net->count, sizeof(uint32_t));
        if (!m->copies[which].colours || !m->copies[which].fresh || !m->orders[which]) return false;
    }
    if (!begin || !m->users) return false;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t n = 0; n < net->count; n++)
            for (uint32_t i = 0; net->nodes[n].kind == KN_NODE_AND && i < net->nodes[n].count; i++) {
                KnPropnetWire wire = net->wires[net->nodes[n].first + i];
                if (pass)
                    m->users[begin[wire / 2 + 1]++] = n * 2 + (wire & 1);
                else
                    begin[wire / 2 + 2]++;
            }
        for (uint32_t n = 0; n < net->count && !pass; n++) begin[n + 2] += begin[n + 1];
    }
    return true;
}

static bool interchangeable(Matching *m, int first, int second)
{
    m->rounds = 0;
    for (int which = 0; which < 2; which++) {
        for (int r = 0; r < m->net->roles; r++) m->copies[which].role_of[r] = r;
        if (which) m->copies[1].role_of[first] = second, m->copies[1].role_of[second] = first;
        paint_first(m, &m->copies[which]);
    }
    return match(m, 0);
}

KnStatus kn_gdl_find_role_symmetry(KnGdlStudy *s)
{
    const KnPropnet *net = s->net;
    for (int r = 0; r < net->roles; r++) s->result->symmetric_to[r] = r;
    if (net->count > MOST_NODES || net->block_count) return KN_OK;
    Matching m = {.net = net, .most_rounds = 20 + MOST_PAINTED / (int)(net->count + 1)};
    bool ok = prepare(&m);
    m.facts = malloc((net->fact_count + 1) * sizeof *m.facts);
    ok = ok && m.facts;
    for (int r = 1; r < net->roles && ok; r++)
        for (int first = 0; first < r; first++) {
            if (s->result->symmetric_to[first] != first || !interchangeable(&m, first, r)) continue;
            s->result->symmetric_to[r] = first;
            break;
        }
    for (int which = 0; which < 2; which++) {
        free(m.copies[which].colours);
        free(m.copies[which].fresh);
        free(m.orders[which]);
    }
    if (ok && net->roles == 2 && s->result->symmetric_to[1] == 0)
        s->result->fact_images = m.facts;
    else
        free(m.facts);
    free(m.users_begin);
    free(m.users);
    return ok ? KN_OK : kn_fail_memory(s->error, "analysing a game description");
}
