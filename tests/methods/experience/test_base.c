/* The experience base: what it knows against a plain recomputation, that adding twice changes nothing,
 * forgetting, merging, and what it refuses. */
#include "support/check.h"
#include "support/experience.h"
#include "support/workbench.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include <lmdb.h>

#include "games/replay.h"
#include "methods/experience/base.h"

/* ---- a second opinion: games in a list, positions compared by bytes ---- */

typedef struct Seen {
    unsigned char position[64];
    int children[16], child_count;
    bool ended;
    double outcome;
    int games, last_game;
} Seen;

typedef struct Opinion {
    Seen seen[6000];
    int count;
} Opinion;

static int find(Opinion *o, const KnGame *game, const void *position)
{
    for (int i = 0; i < o->count; i++)
        if (memcmp(o->seen[i].position, position, game->position_size) == 0) return i;
    assert_true(o->count < 6000 && game->position_size <= 64);
    Seen *fresh = &o->seen[o->count];
    *fresh = (Seen){.last_game = -1};
    memcpy(fresh->position, position, game->position_size);
    return o->count++;
}

static void note_game(Opinion *o, const KnState *game_state, double outcome, int index)
{
    const KnGame *game = kn_state_game(game_state);
    int before = -1;
    for (size_t ply = 0; ply <= kn_state_plies(game_state); ply++) {
        int at = find(o, game, kn_state_position_at(game_state, ply)), known = 0;
        if (before >= 0) {
            for (int c = 0; c < o->seen[before].child_count; c++) known |= o->seen[before].children[c] == at;
            if (!known) o->seen[before].children[o->seen[before].child_count++] = at;
        }
        if (o->seen[at].last_game != index) o->seen[at].games++, o->seen[at].last_game = index;
        before = at;
    }
    o->seen[before].ended = true;
    o->seen[before].outcome = outcome;
}

static double judge(const Opinion *o, const KnGame *game, int at, uint64_t *paths)
{
    const Seen *seen = &o->seen[at];
    if (seen->ended) {
        *paths = 1;
        return seen->outcome;
    }
    bool first = game->type->mover(game, seen->position) == 0;
    double best = 0;
    *paths = 0;
    for (int c = 0; c < seen->child_count; c++) {
        uint64_t below;
        double value = judge(o, game, seen->children[c], &below);
        if (c == 0 || (first ? value > best : value < best)) best = value;
        *paths += below;
    }
    return best;
}

static void test_agrees_with_plain_minimax(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("tictactoe");
    KnBase *base = test_open_base(game, "plain.mdb", KN_BASE_MAKE | KN_BASE_LOOSE,
                                  &(KnBaseKind){.symmetry = false});
    Opinion *opinion = calloc(1, sizeof *opinion);
    KnState *game_state = kn_state_new(game);
    int distinct = 0;
    for (int i = 0; i < check_scaled(400); i++) {
        KnRng rng = kn_rng_stream(1, (uint64_t)i);
        double outcome = test_play_random(game_state, &rng, 100);
        bool added;
        const KnBasePlay first = {.id = kn_base_play_id("", 0)};
        check_ok(error, kn_base_add(base, game_state, outcome, &first, &added, &error));
        if (added) note_game(opinion, game_state, outcome, distinct++);
        check_ok(error, kn_base_add(base, game_state, outcome, &first, &added, &error));
        assert_false(added);
    }
    KnBaseStat stat;
    check_ok(error, kn_base_stat(base, &stat, &error));
    assert_int_equal(stat.positions, opinion->count);
    assert_int_equal(stat.games, distinct);
    for (int i = 0; i < opinion->count; i++) {
        KnMove moves[16];
        KnBaseMove rows[16];
        KnBaseView view;
        uint64_t paths;
        int count = game->type->moves(game, opinion->seen[i].position, moves);
        check_ok(error, kn_base_look(base, opinion->seen[i].position, moves, count, rows, &view, &error));
        assert_true(view.known);
        assert_float_equal(view.value, judge(opinion, game, i, &paths), 0);
        assert_int_equal(view.paths, paths);
        assert_int_equal(view.games, opinion->seen[i].games);
        assert_int_equal(view.explored, opinion->seen[i].child_count);
    }
    kn_state_free(game_state);
    free(opinion);
    kn_base_close(base);
    check_ok(error, kn_base_check(workbench, game, "plain.mdb", &error));
    kn_game_close(game);
}

