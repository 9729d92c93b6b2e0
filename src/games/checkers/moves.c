/* Moves of draughts, whole sets at a time: a step of all men one way is a rotation, and only the finished sets are taken
 * apart into moves. Everything is written once for a side known at compile time and instantiated for both. */
#include "games/checkers/board.h"

#define INLINE static inline __attribute__((always_inline))

/* Steps by where they arrive: entry i < 32 for square i reached the side's first way, entry 32 + i the second. */
#define ARRIVE(i, by)   (1u << (i) | 1u << (((i) - (by)) & 31))
#define ARRIVE4(i, by)  ARRIVE(i, by), ARRIVE((i) + 1, by), ARRIVE((i) + 2, by), ARRIVE((i) + 3, by)
#define ARRIVE16(i, by) ARRIVE4(i, by), ARRIVE4((i) + 4, by), ARRIVE4((i) + 8, by), ARRIVE4((i) + 12, by)
static const uint32_t arrivals[2][64] = {{ARRIVE16(0, 1), ARRIVE16(16, 1), ARRIVE16(0, 7), ARRIVE16(16, 7)},
                                         {ARRIVE16(0, -1), ARRIVE16(16, -1), ARRIVE16(0, -7), ARRIVE16(16, -7)}};

/* The two ways forward of a side; backward are those of the other. */
INLINE int first_way(int side) { return side == KN_CHECKERS_BLACK ? DOWN_LEFT : UP_RIGHT; }
INLINE int second_way(int side) { return first_way(side) + 1; }

/* Members of `own` that can jump a piece of `other` that way. */
INLINE uint32_t can_jump(uint32_t own, uint32_t other, uint32_t empty, int way)
{
    return own & kn_checkers_step(other & kn_checkers_step(empty, way ^ 2), way ^ 2);
}

/* Of the two sets, those that can jump forward and backward. */
INLINE uint32_t can_jump_forward(uint32_t own, uint32_t other, uint32_t empty, int side)
{
    return can_jump(own, other, empty, first_way(side)) | can_jump(own, other, empty, second_way(side));
}

INLINE uint32_t jumpers(uint32_t own, uint32_t other, uint32_t kings, int side)
{
    uint32_t empty = ~(own | other);
    uint32_t found = can_jump_forward(own, other, empty, side);
    if (own & kings) found |= can_jump_forward(own & kings, other, empty, 1 - side);
    return found;
}

/* A capture under way: one piece, what it has taken, what is left to take. */
typedef struct Jump {
    uint32_t origin, empty; /* its own square counts as empty */
    KnMove *first, *out;    /* its own moves begin at first; the next goes to out */
    KnMove *end;            /* see KN_CHECKERS_MOVES_MAX */
} Jump;

/* A man's ways of jumping never meet again with the same men taken, so its moves are all different. */
INLINE void man_jumps_on(Jump *jump, uint32_t at, uint32_t taken, uint32_t other, int side);

static __attribute__((noinline)) void black_man_jumps(Jump *jump, uint32_t at, uint32_t taken, uint32_t other)
{
    man_jumps_on(jump, at, taken, other, KN_CHECKERS_BLACK);
}

static __attribute__((noinline)) void white_man_jumps(Jump *jump, uint32_t at, uint32_t taken, uint32_t other)
{
    man_jumps_on(jump, at, taken, other, KN_CHECKERS_WHITE);
}

/* One jump, if there is one that way, and all that may follow. True if there is. */
INLINE bool man_jump(Jump *jump, uint32_t at, uint32_t taken, uint32_t other, int side, int way)
{
    uint32_t over = kn_checkers_step(at, way) & other;
    uint32_t land = kn_checkers_step(over, way) & jump->empty;
    if (!land) return false;
    if (!can_jump_forward(land, other, jump->empty, side)) {
        if (jump->out < jump->end) *jump->out++ = kn_checkers_move(jump->origin | land, taken | over);
    } else if (side == KN_CHECKERS_BLACK) black_man_jumps(jump, land, taken | over, other);
    else white_man_jumps(jump, land, taken | over, other);
    return true;
}

INLINE void man_jumps_on(Jump *jump, uint32_t at, uint32_t taken, uint32_t other, int side)
{
    man_jump(jump, at, taken, other, side, first_way(side));
    man_jump(jump, at, taken, other, side, second_way(side));
}

