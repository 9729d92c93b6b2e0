/* The inside of a match. Private to ggp_match.c, ggp_clock_keeper.c and ggp_search_thread.c.
 *
 * The match is a list of joint moves as text, which only grows at its end; ply n is the state after the first
 * n of them. The thread that answers a message adds to it. The clock keeper plays the moves and counts them
 * in `kept`; it removes a joint move that is not legal. Clock keeper and search thread communicate only
 * through this structure, under one lock; every change wakes all threads. */
#ifndef KNACK_PROTOCOLS_GGP_MATCH_INSIDE_H
#define KNACK_PROTOCOLS_GGP_MATCH_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>

#include <knack/base.h>
#include "protocols/ggp_game_list.h"
#include "protocols/ggp_match.h"

enum { KN_GGP_MOST_PLIES = 100000 };

#define KN_GGP_NO_PLY SIZE_MAX

typedef enum KnGgpStage { KN_GGP_SETTING_UP, KN_GGP_READY, KN_GGP_UNABLE } KnGgpStage;

struct KnGgpMatch {
    KnGgpSeat seat;
    char *id, *role_name, *rules; /* copies */
    size_t rules_length;
    double start_clock, play_clock;
    double ready_by; /* when START must be answered */

    pthread_mutex_t lock;
    pthread_cond_t changed; /* by the monotonic clock */
    pthread_t clock_keeper, search_thread, grounder;
    bool has_clock_keeper, has_search_thread, has_grounder;

    KnGgpStage stage;
    KnError trouble; /* of KN_GGP_UNABLE */
    bool prepared;   /* the player has used its start clock, or has none to use */

    KnGgpTable *grounded;                 /* found by the grounder, until the clock keeper takes it */
    bool grounding;                       /* it is still at work */
    atomic_bool no_grounding, no_proving; /* no more of it is of use */

    char **said; /* joint moves */
    size_t said_count, said_room;

    KnGgpTable *table; /* that the moves below belong to; the match's own share */
    int role;
    KnMove *joints; /* by ply and role */
    size_t joint_room;
    size_t kept;  /* the state that is known, and what is legal there */
    bool open;    /* the player has something to decide there */
    char **legal; /* texts */
    int legal_count;

    size_t wanted; /* the ply for which a choice is wanted */
    double think_until;
    atomic_bool cancel;
    size_t chosen_ply;
    KnText chosen;
    double chosen_at;
    size_t hint_ply; /* and what the player's first, short thought came to: for when there is no more */
    KnText hint;

    size_t answered_ply; /* and what the answer was: the same question gets the same one */
    KnText answered;
    uint64_t seed; /* the seat's, made the match's own by its name */
    KnRng rng;     /* for moves by chance */

    bool stopping, aborted; /* no more questions; what was learned does not count */
    bool finished;          /* the clock keeper has followed everything that was said */
    bool gone;
};

/* The bodies of the threads; the argument is the match. */
void *kn_ggp_clock_keeper(void *match);
void *kn_ggp_search_thread(void *match);

/* With the lock held: waits for a change until a time (INFINITY: as long as it takes). */
void kn_ggp_wait(KnGgpMatch *match, double until);
/* Seconds that are kept back from a clock. */
double kn_ggp_margin(const KnGgpMatch *match, double clock);

#endif
