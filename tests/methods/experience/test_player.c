/* The experience player: its rules, what it learns and when, its explanation, its tally; and the players that
 * stand beside it. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/match.h"
#include "arena/play.h"
#include "games/othello/endgame.h"
#include "games/replay.h"
#include "methods/experience/player.h"
#include "methods/experience/expected_value.h"
#include "methods/experience/move_rule.h"

static KnPlayer *open_player(const KnGame *game, const char *spec)
{
    KnError error;
    KnPlayer *player;
    check_ok(error, kn_player_open(workbench, game, spec, &player, &error));
    return player;
}

/* ---- rules ---- */

static KnRuleDecision rule_on(KnExperienceRule which, int role, int count, const double *values,
                              const bool *explored, KnMove leaf, KnScore score)
{
    KnGame *game = test_workbench_game("othello");
    KnBaseMove rows[8];
    KnBaseView view = {.known = true, .count = count, .leaf = leaf, .leaf_score = score, .leaf_depth = 2};
    for (int i = 0; i < count; i++) {
        rows[i] = (KnBaseMove){.move = (KnMove)i,
                               .explored = explored[i],
                               .value = values[i],
                               .mean = values[i],
                               .games = 3,
                               .paths = 3};
        view.explored += explored[i];
        view.games += explored[i] ? 3 : 0;
    }
    KnRule rule = {.rule = which, .tolerance = 2, .content = 10, .curiosity = 0.1};
    KnRuleDecision ruling = {0};
    kn_rule_apply(&rule, game, role, rows, &view, &ruling);
    kn_game_close(game);
    return ruling;
}

static void test_gina_exactly(void **state)
{
    (void)state;
    const bool all[3] = {true, true, true}, some[3] = {true, true, false};
    KnRuleDecision r = rule_on(KN_RULE_GINA, 0, 3, (double[]){-4, 6, 2}, some, KN_MOVE_NONE, 0);
    assert_true(r.action == KN_RULE_REPEAT && r.best == 1 && r.value == 6);
    /* White wants what is low; values are black's. */
    r = rule_on(KN_RULE_GINA, 1, 3, (double[]){-4, 6, 2}, some, KN_MOVE_NONE, 0);
    assert_true(r.action == KN_RULE_REPEAT && r.best == 0 && r.value == 4);
    /* A tie is not good: with something unexplored the fall-back is asked, without it is not. */
    r = rule_on(KN_RULE_GINA, 0, 3, (double[]){-4, 0, 0}, some, KN_MOVE_NONE, 0);
    assert_true(r.action == KN_RULE_ASK && r.best == 1);
    r = rule_on(KN_RULE_GINA, 0, 3, (double[]){-4, 0, -1}, all, KN_MOVE_NONE, 0);
    assert_true(r.action == KN_RULE_REPEAT && r.best == 1);
    r = rule_on(KN_RULE_EXPLORE, 0, 3, (double[]){-4, 0, 0}, some, KN_MOVE_NONE, 0);
    assert_int_equal(r.action, KN_RULE_FRESH);
}

static void test_deviate_and_curious(void **state)
{
    (void)state;
    const bool some[3] = {true, true, false};
    KnRuleDecision r = rule_on(KN_RULE_DEVIATE, 0, 3, (double[]){-4, 6, 0}, some, KN_MOVE_NONE, 0);
    assert_int_equal(r.action, KN_RULE_WEIGH);
    r = rule_on(KN_RULE_DEVIATE, 0, 3, (double[]){-4, 6, 0}, some, 2, 750);
    assert_true(r.action == KN_RULE_REPEAT && r.best == 1);
    r = rule_on(KN_RULE_DEVIATE, 0, 3, (double[]){-4, 6, 0}, some, 2, 850);
    assert_int_equal(r.action, KN_RULE_LEAF);
    r = rule_on(KN_RULE_DEVIATE, 0, 3, (double[]){-4, 12, 0}, some, 2, 2000);
    assert_true(r.action == KN_RULE_REPEAT && r.best == 1);
    r = rule_on(KN_RULE_CURIOUS, 0, 3, (double[]){-60, 60, 0}, some, KN_MOVE_NONE, 0);
    assert_true(r.action == KN_RULE_REPEAT && r.best == 1);
    r = rule_on(KN_RULE_CURIOUS, 0, 3, (double[]){-9, -8, 0}, some, KN_MOVE_NONE, 0);
    assert_int_equal(r.action, KN_RULE_FRESH);
    KnGame *othello = test_workbench_game("othello"), *checkers = test_workbench_game("checkers");
    assert_float_equal(kn_rule_points(othello, 350), 3.5, 1e-9);
    assert_float_equal(kn_rule_points(othello, KN_SCORE_WIN - 3), 64, 1e-9);
    assert_float_equal(kn_rule_points(checkers, 300), 0.5, 1e-9);
    assert_float_equal(kn_rule_points(checkers, -KN_SCORE_WIN + 3), -1, 1e-9);
    kn_game_close(othello);
    kn_game_close(checkers);
}

