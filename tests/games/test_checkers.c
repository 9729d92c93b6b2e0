/* The rules of draughts, against a slow generator that walks over a board of characters. */
#include "support/boards.h"
#include "support/check.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/game.h"

typedef unsigned char Room[64] __attribute__((aligned(16))); /* for a position */

/* ---- The slow generator. ---- */

enum { RESULTS_MAX = 512 };

/* A board of letters by row and column, row 0 at black's side; light squares stay blank. */
typedef struct Board {
    char at[8][8];
    char mover; /* 'b' or 'w' */
} Board;

/* All ends of all ways to move, one entry for each way. */
typedef struct Results {
    Board board[RESULTS_MAX];
    bool quiet[RESULTS_MAX]; /* a king moved and took nothing */
    int count;
} Results;

static bool inside(int y, int x) { return y >= 0 && y < 8 && x >= 0 && x < 8; }

static bool may_go(char piece, int dy) { return isupper((unsigned char)piece) || (piece == 'b') == (dy > 0); }

static void finish(const Board *board, int y, int x, bool quiet, Results *results)
{
    assert_true(results->count < RESULTS_MAX);
    Board *end = &results->board[results->count];
    results->quiet[results->count++] = quiet;
    *end = *board;
    if (end->at[y][x] == 'b' && y == 7) end->at[y][x] = 'B';
    if (end->at[y][x] == 'w' && y == 0) end->at[y][x] = 'W';
    end->mover = board->mover == 'b' ? 'w' : 'b';
}

/* Jumps of the piece at (y, x), to their ends; true if there are any. Taken pieces are lifted at once: none
 * can be jumped twice, and no jump ends where one stood. */
static bool jump_on(const Board *board, int y, int x, bool begun, Results *results)
{
    bool any = false;
    char piece = board->at[y][x];
    for (int dy = -1; dy <= 1; dy += 2)
        for (int dx = -1; dx <= 1; dx += 2) {
            if (!may_go(piece, dy) || !inside(y + 2 * dy, x + 2 * dx) ||
                board->at[y + 2 * dy][x + 2 * dx] != '.')
                continue;
            char over = board->at[y + dy][x + dx];
            if (over == '.' || tolower((unsigned char)over) == board->mover) continue;
            Board next = *board;
            next.at[y][x] = next.at[y + dy][x + dx] = '.';
            next.at[y + 2 * dy][x + 2 * dx] = piece;
            any = true;
            jump_on(&next, y + 2 * dy, x + 2 * dx, true, results);
        }
    if (!any && begun) finish(board, y, x, false, results);
    return any;
}

static void step(const Board *board, int y, int x, Results *results)
{
    char piece = board->at[y][x];
    for (int dy = -1; dy <= 1; dy += 2)
        for (int dx = -1; dx <= 1; dx += 2) {
            if (!may_go(piece, dy) || !inside(y + dy, x + dx) || board->at[y + dy][x + dx] != '.') continue;
            Board next = *board;
            next.at[y][x] = '.';
            next.at[y + dy][x + dx] = piece;
            finish(&next, y + dy, x + dx, isupper((unsigned char)piece), results);
        }
}

static void slow_moves(const Board *board, Results *results)
{
    results->count = 0;
    bool capture = false;
    for (int pass = 0; pass < 2 && !capture; pass++)
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++) {
                if (tolower((unsigned char)board->at[y][x]) != board->mover) continue;
                if (pass == 0)
                    capture |= jump_on(board, y, x, false, results);
                else
                    step(board, y, x, results);
            }
}

