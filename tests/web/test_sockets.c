/* The server over real sockets: headers, streams of events in order, clients that are slow, vanish or send
 * rubbish. */
#include "support/check.h"
#include "support/client.h"
#include "support/workbench.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/embedded.h"
#include "web/web.h"

typedef struct House {
    KnContext *context;
    KnWeb *web;
    int port;
} House;

static void house_open(House *house, const char *folder)
{
    KnError error;
    house->context = test_workbench(folder);
    check_ok(error, kn_web_open(house->context, &(KnWebOptions){.engines = 2}, &house->web, &error));
    check_ok(error, kn_web_listen(house->web, &error));
    house->port = kn_web_port(house->web);
    assert_true(house->port > 0);
}

static void house_close(House *house)
{
    kn_web_close(house->web);
    kn_close(house->context);
}

static void open_session(const House *house, const char *body, char id[32])
{
    TestAnswer answer = test_ask(house->port, "POST", "/api/sessions", body);
    assert_int_equal(answer.status, 201);
    snprintf(id, 32, "%s", json_string_value(json_object_get(answer.json, "id")));
    test_answer_free(&answer);
}

static int make_move(const House *house, const char *id, int ply, const char *move)
{
    char path[80], body[80];
    snprintf(path, sizeof path, "/api/sessions/%s/move", id);
    snprintf(body, sizeof body, "{\"ply\": %d, \"move\": \"%s\"}", ply, move);
    TestAnswer answer = test_ask(house->port, "POST", path, body);
    int status = answer.status;
    test_answer_free(&answer);
    return status;
}

static void test_headers(void **state)
{
    (void)state;
    House house;
    house_open(&house, "headers");
    TestAnswer answer = test_ask(house.port, "GET", "/api/about", NULL);
    assert_int_equal(answer.status, 200);
    assert_non_null(
        strcasestr(answer.headers, "Content-Security-Policy: default-src 'none'; script-src 'self'"));
    assert_null(strcasestr(answer.headers, "unsafe-inline"));
    assert_null(strcasestr(answer.headers, "Access-Control-Allow"));
    assert_non_null(strcasestr(answer.headers, "X-Content-Type-Options: nosniff"));
    assert_non_null(strcasestr(answer.headers, "Cache-Control: no-store"));
    assert_string_equal(json_string_value(json_object_get(answer.json, "name")), "knack");
    test_answer_free(&answer);
    for (const KnEmbeddedRow *row = kn_embedded_rows; row->name; row++) {
        if (strncmp(row->name, "page/", 5) != 0) continue;
        answer = test_ask(house.port, "GET", row->name + 4, NULL);
        assert_int_equal(answer.status, 200);
        if (strcmp(row->name, "page/index.html") == 0)
            assert_true(answer.size > *row->size); /* with its first game */
        else {
            assert_int_equal(answer.size, *row->size);
            assert_memory_equal(answer.body, row->bytes, answer.size);
        }
        char *tag = strcasestr(answer.headers, "ETag: "), request[512];
        assert_non_null(tag);
        snprintf(request, sizeof request,
                 "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIf-None-Match: %.*s\r\n\r\n",
                 row->name + 4, (int)strcspn(tag + 6, "\r\n"), tag + 6);
        test_answer_free(&answer);
        answer = test_ask_raw(house.port, request, strlen(request));
        assert_int_equal(answer.status, 304);
        assert_int_equal(answer.size, 0);
        test_answer_free(&answer);
    }
    house_close(&house);
}

static void next(TestStream *stream, const char *wanted, char id[32], json_t **data)
{
    char name[32];
    if (!test_stream_next(stream, name, id, data)) fail_msg("the stream ended before %s", wanted);
    if (strcmp(name, wanted) != 0) fail_msg("event %s where %s was wanted", name, wanted);
}

static long ply_of(json_t *game_state)
{
    long ply = (long)json_integer_value(json_object_get(game_state, "ply"));
    json_decref(game_state);
    return ply;
}

