/* A board view (methods/hoyle/board_view.h) with what temporal patterns need besides: which symbols are
 * empty or a player's men, between which cells men slide, and *abstracted* actions, which stand for any
 * action of the opponent (solos).
 *
 * The links between cells are found by random play with a fixed seed, so that they are the same in every
 * process.
 *
 * Ownership: kn_temporal_board_open / kn_temporal_board_close; the board view outlives it. Read-only in
 * between; threads may share one. */
#ifndef KNACK_METHODS_HOYLE_TEMPORAL_BOARD_H
#define KNACK_METHODS_HOYLE_TEMPORAL_BOARD_H

#include "methods/hoyle/board_view.h"

enum {
    KN_TEMPORAL_CELLS = 100, /* at most */
    KN_ABSTRACT = -2         /* `to` of an abstracted action */
};

typedef struct KnTemporalBoard {
    const KnBoardView *view;
    int cells, symbols, symmetries;
    uint8_t empty;    /* what an empty cell holds */
    uint8_t men[2];   /* what a man of each player is */
    uint8_t *linked;  /* [a * cells + b]: a man can slide from a to b */
    bool names_taken; /* whether an action says which man it takes */
} KnTemporalBoard;

KnStatus kn_temporal_suits(const KnGame *game, KnError *error); /* quick: what is missing in a game */
KnStatus kn_temporal_board_open(const KnBoardView *view, KnTemporalBoard **board, KnError *error);
void kn_temporal_board_close(KnTemporalBoard *board);

static inline bool kn_action_abstract(KnAction a) { return a.to == KN_ABSTRACT; }
static inline KnAction kn_abstract_action(void) { return (KnAction){KN_NO_CELL, KN_ABSTRACT, KN_NO_CELL}; }

/* A move as an action, without the man it takes unless those are named: several legal moves may then be one
 * action. */
KnAction kn_temporal_action(const KnTemporalBoard *board, const void *position, KnMove move);
KnAction kn_temporal_board_transform(const KnTemporalBoard *board, int symmetry,
                                     KnAction action); /* also of abstracted ones */

/* As kn_action_text and kn_action_parse, and "*" for an abstracted action. */
void kn_temporal_action_text(const KnTemporalBoard *board, KnAction action, KnText *out);
KnStatus kn_temporal_action_parse(const KnTemporalBoard *board, const char *text, KnAction *action,
                                  KnError *error);

#endif
