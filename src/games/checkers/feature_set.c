/* The 23 features of a draughts evaluation named by Schaeffer, Hlynka and Jussila (2001), and a larger set:
 * these and the place of every man and king. Chinook's definitions were never published; the table below
 * states our interpretations.
 *
 * Everything is computed for a side that moves down the board; for the opponent the board is rotated. So a
 * feature is own count minus opponent's count, and colour-symmetric by construction. Features that count
 * something bad (trapped king, loose checker, dog-hole, loose men, frozen) have the opposite sign, since the
 * paper prints positive weights for them.
 *
 * Searches evaluate every leaf: sets of pieces are classified together, then counted. */
#include "games/checkers/board.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    MAN,
    KING,
    MOVE,
    FREE,
    SOME,
    RECAPTURE,
    NO_MOVE,
    EXCEPTION,
    DOUBLE_CAP,
    BALANCE,
    ADVANCEMENT,
    CENTRALITY,
    ANGLE,
    BACK_ROW,
    SHADOW,
    TRAPPED_KING,
    LOOSE_CHECKER,
    KING_CENTER,
    D2E7,
    FREE_KING,
    DOG_HOLE,
    LOOSE_MEN,
    FROZEN,
    TERMS,
    THE_MOVE = TERMS,
    MAN_ON,
    KING_ON = MAN_ON + 28,
    ALL_TERMS = KING_ON + 32 /* no man stands on its king row */
};

/* Squares are named as black sees them; for white the board is rotated. */
#define A_MAN(s)                                                                                             \
    {                                                                                                        \
        "man on " #s, "a man there", -1, 1                                                                   \
    }
#define A_KING(s)                                                                                            \
    {                                                                                                        \
        "king on " #s, "a king there", -1, 1                                                                 \
    }
#define FOUR(piece, a, b, c, d) piece(a), piece(b), piece(c), piece(d)
#define SEVEN_ROWS(piece)                                                                                    \
    FOUR(piece, 1, 2, 3, 4), FOUR(piece, 5, 6, 7, 8), FOUR(piece, 9, 10, 11, 12),                            \
        FOUR(piece, 13, 14, 15, 16), FOUR(piece, 17, 18, 19, 20), FOUR(piece, 21, 22, 23, 24),               \
        FOUR(piece, 25, 26, 27, 28)

static const KnFeature features[ALL_TERMS] = {
    [MAN] = {"man", "men", -12, 12},
    [KING] = {"king", "kings", -12, 12},
    [MOVE] = {"value of move", "1 for the side to move", 1, 1},
    [FREE] = {"free mobility", "pieces with a step to where nothing can take them", -12, 12},
    [SOME] = {"some mobility", "pieces that can step, but every step loses them", -12, 12},
    [RECAPTURE] = {"recapture mobility", "pieces whose best step allows an exchange", -12, 12},
    [NO_MOVE] = {"no-move mobility", "pieces that cannot step", -12, 12},
    [EXCEPTION] = {"exception mobility",
                   "pieces whose steps would lose them, but the other has to take elsewhere", -12, 12},
    [DOUBLE_CAP] = {"double-cap mobility", "pieces whose steps lose them and another", -12, 12},
    [BALANCE] = {"balance", "difference between men on the left and right half, negative", -12, 12},
    [ADVANCEMENT] = {"advancement", "rows that men have advanced", -72, 72},
    [CENTRALITY] = {"centrality", "men in the centre: 2 on 14 15 18 19, 1 around them", -16, 16},
    [ANGLE] = {"angle", "men with an own man diagonally behind", -12, 12},
    [BACK_ROW] =
        {"back row",
         "men on the back row, 1 more for the bridge, 1 more for its middle, while the other has men", -6, 6},
    [SHADOW] = {"shadow", "backed men that face an enemy man two rows ahead on their file", -12, 12},
    [TRAPPED_KING] = {"trapped king", "the other's kings in corners without a safe step, less one's own", -6,
                      6},
    [LOOSE_CHECKER] = {"loose checker",
                       "the other's men open on a diagonal with a king two steps away, less one's own", -12,
                       12},
    [KING_CENTER] = {"king center", "kings on the eight squares of the centre", -8, 8},
    [D2E7] = {"d2e7", "a man on 7 (black) or 26 (white)", -1, 1},
    [FREE_KING] = {"free king", "men with a free run: 2 for one or two steps, 1 for three", -24, 24},
    [DOG_HOLE] = {"dog-hole",
                  "the other's man in our dog-hole (28 before 32, 5 before 1), less ours in theirs", -1, 1},
    [LOOSE_MEN] = {"loose men", "the other's men without company while we have kings, less one's own", -12,
                   12},
    [FROZEN] = {"frozen", "the other's men in blocks that cannot step without loss, less one's own", -12, 12},
    [THE_MOVE] = {"the move",
                  "1 if the mover has the opposition: an odd number of pieces on its system of rows", 0, 1},
    [MAN_ON] = SEVEN_ROWS(A_MAN),
    [KING_ON] = SEVEN_ROWS(A_KING),
    FOUR(A_KING, 29, 30, 31, 32),
};

