/* The alternating view: who decides when, what is filled in, and that it ends where the inner game ends. */
#include "support/check.h"
#include "support/instances.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/sequential.h"

typedef struct Fixture {
    KnContext *context;
    KnGame *inner, *view;
    void *a, *b;
} Fixture;

static void *room(const KnGame *game) { return aligned_alloc(16, (game->position_size + 15) & ~(size_t)15); }

static Fixture open_view(const char *spec, int viewpoint)
{
    Fixture f = {test_context(), NULL, NULL, NULL, NULL};
    KnError error;
    check_ok(error, kn_game_open(f.context, spec, &f.inner, &error));
    check_ok(error, kn_game_sequential(f.inner, viewpoint, &f.view, &error));
    f.a = room(f.view);
    f.b = room(f.view);
    f.view->type->start(f.view, f.a);
    return f;
}

static void close_view(Fixture *f)
{
    free(f->a);
    free(f->b);
    kn_game_close(f->view);
    kn_game_close(f->inner);
    kn_close(f->context);
}

static void play_name(const KnGame *view, void *position, int role, const char *name)
{
    KnMove move;
    KnError error;
    assert_int_equal(view->type->mover(view, position), role);
    check_ok(error, kn_game_parse_move(view, position, role, name, &move, &error));
    view->type->play(view, position, move);
}

static void text_is(const KnGame *game, const void *position, const char *wanted)
{
    KnText text = KN_TEXT_EMPTY;
    game->type->position_text(game, position, &text);
    assert_string_equal(text.data, wanted);
    kn_text_free(&text);
}

/* The inner position, and who has chosen what. */
static void drawing_ends(const Fixture *f, const char *wanted)
{
    KnText text = KN_TEXT_EMPTY, inner = KN_TEXT_EMPTY;
    f->view->type->draw(f->view, f->a, false, &text);
    f->inner->type->draw(f->inner, f->a, false, &inner);
    assert_true(strncmp(text.data, inner.data, inner.length) == 0);
    assert_string_equal(text.data + inner.length, wanted);
    kn_text_free(&text);
    kn_text_free(&inner);
}

static void test_viewpoint_decides_first(void **state)
{
    (void)state;
    for (int viewpoint = 0; viewpoint < 2; viewpoint++) {
        Fixture f = open_view("dilemma(turns=2)", viewpoint);
        assert_false(f.view->traits & KN_GAME_SIMULTANEOUS);
        play_name(f.view, f.a, viewpoint, "D");
        text_is(f.view, f.a, "\"D\" 0 - 0,0");
        drawing_ends(&f, viewpoint ? "column has chosen D\n" : "row has chosen D\n");
        play_name(f.view, f.a, 1 - viewpoint, "C");
        text_is(f.view, f.a, viewpoint ? "1 C,D 0,5" : "1 D,C 5,0");
        play_name(f.view, f.a, viewpoint, "C");
        play_name(f.view, f.a, 1 - viewpoint, "C");
        KnMove moves[2];
        double payoffs[2];
        assert_int_equal(f.view->type->moves(f.view, f.a, moves), 0);
        assert_int_equal(f.view->type->mover(f.view, f.a), -1);
        f.view->type->payoffs(f.view, f.a, payoffs);
        assert_true(payoffs[viewpoint] == 8 && payoffs[1 - viewpoint] == 3);
        close_view(&f);
    }
}

/* Nature decides last, and in the last round, when it can only stop, not at all. */
static void test_forced_roles_cost_no_ply(void **state)
{
    (void)state;
    Fixture f = open_view("dilemma(turns=2, continue=0.5)", 1);
    play_name(f.view, f.a, 1, "C");
    play_name(f.view, f.a, 0, "D");
    KnMove moves[2];
    double chances[2];
    assert_int_equal(f.view->type->moves(f.view, f.a, moves), 2);
    f.view->type->chances(f.view, f.a, moves, 2, chances);
    assert_true(chances[0] == 0.5);
    play_name(f.view, f.a, 2, "go");
    play_name(f.view, f.a, 1, "C");
    play_name(f.view, f.a, 0, "C");
    text_is(f.view, f.a, "2 C,C 8,3 stopped");
    close_view(&f);
}

/* A role with one action never decides; if nobody has a choice, the viewpoint's only move is the ply. */
static void test_all_forced_is_one_ply(void **state)
{
    (void)state;
    Fixture f = open_view("matrix(\"1,1 2,2\", actions=\"only/a,b\", turns=3)", 0);
    play_name(f.view, f.a, 1, "b");
    play_name(f.view, f.a, 1, "a");
    text_is(f.view, f.a, "2 only,a 3,3");
    close_view(&f);
    f = open_view("matrix(\"1,2\", turns=2)", 1);
    for (int round = 0; round < 2; round++) {
        KnMove moves[2];
        assert_int_equal(f.view->type->moves(f.view, f.a, moves), 1);
        play_name(f.view, f.a, 1, "1");
    }
    text_is(f.view, f.a, "2 1,1 2,4");
    close_view(&f);
}

