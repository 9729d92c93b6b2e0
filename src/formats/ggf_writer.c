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

/* The discs count where the board says who has won. Else the winner gets all squares, with the mark of game
 * servers for how: r resigned, t out of time, s settled between them. */
static void add_result(const KnGameRecord *record, int cells, KnText *out)
{
    bool known;
    int winner = kn_game_record_result(record, &known);
    if (!known) return;
    const KnGame *game = kn_state_game(record->state);
    double margin = game->type->points(game, kn_state_position(record->state), 0);
    if (kn_state_over(record->state, NULL) && (margin > 0) - (margin < 0) == winner) {
        kn_text_printf(out, "RE[%+.3f]", margin);
        return;
    }
    char decision = kn_game_record_decision(record);
    kn_text_printf(out, "RE[%+.3f:%c]", (double)(winner * cells),
                   decision == 'T' ? 't'
                   : decision      ? 'r'
                                   : 's');
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
    add_result(record, game->cells, out);
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
