/* Strings kept up to date under play and undo, against strings read off the board anew, and against the
 * game's own rules. */
#include "support/check.h"

#include <string.h>

#include <knack/base.h>
#include "games/go/strings.h"
#include "support/boards.h"

enum { PLIES_MAX = 1200 };

/* The same stones, ko and hash, and for each stone a string with the same stones, liberties and neighbours,
 * whatever its name. */
static void check_same(KnStrings *a, KnStrings *b)
{
    assert_int_equal(a->ko, b->ko);
    assert_true(a->hash == b->hash);
    assert_memory_equal(a->colour, b->colour, sizeof a->colour);
    for (int p = 0; p < KN_STRINGS_POINTS; p++) {
        if (a->colour[p] != KN_STONE_BLACK && a->colour[p] != KN_STONE_WHITE) continue;
        const KnString *one = kn_string_of(a, p), *other = kn_string_of(b, p);
        assert_int_equal(one->stones, other->stones);
        assert_int_equal(one->liberties, other->liberties);
        assert_memory_equal(&one->free, &other->free, sizeof one->free);
        int foes = 0, count = 0, seen = 0, stone = p;
        KN_POINTS_EACH(a, &one->foes, foe)
        {
            assert_true(kn_points_has(&other->foes, b->head[foe]));
            foes++;
        }
        KN_POINTS_EACH(b, &other->foes, foe)
        {
            assert_int_equal(b->head[foe], foe);
            count++;
        }
        assert_int_equal(foes, count);
        do {
            assert_int_equal(a->head[stone], a->head[p]);
            assert_int_equal(b->head[stone], b->head[p]);
            seen++;
        } while ((stone = a->link[stone]) != p);
        assert_int_equal(seen, one->stones);
    }
}

/* A random game: after every move the same as anew; legal moves as the game has them; taken back to the
 * beginning at the end, and now and then for a while. */
static void random_game(const KnGame *game, KnStrings *kept, KnStrings *anew, uint64_t seed)
{
    KnRng rng = kn_rng_stream(20, seed);
    _Alignas(16) unsigned char past[PLIES_MAX + 1][game->position_size];
    game->type->start(game, past[0]);
    kn_strings_set(kept, game, past[0]);
    int ply = 0, steps = 0;
    for (; ply < PLIES_MAX - 1 && steps < 2 * game->cells + 40; steps++) {
        KnMove moves[game->max_moves];
        int count = game->type->moves(game, past[ply], moves);
        if (!count) break;
        int colour = game->type->mover(game, past[ply]) + 1, legal = 0;
        for (int i = 0; i < game->cells; i++)
            legal += kn_strings_legal(kept, kn_strings_point(kept, i % kept->size, i / kept->size), colour);
        assert_int_equal(legal, count - 1); /* the pass */
        for (int i = 0; i < count; i++)
            assert_true(moves[i] == KN_GO_PASS ||
                        kn_strings_legal(kept, kn_strings_from_move(kept, game, moves[i]), colour));
        KnMove move = moves[kn_rng_below(&rng, (uint32_t)count)];
        if (move == KN_GO_PASS && kn_rng_below(&rng, 8)) continue;
        memcpy(past[ply + 1], past[ply], game->position_size);
        game->type->play(game, past[++ply], move);
        int before = 0, after = 0;
        for (int p = 0; p < KN_STRINGS_POINTS; p++) before += kept->colour[p] == KN_STONE_OTHER(colour);
        assert_true(kn_strings_play(kept, kn_strings_from_move(kept, game, move), colour));
        for (int p = 0; p < KN_STRINGS_POINTS; p++) after += kept->colour[p] == KN_STONE_OTHER(colour);
        assert_int_equal(kn_strings_taken(kept), before - after);
        for (uint32_t back = kn_rng_below(&rng, 6) ? 0 : kn_rng_below(&rng, 12); back && ply; back--, ply--)
            kn_strings_undo(kept);
        kn_strings_set(anew, game, past[ply]);
        check_same(kept, anew);
    }
    while (ply > 0) kn_strings_undo(kept), ply--;
    kn_strings_set(anew, game, past[0]);
    check_same(kept, anew);
}

static void test_random_games(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        int games;
    } rows[] = {{"go(2, superko=none)", 60},
                {"go(4, superko=none)", 60},
                {"go(9, superko=none)", 40},
                {"go(19, superko=none)", 6}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnGame *game = test_game(rows[i].spec);
        KnStrings *kept = kn_strings_new(kn_go_size(game)), *anew = kn_strings_new(kn_go_size(game));
        for (int n = 0; n < check_scaled(rows[i].games); n++) random_game(game, kept, anew, (uint64_t)n);
        kn_strings_free(kept);
        kn_strings_free(anew);
        test_game_close(game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_games)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
