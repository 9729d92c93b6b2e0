/* Tree sampling for any game, its simultaneous moves taken as such: what general game playing needs.
 *
 * UCT over joint moves: at every position each role that has a choice makes it by its own means and visits,
 * knowing nothing of the others' (decoupled UCT); where one role alone has a choice that is ordinary UCT, and
 * each role seeks its own payoff. Nature draws. Positions that are met again by another way are the same
 * node, and what was found for a contest's earlier moves is kept for its later ones.
 *
 * Ends are carried up as proofs: where one role alone decides, a move to its highest payoff settles a
 * position, and so do all moves together; where nature alone does, all its moves give their mean; where
 * several decide, all joint moves together if they come to the same.
 *
 * New positions are judged by random games: one, or a whole batch on rule sheets that play hundreds at once
 * (games/gdl/playouts.h), which costs a few times as much.
 *
 * Deterministic under a budget of nodes or playouts and a given generator. Memory is fixed: when it is used
 * up, the tree grows no more.
 *
 * Ownership: kn_joint_new / kn_joint_free; the game must outlive it. One thread at a time. */
#ifndef KNACK_SEARCH_JOINT_H
#define KNACK_SEARCH_JOINT_H

#include "search/search.h"

typedef struct KnJointOptions {
    double exploration; /* weight of the allowance for what is little tried, for results in 0..1 */
    size_t bytes;
    uint64_t playouts; /* at most, batches counted as one; 0: no limit besides the budget */
    int batch; /* random games a new position; 0: one, or many where a clock leaves time for thousands of
                  batches */
    int playout_plies;
    bool solve;
} KnJointOptions;

KnJointOptions kn_joint_options(void);

typedef struct KnJoint KnJoint;

/* NULL, with the error filled, if the game's rules look back (uct.h can) or memory runs out. */
KnJoint *kn_joint_new(const KnGame *game, const KnJointOptions *options, KnError *error);
void kn_joint_free(KnJoint *joint);
void kn_joint_clear(KnJoint *joint); /* as for a new contest */

/* Changes the limit of playouts for the runs that follow. */
void kn_joint_limit(KnJoint *joint, uint64_t playouts);

/* As kn_uct_run, for a role: rows are its allowed moves. The position is the game's own, not a view's. */
KnStatus kn_joint_run(KnJoint *joint, const void *position, int role, const KnSearchRequest *request,
                      KnSearchResult *result, KnError *error);

#endif
