/* Learning an allocation policy: examples, files, and a policy that plays within its budget; and what is
 * refused. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "players/allocation/train.h"
#include "players/course.h"

static KnContext *workbench;
static KnGame *checkers;

#define INNER "alphabeta(eval=trade, -quiescence, table=off, memory=1)"

static KnTraining small(uint64_t seed, int jobs)
{
    KnTraining t = kn_training();
    t.play =
        (KnExamplesPlan){.inner = INNER, .k = 1, .n = 2, .moves = 40, .judge = 4, .seed = seed, .jobs = jobs};
    t.tree = 1500;
    t.relief = 400;
    t.enrich = 1000;
    t.keep = -1;
    return t;
}

static void learn(const KnGame *game, const KnTraining *t, KnLearned **learned, KnTrainingFound *found)
{
    KnError error;
    KnTrainingSets sets;
    check_ok(error, kn_training_sets_make(workbench, game, t, NULL, NULL, &sets, &error));
    check_ok(error, kn_training_learn(game, t, &sets, learned, found, &error));
    kn_training_sets_free(&sets);
}

/* Examples are what they say: more than one move, and classes that searching again gives. */
static void test_examples(void **state)
{
    (void)state;
    KnError error;
    KnExamplesPlan plan = {
        .inner = INNER, .k = 1, .n = 2, .moves = 40, .judge = 4, .count = 500, .seed = 3, .jobs = 1};
    KnExamples one, two;
    check_ok(error, kn_examples_make(workbench, checkers, &plan, NULL, &one, &error));
    plan.jobs = 3;
    check_ok(error, kn_examples_make(workbench, checkers, &plan, NULL, &two, &error));
    assert_int_equal(one.count, 500);
    assert_memory_equal(one.positions, two.positions, 500 * one.stride);
    assert_int_equal(one.games, two.games);
    assert_int_equal(one.forced, two.forced);
    KnPlayer *player;
    check_ok(error, kn_allocation_open_inner(workbench, checkers, INNER, 3, &player, &error));
    int positive = 0;
    for (size_t i = 0; i < one.count; i++) {
        const KnExampleTag *tag = &one.tags[i];
        assert_memory_equal(&tag->worth.utility, &two.tags[i].worth.utility, sizeof(double));
        KnMove moves[64];
        KnScore shallow[64], deep[64];
        KnRng rng = kn_rng_seeded(i);
        const void *position = kn_example_position(&one, i);
        KnRequest request = {.game = checkers,
                             .position = position,
                             .role = checkers->type->mover(checkers, position),
                             .allowed = moves,
                             .allowed_count = checkers->type->moves(checkers, position, moves),
                             .rng = &rng};
        assert_true(request.allowed_count > 1);
        KnAnswer answer;
        check_ok(error, kn_allocation_ask(player, &request, 1, shallow, &answer, &error));
        assert_int_equal(answer.score, tag->shallow);
        check_ok(error, kn_allocation_ask(player, &request, 3, deep, &answer, &error));
        assert_int_equal(answer.score, tag->deep);
        KnDeepWorth worth = kn_deep_worth(shallow, deep, request.allowed_count, 0, 0);
        assert_int_equal(worth.positive, tag->worth.positive);
        assert_true(worth.utility == tag->worth.utility);
        assert_true(tag->points >= 0 && tag->points <= 1);
        positive += tag->worth.positive;
    }
    assert_true(positive > 25 && positive < 475);
    kn_player_close(player);

    /* To a file and back; and not from a file of other examples, or a damaged one. */
    KnExamples back;
    check_ok(error, kn_examples_save(&one, &plan, "examples.tsv", &error));
    check_ok(error, kn_examples_load(checkers, &plan, "examples.tsv", &back, &error));
    assert_int_equal(back.count, one.count);
    assert_int_equal(back.decisions, one.decisions);
    for (size_t i = 0; i < one.count; i++) {
        assert_memory_equal(kn_example_position(&back, i), kn_example_position(&one, i),
                            sizeof(uint32_t) * 3);
        assert_true(back.tags[i].worth.utility == one.tags[i].worth.utility &&
                    back.tags[i].points == one.tags[i].points);
        assert_int_equal(back.tags[i].choice_count, one.tags[i].choice_count);
    }
    kn_examples_free(&back);
    KnExamplesPlan other = plan;
    other.seed++;
    check_fails(error, KN_INPUT, "made otherwise",
                kn_examples_load(checkers, &other, "examples.tsv", &back, &error));
    KnText text = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("examples.tsv", &text, 1 << 20, &error));
    check_ok(error, kn_file_write_atomic("short.tsv", text.data, text.length / 2, &error));
    check_fails(error, KN_INPUT, "cut short", kn_examples_load(checkers, &plan, "short.tsv", &back, &error));
    memcpy(text.data + text.length / 2, "\t\t\t\t", 4);
    check_ok(error, kn_file_write_atomic("bad.tsv", text.data, text.length, &error));
    check_fails(error, KN_INPUT, "bad.tsv:", kn_examples_load(checkers, &plan, "bad.tsv", &back, &error));
    kn_text_free(&text);
    kn_examples_free(&one);
    kn_examples_free(&two);
}

