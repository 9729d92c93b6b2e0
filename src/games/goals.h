/* A goal within a game: what proof search needs to know of a game, and all that it knows.
 *
 * One side, the attacker, wants to reach something (capture this string, bring the ball over the line, make
 * five); the other side prevents it. A KnGoal is a position with such a goal that can be played on and taken
 * back. Moves are small numbers of the goal's own; KN_GOAL_PASS is the pass.
 *
 * What a game tells of a goal is knowledge of two kinds. Sets of attacking moves may leave out what they
 * like: less is found then. Sets of defending moves must be complete: `defences(within)` holds every move of
 * the defender after which the attacker, who could have reached the goal within that many moves of his own
 * had the defender passed, no longer can. A set that misses one gives false proofs; each game's tests compare
 * its sets with all legal moves. */
#ifndef KNACK_GAMES_GOALS_H
#define KNACK_GAMES_GOALS_H

#include <stdbool.h>
#include <stdint.h>

#include "games/game.h"

enum {
    KN_GOAL_PASS = 0,
    KN_GOAL_MOVES_MAX = 512,
    KN_GOAL_THREATS = 3 /* the largest `within` asked for */,
    KN_GOAL_ROUNDS = 3 /* of likely moves */
};

/* Of a position, before anybody moves. */
typedef enum KnGoalStanding {
    KN_GOAL_OPEN,
    KN_GOAL_REACHED,
    KN_GOAL_LOST /* the attacker will not reach it: by the rules, or as the game's stated evaluation has it */
} KnGoalStanding;

/* Sets of attacking moves, each holding the one before. */
typedef enum KnWidth { KN_WIDTH_NARROW = 1, KN_WIDTH_WIDE = 2, KN_WIDTH_ALL = 3 } KnWidth;

/* A set of places that a proof depends on. */
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

/* What the side to move may do with a place. */
typedef enum KnPlace {
    KN_PLACE_TAKEN,
    KN_PLACE_LEGAL,
    KN_PLACE_BARRED /* free, but not legal now */
} KnPlace;

/* What to expect of a move: about how many moves of his own the attacker would then need, and how many at the
 * most after the defender's next. */
typedef struct KnOutlook {
    int needs, reach;
} KnOutlook;

/* Positions played in small searches, of which there may be so many (0: any number). */
typedef struct KnGoalCount {
    uint64_t nodes, most;
} KnGoalCount;

typedef struct KnGoal KnGoal;

typedef struct KnGoalType {
    const char *name;

    /* The side to move plays a legal move or passes; and back. */
    bool (*play)(KnGoal *goal, int move); /* false: out of memory, nothing was played */
    void (*undo)(KnGoal *goal);

    KnGoalStanding (*standing)(const KnGoal *goal);
    int (*needs)(const KnGoal *goal);     /* the attacker needs at least as many moves of his own */
    uint64_t (*hash)(const KnGoal *goal); /* of all that bears on it, the side to move too */

    /* Lists; each returns how many. Likely moves first; legal ones only. */
    int (*attacks)(KnGoal *goal, int within,
                   int *moves); /* that may reach it within 1..KN_GOAL_THREATS own moves */
    int (*defences)(KnGoal *goal, int within, int *moves); /* complete: see above */
    int (*widen)(KnGoal *goal, KnWidth width, int *moves); /* of the attacker, for the search itself */
    int (*likely)(KnGoal *goal, int round,
                  int *moves); /* of the side to move, to look at before others; in the rounds after 0 what
                                  to look at besides, the harder it proves. May be NULL */
    int (*legal)(KnGoal *goal, int *moves); /* all, of the side to move, without the pass */

    /* Quick and deep: true if the attacker reaches it by forcing moves. False says nothing. Counts what it
     * plays. May be NULL. */
    bool (*forced)(KnGoal *goal, KnGoalCount *played);

    /* Where moves are places and what is far away does not matter: what a proof depends on. All are asked in
     * the position before the move, and add to the zone, which holds what the rest of the proof depends on,
     * so that it then holds in every position that is the same there. NULL where a game cannot say. */
    KnPlace (*place)(const KnGoal *goal, int place);
    void (*depends_end)(const KnGoal *goal, KnZone *zone); /* the standing; if open: that it is not reached */
    void (*depends_move)(KnGoal *goal, int move,
                         KnZone *zone); /* that the prover's move is legal, and all that it does */
    void (*depends_reply)(KnGoal *goal, int move,
                          KnZone *zone); /* the same of a reply; of one that is not legal: that it is not */
    void (*depends_elsewhere)(KnGoal *goal,
                              KnZone *zone); /* that a reply outside the zone changes nothing inside */

    /* What a defender can do at once, if the game can tell it without a search. The defender to move: one
     * that makes the goal lost at once, or -1. The attacker to move: all places, legal or not, where he could
     * prevent that the defender then has such a move; -1: there is none even if he passes. Both add what that
     * depends on to the zone. May be NULL, both. */
    int (*escape)(KnGoal *goal, KnZone *zone);
    int (*parries)(KnGoal *goal, int *moves, KnZone *zone);

    /* For the same games, of the side to move. A pass is always legal, and lifts what binds. */
    uint64_t (*hash_after)(const KnGoal *goal, int move); /* the hash after a legal move */
    void (*outlook)(const KnGoal *goal, const int *moves, int count, KnOutlook *outlooks); /* of each */
    bool (*bound)(const KnGoal *goal); /* a rule against repetition forbids something */
} KnGoalType;

/* How a game hands out the goal of winning, for one side, from a position; a goal's move of a single step is
 * the game's `move`. */
typedef struct KnGoalDoor {
    KnStatus (*open)(const KnGame *game, const void *position, int attacker, KnGoal **goal, KnError *error);
    void (*free)(KnGoal *goal);
    KnMove (*move)(int move);
} KnGoalDoor;

struct KnGoal {
    const KnGoalType *type;
    bool attacking; /* the attacker is to move */
    bool
        ko; /* set where a rule against repetition (a ko) forbade something: what is found may depend on it */
};

#endif
