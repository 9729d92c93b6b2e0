/* Stacks: what nests sensibly opens and plays a game by the rules on several games; what does not is
 * refused with the reason. */
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "arena/match.h"
#include "arena/learner.h"
#include "support/workbench.h"

/* {weights}, {base}, {hoyle}, and {trust} with its own {book}, stand for what was learned for the game. */
static const char *const sensible[] = {
    "experience(allocate(alphabeta(eval=features(weights={weights})), k=1, n=1), base={base})",
    "experience(clock(prove(alphabeta(eval=features(weights={weights}))), units=2000, moves=20), "
    "base={base}, rule=expect)",
    "allocate(experience(alphabeta, base={base}), k=1, n=1, policy=dynamic)",
    "allocate(prove(alphabeta, nodes=50), k=1, n=1)",
    "clock(experience(alphabeta, base={book}, rule=trust, file={trust}), units=2000, moves=20)",
    "hoyle({hoyle}, search=experience(clock(prove(alphabeta), units=1000, moves=20), base={book}, "
    "rule=trust, file={trust}, doubt=1))",
    "clock(allocate(alphabeta, k=1, n=1), units=2000, moves=20)",
    "hoyle({hoyle}, search=alphabeta(depth=2))",
    "hoyle({hoyle}, search=experience(clock(alphabeta, units=1000, moves=20), base={base}))",
    "prove(hoyle({hoyle}), nodes=100)",
    "prove(experience(uct(playouts=20), base={base}), nodes=100)",
    "noisy(prove(hoyle({hoyle}, search=uct(playouts=20)), nodes=60), epsilon=0.2)",
    "alphabeta(depth=1, eval=blend(mobility(who=both), focus, fit=10, by=td))",
    "experience(alphabeta(depth=1, eval=facts(games=10)), base={base})",
    "allocate(alphabeta(eval=blend(mobility(who=both), focus, fit=10, by=td)), k=1, n=1)",
};

static const struct {
    const char *spec, *why;
} nonsense[] = {
    {"allocate(random, k=1)", "does not look ahead by depth"},
    {"allocate(uct, k=1)", "does not look ahead by depth"},
    {"clock(hoyle)", "does not look ahead by depth"},
    {"allocate(allocate(alphabeta, k=2), k=2)", "set twice"},
    {"clock(allocate(clock(alphabeta), k=1), units=10)", "accounts of the same positions"},
    {"prove(noisy(prove(alphabeta)))", "tried to prove already"},
    {"allocate(alphabeta(depth=1), k=3, n=1)", "its own depth=1 is less"},
    {"hoyle(search=nobody)", "nobody"},
    {"alphabeta(eval=alphabeta)", "no evaluation \"alphabeta\""},
    {"experience(material, base=x.mdb)", "material"},
    {"experience(clock(alphabeta), base=x.mdb, rule=faith)", "faith"},
    {"prove(pipe(\"cat\"))", "cannot be asked for another move"},
    {"hoyle(search=pipe(\"cat\"))", "cannot be asked about some of the moves"},
};

static void fill(const char *text, const char *const files[5], KnText *out)
{
    static const char *const names[5] = {"{weights}", "{base}", "{hoyle}", "{trust}", "{book}"};
    for (const char *at = text; *at;) {
        int found = -1;
        for (int i = 0; i < 5; i++)
            if (strncmp(at, names[i], strlen(names[i])) == 0) found = i;
        if (found < 0)
            kn_text_add_char(out, *at++);
        else
            kn_text_add_quoted(out, files[found]), at += strlen(names[found]);
    }
}

static void check_stacks(const char *game)
{
    static const char *const learners[4] = {
        "td(depth=1, games=2, plies=30)",
        "experience(games=2, inner=alphabeta(depth=1, memory=1), against=alphabeta(depth=1, memory=1), "
        "epsilon=0.1, rule=expect, plies=30)",
        "hoyle(watch=1, agents=\"alphabeta(depth=2, memory=1); random\", plies=30)",
        "trust(inner=alphabeta(memory=1), units=50, examples=20, games=2, player=alphabeta(depth=1, "
        "memory=1), "
        "moves=16, random-plies=0, least=2)"};
    const char *files[5] = {"stack-weights.json", "stack-base.mdb", "stack-hoyle.json", "stack-trust.json",
                            "stack-trust.json.mdb"};
    KnError error;
    KnContext *context = test_workbench("stacks");
    for (int i = 0; i < 4; i++) {
        KnTrainResult trained;
        KnTrainPlan plan = {.learner = learners[i], .game = game, .seed = 3, .jobs = 1, .out = files[i]};
        remove(files[i]);
        check_ok(error, kn_train(context, &plan, &trained, &error));
        kn_train_result_free(&trained);
    }
    for (size_t i = 0; i < sizeof sensible / sizeof *sensible; i++) {
        KnText spec = KN_TEXT_EMPTY;
        KnMatchResult result;
        fill(sensible[i], files, &spec);
        KnMatchPlan plan = {.game = game,
                            .players = {spec.data, "random"},
                            .games = 2,
                            .seed = 1,
                            .jobs = 1,
                            .rules = {.ply_limit = 30}};
        check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
        if (result.first_fault[0]) fail_msg("%s on %s: %s", spec.data, game, result.first_fault);
        assert_int_equal(result.standing.games, 2);
        kn_text_free(&spec);
    }
    kn_close(context);
}

static void test_sensible(void **state)
{
    (void)state;
    check_stacks("tictactoe");
    check_stacks("othello(size=6)");
    check_stacks("gdl:connectfour");
}

static void test_nonsense(void **state)
{
    (void)state;
    KnContext *context = test_workbench("stacks");
    KnGame *game;
    KnError error;
    check_ok(error, kn_game_open(context, "checkers", &game, &error));
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        KnPlayer *player;
        KnStatus status = kn_player_open(context, game, nonsense[i].spec, &player, &error);
        if (status == KN_OK) fail_msg("%s was opened", nonsense[i].spec);
        if (!strstr(error.text, nonsense[i].why)) fail_msg("%s: %s", nonsense[i].spec, error.text);
    }
    kn_game_close(game);
    kn_close(context);
}

/* The search is asked, and its vote counts: with all the weight, Hoyle plays what it says wherever the first
 * tier leaves the choice. */
static void test_search_as_advisor(void **state)
{
    (void)state;
    KnContext *context = test_workbench("stacks");
    KnError error;
    KnMatchResult without, with_none, with_all;
    KnMatchPlan plan = {
        .game = "othello(size=6)", .players = {"hoyle", "random"}, .games = 6, .seed = 5, .jobs = 1};
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &without, &error));
    plan.players[0] = "hoyle(search=alphabeta(depth=3), weight=0)";
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &with_none, &error));
    plan.players[0] = "hoyle(search=alphabeta(depth=3), weight=100)";
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &with_all, &error));
    char none[KN_HEX128], all[KN_HEX128];
    kn_digest_hex(&with_none.standing.digest, none);
    kn_digest_hex(&with_all.standing.digest, all);
    assert_string_not_equal(none, all);
    assert_true(with_none.standing.cost[0].nodes > without.standing.cost[0].nodes);
    assert_true(with_all.standing.cost[0].nodes > without.standing.cost[0].nodes);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nonsense),
                                       cmocka_unit_test(test_search_as_advisor),
                                       cmocka_unit_test(test_sensible)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
