#include "players/dilemma/duel.h"

#include "base/assert.h"

/* Two machines that leave nothing to chance. A code holds a state and its move, so that a round costs each
 * side one look-up at (own state, other's move); outcomes follow from three sums. */
static void run_codes(const KnMachine *a, const KnMachine *b, unsigned *x, unsigned *y, long turns,
                      long count[4])
{
    const uint16_t *next_x = a->codes, *next_y = b->codes;
    unsigned p = *x, q = *y;
    unsigned long first = 0, second = 0, both = 0; /* defections */
    for (long t = 0; t < turns; t++) {
        unsigned d = p & 1, e = q & 1;
        first += d;
        second += e;
        both += d & e;
        p = next_x[(p & ~1u) | e];
        q = next_y[(q & ~1u) | d];
    }
    *x = p;
    *y = q;
    count[3] += (long)both;
    count[2] += (long)(first - both);
    count[1] += (long)(second - both);
    count[0] += turns - (long)(first + second - both);
}

/* Number of the first `turns` rounds that pay by the first table. */
static long before_change(const KnMatrix *matrix, long turns)
{
    return matrix->later && matrix->change < turns ? matrix->change : turns;
}

/* The length of a match with a random end: the same draws as nature's, one after each round. */
static long draw_length(const KnMatrix *matrix, KnRng *nature)
{
    if (matrix->go_on >= 1) return matrix->turns;
    long turns = 1;
    while (turns < matrix->turns && kn_rng_real(nature) < matrix->go_on) turns++;
    return turns;
}

static void run_machines(const KnAgent *first, const KnAgent *second, const KnMatrix *matrix, KnDuel *duel)
{
    unsigned x = first->machine->first, y = second->machine->first;
    long before = before_change(matrix, duel->turns);
    run_codes(first->machine, second->machine, &x, &y, before, duel->count[0]);
    run_codes(first->machine, second->machine, &x, &y, duel->turns - before, duel->count[1]);
}

static int tremble(int move, double noise, KnRng *rng)
{
    return noise > 0 && kn_rng_real(rng) < noise ? 1 - move : move;
}

static void run_strategies(const KnAgent *first, const KnAgent *second, const KnDuelRules *rules,
                           KnRng *streams, KnDuel *duel)
{
    const KnMatrix *matrix = rules->matrix;
    KnRoundPayoffs payoffs[2][2];
    for (int side = 0; side < 2; side++)
        for (int later = 0; later < 2; later++)
            payoffs[side][later] = kn_round_payoffs(matrix, side, later ? matrix->change : 0);
    KnStrategyState a, b;
    long before = before_change(matrix, duel->turns);
    kn_strategy_state_begin(&a, first, &payoffs[0][before == 0], rules->known_length);
    kn_strategy_state_begin(&b, second, &payoffs[1][before == 0], rules->known_length);
    for (long t = 0; t < duel->turns; t++) {
        int x = tremble(kn_strategy_state_draw(&a, &streams[KN_DUEL_FIRST]), rules->noise,
                        &streams[KN_DUEL_NOISE]);
        int y = tremble(kn_strategy_state_draw(&b, &streams[KN_DUEL_SECOND]), rules->noise,
                        &streams[KN_DUEL_NOISE]);
        duel->count[t >= before][kn_outcome(x, y)]++;
        kn_strategy_state_note(&a, first, x, y);
        kn_strategy_state_note(&b, second, y, x);
        if (t + 1 == before) a.history.payoffs = &payoffs[0][1], b.history.payoffs = &payoffs[1][1];
    }
}

void kn_duel(const KnAgent *first, const KnAgent *second, const KnDuelRules *rules,
             KnRng streams[KN_DUEL_STREAMS], KnDuel *duel)
{
    KN_ASSERT(rules->matrix->players == 2 && rules->matrix->actions[0] == 2 &&
              rules->matrix->actions[1] == 2);
    *duel = (KnDuel){.turns = draw_length(rules->matrix, &streams[KN_DUEL_NATURE])};
    bool tables = first->machine && second->machine && first->machine->deterministic &&
                  second->machine->deterministic;
    if (tables && !(rules->noise > 0))
        run_machines(first, second, rules->matrix, duel);
    else
        run_strategies(first, second, rules, streams, duel);
}

int64_t kn_duel_score(const KnDuel *duel, const KnMatrix *matrix, int side)
{
    int64_t score = 0;
    for (int outcome = 0; outcome < 4; outcome++) {
        score += duel->count[0][outcome] * matrix->table[outcome * 2 + side];
        if (matrix->later) score += duel->count[1][outcome] * matrix->later[outcome * 2 + side];
    }
    return score;
}

long kn_duel_cooperations(const KnDuel *duel, int side)
{
    long cooperations = 0;
    for (int table = 0; table < 2; table++)
        cooperations += duel->count[table][0] + duel->count[table][side ? 2 : 1];
    return cooperations;
}
