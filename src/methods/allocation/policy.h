/* Resource allocation (Markovitch and Sella 1996): which moves get a deep search?
 *
 * The model of section 2.4: of each `moves` moves that a player makes, at most `deep` may be searched to
 * depth k + n, the others to depth k. A policy decides before each move. The paper calls it *static* if it
 * looks at the number of the move only, *semi-dynamic* if it looks at the position, *dynamic* if it looks
 * at what a search finds on the way. All have one interface, since a policy may ask the inner player, and
 * then may already have the answer.
 *
 * The files of this folder, by section of the paper:
 *   2         policy.h, policies.c (static, dynamic and the bounds of 5.2), allocate_player.c (the accounts)
 *   3.1, 3.2  examples.c (self-play), equations.c (equations 1 to 5), examples_file.c
 *   3.3, 4.2  features.c, feature_values.c, pattern_board.c; RELIEF and patterns are in src/learn
 *   3.4, 5.3  train.c, learned_policy.c, policy_use.c
 *   7         clock_player.c, budget_classes.c: t units for m moves
 *
 * Ours: value_of_computation.c (utility in points of the game, after Russell and Wefald), trust.c (when an
 * experience base needs no search), the decision by a plan (learn/stopping.h), boosted trees.
 *
 * The player `allocate` asks a policy only while deep searches are left, unless the policy is `unbound`,
 * and never where there is one legal move. To add a policy: a KnPolicyType and a row in policies.c.
 *
 * Ownership: kn_policy_open / kn_policy_close; game and inner player must outlive it. One thread at a
 * time. */
#ifndef KNACK_METHODS_ALLOCATION_POLICY_H
#define KNACK_METHODS_ALLOCATION_POLICY_H

#include "players/player.h"

typedef struct KnPolicy KnPolicy;
typedef struct KnPolicyType KnPolicyType;

/* The budget as it stands before a move. */
typedef struct KnDeepBudget {
    int k, n;                  /* shallow search, and how much deeper the deep one goes */
    int deep, moves;           /* the budget: `deep` deep searches in `moves` moves */
    int deep_left, moves_left; /* this move included */
} KnDeepBudget;

static inline int kn_deep_budget_index(const KnDeepBudget *a)
{
    return a->moves - a->moves_left;
} /* from 0 */

/* A leaf of a decision tree. */
typedef struct KnAllocationLeaf {
    double score;  /* the probability that a deep search pays, or its expected utility */
    double weight; /* share of positions that belong to the leaf */
} KnAllocationLeaf;

/* What a policy decides, and why. */
typedef struct KnAllocationChoice {
    bool deep;
    bool answered;                 /* the answer is already there, from a search that the policy made */
    const char *why;               /* a static sentence, or one in the request's arena */
    int leaf;                      /* of a tree, from 1; 0: there is none */
    const KnAllocationLeaf *known; /* of it; the policy's own */
    bool by_value;                 /* its score is a utility, else a probability */
    double threshold;              /* of the score, for what is left of the budget */
    uint64_t nodes;                /* that the decision itself has searched, besides those of an answer */
} KnAllocationChoice;

struct KnPolicy {
    const KnPolicyType *type;
    const KnContext *context;
    const KnGame *game;
    KnPlayer *inner;
    KnDeepBudget budget; /* at the start of a game */
    KnText note;         /* what a learned policy was not learned for; "" if nothing */
    void *data;
};

struct KnPolicyType {
    KnThing head;
    bool unbound; /* not bound by the budget: the upper bound of section 5.2 */
    bool varies;  /* random, or it searches to decide: its decision cannot be repeated at no cost */
    KnStatus (*open)(KnPolicy *policy, const KnOptions *options, KnError *error); /* may be NULL, as close */
    void (*close)(KnPolicy *policy); /* also after an open that failed */
    KnStatus (*decide)(KnPolicy *policy, const KnDeepBudget *left, const KnRequest *request, KnAnswer *answer,
                       KnAllocationChoice *choice, KnError *error);
};

/* From its spec; a name that is none of the registered ones and ends in .json is short for learned(NAME). */
KnStatus kn_policy_open(const KnContext *context, const KnSpec *spec, KnPlayer *inner,
                        const KnDeepBudget *budget, KnPolicy **policy, KnError *error);
void kn_policy_close(KnPolicy *policy);

/* Registers the built-in policies. */
KnStatus kn_policies_register(KnContext *context, KnError *error);

/* The player that is asked, from its spec, with its own depth set to `depth`, the deepest that it will be
 * asked for. */
KnStatus kn_allocation_open_inner(const KnContext *context, const KnGame *game, const char *spec, int depth,
                                  KnPlayer **inner, KnError *error);
KnStatus kn_allocation_open_inner_spec(const KnContext *context, const KnGame *game, const KnSpec *spec,
                                       int depth, KnPlayer **inner, KnError *error);

/* The same as the player's own inner player, whose traits limit the player's. */
KnStatus kn_allocation_wrap(KnPlayer *player, const KnSpec *spec, int depth, KnError *error);

/* Games in which resources can be allocated move by move: those in which players take turns. */
KnStatus kn_allocation_suits(const KnGame *game, KnError *error);

/* A group of the answer's explanation, which is made if there is none, for the player's decision. It begins
 * with the player's note, if there is one. */
KnExplanation *kn_allocation_explanation(const KnPlayer *player, const KnRequest *request, const char *label,
                                         KnAnswer *answer);

/* Asks the inner player with this depth instead of the request's own (where that is not lower still). With
 * `values`, which has room for all allowed moves, fails unless the player gives the values of all of them. */
KnStatus kn_allocation_ask(KnPlayer *inner, const KnRequest *request, int depth, KnScore *values,
                           KnAnswer *answer, KnError *error);

/* The same with a budget of `nodes` positions, at any depth. */
KnStatus kn_allocation_ask_nodes(KnPlayer *inner, const KnRequest *request, uint64_t nodes, KnScore *values,
                                 KnAnswer *answer, KnError *error);

#endif
