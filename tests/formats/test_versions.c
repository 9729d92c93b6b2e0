/* Today's program reads yesterday's files, and refuses tomorrow's with a word.
 *
 * versions/ holds a file of every format with a version of its own, written once by the first program that
 * had it and never again: when a format changes, the new one gets a file beside the old, and the old one
 * still has to be read (or, where that is decided, refused with a message that says what to do; then its row
 * here says so). Each row names a command that shows what is in the file, and a change that makes the file
 * one of a later version. */
#include "support/check.h"
#include "support/client.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/file.h"

typedef struct Row {
    const char *file;        /* below versions/ */
    const char *words;       /* of knack */
    const char *told;        /* a part of what it prints */
    const char *now, *later; /* text to be replaced in the file; NULL: the byte after its eight letters */
    const char *refusal;     /* a part of the message */
    int code;                /* that it ends with; 0: 3 */
} Row;

static const Row rows[] = {
    {"base.mdb", "base stat base.mdb", "positions      54", "{\"format\":1,", "{\"format\":9,", "format", 0},
    {"base.mdb", "base export base.mdb", "\"outcome\":", "{\"format\":1,", "{\"format\":9,", "format", 0},
    {"base2.mdb", "base stat base2.mdb", "2 against random", "{\"format\":2,", "{\"format\":9,", "format", 0},
    {"base2.mdb", "base export base2.mdb", "\"opponent\":\"alphabeta(depth=1)\"", "{\"format\":2,",
     "{\"format\":9,", "format", 0},
    {"tables/1k-1k.wld", "tables probe checkers 'W:WK10:BK1' --folder tables", "position     drawn", NULL,
     NULL, "written by another version (9, not 1)", 1},
    {"store/solved/tictactoe-ed8fadea84146714.kns", "explain tictactoe start perfect --data store",
     "draws with best play: this is known exactly. 9 moves do as well.", NULL, NULL, NULL, 0},
    {"policy.json", "train allocation tictactoe --load policy.json --show", "A policy for tictactoe",
     "policy 1\"", "policy 9\"", "\"knack allocation policy 9\" is not", 0},
    {"weights.json", "train td tictactoe --load weights.json --show", "value of move: 0.0185031 hundredths",
     "weights 1\"", "weights 9\"", "\"knack weights 9\" is not", 0},
    {"sequences.json", "explain 'tictactoe(lose)' start 'seqlearner(sequences.json)'", "whose advice it is",
     "\"format\": 1,", "\"format\": 9,", "made by another version (format 9", 0},
    {"hoyle.json", "explain tictactoe start 'hoyle(hoyle.json)'", "the most votes", "\"format\": 1,",
     "\"format\": 9,", "made by another version (format 9", 0},
    {"course/1/curve.json",
     "train experience 'othello(size=4)' --games 10 --opponent 1 --depth 1 --quiet --into course",
     "seed 1: 0.500 (95%: 0.237 to 0.763) after 10", "{\"about\"", "{\"format\": 9, \"about\"",
     "its format is 9, this program knows 1", 0},
    {"store/lab/satisficing.fig2.quick.1000.json", "lab report --data store --out report",
     "report/index.html", "\"format\":2,", "\"format\":9,", "its format is 9, this program knows 2", 0},
};

static KnText text;

static void fresh_files(void)
{
    assert_int_equal(system("rm -rf files && cp -r '" KNACK_SOURCE_DIR
                            "/tests/formats/versions' files && chmod -R u+w files"),
                     0);
}

