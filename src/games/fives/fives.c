/* Fives: five in a row on 10x10, and any m,n,k-game: the first side with `line` men in a row, column or
 * diagonal wins; a full board is a draw. Longer lines win too, unless overline=ignored. */
#include "base/assert.h"
#include "games/registry.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <knack/base.h>
#include "games/fives/fives.h"
#include "games/fives/goal.h"

static void start(const KnGame *game, void *position) { memset(position, 0, game->position_size); }

static int mover(const KnGame *game, const void *position)
{
    return (int)(kn_fives_state(kn_fives_of(game), position) & KN_FIVES_MOVER);
}

static int moves_plain(const KnGame *game, const void *position, KnMove *out)
{
    const KnFives *f = kn_fives_of(game);
    if (kn_fives_state(f, position) & KN_FIVES_WON) return 0;
    const uint64_t *x = kn_fives_men(f, position, 0), *o = kn_fives_men(f, position, 1);
    KnMove *next = out;
    for (int w = 0; w < f->words; w++)
        for (uint64_t set = f->board[w] & ~(x[w] | o[w]); set; set &= set - 1)
            *next++ = (KnMove)w * 64 + (KnMove)__builtin_ctzll(set);
    return (int)(next - out);
}

#if defined(__x86_64__)
enum { ROUND = 8 };

/* Listing moves is most of the time of random play. For each byte of the set a table gives the bit numbers,
 * two vectors of four moves are written regardless of the count, and the next byte starts after the valid
 * ones. Up to eight entries too many: max_moves leaves room. 2.5 times as fast as bit by bit. */
__attribute__((target("avx2,popcnt"))) static int moves_avx2(const KnGame *game, const void *position,
                                                             KnMove *out)
{
    const KnFives *f = kn_fives_of(game);
    if (kn_fives_state(f, position) & KN_FIVES_WON) return 0;
    const uint64_t *x = kn_fives_men(f, position, 0), *o = kn_fives_men(f, position, 1);
    const __m256i eight = _mm256_set1_epi64x(8);
    __m256i base = _mm256_setzero_si256();
    KnMove *next = out;
    for (int w = 0; w < f->words; w++) {
        uint64_t set = f->board[w] & ~(x[w] | o[w]);
        for (int i = 0; i < 8; i++, set >>= 8, base = _mm256_add_epi64(base, eight)) {
            __m128i bits = _mm_loadl_epi64((const __m128i *)f->bits_of[set & 0xff]);
            __m256i low = _mm256_cvtepu8_epi64(bits), high = _mm256_cvtepu8_epi64(_mm_srli_si128(bits, 4));
            _mm256_storeu_si256((__m256i *)next, _mm256_add_epi64(low, base));
            _mm256_storeu_si256((__m256i *)(next + 4), _mm256_add_epi64(high, base));
            next += __builtin_popcountll(set & 0xff);
        }
    }
    return (int)(next - out);
}
#else
enum { ROUND = 0 };
#define moves_avx2 moves_plain
#endif

static int count(const KnGame *game, const void *position, bool paths)
{
    (void)paths;
    const KnFives *f = kn_fives_of(game);
    if (kn_fives_state(f, position) & KN_FIVES_WON) return 0;
    int men = 0;
    for (int i = 0; i < 2 * f->words; i++) men += __builtin_popcountll(((const uint64_t *)position)[i]);
    return f->width * f->height - men;
}

static void play(const KnGame *game, void *position, KnMove move)
{
    const KnFives *f = kn_fives_of(game);
    uint64_t *words = position, *state = words + 2 * f->words;
    uint64_t *men = words + (*state & KN_FIVES_MOVER ? f->words : 0);
    KN_ASSERT(kn_fives_has(f->board, (int)move) && !kn_fives_has(men, (int)move));
    men[move >> 6] |= UINT64_C(1) << (move & 63);
    *state ^= KN_FIVES_MOVER;
    if (kn_fives_completes(f, men, (int)move)) *state |= KN_FIVES_WON;
}