/* The board as a position's text, with the counter. */
static void board_text(const Board *board, unsigned quiet, char *text)
{
    char *t = text + sprintf(text, "%c", toupper((unsigned char)board->mover));
    for (int side = 0; side < 2; side++) {
        const char *comma = "";
        t += sprintf(t, ":%c", "WB"[side]);
        for (int square = 1; square <= 32; square++) {
            int y = (square - 1) / 4, x = 2 * ((square - 1) % 4) + (y % 2 == 0);
            if (tolower((unsigned char)board->at[y][x]) != "wb"[side]) continue;
            t += sprintf(t, "%s%s%d", comma, isupper((unsigned char)board->at[y][x]) ? "K" : "", square);
            comma = ",";
        }
    }
    if (quiet) sprintf(t, ":H%u", quiet);
}

static Board random_board(KnRng *rng)
{
    Board board = {.mover = kn_rng_below(rng, 2) ? 'b' : 'w'};
    uint32_t filled = 2 + kn_rng_below(rng, 70), kings = kn_rng_below(rng, 101);
    int count[2] = {0, 0};
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            board.at[y][x] = (y + x) % 2 ? '.' : ' ';
            if ((y + x) % 2 == 0 || kn_rng_below(rng, 100) >= filled) continue;
            uint32_t side = kn_rng_below(rng, 2);
            if (count[side] == 12) continue;
            count[side]++;
            bool king = kn_rng_below(rng, 100) < kings || y == (side ? 0 : 7);
            board.at[y][x] = (king ? "BW" : "bw")[side];
        }
    if (!count[0] && !count[1]) board.at[0][1] = 'B';
    return board;
}

static int compare_texts(const void *a, const void *b) { return strcmp(a, b); }

enum { TEXT = 256 };

/* Moves and successors agree; a move has as many paths as the slow generator found ways to the same end. */
static void compare_generators(const KnGame *game, const Board *board)
{
    static Results results;
    static char slow[RESULTS_MAX][TEXT], fast[64][TEXT];
    char text[TEXT];
    Room position, next;
    KnMove moves[64];
    board_text(board, 5, text);
    test_position(game, text, position);
    slow_moves(board, &results);
    for (int i = 0; i < results.count; i++) board_text(&results.board[i], results.quiet[i] ? 6 : 0, slow[i]);
    qsort(slow, (size_t)results.count, TEXT, compare_texts);
    assert_in_range(game->max_moves, 1, 64);
    int count = game->type->moves(game, position, moves), ways = 0;
    assert_int_equal(game->type->count(game, position, false), count);
    assert_int_equal(game->type->count(game, position, true), results.count);
    for (int i = 0; i < count; i++) {
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        snprintf(fast[i], TEXT, "%s", test_position_text(game, next));
        int paths = game->type->paths(game, position, moves[i]), same = 0;
        for (int j = 0; j < results.count; j++) same += strcmp(slow[j], fast[i]) == 0;
        if (paths != same)
            fail_msg("%s, %s: %d paths, the slow generator finds %d", text,
                     test_move_text(game, position, moves[i]), paths, same);
        ways += paths;
    }
    if (ways != results.count)
        fail_msg("%s: %d ways to move, the slow generator finds %d", text, ways, results.count);
    qsort(fast, (size_t)count, TEXT, compare_texts);
    for (int i = 1; i < count; i++)
        if (strcmp(fast[i - 1], fast[i]) == 0) fail_msg("%s: two moves lead to %s", text, fast[i]);
}

static void test_moves_agree_with_a_slow_generator(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    KnRng rng = kn_rng_seeded(20);
    for (long i = check_scaled(30000); i > 0; i--) {
        Board board = random_board(&rng);
        compare_generators(game, &board);
    }
    test_game_close(game);
}

/* ---- Single rules. ---- */

/* The legal moves, in the order of their texts, joined by blanks. */
static const char *legal(const KnGame *game, const char *text)
{
    static char joined[2048];
    static char each[64][TEXT];
    Room position;
    KnMove moves[64];
    test_position(game, text, position);
    int count = game->type->moves(game, position, moves);
    for (int i = 0; i < count; i++) snprintf(each[i], TEXT, "%s", test_move_text(game, position, moves[i]));
    qsort(each, (size_t)count, TEXT, compare_texts);
    joined[0] = 0;
    for (int i = 0; i < count; i++) {
        if (i) strcat(joined, " ");
        strcat(joined, each[i]);
    }
    return joined;
}

