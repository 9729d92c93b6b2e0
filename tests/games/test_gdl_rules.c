/* Rule descriptions: what the reader refuses and where, and what the prover derives, also against a second,
 * bottom-up evaluation of random programs. */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/gdl/machine.h"

static const KnGdlReasoner reasoners[] = {KN_GDL_PROVER, KN_GDL_AUTO};

static KnGdlMachine *machine_of_text(const char *text, KnGdlReasoner reasoner)
{
    KnError error;
    KnGdlDescription *description;
    KnGdlMachine *machine;
    check_ok(error, kn_gdl_read("description", text, strlen(text), false, &description, &error));
    check_ok(error, kn_gdl_machine_new(description,
                                       &(KnGdlLimits){.facts = 1024, .moves = 256, .reasoner = reasoner},
                                       &machine, &error));
    return machine;
}

/* The legal moves of the first role at the start, as one text. */
static void legal_by(KnGdlReasoner reasoner, const char *rules, const char *wanted)
{
    KnError error;
    KnGdlMachine *machine = machine_of_text(rules, reasoner);
    uint64_t *state = calloc(kn_gdl_machine_words(machine), sizeof *state), moves[256];
    int count;
    KnText text = KN_TEXT_EMPTY;
    check_ok(error, kn_gdl_start(machine, state, &error));
    check_ok(error, kn_gdl_legal(machine, state, 0, moves, &count, &error));
    for (int i = 0; i < count; i++) {
        if (i) kn_text_add_char(&text, ' ');
        kn_gdl_move_text(machine, moves[i], &text);
    }
    if (strcmp(text.data, wanted) != 0) fail_msg("%s\nlegal: %s\nwanted: %s", rules, text.data, wanted);
    kn_text_free(&text);
    free(state);
    kn_gdl_machine_free(machine);
}

static void legal_is(const char *rules, const char *wanted)
{
    for (int i = 0; i < 2; i++) legal_by(reasoners[i], rules, wanted);
}

/* ---- Reading ---- */

static void test_bad_sheets_name_the_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"(role a)\n(init (p)", "description:2:1: this ( is never closed"},
        {"(role a))", "description:1:9: this ) closes nothing"},
        {"(role a)\n(f b)\n (f b c)", "description:3:2: f has 2 arguments here, but 1 at 2:1"},
        {"(role a) (init (g 1))\n(init (g 1 2))",
         "description:2:7: function g has 2 arguments here, but 1 at 1:16"},
        {"(role a) p (p q)", "description:1:12: p has 1 arguments here, but 0 at 1:10"},
        {"(role a) (legal a)", "legal takes 2 arguments, not 1"},
        {"(role a) (terminal x)", "terminal takes 0 arguments, not 1"},
        {"(init p)", "no role"},
        {"", "no role"},
        {"(role ?x)", "no role follows from the rules"},
        {"(<= (role b) (p))", "description:1:5: no role follows from the rules"},
        {"(role a) (<= (true p) q)", "rules cannot define it"},
        {"(role a) (does a b)", "rules cannot define it"},
        {"(role a) ()", "description:1:10: empty parentheses"},
        {"(role a) ((p) q)", "expected a name"},
        {"(role a) (?p q)", "expected a name"},
        {"(role a) (<= p ?q)", "a variable cannot stand for a sentence"},
        {"(role a) (<=)", "<= without a head"},
        {"(role a) (<= p (not q r))", "not takes one literal"},
        {"(role a) (<= p (distinct q))", "distinct takes two terms"},
        {"(role a) (not p)", "cannot be defined"},
        {"(role a) (p \x01)", "description:1:13: a control character"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnGdlDescription *description;
        KnError error;
        KnStatus status = kn_gdl_read("description", rows[i].text, strlen(rows[i].text), false, &description,
                                      &error);
        if (status != KN_INPUT || description || !strstr(error.text, rows[i].message))
            fail_msg("%s\nstatus %d: %s\nwanted: %s", rows[i].text, status, error.text, rows[i].message);
    }
}

static void repeated(KnText *text, const char *piece, int times)
{
    for (int i = 0; i < times; i++) kn_text_add(text, piece);
}

