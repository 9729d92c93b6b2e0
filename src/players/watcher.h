/* Watchers: learners that learn from contests, watched or played, and then play by what they have learned
 * (Lock 2003).
 *
 *     KnWatcher *watcher;
 *     kn_watcher_open(context, game, "hoyle(+rote)", &watcher, &error)
 *     kn_watcher_watch(watcher, &contest, &error)      after every contest
 *     kn_watcher_pause(watcher, &error)                after every tournament: for what is swept now and then
 *     kn_watcher_settle(watcher, &error)               training is over: for what is built at the end, and
 * then no longer changes kn_watcher_player(watcher, &player, &error)      a player that uses what has been
 * learned so far and stands still kn_watcher_save(watcher, "five.json", &error);  kn_watcher_load(context,
 * game, "five.json", &watcher, &error)
 *
 * Training environments that call all this, in parallel runs: arena/training.h. To add one: a file that
 * defines a KnWatcherType, a row in watchers.c, and a player whose spec names the saved file (players/hoyle.c
 * shows how).
 *
 * A saved file is JSON that a person can read: {"learner": NAME, "format": F, "spec": ..., "game": ...,
 * "rules": IDENTITY, "contests": N, "knowledge": {...}}; one that was learned for another game, board or
 * format is refused with the reason.
 *
 * Ownership: kn_watcher_open and _load / kn_watcher_close; the game outlives the watcher, the watcher its
 * players (kn_player_close). A watcher is for one thread at a time; after settling, players of several
 * threads may share it. */
#ifndef KNACK_PLAYERS_WATCHER_H
#define KNACK_PLAYERS_WATCHER_H

#include <jansson.h>

#include "base/json.h"
#include "learn/hoyle/scene.h"
#include "learn/hoyle/watched.h"
#include "players/player.h"

typedef struct KnWatcher KnWatcher;

/* Vtable; watch, player, knowledge and recall must be there. `close` is called also after an `open` that
 * failed. */
typedef struct KnWatcherType {
    KnThing head;
    int format; /* of its knowledge; raised when older files can no longer be read */
    KnStatus (*open)(KnWatcher *watcher, const KnOptions *options, KnError *error);
    void (*close)(KnWatcher *watcher);
    KnStatus (*watch)(KnWatcher *watcher, const KnWatched *contest, KnError *error);
    KnStatus (*pause)(KnWatcher *watcher, KnError *error);
    KnStatus (*settle)(KnWatcher *watcher, KnError *error);
    const KnPlayerType
        *player; /* its `open` and `suits` are not used: `data` is made by attach, and freed by its `close` */
    KnStatus (*attach)(const KnWatcher *watcher, KnPlayer *player, KnError *error);
    json_t *(*knowledge)(const KnWatcher *watcher); /* a new reference; NULL if memory runs out */
    KnStatus (*recall)(KnWatcher *watcher, const KnJson *at, KnError *error); /* into a fresh one */
    json_t *(*figures)(const KnWatcher *watcher); /* counts of what was learned: an object of numbers, for
                                                     tables, and of lists of words. May be NULL */
    json_t *(*tally)(
        const KnPlayer *player); /* counts of what a player of its did since it was made. May be NULL */
    void (*show)(const KnWatcher *watcher,
                 KnText *out); /* the best of what was learned, for a person. May be NULL */
} KnWatcherType;

struct KnWatcher {
    const KnWatcherType *type;
    const KnContext *context;
    const KnGame *game;
    KnScene *scene;
    char *spec;        /* canonical text */
    uint64_t contests; /* watched so far */
    void *data;
};

/* From a spec: a name of the table in watchers.c, with options. */
KnStatus kn_watcher_open(const KnContext *context, const KnGame *game, const char *spec, KnWatcher **watcher,
                         KnError *error);
void kn_watcher_close(KnWatcher *watcher);

KnStatus kn_watcher_watch(KnWatcher *watcher, const KnWatched *contest, KnError *error);
KnStatus kn_watcher_pause(KnWatcher *watcher, KnError *error);
KnStatus kn_watcher_settle(KnWatcher *watcher, KnError *error);
KnStatus kn_watcher_player(const KnWatcher *watcher, KnPlayer **player, KnError *error);

KnStatus kn_watcher_save(const KnWatcher *watcher, const char *path, KnError *error);
/* `name`: of the learner that is wanted; NULL: whichever the file holds. */
KnStatus kn_watcher_load(const KnContext *context, const KnGame *game, const char *name, const char *path,
                         KnWatcher **watcher, KnError *error);
/* The same from a document; `document` stands in messages. */
KnStatus kn_watcher_parse(const KnContext *context, const KnGame *game, const char *name, json_t *root,
                          const char *document, KnWatcher **watcher, KnError *error);

/* The rows, ended by NULL: for listings. */
const KnWatcherType *const *kn_watchers(void);

/* The rows. */
extern const KnWatcherType kn_watcher_hoyle;
extern const KnWatcherType kn_watcher_idle; /* learns nothing and plays at random: the thesis's Baseline */
extern const KnWatcherType kn_watcher_seqlearner;

#endif
