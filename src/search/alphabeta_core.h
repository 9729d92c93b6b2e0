/* The internals of the alpha-beta search (alphabeta.h), shared by its files: alphabeta_core.c searches
 * below the root; alphabeta.c has the root, iterative deepening and memory. */
#ifndef KNACK_SEARCH_ALPHABETA_CORE_H
#define KNACK_SEARCH_ALPHABETA_CORE_H

#include "games/othello/endgame.h"
#include "search/alphabeta.h"
#include "search/line.h"
#include "search/order.h"

/* What the search met below a node, besides its value. */
enum {
    KN_MET_HORIZON = 1, /* some line ended by evaluation */
    KN_MET_PAST = 2     /* the history decided: the value holds for this path only */
};

/* The result of an iteration at the root. */
typedef struct KnFindings {
    KnRootMove *rows;
    int best; /* index of the best move, -1: none yet */
    KnMove *line;
    int length;
} KnFindings;

/* The move lists of all plies lie in one stack, so that the memory in use stays small. */
struct KnSearch {
    const KnGame *game;
    const KnGameType *rules;
    const KnEvaluation *evaluation;
    KnTranspositionTable *table;
    int table_floor; /* the least depth for which the table is probed; above all depths without a table */
    KnMeter meter;
    unsigned met;
    int viewpoint;
    bool selective;
    bool looks_back, chains, quiet, ordering, null_windows, exact, zero_sum;
    uint64_t salt;           /* keys of different viewpoints differ where values do */
    KnEndgameProber *prober; /* of endgame tables; NULL: none */
    int root_stage;
    uint64_t known;
    KnLine line;
    uint64_t *pasts; /* in exact use of games that look back: a hash of the history before each ply */
    int8_t movers[KN_SEARCH_PLIES + 2];
    int16_t steps[KN_SEARCH_PLIES + 2]; /* of the current turn so far, where turns are chains */
    KnMove *moves;
    uint64_t *keys;                       /* sort keys of the moves */
    double *chances;                      /* of nature's moves; NULL if it has none */
    const KnEvaluation *expansion;        /* variable depth; NULL: fixed */
    double unstable[KN_SEARCH_PLIES + 2]; /* its value at each ply; NAN: not computed yet */
    int16_t beyond[KN_SEARCH_PLIES + 2];  /* moves beyond the horizon */
    uint64_t extended;
    int deepest;
    KnOrder order;

    KnSearchOptions options;
    KnTranspositionTable *own_table;
    KnMove *root_moves;
    uint32_t *ranks;
    int *sequence;           /* the order in which root moves are searched */
    KnFindings found[2];     /* of the iteration under way, and of the one before */
    KnOthelloSolver *solver; /* of endgames; NULL: none */
    int *margins;            /* of its root moves */
};

static inline int kn_core_side(const KnSearch *s, int ply) { return s->movers[ply] == s->viewpoint ? 0 : 1; }

/* The value of a move at `ply`, for the mover there, with `depth` still to go at `ply`. `free` is the top of
 * the stack of moves. */
KnScore kn_core_move(KnSearch *s, int ply, int depth, KnScore alpha, KnScore beta, KnMove move, size_t free);

/* alphabeta_solve.c: solves the root, if it is an endgame that the budget suffices for. False: the search
 * goes on as usual, with what is left. */
bool kn_search_solve_root(KnSearch *s, const KnSearchRequest *request, int count, KnSearchResult *result);

#endif
