/* Games read from text: PDN (draughts), SGF (Go), GGF (Othello), and plain lines for every other game:
 *
 *     game: morris(men=6)
 *     position: ...            may be left out
 *     moves: 1 5 9 ...
 *
 * A reader knows the format, not the game: it gives a spec, a start and moves in the game's own notation, and
 * whoever opens that game and replays them finds what does not fit. Of several games or variations the first
 * is taken.
 *
 * Ownership: kn_sheet_text_free frees what a reader filled, whether it succeeded or not. */
#ifndef KNACK_FORMATS_READING_H
#define KNACK_FORMATS_READING_H

#include "base/error.h"
#include "base/text.h"

typedef struct KnSheetText {
    const char *format; /* "pdn", "sgf", "ggf", "lines" */
    KnText game;        /* spec */
    KnText start;       /* position, "" for the game's start */
    KnText moves;       /* separated by blanks */
    KnText players[2];  /* names, "" where not told */
    KnText result;      /* as the format writes it: 1-0, +12; "" where not told */
} KnSheetText;

#define KN_SHEET_TEXT                                                                                        \
    ((KnSheetText){                                                                                          \
        NULL, KN_TEXT_EMPTY, KN_TEXT_EMPTY, KN_TEXT_EMPTY, {KN_TEXT_EMPTY, KN_TEXT_EMPTY}, KN_TEXT_EMPTY})

/* Finds out the format by itself. The error names the line. */
KnStatus kn_sheet_read(const char *text, KnSheetText *sheet, KnError *error);
void kn_sheet_text_free(KnSheetText *sheet);

/* The games of a file that holds many (PDN, SGF, GGF): where each begins, for kn_sheet_read. *next gets the
 * beginning of the one after, or NULL; what lies between is the game. */
const char *kn_sheet_first(const char *text);
void kn_sheet_next(const char *game, const char **next);

KnStatus kn_pdn_read(const char *text, KnSheetText *sheet, KnError *error);
KnStatus kn_sgf_read(const char *text, KnSheetText *sheet,
                     KnError *error); /* GGF too, which is written alike */
KnStatus kn_lines_read(const char *text, KnSheetText *sheet, KnError *error);

#endif
