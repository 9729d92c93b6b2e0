/* The terms of draughts evaluations on small positions worked out by hand, and the same seen from the other
 * side. */
#include "support/boards.h"
#include "support/check.h"

#include <string.h>

#include <knack/base.h>
#include "games/checkers/board.h"

typedef unsigned char Room[64] __attribute__((aligned(16)));

enum { TERMS = 23, ALL_TERMS = 84 };

typedef struct Case {
    const char *position;
    struct {
        const char *name;
        double value;
    } expected[6];
} Case;

static const Case cases[] = {
    /* Man 14 can step to 17 and 18, and the king on 22 takes it on both; the king can step back in safety. */
    {"B:WK22:B14",
     {{"some mobility", 1}, {"free mobility", -1}, {"recapture mobility", 0}, {"no-move mobility", 0}}},
    /* 14-18 22x15 11x18 exchanges. */
    {"B:WK22:B8,11,14", {{"recapture mobility", 1}, {"some mobility", 0}, {"free mobility", 1}}},
    {"B:W16,19:B12", {{"no-move mobility", 1}, {"free mobility", -2}, {"some mobility", 0}}},
    /* 14-18 22x15x6. */
    {"B:W22:B10,14", {{"double-cap mobility", 1}, {"free mobility", 1}, {"some mobility", -1}}},
    /* White can take on 7 in any case. */
    {"B:W11,K22:B7,14", {{"exception mobility", 1}, {"free mobility", -1}, {"some mobility", 0}}},
    {"B:W30,31:B1,2", {{"balance", -2}, {"man", 0}, {"value of move", 1}, {"back row", -1}}},
    {"B:W22:B14", {{"advancement", 1}, {"centrality", 1}, {"angle", 0}, {"shadow", 0}}},
    {"B:W22:B10,14", {{"angle", 1}, {"shadow", 1}, {"man", 1}, {"king", 0}}},
    /* On the edge, too, a man faces the one two rows ahead. */
    {"B:W21:B9,13", {{"shadow", 1}}},
    /* Three men, bridge and middle against one. */
    {"B:W30:B1,2,3", {{"back row", 4}, {"man", 2}}},
    {"B:WK30:B1,2,3", {{"back row", 0}, {"king", -1}, {"man", 3}}},
    {"B:W23,27,28:BK32", {{"trapped king", -1}, {"king", 1}}},
    {"B:W23,27:BK32", {{"trapped king", 0}}},
    {"B:W5:BK18", {{"king center", 1}, {"loose men", 1}}},
    {"B:W28:B7", {{"d2e7", 1}}},
    {"B:W26:B5", {{"d2e7", -1}}},
    {"B:W24:B25", {{"free king", 2}}},
    {"B:W32:B18", {{"free king", 1}}},
    {"B:W21,25:B18", {{"free king", 1}}},
    {"B:W22,23:B18", {{"free king", 0}}}, /* enemies beside the way */
    {"B:W32:B28", {{"dog-hole", -1}}},
    {"W:W5:B1", {{"dog-hole", -1}}},
    {"B:WK22:B14", {{"loose checker", -1}, {"loose men", -1}}},
    {"B:WK32:B14", {{"loose checker", 0}, {"loose men", -1}}},
    {"B:WK32:B10,14", {{"loose men", 0}}},
    /* 8 and 12 are blocked, and so is 16, with 19 behind it. */
    {"B:W11,15,16,19:B8,12", {{"frozen", -1}, {"no-move mobility", 0}}},
    /* White's 30 is black's 3. */
    {"B:W30,K1:B14,K5",
     {{"man on 14", 1}, {"man on 3", -1}, {"king on 5", 1}, {"king on 32", -1}, {"king on 1", 0}}},
    {"W:W30:B14", {{"man on 14", -1}, {"man on 3", 1}}},
    /* Two kings two rows apart: whoever is to move can not come near; a row more, and he can. */
    {"B:WK18:BK10", {{"the move", 0}}},
    {"B:WK23:BK10", {{"the move", 1}}},
    {"W:WK23:BK10", {{"the move", 1}}},
};

