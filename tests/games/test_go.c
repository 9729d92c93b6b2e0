/* Go against a slow, obviously right copy of its rules, against counts that are known, and on drawn boards.
 */
#include "support/check.h"
#include "support/instances.h"

#include <stdio.h>
#include <string.h>

#include <knack/base.h>
#include "games/game.h"
#include "games/go/go.h"

static KnContext *context;

static KnGame *open_go(const char *spec)
{
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    assert_true(kn_go_is(game));
    return game;
}

/* --- The reference: cells as bytes, every string found afresh by walking it. --- */

typedef struct Board {
    int size;
    uint8_t cells[KN_GO_CELLS_MAX]; /* 0 empty, 1 black, 2 white */
} Board;

static int neighbours_of(const Board *b, int cell, int out[4])
{
    int n = 0, x = cell % b->size, y = cell / b->size;
    if (x > 0) out[n++] = cell - 1;
    if (x < b->size - 1) out[n++] = cell + 1;
    if (y > 0) out[n++] = cell - b->size;
    if (y < b->size - 1) out[n++] = cell + b->size;
    return n;
}

/* Marks everything of the cell's colour connected with it; returns its number of cells. */
static int walk_string(const Board *b, int cell, bool *marked)
{
    int near[4], n = neighbours_of(b, cell, near), count = 1;
    marked[cell] = true;
    for (int i = 0; i < n; i++)
        if (!marked[near[i]] && b->cells[near[i]] == b->cells[cell]) count += walk_string(b, near[i], marked);
    return count;
}

static int count_liberties(const Board *b, int cell)
{
    bool string[KN_GO_CELLS_MAX] = {false}, counted[KN_GO_CELLS_MAX] = {false};
    int count = 0, near[4];
    walk_string(b, cell, string);
    for (int i = 0; i < b->size * b->size; i++) {
        int n = string[i] ? neighbours_of(b, i, near) : 0;
        for (int k = 0; k < n; k++)
            if (!b->cells[near[k]] && !counted[near[k]]) count++, counted[near[k]] = true;
    }
    return count;
}

/* Places a stone; false if that is suicide or the point is taken. */
static bool place(Board *b, int cell, int colour)
{
    if (b->cells[cell]) return false;
    b->cells[cell] = (uint8_t)colour;
    int near[4], n = neighbours_of(b, cell, near);
    for (int i = 0; i < n; i++) {
        if (b->cells[near[i]] != 3 - colour || count_liberties(b, near[i])) continue;
        bool dead[KN_GO_CELLS_MAX] = {false};
        walk_string(b, near[i], dead);
        for (int k = 0; k < b->size * b->size; k++)
            if (dead[k]) b->cells[k] = 0;
    }
    return count_liberties(b, cell) > 0;
}

static bool same(const Board *a, const Board *b) { return memcmp(a->cells, b->cells, sizeof a->cells) == 0; }

static void count_area(const Board *b, int area[2])
{
    bool seen[KN_GO_CELLS_MAX] = {false};
    area[0] = area[1] = 0;
    for (int i = 0; i < b->size * b->size; i++) {
        if (b->cells[i]) area[b->cells[i] - 1]++;
        if (b->cells[i] || seen[i]) continue;
        bool region[KN_GO_CELLS_MAX] = {false}, touches[3] = {false};
        int count = walk_string(b, i, region), near[4];
        for (int k = 0; k < b->size * b->size; k++) {
            if (!region[k]) continue;
            seen[k] = true;
            int n = neighbours_of(b, k, near);
            for (int j = 0; j < n; j++) touches[b->cells[near[j]]] = true;
        }
        if (touches[1] != touches[2]) area[touches[2]] += count;
    }
}

static Board board_of(const KnGame *game, const void *position)
{
    Board b = {.size = kn_go_size(game)};
    for (int i = 0; i < game->cells; i++) b.cells[i] = (uint8_t)game->type->cell(game, position, i);
    return b;
}

/* Plays a random game and compares, at every ply, moves, boards and area with the reference. Returns how
 * many moves only superko forbade. */
