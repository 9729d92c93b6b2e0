/* What the lab asks of an `experience` player beyond its moves. */
#ifndef KNACK_METHODS_EXPERIENCE_PLAYER_H
#define KNACK_METHODS_EXPERIENCE_PLAYER_H

#include "methods/experience/base.h"
#include "players/player.h"

/* How its decisions came about, since it was opened. Where there was only one move, nothing was decided. */
typedef struct KnExperienceTally {
    uint64_t forced;
    uint64_t from_base; /* without any search */
    uint64_t ignored;   /* a search ran, and the base had its way */
    uint64_t searched;  /* the inner player's move */
} KnExperienceTally;

/* NULL if the player is of another kind. The base is borrowed. */
const KnExperienceTally *kn_experience_tally(const KnPlayer *player);
KnBase *kn_experience_base(const KnPlayer *player);

#endif
