/* The rule `trust` of `experience`: a learned policy (players/allocation/trust.h) says whether the best known
 * move is played at no cost, or a search is made.
 *
 * Ownership: kn_trusting_open / kn_trusting_close; the game must outlive it. Read-only in between. */
#ifndef KNACK_PLAYERS_EXPERIENCE_TRUSTING_H
#define KNACK_PLAYERS_EXPERIENCE_TRUSTING_H

#include "players/experience/entry.h"
#include "players/player.h"

typedef struct KnTrusting KnTrusting;

/* `doubt` is what a search may gain on average, as a part of a point, where a known move is trusted all the
 * same. */
KnStatus kn_trusting_open(const KnContext *context, const KnGame *game, const char *file, double doubt,
                          KnTrusting **trusting, KnError *error);
void kn_trusting_close(KnTrusting *trusting);

/* What was decided, and why. */
typedef struct KnTrustChoice {
    bool trusted;
    KnEntry entry;
    int leaf;           /* from 1 */
    double gain;        /* what a search gains there on average, of one point */
    double probability; /* that it gains anything */
    double weight;      /* share of known positions that are in the leaf */
} KnTrustChoice;

/* `made`: own moves made before in the contest. */
KnStatus kn_trusting_decide(const KnTrusting *trusting, KnBase *base, const KnRequest *request,
                            const KnBaseMove *rows, const KnBaseView *view, int made, KnTrustChoice *choice,
                            KnError *error);

/* Adds a group "trust" to the answer's reason, which there is. */
void kn_trusting_tell(const KnTrusting *trusting, const KnRequest *request, const KnTrustChoice *choice,
                      KnAnswer *answer);

#endif