static void test_stream_order(void **state)
{
    (void)state;
    House house;
    house_open(&house, "stream");
    char id[32], path[80], event[32], last[32];
    json_t *data;
    open_session(&house, "{\"game\": \"checkers\", \"seats\": [\"human\", \"alphabeta(depth=2)\"]}", id);
    snprintf(path, sizeof path, "/api/events?session=%s", id);
    TestStream *stream = test_stream_open(house.port, path, NULL);
    next(stream, "session", event, &data);
    assert_int_equal(ply_of(data), 0);
    assert_int_equal(make_move(&house, id, 0, "11-15"), 200);
    next(stream, "session", event, &data);
    assert_true(json_is_true(json_object_get(data, "thinking")));
    assert_int_equal(ply_of(data), 1);
    next(stream, "thinking", event, &data);
    assert_int_equal(json_integer_value(json_object_get(data, "role")), 1);
    json_decref(data);
    next(stream, "session", last, &data);
    assert_int_equal(ply_of(data), 2);
    assert_true(last[0] != '\0');
    test_stream_close(stream);
    /* Who has seen this state already waits for the next; who has not gets it at once. */
    stream = test_stream_open(house.port, path, last);
    TestStream *fresh = test_stream_open(house.port, path, "1");
    next(fresh, "session", event, &data);
    assert_int_equal(ply_of(data), 2);
    assert_string_equal(event, last);
    char undo[80];
    snprintf(undo, sizeof undo, "/api/sessions/%s/undo", id);
    TestAnswer answer = test_ask(house.port, "POST", undo, "{}");
    assert_int_equal(answer.status, 200);
    test_answer_free(&answer);
    next(stream, "session", event, &data);
    assert_int_equal(ply_of(data), 0);
    next(fresh, "session", event, &data);
    assert_int_equal(ply_of(data), 0);
    test_stream_close(fresh);
    test_stream_close(stream);
    house_close(&house);
}

/* An analysis tells ever deeper depths, follows the game, and stops when told. */
static void test_analysis(void **state)
{
    (void)state;
    House house;
    house_open(&house, "analysis");
    char id[32], path[80], event[32], name[32];
    json_t *data;
    open_session(&house, "{\"game\": \"othello\"}", id);
    snprintf(path, sizeof path, "/api/events?session=%s", id);
    TestStream *stream = test_stream_open(house.port, path, NULL);
    next(stream, "session", event, &data);
    json_decref(data);
    snprintf(path, sizeof path, "/api/sessions/%s/analyse", id);
    TestAnswer answer = test_ask(house.port, "POST", path, "{\"on\": true}");
    assert_true(json_is_true(json_object_get(answer.json, "analysing")));
    test_answer_free(&answer);
    for (int depth = 1; depth <= 4; depth++) {
        next(stream, "analysis", event, &data);
        assert_int_equal(json_integer_value(json_object_get(data, "depth")), depth);
        assert_int_equal(json_integer_value(json_object_get(data, "ply")), 0);
        assert_int_equal(json_object_size(json_object_get(data, "values")), 4);
        json_decref(data);
    }
    assert_int_equal(make_move(&house, id, 0, "f5"), 200);
    bool followed = false;
    while (!followed && test_stream_next(stream, name, event, &data)) {
        followed = strcmp(name, "analysis") == 0 && json_integer_value(json_object_get(data, "ply")) == 1;
        json_decref(data);
    }
    answer = test_ask(house.port, "POST", path, "{\"on\": false}");
    assert_true(json_is_false(json_object_get(answer.json, "analysing")));
    test_answer_free(&answer);
    /* By a player of one's own: it says what it says, and ends when it needs no more time. */
    answer = test_ask(house.port, "POST", path, "{\"on\": true, \"spec\": \"human\"}");
    assert_int_equal(answer.status, 422);
    test_answer_free(&answer);
    answer = test_ask(house.port, "POST", path, "{\"on\": true, \"spec\": \"alphabeta( depth=2 )\"}");
    assert_string_equal(json_string_value(json_object_get(answer.json, "analyst")), "alphabeta(depth=2)");
    test_answer_free(&answer);
    bool said = false, ended = false;
    while (!ended && test_stream_next(stream, name, event, &data)) {
        const char *by = json_string_value(json_object_get(data, "by"));
        if (strcmp(name, "analysis") == 0 && by && json_integer_value(json_object_get(data, "depth")) == 2)
            said = strcmp(by, "alphabeta(depth=2)") == 0 &&
                   json_string_length(json_object_get(data, "line")) > 0;
        ended = strcmp(name, "analysis") == 0 && json_is_true(json_object_get(data, "ended"));
        json_decref(data);
    }
    assert_true(said && ended);
    test_stream_close(stream);
    house_close(&house);
}

/* One client sends half a request, one reads nothing of its stream, one vanishes: others are answered at
 * once. */
