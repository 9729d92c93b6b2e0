/* What public game descriptions do with the language, a description for each: every reasoner reaches the
 * states, goals and moves that the language says. */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "games/gdl/machine.h"

typedef struct Walk {
    const char *rules;
    const char *moves; /* joint moves of the walk, apart by ; and within by | */
    const char *facts; /* where it ends */
    const char *legal; /* of the first role, there */
    const char *goals; /* - where there is none, or several */
    bool terminal;
} Walk;

static KnGdlMachine *machine_of(const char *rules, KnGdlReasoner reasoner, bool cut)
{
    KnError error;
    KnGdlDescription *description;
    KnGdlMachine *machine = NULL;
    check_ok(error, kn_gdl_read("description", rules, strlen(rules), false, &description, &error));
    KnGdlLimits limits = {.facts = 1024, .moves = 256, .reasoner = reasoner, .split = cut};
    KnStatus status = kn_gdl_machine_new(description, &limits, &machine, &error);
    if (status != KN_OK) fail_msg("%s\n%s", error.text, rules);
    return machine;
}

static uint64_t find_move(KnGdlMachine *machine, const uint64_t *state, int role, const char *name,
                          const char *rules)
{
    KnError error;
    uint64_t moves[256];
    int count;
    KnText text = KN_TEXT_EMPTY;
    check_ok(error, kn_gdl_legal(machine, state, role, moves, &count, &error));
    for (int i = 0; i < count; i++) {
        kn_text_clear(&text);
        kn_gdl_move_text(machine, moves[i], &text);
        if (strcmp(text.data, name) != 0) continue;
        kn_text_free(&text);
        return moves[i];
    }
    fail_msg("%s is not legal for role %d in\n%s", name, role, rules);
    return 0;
}

static void play_walk(KnGdlMachine *machine, uint64_t *state, const Walk *walk)
{
    KnError error;
    char *copy = strdup(walk->moves), *rest = copy, *step;
    while (*rest && (step = strsep(&rest, ";"))) {
        uint64_t joint[KN_GDL_ROLES];
        int role = 0;
        for (char *name; (name = strsep(&step, "|")); role++)
            joint[role] = find_move(machine, state, role, name, walk->rules);
        assert_int_equal(role, kn_gdl_machine_description(machine)->role_count);
        check_ok(error, kn_gdl_next(machine, state, joint, state, &error));
        if (!rest) break;
    }
    free(copy);
}

static void same(const Walk *walk, const char *what, const char *got, const char *wanted)
{
    if (strcmp(got, wanted) != 0) fail_msg("%s\n%s: %s\nwanted: %s", walk->rules, what, got, wanted);
}

static void check_end(KnGdlMachine *machine, const uint64_t *state, const Walk *walk)
{
    KnError error;
    KnText text = KN_TEXT_EMPTY;
    uint64_t moves[256];
    int count, value;
    bool terminal;
    kn_gdl_state_text(machine, state, " ", &text);
    same(walk, "facts", text.data, walk->facts);
    kn_text_clear(&text);
    check_ok(error, kn_gdl_legal(machine, state, 0, moves, &count, &error));
    for (int i = 0; i < count; i++) {
        if (i) kn_text_add_char(&text, ' ');
        kn_gdl_move_text(machine, moves[i], &text);
    }
    same(walk, "legal", text.data, walk->legal);
    kn_text_clear(&text);
    for (int role = 0; role < kn_gdl_machine_description(machine)->role_count; role++) {
        check_ok(error, kn_gdl_goal(machine, state, role, &value, &error));
        kn_text_printf(&text, value < 0 ? "%s-" : "%s%d", role ? " " : "", value);
    }
    same(walk, "goals", text.data, walk->goals);
    check_ok(error, kn_gdl_is_terminal(machine, state, &terminal, &error));
    same(walk, "terminal", terminal ? "yes" : "no", walk->terminal ? "yes" : "no");
    kn_text_free(&text);
}

