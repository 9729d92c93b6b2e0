/* Go on 2x2 to 19x19: area scoring, no suicide, two passes end the game. Simple ko is part of the position;
 * positional superko (the default) uses the history. Games with superko are finite but can be extremely long
 * if players fill their eyes, so all instances are declared endless and need a ply limit. */
#include "games/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/go/board.h"

static void start(const KnGame *game, void *position)
{
    memset(position, 0, game->position_size);
    ((KnGoPosition *)position)->ko = GO_NONE;
}

static int mover(const KnGame *game, const void *position)
{
    (void)game;
    return ((const KnGoPosition *)position)->mover;
}

static void payoffs(const KnGame *game, const void *position, double *out)
{
    double margin = kn_go_points(game, position, 0);
    out[0] = (margin > 0) - (margin < 0);
    out[1] = -out[0];
}

static uint64_t hash(const KnGame *game, const void *position)
{
    (void)game;
    const KnGoPosition *p = position;
    return p->board_hash ^ go_tail(p);
}

static void transform(const KnGame *game, int symmetry, const void *position, void *image)
{
    const KnGoRules *rules = go_rules(game);
    const KnGoPosition *p = position;
    KnGoPosition *q = image;
    memset(q, 0, game->position_size);
    q->ko = rules->images[symmetry][p->ko];
    q->mover = p->mover;
    q->passes = p->passes;
    int words = rules->shape.words;
    for (int i = 0; i < 3 * words; i++)
        for (uint64_t x = p->boards[i]; x; x &= x - 1) {
            unsigned code = rules->images[symmetry][i % words * 64 + __builtin_ctzll(x)];
            q->boards[i / words * words + (int)(code >> 6)] |= (uint64_t)1 << (code & 63);
            if (i < 2 * words) q->board_hash ^= rules->keys[i / words][code];
        }
}

static KnMove transform_move(const KnGame *game, int symmetry, const void *position, KnMove move)
{
    (void)position;
    return go_rules(game)->images[symmetry][move];
}

static int cell(const KnGame *game, const void *position, int index)
{
    const KnGoRules *rules = go_rules(game);
    const KnGoPosition *p = position;
    unsigned code = rules->codes[index], word = code >> 6, bit = code & 63;
    return (int)(go_stones(rules, p, 0)[word] >> bit & 1) +
           2 * (int)(go_stones(rules, p, 1)[word] >> bit & 1);
}

static void cell_place(const KnGame *game, int index, double *x, double *y)
{
    *x = index % go_rules(game)->size;
    *y = index / go_rules(game)->size;
}

static void cell_name(const KnGame *game, int index, KnText *out)
{
    kn_go_add_vertex(go_rules(game), go_rules(game)->codes[index], out);
}

/* The image of cell (x, y): s % 4 quarter turns, after a reflection if s is 4 or more. */
static int image_of_cell(int size, int s, int x, int y)
{
    if (s >= 4) x = size - 1 - x;
    for (int i = 0; i < s % 4; i++) {
        int turned = y;
        y = size - 1 - x;
        x = turned;
    }
    return y * size + x;
}

static void list_bits(KnGoRules *rules)
{
    for (unsigned byte = 0; byte < 256; byte++)
        for (uint8_t bit = 0; bit < 8; bit++)
            if (byte >> bit & 1) rules->bits[byte][rules->bit_counts[byte]++] = bit;
}

static void lay_out(KnGoRules *rules)
{
    int size = rules->size;
    KnGoShape s = rules->shape;
    for (int i = 0; i < GO_CODES; i++) {
        rules->cells[i] = GO_NONE;
        for (int symmetry = 0; symmetry < 8; symmetry++) rules->images[symmetry][i] = (uint16_t)i;
    }
    for (int i = 0; i < size * size; i++) {
        int x = i % size, y = i / size;
        unsigned code = (unsigned)(y / s.rows * 64 + y % s.rows * s.stride + x);
        rules->codes[i] = (uint16_t)code;
        rules->cells[code] = (uint16_t)i;
        rules->all.w[code >> 6] |= (uint64_t)1 << (code & 63);
        if (x == 0 || y == 0 || x == size - 1 || y == size - 1)
            rules->edge.w[code >> 6] |= (uint64_t)1 << (code & 63);
        for (int colour = 0; colour < 2; colour++) /* by place: stored hashes survive changes of the layout */
            rules->keys[colour][code] =
                kn_mix64(0x60u + (uint64_t)(colour * 32 * 32 + y * 32 + x) * 0x10001u);
    }
    for (int symmetry = 0; symmetry < 8; symmetry++)
        for (int i = 0; i < size * size; i++)
            rules->images[symmetry][rules->codes[i]] =
                rules->codes[image_of_cell(size, symmetry, i % size, i / size)];
}

