/* Endgame tables in use: by the search, by reasons, by the adjudication of matches, and when some of them are
 * broken. */
#include "support/check.h"
#include "support/workbench.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "arena/identity.h"
#include "arena/match.h"
#include "base/file.h"
#include "games/checkers/board.h"
#include "games/checkers/endgame_build.h"
#include "methods/tdleaf/train.h"
#include "search/search.h"

typedef struct Bench {
    KnContext *context;
    KnGame *game;
    KnEndgame *tables;
    KnEndgameProber *prober; /* with distances */
} Bench;

static int set_up(void **state)
{
    static Bench bench;
    KnError error;
    KnEndgameBuilt built;
    if (system("rm -rf used-wld used-dtw used-broken tables/tables") != 0) return 1;
    bench.context = test_workbench("tables");
    check_ok(error, kn_game_open(bench.context, "checkers", &bench.game, &error));
    check_ok(error, kn_endgame_build(&(KnEndgamePlan){.folder = "used-wld", .pieces = 3, .cache = 1 << 22},
                                     &built, &error));
    check_ok(error, kn_endgame_build(
                        &(KnEndgamePlan){
                            .folder = "used-dtw", .pieces = 3, .kind = KN_ENDGAME_DISTANCE, .cache = 1 << 22},
                        &built, &error));
    check_ok(error, kn_endgame_open(bench.game, "used-dtw", &bench.tables, &error));
    bench.prober = kn_endgame_prober(bench.tables, 1 << 22);
    *state = &bench;
    return 0;
}

static int tear_down(void **state)
{
    Bench *bench = *state;
    kn_endgame_prober_free(bench->prober);
    kn_endgame_close(bench->tables);
    kn_game_close(bench->game);
    kn_close(bench->context);
    return 0;
}

/* Three pieces somewhere, both sides there, with a move to make. */
static KnCheckersPosition random_position(KnRng *rng)
{
    for (;;) {
        KnCheckersPosition p = {.mover = (uint16_t)kn_rng_below(rng, 2)};
        for (int i = 0; i < 3; i++) {
            uint32_t at = 1u << kn_rng_below(rng, 32);
            int side = i < 2 ? i : (int)kn_rng_below(rng, 2);
            bool king = kn_rng_below(rng, 2) || at & kn_checkers_king_row(side);
            if ((p.pieces[0] | p.pieces[1]) & at) continue;
            p.pieces[side] |= at;
            if (king) p.kings |= at;
        }
        if (p.pieces[0] && p.pieces[1] && kn_checkers_count(&p, false)) return p;
    }
}

static KnAnswer ask(KnPlayer *player, const KnCheckersPosition *p, unsigned wants, KnArena *arena)
{
    KnError error;
    KnMove moves[KN_CHECKERS_MOVES_MAX];
    KnRng rng = kn_rng_seeded(3);
    KnRequest request = {.game = player->game,
                         .position = p,
                         .role = p->mover,
                         .allowed = moves,
                         .allowed_count = kn_checkers_generate(p, moves),
                         .rng = &rng,
                         .wants = wants,
                         .arena = arena};
    KnAnswer answer = {0};
    check_ok(error, kn_player_begin(player, p->mover, p, &error));
    check_ok(error, kn_player_choose(player, &request, &answer, &error));
    return answer;
}

static KnPlayer *open_player(const Bench *bench, const char *spec)
{
    KnError error;
    KnPlayer *player;
    check_ok(error, kn_player_open(bench->context, bench->game, spec, &player, &error));
    return player;
}

/* With distances a search of one ply knows everything, and plays the shortest win and the longest defence. */
static void test_distances_are_played(void **state)
{
    const Bench *bench = *state;
    KnPlayer *player = open_player(bench, "alphabeta(depth=1, tables=\"used-dtw\")");
    KnRng rng = kn_rng_seeded(11);
    for (long i = 0; i < check_scaled(3000); i++) {
        _Alignas(16) KnCheckersPosition p = random_position(&rng);
        KnEndgameAnswer said, kept;
        assert_true(kn_endgame_ask(bench->prober, &p, &said));
        KnAnswer answer = ask(player, &p, 0, NULL);
        KnScore score = said.value > 0   ? KN_SCORE_WIN - said.plies
                        : said.value < 0 ? said.plies - KN_SCORE_WIN
                                         : 0;
        assert_int_equal(answer.score, score);
        assert_true(kn_endgame_ask_move(bench->prober, &p, answer.move, &kept));
        assert_int_equal(kept.value, said.value);
        assert_int_equal(kept.plies, said.plies);
    }
    kn_player_close(player);
}