/* Fixed, as in the paper ("search code dependencies"); the value of a king, 1.3 men, is our interpretation.
 */
static const double fixed[] = {100, 130};

/* A side that moves down the board, and its opponent. */
typedef struct Side {
    uint32_t own, men, kings, other, their_men, their_kings, empty;
} Side;

INLINE int count(uint32_t set, bool popcnt)
{
    return popcnt ? __builtin_popcount(set) : kn_checkers_popcount(set);
}

INLINE uint32_t neighbours(uint32_t set)
{
    return kn_checkers_step(set, DOWN_LEFT) | kn_checkers_step(set, DOWN_RIGHT) |
           kn_checkers_step(set, UP_RIGHT) | kn_checkers_step(set, UP_LEFT);
}

/* Squares from which pieces that move in directions `from` and `from` + 1 could jump a piece of `over`. */
INLINE uint32_t jump_squares(uint32_t over, uint32_t empty, int from)
{
    return kn_checkers_step(over & kn_checkers_step(empty, from ^ 2), from ^ 2) |
           kn_checkers_step(over & kn_checkers_step(empty, (from + 1) ^ 2), (from + 1) ^ 2);
}

/* Empty squares on which an opponent's piece could be captured by `own` in directions `from` and `from` + 1.
 */
INLINE uint32_t taking_squares(uint32_t own, uint32_t empty, int from)
{
    return (kn_checkers_step(own, from) & kn_checkers_step(empty, from ^ 2)) |
           (kn_checkers_step(own, from + 1) & kn_checkers_step(empty, (from + 1) ^ 2));
}

/* The consequences of all steps, as sets of pieces. */
typedef struct Steps {
    uint32_t any, safe, exchange, twice;
} Steps;

/* Shared by the classification of steps: where a capturing piece would jump on, and where it would be
 * captured itself. */
typedef struct Answers {
    uint32_t men_on, kings_on, taken;
} Answers;

/* Steps of `movers` in one direction. An opponent in direction v of the destination captures by landing
 * behind it: on an empty square or, in the direction of the step, on the square just left. */
INLINE void classify(const Side *s, uint32_t movers, int way, const Answers *answers, Steps *steps)
{
    uint32_t arrive = kn_checkers_step(movers, way) & s->empty, taken = 0, lost = 0, twice = 0;
    for (int v = 0; v < 4; v++) {
        if (v >= 2 && !s->their_kings) break;
        uint32_t attackers = v < 2 ? s->other : s->their_kings;
        uint32_t caught = arrive & kn_checkers_step(attackers, v ^ 2);
        if (v != way) caught &= kn_checkers_step(s->empty, v);
        taken |= caught;
        lost |= caught & ~kn_checkers_step(answers->taken, v);
        twice |= caught & kn_checkers_step(v < 2 ? answers->men_on : answers->kings_on, v);
    }
    steps->any |= kn_checkers_step(arrive, way ^ 2);
    steps->safe |= kn_checkers_step(arrive & ~taken, way ^ 2);
    steps->exchange |= kn_checkers_step(taken & ~lost & ~twice, way ^ 2);
    steps->twice |= kn_checkers_step(twice, way ^ 2);
}

