/* The move rules of `experience` against a second implementation, on tables of moves drawn at random and on
 * set cases; and the player that weighs experience against a search, on a base of random games. */
#include "support/check.h"
#include "support/workbench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "methods/experience/base.h"
#include "methods/experience/move_rule.h"

/* ---- curious: upper confidence bounds ---- */

enum { MOVES = 6 };

static void draw_rows(KnRng *rng, double most, KnBaseMove *rows, KnBaseView *view)
{
    *view = (KnBaseView){.known = true, .count = MOVES, .leaf = KN_MOVE_NONE, .advice = KN_MOVE_NONE};
    double sum = 0;
    for (int i = 0; i < MOVES; i++) {
        bool explored = i == 0 || kn_rng_below(rng, 3) > 0;
        rows[i] = (KnBaseMove){.move = (KnMove)i, .explored = explored};
        if (!explored) continue;
        rows[i].games = 1 + kn_rng_below(rng, 40);
        rows[i].mean = rows[i].value = most * (kn_rng_real(rng) - 0.5);
        sum += rows[i].mean * (double)rows[i].games;
        view->games += rows[i].games;
        view->explored++;
    }
    view->mean = sum / (double)view->games;
}

/* The arm to draw: UCB1 over the known moves, with all the others as one arm drawn once; -1 for that one. */
static int expect_arm(const KnBaseMove *rows, const KnBaseView *view, int role, double most, double curiosity)
{
    double sign = role == 0 ? 1 : -1, highest = -INFINITY;
    int best = -2;
    for (int i = 0; i < MOVES; i++) {
        if (!rows[i].explored) continue;
        double bound = sign * rows[i].mean / most +
                       curiosity * sqrt(log((double)view->games + 1) / (double)rows[i].games);
        if (bound > highest) highest = bound, best = i;
    }
    double fresh = sign * view->mean / most + curiosity * sqrt(log((double)view->games + 1));
    return view->explored < MOVES && fresh > highest ? -1 : best;
}

static void test_curious(void **state)
{
    (void)state;
    static const char *const games[] = {"othello", "checkers"};
    for (size_t g = 0; g < 2; g++) {
        KnGame *game = test_workbench_game(games[g]);
        double most = kn_rule_max_points(game);
        assert_true(most == (g ? 1 : 64));
        KnRng rng = kn_rng_seeded(5);
        int fresh = 0, other = 0;
        for (int n = 0; n < 600; n++) {
            static const double curiosities[] = {0, 0.05, 0.2, 0.6};
            KnBaseMove rows[MOVES];
            KnBaseView view;
            draw_rows(&rng, most, rows, &view);
            int role = n % 2;
            KnRule rule = {.rule = KN_RULE_CURIOUS, .curiosity = curiosities[n % 4]};
            KnRuleDecision decision = {0};
            kn_rule_apply(&rule, game, role, rows, &view, &decision);
            int arm = expect_arm(rows, &view, role, most, rule.curiosity);
            assert_int_equal(decision.action, arm < 0 ? KN_RULE_FRESH : KN_RULE_REPEAT);
            if (arm < 0)
                fresh++;
            else {
                assert_int_equal(decision.best, arm);
                assert_true(decision.value == (role == 0 ? rows[arm].mean : -rows[arm].mean));
                int plain = expect_arm(rows, &view, role, most, 0);
                other += plain != arm;
            }
        }
        assert_true(fresh > 40 && other > 20); /* curiosity decides often enough for this to be a test */
        kn_game_close(game);
    }
}

/* ---- deviate, and scores as points ---- */

static void test_deviate(void **state)
{
    (void)state;
    KnGame *game = test_workbench_game("othello");
    /* tolerance 2, content 10; a new move searched at `score` hundredths of a point */
    static const struct {
        double known;
        bool has_leaf;
        KnScore score;
        int explored;
        KnRuleAction action;
    } cases[] = {{10.5, false, 0, 1, KN_RULE_REPEAT}, {10, false, 0, 1, KN_RULE_WEIGH},
                 {10, false, 0, 2, KN_RULE_REPEAT},   {4, true, 601, 1, KN_RULE_LEAF},
                 {4, true, 600, 1, KN_RULE_REPEAT},   {-4, true, -199, 1, KN_RULE_LEAF},
                 {-4, true, -200, 1, KN_RULE_REPEAT}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int role = 0; role < 2; role++) {
            double known = role == 0 ? cases[c].known : -cases[c].known;
            KnBaseMove rows[2] = {{.move = 0, .explored = true, .value = known, .mean = known, .games = 3},
                                  {.move = 1,
                                   .explored = cases[c].explored == 2,
                                   .value = role == 0 ? -60 : 60,
                                   .mean = 0,
                                   .games = 1}};
            KnBaseView view = {.known = true,
                               .count = 2,
                               .explored = cases[c].explored,
                               .games = 3,
                               .leaf = cases[c].has_leaf ? 1 : KN_MOVE_NONE,
                               .leaf_score = cases[c].score,
                               .advice = KN_MOVE_NONE};
            KnRule rule = {.rule = KN_RULE_DEVIATE, .tolerance = 2, .content = 10};
            KnRuleDecision decision = {0};
            kn_rule_apply(&rule, game, role, rows, &view, &decision);
            if (decision.action != cases[c].action)
                fail_msg("case %zu, role %d: action %d, not %d", c, role, (int)decision.action,
                         (int)cases[c].action);
            assert_int_equal(decision.best, 0);
        }
    kn_game_close(game);
}

