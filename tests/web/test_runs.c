/* Runs started over the API: a child process plays, its curve grows, stop loses nothing, the same command
 * goes on. */
#include "support/check.h"
#include "support/desk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sqlite3.h>

#include "base/file.h"

static void open_desk(Desk *desk, const char *folder)
{
    desk_open(desk, folder, &(KnWebOptions){.engines = 1, .program = KNACK_BINARY});
}

/* Waits until a run's state is no longer "running". */
static void wait_for_end(Desk *desk, const char *path)
{
    for (int i = 0; i < 15000; i++) { /* five minutes: sanitizers on a busy machine are slow */
        assert_int_equal(desk_ask(desk, "GET", path, NULL), 200);
        if (strcmp(desk_text(desk, "state"), "running") != 0) return;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    fail_msg("%s never ended: %s", path, desk->text);
}

static void wait_for_games(Desk *desk, const char *path, long games)
{
    for (int i = 0; i < 3000; i++) {
        assert_int_equal(desk_ask(desk, "GET", path, NULL), 200);
        if (desk_number(desk, "games") >= games) return;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    fail_msg("%s never had %ld games: %s", path, games, desk->text);
}

static void test_match(void **state)
{
    (void)state;
    Desk desk;
    open_desk(&desk, "match");
    assert_int_equal(desk_ask(&desk, "GET", "/api/runs", NULL), 200);
    assert_int_equal(json_array_size(desk.json), 0);
    assert_int_equal(desk_ask(&desk, "POST", "/api/runs",
                              "{\"game\": \"tictactoe\", \"players\": [\"alphabeta(depth=2)\", \"random\"], "
                              "\"games\": 40, \"seed\": 3, \"name\": \"first\"}"),
                     201);
    assert_string_equal(desk_text(&desk, "state"), "running");
    wait_for_end(&desk, "/api/runs/first");
    assert_string_equal(desk_text(&desk, "state"), "done");
    assert_int_equal(desk_number(&desk, "games"), 40);
    assert_int_equal(desk_number(&desk, "wins") + desk_number(&desk, "draws") + desk_number(&desk, "losses"),
                     40);
    assert_int_equal(desk_number(&desk, "curve/39/0"), 40);
    static const char *const ends[][2] = {
        {"score", "curve/39/1"}, {"low", "curve/39/2"}, {"high", "curve/39/3"}};
    for (size_t i = 0; i < 3; i++) /* the curve ends at the score of the run */
        assert_true(fabs(json_number_value(desk_at(&desk, ends[i][0])) -
                         json_number_value(desk_at(&desk, ends[i][1]))) < 1e-9);
    assert_true(json_number_value(desk_at(&desk, "score")) > 0.6);
    assert_true(json_number_value(desk_at(&desk, "low")) < json_number_value(desk_at(&desk, "score")));
    assert_int_equal(desk_ask(&desk, "GET", "/api/runs", NULL), 200);
    assert_string_equal(desk_text(&desk, "0/name"), "first");
    assert_string_equal(desk_text(&desk, "0/state"), "done");
    assert_int_equal(desk_ask(&desk, "GET", "/api/runs/first/games?from=10&count=5", NULL), 200);
    assert_int_equal(json_array_size(desk_at(&desk, "games")), 5);
    assert_int_equal(desk_number(&desk, "games/0/number"), 10);
    assert_int_equal(desk_ask(&desk, "GET", "/api/runs/first/games/11", NULL), 200);
    assert_string_equal(desk_text(&desk, "players/0"), "random"); /* sides alternate */
    char body[512], id[32];
    snprintf(body, sizeof body, "{\"game\": \"%s\", \"moves\": \"%s\", \"pace\": {\"paused\": true}}",
             desk_text(&desk, "game"), desk_text(&desk, "moves"));
    long plies = desk_number(&desk, "plies");
    desk_session(&desk, body, id); /* any game can be replayed */
    assert_int_equal(desk_number(&desk, "plies"), plies);
    assert_int_equal(desk_number(&desk, "over"), 1);
    /* The same again is the same run: all its games are there. */
    assert_int_equal(desk_ask(&desk, "POST", "/api/runs/first/resume", NULL), 200);
    wait_for_end(&desk, "/api/runs/first");
    assert_string_equal(desk_text(&desk, "state"), "done");
    desk_close(&desk);
}

/* A run that does not fit its checksum is listed as failed, with the reason, and does not hide the others. */
static void test_damaged(void **state)
{
    (void)state;
    Desk desk;
    sqlite3 *db;
    open_desk(&desk, "damaged");
    for (int i = 0; i < 3; i++) {
        char body[160], path[32];
        snprintf(
            body, sizeof body,
            "{\"game\": \"tictactoe\", \"players\": [\"random\", \"random\"], \"games\": 4, \"seed\": %d, "
            "\"name\": \"run%d\"}",
            i + 1, i);
        snprintf(path, sizeof path, "/api/runs/run%d", i);
        assert_int_equal(desk_ask(&desk, "POST", "/api/runs", body), 201);
        wait_for_end(&desk, path);
    }
    KnText file = KN_TEXT_EMPTY;
    kn_path_join(&file, kn_context_data(desk.context), "results.db");
    assert_int_equal(sqlite3_open(file.data, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "UPDATE runs SET settings = '{}' WHERE name = 'run0';"
                                  "UPDATE runs SET summary = '' WHERE name = 'run1'",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    kn_text_free(&file);
    assert_int_equal(desk_ask(&desk, "GET", "/api/runs", NULL), 200);
    size_t damaged = 0, i;
    json_t *row;
    json_array_foreach(desk.json, i, row)
    {
        bool whole = strcmp(json_string_value(json_object_get(row, "name")), "run2") == 0;
        assert_int_equal(json_object_get(row, "damage") == NULL, whole);
        damaged += !whole;
    }
    assert_int_equal(damaged, 2);
    assert_int_equal(desk_ask(&desk, "GET", "/api/runs/run2", NULL), 200);
    assert_int_not_equal(desk_ask(&desk, "GET", "/api/runs/run2/games/9", NULL), 200);
    desk_close(&desk);
}

static void test_stop_and_resume(void **state)
{
    (void)state;
    Desk desk;
    open_desk(&desk, "stop");
    assert_int_equal(desk_ask(&desk, "POST", "/api/runs",
                              "{\"game\": \"checkers\", \"players\": [\"alphabeta(depth=4)\", \"random\"], "
                              "\"games\": 100000, \"seed\": 3, \"plies\": 80, \"name\": \"long\"}"),
                     201);
    wait_for_games(&desk, "/api/runs/long", 4);
    assert_int_equal(desk_ask(&desk, "POST", "/api/runs/long/resume", NULL), 409);
    assert_int_equal(desk_ask(&desk, "POST", "/api/runs/long/stop", NULL), 200);
    wait_for_end(&desk, "/api/runs/long");
    assert_string_equal(desk_text(&desk, "state"), "stopped");
    long games = desk_number(&desk, "games");
    assert_true(games >= 4);
    assert_int_equal(desk_ask(&desk, "POST", "/api/runs/long/stop", NULL), 409);
    assert_int_equal(desk_ask(&desk, "POST", "/api/runs/long/resume", NULL), 200);
    wait_for_games(&desk, "/api/runs/long", games + 4);
    desk_close(&desk); /* closing stops it */
    open_desk(&desk, "stop");
    assert_int_equal(desk_ask(&desk, "GET", "/api/runs/long", NULL), 200);
    assert_string_equal(desk_text(&desk, "state"), "stopped");
    assert_true(desk_number(&desk, "games") >= games + 4);
    assert_int_equal(desk_number(&desk, "total"), 100000);
    /* The name belongs to these settings. */
    assert_int_equal(
        desk_ask(&desk, "POST", "/api/runs",
                 "{\"game\": \"tictactoe\", \"players\": [\"random\", \"random\"], \"name\": \"long\"}"),
        409);
    desk_close(&desk);
}

static void test_tournament(void **state)
{
    (void)state;
    Desk desk;
    open_desk(&desk, "tournament");
    assert_int_equal(desk_ask(&desk, "POST", "/api/runs",
                              "{\"kind\": \"tournament\", \"game\": \"tictactoe\", \"players\": [\"random\", "
                              "\"alphabeta(depth=1)\", \"alphabeta(depth=9)\"], \"games\": 12, \"seed\": 2, "
                              "\"name\": \"cup\"}"),
                     201);
    wait_for_end(&desk, "/api/runs/cup");
    if (strcmp(desk_text(&desk, "state"), "done") != 0) fail_msg("%s", desk.text);
    assert_int_equal(json_array_size(desk_at(&desk, "table/players")), 3);
    assert_int_equal(desk_number(&desk, "table/players/2/games"), 24);
    assert_true(json_is_null(desk_at(&desk, "table/players/0/against/0")));
    assert_true(desk_number(&desk, "table/players/2/against/0/wins") >= 8);
    assert_int_equal(desk_number(&desk, "table/players/2/against/0/wins"),
                     desk_number(&desk, "table/players/0/against/2/losses"));
    assert_true(json_number_value(desk_at(&desk, "table/players/2/elo")) >
                json_number_value(desk_at(&desk, "table/players/0/elo")));
    assert_true(json_number_value(desk_at(&desk, "table/players/0/elo_95")) > 0);
    /* Of a repeated game there is a ranking, and no table of matches that were never played one by one. */
    assert_int_equal(desk_ask(&desk, "POST", "/api/runs",
                              "{\"kind\": \"tournament\", \"game\": \"dilemma\", \"players\": "
                              "[\"TitForTat\", \"Defector\"], \"games\": 2, \"name\": \"repeated\"}"),
                     201);
    wait_for_end(&desk, "/api/runs/repeated");
    assert_int_equal(json_array_size(desk_at(&desk, "ranking")), 2);
    assert_int_equal(desk_number(&desk, "total"), 6); /* with the twins */
    assert_null(desk_at(&desk, "table"));
    desk_close(&desk);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *path, *body;
        int status;
        const char *part, *field;
    } cases[] = {
        {"/api/runs", "{\"game\": \"tictactoe\"}", 400, "two specs", "players"},
        {"/api/runs", "{\"game\": \"tictactoe\", \"players\": [\"random\"]}", 400, "two specs", "players"},
        {"/api/runs", "{\"game\": \"tictactoe\", \"players\": [\"random\", 3]}", 400, "players[1]",
         "players"},
        {"/api/runs", "{\"game\": \"tictactoe\", \"players\": [\"random\", \"human\"]}", 422,
         "a person cannot", "players"},
        {"/api/runs", "{\"game\": \"tictactoe\", \"players\": [\"random\", \"gtp(\\\"rm -rf\\\")\"]}", 422,
         "runs a program", "players"},
        {"/api/runs", "{\"game\": \"phutball\", \"players\": [\"random\", \"random\"]}", 422,
         "limit of plies", "plies"},
        {"/api/runs", "{\"game\": \"tictactoe\", \"players\": [\"random\", \"random\"], \"name\": \"../x\"}",
         422, "letters, digits", "name"},
        {"/api/runs", "{\"game\": \"tictactoe\", \"players\": [\"random\", \"random\"], \"name\": \"-x\"}",
         422, "letters, digits", "name"},
        {"/api/runs", "{\"game\": \"tictactoe\", \"players\": [\"random\", \"random\"], \"games\": 1e9}", 400,
         "from 1 to 1e+06", "games"},
        {"/api/runs", "{\"kind\": \"war\", \"game\": \"tictactoe\", \"players\": [\"random\", \"random\"]}",
         400, "match or tournament", "kind"},
        {"/api/runs",
         "{\"game\": \"dilemma\", \"players\": [\"TitForTat\", \"random\"], \"random_plies\": 2}", 422,
         "no opening moves", "random_plies"},
        {"/api/runs/nothing/stop", "{}", 404, "has not started a run named", NULL},
        {"/api/runs/nothing/resume", "{}", 404, "has not started a run named", NULL},
        {"/api/lab/nothing/run", "{}", 404, "no experiment", NULL},
        {"/api/lab/temporal.table6/run", "{\"scale\": \"huge\"}", 400, "quick, middle or paper", "scale"},
        {"/api/lab/temporal.table6/stop", "{}", 409, "not being measured", NULL},
    };
    Desk desk;
    open_desk(&desk, "refusals");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int status = desk_ask(&desk, "POST", cases[i].path, cases[i].body);
        if (status != cases[i].status || !strstr(desk_text(&desk, "error"), cases[i].part))
            fail_msg("%s %s: %d %s", cases[i].path, cases[i].body, status, desk.text);
        if (cases[i].field) assert_string_equal(desk_text(&desk, "field"), cases[i].field);
    }
    assert_int_equal(desk_ask(&desk, "GET", "/api/runs/nothing", NULL), 404);
    assert_int_equal(desk_ask(&desk, "GET", "/api/runs/nothing/games", NULL), 404);
    assert_int_equal(desk_ask(&desk, "GET", "/api/runs/nothing/games/x", NULL), 400);
    assert_int_equal(desk_ask(&desk, "GET", "/api/lab/nothing", NULL), 404);
    assert_int_equal(desk_ask(&desk, "GET", "/api/lab/temporal.table6/figures/x", NULL), 404);
    assert_int_equal(desk_ask(&desk, "GET", "/api/learn", NULL), 200);
    desk_close(&desk);
}

/* A third run is refused while two go on; a program that fails leaves its message. */
static void test_bounds_and_failure(void **state)
{
    (void)state;
    Desk desk;
    open_desk(&desk, "bounds");
    for (int i = 0; i < 3; i++) {
        char body[256];
        snprintf(body, sizeof body,
                 "{\"game\": \"checkers\", \"players\": [\"alphabeta(depth=5)\", \"random\"], \"games\": "
                 "100000, \"seed\": %d}",
                 i);
        assert_int_equal(desk_ask(&desk, "POST", "/api/runs", body), i < 2 ? 201 : 429);
    }
    desk_close(&desk);
    desk_open(&desk, "failure", &(KnWebOptions){.engines = 1, .program = "/bin/false"});
    assert_int_equal(
        desk_ask(&desk, "POST", "/api/runs",
                 "{\"game\": \"tictactoe\", \"players\": [\"random\", \"random\"], \"name\": \"x\"}"),
        201);
    wait_for_end(&desk, "/api/runs/x");
    assert_string_equal(desk_text(&desk, "state"), "failed");
    desk_close(&desk);
    desk_open(&desk, "nowhere", &(KnWebOptions){.engines = 1, .program = "/no/such/program"});
    assert_int_equal(
        desk_ask(&desk, "POST", "/api/runs",
                 "{\"game\": \"tictactoe\", \"players\": [\"random\", \"random\"], \"name\": \"x\"}"),
        503);
    assert_int_equal(desk_ask(&desk, "GET", "/api/runs/x", NULL), 404);
    desk_close(&desk);
}

/* Stopping takes a moment. */
static void wait_for_end_of_lab(Desk *desk)
{
    for (int i = 0; i < 500; i++) {
        assert_int_equal(desk_ask(desk, "GET", "/api/lab/temporal.table6", NULL), 200);
        if (strcmp(desk_text(desk, "run/state"), "running") != 0) return;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    fail_msg("it never stopped: %s", desk->text);
}

static void test_lab(void **state)
{
    (void)state;
    Desk desk;
    open_desk(&desk, "lab");
    assert_int_equal(desk_ask(&desk, "GET", "/api/lab", NULL), 200);
    assert_true(json_array_size(desk_at(&desk, "experiments")) >= 1);
    assert_true(json_is_null(desk_at(&desk, "experiments/0/run")));
    assert_int_equal(desk_ask(&desk, "GET", "/api/lab/temporal.table6", NULL), 200);
    assert_string_equal(desk_text(&desk, "result/origin"), "shipped"); /* nothing was measured here */
    assert_int_equal(desk_ask(&desk, "POST", "/api/lab/temporal.table6/run", "{\"scale\": \"quick\"}"), 201);
    assert_string_equal(desk_text(&desk, "state"), "running");
    assert_int_equal(desk_ask(&desk, "POST", "/api/lab/temporal.table6/run", "{}"), 409);
    assert_int_equal(desk_ask(&desk, "GET", "/api/lab/temporal.table6", NULL), 200);
    assert_string_equal(desk_text(&desk, "run/about/experiment"), "temporal.table6");
    assert_int_equal(desk_ask(&desk, "POST", "/api/lab/temporal.table6/stop", "{}"), 200);
    wait_for_end_of_lab(&desk);
    /* All of them, at the quick scale. */
    assert_int_equal(desk_ask(&desk, "POST", "/api/lab/stop", "{}"), 409);
    assert_int_equal(desk_ask(&desk, "POST", "/api/lab", "{\"scale\": \"paper\"}"), 400);
    assert_int_equal(desk_ask(&desk, "POST", "/api/lab", "{}"), 201);
    assert_string_equal(desk_text(&desk, "about/experiment"), "*");
    assert_int_equal(desk_ask(&desk, "GET", "/api/lab", NULL), 200);
    assert_string_equal(desk_text(&desk, "run/state"), "running");
    assert_int_equal(desk_ask(&desk, "POST", "/api/lab/stop", "{}"), 200);
    desk_close(&desk);
}

/* A training run: its curve grows over two seeds, it stops and goes on, and what it has learned plays and
 * says why.
 */
static void test_training(void **state)
{
    (void)state;
    Desk desk;
    open_desk(&desk, "training");
    assert_int_equal(desk_ask(&desk, "GET", "/api/learn?game=dilemma", NULL), 200);
    assert_string_equal(desk_text(&desk, "learners/0/name"), "allocation");
    assert_true(json_is_false(desk_at(&desk, "learners/0/runs")));
    static const struct {
        const char *body, *part, *field;
        int status;
    } refused[] = {
        {"{\"learner\": \"nothing\", \"game\": \"checkers\"}", "unknown learner", "learner", 422},
        {"{\"learner\": \"allocation(examples=0)\", \"game\": \"checkers\"}", "between 1 ", "learner", 422},
        {"{\"learner\": \"allocation\", \"game\": \"dilemma\"}", "take turns", "learner", 422},
        {"{\"learner\": \"allocation(inner=human)\", \"game\": \"checkers\"}", "a person cannot", "learner",
         422},
        {"{\"learner\": \"allocation(inner=fsm(file=x))\", \"game\": \"checkers\"}", "file or a command",
         "learner", 422},
        {"{\"learner\": \"allocation\", \"game\": \"chess\"}", "unknown game", "game", 422},
        {"{\"learner\": \"allocation\", \"game\": \"checkers\", \"seeds\": 99}", "from 1 to 10", "seeds",
         400},
        {"{\"learner\": \"allocation\", \"game\": \"checkers\", \"name\": \"a/b\"}", "letters, digits",
         "name", 422},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        int status = desk_ask(&desk, "POST", "/api/learn", refused[i].body);
        if (status != refused[i].status || !strstr(desk_text(&desk, "error"), refused[i].part))
            fail_msg("%s: %d %s", refused[i].body, status, desk.text);
        assert_string_equal(desk_text(&desk, "field"), refused[i].field);
    }
    assert_int_equal(desk_ask(&desk, "GET", "/api/learn/nothing", NULL), 404);
    assert_int_equal(desk_ask(&desk, "POST", "/api/learn/nothing/player", NULL), 404);
    assert_int_equal(
        desk_ask(&desk, "POST", "/api/learn",
                 "{\"learner\": \"allocation(inner=alphabeta(memory=1, eval=hand), shallow=1, extra=1, "
                 "examples=600, enrich=600, relief=100)\", "
                 "\"game\": \"checkers\", \"seed\": 7, \"seeds\": 2, \"name\": \"young\"}"),
        201);
    assert_int_equal(
        desk_ask(&desk, "POST", "/api/learn",
                 "{\"learner\": \"allocation(inner=alphabeta(memory=1, eval=hand), shallow=1, extra=1, "
                 "examples=600, enrich=600, relief=100)\", "
                 "\"game\": \"checkers\", \"seed\": 7, \"seeds\": 3, \"name\": \"young\"}"),
        409); /* the name belongs to a run with other settings */
    assert_int_equal(desk_ask(&desk, "GET", "/api/runs/young", NULL), 404); /* it is no match */
    assert_int_equal(desk_ask(&desk, "POST", "/api/runs/young/stop", NULL), 404);
    wait_for_end(&desk, "/api/learn/young");
    if (strcmp(desk_text(&desk, "state"), "done") != 0) fail_msg("%s", desk.text);
    assert_int_equal(json_array_size(desk_at(&desk, "curve")), 15);
    assert_int_equal(json_number_value(desk_at(&desk, "curve/14/0")), 1200);
    assert_int_equal(desk_number(&desk, "curve/14/4"), 2);
    double one = json_number_value(desk_at(&desk, "runs/0/points/14/1")),
           two = json_number_value(desk_at(&desk, "runs/1/points/14/1"));
    assert_true(fabs(json_number_value(desk_at(&desk, "curve/14/1")) - (one + two) / 2) < 1e-6);
    assert_true(fabs(json_number_value(desk_at(&desk, "curve/14/3")) - fmax(one, two)) < 1e-6);
    assert_int_equal(desk_number(&desk, "runs/1/seed"), 8);
    assert_int_equal(desk_ask(&desk, "POST", "/api/learn/young/resume", NULL),
                     200); /* there is nothing left to do */
    wait_for_end(&desk, "/api/learn/young");
    assert_int_equal(json_array_size(desk_at(&desk, "curve")), 15);
    assert_int_equal(desk_ask(&desk, "POST", "/api/learn/young/player", "{\"seed\": 9}"), 400);
    assert_int_equal(desk_ask(&desk, "POST", "/api/learn/young/player", NULL), 200);
    assert_non_null(strstr(desk_text(&desk, "spec"), "policy=learned(\"data:learned/young-"));
    json_t *game_state = json_pack("{ss s[os] ss}", "game", "checkers", "seats",
                                   json_incref(desk_at(&desk, "spec")), "human", "moves", "11-15");
    char *body = json_dumps(game_state, 0), id[32], path[64];
    desk_session(&desk, body, id);
    snprintf(path, sizeof path, "/api/sessions/%s/why?ply=0", id);
    assert_int_equal(desk_ask(&desk, "GET", path, NULL), 200);
    assert_non_null(
        strstr(desk.text, "threshold with what is left")); /* the decision, as its policy made it */
    assert_non_null(strstr(desk.text, "8 of 8 deep searches, for 40 of 40 moves"));
    free(body);
    json_decref(game_state);
    desk_close(&desk);
}

/* Stopped before its first point, it has no player yet; it goes on. */
static void test_training_stopped(void **state)
{
    (void)state;
    Desk desk;
    open_desk(&desk, "stopped");
    assert_int_equal(
        desk_ask(
            &desk, "POST", "/api/learn",
            "{\"learner\": \"allocation(examples=100000)\", \"game\": \"checkers\", \"name\": \"slow\"}"),
        201);
    assert_int_equal(desk_ask(&desk, "POST", "/api/learn/slow/player", NULL), 409);
    assert_int_equal(desk_ask(&desk, "POST", "/api/learn/slow/stop", NULL), 200);
    wait_for_end(&desk, "/api/learn/slow");
    assert_string_equal(desk_text(&desk, "state"), "stopped");
    assert_int_equal(desk_ask(&desk, "POST", "/api/learn/slow/stop", NULL), 409);
    assert_int_equal(desk_ask(&desk, "POST", "/api/learn/slow/resume", NULL), 200);
    assert_string_equal(desk_text(&desk, "state"), "running");
    desk_close(&desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_stop_and_resume),
        cmocka_unit_test(test_tournament),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_bounds_and_failure),
        cmocka_unit_test(test_lab),
        cmocka_unit_test(test_training),
        cmocka_unit_test(test_training_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
