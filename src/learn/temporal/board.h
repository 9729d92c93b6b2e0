/* A scene (learn/hoyle/scene.h) with what patterns need besides: what an empty cell and each player's men
 * are, between which cells men slide, and actions that are *abstracted*, i.e. stand for whatever the opponent
 * does (solos).
 *
 * The links are found out by playing at random with a fixed seed, so that they are the same in every process.
 *
 * Ownership: kn_temporal_board_open / kn_temporal_board_close; the scene outlives it. Read-only in between,
 * may be shared by threads. */
#ifndef KNACK_LEARN_TEMPORAL_BOARD_H
#define KNACK_LEARN_TEMPORAL_BOARD_H

#include "learn/hoyle/scene.h"

enum {
    KN_TEMPORAL_CELLS = 100, /* at most */
    KN_ABSTRACT = -2         /* `to` of an abstracted action */
};

typedef struct KnTemporalBoard {
    const KnScene *scene;
    int cells, symbols, turns;
    uint8_t empty;    /* what an empty cell holds */
    uint8_t men[2];   /* what a man of each player is */
    uint8_t *linked;  /* [a * cells + b]: a man can slide from a to b */
    bool names_taken; /* whether an action tells which man it takes */
} KnTemporalBoard;

KnStatus kn_temporal_suits(const KnGame *game, KnError *error); /* quick: what is missing in a game */
KnStatus kn_temporal_board_open(const KnScene *scene, KnTemporalBoard **board, KnError *error);
void kn_temporal_board_close(KnTemporalBoard *board);

static inline bool kn_action_abstract(KnAction a) { return a.to == KN_ABSTRACT; }
static inline KnAction kn_abstract_action(void) { return (KnAction){KN_NO_CELL, KN_ABSTRACT, KN_NO_CELL}; }

/* A move as an action, without the man it takes unless those are named: several legal moves may then be one
 * action. */
KnAction kn_temporal_action(const KnTemporalBoard *board, const void *position, KnMove move);
KnAction kn_temporal_turn(const KnTemporalBoard *board, int turn,
                          KnAction action); /* also of abstracted ones */

/* As kn_action_text and kn_action_parse, and "*" for an abstracted action. */
void kn_temporal_action_text(const KnTemporalBoard *board, KnAction action, KnText *out);
KnStatus kn_temporal_action_parse(const KnTemporalBoard *board, const char *text, KnAction *action,
                                  KnError *error);

#endif
