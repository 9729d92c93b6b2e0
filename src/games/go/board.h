/* The layout of Go positions. Only for files of this folder; others use go.h.
 *
 * A board is a bitboard of 64-bit words that hold whole rows. Rows are `stride` bits apart with at least one
 * spare bit at the end of each, always 0, so the neighbours of a whole set are four shifts without edge
 * masks; only a row at the end of a word needs a carry. Two shapes serve all sizes: stride 10, six rows a
 * word, two words up to 9x9; stride 20, three rows a word, seven words up to 19x19. The rules are written
 * once for any shape and inlined twice with the shape as a constant.
 *
 * A position holds three boards: black stones, white stones, and stones of either colour whose string has
 * exactly one liberty (in atari). The third makes Go cheap here: a placement is legal if the point has an
 * empty neighbour, an own neighbour not in atari, or an opponent's neighbour in atari, so the neighbours of
 * one set give all legal moves. Updating it needs only the strings next to the stone played, mostly a few
 * steps of them: a string with a second liberty is not in atari. Strings are not numbered and the history
 * does not matter, so equal positions are equal bytes, 64 of them on 9x9. */
#ifndef KNACK_GAMES_GO_BOARD_H
#define KNACK_GAMES_GO_BOARD_H

#include "games/go/go.h"

enum { GO_WORDS = 7, GO_CODES = 512, GO_NONE = 511, GO_FEATURES = 14 };

typedef struct KnGoShape {
    int stride, rows, words; /* rows: of a word */
    int lines;               /* rows of all words */
} KnGoShape;

static const KnGoShape go_small = {10, 6, 2, 9};
static const KnGoShape go_large = {20, 3, 7, 19};

typedef struct KnGoBits {
    uint64_t w[GO_WORDS]; /* unused words are 0 and never read */
} KnGoBits;

/* A position: this header, then the three boards. */
typedef struct KnGoPosition {
    uint64_t board_hash; /* Zobrist hash of the stones */
    uint16_t ko;         /* the point where the ko forbids to play, or GO_NONE */
    uint8_t mover;
    uint8_t passes; /* consecutive ones */
    uint32_t zero;
    uint64_t boards[];
} KnGoPosition;

/* The rules and tables of an instance. */
typedef struct KnGoRules {
    int size;
    int komi_halves; /* twice the komi */
    bool superko;
    KnGoShape shape;
    KnGoBits all, edge;              /* points of the board, and of its edge */
    uint64_t keys[2][GO_CODES];      /* Zobrist keys by colour and point */
    uint16_t codes[KN_GO_CELLS_MAX]; /* codes of the cells, row by row from the top left */
    uint16_t cells[GO_CODES];        /* cells of the codes; GO_NONE for codes off the board */
    uint16_t images[8][GO_CODES];    /* image of a code under each symmetry */
    uint8_t bits[256][8];            /* the bits of a byte, lowest first, then zeros */
    uint8_t bit_counts[256];
    KnFeature features[GO_FEATURES];
} KnGoRules;

/* Calls f(shape, ...) with the shape as a constant. */
#define GO_SHAPED(rules, f, ...)                                                                             \
    ((rules)->shape.words == go_small.words ? f(go_small, __VA_ARGS__) : f(go_large, __VA_ARGS__))

static inline const KnGoRules *go_rules(const KnGame *game) { return game->data; }
static inline const uint64_t *go_stones(const KnGoRules *rules, const KnGoPosition *p, int colour)
{
    return p->boards + colour * rules->shape.words;
}
static inline const uint64_t *go_atari(const KnGoRules *rules, const KnGoPosition *p)
{
    return p->boards + 2 * rules->shape.words;
}

/* Sets of points. `s` is a constant in the fast paths. */
#define GO_INLINE static inline __attribute__((always_inline))

GO_INLINE KnGoBits go_load(KnGoShape s, const uint64_t *words)
{
    KnGoBits b = {{0}};
    for (int i = 0; i < s.words; i++) b.w[i] = words[i];
    return b;
}

GO_INLINE void go_store(KnGoShape s, uint64_t *words, KnGoBits b)
{
    for (int i = 0; i < s.words; i++) words[i] = b.w[i];
}

GO_INLINE KnGoBits go_nothing(void) { return (KnGoBits){{0}}; }

GO_INLINE KnGoBits go_both(KnGoShape s, KnGoBits a, KnGoBits b)
{
    for (int i = 0; i < s.words; i++) a.w[i] &= b.w[i];
    return a;
}

GO_INLINE KnGoBits go_either(KnGoShape s, KnGoBits a, KnGoBits b)
{
    for (int i = 0; i < s.words; i++) a.w[i] |= b.w[i];
    return a;
}

GO_INLINE KnGoBits go_less(KnGoShape s, KnGoBits a, KnGoBits b)
{
    for (int i = 0; i < s.words; i++) a.w[i] &= ~b.w[i];
    return a;
}

GO_INLINE bool go_any(KnGoShape s, KnGoBits b)
{
    uint64_t all = 0;
    for (int i = 0; i < s.words; i++) all |= b.w[i];
    return all != 0;
}

GO_INLINE bool go_same(KnGoShape s, KnGoBits a, KnGoBits b)
{
    uint64_t differ = 0;
    for (int i = 0; i < s.words; i++) differ |= a.w[i] ^ b.w[i];
    return !differ;
}

/* Whether a set has two points or more. */
GO_INLINE bool go_several(KnGoShape s, KnGoBits b)
{
    uint64_t seen = 0, many = 0;
    for (int i = 0; i < s.words; i++) {
        uint64_t x = b.w[i], full = -(uint64_t)(x != 0);
        many |= (x & (x - 1)) | (full & seen);
        seen |= full;
    }
    return many != 0;
}