static void test_hostile_sheets_are_refused_in_time(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    KnGdlDescription *description;
    KnError error;
    repeated(&text, "(", 1000000);
    check_fails(error, KN_INPUT, "nested more than 100 deep",
                kn_gdl_read("s", text.data, text.length, false, &description, &error));
    kn_text_clear(&text);
    kn_text_add(&text, "(role a) (p");
    repeated(&text, " x", 100000);
    kn_text_add(&text, ")");
    check_fails(error, KN_INPUT, "more than 250 arguments",
                kn_gdl_read("s", text.data, text.length, false, &description, &error));
    kn_text_clear(&text);
    kn_text_add(&text, "(role a) (<= p");
    repeated(&text, " (or q (not (q ?x)))", 300); /* which binds nothing */
    kn_text_add(&text, " (p ?x))");
    check_fails(error, KN_INPUT, "too many rules",
                kn_gdl_read("s", text.data, text.length, false, &description, &error));
    kn_text_free(&text);
}

static void test_problems_are_listed(void **state)
{
    (void)state;
    static const char rules[] =
        "(role a)\n(<= (p ?x) (not (q ?x)))\n(q 1)\n(r)\n(<= (legal a m) r (s 1))\n(f 1) (f 1 2)";
    KnGdlDescription *description;
    KnError error;
    assert_int_equal(kn_gdl_read("description", rules, sizeof rules - 1, true, &description, &error), KN_NO);
    static const struct {
        bool error;
        int line, column;
        const char *part;
    } wanted[] = {{true, 6, 7, "f has 2"},
                  {false, 2, 17, "this not, which is left out"},
                  {false, 2, 1, "of the head"},
                  {false, 4, 1, "(r) is not the same sentence as r"},
                  {false, 5, 17, "r is used but never defined"},
                  {false, 5, 19, "s is used but never defined"},
                  {false, 1, 1, "no rule for goal"}};
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        bool found = false;
        for (int i = 0; i < description->problem_count; i++) {
            const KnGdlProblem *problem = &description->problems[i];
            found |= problem->error == wanted[w].error && problem->place.line == wanted[w].line &&
                     problem->place.column == wanted[w].column && strstr(problem->text, wanted[w].part);
        }
        if (!found) fail_msg("no problem \"%s\" at %d:%d", wanted[w].part, wanted[w].line, wanted[w].column);
    }
    kn_gdl_free(description);
}

/* ---- Proving ---- */

static void test_language(void **state)
{
    (void)state;
    legal_is("(ROLE a) (Legal a x) (LEGAL a Y) (legal a y) ; (legal a z)\n", "Y x y");
    legal_is("(role a) (p 1) (p 2) (p 3) (<= (legal a ?x) (distinct ?x 2) (p ?x))", "1 3");
    legal_is("(role a) (p 1) (p 2) (q 2) (<= (legal a ?x) (not (q ?x)) (p ?x))", "1");
    legal_is(
        "(role a) (p 1) (p 2) (p 3) (<= (legal a ?x) (p ?x) (or (distinct ?x ?x) (not (distinct ?x 2))))",
        "2");
    legal_is("(role a) (p 1) (p 2) (p 3) (<= (legal a ?x) (p ?x) (not (or (q ?x) (r ?x)))) (q 1) (r 3)", "2");
    legal_is("(role a) (p 1) (p 2) (<= (legal a ?x) (p ?x) (not (not (q ?x)))) (q 2)", "2");
    legal_is("(role a) (p (f (g 1) 2)) (p (f 3 2)) (<= (legal a (h ?x)) (p (f (g ?x) 2)))", "(h 1)");
    legal_is("(role a) (<= (legal a m)) (<= (legal a ?p) (role ?p))", "a m");
    legal_is("(role a) (p 1 1) (p 1 2) (p 2 2) (<= (legal a ?x) (p ?x ?x))", "1 2");
    /* a state fact without arguments, and one that is a bare constant from a variable */
    legal_is("(role a) (init now) (init (then 1)) (<= (legal a ?x) (true ?x))", "now (then 1)");
    legal_is("(role a) (<= (legal a x) (not p)) (<= (legal a y) p)", "x"); /* p is never defined */
}

