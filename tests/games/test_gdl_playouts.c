/* Random games by the hundred: as many as asked for, of the right distribution, the same on every processor.
 */
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "games/gdl/propnet_reasoner.h"
#include "games/gdl/bitparallel_program.h"
#include "games/gdl/playouts.h"

#define DESCRIPTIONS KNACK_SOURCE_DIR "/data/gdl/"

typedef struct Fixture {
    KnGdlMachine *machine;
    uint64_t *state;
} Fixture;

static Fixture open_description(const char *path, KnGdlReasoner reasoner)
{
    Fixture f;
    KnError error;
    KnGdlDescription *description;
    check_ok(error, kn_gdl_read_file(path, false, &description, &error));
    check_ok(error, kn_gdl_machine_new(description,
                                       &(KnGdlLimits){.facts = 4096, .moves = 4096, .reasoner = reasoner},
                                       &f.machine, &error));
    f.state = calloc(kn_gdl_machine_words(f.machine), sizeof *f.state);
    check_ok(error, kn_gdl_start(f.machine, f.state, &error));
    return f;
}

static void close_description(Fixture *f)
{
    free(f->state);
    kn_gdl_machine_free(f->machine);
}

static void test_as_many_as_asked_for(void **state)
{
    (void)state;
    static const uint64_t wanted[] = {0, 1, 5, 255, 256, 257, 1000};
    Fixture f = open_description(DESCRIPTIONS "tictactoe.kif", KN_GDL_PROPNET);
    KnError error;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        KnGdlPlayouts one, again, cut;
        KnRng rng = kn_rng_seeded(7), same = kn_rng_seeded(7);
        check_ok(error, kn_gdl_playouts(f.machine, f.state, wanted[i], 0, &rng, &one, &error));
        check_ok(error, kn_gdl_playouts(f.machine, f.state, wanted[i], 0, &same, &again, &error));
        assert_memory_equal(&one, &again, sizeof one);
        assert_true(one.games == wanted[i] && one.cut == 0);
        assert_true(one.plies >= wanted[i] * 5 && one.plies <= wanted[i] * 9);
        assert_true(one.totals[0] + one.totals[1] == wanted[i] * 100);
        check_ok(error, kn_gdl_playouts(f.machine, f.state, wanted[i], 3, &rng, &cut, &error));
        assert_true(cut.games == wanted[i] && cut.cut == wanted[i] && cut.plies == wanted[i] * 3);
    }
    close_description(&f);
}

/* Random tic-tac-toe: the first wins 737/1260, the second 121/420, 8/63 are drawn; games take 9 moves where
 * nobody won before. */
static void test_known_chances(void **state)
{
    (void)state;
    enum { GAMES = 200000 };
    Fixture f = open_description(DESCRIPTIONS "tictactoe.kif", KN_GDL_PROPNET);
    KnError error;
    for (int singly = 0; singly < 2; singly++) {
        KnGdlPlayouts out;
        KnRng rng = kn_rng_seeded(3);
        double expected = 100 * (737 / 1260. + 4 / 63.), square = 1e4 * (737 / 1260. + 2 / 63.);
        double games = (double)check_scaled(GAMES), sigma = sqrt((square - expected * expected) / games);
        check_ok(error, (singly ? kn_gdl_playouts_single : kn_gdl_playouts)(
                            f.machine, f.state, (uint64_t)games, 0, &rng, &out, &error));
        double mean = (double)out.totals[0] / games;
        if (fabs(mean - expected) > 5 * sigma) fail_msg("mean %g, expected %g +- %g", mean, expected, sigma);
        assert_true(fabs((double)out.squares[0] / games - square) < 250 * 100 / sqrt(games));
    }
    close_description(&f);
}

