/* Hoyle: lines are found, Advisors of the first tier do what they are named for, training is the same for any
 * number of threads and makes a player that draws with the perfect one, sequence trees are legal and are
 * followed, files come back as they were and bad ones are refused. */
#include "support/check.h"
#include <knack/base.h>
#include "methods/hoyle/environment.h"
#include "base/file.h"
#include "methods/hoyle/lines.h"
#include "methods/hoyle/tp_rote.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static KnContext *context;

static KnGame *open_game(const char *spec)
{
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    return game;
}

static void check_lines(const char *spec, int count, int sign, bool takes, int drawn)
{
    KnError error;
    KnGame *game = open_game(spec);
    KnBoardView *view;
    KnLines *lines;
    check_ok(error, kn_board_view_open(game, &view, &error));
    check_ok(error, kn_lines_open(view, &lines, &error));
    assert_int_equal(lines->count, count);
    if (count) assert_int_equal(lines->sign, sign);
    assert_int_equal(lines->takes, takes);
    if (drawn) assert_int_equal(lines->drawn_count, drawn);
    kn_lines_close(lines);
    kn_board_view_close(view);
    kn_game_close(game);
}

static void test_lines(void **state)
{
    (void)state;
    check_lines("tictactoe", 8, 1, false, 6);
    check_lines("tictactoe(lose)", 8, -1, false, 6);
    check_lines("morris(men=5)", 8, 1, true, 12);
    check_lines("morris(men=9)", 16, 1, true, 16);
    check_lines("othello(size=6)", 0, 1, true, 12);
    check_lines("checkers", 0, 1, true, 0);
}

/* The move and the sentence of a player at a position. */
static const char *decide(const char *game_spec, const char *position_text, const char *player_spec,
                          KnArena *arena, const char **why)
{
    KnError error;
    KnGame *game = open_game(game_spec);
    KnPlayer *player;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    check_ok(error, kn_player_open(context, game, player_spec, &player, &error));
    check_ok(error, game->type->parse_position(game, position_text, position, &error));
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, position, moves), role = game->type->mover(game, position);
    KnRng rng = kn_rng_seeded(1);
    KnRequest request = {.game = game,
                         .position = position,
                         .role = role,
                         .allowed = moves,
                         .allowed_count = count,
                         .rng = &rng,
                         .wants = KN_WANT_EXPLANATION,
                         .arena = arena};
    KnAnswer answer = {0};
    check_ok(error, kn_player_begin(player, role, position, &error));
    check_ok(error, kn_player_choose(player, &request, &answer, &error));
    KnText text = KN_TEXT_EMPTY;
    kn_explanation_print(answer.explanation, &text);
    *why = kn_arena_string(arena, text.data);
    const char *name = kn_game_move_name(game, position, answer.move, arena);
    kn_text_free(&text);
    kn_player_close(player);
    kn_game_close(game);
    return name;
}

static void test_first_tier(void **state)
{
    (void)state;
    KnArena *arena = kn_arena_new();
    const char *why;
    assert_string_equal(decide("tictactoe", "xx./oo./... x", "hoyle", arena, &why), "c3");
    assert_non_null(strstr(why, "Victory"));
    assert_string_equal(decide("tictactoe", "x../oo./..x x", "hoyle", arena, &why),
                        "c2"); /* Panic: the other threatens c2 */
    assert_non_null(strstr(why, "Panic"));
    assert_memory_equal(decide("morris(men=5)", "WW./.../.B.W/.../BB. w", "hoyle", arena, &why), "10-3x",
                        5); /* any mill wins: two are left */
    assert_non_null(strstr(why, "Victory"));
    /* Don't Lose: a3 and c2 would complete lines of x; Enough Rope: what is left is not where o would lose.
     */
    const char *move = decide("tictactoe(lose)", "xo./xo./... x", "hoyle", arena, &why);
    assert_string_not_equal(move, "a1");
    assert_string_not_equal(move, "b1"); /* there o would have to complete a line: leave it to him */
    assert_non_null(strstr(why, "Don't Lose: takes away 1"));
    assert_non_null(strstr(why, "Enough Rope: takes away 1"));
    /* The second tier shows who said what. */
    decide("morris(men=5)", "WW./.../..../..B/B.. w 4", "hoyle", arena, &why);
    assert_non_null(strstr(why, "Material (weight 0.50): "));
    assert_non_null(strstr(why, "votes"));
    kn_arena_free(arena);
}

