/* Strategies that learn during a match and start afresh in the next one. */
#include "players/dilemma/tables.h"

#include <math.h>
#include <stdlib.h>

/* v: the values of C and D in the first round, and after each outcome (Q-learning, Watkins 1989). */
static double q_learning(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    double rate = agent->parameters[0], discount = agent->parameters[1], explore = agent->parameters[2];
    bool remembers = agent->parameters[3] > 0;
    if (history->turn == 0)
        for (int i = 0; i < 10; i++) v[i] = agent->parameters[4];
    int here = history->turn && remembers ? 1 + kn_outcome((int)history->own & 1, (int)history->opponent & 1)
                                          : 0;
    if (history->turn) {
        int before = history->turn > 1 && remembers
                         ? 1 + kn_outcome((int)history->own >> 1 & 1, (int)history->opponent >> 1 & 1)
                         : 0;
        double paid = history->payoffs->own[kn_outcome((int)history->own & 1, (int)history->opponent & 1)];
        double *value = &v[before * 2 + (int)(history->own & 1)];
        *value += rate * (paid + discount * fmax(v[here * 2], v[here * 2 + 1]) - *value);
    }
    double c = v[here * 2], d = v[here * 2 + 1], greedy = c > d ? 1 : c < d ? 0 : 0.5;
    return (1 - explore) * greedy + explore / 2;
}

/* The largest distance of a payoff from the aspiration. */
static double farthest(const KnRoundPayoffs *payoffs, double aspiration)
{
    double most = 1e-12;
    for (int i = 0; i < 4; i++) most = fmax(most, fabs(payoffs->own[i] - aspiration));
    return most;
}

/* v: probability of C, aspiration. A move becomes more likely if it paid more than the aspiration, less
 * likely if it paid less (Bush & Mosteller 1955; Macy & Flache 2002). */
static double bush_mosteller(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    double rate = agent->parameters[1], habit = agent->parameters[2];
    if (history->turn == 0) {
        v[0] = agent->parameters[3];
        v[1] = agent->parameters[0];
        return v[0];
    }
    int own = (int)history->own & 1;
    double paid = history->payoffs->own[kn_outcome(own, (int)history->opponent & 1)];
    double stimulus = rate * (paid - v[1]) / farthest(history->payoffs, v[1]);
    double done = own == KN_C ? v[0] : 1 - v[0];
    done += stimulus >= 0 ? (1 - done) * stimulus : done * stimulus;
    v[0] = own == KN_C ? done : 1 - done;
    v[1] += habit * (paid - v[1]);
    return v[0];
}

/* v: aspiration. Repeats a move that paid at least the aspiration; else changes it, with a probability in
 * proportion to the shortfall. */
static double aspiring(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    double persistence = agent->parameters[1], habit = agent->parameters[2];
    if (history->turn == 0) {
        v[0] = agent->parameters[0];
        return agent->parameters[3];
    }
    int own = (int)history->own & 1;
    double paid = history->payoffs->own[kn_outcome(own, (int)history->opponent & 1)], missed = v[0] - paid,
           change = 0;
    if (missed > 0) change = (1 - persistence) * missed / farthest(history->payoffs, v[0]);
    v[0] += habit * (paid - v[0]);
    return own == KN_C ? 1 - change : change;
}

static const KnOption q_options[] = {
    {"rate", KN_OPTION_REAL, "0.2", 0, 1, NULL, "how far a value moves towards what was learned"},
    {"discount", KN_OPTION_REAL, "0.9", 0, 1, NULL, "weight of what comes after"},
    {"explore", KN_OPTION_REAL, "0.1", 0, 1, NULL, "how often it tries any move"},
    {"memory", KN_OPTION_INTEGER, "1", 0, 1, NULL, "rounds that its values depend on"},
    {"initial", KN_OPTION_REAL, "0", -1e6, 1e6, NULL, "values before anything is learned"},
    {0}};
static const KnOption bush_options[] = {
    {"aspiration", KN_OPTION_REAL, "2", -1e6, 1e6, NULL, "the payoff that neither pleases nor hurts"},
    {"rate", KN_OPTION_REAL, "0.5", 0, 1, NULL, "how far the strongest stimulus moves the chance of a move"},
    {"habit", KN_OPTION_REAL, "0", 0, 1, NULL, "how far the aspiration moves towards each payoff"},
    {"first", KN_OPTION_REAL, "0.5", 0, 1, NULL, "chance of C on the first turn"},
    {0}};
static const KnOption aspiring_options[] = {
    {"aspiration", KN_OPTION_REAL, "2", -1e6, 1e6, NULL, "the payoff it is content with, at first"},
    {"persistence", KN_OPTION_REAL, "0.1", 0, 1, NULL,
     "how often it repeats its move although that paid the least"},
    {"habit", KN_OPTION_REAL, "0.05", 0, 1, NULL, "how far the aspiration moves towards each payoff"},
    {"first", KN_OPTION_REAL, "0.5", 0, 1, NULL, "chance of C on the first turn"},
    {0}};

const KnStrategy kn_strategies_learning[] = {
    {.player = KN_STRATEGY_PLAYER(
         "QLearning", "Q-learning of each move's value after each outcome, with epsilon-greedy play",
         q_options),
     .decide = q_learning,
     .values = "C D C-after-CC D-after-CC C-after-CD D-after-CD C-after-DC D-after-DC C-after-DD D-after-DD"},
    {.player = KN_STRATEGY_PLAYER(
         "BushMosteller",
         "repeats moves more often that paid more than its aspiration (Bush & Mosteller 1955)", bush_options),
     .decide = bush_mosteller,
     .values = "chance aspiration"},
    {.player = KN_STRATEGY_PLAYER("Aspiring", "repeats a move that paid its aspiration, else tends to change",
                                  aspiring_options),
     .decide = aspiring,
     .values = "aspiration"},
    KN_STRATEGIES_END};
