/* Several at once at a file that is not there yet: whoever comes second waits, nobody is turned away. */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sqlite.h"

enum { GUESTS = 8, ROUNDS = 40, PATIENCE_MS = 60000 };
static const char *const files[] = {"shared.db", "shared.db-wal", "shared.db-shm"};

static int open_it(void)
{
    sqlite3 *db = NULL;
    int code = sqlite3_open(files[0], &db);
    if (code == SQLITE_OK) code = kn_sqlite_share(db, PATIENCE_MS);
    if (code == SQLITE_OK)
        code = sqlite3_exec(db,
                            "CREATE TABLE IF NOT EXISTS guests(name TEXT); INSERT INTO guests VALUES('one')",
                            NULL, NULL, NULL);
    sqlite3_close(db);
    return code;
}

/* Processes, not threads: within one, SQLite sorts it out by itself. They start together, when the writing
 * end of a pipe closes. */
static void test_new_file(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        pid_t guests[GUESTS];
        int start[2], status;
        char nothing;
        for (int i = 0; i < 3; i++) unlink(files[i]); /* who leave together may leave the log behind */
        assert_int_equal(pipe(start), 0);
        for (int i = 0; i < GUESTS; i++) {
            guests[i] = fork();
            assert_true(guests[i] >= 0);
            if (guests[i] > 0) continue;
            close(start[1]);
            _exit(read(start[0], &nothing, 1) == 0 ? open_it() : 255);
        }
        close(start[0]);
        close(start[1]);
        for (int i = 0; i < GUESTS; i++) {
            assert_int_equal(waitpid(guests[i], &status, 0), guests[i]);
            if (!WIFEXITED(status) || WEXITSTATUS(status) != SQLITE_OK)
                fail_msg("round %d, guest %d: status %d (%s)", round, i, status,
                         WIFEXITED(status) ? sqlite3_errstr(WEXITSTATUS(status)) : "died");
        }
    }
}

static void check_mode(const char *shared, const char *wanted)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *query = NULL;
    setenv("KNACK_SHARED_FILES", shared, 1);
    assert_int_equal(sqlite3_open("mode.db", &db), SQLITE_OK);
    assert_int_equal(kn_sqlite_share(db, PATIENCE_MS), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE IF NOT EXISTS t(x)", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA journal_mode", -1, &query, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(query), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(query, 0), wanted);
    sqlite3_finalize(query);
    sqlite3_close(db);
    unsetenv("KNACK_SHARED_FILES");
}

/* Without shared memory there is no write-ahead log; a file changes over when it moves. */
static void test_network(void **state)
{
    (void)state;
    assert_true(kn_file_system_is_remote(0x6969));      /* NFS */
    assert_true(kn_file_system_is_remote(0x0BD00BD0));  /* Lustre */
    assert_false(kn_file_system_is_remote(0xEF53));     /* ext4 */
    assert_false(kn_file_system_is_remote(0x01021994)); /* tmpfs */
    assert_false(kn_file_is_remote("no/such/folder/file.db"));
    check_mode("no", "wal");
    check_mode("yes", "delete");
    check_mode("yes", "delete");
    check_mode("no", "wal");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_new_file), cmocka_unit_test(test_network)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
