#include "arena/play.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arena/adjudication.h"
#include "arena/time_control.h"
#include "base/assert.h"
#include "base/clock.h"
#include "games/trouble.h"

/* The loop probes once a ply: a small cache is enough. */
enum { PROBER_BYTES = 1 << 18 };

/* A game in progress. */
typedef struct Play {
    const KnPlayPlan *plan;
    const KnGame *game;
    KnEndgameProber *prober; /* NULL without tables */
    KnPlayed *played;
    bool over;        /* played->ending and payoffs are set */
    KnClocks *clocks; /* NULL without a time control */
    KnClocks own;     /* where they are kept unless the plan keeps them */
    KnVerdicts verdicts;
} Play;

const char *kn_ending_name(KnEnding ending)
{
    static const char *const names[] = {"rules",   "history", "limit",    "judge", "tables",
                                        "forfeit", "caller",  "resigned", "agreed"};
    KN_ASSERT((size_t)ending < sizeof names / sizeof *names);
    return names[ending];
}

/* ---- outcomes ---- */

static double middle_of(const KnGame *game) { return (game->payoff_low + game->payoff_high) / 2; }

/* The culprit gets the worst payoff, everybody else the best. */
static void forfeit(Play *play, int role, const char *fault)
{
    KnPlayed *played = play->played;
    KN_ASSERT(role >= 0 && role < play->game->roles && role != play->game->nature);
    play->over = true;
    played->ending = KN_ENDED_BY_FORFEIT;
    played->culprit = role;
    snprintf(played->fault, sizeof played->fault, "%s", fault);
    for (int r = 0; r < play->game->roles; r++)
        played->payoffs[r] = r == role ? play->game->payoff_low : play->game->payoff_high;
}

static void resign(Play *play, int loser)
{
    play->over = true;
    play->played->ending = KN_ENDED_BY_RESIGNATION;
    for (int role = 0; role < play->game->roles; role++)
        play->played->payoffs[role] = role == loser ? play->game->payoff_low : play->game->payoff_high;
}

/* Takes the players' own scores for an outcome. */
static void adjudicate_answer(Play *play, int role, const KnAnswer *answer)
{
    const KnAdjudication *rules = &play->plan->rules.adjudication;
    if (!rules->resign_moves && !rules->draw_moves) return;
    KnAdjudged verdict = kn_adjudicate_answer(rules, &play->verdicts, kn_state_plies(play->plan->state), role,
                                              answer);
    if (verdict == KN_DRAWN) {
        play->over = true;
        play->played->ending = KN_ENDED_BY_AGREEMENT;
        play->played->payoffs[0] = play->played->payoffs[1] = middle_of(play->game);
    } else if (verdict != KN_GOES_ON)
        resign(play, verdict == KN_FIRST_LOSES ? 0 : 1);
}

/* Sums up the rewards so far, for games that pay along the way. */
static void add_rewards(const KnState *state, double *payoffs)
{
    const KnGame *game = kn_state_game(state);
    for (int role = 0; role < game->roles; role++) payoffs[role] = 0;
    for (size_t ply = 0; ply < kn_state_plies(state); ply++) {
        double rewards[KN_ROLES_MAX] = {0};
        game->type->rewards(game, kn_state_position_at(state, ply), kn_state_joint_at(state, ply), rewards);
        for (int role = 0; role < game->roles; role++) payoffs[role] += rewards[role];
    }
}

/* Rewards so far count where the game pays any; otherwise a material lead wins if there is a judge; otherwise
 * it is a draw. */
void kn_adjudicate(const KnState *state, double judge, KnEnding *ending, double *payoffs)
{
    const KnGame *game = kn_state_game(state);
    const void *position = kn_state_position(state);
    *ending = KN_ENDED_AT_LIMIT;
    for (int role = 0; role < game->roles; role++) payoffs[role] = middle_of(game);
    if (game->type->rewards) {
        add_rewards(state, payoffs);
        return;
    }
    if (judge <= 0 || !game->type->material || game->roles != 2) return;
    double lead = game->type->material(game, position, 0) - game->type->material(game, position, 1);
    if (lead < judge && lead > -judge) return;
    *ending = KN_ENDED_BY_JUDGE;
    payoffs[0] = lead > 0 ? game->payoff_high : game->payoff_low;
    payoffs[1] = lead > 0 ? game->payoff_low : game->payoff_high;
}

