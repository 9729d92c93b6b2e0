/* Proof before search: proofs are correct (checked by exhaustion in small games), and the player makes use of
 * them. */
#include "support/check.h"

#include <string.h>

#include "base/arena.h"
#include "base/explanation.h"
#include "players/player.h"
#include "search/dfpn_win.h"
#include "support/workbench.h"

/* 1 if the side to move wins, by exhaustive search. */
static int wins(const KnGame *game, const void *position)
{
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, position, moves), role = game->type->mover(game, position);
    _Alignas(16) unsigned char next[game->position_size];
    for (int i = 0; i < count; i++) {
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        if (kn_game_over(game, next)) {
            double payoffs[2];
            game->type->payoffs(game, next, payoffs);
            if (payoffs[role] > 0) return 1;
        } else {
            KnMove replies[game->max_moves];
            int answers = game->type->moves(game, next, replies), all = 1;
            _Alignas(16) unsigned char after[game->position_size];
            for (int r = 0; r < answers && all; r++) {
                memcpy(after, next, game->position_size);
                game->type->play(game, after, replies[r]);
                double payoffs[2];
                if (kn_game_over(game, after))
                    game->type->payoffs(game, after, payoffs), all = payoffs[role] > 0;
                else
                    all = wins(game, after);
            }
            if (all) return 1;
        }
    }
    return 0;
}

/* Random positions of tic-tac-toe, both forms: the search says yes exactly where exhaustion does, and its
 * move keeps the win. */
static void check_exact(const char *spec)
{
    KnError error;
    KnContext *context = test_workbench("prove");
    KnGame *game;
    KnDfpnWin *winning;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    check_ok(error, kn_dfpn_win_new(game, 12, &winning, &error));
    KnRng rng = kn_rng_seeded(5);
    int yes = 0, no = 0;
    for (int sample = 0; sample < 200; sample++) {
        _Alignas(16) unsigned char position[game->position_size];
        game->type->start(game, position);
        for (int ply = 2 + (int)kn_rng_below(&rng, 4); ply > 0 && !kn_game_over(game, position); ply--) {
            KnMove moves[game->max_moves];
            int count = game->type->moves(game, position, moves);
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
        }
        if (kn_game_over(game, position)) continue;
        KnMove move;
        uint64_t nodes;
        bool found = kn_dfpn_win_run(winning, position, NULL, 100000, &move, &nodes);
        assert_int_equal(found, wins(game, position));
        assert_true(nodes > 0);
        *(found ? &yes : &no) += 1;
    }
    assert_true(yes > 10 && no > 10);
    kn_dfpn_win_free(winning);
    kn_game_close(game);
    kn_close(context);
}

static void test_exact(void **state)
{
    (void)state;
    check_exact("tictactoe");
    check_exact("tictactoe(lose)");
    check_exact("fives(4, 3, 3)");
}

static KnMove ask(const KnContext *context, const char *spec, const char *board, const char *player,
                  KnText *name)
{
    KnError error;
    KnGame *game;
    KnPlayer *who;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    check_ok(error, kn_player_open(context, game, player, &who, &error));
    _Alignas(16) unsigned char position[game->position_size];
    check_ok(error, game->type->parse_position(game, board, position, &error));
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, position, moves);
    KnRng rng = kn_rng_seeded(1);
    KnRequest request = {.game = game,
                         .position = position,
                         .role = game->type->mover(game, position),
                         .allowed = moves,
                         .allowed_count = count,
                         .rng = &rng};
    KnAnswer answer = {0};
    check_ok(error, kn_player_begin(who, request.role, position, &error));
    check_ok(error, kn_player_choose(who, &request, &answer, &error));
    kn_text_clear(name);
    game->type->move_text(game, position, answer.move, name);
    kn_player_close(who);
    kn_game_close(game);
    return answer.move;
}

/* The random inner player is not asked if a win is proved, and not followed if its choice is refuted. */
static void test_player(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("prove");
    KnText name = KN_TEXT_EMPTY;
    KnGame *game;
    check_ok(error, kn_game_open(context, "tictactoe", &game, &error));
    _Alignas(16) unsigned char position[game->position_size];
    game->type->start(game, position);
    KnMove moves[9];
    static const int line[] = {0, 4, 8, 2}; /* x in two corners, o in the middle and a third corner: x must
                                               take the fourth side of o's line */
    for (int i = 0; i < 4; i++) {
        int count = game->type->moves(game, position, moves), taken = 0;
        for (int k = 0; k < i; k++) taken += line[k] < line[i];
        assert_true(line[i] - taken < count);
        game->type->play(game, position, moves[line[i] - taken]);
    }
    KnText board = KN_TEXT_EMPTY;
    game->type->position_text(game, position, &board);
    KnMove forced = ask(context, "tictactoe", board.data, "prove(random, nodes=2000)", &name);
    for (int seed = 0; seed < 3; seed++)
        assert_true(ask(context, "tictactoe", board.data, "prove(random, nodes=2000)", &name) == forced);
    game->type->play(game, position, forced);
    KnDfpnWin *winning;
    check_ok(error, kn_dfpn_win_new(game, 12, &winning, &error));
    KnMove reply;
    uint64_t nodes;
    assert_false(kn_dfpn_win_run(winning, position, NULL, 100000, &reply,
                                 &nodes)); /* it was the one move that does not lose */
    kn_dfpn_win_free(winning);
    kn_text_free(&name);
    kn_text_free(&board);
    kn_game_close(game);
    kn_close(context);
}

