/* What draughts tells learners: features and evaluations on drawn positions, and the same seen from the other
 * side. */
#include "support/boards.h"
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include <knack/base.h>

typedef unsigned char Room[64] __attribute__((aligned(16)));

enum { BLACK, WHITE, FEATURES = 23 };

/* A drawn board: the 32 squares in order, the blanks between them are for the eye. */
static void read_board(const KnGame *game, char mover, const char *drawing, void *position)
{
    char side[2][256] = {"", ""}, text[600];
    int square = 0;
    for (const char *c = drawing; *c; c++) {
        if (!strchr(".bwBW", *c)) continue;
        square++;
        if (*c == '.') continue;
        char *to = side[*c == 'w' || *c == 'W'];
        sprintf(to + strlen(to), "%s%s%d", *to ? "," : "", *c == 'B' || *c == 'W' ? "K" : "", square);
    }
    assert_int_equal(square, 32);
    snprintf(text, sizeof text, "%c:W%s:B%s", mover, side[WHITE], side[BLACK]);
    test_position(game, text, position);
}

static double feature(const KnGame *game, const void *position, int role, const char *name)
{
    double values[FEATURES];
    assert_int_equal(game->feature_count, FEATURES);
    game->type->feature_values(game, position, role, values);
    for (int i = 0; i < FEATURES; i++)
        if (strcmp(game->features[i].name, name) == 0) return values[i];
    fail_msg("no feature %s", name);
    return 0;
}

typedef struct Expected {
    const char *name;
    double value;
} Expected;

static void check_features(const KnGame *game, const void *position, int role, const Expected *expected)
{
    for (; expected->name; expected++) {
        double value = feature(game, position, role, expected->name);
        if (value != expected->value)
            fail_msg("%s is %g, expected %g", expected->name, value, expected->value);
    }
}

static void test_all_features_of_the_start(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    Room position;
    double values[FEATURES];
    static const double expected[FEATURES] = {7, 7, 7, 4, 4, 12, 0, 12, 0, 9, 0, 0,
                                              0, 0, 0, 0, 0, 0,  0, 2,  2, 2, 2};
    game->type->start(game, position);
    for (int role = 0; role < 2; role++) {
        game->type->feature_values(game, position, role, values);
        for (int i = 0; i < FEATURES; i++)
            if (values[i] != expected[i])
                fail_msg("%s is %g, expected %g", game->features[i].name, values[i], expected[i]);
    }
    test_game_close(game);
}

static void test_features_of_an_open_position(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    Room position;
    read_board(game, 'W',
               "   .   b   .   . "
               " W   .   .   .   "
               "   .   .   w   . "
               " .   b   .   .   "
               "   .   w   .   . "
               " .   .   .   .   "
               "   .   .   .   . "
               " B   w   .   .   ",
               position);
    static const Expected white[] = {
        {"own legal moves", 1},     {"own total moves", 8},     {"their total moves", 5},
        {"own mobile pieces", 4},   {"their mobile pieces", 3}, {"own men", 3},
        {"own kings", 1},           {"their men", 2},           {"their kings", 1},
        {"evaluation", 10},         {"own on threat", 1},       {"own sacrifice", 0},
        {"their sacrifice", 0},     {"own crown1", 0},          {"own crown2", 1},
        {"own crown3", 0},          {"their lonely men", 2},    {"own triangle trap", 0},
        {"their triangle trap", 0}, {"own centre pieces", 2},   {"their centre pieces", 1},
        {"own base control", 1},    {"their base control", 0},  {0}};
    static const Expected black[] = {{"own legal moves", 1},
                                     {"own total moves", 5},
                                     {"their total moves", 8},
                                     {"evaluation", 8},
                                     {"own on threat", 1},
                                     {"their lonely men", 3},
                                     {"their men", 3},
                                     {"own base control", 0},
                                     {"their base control", 1},
                                     {"own centre pieces", 1},
                                     {0}};
    check_features(game, position, WHITE, white);
    check_features(game, position, BLACK, black);
    assert_true(game->type->material(game, position, WHITE) == 6);
    assert_true(game->type->material(game, position, BLACK) == 5);
    assert_int_equal(kn_game_evaluation(game, NULL)->score(game, position), 100);
    assert_int_equal(kn_game_evaluation(game, "trade")->score(game, position), 7200 / 11);
    test_game_close(game);
}