static void payoffs(const KnGame *game, const void *position, double *out)
{
    uint64_t state = kn_fives_state(kn_fives_of(game), position);
    int last = state & KN_FIVES_MOVER ? 0 : 1;
    out[last] = state & KN_FIVES_WON ? 1 : 0;
    out[1 - last] = -out[last];
}

/* Folded product of two 64-bit numbers. */
static inline uint64_t fold(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* The hash of the men; mover and end follow from them. */
static uint64_t hash(const KnGame *game, const void *position)
{
    const KnFives *f = kn_fives_of(game);
    const uint64_t *x = kn_fives_men(f, position, 0), *o = kn_fives_men(f, position, 1);
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
    for (int w = 0; w < f->words; w++)
        h = fold(x[w] ^ h, o[w] ^ UINT64_C(0xe7037ed1a0b428db)) + kn_rotl64(x[w] - o[w], 29);
    return kn_mix64(h);
}

static int bit_of(const KnFives *f, int row, int column) { return row * (f->width + 1) + column; }
static int row_of(const KnFives *f, int bit) { return bit / (f->width + 1); }
static int column_of(const KnFives *f, int bit) { return bit % (f->width + 1); }

static void move_text(const KnGame *game, const void *position, KnMove move, KnText *out)
{
    (void)position;
    const KnFives *f = kn_fives_of(game);
    kn_text_printf(out, "%c%d", 'a' + column_of(f, (int)move), f->height - row_of(f, (int)move));
}

static KnStatus parse_move(const KnGame *game, const void *position, const char *text, KnMove *move,
                           KnError *error)
{
    const KnFives *f = kn_fives_of(game);
    if (kn_fives_state(f, position) & KN_FIVES_WON)
        return kn_fail(error, KN_INPUT, "\"%.60s\": the game is over", text);
    int column = tolower((unsigned char)text[0]) - 'a', number = 0, length = 0;
    if (column >= 0 && column < f->width && text[1] != '0')
        while (length < 2 && isdigit((unsigned char)text[1 + length]))
            number = number * 10 + (text[1 + length++] - '0');
    if (length == 0 || number < 1 || number > f->height || text[1 + length])
        return kn_fail(error, KN_INPUT, "\"%.60s\" is no cell of this board: a1 (bottom left) to %c%d", text,
                       'a' + f->width - 1, f->height);
    int bit = bit_of(f, f->height - number, column);
    if (kn_fives_has(kn_fives_men(f, position, 0), bit) || kn_fives_has(kn_fives_men(f, position, 1), bit))
        return kn_fail(error, KN_INPUT, "%s is occupied; any empty cell may be played", text);
    *move = (KnMove)bit;
    return KN_OK;
}

static int value_at(const KnFives *f, const void *position, int bit)
{
    return kn_fives_has(kn_fives_men(f, position, 0), bit) +
           2 * kn_fives_has(kn_fives_men(f, position, 1), bit);
}

/* "x.o/.x./..o x": rows from the top, then the side to move. */
static void position_text(const KnGame *game, const void *position, KnText *out)
{
    const KnFives *f = kn_fives_of(game);
    for (int row = 0; row < f->height; row++) {
        if (row) kn_text_add_char(out, '/');
        for (int column = 0; column < f->width; column++)
            kn_text_add_char(out, ".xo"[value_at(f, position, bit_of(f, row, column))]);
    }
    kn_text_add(out, mover(game, position) ? " o" : " x");
}

/* Whether the side has a winning line. */
static bool has_line(const KnFives *f, const uint64_t *men)
{
    for (int bit = 0; bit < f->words * 64; bit++)
        if (kn_fives_has(men, bit) && kn_fives_completes(f, men, bit)) return true;
    return false;
}

static int count_men(const KnFives *f, const uint64_t *men)
{
    int n = 0;
    for (int w = 0; w < f->words; w++) n += __builtin_popcountll(men[w]);
    return n;
}

static KnStatus check(const KnGame *game, const void *position, KnError *error)
{
    const KnFives *f = kn_fives_of(game);
    const uint64_t *x = kn_fives_men(f, position, 0), *o = kn_fives_men(f, position, 1);
    uint64_t state = kn_fives_state(f, position);
    bool sound = state <= (KN_FIVES_MOVER | KN_FIVES_WON);
    for (int w = 0; w < f->words; w++) sound &= !(x[w] & o[w]) && !((x[w] | o[w]) & ~f->board[w]);
    if (!sound)
        return kn_fail(error, KN_INPUT, "these bytes are no position on %dx%d cells", f->width, f->height);
    int xs = count_men(f, x), os = count_men(f, o), to_move = (int)(state & KN_FIVES_MOVER);
    if (xs - os != to_move)
        return kn_fail(error, KN_INPUT, "%d x and %d o cannot stand with %s to move; x begins", xs, os,
                       to_move ? "o" : "x");
    if (has_line(f, to_move ? o : x))
        return kn_fail(error, KN_INPUT, "%s has a line of %d and is to move: the game ended before",
                       to_move ? "o" : "x", f->line);
    if (has_line(f, to_move ? x : o) != !!(state & KN_FIVES_WON))
        return kn_fail(error, KN_INPUT, "these bytes are no position: the mark of a finished line is wrong");
    return KN_OK;
}

static KnStatus parse_position(const KnGame *game, const char *text, void *position, KnError *error)
{
    const KnFives *f = kn_fives_of(game);
    uint64_t *words = position;
    memset(position, 0, game->position_size);
    const char *t = text;
    for (int row = 0; row < f->height; row++) {
        if (row && *t == '/') t++;
        for (int column = 0; column < f->width; column++, t++) {
            int bit = bit_of(f, row, column), side = *t == 'x' || *t == 'X'   ? 0
                                                     : *t == 'o' || *t == 'O' ? 1
                                                                              : -1;
            if (side >= 0)
                words[side * f->words + (bit >> 6)] |= UINT64_C(1) << (bit & 63);
            else if (*t != '.' && *t != '-')
                return kn_fail(
                    error, KN_INPUT,
                    "position \"%.60s\", column %d: expected x, o or . for row %d, cell %d of %dx%d", text,
                    (int)(t - text) + 1, row + 1, column + 1, f->width, f->height);
        }
    }
    while (*t == ' ') t++;
    if (!*t || !strchr("xXoO", *t) || t[1])
        return kn_fail(error, KN_INPUT,
                       "position \"%.60s\", column %d: expected x or o, who is to move, and no more", text,
                       (int)(t - text) + 1);
    int to_move = *t == 'o' || *t == 'O';
    words[2 * f->words] = (uint64_t)to_move;
    if (has_line(f, words + (to_move ? 0 : f->words))) words[2 * f->words] |= KN_FIVES_WON;
    return check(game, position, error);
}

static void draw(const KnGame *game, const void *position, bool colour, KnText *out)
{
    static const char *const plain[] = {" .", " x", " o"};
    static const char *const coloured[] = {" .", " \033[1;34mx\033[0m", " \033[1;31mo\033[0m"};
    const KnFives *f = kn_fives_of(game);
    for (int row = 0; row < f->height; row++) {
        kn_text_printf(out, "%2d ", f->height - row);
        for (int column = 0; column < f->width; column++)
            kn_text_add(out, (colour ? coloured : plain)[value_at(f, position, bit_of(f, row, column))]);
        kn_text_add_char(out, '\n');
    }
    kn_text_add(out, "   ");
    for (int column = 0; column < f->width; column++) kn_text_printf(out, " %c", 'a' + column);
    kn_text_add_char(out, '\n');
}

static void transform(const KnGame *game, int symmetry, const void *position, void *out)
{
    const KnFives *f = kn_fives_of(game);
    const uint64_t *from = position;
    uint64_t *to = out;
    memset(to, 0, game->position_size);
    for (int i = 0; i < 2 * f->words; i++) {
        int side = i >= f->words, base = (i - side * f->words) * 64;
        for (uint64_t set = from[i]; set; set &= set - 1) {
            int bit = f->image[symmetry][base + __builtin_ctzll(set)];
            to[side * f->words + (bit >> 6)] |= UINT64_C(1) << (bit & 63);
        }
    }
    to[2 * f->words] = from[2 * f->words];
}

static KnMove transform_move(const KnGame *game, int symmetry, const void *position, KnMove move)
{
    (void)position;
    return kn_fives_of(game)->image[symmetry][move];
}

/* Four phases of equal length, by the number of men. */
static int phase(const KnGame *game, const void *position)
{
    const KnFives *f = kn_fives_of(game);
    int men = count_men(f, kn_fives_men(f, position, 0)) + count_men(f, kn_fives_men(f, position, 1));
    return men * 4 / (f->width * f->height + 1);
}

static int cell_bit(const KnFives *f, int index) { return bit_of(f, index / f->width, index % f->width); }

static int cell(const KnGame *game, const void *position, int index)
{
    return value_at(kn_fives_of(game), position, cell_bit(kn_fives_of(game), index));
}

static void board(const KnGame *game, const void *position, uint8_t *cells)
{
    const KnFives *f = kn_fives_of(game);
    memset(cells, 0, (size_t)(f->width * f->height));
    for (int role = 0; role < 2; role++)
        for (int word = 0; word < f->words; word++)
            for (uint64_t left = kn_fives_men(f, position, role)[word]; left; left &= left - 1) {
                int bit = word * 64 + __builtin_ctzll(left);
                cells[row_of(f, bit) * f->width + column_of(f, bit)] = (uint8_t)(1 + role);
            }
}

static void cell_place(const KnGame *game, int index, double *x, double *y)
{
    *x = index % kn_fives_of(game)->width;
    *y = index / kn_fives_of(game)->width;
}

static void cell_name(const KnGame *game, int index, KnText *out)
{
    move_text(game, NULL, (KnMove)cell_bit(kn_fives_of(game), index), out);
}

enum { PACKED_CELLS = 40 }; /* 3 to the 40th is below 2 to the 64th */

/* Base 3 over the cells; mover and end follow from the men. */
static uint64_t pack(const KnGame *game, const void *position)
{
    const KnFives *f = kn_fives_of(game);
    uint64_t code = 0;
    for (int i = f->width * f->height - 1; i >= 0; i--)
        code = code * 3 + (uint64_t)value_at(f, position, cell_bit(f, i));
    return code;
}

static void unpack(const KnGame *game, uint64_t code, void *position)
{
    const KnFives *f = kn_fives_of(game);
    uint64_t *words = position;
    int lead = 0;
    memset(position, 0, game->position_size);
    for (int i = 0; i < f->width * f->height; i++, code /= 3) {
        int value = (int)(code % 3), bit = cell_bit(f, i);
        if (value) words[(value - 1) * f->words + (bit >> 6)] |= UINT64_C(1) << (bit & 63);
        lead += value == 1 ? 1 : value == 2 ? -1 : 0;
    }
    words[2 * f->words] = lead > 0 ? KN_FIVES_MOVER : 0;
    if (has_line(f, words + (lead > 0 ? 0 : f->words))) words[2 * f->words] |= KN_FIVES_WON;
}

/* Fills cells, row starts and symmetries: bit 0 mirrors left and right, bit 1 top and bottom, bit 2 (square
 * boards) transposes. */
static void make_board(KnFives *f)
{
    static const int down[4] = {0, 1, 1, 1}, right[4] = {1, -1, 0, 1};
    for (int axis = 0; axis < 4; axis++) f->steps[axis] = down[axis] * (f->width + 1) + right[axis];
    for (int byte = 0; byte < 256; byte++)
        for (int bit = 0, n = 0; bit < 8; bit++)
            if (byte >> bit & 1) f->bits_of[byte][n++] = (uint8_t)bit;
    for (int row = 0; row < f->height; row++)
        for (int column = 0; column < f->width; column++) {
            int bit = bit_of(f, row, column);
            f->board[bit >> 6] |= UINT64_C(1) << (bit & 63);
            for (int axis = 0; axis < 4; axis++) {
                int last_row = row + down[axis] * (f->line - 1),
                    last_column = column + right[axis] * (f->line - 1);
                if (last_row < f->height && last_column >= 0 && last_column < f->width)
                    f->starts[axis][bit >> 6] |= UINT64_C(1) << (bit & 63);
            }
            for (int s = 0; s < (f->width == f->height ? 8 : 4); s++) {
                int r = s & 2 ? f->height - 1 - row : row, c = s & 1 ? f->width - 1 - column : column;
                f->image[s][bit] = (uint16_t)(s & 4 ? bit_of(f, c, r) : bit_of(f, r, c));
            }
        }
}

static const char *const role_names[] = {"x", "o"};

static const KnOption options[] = {
    {"width", KN_OPTION_INTEGER, "10", 1, KN_FIVES_SIDE, NULL, "cells a row"},
    {"height", KN_OPTION_INTEGER, "10", 1, KN_FIVES_SIDE, NULL, "rows"},
    {"line", KN_OPTION_INTEGER, "5", 1, KN_FIVES_SIDE, NULL, "men side by side that win"},
    {"overline", KN_OPTION_CHOICE, "win", 0, 0, "win|ignored", "what a longer row does"},
    {0}};

static const KnGameType avx2, avx2_packed, packed;

/* Chooses the function table by board and processor. */
static const KnGameType *choose(bool small)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
        return small ? &avx2_packed : &avx2;
#endif
    return small ? &packed : &kn_fives;
}

