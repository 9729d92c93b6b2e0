/* Games and contests: what a game of one's own implements, and how one is played. */
#ifndef KNACK_PUBLIC_GAMES_H
#define KNACK_PUBLIC_GAMES_H

#include "base/hash.h"
#include "base/rng.h"
#include "games/contest.h"
#include "games/game.h"
#include "games/perft.h"
#include "games/plugin.h"
#include "games/sequential.h"

#endif
