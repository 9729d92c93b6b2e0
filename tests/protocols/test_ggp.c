/* A player of general game playing, without a network: the dialogues of tests/protocols/dialogues, clocks
 * that hold whatever the rules or the player do, and rules that mean harm.
 *
 * A dialogue reads like a conversation: > a message, < the answer. In messages $NAME stands for the rules of
 * data/gdl/NAME.kif; in answers ... stands for anything, and ! begins the complaint about what is no message.
 * Lines with # are comments. */
#include "support/check.h"

#include <dirent.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "games/gdl/description.h"
#include <knack/base.h>
#include "players/player.h"
#include "protocols/ggp_player.h"
#include "protocols/ggp_game_list.h"

static KnContext *context;

static KnGgp *player(const char *spec)
{
    KnGgp *ggp;
    KnError error;
    KnGgpOptions options = {.name = "Knack", .seat = {.context = context, .spec = spec, .seed = 1}};
    check_ok(error, kn_ggp_new(&options, &ggp, &error));
    return ggp;
}

/* Asks, and puts a complaint behind a ! */
static double ask(KnGgp *ggp, const char *message, KnText *reply)
{
    KnError error;
    double arrived = kn_clock_now();
    kn_text_clear(reply);
    if (kn_ggp_answer(ggp, message, strlen(message), arrived, reply, &error) != KN_OK)
        kn_text_printf(reply, "! %s", error.text);
    return kn_clock_now() - arrived;
}

static void check_answer(KnGgp *ggp, const char *message, const char *wanted)
{
    KnText reply = KN_TEXT_EMPTY;
    ask(ggp, message, &reply);
    if (strcmp(reply.data, wanted) != 0) fail_msg("%.100s: %s, not %s", message, reply.data, wanted);
    kn_text_free(&reply);
}

static bool fits(const char *pattern, const char *text)
{
    const char *gap = strstr(pattern, "...");
    if (!gap) return strcmp(pattern, text) == 0;
    if (strncmp(pattern, text, (size_t)(gap - pattern)) != 0) return false;
    for (text += gap - pattern;; text++) {
        if (fits(gap + 3, text)) return true;
        if (!*text) return false;
    }
}

/* ---- Dialogues ---- */

static void add_rules(const char *name, KnText *out)
{
    KnText rules = KN_TEXT_EMPTY;
    KnError error;
    check_ok(error, kn_gdl_load(name, &rules, &error));
    kn_text_add(out, rules.data);
    kn_text_free(&rules);
}

static void expand(const char *line, KnText *out)
{
    kn_text_clear(out);
    while (*line) {
        if (*line != '$') {
            kn_text_add_char(out, *line++);
            continue;
        }
        char name[64];
        size_t length = strspn(++line, "abcdefghijklmnopqrstuvwxyz0123456789");
        snprintf(name, sizeof name, "%.*s", (int)length, line);
        add_rules(name, out);
        line += length;
    }
}

static void hold_dialogue(const char *path)
{
    KnText text = KN_TEXT_EMPTY, message = KN_TEXT_EMPTY, reply = KN_TEXT_EMPTY;
    KnError error;
    check_ok(error, kn_file_read(path, &text, 1 << 20, &error));
    KnGgp *ggp = player("uct(playouts=100)");
    int number = 0, answers = 0;
    for (char *rest = text.data, *line; (line = strsep(&rest, "\n"));) {
        number++;
        if (line[0] == '>') {
            expand(line + 2, &message);
            ask(ggp, message.data, &reply);
        } else if (line[0] == '<') {
            if (!fits(line + 2, reply.data)) fail_msg("%s:%d: the answer was %s", path, number, reply.data);
            answers++;
        } else if (line[0] && line[0] != '#')
            fail_msg("%s:%d: neither > nor < nor #", path, number);
    }
    assert_true(answers > 0);
    kn_ggp_free(ggp);
    kn_text_free(&text);
    kn_text_free(&message);
    kn_text_free(&reply);
}

static void test_dialogues(void **state)
{
    (void)state;
    struct dirent **names;
    int count = scandir(KNACK_SOURCE_DIR "/tests/protocols/dialogues", &names, NULL, alphasort), held = 0;
    assert_true(count > 2);
    for (int i = 0; i < count; i++) {
        char path[1000];
        snprintf(path, sizeof path, "%s/tests/protocols/dialogues/%.200s", KNACK_SOURCE_DIR,
                 names[i]->d_name);
        if (strstr(path, ".txt")) {
            hold_dialogue(path);
            held++;
        }
        free(names[i]);
    }
    free(names);
    assert_true(held > 0);
}

