/* Morris: men are placed in turn, then slide along the lines; three in a line (a mill) remove a man of the
 * opponent.
 *
 * 4, 5 or 6 men a side on two squares (16 points, 8 mills: the sides of the squares), or nine men's morris on
 * three squares (24 points, 16 mills). Rules as interpreted here:
 *
 * - A mill removes exactly one man, while placing too; closing two mills with one move still removes one. A
 * man in a mill may be removed only if all men are in mills. The removal is part of the move.
 *
 * - Once all men are placed, a side with fewer than three men, or without a move, has lost.
 *
 * - Nine men's morris: a side with three men may move to any free point (`flying`).
 *
 * - Endless play is a draw; the match sets the ply limit.
 *
 * Two squares have a further symmetry, the exchange of the squares, which is not used: states are counted up
 * to the eight symmetries of the square, as in Lock (2003); nine men's morris uses sixteen. Packed codes are
 * exact: men of both sides, mover and plies of placing. */
#include "base/assert.h"
#include "games/morris/board.h"
#include "games/registry.h"

#include <string.h>

#include <knack/base.h>

static void start(const KnGame *game, void *position)
{
    (void)game;
    memset(position, 0, sizeof(Position));
}

static int mover(const KnGame *game, const void *position)
{
    (void)game;
    return (int)((const Position *)position)->mover;
}

/* The men that the opponent may remove. */
static uint32_t removable(const Rules *rules, uint32_t men)
{
    uint32_t loose = men & ~in_mills(rules, men);
    return loose ? loose : men;
}

/* Adds a mill-closing move, once for each man it may remove; nothing is removed from a side without men. */
static KnMove *add_removals(KnMove *out, uint32_t own, uint32_t victims)
{
    if (!victims) *out++ = own;
    for (; victims; victims &= victims - 1) *out++ = own | (KnMove)(victims & -victims) << 24;
    return out;
}

static KnMove *add_placings(const Rules *rules, uint32_t own, uint32_t other, KnMove *out, bool quiet)
{
    uint32_t empty = rules->points & ~(own | other), closing = empty & completing(rules, own);
    if (quiet)
        for (uint32_t set = empty & ~closing; set; set &= set - 1) *out++ = set & -set;
    if (closing) {
        uint32_t victims = removable(rules, other);
        for (; closing; closing &= closing - 1) out = add_removals(out, closing & -closing, victims);
    }
    return out;
}

static KnMove *add_flights(const Rules *rules, uint32_t own, uint32_t other, KnMove *out, bool quiet)
{
    uint32_t empty = rules->points & ~(own | other), victims = removable(rules, other);
    for (uint32_t set = own; set; set &= set - 1) {
        uint32_t man = set & -set, closing = completing(rules, own ^ man);
        for (uint32_t free = empty; free; free &= free - 1) {
            uint32_t to = free & -free;
            if (to & closing)
                out = add_removals(out, man | to, victims);
            else if (quiet)
                *out++ = man | to;
        }
    }
    return out;
}

/* Slides that close no mill. Their number is hard to predict, so eight are written before the first test (the
 * excess is overwritten or ignored): random play gains a fifth. */
static KnMove *add_quiet_slides(uint32_t lines, KnMove *out)
{
    KnMove *end = out + count_of(lines);
    do
        for (int i = 0; i < 8; i++, lines &= lines - 1)
            *out++ = kn_morris_line[__builtin_ctz(lines | 1u << 31)];
    while (lines);
    return end;
}

static KnMove *add_slides(const Rules *rules, uint32_t own, uint32_t other, KnMove *out, bool quiet)
{
    uint32_t empty = rules->points & ~(own | other), closing = empty & completing(rules, own);
    uint32_t sharp = closing ? slides(own, closing) : 0;
    if (quiet) out = add_quiet_slides(slides(own, empty) & ~sharp, out);
    for (; sharp; sharp &= sharp - 1) {
        uint32_t ends = kn_morris_line[__builtin_ctz(sharp)];
        /* a point may complete a line only with the very man that moves there */
        if (ends & empty & completing(rules, own & ~ends))
            out = add_removals(out, ends, removable(rules, other));
        else if (quiet)
            *out++ = ends;
    }
    return out;
}

static int generate(const KnGame *game, const void *position, KnMove *out, bool quiet)
{
    const Rules *rules = rules_of(game);
    const Position *p = position;
    uint32_t own = p->men[p->mover], other = p->men[p->mover ^ 1];
    KnMove *end;
    if (!is_sliding(rules, p))
        end = add_placings(rules, own, other, out, quiet);
    else if (fewer_than_three(own) || fewer_than_three(other))
        end = out;
    else if (may_fly(rules, own))
        end = add_flights(rules, own, other, out, quiet);
    else
        end = add_slides(rules, own, other, out, quiet);
    return (int)(end - out);
}

static int moves(const KnGame *game, const void *position, KnMove *out)
{
    return generate(game, position, out, true);
}

static int tactical(const KnGame *game, const void *position, KnMove *out, bool *may_stand)
{
    *may_stand = true;
    return generate(game, position, out, false);
}

static void play(const KnGame *game, void *position, KnMove move)
{
    Position *p = position;
    p->men[p->mover] ^= move_own(move);
    p->mover ^= 1;
    KN_ASSERT(!(move_removed(move) & ~p->men[p->mover]));
    p->men[p->mover] ^= move_removed(move);
    p->placed += p->placed < rules_of(game)->placing;
}