static void test_recursion(void **state)
{
    (void)state;
#define EDGES "(role a) (e 1 2) (e 2 3) (e 3 1) (e 3 4) (e 5 6) "
    legal_is(EDGES "(<= (t ?x ?y) (e ?x ?y)) (<= (t ?x ?z) (t ?x ?y) (t ?y ?z)) (<= (legal a ?y) (t 1 ?y))",
             "1 2 3 4");
    legal_is(EDGES "(<= (t ?x ?z) (t ?x ?y) (e ?y ?z)) (<= (t ?x ?y) (e ?x ?y)) (<= (legal a ?x) (t ?x 4))",
             "1 2 3");
    legal_is(EDGES "(<= (t ?x ?y) (e ?x ?y)) (<= (t ?x ?z) (e ?x ?y) (t ?y ?z))"
                   "(<= (legal a ?x) (e ?x ?y) (not (t ?x ?x)))",
             "5");
    /* two relations that need each other, and one that only needs itself */
    legal_is("(role a) (s 0 1) (s 1 2) (s 2 3) (s 3 4) (even 0) (<= (even ?y) (s ?x ?y) (odd ?x))"
             "(<= (odd ?y) (s ?x ?y) (even ?x)) (<= (legal a ?x) (odd ?x)) (<= (loop) (loop)) (<= (legal a "
             "z) (loop))",
             "1 3");
    /* a circle of goals within a circle: the outer one must be taken up again for the inner one's late
     * answers */
    legal_is("(role a) (k 1 2) (k 2 3) (k 3 4) (<= (p ?x) (q ?x)) (<= (q ?y) (p ?x) (k ?x ?y)) (<= (q ?x) (r "
             "?x)) (r 1)"
             "(<= (r ?y) (q ?x) (k ?x ?y)) (<= (legal a ?x) (p ?x))",
             "1 2 3 4");
    /* recursion that builds terms but stops by itself */
    legal_is("(role a) (r 0 0) (q 0) (<= (r ?b (f ?b)) (r ?a ?b) (q ?a)) (<= (legal a ?y) (r ?x ?y))",
             "0 (f 0) (f (f 0))");
}

/* Unsafe rules work as far as the call binds their variables; tests that nothing binds are left out. */
static void test_unsafe_rules(void **state)
{
    (void)state;
    legal_is("(role a) (legal ?p ?p)", "a");
    legal_is("(role a) (<= (same ?x ?x)) (p 1 2) (p 3 3) (<= (legal a ?x) (p ?x ?y) (same ?x ?y))", "3");
    legal_is("(role a) (<= (same ?x ?x)) (p 1) (p 2) (<= (legal a ?y) (same ?x ?y) (p ?x))", "1 2");
    legal_is("(role a) (q 1) (<= (legal a x) (not (q ?x)))", "x");
}

/* ---- Random programs, evaluated bottom up by trying every assignment ---- */

enum { CONSTANTS = 3, RELATIONS = 6, RULES = 12, BODY = 3, VARIABLES = 3, LAYERS = 3 };

typedef struct RandomLiteral {
    int relation, args[2]; /* below VARIABLES: a variable; else a constant */
    bool negated;
} RandomLiteral;

typedef struct RandomRule {
    RandomLiteral head, body[BODY];
    int count;
} RandomRule;

typedef struct Program {
    RandomRule rules[RULES];
    bool holds[RELATIONS][CONSTANTS][CONSTANTS]; /* all relations have two arguments */
} Program;

static int layer_of(int relation) { return relation * LAYERS / RELATIONS; }

static RandomLiteral random_literal(KnRng *rng, int below)
{
    RandomLiteral literal = {(int)kn_rng_below(rng, (uint32_t)below), {0, 0}, false};
    for (int i = 0; i < 2; i++) literal.args[i] = (int)kn_rng_below(rng, VARIABLES + 1);
    for (int i = 0; i < 2; i++)
        if (literal.args[i] == VARIABLES) literal.args[i] += (int)kn_rng_below(rng, CONSTANTS);
    return literal;
}

/* Safe and stratified: positive literals bind, negated ones are of a lower layer and use what is bound, as
 * does the head. */
static void random_rule(KnRng *rng, RandomRule *rule)
{
    rule->head = random_literal(rng, RELATIONS);
    int layer = layer_of(rule->head.relation);
    rule->count = (int)kn_rng_below(rng, BODY + 1);
    bool bound[VARIABLES] = {false};
    for (int i = 0; i < rule->count; i++) {
        RandomLiteral *literal = &rule->body[i];
        *literal = random_literal(rng, (layer + 1) * RELATIONS / LAYERS);
        literal->negated = i > 0 && layer_of(literal->relation) < layer && kn_rng_below(rng, 2);
        for (int k = 0; k < 2; k++) {
            if (literal->args[k] >= VARIABLES) continue;
            if (literal->negated && !bound[literal->args[k]]) literal->args[k] = VARIABLES;
            if (!literal->negated) bound[literal->args[k]] = true;
        }
    }
    for (int k = 0; k < 2; k++)
        if (rule->head.args[k] < VARIABLES && !bound[rule->head.args[k]]) rule->head.args[k] = VARIABLES + 1;
}

static bool *truth(Program *program, const RandomLiteral *literal, const int *values)
{
    int at[2];
    for (int k = 0; k < 2; k++)
        at[k] = literal->args[k] < VARIABLES ? values[literal->args[k]] : literal->args[k] - VARIABLES;
    return &program->holds[literal->relation][at[0]][at[1]];
}