/* The larger of the two sets begins with the smaller. */
static double term(const KnGame *game, const void *position, const char *name)
{
    const KnFeatureTable *squares = &game->feature_tables[1];
    double values[ALL_TERMS];
    squares->values(game, position, values);
    for (int i = 0; i < ALL_TERMS; i++)
        if (strcmp(squares->features[i].name, name) == 0) return values[i];
    fail_msg("no term %s", name);
    return 0;
}

static void test_positions_by_hand(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    assert_int_equal(game->feature_tables->count, TERMS);
    assert_int_equal(game->feature_tables->fixed_count, 2);
    assert_int_equal(game->feature_tables[1].count, ALL_TERMS);
    bool tested[TERMS] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Room position;
        test_position(game, cases[i].position, position);
        for (int k = 0; k < 6 && cases[i].expected[k].name; k++) {
            double value = term(game, position, cases[i].expected[k].name);
            if (value != cases[i].expected[k].value)
                fail_msg("%s: %s is %g, expected %g", cases[i].position, cases[i].expected[k].name, value,
                         cases[i].expected[k].value);
            for (int t = 0; t < TERMS; t++)
                tested[t] |= cases[i].expected[k].value != 0 &&
                             strcmp(game->feature_tables->features[t].name, cases[i].expected[k].name) == 0;
        }
    }
    for (int t = 0; t < TERMS; t++)
        if (!tested[t])
            fail_msg("%s is not 0 in none of the positions", game->feature_tables->features[t].name);
    test_game_close(game);
}

/* The start is the same for both: only the move counts. */
static void test_start(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    Room position;
    double values[TERMS];
    game->type->start(game, position);
    assert_int_equal(game->feature_tables->values(game, position, values), 0);
    for (int t = 0; t < TERMS; t++)
        assert_true(values[t] == (strcmp(game->feature_tables->features[t].name, "value of move") == 0));
    test_game_close(game);
}

/* Along random games: within range, the same with colours exchanged, the opposite for the other mover (but
 * for who has the move), and the 23 the same in plain instructions. */
static void test_sides_and_ranges(void **state)
{
    (void)state;
    KnGame *game = test_game("checkers");
    const KnFeatureTable *squares = &game->feature_tables[1];
    KnRng rng = kn_rng_seeded(3);
    Room position, image;
    bool met[ALL_TERMS] = {0};
    long games = check_scaled(300);
    for (long game_state = 0; game_state < games; game_state++) {
        game->type->start(game, position);
        KnMove moves[KN_CHECKERS_MOVES_MAX];
        for (int count; (count = game->type->moves(game, position, moves)) > 0;) {
            double values[ALL_TERMS], turned[ALL_TERMS], other[ALL_TERMS], plain[TERMS];
            int phase = squares->values(game, position, values);
            assert_int_equal(phase, game->type->phase(game, position));
            game->type->transform(game, 1, position, image);
            assert_int_equal(squares->values(game, image, turned), phase);
            assert_int_equal(kn_checkers_feature_set_plain()->values(game, position, plain), phase);
            assert_memory_equal(values, plain, sizeof plain);
            memcpy(image, position, sizeof image);
            ((KnCheckersPosition *)(void *)image)->mover ^= 1;
            squares->values(game, image, other);
            for (int t = 0; t < ALL_TERMS; t++) {
                const KnFeature *feature = &squares->features[t];
                assert_true(values[t] == turned[t]);
                if (strcmp(feature->name, "value of move") == 0)
                    assert_true(other[t] == 1);
                else if (strcmp(feature->name, "the move") != 0)
                    assert_true(other[t] == -values[t]);
                if (values[t] < feature->low || values[t] > feature->high)
                    fail_msg("%s is %g", feature->name, values[t]);
                met[t] |= values[t] != 0;
            }
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
        }
    }
    int rare = games < 300 ? TERMS : ALL_TERMS; /* every king's square is met only in many games */
    for (int t = 0; t < rare; t++)
        if (!met[t]) fail_msg("%s never was anything but 0", squares->features[t].name);
    test_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions_by_hand),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_sides_and_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
