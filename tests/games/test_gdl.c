/* Games from game descriptions, as games: roles and goals, a description against its twin in C, threads, and
 * what happens when rules fail. */
#include "support/check.h"
#include "support/instances.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs/parallel.h"
#include <knack/base.h>
#include "games/gdl/gdl.h"
#include "games/sequential.h"

#define DESCRIPTIONS KNACK_SOURCE_DIR "/data/gdl/"

typedef struct Fixture {
    KnContext *context;
    KnGame *game;
    void *a, *b;
} Fixture;

static void *room(const KnGame *game) { return aligned_alloc(16, (game->position_size + 15) & ~(size_t)15); }

static Fixture open_game(const char *spec)
{
    Fixture f = {test_context(), NULL, NULL, NULL};
    KnError error;
    check_ok(error, kn_game_open(f.context, spec, &f.game, &error));
    f.a = room(f.game);
    f.b = room(f.game);
    f.game->type->start(f.game, f.a);
    return f;
}

static void close_game(Fixture *f)
{
    free(f->a);
    free(f->b);
    kn_game_close(f->game);
    kn_close(f->context);
}

static void play_names(const KnGame *game, void *position, const char *const *names)
{
    KnMove joint[KN_ROLES_MAX];
    KnError error;
    for (int role = 0; role < game->roles; role++)
        check_ok(error, kn_game_parse_move(game, position, role, names[role], &joint[role], &error));
    kn_game_play_joint(game, position, joint);
}

static void test_roles_and_goals(void **state)
{
    (void)state;
    Fixture f = open_game("gdl:" DESCRIPTIONS "nim3.kif");
    assert_int_equal(f.game->roles, 3);
    assert_string_equal(f.game->role_names[1], "bert");
    assert_int_equal(f.game->nature, -1);
    static const char *const takes[][3] = {{"(take two)", "rest", "rest"},
                                           {"rest", "(take two)", "rest"},
                                           {"rest", "rest", "(take two)"},
                                           {"(take two)", "rest", "rest"},
                                           {"rest", "(take one)", "rest"}};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(kn_game_movers(f.game, f.a), 7);
        play_names(f.game, f.a, takes[i]);
    }
    double payoffs[3];
    assert_true(kn_game_over(f.game, f.a));
    f.game->type->payoffs(f.game, f.a, payoffs);
    assert_true(payoffs[0] == 50 && payoffs[1] == 100 && payoffs[2] == 0);
    KnText text = KN_TEXT_EMPTY;
    f.game->type->position_text(f.game, f.a, &text);
    assert_string_equal(text.data, "(heap 0) (turn cora)");
    kn_text_free(&text);
    close_game(&f);
    Fixture dice = open_game("gdl:" DESCRIPTIONS "dice.kif");
    assert_int_equal(dice.game->nature, 1);
    close_game(&dice);
}

/* Breadth-first over the puzzle: solvable in eight hops and no fewer. */
static void test_puzzle(void **state)
{
    (void)state;
    enum { MOST = 4096 };
    Fixture f = open_game("gdl:" DESCRIPTIONS "frogs.kif");
    size_t size = f.game->position_size;
    unsigned char *queue = malloc(MOST * size);
    int depths[MOST] = {0}, count = 1, solved_at = -1, solutions = 0;
    memcpy(queue, f.a, size);
    for (int i = 0; i < count; i++) {
        memcpy(f.a, queue + (size_t)i * size, size);
        KnMove moves[f.game->max_moves];
        int legal = kn_game_moves_of(f.game, f.a, 0, moves);
        if (!legal) {
            double payoff;
            f.game->type->payoffs(f.game, f.a, &payoff);
            if (payoff == 100) solved_at = depths[i], solutions++;
        }
        for (int m = 0; m < legal; m++, count++) {
            assert_true(count < MOST);
            memcpy(f.b, f.a, size);
            kn_game_play_joint(f.game, f.b, &moves[m]);
            memcpy(queue + (size_t)count * size, f.b, size);
            depths[count] = depths[i] + 1;
        }
    }
    assert_int_equal(solved_at, 8);
    assert_int_equal(solutions, 2); /* either side may begin */
    free(queue);
    close_game(&f);
}

