/* The results store says when its content is not what was written: edits, lost rows, flipped bits; files of
 * an older version; a folder that cannot be written to. */
#include "support/check.h"
#include "support/workbench.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "arena/export.h"
#include "arena/match.h"
#include "arena/store.h"
#include "arena/verify.h"
#include "base/file.h"

enum { GAMES = 12 };

static KnMatchPlan plan_of(uint64_t seed, const char *name)
{
    return (KnMatchPlan){.game = "othello(size=4)",
                         .players = {"random", "random"},
                         .games = GAMES,
                         .seed = seed,
                         .jobs = 1,
                         .name = name};
}

static KnStatus play(const KnContext *context, uint64_t seed, const char *name, char digest[KN_HEX128],
                     KnError *error)
{
    KnStore *store;
    KnMatchResult result;
    KnMatchPlan plan = plan_of(seed, name);
    KnStatus status = kn_store_open(context, &store, error);
    if (status != KN_OK) return status;
    status = kn_match_run(context, &plan, store, NULL, &result, error);
    kn_store_close(store);
    if (status == KN_OK) kn_digest_hex(&result.standing.digest, digest);
    return status;
}

/* A new store with two runs, for every test. */
static KnContext *filled(const char *folder, char digest[KN_HEX128])
{
    KnError error;
    KnContext *context = test_workbench(folder);
    char other[KN_HEX128];
    check_ok(error, play(context, 1, "one", digest, &error));
    check_ok(error, play(context, 2, "two", other, &error));
    return context;
}

static void edit(const char *folder, const char *sql)
{
    char path[128];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/results.db", folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_close(db);
}

static KnStatus verify(const KnContext *context, const char *run, bool replay, KnVerified *verified,
                       KnError *error)
{
    KnStore *store;
    KnStatus status = kn_store_open_reading(context, &store, error);
    if (status != KN_OK) return status;
    status = kn_verify_run(context, store, run, replay, verified, error);
    kn_store_close(store);
    return status;
}

/* Everything that the store shows of its runs, as one text. */
static KnStatus show_all(const KnContext *context, KnText *out, KnError *error)
{
    static const char *const runs[] = {"one", "two"}, *const formats[] = {"json", "csv", "latex", "ggf"};
    KnStore *store;
    KnStatus status = kn_store_open_reading(context, &store, error);
    if (status != KN_OK) return status;
    char *list = kn_store_json_string(store, error);
    if (!list) status = KN_INPUT;
    if (list) kn_text_add(out, list);
    kn_free(list);
    for (int r = 0; r < 2; r++)
        for (int f = 0; f < 4 && status == KN_OK; f++)
            status = kn_export_run(context, store, runs[r], formats[f], out, error);
    kn_store_close(store);
    return status;
}

/* The columns of a table. Returns their number. */
static int columns_of(const char *folder, const char *table, char columns[][16])
{
    char path[64], sql[64];
    sqlite3 *db;
    sqlite3_stmt *query;
    int count = 0;
    snprintf(path, sizeof path, "%s/results.db", folder);
    snprintf(sql, sizeof sql, "PRAGMA table_info(%s)", table);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &query, NULL), SQLITE_OK);
    while (sqlite3_step(query) == SQLITE_ROW)
        snprintf(columns[count++], 16, "%s", (const char *)sqlite3_column_text(query, 1));
    sqlite3_finalize(query);
    sqlite3_close(db);
    return count;
}

/* Without waiting for the disk. */
static void write_plainly(const char *path, const KnText *bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes->data, 1, bytes->length, file), bytes->length);
    assert_int_equal(fclose(file), 0);
}

/* ---- edits ---- */

