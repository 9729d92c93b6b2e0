#include "duties.h"

#include <string.h>

static const KnDuty *const duties[] = {
    &kn_match_duty,    &kn_training_duty, &kn_td_duty,      &kn_examples_duty,   &kn_trials_duty,
    &kn_map_duty,      &kn_endgame_duty,  &kn_gina_duty,    &kn_ggp_duty,        &kn_ggp_claims_duty,
    &kn_widening_duty, &kn_goals_duty,    &kn_endings_duty, &kn_extensions_duty, NULL};

const KnDuty *kn_find_duty(const char *name)
{
    for (const KnDuty *const *duty = duties; *duty; duty++)
        if (strcmp((*duty)->name, name) == 0) return *duty;
    return NULL;
}
