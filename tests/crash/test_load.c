/* Many fast games in one process, and memory that stays flat: the resident set after a tenth of them and at
 * the end. A few thousand games in the tests, a million by `make crash-tests`. And the player of general game
 * playing with many clients, while as many slow ones hold their connections. */
#include "support/check.h"
#include "support/client.h"
#include "support/fault_injection.h"
#include "support/workbench.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/match.h"
#include "arena/store.h"
#include "base/clock.h"
#include "base/progress.h"
#include <knack/base.h>
#include "protocols/ggp_listen.h"

typedef struct Watch {
    uint64_t games;
    long tenth, most;
} Watch;

static void look(void *user, const KnProgressState *state)
{
    Watch *watch = user;
    long now = check_resident();
    if (state->done * 10 >= watch->games && !watch->tenth) watch->tenth = now;
    if (now > watch->most) watch->most = now;
}

static KnStatus count(void *user, const KnStandingRecord *record, KnError *error)
{
    (void)record, (void)error;
    ++*(uint64_t *)user;
    return KN_OK;
}

static void test_many_games(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("many");
    Watch watch = {.games = (uint64_t)fault_count(1000000)};
    KnProgressOptions options = {
        .label = "games", .total = watch.games, .report = look, .user = &watch, .interval = 0.01};
    KnProgress *progress = kn_progress_open(&options);
    KnMatchPlan plan = {
        .game = "tictactoe", .players = {"random", "random"}, .games = watch.games, .seed = 1, .jobs = 2};
    KnMatchResult result;
    KnStore *store;
    check_ok(error, kn_store_open(context, &store, &error));
    double started = kn_clock_now();
    check_ok(error, kn_match_run(context, &plan, store, progress, &result, &error));
    double took = kn_clock_now() - started;
    long last = check_resident();
    kn_progress_free(progress);
    assert_true(watch.tenth > 0);
    /* all of them are in the store, once */
    uint64_t stored = 0;
    check_ok(error, kn_store_games(store, 1, count, &stored, &error));
    kn_store_close(store);
    assert_int_equal(stored, watch.games);
    kn_close(context);
    char text[200];
    double slope = (double)(last - watch.tenth) * 1024 / ((double)watch.games * 0.9);
    snprintf(text, sizeof text,
             "%llu games in %.0f s: %ld kB resident after a tenth, %ld kB at the end (%.3f bytes a game)",
             (unsigned long long)watch.games, took, watch.tenth, last, slope);
    fault_row("many games", "tic-tac-toe, `random` against `random`, stored", text, "nothing");
    if (getenv("KNACK_TEST_SCALE"))
        print_message("sanitizers keep what is freed: not judged\n");
    else if (last - watch.tenth > 8 * 1024)
        fail_msg("memory grows: %s", text);
}

/* ---- the player of general game playing ---- */

enum { CLIENTS = 200, SLOW = 100, ASKS = 10 };

typedef struct Client {
    pthread_t thread;
    int port, answered;
    double slowest;
} Client;

static void *ask_often(void *user)
{
    Client *client = user;
    for (int i = 0; i < ASKS; i++) {
        double started = kn_clock_now();
        TestAnswer answer = test_try(client->port, "POST", "/", "( INFO )");
        client->answered += answer.status == 200 &&
                            strcmp(answer.body, "( ( name Knack ) ( status available ) )") == 0;
        if (kn_clock_now() - started > client->slowest) client->slowest = kn_clock_now() - started;
        test_answer_free(&answer);
    }
    return NULL;
}

/* Slow ones send a letter of their message now and then, and never the last. */
static void test_ggp_crowd(void **state)
{
    (void)state;
    static const KnLog silent;
    static const char message[] = "POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )";
    static Client clients[CLIENTS];
    int slow[SLOW], many = getenv("KNACK_CRASH_TESTS") ? CLIENTS : (int)check_scaled(CLIENTS / 2),
                    answered = 0;
    double slowest = 0;
    KnContext *context;
    KnGgp *ggp;
    KnGgpListener *listener;
    KnError error;
    check_ok(error, kn_open("ggp", &context, &error));
    check_ok(error, kn_ggp_new(&(KnGgpOptions){.name = "Knack",
                                               .seat = {.context = context, .spec = kn_ggp_default_spec}},
                               &ggp, &error));
    check_ok(error, kn_ggp_listen(ggp, NULL, 0, &silent, &listener, &error));
    for (int i = 0; i < SLOW; i++) {
        slow[i] = test_connect(kn_ggp_port(listener));
        test_send(slow[i], message, 1 + (size_t)i % 40);
    }
    for (int i = 0; i < many; i++) {
        clients[i] = (Client){.port = kn_ggp_port(listener)};
        assert_int_equal(pthread_create(&clients[i].thread, NULL, ask_often, &clients[i]), 0);
    }
    for (int i = 0; i < many; i++) {
        pthread_join(clients[i].thread, NULL);
        answered += clients[i].answered;
        if (clients[i].slowest > slowest) slowest = clients[i].slowest;
    }
    for (int i = 0; i < SLOW; i++) close(slow[i]);
    kn_ggp_unlisten(listener);
    kn_ggp_free(ggp);
    kn_close(context);
    char text[160];
    snprintf(text, sizeof text,
             "%d clients and %d slow ones: %d of %d messages answered, the slowest after %.2f s", many, SLOW,
             answered, many * ASKS, slowest);
    fault_row("many clients", "`knack ggp`", text, "nothing");
    assert_int_equal(answered, many * ASKS);
}

int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]); /* as 'test_ggp*' */
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_games), cmocka_unit_test(test_ggp_crowd)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