/* Men that can reach the king row over empty squares without being stopped. */
INLINE int free_kings(const Side *s, bool popcnt)
{
    uint32_t front = s->empty & ROW(7), open = s->empty & ~neighbours(s->other), near = 0, runners;
    for (int steps = 1; steps <= 2; steps++) {
        uint32_t before = kn_checkers_step(front, UP_RIGHT) | kn_checkers_step(front, UP_LEFT);
        near |= before;
        front = before & open;
    }
    runners = s->men & (near | kn_checkers_step(front, UP_RIGHT) | kn_checkers_step(front, UP_LEFT));
    return runners ? count(runners, popcnt) + count(runners & near, popcnt) : 0;
}

/* The sets that determine a side's features. */
typedef struct Sets {
    Steps steps;
    bool threatened; /* the opponent can capture now */
} Sets;

INLINE void all_steps(const Side *s, Sets *sets)
{
    Answers answers = {.men_on = jump_squares(s->own, s->empty, UP_RIGHT),
                       .taken = taking_squares(s->own, s->empty, DOWN_LEFT)};
    if (s->kings) answers.taken |= taking_squares(s->kings, s->empty, UP_RIGHT);
    sets->threatened = answers.men_on & s->other;
    if (s->their_kings) {
        answers.kings_on = answers.men_on | jump_squares(s->own, s->empty, DOWN_LEFT);
        sets->threatened = sets->threatened || answers.kings_on & s->their_kings;
    }
    sets->steps = (Steps){0};
    classify(s, s->own, DOWN_LEFT, &answers, &sets->steps);
    classify(s, s->own, DOWN_RIGHT, &answers, &sets->steps);
    if (s->kings) {
        classify(s, s->kings, UP_RIGHT, &answers, &sets->steps);
        classify(s, s->kings, UP_LEFT, &answers, &sets->steps);
    }
}

INLINE int balance(uint32_t men, bool popcnt)
{
    static const uint32_t left = SQ(1) | SQ(2) | SQ(5) | SQ(6) | SQ(9) | SQ(10) | SQ(13) | SQ(14) | SQ(17) |
                                 SQ(18) | SQ(21) | SQ(22) | SQ(25) | SQ(26) | SQ(29) | SQ(30);
    int difference = count(men & left, popcnt) - count(men & ~left, popcnt);
    return difference < 0 ? difference : -difference;
}

INLINE int back_row(const Side *s, bool popcnt)
{
    uint32_t held = s->men & ROW(0);
    if (!s->their_men || !held) return 0;
    return count(held, popcnt) + ((held & (SQ(1) | SQ(3))) == (SQ(1) | SQ(3))) +
           ((held & (SQ(2) | SQ(3))) == (SQ(2) | SQ(3)));
}

