/* All searches return minimax's values: on random positions of every game, by several evaluations, to
 * whatever depth minimax can afford there. */
#include "support/check.h"
#include "support/instances.h"
#include "support/toy.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "games/game.h"
#include "games/sequential.h"
#include "search/alphabeta.h"
#include "search/minimax.h"

enum { POSITIONS = 2000, PLIES = 120, DEPTH = 8 };
enum { MILLISECONDS = 300 }; /* of processor time for one instance; slow games get fewer positions */

/* Pseudo-random evaluations reveal every mistake of the search: many equal scores, or hardly
 * any. */
static KnScore score_coarse(const KnEvaluation *self, const void *position)
{
    return (KnScore)(kn_mix64(self->game->type->hash(self->game, position)) % 5) - 2;
}

static KnScore score_fine(const KnEvaluation *self, const void *position)
{
    return (KnScore)(kn_mix64(self->game->type->hash(self->game, position)) % 200001) - 100000;
}

typedef struct Variant {
    const char *name;
    bool null_windows, deepening, ordering;
    KnTableUse table;
    bool all_values;
} Variant;

static const Variant variants[] = {
    {"alpha-beta", false, false, false, KN_TABLE_OFF, false},
    {"alpha-beta, ordered", false, false, true, KN_TABLE_OFF, false},
    {"alpha-beta, table", false, false, true, KN_TABLE_EXACT, false},
    {"pvs", true, false, false, KN_TABLE_OFF, false},
    {"pvs, table", true, false, true, KN_TABLE_EXACT, false},
    {"deepening alpha-beta", false, true, true, KN_TABLE_OFF, false},
    {"deepening pvs", true, true, true, KN_TABLE_OFF, false},
    {"deepening pvs, table", true, true, true, KN_TABLE_EXACT, false},
    {"root mode", true, true, true, KN_TABLE_OFF, true},
    {"root mode, table", true, true, true, KN_TABLE_EXACT, true},
};

enum { VARIANTS = sizeof variants / sizeof *variants };

typedef struct Bench {
    const KnGame *game;
    KnState *state, *replay;
    KnMove *moves;
    KnRng rng;
    KnEvaluation coarse, fine, *own;
} Bench;

static void text_of(const Bench *bench, const char *what, const char *name, int depth)
{
    KnText text = KN_TEXT_EMPTY;
    if (bench->game->type->position_text)
        bench->game->type->position_text(bench->game, kn_state_position(bench->state), &text);
    fail_msg("%s, %s, depth %d: %s, at \"%s\"", bench->game->spec, name, depth, what, text.data);
}

/* A random position that is not over, after a random number of random moves. */
static void random_position(Bench *bench)
{
    KnError error;
    kn_state_reset(bench->state, NULL);
    uint32_t plies = kn_rng_below(&bench->rng, PLIES);
    for (uint32_t ply = 0; ply < plies; ply++) {
        int mover = bench->game->type->mover(bench->game, kn_state_position(bench->state));
        int count = kn_state_moves(bench->state, mover, bench->moves);
        check_ok(error, kn_state_play(bench->state, bench->moves[kn_rng_below(&bench->rng, (uint32_t)count)],
                                      &error));
        if (!kn_state_over(bench->state, NULL)) continue;
        /* Start a few moves before the end, so that the search reaches ends. */
        for (uint32_t back = kn_rng_below(&bench->rng, 8) + 1; back && kn_state_undo(bench->state);) back--;
        return;
    }
}

