/* Detects relations that are boards: (cell 3 4 x) is a place, by one or two coordinates, and its content.
 *
 * A relation is a board if its facts, without the content argument, fill at least half of a grid, or a row,
 * and no place was ever seen with two contents; or if it has two arguments, both coordinates, and marks
 * places. A row counts only if there are no other boards and it has no more contents than places. Roles are
 * not coordinates. Coordinates are ordered by a successor relation of the description, else as numbers, else
 * by name. The first coordinate runs right, the second up.
 *
 * Ownership: kn_gdl_boards_find fills, kn_gdl_boards_free frees (also after a failure); everything is in the
 * boards' arena. */
#ifndef KNACK_GAMES_GDL_BOARDS_H
#define KNACK_GAMES_GDL_BOARDS_H

#include "games/gdl/description.h"

typedef struct KnGdlBoard {
    const char *name; /* of the relation */
    int columns, rows;
    const char **column_names, **row_names; /* row 0 is at the bottom; a single row has no name */
    int content_count;
    const char **contents; /* names; if there are none, places are marked or not */
    char *letters;         /* one for each content; . for an empty one */
    uint32_t *facts;       /* by (row * columns + column) * max(contents, 1) + content: fact + 1; 0: none */
    bool *places;          /* whether the place exists */
} KnGdlBoard;

typedef struct KnGdlBoards {
    KnArena *arena;
    KnGdlBoard *list; /* the largest first */
    int count;
} KnGdlBoards;

/* `single`: by fact, bit n is set if it is mutually exclusive with the facts that differ only in argument n,
 * as far as known. KN_SYSTEM if memory runs out. */
KnStatus kn_gdl_boards_find(const KnGdlDescription *description, const KnTerms *terms, const KnTerm *facts,
                            uint32_t fact_count, const uint64_t *single, KnGdlBoards *boards, KnError *error);
void kn_gdl_boards_free(KnGdlBoards *boards);

/* The content of a place: its number, -1: empty, -2: no such place. */
int kn_gdl_board_at(const KnGdlBoard *board, const uint64_t *state, int column, int row);

/* Draws the board with coordinates, and a legend for unclear letters. */
void kn_gdl_board_draw(const KnGdlBoard *board, const uint64_t *state, bool colour, KnText *out);

/* Whether a fact (by number) is shown on a board. */
bool kn_gdl_boards_show(const KnGdlBoards *boards, uint32_t fact);

#endif
