/* Reasons in words: what a line does on the board, and what a person's move was worth. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

#include "base/explanation.h"
#include "games/replay.h"
#include "players/board_words.h"
#include "players/judgement.h"
#include "players/search_words.h"

/* A position of a game with somebody to ask about it. */
typedef struct Scene {
    KnGame *game;
    KnState *state;
    KnPlayer *player;
    KnArena *arena;
    KnMove moves[512];
    KnRng rng;
    KnRequest request;
} Scene;

static void open_scene(Scene *scene, const char *game, const char *position, const char *spec)
{
    KnError error;
    check_ok(error, kn_game_open(workbench, game, &scene->game, &error));
    scene->state = kn_state_new(scene->game);
    if (position) check_ok(error, kn_state_set(scene->state, position, &error));
    check_ok(error, kn_player_open(workbench, scene->game, spec, &scene->player, &error));
    scene->arena = kn_arena_new();
    scene->rng = kn_rng_seeded(1);
    int role = kn_state_mover(scene->state);
    scene->request = (KnRequest){.game = scene->game,
                                 .position = kn_state_position(scene->state),
                                 .history = kn_state_history(scene->state),
                                 .role = role,
                                 .allowed = scene->moves,
                                 .allowed_count = kn_state_moves(scene->state, role, scene->moves),
                                 .rng = &scene->rng,
                                 .wants = KN_WANT_EXPLANATION,
                                 .arena = scene->arena};
    check_ok(error, kn_player_begin(scene->player, role, scene->request.position, &error));
}

static void close_scene(Scene *scene)
{
    kn_player_close(scene->player);
    kn_state_free(scene->state);
    kn_game_close(scene->game);
    kn_arena_free(scene->arena);
}

static const char *said_of(Scene *scene)
{
    KnError error;
    KnAnswer answer = {0};
    check_ok(error, kn_player_choose(scene->player, &scene->request, &answer, &error));
    assert_non_null(answer.explanation);
    return answer.explanation->text;
}

static KnJudgement judged(Scene *scene, const char *move, const char **text)
{
    KnError error;
    KnMove made;
    KnAnswer answer = {0};
    KnJudgement judgement;
    check_ok(error, kn_game_parse_move(scene->game, scene->request.position, scene->request.role, move, &made,
                                       &error));
    check_ok(error, kn_judge_move(scene->player, &scene->request, made, &answer, &judgement, &error));
    *text = answer.explanation->text;
    return judgement;
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("\"%s\" does not say \"%s\"", text, part);
}

/* Black can take a man for nothing. */
static void test_men_are_won(void **unused)
{
    (void)unused;
    Scene scene;
    open_scene(&scene, "checkers", "B:W18,32,31:B14,1,2", "alphabeta(depth=3, eval=material)");
    const char *text = said_of(&scene);
    has(text, "14x23 wins a man");
    has(text, "After 3 plies Black stands better");
    close_scene(&scene);
}

/* A win is a win, and the words say so before anything else. */
static void test_wins_are_named(void **unused)
{
    (void)unused;
    Scene scene;
    open_scene(&scene, "tictactoe", "xx./oo./... x", "alphabeta(depth=9)");
    has(said_of(&scene), "wins at once");
    close_scene(&scene);
}

/* The largest changes come first, and what is good for one is bad for the other. Whether there are several.
 */
static bool check_changes(const Scene *scene, const KnState *later)
{
    KnBoardChange changes[KN_BOARD_CHANGES], theirs[KN_BOARD_CHANGES];
    const void *before = kn_state_position(scene->state), *after = kn_state_position(later);
    int count = kn_board_changes(scene->game, before, after, 0, scene->arena, changes);
    assert_int_equal(kn_board_changes(scene->game, before, after, 1, scene->arena, theirs), count);
    for (int i = 0; i < count; i++) {
        bool found = false;
        assert_true(!i || fabs(changes[i].size) <= fabs(changes[i - 1].size));
        for (int k = 0; k < count; k++) found = found || fabs(changes[i].size + theirs[k].size) < 1e-9;
        assert_true(found);
    }
    return count > 1;
}

