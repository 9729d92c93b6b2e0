/* SGF as a tree: variations are kept, what is wrong is named with its place, and capture problems are read
 * from it. */
#include "support/check.h"
#include "support/instances.h"

#include <stdlib.h>
#include <string.h>

#include "formats/problems.h"
#include "formats/sgf_tree.h"

static const struct {
    const char *text, *printed, *complaint;
} cases[] = {
    {"(;FF[4]\nGM [1] ;B[aa] ( ; W[ab]\n;B[ac])(;W[bb]C[a \\] b \\\\ : \\:]))",
     "(;FF[4]GM[1];B[aa]\n(;W[ab];B[ac])\n(;W[bb]C[a \\] b \\\\ : \\:]))\n", NULL},
    {"(;AB[aa][bb] [cc:dd])(;B[])", "(;AB[aa][bb][cc:dd])\n(;B[])\n", NULL},
    {"(;A[1](;B[1](;C[1])(;C[2];D[1](;E[1])(;E[2])))(;B[2]))",
     "(;A[1]\n(;B[1]\n(;C[1])\n(;C[2];D[1]\n(;E[1])\n(;E[2])))\n(;B[2]))\n", NULL},
    {"(;)", "(;)\n", NULL},
    {"(;Black[aa])", "(;B[aa])\n", NULL},
    {"", NULL, "line 1, column 1: there is no game"},
    {"(B[aa])", NULL, "line 1, column 2: there is no game"},
    {"(;B[aa]\n(;W[bb)", NULL, "line 2, column 4: a value in brackets has no end"},
    {"(;B[aa]\n (;W[bb]", NULL, "line 2, column 2: this parenthesis is never closed"},
    {"(;B[aa]()", NULL, "line 1, column 9: a tree without a node"},
    {"(;B[aa](()", NULL, "line 1, column 9: a tree begins with a node"},
    {"(;\n\nB aa])", NULL, "line 3, column 1: a property looks like"},
    {"(;B[aa]) x", NULL, "line 1, column 10: there is no game"},
};

static void test_trees(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnError error;
        KnSgfNode *first;
        KnStatus status = kn_sgf_parse_all(cases[i].text, arena, &first, &error);
        if (cases[i].complaint) {
            check_fails(error, KN_INPUT, cases[i].complaint, status);
            continue;
        }
        check_ok(error, status);
        KnText printed = KN_TEXT_EMPTY;
        kn_sgf_print(first, &printed);
        assert_string_equal(printed.data, cases[i].printed);
        kn_text_free(&printed);
    }
    kn_arena_free(arena);
}

/* Neither reading nor writing runs out of stack. */
static void test_deep(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY, printed = KN_TEXT_EMPTY;
    for (int i = 0; i < 100000; i++) kn_text_add(&text, "(;B[aa](;W[bb])");
    for (int i = 0; i < 100000; i++) kn_text_add(&text, ")");
    KnArena *arena = kn_arena_new();
    KnSgfNode *first;
    KnError error;
    check_ok(error, kn_sgf_parse_all(text.data, arena, &first, &error));
    kn_sgf_print(first, &printed);
    int variations = 0;
    for (const char *c = printed.data; *c; c++) variations += *c == '(';
    assert_int_equal(variations, 199999); /* the innermost tree goes on without one */
    kn_arena_free(arena);
    kn_text_free(&text);
    kn_text_free(&printed);
}

static void test_made(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    KnSgfNode *root = kn_sgf_node(arena, NULL);
    kn_sgf_add(arena, kn_sgf_add(arena, kn_sgf_add(arena, root, "SZ", "9"), "AB", "aa"), "AB", "bb");
    kn_sgf_add(arena, kn_sgf_node(arena, root), "B", "cc");
    kn_sgf_add(arena, kn_sgf_add(arena, kn_sgf_node(arena, root), "B", "dd"), "C", "x]\\");
    KnText printed = KN_TEXT_EMPTY, plain = KN_TEXT_EMPTY;
    kn_sgf_print(root, &printed);
    assert_string_equal(printed.data, "(;SZ[9]AB[aa][bb]\n(;B[cc])\n(;B[dd]C[x\\]\\\\]))\n");
    kn_sgf_plain(kn_sgf_values(root->last_child, "C"), &plain);
    assert_string_equal(plain.data, "x]\\");
    kn_text_free(&plain);
    kn_text_free(&printed);
    kn_arena_free(arena);
}

