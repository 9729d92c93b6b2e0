/* The two reasoners against each other: over random games they say the same of every state, on every
 * description of the project and on random descriptions full of circles, negation and rules about moves. */
#include "support/check.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include <knack/base.h>
#include "games/gdl/propnet_reasoner.h"
#include "games/gdl/playouts.h"
#include "games/gdl/relaxed.h"

#define DESCRIPTIONS KNACK_SOURCE_DIR "/data/gdl"

typedef struct Pair {
    KnGdlMachine *machines[2]; /* fast, prover */
    uint64_t *states[2], *moves[2];
    const char *name, *text;
    bool cut, demand, plain; /* rules, derivation and the network, for the fast one */
} Pair;

static KnGdlMachine *machine_of(const Pair *pair, KnGdlReasoner reasoner)
{
    KnError error;
    KnGdlDescription *description;
    KnGdlMachine *machine = NULL;
    check_ok(error, kn_gdl_read(pair->name, pair->text, strlen(pair->text), false, &description, &error));
    KnGdlLimits limits = {.facts = 4096,
                          .moves = 4096,
                          .reasoner = reasoner,
                          .split = pair->cut,
                          .demand = pair->demand,
                          .plain = pair->plain};
    KnStatus status = kn_gdl_machine_new(description, &limits, &machine, &error);
    if (status != KN_OK) fail_msg("%s\n%s", error.text, pair->text);
    return machine;
}

static void open_pair(Pair *pair)
{
    KnError error;
    for (int i = 0; i < 2; i++) {
        KnGdlMachine *machine = pair->machines[i] = machine_of(pair, i ? KN_GDL_PROVER : KN_GDL_PROPNET);
        pair->states[i] = calloc(kn_gdl_machine_words(machine), sizeof(uint64_t));
        pair->moves[i] = calloc((size_t)kn_gdl_machine_moves(machine), sizeof(uint64_t));
        check_ok(error, kn_gdl_start(machine, pair->states[i], &error));
    }
}

static void close_pair(Pair *pair)
{
    for (int i = 0; i < 2; i++) {
        free(pair->states[i]);
        free(pair->moves[i]);
        kn_gdl_machine_free(pair->machines[i]);
    }
}

/* Fails with both texts and the rules. */
static void same_texts(const Pair *pair, const char *what, KnText *texts)
{
    if (strcmp(texts[0].data, texts[1].data) != 0)
        fail_msg("%s: %s\nfast:   %s\nprover: %s\n%.3000s", pair->name, what, texts[0].data, texts[1].data,
                 pair->text);
    for (int i = 0; i < 2; i++) kn_text_clear(&texts[i]);
}

/* Compares all that is said of the state; picks a joint move. False: the game is over. */
static bool compare_state(Pair *pair, KnRng *rng, uint64_t joint[2][KN_GDL_ROLES])
{
    KnText texts[2] = {KN_TEXT_EMPTY, KN_TEXT_EMPTY};
    int roles = kn_gdl_machine_description(pair->machines[0])->role_count;
    KnError error;
    bool open = true;
    for (int i = 0; i < 2; i++) kn_gdl_state_text(pair->machines[i], pair->states[i], " ", &texts[i]);
    same_texts(pair, "facts", texts);
    assert_int_equal(kn_gdl_state_hash(pair->machines[0], pair->states[0]),
                     kn_gdl_state_hash(pair->machines[1], pair->states[1]));
    for (int i = 0; i < 2; i++) {
        bool terminal;
        check_ok(error, kn_gdl_is_terminal(pair->machines[i], pair->states[i], &terminal, &error));
        check_ok(error, kn_gdl_is_open(pair->machines[i], pair->states[i], &open, &error));
        kn_text_printf(&texts[i], "terminal %d, open %d, goals", terminal, open);
        for (int role = 0; role < roles; role++) {
            int value;
            check_ok(error, kn_gdl_goal(pair->machines[i], pair->states[i], role, &value, &error));
            kn_text_printf(&texts[i], " %d", value);
        }
    }
    same_texts(pair, "terminal, open, goals", texts);
    for (int role = 0; role < roles; role++) {
        int count = 0;
        uint64_t choice = kn_rng_next(rng);
        for (int i = 0; i < 2; i++) {
            check_ok(error,
                     kn_gdl_legal(pair->machines[i], pair->states[i], role, pair->moves[i], &count, &error));
            for (int m = 0; m < count; m++) {
                kn_text_add_char(&texts[i], ' ');
                kn_gdl_move_text(pair->machines[i], pair->moves[i][m], &texts[i]);
            }
            if (count) joint[i][role] = pair->moves[i][choice % (uint64_t)count];
        }
        same_texts(pair, "legal moves", texts);
    }
    for (int i = 0; i < 2; i++) kn_text_free(&texts[i]);
    return open;
}

