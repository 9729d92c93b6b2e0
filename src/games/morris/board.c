#include "games/morris/board.h"

/* Along the rings: point i and the next clockwise. Across: even numbers from 24 join rings 0 and 1, odd ones
 * 1 and 2. */
#define RING(i, j) (1u << (i) | 1u << (j))
#define SQUARE(r)                                                                                            \
    RING(r, r + 1), RING(r + 1, r + 2), RING(r + 2, r + 3), RING(r + 3, r + 4), RING(r + 4, r + 5),          \
        RING(r + 5, r + 6), RING(r + 6, r + 7), RING(r + 7, r)
const uint32_t kn_morris_line[32] = {SQUARE(0),    SQUARE(8),   SQUARE(16),   RING(1, 9),
                                     RING(9, 17),  RING(3, 11), RING(11, 19), RING(5, 13),
                                     RING(13, 21), RING(7, 15), RING(15, 23)};

static const uint8_t two_squares[16] = {0, 1, 2, 8, 9, 10, 7, 15, 11, 3, 14, 13, 12, 6, 5, 4};
static const uint8_t three_squares[24] = {0,  1,  2, 8,  9,  10, 16, 17, 18, 7, 15, 23,
                                          19, 11, 3, 22, 21, 20, 14, 13, 12, 6, 5,  4};

int kn_morris_cells(const Rules *rules) { return rules->cross ? 24 : 16; }

int kn_morris_bit(const Rules *rules, int cell)
{
    return rules->cross ? three_squares[cell] : two_squares[cell];
}

void kn_morris_place(const Rules *rules, int bit, int *x, int *y)
{
    static const int8_t right[8] = {-1, 0, 1, 1, 1, 0, -1, -1}, down[8] = {-1, -1, -1, 0, 1, 1, 1, 0};
    int middle = rules->cross ? 3 : 2, radius = middle - bit / 8;
    *x = middle + radius * right[bit % 8];
    *y = middle + radius * down[bit % 8];
}

void kn_morris_point_name(const Rules *rules, int bit, KnText *out)
{
    if (rules->cross) {
        int x, y;
        kn_morris_place(rules, bit, &x, &y);
        kn_text_printf(out, "%c%d", 'a' + x, 7 - y);
        return;
    }
    int cell = 0;
    while (cell < 15 && two_squares[cell] != bit) cell++;
    kn_text_printf(out, "%d", cell + 1);
}
