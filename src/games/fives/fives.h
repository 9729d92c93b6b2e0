/* The board of Fives, shared by the files of this folder. One bit a cell, row by row from the top left, with
 * an empty bit after each row: cell (row, column) is bit row * (width + 1) + column, so a step along a row,
 * column or diagonal is one addition, and a line that leaves the board meets a bit that is never set. A move
 * is the bit number of its cell. */
#ifndef KNACK_GAMES_FIVES_FIVES_H
#define KNACK_GAMES_FIVES_FIVES_H

#include "games/game.h"

enum { KN_FIVES_SIDE = 19, KN_FIVES_WORDS = 6, KN_FIVES_BITS = 64 * KN_FIVES_WORDS };

/* The tables of an instance; read-only after open. */
typedef struct KnFives {
    int width, height, line;
    int words;                          /* words of one side's cells */
    bool exact;                         /* overlines do not win */
    int steps[4];                       /* bit distances: right, down left, down, down right */
    uint64_t board[KN_FIVES_WORDS];     /* cells of the board */
    uint64_t starts[4][KN_FIVES_WORDS]; /* cells from which `line` cells in this direction are on the board */
    uint16_t image[8][KN_FIVES_BITS];   /* image of a bit under a symmetry */
    uint8_t bits_of[256][8];            /* the bits of a byte */
    int feature_count;
    KnFeature features[2 * KN_FIVES_SIDE + 2];
    char names[2 * KN_FIVES_SIDE][32]; /* of features that depend on the line length */
} KnFives;

/* A position is 2 * words + 1 of these: the men of x, who begins, the men of o, and a word with mover and
 * end. Whether the last man completed a line is stored when it is played, where it is cheap to find; it
 * follows from the men, so equal men give equal bytes. */
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

/* Number of men in a row from a cell (exclusive) in a direction, backwards if step < 0. */
static inline int kn_fives_run(const KnFives *f, const uint64_t *men, int bit, int step)
{
    unsigned bits = (unsigned)f->words * 64;
    int n = 0;
    while ((unsigned)(bit += step) < bits && kn_fives_has(men, bit)) n++;
    return n;
}

/* Whether a man on this cell completes, or would complete, a winning line. */
static inline bool kn_fives_completes(const KnFives *f, const uint64_t *men, int bit)
{
    for (int i = 0; i < 4; i++) {
        int length = 1 + kn_fives_run(f, men, bit, f->steps[i]) + kn_fives_run(f, men, bit, -f->steps[i]);
        if (f->exact ? length == f->line : length >= f->line) return true;
    }
    return false;
}

/* lines.c */
void kn_fives_make_features(KnFives *f);
void kn_fives_feature_values(const KnGame *game, const void *position, int role, double *values);
int kn_fives_tactical(const KnGame *game, const void *position, KnMove *moves, bool *may_stand);
/* Empty cells where the side would complete a line. */
void kn_fives_winning(const KnFives *f, const void *position, int role, uint64_t *cells);
/* Empty cells of rows open to the side with at least `men` of its men. */
void kn_fives_row_cells(const KnFives *f, const void *position, int role, int least, uint64_t *cells);
/* The largest number of the side's men in an open row; -1 if there is none. */
int kn_fives_best_row(const KnFives *f, const void *position, int role);
const KnGameEvaluation *kn_fives_evaluations(void);

#endif
