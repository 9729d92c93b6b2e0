/* Positions of the game description of Connect Four as the boards of its solver (games/connect_four.h).
 *
 * Ownership: kn_four_view_open / kn_four_view_close. The game must outlive the view. */
#ifndef KNACK_LAB_TOGETHER_FOUR_VIEW_H
#define KNACK_LAB_TOGETHER_FOUR_VIEW_H

#include "eval/look.h"
#include "games/connect_four.h"

typedef struct KnFourView {
    KnLook look;
    int bit[KN_CONNECT_FOUR_COLUMNS * KN_CONNECT_FOUR_ROWS]; /* of each cell of the look */
    unsigned char *after;                                    /* a position */
} KnFourView;

/* Close it after a failure too. */
KnStatus kn_four_view_open(const KnGame *game, KnFourView *view, KnError *error);
void kn_four_view_close(KnFourView *view);

KnFourBoard kn_four_view_board(const KnFourView *view, const void *position);
KnFourBoard kn_four_view_board_after(const KnFourView *view, const void *position, KnMove move);

#endif
