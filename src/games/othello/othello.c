/* Othello on 8x8, 6x6 and 4x4. Black begins. A side without a legal square passes; the pass is then its only
 * move. The game is over when neither side can place a disc, without passes at the end.
 *
 * Points are counted as in tournaments: empty squares go to the winner (empties=winner), or to nobody; they
 * never change who wins. With payoff=discs the margin is the payoff, for solvers and players that maximise
 * it.
 *
 * Published perft numbers ("leaf nodes") include games that ended earlier: 24,571,284 at depth 10 are
 * 24,571,056 lines of ten moves and 228 games that end after nine. */
#include "games/registry.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/bit_cells.h"
#include "games/othello/board.h"

static void start(const KnGame *game, void *position)
{
    (void)game;
    *(KnOthelloPosition *)position = (KnOthelloPosition){
        .own = UINT64_C(0x0000000810000000), .their = UINT64_C(0x0000001008000000), .mover = 0};
}

static int mover(const KnGame *game, const void *position)
{
    (void)game;
    return (int)((const KnOthelloPosition *)position)->mover;
}

static int margin(const KnOthello *o, const KnOthelloPosition *p, int role)
{
    int own = __builtin_popcountll(kn_othello_discs(p, role)),
        their = __builtin_popcountll(kn_othello_discs(p, 1 - role));
    int empties = o->empties_to_winner ? o->size * o->size - own - their : 0;
    return own - their + (own > their ? empties : own < their ? -empties : 0);
}

static void payoffs(const KnGame *game, const void *position, double *out)
{
    const KnOthello *o = kn_othello_of(game);
    int black = margin(o, position, 0);
    out[0] = o->payoff_discs ? black : (black > 0) - (black < 0);
    out[1] = -out[0];
}

/* The margin; empty squares count only in a finished game. */
static double points(const KnGame *game, const void *position, int role)
{
    const KnOthello *o = kn_othello_of(game);
    const KnOthelloPosition *p = position;
    if (kn_othello_over(o, p)) return margin(o, p, role);
    return __builtin_popcountll(kn_othello_discs(p, role)) -
           __builtin_popcountll(kn_othello_discs(p, 1 - role));
}

static double material(const KnGame *game, const void *position, int role)
{
    (void)game;
    return __builtin_popcountll(kn_othello_discs(position, role));
}

