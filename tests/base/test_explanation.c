/* Explanations as text, as JSON and as a picture, number by number. */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/explanation.h"

static KnExplanation *make_tree(KnArena *arena)
{
    KnExplanation *root = kn_explanation_new(arena, "Takes <all> & wins.");
    KnExplanation *group = kn_explanation_group(arena, root, "for it");
    kn_explanation_number(arena, group, "stones", 5, "stones");
    kn_explanation_number(arena, group, "loss", -2.5, "stones");
    kn_explanation_bar(arena, group, "share", 0.25, 0, 1, NULL);
    kn_explanation_bar(arena, group, "above", 7, 6, 8, "points");
    kn_explanation_bar(arena, group, "below", -9, -8, -4, "points");
    kn_explanation_move(arena, root, "instead", "b2");
    kn_explanation_line(arena, root, "line", "b2 a1", "x./.o x");
    kn_explanation_board(arena, root, "one", "x./-_ o");
    kn_explanation_board(arena, root, "two", "#o");
    kn_explanation_pattern(arena, root, "shape", "#x./o#.");
    kn_explanation_text(arena, NULL, "nobody", "asks");
    return root;
}

static void test_text(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    KnExplanation *root = make_tree(arena);
    kn_explanation_number(arena, root, "whole", 9007199254740991.0, NULL);
    kn_explanation_number(arena, root, "huge", 9007199254740992.0, NULL);
    kn_explanation_number(arena, root, "part", 1.0 / 3, NULL);
    char *text = kn_explanation_string(root);
    assert_string_equal(text, "Takes <all> & wins.\n"
                              "  for it\n"
                              "    stones: 5 stones\n"
                              "    loss: -2.5 stones\n"
                              "    share: 0.25\n"
                              "    above: 7 points\n"
                              "    below: -9 points\n"
                              "  instead: b2\n"
                              "  line: b2 a1\n"
                              "  one: x./-_ o\n"
                              "  two: #o\n"
                              "  shape: #x./o#.\n"
                              "  whole: 9007199254740991\n"
                              "  huge: 9.0072e+15\n"
                              "  part: 0.333333\n");
    free(text);
    kn_arena_free(arena);
}

static void test_json(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    char *text = kn_explanation_json_string(make_tree(arena));
    assert_string_equal(
        text,
        "{\"children\": [{\"children\": [{\"kind\": \"number\", \"label\": \"stones\", \"number\": 5.0, "
        "\"unit\": "
        "\"stones\"}, {\"kind\": \"number\", \"label\": \"loss\", \"number\": -2.5, \"unit\": \"stones\"}, "
        "{\"kind\": "
        "\"number\", \"label\": \"share\", \"number\": 0.25, \"range\": [0.0, 1.0]}, {\"kind\": \"number\", "
        "\"label\": \"above\", \"number\": 7.0, \"range\": [6.0, 8.0], \"unit\": \"points\"}, {\"kind\": "
        "\"number\", "
        "\"label\": \"below\", \"number\": -9.0, \"range\": [-8.0, -4.0], \"unit\": \"points\"}], \"kind\": "
        "\"group\", \"label\": \"for it\"}, {\"kind\": \"move\", \"label\": \"instead\", \"text\": \"b2\"}, "
        "{\"board\": "
        "\"x./.o x\", \"kind\": \"line\", \"label\": \"line\", \"text\": \"b2 a1\"}, {\"board\": \"x./-_ "
        "o\", \"kind\": "
        "\"board\", \"label\": \"one\"}, {\"board\": \"#o\", \"kind\": \"board\", \"label\": \"two\"}, "
        "{\"kind\": "
        "\"pattern\", \"label\": \"shape\", \"text\": \"#x./o#.\"}], \"kind\": \"text\", \"text\": \"Takes "
        "<all> & "
        "wins.\"}");
    free(text);
    kn_arena_free(arena);
}

/* A line belongs to the nearest one above that is indented less. */
static void test_from_lines(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    char *text = kn_explanation_string(kn_explanation_from_lines(
        arena, "\n  root\n    a\n      b\n       c\n      d\n   \n  e\n        f\n       g\nh"));
    assert_string_equal(text, "root\n  a\n    b\n      c\n    d\n  e\n    f\n    g\n  h\n");
    free(text);
    assert_null(kn_explanation_from_lines(arena, "\n  \n"));
    /* 32 levels are kept; what is deeper stays beside the last. */
    KnText deep = KN_TEXT_EMPTY, wanted = KN_TEXT_EMPTY;
    for (int i = 0; i < 40; i++) {
        kn_text_printf(&deep, "%*s%d\n", i, "", i);
        kn_text_printf(&wanted, "%*s%d\n", 2 * (i < 31 ? i : 31), "", i);
    }
    text = kn_explanation_string(kn_explanation_from_lines(arena, deep.data));
    assert_string_equal(text, wanted.data);
    free(text);
    kn_text_free(&deep);
    kn_text_free(&wanted);
    kn_arena_free(arena);
}

