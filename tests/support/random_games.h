/* Random games of any game, for checks that look at every position on the way. */
#ifndef KNACK_TESTS_RANDOM_GAMES_H
#define KNACK_TESTS_RANDOM_GAMES_H

#include <knack/base.h>

#include "games/game.h"

/* What a check works on: a game in progress, with room for other positions and move lists. */
typedef struct Fixture {
    const KnGame *game;
    KnState *state;
    KnRng rng;
    void *a, *b, *c;
    KnMove *moves, *others;
} Fixture;

/* Room for a position; free releases it. */
void *fixture_room(const KnGame *game);

/* A random legal joint move in the current state. */
void random_joint(Fixture *fixture, KnMove *joint);

/* Plays random games and calls check before each move and at the end. */
void check_random_games(const KnGame *game, int games, void (*check)(Fixture *fixture));

#endif
