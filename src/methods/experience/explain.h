/* What a base knew of a position, as an explanation. */
#ifndef KNACK_METHODS_EXPERIENCE_EXPLAIN_H
#define KNACK_METHODS_EXPERIENCE_EXPLAIN_H

#include "methods/experience/base.h"
#include "players/player.h"

/* Adds a group "experience" to the answer's explanation, which is made if there is none. `how` says how the
 * decision came about. */
void kn_explain_experience(const KnRequest *request, const KnBaseMove *rows, const KnBaseView *view,
                           const char *how, KnAnswer *answer);

#endif
