/* Explanations (<knack/explain.h>) as text and as JSON. */
#ifndef KNACK_BASE_EXPLANATION_H
#define KNACK_BASE_EXPLANATION_H

#include <jansson.h>
#include <knack/explain.h>

#include "base/arena.h"
#include "base/text.h"

/* A tree from indented lines: a line is a child of the nearest line above it that is indented less. The first
 * line is the root; other lines without indentation are its children. */
KnExplanation *kn_explanation_from_lines(KnArena *arena, const char *lines);

/* Indented plain text; boards as their position text. */
void kn_explanation_print(const KnExplanation *explanation, KnText *out);

/* Writes a position in a game's notation as rows of letters, / between them; false if it cannot. */
typedef bool KnBoardRows(const void *user, const char *board, KnText *rows);

/* A picture of it: rows with bars and boards, at most 400 of them. `board_rows` (kn_board_rows_of with the
 * game as `user`) reads positions; NULL: only those are drawn that are rows of letters themselves. */
void kn_explanation_svg(const KnExplanation *explanation, KnBoardRows *board_rows, const void *user,
                        KnText *out);

/* {"kind", "label", ..., "children": [...]}; a new reference, NULL if memory runs out. */
json_t *kn_explanation_json(const KnExplanation *explanation);

/* Adds a group "how it was made", from a JSON object without its arrays, and returns it; NULL where the
 * object is empty or NULL. */
KnExplanation *kn_explanation_made(KnArena *arena, KnExplanation *parent, const json_t *made);

#endif
