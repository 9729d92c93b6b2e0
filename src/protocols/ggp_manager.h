/* A match manager of general game playing: sends the rules, asks everybody for moves by the clock, and keeps
 * the record.
 *
 * Players are addresses (host:port), spoken to over the network, or specs, seated in this process behind the
 * same protocol. Time-outs are those of the usual manager: 5 s for a connection, the start clock for START,
 * the play clock and a second for PLAY, the play clock for STOP, a second for ABORT. A move that is late,
 * illegal, malformed or lost is replaced by one by chance; it is counted, and the match goes on. A role
 * called random is played here.
 *
 * Ownership: everything in a plan is borrowed while it runs. */
#ifndef KNACK_PROTOCOLS_GGP_MANAGER_H
#define KNACK_PROTOCOLS_GGP_MANAGER_H

#include <jansson.h>
#include <stdatomic.h>

#include "base/log.h"
#include "protocols/ggp_game_list.h"
#include <knack/stats.h>

/* What can be wrong with an answer. */
typedef enum KnGgpFault {
    KN_GGP_FINE,
    KN_GGP_LATE,      /* no answer in time */
    KN_GGP_ILLEGAL,   /* a term, but no legal move */
    KN_GGP_MALFORMED, /* no term, or no HTTP */
    KN_GGP_LOST,      /* no connection, or it broke */
    KN_GGP_UNREADY,   /* START was not answered with ready */
    KN_GGP_FAULTS
} KnGgpFault;

const char *kn_ggp_fault_name(KnGgpFault fault); /* "fine", "late", ... */

typedef struct KnGgpPlan {
    const KnContext *context;
    const char *name;           /* of the rules */
    const char *rules;          /* text */
    const char *const *players; /* addresses or specs, one for each role that is not random */
    int player_count;
    double start_clock, play_clock;
    int matches;
    bool rotate;      /* the players change roles from match to match */
    bool obfuscation; /* the players see other names, in every match others */
    size_t plies;     /* a match that is not over after this many steps is aborted; 0: no limit */
    double margin;    /* of specs; 0: the default */
    uint64_t seed;
    KnLog log;
    const atomic_bool *cancel; /* may be NULL */
} KnGgpPlan;

/* How a player did. */
typedef struct KnGgpTally {
    uint64_t matches, answers;
    KnMoments goals; /* of the matches that came to their end */
    uint64_t faults[KN_GGP_FAULTS];
    uint64_t over;  /* answers that came in after the clock itself, though before the time-out */
    double slowest; /* seconds for a move, of answers that came */
    double readied; /* the longest START */
} KnGgpTally;

/* One match, told when it is over. `record` is in the usual form of match records; borrowed. */
typedef struct KnGgpManaged {
    int number; /* from 0 */
    const char *id;
    size_t plies;
    bool completed;  /* false: aborted */
    const char *why; /* it was aborted */
    int roles;
    const int *seats; /* player by role; -1: random */
    const int *goals; /* by role */
    const json_t *record;
} KnGgpManaged;

/* Runs the matches one after the other. `report` (may be NULL) may stop it by returning another status.
 * `tallies`: one for each player. Returns KN_OK whatever the players do; KN_INPUT if the plan makes no sense;
 * KN_STOPPED when cancelled, after ABORT was sent. */
KnStatus kn_ggp_manage(const KnGgpPlan *plan,
                       KnStatus (*report)(void *user, const KnGgpManaged *match, KnError *error), void *user,
                       KnGgpTally *tallies, KnError *error);

#endif
