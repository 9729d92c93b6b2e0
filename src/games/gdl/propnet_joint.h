/* Machine code for single joint moves: what a step changes, and nothing else. Private to games/gdl.
 *
 * With the moves known, most components that depend on them are constant, and most facts stay as they are:
 * the next state is the present one with some bits masked out, some set, and a few to be computed. Of the
 * components about the state only those can change that depend on these facts. So a step costs what the move
 * does (a frame axiom for each joint move, by partial evaluation), not what the rules hold.
 *
 * Code is made for the joint moves that random games meet, most of which in games of turns have one role that
 * moves and others that wait; any other joint move takes the code for all (propnet_code.h).
 *
 * Ownership: kn_propnet_joints_new / kn_propnet_joints_free. Read-only, shared by threads. */
#ifndef KNACK_GAMES_GDL_PROPNET_JOINT_H
#define KNACK_GAMES_GDL_PROPNET_JOINT_H

#include "games/gdl/propnet_emit.h"

typedef struct KnPropnetJoints KnPropnetJoints;
typedef struct KnPropnetJoint KnPropnetJoint;

/* For joint moves given one after the other, an action of each role; each counts once. `emitter` lays out the
 * values. NULL: none could be made. */
KnPropnetJoints *kn_propnet_joints_new(const KnEmitter *emitter, const uint32_t *joints, uint32_t count);
void kn_propnet_joints_free(KnPropnetJoints *joints);

/* The code for a joint move; NULL: there is none. */
const KnPropnetJoint *kn_propnet_joint_find(const KnPropnetJoints *joints, const uint32_t *actions);

/* The bits of the next state, from the values and bits of the present one. */
void kn_propnet_joint_moves(const KnPropnetJoints *joints, const KnPropnetJoint *joint, uint8_t *values,
                            const uint64_t *state, uint64_t *next);

/* After the bytes of the facts became those of the next state: computes the bits of all answers about it,
 * from the values of the state before it. */
void kn_propnet_joint_state(const KnPropnetJoints *joints, const KnPropnetJoint *joint, uint8_t *values,
                            uint64_t *answers);

#endif