/* Without distances the value is never given away, and its sign is known at any depth. */
static void test_values_are_kept(void **state)
{
    const Bench *bench = *state;
    for (int depth = 1; depth <= 5; depth += 2) {
        char spec[80];
        snprintf(spec, sizeof spec, "alphabeta(depth=%d, tables=\"used-wld\")", depth);
        KnPlayer *player = open_player(bench, spec);
        KnRng rng = kn_rng_seeded((uint64_t)depth);
        for (long i = 0; i < check_scaled(600); i++) {
            _Alignas(16) KnCheckersPosition p = random_position(&rng);
            KnEndgameAnswer said, kept;
            assert_true(kn_endgame_ask(bench->prober, &p, &said));
            KnAnswer answer = ask(player, &p, 0, NULL);
            assert_true(kn_endgame_ask_move(bench->prober, &p, answer.move, &kept));
            assert_int_equal(kept.value, said.value);
            int sign = answer.score > KN_SCORE_KNOWN / 2 ? 1 : answer.score < -KN_SCORE_KNOWN / 2 ? -1 : 0;
            assert_int_equal(sign, said.value);
            /* A win that is claimed as proved takes no fewer plies than it does. */
            KnScore size = answer.score < 0 ? -answer.score : answer.score;
            if (size > KN_SCORE_PROVEN) assert_true(KN_SCORE_WIN - size >= said.plies);
        }
        kn_player_close(player);
    }
}

/* A position one capture away from the tables is valued by them. */
static void test_search_reaches_the_tables(void **state)
{
    const Bench *bench = *state;
    KnError error;
    _Alignas(16) KnCheckersPosition p;
    check_ok(error, bench->game->type->parse_position(bench->game, "W:WK10,K11,K23:BK27", &p, &error));
    KnPlayer *player = open_player(bench, "alphabeta(depth=2, tables=\"used-wld\")");
    assert_true(ask(player, &p, 0, NULL).score > KN_SCORE_KNOWN / 2);
    KnPlayer *without = open_player(bench, "alphabeta(depth=2)");
    assert_true(ask(without, &p, 0, NULL).score < KN_SCORE_KNOWN / 2 ||
                ask(without, &p, 0, NULL).score > KN_SCORE_PROVEN);
    kn_player_close(player);
    kn_player_close(without);
}

static void explanations(const Bench *bench, const char *spec, const char *position, KnText *out)
{
    KnError error;
    KnArena *arena = kn_arena_new();
    KnPlayer *player = open_player(bench, spec);
    _Alignas(16) KnCheckersPosition p;
    check_ok(error, bench->game->type->parse_position(bench->game, position, &p, &error));
    kn_text_clear(out);
    kn_explanation_print(ask(player, &p, KN_WANT_EXPLANATION, arena).explanation, out);
    kn_player_close(player);
    kn_arena_free(arena);
}

static void test_reasons_say_what_tables_say(void **state)
{
    const Bench *bench = *state;
    KnText text = KN_TEXT_EMPTY;
    explanations(bench, "alphabeta(depth=2, tables=\"used-dtw\")", "W:WK10,K11:BK1", &text);
    assert_non_null(strstr(text.data, "tables: won in 17 plies"));
    assert_non_null(strstr(text.data, "10-6: lost in 8 plies"));
    assert_non_null(strstr(text.data,
                           "tables: won in 17 plies\n    10-7: won in 21 plies\n    11-8: won in 21 plies\n"
                           "    10-6: lost in 8 plies\n    11-7: won in 17 plies\n"));
    explanations(bench, "alphabeta(depth=2, tables=\"used-wld\")", "W:WK10,K11:BK1", &text);
    assert_non_null(strstr(text.data, "tables: won\n"));
    explanations(bench, "alphabeta(depth=2, tables=\"used-wld\")", "W:WK10,K11:BK1,5", &text);
    assert_non_null(strstr(text.data, "tables: for up to 3 pieces"));
    kn_text_free(&text);
}