/* ---- Clocks ---- */

static void start(KnGgp *ggp, const char *role, const char *rules, double start_clock, double play_clock,
                  const char *wanted)
{
    KnText message = KN_TEXT_EMPTY;
    kn_text_printf(&message, "(START m %s (%s) %g %g)", role, rules, start_clock, play_clock);
    check_answer(ggp, message.data, wanted);
    kn_text_free(&message);
}

/* Whether an answer came after its clock. Sanitized programs are slow, and tests run side by side. */
static bool late(double took, double clock) { return took > clock + (check_scaled(100) < 100 ? 2 : 0.1); }

/* A search without end uses its clock and no more. */
static void test_time_is_used_and_kept(void **state)
{
    (void)state;
    KnText rules = KN_TEXT_EMPTY, reply = KN_TEXT_EMPTY;
    add_rules("othello", &rules);
    KnGgp *ggp = player(kn_ggp_default_spec);
    start(ggp, "black", rules.data, 2, 1, "ready");
    double took = ask(ggp, "(PLAY m NIL)", &reply);
    if (took < 0.6 || late(took, 1)) fail_msg("it took %.3f s of 1 s", took);
    assert_int_equal(strncmp(reply.data, "(", 1), 0);
    kn_ggp_free(ggp);
    kn_text_free(&rules);
    kn_text_free(&reply);
}

/* A player that thinks on and on, deaf to budgets and cancelling. */
static KnStatus dawdle(KnPlayer *player_, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)player_, (void)error;
    usleep(2000000);
    answer->move = request->allowed[0];
    return KN_OK;
}

static const KnPlayerType dawdler = {.head = {"dawdler", "never in time", NULL}, .choose = dawdle};

static void test_a_player_that_overruns(void **state)
{
    (void)state;
    KnText rules = KN_TEXT_EMPTY, reply = KN_TEXT_EMPTY, message = KN_TEXT_EMPTY;
    add_rules("tictactoe", &rules);
    KnGgp *ggp = player("dawdler");
    start(ggp, "x", rules.data, 2, 0.8, "ready");
    double took = ask(ggp, "(PLAY m NIL)", &reply);
    if (late(took, 0.8)) fail_msg("it took %.3f s of 0.8 s", took);
    assert_int_equal(strncmp(reply.data, "(mark ", 6), 0);
    kn_text_printf(&message, "(PLAY m (%s wait))",
                   reply.data); /* the search thread is still at the move before */
    took = ask(ggp, message.data, &reply);
    if (late(took, 0.8)) fail_msg("it took %.3f s of 0.8 s", took);
    assert_string_equal(reply.data, "wait");
    check_answer(ggp, "(STOP m (wait (mark 9 9)))", "done");
    check_answer(ggp, "(INFO)", "( ( name Knack ) ( status available ) )");
    kn_ggp_free(ggp);
    kn_text_free(&rules);
    kn_text_free(&reply);
    kn_text_free(&message);
}

/* A player that is in time for little and not for much: its first thought is the answer. */
static KnStatus hesitate(KnPlayer *player_, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)player_, (void)error;
    bool little = request->budget.seconds < 0.3;
    usleep(little ? (useconds_t)(request->budget.seconds * 1e6) : 2000000);
    answer->move = request->allowed[little ? request->allowed_count - 1 : 0];
    return KN_OK;
}

static const KnPlayerType waverer = {.head = {"waverer", "in time for little", NULL}, .choose = hesitate};

static void test_first_thoughts(void **state)
{
    (void)state;
    KnText rules = KN_TEXT_EMPTY;
    add_rules("tictactoe", &rules);
    KnGgp *ggp = player("waverer");
    start(ggp, "x", rules.data, 2, 1, "ready");
    check_answer(ggp, "(PLAY m NIL)", "(mark 3 3)");
    kn_ggp_free(ggp);
    kn_text_free(&rules);
}

/* A player that can think ahead does so while the others choose, at the position that it has observed, and
 * stops when their time is long over. */
