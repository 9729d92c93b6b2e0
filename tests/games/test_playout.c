/* Random playouts: they end by the rules, at their limit or when stopped; nature keeps to its chances. */
#include "support/check.h"
#include "support/instances.h"

#include <math.h>
#include <stdlib.h>

#include "games/playout.h"

typedef struct Bench {
    KnContext *context;
    KnGame *game;
    KnRng rng;
    KnPlayout playout;
    unsigned char *position;
    uint64_t hashes[2000];
} Bench;

static bool count_down(void *user) { return (*(int *)user)-- > 0; }

static Bench *bench_open(const char *spec)
{
    KnError error;
    Bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->context = test_context();
    check_ok(error, kn_game_open(b->context, spec, &b->game, &error));
    size_t width = (size_t)b->game->max_moves;
    b->rng = kn_rng_seeded(7);
    b->position = aligned_alloc(16, (b->game->position_size + 15) & ~(size_t)15);
    b->playout = (KnPlayout){.game = b->game,
                             .rng = &b->rng,
                             .plies = 1000,
                             .moves = malloc(width * sizeof(KnMove)),
                             .chances = malloc(width * sizeof(double)),
                             .hashes = b->hashes};
    b->game->type->start(b->game, b->position);
    return b;
}

static void bench_close(Bench *b)
{
    free(b->playout.moves);
    free(b->playout.chances);
    free(b->position);
    kn_game_close(b->game);
    kn_close(b->context);
    free(b);
}

static void test_runs_to_the_end(void **state)
{
    (void)state;
    static const char *const specs[] = {"tictactoe", "go(size=5)", "dilemma", "gdl:bidding"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        Bench *b = bench_open(specs[i]);
        double payoffs[KN_ROLES_MAX];
        assert_int_equal(kn_playout_run(&b->playout, b->position, payoffs), KN_PLAYOUT_OVER);
        for (int role = 0; role < b->game->roles; role++)
            assert_true(payoffs[role] >= b->game->payoff_low && payoffs[role] <= b->game->payoff_high);
        bench_close(b);
    }
}

static void test_limits(void **state)
{
    (void)state;
    Bench *b = bench_open("othello");
    double payoffs[KN_ROLES_MAX];
    b->playout.plies = 3;
    assert_int_equal(kn_playout_run(&b->playout, b->position, payoffs), KN_PLAYOUT_CUT);
    int left = 5;
    b->playout.plies = 1000, b->playout.allow = count_down, b->playout.user = &left;
    assert_int_equal(kn_playout_run(&b->playout, b->position, payoffs), KN_PLAYOUT_STOPPED);
    assert_int_equal(left, -1);
    bench_close(b);
}

/* A game that ends with the last ply allowed is over, not cut. */
static void test_ends_at_the_limit(void **state)
{
    (void)state;
    Bench *b = bench_open("gdl:roshambo");
    double payoffs[KN_ROLES_MAX];
    b->playout.plies = 0;
    while (kn_playout_run(&b->playout, b->position, payoffs) == KN_PLAYOUT_CUT) {
        b->playout.plies++;
        assert_true(b->playout.plies < 100);
        b->game->type->start(b->game, b->position);
    }
    assert_true(kn_game_over(b->game, b->position));
    bench_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_to_the_end),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_ends_at_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
