/* The player's door: clients of all ages, slow ones, those that hang up in the middle, many at once. */
#include "support/check.h"
#include "support/client.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "games/gdl/description.h"
#include <knack/base.h>
#include "protocols/ggp_listen.h"

static KnContext *context;
static KnGgp *ggp;
static KnGgpListener *listener;
static const KnLog silent;
static char *rules;

static int port(void) { return kn_ggp_port(listener); }

static void check_raw(const char *bytes, int status, const char *body)
{
    TestAnswer answer = test_ask_raw(port(), bytes, strlen(bytes));
    if (answer.status != status || (body && strcmp(answer.body, body) != 0))
        fail_msg("%.200s: %d %s, not %d %s", bytes, answer.status, answer.body ? answer.body : "", status,
                 body ? body : "");
    test_answer_free(&answer);
}

/* As the usual manager sends it. */
static char *tell(const char *message)
{
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text,
                   "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: "
                   "GAMESERVER\r\nReceiver: Knack\r\nContent-Type: text/acl\r\n"
                   "Content-Length: %zu\r\n\r\n%s",
                   strlen(message), message);
    TestAnswer answer = test_ask_raw(port(), text.data, text.length);
    kn_text_free(&text);
    char *body = answer.status == 200 ? strdup(answer.body) : NULL;
    test_answer_free(&answer);
    return body;
}

static void check_tell(const char *message, const char *wanted)
{
    char *said = tell(message);
    if (!said || strcmp(said, wanted) != 0)
        fail_msg("%.60s: %s, not %s", message, said ? said : "nothing", wanted);
    free(said);
}

static const char free_now[] = "( ( name Knack ) ( status available ) )";

static void test_clients_of_all_ages(void **state)
{
    (void)state;
    check_tell("( INFO )", free_now);
    check_raw("POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )", 200, free_now);
    check_raw("POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/acl; charset=utf-8\r\nContent-Length: "
              "8\r\n\r\n( INFO )",
              200, free_now);
    check_raw(
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n( IN\r\n4\r\nFO )\r\n0\r\n\r\n",
        200, free_now);
    check_raw("POST /any/path HTTP/1.0\ncontent-length:8\n\n( INFO )", 200, free_now);
    check_raw("POST / HTTP/1.0\r\n\r\n( INFO )", 200,
              free_now); /* no length at all: the last parenthesis ends it */
    check_raw("POST / HTTP/1.0\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
              "8\r\n\r\n( INFO )",
              200, free_now);
    check_raw("GET / HTTP/1.1\r\nHost: x\r\n\r\n", 405, NULL);
    check_raw("POST / HTTP/1.1\r\nOrigin: http://elsewhere\r\nContent-Length: 8\r\n\r\n( INFO )", 403, NULL);
    check_raw("POST / HTTP/1.0\r\nContent-Length: 99999999\r\n\r\n( INFO )", 400, NULL);
    check_raw("POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello", 400, NULL);
    check_raw("hello\r\n\r\n", 400, NULL);
    TestAnswer answer = test_ask_raw(port(), "POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )", 47);
    assert_int_equal(strncmp(answer.headers, "HTTP/1.0 200 OK", 15), 0); /* in the client's own version */
    assert_non_null(strstr(answer.headers, "Content-Type: text/acl"));
    test_answer_free(&answer);
}

/* curl and its kin wait for leave to send a long body. */
static void test_expecting_client(void **state)
{
    (void)state;
    int fd = test_connect(port());
    char bytes[512];
    const char *head = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 8\r\n\r\n";
    test_send(fd, head, strlen(head));
    ssize_t got = read(fd, bytes, sizeof bytes - 1);
    assert_true(got > 0);
    bytes[got] = '\0';
    assert_int_equal(strncmp(bytes, "HTTP/1.1 100 Continue\r\n\r\n", 25), 0);
    test_send(fd, "( INFO )", 8);
    got = read(fd, bytes, sizeof bytes - 1);
    assert_true(got > 0);
    bytes[got] = '\0';
    assert_non_null(strstr(bytes, free_now));
    close(fd);
}

