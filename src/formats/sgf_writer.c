/* Smart Game Format, FF[4], for Go. */
#include "formats/writer.h"

#include <stdlib.h>
#include <string.h>

/* Text inside a property: ] and \ are escaped. */
static void property(KnText *out, const char *name, const char *value)
{
    if (!value || !*value) return;
    kn_text_printf(out, "%s[", name);
    for (; *value; value++) {
        if (*value == ']' || *value == '\\') kn_text_add_char(out, '\\');
        kn_text_add_char(out, *value);
    }
    kn_text_add_char(out, ']');
}

/* A vertex such as C4 as SGF's two letters (column, row from the top); a pass is empty. */
static void point(KnText *out, const char *vertex, int size)
{
    if (strcmp(vertex, "pass") == 0) return;
    int column = vertex[0] - 'A';
    if (vertex[0] > 'I') column--;
    kn_text_printf(out, "%c%c", 'a' + column, 'a' + size - atoi(vertex + 1));
}

/* Stones that stood on the board at the beginning. */
static void set_up(const KnGameRecord *record, int size, KnText *out)
{
    const KnGame *game = kn_state_game(record->state);
    const void *origin = kn_state_position_at(record->state, 0);
    KnText name = KN_TEXT_EMPTY;
    for (int colour = 1; colour <= 2; colour++) {
        bool any = false;
        for (int i = 0; i < game->cells; i++) {
            if (game->type->cell(game, origin, i) != colour) continue;
            if (!any) kn_text_add(out, colour == 1 ? "AB" : "AW");
            any = true;
            kn_text_clear(&name);
            game->type->cell_name(game, i, &name);
            kn_text_add_char(out, '[');
            point(out, name.data, size);
            kn_text_add_char(out, ']');
        }
    }
    kn_text_printf(out, "PL[%c]", game->type->mover(game, origin) ? 'W' : 'B');
    kn_text_free(&name);
}

KnStatus kn_sgf_write(const KnGameRecord *record, KnText *out, KnError *error)
{
    KnStatus status = kn_game_record_check(record, "SGF", "go", error);
    if (status != KN_OK) return status;
    const KnGame *game = kn_state_game(record->state);
    int size = 1;
    while (size * size < game->cells) size++;
    bool known;
    int winner = kn_game_record_result(record, &known);
    kn_text_printf(out, "(;FF[4]GM[1]CA[UTF-8]AP[knack:%s]SZ[%d]", KNACK_VERSION, size);
    /* The margin of an empty board is minus the komi. */
    unsigned char empty[game->position_size] __attribute__((aligned(16)));
    game->type->start(game, empty);
    kn_text_printf(out, "KM[%g]", -game->type->points(game, empty, 0));
    property(out, "EV", record->event);
    property(out, "RO", record->round);
    property(out, "DT", record->date);
    property(out, "PB", record->players[0]);
    property(out, "PW", record->players[1]);
    if (record->result)
        property(out, "RE", record->result);
    else if (known) {
        double margin = game->type->points(game, kn_state_position(record->state), 0);
        bool counted = kn_state_over(record->state, NULL) && (margin > 0) - (margin < 0) == winner;
        if (!winner)
            kn_text_add(out, "RE[0]");
        else if (counted)
            kn_text_printf(out, "RE[%c+%g]", winner > 0 ? 'B' : 'W', margin > 0 ? margin : -margin);
        else {
            char decision = kn_game_record_decision(record);
            kn_text_printf(out, "RE[%c+", winner > 0 ? 'B' : 'W');
            if (decision) kn_text_add_char(out, decision);
            kn_text_add_char(out, ']');
        }
    }
    property(out, "GC", record->ending);
    if (kn_game_record_set_up(record)) set_up(record, size, out);
    KnText vertex = KN_TEXT_EMPTY;
    for (size_t ply = 0; ply < kn_state_plies(record->state); ply++) {
        kn_text_clear(&vertex);
        kn_game_record_move_text(record, ply, &vertex);
        if (ply % 10 == 0) kn_text_add_char(out, '\n');
        int mover = game->type->mover(game, kn_state_position_at(record->state, ply));
        kn_text_printf(out, ";%c[", mover ? 'W' : 'B');
        point(out, vertex.data, size);
        kn_text_add_char(out, ']');
        if (record->comments) property(out, "C", record->comments[ply]);
    }
    kn_text_add(out, ")\n");
    kn_text_free(&vertex);
    return KN_OK;
}
