/* Reading Portable Draughts Notation, version 3, game by game: tags, moves with their numbers, results;
 * comments, variations, annotations ($1, !, (?)) and % lines are read over. Only English draughts (GameType
 * 21) is taken.
 *
 *     KnPdnReader reader = kn_pdn_reader(text);
 *     KnPdnGame game = KN_PDN_GAME;
 *     while ((status = kn_pdn_next(&reader, &game, &error)) != KN_NO) ...
 *     kn_pdn_game_free(&game);
 *
 * The text must outlive the reader. A game is filled anew by each call. */
#ifndef KNACK_FORMATS_READING_PDN_H
#define KNACK_FORMATS_READING_PDN_H

#include "formats/reading.h"

typedef struct KnPdnReader {
    const char *text, *at;
    const char *counted; /* up to where lines were counted, and how many there were */
    int line;
} KnPdnReader;

typedef struct KnPdnGame {
    KnSheetText sheet;
    int line;   /* where it begins */
    int *lines; /* on which line each move stands */
    size_t moves, room;
    KnText result; /* "1-0" and so on, white's score first; "*" or "" if there is none */
} KnPdnGame;

#define KN_PDN_GAME ((KnPdnGame){.sheet = KN_SHEET_TEXT, .result = KN_TEXT_EMPTY})

KnPdnReader kn_pdn_reader(const char *text);

/* KN_OK with the next game, KN_NO when there is none; KN_INPUT, with the line, for a game that cannot be
 * read: the reader then stands before the one after it, and `game->line` tells where the bad one began. */
KnStatus kn_pdn_next(KnPdnReader *reader, KnPdnGame *game, KnError *error);
void kn_pdn_game_free(KnPdnGame *game);

#endif
