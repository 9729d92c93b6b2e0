/* What must be, given what is assumed of a state and a joint move: reasoning on the network of a sheet.
 * Private to games/gdl.
 *
 * Values of nodes are unknown, true or false. Assuming something sets off all that follows directly, forwards
 * and backwards through gates: what a gate's inputs say of it, and what it says of them. Besides gates there
 * are groups of nodes of which at most, or exactly, one is true (the moves of a role; sets of facts that have
 * been proved to be so), and that moves made are legal. To refute is to show that assumptions cannot hold
 * together, trying alternatives up to a small depth. Everything said here is sure; what is not found out may
 * still be so. Sentences that support each other in circles are taken as unknown.
 *
 * Ownership: kn_gdl_logic_new / kn_gdl_logic_free; the net is borrowed. One thread at a time. */
#ifndef KNACK_GAMES_GDL_LOGIC_H
#define KNACK_GAMES_GDL_LOGIC_H

#include "games/gdl/net.h"

typedef struct KnGdlLogic KnGdlLogic;

KnGdlLogic *kn_gdl_logic_new(const KnGdlNet *net); /* knows of moves; NULL if memory runs out */
void kn_gdl_logic_free(KnGdlLogic *logic);

/* A group of nodes (copied); -1 if memory runs out, else its number. A group can be put out of force. */
int kn_gdl_logic_group(KnGdlLogic *logic, const uint32_t *nodes, uint32_t count, bool exact);
void kn_gdl_logic_set_group(KnGdlLogic *logic, int group, bool active, bool exact);

/* Assumes a wire to be true, on top of what has been assumed; false if that cannot be. */
bool kn_gdl_logic_assume(KnGdlLogic *logic, KnWire wire);
/* Takes back all assumptions. */
void kn_gdl_logic_clear(KnGdlLogic *logic);
/* 1: the wire must be true, -1: it must be false, 0: unknown. */
int kn_gdl_logic_value(const KnGdlLogic *logic, KnWire wire);

/* Whether these wires can never be true together. Takes back all assumptions. */
bool kn_gdl_logic_refute(KnGdlLogic *logic, const KnWire *wires, uint32_t count);

/* Nodes looked at so far: to bound work by. */
uint64_t kn_gdl_logic_work(const KnGdlLogic *logic);

#endif
