/* Games from rule sheets: what the reader refuses and where, what the prover derives (against a second, bottom-up evaluation of
 * random programs), and a sheet against its twin in C. */
#include "support/check.h"
#include "support/instances.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/rng.h"
#include "games/gdl/gdl.h"
#include "games/sequential.h"

#define SHEETS KNACK_SOURCE_DIR "/data/gdl/"

static KnGdlMachine *machine_of_text(const char *text)
{
    KnError error;
    KnGdlSheet *sheet;
    KnGdlMachine *machine;
    check_ok(error, kn_gdl_read("sheet", text, strlen(text), false, &sheet, &error));
    check_ok(error, kn_gdl_machine_new(sheet, &(KnGdlLimits){1024, 256, 0}, &machine, &error));
    return machine;
}

/* The legal moves of the first role at the start, as one text. */
static void legal_is(const char *rules, const char *wanted)
{
    KnError error;
    KnGdlMachine *machine = machine_of_text(rules);
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

/* ---- Reading ---- */

static void test_bad_sheets_name_the_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"(role a)\n(init (p)", "sheet:2:1: this ( is never closed"},
        {"(role a))", "sheet:1:9: this ) closes nothing"},
        {"(role a)\n(f b)\n (f b c)", "sheet:3:2: f has 2 arguments here, but 1 at 2:1"},
        {"(role a) (init (g 1))\n(init (g 1 2))", "sheet:2:7: function g has 2 arguments here, but 1 at 1:16"},
        {"(role a) p (p q)", "sheet:1:12: p has 1 arguments here, but 0 at 1:10"},
        {"(role a) (legal a)", "legal takes 2 arguments, not 1"},
        {"(role a) (terminal x)", "terminal takes 0 arguments, not 1"},
        {"(init p)", "no role"},
        {"", "no role"},
        {"(role ?x)", "roles must be plain facts"},
        {"(role a) (<= (role b) (p))", "roles must be plain facts"},
        {"(role a) (<= p (not q))\n(<= q p)", "sheet:1:21: unstratified negation: p depends on itself through this not q"},
        {"(role a) (<= (p ?x) (q ?x) (not (p ?x)))", "unstratified negation"},
        {"(role a) (<= (true p) q)", "rules cannot define it"},
        {"(role a) (does a b)", "rules cannot define it"},
        {"(role a) ()", "sheet:1:10: empty parentheses"},
        {"(role a) ((p) q)", "a name is wanted"},
        {"(role a) (?p q)", "a name is wanted"},
        {"(role a) (<= p ?q)", "a variable cannot stand for a sentence"},
        {"(role a) (<=)", "<= without a head"},
        {"(role a) (<= p (not q r))", "not takes one literal"},
        {"(role a) (<= p (distinct q))", "distinct takes two terms"},
        {"(role a) (not p)", "cannot be defined"},
        {"(role a) (p \x01)", "sheet:1:13: a control character"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnGdlSheet *sheet;
        KnError error;
        KnStatus status = kn_gdl_read("sheet", rows[i].text, strlen(rows[i].text), false, &sheet, &error);
        if (status != KN_INPUT || sheet || !strstr(error.text, rows[i].message))
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
    KnGdlSheet *sheet;
    KnError error;
    repeated(&text, "(", 1000000);
    check_fails(error, KN_INPUT, "nested more than 100 deep", kn_gdl_read("s", text.data, text.length, false, &sheet, &error));
    kn_text_clear(&text);
    kn_text_add(&text, "(role a) (p");
    repeated(&text, " x", 100000);
    kn_text_add(&text, ")");
    check_fails(error, KN_INPUT, "more than 64 arguments", kn_gdl_read("s", text.data, text.length, false, &sheet, &error));
    kn_text_clear(&text);
    kn_text_add(&text, "(role a) (<= p");
    repeated(&text, " (or q r s t)", 300);
    kn_text_add(&text, ")");
    check_fails(error, KN_INPUT, "too many rules", kn_gdl_read("s", text.data, text.length, false, &sheet, &error));
    kn_text_free(&text);
}

