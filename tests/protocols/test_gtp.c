/* The Go Text Protocol from both ends: Knack's engine asked by hand, and engines as players, well behaved and
 * not. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "games/go/go.h"
#include "protocols/gtp_engine.h"

/* ---- The engine ---- */

/* What the engine answers to these lines. The caller frees. */
static char *converse(const KnContext *context, const char *game, const char *player, const char *lines)
{
    KnError error;
    char *text = NULL;
    size_t size = 0;
    FILE *in = fmemopen((void *)(uintptr_t)lines, strlen(lines), "r"), *out = open_memstream(&text, &size);
    assert_true(in && out);
    check_ok(error, kn_gtp_serve(context, game, player, 1, in, out, &error));
    fclose(in);
    fclose(out);
    return text;
}

static void test_dialogues(void **state)
{
    (void)state;
    static const struct {
        const char *game, *lines, *answers;
    } cases[] = {
        {"go(9)", "protocol_version\n7 version\nquit\nname\n", "= 2\n\n=7 " KNACK_VERSION "\n\n=\n\n"},
        {"go(9)",
         "  12\tplay b d4 # a comment\n\n# nothing\nplay\nplay x d4\nplay w d4\nplay w z4\n13 foo\n14\n",
         "=12\n\n? syntax error\n\n? syntax error\n\n? illegal move\n\n? illegal move\n\n?13 unknown "
         "command\n\n?14 unknown command\n\n"},
        {"go(9)", "known_command play\nknown_command plau\nknown_command\n",
         "= true\n\n= false\n\n= false\n\n"},
        {"go(9)", "boardsize 1\nboardsize 20\nboardsize x\nboardsize 5\nplay b e5\nplay b f1\n",
         "? unacceptable size\n\n? unacceptable size\n\n? syntax error\n\n=\n\n=\n\n? illegal move\n\n"},
        {"go(3)", "komi 0.5\nplay b b2\nfinal_score\nkomi 20\nfinal_score\nundo\nfinal_score\nundo\nkomi x\n",
         "=\n\n=\n\n= B+8.5\n\n=\n\n= W+11\n\n=\n\n= W+20\n\n? cannot undo\n\n? syntax error\n\n"},
        /* out of turn: the other side is held to have passed, and one undo takes both back */
        {"go(3)", "play b a1\nplay b b2\nundo\nplay w b2\nplay w pass\nplay b pass\nplay w pass\ngenmove b\n",
         "=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n= pass\n\n"},
        {"go(5)",
         "play b c3\nplay w b3\nplay w d3\nplay w c2\nattack c3\ndefend c3\nattack c1\nattack c9\nattack\n",
         "=\n\n=\n\n=\n\n=\n\n= 1 C4\n\n= 0\n\n? vertex must not be empty\n\n? invalid vertex\n\n? syntax "
         "error\n\n"},
        /* out of turn nobody has passed: the board is won as it stands, and the engine plays on */
        {"go(5)",
         "get_komi\nfixed_handicap 2\nboardsize 9\nfixed_handicap 5\nfixed_handicap 2\nclear_board\n"
         "place_free_handicap 12\nclear_board\nset_free_handicap a1 b2 c3\nshowboard\n"
         "clear_board\nset_free_handicap c3 d4\nclear_board\nset_free_handicap a1\nset_free_handicap a1 "
         "a1\nfixed_handicap x\n",
         "= 7.5\n\n? invalid number of stones\n\n=\n\n= C3 G7 C7 G3 E5\n\n? board not empty\n\n=\n\n"
         "= C3 G7 C7 G3 C5 G5 E3 E7 E5\n\n=\n\n=\n\n= \n   A B C D E F G H J\n 9 . . . . . . . . . 9\n"
         " 8 . . . . . . . . . 8\n 7 . . + . . . + . . 7\n 6 . . . . . . . . . 6\n 5 . . . . + . . . . 5\n"
         " 4 . . . . . . . . . 4\n 3 . . X . . . + . . 3\n 2 . X . . . . . . . 2\n 1 X . . . . . . . . 1\n"
         "   A B C D E F G H J\n\n=\n\n=\n\n=\n\n? bad vertex list\n\n? bad vertex list\n\n? syntax "
         "error\n\n"},
        /* suicide, of one stone and of several, in turn and out of turn; a ko, taken back at once and later
         */
        {"go(3)",
         "play b b1\nplay w b3\nplay b c1\nplay w a2\nplay b a3\nplay w a3\nundo\nplay w c2\nplay b a1\n",
         "=\n\n=\n\n=\n\n=\n\n? illegal move\n\n=\n\n=\n\n=\n\n=\n\n"},
        {"go(3)", "play b a2\nplay b b1\nplay w a1\nplay w b2\nplay w c1\nplay w a1\nplay b a1\n",
         "=\n\n=\n\n? illegal move\n\n=\n\n=\n\n=\n\n? illegal move\n\n"},
        {"go(5)",
         "play b b2\nplay w c2\nplay b c1\nplay w d1\nplay b a1\nplay w b1\nplay b c1\nplay b e5\nplay w "
         "a5\nplay b c1\n",
         "=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n? illegal move\n\n=\n\n=\n\n=\n\n"},
        {"go(9)", "boardsize 8\nfixed_handicap 5\nfixed_handicap 4\nboardsize 7\nfixed_handicap 5\n",
         "=\n\n? invalid number of stones\n\n= C3 F6 C6 F3\n\n=\n\n? invalid number of stones\n\n"},
        /* no stones of overtime: what is left is for the whole game */
        {"go(2)", "time_settings 9 0 0\ntime_left b 1 0\ntime_left b 1\nplay b a1\nplay w pass\n",
         "=\n\n=\n\n? syntax error\n\n=\n\n=\n\n"},
        {"othello",
         "list_games\nset_game Go\nset_game othello\nplay b d3\nplay b c3\nundo\nundo\nboardsize 6\nattack "
         "d4\n"
         "grhino-setup_board x\ngrhino-setup_board "
         "...........................OX......XXX.........................x w\nplay b pass\nplay w d6\n",
         "= Othello\n\n? unsupported game\n\n=\n\n=\n\n? illegal move\n\n=\n\n? cannot undo\n\n? "
         "unacceptable size\n\n? unknown command\n\n"
         "? syntax error\n\n=\n\n=\n\n=\n\n"},
    };
    KnContext *context = test_workbench("gtp");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *answers = converse(context, cases[i].game, "random", cases[i].lines);
        assert_string_equal(answers, cases[i].answers);
        free(answers);
    }
    char *answers = converse(context, "go(5)", "alphabeta(depth=1)",
                             "boardsize 5\nplay w a1\nplay b b1\nreg_genmove b\nreg_genmove b\n"
                             "genmove b\nundo\nshowboard\n");
    char *first = strstr(answers, "\n\n= ") + 2, *second = strstr(first, "\n\n= ") + 2,
         *third = strstr(second, "\n\n= ") + 2;
    assert_true(strncmp(first, "= A2\n", 5) == 0 && strncmp(first, second, 5) == 0 &&
                strncmp(second, third, 5) == 0);
    assert_non_null(strchr(strstr(third, "A B C"), 'O')); /* the stone is back */
    free(answers);
    /* main time and no stones: a share of what is left, so that it answers */
    answers = converse(context, "go(4)", "uct(playouts=0)",
                       "time_settings 600 0 0\ntime_left b 1 0\ngenmove b\n");
    assert_true(strncmp(answers, "=\n\n=\n\n= ", 8) == 0);
    free(answers);
    KnError error;
    check_fails(error, KN_USAGE, "knack pipe",
                kn_gtp_serve(context, "checkers", "random", 1, stdin, stdout, &error));
    check_fails(error, KN_USAGE, "a person", kn_gtp_serve(context, "go", "human", 1, stdin, stdout, &error));
    kn_close(context);
}

