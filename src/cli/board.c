#include "cli/board.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

enum { SIDE = 40 /* of a board that is drawn in squares */ };

bool cli_unicode(int file)
{
    const char *locale = getenv("LC_ALL");
    if (!locale || !*locale) locale = getenv("LC_CTYPE");
    if (!locale || !*locale) locale = getenv("LANG");
    return isatty(file) && locale && (strstr(locale, "UTF-8") || strstr(locale, "utf8"));
}

CliLooks cli_looks(void)
{
    const char *term = getenv("TERM"), *colours = getenv("COLORTERM");
    CliLooks looks = {.unicode = cli_unicode(STDOUT_FILENO), .colour = cli_colour()};
    looks.many = looks.colour && ((term && strstr(term, "256color")) || (colours && *colours));
    return looks;
}

/* ---- The looks of a game ---- */

/* A piece: its letter in the game's symbols, its sign, and its colour of 256. */
typedef struct Piece {
    char letter;
    const char *sign;
    int colour;
} Piece;

typedef struct Skin {
    const char *game;
    int light, dark; /* squares, of 256 colours */
    bool lines;      /* pieces stand where lines cross */
    Piece pieces[6];
} Skin;

enum { BLACK = 16, WHITE = 231, RED = 160, BLUE = 25 };

static const Skin skins[] = {
    {"othello", 28, 22, false, {{'X', "\u25cf", BLACK}, {'O', "\u25cb", WHITE}}},
    {"go", 179, 179, true, {{'x', "\u25cf", BLACK}, {'o', "\u25cb", WHITE}}},
    {"checkers",
     230,
     101,
     false,
     {{'b', "\u25cf", BLACK}, {'w', "\u25cb", WHITE}, {'B', "\u25c6", BLACK}, {'W', "\u25c7", WHITE}}},
    {"fives", 187, 180, false, {{'x', "\u25cf", BLACK}, {'o', "\u25cb", RED}}},
    {"tictactoe", 255, 254, false, {{'x', "\u2715", BLUE}, {'o', "\u25cb", RED}}},
    {"phutball", 65, 65, true, {{'o', "\u25cf", BLACK}, {'*', "\u25cb", WHITE}}},
    {"pipe", 187, 180, false, {{'x', "\u25cf", BLACK}, {'o', "\u25cb", RED}}},
};

static const Skin *skin_of(const KnGame *game)
{
    for (size_t i = 0; i < sizeof skins / sizeof *skins; i++)
        if (strcmp(skins[i].game, game->type->head.name) == 0) return &skins[i];
    return NULL;
}

/* ---- A board of squares ---- */

typedef struct Grid {
    const KnGame *game;
    const Skin *skin;
    CliLooks looks;
    int width, height;
    int cell[SIDE][SIDE]; /* by row and column; -1: none is there */
    uint8_t now[SIDE * SIDE], before[SIDE * SIDE];
} Grid;

/* Puts the cells in rows and columns; false if they do not stand in such. */
static bool lay_out(Grid *grid, const void *position, const void *before)
{
    const KnGame *game = grid->game;
    if (game->cells <= 0 || game->cells > SIDE * SIDE || !game->type->cell_place || !game->type->cell_name)
        return false;
    memset(grid->cell, -1, sizeof grid->cell);
    for (int i = 0; i < game->cells; i++) {
        double x, y;
        game->type->cell_place(game, i, &x, &y);
        if (x != floor(x) || y != floor(y) || x < 0 || y < 0 || x >= SIDE || y >= SIDE) return false;
        grid->cell[(int)y][(int)x] = i;
        if (x >= grid->width) grid->width = (int)x + 1;
        if (y >= grid->height) grid->height = (int)y + 1;
    }
    kn_game_board(game, position, grid->now);
    kn_game_board(game, before ? before : position, grid->before);
    return true;
}

