/* Rules that would take forever or all memory, as they stand: grounded all the same where cutting them
 * helps, else given up within the bounds, with a message that names the place; and the prover that takes over
 * says what it cannot answer. */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "games/gdl/propnet_reasoner.h"

static KnGdlMachine *machine_within(const char *rules, uint64_t steps)
{
    KnError error;
    KnGdlDescription *description;
    KnGdlMachine *machine = NULL;
    check_ok(error, kn_gdl_read("description", rules, strlen(rules), false, &description, &error));
    check_ok(error, kn_gdl_machine_new(
                        description,
                        &(KnGdlLimits){.facts = 1024, .moves = 4096, .steps = steps, .reasoner = KN_GDL_AUTO},
                        &machine, &error));
    return machine;
}

static KnGdlMachine *machine_of(const char *rules) { return machine_within(rules, 0); }

/* Numbers 0..n-1 as facts of `d`, each next to the following by `s`. */
static void add_numbers(KnText *text, int n)
{
    for (int i = 0; i < n; i++) kn_text_printf(text, "(d %d)", i);
    for (int i = 0; i + 1 < n; i++) kn_text_printf(text, "(s %d %d)", i, i + 1);
}

#define MARKING                                                                                              \
    "(role a)(init (c 1))(<= (legal a (m ?x)) (d ?x))(<= (next (c ?x)) (does a (m ?x)))(<= (next (c ?x)) "   \
    "(true (c ?x)))\n"

/* Bodies whose variables have little to do with each other, of up to a googol of ways as they stand. */
static void test_products_are_cut(void **state)
{
    (void)state;
    static const struct {
        const char *rules;
        uint64_t steps;
        int goal; /* after 3 and then 4 were marked too */
    } rows[] = {
        {"(<= (goal a 100) (true (c ?a)) (true (c ?b)) (true (c ?e)) (true (c ?f)) (true (c ?g)))", 2000,
         100},
        {"(<= (goal a 100) (true (c ?a)) (true (c ?b)) (s ?a ?a1) (true (c ?a1)) (s ?b ?b1) (true (c ?b1)) "
         "(distinct ?a ?b) (true (c ?e)))",
         200000, -1},
        {"(<= (goal a 100) (true (c ?a)) (true (c ?b)) (s ?a ?a1) (true (c ?a1)) (distinct ?b ?a) (distinct "
         "?b ?a1) (true (c ?e)))",
         200000, 100},
        {"(<= (goal a 100) (true (c ?a)) (true (c ?b)) (true (c ?e)) (not (true (c ?f))) (d ?f) (distinct ?a "
         "?b) (distinct ?b ?e))",
         200000, 100},
        {"(<= (goal a ?n) (score ?n) (true (c ?a)) (true (c ?b)) (true (c ?e)) (true (c ?f)) (distinct ?e "
         "?f))(score 7)",
         200000, 7},
        {"(<= (p ?a ?b ?e ?f) (d ?a) (d ?b) (d ?e) (d ?f) (s ?a ?b) (s ?e ?f))(<= (goal a 5) (p ?a ?b ?e ?f) "
         "(true (c ?a)) (true (c ?f)))",
         1000000, 5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnText text = KN_TEXT_EMPTY;
        KnError error;
        uint64_t states[64], moves[4096];
        int count, value;
        kn_text_add(&text, MARKING);
        add_numbers(&text, 100);
        kn_text_add(&text, rows[i].rules);
        KnGdlMachine *machine = machine_of(text.data);
        if (!kn_gdl_machine_propnet(machine))
            fail_msg("%s\n%s", kn_gdl_machine_why_prover(machine), rows[i].rules);
        uint64_t steps = kn_propnet_reasoner_info(kn_gdl_machine_propnet(machine))->steps;
        if (steps > rows[i].steps)
            fail_msg("%llu steps to ground\n%s", (unsigned long long)steps, rows[i].rules);
        check_ok(error, kn_gdl_start(machine, states, &error));
        for (int m = 3; m <= 4; m++) {
            check_ok(error, kn_gdl_legal(machine, states, 0, moves, &count, &error));
            assert_int_equal(count, 100);
            for (int k = 0; k < count; k++) {
                KnText name = KN_TEXT_EMPTY;
                kn_gdl_move_text(machine, moves[k], &name);
                bool wanted = name.data[3] == '0' + m && name.data[4] == ')';
                kn_text_free(&name);
                if (!wanted) continue;
                check_ok(error, kn_gdl_next(machine, states, &moves[k], states, &error));
                break;
            }
        }
        check_ok(error, kn_gdl_goal(machine, states, 0, &value, &error));
        if (value != rows[i].goal) fail_msg("goal %d, not %d\n%s", value, rows[i].goal, rows[i].rules);
        kn_gdl_machine_free(machine);
        kn_text_free(&text);
    }
}

/* 2^200 bodies, 200 literals that share a variable, a chain of 200 variables. */
static void test_long_bodies(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        static const char *const literals[] = {"(q ?x%d)", "(true (c ?x)) (distinct ?x z%d)",
                                               "(e ?x%d ?x%d)"};
        KnText text = KN_TEXT_EMPTY;
        KnError error;
        uint64_t states[64];
        int value;
        kn_text_add(&text, MARKING "(d 1)(q 1)(q 2)(e 1 2)(e 2 1)(e 1 1)(<= (goal a 100) ");
        for (int i = 0; i < 200; i++) kn_text_printf(&text, literals[kind], i, i + 1);
        kn_text_add(&text, ")");
        KnGdlMachine *machine = machine_of(text.data);
        if (!kn_gdl_machine_propnet(machine))
            fail_msg("%s\n%s", kn_gdl_machine_why_prover(machine), text.data);
        check_ok(error, kn_gdl_start(machine, states, &error));
        check_ok(error, kn_gdl_goal(machine, states, 0, &value, &error));
        assert_int_equal(value, 100);
        kn_gdl_machine_free(machine);
        kn_text_free(&text);
    }
}

