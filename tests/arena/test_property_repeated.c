/* The light loop against the ordinary interface: every strategy against others, with and without chance,
 * noise, an unknown end and payoffs that change. Whatever the way, the same moves. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdio.h>
#include <string.h>

#include "arena/play.h"
#include "players/dilemma/duel.h"

static const char *const games[] = {
    "dilemma(turns=230)", "dilemma(turns=120, continue=0.98)", "dilemma(T=1.9, R=1, P=0.1, S=0, turns=90)",
    "matrix(\"3,3 0,5; 5,0 1,1\", actions=\"C,D\", later=\"1,1 5,0; 0,5 3,3\", change=40, turns=90)"};

/* Options for those that must have some. */
static const char *spec_of(const KnStrategy *row)
{
    static const char *const families[][2] = {
        {"memory1", "memory1(.9, .1, .5, .2, first=.5)"},
        {"zerodeterminant", "zerodeterminant(scale=0)"},
        {"Cycler", "cycler(CDDCD)"},
        {"fsm", "fsm(text=\"C; 1C-2:.5 1D-1D 2.C-1C 2CD-2C 2DD-1:.25\")"},
        {"memory", "memory(text=\"CD; .C/D.-:.3 ../..-D\")"}};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strcmp(families[i][0], row->player.head.name) == 0) return families[i][1];
    return row->player.head.name;
}

/* A match through the players' own interface, counted as a duel is. */
static void play_ordinarily(KnState *game_state, KnPlayer *const players[2], double noise, long told,
                            KnRng *streams, KnDuel *duel)
{
    const KnGame *game = kn_state_game(game_state);
    const KnMatrix *matrix = kn_game_matrix(game);
    KnError error;
    *duel = (KnDuel){0};
    kn_state_reset(game_state, NULL);
    for (int role = 0; role < 2; role++) {
        kn_player_set_known_length(players[role], told);
        check_ok(error, kn_player_begin(players[role], role, kn_state_position(game_state), &error));
    }
    while (kn_state_movers(game_state)) {
        KnMove joint[3] = {0}, moves[2];
        for (int role = 0; role < 2; role++) {
            KnRequest request = {.game = game,
                                 .position = kn_state_position(game_state),
                                 .role = role,
                                 .allowed = moves,
                                 .allowed_count = kn_state_moves(game_state, role, moves),
                                 .rng = &streams[role]};
            KnAnswer answer = {0};
            check_ok(error, kn_player_choose(players[role], &request, &answer, &error));
            joint[role] = answer.move;
            if (noise > 0 && kn_rng_real(&streams[KN_DUEL_NOISE]) < noise)
                joint[role] = moves[1 - kn_matrix_action(answer.move)];
        }
        if (game->nature >= 0) joint[2] = kn_nature_move(game_state, &streams[KN_DUEL_NATURE]);
        bool later = matrix->later && duel->turns >= matrix->change;
        duel->count[later][kn_outcome(kn_matrix_action(joint[0]), kn_matrix_action(joint[1]))]++;
        duel->turns++;
        check_ok(error, kn_state_play_joint(game_state, joint, &error));
        for (int role = 0; role < 2; role++)
            check_ok(error, kn_player_observe(players[role], game_state, joint, &error));
    }
}

static void check_pair(KnState *game_state, KnPlayer *const players[2], double noise, long told,
                       uint64_t seed)
{
    KnRng streams[2][KN_DUEL_STREAMS];
    for (uint64_t s = 0; s < KN_DUEL_STREAMS; s++) streams[0][s] = streams[1][s] = kn_rng_stream(seed, s);
    const KnGame *game = kn_state_game(game_state);
    KnDuel light, ordinary;
    KnDuelRules rules = {.matrix = kn_game_matrix(game), .noise = noise, .known_length = told};
    kn_duel(kn_player_agent(players[0]), kn_player_agent(players[1]), &rules, streams[0], &light);
    play_ordinarily(game_state, players, noise, told, streams[1], &ordinary);
    if (memcmp(&light, &ordinary, sizeof light) != 0)
        fail_msg("%s against %s on %s, noise %g, seed %llu: %ld turns and %ld, CC %ld and %ld",
                 players[0]->spec, players[1]->spec, game->spec, noise, (unsigned long long)seed, light.turns,
                 ordinary.turns, light.count[0][0], ordinary.count[0][0]);
    double payoffs[3];
    assert_true(kn_state_over(game_state, payoffs));
    for (int side = 0; side < 2; side++) {
        double score = (double)kn_duel_score(&light, rules.matrix, side) / (double)rules.matrix->scale;
        assert_true(score == payoffs[side]);
    }
}

static void check_game(KnContext *context, const char *spec, KnRng *rng)
{
    enum { ROWS = 160 };
    KnPlayer *players[ROWS];
    size_t count = 0;
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    KnState *game_state = kn_state_new(game);
    const KnStrategy *row;
    for (; count < ROWS && (row = kn_strategy_at(count)); count++)
        check_ok(error, kn_player_open(context, game, spec_of(row), &players[count], &error));
    assert_null(kn_strategy_at(count));
    for (size_t i = 0; i < count; i++)
        for (long sample = 0; sample < check_scaled(12); sample++) {
            size_t other = kn_rng_below(rng, (uint32_t)count);
            KnPlayer *pair[2] = {players[i], players[other]};
            if (i == other) continue; /* one player cannot sit on both sides */
            double noise = sample % 2 ? 0.05 : 0;
            check_pair(game_state, pair, noise, sample % 3 ? 0 : 230, kn_rng_next(rng));
        }
    for (size_t i = 0; i < count; i++) kn_player_close(players[i]);
    kn_state_free(game_state);
    kn_game_close(game);
}

static void test_both_ways_agree(void **state)
{
    (void)state;
    KnContext *context = test_workbench("data");
    KnRng rng = kn_rng_seeded(11);
    for (size_t g = 0; g < sizeof games / sizeof *games; g++) check_game(context, games[g], &rng);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_ways_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
