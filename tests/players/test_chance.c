/* What players do by chance, by frequency: every count must lie within five standard deviations of what the
 * option says. And what `perfect` says of moves, by tables of cases. */
#include "support/check.h"
#include "support/workbench.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Place {
    KnContext *context;
    KnGame *game;
    KnPlayer *player;
    KnState *state;
    KnMove moves[64];
    KnScore values[64];
    int count;
    KnArena *arena;
} Place;

static void place_open(Place *place, const char *spec, const char *position, const char *player)
{
    KnError error;
    place->context = test_workbench("data");
    place->arena = kn_arena_new();
    check_ok(error, kn_game_open(place->context, spec, &place->game, &error));
    check_ok(error, kn_player_open(place->context, place->game, player, &place->player, &error));
    unsigned char bytes[place->game->position_size] __attribute__((aligned(16)));
    check_ok(error, place->game->type->parse_position(place->game, position, bytes, &error));
    place->state = kn_state_new(place->game);
    kn_state_reset(place->state, bytes);
    int role = place->game->type->mover(place->game, bytes);
    place->count = kn_state_moves(place->state, role, place->moves);
    assert_true(place->count <= 64);
}

static void place_close(Place *place)
{
    kn_arena_free(place->arena);
    kn_state_free(place->state);
    kn_player_close(place->player);
    kn_game_close(place->game);
    kn_close(place->context);
}

static KnAnswer place_ask(Place *place, KnRng *rng, unsigned wants)
{
    KnError error;
    KnAnswer answer = {.values = place->values};
    KnRequest request = {.game = place->game,
                         .position = kn_state_position(place->state),
                         .history = kn_state_history(place->state),
                         .role = place->game->type->mover(place->game, kn_state_position(place->state)),
                         .allowed = place->moves,
                         .allowed_count = place->count,
                         .rng = rng,
                         .wants = wants,
                         .arena = place->arena};
    check_ok(error, kn_player_choose(place->player, &request, &answer, &error));
    return answer;
}

static const char *name_of(Place *place, KnMove move)
{
    return kn_game_move_name(place->game, kn_state_position(place->state), move, place->arena);
}

static void check_share(const char *what, long found, long of, double share)
{
    double mean = (double)of * share, spread = 5 * sqrt((double)of * share * (1 - share)) + 0.5;
    if (fabs((double)found - mean) > spread)
        fail_msg("%s: %ld of %ld, expected %.0f +- %.0f", what, found, of, mean, spread);
}

/* How often each move is chosen. */
static void draw(Place *place, long times, uint64_t seed, long *counts)
{
    KnRng rng = kn_rng_seeded(seed);
    memset(counts, 0, (size_t)place->count * sizeof *counts);
    for (long i = 0; i < times; i++) {
        KnMove move = place_ask(place, &rng, 0).move;
        for (int k = 0; k < place->count; k++) counts[k] += place->moves[k] == move;
    }
}

enum { DRAWS = 20000 };

/* With probability epsilon any of the nine moves, else the inner player's, which is always the first. */
static void test_noisy(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        double epsilon;
    } cases[] = {{"noisy(legal)", 0.1},
                 {"noisy(legal, epsilon=0.3)", 0.3},
                 {"noisy(legal, epsilon=1)", 1},
                 {"noisy(legal, epsilon=0)", 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        Place place;
        long counts[64];
        place_open(&place, "tictactoe", ".../.../... x", cases[c].spec);
        draw(&place, DRAWS, 1, counts);
        check_share("the inner player's move", counts[0], DRAWS, 1 - cases[c].epsilon * 8 / 9);
        for (int k = 1; k < place.count; k++)
            check_share("another move", counts[k], DRAWS, cases[c].epsilon / 9);
        place_close(&place);
    }
}

/* Each game is one player's from beginning to end, and each of the players has its share of the games. */
static void test_mixed(void **state)
{
    (void)state;
    KnError error;
    Place place;
    KnRng rng = kn_rng_seeded(4);
    long first = 0;
    enum { GAMES = 400 };
    place_open(&place, "tictactoe", ".../.../... x", "mixed(legal, perfect, noisy(legal, epsilon=0))");
    for (int g = 0; g < GAMES; g++) {
        check_ok(error, kn_player_begin(place.player, 0, kn_state_position(place.state), &error));
        bool legal = true;
        KnMove moves[12];
        for (int i = 0; i < 12; i++)
            moves[i] = place_ask(&place, &rng, 0).move, legal &= moves[i] == place.moves[0];
        first += legal;
        KnAnswer answer = place_ask(&place, &rng, KN_WANT_EXPLANATION);
        KnText why = KN_TEXT_EMPTY;
        kn_explanation_print(answer.explanation, &why);
        assert_non_null(strstr(why.data, legal ? "legal" : "drawn for this game: perfect"));
        kn_text_free(&why);
    }
    check_share("games of the players that play the first move", first, GAMES, 2.0 / 3);
    KnPlayer *player;
    check_fails(error, KN_INPUT, "nobody",
                kn_player_open(place.context, place.game, "mixed(random, nobody)", &player, &error));
    place_close(&place);
}

