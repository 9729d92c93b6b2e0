/* Material at risk: what each side's moves would let the opponent capture, and what they would threaten to
 * capture. Eight numbers that indicate whether a search that ends here is likely to be wrong
 * (methods/allocation). Nothing looks further than one ply: each side is treated as if it were to move, and
 * after a move only immediate captures count.
 *
 * If nobody can capture now, which is usual, all steps in one direction are examined together. */
#include "games/checkers/board.h"

enum { SAFE, THREATS, OFFERS, TAKES, OF_SIDE };

const KnFeature kn_checkers_threat_features[2 * OF_SIDE] = {
    {"own safe moves", "legal moves after which the other cannot take", 0, KN_CHECKERS_MOVES_MAX},
    {"own threats", "those of them after which one could take, if one had the move again", 0,
     KN_CHECKERS_MOVES_MAX},
    {"own offers", "moves after which both could take", 0, KN_CHECKERS_MOVES_MAX},
    {"own takes", "the most that a move takes now", 0, KN_CHECKERS_MEN},
    {"their safe moves", "the same for the other, as if to move", 0, KN_CHECKERS_MOVES_MAX},
    {"their threats", "the same for the other", 0, KN_CHECKERS_MOVES_MAX},
    {"their offers", "the same for the other", 0, KN_CHECKERS_MOVES_MAX},
    {"their takes", "the same for the other", 0, KN_CHECKERS_MEN},
};

#define INLINE static inline __attribute__((always_inline))

INLINE bool goes(int side, int way) { return (way < 2) == (side == KN_CHECKERS_BLACK); }

/* For any position, move by move. */
static void slow_side(const KnCheckersPosition *p, int side, double *out)
{
    KnCheckersPosition asked = *p;
    asked.mover = (uint16_t)side;
    KnMove moves[KN_CHECKERS_MOVES_MAX];
    int count = kn_checkers_generate(&asked, moves), safe = 0, threats = 0, offers = 0, takes = 0;
    for (int i = 0; i < count; i++) {
        KnCheckersPosition next = asked;
        int taken = kn_checkers_popcount(kn_checkers_taken(moves[i]));
        kn_checkers_apply(&next, moves[i], 0);
        bool loses = kn_checkers_can_jump(&next, 1 - side), threatens = kn_checkers_can_jump(&next, side);
        safe += !loses;
        threats += !loses && threatens;
        offers += loses && threatens;
        if (taken > takes) takes = taken;
    }
    out[SAFE] = safe;
    out[THREATS] = threats;
    out[OFFERS] = offers;
    out[TAKES] = takes;
}

/* For positions without captures. A step from f to t allows a capture next to t, or one that lands on f. */
INLINE void quiet_side(const KnCheckersPosition *p, int side, double *out)
{
    uint32_t own = p->pieces[side], other = p->pieces[1 - side], empty = ~(own | other), kings = p->kings,
             row = kn_checkers_king_row(side);
    uint32_t reach[4], able[4],
        left = 0, opened = 0; /* origins whose step lets the opponent capture; origins whose step threatens */
    for (int way = 0; way < 4; way++) {
        uint32_t going = goes(1 - side, way) ? other : other & kings,
                 ours = goes(side, way) ? own : own & kings;
        reach[way] = kn_checkers_step(going, way);
        left |= kn_checkers_step(own & reach[way], way);
        opened |= kn_checkers_step(other & kn_checkers_step(ours, way), way);
        able[way] = kn_checkers_step(other & kn_checkers_step(empty, way ^ 2), way ^ 2);
    }
    uint32_t by_men = goes(side, 0) ? able[0] | able[1] : able[2] | able[3],
             by_kings = able[0] | able[1] | able[2] | able[3];
    int safe = 0, threats = 0, offers = 0;
    for (int way = 0; way < 4; way++) {
        uint32_t from = (goes(side, way) ? own : own & kings) & kn_checkers_step(empty, way ^ 2),
                 to = kn_checkers_step(from, way), lost = 0;
        for (int take = 0; take < 4; take++) /* the square it left is free */
            lost |= to & reach[take] & (take == (way ^ 2) ? ~0u : kn_checkers_step(empty, take ^ 2));
        uint32_t crowned = to & (kn_checkers_step(from & kings, way) | row);
        uint32_t threat = from & (opened | kn_checkers_step((to & by_men) | (crowned & by_kings), way ^ 2));
        uint32_t loses = from & (left | kn_checkers_step(lost, way ^ 2));
        safe += kn_checkers_popcount(from & ~loses);
        threats += kn_checkers_popcount(threat & ~loses);
        offers += kn_checkers_popcount(threat & loses);
    }
    out[SAFE] = safe;
    out[THREATS] = threats;
    out[OFFERS] = offers;
    out[TAKES] = 0;
}

int kn_checkers_threat_values(const KnGame *game, const void *position, double *values)
{
    const KnCheckersPosition *p = position;
    int mover = p->mover;
    bool quiet = !kn_checkers_can_jump(p, 0) && !kn_checkers_can_jump(p, 1);
    for (int i = 0; i < 2; i++) {
        int side = i ? 1 - mover : mover;
        if (quiet)
            quiet_side(p, side, values + i * OF_SIDE);
        else
            slow_side(p, side, values + i * OF_SIDE);
    }
    return kn_checkers_phase(game, position);
}
