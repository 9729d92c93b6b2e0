/* Games over the API, without sockets: each call's dialogue, and what it says to what is wrong. */
#include "support/check.h"
#include "support/desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/workbench.h"

static const char *path_to(const char *id, const char *what)
{
    static char path[256];
    snprintf(path, sizeof path, "/api/sessions/%.40s%.200s", id, what);
    return path;
}

static void test_person_against_engine(void **state)
{
    (void)state;
    Desk desk;
    char id[32];
    desk_open(&desk, "person", NULL);
    desk_session(
        &desk, "{\"game\": \"checkers\", \"seats\": [\"human\", \"alphabeta( depth=3 )\"], \"seed\": 7}", id);
    assert_string_equal(desk_text(&desk, "seats/0/kind"), "human");
    assert_string_equal(desk_text(&desk, "seats/1/spec"), "alphabeta(depth=3)");
    assert_string_equal(desk_text(&desk, "game/board/kind"), "grid");
    assert_int_equal(json_array_size(desk_at(&desk, "game/board/cells")), 32);
    assert_int_equal(json_array_size(desk_at(&desk, "legal")), 7);
    assert_int_equal(desk_number(&desk, "movers/0"), 0);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/move"), "{\"ply\": 0, \"move\": \"11-15\"}"), 200);
    assert_string_equal(desk_text(&desk, "history/0/text"), "11-15");
    assert_int_equal(desk_number(&desk, "history/0/path/0"), 10);
    assert_int_equal(desk_number(&desk, "history/0/path/1"), 14);
    desk_wait(&desk, path_to(id, ""), "ply", 2);
    assert_int_equal(desk_number(&desk, "thinking"), 0);
    assert_int_equal(desk_number(&desk, "history/1/role"), 1);
    assert_true(json_is_number(desk_at(&desk, "scores/1")));
    assert_true(json_is_null(desk_at(&desk, "scores/0")));
    /* The same move again, its answer having got lost, is no mistake; another one is. */
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/move"), "{\"ply\": 0, \"move\": \"11-15\"}"), 200);
    assert_int_equal(desk_number(&desk, "ply"), 2);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/move"), "{\"ply\": 0, \"move\": \"9-13\"}"), 409);
    assert_non_null(strstr(desk_text(&desk, "error"), "at ply 2 now"));
    assert_int_equal(
        desk_ask(&desk, "POST", path_to(id, "/move"), "{\"ply\": 2, \"role\": 1, \"move\": \"9-13\"}"), 409);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/move"), "{\"ply\": 2, \"move\": \"1-2\"}"), 422);
    assert_string_equal(desk_text(&desk, "field"), "move");
    /* The past is there to be viewed at. */
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "?ply=1"), NULL), 200);
    assert_int_equal(desk_number(&desk, "ply"), 1);
    assert_int_equal(desk_number(&desk, "now"), 2);
    assert_int_equal(desk_number(&desk, "movers/0"), 1);
    /* Back to the person's last decision, and forth again. */
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/undo"), "{}"), 200);
    assert_int_equal(desk_number(&desk, "ply"), 0);
    assert_int_equal(desk_number(&desk, "plies"), 2);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/undo"), NULL), 409);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/redo"), NULL), 200);
    assert_int_equal(desk_number(&desk, "ply"), 2);
    /* At an engine's ply the game is paused, so that nothing is lost. */
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/undo"), "{\"ply\": 1}"), 200);
    assert_int_equal(desk_number(&desk, "paused"), 1);
    assert_int_equal(desk_number(&desk, "plies"), 2);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/undo"), "{\"ply\": 9}"), 422);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/redo"), NULL), 200);
    /* Sides change: now the engine has the move. */
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/swap"), NULL), 200);
    assert_string_equal(desk_text(&desk, "seats/1/kind"), "human");
    desk_wait(&desk, path_to(id, ""), "ply", 3);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/resign"), NULL), 200);
    assert_int_equal(desk_number(&desk, "over"), 1);
    assert_string_equal(desk_text(&desk, "result/text"), "white resigns. black wins.");
    assert_string_equal(desk_text(&desk, "result/ending"), "resigned");
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/move"), "{\"ply\": 3, \"move\": \"9-13\"}"), 409);
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/export"), NULL), 200);
    assert_non_null(strstr(desk.text, "[Result \"1-0\"]"));
    assert_non_null(strstr(desk.text, "1. 11-15"));
    desk_close(&desk);
}