static void test_random(void **state)
{
    (void)state;
    Place place;
    long counts[64];
    place_open(&place, "tictactoe", "x../.o./... x", "random");
    draw(&place, DRAWS, 2, counts);
    for (int k = 0; k < place.count; k++) check_share("a move", counts[k], DRAWS, 1.0 / 7);
    place_close(&place);
}

/* X wins at c3 and takes that win whenever it plays reasonably; the rest of its moves is the first, b3. */
static void test_reasonable(void **state)
{
    (void)state;
    static const double shares[] = {0, 0.25, 0.5, 0.7, 1};
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
        Place place;
        long counts[64], won = 0;
        char spec[64];
        snprintf(spec, sizeof spec, "reasonable(share=%g, rest=legal)", shares[s]);
        place_open(&place, "tictactoe", "..x/o.x/o.. x", spec);
        draw(&place, DRAWS, 3, counts);
        for (int k = 0; k < place.count; k++)
            if (strcmp(name_of(&place, place.moves[k]), "c1") == 0) won = counts[k];
        assert_string_not_equal(name_of(&place, place.moves[0]), "c1");
        check_share("a reasonable move", won, DRAWS, shares[s]);
        check_share("the other player's move", counts[0], DRAWS, 1 - shares[s]);
        place_close(&place);
    }
}

/* It is random among moves that are equally reasonable. */
static void test_reasonable_ties(void **state)
{
    (void)state;
    Place place;
    long counts[64];
    place_open(&place, "tictactoe", "x../.o./... x", "reasonable");
    draw(&place, DRAWS, 4, counts);
    for (int k = 0; k < place.count; k++) check_share("a quiet move", counts[k], DRAWS, 1.0 / 7);
    place_close(&place);
    place_open(&place, "tictactoe", "x../oo./x.. x", "reasonable"); /* all but c2 lose at once */
    draw(&place, 200, 5, counts);
    for (int k = 0; k < place.count; k++)
        assert_int_equal(counts[k], strcmp(name_of(&place, place.moves[k]), "c2") == 0 ? 200 : 0);
    place_close(&place);
}

/* ---- perfect ---- */

/* Scores of all moves by plain minimax: a win in n plies is KN_SCORE_WIN - n. */
static KnScore solve(const KnGame *game, const void *position)
{
    if (kn_game_over(game, position)) {
        double payoffs[KN_ROLES_MAX];
        game->type->payoffs(game, position, payoffs);
        /* for the role that would move, who did not make the last move */
        int role = game->type->mover(game, position);
        if (role < 0) role = 0;
        return payoffs[role] > 0.5 ? KN_SCORE_WIN : payoffs[role] < -0.5 ? -KN_SCORE_WIN : 0;
    }
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, position, moves), role = game->type->mover(game, position);
    KnScore best = -KN_SCORE_WIN - 1;
    for (int i = 0; i < count; i++) {
        unsigned char next[game->position_size] __attribute__((aligned(16)));
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        KnScore score;
        if (kn_game_over(game, next)) {
            double payoffs[KN_ROLES_MAX];
            game->type->payoffs(game, next, payoffs);
            score = payoffs[role] > 0.5 ? KN_SCORE_WIN - 1 : payoffs[role] < -0.5 ? 1 - KN_SCORE_WIN : 0;
        } else {
            KnScore theirs = solve(game, next);
            score = theirs > 0 ? 1 - theirs : theirs < 0 ? -theirs - 1 : 0;
        }
        if (score > best) best = score;
    }
    return best;
}

static KnScore value_after(const KnGame *game, const void *position, KnMove move)
{
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    memcpy(next, position, game->position_size);
    int role = game->type->mover(game, position);
    game->type->play(game, next, move);
    if (kn_game_over(game, next)) {
        double payoffs[KN_ROLES_MAX];
        game->type->payoffs(game, next, payoffs);
        return payoffs[role] > 0.5 ? KN_SCORE_WIN - 1 : payoffs[role] < -0.5 ? 1 - KN_SCORE_WIN : 0;
    }
    KnScore theirs = solve(game, next);
    return theirs > 0 ? 1 - theirs : theirs < 0 ? -theirs - 1 : 0;
}

