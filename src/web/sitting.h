/* A sitting: a contest in progress with its seats, at which people and engines play; what /api/contests/ID
 * shows.
 *
 * A sitting is a contest at a ply, the moves played beyond it (for redo), who sits where, and what is under
 * way: engines that think, an analysis. Every change is committed (keep.h), told to whoever looks (events.h),
 * and then whoever has the move is asked. Answers of engines that come after a change are dropped.
 *
 * Sittings live in memory as long as somebody uses them and are read back from what is kept when they are
 * asked for again.
 *
 * Statuses, as kn_reply_fail understands them: KN_NO for what cannot be done now (409), KN_INPUT for what is
 * wrong (422).
 *
 * Ownership: counted. kn_sitting_new and kn_sitting_find give a reference that kn_sitting_release takes back.
 * Functions named kn_sitting_* take the sitting's lock themselves unless they say otherwise. */
#ifndef KNACK_WEB_SITTING_H
#define KNACK_WEB_SITTING_H

#include "web/state.h"

enum { KN_SITTING_ID = 20, KN_SITTING_PATH = 32 };

#define KN_SEAT_HUMAN "human"

/* What is remembered of a ply, beside the contest's own record. */
typedef struct KnPlyNote {
    char *text; /* the joint move, as kn_moves_text writes it */
    int path[KN_SITTING_PATH];
    int path_count;
    int mover;      /* -1: several */
    json_t *seated; /* who sat where when it was made; shared by the plies of the same seating */
    bool has_score;
    KnScore score; /* for the first role */
} KnPlyNote;

struct KnThinking;
struct KnAnalysis;

struct KnSitting {
    KnWeb *web;
    KnSitting *next; /* the web's list, under its lock */
    int refs;        /* likewise */
    char id[KN_SITTING_ID];
    pthread_mutex_t lock; /* of everything below */
    KnShown *shown;
    KnContest *contest; /* at the ply that is looked at */
    KnMove *joints;     /* of all plies, those to redo included; roles each */
    KnPlyNote *notes;
    size_t plies, capacity;
    char *seats[KN_ROLES_MAX]; /* KN_SEAT_HUMAN, a player's canonical spec, or NULL for nature */
    json_t *seated; /* the same as an array, which plies refer to; NULL until a move is made after a change of
                       seats */
    KnMove chosen[KN_ROLES_MAX]; /* chosen already, where others still think */
    bool has_score;              /* of the move that an engine chose last, until it is played */
    KnScore score;               /* for the first role */
    char *start;                 /* position text, "" for the game's start */
    uint64_t seed;
    int resigned; /* role, or -1 */
    bool paused;
    double delay; /* seconds between engines' moves */
    uint64_t revision;
    double updated;       /* seconds since 1970 */
    double moved, looked; /* by kn_clock_now */
    char trouble[512];    /* why an engine does not move; "" if all is well */
    struct KnThinking *thinking[KN_ROLES_MAX];
    struct KnAnalysis *analysis;
    char *analyst;         /* the player whose analysis it is; NULL: plain search */
    atomic_bool analysing; /* asked for; goes on after each move until nobody listens */
};

typedef struct KnSittingPlan {
    const char *game;
    const char *seats[KN_ROLES_MAX]; /* of the roles but nature, in order; missing ones are people */
    int seat_count;
    const char *position; /* NULL: the start */
    const char *moves;    /* NULL: none */
    uint64_t seed;
    bool paused;
    double delay; /* negative: by who plays */
} KnSittingPlan;

KnStatus kn_sitting_new(KnWeb *web, const KnSittingPlan *plan, const char **field, KnSitting **sitting,
                        KnError *error);

/* How a contest would look that began so: as kn_sitting_json shows it, without an id. Nothing is begun. A new
 * reference. */
KnStatus kn_sitting_preview(KnWeb *web, const KnSittingPlan *plan, json_t **view, KnError *error);

/* KN_OK with NULL if there is none of this id. */
KnStatus kn_sitting_find(KnWeb *web, const char *id, KnSitting **sitting, KnError *error);
void kn_sitting_release(KnSitting *sitting);

/* All of them, when the server closes. */
void kn_sittings_close(KnWeb *web);

KnStatus kn_sitting_move(KnSitting *sitting, size_t ply, int role, const char *text, KnError *error);
KnStatus kn_sitting_go(KnSitting *sitting, bool back, long ply, KnError *error); /* ply -1: by one decision */
KnStatus kn_sitting_resign(KnSitting *sitting, int role, KnError *error);        /* role -1: the person's */
KnStatus kn_sitting_swap(KnSitting *sitting, KnError *error);
KnStatus kn_sitting_seat(KnSitting *sitting, int role, const char *spec, KnError *error);
KnStatus kn_sitting_set_up(KnSitting *sitting, const char *position, KnError *error);
KnStatus kn_sitting_pace(KnSitting *sitting, const bool *paused, double delay,
                         KnError *error); /* NULL, and below 0: as it is */

/* Somebody looks: engines among themselves go on only then. */
void kn_sitting_look(KnSitting *sitting);

/* The contest as the API shows it, as it was at a ply (-1: now). A new reference. */
json_t *kn_sitting_json(KnSitting *sitting, long ply);

/* The state as the first event of a stream, unless the listener has this revision already. */
void kn_sitting_tell(KnSitting *sitting, KnListener *listener, uint64_t seen);

/* ---- with the lock held ---- */

/* After every change: cancels what is under way, commits, tells, and asks who has the move. */
KnStatus kn_sitting_changed(KnSitting *sitting, KnError *error);
KnStatus kn_sitting_chosen(KnSitting *sitting,
                           KnError *error); /* the same after a choice, which others need not hear of */
KnStatus kn_sitting_play(KnSitting *sitting, const KnMove *joint,
                         KnError *error); /* and forgets what was to redo */
bool kn_sitting_over(const KnSitting *sitting, double *payoffs);
json_t *kn_sitting_view(const KnSitting *sitting, long ply);
void kn_sitting_shout(KnSitting *sitting); /* the state to whoever hears it */
bool kn_sitting_all_engines(const KnSitting *sitting);
void kn_sitting_hold(KnSitting *sitting); /* one more reference */

void kn_sitting_clear_chosen(KnSitting *sitting);
KnStatus kn_sitting_save(KnSitting *sitting, KnError *error);
void kn_sitting_unlist(KnSitting *sitting);
KnStatus kn_sitting_take_seat(KnSitting *sitting, int role, const char *spec, KnError *error);
void kn_sitting_reseated(KnSitting *sitting); /* after any change of seats */
const char *kn_sitting_sat(const KnSitting *sitting, size_t ply,
                           int role); /* at a move that was made; NULL for nature */
KnStatus kn_sitting_begin(KnSitting *sitting, const char *position, KnError *error); /* "": the start */

/* A score as people read it, for the first role: in men, +-999 where it is decided. */
double kn_score_in_men(KnScore score);
json_t *kn_score_json(KnScore score); /* {"score", "text"} */

/* ---- thinking.c, with the lock held ---- */

void kn_sitting_wake(KnSitting *sitting); /* asks whoever has the move and has not been asked */
void kn_sitting_stop_thinking(KnSitting *sitting);

/* ---- analysis.c, with the lock held ---- */

void kn_sitting_stop_analysis(KnSitting *sitting);
void kn_sitting_start_analysis(KnSitting *sitting);

#endif
