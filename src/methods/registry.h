/* The methods: a row for each player (here and in registry.c) and each learner (learners.c). */
#ifndef KNACK_METHODS_REGISTRY_H
#define KNACK_METHODS_REGISTRY_H

#include "arena/learner.h"
#include "eval/move_advisor.h"
#include "players/player.h"

extern const KnPlayerType kn_player_allocate, kn_player_clock;                     /* allocation/ */
extern const KnPlayerType kn_player_prove, kn_player_tactical;                     /* widening/ */
extern const KnPlayerType kn_player_satisfice;                                     /* satisficing/ */
extern const KnPlayerType kn_player_general;                                       /* general/ */
extern const KnPlayerType kn_player_hoyle, kn_player_seqlearner, kn_player_guided; /* hoyle/ */
extern const KnPlayerType kn_player_experience;                                    /* experience/ */
extern const KnPlayerType kn_player_openings;                                      /* openings/ */

extern const KnMoveAdvisorType kn_advisor_habits; /* hoyle/ */

extern const KnLearnerType *const kn_learners[]; /* ended by NULL */

KnStatus kn_methods_register(KnContext *context, KnError *error);

#endif