static uint64_t view_perft(const KnGame *view, const void *position, int depth)
{
    KnMove moves[view->max_moves];
    int count = view->type->moves(view, position, moves);
    if (depth == 1) return (uint64_t)count;
    uint64_t nodes = 0;
    void *child = room(view);
    for (int i = 0; i < count; i++) {
        memcpy(child, position, view->position_size);
        view->type->play(view, child, moves[i]);
        nodes += view_perft(view, child, depth - 1);
    }
    free(child);
    return nodes;
}

static void test_alternating_games_pass_through(void **state)
{
    (void)state;
    Fixture f = open_view("tictactoe", 1);
    static const uint64_t known[] = {9, 72, 504, 3024, 15120};
    for (int depth = 1; depth <= 5; depth++) assert_true(view_perft(f.view, f.a, depth) == known[depth - 1]);
    assert_int_equal(f.view->type->mover(f.view, f.a), 0);
    void *start = room(f.inner);
    f.inner->type->start(f.inner, start);
    assert_true(f.view->type->hash(f.view, f.a) == f.inner->type->hash(f.inner, start));
    assert_memory_equal(f.a, start, f.inner->position_size);
    assert_ptr_equal(kn_sequential_inner(f.view), f.inner);
    free(start);
    close_view(&f);
}

/* Random play in view and inner game side by side: the same positions, texts that read back, bytes that pass
 * the check. */
static void walk_both(const char *spec, int viewpoint)
{
    Fixture f = open_view(spec, viewpoint);
    KnRng rng = kn_rng_seeded(5);
    KnMove joint[KN_ROLES_MAX], moves[f.view->max_moves];
    void *inner = room(f.inner);
    KnText text = KN_TEXT_EMPTY;
    KnError error;
    f.inner->type->start(f.inner, inner);
    for (;;) {
        kn_sequential_enter(f.view, inner, f.b);
        assert_memory_equal(f.a, f.b, f.view->position_size);
        uint32_t movers = kn_game_movers(f.inner, inner);
        if (!movers) break;
        for (int role = 0; role < f.inner->roles; role++) {
            int count = kn_game_moves_of(f.inner, inner, role, moves);
            joint[role] = count ? moves[kn_rng_below(&rng, (uint32_t)count)] : KN_MOVE_NONE;
        }
        int plies = 0;
        do {
            kn_text_clear(&text);
            f.view->type->position_text(f.view, f.a, &text);
            memset(f.b, 0xA5, f.view->position_size);
            check_ok(error, f.view->type->parse_position(f.view, text.data, f.b, &error));
            assert_memory_equal(f.a, f.b, f.view->position_size);
            check_ok(error, f.view->type->check(f.view, f.a, &error));
            f.view->type->play(f.view, f.a, joint[f.view->type->mover(f.view, f.a)]);
            plies++;
        } while (plies <= f.view->roles && memcmp(f.a, inner, f.inner->position_size) == 0);
        kn_game_play_joint(f.inner, inner, joint);
    }
    assert_int_equal(f.view->type->moves(f.view, f.a, moves), 0);
    kn_text_free(&text);
    free(inner);
    close_view(&f);
}

static void test_view_keeps_step(void **state)
{
    (void)state;
    walk_both("dilemma(turns=30)", 1);
    walk_both("dilemma(turns=60, continue=0.97)", 0);
    walk_both("matrix(\"2,1 0,0 7,-.5; 0,0 1,2 0,0\", actions=\"a,b/x,y,z\", turns=20)", 0);
    walk_both(
        "matrix(\"0,0,0 1,2,3 4,5,6 7,8,9; 10,11,12 13,14,15 16,17,18 19,20,21\", turns=20, continue=0.9)",
        2);
    walk_both("tictactoe", 0);
}

static void test_bad_requests_are_refused(void **state)
{
    (void)state;
    Fixture f = open_view("dilemma(turns=1)", 0);
    KnGame *view;
    KnError error;
    check_fails(error, KN_USAGE, "no role 2", kn_game_sequential(f.inner, 2, &view, &error));
    assert_null(view);
    const KnGameType *type = f.view->type;
    check_fails(error, KN_INPUT, "no legal move", type->parse_position(f.view, "\"X\" 0 - 0,0", f.a, &error));
    check_fails(error, KN_INPUT, "not closed", type->parse_position(f.view, "\"C 0 - 0,0", f.a, &error));
    check_fails(error, KN_INPUT, "last choice",
                type->parse_position(f.view, "\"C\" \"D\" 0 - 0,0", f.a, &error));
    check_fails(error, KN_INPUT, "over", type->parse_position(f.view, "\"C\" 1 C,C 3,3", f.a, &error));
    close_view(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_viewpoint_decides_first), cmocka_unit_test(test_forced_roles_cost_no_ply),
        cmocka_unit_test(test_all_forced_is_one_ply),   cmocka_unit_test(test_alternating_games_pass_through),
        cmocka_unit_test(test_view_keeps_step),         cmocka_unit_test(test_bad_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
