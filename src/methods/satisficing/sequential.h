/* Satisficing in sequential decision problems: an agent of its own in every state.
 *
 * The paper's agent decides once and is paid immediately; the paper calls for an extension to decisions in
 * sequence. Here each state of a finite problem has a satisficer. In an episode, the satisficer of a state
 * decides at its first visit and stays with that; at the end it earns the return: the rewards from that visit
 * to the end, discounted. Aspirations thus are hopes for the return from here on, and nobody knows the
 * transitions, the rewards, or that there are others.
 *
 * Transitions are certain, so that play is settled once everybody on the way is satisfied: nothing then
 * changes any more.
 *
 * Ownership: a problem's tables are the caller's; kn_problem_chain fills tables given to it. */
#ifndef KNACK_METHODS_SATISFICING_SEQUENTIAL_H
#define KNACK_METHODS_SATISFICING_SEQUENTIAL_H

#include <stdint.h>

#include "methods/satisficing/agent.h"

enum { KN_PROBLEM_STATES = 64, KN_PROBLEM_END = -1 };

typedef struct KnDecisionChain {
    int states, actions;                                /* episodes begin in state 0 */
    int next[KN_PROBLEM_STATES][KN_SATISFICER_ACTIONS]; /* state, or KN_PROBLEM_END */
    double rewards[KN_PROBLEM_STATES][KN_SATISFICER_ACTIONS];
    double discount; /* of a reward one step later; 1: none */
    int steps;       /* after which an episode ends in any case */
} KnDecisionChain;

/* A corridor: in each state one may stop (action 0), which pays `small`, or go on (action 1); going on from
 * the last state pays `large`, nothing before. To earn it, all states must go on at the same time. */
KnDecisionChain kn_problem_chain(int states, double small, double large);

/* The return of the best way to act from state 0. */
double kn_problem_best(const KnDecisionChain *problem);

/* Plays one episode with the agents (one a state), which learn from it. Returns the return from state 0;
 * Sets *settled if every agent on the way was satisfied. */
double kn_problem_episode(const KnDecisionChain *problem, KnSatisficer *agents, KnRng *rng, bool *settled);

#endif
