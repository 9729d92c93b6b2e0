/* Memory that stays flat, and many games at once. In CI at a small scale; in full, with the numbers
 * printed:
 *
 *     KNACK_SOAK=100000 KNACK_GUESTS=200 build/tests/web_test_soak
 */
#include "support/check.h"
#include "support/client.h"
#include "support/fault_injection.h"
#include "support/workbench.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "web/web.h"

static long setting(const char *name, long fallback)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : check_scaled(fallback);
}

typedef struct House {
    KnContext *context;
    KnWeb *web;
    int port;
} House;

static void house_open(House *house, const char *folder, int games)
{
    KnError error;
    house->context = test_workbench(folder);
    check_ok(error,
             kn_web_open(house->context, &(KnWebOptions){.engines = 2, .games = games}, &house->web, &error));
    check_ok(error, kn_web_listen(house->web, &error));
    house->port = kn_web_port(house->web);
}

static void house_close(House *house)
{
    kn_web_close(house->web);
    kn_close(house->context);
}

/* A round of ten requests of all kinds, wrong ones included. */
static void one_round(const House *house, int round)
{
    static const char *const games[] = {"checkers",          "othello", "tictactoe",
                                        "dilemma(turns=20)", "morris",  "go(size=5)"};
    char body[160], id[32], path[96];
    snprintf(body, sizeof body,
             "{\"game\": \"%s\", \"seats\": [\"human\", \"alphabeta(depth=2, memory=1)\"], \"seed\": %d}",
             games[round % 6], round);
    TestAnswer answer = test_ask(house->port, "POST", "/api/sessions", body);
    assert_int_equal(answer.status, 201);
    snprintf(id, sizeof id, "%s", json_string_value(json_object_get(answer.json, "id")));
    snprintf(
        body, sizeof body, "{\"ply\": 0, \"move\": \"%s\"}",
        json_string_value(json_object_get(json_array_get(json_object_get(answer.json, "legal"), 0), "move")));
    test_answer_free(&answer);
    static const struct {
        const char *method, *what, *body;
        int status, other;
    } asks[] = {{"GET", "", NULL, 200, 0},           {"POST", "/undo", "{}", 200, 409},
                {"POST", "/redo", "{}", 200, 409},   {"GET", "/export", NULL, 200, 0},
                {"POST", "/move", "{", 400, 0},      {"POST", "/swap", "{}", 200, 0},
                {"POST", "/resign", "{}", 200, 409}, {"GET", "/nothing", NULL, 404, 0}};
    snprintf(path, sizeof path, "/api/sessions/%s/move", id);
    answer = test_ask(house->port, "POST", path, body);
    assert_int_equal(answer.status, 200);
    test_answer_free(&answer);
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        snprintf(path, sizeof path, "/api/sessions/%s%s", id, asks[i].what);
        answer = test_ask(house->port, asks[i].method, path, asks[i].body);
        if (answer.status != asks[i].status && answer.status != asks[i].other)
            fail_msg("%s %s: %d %s", asks[i].method, path, answer.status, answer.body ? answer.body : "");
        test_answer_free(&answer);
    }
    if (round % 10) return;
    char event[32], number[32];
    json_t *data;
    snprintf(path, sizeof path, "/api/events?session=%s&runs=1", id);
    TestStream *stream = test_stream_open(house->port, path, NULL);
    assert_true(test_stream_next(stream, event, number, &data));
    json_decref(data);
    test_stream_close(stream);
}

