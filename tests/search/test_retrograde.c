/* Retrograde analysis against independent methods: minimax for games that end, value iteration over all
 * states for games with cycles, and published counts. */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include <knack/base.h>
#include "search/solved.h"

/* ---- A game by table: states with random successors and movers, cycles and chains of moves by one role
 * included ---- */

enum { MAZE_MAX = 6000, MAZE_MOVES = 4, MAZE_PHASES = 12 };

typedef struct Maze {
    uint32_t states;
    uint8_t count[MAZE_MAX], mover[MAZE_MAX];
    int8_t payoff[MAZE_MAX]; /* for role 0, at ends */
    uint32_t next[MAZE_MAX][MAZE_MOVES];
} Maze;

typedef struct Place {
    uint64_t at;
} Place;

static const Maze *maze_of(const KnGame *game) { return game->data; }
static void maze_start(const KnGame *game, void *p) { (void)game, memset(p, 0, sizeof(Place)); }
static int maze_mover(const KnGame *game, const void *p)
{
    return maze_of(game)->mover[((const Place *)p)->at];
}
static int maze_moves(const KnGame *game, const void *p, KnMove *moves)
{
    uint64_t at = ((const Place *)p)->at;
    for (int i = 0; i < maze_of(game)->count[at]; i++) moves[i] = (KnMove)i;
    return maze_of(game)->count[at];
}
static void maze_play(const KnGame *game, void *p, KnMove move)
{
    Place *place = p;
    place->at = maze_of(game)->next[place->at][move];
}
static int maze_phase(const KnGame *game, const void *p)
{
    return (int)(((const Place *)p)->at % (uint64_t)game->phases);
}
static void maze_payoffs(const KnGame *game, const void *p, double *out)
{
    out[0] = maze_of(game)->payoff[((const Place *)p)->at];
    out[1] = -out[0];
}
static uint64_t maze_pack(const KnGame *game, const void *p) { return (void)game, ((const Place *)p)->at; }
static void maze_unpack(const KnGame *game, uint64_t code, void *p) { (void)game, ((Place *)p)->at = code; }

static KnStatus maze_open(KnGame *game, const KnOptions *options, KnError *error)
{
    Maze *maze = calloc(1, sizeof *maze);
    if (!maze) return kn_fail_memory(error, "testing");
    game->data = maze;
    game->position_size = sizeof(Place);
    game->max_moves = MAZE_MOVES;
    game->roles = 2;
    game->phases = MAZE_PHASES;
    game->traits = KN_GAME_ZERO_SUM | KN_GAME_ENDLESS | KN_GAME_CHAINS;
    KnRng rng = kn_rng_seeded((uint64_t)kn_option_integer(options, "seed"));
    maze->states = (uint32_t)kn_option_integer(options, "states");
    for (uint32_t i = 0; i < maze->states; i++) {
        maze->mover[i] = (uint8_t)kn_rng_below(&rng, 2);
        bool end = kn_rng_below(&rng, 6) == 0 && i;
        maze->count[i] = end ? 0 : (uint8_t)(1 + kn_rng_below(&rng, MAZE_MOVES));
        maze->payoff[i] = (int8_t)((int)kn_rng_below(&rng, 3) - 1);
        for (int k = 0; k < MAZE_MOVES; k++) maze->next[i][k] = kn_rng_below(&rng, maze->states);
    }
    return KN_OK;
}
static void maze_close(KnGame *game) { free(game->data); }

static const KnOption maze_options[] = {{"seed", KN_OPTION_INTEGER, "1", 0, 1e9, NULL, ""},
                                        {"states", KN_OPTION_INTEGER, "50", 1, MAZE_MAX, NULL, ""},
                                        {0}};
static const KnGameType maze_type = {.head = {"maze", "a game by table", maze_options},
                                     .open = maze_open,
                                     .close = maze_close,
                                     .start = maze_start,
                                     .mover = maze_mover,
                                     .moves = maze_moves,
                                     .play = maze_play,
                                     .phase = maze_phase,
                                     .payoffs = maze_payoffs,
                                     .pack = maze_pack,
                                     .unpack = maze_unpack};