static void check_walks(const Walk *walks, size_t count)
{
    static const struct {
        KnGdlReasoner reasoner;
        bool cut;
    } ways[] = {{KN_GDL_PROVER, false}, {KN_GDL_AUTO, false}, {KN_GDL_AUTO, true}};
    for (size_t w = 0; w < count; w++)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            KnError error;
            KnGdlMachine *machine = machine_of(walks[w].rules, ways[i].reasoner, ways[i].cut);
            uint64_t *state = calloc(kn_gdl_machine_words(machine), sizeof *state);
            check_ok(error, kn_gdl_start(machine, state, &error));
            play_walk(machine, state, &walks[w]);
            check_end(machine, state, &walks[w]);
            free(state);
            kn_gdl_machine_free(machine);
        }
}

#define CHECK_WALKS(walks) check_walks(walks, sizeof(walks) / sizeof *(walks))

/* ---- Writing ---- */

static void test_spelling(void **state)
{
    (void)state;
    static const Walk walks[] = {
        /* keywords in any case, also inside; comments in every place; no blanks where none are needed */
        {"; first\n(ROLE robot);second\n(INIT(At 1))(Succ 1 2)(Succ 2 3)\n(<=(LEGAL robot(Go ?Y))(TRUE(At "
         "?X))(Succ ?X ; inside\n ?Y))"
         "(<=(NEXT(At ?Y))(DOES robot(Go ?Y)))(<= TERMINAL(True(At 3)))(<= (Goal robot 100)Terminal)(<= "
         "(GOAL robot 0)(Not TERMINAL))",
         "(Go 2);(Go 3)", "(At 3)", "", "100", true},
        /* variables differ by case, as other names do */
        {"(role a)(p 1 2)(<= (legal a (m ?x ?X)) (p ?x ?X))(init (s))(init s)", "", "(s) s", "(m 1 2)", "-",
         false},
        /* symbols of all kinds */
        {"(role a)(init (x-1 +_/*&%$#@!=<>.,:'\"~^|[]{}))(<= (legal a ?m)(true (x-1 ?m)))", "",
         "(x-1 +_/*&%$#@!=<>.,:'\"~^|[]{})", "+_/*&%$#@!=<>.,:'\"~^|[]{}", "-", false},
        /* a function, a relation and a constant of the same name */
        {"(role cell)(cell 1 2)(init (cell 1 cell))(init (f (cell 2 3)))(<= (legal cell (cell ?x ?y)) (cell "
         "?x ?y))",
         "", "(cell 1 cell) (f (cell 2 3))", "(cell 1 2)", "-", false},
        /* keywords as plain terms */
        {"(role a)(init (true 1))(init (does goal legal))(<= (legal a (legal ?x)) (true (true ?x)))", "",
         "(does goal legal) (true 1)", "(legal 1)", "-", false},
    };
    CHECK_WALKS(walks);
}

