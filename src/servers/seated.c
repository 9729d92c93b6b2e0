#include "servers/seated.h"

#include <string.h>

KnStatus kn_seated_open(KnSeated *seated, const KnContext *context, const KnGame *game, const char *spec,
                        KnError *error)
{
    *seated = (KnSeated){.role = -1};
    KnStatus status = kn_player_open(context, game, spec, &seated->player, error);
    if (status == KN_OK && seated->player->traits & KN_PLAYER_ASKS)
        status = kn_fail(error, KN_USAGE, "a person cannot be an engine");
    if (status == KN_OK && !(seated->told = kn_contest_new(game)))
        status = kn_fail_memory(error, "opening a game");
    if (status != KN_OK) kn_seated_close(seated);
    return status;
}

void kn_seated_close(KnSeated *seated)
{
    kn_player_close(seated->player);
    kn_contest_free(seated->told);
    *seated = (KnSeated){.role = -1};
}

void kn_seated_forget(KnSeated *seated) { seated->role = -1; }

/* Whether the player has been told the beginning of the contest. */
static bool goes_on(const KnSeated *seated, const KnContest *contest, int role)
{
    const KnGame *game = kn_contest_game(contest);
    size_t told = kn_contest_plies(seated->told);
    if (seated->role != role || told > kn_contest_plies(contest)) return false;
    if (memcmp(kn_contest_position_at(seated->told, 0), kn_contest_position_at(contest, 0),
               game->position_size) != 0)
        return false;
    for (size_t ply = 0; ply < told; ply++)
        if (memcmp(kn_contest_joint_at(seated->told, ply), kn_contest_joint_at(contest, ply),
                   (size_t)game->roles * sizeof(KnMove)) != 0)
            return false;
    return true;
}

KnStatus kn_seated_tell(KnSeated *seated, const KnContest *contest, int role, KnError *error)
{
    KnStatus status = KN_OK;
    if (!goes_on(seated, contest, role)) {
        const void *origin = kn_contest_position_at(contest, 0);
        kn_contest_reset(seated->told, origin);
        seated->role = role;
        status = kn_player_begin(seated->player, role, origin, error);
    }
    for (size_t ply = kn_contest_plies(seated->told); ply < kn_contest_plies(contest) && status == KN_OK;
         ply++) {
        const KnMove *joint = kn_contest_joint_at(contest, ply);
        status = kn_contest_play_joint(seated->told, joint, error);
        if (status == KN_OK) status = kn_player_observe(seated->player, seated->told, joint, error);
    }
    if (status != KN_OK) seated->role = -1;
    return status;
}

KnStatus kn_seated_weigh(KnSeated *seated, const KnContest *contest, int role, KnBudget budget, KnRng *rng,
                         const atomic_bool *cancel, KnMove *moves, KnScore *values, KnAnswer *answer,
                         KnError *error)
{
    const KnGame *game = kn_contest_game(contest);
    int count = role >= 0 && role < game->roles ? kn_contest_moves(contest, role, moves) : 0;
    if (!count)
        return kn_fail(error, KN_INPUT,
                       kn_contest_movers(contest) ? "this role has no move here" : "the game is over");
    KnStatus status = kn_seated_tell(seated, contest, role, error);
    if (status != KN_OK) return status;
    KnRequest request = {.game = game,
                         .position = kn_contest_position(contest),
                         .history = kn_contest_history(contest),
                         .role = role,
                         .allowed = moves,
                         .allowed_count = count,
                         .budget = budget,
                         .rng = rng,
                         .cancel = cancel,
                         .wants = values ? KN_WANT_VALUES : 0};
    *answer = (KnAnswer){.values = values};
    return kn_player_choose(seated->player, &request, answer, error);
}

KnStatus kn_seated_ask(KnSeated *seated, const KnContest *contest, int role, KnBudget budget, KnRng *rng,
                       const atomic_bool *cancel, KnAnswer *answer, KnError *error)
{
    KnMove moves[kn_contest_game(contest)->max_moves];
    return kn_seated_weigh(seated, contest, role, budget, rng, cancel, moves, NULL, answer, error);
}
