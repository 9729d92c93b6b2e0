/* The inside of Go: how positions are laid out. Only for files of this folder; others use go.h.
 *
 * A board is a set of points, a bit each, in 64-bit words of whole rows. Rows are `stride` bits apart with at
 * least one bit to spare at the end of each, always 0, so that the neighbours of a whole set are four shifts
 * without any masks for the edges; only a row at the end of a word needs its neighbour carried over. Two
 * shapes serve all sizes: stride 10, six rows a word, two words up to 9x9; stride 20, three rows a word,
 * seven words up to 19x19. The rules are written once, for any shape, and inlined twice with the shape as a
 * constant.
 *
 * A position holds three boards: the black stones, the white stones, and the stones of either colour whose
 * string has exactly one liberty ("in atari"). The third is what makes Go cheap here: a placement is legal if
 * the point has a neighbour that is empty, or is an own stone not in atari, or a foreign stone in atari: one
 * look at the neighbours of one set gives all legal moves. Keeping it up to date needs the strings next to
 * the stone played, and of these mostly just a few steps: as soon as a second liberty is seen, the string is
 * not in atari. No string is numbered and nothing depends on how a position came about, so equal positions
 * are equal bytes, 64 of them on 9x9. */
#ifndef KNACK_GAMES_GO_BOARD_H
#define KNACK_GAMES_GO_BOARD_H

#include "games/go/go.h"

enum { GO_WORDS = 7, GO_CODES = 512, GO_NONE = 511, GO_FEATURES = 14 };

typedef struct KnGoShape {
    int stride, rows, words; /* rows: in a word */
    int lines;               /* rows in all */
} KnGoShape;

static const KnGoShape go_small = {10, 6, 2, 9};
static const KnGoShape go_large = {20, 3, 7, 19};

typedef struct KnGoBits {
    uint64_t w[GO_WORDS]; /* as many as the shape has; the others are 0 and never looked at */
} KnGoBits;

/* A position: this head, then the three boards. */
typedef struct KnGoPosition {
    uint64_t board_hash; /* of the stones alone */
    uint16_t ko;         /* the code of the point that may not be retaken now, or GO_NONE */
    uint8_t mover;
    uint8_t passes; /* in a row */
    uint32_t zero;
    uint64_t boards[];
} KnGoPosition;

/* An instance. */
typedef struct KnGoRules {
    int size;
    int komi_halves; /* twice the komi */
    bool superko;
    KnGoShape shape;
    KnGoBits all, edge;              /* the points of the board, and those at its edge */
    uint64_t keys[2][GO_CODES];      /* of a stone of a colour, for hashing */
    uint16_t codes[KN_GO_CELLS_MAX]; /* of the cells, row by row from the top left */
    uint16_t cells[GO_CODES];        /* and back; GO_NONE for codes that are no point */
    uint16_t images[8][GO_CODES];    /* of a code under each symmetry */
    uint8_t bits[256][8];            /* where the bits of a byte are, lowest first; then zeros */
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

/* Two points or more. */
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

/* GO_NONE is no point: an empty set. */
GO_INLINE KnGoBits go_point(KnGoShape s, unsigned code)
{
    KnGoBits b = {{0}};
    for (int i = 0; i < s.words; i++) b.w[i] = (unsigned)i == code >> 6 ? (uint64_t)1 << (code & 63) : 0;
    return b;
}

/* The lowest point of a set that is not empty. */
GO_INLINE unsigned go_first(KnGoShape s, KnGoBits b)
{
    int i = 0;
    while (i < s.words - 1 && !b.w[i]) i++;
    return (unsigned)i * 64 + (unsigned)__builtin_ctzll(b.w[i]);
}

GO_INLINE bool go_holds(KnGoBits b, unsigned code) { return b.w[code >> 6] >> (code & 63) & 1; }

/* Every point next to a point of the set, and some bits beyond the edge: intersect with points of the board.
 */
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

/* What is connected with the seed inside an area that holds it. */
GO_INLINE KnGoBits go_flood(KnGoShape s, KnGoBits seed, KnGoBits area)
{
    for (;;) {
        KnGoBits more = go_either(s, seed, go_both(s, go_next(s, seed), area));
        if (go_same(s, more, seed)) return seed;
        seed = more;
    }
}

/* Grows a seed within stones until a second liberty is seen (true) or the string is complete (false: one at
 * most). The string holds what was seen of it. */
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

/* Where a stone may be placed, the ko aside: see the essay above. */
GO_INLINE KnGoBits go_legal(KnGoShape s, KnGoBits all, KnGoBits own, KnGoBits other, KnGoBits atari)
{
    KnGoBits empty = go_less(s, all, go_either(s, own, other));
    KnGoBits helps = go_either(s, empty, go_either(s, go_less(s, own, atari), go_both(s, other, atari)));
    return go_both(s, empty, go_next(s, helps));
}

/* What bears on the game besides the stones. It fills the low GO_TAIL bits of a number that is xored to the
 * hash of the stones: two positions with the same stones have hashes that differ there only, which is how
 * superko tells them (rules.c), and the hash still takes all 64 bits from the stones. */
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

/* The area of both colours, as sets (board.c). */
void kn_go_areas(const KnGoRules *rules, const KnGoPosition *p, KnGoBits area[2]);

/* Fills in what follows from the stones: the atari board and the hash (board.c). */
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