/* The same seed gives the same file for any number of threads, and the file gives the same decisions. */
static void test_same_seed_same_policy(void **state)
{
    (void)state;
    KnError error;
    KnText files[2] = {KN_TEXT_EMPTY, KN_TEXT_EMPTY};
    for (int i = 0; i < 2; i++) {
        KnTraining t = small(5, i + 1);
        t.patterns = 4;
        t.expansions = 20;
        KnLearned *learned;
        KnTrainingFound found;
        learn(checkers, &t, &learned, &found);
        assert_int_equal(found.columns, 27);
        assert_int_equal(found.pattern_count, 4);
        assert_non_null(found.weights);
        kn_training_found_free(&found);
        check_ok(error, kn_learned_save(learned, i ? "b.json" : "a.json", &error));
        check_ok(error, kn_file_read(i ? "b.json" : "a.json", &files[i], 1 << 24, &error));
        KnLearned *again;
        check_ok(error, kn_learned_load("a.json", checkers, &again, &error));
        KnText before = KN_TEXT_EMPTY, after = KN_TEXT_EMPTY;
        kn_learned_show(learned, &before);
        kn_learned_show(again, &after);
        assert_string_equal(before.data, after.data);
        assert_non_null(strstr(before.data, "leaf 1: weight 0."));
        kn_text_free(&before);
        kn_text_free(&after);
        kn_learned_free(again);
        kn_learned_free(learned);
    }
    assert_string_equal(files[0].data, files[1].data);
    kn_text_free(&files[0]);
    kn_text_free(&files[1]);
}

/* A learned policy keeps its budget, and tells leaf, probability, threshold and what is left. */
static void test_plays_by_it(void **state)
{
    (void)state;
    KnError error;
    KnTraining t = small(6, 1);
    t.relief = 0;
    KnLearned *learned;
    learn(checkers, &t, &learned, NULL);
    check_ok(error, kn_learned_save(learned, "tree.json", &error));
    kn_learned_free(learned);
    KnPlayer *player;
    check_ok(error, kn_player_open(workbench, checkers,
                                   "allocate(" INNER ", k=1, n=2, deep=4, moves=30, policy=tree.json)",
                                   &player, &error));
    KnContest *contest = kn_contest_new(checkers);
    KnArena *arena = kn_arena_new();
    KnRng rng = kn_rng_seeded(1);
    int deep = 0, told = 0;
    check_ok(error, kn_player_begin(player, 0, kn_contest_position(contest), &error));
    for (int ply = 0; ply < 60 && !kn_contest_over(contest, NULL); ply++) {
        KnMove moves[64], joint[2] = {KN_MOVE_NONE, KN_MOVE_NONE};
        KnRequest request = {.game = checkers,
                             .position = kn_contest_position(contest),
                             .role = ply & 1,
                             .allowed = moves,
                             .allowed_count = kn_contest_moves(contest, ply & 1, moves),
                             .rng = &rng,
                             .wants = KN_WANT_REASON,
                             .arena = arena};
        joint[ply & 1] = moves[kn_rng_below(&rng, (uint32_t)request.allowed_count)];
        if (!(ply & 1)) {
            KnAnswer answer = {0};
            KnText text = KN_TEXT_EMPTY;
            check_ok(error, kn_player_choose(player, &request, &answer, &error));
            kn_reason_print(answer.reason, &text);
            deep += strstr(text.data, "decision: deep, 3 plies") != NULL;
            if (strstr(text.data, "leaf: ")) {
                told++;
                assert_non_null(strstr(text.data, "probability that it is worth it"));
                assert_non_null(strstr(text.data, "threshold with what is left"));
            }
            assert_non_null(strstr(text.data, "deep searches, for "));
            json_t *json = kn_reason_json(answer.reason); /* no number of it is infinite */
            assert_non_null(json);
            json_decref(json);
            kn_text_free(&text);
            joint[0] = answer.move;
        }
        check_ok(error, kn_contest_play_joint(contest, joint, &error));
        check_ok(error, kn_player_observe(player, contest, joint, &error));
    }
    assert_true(deep >= 1 && deep <= 4);
    assert_true(told >= deep);
    kn_arena_free(arena);
    kn_contest_free(contest);
    kn_player_close(player);
}

