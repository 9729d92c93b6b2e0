/* A digest that stands for the rules of a game description: the same for two texts of the same rules,
 * whatever their order, comments, blank space, names of variables and case of keywords. The order of roles
 * counts, and so do all other names: a match with scrambled names is another game. */
#ifndef KNACK_GAMES_GDL_RULES_DIGEST_H
#define KNACK_GAMES_GDL_RULES_DIGEST_H

#include "base/hash.h"
#include "games/gdl/description.h"

void kn_gdl_rules_digest(const KnGdlDescription *description, char hex[KN_HEX128]);

#endif