static bool apply_rule(Program *program, const RandomRule *rule)
{
    bool changed = false;
    for (int code = 0; code < 27; code++) {
        int values[VARIABLES] = {code % 3, code / 3 % 3, code / 9};
        bool fires = true;
        for (int i = 0; i < rule->count; i++)
            fires &= *truth(program, &rule->body[i], values) != rule->body[i].negated;
        bool *head = truth(program, &rule->head, values);
        changed |= fires && !*head;
        *head |= fires;
    }
    return changed;
}

static void evaluate_bottom_up(Program *program)
{
    memset(program->holds, 0, sizeof program->holds);
    for (int layer = 0; layer < LAYERS; layer++)
        for (bool changed = true; changed;) {
            changed = false;
            for (int i = 0; i < RULES; i++)
                if (layer_of(program->rules[i].head.relation) == layer)
                    changed |= apply_rule(program, &program->rules[i]);
        }
}

static void add_literal_text(KnText *text, const RandomLiteral *literal)
{
    kn_text_printf(text, literal->negated ? " (not (p%d" : " (p%d", literal->relation);
    for (int k = 0; k < 2; k++)
        kn_text_printf(text, literal->args[k] < VARIABLES ? " ?v%d" : " %d", literal->args[k] % VARIABLES);
    kn_text_add(text, literal->negated ? "))" : ")");
}

/* Every pair of every relation is asked for singly, by rows, and all at once. */
static void program_text(const Program *program, KnText *text)
{
    kn_text_clear(text);
    kn_text_add(text, "(role single) (role row) (role all) (n 0) (n 1) (n 2)\n");
    for (int i = 0; i < RULES; i++) {
        kn_text_add(text, "(<=");
        add_literal_text(text, &program->rules[i].head);
        for (int k = 0; k < program->rules[i].count; k++) add_literal_text(text, &program->rules[i].body[k]);
        kn_text_add(text, ")\n");
    }
    for (int r = 0; r < RELATIONS; r++)
        kn_text_printf(text,
                       "(<= (legal single (p %d ?x ?y)) (n ?x) (n ?y) (p%d ?x ?y))\n(<= (legal row (p %d ?x "
                       "?y)) (n ?x) (p%d ?x ?y))\n"
                       "(<= (legal all (p %d ?x ?y)) (p%d ?x ?y))\n",
                       r, r, r, r, r, r);
}

/* Asked singly, by rows and all at once, a machine gives what follows from the program; returns how much that
 * is. */
static long compare_with_program(const Program *program, const char *text, KnGdlReasoner reasoner)
{
    KnText name = KN_TEXT_EMPTY;
    KnError error;
    KnGdlMachine *machine = machine_of_text(text, reasoner);
    uint64_t *start = calloc(kn_gdl_machine_words(machine), sizeof *start), moves[256];
    int count, expected = 0;
    for (int i = 0; i < RELATIONS * 9; i++) expected += (&program->holds[0][0][0])[i];
    check_ok(error, kn_gdl_start(machine, start, &error));
    for (int role = 0; role < 3; role++) {
        check_ok(error, kn_gdl_legal(machine, start, role, moves, &count, &error));
        if (count != expected)
            fail_msg("role %d: %d sentences, bottom up %d, in\n%s", role, count, expected, text);
        for (int i = 0; i < count; i++) {
            int r, x, y;
            kn_text_clear(&name);
            kn_gdl_move_text(machine, moves[i], &name);
            assert_int_equal(sscanf(name.data, "(p %d %d %d)", &r, &x, &y), 3);
            if (!program->holds[r][x][y]) fail_msg("%s does not follow from\n%s", name.data, text);
        }
    }
    free(start);
    kn_gdl_machine_free(machine);
    kn_text_free(&name);
    return 3L * expected;
}

static void test_against_bottom_up(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    long programs = check_scaled(3000), derived = 0;
    for (long seed = 0; seed < programs; seed++) {
        KnRng rng = kn_rng_stream(77, (uint64_t)seed);
        Program program;
        for (int i = 0; i < RULES; i++) random_rule(&rng, &program.rules[i]);
        evaluate_bottom_up(&program);
        program_text(&program, &text);
        for (int i = 0; i < 2; i++) derived += compare_with_program(&program, text.data, reasoners[i]);
    }
    assert_true(derived > programs * 10); /* the programs are not empty ones */
    kn_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_sheets_name_the_place),
        cmocka_unit_test(test_hostile_sheets_are_refused_in_time),
        cmocka_unit_test(test_problems_are_listed),
        cmocka_unit_test(test_language),
        cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_unsafe_rules),
        cmocka_unit_test(test_against_bottom_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