/* Adds the features of one side, times `sign`. */
INLINE void add_side(const Side *s, int sign, int *terms, bool popcnt)
{
    static const uint32_t ring = SQ(6) | SQ(7) | SQ(10) | SQ(11) | SQ(22) | SQ(23) | SQ(26) | SQ(27),
                          core = SQ(14) | SQ(15) | SQ(18) | SQ(19),
                          centre = SQ(10) | SQ(11) | SQ(14) | SQ(15) | SQ(18) | SQ(19) | SQ(22) | SQ(23),
                          corners = SQ(4) | SQ(29) | SQ(1) | SQ(5) | SQ(28) | SQ(32);
    Sets sets;
    all_steps(s, &sets);
    uint32_t free = sets.steps.safe, exchange = sets.steps.exchange & ~free,
             rest = sets.steps.any & ~(free | exchange);
    uint32_t blocked = s->own & ~sets.steps.any,
             stuck = s->men & (sets.threatened ? blocked : blocked | rest);
    terms[FREE] += sign * count(free, popcnt);
    terms[RECAPTURE] += sign * count(exchange, popcnt);
    terms[NO_MOVE] += sign * count(blocked, popcnt);
    if (sets.threatened)
        terms[EXCEPTION] += sign * count(rest, popcnt);
    else if (rest) {
        int twice = count(rest & sets.steps.twice, popcnt);
        terms[DOUBLE_CAP] += sign * twice;
        terms[SOME] += sign * (count(rest, popcnt) - twice);
    }
    terms[BALANCE] += sign * balance(s->men, popcnt);
    terms[ADVANCEMENT] += sign * (count(s->men & (ROW(1) | ROW(3) | ROW(5)), popcnt) +
                                  2 * count(s->men & (ROW(2) | ROW(3) | ROW(6)), popcnt) +
                                  4 * count(s->men & (ROW(4) | ROW(5) | ROW(6)), popcnt));
    terms[CENTRALITY] += sign * (2 * count(s->men & core, popcnt) + count(s->men & ring, popcnt));
    uint32_t backed = s->men & (kn_checkers_step(s->men, DOWN_LEFT) | kn_checkers_step(s->men, DOWN_RIGHT));
    terms[ANGLE] += sign * count(backed, popcnt);
    terms[BACK_ROW] += sign * back_row(s, popcnt);
    /* Two rows up on the same file: one step to a side and one to the other; at the edge only one of them is
     * on the board. */
    uint32_t facing = kn_checkers_step(kn_checkers_step(s->their_men, UP_RIGHT), UP_LEFT) |
                      kn_checkers_step(kn_checkers_step(s->their_men, UP_LEFT), UP_RIGHT);
    terms[SHADOW] += sign * count(backed & facing, popcnt);
    if (s->kings) {
        terms[KING_CENTER] += sign * count(s->kings & centre, popcnt);
        terms[TRAPPED_KING] -= sign * count(s->kings & corners & ~free, popcnt);
    }
    if (s->their_kings) {
        uint32_t open = (kn_checkers_step(s->empty, DOWN_LEFT) & kn_checkers_step(s->empty, UP_RIGHT)) |
                        (kn_checkers_step(s->empty, DOWN_RIGHT) & kn_checkers_step(s->empty, UP_LEFT));
        uint32_t near = neighbours(s->their_kings);
        terms[LOOSE_CHECKER] -= sign * count(s->men & open & (near | neighbours(near)), popcnt);
        terms[LOOSE_MEN] -= sign * count(s->men & ~neighbours(s->own), popcnt);
    }
    terms[D2E7] += sign * ((s->men & SQ(7)) != 0);
    terms[FREE_KING] += sign * free_kings(s, popcnt);
    terms[DOG_HOLE] -= sign * (s->men & SQ(28) && s->their_men & SQ(32));
    if (stuck) terms[FROZEN] -= sign * count(stuck & neighbours(stuck) & neighbours(s->their_men), popcnt);
}

INLINE Side side_of(uint32_t own, uint32_t other, uint32_t kings)
{
    return (Side){own, own & ~kings, own & kings, other, other & ~kings, other & kings, ~(own | other)};
}

INLINE int all_terms(const void *position, double *values, bool popcnt)
{
    const KnCheckersPosition *p = position;
    Side down = side_of(p->pieces[0], p->pieces[1], p->kings);
    Side up = side_of(kn_checkers_turn(p->pieces[1]), kn_checkers_turn(p->pieces[0]),
                      kn_checkers_turn(p->kings));
    int terms[TERMS] = {0}, sign = p->mover == KN_CHECKERS_BLACK ? 1 : -1;
    terms[MAN] = sign * (count(down.men, popcnt) - count(up.men, popcnt));
    if (p->kings) terms[KING] = sign * (count(down.kings, popcnt) - count(up.kings, popcnt));
    add_side(&down, sign, terms, popcnt);
    add_side(&up, -sign, terms, popcnt);
    terms[MOVE] = 1;
    for (int i = 0; i < TERMS; i++) values[i] = terms[i];
    int pieces = count(p->pieces[0] | p->pieces[1], popcnt);
    return pieces >= 20 ? 0 : pieces >= 14 ? 1 : pieces >= 10 ? 2 : 3;
}