static void test_edits_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *told;
    } rows[] = {
        {"UPDATE games SET payoff0 = 0.25 WHERE run = 1 AND number = 3", "game 3 of run one does not fit"},
        {"UPDATE games SET moves = 'b1' WHERE run = 1 AND number = 0", "game 0 of run one does not fit"},
        {"UPDATE games SET seconds1 = 99 WHERE run = 1 AND number = 11", "game 11 of run one does not fit"},
        {"DELETE FROM games WHERE run = 1 AND number = 11", "run one has 11 games from number 0 on, and 12"},
        {"UPDATE games SET number = 40 WHERE run = 1 AND number = 11", "game 40 of run one does not fit"},
        {"UPDATE runs SET settings = replace(settings, 'random', 'perfect') WHERE id = 1",
         "run one: its row does not fit its checksum"},
        {"UPDATE runs SET name = 'won' WHERE id = 1", "run won: its row does not fit its checksum"},
        {"DELETE FROM runs WHERE id = 1",
         "the list of runs is not the one that was written (1 runs found, 2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnError error;
        KnVerified verified;
        char digest[KN_HEX128], folder[32];
        snprintf(folder, sizeof folder, "edit%zu", i);
        KnContext *context = filled(folder, digest);
        check_ok(error, verify(context, "one", true, &verified, &error));
        assert_int_equal(verified.games, GAMES);
        assert_int_equal(verified.replayed, GAMES);
        assert_int_equal(verified.unchecked, 0);
        edit(folder, rows[i].sql);
        check_fails(error, KN_INPUT, rows[i].told, verify(context, "one", false, &verified, &error));
        check_fails(error, KN_INPUT, rows[i].told, play(context, 1, "one", digest, &error));
        KnText text = KN_TEXT_EMPTY;
        KnStatus status = show_all(context, &text, &error);
        check_fails(error, KN_INPUT, rows[i].told, status);
        kn_text_free(&text);
        kn_close(context);
    }
}

/* One more in a number, one letter more in a text: of every column of every table. */
static void test_every_column_counts(void **state)
{
    (void)state;
    static const char *const tables[][2] = {
        {"runs", "WHERE id = 1"}, {"games", "WHERE run = 1 AND number = 11"}, {"contents", ""}};
    KnError error;
    KnVerified verified;
    char digest[KN_HEX128];
    KnText bytes = KN_TEXT_EMPTY, sql = KN_TEXT_EMPTY, shown = KN_TEXT_EMPTY;
    kn_close(filled("columns", digest));
    check_ok(error, kn_file_read("columns/results.db", &bytes, 1 << 24, &error));
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        char columns[24][16];
        int count = columns_of("columns", tables[t][0], columns);
        assert_true(count > 1);
        for (int c = 0; c < count; c++) {
            const char *name = columns[c];
            kn_text_clear(&sql);
            kn_text_printf(
                &sql, "UPDATE %s SET %s = CASE typeof(%s) WHEN 'text' THEN %s || 'x' ELSE %s + 100 END %s",
                tables[t][0], name, name, name, name, tables[t][1]);
            edit("columns", sql.data);
            KnContext *context = test_workbench("columns");
            KnStatus status = verify(context, "1", false, &verified, &error);
            if (status == KN_OK) status = show_all(context, &shown, &error); /* counts of what there is */
            if (status != KN_INPUT) fail_msg("%s: nobody notices", sql.data);
            kn_close(context);
            unlink("columns/results.db-wal");
            unlink("columns/results.db-shm");
            write_plainly("columns/results.db", &bytes);
        }
    }
    KnContext *context = test_workbench("columns");
    check_ok(error, verify(context, "1", false, &verified, &error));
    kn_close(context);
    kn_text_free(&bytes);
    kn_text_free(&sql);
    kn_text_free(&shown);
}

static const char begun[] = "x../.o./... x";

static KnStatus count_game(void *user, const KnStandingRecord *record, KnError *error)
{
    (void)error;
    assert_string_equal(record->start, begun);
    assert_string_equal(record->moves, "b1");
    ++*(uint64_t *)user;
    return KN_OK;
}