static const KnGameType codeless_type = {.head = {"codeless", "a maze without codes", maze_options},
                                         .open = maze_open,
                                         .close = maze_close,
                                         .start = maze_start,
                                         .mover = maze_mover,
                                         .moves = maze_moves,
                                         .play = maze_play,
                                         .payoffs = maze_payoffs};

typedef struct Fixture {
    KnContext *context;
    KnGame *game;
} Fixture;

static Fixture open_game(const char *spec)
{
    Fixture f;
    KnError error;
    f.context = kn_context_new();
    check_ok(error, kn_games_register(f.context, &error));
    check_ok(error, kn_register(f.context, KN_KIND_GAME, &maze_type.head, &error));
    check_ok(error, kn_register(f.context, KN_KIND_GAME, &codeless_type.head, &error));
    check_ok(error, kn_game_open(f.context, spec, &f.game, &error));
    return f;
}

static void close_game(Fixture *f)
{
    kn_game_close(f->game);
    kn_close(f->context);
}

/* ---- Random graphs against passes over all states until nothing changes ---- */

enum { UNKNOWN = 9 };

/* Pass d decides exactly what is d plies from its end, from the definition. */
static void slow_solve(const Maze *maze, int *value, int *plies)
{
    for (uint32_t i = 0; i < maze->states; i++) {
        value[i] = UNKNOWN, plies[i] = 0;
        if (!maze->count[i]) value[i] = maze->mover[i] ? -maze->payoff[i] : maze->payoff[i];
    }
    bool changed = true;
    for (int pass = 1; changed; pass++) {
        changed = false;
        for (uint32_t i = 0; i < maze->states; i++) {
            if (value[i] != UNKNOWN) continue;
            bool win = false, all_lose = true;
            for (int k = 0; k < maze->count[i]; k++) {
                uint32_t to = maze->next[i][k];
                bool known = value[to] != UNKNOWN && plies[to] < pass;
                int seen = !known ? 0 : maze->mover[to] == maze->mover[i] ? value[to] : -value[to];
                win |= seen > 0;
                all_lose &= seen < 0;
            }
            if (!win && !all_lose) continue;
            value[i] = win ? 1 : -1;
            plies[i] = pass;
            changed = true;
        }
    }
    for (uint32_t i = 0; i < maze->states; i++)
        if (value[i] == UNKNOWN) value[i] = 0;
}

static void test_mazes(void **state)
{
    (void)state;
    static int value[MAZE_MAX], plies[MAZE_MAX];
    long decided = 0, drawn = 0, reached = 0;
    for (long seed = 0; seed < check_scaled(300); seed++) {
        char spec[64];
        snprintf(spec, sizeof spec, "maze(seed=%ld, states=%ld)", seed, seed % 10 ? 2 + seed % 97 : 3000L);
        Fixture f = open_game(spec);
        const Maze *maze = maze_of(f.game);
        KnError error;
        KnSolved *solved;
        KnProgress *progress = kn_progress_open(&(KnProgressOptions){.label = "mazes"});
        KnSolveOptions options = {.jobs = 1 + (int)(seed % 4), .progress = progress};
        check_ok(error, kn_solve(f.game, &options, &solved, &error));
        const KnSolvedFacts *facts = kn_solved_facts(solved);
        KnProgressState told = kn_progress_state(progress);
        assert_true(told.total == 3 * facts->total.states && told.done == told.total);
        kn_progress_free(progress);
        slow_solve(maze, value, plies);
        uint64_t found = 0, phases[KN_TALLY_PHASES] = {0};
        for (uint32_t i = 0; i < maze->states; i++) {
            Place place = {i};
            int v, p;
            if (!kn_solved_probe(solved, f.game, &place, &v, &p)) continue;
            if (v != value[i] || p != plies[i])
                fail_msg("%s, state %u: %+d in %d, by definition %+d in %d", spec, i, v, p, value[i],
                         plies[i]);
            found++;
            phases[i % MAZE_PHASES < KN_TALLY_PHASES ? i % MAZE_PHASES : KN_TALLY_PHASES - 1]++;
            *(v ? &decided : &drawn) += 1;
            for (int k = 0; k < maze->count[i];
                 k++) { /* every reachable state is in the table and has the right value from here */
                int mv, mp;
                uint32_t to = maze->next[i][k];
                assert_true(kn_solved_probe_move(solved, f.game, &place, (KnMove)k, &mv, &mp));
                assert_int_equal(mv, maze->mover[to] == maze->mover[i] ? value[to] : -value[to]);
                assert_int_equal(mp, mv ? plies[to] + 1 : 0);
            }
        }
        assert_int_equal(found, facts->total.states);
        assert_int_equal(facts->value, value[0]);
        for (int i = 0; i < KN_TALLY_PHASES; i++) assert_int_equal(facts->phase[i].states, phases[i]);
        reached += (long)found;
        kn_solved_free(solved);
        close_game(&f);
    }
    assert_true(decided > reached / 10 && drawn > reached / 10); /* the samples contain both */
}

