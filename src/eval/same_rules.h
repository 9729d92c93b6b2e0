/* Whether what was learned for one spec of a game means the same for another. */
#ifndef KNACK_EVAL_SAME_RULES_H
#define KNACK_EVAL_SAME_RULES_H

#include "games/game.h"

/* `made_for` is the spec of the game that a file was made for. Options that leave the meaning of features
 * alone (when play ends, how a result is counted) may differ. */
bool kn_same_rules(const KnGame *game, const char *made_for);

/* Whether a spec means this very game: all options have the same values, however they are written. */
bool kn_same_game(const KnGame *game, const char *spec);

#endif
