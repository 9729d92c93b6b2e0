/* A network evaluated by what changes: a fact or move that turns flows on to the gates that it turns, and no
 * further.
 *
 * Every gate counts those of its inputs that stand against it; it is true when there are none. Gates that
 * turn are dealt with in the order of their numbers, so that each is looked at once. From one state to the
 * next little changes, so little is done.
 *
 * Where the network is small enough for it to pay, its code (code.h) computes all gates instead; answers are
 * the same.
 *
 * A KnGdlFlow is the network laid out for this, read-only and shared; a KnGdlRun holds the values of one
 * evaluation, for one thread at a time, and remembers where it was.
 *
 * Ownership: kn_gdl_flow_new / kn_gdl_flow_free (the net is borrowed and must outlive it); kn_gdl_run_new /
 * kn_gdl_run_free. */
#ifndef KNACK_GAMES_GDL_FLOW_H
#define KNACK_GAMES_GDL_FLOW_H

#include "games/gdl/net.h"

typedef struct KnGdlFlow KnGdlFlow;

/* Answers are bits: where each kind begins, in words of 64. Those of a role's legal moves follow its actions.
 */
typedef struct KnGdlAnswers {
    uint32_t terminal; /* one bit */
    uint32_t goals[KN_GDL_ROLES];
    uint32_t legal[KN_GDL_ROLES];
    uint32_t legal_words[KN_GDL_ROLES];
    uint32_t next, next_words;
    uint32_t words; /* in all */
} KnGdlAnswers;

typedef struct KnGdlRun {
    const KnGdlFlow *flow;
    uint64_t *answers;
    uint64_t *state;              /* that the values are for */
    uint64_t *ahead;              /* room for the one that comes next */
    uint32_t joint[KN_GDL_ROLES]; /* actions set, UINT32_MAX: none */
    bool moved;
    uint32_t *counters; /* by node: inputs that stand against it */
    uint64_t *dirty, *dirty_words;
    bool *loops;              /* by LOOP node: whether it is true */
    bool *ways;               /* by way: whether its gate from outside is */
    uint32_t *queue;          /* of a block */
    uint32_t *missing;        /* by way, while its block is evaluated */
    uint64_t turned, touched; /* nodes, and what heard of it, in all */
    uint8_t *bytes; /* values for the network's code, where it has one: then it is used, and the counters are
                       not */
} KnGdlRun;

KnGdlFlow *kn_gdl_flow_new(const KnGdlNet *net,
                           bool code);         /* NULL if memory runs out; `code`: it may be used */
bool kn_gdl_flow_coded(const KnGdlFlow *flow); /* whether it is */
void kn_gdl_flow_free(KnGdlFlow *flow);
const KnGdlAnswers *kn_gdl_flow_answers(const KnGdlFlow *flow);
uint32_t kn_gdl_state_words(const KnGdlNet *net);

KnGdlRun *kn_gdl_run_new(const KnGdlFlow *flow); /* in the state without facts; NULL if memory runs out */
void kn_gdl_run_free(KnGdlRun *run);

/* After this the answers about the state (all but next) are right. The state must not lie among the run's
 * answers. */
void kn_gdl_run_state(KnGdlRun *run, const uint64_t *state);

/* Actions, one for each role, in the state set last; after this the answers of next are right. */
void kn_gdl_run_moves(KnGdlRun *run, const uint32_t *actions);

/* On to the state after the moves set last. */
void kn_gdl_run_advance(KnGdlRun *run);

/* The goal value of a role in the state set last; -1 where there is none, several, or no number from 0 to
 * 100. */
int kn_gdl_run_goal(const KnGdlNet *net, const KnGdlAnswers *answers, const KnGdlRun *run, int role);

#endif
