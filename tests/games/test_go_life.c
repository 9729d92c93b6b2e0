/* Unconditional life of a string: known shapes, and a search of all moves of an attacker who is never
 * answered.
 */
#include "support/check.h"

#include <string.h>

#include "games/go/capture_zone.h"
#include "support/boards.h"

static KnCaptureLife life(const char *text, int cell)
{
    KnGame *game = test_game("go(5, superko=none)");
    _Alignas(16) unsigned char position[game->position_size];
    KnCapture *c;
    KnError error;
    KnZone zone = {{0}};
    test_position(game, text, position);
    check_ok(error, kn_capture_open(game, position, cell, &c, &error));
    KnCaptureLife found = kn_capture_life(c, &zone);
    assert_int_equal(kn_zone_has(&zone, c->target), found == KN_CAPTURE_ALIVE);
    kn_capture_free(c);
    test_game_close(game);
    return found;
}

static void test_shapes(void **state)
{
    (void)state;
    /* two eyes; one large one */
    assert_int_equal(life(".x.xo/xxxxo/ooooo/...../..... w", 1), KN_CAPTURE_ALIVE);
    assert_int_equal(life("...xo/xxxxo/ooooo/...../..... w", 3), KN_CAPTURE_EYE);
    /* a white stone inside leaves the eye one; so does a region of two points */
    assert_int_equal(life(".xo.x/xxxxx/ooooo/...../..... w", 1), KN_CAPTURE_ALIVE);
    assert_int_equal(life(".x..x/xx..x/.xxxx/ooooo/..... w", 1), KN_CAPTURE_ALIVE);
    /* one of the eyes borders a string that has no other; two strings share two eyes */
    assert_int_equal(life(".xo../x.xo./oxxo./.oo../..... w", 1), KN_CAPTURE_EYE);
    assert_int_equal(life("x.xo./.xxo./xxoo./ooo../..... w", 2), KN_CAPTURE_ALIVE);
    /* nothing of its own */
    assert_int_equal(life("...../.xx../...../...../..... w", 6), KN_CAPTURE_OPEN);
}

/* ---- Against a search of all moves ---- */

enum { SEEN = 1 << 14 };

typedef struct Assault {
    KnStrings *s;
    int target, defender;
    uint64_t seen[SEEN];
    int count;
} Assault;

/* Whether the attacker takes the target if he alone moves. Each set of stones is looked at once. */
static bool takes(Assault *a)
{
    KnStrings *s = a->s;
    if (s->colour[a->target] != a->defender) return true;
    uint64_t key = s->hash ^ (uint64_t)s->ko << 1 ^ 1;
    size_t at = (key ^ key >> 32) % SEEN;
    for (; a->seen[at]; at = (at + 1) % SEEN)
        if (a->seen[at] == key) return false;
    assert_true(++a->count < SEEN / 2);
    a->seen[at] = key;
    for (int y = 0; y < s->size; y++)
        for (int x = 0; x < s->size; x++) {
            int point = kn_strings_point(s, x, y), attacker = KN_STONE_OTHER(a->defender);
            s->ko = KN_STRINGS_NONE; /* the defender passed */
            if (!kn_strings_legal(s, point, attacker) || !kn_strings_play(s, point, attacker)) continue;
            bool taken = takes(a);
            kn_strings_undo(s);
            if (taken) return true;
        }
    return false;
}

/* Whether he does so from this position, and wherever the board differs outside of the zone. */
static void check_alive(const KnCapture *c, const KnZone *zone, KnRng *rng)
{
    KnStrings *s = c->strings;
    static Assault a;
    int before = s->plies;
    memset(&a, 0, sizeof a);
    a.s = s, a.target = c->target, a.defender = c->defender;
    assert_false(takes(&a));
    for (int tries = 0; tries < 20; tries++) {
        int point = kn_strings_point(s, (int)kn_rng_below(rng, (uint32_t)s->size),
                                     (int)kn_rng_below(rng, (uint32_t)s->size)),
            colour = 1 + (int)kn_rng_below(rng, 2);
        if (!kn_zone_has(zone, point) && kn_strings_legal(s, point, colour))
            assert_true(kn_strings_play(s, point, colour));
    }
    KnZone again = {{0}};
    assert_int_equal(kn_capture_life(c, &again), KN_CAPTURE_ALIVE);
    while (s->plies > before) kn_strings_undo(s);
}

static void test_against_all_moves(void **state)
{
    (void)state;
    KnGame *game = test_game("go(4, superko=none)");
    int alive = 0, joined = 0, most = (int)check_scaled(1500);
    for (int n = 0; n < most; n++) {
        KnRng rng = kn_rng_stream(2419, (uint64_t)n);
        _Alignas(16) unsigned char position[game->position_size];
        KnMove moves[game->max_moves];
        game->type->start(game, position);
        for (uint32_t ply = 8 + kn_rng_below(&rng, 12); ply > 0; ply--) {
            int count = game->type->moves(game, position, moves);
            if (count > 1) game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count - 1)]);
        }
        for (int cell = 0; cell < game->cells; cell++) {
            KnCapture *c;
            KnError error;
            KnZone zone = {{0}};
            if (game->type->cell(game, position, cell) == KN_STONE_NONE) continue;
            check_ok(error, kn_capture_open(game, position, cell, &c, &error));
            kn_capture_turn(c, true);
            if (kn_capture_life(c, &zone) == KN_CAPTURE_ALIVE) {
                check_alive(c, &zone, &rng);
                alive++;
            }
            for (int i = 0; i < game->cells; i++) {
                int point = kn_strings_point(c->strings, i % 4, i / 4);
                zone = (KnZone){{0}};
                if (!kn_points_has(&kn_string_of(c->strings, c->target)->free, point) ||
                    !kn_capture_life_joined(c, point, &zone))
                    continue;
                assert_true(kn_zone_has(&zone, point));
                assert_true(kn_strings_play(c->strings, point, c->defender));
                check_alive(c, &zone, &rng);
                kn_strings_undo(c->strings);
                joined++;
            }
            kn_capture_free(c);
        }
    }
    test_game_close(game);
    assert_true(alive > most / 50 && joined > most / 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes),
                                       cmocka_unit_test(test_against_all_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
