/* Phutball, the Philosopher's Football of Conway (Berlekamp, Conway & Guy 1982). One ball and men that belong
 * to no side, on at most 15x19 points. A turn puts a man on an empty point, or jumps: the ball leaps in one
 * of eight directions over an unbroken row of adjacent men to the first empty point behind them, and these
 * men are removed; the mover may jump repeatedly. North wins when a turn ends with the ball on or beyond the
 * top line, south at the bottom, whichever side jumped.
 *
 * Interpretations: a jump may leave the board over a goal line, never over a side or a corner. Beyond a line,
 * or on the mover's goal line, a chain of jumps ends automatically; on the mover's own line it may continue.
 * All other chains end with an explicit `stop`. Men may be put on goal lines. There is always a move: on a
 * full board the ball can jump to a goal. */
#include "base/assert.h"
#include "games/registry.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/phutball/board.h"
#include "games/phutball/goal.h"

static void start(const KnGame *game, void *position)
{
    KnPhutPosition *p = position;
    memset(p, 0, sizeof *p);
    p->x = (uint8_t)((phut_rules(game)->width + 1) / 2);
    p->y = (uint8_t)((phut_rules(game)->height + 1) / 2);
}

static int mover(const KnGame *game, const void *position)
{
    (void)game;
    return ((const KnPhutPosition *)position)->mover;
}

static int moves(const KnGame *game, const void *position, KnMove *out)
{
    const KnPhutRules *rules = phut_rules(game);
    const KnPhutPosition *p = position;
    if (phut_over(rules, p)) return 0;
    int count = 0, x, y;
    for (int d = 0; d < 8; d++)
        if (phut_landing(rules, p, d, &x, &y)) out[count++] = (KnMove)(PHUT_JUMP + d);
    if (p->jumping) {
        out[count++] = PHUT_STOP;
        return count;
    }
    unsigned line = (2u << rules->width) - 2;
    for (y = 1; y <= rules->height; y++) {
        unsigned free = line & ~(unsigned)p->men[y];
        if (y == p->y) free &= ~(1u << p->x);
        for (; free; free &= free - 1) out[count++] = phut_man(__builtin_ctz(free), y);
    }
    return count;
}

static void end_turn(KnPhutPosition *p)
{
    p->jumping = 0;
    p->mover ^= 1;
}

static void flip_man(const KnPhutRules *rules, KnPhutPosition *p, int x, int y)
{
    p->men[y] = (uint16_t)(p->men[y] ^ 1u << x);
    p->men_hash ^= rules->keys[y][x];
}

void kn_phut_play(const KnGame *game, void *position, KnMove move)
{
    const KnPhutRules *rules = phut_rules(game);
    KnPhutPosition *p = position;
    if (move < PHUT_JUMP) {
        flip_man(rules, p, (int)(move & 15), (int)(move >> 4));
        end_turn(p);
    } else if (move < PHUT_STOP) {
        int d = (int)(move - PHUT_JUMP), x = p->x + phut_dx[d], y = p->y + phut_dy[d];
        KN_ASSERT(phut_man_at(p, x, y));
        for (; phut_man_at(p, x, y); x += phut_dx[d], y += phut_dy[d]) flip_man(rules, p, x, y);
        p->x = (uint8_t)x;
        p->y = (uint8_t)y;
        p->jumping = 1;
        if (y == 0 || y > rules->height || phut_distance(rules, p->mover, y) == 0) end_turn(p);
    } else {
        KN_ASSERT(p->jumping);
        end_turn(p);
    }
}

static void payoffs(const KnGame *game, const void *position, double *out)
{
    (void)game;
    out[0] = ((const KnPhutPosition *)position)->y <= 1 ? 1 : -1;
    out[1] = -out[0];
}

static uint64_t hash(const KnGame *game, const void *position)
{
    (void)game;
    const KnPhutPosition *p = position;
    return p->men_hash ^ kn_mix64((uint64_t)p->x | (uint64_t)p->y << 8 | (uint64_t)p->mover << 16 |
                                  (uint64_t)p->jumping << 24);
}

void kn_phut_complete(const KnPhutRules *rules, KnPhutPosition *p)
{
    p->men_hash = 0;
    for (int y = 1; y <= rules->height; y++)
        for (unsigned men = p->men[y]; men; men &= men - 1) p->men_hash ^= rules->keys[y][__builtin_ctz(men)];
}

