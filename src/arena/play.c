#include "arena/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "games/gdl/gdl.h"

/* One question a ply: a small cache will do. */
enum { PROBER_BYTES = 1 << 18 };

const char *kn_ending_name(KnEnding ending)
{
    static const char *const names[] = {"rules", "history", "limit", "judge", "tables", "forfeit"};
    return names[ending];
}

void kn_played_free(KnPlayed *played) { kn_text_free(&played->moves); }

/* Everybody who did not fail gets the best payoff, the culprit the worst. */
static void forfeit(const KnGame *game, int role, const char *fault, KnPlayed *played)
{
    played->ending = KN_ENDED_BY_FORFEIT;
    played->culprit = role;
    snprintf(played->fault, sizeof played->fault, "%s", fault);
    for (int r = 0; r < game->roles; r++)
        played->payoffs[r] = r == role ? game->payoff_low : game->payoff_high;
}

/* What everybody has earned so far, where payoffs come along the way. */
static void add_rewards(const KnContest *contest, double *payoffs)
{
    const KnGame *game = kn_contest_game(contest);
    for (int role = 0; role < game->roles; role++) payoffs[role] = 0;
    for (size_t ply = 0; ply < kn_contest_plies(contest); ply++) {
        double rewards[KN_ROLES_MAX] = {0};
        game->type->rewards(game, kn_contest_position_at(contest, ply), kn_contest_joint_at(contest, ply),
                            rewards);
        for (int role = 0; role < game->roles; role++) payoffs[role] += rewards[role];
    }
}

/* At the ply limit: what was earned so far counts; else the judge looks at material, if there is a judge and
 * a game that knows of material; else nobody is ahead. */
static void adjudicate(const KnContest *contest, const KnPlayRules *rules, KnPlayed *played)
{
    const KnGame *game = kn_contest_game(contest);
    const void *position = kn_contest_position(contest);
    double middle = (game->payoff_low + game->payoff_high) / 2;
    played->ending = KN_ENDED_AT_LIMIT;
    for (int role = 0; role < game->roles; role++) played->payoffs[role] = middle;
    if (game->type->rewards) {
        add_rewards(contest, played->payoffs);
        return;
    }
    if (rules->judge <= 0 || !game->type->material || game->roles != 2) return;
    double lead = game->type->material(game, position, 0) - game->type->material(game, position, 1);
    if (lead < rules->judge && lead > -rules->judge) return;
    played->ending = KN_ENDED_BY_JUDGE;
    played->payoffs[0] = lead > 0 ? game->payoff_high : game->payoff_low;
    played->payoffs[1] = lead > 0 ? game->payoff_low : game->payoff_high;
}

/* Whether endgame tables know how this ends. */
static bool known(const KnContest *contest, KnEndgameProber *prober, KnPlayed *played)
{
    const KnGame *game = kn_contest_game(contest);
    const void *position = kn_contest_position(contest);
    KnEndgameAnswer answer;
    if (!prober || !kn_endgame_ask(prober, position, &answer)) return false;
    int mover = game->type->mover(game, position);
    double middle = (game->payoff_low + game->payoff_high) / 2,
           half = (game->payoff_high - game->payoff_low) / 2;
    played->ending = KN_ENDED_BY_TABLES;
    played->payoffs[mover] = middle + half * answer.value;
    played->payoffs[1 - mover] = middle - half * answer.value;
    return true;
}

KnMove kn_nature_move(const KnContest *contest, KnRng *rng)
{
    const KnGame *game = kn_contest_game(contest);
    const void *position = kn_contest_position(contest);
    KnMove moves[game->max_moves];
    int count = kn_contest_moves(contest, game->nature, moves);
    if (!game->type->chances) return moves[kn_rng_below(rng, (uint32_t)count)];
    double chances[count], at = kn_rng_real(rng);
    game->type->chances(game, position, moves, count, chances);
    for (int i = 0; i < count - 1; i++) {
        if (at < chances[i]) return moves[i];
        at -= chances[i];
    }
    return moves[count - 1];
}

