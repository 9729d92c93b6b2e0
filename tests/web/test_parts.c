/* The parts that the server stands on: the queue of work, bounded queues of events, what is kept, the guard.
 */
#include "support/check.h"
#include "support/workbench.h"

#include <pthread.h>
#include <sched.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "web/events.h"
#include "web/player_cache.h"
#include "arena/learner.h"
#include "web/guard.h"
#include "web/persistence.h"
#include "web/thread_pool.h"

/* ---- work ---- */

typedef struct Task {
    KnPoolTask job;
    char *order; /* where it writes its letter */
    atomic_int *count;
    char letter;
} Task;

static void run_task(KnPoolTask *job)
{
    Task *task = (Task *)job;
    if (task->order)
        task->order[atomic_load(task->count)] = task->letter; /* one worker: the place is its own */
    atomic_fetch_add(task->count, 1);
}

static void drop_task(KnPoolTask *job) { ((Task *)job)->letter = 'x'; }

static void wait_for(atomic_int *count, int wanted)
{
    for (double limit = kn_clock_now() + 90; atomic_load(count) < wanted;)
        if (kn_clock_now() > limit) fail_msg("%d of %d done", atomic_load(count), wanted);
}

static void test_work_in_order(void **state)
{
    (void)state;
    KnError error;
    KnThreadPool *work;
    atomic_int count = 0;
    char order[8] = "";
    check_ok(error, kn_thread_pool_new(&(KnPoolPlan){.threads = 1, .most = 4}, &work, &error));
    double now = kn_clock_now();
    Task tasks[5] = {{{0}, order, &count, 'a'},
                     {{0}, order, &count, 'b'},
                     {{0}, order, &count, 'c'},
                     {{0}, order, &count, 'd'},
                     {{0}, order, &count, 'e'}};
    double due[] = {now + 0.15, now + 0.05, now + 0.1, now + 0.12};
    for (int i = 0; i < 5; i++)
        tasks[i].job = (KnPoolTask){.run = run_task, .drop = drop_task, .due = i < 4 ? due[i] : 0};
    for (int i = 0; i < 4; i++) assert_true(kn_thread_pool_submit(work, &tasks[i].job));
    assert_false(kn_thread_pool_submit(work, &tasks[4].job)); /* full */
    assert_true(kn_thread_pool_withdraw(work, &tasks[3].job));
    assert_false(kn_thread_pool_withdraw(work, &tasks[3].job));
    assert_int_equal(kn_thread_pool_waiting(work), 0); /* none is due */
    wait_for(&count, 3);
    assert_string_equal(order, "bca");
    kn_thread_pool_free(work);
}

static void test_work_closes(void **state)
{
    (void)state;
    KnError error;
    KnThreadPool *work;
    atomic_int count = 0;
    check_ok(error, kn_thread_pool_new(&(KnPoolPlan){.threads = 2, .most = 10}, &work, &error));
    Task later = {{.run = run_task, .drop = drop_task, .due = kn_clock_now() + 1000}, NULL, &count, 'a'};
    assert_true(kn_thread_pool_submit(work, &later.job));
    kn_thread_pool_free(work);
    assert_int_equal(later.letter, 'x'); /* dropped, not run */
    assert_int_equal(count, 0);
}

static void add_one(void *user) { atomic_fetch_add((atomic_int *)user, 1); }

/* A call that takes as long as the test wants. */
typedef struct Held {
    KnThreadPool *work;
    atomic_bool begun, let_go;
} Held;

static void be_held(void *user)
{
    Held *held = user;
    atomic_store(&held->begun, true);
    while (!atomic_load(&held->let_go)) sched_yield();
}

static void *hold(void *user)
{
    Held *held = user;
    KnError error;
    check_ok(error, kn_thread_pool_call(
                        held->work, &(KnPoolCall){.function = be_held, .user = held, .timeout = 20}, &error));
    return NULL;
}

