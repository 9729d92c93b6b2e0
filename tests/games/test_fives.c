/* Fives against a slow scanner of letters, and against tic-tac-toe's counts. */
#include "support/check.h"
#include "support/instances.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/fives/fives.h"

enum { ROOM = (2 * KN_FIVES_WORDS + 1) * 8 };
typedef struct Place {
    _Alignas(16) unsigned char bytes[ROOM];
} Place;

static KnContext *context;
static KnError error;

static int set_up(void **state)
{
    (void)state;
    context = test_context();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    kn_close(context);
    return 0;
}

static KnGame *open_game(const char *spec)
{
    KnGame *game;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    return game;
}

static Place read_place(const KnGame *game, const char *text)
{
    Place p;
    check_ok(error, game->type->parse_position(game, text, &p, &error));
    return p;
}

/* Lines of exactly this many moves, and in *complete those of at most as many that are over. */
static uint64_t lines(const KnGame *game, const Place *p, int depth, uint64_t *complete)
{
    KnMove list[KN_FIVES_BITS + 8];
    int n = game->type->moves(game, p, list);
    if (n == 0) ++*complete;
    if (depth == 0) return 1;
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) {
        Place next = *p;
        game->type->play(game, &next, list[i]);
        sum += lines(game, &next, depth - 1, complete);
    }
    return sum;
}

static void test_is_tic_tac_toe(void **state)
{
    (void)state;
    static const uint64_t wanted[] = {9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872};
    KnGame *game = open_game("fives(3, 3, 3)");
    Place p;
    game->type->start(game, &p);
    uint64_t complete;
    for (int depth = 1; depth <= 9; depth++) {
        complete = 0;
        assert_true(lines(game, &p, depth, &complete) == wanted[depth - 1]);
    }
    assert_true(complete == 255168);
    kn_game_close(game);
}

/* The slow rules: a letter a cell, every row looked at from every cell. */
typedef struct Slow {
    int width, height, line;
    bool exact;
    char at[KN_FIVES_SIDE][KN_FIVES_SIDE];
} Slow;

static Slow slow_of(const KnGame *game, const Place *p)
{
    const KnFives *f = kn_fives_of(game);
    Slow s = {.width = f->width, .height = f->height, .line = f->line, .exact = f->exact};
    for (int i = 0; i < game->cells; i++)
        s.at[i / f->width][i % f->width] = game->cell_symbols[game->type->cell(game, p, i)];
    return s;
}

static char slow_at(const Slow *s, int row, int column)
{
    return row < 0 || row >= s->height || column < 0 || column >= s->width ? '#' : s->at[row][column];
}

/* Whether `who` has a line that wins; counts[n] gets the open rows of `who` with n men. */
static bool slow_scan(const Slow *s, char who, int *counts)
{
    static const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    bool wins = false;
    memset(counts, 0, (KN_FIVES_SIDE + 1) * sizeof *counts);
    for (int row = 0; row < s->height; row++)
        for (int column = 0; column < s->width; column++)
            for (int i = 0; i < 4; i++) {
                int dr = steps[i][0], dc = steps[i][1], own = 0, empty = 0;
                for (int k = 0; k < s->line; k++) {
                    char c = slow_at(s, row + k * dr, column + k * dc);
                    own += c == who;
                    empty += c == '.';
                }
                if (own + empty == s->line) counts[own]++;
                bool longer = slow_at(s, row - dr, column - dc) == who ||
                              slow_at(s, row + s->line * dr, column + s->line * dc) == who;
                if (own == s->line && !(s->exact && longer)) wins = true;
            }
    return wins;
}

static double feature(const KnGame *game, const Place *p, int role, const char *name)
{
    double values[64];
    game->type->feature_values(game, p, role, values);
    for (int i = 0; i < game->feature_count; i++)
        if (strcmp(game->features[i].name, name) == 0) return values[i];
    fail_msg("no feature %s", name);
    return 0;
}

