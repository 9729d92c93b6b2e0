/* Othello against published counts, against a slow generator that walks over a board of letters, and in both
 * its kernels. */
#include "support/check.h"
#include "support/instances.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/othello/board.h"
#include "games/replay.h"

typedef struct Fixture {
    KnContext *context;
    KnGame *game[3]; /* 8x8, 6x6, 4x4 */
} Fixture;

static int set_up(void **state)
{
    static const char *const specs[3] = {"othello", "othello(size=6)", "othello(4)"};
    Fixture *f = calloc(1, sizeof *f);
    KnError error;
    f->context = test_context();
    for (int i = 0; i < 3; i++) check_ok(error, kn_game_open(f->context, specs[i], &f->game[i], &error));
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < 3; i++) kn_game_close(f->game[i]);
    kn_close(f->context);
    free(f);
    return 0;
}

static KnOthelloPosition read_position(const KnGame *game, const char *text)
{
    KnOthelloPosition p;
    KnError error;
    check_ok(error, game->type->parse_position(game, text, &p, &error));
    return p;
}

static void assert_text(const KnGame *game, const KnOthelloPosition *p, const char *wanted)
{
    KnText text = KN_TEXT_EMPTY;
    game->type->position_text(game, p, &text);
    assert_string_equal(text.data, wanted);
    kn_text_free(&text);
}

/* Plays moves given as "f5 d6 c3"; each must be legal. */
static void play_line(const KnGame *game, KnOthelloPosition *p, const char *line)
{
    char copy[600], *rest = copy;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word; (word = strsep(&rest, " "));) {
        KnMove move;
        KnError error;
        check_ok(error, kn_game_parse_move(game, p, (int)p->mover, word, &move, &error));
        game->type->play(game, p, move);
    }
}

typedef struct Rules {
    int (*moves)(const KnGame *game, const void *position, KnMove *moves);
    void (*play)(const KnGame *game, void *position, KnMove move);
} Rules;

/* Lines of exactly this many moves; `finished` counts those that end before. */
static uint64_t lines(const KnGame *game, Rules rules, const KnOthelloPosition *p, int depth,
                      uint64_t *finished)
{
    KnMove list[64];
    int n = rules.moves(game, p, list);
    if (n == 0) ++*finished;
    if (depth == 1) return (uint64_t)n;
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) {
        KnOthelloPosition next = *p;
        rules.play(game, &next, list[i]);
        sum += lines(game, rules, &next, depth - 1, finished);
    }
    return sum;
}

static void test_perft(void **state)
{
    const KnGame *game = ((Fixture *)*state)->game[0];
    static const uint64_t leaves[] = {4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284};
    const Rules chosen = {game->type->moves, game->type->play},
                plain = {kn_othello_moves_plain, kn_othello_play_plain};
    KnOthelloPosition p;
    game->type->start(game, &p);
    int depth_max = check_scaled(10) == 10 ? 10 : 8;
    for (int depth = 1; depth <= depth_max; depth++) {
        uint64_t finished = 0;
        uint64_t exact = lines(game, chosen, &p, depth, &finished);
        assert_true(exact + finished == leaves[depth - 1]);
        assert_true(finished == (depth == 10 ? 228 : 0)); /* games over after nine moves */
        if (depth > 9) continue;
        assert_true(lines(game, plain, &p, depth, &finished) == exact);
    }
}

/* The slow generator: letters with a rim, one square after the other. */
typedef struct Slow {
    int size;
    char at[10][10]; /* 'X', 'O', '-', and '#' around */
    char mover;
} Slow;

static Slow slow_of(const KnGame *game, const KnOthelloPosition *p)
{
    KnText text = KN_TEXT_EMPTY;
    game->type->position_text(game, p, &text);
    Slow s = {.size = kn_othello_of(game)->size};
    memset(s.at, '#', sizeof s.at);
    for (int i = 0; i < s.size * s.size; i++) s.at[i / s.size + 1][i % s.size + 1] = text.data[i];
    s.mover = text.data[s.size * s.size + 1];
    kn_text_free(&text);
    return s;
}

