/* No client keeps the server from answering others: fair queues, limits of connections and requests, and a
 * load of hostile clients. In CI at a small scale; in full, with the numbers printed (docs/serve.md):
 *
 *     KNACK_LOAD=1000 build/tests/web_test_fairness
 */
#include "support/check.h"
#include "support/client.h"
#include "support/load.h"
#include "support/workbench.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "web/fair_share.h"
#include "web/thread_pool.h"
#include "web/web.h"

/* ---- parts ---- */

static void test_share(void **state)
{
    (void)state;
    KnFairShare *share = kn_fair_share_new(10);
    assert_non_null(share);
    kn_fair_share_charge(share, 5, 8, 100);
    assert_float_equal(kn_fair_share_used(share, 5, 100), 8, 1e-9);
    assert_float_equal(kn_fair_share_used(share, 5, 110), 4, 1e-9);
    assert_float_equal(kn_fair_share_used(share, 6, 110), 0, 1e-9);
    kn_fair_share_charge(share, 5, 1, 110);
    assert_float_equal(kn_fair_share_used(share, 5, 110), 5, 1e-9);
    /* More keys than entries: heavy ones stay, light ones give way. */
    for (uint64_t key = 1000; key < 40000; key++) kn_fair_share_charge(share, key, 0.001, 110);
    assert_float_equal(kn_fair_share_used(share, 5, 110), 5, 1e-9);
    kn_fair_share_free(share);
    /* One client alone, one of many, and the last place. */
    assert_true(kn_fair_share_allows(79, 79, 100));
    assert_false(kn_fair_share_allows(80, 80, 100));
    assert_false(kn_fair_share_allows(20, 95, 100));
    assert_true(kn_fair_share_allows(0, 99, 100));
    assert_false(kn_fair_share_allows(0, 100, 100));
}

/* A task that computes until it is stopped or hurried, or writes its letter and ends. */
typedef struct Task {
    KnPoolTask head;
    char *order;
    atomic_int *done;
    atomic_bool *stop; /* NULL: a short task */
    char letter;
    atomic_bool begun, hurried;
} Task;

static void run_task(KnPoolTask *head)
{
    Task *task = (Task *)head;
    atomic_store(&task->begun, true);
    while (task->stop && !atomic_load(task->stop) && !atomic_load(&task->hurried)) {
    }
    if (task->order) task->order[strlen(task->order)] = task->letter;
}

static void end_task(KnPoolTask *head) { atomic_fetch_add(((Task *)head)->done, 1); }
static void hurry_task(KnPoolTask *head) { atomic_store(&((Task *)head)->hurried, true); }
static void drop_task(KnPoolTask *head) { (void)head; }

static void submit(KnThreadPool *pool, Task *task, uint64_t client, uint64_t flow)
{
    task->head = (KnPoolTask){.run = run_task,
                              .end = end_task,
                              .drop = drop_task,
                              .hurry = hurry_task,
                              .client = client,
                              .flow = flow};
    assert_true(kn_thread_pool_submit(pool, &task->head));
}

static bool soon(const atomic_bool *flag)
{
    for (int i = 0; i < 60000 && !atomic_load(flag); i++) usleep(1000);
    return atomic_load(flag);
}

static void wait_count(const atomic_int *count, int wanted)
{
    for (int i = 0; i < 60000 && atomic_load(count) < wanted; i++) usleep(1000);
    assert_int_equal(atomic_load(count), wanted);
}

/* Of waiting tasks, that of the client goes first which has used the least; then that of the flow. */
static void test_order(void **state)
{
    (void)state;
    KnError error;
    KnThreadPool *pool;
    char order[8] = "";
    atomic_int done = 0;
    atomic_bool stop_first = false, stop_second = false;
    check_ok(error, kn_thread_pool_new(&(KnPoolPlan){.threads = 1, .most = 20}, &pool, &error));
    Task light = {.done = &done, .stop = &stop_first}, heavy = {.done = &done, .stop = &stop_second};
    double started = kn_clock_now();
    submit(pool, &light, 2, 21); /* client 2 uses a little time in flow 21 */
    assert_true(soon(&light.begun));
    usleep(5000);
    atomic_store(&stop_first, true);
    submit(pool, &heavy, 1, 11); /* client 1 uses more, however long a busy machine made the first wait */
    assert_true(soon(&heavy.begun));
    double enough = 0.05 + 3 * (kn_clock_now() - started);
    Task tasks[5];
    static const struct {
        uint64_t client, flow;
    } plan[5] = {{1, 11}, {1, 12}, {2, 21}, {3, 31}, {2, 22}};
    for (int i = 0; i < 5; i++) {
        tasks[i] = (Task){.order = order, .done = &done, .letter = (char)('a' + i)};
        submit(pool, &tasks[i], plan[i].client, plan[i].flow);
    }
    usleep((useconds_t)(enough * 1e6));
    atomic_store(&stop_second, true);
    wait_count(&done, 7);
    assert_int_equal(order[0], 'd'); /* a client without use */
    assert_string_equal(order + 1, "ecba");
    kn_thread_pool_free(pool);
}

