/* Small parts of the server by tables of cases: words for scores, players that are let go, places for
 * connections. */
#include "support/check.h"
#include "support/desk.h"
#include "support/workbench.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "web/connections.h"
#include "web/player_cache.h"
#include "web/session.h"

/* Men in hundredths, payoffs within the heuristic range, proofs; and the chance where a score stands for one.
 */
static void test_scores(void **state)
{
    (void)state;
    static const struct {
        KnScore score;
        bool payoffs;
        double log_odds;
        double men;
        const char *text;
        double chance; /* -1: none */
    } cases[] = {
        {150, false, 0, 1.5, "+1.50", -1},
        {-25, false, 0, -0.25, "-0.25", -1},
        {0, false, 0, 0, "even", -1},
        {KN_SCORE_PROVEN, false, 0, 999, NULL, -1},
        {-KN_SCORE_PROVEN, false, 0, -999, NULL, -1},
        {0, true, 0, 0, "50 % of the points", 0.5},
        {KN_SCORE_PAYOFF, true, 0, 100, "100 % of the points", 1},
        {-KN_SCORE_PAYOFF, true, 0, -100, "0 % of the points", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *json = kn_score_json(cases[i].score, cases[i].payoffs, cases[i].log_odds);
        const char *text = json_string_value(json_object_get(json, "text"));
        const json_t *chance = json_object_get(json, "chance");
        if (json_number_value(json_object_get(json, "score")) != cases[i].men ||
            (cases[i].text && strcmp(text, cases[i].text) != 0) ||
            (chance != NULL) != (cases[i].chance >= 0) ||
            (chance && json_number_value(chance) != cases[i].chance))
            fail_msg("case %zu: %s", i, json_dumps(json, 0));
        json_decref(json);
    }
}

static int open_players;

static KnStatus open_counted(KnPlayer *player, const KnOptions *options, KnError *error)
{
    (void)player, (void)options, (void)error;
    open_players++;
    return KN_OK;
}

static void close_counted(KnPlayer *player)
{
    (void)player;
    open_players--;
}

/* The cache keeps a few idle players; one too many is closed, and all are in the end. */
static void test_idle_players(void **state)
{
    (void)state;
    enum { MANY = 20, FEW = 6 };
    static const KnPlayerType counted = {
        .head = {"counted", "counts its openings", NULL}, .open = open_counted, .close = close_counted};
    KnError error;
    KnContext *context = test_workbench("idle");
    check_ok(error, kn_register(context, KN_KIND_PLAYER, &counted.head, &error));
    KnPlayerCache *cache = kn_player_cache_new(context);
    KnCachedGame *game[MANY];
    KnPlayer *player[MANY];
    for (int i = 0; i < MANY; i++) {
        check_ok(error, kn_player_cache_game(cache, "tictactoe", &game[i], &error));
        check_ok(error, kn_player_cache_acquire(cache, game[i], "counted", &player[i], &error));
    }
    assert_int_equal(open_players, MANY);
    for (int i = 0; i < MANY; i++) {
        kn_player_cache_release(cache, game[i], player[i]);
        kn_player_cache_release_game(cache, game[i]);
        int left = MANY - 1 - i;
        assert_int_equal(open_players, left + (i + 1 < FEW ? i + 1 : FEW));
    }
    kn_player_cache_free(cache);
    assert_int_equal(open_players, 0);
    kn_close(context);
}

/* Whether the other end was shut. */
static bool is_shut(int peer)
{
    char byte;
    return recv(peer, &byte, 1, MSG_DONTWAIT) == 0;
}

/* A connection that was shut for another gives its place back, once. */
static void test_places(void **state)
{
    (void)state;
    enum { MOST = 2, ROUNDS = 5 };
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0a000001)};
    KnConnections *all = kn_connections_new(MOST);
    for (int round = 0; round < ROUNDS; round++) {
        int pair[4][2];
        KnConnection *open[4];
        for (int i = 0; i < 4; i++) assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair[i]), 0);
        for (int i = 0; i < 3; i++)
            open[i] = kn_connection_open(all, pair[i][0], (const struct sockaddr *)&address);
        assert_true(is_shut(pair[0][1]) && !is_shut(pair[1][1]) && !is_shut(pair[2][1]));
        kn_connection_close(open[0]);
        kn_connection_close(open[1]);
        open[3] = kn_connection_open(all, pair[3][0], (const struct sockaddr *)&address);
        assert_false(is_shut(pair[2][1])); /* there is room for both */
        assert_int_equal(kn_connection_begin(open[3]), KN_ADMITTED);
        kn_connection_end(open[3]);
        kn_connection_close(open[2]);
        kn_connection_close(open[3]);
        for (int i = 0; i < 4; i++) close(pair[i][0]), close(pair[i][1]);
    }
    kn_connections_free(all);
}

/* What the page is told of games and players: every option of their tables, and no more. */
static void test_options(void **state)
{
    (void)state;
    static const struct {
        KnKind kind;
        const char *path;
    } lists[] = {{KN_KIND_GAME, "/api/games"}, {KN_KIND_PLAYER, "/api/players?game=tictactoe"}};
    Desk desk;
    desk_open(&desk, "options", NULL);
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        size_t i, told = 0;
        json_t *row;
        assert_int_equal(desk_ask(&desk, "GET", lists[l].path, NULL), 200);
        json_array_foreach(desk.json, i, row)
        {
            const KnThing *thing = kn_find(desk.context, lists[l].kind,
                                           json_string_value(json_object_get(row, "name")));
            size_t count = 0;
            if (!thing) continue;
            while (thing->options && thing->options[count].name) count++;
            assert_int_equal(json_array_size(json_object_get(row, "options")), count);
            told++;
        }
        assert_true(told > 5);
    }
    desk_close(&desk);
}

/* A refusal says which part of the request is to blame. */
static void test_blame(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{\"game\": \"nosuchgame\"}", "game"},
        {"{\"game\": \"tictactoe\", \"seats\": [\"nosuchplayer\", \"human\"]}", "seats"},
        {"{\"game\": \"tictactoe\", \"seed\": -1}", "seed"},
    };
    Desk desk;
    desk_open(&desk, "blame", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(desk_ask(&desk, "POST", "/api/sessions", cases[i][0]) >= 400);
        assert_string_equal(desk_text(&desk, "field"), cases[i][1]);
    }
    desk_close(&desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scores), cmocka_unit_test(test_idle_players),
                                       cmocka_unit_test(test_places), cmocka_unit_test(test_options),
                                       cmocka_unit_test(test_blame)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