static void test_set_up_and_seats(void **state)
{
    (void)state;
    Desk desk;
    char id[32];
    desk_open(&desk, "setup", NULL);
    desk_session(&desk, "{\"game\": \"tictactoe\"}", id);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/setup"), "{\"position\": \"nonsense\"}"), 422);
    assert_string_equal(desk_text(&desk, "field"), "position");
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/move"), "{\"ply\": 0, \"move\": \"b2\"}"), 200);
    char position[64], body[128];
    snprintf(position, sizeof position, "%s", desk_text(&desk, "position"));
    snprintf(body, sizeof body, "{\"position\": \"%s\"}", position);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/setup"), body), 200);
    assert_int_equal(desk_number(&desk, "ply"), 0);
    assert_int_equal(desk_number(&desk, "movers/0"), 1);
    assert_string_equal(desk_text(&desk, "position"), position);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/seat"), "{\"role\": 1, \"spec\": \"perfect\"}"),
                     200);
    desk_wait(&desk, path_to(id, ""), "ply", 1);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/seat"), "{\"role\": 1, \"spec\": \"nobody\"}"),
                     422);
    assert_non_null(strstr(desk_text(&desk, "error"), "unknown player \"nobody\""));
    desk_close(&desk);
}

/* Moves at the same time: nobody sees what another has chosen before all have. */
static void test_simultaneous(void **state)
{
    (void)state;
    Desk desk;
    char id[32];
    desk_open(&desk, "together", NULL);
    desk_session(&desk, "{\"game\": \"dilemma(turns=2)\"}", id);
    assert_int_equal(json_array_size(desk_at(&desk, "movers")), 2);
    assert_int_equal(
        desk_ask(&desk, "POST", path_to(id, "/move"), "{\"ply\": 0, \"role\": 1, \"move\": \"D\"}"), 200);
    assert_int_equal(desk_number(&desk, "ply"), 0);
    assert_int_equal(json_array_size(desk_at(&desk, "movers")), 1);
    assert_null(strstr(desk.text, "\"chosen\""));
    assert_int_equal(
        desk_ask(&desk, "POST", path_to(id, "/move"), "{\"ply\": 0, \"role\": 1, \"move\": \"C\"}"), 409);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/move"), "{\"ply\": 0, \"move\": \"C\"}"), 200);
    assert_string_equal(desk_text(&desk, "history/0/text"), "C|D");
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/seat"), "{\"role\": 1, \"spec\": \"random\"}"),
                     200);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/move"), "{\"ply\": 1, \"move\": \"D\"}"), 200);
    desk_wait(&desk, path_to(id, ""), "over", 1);
    assert_non_null(strstr(desk_text(&desk, "result/text"), "row gets"));
    desk_close(&desk);
}

/* Engines among themselves, with pause and pace. */
static void test_watch(void **state)
{
    (void)state;
    Desk desk;
    char id[32];
    desk_open(&desk, "watch", NULL);
    desk_session(&desk,
                 "{\"game\": \"othello(size=4)\", \"seats\": [\"random\", \"alphabeta(depth=2)\"], \"pace\": "
                 "{\"paused\": true, \"delay\": 0}}",
                 id);
    assert_int_equal(desk_number(&desk, "paused"), 1);
    assert_int_equal(desk_number(&desk, "ply"), 0);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/resign"), NULL), 409);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/pace"), "{\"delay\": 0.01}"), 200);
    assert_int_equal(desk_number(&desk, "paused"), 1); /* nobody said otherwise */
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/pace"), "{\"paused\": false}"), 200);
    desk_wait(&desk, path_to(id, ""), "over", 1);
    assert_true(desk_number(&desk, "plies") >= 8);
    long plies = desk_number(&desk, "plies");
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/undo"), NULL), 200);
    assert_int_equal(desk_number(&desk, "ply"), plies - 1);
    assert_int_equal(desk_number(&desk, "paused"), 1);
    desk_close(&desk);
}

