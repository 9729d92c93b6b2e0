/* A game at its start, for tests of searches: its own context, with the toy game and all evaluations. */
#ifndef KNACK_TESTS_WORLD_H
#define KNACK_TESTS_WORLD_H

#include "games/game.h"

typedef struct World {
    KnContext *context;
    KnGame *game;
    void *position; /* the start */
} World;

World world_open(const char *spec);
void world_close(World *world);

#endif
