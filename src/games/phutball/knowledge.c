/* Features and evaluations: the place of the ball, and where it can go in one turn. */
#include "games/phutball/board.h"

/* Limit on the length of chains examined. It counts jumps, not positions, so mirrored boards give equal
 * values. */
enum { CHAIN = 4 };

const KnFeature kn_phut_features[PHUT_FEATURES] = {
    {"distance", "lines from the ball to the line where one scores", 0, PHUT_HEIGHT},
    {"their distance", "lines from the ball to the line where the other scores", 0, PHUT_HEIGHT},
    {"reach", "the distance that a chain of up to four jumps can leave", 0, PHUT_HEIGHT},
    {"their reach", "the same for the other", 0, PHUT_HEIGHT},
    {"jumps", "directions in which the ball can jump", 0, 8},
    {"forward jumps", "of these, those that bring it nearer", 0, 8},
    {"backward jumps", "of these, those that bring it farther away", 0, 8},
    {"men", "men on the board", 0, PHUT_WIDTH *PHUT_HEIGHT},
    {"men ahead", "men on lines between the ball and the goal, the goal line included", 0,
     PHUT_WIDTH *PHUT_HEIGHT},
    {"men behind", "men on lines on the other side of the ball", 0, PHUT_WIDTH *PHUT_HEIGHT},
    {"side distance", "columns from the ball to the nearer side", 0, PHUT_WIDTH / 2},
};

/* The smallest distance to a role's goal line after at most this many jumps. */
static int reach(const KnGame *game, const KnPhutPosition *p, int role, int jumps)
{
    const KnPhutRules *rules = phut_rules(game);
    int best = phut_distance(rules, role, p->y), x, y;
    for (int d = 0; d < 8 && jumps > 0 && best > 0; d++) {
        if (!phut_landing(rules, p, d, &x, &y)) continue;
        int found = phut_distance(rules, role, y);
        if (found > 0 && jumps > 1 && y >= 1 && y <= rules->height) {
            KnPhutPosition next = *p;
            next.mover = (uint8_t)role;
            kn_phut_play(game, &next, (KnMove)(PHUT_JUMP + d));
            found = reach(game, &next, role, jumps - 1);
        }
        if (found < best) best = found;
    }
    return best;
}

/* Whether the ball is in play: beyond a line it has no moves and no neighbours. */
static bool in_play(const KnPhutRules *rules, const KnPhutPosition *p)
{
    return p->y >= 1 && p->y <= rules->height;
}

void kn_phut_feature_values(const KnGame *game, const void *position, int role, double *values)
{
    const KnPhutRules *rules = phut_rules(game);
    const KnPhutPosition *p = position;
    bool alive = in_play(rules, p);
    int here = phut_distance(rules, role, p->y), jumps = 0, forward = 0, backward = 0, ahead = 0, behind = 0,
        men = 0, x, y;
    for (int d = 0; d < 8 && alive; d++) {
        if (!phut_landing(rules, p, d, &x, &y)) continue;
        jumps++;
        forward += phut_dy[d] == (role ? 1 : -1);
        backward += phut_dy[d] == (role ? -1 : 1);
    }
    for (y = 1; y <= rules->height; y++) {
        int count = __builtin_popcount(p->men[y]);
        men += count;
        ahead += (role ? y > p->y : y < p->y) ? count : 0;
        behind += (role ? y < p->y : y > p->y) ? count : 0;
    }
    int left = p->x - 1, right = rules->width - p->x;
    const double found[PHUT_FEATURES] = {here,
                                         phut_distance(rules, 1 - role, p->y),
                                         alive ? reach(game, p, role, CHAIN) : here,
                                         alive ? reach(game, p, 1 - role, CHAIN)
                                               : phut_distance(rules, 1 - role, p->y),
                                         jumps,
                                         forward,
                                         backward,
                                         men,
                                         ahead,
                                         behind,
                                         left < right ? left : right};
    for (int i = 0; i < PHUT_FEATURES; i++) values[i] = found[i];
}

static KnScore score_distance(const KnGame *game, const void *position)
{
    const KnPhutRules *rules = phut_rules(game);
    const KnPhutPosition *p = position;
    return 100 * (phut_distance(rules, 1 - p->mover, p->y) - phut_distance(rules, p->mover, p->y));
}

/* The mover can use its reach now, the opponent only after the mover's turn: it counts half. A goal in reach
 * is nearly won. */
static KnScore score_reach(const KnGame *game, const void *position)
{
    const KnPhutPosition *p = position;
    if (!in_play(phut_rules(game), p)) return score_distance(game, position);
    int mine = reach(game, p, p->mover, CHAIN), theirs = reach(game, p, 1 - p->mover, CHAIN);
    if (mine == 0) return 100 * 10 * PHUT_HEIGHT;
    return 50 * (theirs - 2 * mine) + score_distance(game, position);
}

const KnGameEvaluation kn_phut_evaluations[] = {
    {"distance", "how much nearer the ball is to one's goal than to the other's", score_distance},
    {"reach", "the same, and how near each side can bring it by up to four jumps", score_reach},
    {0}};

/* Tactical moves: jumps that score. */
int kn_phut_tactical(const KnGame *game, const void *position, KnMove *moves, bool *may_stand)
{
    const KnPhutRules *rules = phut_rules(game);
    const KnPhutPosition *p = position;
    int count = 0, x, y;
    *may_stand = true;
    if (phut_over(rules, p)) return 0;
    for (int d = 0; d < 8; d++)
        if (phut_landing(rules, p, d, &x, &y) && phut_distance(rules, p->mover, y) == 0)
            moves[count++] = (KnMove)(PHUT_JUMP + d);
    return count;
}