/* ---- play ---- */

static void play(const KnGame *game, KnPlayer *a, KnPlayer *b, uint64_t seed, KnPlayed *played)
{
    KnError error;
    KnState *game_state = kn_state_new(game);
    KnRng rngs[2] = {kn_rng_stream(seed, 0), kn_rng_stream(seed, 1)};
    KnPlayPlan plan = {.state = game_state,
                       .players = {a, b},
                       .rngs = {&rngs[0], &rngs[1]},
                       .rules.ply_limit = 200,
                       .strict = true};
    check_ok(error, kn_play(&plan, played, &error));
    kn_state_free(game_state);
}

static uint64_t games_in(KnBase *base)
{
    KnError error;
    KnBaseStat stat;
    check_ok(error, kn_base_size(base, &stat, &error));
    return stat.games;
}

/* Against an opponent that never varies, explore learns to win what its inner player loses. */
static void test_learns(void **state)
{
    (void)state;
    KnGame *game = test_workbench_game("othello(size=6)");
    KnPlayer *learner = open_player(
        game, "experience(alphabeta(depth=1, eval=discs), base=learn.mdb, learn, -sync, rule=explore)");
    KnPlayer *opponent = open_player(game, "noisy(alphabeta(depth=3, eval=hand), epsilon=0, ties=first)");
    assert_false(learner->traits & KN_PLAYER_REPEATABLE);
    double late = 0;
    for (uint64_t i = 0; i < 60; i++) {
        KnPlayed played;
        play(game, learner, opponent, i, &played);
        if (i >= 50) late += played.payoffs[0];
    }
    assert_true(late >= 8);
    const KnExperienceTally *tally = kn_experience_tally(learner);
    assert_true(tally->from_base > tally->searched && tally->ignored == 0);
    assert_null(kn_experience_tally(opponent));
    kn_player_close(learner);

    /* One that does not learn plays the winning line from the base, and leaves the file alone. */
    KnPlayer *reader =
        open_player(game, "experience(alphabeta(depth=1, eval=discs), base=learn.mdb, rule=explore)");
    assert_true(reader->traits & KN_PLAYER_REPEATABLE);
    uint64_t before = games_in(kn_experience_base(reader));
    KnPlayed played;
    play(game, reader, opponent, 99, &played);
    assert_float_equal(played.payoffs[0], 1, 0);
    assert_int_equal(played.cost[0].nodes, 0);
    assert_int_equal(games_in(kn_experience_base(reader)), before);
    kn_player_close(reader);
    kn_player_close(opponent);
    kn_game_close(game);
}

/* The printed rule asks and ignores; these decisions are counted apart from those without a search. */
static void test_ignored_is_counted(void **state)
{
    (void)state;
    KnGame *game = test_workbench_game("othello(size=6)");
    KnPlayer *learner =
        open_player(game, "experience(alphabeta(depth=1, eval=discs), base=gina.mdb, learn, -sync)");
    KnPlayer *opponent = open_player(game, "noisy(alphabeta(depth=3, eval=hand), epsilon=0, ties=first)");
    for (uint64_t i = 0; i < 6; i++) {
        KnPlayed played;
        play(game, learner, opponent, 1, &played);
    }
    const KnExperienceTally *tally = kn_experience_tally(learner);
    assert_true(tally->ignored > 0);
    kn_player_close(learner);
    kn_player_close(opponent);
    kn_game_close(game);
}

