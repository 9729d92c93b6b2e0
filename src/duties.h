/* The duties of the library: what can be done at other places than where a command runs (base/team.h). A row
 * each, here and in duties.c. */
#ifndef KNACK_DUTIES_H
#define KNACK_DUTIES_H

#include "base/team.h"

extern const KnDuty kn_match_duty, kn_training_duty, kn_td_duty;
extern const KnDuty kn_examples_duty;
extern const KnDuty kn_trials_duty, kn_map_duty;
extern const KnDuty kn_endgame_duty;
extern const KnDuty kn_gina_duty, kn_ggp_duty, kn_ggp_claims_duty, kn_widening_duty, kn_goals_duty,
    kn_endings_duty, kn_extensions_duty;

const KnDuty *kn_find_duty(const char *name); /* NULL if there is none */

#endif
