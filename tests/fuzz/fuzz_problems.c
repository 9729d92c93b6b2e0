/* Capture problems, as lines of JSON or SGF: any text is read or refused with a message; what was read is
 * written and read again as the same. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/arena.h"
#include "formats/problems.h"
#include "formats/sgf_tree.h"

static KnContext *context_once(void)
{
    static KnContext *context;
    KnError error;
    if (!context) {
        context = kn_context_new();
        fuzz_must(context && kn_games_register(context, &error) == KN_OK);
    }
    return context;
}

/* SGF: what was read is written, and read again as the same. */
static void check_tree(const char *text)
{
    KnArena *arena = kn_arena_new();
    KnSgfNode *tree, *again;
    KnError error;
    if (arena && kn_sgf_parse_all(text, arena, &tree, &error) == KN_OK) {
        KnText first = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
        kn_sgf_print(tree, &first);
        fuzz_must(kn_sgf_parse_all(first.data, arena, &again, &error) == KN_OK);
        kn_sgf_print(again, &second);
        fuzz_must(strcmp(first.data, second.data) == 0);
        kn_text_free(&first);
        kn_text_free(&second);
    }
    kn_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnCaptureProblems *problems, *again;
    KnError error;
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, bytes, size);
    text[size] = 0;
    check_tree(text);
    if (kn_problems_read(context_once(), text, "fuzz", &problems, &error) == KN_OK) {
        KnText first = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
        kn_problem_write(&problems->list[0], &first);
        fuzz_must(kn_problems_read(context_once(), first.data, "again", &again, &error) == KN_OK);
        kn_problem_write(&again->list[0], &second);
        fuzz_must(strcmp(first.data, second.data) == 0);
        kn_problems_free(again);
        kn_problems_free(problems);
        kn_text_free(&first);
        kn_text_free(&second);
    } else {
        fuzz_must(error.text[0]);
    }
    free(text);
    return 0;
}