static void test_problems_are_listed(void **state)
{
    (void)state;
    static const char rules[] = "(role a)\n(<= (p ?x) (not (q ?x)))\n(q 1)\n(r)\n(<= (legal a m) r (s 1))\n(f 1) (f 1 2)";
    KnGdlSheet *sheet;
    KnError error;
    assert_int_equal(kn_gdl_read("sheet", rules, sizeof rules - 1, true, &sheet, &error), KN_NO);
    static const struct {
        bool error;
        int line, column;
        const char *part;
    } wanted[] = {{true, 6, 7, "f has 2"}, {false, 2, 17, "this not, which is left out"}, {false, 2, 1, "of the head"},
                  {false, 4, 1, "(r) is not the same sentence as r"}, {false, 5, 17, "r is used but never defined"},
                  {false, 5, 19, "s is used but never defined"}, {false, 1, 1, "no rule for goal"}};
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        bool found = false;
        for (int i = 0; i < sheet->problem_count; i++) {
            const KnGdlProblem *problem = &sheet->problems[i];
            found |= problem->error == wanted[w].error && problem->place.line == wanted[w].line &&
                     problem->place.column == wanted[w].column && strstr(problem->text, wanted[w].part);
        }
        if (!found) fail_msg("no problem \"%s\" at %d:%d", wanted[w].part, wanted[w].line, wanted[w].column);
    }
    kn_gdl_free(sheet);
}

/* ---- Proving ---- */

static void test_language(void **state)
{
    (void)state;
    legal_is("(ROLE a) (Legal a x) (LEGAL a Y) (legal a y) ; (legal a z)\n", "Y x y");
    legal_is("(role a) (p 1) (p 2) (p 3) (<= (legal a ?x) (distinct ?x 2) (p ?x))", "1 3");
    legal_is("(role a) (p 1) (p 2) (q 2) (<= (legal a ?x) (not (q ?x)) (p ?x))", "1");
    legal_is("(role a) (p 1) (p 2) (p 3) (<= (legal a ?x) (p ?x) (or (distinct ?x ?x) (not (distinct ?x 2))))", "2");
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
    legal_is(EDGES "(<= (t ?x ?y) (e ?x ?y)) (<= (t ?x ?z) (t ?x ?y) (t ?y ?z)) (<= (legal a ?y) (t 1 ?y))", "1 2 3 4");
    legal_is(EDGES "(<= (t ?x ?z) (t ?x ?y) (e ?y ?z)) (<= (t ?x ?y) (e ?x ?y)) (<= (legal a ?x) (t ?x 4))", "1 2 3");
    legal_is(EDGES "(<= (t ?x ?y) (e ?x ?y)) (<= (t ?x ?z) (e ?x ?y) (t ?y ?z))"
                   "(<= (legal a ?x) (e ?x ?y) (not (t ?x ?x)))", "5");
    /* two relations that need each other, and one that only needs itself */
    legal_is("(role a) (s 0 1) (s 1 2) (s 2 3) (s 3 4) (even 0) (<= (even ?y) (s ?x ?y) (odd ?x))"
             "(<= (odd ?y) (s ?x ?y) (even ?x)) (<= (legal a ?x) (odd ?x)) (<= (loop) (loop)) (<= (legal a z) (loop))", "1 3");
    /* a circle of goals within a circle: the outer one must be taken up again for the inner one's late answers */
    legal_is("(role a) (k 1 2) (k 2 3) (k 3 4) (<= (p ?x) (q ?x)) (<= (q ?y) (p ?x) (k ?x ?y)) (<= (q ?x) (r ?x)) (r 1)"
             "(<= (r ?y) (q ?x) (k ?x ?y)) (<= (legal a ?x) (p ?x))", "1 2 3 4");
    /* recursion that builds terms but stops by itself */
    legal_is("(role a) (r 0 0) (q 0) (<= (r ?b (f ?b)) (r ?a ?b) (q ?a)) (<= (legal a ?y) (r ?x ?y))", "0 (f 0) (f (f 0))");
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

/* Safe and stratified: positive literals bind, negated ones are of a lower layer and use what is bound, as does the head. */
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
    for (int k = 0; k < 2; k++) at[k] = literal->args[k] < VARIABLES ? values[literal->args[k]] : literal->args[k] - VARIABLES;
    return &program->holds[literal->relation][at[0]][at[1]];
}

