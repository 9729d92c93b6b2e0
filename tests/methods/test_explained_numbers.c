/* Every number that an explanation gives is one of what made the answer: the base behind `experience`, the
 * searches and accounts behind `allocate` and `clock`, the comments and weights behind `hoyle`. (Searches by
 * themselves: tests/players/test_search_limits.c.) */
#include "support/check.h"
#include "support/workbench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/explanation.h"
#include "methods/experience/base.h"

static void assert_close(double one, double other, double most) { assert_true(fabs(one - other) <= most); }

/* ---- asking ---- */

typedef struct Asked {
    KnAnswer answer;
    KnArena *arena;
    KnMove moves[256];
    int count;
    KnScore values[256];
} Asked;

static void ask(KnPlayer *player, const KnState *state, uint64_t seed, Asked *asked)
{
    KnError error;
    const KnGame *game = kn_state_game(state);
    int role = game->type->mover(game, kn_state_position(state));
    KnRng rng = kn_rng_seeded(seed);
    *asked = (Asked){.arena = kn_arena_new()};
    asked->count = kn_state_moves(state, role, asked->moves);
    KnRequest request = {.game = game,
                         .position = kn_state_position(state),
                         .history = kn_state_history(state),
                         .role = role,
                         .allowed = asked->moves,
                         .allowed_count = asked->count,
                         .rng = &rng,
                         .wants = KN_WANT_EXPLANATION,
                         .arena = asked->arena};
    check_ok(error, kn_player_choose(player, &request, &asked->answer, &error));
    assert_non_null(asked->answer.explanation);
}

static const KnExplanation *child(const KnExplanation *of, const char *label)
{
    for (const KnExplanation *at = of ? of->first : NULL; at; at = at->next)
        if (strcmp(at->label, label) == 0) return at;
    return NULL;
}

static void make_random_moves(KnState *state, KnRng *rng, int plies)
{
    KnError error;
    const KnGame *game = kn_state_game(state);
    KnMove moves[game->max_moves];
    for (int i = 0; i < plies && !kn_state_over(state, NULL); i++) {
        int count = kn_state_moves(state, game->type->mover(game, kn_state_position(state)), moves);
        check_ok(error, kn_state_play(state, moves[kn_rng_below(rng, (uint32_t)count)], &error));
    }
}

/* ---- experience ---- */

static void fill_base(const KnGame *game, const char *path)
{
    KnError error;
    KnBase *base;
    unlink(path);
    check_ok(error, kn_base_open(workbench, game, path, KN_BASE_MAKE | KN_BASE_LOOSE, NULL, &base, &error));
    KnState *state = kn_state_new(game);
    for (uint64_t i = 0; i < 200; i++) {
        KnRng rng = kn_rng_stream(5, i % 120); /* some games come again */
        double payoffs[KN_ROLES_MAX];
        kn_state_reset(state, NULL);
        make_random_moves(state, &rng, 100);
        assert_true(kn_state_over(state, payoffs));
        KnBasePlay play = {.id = i + 1, .opponent = i % 3 ? "anna" : "bert"};
        check_ok(error, kn_base_add(base, state, kn_base_outcome(state, payoffs), &play, NULL, &error));
    }
    kn_state_free(state);
    kn_base_close(base);
}

/* "value +1, mean +0.7 of 6 games (2 distinct); 2 paths": each of them. */
static void check_row(const char *text, const KnBaseMove *row, double sign)
{
    double value, mean;
    unsigned long long games, distinct, paths;
    int used = 0;
    assert_int_equal(sscanf(text, "value %lf, mean %lf of %llu game%n", &value, &mean, &games, &used), 3);
    const char *rest = strchr(text, '('), *end = strchr(text, ';');
    assert_non_null(end);
    distinct = games;
    if (rest && rest < end) assert_int_equal(sscanf(rest, "(%llu distinct)", &distinct), 1);
    assert_int_equal(sscanf(end, "; %llu path", &paths), 1);
    assert_close(value, sign * row->value, 1e-4);
    assert_close(mean, sign * row->mean, 0.0500001);
    assert_true(games == row->games && distinct == row->distinct && paths == row->paths);
}

