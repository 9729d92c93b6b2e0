/* Specs: whatever parses prints to a canonical form that parses again and prints the same; what does not
 * parse says why. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "base/spec.h"

static void check_round_trip(const char *text, KnArena *arena)
{
    KnError error = {KN_OK, ""};
    const KnSpec *spec = NULL, *again = NULL;
    KnStatus status = kn_spec_parse(text, arena, &spec, &error);
    if (status != KN_OK) {
        fuzz_must(status == KN_INPUT && error.text[0]);
        return;
    }
    KnText first = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
    kn_spec_print(spec, &first);
    fuzz_must(kn_spec_parse(first.data, arena, &again, &error) == KN_OK);
    kn_spec_print(again, &second);
    fuzz_must(strcmp(first.data, second.data) == 0);
    kn_text_free(&first);
    kn_text_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnText text = KN_TEXT_EMPTY;
    KnArena *arena = kn_arena_new();
    kn_text_add_bytes(&text, bytes, size);
    if (arena && kn_text_ok(&text)) check_round_trip(text.data, arena);
    kn_arena_free(arena);
    kn_text_free(&text);
    return 0;
}