static void test_bodies(void **state)
{
    (void)state;
#define NUMBERS "(role a)(n 1)(n 2)(n 3)(n 4)(n 5)(n 6)(e 2)(e 4)(e 6)(t 3)(t 6)"
    static const Walk walks[] = {
        {NUMBERS "(<= (legal a ?x) (or (e ?x) (t ?x) (s ?x)))", "", "", "2 3 4 6", "-", false},
        {NUMBERS "(<= (legal a ?x) (n ?x) (not (or (e ?x) (t ?x))))", "", "", "1 5", "-", false},
        {NUMBERS "(<= (legal a ?x) (n ?x) (or (not (or (e ?x) (t ?x))) (not (distinct ?x 6))))", "", "",
         "1 5 6", "-", false},
        {NUMBERS "(<= (legal a ?x) (or (or (e ?x) (t ?x)) (or (not (e 1)) (t 1))) (n ?x) (distinct ?x 2) "
                 "(distinct 3 ?x))",
         "", "", "1 4 5 6", "-", false},
        {NUMBERS "(<= (legal a ?x) (or (e ?x)) (or (t ?x)))", "", "", "6", "-", false},
        {NUMBERS "(<= (legal a (f ?x ?y)) (distinct ?x ?y) (not (e ?x)) (n ?x) (e ?y) (not (distinct ?y 2)))",
         "", "", "(f 1 2) (f 3 2) (f 5 2)", "-", false},
        {NUMBERS "(<= (legal a ?x) (n ?x) (distinct (f ?x) (f 2)) (not (distinct (f 5) (f ?x))))", "", "",
         "5", "-", false},
        /* an empty `or` never holds; what is used and never defined neither */
        {NUMBERS "(<= (legal a ?x) (e ?x) (or))(<= (legal a ?x) (t ?x) (nothing ?x))(<= (legal a ?x) (t ?x) "
                 "(not (nothing ?x)))",
         "", "", "3 6", "-", false},
        /* more alternatives than can be expanded: seven `or`s of three, shared and private variables */
        {NUMBERS "(<= (legal a ?x) (or (e ?x) (t ?x) (n ?x)) (or (e ?y) (t ?y) (s ?y)) (or (n ?x) (e ?x) (t "
                 "?x)) (or (e ?y) (s ?y) (s ?y))"
                 " (or (t ?y) (s ?y) (s ?y)) (or (e 1) (e 2) (e 3)) (or (not (e 1)) (e 2) (distinct 1 1)) "
                 "(distinct ?x ?y))",
         "", "", "1 2 3 4 5", "-", false},
        /* and where an alternative does not bind: those are expanded */
        {NUMBERS "(<= (legal a ?x) (n ?x) (or (e ?x) (distinct ?x 5)) (or (t ?x) (not (e ?x))) (or (n ?x) (e "
                 "?x)) (or (n ?x) (e ?x))"
                 " (or (n ?x) (e ?x)) (or (n ?x) (e ?x)) (or (n ?x) (e ?x)))",
         "", "", "1 3 6", "-", false},
    };
    CHECK_WALKS(walks);
}

static void test_many_alternatives(void **state)
{
    (void)state;
    KnText rules = KN_TEXT_EMPTY, legal = KN_TEXT_EMPTY;
    kn_text_add(&rules, "(role a)(<= (legal a ?x) (or");
    for (int i = 100; i < 400; i++) {
        kn_text_printf(&rules, " (p%d ?x)", i);
        kn_text_printf(&legal, "%s%d", i > 100 ? " " : "", i);
    }
    kn_text_add(&rules, "))");
    for (int i = 100; i < 256; i++) kn_text_printf(&rules, "(p%d %d)", i, i);
    legal.data[156 * 4 - 1] = 0;
    Walk walk = {rules.data, "", "", legal.data, "-", false};
    check_walks(&walk, 1);
    kn_text_free(&rules);
    kn_text_free(&legal);
}

/* ---- States ---- */

