/* Rule descriptions against the games in C that they are twins of: over random games, at every position, the
 * same player is to move, the same positions can be reached by a move, and in the end the result is the same.
 *
 * A position is compared by what lies on its cells. A turn of draughts is one move in C and a series of jumps
 * in the description; then it is followed to its end in all ways. */
#include "support/check.h"
#include "support/instances.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/gdl/machine.h"

#define DESCRIPTIONS KNACK_SOURCE_DIR "/data/gdl/"

enum { CELLS = 128, SIGNATURE = CELLS + 2, MOST = 256 };

typedef struct Twin {
    const char *spec, *description;
    /* What a fact says of a cell: its name and symbol. False: nothing. */
    bool (*read)(const char *fact, char *name, char *symbol);
    bool series;  /* a turn may take several moves in the description */
    bool limited; /* the description may end where C goes on */
} Twin;

typedef struct Pair {
    const Twin *twin;
    KnContext *context;
    KnGame *game;
    KnGdlMachine *machine;
    size_t words;
    char names[CELLS][8]; /* of the cells */
} Pair;

/* Successors: signatures, and the description's states behind them. */
typedef struct Reached {
    char signatures[MOST][SIGNATURE];
    uint64_t *states;
    int count;
} Reached;

static bool read_square(const char *fact, const char *format, const char *symbols, char *name, char *symbol)
{
    char who[16], column[4], row[4];
    if (sscanf(fact, format, who, column, row) != 3) return false;
    if (column[0] >= '1' && column[0] <= '9') column[0] = (char)('a' + column[0] - '1');
    snprintf(name, 8, "%c%s", column[0], row);
    *symbol = *who == 'x' || *who == 'b' ? symbols[0] : symbols[1];
    return true;
}

static bool read_has(const char *fact, char *name, char *symbol)
{
    return read_square(fact, "(has %15s %3s %3[0-9])", "xo", name, symbol);
}
static bool read_disc(const char *fact, char *name, char *symbol)
{
    return read_square(fact, "(disc %15s %3s %3[0-9])", "XO", name, symbol);
}

static bool read_mark(const char *fact, char *name, char *symbol)
{
    int column, row;
    return sscanf(fact, "(cell %d %d %c", &column, &row, symbol) == 3 && *symbol != 'f' &&
           snprintf(name, 8, "%c%d", 'a' + column - 1, row) > 0;
}

static bool read_man(const char *fact, char *name, char *symbol)
{
    char who[16];
    int point;
    if (sscanf(fact, "(man %15s %d)", who, &point) != 2) return false;
    snprintf(name, 8, "%d", point);
    *symbol = *who == 'w' ? 'W' : 'B';
    return true;
}

static bool read_piece(const char *fact, char *name, char *symbol)
{
    char who[16], kind[16];
    int square;
    if (sscanf(fact, "(piece %d %15s %15[a-z])", &square, who, kind) != 3) return false;
    snprintf(name, 8, "%d", square);
    *symbol = (char)(*kind == 'k' ? *who - 'a' + 'A' : *who);
    return true;
}

static const Twin twins[] = {
    {"tictactoe", DESCRIPTIONS "tictactoe.kif", read_mark, false, false},
    {"tictactoe(lose)", DESCRIPTIONS "losetictactoe.kif", read_has, false, false},
    {"fives(6, 6, 4)", DESCRIPTIONS "fours.kif", read_has, false, false},
    {"fives", DESCRIPTIONS "fives.kif", read_has, false, false},
    {"othello(size=6)", DESCRIPTIONS "othello6.kif", read_disc, false, false},
    {"othello", DESCRIPTIONS "othello.kif", read_disc, false, false},
    {"morris(men=5)", DESCRIPTIONS "morris.kif", read_man, false, true},
    {"checkers(repetition=0)", DESCRIPTIONS "draughts.kif", read_piece, true, false},
};

static void *room(const KnGame *game) { return aligned_alloc(16, (game->position_size + 15) & ~(size_t)15); }

static void open_pair(Pair *pair, const Twin *twin)
{
    KnError error;
    KnGdlDescription *description;
    *pair = (Pair){.twin = twin, .context = test_context()};
    check_ok(error, kn_game_open(pair->context, twin->spec, &pair->game, &error));
    check_ok(error, kn_gdl_read_file(twin->description, false, &description, &error));
    check_ok(error, kn_gdl_machine_new(
                        description, &(KnGdlLimits){.facts = 4096, .moves = 4096, .reasoner = KN_GDL_PROPNET},
                        &pair->machine, &error));
    pair->words = kn_gdl_machine_words(pair->machine);
    for (int i = 0; i < pair->game->cells; i++) {
        KnText name = KN_TEXT_EMPTY;
        pair->game->type->cell_name(pair->game, i, &name);
        snprintf(pair->names[i], sizeof pair->names[i], "%s", name.data);
        kn_text_free(&name);
    }
}

