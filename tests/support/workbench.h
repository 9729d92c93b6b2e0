/* A whole context for tests of the upper rooms: everything built in, with data in the test's own folder. */
#ifndef KNACK_TESTS_WORKBENCH_H
#define KNACK_TESTS_WORKBENCH_H

#include "players/player.h"

/* Data lives in `folder` below the test's working folder. */
KnContext *test_workbench(const char *folder);

/* One for all tests of a file, as a group fixture of cmocka, with its data in the folder "data". */
extern KnContext *workbench;
int test_workbench_open(void **state);
int test_workbench_close(void **state);

/* Opens a game in it; fails the test if that fails. */
KnGame *test_workbench_game(const char *spec);

/* The same with one game for all tests of a file; test_workbench_close closes it too. */
extern KnGame *workbench_game;
int test_workbench_open_game(const char *spec);

/* Opens a player of that game; fails the test if that fails. */
KnPlayer *test_workbench_player(const char *spec);

/* Two files hold the same bytes. */
void check_same_files(const char *one, const char *two);

/* Players that misbehave, registered by test_workbench: `cheat` plays an illegal move as its third, `crash`
 * fails as its third, `slow` takes 50 ms a move. */
extern const KnPlayerType test_player_cheat, test_player_crash, test_player_slow;

#endif
