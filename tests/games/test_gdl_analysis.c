/* What analysis finds: known answers on descriptions made for it and on the project's, and nothing called
 * proved that random games refute. */
#include "support/check.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include <knack/base.h>
#include "games/gdl/analysis.h"
#include "games/gdl/propnet_reasoner.h"
#include "games/gdl/gdl.h"

#define DESCRIPTIONS KNACK_SOURCE_DIR "/data/gdl"

typedef struct Fixture {
    KnGdlMachine *machine;
    KnGdlAnalysis *analysis;
    KnTerms terms;
    KnTerm *facts, *moves;
} Fixture;

static void analyse(Fixture *f, KnGdlDescription *description)
{
    KnError error;
    check_ok(error, kn_gdl_machine_new(
                        description, &(KnGdlLimits){.facts = 4096, .moves = 4096, .reasoner = KN_GDL_PROPNET},
                        &f->machine, &error));
    check_ok(error, kn_gdl_analyse(f->machine, &f->analysis, &error));
    check_ok(error, kn_gdl_machine_terms(f->machine, &f->terms, &f->facts, &f->moves, &error));
}

static Fixture of_text(const char *rules)
{
    Fixture f;
    KnError error;
    KnGdlDescription *description;
    check_ok(error, kn_gdl_read("description", rules, strlen(rules), false, &description, &error));
    analyse(&f, description);
    return f;
}

static Fixture of_description(const char *name)
{
    Fixture f;
    KnError error;
    KnGdlDescription *description;
    check_ok(error, kn_gdl_read_file(name, false, &description, &error));
    analyse(&f, description);
    return f;
}

static void drop(Fixture *f)
{
    kn_gdl_analysis_free(f->analysis);
    kn_gdl_machine_free(f->machine);
    kn_terms_free(&f->terms);
    free(f->facts);
    free(f->moves);
}

/* The number of a fact by its text. */
static uint32_t fact(const Fixture *f, const char *name)
{
    for (uint32_t i = 0; i < f->analysis->facts; i++) {
        KnText text = KN_TEXT_EMPTY;
        kn_term_text(&kn_gdl_machine_description(f->machine)->symbols, &f->terms, f->facts[i], &text);
        bool same = strcmp(text.data, name) == 0;
        kn_text_free(&text);
        if (same) return i;
    }
    fail_msg("no fact %s", name);
    return 0;
}

static uint32_t latches(const Fixture *f, uint8_t which)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->analysis->facts; i++) count += (f->analysis->latches[i] & which) > 0;
    return count;
}

static void test_tictactoe(void **state)
{
    (void)state;
    Fixture f = of_description("tictactoe");
    const KnGdlAnalysis *a = f.analysis;
    assert_int_equal(a->turns, KN_GDL_PROVED);
    const KnGdlGroup *turn = &a->groups[a->turn_group];
    assert_int_equal(turn->count, 2);
    assert_true(turn->exact && turn->clock);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(a->turn_movers[i], turn->facts[i] == fact(&f, "(control o)"));
    assert_int_equal(a->group_count, 10); /* who has the move, and nine places */
    for (uint32_t g = 0; g < a->group_count; g++) assert_true(a->groups[g].exact);
    assert_int_equal(latches(&f, KN_GDL_STAYS_TRUE), 18);
    assert_int_equal(latches(&f, KN_GDL_STAYS_FALSE), 9);
    assert_true(a->latches[fact(&f, "(cell 2 2 x)")] == KN_GDL_STAYS_TRUE &&
                a->latches[fact(&f, "(cell 2 2 free)")] == KN_GDL_STAYS_FALSE);
    assert_true(a->opposed[0][1] >= KN_GDL_OBSERVED && a->sums[0][1] == 100 &&
                a->allied[0][1] == KN_GDL_DENIED);
    assert_true(a->symmetric_to[0] == 0 && a->symmetric_to[1] == 0);
    assert_int_equal(a->rising[0], KN_GDL_DENIED); /* 50 while nobody has won */
    assert_int_equal(a->parts, 1);
    assert_int_equal(a->boards.count, 1);
    assert_true(a->boards.list[0].columns == 3 && a->boards.list[0].rows == 3 &&
                a->boards.list[0].content_count == 3);
    drop(&f);
}

