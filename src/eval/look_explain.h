/* What both kinds of network show of themselves: a table that looks like the board, and how they were made.
 */
#ifndef KNACK_EVAL_LOOK_EXPLAIN_H
#define KNACK_EVAL_LOOK_EXPLAIN_H

#include "base/explanation.h"
#include "eval/look.h"

/* The name of the first role. */
const char *kn_look_first(const KnLook *look);

/* Adds what a man of the first kind is worth to the first role on each cell, as a share of the points near an
 * even position: a row of numbers for each row of cells. NaN: not known. Nothing where the game does not say
 * where cells are.
 */
void kn_look_describe_worth(const KnLook *look, const double *worth, KnArena *arena, KnExplanation *parent);

/* Adds the phases, and how the network was made: a JSON object. */
void kn_look_describe_making(const KnLook *look, int phases, const json_t *made, KnArena *arena,
                             KnExplanation *parent);

/* The name of a cell, in the arena: as the game has it, else its number. */
void kn_look_add_cell_name(const KnLook *look, int cell, KnText *out);

#endif