/* Returns the number of states compared; counts a description with circles. */
static long compare_games(const char *name, const char *text, bool cut, bool demand, bool plain,
                          uint64_t seed, long games, int plies, long *loops)
{
    Pair pair = {.name = name, .text = text, .cut = cut, .demand = demand, .plain = plain};
    KnError error;
    long compared = 0;
    open_pair(&pair);
    for (long g = 0; g < games; g++) {
        KnRng rng = kn_rng_stream(seed, (uint64_t)g);
        uint64_t joint[2][KN_GDL_ROLES];
        for (int i = 0; i < 2; i++) check_ok(error, kn_gdl_start(pair.machines[i], pair.states[i], &error));
        for (int ply = 0; ply < plies && compare_state(&pair, &rng, joint); ply++, compared++)
            for (int i = 0; i < 2; i++)
                check_ok(error,
                         kn_gdl_next(pair.machines[i], pair.states[i], joint[i], pair.states[i], &error));
    }
    *loops += kn_propnet_reasoner_info(kn_gdl_machine_propnet(pair.machines[0]))->loops > 0;
    close_pair(&pair);
    return compared;
}

static void test_project_sheets(void **state)
{
    (void)state;
    DIR *folder = opendir(DESCRIPTIONS);
    assert_non_null(folder);
    int descriptions = 0;
    long loops = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".kif") != 0) continue;
        KnText path = KN_TEXT_EMPTY, text = KN_TEXT_EMPTY;
        KnError error;
        kn_path_join(&path, DESCRIPTIONS, entry->d_name);
        check_ok(error, kn_file_read(path.data, &text, 1 << 20, &error));
        for (int cut = 0; cut < 2; cut++)
            assert_true(compare_games(entry->d_name, text.data, cut, cut, cut, 5 + (uint64_t)cut,
                                      check_scaled(3 - cut), 60, &loops) > 0);
        kn_text_free(&path);
        kn_text_free(&text);
        descriptions++;
    }
    closedir(folder);
    assert_true(descriptions >= 15);
    assert_true(loops > 0);
}

/* ---- Random descriptions ---- */

static const char *term(KnRng *rng)
{
    static const char *const terms[] = {"?a", "?b", "?c", "?a", "?b", "0", "1", "2"};
    return terms[kn_rng_below(rng, 8)];
}

/* Relations p0..p4 know the state, r5..r7 the moves too; each may use itself and those before it, with `not`
 * only those before. */
static void add_literal(KnText *text, KnRng *rng, int relation)
{
    uint32_t kind = kn_rng_below(rng, relation >= 5 ? 8 : 6);
    int used = (int)kn_rng_below(rng, (uint32_t)relation + 1);
    const char *x = term(rng), *y = term(rng);
    if (kind == 0 && used < relation)
        kn_text_printf(text, " (not (p%d %s %s))", used, x, y);
    else if (kind == 1)
        kn_text_printf(text, " (not (true (f %s %s)))", x, y);
    else if (kind == 2)
        kn_text_printf(text, " (distinct %s %s)", x, y);
    else if (kind <= 3)
        kn_text_printf(text, " (true (f %s %s))", x, y);
    else if (kind == 6)
        kn_text_printf(text, kn_rng_below(rng, 2) ? " (does x (m %s))" : " (does y (m %s))", x);
    else if (kind == 7)
        kn_text_printf(text, kn_rng_below(rng, 2) ? " (not (does x (m %s)))" : " (not (does y (m %s)))", x);
    else
        kn_text_printf(text, " (p%d %s %s)", used, x, y);
}

