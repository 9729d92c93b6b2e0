/* Specs: what parses, what prints back, what is refused and where; binding to option tables. */
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"

static void check_round_trip(const char *text, const char *canonical)
{
    KnError error;
    KnArena *arena = kn_arena_new();
    const KnSpec *spec;
    check_ok(error, kn_spec_parse(text, arena, &spec, &error));
    KnText printed = KN_TEXT_EMPTY;
    kn_spec_print(spec, &printed);
    assert_string_equal(printed.data, canonical);
    const KnSpec *again;
    check_ok(error, kn_spec_parse(printed.data, arena, &again, &error));
    KnText twice = KN_TEXT_EMPTY;
    kn_spec_print(again, &twice);
    assert_string_equal(twice.data, canonical);
    kn_text_free(&printed);
    kn_text_free(&twice);
    kn_arena_free(arena);
}

static void test_canonical_form(void **state)
{
    (void)state;
    check_round_trip("random", "random");
    check_round_trip(" random ( ) ", "random");
    check_round_trip("alphabeta( depth=6,eval = td(weights=chk.json))",
                     "alphabeta(depth=6, eval=td(weights=chk.json))");
    check_round_trip("hoyle(+rote,-patsy, knowledge=five.json)", "hoyle(+rote, -patsy, knowledge=five.json)");
    check_round_trip("memory1(.9,.1,-.5,2e-3)", "memory1(.9, .1, -.5, 2e-3)");
    check_round_trip("gtp(\"gnugo --mode gtp \\\"x\\\"\")", "gtp(\"gnugo --mode gtp \\\"x\\\"\")");
    check_round_trip("gdl:games/ttt.kif", "gdl:games/ttt.kif");
    check_round_trip("wrap(gdl:a.kif, 3)", "wrap(gdl:a.kif, 3)");
    check_round_trip("matrix(\"3,3 0,5\", turns=200)", "matrix(\"3,3 0,5\", turns=200)");
}

static void test_refusals_name_the_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"", "column 1: a name or a value is missing"},
        {"a(", "column 3"},
        {"a(b", "column 2: this parenthesis is never closed"},
        {"a(b c)", "column 5: expected , or )"},
        {"a(,)", "column 3: expected a name"},
        {"a(b,)", "column 5"},
        {"a(\"b)", "column 3: this quoted text never ends"},
        {"a)b", "column 2: nothing should follow"},
        {"a(k=j=1)", "a second ="},
        {"k=1", "outside of any parentheses"},
        {"7", "expected a name"},
        {"gdl:", "a path should follow the colon"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        KnError error;
        KnArena *arena = kn_arena_new();
        const KnSpec *spec;
        check_fails(error, KN_INPUT, bad[i].part, kn_spec_parse(bad[i].text, arena, &spec, &error));
        kn_arena_free(arena);
    }
    char deep[200];
    memset(deep, 0, sizeof deep);
    for (int i = 0; i < 60; i++) memcpy(deep + 2 * i, "a(", 2);
    KnError error;
    KnArena *arena = kn_arena_new();
    const KnSpec *spec;
    check_fails(error, KN_INPUT, "nested too deeply", kn_spec_parse(deep, arena, &spec, &error));
    kn_arena_free(arena);
}

static const KnOption table[] = {
    {"inner", KN_OPTION_SPEC, "random", 0, 0, "player", "who is asked"},
    {"depth", KN_OPTION_INTEGER, "4", 1, 99, NULL, "plies"},
    {"share", KN_OPTION_REAL, "0.5", 0, 1, NULL, "of moves"},
    {"lose", KN_OPTION_FLAG, NULL, 0, 0, NULL, "the losing form"},
    {"pvs", KN_OPTION_FLAG, "yes", 0, 0, NULL, "null windows"},
    {"table", KN_OPTION_CHOICE, "on", 0, 0, "off|on|exact", "how the table is used"},
    {"file", KN_OPTION_STRING, "", 0, 0, NULL, "knowledge"},
    {0}};

static KnStatus bind(const char *text, KnArena *arena, KnOptions *options, KnError *error)
{
    const KnSpec *spec;
    KnStatus status = kn_spec_parse(text, arena, &spec, error);
    return status == KN_OK ? kn_options_bind(table, spec, arena, options, error) : status;
}

