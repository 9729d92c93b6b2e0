#include "methods/satisficing/agent.h"
#include "base/assert.h"

KnSatisficer kn_satisficer(double lambda, double aspiration, int action, int actions)
{
    KN_ASSERT(actions > 0 && actions <= KN_SATISFICER_ACTIONS && action >= 0 && action < actions);
    return (KnSatisficer){
        .lambda = lambda, .aspiration = aspiration, .action = action, .actions = actions, .satisfied = true};
}

/* The satisficing search. It stops at the first action that is good enough, or not known to be bad: it never
 * compares more than it must, which is the point of satisficing. */
static int search(const KnSatisficer *agent, KnRng *rng)
{
    KN_ASSERT(agent->actions > 0 && agent->action >= 0 && agent->action < agent->actions);
    int next = (agent->action + 1) % agent->actions, best = -1;
    if (agent->actions <= 2) return next;
    if (agent->search == KN_SEARCH_RANDOM)
        return (agent->action + 1 + (int)kn_rng_below(rng, (uint32_t)agent->actions - 1)) % agent->actions;
    if (agent->search == KN_SEARCH_NEXT) return next;
    for (int i = 1; i < agent->actions; i++) {
        int action = (agent->action + i) % agent->actions;
        if (!(agent->tried >> action & 1)) return action;
        if (best < 0 || agent->paid[action] > agent->paid[best]) best = action;
    }
    return kn_satisfied(agent->aspiration, agent->paid[best]) ? best : next;
}

int kn_satisficer_choose(KnSatisficer *agent, KnRng *rng)
{
    KN_ASSERT(agent->tremble >= 0 && agent->tremble <= 1);
    if (!agent->satisfied) agent->action = search(agent, rng);
    agent->satisfied = true; /* with the new action, until it pays */
    agent->trembled = agent->tremble > 0 && kn_rng_real(rng) < agent->tremble;
    if (agent->trembled) agent->aspiration += agent->shift * (2 * kn_rng_real(rng) - 1);
    return agent->action;
}

void kn_satisficer_earn(KnSatisficer *agent, int action, double payoff)
{
    KN_ASSERT(action >= 0 && action < agent->actions && agent->actions <= KN_SATISFICER_ACTIONS);
    agent->action = action;
    agent->tried |= 1u << action;
    agent->paid[action] = agent->last = payoff;
    agent->aspired = agent->aspiration;
    agent->satisfied = kn_satisfied(agent->aspiration, payoff);
    agent->aspiration = kn_update_aspiration(agent->aspiration, agent->lambda, payoff);
}
