/* Several at once at a file that is not there yet: whoever comes second waits, nobody is turned away. */
#include "support/check.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "base/sqlite.h"

enum { GUESTS = 8, ROUNDS = 40, PATIENCE_MS = 60000 };
static const char path[] = "shared.db";

static void *open_it(void *code)
{
    sqlite3 *db = NULL;
    *(int *)code = sqlite3_open(path, &db);
    if (*(int *)code == SQLITE_OK) *(int *)code = kn_sqlite_share(db, PATIENCE_MS);
    if (*(int *)code == SQLITE_OK) *(int *)code = sqlite3_exec(db, "CREATE TABLE IF NOT EXISTS guests(name TEXT); INSERT INTO guests VALUES('one')", NULL, NULL, NULL);
    sqlite3_close(db);
    return NULL;
}

static void test_new_file(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t guests[GUESTS];
        int codes[GUESTS];
        unlink(path);
        for (int i = 0; i < GUESTS; i++) assert_int_equal(pthread_create(&guests[i], NULL, open_it, &codes[i]), 0);
        for (int i = 0; i < GUESTS; i++) pthread_join(guests[i], NULL);
        for (int i = 0; i < GUESTS; i++)
            if (codes[i] != SQLITE_OK) fail_msg("round %d, guest %d: %s", round, i, sqlite3_errstr(codes[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_new_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
