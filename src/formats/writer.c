#include "formats/writer.h"

#include <string.h>

#include "base/assert.h"
#include "games/replay.h"

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

char kn_game_record_decision(const KnGameRecord *record)
{
    static const char *const nobody[] = {"rules", "history", "limit", "judge", "tables", "caller", "agreed"};
    const char *ending = record->ending ? record->ending : "rules";
    for (size_t i = 0; i < sizeof nobody / sizeof *nobody; i++)
        if (strcmp(ending, nobody[i]) == 0) return 0;
    return strcmp(ending, "resigned") == 0 ? 'R' : strstr(ending, "ran out of time") ? 'T' : 'F';
}

int kn_game_record_result(const KnGameRecord *record, bool *known)
{
    *known = record->payoffs != NULL;
    return *known ? (record->payoffs[0] > record->payoffs[1]) - (record->payoffs[0] < record->payoffs[1]) : 0;
}

void kn_lines_write(const KnState *state, KnText *out)
{
    const KnGame *game = kn_state_game(state);
    KnGameRecord record = {.state = state};
    kn_text_printf(out, "game: %s\n", game->spec);
    if (kn_game_record_set_up(&record)) {
        kn_text_add(out, "position: ");
        game->type->position_text(game, kn_state_position_at(state, 0), out);
        kn_text_add_char(out, '\n');
    }
    KnText moves = KN_TEXT_EMPTY;
    kn_moves_text(state, &moves);
    kn_text_printf(out, "moves: %s\n", moves.data);
    kn_text_free(&moves);
}
