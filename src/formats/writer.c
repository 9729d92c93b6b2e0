#include "formats/writer.h"

#include <string.h>

#include "base/assert.h"

KnStatus kn_game_record_check(const KnGameRecord *record, const char *format, const char *name,
                              KnError *error)
{
    const KnGame *game = kn_state_game(record->state);
    if (strcmp(game->type->head.name, name) == 0) return KN_OK;
    return kn_fail(error, KN_INPUT, "%s is for %s, this is %s; choose another format", format, name,
                   game->spec);
}

KnMove kn_game_record_move(const KnGameRecord *record, size_t ply)
{
    const KnGame *game = kn_state_game(record->state);
    KN_ASSERT(ply < kn_state_plies(record->state));
    int mover = game->type->mover(game, kn_state_position_at(record->state, ply));
    KN_ASSERT(mover >= 0 && mover < game->roles); /* records of formats are of games in turns */
    return kn_state_joint_at(record->state, ply)[mover];
}

void kn_game_record_move_text(const KnGameRecord *record, size_t ply, KnText *out)
{
    const KnGame *game = kn_state_game(record->state);
    game->type->move_text(game, kn_state_position_at(record->state, ply), kn_game_record_move(record, ply),
                          out);
}

bool kn_game_record_set_up(const KnGameRecord *record)
{
    const KnGame *game = kn_state_game(record->state);
    unsigned char usual[game->position_size] __attribute__((aligned(16)));
    game->type->start(game, usual);
    return memcmp(usual, kn_state_position_at(record->state, 0), game->position_size) != 0;
}

int kn_game_record_result(const KnGameRecord *record, bool *known)
{
    *known = record->payoffs != NULL;
    return *known ? (record->payoffs[0] > record->payoffs[1]) - (record->payoffs[0] < record->payoffs[1]) : 0;
}
