/* --svg: an explanation as a picture in a file. */
#ifndef KNACK_CLI_PICTURE_H
#define KNACK_CLI_PICTURE_H

#include "base/explanation.h"
#include "games/game.h"

/* Boards are those of the game. */
KnStatus cli_write_explanation(const KnExplanation *explanation, const KnGame *game, const char *file,
                               KnError *error);

#endif