static void test_points(void **state)
{
    (void)state;
    KnGame *othello = test_workbench_game("othello"), *checkers = test_workbench_game("checkers");
    assert_float_equal(kn_rule_points(othello, 250), 2.5, 1e-12);
    assert_float_equal(kn_rule_points(othello, -9900), -64, 1e-12); /* no more than the board holds */
    assert_float_equal(kn_rule_points(othello, KN_SCORE_WIN - 3), 64, 1e-12);
    assert_float_equal(kn_rule_points(checkers, 300), 0.5, 1e-12);
    assert_float_equal(kn_rule_points(checkers, -100), -0.25, 1e-12);
    assert_float_equal(kn_rule_points(checkers, KN_SCORE_WIN - 7), 1, 1e-12);
    assert_float_equal(kn_rule_points(checkers, 7 - KN_SCORE_WIN), -1, 1e-12);
    assert_float_equal(kn_rule_points(checkers, 0), 0, 0);
    kn_game_close(othello);
    kn_game_close(checkers);
}

/* ---- expect: what came of moves, blended with what a search says ---- */

static void fill(KnBase *base, const KnGame *game, uint64_t seed)
{
    KnError error;
    KnState *state = kn_state_new(game);
    for (uint64_t i = 0; i < 100; i++) {
        KnRng rng = kn_rng_stream(seed, i);
        KnMove moves[game->max_moves];
        uint32_t first = 0;
        kn_state_reset(state, NULL);
        while (!kn_state_over(state, NULL)) {
            int role = game->type->mover(game, kn_state_position(state));
            int count = kn_state_moves(state, role, moves);
            uint32_t place = kn_rng_below(&rng, (uint32_t)count), other = kn_rng_below(&rng, (uint32_t)count);
            if (kn_state_plies(state) == 0) first = place = place < other ? place : other;
            check_ok(error, kn_state_play(state, moves[place], &error));
        }
        /* The moves that begin many games win more of them: only curiosity tries the others. */
        bool won = kn_rng_real(&rng) < (first < 4 ? 0.7 : 0.4);
        check_ok(error, kn_base_add(base, state, won ? 1 : -1, NULL, NULL, &error));
    }
    kn_state_free(state);
}

/* The inner player names the first move and gives no score: it counts as `weight` games that end in a draw.
 * Moves neither known nor named are not considered. */
static void test_expect(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("tictactoe");
    int curious = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        KnBase *base;
        KnBaseKind kind = {.symmetry = false};
        unlink("rules.mdb");
        check_ok(error, kn_base_open(workbench, game, "rules.mdb",
                                     KN_BASE_MAKE | KN_BASE_WRITE | KN_BASE_LOOSE, &kind, &base, &error));
        fill(base, game, seed);
        KnState *start = kn_state_new(game);
        KnMove moves[9];
        KnBaseMove rows[9];
        KnBaseView view;
        int count = kn_state_moves(start, 0, moves), plain[2] = {-1, -1};
        check_ok(error, kn_base_look(base, kn_state_position(start), moves, count, rows, &view, &error));
        kn_base_close(base);
        for (int c = 0; c < 40; c++) { /* closely spaced, so that small changes of the formula tell */
            double curiosity = 0.06 * (c / 2), weight = c % 2 ? 0.5 : 4, highest = -INFINITY;
            int best = -1;
            for (int i = 0; i < count; i++) {
                bool named = i == 0;
                if (!rows[i].explored && !named) continue;
                double n = rows[i].explored ? (double)rows[i].games : 0;
                double value = (rows[i].explored ? n * rows[i].mean : 0) / (n + (named ? weight : 0));
                double bound = value + curiosity * sqrt(log((double)view.games + 1) / (n + 1));
                if (bound > highest || (bound == highest && named)) highest = bound, best = i;
            }
            if (c < 2) plain[c] = best;
            curious += best != plain[c % 2];
            char spec[160];
            snprintf(spec, sizeof spec,
                     "experience(legal, base=rules.mdb, rule=expect, ahead=0, curiosity=%g, weight=%g)",
                     curiosity, weight);
            KnPlayer *player;
            check_ok(error, kn_player_open(workbench, game, spec, &player, &error));
            KnRng rng = kn_rng_seeded(1);
            KnRequest request = {.game = game,
                                 .position = kn_state_position(start),
                                 .history = kn_state_history(start),
                                 .allowed = moves,
                                 .allowed_count = count,
                                 .rng = &rng};
            KnAnswer answer = {0};
            check_ok(error, kn_player_begin(player, 0, kn_state_position(start), &error));
            check_ok(error, kn_player_choose(player, &request, &answer, &error));
            int chosen = -1;
            for (int i = 0; i < count; i++)
                if (moves[i] == answer.move) chosen = i;
            if (chosen != best)
                fail_msg("seed %d, curiosity %g, weight %g: move %d, not %d", (int)seed, curiosity, weight,
                         chosen, best);
            kn_player_close(player);
        }
        kn_state_free(start);
    }
    assert_true(curious > 5);
    unlink("rules.mdb");
    kn_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_curious), cmocka_unit_test(test_deviate),
                                       cmocka_unit_test(test_points), cmocka_unit_test(test_expect)};
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
