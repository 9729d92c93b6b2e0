/* The server's internal state, shared by the files of this folder. */
#ifndef KNACK_WEB_STATE_H
#define KNACK_WEB_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "web/player_cache.h"
#include "web/persistence.h"
#include "web/web.h"
#include "web/thread_pool.h"

typedef struct KnSession KnSession;
typedef struct KnRuns KnRuns;
typedef struct KnResults KnResults;

enum {
    KN_WEB_BODY = 1 << 16,     /* bytes of an ordinary request's body */
    KN_WEB_UPLOAD = 1 << 20,   /* of an uploaded game record or game description */
    KN_WEB_DESCRIPTIONS = 500, /* uploaded game descriptions */
    KN_WEB_PLIES = 4000,       /* longest game; it is a draw then */
    KN_WEB_QUEUE = 4000,       /* queued decisions */
    KN_WEB_ENGINES = 48,       /* engine threads */
    KN_NICE_ANALYSIS = 5,      /* priority of analyses */
    KN_WEB_PATIENCE = 20,      /* seconds that a question waits for an engine thread */
    KN_WEB_LONG = 4,           /* long decisions at the same time for each engine thread */
    KN_WEB_ANALYSES = 8,       /* analyses at the same time */
    KN_WEB_PROCESSES = 2       /* worker processes at the same time */
};

struct KnWeb {
    const KnContext *context;
    KnWebOptions options;
    KnPersistence *persistence;
    KnPlayerCache *cache;
    KnEvents *events;
    KnThreadPool *engines;  /* moves, hints, reasons */
    KnThreadPool *analysts; /* analyses, at a lower priority */
    KnRuns *runs;
    KnResults *results;                 /* opened on first use */
    struct KnCaptureProblems *problems; /* likewise; read-only then */
    struct KnEndgame *endgame;          /* likewise */
    json_t *levels, *openings;          /* read-only */
    KnText page;                        /* index.html with a first game; read-only */
    pthread_mutex_t rooms; /* a change of a room reads it, changes it and saves it under this lock */
    pthread_mutex_t lock;  /* guards the sessions, and the first use of results, problems and tables */
    KnSession *sessions;   /* latest used first */
    int session_count;
    atomic_bool closing; /* an engine's answer is not wanted any more: it was told to hurry */
    void *daemon;
    struct KnConnections *connections; /* while it listens */
    int port;
};

/* One call of the API: the request, the path segments matched by *, and the body. */
typedef struct KnCall {
    const KnHttpRequest *request;
    const char *words[4];
    json_t *body; /* an object; NULL for requests without one */
} KnCall;

typedef void KnHandler(KnWeb *web, const KnCall *call, KnHttpReply *reply);

typedef struct KnRoute {
    const char *method;
    const char *path; /* below /api/; * matches one segment */
    KnHandler *handle;
    size_t body; /* limit in bytes; 0: no body */
} KnRoute;

/* The routing tables, each ended by a row without a method. */
extern const KnRoute kn_routes_about[], kn_routes_frames[], kn_routes_sessions[], kn_routes_questions[],
    kn_routes_runs[], kn_routes_learn[], kn_routes_lab[], kn_routes_satisfice[], kn_routes_problems[],
    kn_routes_knowledge[], kn_routes_review[], kn_routes_rooms[], kn_routes_territory[];

/* The entry of a table by game: for the exact spec, else for the game's name, else the default. Borrowed;
 * NULL if there is none. */
const json_t *kn_web_by_game(const json_t *table, const KnCachedGame *cached);

/* {"name", "summary", "options": [...]} of a registry entry. */
json_t *kn_thing_json(const KnThing *thing);

/* Prepares the page for a first visitor. It contains a game, so that the board appears without another
 * request. */
KnStatus kn_web_prepare_page(KnWeb *web, KnError *error);

/* Serves a file of the page, or 404. A returning visitor gets the page with the last game. */
void kn_web_asset(KnWeb *web, const KnHttpRequest *request, KnHttpReply *reply);

/* Runs a function on an engine thread in the name of the call's client, and waits for its end. KN_STOPPED if
 * it cannot start within KN_WEB_PATIENCE seconds. */
KnStatus kn_call_compute(KnWeb *web, const KnCall *call, void (*function)(void *user), void *user,
                         KnError *error);

/* Reads a string of the body; NULL if absent. False, with the reply 400, if it is required and missing, no
 * string, or longer than `most`. */
bool kn_call_text(const KnCall *call, const char *key, bool wanted, size_t most, const char **out,
                  KnHttpReply *reply);
bool kn_call_number(const KnCall *call, const char *key, bool wanted, double low, double high,
                    double fallback, double *out, KnHttpReply *reply);
bool kn_call_flag(const KnCall *call, const char *key, bool fallback, bool *out, KnHttpReply *reply);

/* Reads a number of the query. False, with the reply 400, if it is not a number. */
bool kn_call_query(const KnCall *call, const char *name, long low, long high, long fallback, long *out,
                   KnHttpReply *reply);

#endif
