/* The methods: a row for each player (registry.c) and each learner (learners.c). */
#ifndef KNACK_METHODS_REGISTRY_H
#define KNACK_METHODS_REGISTRY_H

#include "arena/learner.h"
#include "players/player.h"

extern const KnPlayerType kn_player_allocate, kn_player_clock;                     /* allocation/ */
extern const KnPlayerType kn_player_prove, kn_player_tactical;                     /* widening/ */
extern const KnPlayerType kn_player_satisfice;                                     /* satisficing/ */
extern const KnPlayerType kn_player_general;                                       /* general/ */
extern const KnPlayerType kn_player_hoyle, kn_player_seqlearner, kn_player_guided; /* hoyle/ */
extern const KnPlayerType kn_player_experience;                                    /* experience/ */
extern const KnPlayerType kn_player_openings;                                      /* openings/ */

extern const KnLearnerType kn_learner_allocation, kn_learner_pace, kn_learner_trust; /* allocation/ */
extern const KnLearnerType kn_learner_td, kn_learner_regress;                        /* tdleaf/ */
extern const KnLearnerType kn_learner_experience;                                    /* experience/ */
extern const KnLearnerType kn_learner_hoyle, kn_learner_sequences;                   /* hoyle/ */

extern const KnLearnerType kn_learner_openings; /* openings/ */
extern const KnLearnerType kn_learner_ntuple;   /* ntuple/ */
extern const KnLearnerType kn_learner_neural;   /* neural/ */
extern const KnLearnerType kn_learner_thinking; /* thinking/ */

extern const KnLearnerType *const kn_learners[]; /* all of them, ended by NULL */

KnStatus kn_methods_register(KnContext *context, KnError *error);

#endif