/* Two men on both sides cannot occur in play; in a set-up position it is a draw. */
static void payoffs(const KnGame *game, const void *position, double *out)
{
    (void)game;
    const Position *p = position;
    bool beaten = fewer_than_three(p->men[p->mover ^ 1]);
    double value = !beaten ? -1 : fewer_than_three(p->men[p->mover]) ? 0 : 1;
    out[p->mover] = value;
    out[p->mover ^ 1] = -value;
}

static uint64_t pack(const KnGame *game, const void *position)
{
    (void)game;
    const Position *p = position;
    return (uint64_t)p->men[0] | (uint64_t)p->men[1] << 24 | (uint64_t)p->placed << 48 |
           (uint64_t)p->mover << 53;
}

static void unpack(const KnGame *game, uint64_t code, void *position)
{
    (void)game;
    *(Position *)position = (Position){
        {code & 0xffffff, code >> 24 & 0xffffff}, (uint32_t)(code >> 48 & 31), (uint32_t)(code >> 53 & 1)};
}

static uint64_t hash(const KnGame *game, const void *position) { return kn_mix64(pack(game, position)); }

static void transform(const KnGame *game, int symmetry, const void *position, void *image)
{
    (void)game;
    const Position *p = position;
    *(Position *)image =
        (Position){{turn_by(symmetry, p->men[0]), turn_by(symmetry, p->men[1])}, p->placed, p->mover};
}

static KnMove transform_move(const KnGame *game, int symmetry, const void *position, KnMove move)
{
    (void)game, (void)position;
    return turn_by(symmetry, move_own(move)) | (KnMove)turn_by(symmetry, move_removed(move)) << 24;
}

/* 0 placing, 1 sliding, 2 sliding with flying. */
static int phase(const KnGame *game, const void *position)
{
    const Rules *rules = rules_of(game);
    const Position *p = position;
    if (!is_sliding(rules, p)) return 0;
    return may_fly(rules, p->men[0]) || may_fly(rules, p->men[1]) ? 2 : 1;
}

static int cell(const KnGame *game, const void *position, int index)
{
    const Position *p = position;
    int bit = kn_morris_bit(rules_of(game), index);
    return (int)((p->men[0] >> bit & 1) + 2 * (p->men[1] >> bit & 1));
}

static void board(const KnGame *game, const void *position, uint8_t *cells)
{
    const Rules *rules = rules_of(game);
    const Position *p = position;
    for (int index = 0; index < game->cells; index++) {
        int bit = kn_morris_bit(rules, index);
        cells[index] = (uint8_t)((p->men[0] >> bit & 1) + 2 * (p->men[1] >> bit & 1));
    }
}

static void cell_place(const KnGame *game, int index, double *x, double *y)
{
    int column, row;
    kn_morris_place(rules_of(game), kn_morris_bit(rules_of(game), index), &column, &row);
    *x = column;
    *y = row;
}

static void cell_name(const KnGame *game, int index, KnText *out)
{
    kn_morris_point_name(rules_of(game), kn_morris_bit(rules_of(game), index), out);
}

static const char *const role_names[] = {"white", "black"};

static const KnOption options[] = {
    {"men", KN_OPTION_CHOICE, "5", 0, 0, "4|5|6|9", "men a side; 9 is played on the board of three squares"},
    {"flying", KN_OPTION_CHOICE, "auto", 0, 0, "auto|on|off",
     "whether three men may move to any free point; auto: in nine men's morris only"},
    {0}};

/* By number of men and flying. */
static const Rules known_rules[4][2] = {
    {{0xffff, 8, false, false}, {0xffff, 8, true, false}},
    {{0xffff, 10, false, false}, {0xffff, 10, true, false}},
    {{0xffff, 12, false, false}, {0xffff, 12, true, false}},
    {{0xffffff, 18, false, true}, {0xffffff, 18, true, true}},
};

static KnStatus open(KnGame *game, const KnOptions *bound, KnError *error)
{
    (void)error;
    int men = kn_option_choice(bound, "men"), flying = kn_option_choice(bound, "flying");
    const Rules *rules = &known_rules[men][flying == 0 ? men == 3 : flying == 1];
    game->data = (void *)(uintptr_t)rules;
    game->position_size = sizeof(Position);
    /* Each edge (20 or 32) or free point with each man to remove; flights close at most one mill for each of
     * three men. */
    game->max_moves = rules->cross ? 32 * 9 : 20 * 6;
    game->roles = 2;
    game->traits = KN_GAME_ZERO_SUM | KN_GAME_ENDLESS;
    game->role_names = role_names;
    game->symmetries = rules->cross ? 16 : 8;
    game->features = kn_morris_features;
    game->feature_count = KN_MORRIS_FEATURES;
    game->evaluations = kn_morris_evaluations;
    game->cells = kn_morris_cells(rules);
    game->cell_symbols = ".WB";
    game->phases = rules->flies ? 3 : 2;
    return KN_OK;
}

const KnGameType kn_morris = {
    .head = {"morris", "men placed and slid into mills, on two squares (4-6 men a side) or three (9)",
             options},
    .open = open,
    .start = start,
    .mover = mover,
    .moves = moves,
    .play = play,
    .payoffs = payoffs,
    .hash = hash,
    .move_text = kn_morris_move_text,
    .position_text = kn_morris_position_text,
    .parse_position = kn_morris_parse_position,
    .draw = kn_morris_draw,
    .check = kn_morris_check,
    .transform = transform,
    .transform_move = transform_move,
    .feature_values = kn_morris_feature_values,
    .material = kn_morris_material,
    .phase = phase,
    .cell = cell,
    .board = board,
    .cell_place = cell_place,
    .cell_name = cell_name,
    .tactical = tactical,
    .pack = pack,
    .unpack = unpack,
};