/* All ways to play agree in goals and lengths. */
static void compare_ways(const char *path)
{
    Fixture fast = open_description(path, KN_GDL_PROPNET), slow = open_description(path, KN_GDL_PROVER);
    KnGdlPlayouts out[3];
    uint64_t games[3] = {(uint64_t)check_scaled(600), (uint64_t)check_scaled(10000),
                         (uint64_t)check_scaled(40000)};
    KnError error;
    for (int way = 0; way < 3; way++) {
        KnRng rng = kn_rng_seeded(11);
        const Fixture *f = way ? &fast : &slow;
        check_ok(error, (way < 2 ? kn_gdl_playouts_single : kn_gdl_playouts)(f->machine, f->state, games[way],
                                                                             300, &rng, &out[way], &error));
    }
    int roles = kn_gdl_machine_description(fast.machine)->role_count;
    for (int way = 0; way < 2; way++) {
        double length = (double)out[way].plies / (double)games[way],
               other = (double)out[2].plies / (double)games[2];
        if (fabs(length - other) > 0.05 + other / sqrt((double)games[way]) * 4)
            fail_msg("%s: %g plies one by one (%d), %g at once", path, length, way, other);
        for (int role = 0; role < roles; role++) {
            double n = (double)games[way], mean = (double)out[way].totals[role] / n,
                   all = (double)out[2].totals[role] / (double)games[2];
            double sigma = sqrt(fmax((double)out[2].squares[role] / (double)games[2] - all * all, 0) *
                                (1 / n + 1 / (double)games[2]));
            if (fabs(mean - all) > 5 * sigma + 1e-9)
                fail_msg("%s: role %d gets %g one by one (%d), %g at once", path, role, mean, way, all);
        }
    }
    close_description(&fast);
    close_description(&slow);
}

static void test_ways_agree(void **state)
{
    (void)state;
    compare_ways(DESCRIPTIONS "dice.kif");
    compare_ways(DESCRIPTIONS "frogs.kif");
    compare_ways(DESCRIPTIONS "nim3.kif");
    compare_ways(DESCRIPTIONS "roshambo.kif");
}

/* Playouts of a search: lane after lane takes one of two states, the start or an end. */
typedef struct Feed {
    const uint64_t *states[2];
    int which[KN_GDL_LANES], expected_end; /* goal of the first role at the end state */
    long begun, limit, ended[2];
    double total;
    uint64_t plies;
} Feed;

static const uint64_t *feed_begin(void *user, int lane, uint32_t *first)
{
    Feed *feed = user;
    (void)first;
    if (feed->begun == feed->limit) return NULL;
    feed->which[lane] = (int)(feed->begun++ % 2);
    return feed->states[feed->which[lane]];
}

static void feed_end(void *user, int lane, const int16_t *goals)
{
    Feed *feed = user;
    assert_true(feed->which[lane] >= 0);
    feed->ended[feed->which[lane]]++;
    if (feed->which[lane]) {
        assert_int_equal(goals[0], feed->expected_end);
        assert_int_equal(goals[1], 100 - feed->expected_end);
    } else
        feed->total += goals[0];
    feed->which[lane] = -1;
}

static bool feed_step(void *user, uint64_t plies)
{
    Feed *feed = user;
    feed->plies += plies;
    return true;
}

/* Each lane reports the goals of its own playout, and every state begun is ended once. */
static void test_lanes(void **state)
{
    (void)state;
    Fixture f = open_description(DESCRIPTIONS "tictactoe.kif", KN_GDL_PROPNET);
    KnError error;
    uint64_t won[kn_gdl_machine_words(f.machine)];
    memset(won, 0, sizeof won);
    check_ok(error, kn_gdl_parse_state(f.machine, "(cell 1 1 x) (cell 1 2 x) (cell 1 3 x) (control o)", won,
                                       &error));
    for (int count = 1; count <= KN_GDL_LANES; count *= 16) {
        Feed feed = {.states = {f.state, won}, .limit = 2 * check_scaled(20000), .expected_end = 100};
        memset(feed.which, -1, sizeof feed.which);
        KnGdlLanes lanes = {
            .user = &feed, .count = count, .begin = feed_begin, .end = feed_end, .step = feed_step};
        KnRng rng = kn_rng_seeded(7);
        if (count == 1) feed.limit /= 10;
        assert_true(kn_gdl_has_lanes(f.machine));
        check_ok(error, kn_gdl_playouts_lanes(f.machine, &lanes, 0, &rng, &error));
        assert_true(feed.ended[0] == feed.limit / 2 && feed.ended[1] == feed.limit / 2);
        double games = (double)feed.limit / 2, expected = 100 * (737 / 1260. + 4 / 63.),
               square = 1e4 * (737 / 1260. + 2 / 63.), sigma = sqrt((square - expected * expected) / games);
        if (fabs(feed.total / games - expected) > 5 * sigma)
            fail_msg("%d lanes: mean %g, expected %g +- %g", count, feed.total / games, expected, sigma);
        assert_true(feed.plies > 5 * (uint64_t)games && feed.plies < 9 * (uint64_t)games);
    }
    close_description(&f);
}

