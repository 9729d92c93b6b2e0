/* The server's inside, shared by the files of this room. */
#ifndef KNACK_WEB_STATE_H
#define KNACK_WEB_STATE_H

#include <pthread.h>

#include "web/games.h"
#include "web/keep.h"
#include "web/web.h"
#include "web/work.h"

typedef struct KnSitting KnSitting;
typedef struct KnRuns KnRuns;
typedef struct KnResults KnResults;

enum {
    KN_WEB_BODY = 1 << 16,   /* bytes of an ordinary request */
    KN_WEB_UPLOAD = 1 << 20, /* of a game or a rule sheet */
    KN_WEB_SHEETS = 500,     /* rule sheets that are kept */
    KN_WEB_PLIES = 4000,     /* a contest ends there, drawn */
    KN_WEB_QUEUE = 1000,     /* decisions that may wait */
    KN_WEB_ANALYSES = 8,     /* that go on at once */
    KN_WEB_CHILDREN = 2      /* runs at once */
};

struct KnWeb {
    const KnContext *context;
    KnWebOptions options;
    KnKeep *keep;
    KnShelf *shelf;
    KnEvents *events;
    KnWork *engines;  /* moves, hints, reasons */
    KnWork *analysts; /* analyses, at a lower priority */
    KnRuns *runs;
    KnResults *results;          /* opened when first asked for */
    struct KnProblems *problems; /* likewise; read-only then */
    struct KnEndgame *endgame;   /* likewise */
    json_t *levels, *openings;   /* read-only */
    KnText page;                 /* index.html with a first game; read-only */
    pthread_mutex_t lock; /* of the sittings, and of opening the results, the problems and the tables */
    KnSitting *sittings;  /* latest used first */
    int sitting_count;
    void *daemon;
    int port;
};

/* One call of the API: the request, its words (the parts of the path that a route leaves open), its body. */
typedef struct KnCall {
    const KnHttpRequest *request;
    const char *words[4];
    json_t *body; /* an object; NULL for requests without one */
} KnCall;

typedef void KnHandler(KnWeb *web, const KnCall *call, KnHttpReply *reply);

typedef struct KnRoute {
    const char *method;
    const char *path; /* below /api/; * stands for one word */
    KnHandler *handle;
    size_t body; /* most bytes; 0 takes none */
} KnRoute;

/* The tables of the parts, each ended by a row without a method. */
extern const KnRoute kn_routes_about[], kn_routes_frames[], kn_routes_contests[], kn_routes_asking[],
    kn_routes_runs[], kn_routes_learn[], kn_routes_lab[], kn_routes_satisfice[], kn_routes_problems[],
    kn_routes_known[];

/* A table of data by game: that of the very spec, else of the game's name, else the one for all others.
 * Borrowed; NULL if there is none. */
const json_t *kn_web_by_game(const json_t *table, const KnShown *shown);

/* {"name", "summary", "options": [...]} of something registered. */
json_t *kn_thing_json(const KnThing *thing);

/* Writes the page that a first visitor gets, with a game in it, so that a board stands there before anything
 * is asked for. */
KnStatus kn_web_lay_page(KnWeb *web, KnError *error);

/* Files of the page; 404 if there is none. Who comes again gets the page with the game that was left. */
void kn_web_asset(KnWeb *web, const KnHttpRequest *request, KnHttpReply *reply);

/* A text of the body, with 400 and false if it is missing (and wanted), no string or too long. NULL if
 * absent. */
bool kn_call_text(const KnCall *call, const char *key, bool wanted, size_t most, const char **out,
                  KnHttpReply *reply);
bool kn_call_number(const KnCall *call, const char *key, bool wanted, double low, double high,
                    double fallback, double *out, KnHttpReply *reply);
bool kn_call_flag(const KnCall *call, const char *key, bool fallback, bool *out, KnHttpReply *reply);

/* A number of the query, with 400 and false if it is none. */
bool kn_call_query(const KnCall *call, const char *name, long low, long high, long fallback, long *out,
                   KnHttpReply *reply);

#endif