static void test_group(void **state)
{
    (void)state;
    KnGame *game = test_workbench_game("tictactoe");
    KnPlayer *learner = open_player(game, "experience(random, base=group.mdb, learn, group=3)"),
             *opponent = open_player(game, "random");
    for (uint64_t i = 0; i < 5; i++) {
        KnPlayed played;
        play(game, learner, opponent, i, &played);
        assert_int_equal(games_in(kn_experience_base(learner)), i < 2 ? 0 : 3);
    }
    kn_player_close(learner); /* what waits is committed */
    learner = open_player(game, "experience(random, base=group.mdb)");
    assert_int_equal(games_in(kn_experience_base(learner)), 5);
    kn_player_close(learner);
    kn_player_close(opponent);
    kn_game_close(game);
}

/* ---- an inner player that cannot be restricted ---- */

static KnStatus open_stubborn(KnPlayer *player, const KnOptions *options, KnError *error)
{
    (void)options, (void)error;
    player->traits &= ~(unsigned)KN_PLAYER_RESTRICTS;
    return KN_OK;
}

static KnStatus choose_stubborn(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)player, (void)error;
    KnMove moves[request->game->max_moves];
    request->game->type->moves(request->game, request->position, moves);
    answer->move = moves[0];
    return KN_OK;
}

static const KnPlayerType stubborn = {.head = {"stubborn", "plays the first move, whatever is allowed", NULL},
                                      .open = open_stubborn,
                                      .choose = choose_stubborn};

static void test_unrestricted_inner(void **state)
{
    (void)state;
    KnGame *game = test_workbench_game("othello(size=6)");
    KnPlayer *learner = open_player(game,
                                    "experience(stubborn, base=stubborn.mdb, learn, -sync, rule=explore)");
    KnPlayer *opponent = open_player(game, "alphabeta(depth=3)");
    assert_false(learner->traits & KN_PLAYER_RESTRICTS);
    for (uint64_t i = 0; i < 10; i++) {
        KnPlayed played;
        play(game, learner, opponent, i, &played);
    }
    assert_true(kn_experience_tally(learner)->ignored > 0); /* it named a known move, and was not heard */
    kn_player_close(learner);
    kn_player_close(opponent);
    kn_game_close(game);
}

/* ---- deviate notes what it searched ---- */

static void test_deviate_remembers(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("othello(size=6)");
    KnPlayer *learner = open_player(game, "experience(alphabeta(depth=2), base=deviate.mdb, learn, -sync, "
                                          "rule=deviate, tolerance=10, content=1000)");
    KnPlayer *opponent = open_player(game, "noisy(alphabeta(depth=1), epsilon=0, ties=first)");
    for (uint64_t i = 0; i < 12; i++) {
        KnPlayed played;
        play(game, learner, opponent, i, &played);
    }
    KnBaseStat stat;
    check_ok(error, kn_base_stat(kn_experience_base(learner), &stat, &error));
    assert_true(stat.leaves > 0);
    kn_player_close(learner);
    check_ok(error, kn_base_check(workbench, game, "deviate.mdb", &error));

    KnArena *arena = kn_arena_new();
    learner = open_player(game, "experience(alphabeta(depth=2), base=deviate.mdb, rule=deviate)");
    KnState *game_state = kn_state_new(game);
    KnMove moves[64];
    KnRng rng = kn_rng_seeded(1);
    KnRequest request = {.game = game,
                         .position = kn_state_position(game_state),
                         .allowed = moves,
                         .allowed_count = kn_state_moves(game_state, 0, moves),
                         .rng = &rng,
                         .wants = KN_WANT_EXPLANATION,
                         .arena = arena};
    KnAnswer answer = {0};
    check_ok(error, kn_player_choose(learner, &request, &answer, &error));
    KnText text = KN_TEXT_EMPTY;
    kn_explanation_print(answer.explanation, &text);
    assert_non_null(strstr(text.data, "experience"));
    assert_non_null(strstr(text.data, "met in "));
    assert_non_null(strstr(text.data, "known moves"));
    kn_text_free(&text);
    kn_state_free(game_state);
    kn_arena_free(arena);
    kn_player_close(learner);
    kn_player_close(opponent);
    kn_game_close(game);
}

