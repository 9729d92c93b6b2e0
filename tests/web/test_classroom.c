/* Seats with owners, and classrooms: who may do what, and what is said to who may not. */
#include "support/check.h"
#include "support/desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Room {
    char code[8], teacher[32], keys[4][32];
} Room;

static int ask(Desk *desk, const Room *room, const char *what, const char *format, const char *key,
               const char *more)
{
    char path[256], body[512];
    snprintf(path, sizeof path, "/api/rooms/%s%s", room->code, what);
    snprintf(body, sizeof body, format, key, more);
    return desk_ask(desk, "POST", path, body);
}

static void open_room(Desk *desk, Room *room, const char *game, int members)
{
    char body[200];
    snprintf(body, sizeof body, "{\"game\": \"%s\", \"title\": \"5b\"}", game);
    assert_int_equal(desk_ask(desk, "POST", "/api/rooms", body), 201);
    snprintf(room->code, sizeof room->code, "%s", desk_text(desk, "code"));
    snprintf(room->teacher, sizeof room->teacher, "%s", desk_text(desk, "key"));
    assert_int_equal(strlen(room->code), 5);
    static const char *const names[] = {"Ada", "Ben", "C\xc3\xa9line", "Dan"};
    for (int i = 0; i < members; i++) {
        assert_int_equal(ask(desk, room, "/join", "{\"name\": \"%s\"%s}", names[i], ""), 200);
        snprintf(room->keys[i], sizeof room->keys[i], "%s", desk_text(desk, "key"));
        assert_string_equal(desk_text(desk, "you/name"), names[i]);
    }
}

static int move(Desk *desk, const char *board, int ply, const char *text, const char *key)
{
    char path[256], body[256];
    snprintf(path, sizeof path, "/api/sessions/%s/move", board);
    snprintf(body, sizeof body, "{\"ply\": %d, \"move\": \"%s\"%s%s%s}", ply, text,
             key ? ", \"key\": \"" : "", key ? key : "", key ? "\"" : "");
    return desk_ask(desk, "POST", path, body);
}

static void test_nobody_moves_for_another(void **state)
{
    (void)state;
    Desk desk;
    Room room;
    char board[32], path[256], body[128];
    desk_open(&desk, "owners", NULL);
    open_room(&desk, &room, "tictactoe", 3);
    assert_int_equal(ask(&desk, &room, "/board", "{\"key\": \"%s\"%s}", room.keys[0], ""), 200);
    snprintf(board, sizeof board, "%s", desk_text(&desk, "board"));
    assert_int_equal(ask(&desk, &room, "/sit", "{\"key\": \"%s\", \"board\": \"%s\"}", room.keys[1], board),
                     200);
    assert_int_equal(ask(&desk, &room, "/sit", "{\"key\": \"%s\", \"board\": \"%s\"}", room.keys[2], board),
                     409);
    /* Only Ada moves first: not Ben, not a guest, not the teacher, and no wrong key. */
    assert_int_equal(move(&desk, board, 0, "a1", NULL), 403);
    assert_non_null(strstr(desk_text(&desk, "error"), "link that you were given"));
    assert_int_equal(move(&desk, board, 0, "a1", room.keys[2]), 403);
    assert_int_equal(move(&desk, board, 0, "a1", room.teacher), 403);
    assert_int_equal(move(&desk, board, 0, "a1", "aaaaaaaaaaaaaaaa"), 403);
    assert_int_equal(move(&desk, board, 0, "a1", room.keys[1]), 409); /* Ben's turn comes later */
    assert_int_equal(move(&desk, board, 0, "a1", room.keys[0]), 200);
    assert_string_equal(desk_text(&desk, "seats/0/owner"), "Ada");
    assert_string_equal(desk_text(&desk, "seats/1/owner"), "Ben");
    assert_null(strstr(desk.text, room.keys[0]));
    assert_int_equal(move(&desk, board, 1, "b2", room.keys[0]), 409);
    snprintf(body, sizeof body, "{\"ply\": 1, \"role\": 1, \"move\": \"b2\", \"key\": \"%s\"}", room.keys[0]);
    snprintf(path, sizeof path, "/api/sessions/%s/move", board);
    assert_int_equal(desk_ask(&desk, "POST", path, body), 403);
    assert_int_equal(move(&desk, board, 1, "b2", room.keys[1]), 200);
    /* What is not a move is the teacher's. */
    static const char *const others[] = {"undo", "swap", "delete"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "/api/sessions/%s/%s", board, others[i]);
        snprintf(body, sizeof body, "{\"key\": \"%s\"}", room.keys[0]);
        assert_int_equal(desk_ask(&desk, "POST", path, body), 403);
        assert_int_equal(desk_ask(&desk, "POST", path, NULL), 403);
        snprintf(body, sizeof body, "{\"key\": \"%s\"}", room.teacher);
        assert_int_equal(desk_ask(&desk, "POST", path, body), 200);
    }
    desk_close(&desk);
}

