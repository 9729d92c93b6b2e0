/* One suite for every game: random contests in which each promise of games/game.h is checked. */
#include "support/check.h"
#include "support/instances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "games/contest.h"

enum { PLIES = 160 }; /* of endless games */

/* What a check works on: the contest so far, with room for other positions and move lists beside it. */
typedef struct Bench {
    const KnGame *game;
    KnContest *contest;
    KnRng rng;
    void *a, *b, *c;
    KnMove *moves, *others;
} Bench;

static void *room(const KnGame *game) { return aligned_alloc(16, (game->position_size + 15) & ~(size_t)15); }

static Bench bench_open(const KnGame *game, uint64_t seed)
{
    return (Bench){game,
                   kn_contest_new(game),
                   kn_rng_seeded(seed),
                   room(game),
                   room(game),
                   room(game),
                   calloc((size_t)game->max_moves, sizeof(KnMove)),
                   calloc((size_t)game->max_moves, sizeof(KnMove))};
}

static void bench_close(Bench *bench)
{
    kn_contest_free(bench->contest);
    free(bench->a);
    free(bench->b);
    free(bench->c);
    free(bench->moves);
    free(bench->others);
}

/* A random legal joint move at the contest's position. */
static void random_joint(Bench *bench, KnMove *joint)
{
    for (int role = 0; role < bench->game->roles; role++) {
        int count = kn_contest_moves(bench->contest, role, bench->moves);
        joint[role] = count ? bench->moves[kn_rng_below(&bench->rng, (uint32_t)count)] : KN_MOVE_NONE;
    }
}

/* Plays random contests and calls check before each move and at the end. */
static void walk(const KnGame *game, int contests, void (*check)(Bench *bench))
{
    Bench bench = bench_open(game, 1);
    contests = (int)check_scaled(contests);
    for (int i = 0; i < contests; i++) {
        kn_contest_reset(bench.contest, NULL);
        for (int ply = 0;; ply++) {
            check(&bench);
            if (kn_contest_over(bench.contest, NULL)) break;
            if (ply == PLIES && game->traits & KN_GAME_ENDLESS) break;
            if (ply == 20000)
                fail_msg("%s: a contest went on for %d plies without the ENDLESS trait", game->spec, ply);
            KnMove joint[KN_ROLES_MAX];
            random_joint(&bench, joint);
            KnError error;
            check_ok(error, kn_contest_play_joint(bench.contest, joint, &error));
        }
    }
    bench_close(&bench);
}

static int compare_moves(const void *a, const void *b)
{
    KnMove x = *(const KnMove *)a, y = *(const KnMove *)b;
    return (x > y) - (x < y);
}

static int legal(const Bench *bench, const void *position, int role, KnMove *moves)
{
    int count = kn_game_moves_of(bench->game, position, role, moves);
    if (count < 0 || count > bench->game->max_moves)
        fail_msg("%s: %d moves, max_moves is %d", bench->game->spec, count, bench->game->max_moves);
    return count;
}

/* Sizes, traits and names that every instance must declare. */
static void instance_is_declared(const KnGame *game)
{
    assert_in_range(game->position_size, 1, 1 << 20);
    assert_in_range(game->max_moves, 1, 1 << 20);
    assert_in_range(game->roles, 1, KN_ROLES_MAX);
    assert_true(game->symmetries >= 1 && game->phases >= 1);
    assert_true(game->payoff_low < game->payoff_high);
    for (int role = 0; role < game->roles; role++) assert_true(game->role_names[role][0]);
    bool simultaneous = game->traits & KN_GAME_SIMULTANEOUS;
    assert_true(simultaneous == (game->type->play_joint != NULL));
    assert_true(simultaneous == (game->type->play == NULL));
    if (game->traits & KN_GAME_LOOKS_BACK) assert_true(game->type->ended || game->type->barred);
    if (game->traits & KN_GAME_ZERO_SUM) assert_int_equal(game->roles, 2);
    if (game->symmetries > 1) assert_true(game->type->transform && game->type->transform_move);
    if (game->features) assert_non_null(game->type->feature_values);
    if (game->cells) assert_true(game->type->cell && game->type->cell_name && game->type->cell_place);
}

/* Positions keep their invariants, moves are distinct, a contest is over just when nobody can move, payoffs
 * are in range. */
