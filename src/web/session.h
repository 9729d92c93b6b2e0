/* A game session: a game in progress and its seats, where people and engines play. /api/sessions/ID shows it.
 *
 * A session holds the game state at the current ply, the moves beyond it (for redo), the player of each seat,
 * and the work under way: engine moves and an analysis. Every change is committed first (persistence.h), then
 * published to listeners (events.h), and then the engines that have the move are asked. An engine's answer
 * that arrives after a change is dropped.
 *
 * Sessions stay in memory while somebody uses them. A session that was evicted is loaded again on demand.
 *
 * Statuses, as kn_reply_fail maps them: KN_NO for what is impossible now (409), KN_INPUT for wrong input
 * (422).
 *
 * Ownership: reference counted. kn_session_new and kn_session_find return a reference; give it back with
 * kn_session_release. Functions named kn_session_* take the session's lock unless they say otherwise. */
#ifndef KNACK_WEB_SESSION_H
#define KNACK_WEB_SESSION_H

#include "web/state.h"

enum { KN_SESSION_ID = 20, KN_SESSION_PATH = 32 };

#define KN_SEAT_HUMAN "human"
#define KN_WEB_BUSY   "all engines are busy; pause and go on in a moment"

/* One played move, with what the game state does not record. */
typedef struct KnMoveAnnotation {
    char *text; /* the joint move, in the form of kn_moves_text */
    int path[KN_SESSION_PATH];
    int path_count;
    int mover;       /* -1: several */
    json_t *seating; /* the players at that move, by role; plies with the same players share it */
    bool has_score;
    KnScore score; /* for the first role */
    double chance; /* the share of the points that the score expects for the first role; -1: it counts men */
} KnMoveAnnotation;

struct KnMoveTask;
struct KnAnalysis;

struct KnSession {
    KnWeb *web;
    KnSession *next; /* in the list of KnWeb, under its lock */
    int refs;        /* likewise */
    char id[KN_SESSION_ID];
    pthread_mutex_t lock; /* of everything below */
    KnCachedGame *cached;
    KnState *state; /* at the current ply */
    KnMove *joints; /* joint moves of all plies, including those to redo; one entry for each role */
    KnMoveAnnotation *annotations;
    size_t plies, capacity;
    char *seats[KN_ROLES_MAX]; /* KN_SEAT_HUMAN, a player's canonical spec, or NULL for nature */
    json_t *seating; /* the seats as an array, shared by annotations; NULL after a change of seats until the
                        next move */
    KnMove chosen[KN_ROLES_MAX]; /* chosen but not yet played, while other roles still choose */
    bool has_score;              /* `score` is that of the move an engine has just chosen */
    KnScore score;               /* for the first role */
    double chance;               /* as in KnMoveAnnotation */
    char *start;                 /* position text, "" for the game's start */
    uint64_t seed;
    int resigned; /* role, or -1 */
    bool paused;
    double delay; /* seconds between engines' moves */
    uint64_t revision;
    double updated;       /* seconds since 1970 */
    double moved, viewed; /* by kn_clock_now */
    char trouble[512];    /* why an engine does not move; "" if all is well */
    struct KnMoveTask *move_tasks[KN_ROLES_MAX];
    json_t *advice; /* answers to hints and about people's moves, by ply, role and spec: one answer for a
                       position */
    json_t *owners; /* who may move (owners.h); NULL: everybody */
    char room[8];   /* the classroom whose events tell of this board; "" until somebody looks at the room */
    struct KnAnalysis *analysis;
    char *analyst;                /* spec of the analysing player; NULL: plain search */
    atomic_uint_least64_t client; /* who asked last: its time is charged to that client; 0: nobody */
    atomic_bool analysing; /* the user wants analysis; it continues after each move while somebody listens */
};

typedef struct KnSessionPlan {
    const char *game;
    const char *seats[KN_ROLES_MAX]; /* of the roles except nature, in order; people where missing */
    int seat_count;
    const char *position; /* NULL: the start */
    const char *moves;    /* NULL: none */
    uint64_t client;      /* who opens it */
    uint64_t seed;
    bool paused;
    double delay; /* negative: half a second between engines, else 0 */
} KnSessionPlan;

KnStatus kn_session_new(KnWeb *web, const KnSessionPlan *plan, const char **field, KnSession **session,
                        KnError *error);