/* What the descriptions say of their shortest solutions can be played. */
static void test_solutions(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        int length;
        const char *moves[20];
    } rows[] = {{"gdl:" DESCRIPTIONS "eightpuzzle.kif",
                 20,
                 {"(slide 6)", "(slide 5)", "(slide 7)", "(slide 6)", "(slide 5)", "(slide 3)", "(slide 1)",
                  "(slide 7)", "(slide 2)", "(slide 4)", "(slide 6)", "(slide 5)", "(slide 3)", "(slide 2)",
                  "(slide 4)", "(slide 8)", "(slide 7)", "(slide 4)", "(slide 5)", "(slide 6)"}},
                {"gdl:" DESCRIPTIONS "lightsout.kif",
                 15,
                 {"(press 1 1)", "(press 1 2)", "(press 2 1)", "(press 2 2)", "(press 2 4)", "(press 2 5)",
                  "(press 3 3)", "(press 3 4)", "(press 3 5)", "(press 4 2)", "(press 4 3)", "(press 4 4)",
                  "(press 5 2)", "(press 5 3)", "(press 5 5)"}}};
    for (int i = 0; i < 2; i++) {
        Fixture f = open_game(rows[i].spec);
        for (int m = 0; m < rows[i].length; m++) {
            assert_false(kn_game_over(f.game, f.a));
            play_names(f.game, f.a, &rows[i].moves[m]);
        }
        double payoff;
        assert_true(kn_game_over(f.game, f.a));
        f.game->type->payoffs(f.game, f.a, &payoff);
        assert_true(payoff == 100);
        close_game(&f);
    }
}

static void test_simultaneous(void **state)
{
    (void)state;
    Fixture f = open_game("gdl:" DESCRIPTIONS "roshambo.kif");
    assert_true(f.game->traits & KN_GAME_SIMULTANEOUS);
    static const char *const hands[][2] = {{"rock", "scissors"}, {"rock", "rock"}, {"paper", "scissors"}};
    for (int i = 0; i < 3; i++) play_names(f.game, f.a, hands[i]);
    double payoffs[2];
    assert_true(kn_game_over(f.game, f.a));
    f.game->type->payoffs(f.game, f.a, payoffs);
    assert_true(payoffs[0] == 50 && payoffs[1] == 50);
    close_game(&f);
}

/* ---- The twin in C, through the sequential view ---- */

typedef struct Twins {
    Fixture c, gdl;
    KnGame *view;
    uint64_t leaves, wins[3];
} Twins;

/* The text "(mark c r)" of the C game's "a1". */
static void twin_name(const KnGame *game, const void *position, KnMove move, char *name, size_t size)
{
    KnText text = KN_TEXT_EMPTY;
    game->type->move_text(game, position, move, &text);
    snprintf(name, size, "(mark %d %c)", text.data[0] - 'a' + 1, text.data[1]);
    kn_text_free(&text);
}

static void compare_end(Twins *t, const void *position, const void *twin)
{
    double payoffs[2], twins[2];
    t->c.game->type->payoffs(t->c.game, position, payoffs);
    t->view->type->payoffs(t->view, twin, twins);
    for (int role = 0; role < 2; role++) assert_true(twins[role] == 50 + 50 * payoffs[role]);
    t->wins[1 + (int)payoffs[0]]++;
}

static void compare_twins(Twins *t, const void *position, const void *twin, int depth)
{
    KnMove moves[16], twins[16];
    const KnGameType *type = t->c.game->type;
    int count = type->moves(t->c.game, position, moves);
    assert_int_equal(t->view->type->moves(t->view, twin, twins), count);
    if (!count)
        compare_end(t, position, twin);
    else if (!depth)
        t->leaves++;
    if (!count || !depth) return;
    assert_int_equal(t->view->type->mover(t->view, twin), type->mover(t->c.game, position));
    void *child = room(t->c.game), *other = room(t->view);
    for (int i = 0; i < count; i++) {
        char name[32];
        KnMove move;
        KnError error;
        twin_name(t->c.game, position, moves[i], name, sizeof name);
        check_ok(error,
                 kn_game_parse_move(t->view, twin, t->view->type->mover(t->view, twin), name, &move, &error));
        memcpy(child, position, t->c.game->position_size);
        memcpy(other, twin, t->view->position_size);
        type->play(t->c.game, child, moves[i]);
        t->view->type->play(t->view, other, move);
        compare_twins(t, child, other, depth - 1);
    }
    free(child);
    free(other);
}