/* From any game on, any number of games, as they were written. */
static void test_parts_are_read(void **state)
{
    (void)state;
    KnError error;
    KnStore *store;
    int64_t run;
    KnContext *context = test_workbench("parts");
    check_ok(error, kn_store_open(context, &store, &error));
    check_ok(error,
             kn_store_run(store, "match", "own", "0123456789abcdef0123456789abcdef", "{}", &run, &error));
    check_ok(error, kn_store_begin(store, &error));
    for (uint64_t i = 0; i < GAMES; i++) {
        KnStandingRecord record = {.index = i,
                                   .start = begun,
                                   .moves = "b1",
                                   .ending = "limit",
                                   .fault = "",
                                   .plies = 1,
                                   .culprit = -1,
                                   .payoffs = {0.5, 0.5}};
        check_ok(error, kn_store_add(store, run, &record, &error));
    }
    check_ok(error, kn_store_commit(store, &error));
    for (uint64_t from = 0; from <= GAMES; from++)
        for (uint64_t most = 0; most <= GAMES + 1; most++) {
            uint64_t seen = 0, left = GAMES - from;
            check_ok(error, kn_store_games_from(store, run, from, most, count_game, &seen, &error));
            assert_int_equal(seen, most < left ? most : left);
        }
    uint64_t seen = 0;
    check_ok(error, kn_store_delete(store, run, &error));
    check_fails(error, KN_INPUT, "is gone: somebody deleted it",
                kn_store_games(store, run, count_game, &seen, &error));
    assert_int_equal(seen, 0);
    kn_store_close(store);
    kn_close(context);
}

static KnStatus note_id(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    *(int64_t *)user = run->id;
    return KN_OK;
}

/* A damaged run can be deleted, and the others are whole then; a lost one can be given up. */
static void test_remedies(void **state)
{
    (void)state;
    KnError error;
    KnStore *store;
    KnVerified verified;
    int64_t id = 0;
    char digest[KN_HEX128], again[KN_HEX128];
    KnContext *context = filled("remedies", digest);
    edit("remedies", "UPDATE runs SET summary = '{}' WHERE id = 1; UPDATE games SET plies = 9 WHERE run = 1");
    check_ok(error, kn_store_open(context, &store, &error));
    check_fails(error, KN_INPUT, "run one: its row", kn_store_accept(store, &error));
    check_ok(error, kn_store_find_damaged(store, "one", note_id, &id, &error));
    check_ok(error, kn_store_delete(store, id, &error));
    kn_store_close(store);
    check_ok(error, verify(context, "two", true, &verified, &error));
    check_ok(error, play(context, 1, "one", again, &error));
    assert_string_equal(again, digest);
    edit("remedies", "DELETE FROM runs WHERE name = 'two'");
    check_fails(error, KN_INPUT, "the list of runs", verify(context, "two", false, &verified, &error));
    check_ok(error, kn_store_open(context, &store, &error));
    check_ok(error, kn_store_accept(store, &error));
    kn_store_close(store);
    check_fails(error, KN_INPUT, "there is no run \"two\"", verify(context, "two", false, &verified, &error));
    check_ok(error, verify(context, "one", true, &verified, &error));
    kn_close(context);
}

