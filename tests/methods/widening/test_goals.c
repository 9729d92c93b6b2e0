/* Goals of Fives and Phutball: the sets of defences are complete, the definitions and searches are sound
 * against all moves, widening finds the same. */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/fives/goal.h"
#include "games/phutball/goal.h"
#include "methods/widening/proof.h"
#include "support/boards.h"
#include "support/goals.h"

/* ---- positions ---- */

typedef struct Kind {
    const char *spec;
    KnStatus (*open)(const KnGame *game, const void *position, int attacker, KnGoal **goal, KnError *error);
    void (*free)(KnGoal *goal);
    void (*turn)(KnGoal *goal, bool attacking);
    int least, most; /* men that a random position has */
} Kind;

static const Kind kinds[] = {
    {"fives(width=6, height=6, line=4)", kn_fives_goal_open, kn_fives_goal_free, kn_fives_goal_turn, 6, 16},
    {"fives(width=7, height=6, line=5)", kn_fives_goal_open, kn_fives_goal_free, kn_fives_goal_turn, 12, 24},
    {"fives(width=6, height=6, line=4, overline=ignored)", kn_fives_goal_open, kn_fives_goal_free,
     kn_fives_goal_turn, 6, 16},
    {"phutball(width=5, height=7)", kn_phut_goal_open, kn_phut_goal_free, kn_phut_goal_turn, 3, 12},
    {"phutball(width=7, height=9)", kn_phut_goal_open, kn_phut_goal_free, kn_phut_goal_turn, 6, 20},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Men by random play; false if the game ended on the way. In Phutball only men are put, but for an occasional
 * jump. */
static bool random_position(const KnGame *game, const Kind *kind, KnRng *rng, void *position)
{
    uint32_t plies = (uint32_t)kind->least + kn_rng_below(rng, (uint32_t)(kind->most - kind->least));
    game->type->start(game, position);
    for (uint32_t i = 0; i < plies; i++) {
        KnMove moves[game->max_moves];
        int count = game->type->moves(game, position, moves);
        if (!count) return false;
        game->type->play(game, position, moves[kn_rng_below(rng, (uint32_t)count)]);
    }
    KnMove moves[game->max_moves], last;
    int count = game->type->moves(game, position, moves);
    if (!count) return false;
    last = moves[count - 1];
    if (strcmp(test_move_text(game, position, last), "stop") == 0)
        game->type->play(game, position, last); /* between turns */
    return game->type->moves(game, position, moves) > 0;
}

static int each_goal(const Kind *kind, uint64_t seed, long positions,
                     void (*visit)(const Kind *kind, KnGoal *goal))
{
    KnGame *game = test_game(kind->spec);
    int visited = 0;
    for (long n = 0; n < positions; n++) {
        KnRng rng = kn_rng_stream(seed, (uint64_t)n);
        _Alignas(16) unsigned char position[game->position_size];
        if (!random_position(game, kind, &rng, position)) continue;
        for (int attacker = 0; attacker < 2; attacker++) {
            KnError error;
            KnGoal *goal;
            check_ok(error, kind->open(game, position, attacker, &goal, &error));
            visit(kind, goal);
            visited++;
            kind->free(goal);
        }
    }
    test_game_close(game);
    return visited;
}

/* ---- complete sets ---- */

static int complete_k, threatened;

static void check_complete(const Kind *kind, KnGoal *goal)
{
    kind->turn(goal, false);
    threatened += test_defences_complete(goal, complete_k, kind->spec);
}

static void test_sets_are_complete(void **state)
{
    (void)state;
    static const long positions[] = {0, 300, 60, 6};
    for (int i = 0; i < KINDS; i++)
        for (complete_k = 1; complete_k <= KN_GOAL_THREATS; complete_k++) {
            threatened = 0;
            each_goal(&kinds[i], 31, check_scaled(positions[complete_k]), check_complete);
            if (complete_k < 3 && !getenv("KNACK_TEST_SCALE")) assert_true(threatened > 0);
        }
}

/* ---- the definitions against all moves ---- */

static int defined, missed;

static void check_definitions(const Kind *kind, KnGoal *goal)
{
    KnGoalCount played = {0};
    int moves[KN_GOAL_MOVES_MAX], count;
    kind->turn(goal, true);
    /* With one move left Phutball lists what reaches the goal at once, and nothing else. */
    count = kind->open == kn_phut_goal_open ? goal->type->attacks(goal, 1, moves) : 0;
    for (int i = 0; i < count; i++) {
        assert_true(goal->type->play(goal, moves[i]));
        assert_int_equal(goal->type->standing(goal), KN_GOAL_REACHED);
        goal->type->undo(goal);
    }
    for (int k = 1; k <= 2; k++) {
        kind->turn(goal, true);
        bool gi = kn_proof_gi(goal, k, &played), wins = test_attack_wins(goal, k);
        if (gi && !wins) fail_msg("%s: gi%d holds, but there is a defence", kind->spec, k);
        if (k == 1) assert_int_equal(gi, wins);
        missed += wins && !gi;
        kind->turn(goal, false);
        bool g = kn_proof_g(goal, k, &played);
        if (g && !test_defence_fails(goal, k))
            fail_msg("%s: g%d holds, but there is a defence", kind->spec, k);
        defined += gi + g;
    }
}

static void test_definitions(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        defined = 0;
        each_goal(&kinds[i], 41, check_scaled(i < 3 ? 40 : 12), check_definitions);
        if (!getenv("KNACK_TEST_SCALE")) assert_true(defined > 0); /* a few positions may have none */
    }
}

