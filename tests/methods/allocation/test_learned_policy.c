/* Learning an allocation policy: examples, files, and a policy that plays within its budget; and what is
 * refused. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "methods/allocation/train.h"
#include "arena/learner.h"

static KnGame *checkers;

#define INNER "alphabeta(eval=trade, -quiescence, table=off, memory=1)"

static KnPolicyTraining small(uint64_t seed, int jobs)
{
    KnPolicyTraining t = kn_policy_training_defaults();
    t.play =
        (KnExamplesPlan){.inner = INNER, .k = 1, .n = 2, .moves = 40, .judge = 4, .seed = seed, .jobs = jobs};
    t.tree = 1500;
    t.relief = 400;
    t.enrich = 1000;
    t.keep = -1;
    return t;
}

static void learn(const KnGame *game, const KnPolicyTraining *t, KnLearnedPolicy **learned,
                  KnPolicyTrainingFound *found)
{
    KnError error;
    KnPolicyTrainingSets sets;
    check_ok(error, kn_policy_training_sets_make(workbench, game, t, NULL, NULL, &sets, &error));
    check_ok(error, kn_policy_training_learn(game, t, &sets, learned, found, &error));
    kn_policy_training_sets_free(&sets);
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
        assert_memory_equal(&tag->value.utility, &two.tags[i].value.utility, sizeof(double));
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
        KnExampleClass value = kn_assign_class(shallow, deep, request.allowed_count, 0, 0);
        assert_int_equal(value.positive, tag->value.positive);
        assert_true(value.utility == tag->value.utility);
        assert_true(tag->points >= 0 && tag->points <= 1);
        positive += tag->value.positive;
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
        assert_true(back.tags[i].value.utility == one.tags[i].value.utility &&
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
    /* A digit that changes leaves everything readable; only the checksum tells. */
    char *last = strrchr(text.data, '\t');
    assert_non_null(last);
    last[1] ^= 1;
    check_ok(error, kn_file_write_atomic("changed.tsv", text.data, text.length, &error));
    check_fails(error, KN_INPUT, "checksum", kn_examples_load(checkers, &plan, "changed.tsv", &back, &error));
    last[1] ^= 1;
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
        KnPolicyTraining t = small(5, i + 1);
        t.patterns = 4;
        t.expansions = 20;
        KnLearnedPolicy *learned;
        KnPolicyTrainingFound found;
        learn(checkers, &t, &learned, &found);
        assert_int_equal(found.columns, 27);
        assert_int_equal(found.pattern_count, 4);
        assert_non_null(found.weights);
        kn_policy_training_found_free(&found);
        check_ok(error, kn_learned_policy_save(learned, i ? "b.json" : "a.json", &error));
        check_ok(error, kn_file_read(i ? "b.json" : "a.json", &files[i], 1 << 24, &error));
        KnLearnedPolicy *again;
        check_ok(error, kn_learned_policy_load("a.json", checkers, &again, &error));
        KnText before = KN_TEXT_EMPTY, after = KN_TEXT_EMPTY;
        kn_learned_policy_show(learned, &before);
        kn_learned_policy_show(again, &after);
        assert_string_equal(before.data, after.data);
        assert_non_null(strstr(before.data, "% of its examples were worth a deep search"));
        kn_text_free(&before);
        kn_text_free(&after);
        kn_learned_policy_free(again);
        kn_learned_policy_free(learned);
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
    KnPolicyTraining t = small(6, 1);
    t.relief = 0;
    KnLearnedPolicy *learned;
    learn(checkers, &t, &learned, NULL);
    check_ok(error, kn_learned_policy_save(learned, "tree.json", &error));
    kn_learned_policy_free(learned);
    KnPlayer *player;
    check_ok(error, kn_player_open(workbench, checkers,
                                   "allocate(" INNER ", k=1, n=2, deep=4, moves=30, policy=tree.json)",
                                   &player, &error));
    KnState *game_state = kn_state_new(checkers);
    KnArena *arena = kn_arena_new();
    KnRng rng = kn_rng_seeded(1);
    int deep = 0, told = 0;
    check_ok(error, kn_player_begin(player, 0, kn_state_position(game_state), &error));
    for (int ply = 0; ply < 60 && !kn_state_over(game_state, NULL); ply++) {
        KnMove moves[64], joint[2] = {KN_MOVE_NONE, KN_MOVE_NONE};
        KnRequest request = {.game = checkers,
                             .position = kn_state_position(game_state),
                             .role = ply & 1,
                             .allowed = moves,
                             .allowed_count = kn_state_moves(game_state, ply & 1, moves),
                             .rng = &rng,
                             .wants = KN_WANT_EXPLANATION,
                             .arena = arena};
        joint[ply & 1] = moves[kn_rng_below(&rng, (uint32_t)request.allowed_count)];
        if (!(ply & 1)) {
            KnAnswer answer = {0};
            KnText text = KN_TEXT_EMPTY;
            check_ok(error, kn_player_choose(player, &request, &answer, &error));
            kn_explanation_print(answer.explanation, &text);
            deep += strstr(text.data, "decision: deep, 3 plies") != NULL;
            if (strstr(text.data, "leaf: ")) {
                told++;
                assert_non_null(strstr(text.data, "probability that it pays"));
                assert_non_null(strstr(text.data, "threshold with what is left"));
            }
            assert_non_null(strstr(text.data, "deep searches, for "));
            json_t *json = kn_explanation_json(answer.explanation); /* no number of it is infinite */
            assert_non_null(json);
            json_decref(json);
            kn_text_free(&text);
            joint[0] = answer.move;
        }
        check_ok(error, kn_state_play_joint(game_state, joint, &error));
        check_ok(error, kn_player_observe(player, game_state, joint, &error));
    }
    assert_true(deep >= 1 && deep <= 4);
    assert_true(told >= deep);
    kn_arena_free(arena);
    kn_state_free(game_state);
    kn_player_close(player);
}

