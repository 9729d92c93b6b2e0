/* The reasoner that computes: a sheet grounded into a network of gates, and values of it at hand for every
 * thread.
 *
 * States are sets of facts by number, in the order of their terms; actions are a role's moves in that order.
 * There is nothing that a question can fail on but memory for one more set of values.
 *
 * Ownership: kn_gdl_fast_new / kn_gdl_fast_free; the sheet is borrowed. */
#ifndef KNACK_GAMES_GDL_FAST_H
#define KNACK_GAMES_GDL_FAST_H

#include "games/gdl/flow.h"
#include "games/gdl/lanes.h"
#include "games/gdl/machine.h"
#include "games/gdl/numbers.h"

/* What grounding took and gave. */
typedef struct KnGdlFastInfo {
    bool declared; /* base and input of the sheet were believed */
    uint32_t facts, actions;
    uint32_t sentences;           /* that could ever hold */
    uint32_t instances;           /* ground rules */
    uint32_t gates, wires, depth; /* of the network that is left */
    uint32_t loops;               /* sentences that support each other in circles */
    uint64_t steps;
    double seconds;
} KnGdlFastInfo;

/* Bounds on grounding; 0: the default. */
typedef struct KnGdlFastLimits {
    uint64_t steps;
    bool cut;                  /* every rule that can be */
    bool plain;                /* without machine code (code.h) */
    const atomic_bool *cancel; /* may be NULL; set: KN_STOPPED */
} KnGdlFastLimits;

/* KN_NO: it cannot be done within the bounds; the error says why. Facts and moves get their numbers. */
KnStatus kn_gdl_fast_new(const KnGdlSheet *sheet, const KnGdlFastLimits *limits, KnGdlFast **fast,
                         KnError *error);
void kn_gdl_fast_free(KnGdlFast *fast);

/* Numbers for its facts (the same as its own) and moves. To be called once, before questions are asked. */
KnStatus kn_gdl_fast_number(KnGdlFast *fast, KnGdlNumbers *numbers, KnError *error);

const KnGdlFastInfo *kn_gdl_fast_info(const KnGdlFast *fast);
const KnGdlNet *kn_gdl_fast_net(const KnGdlFast *fast);
const KnGdlFlow *kn_gdl_fast_flow(const KnGdlFast *fast);
const KnGdlLanes *kn_gdl_fast_lanes(KnGdlFast *fast); /* NULL if they cannot be had */

/* The most moves that a role can have in a state, but no more than `limit`: a state with more fails. */
uint32_t kn_gdl_fast_most_moves(KnGdlFast *fast, uint32_t limit);

/* As in machine.h. */
void kn_gdl_fast_start(const KnGdlFast *fast, uint64_t *state);
KnStatus kn_gdl_fast_terminal(KnGdlFast *fast, const uint64_t *state, bool *terminal, KnError *error);
KnStatus kn_gdl_fast_legal(KnGdlFast *fast, const uint64_t *state, int role, uint64_t *moves, int *count,
                           KnError *error);
KnStatus kn_gdl_fast_next(KnGdlFast *fast, const uint64_t *state, const uint64_t *joint, uint64_t *after,
                          KnError *error);
KnStatus kn_gdl_fast_goal(KnGdlFast *fast, const uint64_t *state, int role, int *value, KnError *error);
KnStatus kn_gdl_fast_open(KnGdlFast *fast, const uint64_t *state, bool *open, KnError *error);

#endif