/* A game that begins like this and is played to its end somehow, said to have come to `outcome`. */
static void add_line(KnBase *base, const KnGame *game, const char *moves, double outcome)
{
    KnError error;
    KnState *game_state = kn_state_new(game);
    KnMove legal[game->max_moves];
    check_ok(error, kn_replay(game_state, moves, &error));
    while (kn_state_movers(game_state)) {
        kn_state_moves(game_state, game->type->mover(game, kn_state_position(game_state)), legal);
        check_ok(error, kn_state_play(game_state, legal[0], &error));
    }
    check_ok(error, kn_base_add(base, game_state, outcome, NULL, NULL, &error));
    kn_state_free(game_state);
}

/* Means where the other replies, the best where one moves oneself; few games are worth their mean. */
static void test_expectation(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("tictactoe");
    KnBase *base;
    unlink("expect.mdb");
    check_ok(error,
             kn_base_open(workbench, game, "expect.mdb", KN_BASE_MAKE | KN_BASE_WRITE, NULL, &base, &error));
    add_line(base, game, "b2 a3 b1", 1);
    add_line(base, game, "b2 a3 c2", 1);
    add_line(base, game, "b2 b3", -1);
    add_line(base, game, "a2", -1);
    _Alignas(16) unsigned char start[game->position_size];
    game->type->start(game, start);
    const struct {
        int role, depth;
        uint64_t few;
        double weight, value;
    } cases[] = {{0, 0, 1, 1e-9, 0},       /* the mean of all */
                 {0, 1, 1, 1e-9, 1.0 / 3}, /* b2: two won and one lost */
                 {0, 1, 5, 1e-9, 0},       /* too few games to say more */
                 {0, 1, 1, 3, (1 + 3 * 0.0) / 6},
                 {1, 1, 1, 1e-9, 0},                    /* for the other: X moves as often as seen */
                 {1, 2, 1, 1e-9, 0.25 * 1 + 0.75 * 1}}; /* where O answers a2 won, and b2 best with b3 */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value;
        KnExpect expect = {base, game, cases[i].role, cases[i].weight, cases[i].few, 1};
        check_ok(error, kn_expect(&expect, start, (KnEvidence){4, 0}, cases[i].depth, &value, &error));
        if (value < cases[i].value - 1e-6 || value > cases[i].value + 1e-6)
            fail_msg("case %zu: %g, not %g", i, value, cases[i].value);
    }
    kn_base_close(base);
    /* the player: b2 came out better than a2, whatever a random inner player says; and it tells why */
    KnPlayer *player =
        open_player(game, "experience(random, base=expect.mdb, rule=expect, weight=0.01, curiosity=0)");
    KnMove moves[game->max_moves];
    KnState *game_state = kn_state_new(game);
    KnRng rng = kn_rng_seeded(1);
    KnArena *arena = kn_arena_new();
    KnRequest request = {.game = game,
                         .position = kn_state_position(game_state),
                         .history = kn_state_history(game_state),
                         .allowed = moves,
                         .rng = &rng,
                         .allowed_count = kn_state_moves(game_state, 0, moves),
                         .wants = KN_WANT_EXPLANATION,
                         .arena = arena};
    KnAnswer answer = {0};
    check_ok(error, kn_player_begin(player, 0, kn_state_position(game_state), &error));
    check_ok(error, kn_player_choose(player, &request, &answer, &error));
    assert_string_equal(kn_game_move_name(game, request.position, answer.move, arena), "b2");
    assert_non_null(answer.explanation);
    const KnExperienceTally *tally = kn_experience_tally(player);
    assert_int_equal(tally->searched + tally->ignored, 1);
    kn_arena_free(arena);
    kn_state_free(game_state);
    kn_player_close(player);
    kn_game_close(game);
}

/* Curiosity is a share of what a game can bring, on whatever scale that is: a move that won a dozen games
 * here, one point each, is not given up for one that is merely unknown; a greater curiosity does that. */
