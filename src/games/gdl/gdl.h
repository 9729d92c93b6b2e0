/* Games given by their rules: what stands behind `gdl:FILE`. */
#ifndef KNACK_GAMES_GDL_GDL_H
#define KNACK_GAMES_GDL_GDL_H

#include "games/game.h"
#include "games/gdl/analysis.h"
#include "games/gdl/machine.h"

/* The machine of a game that was opened as gdl; NULL for other games. Borrowed. */
KnGdlMachine *kn_game_gdl(const KnGame *game);

/* A game from a sheet that did not come from a file of that name: one sent over a network. Takes the sheet
 * over, also when it fails; the game's spec only names it. */
KnStatus kn_gdl_open(const KnContext *context, KnGdlSheet *sheet, const KnGdlLimits *limits, KnGame **game,
                     KnError *error);

/* The facts of a position of such a game, as the machine's bits. Borrowed. */
const uint64_t *kn_gdl_facts(const void *position);

/* What its rules say beyond single states (analysis.h), found when first asked for, which may take a second.
 * NULL for other games and where the prover answers. Borrowed. */
const KnGdlAnalysis *kn_game_analysis(const KnGame *game);

/* Rules cannot fail in the game interface, but a prover can (see gdl.c): KN_OK, or the first thing that went
 * wrong since the game was opened. */
KnStatus kn_gdl_trouble(const KnGame *game, KnError *error);

/* Whether a contest that is over here is so because the rules failed: KN_OK, or KN_INPUT with the reason. Any
 * game may be asked. */
KnStatus kn_gdl_trouble_at(const KnGame *game, const void *position, KnError *error);

#endif
