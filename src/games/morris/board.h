/* Bitboards of morris. Private to src/games/morris.
 *
 * A board is two or three nested squares, joined at the middles of their sides. Each square is a ring of
 * eight points, and a ring is a byte: bit 0 is the top left corner, then clockwise, so even bits are corners
 * and odd bits are middles; byte 0 is the outermost ring. Neighbours along a ring are one rotation of a byte
 * apart, neighbours across rings one byte. A few operations give mills and mobility of all points together,
 * and a symmetry of the square is a rotation of bytes, or a reversal.
 *
 *     0 ----- 1 ----- 2
 *     |   8   9  10   |
 *     7  15      11   3
 *     |  14  13  12   |
 *     6 ----- 5 ----- 4
 *
 * Mills are the sides of the squares and, with three squares, also the four rows of three middles that join
 * them. The bits are not the names of the points: see kn_morris_bit and kn_morris_point_name. */
#ifndef KNACK_GAMES_MORRIS_BOARD_H
#define KNACK_GAMES_MORRIS_BOARD_H

#include "games/game.h"

/* A position without padding. While placing, `placed` counts the men placed by both and determines the mover.
 */
typedef struct Position {
    uint32_t men[2]; /* white, who begins, and black */
    uint32_t placed; /* 0 .. 2 * men */
    uint32_t mover;
} Position;

/* The rules of an instance. */
typedef struct Rules {
    uint32_t points;  /* points of the board */
    uint32_t placing; /* number of placing plies: twice the men of a side */
    bool flies;       /* a side with three men may move to any free point */
    bool cross;       /* three squares, with mills across */
} Rules;

enum { CORNERS = 0x555555, MIDDLES = 0xaaaaaa };

static inline const Rules *rules_of(const KnGame *game) { return game->data; }
static inline bool is_sliding(const Rules *rules, const Position *p) { return p->placed == rules->placing; }

/* Population count: baseline x86-64 lacks POPCNT, and a library call costs more than this. */
static inline int count_of(uint32_t set)
{
    set -= set >> 1 & 0x55555555;
    set = (set & 0x33333333) + (set >> 2 & 0x33333333);
    return (int)(((set + (set >> 4)) & 0x0f0f0f0f) * 0x01010101u >> 24);
}

/* Rotates every ring by one or two points, clockwise or back. */
static inline uint32_t turn1(uint32_t x) { return (x << 1 & 0xfefefe) | (x >> 7 & 0x010101); }
static inline uint32_t turn2(uint32_t x) { return (x << 2 & 0xfcfcfc) | (x >> 6 & 0x030303); }
static inline uint32_t back1(uint32_t x) { return (x >> 1 & 0x7f7f7f) | (x << 7 & 0x808080); }
static inline uint32_t back2(uint32_t x) { return (x >> 2 & 0x3f3f3f) | (x << 6 & 0xc0c0c0); }

/* Middles whose other two points across the rings are in the set (three rings only). */
static inline uint32_t joined_across(uint32_t x)
{
    uint32_t next = (x << 8 | x >> 16) & 0xffffff, other = (x << 16 | x >> 8) & 0xffffff;
    return MIDDLES & next & other;
}

/* Points, free or not, whose other two points of some line are in the set: a man there completes a mill. */
static inline uint32_t completing(const Rules *rules, uint32_t men)
{
    uint32_t after = turn1(men), before = back1(men);
    uint32_t points = (MIDDLES & after & before) | (CORNERS & ((after & turn2(men)) | (before & back2(men))));
    return rules->cross ? points | joined_across(men) : points;
}

static inline uint32_t in_mills(const Rules *rules, uint32_t men) { return men & completing(rules, men); }

static inline bool fewer_than_three(uint32_t men)
{
    men &= men - 1;
    return !(men & (men - 1));
}

static inline bool may_fly(const Rules *rules, uint32_t men) { return rules->flies && count_of(men) == 3; }

/* Edges of the board by number: 24 along the rings, by their first bit, and 8 across. The set of edges with a
 * man at one end and a free point at the other: all slides. */
static inline uint32_t slides(uint32_t men, uint32_t empty)
{
    uint32_t along = (men & back1(empty)) | (empty & back1(men));
    uint32_t across = ((men & empty >> 8) | (empty & men >> 8)) & MIDDLES;
    return along | (across & 0xaa) << 23 | (across & 0xaa00) << 16;
}

extern const uint32_t kn_morris_line[32]; /* both ends of an edge */

/* Points by cell number, row by row from the top left: the thesis's 1..16 minus one, or a7, d7, g7, b6, ...
 */
int kn_morris_bit(const Rules *rules, int cell);
void kn_morris_place(const Rules *rules, int bit, int *x, int *y);
void kn_morris_point_name(const Rules *rules, int bit, KnText *out);
int kn_morris_cells(const Rules *rules);

/* The image of a set under symmetry s: s & 3 quarter turns, after a reflection if s & 4, after exchanging the
 * innermost and outermost ring if s & 8. */
static inline uint32_t turn_by(int symmetry, uint32_t set)
{
    if (symmetry & 8) set = (set & 0xff) << 16 | (set & 0xff00) | set >> 16;
    if (symmetry & 4) { /* reverse each byte, then rotate by one: corner 0 stays */
        set = (set >> 4 & 0x0f0f0f) | (set & 0x0f0f0f) << 4;
        set = (set >> 2 & 0x333333) | (set & 0x333333) << 2;
        set = turn1((set >> 1 & 0x555555) | (set & 0x555555) << 1);
    }
    if (symmetry & 2) set = (set >> 4 & 0x0f0f0f) | (set & 0x0f0f0f) << 4;
    return symmetry & 1 ? turn2(set) : set;
}

/* A move is two sets: the own points that change (one when placing, two when sliding), and from bit 24 the
 * removed man, if any. */
static inline uint32_t move_own(KnMove move) { return move & 0xffffff; }
static inline uint32_t move_removed(KnMove move) { return (uint32_t)(move >> 24); }

/* text.c */
void kn_morris_move_text(const KnGame *game, const void *position, KnMove move, KnText *out);
void kn_morris_position_text(const KnGame *game, const void *position, KnText *out);
KnStatus kn_morris_parse_position(const KnGame *game, const char *text, void *position, KnError *error);
KnStatus kn_morris_check(const KnGame *game, const void *position, KnError *error);
void kn_morris_draw(const KnGame *game, const void *position, bool colour, KnText *out);

/* knowledge.c */
enum { KN_MORRIS_FEATURES = 12 };
extern const KnFeature kn_morris_features[KN_MORRIS_FEATURES];
extern const KnGameEvaluation kn_morris_evaluations[];
void kn_morris_feature_values(const KnGame *game, const void *position, int role, double *values);
double kn_morris_material(const KnGame *game, const void *position, int role);

#endif
