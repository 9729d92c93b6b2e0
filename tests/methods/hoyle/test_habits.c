/* Habits: what an expert always does becomes likely, images of a place are one place, files keep what was
 * learned and damaged ones are refused, and a search that is led by them finds what they say. */
#include "support/check.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "methods/hoyle/environment.h"
#include "methods/hoyle/habits.h"

static KnContext *context;

static KnGameLearner *teach(const KnGame *game, const char *expert, uint64_t watch)
{
    KnError error;
    KnGameLearner *learner;
    KnEnvironmentPlan plan = {.game = game->spec,
                              .learner = "habits",
                              .watch = watch,
                              .seed = 3,
                              .ply_limit = 60,
                              .agents = {expert, "random"}};
    check_ok(error, kn_environment_teach(context, &plan, game, &learner, &error));
    return learner;
}

static void chances_at(const KnGame *game, const KnHabits *habits, const char *text, KnMove *moves,
                       double *chances, int *count)
{
    KnError error;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    check_ok(error, kn_game_parse_position(game, text, position, &error));
    *count = game->type->moves(game, position, moves);
    kn_habits_chances(habits, position, moves, *count, chances);
    double sum = 0;
    for (int i = 0; i < *count; i++) sum += chances[i];
    assert_true(fabs(sum - 1) < 1e-9);
}

/* The perfect player of lose tic-tac-toe begins in the middle: every other move loses. */
static void test_learns(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    KnMove moves[16];
    double chances[16];
    int count;
    check_ok(error, kn_game_open(context, "tictactoe(lose)", &game, &error));
    KnGameLearner *none = teach(game, "perfect", 1), *learner = teach(game, "perfect", 40);
    const KnHabits *habits = kn_game_learner_habits_of(learner);
    chances_at(game, habits, ".../.../... x", moves, chances, &count);
    assert_int_equal(count, 9);
    for (int i = 0; i < 9; i++)
        if (i != 4) assert_true(chances[i] < chances[4] / 3);
    static const int corners[] = {0, 2, 6, 8}, sides[] = {1, 3, 5, 7}; /* by symmetry */
    for (int i = 1; i < 4; i++) {
        assert_true(fabs(chances[corners[i]] - chances[corners[0]]) < 1e-12);
        assert_true(fabs(chances[sides[i]] - chances[sides[0]]) < 1e-12);
    }
    double one[16], other[16];
    KnMove there[16];
    chances_at(game, habits, "x../.o./... x", moves, one, &count);
    chances_at(game, habits, "..x/.o./... x", there, other, &count);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) /* the mirror image of cell 3r + c is 3r + 2 - c */
            if (there[j] == moves[i] / 3 * 3 + 2 - moves[i] % 3) assert_true(fabs(one[i] - other[j]) < 1e-12);
    json_t *figures = learner->type->figures(learner);
    assert_true(json_integer_value(json_object_get(figures, "features")) > 50);
    json_decref(figures);
    KnText shown = KN_TEXT_EMPTY;
    KnArena *arena = kn_arena_new();
    KnExplanation *tree = kn_explanation_new(arena, "habits");
    learner->type->explain(learner, arena, tree);
    kn_explanation_print(tree, &shown);
    assert_non_null(strstr(shown.data, "  where x goes\n    b2: "));
    assert_non_null(strstr(shown.data, "    a3, c3, a1, c1: ")); /* images weigh the same */
    kn_text_free(&shown);
    kn_arena_free(arena);
    kn_game_learner_close(none);
    kn_game_learner_close(learner);
    kn_game_close(game);
}

static void damage(const char *find, const char *replace)
{
    KnError error;
    KnText text = KN_TEXT_EMPTY, damaged = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("habits.json", &text, 1 << 24, &error));
    char *at = strstr(text.data, find);
    assert_non_null(at);
    kn_text_printf(&damaged, "%.*s%s%s", (int)(at - text.data), text.data, replace, at + strlen(find));
    check_ok(error, kn_file_write_atomic("damaged.json", damaged.data, damaged.length, &error));
    kn_text_free(&text);
    kn_text_free(&damaged);
}

