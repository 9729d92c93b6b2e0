#include "learn/temporal/temporal.h"

#include <stdlib.h>

#include "learn/temporal/sitact.h"
#include "learn/temporal/weigh.h"

struct KnTemporal {
    const KnTemporalBoard *board;
    KnTemporalReadings readings;
    KnContexts *contexts;
    KnAdvisors *advisors;
    KnWeigher *weigher; /* NULL until the first sweep */
};

KnTemporalReadings kn_temporal_readings(void)
{
    return (KnTemporalReadings){.gathering = {.lengths = {3}, .solos = true},
                                .minimum = 3,
                                .merge = true,
                                .renewal = KN_RENEW_KEEP,
                                .credit = KN_CREDIT_ANY,
                                .start = 0.5,
                                .step = 0.02,
                                .down = 1};
}

enum { SMALL_BOARD = 9 };

void kn_temporal_lengths(KnGathering *gathering, int cells)
{
    gathering->lengths[0] = 3;
    gathering->lengths[1] = cells <= SMALL_BOARD ? 0 : 5;
}

KnTemporal *kn_temporal_new(const KnTemporalBoard *board, const KnTemporalReadings *readings)
{
    KnTemporal *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->board = board;
    t->readings = *readings;
    t->contexts = kn_contexts_new(board);
    t->advisors = kn_advisors_new(board);
    if (t->contexts && t->advisors) return t;
    kn_temporal_free(t);
    return NULL;
}

void kn_temporal_free(KnTemporal *temporal)
{
    if (!temporal) return;
    kn_contexts_free(temporal->contexts);
    kn_advisors_free(temporal->advisors);
    kn_weigher_free(temporal->weigher);
    free(temporal);
}

KnAdvisors *kn_temporal_advisors(KnTemporal *temporal) { return temporal->advisors; }
size_t kn_temporal_pairs(const KnTemporal *temporal) { return kn_advisors_count(temporal->advisors); }

KnAdvisors *kn_temporal_take_advisors(KnTemporal *temporal)
{
    KnAdvisors *advisors = temporal->advisors;
    temporal->advisors = NULL;
    return advisors;
}

KnStatus kn_temporal_watch(KnTemporal *temporal, const KnRecord *record, KnError *error)
{
    KnStatus status = KN_OK;
    if (temporal->weigher) status = kn_weigher_contest(temporal->weigher, record, error);
    if (status == KN_OK)
        status = kn_contexts_gather(temporal->contexts, record, &temporal->readings.gathering, error);
    return status;
}

/* Adds a pair to the new store with the weight that it had in the old one. */
static KnStatus add(const KnTemporal *t, KnAdvisors *next, const uint8_t *context, const KnSequence *sequence,
                    bool merge, KnError *error)
{
    const KnAdvisor *old = kn_advisors_find(t->advisors, sequence->player, context, merge ? NULL : sequence);
    KnAdvisor *added;
    KnStatus status = kn_advisors_add(next, context, sequence, merge, old ? old->weight : t->readings.start,
                                      &added, error);
    if (status == KN_OK && old) added->right = old->right, added->wrong = old->wrong;
    return status;
}

static KnStatus add_sitacts(const KnTemporal *t, KnAdvisors *next, const KnContextEntry *entry,
                            KnError *error)
{
    KnSitacts sitacts = {0};
    KnStatus status = kn_sitacts_create(t->board, entry->pattern, &entry->sequence, &sitacts, error);
    for (size_t i = 0; i < sitacts.count && status == KN_OK; i++) {
        KnSequence single = {
            .player = entry->sequence.player, .length = 1, .actions = {sitacts.list[i].action}};
        status = add(t, next, sitacts.list[i].context, &single, false, error);
    }
    kn_sitacts_free(&sitacts);
    return status;
}

static KnStatus keep_older(KnAdvisors *next, const KnAdvisors *older, bool merge, KnError *error)
{
    KnStatus status = KN_OK;
    for (size_t i = 0; i < kn_advisors_count(older); i++) {
        const KnAdvisor *old = kn_advisors_at(older, i);
        KnAdvisor *kept = NULL;
        for (size_t s = 0; s < old->sequence_count && status == KN_OK; s++)
            status = kn_advisors_add(next, old->context, &old->sequences[s], merge, old->weight, &kept,
                                     error);
        if (status != KN_OK) return status;
        kept->right = old->right, kept->wrong = old->wrong;
    }
    return status;
}

KnStatus kn_temporal_sweep(KnTemporal *t, KnError *error)
{
    const KnTemporalReadings *readings = &t->readings;
    bool merge = readings->merge && !readings->sitact;
    KnAdvisors *next = kn_advisors_new(t->board);
    if (!next) return kn_fail_memory(error, "making Advisors");
    KnStatus status = KN_OK;
    if (readings->renewal == KN_RENEW_KEEP) status = keep_older(next, t->advisors, merge, error);
    for (size_t i = 0; i < kn_contexts_count(t->contexts) && status == KN_OK; i++) {
        const KnContextEntry *entry = kn_contexts_entry(t->contexts, i);
        if (entry->seen < (uint32_t)readings->minimum) continue;
        if (readings->sitact)
            status = add_sitacts(t, next, entry, error);
        else
            status = add(t, next, entry->pattern, &entry->sequence, merge, error);
    }
    if (status == KN_OK) status = kn_advisors_ready(next, 0, error);
    if (status != KN_OK) {
        kn_advisors_free(next);
        return status;
    }
    kn_advisors_free(t->advisors);
    t->advisors = next;
    kn_weigher_free(t->weigher);
    t->weigher = kn_weigher_new(next, readings);
    return t->weigher ? KN_OK : kn_fail_memory(error, "making Advisors");
}
