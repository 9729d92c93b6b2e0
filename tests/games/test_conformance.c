/* One suite for every game: random games in which each promise of games/game.h is checked. */
#include "support/check.h"
#include "support/instances.h"
#include "support/random_games.h"
#include "support/understood.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/game.h"

static int compare_moves(const void *a, const void *b)
{
    KnMove x = *(const KnMove *)a, y = *(const KnMove *)b;
    return (x > y) - (x < y);
}

static int legal(const Fixture *fixture, const void *position, int role, KnMove *moves)
{
    int count = kn_game_moves_of(fixture->game, position, role, moves);
    if (count < 0 || count > fixture->game->max_moves)
        fail_msg("%s: %d moves, max_moves is %d", fixture->game->spec, count, fixture->game->max_moves);
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

/* The list of moves without the barred ones is what the hook for single moves says, with the history alone
 * and with all that a state keeps beside it. */
static void check_allowed(Fixture *fixture)
{
    const KnGame *game = fixture->game;
    const void *position = kn_state_position(fixture->state);
    if (!game->type->keep_allowed || kn_state_over(fixture->state, NULL)) return;
    KnHistory whole = kn_state_history(fixture->state), bare = {.hashes = whole.hashes, .count = whole.count};
    int role = kn_state_mover(fixture->state), kept = 0;
    int count = legal(fixture, position, role, fixture->others);
    for (int i = 0; i < count; i++)
        if (!game->type->barred(game, position, &bare, fixture->others[i]))
            fixture->others[kept++] = fixture->others[i];
    assert_int_equal(kn_state_moves(fixture->state, role, fixture->moves), kept);
    assert_memory_equal(fixture->moves, fixture->others, (size_t)kept * sizeof(KnMove));
    legal(fixture, position, role, fixture->moves);
    assert_int_equal(game->type->keep_allowed(game, position, &bare, fixture->moves, count), kept);
    assert_memory_equal(fixture->moves, fixture->others, (size_t)kept * sizeof(KnMove));
}

/* Positions keep their invariants, moves are distinct, a game is over exactly when nobody can move, payoffs
 * are in range. */
static void check_rules(Fixture *fixture)
{
    const KnGame *game = fixture->game;
    const void *position = kn_state_position(fixture->state);
    KnError error;
    check_ok(error, game->type->check(game, position, &error));
    check_allowed(fixture);
    uint32_t movers = kn_game_movers(game, position);
    for (int role = 0; role < game->roles; role++) {
        int count = legal(fixture, position, role, fixture->moves);
        assert_int_equal(count > 0, movers >> role & 1);
        qsort(fixture->moves, (size_t)count, sizeof(KnMove), compare_moves);
        for (int i = 1; i < count; i++)
            if (fixture->moves[i] == fixture->moves[i - 1])
                fail_msg("%s: the same move twice in a list", game->spec);
        for (int i = 0; i < count; i++) assert_true(fixture->moves[i] != KN_MOVE_NONE);
        if (!count || !game->type->count) continue;
        int ways = 0;
        for (int i = 0; i < count; i++)
            ways += game->type->paths ? game->type->paths(game, position, fixture->moves[i]) : 1;
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

/* Rewards during the game add up to the payoffs at its end. */
static void check_rewards(Fixture *fixture)
{
    const KnGame *game = fixture->game;
    double totals[KN_ROLES_MAX] = {0}, rewards[KN_ROLES_MAX], payoffs[KN_ROLES_MAX];
    if (!game->type->rewards || !kn_state_over(fixture->state, payoffs)) return;
    for (size_t ply = 0; ply < kn_state_plies(fixture->state); ply++) {
        memset(rewards, 0, sizeof rewards);
        game->type->rewards(game, kn_state_position_at(fixture->state, ply),
                            kn_state_joint_at(fixture->state, ply), rewards);
        for (int role = 0; role < game->roles; role++) totals[role] += rewards[role];
    }
    for (int role = 0; role < game->roles; role++)
        if (role != game->nature) assert_true(fabs(totals[role] - payoffs[role]) < 1e-6);
}

/* Serialisation: the position's text reads back as the same bytes, and every legal move's text as that move.
 */
static void check_text(Fixture *fixture)
{
    const KnGame *game = fixture->game;
    const void *position = kn_state_position(fixture->state);
    KnError error;
    KnText text = KN_TEXT_EMPTY, again = KN_TEXT_EMPTY;
    game->type->position_text(game, position, &text);
    assert_null(strchr(text.data, '\n'));
    memset(fixture->a, 0xA5, game->position_size);
    check_ok(error, game->type->parse_position(game, text.data, fixture->a, &error));
    if (memcmp(fixture->a, position, game->position_size) != 0)
        fail_msg("%s: \"%s\" reads back as another position", game->spec, text.data);
    for (int role = 0; role < game->roles; role++) {
        int count = legal(fixture, position, role, fixture->moves);
        for (int i = 0; i < count; i++) {
            kn_text_clear(&again);
            game->type->move_text(game, position, fixture->moves[i], &again);
            KnMove move = KN_MOVE_NONE;
            check_ok(error, kn_game_parse_move(game, position, role, again.data, &move, &error));
            if (move != fixture->moves[i])
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

/* A damaged text is refused with a message, or parsed as a position that passes the game's check. */
static void check_damaged_text(Fixture *fixture)
{
    const KnGame *game = fixture->game;
    KnText text = KN_TEXT_EMPTY;
    game->type->position_text(game, kn_state_position(fixture->state), &text);
    if (text.length) {
        char *damaged = strdup(text.data);
        uint32_t at = kn_rng_below(&fixture->rng, (uint32_t)text.length);
        switch (kn_rng_below(&fixture->rng, 3)) {
        case 0:
            damaged[at] = '\0';
            break;
        case 1:
            damaged[at] = (char)(1 + kn_rng_below(&fixture->rng, 255));
            break;
        case 2:
            memmove(damaged + at, damaged + at + 1, text.length - at);
            break;
        }
        KnError error = {.text = ""};
        KnStatus status = game->type->parse_position(game, damaged, fixture->a, &error);
        if (status == KN_OK) {
            check_ok(error, game->type->check(game, fixture->a, &error));
            KnText understood = KN_TEXT_EMPTY;
            game->type->position_text(game, fixture->a, &understood);
            check_nothing_ignored(game, damaged, understood.data);
            kn_text_free(&understood);
        } else
            assert_true(status == KN_INPUT && error.text[0]);
        KnMove move;
        for (int role = 0; role < game->roles; role++)
            if (kn_game_parse_move(game, kn_state_position(fixture->state), role, damaged, &move, &error) !=
                KN_OK)
                assert_true(error.text[0]);
        free(damaged);
    }
    kn_text_free(&text);
}

/* What a state shows to the outside: position, hash, history, legal moves of every role, and the result. */
typedef struct Snapshot {
    unsigned char *position;
    uint64_t hash, history; /* the history as a digest */
    size_t plies, history_count;
    uint32_t movers;
    bool over;
    double payoffs[KN_ROLES_MAX];
    int move_counts[KN_ROLES_MAX];
    KnMove *moves; /* max_moves of each role */
} Snapshot;

static Snapshot take_snapshot(const Fixture *fixture)
{
    const KnGame *game = fixture->game;
    const KnState *state = fixture->state;
    const void *position = kn_state_position(state);
    KnHistory history = kn_state_history(state);
    Snapshot shot = {.position = malloc(game->position_size),
                     .hash = game->type->hash(game, position),
                     .plies = kn_state_plies(state),
                     .history_count = history.count,
                     .movers = kn_state_movers(state),
                     .moves = calloc((size_t)game->max_moves * (size_t)game->roles, sizeof(KnMove))};
    memcpy(shot.position, position, game->position_size);
    for (size_t i = 0; i < history.count; i++) shot.history = shot.history * 31 + history.hashes[i];
    shot.over = kn_state_over(state, shot.payoffs);
    for (int role = 0; role < game->roles; role++)
        shot.move_counts[role] = kn_state_moves(state, role, shot.moves + role * game->max_moves);
    return shot;
}

static void check_same_snapshot(const KnGame *game, const Snapshot *a, const Snapshot *b)
{
    assert_memory_equal(a->position, b->position, game->position_size);
    assert_true(a->hash == b->hash && a->history == b->history && a->history_count == b->history_count);
    assert_true(a->plies == b->plies && a->movers == b->movers && a->over == b->over);
    assert_memory_equal(a->move_counts, b->move_counts, sizeof a->move_counts);
    assert_memory_equal(a->moves, b->moves, (size_t)game->max_moves * (size_t)game->roles * sizeof(KnMove));
    for (int role = 0; role < game->roles && a->over; role++)
        if (role != game->nature) assert_true(a->payoffs[role] == b->payoffs[role]);
}

static void free_snapshot(Snapshot *shot)
{
    free(shot->position);
    free(shot->moves);
}

/* Taking back up to AHEAD random moves, one after the other, restores the whole state before each of them. */
static void check_undo(Fixture *fixture)
{
    enum { AHEAD = 4 };
    const KnGame *game = fixture->game;
    Snapshot shots[AHEAD];
    int played = 0;
    for (; played < AHEAD && !kn_state_over(fixture->state, NULL); played++) {
        shots[played] = take_snapshot(fixture);
        KnMove joint[KN_ROLES_MAX];
        random_joint(fixture, joint);
        KnError error;
        check_ok(error, kn_state_play_joint(fixture->state, joint, &error));
        assert_true(memcmp(kn_state_position(fixture->state), shots[played].position, game->position_size));
        assert_int_equal(kn_state_plies(fixture->state), shots[played].plies + 1);
    }
    while (played-- > 0) {
        assert_true(kn_state_undo(fixture->state));
        Snapshot now = take_snapshot(fixture);
        check_same_snapshot(game, &now, &shots[played]);
        free_snapshot(&now);
        free_snapshot(&shots[played]);
    }
}

static void check_undo_at_the_start(const KnGame *game)
{
    KnState *state = kn_state_new(game);
    assert_false(kn_state_undo(state));
    kn_state_free(state);
}

static bool is_legal(Fixture *fixture, const void *position, int role, KnMove move)
{
    int count = legal(fixture, position, role, fixture->moves);
    bool found = move == KN_MOVE_NONE && count == 0;
    for (int i = 0; i < count; i++) found |= fixture->moves[i] == move;
    return found;
}

/* Plays joint moves one after the other on fixture->b; false if one of them is illegal there. */
static bool play_line(Fixture *fixture, const void *position, const KnMove *const joints[], int count)
{
    const KnGame *game = fixture->game;
    memcpy(fixture->b, position, game->position_size);
    for (int i = 0; i < count; i++) {
        if (kn_game_over(game, fixture->b)) return false;
        for (int role = 0; role < game->roles; role++)
            if (!is_legal(fixture, fixture->b, role, joints[i][role])) return false;
        kn_game_play_joint(game, fixture->b, joints[i]);
    }
    return true;
}

static long transpositions;

/* Transpositions: moves a b c and c b a that lead to the same position by its text lead to the same bytes and
 * the same hash. */
static void check_transposition(Fixture *fixture)
{
    const KnGame *game = fixture->game;
    const KnState *state = fixture->state;
    if (kn_state_plies(state) < 3) return;
    size_t first = kn_state_plies(state) - 3;
    const KnMove *swapped[3];
    for (size_t i = 0; i < 3; i++) swapped[i] = kn_state_joint_at(state, first + 2 - i);
    if (memcmp(swapped[0], swapped[2], (size_t)game->roles * sizeof(KnMove)) == 0) return;
    if (!play_line(fixture, kn_state_position_at(state, first), swapped, 3)) return;
    KnText one = KN_TEXT_EMPTY, other = KN_TEXT_EMPTY;
    game->type->position_text(game, kn_state_position(state), &one);
    game->type->position_text(game, fixture->b, &other);
    if (strcmp(one.data, other.data) == 0) {
        transpositions++;
        assert_memory_equal(fixture->b, kn_state_position(state), game->position_size);
        assert_true(game->type->hash(game, fixture->b) == game->type->hash(game, kn_state_position(state)));
    }
    kn_text_free(&one);
    kn_text_free(&other);
}

/* The moves of a whole game, written and read back from the start, lead to the same position. */
static void check_replay(Fixture *fixture)
{
    const KnGame *game = fixture->game;
    if (!kn_state_over(fixture->state, NULL)) return;
    game->type->start(game, fixture->a);
    KnText text = KN_TEXT_EMPTY;
    for (size_t ply = 0; ply < kn_state_plies(fixture->state); ply++) {
        const KnMove *joint = kn_state_joint_at(fixture->state, ply);
        KnMove again[KN_ROLES_MAX];
        for (int role = 0; role < game->roles; role++) {
            again[role] = KN_MOVE_NONE;
            if (joint[role] == KN_MOVE_NONE) continue;
            KnError error;
            kn_text_clear(&text);
            game->type->move_text(game, fixture->a, joint[role], &text);
            check_ok(error, kn_game_parse_move(game, fixture->a, role, text.data, &again[role], &error));
        }
        kn_game_play_joint(game, fixture->a, again);
    }
    kn_text_free(&text);
    assert_memory_equal(fixture->a, kn_state_position(fixture->state), game->position_size);
}

/* Symmetry s maps the legal moves of a role (fixture->moves) one to one onto those of the image in fixture->a
 * (fixture->others); in alternating games it also commutes with playing. */
static void check_images_of_moves(Fixture *fixture, int s, const void *position, int count)
{
    const KnGame *game = fixture->game;
    bool *taken = calloc((size_t)count + 1, sizeof *taken);
    qsort(fixture->others, (size_t)count, sizeof(KnMove), compare_moves);
    for (int i = 0; i < count; i++) {
        KnMove move = game->type->transform_move(game, s, position, fixture->moves[i]);
        KnMove *found = bsearch(&move, fixture->others, (size_t)count, sizeof(KnMove), compare_moves);
        if (!found) fail_msg("%s: symmetry %d maps a legal move onto an illegal one", game->spec, s);
        if (taken[found - fixture->others])
            fail_msg("%s: symmetry %d maps two moves onto the same one", game->spec, s);
        taken[found - fixture->others] = true;
        if (game->traits & KN_GAME_SIMULTANEOUS) continue;
        memcpy(fixture->b, position, game->position_size);
        game->type->play(game, fixture->b, fixture->moves[i]);
        game->type->transform(game, s, fixture->b, fixture->c);
        memcpy(fixture->b, fixture->a, game->position_size);
        game->type->play(game, fixture->b, move);
        if (memcmp(fixture->b, fixture->c, game->position_size) != 0)
            fail_msg("%s: symmetry %d does not commute with playing a move", game->spec, s);
    }
    free(taken);
}

/* The same for a random joint move; fixture->a holds the image of the position. */
static void check_image_of_joint(Fixture *fixture, int s)
{
    const KnGame *game = fixture->game;
    const void *position = kn_state_position(fixture->state);
    KnMove joint[KN_ROLES_MAX], images[KN_ROLES_MAX];
    random_joint(fixture, joint);
    for (int role = 0; role < game->roles; role++) {
        int image = game->type->transform_role ? game->type->transform_role(game, s, role) : role;
        images[image] = joint[role] == KN_MOVE_NONE
                            ? KN_MOVE_NONE
                            : game->type->transform_move(game, s, position, joint[role]);
    }
    memcpy(fixture->b, position, game->position_size);
    kn_game_play_joint(game, fixture->b, joint);
    game->type->transform(game, s, fixture->b, fixture->c);
    memcpy(fixture->b, fixture->a, game->position_size);
    kn_game_play_joint(game, fixture->b, images);
    if (memcmp(fixture->b, fixture->c, game->position_size) != 0)
        fail_msg("%s: symmetry %d does not commute with playing a joint move", game->spec, s);
}

/* All images of a position have the same normal form: fixture->a is an image. */
static void check_normal_form(Fixture *fixture)
{
    const KnGame *game = fixture->game;
    void *scratch = fixture_room(game);
    kn_game_normalise(game, kn_state_position(fixture->state), fixture->b, scratch);
    kn_game_normalise(game, fixture->a, fixture->c, scratch);
    free(scratch);
    if (memcmp(fixture->b, fixture->c, game->position_size) != 0)
        fail_msg("%s: images of one position have different normal forms", game->spec);
}

/* Each symmetry maps legal moves onto legal moves, successors onto successors, payoffs and evaluations onto
 * themselves. */
static void check_symmetry(Fixture *fixture)
{
    const KnGame *game = fixture->game;
    const void *position = kn_state_position(fixture->state);
    KnError error;
    for (int s = 0; s < game->symmetries; s++) {
        if (!game->type->transform) break;
        memset(fixture->a, 0xA5, game->position_size);
        game->type->transform(game, s, position, fixture->a);
        check_ok(error, game->type->check(game, fixture->a, &error));
        if (s == 0) assert_memory_equal(fixture->a, position, game->position_size);
        check_normal_form(fixture);
        double before[KN_ROLES_MAX], after[KN_ROLES_MAX];
        bool over = kn_game_over(game, position);
        assert_int_equal(kn_game_over(game, fixture->a), over);
        if (over) {
            game->type->payoffs(game, position, before);
            game->type->payoffs(game, fixture->a, after);
        }
        for (int role = 0; role < game->roles; role++) {
            int image = game->type->transform_role ? game->type->transform_role(game, s, role) : role;
            if (over) {
                assert_true(before[role] == after[image]);
                continue;
            }
            int count = legal(fixture, position, role, fixture->moves);
            assert_int_equal(legal(fixture, fixture->a, image, fixture->others), count);
            check_images_of_moves(fixture, s, position, count);
        }
        if (game->traits & KN_GAME_SIMULTANEOUS && !over) check_image_of_joint(fixture, s);
        for (const KnGameEvaluation *row = game->evaluations; row && row->name && !over; row++)
            if (row->score(game, position) != row->score(game, fixture->a))
                fail_msg("%s: evaluation %s changes under symmetry %d", game->spec, row->name, s);
    }
}

/* Whether the side to move can win with its next move. Uses fixture->c. */
static bool wins_next_move(Fixture *fixture, const void *position)
{
    const KnGame *game = fixture->game;
    KnMove *moves = calloc((size_t)game->max_moves, sizeof *moves);
    int role = game->type->mover(game, position), count = game->type->moves(game, position, moves);
    bool wins = false;
    for (int i = 0; i < count && !wins; i++) {
        double payoffs[KN_ROLES_MAX];
        memcpy(fixture->c, position, game->position_size);
        game->type->play(game, fixture->c, moves[i]);
        if (!kn_game_over(game, fixture->c)) continue;
        game->type->payoffs(game, fixture->c, payoffs);
        wins = payoffs[role] == game->payoff_high;
    }
    free(moves);
    return wins;
}

/* Where the mover may not stand pat, every legal move (fixture->moves) that is not among the tactical ones
 * (fixture->others) allows an immediate win. */
static void check_forced(Fixture *fixture, const void *position, int count, int tactical)
{
    for (int i = 0; i < count; i++) {
        bool listed = false;
        for (int k = 0; k < tactical; k++) listed |= fixture->others[k] == fixture->moves[i];
        if (listed) continue;
        memcpy(fixture->b, position, fixture->game->position_size);
        fixture->game->type->play(fixture->game, fixture->b, fixture->moves[i]);
        assert_true(wins_next_move(fixture, fixture->b));
    }
}

/* The same role has the move in both positions, with the same moves. */
static void check_same_rules(Fixture *fixture, const void *position, const void *other)
{
    const KnGame *game = fixture->game;
    assert_int_equal(kn_game_movers(game, position), kn_game_movers(game, other));
    for (int role = 0; role < game->roles; role++) {
        int count = legal(fixture, position, role, fixture->moves);
        assert_int_equal(legal(fixture, other, role, fixture->others), count);
        qsort(fixture->moves, (size_t)count, sizeof(KnMove), compare_moves);
        qsort(fixture->others, (size_t)count, sizeof(KnMove), compare_moves);
        assert_memory_equal(fixture->moves, fixture->others, (size_t)count * sizeof(KnMove));
    }
}

/* Packed codes are exact; tactical moves are legal; features, cells, phases and evaluations keep to what is
 * declared. */
static void check_abilities(Fixture *fixture)
{
    const KnGame *game = fixture->game;
    const void *position = kn_state_position(fixture->state);
    const KnGameType *type = game->type;
    if (type->pack) {
        memset(fixture->a, 0xA5, game->position_size);
        type->unpack(game, type->pack(game, position), fixture->a);
        assert_true(type->pack(game, fixture->a) == type->pack(game, position));
        assert_true(type->hash(game, fixture->a) == type->hash(game, position));
        check_same_rules(fixture, position, fixture->a);
    }
    bool over = kn_game_over(game, position);
    if (type->tactical && !over) {
        bool may_stand;
        int role = type->mover(game, position);
        int tactical = type->tactical(game, position, fixture->others, &may_stand);
        int count = legal(fixture, position, role, fixture->moves);
        qsort(fixture->moves, (size_t)count, sizeof(KnMove), compare_moves);
        for (int i = 0; i < tactical; i++)
            assert_non_null(
                bsearch(&fixture->others[i], fixture->moves, (size_t)count, sizeof(KnMove), compare_moves));
        if (tactical && !may_stand && tactical < count) check_forced(fixture, position, count, tactical);
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

/* The hash depends on the position alone and tells positions apart: two positions with the same hash have the
 * same moves, and so do their children. (A game may leave a counter out of the hash while the counter cannot
 * yet decide anything.) */
typedef struct Seen {
    uint64_t hash;
    unsigned char *position;
} Seen;
enum { SEEN = 1 << 14 };
static Seen seen[SEEN];

static void compare_moves_of_equal_hash(Fixture *fixture, const void *p, const void *q)
{
    const KnGame *game = fixture->game;
    assert_int_equal(kn_game_movers(game, p), kn_game_movers(game, q));
    for (int role = 0; role < game->roles; role++) {
        int count = legal(fixture, p, role, fixture->moves);
        if (legal(fixture, q, role, fixture->others) != count ||
            memcmp(fixture->moves, fixture->others, (size_t)count * sizeof(KnMove)) != 0)
            fail_msg("%s: two positions with other moves share a hash", game->spec);
    }
}

static void compare_equal_hash(Fixture *fixture, const void *p, const void *q)
{
    const KnGame *game = fixture->game;
    compare_moves_of_equal_hash(fixture, p, q);
    if (game->traits & KN_GAME_SIMULTANEOUS || kn_game_over(game, p)) return;
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, p, moves);
    for (int i = 0; i < count; i++) {
        memcpy(fixture->b, p, game->position_size);
        memcpy(fixture->c, q, game->position_size);
        game->type->play(game, fixture->b, moves[i]);
        game->type->play(game, fixture->c, moves[i]);
        compare_moves_of_equal_hash(fixture, fixture->b, fixture->c);
    }
}

static void check_hash(Fixture *fixture)
{
    const KnGame *game = fixture->game;
    const void *position = kn_state_position(fixture->state);
    uint64_t hash = game->type->hash(game, position);
    memcpy(fixture->a, position, game->position_size);
    assert_true(game->type->hash(game, fixture->a) == hash);
    Seen *slot = &seen[hash % SEEN];
    if (slot->position && slot->hash == hash) {
        if (memcmp(slot->position, position, game->position_size) != 0)
            compare_equal_hash(fixture, slot->position, position);
        return;
    }
    free(slot->position);
    slot->hash = hash;
    slot->position = malloc(game->position_size);
    memcpy(slot->position, position, game->position_size);
}

static void hash_of_instance(const KnGame *game)
{
    check_random_games(game, 100, check_hash);
    for (int i = 0; i < SEEN; i++) {
        free(seen[i].position);
        seen[i] = (Seen){0};
    }
}

static void rules_of_instance(const KnGame *game) { check_random_games(game, 60, check_rules); }
static void rewards_of_instance(const KnGame *game) { check_random_games(game, 5, check_rewards); }
static void text_of_instance(const KnGame *game) { check_random_games(game, 6, check_text); }
static void damaged_text_of_instance(const KnGame *game) { check_random_games(game, 40, check_damaged_text); }
static void undo_of_instance(const KnGame *game)
{
    check_undo_at_the_start(game);
    check_random_games(game, 6, check_undo);
}

/* Every alternating game here has transpositions: a run that finds none has tested nothing. */
static void transpositions_of_instance(const KnGame *game)
{
    transpositions = 0;
    check_random_games(game, 20, check_transposition);
    if (!(game->traits & KN_GAME_SIMULTANEOUS)) assert_true(transpositions > 0);
}

static void replay_of_instance(const KnGame *game) { check_random_games(game, 10, check_replay); }
static void symmetry_of_instance(const KnGame *game) { check_random_games(game, 4, check_symmetry); }
static void abilities_of_instance(const KnGame *game) { check_random_games(game, 20, check_abilities); }

static void over_instances(void (*visit)(const KnGame *game))
{
    KnContext *context = test_context();
    test_each_instance(context, visit);
    kn_close(context);
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
SUITE(test_damaged_text, damaged_text_of_instance)
SUITE(test_undo, undo_of_instance)
SUITE(test_transpositions, transpositions_of_instance)
SUITE(test_replay, replay_of_instance)
SUITE(test_symmetry, symmetry_of_instance)
SUITE(test_abilities, abilities_of_instance)
SUITE(test_hash, hash_of_instance)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_declared),       cmocka_unit_test(test_rules),
        cmocka_unit_test(test_rewards),        cmocka_unit_test(test_text),
        cmocka_unit_test(test_damaged_text),   cmocka_unit_test(test_undo),
        cmocka_unit_test(test_transpositions), cmocka_unit_test(test_replay),
        cmocka_unit_test(test_symmetry),       cmocka_unit_test(test_abilities),
        cmocka_unit_test(test_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