static void test_slow_clients(void **state)
{
    (void)state;
    House house;
    house_open(&house, "slow");
    char id[32], request[160];
    open_session(&house, "{\"game\": \"go(size=19)\"}", id);
    int half[20], deaf[4];
    for (int i = 0; i < 20; i++) {
        half[i] = test_connect(house.port);
        static const char beginning[] =
            "POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{";
        test_send(half[i], beginning, sizeof beginning - 1);
    }
    snprintf(request, sizeof request, "GET /api/events?session=%s HTTP/1.1\r\nHost: localhost\r\n\r\n", id);
    for (int i = 0; i < 4; i++) {
        deaf[i] = test_connect(house.port);
        int small = 4096;
        setsockopt(deaf[i], SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
        test_send(deaf[i], request, strlen(request));
    }
    char back[80], forth[80];
    snprintf(back, sizeof back, "/api/sessions/%s/undo", id);
    snprintf(forth, sizeof forth, "/api/sessions/%s/redo", id);
    assert_int_equal(make_move(&house, id, 0, "C3"), 200);
    double started = kn_clock_now();
    long rounds = check_scaled(100);
    for (long i = 0; i < rounds; i++) { /* 40 kB an event and listener: far more than any buffer holds */
        TestAnswer answer = test_ask(house.port, "POST", i % 2 ? forth : back, "{}");
        assert_int_equal(answer.status, 200);
        test_answer_free(&answer);
    }
    assert_true(kn_clock_now() - started < 120);
    for (int i = 0; i < 20; i++) close(half[i]);
    for (int i = 0; i < 4; i++) close(deaf[i]);
    house_close(&house);
}

static void test_rubbish(void **state)
{
    (void)state;
    House house;
    house_open(&house, "rubbish");
    static const char *const rubbish[] = {
        "\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "\x16\x03\x01\x02",
        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        ("POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
         "Connection: close\r\n\r\nzz\r\n")};
    for (size_t i = 0; i < sizeof rubbish / sizeof *rubbish; i++) {
        int fd = test_connect(house.port);
        test_send(fd, rubbish[i], strlen(rubbish[i]));
        close(fd);
    }
    TestAnswer answer = test_ask(house.port, "GET", "/",
                                 NULL); /* without a page it is 404, with one 200; never silence */
    assert_true(answer.status == 200 || answer.status == 404);
    test_answer_free(&answer);
    static const char hostless[] = "GET /api/about HTTP/1.1\r\nConnection: close\r\n\r\n";
    answer = test_ask_raw(house.port, hostless, sizeof hostless - 1);
    assert_int_equal(answer.status, 400);
    test_answer_free(&answer);
    char large[200];
    snprintf(large, sizeof large,
             "POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
             "application/json\r\nContent-Length: 99999999\r\n\r\n{");
    answer = test_ask_raw(house.port, large, strlen(large));
    assert_int_equal(answer.status, 413);
    test_answer_free(&answer);
    house_close(&house);
}

/* ---- load, at a small scale ---- */

typedef struct Guest {
    const House *house;
    pthread_t thread;
    int moves, mistakes;
} Guest;

/* Plays one game of tic-tac-toe against an engine, first free cell by first free cell. */
static void *play(void *user)
{
    Guest *guest = user;
    TestAnswer answer = test_ask(guest->house->port, "POST", "/api/sessions",
                                 "{\"game\": \"tictactoe\", \"seats\": [\"human\", \"alphabeta(depth=4)\"]}");
    char id[32], path[80], body[80];
    snprintf(id, sizeof id, "%s", json_string_value(json_object_get(answer.json, "id")));
    guest->mistakes += answer.status != 201;
    for (int i = 0; i < 2000 && !json_is_true(json_object_get(answer.json, "over")); i++) {
        json_t *legal = json_object_get(answer.json, "legal"),
               *movers = json_object_get(answer.json, "movers");
        bool mine = json_integer_value(json_array_get(movers, 0)) == 0 && json_array_size(movers) == 1;
        if (mine) {
            snprintf(path, sizeof path, "/api/sessions/%s/move", id);
            snprintf(body, sizeof body, "{\"ply\": %lld, \"move\": \"%s\"}",
                     (long long)json_integer_value(json_object_get(answer.json, "ply")),
                     json_string_value(json_object_get(json_array_get(legal, 0), "move")));
            guest->moves++;
        } else {
            snprintf(path, sizeof path, "/api/sessions/%s", id);
            usleep(2000);
        }
        test_answer_free(&answer);
        answer = mine ? test_ask(guest->house->port, "POST", path, body)
                      : test_ask(guest->house->port, "GET", path, NULL);
        guest->mistakes += answer.status != 200;
    }
    guest->mistakes += !json_is_true(json_object_get(answer.json, "over"));
    test_answer_free(&answer);
    return NULL;
}

static void test_many_guests(void **state)
{
    (void)state;
    House house;
    house_open(&house, "guests");
    int count = (int)check_scaled(60);
    Guest guests[60];
    for (int i = 0; i < count; i++) {
        guests[i] = (Guest){.house = &house};
        assert_int_equal(pthread_create(&guests[i].thread, NULL, play, &guests[i]), 0);
    }
    int moves = 0, mistakes = 0;
    for (int i = 0; i < count; i++) {
        pthread_join(guests[i].thread, NULL);
        moves += guests[i].moves;
        mistakes += guests[i].mistakes;
    }
    assert_int_equal(mistakes, 0);
    assert_true(moves >= 3 * count);
    house_close(&house);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers),  cmocka_unit_test(test_stream_order),
        cmocka_unit_test(test_analysis), cmocka_unit_test(test_slow_clients),
        cmocka_unit_test(test_rubbish),  cmocka_unit_test(test_many_guests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
