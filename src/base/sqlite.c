#include "base/sqlite.h"

#include <stddef.h>

#include "base/clock.h"
#include "base/file.h"

enum { PAUSE_MS = 5 };

int kn_sqlite_share(sqlite3 *db, int wait_ms)
{
    sqlite3_busy_timeout(db, wait_ms);
    /* The switch to the log needs the file alone for a moment, and SQLite does not let it wait: two processes
     * that open a new file at the same time would each hold what the other needs. So one of them is refused
     * at once, and asks again here. */
    double end = kn_clock_now() + wait_ms / 1e3;
    int code;
    const char *path = sqlite3_db_filename(db, "main");
    const char *mode = path && *path && kn_file_is_remote(path)
                           ? "PRAGMA journal_mode=DELETE; PRAGMA synchronous=FULL;"
                           : "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;";
    while ((code = sqlite3_exec(db, mode, NULL, NULL, NULL)) == SQLITE_BUSY && kn_clock_now() < end)
        sqlite3_sleep(PAUSE_MS);
    return code;
}