static void test_slow_and_broken_clients(void **state)
{
    (void)state;
    const char *message = "POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )";
    int fds[20];
    for (int i = 0; i < 20; i++) { /* twenty that stop in the middle, each somewhere else */
        fds[i] = test_connect(port());
        test_send(fds[i], message, strlen(message) * (size_t)i / 20);
    }
    double started = kn_clock_now();
    check_tell("( INFO )", free_now);
    if (kn_clock_now() - started > 2) fail_msg("others had to wait %.1f s", kn_clock_now() - started);
    for (int i = 0; i < 10; i++) close(fds[i]);
    for (int i = 10; i < 20; i++) { /* the rest finish letter by letter */
        for (size_t at = strlen(message) * (size_t)i / 20; at < strlen(message); at++) {
            test_send(fds[i], message + at, 1);
            if (at % 8 == 0) usleep(1000);
        }
        char bytes[256] = "";
        assert_true(read(fds[i], bytes, sizeof bytes - 1) > 0);
        if (!strstr(bytes, " 200 OK")) fail_msg("%s", bytes);
        close(fds[i]);
    }
    check_tell("( INFO )", free_now);
}

/* A whole match, with moves asked for over the network, and an end by ABORT while the player thinks. */
static void *abort_soon(void *user)
{
    (void)user;
    usleep(200000);
    char *said = tell("( ABORT long )");
    if (said && strcmp(said, "aborted") != 0) fail_msg("ABORT: %s", said);
    free(said);
    return NULL;
}

static void test_abort_while_thinking(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    pthread_t thread;
    kn_text_printf(&text, "( START long black (%s) 10 30)", rules);
    check_tell(text.data, "ready");
    kn_text_free(&text);
    assert_int_equal(pthread_create(&thread, NULL, abort_soon, NULL), 0);
    double started = kn_clock_now();
    char *said = tell("( PLAY long NIL )");
    assert_non_null(said);
    if (kn_clock_now() - started > 10) fail_msg("it thought on for %.1f s", kn_clock_now() - started);
    free(said);
    pthread_join(thread, NULL);
    check_tell("( INFO )", free_now);
}

typedef struct Crowd {
    pthread_t thread;
    int number, ready, busy;
} Crowd;

/* Starts a match of its own, and plays and ends it if it may. */
static void *visit(void *user)
{
    Crowd *one = user;
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text, "( START crowd%d black (%s) 5 0.3)", one->number, rules);
    char *said = tell(text.data);
    one->ready = said && strcmp(said, "ready") == 0;
    one->busy = said && strcmp(said, "busy") == 0;
    free(said);
    if (one->ready) {
        kn_text_clear(&text);
        kn_text_printf(&text, "( PLAY crowd%d NIL )", one->number);
        said = tell(text.data);
        if (!said || strncmp(said, "(", 1) != 0) one->ready = -1;
        free(said);
        kn_text_clear(&text);
        kn_text_printf(&text, "( ABORT crowd%d )", one->number);
        free(tell(text.data));
    }
    kn_text_free(&text);
    return NULL;
}

static void test_twenty_at_once(void **state)
{
    (void)state;
    Crowd crowd[20] = {0};
    int ready = 0;
    for (int i = 0; i < 20; i++) {
        crowd[i].number = i;
        assert_int_equal(pthread_create(&crowd[i].thread, NULL, visit, &crowd[i]), 0);
    }
    for (int i = 0; i < 20; i++) {
        pthread_join(crowd[i].thread, NULL);
        if (crowd[i].ready + crowd[i].busy != 1)
            fail_msg("client %d: ready %d, busy %d", i, crowd[i].ready, crowd[i].busy);
        ready += crowd[i].ready;
    }
    assert_true(ready >= 1 && ready < 20);
    check_tell("( INFO )", free_now);
}

static void test_taken_port(void **state)
{
    (void)state;
    KnGgpListener *second;
    KnError error;
    check_fails(error, KN_SYSTEM, "is taken", kn_ggp_listen(ggp, NULL, port(), &silent, &second, &error));
    check_fails(error, KN_INPUT, "no address",
                kn_ggp_listen(ggp, "nowhere.invalid", 0, &silent, &second, &error));
}

static int set_up(void **state)
{
    (void)state;
    KnError error;
    KnText text = KN_TEXT_EMPTY;
    check_ok(error, kn_open(NULL, &context, &error));
    KnGgpOptions options = {.name = "Knack", .seat = {.context = context, .spec = kn_ggp_default_spec}};
    check_ok(error, kn_ggp_new(&options, &ggp, &error));
    check_ok(error, kn_ggp_listen(ggp, NULL, 0, &silent, &listener, &error));
    check_ok(error, kn_gdl_load("othello6", &text, &error));
    rules = strdup(text.data);
    kn_text_free(&text);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    kn_ggp_unlisten(listener);
    kn_ggp_free(ggp);
    kn_close(context);
    free(rules);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clients_of_all_ages),     cmocka_unit_test(test_expecting_client),
        cmocka_unit_test(test_slow_and_broken_clients), cmocka_unit_test(test_abort_while_thinking),
        cmocka_unit_test(test_twenty_at_once),          cmocka_unit_test(test_taken_port),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
