#include "games/go/final_status.h"

#include <string.h>

#include <knack/base.h>
#include "base/hash.h"
#include "games/go/playout_policy.h"

enum {
    PLAYOUTS = 400,
    DEAD_PERCENT = 35,  /* of playouts in which a dead stone's owner keeps its point */
    OWNED_PERCENT = 75, /* of playouts that give a point to the same side, where the border is still open */
};

typedef int Kept[2][KN_GO_CELLS_MAX]; /* for each cell, how many playouts end with it in whose hands */

/* Cells with their neighbours, and components named by their first cell. */
typedef struct Board {
    int size, cells;
    uint8_t held[KN_GO_CELLS_MAX];
    int16_t name[KN_GO_CELLS_MAX]; /* of the string or of the empty region */
} Board;

static int neighbours(const Board *b, int cell, int next[4])
{
    int count = 0, x = cell % b->size;
    if (cell >= b->size) next[count++] = cell - b->size;
    if (x > 0) next[count++] = cell - 1;
    if (x < b->size - 1) next[count++] = cell + 1;
    if (cell < b->cells - b->size) next[count++] = cell + b->size;
    return count;
}

/* Names the components of cells that `kind` gives the same value. */
static void name_components(Board *b, const uint8_t *kind)
{
    int16_t stack[KN_GO_CELLS_MAX];
    for (int i = 0; i < b->cells; i++) b->name[i] = -1;
    for (int i = 0; i < b->cells; i++) {
        if (b->name[i] >= 0) continue;
        int top = 0;
        stack[top++] = (int16_t)i, b->name[i] = (int16_t)i;
        while (top > 0) {
            int cell = stack[--top], next[4], count = neighbours(b, cell, next);
            for (int n = 0; n < count; n++)
                if (b->name[next[n]] < 0 && kind[next[n]] == kind[i])
                    b->name[next[n]] = (int16_t)i, stack[top++] = (int16_t)next[n];
        }
    }
}

static void load(Board *b, const KnGame *game, const void *position)
{
    b->size = kn_go_size(game), b->cells = game->cells;
    kn_game_board(game, position, b->held);
}

/* ---- Benson's unconditional life ---- */

/* One colour at a time. A region is a component of what is not this colour; it is vital to a string if each
 * of its empty points is a liberty of that string. Strings with fewer than two vital regions go, then regions
 * that border on strings that went, until nothing changes. */
typedef struct Life {
    Board strings, regions;
    bool alive[KN_GO_CELLS_MAX], closed[KN_GO_CELLS_MAX]; /* by name */
} Life;

static bool touches(const Board *strings, int cell, int string, int colour)
{
    int next[4], count = neighbours(strings, cell, next);
    for (int n = 0; n < count; n++)
        if (strings->held[next[n]] == colour && strings->name[next[n]] == string) return true;
    return false;
}

static bool vital(const Life *life, int region, int string, int colour)
{
    bool any = false;
    for (int i = 0; i < life->regions.cells; i++) {
        if (life->regions.held[i] == colour || life->regions.name[i] != region) continue;
        bool next_to = touches(&life->strings, i, string, colour);
        any |= next_to;
        if (!life->regions.held[i] && !next_to) return false;
    }
    return any;
}

static bool drop_strings(Life *life, int colour)
{
    bool changed = false;
    for (int s = 0; s < life->strings.cells; s++) {
        if (life->strings.held[s] != colour || life->strings.name[s] != s || !life->alive[s]) continue;
        int count = 0;
        for (int r = 0; r < life->regions.cells && count < 2; r++)
            if (life->regions.held[r] != colour && life->regions.name[r] == r && life->closed[r])
                count += vital(life, r, s, colour);
        if (count >= 2) continue;
        life->alive[s] = false, changed = true;
    }
    return changed;
}

static void drop_regions(Life *life, int colour)
{
    for (int i = 0; i < life->regions.cells; i++) {
        if (life->regions.held[i] == colour) continue;
        int next[4], count = neighbours(&life->regions, i, next);
        for (int n = 0; n < count; n++)
            if (life->strings.held[next[n]] == colour && !life->alive[life->strings.name[next[n]]])
                life->closed[life->regions.name[i]] = false;
    }
}

void kn_go_benson(const KnGame *game, const void *position, bool alive[KN_GO_CELLS_MAX])
{
    Life life;
    uint8_t other[KN_GO_CELLS_MAX];
    memset(alive, 0, KN_GO_CELLS_MAX * sizeof *alive);
    load(&life.strings, game, position);
    name_components(&life.strings, life.strings.held);
    for (int colour = 1; colour <= 2; colour++) {
        life.regions = life.strings;
        for (int i = 0; i < life.strings.cells; i++) other[i] = life.strings.held[i] != colour;
        name_components(&life.regions, other);
        for (int i = 0; i < life.strings.cells; i++) life.alive[i] = life.closed[i] = true;
        while (drop_strings(&life, colour)) drop_regions(&life, colour);
        for (int i = 0; i < life.strings.cells; i++)
            if (life.strings.held[i] == colour) alive[i] = life.alive[life.strings.name[i]];
    }
}

