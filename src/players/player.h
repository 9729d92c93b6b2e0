/* The player interface is public: <knack/player.h>. This adds what the rooms need besides. */
#ifndef KNACK_PLAYERS_PLAYER_H
#define KNACK_PLAYERS_PLAYER_H

#include <knack/player.h>

#include "base/explanation.h"
#include "games/game.h"

/* As kn_player_choose, without a clock, which takes longer to read than the simplest players take to answer.
 */
KnStatus kn_player_choose_untimed(KnPlayer *player, const KnRequest *request, KnAnswer *answer,
                                  KnError *error);

/* Registers the built-in players. */
KnStatus kn_players_register(KnContext *context, KnError *error);

#endif
