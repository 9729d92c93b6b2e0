/* Networks on every game with cells: they are as symmetric as the game, and survive a file. */
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "eval/ntuple.h"
#include "eval/ntuple_explain.h"
#include "support/instances.h"
#include "support/workbench.h"

static KnNetwork *make(const KnGame *game)
{
    KnError error;
    KnNetwork *network;
    KnNetworkPlan plan = {.seed = 1, .memory = 2};
    check_ok(error, kn_network_make(game, &plan, &network, &error));
    return network;
}

static void fill(KnNetwork *network)
{
    KnRng rng = kn_rng_seeded(9);
    for (size_t i = 0; i < kn_ntuple_size(network->net); i++)
        if (kn_ntuple_used(network->net, i))
            kn_ntuple_weights(network->net)[i] = (int16_t)((int)kn_rng_below(&rng, 2001) - 1000);
}

/* The mover's score is the same for a position and each of its images, whoever the mover is there. */
static void check_symmetric(const KnGame *game, const KnEvaluation *evaluation)
{
    size_t room = (game->position_size + 15) & ~(size_t)15;
    unsigned char *position = aligned_alloc(16, room), *image = aligned_alloc(16, room);
    KnMove *moves = malloc((size_t)game->max_moves * sizeof *moves);
    KnRng rng = kn_rng_seeded(5);
    long different = 0;
    for (long g = 0; g < check_scaled(20); g++) {
        KnScore last = 0;
        game->type->start(game, position);
        for (int ply = 0; ply < 60; ply++) {
            int count = game->type->moves(game, position, moves);
            if (!count) break;
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
            if (kn_game_over(game, position)) break;
            KnScore score = kn_evaluate(evaluation, position);
            different += score != last;
            last = score;
            for (int s = 1; s < game->symmetries; s++) {
                game->type->transform(game, s, position, image);
                if (kn_evaluate(evaluation, image) != score)
                    fail_msg("%s: symmetry %d changes the score", game->spec, s);
            }
        }
    }
    assert_true(different > 10);
    free(position);
    free(image);
    free(moves);
}

/* The folded network has fewer placements and the same sums, up to half a unit for each placement. */
static void check_folded(const KnNetwork *network)
{
    KnRng rng = kn_rng_seeded(6);
    int before = kn_ntuple_placements(network->net), after = kn_ntuple_placements(network->folded);
    assert_true(after < before);
    for (int i = 0; i < 40; i++) {
        uint8_t cells[KN_NTUPLE_CELLS];
        int side = i & 1, phase = (int)kn_rng_below(&rng, (uint32_t)kn_ntuple_phases(network->net));
        for (int c = 0; c < kn_ntuple_cells(network->net); c++)
            cells[c] = (uint8_t)kn_rng_below(&rng, (uint32_t)kn_ntuple_symbols(network->net));
        int32_t plain = kn_ntuple_sum(network->net, cells, side, phase),
                folded = kn_ntuple_sum(network->folded, cells, side, phase);
        if (abs(plain - folded) > before) fail_msg("%s: %d and %d", network->look.game->spec, plain, folded);
    }
}

static int networks;

static void visit(const KnGame *game)
{
    KnError error;
    if (game->traits & KN_GAME_SIMULTANEOUS || game->cells > 130) return; /* larger boards take seconds */
    if (kn_look_suits(game, &error) != KN_OK) return;
    KnNetwork *network = make(game), *again;
    KnEvaluation *evaluation;
    KnText one = KN_TEXT_EMPTY, two = KN_TEXT_EMPTY;
    fill(network);
    check_ok(error, kn_network_evaluation(network, &evaluation, &error));
    if (game->type->transform) check_symmetric(game, evaluation);
    kn_evaluation_close(evaluation);
    check_ok(error, kn_network_pack(network, &one, &error));
    check_ok(error, kn_network_read(game, one.data, one.length, "file", &again, &error));
    check_folded(again);
    check_ok(error, kn_network_evaluation(again, &evaluation, &error));
    if (game->type->transform) check_symmetric(game, evaluation);
    kn_evaluation_close(evaluation);
    check_ok(error, kn_network_pack(again, &two, &error));
    assert_int_equal(one.length, two.length);
    assert_memory_equal(one.data, two.data, one.length);
    kn_network_free(again);
    kn_network_free(network);
    kn_text_free(&one);
    kn_text_free(&two);
    networks++;
}

static void test_every_game(void **state)
{
    (void)state;
    KnContext *context = test_context();
    test_each_instance(context, visit);
    assert_true(networks >= 6);
    kn_close(context);
}