static KnEnvironmentResult *train(const char *game, const char *learner, int jobs, const char *save)
{
    KnError error;
    KnEnvironmentResult *training;
    KnEnvironmentPlan plan = {.game = game,
                              .learner = learner,
                              .watch = 30,
                              .test = 20,
                              .runs = 3,
                              .seed = 11,
                              .jobs = jobs,
                              .save = save};
    check_ok(error, kn_environment_run(context, &plan, &training, &error));
    return training;
}

/* The thesis: above 96% against all four. */
static void test_lose_tictactoe(void **state)
{
    (void)state;
    KnEnvironmentResult *one = train("tictactoe(lose)", "hoyle(sequences=rote)", 1, "one.json"),
                        *two = train("tictactoe(lose)", "hoyle(sequences=rote)", 2, "two.json");
    KnText a = KN_TEXT_EMPTY, b = KN_TEXT_EMPTY;
    KnError error;
    check_ok(error, kn_file_read("one.json", &a, 1 << 22, &error));
    check_ok(error, kn_file_read("two.json", &b, 1 << 22, &error));
    assert_string_equal(a.data, b.data);
    for (int agent = 0; agent < 4; agent++) {
        assert_true(kn_environment_moments(one, KN_RELIABILITY, agent).mean >= 85);
        for (uint64_t r = 0; r < 3; r++)
            assert_true(json_equal(one->runs[r].score[agent].tally, two->runs[r].score[agent].tally));
    }
    assert_true(kn_environment_tally(one, "enforcer", 0).mean > 0 &&
                kn_environment_tally(one, "multi-step", 0).mean > 0);
    KnMoments trees = kn_environment_figure(one, "trees"),
              states = kn_environment_figure(one, "imitate states");
    assert_true(trees.mean >= 1 && states.mean > trees.mean); /* that is what trees are for */
    kn_text_free(&a), kn_text_free(&b);
    kn_environment_free(one), kn_environment_free(two);
}

/* Of ten games in which the same three moves open, nine go on alike: the tree has that, and follows it in
 * every orientation. */
