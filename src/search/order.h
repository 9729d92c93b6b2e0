/* Which moves to try first: those that cut off at this ply lately (killers), then those that cut off often
 * anywhere (history). Internal to the searches; everything is static inline, since it lies on the hottest
 * path.
 *
 * Moves are opaque, so history counts by a hash of the move; that two share a counter only costs order. */
#ifndef KNACK_SEARCH_ORDER_H
#define KNACK_SEARCH_ORDER_H

#include <string.h>

#include "search/search.h"

enum { KN_ORDER_BITS = 10, KN_ORDER_LIMIT = 1 << 28, KN_ORDER_KILLER = 1 << 30 };

typedef struct KnOrder {
    KnMove killers[KN_SEARCH_PLIES + 1][2];
    uint32_t history[2][1 << KN_ORDER_BITS]; /* by side */
} KnOrder;

static inline void kn_order_clear(KnOrder *order)
{
    memset(order->killers, 0xff, sizeof order->killers);
    memset(order->history, 0, sizeof order->history);
}

static inline uint32_t *kn_order_counter(KnOrder *order, int side, KnMove move)
{
    return &order->history[side][move * 0x9e3779b97f4a7c15u >> (64 - KN_ORDER_BITS)];
}

/* A key for each move, the higher the sooner: its rating above its place in the list, so that equals keep
 * their order. */
static inline void kn_order_rate(KnOrder *order, int ply, int side, const KnMove *moves, uint64_t *keys,
                                 int count)
{
    const KnMove *killers = order->killers[ply];
    for (int i = 0; i < count; i++) {
        uint32_t rating = moves[i] == killers[0]   ? KN_ORDER_KILLER + 1
                          : moves[i] == killers[1] ? KN_ORDER_KILLER
                                                   : *kn_order_counter(order, side, moves[i]);
        keys[i] = (uint64_t)rating << 32 | (UINT32_MAX - (uint32_t)i);
    }
}

/* Brings the highest of the keys from i on to place i, and returns the place of its move in the list. */
static inline int kn_order_pick(uint64_t *keys, int i, int count)
{
    int best = i;
    for (int j = i + 1; j < count; j++)
        if (keys[j] > keys[best]) best = j;
    uint64_t key = keys[best];
    keys[best] = keys[i];
    keys[i] = key;
    return (int)(UINT32_MAX - (uint32_t)key);
}

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