static void test_work_call(void **state)
{
    (void)state;
    KnError error;
    KnThreadPool *work;
    atomic_int count = 0;
    check_ok(error, kn_thread_pool_new(&(KnPoolPlan){.threads = 1, .most = 10}, &work, &error));
    check_ok(error, kn_thread_pool_call(
                        work, &(KnPoolCall){.function = add_one, .user = &count, .timeout = 5}, &error));
    assert_int_equal(count, 1);
    pthread_t holder;
    Held held = {.work = work};
    assert_int_equal(pthread_create(&holder, NULL, hold, &held), 0);
    while (!atomic_load(&held.begun)) sched_yield();
    check_fails(error, KN_STOPPED, "busy",
                kn_thread_pool_call(work, &(KnPoolCall){.function = add_one, .user = &count, .timeout = 0.01},
                                    &error));
    assert_int_equal(count, 1);
    atomic_store(&held.let_go, true);
    pthread_join(holder, NULL);
    kn_thread_pool_free(work);
}

/* ---- events ---- */

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text++) count++;
    return count;
}

static void test_events_bounded(void **state)
{
    (void)state;
    KnEvents *events = kn_events_new(2);
    KnListener *reader = kn_listener_open(events, "a", KN_SUBSCRIBE_RUNS, 0),
               *other = kn_listener_open(events, "b", 0, 0);
    assert_non_null(reader);
    assert_null(kn_listener_open(events, "c", 0, 0)); /* full */
    assert_int_equal(kn_events_subscribers(events, "a", 0), 1);
    assert_int_equal(kn_events_subscribers(events, NULL, KN_SUBSCRIBE_RUNS), 1);
    assert_int_equal(kn_events_subscribers(events, NULL, KN_SUBSCRIBE_LAB), 0);
    for (int i = 0; i < 1000; i++) { /* nobody reads: states that later ones replace go first */
        json_t *data = json_integer(i);
        kn_events_publish(events, "a", 0, "session", "", (uint64_t)i + 1, data);
        if (i == 500) kn_events_publish(events, NULL, KN_SUBSCRIBE_RUNS, "run", "x", 0, data);
        if (i == 501) kn_events_publish(events, NULL, KN_SUBSCRIBE_RUNS, "run", "y", 0, data);
        json_decref(data);
    }
    KnText text = KN_TEXT_EMPTY;
    assert_true(kn_listener_read(reader, &text, 0));
    assert_true(count_of(text.data, "event: session") < 65);
    assert_int_equal(count_of(text.data, "event: run"), 2);
    assert_non_null(strstr(text.data, "event: session\nid: 1000\ndata: 999\n\n")); /* the last is there */
    kn_text_clear(&text);
    assert_true(kn_listener_read(other, &text, 0));
    assert_string_equal(text.data, "event: ping\ndata: {}\n\n");
    kn_text_clear(&text);
    kn_events_close(events);
    assert_false(kn_listener_read(reader, &text, 100)); /* at once */
    kn_text_free(&text);
    kn_listener_close(reader);
    kn_listener_close(other);
    assert_int_equal(kn_events_listeners(events), 0);
    kn_events_free(events);
}

/* ---- what is kept ---- */

static void test_keep(void **state)
{
    (void)state;
    KnContext *context = test_workbench("keep");
    KnError error;
    KnPersistence *persistence;
    json_t *row, *rows;
    check_ok(error, kn_persistence_open(context, NULL, &persistence, &error));
    for (int i = 0; i < 3; i++) {
        char id[8];
        snprintf(id, sizeof id, "n%d", i);
        row = json_pack("{si}", "i", i);
        check_ok(error, kn_persistence_put(persistence, KN_SAVED_SESSION, id, row, &error));
        json_decref(row);
    }
    kn_persistence_close(persistence);
    check_ok(error, kn_persistence_open(context, NULL, &persistence, &error));
    check_ok(error, kn_persistence_get(persistence, KN_SAVED_SESSION, "n1", &row, &error));
    assert_int_equal(json_integer_value(json_object_get(row, "i")), 1);
    json_decref(row);
    check_ok(error, kn_persistence_get(persistence, KN_SAVED_RUN, "n1", &row, &error));
    assert_null(row);
    check_ok(error, kn_persistence_delete(persistence, KN_SAVED_SESSION, "n1", &error));
    check_ok(error, kn_persistence_list(persistence, KN_SAVED_SESSION, 10, &rows, &error));
    assert_int_equal(json_array_size(rows), 2);
    json_decref(rows);
    kn_persistence_close(persistence);
    check_ok(error, kn_file_write_atomic("keep/web.db", "this is no database, it only looks like a file", 46,
                                         &error));
    check_fails(error, KN_SYSTEM, "web.db", kn_persistence_open(context, NULL, &persistence, &error));
    kn_close(context);
}