static KnStatus open(KnGame *game, const KnOptions *bound, KnError *error)
{
    int width = (int)kn_option_integer(bound, "width"), height = (int)kn_option_integer(bound, "height");
    int line = (int)kn_option_integer(bound, "line");
    if (line > width && line > height)
        return kn_fail(error, KN_INPUT, "fives: a line of %d does not fit on %dx%d cells", line, width,
                       height);
    KnFives *f = calloc(1, sizeof *f);
    if (!f) return kn_fail_memory(error, "opening fives");
    f->width = width;
    f->height = height;
    f->line = line;
    f->words = (height * (width + 1) + 63) / 64;
    f->exact = kn_option_choice(bound, "overline") == 1;
    make_board(f);
    kn_fives_make_features(f);
    game->data = f;
    game->position_size = (size_t)(2 * f->words + 1) * sizeof(uint64_t);
    game->max_moves = width * height + ROUND;
    game->roles = 2;
    game->traits = KN_GAME_ZERO_SUM;
    game->role_names = role_names;
    game->symmetries = width == height ? 8 : 4;
    game->features = f->features;
    game->feature_count = f->feature_count;
    game->evaluations = kn_fives_evaluations();
    game->cells = width * height;
    game->cell_symbols = ".xo";
    game->phases = 4;
    game->type = choose(width * height <= PACKED_CELLS);
    return KN_OK;
}

static void close(KnGame *game) { free(game->data); }

#define FIVES(the_moves, the_pack, the_unpack)                                                               \
    {                                                                                                        \
        .head = {"fives", "five in a row on 10x10 cells, or any line on any board up to 19x19", options},    \
        .open = open, .close = close, .start = start, .mover = mover, .moves = the_moves, .play = play,      \
        .count = count, .payoffs = payoffs, .hash = hash, .move_text = move_text, .parse_move = parse_move,  \
        .position_text = position_text, .parse_position = parse_position, .draw = draw, .check = check,      \
        .transform = transform, .transform_move = transform_move, .feature_values = kn_fives_feature_values, \
        .phase = phase, .cell = cell, .board = board, .cell_place = cell_place, .cell_name = cell_name,      \
        .tactical = kn_fives_tactical, .goals = &kn_fives_goals, .pack = the_pack, .unpack = the_unpack,     \
    }

const KnGameType kn_fives = FIVES(moves_plain, NULL, NULL);
static const KnGameType packed = FIVES(moves_plain, pack, unpack);
static const KnGameType avx2 = FIVES(moves_avx2, NULL, NULL);
static const KnGameType avx2_packed = FIVES(moves_avx2, pack, unpack);
