/* Alpha-beta search for every game, with switches for its techniques: principal variation search, iterative
 * deepening, a transposition table (Zobrist hashing), killer moves and the history heuristic, quiescence
 * search, forced-move extensions, late move reductions.
 *
 * Its values are minimax's (search.h). In normal use the transposition table also answers with deeper entries
 * and with values from other paths; in exact use only with what minimax finds. Values that depend on the path
 * (a repetition, a move barred by superko) are not stored; in exact use on games that look back, entries hold
 * only for the same history.
 *
 * The move is drawn uniformly among those of equal best value: each root move gets a random rank from the
 * request's generator, and the lowest rank wins ties. The same generator gives the same move with or without
 * all_values. The principal variation always reaches its leaf.
 *
 * With several threads the nodes of a budget are shared out, and results are not repeatable. The callback
 * after an iteration is called for the first thread only.
 *
 * Ownership: kn_search_new / kn_search_free; game, evaluation and a shared table must outlive it. All memory
 * is taken at the beginning (a longer history may need more). One thread at a time for each search; a shared
 * table may serve several. */
#ifndef KNACK_SEARCH_ALPHABETA_H
#define KNACK_SEARCH_ALPHABETA_H

#include "eval/move_advisor.h"
#include "games/checkers/endgame.h"
#include "search/search.h"
#include "search/transposition_table.h"

/* Full width: every line is searched to the depth, and the value is minimax's. Selective: with the techniques
 * below, and solved endgames. Automatic: selective where no depth bounds the search, but nodes or time, so
 * that a depth alone always means the same. */
typedef enum KnSearchWidth { KN_SEARCH_AUTO, KN_SEARCH_FULL, KN_SEARCH_SELECTIVE } KnSearchWidth;

/* The techniques of selective searches. Values are then no longer minimax's to a depth. */
typedef struct KnTechniques {
    /* Aspiration windows: the root's window is narrow around the score of the depth before. */
    bool aspiration;
    bool iid;          /* internal iterative deepening, and reductions where the table has no move */
    bool etc;          /* enhanced transposition cut-offs (Plaat et al. 1996) */
    bool reduce;       /* late move reductions, by depth, place and history */
    bool probcut;      /* ProbCut (Buro 1995): a shallow search far outside the window decides */
    bool futility;     /* futility cut-offs: near the horizon, an evaluation far above beta decides */
    bool singular;     /* singular extensions: the table's move goes deeper if all others are far worse */
    bool continuation; /* continuation history: moves are rated by the move before them too */
    bool captures;     /* tactical moves are tried before quiet ones */
} KnTechniques;

typedef enum KnTableUse { KN_TABLE_OFF, KN_TABLE_ON, KN_TABLE_EXACT } KnTableUse;

enum { KN_SEARCH_FORCED = 64 };

typedef struct KnSearchOptions {
    bool null_windows; /* principal variation search: later moves are tested with a null window */
    bool deepening;    /* iterative deepening; node and time budgets need it */
    bool ordering;     /* killer moves and history heuristic; the table's move always comes first */
    bool quiescence;   /* quiescence search, where the game has a tactical hook */
    bool extend; /* forced-move extension: a single legal move costs no depth, for KN_SEARCH_FORCED plies */
    KnSearchWidth width;
    KnTechniques techniques; /* of selective searches */
    KnTableUse table;
    size_t table_bytes;           /* of the search's own table */
    int threads;                  /* that search together (lazy SMP); 0 counts as 1 */
    KnTranspositionTable *shared; /* used instead of its own, if not NULL */
    /* Variable depth: an unstable position at the horizon is searched on, with all its moves. It is unstable
     * if this evaluation, for the role to move, has changed by `change` points of 100 since that role's last
     * turn. `extra` bounds the moves beyond the horizon. NULL: fixed depth. */
    const KnEvaluation *expansion;
    double change;
    int extra;
    /* Orders moves, before killers and history know better, by what experts would play; NULL: none. The
     * positions that it plays count. */
    const KnMoveAdvisor *advisor;
    const KnEndgame *endgame; /* endgame tables, or NULL; must outlive the search */
    size_t endgame_bytes;     /* of their cache; 0: 64 MiB at most */
    bool endgame_selective;   /* only selective searches ask them: the value at full width is minimax's */
    /* Othello, in selective searches: with this many empty squares or fewer, positions are solved to the last
     * disc as far as the budget suffices (games/othello/endgame.h). 0: never. */
    int solve;
} KnSearchOptions;

/* Full width, everything that keeps the value on, a table of 16 MiB in normal use; the techniques of
 * selective searches as they are best. */
KnSearchOptions kn_search_options(void);

typedef struct KnSearch KnSearch;

/* Endgame tables. A draw, or a value with its distance, ends the line. A win or loss without distance ends it
 * too, with the evaluation added (KN_SCORE_KNOWN), but not while the material is the root's: there the search
 * goes on to the horizon, or all moves that keep the win would look alike. Counters and repetitions, which
 * the tables ignore, count in the lines that are searched. */

/* Solved endgames. A root that is solved has the largest margin: the move is the first that reaches it in the
 * solver's order, not drawn, a win is as far away as squares are empty, and the line is the move alone. With
 * a budget of nodes or time, a position is solved if that usually takes less than half of the budget;
 * without, if the depth reaches the last disc or there are ten empty squares at most. */

/* NULL, with the error filled, if the game cannot be searched or memory runs out. */
KnSearch *kn_search_new(const KnGame *game, const KnEvaluation *evaluation, const KnSearchOptions *options,
                        KnError *error);
void kn_search_free(KnSearch *search);

/* Forgets everything from earlier runs, as for a new game. A shared table is left to its owner. */
void kn_search_clear(KnSearch *search);

/* The prober of the endgame tables that its last run asked; NULL: none. */
KnEndgameProber *kn_search_prober(KnSearch *search);

/* `history` may be NULL. Fails if the position is over, an allowed move is not legal, or an endgame table is
 * damaged (KN_SYSTEM). If the budget ends
 * before any move is searched, the answer is the move of the lowest rank, with KN_BOUND_NONE. */
KnStatus kn_search_run(KnSearch *search, const void *position, const KnHistory *history,
                       const KnSearchRequest *request, KnSearchResult *result, KnError *error);

#endif
