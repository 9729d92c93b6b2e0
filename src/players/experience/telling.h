/* What a base knew of a position, as a reason. */
#ifndef KNACK_PLAYERS_EXPERIENCE_TELLING_H
#define KNACK_PLAYERS_EXPERIENCE_TELLING_H

#include "learn/experience/base.h"
#include "players/player.h"

/* Adds a group "experience" to the answer's reason, which is made if there is none. `how` says how the
 * decision came about. */
void kn_tell_experience(const KnRequest *request, const KnBaseMove *rows, const KnBaseView *view,
                        const char *how, KnAnswer *answer);

#endif
