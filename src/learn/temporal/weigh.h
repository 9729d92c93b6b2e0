/* PWL as the thesis uses it for Advisors (Lock 2003, 3.2.3): after a contest each decision of an expert's is
 * compared with what the Advisors advised there, by their contexts or since a sequence of theirs was under
 * way, and their weights go up or down. */
#ifndef KNACK_LEARN_TEMPORAL_WEIGH_H
#define KNACK_LEARN_TEMPORAL_WEIGH_H

#include "learn/temporal/temporal.h"

typedef struct KnWeigher KnWeigher;

KnWeigher *
kn_weigher_new(const KnAdvisors *advisors,
               const KnTemporalReadings *readings); /* NULL if memory runs out; the Advisors are ready */
void kn_weigher_free(KnWeigher *weigher);
KnStatus kn_weigher_contest(KnWeigher *weigher, const KnRecord *record, KnError *error);

#endif