static void test_memory(void **state)
{
    (void)state;
    House house;
    house_open(&house, "memory", 50);
    long rounds = setting("KNACK_SOAK", 3000) / 10;
    long first = 0, last;
    double started = kn_clock_now();
    for (long round = 0; round < rounds; round++) {
        one_round(&house, (int)round);
        if (round == rounds / 3) first = check_resident();
        if (rounds >= 1000 && round % (rounds / 10) == 0)
            print_message("%8ld requests: %ld kB resident, %zu kB in use\n", round * 10, check_resident(),
                          (mallinfo2().uordblks + mallinfo2().hblkhd) / 1024);
    }
    last = check_resident();
    double requests = (double)(rounds - rounds / 3) * 10, slope = (double)(last - first) * 1024 / requests;
    char told[160];
    snprintf(told, sizeof told,
             "%ld requests in %.0f s: %ld kB after a third, %ld kB at the end (%.1f bytes a request)",
             rounds * 10, kn_clock_now() - started, first, last, slope);
    fault_row("many requests", "`knack serve`: games of all kinds, wrong ones included", told, "nothing");
    /* A short run is still filling its bounded stores (players' tables, the database's pages); a long one
     * must be flat. */
    if (getenv("KNACK_TEST_SCALE"))
        print_message("sanitizers keep what is freed: not judged\n");
    else if (rounds >= 5000 ? slope > 100 : last - first > 24 * 1024)
        fail_msg("memory grows: %ld kB, then %ld kB", first, last);
    house_close(&house);
}

typedef struct Guest {
    const House *house;
    pthread_t thread;
    atomic_int *gate; /* all begin together */
    int moves, mistakes;
    double slowest; /* answer to a move */
} Guest;

/* Plays a game of draughts against depth 6 until 10 own moves are made. */
static void *play(void *user)
{
    Guest *guest = user;
    int port = guest->house->port;
    char path[96], body[128], id[32];
    TestAnswer answer = test_ask(port, "POST", "/api/sessions",
                                 "{\"game\": \"checkers\", \"seats\": [\"human\", \"alphabeta(depth=6)\"]}");
    guest->mistakes += answer.status != 201;
    snprintf(id, sizeof id, "%s", json_string_value(json_object_get(answer.json, "id")));
    atomic_fetch_sub(guest->gate, 1);
    while (atomic_load(guest->gate) > 0) usleep(1000);
    while (guest->moves < 10 && !guest->mistakes && !json_is_true(json_object_get(answer.json, "over"))) {
        bool mine = json_integer_value(json_array_get(json_object_get(answer.json, "movers"), 0)) == 0;
        snprintf(path, sizeof path, "/api/sessions/%s%s", id, mine ? "/move" : "");
        if (mine)
            snprintf(body, sizeof body, "{\"ply\": %lld, \"move\": \"%s\"}",
                     (long long)json_integer_value(json_object_get(answer.json, "ply")),
                     json_string_value(
                         json_object_get(json_array_get(json_object_get(answer.json, "legal"), 0), "move")));
        else
            usleep(5000);
        test_answer_free(&answer);
        double asked = kn_clock_now();
        answer = test_ask(port, mine ? "POST" : "GET", path, mine ? body : NULL);
        if (mine && kn_clock_now() - asked > guest->slowest) guest->slowest = kn_clock_now() - asked;
        guest->moves += mine;
        guest->mistakes += answer.status != 200;
    }
    test_answer_free(&answer);
    return NULL;
}

static void test_guests(void **state)
{
    (void)state;
    House house;
    house_open(&house, "guests", 500);
    int count = (int)setting("KNACK_GUESTS", 40), mistakes = 0, moves = 0;
    atomic_int gate = count;
    Guest *guests = calloc((size_t)count, sizeof *guests);
    assert_non_null(guests);
    double started = kn_clock_now(), slowest = 0;
    for (int i = 0; i < count; i++) {
        guests[i] = (Guest){.house = &house, .gate = &gate};
        assert_int_equal(pthread_create(&guests[i].thread, NULL, play, &guests[i]), 0);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(guests[i].thread, NULL);
        mistakes += guests[i].mistakes;
        moves += guests[i].moves;
        slowest = guests[i].slowest > slowest ? guests[i].slowest : slowest;
    }
    char told[160];
    snprintf(told, sizeof told,
             "%d guests at once: %d moves in %.0f s, %d errors, the slowest answer after %.2f s", count,
             moves, kn_clock_now() - started, mistakes, slowest);
    fault_row("many clients", "`knack serve`: draughts against depth 6", told, "nothing");
    assert_int_equal(mistakes, 0);
    assert_true(moves >= count);
    free(guests);
    house_close(&house);
}

int main(void)
{
    mallopt(M_ARENA_MAX, 2); /* as `knack serve` does */
    mallopt(M_MMAP_THRESHOLD, 1 << 16);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory), cmocka_unit_test(test_guests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