static void test_features_of_positions_made_for_them(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    Room position;
    /* 14-17 gives a man, 14-18 does not; 21-17 gives one. */
    test_position(game, "B:W21:B14", position);
    check_features(game, position, BLACK,
                   (Expected[]){{"own legal moves", 2}, {"own sacrifice", 1}, {"their sacrifice", 1}, {0}});
    /* 8 is a step from the king row, 13 has three steps by 9 and 5, 10 is blocked. */
    test_position(game, "W:W8,10,13:B6,7", position);
    check_features(game, position, WHITE,
                   (Expected[]){{"own crown1", 1}, {"own crown2", 0}, {"own crown3", 1}, {0}});
    /* 29 is shut in by 25 and 5 by 6 and 9; 4 by 8. */
    test_position(game, "W:WK29,K5,8:B25,6,9,K4", position);
    check_features(game, position, WHITE,
                   (Expected[]){{"own triangle trap", 2}, {"their triangle trap", 1}, {0}});
    /* A lead beyond 8 men is cut off. */
    test_position(game, "W:WK29,K5,K8:B2", position);
    check_features(game, position, WHITE, (Expected[]){{"evaluation", 17}, {0}});
    test_position(game, "W:W32:BK25,K6,K9,K4", position);
    check_features(game, position, WHITE, (Expected[]){{"evaluation", 1}, {0}});
    test_game_close(game);
}

static void test_evaluations(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    const KnGameEvaluation *material = kn_game_evaluation(game, "material"),
                           *trade = kn_game_evaluation(game, "trade");
    Room position;
    test_position(game, "B:W32,31:BK25,6,9", position);
    assert_int_equal(material->score(game, position), 150);
    assert_int_equal(trade->score(game, position), 7200 * 3 / 7);
    test_position(game, "W:W32,31:BK25,6,9", position);
    assert_int_equal(material->score(game, position), -150);
    assert_int_equal(trade->score(game, position), -7200 * 3 / 7);
    /* The leader is better off after an exchange, by `trade` only. */
    Room later;
    test_position(game, "B:W31,32:B1,2,3", position);
    test_position(game, "B:W31:B1,2", later);
    assert_int_equal(material->score(game, later), material->score(game, position));
    assert_true(trade->score(game, later) > trade->score(game, position));
    test_position(game, "B:WK1-11,13:BK21-32", position); /* 36 against 34 */
    assert_int_equal(trade->score(game, position), 7200 * 2 / 70);
    test_position(game, "B:WK1-12:BK21-32", position);
    assert_int_equal(trade->score(game, position), 0);
    test_game_close(game);
}