static bool apply_rule(Program *program, const RandomRule *rule)
{
    bool changed = false;
    for (int code = 0; code < 27; code++) {
        int values[VARIABLES] = {code % 3, code / 3 % 3, code / 9};
        bool fires = true;
        for (int i = 0; i < rule->count; i++) fires &= *truth(program, &rule->body[i], values) != rule->body[i].negated;
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
                if (layer_of(program->rules[i].head.relation) == layer) changed |= apply_rule(program, &program->rules[i]);
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
                       "(<= (legal single (p %d ?x ?y)) (n ?x) (n ?y) (p%d ?x ?y))\n(<= (legal row (p %d ?x ?y)) (n ?x) (p%d ?x ?y))\n"
                       "(<= (legal all (p %d ?x ?y)) (p%d ?x ?y))\n",
                       r, r, r, r, r, r);
}

static void test_against_bottom_up(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY, name = KN_TEXT_EMPTY;
    KnError error;
    long programs = check_scaled(3000), derived = 0;
    for (long seed = 0; seed < programs; seed++) {
        KnRng rng = kn_rng_stream(77, (uint64_t)seed);
        Program program;
        for (int i = 0; i < RULES; i++) random_rule(&rng, &program.rules[i]);
        evaluate_bottom_up(&program);
        program_text(&program, &text);
        KnGdlMachine *machine = machine_of_text(text.data);
        uint64_t *start = calloc(kn_gdl_machine_words(machine), sizeof *start), moves[256];
        check_ok(error, kn_gdl_start(machine, start, &error));
        for (int role = 0; role < 3; role++) {
            int count, expected = 0;
            check_ok(error, kn_gdl_legal(machine, start, role, moves, &count, &error));
            for (int i = 0; i < RELATIONS * 9; i++) expected += (&program.holds[0][0][0])[i];
            derived += expected;
            if (count != expected) fail_msg("role %d: %d sentences, bottom up %d, in\n%s", role, count, expected, text.data);
            for (int i = 0; i < count; i++) {
                int r, x, y;
                kn_text_clear(&name);
                kn_gdl_move_text(machine, moves[i], &name);
                assert_int_equal(sscanf(name.data, "(p %d %d %d)", &r, &x, &y), 3);
                if (!program.holds[r][x][y]) fail_msg("%s does not follow from\n%s", name.data, text.data);
            }
        }
        free(start);
        kn_gdl_machine_free(machine);
    }
    assert_true(derived > programs * 10); /* the programs are not empty ones */
    kn_text_free(&text);
    kn_text_free(&name);
}

/* ---- As games ---- */

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
    kn_context_free(f->context);
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
    Fixture f = open_game("gdl:" SHEETS "nim3.kif");
    assert_int_equal(f.game->roles, 3);
    assert_string_equal(f.game->role_names[1], "bert");
    assert_int_equal(f.game->nature, -1);
    static const char *const takes[][3] = {{"(take two)", "rest", "rest"}, {"rest", "(take two)", "rest"}, {"rest", "rest", "(take two)"},
                                           {"(take two)", "rest", "rest"}, {"rest", "(take one)", "rest"}};
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
    Fixture dice = open_game("gdl:" SHEETS "dice.kif");
    assert_int_equal(dice.game->nature, 1);
    close_game(&dice);
}