static void test_rote(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = open_game("tictactoe(lose)");
    KnBoardView *view;
    KnTpRote *rote;
    check_ok(error, kn_board_view_open(game, &view, &error));
    check_ok(error,
             kn_tp_rote_open(view, &(KnTpRoteSettings){.significant = 5, .cutoff_base = 0.25, .stops = true},
                             &rote, &error));
    static const KnMove usual[] = {4, 0, 8, 1, 7, 3, 6}, other[] = {4, 0, 8, 5, 1, 2, 6};
    for (int i = 0; i < 10; i++) {
        KnState *game_state = kn_state_new(game);
        for (int ply = 0; ply < 5; ply++)
            check_ok(error, kn_state_play(game_state, i == 3 ? other[ply] : usual[ply], &error));
        KnPlayedGame watched;
        check_ok(error, kn_played_game_from(game_state, (double[]){0, 0}, 1, 0, &watched, &error));
        check_ok(error, kn_tp_rote_gather(rote, &watched, &error));
        kn_played_game_free(&watched);
        kn_state_free(game_state);
    }
    check_ok(error, kn_tp_rote_filter(rote, &error));
    KnTpRoteCounts counts = kn_tp_rote_counts(rote);
    assert_true(counts.trees >= 1 && counts.moves >= 3);
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    game->type->start(game, position);
    KnTpRoteRun run;
    KnAction actions[8];
    assert_true(kn_tp_rote_enter(rote, 0, position, &run));
    assert_int_equal(kn_tp_rote_choices(rote, &run, actions, 8), 1);
    assert_int_equal(actions[0].to, 4);
    assert_true(kn_tp_rote_follow(rote, &run, actions[0]));
    for (int16_t corner = 0; corner < 9; corner = (int16_t)(corner == 0   ? 2
                                                            : corner == 2 ? 6
                                                            : corner == 6 ? 8
                                                                          : 9)) {
        KnTpRoteRun copy = run; /* the answer to any corner is the one opposite */
        assert_true(kn_tp_rote_follow(rote, &copy, (KnAction){KN_NO_CELL, corner, KN_NO_CELL}));
        assert_int_equal(kn_tp_rote_choices(rote, &copy, actions, 8), 1);
        assert_int_equal(actions[0].to, 8 - corner);
    }
    assert_false(kn_tp_rote_follow(rote, &run, (KnAction){KN_NO_CELL, 1, KN_NO_CELL}));
    KnImitate *imitate;
    check_ok(error, kn_imitate_build(rote, &imitate, &error));
    assert_int_equal(kn_imitate_choices(imitate, 0, position, actions, 8), 1);
    kn_imitate_close(imitate);
    kn_tp_rote_close(rote);
    kn_board_view_close(view);
    kn_game_close(game);
}

static void damage(const char *from, const char *what, const char *with)
{
    KnError error;
    KnText text = KN_TEXT_EMPTY, out = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read(from, &text, 1 << 22, &error));
    char *at = strstr(text.data, what);
    assert_non_null(at);
    kn_text_add_bytes(&out, text.data, (size_t)(at - text.data));
    kn_text_add(&out, with);
    kn_text_add(&out, at + strlen(what));
    check_ok(error, kn_file_write_atomic("bad.json", out.data, out.length, &error));
    kn_text_free(&text), kn_text_free(&out);
}

static void test_files(void **state)
{
    (void)state;
    KnError error;
    KnGame *lose = open_game("tictactoe(lose)"), *win = open_game("tictactoe");
    KnGameLearner *learner;
    KnPlayer *player;
    kn_environment_free(train("tictactoe(lose)", "hoyle(sequences=rote)", 1, "one.json"));
    check_ok(error, kn_game_learner_load(context, lose, "hoyle", "one.json", &learner, &error));
    check_ok(error, kn_game_learner_save(learner, "again.json", &error));
    kn_game_learner_close(learner);
    KnText a = KN_TEXT_EMPTY, b = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("one.json", &a, 1 << 22, &error));
    check_ok(error, kn_file_read("again.json", &b, 1 << 22, &error));
    json_t *x = json_loads(a.data, 0, NULL), *y = json_loads(b.data, 0, NULL);
    assert_true(json_equal(x, y));
    json_decref(x), json_decref(y);
    kn_text_free(&a), kn_text_free(&b);
    check_ok(error, kn_player_open(context, lose, "hoyle(knowledge=one.json)", &player, &error));
    kn_player_close(player);
    check_fails(error, KN_INPUT, "other rules",
                kn_player_open(context, win, "hoyle(knowledge=one.json)", &player, &error));
    check_fails(error, KN_SYSTEM, "none.json",
                kn_player_open(context, lose, "hoyle(knowledge=none.json)", &player, &error));
    damage("one.json", "\"Candide\": ", "\"Candide\": 7");
    check_fails(error, KN_INPUT, "from 0 to 1",
                kn_player_open(context, lose, "hoyle(knowledge=bad.json)", &player, &error));
    damage("one.json", "\"move\": \"", "\"move\": \"z");
    check_fails(error, KN_INPUT, "no legal move",
                kn_player_open(context, lose, "hoyle(knowledge=bad.json)", &player, &error));
    damage("one.json", "\"trees\"", "\"shrubs\"");
    check_fails(error, KN_INPUT, "shrubs",
                kn_player_open(context, lose, "hoyle(knowledge=bad.json)", &player, &error));
    unlink("one.json"), unlink("two.json"), unlink("again.json"), unlink("bad.json");
    kn_game_close(lose), kn_game_close(win);
}