static void test_states(void **state)
{
    (void)state;
    static const Walk walks[] = {
        /* facts carried over by a variable that stands for the whole fact; bare propositions */
        {"(role a)(init lamp)(init (door shut))(init (count 0))(fixed lamp)(fixed (door shut))(legal a wait)"
         "(<= (next ?f) (true ?f) (fixed ?f))(<= (next (count 1)) (true (count 0)))(<= (next (door open)) "
         "(true (count 1)))",
         "wait;wait", "(door open) (door shut) lamp", "wait", "-", false},
        /* next without regard to state or moves, init by rules */
        {"(role a)(d 1)(d 2)(<= (init (c ?x ?y)) (d ?x) (d ?y) (distinct ?x ?y))(legal a m)(next always)(<= "
         "(next (c ?x ?x)) (true (c ?x ?y)))",
         "m", "(c 1 1) (c 2 2) always", "m", "-", false},
        /* terms with functions inside facts, taken apart and put together */
        {"(role a)(init (on (stack red (stack blue nil))))(legal a pop)(legal a dup)(<= (next (on ?r)) (does "
         "a pop) (true (on (stack ?t ?r))))"
         "(<= (next (on ?r)) (does a dup) (true (on ?r)))(<= (next (off ?t)) (does a pop) (true (on (stack "
         "?t ?r))))"
         "(<= (next (off ?t)) (true (off ?t)))(<= terminal (true (on nil)))(<= (goal a 100) (true (off "
         "blue)))(<= (goal a 30) (not (true (off blue))))",
         "pop;dup;pop", "(off blue) (off red) (on nil)", "dup pop", "100", true},
        /* a game that begins at its end; a goal that nobody has */
        {"(role a)(role b)(init x)(<= terminal (true x))(<= (goal a 70) terminal)(legal a m)(legal b m)", "",
         "x", "m", "70 -", true},
        /* a state without facts */
        {"(role a)(init x)(legal a m)(<= terminal (not (true x)))(<= (goal a 100) terminal)", "m", "", "m",
         "100", true},
        /* several goals, goals that are no numbers, goals that go up and down */
        {"(role a)(role b)(role c)(role d)(goal a 10)(goal a 20)(goal b high)(<= (goal c ?x) (true (w "
         "?x)))(init (w 7))(legal ?r m)"
         "(goal d 100)(goal d 100)(<= (next (w 3)) (true (w 7)))",
         "m|m|m|m", "(w 3)", "m", "- - 3 100", false},
        /* rules that always hold, written with <= */
        {"(role a)(<= (init (p 1)))(<= (legal a m))(<= (next (p 2)))(<= (succ 1 2))(<= (goal a 50))(<= "
         "terminal (true (p ?x)) (succ ?y ?x))",
         "m", "(p 2)", "m", "50", true},
    };
    CHECK_WALKS(walks);
}

static void test_moves(void **state)
{
    (void)state;
    static const Walk walks[] = {
        /* helpers about moves: shared by several rules, negated, of the other role, with the move as a
           variable */
        {"(role a)(role b)(init (at 1))(n 1)(n 2)(n 3)(<= (legal a (go ?x)) (n ?x))(<= (legal b ?m) (blocks "
         "?m))(blocks wait)(blocks (wall 2))(blocks (wall 3))"
         "(<= (blocked ?x) (does b (wall ?x)))(<= (moved ?x) (does a (go ?x)) (not (blocked ?x)))(<= someone "
         "(moved ?x))"
         "(<= (next (at ?x)) (moved ?x))(<= (next (at ?x)) (true (at ?x)) (not someone))(<= (next (last ?m)) "
         "(does ?r ?m) (distinct ?r a))",
         "(go 3)|wait;(go 2)|(wall 2);(go 2)|(wall 3)", "(at 2) (last (wall 3))", "(go 1) (go 2) (go 3)",
         "- -", false},
        /* legal in terms of legal; one role's moves by another's */
        {"(role a)(role b)(legal a x)(legal a y)(<= (legal b (not ?m)) (legal a ?m))(<= (next (s ?m ?k)) "
         "(does a ?m) (does b (not ?k)))",
         "y|(not x)", "(s y x)", "x y", "- -", false},
        /* legal and goal that ask what is done: nothing is, when they are asked */
        {"(role a)(init p)(legal a x)(<= (legal a y) (does a x))(<= (legal a z) (not (does a x)))(<= (goal a "
         "100) (does a x))(<= (goal a 1) (not (does a x)))"
         "(<= (next q) (does a z))",
         "z", "q", "x z", "1", false},
        /* the same move for several roles; moves without a role of their own are nobody's */
        {"(role a)(role b)(legal c z)(<= (legal ?r m) (role ?r))(<= (next (did ?r)) (does ?r m))", "m|m",
         "(did a) (did b)", "m", "- -", false},
        /* a role without moves, and moves in a state that is terminal */
        {"(role a)(role b)(init p)(legal a m)(<= (legal b m) (true q))(<= terminal (true p))", "", "p", "m",
         "- -", true},
    };
    CHECK_WALKS(walks);
}

