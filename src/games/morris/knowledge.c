/* Features that morris players use, and evaluations made of them. */
#include "games/morris/board.h"

/* Counts of one side. */
typedef struct Counts {
    int men;    /* on the board and in hand */
    int slides; /* slides to free points, or flights */
    int mills;
    int open;    /* lines with two own men and a free point (open mills) */
    int swings;  /* slides from one mill into another (double mills) */
    int blocked; /* men without a free neighbour */
} Counts;

const KnFeature kn_morris_features[KN_MORRIS_FEATURES] = {
    {"men", "own men on the board and in hand", 0, 9},
    {"their men", "the other's men on the board and in hand", 0, 9},
    {"mobility", "ways for own men to move to a free point", 0, 63},
    {"their mobility", "ways for the other's men to move to a free point", 0, 63},
    {"mills", "own lines of three", 0, 4},
    {"their mills", "the other's lines of three", 0, 4},
    {"open mills", "lines with two own men and a free point", 0, 16},
    {"their open mills", "lines with two of the other's men and a free point", 0, 16},
    {"double mills", "own slides out of one mill into another", 0, 16},
    {"their double mills", "the other's slides out of one mill into another", 0, 16},
    {"blocked", "own men without a free neighbour", 0, 9},
    {"their blocked", "the other's men without a free neighbour", 0, 9},
};

static int in_hand(const Rules *rules, const Position *p, int side)
{
    return (int)(rules->placing / 2 - (p->placed + (side == 0)) / 2);
}

static int mills_of(const Rules *rules, uint32_t men)
{
    int count = count_of(MIDDLES & men & turn1(men) & back1(men));
    return rules->cross ? count + count_of(0xaa & men & men >> 8 & men >> 16) : count;
}

static int open_mills_of(const Rules *rules, uint32_t men, uint32_t empty)
{
    uint32_t after = turn1(men), before = back1(men);
    int count = count_of(empty & MIDDLES & after & before) + count_of(empty & CORNERS & after & turn2(men)) +
                count_of(empty & CORNERS & before & back2(men));
    return rules->cross ? count + count_of(empty & joined_across(men)) : count;
}

static int swings_of(const Rules *rules, uint32_t men, uint32_t empty)
{
    uint32_t standing = in_mills(rules, men), closing = empty & completing(rules, men);
    if (!standing || !closing) return 0;
    int count = 0;
    for (uint32_t set = slides(men, empty); set; set &= set - 1) {
        uint32_t ends = kn_morris_line[__builtin_ctz(set)];
        if (ends & standing && ends & closing) count += (ends & empty & completing(rules, men & ~ends)) != 0;
    }
    return count;
}

static uint32_t neighbours(uint32_t set)
{
    return turn1(set) | back1(set) | (((set << 8 & 0xffffff) | set >> 8) & MIDDLES);
}

static Counts counts_of(const Rules *rules, const Position *p, int side)
{
    uint32_t men = p->men[side], empty = rules->points & ~(men | p->men[side ^ 1]);
    bool flies = is_sliding(rules, p) && may_fly(rules, men);
    return (Counts){.men = count_of(men) + in_hand(rules, p, side),
                    .slides = flies ? 3 * count_of(empty) : count_of(slides(men, empty)),
                    .mills = mills_of(rules, men),
                    .open = open_mills_of(rules, men, empty),
                    .swings = swings_of(rules, men, empty),
                    .blocked = flies ? 0 : count_of(men & ~neighbours(empty))};
}

void kn_morris_feature_values(const KnGame *game, const void *position, int role, double *values)
{
    for (int i = 0; i < 2; i++) {
        Counts counts = counts_of(rules_of(game), position, role ^ i);
        values[0 + i] = counts.men;
        values[2 + i] = counts.slides;
        values[4 + i] = counts.mills;
        values[6 + i] = counts.open;
        values[8 + i] = counts.swings;
        values[10 + i] = counts.blocked;
    }
}

double kn_morris_material(const KnGame *game, const void *position, int role)
{
    const Position *p = position;
    return count_of(p->men[role]) + in_hand(rules_of(game), p, role);
}

static KnScore worth(const Counts *c)
{
    return 100 * c->men + 4 * c->slides + 8 * c->mills + 20 * c->open + 40 * c->swings - 6 * c->blocked;
}

static KnScore score_mills(const KnGame *game, const void *position)
{
    const Position *p = position;
    Counts own = counts_of(rules_of(game), p, (int)p->mover),
           other = counts_of(rules_of(game), p, (int)p->mover ^ 1);
    return worth(&own) - worth(&other);
}

static KnScore score_men(const KnGame *game, const void *position)
{
    const Position *p = position;
    int mover = (int)p->mover;
    return (KnScore)(100 * (kn_morris_material(game, p, mover) - kn_morris_material(game, p, mover ^ 1)));
}

const KnGameEvaluation kn_morris_evaluations[] = {
    {"mills", "men, and for less mobility, mills standing, open and double, and men blocked", score_mills},
    {"men", "men only, one's own less the other's", score_men},
    {0}};
