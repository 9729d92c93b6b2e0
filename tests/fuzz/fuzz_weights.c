/* Weights given as files: whatever the bytes, reading ends with weights or a message that names the file.
 * Weights are finite, and their text reads back to the same text. */
#include "fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include "eval/weights.h"

static const KnGame *checkers(void)
{
    static KnGame *game;
    KnError error;
    if (!game) {
        KnContext *context = kn_context_new();
        fuzz_must(context && kn_games_register(context, &error) == KN_OK);
        fuzz_must(kn_game_open(context, "checkers", &game, &error) == KN_OK);
    }
    return game;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnWeights *weights, *again;
    KnError error = {KN_OK, ""};
    KnStatus status = kn_weights_parse(checkers(), bytes, size, "file", &weights, &error);
    fuzz_must((status == KN_OK) == (weights != NULL));
    if (status != KN_OK) {
        fuzz_must(status == KN_INPUT && *error.text);
        return 0;
    }
    fuzz_must(weights->count >= 1 && weights->count <= KN_WEIGHT_SETS_MAX);
    for (int s = 0; s < weights->count; s++)
        for (size_t i = 0; i < kn_weights_size(weights->features); i++)
            fuzz_must(fabs(weights->sets[s].weights[i]) <= 1e7);
    KnText one = KN_TEXT_EMPTY, two = KN_TEXT_EMPTY;
    kn_weights_text(weights, &one);
    fuzz_must(kn_weights_parse(checkers(), one.data, one.length, "again", &again, &error) == KN_OK);
    kn_weights_text(again, &two);
    fuzz_must(strcmp(one.data, two.data) == 0);
    kn_text_free(&one);
    kn_text_free(&two);
    kn_weights_free(again);
    kn_weights_free(weights);
    return 0;
}
