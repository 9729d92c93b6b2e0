/* Trust in experience: what a base's entry says, how examples of it are made, and what the player does with a
 * policy learned from them. */
#include "support/check.h"
#include "support/workbench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/match.h"
#include "games/replay.h"
#include "methods/allocation/train.h"
#include "methods/experience/player.h"
#include "methods/experience/entry_features.h"

#define GAME   "othello(size=6)"
#define SEARCH "alphabeta(depth=1)"

static KnGame *game;

/* A base of a few games of two shallow searches, one of which errs. */
static void make_base(const char *path, uint64_t games)
{
    KnError error;
    KnMatchResult result;
    char spec[160];
    unlink(path);
    snprintf(spec, sizeof spec, "experience(%s, base=\"%s\", rule=expect, learn, -sync, group=20)", SEARCH,
             path);
    KnMatchPlan plan = {.game = GAME,
                        .players = {spec, "noisy(" SEARCH ", epsilon=0.2)"},
                        .games = games,
                        .seed = 4,
                        .jobs = 1};
    check_ok(error, kn_match_run(workbench, &plan, NULL, NULL, &result, &error));
    assert_string_equal(result.first_fault, "");
}

static KnPolicyTraining training_of(const char *base, int jobs)
{
    KnPolicyTraining t = kn_policy_training_defaults();
    t.play = (KnExamplesPlan){.inner = "alphabeta",
                              .moves = 18,
                              .random_plies = 1,
                              .explore = 0.5,
                              .seed = 6,
                              .jobs = jobs,
                              .trust = {.base = base, .nodes = 60, .judging = 20}};
    t.tree = 150;
    t.relief = t.enrich = 0;
    t.game_features = false;
    t.general_features = true;
    t.plan = (KnTreePlan){.measure = KN_TREE_VARIANCE, .cuts = true, .least = 15};
    t.by_value = true;
    t.decide = KN_BY_MAJORITY;
    return t;
}

/* A game of one line: what the entries of its positions say can be told by hand. */
static void test_entry(void **state)
{
    (void)state;
    KnError error;
    KnBase *base;
    unlink("line.mdb");
    check_ok(error, kn_base_open(workbench, game, "line.mdb", KN_BASE_MAKE | KN_BASE_WRITE | KN_BASE_LOOSE,
                                 NULL, &base, &error));
    KnState *game_state = kn_state_new(game);
    KnRng rng = kn_rng_seeded(5);
    KnMove moves[64];
    while (!kn_state_over(game_state, NULL)) {
        int count = kn_state_moves(game_state, game->type->mover(game, kn_state_position(game_state)), moves);
        check_ok(error, kn_state_play(game_state, moves[kn_rng_below(&rng, (uint32_t)count)], &error));
    }
    check_ok(error, kn_base_add(base, game_state, 6, NULL, NULL, &error));
    const void *second = kn_state_position_at(game_state,
                                              1); /* white to move, one of whose moves was played */
    int count = kn_game_moves_of(game, second, 1, moves);
    KnBaseMove rows[64];
    KnBaseView view;
    KnEntry entry;
    check_ok(error, kn_base_look(base, second, moves, count, rows, &view, &error));
    KnExpect expect = kn_entry_expect(base, game, 1);
    check_ok(error, kn_entry_read(&expect, second, rows, &view, &entry, &error));
    assert_true(rows[entry.best].explored);
    assert_true(rows[entry.best].move == kn_state_joint_at(game_state, 1)[1]);
    assert_true(entry.value == -6); /* seen by white, and drawn towards the mean, which is the same */
    assert_true(entry.columns[KN_ENTRY_GAMES] == 1 && entry.columns[KN_ENTRY_KNOWN] == view.explored);
    assert_true(entry.columns[KN_ENTRY_UNKNOWN] == count - view.explored);
    assert_true(entry.columns[KN_ENTRY_MEAN] == -6 && entry.columns[KN_ENTRY_BACKED] == -6);
    assert_true(entry.columns[KN_ENTRY_LEAD] == 0 && entry.columns[KN_ENTRY_SPREAD] == 0);
    assert_true(entry.columns[KN_ENTRY_BOOK] == KN_ENTRY_AHEAD); /* the line goes on to its end */
    kn_state_free(game_state);
    kn_base_close(base);
}

/* The same examples for any number of threads; each is a position that the base knows, with an entry; saved
 * and loaded they are the same. */
