/* A board game as the learners of Lock's thesis (2003) see it: cells with contents, a stage, the
 * symmetries of the board, and moves as actions on cells ("X to 5", "4 to 8, taking 10"). Actions keep
 * their meaning when the rest of the board differs.
 *
 *     KnBoardView *view;
 *     kn_board_view_open(game, &view, &error)              two players in turn, a board of cells
 *     kn_board_view_cells(view, position, cells)           0 empty, else a symbol with an owner
 *     int symmetry = kn_board_view_normalise(view, position, normal)       the least image: the key of tables
 *     KnAction there = kn_board_view_transform_action(view, symmetry, action)
 *     KnAction back = kn_board_view_transform_action(view, view->inverse[symmetry], there)
 *     KnMove move = kn_board_view_move(view, position, back, allowed, count)
 *
 * Where cells go under a symmetry and who owns a symbol is read off sample games, so that no game has to
 * declare it: a symbol that only one role's moves bring about belongs to that role. Symmetries that
 * exchange the roles, and those that the samples leave open, are not used. Everything is deterministic.
 *
 * A state that is symmetric has several symmetries that lead to its normal form (the empty board: all of
 * them). kn_board_view_normalise_all lists them, for learners that count sequences and must not count one
 * as eight.
 *
 * Ownership: kn_board_view_open / kn_board_view_close; the game must outlive it. Read-only in between;
 * threads may share one. */
#ifndef KNACK_METHODS_HOYLE_BOARD_VIEW_H
#define KNACK_METHODS_HOYLE_BOARD_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "games/game.h"

enum {
    KN_BOARD_CELLS = 400,
    KN_BOARD_SYMMETRIES = 16,
    KN_BOARD_SYMBOLS = 8,
    KN_BOARD_STAGES = 4,
    KN_NO_CELL = -1,
    KN_DONT_CARE = 255
};

typedef struct KnBoardView {
    const KnGame *game;
    int cells;
    int symbols;                                         /* what a cell can hold, 0 (empty) included */
    int stages;                                          /* the game's phases, 1 at least */
    int symmetries;                                      /* symmetries in use; 0 is the identity */
    int number[KN_BOARD_SYMMETRIES];                     /* the game's own number of each */
    int inverse[KN_BOARD_SYMMETRIES];                    /* the symmetry that undoes it */
    uint16_t image[KN_BOARD_SYMMETRIES][KN_BOARD_CELLS]; /* where a cell goes */
    int8_t owner[KN_BOARD_SYMBOLS];                      /* role of a symbol; -1: none */
    bool slides;                                         /* some stage has moves from cell to cell */
    char identity[17]; /* a digest of sample games, which identifies the rules in saved files */
} KnBoardView;

/* What a move does to the board: numbers of cells from 0, KN_NO_CELL where it does not apply; all three for a
 * pass. `taken` is the first man of the other's that leaves the board; men that change sides are not listed.
 */
typedef struct KnAction {
    int16_t from, to, taken;
} KnAction;

/* Whether a game can be seen this way; what is missing if not. Quick. */
KnStatus kn_board_view_suits(const KnGame *game, KnError *error);

KnStatus kn_board_view_open(const KnGame *game, KnBoardView **view, KnError *error);
void kn_board_view_close(KnBoardView *view);

void kn_board_view_cells(const KnBoardView *view, const void *position, uint8_t *cells);
int kn_board_view_stage(const KnBoardView *view, const void *position); /* below board view->stages */

/* The image of a position; and of cells. */
void kn_board_view_transform(const KnBoardView *view, int symmetry, const void *position, void *image);
void kn_board_view_transform_cells(const KnBoardView *view, int symmetry, const uint8_t *cells,
                                   uint8_t *image);
KnAction kn_board_view_transform_action(const KnBoardView *view, int symmetry, KnAction action);

/* The least image by bytes; `normal` has room for a position. Returns the turn that gives it. */
int kn_board_view_normalise(const KnBoardView *view, const void *position, void *normal);
/* The same, and every turn that gives it, ascending; returns how many. */
int kn_board_view_normalise_all(const KnBoardView *view, const void *position, void *normal,
                                int symmetries[KN_BOARD_SYMMETRIES]);

/* What the mover's move does here. */
KnAction kn_board_view_action(const KnBoardView *view, const void *position, KnMove move);
void kn_board_view_actions(const KnBoardView *view, const void *position, const KnMove *moves, int count,
                           KnAction *actions);

/* The first of the moves that does this; KN_MOVE_NONE if none does. */
KnMove kn_board_view_move(const KnBoardView *view, const void *position, KnAction action, const KnMove *moves,
                          int count);

static inline bool kn_action_equal(KnAction a, KnAction b)
{
    return a.from == b.from && a.to == b.to && a.taken == b.taken;
}
/* An order of actions, and one to one: for keys. */
static inline uint64_t kn_action_key(KnAction a)
{
    return (uint64_t)(uint16_t)a.from << 32 | (uint64_t)(uint16_t)a.to << 16 | (uint16_t)a.taken;
}

/* "5", "4-8", "4-8x10", "pass", with the game's own names of cells; and back. */
void kn_action_text(const KnBoardView *view, KnAction action, KnText *out);
KnStatus kn_action_parse(const KnBoardView *view, const char *text, KnAction *action, KnError *error);

/* Cells as letters, row by row with '/' between rows: "x.o/.x./..o"; KN_DONT_CARE is '#'. And back. */
void kn_cells_text(const KnBoardView *view, const uint8_t *cells, KnText *out);
KnStatus kn_cells_parse(const KnBoardView *view, const char *text, uint8_t *cells, KnError *error);
/* The same as a drawing with the board's own spacing, a line a row, for a terminal; `indent` spaces before
 * each. */
void kn_cells_draw(const KnBoardView *view, const uint8_t *cells, int indent, KnText *out);

#endif
