/* Solving one slice together with that of the exchanged material, between which quiet moves go to and fro.
 *
 * Each number of a slice has a word of 16 bits while it is being solved:
 *
 *     0 U . . . . . . . . . . . . . .     decided
 *     1 c c c c c m m m m m m m m m m     not yet
 *     0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1     no position has this number
 *
 * Decided: the low 14 bits are the plies to the end plus one, 0 for a draw; even plies are lost, odd won. U:
 * by a capture, which quiet moves cannot change. Not yet: c quiet moves lead to positions that are not known
 * to be won for the other; m is the longest of the wins that promotions give the other, KN_WORD_DRAWN if some
 * promotion draws.
 *
 * What captures and promotions lead to is asked of finished tables. In tables without distances each of these
 * counts as if the game ended there, so that `plies` are those to a capture, a promotion or the end. */
#ifndef KNACK_GAMES_CHECKERS_ENDGAME_PAIR_H
#define KNACK_GAMES_CHECKERS_ENDGAME_PAIR_H

#include "games/checkers/endgame.h"

enum {
    KN_WORD_OPEN = 0x8000,
    KN_WORD_ONE = 1 << 10, /* a move, in the count of an open word */
    KN_WORD_DRAWN = 0x3ff,
    KN_WORD_TAKES = 0x4000,
    KN_WORD_CODE = 0x3fff,
    KN_WORD_NONE = 0x7fff
};

typedef struct KnPairCounts {
    uint64_t positions, wins, draws, losses, longest;
} KnPairCounts;

/* One of the two slices. */
typedef struct KnPairSlice {
    KnMaterial material;
    uint32_t men, other_men, kings, other_kings; /* numbers of sets */
    uint32_t numbers;
    const uint32_t *men_of, *other_men_of, *kings_of, *other_kings_of; /* sets by rank */
    uint16_t *words;
    KnPairCounts counts;
} KnPairSlice;

typedef struct KnPair {
    const KnRanks *ranks;
    KnEndgameKind kind;
    int slices; /* 1 where both sides have the same */
    KnPairSlice slice[2];
    uint32_t *sets[2][KN_ENDGAME_PIECES + 1]; /* of men and of kings, by size */
    int jobs;
    KnEndgameProber **probers; /* one a job: of the tables finished before */
    KnProgress *progress;
    const atomic_bool *cancel;
} KnPair;

/* The number of the other slice of the pair, which quiet moves lead to and come from. */
static inline int kn_pair_opposite(const KnPair *pair, int slice)
{
    return pair->slices == 1 ? 0 : 1 - slice;
}

/* A row: all numbers that differ in the other's kings only. */
typedef struct KnPairRow {
    uint32_t men, other_men, kings; /* as sets on the board */
    uint32_t men_rank, other_men_rank, kings_rank;
    uint32_t first; /* number */
    bool empty;     /* sets overlap: no position in it */
} KnPairRow;

KnPairRow kn_pair_row(const KnPairSlice *slice, uint32_t row);
static inline uint32_t kn_pair_rows(const KnPairSlice *slice) { return slice->numbers / slice->other_kings; }

/* The answer that the finished tables give after a move out of the pair, seen by who has the move then. */
KnStatus kn_pair_ask(const KnPair *pair, int worker, const KnCheckersPosition *position, KnMove move,
                     KnEndgameAnswer *answer, KnError *error);

/* The word of a position in which the mover can capture: `moves` are the captures. */
KnStatus kn_pair_capture_word(const KnPair *pair, int worker, const KnCheckersPosition *position,
                              const KnMove *moves, int count, uint16_t *word, KnError *error);

/* The shape of the pair: kind, jobs, ranks, probers, progress and cancel are set, the rest is zero.
 * kn_pair_free in any case. */
KnStatus kn_pair_open(KnPair *pair, KnMaterial m, KnError *error);
void kn_pair_free(KnPair *pair);

/* Makes the words and solves. Ticks once for each number, and once more for each that is not drawn. */
KnStatus kn_pair_solve(KnPair *pair, KnError *error);

/* Makes every position's word again from its successors, and counts. KN_NO with the first that is wrong.
 * Ticks once for each number. */
KnStatus kn_pair_verify(KnPair *pair, KnError *error);

/* Runs a task on all rows of both slices, some at a time: of slice `slice` the rows [first, end). */
typedef KnStatus KnPairTask(KnPair *pair, int worker, int slice, uint32_t first, uint32_t end,
                            KnError *error);
KnStatus kn_pair_each(KnPair *pair, KnPairTask *task, KnError *error);

#endif