/* The name of a cell in two parts, "c" and "4"; the first is "" where cells have numbers. */
static void name_of(const Grid *grid, int cell, char column[8], char row[8])
{
    KnText name = KN_TEXT_EMPTY;
    size_t letters = 0, digits = 0;
    if (cell >= 0) grid->game->type->cell_name(grid->game, cell, &name);
    while (isalpha((unsigned char)name.data[letters]) && letters < 7) letters++;
    memcpy(column, name.data, letters);
    column[letters] = '\0';
    while (isdigit((unsigned char)name.data[letters + digits]) && digits < 7) digits++;
    memcpy(row, name.data + letters, digits);
    row[digits] = '\0';
    kn_text_free(&name);
}

/* The sign of an empty cell: a crossing, an edge or a corner where there are lines. */
static const char *empty_sign(const Grid *grid, int x, int y)
{
    static const char *const signs[3][3] = {
        {"\u250c", "\u252c", "\u2510"}, {"\u251c", "\u253c", "\u2524"}, {"\u2514", "\u2534", "\u2518"}};
    if (!grid->skin->lines) return grid->looks.many ? " " : "\u00b7";
    return signs[y == 0 ? 0 : y == grid->height - 1 ? 2 : 1][x == 0 ? 0 : x == grid->width - 1 ? 2 : 1];
}

static const Piece *piece_of(const Grid *grid, int cell)
{
    static const Piece letters[] = {{'?', "?", BLACK}};
    char letter = grid->game->cell_symbols[grid->now[cell]];
    for (const Piece *piece = grid->skin->pieces; piece->letter; piece++)
        if (piece->letter == letter) return piece;
    return grid->now[cell] ? letters : NULL;
}

static void draw_square(const Grid *grid, int x, int y, KnText *out)
{
    int cell = grid->cell[y][x];
    const Piece *piece = cell < 0 ? NULL : piece_of(grid, cell);
    bool changed = cell >= 0 && grid->now[cell] != grid->before[cell] && piece;
    const char *line = grid->skin->lines ? "\u2500" : " ";
    if (grid->looks.many) {
        bool dark = cell >= 0 && (grid->width * grid->height > grid->game->cells || (x + y) % 2);
        int square = changed ? 150 : dark ? grid->skin->dark : grid->skin->light;
        /* On a coloured square a disc is full, and its colour tells whose it is. */
        bool discs = strcmp(grid->skin->pieces[0].sign, "\u25cf") == 0;
        const char *sign = piece ? piece->sign : NULL;
        if (sign && discs && strcmp(sign, "\u25cb") == 0) sign = "\u25cf";
        if (sign && strcmp(sign, "\u25c7") == 0) sign = "\u25c6";
        kn_text_printf(out, "\033[48;5;%d;38;5;240m%s\033[38;5;%dm%s\033[38;5;240m%s\033[0m", square,
                       grid->skin->lines && x ? line : " ", piece ? piece->colour : 240,
                       sign       ? sign
                       : cell < 0 ? " "
                                  : empty_sign(grid, x, y),
                       grid->skin->lines && x < grid->width - 1 ? line : " ");
        return;
    }
    if (x) kn_text_add(out, line);
    if (grid->looks.colour && piece)
        kn_text_add(out, piece == grid->skin->pieces || piece == grid->skin->pieces + 2 ? "\033[1;34m"
                                                                                        : "\033[1;31m");
    kn_text_add(out, piece ? piece->sign : cell < 0 ? " " : empty_sign(grid, x, y));
    if (grid->looks.colour && piece) kn_text_add(out, "\033[0m");
}

static int first_cell(const Grid *grid, int y, bool last)
{
    for (int i = 0; i < grid->width; i++) {
        int cell = grid->cell[y][last ? grid->width - 1 - i : i];
        if (cell >= 0) return cell;
    }
    return -1;
}

