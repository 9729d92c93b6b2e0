/* A game from a file, for commands that go on with one or look at it. */
#ifndef KNACK_CLI_RECORD_FILE_H
#define KNACK_CLI_RECORD_FILE_H

#include "formats/parser.h"
#include "games/game.h"

typedef struct CliRecord {
    KnGame *game;
    KnState *state;    /* after the last move */
    KnRecordText text; /* as the file has it; empty where it holds moves alone */
} CliRecord;

/* Reads game `number` (from 1) of a file in PDN, SGF or GGF, or in plain lines ("game: SPEC", "moves: ...").
 * A file of moves alone, as `save` of `knack play` writes it, needs `spec`, the game; with other formats it
 * replaces the game that the file names. */
KnStatus cli_record_read(const KnContext *context, const char *path, size_t number, const char *spec,
                         CliRecord *record, KnError *error);
void cli_record_free(CliRecord *record);

#endif
