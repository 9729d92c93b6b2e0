/* Searches on several threads: the same answers where they are certain, budgets that hold for all threads
 * together, and stopping. */
#include "support/check.h"
#include "support/instances.h"

#include <string.h>

#include "base/clock.h"
#include "search/alphabeta.h"
#include "search/mcts.h"

typedef struct Bench {
    KnContext *context;
    KnGame *game;
    KnEvaluation *evaluation;
    KnSearch *search;
    KnMcts *mcts;
    _Alignas(16) unsigned char position[256];
} Bench;

static Bench bench_open(const char *spec, const char *position, int threads)
{
    Bench b = {.context = test_context()};
    KnError error;
    check_ok(error, kn_game_open(b.context, spec, &b.game, &error));
    check_ok(error, kn_evaluation_open(b.context, b.game, NULL, &b.evaluation, &error));
    KnSearchOptions options = kn_search_options();
    options.table_bytes = 1 << 20;
    options.width = KN_SEARCH_AUTO;
    options.threads = threads;
    b.search = kn_search_new(b.game, b.evaluation, &options, &error);
    assert_non_null(b.search);
    KnMctsOptions sampling = kn_mcts_options();
    sampling.bytes = 4 << 20;
    sampling.threads = threads;
    b.mcts = kn_mcts_new(b.game, b.evaluation, &sampling, &error);
    assert_non_null(b.mcts);
    if (position)
        check_ok(error, kn_game_parse_position(b.game, position, b.position, &error));
    else
        b.game->type->start(b.game, b.position);
    return b;
}

static void bench_close(Bench *b)
{
    kn_mcts_free(b->mcts);
    kn_search_free(b->search);
    kn_evaluation_close(b->evaluation);
    kn_game_close(b->game);
    kn_close(b->context);
}

static KnSearchResult search(Bench *b, KnBudget budget, const atomic_bool *cancel)
{
    KnError error;
    KnRng rng = kn_rng_seeded(3);
    KnSearchResult found;
    KnSearchRequest request = {.budget = budget, .cancel = cancel, .rng = &rng};
    check_ok(error, kn_search_run(b->search, b->position, NULL, &request, &found, &error));
    return found;
}

static KnSearchResult sample(Bench *b, KnBudget budget)
{
    KnError error;
    KnRng rng = kn_rng_seeded(3);
    KnSearchResult found;
    KnSearchRequest request = {.budget = budget, .rng = &rng};
    check_ok(error, kn_mcts_run(b->mcts, b->position, NULL, &request, &found, &error));
    return found;
}

static void values_are_those_of_one_thread(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        int depth;
    } cases[] = {{"tictactoe", 9}, {"othello", 6}, {"checkers", 8}, {"morris", 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Bench one = bench_open(cases[i].game, NULL, 1), four = bench_open(cases[i].game, NULL, 4);
        KnSearchResult a = search(&one, (KnBudget){.depth = cases[i].depth}, NULL),
                       b = search(&four, (KnBudget){.depth = cases[i].depth}, NULL);
        assert_int_equal(b.depth, a.depth);
        if (cases[i].depth == 9) assert_int_equal(b.score, a.score);
        assert_true(b.completed && b.nodes > a.nodes / 8 && b.pv_length > 0);
        bench_close(&one);
        bench_close(&four);
    }
}

static void budgets_hold_for_all_threads(void **state)
{
    (void)state;
    Bench b = bench_open("checkers", NULL, 3);
    for (int i = 0; i < 3; i++) {
        KnSearchResult found = search(&b, (KnBudget){.nodes = 30000}, NULL);
        assert_true(found.nodes <= 30000 && found.nodes >= 10000);
        assert_int_equal(found.stop, KN_STOP_NODES);
        found = sample(&b, (KnBudget){.nodes = 30000});
        assert_true(found.nodes <= 30003 && found.nodes >= 20000);
        assert_true(found.playouts > 0);
        uint64_t visits = 0;
        for (int k = 0; k < found.root_count; k++) visits += found.root[k].visits;
        assert_int_equal(visits, found.playouts); /* no virtual loss is left */
    }
    double started = kn_clock_now();
    search(&b, (KnBudget){.seconds = 0.05}, NULL);
    assert_true(kn_clock_now() - started < 60);
    atomic_bool cancel = true;
    assert_int_equal(search(&b, (KnBudget){0}, &cancel).stop, KN_STOP_CANCEL);
    bench_close(&b);
}

/* A win that a tree of any shape finds. */
static void sampling_finds_and_proves_wins(void **state)
{
    (void)state;
    Bench b = bench_open("tictactoe", "x.x/oo./... x", 4);
    KnSearchResult found = sample(&b, (KnBudget){.nodes = 20000});
    assert_true(found.score >= KN_SCORE_PROVEN);
    bench_close(&b);
}

/* Threads prove the last moves of a position at the same time, and no proof is lost: the root is a draw. */
static void proofs_of_threads_meet(void **state)
{
    (void)state;
    Bench b = bench_open("tictactoe", NULL, 4);
    for (int i = 0; i < 4; i++) {
        KnSearchResult found = sample(&b, (KnBudget){.nodes = 20000000});
        assert_true(found.completed);
        assert_int_equal(found.score, 0);
        assert_int_equal(found.stop, KN_STOP_DONE);
    }
    bench_close(&b);
}

/* A tree that is full stays within its memory, whoever took the last room. */
static void threads_share_a_small_tree(void **state)
{
    (void)state;
    enum { BYTES = 1 << 14, NODE_BYTES = 40 }; /* a node has more */
    Bench b = bench_open("othello", NULL, 1);
    KnError error;
    KnMctsOptions options = kn_mcts_options();
    options.bytes = BYTES;
    options.threads = 4;
    kn_mcts_free(b.mcts);
    b.mcts = kn_mcts_new(b.game, b.evaluation, &options, &error);
    assert_non_null(b.mcts);
    KnSearchResult found = sample(&b, (KnBudget){.nodes = 100000});
    assert_true(found.stored <= BYTES / NODE_BYTES);
    assert_true(found.stored > BYTES / NODE_BYTES / 4);
    uint64_t visits = 0;
    for (int k = 0; k < found.root_count; k++) visits += found.root[k].visits;
    assert_int_equal(visits, found.playouts);
    bench_close(&b);
}

static void threads_need_a_table(void **state)
{
    (void)state;
    Bench b = bench_open("tictactoe", NULL, 1);
    KnError error;
    KnSearchOptions options = kn_search_options();
    options.threads = 2;
    options.table = KN_TABLE_OFF;
    assert_null(kn_search_new(b.game, b.evaluation, &options, &error));
    assert_non_null(strstr(error.text, "table=on"));
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_one_thread), cmocka_unit_test(budgets_hold_for_all_threads),
        cmocka_unit_test(sampling_finds_and_proves_wins), cmocka_unit_test(proofs_of_threads_meet),
        cmocka_unit_test(threads_share_a_small_tree),     cmocka_unit_test(threads_need_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