static const char *after(const KnGame *game, const char *text, const char *move_text)
{
    Room position;
    KnMove move;
    KnError error;
    test_position(game, text, position);
    check_ok(error, game->type->parse_move(game, position, move_text, &move, &error));
    game->type->play(game, position, move);
    return test_position_text(game, position);
}

static void test_moves_of_single_positions(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    assert_string_equal(legal(game, "B:W21-32:B1-12"), "10-14 10-15 11-15 11-16 12-16 9-13 9-14");
    assert_string_equal(legal(game, "W:W21-32:B1-12"), "21-17 22-17 22-18 23-18 23-19 24-19 24-20");
    /* Men go forward only, kings both ways. */
    assert_string_equal(legal(game, "B:W32:B14"), "14-17 14-18");
    assert_string_equal(legal(game, "W:W18:B1"), "18-14 18-15");
    assert_string_equal(legal(game, "B:W32:BK14"), "14-10 14-17 14-18 14-9");
    /* A capture is compulsory; men do not capture backwards. */
    assert_string_equal(legal(game, "B:W18,25:B14,1"), "14x23");
    assert_string_equal(legal(game, "B:W9:B14"), "14-17 14-18");
    assert_string_equal(legal(game, "B:W9,32:BK14"), "14x5");
    /* Any capture may be chosen, but the one chosen is completed: not 14x23 alone, and 12x19 takes less. */
    assert_string_equal(legal(game, "B:W16,18,27:B12,14"), "12x19 14x32");
    /* A man that reaches the king row stops, though a king could take another. */
    assert_string_equal(legal(game, "B:W26,27,K1:B22"), "22x31");
    assert_string_equal(after(game, "B:W26,27,K1:B22", "22x31"), "W:WK1,27:BK31");
    assert_string_equal(legal(game, "B:W26,27,K1:BK22"), "22x24");
    test_game_close(game);
}

/* A king around a square of four: one move, two paths, ends where it began. */
static void test_a_king_that_comes_back(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    static const char text[] = "B:W6,7,14,15:BK2";
    Room position;
    KnMove moves[64], again;
    KnError error;
    test_position(game, text, position);
    assert_int_equal(game->type->moves(game, position, moves), 1);
    assert_int_equal(game->type->paths(game, position, moves[0]), 2);
    check_ok(error, game->type->parse_move(game, position, "2x9x18x11x2", &again, &error));
    assert_true(again == moves[0]);
    check_ok(error, game->type->parse_move(game, position, "2x11x18x9x2", &again, &error));
    assert_true(again == moves[0]);
    assert_string_equal(after(game, text, test_move_text(game, position, moves[0])), "W:W:BK2");
    test_game_close(game);
}

static void check_outcome(const KnGame *game, const char *text, double black)
{
    Room position;
    double payoffs[2];
    test_position(game, text, position);
    assert_true(kn_game_over(game, position));
    game->type->payoffs(game, position, payoffs);
    assert_true(payoffs[0] == black && payoffs[1] == -black);
}

static void test_who_cannot_move_loses(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    check_outcome(game, "W:W21:B14,17", 1);
    check_outcome(game, "W:W:B14,17", 1);
    check_outcome(game, "B:W19,16:B12", -1);
    check_outcome(game, "W:WK29:B22,K25:H80",
                  1); /* blocked by the last quiet move: won before the draw is due */
    check_outcome(game, "W:WK29:B21,K22:H80", 0);
    test_game_close(game);
}