/* The player of its own takes a likeliest move, and shows the chance of every move in its order. */
static void check_explained(const KnGameLearner *learner, const char *text, const KnMove *moves,
                            const double *chances, int count)
{
    KnError error;
    KnPlayer *player;
    KnArena *arena = kn_arena_new();
    KnAnswer answer = {0};
    KnAsk ask = {.seed = 1, .wants = KN_WANT_EXPLANATION, .arena = arena};
    check_ok(error, kn_game_learner_player(learner, &player, &error));
    const KnGame *game = player->game;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    check_ok(error, kn_game_parse_position(game, text, position, &error));
    KnState *at = kn_state_new(game);
    kn_state_reset(at, position);
    check_ok(error, kn_player_ask(player, at, 0, &ask, &answer, &error));
    json_t *told = kn_explanation_json(answer.explanation);
    const json_t *bars = json_object_get(json_array_get(json_object_get(told, "children"), 0), "children");
    assert_int_equal(json_array_size(bars), count);
    double best = 0, chosen = -1;
    for (int i = 0; i < count; i++) {
        const json_t *bar = json_array_get(bars, (size_t)i);
        assert_string_equal(json_string_value(json_object_get(bar, "label")),
                            kn_game_move_name(game, position, moves[i], arena));
        assert_true(fabs(json_number_value(json_object_get(bar, "number")) - chances[i]) < 1e-9);
        best = fmax(best, chances[i]);
        if (moves[i] == answer.move) chosen = chances[i];
    }
    assert_true(chosen == best);
    assert_int_equal(answer.cost.nodes, count);
    json_decref(told);
    kn_state_free(at);
    kn_arena_free(arena);
    kn_player_close(player);
}

static void test_file_and_search(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    KnGameLearner *again;
    KnPlayer *player;
    KnMove moves[16];
    double before[16], after[16];
    int count;
    check_ok(error, kn_game_open(context, "tictactoe(lose)", &game, &error));
    KnGameLearner *learner = teach(game, "perfect", 40);
    check_ok(error, kn_game_learner_save(learner, "habits.json", &error));
    check_ok(error, kn_game_learner_load(context, game, "habits", "habits.json", &again, &error));
    chances_at(game, kn_game_learner_habits_of(learner), "x../.o./... x", moves, before, &count);
    chances_at(game, kn_game_learner_habits_of(again), "x../.o./... x", moves, after, &count);
    for (int i = 0; i < count; i++) assert_true(fabs(before[i] - after[i]) < 0.005);
    json_t *once = kn_habits_json(kn_game_learner_habits_of(learner)),
           *twice = kn_habits_json(kn_game_learner_habits_of(again));
    assert_true(json_equal(once, twice)); /* rounded once, and not at every turn */
    json_decref(once);
    json_decref(twice);
    check_explained(learner, "x../.o./... x", moves, before, count);
    kn_game_learner_close(learner);
    kn_game_learner_close(again);
    /* A few playouts, strongly led, play as the expert would. */
    check_ok(error,
             kn_player_open(context, game, "guided(habits.json, playouts=20, guidance=20)", &player, &error));
    KnState *start = kn_state_new(game);
    KnArena *arena = kn_arena_new();
    KnAnswer answer = {0};
    KnAsk ask = {.seed = 1, .wants = KN_WANT_EXPLANATION, .arena = arena};
    check_ok(error, kn_player_ask(player, start, 0, &ask, &answer, &error));
    assert_int_equal(answer.move, 4);
    KnText why = KN_TEXT_EMPTY;
    kn_explanation_print(answer.explanation, &why);
    assert_non_null(strstr(why.data, "chance that an expert plays it"));
    kn_text_free(&why);
    kn_player_close(player);
    check_ok(error,
             kn_player_open(context, game, "guided(playouts=200)", &player, &error)); /* nobody watched */
    check_ok(error, kn_player_ask(player, start, 0, &ask, &answer, &error));
    kn_player_close(player);
    check_fails(error, KN_INPUT, "not seqlearner",
                kn_player_open(context, game, "seqlearner(habits.json)", &player, &error));
    damage("\"weights\": [", "\"weights\": [5, ");
    check_fails(error, KN_INPUT, "pairs",
                kn_player_open(context, game, "guided(damaged.json)", &player, &error));
    damage("\"weights\": [", "\"weights\": [9999999, 1, ");
    check_fails(error, KN_INPUT, "weights",
                kn_player_open(context, game, "guided(damaged.json)", &player, &error));
    damage("\"weights\": [", "\"weights\": [7, 1e9, ");
    check_fails(error, KN_INPUT, "from -1000 to 1000",
                kn_player_open(context, game, "guided(damaged.json)", &player, &error));
    unlink("habits.json");
    unlink("damaged.json");
    kn_arena_free(arena);
    kn_state_free(start);
    kn_game_close(game);
}

