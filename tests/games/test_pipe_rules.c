/* Games whose rules another program tells: an honest twin of a built-in game, and programs that hang, flood,
 * die or lie. (The conformance suite plays examples/clobber.py.) */
#include "support/check.h"
#include "support/workbench.h"

#include <stdlib.h>
#include <string.h>

#include "arena/match.h"
#include "base/clock.h"
#include "base/file.h"
#include "games/perft.h"
#include "games/trouble.h"
#include "players/player.h"

static void write_program(const char *path, const char *script)
{
    KnError error;
    check_ok(error, kn_file_write_atomic(path, script, strlen(script), &error));
}

/* A program that keeps silent is waited for, and not for long; any other has time to start on a busy machine.
 */
static const char *patiently(const char *script)
{
    return strstr(script, "sleep 1000") ? "pipe(\"sh ./rules.sh\", patience=1)"
                                        : "pipe(\"sh ./rules.sh\", patience=60)";
}

/* ---- An honest program ---- */

static const char tictactoe[] =
    "import sys\n"
    "LINES = '012 345 678 036 147 258 048 246'.split()\n"
    "def tell(state):\n"
    "    cells, mover = state.split()\n"
    "    last = 'o' if mover == 'x' else 'x'\n"
    "    if any(all(cells[int(i)] == last for i in line) for line in LINES):\n"
    "        print('over', *((1, -1) if last == 'x' else (-1, 1)))\n"
    "    elif '.' in cells: print('moves', mover, *(i for i in range(9) if cells[i] == '.'))\n"
    "    else: print('over 0 0')\n"
    "for line in sys.stdin:\n"
    "    word, _, rest = line.strip().partition(' ')\n"
    "    if word == 'rules': print('roles x o\\nzerosum\\nstart ......... x\\nrulesok')\n"
    "    elif word == 'state': tell(rest); print('ok')\n"
    "    elif word == 'play':\n"
    "        move, cells, mover = rest.split()\n"
    "        cells = cells[:int(move)] + mover + cells[int(move) + 1:]\n"
    "        state = cells + (' o' if mover == 'x' else ' x')\n"
    "        print('state', state); tell(state); print('ok')\n"
    "    elif word == 'quit': break\n"
    "    sys.stdout.flush()\n";

static uint64_t count_games(const KnGame *game)
{
    KnError error;
    KnPerftGames count;
    _Alignas(16) unsigned char position[game->position_size];
    game->type->start(game, position);
    check_ok(error, kn_perft_games(game, position, 6, &(KnPerft){.jobs = 2}, &count, &error));
    return count.complete * 1000000 + count.unfinished;
}

/* The same number of games, the same value, the same result of a match, with a cache that is emptied all the
 * time too. */
static void test_twin(void **unused)
{
    (void)unused;
    KnContext *context = test_workbench("pipe-rules");
    write_program("ttt.py", tictactoe);
    static const char *const specs[] = {"pipe(\"python3 ttt.py\")",
                                        "pipe(\"python3 ttt.py\", memory=1, copies=1)"};
    KnError error;
    KnGame *own;
    check_ok(error, kn_game_open(context, "tictactoe", &own, &error));
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        KnGame *twin;
        check_ok(error, kn_game_open(context, specs[i], &twin, &error));
        assert_int_equal(count_games(twin), count_games(own));
        KnMatchPlan plan = {
            .game = specs[i], .players = {"alphabeta(depth=9)", "alphabeta(depth=9)"}, .games = 2, .jobs = 2};
        KnMatchResult result;
        check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
        assert_int_equal(result.standing.draws, 2);
        check_ok(error, kn_game_trouble(twin, &error));
        kn_game_close(twin);
    }
    kn_game_close(own);
    kn_close(context);
}

