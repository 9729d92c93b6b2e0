#include "players/learner.h"

static const KnLearner *const built_in[] = {&kn_learner_allocation, &kn_learner_td, &kn_learner_experience,
                                            &kn_learner_hoyle, &kn_learner_sequences};

KnStatus kn_learners_register(KnContext *context, KnError *error)
{
    KnStatus status = KN_OK;
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in && status == KN_OK; i++)
        status = kn_register(context, KN_KIND_LEARNER, &built_in[i]->head, error);
    return status;
}
