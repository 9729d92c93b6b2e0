/* Numbers that players tell, computed a second time: by brute force, by counting games again, or from the
 * file that they stand for. (More of them: test_explained_numbers.c; searches: players/test_search_limits.c.)
 */
#include "support/check.h"
#include "support/told.h"
#include "support/workbench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "eval/evaluation.h"
#include "eval/ntuple.h"
#include "games/replay.h"
#include "learn/tree.h"
#include <knack/learn.h>
#include "methods/allocation/learned_policy.h"
#include "methods/experience/base.h"
#include "players/search_words.h"

/* The number behind a mark in a text, which must be there. */
static double after(const char *text, const char *mark)
{
    const char *at = strstr(text, mark);
    if (!at) fail_msg("\"%s\" is not in \"%s\"", mark, text);
    return strtod(at + strlen(mark), NULL);
}

static double size_of(const json_t *row) { return (double)json_array_size(json_object_get(row, "children")); }

/* ---- endgame: discs ahead after each move ---- */

static int best_margin(const KnGame *game, const void *position, int role)
{
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, position, moves), best = -1000;
    double payoffs[KN_ROLES_MAX];
    if (!count) {
        game->type->payoffs(game, position, payoffs);
        return (int)payoffs[role];
    }
    int mover = game->type->mover(game, position);
    _Alignas(16) unsigned char next[game->position_size];
    for (int i = 0; i < count; i++) {
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        int margin = best_margin(game, next, mover);
        if (margin > best) best = margin;
    }
    return mover == role ? best : -best;
}

static void test_endgame(void **state)
{
    (void)state;
    for (int plies = 53; plies < 58; plies++) {
        Told told = told_ask("othello(payoff=discs)", plies, "endgame(random, empties=12)", (KnBudget){0});
        const void *position = kn_state_position(told.state);
        int margin = best_margin(told.game, position, told.role);
        char said[40];
        snprintf(said, sizeof said, margin ? "it %s by %d with" : "it draws with",
                 margin > 0 ? "wins" : "loses", abs(margin));
        if (!strstr(told_head(&told), said)) fail_msg("\"%s\" does not say \"%s\"", told_head(&told), said);
        assert_true(told_number(told.document, "searched") == (double)told.answer.cost.nodes);
        KnMove moves[told.game->max_moves];
        int count = kn_state_moves(told.state, told.role, moves);
        const json_t *rows = told_child(told.document, "moves");
        assert_true(size_of(rows) == count);
        for (int i = 0; i < count; i++) {
            _Alignas(16) unsigned char next[told.game->position_size];
            memcpy(next, position, told.game->position_size);
            told.game->type->play(told.game, next, moves[i]);
            const char *name = kn_game_move_name(told.game, position, moves[i], told.arena);
            assert_int_equal(atoi(told_text(rows, name)), best_margin(told.game, next, told.role));
        }
        told_free(&told);
    }
}

/* ---- evaluations: the parts and their sum ---- */

/* "1 x -4" has the number -4; the sum of the rows is the sum that is told, which is the value. */
static void check_features(const char *game, const char *eval, int plies)
{
    KnError error;
    char spec[200];
    snprintf(spec, sizeof spec, "alphabeta(depth=1, eval=%s)", eval);
    Told told = told_ask(game, plies, spec, (KnBudget){0});
    KnEvaluation *evaluation;
    check_ok(error, kn_evaluation_open_text(workbench, told.game, eval, &evaluation, &error));
    check_ok(error, kn_evaluation_prepare(evaluation, 0, &error));
    const json_t *here = told_child(told.document, "evaluation here");
    double value = kn_evaluate_for(evaluation, kn_state_position(told.state), told.role), sum = 0;
    if (told_child(here, "together")) {
        size_t i;
        json_t *row;
        json_array_foreach(json_object_get(here, "children"), i, row)
        {
            const char *text = json_string_value(json_object_get(row, "text"));
            double share, weight, part;
            if (!text) continue;
            if (sscanf(text, "%lf x %lf = %lf", &share, &weight, &part) == 3) {
                assert_true(fabs(share * weight - part) <
                            0.051 * fabs(weight) + 0.051 + 0.0006 * fabs(share));
                sum += part;
            } else
                sum += strtod(text, NULL); /* always */
        }
        double together = told_number(here, "together");
        assert_true(fabs(sum - together) < 0.26); /* rows are rounded to a tenth */
        if (fabs(50 + 50 * value / KN_SCORE_PAYOFF - together) > 0.13)
            fail_msg("%s: together %g, the evaluation has %g", eval, together, value);
    } else {
        size_t i;
        json_t *row;
        json_array_foreach(json_object_get(here, "children"), i, row)
            sum += json_number_value(json_object_get(row, "number"));
        double stated = strtod(told_text(here, "sum"), NULL);
        if (fabs(sum - stated) > 0.51) fail_msg("%s: rows %g, sum %g", eval, sum, stated);
        if (fabs(value - stated) > 1) fail_msg("%s: sum %g, the evaluation has %g", eval, stated, value);
    }
    kn_evaluation_close(evaluation);
    told_free(&told);
}

