/* Move ordering: killer moves (Akl and Newborn 1977), which cut off lately at this ply, then the history
 * heuristic (Schaeffer 1989), which counts cut-offs anywhere. Internal to the searches; static inline, since
 * it lies on the hottest path.
 *
 * Moves are opaque, so history counts by a hash of the move. Two moves that share a counter only disturb the
 * order. */
#ifndef KNACK_SEARCH_ORDER_H
#define KNACK_SEARCH_ORDER_H

#include <string.h>

#include "search/search.h"

enum {
    KN_ORDER_BITS = 10,
    KN_ORDER_LIMIT = 1 << 28,
    KN_ORDER_KILLER = 1 << 30,
    KN_ORDER_PAIRS = 8, /* bits of each move of a pair */
    KN_ORDER_MOST = 1 << 13
};

typedef struct KnOrder {
    KnMove killers[KN_SEARCH_PLIES + 1][2];
    uint32_t history[2][1 << KN_ORDER_BITS]; /* by side */
    /* Of selective searches: moves alone and after the move before them, within +-KN_ORDER_MOST. */
    int16_t alone[2][1 << KN_ORDER_BITS];
    int16_t after[1 << KN_ORDER_PAIRS][1 << KN_ORDER_PAIRS];
} KnOrder;

static inline void kn_order_clear(KnOrder *order)
{
    memset(order->killers, 0xff, sizeof order->killers);
    memset(order->history, 0, sizeof order->history);
}

static inline void kn_order_clear_pairs(KnOrder *order)
{
    memset(order->alone, 0, sizeof order->alone);
    memset(order->after, 0, sizeof order->after);
}

static inline uint32_t *kn_order_counter(KnOrder *order, int side, KnMove move)
{
    return &order->history[side][move * 0x9e3779b97f4a7c15u >> (64 - KN_ORDER_BITS)];
}

static inline int16_t *kn_order_alone(KnOrder *order, int side, KnMove move)
{
    return &order->alone[side][move * 0x9e3779b97f4a7c15u >> (64 - KN_ORDER_BITS)];
}

static inline int16_t *kn_order_after(KnOrder *order, KnMove before, KnMove move)
{
    return &order->after[before * 0xd6e8feb86659fd93u >> (64 - KN_ORDER_PAIRS)]
                        [move * 0x9e3779b97f4a7c15u >> (64 - KN_ORDER_PAIRS)];
}

/* What both say of a move. */
static inline int kn_order_worth(KnOrder *order, int side, KnMove before, KnMove move)
{
    return *kn_order_alone(order, side, move) + *kn_order_after(order, before, move);
}

/* Moves both towards +-KN_ORDER_MOST. */
static inline void kn_order_adjust(KnOrder *order, int side, KnMove before, KnMove move, int by)
{
    by *= 32;
    by = by > KN_ORDER_MOST / 4 ? KN_ORDER_MOST / 4 : by < -KN_ORDER_MOST / 4 ? -KN_ORDER_MOST / 4 : by;
    int size = by < 0 ? -by : by;
    int16_t *alone = kn_order_alone(order, side, move), *after = kn_order_after(order, before, move);
    *alone = (int16_t)(*alone + by - *alone * size / KN_ORDER_MOST);
    *after = (int16_t)(*after + by - *after * size / KN_ORDER_MOST);
}

/* A sort key for each move, the highest first: the rating in the high bits, the place in the list in the low
 * ones, so that equals keep their order. */
static inline void kn_order_rate(KnOrder *order, int ply, int side, KnMove before, bool pairs,
                                 const KnMove *moves, uint64_t *keys, int count)
{
    const KnMove *killers = order->killers[ply];
    for (int i = 0; i < count; i++) {
        uint32_t rating = moves[i] == killers[0]   ? KN_ORDER_KILLER + 1
                          : moves[i] == killers[1] ? KN_ORDER_KILLER
                          : pairs
                              ? (uint32_t)(4 * KN_ORDER_MOST + kn_order_worth(order, side, before, moves[i]))
                              : *kn_order_counter(order, side, moves[i]);
        keys[i] = (uint64_t)rating << 32 | (UINT32_MAX - (uint32_t)i);
    }
}

static inline int kn_order_index(uint64_t key) { return (int)(UINT32_MAX - (uint32_t)key); }

/* Selection sort, one step: brings the highest key from i on to place i. Returns the index of its move. */
static inline int kn_order_pick(uint64_t *keys, int i, int count)
{
    int best = i;
    for (int j = i + 1; j < count; j++)
        if (keys[j] > keys[best]) best = j;
    uint64_t key = keys[best];
    keys[best] = keys[i];
    keys[i] = key;
    return kn_order_index(key);
}

/* Rewards a move that cut off. */
static inline void kn_order_reward(KnOrder *order, int ply, int side, KnMove move, int depth)
{
    KnMove *killers = order->killers[ply];
    if (killers[0] != move) {
        killers[1] = killers[0];
        killers[0] = move;
    }
    uint32_t *counter = kn_order_counter(order, side, move);
    *counter += (uint32_t)(depth * depth);
    if (*counter > KN_ORDER_LIMIT)
        for (int i = 0; i < 1 << KN_ORDER_BITS; i++) order->history[side][i] /= 2;
}

#endif
