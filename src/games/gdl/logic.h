/* Three-valued reasoning on a propnet: what follows from assumptions about a state and a joint move. Private
 * to games/gdl.
 *
 * A node is unknown, true or false. An assumption propagates through components in both directions (unit
 * propagation). Further constraints are groups of nodes of which at most or exactly one is true (a role's
 * moves; proved sets of exclusive facts), and the legality of moves made. Refutation shows that assumptions
 * contradict each other; it tries alternatives to a small depth. Answers are sound but incomplete. Recursive
 * nodes (KN_NODE_LOOP) count as unknown.
 *
 * Ownership: kn_gdl_logic_new / kn_gdl_logic_free; the propnet is borrowed. One thread at a time. */
#ifndef KNACK_GAMES_GDL_LOGIC_H
#define KNACK_GAMES_GDL_LOGIC_H

#include "games/gdl/propnet.h"

typedef struct KnGdlLogic KnGdlLogic;

/* With the constraints on moves; NULL if memory runs out. */
KnGdlLogic *kn_gdl_logic_new(const KnPropnet *net);

void kn_gdl_logic_free(KnGdlLogic *logic);

/* Adds a group of nodes (copied); its number, or -1 if memory runs out. A group can be deactivated. */
int kn_gdl_logic_group(KnGdlLogic *logic, const uint32_t *nodes, uint32_t count, bool exact);
void kn_gdl_logic_set_group(KnGdlLogic *logic, int group, bool active, bool exact);

/* Assumes that a wire is true, besides earlier assumptions; false on contradiction. */
bool kn_gdl_logic_assume(KnGdlLogic *logic, KnPropnetWire wire);
/* How many assignments there are now, and back to so many: takes back the assumptions since then. */
uint32_t kn_gdl_logic_mark(const KnGdlLogic *logic);
void kn_gdl_logic_back(KnGdlLogic *logic, uint32_t mark);
/* Takes back all assumptions. */
void kn_gdl_logic_clear(KnGdlLogic *logic);
/* 1: the wire must be true, -1: it must be false, 0: unknown. */
int kn_gdl_logic_value(const KnGdlLogic *logic, KnPropnetWire wire);

/* Whether these wires are never true together. Retracts all assumptions. */
bool kn_gdl_logic_refute(KnGdlLogic *logic, const KnPropnetWire *wires, uint32_t count);

/* Number of nodes visited so far, to bound the work. */
uint64_t kn_gdl_logic_work(const KnGdlLogic *logic);

#endif
