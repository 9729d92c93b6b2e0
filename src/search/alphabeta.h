/* Alpha-beta and its kin: one search for every game, with switches.
 *
 * Its values are minimax's (search.h). With the table in normal use entries of greater depth count too, and a
 * value that was found on another path may be used; in exact use only what minimax would have found counts.
 * Results that depend on the path (a repetition, a move barred by superko) are not stored; in exact use on
 * games that look back, entries hold only for the same past.
 *
 * The move chosen is uniformly drawn among those of equal best value: each root move draws a rank from the
 * request's generator, and among equals the lowest rank is taken. The same generator gives the same move with
 * or without all_values. The principal variation reaches its leaf: a table hit is only used where it cuts
 * off.
 *
 * Ownership: kn_search_new / kn_search_free; game, evaluation and a shared table must outlive it. All memory
 * is taken at the beginning (a longer history may need more). One thread at a time for each search; a shared
 * table may serve several. */
#ifndef KNACK_SEARCH_ALPHABETA_H
#define KNACK_SEARCH_ALPHABETA_H

#include "search/endgame.h"
#include "search/search.h"
#include "search/table.h"

typedef enum KnTableUse { KN_TABLE_OFF, KN_TABLE_ON, KN_TABLE_EXACT } KnTableUse;

enum { KN_SEARCH_FORCED = 64 };

typedef struct KnSearchOptions {
    bool null_windows; /* principal-variation search: the first move with the full window, the others tested
                          first */
    bool deepening;  /* depth 1, 2, ... up to the budget's; needed for node and time budgets to make sense */
    bool ordering;   /* killer moves and history; the table's move is tried first in any case */
    bool quiescence; /* go on until the game's tactical hook says quiet, where it has one */
    bool extend; /* a position with one legal move costs no depth, within the first KN_SEARCH_FORCED plies */
    bool reduce; /* late quiet moves are tried one ply shallower first; values are then no longer minimax's */
    KnTableUse table;
    size_t table_bytes; /* of a table of its own */
    KnTable *shared;    /* used instead of one of its own, if not NULL */
    /* Variable depth: a position at the horizon is searched on, by all its moves, if this evaluation (for
     * whoever has the move) has changed by `change` points of 100 since the same role's last turn, up to
     * `extra` moves beyond. NULL: fixed depth. */
    const KnEvaluation *expansion;
    double change;
    int extra;
    const KnEndgame *endgame; /* tables to ask, or NULL; must outlive the search */
    size_t endgame_bytes;     /* of their cache; 0: 64 MiB at most */
} KnSearchOptions;

/* Everything on, a table of 16 MiB in normal use. */
KnSearchOptions kn_search_options(void);

typedef struct KnSearch KnSearch;

/* Asking endgame tables. A draw, or a value with its distance, ends the line. A win or loss without distance
 * ends it too, with the evaluation added (KN_SCORE_KNOWN), but not while the material is the root's: there
 * the search goes on to the horizon, or it would see nothing to prefer among moves that all keep the win.
 * What the tables leave out of account, counters and repetitions, holds in the lines that are searched. */

/* NULL, with the error filled, if the game cannot be searched or memory runs out. */
KnSearch *kn_search_new(const KnGame *game, const KnEvaluation *evaluation, const KnSearchOptions *options,
                        KnError *error);
void kn_search_free(KnSearch *search);

/* Forgets everything learned from earlier runs, as for a new contest. A shared table is left to its owner. */
void kn_search_clear(KnSearch *search);

/* The prober of its endgame tables, to ask about a root; NULL if it has none. */
KnEndgameProber *kn_search_prober(KnSearch *search);

/* `history` may be NULL: there is no past. Fails if the position is over or an allowed move is not legal.
 * When the budget ends it before any move was searched, the move is the one of the lowest rank and its bound
 * is KN_BOUND_NONE. */
KnStatus kn_search_run(KnSearch *search, const void *position, const KnHistory *history,
                       const KnSearchRequest *request, KnSearchResult *result, KnError *error);

#endif