/* ---- Tic-tac-toe against minimax ---- */

static int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/* Minimax value and plies for the mover; checks the table at every position. */
static void minimax(const KnSolved *solved, const KnGame *game, const void *position, int *value, int *plies)
{
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, position, moves), mover = game->type->mover(game, position);
    *value = -2, *plies = 0;
    if (!count) {
        double payoffs[2];
        game->type->payoffs(game, position, payoffs);
        *value = sign(payoffs[mover]);
    }
    for (int i = 0; i < count; i++) {
        _Alignas(16) unsigned char next[game->position_size];
        int v, p;
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        minimax(solved, game, next, &v, &p);
        v = -v, p = v ? p + 1 : 0;
        bool better = v > *value || (v == *value && (v > 0 ? p < *plies : p > *plies));
        if (better) *value = v, *plies = p;
    }
    int v, p;
    assert_true(kn_solved_probe(solved, game, position, &v, &p));
    assert_int_equal(v, *value);
    assert_int_equal(p, *plies);
}

static void check_tictactoe(const char *spec, uint64_t wins, const char *drawing)
{
    Fixture f = open_game(spec);
    KnError error;
    KnSolved *solved;
    check_ok(error, kn_solve(f.game, NULL, &solved, &error));
    const KnSolvedFacts *facts = kn_solved_facts(solved);
    assert_int_equal(facts->total.states, 5478);
    assert_int_equal(facts->total.classes, 765);
    assert_int_equal(facts->total.wins, wins);
    assert_int_equal(facts->total.wins + facts->total.draws + facts->total.losses, 5478);
    assert_int_equal(facts->value, 0);
    _Alignas(16) unsigned char start[f.game->position_size];
    f.game->type->start(f.game, start);
    int value, plies;
    minimax(solved, f.game, start, &value, &plies);
    KnMove moves[f.game->max_moves];
    KnText names = KN_TEXT_EMPTY;
    for (int i = 0; i < f.game->type->moves(f.game, start, moves); i++) {
        assert_true(kn_solved_probe_move(solved, f.game, start, moves[i], &value, &plies));
        if (value == 0) f.game->type->move_text(f.game, start, moves[i], &names);
    }
    assert_string_equal(names.data, drawing);
    kn_text_free(&names);
    kn_solved_free(solved);
    close_game(&f);
}

static void test_tictactoe(void **state)
{
    (void)state;
    check_tictactoe("tictactoe", 2836, "a3b3c3a2b2c2a1b1c1");
    check_tictactoe("tictactoe(lose)", 3054, "b2"); /* only the centre draws */
}