static void close_pair(Pair *pair)
{
    kn_gdl_machine_free(pair->machine);
    kn_game_close(pair->game);
    kn_close(pair->context);
}

/* ---- Signatures: a letter a cell, then the mover ---- */

static void sign_position(const Pair *pair, const void *position, char *signature)
{
    const KnGame *game = pair->game;
    for (int i = 0; i < game->cells; i++) {
        char symbol = game->cell_symbols[game->type->cell(game, position, i)];
        signature[i] = symbol == '-' ? '.' : symbol;
    }
    signature[game->cells] = (char)('0' + game->type->mover(game, position));
    signature[game->cells + 1] = '\0';
}

static int cell_called(const Pair *pair, const char *wanted)
{
    for (int i = 0; i < pair->game->cells; i++)
        if (strcmp(pair->names[i], wanted) == 0) return i;
    fail_msg("%s has no cell %s", pair->game->spec, wanted);
    return 0;
}

static void sign_state(const Pair *pair, const uint64_t *state, char *signature)
{
    int cells = pair->game->cells;
    const KnGdlDescription *description = kn_gdl_machine_description(pair->machine);
    const char *first =
        description->symbols.names[kn_term(&description->terms, description->roles[0])->symbol];
    KnText facts = KN_TEXT_EMPTY;
    memset(signature, '.', (size_t)cells);
    signature[cells + 1] = '\0';
    kn_gdl_state_text(pair->machine, state, "\n", &facts);
    for (char *rest = facts.data, *fact; rest && (fact = strsep(&rest, "\n"));) {
        char name[8], symbol;
        char role[16];
        if (pair->twin->read(fact, name, &symbol)) signature[cell_called(pair, name)] = symbol;
        if (sscanf(fact, "(control %15[a-z])", role) == 1)
            signature[cells] = strcmp(role, first) == 0 ? '0' : '1';
    }
    kn_text_free(&facts);
}

/* ---- Successors ---- */

static void add_reached(Reached *reached, const char *signature, const uint64_t *state, size_t words,
                        bool once)
{
    for (int i = 0; once && i < reached->count; i++)
        if (strcmp(reached->signatures[i], signature) == 0) return;
    assert_true(reached->count < MOST);
    strcpy(reached->signatures[reached->count], signature);
    if (state) memcpy(reached->states + (size_t)reached->count * words, state, words * sizeof *state);
    reached->count++;
}

/* Follows every move of the mover; in a series, every way to its end. */
static void reach_states(const Pair *pair, const uint64_t *state, int mover, Reached *reached)
{
    uint64_t moves[2][MOST], *after = malloc(pair->words * sizeof *after);
    char signature[SIGNATURE];
    int counts[2];
    KnError error;
    for (int r = 0; r < 2; r++)
        check_ok(error, kn_gdl_legal(pair->machine, state, r, moves[r], &counts[r], &error));
    assert_int_equal(counts[!mover], 1); /* the other one waits */
    for (int m = 0; m < counts[mover]; m++) {
        uint64_t joint[2];
        joint[mover] = moves[mover][m];
        joint[!mover] = moves[!mover][0];
        check_ok(error, kn_gdl_next(pair->machine, state, joint, after, &error));
        sign_state(pair, after, signature);
        if (pair->twin->series && signature[pair->game->cells] == '0' + mover)
            reach_states(pair, after, mover, reached);
        else
            add_reached(reached, signature, after, pair->words, pair->twin->series);
    }
    free(after);
}

static void reach_positions(const Pair *pair, const void *position, const KnMove *moves, int count,
                            Reached *reached)
{
    const KnGame *game = pair->game;
    void *after = room(game);
    char signature[SIGNATURE];
    for (int i = 0; i < count; i++) {
        memcpy(after, position, game->position_size);
        game->type->play(game, after, moves[i]);
        sign_position(pair, after, signature);
        add_reached(reached, signature, NULL, 0, pair->twin->series);
    }
    free(after);
}

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

/* Both sets are the same, with how often each is reached. */
static void compare_reached(const Pair *pair, const Reached *mine, const Reached *theirs, const char *at)
{
    static char sorted[2][MOST][SIGNATURE];
    const Reached *both[2] = {mine, theirs};
    for (int i = 0; i < 2; i++) {
        memcpy(sorted[i], both[i]->signatures, sizeof sorted[i]);
        qsort(sorted[i], (size_t)both[i]->count, SIGNATURE, by_text);
    }
    if (mine->count != theirs->count)
        fail_msg("%s at %s: %d successors in C, %d by the description", pair->twin->spec, at, mine->count,
                 theirs->count);
    for (int i = 0; i < mine->count; i++)
        if (strcmp(sorted[0][i], sorted[1][i]) != 0)
            fail_msg("%s at %s: %s in C, %s by the description", pair->twin->spec, at, sorted[0][i],
                     sorted[1][i]);
}

/* ---- Games ---- */

