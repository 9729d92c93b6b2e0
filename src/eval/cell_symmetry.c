/* The hooks transform positions, not cells. So random positions and their images are compared: a cell has a
 * history of contents, a hash of the positions in which each symbol was there. A symmetry maps a cell to the
 * cell whose history in the images is the same. Further positions check the result. */
#include "eval/cell_symmetry.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/exchange.h"

enum { POSITIONS = 600, PLIES = 300, ROUNDS = 12 };

/* Random positions, and scratch for their images and cells. */
typedef struct Samples {
    const KnGame *game;
    KnMove *moves;
    unsigned char *position, *image;
    KnRng rng;
    int plies;
    uint8_t before[KN_LOOK_CELLS], after[KN_LOOK_CELLS];
} Samples;

/* The next random position of random games. */
static void step(Samples *s)
{
    const KnGame *game = s->game;
    int count = s->plies < PLIES ? game->type->moves(game, s->position, s->moves) : 0;
    if (count) {
        game->type->play(game, s->position, s->moves[kn_rng_below(&s->rng, (uint32_t)count)]);
        s->plies++;
    } else {
        game->type->start(game, s->position);
        s->plies = 0;
    }
}

static int role_image(const KnGame *game, int symmetry, int role)
{
    return game->type->transform_role ? game->type->transform_role(game, symmetry, role) : role;
}

/* What a history holds: for each cell and symbol a hash of the positions. */
typedef struct Histories {
    uint64_t of[KN_LOOK_CELLS][KN_LOOK_SYMBOLS];
} Histories;

/* Adds POSITIONS further positions, beginning with number `first`, to the histories. */
static void watch(Samples *s, int symmetry, int first, Histories *before, Histories *after)
{
    const KnGame *game = s->game;
    for (int i = 0; i < POSITIONS; i++, step(s)) {
        uint64_t hash = kn_mix64((uint64_t)(first + i) + 1);
        game->type->transform(game, symmetry, s->position, s->image);
        kn_game_board(game, s->position, s->before);
        kn_game_board(game, s->image, s->after);
        for (int c = 0; c < game->cells; c++) {
            before->of[c][s->before[c]] ^= hash;
            after->of[c][s->after[c]] ^= hash;
        }
    }
}

/* The symbol whose places before are those of its image after. Symbols that never occurred go in order. */
static bool match_symbols(const KnGame *game, int symbols, const Histories *before, const Histories *after,
                          uint8_t *image)
{
    uint64_t from[KN_LOOK_SYMBOLS] = {0}, to[KN_LOOK_SYMBOLS] = {0};
    bool taken[KN_LOOK_SYMBOLS] = {false};
    for (int c = 0; c < game->cells; c++)
        for (int s = 0; s < symbols; s++) {
            from[s] += kn_mix64(before->of[c][s]);
            to[s] += kn_mix64(after->of[c][s]);
        }
    for (int s = 0; s < symbols; s++) {
        int match = -1;
        if (!taken[s] && from[s] == to[s]) match = s;
        for (int t = 0; t < symbols && match < 0; t++)
            if (!taken[t] && from[s] == to[t]) match = t;
        if (match < 0) return false;
        taken[match] = true;
        image[s] = (uint8_t)match;
    }
    return image[0] == 0;
}

/* *unsure: some cell has several matches; it gets the first. */
static bool match_cells(const KnGame *game, int symbols, const Histories *before, const Histories *after,
                        const uint8_t *symbol, uint16_t *image, bool *unsure)
{
    bool taken[KN_LOOK_CELLS] = {false};
    *unsure = false;
    for (int c = 0; c < game->cells; c++) {
        int match = -1;
        for (int d = 0; d < game->cells; d++) {
            bool same = !taken[d];
            for (int s = 0; s < symbols && same; s++) same = before->of[c][s] == after->of[d][symbol[s]];
            if (!same) continue;
            if (match >= 0) *unsure = true;
            if (match < 0) match = d;
        }
        if (match < 0) return false;
        taken[match] = true;
        image[c] = (uint16_t)match;
    }
    return true;
}

/* Watches until every cell has one match, or long enough. */
static bool match(Samples *s, int symmetry, Histories *both, uint8_t *symbol, uint16_t *image)
{
    int symbols = (int)strlen(s->game->cell_symbols);
    bool found = true, unsure = true;
    memset(both, 0, 2 * sizeof *both);
    for (int round = 0; round < ROUNDS && found && unsure; round++) {
        watch(s, symmetry, round * POSITIONS, &both[0], &both[1]);
        found = match_symbols(s->game, symbols, &both[0], &both[1], symbol) &&
                match_cells(s->game, symbols, &both[0], &both[1], symbol, image, &unsure);
    }
    return found;
}

/* Whether the permutation holds on further positions, together with mover and phase. */
static bool check(Samples *s, int symmetry, const uint8_t *symbol, const uint16_t *image)
{
    const KnGame *game = s->game;
    for (int i = 0; i < POSITIONS; i++, step(s)) {
        game->type->transform(game, symmetry, s->position, s->image);
        kn_game_board(game, s->position, s->before);
        kn_game_board(game, s->image, s->after);
        if (game->type->mover(game, s->image) !=
            role_image(game, symmetry, game->type->mover(game, s->position)))
            return false;
        if (game->type->phase && game->type->phase(game, s->image) != game->type->phase(game, s->position))
            return false;
        for (int c = 0; c < game->cells; c++)
            if (s->after[image[c]] != symbol[s->before[c]]) return false;
    }
    return true;
}

static void find(Samples *s, int symmetry, Histories *both, KnCellSymmetries *found)
{
    const KnGame *game = s->game;
    int symbols = (int)strlen(game->cell_symbols);
    bool exchange = role_image(game, symmetry, 0) == 1;
    uint8_t symbol[KN_LOOK_SYMBOLS];
    uint16_t image[KN_LOOK_CELLS];
    if (exchange ? found->exchanges : found->count == KN_CELL_SYMMETRIES) return;
    if (!match(s, symmetry, both, symbol, image) || !check(s, symmetry, symbol, image)) return;
    if (exchange) {
        found->exchanges = true;
        memcpy(found->exchange, image, sizeof image);
        memcpy(found->symbols, symbol, sizeof symbol);
        return;
    }
    for (int k = 0; k < symbols; k++)
        if (symbol[k] != k) return; /* one side's men must stay that side's */
    memcpy(found->cells[found->count++], image, sizeof image);
}

KnStatus kn_cell_symmetries(const KnGame *game, KnCellSymmetries *found, KnError *error)
{
    size_t room = (game->position_size + 15) & ~(size_t)15;
    memset(found, 0, sizeof *found);
    for (int c = 0; c < game->cells; c++) found->cells[0][c] = (uint16_t)c;
    found->count = 1;
    found->exchanges = kn_game_exchange(game, found->exchange, found->symbols);
    if (!game->type->transform || game->symmetries < 2) return KN_OK;
    Samples s = {.game = game,
                 .moves = malloc((size_t)game->max_moves * sizeof *s.moves),
                 .position = aligned_alloc(16, room),
                 .image = aligned_alloc(16, room),
                 .rng = kn_rng_seeded(1)};
    Histories *both = malloc(2 * sizeof *both);
    KnStatus status = s.moves && s.position && s.image && both ? KN_OK
                                                               : kn_fail_memory(error, "finding symmetries");
    if (status == KN_OK) {
        game->type->start(game, s.position);
        for (int symmetry = 1; symmetry < game->symmetries; symmetry++) find(&s, symmetry, both, found);
    }
    free(s.moves);
    free(s.position);
    free(s.image);
    free(both);
    return status;
}
