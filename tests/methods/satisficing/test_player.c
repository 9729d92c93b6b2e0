/* The satisficing player: the paper's play through the arena, the same outcome as the proof's, and what is
 * refused. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdio.h>
#include <string.h>

#include "arena/play.h"
#include "games/matrix/matrix.h"
#include "methods/satisficing/trials.h"

/* Plays one game and leaves its moves in `moves`. */
static void play(const char *spec, const char *const *players, uint64_t seed, KnText *moves)
{
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(workbench, spec, &game, &error));
    KnRng rngs[KN_ROLES_MAX];
    KnPlayPlan plan = {.state = kn_state_new(game), .strict = true};
    for (int role = 0; role < game->roles; role++) {
        rngs[role] = kn_rng_stream(seed, (uint64_t)role);
        plan.rngs[role] = &rngs[role];
        if (role != game->nature)
            check_ok(error, kn_player_open(workbench, game, players[role], &plan.players[role], &error));
    }
    KnPlayed played;
    check_ok(error, kn_play(&plan, &played, &error));
    kn_text_clear(moves);
    kn_moves_text(plan.state, moves);
    kn_state_free(plan.state);
    for (int role = 0; role < game->roles; role++) kn_player_close(plan.players[role]);
    kn_game_close(game);
}

/* The same joint actions as the settler proves, for hundreds of deals of the paper. */
static void test_plays_as_proved(void **state)
{
    (void)state;
    KnTrialDistribution distribution = kn_trial_distribution_paper();
    KnSettler *settler = kn_settler_new(1000);
    KnText moves = KN_TEXT_EMPTY;
    for (uint64_t i = 0; i < (uint64_t)check_scaled(300); i++) {
        KnTrial trial;
        assert_true(kn_trial_draw(&distribution, 4, i, &trial));
        double *n = trial.numbers;
        for (int k = 0; k < KN_TRIAL_NUMBERS; k++)
            n[k] = (double)(long)(n[k] * 10000) / 10000; /* a game has 6 digits */
        char spec[160], first[100], second[100];
        snprintf(spec, sizeof spec, "dilemma(T=1, R=%.4f, P=%.4f, S=0, turns=120)", n[KN_TRIAL_SIGMA],
                 n[KN_TRIAL_DELTA]);
        snprintf(first, sizeof first, "satisfice(lambda=%.4f, aspiration=%.4f, action=%s)",
                 n[KN_TRIAL_LAMBDA], n[KN_TRIAL_ALPHA], trial.start & 2 ? "D" : "C");
        snprintf(second, sizeof second, "satisfice(%.4f, %.4f, %s)", n[KN_TRIAL_LAMBDA2], n[KN_TRIAL_BETA],
                 trial.start & 1 ? "d" : "c");
        play(spec, (const char *[]){first, second}, i, &moves);
        double table[8];
        KnAspirationAgent agents[2];
        KnStageGame stage = kn_trial_stage(&trial, table, agents);
        KnOutcome outcome = kn_settle(settler, &stage, agents);
        if (outcome.kind == KN_UNSETTLED || outcome.start > 100) continue;
        for (uint32_t t = outcome.start; t < 120; t++) {
            const char *joint = moves.data + 4 * t; /* "C|D " */
            int cell = (joint[0] == 'D') << 1 | (joint[2] == 'D');
            assert_int_equal(cell, outcome.word[(t - outcome.start) % outcome.period]);
        }
    }
    kn_text_free(&moves);
    kn_settler_free(settler);
}

/* Three agents of three actions, against the settler again; with a table of whole numbers. */
static void test_many_players_and_actions(void **state)
{
    (void)state;
    KnText moves = KN_TEXT_EMPTY;
    static const char agent[] = "satisfice(lambda=0.75, aspiration=3, action=0)";
    play("publicgoods(players=3, actions=3, factor=2, endowment=6, turns=60)",
         (const char *[]){agent, agent, agent}, 1, &moves);
    /* Alike in everything, they move as one: nothing is given (6 each), which satisfies an aspiration of 3.
     */
    assert_string_equal(moves.data + moves.length - 11, "0|0|0 0|0|0");
    static const char high[] = "satisfice(lambda=0.75, aspiration=20, action=0)";
    play("publicgoods(players=3, actions=3, factor=2, endowment=6, turns=60)",
         (const char *[]){high, high, high}, 1, &moves);
    assert_string_equal(moves.data + moves.length - 11,
                        "2|2|2 2|2|2"); /* high aspirations lead to cooperation, here too */
    kn_text_free(&moves);
}

/* After the change mutual cooperation pays less than is aspired to, and what paid little pays enough. */
static void test_adapts_to_other_payoffs(void **state)
{
    (void)state;
    KnText moves = KN_TEXT_EMPTY;
    static const char agent[] = "satisfice(lambda=0.5, aspiration=3)";
    play("matrix(\"3,3 0,5; 5,0 1,1\", actions=\"C,D\", turns=20, later=\"1,1 5,0; 0,5 3,3\", change=10)",
         (const char *[]){agent, agent}, 1, &moves);
    assert_true(strncmp(moves.data, "C|C C|C", 7) == 0);
    assert_true(strncmp(moves.data + 4 * 10, "C|C D|D", 7) == 0); /* content until the payoffs change */
    assert_string_equal(moves.data + moves.length - 7, "D|D D|D");
    kn_text_free(&moves);
}

static void refused(const char *spec, const char *player_spec, const char *part)
{
    KnError error;
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(workbench, spec, &game, &error));
    check_fails(error, KN_INPUT, part, kn_player_open(workbench, game, player_spec, &player, &error));
    kn_game_close(game);
}