/* One choice of the player; true if it says that its win is proved. */
static bool choose_proved(KnPlayer *player, const KnGame *game, const void *position, KnRng *rng,
                          KnMove *move, KnArena *arena, KnText *explained)
{
    KnError error;
    KnMove moves[game->max_moves];
    KnRequest request = {.game = game,
                         .position = position,
                         .role = game->type->mover(game, position),
                         .allowed = moves,
                         .rng = rng,
                         .arena = arena,
                         .wants = arena ? KN_WANT_EXPLANATION : 0};
    request.allowed_count = game->type->moves(game, position, moves);
    KnAnswer answer = {0};
    check_ok(error, kn_player_choose(player, &request, &answer, &error));
    *move = answer.move;
    if (arena) kn_explanation_print(answer.explanation, explained);
    return answer.has_score && answer.score == KN_SCORE_PROVEN;
}

/* Phutball by iterative widening: a proved win is won against random replies, chain by chain. */
static void test_phutball(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("prove");
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(context, "phutball(7, 9)", &game, &error));
    check_ok(error, kn_player_open(context, game, "prove(random, nodes=4000)", &player, &error));
    int proved = 0, chains = 0, turns = 0;
    for (uint64_t sample = 0; sample < 60; sample++) {
        KnRng rng = kn_rng_stream(77, sample);
        _Alignas(16) unsigned char position[game->position_size];
        KnMove move, moves[game->max_moves];
        game->type->start(game, position);
        for (int ply = 0; ply < 12 && !kn_game_over(game, position); ply++) {
            int count = game->type->moves(game, position, moves);
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
        }
        if (kn_game_over(game, position)) continue;
        int role = game->type->mover(game, position), steps = 0;
        check_ok(error, kn_player_begin(player, role, position, &error));
        if (!choose_proved(player, game, position, &rng, &move, NULL, NULL)) continue;
        proved++;
        for (; !kn_game_over(game, position) && steps < 200; steps++) {
            bool mine = game->type->mover(game, position) == role;
            if (mine) assert_true(choose_proved(player, game, position, &rng, &move, NULL, NULL));
            int count = game->type->moves(game, position, moves);
            if (!mine) move = moves[kn_rng_below(&rng, (uint32_t)count)], turns++;
            game->type->play(game, position, move);
            chains += mine && !kn_game_over(game, position) && game->type->mover(game, position) == role;
        }
        double payoffs[2];
        assert_true(kn_game_over(game, position));
        game->type->payoffs(game, position, payoffs);
        assert_true(payoffs[role] > payoffs[1 - role]);
    }
    assert_true(proved > 5 && chains > 0 && turns > 0);
    kn_player_close(player);
    kn_game_close(game);
    kn_close(context);
}

/* A win in two moves: the explanation has the line to its end. */
static void test_line(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("prove");
    KnGame *game;
    KnPlayer *player;
    KnArena *arena = kn_arena_new();
    KnText text = KN_TEXT_EMPTY;
    check_ok(error, kn_game_open(context, "tictactoe", &game, &error));
    check_ok(error, kn_player_open(context, game, "prove(random, nodes=4000)", &player, &error));
    _Alignas(16) unsigned char position[game->position_size];
    KnMove move, moves[9];
    KnRng rng = kn_rng_seeded(1);
    game->type->start(game, position); /* a corner, and the reply on a side: x wins */
    game->type->moves(game, position, moves);
    game->type->play(game, position, moves[0]);
    game->type->moves(game, position, moves);
    game->type->play(game, position, moves[0]);
    check_ok(error, kn_player_begin(player, 0, position, &error));
    assert_true(choose_proved(player, game, position, &rng, &move, arena, &text));
    const char *line = strstr(text.data, "line");
    assert_non_null(line);
    int words = 0;
    for (const char *c = strchr(line, ':'); c && *c && *c != '\n'; c++) words += *c == ' ' && c[1] > ' ';
    assert_true(words >= 5 && words % 2); /* it ends with a move of the winner */
    kn_text_free(&text);
    kn_arena_free(arena);
    kn_player_close(player);
    kn_game_close(game);
    kn_close(context);
}

static void test_refused(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("prove");
    KnGame *game;
    KnPlayer *player;
    check_ok(error, kn_game_open(context, "dilemma", &game, &error));
    check_fails(error, KN_INPUT, "alternating moves",
                kn_player_open(context, game, "prove(random)", &player, &error));
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact), cmocka_unit_test(test_player),
                                       cmocka_unit_test(test_phutball), cmocka_unit_test(test_line),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