/* Folded product of two 64-bit numbers. */
static inline uint64_t fold(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Computed when needed: two multiplications cost less than an incremental Zobrist key for every flipped disc.
 */
static uint64_t hash(const KnGame *game, const void *position)
{
    (void)game;
    const KnOthelloPosition *p = position;
    uint64_t first = fold(p->own ^ UINT64_C(0x9e3779b97f4a7c15), p->their ^ UINT64_C(0xe7037ed1a0b428db));
    return fold(first ^ UINT64_C(0x8ebc6af09c88c6e3),
                (p->own + kn_rotl64(p->their, 32) + p->mover) ^ UINT64_C(0x589965cc75374cc3));
}

/* Symmetries: bit 0 mirrors left and right, bit 1 top and bottom, bit 2 transposes, in this order; bit 3
 * exchanges the colours. */
static uint64_t turn(int symmetry, uint64_t s)
{
    if (symmetry & 1) {
        s = (s >> 1 & 0x5555555555555555u) | (s & 0x5555555555555555u) << 1;
        s = (s >> 2 & 0x3333333333333333u) | (s & 0x3333333333333333u) << 2;
        s = (s >> 4 & 0x0f0f0f0f0f0f0f0fu) | (s & 0x0f0f0f0f0f0f0f0fu) << 4;
    }
    if (symmetry & 2) s = __builtin_bswap64(s);
    if (symmetry & 4) {
        uint64_t t = (s ^ s << 28) & 0x0f0f0f0f00000000u;
        s ^= t ^ t >> 28;
        t = (s ^ s << 14) & 0x3333000033330000u;
        s ^= t ^ t >> 14;
        t = (s ^ s << 7) & 0x5500550055005500u;
        s ^= t ^ t >> 7;
    }
    return s;
}

static void transform(const KnGame *game, int symmetry, const void *position, void *out)
{
    (void)game;
    const KnOthelloPosition *p = position;
    *(KnOthelloPosition *)out = (KnOthelloPosition){
        turn(symmetry, p->own), p->mover ^ (uint64_t)(symmetry >> 3), turn(symmetry, p->their)};
}

static KnMove transform_move(const KnGame *game, int symmetry, const void *position, KnMove move)
{
    (void)game, (void)position;
    if (move >= KN_OTHELLO_PASS) return move;
    KnMove row = move / 8, column = move % 8;
    if (symmetry & 1) column = 7 - column;
    if (symmetry & 2) row = 7 - row;
    return symmetry & 4 ? column * 8 + row : row * 8 + column;
}

static int transform_role(const KnGame *game, int symmetry, int role)
{
    (void)game;
    return symmetry & 8 ? 1 - role : role;
}

static int phase(const KnGame *game, const void *position)
{
    const KnOthelloPosition *p = position;
    return kn_othello_phase(kn_othello_of(game), __builtin_popcountll(p->own | p->their));
}

static int cell_bit(const KnOthello *o, int index)
{
    return kn_othello_square(o, index / o->size, index % o->size);
}

static int cell(const KnGame *game, const void *position, int index)
{
    int bit = cell_bit(kn_othello_of(game), index);
    return (int)(kn_othello_discs(position, 0) >> bit & 1) +
           2 * (int)(kn_othello_discs(position, 1) >> bit & 1);
}

/* The eight bits of a row as eight bytes of 0 or 1, the lowest bit first. */
static uint64_t spread(uint64_t row)
{
    return ((row & 0x7f) * 0x0002040810204081u & 0x0001010101010101u) | (row & 0x80) << 49;
}

#if defined(__x86_64__)
#define EIGHT(x) x, x, x, x, x, x, x, x
#define BITS     1, 2, 4, 8, 16, 32, 64, 128
static const KnBitOrder bits_in_order = {{EIGHT(0), EIGHT(1), EIGHT(2), EIGHT(3)}, {BITS, BITS, BITS, BITS}};

/* A board of 8x8. */
__attribute__((target("avx2"))) static void board_avx2(uint64_t first, uint64_t second, uint8_t *cells)
{
    const __m256i one = _mm256_set1_epi8(1), two = _mm256_set1_epi8(2);
    for (int half = 0; half < 2; half++) {
        __m256i ones = kn_bit_cells((uint32_t)(first >> 32 * half), &bits_in_order),
                twos = kn_bit_cells((uint32_t)(second >> 32 * half), &bits_in_order);
        _mm256_storeu_si256((__m256i *)(void *)(cells + 32 * half),
                            _mm256_or_si256(_mm256_and_si256(ones, one), _mm256_and_si256(twos, two)));
    }
}
#endif

static void board(const KnGame *game, const void *position, uint8_t *cells)
{
    const KnOthello *o = kn_othello_of(game);
    uint64_t first = kn_othello_discs(position, 0), second = kn_othello_discs(position, 1);
#if defined(__x86_64__)
    if (o->size == 8 && __builtin_cpu_supports("avx2")) {
        board_avx2(first, second, cells);
        return;
    }
#endif
    for (int row = 0; row < o->size; row++) {
        int shift = kn_othello_square(o, row, 0);
        uint64_t bytes = spread(first >> shift & 0xff) | spread(second >> shift & 0xff) << 1;
        if (row + 1 < o->size)
            memcpy(cells + row * o->size, &bytes, sizeof bytes); /* the next row overwrites the rest */
        else
            memcpy(cells + row * o->size, &bytes, (size_t)o->size);
    }
}

static void cell_place(const KnGame *game, int index, double *x, double *y)
{
    *x = index % kn_othello_of(game)->size;
    *y = index / kn_othello_of(game)->size;
}

static void cell_name(const KnGame *game, int index, KnText *out)
{
    kn_othello_move_text(game, NULL, (KnMove)cell_bit(kn_othello_of(game), index), out);
}

/* Base 3 over the squares (0 empty, 1 own, 2 opponent), then the mover: up to 36 squares fit. */
static uint64_t pack(const KnGame *game, const void *position)
{
    const KnOthello *o = kn_othello_of(game);
    const KnOthelloPosition *p = position;
    uint64_t code = 0;
    for (int i = o->size * o->size - 1; i >= 0; i--) {
        int bit = cell_bit(o, i);
        code = code * 3 + (p->own >> bit & 1) + 2 * (p->their >> bit & 1);
    }
    return code << 1 | p->mover;
}

static void unpack(const KnGame *game, uint64_t code, void *position)
{
    const KnOthello *o = kn_othello_of(game);
    KnOthelloPosition p = {.mover = code & 1};
    code >>= 1;
    for (int i = 0; i < o->size * o->size; i++, code /= 3) {
        p.own |= (uint64_t)(code % 3 == 1) << cell_bit(o, i);
        p.their |= (uint64_t)(code % 3 == 2) << cell_bit(o, i);
    }
    *(KnOthelloPosition *)position = p;
}

static void make_rays(KnOthello *o)
{
    static const int rows[4] = {0, 1, 1, 1}, columns[4] = {1, -1, 0, 1};
    for (int square = 0; square < 64; square++)
        for (int i = 0; i < 8; i++) {
            int axis = i % 4, sense = i < 4 ? 1 : -1;
            uint64_t *ray = i < 4 ? &o->rays[square].up[axis] : &o->rays[square].down[axis];
            int row = square / 8 + sense * rows[axis], column = square % 8 + sense * columns[axis];
            for (; row >= 0 && row < 8 && column >= 0 && column < 8;
                 row += sense * rows[axis], column += sense * columns[axis])
                *ray |= UINT64_C(1) << (row * 8 + column);
        }
}

/* A square's class is that of its counterpart on 8x8, by distance from the edges. Smaller boards skip the
 * middle distances: 6x6 has corner, neighbour and centre, 4x4 corner and centre. */
static void make_squares(KnOthello *o)
{
    static const int counterpart[3][4] = {{0, 3}, {0, 1, 3}, {0, 1, 2, 3}}; /* of 4x4, 6x6, 8x8 */
    static const int class_at[4][4] = {{0, 1, 2, 3}, {1, 4, 5, 6}, {2, 5, 7, 8}, {3, 6, 8, 9}};
    int last = o->size - 1;
    for (int row = 0; row <= last; row++)
        for (int column = 0; column <= last; column++) {
            uint64_t bit = UINT64_C(1) << kn_othello_square(o, row, column);
            int r = row < last - row ? row : last - row, c = column < last - column ? column : last - column;
            const int *to = counterpart[o->size / 2 - 2];
            o->board |= bit;
            o->classes[class_at[to[r]][to[c]]] |= bit;
            if (r == 0 && c == 0)
                o->corners |= bit;
            else if ((r == 0 && c > 1) || (c == 0 && r > 1))
                o->edges |= bit;
        }
}

static const char *const role_names[] = {"black", "white"};

static const KnOption options[] = {{"size", KN_OPTION_INTEGER, "8", 4, 8, NULL, "squares a side: 4, 6 or 8"},
                                   {"empties", KN_OPTION_CHOICE, "winner", 0, 0, "winner|nobody",
                                    "who gets the squares left empty when points are counted"},
                                   {"payoff", KN_OPTION_CHOICE, "result", 0, 0, "result|discs",
                                    "what is played for: to win, or as large a margin as possible"},
                                   {0}};

static const KnGameType plain, plain_packed;
#if defined(__x86_64__)
static const KnGameType avx2, avx2_packed;
#endif

/* Chooses the function table by size and processor; the tables differ only in that. */
static void choose(KnGame *game, bool packed)
{
    game->type = packed ? &plain_packed : &plain;
    game->evaluations = kn_othello_evaluations_plain;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("popcnt")) {
        game->type = packed ? &avx2_packed : &avx2;
        game->evaluations = kn_othello_evaluations_avx2;
    }
#endif
}