/* Playing instead of watching fills what Cyber and Not Again look up. */
static void test_playing(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = open_game("tictactoe(lose)");
    KnGameLearner *learner;
    KnEnvironmentPlan plan = {.game = "tictactoe(lose)",
                              .learner = "hoyle",
                              .environment = KN_TRAIN_PLAYING,
                              .watch = 10,
                              .seed = 4};
    check_ok(error, kn_environment_teach(context, &plan, game, &learner, &error));
    json_t *knowledge = learner->type->knowledge(learner), *item;
    size_t i, drawn = 0;
    json_array_foreach(json_object_get(knowledge, "states"), i, item)
        drawn += json_object_get(item, "drawn") != NULL;
    assert_true(drawn > 0);
    json_decref(knowledge);
    kn_game_learner_close(learner);
    kn_game_close(game);
}

/* Patterns are an option: the file holds them then, comes back, and Patsy and the concepts speak with their
 * boards. */
/* What an Advisor said of a move in "b2 10, a1 3"; -1: nothing. *most: the highest of all. */
static int strength_of(const char *said, const char *move, int *most)
{
    char copy[512], *rest = NULL, name[16];
    int found = -1, strength;
    assert_true(strlen(said) < sizeof copy);
    strcpy(copy, said);
    *most = -1;
    for (char *one = strtok_r(copy, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
        assert_int_equal(sscanf(one, " %15s %d", name, &strength), 2);
        if (strcmp(name, move) == 0) found = strength;
        if (strength > *most) *most = strength;
    }
    return found;
}

/* The reasons for a weight are true: in a game for it the expert's move, the last one, is among those that
 * the Advisor backs most, or not among those that it opposes; in a game against it, it is the other way
 * round. */
static void test_reasons(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = open_game("tictactoe(lose)");
    KnGameLearner *learner;
    KnEnvironmentPlan plan = {.game = game->spec,
                              .learner = "hoyle",
                              .watch = 20,
                              .seed = 11,
                              .ply_limit = 60,
                              .agents = {"perfect", "random"}};
    check_ok(error, kn_environment_teach(context, &plan, game, &learner, &error));
    json_t *knowledge = learner->type->knowledge(learner), *of, *row, *one;
    const char *advisor, *kind;
    int seen[2] = {0};
    of = json_array_get(json_object_get(knowledge, "reasons"), 0);
    json_object_foreach(of, advisor, row) json_object_foreach(row, kind, one)
    {
        const char *moves = json_string_value(json_object_get(one, "moves")), *last = strrchr(moves, ' ');
        int most, right = strcmp(kind, "right") == 0;
        int strength = strength_of(json_string_value(json_object_get(one, "said")), last ? last + 1 : moves,
                                   &most);
        int agrees = most > 5 ? strength == most : strength < 0 || strength >= 5;
        if (agrees != right) fail_msg("%s %s: %s", advisor, kind, json_dumps(one, JSON_COMPACT));
        assert_true(json_integer_value(json_object_get(one, "decisions")) > 0);
        seen[right]++;
    }
    assert_true(seen[0] > 3 && seen[1] > 5);
    json_decref(knowledge);
    kn_game_learner_close(learner);
    kn_game_close(game);
}

static void test_patterns(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = open_game("tictactoe(lose)");
    KnGameLearner *learner;
    KnPlayer *player;
    kn_environment_free(train("tictactoe(lose)", "hoyle(+patterns)", 1, "one.json"));
    KnEnvironmentResult *two = train("tictactoe(lose)", "hoyle(+patterns)", 2, "two.json");
    assert_true(kn_environment_figure(two, "concepts").mean >= 1 &&
                kn_environment_figure(two, "cached patterns").mean >= 10);
    assert_true(kn_environment_moments(two, KN_RELIABILITY, 0).mean >= 85);
    kn_environment_free(two);
    check_ok(error, kn_game_learner_load(context, game, "hoyle", "two.json", &learner, &error));
    check_ok(error, kn_game_learner_save(learner, "again.json", &error));
    kn_game_learner_close(learner);
    KnText a = KN_TEXT_EMPTY, b = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("one.json", &a, 1 << 22, &error));
    check_ok(error, kn_file_read("two.json", &b, 1 << 22, &error));
    assert_string_equal(a.data, b.data);
    kn_text_clear(&b);
    check_ok(error, kn_file_read("again.json", &b, 1 << 22, &error));
    json_t *x = json_loads(a.data, 0, NULL), *y = json_loads(b.data, 0, NULL);
    assert_true(json_equal(x, y));
    json_decref(x), json_decref(y);
    KnArena *arena = kn_arena_new();
    const char *why;
    decide("tictactoe(lose)", "x../o../... x", "hoyle(knowledge=one.json)", arena, &why);
    assert_non_null(strstr(why, "Patsy (weight "));
    assert_non_null(strstr(why, "a spatial Advisor (weight "));
    assert_non_null(strstr(why, "its pattern: "));
    assert_non_null(strstr(why, "only seen where o won"));
    decide("tictactoe(lose)", "x../o../... x", "hoyle", arena, &why);
    assert_null(strstr(why, "Patsy"));
    kn_arena_free(arena);
    damage("one.json", "\"Patsy\": [", "\"Patsy\": [0.5,");
    check_fails(error, KN_INPUT, "stages",
                kn_player_open(context, game, "hoyle(knowledge=bad.json)", &player, &error));
    damage("one.json", "\"outcome\": \"lost\"", "\"outcome\": \"found\"");
    check_fails(error, KN_INPUT, "\"found\"",
                kn_player_open(context, game, "hoyle(knowledge=bad.json)", &player, &error));
    damage("one.json", "hoyle(+patterns)", "hoyle(+patterns, view=2)"); /* still the whole of this board */
    check_ok(error, kn_player_open(context, game, "hoyle(knowledge=bad.json)", &player, &error));
    kn_player_close(player);
    damage("one.json", "hoyle(+patterns)", "hoyle");
    check_fails(error, KN_INPUT, "no +patterns",
                kn_player_open(context, game, "hoyle(knowledge=bad.json)", &player, &error));
    kn_text_free(&a), kn_text_free(&b);
    unlink("one.json"), unlink("two.json"), unlink("again.json"), unlink("bad.json");
    kn_game_close(game);
}

