/* Parser for Portable Draughts Notation 3.0, game by game: tags, numbered moves, results. It skips comments,
 * variations, annotations ($1, !, (?)) and lines that begin with %. Only English draughts (GameType 21) is
 * accepted.
 *
 *     KnPdnReader reader = kn_pdn_reader(text);
 *     KnPdnGame game = KN_PDN_GAME;
 *     while ((status = kn_pdn_next(&reader, &game, &error)) != KN_NO) ...
 *     kn_pdn_game_free(&game);
 *
 * Results: in English draughts Black moves first, and the archives write Black's score first, so that 1-0 is
 * a win of Black. That is the rule for GameType "21" and "21,B,...", and where the tag is missing. GameType
 * "21,W,..." declares the other order, White's score first.
 *
 * The text must outlive the reader. Each call fills the game again. */
#ifndef KNACK_FORMATS_PDN_PARSER_H
#define KNACK_FORMATS_PDN_PARSER_H

#include "formats/parser.h"

typedef struct KnPdnReader {
    const char *text, *at;
    const char *counted; /* newlines are counted up to here */
    int line;            /* that this place is on */
} KnPdnReader;

typedef struct KnPdnGame {
    KnRecordText record;
    int line;   /* where the game begins */
    int *lines; /* the line of each move */
    size_t moves, room;
} KnPdnGame;

#define KN_PDN_GAME ((KnPdnGame){.record = KN_RECORD_TEXT})

KnPdnReader kn_pdn_reader(const char *text);

/* KN_OK with the next game, KN_NO at the end of the text. KN_INPUT for a game that cannot be parsed: the
 * error names the line, `game->line` is where the game begins, and the next call continues after it. */
KnStatus kn_pdn_next(KnPdnReader *reader, KnPdnGame *game, KnError *error);
void kn_pdn_game_free(KnPdnGame *game);

/* Where the game after the one that begins the text begins, or the end of the text. */
const char *kn_pdn_after(const char *game);

#endif
