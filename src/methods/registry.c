#include "methods/registry.h"

#include "methods/allocation/policy.h"

static const KnPlayerType *const players[] = {
    &kn_player_allocate,  &kn_player_clock,      &kn_player_prove,    &kn_player_tactical,
    &kn_player_satisfice, &kn_player_general,    &kn_player_hoyle,    &kn_player_seqlearner,
    &kn_player_guided,    &kn_player_experience, &kn_player_openings,
};

KnStatus kn_methods_register(KnContext *context, KnError *error)
{
    KnStatus status = KN_OK;
    for (size_t i = 0; i < sizeof players / sizeof *players && status == KN_OK; i++)
        status = kn_register(context, KN_KIND_PLAYER, &players[i]->head, error);
    for (const KnLearnerType *const *learner = kn_learners; *learner && status == KN_OK; learner++)
        status = kn_register(context, KN_KIND_LEARNER, &(*learner)->head, error);
    if (status == KN_OK) status = kn_register(context, KN_KIND_ADVISOR, &kn_advisor_habits.head, error);
    return status == KN_OK ? kn_policies_register(context, error) : status;
}