static void edit(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* A row that another program has changed is named, and never given out; the others are. */
static void test_edited_rows(void **state)
{
    (void)state;
    static const char *const edits[] = {
        "UPDATE kept SET saved = replace(saved, 'won', 'lost') WHERE id = 'edited'",
        "UPDATE kept SET touched = touched + 1 WHERE id = 'edited'",
        "UPDATE kept SET checksum = checksum + 1 WHERE id = 'edited'",
        "UPDATE kept SET checksum = NULL WHERE id = 'edited'",
        "UPDATE kept SET saved = '{' WHERE id = 'edited'",
        "UPDATE kept SET saved = (SELECT saved FROM kept WHERE id = 'other') WHERE id = 'edited'",
    };
    KnContext *context = test_workbench("edited");
    KnError error;
    KnPersistence *persistence;
    json_t *won = json_pack("{ss}", "result", "won"), *drawn = json_pack("{ss}", "result", "drawn"), *rows;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        json_t *row;
        check_ok(error, kn_persistence_open(context, NULL, &persistence, &error));
        check_ok(error, kn_persistence_put(persistence, KN_SAVED_SESSION, "edited", won, &error));
        check_ok(error, kn_persistence_put(persistence, KN_SAVED_SESSION, "other", drawn, &error));
        edit("edited/web.db", edits[i]);
        check_fails(error, KN_SYSTEM, "the saved game edited is not what was written",
                    kn_persistence_get(persistence, KN_SAVED_SESSION, "edited", &row, &error));
        assert_null(row);
        check_ok(error, kn_persistence_list(persistence, KN_SAVED_SESSION, 10, &rows, &error));
        assert_int_equal(json_array_size(rows), 1);
        assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 0), "id")), "other");
        json_decref(rows);
        kn_persistence_close(persistence);
    }
    json_decref(won);
    json_decref(drawn);
    kn_close(context);
}

/* A file of the format before checksums is read, and its rows are checked from then on. */
static void test_rows_without_checksums(void **state)
{
    (void)state;
    KnContext *context = test_workbench("before");
    KnError error;
    KnPersistence *persistence;
    json_t *row;
    check_ok(error, kn_mkdirs("before", &error));
    edit("before/web.db",
         "CREATE TABLE kept(kind TEXT NOT NULL, id TEXT NOT NULL, saved TEXT NOT NULL, touched INTEGER NOT "
         "NULL, PRIMARY KEY(kind, id)) WITHOUT ROWID; PRAGMA user_version=1;"
         "INSERT INTO kept VALUES('contest', 'a', '{\"i\": 1}', 5), ('run', 'b', '{\"i\": 2}', 6);");
    for (int opened = 0; opened < 2; opened++) {
        check_ok(error, kn_persistence_open(context, NULL, &persistence, &error));
        check_ok(error, kn_persistence_get(persistence, KN_SAVED_RUN, "b", &row, &error));
        assert_int_equal(json_integer_value(json_object_get(row, "i")), 2);
        json_decref(row);
        kn_persistence_close(persistence);
    }
    edit("before/web.db", "UPDATE kept SET saved = '{\"i\": 3}' WHERE id = 'b'");
    check_ok(error, kn_persistence_open(context, NULL, &persistence, &error));
    check_fails(error, KN_SYSTEM, "the saved run b is not what was written",
                kn_persistence_get(persistence, KN_SAVED_RUN, "b", &row, &error));
    check_ok(error, kn_persistence_get(persistence, KN_SAVED_SESSION, "a", &row, &error));
    assert_int_equal(json_integer_value(json_object_get(row, "i")), 1);
    json_decref(row);
    kn_persistence_close(persistence);
    kn_close(context);
}

