/* What the experiments on Genesereth's lesson on incomplete search share. Private to lab/general. */
#ifndef KNACK_LAB_GENERAL_SHARED_H
#define KNACK_LAB_GENERAL_SHARED_H

#include "lab/registry.h"

enum { KN_GGP_GAMES = 8 };
extern const char *const
    kn_ggp_games[KN_GGP_GAMES]; /* specs: game descriptions of two roles, one with simultaneous moves */

/* The heuristics together, their weights alike: what is fitted begins from it. */
#define KN_GGP_PARTS "mobility, focus(who=others), goal(who=both), proximity(who=both)"

/* What a game brought to one role, and cost it. */
typedef struct KnGgpEntry {
    double payoff; /* as a goal value from 0 to 100 */
    uint64_t decisions, nodes,
        depth; /* added up over its decisions; those with one legal move do not count */
} KnGgpEntry;

/* Plays on from a state, with players and entries by role. */
KnStatus kn_ggp_play(KnState *state, KnPlayer *const *players, KnRng *rng, size_t ply_limit,
                     const atomic_bool *cancel, KnGgpEntry *entries, KnError *error);

/* Plays random moves from the start up to a position in which some role has a choice; returns that role. */
int kn_ggp_position(KnState *state, KnRng *rng, int plies);

#endif
