/* What there is to see on a game's board, for patterns. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"

#include "methods/allocation/features.h"

enum { SIDE_MAX = 32 };

/* The symmetry that exchanges the roles, so that either can be shown the board from the same side; 0 if there
 * is none. */
static int exchange_of(const KnGame *game)
{
    if (!game->type->transform || !game->type->transform_role) return 0;
    for (int s = 1; s < game->symmetries; s++)
        if (game->type->transform_role(game, s, 1) == 0) return s;
    return 0;
}

/* ---- kinds ---- */

/* Symbols are letters; the first two letters that occur, without regard to case, belong to the two sides: a
 * side has its letter in both cases (man and king). Returns the side of a symbol: 0, 1, or -1 for neither. */
static int side_of(const KnGame *game, int symbol)
{
    char sides[2] = {0, 0};
    for (int i = 1; game->cell_symbols[i] && i <= symbol; i++) {
        char letter = (char)tolower((unsigned char)game->cell_symbols[i]);
        int side = 0;
        while (side < 2 && sides[side] && sides[side] != letter) side++;
        if (side == 2) {
            if (i == symbol) return -1;
            continue;
        }
        sides[side] = letter;
        if (i == symbol) return side;
    }
    return -1;
}

static int add_kind(KnPatternLanguage *board, int parent, uint32_t symbols, const char *format,
                    const char *what)
{
    if (board->kinds == KN_PATTERN_KINDS || !symbols) return parent;
    KnPatternKind *kind = &board->kind[board->kinds];
    *kind = (KnPatternKind){.parent = parent, .symbols = symbols};
    snprintf(kind->name, sizeof kind->name, format, what);
    return board->kinds++;
}

static void make_kinds(const KnGame *game, KnPatternLanguage *board)
{
    static const char *const whose[2] = {"own", "their"};
    uint32_t all = (UINT32_C(1) << board->symbols) - 1, of[2] = {0, 0};
    for (int s = 1; s < board->symbols; s++)
        if (side_of(game, s) >= 0) of[side_of(game, s)] |= UINT32_C(1) << s;
    add_kind(board, -1, all, "%s", "anything");
    add_kind(board, 0, 1, "%s", "free");
    int any[2];
    for (int side = 0; side < 2; side++) any[side] = add_kind(board, 0, of[side], "any-%s", whose[side]);
    for (int side = 0; side < 2; side++) {
        if (__builtin_popcount(of[side]) < 2) continue;
        for (int s = 1; s < board->symbols; s++) {
            if (!(of[side] >> s & 1)) continue;
            bool king = isupper((unsigned char)game->cell_symbols[s]);
            add_kind(board, any[side], UINT32_C(1) << s, king ? "%s-king" : "%s-man", whose[side]);
        }
    }
    for (int s = 1; s < board->symbols; s++) {
        char letter[2] = {game->cell_symbols[s], 0};
        if (side_of(game, s) < 0) add_kind(board, 0, UINT32_C(1) << s, "%s", letter);
    }
}

/* ---- windows ---- */

typedef struct Grid {
    int width, height;
    int16_t cell[SIDE_MAX][SIDE_MAX]; /* by row and column; -1: none */
} Grid;

static bool lay_out(const KnGame *game, Grid *grid)
{
    memset(grid, 0, sizeof *grid);
    memset(grid->cell, 0xff, sizeof grid->cell);
    for (int i = 0; i < game->cells; i++) {
        double x, y;
        game->type->cell_place(game, i, &x, &y);
        long column = lround(x), row = lround(y);
        if (fabs(x - (double)column) > 0.01 || fabs(y - (double)row) > 0.01) return false;
        if (column < 0 || row < 0 || column >= SIDE_MAX || row >= SIDE_MAX || grid->cell[row][column] >= 0)
            return false;
        grid->cell[row][column] = (int16_t)i;
        if (column >= grid->width) grid->width = (int)column + 1;
        if (row >= grid->height) grid->height = (int)row + 1;
    }
    return true;
}

/* Which of the nine places of a window are cells, a bit each. */
static unsigned shape_at(const Grid *grid, int row, int column)
{
    unsigned shape = 0;
    for (int i = 0; i < 9; i++) shape |= (unsigned)(grid->cell[row + i / 3][column + i % 3] >= 0) << i;
    return shape;
}

