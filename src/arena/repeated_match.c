#include "arena/repeated_match.h"

#include <stdlib.h>

#include "arena/play.h"

KnStatus kn_table_open(KnPairTable *table, const KnField *field, KnError *error)
{
    *table = (KnPairTable){.field = field};
    table->seats = calloc(field->count * 2, sizeof *table->seats);
    table->state = kn_state_new(field->game);
    return table->seats && table->state ? KN_OK : kn_fail_memory(error, "preparing a tournament");
}

void kn_table_close(KnPairTable *table)
{
    if (!table->field) return;
    for (size_t i = 0; table->seats && i < table->field->count * 2; i++) kn_player_close(table->seats[i]);
    free(table->seats);
    kn_state_free(table->state);
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

static KnStatus seat(KnPairTable *table, size_t entrant, int side, KnPlayer **player, KnError *error)
{
    KnPlayer **place = &table->seats[entrant * 2 + (size_t)side];
    if (!*place) {
        KnStatus status = kn_player_open(table->field->context, table->field->game,
                                         table->field->specs[entrant], place, error);
        if (status != KN_OK) return status;
        kn_player_set_known_length(*place, table->field->rules.known_length);
    }
    *player = *place;
    return KN_OK;
}

/* A game of players of any kind. */
typedef struct Bout {
    const KnField *field;
    KnRng *streams;
    KnBout *bout;
} Bout;

/* Noise: with this probability a move comes out as another one, each of the others as likely. */
static KnStatus tremble(void *user, const KnState *state, const KnRequest *request, KnAnswer *answer,
                        KnError *error)
{
    (void)state, (void)error;
    const Bout *b = user;
    KnRng *rng = &b->streams[KN_DUEL_NOISE];
    int count = request->allowed_count, at = 0;
    if (!(b->field->rules.noise > 0) || !(kn_rng_real(rng) < b->field->rules.noise) || count < 2)
        return KN_OK;
    while (request->allowed[at] != answer->move) at++;
    int shift = count == 2 ? 1 : 1 + (int)kn_rng_below(rng, (uint32_t)count - 1);
    answer->move = request->allowed[(at + shift) % count];
    return KN_OK;
}

static KnStatus count_turn(void *user, const KnState *state, const KnMove *joint, KnError *error)
{
    (void)state, (void)error;
    const Bout *b = user;
    const KnMatrix *matrix = b->field->rules.matrix;
    const int64_t *paid = kn_matrix_table(matrix, (long)b->bout->turns) + kn_matrix_cell(matrix, joint) * 2;
    for (int role = 0; role < 2; role++) {
        b->bout->scores[role] += paid[role];
        b->bout->cooperations[role] += kn_matrix_action(joint[role]) == KN_C;
    }
    b->bout->turns++;
    return KN_OK;
}

static KnStatus play_players(KnPairTable *table, KnPlayer *const players[2], KnRng *streams, KnBout *bout,
                             KnError *error)
{
    const KnGame *game = table->field->game;
    KnPlayPlan plan = {.state = table->state,
                       .players = {players[0], players[1]},
                       .rngs = {&streams[0], &streams[1]},
                       .strict = true,
                       .untimed = true,
                       .move = tremble,
                       .after = count_turn,
                       .user = &(Bout){table->field, streams, bout}};
    KnPlayed played;
    if (game->nature >= 0) plan.rngs[game->nature] = &streams[KN_DUEL_NATURE];
    kn_state_reset(table->state, NULL);
    return kn_play(&plan, &played, error);
}

KnStatus kn_table_play(KnPairTable *table, size_t first, size_t second, KnRng seeds, KnBout *bout,
                       KnError *error)
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
