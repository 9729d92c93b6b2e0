/* The game interface is public: <knack/game.h>. This adds what the rooms need besides. */
#ifndef KNACK_GAMES_GAME_H
#define KNACK_GAMES_GAME_H

#include <knack/game.h>

#include "base/context.h"
#include "base/text.h"

/* Registers the built-in games. */
KnStatus kn_games_register(KnContext *context, KnError *error);

/* The text of a move, in the arena; "" if memory runs out. */
const char *kn_game_move_name(const KnGame *game, const void *position, KnMove move, KnArena *arena);

#endif