static void test_examples(void **state)
{
    (void)state;
    KnError error;
    make_base("few.mdb", 60);
    KnExamples one, two, read;
    KnExamplesPlan plan = training_of("few.mdb", 1).play;
    plan.count = 80;
    check_ok(error, kn_examples_make(workbench, game, &plan, NULL, &one, &error));
    plan.jobs = 2;
    check_ok(error, kn_examples_make(workbench, game, &plan, NULL, &two, &error));
    check_ok(error, kn_examples_save(&one, &plan, "trust.tsv", &error));
    check_ok(error, kn_examples_load(game, &plan, "trust.tsv", &read, &error));
    assert_int_equal(one.count, 80);
    KnBase *base;
    check_ok(error, kn_base_open(workbench, game, "few.mdb", 0, NULL, &base, &error));
    int gains = 0;
    for (size_t i = 0; i < one.count; i++) {
        const void *position = kn_example_position(&one, i);
        assert_memory_equal(position, kn_example_position(&two, i), game->position_size);
        assert_memory_equal(position, kn_example_position(&read, i), game->position_size);
        assert_memory_equal(one.tags[i].entry, two.tags[i].entry, sizeof one.tags[i].entry);
        assert_memory_equal(one.tags[i].entry, read.tags[i].entry, sizeof one.tags[i].entry);
        double gain = one.tags[i].value.utility;
        assert_true(gain == two.tags[i].value.utility && gain == read.tags[i].value.utility &&
                    fabs(gain) <= 1);
        assert_true(one.tags[i].value.positive == (gain > 0));
        gains += gain != 0;
        KnMove moves[64];
        KnBaseMove rows[64];
        KnBaseView view;
        int role = game->type->mover(game, position), count = kn_game_moves_of(game, position, role, moves);
        check_ok(error, kn_base_look(base, position, moves, count, rows, &view, &error));
        assert_true(view.explored > 0);
        assert_true((double)one.tags[i].entry[KN_ENTRY_GAMES] == (double)view.games &&
                    (double)one.tags[i].entry[KN_ENTRY_KNOWN] == view.explored);
    }
    assert_true(gains > 0);
    kn_base_close(base);
    plan.trust.nodes = 61;
    KnExamples other;
    assert_int_equal(kn_examples_load(game, &plan, "trust.tsv", &other, &error), KN_INPUT);
    assert_non_null(strstr(error.text, "made otherwise"));
    plan.trust.nodes = 0;
    assert_int_equal(kn_examples_make(workbench, game, &plan, NULL, &other, &error), KN_INPUT);
    kn_examples_free(&one);
    kn_examples_free(&two);
    kn_examples_free(&read);
}

static void learn_policy(const char *base, const char *file)
{
    KnError error;
    KnPolicyTrainingSets sets;
    KnLearnedPolicy *learned, *again;
    KnPolicyTraining t = training_of(base, 2);
    check_ok(error, kn_policy_training_sets_make(workbench, game, &t, NULL, NULL, &sets, &error));
    check_ok(error, kn_policy_training_learn(game, &t, &sets, &learned, NULL, &error));
    check_ok(error, kn_learned_policy_save(learned, file, &error));
    check_ok(error, kn_learned_policy_load(file, game, &again, &error));
    assert_int_equal(kn_learned_policy_purpose(again), KN_FOR_TRUST);
    assert_int_equal(again->tree->leaf_count, learned->tree->leaf_count);
    kn_learned_policy_free(learned);
    kn_learned_policy_free(again);
    kn_policy_training_sets_free(&sets);
}

typedef struct Asked {
    KnMove move;
    uint64_t nodes;
    KnExperienceTally tally;
    KnText explanation;
} Asked;

