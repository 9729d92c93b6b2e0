/* The door of the house: one call that makes a context in which everything built in is known. */
#ifndef KNACK_KNACK_H
#define KNACK_KNACK_H

#include "base/context.h"

/* A context with every built-in game, player, evaluation and experiment; data lives in `data` (NULL:
 * $KNACK_DATA, else $XDG_DATA_HOME/knack, else ~/.local/share/knack). kn_context_free closes it. */
KnStatus kn_open(const char *data, KnContext **context, KnError *error);

const char *kn_version(void);

#endif