static void draw_grid(const Grid *grid, KnText *out)
{
    char column[8], row[8], unused[8];
    bool numbers = false;
    for (int y = 0; y < grid->height; y++) {
        name_of(grid, first_cell(grid, y, false), column, row);
        numbers = !*column;
        kn_text_printf(out, "%3s ", row);
        for (int x = 0; x < grid->width; x++) draw_square(grid, x, y, out);
        name_of(grid, first_cell(grid, y, true), column, row);
        if (numbers) kn_text_printf(out, " %s", row);
        kn_text_add_char(out, '\n');
    }
    if (numbers) return;
    kn_text_add(out, "    ");
    for (int x = 0; x < grid->width; x++) {
        name_of(grid, grid->cell[grid->height - 1][x], column, unused);
        kn_text_printf(out, grid->looks.many ? " %-2s" : "%-2s", column);
    }
    kn_text_add_char(out, '\n');
}

/* ---- What the game's own drawing says besides the board ---- */

/* Whether a line holds a row of the board, which begins with a number, or names columns. */
static bool is_of_board(const char *line, size_t length)
{
    size_t at = strspn(line, " ");
    if (at >= length || isdigit((unsigned char)line[at])) return true;
    for (; at < length; at++)
        if (isalpha((unsigned char)line[at]) && at + 1 < length && line[at + 1] != ' ')
            return false;
        else if (!isalpha((unsigned char)line[at]) && line[at] != ' ')
            return false;
    return true;
}

/* Othello counts its discs by capital letters: they become the discs. */
static void add_line(const KnGame *game, const char *line, size_t length, KnText *out)
{
    bool discs = strcmp(game->type->head.name, "othello") == 0;
    for (size_t i = 0; i < length; i++) {
        bool alone = (!i || !isalnum((unsigned char)line[i - 1])) &&
                     (i + 1 == length || !isalnum((unsigned char)line[i + 1]));
        if (discs && alone && (line[i] == 'X' || line[i] == 'O'))
            kn_text_add(out, line[i] == 'X' ? "\u25cf" : "\u25cb");
        else
            kn_text_add_char(out, line[i]);
    }
    kn_text_add_char(out, '\n');
}

static void add_remarks(const KnGame *game, const void *position, KnText *out)
{
    KnText plain = KN_TEXT_EMPTY;
    game->type->draw(game, position, false, &plain);
    for (const char *line = plain.data; *line;) {
        size_t length = strcspn(line, "\n");
        if (!is_of_board(line, length)) add_line(game, line, length, out);
        line += length + (line[length] == '\n');
    }
    kn_text_free(&plain);
}

/* ---- Morris: the game's own lines, drawn through ---- */

static void draw_lines(const KnGame *game, const void *position, CliLooks looks, KnText *out)
{
    static const Piece signs[] = {{'-', "\u2500", 0}, {'|', "\u2502", 0}, {'.', "\u00b7", 0},
                                  {'W', "\u25cb", 0}, {'B', "\u25cf", 0}, {0}};
    KnText plain = KN_TEXT_EMPTY;
    game->type->draw(game, position, false, &plain);
    const char *end = strstr(plain.data, "in hand");
    for (const char *at = plain.data; *at; at++) {
        const Piece *sign = signs;
        while (sign->letter && sign->letter != *at) sign++;
        bool man = *at == 'W' || *at == 'B';
        if ((end && at >= end) || !sign->letter)
            kn_text_add_char(out, *at);
        else if (man && looks.colour)
            kn_text_printf(out, "\033[1;%dm%s\033[0m", *at == 'W' ? 31 : 34, sign->sign);
        else
            kn_text_add(out, sign->sign);
    }
    kn_text_free(&plain);
}

void cli_draw(const KnGame *game, const void *position, const void *before, CliLooks looks, KnText *out)
{
    Grid *grid = looks.unicode ? calloc(1, sizeof *grid) : NULL;
    if (grid) {
        grid->game = game;
        grid->skin = skin_of(game);
        grid->looks = looks;
    }
    if (grid && strcmp(game->type->head.name, "morris") == 0)
        draw_lines(game, position, looks, out);
    else if (grid && grid->skin && lay_out(grid, position, before)) {
        draw_grid(grid, out);
        add_remarks(game, position, out);
    } else
        game->type->draw(game, position, looks.colour, out);
    free(grid);
}