static int follow(const KnGame *game, KnRng *rng, int plies)
{
    enum { MOST = 400 };
    static Board past[MOST + 1];
    bool superko = game->traits & KN_GAME_LOOKS_BACK;
    int barred = 0, size = kn_go_size(game), colour = 1;
    KnState *game_state = kn_state_new(game);
    past[0] = (Board){.size = size};
    for (int ply = 0; ply < plies; ply++) {
        const void *position = kn_state_position(game_state);
        Board now = board_of(game, position);
        assert_memory_equal(now.cells, past[ply].cells, sizeof now.cells);
        int area[2], counted[2];
        count_area(&now, area);
        kn_go_area(game, position, counted);
        assert_memory_equal(area, counted, sizeof area);
        if (kn_state_over(game_state, NULL)) break;
        bool allowed[KN_GO_CELLS_MAX + 1] = {false};
        KnMove moves[KN_GO_CELLS_MAX + 1];
        int count = kn_state_moves(game_state, colour - 1, moves), expected = 1;
        for (int i = 0; i < count; i++) {
            int x, y;
            if (kn_go_point(game, moves[i], &x, &y))
                allowed[y * size + x] = true;
            else
                assert_true(moves[i] == KN_GO_PASS);
        }
        for (int cell = 0; cell < size * size; cell++) {
            Board next = now;
            bool legal = place(&next, cell, colour) && !(ply && same(&next, &past[ply - 1]));
            KnMove move = kn_go_move(game, cell % size, cell / size);
            assert_int_equal(kn_go_legal(game, position, move), legal);
            for (int i = 0; legal && superko && i < ply; i++)
                if (same(&next, &past[i])) legal = false, barred++;
            expected += legal;
            if (legal != allowed[cell]) fail_msg("%s: ply %d: cell %d", game->spec, ply, cell);
        }
        assert_int_equal(count, expected);
        KnMove move = moves[kn_rng_below(rng, (uint32_t)(count > 1 && ply % 8 ? count - 1 : count))];
        past[ply + 1] = now;
        int x, y;
        if (kn_go_point(game, move, &x, &y)) place(&past[ply + 1], y * size + x, colour);
        KnError error;
        check_ok(error, kn_state_play(game_state, move, &error));
        colour = 3 - colour;
    }
    kn_state_free(game_state);
    return barred;
}

static void test_reference(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        int games, plies;
    } rows[] = {{"go(2)", 300, 100}, {"go(3)", 200, 200}, {"go(3, superko=none)", 100, 200},
                {"go(4)", 60, 300},  {"go(5)", 30, 300},  {"go(6)", 20, 300},
                {"go(7)", 10, 300},  {"go(8)", 8, 300},   {"go(9)", 8, 400},
                {"go(10)", 3, 400},  {"go(13)", 2, 400},  {"go(18)", 1, 400},
                {"go(19)", 1, 400}};
    int barred = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnGame *game = open_go(rows[i].spec);
        KnRng rng = kn_rng_seeded(i);
        for (long k = check_scaled(rows[i].games); k > 0; k--) barred += follow(game, &rng, rows[i].plies);
        kn_game_close(game);
    }
    assert_true(barred > 20); /* superko was put to the test */
}

/* Tromp's numbers of legal positions: colourings in which every string has a liberty. */
static void test_legal_positions(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        int colourings, legal;
    } rows[] = {{"go(2)", 81, 57}, {"go(3)", 19683, 12675}};
    for (int r = 0; r < 2; r++) {
        KnGame *game = open_go(rows[r].spec);
        _Alignas(16) unsigned char position[256], image[256];
        int legal = 0;
        for (int code = 0; code < rows[r].colourings; code++) {
            uint8_t cells[9];
            for (int i = 0, rest = code; i < game->cells; i++, rest /= 3) cells[i] = (uint8_t)(rest % 3);
            if (kn_go_set_up(game, cells, code & 1, KN_GO_PASS, position, NULL) != KN_OK) continue;
            legal++;
            game->type->unpack(game, game->type->pack(game, position), image);
            assert_memory_equal(position, image, game->position_size);
        }
        assert_int_equal(legal, rows[r].legal);
        kn_game_close(game);
    }
}

/* Positions at a depth, by the game and by the reference; simple ko. */
static long perft(const KnGame *game, const void *position, int depth)
{
    KnMove moves[KN_GO_CELLS_MAX + 1];
    _Alignas(16) unsigned char next[256];
    if (!depth) return 1;
    long sum = 0;
    int count = game->type->moves(game, position, moves);
    for (int i = 0; i < count; i++) {
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        sum += perft(game, next, depth - 1);
    }
    return sum;
}