static void test_parts_of_evaluations(void **state)
{
    (void)state;
    for (int plies = 0; plies < 30; plies += 7) {
        check_features("checkers", "features(weights=chinook-original)", plies);
        check_features("othello", "features(weights=othello-patterns)", plies);
        check_features("gdl:breakthrough", "blend", plies);
    }
}

static void test_network(void **state)
{
    (void)state;
    KnError error;
    for (int plies = 0; plies < 30; plies += 9) {
        Told told = told_ask("checkers", plies, "alphabeta(depth=1, eval=ntuple)", (KnBudget){0});
        KnEvaluation *evaluation;
        check_ok(error, kn_evaluation_open_text(workbench, told.game, "ntuple", &evaluation, &error));
        double value = kn_evaluate_for(evaluation, kn_state_position(told.state), told.role),
               win = tanh(value / KN_NETWORK_SCORE);
        const char *said = told_text(told_child(told.document, "evaluation here"), "prediction");
        assert_true(fabs(strtod(said, NULL) - win) < 0.0075);
        assert_true(fabs(after(said, "a win: ") - (50 + 50 * win)) < 0.6);
        kn_evaluation_close(evaluation);
        told_free(&told);
    }
}

/* ---- experience: games counted again ---- */

enum { GAMES = 60, KINDS = 25 };

typedef struct Line {
    KnState *state;
    int times;
    double outcome;
} Line;

static bool passes(const Line *line, const void *position)
{
    const KnGame *game = kn_state_game(line->state);
    for (size_t ply = 0; ply <= kn_state_plies(line->state); ply++)
        if (memcmp(kn_state_position_at(line->state, ply), position, game->position_size) == 0) return true;
    return false;
}

typedef struct Count {
    double games, distinct, sum;
} Count;

static Count count_through(const Line *lines, const void *position)
{
    Count count = {0};
    for (int i = 0; i < KINDS; i++) {
        if (!lines[i].times || !passes(&lines[i], position)) continue;
        count.games += lines[i].times;
        count.distinct++;
        count.sum += lines[i].times * lines[i].outcome;
    }
    return count;
}

/* "12 games (5 distinct)" or "1 game", and "mean +0.2" for the mover. */
static void check_counts(const char *text, const char *before, Count count, double sign)
{
    double games = after(text, before);
    if (games != count.games) fail_msg("%s: there were %g games", text, count.games);
    const char *in_all = strstr(text, " distinct)");
    while (in_all && *in_all != '(') in_all--;
    assert_true((in_all ? strtod(in_all + 1, NULL) : games) == count.distinct);
    if (fabs(after(text, "mean ") - sign * count.sum / count.games) > 0.051)
        fail_msg("%s: the mean is %g", text, sign * count.sum / count.games);
}

