/* Relations that look like boards: (cell 3 4 x), a place by one or two coordinates and what is there.
 *
 * A relation is a board if its facts, without one argument (the content), lie on a grid that they fill at
 * least by half, or on a row, and no place was ever seen to hold two contents, or if it has two arguments
 * only, the coordinates, and marks places. A row is a board only where there are no others and it has no more
 * contents than places. Roles are no coordinates. Coordinates are in the order of a relation of the sheet
 * that leads from each to the next, else numbers by value, else names by alphabet: the first goes to the
 * right, the second upwards.
 *
 * Ownership: kn_gdl_boards_find fills, kn_gdl_boards_free frees (also after failure); everything lies in the
 * boards' arena. */
#ifndef KNACK_GAMES_GDL_BOARDS_H
#define KNACK_GAMES_GDL_BOARDS_H

#include "games/gdl/sheet.h"

typedef struct KnGdlBoard {
    const char *name; /* of the relation */
    int columns, rows;
    const char **column_names, **row_names; /* row 0 is drawn at the bottom; a single row has no name */
    int content_count;
    const char **contents; /* names; 0 of them: places are marked or not */
    char *letters;         /* one for each content, . for what looks like nothing */
    uint32_t
        *facts;   /* by (row * columns + column) * max(contents, 1) + content: fact + 1, 0: there is none */
    bool *places; /* by row * columns + column: some fact is about it */
} KnGdlBoard;

typedef struct KnGdlBoards {
    KnArena *arena;
    KnGdlBoard *list; /* the largest first */
    int count;
} KnGdlBoards;

/* `single`: by fact, whether it is in a group of facts that differ in this argument only (bit n for argument
 * n), at most one of which is true as far as is known. KN_SYSTEM if memory runs out. */
KnStatus kn_gdl_boards_find(const KnGdlSheet *sheet, const KnTerms *terms, const KnTerm *facts,
                            uint32_t fact_count, const uint64_t *single, KnGdlBoards *boards, KnError *error);
void kn_gdl_boards_free(KnGdlBoards *boards);

/* What is at a place: the number of a content, -1: nothing, -2: there is no such place. */
int kn_gdl_board_at(const KnGdlBoard *board, const uint64_t *state, int column, int row);

/* Lines of letters with coordinates, and the letters explained where they do not explain themselves. */
void kn_gdl_board_draw(const KnGdlBoard *board, const uint64_t *state, bool colour, KnText *out);

/* Whether a fact (by number) is shown on a board. */
bool kn_gdl_boards_show(const KnGdlBoards *boards, uint32_t fact);

#endif
