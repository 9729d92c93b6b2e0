/* Morris against a slow second implementation that knows the board only by the names of its points. */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/game.h"
#include "support/boards.h"

enum { POINTS_MAX = 24, MOVES_MAX = 400, TEXT = 16 };

/* ---- The slow implementation: letters by cell number, lines and mills from tables and coordinates ---- */

typedef struct Slow {
    int cells, men;
    bool flying;
    char names[POINTS_MAX][TEXT];
    bool joined[POINTS_MAX][POINTS_MAX];
    int mills[16][3], mill_count;
} Slow;

typedef struct SlowPosition {
    int at[POINTS_MAX]; /* 0 free, 1 white, 2 black */
    int mover, placed;
} SlowPosition;

static const int small_edges[20][2] = {{1, 2},   {2, 3},   {1, 7}, {7, 14}, {3, 10}, {10, 16}, {14, 15},
                                       {15, 16}, {4, 5},   {5, 6}, {4, 8},  {8, 11}, {6, 9},   {9, 13},
                                       {11, 12}, {12, 13}, {2, 5}, {7, 8},  {9, 10}, {12, 15}};
static const int small_mills[8][3] = {{1, 2, 3}, {1, 7, 14}, {3, 10, 16}, {14, 15, 16},
                                      {4, 5, 6}, {4, 8, 11}, {6, 9, 13},  {11, 12, 13}};
static const char *const nine_mills[16] = {
    "a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1",
    "a7 a4 a1", "b6 b4 b2", "c5 c4 c3", "d7 d6 d5", "d3 d2 d1", "e5 e4 e3", "f6 f4 f2", "g7 g4 g1"};

static int cell_named(const Slow *slow, const char *name)
{
    for (int i = 0; i < slow->cells; i++)
        if (strcmp(slow->names[i], name) == 0) return i;
    fail_msg("no point is called %s", name);
    return -1;
}

static Slow make_slow(const KnGame *game, int men, bool flying)
{
    Slow slow = {.cells = men == 9 ? 24 : 16, .men = men, .flying = flying};
    assert_int_equal(game->cells, slow.cells);
    for (int i = 0; i < slow.cells; i++) {
        KnText name = KN_TEXT_EMPTY;
        game->type->cell_name(game, i, &name);
        snprintf(slow.names[i], TEXT, "%s", name.data);
        kn_text_free(&name);
    }
    if (men != 9) {
        for (int i = 0; i < slow.cells; i++) assert_int_equal(atoi(slow.names[i]), i + 1);
        for (int i = 0; i < 20; i++) {
            int a = small_edges[i][0] - 1, b = small_edges[i][1] - 1;
            slow.joined[a][b] = slow.joined[b][a] = true;
        }
        slow.mill_count = 8;
        for (int i = 0; i < 8; i++)
            for (int k = 0; k < 3; k++) slow.mills[i][k] = small_mills[i][k] - 1;
        return slow;
    }
    slow.mill_count = 16;
    for (int i = 0; i < 16; i++) { /* every line of the board is a mill, in order */
        char a[3], b[3], c[3];
        assert_int_equal(sscanf(nine_mills[i], "%2s %2s %2s", a, b, c), 3);
        int *mill = slow.mills[i];
        mill[0] = cell_named(&slow, a), mill[1] = cell_named(&slow, b), mill[2] = cell_named(&slow, c);
        for (int k = 0; k < 2; k++)
            slow.joined[mill[k]][mill[k + 1]] = slow.joined[mill[k + 1]][mill[k]] = true;
    }
    return slow;
}

static bool slow_in_mill(const Slow *slow, const SlowPosition *p, int cell)
{
    for (int i = 0; i < slow->mill_count; i++) {
        const int *m = slow->mills[i];
        if ((m[0] == cell || m[1] == cell || m[2] == cell) && p->at[cell] && p->at[m[0]] == p->at[cell] &&
            p->at[m[1]] == p->at[cell] && p->at[m[2]] == p->at[cell])
            return true;
    }
    return false;
}

static int slow_men(const Slow *slow, const SlowPosition *p, int side)
{
    int count = 0;
    for (int i = 0; i < slow->cells; i++) count += p->at[i] == side + 1;
    return count;
}

/* Adds the move made on `after` (mover not yet changed), with every removal if it closed a mill. */
static int slow_finish(const Slow *slow, const SlowPosition *after, int to, const char *stem,
                       char (*out)[TEXT])
{
    int other = 2 - after->mover, count = 0;
    bool all = true, mill = slow_in_mill(slow, after, to);
    for (int i = 0; i < slow->cells; i++) all &= after->at[i] != other || slow_in_mill(slow, after, i);
    for (int i = 0; mill && i < slow->cells; i++)
        if (after->at[i] == other && (all || !slow_in_mill(slow, after, i)))
            assert_true(snprintf(out[count++], TEXT, "%sx%s", stem, slow->names[i]) < TEXT);
    if (!count) snprintf(out[count++], TEXT, "%s", stem);
    return count;
}

