/* The parts of an n-tuple network, for learn/ntuple*.c only. */
#ifndef KNACK_LEARN_NTUPLE_INSIDE_H
#define KNACK_LEARN_NTUPLE_INSIDE_H

#include "learn/board_rows.h"
#include "learn/ntuple.h"
#include "learn/packed.h"

typedef struct KnTuple {
    int length;
    int first, count; /* placements */
    uint32_t offset;  /* of its table */
    uint32_t entries;
} KnTuple;

/* Summing goes in two steps. First the index of every placement: the rows of learn/board_rows.h are what the
 * contents of cells add to each placement's index, as vectors of 16-bit numbers. Then each placement's weight
 * is fetched and added.
 *
 * Weights: for each set of tables (one or two), for each phase, `stride` weights: the tables of all tuples,
 * and at least one zero for the placements that fill up the last vector. */
struct KnNtuple {
    int cells, symbols, phases;
    int tuples, placements, padded; /* padded: placements, filled up to whole vectors */
    KnTuple *tuple;
    uint16_t *place;    /* KN_NTUPLE_LENGTH cells for each placement */
    int *owner;         /* the tuple of each placement */
    int sets;           /* of tables: 1 with an exchange */
    uint16_t *seen[2];  /* by side and cell: the cell that the tables know */
    uint8_t *symbol[2]; /* by side and symbol */
    KnBoardRows rows;   /* of `padded` numbers */
    uint32_t *base;     /* [padded]: where the placement's table begins */
    uint32_t entries;   /* of all tables of a phase */
    size_t stride;
    int16_t *weights;
    int32_t (*sum)(const KnNtuple *net, const uint8_t *board, int side, int phase);
};

static inline size_t kn_ntuple_tables(const KnNtuple *net, int side, int phase)
{
    size_t set = net->sets == 2 ? (size_t)side : 0;
    return (set * (size_t)net->phases + (size_t)phase) * net->stride;
}

/* Makes `rows` and `base`, and chooses `sum` by the processor. */
KnStatus kn_ntuple_make_rows(KnNtuple *net, KnError *error);

/* Makes a network with the same values and fewer placements, by joining tuples in pairs. */
KnStatus kn_ntuple_pair(const KnNtuple *net, KnNtuple **paired, KnError *error);

#endif