/* From another start position, which only some symmetries map to itself, states are still counted exactly. */
static void test_start_elsewhere(void **state)
{
    (void)state;
    Fixture f = open_game("tictactoe");
    KnError error;
    _Alignas(16) unsigned char corner[f.game->position_size], other[f.game->position_size];
    check_ok(error, f.game->type->parse_position(f.game, "x../.../... o", corner, &error));
    check_ok(error, f.game->type->parse_position(f.game, "..x/.../... o", other, &error));
    KnSolved *solved;
    check_ok(error, kn_solve(f.game, &(KnSolveOptions){.start = corner}, &solved, &error));
    int value, plies;
    assert_false(kn_solved_probe(solved, f.game, other, &value, &plies));
    uint64_t reached = 0;
    for (uint64_t code = 0; code < 1 << 19; code++) {
        _Alignas(16) unsigned char position[f.game->position_size];
        f.game->type->unpack(f.game, code, position);
        if (f.game->type->check(f.game, position, NULL) != KN_OK) continue;
        reached += kn_solved_probe(solved, f.game, position, &value, &plies);
    }
    assert_int_equal(reached, kn_solved_facts(solved)->total.states);
    kn_solved_free(solved);
    close_game(&f);
}

/* Small enough for every run but those of sanitizers; the numbers of five men are checked where that is
 * solved anyway (lab/test_property_hoyle.c). */
static void test_morris(void **state)
{
    (void)state;
    if (check_scaled(10) < 4) skip();
    Fixture f = open_game("morris(men=4)");
    KnError error;
    KnSolved *solved;
    check_ok(error, kn_solve(f.game, NULL, &solved, &error));
    const KnSolvedFacts *facts = kn_solved_facts(solved);
    assert_int_equal(facts->value, 0);
    assert_int_equal(facts->total.states, 4111151);
    assert_int_equal(facts->total.classes, 517222);
    assert_int_equal(facts->total.longest, 40);
    assert_int_equal(facts->phase[1].longest, 38); /* two more while men are placed */
    assert_int_equal(facts->phase[0].states + facts->phase[1].states, facts->total.states);
    assert_int_equal(facts->total.wins + facts->total.draws + facts->total.losses, facts->total.states);
    kn_solved_free(solved);
    close_game(&f);
}

/* ---- Limits ---- */

static void test_refusals(void **state)
{
    (void)state;
    KnError error;
    KnSolved *solved;
    Fixture f = open_game("morris(men=9)");
    KnSolveOptions small = {.memory = 8 << 20};
    check_fails(error, KN_SYSTEM, "morris(men=9) is too large", kn_solve(f.game, &small, &solved, &error));
    assert_null(solved);
    atomic_bool cancel = true;
    KnSolveOptions cancelled = {.cancel = &cancel};
    check_fails(error, KN_STOPPED, "", kn_solve(f.game, &cancelled, &solved, &error));
    close_game(&f);
    f = open_game("codeless");
    check_fails(error, KN_INPUT, "exact codes", kn_solve(f.game, NULL, &solved, &error));
    close_game(&f);
}

/* With ever more memory allowed, refusals while enumerating give way to refusals while making the graph, then
 * to success. */
static void test_memory_bound(void **state)
{
    (void)state;
    Fixture f = open_game("maze(seed=10, states=6000)");
    int refused = 0, solved_at = 0, step = 0;
    for (double memory = 20000; memory < 4e6; memory *= 1.1, step++) {
        KnError error;
        KnSolved *solved;
        KnStatus status = kn_solve(f.game, &(KnSolveOptions){.jobs = 1, .memory = (size_t)memory}, &solved,
                                   &error);
        if (status == KN_OK) {
            if (!solved_at) solved_at = step;
            kn_solved_free(solved);
            continue;
        }
        check_fails(error, KN_SYSTEM, "is too large to be solved within", status);
        assert_int_equal(solved_at, 0); /* more memory never hurts */
        refused++;
    }
    assert_true(refused > 5 && solved_at == refused && solved_at < step - 5);
    close_game(&f);
}