/* A policy says where it is used for something else than it was learned for: other depths are refused,
 * another evaluation or another variant of the game is noted in the player and in its explanations. */
static void test_learned_for_something_else(void **state)
{
    (void)state;
    static const struct {
        const char *game, *spec, *note;
    } uses[] = {
        {"checkers", "allocate(" INNER ", k=1, n=2, policy=made.json)", ""},
        {"checkers",
         "allocate(alphabeta(eval=trade, -quiescence, table=off, memory=2), k=1, n=2, policy=made.json)", ""},
        {"checkers", "allocate(alphabeta(eval=zero, table=off), k=1, n=2, policy=made.json)",
         "made.json was learned for " INNER ", not alphabeta(eval=zero, table=off, depth=3)"},
        {"checkers(draw=0)", "allocate(" INNER ", k=1, n=2, policy=made.json)",
         "made.json was learned for checkers, not checkers(draw=0)"},
    };
    KnError error;
    KnPlayer *player;
    KnPolicyTraining t = small(6, 1);
    t.tree = 300;
    t.relief = t.enrich = 0;
    KnLearnedPolicy *learned;
    learn(checkers, &t, &learned, NULL);
    check_ok(error, kn_learned_policy_save(learned, "made.json", &error));
    kn_learned_policy_free(learned);
    check_fails(error, KN_INPUT, "made.json was learned for k=1, n=2, and this is k=2, n=4",
                kn_player_open(workbench, checkers, "allocate(" INNER ", k=2, n=4, policy=made.json)",
                               &player, &error));
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        KnGame *game;
        check_ok(error, kn_game_open(workbench, uses[i].game, &game, &error));
        check_ok(error, kn_player_open(workbench, game, uses[i].spec, &player, &error));
        assert_string_equal(kn_player_note(player), uses[i].note);
        KnState *at = kn_state_new(game);
        KnArena *arena = kn_arena_new();
        KnRng rng = kn_rng_seeded(1);
        KnMove moves[64];
        KnRequest request = {.game = game,
                             .position = kn_state_position(at),
                             .allowed = moves,
                             .allowed_count = kn_state_moves(at, 0, moves),
                             .rng = &rng,
                             .wants = KN_WANT_EXPLANATION,
                             .arena = arena};
        KnAnswer answer = {0};
        KnText text = KN_TEXT_EMPTY;
        check_ok(error, kn_player_begin(player, 0, request.position, &error));
        check_ok(error, kn_player_choose(player, &request, &answer, &error));
        kn_explanation_print(answer.explanation, &text);
        assert_int_equal(strstr(text.data, "learned for something else") != NULL, uses[i].note[0] != 0);
        kn_text_free(&text);
        kn_arena_free(arena);
        kn_state_free(at);
        kn_player_close(player);
        kn_game_close(game);
    }
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
    refused("tictactoe(lose)",
            "{\"format\": \"knack allocation policy 1\", \"game\": \"tictactoe\", \"made\": {}, \"decide\": "
            "\"threshold\", \"score\": \"worth\", \"forced\": 0.1, \"features\": [], " LEAF,
            "game: the policy was made for tictactoe, and this is tictactoe(lose)");
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

/* Othello has windows of nine cells, morris has none, a game in GDL has no board: each gets
 * what it can have. */
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
        KnPatternLanguage board;
        assert_int_equal(kn_pattern_board_of_game(game, &board, &error) == KN_OK, games[i].patterns);
        if (games[i].patterns) assert_int_equal(board.size, 9);
        KnPolicyTraining t = small(9, 2);
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
        KnLearnedPolicy *learned, *again;
        learn(game, &t, &learned, NULL);
        check_ok(error, kn_learned_policy_save(learned, "other.json", &error));
        check_ok(error, kn_learned_policy_load("other.json", game, &again, &error));
        kn_learned_policy_free(learned);
        kn_learned_policy_free(again);
        kn_game_close(game);
    }
}

