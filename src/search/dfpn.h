/* Depth-first proof-number search (df-pn: Nagai 2002), for any AND/OR tree.
 *
 * Every position has a proof number and a disproof number: at least how many more leaves must be decided
 * before the prover has won, or has not (Allis 1994). At an OR node the prover moves: its proof number is the
 * smallest of its children's, its disproof number combines theirs. At an AND node it is the other way round.
 * The search always goes to the child that needs least work, and comes back when a number reaches its
 * threshold. Results are kept in a transposition table.
 *
 * The tree comes from a KnDfpnDomain. Children are listed in a pool that the domain may mirror with arrays of
 * its own, by the same index. A position is decided when one of its numbers is 0; the payload of a decided
 * position (the zone that its proof depends on, say) is kept in the table with it.
 *
 * Ownership: kn_dfpn_init allocates, kn_dfpn_free frees; a zeroed KnDfpn may be freed. One thread at a time.
 */
#ifndef KNACK_SEARCH_DFPN_H
#define KNACK_SEARCH_DFPN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/assert.h"

enum { KN_DFPN_PLIES = 160, KN_DFPN_WAYS = 4 };

#define KN_DFPN_INFINITE ((uint32_t)1 << 30)
#define KN_DFPN_STUCK    ((uint32_t)1 << 28) /* undecided, and cannot be decided on this line */

typedef struct KnDfpnEntry {
    uint64_t key;
    uint32_t proof, disproof;
    uint32_t work; /* nodes that went into it */
    int16_t move;  /* the best, or -1 where it does not fit */
    uint16_t age;  /* of the run that wrote it */
} KnDfpnEntry;

typedef struct KnDfpnChild {
    uint64_t key; /* of the position after the move */
    uint32_t proof, disproof;
    int move;   /* a number that the domain chooses */
    bool final; /* its numbers hold on this line only: the table is not asked */
} KnDfpnChild;

/* A position of the line that is being searched. */
typedef struct KnDfpnNode {
    bool or_node; /* the prover is to move */
    int first, count;
    uint32_t proof, disproof;
    int move;
    const void *payload; /* the domain's, once the node is decided */
} KnDfpnNode;

typedef struct KnDfpn KnDfpn;

typedef struct KnDfpnDomain {
    /* The combined number is the largest of the children's, plus one for each other open child ("weak"
     * proof numbers), instead of their sum. Sums count a position again for each path to it. */
    bool weak;
    bool reread;    /* children's numbers are read from the table again before each choice */
    unsigned shift; /* 1+epsilon (Pawlewicz and Lew 2007): the threshold is second + second/2^shift + 1; 0: no
                       epsilon */
    size_t payload; /* bytes kept with a decided position */

    /* All are called for the position at the end of the line. */
    uint64_t (*key)(KnDfpn *search);
    bool (*or_node)(KnDfpn *search);
    /* True: the end of a line. Fills the node's numbers, move and payload. */
    bool (*terminal)(KnDfpn *search, uint64_t key, KnDfpnNode *node);
    /* Adds children (kn_dfpn_add). True: one of them decides the node, which is filled. */
    bool (*expand)(KnDfpn *search, KnDfpnNode *node);
    bool (*play)(KnDfpn *search, int child); /* false: out of memory */
    void (*undo)(KnDfpn *search);

    /* Optional. */
    bool (*relevant)(KnDfpn *search, const KnDfpnNode *node, const KnDfpnChild *child); /* else all are */
    /* A child was refuted; `after` is its node. */
    void (*refuted)(KnDfpn *search, const KnDfpnNode *node, int child, const KnDfpnNode *after);
    /* Whether the side to move has lost: fills move and payload. Without it, a node is lost when all its
     * children are refuted. May add children. */
    bool (*lost)(KnDfpn *search, KnDfpnNode *node);
    /* The side to move wins by a child; `payload` is the child's: sets the node's. */
    void (*won)(KnDfpn *search, KnDfpnNode *node, int child, const void *payload);
    /* Progressive widening: adds the children of a node that has cost `work` nodes. Returns how many nodes
     * later there are more, UINT64_MAX if never. */
    uint64_t (*widen)(KnDfpn *search, KnDfpnNode *node, uint64_t work);
    const void *(*child_payload)(KnDfpn *search, int child);
} KnDfpnDomain;

struct KnDfpn {
    const KnDfpnDomain *domain;
    void *self; /* the domain's own */

