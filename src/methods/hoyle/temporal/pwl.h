/* PWL, probabilistic weight learning (Lock 2003, 3.2.3): after a game each decision of an expert is
 * compared with what the Advisors advised there, by their contexts or because a sequence of theirs was
 * under way, and their weights go up or down. */
#ifndef KNACK_METHODS_HOYLE_TEMPORAL_PWL_H
#define KNACK_METHODS_HOYLE_TEMPORAL_PWL_H

#include "methods/hoyle/temporal/tp_context.h"

typedef struct KnPwl KnPwl;

/* How often an Advisor was right in games that nobody learned from. */
typedef struct KnForesight {
    uint32_t right, wrong;
} KnForesight;

/* With `tally`, room for one of each Advisor, games are only counted there and no weight moves. NULL if
 * memory runs out; the Advisors are ready. */
KnPwl *kn_pwl_new(const KnAdvisors *advisors, const KnTpOptions *readings, KnForesight *tally);
void kn_pwl_free(KnPwl *weigher);
KnStatus kn_pwl_update(KnPwl *weigher, const KnGameActions *record, KnError *error);

#endif
