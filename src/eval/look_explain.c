#include "eval/look_explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void kn_look_add_cell_name(const KnLook *look, int cell, KnText *out)
{
    if (look->board->type->cell_name)
        look->board->type->cell_name(look->board, cell, out);
    else
        kn_text_printf(out, "%d", cell + 1);
}

const char *kn_look_first(const KnLook *look)
{
    return look->board->roles > 0 ? look->board->role_names[0] : "the first player";
}

/* Adds the number of the cell at a place, or a point where there is none. */
static void add_worth(const KnGame *board, const double *worth, int x, int y, KnText *row)
{
    int found = -1;
    for (int c = 0; c < board->cells && found < 0; c++) {
        double at_x, at_y;
        board->type->cell_place(board, c, &at_x, &at_y);
        if ((int)at_x == x && (int)at_y == y && !isnan(worth[c])) found = c;
    }
    if (x) kn_text_add_char(row, ' ');
    if (found >= 0)
        kn_text_printf(row, "%+.1f", 100 * worth[found]);
    else
        kn_text_add_char(row, '.');
}

void kn_look_describe_worth(const KnLook *look, const double *worth, KnArena *arena, KnExplanation *parent)
{
    const KnGame *board = look->board;
    if (!board->type->cell_place || !board->cell_symbols || strlen(board->cell_symbols) < 2) return;
    double width = 0, height = 0;
    for (int c = 0; c < board->cells; c++) {
        double x, y;
        board->type->cell_place(board, c, &x, &y);
        width = fmax(width, x);
        height = fmax(height, y);
    }
    KnExplanation *group = NULL;
    KnText row = KN_TEXT_EMPTY;
    for (int y = 0; y <= (int)height; y++) {
        kn_text_clear(&row);
        for (int x = 0; x <= (int)width; x++) add_worth(board, worth, x, y, &row);
        if (!row.data || !strpbrk(row.data, "0123456789")) continue;
        if (!group)
            group = kn_explanation_group(arena, parent,
                                         kn_arena_printf(arena,
                                                         "worth of %c on each cell to %s, %% of the points",
                                                         board->cell_symbols[1], kn_look_first(look)));
        if (group) kn_explanation_text(arena, group, NULL, kn_arena_printf(arena, "%s", row.data));
    }
    kn_text_free(&row);
}

void kn_look_describe_making(const KnLook *look, int phases, const json_t *made, KnArena *arena,
                             KnExplanation *parent)
{
    kn_explanation_text(
        arena, parent, "phases",
        kn_arena_printf(arena, "%d, by %s", phases, look->by_pieces ? "the number of pieces" : "the game"));
    kn_explanation_made(arena, parent, made);
}