/* One role's decision. A forfeit is an answer too: *move stays KN_MOVE_NONE, and `played` says why. */
static KnStatus ask(const KnContest *contest, KnPlayer *player, int role, KnRng *rng,
                    const KnPlayRules *rules, KnMove *move, KnPlayed *played, KnError *error)
{
    const KnGame *game = kn_contest_game(contest);
    const void *position = kn_contest_position(contest);
    KnMove moves[game->max_moves];
    int count = kn_contest_moves(contest, role, moves);
    *move = KN_MOVE_NONE;
    if (!count) return KN_OK;
    if (role == game->nature) {
        *move = kn_nature_move(contest, rng);
        return KN_OK;
    }
    KnRequest request = {.game = game,
                         .position = position,
                         .history = kn_contest_history(contest),
                         .role = role,
                         .allowed = moves,
                         .allowed_count = count,
                         .budget = rules->budget,
                         .rng = rng,
                         .cancel = rules->cancel};
    KnAnswer answer = {0};
    KnError failure;
    double started = kn_clock_now();
    KnStatus status = kn_player_choose(player, &request, &answer, &failure);
    if (status == KN_STOPPED || (rules->cancel && atomic_load(rules->cancel))) {
        kn_fail(error, KN_STOPPED, "stopped");
        return KN_STOPPED;
    }
    played->cost[role].nodes += answer.cost.nodes;
    played->cost[role].seconds += answer.cost.seconds;
    played->decisions[role]++;
    double took = kn_clock_now() - started;
    if (status != KN_OK)
        forfeit(game, role, failure.text, played);
    else if (rules->move_limit > 0 && took > rules->move_limit) {
        char fault[128];
        snprintf(fault, sizeof fault, "took %.3f s for a move, allowed were %.3f s", took, rules->move_limit);
        forfeit(game, role, fault, played);
    } else
        *move = answer.move;
    return KN_OK;
}

/* One joint move; *forfeited if somebody could not make his. */
static KnStatus play_ply(KnContest *contest, KnPlayer *const *players, KnRng *rngs, const KnPlayRules *rules,
                         KnPlayed *played, bool *forfeited, KnError *error)
{
    const KnGame *game = kn_contest_game(contest);
    KnMove joint[KN_ROLES_MAX];
    for (int role = 0; role < game->roles; role++) {
        KnStatus status = ask(contest, players[role], role, &rngs[role], rules, &joint[role], played, error);
        if (status != KN_OK) return status;
        *forfeited = played->culprit >= 0;
        if (*forfeited) return KN_OK;
    }
    kn_joint_text(game, kn_contest_position(contest), joint, &played->moves);
    KnStatus status = kn_contest_play_joint(contest, joint, error);
    for (int role = 0; role < game->roles && status == KN_OK; role++) {
        if (!players[role]) continue;
        KnError failure;
        if (kn_player_observe(players[role], contest, joint, &failure) != KN_OK) {
            forfeit(game, role, failure.text, played);
            *forfeited = true;
            return KN_OK;
        }
    }
    return status;
}

static KnStatus play_on(KnContest *contest, KnPlayer *const *players, KnRng *rngs, const KnPlayRules *rules,
                        KnEndgameProber *prober, KnPlayed *played, KnError *error)
{
    const KnGame *game = kn_contest_game(contest);
    for (bool forfeited = false; !forfeited;) {
        if (kn_contest_over(contest, played->payoffs)) {
            bool by_rules = kn_game_over(game, kn_contest_position(contest));
            played->ending = by_rules ? KN_ENDED_BY_RULES : KN_ENDED_BY_HISTORY;
            return KN_OK;
        }
        if (known(contest, prober, played)) return KN_OK;
        if (rules->ply_limit && kn_contest_plies(contest) >= rules->ply_limit) {
            adjudicate(contest, rules, played);
            return KN_OK;
        }
        KnStatus status = play_ply(contest, players, rngs, rules, played, &forfeited, error);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}

KnStatus kn_play(KnContest *contest, KnPlayer *const *players, KnRng *rngs, const KnPlayRules *rules,
                 KnPlayed *played, KnError *error)
{
    const KnGame *game = kn_contest_game(contest);
    *played = (KnPlayed){.culprit = -1, .moves = KN_TEXT_EMPTY};
    kn_moves_text(contest, &played->moves);
    for (int role = 0; role < game->roles && played->culprit < 0; role++) {
        KnError failure;
        if (players[role] &&
            kn_player_begin(players[role], role, kn_contest_position(contest), &failure) != KN_OK)
            forfeit(game, role, failure.text, played);
    }
    KnEndgameProber *prober = NULL;
    if (rules->tables && !(prober = kn_endgame_prober(rules->tables, PROBER_BYTES)))
        return kn_fail_memory(error, "playing a contest");
    KnStatus status = played->culprit >= 0 ? KN_OK
                                           : play_on(contest, players, rngs, rules, prober, played, error);
    kn_endgame_prober_free(prober);
    played->plies = kn_contest_plies(contest);
    if (status == KN_OK && played->culprit < 0)
        status = kn_gdl_trouble_at(game, kn_contest_position(contest), error);
    for (int role = 0; role < game->roles && status == KN_OK; role++) {
        KnError failure;
        if (players[role] && kn_player_end(players[role], contest, played->payoffs, &failure) != KN_OK &&
            played->culprit < 0)
            forfeit(game, role, failure.text, played);
    }
    if (status == KN_OK && !kn_text_ok(&played->moves))
        status = kn_fail_memory(error, "writing down a contest");
    if (status != KN_OK) kn_played_free(played);
    return status;
}
