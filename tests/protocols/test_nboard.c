/* The NBoard protocol from both ends: Knack's engine asked by hand, and engines as players, well behaved and
 * not. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/match.h"
#include "methods/experience/base.h"
#include "protocols/nboard_engine.h"

/* What the engine answers to these lines. The caller frees. */
static char *converse(const KnContext *context, const char *player, const char *lines)
{
    KnError error;
    char *text = NULL;
    size_t size = 0;
    FILE *in = tmpfile(), *out = open_memstream(&text, &size);
    assert_true(in && out);
    fputs(lines, in);
    rewind(in);
    check_ok(error, kn_nboard_serve(context, player, 1, fileno(in), out, &error));
    fclose(in);
    fclose(out);
    return text;
}

#define GGF(board, moves) "set game (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TY[8]BO[8 " board "]" moves ";)\n"
#define USUAL             "---------------------------O*------*O--------------------------- *"
/* Black has one move, h8, and then every disc; the game is over. */
#define NEARLY "******** ******** ******** ******** ******** ******** ******** *OOOOOO- *"

static void test_dialogues(void **state)
{
    (void)state;
    static const struct {
        const char *lines, *part;
    } cases[] = {
        {"nboard 2\nping 7\nquit\nping 8\n", "set myname Knack alphabeta(depth=2)\npong 7\n"},
        {"nboard 0\n", "status versions 1 and 2"},
        {"  what is this\n\n\nping 3\n", "pong 3\n"},
        {"set depth 1\nhint 1\n", "status Knack is analyzing\nnodestats "},
        {"set depth x\n", "status a depth is"},
        {GGF(USUAL, "B[F5]W[F6]B[D3//4.5]") "move C5/1.00/2\ngo\n", "\n=== "},
        {"F5\nF6\nZ9\nmove D3\nmove D3\n",
         "status \"Z9\" is no move: a square from a1 to h8, or pass\nstatus \"D3\" is occupied"},
        {GGF(USUAL, "B[A1]"), "status move 1: \"a1\" turns no disc over"},
        {"set game (;GM[1]SZ[9];B[aa])\n", "status the game is no game of Othello\n"},
        {"set game (;GM[Othello]BO[8 -- *];)\n", "the board is incomplete\n"},
        {"set game\n", "there is no game"},
        {GGF(NEARLY, "") "go\nmove H8\ngo\nlearn\nanalyze\n",
         "status the game is over\nlearned\nstatus Knack is analyzing\nanalysis 1 "},
        {"learn\n", "learned\nstatus nothing is learned from a game before its end\n"},
        {"set contempt 0\nset contempt 100\nset unknown thing\n", "status draws are worth 0 here"},
        {"set game (;GM[Othello]BO[4 -----O*--*O----- *]B[A2]W[A1];)\nset depth 4\nhint 2\n", "search "},
    };
    KnContext *context = test_workbench("nboard");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *answers = converse(context, "alphabeta(depth=2)", cases[i].lines);
        if (!strstr(answers, cases[i].part))
            fail_msg("%s\n--- gives\n%s--- without\n%s", cases[i].lines, answers, cases[i].part);
        free(answers);
    }
    char *answers = converse(context, "alphabeta(depth=2)", "ping 7\nquit\nping 8\n");
    assert_null(strstr(answers, "pong 8"));
    free(answers);
    KnError error;
    check_fails(error, KN_USAGE, "a person", kn_nboard_serve(context, "human", 1, 0, stdout, &error));
    kn_close(context);
}

/* A whole game's worth of facts: the last move of a won position, its value, hints in order, a board that
 * `go` leaves alone. */
