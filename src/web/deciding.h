/* One decision by one player, made apart from the sitting that it is for: the caller copies what is needed
 * under the sitting's lock, lets the player think without it, and then sees whether the answer is still
 * wanted. */
#ifndef KNACK_WEB_DECIDING_H
#define KNACK_WEB_DECIDING_H

#include "web/sitting.h"

typedef struct KnDecision {
    KnWeb *web;
    KnShown *shown;     /* held */
    KnContest *contest; /* a copy, at the ply in question */
    int role;
    char *spec;
    uint64_t seed;
    double seconds; /* at most */
    unsigned wants;
    const atomic_bool *cancel; /* may be NULL */
    KnArena *arena;            /* for the reason */
    KnAnswer answer;
} KnDecision;

/* Copies the contest as it stood at a ply. With the sitting's lock held; to be freed in any case. */
KnStatus kn_decision_copy(KnDecision *decision, KnSitting *sitting, size_t ply, int role, const char *spec,
                          KnError *error);

/* Lets the player think. Not to be called with a lock held. */
KnStatus kn_decision_make(KnDecision *decision, KnError *error);
void kn_decision_free(KnDecision *decision);

/* {"move", "path", "role", "ply", "by", "score"?, "text"?, "reason"?} of a decision that was made. */
json_t *kn_decision_json(const KnDecision *decision);

#endif
