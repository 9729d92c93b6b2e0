/* One decision of one player, computed outside the session's lock: the caller copies the state under the
 * lock, lets the player choose without it, and then checks whether the answer is still wanted. */
#ifndef KNACK_WEB_DECISION_H
#define KNACK_WEB_DECISION_H

#include "players/judgement.h"
#include "web/session.h"

typedef struct KnDecision {
    KnWeb *web;
    KnCachedGame *cached; /* held */
    KnState *state;       /* a copy, at the ply of the decision */
    int role;
    char *spec;
    uint64_t seed;
    double seconds; /* at most */
    unsigned wants;
    const atomic_bool *cancel; /* may be NULL */
    KnArena *arena;            /* for the reason */
    bool judges;               /* the player judges `made`, a legal move */
    KnMove made;
    bool has_preferred; /* `preferred` is what it has recommended here before */
    KnMove preferred;
    KnJudgement judgement;
    KnAnswer answer;
    KnPlayer *player; /* that chose; back to the cache with kn_decision_release */
} KnDecision;

/* Copies the game state at a ply. The caller holds the session's lock, and calls kn_decision_free in any
 * case. */
KnStatus kn_decision_copy(KnDecision *decision, KnSession *session, size_t ply, int role, const char *spec,
                          KnError *error);

/* The key of such decisions in the thread pool: those of one player in one game take about the same time. */
uint64_t kn_decision_kind(const KnCachedGame *cached, const char *spec);

/* Lets the player choose. The caller must not hold a lock, and calls kn_decision_release in any case. */
KnStatus kn_decision_make(KnDecision *decision, KnError *error);
void kn_decision_release(KnDecision *decision);
void kn_decision_free(KnDecision *decision);

/* {"move", "path", "role", "ply", "by", "score"?, "text"?, "reason"?} of a finished decision. */
json_t *kn_decision_json(const KnDecision *decision);

/* Adds {"verdict", "cost"?, "unit"?, "made": {"score", "text"}?} of a judgement. */
void kn_decision_add_verdict(const KnDecision *decision, json_t *document);

#endif