static void test_verify_sees_errors(void **state)
{
    (void)state;
    Fixture f = open_game("tictactoe");
    KnError error;
    KnRetrograde solution;
    KnSolveOptions options = {0};
    check_ok(error, kn_retrograde(f.game, &options, &solution, &error));
    int caught = 0;
    for (size_t i = 0; i < solution.states.count; i++) {
        KnResult right = solution.results[i];
        solution.results[i] = right ? (KnResult)(right + 8)
                                    : KN_RESULT_WIN | 4; /* two plies more; a win for a draw */
        caught += kn_retrograde_verify(f.game, &options, &solution, &error) == KN_NO;
        solution.results[i] = right;
    }
    assert_int_equal(caught, solution.states.count);
    check_ok(error, kn_retrograde_verify(f.game, &options, &solution, &error));
    kn_retrograde_free(&solution);
    close_game(&f);
}

/* ---- Files ---- */

static void read_bytes(const char *path, KnText *text)
{
    KnError error;
    check_ok(error, kn_file_read(path, text, 1 << 24, &error));
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void test_same_bytes_for_any_jobs(void **state)
{
    (void)state;
    Fixture f = open_game("maze(seed=10, states=6000)");
    KnText first = KN_TEXT_EMPTY, other = KN_TEXT_EMPTY;
    for (int jobs = 1; jobs <= 4; jobs++) {
        KnError error;
        KnSolved *solved;
        check_ok(error, kn_solve(f.game, &(KnSolveOptions){.jobs = jobs}, &solved, &error));
        check_ok(error, kn_solved_save(solved, "jobs.kns", &error));
        read_bytes("jobs.kns", jobs == 1 ? &first : &other);
        if (jobs > 1) {
            assert_int_equal(first.length, other.length);
            assert_memory_equal(first.data, other.data, first.length);
        }
        kn_solved_free(solved);
    }
    kn_text_free(&first);
    kn_text_free(&other);
    close_game(&f);
}

static void test_file_round_trip(void **state)
{
    (void)state;
    Fixture f = open_game("tictactoe(lose)");
    KnError error;
    KnSolved *solved, *loaded;
    check_ok(error, kn_solve(f.game, NULL, &solved, &error));
    check_ok(error, kn_solved_save(solved, "lose.kns", &error));
    check_ok(error, kn_solved_load(f.game, "lose.kns", &loaded, &error));
    const KnSolvedFacts *a = kn_solved_facts(solved), *b = kn_solved_facts(loaded);
    assert_memory_equal(&a->total, &b->total, sizeof a->total);
    assert_true(a->value == b->value && a->plies == b->plies && a->moves == b->moves &&
                a->phases == b->phases);
    _Alignas(16) unsigned char start[f.game->position_size];
    f.game->type->start(f.game, start);
    int value, plies;
    minimax(loaded, f.game, start, &value, &plies);
    kn_solved_free(solved);
    kn_solved_free(loaded);
    close_game(&f);
}

static void test_damaged_files(void **state)
{
    (void)state;
    Fixture f = open_game("tictactoe"), lose = open_game("tictactoe(lose)");
    KnError error;
    KnSolved *solved;
    check_ok(error, kn_solve(f.game, NULL, &solved, &error));
    check_ok(error, kn_solved_save(solved, "whole.kns", &error));
    kn_solved_free(solved);
    KnText whole = KN_TEXT_EMPTY;
    read_bytes("whole.kns", &whole);
    for (size_t length = 0; length < whole.length; length += 1 + whole.length / 61) { /* cut short */
        write_bytes("bad.kns", whole.data, length);
        check_fails(error, KN_INPUT, "bad.kns: is ", kn_solved_load(f.game, "bad.kns", &solved, &error));
        assert_null(solved);
    }
    for (size_t at = 0; at < whole.length; at += at < 700 ? 1 : 97) { /* one bit wrong */
        whole.data[at] = (char)(whole.data[at] ^ 1 << at % 8);
        write_bytes("bad.kns", whole.data, whole.length);
        check_fails(error, KN_INPUT, "bad.kns: ", kn_solved_load(f.game, "bad.kns", &solved, &error));
        whole.data[at] = (char)(whole.data[at] ^ 1 << at % 8);
    }
    kn_text_add_char(&whole, 'x'); /* something after the end */
    write_bytes("bad.kns", whole.data, whole.length);
    check_fails(error, KN_INPUT, "truncated or damaged", kn_solved_load(f.game, "bad.kns", &solved, &error));
    write_bytes("bad.kns", "not at all", 10);
    check_fails(error, KN_INPUT, "is no solved game", kn_solved_load(f.game, "bad.kns", &solved, &error));
    check_fails(error, KN_SYSTEM, "none.kns", kn_solved_load(f.game, "none.kns", &solved, &error));
    check_fails(error, KN_INPUT, "holds tictactoe(lose=no), not tictactoe(lose=yes)",
                kn_solved_load(lose.game, "whole.kns", &solved, &error));
    kn_text_free(&whole);
    close_game(&lose);
    close_game(&f);
}

static void test_cache(void **state)
{
    (void)state;
    Fixture f = open_game("tictactoe");
    KnError error;
    KnSolved *solved;
    KnText path = KN_TEXT_EMPTY, same = KN_TEXT_EMPTY, other = KN_TEXT_EMPTY;
    check_ok(error, kn_solved_path(f.game, &path, &error));
    assert_string_equal(path.data, ""); /* no data folder: solved all the same */
    check_ok(error, kn_solved_open(f.game, NULL, &solved, &error));
    kn_solved_free(solved);

    check_ok(error, kn_context_set_data(f.context, "data/of/mine", &error));
    check_ok(error, kn_solved_open(f.game, NULL, &solved, &error));
    assert_false(kn_solved_facts(solved)->from_cache);
    assert_string_equal(kn_solved_facts(solved)->note, "");
    kn_solved_free(solved);
    check_ok(error, kn_solved_open(f.game, NULL, &solved, &error));
    assert_true(kn_solved_facts(solved)->from_cache);
    assert_int_equal(kn_solved_facts(solved)->total.states, 5478);
    kn_solved_free(solved);

    /* Different spellings of a game share one file. */
    KnGame *spelled, *lose;
    check_ok(error, kn_game_open(f.context, "tictactoe(-lose)", &spelled, &error));
    check_ok(error, kn_game_open(f.context, "tictactoe(lose)", &lose, &error));
    check_ok(error, kn_solved_path(f.game, &path, &error));
    check_ok(error, kn_solved_path(spelled, &same, &error));
    check_ok(error, kn_solved_path(lose, &other, &error));
    assert_string_equal(path.data, same.data);
    assert_string_not_equal(path.data, other.data);
    kn_game_close(spelled);
    kn_game_close(lose);

    /* A damaged file is an error and stays as it is. */
    write_bytes(path.data, "garbage", 7);
    check_fails(error, KN_INPUT, "is no solved game", kn_solved_open(f.game, NULL, &solved, &error));
    read_bytes(path.data, &other);
    assert_string_equal(other.data, "garbage");

    /* If the file cannot be saved, the solution is still usable and has a note with the reason. */
    write_bytes("file", "", 0);
    check_ok(error, kn_context_set_data(f.context, "file", &error));
    check_ok(error, kn_solved_open(f.game, NULL, &solved, &error));
    assert_non_null(strstr(kn_solved_facts(solved)->note, "file/solved"));
    kn_solved_free(solved);
    kn_text_free(&path);
    kn_text_free(&same);
    kn_text_free(&other);
    close_game(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mazes),
        cmocka_unit_test(test_tictactoe),
        cmocka_unit_test(test_start_elsewhere),
        cmocka_unit_test(test_morris),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory_bound),
        cmocka_unit_test(test_verify_sees_errors),
        cmocka_unit_test(test_same_bytes_for_any_jobs),
        cmocka_unit_test(test_file_round_trip),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