/* Cells where `who` would win, by trying them all. */
static int slow_winning(Slow *s, char who, char *marks)
{
    int n = 0, counts[KN_FIVES_SIDE + 1];
    for (int i = 0; i < s->width * s->height; i++) {
        char *cell = &s->at[i / s->width][i % s->width];
        marks[i] = 0;
        if (*cell != '.') continue;
        *cell = who;
        marks[i] = slow_scan(s, who, counts);
        *cell = '.';
        n += marks[i];
    }
    return n;
}

static void compare_knowledge(const KnGame *game, const Place *p, Slow *s)
{
    char name[40], marks[KN_FIVES_SIDE * KN_FIVES_SIDE];
    for (int role = 0; role < 2; role++) {
        int counts[KN_FIVES_SIDE + 1];
        slow_scan(s, "xo"[role], counts);
        for (int men = 1; men < s->line; men++) {
            snprintf(name, sizeof name, "rows of %d", men);
            assert_true(feature(game, p, role, name) == counts[men]);
            snprintf(name, sizeof name, "their rows of %d", men);
            assert_true(feature(game, p, 1 - role, name) == counts[men]);
        }
        int n = slow_winning(s, "xo"[role], marks);
        assert_true(feature(game, p, role, "winning cells") == n &&
                    feature(game, p, 1 - role, "their winning cells") == n);
        uint64_t cells[KN_FIVES_WORDS];
        const KnFives *f = kn_fives_of(game);
        kn_fives_winning(f, p, role, cells);
        for (int i = 0; i < game->cells; i++)
            assert_true(kn_fives_has(cells, i / f->width * (f->width + 1) + i % f->width) == marks[i]);
    }
}

/* Random games beside the slow rules: same cells offered, same end, same winner. Returns the wins seen. */
static int compare_games(const char *spec, long games)
{
    KnGame *game = open_game(spec);
    KnRng rng = kn_rng_seeded(5);
    int wins = 0, counts[KN_FIVES_SIDE + 1];
    for (long g = 0; g < games; g++) {
        Place p;
        game->type->start(game, &p);
        for (int ply = 0;; ply++) {
            KnMove list[KN_FIVES_BITS + 8];
            Slow s = slow_of(game, &p);
            int n = game->type->moves(game, &p, list);
            bool x = slow_scan(&s, 'x', counts), o = slow_scan(&s, 'o', counts);
            assert_int_equal(n, x || o ? 0 : game->cells - ply);
            assert_int_equal(game->type->count(game, &p, false), n);
            assert_int_equal(game->type->mover(game, &p), ply & 1);
            if (n == 0) {
                double payoffs[2];
                game->type->payoffs(game, &p, payoffs);
                assert_true(payoffs[0] == x - o && payoffs[1] == o - x);
                wins += x || o;
                break;
            }
            if (kn_rng_below(&rng, 8) == 0) compare_knowledge(game, &p, &s);
            for (int i = 1; i < n; i++) assert_true(list[i - 1] < list[i]);
            KnMove move = list[kn_rng_below(&rng, (uint32_t)n)];
            int index = (int)(move / (KnMove)(s.width + 1)) * s.width + (int)(move % (KnMove)(s.width + 1));
            assert_int_equal(game->type->cell(game, &p, index), 0);
            game->type->play(game, &p, move);
            assert_int_equal(game->type->cell(game, &p, index), 1 + (ply & 1));
        }
    }
    kn_game_close(game);
    return wins;
}

static void test_slow_rules(void **state)
{
    (void)state;
    long games = check_scaled(40);
    assert_true(compare_games("fives", games) > 0);
    assert_true(compare_games("fives(7, 5, 4)", games) > 0);
    assert_true(compare_games("fives(5, 8, 3, ignored)", games) > 0);
    assert_true(compare_games("fives(6, 6, 4, overline=ignored)", games) > 0);
    compare_games("fives(4, 3, 4)", games); /* only along the rows */
    compare_games("fives(1, 6, 2)", games);
    compare_games("fives(19, 19, 6)", games / 20 + 1);
    assert_int_equal(compare_games("fives(2, 2, 1)", 3), 3);
}

