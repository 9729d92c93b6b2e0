/* Fives' board, shared by fives.c, fives_lines.c and fives_goal.c and nobody else.
 *
 * A bit a cell, row by row from the top left, with an empty bit after each row: cell (row, column) is bit row
 * * (width + 1) + column, so that a step along a row, a column or a diagonal is one addition, and a line that
 * leaves the board meets a bit that is never set. A move is its cell's bit number. */
#ifndef KNACK_GAMES_FIVES_H
#define KNACK_GAMES_FIVES_H

#include "games/game.h"

enum { KN_FIVES_SIDE = 19, KN_FIVES_WORDS = 6, KN_FIVES_BITS = 64 * KN_FIVES_WORDS };

/* What an instance holds; made at open, read-only afterwards. */
typedef struct KnFives {
    int width, height, line;
    int words;                          /* for the cells of one side */
    bool exact;                         /* longer rows do not count */
    int steps[4];                       /* bits from a cell to the next: right, down left, down, down right */
    uint64_t board[KN_FIVES_WORDS];     /* the cells that exist */
    uint64_t starts[4][KN_FIVES_WORDS]; /* cells from which `line` cells along that step are on the board */
    uint16_t image[8][KN_FIVES_BITS];   /* of a bit under a symmetry */
    uint8_t bits_of[256][8];            /* the numbers of the bits of a byte */
    int feature_count;
    KnFeature features[2 * KN_FIVES_SIDE + 2];
    char names[2 * KN_FIVES_SIDE][32]; /* of those that depend on the length of the line */
} KnFives;

/* A position is 2 * words + 1 of these: the men of x, who begins, the men of o, and a word with mover and
 * end. Whether the last man completed a line is kept when it is played, where it costs little, and follows
 * from the men: equal men, equal bytes. */
enum { KN_FIVES_MOVER = 1, KN_FIVES_WON = 2 };

static inline const KnFives *kn_fives_of(const KnGame *game) { return game->data; }
static inline const uint64_t *kn_fives_men(const KnFives *f, const void *position, int role)
{
    return (const uint64_t *)position + role * f->words;
}
static inline uint64_t kn_fives_state(const KnFives *f, const void *position)
{
    return ((const uint64_t *)position)[2 * f->words];
}
static inline bool kn_fives_has(const uint64_t *men, int bit) { return men[bit >> 6] >> (bit & 63) & 1; }

/* Men in a row from a cell (without it) along a step, forwards or (step < 0) backwards. */
static inline int kn_fives_run(const KnFives *f, const uint64_t *men, int bit, int step)
{
    unsigned bits = (unsigned)f->words * 64;
    int n = 0;
    while ((unsigned)(bit += step) < bits && kn_fives_has(men, bit)) n++;
    return n;
}

/* Whether a man on this cell stands, or would stand, in a line that wins. */
static inline bool kn_fives_completes(const KnFives *f, const uint64_t *men, int bit)
{
    for (int i = 0; i < 4; i++) {
        int length = 1 + kn_fives_run(f, men, bit, f->steps[i]) + kn_fives_run(f, men, bit, -f->steps[i]);
        if (f->exact ? length == f->line : length >= f->line) return true;
    }
    return false;
}

/* fives_lines.c */
void kn_fives_make_features(KnFives *f);
void kn_fives_feature_values(const KnGame *game, const void *position, int role, double *values);
int kn_fives_tactical(const KnGame *game, const void *position, KnMove *moves, bool *may_stand);
/* Empty cells where the side would complete a line. */
void kn_fives_winning(const KnFives *f, const void *position, int role, uint64_t *cells);
/* Empty cells of rows that are open to the side and have at least so many of its men. */
void kn_fives_row_cells(const KnFives *f, const void *position, int role, int least, uint64_t *cells);
/* The most men of the side in a row that is open to it; -1 if there is no such row. */
int kn_fives_best_row(const KnFives *f, const void *position, int role);
const KnGameEvaluation *kn_fives_evaluations(void);

#endif
