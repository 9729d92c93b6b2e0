/* Matrix games: known ones, and random ones by what makes strategies optimal. */
#include "support/check.h"

#include <math.h>
#include <string.h>

#include <knack/base.h>
#include "search/matrix_game.h"

static const double CLOSE = 1e-6;

static void known_games(void **state)
{
    (void)state;
    static const struct {
        int rows, columns;
        double entries[12], value, chances[4];
    } games[] = {
        {3, 3, {0, -1, 1, 1, 0, -1, -1, 1, 0}, 0, {1.0 / 3, 1.0 / 3, 1.0 / 3}},
        {2, 2, {3, -1, -2, 4}, 1, {0.6, 0.4}},
        {2, 3, {1, 5, 9, 0, 7, 8}, 1, {1, 0}},                 /* a saddle */
        {4, 2, {0, 0, 4, 0, 0, 4, 1, 1}, 2, {0, 0.5, 0.5, 0}}, /* two rows are dominated */
        {1, 1, {0.25}, 0.25, {1}},
        {3, 2, {7, 7, 7, 7, 7, 7}, 7, {1, 0, 0}},
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        KnMatrixGame game = {games[i].rows, games[i].columns, games[i].entries};
        double value, chances[4];
        assert_true(kn_matrix_game_solve(&game, &value, chances, NULL));
        assert_true(fabs(value - games[i].value) < CLOSE);
        for (int r = 0; r < game.rows; r++) assert_true(fabs(chances[r] - games[i].chances[r]) < CLOSE);
    }
}

/* Each side is sure of the value, whatever the other does: so nobody can be sure of more. */
static void strategies_are_optimal(void **state)
{
    (void)state;
    double entries[KN_MATRIX_GAME_MOST], rows[KN_MATRIX_GAME_MOST], columns[KN_MATRIX_GAME_MOST], value;
    int mixed = 0, games = (int)check_scaled(2000);
    for (int seed = 0; seed < games; seed++) {
        KnRng rng = kn_rng_seeded((uint64_t)seed);
        int most = seed % 50 ? 8 : 32;
        KnMatrixGame game = {1 + (int)kn_rng_below(&rng, (uint32_t)most),
                             1 + (int)kn_rng_below(&rng, (uint32_t)most), entries};
        uint32_t levels = seed % 3 ? 3 : 1000; /* few: many ties, and simplex steps that gain nothing */
        for (int i = 0; i < game.rows * game.columns; i++)
            entries[i] = (double)kn_rng_below(&rng, levels) / (levels - 1);
        assert_true(kn_matrix_game_solve(&game, &value, rows, columns));
        double total = 0, most_of_columns = -INFINITY, least_of_rows = INFINITY;
        for (int i = 0; i < game.rows; i++) {
            double mean = 0;
            assert_true(rows[i] >= 0);
            total += rows[i];
            mixed += rows[i] > CLOSE && rows[i] < 1 - CLOSE;
            for (int j = 0; j < game.columns; j++) mean += columns[j] * entries[i * game.columns + j];
            most_of_columns = fmax(most_of_columns, mean);
        }
        assert_true(fabs(total - 1) < CLOSE);
        for (int j = 0; j < game.columns; j++) {
            double mean = 0;
            assert_true(columns[j] >= 0);
            for (int i = 0; i < game.rows; i++) mean += rows[i] * entries[i * game.columns + j];
            least_of_rows = fmin(least_of_rows, mean);
        }
        assert_true(fabs(most_of_columns - value) < CLOSE && fabs(least_of_rows - value) < CLOSE);
    }
    assert_true(mixed > games);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_games),
                                       cmocka_unit_test(strategies_are_optimal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