static int check_experience(KnPlayer *player, KnBase *base, const KnState *state, uint64_t seed)
{
    KnError error;
    Asked asked;
    const KnGame *game = kn_state_game(state);
    const void *position = kn_state_position(state);
    ask(player, state, seed, &asked);
    KnBaseMove rows[asked.count];
    KnBaseView view;
    check_ok(error, kn_base_look(base, position, asked.moves, asked.count, rows, &view, &error));
    double sign = game->type->mover(game, position) == 0 ? 1 : -1;
    const KnExplanation *group = child(asked.answer.explanation, "experience");
    const KnExplanation *met = child(group, "position"), *known = child(group, "known moves");
    int checked = 0;
    assert_non_null(met);
    if (view.known) {
        unsigned long long games, paths;
        double value, mean;
        const char *after = strstr(met->text, ", ");
        assert_int_equal(sscanf(met->text, "met in %llu game", &games), 1);
        while (after && sscanf(after, ", %llu path", &paths) != 1) after = strstr(after + 1, ", ");
        assert_non_null(after);
        assert_int_equal(
            sscanf(strstr(met->text, "value "), "value %lf for the mover, mean %lf", &value, &mean), 2);
        assert_true(games == view.games && paths == view.paths);
        assert_close(value, sign * view.value, 1e-4);
        assert_close(mean, sign * view.mean, 0.0500001);
    } else
        assert_string_equal(met->text, "never met");
    for (int i = 0; i < asked.count; i++) {
        KnText name = KN_TEXT_EMPTY;
        game->type->move_text(game, position, asked.moves[i], &name);
        const KnExplanation *line = child(known, name.data);
        assert_true((line != NULL) == (view.known && rows[i].explored));
        if (line) check_row(line->text, &rows[i], sign), checked++;
        kn_text_free(&name);
    }
    kn_arena_free(asked.arena);
    return checked;
}

static void test_experience(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(workbench, "othello(size=4)", &game, &error));
    fill_base(game, "told.mdb");
    static const char *const rules[] = {"gina", "explore", "expect", "curious"};
    int checked = 0;
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        char spec[120];
        KnPlayer *player;
        KnBase *base;
        snprintf(spec, sizeof spec, "experience(alphabeta(depth=2), base=told.mdb, rule=%s)", rules[r]);
        check_ok(error, kn_player_open(workbench, game, spec, &player, &error));
        check_ok(error, kn_base_open(workbench, game, "told.mdb", 0, NULL, &base, &error));
        KnState *played = kn_state_new(game);
        for (int i = 0; i < 30; i++) {
            KnRng rng = kn_rng_stream(7, (uint64_t)i);
            kn_state_reset(played, NULL);
            make_random_moves(played, &rng, i % 8);
            if (!kn_state_over(played, NULL)) checked += check_experience(player, base, played, (uint64_t)i);
        }
        kn_state_free(played);
        kn_base_close(base);
        kn_player_close(player);
    }
    assert_true(checked > 100);
    kn_game_close(game);
}

/* ---- allocation ---- */

