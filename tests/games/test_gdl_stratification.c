/* Negation is stratified on ground atoms: rules that recurse through `not` only at the level of relations
 * load, and both reasoners agree on them; a sentence that depends on its own negation is an error. */
#include "support/check.h"

#include <string.h>

#include "games/gdl/machine.h"

static KnStatus open_machine(const char *rules, KnGdlReasoner reasoner, KnGdlMachine **machine,
                             KnError *error)
{
    KnGdlDescription *description;
    *machine = NULL;
    KnStatus status = kn_gdl_read("description", rules, strlen(rules), false, &description, error);
    if (status != KN_OK) return status;
    return kn_gdl_machine_new(description, &(KnGdlLimits){.facts = 1024, .moves = 4096, .reasoner = reasoner},
                              machine, error);
}

/* A single step: the role a marks 1, 2 or 3, or waits. */
#define STEP                                                                                                 \
    "(role a) (role b) (init (turn 0)) (d 1) (d 2) (d 3) (s 0 1) (s 1 2) (s 2 3)"                            \
    "(<= (next (turn ?y)) (true (turn ?x)) (s ?x ?y)) (<= (next (c ?x)) (does a (m ?x)))"                    \
    "(<= (next (c ?x)) (true (c ?x))) (<= terminal (true (turn 2))) (legal b wait)"
#define MOVES "(<= (legal a (m ?x)) (d ?x) (not (true (c ?x))))"

static const struct {
    const char *rules;
    int goals[2]; /* after (m 1) and after (m 1), (m 2) */
} descriptions[] = {
    {STEP MOVES "(<= (goal ?r 100) (role ?r) (not (goal ?r 0))) (<= (goal ?r 0) (role ?r) (true (c 2)))",
     {100, 0}},
    {STEP MOVES "(<= (goal ?r 0) (role ?r) (not (goal ?r 50)) (not (goal ?r 100)))"
                "(<= (goal ?r 50) (role ?r) (true (c 1)) (not (goal ?r 100))) (<= (goal ?r 100) (role ?r)"
                "(true (c 1)) (true (c 2)))",
     {50, 100}},
    {STEP "(<= (legal a (m ?x)) (d ?x) (not (true (c ?x)))) (<= (legal a pass) (not (some a)))"
          "(<= (some ?r) (legal ?r (m ?x))) (<= (goal ?r 10) (role ?r) (some a))",
     {10, 10}},
    {STEP MOVES "(<= (odd ?y) (s ?x ?y) (true (c ?y)) (not (odd ?x))) (<= (goal ?r 30) (role ?r) (odd 1)"
                "(not (odd 2))) (<= (goal ?r 20) (role ?r) (odd 2))",
     {30, 30}},
    {STEP MOVES "(<= (big ?y) (s ?x ?y) (not (big ?x))) (<= (goal ?r 40) (role ?r) (big 1) (not (big 2))"
                "(big 3))",
     {40, 40}},
    {STEP MOVES "(<= (next (won ?r)) (role ?r) (true (c 1)) (not (next (won a2)))) (<= (goal ?r 5) (role ?r)"
                "(true (won a)))",
     {-1, 5}},
};

static int goal_after(KnGdlMachine *machine, const char *const *moves, int count)
{
    KnError error;
    uint64_t state[kn_gdl_machine_words(machine)], listed[2][4096], joint[2];
    check_ok(error, kn_gdl_start(machine, state, &error));
    for (int i = 0; i < count; i++) {
        int lengths[2];
        for (int r = 0; r < 2; r++)
            check_ok(error, kn_gdl_legal(machine, state, r, listed[r], &lengths[r], &error));
        joint[0] = listed[0][0], joint[1] = listed[1][0];
        for (int k = 0; k < lengths[0]; k++) {
            KnText text = KN_TEXT_EMPTY;
            kn_gdl_move_text(machine, listed[0][k], &text);
            if (strcmp(text.data, moves[i]) == 0) joint[0] = listed[0][k];
            kn_text_free(&text);
        }
        check_ok(error, kn_gdl_next(machine, state, joint, state, &error));
    }
    int value;
    check_ok(error, kn_gdl_goal(machine, state, 0, &value, &error));
    return value;
}

static void test_stratified_on_atoms(void **state)
{
    (void)state;
    static const char *const moves[] = {"(m 1)", "(m 2)"};
    for (size_t i = 0; i < sizeof descriptions / sizeof *descriptions; i++)
        for (int reasoner = KN_GDL_PROPNET; reasoner <= KN_GDL_PROVER; reasoner++) {
            KnError error;
            KnGdlMachine *machine;
            check_ok(error, open_machine(descriptions[i].rules, (KnGdlReasoner)reasoner, &machine, &error));
            for (int n = 1; n <= 2; n++)
                if (goal_after(machine, moves, n) != descriptions[i].goals[n - 1])
                    fail_msg("%s\nreasoner %d: goal %d after %d moves", descriptions[i].rules, reasoner,
                             goal_after(machine, moves, n), n);
            kn_gdl_machine_free(machine);
        }
}

static void test_circles_through_negation(void **state)
{
    (void)state;
    static const struct {
        const char *rules, *message;
    } rows[] = {
        {"(role a) (legal a x) (<= (goal a 100) p) (<= p (not q))\n(<= q p)",
         "description:1:53: unstratified negation: p depends on itself through this not q"},
        {"(role a) (legal a x) (d 1) (<= (goal a 100) (p 1)) (<= (p ?x) (d ?x) (not (p ?x)))",
         "description:1:75: unstratified negation: (p 1) depends on itself through this not (p 1)"},
        {"(role a) (legal a x) (<= (goal a 100) (not (goal a 0))) (<= (goal a 0) (not (goal a 100)))",
         "unstratified negation: (goal a"},
        {"(role a) (legal a x) (d 1) (d 2) (s 1 2) (s 2 1) (<= (goal a 1) (p 1))"
         "(<= (p ?x) (s ?x ?y) (not (p ?y)))",
         "unstratified negation: (p "},
        /* Which of several rules and literals it is shows in the arguments that are constants. */
        {"(role a) (legal a x) (d 1) (<= (goal a 1) (p 1 on))\n(<= (p ?x off) (d 1) (not (r ?x)) (d ?x))\n"
         "(<= (p ?x on) (e 7) (d ?x) (not (p ?x off)) (not (p ?x on)))\n(<= (r ?x) (d 1) (d ?x)) (e 7)",
         "description:3:50: unstratified negation: (p 1 on) depends on itself through this not (p 1 on)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnError error;
        KnGdlMachine *machine;
        check_fails(error, KN_INPUT, rows[i].message,
                    open_machine(rows[i].rules, KN_GDL_AUTO, &machine, &error));
        check_ok(error, open_machine(rows[i].rules, KN_GDL_PROVER, &machine, &error));
        uint64_t facts[kn_gdl_machine_words(machine)];
        int value;
        check_ok(error, kn_gdl_start(machine, facts, &error));
        check_fails(error, KN_INPUT, "unstratified negation", kn_gdl_goal(machine, facts, 0, &value, &error));
        kn_gdl_machine_free(machine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stratified_on_atoms),
        cmocka_unit_test(test_circles_through_negation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
