/* Games for an experience base, and its records: whatever is read holds together; what is not says why. The
 * first byte chooses. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "methods/experience/import.h"
#include <knack/base.h>
#include "methods/experience/node.h"

static void import(const uint8_t *bytes, size_t size, const char *spec)
{
    KnError error = {KN_OK, ""};
    KnContext *context;
    KnGame *game;
    fuzz_must(kn_open("fuzz-data", &context, &error) == KN_OK);
    fuzz_must(kn_game_open(context, spec, &game, &error) == KN_OK);
    char *text = malloc(size + 1);
    memcpy(text, bytes, size);
    text[size] = '\0';
    KnImport count;
    KnStatus status = kn_base_import_text(game, text, NULL, NULL, &count, &error);
    fuzz_must(status == KN_OK || status == KN_SYSTEM || (status == KN_INPUT && error.text[0]));
    fuzz_must(count.added == 0);
    free(text);
    kn_game_close(game);
    kn_close(context);
}

/* A record that is read writes itself back, byte for byte but for redundant numbers; so it is read once more.
 */
static void record(const uint8_t *bytes, size_t size)
{
    enum { POSITION = 24 };
    KnNode node, again;
    if (kn_node_decode(bytes, size, POSITION, false, &node)) {
        KnText text = KN_TEXT_EMPTY;
        kn_node_encode(&node, POSITION, &text);
        fuzz_must(kn_node_decode(text.data, text.length, POSITION, false, &again));
        fuzz_must(again.games == node.games && again.edge_count == node.edge_count &&
                  again.parent_count == node.parent_count);
        kn_node_clear(&again);
        kn_node_clear(&node);
        kn_text_free(&text);
    }
    unsigned char room[POSITION];
    KnBaseGameRecord game;
    if (kn_decode_game(bytes, size, POSITION, room, &game)) fuzz_must(game.moves_size >= game.plies);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size) return 0;
    if (bytes[0] == 'r')
        record(bytes + 1, size - 1);
    else
        import(bytes + 1, size - 1, bytes[0] == 'c' ? "checkers" : "othello");
    return 0;
}