/* Small m,n,k games whose value is known: lines of three are a draw on 3x3 and won by x on anything larger.
 * Also solved by the tactical moves alone where there are some. */
static int solve(const KnGame *game, const Place *p)
{
    KnMove list[40];
    int n = game->type->moves(game, p, list);
    if (n == 0) {
        double payoffs[2];
        game->type->payoffs(game, p, payoffs);
        return (int)payoffs[game->type->mover(game, p)];
    }
    bool may_stand;
    KnMove urgent[40];
    int forced = game->type->tactical(game, p, urgent, &may_stand);
    if (forced && may_stand) return 1; /* completes a line */
    int best = -1;
    for (int i = 0; i < (forced ? forced : n) && best < 1; i++) {
        Place next = *p;
        game->type->play(game, &next, forced ? urgent[i] : list[i]);
        int value = -solve(game, &next);
        if (value > best) best = value;
    }
    return best;
}

static void test_known_values(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        int value;
    } known[] = {{"fives(3, 3, 3)", 0},
                 {"fives(4, 3, 3)", 1},
                 {"fives(3, 4, 3)", 1},
                 {"fives(4, 4, 3)", 1},
                 {"fives(2, 2, 2)", 1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        KnGame *game = open_game(known[i].spec);
        Place p;
        game->type->start(game, &p);
        assert_int_equal(solve(game, &p), known[i].value);
        kn_game_close(game);
    }
}

static void test_overlines(void **state)
{
    (void)state;
    static const char six[] = "xxx.xx/oooo../....../..o.../....../...... x"; /* d6 makes six for x */
    KnGame *win = open_game("fives(6, 6)"), *ignored = open_game("fives(6, 6, overline=ignored)");
    Place p = read_place(win, six);
    KnMove move, list[44];
    bool may_stand;
    check_ok(error, kn_game_parse_move(win, &p, 0, "d6", &move, &error));
    assert_int_equal(win->type->tactical(win, &p, list, &may_stand), 1);
    assert_true(list[0] == move && may_stand);
    win->type->play(win, &p, move);
    assert_true(kn_game_over(win, &p));

    p = read_place(ignored, six);
    assert_int_equal(ignored->type->tactical(ignored, &p, list, &may_stand),
                     1); /* no line for x: stop o at e5 */
    check_ok(error, kn_game_parse_move(ignored, &p, 0, "e5", &move, &error));
    assert_true(list[0] == move && !may_stand);
    ignored->type->play(ignored, &p, 3);
    assert_false(kn_game_over(ignored, &p));
    kn_game_close(win);
    kn_game_close(ignored);
}

/* Lines do not run on from one edge to the other. */
static void test_edges(void **state)
{
    (void)state;
    KnGame *game = open_game("fives(5, 5, 3)");
    Place p = read_place(game, "...xx/x..../o...o/o...x/..... o");
    assert_false(kn_game_over(game, &p));
    p = read_place(game, "..xxx/...../o...o/...../..... o");
    assert_true(kn_game_over(game, &p));
    double payoffs[2];
    game->type->payoffs(game, &p, payoffs);
    assert_true(payoffs[0] == 1 && payoffs[1] == -1);
    kn_game_close(game);
}

static void test_text(void **state)
{
    (void)state;
    KnGame *game = open_game("fives(11, 2, 3)");
    Place p;
    game->type->start(game, &p);
    for (const char *const *word = (const char *const[]){"a1", "K2", "b1", "j2", NULL}; *word; word++) {
        KnMove move;
        check_ok(error, kn_game_parse_move(game, &p, game->type->mover(game, &p), *word, &move, &error));
        game->type->play(game, &p, move);
    }
    KnText text = KN_TEXT_EMPTY;
    game->type->position_text(game, &p, &text);
    assert_string_equal(text.data, ".........oo/xx......... x");
    kn_text_clear(&text);
    game->type->draw(game, &p, false, &text);
    assert_string_equal(text.data, " 2  . . . . . . . . . o o\n"
                                   " 1  x x . . . . . . . . .\n"
                                   "    a b c d e f g h i j k\n");
    kn_text_free(&text);
    kn_game_close(game);
}

