/* Selective searches: what each technique does, and solved endgames of Othello inside alpha-beta. */
#include "support/check.h"
#include "support/instances.h"

#include <string.h>

#include "games/othello/endgame.h"
#include "search/alphabeta.h"

typedef struct Bench {
    KnContext *context;
    KnGame *game;
    KnEvaluation *evaluation;
} Bench;

static Bench bench_open(const char *spec)
{
    Bench b = {.context = test_context()};
    KnError error;
    check_ok(error, kn_game_open(b.context, spec, &b.game, &error));
    check_ok(error, kn_evaluation_open(b.context, b.game, NULL, &b.evaluation, &error));
    return b;
}

static void bench_close(Bench *b)
{
    kn_evaluation_close(b->evaluation);
    kn_game_close(b->game);
    kn_close(b->context);
}

/* Ten empty squares. */
static const char *const ending = "O..OOOOX/.OOOOOOX/OOXXOOOX/OOXOOOXX/OOOOOOXX/...OOOOX/.XXXOOOX/XXXXX... X";

static KnSearchResult ask(const Bench *b, const KnSearchOptions *options, KnBudget budget, bool all_values,
                          KnRootMove *rows)
{
    KnError error;
    KnSearchResult found;
    _Alignas(16) unsigned char position[64];
    check_ok(error, kn_game_parse_position(b->game, ending, position, &error));
    KnSearch *search = kn_search_new(b->game, b->evaluation, options, &error);
    assert_non_null(search);
    KnSearchRequest request = {.budget = budget, .all_values = all_values};
    check_ok(error, kn_search_run(search, position, NULL, &request, &found, &error));
    for (int i = 0; rows && i < found.root_count; i++) rows[i] = found.root[i];
    kn_search_free(search);
    return found;
}

static void endgames_are_solved_within_the_budget(void **state)
{
    (void)state;
    Bench b = bench_open("othello(payoff=discs)");
    KnSearchOptions options = kn_search_options();
    options.table_bytes = 1 << 20;
    options.width = KN_SEARCH_AUTO;
    options.solve = 24;
    KnRootMove rows[64];
    KnSearchResult found = ask(&b, &options, (KnBudget){.nodes = 1000000}, false, NULL);
    assert_true(found.has_margin && found.completed);
    assert_int_equal(found.margin, 46);
    assert_int_equal(found.score, kn_othello_score(b.game, 46, 10));
    assert_true(found.nodes < 1000000);
    KnSearchResult all = ask(&b, &options, (KnBudget){.nodes = 1000000}, true, rows);
    assert_true(all.move == found.move && all.score == found.score);
    for (int i = 0; i < all.root_count; i++) {
        assert_int_equal(rows[i].bound, KN_BOUND_EXACT);
        assert_true(rows[i].score <= all.score);
        assert_true(rows[i].move != all.move || rows[i].score == all.score);
    }
    /* Not with few nodes, nor where a depth bounds the search, nor where it is switched off. */
    assert_false(ask(&b, &options, (KnBudget){.nodes = 5000}, false, NULL).has_margin);
    assert_false(ask(&b, &options, (KnBudget){.depth = 3}, false, NULL).has_margin);
    options.solve = 9;
    assert_false(ask(&b, &options, (KnBudget){.nodes = 100000}, false, NULL).has_margin);
    options.solve = 24;
    options.width = KN_SEARCH_FULL;
    assert_false(ask(&b, &options, (KnBudget){.nodes = 100000}, false, NULL).has_margin);
    bench_close(&b);
}

/* A search from the start of the game. */
static KnSearchResult search_start(const Bench *b, const KnSearchOptions *options, KnBudget budget)
{
    KnError error;
    KnSearchResult found;
    KnRng rng = kn_rng_seeded(1);
    _Alignas(16) unsigned char position[256];
    b->game->type->start(b->game, position);
    KnSearch *search = kn_search_new(b->game, b->evaluation, options, &error);
    assert_non_null(search);
    KnSearchRequest request = {.budget = budget, .rng = &rng};
    check_ok(error, kn_search_run(search, position, NULL, &request, &found, &error));
    /* The line is legal to its end. */
    for (int i = 0; i < found.pv_length; i++) {
        KnMove moves[256];
        int count = b->game->type->moves(b->game, position, moves), k = 0;
        while (k < count && moves[k] != found.pv[i]) k++;
        assert_true(k < count);
        b->game->type->play(b->game, position, moves[k]);
    }
    kn_search_free(search);
    return found;
}

static KnSearchOptions selective_options(KnTechniques techniques)
{
    KnSearchOptions options = kn_search_options();
    options.table_bytes = 1 << 20;
    options.width = KN_SEARCH_SELECTIVE;
    options.techniques = techniques;
    return options;
}

/* Without techniques a selective search is one of full width; each of them changes what is searched. */
static void each_technique_does_something(void **state)
{
    (void)state;
    static const struct {
        KnTechniques techniques;
        const char *game;
        int depth;
    } cases[] = {{{.aspiration = true}, "othello", 9}, {{.iid = true}, "othello", 9},
                 {{.etc = true}, "othello", 9},        {{.reduce = true}, "othello", 9},
                 {{.probcut = true}, "othello", 9},    {{.futility = true}, "othello", 9},
                 {{.singular = true}, "othello", 9},   {{.continuation = true}, "othello", 9},
                 {{.captures = true}, "morris", 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Bench b = bench_open(cases[i].game);
        KnBudget budget = {.depth = cases[i].depth};
        KnSearchOptions none = selective_options((KnTechniques){0}), full = none,
                        one = selective_options(cases[i].techniques);
        full.width = KN_SEARCH_FULL;
        uint64_t nodes = search_start(&b, &none, budget).nodes;
        assert_true(search_start(&b, &full, budget).nodes == nodes);
        uint64_t changed = search_start(&b, &one, budget).nodes;
        assert_true(changed != nodes);
        assert_true(search_start(&b, &one, budget).nodes == changed); /* repeatable */
        if (cases[i].techniques.futility || cases[i].techniques.reduce) assert_true(changed < nodes);
        bench_close(&b);
    }
}

/* Cuts rest on evaluations, never on proved values: what a selective search proves is so. */
static void proofs_are_proofs(void **state)
{
    (void)state;
    Bench b = bench_open("tictactoe(lose)");
    KnSearchOptions options = kn_search_options();
    options.width = KN_SEARCH_SELECTIVE;
    KnSearchResult found = search_start(&b, &options, (KnBudget){.nodes = 1000000});
    assert_int_equal(found.score, 0);
    assert_true(found.completed);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(endgames_are_solved_within_the_budget),
                                       cmocka_unit_test(each_technique_does_something),
                                       cmocka_unit_test(proofs_are_proofs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