static void check_game(const KnContext *context, const char *spec, bool exchanges, int tuples_least)
{
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    KnNetwork *network = make(game);
    if (kn_ntuple_exchanges(network->net) != exchanges || kn_ntuple_tuples(network->net) < tuples_least)
        fail_msg("%s: exchange %d, %d tuples", spec, kn_ntuple_exchanges(network->net),
                 kn_ntuple_tuples(network->net));
    kn_network_free(network);
    kn_game_close(game);
}

/* Roles share tables where a symmetry exchanges them, and where both play by the same rules. */
static void test_exchanges(void **state)
{
    (void)state;
    KnContext *context = test_context();
    check_game(context, "checkers", true, 50);
    check_game(context, "othello", true, 20);
    check_game(context, "fives", true, 20);
    check_game(context, "tictactoe", true, 10); /* its lines of three among them */
    check_game(context, "go(size=5)", false, 5);
    kn_close(context);
}

/* On a large board that is empty at the start, lines share a table wherever they lie. */
static void test_shared(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_context();
    KnGame *game;
    check_ok(error, kn_game_open(context, "fives(width=13, height=13)", &game, &error));
    KnNetwork *network = make(game);
    fill(network);
    uint8_t here[169] = {0}, there[169] = {0}, turned[169] = {0};
    for (int i = 0; i < 4; i++) { /* four in a row far from the edges, moved by a cell, and upright */
        here[5 * 13 + 4 + i] = there[6 * 13 + 5 + i] = 1;
        turned[(4 + i) * 13 + 5] = 1;
    }
    KnNtuple *shared = network->net;
    int length, tuple;
    long sums[3] = {0};
    const uint8_t *boards[3] = {here, there, turned};
    for (int b = 0; b < 3; b++) {
        uint32_t indices[KN_NTUPLE_PLACEMENTS];
        kn_ntuple_indices(shared, boards[b], 0, 0, indices);
        for (int p = 0; p < kn_ntuple_placements(shared); p++) {
            kn_ntuple_placement(shared, p, &length, &tuple);
            if (length == 5) sums[b] += kn_ntuple_weights(shared)[indices[p]];
        }
    }
    assert_true(sums[0] != 0);
    assert_int_equal(sums[0], sums[1]);
    assert_int_equal(sums[0], sums[2]);
    kn_network_free(network);
    kn_game_close(game);
    kn_close(context);
}

/* The same plan gives the same tuples; little memory gives fewer, and too little is refused. */
static void test_plans(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_context();
    KnGame *game;
    KnNetwork *networks_made[3], *none;
    check_ok(error, kn_game_open(context, "checkers", &game, &error));
    KnNetworkPlan plans[3] = {
        {.seed = 3, .memory = 128}, {.seed = 3, .memory = 128}, {.seed = 3, .memory = 1}};
    KnText bytes[2] = {KN_TEXT_EMPTY, KN_TEXT_EMPTY};
    for (int i = 0; i < 3; i++) check_ok(error, kn_network_make(game, &plans[i], &networks_made[i], &error));
    for (int i = 0; i < 2; i++) check_ok(error, kn_network_pack(networks_made[i], &bytes[i], &error));
    assert_int_equal(bytes[0].length, bytes[1].length);
    assert_memory_equal(bytes[0].data, bytes[1].data, bytes[0].length);
    assert_true(kn_ntuple_size(networks_made[2]->net) * 16 <= 1 << 20);
    assert_true(kn_ntuple_tuples(networks_made[2]->net) < kn_ntuple_tuples(networks_made[0]->net));
    check_fails(error, KN_INPUT, "too few",
                kn_network_make(game, &(KnNetworkPlan){.memory = 0.0001}, &none, &error));
    for (int i = 0; i < 3; i++) kn_network_free(networks_made[i]);
    for (int i = 0; i < 2; i++) kn_text_free(&bytes[i]);
    kn_game_close(game);
    kn_close(context);
}

/* The board of a game description: the score for both roles is one number with two signs. */
static void test_rule_sheet(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("data");
    KnGame *game;
    KnEvaluation *evaluation;
    check_ok(error, kn_game_open(context, "gdl(tictactoe)", &game, &error));
    KnNetwork *network = make(game);
    assert_int_equal(kn_ntuple_cells(network->net), 9);
    fill(network);
    check_ok(error, kn_network_evaluation(network, &evaluation, &error));
    KnState *position = kn_state_new(game);
    check_ok(error, kn_state_play_text(position, "(mark 1 1)|wait", &error));
    KnScore first = kn_evaluate_for(evaluation, kn_state_position(position), 0);
    assert_int_equal(first, -kn_evaluate_for(evaluation, kn_state_position(position), 1));
    kn_state_free(position);
    kn_evaluation_close(evaluation);
    kn_network_free(network);
    kn_game_close(game);
    kn_close(context);
}

