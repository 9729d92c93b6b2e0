/* Connect Four by alpha-beta search with windows of one value, on bit boards.
 *
 * Every question is "is the score at least t?", so that a result is one bit. A move that lets the opponent
 * win at once is never looked at, and moves that make most threats come first. (Allis 1988 for the game;
 * bit boards as in Tromp's solver.) */
#include "games/connect_four.h"

#include <stdlib.h>

#include "base/assert.h"
#include "base/hash.h"

enum {
    COLUMNS = KN_CONNECT_FOUR_COLUMNS,
    ROWS = KN_CONNECT_FOUR_ROWS,
    HEIGHT = ROWS + 1,
    CELLS = COLUMNS * ROWS
};

struct KnConnectFour {
    uint64_t *table; /* board and question, above the answer's bit; 0: empty */
    int bits;
    uint64_t nodes;
};

static const uint64_t BOTTOM = 0x40810204081ull; /* the lowest cell of each column */
#define BOARD (BOTTOM * ((1ull << ROWS) - 1))

KnConnectFour *kn_connect_four_new(int bits)
{
    KN_ASSERT(bits > 0 && bits < 32);
    KnConnectFour *solver = calloc(1, sizeof *solver);
    if (!solver) return NULL;
    solver->bits = bits;
    solver->table = calloc((size_t)1 << bits, sizeof *solver->table);
    if (solver->table) return solver;
    free(solver);
    return NULL;
}

void kn_connect_four_free(KnConnectFour *solver)
{
    if (!solver) return;
    free(solver->table);
    free(solver);
}

uint64_t kn_connect_four_nodes(const KnConnectFour *solver) { return solver->nodes; }

/* The empty cells that complete four in a row with these discs. */
static uint64_t winning_cells(uint64_t discs, uint64_t all)
{
    uint64_t cells = discs << 1 & discs << 2 & discs << 3; /* upright */
    static const int steps[] = {HEIGHT, HEIGHT - 1, HEIGHT + 1};
    for (int i = 0; i < 3; i++) {
        int step = steps[i];
        uint64_t pair = discs << step & discs << 2 * step;
        cells |= pair & (discs << 3 * step | discs >> step);
        pair = discs >> step & discs >> 2 * step;
        cells |= pair & (discs >> 3 * step | discs << step);
    }
    return cells & BOARD & ~all;
}

static uint64_t playable(uint64_t all) { return (all + BOTTOM) & BOARD; }

bool kn_connect_four_lost(KnFourBoard board)
{
    static const int steps[] = {1, HEIGHT, HEIGHT - 1, HEIGHT + 1};
    uint64_t discs = board.mover ^ board.all;
    for (int i = 0; i < 4; i++) {
        uint64_t pairs = discs & discs >> steps[i];
        if (pairs & pairs >> 2 * steps[i]) return true;
    }
    return false;
}

/* The moves, those that leave the most winning cells first; equal ones from the middle outwards. */
static int order_moves(uint64_t mover, uint64_t all, uint64_t moves, uint64_t *ordered)
{
    static const int columns[COLUMNS] = {3, 2, 4, 1, 5, 0, 6};
    int threats[COLUMNS], count = 0;
    for (int i = 0; i < COLUMNS; i++) {
        uint64_t move = moves & ((1ull << ROWS) - 1) << columns[i] * HEIGHT;
        if (!move) continue;
        int made = __builtin_popcountll(winning_cells(mover | move, all | move)), at = count++;
        for (; at > 0 && threats[at - 1] < made; at--) {
            threats[at] = threats[at - 1];
            ordered[at] = ordered[at - 1];
        }
        threats[at] = made;
        ordered[at] = move;
    }
    return count;
}

/* Whether the score is at least t, where the mover cannot win at once. */
static bool at_least(KnConnectFour *s, uint64_t mover, uint64_t all, int discs, int t)
{
    s->nodes++;
    uint64_t moves = playable(all), threats = winning_cells(mover ^ all, all), forced = moves & threats;
    if (!moves) return t <= 0;
    const int lost = -(CELLS - discs) / 2;       /* the opponent wins with his next disc */
    if (forced & (forced - 1)) return t <= lost; /* two threats at once */
    if (forced) moves = forced;
    moves &= ~(threats >> 1); /* never below a cell where the opponent wins */
    if (!moves) return t <= lost;
    if (discs >= CELLS - 2) return t <= 0;
    if (t <= -(CELLS - 2 - discs) / 2) return true; /* that much is safe */
    if (t > (CELLS - 1 - discs) / 2) return false;  /* more cannot be had */

    enum { QUESTIONS = 64, MIDDLE = 32 };
    uint64_t key = ((mover + all + BOTTOM) * QUESTIONS + (uint64_t)(t + MIDDLE)) << 1,
             *slot = &s->table[kn_mix64(key) >> (64 - s->bits)];
    if ((*slot & ~1ull) == key) return *slot & 1;
    uint64_t ordered[COLUMNS];
    int count = order_moves(mover, all, moves, ordered);
    bool found = false;
    for (int i = 0; i < count && !found; i++)
        found = !at_least(s, mover ^ all, all | ordered[i], discs + 1, 1 - t);
    *slot = key | found;
    return found;
}

bool kn_connect_four_wins_at_once(KnFourBoard board)
{
    return winning_cells(board.mover, board.all) & playable(board.all);
}

int kn_connect_four_value(KnConnectFour *s, KnFourBoard board)
{
    int discs = __builtin_popcountll(board.all);
    if (kn_connect_four_wins_at_once(board) || at_least(s, board.mover, board.all, discs, 1)) return 1;
    return at_least(s, board.mover, board.all, discs, 0) ? 0 : -1;
}

int kn_connect_four_score(KnConnectFour *s, KnFourBoard board)
{
    int discs = __builtin_popcountll(board.all);
    if (kn_connect_four_wins_at_once(board)) return (CELLS + 1 - discs) / 2;
    int low = -(CELLS - discs) / 2, high = (CELLS - 1 - discs) / 2;
    while (low < high) { /* the middle comes first: who wins, then how soon */
        int middle = low + (high - low + 1) / 2;
        if (middle <= 0 && low / 2 < middle) middle = low / 2;
        if (middle > 0 && high / 2 > middle) middle = high / 2;
        if (middle <= low) middle = low + 1;
        if (at_least(s, board.mover, board.all, discs, middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}