/* Breadth-first over the puzzle: solvable in eight hops and no fewer. */
static void test_puzzle(void **state)
{
    (void)state;
    enum { MOST = 4096 };
    Fixture f = open_game("gdl:" SHEETS "frogs.kif");
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

static void test_simultaneous(void **state)
{
    (void)state;
    Fixture f = open_game("gdl:" SHEETS "roshambo.kif");
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
    if (!count) compare_end(t, position, twin);
    else if (!depth) t->leaves++;
    if (!count || !depth) return;
    assert_int_equal(t->view->type->mover(t->view, twin), type->mover(t->c.game, position));
    void *child = room(t->c.game), *other = room(t->view);
    for (int i = 0; i < count; i++) {
        char name[32];
        KnMove move;
        KnError error;
        twin_name(t->c.game, position, moves[i], name, sizeof name);
        check_ok(error, kn_game_parse_move(t->view, twin, t->view->type->mover(t->view, twin), name, &move, &error));
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
    Twins t = {.c = open_game("tictactoe"), .gdl = open_game("gdl:" SHEETS "tictactoe.kif")};
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
            check_ok(error, kn_game_parse_move(t.view, start, t.view->type->mover(t.view, start), name, &twins[1], &error));
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

static KnStatus random_contest(void *user, int worker, uint64_t index, KnError *error)
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

/* The second sheet counts without end below 200, and has no grounding: numbers are given as facts appear, in whatever order
 * the threads meet them; hashes must not show it. */
static void test_threads_agree(void **state)
{
    (void)state;
    static const char counting[] = "(role a) (init (n 0 z)) (mark x) (mark y) (mark z)\n(<= (legal a ?m) (mark ?m))\n"
                                   "(<= (next (n (s ?x) ?m)) (true (n ?x ?k)) (does a ?m))\n"
                                   "(<= terminal (true (n (s (s (s (s (s (s (s ?x))))))) ?m)))\n(goal a 50)";
    FILE *file = fopen("counting.kif", "w");
    assert_non_null(file);
    fputs(counting, file);
    fclose(file);
    static const char *const specs[] = {"gdl:" SHEETS "dice.kif", "gdl:counting.kif"};
    for (int s = 0; s < 2; s++) {
        KnError error;
        Shared one, many;
        Fixture f = open_game(specs[s]), g = open_game(specs[s]);
        one.game = f.game;
        many.game = g.game;
        check_ok(error, kn_parallel(1, 64, random_contest, &one, NULL, &error));
        check_ok(error, kn_parallel(4, 64, random_contest, &many, NULL, &error));
        assert_memory_equal(one.results, many.results, sizeof one.results);
        assert_int_equal(kn_gdl_trouble(g.game, &error), KN_OK);
        assert_int_equal(kn_gdl_machine_grounded(kn_game_gdl(g.game)), s == 0);
        close_game(&f);
        close_game(&g);
    }
}

/* ---- Trouble ---- */

static void write_sheet(const char *rules)
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
    write_sheet("(role a) (init (n 0)) (legal a go) (<= (next (n (s ?x))) (true (n ?x)))");
    trouble_is("gdl(trouble.kif, facts=64)", 64, "more than 64 different facts");
    trouble_is("gdl(trouble.kif, facts=4096)", 199, "asking for (next ?0): more terms, or more deeply nested ones");
    write_sheet("(role a) (p 0) (<= (p (f ?x)) (p ?x)) (<= (legal a ?x) (p ?x))");
    trouble_is("gdl(trouble.kif)", 0, "more deeply nested");
    write_sheet("(role a) (init q) (legal a go) (<= (next (p ?x)) (true q))");
    trouble_is("gdl(trouble.kif)", 1, "an unsafe rule makes (next (p ?0)) true");
    write_sheet("(role a) (d 1) (d 2) (d 3) (d 4) (<= (legal a (m ?a ?b)) (d ?a) (d ?b))");
    trouble_is("gdl(trouble.kif, moves=15)", 0, "16 legal moves at once");
}

/* Rules too costly for the bound: the question fails, and the next one is answered. */
static void test_costly_rules_are_stopped(void **state)
{
    (void)state;
    static const char rules[] = "(role a) (role b) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)\n"
                                "(<= (p ?a ?b ?c ?d ?e ?f ?g) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g) (never))\n"
                                "(<= (legal a x) (p ?a ?b ?c ?d ?e ?f ?g)) (legal b y) (goal a 0)";
    KnGdlSheet *sheet;
    KnGdlMachine *machine;
    KnError error;
    check_ok(error, kn_gdl_read("costly", rules, sizeof rules - 1, false, &sheet, &error));
    check_ok(error, kn_gdl_machine_new(sheet, &(KnGdlLimits){64, 64, 100000}, &machine, &error));
    uint64_t state_bits[64] = {0}, moves[64];
    int count;
    assert_true(kn_gdl_machine_words(machine) <= 64);
    for (int i = 0; i < 3; i++) {
        check_fails(error, KN_INPUT, "costly: asking for (legal a ?0): more steps", kn_gdl_legal(machine, state_bits, 0, moves, &count, &error));
        check_ok(error, kn_gdl_legal(machine, state_bits, 1, moves, &count, &error));
        assert_int_equal(count, 1);
    }
    kn_gdl_machine_free(machine);
}

/* Moves keep their case; a text in another case is understood where there is nothing nearer. */
static void test_moves_keep_their_case(void **state)
{
    (void)state;
    write_sheet("(role a) (init p) (legal a NOOP) (legal a noop) (legal a (Go 1)) (goal a 0) (<= terminal (not (true p)))");
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
    Fixture f = open_game("gdl:" SHEETS "tictactoe.kif");
    KnError error;
    const KnGameType *type = f.game->type;
    check_fails(error, KN_INPUT, "empty text", type->parse_position(f.game, "  ", f.b, &error));
    check_fails(error, KN_INPUT, "not closed", type->parse_position(f.game, "(cell 1 1", f.b, &error));
    check_fails(error, KN_INPUT, "do not have", type->parse_position(f.game, "(cell 1 1 z)", f.b, &error));
    check_fails(error, KN_INPUT, "expected a term", type->parse_position(f.game, "(cell 1 1 x) )", f.b, &error));
    check_ok(error, type->parse_position(f.game, " ( control  o )(cell 1 1 x) ", f.b, &error));
    KnText text = KN_TEXT_EMPTY;
    type->position_text(f.game, f.b, &text);
    assert_string_equal(text.data, "(cell 1 1 x) (control o)");
    kn_text_free(&text);
    close_game(&f);
    f = open_game("gdl:" SHEETS "nim3.kif"); /* all its facts are known */
    check_fails(error, KN_INPUT, "\"(heap anna)\" is no fact", f.game->type->parse_position(f.game, "(heap anna)", f.b, &error));
    close_game(&f);
    KnContext *context = test_context();
    KnGame *game;
    check_fails(error, KN_SYSTEM, "nowhere.kif", kn_game_open(context, "gdl:nowhere.kif", &game, &error));
    check_fails(error, KN_INPUT, "file must be given", kn_game_open(context, "gdl", &game, &error));
    kn_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_sheets_name_the_place),  cmocka_unit_test(test_hostile_sheets_are_refused_in_time),
        cmocka_unit_test(test_problems_are_listed),        cmocka_unit_test(test_language),
        cmocka_unit_test(test_recursion),                  cmocka_unit_test(test_unsafe_rules),
        cmocka_unit_test(test_against_bottom_up),          cmocka_unit_test(test_roles_and_goals),
        cmocka_unit_test(test_puzzle),                     cmocka_unit_test(test_simultaneous),
        cmocka_unit_test(test_tictactoe_twin),             cmocka_unit_test(test_threads_agree),
        cmocka_unit_test(test_trouble_ends_the_game),      cmocka_unit_test(test_costly_rules_are_stopped),
        cmocka_unit_test(test_moves_keep_their_case),      cmocka_unit_test(test_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