static void check_position(const Line *lines, const char *moves)
{
    KnError error;
    KnText position = KN_TEXT_EMPTY;
    KnGame *game = test_workbench_game("tictactoe");
    KnState *at = kn_state_new(game);
    check_ok(error, kn_replay(at, moves, &error));
    game->type->position_text(game, kn_state_position(at), &position);
    Told told = told_at("tictactoe", position.data, "experience(random, base=told.mdb)");
    double sign = told.role == 0 ? 1 : -1;
    const json_t *group = told_child(told.document, "experience"), *rows = told_child(group, "known moves");
    Count here = count_through(lines, kn_state_position(at));
    if (here.games == 0)
        assert_string_equal(told_text(group, "position"), "never met");
    else {
        check_counts(told_text(group, "position"), "met in ", here, sign);
        KnMove legal[game->max_moves];
        int count = kn_state_moves(at, told.role, legal), known = 0;
        for (int i = 0; i < count; i++) {
            _Alignas(16) unsigned char next[game->position_size];
            memcpy(next, kn_state_position(at), game->position_size);
            game->type->play(game, next, legal[i]);
            const char *text =
                told_text(rows, kn_game_move_name(game, kn_state_position(at), legal[i], told.arena));
            Count there = count_through(lines, next);
            if (!text[0]) continue;
            known++;
            check_counts(text, " of ", there, sign);
        }
        assert_true(size_of(rows) == known);
    }
    told_free(&told);
    kn_text_free(&position);
    kn_state_free(at);
    kn_game_close(game);
}

static void test_experience(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("tictactoe");
    KnBase *base;
    KnBaseKind kind = {.symmetry = false};
    unlink("told.mdb");
    check_ok(error,
             kn_base_open(workbench, game, "told.mdb", KN_BASE_MAKE | KN_BASE_WRITE, &kind, &base, &error));
    Line lines[KINDS] = {0};
    KnRng rng = kn_rng_seeded(5);
    for (int i = 0; i < KINDS; i++) {
        double payoffs[KN_ROLES_MAX];
        lines[i].state = kn_state_new(game);
        for (int first = 0; !kn_state_over(lines[i].state, payoffs); first++) {
            KnMove legal[game->max_moves];
            int count = kn_state_moves(lines[i].state,
                                       game->type->mover(game, kn_state_position(lines[i].state)), legal);
            uint32_t among = (uint32_t)(first < 2 && count > 2 ? 2 : count); /* openings that meet again */
            check_ok(error, kn_state_play(lines[i].state, legal[kn_rng_below(&rng, among)], &error));
        }
        lines[i].outcome = payoffs[0];
    }
    for (int i = 0; i < GAMES; i++) {
        Line *line = &lines[kn_rng_below(&rng, KINDS)];
        check_ok(error, kn_base_add(base, line->state, line->outcome, NULL, NULL, &error));
        line->times++;
    }
    kn_base_close(base);
    static const char *const positions[] = {"", "a3", "b3", "a3 b3", "a3 c3", "b3 a3", "a3 b3 c3", "c1 c2"};
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) check_position(lines, positions[i]);
    for (int i = 0; i < KINDS; i++) kn_state_free(lines[i].state);
    kn_game_close(game);
}

/* ---- allocation: accounts over a game, and the leaves of a policy ---- */

/* Plays the first role of draughts, with `check` after each of its moves. */
static void play_accounts(const char *spec,
                          void (*check)(const json_t *group, const KnAnswer *answer, void *),
                          const char *label, void *user)
{
    KnError error;
    KnGame *game = test_workbench_game("checkers");
    KnPlayer *player;
    check_ok(error, kn_player_open(workbench, game, spec, &player, &error));
    KnState *at = kn_state_new(game);
    KnArena *arena = kn_arena_new();
    KnRng rng = kn_rng_seeded(4);
    check_ok(error, kn_player_begin(player, 0, kn_state_position(at), &error));
    for (int ply = 0; ply < 40 && !kn_state_over(at, NULL); ply++) {
        int role = game->type->mover(game, kn_state_position(at));
        KnMove moves[game->max_moves], joint[2] = {KN_MOVE_NONE, KN_MOVE_NONE};
        KnRequest request = {.game = game,
                             .position = kn_state_position(at),
                             .history = kn_state_history(at),
                             .role = role,
                             .allowed = moves,
                             .allowed_count = kn_state_moves(at, role, moves),
                             .rng = &rng,
                             .wants = KN_WANT_EXPLANATION,
                             .arena = arena};
        joint[role] = moves[kn_rng_below(&rng, (uint32_t)request.allowed_count)];
        if (role == 0) {
            KnAnswer answer = {0};
            check_ok(error, kn_player_choose(player, &request, &answer, &error));
            json_t *document = kn_explanation_json(answer.explanation);
            check(told_child(document, label), &answer, user);
            json_decref(document);
            joint[0] = answer.move;
        }
        check_ok(error, kn_state_play_joint(at, joint, &error));
        check_ok(error, kn_player_observe(player, at, joint, &error));
    }
    kn_arena_free(arena);
    kn_state_free(at);
    kn_player_close(player);
    kn_game_close(game);
}

