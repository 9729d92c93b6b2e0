/* Which moves to try first: those that cut off at this ply lately (killers), then those that cut off often anywhere
 * (history). Internal to the searches; everything is static inline, since it lies on the hottest path.
 *
 * Moves are opaque, so history counts by a hash of the move; that two share a counter only costs order. */
#ifndef KNACK_SEARCH_ORDER_H
#define KNACK_SEARCH_ORDER_H

#include <string.h>

#include "search/search.h"

enum { KN_ORDER_BITS = 10, KN_ORDER_LIMIT = 1 << 28 };

typedef struct KnOrder {
    KnMove killers[KN_SEARCH_PLIES + 1][2];
    int32_t history[2][1 << KN_ORDER_BITS]; /* by side */
} KnOrder;

static inline void kn_order_clear(KnOrder *order)
{
    memset(order->killers, 0xff, sizeof order->killers);
    memset(order->history, 0, sizeof order->history);
}

static inline int32_t *kn_order_counter(KnOrder *order, int side, KnMove move)
{
    return &order->history[side][move * 0x9e3779b97f4a7c15u >> (64 - KN_ORDER_BITS)];
}

/* A number for each move, the higher the sooner; `first` is the place of one to be tried before all, or -1. */
static inline void kn_order_rate(KnOrder *order, int ply, int side, const KnMove *moves, int32_t *ratings, int count,
                                 int first)
{
    const KnMove *killers = order->killers[ply];
    for (int i = 0; i < count; i++)
        ratings[i] = moves[i] == killers[0]   ? INT32_MAX - 1
                     : moves[i] == killers[1] ? INT32_MAX - 2
                                              : *kn_order_counter(order, side, moves[i]);
    if (first >= 0 && first < count) ratings[first] = INT32_MAX;
}

/* Takes the best of what is left at place i. Its original place goes with it. */
static inline void kn_order_pick(KnMove *moves, int32_t *ratings, uint16_t *places, int i, int count)
{
    int best = i;
    for (int j = i + 1; j < count; j++)
        if (ratings[j] > ratings[best]) best = j;
    if (best == i) return;
    KnMove move = moves[best];
    int32_t rating = ratings[best];
    uint16_t place = places[best];
    moves[best] = moves[i];
    ratings[best] = ratings[i];
    places[best] = places[i];
    moves[i] = move;
    ratings[i] = rating;
    places[i] = place;
}

static inline void kn_order_reward(KnOrder *order, int ply, int side, KnMove move, int depth)
{
    KnMove *killers = order->killers[ply];
    if (killers[0] != move) {
        killers[1] = killers[0];
        killers[0] = move;
    }
    int32_t *counter = kn_order_counter(order, side, move);
    *counter += depth * depth;
    if (*counter > KN_ORDER_LIMIT)
        for (int i = 0; i < 1 << KN_ORDER_BITS; i++) order->history[side][i] /= 2;
}

#endif
