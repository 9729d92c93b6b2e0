/* Portable Draughts Notation, version 3, as far as English draughts needs it (GameType 21). */
#include "formats/writer.h"

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

/* Words in braces. A comment cannot hold a closing brace, so that one becomes a parenthesis. */
static void add_comment(KnText *out, size_t *column, const char *comment)
{
    KnText word = KN_TEXT_EMPTY;
    kn_text_add_char(&word, '{');
    for (const char *c = comment; *c; c++) {
        if (*c == ' ' || *c == '\n') {
            add_word(out, column, word.data);
            kn_text_clear(&word);
        } else
            kn_text_add_char(&word, *c == '}' ? ')' : *c == '{' ? '(' : *c);
    }
    kn_text_add_char(&word, '}');
    add_word(out, column, word.data);
    kn_text_free(&word);
}

KnStatus kn_pdn_write(const KnGameRecord *record, KnText *out, KnError *error)
{
    KnStatus status = kn_game_record_check(record, "PDN", "checkers", error);
    if (status != KN_OK) return status;
    const KnGame *game = kn_state_game(record->state);
    bool known;
    int winner = kn_game_record_result(record, &known);
    /* As in the archives, the score of Black, who moves first, comes first. */
    const char *result = record->result ? record->result
                         : !known       ? "*"
                         : winner > 0   ? "1-0"
                         : winner < 0   ? "0-1"
                                        : "1/2-1/2";
    tag(out, "Event", record->event);
    tag(out, "Date", record->date);
    tag(out, "Round", record->round);
    tag(out, "Black", record->players[0]);
    tag(out, "White", record->players[1]);
    tag(out, "Result", result);
    tag(out, "GameType", "21");
    const void *origin = kn_state_position_at(record->state, 0);
    KnText word = KN_TEXT_EMPTY;
    if (kn_game_record_set_up(record)) {
        game->type->position_text(game, origin, &word);
        tag(out, "SetUp", "1");
        tag(out, "FEN", word.data);
    }
    kn_text_add_char(out, '\n');
    size_t column = 0, begins = (size_t)game->type->mover(game, origin);
    for (size_t ply = 0; ply < kn_state_plies(record->state); ply++) {
        kn_text_clear(&word);
        if ((ply + begins) % 2 == 0)
            kn_text_printf(&word, "%zu.", (ply + begins) / 2 + 1);
        else if (ply == 0)
            kn_text_add(&word, "1...");
        if (word.length) add_word(out, &column, word.data);
        kn_text_clear(&word);
        kn_game_record_move_text(record, ply, &word);
        add_word(out, &column, word.data);
        if (record->comments && record->comments[ply]) add_comment(out, &column, record->comments[ply]);
    }
    if (record->ending) {
        kn_text_clear(&word);
        kn_text_printf(&word, "{%s}", record->ending);
        add_word(out, &column, word.data);
    }
    add_word(out, &column, result);
    kn_text_add(out, "\n\n");
    kn_text_free(&word);
    return KN_OK;
}