    KnDfpnEntry *entries; /* buckets of KN_DFPN_WAYS */
    unsigned char *payloads;
    size_t mask, buckets; /* in use; all */
    uint16_t age;
    KnDfpnChild *pool; /* the children of all positions of the line */
    int used, pool_size;

    /* Of the run. */
    uint64_t nodes, limit; /* limit 0: none */
    uint64_t pause;        /* nodes, when some position of the line gets more moves */
    double deadline;       /* 0: none */
    int ply;
    bool stopped;
    uint64_t path[KN_DFPN_PLIES + 1];
};

/* 2^bits entries, and room for `pool_size` children on one line. False if memory runs out. */
bool kn_dfpn_init(KnDfpn *search, const KnDfpnDomain *domain, void *self, unsigned bits, int pool_size);
void kn_dfpn_free(KnDfpn *search);

/* Forgets everything. A run of about `nodes` nodes (0: unknown) uses only a part of the table, which the
 * processor's caches can hold. */
void kn_dfpn_clear(KnDfpn *search, uint64_t nodes);

/* Forgets everything too, but what it knew can still be asked for, until it is written over. */
void kn_dfpn_renew(KnDfpn *search);

/* Searches the domain's position until it is decided or the budget is spent; 0: no limit. */
KnDfpnNode kn_dfpn_run(KnDfpn *search, uint64_t nodes, double deadline);

/* ---- For domains ---- */

bool kn_dfpn_spent(KnDfpn *search);
/* Whether one of the first `length` positions of the line has this key. */
bool kn_dfpn_repeats(const KnDfpn *search, uint64_t key, int length);

/* Adds a child with the table's numbers, or where it has none with these. NULL: the pool is full, and the
 * search stopped. */
KnDfpnChild *kn_dfpn_add(KnDfpn *search, KnDfpnNode *node, int move, uint64_t key, uint32_t proof,
                         uint32_t disproof);

void kn_dfpn_store(KnDfpn *search, uint64_t key, const KnDfpnNode *node, uint64_t work);

static inline KnDfpnEntry *kn_dfpn_bucket(const KnDfpn *search, uint64_t key)
{
    return &search->entries[((key >> 24 ^ key) & search->mask) * KN_DFPN_WAYS];
}

static inline void kn_dfpn_prefetch(const KnDfpn *search, uint64_t key)
{
    const KnDfpnEntry *bucket = kn_dfpn_bucket(search, key);
    __builtin_prefetch(bucket);
    __builtin_prefetch(bucket + KN_DFPN_WAYS / 2);
}

static inline const KnDfpnEntry *kn_dfpn_probe_age(const KnDfpn *search, uint64_t key, uint16_t age)
{
    const KnDfpnEntry *bucket = kn_dfpn_bucket(search, key);
    for (int i = 0; i < KN_DFPN_WAYS; i++)
        if (bucket[i].key == key && bucket[i].age == age) return &bucket[i];
    return NULL;
}

/* What the table holds of a position; NULL: nothing. */
static inline const KnDfpnEntry *kn_dfpn_probe(const KnDfpn *search, uint64_t key)
{
    return kn_dfpn_probe_age(search, key, search->age);
}

/* What it held before kn_dfpn_renew. */
static inline const KnDfpnEntry *kn_dfpn_probe_before(const KnDfpn *search, uint64_t key)
{
    return search->age > 1 ? kn_dfpn_probe_age(search, key, (uint16_t)(search->age - 1)) : NULL;
}

static inline const void *kn_dfpn_payload(const KnDfpn *search, const KnDfpnEntry *entry)
{
    KN_ASSERT(!entry->proof || !entry->disproof);
    return search->payloads + (size_t)(entry - search->entries) * search->domain->payload;
}

/* Whether a child wins for the side to move at its parent, or is refuted. */
static inline bool kn_dfpn_wins(const KnDfpnNode *node, const KnDfpnChild *child)
{
    return !(node->or_node ? child->proof : child->disproof);
}
static inline bool kn_dfpn_loses(const KnDfpnNode *node, const KnDfpnChild *child)
{
    return !(node->or_node ? child->disproof : child->proof);
}

/* Decides a node: for the side to move, or against it. */
static inline void kn_dfpn_decide(KnDfpnNode *node, bool wins, int move, const void *payload)
{
    bool proved = node->or_node == wins;
    node->proof = proved ? 0 : KN_DFPN_INFINITE;
    node->disproof = proved ? KN_DFPN_INFINITE : 0;
    node->move = move;
    node->payload = payload;
}

#endif
