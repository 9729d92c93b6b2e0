/* Differential propagation: when a fact or move changes, only the components whose value changes are visited.
 *
 * Each component counts the inputs that contradict it, and is true when there are none. Components are
 * processed in topological order, so each is visited at most once. Successive states differ little, so little
 * work is done.
 *
 * Where the propnet is small enough, machine code (propnet_code.h) computes all components instead, with the
 * same answers.
 *
 * A KnPropnetDifferential is the propnet laid out for this; it is read-only and shared. A KnGdlRun holds the
 * values of one evaluation, for one thread at a time.
 *
 * Ownership: kn_propnet_differential_new / kn_propnet_differential_free (the propnet is borrowed and must
 * outlive it); kn_gdl_run_new / kn_gdl_run_free. */
#ifndef KNACK_GAMES_GDL_PROPNET_DIFFERENTIAL_H
#define KNACK_GAMES_GDL_PROPNET_DIFFERENTIAL_H

#include "games/gdl/propnet.h"

typedef struct KnPropnetDifferential KnPropnetDifferential;

/* Answers are bits; these are the first 64-bit words of each kind. A role's legal moves are in the order of
 * its actions. */
typedef struct KnGdlAnswers {
    uint32_t terminal; /* one bit */
    uint32_t goals[KN_GDL_ROLES];
    uint32_t legal[KN_GDL_ROLES];
    uint32_t legal_words[KN_GDL_ROLES];
    uint32_t next, next_words;
    uint32_t words; /* in all */
} KnGdlAnswers;

typedef struct KnGdlRun {
    const KnPropnetDifferential *differential;
    uint64_t *answers;
    uint64_t *state;              /* current state */
    uint64_t *ahead;              /* buffer for the next one */
    uint32_t joint[KN_GDL_ROLES]; /* current actions, UINT32_MAX: none */
    bool moved;
    uint32_t *counters; /* by node: contradicting inputs */
    uint64_t *dirty, *dirty_words;
    bool *loops;               /* by LOOP node: whether it is true */
    bool *ways;                /* by way: value of its wire from outside */
    uint32_t *queue;           /* work list of a block */
    uint32_t *missing;         /* by way, while its block is evaluated */
    uint64_t flipped, touched; /* statistics: nodes that changed, and visits */
    const struct KnPropnetJoint
        *joint_code; /* the moves set last, where they have code of their own; else NULL */
    uint8_t *bytes;  /* values for the machine code; if set, the counters are unused */
} KnGdlRun;

KnPropnetDifferential *
kn_propnet_differential_new(const KnPropnet *net,
                            bool code); /* NULL if memory runs out; `code`: machine code is allowed */
bool kn_propnet_differential_coded(const KnPropnetDifferential *differential); /* whether it is */
void kn_propnet_differential_free(KnPropnetDifferential *differential);
const KnGdlAnswers *kn_propnet_differential_answers(const KnPropnetDifferential *differential);
uint32_t kn_gdl_state_words(const KnPropnet *net);

KnGdlRun *kn_gdl_run_new(
    const KnPropnetDifferential *differential); /* starts in the empty state; NULL if memory runs out */
void kn_gdl_run_free(KnGdlRun *run);

/* Sets the state. All answers but next are valid after it. `state` must not point into the run's answers. */
void kn_gdl_run_state(KnGdlRun *run, const uint64_t *state);

/* Sets the actions, one for each role; the answers of next are valid after it. */
void kn_gdl_run_moves(KnGdlRun *run, const uint32_t *actions);

/* Advances to the state after the moves set last. */
void kn_gdl_run_advance(KnGdlRun *run);

/* The goal value of a role in the current state; -1 if there is none, several, or not a number from 0 to 100.
 */
int kn_gdl_run_goal(const KnPropnet *net, const KnGdlAnswers *answers, const KnGdlRun *run, int role);

#endif
