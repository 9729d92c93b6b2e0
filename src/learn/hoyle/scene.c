/* Seeing a game as cells. Where cells go under a symmetry, and whose symbols are whose, is not asked of games
 * but read off sample games: a cell's history over many positions is as good as a name, and the image's cell
 * with the same history is where it went. */
#include "learn/hoyle/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/rng.h"

enum { SAMPLE_GAMES = 24, SAMPLE_PLIES = 400, SAMPLES = 600 };

KnStatus kn_scene_suits(const KnGame *game, KnError *error)
{
    if (game->traits & KN_GAME_SIMULTANEOUS || game->roles != 2 || game->nature >= 0)
        return kn_fail(error, KN_INPUT, "needs two players who take turns");
    if (!game->cells || !game->type->cell) return kn_fail(error, KN_INPUT, "needs a board with cells");
    if (game->cells > KN_SCENE_CELLS)
        return kn_fail(error, KN_INPUT, "needs a board of at most %d cells, not %d", KN_SCENE_CELLS,
                       game->cells);
    if ((int)strlen(game->cell_symbols) > KN_SCENE_SYMBOLS)
        return kn_fail(error, KN_INPUT, "needs cells that hold one of at most %d things", KN_SCENE_SYMBOLS);
    return KN_OK;
}

void kn_scene_cells(const KnScene *scene, const void *position, uint8_t *cells)
{
    const KnGame *game = scene->game;
    kn_game_board(game, position, cells);
}

int kn_scene_stage(const KnScene *scene, const void *position)
{
    if (scene->stages == 1) return 0;
    int stage = scene->game->type->phase(scene->game, position);
    return stage < scene->stages ? stage : scene->stages - 1;
}

/* ---- Sample games ---- */

/* What sample games have shown so far. */
typedef struct Samples {
    uint64_t history[KN_SCENE_CELLS];                /* of each cell's contents */
    uint64_t turned[KN_SCENE_TURNS][KN_SCENE_CELLS]; /* the same in the images */
    long brought[KN_SCENE_SYMBOLS][2];               /* how often a role's move put a symbol somewhere */
    KnDigest digest;
} Samples;

static void see_position(const KnScene *scene, const void *position, Samples *seen)
{
    const KnGame *game = scene->game;
    unsigned char image[game->position_size] __attribute__((aligned(16)));
    uint8_t cells[KN_SCENE_CELLS];
    kn_scene_cells(scene, position, cells);
    for (int i = 0; i < scene->cells; i++) seen->history[i] = kn_mix64(seen->history[i] ^ cells[i]);
    for (int t = 0; t < scene->turns; t++) {
        game->type->transform(game, scene->number[t], position, image);
        kn_scene_cells(scene, image, cells);
        for (int i = 0; i < scene->cells; i++) seen->turned[t][i] = kn_mix64(seen->turned[t][i] ^ cells[i]);
    }
    kn_digest_u64(&seen->digest, game->type->hash(game, position));
}

static void see_move(const KnScene *scene, int mover, const uint8_t *before, const uint8_t *after,
                     Samples *seen)
{
    for (int i = 0; i < scene->cells; i++)
        if (after[i] && after[i] != before[i]) seen->brought[after[i]][mover]++;
}

static void play_samples(KnScene *scene, Samples *seen)
{
    const KnGame *game = scene->game;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    KnMove moves[game->max_moves];
    uint8_t before[KN_SCENE_CELLS], after[KN_SCENE_CELLS];
    for (int g = 0, left = SAMPLES; g < SAMPLE_GAMES && left > 0; g++) {
        KnRng rng = kn_rng_stream(2003, (uint64_t)g);
        game->type->start(game, position);
        kn_scene_cells(scene, position, before);
        int count = 0;
        for (int ply = 0; ply < SAMPLE_PLIES && (count = game->type->moves(game, position, moves)) > 0;
             ply++) {
            int mover = game->type->mover(game, position);
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
            kn_scene_cells(scene, position, after);
            see_move(scene, mover, before, after, seen);
            memcpy(before, after, (size_t)scene->cells);
            if (ply % (1 + g / 4) == 0 && left > 0) see_position(scene, position, seen), left--;
        }
        double payoffs[KN_ROLES_MAX] = {0};
        if (!count) game->type->payoffs(game, position, payoffs);
        kn_digest_u64(&seen->digest, (uint64_t)(int64_t)lround(1000 * payoffs[0]));
    }
}

