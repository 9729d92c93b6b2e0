/* Several at once at a file that is not there yet: whoever comes second waits, nobody is turned away. */
#include "support/check.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_new_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
