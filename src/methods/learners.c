#include "methods/registry.h"

const KnLearnerType *const kn_learners[] = {&kn_learner_allocation,
                                            &kn_learner_pace,
                                            &kn_learner_thinking,
                                            &kn_learner_td,
                                            &kn_learner_regress,
                                            &kn_learner_experience,
                                            &kn_learner_trust,
                                            &kn_learner_hoyle,
                                            &kn_learner_sequences,
                                            &kn_learner_openings,
                                            &kn_learner_ntuple,
                                            &kn_learner_neural,
                                            NULL};
