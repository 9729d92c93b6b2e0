/* Pattern databases: on random puzzles no bound exceeds the true distance, and no move lowers one by more
 * than 1. */
#include "support/check.h"
#include "support/instances.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "games/gdl/gdl.h"
#include "games/gdl/patterns.h"

enum { PLACES = 6, MEN = 3, MOST = 4096, FAR = 1 << 20 };

/* Men on the places of a random graph, one on each at most. A move takes a man to a neighbouring place that
 * is free; some roads are open only while a switch is on, which a move of its own turns. All men have a goal,
 * some can get there. */
static void random_puzzle(KnText *text, KnRng *rng)
{
    kn_text_clear(text);
    kn_text_add(text, "(role x)(init (switch on))(man 0)(man 1)(man 2)(turn on off)(turn off on)\n");
    for (int m = 0; m < MEN; m++) kn_text_printf(text, "(init (at %d %d))", m, m);
    for (int i = 0; i < PLACES; i++)
        for (int k = 0; k < PLACES; k++)
            if (i != k && kn_rng_below(rng, 5) < 2)
                kn_text_printf(text, kn_rng_below(rng, 4) ? "(road %d %d)" : "(gate %d %d)", i, k);
    kn_text_add(text,
                "(road 5 0)(gate 0 5)\n"
                "(<= (full ?p) (true (at ?m ?p)))\n"
                "(<= (legal x (go ?m ?p ?q)) (true (at ?m ?p)) (road ?p ?q) (not (full ?q)))\n"
                "(<= (legal x (go ?m ?p ?q)) (true (at ?m ?p)) (gate ?p ?q) (true (switch on)) (not (full "
                "?q)))\n"
                "(legal x flip)\n"
                "(<= (next (at ?m ?q)) (does x (go ?m ?p ?q)))\n"
                "(<= (moved ?m) (does x (go ?m ?p ?q)))\n"
                "(<= (next (at ?m ?p)) (true (at ?m ?p)) (not (moved ?m)))\n"
                "(<= (next (switch ?b)) (true (switch ?a)) (does x flip) (turn ?a ?b))\n"
                "(<= (next (switch ?a)) (true (switch ?a)) (not (does x flip)))\n");
    kn_text_printf(text, "(<= home (true (at 0 %u)) (true (at 1 %u)) (true (at 2 %u)))",
                   3 + kn_rng_below(rng, 3), kn_rng_below(rng, PLACES), kn_rng_below(rng, 3));
    kn_text_add(text, "(<= terminal home)(<= (goal x 100) home)(<= (goal x 0) (not home))");
}

/* All positions, and for each how far the goal is. */
typedef struct Whole {
    const KnGame *game;
    unsigned char *positions;
    int count;
    int *steps; /* FAR: out of reach */
    bool *edge; /* by pair of positions */
} Whole;

static int find_or_add(Whole *w, const unsigned char *position)
{
    size_t size = w->game->position_size;
    int i = 0;
    while (i < w->count && memcmp(w->positions + (size_t)i * size, position, size) != 0) i++;
    if (i < w->count) return i;
    assert_true(w->count < MOST);
    memcpy(w->positions + (size_t)w->count++ * size, position, size);
    return i;
}

static Whole see_all(const KnGame *game)
{
    Whole w = {game, malloc(MOST * game->position_size), 0, malloc(MOST * sizeof(int)),
               calloc((size_t)MOST * MOST / 16, 1)};
    unsigned char at[game->position_size] __attribute__((aligned(16)));
    enum { SIDE = MOST / 4 };
    memset(at, 0, sizeof at);
    game->type->start(game, at);
    find_or_add(&w, at);
    for (int i = 0; i < w.count; i++) {
        KnMove moves[game->max_moves];
        unsigned char here[game->position_size] __attribute__((aligned(16)));
        assert_true(w.count < SIDE);
        memcpy(here, w.positions + (size_t)i * game->position_size, game->position_size);
        int count = kn_game_moves_of(game, here, 0, moves);
        w.steps[i] = count ? FAR : 0; /* who is at home has no move, and nobody else */
        for (int k = 0; k < count; k++) {
            memcpy(at, here, sizeof at);
            kn_game_play_joint(game, at, &moves[k]);
            w.edge[i * SIDE + find_or_add(&w, at)] = true;
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < w.count; i++)
            for (int k = 0; k < w.count; k++)
                if (w.edge[i * SIDE + k] && w.steps[k] + 1 < w.steps[i])
                    w.steps[i] = w.steps[k] + 1, changed = true;
    }
    return w;
}

