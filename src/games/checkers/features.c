/* Features for learners: the 23 features of Markovitch & Sella (1996), Table 1, by the interpretations below
 * (the paper does not define them), and evaluations by material. In the paper the player is white; here "own"
 * is the role that asks and "their" the opponent. Ranges are what can occur; the help gives the paper's
 * printed range. Nothing looks further than one ply. */
#include "games/checkers/board.h"

/* Weighted men, by the interpretation that reproduces the paper's bounds: a king counts as 3 men. */
enum { KING_IN_MEN = 3 };

enum {
    OWN_LEGAL,
    OWN_TOTAL,
    THEIR_TOTAL,
    OWN_MOBILE,
    THEIR_MOBILE,
    OWN_MEN,
    OWN_KINGS,
    THEIR_MEN,
    THEIR_KINGS,
    LEAD,
    OWN_THREAT,
    OWN_SACRIFICE,
    THEIR_SACRIFICE,
    OWN_CROWN1,
    OWN_CROWN2,
    OWN_CROWN3,
    THEIR_LONELY,
    OWN_TRAPPED,
    THEIR_TRAPPED,
    OWN_CENTRE,
    THEIR_CENTRE,
    OWN_BASE,
    THEIR_BASE,
    FEATURES
};

const KnFeature kn_checkers_features[] = {
    [OWN_LEGAL] = {"own legal moves", "legal moves, a series of jumps is one (2-15 in the paper)", 0,
                   KN_CHECKERS_MOVES_MAX},
    [OWN_TOTAL] = {"own total moves", "steps and first jumps, compulsion aside (2-16)", 0, 48},
    [THEIR_TOTAL] = {"their total moves", "the same for the other, as if to move (1-17)", 0, 48},
    [OWN_MOBILE] = {"own mobile pieces", "pieces with a step or a jump (1-10)", 0, 12},
    [THEIR_MOBILE] = {"their mobile pieces", "the same for the other (1-10)", 0, 12},
    [OWN_MEN] = {"own men", "number of own men (0-12)", 0, 12},
    [OWN_KINGS] = {"own kings", "number of own kings (0-4)", 0, 12},
    [THEIR_MEN] = {"their men", "number of the other's men (0-12)", 0, 12},
    [THEIR_KINGS] = {"their kings", "number of the other's kings (0-5)", 0, 12},
    [LEAD] = {"evaluation", "lead in men, a king for 3, cut off at 8, plus 9 (1-17)", 1, 17},
    [OWN_THREAT] = {"own on threat", "1 if the other, to move, could take (0-1)", 0, 1},
    [OWN_SACRIFICE] = {"own sacrifice", "legal moves after which the other can take (0-9)", 0,
                       KN_CHECKERS_MOVES_MAX},
    [THEIR_SACRIFICE] = {"their sacrifice", "the same for the other, as if to move (0-15)", 0,
                         KN_CHECKERS_MOVES_MAX},
    [OWN_CROWN1] = {"own crown1", "men with a free way to the king row of 1 step (0-3)", 0, 4},
    [OWN_CROWN2] = {"own crown2", "men whose shortest free way has 2 steps (0-3)", 0, 12},
    [OWN_CROWN3] = {"own crown3", "men whose shortest free way has 3 steps (0-3)", 0, 12},
    [THEIR_LONELY] = {"their lonely men", "the other's men with none of their own beside them (0-2)", 0, 12},
    [OWN_TRAPPED] = {"own triangle trap", "corners where an own piece has every exit held by the other (0-2)",
                     0, 4},
    [THEIR_TRAPPED] = {"their triangle trap", "the same for the other (0-2)", 0, 4},
    [OWN_CENTRE] = {"own centre pieces", "pieces on 10 11 14 15 18 19 22 23 (0-6)", 0, 8},
    [THEIR_CENTRE] = {"their centre pieces", "the same for the other (0-6)", 0, 8},
    [OWN_BASE] = {"own base control", "bridge squares held: 1 and 3, or 30 and 32 (0-2)", 0, 2},
    [THEIR_BASE] = {"their base control", "the same for the other (0-2)", 0, 2},
};
const int kn_checkers_feature_count = FEATURES;

/* All counting code is inlined into kn_checkers_feature_values, which is compiled twice: most of its time is
 * population counts, and not every x86-64 has POPCNT. */
#define INLINE static inline __attribute__((always_inline))

INLINE int count(uint32_t set) { return __builtin_popcount(set); }

INLINE bool goes(int side, bool king, int way) { return king || (way < 2) == (side == KN_CHECKERS_BLACK); }

/* Steps and first jumps of a side, by direction: the pieces that have one. */
typedef struct Going {
    uint32_t step[4], jump[4];
} Going;

