/* The network as the kernels of lanes.c run it. Private to lanes*.
 *
 * Values lie in slots: the false one, facts, moves, then gates and nodes of blocks, in the order in which
 * they are computed. Gates of one shape and level stand together and form a group, so that a loop without
 * choices computes them. What does not depend on moves comes first. */
#ifndef KNACK_GAMES_GDL_LANES_PROGRAM_H
#define KNACK_GAMES_GDL_LANES_PROGRAM_H

#include "games/gdl/lanes.h"

enum { KN_LANES = 256, KN_LANE_WORDS = KN_LANES / 64 };

typedef struct KnLanesGroup {
    bool block;
    uint32_t plain, inverted; /* inputs of each kind, plain ones first */
    uint32_t slot, count;     /* gates: where values go */
    uint32_t input;           /* gates: where inputs begin; block: its number */
} KnLanesGroup;

struct KnGdlLanes {
    const KnGdlNet *net;
    uint32_t slots;
    uint32_t *slot_of; /* by node */
    uint32_t *inputs;  /* slots */
    KnLanesGroup *groups;
    uint32_t group_count, state_groups; /* the first ones do not depend on moves */
};

/* Memory that a kernel works in, aligned to 64 bytes. */
size_t kn_lanes_scratch(const KnGdlLanes *lanes);

typedef struct KnLanesJob {
    const KnGdlLanes *lanes;
    const uint64_t *state;
    uint64_t games;
    uint32_t plies;
    uint64_t seeds[4][KN_LANE_WORDS]; /* of four generators side by side */
    KnGdlPlayouts *out;
    void *scratch;
} KnLanesJob;

void kn_lanes_play_plain(const KnLanesJob *job);
void kn_lanes_play_avx2(const KnLanesJob *job);

#endif