static int slow_moves(const Slow *slow, const SlowPosition *p, char (*out)[TEXT])
{
    int count = 0, own = p->mover + 1;
    char stem[TEXT];
    if (p->placed < 2 * slow->men) {
        for (int i = 0; i < slow->cells; i++) {
            if (p->at[i]) continue;
            SlowPosition after = *p;
            after.at[i] = own;
            count += slow_finish(slow, &after, i, slow->names[i], out + count);
        }
        return count;
    }
    if (slow_men(slow, p, 0) < 3 || slow_men(slow, p, 1) < 3) return 0;
    bool fly = slow->flying && slow_men(slow, p, p->mover) == 3;
    for (int from = 0; from < slow->cells; from++)
        for (int to = 0; to < slow->cells; to++) {
            if (p->at[from] != own || p->at[to] || !(fly || slow->joined[from][to])) continue;
            SlowPosition after = *p;
            after.at[from] = 0;
            after.at[to] = own;
            snprintf(stem, TEXT, "%.5s-%.5s", slow->names[from], slow->names[to]);
            count += slow_finish(slow, &after, to, stem, out + count);
        }
    return count;
}

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

static SlowPosition slow_view(const KnGame *game, const void *position, int placed)
{
    SlowPosition p = {.mover = game->type->mover(game, position), .placed = placed};
    for (int i = 0; i < game->cells; i++) p.at[i] = game->type->cell(game, position, i);
    return p;
}

/* The moves of both, as sorted texts. */
static int compare_moves(const Slow *slow, const KnGame *game, const void *position, int placed,
                         KnMove *moves)
{
    static char expected[MOVES_MAX][TEXT], got[MOVES_MAX][TEXT];
    SlowPosition view = slow_view(game, position, placed);
    int wanted = slow_moves(slow, &view, expected), count = game->type->moves(game, position, moves);
    assert_int_equal(count, wanted);
    assert_true(count <= game->max_moves);
    KnText text = KN_TEXT_EMPTY;
    int removing = 0;
    for (int i = 0; i < count; i++) {
        kn_text_clear(&text);
        game->type->move_text(game, position, moves[i], &text);
        snprintf(got[i], TEXT, "%s", text.data);
        removing += strchr(text.data, 'x') != NULL;
    }
    kn_text_free(&text);
    qsort(expected, (size_t)count, TEXT, by_text);
    qsort(got, (size_t)count, TEXT, by_text);
    for (int i = 0; i < count; i++) assert_string_equal(got[i], expected[i]);

    KnMove sharp[MOVES_MAX];
    bool may_stand = false;
    assert_int_equal(game->type->tactical(game, position, sharp, &may_stand), removing);
    assert_true(may_stand);
    return count;
}

static void random_play(const char *spec, int men, bool flying)
{
    KnGame *game = test_game(spec);
    Slow slow = make_slow(game, men, flying);
    KnRng rng = kn_rng_seeded(7);
    long finished = 0, samples = check_scaled(400);
    for (long i = 0; i < samples; i++) {
        _Alignas(16) unsigned char position[game->position_size];
        game->type->start(game, position);
        for (int ply = 0; ply < 150; ply++) {
            KnMove moves[game->max_moves];
            int placed = ply < 2 * men ? ply : 2 * men;
            assert_int_equal(game->type->phase(game, position) == 0, placed < 2 * men);
            int count = compare_moves(&slow, game, position, placed, moves);
            if (!count) { /* who cannot go on has lost */
                double payoffs[2];
                int mover = game->type->mover(game, position);
                game->type->payoffs(game, position, payoffs);
                assert_true(payoffs[mover] == -1 && payoffs[mover ^ 1] == 1);
                finished++;
                break;
            }
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
        }
    }
    assert_true(finished > samples / 3);
    test_game_close(game);
}

static void test_moves_agree(void **state)
{
    (void)state;
    random_play("morris", 5, false);
    random_play("morris(men=4)", 4, false);
    random_play("morris(6)", 6, false);
    random_play("morris(men=5, flying=on)", 5, true);
    random_play("morris(men=9)", 9, true);
    random_play("morris(men=9, flying=off)", 9, false);
}

static uint64_t perft(const KnGame *game, const void *position, int depth)
{
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, position, moves);
    if (depth == 1) return (uint64_t)count;
    uint64_t total = 0;
    for (int i = 0; i < count; i++) {
        _Alignas(16) unsigned char next[game->position_size];
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        total += perft(game, next, depth - 1);
    }
    return total;
}

