/* Actions and cells in letters, for files and people. */
#include "learn/hoyle/scene.h"

#include <math.h>
#include <string.h>

static void cell_name(const KnScene *scene, int cell, KnText *out)
{
    if (scene->game->type->cell_name)
        scene->game->type->cell_name(scene->game, cell, out);
    else
        kn_text_printf(out, "%d", cell + 1);
}

void kn_action_text(const KnScene *scene, KnAction action, KnText *out)
{
    if (action.from == KN_NO_CELL && action.to == KN_NO_CELL && action.taken == KN_NO_CELL) {
        kn_text_add(out, "pass");
        return;
    }
    if (action.from != KN_NO_CELL) {
        cell_name(scene, action.from, out);
        kn_text_add_char(out, '-');
    }
    if (action.to != KN_NO_CELL) cell_name(scene, action.to, out);
    if (action.taken != KN_NO_CELL) {
        kn_text_add_char(out, 'x');
        cell_name(scene, action.taken, out);
    }
}

/* The cell whose name the text begins with, the longest such name; its length, 0 if there is none. */
static size_t read_cell(const KnScene *scene, const char *text, int16_t *cell)
{
    KnText name = KN_TEXT_EMPTY;
    size_t longest = 0;
    for (int i = 0; i < scene->cells; i++) {
        kn_text_clear(&name);
        cell_name(scene, i, &name);
        if (name.length <= longest || !name.data || strncmp(text, name.data, name.length) != 0) continue;
        longest = name.length;
        *cell = (int16_t)i;
    }
    kn_text_free(&name);
    return longest;
}

KnStatus kn_action_parse(const KnScene *scene, const char *text, KnAction *action, KnError *error)
{
    *action = (KnAction){KN_NO_CELL, KN_NO_CELL, KN_NO_CELL};
    if (strcmp(text, "pass") == 0) return KN_OK;
    const char *at = text;
    int16_t cell = KN_NO_CELL;
    size_t length = read_cell(scene, at, &cell);
    if (length && at[length] == '-') {
        action->from = cell;
        at += length + 1;
        length = read_cell(scene, at, &cell);
    }
    if (length) action->to = cell, at += length;
    if (*at == 'x') {
        length = read_cell(scene, at + 1, &action->taken);
        at += length ? length + 1 : 0;
    }
    if (*at || at == text)
        return kn_fail(
            error, KN_INPUT,
            "\"%.40s\" is no action on this board; wanted is a cell, FROM-TO, or either with xTAKEN", text);
    return KN_OK;
}

static double row_of(const KnScene *scene, int cell)
{
    double x = 0, y = cell;
    if (scene->game->type->cell_place) scene->game->type->cell_place(scene->game, cell, &x, &y);
    return y;
}

static bool ends_row(const KnScene *scene, int cell)
{
    return cell + 1 < scene->cells && fabs(row_of(scene, cell) - row_of(scene, cell + 1)) > 0.25;
}

static char letter(const KnScene *scene, uint8_t value)
{
    return value == KN_SCENE_ANY ? '#' : scene->game->cell_symbols[value < scene->symbols ? value : 0];
}

void kn_cells_text(const KnScene *scene, const uint8_t *cells, KnText *out)
{
    for (int i = 0; i < scene->cells; i++) {
        kn_text_add_char(out, letter(scene, cells[i]));
        if (ends_row(scene, i)) kn_text_add_char(out, '/');
    }
}

KnStatus kn_cells_parse(const KnScene *scene, const char *text, uint8_t *cells, KnError *error)
{
    const char *at = text;
    for (int i = 0; i < scene->cells; i++, at++) {
        const char *found = *at ? strchr(scene->game->cell_symbols, *at) : NULL;
        if (!found && *at != '#')
            return kn_fail(error, KN_INPUT,
                           "board \"%.60s\", column %d: expected one of \"%s\" or # (%d cells)", text,
                           (int)(at - text) + 1, scene->game->cell_symbols, scene->cells);
        cells[i] = found ? (uint8_t)(found - scene->game->cell_symbols) : (uint8_t)KN_SCENE_ANY;
        if (ends_row(scene, i) && at[1] == '/') at++;
    }
    if (*at) return kn_fail(error, KN_INPUT, "board \"%.60s\" is longer than %d cells", text, scene->cells);
    return KN_OK;
}

void kn_cells_draw(const KnScene *scene, const uint8_t *cells, int indent, KnText *out)
{
    double column = 0, row = -1;
    for (int i = 0; i < scene->cells; i++) {
        double x = i, y = 0;
        if (scene->game->type->cell_place) scene->game->type->cell_place(scene->game, i, &x, &y);
        if (fabs(y - row) > 0.25) {
            kn_text_printf(out, "%s%*s", row >= 0 ? "\n" : "", indent, "");
            row = y;
            column = 0;
        }
        for (; column + 0.25 < x; column++) kn_text_add(out, "  ");
        kn_text_add_char(out, letter(scene, cells[i]));
        kn_text_add_char(out, ' ');
        column = x + 1;
    }
    kn_text_add_char(out, '\n');
}
