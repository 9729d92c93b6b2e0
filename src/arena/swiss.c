#include "arena/swiss.h"

#include <stdlib.h>

enum { STEPS_MOST = 1000000 };

typedef struct Round {
    size_t count; /* players, and the bye as one more where their number is odd */
    size_t players;
    const bool *met, *had_bye;
    size_t *order, *partner;
    int steps;
} Round;

size_t kn_swiss_rounds_most(size_t players)
{
    size_t even = players + players % 2;
    return even / 2 > 1 ? even / 2 : 1;
}

size_t kn_swiss_rounds(size_t players)
{
    size_t rounds = 1, most = kn_swiss_rounds_most(players);
    while (((size_t)1 << rounds) < players) rounds++;
    return rounds < most ? rounds : most;
}

static bool may_meet(const Round *round, size_t a, size_t b)
{
    if (b == round->players) return !round->had_bye[a];
    if (a == round->players) return !round->had_bye[b];
    return !round->met[a * round->players + b];
}

/* The first player without a partner takes the nearest one by score; where that leaves others without a
 * partner, the next nearest. */
static bool pair_from(Round *round, size_t first)
{
    while (first < round->count && round->partner[round->order[first]] < round->count) first++;
    if (first == round->count) return true;
    size_t a = round->order[first];
    for (size_t i = first + 1; i < round->count && round->steps < STEPS_MOST; i++) {
        size_t b = round->order[i];
        if (round->partner[b] < round->count || !may_meet(round, a, b)) continue;
        round->steps++;
        round->partner[a] = b;
        round->partner[b] = a;
        if (pair_from(round, first + 1)) return true;
        round->partner[a] = round->partner[b] = round->count;
    }
    return false;
}

bool kn_swiss_pair(size_t players, const double *scores, const bool *met, const bool *had_bye,
                   size_t *partner)
{
    size_t count = players + players % 2;
    size_t *order = malloc(count * sizeof *order), *found = malloc(count * sizeof *found);
    bool ok = order && found;
    for (size_t i = 0; i < count && ok; i++) { /* by insertion; the bye stays last */
        size_t at = i;
        while (i < players && at && scores[order[at - 1]] < scores[i]) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
        found[i] = count;
    }
    Round round = {count, players, met, had_bye, order, found, 0};
    ok = ok && pair_from(&round, 0);
    for (size_t i = 0; i < players && ok; i++) partner[i] = found[i] < players ? found[i] : i;
    free(order);
    free(found);
    return ok;
}