/* Games in progress stay when others open more games than the limit; games that are over or not begun go. */
static void test_eviction_spares_games_in_progress(void **state)
{
    (void)state;
    KnContext *context = test_workbench("spared");
    KnError error;
    KnPersistence *persistence;
    json_t *row, *others = json_pack("{ss sb}", "moves", "", "over", 0),
                 *playing = json_pack("{ss sb}", "moves", "b2 a1", "over", 0),
                 *over = json_pack("{ss sb}", "moves", "b2 a1", "over", 1);
    check_ok(error, kn_persistence_open(context, NULL, &persistence, &error));
    check_ok(error, kn_persistence_put(persistence, KN_SAVED_SESSION, "playing", playing, &error));
    check_ok(error, kn_persistence_put(persistence, KN_SAVED_SESSION, "over", over, &error));
    for (int i = 0; i < KN_KEEP_SESSIONS + 600; i++) {
        char id[16];
        snprintf(id, sizeof id, "n%d", i);
        check_ok(error, kn_persistence_put(persistence, KN_SAVED_SESSION, id, others, &error));
    }
    check_ok(error, kn_persistence_get(persistence, KN_SAVED_SESSION, "playing", &row, &error));
    assert_non_null(row);
    json_decref(row);
    check_ok(error, kn_persistence_get(persistence, KN_SAVED_SESSION, "over", &row, &error));
    assert_null(row);
    check_ok(error, kn_persistence_get(persistence, KN_SAVED_SESSION, "n0", &row, &error));
    assert_null(row);
    /* The write-ahead log is emptied beside the writers, so that it stays small. */
    struct stat log;
    assert_int_equal(stat("spared/web.db-wal", &log), 0);
    assert_true(log.st_size < 100 << 20);
    json_decref(others);
    json_decref(playing);
    json_decref(over);
    kn_persistence_close(persistence);
    kn_close(context);
}

/* ---- the guard ---- */