static void random_sheet(KnText *text, KnRng *rng)
{
    kn_text_clear(text);
    kn_text_add(text, "(role x) (role y) (d 0) (d 1) (d 2) (legal x noop) (legal y noop)\n");
    for (int i = 0; i < 4; i++)
        kn_text_printf(text, "(init (f %u %u))\n", kn_rng_below(rng, 3), kn_rng_below(rng, 3));
    for (int relation = 0; relation < 8; relation++)
        for (uint32_t rules = 1 + kn_rng_below(rng, 3); rules > 0; rules--) {
            kn_text_printf(text, "(<= (p%d ?a ?b) (d ?a) (d ?b) (d ?c)", relation);
            for (uint32_t literals = 1 + kn_rng_below(rng, 3); literals > 0; literals--)
                add_literal(text, rng, relation);
            kn_text_add(text, ")\n");
        }
    kn_text_printf(text,
                   "(<= (legal x (m ?a)) (p%u ?a ?b))\n(<= (legal y (m ?a)) (d ?a) (not (p%u ?a ?a)))\n",
                   kn_rng_below(rng, 5), kn_rng_below(rng, 5));
    for (int i = 0; i < 3; i++)
        kn_text_printf(text, "(<= (next (f ?a ?b)) (p%u ?a ?b))\n", 3 + kn_rng_below(rng, 5));
    kn_text_add(text, "(<= (next (f ?a ?b)) (true (f ?a ?b)) (does x (m ?c)) (distinct ?c ?a))\n");
    kn_text_printf(text, "(<= terminal (p%u 0 0) (p%u 1 2) (not (p%u 2 1)))\n", kn_rng_below(rng, 5),
                   kn_rng_below(rng, 5), kn_rng_below(rng, 5));
    kn_text_printf(
        text, "(<= (goal x 100) (p%u 0 1))\n(<= (goal x 30) (not (p%u 0 1)))\n(<= (goal ?r 70) (p4 2 0))\n",
        kn_rng_below(rng, 5), kn_rng_below(rng, 5));
}

static void test_random_sheets(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    long descriptions = check_scaled(1500), compared = 0, loops = 0;
    for (long s = 0; s < descriptions; s++) {
        KnRng rng = kn_rng_stream(31, (uint64_t)s);
        char name[32];
        snprintf(name, sizeof name, "random %ld", s);
        random_sheet(&text, &rng);
        compared += compare_games(name, text.data, s % 2, s % 8 > 3, s % 4 > 1, (uint64_t)s, 3, 8, &loops);
    }
    assert_true(compared > descriptions * 5); /* most games go on for a while */
    assert_true(loops > descriptions / 10);   /* and many have circles */
    kn_text_free(&text);
}

/* Games at once and one by one come out alike also where sentences support each other in circles. */
static void test_random_games(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    KnError error;
    for (long s = 0; s < check_scaled(300); s++) {
        KnRng rng = kn_rng_stream(32, (uint64_t)s);
        random_sheet(&text, &rng);
        Pair pair = {.name = "random", .text = text.data};
        KnGdlMachine *machine = machine_of(&pair, KN_GDL_PROPNET);
        uint64_t *start = calloc(kn_gdl_machine_words(machine), sizeof *start);
        check_ok(error, kn_gdl_start(machine, start, &error));
        KnGdlPlayouts one, many;
        enum { GAMES = 3000 };
        check_ok(error, kn_gdl_playouts_single(machine, start, GAMES, 6, &rng, &one, &error));
        check_ok(error, kn_gdl_playouts(machine, start, GAMES, 6, &rng, &many, &error));
        for (int r = 0; r < 2; r++) {
            double a = (double)one.totals[r] / GAMES, b = (double)many.totals[r] / GAMES,
                   square = (double)many.squares[r] / GAMES;
            double sigma = sqrt(fmax(square - b * b, 1) * 2 / GAMES);
            if (fabs(a - b) > 6 * sigma)
                fail_msg("role %d gets %g one by one, %g at once\n%s", r, a, b, text.data);
        }
        free(start);
        kn_gdl_machine_free(machine);
    }
    kn_text_free(&text);
}

/* Code and what it stands in for give the same games, move by move, from the same generator. */
static void test_code(void **state)
{
    (void)state;
    DIR *folder = opendir(DESCRIPTIONS);
    assert_non_null(folder);
    long coded = 0, same = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".kif") != 0) continue;
        KnText path = KN_TEXT_EMPTY, text = KN_TEXT_EMPTY;
        KnError error;
        KnGdlPlayouts out[2];
        kn_path_join(&path, DESCRIPTIONS, entry->d_name);
        check_ok(error, kn_file_read(path.data, &text, 1 << 20, &error));
        for (int plain = 0; plain < 2; plain++) {
            Pair pair = {.name = entry->d_name, .text = text.data, .plain = plain};
            KnGdlMachine *machine = machine_of(&pair, KN_GDL_PROPNET);
            uint64_t *start = calloc(kn_gdl_machine_words(machine), sizeof *start);
            KnRng rng = kn_rng_seeded(11);
            check_ok(error, kn_gdl_start(machine, start, &error));
            check_ok(error, kn_gdl_playouts_single(machine, start, (uint64_t)check_scaled(200), 200, &rng,
                                                   &out[plain], &error));
            coded += kn_propnet_differential_coded(kn_propnet_reasoner_flow(kn_gdl_machine_propnet(machine)));
            free(start);
            kn_gdl_machine_free(machine);
        }
        if (memcmp(&out[0], &out[1], sizeof *out) != 0) fail_msg("%s: code and flow differ", entry->d_name);
        same++;
        kn_text_free(&path);
        kn_text_free(&text);
    }
    closedir(folder);
    assert_true(same >= 15);