INLINE Going going_of(const KnCheckersPosition *p, int side)
{
    uint32_t own = p->pieces[side], other = p->pieces[1 - side], empty = ~(own | other);
    Going g;
    for (int way = 0; way < 4; way++) {
        uint32_t free = kn_checkers_step(empty, way ^ 2),
                 going = goes(side, false, way) ? own : own & p->kings;
        g.step[way] = going & free;
        g.jump[way] = going & kn_checkers_step(other & free, way ^ 2);
    }
    return g;
}

INLINE uint32_t any(const uint32_t set[4]) { return set[0] | set[1] | set[2] | set[3]; }

INLINE int count_all(const uint32_t set[4])
{
    return count(set[0]) + count(set[1]) + count(set[2]) + count(set[3]);
}

/* Number of a side's steps that let the opponent capture, if neither side can capture now; all steps of a
 * direction together. After a step from f to t the opponent can capture the piece on t, or one next to f by
 * landing on f. */
INLINE int quiet_sacrifices(const KnCheckersPosition *p, int side, const Going *going)
{
    uint32_t own = p->pieces[side], other = p->pieces[1 - side], empty = ~(own | other), landed = 0;
    uint32_t reach[4]; /* next to an opponent's piece that can capture in this direction */
    for (int way = 0; way < 4; way++) {
        reach[way] = kn_checkers_step(goes(1 - side, false, way) ? other : other & p->kings, way);
        landed |= kn_checkers_step(own & reach[way], way);
    }
    int sacrifices = 0;
    for (int way = 0; way < 4; way++) {
        uint32_t from = going->step[way], to = kn_checkers_step(from, way), lost = 0;
        for (int take = 0; take < 4; take++)
            lost |= to & reach[take] &
                    (take == (way ^ 2) ? ~0u
                                       : kn_checkers_step(empty, take ^ 2)); /* the square left is free */
        sacrifices += count(from & (landed | kn_checkers_step(lost, way ^ 2)));
    }
    return sacrifices;
}

/* Legal moves of a side as if it were to move, in positions with captures, and the number of them that let
 * the opponent capture. */
INLINE int sharp_moves(const KnCheckersPosition *p, int side, int *sacrifices)
{
    KnCheckersPosition asked = *p;
    asked.mover = (uint16_t)side;
    KnMove moves[KN_CHECKERS_MOVES_MAX];
    int legal = kn_checkers_generate(&asked, moves);
    *sacrifices = 0;
    for (int i = 0; i < legal; i++) {
        KnCheckersPosition next = asked;
        kn_checkers_apply(&next, moves[i], 0);
        *sacrifices += kn_checkers_can_jump(&next, 1 - side);
    }
    return legal;
}

/* crown[i]: number of men that need i + 1 steps over empty squares to an empty square of the king row. */
INLINE void crowning(const KnCheckersPosition *p, int side, double crown[3])
{
    uint32_t empty = ~(p->pieces[0] | p->pieces[1]), men = p->pieces[side] & ~p->kings;
    uint32_t free = empty & kn_checkers_king_row(side), nearer = 0;
    for (int i = 0; i < 3; i++) {
        uint32_t before = 0;
        for (int way = 0; way < 4; way++)
            if (goes(side, false, way)) before |= kn_checkers_step(free, way ^ 2);
        crown[i] = count(men & before & ~nearer);
        nearer |= before;
        free = before & empty;
    }
}

INLINE uint32_t neighbours(uint32_t set)
{
    return kn_checkers_step(set, DOWN_LEFT) | kn_checkers_step(set, DOWN_RIGHT) |
           kn_checkers_step(set, UP_RIGHT) | kn_checkers_step(set, UP_LEFT);
}

/* Corners, single (4, 29) and double (1 with 5, 28 with 32), where a side has a piece and the opponent holds
 * all adjacent squares. */
INLINE int trapped(const KnCheckersPosition *p, int side)
{
    static const uint32_t corners[4] = {SQ(4), SQ(29), SQ(1) | SQ(5), SQ(28) | SQ(32)};
    int found = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t exits = neighbours(corners[i]) & ~corners[i];
        found += (p->pieces[side] & corners[i]) && !(exits & ~p->pieces[1 - side]);
    }
    return found;
}

INLINE int weighted(const KnCheckersPosition *p, int side)
{
    return count(p->pieces[side]) + (KING_IN_MEN - 1) * count(p->pieces[side] & p->kings);
}

INLINE int clip(int value, int bound) { return value < -bound ? -bound : value > bound ? bound : value; }

