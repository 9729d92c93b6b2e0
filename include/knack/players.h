/* Players: made from specs, asked for moves, wrapped in each other. */
#ifndef KNACK_PUBLIC_PLAYERS_H
#define KNACK_PUBLIC_PLAYERS_H

#include "players/dilemma/duel.h"
#include "players/dilemma/strategy.h"
#include "players/player.h"

#endif
