/* The propnet reasoner: a grounded description, and a pool of evaluations for threads.
 *
 * States are sets of numbered facts, actions are numbered moves of a role, both in the order of their terms.
 * Questions cannot fail except for lack of memory.
 *
 * Ownership: kn_propnet_reasoner_new / kn_propnet_reasoner_free; the description is borrowed. */
#ifndef KNACK_GAMES_GDL_PROPNET_REASONER_H
#define KNACK_GAMES_GDL_PROPNET_REASONER_H

#include "games/gdl/propnet_differential.h"
#include "games/gdl/bitparallel.h"
#include "games/gdl/machine.h"
#include "games/gdl/numbers.h"

/* Statistics of grounding. */
typedef struct KnPropnetReasonerInfo {
    bool declared; /* base and input were trusted */
    uint32_t facts, actions;
    uint32_t sentences;           /* sentences that could ever hold */
    uint32_t instances;           /* ground rules */
    uint32_t gates, wires, depth; /* of the trimmed propnet */
    uint32_t loops;               /* recursive sentences */
    uint64_t steps;
    double seconds;
} KnPropnetReasonerInfo;

/* Limits of grounding; 0: the default. */
typedef struct KnPropnetReasonerLimits {
    uint64_t steps;
    bool split;                /* split every rule that can be split */
    bool demand;               /* derive only what is asked for, in any case */
    bool plain;                /* no machine code (propnet_code.h) */
    const atomic_bool *cancel; /* may be NULL; set: KN_STOPPED */
} KnPropnetReasonerLimits;

/* KN_NO: not possible within the limits; `error` says why. */
KnStatus kn_propnet_reasoner_new(const KnGdlDescription *description, const KnPropnetReasonerLimits *limits,
                                 KnPropnetReasoner **reasoner, KnError *error);
void kn_propnet_reasoner_free(KnPropnetReasoner *reasoner);

/* Registers its facts (with its own numbers) and moves. Call it once, before asking questions. */
KnStatus kn_propnet_reasoner_number(KnPropnetReasoner *reasoner, KnGdlNumbers *numbers, KnError *error);

const KnPropnetReasonerInfo *kn_propnet_reasoner_info(const KnPropnetReasoner *reasoner);
const KnPropnet *kn_propnet_reasoner_net(const KnPropnetReasoner *reasoner);
const KnPropnetDifferential *kn_propnet_reasoner_flow(const KnPropnetReasoner *reasoner);
const KnGdlBatch *kn_propnet_reasoner_batch(KnPropnetReasoner *reasoner); /* NULL if not available */

/* An evaluation from the pool, in any state; and back into it. */
KnStatus kn_propnet_reasoner_take(KnPropnetReasoner *reasoner, KnGdlRun **run, KnError *error);
void kn_propnet_reasoner_give_back(KnPropnetReasoner *reasoner, KnGdlRun *run);

/* The largest possible number of moves of a role in a state, at most `limit`: a state with more fails. Where
 * the start has more, the limit is 65536, unless it `holds`. */
uint32_t kn_propnet_reasoner_most_moves(KnPropnetReasoner *reasoner, uint32_t limit, bool holds);

/* As in machine.h. */
void kn_propnet_reasoner_start(const KnPropnetReasoner *reasoner, uint64_t *state);
KnStatus kn_propnet_reasoner_terminal(KnPropnetReasoner *reasoner, const uint64_t *state, bool *terminal,
                                      KnError *error);
KnStatus kn_propnet_reasoner_legal(KnPropnetReasoner *reasoner, const uint64_t *state, int role,
                                   uint64_t *moves, int *count, KnError *error);
KnStatus kn_propnet_reasoner_next(KnPropnetReasoner *reasoner, const uint64_t *state, const uint64_t *joint,
                                  uint64_t *after, KnError *error);
KnStatus kn_propnet_reasoner_goal(KnPropnetReasoner *reasoner, const uint64_t *state, int role, int *value,
                                  KnError *error);
KnStatus kn_propnet_reasoner_open(KnPropnetReasoner *reasoner, const uint64_t *state, bool *open,
                                  KnError *error);

#endif
