/* Exact endgames: alpha-beta on bitboards to the last disc. With many empty squares, moves are ordered by the
 * opponent's mobility (fastest first); near the end, by parity: squares in regions with an odd number of
 * empty squares first. */
#include "games/othello/endgame.h"

#include <string.h>

#include "games/othello/board.h"

enum { FASTEST_FIRST = 6, LOOK_EVERY = 4096 };

typedef struct Solver {
    const KnOthello *o;
    uint64_t nodes, limit;
    const atomic_bool *cancel;
    bool stopped, cancelled;
} Solver;

bool kn_othello_is(const KnGame *game) { return strcmp(game->type->head.name, "othello") == 0; }

int kn_othello_empties(const KnGame *game, const void *position)
{
    const KnOthelloPosition *p = position;
    return game->cells - __builtin_popcountll(p->own | p->their);
}

static inline uint64_t flips(const KnOthelloRays *rays, uint64_t own, uint64_t their)
{
    uint64_t turned = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t nearest = rays->up[i] & ~their;
        nearest &= -nearest & own;
        turned |= rays->up[i] & (nearest - (nearest != 0));
        nearest = rays->down[i] & ~their;
        nearest = (UINT64_C(1) << (63 - __builtin_clzll(nearest | 1))) & own & rays->down[i];
        turned |= rays->down[i] & -(nearest << 1);
    }
    return turned;
}

static int margin(const KnOthello *o, uint64_t own, uint64_t their)
{
    int mine = __builtin_popcountll(own), others = __builtin_popcountll(their);
    int empties = o->empties_to_winner ? o->size * o->size - mine - others : 0;
    return mine - others + (mine > others ? empties : mine < others ? -empties : 0);
}

static bool count_node(Solver *s)
{
    if (++s->nodes % LOOK_EVERY == 0) {
        s->cancelled = s->cancel && atomic_load(s->cancel);
        s->stopped |= s->cancelled || (s->limit && s->nodes >= s->limit);
    }
    return !s->stopped;
}

/* Quadrants with an odd number of empty squares: the side that moves there first also moves there last. */
static uint64_t odd_regions(uint64_t empty)
{
    static const uint64_t quadrants[4] = {UINT64_C(0x000000000f0f0f0f), UINT64_C(0x00000000f0f0f0f0),
                                          UINT64_C(0x0f0f0f0f00000000), UINT64_C(0xf0f0f0f000000000)};
    uint64_t odd = 0;
    for (int i = 0; i < 4; i++)
        if (__builtin_popcountll(empty & quadrants[i]) & 1) odd |= quadrants[i];
    return odd;
}

static int value(Solver *s, uint64_t own, uint64_t their, int alpha, int beta, bool passed);

static int value_after(Solver *s, uint64_t own, uint64_t their, int square, int alpha, int beta)
{
    if (!count_node(s)) return 0;
    uint64_t turned = flips(&s->o->rays[square], own, their);
    return -value(s, their ^ turned, own | turned | UINT64_C(1) << square, -beta, -alpha, false);
}

static int try_moves(Solver *s, uint64_t own, uint64_t their, const int *squares, int count, int alpha,
                     int beta)
{
    int best = -128;
    for (int i = 0; i < count && !s->stopped; i++) {
        int found = value_after(s, own, their, squares[i], alpha > best ? alpha : best, beta);
        if (found > best) best = found;
        if (best >= beta) break;
    }
    return best;
}

static int list_odd_first(uint64_t set, uint64_t empty, int *squares)
{
    int count = 0;
    uint64_t odd = odd_regions(empty);
    for (uint64_t bits = set & odd; bits; bits &= bits - 1) squares[count++] = __builtin_ctzll(bits);
    for (uint64_t bits = set & ~odd; bits; bits &= bits - 1) squares[count++] = __builtin_ctzll(bits);
    return count;
}

static int list_fastest_first(const KnOthello *o, uint64_t own, uint64_t their, uint64_t set, int *squares)
{
    int count = 0, answers[64];
    for (uint64_t bits = set; bits; bits &= bits - 1) {
        int square = __builtin_ctzll(bits), at = count++;
        uint64_t turned = flips(&o->rays[square], own, their), bit = UINT64_C(1) << square;
        int left = 4 * __builtin_popcountll(kn_othello_mobility(o, their ^ turned, own | turned | bit)) -
                   (bit & o->corners ? 2 : 0);
        for (; at && answers[at - 1] > left; at--)
            answers[at] = answers[at - 1], squares[at] = squares[at - 1];
        answers[at] = left;
        squares[at] = square;
    }
    return count;
}

static int value(Solver *s, uint64_t own, uint64_t their, int alpha, int beta, bool passed)
{
    const KnOthello *o = s->o;
    uint64_t empty = o->board & ~(own | their), set = kn_othello_mobility(o, own, their);
    if (!set) return passed || !empty ? margin(o, own, their) : -value(s, their, own, -beta, -alpha, true);
    int squares[64];
    int count = __builtin_popcountll(empty) >= FASTEST_FIRST ? list_fastest_first(o, own, their, set, squares)
                                                             : list_odd_first(set, empty, squares);
    return try_moves(s, own, their, squares, count, alpha, beta);
}

KnStatus kn_othello_solve(const KnGame *game, const void *position, KnOthelloSolving *solving)
{
    const KnOthelloPosition *p = position;
    Solver s = {.o = kn_othello_of(game), .limit = solving->node_limit, .cancel = solving->cancel};
    solving->margin = -128;
    solving->best = solving->count ? solving->moves[0] : KN_MOVE_NONE;
    for (int i = 0; i < solving->count && !s.stopped; i++) {
        KnMove move = solving->moves[i];
        int alpha = solving->margins ? -128 : solving->margin;
        int found = move == KN_OTHELLO_PASS ? -value(&s, p->their, p->own, -128, -alpha, true)
                                            : value_after(&s, p->own, p->their, (int)move, alpha, 128);
        if (s.stopped) break;
        if (solving->margins) solving->margins[i] = found;
        if (found <= solving->margin) continue;
        solving->margin = found;
        solving->best = move;
    }
    solving->nodes = s.nodes;
    return s.cancelled ? KN_STOPPED : s.stopped ? KN_NO : KN_OK;
}