/* Where each cell goes; false if the samples do not tell. */
static bool find_image(const KnScene *scene, const Samples *seen, int turn, uint16_t *image)
{
    for (int i = 0; i < scene->cells; i++) {
        int found = -1;
        for (int j = 0; j < scene->cells; j++) {
            if (seen->turned[turn][j] != seen->history[i]) continue;
            if (found >= 0) return false;
            found = j;
        }
        if (found < 0) return false;
        image[i] = (uint16_t)found;
    }
    return true;
}

static bool is_inverse(const KnScene *scene, int a, int b)
{
    for (int i = 0; i < scene->cells; i++)
        if (scene->image[b][scene->image[a][i]] != i) return false;
    return true;
}

/* Keeps the symmetries of which everything is known, their inverses included. */
static void settle_turns(KnScene *scene, const Samples *seen)
{
    int kept = 0;
    for (int t = 0; t < scene->turns; t++) {
        if (!find_image(scene, seen, t, scene->image[kept])) continue;
        scene->number[kept++] = scene->number[t];
    }
    if (!kept) { /* the identity needs no samples */
        for (int i = 0; i < scene->cells; i++) scene->image[0][i] = (uint16_t)i;
        scene->number[kept++] = 0;
    }
    scene->turns = kept;
    for (int t = 0; t < kept; t++) {
        scene->inverse[t] = -1;
        for (int u = 0; u < kept && scene->inverse[t] < 0; u++)
            if (is_inverse(scene, t, u)) scene->inverse[t] = u;
    }
    for (int t = 0; t < kept; t++)
        if (scene->inverse[t] < 0) scene->turns = 1; /* no group: better none than half of one */
}

KnStatus kn_scene_open(const KnGame *game, KnScene **out, KnError *error)
{
    *out = NULL;
    KnStatus status = kn_scene_suits(game, error);
    if (status != KN_OK) return status;
    KnScene *scene = calloc(1, sizeof *scene);
    Samples *seen = calloc(1, sizeof *seen);
    if (!scene || !seen) {
        free(scene);
        free(seen);
        return kn_fail_memory(error, "looking at a board");
    }
    scene->game = game;
    scene->cells = game->cells;
    scene->symbols = (int)strlen(game->cell_symbols);
    scene->stages = !game->type->phase || game->phases < 1 ? 1
                    : game->phases < KN_SCENE_STAGES       ? game->phases
                                                           : KN_SCENE_STAGES;
    for (int s = 0; s < game->symmetries && game->type->transform && scene->turns < KN_SCENE_TURNS; s++)
        if (!game->type->transform_role || game->type->transform_role(game, s, 0) == 0)
            scene->number[scene->turns++] = s;
    kn_digest_start(&seen->digest);
    play_samples(scene, seen);
    settle_turns(scene, seen);
    for (int s = 0; s < scene->symbols; s++)
        scene->owner[s] =
            (int8_t)(!s || !seen->brought[s][0] == !seen->brought[s][1] ? -1 : seen->brought[s][1] > 0);
    unsigned char start[game->position_size] __attribute__((aligned(16)));
    game->type->start(game, start);
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, start, moves);
    scene->slides = count > 0 &&
                    (scene->stages > 1 || kn_scene_action(scene, start, moves[0]).from != KN_NO_CELL);
    snprintf(scene->identity, sizeof scene->identity, "%016llx",
             (unsigned long long)kn_digest_end(&seen->digest).low);
    free(seen);
    *out = scene;
    return KN_OK;
}

void kn_scene_close(KnScene *scene) { free(scene); }

/* ---- Images ---- */

void kn_scene_turn(const KnScene *scene, int turn, const void *position, void *image)
{
    if (turn)
        scene->game->type->transform(scene->game, scene->number[turn], position, image);
    else
        memcpy(image, position, scene->game->position_size);
}

