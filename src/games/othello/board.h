/* The board of Othello, for the files of this folder.
 *
 * Bit 8 * row + column, row 0 at the top: a1 is bit 0, h8 bit 63. Smaller boards lie in the middle of the 8x8
 * grid and use the same code: squares off the board never hold a disc and are never offered. They share the
 * symmetries of the grid and the bits of the four initial discs. A move is its bit number, or
 * KN_OTHELLO_PASS. */
#ifndef KNACK_GAMES_OTHELLO_BOARD_H
#define KNACK_GAMES_OTHELLO_BOARD_H

#include "games/game.h"

enum {
    KN_OTHELLO_PASS = 64,
    KN_OTHELLO_ROUND = 12 /* moves are written in blocks of 12: max_moves is a multiple */
};

/* Discs are stored by side to move: move generation does not depend on the colour, and exchanging colours
 * flips `mover`. `mover` is in the middle on purpose: with adjacent sets, compilers load both as one 16-byte
 * vector, which stalls after a 24-byte memcpy (two overlapping stores) and cost a quarter of play(). */
typedef struct KnOthelloPosition {
    uint64_t own;
    uint64_t mover; /* 0 black, 1 white */
    uint64_t their;
} KnOthelloPosition;

/* Rays from a square by direction: up[] towards higher bits (right, down left, down, down right), down[] the
 * opposite ones. One cache line. */
typedef struct KnOthelloRays {
    _Alignas(64) uint64_t up[4];
    uint64_t down[4];
} KnOthelloRays;

enum { KN_OTHELLO_CLASSES = 10 };

typedef struct KnOthelloPatterns KnOthelloPatterns;

/* The tables of an instance; read-only after open. */
typedef struct KnOthello {
    KnOthelloRays rays[64];
    uint64_t board;                       /* squares of the board */
    uint64_t corners, edges;              /* edges: border squares except corners and their neighbours */
    uint64_t classes[KN_OTHELLO_CLASSES]; /* classes of squares of equal value; see kn_othello_weights */
    int size, margin;                     /* board size, and margin of the 8x8 grid around it */
    bool empties_to_winner, payoff_discs;
    KnOthelloPatterns *patterns; /* for 8x8, else NULL */
} KnOthello;

/* Values of the classes in hundredths of a disc: the usual table of square weights, from a1 b1 c1 d1 to b2 c2
 * d2, c3 d3 and d4. */
extern const int kn_othello_weights[KN_OTHELLO_CLASSES];

static inline const KnOthello *kn_othello_of(const KnGame *game) { return game->data; }

/* Columns b to g: flipped discs of a row or diagonal never lie on the outer columns. */
#define KN_OTHELLO_INNER 0x7e7e7e7e7e7e7e7eu
#define KN_OTHELLO_NOT_A 0xfefefefefefefefeu
#define KN_OTHELLO_NOT_H 0x7f7f7f7f7f7f7f7fu

/* Moves along one axis: a Kogge-Stone parallel prefix fill from own discs through `inner`, the opponent's
 * discs that can be flipped, in both directions; then one step further. Runs have at most six discs: 1 + 1 +
 * 2 + 2. */
static inline __attribute__((always_inline)) uint64_t kn_othello_reach(uint64_t own, uint64_t inner, int step)
{
    uint64_t up = inner & own << step, down = inner & own >> step;
    up |= inner & up << step;
    down |= inner & down >> step;
    uint64_t pairs_up = inner & inner << step, pairs_down = pairs_up >> step;
    up |= pairs_up & up << 2 * step;
    down |= pairs_down & down >> 2 * step;
    up |= pairs_up & up << 2 * step;
    down |= pairs_down & down >> 2 * step;
    return up << step | down >> step;
}

/* The legal squares of `own`, restricted to the board. */
static inline __attribute__((always_inline)) uint64_t kn_othello_mobility(const KnOthello *o, uint64_t own,
                                                                          uint64_t their)
{
    uint64_t inner = their & KN_OTHELLO_INNER;
    uint64_t reached = kn_othello_reach(own, inner, 1) | kn_othello_reach(own, inner, 7) |
                       kn_othello_reach(own, their, 8) | kn_othello_reach(own, inner, 9);
    return reached & o->board & ~(own | their);
}

/* All squares adjacent to a set. */
static inline __attribute__((always_inline)) uint64_t kn_othello_around(uint64_t squares)
{
    uint64_t rows = squares | (squares & KN_OTHELLO_NOT_H) << 1 | (squares & KN_OTHELLO_NOT_A) >> 1;
    return rows | rows << 8 | rows >> 8;
}

static inline bool kn_othello_over(const KnOthello *o, const KnOthelloPosition *p)
{
    return !kn_othello_mobility(o, p->own, p->their) && !kn_othello_mobility(o, p->their, p->own);
}

static inline uint64_t kn_othello_discs(const KnOthelloPosition *p, int role)
{
    return (uint64_t)role == p->mover ? p->own : p->their;
}

/* Four phases of equal length, by the number of discs. */
static inline int kn_othello_phase(const KnOthello *o, int discs)
{
    int phase = (discs - 4) * 4 / (o->size * o->size - 4);
    return discs < 4 ? 0 : phase > 3 ? 3 : phase;
}

/* Bit of a row and column of the board. */
static inline int kn_othello_square(const KnOthello *o, int row, int column)
{
    return (row + o->margin) * 8 + column + o->margin;
}

/* knowledge.c */
extern const KnFeature kn_othello_features[];
extern const int kn_othello_feature_count;
void kn_othello_feature_values(const KnGame *game, const void *position, int role, double *values);
/* Stable discs, by a simple and safe argument: they can never be flipped. */
void kn_othello_stable(const KnOthello *o, uint64_t own, uint64_t their, uint64_t *own_stable,
                       uint64_t *their_stable);
void kn_othello_squares_of_interest(const KnOthello *o, uint64_t occupied, uint64_t *x, uint64_t *c);

/* patterns.c */
KnOthelloPatterns *kn_othello_patterns_new(void); /* NULL if memory runs out */
void kn_othello_patterns_free(KnOthelloPatterns *patterns);
const KnFeatureTable *kn_othello_patterns_table(const KnOthelloPatterns *patterns);

/* text.c */
void kn_othello_move_text(const KnGame *game, const void *position, KnMove move, KnText *out);
KnStatus kn_othello_parse_move(const KnGame *game, const void *position, const char *text, KnMove *move,
                               KnError *error);
void kn_othello_position_text(const KnGame *game, const void *position, KnText *out);
KnStatus kn_othello_parse_position(const KnGame *game, const char *text, void *position, KnError *error);
void kn_othello_draw(const KnGame *game, const void *position, bool colour, KnText *out);
KnStatus kn_othello_check(const KnGame *game, const void *position, KnError *error);

/* kernel_plain.c and kernel_avx2.c: the same functions, portable and for AVX2 with BMI. */
int kn_othello_moves_plain(const KnGame *game, const void *position, KnMove *moves);
int kn_othello_count_plain(const KnGame *game, const void *position, bool paths);
void kn_othello_play_plain(const KnGame *game, void *position, KnMove move);
extern const KnGameEvaluation kn_othello_evaluations_plain[];
int kn_othello_moves_avx2(const KnGame *game, const void *position, KnMove *moves);
int kn_othello_count_avx2(const KnGame *game, const void *position, bool paths);
void kn_othello_play_avx2(const KnGame *game, void *position, KnMove move);
extern const KnGameEvaluation kn_othello_evaluations_avx2[];

#endif
