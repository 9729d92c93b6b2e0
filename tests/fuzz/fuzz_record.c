/* Game records: whatever is read names a game and a format; what is not says why. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "formats/pdn_parser.h"

/* Game by game: the reader always comes nearer to the end, and knows a line for every move. */
static void read_games(const char *text)
{
    KnPdnReader reader = kn_pdn_reader(text);
    KnPdnGame game = KN_PDN_GAME;
    for (;;) {
        KnError error = {KN_OK, ""};
        const char *before = reader.at;
        KnStatus status = kn_pdn_next(&reader, &game, &error);
        if (status == KN_NO) break;
        fuzz_must(reader.at > before && reader.at <= text + strlen(text));
        if (status == KN_INPUT) fuzz_must(error.text[0]);
        if (status != KN_OK) continue;
        size_t words = game.moves != 0;
        for (const char *c = game.record.moves.data; *c; c++) words += *c == ' ';
        fuzz_must(words == game.moves);
        for (size_t i = 0; i < game.moves; i++)
            fuzz_must(game.lines[i] >= (i ? game.lines[i - 1] : game.line));
    }
    fuzz_must(!*reader.at);
    kn_pdn_game_free(&game);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnText text = KN_TEXT_EMPTY;
    kn_text_add_bytes(&text, bytes, size);
    KnRecordText record = KN_RECORD_TEXT;
    KnError error = {KN_OK, ""};
    KnStatus status = kn_text_ok(&text) ? kn_game_record_read(text.data, &record, &error) : KN_SYSTEM;
    if (status == KN_OK)
        fuzz_must(record.format && record.game.length);
    else
        fuzz_must(status == KN_SYSTEM || (status == KN_INPUT && error.text[0]));
    kn_game_record_text_free(&record);
    if (kn_text_ok(&text)) read_games(text.data);
    kn_text_free(&text);
    return 0;
}