/* ---- The picture ---- */

#define HEAD(height)                                                                                         \
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 " height                                    \
    "\" width=\"900\" height=\"" height "\" font-family=\"sans-serif\" font-size=\"13\">\n<rect "            \
    "width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
#define BOLD " font-size=\"16\" font-weight=\"bold\""

static char *picture_of(const KnExplanation *root)
{
    KnText out = KN_TEXT_EMPTY;
    kn_explanation_svg(root, NULL, NULL, &out);
    return kn_text_take(&out);
}

static void check_picture(const KnExplanation *root, const char *wanted)
{
    char *picture = picture_of(root);
    assert_string_equal(picture, wanted);
    free(picture);
}

static void test_numbers_in_a_picture(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    KnExplanation *root = kn_explanation_new(arena, "Takes <all>.");
    KnExplanation *group = kn_explanation_group(arena, root, "for it");
    kn_explanation_number(arena, group, "won", 6, "stones");
    kn_explanation_number(arena, group, "lost", -2, "stones");
    kn_explanation_bar(arena, group, "share", 0.25, 0, 1, NULL);
    kn_explanation_bar(arena, group, "above", 7, 6, 8, "points");
    kn_explanation_bar(arena, group, "below", -9, -8, -4, "points");
    kn_explanation_bar(arena, group, "beyond", 9, -4, 8, "points");
    check_picture(
        root, HEAD("180") "<text x=\"10\" y=\"22\"" BOLD ">Takes &lt;all&gt;.</text>\n"
                          "<text x=\"32\" y=\"44\" font-weight=\"bold\">for it</text>\n"
                          "<text x=\"54\" y=\"64\">won<tspan fill=\"#444\">  6 stones</tspan></text>\n"
                          "<rect x=\"730\" y=\"55\" width=\"160\" height=\"10\" fill=\"#e6e8ec\"/>"
                          "<rect x=\"770.0\" y=\"55\" width=\"120.0\" height=\"10\" fill=\"#0072b2\"/>\n"
                          "<text x=\"54\" y=\"84\">lost<tspan fill=\"#444\">  -2 stones</tspan></text>\n"
                          "<rect x=\"730\" y=\"75\" width=\"160\" height=\"10\" fill=\"#e6e8ec\"/>"
                          "<rect x=\"730.0\" y=\"75\" width=\"40.0\" height=\"10\" fill=\"#d55e00\"/>\n"
                          "<text x=\"54\" y=\"104\">share<tspan fill=\"#444\">  0.25</tspan></text>\n"
                          "<rect x=\"730\" y=\"95\" width=\"160\" height=\"10\" fill=\"#e6e8ec\"/>"
                          "<rect x=\"730.0\" y=\"95\" width=\"40.0\" height=\"10\" fill=\"#0072b2\"/>\n"
                          "<text x=\"54\" y=\"124\">above<tspan fill=\"#444\">  7 points</tspan></text>\n"
                          "<rect x=\"730\" y=\"115\" width=\"160\" height=\"10\" fill=\"#e6e8ec\"/>"
                          "<rect x=\"730.0\" y=\"115\" width=\"80.0\" height=\"10\" fill=\"#0072b2\"/>\n"
                          "<text x=\"54\" y=\"144\">below<tspan fill=\"#444\">  -9 points</tspan></text>\n"
                          "<rect x=\"730\" y=\"135\" width=\"160\" height=\"10\" fill=\"#e6e8ec\"/>"
                          "<rect x=\"730.0\" y=\"135\" width=\"160.0\" height=\"10\" fill=\"#d55e00\"/>\n"
                          "<text x=\"54\" y=\"164\">beyond<tspan fill=\"#444\">  9 points</tspan></text>\n"
                          "<rect x=\"730\" y=\"155\" width=\"160\" height=\"10\" fill=\"#e6e8ec\"/>"
                          "<rect x=\"783.3\" y=\"155\" width=\"106.7\" height=\"10\" fill=\"#0072b2\"/>\n"
                          "</svg>\n");
    kn_arena_free(arena);
}