static void test_tictactoe_twin(void **state)
{
    (void)state;
    static const uint64_t perft[] = {9, 72, 504, 3024};
    KnError error;
    Twins t = {.c = open_game("tictactoe"), .gdl = open_game("gdl:" DESCRIPTIONS "tictactoe.kif")};
    check_ok(error, kn_game_sequential(t.gdl.game, 0, &t.view, &error));
    void *start = room(t.view);
    t.view->type->start(t.view, start);
    for (int depth = 1; depth <= 4; depth++) {
        t.leaves = 0;
        compare_twins(&t, t.c.a, start, depth);
        assert_true(t.leaves == perft[depth - 1]);
    }
    /* whole games below random positions */
    KnRng rng = kn_rng_seeded(3);
    memset(t.wins, 0, sizeof t.wins);
    for (long i = check_scaled(20); i > 0; i--) {
        t.c.game->type->start(t.c.game, t.c.a);
        t.view->type->start(t.view, start);
        for (int ply = 0; ply < 4; ply++) {
            KnMove moves[9], twins[16];
            char name[32];
            int count = t.c.game->type->moves(t.c.game, t.c.a, moves);
            twins[0] = moves[kn_rng_below(&rng, (uint32_t)count)];
            twin_name(t.c.game, t.c.a, twins[0], name, sizeof name);
            check_ok(error, kn_game_parse_move(t.view, start, t.view->type->mover(t.view, start), name,
                                               &twins[1], &error));
            t.c.game->type->play(t.c.game, t.c.a, twins[0]);
            t.view->type->play(t.view, start, twins[1]);
        }
        compare_twins(&t, t.c.a, start, 9);
    }
    for (int i = 0; i < 3; i++) assert_true(t.wins[i] > 0 || check_scaled(20) < 20);
    free(start);
    kn_game_close(t.view);
    close_game(&t.c);
    close_game(&t.gdl);
}

/* ---- One instance, many threads ---- */

typedef struct Shared {
    const KnGame *game;
    uint64_t results[64];
} Shared;

static KnStatus random_game(void *user, int worker, uint64_t index, KnError *error)
{
    (void)worker, (void)error;
    Shared *shared = user;
    const KnGame *game = shared->game;
    KnRng rng = kn_rng_stream(9, index);
    void *position = room(game);
    uint64_t digest = 0;
    game->type->start(game, position);
    while (kn_game_movers(game, position)) {
        KnMove joint[KN_ROLES_MAX], moves[game->max_moves];
        for (int role = 0; role < game->roles; role++)
            joint[role] = moves[kn_rng_below(&rng, (uint32_t)kn_game_moves_of(game, position, role, moves))];
        kn_game_play_joint(game, position, joint);
        digest = kn_mix64(digest ^ game->type->hash(game, position));
    }
    shared->results[index] = digest;
    free(position);
    return KN_OK;
}

/* The second description counts without end below 200, and has no grounding: numbers are given as facts
 * appear, in whatever order the threads meet them; hashes must not show it. */
static void test_threads_agree(void **state)
{
    (void)state;
    static const char counting[] =
        "(role a) (init (n 0 z)) (mark x) (mark y) (mark z)\n(<= (legal a ?m) (mark ?m))\n"
        "(<= (next (n (s ?x) ?m)) (true (n ?x ?k)) (does a ?m))\n"
        "(<= terminal (true (n (s (s (s (s (s (s (s ?x))))))) ?m)))\n(goal a 50)";
    FILE *file = fopen("counting.kif", "w");
    assert_non_null(file);
    fputs(counting, file);
    fclose(file);
    static const char *const specs[] = {"gdl:" DESCRIPTIONS "dice.kif", "gdl:counting.kif"};
    for (int s = 0; s < 2; s++) {
        KnError error;
        Shared one, many;
        Fixture f = open_game(specs[s]), g = open_game(specs[s]);
        one.game = f.game;
        many.game = g.game;
        check_ok(error, kn_parallel(1, 64, random_game, &one, NULL, &error));
        check_ok(error, kn_parallel(4, 64, random_game, &many, NULL, &error));
        assert_memory_equal(one.results, many.results, sizeof one.results);
        assert_int_equal(kn_gdl_trouble(g.game, &error), KN_OK);
        assert_int_equal(kn_gdl_machine_grounded(kn_game_gdl(g.game)), s == 0);
        close_game(&f);
        close_game(&g);
    }
}

