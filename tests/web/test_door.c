/* Who is let in, and what may be asked for: hosts, origins, routes, bodies, specs, and what there is. */
#include "support/check.h"
#include "support/desk.h"

#include <stdlib.h>
#include <string.h>

#include "arena/play.h"
#include "base/file.h"
#include "games/game.h"
#include "web/guard.h"

static int ask_as(Desk *desk, const char *path, const char *host, const char *origin, const char *site)
{
    return desk_ask_request(
        desk,
        &(KnHttpRequest){
            .method = "GET", .path = path, .body = "", .host = host, .origin = origin, .fetch_site = site});
}

static void test_hosts(void **state)
{
    (void)state;
    static const struct {
        const char *host;
        int status;
    } cases[] = {{"127.0.0.1:8017", 200},
                 {"localhost", 200},
                 {"LOCALHOST:1", 200},
                 {"[::1]:8017", 200},
                 {"192.168.0.7", 200},
                 {"bench.example", 200},
                 {"evil.example", 403},
                 {"localhost.evil.example", 403},
                 {"127.0.0.1.evil.example", 403},
                 {"", 403},
                 {"[::1", 403},
                 {"[::1]evil.example", 403},
                 {"evil.example:127.0.0.1", 403},
                 {NULL, 400}};
    Desk desk;
    desk_open(&desk, "hosts", &(KnWebOptions){.engines = 1, .name = "bench.example"});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int status = ask_as(&desk, "/api/about", cases[i].host, NULL, NULL);
        if (status != cases[i].status)
            fail_msg("Host %s: %d, wanted %d", cases[i].host ? cases[i].host : "(none)", status,
                     cases[i].status);
    }
    char long_host[600];
    memset(long_host, 'a', sizeof long_host - 1);
    long_host[sizeof long_host - 1] = '\0';
    assert_int_equal(ask_as(&desk, "/api/about", long_host, NULL, NULL), 403);
    desk_close(&desk);
}

static void test_origins(void **state)
{
    (void)state;
    Desk desk;
    desk_open(&desk, "origins", NULL);
    assert_int_equal(ask_as(&desk, "/api/about", "localhost:8017", "http://localhost:8017", "same-origin"),
                     200);
    assert_int_equal(ask_as(&desk, "/api/about", "localhost:8017", NULL, "none"), 200);
    assert_int_equal(ask_as(&desk, "/api/about", "localhost:8017", "http://localhost:9000", NULL), 403);
    assert_int_equal(ask_as(&desk, "/api/about", "localhost:8017", "http://evil.example", NULL), 403);
    assert_int_equal(ask_as(&desk, "/api/about", "localhost:8017", "null", NULL), 403);
    assert_int_equal(ask_as(&desk, "/api/about", "localhost:8017", "file://localhost:8017", NULL), 403);
    assert_int_equal(ask_as(&desk, "/api/about", "localhost:8017", NULL, "cross-site"), 403);
    assert_int_equal(ask_as(&desk, "/api/about", "localhost:8017", NULL, "same-site"), 403);
    assert_non_null(strstr(desk_text(&desk, "error"), "other sites"));
    desk_close(&desk);
}