/* Roles that move at the same time, and chance. */
static void test_joint_moves(void **unused)
{
    (void)unused;
    KnContext *context = test_workbench("pipe-rules");
    write_program(
        "pennies.py",
        "import sys\n"
        "for line in sys.stdin:\n"
        "    word, _, rest = line.strip().partition(' ')\n"
        "    if word == 'rules':\n"
        "        print('roles even odd random\\nsimultaneous\\npayoffs 0 1\\nstart begin\\nrulesok')\n"
        "    elif word == 'state' and rest == 'begin':\n"
        "        print('moves even h t\\nmoves odd h t\\nmoves random calm storm\\nok')\n"
        "    elif word == 'play':\n"
        "        even, odd, sky = rest.split()[0].split('|')\n"
        "        won = even == odd\n"
        "        print('state', even + odd + sky, '\\nover', int(won), int(not won), 0, '\\nok')\n"
        "    else: print('error no such state')\n"
        "    sys.stdout.flush()\n");
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, "pipe(\"python3 pennies.py\")", &game, &error));
    assert_int_equal(game->roles, 3);
    assert_int_equal(game->nature, 2);
    assert_true(game->traits & KN_GAME_SIMULTANEOUS);
    KnState *state = kn_state_new(game);
    double payoffs[KN_ROLES_MAX];
    check_ok(error, kn_state_play_text(state, "h|t|storm", &error));
    assert_true(kn_state_over(state, payoffs));
    assert_true(payoffs[0] == 0 && payoffs[1] == 1);
    check_fails(error, KN_INPUT, "no such state", kn_state_set(state, "nowhere", &error));
    check_fails(error, KN_INPUT, "control character", kn_state_set(state, "be\tgin", &error));
    check_ok(error, kn_game_trouble(game, &error)); /* a typing error is no failure of the rules */
    kn_state_free(state);
    kn_game_close(game);
    kn_close(context);
}

/* A state as its program shows it, without what could reach the terminal; else its board, whose cells have
 * names. */
static void test_drawings(void **unused)
{
    (void)unused;
    static const char *const rows[][3] = {
        {"display", "plain [31mtext\n\nend\n", "plain [31mtext\n\nend\n"},
        {"size 20", " 2  x . .\n 1  . . o\n    a b c\na to move\n",
         " 2  \033[1;34mx\033[0m . .\n 1  . . \033[1;31mo\033[0m\n    a b c\na to move\n"}};
    KnContext *context = test_workbench("pipe-rules");
    KnError error;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnText script = KN_TEXT_EMPTY, drawn = KN_TEXT_EMPTY;
        kn_text_printf(&script,
                       "while read word rest; do case $word in\n"
                       "rules) printf 'roles a b\\nstart s\\nboard 3 2 .xo\\n%s\\nrulesok\\n';;\n"
                       "state) printf 'moves a go\\nboard x....o\\nok\\n';;\n"
                       "show) printf '| plain \\033[31mtext\\n|\\nend\\nok\\n';;\n"
                       "esac; done\n",
                       rows[i][0]);
        write_program("rules.sh", script.data);
        KnGame *game;
        check_ok(error, kn_game_open(context, patiently(script.data), &game, &error));
        _Alignas(16) unsigned char position[game->position_size];
        game->type->start(game, position);
        for (int colour = 0; colour < 2; colour++) {
            kn_text_clear(&drawn);
            game->type->draw(game, position, colour, &drawn);
            assert_string_equal(drawn.data, rows[i][1 + colour]);
        }
        check_ok(error, kn_game_trouble(game, &error));
        kn_text_free(&script);
        kn_text_free(&drawn);
        kn_game_close(game);
    }
    write_program("rules.sh", "while read word rest; do case $word in\n"
                              "rules) printf 'roles a b\\nstart s\\nboard 28 2 .xo\\nrulesok\\n';;\n"
                              "*) printf 'moves a go\\nboard ............................'\n"
                              "printf '............................\\nok\\n';; esac; done\n");
    static const char *const names[][2] = {{"0", "a2"}, {"25", "z2"}, {"26", "aa2"}, {"55", "ab1"}};
    KnGame *game;
    check_ok(error, kn_game_open(context, patiently(""), &game, &error));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        KnText name = KN_TEXT_EMPTY;
        game->type->cell_name(game, atoi(names[i][0]), &name);
        assert_string_equal(name.data, names[i][1]);
        kn_text_free(&name);
    }
    kn_game_close(game);
    kn_close(context);
}

