/* Proof search on captures of Go: the sets of defences are complete, the definitions are sound, and proofs
 * hold. */
#include "support/check.h"

#include <string.h>

#include <knack/base.h>
#include "games/go/capture_zone.h"
#include "methods/widening/capture_solver.h"
#include "support/boards.h"
#include "support/goals.h"

/* ---- Positions: stones from random games, with a string to capture ---- */

static void random_position(const KnGame *game, KnRng *rng, void *position)
{
    uint32_t plies = 6 + kn_rng_below(rng, (uint32_t)game->cells);
    game->type->start(game, position);
    for (uint32_t i = 0; i < plies; i++) {
        KnMove moves[game->max_moves];
        int count = game->type->moves(game, position, moves);
        if (count < 2) break;
        KnMove move = moves[kn_rng_below(rng, (uint32_t)count)];
        if (move != KN_GO_PASS) game->type->play(game, position, move);
    }
}

/* Calls `visit` with every string of at most `liberties` liberties, of many positions. */
static int each_target(const char *spec, uint64_t seed, long positions, int liberties,
                       void (*visit)(KnCapture *capture, KnRng *rng))
{
    KnGame *game = test_game(spec);
    int visited = 0;
    for (long n = 0; n < positions; n++) {
        KnRng rng = kn_rng_stream(seed, (uint64_t)n);
        _Alignas(16) unsigned char position[game->position_size];
        random_position(game, &rng, position);
        for (int cell = 0; cell < game->cells; cell++) {
            KnError error;
            KnCapture *capture;
            if (!game->type->cell(game, position, cell)) continue;
            check_ok(error, kn_capture_open(game, position, cell, &capture, &error));
            capture->kind = kn_rng_below(&rng, 3) ? KN_CAPTURE_LASTING : KN_CAPTURE_FIRST;
            if (capture->strings->head[capture->target] == capture->target &&
                capture->goal.type->needs(&capture->goal) <= liberties) {
                visit(capture, &rng);
                visited++;
            }
            kn_capture_free(capture);
        }
    }
    test_game_close(game);
    return visited;
}

/* ---- Complete sets ---- */

static int complete_k, threatened;

static void check_complete(KnCapture *capture, KnRng *rng)
{
    (void)rng;
    kn_capture_turn(capture, false);
    threatened += test_defences_complete(&capture->goal, complete_k, "captures");
}

static void test_sets_are_complete(void **state)
{
    (void)state;
    static const long positions[] = {0, 400, 250, 25};
    for (complete_k = 1; complete_k <= KN_GOAL_THREATS; complete_k++) {
        threatened = 0;
        each_target("go(7, superko=none)", 31, check_scaled(positions[complete_k]), complete_k,
                    check_complete);
        each_target("go(9, superko=none)", 32, check_scaled(positions[complete_k] / 2), complete_k,
                    check_complete);
        assert_true(threatened > 0);
    }
}

/* ---- The definitions against all moves ---- */

static int defined, missed;

/* What the definitions say is so; and gi2 on two liberties is exact. */
static void check_definitions(KnCapture *capture, KnRng *rng)
{
    (void)rng;
    KnGoal *goal = &capture->goal;
    KnGoalCount played = {0};
    for (int k = 1; k <= KN_GOAL_THREATS; k++) {
        kn_capture_turn(capture, true);
        bool gi = kn_proof_gi(goal, k, &played), wins = (gi || k < 3) && test_attack_wins(goal, k);
        if (gi && !wins) fail_msg("gi%d holds, but there is a defence", k);
        if (k < 3 && goal->type->needs(goal) == k) assert_int_equal(gi, wins);
        kn_capture_turn(capture, false);
        bool g = kn_proof_g(goal, k, &played);
        if (g && !test_defence_fails(goal, k)) fail_msg("g%d holds, but there is a defence", k);
        defined += gi + g;
        missed += wins && !gi;
    }
}

static void test_definitions(void **state)
{
    (void)state;
    defined = 0;
    each_target("go(4, superko=none)", 41, check_scaled(200), 3, check_definitions);
    each_target("go(5, superko=none)", 42, check_scaled(40), 3, check_definitions);
    assert_true(defined > 20);
}

/* ---- Escapes in one move ---- */

static int escapes, pressed, parried;