static void test_asking(void **state)
{
    (void)state;
    Desk desk;
    char id[32];
    desk_open(&desk, "asking", NULL);
    desk_session(&desk,
                 "{\"game\": \"tictactoe\", \"moves\": \"a1 b1 b2\", \"seats\": [\"human\", "
                 "\"alphabeta(depth=9)\"], \"pace\": {\"paused\": true}}",
                 id);
    /* x threatens on the diagonal; o must answer at c3 and still loses. */
    assert_int_equal(
        desk_ask(&desk, "POST", path_to(id, "/hint"), "{\"ply\": 3, \"spec\": \"alphabeta(depth=2)\"}"), 200);
    assert_string_equal(desk_text(&desk, "move"), "c3");
    assert_int_equal(desk_number(&desk, "role"), 1);
    assert_true(desk_number(&desk, "path/0") >= 0);
    assert_string_equal(desk_text(&desk, "reason/kind"), "text");
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/hint"), "{\"ply\": 2}"), 409);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/hint"), "{\"spec\": \"gtp(x)\"}"), 422);
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/values"), NULL), 200);
    assert_int_equal(json_object_size(desk_at(&desk, "values")), 6);
    assert_non_null(strstr(desk_text(&desk, "values/a2/text"), "loses in 2"));
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/pace"), "{\"paused\": false}"), 200);
    desk_wait(&desk, path_to(id, ""), "ply", 4);
    char played[8];
    snprintf(played, sizeof played, "%s", desk_text(&desk, "history/3/text"));
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/why?ply=3"), NULL), 200);
    assert_string_equal(desk_text(&desk, "move"), played);
    assert_string_equal(desk_text(&desk, "chosen"), played);
    assert_int_equal(desk_number(&desk, "same"), 1);
    assert_string_equal(desk_text(&desk, "by"), "alphabeta(depth=9)");
    assert_non_null(desk_at(&desk, "reason/children/0"));
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/why?ply=0"), NULL),
                     200); /* a person's: by the adviser */
    assert_string_equal(desk_text(&desk, "move"), "a1");
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/why?ply=44"), NULL), 422);
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/why?ply=x"), NULL), 400);
    desk_close(&desk);
}

/* A person's move is judged, and the judge stands by its hint. */
static void test_verdicts(void **state)
{
    (void)state;
    Desk desk;
    char id[32], hinted[16];
    desk_open(&desk, "verdicts", NULL);
    desk_session(&desk,
                 "{\"game\": \"checkers\", \"position\": \"B:W22,32,31:B14,1,2\", \"seats\": [\"human\", "
                 "\"alphabeta(depth=2)\"]}",
                 id);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/hint"), "{\"ply\": 0}"), 200);
    snprintf(hinted, sizeof hinted, "%s", desk_text(&desk, "move"));
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/move"), "{\"ply\": 0, \"move\": \"14-18\"}"), 200);
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/why?ply=0"), NULL), 200);
    const char *verdict = desk_text(&desk, "verdict");
    assert_true(strcmp(verdict, "mistake") == 0 || strcmp(verdict, "blunder") == 0);
    assert_string_equal(desk_text(&desk, "chosen"), hinted);
    assert_string_equal(desk_text(&desk, "move"), "14-18");
    assert_non_null(strstr(desk_text(&desk, "reason/text"), "it costs "));
    assert_non_null(strstr(desk_text(&desk, "reason/text"), "Better: "));
    assert_int_equal(strncmp(desk_text(&desk, "because"), "14-18 ", 6), 0);
    desk_close(&desk);
}