/* So many groups of cells of so much each, on a bar that reaches as far as the largest. */
static void check_voices(const KnExplanation *group, int count, double percent)
{
    for (const KnExplanation *bar = group->first; bar; bar = bar->next, count--) {
        assert_true(fabs(bar->number - percent) <= .05);
        assert_true(fabs(bar->high - fabs(percent)) < 1e-9 && bar->low == -bar->high);
    }
    assert_int_equal(count, 0);
}

/* The groups of cells that an explanation names are those with the largest sums, and it draws them. */
static void test_explains(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_context();
    KnGame *game;
    check_ok(error, kn_game_open(context, "othello(size=6)", &game, &error));
    KnNetwork *network = make(game);
    KnState *position = kn_state_new(game);
    uint8_t cells[KN_NTUPLE_CELLS];
    int side, phase, length, tuple;
    uint32_t indices[KN_NTUPLE_PLACEMENTS];
    kn_look_at(&network->look, kn_state_position(position), cells, &side, &phase);
    kn_ntuple_indices(network->net, cells, side, phase, indices);
    for (int p = 0; p < kn_ntuple_placements(network->net); p++) { /* the centre speaks for the mover */
        const uint16_t *place = kn_ntuple_placement(network->net, p, &length, &tuple);
        if (length == 1 && cells[place[0]]) kn_ntuple_weights(network->net)[indices[p]] = 800;
    }
    KnArena *arena = kn_arena_new();
    KnText text = KN_TEXT_EMPTY;
    KnExplanation *root = kn_explanation_new(arena, "why");
    kn_network_explain(network, kn_state_position(position), side, arena, root);
    kn_explanation_print(root, &text);
    if (!strstr(text.data, "speak for") || !strstr(text.data, "c3") || !strstr(text.data, "##O###"))
        fail_msg("%s", text.data);
    const double percent = 800.0 * 100 / 2 / KN_NTUPLE_ONE; /* of the points, near an even position */
    check_voices(root->first->next, 4, percent);            /* after the prediction */
    check_voices(root->first->next->next, 0, 0);
    root = kn_explanation_new(arena, "why not");
    kn_network_explain(network, kn_state_position(position), !side, arena, root);
    check_voices(root->first->next, 0, 0);
    check_voices(root->first->next->next, 4, -percent);
    kn_text_free(&text);
    kn_arena_free(arena);
    kn_state_free(position);
    kn_network_free(network);
    kn_game_close(game);
    kn_close(context);
}

/* Every network that travels with the library is found by its game, and says how it was made. */
static void test_embedded(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("data");
    int found = 0;
    for (const KnEmbeddedRow *row = kn_embedded_rows; row->name; row++) {
        if (strncmp(row->name, "ntuple/", 7) != 0) continue;
        KnNtuple *net;
        char *header;
        check_ok(error, kn_ntuple_unpack(row->bytes, *row->size, row->name, &net, &header, &error));
        json_t *root = json_loads(header, 0, NULL);
        KnGame *game;
        KnNetwork *network;
        check_ok(error,
                 kn_game_open(context, json_string_value(json_object_get(root, "game")), &game, &error));
        check_ok(error, kn_network_open(game, NULL, &network, &error));
        assert_true(json_integer_value(json_object_get(network->made, "games")) >= 1000);
        assert_non_null(json_object_get(network->made, "seed"));
        kn_network_free(network);
        kn_game_close(game);
        json_decref(root);
        free(header);
        kn_ntuple_free(net);
        found++;
    }
    assert_true(found > 0);
    KnGame *other;
    KnNetwork *none;
    check_ok(error, kn_game_open(context, "fives(3, 3, 3)", &other, &error));
    check_fails(error, KN_INPUT, "knack train ntuple", kn_network_open(other, NULL, &none, &error));
    kn_game_close(other);
    kn_close(context);
}

/* alphabeta takes the network by default, however the game is spelled, but not where it is no stronger or
 * where the rules are others; `hand` is the game's own. Players share the tables. */
