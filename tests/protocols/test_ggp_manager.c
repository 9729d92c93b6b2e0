/* The match manager: against players that answer late, wrongly, strangely or not at all; its records;
 * scrambled names. */
#include "support/check.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "protocols/http_message.h"
#include "games/gdl/description.h"
#include <knack/base.h>
#include "protocols/ggp_manager.h"
#include "protocols/ggp_obfuscation.h"

static KnContext *context;

/* ---- A player that misbehaves as it is told ---- */

typedef enum Manner { PROPER, SLOW, WRONG, OTHER_CASE, BROKEN, HANGING_UP, REFUSING, CHATTY } Manner;

typedef struct Fake {
    int fd, port;
    pthread_t thread;
    Manner manner;
    char address[32];
} Fake;

static void answer(const Fake *fake, int fd, const char *message)
{
    bool play = strstr(message, "( PLAY ") != NULL, start = strstr(message, "( START ") != NULL;
    const char *body = start ? "ready" : play ? "x" : "done", *status = "200 OK";
    char text[256];
    if (start && fake->manner == REFUSING) body = "busy";
    if (play && fake->manner == SLOW) usleep(1500000);
    if (play && fake->manner == WRONG) body = "(jump 3)";
    if (play && fake->manner == OTHER_CASE) body = "X";
    if (play && fake->manner == BROKEN) body = "(x";
    if (play && fake->manner == CHATTY) body = "x y";
    if (play && fake->manner == HANGING_UP) return;
    if (play && fake->manner == PROPER) body = " \n x \n";
    int length = snprintf(text, sizeof text, "HTTP/1.0 %s\r\ncontent-length: %zu\r\n\r\n%s", status,
                          strlen(body), body);
    send(fd, text, (size_t)length, MSG_NOSIGNAL);
}

static void *serve(void *user)
{
    const Fake *fake = user;
    for (;;) {
        int fd = accept(fake->fd, NULL, NULL);
        if (fd < 0) return NULL;
        KnHttpMessage wire = kn_http_message(KN_HTTP_REQUEST, 1 << 16);
        char bytes[4096];
        KnError error;
        ssize_t got;
        while (!wire.whole && (got = recv(fd, bytes, sizeof bytes, 0)) > 0)
            check_ok(error, kn_http_message_feed(&wire, bytes, (size_t)got, &error));
        if (wire.whole) answer(fake, fd, wire.body.data);
        kn_http_message_free(&wire);
        close(fd);
    }
}

static void fake_open(Fake *fake, Manner manner)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    *fake = (Fake){.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), .manner = manner};
    assert_true(fake->fd >= 0);
    assert_int_equal(bind(fake->fd, (struct sockaddr *)&address, length), 0);
    assert_int_equal(listen(fake->fd, 10), 0);
    assert_int_equal(getsockname(fake->fd, (struct sockaddr *)&address, &length), 0);
    snprintf(fake->address, sizeof fake->address, "127.0.0.1:%d", ntohs(address.sin_port));
    assert_int_equal(pthread_create(&fake->thread, NULL, serve, fake), 0);
}

static void fake_close(Fake *fake)
{
    shutdown(fake->fd, SHUT_RDWR);
    pthread_join(fake->thread, NULL);
    close(fake->fd);
}

/* Two steps, two roles with two moves each; who plays x gets the points. */
static const char rules[] = "(role a) (role b) (p 1) (p 1 2)";
static const char duel[] =
    "; a duel of two steps\n(role a) (role b) (<= (legal ?r x) (role ?r)) (<= (legal ?r y) (role ?r)) (init "
    "(step 0)) (<= (next (step 1)) (true (step 0)))"
    "(<= (next (step 2)) (true (step 1))) (<= (next (hit ?r)) (does ?r x)) (<= terminal (true (step 2)))"
    "(<= (goal ?r 100) (true (hit ?r))) (<= (goal ?r 0) (role ?r) (not (true (hit ?r))))";

typedef struct Seen {
    int matches;
    json_t *record;
} Seen;

static KnStatus see(void *user, const KnGgpManaged *match, KnError *error)
{
    (void)error;
    Seen *seen = user;
    seen->matches++;
    json_decref(seen->record);
    seen->record = json_deep_copy(match->record);
    return KN_OK;
}

