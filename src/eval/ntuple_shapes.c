/* The tuples of a board: single cells, lines, blocks, and walks over neighbouring cells. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"
#include "eval/ntuple_inside.h"

enum {
    DIRECTIONS = 8,
    TABLE_GOOD = 16384, /* entries of a table that games of a minute fill */
    BLOCKS_MOST = 600,  /* placements beyond which blocks would cost too much time */
    WALKS_LEAST = 6,
    UNIFORM_LEAST = 36, /* cells of a board on which lines may share tables */
    BYTES = 16          /* of a weight while it is trained */
};

/* East, north-east, and so on around; y grows downwards. */
static const int toward[DIRECTIONS][2] = {{1, 0},  {1, -1}, {0, -1}, {-1, -1},
                                          {-1, 0}, {-1, 1}, {0, 1},  {1, 1}};

typedef struct Shapes {
    const KnGame *game;
    const KnCellSymmetries *symmetries;
    KnNtuple *net;
    KnError *error;
    double x[KN_NTUPLE_CELLS], y[KN_NTUPLE_CELLS];
    int next[KN_NTUPLE_CELLS][DIRECTIONS]; /* the nearest cell in each direction, or -1 */
    int symbols, length;
    double weights, weights_most; /* of all tables of a phase and a side */
    uint64_t *known;              /* hashes of the tuples so far */
    int known_count;
} Shapes;

/* ---- the board ---- */

static void place_cells(Shapes *s)
{
    for (int c = 0; c < s->game->cells; c++)
        if (s->game->type->cell_place)
            s->game->type->cell_place(s->game, c, &s->x[c], &s->y[c]);
        else
            s->x[c] = c; /* a strip */
}

static double nearest_distance(const Shapes *s)
{
    double least = INFINITY;
    for (int c = 0; c < s->game->cells; c++)
        for (int d = 0; d < c; d++) least = fmin(least, kn_math_hypot(s->x[c] - s->x[d], s->y[c] - s->y[d]));
    return least;
}

/* Rows and columns reach any distance, as the lines of a morris board do; diagonals only the next cell. */
static void find_neighbours(Shapes *s)
{
    const double reach = 1.5 * nearest_distance(s), close = 1e-6;
    for (int c = 0; c < s->game->cells; c++)
        for (int k = 0; k < DIRECTIONS; k++) {
            double best = k % 2 ? reach : INFINITY;
            s->next[c][k] = -1;
            for (int d = 0; d < s->game->cells; d++) {
                double dx = s->x[d] - s->x[c], dy = s->y[d] - s->y[c],
                       along = dx * toward[k][0] + dy * toward[k][1],
                       across = dx * toward[k][1] - dy * toward[k][0], distance = kn_math_hypot(dx, dy);
                if (along < close || fabs(across) > close || distance >= best) continue;
                best = distance;
                s->next[c][k] = d;
            }
        }
}

/* ---- tuples ---- */

