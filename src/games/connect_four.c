/* Connect Four by alpha-beta search with windows of one value, on bit boards.
 *
 * Every question is "is the score at least t?", so that a result is one bit. A move that lets the opponent
 * win at once is never looked at, and moves that make most threats come first. (Allis 1988 for the game;
 * bit boards as in Tromp's solver.) */
#include "games/connect_four.h"

#include <stdlib.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/pages.h"

enum {
    COLUMNS = KN_CONNECT_FOUR_COLUMNS,
    ROWS = KN_CONNECT_FOUR_ROWS,
    HEIGHT = ROWS + 1,
    CELLS = COLUMNS * ROWS
};

struct KnConnectFour {
    uint64_t *table; /* a board above what is known of its score; 0: empty */
    int bits;
};

static const uint64_t BOTTOM = 0x40810204081ull; /* the lowest cell of each column */
#define BOARD (BOTTOM * ((1ull << ROWS) - 1))

static size_t table_bytes(const KnConnectFour *s) { return sizeof *s->table << s->bits; }

KnConnectFour *kn_connect_four_new(int bits)
{
    KN_ASSERT(bits > 0 && bits < 32);
    KnConnectFour *solver = calloc(1, sizeof *solver);
    if (!solver) return NULL;
    solver->bits = bits;
    solver->table = kn_pages_new(table_bytes(solver));
    if (solver->table) return solver;
    free(solver);
    return NULL;
}

void kn_connect_four_free(KnConnectFour *solver)
{
    if (!solver) return;
    kn_pages_free(solver->table, table_bytes(solver));
    free(solver);
}

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

/* ---- the table ----
 *
 * An entry has the board, as one number that is the same for its mirror image, and the lowest and the highest
 * score that it can still have, so that the answer to one question serves for others. */

enum { SCORE_BITS = 6, MIDDLE = 32 };

static uint64_t mirrored(uint64_t board)
{
    uint64_t image = 0;
    for (int c = 0; c < COLUMNS; c++) image = image << HEIGHT | (board >> c * HEIGHT & ((1 << HEIGHT) - 1));
    return image;
}

static uint64_t key_of(uint64_t mover, uint64_t all)
{
    uint64_t board = mover + all + BOTTOM, image = mirrored(board);
    return board < image ? board : image;
}

static uint64_t *slot_of(const KnConnectFour *s, uint64_t key)
{
    return &s->table[kn_mix64(key) >> (64 - s->bits)];
}

/* Bounds of the score; those of a board that is not there say nothing. */
static void look_up(const uint64_t *slot, uint64_t key, int *low, int *high)
{
    const uint64_t entry = *slot, mask = (1 << SCORE_BITS) - 1;
    bool known = entry >> 2 * SCORE_BITS == key;
    *low = known ? (int)(entry >> SCORE_BITS & mask) - MIDDLE : -MIDDLE;
    *high = known ? (int)(entry & mask) - MIDDLE : MIDDLE - 1;
}

static void keep(uint64_t *slot, uint64_t key, int low, int high)
{
    *slot = (key << SCORE_BITS | (uint64_t)(low + MIDDLE)) << SCORE_BITS | (uint64_t)(high + MIDDLE);
}

/* ---- the search ---- */

/* Whether the score is at least t, where the mover cannot win at once. */
static bool at_least(KnConnectFour *s, uint64_t mover, uint64_t all, int discs, int t)
{
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

    const uint64_t key = key_of(mover, all);
    uint64_t *slot = slot_of(s, key), ordered[COLUMNS];
    __builtin_prefetch(slot);
    int count = order_moves(mover, all, moves, ordered), low, high;
    look_up(slot, key, &low, &high);
    if (low >= t || high < t) return low >= t;
    bool found = false;
    for (int i = 0; i < count && !found; i++)
        found = !at_least(s, mover ^ all, all | ordered[i], discs + 1, 1 - t);
    look_up(slot, key, &low, &high); /* the search may have had it in between */
    keep(slot, key, found && t > low ? t : low, !found && t <= high ? t - 1 : high);
    return found;
}

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

bool kn_connect_four_wins_at_once(KnFourBoard board)
{
    return winning_cells(board.mover, board.all) & playable(board.all);
}

bool kn_connect_four_loses(KnConnectFour *s, KnFourBoard board)
{
    return !kn_connect_four_wins_at_once(board) &&
           !at_least(s, board.mover, board.all, __builtin_popcountll(board.all), 0);
}

int kn_connect_four_value(KnConnectFour *s, KnFourBoard board)
{
    int discs = __builtin_popcountll(board.all);
    if (kn_connect_four_wins_at_once(board) || at_least(s, board.mover, board.all, discs, 1)) return 1;
    return kn_connect_four_loses(s, board) ? -1 : 0;
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