/* With symmetry the four first moves of Othello are one, and all are explored once one is. */
static void test_symmetry(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("othello(size=4)");
    KnBase *turned = test_open_base(game, "turned.mdb", KN_BASE_MAKE | KN_BASE_LOOSE, NULL);
    KnBase *plain = test_open_base(game, "unturned.mdb", KN_BASE_MAKE | KN_BASE_LOOSE,
                                   &(KnBaseKind){.symmetry = false});
    test_fill_base(turned, game, 2, 1, 100);
    KnState *game_state = kn_state_new(game);
    KnMove moves[16];
    KnBaseMove rows[16];
    KnBaseView view;
    int count = kn_state_moves(game_state, 0, moves);
    check_ok(error, kn_base_look(turned, kn_state_position(game_state), moves, count, rows, &view, &error));
    assert_int_equal(count, 4);
    assert_int_equal(view.explored, 4);
    test_fill_base(plain, game, 2, 1, 100);
    check_ok(error, kn_base_look(plain, kn_state_position(game_state), moves, count, rows, &view, &error));
    assert_int_equal(view.explored, 1);
    test_fill_base(turned, game, 2, 60, 100);
    test_fill_base(plain, game, 2, 60, 100);
    KnBaseStat a, b;
    check_ok(error, kn_base_size(turned, &a, &error));
    check_ok(error, kn_base_size(plain, &b, &error));
    assert_true(a.positions < b.positions);
    kn_state_free(game_state);
    kn_base_close(turned);
    kn_base_close(plain);
    check_ok(error, kn_base_check(workbench, game, "turned.mdb", &error));
    kn_game_close(game);
}

/* A searched value of an unexplored move comes back in any orientation the position is met, and is gone
 * once the move is explored. */
static void test_leaf(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("othello");
    KnBase *base = test_open_base(game, "leaf.mdb", KN_BASE_MAKE | KN_BASE_LOOSE, NULL);
    KnState *game_state = kn_state_new(game);
    KnRng rng = kn_rng_seeded(5);
    double outcome = test_play_random(game_state, &rng, 200);
    check_ok(error, kn_base_add(base, game_state, outcome, NULL, NULL, &error));
    const void *position = kn_state_position_at(game_state, 10);
    KnMove moves[60], played = kn_state_joint_at(game_state, 10)[game->type->mover(game, position)],
                      other = KN_MOVE_NONE;
    int count = game->type->moves(game, position, moves);
    for (int i = 0; i < count; i++)
        if (moves[i] != played) other = moves[i];
    assert_true(other != KN_MOVE_NONE);
    check_ok(error, kn_base_note(base, position, other, -250, 2, &error));
    unsigned char image[64] __attribute__((aligned(16)));
    for (int s = 0; s < 8; s++) {
        KnBaseMove rows[60];
        KnBaseView view;
        game->type->transform(game, s, position, image);
        count = game->type->moves(game, image, moves);
        check_ok(error, kn_base_look(base, image, moves, count, rows, &view, &error));
        assert_int_equal(view.leaf, game->type->transform_move(game, s, position, other));
        assert_int_equal(view.leaf_score, -250);
        assert_int_equal(view.leaf_depth, 2);
        assert_float_equal(view.value, outcome, 0);
    }
    while (kn_state_plies(game_state) > 10) kn_state_undo(game_state);
    check_ok(error, kn_state_play(game_state, other, &error));
    KnMove more[60];
    while (!kn_state_over(game_state, NULL)) {
        kn_state_moves(game_state, game->type->mover(game, kn_state_position(game_state)), more);
        check_ok(error, kn_state_play(game_state, more[0], &error));
    }
    check_ok(error, kn_base_add(base, game_state, 1, NULL, NULL, &error));
    KnBaseMove rows[60];
    KnBaseView view;
    count = game->type->moves(game, position, moves);
    check_ok(error, kn_base_look(base, position, moves, count, rows, &view, &error));
    assert_true(view.leaf == KN_MOVE_NONE && view.explored >= 2);
    kn_state_free(game_state);
    kn_base_close(base);
    kn_game_close(game);
}

