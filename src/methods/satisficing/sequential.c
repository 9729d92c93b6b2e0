#include "methods/satisficing/sequential.h"

#include <string.h>

#include "base/assert.h"

KnDecisionChain kn_problem_chain(int states, double small, double large)
{
    KN_ASSERT(states > 0 && states <= KN_PROBLEM_STATES);
    KnDecisionChain problem = {.states = states, .actions = 2, .discount = 1, .steps = states};
    for (int s = 0; s < states; s++) {
        bool last = s + 1 == states;
        problem.next[s][0] = KN_PROBLEM_END;
        problem.rewards[s][0] = small;
        problem.next[s][1] = last ? KN_PROBLEM_END : s + 1;
        problem.rewards[s][1] = last ? large : 0;
    }
    return problem;
}

/* By values backwards, one step at a time. */
double kn_problem_best(const KnDecisionChain *problem)
{
    KN_ASSERT(problem->states > 0 && problem->states <= KN_PROBLEM_STATES && problem->actions > 0);
    double values[KN_PROBLEM_STATES] = {0}, before[KN_PROBLEM_STATES];
    for (int step = 0; step < problem->steps; step++) {
        memcpy(before, values, sizeof before);
        for (int s = 0; s < problem->states; s++)
            for (int a = 0; a < problem->actions; a++) {
                int next = problem->next[s][a];
                double value = problem->rewards[s][a] +
                               (next == KN_PROBLEM_END ? 0 : problem->discount * before[next]);
                if (!a || value > values[s]) values[s] = value;
            }
    }
    return values[0];
}

/* Section 5, further work: decisions in sequence. */
double kn_problem_episode(const KnDecisionChain *problem, KnSatisficer *agents, KnRng *rng, bool *settled)
{
    int chosen[KN_PROBLEM_STATES], visits[KN_PROBLEM_STATES],
        count = 0; /* states in the order of their first visits */
    double got[KN_PROBLEM_STATES],
        weight[KN_PROBLEM_STATES]; /* by the return so far and the discount at that time */
    KN_ASSERT(problem->states <= KN_PROBLEM_STATES && problem->actions <= KN_SATISFICER_ACTIONS);
    memset(chosen, -1, sizeof chosen);
    double total = 0, discount = 1;
    for (int state = 0, step = 0; state != KN_PROBLEM_END && step < problem->steps;
         step++, discount *= problem->discount) {
        if (chosen[state] < 0) {
            chosen[state] = kn_satisficer_choose(&agents[state], rng);
            visits[count++] = state;
            KN_ASSERT(count <= problem->states);
            got[state] = total;
            weight[state] = discount;
        }
        total += discount * problem->rewards[state][chosen[state]];
        state = problem->next[state][chosen[state]];
    }
    *settled = true;
    for (int i = 0; i < count; i++) {
        int state = visits[i];
        double later = weight[state] > 0 ? (total - got[state]) / weight[state] : 0;
        kn_satisficer_earn(&agents[state], chosen[state], later);
        *settled &= agents[state].satisfied && agents[state].tremble <= 0;
    }
    return total;
}