static KnGgpPlan plan_of(const char *const *players, int count)
{
    return (KnGgpPlan){.context = context,
                       .name = "duel",
                       .rules = duel,
                       .players = players,
                       .player_count = count,
                       .start_clock = 2,
                       .play_clock = 0.3,
                       .matches = 1,
                       .seed = 1};
}

static void check_fault(Manner manner, KnGgpFault wanted, uint64_t times, const char *code)
{
    Fake fake;
    fake_open(&fake, manner);
    KnGgpTally tallies[2];
    KnError error;
    Seen seen = {0};
    const char *players[] = {fake.address, "random"};
    KnGgpPlan plan = plan_of(players, 2);
    check_ok(error, kn_ggp_manage(&plan, see, &seen, tallies, &error));
    assert_int_equal(tallies[0].answers, 2);
    for (int fault = 0; fault < KN_GGP_FAULTS; fault++) {
        uint64_t count = fault == (int)wanted                            ? times
                         : fault == KN_GGP_FINE && wanted != KN_GGP_FINE ? (wanted == KN_GGP_UNREADY ? 2 : 0)
                                                                         : 0;
        if (tallies[0].faults[fault] != count)
            fail_msg("manner %d: %llu times %s", manner, (unsigned long long)tallies[0].faults[fault],
                     kn_ggp_fault_name((KnGgpFault)fault));
        assert_int_equal(tallies[1].faults[fault], fault == KN_GGP_FINE ? 2 : 0);
    }
    json_t *errors = json_object_get(seen.record, "errors");
    assert_int_equal(json_array_size(errors), 2);
    assert_string_equal(json_string_value(json_array_get(json_array_get(errors, 0), 0)), code);
    assert_string_equal(json_string_value(json_array_get(json_array_get(errors, 0), 1)), "");
    assert_true(json_is_true(json_object_get(seen.record, "isCompleted")));
    json_decref(seen.record);
    fake_close(&fake);
}

static void test_faults(void **state)
{
    (void)state;
    check_fault(PROPER, KN_GGP_FINE, 2, "");
    check_fault(WRONG, KN_GGP_ILLEGAL, 2, "IL");
    check_fault(OTHER_CASE, KN_GGP_ILLEGAL, 2, "IL");
    check_fault(BROKEN, KN_GGP_MALFORMED, 2, "IL");
    check_fault(CHATTY, KN_GGP_MALFORMED, 2, "IL");
    check_fault(HANGING_UP, KN_GGP_LOST, 2, "CE");
    check_fault(REFUSING, KN_GGP_UNREADY, 1, "");
    check_fault(SLOW, KN_GGP_LATE, 2, "TO");
}

/* What is written down of a match. */
static void test_record(void **state)
{
    (void)state;
    Fake fake;
    fake_open(&fake, PROPER);
    KnGgpTally tallies[2];
    KnError error;
    Seen seen = {0};
    const char *players[] = {fake.address, fake.address};
    KnGgpPlan plan = plan_of(players, 2);
    plan.matches = 3;
    plan.rotate = true;
    check_ok(error, kn_ggp_manage(&plan, see, &seen, tallies, &error));
    assert_int_equal(seen.matches, 3);
    assert_int_equal(tallies[0].goals.count, 3);
    assert_int_equal((int)kn_moments_mean(&tallies[0].goals), 100);
    json_t *states = json_object_get(seen.record, "states"), *moves = json_object_get(seen.record, "moves"),
           *goals = json_object_get(seen.record, "goalValues");
    assert_int_equal(json_array_size(states), 3);
    assert_int_equal(json_array_size(json_object_get(seen.record, "stateTimes")), 3);
    assert_string_equal(json_string_value(json_array_get(states, 0)), "( ( step 0 ) )");
    assert_string_equal(json_string_value(json_array_get(states, 2)), "( ( hit a ) ( hit b ) ( step 2 ) )");
    assert_int_equal(json_array_size(moves), 2);
    assert_string_equal(json_string_value(json_array_get(json_array_get(moves, 1), 1)), "x");
    assert_int_equal(json_integer_value(json_array_get(goals, 1)), 100);
    assert_true(json_is_false(json_object_get(seen.record, "isAborted")));
    json_decref(seen.record);
    fake_close(&fake);
}

/* Our own players against each other: no faults, under other names, with chance in the game and over many
 * roles. */
