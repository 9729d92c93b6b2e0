/* Capture problems: any text is read or refused with a message; what was read is written and read again as the same. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/problems.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnProblems *problems, *again;
    KnError error;
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, bytes, size);
    text[size] = 0;
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
