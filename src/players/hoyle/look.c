/* What Hoyle sees before its Advisors speak: every move and every reply to it, once, for all of them. */
#include <stdlib.h>
#include <string.h>

#include "players/hoyle/mind.h"

KnStatus kn_desk_open(Desk *desk, const Mind *mind, KnError *error)
{
    size_t most = (size_t)mind->game->max_moves, cells = (size_t)mind->scene->cells;
    *desk = (Desk){.mind = mind,
                   .capacity = (int)most,
                   .sights = calloc(most, sizeof(Sight)),
                   .moves = calloc(most, sizeof(KnMove)),
                   .actions = calloc(most, sizeof(KnAction)),
                   .cells = calloc(most + 1, cells),
                   .replies = calloc(most, sizeof(KnMove)),
                   .reply_actions = calloc(most, sizeof(KnAction)),
                   .strengths = calloc(most * SECOND_TIER, sizeof(int)),
                   .threat = calloc(cells, sizeof(uint16_t)),
                   .rope = calloc(cells, sizeof(uint16_t))};
    if (!desk->sights || !desk->moves || !desk->actions || !desk->cells || !desk->replies ||
        !desk->reply_actions || !desk->strengths || !desk->threat || !desk->rope)
        return kn_fail_memory(error, "laying out a decision");
    KnStatus status = kn_patsy_desk_open(desk, error);
    return status == KN_OK ? kn_seq_desk_open(desk, error) : status;
}

void kn_desk_close(Desk *desk)
{
    free(desk->sights);
    free(desk->moves);
    free(desk->actions);
    free(desk->cells);
    free(desk->replies);
    free(desk->reply_actions);
    free(desk->strengths);
    free(desk->threat);
    free(desk->rope);
    kn_patsy_desk_close(desk);
    kn_seq_desk_close(desk);
    *desk = (Desk){0};
}

/* 1 won, -1 lost, 2 drawn, for a role in a position that is over. */
static int8_t end_for(const KnGame *game, const void *position, int role)
{
    double payoffs[KN_ROLES_MAX], middle = (game->payoff_low + game->payoff_high) / 2;
    game->type->payoffs(game, position, payoffs);
    return (int8_t)(payoffs[role] > middle ? 1 : payoffs[role] < middle ? -1 : 2);
}

static int men(const KnScene *scene, const uint8_t *cells, int role)
{
    int count = 0;
    for (int i = 0; i < scene->cells; i++) count += scene->owner[cells[i]] == role;
    return count;
}

/* Own men after a reply; by the game's own count where it has one, which is quicker. */
static double men_after(const Mind *mind, const void *position, int role)
{
    if (mind->game->type->material) return mind->game->type->material(mind->game, position, role);
    uint8_t cells[KN_SCENE_CELLS];
    kn_scene_cells(mind->scene, position, cells);
    return men(mind->scene, cells, role);
}

/* Where the other goes with a reply that decides; the action is only worked out then. */
static void mark(Desk *desk, const void *position, KnMove reply, uint16_t *where)
{
    KnAction action = kn_scene_action(desk->mind->scene, position, reply);
    if (action.to != KN_NO_CELL) where[action.to]++;
}

static void look_at_replies(Desk *desk, Sight *sight, const void *position)
{
    const Mind *mind = desk->mind;
    const KnGame *game = mind->game;
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    KnMove further[game->max_moves];
    int count = game->type->moves(game, position, desk->replies);
    double before = mind->lines->takes ? men_after(mind, position, desk->role) : 0;
    sight->replies = count;
    for (int i = 0; i < count; i++) {
        memcpy(next, position, game->position_size);
        game->type->play(game, next, desk->replies[i]);
        if (mind->lines->takes && men_after(mind, next, desk->role) < before - 1e-9) sight->taking++;
        if (game->type->moves(game, next, further)) continue;
        int8_t end = end_for(game, next, desk->role);
        if (end == -1) sight->winning++, mark(desk, position, desk->replies[i], desk->threat);
        if (end == 1) sight->losing++, mark(desk, position, desk->replies[i], desk->rope);
    }
}

static void look_up(const Mind *mind, Sight *sight, const void *position, int role)
{
    const KnGame *game = mind->game;
    if (!mind->album.count) return;
    unsigned char normal[game->position_size] __attribute__((aligned(16)));
    kn_scene_normalise(mind->scene, position, normal);
    int number = kn_album_find(&mind->album, normal);
    if (number < 0) return;
    const Memory *memory = &mind->memory[number];
    sight->certain = (int8_t)(game->type->mover(game, position) == role ? memory->certain : -memory->certain);
    sight->leery = memory->lost_from && !memory->certain;
}

void kn_desk_lay(Desk *desk, const void *position, const KnMove *moves, int count)
{
    const Mind *mind = desk->mind;
    const KnGame *game = mind->game;
    const KnScene *scene = mind->scene;
    size_t cells = (size_t)scene->cells;
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    desk->position = position;
    desk->role = game->type->mover(game, position);
    desk->stage = kn_scene_stage(scene, position);
    desk->count = count;
    memset(desk->threat, 0, cells * sizeof *desk->threat);
    memset(desk->rope, 0, cells * sizeof *desk->rope);
    kn_scene_cells(scene, position, desk->cells);
    kn_scene_actions(scene, position, moves, count, desk->actions);
    for (int i = 0; i < count; i++) {
        Sight *sight = &desk->sights[i];
        uint8_t *after = desk->cells + (size_t)(i + 1) * cells;
        *sight = (Sight){.move = moves[i], .action = desk->actions[i]};
        desk->moves[i] = moves[i];
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        kn_scene_cells(scene, next, after);
        sight->own = men(scene, after, desk->role);
        sight->other = men(scene, after, 1 - desk->role);
        if (!game->type->moves(game, next, desk->replies)) {
            sight->end = end_for(game, next, desk->role);
            continue;
        }
        sight->again = game->type->mover(game, next) == desk->role;
        look_up(mind, sight, next, desk->role);
        if (!sight->again) look_at_replies(desk, sight, next);
    }
}