static void test_bad_requests(void **state)
{
    (void)state;
    static const struct {
        const char *method, *path, *body;
        int status;
        const char *part, *field;
    } cases[] = {
        {"GET", "/api/nothing", NULL, 404, "there is no /api/nothing", NULL},
        {"GET", "/api/frames", NULL, 405, "use POST here, not GET", NULL},
        {"DELETE", "/api/about", NULL, 405, "use GET here", NULL},
        {"POST", "/index.html", "{}", 405, "read-only", NULL},
        {"GET", "/no/such/page.html", NULL, 404, "there is no page", NULL},
        {"GET", "/../../etc/passwd", NULL, 404, "there is no page", NULL},
        {"GET", "/api/sessions/../../etc/passwd", NULL, 404, "", NULL},
        {"GET", "/api/sessions/zzz", NULL, 404, "there is no game zzz", NULL},
        {"GET", "/api/events?session=zzz", NULL, 404, "there is no game zzz", NULL},
        {"POST", "/api/sessions", "{\"game\": ", 400, "body:1", NULL},
        {"POST", "/api/sessions", "{\"game\": \"a\", \"game\": \"b\"}", 400, "duplicate", NULL},
        {"POST", "/api/sessions", "[]", 400, "must be a JSON object", NULL},
        {"POST", "/api/sessions", "{}", 400, "game is missing", "game"},
        {"POST", "/api/sessions", "{\"game\": 3}", 400, "game: expected a text", "game"},
        {"POST", "/api/sessions", "{\"game\": \"chess\"}", 422, "unknown game \"chess\"", "game"},
        {"POST", "/api/sessions", "{\"game\": \"checkers(draw=x)\"}", 422, "draw wants a number", "game"},
        {"POST", "/api/sessions", "{\"game\": \"check(\"}", 422, "column", "game"},
        {"POST", "/api/sessions", "{\"game\": \"gdl:/etc/passwd\"}", 422, "upload the game description first",
         "game"},
        {"POST", "/api/sessions", "{\"game\": \"gdl(\\\"/etc/passwd\\\")\"}", 422, "file or a command",
         "game"},
        {"POST", "/api/sessions", "{\"game\": \"gdl:00000000000000000000000000000000\"}", 422,
         "upload it again", "game"},
        {"POST", "/api/sessions", "{\"game\": \"tictactoe\", \"seats\": 3}", 400,
         "expected a list of at most", "seats"},
        {"POST", "/api/sessions", "{\"game\": \"tictactoe\", \"seats\": [3]}", 400, "seats[0]", "seats"},
        {"POST", "/api/sessions", "{\"game\": \"tictactoe\", \"seats\": [\"human\", \"human\", \"human\"]}",
         422, "has 2 seats, and the request names 3", "seats"},
        {"POST", "/api/sessions", "{\"game\": \"tictactoe\", \"seats\": [\"alphabta\"]}", 422,
         "did you mean alphabeta?", "seats"},
        {"POST", "/api/sessions", "{\"game\": \"checkers\", \"seats\": [\"perfect\"]}", 422, "", "seats"},
        {"POST", "/api/sessions", "{\"game\": \"morris(men=9)\", \"seats\": [\"perfect\"]}", 422,
         "knack solve 'morris(men=9)'", "seats"},
        {"POST", "/api/sessions", "{\"game\": \"morris(men=9)\", \"seats\": [\"reasonable(0.5)\"]}", 422,
         "knack solve", "seats"},
        {"POST", "/api/sessions", "{\"game\": \"tictactoe\", \"seats\": [\"alphabeta(memory=1000)\"]}", 422,
         "memory is limited to 64 MiB", "seats"},
        {"POST", "/api/sessions", "{\"game\": \"tictactoe\", \"position\": \"x\"}", 422, "", "position"},
        {"POST", "/api/sessions", "{\"game\": \"tictactoe\", \"moves\": \"b2 b2\"}", 422, "move 2", "moves"},
        {"POST", "/api/sessions", "{\"game\": \"tictactoe\", \"seed\": \"abc\"}", 400, "seed", "seed"},
        {"POST", "/api/sessions", "{\"game\": \"tictactoe\", \"pace\": 3}", 400, "pace", "pace"},
        {"POST", "/api/sessions", "{\"game\": \"tictactoe\", \"pace\": {\"delay\": -3}}", 400, "from 0 to 60",
         "delay"},
        {"POST", "/api/sessions/x/move", "{\"move\": \"a\"}", 400, "ply is missing", "ply"},
        {"POST", "/api/sessions/x/move", "{\"ply\": 0}", 400, "move is missing", "move"},
        {"GET", "/api/players", NULL, 400, "which game?", "game"},
        {"GET", "/api/levels?game=chess", NULL, 422, "unknown game", "game"},
    };
    Desk desk;
    desk_open(&desk, "bad", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int status = desk_ask(&desk, cases[i].method, cases[i].path, cases[i].body);
        if (status != cases[i].status)
            fail_msg("%s %s %s: %d, wanted %d: %s", cases[i].method, cases[i].path,
                     cases[i].body ? cases[i].body : "", status, cases[i].status, desk.text);
        if (!strstr(desk_text(&desk, "error"), cases[i].part))
            fail_msg("%s %s: \"%s\" lacks \"%s\"", cases[i].path, cases[i].body ? cases[i].body : "",
                     desk.text, cases[i].part);
        if (cases[i].field) assert_string_equal(desk_text(&desk, "field"), cases[i].field);
    }
    desk_close(&desk);
}

