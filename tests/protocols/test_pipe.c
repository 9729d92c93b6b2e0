/* The pipe protocol from both ends: Knack's engine asked by hand, played as a player, and engines that
 * misbehave. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/match.h"
#include "base/clock.h"
#include "base/file.h"
#include "protocols/pipe_engine.h"

/* ---- The engine ---- */

/* What the engine answers to these lines. The caller frees. */
static char *converse(const KnContext *context, const char *game, const char *player, const char *lines)
{
    KnError error;
    char *text = NULL;
    size_t size = 0;
    FILE *in = tmpfile(), *out = open_memstream(&text, &size);
    assert_true(in && out);
    fputs(lines, in);
    rewind(in);
    check_ok(error, kn_pipe_serve(context, game, player, 1, fileno(in), out, &error));
    fclose(in);
    fclose(out);
    return text;
}

static void test_dialogues(void **state)
{
    (void)state;
    static const struct {
        const char *game, *player, *lines, *answers;
    } cases[] = {
        {"checkers", "alphabeta(depth=2)", "pipe 1 checkers\nisready\n",
         "id knack " KNACK_VERSION " alphabeta(depth=2)\npipeok\nreadyok\n"},
        {NULL, "random", "isready\nposition start\npipe 1 nothing\npipe 2 checkers\npipe 1\nquit\nisready\n",
         "readyok\nerror no game is open yet: pipe 1 GAME comes first\nerror column 1: unknown game"},
        {"checkers", "random", "position B:W22:B18,1\r\nmoves 18x25\ngo\n", "error the game is over"},
        {"checkers", "alphabeta(depth=1)", "position start\nmoves 11-15 22-18\ngo depth 1",
         "info depth 1 nodes "},
        {"checkers", "random", "moves 11-16 11-15\n", "error move 2: \"11-15\""},
        {"checkers", "random", "position W:W9,9:B5\nhello\ngo fast\ngo depth x\ngo speed 3\ngo role 1\n",
         "error position \"W:W9,9:B5\""},
        {"tictactoe", "alphabeta(depth=9)", "position xx./oo./... x\ngo\n", "\nbestmove c3\n"},
        {"checkers", "alphabeta(depth=200)", "position start\ngo\nstop\n", "\nbestmove "},
        {"checkers", "alphabeta(depth=200)", "position start\ngo\n", "\nbestmove "},
        {"dilemma(turns=3)", "Alternator", "position start\nmoves C|D D|D\ngo role 1\n", "\nbestmove C\n"},
    };
    KnContext *context = test_workbench("pipe");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double started = kn_clock_now();
        char *answers = converse(context, cases[i].game, cases[i].player, cases[i].lines);
        if (!strstr(answers, cases[i].answers))
            fail_msg("%s\n--- gives\n%s--- without\n%s", cases[i].lines, answers, cases[i].answers);
        assert_true(kn_clock_now() - started < 20);
        free(answers);
    }
    char *all = converse(context, "checkers", "random", "hello\ngo fast\ngo speed 3\n\n  \n");
    assert_string_equal(
        all, "error \"hello\" is not understood; known: pipe isready newgame position moves legal go stop "
             "outcome quit\n"
             "error go wants pairs such as depth 6, not \"fast\"\nerror go knows role, depth, nodes, "
             "time, clock, against, increment and togo, not \"speed\"\n");
    free(all);
    KnError error;
    check_fails(error, KN_INPUT, "unknown player",
                kn_pipe_serve(context, "checkers", "nobody", 1, 0, stdout, &error));
    check_fails(error, KN_USAGE, "a person",
                kn_pipe_serve(context, "checkers", "human", 1, 0, stdout, &error));
    kn_close(context);
}

/* ---- The player ---- */

static KnMatchResult match(const KnContext *context, const char *game, const char *one, const char *two,
                           uint64_t games)
{
    KnError error;
    KnMatchResult result;
    KnMatchPlan plan = {.game = game,
                        .players = {one, two},
                        .games = games,
                        .seed = 3,
                        .jobs = 2,
                        .rules = {.ply_limit = 60}};
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
    return result;
}

static void test_knack_against_itself(void **state)
{
    (void)state;
    KnContext *context = test_workbench("pipe");
    static const char *const games[] = {"tictactoe", "checkers", "othello(size=4)", "dilemma(turns=5)",
                                        "go(size=3)"};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        char spec[600];
        snprintf(spec, sizeof spec, "pipe(\"'" KNACK_BINARY "' pipe '%s' '%s'\", depth=9)", games[i],
                 i == 0 ? "alphabeta(depth=9)" : "random");
        KnMatchResult result = match(context, games[i], spec, i == 0 ? "alphabeta(depth=9)" : "random", 4);
        if (result.first_fault[0]) fail_msg("%s: %s", games[i], result.first_fault);
        assert_int_equal(result.standing.games, 4);
        assert_true(result.nondeterministic);
        if (i == 0) assert_int_equal(result.standing.draws, 4); /* both play perfectly */
    }
    kn_close(context);
}