static atomic_int pondered, pondered_late;

static KnStatus open_ponderer(KnPlayer *player_, const KnOptions *options, KnError *error)
{
    (void)options, (void)error;
    player_->traits |= KN_PLAYER_PONDERS;
    player_->data = calloc(1, sizeof(int)); /* moves observed */
    return player_->data ? KN_OK : KN_SYSTEM;
}

static void close_ponderer(KnPlayer *player_) { free(player_->data); }

static KnStatus observe_ponderer(KnPlayer *player_, const KnState *state, const KnMove *joint, KnError *error)
{
    (void)state, (void)joint, (void)error;
    ++*(int *)player_->data;
    return KN_OK;
}

static KnStatus prepare_ponderer(KnPlayer *player_, int role, double seconds, KnRng *rng, KnError *error)
{
    (void)role, (void)rng, (void)error;
    atomic_fetch_add(*(int *)player_->data ? &pondered_late : &pondered, 1);
    usleep((useconds_t)(fmin(seconds, 0.02) * 1e6));
    return KN_OK;
}

static KnStatus choose_first(KnPlayer *player_, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)player_, (void)error;
    answer->move = request->allowed[0];
    return KN_OK;
}

static const KnPlayerType ponderer = {.head = {"ponderer", "thinks ahead", NULL},
                                      .open = open_ponderer,
                                      .close = close_ponderer,
                                      .prepare = prepare_ponderer,
                                      .observe = observe_ponderer,
                                      .choose = choose_first};

static void test_thinking_ahead(void **state)
{
    (void)state;
    KnText rules = KN_TEXT_EMPTY;
    add_rules("tictactoe", &rules);
    KnGgp *ggp = player("ponderer");
    start(ggp, "o", rules.data, 2, 1, "ready");
    check_answer(ggp, "(PLAY m NIL)", "wait");
    usleep(150000);
    assert_true(atomic_load(&pondered) >= 2); /* the start clock, and x's time */
    check_answer(ggp, "(PLAY m ((mark 2 2) wait))", "(mark 1 1)");
    usleep(150000);
    assert_true(atomic_load(&pondered_late) >= 1);
    kn_ggp_free(ggp);
    kn_text_free(&rules);
}

/* A player that fails, or that is not made for the game, is replaced by chance. */
static KnStatus give_up(KnPlayer *player_, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)player_, (void)request, (void)answer;
    return kn_fail(error, KN_NO, "no idea");
}

static const KnPlayerType quitter = {.head = {"quitter", "always fails", NULL}, .choose = give_up};

static void test_a_player_that_fails(void **state)
{
    (void)state;
    KnText rules = KN_TEXT_EMPTY, reply = KN_TEXT_EMPTY;
    add_rules("tictactoe", &rules);
    static const char *const specs[] = {"quitter", "satisfice"};
    for (int i = 0; i < 2; i++) {
        KnGgp *ggp = player(specs[i]);
        start(ggp, "x", rules.data, 2, 1, "ready");
        ask(ggp, "(PLAY m NIL)", &reply);
        assert_int_equal(strncmp(reply.data, "(mark ", 6), 0);
        kn_ggp_free(ggp);
    }
    kn_text_free(&rules);
    kn_text_free(&reply);
}

/* ---- Rules that mean harm ---- */

/* Whatever the rules, START and PLAY are answered in time. */
static void check_harmless(const char *what, const char *role, const char *rules, const char *ready,
                           const char *move)
{
    KnText message = KN_TEXT_EMPTY, reply = KN_TEXT_EMPTY;
    KnGgp *ggp = player("uct(playouts=20)");
    kn_text_printf(&message, "(START m %s (%s) 2 0.8)", role, rules);
    double took = ask(ggp, message.data, &reply);
    if (!fits(ready, reply.data) || late(took, 2))
        fail_msg("%s: START: %s after %.3f s", what, reply.data, took);
    took = ask(ggp, "(PLAY m NIL)", &reply);
    if (!fits(move, reply.data) || late(took, 0.8))
        fail_msg("%s: PLAY: %s after %.3f s", what, reply.data, took);
    kn_ggp_free(ggp);
    kn_text_free(&message);
    kn_text_free(&reply);
}

