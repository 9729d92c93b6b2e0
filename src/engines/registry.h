/* The players of this room, a row each, here and in registry.c. */
#ifndef KNACK_ENGINES_REGISTRY_H
#define KNACK_ENGINES_REGISTRY_H

#include "players/player.h"

extern const KnPlayerType kn_player_gtp, kn_player_nboard, kn_player_pipe;

KnStatus kn_engines_register(KnContext *context, KnError *error);

#endif