typedef struct Account {
    double left, of, moves, of_moves; /* as the move before must have left them; of 0: nothing yet */
    const KnLearnedPolicy *policy;
    int checked;
} Account;

static void check_left(const json_t *group, Account *account, const char *unit)
{
    double left, of, moves, of_moves;
    char format[80];
    snprintf(format, sizeof format, "%%lf of %%lf %s, for %%lf of %%lf moves", unit);
    const char *text = told_text(group, "left before this move");
    if (sscanf(text, format, &left, &of, &moves, &of_moves) != 4) fail_msg("\"%s\"", text);
    if (account->of == 0) *account = (Account){of, of, of_moves, of_moves, account->policy, 0};
    assert_true(of == account->of && of_moves == account->of_moves);
    if (fabs(left - account->left) > 1 || moves != account->moves)
        fail_msg("%s: it should be %g for %g", text, account->left, account->moves);
    account->checked++;
}

static void check_deep(const json_t *group, const KnAnswer *answer, void *user)
{
    (void)answer;
    Account *account = user;
    check_left(group, account, "deep searches");
    bool deep = strncmp(told_text(group, "decision"), "deep", 4) == 0;
    account->left -= deep;
    account->moves--;
    if (!told_child(group, "leaf")) return;
    const KnAllocationLeaf *leaf = &account->policy->leaves[(int)told_number(group, "leaf") - 1];
    double score = told_number(group, "probability that it pays"),
           threshold = told_number(group, "threshold with what is left");
    assert_true(score == leaf->score &&
                told_number(group, "share of positions in this leaf") == leaf->weight);
    assert_true(deep == (score >= threshold) || fabs(score - threshold) < 1e-6);
}

static void test_accounts(void **state)
{
    (void)state;
    KnError error;
    KnTrainPlan plan = {.learner =
                            "allocation(inner=alphabeta(table=off, eval=material), shallow=1, extra=2, "
                            "examples=300, relief=0, enrich=300)",
                        .game = "checkers",
                        .seed = 1,
                        .jobs = 1,
                        .out = "told-policy.json"};
    KnTrainResult result;
    KnLearnedPolicy *policy;
    check_ok(error, kn_train(workbench, &plan, &result, &error));
    kn_train_result_free(&result);
    KnGame *game = test_workbench_game("checkers");
    check_ok(error, kn_learned_policy_load("told-policy.json", game, &policy, &error));
    Account account = {.policy = policy};
    play_accounts("allocate(alphabeta(table=off, eval=material), k=1, n=2, deep=5, moves=20, "
                  "policy=told-policy.json)",
                  check_deep, "allocation", &account);
    assert_true(account.checked > 5);
    kn_learned_policy_free(policy);
    kn_game_close(game);
}

/* ---- proofs, puzzles, led random games, solved games ---- */