/* ---- Programs that do not start ---- */

static void test_bad_greetings(void **unused)
{
    (void)unused;
#define GREET(lines)                                                                                         \
    "while read -r word rest; do case $word in rules) printf '" lines                                        \
    "rulesok\\n';; state) echo moves x a; "                                                                  \
    "echo ok;; esac; done"
    static const struct {
        const char *script, *fault;
    } cases[] = {
        {"exit 3", "has exited (status 3)"},
        {"echo no such module >&2; exit 1", "it said: no such module"},
        {"sleep 1000", "has not answered for"},
        {"while :; do echo roles a b; done", "without the \"rulesok\" that ends its answer"},
        {"head -c 100000 /dev/zero | tr '\\\\0' x; sleep 100", "a line of more than"},
        {"read -r line; echo error I have lost the rules; sleep 100", "says: I have lost the rules"},
        {GREET("start a\\n"), "did not name its roles"},
        {GREET("roles x o\\n"), "where the game starts"},
        {GREET("roles x x\\nstart a\\n"), "different names"},
        {GREET("roles x o\\nstart a\\nhello\\n"), "\"hello\"; expected: id, roles"},
        {GREET("roles x o\\npayoffs 3 1\\nstart a\\n"), "payoffs LOW HIGH"},
        {GREET("roles x o z\\nzerosum\\nstart a\\n"), "zerosum is for two roles"},
        {GREET("roles x o\\nboard 3 0 .x\\nstart a\\n"), "board WIDTH HEIGHT SYMBOLS"},
        {GREET("roles x o\\nboard 3 3 .x\\nstart a\\n"), "declared a board and did not send it"},
        {GREET("roles x o\\nsize 1\\nstart ab\\n"), "it can say: size 2"},
        {GREET("roles a o\\nstart a\\n"), "with a role of the greeting"},
    };
    KnContext *context = test_workbench("pipe-rules");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnError error = {0};
        KnGame *game;
        write_program("rules.sh", cases[i].script);
        if (kn_game_open(context, patiently(cases[i].script), &game, &error) != KN_INPUT ||
            !strstr(error.text, cases[i].fault))
            fail_msg("%s: \"%s\" lacks \"%s\"", cases[i].script, error.text, cases[i].fault);
    }
    kn_close(context);
}

/* ---- Programs that fail later ---- */