/* What cannot be grounded, and what the prover then says of the first legal moves (NULL: it finds them). */
static void test_endless_rules(void **state)
{
    (void)state;
    static const struct {
        const char *rules, *why, *trouble;
    } rows[] = {
        {"(role a)\n(n 0)\n(<= (n (t ?x)) (n ?x))\n(<= (legal a ?x) (n ?x))",
         "description:3:1: more terms, or more deeply nested", "more deeply nested"},
        {"(role a)(init (k 0))(legal a go)\n (<= (next (k (t ?x))) (true (k ?x)))",
         "description:2:2: more terms, or more deeply nested", NULL},
        {"(role a)(l nil)\n(<= (l (cons 0 ?x)) (l ?x))(<= (l (cons 1 ?x)) (l ?x))(<= (legal a ?x) (l ?x))",
         "description:2:", "asking for (legal a ?0): more"},
        {"(role a)\n(<= (legal a (m ?x ?y)) (p ?x))(p 1)", "description:2:1: an unsafe rule", NULL},
        {"(role a)(b 0)(b 1)\n(<= (legal a (m ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l ?m ?n ?o ?p ?q ?r ?s ?t ?u "
         "?v ?w ?x)) (b ?a)(b ?b)(b ?c)(b ?d)(b ?e)(b ?f)(b ?g)"
         "(b ?h)(b ?i)(b ?j)(b ?k)(b ?l)(b ?m)(b ?n)(b ?o)(b ?p)(b ?q)(b ?r)(b ?s)(b ?t)(b ?u)(b ?v)(b ?w)(b "
         "?x))",
         "description:2:1: more ", "asking for (legal a ?0): more"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnError error;
        double started = kn_clock_cpu();
        KnGdlMachine *machine = machine_of(rows[i].rules);
        const char *why = kn_gdl_machine_why_prover(machine);
        if (!why || !strstr(why, rows[i].why))
            fail_msg("%s\n%s", rows[i].rules, why ? why : "it was grounded");
        uint64_t *states = calloc(kn_gdl_machine_words(machine), sizeof *states), moves[4096];
        int count;
        check_ok(error, kn_gdl_start(machine, states, &error));
        KnStatus status = kn_gdl_legal(machine, states, 0, moves, &count, &error);
        if (rows[i].trouble && status == KN_OK) fail_msg("%d legal moves in\n%s", count, rows[i].rules);
        if (rows[i].trouble)
            check_fails(error, KN_INPUT, rows[i].trouble, status);
        else
            assert_int_equal(status, KN_OK);
        free(states);
        kn_gdl_machine_free(machine);
        double seconds = kn_clock_cpu() - started;
        if (seconds > 60)
            fail_msg("%g s of processor time for\n%s", seconds,
                     rows[i].rules); /* some 3 s; sanitizers take longer */
    }
}

/* A role with n^arity legal moves at the start. */
static void add_wide(KnText *text, int arity, int n)
{
    KnText variables = KN_TEXT_EMPTY, domains = KN_TEXT_EMPTY;
    for (int i = 0; i < arity; i++) kn_text_printf(&variables, " ?x%d", i);
    for (int i = 0; i < arity; i++) kn_text_printf(&domains, " (d ?x%d)", i);
    kn_text_add(text,
                "(role a)(init (n 0))(<= terminal (true (n 1)))(goal a 100)(<= (next (n 1)) (true (n 0)))");
    for (int i = 0; i < n; i++) kn_text_printf(text, "(d %d)", i);
    kn_text_printf(text, "(<= (legal a (m%s))%s)", variables.data, domains.data);
    kn_text_free(&variables);
    kn_text_free(&domains);
}

/* More moves than the usual limit are listed if the start has them; far too many end within the bounds, with
 * a message. */
static void test_many_moves(void **state)
{
    (void)state;
    KnError error;
    KnText text = KN_TEXT_EMPTY;
    int count;
    add_wide(&text, 9, 3);
    KnGdlMachine *machine = machine_of(text.data);
    uint64_t *start = calloc(kn_gdl_machine_words(machine), sizeof *start),
             *moves = calloc((size_t)kn_gdl_machine_moves(machine), sizeof *moves);
    check_ok(error, kn_gdl_start(machine, start, &error));
    check_ok(error, kn_gdl_legal(machine, start, 0, moves, &count, &error));
    assert_int_equal(count, 19683);
    free(start);
    free(moves);
    kn_gdl_machine_free(machine);
    kn_text_clear(&text);
    add_wide(&text, 8, 10);
    double began = kn_clock_cpu();
    machine = machine_within(text.data, 300000);
    start = calloc(kn_gdl_machine_words(machine), sizeof *start);
    moves = calloc((size_t)kn_gdl_machine_moves(machine), sizeof *moves);
    check_ok(error, kn_gdl_start(machine, start, &error));
    check_fails(error, KN_INPUT, "than the bound allows",
                kn_gdl_legal(machine, start, 0, moves, &count, &error));
    assert_true(kn_clock_cpu() - began < 10);
    free(start);
    free(moves);
    kn_gdl_machine_free(machine);
    kn_text_free(&text);
}

/* A fact that doubles at each step: shared, it is one more term, but written out it would have no end. */
static void test_doubling_terms(void **state)
{
    (void)state;
    KnGdlMachine *machine = machine_of(
        "(role x)(init (n z))(legal x go)(<= (next (n (p ?x ?x))) (true (n ?x)))"
        "(<= terminal (true (n q)))(goal x 0)");
    KnError error;
    KnStatus status = KN_OK;
    double begun = kn_clock_cpu();
    uint64_t *facts = calloc(kn_gdl_machine_words(machine), sizeof *facts), move;
    int steps = 0, count;
    check_ok(error, kn_gdl_start(machine, facts, &error));
    for (; steps < 100 && status == KN_OK; steps++) {
        check_ok(error, kn_gdl_legal(machine, facts, 0, &move, &count, &error));
        status = kn_gdl_next(machine, facts, &move, facts, &error);
        if (status == KN_OK) (void)kn_gdl_state_hash(machine, facts);
    }
    assert_int_equal(status, KN_INPUT);
    assert_non_null(strstr(error.text, "more terms, or more deeply nested ones"));
    assert_true(steps >= 10 && steps < 20);
    assert_true(kn_clock_cpu() - begun < 2);
    free(facts);
    kn_gdl_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_moves), cmocka_unit_test(test_doubling_terms),
        cmocka_unit_test(test_products_are_cut), cmocka_unit_test(test_long_bodies),
        cmocka_unit_test(test_endless_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
