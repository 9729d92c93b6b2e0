/* A game as a plug-in: Drop. Two players drop men into five columns of four cells; three in a
 * row, in any direction, win.
 *
 *     cc -shared -fPIC drop.c $(pkg-config --cflags knack) -o drop.so
 *     knack play drop --plugin ./drop.so
 *
 * The rules come first. Below them is knowledge that some methods use. Leave it out, and `knack
 * methods` says what is missing where. docs/own-game.md walks through this file. */
#include <string.h>

#include <knack/plugin.h>

enum { WIDTH = 5, HEIGHT = 4, CELLS = WIDTH * HEIGHT, LINE = 3 };

/* Plain bytes; cells row by row from the top left: 0 is empty, 1 x, 2 o. */
typedef struct Position {
    uint8_t cell[CELLS], mover;
} Position;

/* The number of rows of three cells in which a side has `men` men and the other side none. */
static int rows(const Position *p, int side, int men)
{
    static const int across[] = {1, 0, 1, 1}, down[] = {0, 1, 1, -1};
    int found = 0;
    for (int i = 0; i < 4 * CELLS; i++) {
        int x = i / 4 % WIDTH, y = i / 4 / WIDTH, own = 0, other = 0, step = 0;
        for (; step < LINE && x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT;
             step++, x += across[i % 4], y += down[i % 4]) {
            int at = p->cell[y * WIDTH + x];
            own += at == side + 1, other += at == 2 - side;
        }
        found += step == LINE && own == men && !other;
    }
    return found;
}

static void start(const KnGame *game, void *position) { memset(position, 0, game->position_size); }

static int mover(const KnGame *game, const void *position)
{
    return (void)game, ((const Position *)position)->mover;
}

static int moves(const KnGame *game, const void *position, KnMove *out)
{
    const Position *p = position;
    int count = 0;
    if (rows(p, 1 - mover(game, p), LINE)) return 0; /* no move: the game is over */
    for (int x = 0; x < WIDTH; x++)
        if (!p->cell[x]) out[count++] = (KnMove)x;
    return count;
}

static void play(const KnGame *game, void *position, KnMove column)
{
    Position *p = position;
    int at = CELLS - WIDTH + (int)column;
    while (p->cell[at]) at -= WIDTH;
    p->cell[at] = (uint8_t)(1 + mover(game, p));
    p->mover ^= 1;
}

static void payoffs(const KnGame *game, const void *position, double *out)
{
    int last = 1 - mover(game, position), won = rows(position, last, LINE) > 0;
    out[last] = won, out[1 - last] = -won;
}

static uint64_t hash(const KnGame *game, const void *position)
{
    uint64_t code = 0;
    for (size_t i = 0; i < game->position_size; i++) code = kn_mix64(code ^ ((const uint8_t *)position)[i]);
    return code;
}

/* Text: moves are a to e; a position is its cells and the side to move, "...................x o". */
static void move_text(const KnGame *game, const void *position, KnMove move, KnText *out)
{
    (void)game, (void)position;
    kn_text_add_char(out, (char)('a' + move));
}

static void position_text(const KnGame *game, const void *position, KnText *out)
{
    for (int i = 0; i < CELLS; i++) kn_text_add_char(out, ".xo"[((const Position *)position)->cell[i]]);
    kn_text_printf(out, " %c", "xo"[mover(game, position)]);
}

static KnStatus check(const KnGame *game, const void *position, KnError *error)
{
    const Position *p = position;
    int count[3] = {0}, floats = 0;
    for (int i = 0; i < CELLS; i++) {
        if (p->cell[i] > 2) return kn_fail(error, KN_INPUT, "cell %d holds nothing known", i);
        count[p->cell[i]]++, floats += p->cell[i] && i + WIDTH < CELLS && !p->cell[i + WIDTH];
    }
    bool fits = p->mover < 2 && count[1] - count[2] == p->mover;
    return fits && !floats
               ? KN_OK
               : kn_fail(error, KN_INPUT, "x begins, the sides alternate, and men fall to the bottom: %s",
                         game->spec);
}