static void test_links_for_each_side(void **state)
{
    (void)state;
    Desk desk;
    char id[32], path[256], first[32], second[32];
    desk_open(&desk, "links", NULL);
    desk_session(&desk, "{\"game\": \"tictactoe\"}", id);
    snprintf(path, sizeof path, "/api/sessions/%s/share", id);
    assert_int_equal(desk_ask(&desk, "POST", path, NULL), 200);
    snprintf(first, sizeof first, "%s", desk_text(&desk, "seats/x"));
    snprintf(second, sizeof second, "%s", desk_text(&desk, "seats/o"));
    assert_string_not_equal(first, second);
    assert_int_equal(desk_ask(&desk, "POST", path, NULL), 409);
    assert_int_equal(move(&desk, id, 0, "a1", NULL), 403);
    assert_int_equal(move(&desk, id, 0, "a1", first), 200);
    assert_int_equal(move(&desk, id, 1, "b1", second), 200);
    /* The owners are still there when the server comes back. */
    desk_close(&desk);
    desk_open(&desk, "links", NULL);
    assert_int_equal(move(&desk, id, 2, "a2", NULL), 403);
    assert_int_equal(move(&desk, id, 2, "a2", first), 200);
    desk_close(&desk);
}

static void test_room(void **state)
{
    (void)state;
    Desk desk;
    Room room;
    char path[256];
    desk_open(&desk, "room", NULL);
    open_room(&desk, &room, "checkers", 4);
    assert_int_equal(ask(&desk, &room, "/join", "{\"name\": \"%s\"%s}", "Ada", ""), 409);
    assert_int_equal(
        ask(&desk, &room, "/board", "{\"key\": \"%s\", \"engine\": \"%s\"}", room.keys[3], "random"), 200);
    assert_int_equal(
        ask(&desk, &room, "/board", "{\"key\": \"%s\", \"engine\": \"%s\"}", room.keys[3], "gtp(x)"), 422);
    assert_int_equal(ask(&desk, &room, "/pair", "{\"key\": \"%s\"%s}", room.keys[0], ""), 403);
    assert_int_equal(ask(&desk, &room, "/pair", "{\"key\": \"%s\"%s}", room.teacher, ""), 200);
    assert_int_equal(desk_number(&desk, "opened"), 1); /* Ada and Ben; Celine waits, Dan plays an engine */
    assert_int_equal(json_array_size(desk_at(&desk, "boards")), 2);
    assert_int_equal(ask(&desk, &room, "/pair", "{\"key\": \"%s\"%s}", room.teacher, ""), 200);
    assert_int_equal(desk_number(&desk, "opened"), 0);
    /* Anybody with the code may look; capitals or not; keys stay secret. */
    snprintf(path, sizeof path, "/api/rooms/%c%s?boards=1", room.code[0] | 0x20, room.code + 1);
    assert_int_equal(desk_ask(&desk, "GET", path, NULL), 200);
    assert_int_equal(json_array_size(desk_at(&desk, "boards/1/cells")), 32);
    assert_string_equal(desk_text(&desk, "boards/1/seats/1/owner"), "Ben");
    for (int i = 0; i < 4; i++) assert_null(strstr(desk.text, room.keys[i]));
    assert_null(strstr(desk.text, room.teacher));
    assert_int_equal(
        ask(&desk, &room, "/dismiss", "{\"key\": \"%s\", \"name\": \"%s\"}", room.keys[0], "Ben"), 403);
    assert_int_equal(
        ask(&desk, &room, "/dismiss", "{\"key\": \"%s\", \"name\": \"%s\"}", room.teacher, "Ben"), 200);
    assert_int_equal(json_array_size(desk_at(&desk, "members")), 3);
    assert_int_equal(ask(&desk, &room, "/close", "{\"key\": \"%s\"%s}", room.keys[0], ""), 403);
    assert_int_equal(ask(&desk, &room, "/close", "{\"key\": \"%s\"%s}", room.teacher, ""), 200);
    assert_int_equal(ask(&desk, &room, "/join", "{\"name\": \"%s\"%s}", "Eve", ""), 404);
    desk_close(&desk);
}