/* ---- repetition ---- */

typedef struct Listing {
    const KnGame *game;
    KnBase *other;
    int compared;
} Listing;

static KnStatus compare_position(void *user, const KnBasePosition *p, KnError *error)
{
    Listing *listing = user;
    KnBaseView view;
    KnStatus status = kn_base_look(listing->other, p->position, NULL, 0, NULL, &view, error);
    if (status != KN_OK) return status;
    assert_true(view.known);
    assert_float_equal(view.value, p->value, 0);
    assert_int_equal(view.games, p->games);
    assert_int_equal(view.paths, p->paths);
    listing->compared++;
    return KN_OK;
}

/* Morris without counters repeats its positions. Values do not depend on the order in which the games came.
 */
static void test_cycles_and_order(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("morris(men=4)");
    KnBase *forth = test_open_base(game, "forth.mdb", KN_BASE_MAKE | KN_BASE_LOOSE, NULL),
           *back = test_open_base(game, "back.mdb", KN_BASE_MAKE | KN_BASE_LOOSE, NULL);
    KnState *game_state = kn_state_new(game);
    int games = (int)check_scaled(150);
    for (int i = 0; i < games; i++)
        for (int b = 0; b < 2; b++) {
            KnRng rng = kn_rng_stream(3, (uint64_t)(b ? games - 1 - i : i));
            double outcome = test_play_random(game_state, &rng, 120);
            check_ok(error, kn_base_add(b ? back : forth, game_state, outcome, NULL, NULL, &error));
        }
    Listing listing = {game, back, 0};
    check_ok(error, kn_base_positions(forth, compare_position, &listing, &error));
    assert_true(listing.compared > 100);
    kn_state_free(game_state);
    kn_base_close(forth);
    kn_base_close(back);
    check_ok(error, kn_base_check(workbench, game, "forth.mdb", &error));
    kn_game_close(game);
}

/* ---- games that are played again ---- */

static void play_line(KnState *state, const char *moves)
{
    KnError error;
    kn_state_reset(state, NULL);
    check_ok(error, kn_replay(state, moves, &error));
}

static KnStatus note_opponent(void *user, const char *name, uint64_t games, KnError *error)
{
    (void)error;
    char *text = user;
    size_t used = strlen(text);
    snprintf(text + used, 200 - used, "%s=%llu ", *name ? name : "?", (unsigned long long)games);
    return KN_OK;
}

