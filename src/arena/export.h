/* Stored runs as files for other programs: csv (a line a game), json (a document with all games), latex (the
 * result as a table), and the games in their field's own format: pdn (draughts), sgf (Go), ggf (Othello). */
#ifndef KNACK_ARENA_EXPORT_H
#define KNACK_ARENA_EXPORT_H

#include "arena/store.h"

KnStatus kn_export_run(const KnContext *context, KnStore *store, const char *run, const char *format,
                       KnText *out, KnError *error);

#endif