/* Both sides gain four moves: not worth a word. One side alone gains: worth one. */
static void test_only_differences_count(void **unused)
{
    (void)unused;
    Scene scene;
    KnError error;
    KnBoardChange changes[KN_BOARD_CHANGES];
    open_scene(&scene, "othello", NULL, "random");
    int count = kn_board_changes(scene.game, kn_state_position(scene.state), kn_state_position(scene.state),
                                 0, scene.arena, changes);
    assert_int_equal(count, 0);
    KnRng rng = kn_rng_seeded(6);
    int several = 0;
    for (int trial = 0; trial < 20; trial++) {
        KnState *later = kn_state_new(scene.game);
        for (int ply = 0; ply < 2 + trial % 10; ply++) {
            KnMove moves[64];
            int n = kn_state_moves(later, kn_state_mover(later), moves);
            check_ok(error, kn_state_play(later, moves[kn_rng_below(&rng, (uint32_t)n)], &error));
        }
        several += check_changes(&scene, later);
        kn_state_free(later);
    }
    assert_true(several > 5);
    close_scene(&scene);
}

/* The better of two moves is good, the worse costs what the search says. */
static void test_verdicts(void **unused)
{
    (void)unused;
    Scene scene;
    const char *text;
    open_scene(&scene, "checkers", "B:W22,32,31:B14,1,2", "alphabeta(depth=5, eval=material)");
    KnJudgement bad = judged(&scene, "14-18", &text);
    assert_int_equal(bad.quality, KN_QUALITY_BLUNDER);
    assert_true(bad.has_cost && bad.cost >= 0.9);
    assert_string_equal(bad.unit, "men");
    has(text, "A blunder: it costs");
    has(text, "gives up a man");
    has(text, "The reply to expect is 22x15");
    has(text, "Better: ");
    KnAnswer best = {0};
    KnError error;
    check_ok(error, kn_player_choose(scene.player, &scene.request, &best, &error));
    const char *name = kn_game_move_name(scene.game, scene.request.position, best.move, scene.arena);
    KnJudgement good = judged(&scene, name, &text);
    assert_true(good.quality == KN_QUALITY_BEST || good.quality == KN_QUALITY_GOOD);
    assert_int_equal(strncmp(text, "Good", 4), 0);
    close_scene(&scene);
}

/* A win let go is a blunder without a price. */
static void test_a_win_let_go(void **unused)
{
    (void)unused;
    Scene scene;
    const char *text;
    open_scene(&scene, "tictactoe", "xx./oo./... x", "alphabeta(depth=9)");
    KnJudgement judgement = judged(&scene, "c1", &text);
    assert_int_equal(judgement.quality, KN_QUALITY_BLUNDER);
    assert_false(judgement.has_cost);
    has(text, "This loses");
    has(text, "wins at once");
    close_scene(&scene);
}

/* ... but one that stays as good as certain was not let go, and what is lost anyway cannot be. */
static void test_a_slower_win(void **unused)
{
    (void)unused;
    Scene scene;
    const char *text;
    open_scene(&scene, "checkers", "B:W20,28:B1,2,3,4,7,K10,16,K31", "alphabeta(depth=5, eval=ntuple)");
    KnJudgement judgement = judged(&scene, "16-19", &text);
    assert_int_equal(judgement.quality, KN_QUALITY_GOOD);
    assert_false(judgement.has_cost);
    close_scene(&scene);
}