static void test_tournament(void **state)
{
    (void)state;
    Desk desk;
    Room room;
    char path[256];
    desk_open(&desk, "axelrod", NULL);
    open_room(&desk, &room, "dilemma", 2);
    snprintf(path, sizeof path, "/api/rooms/%s/tournament.csv", room.code);
    assert_int_equal(desk_ask(&desk, "GET", path, NULL), 404);
    assert_int_equal(
        ask(&desk, &room, "/tournament", "{\"key\": \"%s\", \"classics\": %s}", room.teacher, "false"), 409);
    assert_int_equal(ask(&desk, &room, "/strategy", "{\"key\": \"%s\", \"first\": 1, \"chances\": %s}",
                         room.keys[0], "[1, 0, 1, 0]"),
                     200);
    assert_int_equal(ask(&desk, &room, "/strategy", "{\"key\": \"%s\", \"first\": 0, \"chances\": %s}",
                         room.keys[1], "[0, 0, 0, 0]"),
                     200);
    assert_int_equal(ask(&desk, &room, "/tournament", "{\"key\": \"%s\"%s}", room.keys[0], ""), 403);
    assert_int_equal(
        ask(&desk, &room, "/tournament", "{\"key\": \"%s\", \"classics\": %s}", room.teacher, "false"), 200);
    /* Tit for tat against defection, over 200 turns: 0 once and then 1 a turn, against 5 once and 1; each
     * with its twin 3 and 1 a turn. */
    assert_string_equal(desk_text(&desk, "tournament/ranking/0/name"), "Ada");
    double ada = json_number_value(desk_at(&desk, "tournament/ranking/0/score")),
           ben = json_number_value(desk_at(&desk, "tournament/ranking/1/score"));
    assert_true(ada > 1.9974 && ada < 1.9976); /* (3 + 199/200) / 2 */
    assert_true(ben > 1.0099 && ben < 1.0101); /* (1 + 204/200) / 2 */
    assert_int_equal(desk_ask(&desk, "GET", path, NULL), 200);
    assert_non_null(strstr(desk.text, "1,Ada,1.9975"));
    assert_int_equal(ask(&desk, &room, "/tournament", "{\"key\": \"%s\"%s}", room.teacher, ""), 200);
    assert_int_equal(json_array_size(desk_at(&desk, "tournament/ranking")), 8);
    /* Two students may have the same idea: both get the same, 3 a turn. */
    assert_int_equal(ask(&desk, &room, "/strategy", "{\"key\": \"%s\", \"first\": 1, \"chances\": %s}",
                         room.keys[1], "[1, 0, 1, 0]"),
                     200);
    assert_int_equal(
        ask(&desk, &room, "/tournament", "{\"key\": \"%s\", \"classics\": %s}", room.teacher, "false"), 200);
    for (int i = 0; i < 2; i++) {
        double same = json_number_value(
            desk_at(&desk, i ? "tournament/ranking/1/score" : "tournament/ranking/0/score"));
        assert_true(same > 2.999 && same <= 3);
    }
    desk_close(&desk);
}