KnStatus kn_phut_check(const KnGame *game, const void *position, KnError *error)
{
    const KnPhutRules *rules = phut_rules(game);
    const KnPhutPosition *p = position;
    unsigned line = (2u << rules->width) - 2;
    bool sound = p->mover <= 1 && p->jumping <= 1 && !p->zero[0] && !p->zero[1] && p->x >= 1 &&
                 p->x <= rules->width && p->y <= rules->height + 1;
    for (int y = 0; sound && y < PHUT_LINES; y++)
        sound = !(p->men[y] & ~(y >= 1 && y <= rules->height ? line : 0u));
    if (!sound) return kn_fail(error, KN_INPUT, "these bytes are no position of %s", game->spec);
    if (phut_man_at(p, p->x, p->y)) return kn_fail(error, KN_INPUT, "the ball is where a man is");
    KnPhutPosition again = *p;
    kn_phut_complete(rules, &again);
    if (again.men_hash != p->men_hash)
        return kn_fail(error, KN_INPUT, "these bytes are no position of %s: the hash of the men is wrong",
                       game->spec);
    if (p->jumping && (p->y == 0 || p->y > rules->height || phut_distance(rules, p->mover, p->y) == 0))
        return kn_fail(error, KN_INPUT, "a chain of jumps does not go on from a goal");
    return KN_OK;
}

/* Symmetries: 1 mirrors left and right, 2 rotates by 180 degrees, 3 mirrors top and bottom; 2 and 3 exchange
 * the roles. */
static int image_x(const KnPhutRules *rules, int s, int x)
{
    return s == 1 || s == 2 ? rules->width + 1 - x : x;
}
static int image_y(const KnPhutRules *rules, int s, int y) { return s >= 2 ? rules->height + 1 - y : y; }

static void transform(const KnGame *game, int symmetry, const void *position, void *out)
{
    const KnPhutRules *rules = phut_rules(game);
    const KnPhutPosition *p = position;
    KnPhutPosition *q = out;
    memset(q, 0, sizeof *q);
    for (int y = 1; y <= rules->height; y++)
        for (unsigned men = p->men[y]; men; men &= men - 1)
            flip_man(rules, q, image_x(rules, symmetry, __builtin_ctz(men)), image_y(rules, symmetry, y));
    q->x = (uint8_t)image_x(rules, symmetry, p->x);
    q->y = (uint8_t)image_y(rules, symmetry, p->y);
    q->mover = symmetry >= 2 ? p->mover ^ 1 : p->mover;
    q->jumping = p->jumping;
}

static KnMove transform_move(const KnGame *game, int symmetry, const void *position, KnMove move)
{
    (void)position;
    const KnPhutRules *rules = phut_rules(game);
    static const uint8_t turned[4][8] = {{0, 1, 2, 3, 4, 5, 6, 7},
                                         {0, 7, 6, 5, 4, 3, 2, 1},
                                         {4, 5, 6, 7, 0, 1, 2, 3},
                                         {4, 3, 2, 1, 0, 7, 6, 5}};
    if (move < PHUT_JUMP)
        return phut_man(image_x(rules, symmetry, (int)(move & 15)),
                        image_y(rules, symmetry, (int)(move >> 4)));
    return move < PHUT_STOP ? (KnMove)(PHUT_JUMP + turned[symmetry][move - PHUT_JUMP]) : move;
}

static int transform_role(const KnGame *game, int symmetry, int role)
{
    (void)game;
    return symmetry >= 2 ? 1 - role : role;
}

static int cell(const KnGame *game, const void *position, int index)
{
    const KnPhutPosition *p = position;
    int x = index % phut_rules(game)->width + 1, y = index / phut_rules(game)->width + 1;
    return x == p->x && y == p->y ? 2 : phut_man_at(p, x, y);
}

static void cell_place(const KnGame *game, int index, double *x, double *y)
{
    *x = index % phut_rules(game)->width;
    *y = index / phut_rules(game)->width;
}

static void cell_name(const KnGame *game, int index, KnText *out)
{
    int width = phut_rules(game)->width;
    kn_phut_move_text(game, NULL, phut_man(index % width + 1, index / width + 1), out);
}

