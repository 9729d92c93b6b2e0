/* kill -9 at any instant: no game that was reported as added is missing, and the base is sound. */
#include "support/check.h"
#include "support/fault_injection.h"
#include "support/workbench.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "methods/experience/base.h"

static const char path[] = "killed.mdb";

/* Adds random games forever, and reports each once it is added. */
static void add_for_ever(int report, uint64_t seed)
{
    KnError error;
    KnContext *context = test_workbench("child");
    KnGame *game;
    KnBase *base;
    if (kn_game_open(context, "othello(size=6)", &game, &error) != KN_OK) _exit(1);
    if (kn_base_open(context, game, path, KN_BASE_MAKE, NULL, &base, &error) != KN_OK) _exit(2);
    KnState *game_state = kn_state_new(game);
    KnMove moves[64];
    for (uint64_t i = 0;; i++) {
        KnRng rng = kn_rng_stream(seed, i);
        double payoffs[KN_ROLES_MAX];
        kn_state_reset(game_state, NULL);
        while (!kn_state_over(game_state, payoffs)) {
            int count = kn_state_moves(game_state, game->type->mover(game, kn_state_position(game_state)),
                                       moves);
            if (kn_state_play(game_state, moves[kn_rng_below(&rng, (uint32_t)count)], &error) != KN_OK)
                _exit(3);
        }
        bool added;
        if (kn_base_add(base, game_state, kn_base_outcome(game_state, payoffs), NULL, &added, &error) !=
            KN_OK)
            _exit(4);
        char one = added ? 1 : 0;
        if (write(report, &one, 1) != 1) _exit(5);
    }
}

static void test_nothing_reported_is_missing(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("parent");
    KnGame *game;
    check_ok(error, kn_game_open(context, "othello(size=6)", &game, &error));
    KnRng rng = kn_rng_seeded(9);
    uint64_t reported = 0;
    long kills = fault_count(200);
    for (long i = 0; i < kills; i++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) {
            close(ends[0]);
            add_for_ever(ends[1], (uint64_t)i);
        }
        close(ends[1]);
        nanosleep(&(struct timespec){.tv_nsec = (long)(40 + kn_rng_below(&rng, 200)) * 1000000}, NULL);
        kill(child, SIGKILL);
        int ended;
        waitpid(child, &ended, 0);
        assert_true(WIFSIGNALED(ended)); /* it was adding until then */
        char added;
        while (read(ends[0], &added, 1) == 1) reported += (uint64_t)added;
        close(ends[0]);
        if (access(path, F_OK) != 0) continue; /* killed before its first commit */
        KnBase *base;
        KnBaseStat stat;
        KnStatus status = kn_base_open(context, game, path, KN_BASE_MAKE, NULL, &base, &error);
        if (status != KN_OK) fail_msg("after kill %ld: %s", i, error.text);
        check_ok(error, kn_base_size(base, &stat, &error));
        assert_true(stat.plays >= reported &&
                    stat.plays <= reported + (uint64_t)i + 1); /* one may be added and not yet reported */
        kn_base_close(base);
        check_ok(error, kn_base_check(context, game, path, &error));
    }
    char count[80];
    snprintf(count, sizeof count, "%ld kills, %llu games added", kills, (unsigned long long)reported);
    fault_row("kill -9", "games added to an experience base (`kn_base_add`)", count, "nothing");
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_reported_is_missing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