/* Numbers of several units, or one alone, are not compared. */
static void test_numbers_without_bars(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    char *alone = picture_of(kn_explanation_number(arena, kn_explanation_new(arena, "Why"), "a", 3, NULL));
    assert_null(strstr(alone, "<rect x="));
    free(alone);
    for (int units = 0; units < 2; units++) {
        KnExplanation *root = kn_explanation_new(arena, "Why");
        kn_explanation_number(arena, root, "a", 3, NULL);
        if (units) kn_explanation_number(arena, root, "b", 4, "men");
        char *picture = picture_of(root);
        assert_null(strstr(picture, "<rect x="));
        free(picture);
    }
    kn_arena_free(arena);
}

static void test_boards_in_a_picture(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    KnExplanation *root = kn_explanation_new(arena, "Why");
    kn_explanation_board(arena, root, "one", "x#/-_ o");
    kn_explanation_board(arena, root, "two", "&./.o/.. x");
    kn_explanation_board(arena, root, "three", "..");
    kn_explanation_board(arena, root, "four", "../.");
    kn_explanation_pattern(arena, root, "shape", "o./#o");
    kn_explanation_move(arena, root, NULL, "b2");
    check_picture(
        root,
        HEAD(
            "222") "<text x=\"10\" y=\"22\"" BOLD ">Why</text>\n"
                   "<text x=\"32\" y=\"44\">one</text>\n"
                   "<rect x=\"40\" y=\"50\" width=\"18\" height=\"18\" fill=\"#fdf6e3\" stroke=\"#8a8170\"/>"
                   "<text x=\"49\" y=\"63\" text-anchor=\"middle\" font-family=\"monospace\">x</text>\n"
                   "<rect x=\"58\" y=\"50\" width=\"18\" height=\"18\" fill=\"#c9c4b8\" stroke=\"#8a8170\"/>"
                   "<rect x=\"40\" y=\"68\" width=\"18\" height=\"18\" fill=\"#fdf6e3\" stroke=\"#8a8170\"/>"
                   "<rect x=\"58\" y=\"68\" width=\"18\" height=\"18\" fill=\"#fdf6e3\" stroke=\"#8a8170\"/>"
                   "<text x=\"262\" y=\"44\">two</text>\n"
                   "<rect x=\"270\" y=\"50\" width=\"18\" height=\"18\" fill=\"#fdf6e3\" stroke=\"#8a8170\"/>"
                   "<text x=\"279\" y=\"63\" text-anchor=\"middle\" font-family=\"monospace\">&amp;</text>\n"
                   "<rect x=\"288\" y=\"50\" width=\"18\" height=\"18\" fill=\"#fdf6e3\" stroke=\"#8a8170\"/>"
                   "<rect x=\"270\" y=\"68\" width=\"18\" height=\"18\" fill=\"#fdf6e3\" stroke=\"#8a8170\"/>"
                   "<rect x=\"288\" y=\"68\" width=\"18\" height=\"18\" fill=\"#fdf6e3\" stroke=\"#8a8170\"/>"
                   "<text x=\"297\" y=\"81\" text-anchor=\"middle\" font-family=\"monospace\">o</text>\n"
                   "<rect x=\"270\" y=\"86\" width=\"18\" height=\"18\" fill=\"#fdf6e3\" stroke=\"#8a8170\"/>"
                   "<rect x=\"288\" y=\"86\" width=\"18\" height=\"18\" fill=\"#fdf6e3\" stroke=\"#8a8170\"/>"
                   "<text x=\"492\" y=\"44\">three: ..</text>\n"
                   "<text x=\"32\" y=\"124\">four: ../.</text>\n"
                   "<text x=\"32\" y=\"144\">shape</text>\n"
                   "<rect x=\"40\" y=\"150\" width=\"18\" height=\"18\" fill=\"#fdf6e3\" stroke=\"#8a8170\"/>"
                   "<text x=\"49\" y=\"163\" text-anchor=\"middle\" font-family=\"monospace\">o</text>\n"
                   "<rect x=\"58\" y=\"150\" width=\"18\" height=\"18\" fill=\"#fdf6e3\" stroke=\"#8a8170\"/>"
                   "<rect x=\"40\" y=\"168\" width=\"18\" height=\"18\" fill=\"#c9c4b8\" stroke=\"#8a8170\"/>"
                   "<rect x=\"58\" y=\"168\" width=\"18\" height=\"18\" fill=\"#fdf6e3\" stroke=\"#8a8170\"/>"
                   "<text x=\"67\" y=\"181\" text-anchor=\"middle\" font-family=\"monospace\">o</text>\n"
                   "<text x=\"32\" y=\"206\">b2</text>\n"
                   "</svg>\n");
    kn_arena_free(arena);
}

