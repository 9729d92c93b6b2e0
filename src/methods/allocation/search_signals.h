/* The signals of a shallow search: what it knows when it ends about the use of a deep one. Features of a
 * position look one ply ahead; these come from the search to depth k itself. Has the score changed with the
 * last plies? Has the best move? How many moves tie, and what is behind them? Which part of the positions
 * went into the best move? Do the best lines end in the middle of captures?
 *
 * Everything follows from the position and the inner player: the same position, the same signals. */
#ifndef KNACK_METHODS_ALLOCATION_SEARCH_SIGNALS_H
#define KNACK_METHODS_ALLOCATION_SEARCH_SIGNALS_H

#include "methods/allocation/examples.h"
#include "players/player.h"

enum {
    KN_SEARCHED_SCORE,
    KN_SEARCHED_CHANGE,   /* of the score over the last ply */
    KN_SEARCHED_CHANGES,  /* over the last two */
    KN_SEARCHED_KEPT,     /* share of the best moves that were best a ply before */
    KN_SEARCHED_STEADY,   /* depths in a row, up to the last, at which the best move was among the best */
    KN_SEARCHED_TIES,     /* moves of best value */
    KN_SEARCHED_LEAD,     /* over the best of the others */
    KN_SEARCHED_NEAR,     /* moves within a man of the best */
    KN_SEARCHED_EFFORT,   /* part of the positions after the best move */
    KN_SEARCHED_GROWTH,   /* positions of the last depth over those of the one before, log2 */
    KN_SEARCHED_CAPTURES, /* share of the best lines that end in the middle of captures */
    KN_SEARCHED_LEAST,    /* material that following the captures would bring, at least and at most */
    KN_SEARCHED_MOST,
    KN_SEARCHED_NEXT, /* and on the line of the best of the other moves */
    KN_SEARCH_SIGNALS
};

extern const char *const kn_search_signal_names[KN_SEARCH_SIGNALS];

/* Searches to depths 1 to k. The request's generator is not used. `nodes` is what that has cost. Fails where
 * the inner player does not give the value of every move. */
KnStatus kn_search_signals(KnPlayer *inner, const KnRequest *request, int k, double *signals, uint64_t *nodes,
                           KnError *error);

/* Adds the signals of those examples of a set that have none yet, by the plan's inner player. */
KnStatus kn_examples_add_signals(const KnContext *context, const KnExamplesPlan *plan, KnExamples *set,
                                 KnError *error);

#endif
