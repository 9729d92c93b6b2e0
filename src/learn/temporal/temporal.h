/* TP-Context and TP-Sitact (Lock 2003, chapters 3 and 4): Advisors learned from contests that were watched.
 *
 *     KnTemporal *learner = kn_temporal_new(board, &readings)
 *     for each tournament:  for each contest: kn_temporal_watch(learner, &record); kn_temporal_sweep(learner)
 *     KnAdvisors *advisors = kn_temporal_advisors(learner)
 *
 * Watching weighs the Advisors there are by what the expert does (PWL), then gathers the contest's sequences.
 * A sweep makes context pairs of the sequences that were seen often enough; they are weighed from the next
 * contest on.
 *
 * Ownership: kn_temporal_new / kn_temporal_free; the board outlives it. One thread at a time. */
#ifndef KNACK_LEARN_TEMPORAL_TEMPORAL_H
#define KNACK_LEARN_TEMPORAL_TEMPORAL_H

#include "learn/temporal/advisors.h"
#include "learn/temporal/contexts.h"

typedef enum KnRenewal {
    KN_RENEW_KEEP,   /* older, less general pairs stay beside the new ones */
    KN_RENEW_REPLACE /* only what the sequences have in common now; weights of contexts that did not change
                        are kept */
} KnRenewal;

typedef enum KnCredit {
    KN_CREDIT_ANY,     /* right if any orientation or merged sequence advises the expert's action */
    KN_CREDIT_FRACTION /* by the share of its different suggestions that do */
} KnCredit;

/* What the thesis leaves open (docs/temporal.md). */
typedef struct KnTemporalReadings {
    KnGathering gathering;
    int minimum; /* times a sequence must be seen */
    bool merge;  /* sequences of one context share an Advisor */
    KnRenewal renewal;
    KnCredit credit;
    double start, step; /* of PWL's weights */
    double down;        /* a wrong decision counts this much of a right one */
    bool sitact;        /* TP-Sitact: convert pairs to single actions */
} KnTemporalReadings;

/* The readings that all tables are made with, but for lengths and `sitact`. */
KnTemporalReadings kn_temporal_readings(void);
/* The thesis's lengths: 3 on a small board (nine cells), 3 and 5 on larger ones, where contests run longer.
 */
void kn_temporal_lengths(KnGathering *gathering, int cells);

typedef struct KnTemporal KnTemporal;

KnTemporal *kn_temporal_new(const KnTemporalBoard *board,
                            const KnTemporalReadings *readings); /* NULL if memory runs out */
void kn_temporal_free(KnTemporal *temporal);

KnStatus kn_temporal_watch(KnTemporal *temporal, const KnRecord *record, KnError *error);
KnStatus kn_temporal_sweep(KnTemporal *temporal, KnError *error);

KnAdvisors *kn_temporal_advisors(KnTemporal *temporal);      /* borrowed */
KnAdvisors *kn_temporal_take_advisors(KnTemporal *temporal); /* given away; learn no more */
size_t kn_temporal_pairs(const KnTemporal *temporal);        /* context pairs there are */

#endif