/* Packed codes for boards up to 48 points: the men, the place of the ball (at most 78, goals included), mover
 * and chain. */
static uint64_t pack(const KnGame *game, const void *position)
{
    const KnPhutRules *rules = phut_rules(game);
    const KnPhutPosition *p = position;
    uint64_t code = 0;
    for (int y = 1; y <= rules->height; y++) code = code << rules->width | p->men[y] >> 1;
    return code << 9 | (uint64_t)(p->y * rules->width + p->x - 1) << 2 | (uint64_t)p->mover << 1 | p->jumping;
}

static void unpack(const KnGame *game, uint64_t code, void *position)
{
    const KnPhutRules *rules = phut_rules(game);
    KnPhutPosition *p = position;
    memset(p, 0, sizeof *p);
    p->jumping = code & 1;
    p->mover = code >> 1 & 1;
    unsigned place = code >> 2 & 127, line = (1u << rules->width) - 1;
    p->x = (uint8_t)(place % (unsigned)rules->width + 1);
    p->y = (uint8_t)(place / (unsigned)rules->width);
    code >>= 9;
    for (int y = rules->height; y >= 1; y--, code >>= rules->width)
        p->men[y] = (uint16_t)((code & line) << 1);
    kn_phut_complete(rules, p);
}

static const char *const role_names[] = {"north", "south"};

static const KnOption options[] = {
    {"width", KN_OPTION_INTEGER, "15", 3, PHUT_WIDTH, NULL, "points on a line between the sides"},
    {"height", KN_OPTION_INTEGER, "19", 3, PHUT_HEIGHT, NULL, "lines, goal lines included"},
    {0}};

static void close(KnGame *game) { free(game->data); }

static const KnGameType tiny_type;

static KnStatus open(KnGame *game, const KnOptions *bound, KnError *error)
{
    KnPhutRules *rules = game->data = calloc(1, sizeof *rules);
    if (!rules) return kn_fail_memory(error, "opening a game of Phutball");
    rules->width = (int)kn_option_integer(bound, "width");
    rules->height = (int)kn_option_integer(bound, "height");
    for (int y = 1; y <= rules->height; y++)
        for (int x = 1; x <= rules->width; x++)
            rules->keys[y][x] = kn_mix64(0xf007ba11u + (uint64_t)(y * 32 + x) * 0x10001u);
    int points = rules->width * rules->height;
    if (points <= 48) game->type = &tiny_type;
    game->position_size = sizeof(KnPhutPosition);
    game->max_moves = points + 8;
    game->roles = 2;
    game->traits = KN_GAME_ZERO_SUM | KN_GAME_CHAINS | KN_GAME_ENDLESS;
    game->role_names = role_names;
    game->symmetries = 4;
    game->features = kn_phut_features;
    game->feature_count = PHUT_FEATURES;
    game->evaluations = kn_phut_evaluations;
    game->cells = points;
    game->cell_symbols = ".o*";
    return KN_OK;
}

/* Two function tables: with packed codes for small boards, and without. */
#define PHUT_TYPE(packing, unpacking)                                                                        \
    {                                                                                                        \
        .head = {"phutball", "Philosopher's Football: jump the ball over men to the other's line", options}, \
        .open = open, .close = close, .start = start, .mover = mover, .moves = moves, .play = kn_phut_play,  \
        .payoffs = payoffs, .hash = hash, .move_text = kn_phut_move_text, .parse_move = kn_phut_parse_move,  \
        .position_text = kn_phut_position_text, .parse_position = kn_phut_parse_position,                    \
        .draw = kn_phut_draw, .check = kn_phut_check, .transform = transform,                                \
        .transform_move = transform_move, .transform_role = transform_role,                                  \
        .feature_values = kn_phut_feature_values, .tactical = kn_phut_tactical, .goals = &kn_phut_goals,     \
        .cell = cell, .cell_place = cell_place, .cell_name = cell_name, .pack = packing,                     \
        .unpack = unpacking,                                                                                 \
    }
static const KnGameType tiny_type = PHUT_TYPE(pack, unpack);
const KnGameType kn_phutball = PHUT_TYPE(NULL, NULL);