static void test_strongest(void **state)
{
    (void)state;
    static const struct {
        const char *game, *strongest, *hand;
    } cases[] = {{"checkers", "ntuple", "material"},   {"checkers(draw=0)", "ntuple", "material"},
                 {"othello(8)", "ntuple", "mixed"},    {"othello(6)", "ntuple", "mixed"},
                 {"othello(4)", "mixed", "mixed"},     {"morris(men=5)", "ntuple", "mills"},
                 {"morris(men=6)", "mills", "mills"},  {"fives", "lines", "lines"},
                 {"gdl:connectfour", "ntuple", "zero"}};
    KnError error;
    KnContext *context = test_workbench("data");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnGame *game;
        KnEvaluation *strongest, *hand;
        check_ok(error, kn_game_open(context, cases[i].game, &game, &error));
        check_ok(error, kn_evaluation_open_strongest(context, game, &strongest, &error));
        check_ok(error, kn_evaluation_open_text(context, game, "hand", &hand, &error));
        assert_string_equal(strongest->spec, cases[i].strongest);
        assert_string_equal(hand->spec, cases[i].hand);
        kn_evaluation_close(strongest);
        kn_evaluation_close(hand);
        kn_game_close(game);
    }
    KnGame *games[2];
    KnNetwork *networks_open[2];
    for (int i = 0; i < 2; i++) {
        check_ok(error, kn_game_open(context, "othello(6)", &games[i], &error));
        check_ok(error, kn_network_open(games[i], NULL, &networks_open[i], &error));
    }
    assert_ptr_equal(networks_open[0]->folded, networks_open[1]->folded);
    kn_network_free(networks_open[0]);
    kn_game_close(games[0]);
    assert_true(kn_ntuple_placements(networks_open[1]->folded) > 0);
    kn_network_free(networks_open[1]);
    kn_game_close(games[1]);
    kn_close(context);
}

static void test_refused(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_context();
    KnGame *small, *large, *dilemma;
    KnNetwork *none;
    KnText bytes = KN_TEXT_EMPTY;
    check_ok(error, kn_game_open(context, "othello(size=6)", &small, &error));
    check_ok(error, kn_game_open(context, "othello", &large, &error));
    check_ok(error, kn_game_open(context, "dilemma", &dilemma, &error));
    KnNetwork *network = make(small);
    check_ok(error, kn_network_pack(network, &bytes, &error));
    check_fails(error, KN_INPUT, "the network is for othello(size=6)",
                kn_network_read(large, bytes.data, bytes.length, "file", &none, &error));
    check_fails(error, KN_SYSTEM, "nowhere.ntuple", kn_network_open(small, "nowhere.ntuple", &none, &error));
    assert_int_equal(kn_look_suits(dilemma, &error), KN_INPUT);
    kn_text_free(&bytes);
    kn_network_free(network);
    kn_game_close(small);
    kn_game_close(large);
    kn_game_close(dilemma);
    kn_close(context);
}

/* The worth of a disc on each cell is a table that looks like the board: it has its symmetries, and the
 * network of the library values corners most. */
static void test_worth_of_cells(void **state)
{
    (void)state;
    enum { SIZE = 6 };
    KnError error;
    KnGame *game;
    KnNetwork *network;
    KnContext *context = NULL;
    double worth[SIZE][SIZE];
    check_ok(error, kn_open(NULL, &context, &error));
    check_ok(error, kn_game_open(context, "othello(size=6)", &game, &error));
    check_ok(error, kn_network_open(game, NULL, &network, &error));
    KnArena *arena = kn_arena_new();
    KnExplanation *root = kn_explanation_new(arena, "");
    kn_network_describe(network, arena, root);
    const KnExplanation *group = root->first;
    while (group && strcmp(group->label, "worth of X on each cell to black, % of the points") != 0)
        group = group->next;
    assert_non_null(group);
    const KnExplanation *row = group->first;
    for (int y = 0; y < SIZE; y++, row = row->next) {
        assert_non_null(row);
        char *next = (char *)(uintptr_t)row->text;
        for (int x = 0; x < SIZE; x++) worth[y][x] = strtod(next, &next);
    }
    assert_null(row);
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            assert_true(worth[y][x] == worth[x][y] && worth[y][x] == worth[y][SIZE - 1 - x]);
            if (x % (SIZE - 1) || y % (SIZE - 1)) assert_true(worth[0][0] > worth[y][x]);
        }
    kn_arena_free(arena);
    kn_network_free(network);
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worth_of_cells), cmocka_unit_test(test_every_game),
        cmocka_unit_test(test_exchanges),      cmocka_unit_test(test_shared),
        cmocka_unit_test(test_plans),          cmocka_unit_test(test_rule_sheet),
        cmocka_unit_test(test_explains),       cmocka_unit_test(test_refused),
        cmocka_unit_test(test_embedded),       cmocka_unit_test(test_strongest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