/* What the page brings along for whoever has these cookies; a new reference. `theme` is what the page's first
 * tag says of it. */
static json_t *brought(Desk *desk, const char *cookie, const char *theme)
{
    KnHttpReply reply = KN_HTTP_REPLY;
    kn_web_answer(desk->web,
                  &(KnHttpRequest){
                      .method = "GET", .path = "/", .body = "", .host = "localhost:8123", .cookie = cookie},
                  &reply);
    assert_int_equal(reply.status, 200);
    const char *page = reply.bytes ? reply.bytes : reply.text.data;
    size_t size = reply.bytes ? reply.size : reply.text.length;
    char tag[64];
    snprintf(tag, sizeof tag, "<html lang=\"en\"%s>", theme);
    assert_non_null(memmem(page, size, tag, strlen(tag)));
    static const char mark[] = "<script type=\"application/json\" id=\"first\">";
    const char *from = memmem(page, size, mark, strlen(mark));
    assert_non_null(from);
    from += strlen(mark);
    const char *end = memmem(from, size - (size_t)(from - page), "</script>", 9);
    assert_non_null(end);
    json_t *json = json_loadb(from, (size_t)(end - from), 0, NULL);
    assert_non_null(json);
    kn_reply_free(&reply);
    return json;
}

static const char *said(const json_t *json, const char *group, const char *key)
{
    const char *text = json_string_value(json_object_get(json_object_get(json, group), key));
    return text ? text : "(nothing)";
}

/* The page brings the game that was left, and the look, for whoever says so with this port's cookies;
 * anything else is a first visit. */
static void test_page_as_left(void **state)
{
    (void)state;
    Desk desk;
    char cookie[200];
    desk_open(&desk, "left", NULL);
    assert_int_equal(desk_ask(&desk, "POST", "/api/sessions", "{\"game\": \"tictactoe\", \"moves\": \"b2\"}"),
                     201);
    char id[32];
    snprintf(id, sizeof id, "%s", desk_text(&desk, "id"));
    snprintf(cookie, sizeof cookie,
             "other=1; knack-8123-theme=dark; knack-8123-play=%s; knack-8123-watch=abc", id);
    json_t *json = brought(&desk, cookie, " data-theme=\"dark\"");
    assert_string_equal(said(json, "session", "id"), id);
    assert_string_equal(said(json, "remembered", "play"), id);
    assert_string_equal(said(json, "remembered", "watch"), "abc");
    assert_string_equal(said(json, "remembered", "theme"), "dark");
    assert_string_equal(said(json, "first", "game"), "checkers");
    assert_true(json_array_size(json_object_get(json, "levels")) > 0);
    json_decref(json);
    static const char *const others[][2] = {
        {"knack-8124-play=", ""},
        {"knack--play=", ""},
        {"knack-8123-play=x", ""},
        {"xknack-8123-play=", ""},
        {"knack-8123-play=\"", "\""},
        {"knack-8123-play=", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},
        {"knack-8123-theme=\xff; ", ""},
        {"knack-8123-theme=<b>;", ";"},
        {";;; = ", ""},
        {"knack-8123-play", ""}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(cookie, sizeof cookie, "%s%s%s", others[i][0], id, others[i][1]);
        json = brought(&desk, cookie, "");
        assert_string_equal(said(json, "session", "id"), "");
        assert_string_equal(said(json, "remembered", "play"), "(nothing)");
        json_decref(json);
    }
    desk_close(&desk);
}