static void test_hostile_rules(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    static const char frame[] =
        "(role a) (<= (legal a x) (true s)) (legal a y) (init s) (next s) (goal a 50) ";
    check_harmless("no rules", "a", "", "busy", "busy");
    check_harmless("endless terms", "a",
                   "(role a) (legal a x) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x))) (<= terminal "
                   "(true (n z))) (goal a 5)",
                   "ready", "x");
    kn_text_add(&text, frame);
    kn_text_add(&text, "(<= (p (f ?x)) (p ?x)) (p 0) (<= terminal (p zz))");
    check_harmless("endless recursion", "a", text.data, "...", "...");
    kn_text_clear(&text);
    kn_text_add(&text, frame);
    for (int i = 0; i < 30; i++) kn_text_printf(&text, "(d %d)", i);
    kn_text_add(&text, "(<= (big ?a ?b ?c ?d ?e ?f) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (true s)) (<= "
                       "terminal (big 1 2 3 4 5 99))");
    check_harmless("millions of sentences", "a", text.data, "ready", "...");
    kn_text_clear(&text);
    kn_text_add(&text, frame);
    kn_text_add(&text, "(<= terminal (p ");
    for (int i = 0; i < 20000; i++) kn_text_add(&text, "(f ");
    for (int i = 0; i < 20000; i++) kn_text_add(&text, ")");
    kn_text_add(&text, "))");
    check_harmless("deep nesting", "a", text.data, "busy", "busy");
    kn_text_clear(&text);
    kn_text_add(&text, frame);
    kn_text_add(&text, "(p ");
    for (int i = 0; i < 20000; i++) kn_text_add(&text, " x");
    kn_text_add(&text, ")");
    check_harmless("huge arity", "a", text.data, "busy", "busy");
    check_harmless("terminal at once", "a", "(role a) (legal a x) terminal (goal a 1)", "ready", "x");
    check_harmless("no legal move", "a",
                   "(role a) (<= (legal a x) (true q)) (init s) (<= terminal (true q)) (goal a 1)", "ready",
                   "nil");
    kn_text_free(&text);
}

/* Rules that take long to ground: the prover answers meanwhile, and the match changes over when it can. Rules
 * that the prover has no room for wait for the network of gates. */
static void test_long_grounding(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY, reply = KN_TEXT_EMPTY;
    FILE *out = tmpfile();
    assert_non_null(out);
    KnGgp *ggp;
    KnError error;
    KnGgpOptions options = {
        .name = "Knack",
        .seat = {.context = context, .spec = "uct(playouts=20)", .log = {out, KN_LOG_DEBUG, NULL}}};
    check_ok(error, kn_ggp_new(&options, &ggp, &error));
    for (int i = 0; i < (check_scaled(100) < 100 ? 15 : 60); i++) kn_text_printf(&text, "(d %d)", i);
    kn_text_add(&text,
                "(role a) (legal a x) (legal a y) (init (n 0)) (<= (init (e ?x)) (d ?x)) (<= (next (e ?x)) "
                "(true (e ?x)))"
                "(<= (next (n 1)) (true (n 0))) (<= (next (n 2)) (true (n 1))) (<= (next (n 3)) (true (n "
                "2))) (<= terminal (true (n 3)))"
                "(<= (big ?a ?b ?c) (true (e ?a)) (true (e ?b)) (true (e ?c)) (distinct ?a ?b) (does a x))"
                "(<= (next (got ?a ?c)) (big ?a ?b ?c)) (<= (goal a 100) (true (n 3)))");
    start(ggp, "a", text.data, 0.3, 2, "ready");
    ask(ggp, "(PLAY m NIL)", &reply);
    assert_true(strcmp(reply.data, "x") == 0 || strcmp(reply.data, "y") == 0);
    for (int i = 0; i < 2; i++) {
        ask(ggp, "(PLAY m (y))", &reply);
        assert_true(strcmp(reply.data, "x") == 0 || strcmp(reply.data, "y") == 0);
        usleep(300000);
    }
    check_answer(ggp, "(STOP m (y))", "done");

    kn_text_clear(&text);
    for (int i = 0; i < 120; i++) kn_text_printf(&text, "(d %d)", i);
    kn_text_add(
        &text,
        "(role a) (<= (legal a (m ?x ?y)) (d ?x) (d ?y)) (init s) (<= terminal (not (true s))) (goal a 1)");
    start(ggp, "a", text.data, 0.3, 5, "ready");
    ask(ggp, "(PLAY m NIL)", &reply);
    if (strncmp(reply.data, "(m ", 3) != 0) fail_msg("the answer was %s", reply.data);
    check_answer(ggp, "(ABORT m)", "aborted");
    kn_ggp_free(ggp);
    fflush(out);
    rewind(out);
    for (char line[1000]; fgets(line, sizeof line, out);)
        if (strstr(line, "do not follow") || strstr(line, "not in time")) fail_msg("it said: %s", line);
    fclose(out);
    kn_text_free(&text);
    kn_text_free(&reply);
}

