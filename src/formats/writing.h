/* What the writers share. */
#ifndef KNACK_FORMATS_WRITING_H
#define KNACK_FORMATS_WRITING_H

#include "formats/sheet.h"

/* Fails unless the sheet's game is the one that the format is for. */
KnStatus kn_sheet_check(const KnSheet *sheet, const char *format, const char *game, KnError *error);

/* The move played at a ply by whoever had it, and its text. */
KnMove kn_sheet_move(const KnSheet *sheet, size_t ply);
void kn_sheet_move_text(const KnSheet *sheet, size_t ply, KnText *out);

/* Whether the contest began elsewhere than at the game's start. */
bool kn_sheet_set_up(const KnSheet *sheet);

/* 1 the first role won, -1 the second, 0 a draw; *known is false while undecided. */
int kn_sheet_result(const KnSheet *sheet, bool *known);

#endif
