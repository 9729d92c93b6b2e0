/* What is known of a position without searching: endgame tables and experience bases, as the API tells it. */
#include "support/check.h"
#include "support/desk.h"

#include <stdio.h>
#include <string.h>

#include "arena/play.h"
#include "base/file.h"
#include "methods/experience/base.h"
#include "games/checkers/endgame.h"
#include "games/checkers/endgame_build.h"

static Desk desk;

static void ask_known(const char *game_state, const char *query)
{
    char id[32], path[128];
    desk_session(&desk, game_state, id);
    snprintf(path, sizeof path, "/api/sessions/%s/known%s", id, query);
    if (desk_ask(&desk, "GET", path, NULL) != 200) fail_msg("%s: %s", game_state, desk.text);
}

#define ENDING "{\"game\": \"checkers\", \"position\": \"B:WK1:BK30,K31\"}"

static void test_tables(void **state)
{
    (void)state;
    KnError error;
    ask_known(ENDING, "");
    assert_true(json_is_null(desk_at(&desk, "tables"))); /* none are there yet */
    KnText folder = KN_TEXT_EMPTY;
    kn_endgame_folder(desk.context, NULL, &folder);
    check_ok(error, kn_mkdirs(folder.data, &error));
    KnEndgameBuilt built;
    check_ok(error, kn_endgame_build(&(KnEndgamePlan){.folder = folder.data, .pieces = 3, .jobs = 1}, &built,
                                     &error));
    kn_text_free(&folder);
    ask_known(ENDING, "?ply=0");
    assert_int_equal(desk_number(&desk, "tables/pieces"), 3);
    assert_string_equal(desk_text(&desk, "tables/position/text"), "won");
    assert_int_equal(desk_number(&desk, "tables/position/value"), 1);
    assert_int_equal(json_array_size(desk_at(&desk, "tables/moves")), 4);
    assert_int_equal(json_array_size(desk_at(&desk, "experience")), 0);
    ask_known("{\"game\": \"checkers\"}", ""); /* too many men */
    assert_int_equal(desk_number(&desk, "tables/pieces"), 3);
    assert_null(desk_at(&desk, "tables/position"));
    ask_known("{\"game\": \"othello\"}", "");
    assert_true(json_is_null(desk_at(&desk, "tables")));
}

/* Whoever asks for a position in a damaged block is told so, not answered. */
static void test_damaged_tables(void **state)
{
    (void)state;
    char id[32], path[128];
    KnText folder = KN_TEXT_EMPTY;
    kn_endgame_folder(desk.context, NULL, &folder);
    kn_path_join(&folder, folder.data, "2k-1k.wld");
    FILE *file = fopen(folder.data, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, -1, SEEK_END), 0); /* the end of the last block */
    int last = fgetc(file);
    assert_int_equal(fseek(file, -1, SEEK_END), 0);
    fputc(last ^ 1, file);
    fclose(file);
    kn_text_free(&folder);
    int refused = 0;
    for (int from = 20; from < 32; from++) {
        char game_state[96];
        snprintf(game_state, sizeof game_state, "{\"game\": \"checkers\", \"position\": \"B:WK1:BK%d,K32\"}",
                 from);
        desk_session(&desk, game_state, id);
        snprintf(path, sizeof path, "/api/sessions/%s/known", id);
        if (desk_ask(&desk, "GET", path, NULL) == 200)
            assert_non_null(desk_at(&desk, "tables/position"));
        else
            refused++;
    }
    assert_true(refused > 0);
}

/* Adds a game with what its first player got. */
static void add_game(KnBase *base, const KnGame *game, const char *moves, double outcome)
{
    KnError error;
    KnState *game_state = kn_state_new(game);
    check_ok(error, kn_replay(game_state, moves, &error));
    check_ok(error, kn_base_add(base, game_state, outcome, NULL, NULL, &error));
    kn_state_free(game_state);
}

