/* Parsers for game records: PDN (draughts), SGF (Go), GGF (Othello), and plain lines for every other game:
 *
 *     game: morris(men=6)
 *     position: ...            may be left out
 *     moves: 1 5 9 ...
 *
 * A parser knows the format, not the game. It yields a game's spec, a start position and moves in the game's
 * own notation; replaying them (games/replay.h) finds what is illegal. Of several games or variations it
 * takes the first.
 *
 * Ownership: kn_game_record_text_free frees what a parser filled, whether it succeeded or not. */
#ifndef KNACK_FORMATS_PARSER_H
#define KNACK_FORMATS_PARSER_H

#include "base/error.h"
#include "base/text.h"

typedef struct KnRecordText {
    const char *format;        /* "pdn", "sgf", "ggf", "lines" */
    KnText game;               /* spec */
    KnText start;              /* position, "" for the game's start */
    KnText moves;              /* separated by blanks */
    KnText players[2];         /* names, "" where there are none */
    KnText result;             /* as the format writes it: 1-0, +12, B+3.5; "" where there is none */
    KnText event, round, date; /* PDN and SGF; "" where there is none */
    bool white_first;          /* PDN: the file declares that White's score comes first in a result */
} KnRecordText;

#define KN_RECORD_TEXT                                                                                       \
    ((KnRecordText){.game = KN_TEXT_EMPTY,                                                                   \
                    .start = KN_TEXT_EMPTY,                                                                  \
                    .moves = KN_TEXT_EMPTY,                                                                  \
                    .players = {KN_TEXT_EMPTY, KN_TEXT_EMPTY},                                               \
                    .result = KN_TEXT_EMPTY,                                                                 \
                    .event = KN_TEXT_EMPTY,                                                                  \
                    .round = KN_TEXT_EMPTY,                                                                  \
                    .date = KN_TEXT_EMPTY})

/* Detects the format. The error names the line. */
KnStatus kn_game_record_read(const char *text, KnRecordText *record, KnError *error);
void kn_game_record_text_free(KnRecordText *record);

/* What a result of PDN says of the side whose score comes first: 1, 0 or -1. False where it says nothing. */
bool kn_pdn_score(const char *text, double *first);

/* The result from the first role's view: 1, 0 or -1 (PDN), or the margin in points (GGF, SGF). False where
 * the record has none, or one without a number (SGF B+R). */
bool kn_game_record_outcome(const KnRecordText *record, double *outcome);

/* A number as archives write it: 6.5, 6,5 or +2.000:t; what follows a blank or a colon is a remark. */
bool kn_game_record_number(const char *text, double *number);

/* Splits a file of several games. kn_game_record_first is where the first begins, behind the count of games
 * that lines of GGF archives begin with; *next gets where the one after `game` begins, or NULL. */
const char *kn_game_record_first(const char *text);
void kn_game_record_next(const char *game, const char **next);

/* Whether a text, from where its first game begins, is PDN, with tags or without; and whether it shows its
 * format, by tags, (; or "game:", which a list of moves does not. */
bool kn_game_record_pdn(const char *first);
bool kn_game_record_begins(const char *first);

KnStatus kn_pdn_read(const char *text, KnRecordText *record, KnError *error);
KnStatus kn_sgf_read(const char *text, KnRecordText *record,
                     KnError *error); /* GGF too, which is written alike */
KnStatus kn_lines_read(const char *text, KnRecordText *record, KnError *error);

#endif