/* Without a game, nobody loses: an engine that does not come up is an error. */
static void test_engines_that_do_not_start(void **state)
{
    (void)state;
    static const struct {
        const char *script, *fault;
    } cases[] = {
        {"exit 4", "has exited (status 4)"},
        {"echo broken >&2; exit 1", "it said: broken"},
        {"sleep 1000", "has not answered for"},
        {"cat >/dev/null", "has not answered for"},
        {"cat", "has not answered for"},
        {"while :; do echo chatter; done", "does not start"},
        {"read -r line; echo error I cannot play this; sleep 1000", "says: I cannot play this"},
    };
    KnContext *context = test_workbench("pipe");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnError error;
        KnMatchResult result;
        check_ok(error, kn_file_write_atomic("engine.sh", cases[i].script, strlen(cases[i].script), &error));
        KnMatchPlan plan = {.game = "tictactoe",
                            .players = {"pipe(\"sh ./engine.sh\", patience=0.5)", "random"},
                            .games = 2,
                            .jobs = 2};
        check_fails(error, KN_INPUT, cases[i].fault,
                    kn_match_run(context, &plan, NULL, NULL, &result, &error));
        assert_non_null(strstr(error.text, "does not start"));
    }
    kn_close(context);
}

/* ---- Identity: stored games are those of the same engine ---- */

/* An engine that takes the first free cell of `order`. */
static void write_engine(const char *path, const char *order)
{
    KnError error;
    KnText script = KN_TEXT_EMPTY;
    kn_text_printf(
        &script,
        "moves=\nwhile read -r word rest; do case $word in pipe) echo pipeok;; position) moves=;;\n"
        "moves) moves=$rest;; go) for c in %s; do case \" $moves \" in *\" $c \"*) ;; *) "
        "echo bestmove $c; break;; esac; done;; quit) exit;; esac; done\n",
        order);
    check_ok(error, kn_file_write_atomic(path, script.data, script.length, &error));
    kn_text_free(&script);
}

static KnMatchResult stored(const KnContext *context, const char *spec, const char *name, bool resume,
                            uint64_t games)
{
    KnError error;
    KnMatchResult result;
    KnStore *store;
    KnMatchPlan plan = {.game = "tictactoe",
                        .players = {spec, "random"},
                        .games = games,
                        .seed = 5,
                        .jobs = 1,
                        .name = name,
                        .resume = resume};
    check_ok(error, kn_store_open(context, &store, &error));
    check_ok(error, kn_match_run(context, &plan, store, NULL, &result, &error));
    kn_store_close(store);
    return result;
}

static void test_changed_engines(void **state)
{
    (void)state;
    KnContext *context = test_workbench("changed");
    const char *spec = "pipe(\"sh ./mine.sh\")";
    write_engine("mine.sh", "b2 a1 c3 a3 c1 a2 b1 b3 c2");
    KnMatchResult first = stored(context, spec, NULL, false, 4);
    assert_true(strstr(first.doubt, "loads files"));
    KnMatchResult again = stored(context, spec, NULL, false, 4); /* sh may have loaded something else */
    assert_int_equal(again.resumed, 0);
    assert_true(strstr(again.doubt, first.run_name) && strstr(again.doubt, "--resume"));
    assert_int_equal(stored(context, spec, NULL, true, 6).resumed, 4);
    assert_int_equal(stored(context, spec, "mine", false, 4).resumed, 0);
    assert_int_equal(stored(context, spec, "mine", false, 6).resumed, 4);
    write_engine("mine.sh", "c2 b3 b1 a2 c1 a3 c3 a1 b2");
    KnMatchResult changed = stored(context, spec, NULL, true, 4); /* there is none of this engine */
    assert_int_equal(changed.resumed, 0);
    assert_string_not_equal(changed.identity, first.identity);
    KnError error;
    KnStore *store;
    KnMatchPlan plan = {
        .game = "tictactoe", .players = {spec, "random"}, .games = 4, .seed = 5, .name = "mine"};
    check_ok(error, kn_store_open(context, &store, &error));
    check_fails(error, KN_INPUT, "other settings",
                kn_match_run(context, &plan, store, NULL, &changed, &error));
    kn_store_close(store);
    /* a program that is all there: its games are used again */
    spec = "pipe(\"'" KNACK_BINARY "' pipe tictactoe random\")";
    assert_true(!stored(context, spec, NULL, false, 2).doubt[0]);
    assert_int_equal(stored(context, spec, NULL, false, 4).resumed, 2);
    kn_close(context);
}

