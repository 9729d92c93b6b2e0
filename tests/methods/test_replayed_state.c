/* A player that is told a game from its beginning decides as the one that has played it: the page makes a
 * new one for every question, and a move taken back is a game told again. What matters here are plans
 * under way, which are not on the board. */
#include "support/check.h"

#include <string.h>

#include "methods/hoyle/environment.h"
#include "games/turns.h"
#include <knack/base.h>

static KnContext *context;
static KnGame *game;

static KnMove ask(const KnState *game_state, KnPlayer *player, KnRng *rng)
{
    KnError error;
    KnMove moves[game->max_moves];
    const void *position = kn_state_position(game_state);
    int role = game->type->mover(game, position);
    KnRequest request = {.game = game,
                         .position = position,
                         .history = kn_state_history(game_state),
                         .role = role,
                         .allowed = moves,
                         .allowed_count = kn_state_moves(game_state, role, moves),
                         .rng = rng};
    KnAnswer answer = {0};
    check_ok(error, kn_player_choose(player, &request, &answer, &error));
    return answer.move;
}

static long counted(const KnGameLearner *learner, const KnPlayer *player, const char *name)
{
    json_t *tally = learner->type->tally(player);
    long count = (long)json_integer_value(json_object_get(tally, name));
    json_decref(tally);
    return count;
}

/* What one who was not there decides, and whether as the next of a sequence under way. */
static KnMove tell(const KnGameLearner *learner, const KnState *game_state, int role, KnRng rng,
                   const char *name, long *enforced)
{
    KnError error;
    KnPlayer *late;
    KnState *again = kn_state_new(game);
    check_ok(error, kn_game_learner_player(learner, &late, &error));
    check_ok(error, kn_player_begin(late, role, kn_state_position(again), &error));
    for (size_t ply = 0; ply < kn_state_plies(game_state); ply++) {
        const KnMove *joint = kn_state_joint_at(game_state, ply);
        check_ok(error, kn_state_play_joint(again, joint, &error));
        check_ok(error, kn_player_observe(late, again, joint, &error));
    }
    KnMove move = ask(game_state, late, &rng);
    *enforced = counted(learner, late, name);
    kn_player_close(late);
    kn_state_free(again);
    return move;
}

/* Returns how often a sequence was continued. */
static long check_game(const KnGameLearner *learner, KnPlayer *own, KnPlayer *agent, int role, uint64_t seed,
                       const char *name)
{
    KnError error;
    KnRng rng = kn_rng_seeded(seed), other = kn_rng_seeded(seed + 1);
    KnState *game_state = kn_state_new(game);
    double payoffs[KN_ROLES_MAX];
    long before = counted(learner, own, name), start = before;
    check_ok(error, kn_player_begin(own, role, kn_state_position(game_state), &error));
    check_ok(error, kn_player_begin(agent, 1 - role, kn_state_position(game_state), &error));
    while (!kn_state_over(game_state, payoffs)) {
        KnMove joint[KN_ROLES_MAX] = {KN_MOVE_NONE, KN_MOVE_NONE};
        int mover = game->type->mover(game, kn_state_position(game_state));
        if (mover == role) {
            long late, now;
            KnMove told = tell(learner, game_state, role, rng, name, &late);
            joint[mover] = ask(game_state, own, &rng);
            now = counted(learner, own, name);
            assert_true(told == joint[mover]);
            assert_int_equal(late, now - before);
            before = now;
        } else
            joint[mover] = ask(game_state, agent, &other);
        check_ok(error, kn_state_play_joint(game_state, joint, &error));
        check_ok(error, kn_player_observe(own, game_state, joint, &error));
        check_ok(error, kn_player_observe(agent, game_state, joint, &error));
    }
    kn_state_free(game_state);
    return before - start;
}

static void test_told_again(void **state)
{
    (void)state;
    static const char *const learners[][2] = {{"seqlearner(version=1)", "enforced"},
                                              {"seqlearner(version=2)", "enforced"},
                                              {"hoyle(sequences=rote)", "enforcer"}};
    for (size_t l = 0; l < sizeof learners / sizeof *learners; l++) {
        KnError error;
        KnGameLearner *learner;
        KnPlayer *own, *agent;
        long continued = 0;
        KnEnvironmentPlan plan = {.game = "tictactoe(lose)",
                                  .learner = learners[l][0],
                                  .environment = KN_TRAIN_DOUBLE,
                                  .watch = 20,
                                  .runs = 1,
                                  .seed = 5};
        check_ok(error, kn_environment_teach(context, &plan, game, &learner, &error));
        check_ok(error, kn_game_learner_player(learner, &own, &error));
        check_ok(error, kn_player_open(context, game, "perfect(draw=wide)", &agent, &error));
        for (uint64_t i = 0; i < 20; i++)
            continued += check_game(learner, own, agent, (int)(i & 1), 100 + 2 * i, learners[l][1]);
        assert_true(continued > 10); /* else nothing was tested */
        kn_player_close(agent);
        kn_player_close(own);
        kn_game_learner_close(learner);
    }
}

static int set_up(void **state)
{
    (void)state;
    KnError error;
    check_ok(error, kn_open("data", &context, &error));
    check_ok(error, kn_game_open_turns(context, "tictactoe(lose)", &game, &error));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    kn_game_close(game);
    kn_close(context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_told_again)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