/* ---- searches: what is proved by one strategy is never disproved by all moves, and a proof's line reaches
 * the goal ---- */

static KnProofSearch *plain, *widening, *all;
static int proved, reached;

static void check_search(const Kind *kind, KnGoal *goal)
{
    KnProofAnswer one, other, brute;
    kind->turn(goal, true);
    kn_proof_run(plain, goal, &one);
    kn_proof_run(widening, goal, &other);
    kn_proof_run(all, goal, &brute);
    assert_true(one.verdict != KN_DISPROVED &&
                other.verdict != KN_DISPROVED); /* their sets prove attacks only */
    if (brute.verdict == KN_DISPROVED) assert_true(one.verdict != KN_PROVED && other.verdict != KN_PROVED);
    if (one.verdict != KN_PROVED) return;
    proved++;
    int played = 0;
    for (; played < one.length; played++) assert_true(goal->type->play(goal, one.line[played]));
    assert_int_not_equal(goal->type->standing(goal),
                         KN_GOAL_LOST); /* reached, or the table no longer holds the rest */
    reached += goal->type->standing(goal) == KN_GOAL_REACHED;
    while (played-- > 0) goal->type->undo(goal);
}

static void test_searches(void **state)
{
    (void)state;
    KnError error;
    KnProofOptions options = {.strategy = 1, .nodes = 4000, .table_bits = 12};
    check_ok(error, kn_proof_new(&options, &plain, &error));
    options.strategy = 3;
    check_ok(error, kn_proof_new(&options, &widening, &error));
    options.strategy = KN_PROOF_BOTH_SIDES;
    check_ok(error, kn_proof_new(&options, &all, &error));
    for (int i = 0; i < KINDS; i++) {
        proved = reached = 0;
        each_goal(&kinds[i], 51, check_scaled(25), check_search);
        if (!getenv("KNACK_TEST_SCALE")) assert_true(proved > 0 && reached > 0);
    }
    kn_proof_free(plain);
    kn_proof_free(widening);
    kn_proof_free(all);
}

/* ---- chains of jumps ---- */

enum { ENDS_MAX = 4000 };

typedef struct Ends {
    uint64_t hashes[ENDS_MAX];
    int count;
} Ends;

static bool ends_add(Ends *ends, uint64_t hash)
{
    for (int i = 0; i < ends->count; i++)
        if (ends->hashes[i] == hash) return false;
    assert_true(ends->count < ENDS_MAX);
    ends->hashes[ends->count++] = hash;
    return true;
}

/* Where the game's own single jumps can end a turn, without or with the game (`goals`). `steps`: positions on
 * the way. */
static void jump_on(const KnGame *game, const void *position, int mover, bool under_way, Ends *steps,
                    Ends *ends, Ends *goals)
{
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, position, moves);
    for (int i = 0; i < count; i++) {
        _Alignas(16) unsigned char next[game->position_size];
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        if (kn_game_over(game, next)) {
            ends_add(goals, game->type->hash(game, next));
            continue;
        }
        bool jumps = game->type->mover(game, next) == mover;
        if (!jumps && under_way) ends_add(ends, game->type->hash(game, next));
        if (jumps && ends_add(steps, game->type->hash(game, next)))
            jump_on(game, next, mover, true, steps, ends, goals);
    }
}