static void check_rules(Bench *bench)
{
    const KnGame *game = bench->game;
    const void *position = kn_contest_position(bench->contest);
    KnError error;
    check_ok(error, game->type->check(game, position, &error));
    uint32_t movers = kn_game_movers(game, position);
    for (int role = 0; role < game->roles; role++) {
        int count = legal(bench, position, role, bench->moves);
        assert_int_equal(count > 0, movers >> role & 1);
        qsort(bench->moves, (size_t)count, sizeof(KnMove), compare_moves);
        for (int i = 1; i < count; i++)
            if (bench->moves[i] == bench->moves[i - 1])
                fail_msg("%s: the same move twice in a list", game->spec);
        for (int i = 0; i < count; i++) assert_true(bench->moves[i] != KN_MOVE_NONE);
        if (!count || !game->type->count) continue;
        int ways = 0;
        for (int i = 0; i < count; i++)
            ways += game->type->paths ? game->type->paths(game, position, bench->moves[i]) : 1;
        assert_int_equal(game->type->count(game, position, false), count);
        assert_int_equal(game->type->count(game, position, true), ways);
    }
    if (movers) return;
    double payoffs[KN_ROLES_MAX], sum = 0;
    game->type->payoffs(game, position, payoffs);
    for (int role = 0; role < game->roles; role++) {
        if (role == game->nature) continue;
        assert_true(payoffs[role] >= game->payoff_low && payoffs[role] <= game->payoff_high);
        sum += payoffs[role];
    }
    if (game->traits & KN_GAME_ZERO_SUM)
        assert_true(fabs(sum - (game->payoff_low + game->payoff_high)) < 1e-9);
}

/* Where payoffs come along the way, they add up. */
static void check_rewards(Bench *bench)
{
    const KnGame *game = bench->game;
    double totals[KN_ROLES_MAX] = {0}, rewards[KN_ROLES_MAX], payoffs[KN_ROLES_MAX];
    if (!game->type->rewards || !kn_contest_over(bench->contest, payoffs)) return;
    for (size_t ply = 0; ply < kn_contest_plies(bench->contest); ply++) {
        memset(rewards, 0, sizeof rewards);
        game->type->rewards(game, kn_contest_position_at(bench->contest, ply),
                            kn_contest_joint_at(bench->contest, ply), rewards);
        for (int role = 0; role < game->roles; role++) totals[role] += rewards[role];
    }
    for (int role = 0; role < game->roles; role++)
        if (role != game->nature) assert_true(fabs(totals[role] - payoffs[role]) < 1e-6);
}

/* The position's line of text reads back as the same bytes; so does every move's, and no two moves share one.
 */
static void check_text(Bench *bench)
{
    const KnGame *game = bench->game;
    const void *position = kn_contest_position(bench->contest);
    KnError error;
    KnText text = KN_TEXT_EMPTY, again = KN_TEXT_EMPTY;
    game->type->position_text(game, position, &text);
    assert_null(strchr(text.data, '\n'));
    memset(bench->a, 0xA5, game->position_size);
    check_ok(error, game->type->parse_position(game, text.data, bench->a, &error));
    if (memcmp(bench->a, position, game->position_size) != 0)
        fail_msg("%s: \"%s\" reads back as another position", game->spec, text.data);
    for (int role = 0; role < game->roles; role++) {
        int count = legal(bench, position, role, bench->moves);
        for (int i = 0; i < count; i++) {
            kn_text_clear(&again);
            game->type->move_text(game, position, bench->moves[i], &again);
            KnMove move = KN_MOVE_NONE;
            check_ok(error, kn_game_parse_move(game, position, role, again.data, &move, &error));
            if (move != bench->moves[i])
                fail_msg("%s: %s: move \"%s\" reads back as another", game->spec, text.data, again.data);
        }
    }
    kn_text_clear(&again);
    game->type->draw(game, position, false, &again);
    assert_null(strchr(again.data, '\033'));
    kn_text_clear(&again);
    game->type->draw(game, position, true, &again);
    assert_true(again.length > 0);
    kn_text_free(&text);
    kn_text_free(&again);
}

