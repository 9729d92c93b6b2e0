/* Messages of general game playing, taken apart: terms, clocks at the ends of their ranges, what is whole,
 * and how terms are printed. */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocols/ggp_message.h"

static KnPiece piece_of(const char *text) { return (KnPiece){text, strlen(text)}; }

/* A message of just these bytes, with nothing readable behind them. */
static KnStatus read_exactly(const char *text, KnGgpMessage *message, char **bytes, KnError *error)
{
    size_t length = strlen(text);
    *bytes = malloc(length ? length : 1);
    memcpy(*bytes, text, length);
    return kn_ggp_read(*bytes, length, message, error);
}

static void check_piece(KnPiece piece, const char *wanted)
{
    assert_int_equal(piece.length, strlen(wanted));
    assert_memory_equal(piece.text, wanted, piece.length);
}

static void test_tokens(void **state)
{
    (void)state;
    static const struct {
        const char *text, *tokens, *terms;
    } cases[] = {
        {"", "", ""},
        {" \t\r\n\v\f", "", ""},
        {"a", "a|", "a|"},
        {"(a(b)c)d", "(|a|(|b|)|c|)|d|", "(a(b)c)|d|"},
        {"a;no\nb ;(\rc", "a|b|c|", "a|b|c|"},
        {"() ( ( ) )x", "(|)|(|(|)|)|x|", "()|( ( ) )|x|"},
        {"a)b", "a|)|b|", "a|"},
        {"(a", "(|a|", ""},
        {"; all of it", "", ""},
        {"\x01"
         "b\x1f c",
         "\x01"
         "b\x1f|c|",
         "\x01"
         "b\x1f|c|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int terms = 0; terms < 2; terms++) {
            size_t length = strlen(cases[i].text);
            char *bytes = malloc(length ? length : 1);
            memcpy(bytes, cases[i].text, length);
            KnPiece rest = {bytes, length}, found;
            KnText all = KN_TEXT_EMPTY;
            while (terms ? kn_piece_next(&rest, &found) : kn_piece_token(&rest, &found)) {
                kn_text_add_bytes(&all, found.text, found.length);
                kn_text_add_char(&all, '|');
            }
            assert_string_equal(all.data, terms ? cases[i].terms : cases[i].tokens);
            kn_text_free(&all);
            free(bytes);
        }
}

static void test_whole(void **state)
{
    (void)state;
    static const char *const whole[] = {"(a)", " (a (b) ) x", "()", ")", " )", "(;)\n)"}, *const part[] = {
                                                                                              "",   "(",
                                                                                              "(a", "(a (b)",
                                                                                              "a",  "info",
                                                                                              "(;)"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        assert_true(kn_ggp_is_whole(whole[i], strlen(whole[i])));
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        assert_false(kn_ggp_is_whole(part[i], strlen(part[i])));
    KnPiece inside;
    assert_true(kn_piece_inside(piece_of("( a )"), &inside));
    check_piece(inside, " a ");
    assert_true(kn_piece_inside(piece_of("()"), &inside) && inside.length == 0);
    assert_false(kn_piece_inside(piece_of("("), &inside));
    assert_false(kn_piece_inside(piece_of("ab"), &inside));
    assert_true(kn_piece_is(piece_of("Info"), "iNFO"));
    assert_false(kn_piece_is(piece_of("Inf"), "info") || kn_piece_is(piece_of("infos"), "info"));
}

static void test_printing(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"a", "a", "a"},
        {" ( mark  1 ; first\n 2 )", "(mark 1 2)", "( mark 1 2 )"},
        {"(a(b)(c d))", "(a (b) (c d))", "( a ( b ) ( c d ) )"},
        {"a(b)c", "a (b) c", "a ( b ) c"},
        {"()", "()", "( )"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnText plain = KN_TEXT_EMPTY, spaced = KN_TEXT_EMPTY;
        kn_piece_plain(piece_of(rows[i][0]), &plain);
        kn_piece_spaced(piece_of(rows[i][0]), &spaced);
        assert_string_equal(plain.data, rows[i][1]);
        assert_string_equal(spaced.data, rows[i][2]);
        kn_text_free(&plain);
        kn_text_free(&spaced);
    }
}

static void test_messages(void **state)
{
    (void)state;
    KnGgpMessage m;
    KnError error;
    char *bytes;
    check_ok(error, read_exactly("(start m.1 White ((role white)(init a)) 30 1.5)", &m, &bytes, &error));
    assert_int_equal(m.kind, KN_GGP_START);
    check_piece(m.id, "m.1");
    check_piece(m.role, "White");
    check_piece(m.rules, "(role white)(init a)");
    assert_true(m.start == 30 && m.play == 1.5);
    free(bytes);
    check_ok(error, read_exactly("(PREVIEW (a) 7)", &m, &bytes, &error));
    assert_true(m.kind == KN_GGP_PREVIEW && m.start == 7 && m.play == 0);
    check_piece(m.rules, "a");
    free(bytes);
    static const struct {
        const char *text, *moves;
        KnGgpKind kind;
    } rows[] = {{"(play m ((mark 1) noop))", "(mark 1) noop", KN_GGP_PLAY},
                {"(play m nil)", "", KN_GGP_PLAY},
                {"(play m)", "", KN_GGP_PLAY},
                {"(stop m ())", "", KN_GGP_STOP},
                {"(stop m (a))", "a", KN_GGP_STOP},
                {"(abort m)", "", KN_GGP_ABORT},
                {"(info)", "", KN_GGP_INFO},
                {"info", "", KN_GGP_INFO}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_ok(error, read_exactly(rows[i].text, &m, &bytes, &error));
        assert_int_equal(m.kind, rows[i].kind);
        check_piece(m.moves, rows[i].moves);
        if (m.kind != KN_GGP_INFO) check_piece(m.id, "m");
        free(bytes);
    }
    static const char *const names[] = {"INFO", "PREVIEW", "START", "PLAY", "STOP", "ABORT"};
    for (int kind = 0; kind < KN_GGP_KINDS; kind++)
        assert_string_equal(kn_ggp_kind_name((KnGgpKind)kind), names[kind]);
}

/* Both ends of the range belong to it; 31 characters are read. */
static void test_clocks(void **state)
{
    (void)state;
    static const struct {
        const char *clock;
        double seconds; /* negative: refused */
    } rows[] = {{"0", 0},
                {"0.25", 0.25},
                {"1000000", 1e6},
                {"1e6", 1e6},
                {"1000000.5", -1},
                {"-0.001", -1},
                {"-1", -1},
                {"inf", -1},
                {"nan", -1},
                {"1s", -1},
                {"s", -1},
                {"(1)", -1},
                {"", -1},
                {"0000000000000000000000000000007", 7},
                {"00000000000000000000000000000007", -1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int form = 0; form < 3; form++) {
            static const char *const forms[] = {"(preview (a) %s)", "(start m r (a) %s 5)",
                                                "(start m r (a) 5 %s)"};
            static const char *const words[] = {"without a clock, a number of seconds from 0 to 1000000",
                                                "without a start clock", "without a play clock"};
            char text[100], *bytes;
            KnGgpMessage m;
            KnError error;
            snprintf(text, sizeof text, forms[form], rows[i].clock);
            if (!*rows[i].clock && form == 1) continue; /* the other clock takes its place */
            KnStatus status = read_exactly(text, &m, &bytes, &error);
            free(bytes);
            if (rows[i].seconds < 0)
                check_fails(error, KN_INPUT, words[form], status);
            else {
                check_ok(error, status);
                assert_true((form == 2 ? m.play : m.start) == rows[i].seconds);
                assert_true(form == 0 || (form == 2 ? m.start : m.play) == 5);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),   cmocka_unit_test(test_whole),  cmocka_unit_test(test_printing),
        cmocka_unit_test(test_messages), cmocka_unit_test(test_clocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