/* How many discs `who` turns over by a disc there; turns them over if asked. */
static int slow_flips(Slow *s, char who, int row, int column, bool turn)
{
    if (s->at[row][column] != '-') return 0;
    char other = who == 'X' ? 'O' : 'X';
    int flips = 0;
    for (int dr = -1; dr <= 1; dr++)
        for (int dc = -1; dc <= 1; dc++) {
            if (!dr && !dc) continue;
            int n = 0;
            while (s->at[row + (n + 1) * dr][column + (n + 1) * dc] == other) n++;
            if (s->at[row + (n + 1) * dr][column + (n + 1) * dc] != who) continue;
            flips += n;
            for (int i = 1; i <= n && turn; i++) s->at[row + i * dr][column + i * dc] = who;
        }
    if (turn) s->at[row][column] = who;
    return flips;
}

static int slow_moves(Slow *s, char who, KnMove *moves)
{
    int n = 0, margin = (8 - s->size) / 2;
    for (int row = 1; row <= s->size; row++)
        for (int column = 1; column <= s->size; column++)
            if (slow_flips(s, who, row, column, false))
                moves[n++] = (KnMove)((row - 1 + margin) * 8 + column - 1 + margin);
    return n;
}

static void slow_play(Slow *s, KnMove move)
{
    int margin = (8 - s->size) / 2;
    if (move != KN_OTHELLO_PASS)
        slow_flips(s, s->mover, (int)move / 8 - margin + 1, (int)move % 8 - margin + 1, true);
    s->mover = s->mover == 'X' ? 'O' : 'X';
}

static void assert_same(const KnGame *game, const KnOthelloPosition *p, const Slow *s)
{
    Slow other = slow_of(game, p);
    assert_memory_equal(other.at, s->at, sizeof s->at);
    assert_int_equal(other.mover, s->mover);
}

/* Random games, both kernels and the slow rules side by side. Returns how many passes there were. */
static int compare_games(const KnGame *game, int games, KnRng *rng)
{
    int passes = 0;
    for (int g = 0; g < games; g++) {
        KnOthelloPosition p, q;
        game->type->start(game, &p);
        q = p;
        Slow s = slow_of(game, &p);
        for (;;) {
            KnMove fast[64], plain[64], slow[64];
            int n = game->type->moves(game, &p, fast), m = slow_moves(&s, s.mover, slow);
            if (m == 0 && slow_moves(&s, s.mover == 'X' ? 'O' : 'X', plain) > 0) slow[m++] = KN_OTHELLO_PASS;
            assert_int_equal(n, m);
            assert_int_equal(game->type->count(game, &p, false), m);
            assert_int_equal(kn_othello_count_plain(game, &p, true), m);
            assert_int_equal(kn_othello_moves_plain(game, &q, plain), m);
            assert_memory_equal(fast, slow, (size_t)n * sizeof *fast);
            assert_memory_equal(plain, slow, (size_t)n * sizeof *plain);
            if (n == 0) break;
            KnMove move = fast[kn_rng_below(rng, (uint32_t)n)];
            passes += move == KN_OTHELLO_PASS;
            game->type->play(game, &p, move);
            kn_othello_play_plain(game, &q, move);
            slow_play(&s, move);
            assert_same(game, &p, &s);
            assert_memory_equal(&p, &q, sizeof p);
        }
    }
    return passes;
}

static void test_slow_generator(void **state)
{
    Fixture *f = *state;
    KnRng rng = kn_rng_seeded(2);
    for (int i = 0; i < 3; i++) {
        int games = (int)check_scaled(600);
        assert_true(compare_games(f->game[i], games, &rng) > games / 20);
    }
}