/* Points at random: a move is taken if, and only if, the rules list it. Counts those that superko alone
 * forbids. */
static int play_at_random(const KnContext *context, const char *spec, int size, KnRng *rng)
{
    enum { MOVES = 150, SIZE = 4 };
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    KnState *board = kn_state_new(game);
    KnText lines = KN_TEXT_EMPTY, expected = KN_TEXT_EMPTY;
    int repeated = 0;
    for (int n = 0; n < MOVES; n++) {
        int role = kn_state_mover(board), at = 0;
        int x = (int)kn_rng_below(rng, (uint32_t)size), y = (int)kn_rng_below(rng, (uint32_t)size);
        KnMove moves[SIZE * SIZE + 1], move = kn_go_move(game, x, y);
        int count = kn_state_moves(board, role, moves);
        while (at < count && moves[at] != move) at++;
        kn_text_printf(&lines, "play %c %c%d\n", "bw"[role], 'a' + x, y + 1);
        kn_text_add(&expected, at < count ? "=\n\n" : "? illegal move\n\n");
        if (at < count)
            check_ok(error, kn_state_play(board, move, &error));
        else
            repeated += kn_go_legal(game, kn_state_position(board), move);
    }
    char *answers = converse(context, spec, "random", lines.data);
    assert_string_equal(answers, expected.data);
    free(answers);
    kn_text_free(&lines);
    kn_text_free(&expected);
    kn_state_free(board);
    kn_game_close(game);
    return repeated;
}