static void test_curiosity_has_the_games_scale(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("tictactoe");
    KnBase *base;
    unlink("curious.mdb");
    check_ok(error,
             kn_base_open(workbench, game, "curious.mdb", KN_BASE_MAKE | KN_BASE_WRITE, NULL, &base, &error));
    static const char *const lines[] = {"b2 a3 b3", "b2 a3 c3", "b2 a3 a2", "b2 a3 c2",
                                        "b2 a3 a1", "b2 a3 b1", "b2 a3 c1", "b2 b3 a3",
                                        "b2 b3 a2", "b2 b3 a1", "b2 b3 b1", "b2 b3 c1"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) add_line(base, game, lines[i], 1);
    kn_base_close(base);
    static const char *const curiosities[] = {"", ", curiosity=5"};
    for (int c = 0; c < 2; c++) {
        char spec[160];
        snprintf(spec, sizeof spec,
                 "experience(alphabeta(depth=9, memory=1), base=curious.mdb, rule=expect%s)", curiosities[c]);
        KnPlayer *player = open_player(game, spec);
        KnMove moves[game->max_moves];
        KnState *game_state = kn_state_new(game);
        KnRng rng = kn_rng_seeded(1);
        KnArena *arena = kn_arena_new();
        KnRequest request = {.game = game,
                             .position = kn_state_position(game_state),
                             .history = kn_state_history(game_state),
                             .allowed = moves,
                             .rng = &rng,
                             .allowed_count = kn_state_moves(game_state, 0, moves),
                             .arena = arena};
        KnAnswer answer = {0};
        check_ok(error, kn_player_begin(player, 0, kn_state_position(game_state), &error));
        check_ok(error, kn_player_choose(player, &request, &answer, &error));
        bool known = strcmp(kn_game_move_name(game, request.position, answer.move, arena), "b2") == 0;
        assert_true(known == (c == 0));
        kn_arena_free(arena);
        kn_state_free(game_state);
        kn_player_close(player);
    }
    kn_game_close(game);
}

static void test_refusals(void **state)
{
    (void)state;
    KnError error;
    KnPlayer *player;
    KnGame *dilemma = test_workbench_game("dilemma"), *othello = test_workbench_game("othello");
    check_fails(error, KN_INPUT, "take turns",
                kn_player_open(workbench, dilemma, "experience(random, base=x.mdb)", &player, &error));
    check_fails(error, KN_INPUT, "there is no experience base",
                kn_player_open(workbench, othello, "experience(random, base=x.mdb)", &player, &error));
    check_fails(
        error, KN_INPUT, "rule",
        kn_player_open(workbench, othello, "experience(random, base=x.mdb, rule=wild)", &player, &error));
    check_fails(error, KN_INPUT, "Othello only",
                kn_player_open(workbench, dilemma, "endgame(random)", &player, &error));
    assert_int_not_equal(access("x.mdb", F_OK), 0);
    kn_game_close(dilemma);
    kn_game_close(othello);
}

/* ---- the players beside it ---- */

static void test_noisy(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("othello");
    KnPlayer *steady = open_player(game, "noisy(alphabeta(depth=1, eval=discs), epsilon=0, ties=first)"),
             *wild = open_player(game, "noisy(alphabeta(depth=1), epsilon=1)");
    KnState *game_state = kn_state_new(game);
    KnMove moves[64];
    int count = kn_state_moves(game_state, 0, moves), seen[64] = {0};
    for (uint64_t i = 0; i < 200; i++) {
        KnRng rng = kn_rng_stream(1, i);
        KnRequest request = {.game = game,
                             .position = kn_state_position(game_state),
                             .allowed = moves,
                             .allowed_count = count,
                             .rng = &rng};
        KnAnswer answer;
        answer.values = NULL;
        check_ok(error, kn_player_choose(steady, &request, &answer, &error));
        assert_int_equal(answer.move, moves[0]); /* all four are equal */
        check_ok(error, kn_player_choose(wild, &request, &answer, &error));
        seen[answer.move]++;
    }
    for (int i = 0; i < count; i++) assert_true(seen[moves[i]] > 25);
    kn_state_free(game_state);
    kn_player_close(steady);
    kn_player_close(wild);
    kn_game_close(game);
}

