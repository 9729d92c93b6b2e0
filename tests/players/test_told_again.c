/* A player that is told a contest from its beginning decides as the one that has played it: the page makes a
 * new one for every question, and a move taken back is a contest told again. What matters here are plans
 * under way, which are not on the board. */
#include "support/check.h"

#include <string.h>

#include "arena/training.h"
#include "games/turns.h"
#include "knack.h"

static KnContext *context;
static KnGame *game;

static KnMove ask(const KnContest *contest, KnPlayer *player, KnRng *rng)
{
    KnError error;
    KnMove moves[game->max_moves];
    const void *position = kn_contest_position(contest);
    int role = game->type->mover(game, position);
    KnRequest request = {.game = game,
                         .position = position,
                         .history = kn_contest_history(contest),
                         .role = role,
                         .allowed = moves,
                         .allowed_count = kn_contest_moves(contest, role, moves),
                         .rng = rng};
    KnAnswer answer = {0};
    check_ok(error, kn_player_choose(player, &request, &answer, &error));
    return answer.move;
}

static long counted(const KnWatcher *watcher, const KnPlayer *player, const char *name)
{
    json_t *tally = watcher->type->tally(player);
    long count = (long)json_integer_value(json_object_get(tally, name));
    json_decref(tally);
    return count;
}

/* What one who was not there decides, and whether as the next of a sequence under way. */
static KnMove tell(const KnWatcher *watcher, const KnContest *contest, int role, KnRng rng, const char *name,
                   long *enforced)
{
    KnError error;
    KnPlayer *late;
    KnContest *again = kn_contest_new(game);
    check_ok(error, kn_watcher_player(watcher, &late, &error));
    check_ok(error, kn_player_begin(late, role, kn_contest_position(again), &error));
    for (size_t ply = 0; ply < kn_contest_plies(contest); ply++) {
        const KnMove *joint = kn_contest_joint_at(contest, ply);
        check_ok(error, kn_contest_play_joint(again, joint, &error));
        check_ok(error, kn_player_observe(late, again, joint, &error));
    }
    KnMove move = ask(contest, late, &rng);
    *enforced = counted(watcher, late, name);
    kn_player_close(late);
    kn_contest_free(again);
    return move;
}

/* Returns how often a sequence was continued. */
static long check_contest(const KnWatcher *watcher, KnPlayer *own, KnPlayer *agent, int role, uint64_t seed,
                          const char *name)
{
    KnError error;
    KnRng rng = kn_rng_seeded(seed), other = kn_rng_seeded(seed + 1);
    KnContest *contest = kn_contest_new(game);
    double payoffs[KN_ROLES_MAX];
    long before = counted(watcher, own, name), start = before;
    check_ok(error, kn_player_begin(own, role, kn_contest_position(contest), &error));
    check_ok(error, kn_player_begin(agent, 1 - role, kn_contest_position(contest), &error));
    while (!kn_contest_over(contest, payoffs)) {
        KnMove joint[KN_ROLES_MAX] = {KN_MOVE_NONE, KN_MOVE_NONE};
        int mover = game->type->mover(game, kn_contest_position(contest));
        if (mover == role) {
            long late, now;
            KnMove told = tell(watcher, contest, role, rng, name, &late);
            joint[mover] = ask(contest, own, &rng);
            now = counted(watcher, own, name);
            assert_true(told == joint[mover]);
            assert_int_equal(late, now - before);
            before = now;
        } else
            joint[mover] = ask(contest, agent, &other);
        check_ok(error, kn_contest_play_joint(contest, joint, &error));
        check_ok(error, kn_player_observe(own, contest, joint, &error));
        check_ok(error, kn_player_observe(agent, contest, joint, &error));
    }
    kn_contest_free(contest);
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
        KnWatcher *watcher;
        KnPlayer *own, *agent;
        long continued = 0;
        KnTrainingPlan plan = {.game = "tictactoe(lose)",
                               .learner = learners[l][0],
                               .environment = KN_TRAIN_DOUBLE,
                               .watch = 20,
                               .runs = 1,
                               .seed = 5};
        check_ok(error, kn_training_teach(context, &plan, game, &watcher, &error));
        check_ok(error, kn_watcher_player(watcher, &own, &error));
        check_ok(error, kn_player_open(context, game, "perfect(draw=wide)", &agent, &error));
        for (uint64_t i = 0; i < 20; i++)
            continued += check_contest(watcher, own, agent, (int)(i & 1), 100 + 2 * i, learners[l][1]);
        assert_true(continued > 10); /* else nothing was tested */
        kn_player_close(agent);
        kn_player_close(own);
        kn_watcher_close(watcher);
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
    kn_context_free(context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_told_again)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