#if defined(__x86_64__)
    assert_true(coded >= 10);
#endif
}

/* No game gets to the goal value that it ends with sooner than the delete relaxation says, whatever it does
 * not know of the state. Returns the ends that were compared. */
static long bounds_hold(KnGdlMachine *machine, const char *name, uint64_t seed)
{
    enum { PLIES = 40 };
    KnError error;
    size_t words = kn_gdl_machine_words(machine);
    uint64_t *states = calloc((PLIES + 1) * words, sizeof *states), *hidden = calloc(words, sizeof *hidden),
             *moves = calloc((size_t)kn_gdl_machine_moves(machine), sizeof *moves);
    KnGdlRelaxed *relaxed = kn_gdl_relaxed_new(machine, 0, 100, &error);
    assert_non_null(relaxed);
    KnRng rng = kn_rng_seeded(seed);
    int last = 0, roles = kn_gdl_machine_description(machine)->role_count;
    long compared = 0;
    bool terminal = false;
    check_ok(error, kn_gdl_start(machine, states, &error));
    for (;; last++) {
        uint64_t *now = states + (size_t)last * words, joint[KN_GDL_ROLES];
        int count = 1;
        check_ok(error, kn_gdl_is_terminal(machine, now, &terminal, &error));
        for (int role = 0; role < roles && count; role++) {
            check_ok(error, kn_gdl_legal(machine, now, role, moves, &count, &error));
            if (count) joint[role] = moves[kn_rng_below(&rng, (uint32_t)count)];
        }
        if (terminal || !count || last == PLIES) break;
        check_ok(error, kn_gdl_next(machine, now, joint, now + words, &error));
    }
    for (size_t w = 0; w < words; w++) hidden[w] = kn_rng_next(&rng) & kn_rng_next(&rng);
    for (int role = 0; role < roles && terminal; role++) {
        int value;
        check_ok(error, kn_gdl_goal(machine, states + (size_t)last * words, role, &value, &error));
        if (value < 0) continue;
        kn_gdl_relaxed_aim(relaxed, role, value);
        for (int i = 0; i <= last; i++, compared++) {
            const uint64_t *now = states + (size_t)i * words;
            kn_gdl_relaxed_unknown(relaxed, NULL);
            unsigned bound = kn_gdl_relaxed_bound(relaxed, now), plan = kn_gdl_relaxed_plan(relaxed, now);
            kn_gdl_relaxed_unknown(relaxed, hidden);
            unsigned less = kn_gdl_relaxed_bound(relaxed, now);
            if (bound > (unsigned)(last - i) || less > bound || plan < bound || (plan == 0) != (bound == 0))
                fail_msg("%s: %d steps to %d for role %d; bound %u, %u with less known, plan %u", name,
                         last - i, value, role, bound, less, plan);
        }
    }
    kn_gdl_relaxed_free(relaxed);
    free(states);
    free(hidden);
    free(moves);
    return compared;
}

static void test_bounds(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    KnError error;
    long compared = 0, sheets = check_scaled(600);
    for (long s = 0; s < sheets; s++) {
        KnRng rng = kn_rng_stream(33, (uint64_t)s);
        random_sheet(&text, &rng);
        Pair pair = {.name = "random", .text = text.data};
        KnGdlMachine *machine = machine_of(&pair, KN_GDL_PROPNET);
        for (uint64_t g = 0; g < 12; g++) compared += bounds_hold(machine, text.data, g);
        kn_gdl_machine_free(machine);
    }

    assert_true(compared > sheets / 2);
    DIR *folder = opendir(DESCRIPTIONS);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".kif") != 0) continue;
        KnText path = KN_TEXT_EMPTY;
        kn_path_join(&path, DESCRIPTIONS, entry->d_name);
        kn_text_clear(&text);
        check_ok(error, kn_file_read(path.data, &text, 1 << 20, &error));
        Pair pair = {.name = entry->d_name, .text = text.data};
        KnGdlMachine *machine = machine_of(&pair, KN_GDL_PROPNET);
        for (uint64_t g = 0; g < 3; g++) bounds_hold(machine, entry->d_name, g);
        kn_gdl_machine_free(machine);
        kn_text_free(&path);
    }
    closedir(folder);
    kn_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_project_sheets), cmocka_unit_test(test_random_sheets),
        cmocka_unit_test(test_random_games), cmocka_unit_test(test_code), cmocka_unit_test(test_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