/* Ends an unfinished game. */
static void adjudicate(Play *play, KnEnding ending)
{
    play->over = true;
    kn_adjudicate(play->plan->state, play->plan->rules.judge, &play->played->ending, play->played->payoffs);
    if (play->played->ending == KN_ENDED_AT_LIMIT) play->played->ending = ending;
}

/* Ends the game if the endgame tables know its value. A damaged table is an error, never "unknown": the game
 * would go on and come out differently. */
static KnStatus probe_tables(Play *play, KnError *error)
{
    if (!play->prober) return KN_OK;
    const KnGame *game = play->game;
    const void *position = kn_state_position(play->plan->state);
    KnEndgameAnswer answer;
    if (!kn_endgame_ask(play->prober, position, &answer))
        return kn_endgame_prober_status(play->prober, error);
    int mover = game->type->mover(game, position);
    KN_ASSERT(game->roles == 2 && mover >= 0 && mover < 2);
    double half = (game->payoff_high - game->payoff_low) / 2;
    play->over = true;
    play->played->ending = KN_ENDED_BY_TABLES;
    play->played->payoffs[mover] = middle_of(game) + half * answer.value;
    play->played->payoffs[1 - mover] = middle_of(game) - half * answer.value;
    return KN_OK;
}

/* Ends the game if it is over by the rules, the tables or the ply limit. */
static KnStatus find_end(Play *play, KnError *error)
{
    const KnState *state = play->plan->state;
    size_t limit = play->plan->rules.ply_limit;
    if (kn_state_over(state, play->played->payoffs)) {
        play->over = true;
        play->played->ending = kn_game_over(play->game, kn_state_position(state)) ? KN_ENDED_BY_RULES
                                                                                  : KN_ENDED_BY_HISTORY;
        return KN_OK;
    }
    KnStatus status = probe_tables(play, error);
    if (status == KN_OK && !play->over && limit && kn_state_plies(state) >= limit)
        adjudicate(play, KN_ENDED_AT_LIMIT);
    return status;
}

/* What a player's status means: misconduct costs it the game, every other failure ends the run. */
static KnStatus judge_player(Play *play, int role, KnStatus status, const KnError *failure, KnError *error)
{
    if (status == KN_OK) return KN_OK;
    if (status == KN_STOPPED) return kn_fail(error, KN_STOPPED, "stopped");
    if (status == KN_RESIGNS) {
        resign(play, role);
        return KN_OK;
    }
    if (status == KN_FORFEIT && !play->plan->strict) {
        forfeit(play, role, failure->text);
        return KN_OK;
    }
    return kn_fail(error, status, "%.200s: %.800s", play->plan->players[role]->spec, failure->text);
}

/* What a callback decided. */
static KnStatus judge_callback(Play *play, KnStatus status)
{
    if (status != KN_NO) return status;
    adjudicate(play, KN_ENDED_BY_CALLER);
    return KN_OK;
}

/* ---- moves ---- */

KnMove kn_nature_move(const KnState *state, KnRng *rng)
{
    const KnGame *game = kn_state_game(state);
    KnMove moves[game->max_moves];
    int count = kn_state_moves(state, game->nature, moves);
    KN_ASSERT(count > 0);
    if (!game->type->chances) return moves[kn_rng_below(rng, (uint32_t)count)];
    double chances[count], at = kn_rng_real(rng);
    game->type->chances(game, kn_state_position(state), moves, count, chances);
    for (int i = 0; i < count - 1; i++) {
        if (at < chances[i]) return moves[i];
        at -= chances[i];
    }
    return moves[count - 1];
}

static bool cancelled(const KnPlayRules *rules) { return rules->cancel && atomic_load(rules->cancel); }

