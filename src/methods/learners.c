/* The learners, in the order in which `knack train --help` lists them. */
#include "methods/registry.h"

/* A row for each: the name of its kn_learner_NAME, and the folder that defines it. */
#define LEARNERS(ROW)                                                                                        \
    ROW(allocation) /* allocation/ */                                                                        \
    ROW(pace)       /* allocation/ */                                                                        \
    ROW(thinking)   /* thinking/ */                                                                          \
    ROW(td)         /* tdleaf/ */                                                                            \
    ROW(regress)    /* tdleaf/ */                                                                            \
    ROW(experience) /* experience/ */                                                                        \
    ROW(trust)      /* allocation/ */                                                                        \
    ROW(hoyle)      /* hoyle/ */                                                                             \
    ROW(sequences)  /* hoyle/ */                                                                             \
    ROW(openings)   /* openings/ */                                                                          \
    ROW(ntuple)     /* ntuple/ */                                                                            \
    ROW(neural)     /* neural/ */

#define DECLARE(name) extern const KnLearnerType kn_learner_##name;
#define ADDRESS(name) &kn_learner_##name,

LEARNERS(DECLARE)

const KnLearnerType *const kn_learners[] = {LEARNERS(ADDRESS) NULL};
