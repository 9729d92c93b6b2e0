#include "formats/writing.h"

#include <string.h>

KnStatus kn_sheet_check(const KnSheet *sheet, const char *format, const char *name, KnError *error)
{
    const KnGame *game = kn_contest_game(sheet->contest);
    if (strcmp(game->type->head.name, name) == 0) return KN_OK;
    return kn_fail(error, KN_INPUT, "%s is for %s, this is %s; choose another format", format, name,
                   game->spec);
}

KnMove kn_sheet_move(const KnSheet *sheet, size_t ply)
{
    const KnGame *game = kn_contest_game(sheet->contest);
    int mover = game->type->mover(game, kn_contest_position_at(sheet->contest, ply));
    return kn_contest_joint_at(sheet->contest, ply)[mover];
}

void kn_sheet_move_text(const KnSheet *sheet, size_t ply, KnText *out)
{
    const KnGame *game = kn_contest_game(sheet->contest);
    game->type->move_text(game, kn_contest_position_at(sheet->contest, ply), kn_sheet_move(sheet, ply), out);
}

bool kn_sheet_set_up(const KnSheet *sheet)
{
    const KnGame *game = kn_contest_game(sheet->contest);
    unsigned char usual[game->position_size] __attribute__((aligned(16)));
    game->type->start(game, usual);
    return memcmp(usual, kn_contest_position_at(sheet->contest, 0), game->position_size) != 0;
}

int kn_sheet_result(const KnSheet *sheet, bool *known)
{
    *known = sheet->payoffs != NULL;
    return *known ? (sheet->payoffs[0] > sheet->payoffs[1]) - (sheet->payoffs[0] < sheet->payoffs[1]) : 0;
}