static void compare_end(const Pair *pair, const void *position, const uint64_t *state, const char *at)
{
    double payoffs[2];
    KnError error;
    pair->game->type->payoffs(pair->game, position, payoffs);
    for (int r = 0; r < 2; r++) {
        int value;
        check_ok(error, kn_gdl_goal(pair->machine, state, r, &value, &error));
        if (value != 50 + 50 * payoffs[r])
            fail_msg("%s at %s: role %d gets %g in C, %d by the description", pair->twin->spec, at, r,
                     payoffs[r], value);
    }
}

/* One random game; returns its length. */
static int compare_game(const Pair *pair, KnRng *rng, void *position, uint64_t *state, Reached *mine,
                        Reached *theirs)
{
    const KnGame *game = pair->game;
    KnError error;
    game->type->start(game, position);
    check_ok(error, kn_gdl_start(pair->machine, state, &error));
    for (int ply = 0;; ply++) {
        KnMove moves[game->max_moves];
        char at[SIGNATURE], other[SIGNATURE];
        bool terminal;
        sign_position(pair, position, at);
        sign_state(pair, state, other);
        assert_string_equal(at, other);
        int count = game->type->moves(game, position, moves);
        check_ok(error, kn_gdl_is_terminal(pair->machine, state, &terminal, &error));
        if (terminal && count && pair->twin->limited) return ply;
        if (terminal != !count)
            fail_msg("%s at %s: over in %s only", pair->twin->spec, at, terminal ? "the description" : "C");
        if (terminal) {
            compare_end(pair, position, state, at);
            return ply;
        }
        mine->count = theirs->count = 0;
        reach_positions(pair, position, moves, count, mine);
        reach_states(pair, state, game->type->mover(game, position), theirs);
        compare_reached(pair, mine, theirs, at);
        game->type->play(game, position, moves[kn_rng_below(rng, (uint32_t)count)]);
        sign_position(pair, position, at);
        int found = 0;
        while (strcmp(theirs->signatures[found], at) != 0) found++;
        memcpy(state, theirs->states + (size_t)found * pair->words, pair->words * sizeof *state);
    }
}

static void test_boards(void **unused)
{
    (void)unused;
    Reached *mine = calloc(1, sizeof *mine), *theirs = calloc(1, sizeof *theirs);
    for (size_t t = 0; t < sizeof twins / sizeof *twins; t++) {
        Pair pair;
        open_pair(&pair, &twins[t]);
        void *position = room(pair.game);
        uint64_t *state = malloc(pair.words * sizeof *state);
        theirs->states = malloc(MOST * pair.words * sizeof *theirs->states);
        long plies = 0, games = check_scaled(twins[t].series ? 60 : pair.game->cells > 50 ? 4 : 20);
        for (long g = 0; g < games; g++) {
            KnRng rng = kn_rng_stream(t + 1, (uint64_t)g);
            plies += compare_game(&pair, &rng, position, state, mine, theirs);
        }
        assert_true(plies >= games * 5);
        free(theirs->states);
        free(state);
        free(position);
        close_pair(&pair);
    }
    free(mine);
    free(theirs);
}

/* Moves at the same time: the totals of ten rounds. */
static void test_dilemma(void **unused)
{
    (void)unused;
    KnContext *context = test_context();
    KnError error;
    KnGame *games[2];
    check_ok(error, kn_game_open(context, "dilemma(turns=10)", &games[0], &error));
    check_ok(error, kn_game_open(context, "gdl:" DESCRIPTIONS "dilemma.kif", &games[1], &error));
    void *positions[2] = {room(games[0]), room(games[1])};
    for (long g = 0; g < check_scaled(200); g++) {
        KnRng rng = kn_rng_stream(9, (uint64_t)g);
        double payoffs[2][2];
        for (int i = 0; i < 2; i++) games[i]->type->start(games[i], positions[i]);
        for (int round = 0; round < 10; round++) {
            const char *names[2] = {kn_rng_below(&rng, 2) ? "C" : "D", kn_rng_below(&rng, 3) ? "C" : "D"};
            for (int i = 0; i < 2; i++) {
                KnMove joint[KN_ROLES_MAX], moves[games[i]->max_moves];
                assert_int_equal(kn_game_movers(games[i], positions[i]), 3);
                for (int r = 0; r < 2; r++) {
                    assert_int_equal(kn_game_moves_of(games[i], positions[i], r, moves), 2);
                    check_ok(error,
                             kn_game_parse_move(games[i], positions[i], r, names[r], &joint[r], &error));
                }
                kn_game_play_joint(games[i], positions[i], joint);
            }
        }
        for (int i = 0; i < 2; i++) {
            assert_true(kn_game_over(games[i], positions[i]));
            games[i]->type->payoffs(games[i], positions[i], payoffs[i]);
        }
        for (int r = 0; r < 2; r++) assert_true(payoffs[1][r] == 2 * payoffs[0][r]);
    }
    for (int i = 0; i < 2; i++) {
        free(positions[i]);
        kn_game_close(games[i]);
    }
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_boards), cmocka_unit_test(test_dilemma)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
