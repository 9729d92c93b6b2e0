#include "methods/widening/tactical_prior.h"

#include <stdlib.h>
#include <string.h>

/* Adds the points at the same distance: the whole chain of a stone. Returns the new end of the queue. */
static int reach(const KnPlayoutBoard *b, int point, int far, uint8_t *distance, uint16_t *queue, int end)
{
    int at = point;
    if (b->colour[point] == 3 || distance[point] <= far) return end;
    do {
        distance[at] = (uint8_t)far;
        queue[end++] = (uint16_t)at;
        at = b->colour[point] ? b->next[at] : point;
    } while (at != point);
    return end;
}

void kn_go_distances(const KnPlayoutBoard *b, uint8_t distance[KN_PLAYOUT_POINTS])
{
    uint16_t queue[KN_PLAYOUT_POINTS];
    memset(distance, KN_GO_FAR, KN_PLAYOUT_POINTS);
    if (!b->last) return;
    int end = reach(b, b->last, 0, distance, queue, 0);
    for (int i = 0; i < end; i++) {
        const int next[4] = KN_PLAYOUT_NEXT(b, queue[i]);
        int far = distance[queue[i]] + 1;
        for (int n = 0; n < 4 && far < KN_GO_FAR; n++) end = reach(b, next[n], far, distance, queue, end);
    }
}

/* The line of a point on the first three lines with no stone near it; 0: higher, or stones are near. */
static int empty_line(const KnPlayoutBoard *b, int point)
{
    int x = point % b->stride, y = point / b->stride, line = b->size;
    const int sides[4] = {x, y, b->size + 1 - x, b->size + 1 - y};
    for (int i = 0; i < 4; i++) line = sides[i] < line ? sides[i] : line;
    for (int dy = -2; dy <= 2 && line <= 3; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int u = x + dx, v = y + dy;
            if (u < 1 || v < 1 || u > b->size || v > b->size || abs(dx) + abs(dy) > 3) continue;
            if (b->colour[v * b->stride + u]) return 0;
        }
    return line <= 3 ? line : 0;
}

/* Own stones that a move saves from atari. */
static int saved(const KnPlayoutBoard *b, int point, int colour)
{
    const int next[4] = KN_PLAYOUT_NEXT(b, point);
    int stones = 0;
    for (int i = 0; i < 4; i++)
        if (b->colour[next[i]] == colour && kn_playout_board_atari(b, b->head[next[i]]) &&
            b->stones[b->head[next[i]]] > stones && kn_playout_policy_saves(b, b->head[next[i]], point))
            stones = b->stones[b->head[next[i]]];
    return stones;
}

static void add(KnGoPrior *prior, double visits, double result)
{
    prior->visits += visits, prior->wins += visits * result;
}

KnGoPrior kn_go_prior(const KnPlayoutPolicy *policy, const KnPlayoutBoard *b,
                      const uint8_t distance[KN_PLAYOUT_POINTS], int point, int colour)
{
    static const double near[KN_GO_FAR] = {24, 24, 22, 8};
    KnGoPrior prior = {10, 5};
    if (point == KN_PLAYOUT_PASS) return (KnGoPrior){10, 1};
    int gain = kn_playout_board_taken(b, point, colour) + saved(b, point, colour);
    int line = empty_line(b, point);
    if (gain)
        add(&prior, gain > 1 ? 30 : 15, 1);
    else if (kn_playout_board_self_atari(b, point, colour))
        add(&prior, kn_playout_board_joined(b, point, colour) > 1 ? 20 : 10, 0);
    if (kn_playout_policy_shape(policy, b, point)) add(&prior, 10, 1);
    if (line) add(&prior, 10, line == 3);
    if (distance[point] < KN_GO_FAR) add(&prior, near[distance[point]], 1);
    return prior;
}