static void test_the_counter_of_quiet_plies(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    assert_string_equal(after(game, "B:W32:B9,K10:H7", "10-15"), "W:W32:B9,K15:H8");
    assert_string_equal(after(game, "B:W32:B9,K10:H7", "9-13"), "W:W32:BK10,13");
    assert_string_equal(after(game, "B:W32,14:B9,K10:H7", "10x17"), "W:W32:B9,K17");
    Room position;
    test_position(game, "B:W32:B9,K10:H79", position);
    assert_false(kn_game_over(game, position));
    check_outcome(game, "B:W32:B9,K10:H80", 0);
    test_game_close(game);

    game = test_game("checkers(draw=0)");
    assert_string_equal(after(game, "B:W32:B9,K10:H7", "10-15"), "W:W32:B9,K15");
    test_game_close(game);

    game = test_game("checkers(draw=2)");
    test_position(game, "B:W32:B9,K10:H3", position);
    assert_false(kn_game_over(game, position));
    check_outcome(game, "W:W32:B9,K10:H4", 0);
    test_game_close(game);
}

/* Two kings go to and fro from `text`; the ply at which the game ends, or 100. */
static size_t shuffle(const char *spec, const char *text)
{
    static const char *const round[4] = {"1-6", "32-27", "6-1", "27-32"};
    KnGame *game = test_game(spec);
    Room position;
    double payoffs[2] = {9, 9};
    test_position(game, text, position);
    KnState *game_state = kn_state_new(game);
    kn_state_reset(game_state, position);
    while (kn_state_plies(game_state) < 100 && !kn_state_over(game_state, payoffs)) {
        KnMove move;
        KnError error;
        const char *text_of_move = round[kn_state_plies(game_state) % 4];
        check_ok(error,
                 game->type->parse_move(game, kn_state_position(game_state), text_of_move, &move, &error));
        check_ok(error, kn_state_play(game_state, move, &error));
    }
    size_t plies = kn_state_plies(game_state);
    if (plies < 100) assert_true(payoffs[0] == 0 && payoffs[1] == 0);
    kn_state_free(game_state);
    test_game_close(game);
    return plies;
}

static void test_repetition(void **state)
{
    (void)state;
    static const char text[] = "B:W21,K32:BK1,12";
    assert_int_equal(shuffle("checkers", text), 8);
    assert_int_equal(shuffle("checkers(repetition=2)", text), 4);
    assert_int_equal(shuffle("checkers(repetition=5)", text), 16);
    assert_int_equal(shuffle("checkers(repetition=0)", text), 80);
    assert_int_equal(shuffle("checkers(draw=0)", text), 8);
    assert_int_equal(shuffle("checkers(draw=0, repetition=0)", text), 100);
    /* Where the counter is part of the hash, and across the border of that part. */
    assert_int_equal(shuffle("checkers", "B:W21,K32:BK1,12:H60"), 8);
    assert_int_equal(shuffle("checkers", "B:W21,K32:BK1,12:H37"), 8);
    assert_int_equal(shuffle("checkers", "B:W21,K32:BK1,12:H74"), 6);
}

/* A man's move comes between: the board before it does not count, though the game is as long. */
static void test_repetition_begins_anew_after_a_mans_move(void **state)
{
    (void)state;
    static const char *const line[] = {"1-6",   "32-27", "6-1",   "27-32", "12-16", "32-27", "1-6",
                                       "27-32", "6-1",   "32-27", "1-6",   "27-32", "6-1"};
    KnGame *game = test_game("checkers");
    Room position;
    test_position(game, "B:W21,K32:BK1,12", position);
    KnState *game_state = kn_state_new(game);
    kn_state_reset(game_state, position);
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        assert_false(kn_state_over(game_state, NULL));
        KnMove move;
        KnError error;
        check_ok(error, game->type->parse_move(game, kn_state_position(game_state), line[i], &move, &error));
        check_ok(error, kn_state_play(game_state, move, &error));
    }
    assert_true(kn_state_over(game_state, NULL));
    kn_state_free(game_state);
    test_game_close(game);
}

enum { LONGEST = 400 };

