#include "support/world.h"

#include <stdlib.h>
#include <string.h>

#include "eval/evaluation.h"
#include "support/check.h"
#include "support/instances.h"
#include "support/toy.h"

World world_open(const char *spec)
{
    KnError error;
    World world = {.context = test_context()};
    check_ok(error, kn_evaluations_register(world.context, &error));
    check_ok(error, kn_register(world.context, KN_KIND_GAME, &test_toy.head, &error));
    check_ok(error, kn_game_open(world.context, spec, &world.game, &error));
    world.position = aligned_alloc(16, (world.game->position_size + 15) & ~(size_t)15);
    memset(world.position, 0, world.game->position_size);
    world.game->type->start(world.game, world.position);
    return world;
}

void world_close(World *world)
{
    free(world->position);
    kn_game_close(world->game);
    kn_close(world->context);
}