/* Long tasks make room for a short one, and where there is no more room one is hurried: that of the client
 * who used the most. */
static void test_long_tasks(void **state)
{
    (void)state;
    KnError error;
    KnThreadPool *pool;
    atomic_int done = 0;
    atomic_bool stop = false;
    check_ok(error, kn_thread_pool_new(&(KnPoolPlan){.threads = 1, .back = 2, .most = 20}, &pool, &error));
    Task tasks[3];
    for (int i = 0; i < 3; i++) {
        tasks[i] = (Task){.done = &done, .stop = &stop};
        submit(pool, &tasks[i], i < 2 ? 1 : 2, (uint64_t)(10 + i));
        assert_true(soon(&tasks[i].begun)); /* beside those that run */
    }
    Task brief = {.done = &done};
    submit(pool, &brief, 3, 30);
    assert_true(soon(&brief.begun));
    assert_true(atomic_load(&tasks[0].hurried) || atomic_load(&tasks[1].hurried));
    assert_false(atomic_load(&tasks[2].hurried));
    wait_count(&done, 2);
    atomic_store(&stop, true);
    wait_count(&done, 4);
    kn_thread_pool_free(pool);
}

/* One client fills no more than its part of the queue. */
static void test_queue_share(void **state)
{
    (void)state;
    KnError error;
    KnThreadPool *pool;
    atomic_int done = 0;
    atomic_bool stop = false;
    check_ok(error, kn_thread_pool_new(&(KnPoolPlan){.threads = 1, .most = 10}, &pool, &error));
    Task tasks[12], first = {.done = &done, .stop = &stop};
    submit(pool, &first, 1, 1);
    assert_true(soon(&first.begun));
    int taken = 0;
    while (taken < 10 && kn_thread_pool_has_room(pool, 1)) {
        tasks[taken] = (Task){.done = &done};
        submit(pool, &tasks[taken++], 1, 1);
    }
    assert_int_equal(taken, 8);
    assert_true(kn_thread_pool_has_room(pool, 2));
    tasks[8] = (Task){.done = &done};
    submit(pool, &tasks[8], 2, 2);
    atomic_store(&stop, true);
    wait_count(&done, 10);
    kn_thread_pool_free(pool);
}

/* ---- the server ---- */

typedef struct House {
    KnContext *context;
    KnWeb *web;
    int port;
} House;

static void house_open(House *house, const char *folder, int connections)
{
    KnError error;
    house->context = test_workbench(folder);
    check_ok(error, kn_web_open(house->context, &(KnWebOptions){.engines = 2, .connections = connections},
                                &house->web, &error));
    check_ok(error, kn_web_listen(house->web, &error));
    house->port = kn_web_port(house->web);
}

static void house_close(House *house)
{
    kn_web_close(house->web);
    kn_close(house->context);
}

static void open_game(const House *house, const char *body, char id[32])
{
    TestAnswer answer = test_ask(house->port, "POST", "/api/sessions", body);
    assert_int_equal(answer.status, 201);
    snprintf(id, 32, "%s", json_string_value(json_object_get(answer.json, "id")));
    test_answer_free(&answer);
}

/* Twenty games against an engine that never ends by itself, all of one address, and a game against a quick
 * one. Its answer took as long as all the others before queues were fair. */
static void test_starvation(void **state)
{
    (void)state;
    House house;
    char id[32], path[80];
    house_open(&house, "starvation", 0);
    for (int i = 0; i < 20; i++)
        open_game(&house, "{\"game\": \"othello\", \"seats\": [\"uct(playouts=100000000)\", \"human\"]}", id);
    double started = kn_clock_now();
    open_game(&house, "{\"game\": \"checkers\", \"seats\": [\"alphabeta(depth=2)\", \"human\"]}", id);
    snprintf(path, sizeof path, "/api/sessions/%s", id);
    long ply = 0;
    while (ply == 0 && kn_clock_now() - started < 90) {
        usleep(2000);
        TestAnswer answer = test_ask(house.port, "GET", path, NULL);
        assert_int_equal(answer.status, 200);
        ply = (long)json_integer_value(json_object_get(answer.json, "ply"));
        test_answer_free(&answer);
    }
    double seconds = kn_clock_now() - started;
    if (ply == 0) fail_msg("the engine's first move took %.1f s", seconds);
    house_close(&house);
}

static bool is_closed(int fd)
{
    struct pollfd poll_for = {.fd = fd, .events = POLLIN};
    char byte;
    return poll(&poll_for, 1, 5000) == 1 && recv(fd, &byte, 1, MSG_DONTWAIT) <= 0;
}