/* The board and the mover, without the counter. */
static char *board_of(const KnGame *game, const void *position)
{
    char *text = kn_game_position_text(game, position), *counter = strstr(text, ":H");
    if (counter) *counter = 0;
    return text;
}

/* One random game as a list of boards, move by move beside the game in progress. Returns its plies. */
static int compare_with_list(const KnGame *game, int repetition, const char *text, KnRng *rng)
{
    char *boards[LONGEST];
    Room position;
    int plies = 0;
    test_position(game, text, position);
    KnState *game_state = kn_state_new(game);
    kn_state_reset(game_state, position);
    for (bool over = false; !over && plies < LONGEST;) {
        KnMove moves[64], listed[64];
        int count = game->type->moves(game, position, moves), seen = 0,
            role = game->type->mover(game, position);
        boards[plies] = board_of(game, position);
        for (int i = 0; i <= plies; i++) seen += !strcmp(boards[i], boards[plies]);
        over = count == 0 || (repetition && seen >= repetition);
        assert_memory_equal(kn_state_position(game_state), position, game->position_size);
        assert_int_equal(kn_state_over(game_state, NULL), over);
        assert_int_equal(kn_state_moves(game_state, 1 - role, listed), 0);
        assert_int_equal(kn_state_moves(game_state, role, listed), over ? 0 : count);
        if (!over) assert_memory_equal(listed, moves, (size_t)count * sizeof *moves);
        plies++;
        if (over) break;
        KnError error;
        KnMove move = moves[kn_rng_below(rng, (uint32_t)count)];
        check_ok(error, kn_state_play(game_state, move, &error));
        KnHistory history = kn_state_history(game_state);
        assert_int_equal(history.count, plies);
        assert_true(history.hashes[plies - 1] == game->type->hash(game, position));
        assert_true(kn_state_joint_at(game_state, (size_t)plies - 1)[role] == move);
        assert_true(kn_state_joint_at(game_state, (size_t)plies - 1)[1 - role] == KN_MOVE_NONE);
        game->type->play(game, position, move);
    }
    for (int i = 0; i < plies; i++) free(boards[i]);
    kn_state_free(game_state);
    return plies;
}

static void test_games_in_progress_agree_with_a_list_of_boards(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        int repetition;
    } cases[] = {{"checkers", 3},         {"checkers(repetition=2)", 2}, {"checkers(repetition=6)", 6},
                 {"checkers(draw=0)", 3}, {"checkers(draw=12)", 3},      {"checkers(repetition=0)", 0}};
    static const char *const starts[] = {"B:WK32:BK1", "B:W21,K32:BK1,12", "W:WK29,K30:BK2,K3"};
    KnRng rng = kn_rng_seeded(5);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnGame *game = test_game(cases[i].spec);
        int plies = 0;
        for (int k = 0; k < 60; k++)
            plies += compare_with_list(game, cases[i].repetition, starts[k % 3], &rng);
        for (int k = 0; k < 5; k++)
            plies += compare_with_list(game, cases[i].repetition,
                                       "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
                                       &rng);
        assert_true(plies > 500);
        test_game_close(game);
    }
}

static uint64_t hash_of(const KnGame *game, const char *text)
{
    Room position;
    test_position(game, text, position);
    return game->type->hash(game, position);
}

static void test_hash_and_counter(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    uint64_t plain = hash_of(game, "B:W21,K32:BK1,12");
    assert_true(hash_of(game, "B:W21,K32:BK1,12:H1") == plain);
    assert_true(hash_of(game, "B:W21,K32:BK1,12:H39") == plain);
    assert_true(hash_of(game, "B:W21,K32:BK1,12:H40") != plain);
    assert_true(hash_of(game, "B:W21,K32:BK1,12:H41") != hash_of(game, "B:W21,K32:BK1,12:H40"));
    assert_true(hash_of(game, "W:W21,K32:BK1,12") != plain);
    assert_true(hash_of(game, "B:WK21,K32:BK1,12") != plain);
    assert_true(hash_of(game, "B:W21,K32:BK1,K12") != plain);
    test_game_close(game);
    game = test_game("checkers(draw=10)"); /* always in sight */
    assert_true(hash_of(game, "B:W21,K32:BK1,12") != hash_of(game, "B:W21,K32:BK1,12:H1"));
    test_game_close(game);
    game = test_game("checkers(draw=0)");
    assert_true(hash_of(game, "B:W21,K32:BK1,12") == plain);
    test_game_close(game);
}