static void test_broken_tables_are_done_without(void **state)
{
    const Bench *bench = *state;
    KnError error;
    assert_int_equal(
        system("cp -r used-wld used-broken && head -c 100 used-wld/2k-1k.wld >used-broken/2k-1k.wld"), 0);
    KnText text = KN_TEXT_EMPTY;
    explanations(bench, "alphabeta(depth=2, tables=\"used-broken\")", "W:WK10,K11:BK1", &text);
    assert_non_null(strstr(text.data, "tables left out: used-broken/2k-1k.wld"));
    assert_non_null(strstr(text.data, "tables: for up to 2 pieces"));
    kn_text_free(&text);
    KnMatchPlan plan = {.game = "checkers",
                        .players = {"alphabeta(depth=1, tables=\"used-broken\")", "random"},
                        .games = 2,
                        .seed = 1,
                        .jobs = 1};
    KnMatchResult result;
    check_ok(error, kn_match_run(bench->context, &plan, NULL, NULL, &result, &error));
    assert_non_null(strstr(result.note, "used-broken/2k-1k.wld"));
    KnPlayer *player;
    check_fails(error, KN_INPUT, "nowhere",
                kn_player_open(bench->context, bench->game, "alphabeta(tables=nowhere)", &player, &error));
    check_fails(error, KN_INPUT, "knack tables build",
                kn_player_open(bench->context, bench->game, "alphabeta(tables=on)", &player, &error));
}

static void test_matches_end_by_tables(void **state)
{
    const Bench *bench = *state;
    KnError error;
    KnMatchPlan plan = {
        .game = "checkers", .players = {"alphabeta(depth=3)", "random"}, .games = 20, .seed = 5, .jobs = 2};
    KnMatchResult plain, tabled;
    check_ok(error, kn_match_run(bench->context, &plan, NULL, NULL, &plain, &error));
    plan.tables = "used-wld";
    check_ok(error, kn_match_run(bench->context, &plan, NULL, NULL, &tabled, &error));
    assert_string_not_equal(plain.identity, tabled.identity);
    assert_true(tabled.standing.wins >= 15);
    char other[KN_HEX128];
    memcpy(other, tabled.identity, sizeof other);
    plan.tables = "used-dtw"; /* other files, another run */
    check_ok(error, kn_match_run(bench->context, &plan, NULL, NULL, &tabled, &error));
    assert_string_not_equal(other, tabled.identity);
    plan.tables = "nowhere";
    check_fails(error, KN_INPUT, "nowhere", kn_match_run(bench->context, &plan, NULL, NULL, &tabled, &error));
    plan.game = "othello";
    plan.tables = "used-wld";
    check_fails(error, KN_INPUT, "for checkers",
                kn_match_run(bench->context, &plan, NULL, NULL, &tabled, &error));
}

/* Flips a bit in the middle of every packed block of a table. */
static void damage(const char *path)
{
    KnError error;
    KnText bytes = KN_TEXT_EMPTY;
    KnEndgameHead head;
    check_ok(error, kn_file_read(path, &bytes, 1 << 26, &error));
    memcpy(&head, bytes.data, sizeof head);
    for (uint64_t b = 0; b < head.blocks; b++) {
        KnEndgameBlock block;
        memcpy(&block, bytes.data + head.index_at + b * sizeof block, sizeof block);
        if (block.bytes) bytes.data[block.at + block.bytes / 2] ^= 4;
    }
    check_ok(error, kn_file_write_atomic(path, bytes.data, bytes.length, &error));
    kn_text_free(&bytes);
}

/* A damaged block is no answer and no "unknown": matches, players, training and the command end with it. */
static void test_damage_is_an_error(void **state)
{
    const Bench *bench = *state;
    KnError error;
    KnMatchResult result;
    assert_int_equal(system("rm -rf used-damaged && cp -r used-wld used-damaged"), 0);
    glob_t files;
    assert_int_equal(glob("used-damaged/*.wld", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) damage(files.gl_pathv[i]);
    globfree(&files);
    KnMatchPlan plan = {.game = "checkers",
                        .players = {"random", "random"},
                        .games = 60,
                        .seed = 5,
                        .jobs = 2,
                        .tables = "used-damaged"};
    check_fails(error, KN_SYSTEM, "is damaged",
                kn_match_run(bench->context, &plan, NULL, NULL, &result, &error));
    plan.tables = NULL;
    plan.players[0] = "alphabeta(depth=3, eval=hand, tables=\"used-damaged\")";
    check_fails(error, KN_SYSTEM, "is damaged",
                kn_match_run(bench->context, &plan, NULL, NULL, &result, &error));
    KnTdPlan training = kn_td_plan();
    KnWeights *weights;
    training.depths[0] = 1;
    training.games = 20;
    training.tables = "used-damaged";
    check_fails(error, KN_SYSTEM, "is damaged",
                kn_td_train(bench->context, bench->game, &training, NULL, NULL, &weights, &error));
    int code = system(KNACK_BINARY
                      " tables probe checkers W:WK10,K11:BK1 --folder used-damaged >probed.txt 2>&1");
    assert_int_equal(WEXITSTATUS(code), 4);
    KnText said = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("probed.txt", &said, 10000, &error));
    assert_non_null(strstr(said.data, "is damaged"));
    assert_null(strstr(said.data, "position"));
    kn_text_free(&said);
}

