/* Sampling of joint moves: proofs agree with minimax, chance is averaged, simultaneous choices stay unknown
 * to the others, bounds hold. */
#include "support/check.h"
#include "support/instances.h"
#include "support/toy.h"
#include "support/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/mcts.h"
#include "search/mcts_simultaneous.h"
#include "search/matrix_game.h"
#include "search/minimax.h"

static KnMctsSimultaneous *joint_of(const World *world, uint64_t playouts, size_t bytes, int batch)
{
    KnError error;
    KnMctsSimultaneousOptions options = kn_mcts_simultaneous_options();
    options.playouts = playouts;
    options.bytes = bytes;
    options.batch = batch;
    KnMctsSimultaneous *joint = kn_mcts_simultaneous_new(world->game, &options, &error);
    assert_non_null(joint);
    return joint;
}

/* Whatever is proved is what minimax finds: zero-sum games of two, won, drawn and lost, with transpositions.
 */
static void proofs_agree_with_minimax(void **state)
{
    (void)state;
    for (int seed = 1; seed <= check_scaled(60); seed++) {
        char spec[64];
        snprintf(spec, sizeof spec, "toy(width=12, length=6, payoffs=3, seed=%d)", seed);
        World world = world_open(spec);
        KnError error;
        KnEvaluation *zero;
        check_ok(error, kn_evaluation_open_text(world.context, world.game, "zero", &zero, &error));
        KnMinimax *minimax = kn_minimax_new(world.game, zero, false, &error);
        KnMctsSimultaneous *joint = joint_of(&world, 20000, 4 << 20, 0);
        KnRng rng = kn_rng_seeded((uint64_t)seed);
        KnSearchResult truth, found;
        check_ok(error, kn_minimax_run(minimax, world.position, NULL, &(KnSearchRequest){0}, &truth, &error));
        int mover = world.game->type->mover(world.game, world.position);
        check_ok(error, kn_mcts_simultaneous_run(joint, world.position, mover,
                                                 &(KnSearchRequest){.rng = &rng}, &found, &error));
        assert_true(found.completed && found.solved > 0);
        int sign = (truth.score > KN_SCORE_PROVEN) - (truth.score < -KN_SCORE_PROVEN);
        if (sign)
            assert_int_equal((found.score > KN_SCORE_PROVEN) - (found.score < -KN_SCORE_PROVEN), sign);
        else
            assert_int_equal(found.score, truth.score);
        for (int i = 0; i < found.root_count; i++) {
            if (found.root[i].bound != KN_BOUND_EXACT) continue;
            KnScore a = found.root[i].score, b = truth.root[i].score;
            assert_int_equal(found.root[i].move, truth.root[i].move);
            assert_int_equal((a > KN_SCORE_PROVEN) - (a < -KN_SCORE_PROVEN),
                             (b > KN_SCORE_PROVEN) - (b < -KN_SCORE_PROVEN));
        }
        kn_mcts_simultaneous_free(joint);
        kn_minimax_free(minimax);
        kn_evaluation_close(zero);
        world_close(&world);
    }
}

/* What each role gets if all play for their own points, and the others the worst where a role does not mind.
 */
static void selfish(const KnGame *game, const void *position, double *payoffs)
{
    if (kn_game_over(game, position)) {
        game->type->payoffs(game, position, payoffs);
        return;
    }
    KnMove moves[game->max_moves];
    unsigned char after[game->position_size] __attribute__((aligned(16)));
    int mover = game->type->mover(game, position), count = game->type->moves(game, position, moves);
    for (int i = 0; i < count; i++) {
        double found[KN_ROLES_MAX];
        memcpy(after, position, game->position_size);
        game->type->play(game, after, moves[i]);
        selfish(game, after, found);
        bool better = i == 0 || found[mover] > payoffs[mover],
             equal = !better && found[mover] == payoffs[mover];
        for (int role = 0; role < game->roles; role++)
            if (better || (equal && found[role] < payoffs[role])) payoffs[role] = found[role];
    }
}

