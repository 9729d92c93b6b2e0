/* A first program with libknack: play a short match, then ask a player why.
 *
 *     cc first.c $(pkg-config --cflags --libs knack) -o first && ./first */
#include <stdio.h>

#include <knack/arena.h>
#include <knack/knack.h>
#include <knack/players.h>

/* Prints the move that a player would begin with, and its reasons. */
static KnStatus explain(const KnContext *context, const char *game_spec, const char *player_spec,
                        KnError *error)
{
    KnGame *game = NULL;
    KnPlayer *player = NULL;
    KnStatus status = kn_game_open(context, game_spec, &game, error);
    if (status == KN_OK) status = kn_player_open(context, game, player_spec, &player, error);
    if (status == KN_OK) {
        KnContest *contest = kn_contest_new(game);
        KnArena *arena = kn_arena_new();
        KnRng rng = kn_rng_seeded(1);
        KnMove moves[game->max_moves];
        KnRequest request = {.game = game,
                             .position = kn_contest_position(contest),
                             .history = kn_contest_history(contest),
                             .allowed = moves,
                             .allowed_count = kn_contest_moves(contest, 0, moves),
                             .rng = &rng,
                             .wants = KN_WANT_REASON,
                             .arena = arena};
        KnAnswer answer = {0};
        status = kn_player_choose(player, &request, &answer, error);
        if (status == KN_OK) {
            KnText text = KN_TEXT_EMPTY;
            kn_reason_print(answer.reason, &text);
            fputs(text.data, stdout);
            kn_text_free(&text);
        }
        kn_arena_free(arena);
        kn_contest_free(contest);
    }
    kn_player_close(player);
    kn_game_close(game);
    return status;
}

int main(void)
{
    KnError error;
    KnContext *context;
    KnStatus status = kn_open(NULL, &context, &error);
    if (status == KN_OK) {
        KnMatchPlan plan = {
            .game = "othello(size=6)", .players = {"alphabeta(depth=3)", "random"}, .games = 20, .seed = 1};
        KnMatchResult result;
        status = kn_match_run(context, &plan, NULL, NULL, &result, &error);
        if (status == KN_OK)
            printf("%s scores %.3f against %s in %d games\n", plan.players[0],
                   kn_standing_score(&result.standing), plan.players[1], (int)result.standing.games);
        if (status == KN_OK) status = explain(context, "othello(size=6)", "alphabeta(depth=5)", &error);
        kn_context_free(context);
    }
    if (status != KN_OK) fprintf(stderr, "first: %s\n", error.text);
    return (int)status;
}
