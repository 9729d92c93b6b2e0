/* Variable depth against a short reference implementation; minimax with iterative deepening; whole trees. */
#include "support/check.h"
#include "support/instances.h"
#include "support/toy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "games/sequential.h"
#include "search/alphabeta.h"
#include "search/minimax.h"

enum { PLIES = 40, MOVES = 64 };

/* The pseudocode of Genesereth and Thielscher (2014), where lexpfun means "not expfun". */
typedef struct Plain {
    const KnGame *game;
    const KnEvaluation *evaluation, *expansion;
    double change;
    int extra, viewpoint;
    int movers[PLIES];
    double restless[PLIES];
} Plain;

static KnScore plain(Plain *p, const void *position, int ply, int depth, int beyond)
{
    const KnGame *game = p->game;
    KnMove moves[MOVES];
    int count = game->type->moves(game, position, moves);
    if (!count) {
        double payoffs[KN_ROLES_MAX];
        game->type->payoffs(game, position, payoffs);
        return kn_score_of_payoff(game, payoffs[p->viewpoint], ply);
    }
    int mover = p->movers[ply] = game->type->mover(game, position);
    p->restless[ply] = kn_percent_of_score(p->expansion, kn_evaluate_for(p->expansion, position, mover));
    if (depth == 0) {
        int before = ply - 1;
        while (before >= 0 && p->movers[before] != mover) before--;
        bool expand = beyond < p->extra && before >= 0 &&
                      fabs(p->restless[ply] - p->restless[before]) >= p->change;
        if (!expand) return kn_evaluate_for(p->evaluation, position, p->viewpoint);
        beyond++;
        depth++;
    }
    KnScore best = mover == p->viewpoint ? -KN_SCORE_INFINITE : KN_SCORE_INFINITE;
    for (int i = 0; i < count; i++) {
        unsigned char next[game->position_size] __attribute__((aligned(16)));
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        KnScore score = plain(p, next, ply + 1, depth - 1, beyond);
        if (mover == p->viewpoint ? score > best : score < best) best = score;
    }
    return best;
}

static void compare(const KnGame *owner, const KnGame *searched, const char *eval, const char *expand,
                    double change)
{
    KnError error;
    KnEvaluation *evaluation, *expansion;
    check_ok(error, kn_evaluation_open_text(owner->context, owner, eval, &evaluation, &error));
    check_ok(error, kn_evaluation_open_text(owner->context, owner, expand, &expansion, &error));
    check_ok(error, kn_evaluation_prepare(evaluation, 0, &error));
    check_ok(error, kn_evaluation_prepare(expansion, 0, &error));
    KnSearchOptions options = kn_search_options();
    options.table = KN_TABLE_OFF;
    options.quiescence = false;
    options.deepening = false;
    options.expansion = expansion;
    options.change = change;
    options.extra = 3;
    KnSearch *search = kn_search_new(searched, evaluation, &options, &error);
    assert_non_null(search);
    Plain p = {searched, evaluation, expansion, change, 3, 0, {0}, {0}};
    KnRng rng = kn_rng_seeded(11);
    unsigned char at[searched->position_size] __attribute__((aligned(16)));
    uint64_t extended = 0;
    for (long game = check_scaled(20); game > 0; game--) {
        KnMove moves[MOVES];
        int count;
        memset(at, 0, sizeof at);
        searched->type->start(searched, at);
        while ((count = searched->type->moves(searched, at, moves)) > 0) {
            KnSearchResult result;
            KnSearchRequest request = {.budget = {.depth = 2}};
            if (kn_rng_below(&rng, 4) == 0) {
                check_ok(error, kn_search_run(search, at, NULL, &request, &result, &error));
                p.viewpoint = searched->type->mover(searched, at);
                assert_int_equal(result.score, plain(&p, at, 0, 2, 0));
                assert_true(result.deepest <= 2 + 3 && (result.extended > 0) == (result.deepest > 2));
                extended += result.extended;
            }
            searched->type->play(searched, at, moves[kn_rng_below(&rng, (uint32_t)count)]);
        }
    }
    assert_true(extended > 0);
    kn_search_free(search);
    kn_evaluation_close(evaluation);
    kn_evaluation_close(expansion);
}

static KnContext *context_with_everything(void)
{
    KnError error;
    KnContext *context = test_context();
    check_ok(error, kn_evaluations_register(context, &error));
    check_ok(error, kn_register(context, KN_KIND_GAME, &test_toy.head, &error));
    return context;
}

