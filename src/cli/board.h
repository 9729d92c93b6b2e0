/* Boards for people at a terminal: squares and discs in Unicode, with colours, where the terminal shows them;
 * else the game's own drawing in letters. */
#ifndef KNACK_CLI_BOARD_H
#define KNACK_CLI_BOARD_H

#include "base/text.h"
#include "games/game.h"

typedef struct CliLooks {
    bool unicode;
    bool colour;
    bool many; /* 256 colours: squares have a colour too */
} CliLooks;

/* What the terminal at stdout can do: Unicode by the locale, colours by cli_colour, 256 of them by $TERM. */
CliLooks cli_looks(void);

/* Whether a file is a terminal whose locale is UTF-8. */
bool cli_unicode(int file);

/* Draws a position. Cells that differ from `before` (NULL: none) are marked where there are many colours. */
void cli_draw(const KnGame *game, const void *position, const void *before, CliLooks looks, KnText *out);

#endif