/* Five wins and a loss through the same line are not even; the same play twice is one. */
static void test_multiplicities(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("tictactoe");
    KnBase *base = test_open_base(game, "often.mdb", KN_BASE_MAKE | KN_BASE_LOOSE, NULL);
    KnState *won = kn_state_new(game), *lost = kn_state_new(game);
    play_line(won, "a1 b1 a2 b2 a3");
    play_line(lost, "a1 b1 a2 b2 c3 b3");
    for (uint64_t i = 0; i < 5; i++) {
        KnBasePlay play = {.id = 100 + i, .opponent = i < 2 ? "anna" : "bert"};
        bool added;
        check_ok(error, kn_base_add(base, won, 1, &play, &added, &error));
        assert_true(added);
        check_ok(error, kn_base_add(base, won, 1, &play, &added, &error));
        assert_false(added);
    }
    KnBasePlay once = {.id = 200, .opponent = "anna"};
    check_ok(error, kn_base_add(base, lost, -1, &once, NULL, &error));
    KnBaseView view;
    const void *after = kn_state_position_at(won, 4);
    check_ok(error, kn_base_look(base, after, NULL, 0, NULL, &view, &error));
    assert_int_equal(view.games, 6);
    assert_int_equal(view.distinct, 2);
    assert_int_equal(view.met, 0);
    assert_float_equal(view.mean, 4.0 / 6, 1e-12);
    assert_float_equal(view.value, 1, 0); /* the mover can win: min-max stays beside the mean */
    check_ok(error, kn_base_against(base, "anna", &error));
    KnMove moves[16];
    KnBaseMove rows[16];
    int count = game->type->moves(game, after, moves);
    check_ok(error, kn_base_look(base, after, moves, count, rows, &view, &error));
    assert_int_equal(view.met, 3);
    assert_float_equal(view.met_mean, 1.0 / 3, 1e-12);
    uint64_t met = 0;
    for (int i = 0; i < count; i++) met += rows[i].met;
    assert_int_equal(met, 3);
    check_ok(error, kn_base_against(base, "nobody", &error));
    check_ok(error, kn_base_look(base, after, NULL, 0, NULL, &view, &error));
    assert_int_equal(view.met, 0);
    check_ok(error, kn_base_add(base, lost, -1, NULL, NULL, &error));
    check_ok(error, kn_base_add(base, lost, -1, NULL, NULL, &error)); /* each is new */
    KnBaseStat stat;
    check_ok(error, kn_base_stat(base, &stat, &error));
    assert_int_equal(stat.games, 2);
    assert_int_equal(stat.plays, 8);
    char names[200] = "";
    check_ok(error, kn_base_opponents(base, note_opponent, names, &error));
    assert_string_equal(names, "?=2 anna=3 bert=3 ");
    kn_base_close(base);
    check_ok(error, kn_base_check(workbench, game, "often.mdb", &error));
    kn_state_free(won);
    kn_state_free(lost);
    kn_game_close(game);
}

/* More opponents than a base tells apart: the others count without a name, and names of any length fit. */
static void test_many_opponents(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("tictactoe");
    KnBase *base = test_open_base(game, "many.mdb", KN_BASE_MAKE | KN_BASE_LOOSE, NULL);
    KnState *won = kn_state_new(game);
    play_line(won, "a1 b1 a2 b2 a3");
    char name[2000];
    check_ok(error, kn_base_begin(base, &error));
    for (uint64_t i = 1; i <= KN_BASE_OPPONENTS + 10; i++) {
        snprintf(name, sizeof name, "%0*llu", i % 2 ? 5 : 1500, (unsigned long long)i);
        check_ok(error, kn_base_add(base, won, 1, &(KnBasePlay){i, name}, NULL, &error));
    }
    check_ok(error, kn_base_commit(base, &error));
    KnBaseView view;
    snprintf(name, sizeof name, "%01500d", 2);
    check_ok(error, kn_base_against(base, name, &error));
    check_ok(error, kn_base_look(base, kn_state_position_at(won, 0), NULL, 0, NULL, &view, &error));
    assert_int_equal(view.games, KN_BASE_OPPONENTS + 10);
    assert_int_equal(view.met, 1);
    char names[200] = "";
    check_ok(error, kn_base_opponents(base, note_opponent, names, &error));
    assert_memory_equal(names, "?=10 00001=1 ", 13);
    kn_base_close(base);
    check_ok(error, kn_base_check(workbench, game, "many.mdb", &error));
    kn_state_free(won);
    kn_game_close(game);
}

/* ---- forgetting, merging, compacting ---- */