static void test_guard(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *complaint;
    } cases[] = {
        {"random", NULL},
        {"alphabeta(depth=200, nodes=1e9)", NULL},
        {"alphabeta(threads=2)", "threads is limited to 1"},
        {"uct(threads=2)", "threads is limited to 1"},
        {"general(threads=2)", "threads is limited to 1"},
        {"general(threads=0)", "threads is limited to 1"},
        {"alphabeta(eval=material)", NULL},
        {"alphabeta(eval=zero)", NULL},
        {"reasonable(0.5, alphabeta(memory=64))", NULL},
        {"reasonable(0.5, alphabeta(memory=65))", "memory is limited to 64 MiB"},
        {"reasonable(0.5)", "reasonable(0.5) cannot play checkers: needs exact codes"},
        {"alphabeta(eval=\"x\")", "wants the name"},
        {"alphabeta(eval=td(weights=\"/etc/passwd\"))", "unknown evaluation"},
        {"alphabeta:/etc/passwd", ""},
        {"nothing", "unknown player"},
        {"general", NULL},
        {"alphabeta(eval=blend(mobility, proximity(games=1000), weights=\"1,2\", fit=1000), expand=mobility)",
         NULL},
        {"alphabeta(eval=blend(fit=1001))", "fit is limited to 1000"},
        {"alphabeta(eval=blend(mobility, proximity(nodes=100001)))", "nodes is limited to 100000"},
        {"alphabeta(tables=on)", NULL},
        {"alphabeta(eval=features(weights=chinook-original, set=shared))", NULL},
        {"alphabeta(eval=features(weights=zero))", NULL},
        {"alphabeta(eval=features(weights=\"data:learned/td-1.json\"))", NULL},
        {"alphabeta(eval=features(weights=\"../weights/zero\"))", "file or a command"},
        {"alphabeta(eval=features(weights=\"/etc/passwd\"))", "file or a command"},
        {"pipe(\"true\")", "pipe runs a program"},
        {"pipe(true)", "pipe runs a program"},
        {"reasonable(0.5, pipe(\"true\"))", "pipe runs a program"},
        {"alphabeta(tables=\"/etc\")", "file or a command"},
        {"reasonable(0.5, alphabeta(tables=elsewhere))", "file or a command"},
        {"fsm(file=\"/etc/passwd\")", "file or a command"},
        {"allocate(alphabeta(), policy=\"/etc/passwd\")", "wants the name"},
        {"allocate(alphabeta(), policy=learned(\"/etc/passwd\"))", "file or a command"},
        {"allocate(alphabeta(), policy=learned(\"data:learned/a-1.json\"))", NULL},
        {"allocate(alphabeta(), policy=learned(\"data:learned/../results.sqlite\"))", "file or a command"},
        {"allocate(alphabeta(), policy=learned(\"data:learned/.a\"))", "file or a command"},
        {"allocate(alphabeta(), policy=learned(\"data:web/a\"))", "file or a command"},
        {"fsm(file=\"data:learned/a\")", "file or a command"},
        {"alphabeta(", "column"},
        {"", "column"},
    };
    KnContext *context = test_workbench("guard");
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, "checkers", &game, &error));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnStatus status = kn_guard_player(context, game, cases[i].spec, &error);
        if (!cases[i].complaint && status != KN_OK) fail_msg("%s: %s", cases[i].spec, error.text);
        if (cases[i].complaint && (status != KN_INPUT || !strstr(error.text, cases[i].complaint)))
            fail_msg("%s: status %d, \"%s\" lacks \"%s\"", cases[i].spec, (int)status,
                     status == KN_OK ? "" : error.text, cases[i].complaint);
    }
    char long_spec[4000];
    memset(long_spec, 'a', sizeof long_spec - 1);
    long_spec[sizeof long_spec - 1] = '\0';
    check_fails(error, KN_INPUT, "2000 characters", kn_guard_player(context, game, long_spec, &error));
    KnText allowed = KN_TEXT_EMPTY;
    check_ok(error, kn_guard_game(context, "matrix( payoffs=\"3,3 0,5; 5,0 1,1\" )", &allowed, &error));
    assert_string_equal(allowed.data, "matrix(payoffs=\"3,3 0,5; 5,0 1,1\")");
    check_fails(error, KN_INPUT, "hash of 32 digits",
                kn_guard_game(context, "GDL:../../etc/passwd", &allowed, &error));
    check_fails(error, KN_INPUT, "unknown game",
                kn_guard_game(context, "plugin:drop.so", &allowed, &error)); /* code never comes by HTTP */
    check_fails(error, KN_INPUT, "", kn_guard_game(context, "--plugin=drop.so", &allowed, &error));
    check_fails(error, KN_INPUT, "not allowed over HTTP",
                kn_guard_game(context, "pipe(\"touch owned\")", &allowed, &error));
    check_fails(error, KN_INPUT, "file or a command",
                kn_guard_game(context, "gdl(\"data/x.kif\")", &allowed, &error));
    kn_text_free(&allowed);
    kn_game_close(game);
    kn_close(context);
}

/* What any learner has learned can be played against over HTTP. */
static void test_learners(void **state)
{
    (void)state;
    KnContext *context = test_workbench("learners");
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, "checkers", &game, &error));
    assert_true(kn_registered(context, KN_KIND_LEARNER) >= 1);
    for (size_t i = 0; i < kn_registered(context, KN_KIND_LEARNER); i++) {
        const KnLearnerType *learner = (const KnLearnerType *)kn_registered_at(context, KN_KIND_LEARNER, i);
        KnArena *arena = kn_arena_new();
        const KnSpec *spec;
        KnOptions options;
        KnText text = KN_TEXT_EMPTY;
        check_ok(error, kn_spec_parse(learner->head.name, arena, &spec, &error));
        check_ok(error, kn_options_bind(learner->head.options, spec, arena, &options, &error));
        learner->player(&options, "data:learned/a-0123456789ab.json", &text);
        if (kn_guard_player(context, game, text.data, &error) != KN_OK)
            fail_msg("%s: %s: %s", learner->head.name, text.data, error.text);
        kn_text_clear(&text);
        learner->player(&options, "/etc/passwd", &text);
        check_fails(error, KN_INPUT, "file or a command", kn_guard_player(context, game, text.data, &error));
        kn_text_free(&text);
        kn_arena_free(arena);
    }
    kn_game_close(game);
    kn_close(context);
}

/* ---- where moves are on the board ---- */

