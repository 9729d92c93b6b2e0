/* SeqLearner: learns lose tic-tac-toe by watching, better with single actions; what it learned survives a
 * file, and bad files are refused; it tells why. */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/hoyle/environment.h"
#include "base/file.h"
#include <knack/base.h>
#include "methods/hoyle/temporal/seqlearner.h"

static KnContext *context;
static KnGame *game;

static KnEnvironmentResult *train(const char *learner, int jobs)
{
    KnError error;
    KnEnvironmentResult *training;
    KnEnvironmentPlan plan = {.game = "tictactoe(lose)",
                              .learner = learner,
                              .environment = KN_TRAIN_DOUBLE,
                              .watch = 20,
                              .test = 50,
                              .runs = 6,
                              .seed = 77,
                              .jobs = jobs};
    check_ok(error, kn_environment_run(context, &plan, &training, &error));
    return training;
}

/* The thesis's orderings on the small game, with room: Baseline 20.5, TP-Context 66 to 82, TP-Sitact 91
 * against the perfect player. */
static void test_learns(void **state)
{
    (void)state;
    static const char *const learners[] = {"idle", "seqlearner(version=1)", "seqlearner",
                                           "seqlearner(sitact)"};
    double mean[4];
    for (int i = 0; i < 4; i++) {
        KnEnvironmentResult *one = train(learners[i], 1), *two = train(learners[i], 2);
        for (uint64_t r = 0; r < one->count; r++)
            for (int a = 0; a < 4; a++)
                assert_true(kn_environment_value(one, KN_RELIABILITY, a, r) ==
                            kn_environment_value(two, KN_RELIABILITY, a, r));
        mean[i] = kn_environment_moments(one, KN_RELIABILITY, 0).mean;
        if (i) {
            double advisors = kn_environment_figure(one, "advisors").mean, sum = 0;
            static const char *const parts[] = {"segment 1", "segment 2", "segment 3", "tier 3"};
            for (int p = 0; p < 4; p++) sum += kn_environment_figure(one, parts[p]).mean;
            assert_float_equal(advisors, sum, 1e-9);
            assert_true(advisors > 10 && advisors <= kn_environment_figure(one, "pairs").mean);
            double decisions = kn_environment_tally(one, "decisions", -1).mean,
                   advised = kn_environment_tally(one, "advised", -1).mean;
            assert_true(advised > 0.7 * decisions && advised <= decisions);
            assert_true((kn_environment_tally(one, "enforced", -1).mean > 0) == (i < 3));
        }
        kn_environment_free(one);
        kn_environment_free(two);
    }
    assert_true(mean[0] < 35);
    assert_true(mean[1] > mean[0] + 20 && mean[2] > mean[0] + 20);
    assert_true(mean[3] > 75);
}

/* The thesis's index finds the same Advisors: play is the same, move by move. */
static void test_index(void **state)
{
    (void)state;
    KnEnvironmentResult *bits = train("seqlearner(sitact)", 2),
                        *hash = train("seqlearner(sitact, index=hash)", 2);
    for (uint64_t r = 0; r < bits->count; r++)
        for (int a = 0; a < 4; a++) {
            assert_int_equal(bits->runs[r].score[a].wins, hash->runs[r].score[a].wins);
            assert_int_equal(bits->runs[r].score[a].draws, hash->runs[r].score[a].draws);
            assert_int_equal(bits->runs[r].score[a].plies, hash->runs[r].score[a].plies);
        }
    kn_environment_free(bits);
    kn_environment_free(hash);
}

/* Nearest contexts draw with the perfect player, and know most boards they come to. */
static void test_nearest(void **state)
{
    (void)state;
    KnEnvironmentResult *one = train("seqlearner(method=nearest)", 1),
                        *two = train("seqlearner(method=nearest)", 2);
    for (uint64_t r = 0; r < one->count; r++)
        for (int a = 0; a < 4; a++)
            assert_true(kn_environment_value(one, KN_RELIABILITY, a, r) ==
                        kn_environment_value(two, KN_RELIABILITY, a, r));
    assert_true(kn_environment_moments(one, KN_RELIABILITY, 0).mean > 95);
    assert_true(kn_environment_tally(one, "enforced", 0).mean >
                0.5 * kn_environment_tally(one, "decisions", 0).mean); /* known boards */
    kn_environment_free(one);
    kn_environment_free(two);
}

static KnGameLearner *taught(const char *learner)
{
    KnError error;
    KnGameLearner *student;
    KnEnvironmentPlan plan = {.game = "tictactoe(lose)",
                              .learner = learner,
                              .environment = KN_TRAIN_DOUBLE,
                              .watch = 10,
                              .runs = 1,
                              .seed = 5};
    check_ok(error, kn_environment_teach(context, &plan, game, &student, &error));
    return student;
}

static const char *choose(KnPlayer *player, const char *position, KnArena *arena, KnText *why)
{
    KnError error;
    unsigned char bytes[game->position_size] __attribute__((aligned(16)));
    check_ok(error, game->type->parse_position(game, position, bytes, &error));
    KnMove moves[9];
    KnRng rng = kn_rng_seeded(2);
    KnRequest request = {.game = game,
                         .position = bytes,
                         .role = game->type->mover(game, bytes),
                         .allowed = moves,
                         .allowed_count = game->type->moves(game, bytes, moves),
                         .rng = &rng,
                         .wants = KN_WANT_EXPLANATION,
                         .arena = arena};
    KnAnswer answer = {0};
    check_ok(error, kn_player_begin(player, request.role, bytes, &error));
    check_ok(error, kn_player_choose(player, &request, &answer, &error));
    kn_text_clear(why);
    kn_explanation_print(answer.explanation, why);
    return kn_game_move_name(game, bytes, answer.move, arena);
}

