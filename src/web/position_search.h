/* Search of one position for analyses and for the values of all moves: alpha-beta with the game's default
 * evaluation, on the sequential view of a simultaneous game.
 *
 * Ownership: kn_position_search_open / kn_position_search_close. A second run reuses the transposition table
 * of the first. One thread at a time. */
#ifndef KNACK_WEB_POSITION_SEARCH_H
#define KNACK_WEB_POSITION_SEARCH_H

#include "search/alphabeta.h"
#include "web/player_cache.h"

typedef struct KnPositionSearch {
    KnPlayerCache *cache;
    KnCachedGame *cached; /* held */
    KnGame *view;         /* NULL where moves alternate */
    const KnGame *searched;
    KnEvaluation *evaluation;
    KnSearch *search;
    void *position; /* of `searched` */
    uint64_t *past;
    KnHistory history;
    int role;
} KnPositionSearch;

/* Opens a search of the state's position for a role that has the move there. It keeps no reference to
 * `state`. */
KnStatus kn_position_search_open(KnPlayerCache *cache, const KnContext *context, KnCachedGame *cached,
                                 const KnState *state, int role, KnPositionSearch **look, KnError *error);
void kn_position_search_close(KnPositionSearch *look);

/* Iterative deepening with the value of every root move; `after` as in KnSearchRequest. */
KnStatus kn_position_search_run(KnPositionSearch *look, KnBudget budget, const atomic_bool *cancel,
                                bool (*after)(void *user, const KnSearchResult *so_far), void *user,
                                KnError *error);

/* {"role", "depth", "move", "score", "text", "line", "nodes", "values": {move: {"score", "text"}}}; scores
 * are from the role's point of view. */
json_t *kn_position_search_json(const KnPositionSearch *look, const KnSearchResult *found);

#endif
