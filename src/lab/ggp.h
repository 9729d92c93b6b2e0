/* What the experiments on Genesereth's lesson on incomplete search share. Private to lab/ggp*.c. */
#ifndef KNACK_LAB_GGP_H
#define KNACK_LAB_GGP_H

#include "lab/registry.h"

enum { KN_GGP_GAMES = 8 };
extern const char
    *const kn_ggp_games[KN_GGP_GAMES]; /* specs: rule sheets of two roles, one with simultaneous moves */

/* The heuristics together, their weights alike: what is fitted begins from it. */
#define KN_GGP_PARTS "mobility, focus(who=others), goal(who=both), proximity(who=both)"

/* A contest from the position at hand, its players by role, with what each thought. */
typedef struct KnGgpSeat {
    double payoff; /* as a goal value from 0 to 100 */
    uint64_t decisions, nodes,
        depth; /* added up over its decisions; those with one legal move do not count */
} KnGgpSeat;

KnStatus kn_ggp_contest(KnContest *contest, KnPlayer *const *players, KnRng *rng, size_t ply_limit,
                        const atomic_bool *cancel, KnGgpSeat *seats, KnError *error);

/* A position some random moves from the start in which somebody has a choice; returns who. */
int kn_ggp_position(KnContest *contest, KnRng *rng, int plies);

#endif