/* A match that is given up in the middle of grounding or proving is gone at once. */
static void test_giving_up(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    kn_text_add(&text, "(role a) (legal a x) (init s) (next s) (goal a 50) ");
    for (int i = 0; i < 3000; i++) kn_text_printf(&text, "(succ %d %d)", i, i + 1);
    kn_text_add(&text, "(<= (lt ?x ?y) (succ ?x ?y)) (<= (lt ?x ?z) (lt ?x ?y) (lt ?y ?z)) (<= terminal (lt "
                       "?x 99999) (true s))");
    KnGgp *ggp = player("random");
    start(ggp, "a", text.data, 0.4, 0.4, "ready");
    check_answer(ggp, "(ABORT m)", "aborted");
    check_answer(ggp, "(INFO)", "( ( name Knack ) ( status available ) )");
    double started = kn_clock_now();
    kn_ggp_free(ggp);
    if (late(kn_clock_now() - started, 1)) fail_msg("it went on for %.1f s", kn_clock_now() - started);

    KnGgpTable *table;
    KnError error;
    atomic_bool cancel = true;
    started = kn_clock_now();
    check_fails(error, KN_STOPPED, "stopped",
                kn_ggp_table_open(context, "m", (KnPiece){text.data, text.length}, KN_GDL_PROPNET, 0, &cancel,
                                  &table, &error));
    check_ok(error, kn_ggp_table_open(context, "m", (KnPiece){text.data, text.length}, KN_GDL_PROVER, 0,
                                      &cancel, &table, &error));
    KnGgpBoard *board;
    bool over;
    check_ok(error, kn_ggp_board_new(table, &board, &error));
    check_fails(error, KN_INPUT, "stopped", kn_gdl_is_terminal(table->machine, board->state, &over, &error));
    kn_ggp_board_free(board);
    kn_ggp_table_drop(table);
    if (late(kn_clock_now() - started, 1)) fail_msg("stopping took %.1f s", kn_clock_now() - started);
    kn_text_free(&text);
}

/* Options that make no sense are found out at once. */
static void test_names(void **state)
{
    (void)state;
    KnGgp *ggp;
    KnError error;
    KnGgpOptions options = {.name = "two words", .seat = {.context = context, .spec = "random"}};
    check_fails(error, KN_USAGE, "no name for a player", kn_ggp_new(&options, &ggp, &error));
    options.name = "Knack";
    options.seat.spec = "uct(plaouts=3)";
    check_fails(error, KN_INPUT, "playouts", kn_ggp_new(&options, &ggp, &error));
    options.seat.spec = "nobody";
    check_fails(error, KN_INPUT, "nobody", kn_ggp_new(&options, &ggp, &error));
}

static int set_up(void **state)
{
    (void)state;
    KnError error;
    check_ok(error, kn_open(NULL, &context, &error));
    check_ok(error, kn_register(context, KN_KIND_PLAYER, &dawdler.head, &error));
    check_ok(error, kn_register(context, KN_KIND_PLAYER, &quitter.head, &error));
    check_ok(error, kn_register(context, KN_KIND_PLAYER, &waverer.head, &error));
    check_ok(error, kn_register(context, KN_KIND_PLAYER, &ponderer.head, &error));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    kn_close(context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dialogues),
        cmocka_unit_test(test_time_is_used_and_kept),
        cmocka_unit_test(test_a_player_that_overruns),
        cmocka_unit_test(test_first_thoughts),
        cmocka_unit_test(test_thinking_ahead),
        cmocka_unit_test(test_a_player_that_fails),
        cmocka_unit_test(test_hostile_rules),
        cmocka_unit_test(test_long_grounding),
        cmocka_unit_test(test_giving_up),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