/* How a game ended, with its count: the winner's number first, and men for people, not their worth. */
static void test_counts(void **state)
{
    (void)state;
    static const struct {
        const char *game, *position, *moves, *text;
    } rows[] = {
        {"othello(size=4)", "OOOOOOOOXOOOOXX. O", "d4", "white wins, 15 to 1."},
        {"othello(size=4)", "XXXXXXXXOOOOOXX. O", "d4", "A draw, 8 to 8."},
        {"checkers", "B:W22:BK18,1", "18x25", "black wins with a man and a king left."},
        {"morris(men=9)", "WW....B.......W..BB..W.. W", "g4-g7xc5", "white wins with 4 men left."},
        {"go(size=5)", "", "C3 D3 pass pass", "white wins by 7.5 points."},
        {"tictactoe", "", "b2 a1 c2 a2 c3 a3", "o wins."},
        {"gdl:connectfour", "",
         "(drop 1)|wait wait|(drop 2) (drop 1)|wait wait|(drop 2) (drop 1)|wait wait|(drop 2) (drop 1)|wait",
         "red wins."},
    };
    Desk desk;
    char id[32], body[400];
    desk_open(&desk, "counts", NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(body, sizeof body,
                 "{\"game\": \"%s\", \"position\": \"%s\", \"moves\": \"%s\", \"seats\": [\"human\", "
                 "\"human\"]}",
                 rows[i].game, rows[i].position, rows[i].moves);
        desk_session(&desk, body, id);
        assert_int_equal(desk_ask(&desk, "GET", path_to(id, ""), NULL), 200);
        assert_string_equal(desk_text(&desk, "result/text"), rows[i].text);
    }
    desk_close(&desk);
}

/* The review finds the move that lost, and says what was better; a deleted game is gone. */
static void test_review(void **state)
{
    (void)state;
    Desk desk;
    char id[32];
    desk_open(&desk, "review", NULL);
    /* x leaves o a win at c1, and o does not take it. */
    desk_session(&desk, "{\"game\": \"tictactoe\", \"moves\": \"b2 a1 c3 b1 a3 a2 c1\"}", id);
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, ""), NULL), 200);
    assert_int_equal(desk_number(&desk, "over"), 1);
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/review"), NULL), 200);
    assert_int_equal(json_array_size(desk_at(&desk, "moves")), 7);
    assert_true(json_array_size(desk_at(&desk, "turning")) >= 1);
    size_t losing = (size_t)desk_number(&desk, "turning/0");
    assert_true(losing == 4 || losing == 5);
    assert_true(json_array_size(desk_at(&desk, "moments")) >= 1);
    assert_non_null(strstr(desk_text(&desk, "moments/0/reason/text"), "Better: "));
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/delete"), NULL), 200);
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, ""), NULL), 404);
    desk_session(&desk, "{\"game\": \"tictactoe\"}", id);
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/review"), NULL), 409);
    desk_session(&desk, "{\"game\": \"dilemma\"}", id);
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/review"), NULL), 409);
    /* The pass that ends a won game has a score too. */
    desk_session(&desk, "{\"game\": \"go(size=5)\", \"moves\": \"C3 D3 C2 D2 pass pass\"}", id);
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/review"), NULL), 200);
    assert_int_equal(json_array_size(desk_at(&desk, "moves")), 6);
    desk_close(&desk);
}

/* The count of a game of Go: a lone stone in the other side's territory is dead. */
static void test_territory(void **state)
{
    (void)state;
    Desk desk;
    char id[32];
    desk_open(&desk, "territory", NULL);
    desk_session(&desk,
                 "{\"game\": \"go(7, komi=0.5)\", \"position\": "
                 "\"...xo../...xo../.o.xo../...xo../...xo../.x.xo../...xo.. b\"}",
                 id);
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/territory"), NULL), 200);
    assert_int_equal(json_array_size(desk_at(&desk, "dead")), 1);
    assert_int_equal(desk_number(&desk, "dead/0"), 2 * 7 + 1);
    assert_int_equal(desk_number(&desk, "area/0"), 28);
    assert_string_equal(desk_text(&desk, "text"), "Black is ahead by 6.5 points.");
    assert_int_equal(strncmp(desk_text(&desk, "owners"), "xxxxooo", 7), 0);
    desk_session(&desk, "{\"game\": \"tictactoe\"}", id);
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/territory"), NULL), 409);
    desk_close(&desk);
}