GO_INLINE int go_count(KnGoShape s, KnGoBits b)
{
    int count = 0;
    for (int i = 0; i < s.words; i++) count += __builtin_popcountll(b.w[i]);
    return count;
}

/* A set of one point; empty for GO_NONE. */
GO_INLINE KnGoBits go_point(KnGoShape s, unsigned code)
{
    KnGoBits b = {{0}};
    for (int i = 0; i < s.words; i++) b.w[i] = (unsigned)i == code >> 6 ? (uint64_t)1 << (code & 63) : 0;
    return b;
}

/* The lowest point of a non-empty set. */
GO_INLINE unsigned go_first(KnGoShape s, KnGoBits b)
{
    int i = 0;
    while (i < s.words - 1 && !b.w[i]) i++;
    return (unsigned)i * 64 + (unsigned)__builtin_ctzll(b.w[i]);
}

GO_INLINE bool go_holds(KnGoBits b, unsigned code) { return b.w[code >> 6] >> (code & 63) & 1; }

/* The neighbours of a set, and some bits off the board: intersect with a set of points. */
GO_INLINE KnGoBits go_next(KnGoShape s, KnGoBits b)
{
    KnGoBits out = {{0}};
    int carry = (s.rows - 1) * s.stride;
    for (int i = 0; i < s.words; i++) {
        uint64_t x = b.w[i];
        x = x << 1 | x >> 1 | x << s.stride | x >> s.stride;
        if (i > 0) x |= b.w[i - 1] >> carry;
        if (i + 1 < s.words) x |= b.w[i + 1] << carry;
        out.w[i] = x;
    }
    return out;
}

/* Flood fill: the part of an area connected with the seed. */
GO_INLINE KnGoBits go_flood(KnGoShape s, KnGoBits seed, KnGoBits area)
{
    for (;;) {
        KnGoBits more = go_either(s, seed, go_both(s, go_next(s, seed), area));
        if (go_same(s, more, seed)) return seed;
        seed = more;
    }
}

/* Grows a seed within stones until it has two liberties (true) or the string is complete (false: at most
 * one). *string is the part seen. */
GO_INLINE bool go_breathes(KnGoShape s, KnGoBits *string, KnGoBits stones, KnGoBits empty)
{
    for (;;) {
        KnGoBits next = go_next(s, *string);
        if (go_several(s, go_both(s, next, empty))) return true;
        KnGoBits more = go_either(s, *string, go_both(s, next, stones));
        if (go_same(s, more, *string)) return false;
        *string = more;
    }
}

/* Legal placements, ignoring ko: see the comment above. */
GO_INLINE KnGoBits go_legal(KnGoShape s, KnGoBits all, KnGoBits own, KnGoBits other, KnGoBits atari)
{
    KnGoBits empty = go_less(s, all, go_either(s, own, other));
    KnGoBits helps = go_either(s, empty, go_either(s, go_less(s, own, atari), go_both(s, other, atari)));
    return go_both(s, empty, go_next(s, helps));
}

/* The non-stone part of the hash. It fills the low GO_TAIL bits and is xored to the hash of the stones:
 * positions with the same stones have hashes that differ only there, so superko can compare stones (rules.c).
 */
enum { GO_TAIL = 12 };
static inline uint64_t go_tail(const KnGoPosition *p)
{
    return (uint64_t)p->mover | (uint64_t)p->passes << 1 | (uint64_t)(p->ko ^ GO_NONE) << 3;
}

/* Rules, by shape (rules.c). */
int kn_go_small_moves(const KnGame *game, const void *position, KnMove *moves);
int kn_go_large_moves(const KnGame *game, const void *position, KnMove *moves);
void kn_go_small_play(const KnGame *game, void *position, KnMove move);
void kn_go_large_play(const KnGame *game, void *position, KnMove move);
bool kn_go_barred(const KnGame *game, const void *position, const KnHistory *history, KnMove move);
int kn_go_keep_allowed(const KnGame *game, const void *position, const KnHistory *history, KnMove *moves,
                       int count);
void kn_go_trace(const KnGame *game, const void *position, uint64_t *trace);

/* The areas of both colours (board.c). */
void kn_go_areas(const KnGoRules *rules, const KnGoPosition *p, KnGoBits area[2]);

/* Computes what follows from the stones: the atari board and the hash (board.c). */
void kn_go_complete(const KnGoRules *rules, KnGoPosition *p);
KnStatus kn_go_check(const KnGame *game, const void *position, KnError *error);
uint64_t kn_go_pack(const KnGame *game, const void *position);
void kn_go_unpack(const KnGame *game, uint64_t code, void *position);

/* Text (text.c). */
void kn_go_add_vertex(const KnGoRules *rules, unsigned code, KnText *out);
void kn_go_move_text(const KnGame *game, const void *position, KnMove move, KnText *out);
KnStatus kn_go_parse_move(const KnGame *game, const void *position, const char *text, KnMove *move,
                          KnError *error);
void kn_go_position_text(const KnGame *game, const void *position, KnText *out);
KnStatus kn_go_parse_position(const KnGame *game, const char *text, void *position, KnError *error);
void kn_go_draw(const KnGame *game, const void *position, bool colour, KnText *out);

/* Knowledge (knowledge.c). */
extern const KnFeature kn_go_features[GO_FEATURES];
extern const KnGameEvaluation kn_go_evaluations[];
void kn_go_feature_values(const KnGame *game, const void *position, int role, double *values);
double kn_go_material(const KnGame *game, const void *position, int role);
double kn_go_points(const KnGame *game, const void *position, int role);

#endif