/* The goal is lost after some move of the defender, who is to move; or, if life counts, the target lives. */
static bool some_escape(KnGoal *goal, bool life)
{
    int moves[KN_GOAL_MOVES_MAX], count = goal->type->legal(goal, moves);
    bool any = false;
    KnZone zone;
    moves[count++] = KN_GOAL_PASS;
    for (int i = 0; i < count && !any; i++) {
        assert_true(goal->type->play(goal, moves[i]));
        any = goal->type->standing(goal) == KN_GOAL_LOST ||
              (life && kn_capture_life((const KnCapture *)(const void *)goal, &zone) == KN_CAPTURE_ALIVE);
        goal->type->undo(goal);
    }
    return any;
}

/* After every move of the attacker that is not among the parries, pass included, the defender gets away. */
static void check_parries(KnGoal *goal, const int *parries, int count)
{
    int moves[KN_GOAL_MOVES_MAX], all = goal->type->legal(goal, moves);
    moves[all++] = KN_GOAL_PASS;
    for (int i = 0; i < all; i++) {
        bool listed = false;
        for (int j = 0; j < count; j++) listed |= parries[j] == moves[i];
        if (listed) continue;
        assert_true(goal->type->play(goal, moves[i]));
        assert_int_equal(goal->type->standing(goal), KN_GOAL_OPEN);
        assert_true(some_escape(goal, true));
        goal->type->undo(goal);
    }
    pressed += all, parried += count;
}

/* The same wherever the board differs outside of the zone: here by stones of the attacker. */
static void check_escape(KnCapture *capture, KnRng *rng)
{
    KnGoal *goal = &capture->goal;
    KnZone zone = {{0}};
    int parries[KN_GOAL_MOVES_MAX], moves[KN_GOAL_MOVES_MAX];
    capture->limit = 2 + (int)kn_rng_below(rng, 4);
    if (goal->type->standing(goal) != KN_GOAL_OPEN) return;
    kn_capture_turn(capture, false);
    int move = goal->type->escape(goal, &zone);
    assert_int_equal(move >= 0, some_escape(goal, false));
    if (move < 0) return;
    escapes++;
    assert_true(goal->type->play(goal, move));
    assert_int_equal(goal->type->standing(goal), KN_GOAL_LOST);
    goal->type->undo(goal);
    kn_capture_turn(capture, true);
    memset(&zone, 0, sizeof zone);
    int count = goal->type->parries(goal, parries, &zone);
    if (count < 0) {
        assert_int_equal(goal->type->needs(goal), 1);
        return;
    }
    check_parries(goal, parries, count);
    goal->type->depends_elsewhere(goal, &zone);
    int all = goal->type->legal(goal, moves), played = 0;
    for (int i = 0; i < all; i++) {
        if (kn_zone_has(&zone, moves[i]) || goal->type->place(goal, moves[i]) != KN_PLACE_LEGAL ||
            kn_rng_below(rng, 2))
            continue;
        assert_true(goal->type->play(goal, moves[i]) && goal->type->play(goal, KN_GOAL_PASS));
        check_parries(goal, parries, count);
        played++;
    }
    while (played-- > 0) goal->type->undo(goal), goal->type->undo(goal);
}

static void test_escapes(void **state)
{
    (void)state;
    each_target("go(5, superko=none)", 45, check_scaled(120), 5, check_escape);
    each_target("go(7, superko=none)", 46, check_scaled(60), 5, check_escape);
    assert_true(escapes > 20 && parried > 20 && parried < pressed / 2);
}

/* ---- Whole searches: every proof is played out against all replies ---- */

static KnProofSearch *search;
static int decided[2];

static void play_out(KnGoal *goal, KnProofVerdict verdict, int ply, KnRng *rng)
{
    KnGoalStanding standing = goal->type->standing(goal);
    if (standing != KN_GOAL_OPEN) {
        assert_int_equal(standing, verdict == KN_PROVED ? KN_GOAL_REACHED : KN_GOAL_LOST);
        return;
    }
    if (ply > 40) return; /* a ko may go round and round */
    int moves[KN_GOAL_MOVES_MAX], count;
    if (goal->attacking == (verdict == KN_PROVED)) { /* the prover */
        KnProofAnswer answer;
        kn_proof_run(search, goal, &answer);
        if (answer.verdict != verdict) fail_msg("ply %d: proved before, now %d", ply, answer.verdict);
        moves[0] = answer.move, count = 1;
    } else {
        count = goal->type->legal(goal, moves);
        moves[count++] = KN_GOAL_PASS;
        for (int keep = ply < 2 ? count : ply < 5 ? 3 : 1; count > keep;)
            moves[kn_rng_below(rng, (uint32_t)count)] = moves[count - 1], count--;
    }
    for (int i = 0; i < count; i++) {
        assert_true(goal->type->play(goal, moves[i]));
        play_out(goal, verdict, ply + 1, rng);
        goal->type->undo(goal);
    }
}

