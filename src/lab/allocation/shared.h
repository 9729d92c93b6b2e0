/* What the experiments on resource allocation (Markovitch and Sella 1996) share: settings, learners, matches,
 * shares. */
#ifndef KNACK_LAB_ALLOCATION_SHARED_H
#define KNACK_LAB_ALLOCATION_SHARED_H

#include "lab/experiment.h"
#include "methods/allocation/train.h"

/* A setting in which allocation is measured: the strategy, a player that allocates, against the same player
 * at depth k. */
typedef struct KnAllocationField {
    const char *name; /* in file names */
    const char *game;
    const char *inner; /* "alphabeta(...": without a depth and without the closing parenthesis */
    const char *eval;  /* what general features look at; NULL: the game's default */
    int k, n, deep, moves;
    size_t ply_limit;
    double judge;            /* material lead that wins at the limit */
    int random_plies;        /* that begin each game of a match and of training */
    KnBudgetClasses classes; /* of budgets, where policies are learned for `clock` */
} KnAllocationField;

/* The paper's: checkers with k = 4, n = 2, d = 8, m = 40. */
extern const KnAllocationField kn_allocation_checkers;
extern const KnAllocationField kn_allocation_othello, kn_allocation_morris, kn_allocation_fives;

/* ---- strategies ---- */

/* How a policy is learned; sizes of the sets are the experiment's. */
typedef struct KnAllocationLearner {
    const char *file; /* its name in file names */
    bool relief, enrich;
    int patterns;
    bool general, budget, cells; /* features beyond the game's own */
    bool search, alone;          /* signals of the shallow search; without the game's own features */
    const char *terms;           /* and a set of its terms, where the game has it */
    bool regression;             /* cuts of the utility, else ID3 of the class */
    size_t least;                /* of a regression tree's leaves; 0: as for ID3 */
    bool points;
    double explore; /* in sets of its own */
    int boost;
    KnDecideBy decide;
} KnAllocationLearner;

/* What the best learners known under the paper's rules have in common. */
#define KN_ALLOCATION_OURS                                                                                   \
    .enrich = true, .budget = true, .regression = true, .least = 100, .points = true, .explore = 0.2,        \
    .boost = 80, .decide = KN_BY_PLAN

/* The paper's four, in its order. */
enum { KN_LEARN_ID3, KN_LEARN_RELIEF, KN_LEARN_CONTEXT, KN_LEARN_PATTERNS, KN_LEARN_PAPER };
extern const KnAllocationLearner kn_allocation_paper[KN_LEARN_PAPER];
extern const KnAllocationLearner kn_allocation_ours; /* with the game's own features */

/* A row of a table: a strategy by name, with its policy as a spec or as something to be learned. */
typedef struct KnAllocationRow {
    const char *name;
    const char *policy; /* NULL: learned */
    const KnAllocationLearner *learner;
    bool goal; /* measured with more games, since a goal is judged by it */
} KnAllocationRow;

/* The sets that policies of one setting learn from, made when the first of them is needed. All zero at the
 * start. */
typedef struct KnAllocationMaterial {
    const KnAllocationField *field;
    KnGame *game;
    KnPolicyTrainingSets sets;
    bool made;
    double explore; /* that they were made with */
} KnAllocationMaterial;

void kn_allocation_material_free(KnAllocationMaterial *material);

/* The parameters that say how large the sets are: rows for an experiment's table. */
#define KN_ALLOCATION_SETS(quick_tree, quick_relief, quick_enrich)                                           \
    {"examples", quick_tree, 100000, "Classified positions that trees are grown from."},                     \
        {"relief", quick_relief, 10000, "Positions for RELIEF, and for the search for patterns."},           \
        {"enrich", quick_enrich, 500000, "Further positions that only count in the leaves."},                \
    {                                                                                                        \
        "expansions", 50, 1000,                                                                              \
            "Patterns that are made more special in the search for patterns; eight times as many are "       \
            "scored."                                                                                        \
    }

/* The file of a learned policy, in the lab's folder: made if it is not there, or was made otherwise. Training
 * has seeds of its own, which no match draws from; experiments of the same seed and scale share it. */
KnStatus kn_allocation_learned(KnLabRun *run, KnAllocationMaterial *material,
                               const KnAllocationLearner *learner, KnText *path, KnError *error);

/* Makes the sets, if they are not there with this share of explored moves. */
KnStatus kn_allocation_sets(KnLabRun *run, KnAllocationMaterial *material, double explore, KnError *error);

/* ---- measuring ---- */

/* A match of allocate(..., policy=POLICY) against the shallow player; games alternate who begins. `key` names
 * it in the run. */
KnStatus kn_allocation_match(KnLabRun *run, const KnAllocationField *field, const char *key,
                             const char *policy, uint64_t games, KnMatchResult *result, KnError *error);

/* The same for a row, which is learned first if need be. */
KnStatus kn_allocation_measure(KnLabRun *run, KnAllocationMaterial *material, const KnAllocationRow *row,
                               uint64_t games, KnMatchResult *result, KnError *error);

/* The share of points, a tie counting half, with Wilson's interval. */
KnMeasure kn_allocation_points(const KnStanding *standing);

/* Measures the rows of a ladder, of which the first is never, the second random and the last always, and
 * gives points and shares in a table of the field's name. With `published`, also the share
 * that the paper prints. */
KnStatus kn_allocation_ladder(KnLabRun *run, const KnAllocationField *field, const KnAllocationRow *rows,
                              size_t count, uint64_t goal_games, bool published, KnError *error);

/* Which share of the way from one strategy to another a third one has made: (q - from) / (to - from), with
 * its interval from the variance of all three. */
KnMeasure kn_allocation_share(const KnStanding *q, const KnStanding *from, const KnStanding *to);

#endif
