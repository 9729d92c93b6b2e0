/* Messages of general game playing. Each line of the input is one: whatever it is, reading it ends with a
 * message or a complaint, and the pieces of a message lie within its text. Those that start nothing are then
 * put to a player in the middle of a match, which must answer each with a word of the protocol or a move of
 * the game, and be in good order afterwards. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include <knack/base.h>
#include "protocols/ggp_player.h"

static const char start[] = "(START m a ((role a) (role b) (legal a x) (legal a (y 1)) (legal b x) (init (n "
                            "1)) (<= (next (n 1)) (true (n 1)))"
                            "(<= terminal (true (n 2))) (goal a 50) (goal b 50)) 60 60)";

static void check_piece(KnPiece piece, const char *text, size_t size)
{
    if (piece.length) fuzz_must(piece.text >= text && piece.text + piece.length <= text + size);
}

/* Printing a term and reading it again gives the same print. */
static void check_print(KnPiece piece)
{
    KnText once = KN_TEXT_EMPTY, twice = KN_TEXT_EMPTY;
    kn_piece_plain(piece, &once);
    kn_piece_plain((KnPiece){once.data, once.length}, &twice);
    fuzz_must(once.length == twice.length && memcmp(once.data, twice.data, once.length) == 0);
    kn_text_free(&once);
    kn_text_free(&twice);
}

static void ask(KnGgp *ggp, const char *text, size_t size)
{
    KnText reply = KN_TEXT_EMPTY;
    KnError error;
    KnStatus status = kn_ggp_answer(ggp, text, size, kn_clock_now(), &reply, &error);
    fuzz_must(status == KN_OK ? reply.length > 0 : status == KN_INPUT && error.text[0]);
    static const char *const words[] = {"busy",
                                        "done",
                                        "aborted",
                                        "x",
                                        "(y 1)",
                                        "( ( name Knack ) ( status busy ) )",
                                        "( ( name Knack ) ( status available ) )"};
    bool known = status != KN_OK;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        known = known || strcmp(reply.data, words[i]) == 0;
    fuzz_must(known);
    kn_text_free(&reply);
}

static void try_line(KnGgp *ggp, const char *text, size_t size)
{
    KnGgpMessage message;
    KnError error;
    KnStatus status = kn_ggp_read(text, size, &message, &error);
    fuzz_must(status == KN_OK || error.text[0]);
    if (status == KN_OK) {
        check_piece(message.id, text, size);
        check_piece(message.role, text, size);
        check_piece(message.rules, text, size);
        check_piece(message.moves, text, size);
        check_print(message.moves);
        check_print(message.rules);
        fuzz_must(kn_ggp_is_whole(text, size) || message.kind <= KN_GGP_ABORT);
        if (message.kind == KN_GGP_START || message.kind == KN_GGP_PREVIEW)
            return; /* fuzz_gdl has the rules */
    }
    ask(ggp, text, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static KnContext *context; /* made once: it is read-only */
    KnError error;
    if (!context && kn_open(NULL, &context, &error) != KN_OK) return 0;
    KnGgp *ggp;
    KnText reply = KN_TEXT_EMPTY;
    KnGgpOptions options = {.name = "Knack", .seat = {.context = context, .spec = "random"}};
    fuzz_must(kn_ggp_new(&options, &ggp, &error) == KN_OK);
    fuzz_must(kn_ggp_answer(ggp, start, sizeof start - 1, kn_clock_now(), &reply, &error) == KN_OK &&
              strcmp(reply.data, "ready") == 0);
    kn_text_free(&reply);
    const char *at = (const char *)bytes, *end = at + size;
    for (int lines = 0; at < end && lines < 20; lines++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        char *line = malloc((size_t)(stop - at) + 1); /* of its own, so that reading beyond it shows */
        if (line) {
            memcpy(line, at, (size_t)(stop - at));
            try_line(ggp, line, (size_t)(stop - at));
        }
        free(line);
        at = stop + (stop < end);
    }
    ask(ggp, "(INFO)", 6);
    kn_ggp_free(ggp);
    return 0;
}