static void test_kernels_evaluate_alike(void **state)
{
    Fixture *f = *state;
    KnRng rng = kn_rng_seeded(3);
    for (int i = 0; i < 3; i++) {
        const KnGame *game = f->game[i];
        for (int g = 0; g < 50; g++) {
            KnOthelloPosition p;
            KnMove list[64];
            int n;
            game->type->start(game, &p);
            while ((n = game->type->moves(game, &p, list))) {
                for (const KnGameEvaluation *a = game->evaluations, *b = kn_othello_evaluations_plain;
                     a->name; a++, b++)
                    assert_int_equal(a->score(game, &p), b->score(game, &p));
                game->type->play(game, &p, list[kn_rng_below(&rng, (uint32_t)n)]);
            }
        }
    }
}

/* The shortest game: white has nothing left after nine moves. Neither can move, and 51 empty squares go to
 * black. */
static void test_wipe_out(void **state)
{
    Fixture *f = *state;
    const KnGame *game = f->game[0];
    KnOthelloPosition p;
    game->type->start(game, &p);
    play_line(game, &p, "e6 f4 e3 f6 g5 d6 e7 f5 c5");
    assert_text(game, &p, "--------------------X------XXX----XXXXX----XXX------X----------- O");
    KnMove list[64];
    assert_int_equal(game->type->moves(game, &p, list), 0);
    assert_true(kn_game_over(game, &p));
    double payoffs[2];
    game->type->payoffs(game, &p, payoffs);
    assert_true(payoffs[0] == 1 && payoffs[1] == -1);
    assert_true(game->type->points(game, &p, 0) == 64 && game->type->points(game, &p, 1) == -64);
    assert_true(game->type->material(game, &p, 0) == 13 && game->type->material(game, &p, 1) == 0);
    KnError error;
    KnMove move;
    check_fails(error, KN_INPUT, "the game is over", kn_game_parse_move(game, &p, 1, "pass", &move, &error));

    KnGame *nobody;
    check_ok(error, kn_game_open(f->context, "othello(empties=nobody, payoff=discs)", &nobody, &error));
    assert_true(nobody->type->points(nobody, &p, 0) == 13);
    nobody->type->payoffs(nobody, &p, payoffs);
    assert_true(payoffs[0] == 13 && payoffs[1] == -13);
    assert_true(nobody->payoff_high == 64 && nobody->payoff_low == -64);
    kn_game_close(nobody);
}

static void test_pass(void **state)
{
    const KnGame *game = ((Fixture *)*state)->game[2];
    KnOthelloPosition p = read_position(game,
                                        "XXXX/XXXX/XXXO/XXO- O"); /* O cannot enclose anything; X can at d4 */
    KnMove list[64], move;
    KnError error;
    assert_int_equal(game->type->moves(game, &p, list), 1);
    assert_int_equal(list[0], KN_OTHELLO_PASS);
    check_fails(error, KN_INPUT, "legal: pass", kn_game_parse_move(game, &p, 1, "d4", &move, &error));
    for (const char *const *word = (const char *const[]){"pass", "PASS", "--", "pa", NULL}; *word; word++) {
        check_ok(error, kn_game_parse_move(game, &p, 1, *word, &move, &error));
        assert_int_equal(move, KN_OTHELLO_PASS);
    }
    game->type->play(game, &p, move);
    assert_text(game, &p, "XXXXXXXXXXXOXXO- X");
    check_fails(error, KN_INPUT, "may not pass", kn_game_parse_move(game, &p, 0, "pass", &move, &error));
    play_line(game, &p, "d4");
    assert_text(game, &p, "XXXXXXXXXXXXXXXX O");
    assert_true(kn_game_over(game, &p));
}

/* Solved long ago: 4x4 is won by the second player with 11 discs to 3. */
static int solve(const KnGame *game, const KnOthelloPosition *p, int alpha, int beta)
{
    KnMove list[64];
    int n = game->type->moves(game, p, list);
    if (n == 0) return (int)game->type->points(game, p, (int)p->mover);
    int best = -64;
    for (int i = 0; i < n && best < beta; i++) {
        KnOthelloPosition next = *p;
        game->type->play(game, &next, list[i]);
        int value = -solve(game, &next, -beta, best > alpha ? -best : -alpha);
        if (value > best) best = value;
    }
    return best;
}