static void test_hostile(void **state)
{
    (void)state;
    Desk desk;
    Room room;
    desk_open(&desk, "hostile", NULL);
    open_room(&desk, &room, "tictactoe", 1);
    static const struct {
        const char *what, *body;
        int status;
    } rows[] = {
        {"/join", "{}", 400},
        {"/join", "{\"name\": \"\"}", 422},
        {"/join", "{\"name\": \"   \"}", 422},
        {"/join", "{\"name\": \"a\\u0001b\"}", 422},
        {"/join", "{\"name\": \"01234567890123456789012345678901234567890\"}", 400},
        {"/join", "{\"name\": [1]}", 400},
        {"/join", "[]", 400},
        {"/board", "{}", 403},
        {"/board", "{\"key\": \"\"}", 403},
        {"/board", "{\"key\": 5}", 400},
        {"/strategy", "{\"key\": \"%s\", \"first\": 2, \"chances\": [0, 0, 0, 0]}", 400},
        {"/strategy", "{\"key\": \"%s\", \"first\": 1, \"chances\": [0, 0, 0]}", 400},
        {"/strategy", "{\"key\": \"%s\", \"first\": 1, \"chances\": [0, 0, 0, 1e9]}", 400},
        {"/strategy", "{\"key\": \"%s\", \"first\": 1, \"chances\": {\"a\": 1}}", 400},
        {"/sit", "{\"key\": \"%s\", \"board\": \"../../etc\"}", 422},
        {"/nothing", "{}", 404},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int status = ask(&desk, &room, rows[i].what, rows[i].body, room.keys[0], "");
        if (status != rows[i].status) fail_msg("%s %s: %d", rows[i].what, rows[i].body, status);
    }
    assert_int_equal(desk_ask(&desk, "GET", "/api/rooms/AB", NULL), 404);
    assert_int_equal(desk_ask(&desk, "GET", "/api/rooms/ABCDEFGH", NULL), 404);
    assert_int_equal(desk_ask(&desk, "GET", "/api/rooms/..%2f..", NULL), 404);
    assert_int_equal(desk_ask(&desk, "POST", "/api/rooms", "{\"game\": \"no such\"}"), 422);
    assert_int_equal(desk_ask(&desk, "POST", "/api/rooms", "{\"game\": \"gdl:lightsout\"}"), 422);
    /* A room fills up, and says so. */
    char body[64];
    for (int i = 1; i < 60; i++) {
        snprintf(body, sizeof body, "{\"name\": \"n%d\"}", i);
        assert_int_equal(ask(&desk, &room, "/join", body, "", ""), 200);
    }
    assert_int_equal(ask(&desk, &room, "/join", "{\"name\": \"one more\"}", "", ""), 429);
    desk_close(&desk);
}

/* A class network: the page is for everybody, answers for who has the key. */
static void test_key_of_the_server(void **state)
{
    (void)state;
    Desk desk;
    desk_open(&desk, "key", &(KnWebOptions){.key = "blueHorse7"});
    static const struct {
        const char *path, *cookie;
        int status;
    } rows[] = {{"/api/about", NULL, 401},
                {"/api/about", "knack-key=blueHorse", 401},
                {"/api/about", "knack-key=blueHorse8", 401},
                {"/api/about", "knack-key=", 401},
                {"/api/about", "a=b; knack-key=blueHorse7", 200},
                {"/", NULL, 200},
                {"/css/page.css", NULL, 200}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnHttpRequest request = {
            .method = "GET", .path = rows[i].path, .host = "127.0.0.1", .cookie = rows[i].cookie};
        assert_int_equal(desk_ask_request(&desk, &request), rows[i].status);
    }
    desk_close(&desk);
    KnContext *context;
    KnWeb *web;
    KnError error;
    assert_int_equal(kn_open("short", &context, &error), KN_OK);
    assert_int_equal(kn_web_open(context, &(KnWebOptions){.key = "short"}, &web, &error), KN_USAGE);
    assert_int_equal(kn_web_open(context, &(KnWebOptions){.key = "with;semicolon"}, &web, &error), KN_USAGE);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nobody_moves_for_another),
        cmocka_unit_test(test_links_for_each_side),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_tournament),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_key_of_the_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
