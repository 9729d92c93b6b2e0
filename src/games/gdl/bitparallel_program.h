/* The propnet as the kernels run it. Private to bitparallel*.
 *
 * Values are in slots: false, facts, moves, then components and LOOP nodes in order of computation.
 * Components of the same shape and level form a group, which a loop without branches computes. Groups that do
 * not depend on moves come first. */
#ifndef KNACK_GAMES_GDL_BITPARALLEL_PROGRAM_H
#define KNACK_GAMES_GDL_BITPARALLEL_PROGRAM_H

#include "games/gdl/bitparallel.h"

enum { KN_BATCH_GAMES = 256, KN_BATCH_WORDS = KN_BATCH_GAMES / 64 };

typedef struct KnBatchGroup {
    bool block;
    uint32_t plain, inverted; /* numbers of inputs, plain ones first */
    uint32_t slot, count;     /* components: slots of their values */
    uint32_t input;           /* components: first input; block: its number */
} KnBatchGroup;

struct KnGdlBatch {
    const KnPropnet *net;
    uint32_t slots;
    uint32_t *slot_of; /* by node */
    uint32_t *inputs;  /* slots */
    KnBatchGroup *groups;
    uint32_t group_count, state_groups; /* the first `state_groups` do not depend on moves */
};

/* Working memory of a kernel, aligned to 64 bytes. */
size_t kn_batch_scratch(const KnGdlBatch *batch, bool record);

typedef struct KnBatchJob {
    const KnGdlBatch *batch;
    const KnGdlLanes *lanes; /* states from a search; NULL: `games` games from `state` */
    const uint64_t *state;
    uint64_t games;
    uint32_t plies;
    uint64_t seeds[4][KN_BATCH_WORDS]; /* four generators side by side */
    KnGdlPlayouts *out;
    void *scratch;
} KnBatchJob;

void kn_batch_play_plain(const KnBatchJob *job);
void kn_batch_play_avx2(const KnBatchJob *job);

#endif
