/* Generic Game Format, as Othello servers and NBoard use it. */
#include "formats/writer.h"

#include <string.h>

static void property(KnText *out, const char *name, const char *value)
{
    kn_text_printf(out, "%s[", name);
    for (; value && *value; value++)
        if (!strchr("[]", *value)) kn_text_add_char(out, *value); /* GGF has no escapes */
    kn_text_add_char(out, ']');
}

KnStatus kn_ggf_write(const KnGameRecord *record, KnText *out, KnError *error)
{
    KnStatus status = kn_game_record_check(record, "GGF", "othello", error);
    if (status != KN_OK) return status;
    const KnGame *game = kn_state_game(record->state);
    int size = 1;
    while (size * size < game->cells) size++;
    kn_text_add(out, "(;GM[Othello]PC[knack]");
    property(out, "DT", record->date);
    property(out, "PB", record->players[0]);
    property(out, "PW", record->players[1]);
    bool known;
    kn_game_record_result(record, &known);
    if (known)
        kn_text_printf(out, "RE[%+.3f]", game->type->points(game, kn_state_position(record->state), 0));
    kn_text_printf(out, "TY[%d]BO[%d ", size, size);
    const void *origin = kn_state_position_at(record->state, 0);
    for (int i = 0; i < game->cells; i++) {
        kn_text_add_char(out, "-*O"[game->type->cell(game, origin, i)]);
        if (i % size == size - 1) kn_text_add_char(out, ' ');
    }
    kn_text_printf(out, "%c]", game->type->mover(game, origin) ? 'O' : '*');
    KnText move = KN_TEXT_EMPTY;
    for (size_t ply = 0; ply < kn_state_plies(record->state); ply++) {
        kn_text_clear(&move);
        kn_game_record_move_text(record, ply, &move);
        int mover = game->type->mover(game, kn_state_position_at(record->state, ply));
        kn_text_printf(out, "%c[%s]", mover ? 'W' : 'B', strcmp(move.data, "pass") == 0 ? "PA" : move.data);
    }
    kn_text_add(out, ";)\n");
    kn_text_free(&move);
    return KN_OK;
}