static KnStatus open(KnGame *game, const KnOptions *bound, KnError *error)
{
    int size = (int)kn_option_integer(bound, "size");
    if (size % 2)
        return kn_fail(error, KN_INPUT,
                       "othello: size=%d: the board has an even number of squares a side: 4, 6 or 8", size);
    KnOthello *o = aligned_alloc(_Alignof(KnOthello), sizeof *o);
    if (!o) return kn_fail_memory(error, "opening othello");
    memset(o, 0, sizeof *o);
    o->size = size;
    o->margin = (8 - size) / 2;
    o->empties_to_winner = kn_option_choice(bound, "empties") == 0;
    o->payoff_discs = kn_option_choice(bound, "payoff") == 1;
    make_rays(o);
    make_squares(o);
    game->data = o;
    if (size == 8) {
        o->patterns = kn_othello_patterns_new();
        if (!o->patterns) return kn_fail_memory(error, "opening othello");
        game->feature_tables = kn_othello_patterns_table(o->patterns);
    }
    game->position_size = sizeof(KnOthelloPosition);
    game->max_moves = (size * size - 4 + KN_OTHELLO_ROUND - 1) / KN_OTHELLO_ROUND * KN_OTHELLO_ROUND;
    game->roles = 2;
    game->traits = KN_GAME_ZERO_SUM | KN_GAME_TOGETHER;
    if (o->payoff_discs) {
        game->payoff_high = size * size;
        game->payoff_low = -game->payoff_high;
    }
    game->role_names = role_names;
    game->symmetries = 16;
    game->features = kn_othello_features;
    game->feature_count = kn_othello_feature_count;
    game->cells = size * size;
    game->cell_symbols = "-XO";
    game->phases = 4;
    choose(game, size <= 6);
    return KN_OK;
}