static void test_proofs(void **state)
{
    (void)state;
    static const char *const wins[] = {"xx./oo./... x", "x../.o./..x o", "xo./xo./..x o"};
    for (size_t i = 0; i < sizeof wins / sizeof *wins; i++) {
        KnError error;
        double payoffs[KN_ROLES_MAX];
        Told told = told_at("tictactoe", wins[i], "prove(random)");
        const json_t *group = told_child(told.document, "proofs");
        bool proved = strcmp(told_text(group, "own win"), "proved") == 0;
        Told exact = told_at("tictactoe", wins[i], "alphabeta(depth=9)");
        assert_true(proved == (exact.answer.score >= KN_SCORE_PROVEN));
        assert_true(told_number(group, "positions") ==
                    (double)told.answer.cost.nodes); /* random costs none */
        if (proved) {
            check_ok(error, kn_replay(told.state, told_text(group, "line"), &error));
            assert_true(kn_state_over(told.state, payoffs) && payoffs[told.role] == 1);
        }
        told_free(&exact);
        told_free(&told);
    }
    /* Only b2 saves this: of the choices that lose, none is played while another is left. */
    Told told = told_at("tictactoe", "x.o/.../..x o", "prove(random)");
    const json_t *group = told_child(told.document, "proofs");
    double refuted = told_child(group, "choices after which the other wins")
                         ? told_number(group, "choices after which the other wins")
                         : 0;
    const char *stands = told_text(group, "this choice");
    assert_true(refuted <= 5);
    if (strcmp(told.move.data, "b2") == 0)
        assert_string_equal(stands, "");
    else
        assert_non_null(strstr(stands, "the other wins after it as well"));
    told_free(&told);
}

static void test_puzzle(void **state)
{
    (void)state;
    KnError error;
    double payoffs[KN_ROLES_MAX];
    Told told = told_at("gdl:eightpuzzle", "start", "puzzle");
    double payoff = after(told_head(&told), "leads to "), length = after(told_head(&told), " in ");
    const char *line = told_text(told.document, "line");
    double moves = 0;
    for (const char *c = line; *c; c++) moves += *c == '(';
    assert_true(moves == length);
    check_ok(error, kn_replay(told.state, line, &error));
    assert_true(kn_state_over(told.state, payoffs) && payoffs[told.role] == payoff);
    assert_true(told_number(told.document, "searched") == (double)told.answer.cost.nodes);
    told_free(&told);
}

static void test_counts(void **state)
{
    (void)state;
    size_t i;
    json_t *row;
    Told told = told_ask("othello(size=6)", 4, "guided(nodes=500)", (KnBudget){0});
    double all = after(told_head(&told), ", in "), sum = 0, chances = 0;
    json_array_foreach(json_object_get(told_child(told.document, "random games"), "children"), i, row)
        sum += json_number_value(json_object_get(row, "number"));
    json_array_foreach(
        json_object_get(told_child(told.document, "chance that an expert plays it"), "children"), i, row)
        chances += json_number_value(json_object_get(row, "number"));
    assert_true(sum == all && fabs(chances - 1) < 1e-6);
    told_free(&told);
    for (int plies = 0; plies < 6; plies++) { /* solved: as many moves do as well as have the same value */
        told = told_ask("tictactoe", plies, "perfect", (KnBudget){0});
        const json_t *rows = told_child(told.document, "moves");
        const char *value = told_text(rows, told.move.data),
                   *also = strstr(told_head(&told), "known exactly. ");
        double equal = 0;
        json_array_foreach(json_object_get(rows, "children"), i, row)
            equal += strcmp(json_string_value(json_object_get(row, "text")), value) == 0;
        if (also && strstr(also, "moves do as well")) assert_true(strtod(also + 15, NULL) == equal);
        Told exact = told_ask("tictactoe", plies, "alphabeta(depth=9)", (KnBudget){0});
        const char *word = exact.answer.score > 0 ? "wins" : exact.answer.score < 0 ? "loses" : "draws";
        if (!strstr(told_head(&told), word)) fail_msg("\"%s\": it %s", told_head(&told), word);
        told_free(&exact);
        told_free(&told);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endgame),  cmocka_unit_test(test_parts_of_evaluations),
        cmocka_unit_test(test_network),  cmocka_unit_test(test_experience),
        cmocka_unit_test(test_accounts), cmocka_unit_test(test_proofs),
        cmocka_unit_test(test_puzzle),   cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
