#include "games/board_rows.h"

#include <math.h>
#include <string.h>

enum { MOST = 32, CELLS_MOST = MOST * MOST };

/* The row or column of a coordinate, counted over those that some cell has. */
static int rank_of(const double *places, int count, double place)
{
    int rank = 0;
    for (int i = 0; i < count; i++) {
        bool first = places[i] < place - 1e-6;
        for (int j = 0; j < i && first; j++) first = fabs(places[j] - places[i]) > 1e-6;
        rank += first;
    }
    return rank;
}

bool kn_board_rows(const KnGame *game, const uint8_t *cells, const bool *shown, KnText *rows)
{
    if (!game->type->cell_place || !game->cell_symbols || game->cells < 1 || game->cells > CELLS_MOST)
        return false;
    double x[game->cells], y[game->cells];
    char letters[MOST][MOST];
    int columns = 0, lines = 0;
    memset(letters, '#', sizeof letters);
    for (int c = 0; c < game->cells; c++) game->type->cell_place(game, c, &x[c], &y[c]);
    for (int c = 0; c < game->cells; c++) {
        int column = rank_of(x, game->cells, x[c]), row = rank_of(y, game->cells, y[c]);
        if (column >= MOST || row >= MOST) return false;
        if (column >= columns) columns = column + 1;
        if (row >= lines) lines = row + 1;
        if (!shown || shown[c]) letters[row][column] = game->cell_symbols[cells[c]];
    }
    for (int r = 0; r < lines; r++) {
        if (r) kn_text_add_char(rows, '/');
        kn_text_add_bytes(rows, letters[r], (size_t)columns);
    }
    return true;
}

bool kn_board_rows_of(const void *of, const char *text, KnText *rows)
{
    const KnGame *game = of;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    uint8_t cells[CELLS_MOST];
    KnError error;
    if (game->cells < 1 || game->cells > CELLS_MOST ||
        kn_game_parse_position(game, text, position, &error) != KN_OK)
        return false;
    kn_game_board(game, position, cells);
    return kn_board_rows(game, cells, NULL, rows);
}
