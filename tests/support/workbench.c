#include "support/workbench.h"

#include <stdint.h>
#include <time.h>

#include <knack/base.h>
#include "base/file.h"
#include "support/check.h"

static KnStatus count_begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    (void)role, (void)position, (void)error;
    player->data = NULL;
    return KN_OK;
}

/* How many times this player has chosen in this game, kept in the pointer itself. */
static uintptr_t chosen(KnPlayer *player)
{
    uintptr_t count = (uintptr_t)player->data + 1;
    player->data = (void *)count;
    return count;
}

static KnStatus cheat(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)error;
    answer->move = chosen(player) == 3 ? KN_MOVE_NONE : request->allowed[0];
    return KN_OK;
}

static KnStatus crash(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    answer->move = request->allowed[0];
    return chosen(player) == 3 ? kn_fail(error, KN_FORFEIT, "the engine went away") : KN_OK;
}

static KnStatus slow(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)player, (void)error;
    answer->move = request->allowed[0];
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    return KN_OK;
}

const KnPlayerType test_player_cheat = {
    .head = {"cheat", "plays an illegal third move", NULL}, .begin = count_begin, .choose = cheat};
const KnPlayerType test_player_crash = {
    .head = {"crash", "fails at its third move", NULL}, .begin = count_begin, .choose = crash};
const KnPlayerType test_player_slow = {.head = {"slow", "takes its time", NULL}, .choose = slow};

KnContext *test_workbench(const char *folder)
{
    KnError error;
    KnContext *context;
    check_ok(error, kn_open(folder, &context, &error));
    check_ok(error, kn_register(context, KN_KIND_PLAYER, &test_player_cheat.head, &error));
    check_ok(error, kn_register(context, KN_KIND_PLAYER, &test_player_crash.head, &error));
    check_ok(error, kn_register(context, KN_KIND_PLAYER, &test_player_slow.head, &error));
    return context;
}

KnContext *workbench;
KnGame *workbench_game;

int test_workbench_open(void **state)
{
    (void)state;
    workbench = test_workbench("data");
    return workbench ? 0 : -1;
}

int test_workbench_close(void **state)
{
    (void)state;
    kn_game_close(workbench_game);
    workbench_game = NULL;
    kn_close(workbench);
    return 0;
}

KnGame *test_workbench_game(const char *spec)
{
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(workbench, spec, &game, &error));
    return game;
}

int test_workbench_open_game(const char *spec)
{
    if (test_workbench_open(NULL) != 0) return -1;
    workbench_game = test_workbench_game(spec);
    return 0;
}

KnPlayer *test_workbench_player(const char *spec)
{
    KnError error;
    KnPlayer *player;
    check_ok(error, kn_player_open(workbench, workbench_game, spec, &player, &error));
    return player;
}

void check_same_files(const char *one, const char *two)
{
    KnError error;
    KnText first = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read(one, &first, 1 << 26, &error));
    check_ok(error, kn_file_read(two, &second, 1 << 26, &error));
    assert_int_equal(first.length, second.length);
    assert_memory_equal(first.data, second.data, first.length);
    kn_text_free(&first);
    kn_text_free(&second);
}