/* The searched positions are those that the answer costs, and what is left is what was not spent. */
static void check_account(const char *spec, const char *group, bool counts_nodes)
{
    KnError error;
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(workbench, "othello(size=6)", &game, &error));
    check_ok(error, kn_player_open(workbench, game, spec, &player, &error));
    KnState *state = kn_state_new(game);
    KnRng rng = kn_rng_seeded(4);
    double spent = 0;
    int asked_moves = 0;
    check_ok(error, kn_player_begin(player, 0, kn_state_position(state), &error));
    while (!kn_state_over(state, NULL) && asked_moves < 8) {
        int role = game->type->mover(game, kn_state_position(state));
        KnMove joint[2] = {KN_MOVE_NONE, KN_MOVE_NONE}, moves[64];
        int count = kn_state_moves(state, role, moves);
        joint[role] = moves[kn_rng_below(&rng, (uint32_t)count)];
        if (role == 0) {
            Asked asked;
            ask(player, state, 1, &asked);
            const KnExplanation *told = asked.answer.explanation, *account = child(told, group),
                                *searched = child(told, "searched"),
                                *left = child(account, "left before this move");
            double now, whole;
            int moves_left, moves_whole;
            assert_non_null(left);
            const char *form = counts_nodes ? "%lf of %lf positions, for %d of %d moves"
                                            : "%lf of %lf deep searches, for %d of %d moves";
            assert_int_equal(sscanf(left->text, form, &now, &whole, &moves_left, &moves_whole), 4);
            assert_close(now, whole - spent, counts_nodes ? 0.5 : 0);
            assert_int_equal(moves_left, moves_whole - asked_moves);
            if (searched) assert_close(searched->number, (double)asked.answer.cost.nodes, 0);
            if (counts_nodes)
                spent += (double)asked.answer.cost.nodes;
            else
                spent += strncmp(child(account, "decision")->text, "deep", 4) == 0;
            asked_moves++;
            joint[role] = asked.answer.move;
            kn_arena_free(asked.arena);
        }
        check_ok(error, kn_state_play_joint(state, joint, &error));
        check_ok(error, kn_player_observe(player, state, joint, &error));
    }
    assert_true(asked_moves == 8);
    kn_state_free(state);
    kn_player_close(player);
    kn_game_close(game);
}

static void test_allocation(void **state)
{
    (void)state;
    check_account("allocate(alphabeta, policy=random, k=2, n=4)", "allocation", false);
    check_account("clock(alphabeta, units=4000, moves=20)", "clock", true);
}

/* ---- Hoyle ---- */

/* The votes are the sum over Advisors of weight times (strength - 5). Those that say the same of every move
 * are not listed, and shift all votes alike. */
static void test_hoyle(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(workbench, "tictactoe", &game, &error));
    check_ok(error, kn_player_open(workbench, game, "hoyle", &player, &error));
    KnState *played = kn_state_new(game);
    int checked = 0;
    for (int i = 0; i < 60; i++) {
        Asked asked;
        KnRng rng = kn_rng_stream(3, (uint64_t)i);
        kn_state_reset(played, NULL);
        make_random_moves(played, &rng, i % 5);
        if (kn_state_over(played, NULL)) continue;
        check_ok(error, kn_player_begin(player, i % 5 % 2, kn_state_position(played), &error));
        ask(player, played, 2, &asked);
        const KnExplanation *votes = child(asked.answer.explanation, "votes"),
                            *comments = child(asked.answer.explanation, "comments");
        double shift = NAN, best = -INFINITY, chosen = NAN;
        for (const KnExplanation *vote = votes ? votes->first : NULL; vote; vote = vote->next) {
            double sum = 0;
            KnText here = KN_TEXT_EMPTY;
            game->type->move_text(game, kn_state_position(played), asked.answer.move, &here);
            for (const KnExplanation *said = comments->first; said; said = said->next) {
                double weight;
                const char *from = strstr(said->label, "(weight ");
                const KnExplanation *strength = child(said, vote->label);
                assert_true(said->first && from && sscanf(from, "(weight %lf", &weight) == 1);
                if (strength && !strstr(said->label, "not heard")) sum += weight * (strength->number - 5);
            }
            if (isnan(shift)) shift = vote->number - sum;
            assert_close(vote->number - sum, shift, 1e-6);
            if (vote->number > best) best = vote->number;
            if (strcmp(vote->label, here.data) == 0) chosen = vote->number;
            kn_text_free(&here);
            checked++;
        }
        if (votes) assert_close(chosen, best, 0); /* the most support */
        kn_arena_free(asked.arena);
    }
    assert_true(checked > 60);
    kn_state_free(played);
    kn_player_close(player);
    kn_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_experience), cmocka_unit_test(test_allocation),
                                       cmocka_unit_test(test_hoyle)};
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