/* ---- problems ---- */

static const struct {
    const char *text, *target, *written, *complaint;
} problems[] = {
    {"(;SZ[5]GN[one]AB[bb]AW[ab]TR[ab]PL[B](;B[ac]TE[1])(;B[cc])(;B[aa]C[RIGHT]))", NULL,
     "\"answer\":\"win\",\"black\":[\"B4\"],\"id\":\"one\",\"kind\":\"attack\",\"ko\":null,\"moves\":[\"A3\","
     "\"A5\"],\"size\":5,\"target\":\"A4\",\"to_move\":\"B\",\"white\":[\"A4\"]",
     NULL},
    /* the position of the marked node, after moves that take stones; the other side is to move then */
    {"(;SZ[5]AB[ba]AW[aa];B[ab];W[cc]TR[cc];B[dd])", NULL,
     "\"black\":[\"B5\",\"A4\"],\"id\":\"sgf:1\",\"kind\":\"attack\",\"ko\":null,\"moves\":[],\"size\":5,"
     "\"target\":\"C3\",\"to_move\":\"B\",\"white\":[\"C3\"]",
     NULL},
    /* a named target is looked for before the first move, whose side is to move */
    {"(;SZ[5]AB[ba]AW[aa];W[ab])", "a5",
     "\"black\":[\"B5\"],\"id\":\"sgf:1\",\"kind\":\"defend\",\"ko\":null,\"moves\":[],\"size\":5,\"target\":"
     "\"A5\",\"to_move\":\"W\",\"white\":[\"A5\"]",
     NULL},
    {"(;SZ[5]AB[ba]AW[aa]TR[aa])", "A4", NULL, "the target is an empty point"},
    {"(;SZ[5]AB[ba]AW[aa]TR[aa])", "F1", NULL, "no point of a board of size 5"},
    {"(;SZ[5]AB[ba]AW[aa])", NULL, NULL, "no stone has a triangle"},
    {"(;SZ[5]AB[ba]\nAW[aa]TR[aa][ba])", NULL, NULL,
     "line 2, column 14: triangles on stones of both colours"},
    {"(;SZ[5]AB[ba][ab]AW[aa]TR[aa])", NULL, NULL, "no liberty"},
    {"(;SZ[20]AB[ba])", NULL, NULL, "line 1, column 6: boards from 2 to 19"},
    {"(;SZ[5]AB[bz])", NULL, NULL, "line 1, column 11: \"bz\" is no point"},
    {"(;SZ[5]AB[aa];W[aa])", NULL, NULL, "line 1, column 17: this move is not legal"},
    {"(;GM[2]SZ[8])", NULL, NULL, "not Go"},
};

static void test_problems(void **state)
{
    (void)state;
    KnContext *context = test_context();
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        KnError error;
        KnCaptureProblems *read;
        KnStatus status = kn_problems_read_sgf(context, problems[i].text, "sgf", problems[i].target, &read,
                                               &error);
        if (problems[i].complaint) {
            assert_int_not_equal(status, KN_OK);
            if (!strstr(error.text, problems[i].complaint)) fail_msg("%s: %s", problems[i].text, error.text);
            continue;
        }
        check_ok(error, status);
        KnText written = KN_TEXT_EMPTY;
        assert_int_equal(read->count, 1);
        kn_problem_write(&read->list[0], &written);
        if (!strstr(written.data, problems[i].written)) fail_msg("%s: %s", problems[i].text, written.data);
        kn_text_free(&written);
        kn_problems_free(read);
    }
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_trees), cmocka_unit_test(test_deep),
                                       cmocka_unit_test(test_made), cmocka_unit_test(test_problems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