static void check_own(const char *description, int count, bool obfuscation)
{
    static const char *const players[] = {"uct(playouts=30)", "random", "random"};
    KnText text = KN_TEXT_EMPTY;
    KnGgpTally tallies[3];
    KnError error;
    Seen seen = {0};
    check_ok(error, kn_gdl_load(description, &text, &error));
    KnGgpPlan plan = plan_of(players, count);
    plan.name = description;
    plan.rules = text.data;
    plan.obfuscation = obfuscation;
    plan.play_clock = plan.start_clock = 5;
    plan.plies = 30;
    check_ok(error, kn_ggp_manage(&plan, see, &seen, tallies, &error));
    for (int i = 0; i < count; i++) {
        assert_int_equal(tallies[i].faults[KN_GGP_FINE], tallies[i].answers);
        assert_int_equal(tallies[i].over, 0);
        assert_true(tallies[i].answers > 0);
    }
    json_decref(seen.record);
    kn_text_free(&text);
}

static void test_own_players(void **state)
{
    (void)state;
    check_own("tictactoe", 2, false);
    check_own("tictactoe", 2, true);
    check_own("othello6", 2, true);
    check_own("dice", 1, true);
    check_own("threesome", 3, true);
    check_own("roshambo", 2, true);
    check_own("eightpuzzle", 1, true);
}

static void test_bad_plans(void **state)
{
    (void)state;
    KnGgpTally tallies[2];
    KnError error;
    const char *players[] = {"random", "random"};
    KnGgpPlan plan = plan_of(players, 1);
    check_fails(error, KN_USAGE, "2 players (a b), and 1 is given",
                kn_ggp_manage(&plan, NULL, NULL, tallies, &error));
    plan = plan_of(players, 2);
    plan.rules = rules;
    check_fails(error, KN_INPUT, "duel:", kn_ggp_manage(&plan, NULL, NULL, tallies, &error));
    plan = plan_of(players, 2);
    players[1] = "nobody";
    check_fails(error, KN_INPUT, "nobody", kn_ggp_manage(&plan, NULL, NULL, tallies, &error));
    players[1] = "no.such.host.invalid:80";
    check_fails(error, KN_INPUT, "no such host", kn_ggp_manage(&plan, NULL, NULL, tallies, &error));
    atomic_bool cancel = true;
    players[1] = "random";
    plan.cancel = &cancel;
    check_fails(error, KN_STOPPED, "stopped", kn_ggp_manage(&plan, NULL, NULL, tallies, &error));
}

static void test_scramble(void **state)
{
    (void)state;
    static const char description[] =
        "(role white) ; c\n(<= (next (cell ?x 1 b)) (TRUE (cell ?x 1 b)) (distinct "
        "?x 2)) (goal white 100) (init (cell a 1 b))";
    KnRng rng = kn_rng_seeded(3);
    KnObfuscation *obfuscation = kn_obfuscation_new((KnPiece){description, strlen(description)}, &rng);
    assert_non_null(obfuscation);
    KnText out = KN_TEXT_EMPTY, back = KN_TEXT_EMPTY, plain = KN_TEXT_EMPTY;
    kn_obfuscation_print(obfuscation, (KnPiece){description, strlen(description)}, false, &out);
    assert_null(strstr(out.data, "white"));
    assert_null(strstr(out.data, "cell"));
    assert_non_null(strstr(out.data, "(goal "));
    assert_non_null(strstr(out.data, " 100)"));
    assert_non_null(strstr(out.data, "(TRUE ("));
    assert_non_null(strstr(out.data, "(distinct ?x 2)"));
    kn_obfuscation_print(obfuscation, (KnPiece){out.data, out.length}, true, &back);
    kn_piece_plain((KnPiece){description, strlen(description)}, &plain);
    assert_string_equal(back.data, plain.data);
    kn_text_free(&out);
    kn_text_free(&back);
    kn_text_free(&plain);
    kn_obfuscation_free(obfuscation);
}

static int set_up(void **state)
{
    (void)state;
    KnError error;
    check_ok(error, kn_open(NULL, &context, &error));
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
        cmocka_unit_test(test_faults),    cmocka_unit_test(test_record),   cmocka_unit_test(test_own_players),
        cmocka_unit_test(test_bad_plans), cmocka_unit_test(test_scramble),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
