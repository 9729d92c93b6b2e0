/* Bitboard move generation: a step of all men in one direction is a rotation; only the resulting sets are
 * split into moves. The code is written once for a side known at compile time and instantiated for both. */
#include "games/checkers/board.h"

#define INLINE static inline __attribute__((always_inline))

/* Steps and jumps by destination: entry i < 32 for square i reached in the side's first direction, entry 32 +
 * i in the second. */
#define BIT(i)            ((KnMove)1 << ((i)&31))
#define STEP(i, by)       (BIT(i) | BIT((i) - (by)))
#define JUMP(i, by)       (BIT(i) | BIT((i)-2 * (by)) | BIT((i) - (by)) << 32)
#define FOUR(M, i, by)    M(i, by), M((i) + 1, by), M((i) + 2, by), M((i) + 3, by)
#define SIXTEEN(M, i, by) FOUR(M, i, by), FOUR(M, (i) + 4, by), FOUR(M, (i) + 8, by), FOUR(M, (i) + 12, by)
#define ARRIVALS(M, first, second)                                                                           \
    {                                                                                                        \
        SIXTEEN(M, 0, first), SIXTEEN(M, 16, first), SIXTEEN(M, 0, second), SIXTEEN(M, 16, second)           \
    }
static const KnMove step_arrivals[2][64] = {ARRIVALS(STEP, 1, 7), ARRIVALS(STEP, -1, -7)};
static const KnMove jump_arrivals[2][64] = {ARRIVALS(JUMP, 1, 7), ARRIVALS(JUMP, -1, -7)};

/* The two forward directions of a side; backward ones are the opponent's. */
INLINE int first_way(int side) { return side == KN_CHECKERS_BLACK ? DOWN_LEFT : UP_RIGHT; }
INLINE int second_way(int side) { return first_way(side) + 1; }

/* Destinations of forward steps of `own`, as the tables are indexed. */
INLINE uint64_t step_forward(uint32_t own, uint32_t empty, int side)
{
    return (uint64_t)(kn_checkers_step(own, second_way(side)) & empty) << 32 |
           (kn_checkers_step(own, first_way(side)) & empty);
}

INLINE uint32_t jump_way(uint32_t own, uint32_t other, uint32_t empty, int way)
{
    return kn_checkers_step(kn_checkers_step(own, way) & other, way) & empty;
}

/* The same for single jumps. */
INLINE uint64_t jump_forward(uint32_t own, uint32_t other, uint32_t empty, int side)
{
    return (uint64_t)jump_way(own, other, empty, second_way(side)) << 32 |
           jump_way(own, other, empty, first_way(side));
}

INLINE uint32_t both_halves(uint64_t arrive) { return (uint32_t)(arrive | arrive >> 32); }

INLINE KnMove *list(uint64_t arrive, const KnMove *arrivals, KnMove *out)
{
    for (; arrive; arrive &= arrive - 1) *out++ = arrivals[__builtin_ctzll(arrive)];
    return out;
}

/* A position seen by the side to move, with its first jumps. */
typedef struct View {
    uint32_t own, other, kings, empty; /* kings: own ones */
    uint64_t forward, backward;        /* where first jumps arrive */
} View;

INLINE View view(const KnCheckersPosition *p, int side)
{
    View v = {p->pieces[side], p->pieces[1 - side], p->kings & p->pieces[side], 0, 0, 0};
    v.empty = ~(v.own | v.other);
    v.forward = jump_forward(v.own, v.other, v.empty, side);
    if (v.kings) v.backward = jump_forward(v.kings, v.other, v.empty, 1 - side);
    return v;
}

/* Whether a first jump can continue. The piece jumped first cannot be jumped again: behind it is the jumper's
 * own square, which is not empty. */
INLINE bool jumps_go_on(const View *v, int side)
{
    uint64_t next = jump_forward(both_halves(v->forward), v->other, v->empty, side);
    if (v->kings) {
        uint32_t kings = both_halves(jump_forward(v->kings, v->other, v->empty, side) | v->backward);
        next |= jump_forward(kings, v->other, v->empty, side) |
                jump_forward(kings, v->other, v->empty, 1 - side);
    }
    return next != 0;
}

/* A capture in progress: one piece, what it has captured, what is left. */
typedef struct Jump {
    uint32_t origin, empty; /* its own square counts as empty */
    KnMove *first, *out;    /* the piece's moves start at first; the next goes to out */
    KnMove *end;            /* see KN_CHECKERS_MOVES_MAX */
} Jump;

/* Routes of a man never meet again with the same captures, so its moves are distinct. */
INLINE void man_jumps_on(Jump *jump, uint32_t at, uint32_t taken, uint32_t other, int side);

static __attribute__((noinline)) void black_man_jumps(Jump *jump, uint32_t at, uint32_t taken, uint32_t other)
{
    man_jumps_on(jump, at, taken, other, KN_CHECKERS_BLACK);
}

static __attribute__((noinline)) void white_man_jumps(Jump *jump, uint32_t at, uint32_t taken, uint32_t other)
{
    man_jumps_on(jump, at, taken, other, KN_CHECKERS_WHITE);
}

/* One jump in a direction, if possible, and its continuations. */
INLINE void man_jump(Jump *jump, uint32_t at, uint32_t taken, uint32_t other, int side, int way)
{
    uint32_t over = kn_checkers_step(at, way) & other;
    uint32_t land = kn_checkers_step(over, way) & jump->empty;
    if (!land) return;
    if (!jump_forward(land, other, jump->empty, side)) {
        if (jump->out < jump->end) *jump->out++ = kn_checkers_move(jump->origin | land, taken | over);
    } else if (side == KN_CHECKERS_BLACK)
        black_man_jumps(jump, land, taken | over, other);
    else
        white_man_jumps(jump, land, taken | over, other);
}