static long slow_perft(const Board *board, const Board *before, int colour, int passes, int depth)
{
    if (!depth) return 1;
    if (passes == 2) return 0;
    long sum = slow_perft(board, board, 3 - colour, passes + 1, depth - 1);
    for (int cell = 0; cell < board->size * board->size; cell++) {
        Board next = *board;
        if (place(&next, cell, colour) && !same(&next, before))
            sum += slow_perft(&next, board, 3 - colour, 0, depth - 1);
    }
    return sum;
}

static void test_perft(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        int depth;
    } rows[] = {{"go(2)", 9}, {"go(3)", 5}, {"go(5)", 3}, {"go(9)", 2}, {"go(19)", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnGame *game = open_go(rows[i].spec);
        _Alignas(16) unsigned char position[256];
        game->type->start(game, position);
        Board empty = {.size = kn_go_size(game)};
        for (int depth = 1; depth <= rows[i].depth; depth++)
            assert_int_equal(perft(game, position, depth), slow_perft(&empty, &empty, 1, 0, depth));
        kn_game_close(game);
    }
}

/* --- Drawn boards. --- */

typedef struct Scene {
    KnGame *game;
    _Alignas(16) unsigned char position[256];
} Scene;

static Scene scene(const char *spec, const char *text)
{
    Scene s = {.game = open_go(spec)};
    KnError error;
    check_ok(error, s.game->type->parse_position(s.game, text, s.position, &error));
    return s;
}

static void play(Scene *s, const char *text)
{
    KnError error;
    KnMove move;
    check_ok(error, s->game->type->parse_move(s->game, s->position, text, &move, &error));
    s->game->type->play(s->game, s->position, move);
}

static void refuses(Scene *s, const char *text, const char *why)
{
    KnError error = {.text = ""};
    KnMove move;
    check_fails(error, KN_INPUT, why, s->game->type->parse_move(s->game, s->position, text, &move, &error));
}

static void looks(Scene *s, const char *wanted)
{
    KnText text = KN_TEXT_EMPTY;
    s->game->type->position_text(s->game, s->position, &text);
    assert_string_equal(text.data, wanted);
    kn_text_free(&text);
    KnError error;
    check_ok(error, s->game->type->check(s->game, s->position, &error));
}

static void test_captures(void **state)
{
    (void)state;
    /* One stone of three strings at once. */
    Scene s = scene("go(5)", ".xox./xo.ox/.xox./..x../..... b");
    play(&s, "C4");
    looks(&s, ".x.x./x.x.x/.x.x./..x../..... w - 0");
    kn_game_close(s.game);
    /* A string of five, taken by filling its last liberty. */
    s = scene("go(5)", ".xxx./xooox/xoo.x/.xxx./..... b");
    play(&s, "d3");
    looks(&s, ".xxx./x...x/x..xx/.xxx./..... w - 0");
    kn_game_close(s.game);
    /* On the edge of the words of a 9x9 board (rows 3 and 4) and of a 19x19 one. */
    s = scene("go(9)",
              "........./........./........./........./....x..../...xox.../...xo..../....x..../......... b");
    play(&s, "F3");
    looks(&s,
          "........./........./........./........./....x..../...x.x.../...x.x.../....x..../......... w - 0");
    kn_game_close(s.game);
}

static void test_suicide(void **state)
{
    (void)state;
    Scene s = scene("go(4)", ".x../x.x./.x../.... w");
    refuses(&s, "A4", "suicide");
    refuses(&s, "B3", "suicide");
    refuses(&s, "B4", "stone");
    kn_game_close(s.game);
    /* Of a string. */
    s = scene("go(4)", ".ox./oox./xx../.... w");
    refuses(&s, "A4", "suicide");
    play(&s, "pass");
    play(&s, "A4"); /* black takes instead */
    looks(&s, "x.x./..x./xx../.... w - 0");
    kn_game_close(s.game);
    /* Not suicide: it takes first. */
    s = scene("go(4)", ".ox./ox../x.../.... b");
    play(&s, "A4");
    looks(&s, "x.x./.x../x.../.... w - 0");
    kn_game_close(s.game);
}

