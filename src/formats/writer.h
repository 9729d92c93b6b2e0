/* What the writers share. */
#ifndef KNACK_FORMATS_WRITER_H
#define KNACK_FORMATS_WRITER_H

#include "formats/record.h"

/* Fails unless the record's game is the one that the format is for. */
KnStatus kn_game_record_check(const KnGameRecord *record, const char *format, const char *game,
                              KnError *error);

/* The move of a ply, and its text. */
KnMove kn_game_record_move(const KnGameRecord *record, size_t ply);
void kn_game_record_move_text(const KnGameRecord *record, size_t ply, KnText *out);

/* Whether the record begins at another position than the start of the game. */
bool kn_game_record_set_up(const KnGameRecord *record);

/* 1 the first role won, -1 the second, 0 a draw; *known is false while undecided. */
int kn_game_record_result(const KnGameRecord *record, bool *known);

/* What decided a game that is not over on the board: R resignation, T the clock, F another forfeit; 0 where
 * nobody failed, as at a limit or by a judge, or where the record does not say. */
char kn_game_record_decision(const KnGameRecord *record);

#endif
