/* Learning an allocation policy, from nothing but a game and a player (Markovitch and Sella 1996, sections 3
 * to 5): examples from self-play, patterns if wanted, RELIEF if wanted, a tree, and its enrichment with
 * further examples.
 *
 * Three sets of examples, each from a seed of its own: `relief` (which also serves the search for patterns),
 * `tree`, and `enrich`. They can be made once and used for several policies.
 *
 * Ownership: kn_training_sets_make fills, kn_training_sets_free empties; the game must outlive them. */
#ifndef KNACK_PLAYERS_ALLOCATION_TRAIN_H
#define KNACK_PLAYERS_ALLOCATION_TRAIN_H

#include "players/allocation/examples.h"
#include "players/allocation/learned.h"

typedef struct KnTraining {
    KnExamplesPlan play;           /* how examples are made; `count` is not used */
    uint64_t tree, relief, enrich; /* examples of each set; 0: without that step */
    bool game_features, general_features, budget_features, cell_features;
    int patterns;      /* that are learned; 0: none */
    int expansions;    /* of the search for them */
    double keep;       /* RELIEF's weight from which a feature is kept */
    const char *eval;  /* of the general features */
    const char *terms; /* a set of the game's terms as further features; NULL: none */
    KnTreePlan plan;   /* without `use` */
    KnDecideBy decide;
    bool by_worth; /* leaves are scored by what deep searches are worth there, else by how likely one is worth
                      anything */
    bool points;   /* worth is told in points of the game (worth.h), else by equation 4 */
    int boost;     /* trees that are boosted first, for the one tree to imitate; 0: it learns for itself */
} KnTraining;

/* The paper's full system: k = 4, n = 2, 100,000 examples for the tree, 10,000 for RELIEF, 500,000 for
 * enrichment, 1,000 expansions. */
KnTraining kn_training(void);

typedef struct KnTrainingSets {
    KnExamples relief, tree, enrich;
} KnTrainingSets;

/* With `store`, a folder that exists, sets that it holds are read instead, and those that it lacks are kept
 * there. */
KnStatus kn_training_sets_make(const KnContext *context, const KnGame *game, const KnTraining *training,
                               const char *store, KnProgress *progress, KnTrainingSets *sets, KnError *error);
void kn_training_sets_free(KnTrainingSets *sets);

/* What was found on the way. */
typedef struct KnTrainingFound {
    int columns;
    double *weights; /* of RELIEF, a column each; NULL without it */
    char **names;
    KnScoredPattern patterns[KN_PATTERNS_MAX];
    int pattern_count;
    size_t patterns_evaluated;
} KnTrainingFound;

void kn_training_found_free(KnTrainingFound *found);

/* In two steps, for policies from sets that grow: what comes before the tree (patterns and RELIEF, by
 * sets->relief), once; then a policy by the sets as they are. Game and training must outlive the trainer. */
typedef struct KnTrainer KnTrainer;

KnStatus kn_trainer_open(const KnGame *game, const KnTraining *training, const KnTrainingSets *sets,
                         KnTrainer **trainer, KnError *error);
KnStatus kn_trainer_learn(KnTrainer *trainer, const KnTrainingSets *sets, KnLearned **learned,
                          KnError *error);
void kn_trainer_close(KnTrainer *trainer);

/* What a view says of example i of a set. */
void kn_training_values(const KnView *view, const KnExamples *set, size_t i, double *values);

/* How a policy is made, as it is recorded in its file: an object. */
json_t *kn_training_record(const KnTraining *training);

/* All of it; `found` may be NULL. */
KnStatus kn_training_learn(const KnGame *game, const KnTraining *training, const KnTrainingSets *sets,
                           KnLearned **learned, KnTrainingFound *found, KnError *error);

/* ---- a course: the same, step by step, with a curve (players/course.h) ---- */

/* The examples of a training in equal parts, in a folder that keeps them. After each part a policy is learned
 * from what there is, saved there as KN_TRAINING_FILE, and put to the test: of the positions in examples of
 * its own for which a deep search is worth it, which share does it find if it may search a fifth of all
 * positions deep? Goes on where it was stopped. */
#define KN_TRAINING_FILE "policy.json"

KnStatus kn_training_course(const KnContext *context, const KnGame *game, const KnTraining *training,
                            const char *folder, KnProgress *progress, KnError *error);

#endif