/* Playouts whose first step is given: x marks a cell, the same in every lane. */
typedef struct Given {
    const uint64_t *before, *after;
    size_t words;
    uint32_t actions[2];
    bool over;
    long begun, born, ended;
} Given;

static const uint64_t *given_begin(void *user, int lane, uint32_t *first)
{
    Given *given = user;
    (void)lane;
    if (given->begun == 600) return NULL;
    given->begun++;
    memcpy(first, given->actions, sizeof given->actions);
    return given->before;
}

static void given_born(void *user, int lane, const uint64_t *state, bool over)
{
    Given *given = user;
    (void)lane;
    assert_memory_equal(state, given->after, given->words * sizeof *state);
    assert_true(over == given->over);
    given->born++;
}

static void given_end(void *user, int lane, const int16_t *goals)
{
    Given *given = user;
    (void)lane;
    if (given->over) assert_int_equal(goals[0], 100);
    given->ended++;
}

static bool given_step(void *user, uint64_t plies)
{
    (void)user, (void)plies;
    return true;
}

/* A first step that is given leads where the rules say, and the search is told so. */
static void test_given_step(void **state)
{
    (void)state;
    static const char *const positions[2] = {
        "(cell 1 1 x) (cell 1 2 x) (cell 1 3 free) (cell 2 1 o) (cell 2 2 o) (cell 2 3 free) (control x)",
        "(cell 1 1 free) (cell 1 2 x) (cell 1 3 free) (cell 2 1 o) (control x)"};
    Fixture f = open_description(DESCRIPTIONS "tictactoe.kif", KN_GDL_PROPNET);
    const KnPropnet *net = kn_propnet_reasoner_net(kn_gdl_machine_propnet(f.machine));
    size_t words = kn_gdl_machine_words(f.machine);
    KnError error;
    for (int k = 0; k < 2; k++) {
        uint64_t before[words], after[words], joint[2], moves[64];
        memset(before, 0, sizeof before);
        check_ok(error, kn_gdl_parse_state(f.machine, positions[k], before, &error));
        Given given = {.before = before, .after = after, .words = words, .over = k == 0};
        for (int role = 0; role < 2; role++) {
            int count;
            check_ok(error, kn_gdl_legal(f.machine, before, role, moves, &count, &error));
            joint[role] = moves[0]; /* the first free cell: 1 3 completes the row, 1 1 does not */
            for (uint32_t a = net->first_action[role]; a < net->first_action[role + 1]; a++)
                if (net->actions[a].number == joint[role]) given.actions[role] = a;
        }
        check_ok(error, kn_gdl_next(f.machine, before, joint, after, &error));
        KnGdlLanes lanes = {.user = &given,
                            .count = KN_GDL_LANES,
                            .begin = given_begin,
                            .born = given_born,
                            .end = given_end,
                            .step = given_step};
        KnRng rng = kn_rng_seeded(8);
        check_ok(error, kn_gdl_playouts_lanes(f.machine, &lanes, 0, &rng, &error));
        assert_true(given.born == 600 && given.ended == 600);
    }
    close_description(&f);
}

/* The kernels compute the same, bit by bit. */
static void test_processors_agree(void **state)
{
    (void)state;
    if (!__builtin_cpu_supports("avx2")) skip();
    Fixture f = open_description(DESCRIPTIONS "tictactoe.kif", KN_GDL_PROPNET);
    const KnGdlBatch *batch = kn_propnet_reasoner_batch(kn_gdl_machine_propnet(f.machine));
    KnGdlPlayouts out[2] = {0};
    void *scratch = aligned_alloc(64, kn_batch_scratch(batch, false));
    for (int k = 0; k < 2; k++) {
        KnBatchJob job = {
            .batch = batch, .state = f.state, .games = 3000, .plies = 7, .out = &out[k], .scratch = scratch};
        for (int i = 0; i < 16; i++) (&job.seeds[0][0])[i] = kn_mix64((uint64_t)i);
        (k ? kn_batch_play_avx2 : kn_batch_play_plain)(&job);
    }
    assert_memory_equal(&out[0], &out[1], sizeof out[0]);
    assert_true(out[0].games == 3000 && out[0].cut > 100 && out[0].cut < 2900);
    free(scratch);
    close_description(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_many_as_asked_for),
                                       cmocka_unit_test(test_known_chances),
                                       cmocka_unit_test(test_lanes),
                                       cmocka_unit_test(test_given_step),
                                       cmocka_unit_test(test_ways_agree),
                                       cmocka_unit_test(test_processors_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