/* A king can go around a square of four in both senses, and then further: equal results are kept once. */
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
    if (ends) add_king_move(jump, kn_checkers_move(jump->origin | at, taken));
}

/* Kept apart, so that the common case, no capture, need not save the registers that this one uses. */
static __attribute__((noinline)) int captures(const KnCheckersPosition *p, uint32_t movable, KnMove *out)
{
    int side = p->mover;
    uint32_t own = p->pieces[side], other = p->pieces[1 - side], kings = p->kings;
    Jump jump = {.out = out, .end = out + KN_CHECKERS_MOVES_MAX};
    uint32_t empty = ~(own | other);
    for (; movable; movable &= movable - 1) {
        uint32_t at = movable & -movable;
        jump.origin = at;
        jump.empty = empty | at;
        jump.first = jump.out;
        if (at & kings) king_jumps(&jump, at, 0, other);
        else if (side == KN_CHECKERS_BLACK) man_jumps_on(&jump, at, 0, other, KN_CHECKERS_BLACK);
        else man_jumps_on(&jump, at, 0, other, KN_CHECKERS_WHITE);
    }
    return (int)(jump.out - out);
}

/* Where `own` arrives by steps forward as seen by `side`: as `arrivals` is indexed. */
INLINE uint64_t arrive_forward(uint32_t own, uint32_t empty, int side)
{
    return (uint64_t)(kn_checkers_step(own, second_way(side)) & empty) << 32 |
           (kn_checkers_step(own, first_way(side)) & empty);
}

INLINE KnMove *list_steps(uint64_t arrive, int side, KnMove *out)
{
    for (; arrive; arrive &= arrive - 1) *out++ = arrivals[side][__builtin_ctzll(arrive)];
    return out;
}

INLINE int generate(const KnCheckersPosition *p, int side, KnMove *out)
{
    uint32_t own = p->pieces[side], other = p->pieces[1 - side], kings = p->kings & own;
    uint32_t movable = jumpers(own, other, kings, side);
    if (movable) return captures(p, movable, out);
    uint32_t empty = ~(own | other);
    KnMove *end = list_steps(arrive_forward(own, empty, side), side, out);
    if (kings) end = list_steps(arrive_forward(kings, empty, 1 - side), 1 - side, end);
    return (int)(end - out);
}

int kn_checkers_generate(const KnCheckersPosition *p, KnMove *out)
{
    return p->mover == KN_CHECKERS_BLACK ? generate(p, KN_CHECKERS_BLACK, out) : generate(p, KN_CHECKERS_WHITE, out);
}

uint32_t kn_checkers_jumpers(const KnCheckersPosition *p, int side)
{
    uint32_t own = p->pieces[side], other = p->pieces[1 - side];
    return side == KN_CHECKERS_BLACK ? jumpers(own, other, p->kings, KN_CHECKERS_BLACK)
                                     : jumpers(own, other, p->kings, KN_CHECKERS_WHITE);
}

/* Ways from `at` to `to` over all of `left`, none twice. */
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

static __attribute__((noinline)) int count_captures(const KnCheckersPosition *p, uint32_t movable, bool paths)
{
    KnMove moves[KN_CHECKERS_MOVES_MAX];
    int count = captures(p, movable, moves);
    if (!paths || !(movable & p->kings)) return count;
    int ways = 0;
    for (int i = 0; i < count; i++) ways += kn_checkers_paths(p, moves[i]);
    return ways;
}

INLINE int count_moves(const KnCheckersPosition *p, int side, bool paths)
{
    uint32_t own = p->pieces[side], other = p->pieces[1 - side], kings = p->kings & own;
    uint32_t movable = jumpers(own, other, kings, side);
    if (movable) return count_captures(p, movable, paths);
    uint32_t empty = ~(own | other);
    int count = kn_checkers_popcount(arrive_forward(own, empty, side));
    if (kings) count += kn_checkers_popcount(arrive_forward(kings, empty, 1 - side));
    return count;
}

int kn_checkers_count(const KnCheckersPosition *p, bool paths)
{
    return p->mover == KN_CHECKERS_BLACK ? count_moves(p, KN_CHECKERS_BLACK, paths)
                                         : count_moves(p, KN_CHECKERS_WHITE, paths);
}