/* A spoilt text is refused with a reason, or read as something that passes the check; never more. */
static void check_spoilt_text(Bench *bench)
{
    const KnGame *game = bench->game;
    KnText text = KN_TEXT_EMPTY;
    game->type->position_text(game, kn_contest_position(bench->contest), &text);
    if (text.length) {
        char *spoilt = strdup(text.data);
        uint32_t at = kn_rng_below(&bench->rng, (uint32_t)text.length);
        switch (kn_rng_below(&bench->rng, 3)) {
        case 0:
            spoilt[at] = '\0';
            break;
        case 1:
            spoilt[at] = (char)(1 + kn_rng_below(&bench->rng, 255));
            break;
        case 2:
            memmove(spoilt + at, spoilt + at + 1, text.length - at);
            break;
        }
        KnError error = {.text = ""};
        KnStatus status = game->type->parse_position(game, spoilt, bench->a, &error);
        if (status == KN_OK)
            check_ok(error, game->type->check(game, bench->a, &error));
        else
            assert_true(status == KN_INPUT && error.text[0]);
        KnMove move;
        for (int role = 0; role < game->roles; role++)
            if (kn_game_parse_move(game, kn_contest_position(bench->contest), role, spoilt, &move, &error) !=
                KN_OK)
                assert_true(error.text[0]);
        free(spoilt);
    }
    kn_text_free(&text);
}

/* Playing and taking back restores every byte, the hash and the move list. */
static void check_undo(Bench *bench)
{
    const KnGame *game = bench->game;
    if (kn_contest_over(bench->contest, NULL)) return;
    const void *position = kn_contest_position(bench->contest);
    memcpy(bench->a, position, game->position_size);
    uint64_t hash = game->type->hash(game, position);
    KnMove joint[KN_ROLES_MAX];
    random_joint(bench, joint);
    KnError error;
    check_ok(error, kn_contest_play_joint(bench->contest, joint, &error));
    assert_true(memcmp(kn_contest_position(bench->contest), bench->a, game->position_size) != 0);
    assert_true(kn_contest_undo(bench->contest));
    position = kn_contest_position(bench->contest);
    assert_memory_equal(position, bench->a, game->position_size);
    assert_true(game->type->hash(game, position) == hash);
    for (int role = 0; role < game->roles; role++) {
        int count = legal(bench, bench->a, role, bench->moves);
        assert_int_equal(legal(bench, position, role, bench->others), count);
        assert_memory_equal(bench->moves, bench->others, (size_t)count * sizeof(KnMove));
    }
}

/* Each symmetry maps legal moves onto legal moves, successors onto successors, payoffs and evaluations onto
 * themselves. */
static void check_symmetry(Bench *bench)
{
    const KnGame *game = bench->game;
    const void *position = kn_contest_position(bench->contest);
    KnError error;
    for (int s = 0; s < game->symmetries; s++) {
        if (!game->type->transform) break;
        memset(bench->a, 0xA5, game->position_size);
        game->type->transform(game, s, position, bench->a);
        check_ok(error, game->type->check(game, bench->a, &error));
        if (s == 0) assert_memory_equal(bench->a, position, game->position_size);
        double before[KN_ROLES_MAX], after[KN_ROLES_MAX];
        bool over = kn_game_over(game, position);
        assert_int_equal(kn_game_over(game, bench->a), over);
        if (over) {
            game->type->payoffs(game, position, before);
            game->type->payoffs(game, bench->a, after);
        }
        for (int role = 0; role < game->roles; role++) {
            int image = game->type->transform_role ? game->type->transform_role(game, s, role) : role;
            if (over) {
                assert_true(before[role] == after[image]);
                continue;
            }
            int count = legal(bench, position, role, bench->moves);
            assert_int_equal(legal(bench, bench->a, image, bench->others), count);
            qsort(bench->others, (size_t)count, sizeof(KnMove), compare_moves);
            for (int i = 0; i < count; i++) {
                KnMove move = game->type->transform_move(game, s, position, bench->moves[i]);
                if (!bsearch(&move, bench->others, (size_t)count, sizeof(KnMove), compare_moves))
                    fail_msg("%s: symmetry %d maps a legal move onto an illegal one", game->spec, s);
                if (game->traits & KN_GAME_SIMULTANEOUS) continue;
                memcpy(bench->b, position, game->position_size);
                game->type->play(game, bench->b, bench->moves[i]);
                game->type->transform(game, s, bench->b, bench->c);
                memcpy(bench->b, bench->a, game->position_size);
                game->type->play(game, bench->b, move);
                if (memcmp(bench->b, bench->c, game->position_size) != 0)
                    fail_msg("%s: symmetry %d: playing and turning do not commute", game->spec, s);
            }
        }
        for (const KnGameEvaluation *row = game->evaluations; row && row->name && !over; row++)
            if (row->score(game, position) != row->score(game, bench->a))
                fail_msg("%s: evaluation %s changes under symmetry %d", game->spec, row->name, s);
    }
}