INLINE void man_jumps_on(Jump *jump, uint32_t at, uint32_t taken, uint32_t other, int side)
{
    man_jump(jump, at, taken, other, side, first_way(side));
    man_jump(jump, at, taken, other, side, second_way(side));
}

/* A king can circle four squares in both directions: equal results are kept once. */
static void add_king_move(Jump *jump, KnMove move)
{
    if (__builtin_popcount(kn_checkers_taken(move)) >= 4)
        for (const KnMove *known = jump->first; known < jump->out; known++)
            if (*known == move) return;
    if (jump->out < jump->end) *jump->out++ = move;
}

static void king_jumps(Jump *jump, uint32_t at, uint32_t taken, uint32_t other)
{
    bool ends = true;
    for (int way = 0; way < 4; way++) {
        uint32_t over = kn_checkers_step(at, way) & other;
        uint32_t land = kn_checkers_step(over, way) & jump->empty;
        if (!land) continue;
        ends = false;
        king_jumps(jump, land, taken | over, other & ~over);
    }
    if (ends && taken) add_king_move(jump, kn_checkers_move(jump->origin | at, taken));
}

/* Origins of first jumps with these destinations. */
INLINE uint32_t jump_origins(uint64_t arrive, int side)
{
    int sign = side == KN_CHECKERS_BLACK ? -1 : 1;
    return kn_checkers_rotate((uint32_t)arrive, 2 * sign) |
           kn_checkers_rotate((uint32_t)(arrive >> 32), 14 * sign);
}

/* All captures if some have several jumps, piece by piece. */
static __attribute__((noinline)) int list_series(const View *v, int side, KnMove *out)
{
    Jump jump = {.out = out, .end = out + KN_CHECKERS_MOVES_MAX};
    uint32_t left = jump_origins(v->forward, side) | jump_origins(v->backward, 1 - side);
    for (; left; left &= left - 1) {
        uint32_t at = left & -left;
        jump.origin = at;
        jump.empty = v->empty | at;
        jump.first = jump.out;
        if (at & v->kings)
            king_jumps(&jump, at, 0, v->other);
        else if (side == KN_CHECKERS_BLACK)
            black_man_jumps(&jump, at, 0, v->other);
        else
            white_man_jumps(&jump, at, 0, v->other);
    }
    return (int)(jump.out - out);
}

INLINE int generate(const KnCheckersPosition *p, int side, KnMove *out)
{
    View v = view(p, side);
    KnMove *end;
    if (v.forward | v.backward) {
        if (jumps_go_on(&v, side)) {
            View kept = v; /* only the copy needs an address, so that `v` stays in registers */
            return list_series(&kept, side, out);
        }
        end = list(v.forward, jump_arrivals[side], out);
        if (v.backward) end = list(v.backward, jump_arrivals[1 - side], end);
    } else {
        end = list(step_forward(v.own, v.empty, side), step_arrivals[side], out);
        if (v.kings) end = list(step_forward(v.kings, v.empty, 1 - side), step_arrivals[1 - side], end);
    }
    return (int)(end - out);
}

int kn_checkers_generate(const KnCheckersPosition *p, KnMove *out)
{
    return p->mover == KN_CHECKERS_BLACK ? generate(p, KN_CHECKERS_BLACK, out)
                                         : generate(p, KN_CHECKERS_WHITE, out);
}

bool kn_checkers_can_jump(const KnCheckersPosition *p, int side)
{
    View v = side == KN_CHECKERS_BLACK ? view(p, KN_CHECKERS_BLACK) : view(p, KN_CHECKERS_WHITE);
    return v.forward | v.backward;
}

/* Number of routes from `at` to `to` that jump each of `left` once. */
static int count_paths(uint32_t at, uint32_t to, uint32_t left, uint32_t empty)
{
    if (!left) return at == to;
    int count = 0;
    for (int way = 0; way < 4; way++) {
        uint32_t over = kn_checkers_step(at, way) & left;
        uint32_t land = kn_checkers_step(over, way) & empty;
        if (land) count += count_paths(land, to, left & ~over, empty);
    }
    return count;
}

int kn_checkers_paths(const KnCheckersPosition *p, KnMove move)
{
    uint32_t taken = kn_checkers_taken(move), from = kn_checkers_from(p, move);
    if (!(from & p->kings) || __builtin_popcount(taken) < 4) return 1;
    return count_paths(from, kn_checkers_to(p, move), taken, ~(p->pieces[0] | p->pieces[1]) | from);
}

static __attribute__((noinline)) int count_series(const KnCheckersPosition *p, const View *v, bool paths)
{
    KnMove moves[KN_CHECKERS_MOVES_MAX];
    int count = list_series(v, p->mover, moves), ways = 0;
    if (!paths || !v->kings) return count;
    for (int i = 0; i < count; i++) ways += kn_checkers_paths(p, moves[i]);
    return ways;
}

INLINE int count_moves(const KnCheckersPosition *p, int side, bool paths)
{
    View v = view(p, side);
    uint64_t forward = v.forward, backward = v.backward;
    if (forward | backward) {
        if (jumps_go_on(&v, side)) {
            View kept = v;
            return count_series(p, &kept, paths);
        }
    } else {
        forward = step_forward(v.own, v.empty, side);
        if (v.kings) backward = step_forward(v.kings, v.empty, 1 - side);
    }
    return kn_checkers_popcount(forward) + (backward ? kn_checkers_popcount(backward) : 0);
}

int kn_checkers_count(const KnCheckersPosition *p, bool paths)
{
    return p->mover == KN_CHECKERS_BLACK ? count_moves(p, KN_CHECKERS_BLACK, paths)
                                         : count_moves(p, KN_CHECKERS_WHITE, paths);
}
