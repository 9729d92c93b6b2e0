/* Policies: who gets a deep search? (Markovitch and Sella 1996)
 *
 * The model of their section 2.4: of each `moves` moves that a player makes, at most `deep` may be searched
 * to depth k + n, the others to depth k. A policy decides before each move. It is *static* if it looks at the
 * move's number only, *semi-dynamic* if it looks at the position too, *dynamic* if it looks at what a search
 * finds on the way; all are one interface, since a policy may ask the inner player what it likes, and then
 * may already have the answer.
 *
 * The player `allocate` (players/allocate.c) keeps the accounts; a policy that is bound by the budget is
 * asked only while deep searches are left, and never where there is but one move. To add one: a KnPolicyType
 * and a row in policies.c.
 *
 * Ownership: kn_policy_open / kn_policy_close; game and inner player must outlive it. One thread at a time.
 */
#ifndef KNACK_PLAYERS_ALLOCATION_POLICY_H
#define KNACK_PLAYERS_ALLOCATION_POLICY_H

#include "players/player.h"

typedef struct KnPolicy KnPolicy;
typedef struct KnPolicyType KnPolicyType;

/* The budget as it stands before a move. */
typedef struct KnAllotment {
    int k, n;                  /* shallow search, and how much deeper the deep one goes */
    int deep, moves;           /* deep searches in so many moves */
    int deep_left, moves_left; /* this move included */
} KnAllotment;

static inline int kn_allotment_index(const KnAllotment *a) { return a->moves - a->moves_left; } /* from 0 */

/* What is known of a leaf of a tree. */
typedef struct KnAllocationLeaf {
    double score;  /* the probability that a deep search is worth it, or what it is worth */
    double weight; /* share of positions that belong to the leaf */
} KnAllocationLeaf;

/* What a policy decides, and why. */
typedef struct KnAllocationChoice {
    bool deep;
    bool answered;                 /* the answer is already there, from a search that the policy made */
    const char *why;               /* a static sentence, or one in the request's arena */
    int leaf;                      /* of a tree, from 1; 0: there is none */
    const KnAllocationLeaf *known; /* of it; the policy's own */
    bool by_worth;                 /* its score is a worth, else a probability */
    double threshold;              /* of the score, with what is left */
} KnAllocationChoice;

struct KnPolicy {
    const KnPolicyType *type;
    const KnContext *context;
    const KnGame *game;
    KnPlayer *inner;
    KnAllotment budget; /* at a contest's start */
    void *data;
};

struct KnPolicyType {
    KnThing head;
    bool unbound; /* takes deep searches beyond the budget: the upper bound that others are measured by */
    bool varies;  /* asked again in the same position it may decide otherwise, or it searches to decide */
    KnStatus (*open)(KnPolicy *policy, const KnOptions *options, KnError *error); /* may be NULL, as close */
    void (*close)(KnPolicy *policy); /* also after an open that failed */
    KnStatus (*decide)(KnPolicy *policy, const KnAllotment *left, const KnRequest *request, KnAnswer *answer,
                       KnAllocationChoice *choice, KnError *error);
};

/* From its spec; a name that is none of the registered ones and ends in .json is short for learned(NAME). */
KnStatus kn_policy_open(const KnContext *context, const KnSpec *spec, KnPlayer *inner,
                        const KnAllotment *budget, KnPolicy **policy, KnError *error);
void kn_policy_close(KnPolicy *policy);

/* Registers the built-in policies. */
KnStatus kn_policies_register(KnContext *context, KnError *error);

/* The player that is asked, from its spec, with its own depth set to `depth`, the deepest that it will be
 * asked for. */
KnStatus kn_allocation_open_inner(const KnContext *context, const KnGame *game, const char *spec, int depth,
                                  KnPlayer **inner, KnError *error);
KnStatus kn_allocation_open_inner_spec(const KnContext *context, const KnGame *game, const KnSpec *spec,
                                       int depth, KnPlayer **inner, KnError *error);

/* Asks the inner player with this depth instead of the request's own (where that is not lower still). With
 * `values`, which has room for all allowed moves, fails unless it tells the values of all of them. */
KnStatus kn_allocation_ask(KnPlayer *inner, const KnRequest *request, int depth, KnScore *values,
                           KnAnswer *answer, KnError *error);

/* The same with so many positions, whatever the depth. */
KnStatus kn_allocation_ask_nodes(KnPlayer *inner, const KnRequest *request, uint64_t nodes, KnScore *values,
                                 KnAnswer *answer, KnError *error);

#endif