/* Who made a move says why, whoever has the seat now, and after a restart too. */
static void test_who_sat(void **state)
{
    (void)state;
    Desk desk;
    char id[32];
    desk_open(&desk, "sat", NULL);
    desk_session(&desk, "{\"game\": \"tictactoe\", \"seats\": [\"human\", \"alphabeta(depth=9)\"]}", id);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/move"), "{\"ply\": 0, \"move\": \"a1\"}"), 200);
    desk_wait(&desk, path_to(id, ""), "ply", 2);
    assert_string_equal(desk_text(&desk, "history/0/by"), "human");
    assert_string_equal(desk_text(&desk, "history/1/by"), "alphabeta(depth=9)");
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/seat"), "{\"role\": 1, \"spec\": \"random\"}"),
                     200);
    assert_string_equal(desk_text(&desk, "history/1/by"), "alphabeta(depth=9)");
    for (int again = 0; again < 2; again++) {
        assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/why?ply=1"), NULL), 200);
        assert_string_equal(desk_text(&desk, "by"), "alphabeta(depth=9)");
        assert_int_equal(desk_number(&desk, "same"), 1);
        desk_close(&desk);
        desk_open(&desk, "sat", NULL);
    }
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/swap"), "{}"),
                     200); /* the person has o, the engine moves */
    desk_wait(&desk, path_to(id, ""), "ply", 3);
    assert_string_equal(desk_text(&desk, "history/0/by"), "human");
    assert_string_equal(desk_text(&desk, "history/2/by"), "random");
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/why?ply=0"), NULL), 200);
    assert_string_not_equal(desk_text(&desk, "by"),
                            "random"); /* the person's move is the adviser's to judge */
    desk_session(&desk, "{\"game\": \"dilemma\", \"seats\": [\"human\", \"random\"], \"moves\": \"C|D\"}",
                 id);
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, ""), NULL), 200);
    assert_string_equal(desk_text(&desk, "history/0/by/1"), "random");
    desk_close(&desk);
}

static KnStatus break_down(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)player, (void)request, (void)answer;
    return kn_fail(error, KN_SYSTEM, "the engine went away");
}

static const KnPlayerType broken = {.head = {"broken", "never moves", NULL}, .choose = break_down};

/* An engine that fails says so, and the game goes on with another. */
static void test_trouble(void **state)
{
    (void)state;
    Desk desk;
    char id[32];
    KnError error;
    desk_open(&desk, "trouble", NULL);
    check_ok(error, kn_register(desk.context, KN_KIND_PLAYER, &broken.head, &error));
    desk_session(&desk, "{\"game\": \"tictactoe\", \"seats\": [\"broken\", \"human\"]}", id);
    desk_wait(&desk, path_to(id, ""), "thinking", 0);
    assert_string_equal(desk_text(&desk, "trouble"), "broken did not move: the engine went away");
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/seat"), "{\"role\": 0, \"spec\": \"cheat\"}"),
                     200);
    assert_null(desk_at(&desk, "trouble"));
    desk_wait(&desk, path_to(id, ""), "ply", 1);
    desk_close(&desk);
}