static int compare_cells(const void *a, const void *b)
{
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

/* A hash of the set of cells, the same for all symmetric sets. */
static uint64_t identify(const Shapes *s, int length, const uint16_t *images)
{
    uint64_t least = UINT64_MAX;
    for (int k = 0; k < s->symmetries->count; k++) {
        uint16_t sorted[KN_NTUPLE_LENGTH];
        memcpy(sorted, images + k * length, (size_t)length * sizeof *sorted);
        qsort(sorted, (size_t)length, sizeof *sorted, compare_cells);
        uint64_t hash = kn_hash64(sorted, (size_t)length * sizeof *sorted, 7);
        if (hash < least) least = hash;
    }
    return least;
}

/* Adds a tuple with all its symmetric placements. A tuple that is its own mirror image gets both orders of
 * its cells, or the network would not be symmetric. *added: it is new, and there is memory for it. */
static KnStatus add_tuple(Shapes *s, int length, const uint16_t *cells, bool *added)
{
    uint16_t images[KN_CELL_SYMMETRIES * KN_NTUPLE_LENGTH];
    int count = 0;
    *added = false;
    for (int k = 0; k < s->symmetries->count; k++)
        for (int i = 0; i < length; i++) images[k * length + i] = s->symmetries->cells[k][cells[i]];
    uint64_t identity = identify(s, length, images);
    for (int i = 0; i < s->known_count; i++)
        if (s->known[i] == identity) return KN_OK;
    for (int k = 0; k < s->symmetries->count; k++) { /* each order of cells once */
        bool new = true;
        for (int j = 0; j < count && new; j++)
            new = memcmp(images + j * length, images + k * length, (size_t)length * sizeof *images) != 0;
        if (new) memmove(images + count++ * length, images + k * length, (size_t)length * sizeof *images);
    }
    double entries = kn_math_pow(s->symbols, length);
    if (s->weights + entries > s->weights_most || count > KN_NTUPLE_PLACEMENTS - kn_ntuple_placements(s->net))
        return KN_OK;
    s->weights += entries;
    s->known[s->known_count++] = identity;
    *added = true;
    return kn_ntuple_add(s->net, length, count, images, s->error);
}

static KnStatus add_singles(Shapes *s)
{
    KnStatus status = KN_OK;
    bool added;
    for (uint16_t c = 0; c < s->game->cells && status == KN_OK; c++) status = add_tuple(s, 1, &c, &added);
    return status;
}

/* Whole lines of three cells or more, or all stretches of longer ones. */
static KnStatus add_lines(Shapes *s)
{
    KnStatus status = KN_OK;
    for (int c = 0; c < s->game->cells; c++)
        for (int k = 0; k < DIRECTIONS / 2; k++) {
            uint16_t line[KN_NTUPLE_CELLS];
            int length = 0;
            bool added;
            if (s->next[c][k + DIRECTIONS / 2] >= 0) continue; /* not the beginning of a line */
            for (int d = c; d >= 0 && length < s->game->cells; d = s->next[d][k])
                line[length++] = (uint16_t)d;
            int part = length < s->length ? length : s->length;
            for (int i = 0; part >= 3 && i + part <= length && status == KN_OK; i++)
                status = add_tuple(s, part, line + i, &added);
        }
    return status;
}

/* Cells of a block of `columns` by `rows` with its corner at a cell; false if it leaves the board. */
static bool block_at(const Shapes *s, int corner, int columns, int rows, uint16_t *cells)
{
    int start = corner, count = 0;
    for (int r = 0; r < rows; r++) {
        int at = start;
        for (int i = 0; i < columns; i++) {
            if (at < 0) return false;
            cells[count++] = (uint16_t)at;
            if (i + 1 < columns) at = s->next[at][0];
        }
        if (r + 1 < rows) start = s->next[start][6];
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (cells[i] == cells[j]) return false;
    return true;
}

/* Blocks of 3 by 2 and 2 by 3, where the nearest cells are those of rows and columns. */
static KnStatus add_blocks(Shapes *s)
{
    KnStatus status = KN_OK;
    const int cells = s->game->cells;
    if (s->length < 6 || kn_ntuple_placements(s->net) + 2 * cells > BLOCKS_MOST) return KN_OK;
    for (int c = 0; c < cells; c++)
        for (int upright = 0; upright < 2 && status == KN_OK; upright++) {
            uint16_t block[6];
            bool added;
            int right = s->next[c][0], diagonal = s->next[c][7];
            if (right < 0 || diagonal < 0 ||
                kn_math_hypot(s->x[diagonal] - s->x[c], s->y[diagonal] - s->y[c]) <
                    kn_math_hypot(s->x[right] - s->x[c], s->y[right] - s->y[c]))
                continue;
            if (block_at(s, c, upright ? 2 : 3, upright ? 3 : 2, block))
                status = add_tuple(s, 6, block, &added);
        }
    return status;
}

/* ---- tuples that share a table wherever they lie ---- */

/* The places of a tuple. */
typedef struct Places {
    int length, count;
    uint16_t cells[KN_NTUPLE_PLACEMENTS * KN_NTUPLE_LENGTH];
} Places;

static bool has_place(const Places *places, const uint16_t *cells)
{
    for (int i = 0; i < places->count; i++)
        if (memcmp(places->cells + i * places->length, cells, (size_t)places->length * sizeof *cells) == 0)
            return true;
    return false;
}

/* Adds a place and its symmetric ones, as far as there is room. */
static void add_place(const Shapes *s, Places *places, const uint16_t *cells)
{
    for (int k = 0; k < s->symmetries->count && places->count < KN_NTUPLE_PLACEMENTS; k++) {
        uint16_t *image = places->cells + places->count * places->length;
        for (int i = 0; i < places->length; i++) image[i] = s->symmetries->cells[k][cells[i]];
        places->count += !has_place(places, image);
    }
}

/* One tuple at all these places, unless one of them belongs to an earlier shared tuple. */
static KnStatus add_shared(Shapes *s, const Places *places)
{
    double entries = kn_math_pow(s->symbols, places->length);
    if (!places->count || s->weights + entries > s->weights_most || entries > KN_NTUPLE_TABLE ||
        places->count > KN_NTUPLE_PLACEMENTS - kn_ntuple_placements(s->net))
        return KN_OK;
    uint64_t identity = ~identify(s, places->length, places->cells);
    for (int i = 0; i < s->known_count; i++)
        if (s->known[i] == identity) return KN_OK;
    s->known[s->known_count++] = identity;
    s->weights += entries;
    return kn_ntuple_add(s->net, places->length, places->count, places->cells, s->error);
}

/* All stretches of `length` cells in a direction; `whole`: only those that are a whole line. */
static KnStatus share_lines(Shapes *s, int direction, int length, bool whole, Places *places)
{
    *places = (Places){.length = length};
    for (int c = 0; c < s->game->cells; c++) {
        uint16_t line[KN_NTUPLE_LENGTH];
        int count = 0, d = c;
        if (whole && s->next[c][direction + DIRECTIONS / 2] >= 0) continue;
        for (; d >= 0 && count < length; d = s->next[d][direction]) line[count++] = (uint16_t)d;
        if (count == length && !(whole && d >= 0)) add_place(s, places, line);
    }
    return add_shared(s, places);
}

/* Lines whose tables do not depend on their place: whole ones where they are short, else stretches of two
 * lengths. The shorter stretches are soon learned, the longer ones see what surrounds them. */
static KnStatus add_shared_lines(Shapes *s)
{
    int middle = (s->length + 2) / 2;
    Places *places = malloc(sizeof *places);
    KnStatus status = places ? KN_OK : kn_fail_memory(s->error, "making a network");
    for (int k = 0; k < DIRECTIONS / 2 && status == KN_OK; k++) {
        status = share_lines(s, k, middle, false, places);
        if (status == KN_OK) status = share_lines(s, k, s->length, false, places);
        for (int length = 3; length < s->length && status == KN_OK; length++)
            if (length != middle) status = share_lines(s, k, length, true, places);
    }
    free(places);
    return status;
}

/* Whether cells differ by their surroundings only: a large board that is empty at the start. */
static bool is_uniform(const Shapes *s)
{
    const KnGame *game = s->game;
    unsigned char start[game->position_size] __attribute__((aligned(16)));
    uint8_t cells[KN_NTUPLE_CELLS];
    bool empty = game->cells >= UNIFORM_LEAST && game->type->cell_place;
    game->type->start(game, start);
    kn_game_board(game, start, cells);
    for (int c = 0; c < game->cells && empty; c++) empty = cells[c] == 0;
    return empty;
}

/* ---- walks ---- */

/* A random neighbour that is not yet in the walk; -1 if there is none. */
static int draw_neighbour(const Shapes *s, int cell, const uint16_t *walk, int length, KnRng *rng)
{
    int free[DIRECTIONS], count = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
        bool good = s->next[cell][k] >= 0;
        for (int i = 0; i < length && good; i++) good = walk[i] != s->next[cell][k];
        if (good) free[count++] = s->next[cell][k];
    }
    return count ? free[kn_rng_below(rng, (uint32_t)count)] : -1;
}

/* A walk goes on from its last cell, or from an earlier one where that is closed in. */
static int draw_walk(const Shapes *s, uint16_t *walk, KnRng *rng)
{
    int length = 1;
    walk[0] = (uint16_t)kn_rng_below(rng, (uint32_t)s->game->cells);
    while (length < s->length) {
        int found = -1;
        for (int i = length - 1; i >= 0 && found < 0; i--)
            found = draw_neighbour(s, walk[i], walk, length, rng);
        if (found < 0) break;
        walk[length++] = (uint16_t)found;
    }
    return length;
}

static KnStatus add_walks(Shapes *s, int wanted, KnRng *rng)
{
    KnStatus status = KN_OK;
    int tries = 40 * (wanted ? wanted : s->game->cells + WALKS_LEAST), before = kn_ntuple_placements(s->net);
    for (int walks = 0; tries > 0 && status == KN_OK; tries--) {
        uint16_t walk[KN_NTUPLE_LENGTH];
        bool added,
            enough = wanted ? walks >= wanted
                            : walks >= WALKS_LEAST && kn_ntuple_placements(s->net) - before >= s->game->cells;
        if (enough) break;
        int length = draw_walk(s, walk, rng);
        if (length < 2) continue;
        status = add_tuple(s, length, walk, &added);
        walks += added;
    }
    return status;
}

/* The longest tuple whose table still fills. */
static int good_length(const Shapes *s, int asked)
{
    int most = asked ? asked : KN_NTUPLE_LENGTH, length = 0;
    double limit = asked ? KN_NTUPLE_TABLE : TABLE_GOOD, entries = s->symbols;
    while (length < most && length < s->game->cells && entries <= limit) {
        length++;
        entries *= s->symbols;
    }
    return length;
}

KnStatus kn_network_add_tuples(const KnGame *game, const KnNetworkPlan *plan,
                               const KnCellSymmetries *symmetries, KnNtuple *net, bool *shared,
                               KnError *error)
{
    Shapes *s = calloc(1, sizeof *s);
    KnRng rng = kn_rng_stream(plan->seed, 0x7a1c);
    if (!s || !(s->known = calloc(KN_NTUPLE_PLACEMENTS, sizeof *s->known))) {
        free(s);
        return kn_fail_memory(error, "making a network");
    }
    int sets = symmetries->exchanges ? 1 : 2;
    s->game = game;
    s->symmetries = symmetries;
    s->net = net;
    s->error = error;
    s->symbols = kn_ntuple_symbols(net);
    s->length = good_length(s, plan->length);
    s->weights_most =
        fmin(plan->memory * (1 << 20) / BYTES, KN_NTUPLE_WEIGHTS) / sets / kn_ntuple_phases(net) - 16;
    place_cells(s);
    find_neighbours(s);
    KnStatus status = add_singles(s);
    *shared = is_uniform(s);
    if (status == KN_OK && *shared) status = add_shared_lines(s);
    if (status == KN_OK && !*shared) status = add_lines(s);
    if (status == KN_OK && !*shared) status = add_blocks(s);
    if (status == KN_OK && (plan->walks || !*shared)) status = add_walks(s, plan->walks, &rng);
    if (status == KN_OK && !kn_ntuple_tuples(net))
        status = kn_fail(error, KN_INPUT, "%g MiB are too few for a network of %s", plan->memory, game->spec);
    free(s->known);
    free(s);
    return status;
}
