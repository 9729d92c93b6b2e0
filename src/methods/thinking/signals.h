/* The signals of a deepening search: what comes for free after each finished depth and tells whether more
 * positions would help. A track follows one search from depth to depth. kn_thinking_rule turns the same
 * signals into a share of time by hand, as chess engines do; methods/thinking/model.h learns it.
 *
 * A signal is a plain number. Scores stay in the evaluation's own units, within +-KN_THINKING_SCORE. */
#ifndef KNACK_METHODS_THINKING_SIGNALS_H
#define KNACK_METHODS_THINKING_SIGNALS_H

#include "players/player.h"

enum { KN_THINKING_SIGNALS = 13, KN_THINKING_SCORE = 100000 };

/* In this order: the effort so far (log2 of shares), the depth, the number of moves, depths in a row with
 * this move, changes of the move (each depth halves what was before), the change of the score over one depth
 * and over two, its drop since the side's move before, the score, the part of the positions after this move,
 * the moves not shown to be worse, captures beyond the depth, and the growth of the last depth (log2). */
enum {
    KN_SIGNAL_EFFORT,
    KN_SIGNAL_DEPTH,
    KN_SIGNAL_MOVES,
    KN_SIGNAL_STABLE,
    KN_SIGNAL_UNREST,
    KN_SIGNAL_CHANGE,
    KN_SIGNAL_TWO_PLIES,
    KN_SIGNAL_DROP,
    KN_SIGNAL_LEAD,
    KN_SIGNAL_FOCUS,
    KN_SIGNAL_RIVALS,
    KN_SIGNAL_BEYOND,
    KN_SIGNAL_GROWTH
};

typedef struct KnThinkingTrack {
    KnMove move;
    KnScore scores[2];  /* of the last two depths, the last one first */
    KnScore previous;   /* of the side's move before; its own, 0 if there was none */
    int depths, stable; /* finished; and those in a row that chose the same move */
    double unrest;      /* changes of the move; each depth halves what was before */
    double last_nodes;  /* of the depth before */
} KnThinkingTrack;

/* `previous`: the score of the side's last search in this game, or NULL. */
void kn_thinking_start(KnThinkingTrack *track, const KnScore *previous);

/* Takes in a finished depth and fills the signals. `effort` is what was used so far, as a multiple of an
 * equal share. */
void kn_thinking_see(KnThinkingTrack *track, const KnDeepening *found, double effort, double *signals);

/* A rule made by hand, after those of chess engines: more time while the best move changes, while the score
 * falls, and while the best move takes a small part of the positions. As a multiple of an equal share. */
double kn_thinking_rule(const double *signals);

#endif