/* The page brings a first game along, as data; nobody's game is begun by looking. */
static void test_first_page(void **state)
{
    (void)state;
    Desk desk;
    desk_open(&desk, "page", NULL);
    json_t *first = brought(&desk, NULL, ""), *game_state = json_object_get(first, "session");
    assert_string_equal(json_string_value(json_object_get(game_state, "id")), "");
    assert_string_equal(json_string_value(json_object_get(json_object_get(game_state, "game"), "name")),
                        "checkers");
    assert_int_equal(json_array_size(json_object_get(game_state, "legal")), 7);
    assert_int_equal(json_array_size(json_object_get(first, "levels")), 5);
    json_decref(first);
    assert_int_equal(desk_ask(&desk, "GET", "/api/about", NULL), 200);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(desk.json, "now"), "sessions")), 0);
    desk_close(&desk);
}

static void test_bodies(void **state)
{
    (void)state;
    Desk desk;
    desk_open(&desk, "bodies", NULL);
    KnHttpRequest request = {.method = "POST",
                             .path = "/api/sessions",
                             .host = "localhost",
                             .body = "{\"game\": \"tictactoe\"}",
                             .body_size = 21};
    assert_int_equal(desk_ask_request(&desk, &request), 415);
    request.content_type = "text/plain";
    assert_int_equal(desk_ask_request(&desk, &request), 415);
    request.content_type = "application/json-seq";
    assert_int_equal(desk_ask_request(&desk, &request), 415);
    request.content_type = "application/json; charset=utf-8";
    assert_int_equal(desk_ask_request(&desk, &request), 201);
    char *large = malloc(1 << 18);
    memset(large, ' ', 1 << 18);
    request.body = large;
    request.body_size = 1 << 18;
    assert_int_equal(desk_ask_request(&desk, &request), 413);
    assert_non_null(strstr(desk_text(&desk, "error"), "larger than the limit of 65536 bytes"));
    free(large);
    /* Bytes that are no text come back as a message all the same. */
    assert_int_equal(desk_ask(&desk, "POST", "/api/sessions", "{\"game\": \"\xff\xfe\"}"), 400);
    assert_int_equal(desk_ask(&desk, "POST", "/api/sessions", "{\"game\": \"tic\\u0000tac\"}"), 400);
    desk_close(&desk);
}

static void test_what_there_is(void **state)
{
    (void)state;
    Desk desk;
    desk_open(&desk, "about", NULL);
    assert_int_equal(desk_ask(&desk, "GET", "/api/about", NULL), 200);
    assert_string_equal(desk_text(&desk, "version"), KNACK_VERSION);
    assert_int_equal(desk_number(&desk, "limits/move_seconds"), 10);
    assert_int_equal(desk_ask(&desk, "HEAD", "/api/about", NULL), 200);
    assert_int_equal(desk_ask(&desk, "GET", "/api/games", NULL), 200);
    assert_true(json_array_size(desk.json) >= 9);
    assert_int_equal(desk_ask(&desk, "GET", "/api/players?game=go(size=5)", NULL), 200);
    bool seen = false;
    for (size_t i = 0; i < json_array_size(desk.json); i++) {
        const json_t *row = json_array_get(desk.json, i);
        if (strcmp(json_string_value(json_object_get(row, "name")), "perfect") != 0) continue;
        seen = true;
        assert_true(json_is_false(json_object_get(row, "runs")));
        assert_non_null(json_string_value(json_object_get(row, "missing")));
    }
    assert_true(seen);
    desk_close(&desk);
}