/* How many moves of the root are proved; each has its value. */
static int check_selfish(const World *world, const KnSearchResult *found, int mover)
{
    const KnGame *game = world->game;
    unsigned char after[game->position_size] __attribute__((aligned(16)));
    int exact = 0;
    for (int i = 0; i < found->root_count; i++) {
        if (found->root[i].bound != KN_BOUND_EXACT) continue;
        double payoffs[KN_ROLES_MAX];
        KnScore score = found->root[i].score;
        memcpy(after, world->position, game->position_size);
        game->type->play(game, after, found->root[i].move);
        selfish(game, after, payoffs);
        exact++;
        if (payoffs[mover] >= game->payoff_high)
            assert_true(score >= KN_SCORE_PROVEN);
        else if (payoffs[mover] <= game->payoff_low)
            assert_true(score <= -KN_SCORE_PROVEN);
        else
            assert_true(labs((long)score - kn_score_of_payoff(game, payoffs[mover], 1)) <= 1);
    }
    if (game->roles > 2) assert_int_equal(found->assumes, KN_ASSUMES_OWN_POINTS);
    return exact;
}

/* With more roles, or payoffs that are not opposed, nobody is forced to harm another: what is proved holds if
 * each role plays for its own points, and where it does not mind, it cannot be counted on. */
static void selfish_roles(void **state)
{
    (void)state;
    static const char *const kinds[] = {"general", "roles=3", "roles=4, general"};
    int exact = 0;
    for (int seed = 1; seed <= check_scaled(120); seed++) {
        char spec[80];
        snprintf(spec, sizeof spec, "toy(width=12, length=5, payoffs=3, seed=%d, %s)", seed, kinds[seed % 3]);
        World world = world_open(spec);
        int mover = world.game->type->mover(world.game, world.position);
        KnError error;
        KnSearchResult found;
        KnRng rng = kn_rng_seeded((uint64_t)seed);
        KnMctsSimultaneous *joint = joint_of(&world, 20000, 4 << 20, 0);
        KnSearchRequest ask = {.rng = &rng};
        check_ok(error, kn_mcts_simultaneous_run(joint, world.position, mover, &ask, &found, &error));
        exact += check_selfish(&world, &found, mover);
        kn_mcts_simultaneous_free(joint);
        KnMctsOptions options = kn_mcts_options();
        options.playouts = 20000;
        KnMcts *single = kn_mcts_new(world.game, NULL, &options, &error);
        assert_non_null(single);
        check_ok(error, kn_mcts_run(single, world.position, NULL, &ask, &found, &error));
        exact += check_selfish(&world, &found, mover);
        kn_mcts_free(single);
        world_close(&world);
    }
    assert_true(exact >= 2 * check_scaled(120));
}

/* Every move of the line can be made, by whoever has a choice, and the others have one move each. */
static int check_line(const World *world, const KnSearchResult *result)
{
    const KnGame *game = world->game;
    unsigned char at[game->position_size] __attribute__((aligned(16)));
    KnMove list[game->max_moves];
    int i = 0;
    memcpy(at, world->position, game->position_size);
    for (; i < result->pv_length && !kn_game_over(game, at); i++) {
        KnMove joint[KN_ROLES_MAX];
        bool found = false;
        for (int role = 0; role < game->roles; role++) {
            int count = kn_game_moves_of(game, at, role, list);
            joint[role] = count ? list[0] : KN_MOVE_NONE;
            for (int k = 0; k < count && (count > 1 || !found); k++)
                if (list[k] == result->pv[i]) joint[role] = list[k], found = true;
        }
        assert_true(found);
        kn_game_play_joint(game, at, joint);
    }
    assert_int_equal(i, result->pv_length);
    return i;
}

