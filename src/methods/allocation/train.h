/* Learning an allocation policy, from nothing but a game and a player (Markovitch and Sella 1996, sections 3
 * to 5): examples from self-play, patterns if wanted, RELIEF if wanted, a tree, and its enrichment with
 * further examples.
 *
 * Three sets of examples, each from a seed of its own: `relief` (which also serves the search for patterns),
 * `tree`, and `enrich`. They can be made once and used for several policies.
 *
 * Ownership: kn_policy_training_sets_make fills, kn_policy_training_sets_free empties; the game must outlive
 * them. */
#ifndef KNACK_METHODS_ALLOCATION_TRAIN_H
#define KNACK_METHODS_ALLOCATION_TRAIN_H

#include "arena/training_run.h"
#include "methods/allocation/examples.h"
#include "methods/allocation/learned_policy.h"

typedef struct KnPolicyTraining {
    KnExamplesPlan play;           /* how examples are made; `count` is not used */
    uint64_t tree, relief, enrich; /* examples of each set; 0: without that step */
    bool game_features, general_features, budget_features, cell_features;
    bool search_features; /* signals of the shallow search (search_signals.h) */
    int patterns;         /* that are learned; 0: none */
    int expansions;       /* of the search for them */
    double keep;          /* RELIEF's weight from which a feature is kept */
    const char *eval;     /* of the general features */
    const char *terms;    /* a set of the game's terms as further features; NULL: none */
    KnTreePlan plan;      /* without `use` */
    KnDecideBy decide;
    bool by_value; /* score of a leaf: the mean value of a deep search, else the probability that one pays */
    bool points;   /* utility in points of the game (value_of_computation.h), else by equation 4 */
    int boost;     /* boosted trees that the one tree imitates; 0: it learns from the examples directly */
} KnPolicyTraining;

/* The paper's full system: k = 4, n = 2, 100,000 examples for the tree, 10,000 for RELIEF, 500,000 for
 * enrichment, 1,000 expansions. */
KnPolicyTraining kn_policy_training_defaults(void);

/* Stands for a number of RELIEF or enrichment examples that follows from the tree's: a tenth, and five times
 * as many, which are the paper's proportions. kn_policy_training_complete puts the numbers in place; call it
 * before examples are made. */
#define KN_BY_EXAMPLES UINT64_MAX

void kn_policy_training_complete(KnPolicyTraining *training);

/* Can the features that are asked for be had on the game? Told before any example is made. */
KnStatus kn_policy_training_check(const KnGame *game, const KnPolicyTraining *training, KnError *error);

typedef struct KnPolicyTrainingSets {
    KnExamples relief, tree, enrich;
} KnPolicyTrainingSets;

/* With `store`, a folder that exists, sets that it holds are read instead, and those that it lacks are kept
 * there. */
KnStatus kn_policy_training_sets_make(const KnContext *context, const KnGame *game,
                                      const KnPolicyTraining *training, const char *store,
                                      KnProgress *progress, KnPolicyTrainingSets *sets, KnError *error);
void kn_policy_training_sets_free(KnPolicyTrainingSets *sets);

/* Adds the signals of the shallow search to all examples that lack them, where the training wants them. */
KnStatus kn_policy_training_sets_signal(const KnContext *context, const KnPolicyTraining *training,
                                        KnPolicyTrainingSets *sets, KnError *error);

/* What was found on the way. */
typedef struct KnPolicyTrainingFound {
    int columns;
    double *weights; /* of RELIEF, a column each; NULL without it */
    char **names;
    KnScoredPattern patterns[KN_PATTERNS_MAX];
    int pattern_count;
    size_t patterns_evaluated;
} KnPolicyTrainingFound;

void kn_policy_training_found_free(KnPolicyTrainingFound *found);

/* In two steps, for policies from sets that grow: what comes before the tree (patterns and RELIEF, by
 * sets->relief), once; then a policy by the sets as they are. Game and training must outlive the trainer. */
typedef struct KnPolicyTrainer KnPolicyTrainer;

KnStatus kn_policy_trainer_open(const KnGame *game, const KnPolicyTraining *training,
                                const KnPolicyTrainingSets *sets, KnPolicyTrainer **trainer, KnError *error);
KnStatus kn_policy_trainer_learn(KnPolicyTrainer *trainer, const KnPolicyTrainingSets *sets,
                                 KnLearnedPolicy **learned, KnError *error);
void kn_policy_trainer_close(KnPolicyTrainer *trainer);

/* What a view says of example i of a set. */
void kn_policy_training_values(const KnFeatureView *view, const KnExamples *set, size_t i, double *values);

/* How a policy is made, as it is recorded in its file: an object. */
json_t *kn_policy_training_record(const KnPolicyTraining *training);

/* All of it; `found` may be NULL. */
KnStatus kn_policy_training_learn(const KnGame *game, const KnPolicyTraining *training,
                                  const KnPolicyTrainingSets *sets, KnLearnedPolicy **learned,
                                  KnPolicyTrainingFound *found, KnError *error);

/* ---- in a training run (arena/training_run.h) ---- */

#define KN_POLICY_FILE "policy.json"

/* Learns a policy inside a run and saves it there as KN_POLICY_FILE. With `points`, in that many steps, each
 * with a point of the curve: of the positive examples of a test set, the share that the policy finds in the
 * fifth of all positions that it ranks first. Without points the examples are made at once, and kept in the
 * folder `store` (NULL: in the run's). The policy is the same with and without a curve. */
KnStatus kn_policy_training_run(const KnContext *context, const KnGame *game,
                                const KnPolicyTraining *training, int points, const char *store,
                                KnTrainingRun *run, KnProgress *progress, KnError *error);

#endif
