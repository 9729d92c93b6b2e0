#include "protocols/engine_session.h"

#include <string.h>

KnStatus kn_engine_session_open(KnEngineSession *session, const KnContext *context, KnGame *game,
                                const char *spec, KnError *error)
{
    KnEngineSession fresh = {.game = game, .role = -1};
    KnStatus status = kn_player_open(context, game, spec, &fresh.player, error);
    if (status == KN_OK && fresh.player->traits & KN_PLAYER_ASKS)
        status = kn_fail(error, KN_USAGE, "a person cannot be an engine");
    if (status == KN_OK && (!(fresh.told = kn_state_new(game)) || !(fresh.state = kn_state_new(game))))
        status = kn_fail_memory(error, "opening a game");
    kn_engine_session_close(status == KN_OK ? session : &fresh);
    if (status == KN_OK) *session = fresh;
    return status;
}

void kn_engine_session_close(KnEngineSession *session)
{
    kn_player_close(session->player);
    kn_state_free(session->told);
    kn_state_free(session->state);
    kn_game_close(session->game);
    *session = (KnEngineSession){.role = -1};
}

void kn_engine_session_forget(KnEngineSession *session) { session->role = -1; }

/* Whether the player has been told the beginning of the game. */
static bool goes_on(const KnEngineSession *session, const KnState *state, int role)
{
    const KnGame *game = kn_state_game(state);
    size_t told = kn_state_plies(session->told);
    if (session->role != role || told > kn_state_plies(state)) return false;
    if (memcmp(kn_state_position_at(session->told, 0), kn_state_position_at(state, 0), game->position_size) !=
        0)
        return false;
    for (size_t ply = 0; ply < told; ply++)
        if (memcmp(kn_state_joint_at(session->told, ply), kn_state_joint_at(state, ply),
                   (size_t)game->roles * sizeof(KnMove)) != 0)
            return false;
    return true;
}

KnStatus kn_engine_session_tell(KnEngineSession *session, const KnState *state, int role, KnError *error)
{
    KnStatus status = KN_OK;
    if (!goes_on(session, state, role)) {
        const void *origin = kn_state_position_at(state, 0);
        kn_state_reset(session->told, origin);
        session->role = role;
        status = kn_player_begin(session->player, role, origin, error);
    }
    for (size_t ply = kn_state_plies(session->told); ply < kn_state_plies(state) && status == KN_OK; ply++) {
        const KnMove *joint = kn_state_joint_at(state, ply);
        status = kn_state_play_joint(session->told, joint, error);
        if (status == KN_OK) status = kn_player_observe(session->player, session->told, joint, error);
    }
    if (status != KN_OK) session->role = -1;
    return status;
}

KnStatus kn_engine_session_weigh(KnEngineSession *session, const KnState *state, int role, KnBudget budget,
                                 KnRng *rng, const atomic_bool *cancel, KnMove *moves, KnScore *values,
                                 KnAnswer *answer, KnError *error)
{
    const KnGame *game = kn_state_game(state);
    int count = role >= 0 && role < game->roles ? kn_state_moves(state, role, moves) : 0;
    if (!count)
        return kn_fail(error, KN_INPUT,
                       kn_state_movers(state) ? "this role has no move here" : "the game is over");
    KnStatus status = kn_engine_session_tell(session, state, role, error);
    if (status != KN_OK) return status;
    KnRequest request = {.game = game,
                         .position = kn_state_position(state),
                         .history = kn_state_history(state),
                         .role = role,
                         .allowed = moves,
                         .allowed_count = count,
                         .budget = budget,
                         .rng = rng,
                         .cancel = cancel,
                         .wants = values ? KN_WANT_VALUES : 0};
    *answer = (KnAnswer){.values = values};
    return kn_player_choose(session->player, &request, answer, error);
}

KnStatus kn_engine_session_ask(KnEngineSession *session, const KnState *state, int role, KnBudget budget,
                               KnRng *rng, const atomic_bool *cancel, KnAnswer *answer, KnError *error)
{
    KnMove moves[kn_state_game(state)->max_moves];
    return kn_engine_session_weigh(session, state, role, budget, rng, cancel, moves, NULL, answer, error);
}