static void check_proof(KnCapture *capture, KnRng *rng)
{
    if (kn_rng_below(rng, 3)) return;
    kn_capture_turn(capture, kn_rng_below(rng, 2));
    KnProofAnswer answer;
    kn_proof_run(search, &capture->goal, &answer);
    if (answer.verdict == KN_UNPROVED || answer.ko) return;
    decided[answer.verdict > 0]++;
    uint64_t before = capture->strings->hash;
    play_out(&capture->goal, answer.verdict, 0, rng);
    assert_true(before == capture->strings->hash);
}

static void test_proofs_hold(void **state)
{
    (void)state;
    for (int strategy = 1; strategy <= KN_PROOF_STRATEGIES; strategy += 3) { /* 1, 4, 7, 10 */
        KnProofOptions options = {.strategy = strategy, .nodes = 20000, .table_bits = 12};
        KnError error;
        check_ok(error, kn_proof_new(&options, &search, &error));
        decided[0] = decided[1] = 0;
        each_target("go(6, superko=none)", 51, strategy == KN_PROOF_BOTH_SIDES ? 20 : 6, 5, check_proof);
        assert_true(decided[1] > 0);
        if (strategy == KN_PROOF_BOTH_SIDES)
            assert_true(decided[0] > 0);
        else
            assert_int_equal(decided[0], 0); /* their sets prove captures only */
        kn_proof_free(search);
    }
}

/* ---- Defences tested as a whole set, or lazily ---- */

static KnProofSearch *wholly, *singly;
static uint64_t taken[2];
static int agreed;

/* Both ways give the same answer; "lost" within a widening is never an answer. */
static void check_singly(KnCapture *capture, KnRng *rng)
{
    KnProofAnswer whole, single;
    if (kn_rng_below(rng, 4)) return;
    kn_capture_turn(capture, kn_rng_below(rng, 2));
    kn_proof_run(wholly, &capture->goal, &whole);
    kn_proof_run(singly, &capture->goal, &single);
    assert_true(capture->goal.type->standing(&capture->goal) != KN_GOAL_OPEN ||
                (whole.verdict != KN_DISPROVED && single.verdict != KN_DISPROVED));
    if (whole.nodes > 100000 || single.nodes > 100000) return; /* stopped by the node limit */
    assert_int_equal(whole.verdict, single.verdict);
    assert_true(whole.tree <= whole.nodes + 2 * 40 && whole.least <= whole.tree);
    taken[0] += whole.nodes, taken[1] += single.nodes;
    agreed += whole.verdict == KN_PROVED;
}

static void test_singly(void **state)
{
    (void)state;
    KnProofOptions options = {.strategy = 3, .nodes = 100000, .table_bits = 14};
    KnError error;
    check_ok(error, kn_proof_new(&options, &wholly, &error));
    options.lazy = true;
    check_ok(error, kn_proof_new(&options, &singly, &error));
    each_target("go(7, superko=none)", 55, 12, 4, check_singly);
    assert_true(agreed > 10 && taken[1] < taken[0]);
    kn_proof_free(wholly);
    kn_proof_free(singly);
}

/* A run with a looser limit after one with a tighter limit, whose proofs it keeps: the same answers as a
 * fresh search with the looser limit. A capture stays one, and some escapes end. */
static int kept, turned;

static void check_loosened(KnCapture *capture, KnRng *rng)
{
    KnProofAnswer tight, loose, fresh;
    int limit = capture->limit;
    kn_capture_turn(capture, kn_rng_below(rng, 2));
    capture->limit = 3;
    kn_proof_run(wholly, &capture->goal, &tight);
    capture->limit = 4;
    kn_proof_run_loosened(wholly, &capture->goal, &loose);
    kn_proof_run(singly, &capture->goal, &fresh);
    capture->limit = limit;
    if (loose.verdict && fresh.verdict) assert_int_equal(loose.verdict, fresh.verdict);
    if (tight.verdict == KN_PROVED) assert_int_equal(loose.verdict, KN_PROVED);
    kept += tight.verdict == KN_DISPROVED && loose.verdict == KN_DISPROVED;
    turned += tight.verdict == KN_DISPROVED && loose.verdict == KN_PROVED;
}

static void test_loosened(void **state)
{
    (void)state;
    KnProofOptions options = {.nodes = 3000, .table_bits = 12};
    KnError error;
    check_ok(error, kn_proof_new(&options, &wholly, &error));
    check_ok(error, kn_proof_new(&options, &singly, &error));
    each_target("go(5, superko=none)", 57, 20, 6, check_loosened);
    assert_true(kept > 0 && turned > 0);
    kn_proof_free(wholly);
    kn_proof_free(singly);
}

