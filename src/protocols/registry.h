/* The players of this room, a row each, here and in registry.c. */
#ifndef KNACK_PROTOCOLS_REGISTRY_H
#define KNACK_PROTOCOLS_REGISTRY_H

#include "players/player.h"

extern const KnPlayerType kn_player_gtp, kn_player_nboard, kn_player_pipe;

KnStatus kn_protocols_register(KnContext *context, KnError *error);

#endif
