/* What shows only when a description is grounded and played: unstratified negation, goals that are not
 * numbers from 0 to 100, roles without a legal move before the end. */
#ifndef KNACK_GAMES_GDL_EXAMINE_H
#define KNACK_GAMES_GDL_EXAMINE_H

#include "games/gdl/description.h"

/* Adds what it finds to the problems of a description, which was read from `path` without errors. The random
 * games are the same on every call. KN_NO: it has found errors. */
KnStatus kn_gdl_examine(const char *path, KnGdlDescription *description, KnError *error);

#endif