/* More idle connections than the server has: it closes the oldest and goes on answering. */
static void test_idle_connections(void **state)
{
    (void)state;
    enum { LIMIT = 40, IDLE = 120 };
    House house;
    house_open(&house, "idle", LIMIT);
    int idle[IDLE];
    for (int i = 0; i < IDLE; i++) idle[i] = test_connect(house.port);
    for (int i = 0; i < 5; i++) {
        TestAnswer answer = test_ask(house.port, "GET", "/api/about", NULL);
        assert_int_equal(answer.status, 200);
        test_answer_free(&answer);
    }
    assert_true(is_closed(idle[0]));
    static const char request[] = "GET /api/about HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    char answer[16] = "";
    test_send(idle[IDLE - 1], request, sizeof request - 1);
    assert_true(recv(idle[IDLE - 1], answer, 12, MSG_WAITALL) == 12);
    assert_string_equal(answer, "HTTP/1.1 200");
    for (int i = 0; i < IDLE; i++) close(idle[i]);
    house_close(&house);
}

/* A client of another address that asks without end is told to wait, and when; the machine's own is not. */
static void test_rate(void **state)
{
    (void)state;
    House house;
    house_open(&house, "rate", 0);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000002)};
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)house.port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert_int_equal(bind(fd, (struct sockaddr *)&from, sizeof from), 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    static const char request[] = "GET /api/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n";
    char answer[2048];
    int early = 0;
    bool told = false;
    for (int i = 0; i < 20000 && !early; i++) {
        test_send(fd, request, sizeof request - 1);
        ssize_t got = recv(fd, answer, sizeof answer - 1, 0);
        assert_true(got > 0);
        answer[got] = '\0';
        early = strncmp(answer, "HTTP/1.1 429", 12) == 0;
        told = strstr(answer, "Retry-After: ") != NULL;
        assert_true(early ? i >= 1000 : strncmp(answer, "HTTP/1.1 404", 12) == 0);
    }
    assert_true(early && told);
    TestAnswer own = test_ask(house.port, "GET", "/api/about", NULL);
    assert_int_equal(own.status, 200);
    assert_null(strstr(own.headers, "Retry-After"));
    test_answer_free(&own);
    close(fd);
    house_close(&house);
}

/* ---- load ---- */

static double setting(const char *name, double fallback)
{
    const char *text = getenv(name);
    return text ? atof(text) : fallback;
}

static double process_cpu(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
}

static void test_load(void **state)
{
    (void)state;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    const char *text = getenv("KNACK_LOAD");
    int clients = text ? atoi(text) : 40;
    bool full = clients >= 500;
    House house;
    house_open(&house, "load", 0);
    LoadPlan plan = {.port = house.port,
                     .clients = clients - clients / 10,
                     .hostile = (int)setting("KNACK_LOAD_HOSTILE", clients / 10),
                     .idle = (int)setting("KNACK_LOAD_IDLE", 15),
                     .games = (int)setting("KNACK_LOAD_GAMES", 20),
                     .seconds = setting("KNACK_LOAD_SECONDS", full ? 120 : 2.5),
                     .warm_up = full ? 10 : 0,
                     .pause = full ? 20 : 1,
                     .engine = "alphabeta(depth=2, eval=material)"};
    double before = process_cpu();
    LoadResult result = load_run(&plan);
    double cpu = process_cpu() - before - result.cpu; /* the searches of hostile clients included */
    house_close(&house);
    if (text)
        print_message(
            "%d players, %d hostile clients, %g s: %d moves, median %.0f ms, 99th percentile %.0f ms, "
            "slowest %.0f ms; %d players waited at the end, %d errors (the latest %d), %d refusals\n",
            plan.clients, plan.hostile, plan.seconds, result.moves, result.median * 1e3, result.most99 * 1e3,
            result.slowest * 1e3, result.waiting, result.mistakes, result.last, result.refusals);
    if (text)
        print_message("%ld requests; CPU of the server with its searches %.1f s, of the clients %.1f s\n",
                      result.requests, cpu, result.cpu);
    assert_int_equal(result.mistakes, 0);
    assert_true(result.moves >= (full ? plan.clients / 4 : 1));
    /* In a test run the machine has other work too: then times are not judged. Without fair queues most moves
     * would not be answered at all. */
    if (full && result.most99 > 0.25)
        fail_msg("median %.0f ms, 99th percentile %.0f ms (%d moves)", result.median * 1e3,
                 result.most99 * 1e3, result.moves);
}

int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]); /* as 'test_load' */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_share),      cmocka_unit_test(test_order),
        cmocka_unit_test(test_long_tasks), cmocka_unit_test(test_queue_share),
        cmocka_unit_test(test_starvation), cmocka_unit_test(test_idle_connections),
        cmocka_unit_test(test_rate),       cmocka_unit_test(test_load)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
