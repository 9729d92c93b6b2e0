#include "search/dfpn.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { CLOCK_EVERY = 32, LEAST_BUCKETS = 256, ENTRIES_PER_NODE = 4, HARD = 1 << 12 };

bool kn_dfpn_init(KnDfpn *search, const KnDfpnDomain *domain, void *self, unsigned bits, int pool_size)
{
    KN_ASSERT(bits >= 2 && bits < 40 && pool_size > 0);
    size_t count = (size_t)1 << bits;
    *search = (KnDfpn){.domain = domain, .self = self, .buckets = count / KN_DFPN_WAYS};
    search->mask = search->buckets - 1;
    search->pool_size = pool_size;
    search->entries = calloc(count, sizeof *search->entries);
    search->payloads = domain->payload ? calloc(count, domain->payload) : NULL;
    search->pool = malloc((size_t)pool_size * sizeof *search->pool);
    return search->entries && search->pool && (search->payloads || !domain->payload);
}

void kn_dfpn_free(KnDfpn *search)
{
    free(search->entries);
    free(search->payloads);
    free(search->pool);
    *search = (KnDfpn){0};
}

/* ---- Transposition table: buckets of four, where entries of earlier runs, then those of least work, are
 * replaced. Clearing it starts a new age. ---- */

void kn_dfpn_clear(KnDfpn *s, uint64_t nodes)
{
    size_t buckets = s->buckets;
    while (nodes && buckets > LEAST_BUCKETS && buckets * (KN_DFPN_WAYS / 2) >= nodes * ENTRIES_PER_NODE)
        buckets /= 2;
    s->mask = buckets - 1;
    kn_dfpn_renew(s);
}

void kn_dfpn_renew(KnDfpn *s)
{
    if (++s->age) return;
    memset(s->entries, 0, s->buckets * KN_DFPN_WAYS * sizeof *s->entries); /* once in 65536 runs */
    s->age = 1;
}

void kn_dfpn_store(KnDfpn *s, uint64_t key, const KnDfpnNode *node, uint64_t work)
{
    KnDfpnEntry *bucket = kn_dfpn_bucket(s, key), *slot = NULL;
    for (int i = 0; i < KN_DFPN_WAYS && !slot; i++)
        if (bucket[i].key == key && bucket[i].age == s->age) slot = &bucket[i], work += slot->work;
    for (int i = 0; i < KN_DFPN_WAYS && !slot; i++)
        if (bucket[i].age != s->age) slot = &bucket[i];
    if (!slot) {
        slot = bucket;
        for (int i = 1; i < KN_DFPN_WAYS; i++)
            if (bucket[i].work < slot->work) slot = &bucket[i];
    }
    int16_t move = node->move >= 0 && node->move <= INT16_MAX ? (int16_t)node->move : -1;
    *slot = (KnDfpnEntry){key,  node->proof, node->disproof, work < UINT32_MAX ? (uint32_t)work : UINT32_MAX,
                          move, s->age};
    if (!s->domain->payload || (node->proof && node->disproof)) return;
    KN_ASSERT(node->payload);
    memcpy(s->payloads + (size_t)(slot - s->entries) * s->domain->payload, node->payload, s->domain->payload);
}

/* ---- The line ---- */

bool kn_dfpn_spent(KnDfpn *s)
{
    if (s->stopped) return true;
    if (s->limit && s->nodes >= s->limit)
        s->stopped = true;
    else if (s->deadline > 0 && s->nodes % CLOCK_EVERY == 0 && kn_clock_now() >= s->deadline)
        s->stopped = true;
    return s->stopped;
}

bool kn_dfpn_repeats(const KnDfpn *s, uint64_t key, int length)
{
    KN_ASSERT(length <= s->ply + 1);
    for (int i = length - 1; i >= 0; i--)
        if (s->path[i] == key) return true;
    return false;
}

KnDfpnChild *kn_dfpn_add(KnDfpn *s, KnDfpnNode *node, int move, uint64_t key, uint32_t proof,
                         uint32_t disproof)
{
    if (s->used >= s->pool_size) {
        s->stopped = true;
        return NULL;
    }
    KN_ASSERT(s->used == node->first + node->count); /* children of one node stand together */
    KnDfpnChild *child = &s->pool[s->used++];
    node->count++;
    const KnDfpnEntry *entry = kn_dfpn_probe(s, key);
    *child = (KnDfpnChild){.key = key, .move = move, .proof = proof, .disproof = disproof};
    if (entry) child->proof = entry->proof, child->disproof = entry->disproof;
    return child;
}

