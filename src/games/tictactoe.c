/* Tic-tac-toe and its misere form: a line of three wins, or loses with the option `lose`. The smallest game
 * here; copy it to add your own. */
#include "base/assert.h"
#include "games/registry.h"

#include <string.h>

#include <knack/base.h>

/* Cells 0..8 row by row from the top left, one bit each. */
typedef struct Position {
    uint16_t men[2]; /* X, who begins, and O */
    uint16_t mover;
} Position;

enum { FULL = 0777 };

static const uint16_t lines[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

/* The symmetries of the square: symmetry s maps cell i to image[s][i]. */
static const uint8_t image[8][9] = {{0, 1, 2, 3, 4, 5, 6, 7, 8}, {2, 5, 8, 1, 4, 7, 0, 3, 6},
                                    {8, 7, 6, 5, 4, 3, 2, 1, 0}, {6, 3, 0, 7, 4, 1, 8, 5, 2},
                                    {2, 1, 0, 5, 4, 3, 8, 7, 6}, {6, 7, 8, 3, 4, 5, 0, 1, 2},
                                    {0, 3, 6, 1, 4, 7, 2, 5, 8}, {8, 5, 2, 7, 4, 1, 6, 3, 0}};

static bool loses(const KnGame *game) { return game->data != NULL; }

static bool has_line(unsigned men)
{
    for (int i = 0; i < 8; i++)
        if ((men & lines[i]) == lines[i]) return true;
    return false;
}

static void start(const KnGame *game, void *position)
{
    (void)game;
    memset(position, 0, sizeof(Position));
}

static int mover(const KnGame *game, const void *position)
{
    (void)game;
    return ((const Position *)position)->mover;
}

static int moves(const KnGame *game, const void *position, KnMove *out)
{
    (void)game;
    const Position *p = position;
    if (has_line(p->men[1 - p->mover])) return 0;
    int count = 0;
    for (unsigned empty = FULL & ~(unsigned)(p->men[0] | p->men[1]); empty; empty &= empty - 1)
        out[count++] = (KnMove)__builtin_ctz(empty);
    return count;
}

static void play(const KnGame *game, void *position, KnMove move)
{
    (void)game;
    Position *p = position;
    KN_ASSERT(move < 9 && !((p->men[0] | p->men[1]) >> move & 1));
    p->men[p->mover] = (uint16_t)(p->men[p->mover] | 1u << move);
    p->mover ^= 1;
}

static void payoffs(const KnGame *game, const void *position, double *out)
{
    const Position *p = position;
    int last = 1 - p->mover;
    double value = has_line(p->men[last]) ? (loses(game) ? -1 : 1) : 0;
    out[last] = value;
    out[p->mover] = -value;
}

static uint64_t pack(const KnGame *game, const void *position)
{
    (void)game;
    const Position *p = position;
    return (uint64_t)p->men[0] | (uint64_t)p->men[1] << 9 | (uint64_t)p->mover << 18;
}

static void unpack(const KnGame *game, uint64_t code, void *position)
{
    start(game, position);
    Position *p = position;
    p->men[0] = code & FULL;
    p->men[1] = code >> 9 & FULL;
    p->mover = code >> 18 & 1;
}

static uint64_t hash(const KnGame *game, const void *position) { return kn_mix64(pack(game, position)); }

static void move_text(const KnGame *game, const void *position, KnMove move, KnText *out)
{
    (void)game, (void)position;
    kn_text_printf(out, "%c%d", 'a' + (int)(move % 3), 3 - (int)(move / 3));
}

/* "x.o/.x./..o x": rows from the top, then the side to move. */
static void position_text(const KnGame *game, const void *position, KnText *out)
{
    (void)game;
    const Position *p = position;
    for (int i = 0; i < 9; i++) {
        if (i == 3 || i == 6) kn_text_add_char(out, '/');
        kn_text_add_char(out, p->men[0] >> i & 1 ? 'x' : p->men[1] >> i & 1 ? 'o' : '.');
    }
    kn_text_add(out, p->mover ? " o" : " x");
}

static KnStatus check(const KnGame *game, const void *position, KnError *error)
{
    (void)game;
    const Position *p = position;
    int xs = __builtin_popcount(p->men[0]), os = __builtin_popcount(p->men[1]);
    if (p->men[0] & p->men[1] || (p->men[0] | p->men[1]) & ~FULL || p->mover > 1)
        return kn_fail(error, KN_INPUT, "these bytes are no tic-tac-toe position");
    if (xs - os != p->mover)
        return kn_fail(error, KN_INPUT, "%d x and %d o cannot stand with %s to move; x begins", xs, os,
                       p->mover ? "o" : "x");
    return KN_OK;
}

static KnStatus parse_position(const KnGame *game, const char *text, void *position, KnError *error)
{
    start(game, position);
    Position *p = position;
    const char *t = text;
    for (int i = 0; i < 9; i++, t++) {
        if ((i == 3 || i == 6) && *t == '/') t++;
        if (*t == 'x' || *t == 'X')
            p->men[0] = (uint16_t)(p->men[0] | 1u << i);
        else if (*t == 'o' || *t == 'O')
            p->men[1] = (uint16_t)(p->men[1] | 1u << i);
        else if (*t != '.' && *t != '-')
            return kn_fail(error, KN_INPUT,
                           "position \"%.40s\", column %d: expected x, o or . (as in x.o/.x./..o x)", text,
                           (int)(t - text) + 1);
    }
    while (*t == ' ') t++;
    if (!*t || !strchr("xXoO", *t) || t[1])
        return kn_fail(error, KN_INPUT,
                       "position \"%.40s\", column %d: expected x or o, who is to move, and no more", text,
                       (int)(t - text) + 1);
    p->mover = *t == 'o' || *t == 'O';
    return check(game, position, error);
}

static void draw(const KnGame *game, const void *position, bool colour, KnText *out)
{
    (void)game;
    const Position *p = position;
    for (int row = 0; row < 3; row++) {
        kn_text_printf(out, "%d ", 3 - row);
        for (int i = row * 3; i < row * 3 + 3; i++) {
            if (p->men[0] >> i & 1)
                kn_text_add(out, colour ? " \033[1;34mx\033[0m" : " x");
            else if (p->men[1] >> i & 1)
                kn_text_add(out, colour ? " \033[1;31mo\033[0m" : " o");
            else
                kn_text_add(out, " .");
        }
        kn_text_add_char(out, '\n');
    }
    kn_text_add(out, "   a b c\n");
}

static uint16_t men_image(int symmetry, unsigned men)
{
    unsigned turned = 0;
    for (; men; men &= men - 1) turned |= 1u << image[symmetry][__builtin_ctz(men)];
    return (uint16_t)turned;
}

static void transform(const KnGame *game, int symmetry, const void *position, void *out)
{
    (void)game;
    const Position *p = position;
    *(Position *)out = (Position){{men_image(symmetry, p->men[0]), men_image(symmetry, p->men[1])}, p->mover};
}

static KnMove transform_move(const KnGame *game, int symmetry, const void *position, KnMove move)
{
    (void)game, (void)position;
    return image[symmetry][move];
}

static int cell(const KnGame *game, const void *position, int index)
{
    (void)game;
    const Position *p = position;
    return (p->men[0] >> index & 1) + 2 * (p->men[1] >> index & 1);
}

static void cell_place(const KnGame *game, int index, double *x, double *y)
{
    (void)game;
    *x = index % 3;
    *y = index / 3;
}

static void cell_name(const KnGame *game, int index, KnText *out)
{
    move_text(game, NULL, (KnMove)index, out);
}

/* Number of lines with marks of this side only. */
static int open_lines(const Position *p, int side)
{
    int count = 0;
    for (int i = 0; i < 8; i++) count += !(p->men[1 - side] & lines[i]) && (p->men[side] & lines[i]);
    return count;
}

static const KnFeature features[] = {
    {"open lines", "lines with own men and none of the other's", 0, 8},
    {"their open lines", "lines with the other's men and none of one's own", 0, 8},
    {"centre", "1 if one holds the centre, -1 if the other does", -1, 1},
};

static void feature_values(const KnGame *game, const void *position, int role, double *values)
{
    (void)game;
    const Position *p = position;
    values[0] = open_lines(p, role);
    values[1] = open_lines(p, 1 - role);
    values[2] = (p->men[role] >> 4 & 1) - (p->men[1 - role] >> 4 & 1);
}

static KnScore score_lines(const KnGame *game, const void *position)
{
    const Position *p = position;
    int lead = open_lines(p, p->mover) - open_lines(p, 1 - p->mover);
    return 100 * (loses(game) ? -lead : lead);
}

static const KnGameEvaluation evaluations[] = {
    {"lines", "open lines, one's own less the other's (the reverse in the losing form)", score_lines}, {0}};

static const char *const role_names[] = {"x", "o"};

static const KnOption options[] = {
    {"lose", KN_OPTION_FLAG, NULL, 0, 0, NULL, "completing a line loses instead of winning"}, {0}};

static KnStatus open(KnGame *game, const KnOptions *bound, KnError *error)
{
    (void)error;
    static const char losing = 1;
    game->position_size = sizeof(Position);
    game->max_moves = 9;
    game->roles = 2;
    game->traits = KN_GAME_ZERO_SUM;
    game->role_names = role_names;
    game->symmetries = 8;
    game->features = features;
    game->feature_count = sizeof features / sizeof *features;
    game->evaluations = evaluations;
    game->cells = 9;
    game->cell_symbols = ".xo";
    game->data = kn_option_flag(bound, "lose") ? (void *)(uintptr_t)&losing : NULL;
    return KN_OK;
}

const KnGameType kn_tictactoe = {
    .head = {"tictactoe", "three in a row on a 3x3 board, to win or (lose) to lose", options},
    .open = open,
    .start = start,
    .mover = mover,
    .moves = moves,
    .play = play,
    .payoffs = payoffs,
    .hash = hash,
    .move_text = move_text,
    .position_text = position_text,
    .parse_position = parse_position,
    .draw = draw,
    .check = check,
    .transform = transform,
    .transform_move = transform_move,
    .feature_values = feature_values,
    .cell = cell,
    .cell_place = cell_place,
    .cell_name = cell_name,
    .pack = pack,
    .unpack = unpack,
};