/* The chains that the goal lists are those that single jumps make, each once. */
static void test_chains(void **state)
{
    (void)state;
    static const Kind crowded = {
        "phutball(width=7, height=9)", kn_phut_goal_open, kn_phut_goal_free, kn_phut_goal_turn, 12, 34};
    static Ends steps, ends, goals, told;
    KnGame *game = test_game(crowded.spec);
    int compared = 0, most = 0;
    long samples = getenv("KNACK_TEST_SCALE") ? check_scaled(150) : 150;
    for (long n = 0; n < samples; n++) {
        KnRng rng = kn_rng_stream(77, (uint64_t)n);
        _Alignas(16) unsigned char position[game->position_size], after[game->position_size];
        if (!random_position(game, &crowded, &rng, position)) continue;
        steps.count = ends.count = goals.count = told.count = 0;
        jump_on(game, position, game->type->mover(game, position), false, &steps, &ends, &goals);
        if (ends.count + goals.count > 180) continue; /* there is no room for all */
        KnGoal *goal;
        KnError error;
        check_ok(error, crowded.open(game, position, game->type->mover(game, position), &goal, &error));
        int moves[KN_GOAL_MOVES_MAX], count = goal->type->legal(goal, moves);
        for (int i = 0; i < count; i++) {
            kn_phut_goal_after(goal, moves[i], after);
            uint64_t hash = game->type->hash(game, after);
            bool chain = false;
            for (int j = 0; j < ends.count; j++) chain |= ends.hashes[j] == hash;
            if (chain) assert_true(ends_add(&told, hash));
        }
        assert_int_equal(told.count, ends.count);
        compared += ends.count > 0;
        if (ends.count > most) most = ends.count;
        crowded.free(goal);
    }
    test_game_close(game);
    if (samples == 150) assert_true(compared > 40 && most > 20);
}

/* ---- a goal that cannot be played on ---- */

static bool refuse(KnGoal *goal, int move)
{
    (void)goal, (void)move;
    return false;
}

static int refused;

/* What could not be looked at counts as a defence: nothing is proved from it. */
static void check_refused(const Kind *kind, KnGoal *goal)
{
    (void)kind;
    if (goal->attacking) return;
    int defences[KN_GOAL_MOVES_MAX], kept[KN_GOAL_MOVES_MAX], count = goal->type->defences(goal, 2, defences);
    KnGoalCount played = {0};
    const KnGoalType *type = goal->type;
    KnGoalType stiff = *type;
    stiff.play = refuse;
    goal->type = &stiff;
    assert_int_equal(kn_proof_forced_moves(goal, 2, kept, &played), count);
    goal->type = type;
    assert_int_equal(played.nodes, 0);
    refused += count;
}

static void test_refused(void **state)
{
    (void)state;
    each_goal(&kinds[0], 61, 10, check_refused);
    assert_true(refused > 0);
}

/* ---- bounds ---- */

static int stopped;

/* Where every position is paid for, no definition and no quiescence plays one more than was allowed, and
 * nothing is proved that is not so. */
static void check_bound(const Kind *kind, KnGoal *goal)
{
    KnProofSearch *strict, *free;
    KnProofAnswer answer, truth;
    KnError error;
    check_ok(error, kn_proof_new(&(KnProofOptions){.strict = true, .table_bits = 10}, &strict, &error));
    check_ok(error, kn_proof_new(&(KnProofOptions){.nodes = 20000}, &free, &error));
    for (uint64_t most = 1; most <= 1000; most *= 10) {
        kn_proof_allow(strict, &(KnProofOptions){.nodes = most});
        kn_proof_run(strict, goal, &answer);
        assert_true(answer.nodes <= most);
        stopped += answer.verdict == KN_UNPROVED && answer.nodes == most;
        if (answer.verdict == KN_UNPROVED) continue;
        kn_proof_run(free, goal, &truth);
        if (truth.verdict != KN_UNPROVED && truth.verdict != answer.verdict)
            fail_msg("%s: another answer within %d positions", kind->spec, (int)most);
    }
    kn_proof_free(strict);
    kn_proof_free(free);
}

static void test_bounds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) each_goal(&kinds[i], 67, 10, check_bound);
    assert_true(stopped > 0);
}

static void test_wrong_game(void **state)
{
    (void)state;
    KnGame *game = test_game("tictactoe");
    _Alignas(16) unsigned char position[game->position_size];
    KnGoal *goal;
    KnError error;
    game->type->start(game, position);
    check_fails(error, KN_INPUT, "of Fives", kn_fives_goal_open(game, position, 0, &goal, &error));
    check_fails(error, KN_INPUT, "of Phutball", kn_phut_goal_open(game, position, 0, &goal, &error));
    test_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets_are_complete), cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_searches),          cmocka_unit_test(test_chains),
        cmocka_unit_test(test_refused),           cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_wrong_game)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