static void refused(const char *game_spec, const char *content, const char *part)
{
    KnError error;
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(workbench, game_spec, &game, &error));
    check_ok(error, kn_file_write_atomic("refused.json", content, strlen(content), &error));
    check_fails(error, KN_INPUT, part,
                kn_player_open(workbench, game, "allocate(alphabeta, policy=refused.json)", &player, &error));
    kn_game_close(game);
}

#define HEAD                                                                                                 \
    "{\"format\": \"knack allocation policy 1\", \"game\": \"checkers\", \"made\": {}, \"decide\": "         \
    "\"threshold\", \"score\": "
#define LEAF "\"tree\": {\"leaf\": 1, \"examples\": 10, \"positives\": 4, \"sum\": 3}}"

static void test_refusals(void **state)
{
    (void)state;
    static const char good[] = HEAD "\"probability\", \"forced\": 0.1, \"features\": [{\"name\": \"own "
                                    "men\", \"from\": \"game\"}], " LEAF;
    KnError error;
    KnPlayer *player;
    check_ok(error, kn_file_write_atomic("good.json", good, strlen(good), &error));
    check_ok(error,
             kn_player_open(workbench, checkers, "allocate(alphabeta, policy=good.json)", &player, &error));
    kn_player_close(player);
    refused("othello", good, "game: the policy was made for checkers, and this is othello");
    for (size_t cut = 0; cut < sizeof good - 1; cut += 11) {
        char *part = strndup(good, cut);
        refused("checkers", part, "refused.json");
        free(part);
    }
    refused("checkers", "{\"format\": \"something else\"}", "this is no allocation policy");
    refused("checkers",
            HEAD "\"probability\", \"forced\": 0.1, \"features\": [{\"name\": \"own queens\", \"from\": "
                 "\"game\"}], " LEAF,
            "has no feature \"own queens\"; the file was made for other features");
    refused("checkers",
            HEAD "\"probability\", \"forced\": 0.1, \"features\": [{\"name\": \"own men\", \"from\": "
                 "\"moon\"}], " LEAF,
            "none of game, general");
    refused("checkers",
            HEAD
            "\"beauty\", \"forced\": 0.1, \"features\": [{\"name\": \"own men\", \"from\": \"game\"}], " LEAF,
            "neither probability nor worth");
    refused("checkers",
            HEAD
            "\"worth\", \"forced\": 1.5, \"features\": [{\"name\": \"own men\", \"from\": \"game\"}], " LEAF,
            "a share from 0");
    refused("checkers", HEAD "\"worth\", \"forced\": 0.5, \"features\": [], " LEAF, "no features");
    refused("checkers",
            HEAD "\"worth\", \"forced\": 0.5, \"features\": [{\"name\": \"p\", \"from\": \"pattern\", "
                 "\"cells\": [\"free\"], \"region\": \"anywhere\"}], " LEAF,
            "a pattern of checkers has 5 cells");
    check_fails(
        error, KN_SYSTEM, "nowhere.json",
        kn_player_open(workbench, checkers, "allocate(alphabeta, policy=nowhere.json)", &player, &error));
}

/* Othello has windows of nine cells, morris has none, a game from a rule sheet has no board: each gets what
 * it can have. */
static void test_other_games(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        bool game, patterns;
        int moves;
    } games[] = {{"othello(size=6)", true, true, 20},
                 {"morris(men=5)", true, false, 20},
                 {"fives(width=6, height=6, line=4)", true, true, 15}};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        KnError error;
        KnGame *game;
        check_ok(error, kn_game_open(workbench, games[i].spec, &game, &error));
        KnPatternGround ground;
        assert_int_equal(kn_ground_of_game(game, &ground, &error) == KN_OK, games[i].patterns);
        if (games[i].patterns) assert_int_equal(ground.size, 9);
        KnTraining t = small(9, 2);
        t.play.inner = "alphabeta(table=off, memory=1)";
        t.play.n = 1;
        t.play.moves = games[i].moves;
        t.play.judge = 0;
        t.tree = 400;
        t.relief = 200;
        t.enrich = 200;
        t.general_features = true;
        t.patterns = games[i].patterns ? 3 : 0;
        t.expansions = 10;
        KnLearned *learned, *again;
        learn(game, &t, &learned, NULL);
        check_ok(error, kn_learned_save(learned, "other.json", &error));
        check_ok(error, kn_learned_load("other.json", game, &again, &error));
        kn_learned_free(learned);
        kn_learned_free(again);
        kn_game_close(game);
    }
}

