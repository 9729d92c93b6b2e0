/* The panel: opponents of every kind that a learner is measured against, whoever taught it. One number
 * against one's own teacher tells how well his habits were learned by heart; a row against these tells how
 * well the game is played.
 *
 * Where the game can be solved (a board of at most sixteen cells), the perfect player under each of its draw
 * rules and the thesis's expert and novice (Lock 2003, 2.3) are among them; else the two are made of a
 * search. Searches name their evaluation, the game's own, so that results stay comparable.
 *
 * Ownership: texts live in the arena. */
#ifndef KNACK_METHODS_PANEL_H
#define KNACK_METHODS_PANEL_H

#include "base/arena.h"
#include "games/game.h"

enum { KN_PANEL_MOST = 9 };

typedef struct KnPanelMember {
    const char *name; /* in tables */
    const char *spec; /* of the player */
} KnPanelMember;

/* Fills the members and returns how many there are. */
int kn_panel(const KnGame *game, KnArena *arena, KnPanelMember members[KN_PANEL_MOST]);

/* The expert who teaches by default: where the game can be solved one of perfect play as it is, perfect play
 * that leaves many ways to draw, and the thesis's expert, drawn for each game; else a search. */
const char *kn_panel_teacher(const KnGame *game);

#endif