/* Asks a player, with the clocks that the plan wants. */
static KnStatus ask_player(Play *play, KnPlayer *player, const KnRequest *request, KnAnswer *answer,
                           KnError *error)
{
    const KnPlayRules *rules = &play->plan->rules;
    bool timed = rules->move_limit > 0 || play->clocks;
    double started = timed ? kn_clock_now() : 0;
    KnStatus status = play->plan->untimed ? kn_player_choose_untimed(player, request, answer, error)
                                          : kn_player_choose(player, request, answer, error);
    if (cancelled(rules)) return kn_fail(error, KN_STOPPED, "stopped");
    play->played->cost[request->role].nodes += answer->cost.nodes;
    play->played->cost[request->role].seconds += answer->cost.seconds;
    play->played->decisions[request->role]++;
    double took = timed ? kn_clock_now() - started : 0;
    if (status == KN_OK && rules->move_limit > 0 && took > rules->move_limit)
        return kn_fail(error, KN_FORFEIT, "took %.3f s for a move, allowed were %.3f s", took,
                       rules->move_limit);
    double had = play->clocks ? play->clocks->remaining[request->role] : 0;
    if (status == KN_OK && play->clocks && !kn_clocks_spend(&rules->clock, play->clocks, request->role, took))
        return kn_fail(error, KN_FORFEIT, "ran out of time: took %.3f s for a move, had %.3f s left", took,
                       had);
    return status;
}

/* Finds one role's move; KN_MOVE_NONE if it has none, or if the game ended meanwhile (play->over). */
static KnStatus choose(Play *play, int role, KnMove *move, KnError *error)
{
    const KnPlayPlan *plan = play->plan;
    KnMove moves[play->game->max_moves];
    *move = KN_MOVE_NONE;
    int count = kn_state_moves(plan->state, role, moves);
    if (!count) return KN_OK;
    if (role == play->game->nature) {
        *move = kn_nature_move(plan->state, plan->rngs[role]);
        return KN_OK;
    }
    if (count == 1 && plan->skip_forced) {
        *move = moves[0];
        return KN_OK;
    }
    KN_ASSERT(plan->players[role]);
    KnRequest request = {.game = play->game,
                         .position = kn_state_position(plan->state),
                         .history = kn_state_history(plan->state),
                         .role = role,
                         .allowed = moves,
                         .allowed_count = count,
                         .budget = plan->rules.budget,
                         .rng = plan->rngs[role],
                         .cancel = plan->rules.cancel,
                         .clocks = play->clocks};
    if (play->clocks) {
        double share = kn_clocks_share(play->clocks, role), limit = request.budget.seconds;
        request.budget.seconds = limit > 0 ? fmin(limit, share) : share;
    }
    KnAnswer answer = {0};
    KnError failure;
    KnStatus status = ask_player(play, plan->players[role], &request, &answer, &failure);
    if (status != KN_OK) return judge_player(play, role, status, &failure, error);
    if (plan->move)
        status = judge_callback(play, plan->move(plan->user, plan->state, &request, &answer, error));
    *move = answer.move;
    if (status == KN_OK && !play->over && role < 2) adjudicate_answer(play, role, &answer);
    return status;
}

/* Whether a role's player also holds an earlier role. */
static bool seated_before(const KnPlayPlan *plan, int role)
{
    for (int r = 0; r < role; r++)
        if (plan->players[r] == plan->players[role]) return true;
    return false;
}

static KnStatus observe(Play *play, const KnMove *joint, KnError *error)
{
    const KnPlayPlan *plan = play->plan;
    KnStatus status = KN_OK;
    for (int role = 0; role < play->game->roles && status == KN_OK && !play->over; role++) {
        KnError failure;
        if (!plan->players[role] || seated_before(plan, role)) continue;
        status = kn_player_observe(plan->players[role], plan->state, joint, &failure);
        status = judge_player(play, role, status, &failure, error);
    }
    return status;
}