/* A game description is solved, in batches and singly; and what is known is kept for the next move. */
static void sheets_are_solved_and_remembered(void **state)
{
    (void)state;
    World world = world_open("gdl:tictactoe");
    KnError error;
    for (int batch = 1; batch <= 256; batch *= 16) {
        KnMctsSimultaneous *joint = joint_of(&world, 200000, 16 << 20, batch);
        KnRng rng = kn_rng_seeded(9);
        KnSearchResult result, again;
        check_ok(error, kn_mcts_simultaneous_run(joint, world.position, 0, &(KnSearchRequest){.rng = &rng},
                                                 &result, &error));
        assert_true(result.completed && result.score == 0 && result.solved > 500);
        assert_int_equal(check_line(&world, &result), 9);
        uint64_t first = result.nodes;
        check_ok(error, kn_mcts_simultaneous_run(joint, world.position, 0, &(KnSearchRequest){.rng = &rng},
                                                 &again, &error));
        assert_true(again.nodes == 0 && again.score == 0 && again.move == result.move);
        kn_mcts_simultaneous_clear(joint);
        rng = kn_rng_seeded(9);
        check_ok(error, kn_mcts_simultaneous_run(joint, world.position, 0, &(KnSearchRequest){.rng = &rng},
                                                 &again, &error));
        assert_true(again.nodes == first && again.move == result.move);
        kn_mcts_simultaneous_free(joint);
    }
    world_close(&world);
}

/* Many leaves in work at a time: every playout counts once on the way to the root, also when the tree is full
 * or the budget ends in the middle; moves that a search of one leaf at a time finds are found. */
static void leaves_in_work(void **state)
{
    (void)state;
    World world = world_open("gdl:connectfour");
    KnError error;
    static const struct {
        uint64_t playouts, nodes;
        size_t bytes;
    } rows[] = {{3000, 0, 16 << 20}, {0, 40000, 16 << 20}, {6000, 0, 100000}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        uint64_t nodes = 0;
        KnMove move = KN_MOVE_NONE;
        for (int again = 0; again < 2; again++) {
            KnMctsSimultaneous *joint = joint_of(&world, rows[row].playouts, rows[row].bytes, 256);
            KnRng rng = kn_rng_seeded(4);
            KnSearchResult result;
            check_ok(error, kn_mcts_simultaneous_run(
                                joint, world.position, 0,
                                &(KnSearchRequest){.rng = &rng, .budget = {.nodes = rows[row].nodes}},
                                &result, &error));
            uint64_t visits = 0;
            for (int i = 0; i < result.root_count; i++) visits += result.root[i].visits;
            assert_int_equal(visits, result.playouts);
            if (rows[row].playouts) assert_int_equal(result.playouts, rows[row].playouts);
            assert_int_equal(result.completed, rows[row].nodes == 0);
            assert_true(!again || (result.nodes == nodes && result.move == move));
            nodes = result.nodes;
            move = result.move;
            kn_mcts_simultaneous_free(joint);
        }
    }
    world_close(&world);
}

/* The visits of all moves of the root. */
static uint64_t visits_of(const KnSearchResult *result)
{
    uint64_t visits = 0;
    for (int i = 0; i < result->root_count; i++) visits += result->root[i].visits;
    return visits;
}

/* Searches with far more playouts than the tree has room for. What is proved stays right, and a tree of joint
 * moves keeps what lies below the next position, too. */
static void full_trees_make_room(void **state)
{
    (void)state;
    static const char *const games[] = {"gdl:connectfour", "gdl:bidding",
                                        "toy(width=12, length=6, payoffs=3)"};
    KnError error;
    for (int i = 0; i < 6; i++) {
        World world = world_open(games[i / 2]);
        KnMctsSimultaneous *joint = joint_of(&world, 12000, 1 << 18, i % 2 ? 64 : 1);
        KnRng rng = kn_rng_seeded(8);
        KnSearchResult result;
        check_ok(error, kn_mcts_simultaneous_run(joint, world.position, 0, &(KnSearchRequest){.rng = &rng},
                                                 &result, &error));
        assert_true(result.stored < 3000 && visits_of(&result) == result.playouts && result.depth > 0);
        KnMove moves[2] = {KN_MOVE_NONE, KN_MOVE_NONE}, list[64];
        for (int role = 0; role < 2; role++)
            if (kn_game_moves_of(world.game, world.position, role, list) > 0) moves[role] = list[0];
        if (kn_game_moves_of(world.game, world.position, 0, list) > 0) moves[0] = result.move;
        kn_game_play_joint(world.game, world.position, moves);
        kn_mcts_simultaneous_limit(joint, 1);
        int mover = kn_game_moves_of(world.game, world.position, 1, list) > 1 ? 1 : 0;
        check_ok(error, kn_mcts_simultaneous_run(joint, world.position, mover,
                                                 &(KnSearchRequest){.rng = &rng}, &result, &error));
        if (i < 4) assert_true(visits_of(&result) > (i < 2 ? 100 : 1));
        kn_mcts_simultaneous_free(joint);
        world_close(&world);
    }
}