/* An evaluation is named where it was asked, and what it cut short is called no game. */
static void test_samples_and_the_evaluation(void **unused)
{
    (void)unused;
    static const struct {
        const char *player, *says;
        bool evaluates;
    } rows[] = {
        {"uct(playouts=40)", " random games from there Black takes", false},
        {"uct(playouts=40, plies=1, eval=ntuple)", " lines from there, judged by the evaluation, Black",
         true},
        {"uct(playouts=40, plies=57, eval=ntuple)", ", where the evaluation judged long ones, Black", true},
        {"uct(playouts=40, eval=ntuple, prior=1)", " random games from there Black takes", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Scene scene;
        open_scene(&scene, "othello", NULL, rows[i].player);
        KnError error;
        KnAnswer answer = {0};
        check_ok(error, kn_player_choose(scene.player, &scene.request, &answer, &error));
        has(answer.explanation->text, rows[i].says);
        bool named = false;
        for (const KnExplanation *part = answer.explanation->first; part; part = part->next)
            named |= part->label && strcmp(part->label, "evaluation") == 0;
        assert_true(named == rows[i].evaluates);
        close_scene(&scene);
    }
}

/* A network speaks in percent of the points, and a move that is only a number is said as what it does. */
static void test_networks_speak_in_percent(void **unused)
{
    (void)unused;
    Scene scene;
    open_scene(&scene, "checkers", "B:W16,20,21,22,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11",
               "alphabeta(depth=2, eval=ntuple)");
    const char *text = said_of(&scene);
    has(text, " By its network it ");
    has(text, " on squares ");
    has(text, " %)");
    close_scene(&scene);
    open_scene(&scene, "morris", NULL, "alphabeta(depth=2, eval=ntuple)");
    assert_int_equal(strncmp(said_of(&scene), "a man on ", 9), 0);
    close_scene(&scene);
}

/* Every searched move has its value in a unit that people know, the same as what the best one is worth. */
static void test_moves_have_units(void **unused)
{
    (void)unused;
    static const struct {
        const char *game, *spec, *unit;
    } cases[] = {{"checkers", "alphabeta(depth=2, eval=material)", " men"},
                 {"othello", "alphabeta(depth=2, eval=mixed)", " points"},
                 {"othello", "alphabeta(depth=2, eval=ntuple)", " % of the points"},
                 {"othello", "uct(playouts=50)", " % of the points, "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Scene scene;
        KnError error;
        KnAnswer answer = {0};
        open_scene(&scene, cases[i].game, NULL, cases[i].spec);
        check_ok(error, kn_player_choose(scene.player, &scene.request, &answer, &error));
        const KnExplanation *group = answer.explanation->first;
        while (group && strcmp(group->label, "moves") != 0) group = group->next;
        assert_non_null(group);
        assert_non_null(group->first);
        for (const KnExplanation *move = group->first; move; move = move->next)
            has(move->text, cases[i].unit);
        close_scene(&scene);
    }
}

/* Every game's search has something to say, with a network where one is shipped, and never only a number. */
static void test_every_game_speaks(void **unused)
{
    (void)unused;
    static const char *const rows[][2] = {
        {"checkers", "alphabeta(depth=4, eval=ntuple)"},
        {"othello", "alphabeta(depth=3, eval=ntuple)"},
        {"morris", "alphabeta(depth=3, eval=ntuple)"},
        {"go(size=5)", "uct(playouts=50)"},
        {"fives", "alphabeta(depth=1)"},
        {"phutball", "uct(playouts=20, plies=10)"},
        {"gdl:connectfour", "uct(playouts=50)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Scene scene;
        open_scene(&scene, rows[i][0], NULL, rows[i][1]);
        const char *text = said_of(&scene);
        assert_true(strlen(text) > 40);
        assert_null(strstr(text, "even after"));
        assert_int_equal(text[strlen(text) - 1], '.');
        close_scene(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_men_are_won),
        cmocka_unit_test(test_wins_are_named),
        cmocka_unit_test(test_only_differences_count),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_a_win_let_go),
        cmocka_unit_test(test_a_slower_win),
        cmocka_unit_test(test_samples_and_the_evaluation),
        cmocka_unit_test(test_networks_speak_in_percent),
        cmocka_unit_test(test_moves_have_units),
        cmocka_unit_test(test_every_game_speaks),
    };
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
