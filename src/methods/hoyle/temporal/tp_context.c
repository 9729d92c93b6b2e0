#include "methods/hoyle/temporal/tp_context.h"

#include <stdlib.h>

#include "methods/hoyle/temporal/tp_sitact.h"
#include "methods/hoyle/temporal/pwl.h"

struct KnTpContext {
    const KnTemporalBoard *board;
    KnTpOptions readings;
    KnContextTable *contexts;
    KnAdvisors *advisors;
    KnPwl *weigher; /* NULL until the first sweep */
};

KnTpOptions kn_tp_options(void)
{
    return (KnTpOptions){.gathering = {.lengths = {3}, .solos = true},
                         .minimum = 3,
                         .merge = true,
                         .renewal = KN_RENEW_KEEP,
                         .credit = KN_CREDIT_ANY,
                         .weights = KN_TP_WALK,
                         .start = 0.5,
                         .step = 0.02,
                         .down = 1};
}

enum { SMALL_BOARD = 9 };

void kn_tp_lengths(KnGathering *gathering, int cells)
{
    gathering->lengths[0] = 3;
    gathering->lengths[1] = cells <= SMALL_BOARD ? 0 : 5;
}

KnTpContext *kn_tp_context_new(const KnTemporalBoard *board, const KnTpOptions *readings)
{
    KnTpContext *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->board = board;
    t->readings = *readings;
    t->contexts = kn_context_table_new(board);
    t->advisors = kn_advisors_new(board);
    if (t->contexts && t->advisors) return t;
    kn_tp_context_free(t);
    return NULL;
}

void kn_tp_context_free(KnTpContext *temporal)
{
    if (!temporal) return;
    kn_context_table_free(temporal->contexts);
    kn_advisors_free(temporal->advisors);
    kn_pwl_free(temporal->weigher);
    free(temporal);
}

KnAdvisors *kn_tp_context_advisors(KnTpContext *temporal) { return temporal->advisors; }
size_t kn_tp_context_pairs(const KnTpContext *temporal) { return kn_advisors_count(temporal->advisors); }

/* Smoothed precision: what an Advisor foresaw, as if it had besides been asked BELIEF times and been right
 * as often as all Advisors together are. Few decisions prove little, so a new Advisor is an average one. */
static void weigh_by_precision(KnAdvisors *advisors)
{
    static const double belief = 4;
    double right = 1, judged = 2;
    for (size_t i = 0; i < kn_advisors_count(advisors); i++) {
        const KnAdvisor *a = kn_advisors_at(advisors, i);
        right += a->right;
        judged += (double)a->right + a->wrong;
    }
    for (size_t i = 0; i < kn_advisors_count(advisors); i++) {
        KnAdvisor *a = kn_advisors_at(advisors, i);
        a->weight = (a->right + belief * right / judged) / ((double)a->right + a->wrong + belief);
    }
}

KnAdvisors *kn_tp_context_take_advisors(KnTpContext *temporal)
{
    KnAdvisors *advisors = temporal->advisors;
    if (temporal->readings.weights == KN_TP_PRECISION) weigh_by_precision(advisors);
    temporal->advisors = NULL;
    return advisors;
}

KnStatus kn_tp_context_learn(KnTpContext *temporal, const KnGameActions *record, KnError *error)
{
    KnStatus status = KN_OK;
    if (temporal->weigher) status = kn_pwl_update(temporal->weigher, record, error);
    if (status == KN_OK)
        status = kn_context_table_gather(temporal->contexts, record, &temporal->readings.gathering, error);
    return status;
}

/* Adds a pair to the new store with the weight that it had in the old one. */
static KnStatus add(const KnTpContext *t, KnAdvisors *next, const uint8_t *context,
                    const KnSequence *sequence, bool merge, KnError *error)
{
    const KnAdvisor *old = kn_advisors_find(t->advisors, sequence->player, context, merge ? NULL : sequence);
    KnAdvisor *added;
    KnStatus status = kn_advisors_add(next, context, sequence, merge, old ? old->weight : t->readings.start,
                                      &added, error);
    if (status == KN_OK && old) kn_advisor_inherit(added, old, t->board->cells);
    return status;
}

static KnStatus add_sitacts(const KnTpContext *t, KnAdvisors *next, const KnContextEntry *entry,
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
        kn_advisor_inherit(kept, old, kn_advisors_board(older)->cells);
    }
    return status;
}

/* Thesis 3.2.3. */
KnStatus kn_tp_context_sweep(KnTpContext *t, KnError *error)
{
    const KnTpOptions *readings = &t->readings;
    bool merge = readings->merge && !readings->sitact;
    KnAdvisors *next = kn_advisors_new(t->board);
    if (!next) return kn_fail_memory(error, "making Advisors");
    KnStatus status = KN_OK;
    if (readings->renewal == KN_RENEW_KEEP) status = keep_older(next, t->advisors, merge, error);
    for (size_t i = 0; i < kn_context_table_count(t->contexts) && status == KN_OK; i++) {
        const KnContextEntry *entry = kn_context_table_entry(t->contexts, i);
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
    kn_pwl_free(t->weigher);
    t->weigher = kn_pwl_new(next, readings, NULL);
    return t->weigher ? KN_OK : kn_fail_memory(error, "making Advisors");
}
