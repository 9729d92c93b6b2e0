/* Satisficing: keep an action while it pays at least what one aspires to, try another when it does not, and
 * let the aspiration follow what is earned (Stimpson, Goodrich and Walters 2001, after Karandikar and others
 * 1998).
 *
 * A satisficer knows its own actions by number and its own payoffs, nothing else: no game, no table, no
 * others. Its life is a loop of kn_satisficer_choose and kn_satisficer_earn. With two actions, no trembles
 * and any search it is the paper's agent: dissatisfied means the other action.
 *
 * Ownership: a plain value; chance comes from the generator passed in, and is asked for only where it is
 * needed (a random search, trembles), so that the paper's agent leaves the generator alone. */
#ifndef KNACK_LEARN_ASPIRATION_H
#define KNACK_LEARN_ASPIRATION_H

#include <math.h>
#include <stdbool.h>

#include "base/rng.h"

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

/* The aspiration after a payoff: a weighted mean that keeps `lambda` of the old. Written as a step towards
 * the payoff, since lambda * a + (1 - lambda) * p rounds beyond the payoff and then calls satisfied agents
 * dissatisfied. As in exact arithmetic, an aspiration that was met stays met, and one above the payoff stays
 * above it, if only by the least that a double can tell. lambda = 0 remembers the last payoff to the bit,
 * lambda = 1 never learns. */
static inline double kn_aspire(double aspiration, double lambda, double payoff)
{
    double step = 1 - lambda, moved = aspiration + step * (payoff - aspiration);
    if (!(step < 1)) return payoff;
    return __builtin_expect(aspiration > payoff && moved <= payoff, 0) ? nextafter(payoff, HUGE_VAL) : moved;
}

typedef struct KnSatisficer {
    double lambda, aspiration;
    int action, actions;
    KnSatisficingSearch search;
    double tremble; /* the probability, each round, that the aspiration is moved by chance ... */
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
