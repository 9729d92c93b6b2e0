/* Actions and cells in letters, for files and people. */
#include "methods/hoyle/board_view.h"

#include <math.h>
#include <string.h>

static void cell_name(const KnBoardView *view, int cell, KnText *out)
{
    if (view->game->type->cell_name)
        view->game->type->cell_name(view->game, cell, out);
    else
        kn_text_printf(out, "%d", cell + 1);
}

void kn_action_text(const KnBoardView *view, KnAction action, KnText *out)
{
    if (action.from == KN_NO_CELL && action.to == KN_NO_CELL && action.taken == KN_NO_CELL) {
        kn_text_add(out, "pass");
        return;
    }
    if (action.from != KN_NO_CELL) {
        cell_name(view, action.from, out);
        kn_text_add_char(out, '-');
    }
    if (action.to != KN_NO_CELL) cell_name(view, action.to, out);
    if (action.taken != KN_NO_CELL) {
        kn_text_add_char(out, 'x');
        cell_name(view, action.taken, out);
    }
}

/* The cell whose name the text begins with, the longest such name; its length, 0 if there is none. */
static size_t read_cell(const KnBoardView *view, const char *text, int16_t *cell)
{
    KnText name = KN_TEXT_EMPTY;
    size_t longest = 0;
    for (int i = 0; i < view->cells; i++) {
        kn_text_clear(&name);
        cell_name(view, i, &name);
        if (name.length <= longest || !name.data || strncmp(text, name.data, name.length) != 0) continue;
        longest = name.length;
        *cell = (int16_t)i;
    }
    kn_text_free(&name);
    return longest;
}

KnStatus kn_action_parse(const KnBoardView *view, const char *text, KnAction *action, KnError *error)
{
    *action = (KnAction){KN_NO_CELL, KN_NO_CELL, KN_NO_CELL};
    if (strcmp(text, "pass") == 0) return KN_OK;
    const char *at = text;
    int16_t cell = KN_NO_CELL;
    size_t length = read_cell(view, at, &cell);
    if (length && at[length] == '-') {
        action->from = cell;
        at += length + 1;
        length = read_cell(view, at, &cell);
    }
    if (length) action->to = cell, at += length;
    if (*at == 'x') {
        length = read_cell(view, at + 1, &action->taken);
        at += length ? length + 1 : 0;
    }
    if (*at || at == text)
        return kn_fail(
            error, KN_INPUT,
            "\"%.40s\" is no action on this board; wanted is a cell, FROM-TO, or either with xTAKEN", text);
    return KN_OK;
}

static double row_of(const KnBoardView *view, int cell)
{
    double x = 0, y = cell;
    if (view->game->type->cell_place) view->game->type->cell_place(view->game, cell, &x, &y);
    return y;
}

static bool ends_row(const KnBoardView *view, int cell)
{
    return cell + 1 < view->cells && fabs(row_of(view, cell) - row_of(view, cell + 1)) > 0.25;
}

static char letter(const KnBoardView *view, uint8_t value)
{
    return value == KN_DONT_CARE ? '#' : view->game->cell_symbols[value < view->symbols ? value : 0];
}

void kn_cells_text(const KnBoardView *view, const uint8_t *cells, KnText *out)
{
    for (int i = 0; i < view->cells; i++) {
        kn_text_add_char(out, letter(view, cells[i]));
        if (ends_row(view, i)) kn_text_add_char(out, '/');
    }
}

KnStatus kn_cells_parse(const KnBoardView *view, const char *text, uint8_t *cells, KnError *error)
{
    const char *at = text;
    for (int i = 0; i < view->cells; i++, at++) {
        const char *found = *at ? strchr(view->game->cell_symbols, *at) : NULL;
        if (!found && *at != '#')
            return kn_fail(error, KN_INPUT,
                           "board \"%.60s\", column %d: expected one of \"%s\" or # (%d cells)", text,
                           (int)(at - text) + 1, view->game->cell_symbols, view->cells);
        cells[i] = found ? (uint8_t)(found - view->game->cell_symbols) : (uint8_t)KN_DONT_CARE;
        if (ends_row(view, i) && at[1] == '/') at++;
    }
    if (*at) return kn_fail(error, KN_INPUT, "board \"%.60s\" is longer than %d cells", text, view->cells);
    return KN_OK;
}

void kn_cells_draw(const KnBoardView *view, const uint8_t *cells, int indent, KnText *out)
{
    double column = 0, row = -1;
    for (int i = 0; i < view->cells; i++) {
        double x = i, y = 0;
        if (view->game->type->cell_place) view->game->type->cell_place(view->game, i, &x, &y);
        if (fabs(y - row) > 0.25) {
            kn_text_printf(out, "%s%*s", row >= 0 ? "\n" : "", indent, "");
            row = y;
            column = 0;
        }
        for (; column + 0.25 < x; column++) kn_text_add(out, "  ");
        kn_text_add_char(out, letter(view, cells[i]));
        kn_text_add_char(out, ' ');
        column = x + 1;
    }
    kn_text_add_char(out, '\n');
}