static void check_perft(const char *spec, const uint64_t *counts, int depths)
{
    KnGame *game = test_game(spec);
    _Alignas(16) unsigned char position[game->position_size];
    game->type->start(game, position);
    for (int depth = 1; depth <= depths; depth++)
        assert_int_equal(perft(game, position, depth), counts[depth - 1]);
    test_game_close(game);
}

static void test_perft(void **state)
{
    (void)state;
    check_perft("morris(men=5)", (const uint64_t[]){16, 240, 3360, 43680, 531648, 6024960},
                check_scaled(10) > 5 ? 6 : 5);
    /* 24, 24*23, ...; from the fifth ply on mills remove men */
    check_perft("morris(men=9)", (const uint64_t[]){24, 552, 12144, 255024, 5140800}, 5);
}

/* ---- Rules, case by case ---- */

static void moves_from(const char *spec, const char *position_text, const char *expected)
{
    KnGame *game = test_game(spec);
    KnError error;
    _Alignas(16) unsigned char position[game->position_size];
    check_ok(error, game->type->parse_position(game, position_text, position, &error));
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, position, moves);
    static char names[MOVES_MAX][TEXT];
    for (int i = 0; i < count; i++) {
        KnText text = KN_TEXT_EMPTY;
        game->type->move_text(game, position, moves[i], &text);
        snprintf(names[i], TEXT, "%s", text.data);
        kn_text_free(&text);
    }
    qsort(names, (size_t)count, TEXT, by_text);
    KnText list = KN_TEXT_EMPTY;
    for (int i = 0; i < count; i++) kn_text_printf(&list, "%s%s", i ? " " : "", names[i]);
    assert_string_equal(list.data, expected);
    kn_text_free(&list);
    test_game_close(game);
}

static void test_rules(void **state)
{
    (void)state;
    /* 10-3 completes 1 2 3, where 2-3 does not; the man on 6 stands in the mill 4 5 6, the one on 13 does
     * not. */
    moves_from("morris", "WW./BBB/W..W/..B/... w", "10-16 10-3x13 10-9 2-3 7-14 7-8");
    /* All of black's stand in mills: any may go. */
    moves_from("morris", "WW./BBB/...W/.../... w", "1-7 10-16 10-3x4 10-3x5 10-3x6 10-9 2-3");
    /* Two mills at once (1 2 3 and 3 10 16) still remove one man, also while placing. */
    moves_from("morris", "WW./..B/...W/.../B.W w 8", "11 12 13 15 3x14 3x6 4 5 7 8 9");
    /* The middles of two squares in a row are no mill. */
    moves_from("morris", ".W./.WW/..../B../BB. w", "2-1 2-3 5-4 6-9");
}

/* Reduced to two while placing goes on; once sliding it loses, as does being shut in. */
static void test_ends(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *position;
        double white; /* 9: not over */
    } cases[] = {
        {"morris", "WWW/.../..../B../B.. b 9", 9},
        {"morris", "WWW/.../..../B../B.. b", 1},
        {"morris", "BBB/.../..../W../W.. w", -1},
        {"morris", "BBB/.../..../W../W.. b", -1},
        {"morris", "BB./.../..../W../W.. b", 0},
        {"morris", "WB./WB./BB../.../WB. w", -1}, /* shut in */
        {"morris", "WB./WB./BB../.../WB. b", 9},
        {"morris(men=9)", "WB./.../.../B....B/.../.../WBW w", 9}, /* but three men fly */
        {"morris(men=9, flying=off)", "WB./.../.../B....B/.../.../WBW w", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnGame *game = test_game(cases[i].spec);
        KnError error;
        _Alignas(16) unsigned char position[game->position_size];
        check_ok(error, game->type->parse_position(game, cases[i].position, position, &error));
        double payoffs[2] = {9, 9};
        if (kn_game_over(game, position)) game->type->payoffs(game, position, payoffs);
        if (payoffs[0] != cases[i].white) fail_msg("%s: %g for white", cases[i].position, payoffs[0]);
        test_game_close(game);
    }
}