static void test_takes_legal_moves_only(void **state)
{
    (void)state;
    KnContext *context = test_workbench("gtp-legal");
    KnRng rng = kn_rng_seeded(7);
    int repeated = 0;
    for (int i = 0; i < 8; i++) {
        repeated += play_at_random(context, "go(2)", 2, &rng);
        play_at_random(context, "go(4)", 4, &rng);
    }
    assert_true(repeated > 0);
    kn_close(context);
}

/* Passing "wins" on a board that is won as it stands only if the other side has passed. */
static void test_no_false_pass(void **state)
{
    (void)state;
    KnContext *context = test_workbench("gtp-pass");
    static const char *const lines[] = {"genmove w\n", "genmove b\nplay b pass\n", "play b c3\ngenmove b\n",
                                        "play w c3\nplay b d4\ngenmove b\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char *answers = converse(context, "go(5)", "tactical(playouts=100)", lines[i]);
        assert_null(strstr(answers, "pass"));
        free(answers);
    }
    char *answers = converse(context, "go(5)", "tactical(playouts=100)", "play b pass\ngenmove w\n");
    assert_non_null(strstr(answers, "= pass")); /* a real pass, and White wins by the komi */
    free(answers);
    kn_close(context);
}

static void test_loadsgf(void **state)
{
    (void)state;
    KnContext *context = test_workbench("gtp-sgf");
    KnError error;
    static const char sgf[] = "(;GM[1]SZ[5]KM[0.5]AB[aa]PL[W];W[bb];B[cc];W[];B[dd])";
    static const char suicide[] = "(;GM[1]SZ[3];B[bc];W[ba];B[cc];W[ab];B[aa])";
    check_ok(error, kn_file_write_atomic("suicide.sgf", suicide, strlen(suicide), &error));
    char *refused = converse(context, "go(9)", "random", "loadsgf suicide.sgf\n");
    assert_string_equal(refused, "? cannot load file: move 5 is not legal\n\n");
    free(refused);
    check_ok(error, kn_file_write_atomic("game.sgf", sgf, strlen(sgf), &error));
    char *answers = converse(context, "go(9)", "random",
                             "loadsgf game.sgf\nget_komi\nundo\nplay b d2\nplay w d2\nloadsgf game.sgf 2\n"
                             "play b c3\nloadsgf\nloadsgf game.sgf x\n");
    assert_string_equal(answers, "=\n\n= 0.5\n\n=\n\n=\n\n? illegal move\n\n=\n\n=\n\n? syntax error\n\n? "
                                 "syntax error\n\n");
    free(answers);
    /* dead stones come off before the score is counted */
    static const char end[] = "(;GM[1]SZ[7]KM[0.5]AB[da:dg][bf]AW[ea:eg][bc])";
    check_ok(error, kn_file_write_atomic("end.sgf", end, strlen(end), &error));
    answers = converse(context, "go(9)", "random",
                       "loadsgf end.sgf\nfinal_status_list dead\nfinal_status_list alive\nfinal_score\n"
                       "final_status_list\nfinal_status_list seki\nfinal_status_list white_territory\n"
                       "final_status_list dame\nloadsgf nothing.sgf\n");
    assert_string_equal(answers,
                        "=\n\n= B5\n\n= D7 D6 D5 D4 D3 D2 D1\nE7 E6 E5 E4 E3 E2 E1\nB2\n\n= B+6.5\n\n? "
                        "syntax error\n\n=\n\n= F7 G7 F6 G6 F5 G5 F4 G4 F3 G3 F2 G2 F1 G1\n\n=\n\n? cannot "
                        "load file: nothing.sgf: cannot open: No such "
                        "file or directory\n\n");
    free(answers);
    kn_close(context);
}

/* ---- Engines as players ---- */