/* Whether the mover of this position can win at once. Uses bench->c. */
static bool wins_at_once(Bench *bench, const void *position)
{
    const KnGame *game = bench->game;
    KnMove *moves = calloc((size_t)game->max_moves, sizeof *moves);
    int role = game->type->mover(game, position), count = game->type->moves(game, position, moves);
    bool wins = false;
    for (int i = 0; i < count && !wins; i++) {
        double payoffs[KN_ROLES_MAX];
        memcpy(bench->c, position, game->position_size);
        game->type->play(game, bench->c, moves[i]);
        if (!kn_game_over(game, bench->c)) continue;
        game->type->payoffs(game, bench->c, payoffs);
        wins = payoffs[role] == game->payoff_high;
    }
    free(moves);
    return wins;
}

/* Where not all legal moves (bench->moves) are among the tactical ones (bench->others) and the mover may not
 * stand, the missing ones lose at once. */
static void check_forced(Bench *bench, const void *position, int count, int tactical)
{
    for (int i = 0; i < count; i++) {
        bool listed = false;
        for (int k = 0; k < tactical; k++) listed |= bench->others[k] == bench->moves[i];
        if (listed) continue;
        memcpy(bench->b, position, bench->game->position_size);
        bench->game->type->play(bench->game, bench->b, bench->moves[i]);
        assert_true(wins_at_once(bench, bench->b));
    }
}

/* Packed codes are exact; tactical moves are legal; features, cells, phases and evaluations keep to what is
 * declared. */
static void check_abilities(Bench *bench)
{
    const KnGame *game = bench->game;
    const void *position = kn_contest_position(bench->contest);
    const KnGameType *type = game->type;
    if (type->pack) {
        memset(bench->a, 0xA5, game->position_size);
        type->unpack(game, type->pack(game, position), bench->a);
        assert_true(type->pack(game, bench->a) == type->pack(game, position));
        assert_true(type->hash(game, bench->a) == type->hash(game, position));
    }
    bool over = kn_game_over(game, position);
    if (type->tactical && !over) {
        bool may_stand;
        int role = type->mover(game, position);
        int tactical = type->tactical(game, position, bench->others, &may_stand);
        int count = legal(bench, position, role, bench->moves);
        qsort(bench->moves, (size_t)count, sizeof(KnMove), compare_moves);
        for (int i = 0; i < tactical; i++)
            assert_non_null(
                bsearch(&bench->others[i], bench->moves, (size_t)count, sizeof(KnMove), compare_moves));
        if (tactical && !may_stand && tactical < count) check_forced(bench, position, count, tactical);
    }
    for (int role = 0; role < game->roles && game->features; role++) {
        double values[game->feature_count];
        type->feature_values(game, position, role, values);
        for (int i = 0; i < game->feature_count; i++)
            if (!(values[i] >= game->features[i].low && values[i] <= game->features[i].high))
                fail_msg("%s: feature %s is %g, outside of %g..%g", game->spec, game->features[i].name,
                         values[i], game->features[i].low, game->features[i].high);
    }
    uint8_t cells[game->cells + 1];
    kn_game_board(game, position, cells);
    for (int i = 0; i < game->cells; i++) {
        assert_in_range(type->cell(game, position, i), 0, strlen(game->cell_symbols) - 1);
        assert_int_equal(cells[i], type->cell(game, position, i));
    }
    if (type->phase) assert_in_range(type->phase(game, position), 0, game->phases - 1);
    for (const KnGameEvaluation *row = game->evaluations; row && row->name && !over; row++)
        assert_true(abs(row->score(game, position)) <= KN_SCORE_PAYOFF);
}

