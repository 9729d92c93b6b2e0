/* What the readers of problems share. Only for files of this folder. */
#ifndef KNACK_FORMATS_PROBLEMS_PARSER_H
#define KNACK_FORMATS_PROBLEMS_PARSER_H

#include "formats/problems.h"

/* An empty list with room for `count` problems. */
KnStatus kn_problems_new(size_t most, KnCaptureProblems **problems, KnError *error);

/* The game of a size, opened once. */
KnStatus kn_problems_game(const KnContext *context, KnCaptureProblems *problems, int size,
                          const KnGame **game, KnError *error);

/* A vertex such as C3 as a cell, row by row from the top; -1 if it is none. */
int kn_problems_cell(const char *vertex, int size);

static inline KnMove kn_problems_move(const KnGame *game, int cell)
{
    return kn_go_move(game, cell % kn_go_size(game), cell / kn_go_size(game));
}

#endif