/* A few moves of an engine that plays both sides. */
static KnStatus ask_once(const KnContext *context, const char *game_spec, const char *spec, KnError *error)
{
    KnGame *game;
    KnPlayer *player = NULL;
    KnStatus status = kn_game_open(context, game_spec, &game, error);
    if (status != KN_OK) return status;
    status = kn_player_open(context, game, spec, &player, error);
    KnState *game_state = kn_state_new(game);
    KnRng rng = kn_rng_seeded(1);
    if (status == KN_OK) status = kn_player_begin(player, 0, kn_state_position(game_state), error);
    for (int turn = 0; turn < 6 && status == KN_OK; turn++) {
        KnMove moves[game->max_moves];
        int role = game->type->mover(game, kn_state_position(game_state));
        KnRequest request = {.game = game,
                             .position = kn_state_position(game_state),
                             .role = role,
                             .allowed = moves,
                             .rng = &rng};
        request.allowed_count = kn_state_moves(game_state, role, moves);
        KnAnswer answer = {0};
        status = kn_player_choose(player, &request, &answer, error);
        if (status != KN_OK) break;
        KnMove joint[2] = {KN_MOVE_NONE, KN_MOVE_NONE};
        joint[role] = answer.move;
        status = kn_state_play(game_state, answer.move, error);
        if (status == KN_OK) status = kn_player_observe(player, game_state, joint, error);
        if (status == KN_OK && turn == 3) { /* two moves are taken back behind its back */
            kn_state_undo(game_state);
            kn_state_undo(game_state);
        }
    }
    kn_state_free(game_state);
    kn_player_close(player);
    kn_game_close(game);
    return status;
}

static void test_engines(void **state)
{
    (void)state;
    static const struct {
        const char *game, *command, *part; /* NULL: all is well */
        KnStatus status;
    } cases[] = {
        {"go(5)", "false", "has exited", KN_INPUT},
        {"go(5)", "sleep 60", "0.3 s", KN_INPUT},
        {"go(5)", "echo '= 1'; echo; cat >/dev/null", "version 1", KN_INPUT},
        {"go(5)", "while read line; do echo '?'; echo; done", "answers to protocol_version", KN_INPUT},
        {"go(5)",
         "while read line; do case $line in genmove*) echo '= A1';; *) echo '= 2';; esac; echo; done", "A1",
         KN_FORFEIT},
        {"go(5)",
         "while read line; do case $line in genmove*) echo '= resign';; *) echo '= 2';; esac; echo; done",
         "resigns", KN_RESIGNS},
        {"go(5)",
         "while read line; do case $line in genmove*) yes '= A1' | head -100000;; *) echo '= 2'; echo;; "
         "esac; done",
         "come to an end", KN_FORFEIT},
        {"go(5)",
         "while read line; do case $line in komi*) echo '? unacceptable komi';; *) echo '= 2';; esac; echo; "
         "done",
         "does not start", KN_INPUT},
        {"go(5)",
         "while read line; do case $line in genmove*) echo '= Z9  ';; *) echo '= 2';; esac; echo; done",
         "\"Z9\"", KN_FORFEIT},
        {"checkers", "true", "needs Go or Othello", KN_INPUT},
    };
    KnContext *context = test_workbench("engines");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char spec[512];
        KnError error;
        double started = kn_clock_now();
        snprintf(spec, sizeof spec, "gtp(\"%s\", patience=0.3)", cases[i].command);
        check_fails(error, cases[i].status, cases[i].part, ask_once(context, cases[i].game, spec, &error));
        assert_true(kn_clock_now() - started < 30);
    }
    kn_close(context);
}

/* Knack itself at the other end, in both games, with a move taken back on the way; and real engines where
 * they are installed. */
static void test_peers(void **state)
{
    (void)state;
    static const struct {
        const char *needs, *game, *spec;
    } cases[] = {
        {NULL, "go(5)", "gtp(\"" KNACK_BINARY " gtp 'go(9)' random\")"},
        {NULL, "othello", "gtp(\"" KNACK_BINARY " gtp othello random\")"},
        {"/usr/games/gnugo", "go(7)", "gtp(\"/usr/games/gnugo --mode gtp --level 0\")"},
        {"/usr/games/gtp-rhino", "othello", "gtp(\"/usr/games/gtp-rhino\")"},
    };
    KnContext *context = test_workbench("peers");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnError error;
        if (cases[i].needs && !kn_file_exists(cases[i].needs)) continue;
        check_ok(error, ask_once(context, cases[i].game, cases[i].spec, &error));
    }
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dialogues),     cmocka_unit_test(test_takes_legal_moves_only),
        cmocka_unit_test(test_no_false_pass), cmocka_unit_test(test_loadsgf),
        cmocka_unit_test(test_engines),       cmocka_unit_test(test_peers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
