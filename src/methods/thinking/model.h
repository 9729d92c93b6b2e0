/* What the signals of a search say about the use of searching on, in the form of the rule that chess engines
 * have, with learned weights: a search may use base x 2^(sum of weight x term) shares, where the terms are
 * bounded signals. The weights are those with which recorded searches would have lost the fewest points at a
 * share each on average; the base is what makes it a share.
 *
 * Trees of the gain of further positions, or of its probability, follow chance when they are grown from a few
 * thousand searches: most gain nothing, and a few much. Few weights that are judged by the whole outcome do
 * better.
 *
 * One JSON file that people can read: {"format": "knack thinking 1", "game": SPEC, "inner": SPEC, "units":
 * positions of a share, "scale": score that changes the odds by e, "base": shares, "most": shares,
 * "searches": N, "seed": S, "weights": {TERM: weight, ...}}.
 *
 * Ownership: kn_thinking_load and kn_thinking_learn allocate, kn_thinking_free frees. Read-only. */
#ifndef KNACK_METHODS_THINKING_MODEL_H
#define KNACK_METHODS_THINKING_MODEL_H

#include "base/json.h"
#include "methods/thinking/searches.h"

enum { KN_THINKING_TERMS = 6 };
extern const char *const kn_thinking_terms[KN_THINKING_TERMS];

/* The least part of a share that every search may use. */
#define KN_THINKING_LEAST 0.3

typedef struct KnThinking {
    char *game, *inner;
    double units, scale, base, most;
    double weights[KN_THINKING_TERMS];
    uint64_t searches, seed;
    bool edited; /* its file did not fit its checksum */
} KnThinking;

void kn_thinking_free(KnThinking *model);

/* How much of an equal share the whole search may use, given the signals after a depth. */
double kn_thinking_shares(const KnThinking *model, const double *signals);

/* Learns from recorded searches. `most`: the largest multiple of a share. */
KnStatus kn_thinking_learn(const KnSearchRecords *records, double units, double most, KnThinking **model,
                           KnError *error);

/* What a model makes of recorded searches, and what equal shares do: mean points lost against a search of all
 * recorded positions, mean positions used as a multiple of a share, and the variance of the difference. */
typedef struct KnThinkingTest {
    double searches, even_loss, loss, used, variance;
} KnThinkingTest;

void kn_thinking_test(const KnThinking *model, const KnSearchRecords *records, KnThinkingTest *test);

KnStatus kn_thinking_save(const KnThinking *model, const char *path, KnError *error);
/* Refuses a file of another game. */
KnStatus kn_thinking_load(const KnGame *game, const char *path, KnThinking **model, KnError *error);

#endif