/* ---- Playouts ---- */

static void play_out(const KnGame *game, const void *position, Kept kept)
{
    KnPlayoutBoard start, board;
    KnPlayoutPolicy policy;
    uint8_t first[KN_PLAYOUT_POINTS];
    KnRng rng = kn_rng_seeded(kn_hash64(position, game->position_size, 0x5ead));
    kn_playout_policy_fill(&policy, KN_PLAYOUT_FUEGO);
    kn_playout_board_set(&start, game, position);
    memset(kept, 0, sizeof(Kept));
    for (int n = 0; n < PLAYOUTS; n++) {
        board = start;
        memset(first, 0, sizeof first);
        kn_playout_policy_run(&policy, &board, 1 + n % 2, &rng, first);
        for (int i = 0; i < game->cells; i++) {
            int owner = kn_playout_board_owner(
                &board, kn_playout_board_point(&board, i % board.size, i / board.size));
            if (owner) kept[owner - 1][i]++;
        }
    }
}

/* Strings die as a whole. */
static void find_dead(const KnGame *game, const void *position, const Board *b, Kept kept, KnGoFinal *final)
{
    int stones[KN_GO_CELLS_MAX] = {0}, own[KN_GO_CELLS_MAX] = {0};
    bool alive[KN_GO_CELLS_MAX];
    kn_go_benson(game, position, alive);
    for (int i = 0; i < b->cells; i++) {
        if (!b->held[i]) continue;
        stones[b->name[i]]++;
        own[b->name[i]] += kept[b->held[i] - 1][i];
    }
    for (int i = 0; i < b->cells; i++) {
        int name = b->name[i];
        bool dead = b->held[i] && !alive[i] && 100 * own[name] < DEAD_PERCENT * PLAYOUTS * stones[name];
        final->status[i] = (uint8_t)(!b->held[i] ? KN_GO_EMPTY : dead ? KN_GO_DEAD : KN_GO_ALIVE);
    }
}

/* The owner of each region that is empty once the dead stones are off: who alone borders on it. Where both
 * do, the playouts give a point to the side that mostly gets it. */
static void find_owners(const Board *b, Kept kept, KnGoFinal *final)
{
    Board left = *b;
    uint8_t touched[KN_GO_CELLS_MAX] = {0};
    for (int i = 0; i < b->cells; i++)
        if (final->status[i] == KN_GO_DEAD) left.held[i] = 0;
    name_components(&left, left.held);
    for (int i = 0; i < b->cells; i++) {
        int next[4], count = neighbours(b, i, next);
        for (int n = 0; !left.held[i] && n < count; n++) touched[left.name[i]] |= left.held[next[n]];
    }
    final->area[0] = final->area[1] = 0;
    for (int i = 0; i < b->cells; i++) {
        int owner = left.held[i] ? left.held[i] : touched[left.name[i]];
        for (int side = 0; owner == 3 && side < 2; side++)
            if (100 * kept[side][i] >= OWNED_PERCENT * PLAYOUTS) owner = side + 1;
        final->owner[i] = (uint8_t)(owner == 3 ? 0 : owner);
        if (final->owner[i]) final->area[final->owner[i] - 1]++;
    }
}

static void find_seki(const Board *b, KnGoFinal *final)
{
    bool lives[KN_GO_CELLS_MAX] = {0}; /* by name */
    for (int i = 0; i < b->cells; i++) {
        int next[4], count = neighbours(b, i, next);
        for (int n = 0; final->status[i] == KN_GO_ALIVE && n < count; n++)
            if (b->held[next[n]] != b->held[i] && final->owner[next[n]] == b->held[i])
                lives[b->name[i]] = true;
    }
    for (int i = 0; i < b->cells; i++)
        if (final->status[i] == KN_GO_ALIVE && !lives[b->name[i]]) final->status[i] = KN_GO_SEKI;
}

void kn_go_final(const KnGame *game, const void *position, KnGoFinal *final)
{
    Board b;
    Kept kept;
    load(&b, game, position);
    name_components(&b, b.held);
    memset(final, 0, sizeof *final);
    play_out(game, position, kept);
    find_dead(game, position, &b, kept, final);
    find_owners(&b, kept, final);
    find_seki(&b, final);
    final->points = final->area[0] - final->area[1] - kn_go_komi(game);
}