void kn_scene_turn_cells(const KnScene *scene, int turn, const uint8_t *cells, uint8_t *image)
{
    for (int i = 0; i < scene->cells; i++) image[scene->image[turn][i]] = cells[i];
}

static int16_t turn_cell(const KnScene *scene, int turn, int16_t cell)
{
    return cell < 0 ? cell : (int16_t)scene->image[turn][cell];
}

KnAction kn_scene_turn_action(const KnScene *scene, int turn, KnAction action)
{
    return (KnAction){turn_cell(scene, turn, action.from), turn_cell(scene, turn, action.to),
                      turn_cell(scene, turn, action.taken)};
}

int kn_scene_frames(const KnScene *scene, const void *position, void *normal, int turns[KN_SCENE_TURNS])
{
    size_t size = scene->game->position_size;
    unsigned char image[size] __attribute__((aligned(16)));
    int count = 1;
    turns[0] = 0;
    memcpy(normal, position, size);
    for (int t = 1; t < scene->turns; t++) {
        scene->game->type->transform(scene->game, scene->number[t], position, image);
        int order = memcmp(image, normal, size);
        if (order > 0) continue;
        if (order < 0) memcpy(normal, image, size), count = 0;
        turns[count++] = t;
    }
    return count;
}

int kn_scene_normalise(const KnScene *scene, const void *position, void *normal)
{
    int turns[KN_SCENE_TURNS];
    kn_scene_frames(scene, position, normal, turns);
    return turns[0];
}

/* ---- Actions ---- */

static KnAction action_between(const KnScene *scene, int mover, const uint8_t *before, const uint8_t *after)
{
    KnAction own = {KN_NO_CELL, KN_NO_CELL, KN_NO_CELL}, any = own;
    int16_t turned = KN_NO_CELL;
    for (int i = scene->cells - 1; i >= 0; i--) {
        if (before[i] == after[i]) continue;
        int was = scene->owner[before[i]], is = scene->owner[after[i]];
        if (!after[i]) any.from = (int16_t)i;
        if (!before[i]) any.to = (int16_t)i;
        if (!after[i] && was == mover) own.from = (int16_t)i;
        if (!before[i] && is == mover) own.to = (int16_t)i;
        if (before[i] && is == mover) turned = (int16_t)i;
        if (!after[i] && was == 1 - mover) own.taken = (int16_t)i;
    }
    if (own.to == KN_NO_CELL) own.to = turned;
    if (own.to == KN_NO_CELL) own.to = any.to;
    if (own.from == KN_NO_CELL && any.from != own.taken) own.from = any.from;
    return own;
}

void kn_scene_actions(const KnScene *scene, const void *position, const KnMove *moves, int count,
                      KnAction *actions)
{
    const KnGame *game = scene->game;
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    uint8_t before[KN_SCENE_CELLS], after[KN_SCENE_CELLS];
    int mover = game->type->mover(game, position);
    kn_scene_cells(scene, position, before);
    for (int i = 0; i < count; i++) {
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        kn_scene_cells(scene, next, after);
        actions[i] = action_between(scene, mover, before, after);
    }
}

KnAction kn_scene_action(const KnScene *scene, const void *position, KnMove move)
{
    KnAction action;
    kn_scene_actions(scene, position, &move, 1, &action);
    return action;
}

KnMove kn_scene_move(const KnScene *scene, const void *position, KnAction action, const KnMove *moves,
                     int count)
{
    KnAction actions[count > 0 ? count : 1];
    kn_scene_actions(scene, position, moves, count, actions);
    for (int i = 0; i < count; i++)
        if (kn_action_equal(actions[i], action)) return moves[i];
    /* Where several men are taken, the one that is named is the first in its own frame; a turned board has
     * another first. */
    for (int i = 0; i < count; i++)
        if (actions[i].from == action.from && actions[i].to == action.to && actions[i].taken >= 0 &&
            action.taken >= 0)
            return moves[i];
    return KN_MOVE_NONE;
}