/* A tree far too small for the game solves it all the same. */
static void small_trees_solve(void **state)
{
    (void)state;
    World world = world_open("gdl:tictactoe");
    KnError error;
    for (int batch = 1; batch <= 64; batch += 63) {
        KnMctsSimultaneous *joint = joint_of(&world, 400000, 1 << 18, batch);
        KnRng rng = kn_rng_seeded(2);
        KnSearchResult result;
        check_ok(error, kn_mcts_simultaneous_run(joint, world.position, 0, &(KnSearchRequest){.rng = &rng},
                                                 &result, &error));
        assert_true(result.stored < 2000 && result.playouts < 400000 && result.score == 0);
        kn_mcts_simultaneous_free(joint);
    }
    world_close(&world);
}

/* Both choose at once: what the other chose is not known, so that no choice of rock, paper, scissors stands
 * out as it would to one who is answered (who always loses). */
static void simultaneous_choices_are_hidden(void **state)
{
    (void)state;
    World world = world_open("gdl:roshambo");
    KnError error;
    KnMctsSimultaneousOptions options = kn_mcts_simultaneous_options();
    options.playouts = 3000;
    options.batch = 1;
    options.solve = false;
    KnMctsSimultaneous *joint = kn_mcts_simultaneous_new(world.game, &options, &error);
    assert_non_null(joint);
    KnRng rng = kn_rng_seeded(3);
    KnSearchResult result;
    check_ok(error, kn_mcts_simultaneous_run(joint, world.position, 0, &(KnSearchRequest){.rng = &rng},
                                             &result, &error));
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < result.root_count; i++) {
        assert_true(result.root[i].score > -KN_SCORE_PAYOFF / 2 && result.root[i].bound == KN_BOUND_NONE);
        if (result.root[i].visits < least) least = result.root[i].visits;
    }
    assert_true(least > 300);
    kn_mcts_simultaneous_free(joint);
    world_close(&world);
}

/* Three rounds of rock, paper, scissors are solved by backward induction, singly and in lanes: worth the half
 * to both, and each hand is played as often as the others. Of two that are allowed one is played. */
static void simultaneous_choices_are_solved(void **state)
{
    (void)state;
    World world = world_open("gdl:roshambo");
    KnError error;
    KnMctsSimultaneousOptions options = kn_mcts_simultaneous_options();
    options.bytes = 1 << 20;
    options.playouts = 20000;
    for (int run = 0; run < 2; run++) {
        int times[3] = {0}, games = 300;
        options.batch = run == 1 ? 64 : 1;
        KnMctsSimultaneous *joint = kn_mcts_simultaneous_new(world.game, &options, &error);
        assert_non_null(joint);
        KnMove moves[world.game->max_moves];
        assert_int_equal(kn_game_moves_of(world.game, world.position, 1, moves), 3);
        KnRng rng = kn_rng_seeded(3);
        KnSearchRequest request = {.rng = &rng};
        KnSearchResult result;
        for (int g = 0; g < games; g++) {
            check_ok(error, kn_mcts_simultaneous_run(joint, world.position, 1, &request, &result, &error));
            assert_true(result.completed && result.playouts < 20000 && result.solved > 0);
            assert_true(result.score == 0 && result.mixed);
            for (int i = 0; i < 3; i++) times[i] += result.move == moves[i];
        }
        assert_int_equal(times[0] + times[1] + times[2], games);
        for (int i = 0; i < 3; i++) assert_in_range(times[i], 67, 133); /* 100, and four standard errors */
        kn_mcts_simultaneous_clear(joint);
        request.allowed = moves;
        request.allowed_count = 2;
        for (int g = 0; g < 30; g++) {
            check_ok(error, kn_mcts_simultaneous_run(joint, world.position, 1, &request, &result, &error));
            assert_true(result.move == moves[0] || result.move == moves[1]);
        }
        kn_mcts_simultaneous_free(joint);
    }
    world_close(&world);
}