/* The principal variation is legal, ends at the leaf, and the leaf has the score. */
static void check_line(Bench *bench, const KnEvaluation *evaluation, const char *name, int depth,
                       const KnSearchResult *result)
{
    const KnGame *game = bench->game;
    KnError error;
    if (result->pv_length < 1 || result->pv[0] != result->move)
        text_of(bench, "the line lacks its move", name, depth);
    kn_state_reset(bench->replay, kn_state_position_at(bench->state, 0));
    for (size_t i = 0; i < kn_state_plies(bench->state); i++)
        check_ok(error, kn_state_play_joint(bench->replay, kn_state_joint_at(bench->state, i), &error));
    int viewpoint = game->type->mover(game, kn_state_position(bench->replay));
    for (int i = 0; i < result->pv_length; i++) {
        int mover = game->type->mover(game, kn_state_position(bench->replay));
        int count = kn_state_moves(bench->replay, mover, bench->moves);
        bool legal = false;
        for (int j = 0; j < count; j++) legal |= bench->moves[j] == result->pv[i];
        if (!legal) text_of(bench, "a move of the line is not legal", name, depth);
        check_ok(error, kn_state_play(bench->replay, result->pv[i], &error));
    }
    const void *leaf = kn_state_position(bench->replay);
    if (memcmp(leaf, result->leaf, game->position_size) != 0)
        text_of(bench, "the leaf is another", name, depth);
    double payoffs[KN_ROLES_MAX];
    KnScore score;
    if (kn_state_over(bench->replay, payoffs))
        score = kn_score_of_payoff(game, payoffs[viewpoint], result->pv_length);
    else
        score = kn_evaluate_for(evaluation, leaf, viewpoint);
    if (score != result->score && game->nature < 0)
        text_of(bench, "the leaf is not worth the score", name, depth);
}

/* Minimax as deep as its node budget allows; returns the depth, 0 if not even one turn. */
static int reference(Bench *bench, KnMinimax *minimax, const KnEvaluation *evaluation, KnSearchResult *result,
                     KnRootMove *rows)
{
    KnError error;
    int reached = 0;
    uint64_t afforded = 128u << kn_rng_below(&bench->rng, 5);
    KnHistory history = kn_state_history(bench->state);
    for (int depth = 1; depth <= DEPTH; depth++) {
        KnSearchRequest request = {.budget = {.depth = depth, .nodes = reached ? afforded : 20000}};
        KnSearchResult deeper;
        check_ok(error, kn_minimax_run(minimax, kn_state_position(bench->state), &history, &request, &deeper,
                                       &error));
        if (!deeper.completed) break;
        check_line(bench, evaluation, "minimax", depth, &deeper);
        reached = depth;
        *result = deeper;
        memcpy(rows, deeper.root, (size_t)deeper.root_count * sizeof *rows);
    }
    return reached;
}

static void compare(Bench *bench, KnSearch *search, const KnEvaluation *evaluation, const Variant *variant,
                    int depth, const KnSearchResult *truth, const KnRootMove *rows)
{
    KnError error;
    KnSearchResult result;
    KnHistory history = kn_state_history(bench->state);
    KnSearchRequest request = {
        .budget = {.depth = depth}, .rng = &bench->rng, .all_values = variant->all_values};
    check_ok(error,
             kn_search_run(search, kn_state_position(bench->state), &history, &request, &result, &error));
    if (!result.completed) text_of(bench, "not completed", variant->name, depth);
    if (result.score != truth->score) text_of(bench, "another value", variant->name, depth);
    for (int i = 0; i < result.root_count; i++) {
        const KnRootMove *row = &result.root[i];
        if (row->move != rows[i].move) text_of(bench, "root moves out of order", variant->name, depth);
        if (variant->all_values && row->bound != KN_BOUND_EXACT)
            text_of(bench, "inexact row", variant->name, depth);
        /* If the best value was final before this depth, the others were not searched as deeply. */
        bool early = result.depth < depth && !variant->all_values && row->move != result.move;
        if (!early &&
            (row->bound == KN_BOUND_EXACT ? row->score != rows[i].score : row->score < rows[i].score))
            text_of(bench, "a root move of another value", variant->name, depth);
        if (row->move == result.move && rows[i].score != truth->score)
            text_of(bench, "a move that is not best", variant->name, depth);
    }
    check_line(bench, evaluation, variant->name, depth, &result);
}

