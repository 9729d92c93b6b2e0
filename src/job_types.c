#include "job_types.h"

#include <string.h>

static const KnJobType *const job_types[] = {
    &kn_match_job_type,   &kn_environment_job_type, &kn_td_job_type,       &kn_examples_job_type,
    &kn_trials_job_type,  &kn_map_job_type,         &kn_endgame_job_type,  &kn_gina_job_type,
    &kn_ggp_job_type,     &kn_ggp_claims_job_type,  &kn_widening_job_type, &kn_goals_job_type,
    &kn_endings_job_type, &kn_extensions_job_type,  &kn_training_job_type, NULL};

const KnJobType *kn_find_job_type(const char *name)
{
    for (const KnJobType *const *job_type = job_types; *job_type; job_type++)
        if (strcmp((*job_type)->name, name) == 0) return *job_type;
    return NULL;
}