static void test_import(void **state)
{
    (void)state;
    Desk desk;
    desk_open(&desk, "import", NULL);
    assert_int_equal(desk_ask(&desk, "POST", "/api/sessions/import",
                              "{\"text\": \"[GameType \\\"21\\\"]\\n1. 11-15 22-18 2. 15x22 *\"}"),
                     201);
    assert_int_equal(desk_number(&desk, "ply"), 3);
    assert_string_equal(desk_text(&desk, "game/name"), "checkers");
    assert_int_equal(desk_ask(&desk, "POST", "/api/sessions/import", "{\"text\": \"1. 11-15 22-19 *\"}"),
                     422);
    assert_non_null(strstr(desk_text(&desk, "error"), "move 2"));
    assert_string_equal(desk_text(&desk, "field"), "moves");
    assert_int_equal(desk_ask(&desk, "POST", "/api/sessions/import", "{\"text\": \"what is this\"}"), 422);
    assert_int_equal(desk_ask(&desk, "POST", "/api/sessions/import", "{}"), 400);
    static const char nim[] = "(role a) (init (left 2)) (legal a take) (<= (next (left 1)) (true (left 2))) "
                              "(<= (next (left 0)) (true (left 1)))"
                              "(<= terminal (true (left 0))) (goal a 100)";
    char body[1024];
    snprintf(body, sizeof body, "{\"kif\": \"%s\"}", nim);
    assert_int_equal(desk_ask(&desk, "POST", "/api/sessions/import", body), 201);
    assert_int_equal(strncmp(desk_text(&desk, "game/spec"), "gdl:", 4), 0);
    assert_string_equal(desk_text(&desk, "game/board/kind"), "facts");
    assert_int_equal(desk_number(&desk, "over"), 1); /* nobody had a choice */
    assert_int_equal(
        desk_ask(&desk, "POST", "/api/sessions/import", "{\"name\": \"x.kif\", \"text\": \"(role a\"}"), 422);
    assert_string_equal(desk_text(&desk, "error"), "the upload:1:1: this ( is never closed");
    /* A description that travels inside the program has a name; nothing else does. */
    assert_int_equal(desk_ask(&desk, "POST", "/api/sessions", "{\"game\": \"gdl:connectfour\"}"), 201);
    assert_string_equal(desk_text(&desk, "game/spec"), "gdl:connectfour");
    assert_int_equal(desk_ask(&desk, "POST", "/api/sessions", "{\"game\": \"gdl:../gdl/connectfour\"}"), 422);
    assert_int_equal(desk_ask(&desk, "POST", "/api/sessions", "{\"game\": \"gdl:nowhere\"}"), 422);
    desk_close(&desk);
}

/* Everything is there again after a restart: a waiting choice, what was to redo, the seats, the seed. */
static void test_restart(void **state)
{
    (void)state;
    Desk desk;
    char id[32], dilemma[32];
    desk_open(&desk, "restart", NULL);
    desk_session(&desk, "{\"game\": \"morris\", \"seats\": [\"human\", \"random\"], \"seed\": 5}", id);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/move"), "{\"ply\": 0, \"move\": \"1\"}"), 200);
    desk_wait(&desk, path_to(id, ""), "ply", 2);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/undo"), NULL), 200);
    char *before = json_dumps(desk.json, JSON_SORT_KEYS);
    desk_session(&desk, "{\"game\": \"dilemma(turns=2)\"}", dilemma);
    assert_int_equal(
        desk_ask(&desk, "POST", path_to(dilemma, "/move"), "{\"ply\": 0, \"role\": 1, \"move\": \"D\"}"),
        200);
    desk_close(&desk);

    desk_open(&desk, "restart", NULL);
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, ""), NULL), 200);
    char *after = json_dumps(desk.json, JSON_SORT_KEYS);
    assert_string_equal(before, after);
    free(before);
    free(after);
    assert_int_equal(desk_ask(&desk, "POST", path_to(dilemma, "/move"), "{\"ply\": 0, \"move\": \"C\"}"),
                     200);
    assert_string_equal(desk_text(&desk, "history/0/text"), "C|D");
    assert_int_equal(desk_ask(&desk, "GET", path_to("aaaaaaaaaaaaa", ""), NULL), 404);
    desk_close(&desk);
}