static void close(KnGame *game)
{
    KnOthello *o = game->data;
    if (o) kn_othello_patterns_free(o->patterns);
    free(o);
}

#define OTHELLO(kernel, the_pack, the_unpack)                                                                \
    {                                                                                                        \
        .head = {"othello", "discs turned over by enclosing them, on 8x8, 6x6 or 4x4 squares", options},     \
        .open = open, .close = close, .start = start, .mover = mover, .moves = kn_othello_moves_##kernel,    \
        .play = kn_othello_play_##kernel, .count = kn_othello_count_##kernel, .payoffs = payoffs,            \
        .hash = hash, .move_text = kn_othello_move_text, .parse_move = kn_othello_parse_move,                \
        .position_text = kn_othello_position_text, .parse_position = kn_othello_parse_position,              \
        .draw = kn_othello_draw, .check = kn_othello_check, .transform = transform,                          \
        .transform_move = transform_move, .transform_role = transform_role,                                  \
        .feature_values = kn_othello_feature_values, .material = material, .points = points, .phase = phase, \
        .cell = cell, .board = board, .cell_place = cell_place, .cell_name = cell_name, .pack = the_pack,    \
        .unpack = the_unpack,                                                                                \
    }

static const KnGameType plain = OTHELLO(plain, NULL, NULL);
static const KnGameType plain_packed = OTHELLO(plain, pack, unpack);
#if defined(__x86_64__)
static const KnGameType avx2 = OTHELLO(avx2, NULL, NULL);
static const KnGameType avx2_packed = OTHELLO(avx2, pack, unpack);
#endif
const KnGameType kn_othello = OTHELLO(plain, NULL, NULL);
