/* Ratings against known strengths, and a round robin whose order is certain. */
#include "support/check.h"
#include "support/workbench.h"

#include <math.h>

#include "arena/tournament.h"
#include <knack/stats.h>

/* Scores that follow exactly from strengths give those strengths back, up to the half game added to each
 * pair. */
static void test_ratings_recover_strengths(void **state)
{
    (void)state;
    enum { N = 4 };
    const double elo[N] = {150, 50, -40, -160};
    double points[N * N] = {0}, games[N * N] = {0};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            if (i == j) continue;
            games[i * N + j] = 1e6;
            points[i * N + j] = 1e6 * kn_score_from_elo(elo[i] - elo[j]);
        }
    KnRating ratings[N];
    KnError error;
    check_ok(error, kn_ratings(N, points, games, ratings, &error));
    for (int i = 0; i < N; i++) assert_true(fabs(ratings[i].elo - elo[i]) < 0.01);
    assert_true(ratings[0].error > 0 && ratings[0].error < 1);
}

/* Two players: the error of a rating is half that of their difference, which has a closed form. */
static void test_error_of_two(void **state)
{
    (void)state;
    double points[4] = {0, 50, 50, 0}, games[4] = {0, 100, 100, 0};
    KnRating ratings[2];
    KnError error;
    check_ok(error, kn_ratings(2, points, games, ratings, &error));
    double difference = KN_Z95 / sqrt(101 * 0.25) * 400 / log(10);
    assert_true(fabs(ratings[0].elo) < 1e-9);
    assert_true(fabs(ratings[0].error - difference / 2) < 1e-6);
}

static void test_round_robin(void **state)
{
    (void)state;
    KnContext *context = test_workbench("robin");
    const char *const players[] = {"random", "alphabeta(depth=9)", "alphabeta(depth=1)"};
    KnTournamentPlan plan = {.match = {.game = "tictactoe", .games = 40, .seed = 3, .jobs = 2},
                             .players = players,
                             .player_count = 3};
    KnTournament one, two;
    KnError error;
    check_ok(error, kn_tournament_run(context, &plan, NULL, NULL, &one, &error));
    assert_int_equal(one.order[0], 1);
    assert_int_equal(one.order[2], 0);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            if (i != j) assert_true(one.points[i * 3 + j] + one.points[j * 3 + i] == 40);
    plan.match.jobs = 1;
    check_ok(error, kn_tournament_run(context, &plan, NULL, NULL, &two, &error));
    assert_string_equal(one.digest, two.digest);
    kn_tournament_free(&one);
    kn_tournament_free(&two);
    plan.player_count = 1;
    check_fails(error, KN_USAGE, "at least two", kn_tournament_run(context, &plan, NULL, NULL, &one, &error));
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ratings_recover_strengths),
        cmocka_unit_test(test_error_of_two),
        cmocka_unit_test(test_round_robin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
