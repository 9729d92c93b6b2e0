/* knack-mpi prints and keeps what knack prints and keeps, for any number of ranks; and what happens when one
 * of them dies. */
#include "support/check.h"
#include "support/ranks.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

static void match_is_the_same(void **state)
{
    (void)state;
    ranks_needed();
    ranks_compare(
        "match 'othello(size=6)' 'alphabeta(depth=2)' random -n 60 --random-plies 2 --quiet --no-store", "");
    /* Two threads each; a test that stops it early. */
    ranks_compare(
        "match tictactoe 'alphabeta(depth=3)' random -n 2000 --sprt 0,100 --jobs 2 --quiet --no-store", "");
}

static void tournament_is_the_same(void **state)
{
    (void)state;
    ranks_needed();
    ranks_compare(
        "tournament tictactoe random 'alphabeta(depth=1)' 'alphabeta(depth=2)' -n 40 --quiet --no-store", "");
}

static void other_uses_are_refused(void **state)
{
    (void)state;
    ranks_needed();
    KnText out = KN_TEXT_EMPTY, why = KN_TEXT_EMPTY;
    assert_int_equal(ranks_run(2, "perft tictactoe 3", &out, &why), KN_USAGE);
    assert_non_null(strstr(why.data, "knack-mpi: `perft` runs in one process: run it with knack"));
    assert_int_equal(out.length, 0);
    assert_int_equal(ranks_run(2, "match tictactoe random", &out, &why), KN_USAGE);
    assert_non_null(strstr(why.data, "give a game and two players"));
    assert_int_equal(ranks_run(2, "match tictactoe random nobody -n 4 --no-store", &out, &why), KN_INPUT);
    assert_non_null(strstr(why.data, "nobody"));
    assert_int_equal(ranks_run(2, "--version", &out, &why), 0);
    assert_string_equal(out.data, "knack " KNACK_VERSION "\n");
    assert_int_equal(ranks_run(2, "lab list --quiet", &out, &why), 0);
    assert_non_null(strstr(why.data, "this command had nothing to share out; 1 of 2 ranks were idle"));
    kn_text_free(&out);
    kn_text_free(&why);
}

/* ---- a rank that dies ---- */

static bool holds(const char *file, const char *text)
{
    KnError error;
    KnText all = KN_TEXT_EMPTY;
    bool found = kn_file_read(file, &all, 16 << 20, &error) == KN_OK && strstr(all.data, text);
    kn_text_free(&all);
    return found;
}

/* Waits, with a limit that only a test that hangs reaches. */
static bool wait_for(bool (*there)(void *user), void *user)
{
    for (int i = 0; i < 6000; i++) {
        if (there(user)) return true;
        usleep(10000);
    }
    return false;
}

/* Committed games, which are fewer than those that the progress counts. */
static int stored(const char *store)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *count = NULL;
    int games = 0;
    if (sqlite3_open_v2(store, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, "SELECT count(*) FROM games", -1, &count, NULL) == SQLITE_OK &&
        sqlite3_step(count) == SQLITE_ROW)
        games = sqlite3_column_int(count, 0);
    sqlite3_finalize(count);
    sqlite3_close(db);
    return games;
}

typedef struct Started {
    pid_t mpirun, rank;
    const char *store;
} Started;

/* Games have been stored, or it is over. */
static bool has_stored(void *user)
{
    Started *started = user;
    siginfo_t ended = {0};
    if (waitid(P_PID, (id_t)started->mpirun, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid)
        return true;
    started->rank = ranks_find(started->mpirun, 1);
    return started->rank && stored(started->store) > 0;
}

/* Starts a match on three ranks, and kills the second of them half way. False if the match was over before
 * that. */
static bool start_and_kill(const char *words, const char *store)
{
    Started started = {ranks_start(3, words, "killed"), 0, store};
    bool under_way = wait_for(has_stored, &started);
    if (started.rank)
        kill(started.rank, SIGKILL);
    else
        kill(started.mpirun, SIGTERM);
    int status = 0;
    pid_t ended = waitpid(started.mpirun, &status, 0);
    assert_true(under_way);
    assert_int_equal(ended, started.mpirun);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return false;
    assert_true(holds("killed.err", "rank 1"));
    assert_true(holds("killed.err", "signal 9"));
    return true;
}

static void killed_rank_loses_nothing(void **state)
{
    (void)state;
    ranks_needed();
    char words[200], kept[260], lost[260], store[64];
    KnText expected = KN_TEXT_EMPTY, got = KN_TEXT_EMPTY;
    for (int games = 2000;; games *= 4) {
        snprintf(words, sizeof words,
                 "match 'othello(size=6)' 'alphabeta(depth=2)' random -n %d --seed 5 --quiet", games);
        snprintf(kept, sizeof kept, "%s --data store-%d", words, games);
        snprintf(store, sizeof store, "store-%d/results.db", games);
        if (start_and_kill(kept, store)) break;
        if (games > 100000) fail_msg("a machine too fast for this test: make it longer");
    }
    snprintf(lost, sizeof lost, "%s --no-store", words);
    assert_int_equal(ranks_run(2, kept, &got, NULL), 0);
    assert_int_equal(ranks_run(0, lost, &expected, NULL), 0);
    const char *a = strstr(got.data, "digest "), *b = strstr(expected.data, "digest ");
    assert_true(a && b && strncmp(a, b, 40) == 0);
    assert_non_null(strstr(got.data, "(resumed)"));
    kn_text_free(&expected);
    kn_text_free(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(match_is_the_same),
        cmocka_unit_test(tournament_is_the_same),
        cmocka_unit_test(other_uses_are_refused),
        cmocka_unit_test(killed_rank_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
