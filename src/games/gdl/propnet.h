/* A propositional network (propnet; Schkufza, Love & Genesereth 2008; Cox et al. 2009): for a state and a
 * joint move it computes everything that the rules say.
 *
 * A node is a fact of the state, a move of a role, or a component: an AND of other nodes, each plain or
 * inverted. (An OR is an inverted AND of inverted nodes.) Equal components are one node (structural hashing).
 * Nodes are in topological order: the inputs of a component have smaller numbers.
 *
 * Rules that recurse within one state (a chain of stones, a path) make cycles; their meaning is the least
 * fixed point. The sentences of a cycle are LOOP nodes of a block. A block has ways: each makes one of its
 * nodes true if one wire from outside and some nodes of the block are true.
 *
 * Moves of different roles are different nodes. The propnet assumes one legal move for each role: components
 * do not test again what `legal` has tested.
 *
 * Ownership: kn_propnet_free; read-only once built. */
#ifndef KNACK_GAMES_GDL_PROPNET_H
#define KNACK_GAMES_GDL_PROPNET_H

#include "games/gdl/derive.h"

/* A node, plain or inverted: 2 * node + inverted. Node 0 is always false. */
typedef uint32_t KnPropnetWire;
enum { KN_WIRE_FALSE = 0, KN_WIRE_TRUE = 1 };

typedef enum KnGdlNodeKind {
    KN_NODE_FALSE,
    KN_NODE_FACT,
    KN_NODE_MOVE,
    KN_NODE_AND,
    KN_NODE_LOOP
} KnGdlNodeKind;

typedef struct KnPropnetNode {
    KnGdlNodeKind kind;
    uint32_t first; /* FACT, MOVE: its number; AND: its first wire; LOOP: its block */
    uint32_t count; /* AND: number of wires */
    uint32_t next;  /* in the same bucket */
} KnPropnetNode;

/* One way to make `node` true. */
typedef struct KnPropnetWay {
    uint32_t node;
    KnPropnetWire outside;
    uint32_t first, count; /* its nodes of the block, among the propnet's wires (plain) */
} KnPropnetWay;

typedef struct KnPropnetBlock {
    uint32_t first_node, node_count;
    uint32_t first_way, way_count;
} KnPropnetBlock;

/* A move of a role. Moves of a role are adjacent, in the order of their terms. */
typedef struct KnPropnetAction {
    KnTerm move; /* a term of the derivation */
    KnPropnetWire legal;
    uint32_t number; /* number of the move across roles */
} KnPropnetAction;

typedef struct KnPropnetGoal {
    int value; /* -1: not a number from 0 to 100 */
    KnPropnetWire wire;
} KnPropnetGoal;

typedef struct KnPropnet {
    KnPropnetNode *nodes;
    uint32_t count, capacity;
    KnPropnetWire *wires;
    uint32_t wire_count, wire_capacity;
    uint32_t *buckets;
    uint32_t mask;
    uint32_t limit;    /* limit on nodes and on wires */
    bool failed, full; /* nothing could be added: full, or else without memory */

    KnPropnetBlock *blocks;
    uint32_t block_count, block_capacity;
    KnPropnetWay *ways;
    uint32_t way_count, way_capacity;

    KnTerm *facts; /* in the order of their terms; fact f is node 1 + f */
    bool *start;
    KnPropnetWire *next;
    uint32_t fact_count;
    KnPropnetAction *actions; /* action a is node 1 + fact_count + a */
    uint32_t first_action[KN_GDL_ROLES + 1];
    uint32_t action_count;
    KnPropnetGoal *goals;
    uint32_t first_goal[KN_GDL_ROLES + 1];
    KnPropnetWire terminal;
    int roles;
} KnPropnet;

static inline KnPropnetWire kn_propnet_fact(uint32_t number) { return 2 * (1 + number); }
static inline KnPropnetWire kn_propnet_move(const KnPropnet *net, uint32_t action)
{
    return 2 * (1 + net->fact_count + action);
}

/* Components. The call may reorder the given wires. Returns 0 and sets `failed` if there is no room. */
KnPropnetWire kn_propnet_and(KnPropnet *net, KnPropnetWire *wires, uint32_t count);
KnPropnetWire kn_propnet_or(KnPropnet *net, KnPropnetWire *wires, uint32_t count);
uint32_t kn_propnet_node(KnPropnet *net, KnGdlNodeKind kind, uint32_t first,
                         uint32_t count); /* a new node; 0 on failure */
bool kn_propnet_add_wires(KnPropnet *net, const KnPropnetWire *wires, uint32_t count, uint32_t *first);

bool kn_propnet_init(KnPropnet *net, uint32_t limit);
void kn_propnet_free(KnPropnet *net);

/* Builds the propnet of a derivation (propnet_build.c). KN_NO: it exceeds the limit. */
KnStatus kn_propnet_build(const KnGdlDescription *description, const KnGdlDerived *derived, uint32_t limit,
                          KnPropnet *net, KnError *error);

/* Removes nodes that no answer uses, and merges small components into their only user (propnet_trim.c). */
KnStatus kn_propnet_trim(KnPropnet *net, KnError *error);

#endif
