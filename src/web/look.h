/* A look at a position by plain search, for analyses and for the values of all moves: alpha-beta with the
 * game's default evaluation, through the sequential view where moves are made at the same time.
 *
 * Ownership: kn_look_open / kn_look_close; what is learned in one run serves the next. One thread at a time.
 */
#ifndef KNACK_WEB_LOOK_H
#define KNACK_WEB_LOOK_H

#include "search/alphabeta.h"
#include "web/games.h"

typedef struct KnLook {
    KnShelf *shelf;
    KnShown *shown; /* held */
    KnGame *view;   /* NULL where moves alternate */
    const KnGame *searched;
    KnEvaluation *evaluation;
    KnSearch *search;
    void *position; /* of `searched` */
    uint64_t *past;
    KnHistory history;
    int role;
} KnLook;

/* At the contest's position, for a role that has the move there. The contest may be freed afterwards. */
KnStatus kn_look_open(KnShelf *shelf, const KnContext *context, KnShown *shown, const KnContest *contest,
                      int role, KnLook **look, KnError *error);
void kn_look_close(KnLook *look);

/* Searches deeper and deeper, with the value of every move; `after` as in KnSearchRequest. */
KnStatus kn_look_run(KnLook *look, KnBudget budget, const atomic_bool *cancel,
                     bool (*after)(void *user, const KnSearchResult *so_far), void *user, KnError *error);

/* {"role", "depth", "move", "score", "text", "line", "nodes", "values": {move: {"score", "text"}}}; scores as
 * the role sees them. */
json_t *kn_look_json(const KnLook *look, const KnSearchResult *found);

#endif