static void test_refusals(void **state)
{
    (void)state;
    refused("dilemma", "satisfice(lambda=1.5)", "lambda must lie between 0 and 1");
    refused("dilemma", "satisfice(lambda=-0.1)", "lambda must lie between 0 and 1");
    refused("dilemma", "satisfice(tremble=2)", "tremble must lie between 0 and 1");
    refused("dilemma", "satisfice(action=E)", "has no such action; known: C D");
    refused("dilemma", "satisfice(search=best)", "next");
    refused("tictactoe", "satisfice", "a matrix game");
    /* a name that only the other role has is found out when the game begins */
    KnError error;
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(workbench, "matrix(\"1,1 2,2; 3,3 4,4\", actions=\"up,down/left,right\")",
                                 &game, &error));
    check_ok(error, kn_player_open(workbench, game, "satisfice(action=left)", &player, &error));
    check_ok(error, kn_player_begin(player, 1, NULL, &error));
    check_fails(error, KN_INPUT, "row has no such action; known: up down",
                kn_player_begin(player, 0, NULL, &error));
    kn_player_close(player);
    kn_game_close(game);
}

/* What it says, and that asking twice changes nothing, trembles included. */
static void test_reasons(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(workbench, "dilemma", &game, &error));
    check_ok(error,
             kn_player_open(workbench, game, "satisfice(lambda=0.5, aspiration=4, tremble=0.5, shift=0.25)",
                            &player, &error));
    KnState *game_state = kn_state_new(game);
    KnArena *arena = kn_arena_new();
    check_ok(error, kn_player_begin(player, 0, kn_state_position(game_state), &error));
    KnMove allowed[] = {kn_matrix_move(0, 0), kn_matrix_move(0, 1)},
           joint[] = {allowed[0], kn_matrix_move(1, 0)};
    char told[2][1000];
    for (int round = 0; round < 2; round++) {
        for (int again = 0; again < 2; again++) {
            KnRng rng = kn_rng_seeded(9);
            KnRequest request = {.game = game,
                                 .position = kn_state_position(game_state),
                                 .allowed = allowed,
                                 .allowed_count = 2,
                                 .rng = &rng,
                                 .wants = KN_WANT_EXPLANATION,
                                 .arena = arena};
            KnAnswer answer = {0};
            check_ok(error, kn_player_choose(player, &request, &answer, &error));
            assert_int_equal(kn_matrix_action(answer.move), round);
            KnText text = KN_TEXT_EMPTY;
            kn_explanation_print(answer.explanation, &text);
            snprintf(told[again], sizeof told[again], "%s", text.data);
            kn_text_free(&text);
        }
        assert_string_equal(told[0], told[1]);
        assert_non_null(
            strstr(told[0], round ? "D: C paid 3, less than the" : "C, to begin with, aspiring to"));
        assert_int_equal(strstr(told[0], "satisfied: no") != NULL, round);
        check_ok(error, kn_state_play_joint(game_state, joint, &error));
        check_ok(error, kn_player_observe(player, game_state, joint, &error));
    }
    kn_arena_free(arena);
    kn_state_free(game_state);
    kn_player_close(player);
    kn_game_close(game);
}

/* Every number that it tells is the paper's: a = lambda a + (1 - lambda) payoff, worked out by hand. */
static void test_numbers_of_reasons(void **state)
{
    (void)state;
    static const struct {
        int other; /* what the other does in this round */
        const char *sentence;
        double aspiration;
    } rounds[] = {{0, "C, to begin with, aspiring to 4", 4},
                  {1, "D: C paid 3, less than the 4 aspired to", 3.5},
                  {0, "C: D paid 1, less than the 3.5 aspired to", 2.25},
                  {0, "C again: it paid 3, and 2.25 was aspired to", 2.625}};
    KnError error;
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(workbench, "dilemma", &game, &error));
    check_ok(error, kn_player_open(workbench, game, "satisfice(lambda=0.5, aspiration=4)", &player, &error));
    KnState *game_state = kn_state_new(game);
    KnArena *arena = kn_arena_new();
    check_ok(error, kn_player_begin(player, 0, kn_state_position(game_state), &error));
    for (size_t round = 0; round < sizeof rounds / sizeof *rounds; round++) {
        KnRng rng = kn_rng_seeded(9);
        KnMove allowed[] = {kn_matrix_move(0, 0), kn_matrix_move(0, 1)};
        KnRequest request = {.game = game,
                             .position = kn_state_position(game_state),
                             .allowed = allowed,
                             .allowed_count = 2,
                             .rng = &rng,
                             .wants = KN_WANT_EXPLANATION,
                             .arena = arena};
        KnAnswer answer = {0};
        check_ok(error, kn_player_choose(player, &request, &answer, &error));
        KnText text = KN_TEXT_EMPTY;
        kn_explanation_print(answer.explanation, &text);
        char bar[40];
        snprintf(bar, sizeof bar, "aspiration: %g ", rounds[round].aspiration);
        if (strncmp(text.data, rounds[round].sentence, strlen(rounds[round].sentence)) != 0 ||
            !strstr(text.data, bar))
            fail_msg("round %zu: wanted \"%s\" and \"%s\", got %s", round, rounds[round].sentence, bar,
                     text.data);
        kn_text_free(&text);
        KnMove joint[] = {answer.move, kn_matrix_move(1, rounds[round].other)};
        check_ok(error, kn_state_play_joint(game_state, joint, &error));
        check_ok(error, kn_player_observe(player, game_state, joint, &error));
    }
    kn_arena_free(arena);
    kn_state_free(game_state);
    kn_player_close(player);
    kn_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plays_as_proved),
        cmocka_unit_test(test_many_players_and_actions),
        cmocka_unit_test(test_adapts_to_other_payoffs),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_numbers_of_reasons),
    };
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