/* What the first role can be sure of, in the mean, by trying everything. */
static double value_of(const KnGame *game, const unsigned char *position)
{
    KnMove moves[2][8], joint[2];
    unsigned char after[game->position_size] __attribute__((aligned(16)));
    double entries[64], value, payoffs[2];
    int count[2];
    if (kn_game_over(game, position)) {
        game->type->payoffs(game, position, payoffs);
        return payoffs[0];
    }
    for (int role = 0; role < 2; role++) count[role] = kn_game_moves_of(game, position, role, moves[role]);
    for (int i = 0; i < count[0]; i++)
        for (int j = 0; j < count[1]; j++) {
            memcpy(after, position, game->position_size);
            joint[0] = moves[0][i], joint[1] = moves[1][j];
            kn_game_play_joint(game, after, joint);
            entries[i * count[1] + j] = value_of(game, after);
        }
    assert_true(kn_matrix_game_solve(&(KnMatrixGame){count[0], count[1], entries}, &value, NULL, NULL));
    return value;
}

/* What is proved of positions after one or two random steps is what comes of trying everything, to both;
 * most are proved. */
static void simultaneous_proofs_are_true(void **state)
{
    (void)state;
    static const char *const games[] = {"gdl:bidding", "gdl:roshambo"};
    enum { MOST = 200000 };
    int mixed = 0, proved = 0, tries = 4 + (int)check_scaled(10);
    for (int seed = 1; seed <= tries; seed++) {
        World world = world_open(games[seed % 2]);
        const KnGame *game = world.game;
        KnError error;
        KnMctsSimultaneous *joint = joint_of(&world, MOST, 4 << 20, 1);
        KnRng rng = kn_rng_seeded((uint64_t)seed);
        for (int step = seed / 2 % 2; step < 2; step++) {
            KnMove list[8], moves[2];
            for (int role = 0; role < 2; role++)
                moves[role] =
                    list[kn_rng_below(&rng, (uint32_t)kn_game_moves_of(game, world.position, role, list))];
            kn_game_play_joint(game, world.position, moves);
        }
        double truth = value_of(game, world.position);
        for (int role = 0; role < 2; role++) {
            KnSearchResult result;
            check_ok(error, kn_mcts_simultaneous_run(joint, world.position, role,
                                                     &(KnSearchRequest){.rng = &rng}, &result, &error));
            if (result.playouts == MOST) continue;
            proved++;
            mixed += result.mixed;
            double payoff = role ? 100 - truth : truth, percent = 50 + 50.0 * result.score / KN_SCORE_PAYOFF;
            if (abs(result.score) > KN_SCORE_PROVEN) percent = result.score > 0 ? 100 : 0;
            if (fabs(percent - payoff) > 1e-3)
                fail_msg("seed %d, role %d: proved %g, but it is %g", seed, role, percent, payoff);
        }
        kn_mcts_simultaneous_free(joint);
        world_close(&world);
    }
    if (!mixed || proved <= tries) fail_msg("%d mixed, %d proved of %d", mixed, proved, 2 * tries);
}

/* Where every end of the game was met, but no choice is proved since both choose at once and their payoffs
 * are not opposed, the playouts that were asked for are made all the same: in lanes, too, which then find
 * proved leaves alone. */