/* The board of checkers as the paper has it: 18 windows of 5 squares, 8 kinds, 6 regions; either side sees
 * its own side below. */
static void test_checkers_ground(void **state)
{
    (void)state;
    KnPatternLanguage board;
    KnError error;
    check_ok(error, kn_pattern_board_of_game(checkers, &board, &error));
    assert_int_equal(board.windows, 18);
    assert_int_equal(board.size, 5);
    assert_int_equal(board.kinds, 8);
    assert_int_equal(board.regions, 6);
    assert_string_equal(board.kind[4].name, "own-man");
    assert_string_equal(board.kind[5].name, "own-king");
    unsigned char position[checkers->position_size] __attribute__((aligned(16)));
    uint8_t black[32], white[32];
    check_ok(error, checkers->type->parse_position(checkers, "B:W18,K30:B1,K7", position, &error));
    kn_pattern_board_fill(&board, checkers, position, 0, black);
    kn_pattern_board_fill(&board, checkers, position, 1, white);
    assert_int_equal(black[0], 1);  /* own man on 1 */
    assert_int_equal(black[17], 2); /* the other's on 18 */
    assert_int_equal(white[14], 1); /* 33 - 18 = 15, and white's own */
    assert_int_equal(white[2], 3);  /* white's king of 30 */
    assert_int_equal(white[25], 4); /* black's king of 7 */
}

/* ---- a training run ---- */

static void copy_curve(const char *folder, json_t **points)
{
    KnError error;
    json_t *curve = kn_training_run_read(folder, &error);
    if (!curve) fail_msg("%s", error.text);
    *points = json_deep_copy(json_object_get(curve, "points"));
    json_decref(curve);
}

#define LEARNER(examples)                                                                                    \
    "allocation(inner=alphabeta(table=off), shallow=1, extra=1, examples=" examples                          \
    ", relief=300, enrich=1000, least=20)"

static KnStatus train(const char *learner, const char *folder, const atomic_bool *cancel, KnError *error)
{
    KnTrainPlan plan = {.learner = learner,
                        .game = "checkers",
                        .seed = 5,
                        .jobs = cancel ? 1 : 2,
                        .points = 5,
                        .folder = folder,
                        .cancel = cancel};
    KnTrainResult result;
    KnStatus status = kn_train(workbench, &plan, &result, error);
    kn_train_result_free(&result);
    return status;
}

/* Interrupted at any time it continues, and ends with the same curve and the same policy; other settings are
 * refused. */
static void test_training_run(void **state)
{
    (void)state;
    KnError error;
    check_ok(error, train(LEARNER("1500"), "run-whole", NULL, &error));
    json_t *whole, *parts;
    copy_curve("run-whole", &whole);
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
    assert_int_equal(train(LEARNER("1500"), "run-parts", &cancel, &error), KN_STOPPED);
    cancel = false;
    check_ok(error, train(LEARNER("1500"), "run-parts", &cancel, &error));
    assert_int_equal(unlink("run-parts/curve.json"), 0); /* all but the examples is lost */
    assert_int_equal(unlink("run-parts/tree-03.tsv"), 0);
    check_ok(error, train(LEARNER("1500"), "run-parts", &cancel, &error));
    copy_curve("run-parts", &parts);
    assert_true(json_equal(whole, parts));
    KnText one = KN_TEXT_EMPTY, two = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("run-whole/policy.json", &one, 1 << 24, &error));
    check_ok(error, kn_file_read("run-parts/policy.json", &two, 1 << 24, &error));
    assert_string_equal(one.data, two.data);
    check_fails(error, KN_INPUT, "other settings", train(LEARNER("1600"), "run-parts", &cancel, &error));
    assert_null(kn_training_run_read("nowhere", &error));
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
    kn_close(workbench);
    return 0;
}

/* The other sets follow from the tree's, unless they are given; the paper's tree gets the paper's numbers. */
static void test_sizes_follow_the_examples(void **state)
{
    (void)state;
    KnPolicyTraining paper = kn_policy_training_defaults(), t = paper;
    t.relief = t.enrich = KN_BY_EXAMPLES;
    kn_policy_training_complete(&t);
    assert_int_equal(t.relief, paper.relief);
    assert_int_equal(t.enrich, paper.enrich);
    t.tree = 100;
    t.relief = t.enrich = KN_BY_EXAMPLES;
    kn_policy_training_complete(&t);
    assert_int_equal(t.relief, 10);
    assert_int_equal(t.enrich, 500);
    t.relief = 0;
    t.enrich = 7;
    kn_policy_training_complete(&t);
    assert_int_equal(t.relief, 0);
    assert_int_equal(t.enrich, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_follow_the_examples),
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_same_seed_same_policy),
        cmocka_unit_test(test_plays_by_it),
        cmocka_unit_test(test_learned_for_something_else),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_other_games),
        cmocka_unit_test(test_checkers_ground),
        cmocka_unit_test(test_training_run),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
