/* Memory that runs out: every allocation in turn fails, and the call that needed it says so, leaves nothing
 * behind and goes on no further. */
#include "support/check.h"
#include "support/workbench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "eval/evaluation.h"
#include "games/gdl/gdl.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_ALLOCATOR 1 /* the sanitizer's, which is not to be replaced */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define OWN_ALLOCATOR 1
#endif
#endif

#ifdef OWN_ALLOCATOR

static void test_every_allocation(void **state)
{
    (void)state;
    skip();
}

#else

/* ---- an allocator that fails once ---- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static struct {
    bool on;
    long asked, fails_at; /* the number of the allocation that fails, from 0; -1: none */
    long held;            /* blocks that were not given back */
} memory;

static bool fails(void)
{
    if (!memory.on || memory.asked++ != memory.fails_at) return false;
    errno = ENOMEM;
    return true;
}

static void *count(void *block)
{
    if (memory.on && block) memory.held++;
    return block;
}

void *malloc(size_t size) { return fails() ? NULL : count(__libc_malloc(size)); }

void *calloc(size_t number, size_t size) { return fails() ? NULL : count(__libc_calloc(number, size)); }

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : count(__libc_memalign(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = aligned_alloc(alignment, size);
    return *block ? 0 : ENOMEM;
}

void *realloc(void *block, size_t size)
{
    if (fails()) return NULL;
    void *moved = __libc_realloc(block, size);
    if (!block) count(moved);
    return moved;
}

void free(void *block)
{
    if (memory.on && block) memory.held--;
    __libc_free(block);
}

/* ---- what is tried ---- */

typedef struct Trial {
    const char *game, *evaluation; /* NULL: none */
    int plies;
    uint64_t reached; /* a hash of the position at the end, to compare */
} Trial;

/* KN_SYSTEM if it said that memory had run out, KN_OK if it came to its end. */
static KnStatus try(Trial *trial, KnError *error)
{
    KnGame *game;
    KnEvaluation *evaluation = NULL;
    KnStatus status = kn_game_open(workbench, trial->game, &game, error);
    if (status != KN_OK) return status;
    if (trial->evaluation)
        status = kn_evaluation_open_text(workbench, game, trial->evaluation, &evaluation, error);
    KnState *state = status == KN_OK ? kn_state_new(game) : NULL;
    if (status == KN_OK && !state) status = kn_fail_memory(error, "making a state");
    KnRng rng = kn_rng_seeded(4);
    for (int ply = 0; status == KN_OK && ply < trial->plies && !kn_state_over(state, NULL); ply++) {
        KnMove moves[game->max_moves], joint[KN_ROLES_MAX];
        for (int role = 0; role < game->roles; role++) {
            int many = kn_state_moves(state, role, moves);
            joint[role] = many ? moves[kn_rng_below(&rng, (uint32_t)many)] : 0;
        }
        status = kn_state_play_joint(state, joint, error);
    }
    if (status == KN_OK && strncmp(trial->game, "gdl", 3) == 0) status = kn_gdl_trouble(game, error);
    if (status == KN_OK) {
        trial->reached = game->type->hash(game, kn_state_position(state));
        if (evaluation) trial->reached += (uint64_t)kn_evaluate_for(evaluation, kn_state_position(state), 0);
    }
    kn_state_free(state);
    kn_evaluation_close(evaluation);
    kn_game_close(game);
    return status;
}

static KnStatus try_with(Trial *trial, long fails_at, KnError *error)
{
    memory.asked = memory.held = 0;
    memory.fails_at = fails_at;
    memory.on = true;
    KnStatus status = try(trial, error);
    memory.on = false;
    return status;
}

static void test_every_allocation(void **state)
{
    (void)state;
    static const Trial trials[] = {
        {"tictactoe", NULL, 9, 0},    {"checkers", "hand", 90, 0},
        {"othello", "hand", 70, 0},   {"othello(size=4)", NULL, 20, 0},
        {"go(size=5)", NULL, 150, 0}, {"morris(men=5)", "hand", 80, 0},
        {"phutball", NULL, 30, 0},    {"fives", "hand", 70, 0},
        {"dilemma", NULL, 70, 0},     {"matrix(payoffs=\"3,3 0,5; 5,0 1,1\")", NULL, 5, 0},
        {"publicgoods", NULL, 5, 0},  {"gdl(file=tictactoe, reasoner=fast)", NULL, 9, 0},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        KnError error;
        Trial plain = trials[i];
        check_ok(error, try_with(&plain, -1, &error));
        check_ok(error, try_with(&plain, -1, &error)); /* what is made once is there now */
        long all = memory.asked, kept = memory.held;
        assert_true(all > 2);
        assert_int_equal(kept, 0);
        for (long k = 0; k < all; k++) {
            Trial starved = trials[i];
            KnStatus status = try_with(&starved, k, &error);
            if (status == KN_OK && starved.reached != plain.reached)
                fail_msg("%s: another position without allocation %ld", starved.game, k);
            if (status != KN_OK && (status != KN_SYSTEM || !strstr(error.text, "out of memory")))
                fail_msg("%s without allocation %ld: status %d, %s", starved.game, k, (int)status,
                         error.text);
            if (memory.held != 0)
                fail_msg("%s without allocation %ld: %ld blocks are lost", starved.game, k, memory.held);
        }
    }
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation)};
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
