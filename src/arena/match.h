/* A match: two players, many games, one answer with its error.
 *
 * Game i draws all its chance from (seed, i); games 2j and 2j+1 share opening j with sides exchanged; each
 * worker thread has players of its own; results are counted and stored in index order. So the outcome is the
 * same for any number of threads, and for a run that was killed and started again. What cannot be promised
 * (clocks, foreign engines) is stamped `nondeterministic`. */
#ifndef KNACK_ARENA_MATCH_H
#define KNACK_ARENA_MATCH_H

#include "arena/standing.h"
#include "arena/store.h"
#include "base/progress.h"

typedef struct KnMatchPlan {
    const char *game;       /* spec */
    const char *players[2]; /* specs */
    uint64_t games;
    uint64_t seed;
    int jobs;             /* threads; 0: as many as cores */
    const char *openings; /* file, or NULL */
    int random_plies;     /* random moves before the players take over */
    KnPlayRules rules;    /* its `tables` are opened here, from the next */
    const char
        *tables; /* endgame tables that end games: a folder, or "on" for the data folder's; NULL: none */
    bool sprt;   /* stop when a hypothesis is accepted */
    double elo0, elo1, alpha, beta;
    const char *name; /* of the run in the store, or NULL */
} KnMatchPlan;

typedef struct KnMatchResult {
    KnStanding standing;
    KnSprt sprt; /* where asked for */
    bool nondeterministic;
    uint64_t resumed; /* games that were already stored */
    char identity[KN_HEX128];
    char run_name[128];              /* "" without a store */
    char first_fault[KN_ERROR_TEXT]; /* of the first forfeited game, "" if there is none */
    char note[KN_ERROR_TEXT];        /* what a player or the adjudication does without, "" if nothing */
    double seconds;
} KnMatchResult;

/* Plays the match. `store` NULL: nothing is kept. On KN_STOPPED (the cancel flag of plan->rules) the games
 * played are stored and in the result. */
KnStatus kn_match_run(const KnContext *context, const KnMatchPlan *plan, KnStore *store, KnProgress *progress,
                      KnMatchResult *result, KnError *error);

/* {"game", "players", ..., "result", "timing"}; all that depends on clocks stands under "timing". */
json_t *kn_match_json(const KnMatchPlan *plan, const KnMatchResult *result);

/* The roles that players take: all but nature's. Fails unless there are exactly two. */
KnStatus kn_match_roles(const KnGame *game, int roles[2], KnError *error);

#endif