/* Plays one joint move, unless the game ends meanwhile. */
static KnStatus play_ply(Play *play, KnError *error)
{
    const KnPlayPlan *plan = play->plan;
    KnMove joint[KN_ROLES_MAX];
    for (int role = 0; role < play->game->roles; role++) joint[role] = KN_MOVE_NONE;
    KnStatus status = KN_OK;
    if (plan->before) status = judge_callback(play, plan->before(plan->user, plan->state, joint, error));
    for (int role = 0; role < play->game->roles && status == KN_OK && !play->over; role++)
        if (joint[role] == KN_MOVE_NONE) status = choose(play, role, &joint[role], error);
    if (status != KN_OK || play->over) return status;
    status = kn_state_play_joint(plan->state, joint, error);
    if (status == KN_OK) status = observe(play, joint, error);
    if (status == KN_OK && !play->over && plan->after)
        status = judge_callback(play, plan->after(plan->user, plan->state, joint, error));
    return status;
}

/* ---- the game ---- */

/* The one player who holds the other roles; NULL if there are several or none. */
static const char *opponent_of(const KnPlayPlan *plan, int roles, const KnPlayer *player)
{
    const KnPlayer *other = NULL;
    for (int role = 0; role < roles; role++) {
        const KnPlayer *here = plan->players[role];
        if (!here || here == player || here == other) continue;
        if (other) return NULL;
        other = here;
    }
    return other ? other->spec : NULL;
}

/* Tells every player, and those that it wraps, which game it plays and against whom; and that it is over,
 * since the other may be gone before the next. */
static void introduce(const KnPlayPlan *plan, int roles, bool plays)
{
    for (int role = 0; role < roles; role++) {
        const char *opponent = plays ? opponent_of(plan, roles, plan->players[role]) : NULL;
        for (KnPlayer *player = plan->players[role]; player; player = player->inner) {
            player->opponent = opponent;
            player->game_id = plays ? plan->game_id : 0;
        }
    }
}

static KnStatus begin(Play *play, KnError *error)
{
    const KnPlayPlan *plan = play->plan;
    KnStatus status = KN_OK;
    introduce(plan, play->game->roles, true);
    for (int role = 0; role < play->game->roles && status == KN_OK && !play->over; role++) {
        KnError failure;
        if (!plan->players[role] || seated_before(plan, role)) continue;
        status = kn_player_begin(plan->players[role], role, kn_state_position(plan->state), &failure);
        status = judge_player(play, role, status, &failure, error);
    }
    return status;
}

/* Tells every player the outcome. It stands, whatever an engine does now; but what a player could not store
 * is an error. */
static KnStatus end(Play *play, KnError *error)
{
    const KnPlayPlan *plan = play->plan;
    for (int role = 0; role < play->game->roles; role++) {
        KnError failure;
        if (!plan->players[role] || seated_before(plan, role)) continue;
        KnStatus status = kn_player_end(plan->players[role], plan->state, play->played->payoffs, &failure);
        if (status != KN_OK && status != KN_FORFEIT) return judge_player(play, role, status, &failure, error);
    }
    return KN_OK;
}

KnStatus kn_play(const KnPlayPlan *plan, KnPlayed *played, KnError *error)
{
    KN_ASSERT(plan->state && played);
    *played = (KnPlayed){.culprit = -1};
    Play play = {.plan = plan, .game = kn_state_game(plan->state), .played = played};
    if (plan->rules.tables && !(play.prober = kn_endgame_prober(plan->rules.tables, PROBER_BYTES)))
        return kn_fail_memory(error, "playing a game");
    if (kn_time_control_is_set(&plan->rules.clock)) {
        play.clocks = plan->clocks ? plan->clocks : &play.own;
        if (!plan->clocks) kn_clocks_start(&plan->rules.clock, play.game->roles, play.clocks);
    }
    KnStatus status = begin(&play, error);
    if (status == KN_OK && !play.over) status = find_end(&play, error);
    while (status == KN_OK && !play.over) {
        status = play_ply(&play, error);
        if (status == KN_OK && !play.over) status = find_end(&play, error);
    }
    kn_endgame_prober_free(play.prober);
    played->plies = kn_state_plies(plan->state);
    if (status == KN_OK && played->culprit < 0)
        status = kn_game_trouble_at(play.game, kn_state_position(plan->state), error);
    if (status == KN_OK) status = end(&play, error);
    introduce(plan, play.game->roles, false);
    return status;
}