static void test_limit(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("othello(size=6)");
    KnBase *base = test_open_base(game, "limit.mdb", KN_BASE_MAKE | KN_BASE_LOOSE,
                                  &(KnBaseKind){.symmetry = true, .limit = 300});
    KnState *game_state = kn_state_new(game);
    KnRng rng = kn_rng_seeded(4);
    double first = test_play_random(game_state, &rng, 100);
    check_ok(error, kn_base_add(base, game_state, first, NULL, NULL, &error));
    for (int i = 0; i < 40; i++) {
        KnState *other = kn_state_new(game);
        double outcome = test_play_random(other, &rng, 100);
        check_ok(error, kn_base_add(base, other, outcome, NULL, NULL, &error));
        kn_state_free(other);
        if (i < 20)
            check_ok(error, kn_base_add(base, game_state, first, NULL, NULL, &error)); /* seen, and so kept */
        KnBaseStat stat;
        check_ok(error, kn_base_size(base, &stat, &error));
        assert_true(stat.positions <= 300);
        KnBaseView view;
        check_ok(error,
                 kn_base_look(base, kn_state_position_at(game_state, 20), NULL, 0, NULL, &view, &error));
        if (i < 20) assert_true(view.known);
        if (i == 39) assert_false(view.known);
    }
    kn_state_free(game_state);
    kn_base_close(base);
    check_ok(error, kn_base_check(workbench, game, "limit.mdb", &error));
    kn_game_close(game);
}

/* Many positions in one transaction: all of them stay in memory until it is committed, and make what games
 * one by one make. */
static void test_large_transaction(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("othello(size=6)");
    KnBaseStat stats[2];
    for (int whole = 0; whole < 2; whole++) {
        const char *path = whole ? "whole.mdb" : "single.mdb";
        KnBase *base = test_open_base(game, path, KN_BASE_MAKE | KN_BASE_LOOSE, NULL);
        if (whole) check_ok(error, kn_base_begin(base, &error));
        test_fill_base(base, game, 21, 120, 100);
        if (whole) check_ok(error, kn_base_commit(base, &error));
        check_ok(error, kn_base_stat(base, &stats[whole], &error));
        kn_base_close(base);
        check_ok(error, kn_base_check(workbench, game, path, &error));
    }
    assert_true(stats[0].positions > 2048);
    assert_int_equal(stats[1].positions, stats[0].positions);
    assert_int_equal(stats[1].games, stats[0].games);
    kn_game_close(game);
}

static void test_merge_and_compact(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("othello(size=6)");
    KnBase *a = test_open_base(game, "a.mdb", KN_BASE_MAKE, NULL),
           *b = test_open_base(game, "b.mdb", KN_BASE_MAKE, NULL);
    KnBase *both = test_open_base(game, "both.mdb", KN_BASE_MAKE | KN_BASE_LOOSE, NULL);
    test_fill_base(a, game, 10, 30, 100);
    test_fill_base(b, game, 10, 15, 100);
    test_fill_base(b, game, 11, 15, 100);
    test_fill_base(both, game, 11, 15, 100);
    test_fill_base(both, game, 10, 30, 100);
    uint64_t added;
    check_ok(error, kn_base_merge(a, b, NULL, &added, &error));
    assert_int_equal(added, 15);
    check_ok(error, kn_base_merge(a, b, NULL, &added, &error));
    assert_int_equal(added, 0);
    Listing listing = {game, both, 0};
    check_ok(error, kn_base_positions(a, compare_position, &listing, &error));
    check_fails(error, KN_USAGE, "itself", kn_base_merge(a, a, NULL, &added, &error));
    check_fails(error, KN_SYSTEM, "in use", kn_base_compact("a.mdb", &error));
    kn_base_close(a);
    kn_base_close(b);
    struct stat before, after;
    assert_int_equal(stat("a.mdb", &before), 0);
    check_ok(error, kn_base_compact("a.mdb", &error));
    assert_int_equal(stat("a.mdb", &after), 0);
    assert_true(after.st_size <= before.st_size);
    check_ok(error, kn_base_check(workbench, game, "a.mdb", &error));
    a = test_open_base(game, "a.mdb", 0, NULL);
    listing.compared = 0;
    check_ok(error, kn_base_positions(a, compare_position, &listing, &error));
    assert_true(listing.compared > 300);
    check_fails(error, KN_USAGE, "reading", kn_base_begin(a, &error));
    kn_base_close(a);
    kn_base_close(both);
    kn_game_close(game);
}

