/* TP-Context and TP-Sitact (Lock 2003, chapters 3 and 4): Advisors learned from games.
 *
 *     KnTpContext *learner = kn_tp_context_new(board, &options);
 *     for each tournament:
 *         for each game: kn_tp_context_learn(learner, &actions, &error)
 *         kn_tp_context_sweep(learner, &error)
 *     KnAdvisors *advisors = kn_tp_context_advisors(learner)
 *
 * Learning from a game first weighs the Advisors there are by what the expert does (PWL, 3.2.3), then
 * gathers the game's sequences (3.2.1). A sweep makes context pairs of the sequences that were seen often
 * enough; they are weighed from the next game on.
 *
 * Ownership: kn_tp_context_new / kn_tp_context_free; the board outlives it. One thread at a time. */
#ifndef KNACK_METHODS_HOYLE_TEMPORAL_TP_CONTEXT_H
#define KNACK_METHODS_HOYLE_TEMPORAL_TP_CONTEXT_H

#include "methods/hoyle/temporal/advisors.h"
#include "methods/hoyle/temporal/context_table.h"

typedef enum KnRenewal {
    KN_RENEW_KEEP,   /* older, less general pairs stay beside the new ones */
    KN_RENEW_REPLACE /* only what the sequences have in common now; weights of contexts that did not change
                        are kept */
} KnRenewal;

typedef enum KnCredit {
    KN_CREDIT_ANY,     /* right if any orientation or merged sequence advises the expert's action */
    KN_CREDIT_FRACTION /* by the share of its different suggestions that do */
} KnCredit;

/* What a weight is in the end. */
typedef enum KnTpWeights {
    KN_TP_PRECISION, /* the share of the expert's decisions that an Advisor foresaw, smoothed */
    KN_TP_WALK       /* PWL: where steps up and down have led */
} KnTpWeights;

/* What the thesis leaves open (docs/temporal.md). */
typedef struct KnTpOptions {
    KnGathering gathering;
    int minimum; /* times a sequence must be seen */
    bool merge;  /* sequences of one context share an Advisor */
    KnRenewal renewal;
    KnCredit credit;
    double start, step; /* of PWL's weights */
    KnTpWeights weights;
    double down; /* a wrong decision counts this much of a right one */
    bool sitact; /* TP-Sitact: convert pairs to single actions */
} KnTpOptions;

/* The interpretations behind all tables, except for lengths and `sitact`. */
KnTpOptions kn_tp_options(void);
/* The thesis's lengths: 3 on a small board (nine cells), 3 and 5 on larger ones, where games run longer.
 */
void kn_tp_lengths(KnGathering *gathering, int cells);

typedef struct KnTpContext KnTpContext;

KnTpContext *kn_tp_context_new(const KnTemporalBoard *board,
                               const KnTpOptions *readings); /* NULL if memory runs out */
void kn_tp_context_free(KnTpContext *temporal);

KnStatus kn_tp_context_learn(KnTpContext *temporal, const KnGameActions *record, KnError *error);
KnStatus kn_tp_context_sweep(KnTpContext *temporal, KnError *error);

KnAdvisors *kn_tp_context_advisors(KnTpContext *temporal);      /* borrowed */
KnAdvisors *kn_tp_context_take_advisors(KnTpContext *temporal); /* given away, weighed; learn no more */
size_t kn_tp_context_pairs(const KnTpContext *temporal);        /* context pairs there are */

#endif
