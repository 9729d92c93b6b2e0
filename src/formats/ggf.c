/* Generic Game Format, as Othello servers and NBoard use it. */
#include "formats/writing.h"

#include <string.h>

static void property(KnText *out, const char *name, const char *value)
{
    kn_text_printf(out, "%s[", name);
    for (; value && *value; value++)
        if (!strchr("[]", *value)) kn_text_add_char(out, *value); /* GGF has no escapes */
    kn_text_add_char(out, ']');
}

KnStatus kn_ggf_write(const KnSheet *sheet, KnText *out, KnError *error)
{
    KnStatus status = kn_sheet_check(sheet, "GGF", "othello", error);
    if (status != KN_OK) return status;
    const KnGame *game = kn_contest_game(sheet->contest);
    int size = 1;
    while (size * size < game->cells) size++;
    kn_text_add(out, "(;GM[Othello]PC[knack]");
    property(out, "DT", sheet->date);
    property(out, "PB", sheet->players[0]);
    property(out, "PW", sheet->players[1]);
    bool known;
    kn_sheet_result(sheet, &known);
    if (known)
        kn_text_printf(out, "RE[%+.3f]", game->type->points(game, kn_contest_position(sheet->contest), 0));
    kn_text_printf(out, "TY[%d]BO[%d ", size, size);
    const void *origin = kn_contest_position_at(sheet->contest, 0);
    for (int i = 0; i < game->cells; i++) {
        kn_text_add_char(out, "-*O"[game->type->cell(game, origin, i)]);
        if (i % size == size - 1) kn_text_add_char(out, ' ');
    }
    kn_text_printf(out, "%c]", game->type->mover(game, origin) ? 'O' : '*');
    KnText move = KN_TEXT_EMPTY;
    for (size_t ply = 0; ply < kn_contest_plies(sheet->contest); ply++) {
        kn_text_clear(&move);
        kn_sheet_move_text(sheet, ply, &move);
        int mover = game->type->mover(game, kn_contest_position_at(sheet->contest, ply));
        kn_text_printf(out, "%c[%s]", mover ? 'W' : 'B', strcmp(move.data, "pass") == 0 ? "PA" : move.data);
    }
    kn_text_add(out, ";)\n");
    kn_text_free(&move);
    return KN_OK;
}