/* A packed code keeps a ko at any point, the first one too, and passes apart from it. */
static void test_packed_ko(void **state)
{
    (void)state;
    KnGame *game = open_go("go(size=5)");
    _Alignas(16) unsigned char position[game->position_size];
    for (uint64_t rest = 0; rest < 25 + 3; rest++)
        for (uint64_t mover = 0; mover < 2; mover++) {
            uint64_t code = rest * 2 + mover;
            game->type->unpack(game, code, position);
            assert_true(game->type->pack(game, position) == code);
        }
    kn_game_close(game);
}

static void test_ko(void **state)
{
    (void)state;
    Scene s = scene("go(5, superko=none)", ".xo../xo.o./.xo../...../..... b");
    play(&s, "C4");
    looks(&s, ".xo../x.xo./.xo../...../..... w B4 0");
    refuses(&s, "B4", "ko");
    play(&s, "E1");
    looks(&s, ".xo../x.xo./.xo../...../....o b - 0");
    play(&s, "pass");
    play(&s, "B4");
    looks(&s, ".xo../xo.o./.xo../...../....o b C4 0");
    play(&s, "pass"); /* lifts it */
    looks(&s, ".xo../xo.o./.xo../...../....o w - 1");
    kn_game_close(s.game);
}

/* A stone thrown in is taken by a string that is then taken itself: no ko, since it is not the stone alone
 * that comes back. */
static void test_snapback(void **state)
{
    (void)state;
    Scene s = scene("go(5)", ".xo../.xo../oo.../...../..... w");
    play(&s, "A5");
    looks(&s, "oxo../.xo../oo.../...../..... b - 0");
    play(&s, "A4");
    looks(&s, ".xo../xxo../oo.../...../..... w - 0");
    play(&s, "A5");
    looks(&s, "o.o../..o../oo.../...../..... b - 0");
    kn_game_close(s.game);
}

/* Plays a line from a position; only its last move comes back to the stones of the beginning, and superko
 * alone forbids that. */
static void comes_back(const char *size, const char *text, const char *const *line)
{
    for (int none = 0; none < 2; none++) {
        char spec[64];
        snprintf(spec, sizeof spec, "go(%s%s)", size, none ? ", superko=none" : "");
        Scene s = scene(spec, text);
        Board first = board_of(s.game, s.position);
        KnState *game_state = kn_state_new(s.game);
        kn_state_reset(game_state, s.position);
        for (int i = 0; line[i]; i++) {
            KnError error;
            KnMove move, moves[KN_GO_CELLS_MAX + 1];
            const void *position = kn_state_position(game_state);
            check_ok(error, s.game->type->parse_move(s.game, position, line[i], &move, &error));
            int count = kn_state_moves(game_state, s.game->type->mover(s.game, position), moves);
            bool listed = false;
            for (int k = 0; k < count; k++) listed |= moves[k] == move;
            assert_int_equal(listed, line[i + 1] || none);
            check_ok(error, kn_state_play(game_state, move, &error));
        }
        Board last = board_of(s.game, kn_state_position(game_state));
        assert_true(same(&first, &last));
        kn_state_free(game_state);
        kn_game_close(s.game);
    }
}

static void test_superko(void **state)
{
    (void)state;
    static const char *const sending_two[] = {"D5", "B5", "C5",
                                              NULL}; /* two are taken by one, which is taken: white to move */
    comes_back("5", "x.x.o/xxoo./.xo../...../..... b", sending_two);
    static const char *const three_kos[] = {"C8", "B4", "H8", "B8",
                                            "C4", "G8", NULL}; /* round and round: black to move */
    comes_back("9",
               ".xo...xo./xo.o.xo.o/.xo...xo./........./.xo....../x.xo...../.xo....../........./......... b",
               three_kos);
}