/* The board of checkers as the paper has it: 18 windows of 5 squares, 8 kinds, 6 regions; either side sees
 * its own side below. */
static void test_checkers_ground(void **state)
{
    (void)state;
    KnPatternGround ground;
    KnError error;
    check_ok(error, kn_ground_of_game(checkers, &ground, &error));
    assert_int_equal(ground.windows, 18);
    assert_int_equal(ground.size, 5);
    assert_int_equal(ground.kinds, 8);
    assert_int_equal(ground.regions, 6);
    assert_string_equal(ground.kind[4].name, "own-man");
    assert_string_equal(ground.kind[5].name, "own-king");
    unsigned char position[checkers->position_size] __attribute__((aligned(16)));
    uint8_t black[32], white[32];
    check_ok(error, checkers->type->parse_position(checkers, "B:W18,K30:B1,K7", position, &error));
    kn_ground_board(&ground, checkers, position, 0, black);
    kn_ground_board(&ground, checkers, position, 1, white);
    assert_int_equal(black[0], 1);  /* own man on 1 */
    assert_int_equal(black[17], 2); /* the other's on 18 */
    assert_int_equal(white[14], 1); /* 33 - 18 = 15, and white's own */
    assert_int_equal(white[2], 3);  /* white's king of 30 */
    assert_int_equal(white[25], 4); /* black's king of 7 */
}

/* ---- a course ---- */

static void copy_curve(const char *folder, json_t **points)
{
    KnError error;
    json_t *curve = kn_course_read(folder, &error);
    if (!curve) fail_msg("%s", error.text);
    *points = json_deep_copy(json_object_get(curve, "points"));
    json_decref(curve);
}

/* Interrupted at any time it goes on, and ends with the same curve and the same policy; other settings are
 * refused. */
static void test_course(void **state)
{
    (void)state;
    KnError error;
    KnTraining t = small(5, 2);
    t.plan = (KnTreePlan){.cuts = true, .least = 20};
    check_ok(error, kn_training_course(workbench, checkers, &t, "course-whole", NULL, &error));
    json_t *whole, *parts;
    copy_curve("course-whole", &whole);
    assert_int_equal(json_array_size(whole), 5);
    for (size_t i = 0; i < 5; i++) {
        const json_t *point = json_array_get(whole, i);
        double y = json_number_value(json_array_get(point, 1));
        assert_int_equal((int)json_number_value(json_array_get(point, 0)), 500 * (i + 1));
        assert_true(json_number_value(json_array_get(point, 2)) <= y &&
                    y <= json_number_value(json_array_get(point, 3)));
    }
    assert_true(json_number_value(json_array_get(json_array_get(whole, 4), 1)) > 0.2); /* more than chance */
    atomic_bool cancel = true;
    t.play.cancel = &cancel;
    t.play.jobs = 1;
    assert_int_equal(kn_training_course(workbench, checkers, &t, "course-parts", NULL, &error), KN_STOPPED);
    cancel = false;
    check_ok(error, kn_training_course(workbench, checkers, &t, "course-parts", NULL, &error));
    assert_int_equal(unlink("course-parts/curve.json"), 0); /* all but the examples is lost */
    assert_int_equal(unlink("course-parts/tree-03.tsv"), 0);
    check_ok(error, kn_training_course(workbench, checkers, &t, "course-parts", NULL, &error));
    copy_curve("course-parts", &parts);
    assert_true(json_equal(whole, parts));
    KnText one = KN_TEXT_EMPTY, two = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("course-whole/policy.json", &one, 1 << 24, &error));
    check_ok(error, kn_file_read("course-parts/policy.json", &two, 1 << 24, &error));
    assert_string_equal(one.data, two.data);
    t.tree = 1600;
    check_fails(error, KN_INPUT, "other settings",
                kn_training_course(workbench, checkers, &t, "course-parts", NULL, &error));
    assert_null(kn_course_read("nowhere", &error));
    assert_int_equal(error.status, KN_NO);
    kn_text_free(&one);
    kn_text_free(&two);
    json_decref(whole);
    json_decref(parts);
}

static int set_up(void **state)
{
    (void)state;
    KnError error;
    workbench = test_workbench("learned");
    return kn_game_open(workbench, "checkers", &checkers, &error) == KN_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    kn_game_close(checkers);
    kn_context_free(workbench);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),    cmocka_unit_test(test_same_seed_same_policy),
        cmocka_unit_test(test_plays_by_it), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_other_games), cmocka_unit_test(test_checkers_ground),
        cmocka_unit_test(test_course),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