static const char *const positions[] = {"x../.o./... x", "xo./.../... x", "x.o/.../..x o", ".../.x./... o",
                                        "xox/.o./... x", "x../.../..o x", "xxo/.../.o. x", "o../x../.x. o",
                                        "xx./.o./.o. x", "xx./x.o/o.. o", "x../oo./x.x o", "x.x/.o./..o x"};

static void test_perfect_values(void **state)
{
    (void)state;
    static const char *const games[] = {"tictactoe", "tictactoe(lose)"};
    for (size_t g = 0; g < 2; g++)
        for (size_t p = 0; p < sizeof positions / sizeof *positions; p++) {
            Place place;
            place_open(&place, games[g], positions[p], "perfect");
            KnRng rng = kn_rng_seeded(1);
            KnAnswer answer = place_ask(&place, &rng, KN_WANT_VALUES);
            assert_true(answer.has_values && answer.has_score);
            KnScore best = -KN_SCORE_WIN - 1;
            for (int k = 0; k < place.count; k++) {
                KnScore value = value_after(place.game, kn_state_position(place.state), place.moves[k]);
                if (place.values[k] != value)
                    fail_msg("%s %s, %s: %d, not %d", games[g], positions[p], name_of(&place, place.moves[k]),
                             (int)place.values[k], (int)value);
                if (value > best) best = value;
                if (place.moves[k] == answer.move) assert_int_equal(answer.score, value);
            }
            if (best > 0) assert_int_equal(answer.score, best); /* the fastest win */
            place_close(&place);
        }
}

/* The opponent's replies to a move that do not lose. */
static int ways_out(const KnGame *game, const void *position, KnMove move)
{
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    memcpy(next, position, game->position_size);
    game->type->play(game, next, move);
    KnMove replies[game->max_moves];
    int count = game->type->moves(game, next, replies), ways = 0;
    for (int i = 0; i < count; i++) ways += value_after(game, next, replies[i]) >= 0;
    return ways;
}

typedef struct Habit {
    const char *spec;
    bool any_win, slow_loss;
    int draw; /* 0 any, -1 the fewest ways out, 1 the most */
} Habit;

/* The rank of a move under a habit, by the second opinion. */
static int rank_of(const Habit *habit, const KnGame *game, const void *position, KnMove move)
{
    KnScore value = value_after(game, position, move);
    if (value > 0) return habit->any_win ? 100000 : 100000 + (int)(value - KN_SCORE_WIN);
    if (value < 0) return habit->slow_loss ? -100000 + (int)(value + KN_SCORE_WIN) : -100000;
    return habit->draw * ways_out(game, position, move);
}

/* Each habit draws from the moves of the highest rank, all of them equally often, and never plays another. */
static void test_perfect_habits(void **state)
{
    (void)state;
    static const Habit habits[] = {{"perfect", false, false, 0},
                                   {"perfect(win=any)", true, false, 0},
                                   {"perfect(loss=slowest)", false, true, 0},
                                   {"perfect(draw=narrow)", false, false, -1},
                                   {"perfect(draw=wide)", false, false, 1}};
    static const char *const games[] = {"tictactoe", "tictactoe(lose)"};
    enum { TIMES = 1500, CASES = sizeof positions / sizeof *positions };
    for (size_t c = 0; c < sizeof habits / sizeof *habits * CASES * 2; c++) {
        const Habit *habit = &habits[c / (2 * CASES)];
        Place place;
        long counts[64];
        int ranks[64], highest = INT_MIN, equal = 0;
        place_open(&place, games[c % 2], positions[c / 2 % CASES], habit->spec);
        for (int k = 0; k < place.count; k++) {
            ranks[k] = rank_of(habit, place.game, kn_state_position(place.state), place.moves[k]);
            if (ranks[k] > highest) highest = ranks[k], equal = 0;
            equal += ranks[k] == highest;
        }
        draw(&place, TIMES, c, counts);
        for (int k = 0; k < place.count; k++)
            check_share(habit->spec, counts[k], TIMES, ranks[k] == highest ? 1.0 / equal : 0);
        place_close(&place);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_noisy),           cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_random),          cmocka_unit_test(test_reasonable),
        cmocka_unit_test(test_reasonable_ties), cmocka_unit_test(test_perfect_values),
        cmocka_unit_test(test_perfect_habits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
