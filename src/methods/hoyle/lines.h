/* The lines of a board and what they are good for, read off its geometry and sample games: which cells are
 * neighbours, which lines are drawn, and which sets of cells decide something when one side owns them all: a
 * win (tic-tac-toe), a loss (its losing form), or a capture (the mills of morris). Hoyle gets such lines with
 * the rules of a game; here they are found, so that any game may have some or none.
 *
 * Neighbours are the ends of a single step where men slide; else the cells around a cell. Lines of k cells
 * side by side are decisive if in every sample game each completion of one by the mover ended the game or
 * took a man, and if most moves complete none and decide nothing; the smallest such k holds.
 *
 * Ownership: kn_lines_open / kn_lines_close. Read-only in between, may be shared by threads. */
#ifndef KNACK_METHODS_HOYLE_LINES_H
#define KNACK_METHODS_HOYLE_LINES_H

#include "methods/hoyle/board_view.h"

enum { KN_LINE_CELLS = 8, KN_NEIGHBOURS = 8, KN_FAR = 99 };

typedef struct KnBoardLine {
    int size;
    uint16_t cell[KN_LINE_CELLS];
} KnBoardLine;

typedef struct KnDrawnLine {
    int size;
    uint16_t cell[32];
} KnDrawnLine;

typedef struct KnBoardPlace {
    double x, y;
} KnBoardPlace;

typedef struct KnLines {
    int count; /* decisive lines; 0 if there are none */
    int sign;  /* 1: completing one is good for who does it, -1: bad */
    KnBoardLine *line;
    int drawn_count; /* maximal straight lines of neighbours: rows and columns, or what men slide along */
    KnDrawnLine *drawn;
    bool takes;                      /* men may be taken */
    bool slides;                     /* men move from cell to cell */
    KnBoardPlace at[KN_BOARD_CELLS]; /* where cells are drawn */
    int neighbours[KN_BOARD_CELLS];
    uint16_t neighbour[KN_BOARD_CELLS][KN_NEIGHBOURS];
    int cells;
    uint8_t *distance; /* [cells * cells]: steps between cells over neighbours, others' men ignored; KN_FAR if
                          there is no way */
} KnLines;

KnStatus kn_lines_open(const KnBoardView *view, KnLines **lines, KnError *error);
void kn_lines_close(KnLines *lines);

/* The neighbour of b straight on from a over b; -1 if there is none. */
int kn_lines_straight_on(const KnLines *lines, int a, int b);

static inline int kn_lines_distance(const KnLines *lines, int from, int to)
{
    return lines->distance[from * lines->cells + to];
}

#endif