/* Half a million positions of random games: no two of them share a hash unless they share the board. */
static void test_hashes_tell_boards_apart(void **state)
{
    (void)state;
    enum { SLOTS = 1 << 20 };
    typedef struct Entry {
        uint64_t hash;
        Room position;
        bool used;
    } Entry;
    KnGame *game = test_game("checkers(draw=0)");
    Entry *table = calloc(SLOTS, sizeof *table);
    assert_non_null(table);
    KnRng rng = kn_rng_seeded(5);
    Room position;
    KnMove moves[64];
    long left = check_scaled(500000);
    game->type->start(game, position);
    while (left > 0) {
        uint64_t hash = game->type->hash(game, position);
        size_t slot = hash % SLOTS; /* its low bits; the rest is compared */
        while (table[slot].used && table[slot].hash != hash) slot = (slot + 1) % SLOTS;
        if (table[slot].used)
            assert_memory_equal(table[slot].position, position, game->position_size);
        else {
            table[slot].used = true;
            table[slot].hash = hash;
            memcpy(table[slot].position, position, game->position_size);
            left--;
        }
        int count = game->type->moves(game, position, moves);
        if (count)
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
        else
            game->type->start(game, position);
    }
    free(table);
    test_game_close(game);
}

static void test_captures_are_what_is_tactical(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    Room position;
    KnMove moves[64];
    bool may_stand = false;
    test_position(game, "B:W21-32:B1-12", position);
    assert_int_equal(game->type->tactical(game, position, moves, &may_stand), 0);
    assert_true(may_stand);
    test_position(game, "B:W16,18,27:B12,14", position);
    assert_int_equal(game->type->tactical(game, position, moves, &may_stand), 2);
    assert_false(may_stand);
    test_game_close(game);
}

static void test_options(void **state)
{
    (void)state;
    KnContext *context = kn_context_new();
    KnError error;
    KnGame *game;
    check_ok(error, kn_games_register(context, &error));
    check_fails(error, KN_INPUT, "repetition=1",
                kn_game_open(context, "checkers(repetition=1)", &game, &error));
    check_fails(error, KN_INPUT, "draw", kn_game_open(context, "checkers(draw=-1)", &game, &error));
    check_fails(error, KN_INPUT, "repetition", kn_game_open(context, "checkers(flying=yes)", &game, &error));
    check_ok(error, kn_game_open(context, "checkers(draw=0, repetition=0)", &game, &error));
    assert_int_equal(game->traits, KN_GAME_ZERO_SUM | KN_GAME_ENDLESS);
    kn_game_close(game);
    check_ok(error, kn_game_open(context, "checkers", &game, &error));
    assert_int_equal(game->traits, KN_GAME_ZERO_SUM | KN_GAME_LOOKS_BACK);
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves_agree_with_a_slow_generator),
        cmocka_unit_test(test_moves_of_single_positions),
        cmocka_unit_test(test_a_king_that_comes_back),
        cmocka_unit_test(test_who_cannot_move_loses),
        cmocka_unit_test(test_the_counter_of_quiet_plies),
        cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_repetition_begins_anew_after_a_mans_move),
        cmocka_unit_test(test_games_in_progress_agree_with_a_list_of_boards),
        cmocka_unit_test(test_hash_and_counter),
        cmocka_unit_test(test_hashes_tell_boards_apart),
        cmocka_unit_test(test_captures_are_what_is_tactical),
        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