/* Rules over the pipe may change behind their command as an engine may. */
static void test_changed_rules(void **state)
{
    (void)state;
    static const char rules[] =
        "while read -r word rest; do . ./told.sh; case $word in\n"
        "rules) echo roles a b; echo zerosum; echo start s; echo rulesok;;\n"
        "state) case $rest in s) echo moves a x;; *) echo over $won;; esac; echo ok;;\n"
        "play) echo state t; echo over $won; echo ok;; quit) exit;; esac; done\n";
    static const char first[] = "won='1 -1'\n", second[] = "won='-1 1'\n";
    KnError error;
    KnContext *context = test_workbench("rules");
    KnStore *store;
    KnMatchResult result;
    KnMatchPlan plan = {
        .game = "pipe(\"sh ./rules.sh\")", .players = {"random", "random"}, .games = 4, .seed = 5, .jobs = 1};
    check_ok(error, kn_file_write_atomic("rules.sh", rules, strlen(rules), &error));
    check_ok(error, kn_file_write_atomic("told.sh", first, strlen(first), &error));
    check_ok(error, kn_store_open(context, &store, &error));
    check_ok(error, kn_match_run(context, &plan, store, NULL, &result, &error));
    assert_int_equal(result.standing.by_seat[0][0], 2);
    assert_non_null(strstr(result.doubt, "loads files"));
    check_ok(error, kn_file_write_atomic("told.sh", second, strlen(second), &error));
    check_ok(error, kn_match_run(context, &plan, store, NULL, &result, &error));
    assert_int_equal(result.resumed, 0);
    assert_int_equal(result.standing.by_seat[0][0], 0);
    assert_non_null(strstr(result.doubt, "are not used"));
    kn_store_close(store);
    kn_close(context);
}

static void test_misbehaviour_loses(void **state)
{
    (void)state;
#define LOOP(go)                                                                                             \
    "while read -r line; do case $line in pipe*) echo pipeok;; go*) " go ";; quit) exit;; esac; done"
    static const struct {
        const char *script, *fault;
    } cases[] = {
        {LOOP("exit 7"), "has exited (status 7)"},
        {LOOP("sleep 1000"), "has not answered for"},
        {LOOP("echo bestmove z9"), "has answered: \"z9\" is no legal move here"},
        {LOOP("echo bestmove"), "no legal move here"},
        {LOOP("echo error lost my head"), "says: lost my head"},
        {LOOP("while :; do echo info nothing; done"), "has sent lines for"},
        {LOOP("head -c 100000 /dev/zero | tr '\\\\0' x; sleep 100"), "a line of more than"},
        {LOOP("kill -9 $$"), "has exited (status 137)"},
    };
    KnContext *context = test_workbench("pipe");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnError error;
        check_ok(error, kn_file_write_atomic("engine.sh", cases[i].script, strlen(cases[i].script), &error));
        double started = kn_clock_now();
        /* One that keeps silent or chatters is not waited for long; the others have time to start on a busy
         * machine. */
        bool waits = strstr(cases[i].script, "sleep 1000") || strstr(cases[i].script, "while :");
        KnMatchResult result = match(context, "tictactoe",
                                     waits ? "pipe(\"sh ./engine.sh\", patience=2)"
                                           : "pipe(\"sh ./engine.sh\", patience=60)",
                                     "random", 2);
        if (!strstr(result.first_fault, cases[i].fault))
            fail_msg("%s: \"%s\" lacks \"%s\"", cases[i].script, result.first_fault, cases[i].fault);
        assert_int_equal(result.standing.losses, 2);
        assert_int_equal(result.standing.forfeits[0], 2);
        if (kn_clock_now() - started > 30)
            fail_msg("%s took %.1f s", cases[i].script, kn_clock_now() - started);
    }
    kn_close(context);
}

/* An engine that claims to have won, and says so with its score: the rules decide, and a game is not given up
 * on one side's word. */
static void test_lies(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("pipe");
    write_engine("liar.sh", "a1 b1 c1 a2 b2 c2 a3 b3 c3");
    KnText script = KN_TEXT_EMPTY, lies = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("liar.sh", &script, 1 << 16, &error));
    char *at = strstr(script.data, "echo bestmove");
    assert_non_null(at);
    kn_text_add_bytes(&lies, script.data, (size_t)(at - script.data));
    kn_text_printf(&lies, "echo outcome 1 -1; echo info score 999999999; echo outcome -1 1; %s", at);
    check_ok(error, kn_file_write_atomic("liar.sh", lies.data, lies.length, &error));
    KnMatchPlan plan = {.game = "tictactoe",
                        .players = {"pipe(\"sh ./liar.sh\")", "alphabeta(depth=9)"},
                        .games = 4,
                        .jobs = 1,
                        .rules = {.adjudication = {.resign_moves = 1, .resign_below = 40}}};
    KnMatchResult result;
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
    assert_string_equal(result.first_fault, "");
    assert_int_equal(result.standing.wins, 0);
    kn_text_free(&script);
    kn_text_free(&lies);
    kn_close(context);
}