static void test_solve_4x4(void **state)
{
    Fixture *f = *state;
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(f->context, "othello(4, nobody)", &game, &error));
    KnOthelloPosition p;
    game->type->start(game, &p);
    assert_int_equal(solve(game, &p, -64, 64), -8);
    kn_game_close(game);
    f->game[2]->type->start(f->game[2], &p);
    assert_int_equal(solve(f->game[2], &p, -64, 64), -10);
}

/* A disc called stable is never turned over in the rest of the game; filled boards are stable altogether. */
static void test_stable_discs_stay(void **state)
{
    Fixture *f = *state;
    KnRng rng = kn_rng_seeded(4);
    for (int i = 0; i < 3; i++) {
        const KnGame *game = f->game[i];
        const KnOthello *o = kn_othello_of(game);
        int seen = 0;
        for (long g = check_scaled(300); g > 0; g--) {
            KnOthelloPosition p;
            KnMove list[64];
            int n;
            uint64_t stable[2] = {0, 0};
            game->type->start(game, &p);
            while ((n = game->type->moves(game, &p, list))) {
                game->type->play(game, &p, list[kn_rng_below(&rng, (uint32_t)n)]);
                for (int role = 0; role < 2; role++) {
                    uint64_t own = kn_othello_discs(&p, role), now, theirs;
                    kn_othello_stable(o, own, kn_othello_discs(&p, 1 - role), &now, &theirs);
                    assert_true((stable[role] & ~own) == 0);
                    assert_true((stable[role] & ~now) == 0);
                    seen += now != stable[role];
                    stable[role] = now;
                }
            }
            if ((p.own | p.their) == o->board) assert_true((stable[0] | stable[1]) == o->board);
        }
        assert_true(seen > 100);
    }
}

static double feature(const KnGame *game, const KnOthelloPosition *p, int role, const char *name)
{
    double values[32];
    game->type->feature_values(game, p, role, values);
    for (int i = 0; i < game->feature_count; i++)
        if (strcmp(game->features[i].name, name) == 0) return values[i];
    fail_msg("no feature %s", name);
    return 0;
}

static void test_features(void **state)
{
    Fixture *f = *state;
    const KnGame *game = f->game[0];
    KnOthelloPosition p = read_position(game, "XXX-----"
                                              "-OX----O"
                                              "--XO----"
                                              "---OX---"
                                              "---XO---"
                                              "--------"
                                              "------O-"
                                              "-------- X");
    assert_true(feature(game, &p, 0, "corners") == 1 && feature(game, &p, 1, "corners") == 0);
    assert_true(feature(game, &p, 1, "their corners") == 1);
    assert_true(feature(game, &p, 0, "x squares") == 0 &&
                feature(game, &p, 1, "x squares") == 1); /* g7; b2's corner is held */
    assert_true(feature(game, &p, 1, "c squares") == 1 &&
                feature(game, &p, 0, "c squares") == 0); /* h2; b1's corner is held */
    assert_true(feature(game, &p, 0, "edges") == 1 && feature(game, &p, 1, "edges") == 0);   /* c1 */
    assert_true(feature(game, &p, 0, "stable") == 3 && feature(game, &p, 1, "stable") == 0); /* a1 b1 c1 */
    assert_true(feature(game, &p, 0, "disc difference") == 1);
    assert_true(feature(game, &p, 0, "empties") == 64 - 13);
    assert_true(feature(game, &p, 0, "parity") == 1 && feature(game, &p, 1, "parity") == -1);
    KnMove list[64];
    assert_true(feature(game, &p, 0, "mobility") == game->type->moves(game, &p, list));

    KnOthelloPosition begin;
    for (int i = 0; i < 3; i++) {
        f->game[i]->type->start(f->game[i], &begin);
        assert_true(feature(f->game[i], &begin, 0, "mobility") == 4 &&
                    feature(f->game[i], &begin, 1, "mobility") == 4);
        assert_true(feature(f->game[i], &begin, 1, "potential") == 10);
        assert_true(feature(f->game[i], &begin, 0, "frontier") == 2);
    }
}

typedef struct Hashed {
    uint64_t hash;
    KnOthelloPosition position;
} Hashed;