/* The history's filter spares the walk and changes nothing, whatever was undone and played before. */
static void test_filter(void **state)
{
    (void)state;
    KnError error;
    static const char *const specs[] = {"go(2)", "go(3)", "go(5)"};
    int barred = 0;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        KnGame *game = open_go(specs[i]);
        KnState *played = kn_state_new(game);
        KnRng rng = kn_rng_seeded(11 + i);
        for (long ply = check_scaled(4000); ply > 0; ply--) {
            const void *position = kn_state_position(played);
            KnMove all[KN_GO_CELLS_MAX + 1], moves[KN_GO_CELLS_MAX + 1];
            int listed = game->type->moves(game, position, all), kept = 0;
            KnHistory walked = kn_state_history(played);
            assert_non_null(walked.filter);
            walked.filter = NULL;
            int count = kn_state_moves(played, game->type->mover(game, position), moves);
            for (int k = 0; k < listed; k++)
                if (game->type->barred(game, position, &walked, all[k]))
                    barred++;
                else
                    assert_true(kept < count && moves[kept++] == all[k]);
            assert_int_equal(kept, count);
            if (!count || kn_rng_below(&rng, 300) == 0)
                kn_state_reset(played, NULL);
            else if (kn_rng_below(&rng, 10) == 0)
                for (uint32_t back = kn_rng_below(&rng, 6); back > 0; back--) kn_state_undo(played);
            else { /* a pass only where nothing else is left */
                uint32_t places = (uint32_t)count - (count > 1);
                check_ok(error, kn_state_play(played, moves[kn_rng_below(&rng, places)], &error));
            }
        }
        kn_state_free(played);
        kn_game_close(game);
    }
    assert_true(barred > 10);
}

static void test_seki_and_score(void **state)
{
    (void)state;
    /* Whoever fills one of the two shared liberties is taken; they count for nobody. */
    Scene s = scene("go(5, komi=0.5)", "x.ox./x.ox./ooox./xxxx./.x.x. b");
    int area[2];
    kn_go_area(s.game, s.position, area);
    assert_int_equal(area[0], 18);
    assert_int_equal(area[1], 5);
    play(&s, "B5");
    play(&s, "B4");
    looks(&s, "..ox./.oox./ooox./xxxx./.x.x. b - 0");
    kn_game_close(s.game);

    s = scene("go(5, komi=1.5)", ".xo../xxo../.xo../xxo../.xo.. b - 2");
    kn_go_area(s.game, s.position, area);
    assert_int_equal(area[0], 10);
    assert_int_equal(area[1], 15);
    double payoffs[2];
    KnMove moves[26];
    assert_int_equal(s.game->type->moves(s.game, s.position, moves), 0);
    s.game->type->payoffs(s.game, s.position, payoffs);
    assert_true(payoffs[0] == -1 && payoffs[1] == 1);
    assert_true(s.game->type->points(s.game, s.position, 0) == -6.5);
    assert_true(s.game->type->points(s.game, s.position, 1) == 6.5);
    assert_true(s.game->type->material(s.game, s.position, 0) == 7);
    kn_game_close(s.game);

    s = scene("go(5, komi=-5)", ".xo../xxo../.xo../xxo../.xo.. b - 2"); /* a draw */
    s.game->type->payoffs(s.game, s.position, payoffs);
    assert_true(payoffs[0] == 0 && payoffs[1] == 0);
    kn_game_close(s.game);

    s = scene("go(3)", ".../.../... b - 2"); /* nobody's board */
    kn_go_area(s.game, s.position, area);
    assert_int_equal(area[0] + area[1], 0);
    kn_game_close(s.game);
}

static void test_features(void **state)
{
    (void)state;
    Scene s = scene("go(5, komi=0)", "xo.../.o.../...../..xx./..... w");
    double values[32];
    s.game->type->feature_values(s.game, s.position, 0, values);
    static const struct {
        const char *name;
        double value;
    } wanted[] = {{"stones", 3},         {"their stones", 2},
                  {"strings", 2},        {"their strings", 1},
                  {"liberties", 7},      {"atari", 1},
                  {"their atari", 0},    {"territory", 0},
                  {"edge stones", 1},    {"their edge stones", 1},
                  {"their liberties", 4}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        int k = 0;
        while (strcmp(s.game->features[k].name, wanted[i].name) != 0) k++;
        if (values[k] != wanted[i].value)
            fail_msg("%s is %g, not %g", wanted[i].name, values[k], wanted[i].value);
    }
    assert_int_equal(kn_game_evaluation(s.game, "stones")->score(s.game, s.position), -100);
    assert_int_equal(kn_game_evaluation(s.game, "area")->score(s.game, s.position), -100);
    kn_game_close(s.game);
    /* Each side has three columns' worth but the middle, which is as near to both; komi goes to white, who is
     * to move. */
    s = scene("go(5, komi=1.5)", "...../...../x...o/...../..... w");
    assert_int_equal(kn_game_evaluation(s.game, NULL)->score(s.game, s.position), 150);
    s.game->type->feature_values(s.game, s.position, 0, values);
    assert_true(values[10] == 9 && values[11] == 9);
    kn_game_close(s.game);
    /* The black stone in the corner is as good as taken. */
    s = scene("go(5, komi=0)", "xo.../...../...../...../....x w");
    KnScore before = kn_game_evaluation(s.game, "influence")->score(s.game, s.position);
    kn_game_close(s.game);
    s = scene("go(5, komi=0)", ".o.../...../...../...../....x w");
    assert_int_equal(kn_game_evaluation(s.game, "influence")->score(s.game, s.position), before);
    kn_game_close(s.game);
}