/* ---- Trouble ---- */

static void write_description(const char *rules)
{
    FILE *file = fopen("trouble.kif", "w");
    assert_non_null(file);
    fputs(rules, file);
    fclose(file);
}

static void trouble_is(const char *spec, int plies, const char *part)
{
    Fixture f = open_game(spec);
    KnMove joint[1], moves[f.game->max_moves];
    KnError error;
    for (int ply = 0; ply < plies; ply++) {
        if (!kn_game_movers(f.game, f.a)) fail_msg("over after %d plies, wanted %d", ply, plies);
        kn_game_moves_of(f.game, f.a, 0, moves);
        joint[0] = moves[0];
        kn_game_play_joint(f.game, f.a, joint);
    }
    assert_true(kn_game_over(f.game, f.a));
    double payoff = 1;
    f.game->type->payoffs(f.game, f.a, &payoff);
    assert_true(payoff == 0);
    check_fails(error, KN_INPUT, part, kn_gdl_trouble(f.game, &error));
    check_ok(error, f.game->type->check(f.game, f.a, &error));
    KnText text = KN_TEXT_EMPTY;
    f.game->type->position_text(f.game, f.a, &text);
    check_ok(error, f.game->type->parse_position(f.game, text.data, f.b, &error));
    assert_memory_equal(f.a, f.b, f.game->position_size);
    kn_text_free(&text);
    close_game(&f);
}

static void test_trouble_ends_the_game(void **state)
{
    (void)state;
    write_description("(role a) (init (n 0)) (legal a go) (<= (next (n (s ?x))) (true (n ?x)))");
    trouble_is("gdl(trouble.kif, facts=64)", 64, "more than 64 different facts");
    trouble_is("gdl(trouble.kif, facts=4096)", 199,
               "asking for (next ?0): more terms, or more deeply nested ones");
    write_description("(role a) (p 0) (<= (p (f ?x)) (p ?x)) (<= (legal a ?x) (p ?x))");
    trouble_is("gdl(trouble.kif)", 0, "more deeply nested");
    write_description("(role a) (init q) (legal a go) (<= (next (p ?x)) (true q))");
    trouble_is("gdl(trouble.kif)", 1, "an unsafe rule makes (next (p ?0)) true");
    write_description("(role a) (d 1) (d 2) (d 3) (d 4) (<= (legal a (m ?a ?b)) (d ?a) (d ?b))");
    trouble_is("gdl(trouble.kif, moves=15)", 0, "16 legal moves in one state");
}

/* Rules too costly for the bound: the question fails, and the next one is answered. */
static void test_costly_rules_are_stopped(void **state)
{
    (void)state;
    static const char rules[] =
        "(role a) (role b) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)\n"
        "(<= (p ?a ?b ?c ?d ?e ?f ?g) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g) (never))\n"
        "(<= (legal a x) (p ?a ?b ?c ?d ?e ?f ?g)) (legal b y) (goal a 0)";
    KnGdlDescription *description;
    KnGdlMachine *machine;
    KnError error;
    check_ok(error, kn_gdl_read("costly", rules, sizeof rules - 1, false, &description, &error));
    check_ok(error, kn_gdl_machine_new(
                        description,
                        &(KnGdlLimits){.facts = 64, .moves = 64, .steps = 100000, .reasoner = KN_GDL_PROVER},
                        &machine, &error));
    uint64_t state_bits[64] = {0}, moves[64];
    int count;
    assert_true(kn_gdl_machine_words(machine) <= 64);
    for (int i = 0; i < 3; i++) {
        check_fails(error, KN_INPUT, "costly: asking for (legal a ?0): more steps",
                    kn_gdl_legal(machine, state_bits, 0, moves, &count, &error));
        check_ok(error, kn_gdl_legal(machine, state_bits, 1, moves, &count, &error));
        assert_int_equal(count, 1);
    }
    kn_gdl_machine_free(machine);
}

