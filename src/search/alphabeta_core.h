/* The internals of the alpha-beta search (alphabeta.h), shared by its files: alphabeta_core.c searches
 * below the root; alphabeta.c has the root, iterative deepening and memory. */
#ifndef KNACK_SEARCH_ALPHABETA_CORE_H
#define KNACK_SEARCH_ALPHABETA_CORE_H

#include "games/othello/endgame.h"
#include "search/alphabeta.h"
#include "search/line.h"
#include "search/order.h"
#include "search/score_cache.h"

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
    uint64_t nodes, best_nodes; /* of the iteration, and of these after the best move */
} KnFindings;

enum { KN_SEARCH_LOGS = 128 }; /* whole numbers whose logarithms are kept */

/* How much a score changes when a search goes two plies deeper: the unit of the margins of selective
 * searches, learned from the iterations of the game so far. */
typedef struct KnSpread {
    double squares; /* sum of squared changes */
    int count;
} KnSpread;

/* 0 while too little is known. */
KnScore kn_spread_margin(const KnSpread *spread, double times);
void kn_spread_learn(KnSpread *spread, KnScore before, KnScore after);

typedef struct KnSearchThreads KnSearchThreads;

/* The move lists of all plies lie in one stack, so that the memory in use stays small. */
struct KnSearch {
    const KnGame *game;
    const KnGameType *rules;
    const KnEvaluation *evaluation;
    KnScoreCache scores; /* of a slow evaluation; else without slots */
    KnTranspositionTable *table;
    int table_floor; /* the least depth for which the table is probed; above all depths without a table */
    KnMeter meter;
    unsigned met;
    int viewpoint;
    bool selective;
    KnTechniques use; /* of the search under way; none at full width */
    bool looks_back, chains, quiet, ordering, null_windows, exact, zero_sum;
    bool unopposed;              /* an end was met at which what one gained the other did not lose */
    uint64_t salt;               /* keys of different viewpoints differ where values do */
    KnEndgameProber *own_prober; /* of endgame tables; NULL: none */
    KnEndgameProber *prober;     /* the same, if this run asks them */
    int root_stage;
    uint64_t known;
    KnLine line;
    uint64_t *pasts; /* in exact use of games that look back: a hash of the history before each ply */
    int8_t movers[KN_SEARCH_PLIES + 2];
    KnMove made[KN_SEARCH_PLIES + 2]; /* the move played at each ply */
    int barred_index;                 /* the move left out at `barred_ply`, by a test for singular moves */
    int barred_ply;                   /* -1: none */
    bool probing;                     /* inside a search that prepares a cut */
    KnSpread spread;
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
    int *sequence;            /* the order in which root moves are searched */
    KnFindings found[2];      /* of the iteration under way, and of the one before */
    KnSearchThreads *threads; /* the other threads; NULL: none */
    int first_depth;          /* of iterative deepening */
    KnOthelloSolver *solver;  /* of endgames; NULL: none */
    int *margins;             /* of its root moves */
    double logs[KN_SEARCH_LOGS];
};

static inline int kn_core_side(const KnSearch *s, int ply) { return s->movers[ply] == s->viewpoint ? 0 : 1; }

/* The value of a move at `ply`, for the mover there, with `depth` still to go at `ply`. `free` is the top of
 * the stack of moves. */
KnScore kn_core_move(KnSearch *s, int ply, int depth, KnScore alpha, KnScore beta, KnMove move, size_t free);

/* The value of the position at `ply` for the side to move there, with `depth` > 0 to go. */
KnScore kn_core_node(KnSearch *s, int ply, int depth, KnScore alpha, KnScore beta, size_t free);
KnScore kn_core_evaluate(KnSearch *s, int ply);

/* The best score of the moves that are listed at `free`, without the table. */
KnScore kn_core_try(KnSearch *s, int ply, int depth, KnScore alpha, KnScore beta, size_t free, int count);

/* alphabeta_cuts.c: true if a technique decides the node without searching its moves. */
bool kn_core_cuts(KnSearch *s, int ply, int depth, KnScore alpha, KnScore beta, size_t free, int count,
                  KnScore *score);
/* Whether all moves but the table's are far worse than its score. */
bool kn_core_is_singular(KnSearch *s, int ply, int depth, const KnTableEntry *entry, size_t free, int count);
/* How many plies shallower a late quiet move is tried first. */
int kn_core_reduction(KnSearch *s, int ply, int depth, int place, KnMove move, bool open);

/* alphabeta_threads.c: the other threads of a search. kn_search_threads_share is what of a budget is one
 * thread's; `rng` is the generator as it was before the root's ranks were drawn; kn_search_threads_finish
 * stops the others, and puts the best result of all into `result`. */
KnStatus kn_search_threads_open(KnSearch *s, KnError *error);
void kn_search_threads_free(KnSearchThreads *threads);
void kn_search_threads_clear(KnSearchThreads *threads);
KnBudget kn_search_threads_share(const KnSearch *s, KnBudget budget);
void kn_search_threads_start(KnSearch *s, const void *position, const KnHistory *history,
                             const KnSearchRequest *request, const KnRng *rng);
void kn_search_threads_finish(KnSearch *s, KnSearchResult *result);

/* alphabeta_solve.c: solves the root, if it is an endgame that the budget suffices for. False: the search
 * goes on as usual, with what is left. */
bool kn_search_solve_root(KnSearch *s, const KnSearchRequest *request, int count, KnSearchResult *result);

#endif