/* Shows the session that a plan would open, without an id and without opening it. A new reference. */
KnStatus kn_session_preview(KnWeb *web, const KnSessionPlan *plan, json_t **view, KnError *error);

/* KN_OK with NULL if no session has this id. */
KnStatus kn_session_find(KnWeb *web, const char *id, KnSession **session, KnError *error);
void kn_session_release(KnSession *session);

/* The session that a call of the API names; NULL, with the reply written, if there is none. */
KnSession *kn_call_session(KnWeb *web, const KnCall *call, KnHttpReply *reply);

/* The key of a session in fair queues. */
uint64_t kn_session_flow(const KnSession *session);

/* Closes all sessions when the server ends. */
void kn_sessions_close(KnWeb *web);

KnStatus kn_session_move(KnSession *session, size_t ply, int role, const char *text, KnError *error);
KnStatus kn_session_step(KnSession *session, bool back, long ply,
                         KnError *error);                                 /* ply -1: by one decision */
KnStatus kn_session_resign(KnSession *session, int role, KnError *error); /* role -1: the person's */
KnStatus kn_session_swap(KnSession *session, KnError *error);
KnStatus kn_session_seat(KnSession *session, int role, const char *spec, KnError *error);
KnStatus kn_session_set_up(KnSession *session, const char *position, KnError *error);
KnStatus kn_session_pace(KnSession *session, const bool *paused, double delay,
                         KnError *error); /* NULL and negative values change nothing */

/* Records that a client looks at the session: a game between engines pauses when nobody looks. */
void kn_session_mark_viewed(KnSession *session);

/* The session as the API shows it, at a ply (-1: now). A new reference. */
json_t *kn_session_json(KnSession *session, long ply);

/* Sends the session as the first event of a stream, unless the listener has this revision already. */
void kn_session_send(KnSession *session, KnListener *listener, uint64_t seen);

/* ---- the caller holds the lock ---- */

/* Call after every change: cancels the work under way, commits, publishes and asks the engines to move. */
KnStatus kn_session_changed(KnSession *session, KnError *error);
KnStatus
kn_session_move_chosen(KnSession *session,
                       KnError *error); /* the same after a choice that may leave the ply unchanged */
KnStatus kn_session_play(KnSession *session, const KnMove *joint,
                         KnError *error); /* truncates the moves to redo */
bool kn_session_over(const KnSession *session, double *payoffs);
bool kn_session_result(const KnSession *session, KnText *text); /* false, without a text, if it goes on */
json_t *kn_session_view(const KnSession *session, long ply);
void kn_session_publish(KnSession *session); /* sends the session to its listeners */
bool kn_session_all_engines(const KnSession *session);
void kn_session_retain(KnSession *session); /* one more reference */

void kn_session_clear_chosen(KnSession *session);
KnStatus kn_session_save(KnSession *session, KnError *error);
void kn_session_unlist(KnSession *session);
KnStatus kn_session_take_seat(KnSession *session, int role, const char *spec, KnError *error);
void kn_session_forget_seating(KnSession *session); /* after any change of seats */
const char *kn_session_seat_at(const KnSession *session, size_t ply,
                               int role); /* the player of a recorded move; NULL for nature */
KnStatus kn_session_restart(KnSession *session, const char *position, KnError *error); /* "": the start */

/* A score for the first role in men (a man is worth 1); +-999 for a proven result. */
double kn_score_in_men(KnScore score);
/* The share of the points that a score stands for, from 0 to 1; scores in men by one fixed curve. */
double kn_curve_chance(KnScore score, bool payoffs, double log_odds);
/* {"score", "text"}, with "chance" where it expects a share of the points (kn_score_chance). */
json_t *kn_score_json(KnScore score, bool payoffs, double log_odds);

/* The player to ask where the client names none: the game's strongest level. */
const char *kn_session_adviser(const KnSession *session);

/* ---- session_engines.c; the caller holds the lock ---- */

void kn_session_ask_engines(
    KnSession *session); /* starts a task for each engine that has the move and has none */
void kn_session_cancel_engines(KnSession *session);

/* KN_STOPPED if an engine of the session would not even find a place in the queue. */
KnStatus kn_session_check_room(const KnSession *session, KnError *error);

/* ---- analysis.c; the caller holds the lock ---- */

void kn_session_stop_analysis(KnSession *session);
void kn_session_start_analysis(KnSession *session);

#endif
