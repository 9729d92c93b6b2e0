/* The job types of the library (jobs/job.h): what workers in other processes can run. Each stands beside the
 * code it belongs to; a new one needs a declaration here and a row in job_types.c. */
#ifndef KNACK_JOB_TYPES_H
#define KNACK_JOB_TYPES_H

#include "jobs/job.h"

extern const KnJobType kn_match_job_type, kn_environment_job_type, kn_td_job_type;
extern const KnJobType kn_training_job_type, kn_examples_job_type;
extern const KnJobType kn_trials_job_type, kn_map_job_type;
extern const KnJobType kn_endgame_job_type;
extern const KnJobType kn_gina_job_type, kn_ggp_job_type, kn_ggp_claims_job_type, kn_widening_job_type,
    kn_goals_job_type, kn_endings_job_type, kn_extensions_job_type;

const KnJobType *kn_find_job_type(const char *name); /* NULL if there is none */

#endif
