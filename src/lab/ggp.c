#include "lab/ggp.h"

#include "players/player.h"

const char *const kn_ggp_games[KN_GGP_GAMES] = {"gdl:tictactoe",    "gdl:losetictactoe", "gdl:connectfour",
                                                "gdl:breakthrough", "gdl:hex5",          "gdl:othello6",
                                                "gdl:fours",        "gdl:bidding"};

static KnStatus decide(KnContest *contest, KnPlayer *player, int role, KnRng *rng, const atomic_bool *cancel,
                       KnMove *move, KnGgpSeat *seat, KnError *error)
{
    const KnGame *game = kn_contest_game(contest);
    KnMove moves[game->max_moves];
    int count = kn_contest_moves(contest, role, moves);
    *move = count ? moves[0] : KN_MOVE_NONE;
    if (count < 2) return KN_OK;
    KnRequest request = {.game = game,
                         .position = kn_contest_position(contest),
                         .history = kn_contest_history(contest),
                         .role = role,
                         .allowed = moves,
                         .allowed_count = count,
                         .rng = rng,
                         .cancel = cancel};
    KnAnswer answer = {0};
    KnStatus status = kn_player_choose(player, &request, &answer, error);
    if (status != KN_OK) return kn_fail_within(error, "%s", player->spec);
    if (cancel && atomic_load(cancel)) return kn_fail(error, KN_STOPPED, "stopped");
    seat->decisions++;
    seat->nodes += answer.cost.nodes;
    seat->depth += (uint64_t)answer.depth;
    *move = answer.move;
    return KN_OK;
}

KnStatus kn_ggp_contest(KnContest *contest, KnPlayer *const *players, KnRng *rng, size_t ply_limit,
                        const atomic_bool *cancel, KnGgpSeat *seats, KnError *error)
{
    const KnGame *game = kn_contest_game(contest);
    double payoffs[KN_ROLES_MAX];
    KnStatus status = KN_OK;
    for (int role = 0; role < game->roles && status == KN_OK; role++) {
        seats[role] = (KnGgpSeat){0};
        status = kn_player_begin(players[role], role, kn_contest_position(contest), error);
    }
    while (status == KN_OK && !kn_contest_over(contest, payoffs) && kn_contest_plies(contest) < ply_limit) {
        KnMove joint[KN_ROLES_MAX];
        for (int role = 0; role < game->roles && status == KN_OK; role++)
            status = decide(contest, players[role], role, rng, cancel, &joint[role], &seats[role], error);
        if (status == KN_OK) status = kn_contest_play_joint(contest, joint, error);
    }
    if (status != KN_OK) return status;
    double range = game->payoff_high - game->payoff_low;
    bool over = kn_contest_over(contest, payoffs);
    for (int role = 0; role < game->roles; role++)
        seats[role].payoff = over ? 100 * (payoffs[role] - game->payoff_low) / range : 50;
    return KN_OK;
}

int kn_ggp_position(KnContest *contest, KnRng *rng, int plies)
{
    const KnGame *game = kn_contest_game(contest);
    KnMove moves[game->max_moves], joint[KN_ROLES_MAX];
    KnError error;
    for (;;) {
        kn_contest_reset(contest, NULL);
        for (int ply = 0; ply < plies && !kn_contest_over(contest, NULL); ply++) {
            for (int role = 0; role < game->roles; role++) {
                int count = kn_contest_moves(contest, role, moves);
                joint[role] = count ? moves[kn_rng_below(rng, (uint32_t)count)] : KN_MOVE_NONE;
            }
            if (kn_contest_play_joint(contest, joint, &error) != KN_OK) break;
        }
        if (kn_contest_over(contest, NULL)) continue;
        for (int role = 0; role < game->roles; role++)
            if (kn_contest_moves(contest, role, moves) > 1) return role;
    }
}
