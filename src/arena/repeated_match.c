#include "arena/repeated_match.h"

#include <stdlib.h>

#include "arena/play.h"

KnStatus kn_table_open(KnTable *table, const KnField *field, KnError *error)
{
    *table = (KnTable){.field = field};
    table->seats = calloc(field->count * 2, sizeof *table->seats);
    table->contest = kn_contest_new(field->game);
    return table->seats && table->contest ? KN_OK : kn_fail_memory(error, "preparing a tournament");
}

void kn_table_close(KnTable *table)
{
    if (!table->field) return;
    for (size_t i = 0; table->seats && i < table->field->count * 2; i++) kn_player_close(table->seats[i]);
    free(table->seats);
    kn_contest_free(table->contest);
}

bool kn_field_certain(const KnField *field, size_t first, size_t second)
{
    if (field->rules.noise > 0 || field->rules.matrix->go_on < 1) return false;
    for (int side = 0; side < 2; side++) {
        const KnAgent *agent = kn_player_agent(field->players[side ? second : first]);
        if (!agent) return false;
        if (agent->machine ? !agent->machine->deterministic
                           : !(agent->strategy->traits & KN_STRATEGY_DETERMINISTIC))
            return false;
    }
    return true;
}

static KnStatus seat(KnTable *table, size_t entrant, int side, KnPlayer **player, KnError *error)
{
    KnPlayer **place = &table->seats[entrant * 2 + (size_t)side];
    if (!*place) {
        KnStatus status = kn_player_open(table->field->context, table->field->game,
                                         table->field->specs[entrant], place, error);
        if (status != KN_OK) return status;
        kn_player_tell_length(*place, table->field->rules.told);
    }
    *player = *place;
    return KN_OK;
}

/* A move that comes out as another one, each of the others as likely. */
static KnMove tremble(const KnMove *moves, int count, KnMove move, double noise, KnRng *rng)
{
    if (!(noise > 0) || !(kn_rng_real(rng) < noise) || count < 2) return move;
    int at = 0;
    while (moves[at] != move) at++;
    int shift = count == 2 ? 1 : 1 + (int)kn_rng_below(rng, (uint32_t)count - 1);
    return moves[(at + shift) % count];
}

/* As kn_player_choose, without reading the processor's clock before and after: that takes longer than most
 * answers. */
static KnStatus ask(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    answer->move = KN_MOVE_NONE;
    KnStatus status = player->type->choose(player, request, answer, error);
    for (int i = 0; i < request->allowed_count && status == KN_OK; i++)
        if (request->allowed[i] == answer->move) return KN_OK;
    return status != KN_OK ? status
                           : kn_fail(error, KN_NO, "%s chose a move that is not allowed here", player->spec);
}

static KnStatus play_round(KnTable *table, KnPlayer *const players[2], KnRng *streams, KnMove *joint,
                           KnError *error)
{
    const KnGame *game = table->field->game;
    KnContest *contest = table->contest;
    KnMove moves[game->max_moves];
    for (int role = 0; role < 2; role++) {
        KnRequest request = {.game = game,
                             .position = kn_contest_position(contest),
                             .history = kn_contest_history(contest),
                             .role = role,
                             .allowed = moves,
                             .allowed_count = kn_contest_moves(contest, role, moves),
                             .rng = &streams[role]};
        KnAnswer answer = {0};
        KnStatus status = ask(players[role], &request, &answer, error);
        if (status != KN_OK) return status;
        joint[role] = tremble(moves, request.allowed_count, answer.move, table->field->rules.noise,
                              &streams[KN_DUEL_NOISE]);
    }
    if (game->nature >= 0) joint[game->nature] = kn_nature_move(contest, &streams[KN_DUEL_NATURE]);
    return kn_contest_play_joint(contest, joint, error);
}

/* Through the interface that every player has. */
static KnStatus play_players(KnTable *table, KnPlayer *const players[2], KnRng *streams, KnBout *bout,
                             KnError *error)
{
    const KnMatrix *matrix = table->field->rules.matrix;
    KnContest *contest = table->contest;
    kn_contest_reset(contest, NULL);
    KnStatus status = KN_OK;
    for (int role = 0; role < 2 && status == KN_OK; role++)
        status = kn_player_begin(players[role], role, kn_contest_position(contest), error);
    while (status == KN_OK && kn_contest_movers(contest)) {
        KnMove joint[KN_ROLES_MAX];
        status = play_round(table, players, streams, joint, error);
        for (int role = 0; role < 2 && status == KN_OK; role++)
            status = kn_player_observe(players[role], contest, joint, error);
        if (status != KN_OK) return status;
        const int64_t *paid = kn_matrix_table(matrix, (long)bout->turns) + kn_matrix_cell(matrix, joint) * 2;
        for (int role = 0; role < 2; role++) {
            bout->scores[role] += paid[role];
            bout->cooperations[role] += kn_matrix_action(joint[role]) == KN_C;
        }
        bout->turns++;
    }
    double payoffs[KN_ROLES_MAX];
    kn_contest_over(contest, payoffs);
    for (int role = 0; role < 2 && status == KN_OK; role++)
        status = kn_player_end(players[role], contest, payoffs, error);
    return status;
}

KnStatus kn_table_play(KnTable *table, size_t first, size_t second, KnRng seeds, KnBout *bout, KnError *error)
{
    const KnField *field = table->field;
    KnRng streams[KN_DUEL_STREAMS];
    for (int s = 0; s < KN_DUEL_STREAMS; s++) streams[s] = kn_rng_seeded(kn_rng_next(&seeds));
    *bout = (KnBout){0};
    const KnAgent *agents[2] = {kn_player_agent(field->players[first]),
                                kn_player_agent(field->players[second])};
    if (agents[0] && agents[1]) {
        KnDuel duel;
        kn_duel(agents[0], agents[1], &field->rules, streams, &duel);
        bout->turns = (uint64_t)duel.turns;
        for (int side = 0; side < 2; side++) {
            bout->scores[side] = kn_duel_score(&duel, field->rules.matrix, side);
            bout->cooperations[side] = (uint64_t)kn_duel_cooperations(&duel, side);
        }
        return KN_OK;
    }
    KnPlayer *players[2];
    KnStatus status = seat(table, first, 0, &players[0], error);
    if (status == KN_OK) status = seat(table, second, 1, &players[1], error);
    return status == KN_OK ? play_players(table, players, streams, bout, error) : status;
}
