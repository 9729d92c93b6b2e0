/* Satisficing (Stimpson, Goodrich and Walters 2001, after Karandikar and others 1998): keep an action
 * while it pays at least the aspiration, try another when it does not, and let the aspiration follow the
 * payoffs.
 *
 * The files of this folder, by section of the paper:
 *   3         agent.c (the strategy), player.c (the player `satisfice`)
 *   4.1       outcome.c (convergence, proved), outcome_map.c (figures 4, 6, 7)
 *   4.2, 4.3  distribution.c (table 1), trials.c (figures 5 and 8, table 2)
 *   5         sequential.c (decisions in sequence)
 * Ours: proofs of where play ends instead of waiting (outcome.h), other searches than "the other action",
 * trembles.
 *
 * A satisficer knows its own actions by number and its own payoffs, nothing else: no game, no payoff
 * table, no opponents. Call kn_satisficer_choose and kn_satisficer_earn in turn. With two actions and
 * without trembles it is the paper's agent: dissatisfied means the other action.
 *
 * Ownership: a plain value. Random numbers come from the generator passed in, and only where they are
 * needed (a random search, trembles), so that the paper's agent leaves the generator alone. */
#ifndef KNACK_METHODS_SATISFICING_AGENT_H
#define KNACK_METHODS_SATISFICING_AGENT_H

#include <math.h>
#include <stdbool.h>

#include <knack/base.h>

enum { KN_SATISFICER_ACTIONS = 16 };

/* What a dissatisfied agent with more than two actions tries. */
typedef enum KnSatisficingSearch {
    KN_SEARCH_NEXT,    /* the next action in their order, round and round */
    KN_SEARCH_RANDOM,  /* any other, each as likely */
    KN_SEARCH_REMEMBER /* one never tried; else the one whose last payoff was best, if that would satisfy now;
                          else the next */
} KnSatisficingSearch;

/* Payoffs at least as high as the aspiration satisfy. */
static inline bool kn_satisfied(double aspiration, double payoff) { return payoff >= aspiration; }

/* The aspiration after a payoff (section 3): a weighted mean that keeps `lambda` of the old. Written as a
 * step towards the payoff, since lambda * a + (1 - lambda) * p rounds beyond the payoff and then calls
 * satisfied agents dissatisfied. As in exact arithmetic, an aspiration that was met stays met, and one above
 * the payoff stays above it, if only by the last bit of a double. lambda = 0 remembers the last
 * payoff to the bit, lambda = 1 never learns. */
static inline double kn_update_aspiration(double aspiration, double lambda, double payoff)
{
    double step = 1 - lambda, moved = aspiration + step * (payoff - aspiration);
    if (!(step < 1)) return payoff;
    return __builtin_expect(aspiration > payoff && moved <= payoff, 0) ? nextafter(payoff, HUGE_VAL) : moved;
}

typedef struct KnSatisficer {
    double lambda, aspiration;
    int action, actions;
    KnSatisficingSearch search;
    double tremble; /* the probability, each round, that the aspiration is moved at random ... */
    double shift;   /* ... by at most this much, up or down */
    bool satisfied; /* by the last payoff; true before the first */
    bool trembled;  /* before the last choice */
    double last;    /* payoff */
    double aspired; /* what it was compared with */
    unsigned tried; /* a bit for each action that was paid */
    double paid[KN_SATISFICER_ACTIONS]; /* by each, the last time */
} KnSatisficer;

/* An agent of `actions` actions that begins with `action`; search next, no trembles. */
KnSatisficer kn_satisficer(double lambda, double aspiration, int action, int actions);

/* The action for this round. */
int kn_satisficer_choose(KnSatisficer *agent, KnRng *rng);

/* What `action` earned: normally the one chosen. */
void kn_satisficer_earn(KnSatisficer *agent, int action, double payoff);

#endif
