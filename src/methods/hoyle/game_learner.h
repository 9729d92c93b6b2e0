/* Learners that learn from whole games, their own or those of others, and then play by what they learned
 * (Lock 2003).
 *
 *     KnGameLearner *learner;
 *     kn_game_learner_open(context, game, "hoyle(+rote)", &learner, &error)
 *     kn_game_learner_learn(learner, &played, &error)            after every game
 *     kn_game_learner_end_tournament(learner, &error)            after every tournament
 *     kn_game_learner_freeze(learner, &error)                    at the end of training: it no longer changes
 *     kn_game_learner_player(learner, &player, &error)           a player that uses what was learned
 *     kn_game_learner_save(learner, "five.json", &error)
 *     kn_game_learner_load(context, game, NULL, "five.json", &learner, &error)
 *
 * Training environments, which call all this in parallel runs: methods/hoyle/environment.h. To add one: a
 * file that defines a KnGameLearnerType, a row in game_learners.c, and a player whose spec names the saved
 * file (hoyle/player.c shows how).
 *
 * A saved file is JSON that a person can read: {"learner": NAME, "format": F, "spec": ..., "game": ...,
 * "rules": IDENTITY, "contests": N, "knowledge": {...}}. A file that was learned for another game, board
 * or format is refused with the reason.
 *
 * Ownership: kn_game_learner_open and _load / kn_game_learner_close; the game outlives the learner, the
 * learner its players. A learner is for one thread at a time; after kn_game_learner_freeze players of
 * several threads may share it. */
#ifndef KNACK_METHODS_HOYLE_GAME_LEARNER_H
#define KNACK_METHODS_HOYLE_GAME_LEARNER_H

#include <jansson.h>

#include "base/explanation.h"
#include "base/json.h"
#include "methods/hoyle/board_view.h"
#include "methods/hoyle/played_game.h"
#include "players/player.h"

typedef struct KnGameLearner KnGameLearner;

/* Vtable; learn, player, knowledge and recall must be there. `close` is called also after an `open` that
 * failed. */
typedef struct KnGameLearnerType {
    KnThing head;
    int format; /* of its knowledge; raised when older files can no longer be read */
    KnStatus (*open)(KnGameLearner *learner, const KnOptions *options, KnError *error);
    void (*close)(KnGameLearner *learner);
    KnStatus (*learn)(KnGameLearner *learner, const KnPlayedGame *played, KnError *error);
    KnStatus (*end_tournament)(KnGameLearner *learner, KnError *error);
    KnStatus (*freeze)(KnGameLearner *learner, KnError *error);
    /* Compares what it learned with an expert's decisions in a game that it does not learn from, for its
     * figures. After `freeze`. May be NULL. */
    KnStatus (*judge)(KnGameLearner *learner, const KnPlayedGame *played, KnError *error);
    /* Its `open` and `suits` are not used: `data` is made by attach, and freed by its `close`. */
    const KnPlayerType *player;
    KnStatus (*attach)(const KnGameLearner *learner, KnPlayer *player, KnError *error);
    json_t *(*knowledge)(const KnGameLearner *learner); /* a new reference; NULL if memory runs out */
    KnStatus (*recall)(KnGameLearner *learner, const KnJson *at, KnError *error); /* into a fresh one */
    json_t *(*figures)(const KnGameLearner *learner); /* counts of what was learned: an object of numbers, for
                                                         tables, and of lists of words. May be NULL */
    json_t *(*tally)(
        const KnPlayer *player); /* counts of what a player of its did since it was made. May be NULL */
    /* The best of what was learned, for a person: numbers and boards, added to `root`. May be NULL. */
    void (*explain)(const KnGameLearner *learner, KnArena *arena, KnExplanation *root);
} KnGameLearnerType;

struct KnGameLearner {
    const KnGameLearnerType *type;
    const KnContext *context;
    const KnGame *game;
    KnBoardView *view;
    char *spec;     /* canonical text */
    uint64_t games; /* learned from so far */
    bool edited;    /* its file, or one before it, did not fit its checksum */
    void *data;
};

/* From a spec: a name of the table in game_learners.c, with options. */
KnStatus kn_game_learner_open(const KnContext *context, const KnGame *game, const char *spec,
                              KnGameLearner **learner, KnError *error);
void kn_game_learner_close(KnGameLearner *learner);

KnStatus kn_game_learner_learn(KnGameLearner *learner, const KnPlayedGame *played, KnError *error);
KnStatus kn_game_learner_end_tournament(KnGameLearner *learner, KnError *error);
KnStatus kn_game_learner_freeze(KnGameLearner *learner, KnError *error);
KnStatus kn_game_learner_player(const KnGameLearner *learner, KnPlayer **player, KnError *error);

KnStatus kn_game_learner_save(const KnGameLearner *learner, const char *path, KnError *error);
/* `name`: of the learner that is wanted; NULL: whichever the file holds. */
KnStatus kn_game_learner_load(const KnContext *context, const KnGame *game, const char *name,
                              const char *path, KnGameLearner **learner, KnError *error);
/* The same from a document; `document` stands in messages. */
KnStatus kn_game_learner_parse(const KnContext *context, const KnGame *game, const char *name, json_t *root,
                               const char *document, KnGameLearner **learner, KnError *error);

/* The rows. */
extern const KnGameLearnerType kn_game_learner_hoyle;

/* Learns nothing and plays at random: the thesis's Baseline. */
extern const KnGameLearnerType kn_game_learner_idle;

extern const KnGameLearnerType kn_game_learner_seqlearner;
extern const KnGameLearnerType kn_game_learner_habits;
struct KnHabits;
const struct KnHabits *kn_game_learner_habits_of(const KnGameLearner *learner); /* of one of that row */

#endif