/* Without a threat against the target a widening ends immediately, and that disproves nothing. */
static void test_lost(void **state)
{
    (void)state;
    KnGame *game = test_game("go(7, superko=none)");
    _Alignas(16) unsigned char position[game->position_size];
    test_position(game, "......./......./..o..../......./......./......./....... b", position);
    for (int strategy = 1; strategy < KN_PROOF_BRUTE_FORCE; strategy++) {
        KnProofOptions options = {.strategy = strategy, .nodes = 100000, .table_bits = 10};
        KnError error;
        KnCapture *capture;
        KnProofAnswer answer;
        check_ok(error, kn_proof_new(&options, &search, &error));
        check_ok(error, kn_capture_open(game, position, 2 * 7 + 2, &capture, &error));
        kn_proof_run(search, &capture->goal, &answer);
        assert_int_equal(answer.verdict, KN_UNPROVED);
        assert_true(answer.nodes < 2000 && answer.depth < 10);
        kn_capture_free(capture);
        kn_proof_free(search);
    }
    test_game_close(game);
}

/* The defender first, until a widening leaves him a move: a legal one that the first step cannot refute,
 * found with no more positions, and no proof. */
static int saved, fewer;

static void check_saved(KnCapture *capture, KnRng *rng)
{
    KnGoal *goal = &capture->goal;
    KnProofAnswer through, until, after;
    if (kn_rng_below(rng, 3)) return;
    kn_capture_turn(capture, false);
    kn_proof_run(wholly, goal, &through);
    kn_proof_run(singly, goal, &until);
    assert_true(until.nodes <= through.nodes &&
                (until.verdict == KN_PROVED) <= (through.verdict == KN_PROVED));
    if (until.verdict != KN_UNPROVED || until.move == KN_GOAL_PASS) return;
    assert_int_equal(goal->type->place(goal, until.move), KN_PLACE_LEGAL);
    assert_true(goal->type->play(goal, until.move));
    kn_proof_run(search, goal, &after);
    if (until.step == 1) assert_true(after.step != 1 || after.verdict != KN_PROVED);
    goal->type->undo(goal);
    saved++, fewer += until.nodes < through.nodes;
}

static void test_until_saved(void **state)
{
    (void)state;
    KnProofOptions options = {.strategy = 3, .nodes = 50000, .table_bits = 14};
    KnError error;
    check_ok(error, kn_proof_new(&options, &wholly, &error));
    check_ok(error, kn_proof_new(&options, &search, &error));
    options.until_saved = true;
    check_ok(error, kn_proof_new(&options, &singly, &error));
    each_target("go(7, superko=none)", 56, 12, 3, check_saved);
    assert_true(saved > 10 && fewer > 0);
    kn_proof_free(wholly);
    kn_proof_free(singly);
    kn_proof_free(search);
}

/* ---- Strategy 10 against all that can be played ---- */

enum { MEMO = 1 << 20, ORACLE_MOVES = 8, ORACLE_LONG = 40 };
typedef struct Memo {
    uint64_t key;
    int wins, fails; /* the capture succeeds within `wins` moves; it does not within `fails` */
} Memo;
static Memo memo[MEMO];

/* The attacker captures within k more moves of his own, whatever the defender does. */
static bool oracle(KnGoal *goal, int k)
{
    KnGoalStanding standing = goal->type->standing(goal);
    if (standing != KN_GOAL_OPEN) return standing == KN_GOAL_REACHED;
    if (goal->type->needs(goal) > k) return false;
    uint64_t key = goal->type->hash(goal);
    Memo *known = &memo[key % MEMO];
    if (known->key != key) *known = (Memo){key, INT32_MAX, -1};
    if (k >= known->wins || k <= known->fails) return k >= known->wins;
    int moves[KN_GOAL_MOVES_MAX], count = goal->type->legal(goal, moves);
    moves[count++] = KN_GOAL_PASS;
    bool attacking = goal->attacking, wins = !attacking;
    for (int i = 0; i < count && wins != attacking; i++) {
        assert_true(goal->type->play(goal, moves[i]));
        wins = oracle(goal, k - attacking);
        goal->type->undo(goal);
    }
    if (known->key != key) *known = (Memo){key, INT32_MAX, -1};
    if (wins && k < known->wins) known->wins = k;
    if (!wins && k > known->fails) known->fails = k;
    return wins;
}

