/* One game as a score record, and the formats that write it down.
 *
 * PDN is the draughts world's, SGF that of Go, GGF that of Othello. Each refuses a game that it cannot
 * express. Ownership: a record borrows everything. */
#ifndef KNACK_FORMATS_RECORD_H
#define KNACK_FORMATS_RECORD_H

#include "games/game.h"

typedef struct KnGameRecord {
    const KnState *state;
    const char *event;
    const char *round;
    const char *date;       /* 2026-01-31 */
    const char *players[2]; /* by role */
    const double *payoffs;  /* by role; NULL while undecided */
    const char *result; /* as PDN or SGF write it, in place of what the payoffs say; NULL: by the payoffs */
    const char *ending; /* a word (arena/play.h) or the fault of who forfeited; NULL: by the rules */
    const char *const
        *comments; /* by ply, after the move; each may be NULL; NULL: none. GGF has no place for them */
} KnGameRecord;

KnStatus kn_pdn_write(const KnGameRecord *record, KnText *out, KnError *error);
KnStatus kn_sgf_write(const KnGameRecord *record, KnText *out, KnError *error);
KnStatus kn_ggf_write(const KnGameRecord *record, KnText *out, KnError *error);

/* Lines for a game of any kind, which kn_lines_read reads. */
void kn_lines_write(const KnState *state, KnText *out);

/* The writer that belongs to a game, or NULL; *extension gets "pdn", "sgf" or "ggf". */
typedef KnStatus (*KnRecordWriter)(const KnGameRecord *record, KnText *out, KnError *error);
KnRecordWriter kn_game_record_writer(const KnGame *game, const char **extension);

/* The writer of a format by name, NULL if there is none. */
KnRecordWriter kn_game_record_format(const char *name);

#endif
