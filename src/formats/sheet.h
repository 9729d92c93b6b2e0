/* One game as a score sheet, and the formats that write it down.
 *
 * PDN is the draughts world's, SGF that of Go, GGF that of Othello. Each refuses a game that it cannot
 * express. Ownership: a sheet borrows everything. */
#ifndef KNACK_FORMATS_SHEET_H
#define KNACK_FORMATS_SHEET_H

#include "games/contest.h"

typedef struct KnSheet {
    const KnContest *contest;
    const char *event;
    const char *round;
    const char *date;       /* 2026-01-31 */
    const char *players[2]; /* by role */
    const double *payoffs;  /* by role; NULL while undecided */
    const char *ending;     /* how it ended, as a comment; may be NULL */
} KnSheet;

KnStatus kn_pdn_write(const KnSheet *sheet, KnText *out, KnError *error);
KnStatus kn_sgf_write(const KnSheet *sheet, KnText *out, KnError *error);
KnStatus kn_ggf_write(const KnSheet *sheet, KnText *out, KnError *error);

/* The writer that belongs to a game, or NULL; *extension gets "pdn", "sgf" or "ggf". */
typedef KnStatus (*KnSheetWriter)(const KnSheet *sheet, KnText *out, KnError *error);
KnSheetWriter kn_sheet_writer(const KnGame *game, const char **extension);

/* The writer of a format by name, NULL if there is none. */
KnSheetWriter kn_sheet_format(const char *name);

#endif