INLINE void fill(const void *position, int role, double *values)
{
    const KnCheckersPosition *p = position;
    static const uint32_t centre = SQ(10) | SQ(11) | SQ(14) | SQ(15) | SQ(18) | SQ(19) | SQ(22) | SQ(23);
    static const uint32_t base[2] = {SQ(1) | SQ(3), SQ(30) | SQ(32)};
    int own = role, their = 1 - role, own_sacrifices, their_sacrifices;
    uint32_t their_men = p->pieces[their] & ~p->kings;
    Going own_going = going_of(p, own), their_going = going_of(p, their);
    uint32_t own_jumps = any(own_going.jump), their_jumps = any(their_going.jump);
    int own_steps = count_all(own_going.step);
    if (own_jumps | their_jumps) {
        values[OWN_LEGAL] = sharp_moves(p, own, &own_sacrifices);
        sharp_moves(p, their, &their_sacrifices);
    } else {
        values[OWN_LEGAL] = own_steps;
        own_sacrifices = quiet_sacrifices(p, own, &own_going);
        their_sacrifices = quiet_sacrifices(p, their, &their_going);
    }
    values[OWN_TOTAL] = own_steps + count_all(own_going.jump);
    values[THEIR_TOTAL] = count_all(their_going.step) + count_all(their_going.jump);
    values[OWN_MOBILE] = count(any(own_going.step) | own_jumps);
    values[THEIR_MOBILE] = count(any(their_going.step) | their_jumps);
    values[OWN_MEN] = count(p->pieces[own] & ~p->kings);
    values[OWN_KINGS] = count(p->pieces[own] & p->kings);
    values[THEIR_MEN] = count(their_men);
    values[THEIR_KINGS] = count(p->pieces[their] & p->kings);
    values[LEAD] = 9 + clip(weighted(p, own) - weighted(p, their), 8);
    values[OWN_THREAT] = their_jumps != 0;
    values[OWN_SACRIFICE] = own_sacrifices;
    values[THEIR_SACRIFICE] = their_sacrifices;
    crowning(p, own, &values[OWN_CROWN1]);
    values[THEIR_LONELY] = count(their_men & ~neighbours(p->pieces[their]));
    values[OWN_TRAPPED] = trapped(p, own);
    values[THEIR_TRAPPED] = trapped(p, their);
    values[OWN_CENTRE] = count(p->pieces[own] & centre);
    values[THEIR_CENTRE] = count(p->pieces[their] & centre);
    values[OWN_BASE] = count(p->pieces[own] & base[own]);
    values[THEIR_BASE] = count(p->pieces[their] & base[their]);
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) static void fill_popcnt(const void *position, int role, double *values)
{
    fill(position, role, values);
}
#endif

static void fill_plain(const void *position, int role, double *values) { fill(position, role, values); }

void kn_checkers_feature_values(const KnGame *game, const void *position, int role, double *values)
{
    (void)game;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("popcnt")) {
        fill_popcnt(position, role, values);
        return;
    }
#endif
    fill_plain(position, role, values);
}

double kn_checkers_material(const KnGame *game, const void *position, int role)
{
    (void)game;
    return weighted(position, role);
}

int kn_checkers_phase(const KnGame *game, const void *position)
{
    (void)game;
    const KnCheckersPosition *p = position;
    int pieces = count(p->pieces[0] | p->pieces[1]);
    return pieces >= 20 ? 0 : pieces >= 14 ? 1 : pieces >= 10 ? 2 : 3;
}

/* Population counts of two sets together: searches evaluate every leaf, and not every x86-64 has POPCNT. */
static void count_pair(uint32_t first, uint32_t second, int *a, int *b)
{
    uint64_t x = (uint64_t)second << 32 | first;
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    x += x >> 8;
    x += x >> 16;
    *a = (int)(x & 63);
    *b = (int)(x >> 32 & 63);
}

static KnScore score_material(const KnGame *game, const void *position)
{
    (void)game;
    const KnCheckersPosition *p = position;
    uint32_t own = p->pieces[p->mover], other = p->pieces[1 - p->mover];
    int own_all, other_all, own_kings = 0, other_kings = 0;
    count_pair(own, other, &own_all, &other_all);
    if (p->kings) count_pair(own & p->kings, other & p->kings, &own_kings, &other_kings);
    return 100 * (own_all - other_all) + 50 * (own_kings - other_kings);
}

/* Scaled so that different ratios of up to 36 to 36 men give different integers. */
static KnScore score_trade(const KnGame *game, const void *position)
{
    (void)game;
    const KnCheckersPosition *p = position;
    int own = weighted(p, p->mover), other = weighted(p, 1 - p->mover);
    return own + other ? 7200 * (own - other) / (own + other) : 0;
}

const KnGameEvaluation kn_checkers_evaluations[] = {
    {"material", "men at 100 and kings at 150, one's own less the other's", score_material},
    {"trade", "lead in men over men on the board, a king for 3: who leads trades (Markovitch & Sella)",
     score_trade},
    {0}};