/* More games than there is room for: those that nobody uses leave memory and come back. */
static void test_eviction(void **state)
{
    (void)state;
    Desk desk;
    char ids[6][32];
    desk_open(&desk, "eviction", &(KnWebOptions){.engines = 1, .games = 2});
    for (int i = 0; i < 6; i++) desk_session(&desk, "{\"game\": \"tictactoe\", \"moves\": \"b2\"}", ids[i]);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(desk_ask(&desk, "GET", path_to(ids[i], ""), NULL), 200);
        assert_string_equal(desk_text(&desk, "history/0/text"), "b2");
    }
    assert_int_equal(desk_ask(&desk, "GET", "/api/about", NULL), 200);
    assert_int_equal(desk_number(&desk, "now/sessions"), 2);
    desk_close(&desk);
}

/* A client lists the games whose ids it has. */
static void test_list(void **state)
{
    (void)state;
    Desk desk;
    char one[32], other[32], path[128];
    desk_open(&desk, "list", NULL);
    desk_session(&desk, "{\"game\": \"tictactoe\", \"moves\": \"b2 a1\"}", one);
    desk_session(&desk, "{\"game\": \"tictactoe\", \"moves\": \"b2 a1 b1 a2 b3\"}", other);
    snprintf(path, sizeof path, "/api/sessions?ids=%s,nothing,%s", one, other);
    assert_int_equal(desk_ask(&desk, "GET", path, NULL), 200);
    assert_int_equal(json_array_size(desk.json), 2);
    assert_string_equal(desk_text(&desk, "0/id"), one);
    assert_int_equal(desk_number(&desk, "0/plies"), 2);
    assert_string_equal(desk_text(&desk, "1/result"), "x wins.");
    assert_int_equal(desk_ask(&desk, "GET", "/api/sessions", NULL), 400);
    desk_close(&desk);
}

/* A hint, the same hint again, and what the adviser says after the move: one answer for the position. */
static void test_one_answer(void **state)
{
    (void)state;
    Desk desk;
    char id[32];
    desk_open(&desk, "advice", &(KnWebOptions){.engines = 2, .move_seconds = 0.3});
    desk_session(&desk, "{\"game\": \"checkers\"}", id);
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/hint"), "{}"), 200);
    char first[32];
    snprintf(first, sizeof first, "%s", desk_text(&desk, "move"));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/hint"), "{}"), 200);
        assert_string_equal(desk_text(&desk, "move"), first);
    }
    assert_int_equal(desk_ask(&desk, "POST", path_to(id, "/move"), "{\"ply\": 0, \"move\": \"9-13\"}"), 200);
    assert_int_equal(desk_ask(&desk, "GET", path_to(id, "/why?ply=0"), NULL), 200);
    assert_string_equal(desk_text(&desk, "chosen"), first);
    desk_close(&desk);
}

/* Same seed, same game: engines draw from the game's seed alone. */
static void test_seed(void **state)
{
    (void)state;
    Desk desk;
    char id[2][32], *games[2];
    desk_open(&desk, "seed", NULL);
    for (int i = 0; i < 2; i++) {
        desk_session(&desk,
                     "{\"game\": \"othello(size=6)\", \"seats\": [\"random\", \"random\"], \"seed\": 11, "
                     "\"pace\": {\"delay\": 0}}",
                     id[i]);
        desk_wait(&desk, path_to(id[i], ""), "over", 1);
        games[i] = json_dumps(desk_at(&desk, "history"), JSON_SORT_KEYS);
    }
    assert_string_equal(games[0], games[1]);
    free(games[0]);
    free(games[1]);
    desk_close(&desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_person_against_engine),
        cmocka_unit_test(test_set_up_and_seats),
        cmocka_unit_test(test_simultaneous),
        cmocka_unit_test(test_watch),
        cmocka_unit_test(test_asking),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_review),
        cmocka_unit_test(test_territory),
        cmocka_unit_test(test_trouble),
        cmocka_unit_test(test_import),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_eviction),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_one_answer),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_who_sat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