/* What was stored falsely in the first place has a checksum that fits: the rules find it. */
static void test_replay(void **state)
{
    (void)state;
    static const struct {
        KnStandingRecord record;
        const char *told;
    } rows[] = {
        {{.moves = "a1 b1 a2 b2 a3", .ending = "rules", .plies = 5, .culprit = -1, .payoffs = {0, 1}},
         "player 1 has the payoff 0; by the moves it is 1"},
        {{.moves = "b2 b2", .ending = "rules", .plies = 2, .culprit = -1, .payoffs = {1, 0}}, "b2"},
        {{.moves = "b2 a1", .ending = "rules", .plies = 2, .culprit = -1, .payoffs = {1, 0}},
         "it cannot have ended by \"rules\""},
        {{.moves = "b2 a1", .ending = "limit", .plies = 2, .culprit = -1, .payoffs = {1, 0}},
         "player 1 has the payoff 1; by the moves it is 0"},
        {{.moves = "b2 a1",
          .ending = "forfeit",
          .fault = "gone",
          .plies = 2,
          .culprit = 1,
          .payoffs = {0, 1}},
         "player 1 has the payoff 0; by the moves it is 1"},
        {{.moves = "b2 a1", .ending = "limit", .plies = 3, .culprit = -1, .payoffs = {0.5, 0.5}},
         "2 moves, and 3 are stated"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnError error;
        KnStore *store;
        int64_t run;
        KnVerified verified;
        char folder[32];
        snprintf(folder, sizeof folder, "replay%zu", i);
        KnContext *context = test_workbench(folder);
        KnStandingRecord record = rows[i].record;
        record.start = "";
        if (!record.fault) record.fault = "";
        check_ok(error, kn_store_open(context, &store, &error));
        check_ok(error,
                 kn_store_run(store, "match", "false", "0123456789abcdef0123456789abcdef",
                              "{\"game\":\"tictactoe\",\"players\":[\"random\",\"random\"]}", &run, &error));
        check_ok(error, kn_store_begin(store, &error));
        check_ok(error, kn_store_add(store, run, &record, &error));
        check_ok(error, kn_store_commit(store, &error));
        kn_store_close(store);
        check_ok(error, verify(context, "false", false, &verified, &error));
        check_fails(error, KN_INPUT, rows[i].told, verify(context, "false", true, &verified, &error));
        kn_close(context);
    }
}

/* ---- damage ---- */

/* One bit of the file, at a random place: what is shown and what a resumed match comes to is either the same
 * as before or an error. */
static void test_flipped_bits(void **state)
{
    (void)state;
    KnError error;
    char digest[KN_HEX128], found[KN_HEX128];
    KnContext *context = filled("flips", digest);
    KnText bytes = KN_TEXT_EMPTY, whole = KN_TEXT_EMPTY, shown = KN_TEXT_EMPTY;
    check_ok(error, show_all(context, &whole, &error));
    check_ok(error, kn_file_read("flips/results.db", &bytes, 1 << 24, &error));
    KnRng rng = kn_rng_seeded(21);
    long told = 0, trials = check_scaled(150);
    for (long trial = 0; trial < trials; trial++) {
        size_t at = kn_rng_below(&rng, (uint32_t)bytes.length);
        char mask = (char)(1 << kn_rng_below(&rng, 8));
        bytes.data[at] ^= mask;
        unlink("flips/results.db-wal");
        unlink("flips/results.db-shm");
        write_plainly("flips/results.db", &bytes);
        kn_text_clear(&shown);
        KnStatus status = show_all(context, &shown, &error);
        if (status == KN_OK && strcmp(shown.data, whole.data) != 0)
            fail_msg("byte %zu, mask %d: other contents were shown as if they were whole", at, mask);
        if (status != KN_OK) assert_true(error.text[0]);
        told += status != KN_OK;
        status = play(context, 1, "one", found, &error);
        if (status == KN_OK && strcmp(found, digest) != 0)
            fail_msg("byte %zu, mask %d: another result was taken up again", at, mask);
        bytes.data[at] ^= mask;
    }
    assert_in_range(told, trials / 10,
                    trials); /* the file is not empty space: a test that sees nothing is none */
    kn_text_free(&bytes);
    kn_text_free(&whole);
    kn_text_free(&shown);
    kn_close(context);
}

/* ---- older and read-only files ---- */

static void test_older_version(void **state)
{
    (void)state;
    KnError error;
    KnVerified verified;
    assert_int_equal(system("rm -rf older && mkdir older && cp '" KNACK_SOURCE_DIR
                            "/tests/formats/versions/store/results.db' older/ && chmod u+w older/results.db"),
                     0);
    KnContext *context = test_workbench("older");
    check_ok(error, verify(context, "old", true, &verified, &error));
    assert_int_equal(verified.games, 6);
    assert_int_equal(verified.unchecked, 6);
    edit("older", "UPDATE games SET plies = plies + 1 WHERE run = 1 AND number = 2"); /* after the stamping */
    check_fails(error, KN_INPUT, "game 2 of run old does not fit",
                verify(context, "old", false, &verified, &error));
    kn_close(context);
}

/* In a child that may not write: lists, shows and exports. */
static int look_as_guest(const char *folder)
{
    KnError error;
    KnText text = KN_TEXT_EMPTY;
    KnContext *context;
    KnVerified verified;
    KnStore *store;
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return 9;
    if (kn_open(folder, &context, &error) != KN_OK) return 8;
    KnStatus status = show_all(context, &text, &error);
    if (status == KN_OK) status = verify(context, "one", true, &verified, &error);
    if (status == KN_OK && kn_store_open(context, &store, &error) == KN_OK)
        return 7; /* nothing to write to */
    if (status != KN_OK) fprintf(stderr, "%s\n", error.text);
    kn_text_free(&text);
    kn_close(context);
    return (int)status;
}

static int child_of(const char *folder, int (*look)(const char *))
{
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(look(folder));
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

/* ---- two writers ---- */

/* Plays the same run as the other, and keeps a second one of its own. */
static int write_as_one_of_two(const char *folder)
{
    KnError error;
    KnContext *context;
    KnStore *store;
    KnMatchResult result;
    if (kn_open(folder, &context, &error) != KN_OK) return 9;
    KnStatus status = kn_store_open(context, &store, &error);
    for (uint64_t seed = 5; seed < 7 && status == KN_OK; seed++) {
        KnMatchPlan plan = plan_of(seed == 5 ? seed : (uint64_t)getpid(), NULL);
        plan.games = 300;
        status = kn_match_run(context, &plan, store, NULL, &result, &error);
    }
    if (status != KN_OK) fprintf(stderr, "%s\n", error.text);
    kn_store_close(store);
    kn_close(context);
    return (int)status;
}

static KnStatus count_whole(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    assert_string_equal(run->damage, "");
    assert_int_equal(run->games, 300);
    ++*(int *)user;
    return KN_OK;
}

/* Both add the games of one run at the same time: no game is counted twice, and all sums fit. */
static void test_two_writers(void **state)
{
    (void)state;
    KnError error;
    KnVerified verified;
    KnStore *store;
    int runs = 0, status;
    KnContext *context = test_workbench("writers");
    pid_t children[2];
    for (int i = 0; i < 2; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) _exit(write_as_one_of_two("writers"));
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    check_ok(error, kn_store_open_reading(context, &store, &error));
    check_ok(error, kn_store_runs(store, count_whole, &runs, &error));
    kn_store_close(store);
    assert_int_equal(runs, 3);
    for (int run = 1; run <= 3; run++) {
        char number[2] = {(char)('0' + run), 0};
        check_ok(error, verify(context, number, true, &verified, &error));
        assert_int_equal(verified.replayed, 300);
    }
    kn_close(context);
}

enum { RACES = 60, RACERS = 4 };

/* Adds the same runs as others at the same time; `gate` counts who has come to which run. */
static int add_runs(const char *folder, _Atomic int *gate)
{
    KnError error;
    KnStore *store;
    KnContext *context = test_workbench(folder);
    int failed = kn_store_open(context, &store, &error) != KN_OK;
    for (int race = 0; race < RACES && !failed; race++) {
        char name[32], identity[40];
        int64_t run;
        snprintf(name, sizeof name, "race%d", race);
        snprintf(identity, sizeof identity, "%d", race);
        for (atomic_fetch_add(gate, 1); atomic_load(gate) < (race + 1) * RACERS;) sched_yield();
        failed = kn_store_run(store, "match", name, identity, "{}", &run, &error) != KN_OK;
        if (failed) fprintf(stderr, "%s: %s\n", name, error.text), atomic_fetch_add(gate, RACES * RACERS);
    }
    if (!failed) kn_store_close(store);
    kn_close(context);
    return failed;
}

/* Who comes second finds the run, by its identity and name, and is not told that the name is another's. */
static void test_same_run_at_once(void **state)
{
    (void)state;
    int status;
    KnError error;
    KnStore *store;
    KnContext *context = test_workbench("race");
    check_ok(error, kn_store_open(context, &store, &error));
    kn_store_close(store);
    kn_close(context);
    _Atomic int *gate = mmap(NULL, sizeof *gate, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(gate != MAP_FAILED);
    pid_t children[RACERS];
    for (int i = 0; i < RACERS; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) _exit(add_runs("race", gate));
    }
    for (int i = 0; i < RACERS; i++) {
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    munmap(gate, sizeof *gate);
}

/* A name stands in lists and JSON, and a number names a run without one. */
static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *complaint;
    } cases[] = {{"", "line of text"},
                 {"a\nb", "line of text"},
                 {"\xff\xfe", "UTF-8"},
                 {"17", "a run's number"},
                 {"17a", NULL},
                 {"gr\xc3\xb6\xc3\x9f"
                  "e, \"x\"",
                  NULL}};
    KnError error;
    KnStore *store;
    KnContext *context = test_workbench("names");
    check_ok(error, kn_store_open(context, &store, &error));
    char identity[16], name[200];
    int64_t run;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(identity, sizeof identity, "%zu", i);
        KnStatus status = kn_store_run(store, "match", cases[i].name, identity, "{}", &run, &error);
        if (cases[i].complaint)
            check_fails(error, KN_INPUT, cases[i].complaint, status);
        else
            check_ok(error, status);
    }
    for (int length = 127; length <= 128; length++) {
        memset(name, 'n', sizeof name);
        name[length] = '\0';
        snprintf(identity, sizeof identity, "long%d", length);
        for (int again = 0; again < 2; again++) {
            KnStatus status = kn_store_run(store, "match", name, identity, "{}", &run, &error);
            if (length == 127)
                check_ok(error, status);
            else
                check_fails(error, KN_INPUT, "at most 127 bytes", status);
        }
    }
    kn_store_close(store);
    kn_close(context);
}

