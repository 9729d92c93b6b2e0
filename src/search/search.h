/* What all searches share: the request, the result, and the meaning of a value.
 *
 * All searches here compute the same value of a position (minimax.h is the plain reference):
 * - The value is for the role to move at the root. That role maximises it and every other role minimises it.
 * In a two-player zero-sum game this is the minimax value; with more roles, or general payoffs, it is the
 * paranoid assumption (Sturtevant and Korf 2000). At a move of the nature role the value is the expectation
 * over nature's moves (expectimax, Michie 1966).
 * - A finished position has the value kn_score_of_payoff at its distance in moves: nearer wins count more.
 * Rules that look back (repetition, superko) also hold along the searched line, which continues the given
 * history.
 * - At the horizon the value is that of the evaluation. The horizon is reached after `depth` moves, or turns
 * in games whose turns are chains; with quiescence search, when the game's `tactical` hook calls the position
 * quiet. In a turn of more than KN_SEARCH_CHAIN steps each further step costs one more ply of depth, because
 * the number of chains doubles with every step.
 * - No line is longer than KN_SEARCH_PLIES moves, at any depth.
 *
 * Simultaneous games are searched through kn_game_sequential (games/sequential.h).
 *
 * Ownership: everything that a result points to belongs to its search and stays valid until that search runs
 * again or is freed. */
#ifndef KNACK_SEARCH_SEARCH_H
#define KNACK_SEARCH_SEARCH_H

#include <stdatomic.h>

#include <knack/base.h>
#include "games/game.h"
#include "search/meter.h"
#include "eval/evaluation.h"

enum {
    KN_SEARCH_PLIES = 512,     /* the longest line */
    KN_SEARCH_DEPTH_MAX = 250, /* the deepest search; larger depths count as this */
    KN_SEARCH_CHAIN = 8        /* steps of one turn that cost no depth */
};

#define KN_SCORE_INFINITE 2000000000

/* The score of a win (negated: of a loss) that an endgame table knows without its distance. The evaluation is
 * added to it, within half of KN_SCORE_HEURISTIC, so that a search makes progress. It lies below the wins
 * that a search has seen and above everything else. */
#define KN_SCORE_KNOWN 900000000

typedef struct KnSearchResult KnSearchResult;

typedef struct KnSearchRequest {
    const KnMove *allowed; /* the root moves to choose among, all of them legal; NULL: all legal moves */
    int allowed_count;
    KnBudget budget;
    KnRng *rng;                /* breaks ties among equal root moves; NULL: the first as generated */
    const atomic_bool *cancel; /* may be NULL */
    bool all_values;           /* compute the exact value of every allowed root move */
    bool open_ended;           /* the budget's nodes or seconds end it, not a number of playouts; and a search
                                  that can deepens step by step */
    /* Called after each completed iteration of iterative deepening; false ends the search. May be NULL. */
    bool (*after_depth)(void *user, const KnSearchResult *so_far);
    void *user;
    double (*pace)(void *user, const KnDeepening *so_far); /* as in KnRequest; may be NULL */
    void *pace_user;
} KnSearchRequest;

/* What a proof assumes of the other roles. Between two opponents, whose payoffs have a constant sum, it is
 * the same: each plays for its own points, and so against the other. */
typedef enum KnAssumption {
    KN_ASSUMES_NOTHING,
    KN_ASSUMES_AGAINST,   /* all others play against the role at the root: a win is forced, a loss need not be
                           */
    KN_ASSUMES_OWN_POINTS /* each role plays for its own points, and among equal moves takes the worst for the
                             others: neither is forced */
} KnAssumption;

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
    uint64_t visits; /* of Monte Carlo tree search; 0 in other searches */
} KnRootMove;

struct KnSearchResult {
    KnMove move;
    KnScore score;  /* for the role to move at the root */
    int depth;      /* of the last completed iteration */
    uint64_t nodes; /* positions played */
    uint64_t known; /* positions found in endgame tables */
    double seconds;
    bool completed; /* the requested depth was reached, or the value is final; no budget cut the search short
                     */
    KnStop stop;
    const KnRootMove *root; /* a row for each allowed move, in the order given or generated */
    int root_count;
    const KnMove *pv; /* the principal variation, beginning with `move`; it ends at a chance node */
    int pv_length;
    /* The position at the end of it, whose evaluation or payoff is the score; NULL if unknown. */
    const void *leaf;
    /* Further statistics; 0 where they do not apply. */
    uint64_t extended; /* positions beyond the horizon that variable depth expanded in the last iteration */
    int deepest;       /* the largest depth of those, in moves from the root */
    uint64_t stored;   /* positions held in memory */
    uint64_t solved;   /* positions with a proven value */
    KnAssumption assumes;
    uint64_t playouts; /* random playouts */
    uint64_t judged;   /* of these, cut short and judged by the evaluation */
    bool mixed;        /* the move was drawn from a mixed strategy that is proved best */
    bool guided;       /* the evaluation led the tree to some moves before others (a prior) */
    /* The margin with best play, and that of each root move where all values were asked for (else NULL), if
     * the endgame was solved (Othello). */
    bool has_margin;
    int margin;
    const int *margins;
};

/* Fails if the game has simultaneous moves. */
KnStatus kn_search_check_game(const KnGame *game, KnError *error);

/* Whether the results of an end are those of two opponents, who share a fixed sum. Alone, a role has none. */
bool kn_results_opposed(const KnGame *game, const double *results, double shared);

#endif