static void check_alternating(const KnGame *game)
{
    KnError error;
    Bench bench = {.game = game,
                   .state = kn_state_new(game),
                   .replay = kn_state_new(game),
                   .moves = malloc((size_t)game->max_moves * sizeof(KnMove)),
                   .rng = kn_rng_seeded(7),
                   .coarse = {.game = game, .score = score_coarse},
                   .fine = {.game = game, .score = score_fine}};
    check_ok(error, kn_evaluation_open(game->context, game, NULL, &bench.own, &error));
    const KnEvaluation *evaluations[] = {&bench.coarse, &bench.fine, bench.own};
    KnMinimax *minimax[6];
    KnSearch *searches[6][VARIANTS];
    KnRootMove *rows = malloc((size_t)game->max_moves * sizeof *rows);
    for (int e = 0; e < 6; e++) {
        minimax[e] = kn_minimax_new(game, evaluations[e % 3], e >= 3, &error);
        assert_non_null(minimax[e]);
        for (int v = 0; v < VARIANTS; v++) {
            const Variant *variant = &variants[v];
            KnSearchOptions options = {.null_windows = variant->null_windows,
                                       .deepening = variant->deepening,
                                       .ordering = variant->ordering,
                                       .quiescence = e >= 3,
                                       .table = variant->table,
                                       .table_bytes = 1 << 16};
            searches[e][v] = kn_search_new(game, evaluations[e % 3], &options, &error);
            assert_non_null(searches[e][v]);
        }
    }
    double start = kn_clock_cpu(), seconds = (double)check_scaled(MILLISECONDS) / 1000;
    long done = 0, wanted = check_scaled(POSITIONS), depths = 0;
    for (; done < wanted && (done < 24 || kn_clock_cpu() - start < seconds); done++) {
        int e = (int)(done % 6);
        KnSearchResult truth = {0};
        random_position(&bench);
        int depth = reference(&bench, minimax[e], evaluations[e % 3], &truth, rows);
        if (!depth) continue; /* long chains of steps: too many positions even for one turn */
        depths += depth;
        for (int v = 0; v < VARIANTS; v++)
            compare(&bench, searches[e][v], evaluations[e % 3], &variants[v], depth, &truth, rows);
    }
    assert_true(depths > 0);
    print_message("%s: %ld positions, depth %.1f, %.1f s\n", game->spec, done, (double)depths / (double)done,
                  kn_clock_cpu() - start);
    for (int e = 0; e < 6; e++) {
        kn_minimax_free(minimax[e]);
        for (int v = 0; v < VARIANTS; v++) kn_search_free(searches[e][v]);
    }
    free(rows);
    kn_evaluation_close(bench.own);
    kn_state_free(bench.state);
    kn_state_free(bench.replay);
    free(bench.moves);
}

/* Simultaneous games are searched through their sequential views. */
static void check_instance(const KnGame *game)
{
    if (!(game->traits & KN_GAME_SIMULTANEOUS)) {
        check_alternating(game);
        return;
    }
    KnError error;
    KnGame *view;
    check_ok(error, kn_game_sequential(game, game->nature == 0, &view, &error));
    check_alternating(view);
    kn_game_close(view);
}

static void searches_agree_with_minimax(void **state)
{
    (void)state;
    KnContext *context = test_context();
    test_each_instance(context, check_instance);
    kn_close(context);
}

/* Generated games combine what no real game has together: chance, three roles, chains, rules that look back,
 * and many transpositions. */
static void searches_agree_on_made_up_games(void **state)
{
    (void)state;
    static const char *const toys[] = {"toy",
                                       "toy(width=3, payoffs=2)",
                                       "toy(back, width=5)",
                                       "toy(chains)",
                                       "toy(chains, back, width=1000)",
                                       "toy(general)",
                                       "toy(roles=1, width=6)",
                                       "toy(roles=3, payoffs=5)",
                                       "toy(roles=3, nature)",
                                       "toy(roles=2, nature, chains, back)"};
    KnError error;
    KnContext *context = kn_context_new();
    check_ok(error, kn_register(context, KN_KIND_GAME, &test_toy.head, &error));
    for (size_t i = 0; i < sizeof toys / sizeof *toys; i++) {
        KnGame *game;
        check_ok(error, kn_game_open(context, toys[i], &game, &error));
        check_alternating(game);
        kn_game_close(game);
    }
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(searches_agree_on_made_up_games),
                                       cmocka_unit_test(searches_agree_with_minimax)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
