#include "games/go/playout_patterns.h"

#include <string.h>

/* Rows from the top, the point in the middle. X and O are stones of different colours, a dot is empty, a
 * minus sign is beyond the edge; x is anything on the board but X, o anything but O, a question mark anything
 * on the board. */
static const char *const shapes[] = {
    "XOX...???", /* hane that encloses */
    "XO....?.?", /* hane */
    "XO?X..x.?", /* hane around the end of a wall */
    ".O.X.....", /* a diagonal stone beside it */
    "XO?O.o?o?", /* a cut that nothing protects */
    "XO?O.X???", /* a cut after a peep */
    "?X?O.Oooo", /* pushing between */
    "OX?o.O???", /* a cut of a knight's move */
    "X.?O.?---", /* on the edge: a chase */
    "OX?X.O---", /* a block against a cut */
    "?X?x.O---", /* a block against a connection */
    "?XOx.x---", /* a descent */
    "?OXX.O---", /* a cut */
};

/* The cell that comes to cell i under one of the eight symmetries of the square. */
static int image(int symmetry, int i)
{
    int x = i % 3, y = i / 3, u = symmetry & 1 ? 2 - x : x, v = symmetry & 2 ? 2 - y : y;
    return symmetry & 4 ? u * 3 + v : v * 3 + u;
}

static bool matches(char wanted, int held)
{
    switch (wanted) {
    case 'X':
        return held == 1;
    case 'O':
        return held == 2;
    case '.':
        return held == 0;
    case '-':
        return held == 3;
    case 'x':
        return held == 0 || held == 2;
    case 'o':
        return held == 0 || held == 1;
    default:
        return held != 3;
    }
}

/* Marks all surroundings that a shape fits, from cell i on; `code` holds the cells before. */
static void mark(KnPlayoutPatterns *patterns, const char *shape, int symmetry, bool swapped, int i, int bit,
                 unsigned code)
{
    if (i == 9) {
        patterns->fits[code >> 6] |= (uint64_t)1 << (code & 63);
        return;
    }
    if (i == 4) {
        mark(patterns, shape, symmetry, swapped, i + 1, bit, code);
        return;
    }
    for (unsigned held = 0; held < 4; held++)
        if (matches(shape[image(symmetry, i)], (int)(swapped && held % 3 ? 3 - held : held)))
            mark(patterns, shape, symmetry, swapped, i + 1, bit + 2, code | held << bit);
}

void kn_playout_patterns_fill(KnPlayoutPatterns *patterns)
{
    memset(patterns, 0, sizeof *patterns);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int variant = 0; variant < 16; variant++)
            mark(patterns, shapes[s], variant & 7, variant & 8, 0, 0, 0);
}
