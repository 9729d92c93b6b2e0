/* What learners by self-play share besides the training: options, the run with its curve, the player.
 *
 * The curve is a match against the same search with the game's own evaluation, at equal positions. */
#ifndef KNACK_METHODS_SELFPLAY_LEARNER_H
#define KNACK_METHODS_SELFPLAY_LEARNER_H

#include "arena/learner.h"
#include "methods/selfplay/trainer.h"

/* Rows of an option table; the learner adds `batch`. */
/* clang-format off */
#define KN_SELF_PLAY_OPTIONS                                                                               \
    {"games", KN_OPTION_INTEGER, "20000", 1, 1000000000, NULL, "games of self-play to learn from"},        \
    {"seconds", KN_OPTION_REAL, "0", 0, 1e9, NULL,                                                         \
     "stop after this time, if it comes first; the result then depends on the machine "                    \
     "(0: no limit)"},                                                                                     \
    {"lambda", KN_OPTION_REAL, "0.7", 0, 1, NULL,                                                          \
     "how far a later value counts, from search to search"},                                               \
    {"epsilon", KN_OPTION_REAL, "0.1", 0, 1, NULL, "share of random moves"},                               \
    {"random-plies", KN_OPTION_INTEGER, "8", 0, 1000, NULL,                                                \
     "random moves at the start of a game, at most"},                                                      \
    {"depth", KN_OPTION_INTEGER, "1", 1, 20, NULL,                                                         \
     "search depth in self-play; a quiescence search follows"},                                            \
    {"plies", KN_OPTION_INTEGER, "300", 1, 100000, NULL, "a game of this many plies is a draw"},           \
    {"nodes", KN_OPTION_INTEGER, "400", 1, 100000000, NULL,                                                \
     "positions that both sides may search for a move in the matches of the curve"},                       \
    {"against", KN_OPTION_SPEC, "", 0, 0, "player",                                                        \
     "opponent in the matches of the curve (default: the same search with the game's own "                 \
     "evaluation)"},                                                                                       \
    {"against-games", KN_OPTION_INTEGER, "100", 2, 1000000, NULL, "games of each match of the curve"}
/* clang-format on */

/* What a learner trains: the evaluation that reads its file, and how to open the trainer with a plan of the
 * learner's own. `state` is the file that an interrupted training goes on from. */
typedef struct KnSelfLearner {
    const char *evaluation, *file;
    KnStatus (*open)(const KnLearnerTask *task, const KnSelfPlayPlan *play, const char *state,
                     KnSelfTrainer **trainer, KnError *error);
} KnSelfLearner;

/* Trains in parts, and measures the curve if there is one. */
KnStatus kn_self_play_train(const KnLearnerTask *task, const KnSelfLearner *learner, KnTrainingRun *run,
                            KnError *error);

/* Whether the game has a board that a network can look at. */
KnStatus kn_self_play_suits(const KnContext *context, const KnGame *game, KnError *error);

/* The spec of a player with the file. */
void kn_self_play_player(const char *evaluation, const char *file, KnText *spec);

#endif