static void variable_depth_is_what_the_lesson_writes(void **state)
{
    (void)state;
    KnContext *context = context_with_everything();
    static const struct {
        const char *game, *eval, *expand;
        double change;
    } cases[] = {
        {"tictactoe", "mobility", "proximity", 5},
        {"tictactoe", "lines", "lines", 10},
        {"othello(size=4, empties=nobody, payoff=discs)", "blend(mobility, focus(who=others, steps=1))",
         "mobility", 3},
        {"toy", "mobility(who=both)", "mobility", 20},
        {"toy(roles=3, payoffs=5)", "mobility", "mobility", 10},
        {"toy(roles=1, width=6)", "mobility", "focus", 10},
        {"gdl:nim3", "mobility", "mobility", 5},
        {"gdl:roshambo", "goal(who=both)", "goal", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnError error;
        KnGame *game, *view = NULL;
        check_ok(error, kn_game_open(context, cases[i].game, &game, &error));
        if (game->traits & KN_GAME_SIMULTANEOUS) check_ok(error, kn_game_sequential(game, 0, &view, &error));
        compare(game, view ? view : game, cases[i].eval, cases[i].expand, cases[i].change);
        kn_game_close(view);
        kn_game_close(game);
    }
    kn_close(context);
}

/* The value depends on the path to a position, so exact use of a transposition table is an error. */
static void an_exact_table_is_refused(void **state)
{
    (void)state;
    KnContext *context = context_with_everything();
    KnError error;
    KnGame *game;
    KnEvaluation *mobility;
    check_ok(error, kn_game_open(context, "tictactoe", &game, &error));
    check_ok(error, kn_evaluation_open_text(context, game, "mobility", &mobility, &error));
    KnSearchOptions options = kn_search_options();
    options.table = KN_TABLE_EXACT;
    options.expansion = mobility;
    assert_null(kn_search_new(game, mobility, &options, &error));
    assert_non_null(strstr(error.text, "table=on"));
    kn_evaluation_close(mobility);
    kn_game_close(game);
    kn_close(context);
}

/* Iterative deepening finds the same value as one search to the reached depth, and stops at the nearest win.
 */
static void deepening_is_minimax(void **state)
{
    (void)state;
    KnContext *context = context_with_everything();
    KnError error;
    KnGame *game;
    KnEvaluation *lowest;
    check_ok(error, kn_game_open(context, "tictactoe", &game, &error));
    check_ok(error, kn_evaluation_open_text(context, game, "lowest", &lowest, &error));
    KnMinimax *once = kn_minimax_new(game, lowest, false, &error),
              *deepening = kn_minimax_new(game, lowest, false, &error);
    kn_minimax_deepen(deepening, true);
    unsigned char at[game->position_size] __attribute__((aligned(16)));
    static const char *const boards[] = {"x../.../..o x", "xo./.../... x", "x../oo./x.. x", "xox/.o./... x",
                                         "x.o/.x./..o x"};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        check_ok(error, game->type->parse_position(game, boards[i], at, &error));
        for (uint64_t nodes = 10; nodes < 50000; nodes *= 3) {
            KnSearchResult a, b;
            check_ok(error, kn_minimax_run(deepening, at, NULL,
                                           &(KnSearchRequest){.budget = {.nodes = nodes}}, &a, &error));
            assert_true(a.nodes <= nodes);
            if (!a.depth) continue;
            check_ok(error, kn_minimax_run(once, at, NULL, &(KnSearchRequest){.budget = {.depth = a.depth}},
                                           &b, &error));
            assert_int_equal(a.score, b.score);
            for (int k = 0; k < a.root_count; k++) assert_int_equal(a.root[k].score, b.root[k].score);
            if (a.score > KN_SCORE_PROVEN) assert_true(a.completed && KN_SCORE_WIN - a.score == a.depth);
        }
    }
    /* At the horizon the value is the worst payoff for the searching role, not for the mover: if all lines
     * are cut off, all moves are equal. */
    game->type->start(game, at);
    KnSearchResult result;
    check_ok(error,
             kn_minimax_run(once, at, NULL, &(KnSearchRequest){.budget = {.depth = 3}}, &result, &error));
    assert_int_equal(result.score, -KN_SCORE_PAYOFF);
    KnSearchOptions options = kn_search_options();
    KnSearch *search = kn_search_new(game, lowest, &options, &error);
    for (int depth = 1; depth <= 4; depth++) {
        check_ok(error, kn_search_run(search, at, NULL, &(KnSearchRequest){.budget = {.depth = depth}},
                                      &result, &error));
        assert_int_equal(result.score, -KN_SCORE_PAYOFF);
    }
    kn_search_free(search);
    /* Without a depth limit the whole tree is searched: tic-tac-toe is a draw. */
    check_ok(error, game->type->parse_position(game, "x../.o./... x", at, &error));
    check_ok(error, kn_minimax_run(once, at, NULL, &(KnSearchRequest){0}, &result, &error));
    assert_int_equal(result.score, 0);
    assert_int_equal(result.depth, 7);
    kn_minimax_free(once);
    kn_minimax_free(deepening);
    kn_evaluation_close(lowest);
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(variable_depth_is_what_the_lesson_writes),
                                       cmocka_unit_test(an_exact_table_is_refused),
                                       cmocka_unit_test(deepening_is_minimax)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