static void test_binding(void **state)
{
    (void)state;
    KnError error;
    KnArena *arena = kn_arena_new();
    KnOptions options;
    check_ok(error, bind("x", arena, &options, &error));
    assert_string_equal(kn_option_spec(&options, "inner")->text, "random");
    assert_int_equal(kn_option_integer(&options, "depth"), 4);
    assert_true(kn_option_real(&options, "share") == 0.5);
    assert_false(kn_option_flag(&options, "lose"));
    assert_true(kn_option_flag(&options, "pvs"));
    assert_int_equal(kn_option_choice(&options, "table"), 1);
    assert_null(kn_option_string(&options, "file"));
    check_ok(error, bind("x(minimax(depth=2), 7, lose, -pvs, table=EXACT, file=\"a b.json\", share=.25)",
                         arena, &options, &error));
    assert_string_equal(kn_option_spec(&options, "inner")->text, "minimax");
    assert_int_equal(kn_option_integer(&options, "depth"), 7);
    assert_true(kn_option_real(&options, "share") == 0.25);
    assert_true(kn_option_flag(&options, "lose"));
    assert_false(kn_option_flag(&options, "pvs"));
    assert_int_equal(kn_option_choice(&options, "table"), 2);
    assert_string_equal(kn_option_string(&options, "file"), "a b.json");
    check_ok(error, bind("x(pvs=no, lose=yes)", arena, &options, &error));
    assert_false(kn_option_flag(&options, "pvs"));
    assert_true(kn_option_flag(&options, "lose"));
    kn_arena_free(arena);
}

static void test_binding_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"x(dpth=3)",
         "column 3: unknown option \"dpth\"; its options are inner, depth, share, lose, pvs, table, file"},
        {"x(depth=two)", "column 9: depth wants a number"},
        {"x(depth=2.5)", "whole number"},
        {"x(depth=100)", "between 1 and 99"},
        {"x(depth=3, depth=4)", "column 12: depth is given twice"},
        {"x(lose, +lose)", "lose is given twice"},
        {"x(share=nan)", "share wants a number"},
        {"x(table=maybe)", "off|on|exact"},
        {"x(inner=3)", "wants the name of player"},
        {"x(+depth)", "unknown option \"depth\""},
        {"x(a, 1, 1, on, b, c)", "unknown option \"c\""},
        {"x(lose=3)", "wants yes or no"},
        {"x(file=a(b))", "wants a word"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        KnError error;
        KnArena *arena = kn_arena_new();
        KnOptions options;
        check_fails(error, KN_INPUT, bad[i].part, bind(bad[i].text, arena, &options, &error));
        kn_arena_free(arena);
    }
    static const KnOption needs[] = {{"file", KN_OPTION_STRING, NULL, 0, 0, NULL, "the rules"}, {0}};
    KnError error;
    KnArena *arena = kn_arena_new();
    const KnSpec *spec;
    KnOptions options;
    check_ok(error, kn_spec_parse("gdl", arena, &spec, &error));
    check_fails(error, KN_INPUT, "file must be given (the rules)",
                kn_options_bind(needs, spec, arena, &options, &error));
    kn_arena_free(arena);
}

