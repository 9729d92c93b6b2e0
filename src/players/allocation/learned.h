/* A learned allocation policy: a view, a tree over it, and how its leaves become decisions. One JSON file
 * that people can read.
 *
 *     {"format": "knack allocation policy 1", "game": "checkers(...)", "made": {how, of what, by which
 * version}, "decide": "majority" | "threshold" | "plan", "score": "probability" | "worth", "forced": 0.17,
 * "features": [...], "plan": [[...], ...], "tree": {...}}
 *
 * By majority (basic ID3) a position is searched deep if most of its leaf's examples are positive. By
 * threshold (the paper's context-sensitive classifier) it is if its leaf's score reaches the threshold that
 * equation 5 gives for what is left of the budget. By plan it is if its leaf's score reaches what the deep
 * search would bring later on (learn/stopping.h). A policy of trust is asked for its leaf's probability alone
 * (players/experience.c). Positions with a single move are a leaf of their own, which has the weight `forced`
 * and never passes.
 *
 * Ownership: kn_learned_load and kn_learned_make allocate, kn_learned_free frees; the game must outlive it.
 * Read-only. */
#ifndef KNACK_PLAYERS_ALLOCATION_LEARNED_H
#define KNACK_PLAYERS_ALLOCATION_LEARNED_H

#include "learn/allocation.h"
#include "learn/stopping.h"
#include "learn/tree.h"
#include "players/allocation/policy.h"
#include "players/allocation/view.h"

typedef enum KnDecideBy { KN_BY_MAJORITY, KN_BY_THRESHOLD, KN_BY_PLAN, KN_DECIDE_WAYS } KnDecideBy;

extern const char *const kn_decide_names[KN_DECIDE_WAYS]; /* "majority", "threshold", "plan" */

typedef struct KnLearned {
    KnView *view;
    KnTree *tree;
    KnDecideBy decide;
    bool by_worth;    /* scores are mean targets, else probabilities */
    KnStopping *plan; /* NULL unless it decides by one */
    double forced;
    char *eval;   /* of the view's general columns; NULL: the game's default */
    json_t *made; /* an object */
    KnThresholds thresholds;
    KnAllocationLeaf *leaves; /* of the tree */
    float *scores; /* of the leaves, rounded: enough for most decisions, and so few that they stay at hand */
} KnLearned;

extern const KnPolicyType kn_policy_learned; /* learned(FILE) */

/* What a policy was learned for; using it for something else is an error. */
typedef enum KnLearnedFor { KN_FOR_DEPTHS, KN_FOR_BUDGETS, KN_FOR_TRUST } KnLearnedFor;

KnLearnedFor kn_learned_for(const KnLearned *learned);
/* Fails, naming the file and what would have been right, unless it was learned for that. */
KnStatus kn_learned_check(const KnLearned *learned, KnLearnedFor wanted, const char *file, KnError *error);

/* Finishes a policy whose other fields are set, all of which it takes over whatever becomes of it; `eval` is
 * copied. */
KnStatus kn_learned_make(KnLearned parts, const char *eval, KnLearned **learned, KnError *error);
KnStatus kn_learned_load(const char *path, const KnGame *game, KnLearned **learned, KnError *error);
/* The same from bytes; `name` stands in the messages. */
KnStatus kn_learned_parse(const void *bytes, size_t size, const char *name, const KnGame *game,
                          KnLearned **learned, KnError *error);
KnStatus kn_learned_save(const KnLearned *learned, const char *path, KnError *error);
void kn_learned_free(KnLearned *learned);

/* How it was made, its features and its tree, as text. */
void kn_learned_show(const KnLearned *learned, KnText *out);

/* Decides one position by its leaf (kn_view_leaf). */
void kn_learned_decide(const KnLearned *learned, int leaf, const KnAllotment *left,
                       KnAllocationChoice *choice);

#endif
