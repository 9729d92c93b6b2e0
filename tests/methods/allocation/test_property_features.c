/* A tree that computes only what it asks for on the way finds the leaf that it would find by all values: on
 * positions of random games, in every game that has something to be seen, for trees with a case a value and
 * for cuts, laid out for use and not. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "methods/allocation/features.h"
#include "methods/experience/entry_features.h"

enum { POSITIONS = 700, PATTERNS = 12 };

typedef struct Seen {
    unsigned char *positions;
    int *made;
} Seen;

/* Positions of random games, each with a move to make. */
static Seen play(const KnGame *game, KnRng *rng)
{
    Seen seen = {malloc(POSITIONS * game->position_size), malloc(POSITIONS * sizeof *seen.made)};
    unsigned char *position = aligned_alloc(16, (game->position_size + 15) / 16 * 16);
    KnMove *moves = malloc((size_t)game->max_moves * sizeof *moves);
    game->type->start(game, position);
    for (int i = 0, ply = 0; i < POSITIONS; ply++) {
        int count = game->type->mover(game, position) < 0 ? 0 : game->type->moves(game, position, moves);
        if (!count || ply > 120) {
            game->type->start(game, position);
            ply = 0;
            continue;
        }
        memcpy(seen.positions + (size_t)i * game->position_size, position, game->position_size);
        seen.made[i++] = ply / 2;
        game->type->play(game, position, moves[kn_rng_below(rng, (uint32_t)count)]);
    }
    free(moves);
    free(position);
    return seen;
}

static KnFeatureView *open_view(const KnGame *game, KnRng *rng)
{
    KnError error;
    KnPatternLanguage board;
    KnPattern patterns[PATTERNS] = {0};
    KnFeaturePlan plan = {
        .from =
            {[KN_FROM_GAME] = true, [KN_FROM_GENERAL] = true, [KN_FROM_BUDGET] = true, [KN_FROM_BASE] = true},
        .patterns = patterns};
    plan.from[KN_FROM_CELLS] = kn_pattern_board_cells(game, &board, &error) == KN_OK;
    if (kn_pattern_board_of_game(game, &board, &error) == KN_OK) {
        plan.pattern_count = PATTERNS;
        for (int p = 0; p < PATTERNS; p++) {
            patterns[p].region = (uint8_t)kn_rng_below(rng, (uint32_t)board.regions);
            for (int i = 0; i < board.size;
                 i++) /* most places are not asked, so that it is found now and then */
                patterns[p].kind[i] =
                    (uint8_t)(kn_rng_below(rng, 3) ? 0 : kn_rng_below(rng, (uint32_t)board.kinds));
        }
    }
    if (game->feature_tables) plan.terms = game->feature_tables[0].name;
    KnFeatureView *view;
    check_ok(error, kn_feature_view_open(game, &plan, &view, &error));
    return view;
}

static KnFeatureSource look_at(const KnGame *game, const Seen *seen, int i, KnMove *moves,
                               const double *entry)
{
    const void *position = seen->positions + (size_t)i * game->position_size;
    return (KnFeatureSource){.position = position,
                             .role = game->type->mover(game, position),
                             .moves = moves,
                             .count = game->type->moves(game, position, moves),
                             .made = seen->made[i],
                             .entry = i % 3 ? entry : NULL};
}

static void check_game(KnContext *context, const char *spec)
{
    KnError error;
    KnGame *game;
    KnRng rng = kn_rng_seeded(17);
    check_ok(error, kn_game_open(context, spec, &game, &error));
    Seen seen = play(game, &rng);
    KnFeatureView *view = open_view(game, &rng);
    KnMove *moves = malloc((size_t)game->max_moves * sizeof *moves);
    size_t columns = (size_t)view->count;
    double *values = malloc(POSITIONS * columns * sizeof *values), entry[KN_ENTRIES];
    for (int e = 0; e < KN_ENTRIES; e++) entry[e] = kn_rng_real(&rng) * 3;
    KnDataset *data = kn_dataset_new(view->count, (const char *const *)view->names, POSITIONS, &error);
    assert_non_null(data);
    for (int i = 0; i < POSITIONS; i++) {
        KnFeatureSource of = look_at(game, &seen, i, moves, entry);
        double *row = values + (size_t)i * columns;
        kn_feature_view_fill(view, &of, row);
        for (size_t c = 0; c < columns; c++) assert_true(row[c] == row[c]);
        if (i % 2)
            kn_dataset_add(data, row, kn_rng_below(&rng, 2) == 1,
                           kn_rng_real(&rng)); /* at random: any column may be asked for */
    }
    check_ok(error, kn_dataset_code(data, &error));
    int leaves = 0;
    for (int round = 0; round < 12; round++) {
        bool use[view->count]; /* one source or two at a time, so that all of them are met */
        for (int c = 0; c < view->count; c++)
            use[c] = (int)view->columns[c].from == round / 2 || kn_rng_below(&rng, 12) == 0;
        KnTree *tree;
        KnTreePlan plan = {.measure = round % 2 ? KN_TREE_VARIANCE : KN_TREE_INFORMATION,
                           .cuts = round % 2 == 1,
                           .least = 2,
                           .use = use};
        check_ok(error, kn_tree_grow(data, &plan, &tree, &error));
        int plain[POSITIONS];
        for (int i = 0; i < POSITIONS; i++) plain[i] = kn_tree_leaf(tree, values + (size_t)i * columns);
        for (int laid = 0; laid < 2; laid++) {
            if (laid) check_ok(error, kn_tree_make_walk(tree, &error));
            for (int i = 0; i < POSITIONS; i++) {
                KnFeatureSource of = look_at(game, &seen, i, moves, entry);
                assert_int_equal(kn_tree_leaf(tree, values + (size_t)i * columns), plain[i]);
                if (kn_feature_view_leaf(view, tree, &of) != plain[i])
                    fail_msg("%s, tree %d%s, position %d: another leaf", spec, round,
                             laid ? ", laid out" : "", i);
            }
        }
        leaves += tree->leaf_count;
        kn_tree_free(tree);
    }
    assert_true(leaves > 400);
    kn_dataset_free(data);
    kn_feature_view_close(view);
    free(values);
    free(moves);
    free(seen.positions);
    free(seen.made);
    kn_game_close(game);
}

static void test_all_games(void **state)
{
    (void)state;
    static const char *const games[] = {"checkers",   "othello(size=6)",
                                        "othello",    "morris(men=5)",
                                        "morris",     "fives(width=6, height=6, line=4)",
                                        "go(size=7)", "phutball"};
    KnContext *context = test_workbench("sight");
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) check_game(context, games[i]);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_games)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