/* A number that tells that nothing is left to search. It holds on this line only, where a position repeats an
 * earlier one; results that depend on the path do not enter the table (Kishimoto and Mueller 2004). The table
 * gets a large number instead, twice as large with each visit. */
static uint32_t for_table(uint32_t number, uint32_t before)
{
    if (number < KN_DFPN_STUCK || number >= KN_DFPN_INFINITE) return number;
    return before < HARD ? HARD : before < KN_DFPN_STUCK / 4 ? 2 * before : KN_DFPN_STUCK / 2;
}

static void store_node(KnDfpn *s, uint64_t key, KnDfpnNode node, uint64_t work)
{
    const KnDfpnEntry *entry = kn_dfpn_probe(s, key);
    node.proof = for_table(node.proof, entry ? entry->proof : 0);
    node.disproof = for_table(node.disproof, entry ? entry->disproof : 0);
    kn_dfpn_store(s, key, &node, work);
}

/* ---- The search ---- */

/* The numbers of a node, and where to go on. */
typedef struct Choice {
    int child;       /* the most promising; -1: none can be searched */
    uint32_t second; /* the number of the second best */
    int open;        /* relevant children that are not refuted */
} Choice;

static void reread(KnDfpn *s, KnDfpnChild *child)
{
    const KnDfpnEntry *entry = child->final ? NULL : kn_dfpn_probe(s, child->key);
    if (entry) child->proof = entry->proof, child->disproof = entry->disproof;
}

/* Selects the child with the smallest phi as the node's side counts it; combines the others' delta. */
static Choice select_child(KnDfpn *s, KnDfpnNode *node)
{
    Choice choice = {-1, KN_DFPN_STUCK, 0};
    uint32_t phi = KN_DFPN_STUCK, largest = 0, sum = 0;
    for (int i = node->first; i < node->first + node->count; i++) {
        KnDfpnChild *child = &s->pool[i];
        if (s->domain->reread) reread(s, child);
        if (kn_dfpn_loses(node, child)) continue;
        if (s->domain->relevant && !s->domain->relevant(s, node, child)) continue;
        uint32_t own = node->or_node ? child->proof : child->disproof,
                 other = node->or_node ? child->disproof : child->proof;
        choice.open++;
        if (other > largest) largest = other;
        sum = sum + other < KN_DFPN_INFINITE ? sum + other : KN_DFPN_INFINITE;
        if (own >= KN_DFPN_STUCK && other >= KN_DFPN_STUCK) continue;
        if (choice.child < 0 || own < phi)
            choice.second = phi, phi = own, choice.child = i;
        else if (own < choice.second)
            choice.second = own;
    }
    uint32_t delta = s->domain->weak ? largest + (uint32_t)(choice.open ? choice.open - 1 : 0) : sum;
    if (delta > KN_DFPN_STUCK || choice.child < 0) delta = KN_DFPN_STUCK;
    node->proof = node->or_node ? phi : delta;
    node->disproof = node->or_node ? delta : phi;
    if (choice.child >= 0) node->move = s->pool[choice.child].move;
    return choice;
}

/* Whether the children decide the node. */
static bool decided(KnDfpn *s, KnDfpnNode *node)
{
    const KnDfpnDomain *domain = s->domain;
    if (domain->lost && domain->lost(s, node)) return true;
    bool all_lost = !domain->lost;
    for (int i = node->first; i < node->first + node->count; i++) {
        const KnDfpnChild *child = &s->pool[i];
        all_lost = all_lost && kn_dfpn_loses(node, child);
        if (!kn_dfpn_wins(node, child)) continue;
        kn_dfpn_decide(node, true, child->move, NULL);
        if (domain->won) domain->won(s, node, i, domain->child_payload(s, i));
        return true;
    }
    if (all_lost) kn_dfpn_decide(node, false, node->count ? s->pool[node->first].move : -1, NULL);
    return all_lost;
}

static KnDfpnNode search(KnDfpn *s, uint32_t proof_limit, uint32_t disproof_limit);