/* The shape with most cells that occurs at least four times; 0 if there is none. */
static unsigned choose_shape(const Grid *grid)
{
    unsigned best = 0;
    int times[512] = {0};
    for (int row = 0; row + 3 <= grid->height; row++)
        for (int column = 0; column + 3 <= grid->width; column++) times[shape_at(grid, row, column)]++;
    for (unsigned shape = 1; shape < 512; shape++)
        if (times[shape] >= 4 && __builtin_popcount(shape) > __builtin_popcount(best)) best = shape;
    return __builtin_popcount(best) >= 4 ? best : 0;
}

static void make_windows(const Grid *grid, unsigned shape, KnPatternLanguage *board)
{
    board->size = __builtin_popcount(shape);
    for (int row = 0; row + 3 <= grid->height; row++)
        for (int column = 0; column + 3 <= grid->width; column++) {
            if (shape_at(grid, row, column) != shape || board->windows == KN_PATTERN_WINDOWS) continue;
            int w = board->windows++, size = 0;
            for (int i = 0; i < 9; i++)
                if (shape >> i & 1)
                    board->cell[w][size++] = (uint16_t)grid->cell[row + i / 3][column + i % 3];
            unsigned top = row == 0, bottom = row + 3 == grid->height, left = column == 0,
                     right = column + 3 == grid->width;
            unsigned middle = !(top | bottom | left | right);
            board->within[w] = (uint8_t)(1 | top << 1 | bottom << 2 | middle << 3 | right << 4 | left << 5);
        }
}

KnStatus kn_pattern_board_cells(const KnGame *game, KnPatternLanguage *board, KnError *error)
{
    memset(board, 0, sizeof *board);
    if (game->cells < 1 || !game->type->cell || game->roles != 2 || strlen(game->cell_symbols) > 16)
        return kn_fail(error, KN_INPUT, "%s has no board of cells, so that there are no patterns to be found",
                       game->spec);
    board->cells = game->cells;
    board->symbols = (int)strlen(game->cell_symbols);
    board->exchange = exchange_of(game);
    return KN_OK;
}

/* Section 4.2: windows of board patterns. */
KnStatus kn_pattern_board_of_game(const KnGame *game, KnPatternLanguage *board, KnError *error)
{
    static const char *const by_side[] = {"anywhere",     "own-baseline", "their-baseline",
                                          "middle-court", "right-edge",   "left-edge"};
    static const char *const by_edge[] = {"anywhere",     "top-edge",   "bottom-edge",
                                          "middle-court", "right-edge", "left-edge"};
    Grid grid;
    KnStatus status = kn_pattern_board_cells(game, board, error);
    if (status != KN_OK) return status;
    unsigned shape = game->type->cell_place && lay_out(game, &grid) ? choose_shape(&grid) : 0;
    if (!shape)
        return kn_fail(error, KN_INPUT,
                       "the board of %s has no 3x3 windows that are alike, so that there are no patterns",
                       game->spec);
    board->regions = 6;
    bool sided = board->exchange != 0;
    for (int r = 0; r < 6; r++)
        snprintf(board->region[r], sizeof board->region[r], "%s", sided ? by_side[r] : by_edge[r]);
    make_kinds(game, board);
    make_windows(&grid, shape, board);
    return KN_OK;
}

void kn_pattern_board_fill(const KnPatternLanguage *board, const KnGame *game, const void *position, int role,
                           uint8_t *cells)
{
    KN_ASSERT(role == 0 || role == 1);
    unsigned char turned[game->position_size] __attribute__((aligned(16)));
    int exchange = role == 1 ? board->exchange : 0;
    if (exchange) {
        game->type->transform(game, exchange, position, turned);
        position = turned;
    }
    kn_game_board(game, position, cells);
    if (role == 0 || exchange) return;
    uint8_t other[32]; /* what the other side has in place of it */
    for (int s = 0; s < board->symbols; s++) {
        other[s] = (uint8_t)s;
        for (int t = 1; t < board->symbols; t++) {
            bool same_case = !isupper((unsigned char)game->cell_symbols[s]) ==
                             !isupper((unsigned char)game->cell_symbols[t]);
            if (s && same_case && side_of(game, s) >= 0 && side_of(game, t) == 1 - side_of(game, s))
                other[s] = (uint8_t)t;
        }
    }
    for (int i = 0; i < board->cells; i++) cells[i] = other[cells[i]];
}