/* On a board with slides and captures, and on one that is turned over. */
static void test_games(void **state)
{
    (void)state;
    static const char *const games[] = {"morris(men=9)", "checkers", "othello(size=6)", "breakthrough"};
    for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
        KnError error;
        KnGame *game;
        if (kn_game_open(context, games[g], &game, &error) != KN_OK) continue;
        KnGameLearner *learner = teach(game, "alphabeta(depth=1, eval=hand, memory=1)", 3);
        json_t *knowledge = learner->type->knowledge(learner);
        assert_true(json_array_size(json_object_get(knowledge, "weights")) > 20);
        json_decref(knowledge);
        kn_game_learner_close(learner);
        kn_game_close(game);
    }
}

static KnAnswer ask(const KnGame *game, const char *spec)
{
    KnError error;
    KnPlayer *player;
    KnAnswer answer = {0};
    KnState *start = kn_state_new(game);
    KnAsk question = {.seed = 7};
    check_ok(error, kn_player_open(context, game, spec, &player, &error));
    check_ok(error, kn_player_ask(player, start, 0, &question, &answer, &error));
    kn_player_close(player);
    kn_state_free(start);
    return answer;
}

/* As an advisor habits lead uct as they lead `guided`; they order the moves of alphabeta, whose value stays
 * minimax's, and their positions count. */
static void test_advisor(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(context, "othello(size=6)", &game, &error));
    KnGameLearner *learner = teach(game, "alphabeta(depth=2, eval=hand, memory=1)", 4);
    check_ok(error, kn_game_learner_save(learner, "habits.json", &error));
    kn_game_learner_close(learner);
    KnAnswer guided = ask(game, "guided(habits.json, playouts=300, memory=4)"),
             uct = ask(game, "uct(advisor=habits(habits.json), playouts=300, memory=4)");
    assert_int_equal(guided.move, uct.move);
    assert_int_equal(guided.cost.nodes, uct.cost.nodes);
    assert_int_equal(guided.score, uct.score);
    KnAnswer plain = ask(game, "alphabeta(depth=7, eval=hand, memory=1)"),
             ordered = ask(game, "alphabeta(depth=7, eval=hand, memory=1, advisor=habits(habits.json))");
    assert_int_equal(plain.score, ordered.score);
    assert_true(plain.cost.nodes != ordered.cost.nodes);
    check_fails(error, KN_INPUT, "unknown advisor \"guess\"; known: habits",
                kn_player_open(context, game, "alphabeta(advisor=guess)", &player, &error));
    check_fails(error, KN_USAGE, "wants a file",
                kn_player_open(context, game, "uct(advisor=habits)", &player, &error));
    kn_game_close(game);
    check_ok(error, kn_game_open(context, "othello", &game, &error));
    check_fails(error, KN_INPUT, "learned for othello(size=6)",
                kn_player_open(context, game, "uct(advisor=habits(habits.json))", &player, &error));
    unlink("habits.json");
    kn_game_close(game);
}

int main(void)
{
    KnError error;
    if (kn_open("data", &context, &error) != KN_OK) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_learns), cmocka_unit_test(test_file_and_search),
                                       cmocka_unit_test(test_games), cmocka_unit_test(test_advisor)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    kn_close(context);
    return failed;
}
