/* The rule `trust` of `experience`: a learned policy (methods/allocation/trust.h) says whether the best known
 * move is played at no cost, or a search is made.
 *
 * Ownership: kn_trust_rule_open / kn_trust_rule_close; the game must outlive it. Read-only in between. */
#ifndef KNACK_METHODS_EXPERIENCE_TRUST_RULE_H
#define KNACK_METHODS_EXPERIENCE_TRUST_RULE_H

#include "methods/experience/entry_features.h"
#include "players/player.h"

typedef struct KnTrustRule KnTrustRule;

/* `doubt` is the threshold: a known move is trusted if a search gains at most this part of a point on
 * average. */
KnStatus kn_trust_rule_open(KnPlayer *player, const char *file, const char *base, double doubt,
                            KnTrustRule **rule, KnError *error);
void kn_trust_rule_close(KnTrustRule *trusting);

/* What was decided, and why. */
typedef struct KnTrustChoice {
    bool trusted;
    KnEntry entry;
    int leaf;           /* from 1 */
    double gain;        /* what a search gains there on average, of one point */
    double probability; /* that it gains anything */
    double weight;      /* share of known positions that are in the leaf */
} KnTrustChoice;

/* `made`: own moves made before in the game. */
KnStatus kn_trust_rule_decide(const KnTrustRule *trusting, KnBase *base, const KnRequest *request,
                              const KnBaseMove *rows, const KnBaseView *view, int made, KnTrustChoice *choice,
                              KnError *error);

/* Adds a group "trust" to the answer's explanation, which there is. */
void kn_trust_rule_explain(const KnTrustRule *trusting, const KnRequest *request, const KnTrustChoice *choice,
                           KnAnswer *answer);

#endif
