/* A goal within a game: the interface between proof search and games.
 *
 * The attacker wants to reach something (capture a string, bring the ball over the line, make five in a row);
 * the defender prevents it. A KnGoal is a position with a goal, with play and undo. Moves are small numbers
 * of the goal; KN_GOAL_PASS is the pass.
 *
 * A game provides two kinds of move sets. Attacking sets may omit moves: the search then finds less.
 * Defending sets must be complete: `defences(within)` holds every defending move after which an attacker who
 * could reach the goal within that many own moves, had the defender passed, no longer can. A missing move
 * gives false proofs; each game's tests compare its sets with all legal moves. */
#ifndef KNACK_GAMES_GOALS_H
#define KNACK_GAMES_GOALS_H

#include <stdbool.h>
#include <stdint.h>

#include "games/game.h"

enum {
    KN_GOAL_PASS = 0,
    KN_GOAL_MOVES_MAX = 512,
    KN_GOAL_THREATS = 3 /* largest `within` */,
    KN_GOAL_ROUNDS = 3 /* rounds of likely moves */,
    KN_GOAL_STEPS = 64 /* moves of a turn */
};

/* The status of a position. */
typedef enum KnGoalStanding {
    KN_GOAL_OPEN,
    KN_GOAL_REACHED,
    KN_GOAL_LOST /* the attacker cannot reach it, by the rules or by the game's stated evaluation */
} KnGoalStanding;

/* Sets of attacking moves; each includes the one before. */
typedef enum KnWidth { KN_WIDTH_NARROW = 1, KN_WIDTH_WIDE = 2, KN_WIDTH_ALL = 3 } KnWidth;

/* A set of places that a proof depends on (a relevance zone). */
enum { KN_ZONE_WORDS = 8 };
typedef struct KnZone {
    uint64_t w[KN_ZONE_WORDS];
} KnZone;

static inline void kn_zone_add(KnZone *zone, int place)
{
    zone->w[place >> 6] |= (uint64_t)1 << (place & 63);
}
static inline bool kn_zone_has(const KnZone *zone, int place)
{
    return zone->w[place >> 6] >> (place & 63) & 1;
}
static inline void kn_zone_join(KnZone *zone, const KnZone *other)
{
    for (int i = 0; i < KN_ZONE_WORDS; i++) zone->w[i] |= other->w[i];
}

/* The state of a place for the side to move. */
typedef enum KnPlace {
    KN_PLACE_TAKEN,
    KN_PLACE_LEGAL,
    KN_PLACE_BARRED /* free, but not legal now */
} KnPlace;

/* An estimate for a move: the number of own moves that the attacker still needs, and the maximum after the
 * defender's reply. */
typedef struct KnOutlook {
    int needs, reach;
} KnOutlook;

/* Counts positions of small searches, with a limit (0: none). */
typedef struct KnGoalCount {
    uint64_t nodes, most;
} KnGoalCount;

typedef struct KnGoal KnGoal;

typedef struct KnGoalType {
    const char *name;

    /* Plays a legal move or a pass for the side to move, and undoes it. */
    bool (*play)(KnGoal *goal, int move); /* false: out of memory, nothing was played */
    void (*undo)(KnGoal *goal);

    KnGoalStanding (*standing)(const KnGoal *goal);
    int (*needs)(const KnGoal *goal);     /* lower bound on the attacker's own moves */
    uint64_t (*hash)(const KnGoal *goal); /* of everything relevant, including the side to move */

    /* Move lists; each returns its length. Likely moves first; only legal ones. */
    int (*attacks)(
        KnGoal *goal, int within,
        int *moves); /* attacking moves that may reach the goal within 1..KN_GOAL_THREATS own moves */
    int (*defences)(KnGoal *goal, int within, int *moves); /* complete, see above */
    int (*widen)(KnGoal *goal, KnWidth width, int *moves); /* attacking moves for the search */
    int (*likely)(KnGoal *goal, int round,
                  int *moves); /* moves of the side to move to try first; later rounds add moves for harder
                                  positions. May be NULL */
    int (*legal)(KnGoal *goal, int *moves); /* all legal moves of the side to move, without the pass */

    /* A fast search of forcing moves: true if the attacker reaches the goal. False proves nothing. Counts
     * positions. May be NULL. */
    bool (*forced)(KnGoal *goal, KnGoalCount *played);

    /* For the fast reader; both may be NULL, and count positions. `ladder`: as `forced`, in fewer positions.
     * `sharp`: the likely moves of round 0 without those that a small search of their own does not support,
     * such as attacks on strings that get away. */
    bool (*ladder)(KnGoal *goal, KnGoalCount *played);
    int (*sharp)(KnGoal *goal, KnGoalCount *played, int *moves);

    /* For games where moves are places and distant places do not matter: what a proof depends on. Each call
     * describes the position before the move and adds places to the zone so that the proof holds in every
     * position that agrees there. NULL if a game cannot tell. */
    KnPlace (*place)(const KnGoal *goal, int place);
    void (*depends_end)(const KnGoal *goal,
                        KnZone *zone); /* the status; if open: that the goal is not reached */
    void (*depends_move)(KnGoal *goal, int move,
                         KnZone *zone); /* that the prover's move is legal, and all its effects */
    void (*depends_reply)(KnGoal *goal, int move,
                          KnZone *zone); /* the same for a reply; for an illegal reply: that it is illegal */
    void (*depends_elsewhere)(KnGoal *goal,
                              KnZone *zone); /* that a reply outside the zone changes nothing inside */

    /* Immediate escapes, if the game can tell without search; both may be NULL. `escape`, defender to move: a
     * move that makes the goal unreachable immediately, or -1. `parries`, attacker to move: all places, legal
     * or not, where a move prevents such an escape, or one that the game recognises without playing it; none
     * if the goal cannot be reached any more; -1: there is no escape even after a pass. Both add their
     * dependencies to the zone. */
    int (*escape)(KnGoal *goal, KnZone *zone);
    int (*parries)(KnGoal *goal, int *moves, KnZone *zone);

    /* For the same games and the side to move. A pass is always legal and lifts a ko. */
    uint64_t (*hash_after)(const KnGoal *goal, int move); /* hash after a legal move */
    void (*outlook)(const KnGoal *goal, const int *moves, int count, KnOutlook *outlooks); /* of each */
    bool (*bound)(const KnGoal *goal); /* a ko rule forbids a move */
} KnGoalType;

/* How a game provides the goal of winning for one side. Where a turn has several moves, a goal's move is a
 * whole turn. */
typedef struct KnGoalProvider {
    KnStatus (*open)(const KnGame *game, const void *position, int attacker, KnGoal **goal, KnError *error);
    void (*free)(KnGoal *goal);
    bool (*ready)(const void *position);                 /* whether a turn begins here; NULL: always */
    int (*steps)(KnGoal *goal, int move, KnMove *moves); /* the game's moves of a goal's move, not the pass;
                                                            at most KN_GOAL_STEPS. Returns how many */
} KnGoalProvider;

struct KnGoal {
    const KnGoalType *type;
    bool attacking; /* the attacker is to move */
    bool ko;        /* set if a ko rule mattered: the result may depend on it */
};

#endif