/* A game of ten moves, one at a time, in which the program does something at its fifth. */
static void test_failures_end_the_run(void **unused)
{
    (void)unused;
#define RULES(at_five)                                                                                       \
    "tell() { if [ $1 = 5 ]; then " at_five                                                                  \
    "; fi; if [ $1 = 10 ]; then echo over 1 -1; elif [ $(($1 % 2)) = 0 ]; "                                  \
    "then echo moves x go stay; else echo moves o go stay; fi; echo ok; }\n"                                 \
    "while read -r word a b; do case $word in rules) printf 'roles x o\\nzerosum\\nstart 0\\nrulesok\\n';; " \
    "state) tell $a;; play) n=$((b + 1)); echo state $n; tell $n;; quit) exit;; esac; done\n"
    static const struct {
        const char *script, *fault;
    } cases[] = {
        {RULES("exit 9"), "has exited (status 9)"},
        {RULES("sleep 1000"), "has not answered for"},
        {RULES("while :; do echo moves x a; done"), "the moves of each role once"},
        {RULES("echo over 1 1"), "a zerosum game pays 0 in all"},
        {RULES("echo over 7 -7"), "payoffs are from -1 to 1"},
        {RULES("echo over 1"), "a payoff for each role"},
        {RULES("echo over 1 nan"), "a payoff for each role"},
        {RULES("echo over 1 -1"), "lists moves in a state that it calls over"},
        {RULES("echo moves x go go"), "one role that moves"},
        {RULES("echo moves o a a; echo ok; return"), "lists the move \"a\" twice"},
        {RULES("echo ok; return"), "neither which moves there are"},
        {RULES("echo moves o $(seq 300); echo ok; return"), "it can say: moves 300"},
        {RULES("echo state 6"), "each said once"},
        {RULES("echo error out of rules; return"), "says: out of rules"},
        {RULES("echo moves o $(date +%N); echo ok; return"), "contradicts itself about the state \"5\""},
    };
    KnContext *context = test_workbench("pipe-rules");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnError error = {0};
        KnMatchResult result;
        write_program("rules.sh", cases[i].script);
        KnMatchPlan plan = {.game = patiently(cases[i].script),
                            .players = {i % 2 ? "alphabeta(depth=3)" : "random", "uct(playouts=10)"},
                            .games = 2,
                            .jobs = 1 + (int)i % 2};
        if (kn_match_run(context, &plan, NULL, NULL, &result, &error) != KN_INPUT ||
            !strstr(error.text, cases[i].fault))
            fail_msg("%s: \"%s\" lacks \"%s\"", cases[i].script, error.text, cases[i].fault);
    }
    kn_close(context);
}

/* A program that dies while a search is under way, with a cache too small for the search: positions keep
 * their moves, so that no search falls over its own feet, and the run ends with the reason. */
static void test_death_in_a_search(void **unused)
{
    (void)unused;
    static const char script[] =
        "import hashlib, os, sys\n"
        "joint, left = sys.argv[1] == 'joint', int(sys.argv[2])\n"
        "def tell(s):\n"
        "    d = int(s.split()[0])\n"
        "    if d >= 10: print('over 1 0' if len(s) % 2 else 'over 0 1')\n"
        "    elif joint: print('moves a x y z\\nmoves b x y z')\n"
        "    else: print('moves', 'ab'[d % 2], 'x y z')\n"
        "for line in sys.stdin:\n"
        "    left -= 1\n"
        "    if left < 0: os._exit(3)\n"
        "    word, _, rest = line.strip().partition(' ')\n"
        "    if word == 'rules': print('roles a b\\npayoffs 0 1\\nzerosum\\n' + 'simultaneous\\n' * joint + "
        "'start 0 s\\nrulesok')\n"
        "    if word == 'state': tell(rest); print('ok')\n"
        "    if word == 'play':\n"
        "        move, _, s = rest.partition(' ')\n"
        "        s = '%d %s' % (int(s.split()[0]) + 1, hashlib.md5((move + s).encode()).hexdigest() * 6)\n"
        "        print('state', s); tell(s); print('ok')\n"
        "    sys.stdout.flush()\n";
    KnContext *context = test_workbench("pipe-rules");
    write_program("dies.py", script);
    static const char *const games[] = {
        "pipe(\"python3 dies.py joint 3000\", memory=1, copies=1, patience=60)",
        "pipe(\"python3 dies.py turns 3000\", memory=1, copies=1, patience=60)"};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        KnError error;
        KnMatchResult result;
        KnMatchPlan plan = {
            .game = games[i], .players = {"uct(playouts=2000)", "random"}, .games = 2, .jobs = 1};
        check_fails(error, KN_INPUT, "has exited (status 3)",
                    kn_match_run(context, &plan, NULL, NULL, &result, &error));
    }
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twin),
        cmocka_unit_test(test_joint_moves),
        cmocka_unit_test(test_drawings),
        cmocka_unit_test(test_bad_greetings),
        cmocka_unit_test(test_failures_end_the_run),
        cmocka_unit_test(test_death_in_a_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