/* ---- what it refuses ---- */

static void write_file(const char *path, const char *content)
{
    KnError error;
    check_ok(error, kn_file_write_atomic(path, content, strlen(content), &error));
}

static void test_refusals(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("othello(size=6)"), *other = test_workbench_game("tictactoe"),
           *matrix = test_workbench_game("dilemma");
    KnBase *base;
    check_fails(error, KN_INPUT, "there is no experience base",
                kn_base_open(workbench, game, "none.mdb", 0, NULL, &base, &error));
    check_fails(error, KN_INPUT, "take turns",
                kn_base_open(workbench, matrix, "none.mdb", KN_BASE_MAKE, NULL, &base, &error));
    assert_int_not_equal(access("none.mdb", F_OK), 0);
    write_file("words.txt", "these are words, and no base at all");
    check_fails(error, KN_INPUT, "is no experience base",
                kn_base_open(workbench, game, "words.txt", KN_BASE_MAKE, NULL, &base, &error));
    check_fails(error, KN_INPUT, "is no file",
                kn_base_open(workbench, game, ".", KN_BASE_MAKE, NULL, &base, &error));
    check_fails(error, KN_SYSTEM, "nowhere",
                kn_base_open(workbench, game, "nowhere/x.mdb", KN_BASE_MAKE, NULL, &base, &error));
    base = test_open_base(game, "mine.mdb", KN_BASE_MAKE, NULL);
    test_fill_base(base, game, 1, 20, 100);
    kn_base_close(base);
    check_fails(error, KN_INPUT, "holds experience of othello(size=6), not of tictactoe",
                kn_base_open(workbench, other, "mine.mdb", KN_BASE_MAKE, NULL, &base, &error));
    KnText words = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("words.txt", &words, 100, &error));
    assert_string_equal(words.data, "these are words, and no base at all");
    kn_text_free(&words);
    kn_game_close(game);
    kn_game_close(other);
    kn_game_close(matrix);
}

/* What is left where making a base was cut short is no base, and may become one. */
/* On a network file system nothing is written, and nothing is left behind; reading is fine. */
static void test_network_file_system(void **state)
{
    (void)state;
    KnError error;
    KnBase *base;
    KnGame *game = test_workbench_game("tictactoe");
    base = test_open_base(game, "local.mdb", KN_BASE_MAKE, NULL);
    test_fill_base(base, game, 3, 5, 100);
    kn_base_close(base);
    setenv("KNACK_SHARED_FILES", "yes", 1);
    KnStatus made = kn_base_open(workbench, game, "remote.mdb", KN_BASE_MAKE, NULL, &base, &error);
    assert_int_equal(made, KN_INPUT);
    assert_non_null(strstr(error.text, "remote.mdb: lies on a network file system"));
    assert_false(kn_file_exists("remote.mdb"));
    assert_int_equal(kn_base_open(workbench, game, "local.mdb", KN_BASE_WRITE, NULL, &base, &error),
                     KN_INPUT);
    KnStatus read = kn_base_open(workbench, game, "local.mdb", 0, NULL, &base, &error);
    unsetenv("KNACK_SHARED_FILES");
    assert_int_equal(read, KN_OK);
    KnBaseStat stat;
    check_ok(error, kn_base_stat(base, &stat, &error));
    assert_int_equal(stat.games, 5);
    kn_base_close(base);
    kn_game_close(game);
}