/* Searches a child; true: that decides the node. */
static bool visit(KnDfpn *s, KnDfpnNode *node, int index, uint32_t proof_limit, uint32_t disproof_limit)
{
    if (kn_dfpn_spent(s) || !s->domain->play(s, index)) {
        s->stopped = true;
        return false;
    }
    s->nodes++, s->ply++;
    KnDfpnNode after = search(s, proof_limit, disproof_limit);
    s->ply--;
    s->domain->undo(s);
    KnDfpnChild *child = &s->pool[index];
    child->proof = after.proof, child->disproof = after.disproof;
    if (after.proof >= KN_DFPN_STUCK && after.disproof >= KN_DFPN_STUCK) child->final = true;
    if (kn_dfpn_wins(node, child)) {
        kn_dfpn_decide(node, true, child->move, NULL);
        if (s->domain->won) s->domain->won(s, node, index, after.payload);
        return true;
    }
    if (!kn_dfpn_loses(node, child)) return false;
    if (s->domain->refuted) s->domain->refuted(s, node, index, &after);
    int move = child->move;
    if (!decided(s, node)) return false;
    if (!(node->or_node ? node->disproof : node->proof)) node->move = move; /* it held out longest */
    return true;
}

/* The thresholds of a child (Nagai 2002, with the 1+epsilon of Pawlewicz and Lew 2007). */
static bool search_child(KnDfpn *s, KnDfpnNode *node, const Choice *choice, uint32_t proof_limit,
                         uint32_t disproof_limit)
{
    const KnDfpnDomain *domain = s->domain;
    const KnDfpnChild *child = &s->pool[choice->child];
    uint32_t own_limit = node->or_node ? proof_limit : disproof_limit,
             other_limit = node->or_node ? disproof_limit : proof_limit,
             delta = node->or_node ? node->disproof : node->proof,
             other = node->or_node ? child->disproof : child->proof,
             step = choice->second + (domain->shift ? choice->second >> domain->shift : 0) + 1;
    uint32_t own = step < own_limit ? step : own_limit;
    other = domain->weak ? other_limit - (uint32_t)(choice->open - 1) : other_limit - delta + other;
    KN_ASSERT(delta < other_limit);
    return visit(s, node, choice->child, node->or_node ? own : other, node->or_node ? other : own);
}

/* Searches the position at the end of the line until it is decided or one of its numbers reaches its
 * threshold. */
static KnDfpnNode search(KnDfpn *s, uint32_t proof_limit, uint32_t disproof_limit)
{
    const KnDfpnDomain *domain = s->domain;
    KN_ASSERT(s->ply >= 0 && s->ply <= KN_DFPN_PLIES);
    uint64_t key = domain->key(s), started = s->nodes;
    KnDfpnNode node = {.or_node = domain->or_node(s), .first = s->used, .move = -1};
    if (domain->terminal(s, key, &node)) return node;
    s->path[s->ply] = key;
    bool done = domain->expand(s, &node);
    const KnDfpnEntry *entry = kn_dfpn_probe(s, key);
    uint64_t before = entry ? entry->work : 0;
    if (!done && domain->widen) domain->widen(s, &node, before);
    done = done || decided(s, &node);
    while (!done && !s->stopped) {
        int count = node.count;
        uint64_t pause = s->pause,
                 left = domain->widen ? domain->widen(s, &node, before + s->nodes - started) : UINT64_MAX;
        if (node.count > count && (done = decided(s, &node))) break;
        Choice choice = select_child(s, &node);
        if (choice.child < 0 && left != UINT64_MAX && node.count < s->pool_size) {
            before += left; /* nothing else is left to search: the next moves come at once */
            continue;
        }
        if (domain->reread && (done = decided(s, &node))) break;
        if (choice.child < 0 || node.proof >= proof_limit || node.disproof >= disproof_limit ||
            s->nodes >= pause)
            break;
        if (left < pause - s->nodes) s->pause = s->nodes + left;
        done = search_child(s, &node, &choice, proof_limit, disproof_limit);
        s->pause = pause;
    }
    s->used = node.first;
    if (!s->stopped || done) store_node(s, key, node, s->nodes - started + 1);
    return node;
}

KnDfpnNode kn_dfpn_run(KnDfpn *s, uint64_t nodes, double deadline)
{
    s->nodes = 0, s->limit = nodes, s->deadline = deadline, s->pause = UINT64_MAX;
    s->ply = s->used = 0, s->stopped = false;
    return search(s, KN_DFPN_INFINITE, KN_DFPN_INFINITE);
}
