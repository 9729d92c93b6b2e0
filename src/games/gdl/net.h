/* A rule sheet as a network of gates: for a state and a joint move, everything that the rules say.
 *
 * A node is a fact of the state, a move of a role, or a gate: an AND of other nodes, each as it is or
 * inverted. (An OR is an inverted AND of inverted nodes.) Equal gates are one node. Nodes are numbered so
 * that what a gate uses has smaller numbers.
 *
 * Rules that recurse through the state without going round in one (a chain of stones, a path) make loops of
 * sentences that support each other; what holds is the least that follows. Such sentences are nodes of their
 * own kind, gathered in blocks: a block has ways, each of which makes one of its nodes true when one gate
 * from outside and some nodes of the block are.
 *
 * Moves of different roles are different nodes. It is taken for granted that moves are legal, and one for
 * each role: gates do not ask again what the rules of `legal` have asked.
 *
 * Ownership: kn_gdl_net_free; read-only once made. */
#ifndef KNACK_GAMES_GDL_NET_H
#define KNACK_GAMES_GDL_NET_H

#include "games/gdl/derive.h"

/* A node as it is or inverted: 2 * node + inverted. Node 0 is never true. */
typedef uint32_t KnWire;
enum { KN_WIRE_FALSE = 0, KN_WIRE_TRUE = 1 };

typedef enum KnGdlNodeKind {
    KN_NODE_FALSE,
    KN_NODE_FACT,
    KN_NODE_MOVE,
    KN_NODE_AND,
    KN_NODE_LOOP
} KnGdlNodeKind;

typedef struct KnNetNode {
    KnGdlNodeKind kind;
    uint32_t first; /* FACT, MOVE: its number; AND: where its wires begin; LOOP: its block */
    uint32_t count; /* AND: wires */
    uint32_t next;  /* in the same bucket */
} KnNetNode;

/* One way for `node` to be true. */
typedef struct KnNetWay {
    uint32_t node;
    KnWire outside;
    uint32_t first, count; /* of its nodes within the block, in the net's wires (plain) */
} KnNetWay;

typedef struct KnNetBlock {
    uint32_t first_node, node_count;
    uint32_t first_way, way_count;
} KnNetBlock;

/* A move of a role; those of a role stand together, in the order of their terms. */
typedef struct KnNetAction {
    KnTerm move; /* of the derivation's terms */
    KnWire legal;
    uint32_t number; /* for whoever numbers moves across roles */
} KnNetAction;

typedef struct KnNetGoal {
    int value; /* -1: no number from 0 to 100 */
    KnWire wire;
} KnNetGoal;

typedef struct KnGdlNet {
    KnNetNode *nodes;
    uint32_t count, capacity;
    KnWire *wires;
    uint32_t wire_count, wire_capacity;
    uint32_t *buckets;
    uint32_t mask;
    uint32_t limit; /* of nodes and of wires */
    bool failed;

    KnNetBlock *blocks;
    uint32_t block_count, block_capacity;
    KnNetWay *ways;
    uint32_t way_count, way_capacity;

    KnTerm *facts; /* in the order of their terms; node 1 + number */
    bool *start;
    KnWire *next;
    uint32_t fact_count;
    KnNetAction *actions; /* node 1 + fact_count + number */
    uint32_t first_action[KN_GDL_ROLES + 1];
    uint32_t action_count;
    KnNetGoal *goals;
    uint32_t first_goal[KN_GDL_ROLES + 1];
    KnWire terminal;
    int roles;
} KnGdlNet;

static inline KnWire kn_net_fact(uint32_t number) { return 2 * (1 + number); }
static inline KnWire kn_net_move(const KnGdlNet *net, uint32_t action)
{
    return 2 * (1 + net->fact_count + action);
}

/* Gates. The wires given may be reordered. 0 with `failed` set when there is no more room. */
KnWire kn_net_and(KnGdlNet *net, KnWire *wires, uint32_t count);
KnWire kn_net_or(KnGdlNet *net, KnWire *wires, uint32_t count);
uint32_t kn_net_node(KnGdlNet *net, KnGdlNodeKind kind, uint32_t first,
                     uint32_t count); /* a new one; 0 on failure */
bool kn_net_add_wires(KnGdlNet *net, const KnWire *wires, uint32_t count, uint32_t *first);

bool kn_net_init(KnGdlNet *net, uint32_t limit);
void kn_gdl_net_free(KnGdlNet *net);

/* The network of a derived sheet (net_build.c). KN_NO: larger than the limit. */
KnStatus kn_gdl_net_build(const KnGdlSheet *sheet, const KnGdlDerived *derived, uint32_t limit, KnGdlNet *net,
                          KnError *error);

/* The same network without what no answer uses, small gates merged into the only ones that use them
 * (net_trim.c). */
KnStatus kn_gdl_net_trim(KnGdlNet *net, KnError *error);

#endif