static void test_base(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    KnBase *base;
    KnText path = KN_TEXT_EMPTY;
    kn_context_file(desk.context, "data:learned", &path);
    check_ok(error, kn_mkdirs(path.data, &error));
    kn_text_add(&path, "/three.mdb");
    check_ok(error, kn_game_open(desk.context, "tictactoe", &game, &error));
    check_ok(error, kn_base_open(desk.context, game, path.data, KN_BASE_WRITE | KN_BASE_MAKE,
                                 &(KnBaseKind){.symmetry = false}, &base, &error));
    add_game(base, game, "a1 a2 b1 b2 c1", 1);
    add_game(base, game, "b2 a1 b1 b3 a2 c2 a3 c1 c3", 0);
    kn_base_close(base);
    kn_game_close(game);
    kn_text_free(&path);
#define LEARNED "experience(random, base=\\\"data:learned/three.mdb\\\")"
    ask_known("{\"game\": \"tictactoe\", \"seats\": [\"human\", \"" LEARNED "\"]}", "");
    assert_int_equal(desk_number(&desk, "experience/0/role"), 1);
    assert_true(json_is_true(desk_at(&desk, "experience/0/known")));
    assert_int_equal(desk_number(&desk, "experience/0/games"), 2);
    assert_int_equal(desk_number(&desk, "experience/0/size/games"), 2);
    assert_true(json_real_value(desk_at(&desk, "experience/0/value")) == 1.0); /* a1 has won */
    size_t i, explored = 0;
    json_t *row;
    json_array_foreach(desk_at(&desk, "experience/0/moves"), i, row)
    {
        bool known = json_is_true(json_object_get(row, "explored"));
        const char *move = json_string_value(json_object_get(row, "move"));
        explored += known;
        assert_int_equal(known, strcmp(move, "a1") == 0 || strcmp(move, "b2") == 0);
        assert_int_equal(json_object_get(row, "value") != NULL, known);
    }
    assert_int_equal(i, 9);
    assert_int_equal(explored, 2);
    /* The other side sees the same outcome with the other sign. */
    ask_known("{\"game\": \"tictactoe\", \"moves\": \"a1\", \"seats\": [\"" LEARNED "\", \"human\"]}",
              "?ply=1");
    assert_true(json_real_value(desk_at(&desk, "experience/0/value")) == -1.0);
    ask_known("{\"game\": \"tictactoe\", \"moves\": \"c3\", \"seats\": [\"" LEARNED "\", \"human\"]}",
              "?ply=1");
    assert_true(json_is_false(desk_at(&desk, "experience/0/known")));
    ask_known("{\"game\": \"tictactoe\"}", "");
    assert_int_equal(json_array_size(desk_at(&desk, "experience")), 0);
}

static void test_wrong(void **state)
{
    (void)state;
    char id[32], path[64];
    assert_int_equal(desk_ask(&desk, "GET", "/api/sessions/zzz/known", NULL), 404);
    desk_session(&desk, "{\"game\": \"tictactoe\"}", id);
    snprintf(path, sizeof path, "/api/sessions/%s/known?ply=5", id);
    assert_int_equal(desk_ask(&desk, "GET", path, NULL), 422);
    snprintf(path, sizeof path, "/api/sessions/%s/known?ply=x", id);
    assert_int_equal(desk_ask(&desk, "GET", path, NULL), 400);
    /* Where all move at once, and where it is over, nothing is known, and that is no fault. */
    ask_known("{\"game\": \"dilemma(turns=2)\"}", "");
    ask_known("{\"game\": \"tictactoe\", \"moves\": \"a1 a2 b1 b2 c1\"}", "");
    assert_int_equal(json_array_size(desk_at(&desk, "experience")), 0);
}

static int open_desk(void **state)
{
    (void)state;
    desk_open(&desk, "known", NULL);
    return 0;
}

static int close_desk(void **state)
{
    (void)state;
    desk_close(&desk);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables), cmocka_unit_test(test_damaged_tables),
                                       cmocka_unit_test(test_base), cmocka_unit_test(test_wrong)};
    return cmocka_run_group_tests(tests, open_desk, close_desk);
}