static KnStatus parse_position(const KnGame *game, const char *text, void *position, KnError *error)
{
    Position p = {.mover = 0};
    if (strlen(text) != CELLS + 2 || strspn(text, ".xo") != CELLS || text[CELLS] != ' ' ||
        !strchr("xo", text[CELLS + 1]))
        return kn_fail(error, KN_INPUT, "\"%.40s\": expected %d cells of . x o, a space, and x or o to move",
                       text, CELLS);
    for (int i = 0; i < CELLS; i++) p.cell[i] = (uint8_t)(strchr(".xo", text[i]) - ".xo");
    p.mover = text[CELLS + 1] == 'o';
    memcpy(position, &p, sizeof p);
    return check(game, position, error);
}

static void draw(const KnGame *game, const void *position, bool colour, KnText *out)
{
    (void)game, (void)colour;
    for (int i = 0; i < CELLS; i++)
        kn_text_printf(out, "%c%c", ".xo"[((const Position *)position)->cell[i]],
                       i % WIDTH == WIDTH - 1 ? '\n' : ' ');
    for (int x = 0; x < WIDTH; x++) kn_text_printf(out, "%c%c", 'a' + x, x == WIDTH - 1 ? '\n' : ' ');
}

/* ---- Knowledge: features for learners, cells of the board, the mirror symmetry ---- */

static const KnFeature features[] = {
    {"pairs", "rows with two own men and an empty cell", 0, 20},
    {"their pairs", "rows with two men of the other side and an empty cell", 0, 20},
    {"centre", "own men in the middle column, less those of the other side", -4, 4},
};

static void feature_values(const KnGame *game, const void *position, int role, double *values)
{
    (void)game;
    const Position *p = position;
    values[0] = rows(p, role, 2), values[1] = rows(p, 1 - role, 2), values[2] = 0;
    for (int at = WIDTH / 2; at < CELLS; at += WIDTH)
        values[2] += p->cell[at] ? (p->cell[at] == role + 1 ? 1 : -1) : 0;
}

static int cell(const KnGame *game, const void *position, int index)
{
    return (void)game, ((const Position *)position)->cell[index];
}

static void cell_place(const KnGame *game, int index, double *x, double *y)
{
    (void)game, *x = index % WIDTH, *y = index / WIDTH;
}

static void cell_name(const KnGame *game, int index, KnText *out)
{
    (void)game, kn_text_printf(out, "%c%d", 'a' + index % WIDTH, HEIGHT - index / WIDTH);
}

static void transform(const KnGame *game, int symmetry, const void *position, void *image)
{
    memcpy(image, position, game->position_size);
    for (int i = 0; symmetry && i < CELLS; i++)
        ((Position *)image)->cell[i] = ((const Position *)position)->cell[i + WIDTH - 1 - 2 * (i % WIDTH)];
}

static KnMove transform_move(const KnGame *game, int symmetry, const void *position, KnMove move)
{
    (void)game, (void)position;
    return symmetry ? WIDTH - 1 - move : move;
}

/* Exact codes, for retrograde analysis and the player `perfect`. */
static uint64_t pack(const KnGame *game, const void *position)
{
    uint64_t code = (uint64_t)mover(game, position);
    for (int i = 0; i < CELLS; i++) code = 3 * code + ((const Position *)position)->cell[i];
    return code;
}

static void unpack(const KnGame *game, uint64_t code, void *position)
{
    (void)game;
    Position *p = position;
    for (int i = CELLS - 1; i >= 0; i--, code /= 3) p->cell[i] = (uint8_t)(code % 3);
    p->mover = (uint8_t)code;
}

/* ---- The type, and the line that exports it ---- */

static KnStatus open(KnGame *game, const KnOptions *options, KnError *error)
{
    static const char *const names[] = {"x", "o"};
    (void)options, (void)error;
    game->position_size = sizeof(Position);
    game->max_moves = WIDTH;
    game->roles = 2;
    game->role_names = names;
    game->traits = KN_GAME_ZERO_SUM;
    game->symmetries = 2;
    game->features = features;
    game->feature_count = 3;
    game->cells = CELLS;
    game->cell_symbols = ".xo";
    return KN_OK;
}

static const KnGameType drop = {
    .head = {"drop", "three in a row, dropped into five columns of four", NULL},
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
    .feature_values = feature_values,
    .cell = cell,
    .cell_place = cell_place,
    .cell_name = cell_name,
    .transform = transform,
    .transform_move = transform_move,
    .pack = pack,
    .unpack = unpack,
};

KN_PLUGIN(KN_PLUGIN_GAME(drop));