static void test_roles(void **state)
{
    (void)state;
    static const Walk walks[] = {
        /* roles by rules, where there are no plain ones; by a rule without body; not by rules where there are
           plain ones */
        {"(player x)(player y)(<= (role ?p) (player ?p))(<= (legal ?p m) (role ?p))(<= (goal ?p 5) (role "
         "?p))",
         "", "", "m", "5 5", false},
        {"(<= (role x))(legal x m)", "", "", "m", "-", false},
        {"(role x)(<= (role y) (other y))(other y)(legal x m)(legal y m)", "", "", "m", "-", false},
        /* a description that declares base and input, by rules too, and says too little of them */
        {"(role a)(base (p 1))(<= (input a (set ?x)) (n ?x))(n 1)(n 2)(init (p 1))(<= (legal a (set ?x)) (n "
         "?x))(<= (legal a stay) (true (p 1)))"
         "(<= (next (p ?x)) (does a (set ?x)))",
         "(set 2)", "(p 2)", "(set 1) (set 2)", "-", false},
    };
    CHECK_WALKS(walks);
}

/* Recursion over the state: paths, groups with `not` above them, numbers. */
static void test_recursion_in_states(void **state)
{
    (void)state;
    static const Walk walks[] = {
        {"(role a)(e 1 2)(e 2 3)(e 3 4)(e 4 1)(e 3 5)(<= (legal a (join ?x ?y)) (e ?x ?y) (not (true (edge "
         "?x ?y))))"
         "(<= (next (edge ?x ?y)) (does a (join ?x ?y)))(<= (next ?f) (true ?f))(<= (path ?x ?y) (true (edge "
         "?x ?y)))"
         "(<= (path ?x ?z) (path ?x ?y) (path ?y ?z))(<= terminal (path ?x ?x))(<= (goal a 100) (path 1 "
         "5))(<= (goal a 0) (not (path 1 5)))",
         "(join 1 2);(join 2 3);(join 4 1);(join 3 4)", "(edge 1 2) (edge 2 3) (edge 3 4) (edge 4 1)",
         "(join 3 5)", "0", true},
        {"(role a)(s 0 1)(s 1 2)(s 2 3)(s 3 4)(init (at 2))(<= (le ?x ?x) (s ?x ?y))(<= (le ?x ?z) (s ?x ?y) "
         "(le ?y ?z))(le 4 4)"
         "(<= (legal a (to ?y)) (true (at ?x)) (le ?y ?x))(<= (next (at ?y)) (does a (to ?y)))(<= (goal a 9) "
         "(true (at ?x)) (not (le 1 ?x)))",
         "(to 1)", "(at 1)", "(to 0) (to 1)", "-", false},
        {"(role a)(init (v p))(init (v q))(legal a m)(<= (x p) (y p))(<= (y p) (x p))(<= (x ?k) (true (v "
         "?k)) (y q))(<= (y q) (true (v q)))"
         "(<= (next (w ?k)) (x ?k))(<= (next none) (not (y p)))",
         "m", "(w p) (w q)", "m", "-", false},
    };
    CHECK_WALKS(walks);
}

/* Each reasoner says the same of a variable that only some alternatives bind: tests that nothing binds are
 * left out there. */
static void test_unbound_tests(void **state)
{
    (void)state;
    static const Walk walks[] = {
        {"(role a)(p 1)(p 2)(q 2)(<= (legal a x) (or (p ?x) (r ?y)) (not (q ?x)))", "", "", "x", "-", false},
        {"(role a)(p 1)(q 1)(<= (legal a x) (p ?x) (not (q ?y)))(<= (legal a y) (distinct ?z ?y) (p 1))", "",
         "", "x y", "-", false},
    };
    CHECK_WALKS(walks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spelling),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_many_alternatives),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_recursion_in_states),
        cmocka_unit_test(test_unbound_tests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
