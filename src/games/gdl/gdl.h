/* Games in the game description language: `gdl:FILE`. */
#ifndef KNACK_GAMES_GDL_GDL_H
#define KNACK_GAMES_GDL_GDL_H

#include "games/game.h"
#include "games/gdl/analysis.h"
#include "games/gdl/machine.h"

/* The machine of a GDL game; NULL for other games. Borrowed. */
KnGdlMachine *kn_game_gdl(const KnGame *game);

/* Opens a game from a description that is not in a file, such as one received over a network. Takes over the
 * description, also on failure; the game's spec only names it. */
KnStatus kn_gdl_open(const KnContext *context, KnGdlDescription *description, const KnGdlLimits *limits,
                     KnGame **game, KnError *error);

/* The facts of a position, as the machine's bits. Borrowed. */
const uint64_t *kn_gdl_facts(const void *position);

/* The position with these facts. */
void kn_gdl_set_facts(const KnGame *game, void *position, const uint64_t *facts);

/* The analysis of the rules (analysis.h), made on first use, which may take a second. NULL for other games
 * and if the prover answers. Borrowed. */
const KnGdlAnalysis *kn_game_analysis(const KnGame *game);

/* The game interface cannot report failures of the rules (see gdl.c): KN_OK, or the first failure since the
 * game was opened. */
KnStatus kn_gdl_trouble(const KnGame *game, KnError *error);

/* Whether the game is over here because the rules failed: KN_OK, or KN_INPUT and why. Works for any game. */
KnStatus kn_gdl_trouble_at(const KnGame *game, const void *position, KnError *error);

#endif
