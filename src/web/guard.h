/* What may be asked for over HTTP.
 *
 * A spec from a stranger may name registered things with numbers, flags and choices, and nest them; it may
 * not name a file or a command, nor take more memory or time than the server has to give. Files that were
 * learned here are excepted: data:learned/NAME. Games described by somebody's own rules come by upload and
 * are known by the hash of their text: gdl:0123456789abcdef0123456789abcdef. */
#ifndef KNACK_WEB_GUARD_H
#define KNACK_WEB_GUARD_H

#include "games/game.h"

enum { KN_GUARD_SPEC = 2000, KN_GUARD_MEMORY = 64 /* MiB of one player's tables */ };

/* A game's spec, as the library may open it: an uploaded sheet's hash becomes its file below the data folder.
 */
KnStatus kn_guard_game(const KnContext *context, const char *spec, KnText *allowed, KnError *error);

/* A player's spec for a game. */
KnStatus kn_guard_player(const KnContext *context, const KnGame *game, const char *spec, KnError *error);

/* A learner's, for a game: allocation(examples=4000). */
KnStatus kn_guard_learner(const KnContext *context, const KnGame *game, const char *spec, KnError *error);

/* The folder of files that were learned here, below the data folder. */
#define KN_GUARD_LEARNED "learned"

/* Where the rules with this hash (32 hex digits) are kept: DATA/gdl/HASH.kif. */
void kn_guard_rules_path(const KnContext *context, const char *hash, KnText *path);

#endif