static void known_ends_count(void **state)
{
    (void)state;
    World world = world_open("gdl:dilemma");
    KnError error;
    for (int batch = 1; batch <= 64; batch += 63) {
        KnMctsSimultaneous *joint = joint_of(&world, 20000, 16 << 20, batch);
        KnRng rng = kn_rng_seeded(3);
        KnSearchResult result;
        check_ok(error, kn_mcts_simultaneous_run(joint, world.position, 0, &(KnSearchRequest){.rng = &rng},
                                                 &result, &error));
        assert_int_equal(result.playouts, 20000);
        assert_int_equal(visits_of(&result), 20000);
        kn_mcts_simultaneous_free(joint);
    }
    world_close(&world);
}

/* Chance: proved means, as minimax has them. */
static void chance_is_averaged(void **state)
{
    (void)state;
    long same = 0;
    for (int seed = 1; seed <= 20; seed++) {
        char spec[64];
        snprintf(spec, sizeof spec, "toy(roles=2, nature, width=6, length=4, payoffs=5, seed=%d)", seed);
        World world = world_open(spec);
        KnError error;
        KnEvaluation *zero;
        check_ok(error, kn_evaluation_open_text(world.context, world.game, "zero", &zero, &error));
        KnMinimax *minimax = kn_minimax_new(world.game, zero, false, &error);
        KnMctsSimultaneous *joint = joint_of(&world, 30000, 4 << 20, 0);
        KnRng rng = kn_rng_seeded((uint64_t)seed);
        int mover = world.game->type->mover(world.game, world.position);
        KnSearchResult truth, found;
        if (mover != world.game->nature) {
            check_ok(error,
                     kn_minimax_run(minimax, world.position, NULL, &(KnSearchRequest){0}, &truth, &error));
            check_ok(error, kn_mcts_simultaneous_run(joint, world.position, mover,
                                                     &(KnSearchRequest){.rng = &rng}, &found, &error));
            /* One role besides nature, or its opponent: the sampled move is never worse than the best by more
             * than chance. */
            for (int i = 0; i < truth.root_count; i++)
                if (truth.root[i].move == found.move)
                    same += truth.root[i].score >= truth.score - KN_SCORE_PAYOFF / 10;
        } else
            same++;
        kn_mcts_simultaneous_free(joint);
        kn_minimax_free(minimax);
        kn_evaluation_close(zero);
        world_close(&world);
    }
    assert_true(same >= 16);
}

/* Out of memory the tree grows no more; restricted to some moves it chooses among them; node budgets are
 * kept. */
static void bounds_hold(void **state)
{
    (void)state;
    World world = world_open("gdl:breakthrough");
    KnError error;
    KnMctsSimultaneous *joint = joint_of(&world, 0, 1 << 20, 1);
    KnRng rng = kn_rng_seeded(5);
    KnMove moves[world.game->max_moves];
    int count = kn_game_moves_of(world.game, world.position, 0, moves);
    KnSearchRequest request = {
        .rng = &rng, .allowed = moves + count - 2, .allowed_count = 2, .budget = {.nodes = 200000}};
    KnSearchResult result;
    check_ok(error, kn_mcts_simultaneous_run(joint, world.position, 0, &request, &result, &error));
    assert_true(result.move == moves[count - 1] || result.move == moves[count - 2]);
    assert_true(result.root[0].visits > 0 && result.root[1].visits > 0);
    assert_true(result.stop == KN_STOP_NODES && result.nodes < 200000 + 1000 && result.stored < 4000);
    request.allowed = &(KnMove){12345678};
    request.allowed_count = 1;
    check_fails(error, KN_INPUT, "not legal",
                kn_mcts_simultaneous_run(joint, world.position, 0, &request, &result, &error));
    check_fails(
        error, KN_USAGE, "needs a limit",
        kn_mcts_simultaneous_run(joint, world.position, 0, &(KnSearchRequest){.rng = &rng}, &result, &error));
    check_fails(error, KN_USAGE, "generator",
                kn_mcts_simultaneous_run(joint, world.position, 0, &(KnSearchRequest){0}, &result, &error));
    kn_mcts_simultaneous_free(joint);
    world_close(&world);
    world = world_open("checkers");
    KnMctsSimultaneousOptions options = kn_mcts_simultaneous_options();
    assert_null(kn_mcts_simultaneous_new(world.game, &options, &error));
    assert_non_null(strstr(error.text, "look back"));
    world_close(&world);
}

