/* The delete relaxation of planning, on the propnet: how far is a goal value from a state?
 *
 * Everything that was ever possible stays possible: a fact may be both true and false from the first step on
 * at which it may change. A literal (a node of the propnet with a value) gets the number of the first step at
 * which it is possible; the steps until the end of the game with the goal value are possible together are
 * h_max (Bonet and Geffner 2001). No game gets there sooner, by construction: the literals that hold after t
 * steps of a real game all have numbers of at most t. Recursive sentences count as possible either way, which
 * is weaker but no less sound.
 *
 * The moves of a relaxed plan (Hoffmann and Nebel 2001: FF) are usually a better guess of the distance, and
 * no bound of it.
 *
 * Ownership: kn_gdl_relaxed_new / kn_gdl_relaxed_free; the machine must outlive it. One thread at a time. */
#ifndef KNACK_GAMES_GDL_RELAXED_H
#define KNACK_GAMES_GDL_RELAXED_H

#include "games/gdl/machine.h"

typedef struct KnGdlRelaxed KnGdlRelaxed;

enum { KN_GDL_NEVER = UINT16_MAX - 1 }; /* the goal value cannot be reached */

/* For a goal value of a role. NULL, with the error filled: the prover answers, or memory runs out. */
KnGdlRelaxed *kn_gdl_relaxed_new(KnGdlMachine *machine, int role, int value, KnError *error);
void kn_gdl_relaxed_free(KnGdlRelaxed *relaxed);

/* Aims at another goal value. */
void kn_gdl_relaxed_aim(KnGdlRelaxed *relaxed, int role, int value);

/* Leaves those of the facts (bits of a state) that are step counters for sure: what they become depends on
 * nothing but them. */
void kn_gdl_relaxed_clocks(KnGdlRelaxed *relaxed, uint64_t *facts);

/* From now on these facts (bits of a state) may be true or false in every state that is given; NULL: none.
 * Returns whether nothing else depends on them, but for the end of the game and its goals. */
bool kn_gdl_relaxed_unknown(KnGdlRelaxed *relaxed, const uint64_t *facts);

/* A lower bound of the steps to the goal value; KN_GDL_NEVER. */
unsigned kn_gdl_relaxed_bound(KnGdlRelaxed *relaxed, const uint64_t *state);

/* A guess of the steps: the moves of a relaxed plan, each once a step; KN_GDL_NEVER. No bound. */
unsigned kn_gdl_relaxed_plan(KnGdlRelaxed *relaxed, const uint64_t *state);

/* Of the state given last: whether the game may go on there, which is a question only where facts are
 * unknown. */
bool kn_gdl_relaxed_may_go_on(const KnGdlRelaxed *relaxed);

#endif