/* Unknown options are answered with the whole table, and no more. */
static void test_lists_of_options(void **state)
{
    (void)state;
    static const KnOption none[] = {{0}}, one[] = {{"depth", KN_OPTION_INTEGER, "4", 1, 99, NULL, ""}, {0}};
    static const struct {
        const KnOption *table;
        const char *words;
    } cases[] = {{none, "unknown option \"dpth\"; it has no options"},
                 {one, "unknown option \"dpth\"; its options are depth"},
                 {table, "unknown option \"dpth\"; its options are inner, depth, share, lose, pvs, "
                         "table, file"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnError error;
        KnArena *arena = kn_arena_new();
        const KnSpec *spec;
        KnOptions options;
        check_ok(error, kn_spec_parse("x(dpth=3)", arena, &spec, &error));
        assert_int_equal(kn_options_bind(cases[i].table, spec, arena, &options, &error), KN_INPUT);
        assert_string_equal(strstr(error.text, "unknown"), cases[i].words);
        kn_arena_free(arena);
    }
}

/* `count` times a text between two others. */
static KnStatus parse_long(const char *before, const char *part, int count, const char *after, KnError *error)
{
    KnArena *arena = kn_arena_new();
    KnText text = KN_TEXT_EMPTY;
    const KnSpec *spec;
    kn_text_add(&text, before);
    for (int i = 0; i < count; i++) kn_text_add(&text, part);
    kn_text_add(&text, after);
    KnStatus status = kn_spec_parse(text.data, arena, &spec, error);
    kn_text_free(&text);
    kn_arena_free(arena);
    return status;
}

/* Length, depth and number of arguments at their last good and their first bad value. */
static void test_bounds(void **state)
{
    (void)state;
    KnError error;
    check_ok(error, parse_long("", "a", 65536, "", &error));
    check_fails(error, KN_INPUT, "longer than 65536", parse_long("", "a", 65537, "", &error));
    check_ok(error, parse_long("a(", "b,", 4095, "b)", &error));
    check_fails(error, KN_INPUT, "too many arguments", parse_long("a(", "b,", 4096, "b)", &error));
    KnText closing = KN_TEXT_EMPTY;
    for (int i = 0; i < 32; i++) kn_text_add_char(&closing, ')');
    check_ok(error, parse_long("", "a(", 32, closing.data, &error));
    kn_text_add_char(&closing, ')');
    check_fails(error, KN_INPUT, "nested too deeply", parse_long("", "a(b,c(", 17, closing.data, &error));
    check_fails(error, KN_INPUT, "nested too deeply", parse_long("x(", "a=", 40, "b)", &error));
    kn_text_free(&closing);
}

/* What stands between quotation marks, and what it means. */
static void test_quoted(void **state)
{
    (void)state;
    static const struct {
        const char *text, *content; /* NULL: refused */
    } cases[] = {{"x(\"\")", ""},
                 {"x(\"a\\n\\t\\\"\\\\\\z\")", "a\n\t\"\\z"},
                 {"x(\"\\u0001\\u001b\\u007F\")", "\x01\x1b\x7f"},
                 {"x(\"\\u0000\")", NULL},
                 {"x(\"\\u0080\")", NULL},
                 {"x(\"\\u00g1\")", NULL},
                 {"x(\"\\u001\")", NULL},
                 {"x(\"a\\", NULL},
                 {"x(\"a", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnError error;
        KnArena *arena = kn_arena_new();
        char *bytes = strdup(cases[i].text); /* with nothing readable behind it */
        const KnSpec *spec;
        KnStatus status = kn_spec_parse(bytes, arena, &spec, &error);
        assert_int_equal(status, cases[i].content ? KN_OK : KN_INPUT);
        if (cases[i].content) assert_string_equal(spec->args->text, cases[i].content);
        free(bytes);
        kn_arena_free(arena);
    }
}

/* Which words are numbers. */
static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double number; /* NAN: a name */
    } cases[] = {{"x(7)", 7},      {"x(-7)", -7},    {"x(+7)", 7},      {"x(.5)", 0.5},   {"x(-.5)", -0.5},
                 {"x(1e+9)", 1e9}, {"x(1E-2)", .01}, {"x(0x10)", 16},   {"x(inf)", NAN},  {"x(nan)", NAN},
                 {"x(e5)", NAN},   {"x(7up)", NAN},  {"x(1.2.3)", NAN}, {"x(-inf)", NAN}, {"x(_7)", NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnError error;
        KnArena *arena = kn_arena_new();
        const KnSpec *spec;
        check_ok(error, kn_spec_parse(cases[i].text, arena, &spec, &error));
        bool number = spec->args->kind == KN_SPEC_NUMBER;
        if (number == isnan(cases[i].number) || (number && spec->args->number != cases[i].number))
            fail_msg("%s: %d %g", cases[i].text, (int)spec->args->kind, spec->args->number);
        kn_arena_free(arena);
    }
}

static void test_registry(void **state)
{
    (void)state;
    static const KnThing one = {"alphabeta", "", NULL}, two = {"random", "", NULL},
                         again = {"RANDOM", "", NULL};
    KnError error;
    KnContext *context = kn_context_new();
    check_ok(error, kn_register(context, KN_KIND_PLAYER, &one, &error));
    check_ok(error, kn_register(context, KN_KIND_PLAYER, &two, &error));
    check_fails(error, KN_INPUT, "registered already", kn_register(context, KN_KIND_PLAYER, &again, &error));
    assert_ptr_equal(kn_find(context, KN_KIND_PLAYER, "Random"), &two);
    assert_null(kn_find(context, KN_KIND_GAME, "random"));
    KnSpec unknown = {.text = "alfabeta", .column = 3};
    const KnThing *thing;
    check_fails(error, KN_INPUT, "(did you mean alphabeta?); known: alphabeta, random",
                kn_lookup(context, KN_KIND_PLAYER, &unknown, &thing, &error));
    kn_close(context);
}

/* data:NAME lies below the data folder, wherever that is; everything else is itself. */
static void test_data_files(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = kn_context_new();
    KnText path = KN_TEXT_EMPTY;
    check_ok(error, kn_context_set_data(context, "/srv/knack", &error));
    kn_context_file(context, "data:learned/a.json", &path);
    assert_string_equal(path.data, "/srv/knack/learned/a.json");
    kn_context_file(context, "tree.json", &path);
    assert_string_equal(path.data, "tree.json");
    kn_context_file(context, "/tmp/data:x", &path);
    assert_string_equal(path.data, "/tmp/data:x");
    kn_text_free(&path);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_canonical_form),   cmocka_unit_test(test_refusals_name_the_column),
        cmocka_unit_test(test_binding),          cmocka_unit_test(test_binding_refusals),
        cmocka_unit_test(test_lists_of_options), cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_quoted),           cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_registry),         cmocka_unit_test(test_data_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
