/* A learned allocation policy: a view, a tree over it, and how its leaves become decisions. One JSON file
 * that people can read.
 *
 *     {"format": "knack allocation policy 1", "game": "checkers(...)",
 *      "made": {how, of what, by which version},
 *      "decide": "majority" | "threshold" | "plan", "score": "probability" | "worth", "forced": 0.17,
 *      "features": [...], "plan": [[...], ...], "tree": {...}}
 *
 * By majority (basic ID3) a position is searched deep if most of its leaf's examples are positive. By
 * threshold (the paper's context-sensitive classifier) it is if its leaf's score reaches the threshold that
 * equation 5 gives for what is left of the budget. By plan it is if its leaf's score reaches what the deep
 * search would bring later on (learn/stopping.h). A policy of trust is asked for its leaf's probability alone
 * (methods/experience/player.c). Positions with a single move are a leaf of their own, which has the weight
 * `forced` and never passes.
 *
 * Ownership: kn_learned_policy_load and kn_learned_policy_make allocate, kn_learned_policy_free frees; the
 * game must outlive it. Read-only. */
#ifndef KNACK_METHODS_ALLOCATION_LEARNED_POLICY_H
#define KNACK_METHODS_ALLOCATION_LEARNED_POLICY_H

#include "methods/allocation/equations.h"
#include "learn/stopping.h"
#include "learn/tree.h"
#include "methods/allocation/policy.h"
#include "methods/allocation/features.h"

typedef enum KnDecideBy { KN_BY_MAJORITY, KN_BY_THRESHOLD, KN_BY_PLAN, KN_DECIDE_WAYS } KnDecideBy;

extern const char *const kn_decide_names[KN_DECIDE_WAYS]; /* "majority", "threshold", "plan" */

typedef struct KnLearnedPolicy {
    KnFeatureView *view;
    KnTree *tree;
    KnDecideBy decide;
    bool by_value;    /* scores are mean targets, else probabilities */
    KnStopping *plan; /* NULL unless it decides by one */
    double forced;
    char *game;   /* the spec that it was learned for */
    char *eval;   /* of the view's general columns; NULL: the game's default */
    json_t *made; /* an object */
    KnThresholds thresholds;
    KnAllocationLeaf *leaves; /* of the tree */
    float *scores; /* of the leaves, rounded: enough for most decisions, and so few that they stay at hand */
} KnLearnedPolicy;

extern const KnPolicyType kn_policy_learned; /* learned(FILE) */

/* What a policy was learned for; using it for something else is an error. */
typedef enum KnPolicyPurpose { KN_FOR_DEPTHS, KN_FOR_BUDGETS, KN_FOR_TRUST } KnPolicyPurpose;

KnPolicyPurpose kn_learned_policy_purpose(const KnLearnedPolicy *learned);
/* The mean gain of all examples: budgets go by a leaf's mean gain in multiples of it. */
double kn_learned_policy_mean(const KnLearnedPolicy *learned);
/* Fails, naming the file and what would have been right, unless it was learned for that. */
KnStatus kn_learned_policy_check(const KnLearnedPolicy *learned, KnPolicyPurpose wanted, const char *file,
                                 KnError *error);

/* What a player uses a policy for. */
typedef struct KnPolicyUse {
    const char *file; /* as the player's spec names it */
    KnPolicyPurpose purpose;
    int k, n;          /* the player's depths; 0: those of the policy */
    double units;      /* a move, of the player's budget; 0: it has none */
    bool timed;        /* they are milliseconds, else positions */
    const char *inner; /* spec of the player that searches */
    const char *base;  /* the experience base in use; NULL: none */
} KnPolicyUse;

/* Loads the policy that a player's spec names. Fails where it was learned for another purpose or other
 * depths; adds to `note` what else it was not learned for. *policy may be set when it fails: free it. */
KnStatus kn_learned_policy_open(const KnContext *context, const KnGame *game, const KnPolicyUse *use,
                                KnLearnedPolicy **policy, KnText *note, KnError *error);

/* Finishes a policy whose other fields are set, all of which it takes over whatever becomes of it; `eval` is
 * copied. */
KnStatus kn_learned_policy_make(KnLearnedPolicy parts, const char *eval, KnLearnedPolicy **learned,
                                KnError *error);
KnStatus kn_learned_policy_load(const char *path, const KnGame *game, KnLearnedPolicy **learned,
                                KnError *error);
/* The same from bytes; `name` stands in the messages. */
KnStatus kn_learned_policy_parse(const void *bytes, size_t size, const char *name, const KnGame *game,
                                 KnLearnedPolicy **learned, KnError *error);
KnStatus kn_learned_policy_save(const KnLearnedPolicy *learned, const char *path, KnError *error);
void kn_learned_policy_free(KnLearnedPolicy *learned);

/* Its tree, what its leaves mean, thresholds, features and how it was made (policy_explanation.c); with
 * `examples`, up to KN_POLICY_EXAMPLES positions that come to each leaf, always the same: of random games, or
 * those that its file has under made, KN_POLICY_MET. NULL if memory runs out. */
enum { KN_POLICY_EXAMPLES = 3 };
#define KN_POLICY_MET "met" /* a list of positions for each leaf */
KnExplanation *kn_learned_policy_explain(const KnLearnedPolicy *learned, bool examples, KnArena *arena);
/* The same as text, without examples. */
void kn_learned_policy_show(const KnLearnedPolicy *learned, KnText *out);

/* Decides one position by its leaf (kn_feature_view_leaf). */
void kn_learned_policy_decide(const KnLearnedPolicy *learned, int leaf, const KnDeepBudget *left,
                              KnAllocationChoice *choice);

#endif