/* One game, played from a position that the tables know: over before a move is made, with their value. */
static void test_known_position_ends_at_once(void **state)
{
    const Bench *bench = *state;
    KnError error;
    static const struct {
        const char *position;
        double black;
    } cases[] = {{"W:WK10,K11:BK1", -1},
                 {"B:WK10,K11:BK1", -1},
                 {"W:WK15:B5", 0},
                 {"W:W28:BK18", 1},
                 {"B:W28:BK18", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KnState *game_state = kn_state_new(bench->game);
        _Alignas(16) KnCheckersPosition p;
        check_ok(error, bench->game->type->parse_position(bench->game, cases[i].position, &p, &error));
        kn_state_reset(game_state, &p);
        KnPlayer *players[2] = {open_player(bench, "random"), open_player(bench, "random")};
        KnRng rngs[2] = {kn_rng_seeded(1), kn_rng_seeded(2)};
        KnPlayPlan plan = {.state = game_state,
                           .players = {players[0], players[1]},
                           .rngs = {&rngs[0], &rngs[1]},
                           .rules.tables = bench->tables};
        KnPlayed played;
        check_ok(error, kn_play(&plan, &played, &error));
        assert_string_equal(kn_ending_name(played.ending), "tables");
        assert_int_equal(played.plies, 0);
        assert_true(played.payoffs[0] == cases[i].black && played.payoffs[1] == -cases[i].black);
        kn_player_close(players[0]);
        kn_player_close(players[1]);
        kn_state_free(game_state);
    }
}

/* Tables of the data folder are asked by selective searches without a word, and by no other search; a run
 * with them is another run. */
static void test_tables_of_the_data_folder(void **state)
{
    const Bench *bench = *state;
    static const struct {
        const char *spec;
        bool asks;
    } rows[] = {{"alphabeta(depth=0, nodes=200)", true},
                {"alphabeta(depth=2, width=selective)", true},
                {"alphabeta(depth=2)", false},
                {"alphabeta(depth=0, nodes=200, tables=off)", false},
                {"alphabeta(depth=2, tables=on)", true}};
    KnError error;
    KnText text = KN_TEXT_EMPTY;
    static const char *const spelled[] = {"alphabeta(depth=0, nodes=200)", "AlphaBeta(Depth=0, Nodes=200)"};
    char seen[2][2][KN_HEX128];
    for (int i = 0; i < 2; i++) {
        for (int s = 0; s < 2; s++) {
            KnDigest digest;
            kn_digest_start(&digest);
            check_ok(error, kn_identity_spec(bench->context, &digest, spelled[s], NULL, &error));
            kn_digest_hex(&digest, seen[s][i]);
        }
        KnText folder = KN_TEXT_EMPTY;
        kn_endgame_folder(bench->context, "on", &folder);
        char command[400];
        snprintf(command, sizeof command, "mkdir -p '%s' && cp used-wld/*.wld '%s'", folder.data,
                 folder.data);
        assert_int_equal(system(command), 0);
        kn_text_free(&folder);
    }
    for (int s = 0; s < 2; s++) assert_string_not_equal(seen[s][0], seen[s][1]);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        explanations(bench, rows[i].spec, "W:WK10,K11:BK1", &text);
        assert_int_equal(strstr(text.data, "tables: won") != NULL, rows[i].asks);
    }
    kn_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_are_played),
        cmocka_unit_test(test_values_are_kept),
        cmocka_unit_test(test_search_reaches_the_tables),
        cmocka_unit_test(test_reasons_say_what_tables_say),
        cmocka_unit_test(test_broken_tables_are_done_without),
        cmocka_unit_test(test_matches_end_by_tables),
        cmocka_unit_test(test_damage_is_an_error),
        cmocka_unit_test(test_known_position_ends_at_once),
        cmocka_unit_test(test_tables_of_the_data_folder),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
