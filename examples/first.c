/* A first program with libknack: play a short match, then ask a player to explain its move.
 *
 *     cc first.c $(pkg-config --cflags --libs knack) -o first && ./first */
#include <stdio.h>

#include <knack/knack.h>

/* Prints the move that a player begins with, and its explanation. */
static KnStatus explain(const KnContext *context, const char *game_spec, const char *player_spec,
                        KnError *error)
{
    KnGame *game = NULL;
    KnPlayer *player = NULL;
    KnStatus status = kn_game_open(context, game_spec, &game, error);
    if (status == KN_OK) status = kn_player_open(context, game, player_spec, &player, error);
    if (status == KN_OK) {
        KnState *state = kn_state_new(game);
        KnArena *arena = kn_arena_new();
        KnAsk ask = {.seed = 1, .wants = KN_WANT_EXPLANATION, .arena = arena};
        KnAnswer answer;
        status = kn_player_ask(player, state, kn_state_mover(state), &ask, &answer, error);
        if (status == KN_OK) {
            char *text = kn_explanation_string(answer.explanation);
            fputs(text, stdout);
            kn_free(text);
        }
        kn_arena_free(arena);
        kn_state_free(state);
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
        kn_close(context);
    }
    if (status != KN_OK) fprintf(stderr, "first: %s\n", error.text);
    return (int)status;
}