/* The solver against plain minimax on the margin. */
static void test_endgame(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("othello(payoff=discs)");
    KnPlayer *solver = open_player(game, "endgame(random, empties=8)"),
             *minimax = open_player(game, "minimax(depth=20)");
    uint64_t nodes[2] = {0, 0}; /* for the best move, and for the values of all moves */
    for (uint64_t i = 0; i < (uint64_t)check_scaled(40); i++) {
        KnState *game_state = kn_state_new(game);
        KnRng rng = kn_rng_stream(8, i);
        KnMove moves[64];
        KnScore a[64], b[64];
        while (!kn_state_over(game_state, NULL) &&
               kn_othello_empties(game, kn_state_position(game_state)) > 6) {
            int count = kn_state_moves(game_state, game->type->mover(game, kn_state_position(game_state)),
                                       moves);
            check_ok(error, kn_state_play(game_state, moves[kn_rng_below(&rng, (uint32_t)count)], &error));
        }
        if (!kn_state_over(game_state, NULL)) {
            int role = game->type->mover(game, kn_state_position(game_state));
            KnRequest request = {.game = game,
                                 .position = kn_state_position(game_state),
                                 .role = role,
                                 .allowed = moves,
                                 .allowed_count = kn_state_moves(game_state, role, moves),
                                 .rng = &rng,
                                 .wants = KN_WANT_VALUES};
            KnAnswer first = {.values = a}, second = {.values = b};
            check_ok(error, kn_player_choose(solver, &request, &first, &error));
            check_ok(error, kn_player_choose(minimax, &request, &second, &error));
            assert_true(first.has_values && second.has_values);
            for (int m = 0; m < request.allowed_count; m++) {
                bool sure = abs(b[m]) >= KN_SCORE_PROVEN; /* wiped out: how soon does not matter here */
                if (sure)
                    assert_true(abs(a[m]) >= KN_SCORE_PROVEN && (a[m] > 0) == (b[m] > 0));
                else
                    assert_int_equal(a[m], b[m]);
            }
            request.wants = 0;
            KnAnswer quick = {0};
            check_ok(error, kn_player_choose(solver, &request, &quick, &error));
            assert_int_equal(quick.score, first.score);
            nodes[0] += quick.cost.nodes;
            nodes[1] += first.cost.nodes;
        }
        kn_state_free(game_state);
    }
    assert_true(nodes[0] < nodes[1]);
    kn_player_close(solver);
    kn_player_close(minimax);
    kn_game_close(game);
}

static int set_up(void **state)
{
    (void)state;
    KnError error;
    test_workbench_open(NULL);
    return workbench && kn_register(workbench, KN_KIND_PLAYER, &stubborn.head, &error) == KN_OK ? 0 : -1;
}

/* The first game of a match makes the base, and every thread's player learns into it: they must find that it
 * is one file although it had no real path when the first opened it. */
static void test_first_match_on_many_threads(void **state)
{
    (void)state;
    static const char *const specs[] = {"experience(random, base=\"first.mdb\", learn)",
                                        "experience(random, base=\"./second.mdb\", learn)"};
    for (int i = 0; i < 2; i++) {
        KnError error;
        KnMatchResult result;
        KnMatchPlan plan = {
            .game = "tictactoe", .players = {specs[i], "random"}, .games = 20, .seed = 3, .jobs = 4};
        check_ok(error, kn_match_run(workbench, &plan, NULL, NULL, &result, &error));
        assert_int_equal(result.standing.games, 20);
        assert_int_equal(result.standing.forfeits[0], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gina_exactly),
        cmocka_unit_test(test_deviate_and_curious),
        cmocka_unit_test(test_learns),
        cmocka_unit_test(test_first_match_on_many_threads),
        cmocka_unit_test(test_ignored_is_counted),
        cmocka_unit_test(test_group),
        cmocka_unit_test(test_unrestricted_inner),
        cmocka_unit_test(test_deviate_remembers),
        cmocka_unit_test(test_expectation),
        cmocka_unit_test(test_curiosity_has_the_games_scale),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_noisy),
        cmocka_unit_test(test_endgame),
    };
    return cmocka_run_group_tests(tests, set_up, test_workbench_close);
}
