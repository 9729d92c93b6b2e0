/* The inside of the alpha-beta search (alphabeta.h), shared by its two files: core.c searches below the root,
 * alphabeta.c is the root, the deepening and the life of it. */
#ifndef KNACK_SEARCH_CORE_H
#define KNACK_SEARCH_CORE_H

#include "search/alphabeta.h"
#include "search/line.h"
#include "search/order.h"

/* What the search met below a node, besides its value. */
enum {
    KN_MET_HORIZON = 1, /* some line ended by evaluation */
    KN_MET_PAST = 2     /* the past had a say: what was found holds for this path only */
};

/* What an iteration found out about the root. */
typedef struct KnFindings {
    KnRootMove *rows;
    int best; /* place of the best move, -1: none yet */
    KnMove *line;
    int length;
} KnFindings;

/* All state in one piece. The move lists of all plies lie in one stack, so that the memory in use stays
 * small. */
struct KnSearch {
    const KnGame *game;
    const KnGameType *rules;
    const KnEvaluation *evaluation;
    KnTable *table;
    int table_floor; /* the least depth for which the table is asked; above all depths if there is none */
    KnMeter meter;
    unsigned met;
    int viewpoint;
    bool looks_back, chains, quiet, ordering, null_windows, exact, zero_sum;
    uint64_t salt;           /* keys of different viewpoints differ where values do */
    KnEndgameProber *prober; /* of endgame tables; NULL: none */
    int root_stage;
    uint64_t known;
    KnLine line;
    uint64_t *pasts; /* in exact use of games that look back: what came before each ply, as one number */
    int8_t movers[KN_SEARCH_PLIES + 2];
    int16_t steps[KN_SEARCH_PLIES + 2]; /* where turns are chains: of the turn under way, so far */
    KnMove *moves;
    uint64_t *keys;                       /* of the moves' order */
    double *chances;                      /* of nature's moves; NULL if it has none */
    const KnEvaluation *expansion;        /* variable depth; NULL: fixed */
    double restless[KN_SEARCH_PLIES + 2]; /* its value at each ply; NAN: not asked for yet */
    int16_t beyond[KN_SEARCH_PLIES + 2];  /* the horizon, in moves */
    uint64_t extended;
    int deepest;
    KnOrder order;

    KnSearchOptions options;
    KnTable *own_table;
    KnMove *root_moves;
    uint32_t *ranks;
    int *sequence;       /* the order in which root moves are searched */
    KnFindings found[2]; /* of the iteration under way, and of the one before */
};

static inline int kn_core_side(const KnSearch *s, int ply) { return s->movers[ply] == s->viewpoint ? 0 : 1; }

/* The value, for the mover at `ply`, of a move there; what lies below is searched with `depth` still to go at
 * `ply` itself. `free` is where the stack of moves begins. */
KnScore kn_core_move(KnSearch *s, int ply, int depth, KnScore alpha, KnScore beta, KnMove move, size_t free);

#endif