static int compare_hashed(const void *a, const void *b)
{
    const Hashed *x = a, *y = b;
    return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1)
                              : memcmp(&x->position, &y->position, sizeof x->position);
}

static void collect(const KnGame *game, const KnOthelloPosition *p, int depth, Hashed **next)
{
    if (depth == 0) {
        *(*next)++ = (Hashed){game->type->hash(game, p), *p};
        return;
    }
    KnMove list[64];
    int n = game->type->moves(game, p, list);
    for (int i = 0; i < n; i++) {
        KnOthelloPosition child = *p;
        game->type->play(game, &child, list[i]);
        collect(game, &child, depth - 1, next);
    }
}

/* All positions after seven moves: no two share a hash, and both ends of it fall evenly into 256 classes. */
static void test_hash(void **state)
{
    const KnGame *game = ((Fixture *)*state)->game[0];
    enum { LINES = 55092, CLASSES = 256 };
    Hashed *all = calloc(LINES, sizeof *all), *next = all;
    KnOthelloPosition p;
    game->type->start(game, &p);
    collect(game, &p, 7, &next);
    assert_int_equal(next - all, LINES);
    qsort(all, LINES, sizeof *all, compare_hashed);
    int low[CLASSES] = {0}, high[CLASSES] = {0}, distinct = 0;
    for (int i = 0; i < LINES; i++) {
        bool twin = i && all[i].hash == all[i - 1].hash;
        if (twin) assert_memory_equal(&all[i].position, &all[i - 1].position, sizeof p);
        if (twin) continue;
        distinct++;
        low[all[i].hash % CLASSES]++;
        high[all[i].hash >> 56]++;
    }
    assert_true(distinct > 10000);
    double mean = (double)distinct / CLASSES, chi2[2] = {0, 0};
    for (int i = 0; i < CLASSES; i++) {
        chi2[0] += (low[i] - mean) * (low[i] - mean) / mean;
        chi2[1] += (high[i] - mean) * (high[i] - mean) / mean;
    }
    assert_true(chi2[0] < 331 && chi2[1] < 331); /* 99.9% point with 255 degrees of freedom */
    KnOthelloPosition other = p;
    other.mover = 1;
    assert_true(game->type->hash(game, &p) != game->type->hash(game, &other));
    free(all);
}

static void test_text(void **state)
{
    const KnGame *game = ((Fixture *)*state)->game[0], *six = ((Fixture *)*state)->game[1];
    KnOthelloPosition p;
    game->type->start(game, &p);
    assert_text(game, &p, "---------------------------OX------XO--------------------------- X");
    play_line(game, &p, "F5 d6");
    KnText text = KN_TEXT_EMPTY;
    game->type->draw(game, &p, false, &text);
    assert_string_equal(text.data, "   a b c d e f g h\n"
                                   "1  . . . . . . . .\n"
                                   "2  . . . . . . . .\n"
                                   "3  . . . . . . . .\n"
                                   "4  . . . O X . . .\n"
                                   "5  . . . O X X . .\n"
                                   "6  . . . O . . . .\n"
                                   "7  . . . . . . . .\n"
                                   "8  . . . . . . . .\n"
                                   "X 3, O 3; X to move\n");
    kn_text_clear(&text);
    six->type->start(six, &p);
    assert_text(six, &p, "--------------OX----XO-------------- X");
    play_line(six, &p, "e4 c5");
    six->type->cell_name(six, 35, &text);
    assert_string_equal(text.data, "f6");
    kn_text_free(&text);
}

