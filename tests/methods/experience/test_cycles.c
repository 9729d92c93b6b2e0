/* Values where positions repeat, against a second opinion: what each side can force is found by attractors,
 * on all positions at once; and every value is the best of the values that its moves lead to. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "methods/experience/base.h"

enum { POSITIONS = 5000, CHILDREN = 40 };

typedef struct Seen {
    unsigned char position[64];
    int mover; /* -1: the game is over */
    int children[CHILDREN], child_count;
    double ends[3]; /* outcomes of games that ended here */
    int end_count;
    bool forced[2]; /* what role 0 can force above a draw, and role 1 below it */
} Seen;

typedef struct Opinion {
    const KnGame *game;
    Seen *seen;
    int count;
} Opinion;

static int find(Opinion *o, const void *position)
{
    const KnGame *game = o->game;
    for (int i = 0; i < o->count; i++)
        if (memcmp(o->seen[i].position, position, game->position_size) == 0) return i;
    assert_true(o->count < POSITIONS && game->position_size <= 64);
    Seen *fresh = &o->seen[o->count];
    *fresh = (Seen){.mover = kn_game_over(game, position) ? -1 : game->type->mover(game, position)};
    memcpy(fresh->position, position, game->position_size);
    return o->count++;
}

static void note(Opinion *o, const KnState *state, double outcome)
{
    int before = -1;
    for (size_t ply = 0; ply <= kn_state_plies(state); ply++) {
        int at = find(o, kn_state_position_at(state, ply)), known = 0;
        if (before >= 0) {
            Seen *parent = &o->seen[before];
            for (int c = 0; c < parent->child_count; c++) known |= parent->children[c] == at;
            assert_true(parent->child_count < CHILDREN);
            if (!known) parent->children[parent->child_count++] = at;
        }
        before = at;
    }
    Seen *last = &o->seen[before];
    bool known = false;
    for (int e = 0; e < last->end_count; e++) known |= last->ends[e] == outcome;
    if (!known) last->ends[last->end_count++] = outcome;
}

/* The attractor of ends that are good for a role: it needs one move there, the other none elsewhere. */
static void attract(Opinion *o, int hero)
{
    double sign = hero == 0 ? 1 : -1;
    for (int i = 0; i < o->count; i++) o->seen[i].forced[hero] = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < o->count; i++) {
            Seen *seen = &o->seen[i];
            bool one = false, all = seen->end_count + seen->child_count > 0;
            for (int e = 0; e < seen->end_count; e++) {
                one |= sign * seen->ends[e] > 0;
                all &= sign * seen->ends[e] > 0;
            }
            for (int c = 0; c < seen->child_count; c++) {
                one |= o->seen[seen->children[c]].forced[hero];
                all &= o->seen[seen->children[c]].forced[hero];
            }
            bool forced = seen->mover == hero ? one : all;
            if (!forced || seen->forced[hero]) continue;
            seen->forced[hero] = changed = true;
        }
    }
}

static double value_in(KnBase *base, const Seen *seen)
{
    KnError error;
    KnBaseView view;
    check_ok(error, kn_base_look(base, seen->position, NULL, 0, NULL, &view, &error));
    assert_true(view.known);
    return view.value;
}

static int compare(Opinion *o, KnBase *base)
{
    int forced = 0;
    for (int hero = 0; hero < 2; hero++) attract(o, hero);
    double *values = malloc((size_t)o->count * sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < o->count; i++) values[i] = value_in(base, &o->seen[i]);
    for (int i = 0; i < o->count; i++) {
        const Seen *seen = &o->seen[i];
        assert_false(seen->forced[0] && seen->forced[1]);
        if (seen->forced[0]) assert_float_equal(values[i], 1, 0);
        if (seen->forced[1]) assert_float_equal(values[i], -1, 0);
        if (!seen->forced[0] && !seen->forced[1] && seen->mover >= 0)
            assert_float_equal(values[i], 0, 0); /* either can go round, or leave for a draw */
        forced += seen->forced[0] || seen->forced[1];
        double best = 0;
        int ways = 0;
        for (int k = 0; k < seen->end_count + seen->child_count; k++) {
            double value = k < seen->end_count ? seen->ends[k] : values[seen->children[k - seen->end_count]];
            if (!ways++ || (seen->mover == 1 ? value < best : value > best)) best = value;
        }
        if (seen->mover >= 0) assert_float_equal(values[i], best, 0);
    }
    free(values);
    return forced;
}

/* ---- a game of cycles: a token walks on a small graph, both sides by turns ---- */

enum { NODES = 26, ENDS = 5, WAYS = 3 };

typedef struct Walk {
    int32_t at, mover;
} Walk;

static void walk_start(const KnGame *game, void *position)
{
    (void)game;
    *(Walk *)position = (Walk){NODES - 1, 0};
}

static int walk_mover(const KnGame *game, const void *position)
{
    (void)game;
    return ((const Walk *)position)->mover;
}

static int walk_moves(const KnGame *game, const void *position, KnMove *moves)
{
    (void)game;
    const Walk *walk = position;
    if (walk->at < ENDS) return 0;
    for (int i = 0; i < WAYS; i++)
        moves[i] = kn_mix64((uint64_t)(walk->at * 64 + walk->mover * 8 + i + 1)) % (NODES - 1);
    for (int i = 1; i < WAYS; i++)
        while (moves[i] == moves[0] || (i == 2 && moves[2] == moves[1])) moves[i] = (moves[i] + 1) % NODES;
    return WAYS;
}