static void test_cut_short(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("tictactoe");
    KnBase *base;
    KnBaseHeader header;
    MDB_env *env;
    write_file("begun.mdb", "");
    assert_int_equal(mdb_env_create(&env), 0);
    assert_int_equal(mdb_env_open(env, "bare.mdb", MDB_NOSUBDIR, 0644), 0);
    mdb_env_close(env);
    write_file("other.txt", "words");
    assert_false(kn_base_empty("other.txt") || kn_base_empty("nothing.mdb") || kn_base_empty("."));
    static const char *const paths[] = {"begun.mdb", "bare.mdb"};
    for (int i = 0; i < 2; i++) {
        assert_true(kn_base_empty(paths[i]));
        check_fails(error, KN_INPUT, "is empty",
                    kn_base_open(workbench, game, paths[i], 0, NULL, &base, &error));
        check_ok(error, kn_base_open(workbench, game, paths[i], KN_BASE_MAKE, NULL, &base, &error));
        kn_base_close(base);
        assert_false(kn_base_empty(paths[i]));
        check_ok(error, kn_base_peek(paths[i], &header, &error));
        assert_string_equal(header.game, "tictactoe");
    }
    kn_game_close(game);
}

/* A second writing process is told so; readers are welcome. */
static void test_second_writer(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("othello(size=6)");
    KnBase *base = test_open_base(game, "shared.mdb", KN_BASE_MAKE, NULL), *reader;
    test_fill_base(base, game, 1, 5, 100);
    pid_t child = fork();
    if (child == 0) {
        KnContext *own = test_workbench("second");
        KnGame *same;
        int wrong = kn_game_open(own, "othello(size=6)", &same, &error) != KN_OK;
        wrong |= kn_base_open(own, same, "shared.mdb", KN_BASE_WRITE, NULL, &reader, &error) != KN_SYSTEM ||
                 !strstr(error.text, "another process");
        wrong |= (kn_base_open(own, same, "shared.mdb", 0, NULL, &reader, &error) != KN_OK) << 1;
        KnBaseStat stat;
        wrong |= (kn_base_size(reader, &stat, &error) != KN_OK || stat.games != 5) << 2;
        _exit(wrong);
    }
    int ended;
    waitpid(child, &ended, 0);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
    reader = test_open_base(game, "shared.mdb", 0, NULL);
    test_fill_base(base, game, 2, 5, 100);
    KnBaseStat stat;
    check_ok(error, kn_base_size(reader, &stat, &error));
    assert_int_equal(stat.games, 10);
    kn_base_close(reader);
    kn_base_close(base);
    kn_game_close(game);
}

/* A disk that ends in mid-write: the message says so, and the base is as it was. */
static void test_full_disk(void **state)
{
    (void)state;
    KnError error;
    KnGame *game = test_workbench_game("othello");
    KnBase *base = test_open_base(game, "full.mdb", KN_BASE_MAKE, NULL);
    test_fill_base(base, game, 1, 10, 100);
    struct stat info;
    assert_int_equal(stat("full.mdb", &info), 0);
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = (struct rlimit){(rlim_t)info.st_size, old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    KnState *game_state = kn_state_new(game);
    KnStatus status = KN_OK;
    int added = 0;
    for (uint64_t i = 0; i < 2000 && status == KN_OK; i++, added += status == KN_OK) {
        KnRng rng = kn_rng_stream(2, i);
        double outcome = test_play_random(game_state, &rng, 100);
        status = kn_base_add(base, game_state, outcome, NULL, NULL, &error);
    }
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(status, KN_SYSTEM);
    KnBaseStat stat_;
    check_ok(error, kn_base_size(base, &stat_, &error));
    assert_int_equal(stat_.games, 10 + added);
    double outcome = test_play_random(game_state, &(KnRng){{1, 2, 3, 4}}, 100);
    check_ok(error, kn_base_add(base, game_state, outcome, NULL, NULL, &error));
    kn_state_free(game_state);
    kn_base_close(base);
    check_ok(error, kn_base_check(workbench, game, "full.mdb", &error));
    kn_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_plain_minimax),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_leaf),
        cmocka_unit_test(test_cycles_and_order),
        cmocka_unit_test(test_multiplicities),
        cmocka_unit_test(test_many_opponents),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_network_file_system),
        cmocka_unit_test(test_large_transaction),
        cmocka_unit_test(test_merge_and_compact),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_second_writer),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