static const char *const role_names[] = {"black", "white"};

static const KnOption options[] = {
    {"size", KN_OPTION_INTEGER, "9", KN_GO_SIZE_MIN, KN_GO_SIZE_MAX, NULL, "lines of the board"},
    {"komi", KN_OPTION_REAL, "7.5", -400, 400, NULL,
     "points that white gets for moving second; halves are allowed"},
    {"superko", KN_OPTION_CHOICE, "positional", 0, 0, "positional|none",
     "positional superko, or none (simple ko only)"},
    {0}};

static void close(KnGame *game) { free(game->data); }

static const KnGameType tiny_type, large_type;

static KnStatus open(KnGame *game, const KnOptions *bound, KnError *error)
{
    double komi = kn_option_real(bound, "komi");
    if (komi * 2 != floor(komi * 2))
        return kn_fail(error, KN_INPUT, "komi=%g: must be a whole number of points or halves, such as 7.5",
                       komi);
    KnGoRules *rules = game->data = calloc(1, sizeof *rules);
    if (!rules) return kn_fail_memory(error, "opening a game of Go");
    rules->size = (int)kn_option_integer(bound, "size");
    rules->komi_halves = (int)(komi * 2);
    rules->superko = kn_option_choice(bound, "superko") == 0;
    rules->shape = rules->size <= 9 ? go_small : go_large;
    lay_out(rules);
    list_bits(rules);
    if (rules->size <= 6) game->type = &tiny_type;
    if (rules->size > 9) game->type = &large_type;
    int points = rules->size * rules->size;
    game->position_size = sizeof(KnGoPosition) + 3 * (size_t)rules->shape.words * sizeof(uint64_t);
    game->max_moves = points + 1;
    game->roles = 2;
    game->traits = KN_GAME_ZERO_SUM | KN_GAME_ENDLESS | (rules->superko ? (unsigned)KN_GAME_LOOKS_BACK : 0);
    game->role_names = role_names;
    game->symmetries = 8;
    for (int i = 0; i < GO_FEATURES; i++) {
        rules->features[i] = kn_go_features[i];
        rules->features[i].low *= points;
        rules->features[i].high *= points;
    }
    game->features = rules->features;
    game->feature_count = GO_FEATURES;
    game->evaluations = kn_go_evaluations;
    game->cells = points;
    game->cell_symbols = ".xo";
    return KN_OK;
}

/* One game type for each shape: up to 6x6 (positions pack into a code), up to 9x9, and larger. */
#define GO_TYPE(shape, packing, unpacking)                                                                   \
    {                                                                                                        \
        .head = {"go", "Go on 2x2 to 19x19: area scoring, simple ko or superko", options}, .open = open,     \
        .close = close, .start = start, .mover = mover, .moves = kn_go_##shape##_moves,                      \
        .play = kn_go_##shape##_play, .barred = kn_go_barred, .keep_allowed = kn_go_keep_allowed,            \
        .trace = kn_go_trace, .payoffs = payoffs, .hash = hash, .move_text = kn_go_move_text,                \
        .parse_move = kn_go_parse_move, .position_text = kn_go_position_text,                                \
        .parse_position = kn_go_parse_position, .draw = kn_go_draw, .check = kn_go_check,                    \
        .transform = transform, .transform_move = transform_move, .feature_values = kn_go_feature_values,    \
        .material = kn_go_material, .points = kn_go_points, .cell = cell, .cell_place = cell_place,          \
        .cell_name = cell_name, .pack = packing, .unpack = unpacking,                                        \
    }
static const KnGameType tiny_type = GO_TYPE(small, kn_go_pack, kn_go_unpack);
static const KnGameType large_type = GO_TYPE(large, NULL, NULL);
const KnGameType kn_go = GO_TYPE(small, NULL, NULL);

bool kn_go_is(const KnGame *game) { return game->type->open == open; }
