/* Checks of specs that arrive over HTTP.
 *
 * Such a spec may name registered things with numbers, flags and choices, and nest them. It must not name a
 * file or a command, nor ask for more memory or time than the server grants. The exception is a file learned
 * on this server: data:learned/NAME. A game description is uploaded first and then named by the hash of its
 * text: gdl:0123456789abcdef0123456789abcdef. */
#ifndef KNACK_WEB_GUARD_H
#define KNACK_WEB_GUARD_H

#include "games/game.h"

enum { KN_GUARD_SPEC = 2000, KN_GUARD_MEMORY = 64 /* MiB of one player's tables */ };

/* Checks a game's spec and writes the one that the library can open: the hash of an upload becomes its file
 * in the data folder. */
KnStatus kn_guard_game(const KnContext *context, const char *spec, KnText *allowed, KnError *error);

/* Checks a player's spec for a game. */
KnStatus kn_guard_player(const KnContext *context, const KnGame *game, const char *spec, KnError *error);

/* Checks a learner's spec for a game: allocation(examples=4000). */
KnStatus kn_guard_learner(const KnContext *context, const KnGame *game, const char *spec, KnError *error);

/* The folder of learned files, below the data folder. */
#define KN_GUARD_LEARNED "learned"

/* The file of the game description with this hash (32 hex digits): DATA/gdl/HASH.kif. */
void kn_guard_description_path(const KnContext *context, const char *hash, KnText *path);

#endif