static void check_oracle(KnCapture *capture, KnRng *rng)
{
    KnProofAnswer answer;
    int empty = 0;
    for (int i = 0; i < KN_STRINGS_POINTS; i++) empty += capture->strings->colour[i] == KN_STONE_NONE;
    if (empty > 8) return;
    kn_capture_turn(capture, kn_rng_below(rng, 2));
    capture->limit =
        2 +
        (int)kn_rng_below(rng, 4); /* on so small a board few strings would otherwise be safe by liberties */
    if (kn_rng_below(rng, 3) == 0) /* with ko threats, counted or always */
        capture->threats[1 + kn_rng_below(rng, 2)] = kn_rng_below(rng, 2) ? KN_CAPTURE_ALWAYS
                                                                          : 1 + (int)kn_rng_below(rng, 2);
    memset(memo, 0, sizeof memo);
    kn_proof_run(search, &capture->goal, &answer);
    decided[0] += answer.verdict == KN_DISPROVED, decided[1] += answer.verdict == KN_PROVED;
    bool wins = false;
    for (int k = 1; k <= (answer.verdict == KN_PROVED ? ORACLE_LONG : ORACLE_MOVES) && !wins; k++)
        wins = oracle(&capture->goal, k);
    if (wins && answer.verdict == KN_DISPROVED) fail_msg("disproved, but it can be captured");
    if (!wins && answer.verdict == KN_PROVED) fail_msg("proved, but there is no way to capture it");
}

static void test_against_all_moves(void **state)
{
    (void)state;
    KnProofOptions options = {.strategy = KN_PROOF_BOTH_SIDES, .nodes = 20000, .table_bits = 10};
    KnError error;
    check_ok(error, kn_proof_new(&options, &search, &error));
    decided[0] = decided[1] = 0;
    each_target("go(3, superko=none)", 61, check_scaled(40), 5, check_oracle);
    each_target("go(4, superko=none)", 62, check_scaled(30), 5, check_oracle);
    assert_true(decided[0] > 5 && decided[1] > 5);
    kn_proof_free(search);
}

/* ---- Known problems ---- */

static const struct {
    const char *spec, *position, *target;
    bool attack;
    int answer;
    const char *move; /* NULL: any */
} scenes[] = {
    /* a net: the stone cannot run */
    {"go(7, superko=none)", "......./..x..../..ox.../..x..../......./......./....... b", "C5", true, 1, "B5"},
    {"go(7, superko=none)", "......./..xx.../.xo..../..xx.../......./......./....... b", "C5", true, 1, NULL},
    {"go(7, superko=none)", "......./......./..o..../......./......./......./....... b", "C5", true, -1,
     NULL},
    {"go(7, superko=none)", "......./..xx.../.xo..../..xx.../......./......./....... w", "C5", false, 0,
     NULL},
    /* a ladder across the board, and one with a stone in its way */
    {"go(9, superko=none)",
     "........./..x....../.xo....../..x....../........./........./........./........./......... b", "C7",
     true, 1, NULL},
    /* saved by taking what surrounds a neighbour, which the target does not touch */
    {"go(9, superko=none)",
     "x..oo..../x.xoox.../xxoxxx.../ooox...../........./........./........./........./......... b", "A8",
     false, 1, NULL},
};

static void test_scenes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        KnGame *game = test_game(scenes[i].spec);
        _Alignas(16) unsigned char position[game->position_size];
        test_position(game, scenes[i].position, position);
        int size = kn_go_size(game);
        KnCaptureProblem problem = {.id = "scene",
                                    .game = game,
                                    .position = position,
                                    .attack = scenes[i].attack,
                                    .target = (size - (scenes[i].target[1] - '0')) * size +
                                              scenes[i].target[0] - 'A'};
        KnProofOptions options = {.nodes = 30000};
        KnError error;
        KnCaptureSolution captured;
        check_ok(error, kn_proof_new(&options, &search, &error));
        check_ok(error, kn_capture_solve(search, &problem, &captured, &error));
        if (scenes[i].answer && captured.answer != scenes[i].answer)
            fail_msg("scene %zu: %d", i, captured.answer);
        if (scenes[i].move)
            assert_string_equal(test_move_text(game, position, captured.move), scenes[i].move);
        kn_proof_free(search);
        test_game_close(game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sets_are_complete),
                                       cmocka_unit_test(test_definitions),
                                       cmocka_unit_test(test_escapes),
                                       cmocka_unit_test(test_proofs_hold),
                                       cmocka_unit_test(test_singly),
                                       cmocka_unit_test(test_loosened),
                                       cmocka_unit_test(test_lost),
                                       cmocka_unit_test(test_until_saved),
                                       cmocka_unit_test(test_against_all_moves),
                                       cmocka_unit_test(test_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