static void walk_play(const KnGame *game, void *position, KnMove move)
{
    (void)game;
    Walk *walk = position;
    *walk = (Walk){(int32_t)move, 1 - walk->mover};
}

static void walk_payoffs(const KnGame *game, const void *position, double *payoffs)
{
    (void)game;
    static const double outcomes[ENDS] = {1, -1, 0, 1, -1};
    payoffs[0] = outcomes[((const Walk *)position)->at];
    payoffs[1] = -payoffs[0];
}

static uint64_t walk_hash(const KnGame *game, const void *position)
{
    (void)game;
    const Walk *walk = position;
    return kn_mix64((uint64_t)walk->at * 2 + (uint64_t)walk->mover);
}

static KnStatus walk_open(KnGame *game, const KnOptions *options, KnError *error)
{
    (void)options, (void)error;
    game->position_size = sizeof(Walk);
    game->max_moves = WAYS;
    game->roles = 2;
    game->payoff_low = -1;
    game->traits = KN_GAME_ZERO_SUM | KN_GAME_ENDLESS;
    return KN_OK;
}

static const KnGameType walk = {.head = {"walk", "a made-up walk", NULL},
                                .open = walk_open,
                                .start = walk_start,
                                .mover = walk_mover,
                                .moves = walk_moves,
                                .play = walk_play,
                                .payoffs = walk_payoffs,
                                .hash = walk_hash};

/* A random game, cut at a limit; returns its outcome. */
static double play_random(KnState *played, uint64_t seed, long index, size_t plies)
{
    KnError error;
    const KnGame *game = kn_state_game(played);
    KnRng rng = kn_rng_stream(seed, (uint64_t)index);
    KnMove moves[game->max_moves];
    double payoffs[KN_ROLES_MAX] = {0};
    kn_state_reset(played, NULL);
    while (!kn_state_over(played, payoffs) && kn_state_plies(played) < plies) {
        int role = game->type->mover(game, kn_state_position(played));
        uint32_t count = (uint32_t)kn_state_moves(played, role, moves);
        check_ok(error, kn_state_play(played, moves[kn_rng_below(&rng, count)], &error));
    }
    if (!kn_state_over(played, payoffs)) payoffs[0] = (game->payoff_low + game->payoff_high) / 2;
    return kn_base_outcome(played, payoffs);
}

static KnBase *make_base(KnContext *context, const KnGame *game, const char *path)
{
    KnError error;
    KnBase *base;
    KnBaseKind kind = {.symmetry = false};
    unlink(path);
    check_ok(error, kn_base_open(context, game, path, KN_BASE_MAKE | KN_BASE_LOOSE | KN_BASE_WRITE, &kind,
                                 &base, &error));
    return base;
}

/* Games added one by one count the same paths as games added in groups. */
static void compare_paths(const Opinion *o, KnBase *base, KnBase *other)
{
    KnError error;
    for (int i = 0; i < o->count; i++) {
        KnBaseView here, there;
        check_ok(error, kn_base_look(base, o->seen[i].position, NULL, 0, NULL, &here, &error));
        check_ok(error, kn_base_look(other, o->seen[i].position, NULL, 0, NULL, &there, &error));
        assert_true(here.paths == there.paths && here.games == there.games && here.value == there.value);
    }
}

/* Random games, added one by one and many in a transaction, and the values compared as the bases grow. */
static int grow(KnContext *context, const char *spec, long games, int group, size_t plies, uint64_t seed)
{
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    KnBase *base = make_base(context, game, "cycles.mdb"), *single = make_base(context, game, "single.mdb");
    Opinion opinion = {.game = game, .seen = calloc(POSITIONS, sizeof *opinion.seen)};
    assert_non_null(opinion.seen);
    KnState *played = kn_state_new(game);
    int forced = 0;
    for (long i = 0; i < games; i++) {
        double outcome = play_random(played, seed, i, plies);
        if (i % group == 0) check_ok(error, kn_base_begin(base, &error));
        check_ok(error, kn_base_add(base, played, outcome, NULL, NULL, &error));
        check_ok(error, kn_base_add(single, played, outcome, NULL, NULL, &error));
        note(&opinion, played, outcome);
        if (i % group == group - 1) {
            check_ok(error, kn_base_commit(base, &error));
            forced += compare(&opinion, base);
            compare_paths(&opinion, base, single);
        }
    }
    kn_state_free(played);
    free(opinion.seen);
    kn_base_close(base);
    kn_base_close(single);
    kn_game_close(game);
    unlink("cycles.mdb");
    unlink("single.mdb");
    return forced;
}

static void test_growing_base(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("data");
    check_ok(error, kn_register(context, KN_KIND_GAME, &walk.head, &error));
    for (uint64_t seed = 1; seed <= 4; seed++) {
        assert_true(grow(context, "walk", 60, 10, 12, seed) > 20);
    }
    assert_true(grow(context, "morris(men=4)", 60, 20, 60, 9) > 5);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_growing_base)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