static void test_facts(void **state)
{
    (void)state;
    KnContext *context = test_workbench("nboard");
    char *answers = converse(context, "alphabeta(depth=3)", GGF(NEARLY, "") "go\ngo\nanalyze\n");
    char *first = strstr(answers, "=== H8/1.00/"), *second = first ? strstr(first + 1, "=== H8/1.00/") : NULL;
    assert_true(first && second && strstr(answers, "search H8 1.00 0 100%W\n") &&
                strstr(second, "analysis 0 1.00\n"));
    free(answers);

    answers = converse(context, "alphabeta(depth=3)", "nboard 1\nset depth 3\nF5\nhint 3\n");
    double values[3];
    int count = 0;
    for (char *line = answers; (line = strstr(line, "\nsearch ")); line++) {
        assert_in_range(count, 0, 2);
        assert_int_equal(sscanf(line, "\nsearch %*2s %lf 0 3\n", &values[count++]), 1);
    }
    assert_int_equal(count, 3);
    assert_true(values[0] >= values[1] && values[1] >= values[2]);
    free(answers);

    /* a side that can only pass says so: black has no move here */
    answers =
        converse(context, "random",
                 GGF("OOOOOOOO OOOOOOOO OOOOOOOO OOOOOOOO OOOOOOOO OOOOOOOO OOOOOOO* OOOOOO*- *", "") "go\n");
    assert_non_null(strstr(answers, "=== PA"));
    free(answers);

    /* a ping behind the question stops a search without a limit, and so does the end of the lines */
    answers = converse(context, "alphabeta(depth=60)", "go\nping 5\nanalyze\n");
    first = strstr(answers, "=== "), second = strstr(answers, "pong 5\n");
    assert_true(first && second && first < second);
    free(answers);
    kn_close(context);
}

/* `learn` adds the game to an experience base. */
static void test_learning(void **state)
{
    (void)state;
    KnContext *context = test_workbench("nboard");
    KnError error;
    KnGame *game;
    KnBase *base;
    unlink("nboard.mdb");
    char *answers = converse(context, "experience(alphabeta(depth=1), base=nboard.mdb, learn)",
                             GGF(NEARLY, "B[H8]") "learn\nlearn\n");
    assert_string_equal(answers, "learned\nlearned\n");
    free(answers);
    check_ok(error, kn_game_open(context, "othello", &game, &error));
    check_ok(error, kn_base_open(context, game, "nboard.mdb", 0, NULL, &base, &error));
    KnBaseStat stat;
    check_ok(error, kn_base_size(base, &stat, &error));
    assert_int_equal(stat.games, 1);
    assert_int_equal(stat.positions, 2);
    kn_base_close(base);
    kn_game_close(game);
    kn_close(context);
}

/* ---- Engines as players ---- */

static void test_engines(void **state)
{
    (void)state;
    static const struct {
        const char *command, *part; /* NULL: all is well */
        bool starts;
    } cases[] = {
        {KNACK_BINARY " nboard random", NULL, true},
        {"false", "has exited", false},
        {"sleep 60", "0.3 s", false},
        {"while read a b; do case $a in ping) echo pong $b;; go) echo '=== A1/0/0';; esac; done", "A1", true},
        {"while read a b; do case $a in ping) echo pong $b;; go) echo '=== hello world';; esac; done",
         "hello", true},
        {"while read a b; do case $a in ping) echo pong 77;; esac; done", "has not answered", false},
    };
    KnContext *context = test_workbench("engines");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char spec[512];
        KnError error;
        KnMatchResult result;
        snprintf(spec, sizeof spec, "nboard(\"%s\", depth=2, patience=%s)", cases[i].command,
                 cases[i].part ? "0.3" : "30");
        KnMatchPlan plan = {.game = "othello(4)", .players = {spec, "random"}, .games = 2, .jobs = 1};
        if (!cases[i].starts) {
            check_fails(error, KN_INPUT, cases[i].part,
                        kn_match_run(context, &plan, NULL, NULL, &result, &error));
            continue;
        }
        check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
        assert_int_equal(result.standing.games, 2);
        if (cases[i].part ? !strstr(result.first_fault, cases[i].part) : result.first_fault[0])
            fail_msg("%s: \"%s\"", cases[i].command, result.first_fault);
        assert_int_equal(result.standing.forfeits[0], cases[i].part ? 2 : 0);
    }
    KnError error;
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(context, "checkers", &game, &error));
    check_fails(error, KN_INPUT, "needs Othello",
                kn_player_open(context, game, "nboard(true)", &player, &error));
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dialogues), cmocka_unit_test(test_facts),
                                       cmocka_unit_test(test_learning), cmocka_unit_test(test_engines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