/* The hash is a function of the position and, statistically, tells positions apart: those that share one must
 * have the same moves, and so must their children. (Counters may differ; a game may leave them out of the
 * hash as long as they are far from bearing on anything.) */
typedef struct Seen {
    uint64_t hash;
    unsigned char *position;
} Seen;
enum { SEEN = 1 << 14 };
static Seen seen[SEEN];

static void compare_moves_of_twins(Bench *bench, const void *p, const void *q)
{
    const KnGame *game = bench->game;
    assert_int_equal(kn_game_movers(game, p), kn_game_movers(game, q));
    for (int role = 0; role < game->roles; role++) {
        int count = legal(bench, p, role, bench->moves);
        if (legal(bench, q, role, bench->others) != count ||
            memcmp(bench->moves, bench->others, (size_t)count * sizeof(KnMove)) != 0)
            fail_msg("%s: two positions with other moves share a hash", game->spec);
    }
}

static void compare_twins(Bench *bench, const void *p, const void *q)
{
    const KnGame *game = bench->game;
    compare_moves_of_twins(bench, p, q);
    if (game->traits & KN_GAME_SIMULTANEOUS || kn_game_over(game, p)) return;
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, p, moves);
    for (int i = 0; i < count; i++) {
        memcpy(bench->b, p, game->position_size);
        memcpy(bench->c, q, game->position_size);
        game->type->play(game, bench->b, moves[i]);
        game->type->play(game, bench->c, moves[i]);
        compare_moves_of_twins(bench, bench->b, bench->c);
    }
}

static void check_hash(Bench *bench)
{
    const KnGame *game = bench->game;
    const void *position = kn_contest_position(bench->contest);
    uint64_t hash = game->type->hash(game, position);
    memcpy(bench->a, position, game->position_size);
    assert_true(game->type->hash(game, bench->a) == hash);
    Seen *slot = &seen[hash % SEEN];
    if (slot->position && slot->hash == hash) {
        if (memcmp(slot->position, position, game->position_size) != 0)
            compare_twins(bench, slot->position, position);
        return;
    }
    free(slot->position);
    slot->hash = hash;
    slot->position = malloc(game->position_size);
    memcpy(slot->position, position, game->position_size);
}

static void hash_of_instance(const KnGame *game)
{
    walk(game, 100, check_hash);
    for (int i = 0; i < SEEN; i++) {
        free(seen[i].position);
        seen[i] = (Seen){0};
    }
}

static void rules_of_instance(const KnGame *game) { walk(game, 60, check_rules); }
static void rewards_of_instance(const KnGame *game) { walk(game, 5, check_rewards); }
static void text_of_instance(const KnGame *game) { walk(game, 6, check_text); }
static void spoilt_text_of_instance(const KnGame *game) { walk(game, 40, check_spoilt_text); }
static void undo_of_instance(const KnGame *game) { walk(game, 20, check_undo); }
static void symmetry_of_instance(const KnGame *game) { walk(game, 4, check_symmetry); }
static void abilities_of_instance(const KnGame *game) { walk(game, 20, check_abilities); }

static void over_instances(void (*visit)(const KnGame *game))
{
    KnContext *context = test_context();
    test_each_instance(context, visit);
    kn_context_free(context);
}

#define SUITE(name, visit)                                                                                   \
    static void name(void **state)                                                                           \
    {                                                                                                        \
        (void)state;                                                                                         \
        over_instances(visit);                                                                               \
    }
SUITE(test_declared, instance_is_declared)
SUITE(test_rules, rules_of_instance)
SUITE(test_rewards, rewards_of_instance)
SUITE(test_text, text_of_instance)
SUITE(test_spoilt_text, spoilt_text_of_instance)
SUITE(test_undo, undo_of_instance)
SUITE(test_symmetry, symmetry_of_instance)
SUITE(test_abilities, abilities_of_instance)
SUITE(test_hash, hash_of_instance)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_declared), cmocka_unit_test(test_rules),       cmocka_unit_test(test_rewards),
        cmocka_unit_test(test_text),     cmocka_unit_test(test_spoilt_text), cmocka_unit_test(test_undo),
        cmocka_unit_test(test_symmetry), cmocka_unit_test(test_abilities),   cmocka_unit_test(test_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
