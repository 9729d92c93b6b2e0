#include "cli/advice.h"

#include <string.h>

#include "cli/cli.h"
#include "players/judgement.h"

void cli_advice_free(CliAdvice *advice)
{
    kn_text_free(&advice->move);
    kn_text_free(&advice->reasons);
}

KnStatus cli_advise(const CliAdviser *adviser, const KnState *state, int role, CliAdvice *advice,
                    KnError *error)
{
    const KnGame *game = kn_state_game(state);
    KnPlayer *player = NULL;
    KnArena *arena = kn_arena_new();
    KnAsk ask = {.seed = adviser->seed + kn_state_plies(state),
                 .cancel = cli_interrupt(),
                 .wants = KN_WANT_EXPLANATION,
                 .arena = arena};
    KnAnswer answer = {0};
    KnStatus status = kn_player_open(adviser->context, game, adviser->spec, &player, error);
    if (status == KN_OK) status = kn_player_ask(player, state, role, &ask, &answer, error);
    if (status == KN_OK) {
        const char *move = kn_game_move_name(game, kn_state_position(state), answer.move, arena);
        kn_text_clear(&advice->move);
        kn_text_clear(&advice->reasons);
        kn_text_printf(&advice->move, "%s would play %s\n", player->spec, move);
        if (answer.explanation) kn_explanation_print(answer.explanation, &advice->reasons);
        advice->given = true;
        advice->plies = kn_state_plies(state);
    }
    kn_player_close(player);
    kn_arena_free(arena);
    return status;
}

/* The ply of a role's last move; the number of plies if it has made none. */
static size_t last_ply(const KnState *state, int role)
{
    for (size_t ply = kn_state_plies(state); ply-- > 0;)
        if (kn_state_joint_at(state, ply)[role] != KN_MOVE_NONE) return ply;
    return kn_state_plies(state);
}

/* The judge's sentence about the move that was made in `here`. */
static KnStatus judge(KnPlayer *player, const CliAdviser *adviser, const KnState *here, int role, KnMove made,
                      KnText *verdict, KnError *error)
{
    const KnGame *game = kn_state_game(here);
    KnMove moves[game->max_moves];
    KnArena *arena = kn_arena_new();
    KnRng rng = kn_rng_stream(adviser->seed, kn_state_plies(here));
    KnRequest request = {.game = game,
                         .position = kn_state_position(here),
                         .history = kn_state_history(here),
                         .role = role,
                         .allowed = moves,
                         .allowed_count = kn_state_moves(here, role, moves),
                         .rng = &rng,
                         .cancel = cli_interrupt(),
                         .wants = KN_WANT_EXPLANATION,
                         .arena = arena};
    KnAnswer best = {0};
    KnJudgement judgement;
    const char *name = kn_game_move_name(game, request.position, made, arena);
    KnStatus status = KN_OK;
    if (request.allowed_count == 1)
        kn_text_printf(verdict, "%s was the only move.\n", name);
    else {
        status = kn_player_replay(player, role, here, error);
        if (status == KN_OK) status = kn_judge_move(player, &request, made, &best, &judgement, error);
        if (status == KN_OK && judgement.quality == KN_QUALITY_NONE)
            kn_text_printf(verdict, "%s: %s gives no verdicts; it would have played %s.\n", name,
                           player->spec, kn_game_move_name(game, request.position, best.move, arena));
        else if (status == KN_OK)
            kn_text_printf(verdict, "%s: %s\n", name, best.explanation->text);
    }
    kn_arena_free(arena);
    return status;
}

KnStatus cli_judge(const CliAdviser *adviser, const KnState *state, int role, KnText *verdict, KnError *error)
{
    const KnGame *game = kn_state_game(state);
    size_t ply = last_ply(state, role);
    if (ply == kn_state_plies(state)) return kn_fail(error, KN_NO, "you have made no move yet");
    KnState *here = kn_state_new(game);
    KnPlayer *player = NULL;
    KnStatus status = here ? kn_player_open(adviser->context, game, adviser->spec, &player, error)
                           : kn_fail_memory(error, "judging a move");
    if (status == KN_OK) kn_state_reset(here, kn_state_position_at(state, 0));
    for (size_t i = 0; i < ply && status == KN_OK; i++)
        status = kn_state_play_joint(here, kn_state_joint_at(state, i), error);
    if (status == KN_OK)
        status = judge(player, adviser, here, role, kn_state_joint_at(state, ply)[role], verdict, error);
    kn_player_close(player);
    kn_state_free(here);
    return status;
}