/* Runs knack in the folder of the files; the exit code, with what it said in `text`. */
static int run(const char *words)
{
    char command[700];
    KnError error;
    snprintf(command, sizeof command, "cd files && '%s' %s >../said 2>&1 </dev/null", KNACK_BINARY, words);
    int status = system(command);
    check_ok(error, kn_file_read("said", &text, 1 << 20, &error));
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void check_reads(const char *words, const char *part)
{
    int code = run(words);
    if (code != 0 || !strstr(text.data, part))
        fail_msg("knack %s: exit code %d, wanted \"%s\": %s", words, code, part, text.data);
}

static void check_refuses(const char *words, int wanted, const char *part)
{
    int code = run(words);
    if (code != wanted || !strstr(text.data, part))
        fail_msg("knack %s: exit code %d, wanted %d and \"%s\": %s", words, code, wanted, part, text.data);
}

/* Makes the file one of a later version. */
static void age(const Row *row)
{
    char path[200];
    KnError error;
    KnText bytes = KN_TEXT_EMPTY, changed = KN_TEXT_EMPTY;
    snprintf(path, sizeof path, "files/%s", row->file);
    check_ok(error, kn_file_read(path, &bytes, 1 << 24, &error));
    if (row->now) {
        size_t found = 0;
        for (const char *at = bytes.data, *end = at + bytes.length; at < end;) {
            bool here = (size_t)(end - at) >= strlen(row->now) && memcmp(at, row->now, strlen(row->now)) == 0;
            kn_text_add_bytes(&changed, here ? row->later : at, here ? strlen(row->later) : 1);
            at += here ? strlen(row->now) : 1;
            found += here;
        }
        if (!found) fail_msg("%s has no %s", row->file, row->now);
    } else {
        kn_text_add_bytes(&changed, bytes.data, bytes.length);
        assert_int_equal(changed.data[8], 1);
        changed.data[8] = 9;
    }
    check_ok(error, kn_file_write_atomic(path, changed.data, changed.length, &error));
    kn_text_free(&bytes);
    kn_text_free(&changed);
}

static void test_row(void **state)
{
    const Row *row = *state;
    fresh_files();
    check_reads(row->words, row->told);
    fresh_files();
    age(row);
    if (row->refusal)
        check_refuses(row->words, row->code ? row->code : 3, row->refusal);
    else
        check_reads(row->words, row->told); /* what can be made again is made again */
}

/* What counted each distinct game once is not mixed with what counts each time that it was played. */
static void test_old_base(void **state)
{
    (void)state;
    fresh_files();
    check_reads("base stat base.mdb", "which counted each distinct game once");
    check_reads("explain 'othello(size=4)' start 'experience(random, base=base.mdb)'", "value");
    check_refuses("match 'othello(size=4)' 'experience(random, base=base.mdb, learn)' random -n 2 --no-store",
                  3, "was made by a version that counted each distinct game once; it can be read");
    check_refuses("base merge base2.mdb base.mdb", 3, "Export it, and import that");
    check_reads("base export base.mdb --out games.jsonl", "");
    check_reads("base import new.mdb games.jsonl --game 'othello(size=4)'", "5 games read, 5 new");
    check_reads("base merge base2.mdb new.mdb", "new.mdb: 5 new games");
    check_reads("base check base2.mdb", "sound");
}

/* ---- the two SQLite files, whose version is a number of SQLite's ---- */

static void set_version(const char *path, int version)
{
    sqlite3 *db;
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA user_version=%d", version);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void test_store(void **state)
{
    (void)state;
    fresh_files();
    check_reads("runs show old --data store", "\"games\": 6");
    check_reads("runs export pairs --data store --format json", "\"index\":4");
    check_reads("runs verify --replay --data store",
                "whole: 6 games, 6 replayed; not checked: 6 were written by");
    set_version("files/store/results.db", 9);
    check_refuses("runs show old --data store", 3, "its format is version 9, this program knows 2");
}

static pid_t serve(int *port)
{
    int ends[2];
    char line[256] = "";
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(KNACK_BINARY, "knack", "serve", "--port", "0", "--data", "files/store", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *out = fdopen(ends[0], "r");
    if (!fgets(line, sizeof line, out) || sscanf(line, "Knack is at http://127.0.0.1:%d/", port) != 1) {
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        fail_msg("it said: %s", line);
    }
    fclose(out);
    return pid;
}

static void test_saved_games(void **state)
{
    (void)state;
    int port, status;
    fresh_files();
    pid_t pid = serve(&port);
    TestAnswer answer = test_try(port, "GET", "/api/sessions/3qrrzhnxhcecb", NULL);
    kill(pid, SIGTERM);
    waitpid(pid, &status, 0);
    assert_int_equal(answer.status, 200);
    assert_string_equal(json_string_value(json_object_get(
                            json_array_get(json_object_get(answer.json, "history"), 0), "text")),
                        "b2");
    test_answer_free(&answer);
    set_version("files/store/web.db", 9);
    check_refuses("serve --port 0 --data store", 3, "its format is version 9, this program knows 2");
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[ROWS + 3];
    for (int i = 0; i < ROWS; i++)
        tests[i] = (struct CMUnitTest){rows[i].file, test_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(test_store);
    tests[ROWS + 1] = (struct CMUnitTest)cmocka_unit_test(test_saved_games);
    tests[ROWS + 2] = (struct CMUnitTest)cmocka_unit_test(test_old_base);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