/* The cost of a match counts the engine's processor time, also inside a wrapper. */
static void test_engine_time_is_counted(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("pipe");
    static const char script[] =
        LOOP("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo bestmove $(cat move)");
    check_ok(error, kn_file_write_atomic("engine.sh", script, strlen(script), &error));
    check_ok(error, kn_file_write_atomic("move", "C", 1, &error));
    static const char *const specs[] = {"pipe(\"sh ./engine.sh\")",
                                        "noisy(pipe(\"sh ./engine.sh\"), epsilon=0)"};
    for (int i = 0; i < 2; i++) {
        KnMatchResult result = match(context, "dilemma(turns=2)", specs[i], "random", 1);
        assert_string_equal(result.first_fault, "");
        double seconds = result.standing.cost[0].seconds;
        if (seconds < 0.02 || seconds > 60) fail_msg("%s: %.3f s", specs[i], seconds);
    }
    kn_close(context);
}

/* Limits of the spec and of the match are passed on, the tighter of each, with the whole game. */
static void test_what_is_said(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("pipe");
    static const char script[] = "while read -r line; do echo \"$line\" >>said.txt; case $line in pipe*) "
                                 "echo id Parrot; echo pipeok;; "
                                 "go*) echo info thinking; echo bestmove 11-15;; quit) exit;; esac; done";
    check_ok(error, kn_file_write_atomic("engine.sh", script, strlen(script), &error));
    unlink("said.txt");
    KnMatchPlan plan = {.game = "checkers",
                        .players = {"pipe(\"sh ./engine.sh\", depth=7, time=2.5, patience=5)", "random"},
                        .games = 1,
                        .seed = 3,
                        .jobs = 1,
                        .rules = {.ply_limit = 1, .budget = {.depth = 5, .nodes = 1000}}};
    KnMatchResult result;
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
    assert_string_equal(result.first_fault, "");
    KnText said = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("said.txt", &said, 1 << 16, &error));
    assert_string_equal(
        said.data, "pipe 1 checkers\nnewgame\nposition start\ngo role 0 depth 5 nodes 1000 time 2.5\nquit\n");
    kn_text_free(&said);
    kn_close(context);
}

/* An engine that answers, and once more when it is told to stop: the second answer is to no question. */
static void test_stopped_twice(void **state)
{
    (void)state;
    static const char script[] =
        "while read -r word rest; do case $word in pipe) echo pipeok;; isready) echo readyok;;\n"
        "go) echo bestmove c3;; stop) echo bestmove a1;; quit) exit;; esac; done\n";
    KnError error;
    KnContext *context = test_workbench("stopped");
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_file_write_atomic("twice.sh", script, strlen(script), &error));
    check_ok(error, kn_game_open(context, "tictactoe", &game, &error));
    check_ok(error, kn_player_open(context, game, "pipe(\"sh ./twice.sh\", patience=20)", &player, &error));
    KnState *game_state = kn_state_new(game);
    KnRng rng = kn_rng_seeded(1);
    KnMove moves[game->max_moves];
    KnCancel cancel;
    atomic_init(&cancel, true);
    check_ok(error, kn_player_begin(player, 0, kn_state_position(game_state), &error));
    KnRequest request = {.game = game,
                         .position = kn_state_position(game_state),
                         .allowed = moves,
                         .allowed_count = kn_state_moves(game_state, 0, moves),
                         .cancel = &cancel,
                         .rng = &rng};
    for (int question = 0; question < 3; question++) {
        KnAnswer answer = {0};
        check_ok(error, kn_player_choose(player, &request, &answer, &error));
        KnText text = KN_TEXT_EMPTY;
        game->type->move_text(game, kn_state_position(game_state), answer.move, &text);
        assert_string_equal(text.data, "c3");
        kn_text_free(&text);
        atomic_store(&cancel, false);
    }
    kn_state_free(game_state);
    kn_player_close(player);
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dialogues),
        cmocka_unit_test(test_knack_against_itself),
        cmocka_unit_test(test_engines_that_do_not_start),
        cmocka_unit_test(test_changed_engines),
        cmocka_unit_test(test_changed_rules),
        cmocka_unit_test(test_misbehaviour_loses),
        cmocka_unit_test(test_lies),
        cmocka_unit_test(test_engine_time_is_counted),
        cmocka_unit_test(test_what_is_said),
        cmocka_unit_test(test_stopped_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