static void test_bad_input(void **state)
{
    (void)state;
    KnGame *game = open_game("fives(3, 3, 3)"), *none;
    Place p;
    KnMove move;
    game->type->start(game, &p);
    static const char *const wrong[] = {"", "a", "a0", "a4", "d1", "a01", "a1x", "1a", "a11111111111"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_fails(error, KN_INPUT, "a1 (bottom left) to c3",
                    kn_game_parse_move(game, &p, 0, wrong[i], &move, &error));
    game->type->play(game, &p, 0);
    check_fails(error, KN_INPUT, "a3 is occupied", kn_game_parse_move(game, &p, 1, "a3", &move, &error));
    static const struct {
        const char *text, *part;
    } bad[] = {{"x.o/.y./..o x", "column 6: expected x, o or . for row 2, cell 2"},
               {"x.o/.x", "column 7: expected"},
               {"x.o/.x./..o", "column 12: expected x or o, who is to move"},
               {"x.o/.x./..o xx", "column 13"},
               {"x.o/.x./..o o", "2 x and 2 o cannot stand with o to move"},
               {"xxx/oo./..o x", "x has a line of 3 and is to move"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_fails(error, KN_INPUT, bad[i].part, game->type->parse_position(game, bad[i].text, &p, &error));
    p = read_place(game, "xxx/oo./... o");
    check_fails(error, KN_INPUT, "the game is over", kn_game_parse_move(game, &p, 1, "c2", &move, &error));
    p.bytes[2 * 8] ^= KN_FIVES_WON;
    check_fails(error, KN_INPUT, "mark of a finished line", game->type->check(game, &p, &error));
    check_fails(error, KN_INPUT, "a line of 5 does not fit on 4x4 cells",
                kn_game_open(context, "fives(4, 4)", &none, &error));
    assert_int_not_equal(kn_game_open(context, "fives(20, 19)", &none, &error), KN_OK);
    kn_game_close(game);
}

/* Sets of cells stay within the words of their board, and have empty cells only. */
static void test_sets_stay_within(void **state)
{
    (void)state;
    static const char *const specs[] = {"fives(6, 6, 4)", "fives(7, 7, 4)", "fives(8, 7, 3)",
                                        "fives(9, 9, 5)", "fives(11, 10, 5)"};
    enum { CANARY = 0x5a };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        KnGame *game = open_game(specs[i]);
        const KnFives *f = kn_fives_of(game);
        for (uint64_t n = 0; n < 40; n++) {
            KnRng rng = kn_rng_stream(8, n);
            Place p;
            uint64_t cells[KN_FIVES_WORDS + 1];
            game->type->start(game, &p);
            for (uint64_t ply = 0; ply < n; ply++) {
                KnMove moves[KN_FIVES_BITS];
                int count = game->type->moves(game, &p, moves);
                if (count) game->type->play(game, &p, moves[kn_rng_below(&rng, (uint32_t)count)]);
            }
            for (int role = 0; role < 2; role++)
                for (int least = 0; least < 3; least++) {
                    memset(cells, CANARY, sizeof cells);
                    uint64_t beyond = cells[f->words];
                    kn_fives_row_cells(f, &p, role, least, cells);
                    assert_true(cells[f->words] == beyond);
                    for (int w = 0; w < f->words; w++)
                        assert_true(!(cells[w] & (kn_fives_men(f, &p, 0)[w] | kn_fives_men(f, &p, 1)[w])));
                }
        }
        kn_game_close(game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_is_tic_tac_toe), cmocka_unit_test(test_slow_rules),
        cmocka_unit_test(test_known_values),   cmocka_unit_test(test_overlines),
        cmocka_unit_test(test_edges),          cmocka_unit_test(test_text),
        cmocka_unit_test(test_bad_input),      cmocka_unit_test(test_sets_stay_within),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
