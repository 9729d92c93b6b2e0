/* Descriptions of the shapes and sizes that public ones have (tests/games/descriptions): all of them are
 * grounded, the network says what the prover says along random games, and analysis comes to an end. */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/gdl/analysis.h"
#include "games/gdl/propnet_reasoner.h"

enum { MOVES = 4096 };

static KnGdlMachine *open_description(const char *name, const char *rules, KnGdlReasoner reasoner)
{
    KnError error;
    KnGdlDescription *description;
    KnGdlMachine *machine = NULL;
    if (rules)
        check_ok(error, kn_gdl_read(name, rules, strlen(rules), false, &description, &error));
    else
        check_ok(error, kn_gdl_read_file(name, false, &description, &error));
    check_ok(error, kn_gdl_machine_new(description,
                                       &(KnGdlLimits){.facts = 16384, .moves = MOVES, .reasoner = reasoner},
                                       &machine, &error));
    return machine;
}

/* Facts, moves of every role, goals and whether it is over, as one text. */
static void describe(KnGdlMachine *machine, const uint64_t *state, KnText *out)
{
    KnError error;
    uint64_t *moves = malloc(MOVES * sizeof *moves);
    bool terminal;
    kn_text_clear(out);
    kn_gdl_state_text(machine, state, " ", out);
    check_ok(error, kn_gdl_is_terminal(machine, state, &terminal, &error));
    kn_text_add(out, terminal ? "\nover" : "\nnot over");
    for (int role = 0; role < kn_gdl_machine_description(machine)->role_count; role++) {
        int count, value;
        check_ok(error, kn_gdl_goal(machine, state, role, &value, &error));
        check_ok(error, kn_gdl_legal(machine, state, role, moves, &count, &error));
        kn_text_printf(out, "\n%d, %d:", value, count);
        for (int i = 0; i < count; i++) {
            kn_text_add_char(out, ' ');
            kn_gdl_move_text(machine, moves[i], out);
        }
    }
    free(moves);
}

/* Plays the moves of these places in the lists; false at the end. */
static bool play(KnGdlMachine *machine, uint64_t *state, KnRng rng)
{
    KnError error;
    bool open;
    uint64_t joint[KN_GDL_ROLES], *moves = malloc(MOVES * sizeof *moves);
    check_ok(error, kn_gdl_is_open(machine, state, &open, &error));
    for (int role = 0; open && role < kn_gdl_machine_description(machine)->role_count; role++) {
        int count;
        check_ok(error, kn_gdl_legal(machine, state, role, moves, &count, &error));
        joint[role] = moves[kn_rng_below(&rng, (uint32_t)count)];
    }
    if (open) check_ok(error, kn_gdl_next(machine, state, joint, state, &error));
    free(moves);
    return open;
}

static void compare(const char *name, const char *rules, int steps)
{
    KnError error;
    KnGdlMachine *machines[2] = {open_description(name, rules, KN_GDL_AUTO),
                                 open_description(name, rules, KN_GDL_PROVER)};
    if (!kn_gdl_machine_propnet(machines[0]))
        fail_msg("%s: %s", name, kn_gdl_machine_why_prover(machines[0]));
    uint64_t *states[2];
    KnText texts[2] = {KN_TEXT_EMPTY, KN_TEXT_EMPTY};
    for (int k = 0; k < 2; k++) {
        states[k] = calloc(kn_gdl_machine_words(machines[k]), sizeof **states);
        check_ok(error, kn_gdl_start(machines[k], states[k], &error));
    }
    bool open = true;
    for (int step = 0; step <= steps && open; step++) {
        for (int k = 0; k < 2; k++) describe(machines[k], states[k], &texts[k]);
        if (strcmp(texts[0].data, texts[1].data) != 0)
            fail_msg("%s, step %d:\n%s\n\nand the prover\n%s", name, step, texts[0].data, texts[1].data);
        KnRng rng = kn_rng_stream(7, (uint64_t)step);
        for (int k = 0; k < 2; k++) open = play(machines[k], states[k], rng);
    }
    KnGdlAnalysis *analysis;
    check_ok(error, kn_gdl_analyse(machines[0], &analysis, &error));
    assert_non_null(analysis);
    kn_gdl_analysis_free(analysis);
    for (int k = 0; k < 2; k++) {
        kn_text_free(&texts[k]);
        free(states[k]);
        kn_gdl_machine_free(machines[k]);
    }
}

static void test_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int steps;
        bool large; /* seconds with sanitizers */
    } rows[] = {{"hex9", 30, false}, {"corridor", 6, false}, {"arith", 12, false}, {"pentago", 12, false},
                {"odd", 4, false},   {"amazons", 3, true},   {"chess", 2, true},   {"sudoku", 2, true},
                {"racer", 12, true}, {"queens", 6, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].large && check_scaled(100) < 100) continue;
        char path[400];
        snprintf(path, sizeof path, "%s/tests/games/descriptions/%s.kif", KNACK_SOURCE_DIR, rows[i].name);
        compare(path, NULL, (int)check_scaled(rows[i].steps));
    }
}

/* A conclusion a thousand rules away, and one that doubles at each of thirty. */
static void test_depth(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    kn_text_add(&text, "(role r)(init (b))(<= (p0) (true (b)))");
    for (int i = 1; i < 1000; i++) kn_text_printf(&text, "(<= (p%d) (p%d))", i, i - 1);
    kn_text_add(&text, "(<= (legal r go) (p999))(<= (next (c)) (does r go))(<= terminal (true (c)))(<= (goal "
                       "r 100) terminal)");
    compare("deep", text.data, 2);
    kn_text_clear(&text);
    kn_text_add(&text, "(role r)(init (v a))(init (v b))(<= (q0 ?x ?y) (true (v ?x)) (true (v ?y)))");
    for (int i = 1; i < 30; i++)
        kn_text_printf(&text, "(<= (q%d ?x ?y) (q%d ?x ?z) (q%d ?z ?y))", i, i - 1, i - 1);
    kn_text_add(&text, "(<= (legal r (go ?x)) (q29 ?x ?y) (distinct ?x ?y))(<= (next (done ?x)) (does r (go "
                       "?x)))(<= terminal (true (done ?x)))");
    compare("doubling", text.data, 2);
    kn_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes), cmocka_unit_test(test_depth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
