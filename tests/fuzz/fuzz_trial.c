/* Words of a deal: a deal that is accepted prints to words that deal the same trials; one that is not says
 * why. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "methods/satisficing/trials.h"

static KnStatus read_words(char *words, KnTrialDistribution *deal, KnError *error)
{
    *deal = kn_trial_distribution_paper();
    KnStatus status = KN_OK;
    char *word;
    while (status == KN_OK && (word = strsep(&words, " ")))
        if (*word) status = kn_trial_distribution_word(deal, word, error);
    return status == KN_OK ? kn_trial_distribution_check(deal, error) : status;
}

static void check_words(char *words)
{
    KnError error = {KN_OK, ""};
    KnTrialDistribution deal, again;
    KnStatus status = read_words(words, &deal, &error);
    if (status != KN_OK) {
        fuzz_must(status == KN_INPUT && error.text[0]);
        return;
    }
    KnText first = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
    kn_trial_distribution_text(&deal, &first);
    kn_text_add(&second, first.data);
    fuzz_must(read_words(second.data, &again, &error) == KN_OK);
    kn_text_clear(&second);
    kn_trial_distribution_text(&again, &second);
    fuzz_must(strcmp(first.data, second.data) == 0);
    deal.condition_count = again.condition_count = 0; /* some never hold */
    KnTrial one, other;
    fuzz_must(kn_trial_draw(&deal, 1, 2, &one) && kn_trial_draw(&again, 1, 2, &other));
    fuzz_must(one.start == other.start && memcmp(one.numbers, other.numbers, sizeof one.numbers) == 0);
    kn_text_free(&first);
    kn_text_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnText text = KN_TEXT_EMPTY;
    kn_text_add_bytes(&text, bytes, size);
    if (size && kn_text_ok(&text)) check_words(text.data);
    kn_text_free(&text);
    return 0;
}