/* Games of chance, with passes, written together and without them, lead to the same end. */
static void test_moves_written_together(void **state)
{
    Fixture *f = *state;
    KnError error;
    int passes = 0;
    for (int game = 0; game < 60; game++) {
        const KnGame *played = f->game[game % 3];
        KnState *one = kn_state_new(played), *again = kn_state_new(played);
        KnText list = KN_TEXT_EMPTY;
        KnRng rng = kn_rng_stream(29, (uint64_t)game);
        KnMove moves[played->max_moves];
        while (!kn_state_over(one, NULL)) {
            int role = played->type->mover(played, kn_state_position(one));
            int count = kn_state_moves(one, role, moves);
            KnMove move = moves[kn_rng_below(&rng, (uint32_t)count)];
            if (move == KN_OTHELLO_PASS)
                passes++;
            else
                played->type->move_text(played, kn_state_position(one), move, &list);
            check_ok(error, kn_state_play(one, move, &error));
        }
        check_ok(error, kn_replay(again, list.data, &error));
        assert_int_equal(kn_state_plies(again), kn_state_plies(one));
        assert_memory_equal(kn_state_position(again), kn_state_position(one), played->position_size);
        kn_state_reset(again, NULL);
        check_ok(error, kn_replay_plies(again, list.data, 5, &error));
        assert_int_equal(kn_state_plies(again), 5);
        kn_text_free(&list);
        kn_state_free(one);
        kn_state_free(again);
    }
    assert_true(passes > 5);
    KnState *state8 = kn_state_new(f->game[0]);
    check_fails(error, KN_INPUT, "move 3: \"a1\" turns no disc over", kn_replay(state8, "f5d6a1", &error));
    kn_state_free(state8);
}

static void test_bad_input(void **state)
{
    Fixture *f = *state;
    const KnGame *game = f->game[0], *six = f->game[1];
    KnOthelloPosition p;
    KnMove move;
    KnError error;
    KnGame *none;
    game->type->start(game, &p);
    check_fails(error, KN_INPUT, "turns no disc over; legal: d3 c4 f5 e6",
                kn_game_parse_move(game, &p, 0, "a1", &move, &error));
    check_fails(error, KN_INPUT, "occupied", kn_game_parse_move(game, &p, 0, "e4", &move, &error));
    check_fails(error, KN_INPUT, "from a1 to h8", kn_game_parse_move(game, &p, 0, "i9", &move, &error));
    check_fails(error, KN_INPUT, "from a1 to h8", kn_game_parse_move(game, &p, 0, "d33", &move, &error));
    check_fails(error, KN_INPUT, "from a1 to h8", kn_game_parse_move(game, &p, 0, "", &move, &error));
    check_fails(error, KN_INPUT, "from a1 to f6", kn_game_parse_move(six, &p, 0, "g1", &move, &error));
    check_fails(error, KN_INPUT, "column 1: 64 squares are missing",
                game->type->parse_position(game, "", &p, &error));
    check_fails(error, KN_INPUT, "column 28: expected X, O or -",
                game->type->parse_position(
                    game, "---------------------------QX------XO--------------------------- X", &p, &error));
    check_fails(error, KN_INPUT, "column 38: 27 squares are missing",
                game->type->parse_position(game, "---------------------------OX------XO X", &p, &error));
    check_fails(error, KN_INPUT, "column 65: expected X or O, who is to move",
                game->type->parse_position(
                    game, "---------------------------OX------XO---------------------------", &p, &error));
    check_fails(error, KN_INPUT, "column 66",
                game->type->parse_position(
                    game, "---------------------------OX------XO--------------------------- XX", &p, &error));
    p = (KnOthelloPosition){.own = 1, .their = 1, .mover = 0};
    check_fails(error, KN_INPUT, "no Othello position", game->type->check(game, &p, &error));
    p = (KnOthelloPosition){.own = 1, .their = 2, .mover = 0}; /* off the smaller board */
    check_ok(error, game->type->check(game, &p, &error));
    check_fails(error, KN_INPUT, "6x6", six->type->check(six, &p, &error));
    check_fails(error, KN_INPUT, "even", kn_game_open(f->context, "othello(size=7)", &none, &error));
    assert_int_not_equal(kn_game_open(f->context, "othello(size=10)", &none, &error), KN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_slow_generator),
        cmocka_unit_test(test_kernels_evaluate_alike),
        cmocka_unit_test(test_wipe_out),
        cmocka_unit_test(test_pass),
        cmocka_unit_test(test_solve_4x4),
        cmocka_unit_test(test_stable_discs_stay),
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_moves_written_together),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