/* At the start, with this doubt. */
static Asked ask(double doubt)
{
    KnError error;
    KnPlayer *player;
    char spec[160];
    snprintf(spec, sizeof spec, "experience(%s, base=few.mdb, rule=trust, file=trust.json, doubt=%g)", SEARCH,
             doubt);
    check_ok(error, kn_player_open(workbench, game, spec, &player, &error));
    _Alignas(16) unsigned char start[game->position_size];
    KnMove moves[64];
    KnRng rng = kn_rng_seeded(1);
    KnArena *arena = kn_arena_new();
    game->type->start(game, start);
    check_ok(error, kn_player_begin(player, 0, start, &error));
    KnRequest request = {.game = game,
                         .position = start,
                         .allowed = moves,
                         .allowed_count = kn_game_moves_of(game, start, 0, moves),
                         .rng = &rng,
                         .wants = KN_WANT_EXPLANATION,
                         .arena = arena,
                         .budget = {.nodes = 500}};
    KnAnswer answer = {0};
    check_ok(error, kn_player_choose(player, &request, &answer, &error));
    Asked asked = {.move = answer.move,
                   .nodes = answer.cost.nodes,
                   .tally = *kn_experience_tally(player),
                   .explanation = KN_TEXT_EMPTY};
    json_t *told = kn_explanation_json(answer.explanation);
    kn_json_canonical(told, &asked.explanation);
    json_decref(told);
    kn_player_close(player);
    kn_arena_free(arena);
    return asked;
}

/* Whatever was learned, a doubt of 1 trusts and one below -1 would not: the player does as the leaf says, and
 * tells it. */
static void test_player(void **state)
{
    (void)state;
    make_base("few.mdb", 60);
    learn_policy("few.mdb", "trust.json");
    Asked trusting = ask(1), doubting = ask(-1);
    assert_int_equal(trusting.nodes, 0);
    assert_int_equal(trusting.tally.from_base, 1);
    assert_non_null(strstr(trusting.explanation.data, "trusted without a search"));
    assert_non_null(strstr(trusting.explanation.data, "a search of up to 500 positions"));
    assert_non_null(strstr(trusting.explanation.data, "what a search gains there on average"));
    assert_true(doubting.nodes > 0);
    assert_int_equal(doubting.tally.searched, 1);
    assert_non_null(strstr(doubting.explanation.data, "not trusted"));
    kn_text_free(&trusting.explanation);
    kn_text_free(&doubting.explanation);
}

/* Inside of a clock what is saved is left for other moves; around one it is not. */
static void test_accounts(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "clock(experience(alphabeta, base=few.mdb, rule=trust, file=trust.json, doubt=1), units=900, "
        "moves=18)",
        "experience(clock(alphabeta, units=900, moves=18), base=few.mdb, rule=trust, file=trust.json, "
        "doubt=1)",
        "clock(alphabeta, units=900, moves=18)",
    };
    uint64_t nodes[3];
    make_base("few.mdb", 60);
    learn_policy("few.mdb", "trust.json");
    for (int i = 0; i < 3; i++) {
        KnError error;
        KnMatchResult result;
        KnMatchPlan plan = {
            .game = GAME, .players = {specs[i], "noisy(" SEARCH ")"}, .games = 12, .seed = 9, .jobs = 2};
        check_ok(error, kn_match_run(workbench, &plan, NULL, NULL, &result, &error));
        assert_string_equal(result.first_fault, "");
        nodes[i] = result.standing.cost[0].nodes;
    }
    assert_true(nodes[1] < nodes[0]);
    assert_true(nodes[1] < nodes[2]);
}

static void refused(const char *spec, const char *why)
{
    KnError error;
    KnPlayer *player;
    assert_int_equal(kn_player_open(workbench, game, spec, &player, &error), KN_INPUT);
    if (!strstr(error.text, why)) fail_msg("%s: %s", spec, error.text);
}

static void test_refusals(void **state)
{
    (void)state;
    make_base("few.mdb", 60);
    learn_policy("few.mdb", "trust.json");
    refused("experience(" SEARCH ", base=few.mdb, rule=trust)", "goes with file=");
    refused("experience(" SEARCH ", base=few.mdb, file=trust.json)", "no other rule does");
    refused("allocate(alphabeta, policy=learned(\"trust.json\"))", "learned for experience(rule=trust)");
    refused("clock(alphabeta, pace=learned, file=trust.json)", "learned for experience(rule=trust)");
    refused("clock(alphabeta(-deepening), pace=dynamic, first=trust.json)",
            "learned for experience(rule=trust)");
}

static int set_up(void **state)
{
    (void)state;
    KnError error;
    workbench = test_workbench("data");
    return workbench && kn_game_open(workbench, GAME, &game, &error) == KN_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    kn_game_close(game);
    kn_close(workbench);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_entry), cmocka_unit_test(test_examples),
                                       cmocka_unit_test(test_player), cmocka_unit_test(test_accounts),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