static void test_paths(void **state)
{
    (void)state;
    static const struct {
        const char *game, *position, *move;
        int path[4], count;
    } cases[] = {
        {"checkers", NULL, "11-15", {10, 14}, 2},
        {"checkers", "B:W18,26:B15", "15x22x31", {14, 21, 30}, 3},
        {"morris", NULL, "7", {6}, 1},
        {"tictactoe", NULL, "b2", {4}, 1},
        {"go(size=5)", NULL, "C3", {12}, 1},
        {"go(size=5)", NULL, "pass", {0}, 0},
    };
    KnContext *context = test_workbench("paths");
    KnPlayerCache *cache = kn_player_cache_new(context);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnError error;
        KnCachedGame *cached;
        KnMove move;
        check_ok(error, kn_player_cache_game(cache, cases[i].game, &cached, &error));
        const KnGame *game = cached->game;
        unsigned char position[game->position_size] __attribute__((aligned(16)));
        game->type->start(game, position);
        if (cases[i].position)
            check_ok(error, game->type->parse_position(game, cases[i].position, position, &error));
        check_ok(error, kn_game_parse_move(game, position, game->type->mover(game, position), cases[i].move,
                                           &move, &error));
        KnText text = KN_TEXT_EMPTY;
        game->type->move_text(game, position, move, &text);
        int path[8], count = kn_move_path(cached, position, move, text.data, path, 8);
        int expected = cases[i].count == 3 && !strstr(text.data, "x22x")
                           ? 2
                           : cases[i].count; /* squares between are named only where needed */
        if (count != expected)
            fail_msg("%s %s (%s): %d cells", cases[i].game, cases[i].move, text.data, count);
        if (count) assert_int_equal(path[0], cases[i].path[0]);
        if (count) assert_int_equal(path[count - 1], cases[i].path[cases[i].count - 1]);
        kn_text_free(&text);
        kn_player_cache_release_game(cache, cached);
    }
    kn_player_cache_free(cache);
    kn_close(context);
}

/* A jump in Phutball names a direction; its path is found from what it does. */
static void test_jump_path(void **state)
{
    (void)state;
    KnContext *context = test_workbench("jumps");
    KnPlayerCache *cache = kn_player_cache_new(context);
    KnError error;
    KnCachedGame *cached;
    KnMove move;
    check_ok(error, kn_player_cache_game(cache, "phutball", &cached, &error));
    const KnGame *game = cached->game;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    game->type->start(game, position);
    KnText ball = KN_TEXT_EMPTY;
    int from = -1;
    for (int i = 0; i < game->cells; i++)
        if (game->cell_symbols[game->type->cell(game, position, i)] == '*') from = i;
    assert_true(from >= 0);
    int east = -1;
    double x, y, x2, y2;
    game->type->cell_place(game, from, &x, &y);
    for (int i = 0; i < game->cells; i++) {
        game->type->cell_place(game, i, &x2, &y2);
        if (y2 == y && x2 == x + 1) east = i;
    }
    game->type->cell_name(game, east, &ball);
    check_ok(error,
             kn_game_parse_move(game, position, game->type->mover(game, position), ball.data, &move, &error));
    game->type->play(game, position, move);
    check_ok(error,
             kn_game_parse_move(game, position, game->type->mover(game, position), "E", &move, &error));
    int path[4];
    assert_int_equal(kn_move_path(cached, position, move, "E", path, 4), 2);
    assert_int_equal(path[0], from);
    game->type->cell_place(game, path[1], &x2, &y2);
    assert_true(x2 == x + 2 && y2 == y);
    kn_text_free(&ball);
    kn_player_cache_release_game(cache, cached);
    kn_player_cache_free(cache);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work_in_order),
        cmocka_unit_test(test_work_closes),
        cmocka_unit_test(test_work_call),
        cmocka_unit_test(test_events_bounded),
        cmocka_unit_test(test_keep),
        cmocka_unit_test(test_edited_rows),
        cmocka_unit_test(test_rows_without_checksums),
        cmocka_unit_test(test_eviction_spares_games_in_progress),
        cmocka_unit_test(test_guard),
        cmocka_unit_test(test_learners),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_jump_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