/* Grids have 2 to 20 columns of one width and up to 20 rows; other boards are told in letters. */
static void test_what_is_a_grid(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    for (int size = 1; size <= 22; size++)
        for (int wide = 0; wide < 2; wide++) {
            KnText board = KN_TEXT_EMPTY;
            int rows = wide ? 2 : size, columns = wide ? size : 2, cells = 0;
            for (int row = 0; row < rows; row++) {
                if (row) kn_text_add_char(&board, '/');
                for (int column = 0; column < columns; column++) kn_text_add_char(&board, '.');
            }
            KnExplanation *root = kn_explanation_new(arena, "Why");
            kn_explanation_board(arena, root, "board", board.data);
            char *picture = picture_of(root);
            for (char *at = picture; (at = strstr(at, "<rect x=")); at++) cells++;
            bool grid = wide ? size <= 20 : size > 1 && size <= 20;
            assert_int_equal(cells, grid ? rows * columns : 0);
            assert_int_equal(strstr(picture, board.data) != NULL, !grid);
            free(picture);
            kn_text_free(&board);
        }
    kn_arena_free(arena);
}

/* The sentence takes as many lines as it needs; other texts end after 110 bytes, never inside a letter. */
static void test_long_texts(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    char words[201], letters[230] = "";
    memset(words, 'w', 200), words[200] = 0;
    words[60] = words[92] = words[150] = ' ';
    for (int i = 0; i < 109; i++) letters[i] = 'a';
    strcat(letters, "\xc3\xa9z");
    KnExplanation *root = kn_explanation_new(arena, words);
    kn_explanation_text(arena, root, "t", letters);
    letters[108] = 'b', letters[109] = 'c', letters[110] = 0;
    kn_explanation_text(arena, root, NULL, letters);
    char *picture = picture_of(root);
    KnText wanted = KN_TEXT_EMPTY;
    kn_text_add(&wanted, HEAD("124"));
    kn_text_printf(&wanted, "<text x=\"10\" y=\"22\"" BOLD ">%.92s</text>\n", words);
    kn_text_printf(&wanted, "<text x=\"10\" y=\"44\"" BOLD ">%.57s</text>\n", words + 93);
    kn_text_printf(&wanted, "<text x=\"10\" y=\"66\"" BOLD ">%s</text>\n", words + 151);
    letters[108] = 'a';
    kn_text_printf(&wanted, "<text x=\"32\" y=\"88\">t: %.108sa\xc3\xa9...</text>\n", letters);
    kn_text_printf(&wanted, "<text x=\"32\" y=\"108\">%.108sbc</text>\n</svg>\n", letters);
    assert_string_equal(picture, wanted.data);
    free(picture);
    kn_text_free(&wanted);
    kn_arena_free(arena);
}

/* 400 rows, and 24 levels, are drawn; a picture that is cut says so. */
static void test_large_trees(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    for (int rows = 398; rows < 402; rows++) {
        KnExplanation *root = kn_explanation_new(arena, "Why");
        for (int i = 0; i < rows; i++) kn_explanation_move(arena, root, "move", "b2");
        char *picture = picture_of(root);
        int drawn = 0;
        for (char *at = picture; (at = strstr(at, "move: b2")); at++) drawn++;
        assert_int_equal(drawn, rows < 399 ? rows : 399); /* and the sentence */
        assert_int_equal(strstr(picture, "and more: see") != NULL, rows > 399);
        free(picture);
    }
    KnExplanation *root = kn_explanation_new(arena, "Why"), *at = root;
    for (int i = 0; i < 30; i++) at = kn_explanation_group(arena, at, "deeper");
    char *picture = picture_of(root);
    int drawn = 0;
    for (char *found = picture; (found = strstr(found, "deeper")); found++) drawn++;
    assert_int_equal(drawn, 24);
    free(picture);
    kn_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_from_lines),
        cmocka_unit_test(test_numbers_in_a_picture),
        cmocka_unit_test(test_numbers_without_bars),
        cmocka_unit_test(test_boards_in_a_picture),
        cmocka_unit_test(test_what_is_a_grid),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_large_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
