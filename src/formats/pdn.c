/* Portable Draughts Notation, version 3, as far as English draughts needs it (GameType 21). */
#include "formats/writing.h"

#include <string.h>

enum { LINE = 79 };

static void tag(KnText *out, const char *name, const char *value)
{
    kn_text_printf(out, "[%s ", name);
    kn_text_add_quoted(out, value ? value : "?");
    kn_text_add(out, "]\n");
}

/* Adds a word to lines of bounded length. */
static void add_word(KnText *out, size_t *column, const char *word)
{
    size_t length = strlen(word);
    if (*column && *column + 1 + length > LINE) {
        kn_text_add_char(out, '\n');
        *column = 0;
    } else if (*column) {
        kn_text_add_char(out, ' ');
        ++*column;
    }
    kn_text_add(out, word);
    *column += length;
}

KnStatus kn_pdn_write(const KnSheet *sheet, KnText *out, KnError *error)
{
    KnStatus status = kn_sheet_check(sheet, "PDN", "checkers", error);
    if (status != KN_OK) return status;
    const KnGame *game = kn_contest_game(sheet->contest);
    bool known;
    int winner = kn_sheet_result(sheet, &known);
    /* White's result comes first; black, who begins, is the first role here. */
    const char *result = !known ? "*" : winner > 0 ? "0-1" : winner < 0 ? "1-0" : "1/2-1/2";
    tag(out, "Event", sheet->event);
    tag(out, "Date", sheet->date);
    tag(out, "Round", sheet->round);
    tag(out, "Black", sheet->players[0]);
    tag(out, "White", sheet->players[1]);
    tag(out, "Result", result);
    tag(out, "GameType", "21");
    const void *origin = kn_contest_position_at(sheet->contest, 0);
    KnText word = KN_TEXT_EMPTY;
    if (kn_sheet_set_up(sheet)) {
        game->type->position_text(game, origin, &word);
        tag(out, "SetUp", "1");
        tag(out, "FEN", word.data);
    }
    kn_text_add_char(out, '\n');
    size_t column = 0, begins = (size_t)game->type->mover(game, origin);
    for (size_t ply = 0; ply < kn_contest_plies(sheet->contest); ply++) {
        kn_text_clear(&word);
        if ((ply + begins) % 2 == 0)
            kn_text_printf(&word, "%zu.", (ply + begins) / 2 + 1);
        else if (ply == 0)
            kn_text_add(&word, "1...");
        if (word.length) add_word(out, &column, word.data);
        kn_text_clear(&word);
        kn_sheet_move_text(sheet, ply, &word);
        add_word(out, &column, word.data);
    }
    if (sheet->ending) {
        kn_text_clear(&word);
        kn_text_printf(&word, "{%s}", sheet->ending);
        add_word(out, &column, word.data);
    }
    add_word(out, &column, result);
    kn_text_add(out, "\n\n");
    kn_text_free(&word);
    return KN_OK;
}