static void test_positions_in_text(void **state)
{
    (void)state;
    static const char *const good[] = {".../.../..../.../... w 0", "W.B/.W./..../B../... w 4",
                                       "WWW/.../..../BBB/... b"};
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"", "column 1: expected W, B or ."},
        {"W.B/.W./..../B../..", "column 20: expected W, B or ."},
        {"W.B/.Q./..../B../... w 4", "column 6: expected W, B or ."},
        {"W.B/.W/..../B../... w 4", "column 7: expected W, B or ."},
        {"W.B/.W./..../B../....", "column 21: expected a space"},
        {"W.B/.W./..../B../... ", "column 22: expected w or b"},
        {"W.B/.W./..../B../... x", "column 22: expected w or b"},
        {"W.B/.W./..../B../... wb", "column 23: expected a space"},
        {"W.B/.W./..../B../... w 11", "column 24: expected the number of men placed"},
        {"W.B/.W./..../B../... w 99999999999999", "column 24: expected the number of men placed"},
        {"W.B/.W./..../B../... w -4", "column 24: expected the number of men placed"},
        {"W.B/.W./..../B../... w 4 5", "column 26: expected nothing more"},
        {"W.B/.W./..../B../... b 4", "white is to move"},
        {"W.B/.W./..../B../... w 2", "white has 2 men on the board, but has placed only 1"},
        {"WWW/WWW/..../B../... w", "white has 6 men on the board, but has placed only 5"},
    };
    KnGame *game = test_game("morris");
    KnError error;
    _Alignas(16) unsigned char position[game->position_size];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        check_ok(error, game->type->parse_position(game, good[i], position, &error));
        KnText text = KN_TEXT_EMPTY;
        game->type->position_text(game, position, &text);
        assert_string_equal(text.data, good[i]);
        kn_text_free(&text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_fails(error, KN_INPUT, bad[i].part,
                    game->type->parse_position(game, bad[i].text, position, &error));
    test_game_close(game);
}

static void test_options(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = kn_context_new();
    check_ok(error, kn_games_register(context, &error));
    KnGame *game;
    check_fails(error, KN_INPUT, "one of 4|5|6|9", kn_game_open(context, "morris(men=7)", &game, &error));
    check_fails(error, KN_INPUT, "auto|on|off",
                kn_game_open(context, "morris(flying=perhaps)", &game, &error));
    check_ok(error, kn_game_open(context, "morris(men=9)", &game, &error));
    assert_int_equal(game->symmetries, 16);
    assert_int_equal(game->phases, 3);
    kn_game_close(game);
    kn_close(context);
}

static void test_drawing(void **state)
{
    (void)state;
    KnGame *game = test_game("morris");
    KnError error;
    _Alignas(16) unsigned char position[game->position_size];
    check_ok(error, game->type->parse_position(game, "B../.../W..W/.WW/BB. b 7", position, &error));
    KnText text = KN_TEXT_EMPTY;
    game->type->draw(game, position, false, &text);
    assert_string_equal(text.data, "  B-------.-------.       1 ------- 2 ------- 3\n"
                                   "  |       |       |       |         |         |\n"
                                   "  |   .---.---.   |       |    4 -- 5 -- 6    |\n"
                                   "  |   |       |   |       |    |         |    |\n"
                                   "  W---.       .---W       7 -- 8         9 - 10\n"
                                   "  |   |       |   |       |    |         |    |\n"
                                   "  |   .---W---W   |       |   11 - 12 - 13    |\n"
                                   "  |       |       |       |         |         |\n"
                                   "  B-------B-------.      14 ------ 15 ------ 16\n"
                                   "in hand: white 1, black 2\n");
    kn_text_free(&text);
    test_game_close(game);
}

static void test_features(void **state)
{
    (void)state;
    KnGame *game = test_game("morris");
    KnError error;
    _Alignas(16) unsigned char position[game->position_size];
    /* White: 1 2 3 a mill, 4 and 6 around the free 5: 2-5 swings from one into the other. Black: 12 and 13
     * beside the free 11. */
    check_ok(error, game->type->parse_position(game, "WWW/W.W/..../.BB/..B w", position, &error));
    double values[12];
    game->type->feature_values(game, position, 0, values);
    static const double white[12] = {5, 3, 7, 5, 1, 0, 1, 1, 1, 0, 0, 0};
    for (int i = 0; i < 12; i++)
        if (values[i] != white[i]) fail_msg("%s is %g, not %g", game->features[i].name, values[i], white[i]);
    game->type->feature_values(game, position, 1, values);
    for (int i = 0; i < 12; i++) assert_true(values[i] == white[i ^ 1]);
    assert_true(game->type->material(game, position, 0) == 5);
    /* Blocked: white's 1 between black's 2 and 7; in hand counts as men. */
    check_ok(error, game->type->parse_position(game, "WB./.../B.../.../... w 4", position, &error));
    game->type->feature_values(game, position, 0, values);
    assert_true(values[0] == 4 && values[1] == 5 && values[10] == 1 && values[11] == 0);
    test_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves_agree),
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_positions_in_text),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_drawing),
        cmocka_unit_test(test_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