static int values_plain(const KnGame *game, const void *position, double *values)
{
    (void)game;
    return all_terms(position, values, false);
}

static void add_squares(uint32_t set, double by, double *values)
{
    for (; set; set &= set - 1) values[kn_checkers_square(__builtin_ctz(set)) - 1] += by;
}

static int values_squares(const KnGame *game, const void *position, double *values)
{
    const KnCheckersPosition *p = position;
    int phase = game->feature_tables->values(game, position, values), mover = p->mover;
    for (int i = TERMS; i < ALL_TERMS; i++) values[i] = 0;
    /* A side's system is the rows of the same kind as its back row; pieces of both sides on it count. */
    uint32_t system = mover == KN_CHECKERS_BLACK ? ROW(0) | ROW(2) | ROW(4) | ROW(6)
                                                 : ROW(1) | ROW(3) | ROW(5) | ROW(7);
    values[THE_MOVE] = kn_checkers_popcount((p->pieces[0] | p->pieces[1]) & system) & 1;
    for (int side = 0; side < 2; side++) {
        uint32_t men = p->pieces[side] & ~p->kings, kings = p->pieces[side] & p->kings;
        if (side != KN_CHECKERS_BLACK) {
            men = kn_checkers_turn(men);
            kings = kn_checkers_turn(kings);
        }
        add_squares(men, side == mover ? 1 : -1, values + MAN_ON);
        add_squares(kings, side == mover ? 1 : -1, values + KING_ON);
    }
    return phase;
}

#define TABLE(function)                                                                                      \
    {                                                                                                        \
        {.name = "chinook",                                                                                  \
         .help = "23 terms under the names of Chinook's (Schaeffer, Hlynka & Jussila 2001)",                 \
         .features = features,                                                                               \
         .count = TERMS,                                                                                     \
         .fixed = fixed,                                                                                     \
         .fixed_count = sizeof fixed / sizeof *fixed,                                                        \
         .values = function},                                                                                \
            {.name = "squares",                                                                              \
             .help = "those 23, who has the move, and where each man and king stands",                       \
             .features = features,                                                                           \
             .count = ALL_TERMS,                                                                             \
             .fixed = fixed,                                                                                 \
             .fixed_count = sizeof fixed / sizeof *fixed,                                                    \
             .values = values_squares},                                                                      \
            {.name = "threats",                                                                              \
             .help = "what is about to be taken: of use to decide how deep to search",                       \
             .by_name = true,                                                                                \
             .features = kn_checkers_threat_features,                                                        \
             .count = KN_CHECKERS_THREATS,                                                                   \
             .values = kn_checkers_threat_values},                                                           \
        {                                                                                                    \
            0                                                                                                \
        }                                                                                                    \
    }

static const KnFeatureTable plain_table[] = TABLE(values_plain);

const KnFeatureTable *kn_checkers_feature_set_plain(void) { return plain_table; }

#ifdef __x86_64__
__attribute__((target("popcnt"))) static int values_popcnt(const KnGame *game, const void *position,
                                                           double *values)
{
    (void)game;
    return all_terms(position, values, true);
}

static const KnFeatureTable popcnt_table[] = TABLE(values_popcnt);

const KnFeatureTable *kn_checkers_feature_set(void)
{
    return __builtin_cpu_supports("popcnt") ? popcnt_table : plain_table;
}
#else
const KnFeatureTable *kn_checkers_feature_set(void) { return plain_table; }
#endif