static void test_phases(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    static const struct {
        const char *text;
        int phase;
    } rows[] = {{"B:W21-32:B1-12", 0}, {"B:W23-32:B1-10", 0}, {"B:W23-32:B1-9", 1}, {"B:W26-32:B1-7", 1},
                {"B:W26-32:B1-6", 2},  {"B:W28-32:B1-5", 2},  {"B:W28-32:B1-4", 3}, {"B:W28:B1", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Room position;
        test_position(game, rows[i].text, position);
        assert_int_equal(game->type->phase(game, position), rows[i].phase);
    }
    assert_int_equal(game->phases, 4);
    test_game_close(game);
}

/* Turned by half a turn with colours exchanged, the other role sees the same. */
static void test_colour_reversal(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    KnRng rng = kn_rng_seeded(3);
    Room position, image;
    KnMove moves[64];
    game->type->start(game, position);
    for (long i = check_scaled(20000); i > 0; i--) {
        game->type->transform(game, 1, position, image);
        for (int role = 0; role < 2; role++) {
            double here[FEATURES], there[FEATURES];
            game->type->feature_values(game, position, role, here);
            game->type->feature_values(game, image, 1 - role, there);
            assert_memory_equal(here, there, sizeof here);
            assert_true(game->type->material(game, position, role) ==
                        game->type->material(game, image, 1 - role));
        }
        assert_int_equal(game->type->phase(game, position), game->type->phase(game, image));
        int count = game->type->moves(game, position, moves);
        if (count)
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
        else
            game->type->start(game, position);
    }
    test_game_close(game);
}

/* Legal moves and sacrifices are counted a whole board at a time; here move by move, by the rules alone. */
static void test_sacrifices_in_random_games(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    KnRng rng = kn_rng_seeded(8);
    Room position, next;
    int seen = 0, letting = 0;
    for (int game_state = 0; game_state < (int)check_scaled(200); game_state++) {
        game->type->start(game, position);
        KnMove moves[64], replies[64];
        int count;
        for (int ply = 0; ply < 120 && (count = game->type->moves(game, position, moves)) > 0; ply++) {
            int role = game->type->mover(game, position), sacrifices = 0;
            for (int i = 0; i < count; i++) {
                bool may_stand;
                memcpy(next, position, game->position_size);
                game->type->play(game, next, moves[i]);
                sacrifices += game->type->tactical(game, next, replies, &may_stand) > 0; /* a capture */
            }
            assert_int_equal((int)feature(game, position, role, "own legal moves"), count);
            assert_int_equal((int)feature(game, position, role, "own sacrifice"), sacrifices);
            seen++;
            letting += sacrifices;
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
        }
    }
    assert_true(seen > 100 && letting > 100);
    test_game_close(game);
}

/* Threats are counted a whole board at a time too; here move by move, and who could take is asked of the
 * position with the other to move. */
static bool can_take(const KnGame *game, const void *position, char mover)
{
    KnText text = KN_TEXT_EMPTY;
    KnMove moves[64];
    Room turned;
    bool may_stand;
    game->type->position_text(game, position, &text);
    text.data[0] = mover;
    test_position(game, text.data, turned);
    kn_text_free(&text);
    return game->type->tactical(game, turned, moves, &may_stand) > 0;
}

static const KnFeatureTable *threats_of(const KnGame *game)
{
    const KnFeatureTable *row = game->feature_tables;
    while (row->name && strcmp(row->name, "threats") != 0) row++;
    assert_non_null(row->name);
    return row;
}

static void test_threats_in_random_games(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers(draw=0, repetition=0)");
    const KnFeatureTable *table = threats_of(game);
    KnRng rng = kn_rng_seeded(9);
    Room position, next, turned;
    double values[8], mirrored[8], sums[8] = {0};
    assert_int_equal(table->count, 8);
    for (int game_state = 0; game_state < (int)check_scaled(30); game_state++) {
        game->type->start(game, position);
        KnMove moves[64];
        int count;
        for (int ply = 0; ply < 120 && (count = game->type->moves(game, position, moves)) > 0; ply++) {
            int role = game->type->mover(game, position), safe = 0, threats = 0, offers = 0;
            char own = role == WHITE ? 'W' : 'B', other = role == WHITE ? 'B' : 'W';
            for (int i = 0; i < count; i++) {
                memcpy(next, position, game->position_size);
                game->type->play(game, next, moves[i]);
                bool loses = can_take(game, next, other), threatens = can_take(game, next, own);
                safe += !loses;
                threats += !loses && threatens;
                offers += loses && threatens;
            }
            table->values(game, position, values);
            assert_int_equal((int)values[0], safe);
            assert_int_equal((int)values[1], threats);
            assert_int_equal((int)values[2], offers);
            assert_int_equal(values[3] > 0, can_take(game, position, own));
            KnText text = KN_TEXT_EMPTY; /* what is the other's here is one's own with the other to move */
            game->type->position_text(game, position, &text);
            text.data[0] = other;
            test_position(game, text.data, turned);
            kn_text_free(&text);
            table->values(game, turned, mirrored);
            for (int i = 0; i < 8; i++) {
                assert_int_equal((int)values[i], (int)mirrored[(i + 4) % 8]);
                sums[i] += values[i];
            }
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
        }
    }
    for (int i = 0; i < 8; i++) assert_true(sums[i] > 10);
    test_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_features_of_the_start),
        cmocka_unit_test(test_features_of_an_open_position),
        cmocka_unit_test(test_features_of_positions_made_for_them),
        cmocka_unit_test(test_evaluations),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_colour_reversal),
        cmocka_unit_test(test_sacrifices_in_random_games),
        cmocka_unit_test(test_threats_in_random_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