/* Saved and read back it decides alike, with the same reasons. */
static void test_files(void **state)
{
    (void)state;
    KnError error;
    static const char *const positions[] = {".../.../... x", ".../.x./... o", "x../.../..o x",
                                            "xo./.x./..o x"};
    static const char *const learners[] = {"seqlearner", "seqlearner(sitact)", "seqlearner(method=nearest)"};
    for (int l = 0; l < 3; l++) {
        KnGameLearner *student = taught(learners[l]);
        check_ok(error, kn_game_learner_save(student, "seq.json", &error));
        KnPlayer *fresh, *read;
        check_ok(error, kn_game_learner_player(student, &fresh, &error));
        check_ok(error, kn_player_open(context, game, "seqlearner(\"seq.json\")", &read, &error));
        KnArena *arena = kn_arena_new();
        KnText a = KN_TEXT_EMPTY, b = KN_TEXT_EMPTY;
        bool told = false;
        for (int i = 0; i < 4; i++) {
            assert_string_equal(choose(fresh, positions[i], arena, &a),
                                choose(read, positions[i], arena, &b));
            told |= l < 2 ? strstr(a.data, "context") && strstr(a.data, "voted by")
                          : strstr(a.data, "its board") && strstr(a.data, "the pair");
            assert_true((strstr(a.data, "at random") != NULL) == (strstr(b.data, "at random") != NULL));
        }
        assert_true(told);
        kn_text_clear(&a);
        KnExplanation *root = kn_explanation_new(arena, "what it learned");
        student->type->explain(student, arena, root);
        kn_explanation_print(root, &a);
        assert_non_null(strstr(a.data, "plays"));
        assert_non_null(strstr(a.data, "where: "));
        kn_text_clear(&b);
        kn_explanation_svg(root, NULL, NULL, &b); /* the same as a picture, with boards */
        assert_non_null(strstr(b.data, "<svg"));
        assert_true(strstr(b.data, "<rect x=") && !strstr(b.data, "<style") && strstr(b.data, "</svg>"));
        kn_text_free(&a);
        kn_text_free(&b);
        kn_arena_free(arena);
        kn_player_close(fresh);
        kn_player_close(read);
        kn_game_learner_close(student);
    }
}

static void refuse(json_t *root, const char *why)
{
    KnError error;
    KnGameLearner *student;
    check_fails(error, KN_INPUT, why,
                kn_game_learner_parse(context, game, "seqlearner", root, "seq", &student, &error));
    json_decref(root);
}

static json_t *loaded(json_t **first)
{
    KnError error;
    json_t *root;
    check_ok(error, kn_json_load_file("seq.json", &root, &error));
    *first = json_array_get(json_object_get(json_object_get(root, "knowledge"), "advisors"), 0);
    assert_non_null(*first);
    return root;
}

static void test_bad_files(void **state)
{
    (void)state;
    KnError error;
    KnGameLearner *student = taught("seqlearner"), *again;
    check_ok(error, kn_game_learner_save(student, "seq.json", &error));
    check_ok(error, kn_game_learner_load(context, game, NULL, "seq.json", &again, &error));
    KnState *game_state = kn_state_new(game);
    KnPlayedGame watched;
    check_ok(error, kn_played_game_from(game_state, (double[]){0, 0}, 1, 0, &watched, &error));
    check_fails(error, KN_INPUT, "do not learn on", kn_game_learner_learn(again, &watched, &error));
    kn_played_game_free(&watched);
    kn_state_free(game_state);
    kn_game_learner_close(again);
    kn_game_learner_close(student);
    json_t *first, *root = loaded(&first);
    json_object_set_new(first, "weight", json_real(1.5));
    refuse(root, "from 0 to 1");
    root = loaded(&first);
    json_object_set_new(first, "context", json_string("x.."));
    refuse(root, "context");
    root = loaded(&first);
    json_object_set_new(first, "sequences", json_pack("[s]", "a3 z9 b1"));
    refuse(root, "sequences[0]");
    root = loaded(&first);
    json_object_set_new(first, "sequences", json_array());
    refuse(root, "at least one");
    root = loaded(&first);
    json_object_set_new(first, "extra", json_true());
    refuse(root, "extra");
    root = loaded(&first);
    json_object_set_new(root, "format", json_integer(99));
    refuse(root, "another version");
    KnPlayer *player;
    KnText text = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("seq.json", &text, 1 << 24, &error));
    check_ok(error, kn_file_write_atomic("cut.json", text.data, text.length / 2, &error));
    kn_text_free(&text);
    check_fails(error, KN_INPUT, "cut.json",
                kn_player_open(context, game, "seqlearner(\"cut.json\")", &player, &error));
    KnGame *other;
    check_ok(error, kn_game_open(context, "tictactoe", &other, &error));
    check_fails(error, KN_INPUT, "other rules",
                kn_player_open(context, other, "seqlearner(\"seq.json\")", &player, &error));
    kn_game_close(other);
    check_ok(error, kn_game_open(context, "go(size=19)", &other, &error));
    assert_int_not_equal(kn_player_open(context, other, "seqlearner(\"seq.json\")", &player, &error), KN_OK);
    kn_game_close(other);
}

static int setup(void **state)
{
    (void)state;
    KnError error;
    check_ok(error, kn_open("data", &context, &error));
    check_ok(error, kn_game_open(context, "tictactoe(lose)", &game, &error));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    kn_game_close(game);
    kn_close(context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_learns), cmocka_unit_test(test_nearest),
                                       cmocka_unit_test(test_index), cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_bad_files)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