static bool same_knowledge(const char *one, const char *other)
{
    json_t *x = json_load_file(one, 0, NULL), *y = json_load_file(other, 0, NULL);
    bool same = x && y && json_equal(x, y);
    json_decref(x), json_decref(y);
    return same;
}

/* What the second tier's votes for b2 add up to, once Seq-Advisor has this weight. */
static double votes_for_the_middle(const char *file, double weight)
{
    const char *why;
    KnArena *arena = kn_arena_new();
    json_t *knowledge = json_load_file(file, 0, NULL), *weights = json_object();
    json_object_set_new(weights, "Seq-Advisor", json_pack("[f]", weight));
    json_object_update(json_object_get(json_object_get(knowledge, "knowledge"), "sequences"), weights);
    assert_int_equal(json_dump_file(knowledge, "bad.json", 0), 0);
    json_decref(weights);
    json_decref(knowledge);
    decide("tictactoe(lose)", ".../.../... x", "hoyle(knowledge=bad.json)", arena, &why);
    double votes = strtod(strstr(why, "b2: ") + 4, NULL);
    kn_arena_free(arena);
    return votes;
}

/* Seq-Advisor learns beside the rest, comments in the second tier or decides where it stands higher, and
 * travels in the file. */
static void test_seq_advisor(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = open_game("tictactoe(lose)");
    KnGameLearner *learner;
    KnPlayer *player;
    kn_environment_free(train("tictactoe(lose)", "hoyle(seq-advisor=second)", 1, "one.json"));
    KnEnvironmentResult *two = train("tictactoe(lose)", "hoyle(seq-advisor=second)", 2, "two.json");
    assert_true(kn_environment_figure(two, "sitact advisors").mean >= 1);
    double weight = kn_environment_figure(two, "weight 0 Seq-Advisor").mean;
    assert_true(weight > 0.5 && weight <= 1); /* it foresees the expert better than chance */
    assert_true(kn_environment_moments(two, KN_RELIABILITY, 0).mean >= 85);
    kn_environment_free(two);
    assert_true(same_knowledge("one.json", "two.json"));
    check_ok(error, kn_game_learner_load(context, game, "hoyle", "two.json", &learner, &error));
    check_ok(error, kn_game_learner_save(learner, "again.json", &error));
    assert_true(same_knowledge("two.json", "again.json"));
    check_ok(error, kn_game_learner_end_tournament(learner, &error));
    check_ok(error, kn_game_learner_freeze(learner, &error));
    kn_game_learner_close(learner);
    KnArena *arena = kn_arena_new();
    const char *why;
    assert_string_equal(decide("tictactoe(lose)", ".../.../... x", "hoyle(knowledge=one.json)", arena, &why),
                        "b2");
    assert_non_null(strstr(why, "Seq-Advisor (weight "));
    /* it backs b2 with 10 of 10, which is 5 more than neutral */
    assert_true(fabs(votes_for_the_middle("one.json", 1) - votes_for_the_middle("one.json", 0.2) - 4) < 1e-3);
    damage("one.json", "seq-advisor=second", "seq-advisor=first");
    assert_string_equal(decide("tictactoe(lose)", ".../.../... x", "hoyle(knowledge=bad.json)", arena, &why),
                        "b2");
    assert_non_null(strstr(why, "Seq-Advisor says that most Sitact Advisors"));
    decide("tictactoe(lose)", ".../.../... x", "hoyle", arena, &why);
    assert_null(strstr(why, "Seq-Advisor"));
    kn_arena_free(arena);
    damage("one.json", "hoyle(seq-advisor=second)", "hoyle");
    check_fails(error, KN_INPUT, "no seq-advisor",
                kn_player_open(context, game, "hoyle(knowledge=bad.json)", &player, &error));
    damage("one.json", "\"Seq-Advisor\": [", "\"Seq-Advisor\": [0.5,");
    check_fails(error, KN_INPUT, "stages",
                kn_player_open(context, game, "hoyle(knowledge=bad.json)", &player, &error));
    damage("one.json", "\"context\": \"", "\"context\": \"?");
    check_fails(error, KN_INPUT, "no pattern",
                kn_player_open(context, game, "hoyle(knowledge=bad.json)", &player, &error));
    unlink("one.json"), unlink("two.json"), unlink("again.json"), unlink("bad.json");
    kn_game_close(game);
}

int main(void)
{
    KnError error;
    if (kn_open("data", &context, &error) != KN_OK) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),          cmocka_unit_test(test_first_tier),
        cmocka_unit_test(test_lose_tictactoe), cmocka_unit_test(test_rote),
        cmocka_unit_test(test_files),          cmocka_unit_test(test_playing),
        cmocka_unit_test(test_patterns),       cmocka_unit_test(test_seq_advisor),
        cmocka_unit_test(test_reasons)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    kn_close(context);
    return failed;
}