static void test_read_only(void **state)
{
    (void)state;
    char digest[KN_HEX128];
    KnContext *context = filled("fixed", digest);
    kn_close(context);
    assert_int_equal(chmod("fixed/results.db", 0444), 0);
    assert_int_equal(chmod("fixed", 0555), 0);
    int code = child_of("fixed", look_as_guest);
    assert_int_equal(chmod("fixed", 0755), 0);
    if (code == 9) skip();
    assert_int_equal(code, 0);
}

static KnStatus count_run(void *user, const KnRun *run, KnError *error)
{
    (void)run, (void)error;
    ++*(int *)user;
    return KN_OK;
}

/* Looking at a folder does not make one. */
static void test_no_store(void **state)
{
    (void)state;
    KnError error;
    KnStore *store;
    int runs = 0;
    KnContext *context = test_workbench("nothing/here");
    check_ok(error, kn_store_open_reading(context, &store, &error));
    check_ok(error, kn_store_runs(store, count_run, &runs, &error));
    assert_int_equal(runs, 0);
    kn_store_close(store);
    assert_false(kn_file_exists("nothing/here/results.db"));
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edits_are_told), cmocka_unit_test(test_every_column_counts),
        cmocka_unit_test(test_parts_are_read), cmocka_unit_test(test_remedies),
        cmocka_unit_test(test_replay),         cmocka_unit_test(test_flipped_bits),
        cmocka_unit_test(test_older_version),  cmocka_unit_test(test_two_writers),
        cmocka_unit_test(test_read_only),      cmocka_unit_test(test_no_store),
        cmocka_unit_test(test_names),          cmocka_unit_test(test_same_run_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
