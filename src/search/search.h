/* What all searches share: the question, the answer, and what a value means.
 *
 * The value of a position, which every search here agrees on (minimax.h is the plain reference):
 * - Seen by the role that has the move at the root. That role takes the best for itself; every other role the
 * worst for it (in a two-player zero-sum game that is the ordinary game value; with more roles, or general
 * payoffs, it is the cautious "paranoid" reading). At a move of the nature role it is the mean over nature's
 * moves by their chances.
 * - A finished position is worth kn_score_of_payoff at its distance in moves, so that nearer wins count more.
 * Rules that look back (repetition, superko) hold along the searched line too, continuing the history that is
 * given.
 * - At the horizon the evaluation speaks: after `depth` moves, or turns in games whose turns are chains; with
 * quiescence, once the game's `tactical` hook says that the position is quiet. A turn of more than
 * KN_SEARCH_CHAIN steps counts once more for each step beyond, since chains on a crowded board are as long as
 * there are men, and the ways through them double with every step.
 * - Lines end at KN_SEARCH_PLIES moves whatever the depth.
 *
 * Simultaneous games are searched through kn_game_sequential (games/sequential.h).
 *
 * Ownership: everything a result points to belongs to the search that gave it, and holds until that is run
 * again or freed. */
#ifndef KNACK_SEARCH_SEARCH_H
#define KNACK_SEARCH_SEARCH_H

#include <stdatomic.h>

#include "base/rng.h"
#include "games/game.h"
#include "search/meter.h"
#include "search/evaluate.h"

enum {
    KN_SEARCH_PLIES = 512,     /* the longest line */
    KN_SEARCH_DEPTH_MAX = 250, /* the deepest budget; more is taken as this */
    KN_SEARCH_CHAIN = 8        /* steps of one turn that cost no depth */
};

#define KN_SCORE_INFINITE 2000000000

/* Won (or lost, with the sign turned) by endgame tables that know no distance: this, plus what the evaluation
 * says within half of KN_SCORE_GUESS, so that a search makes headway. Below wins that were seen, above
 * everything else. */
#define KN_SCORE_KNOWN 900000000

typedef struct KnSearchResult KnSearchResult;

typedef struct KnSearchRequest {
    const KnMove *allowed; /* the root moves to choose among, all of them legal; NULL: all that are */
    int allowed_count;
    KnBudget budget;
    KnRng *rng;                /* breaks ties among equal root moves; NULL: the first as generated */
    const atomic_bool *cancel; /* may be NULL */
    bool all_values;           /* the exact value of every allowed root move is wanted */
    /* Called after each completed iteration, where a search has those; false ends the search there. May be
     * NULL. */
    bool (*after_depth)(void *user, const KnSearchResult *so_far);
    void *user;
} KnSearchRequest;

typedef enum KnBound {
    KN_BOUND_NONE,  /* not searched */
    KN_BOUND_UPPER, /* at most this */
    KN_BOUND_LOWER, /* at least this */
    KN_BOUND_EXACT
} KnBound;

typedef struct KnRootMove {
    KnMove move;
    KnScore score; /* for the role to move at the root */
    KnBound bound;
    uint64_t visits; /* how often tree sampling took it; 0 elsewhere */
} KnRootMove;

struct KnSearchResult {
    KnMove move;
    KnScore score;  /* for the role to move at the root */
    int depth;      /* of the last iteration that was completed */
    uint64_t nodes; /* positions played */
    uint64_t known; /* positions that endgame tables knew */
    double seconds;
    bool completed; /* the depth asked for was reached, or the value is final; not cut short by a budget */
    KnStop stop;
    const KnRootMove *root; /* a row for each allowed move, in the order they were given or generated */
    int root_count;
    const KnMove *pv; /* the line expected, beginning with `move`; ends at a chance node */
    int pv_length;
    const void *leaf; /* the position at its end, whose evaluation or payoff is the score; NULL if unknown */
    /* What else there is to tell; 0 where it does not apply. */
    uint64_t
        extended; /* positions that variable depth went on from, beyond the horizon, in the last iteration */
    int deepest;  /* how far that went, in moves from the root */
    uint64_t stored;   /* positions kept in memory */
    uint64_t solved;   /* positions whose value was proved */
    uint64_t playouts; /* random games */
};

/* Fails unless the game can be searched as it is: a game that alternates. */
KnStatus kn_search_check_game(const KnGame *game, KnError *error);

#endif