static void check_bounds(const Whole *w, const KnGdlPatterns *patterns, const char *text, long *exact,
                         long *all)
{
    enum { SIDE = MOST / 4 };
    unsigned bounds[w->count];
    unsigned char at[w->game->position_size] __attribute__((aligned(16)));
    for (int i = 0; i < w->count; i++) {
        memcpy(at, w->positions + (size_t)i * w->game->position_size, sizeof at);
        bounds[i] = kn_gdl_patterns_bound(patterns, kn_gdl_facts(at));
        if (w->steps[i] < FAR && bounds[i] > (unsigned)w->steps[i])
            fail_msg("a bound of %u where %d steps do: %s", bounds[i], w->steps[i], text);
        *exact += w->steps[i] < FAR ? bounds[i] == (unsigned)w->steps[i] : bounds[i] == KN_GDL_NEVER;
        ++*all;
    }
    for (int i = 0; i < w->count; i++)
        for (int k = 0; k < w->count; k++)
            if (w->edge[i * SIDE + k] && bounds[i] > bounds[k] + 1)
                fail_msg("a move from a bound of %u to %u: %s", bounds[i], bounds[k], text);
}

static void bounds_are_true_and_consistent(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnText text = KN_TEXT_EMPTY;
    long exact = 0, all = 0, solved = 0, sheets = check_scaled(25);
    for (long s = 0; s < sheets; s++) {
        KnRng rng = kn_rng_stream(57, (uint64_t)s);
        KnError error;
        KnGame *game;
        KnGdlDescription *description;
        random_puzzle(&text, &rng);
        check_ok(error, kn_gdl_read("random", text.data, text.length, false, &description, &error));
        check_ok(error,
                 kn_gdl_open(context, description, &(KnGdlLimits){.facts = 64, .moves = 64}, &game, &error));
        Whole w = see_all(game);
        KnGdlPatterns *patterns = kn_gdl_patterns_new(kn_game_gdl(game), kn_game_analysis(game), &error);
        assert_non_null(patterns);
        size_t words = kn_gdl_machine_words(kn_game_gdl(game));
        uint64_t samples[64 * words];
        for (uint32_t i = 0; i < 64; i++) {
            unsigned char at[game->position_size] __attribute__((aligned(16)));
            size_t which = i ? kn_rng_below(&rng, (uint32_t)w.count) : 0;
            memcpy(at, w.positions + which * game->position_size, sizeof at);
            memcpy(samples + i * words, kn_gdl_facts(at), words * sizeof *samples);
        }
        uint64_t works[] = {0, 300000, 100000000}; /* none, a few, all that help */
        for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
            KnGdlPatternPlan plan = {
                .value = 100, .start = samples, .samples = samples, .sample_count = 64, .work = works[k]};
            check_ok(error, kn_gdl_patterns_build(patterns, &plan, &error));
            long here = 0, of = 0;
            check_bounds(&w, patterns, text.data, &here, &of);
            if (k < 2) continue;
            exact += here;
            all += of;
            solved += w.steps[0] < FAR && kn_gdl_patterns_count(patterns) > 0;
        }
        kn_gdl_patterns_free(patterns);
        free(w.positions);
        free(w.steps);
        free(w.edge);
        kn_game_close(game);
    }
    assert_true(solved > sheets / 4);
    assert_true(exact > all / 2); /* no empty claim: most bounds are exact */
    kn_text_free(&text);
    kn_close(context);
}

/* Tiles alone give the sum of their distances, and more: of the start of the eight-puzzle, 20 steps away, at
 * least its Manhattan distance of 14. */
static void tiles_add_up(void **state)
{
    (void)state;
    KnContext *context = test_context();
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, "gdl:eightpuzzle", &game, &error));
    unsigned char at[game->position_size] __attribute__((aligned(16)));
    memset(at, 0, sizeof at);
    game->type->start(game, at);
    KnGdlPatterns *patterns = kn_gdl_patterns_new(kn_game_gdl(game), kn_game_analysis(game), &error);
    assert_non_null(patterns);
    KnGdlPatternPlan plan = {.value = 100,
                             .start = kn_gdl_facts(at),
                             .samples = kn_gdl_facts(at),
                             .sample_count = 1,
                             .work = 20000000};
    check_ok(error, kn_gdl_patterns_build(patterns, &plan, &error));
    unsigned bound = kn_gdl_patterns_bound(patterns, kn_gdl_facts(at));
    assert_in_range(bound, 14, 20);
    kn_gdl_patterns_free(patterns);
    kn_game_close(game);
    check_ok(error, kn_game_open(context, "gdl:connectfour", &game, &error));
    assert_null(kn_gdl_patterns_new(kn_game_gdl(game), kn_game_analysis(game), &error));
    assert_non_null(strstr(error.text, "one role"));
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_are_true_and_consistent),
                                       cmocka_unit_test(tiles_add_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
