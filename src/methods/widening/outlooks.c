#include "methods/widening/outlooks.h"

enum { NEEDS_MAX = 6 };

/* Initial proof and disproof numbers, by how many moves of his own the attacker still needs. */
static const KnExpected attacked[NEEDS_MAX + 1] = {{1, 30}, {1, 30}, {2, 6}, {5, 3},
                                                   {9, 2},  {15, 1}, {25, 1}}; /* the attacker is to move */

/* The defender is to move: also by what he can make of it. */
static const KnExpected defended[NEEDS_MAX + 1][NEEDS_MAX + 1] = {
    {{1, 30}, {1, 30}, {2, 6}, {5, 3}, {9, 2}, {14, 1}, {14, 1}},
    {{1, 30}, {1, 30}, {2, 6}, {5, 3}, {9, 2}, {14, 1}, {14, 1}},
    {{3, 5}, {3, 5}, {3, 5}, {5, 3}, {9, 2}, {14, 1}, {16, 1}},
    {{6, 3}, {6, 3}, {6, 3}, {6, 3}, {10, 2}, {15, 1}, {18, 1}},
    {{11, 2}, {11, 2}, {11, 2}, {11, 2}, {12, 2}, {17, 1}, {20, 1}},
    {{20, 1}, {20, 1}, {20, 1}, {20, 1}, {20, 1}, {20, 1}, {25, 1}},
    {{30, 1}, {30, 1}, {30, 1}, {30, 1}, {30, 1}, {30, 1}, {30, 1}},
};

KnExpected kn_expected(bool attacking, const KnOutlook *outlook)
{
    int needs = outlook->needs < NEEDS_MAX ? outlook->needs : NEEDS_MAX,
        reach = outlook->reach < NEEDS_MAX ? outlook->reach : NEEDS_MAX;
    KN_ASSERT(needs >= 0 && reach >= 0);
    return attacking ? defended[needs][reach] : attacked[needs];
}
