/* A player that is wrapped lives through the whole game: it is told where it begins, every move and the end,
 * whether it is asked or not. */
#include "support/check.h"
#include "support/workbench.h"

#include <string.h>
#include <unistd.h>

#include <knack/match.h>

/* What the innermost player was told in a game. No test of this file starts a thread. */
static struct {
    int begun, observed, chosen, ended, role;
    size_t last; /* plies of the state that it saw last */
    double payoff;
} told;

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    (void)player, (void)position, (void)error;
    told.begun++;
    told.role = role;
    return KN_OK;
}

static KnStatus observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error)
{
    (void)player, (void)joint, (void)error;
    told.observed++;
    told.last = kn_state_plies(state);
    return KN_OK;
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)player, (void)error;
    told.chosen++;
    answer->move = request->allowed[request->allowed_count - 1];
    return KN_OK;
}

static KnStatus end(KnPlayer *player, const KnState *state, const double *payoffs, KnError *error)
{
    (void)player, (void)state, (void)error;
    told.ended++;
    told.payoff = payoffs[told.role];
    return KN_OK;
}

static const KnPlayerType spy = {.head = {"spy", "notes what it is told", NULL},
                                 .begin = begin,
                                 .observe = observe,
                                 .choose = choose,
                                 .end = end};

static void test_told_everything(void **state)
{
    (void)state;
    static const struct {
        const char *game, *spec;
        bool always; /* it is asked for every move of its role */
    } rows[] = {
        {"tictactoe", "spy", true},
        {"tictactoe", "noisy(spy, epsilon=0)", true},
        {"tictactoe", "noisy(spy, epsilon=1)", false},
        {"tictactoe", "mixed(spy)", true},
        {"tictactoe", "mixed(spy, spy, spy)", true},
        {"tictactoe", "prove(spy, nodes=2)", false},
        {"tictactoe", "prove(spy, nodes=1000, guard)", false},
        {"tictactoe", "experience(spy, base=kept.mdb, learn)", false},
        {"tictactoe", "noisy(experience(prove(spy), base=kept.mdb, learn), epsilon=0.5)", false},
        {"othello(size=4)", "endgame(spy, empties=4)", false},
        {"othello(size=4)", "endgame(noisy(spy), empties=0)", false},
    };
    unlink("kept.mdb");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int role = 0; role < 2; role++) {
            KnError error;
            KnGame *game = test_workbench_game(rows[i].game);
            KnPlayer *players[2];
            KnState *at = kn_state_new(game);
            KnPlayed played;
            check_ok(error, kn_player_open(workbench, game, rows[i].spec, &players[role], &error));
            check_ok(error, kn_player_open(workbench, game, "random", &players[1 - role], &error));
            memset(&told, 0, sizeof told);
            KnRng rng = kn_rng_seeded(6);
            KnPlayPlan plan = {.players = {players[0], players[1]},
                               .state = at,
                               .rngs = {&rng, &rng},
                               .game_id = 2 * i + (unsigned)role + 1};
            check_ok(error, kn_play(&plan, &played, &error));
            int plies = (int)kn_state_plies(at), own = 0;
            for (int ply = 0; ply < plies; ply++)
                own += game->type->mover(game, kn_state_position_at(at, (size_t)ply)) == role;
            int spies = 0; /* a mixed player tells all of its players, whoever is to play */
            for (const char *name = rows[i].spec; (name = strstr(name, "spy")); name++) spies++;
            if (told.begun != spies || told.role != role || told.observed != spies * plies ||
                told.last != (size_t)plies || told.ended != spies || told.payoff != played.payoffs[role])
                fail_msg("%s as role %d: begun %d (role %d), observed %d of %d, ended %d", rows[i].spec, role,
                         told.begun, told.role, told.observed, plies, told.ended);
            if (rows[i].always) assert_int_equal(told.chosen, own);
            kn_player_close(players[0]);
            kn_player_close(players[1]);
            kn_state_free(at);
            kn_game_close(game);
        }
}

static int open_with_spy(void **state)
{
    KnError error;
    int failed = test_workbench_open(state);
    if (!failed) check_ok(error, kn_register(workbench, KN_KIND_PLAYER, &spy.head, &error));
    return failed;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_told_everything)};
    return cmocka_run_group_tests(tests, open_with_spy, test_workbench_close);
}
