/* Features of Othello positions, and stable discs. */
#include "games/othello/board.h"

const int kn_othello_weights[KN_OTHELLO_CLASSES] = {1000, -200, 100, 50, -500, -20, -20, -10, -10, -10};

/* X-squares (diagonal) and C-squares (along the edge) next to an empty corner. */
void kn_othello_squares_of_interest(const KnOthello *o, uint64_t occupied, uint64_t *x, uint64_t *c)
{
    uint64_t open = o->corners & ~occupied;
    uint64_t beside = (open & KN_OTHELLO_NOT_H) << 1 | (open & KN_OTHELLO_NOT_A) >> 1;
    *x = (beside << 8 | beside >> 8) & o->board;
    *c = (beside | open << 8 | open >> 8) & o->board;
}

/* The four axes: the step along each, and its change of column. */
static const struct {
    int step, column;
} axes[4] = {{1, 1}, {8, 0}, {9, 1}, {7, -1}};

/* Squares that a shift by this many columns can reach without wrapping around the edge. */
static inline uint64_t arrivals(int columns)
{
    return (columns >= 0 ? 0xffu << columns & 0xffu : 0xffu >> -columns) * UINT64_C(0x0101010101010101);
}

static inline uint64_t forward(uint64_t s, int axis, int times)
{
    return s << times * axes[axis].step & arrivals(times * axes[axis].column);
}

static inline uint64_t backward(uint64_t s, int axis, int times)
{
    return s >> times * axes[axis].step & arrivals(-times * axes[axis].column);
}

/* All squares on a line with the set, in both directions. */
static inline uint64_t spread(uint64_t s, int axis)
{
    uint64_t ahead = s, behind = s;
    for (int times = 1; times <= 4; times *= 2) {
        ahead |= forward(ahead, axis, times);
        behind |= backward(behind, axis, times);
    }
    return ahead | behind;
}

/* Stability: a disc can be flipped only along an axis on which it can be enclosed. It is safe on an axis
 * without empty squares, and if a neighbour on the axis is off the board or a stable disc of its colour. A
 * disc safe on all four axes is stable; the set grows from the corners until it does not change. */
static inline __attribute__((always_inline)) uint64_t chain(uint64_t own, const uint64_t safe[4])
{
    uint64_t stable = 0;
    for (;;) {
        uint64_t more = own;
        for (int axis = 0; axis < 4; axis++)
            more &= safe[axis] | forward(stable, axis, 1) | backward(stable, axis, 1);
        if (more == stable) return stable;
        stable = more;
    }
}

void kn_othello_stable(const KnOthello *o, uint64_t own, uint64_t their, uint64_t *own_stable,
                       uint64_t *their_stable)
{
    uint64_t empty = o->board & ~(own | their), safe[4];
    for (int axis = 0; axis < 4; axis++)
        safe[axis] = ~spread(empty, axis) | ~forward(o->board, axis, 1) | ~backward(o->board, axis, 1);
    *own_stable = chain(own, safe);
    *their_stable = chain(their, safe);
}

const KnFeature kn_othello_features[] = {
    {"mobility", "squares where one may place a disc", 0, 60},
    {"their mobility", "squares where the other may place a disc", 0, 60},
    {"potential", "empty squares beside the other's discs", 0, 60},
    {"their potential", "empty squares beside one's own discs", 0, 60},
    {"corners", "own discs in corners", 0, 4},
    {"their corners", "the other's discs in corners", 0, 4},
    {"x squares", "own discs diagonally beside an empty corner", 0, 4},
    {"their x squares", "the other's discs diagonally beside an empty corner", 0, 4},
    {"c squares", "own discs beside an empty corner along the edge", 0, 8},
    {"their c squares", "the other's discs beside an empty corner along the edge", 0, 8},
    {"edges", "own discs on the edge, corners and their neighbours aside", 0, 16},
    {"their edges", "the other's discs on the edge, corners and their neighbours aside", 0, 16},
    {"frontier", "own discs beside an empty square", 0, 60},
    {"their frontier", "the other's discs beside an empty square", 0, 60},
    {"stable", "own discs that can never be turned over again", 0, 64},
    {"their stable", "the other's discs that can never be turned over again", 0, 64},
    {"disc difference", "own discs less the other's", -64, 64},
    {"parity", "1 if one moves last should nobody pass, else -1", -1, 1},
    {"empties", "empty squares", 0, 64},
};
const int kn_othello_feature_count = sizeof kn_othello_features / sizeof *kn_othello_features;

void kn_othello_feature_values(const KnGame *game, const void *position, int role, double *values)
{
    const KnOthello *o = kn_othello_of(game);
    const KnOthelloPosition *p = position;
    uint64_t side[2] = {kn_othello_discs(p, role), kn_othello_discs(p, 1 - role)};
    uint64_t empty = o->board & ~(side[0] | side[1]), open = kn_othello_around(empty), x, c, stable[2];
    kn_othello_stable(o, side[0], side[1], &stable[0], &stable[1]);
    kn_othello_squares_of_interest(o, side[0] | side[1], &x, &c);
    for (int i = 0; i < 2; i++) {
        uint64_t own = side[i], their = side[1 - i];
        const uint64_t sets[] = {kn_othello_mobility(o, own, their),
                                 kn_othello_around(their) & empty,
                                 own & o->corners,
                                 own & x,
                                 own & c,
                                 own & o->edges,
                                 own & open,
                                 stable[i]};
        for (int k = 0; k < 8; k++) values[2 * k + i] = __builtin_popcountll(sets[k]);
    }
    int empties = __builtin_popcountll(empty);
    bool to_move = p->mover == (uint64_t)role;
    values[16] = __builtin_popcountll(side[0]) - __builtin_popcountll(side[1]);
    values[17] = (empties & 1) == to_move ? 1 : -1;
    values[18] = empties;
}