static void test_drawing(void **state)
{
    (void)state;
    Scene s = scene("go(5)", ".xo../x.xo./.xo../...../..... w B4 0");
    KnText text = KN_TEXT_EMPTY;
    s.game->type->draw(s.game, s.position, false, &text);
    assert_string_equal(text.data, "   A B C D E\n"
                                   " 5 . X O . . 5\n"
                                   " 4 X * X O . 4\n"
                                   " 3 . X O . . 3\n"
                                   " 2 . . . . . 2\n"
                                   " 1 . . . . . 1\n"
                                   "   A B C D E\n");
    kn_text_free(&text);
    kn_game_close(s.game);
    s.game = open_go("go(19)");
    text = KN_TEXT_EMPTY;
    s.game->type->start(s.game, s.position);
    s.game->type->draw(s.game, s.position, false, &text);
    assert_non_null(strstr(text.data, "   A B C D E F G H J K L M N O P Q R S T\n19 . . "));
    assert_non_null(strstr(text.data, "\n16 . . . + . . . . . + . . . . . + . . . 16\n"));
    kn_text_free(&text);
    kn_game_close(s.game);
}

static void test_bad_input(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    check_fails(error, KN_INPUT, "komi=7.25", kn_game_open(context, "go(komi=7.25)", &game, &error));
    check_fails(error, KN_INPUT, "size", kn_game_open(context, "go(size=20)", &game, &error));
    check_fails(error, KN_INPUT, "positional", kn_game_open(context, "go(superko=total)", &game, &error));
    game = open_go("go(3)");
    _Alignas(16) unsigned char position[256];
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "column 1"},
        {"..", "column 3"},
        {"..?/.../... b", "column 3"},
        {"..../.../... b", "column 4"},
        {".../.../...", "column 12"},
        {".../.../... x", "column 13"},
        {".../.../... b I1", "column 15"},
        {".../.../... b D1", "column 15"},
        {".../.../... b - 3", "column 17"},
        {".../.../... b - 1 ", "column 17"},
        {".../.../... b A1 0", "ko"},
        {"ox./xx./... b - 0", "A3 has no liberty"},
        {".x./x.x/.x. w B2 0", "ko"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_fails(error, KN_INPUT, rows[i].message,
                    game->type->parse_position(game, rows[i].text, position, &error));
    game->type->start(game, position);
    KnMove move;
    static const char *const moves[] = {"",      "A", "A0", "A01", "A4", "D1", "I1", "A1x", "A11111111111111",
                                        "passs", "1A"};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        check_fails(error, KN_INPUT, "A1 to C3",
                    game->type->parse_move(game, position, moves[i], &move, &error));
    memset(position, 0xff, sizeof position);
    check_fails(error, KN_INPUT, "no position", game->type->check(game, position, &error));
    game->type->start(game, position);
    position[0] ^= 1; /* the hash */
    check_fails(error, KN_INPUT, "no position", game->type->check(game, position, &error));
    kn_game_close(game);
}

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference), cmocka_unit_test(test_legal_positions),
        cmocka_unit_test(test_perft),     cmocka_unit_test(test_captures),
        cmocka_unit_test(test_suicide),   cmocka_unit_test(test_ko),
        cmocka_unit_test(test_packed_ko), cmocka_unit_test(test_snapback),
        cmocka_unit_test(test_superko),   cmocka_unit_test(test_seki_and_score),
        cmocka_unit_test(test_features),  cmocka_unit_test(test_drawing),
        cmocka_unit_test(test_bad_input), cmocka_unit_test(test_filter),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
