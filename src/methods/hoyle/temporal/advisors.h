/* A store of Advisors: <context, sequence> pairs with weights (Lock 2003, 3.2.3). A Sitact Advisor is one
 * whose sequence is a single action.
 *
 * Contexts are kept in normal form. Pairs of one context may be merged: the sequences then share one weight.
 * An *instance* is an Advisor in one orientation; those that would say the same twice are left out.
 * kn_advisors_ready makes the instances and their index, of those that weigh enough; until then, and after
 * adding, nothing matches.
 *
 * Ownership: kn_advisors_new / kn_advisors_free. The board outlives the store. Matching is read-only apart
 * from weights. */
#ifndef KNACK_METHODS_HOYLE_TEMPORAL_ADVISORS_H
#define KNACK_METHODS_HOYLE_TEMPORAL_ADVISORS_H

#include "methods/hoyle/temporal/matcher.h"
#include "methods/hoyle/temporal/sequence.h"

typedef struct KnAdvisor {
    uint8_t player;
    uint8_t context[KN_TEMPORAL_CELLS];
    KnSequence *sequences; /* as the context is oriented */
    size_t sequence_count;
    double weight;
    uint32_t right, wrong; /* decisions of the expert that it foresaw, and that it did not */
    uint8_t *fired[2];     /* the last board of each kind, wrong first; NULL: none is kept */
    bool telling;          /* among the most telling ones: its file has these boards */
} KnAdvisor;

typedef struct KnInstance {
    uint32_t advisor;
    uint8_t symmetry;
} KnInstance;

typedef struct KnAdvisors KnAdvisors;

KnAdvisors *kn_advisors_new(const KnTemporalBoard *board); /* NULL if memory runs out */
void kn_advisors_free(KnAdvisors *advisors);

/* The Advisor of this context (any orientation) and sequence, made if it is new, with this weight. With
 * `merge` any Advisor of this context and player will do, and gets the sequence too. */
KnStatus kn_advisors_add(KnAdvisors *advisors, const uint8_t *context, const KnSequence *sequence, bool merge,
                         double weight, KnAdvisor **advisor, KnError *error);

/* The same without making one: NULL if there is none. Without a sequence by the context alone. */
KnAdvisor *kn_advisors_find(const KnAdvisors *advisors, int player, const uint8_t *context,
                            const KnSequence *sequence);

/* Keeps a board where an Advisor was right or wrong; without memory it is not kept. And all that another one
 * of its kind knows of its right and wrong. */
void kn_advisor_fired(KnAdvisor *advisor, bool rightly, const uint8_t *cells, int count);
void kn_advisor_inherit(KnAdvisor *advisor, const KnAdvisor *older, int cells);

size_t kn_advisors_count(const KnAdvisors *advisors);
KnAdvisor *kn_advisors_at(const KnAdvisors *advisors, size_t index);

/* From the next kn_advisors_ready on: match by the hash index of the thesis (thesis_index.h), to measure what
 * it takes. */
void kn_advisors_use_hash(KnAdvisors *advisors);

/* Indexes the Advisors of at least this weight. */
KnStatus kn_advisors_ready(KnAdvisors *advisors, double threshold, KnError *error);

/* Instances of a player whose contexts stand on the board, in the order of their Advisors: `found` has room
 * for kn_advisors_room. */
size_t kn_advisors_match(const KnAdvisors *advisors, int player, const uint8_t *cells, KnInstance *found);
size_t kn_advisors_room(const KnAdvisors *advisors);

/* For measuring: all instances of a player that are indexed. */
size_t kn_advisors_instances(const KnAdvisors *advisors, int player, const KnInstance **instances);
void kn_advisors_pattern(const KnAdvisors *advisors, KnInstance instance, uint8_t *pattern);
const KnTemporalBoard *kn_advisors_board(const KnAdvisors *advisors);

#endif