/* Moves keep their case; a text in another case is understood where there is nothing nearer. */
static void test_moves_keep_their_case(void **state)
{
    (void)state;
    write_description(
        "(role a) (init p) (legal a NOOP) (legal a noop) (legal a (Go 1)) (goal a 0) (<= terminal "
        "(not (true p)))");
    Fixture f = open_game("gdl(trouble.kif)");
    static const char *const texts[][2] = {{"noop", "noop"}, {"NOOP", "NOOP"}, {"(go 1)", "(Go 1)"}};
    KnError error;
    for (int i = 0; i < 3; i++) {
        KnMove move;
        KnText name = KN_TEXT_EMPTY;
        check_ok(error, kn_game_parse_move(f.game, f.a, 0, texts[i][0], &move, &error));
        f.game->type->move_text(f.game, f.a, move, &name);
        assert_string_equal(name.data, texts[i][1]);
        kn_text_free(&name);
    }
    close_game(&f);
}

static void test_texts_are_refused(void **state)
{
    (void)state;
    Fixture f = open_game("gdl:" DESCRIPTIONS "tictactoe.kif");
    KnError error;
    const KnGameType *type = f.game->type;
    check_fails(error, KN_INPUT, "empty text", type->parse_position(f.game, "  ", f.b, &error));
    check_fails(error, KN_INPUT, "not closed", type->parse_position(f.game, "(cell 1 1", f.b, &error));
    check_fails(error, KN_INPUT, "do not have", type->parse_position(f.game, "(cell 1 1 z)", f.b, &error));
    check_fails(error, KN_INPUT, "expected a term",
                type->parse_position(f.game, "(cell 1 1 x) )", f.b, &error));
    check_ok(error, type->parse_position(f.game, " ( control  o )(cell 1 1 x) ", f.b, &error));
    KnText text = KN_TEXT_EMPTY;
    type->position_text(f.game, f.b, &text);
    assert_string_equal(text.data, "(cell 1 1 x) (control o)");
    kn_text_free(&text);
    close_game(&f);
    f = open_game("gdl:" DESCRIPTIONS "nim3.kif"); /* all its facts are known */
    check_fails(error, KN_INPUT, "\"(heap anna)\" is no fact",
                f.game->type->parse_position(f.game, "(heap anna)", f.b, &error));
    close_game(&f);
    KnContext *context = test_context();
    KnGame *game;
    check_fails(error, KN_SYSTEM, "nowhere.kif", kn_game_open(context, "gdl:nowhere.kif", &game, &error));
    check_fails(error, KN_INPUT, "file must be given", kn_game_open(context, "gdl", &game, &error));
    kn_close(context);
}

/* A role whose moves could not be listed, because the reasoner was stopped, has none in a joint move: the
 * game ends there, with either reasoner. */
static void test_missing_moves(void **state)
{
    (void)state;
    static const char *const specs[] = {"gdl(\"" DESCRIPTIONS "tictactoe.kif\", reasoner=prover)",
                                        "gdl:" DESCRIPTIONS "tictactoe.kif"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        Fixture f = open_game(specs[i]);
        kn_game_play_joint(f.game, f.a, (KnMove[]){KN_MOVE_NONE, KN_MOVE_NONE});
        assert_int_equal(kn_game_movers(f.game, f.a), 0);
        close_game(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_moves),
        cmocka_unit_test(test_roles_and_goals),
        cmocka_unit_test(test_puzzle),
        cmocka_unit_test(test_solutions),
        cmocka_unit_test(test_simultaneous),
        cmocka_unit_test(test_tictactoe_twin),
        cmocka_unit_test(test_threads_agree),
        cmocka_unit_test(test_trouble_ends_the_game),
        cmocka_unit_test(test_costly_rules_are_stopped),
        cmocka_unit_test(test_moves_keep_their_case),
        cmocka_unit_test(test_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
