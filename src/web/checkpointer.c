#include "web/checkpointer.h"

#include <stdbool.h>
#include <stdlib.h>

/* Pages in the log that call for a checkpoint: more than SQLite's 1,000, because the first write after one
 * waits for the disk too. From PAGES_MAX pages on, the checkpoint keeps writers out, since the
 * log never ends while others write beside it. From PAGES_LIMIT pages on (the thread gets no turn, or the
 * disk is slow), the writer itself waits and empties the log. */
enum { PAGES = 4000, PAGES_MAX = 4 * PAGES, PAGES_LIMIT = 5 * PAGES };

struct KnCheckpointer {
    sqlite3 *users, *own;        /* the database of those who write, and a second connection to it */
    pthread_mutex_t *users_lock; /* taken before `moving` */
    pthread_mutex_t moving;      /* SQLite refuses a second checkpoint beside one, without waiting for it */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int pages; /* in the log, when a checkpoint is due; else 0 */
    bool closing;
};

static void move_pages(KnCheckpointer *checkpointer, bool all)
{
    if (all) pthread_mutex_lock(checkpointer->users_lock);
    pthread_mutex_lock(&checkpointer->moving);
    sqlite3_wal_checkpoint_v2(checkpointer->own, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    pthread_mutex_unlock(&checkpointer->moving);
    if (all) pthread_mutex_unlock(checkpointer->users_lock);
}

static void *work(void *user)
{
    KnCheckpointer *checkpointer = user;
    pthread_mutex_lock(&checkpointer->lock);
    while (!checkpointer->closing) {
        int pages = checkpointer->pages;
        checkpointer->pages = 0;
        if (!pages) {
            pthread_cond_wait(&checkpointer->changed, &checkpointer->lock);
            continue;
        }
        pthread_mutex_unlock(&checkpointer->lock);
        move_pages(checkpointer, false);
        if (pages >= PAGES_MAX) move_pages(checkpointer, true); /* the few that came meanwhile */
        pthread_mutex_lock(&checkpointer->lock);
    }
    pthread_mutex_unlock(&checkpointer->lock);
    return NULL;
}

/* SQLite calls this after each commit, while whoever wrote has the users' lock. */
static int committed(void *user, sqlite3 *db, const char *name, int pages)
{
    KnCheckpointer *checkpointer = user;
    if (pages < PAGES) return SQLITE_OK;
    if (pages >= PAGES_LIMIT) {
        pthread_mutex_lock(&checkpointer->moving);
        sqlite3_wal_checkpoint_v2(db, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
        pthread_mutex_unlock(&checkpointer->moving);
        return SQLITE_OK;
    }
    pthread_mutex_lock(&checkpointer->lock);
    checkpointer->pages = pages;
    pthread_cond_signal(&checkpointer->changed);
    pthread_mutex_unlock(&checkpointer->lock);
    return SQLITE_OK;
}

KnCheckpointer *kn_checkpointer_new(sqlite3 *db, const char *path, pthread_mutex_t *lock)
{
    KnCheckpointer *checkpointer = calloc(1, sizeof *checkpointer);
    if (!checkpointer) return NULL;
    checkpointer->users = db;
    checkpointer->users_lock = lock;
    pthread_mutex_init(&checkpointer->lock, NULL);
    pthread_mutex_init(&checkpointer->moving, NULL);
    pthread_cond_init(&checkpointer->changed, NULL);
    if (sqlite3_open_v2(path, &checkpointer->own, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        /* A connection that has read nothing yet knows of no log, and moves none. */
        sqlite3_exec(checkpointer->own, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL) ==
            SQLITE_OK &&
        pthread_create(&checkpointer->thread, NULL, work, checkpointer) == 0) {
        sqlite3_wal_hook(db, committed, checkpointer); /* in place of SQLite's own */
        return checkpointer;
    }
    sqlite3_close(checkpointer->own);
    pthread_cond_destroy(&checkpointer->changed);
    pthread_mutex_destroy(&checkpointer->lock);
    pthread_mutex_destroy(&checkpointer->moving);
    free(checkpointer);
    return NULL;
}

void kn_checkpointer_free(KnCheckpointer *checkpointer)
{
    if (!checkpointer) return;
    sqlite3_wal_hook(checkpointer->users, NULL, NULL);
    pthread_mutex_lock(&checkpointer->lock);
    checkpointer->closing = true;
    pthread_cond_signal(&checkpointer->changed);
    pthread_mutex_unlock(&checkpointer->lock);
    pthread_join(checkpointer->thread, NULL);
    sqlite3_close(checkpointer->own);
    pthread_cond_destroy(&checkpointer->changed);
    pthread_mutex_destroy(&checkpointer->lock);
    pthread_mutex_destroy(&checkpointer->moving);
    free(checkpointer);
}