/* An evaluation that depends on nothing but the position. */
static KnScore drawn_for(const KnEvaluation *self, const void *position, int role)
{
    uint64_t hash = kn_mix64(self->game->type->hash(self->game, position));
    double value = (double)(hash >> 11) * 0x1p-53;
    return kn_score_of_percent(100 * (role ? 1 - value : value));
}

/* With an evaluation, a move that was tried once is worth what it says of the position behind it, whether
 * leaves are made singly or in lanes; nothing counts as the end of the game. */
static void evaluations_replace_playouts(void **state)
{
    (void)state;
    World world = world_open("gdl:breakthrough");
    const KnGame *game = world.game;
    KnError error;
    KnEvaluation judge = {.game = game, .score_for = drawn_for, .payoffs = true};
    unsigned char after[game->position_size] __attribute__((aligned(16)));
    for (int batch = 1; batch <= 256; batch += 255) {
        KnMove moves[game->max_moves], waits[game->max_moves];
        int count = kn_game_moves_of(game, world.position, 0, moves);
        assert_int_equal(kn_game_moves_of(game, world.position, 1, waits), 1);
        KnMctsSimultaneous *joint = joint_of(&world, (uint64_t)count, 16 << 20, batch);
        KnRng rng = kn_rng_seeded(4);
        KnSearchResult result;
        kn_mcts_simultaneous_judge(joint, &judge);
        check_ok(error, kn_mcts_simultaneous_run(joint, world.position, 0, &(KnSearchRequest){.rng = &rng},
                                                 &result, &error));
        assert_int_equal(result.root_count, count);
        for (int i = 0; i < count; i++) {
            memcpy(after, world.position, game->position_size);
            kn_game_play_joint(game, after, (KnMove[]){result.root[i].move, waits[0]});
            assert_int_equal(result.root[i].visits, 1);
            double gap = (double)result.root[i].score - (double)drawn_for(&judge, after, 0);
            if (fabs(gap) > 2) fail_msg("move %d is worth %g too much", i, gap);
        }
        assert_true(result.playouts == 0 && result.solved == 0);
        kn_mcts_simultaneous_limit(joint, 3000); /* deeper, with leaves met again */
        check_ok(error, kn_mcts_simultaneous_run(joint, world.position, 0, &(KnSearchRequest){.rng = &rng},
                                                 &result, &error));
        assert_true(result.playouts == 0 && result.solved == 0 && result.stored > 1000);
        kn_mcts_simultaneous_judge(joint, NULL);
        check_ok(error, kn_mcts_simultaneous_run(joint, world.position, 0, &(KnSearchRequest){.rng = &rng},
                                                 &result, &error));
        assert_int_equal(result.playouts, 3000);
        kn_mcts_simultaneous_free(joint);
    }
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(proofs_agree_with_minimax),
                                       cmocka_unit_test(selfish_roles),
                                       cmocka_unit_test(sheets_are_solved_and_remembered),
                                       cmocka_unit_test(leaves_in_work),
                                       cmocka_unit_test(evaluations_replace_playouts),
                                       cmocka_unit_test(full_trees_make_room),
                                       cmocka_unit_test(small_trees_solve),
                                       cmocka_unit_test(simultaneous_choices_are_hidden),
                                       cmocka_unit_test(simultaneous_choices_are_solved),
                                       cmocka_unit_test(simultaneous_proofs_are_true),
                                       cmocka_unit_test(known_ends_count),
                                       cmocka_unit_test(chance_is_averaged),
                                       cmocka_unit_test(bounds_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
