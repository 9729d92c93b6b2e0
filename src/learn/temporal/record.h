/* A contest as the temporal methods learn from it: cells and actions of each ply, and what else could have
 * been done there.
 *
 * Ownership: kn_record_free frees what kn_record_fill made; a record may be filled again and again. Start
 * from {0}. */
#ifndef KNACK_LEARN_TEMPORAL_RECORD_H
#define KNACK_LEARN_TEMPORAL_RECORD_H

#include "learn/hoyle/watched.h"
#include "learn/temporal/board.h"

typedef struct KnRecord {
    size_t plies, room;
    uint8_t *cells; /* before ply i: cells + i * width; with one more at the end */
    size_t width;
    KnAction *actions;
    uint8_t *movers;
    KnAction *legal; /* at ply i: legal[legal_from[i]] up to legal_from[i + 1] */
    size_t *legal_from;
    size_t legal_room;
    int outcome[2]; /* 1 won, 0 drawn, -1 lost, for each player */
    bool expert[2]; /* whose decisions are to be imitated */
} KnRecord;

KnStatus kn_record_fill(KnRecord *record, const KnTemporalBoard *board, const KnWatched *contest,
                        KnError *error);
void kn_record_free(KnRecord *record);

static inline const uint8_t *kn_record_cells(const KnRecord *record, size_t ply)
{
    return record->cells + ply * record->width;
}

#endif