/* The levels of a game: five, each of which plays it. */
static void check_levels(Desk *desk, const KnGame *game, const char *spec)
{
    char path[128];
    KnError error;
    snprintf(path, sizeof path, "/api/levels?game=%s", spec);
    assert_int_equal(desk_ask(desk, "GET", path, NULL), 200);
    if (json_array_size(desk->json) != 5) fail_msg("%s has %zu levels", spec, json_array_size(desk->json));
    for (size_t i = 0; i < 5; i++) {
        const json_t *row = json_array_get(desk->json, i);
        const char *level = json_string_value(json_object_get(row, "spec"));
        KnPlayer *player;
        assert_true(json_is_string(json_object_get(row, "id")) &&
                    json_is_string(json_object_get(row, "title")) &&
                    json_is_string(json_object_get(row, "measured")));
        check_ok(error, kn_guard_player(desk->context, game, level, &error));
        check_ok(error, kn_player_open(desk->context, game, level, &player, &error));
        kn_player_close(player);
    }
}

/* Strength is told of the board on which it was measured, not of others of the same game. */
static void check_measured(Desk *desk)
{
    assert_int_equal(desk_ask(desk, "GET", "/api/levels?game=checkers", NULL), 200);
    assert_true(json_is_integer(json_object_get(json_array_get(desk->json, 0), "elo")));
    for (const char *const *spec = (const char *const[]){"checkers(draw=40)", "go(size=19)", NULL}; *spec;
         spec++) {
        char path[64];
        snprintf(path, sizeof path, "/api/levels?game=%s", *spec);
        assert_int_equal(desk_ask(desk, "GET", path, NULL), 200);
        const json_t *row = json_array_get(desk->json, 0);
        assert_null(json_object_get(row, "elo"));
        assert_string_equal(json_string_value(json_object_get(row, "measured")),
                            "not measured on this board");
    }
}

/* Every game has levels, and its variants too; every opening can be played. */
static void test_levels_and_openings(void **state)
{
    (void)state;
    static const char *const variants[] = {"othello(size=6)",   "othello(size=4)", "morris(men=9)",
                                           "checkers(draw=40)", "gdl:connectfour", "gdl:eightpuzzle",
                                           "go(size=5)",        "gdl:roshambo"};
    enum { VARIANTS = sizeof variants / sizeof *variants };
    Desk desk;
    desk_open(&desk, "levels", NULL);
    check_measured(&desk);
    size_t games = kn_registered(desk.context, KN_KIND_GAME);
    for (size_t g = 0; g < games + VARIANTS; g++) {
        const char *name = g < games ? kn_registered_at(desk.context, KN_KIND_GAME, g)->name
                                     : variants[g - games];
        if (strcmp(name, "gdl") == 0 || strcmp(name, "pipe") == 0) continue;
        char path[128];
        KnError error;
        KnGame *game;
        check_ok(error, kn_game_open(desk.context, name, &game, &error));
        check_levels(&desk, game, name);
        snprintf(path, sizeof path, "/api/openings?game=%s", g < games ? name : "tictactoe");
        assert_int_equal(desk_ask(&desk, "GET", path, NULL), 200);
        KnState *game_state = kn_state_new(game);
        for (size_t i = 0; g < games && i < json_array_size(desk.json); i++) {
            const json_t *row = json_array_get(desk.json, i);
            kn_state_reset(game_state, NULL);
            check_ok(error, kn_replay(game_state, json_string_value(json_object_get(row, "moves")), &error));
            assert_true(kn_state_plies(game_state) > 0 && json_is_string(json_object_get(row, "title")));
        }
        kn_state_free(game_state);
        kn_game_close(game);
    }
    desk_close(&desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hosts),         cmocka_unit_test(test_origins),
        cmocka_unit_test(test_bad_requests),  cmocka_unit_test(test_first_page),
        cmocka_unit_test(test_page_as_left),  cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_what_there_is), cmocka_unit_test(test_levels_and_openings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