static void test_control(void **state)
{
    (void)state;
    static const struct {
        const char *rules;
        KnGdlProof turns;
    } rows[] = {
        /* by a phase that is no role; three in a circle; at the same time */
        {"(role a)(role b)(init (phase red))(d 1)(d 2)(<= (next (phase blue)) (true (phase red)))(<= (next "
         "(phase red)) (true (phase blue)))"
         "(<= (legal a (m ?x)) (true (phase red)) (d ?x))(<= (legal a wait) (true (phase blue)))"
         "(<= (legal b (m ?x)) (true (phase blue)) (d ?x))(<= (legal b wait) (true (phase red)))",
         KN_GDL_PROVED},
        {"(role a)(role b)(init (phase red))(d 1)(d 2)(<= (next (phase red)) (true (phase red)))(<= (legal "
         "?r (m ?x)) (role ?r) (d ?x))",
         KN_GDL_DENIED},
        {"(role a)(role b)(init (phase red))(d 1)(d 2)(<= (next (phase red)) (true (phase red)))(<= (legal a "
         "(m ?x)) (d ?x))(legal b wait)",
         KN_GDL_OBSERVED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Fixture f = of_text(rows[i].rules);
        if (f.analysis->turns != rows[i].turns)
            fail_msg("%s\n%s", kn_gdl_proof_name(f.analysis->turns), rows[i].rules);
        drop(&f);
    }
    Fixture f = of_description("nim3");
    assert_true(f.analysis->turns == KN_GDL_PROVED && f.analysis->groups[f.analysis->turn_group].count == 3);
    drop(&f);
}

/* Goals that are proved to be opposed, or equal, or to rise: they follow from the form of the rules. */
static void test_goals(void **state)
{
    (void)state;
    Fixture f = of_text(
        "(role a)(role b)(role c)(init (n 0))(s 0 1)(s 1 2)(s 2 3)(legal ?r m)(legal a k)"
        "(<= (next (n ?y)) (true (n ?x)) (s ?x ?y))(<= (next won) (does a k))(<= (next won) (true won))"
        "(<= terminal (true (n 3)))(<= (goal a 100) (true won))(<= (goal a 0) (not (true won)))"
        "(<= (goal b 0) (true won))(<= (goal b 100) (not (true won)))(<= (goal c 60) (true won))(<= (goal c "
        "20) (not (true won)))");
    const KnGdlAnalysis *a = f.analysis;
    assert_true(a->opposed[0][1] == KN_GDL_PROVED && a->sums[0][1] == 100 &&
                a->opposed[1][0] == KN_GDL_PROVED);
    assert_int_equal(a->opposed[0][2], KN_GDL_DENIED);
    assert_int_equal(a->allied[0][1], KN_GDL_DENIED);
    assert_int_equal(a->rising[0], KN_GDL_PROVED);
    assert_int_equal(a->rising[1], KN_GDL_DENIED);
    assert_int_equal(a->rising[2], KN_GDL_PROVED);
    assert_true(a->symmetric_to[1] == 1 && a->symmetric_to[2] == 2); /* nobody is like another */
    assert_int_equal(a->latches[fact(&f, "won")], KN_GDL_STAYS_TRUE);
    drop(&f);
    f = of_text("(role a)(role b)(init (n 0))(legal ?r m)(legal ?r k)(<= (next (n 1)) (does a k) (does b "
                "k))(<= (next (n 2)) (not (both)))"
                "(<= (both) (does a k) (does b k))(<= terminal (true (n 1)))(<= terminal (true (n 2)))"
                "(<= (goal ?r 90) (role ?r) (true (n 1)))(<= (goal ?r 10) (role ?r) (not (true (n 1))))");
    assert_int_equal(f.analysis->allied[0][1], KN_GDL_PROVED);
    assert_int_equal(f.analysis->symmetric_to[1], 0);
    drop(&f);
}

/* Two games side by side, with a move in one of them at each turn; and the same with a bond between them. */
static void test_parts(void **state)
{
    (void)state;
#define LAMPS                                                                                                \
    "(role a)(init (step 0))(n 0 1)(n 1 2)(n 2 3)(n 3 4)(l 1)(l 2)(l 3)(g x)(g y)(<= (legal a (press ?g "    \
    "?i)) (g ?g) (l ?i))"                                                                                    \
    "(<= (next (step ?j)) (true (step ?i)) (n ?i ?j))(<= (pressed ?g ?i) (does a (press ?g ?i)))"            \
    "(<= (next (on ?g ?i)) (pressed ?g ?i) (not (true (on ?g ?i))))(<= (next (on ?g ?i)) (true (on ?g ?i)) " \
    "(not (pressed ?g ?i)))"                                                                                 \
    "(<= (lit ?g) (true (on ?g 1)) (true (on ?g 2)) (true (on ?g 3)))(<= terminal (true (step 4)))"          \
    "(<= (goal a 100) (lit x) (lit y))(<= (goal a 50) (lit x) (not (lit y)))(<= (goal a 0) (not (lit x)))"
    Fixture f = of_text(LAMPS);
    const KnGdlAnalysis *a = f.analysis;
    assert_int_equal(a->parts, 2);
    assert_int_equal(a->part_of_fact[fact(&f, "(step 2)")], KN_GDL_NO_PART); /* a clock */
    assert_int_equal(a->part_of_fact[fact(&f, "(on x 1)")], a->part_of_fact[fact(&f, "(on x 3)")]);
    assert_int_not_equal(a->part_of_fact[fact(&f, "(on x 1)")], a->part_of_fact[fact(&f, "(on y 1)")]);
    uint32_t actions[2] = {0};
    for (uint32_t i = 0; i < a->actions; i++) actions[a->part_of_action[i]]++;
    assert_true(actions[0] == 3 && actions[1] == 3);
    drop(&f);
    f = of_text(LAMPS "(<= (next (on y 1)) (pressed x 1))");
    assert_int_equal(f.analysis->parts, 1);
    drop(&f);
}

static void test_boards(void **state)
{
    (void)state;
    static const struct {
        const char *description, *relation;
        int columns, rows;
    } rows[] = {{"connectfour", "disc", 7, 6}, {"breakthrough", "man", 8, 8}, {"othello", "disc", 8, 8},
                {"lightsout", "lit", 5, 5},    {"frogs", "stone", 5, 1},      {"hex5", "free", 5, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Fixture f = of_description(rows[i].description);
        assert_true(f.analysis->boards.count > 0);
        const KnGdlBoard *board = &f.analysis->boards.list[0];
        if (strcmp(board->name, rows[i].relation) != 0 || board->columns != rows[i].columns ||
            board->rows != rows[i].rows)
            fail_msg("%s: %s, %d x %d", rows[i].description, board->name, board->columns, board->rows);
        drop(&f);
    }
    /* coordinates with scrambled names, in the order of the relation that leads from one to the next; a place
     * that is missing */
    Fixture f = of_text("(role r)(after zed ant)(after ant mop)(init (at zed zed king))(init (at mop ant "
                        "pawn))(init (at ant ant blank))(init (at zed mop blank))"
                        "(init (at zed ant blank))(init (at ant zed blank))(init (at mop zed blank))(init "
                        "(at ant mop blank))(legal r m)(<= (next ?f) (true ?f))");
    KnText text = KN_TEXT_EMPTY;
    uint64_t start[4];
    KnError error;
    check_ok(error, kn_gdl_start(f.machine, start, &error));
    assert_int_equal(f.analysis->boards.count, 1);
    kn_gdl_board_draw(&f.analysis->boards.list[0], start, false, &text);
    assert_string_equal(text.data, "mop   .   .    \n"
                                   "ant   .   .   p\n"
                                   "zed   k   .   .\n"
                                   "    zed ant mop\n"
                                   "k king, p pawn\n");
    kn_text_free(&text);
    drop(&f);
}

/* A game draws its board, and what the board does not show as facts. */
static void test_drawing(void **state)
{
    (void)state;
    KnContext *context;
    KnGame *game;
    KnError error;
    KnText text = KN_TEXT_EMPTY;
    check_ok(error, kn_open(NULL, &context, &error));
    check_ok(error, kn_game_open(context, "gdl:tictactoe", &game, &error));
    void *position = calloc(1, game->position_size);
    check_ok(error, game->type->parse_position(game,
                                               "(cell 1 1 x) (cell 1 2 free) (cell 1 3 free) (cell 2 1 free) "
                                               "(cell 2 2 o) (cell 2 3 free) (cell 3 1 free)"
                                               " (cell 3 2 free) (cell 3 3 free) (control x)",
                                               position, &error));
    game->type->draw(game, position, false, &text);
    assert_string_equal(text.data, "3 . . .\n2 . o .\n1 x . .\n  1 2 3\n(control x)\n");
    assert_non_null(kn_game_analysis(game));
    kn_text_free(&text);
    free(position);
    kn_game_close(game);
    kn_close(context);
}

/* ---- Nothing proved is refuted ---- */

static void check_state(const Fixture *f, const char *name, const uint64_t *before, const uint64_t *now,
                        int *goals)
{
    const KnGdlAnalysis *a = f->analysis;
    KnError error;
    for (uint32_t g = 0; g < a->group_count; g++) {
        uint32_t holding = 0;
        for (uint32_t i = 0; i < a->groups[g].count; i++)
            holding += (uint32_t)(now[a->groups[g].facts[i] / 64] >> a->groups[g].facts[i] % 64 & 1);
        if (holding > 1 || (a->groups[g].exact && !holding))
            fail_msg("%s: %u facts of group %u are true", name, holding, g);
    }
    for (uint32_t i = 0; i < a->facts && before; i++) {
        bool was = before[i / 64] >> i % 64 & 1, is = now[i / 64] >> i % 64 & 1;
        if (was && !is && a->latches[i] & KN_GDL_STAYS_TRUE)
            fail_msg("%s: fact %u does not stay true", name, i);
        if (!was && is && a->latches[i] & KN_GDL_STAYS_FALSE)
            fail_msg("%s: fact %u does not stay false", name, i);
    }
    for (int r = 0; r < a->roles; r++) {
        int value;
        check_ok(error, kn_gdl_goal(f->machine, now, r, &value, &error));
        if (value >= 0 && value < goals[r] && a->rising[r] == KN_GDL_PROVED)
            fail_msg("%s: the goal of role %d falls", name, r);
        if (value >= 0) goals[r] = value;
    }
}

static void check_end(const Fixture *f, const char *name, const uint64_t *state)
{
    const KnGdlAnalysis *a = f->analysis;
    KnError error;
    int goals[KN_GDL_ROLES];
    bool terminal;
    check_ok(error, kn_gdl_is_terminal(f->machine, state, &terminal, &error));
    for (int r = 0; r < a->roles; r++) check_ok(error, kn_gdl_goal(f->machine, state, r, &goals[r], &error));
    for (int r = 0; r < a->roles && terminal; r++)
        for (int k = 0; k < a->roles; k++) {
            if (r == k || goals[r] < 0 || goals[k] < 0) continue;
            if (a->opposed[r][k] == KN_GDL_PROVED && goals[r] + goals[k] != a->sums[r][k])
                fail_msg("%s: goals of %d and %d", name, r, k);
            if (a->allied[r][k] == KN_GDL_PROVED && goals[r] != goals[k])
                fail_msg("%s: goals of %d and %d", name, r, k);
        }
}

static void check_games(const Fixture *f, const char *name, long games)
{
    size_t words = kn_gdl_machine_words(f->machine);
    uint64_t *now = calloc(words, sizeof *now), *before = calloc(words, sizeof *before), joint[KN_GDL_ROLES];
    uint64_t *moves = calloc((size_t)kn_gdl_machine_moves(f->machine), sizeof *moves);
    KnError error;
    for (long g = 0; g < games; g++) {
        KnRng rng = kn_rng_stream(977, (uint64_t)g);
        int goals[KN_GDL_ROLES], with_choice;
        bool open;
        for (int r = 0; r < KN_GDL_ROLES; r++) goals[r] = -1;
        check_ok(error, kn_gdl_start(f->machine, now, &error));
        check_state(f, name, NULL, now, goals);
        for (int ply = 0; ply < 300; ply++) {
            check_ok(error, kn_gdl_is_open(f->machine, now, &open, &error));
            if (!open) break;
            with_choice = 0;
            for (int r = 0; r < f->analysis->roles; r++) {
                int count;
                check_ok(error, kn_gdl_legal(f->machine, now, r, moves, &count, &error));
                with_choice += count > 1;
                joint[r] = moves[kn_rng_below(&rng, (uint32_t)count)];
            }
            if (with_choice > 1 && f->analysis->turns == KN_GDL_PROVED)
                fail_msg("%s: two roles choose", name);
            memcpy(before, now, words * sizeof *now);
            check_ok(error, kn_gdl_next(f->machine, now, joint, now, &error));
            check_state(f, name, before, now, goals);
        }
        check_end(f, name, now);
    }
    free(now);
    free(before);
    free(moves);
}

static void test_proofs_hold(void **state)
{
    (void)state;
    DIR *folder = opendir(DESCRIPTIONS);
    assert_non_null(folder);
    int descriptions = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".kif") != 0) continue;
        KnText path = KN_TEXT_EMPTY;
        kn_path_join(&path, DESCRIPTIONS, entry->d_name);
        Fixture f = of_description(path.data);
        check_games(&f, entry->d_name, check_scaled(20));
        drop(&f);
        kn_text_free(&path);
        descriptions++;
    }
    closedir(folder);
    assert_true(descriptions >= 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tictactoe),   cmocka_unit_test(test_control), cmocka_unit_test(test_goals),
        cmocka_unit_test(test_parts),       cmocka_unit_test(test_boards),  cmocka_unit_test(test_drawing),
        cmocka_unit_test(test_proofs_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
